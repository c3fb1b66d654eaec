"""What the charts show, as Vega-Lite specifications made of stored results. Called by report.py and bench/readme.py.

A specification is plain data, and needs no library: a test compares it with the chart that was drawn of it. Colours
are names, such as `var(--ours)`, which draw.py knows.
"""

import math
import statistics
import textwrap
from collections.abc import Iterable
from typing import Any

from bench.pages.results import DERLIB, KINDS, Stored, failure, median, readable, wanted

Spec = dict[str, Any]
# The widest of a chart's parts is its labels; with these it can be read on a phone.
WIDTH, LABELS, TITLE_LETTERS, NAME_LETTERS = 290, 190, 46, 32
SERIES = tuple(f"var(--series{number})" for number in range(7))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
INK, MUTED, GRID, OURS, OTHERS = (f"var(--{name})" for name in ("ink", "muted", "grid", "ours", "others"))
WIDE = 20
"""An axis is logarithmic if the largest figure is so many times the smallest."""

FONT = "Arial, Liberation Sans, sans-serif"
CONFIG: Spec = {
    "font": FONT,
    "background": None,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "gridColor": GRID,
        "domainColor": MUTED,
        "tickColor": MUTED,
    },
    "legend": {"labelColor": INK, "labelFontSize": 12, "labelLimit": 420, "symbolSize": 70, "symbolStrokeWidth": 1.5},
    "header": {"labelColor": INK, "labelFontSize": 12, "labelFontWeight": "bold", "labelLimit": 520},
    "text": {"color": INK, "fontSize": 11},
}


def spec(**parts: Any) -> Spec:
    """A specification with what all of them have."""
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "config": CONFIG, **parts}


def wrapped(text: str, letters: int) -> str:
    """A long name in lines; LINES breaks them where it is drawn."""
    return "\n".join(textwrap.wrap(text, letters, break_on_hyphens=False))


LINES = "split({}, '\\n')"


def axis_of(values: Iterable[float]) -> tuple[Spec, Spec, float]:
    """The scale and the axis of figures, and where bars begin; with room for words behind the longest bar."""
    known = [value for value in values if value > 0]
    top = max(known, default=1.0)
    low = min(known, default=1.0)
    if top / low < WIDE:
        return {"domain": [0, top * 1.45], "nice": False}, {"tickCount": 5}, 0.0
    first = math.floor(math.log10(low) - 0.1)
    decades = math.log10(top) - first
    scale = {"type": "log", "domain": [10.0**first, top * 10 ** (decades * 0.45)], "nice": False}
    return scale, powers(first, first + math.ceil(decades * 1.45)), 10.0**first


def powers(first: int, last: int) -> Spec:
    """An axis with powers of ten, and not too many of them."""
    step = 1 + (last - first) // 8
    return {"values": [10.0**power for power in range(first, last + 1, step)], "format": ",.9~f"}


def shape_of(figures: Stored) -> tuple[float, float, float]:
    """The median and the ends of the middle half."""
    low, high = figures["quartiles"]
    return figures["median"], low, high


def bars(measurements: Iterable[Stored]) -> Spec | None:
    """A bar for each side of each case, with the middle half of its runs; those without a figure say why."""
    shown = list(measurements)
    measured = [one["figures"] for one in shown if one["figures"]]
    if not measured:
        return None
    bounds = [bound for one in measured for bound in (one["median"], one["quartiles"][1])]
    factor, unit = readable(measured[0]["unit"], max(bounds))
    scale, axis, base = axis_of(bound * factor for bound in bounds)
    values: list[Spec] = []
    for one in shown:
        figures = one["figures"]
        middle, low, high = (one * factor for one in shape_of(figures)) if figures else (base, base, base)
        words = median(figures) if figures else f"no figure: {failure(one)}"
        values.append(
            {
                "case": wrapped(one["case"], TITLE_LETTERS),
                "side": wrapped(one["side"], NAME_LETTERS),
                "median": max(middle, base),
                "low": max(low, base),
                "high": max(high, base),
                "words": words,
                "ours": one["peer"] == DERLIB,
            }
        )
    cases = list(dict.fromkeys(value["case"] for value in values))
    across = {"field": "median", "type": "quantitative", "scale": scale}
    sides = {"field": "side", "type": "nominal", "sort": None, "title": None}
    names = {"labelExpr": LINES.format("datum.label"), "labelLimit": LABELS, "labelPadding": 5, "ticks": False}
    names["domain"] = False
    title = unit + (", logarithmic" if scale.get("type") else "")
    colour = {"condition": {"test": "datum.ours", "value": OURS}, "value": OTHERS}
    layers = [
        {
            "mark": {"type": "bar", "height": {"band": 0.72}},
            "encoding": {
                "x": {**across, "axis": {**axis, "title": title, "grid": True}},
                "x2": {"datum": base},
                "color": colour,
            },
        },
        {
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.6},
            "encoding": {"x": {**across, "field": "low"}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 5},
            "encoding": {"x": {**across, "field": "high"}, "text": {"field": "words"}},
        },
    ]
    inner = {
        "width": WIDTH,
        "height": {"step": 21},
        "encoding": {"y": {**sides, "axis": names}},
        "layer": layers,
    }
    heads = {"labelOrient": "top", "labelAnchor": "start", "labelExpr": LINES.format("datum.label"), "title": None}
    return spec(
        data={"values": values},
        facet={"row": {"field": "case", "type": "nominal", "sort": cases, "header": heads}},
        spec=inner,
        spacing=10,
        resolve={"scale": {"y": "independent"}},
    )


def timed_rows(stored: Stored) -> list[Stored]:
    """The comparisons by time of derlib itself with a peer, not of one of its ways with another."""
    timed = {one["case"] for one in stored["measurements"] if one["kind"] == "time"}
    rows = [row for row in stored["rows"] if row["work"] in timed and row.get("side", DERLIB) == DERLIB]
    return [row for row in rows if row["ours"] and row["theirs"] and row["ours"]["quartiles"][0]]


def times_of_derlib(rows: list[Stored]) -> list[Spec]:
    """How many times derlib's median the others' are, with the range of both halves."""
    values: list[Spec] = []
    for row in rows:
        ours, theirs = row["ours"], row["theirs"]
        values.append(
            {
                "case": wrapped(row["work"], NAME_LETTERS),
                "peer": row["peer"],
                "times": theirs["median"] / ours["median"],
                "low": theirs["quartiles"][0] / ours["quartiles"][1],
                "high": theirs["quartiles"][1] / ours["quartiles"][0],
            }
        )
    return values


def beside(stored: Stored) -> Spec | None:
    """The comparisons of a family by time: a dot for each peer, right of the line if it takes longer than derlib.

    Of more peers than can be told apart, those of which something was wanted; None if these are too many as well.
    """
    rows = timed_rows(stored)
    if len({row["peer"] for row in rows}) > len(SERIES):
        rows = [row for row in rows if wanted(row)]
    peers = list(dict.fromkeys(row["peer"] for row in rows))
    if not 0 < len(peers) <= len(SERIES):
        return None
    values = times_of_derlib(rows)
    bounds = [bound for value in values for bound in (value["low"], value["high"])]
    first = math.floor(math.log10(min(*bounds, 1)))
    last = max(1, math.ceil(math.log10(max(bounds))))
    scale = {"type": "log", "domain": [10.0**first, 10.0**last], "nice": False}
    lines = 1 + max(value["case"].count("\n") for value in values)
    across = {"field": "times", "type": "quantitative", "scale": scale}
    title = "times as long as derlib, logarithmic"
    names = {"labelExpr": LINES.format("datum.label"), "labelLimit": 260, "labelPadding": 5, "ticks": False}
    # Lines between the cases; and the middle of a name, not its first line, beside the middle of its dots.
    usual = statistics.mode(value["case"].count("\n") for value in values)
    names |= {"grid": True, "tickBand": "extent", "labelOffset": -7 * usual}
    apart = {"field": "peer", "type": "nominal", "sort": None}
    return spec(
        data={"values": values},
        width=WIDTH,
        height={"step": max(10 + 15 * lines, 9 * len(peers)), "for": "position"},
        encoding={"y": {"field": "case", "type": "nominal", "sort": None, "title": None, "axis": names}},
        layer=[
            {
                "data": {"values": [{"times": 1}]},
                "mark": {"type": "rule", "color": OURS, "strokeWidth": 2},
                "encoding": {"x": {**across, "axis": {**powers(first, last), "title": title}}, "y": None},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1.6},
                "encoding": {
                    "x": {**across, "field": "low"},
                    "x2": {"field": "high"},
                    "yOffset": apart,
                    **series("peer", peers, shape=False),
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": {"x": across, "yOffset": apart, **series("peer", peers)},
            },
        ],
    )


def series(field: str, names: list[str], *, shape: bool = True) -> Spec:
    """The colours of series, and their shapes: either alone tells them apart."""
    colours = [SERIES[index % len(SERIES)] for index in range(len(names))]
    # With more names than colours the shapes go on, so that each pair is there once.
    shapes = [SHAPES[(index + index // len(SERIES)) % len(SHAPES)] for index in range(len(names))]
    legend = {"orient": "bottom", "columns": 1, "title": None}
    common = {"field": field, "type": "nominal"}
    found: Spec = {"color": {**common, "scale": {"domain": names, "range": colours}, "legend": legend}}
    if shape:
        found["shape"] = {**common, "scale": {"domain": names, "range": shapes}, "legend": legend}
    return found


def growth(scalings: Iterable[Stored]) -> Spec | None:
    """Costs by size on two logarithmic axes: what was measured as points, and the power that fits them as a line."""
    shown = list(scalings)
    points: list[Spec] = []
    fits: list[Spec] = []
    several = len({one["side"] for one in shown}) > 1
    for one in shown:
        # On a logarithmic axis there is no place for nothing.
        sound = [each for each in one["points"] if each["figures"] and each["figures"]["median"] > 0]
        if not sound:
            continue
        fitted = one["exponent"]
        name = one["side"] if several else one["work"]
        name += ": no exponent" if fitted is None else f": exponent {fitted:.2f}"
        for each in sound:
            low, high = each["figures"]["quartiles"]
            middle = each["figures"]["median"]
            bounds = {"low": low if low > 0 else middle, "high": high}
            points.append({"series": name, "size": each["size"], "cost": middle, **bounds})
        if fitted is not None:
            fits += [{"series": name, "size": size, "cost": cost} for size, cost in fitted_line(sound, fitted)]
    if not points:
        return None
    names = list(dict.fromkeys(point["series"] for point in points))
    sizes = [point["size"] for point in points]
    costs = [bound for point in points for bound in (point["low"], point["high"])]
    unit = next(each["figures"]["unit"] for one in shown for each in one["points"] if each["figures"])
    kind = KINDS.get(shown[0]["kind"], "figure")
    ends = [min(sizes) / 1.3, max(sizes) * 1.3]
    right = {
        "field": "size",
        "type": "quantitative",
        "scale": {"type": "log", "domain": ends, "nice": False},
        "axis": {"values": sorted(set(sizes)), "format": ",", "labelOverlap": True, "title": "size, logarithmic"},
    }
    up = {**around_powers(costs, f"{kind}, {unit}"), "field": "cost"}
    return spec(
        data={"values": points},
        width=WIDTH + 60,
        height=270,
        layer=[
            {
                "data": {"values": fits},
                "mark": {"type": "line", "strokeWidth": 1.6},
                "encoding": {"x": right, "y": up, **series("series", names, shape=False)},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1.6},
                "encoding": {
                    "x": right,
                    "y": {**up, "field": "low"},
                    "y2": {"field": "high"},
                    **series("series", names, shape=False),
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {"x": right, "y": up, **series("series", names)},
            },
        ],
    )


def around_powers(values: list[float], title: str) -> Spec:
    """A logarithmic axis around values."""
    first = math.floor(math.log10(min(values)))
    last = max(first + 1, math.ceil(math.log10(max(values))))
    scale = {"type": "log", "domain": [10.0**first, 10.0**last], "nice": False}
    axis = {**powers(first, last), "title": f"{title}, logarithmic"}
    return {"type": "quantitative", "scale": scale, "axis": axis}


def fitted_line(points: list[Stored], exponent: float) -> list[tuple[float, float]]:
    """The ends of the power that fits best: it goes through the mean of the logarithms.

    Python 3.12 and later add floats up more exactly than those before; `fsum` gives the same ends in all.
    """
    logs = [(math.log(each["size"]), math.log(each["figures"]["median"])) for each in points]
    across = math.fsum(one for one, _ in logs) / len(logs)
    up = math.fsum(one for _, one in logs) / len(logs)
    ends = (points[0]["size"], points[-1]["size"])
    return [(size, math.exp(up + exponent * (math.log(size) - across))) for size in ends]


def growth_groups(stored: Stored) -> list[tuple[str, list[Stored]]]:
    """Which scalings stand in one chart: those of one work, or all works that one side alone does."""
    works: dict[str, list[Stored]] = {}
    for one in stored["scalings"]:
        works.setdefault(one["work"], []).append(one)
    groups: dict[str, list[Stored]] = {}
    for name, sides in works.items():
        alone = f"{KINDS.get(sides[0]['kind'], 'figures')} by size, {sides[0]['side']}"
        groups.setdefault(alone if len(sides) == 1 else f"{name}, by size", []).extend(sides)
    return list(groups.items())


def bar_groups(stored: Stored) -> list[tuple[str, list[Stored]]]:
    """Which measurements stand in one chart: those of one topic, kind and unit."""
    groups: dict[tuple[str, str, str], list[Stored]] = {}
    units = {one["case"]: one["figures"]["unit"] for one in stored["measurements"] if one["figures"]}
    for one in stored["measurements"]:
        key = (one["topic"], one["kind"], units.get(one["case"], ""))
        groups.setdefault(key, []).append(one)
    # Times are told apart by their units; the others may have a smaller one in the chart.
    named = [(topic, KINDS.get(kind, kind), unit if kind == "time" else "") for topic, kind, unit in groups]
    return [(", ".join(filter(None, name)), group) for name, group in zip(named, groups.values(), strict=True)]

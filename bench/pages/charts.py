"""The charts, as Vega-Lite specifications built from stored results. Called by report.py and bench/readme.py.

A specification is plain data and needs no library, so that a test can compare it with the chart that was drawn from it.
Colours are names, such as `var(--ours)`, which draw.py replaces.
"""

import json
import math
import statistics
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from bench.harness.declare import Case
from bench.harness.results import DERLIB, Curve, Results
from bench.harness.words import KINDS, amount, scaled

Spec = dict[str, Any]
# A chart with this width and these labels fits a phone.
WIDTH, LABELS, TITLE_LETTERS, NAME_LETTERS = 290, 190, 46, 32
SERIES = tuple(f"var(--series{number})" for number in range(7))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
INK, MUTED, GRID, OURS, OTHERS = (f"var(--{name})" for name in ("ink", "muted", "grid", "ours", "others"))
WIDE = 20
"""An axis is logarithmic if the largest figure is this many times the smallest."""
ROOM = 0.45
"""The part of an axis, in widths of the longest bar, that is added for its label."""
TICKS = 7

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
LINES = "split({}, '\\n')"


def specification(**parts: Any) -> Spec:
    """Return a specification with the common parts."""
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "config": CONFIG, **parts}


def wrapped(text: str, letters: int) -> str:
    """Break a long name into lines; the expression LINES splits them where they are drawn."""
    return "\n".join(textwrap.wrap(text, letters, break_on_hyphens=False))


def labelled(ticks: Sequence[float], labels: Sequence[str]) -> Spec:
    """Return an axis with these ticks and their labels."""
    expression = f"{json.dumps(labels, ensure_ascii=False)}[indexof({json.dumps(ticks)}, datum.value)]"
    return {"values": list(ticks), "labelExpr": expression, "labelOverlap": True}


def linear_ticks(top: float, unit: str) -> list[float]:
    """Return round ticks from 0 to the top."""
    factor, _ = scaled(unit, top)
    rough = top / factor / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough) * factor
    return [step * at for at in range(int(top / step) + 1)]


def log_ticks(first: float, top: float, base: int) -> list[float]:
    """Return powers of the base, and not too many of them."""
    powers = range(round(math.log(first, base)), math.floor(math.log(top, base) + 1e-9) + 1)
    return [float(base) ** power for power in powers[:: 1 + (len(powers) - 1) // TICKS]]


def axis_of(values: Iterable[float], unit: str, *, room: float = ROOM) -> tuple[Spec, Spec, float]:
    """Return the scale and the axis for figures, and where its bars begin."""
    positive = [value for value in values if value > 0] or [1.0]
    low, top = min(positive), max(positive)
    if room and top / low < WIDE:
        end = top * (1 + room)
        ticks = linear_ticks(end, unit)
        return {"domain": [0, end], "nice": False}, labelled(ticks, [amount(tick, unit) for tick in ticks]), 0.0
    base = 2 if unit.startswith("bytes") else 10
    first = float(base) ** math.floor(math.log(low, base) - 0.1)
    end = top * (top / first) ** room
    ticks = log_ticks(first, end, base)
    scale = {"type": "log", "base": base, "domain": [first, end], "nice": False}
    return scale, labelled(ticks, [amount(tick, unit) for tick in ticks]), first


def title_of(unit: str, kind: str, scale: Spec) -> str:
    """Return the title of an axis."""
    _, _, per = unit.partition("/")
    return KINDS[kind] + (f" per {per}" if per else "") + (", logarithmic" if scale.get("type") else "")


def bars(results: Results, cases: Iterable[Case]) -> Spec | None:
    """Return a bar for each side of each case, with the middle half of its runs; a side without figures says why.

    Sides that are not installed are left out; the tables list them.
    """
    shown = [(case, one) for case in cases for one in results.of_case(case.name) if one.failed != "missing"]
    measured = [one.figures for _, one in shown if one.figures]
    if not measured:
        return None
    kind, unit = shown[0][0].kind, measured[0].unit
    bounds = [bound for one in measured for bound in (one.median, one.quartiles[1])]
    scale, axis, base = axis_of(bounds, unit)
    values: list[Spec] = []
    for case, one in shown:
        figures = one.figures
        low, high = figures.quartiles if figures else (base, base)
        middle = figures.median if figures else base
        values.append(
            {
                "case": wrapped(case.name, TITLE_LETTERS),
                "side": wrapped(one.side, NAME_LETTERS),
                "median": max(middle, base),
                "low": max(low, base),
                "high": max(high, base),
                "words": amount(figures.median, unit) if figures else failure(one.failed),
                "ours": one.peer == DERLIB,
            }
        )
    titles = list(dict.fromkeys(value["case"] for value in values))
    across = {"field": "median", "type": "quantitative", "scale": scale}
    sides = {"field": "side", "type": "nominal", "sort": None, "title": None}
    names = {"labelExpr": LINES.format("datum.label"), "labelLimit": LABELS, "labelPadding": 5, "ticks": False}
    names["domain"] = False
    colour = {"condition": {"test": "datum.ours", "value": OURS}, "value": OTHERS}
    layers = [
        {
            "mark": {"type": "bar", "height": {"band": 0.72}},
            "encoding": {
                "x": {**across, "axis": {**axis, "title": title_of(unit, kind, scale), "grid": True}},
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
    return specification(
        data={"values": values},
        facet={"row": {"field": "case", "type": "nominal", "sort": titles, "header": heads}},
        spec=inner,
        spacing=10,
        resolve={"scale": {"y": "independent"}},
    )


FAILURES = {
    "missing": "not installed",
    "unavailable": "cannot do this",
    "raised": "raised an error",
    "died": "its process died",
    "timeout": "no answer in time",
    "differs": "returned something else",
    "input": "no input",
}


def failure(kind: str) -> str:
    """Return a short text that says why a figure is missing."""
    return FAILURES.get(kind, kind)


def ratios(results: Results, cases: Iterable[Case]) -> list[Spec]:
    """Return how many times as long as derlib the other libraries take, with the range of both middle halves.

    Only cases that begin with derlib count, and sides without a label of their own.
    """
    values: list[Spec] = []
    for case in cases:
        first, *others = case.all_sides()
        ours = results.figures(case.name, first.name)
        if case.kind != "time" or first.peer != DERLIB or not ours or not ours.quartiles[0]:
            continue
        for side in others:
            theirs = results.figures(case.name, side.name)
            if side.label or side.peer == DERLIB or not theirs:
                continue
            values.append(
                {
                    "case": wrapped(case.name, NAME_LETTERS),
                    "peer": side.peer,
                    "times": theirs.median / ours.median,
                    "low": theirs.quartiles[0] / ours.quartiles[1],
                    "high": theirs.quartiles[1] / ours.quartiles[0],
                }
            )
    return values


def dots(results: Results, cases: Iterable[Case]) -> Spec | None:
    """Return a dot for each library and case: right of the line if it takes longer than derlib.

    None if there are no figures, or more libraries than a reader can distinguish.
    """
    values = ratios(results, cases)
    peers = list(dict.fromkeys(value["peer"] for value in values))
    if not 0 < len(peers) <= len(SERIES):
        return None
    bounds = [bound for value in values for bound in (value["low"], value["high"])]
    first = math.floor(math.log10(min(*bounds, 1)))
    last = max(1, math.ceil(math.log10(max(bounds))))
    scale = {"type": "log", "domain": [10.0**first, 10.0**last], "nice": False}
    ticks = [10.0**power for power in range(first, last + 1)]
    lines = 1 + max(value["case"].count("\n") for value in values)
    across = {"field": "times", "type": "quantitative", "scale": scale}
    axis = {**labelled(ticks, [f"{tick:,g}×" for tick in ticks]), "title": "times as long as derlib, logarithmic"}
    names = {"labelExpr": LINES.format("datum.label"), "labelLimit": 260, "labelPadding": 5, "ticks": False}
    # Draw lines between the cases, and put the middle of a name, not its first line, beside the middle of its dots.
    usual = statistics.mode(value["case"].count("\n") for value in values)
    names |= {"grid": True, "tickBand": "extent", "labelOffset": -7 * usual}
    apart = {"field": "peer", "type": "nominal", "sort": None}
    return specification(
        data={"values": values},
        width=WIDTH,
        height={"step": max(10 + 15 * lines, 9 * len(peers)), "for": "position"},
        encoding={"y": {"field": "case", "type": "nominal", "sort": None, "title": None, "axis": names}},
        layer=[
            {
                "data": {"values": [{"times": 1}]},
                "mark": {"type": "rule", "color": OURS, "strokeWidth": 2},
                "encoding": {"x": {**across, "axis": axis}, "y": None},
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
    """Return the colours of series, and their shapes: either alone distinguishes them."""
    colours = [SERIES[index % len(SERIES)] for index in range(len(names))]
    # With more names than colours the shapes are shifted, so that no pair occurs twice.
    shapes = [SHAPES[(index + index // len(SERIES)) % len(SHAPES)] for index in range(len(names))]
    legend = {"orient": "bottom", "columns": 1, "title": None}
    common = {"field": field, "type": "nominal"}
    found: Spec = {"color": {**common, "scale": {"domain": names, "range": colours}, "legend": legend}}
    if shape:
        found["shape"] = {**common, "scale": {"domain": names, "range": shapes}, "legend": legend}
    return found


def growth(curves: Sequence[Curve]) -> Spec | None:
    """Return costs by size on two logarithmic axes: medians as points, and the fitted power as a line."""
    points: list[Spec] = []
    fits: list[Spec] = []
    several = len({curve.side.name for curve in curves}) > 1
    for curve in curves:
        # A logarithmic axis cannot show zero.
        positive = [(size, figures) for size, figures in curve.points if figures.median > 0]
        if not positive:
            continue
        fitted = curve.exponent
        name = curve.side.name if several else curve.growth.name
        name += ": no exponent" if fitted is None else f": exponent {fitted:.2f}"
        for size, figures in positive:
            low, high = figures.quartiles
            cost = figures.median
            points.append({"series": name, "size": size, "cost": cost, "low": low if low > 0 else cost, "high": high})
        if fitted is not None:
            ends = fitted_line([(size, figures.median) for size, figures in positive], fitted)
            fits += [{"series": name, "size": size, "cost": cost} for size, cost in ends]
    if not points:
        return None
    names = list(dict.fromkeys(point["series"] for point in points))
    sizes = sorted({point["size"] for point in points})
    unit, kind = curves[0].points[0][1].unit, curves[0].growth.kind
    right = {
        "field": "size",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [sizes[0] / 1.3, sizes[-1] * 1.3], "nice": False},
        "axis": {
            "values": sizes,
            "format": ",",
            "labelOverlap": True,
            "title": f"{curves[0].growth.unit}, logarithmic",
        },
    }
    scale, axis, _ = axis_of([point[end] for point in points for end in ("low", "high")], unit, room=0)
    axis["title"] = title_of(unit, kind, scale)
    up = {"field": "cost", "type": "quantitative", "scale": scale, "axis": axis}
    return specification(
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


def fitted_line(points: Sequence[tuple[int, float]], exponent: float) -> list[tuple[float, float]]:
    """Return the ends of the fitted power, which goes through the mean of the logarithms.

    `fsum` gives the same result in all versions of Python; `sum` is more exact since 3.12.
    """
    logs = [(math.log(size), math.log(cost)) for size, cost in points]
    across = math.fsum(one for one, _ in logs) / len(logs)
    up = math.fsum(one for _, one in logs) / len(logs)
    ends = (points[0][0], points[-1][0])
    return [(size, math.exp(up + exponent * (math.log(size) - across))) for size in ends]

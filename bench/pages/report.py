"""The report: one HTML page from the results of all families. Called by bench/__main__.py as `python -m bench report`.

The page needs nothing but itself: styles, script and charts are in it. Without JavaScript only sorting and the switch
of colours are missing. The same results give the same octets.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from bench.harness.words import in_words
from bench.pages import charts
from bench.pages.draw import COLOURS, draw, inline
from bench.pages.limits import general, of_family, quick_families
from bench.pages.results import (
    DERLIB,
    KINDS,
    VERDICTS,
    Stored,
    all_runs,
    compared,
    failure,
    failures,
    families,
    median,
    middle_half,
    number,
    tally,
    verdict,
    wanted,
    words,
    work,
)
from bench.pages.tables import Cell, Head, listed, table

HERE = Path(__file__).parent
TITLE = "derlib beside other libraries"
STYLES = {VERDICTS["aim"]: "good", VERDICTS["reach"]: "fair", VERDICTS["MISSED"]: "bad", "no figure": "bad"}
MACHINE = {
    "processor": "processor",
    "cores": "cores",
    "load": "load before the run",
    "system": "system",
    "python": "interpreter",
    "compiler": "compiler",
    "date": "date",
    "seconds": "seconds that the family took",
    "rules": "how it was timed",
}


def figure_cell(figures: Stored | None, why: str = "") -> Cell:
    """A median, or why there is none."""
    if figures is None:
        return Cell(f"no figure: {why}" if why else "", style="failed" if why else "")
    return Cell(median(figures), figures["median"])


def words_cell(row: Stored) -> Cell:
    """Which of the two takes less; sorted by how many times the other takes what derlib takes."""
    ours, theirs = row["ours"], row["theirs"]
    ratio = theirs["median"] / ours["median"] if ours and theirs and ours["median"] else None
    return Cell(in_words(row), ratio, style="words")


def bound_cell(value: float | None) -> Cell:
    """What was wanted."""
    return Cell("" if value is None else number(value), value)


def verdict_cell(row: Stored) -> Cell:
    """Whether it was kept, and whether the samples lie too far apart to say so."""
    said = verdict(row)
    if row.get("spread"):
        return Cell(f"{said}; {row['spread']}", style="warned")
    return Cell(said, style=STYLES.get(said, "plain"))


def opening(results: list[Stored], missing: list[str]) -> str:
    """What the figures do not show, whatever the family."""
    quick = quick_families(results)
    parts = []
    if quick:
        parts.append(
            f'<p class="warning">{escape(", ".join(quick))}: of a --quick run, with small inputs and few runs, '
            "which only looks whether all works. These figures show nothing at all.</p>"
        )
    parts.append(listed(general(results, missing)))
    more = "What a family does not show stands at its head, and what a library does not do beside its name."
    parts.append(f"<p>{more}</p>")
    return "\n".join(parts)


def limits(stored: Stored) -> str:
    """What a family's figures do not show."""
    sentences = list(of_family(stored))
    return f"<h3>What it does not show</h3>\n{listed(sentences)}" if sentences else ""


def summary(results: list[Stored]) -> str:
    """How many comparisons of each family kept what."""
    names = (*VERDICTS.values(), "no figure")
    heads = [Head("family"), Head("what"), *(Head(name, numbers=True) for name in names)]
    rows = []
    for stored in results:
        counts = tally([*stored["rows"], *map(as_row, stored["scalings"])])
        rows.append([stored["family"], stored["what"], *(Cell(str(counts[name]), counts[name]) for name in names)])
    return table("Comparisons of each family by what derlib kept", heads, rows)


def as_row(scaling: Stored) -> Stored:
    """A scaling with the reason why it has no exponent, as comparisons have one."""
    why = next((point["why"] for point in scaling["points"] if point["why"]), "")
    return {**scaling, "why": why if scaling["exponent"] is None else ""}


COMPARED = (
    Head("work"),
    Head("against"),
    Head(DERLIB, numbers=True),
    Head("the other", numbers=True),
    Head("in words", sorts=True),
    Head("ratio", numbers=True),
    Head("reach", numbers=True),
    Head("aim", numbers=True),
    Head("verdict"),
)


def several(rows: list[Stored]) -> bool:
    """Whether other sides stand on derlib's side of the table than the plain one."""
    return any(row.get("side", DERLIB) != DERLIB for row in rows)


def comparisons(name: str, caption: str, rows: list[Stored], *, wants: bool = True) -> str:
    """Rows of derlib beside a peer, with what was wanted or without."""
    cells: list[list[Cell | str]] = []
    for row in rows:
        why = row["why"]
        # What a row goes by may be a figure with a unit: that one stands above or below no ratio.
        value = Cell(compared(row), row["value"])
        ours = figure_cell(row["ours"], why if row["ours"] is None else "")
        theirs = figure_cell(row["theirs"], why if row["ours"] else "")
        goals = (bound_cell(row["reach"]), bound_cell(row["aim"]), verdict_cell(row)) if wants else ()
        other = f"{row['peer']} ({row['note']})" if row.get("note") else row["peer"]
        cells.append([work(row), other, ours, theirs, words_cell(row), value, *goals])
    heads = [Head("ours", numbers=True) if head.words == DERLIB and several(rows) else head for head in COMPARED]
    return table(f"{name}: {caption}", heads if wants else heads[:-3], cells)


def measurements(stored: Stored) -> str:
    """Every side of every case, with its spread."""
    heads = (
        Head("case"),
        Head("side"),
        Head("measured"),
        Head("median", numbers=True),
        Head("middle half"),
        Head("all runs"),
        Head("runs", numbers=True),
        Head("note"),
    )
    rows = []
    for one in stored["measurements"]:
        figures = one["figures"]
        runs = Cell(str(figures["runs"]), figures["runs"]) if figures else Cell("")
        spread = (middle_half(figures), all_runs(figures))
        middle = figure_cell(figures, failure(one))
        notes = "; ".join(filter(None, (one["why"], one.get("spread"), one["note"])))
        kind: str = KINDS.get(one["kind"], one["kind"])
        rows.append([one["case"], one["side"], kind, middle, *spread, runs, notes])
    return table(f"{stored['family']}: everything that was measured", heads, rows)


def failed(stored: Stored) -> str:
    """The sides without a figure, and why."""
    rows = [
        [one["case"], one["side"], Cell(failure(one), style="failed"), one["why"]]
        for one in failures(stored)
    ]
    heads = (Head("case"), Head("side"), Head("no figure"), Head("why"))
    return table(f"{stored['family']}: what has no figure", heads, rows) if rows else ""


def growths(stored: Stored) -> str:
    """Exponents, with the figures at the ends."""
    heads = (
        Head("growth of"),
        Head("side"),
        Head("smallest size"),
        Head("largest size"),
        Head("exponent", numbers=True),
        Head("reach", numbers=True),
        Head("aim", numbers=True),
        Head("verdict"),
    )
    rows = []
    for one in map(as_row, stored["scalings"]):
        ends = [
            f"{point['size']:,}: {median(point['figures']) or point['why']}"
            for point in (one["points"][0], one["points"][-1])
        ]
        fitted = one["exponent"]
        exponent = Cell("none" if fitted is None else f"{fitted:.3f}", fitted)
        wants = (bound_cell(one["reach"]), bound_cell(one["aim"]))
        rows.append([one["work"], one["side"], *ends, exponent, *wants, verdict_cell(one)])
    caption = f"{stored['family']}: how costs grow with the size; an exponent of 1 says in proportion"
    return table(caption, heads, rows) if rows else ""


def fits(stored: Stored) -> str:
    """What each of several things costs, fitted over points where their numbers differ."""
    heads = (Head("work"), Head("side"), Head("for each"), Head("cost", numbers=True), Head("why there is none"))
    rows: list[list[Cell | str]] = []
    for one in stored.get("fits", ()):
        for term, cost in (one["costs"] or {"": None}).items():
            told = Cell("" if cost is None else words(cost, one["unit"]), cost)
            rows.append([one["work"], one["side"], term, told, one["why"] if cost is None else ""])
    return table(f"{stored['family']}: costs fitted over several things", heads, rows) if rows else ""


def published(stored: Stored) -> str:
    """What others measured, apart from all that was measured here."""
    if not stored["published"]:
        return ""
    heads = (
        Head("work"),
        Head("library"),
        Head("published figure", numbers=True),
        Head("beside another of theirs"),
        Head("measured on, and source"),
    )
    known = {(one["work"], one["library"]): one["value"] for one in stored["published"]}
    rows = []
    for one in stored["published"]:
        bridge = known.get((one["work"], one.get("bridge", "")))
        ratio = f"{number(one['value'] / bridge)} of {one['bridge']}" if bridge else ""
        # As it was published: nothing is rounded.
        figure = Cell(f"{one['value']:,.12g} {one['unit']}", one["value"])
        where = "; ".join(filter(None, (one["interpreter"], one["machine"], one["source"], one["note"])))
        rows.append([one["work"], one["library"], figure, ratio, where])
    name = stored["family"]
    return (
        f'<div class="published"><h3>Published by others, not measured here</h3>\n'
        "<p>On other machines, with other interpreters and versions. No chart has them, and no "
        "ratio sets them beside figures of ours.</p>\n"
        f"{table(f'{name}: figures that others published', heads, rows)}</div>"
    )


def circumstances(stored: Stored) -> str:
    """Machine, interpreter, settings, and the versions of the peers."""
    said = stored["circumstances"]
    lines = [f"{name}: {said[key]}" for key, name in MACHINE.items() if said.get(key) is not None]
    versions = [[peer, about["version"] or "-", about["why"]] for peer, about in stored["peers"].items()]
    heads = (Head("library"), Head("version"), Head("why it is missing"))
    return listed(lines) + table(f"{stored['family']}: the libraries", heads, versions)


def drawn(spec: charts.Spec | None, title: str) -> str:
    """A chart with its title; charts too wide for a page scroll in a frame of their own."""
    if spec is None:
        return ""
    chart = inline(draw(spec, title))
    frame = f'<div class="frame" role="region" tabindex="0" aria-label="{escape(title)}">{chart}</div>'
    return f"<figure><figcaption>{escape(title)}</figcaption>{frame}</figure>"


def pictures(stored: Stored) -> Iterator[str]:
    """All charts of a family."""
    name = stored["family"]
    yield drawn(charts.beside(stored), f"{name}: other libraries' time beside derlib's, with the range of both")
    for title, group in charts.bar_groups(stored):
        yield drawn(charts.bars(group), f"{name}: {title}; median, and the middle half of the runs as a line")
    for title, group in charts.growth_groups(stored):
        points = "points are medians, lines the fitted powers"
        yield drawn(charts.growth(group), f"{name}: {title}; {points}")


def section(stored: Stored) -> str:
    """Everything about a family: what was wanted first, then charts, then the details."""
    name = stored["family"]
    aims = [row for row in stored["rows"] if wanted(row)]
    others = [row for row in stored["rows"] if not wanted(row)]
    parts = [f'<section id="{escape(name)}">', f"<h2>{escape(name)}</h2>", f"<p>{escape(stored['what'])}.</p>"]
    parts.append(limits(stored))
    if aims:
        parts.append(comparisons(name, "what was wanted of derlib, and what it kept", aims))
    charts_of_it = "".join(pictures(stored))
    parts += [growths(stored), fits(stored), f'<div class="charts">{charts_of_it}</div>' if charts_of_it else ""]
    if others:
        parts.append(comparisons(name, "for comparison only", others, wants=False))
    parts += [failed(stored), published(stored)]
    for title, body in (
        ("Everything that was measured, with its spread", measurements(stored)),
        ("Machine, interpreter, and versions of the libraries", circumstances(stored)),
    ):
        parts.append(f"<details><summary>{title}</summary>\n{body}</details>")
    return "\n".join(filter(None, [*parts, "</section>"]))


def styles() -> str:
    """The style sheet with the colours of the charts, for light and dark."""
    rules = (HERE / "page.css").read_text(encoding="utf-8")
    for index, mark in enumerate(("/* light */", "/* dark */")):
        names = "".join(f"--{name}:{both[index]};" for name, both in COLOURS.items())
        rules = rules.replace(mark, names)
    follow = "".join(f".fill-{name}{{fill:var(--{name})}}.stroke-{name}{{stroke:var(--{name})}}" for name in COLOURS)
    return rules + follow


def page(results: list[Stored], missing: list[str]) -> str:
    """The whole page."""
    script = (HERE / "page.js").read_text(encoding="utf-8")
    contents = "".join(f'<a href="#{escape(one["family"])}">{escape(one["family"])}</a>' for one in results)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{TITLE}</title>
<style>
{styles()}
</style>
</head>
<body>
<header>
<h1>{TITLE}</h1>
<label id="colours" hidden>colours <select><option value="">as the system</option><option>light</option>\
<option>dark</option></select></label>
</header>
<main>
<section id="limits">
<h2>What these figures do not show</h2>
{opening(results, missing)}
</section>
<section id="summary">
<h2>Summary</h2>
<nav aria-label="families">{contents}</nav>
<p>"In words" says which of the two takes less. A ratio is derlib's median divided by the other's; the reach is what it
must keep to, the aim what was hoped for. Where a row names no better one, derlib stands beside itself or beside plain
Python, as a yardstick. A click on the head of a column sorts by it.</p>
{summary(results)}
</section>
{chr(10).join(map(section, results))}
</main>
<script>
{script}
</script>
</body>
</html>
"""


def write(place: Path, out: Path, known: list[str]) -> Path:
    """Make the page of the results in a folder; `known` are the families that there could be.

    Raises:
        ValueError: there are no results.
        ImportError: the library that draws is not installed.
    """
    results = families(place)
    present = {stored["family"] for stored in results}
    text = page(results, [name for name in known if name not in present])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    return out

"""The report: one HTML page with the results of all families. Called by bench/__main__.py as `python -m bench report`.

The page needs no other file: styles, script and charts are in it. Without JavaScript its tables cannot be sorted. The
same results give the same bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from bench import families
from bench.harness.console import middle_half
from bench.harness.declare import Case, Family
from bench.harness.results import Curve, Results, curves, load_all, rows
from bench.harness.words import KINDS, amount, times
from bench.pages import charts
from bench.pages.draw import COLOURS, draw, inline

HERE = Path(__file__).parent
TITLE = "derlib and other libraries"
Run = tuple[Family, Results]


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and the number that its column is sorted by."""

    text: str
    value: float | None = None


Row = Sequence[Cell | str]


def html_cell(given: Cell | str, *, number: bool, first: bool) -> str:
    """Return a cell; the first of a row is its header."""
    one = given if isinstance(given, Cell) else Cell(given)
    name = 'th scope="row"' if first else "td"
    marks = ' class="number"' if number else ""
    if one.value is not None:
        marks += f' data-value="{one.value!r}"'
    return f"<{name}{marks}>{escape(one.text)}</{name[:2]}>"


def table(caption: str, heads: Sequence[str], rows: Iterable[Row], numbers: Sequence[str] = ()) -> str:
    """Return a table that the script makes sortable; a wide one scrolls in its own frame.

    `numbers` are the heads of the columns that are sorted by number.
    """
    columns = "".join(
        f'<th scope="col"{" class=number data-numbers" * (head in numbers)}>{escape(head)}</th>' for head in heads
    )
    lines = []
    for row in rows:
        cells = zip(row, heads, strict=True)
        made = (html_cell(one, number=head in numbers, first=not at) for at, (one, head) in enumerate(cells))
        lines.append(f"<tr>{''.join(made)}</tr>")
    label, body = escape(caption), "\n".join(lines)
    return (
        f'<div class="frame" role="region" tabindex="0" aria-label="{label}"><table>'
        f"<caption><span>{label}</span></caption>\n<thead><tr>{columns}</tr></thead>\n<tbody>\n{body}\n</tbody>"
        "</table></div>"
    )


def case_rows(results: Results, cases: Iterable[Case]) -> Iterator[Row]:
    """Yield every side of some cases beside the first of its case."""
    for row in rows(cases, results):
        measured, figures = row.measurement, row.measurement.figures
        names = row.case.name, row.side.name
        note = "; ".join(filter(None, (measured.why, row.side.note)))
        if figures is None:
            yield *names, f"no figure: {charts.failure(measured.failed)}", "", "", "", note
            continue
        median = Cell(amount(figures.median, figures.unit), figures.median)
        ratio = times(figures.median, row.first.median, row.case.kind) if row.first else ""
        relative = Cell(ratio, figures.median / row.first.median if ratio and row.first else None)
        yield *names, median, relative, middle_half(figures), Cell(str(figures.runs), figures.runs), note


CASE_HEADS = ("case", "side", "median", "relative to the first", "middle half of the runs", "runs", "note")
CASE_NUMBERS = ("median", "relative to the first", "runs")


def heading(text: str) -> str:
    """Return the text with a capital letter at the start."""
    return text[:1].upper() + text[1:]


def case_tables(run: Run) -> Iterator[str]:
    """Yield a table for each topic."""
    family, results = run
    for topic in dict.fromkeys(case.topic for case in family.cases):
        made = list(case_rows(results, (case for case in family.cases if case.topic == topic)))
        if made:
            yield table(heading(topic), CASE_HEADS, made, CASE_NUMBERS)


def growth_table(run: Run) -> str:
    """Return the exponents, with the figures at the smallest and the largest size."""
    made: list[Row] = []
    for curve in curves(*run):
        unit = curve.growth.unit
        ends = [f"{size:,} {unit}: {amount(one.median, one.unit)}" for size, one in (curve.points[0], curve.points[-1])]
        exponent = Cell("" if curve.exponent is None else f"{curve.exponent:.3f}", curve.exponent)
        made.append((curve.growth.name, curve.side.name, *ends, exponent))
    heads = ("growth", "side", "smallest size", "largest size", "exponent")
    caption = "Growth with the size; an exponent of 1 means proportional to the size"
    return table(caption, heads, made, ("exponent",)) if made else ""


def drawn(spec: charts.Spec | None, title: str) -> str:
    """Return a chart with its title; a chart that is too wide for a page scrolls in its own frame."""
    if spec is None:
        return ""
    title = heading(title)
    label, chart = escape(title), inline(draw(spec, title))
    frame = f'<div class="frame" role="region" tabindex="0" aria-label="{label}">{chart}</div>'
    return f"<figure><figcaption>{label}</figcaption>{frame}</figure>"


def bar_groups(run: Run) -> list[tuple[str, list[Case]]]:
    """Return the cases of each topic, kind and unit with their topic: each group is one chart."""
    family, results = run
    groups: dict[tuple[str, str, str], list[Case]] = {}
    for case in family.cases:
        units = [one.figures.unit for one in results.of_case(case.name) if one.figures]
        if units:
            groups.setdefault((case.topic, case.kind, units[0]), []).append(case)
    return [(topic, cases) for (topic, _, _), cases in groups.items()]


def growth_groups(run: Run) -> dict[str, list[Curve]]:
    """Return the curves of each chart: those of one growth, or all growths of one kind that have a single side."""
    groups: dict[str, list[Curve]] = {}
    for growth, found in groupby(curves(*run), lambda curve: curve.growth):
        several = list(found)
        alone = f"{KINDS[growth.kind]} of {several[0].side.name} by size"
        title = f"{growth.name}, by size" if len(several) > 1 else alone
        groups.setdefault(title, []).extend(several)
    return groups


def pictures(run: Run) -> Iterator[str]:
    """Yield all charts of a family."""
    family, results = run
    yield drawn(charts.dots(results, family.cases), "time of the other libraries relative to derlib")
    for title, cases in bar_groups(run):
        yield drawn(charts.bars(results, cases), title)
    for title, found in growth_groups(run).items():
        yield drawn(charts.growth(found), title)


def section(run: Run) -> str:
    """Return the charts and tables of a family."""
    family, _ = run
    tables = [*case_tables(run), growth_table(run)]
    parts = (
        f'<section id="{escape(family.name)}">',
        f"<h2>{escape(heading(family.what))}</h2>",
        f'<div class="charts">{"".join(pictures(run))}</div>',
        f"<details><summary>Tables</summary>\n{''.join(tables)}</details>",
        "</section>",
    )
    return "\n".join(parts)


READING = (
    "Bars and dots are medians; the thin lines show the middle half of the runs.",
    "A case is a task. Its sides are libraries, or different ways to use one. They run in turn, each library in a "
    "process of its own, and are timed only after their results have been compared.",
    "Each side repeats one operation on the same bytes, with the garbage collector off; the start of a program is "
    "not measured.",
)


def notes(runs: list[Run]) -> str:
    """Return how the figures were measured, and what to consider when reading them."""
    sentences = [*READING, *(f"{family.name}: {caveat}" for family, _ in runs for caveat in family.caveats)]
    listed = "\n".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    keys = ("date", "processor", "cores", "load", "system", "python", "compiler")
    machines = [[family.name, *(str(results.conditions.get(key, "")) for key in keys)] for family, results in runs]
    versions = {peer: version for _, results in runs for peer, version in results.peers.items()}
    libraries = table("Libraries", ("library", "version"), sorted(versions.items()))
    return f"<ul>\n{listed}\n</ul>\n{table('Runs', ('family', *keys), machines)}\n{libraries}"


def styles() -> str:
    """Return the style sheet with the colours of the charts, light and dark."""
    rules = (HERE / "page.css").read_text(encoding="utf-8")
    for index, mark in enumerate(("/* light */", "/* dark */")):
        rules = rules.replace(mark, "".join(f"--{name}:{both[index]};" for name, both in COLOURS.items()))
    classes = (f".fill-{name}{{fill:var(--{name})}}.stroke-{name}{{stroke:var(--{name})}}" for name in COLOURS)
    return rules + "".join(classes)


def page(runs: list[Run]) -> str:
    """Return the page."""
    script = (HERE / "page.js").read_text(encoding="utf-8")
    contents = "".join(f'<a href="#{escape(family.name)}">{escape(family.name)}</a>' for family, _ in runs)
    quick = ", ".join(family.name for family, results in runs if results.quick)
    warning = f'<p class="warning">From a --quick run, whose figures mean nothing: {escape(quick)}</p>' * bool(quick)
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
<nav aria-label="families">{contents}<a href="#notes">notes</a></nav>
</header>
<main>
{warning}
{chr(10).join(map(section, runs))}
<section id="notes">
<h2>Notes</h2>
{notes(runs)}
</section>
</main>
<script>
{script}
</script>
</body>
</html>
"""


def write(folder: Path, out: Path) -> Path:
    """Write the page of the results in a folder.

    Raises:
        ValueError: there are no results.
        ImportError: the library that draws is not installed.
    """
    found = load_all(folder)
    text = page([(families.load(name), found[name]) for name in families.names() if name in found])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    return out

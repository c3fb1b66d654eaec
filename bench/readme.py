"""Write the measured figures into README.md and the pages of docs/: `python -m bench.readme`.

The figures come from docs/figures/FAMILY.json, which `python -m bench --out docs/figures` writes. A page has blocks
between a line `<!-- figures NAME -->` and a line `<!-- /figures -->`. NAME is a family, whose charts and table
bench/pages/chosen.py selects; "readme", for the chart and the table of the README; "landing", for the chart and the
figures of docs/index.md; or "machine", for where the figures come from. The rest of a page stays as it is. The charts
are drawn into docs/figures/, too.

Tests call `page_with_figures` and `stale_charts`, and fail when a page or a chart does not match the stored figures. A
chart contains the digest of its specification, so that the check needs no library that draws.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bench import families
from bench.harness.results import Figures, Results, load
from bench.harness.words import amount, times
from bench.pages.charts import Spec
from bench.pages.chosen import CHARTS, LANDING, README, TABLES, TOP, Chart, Table
from bench.pages.draw import digest, digest_in, draw, standalone
from bench.paths import FIGURES, ROOT

BLOCK = re.compile(r"(<!-- figures (\w+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
PAGES = sorted(
    page for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")) if BLOCK.search(page.read_text("utf-8"))
)
Row = tuple[str, ...]


@cache
def stored(family: str) -> Results:
    """Return the stored results of a family.

    Raises:
        ValueError: they are from a quick run.
    """
    results = load(FIGURES / f"{family}.json")
    assert results
    if results.quick:
        raise ValueError(f"{family}: these figures are from a --quick run and mean nothing; measure again without it")
    return results


def specification(chart: Chart) -> Spec | None:
    """Return the specification of a chart, if there are figures for it."""
    if not (FIGURES / f"{chart.family}.json").exists():
        return None
    return chart.make(families.load(chart.family), stored(chart.family))


def stale_charts() -> dict[Path, tuple[Chart, Spec] | None]:
    """Return the files of charts that do not match the stored figures; None for those that should not exist."""
    stale: dict[Path, tuple[Chart, Spec] | None] = {}
    for chart in CHARTS:
        path, spec = FIGURES / f"{chart.name}.svg", specification(chart)
        if spec is None:
            if path.exists():
                stale[path] = None
        elif not path.exists() or digest_in(path.read_text(encoding="utf-8")) != digest(spec):
            stale[path] = chart, spec
    return stale


def table(rows: list[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table; the first row is its head."""
    for row in (rows[0], tuple("---" for _ in rows[0]), *rows[1:]):
        yield f"| {' | '.join(row)} |"
    yield ""


def cell(figures: Figures | None) -> str:
    """Return a median with its unit."""
    return amount(figures.median, figures.unit) if figures else "-"


def listing(chosen: Table, results: Results) -> list[Row]:
    """Return a row for each case: its first side, and the others with their ratio to the first."""
    firsts = {case.all_sides()[0].name for case in chosen.rows()}
    rows: list[Row] = [("", firsts.pop() if len(firsts) == 1 else "derlib", "others")]
    for case in chosen.rows():
        first, *others = case.all_sides()
        ours = results.figures(case.name, first.name)
        cells = []
        for side in others:
            theirs = results.figures(case.name, side.name)
            if theirs is not None and ours is not None:
                ratio = times(theirs.median, ours.median, case.kind)
                cells.append(f"{side.name} {cell(theirs)}" + (f" ({ratio})" if ratio else ""))
        rows.append((case.name, cell(ours), "; ".join(cells)))
    return rows


def grid(chosen: Table, results: Results) -> list[Row]:
    """Return a row for each case and a column for each side, with the ratios to the first side."""
    rows: list[Row] = [("", "derlib", *chosen.sides)]
    for case in chosen.rows():
        ours = results.figures(case.name, case.all_sides()[0].name)
        others = (results.figures(case.name, side) for side in chosen.sides)
        ratios = (times(one.median, ours.median, case.kind) if one and ours else "-" for one in others)
        rows.append((case.name, cell(ours), *ratios))
    return rows


def image(chart: Chart, folder: Path) -> str:
    """Return the Markdown of a chart for a page in a folder."""
    return f"![{chart.title}]({Path(os.path.relpath(FIGURES, folder)).as_posix()}/{chart.name}.svg)"


def family_block(family: str, folder: Path) -> Iterator[str]:
    """Yield the charts and the table of a family."""
    yield from (image(chart, folder) for chart in CHARTS if chart.family == family and chart != TOP)
    yield ""
    chosen, results = TABLES[family], stored(family)
    yield from table((grid if chosen.sides else listing)(chosen, results))


def readme_block(folder: Path) -> Iterator[str]:
    """Yield the chart and the table of the README."""
    yield from (image(TOP, folder), "")
    rows: list[Row] = [("", "derlib", "others")]
    for words, family, case, sides in README:
        results = stored(family)
        others = "; ".join(f"{side} {cell(results.figures(case, side))}" for side in sides)
        rows.append((words, cell(results.figures(case, "derlib")), others))
    yield from table(rows)


def landing_block(folder: Path) -> Iterator[str]:
    """Yield three figures, one in each column, and the chart of the README."""
    columns: list[tuple[str, str, str]] = []
    for words, family, case, sides in LANDING:
        results = stored(family)
        others = ", ".join(f"{side} {cell(results.figures(case, side))}" for side in sides)
        columns.append((cell(results.figures(case, "derlib")), words, others))
    yield from table([*zip(*columns, strict=True)])
    yield image(TOP, folder)


def machine_block() -> Iterator[str]:
    """Yield where, when and with which versions the figures were measured."""
    # The figures of a new family are stored with the next release.
    everything = [stored(family) for family in families.names() if (FIGURES / f"{family}.json").exists()]
    keys = ("processor", "cores", "system", "python", "compiler", "date")
    conditions = (f"{key}: {', '.join(dict.fromkeys(str(one.conditions[key]) for one in everything))}" for key in keys)
    pairs = ((results, one.peer) for results in everything for one in results.measurements if one.figures)
    python = {one.conditions["python"].split()[-1] for one in everything}
    # The standard library has the version of Python, which is among the conditions.
    measured = {f"{peer} {results.peers[peer]}" for results, peer in pairs if results.peers[peer] not in python}
    yield from (f"- {'; '.join(each)}" for each in (conditions, sorted(measured)))


def block(name: str, folder: Path) -> str:
    """Return the text of a block for a page in a folder."""
    if name == "readme":
        lines = readme_block(folder)
    elif name == "landing":
        lines = landing_block(folder)
    elif name == "machine":
        lines = machine_block()
    else:
        lines = family_block(name, folder)
    return "\n".join(lines).rstrip() + "\n"


def page_with_figures(page: Path) -> str:
    """Return the text of a page with updated blocks."""

    def filled(found: re.Match[str]) -> str:
        return f"{found[1]}{block(found[2], page.parent)}{found[3]}"

    return BLOCK.sub(filled, page.read_text(encoding="utf-8"))


def main() -> None:
    """Write the pages and draw the charts that are stale."""
    for page in PAGES:
        text = page_with_figures(page)
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            print(f"{page.name}: written")
    for path, made in stale_charts().items():
        if made is None:
            path.unlink()
            print(f"{path.name}: removed")
        else:
            path.write_text(standalone(draw(made[1], made[0].title)), encoding="utf-8")
            print(f"{path.name}: drawn")


if __name__ == "__main__":
    main()

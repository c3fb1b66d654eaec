"""Put the measured figures into README.md and the pages of docs/: `python -m bench.readme [--check]`.

The figures come from docs/figures/FAMILY.json, which `python -m bench --out docs/figures` writes. A page has a block
between a line `<!-- figures FAMILY -->` and a line `<!-- /figures -->`, with all that a family gave; with `brief` after
the name, it has the comparisons alone for which something is wanted. Nothing else of a page is touched. The
charts of the family (bench/pages/chosen.py) stand above its tables, and are drawn into docs/figures/ as well.

A test calls `page_with_figures` and `stale_charts`, and fails when a page or a chart does not say what the stored
figures say. A chart has the digest of its specification in it, so that looking needs no library that draws.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.harness.report import (
    bound,
    cell,
    fit_cells,
    heading,
    judged,
    measurement_cells,
    published_cells,
    scaling_cells,
    work,
)
from bench.pages.charts import Spec
from bench.pages.chosen import CHARTS, Chart
from bench.pages.draw import digest, digest_in, draw, standalone

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures"
BLOCK = re.compile(r"(<!-- figures (\w+)( brief)? -->\n).*?(<!-- /figures -->)", re.DOTALL)
PAGES = sorted(
    page for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")) if BLOCK.search(page.read_text("utf-8"))
)
TITLES = {"decode": "Decode", "write": "Encode, pickle, look up"}
Stored = dict[str, Any]


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """A Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:], ""]


def median(figures: Stored | None) -> str:
    """A median with its unit."""
    return f"{figures['median']:.3g} {figures['unit']}" if figures else ""


def value(row: Stored) -> str:
    """What the row goes by: a ratio or a figure of its own."""
    if row["value"] is None:
        return ""
    return f"{row['value']:.2f}" if row["unit"] == "x" else f"{row['value']:.2f} {row['unit']}"


def topics(rows: list[Stored]) -> dict[str, list[Stored]]:
    """The rows under the titles of their topics, in the order in which these come."""
    found: dict[str, list[Stored]] = {}
    for row in rows:
        found.setdefault(TITLES.get(row["topic"], row["topic"].capitalize()), []).append(row)
    return found


def full_rows(rows: list[Stored]) -> list[tuple[str, ...]]:
    """Every comparison, with the spread and what was wanted."""
    made: list[tuple[str, ...]] = [("what", "against", heading(rows), "the other", "ratio", "reach", "aim", "verdict")]
    for row in rows:
        sides = (cell(row["ours"]), cell(row["theirs"]) or row["why"])
        wanted = (bound(row["reach"]), bound(row["aim"]))
        made.append((work(row), row["peer"], *sides, value(row), *wanted, judged(row)))
    return made


def brief_rows(rows: list[Stored]) -> list[tuple[str, ...]]:
    """The comparisons for which something is wanted, by their medians."""
    made: list[tuple[str, ...]] = [("what", "against", heading(rows), "the other", "ratio")]
    for row in rows:
        if row["reach"] is not None:
            ratio = value(row) if row["unit"] == "x" else ""
            made.append((work(row), row["peer"], median(row["ours"]), median(row["theirs"]), ratio))
    return made


def circumstances(stored: Stored) -> str:
    """The machine and the versions in one line."""
    left_out = ("quick", "rules", "seconds")
    said = {name: word for name, word in stored["circumstances"].items() if name not in left_out}
    said |= {name: peer["version"] for name, peer in stored["peers"].items() if peer["version"]}
    words = {name: f"{one:.2f}" if isinstance(one, float) else one for name, one in said.items()}
    return ", ".join(f"{name} {word}" for name, word in words.items())


def wanted_charts(stored: Stored) -> list[tuple[Chart, Spec]]:
    """The charts of a family for which there are figures."""
    specs = [(chart, chart.make(stored)) for chart in CHARTS if chart.family == stored["family"]]
    return [(chart, spec) for chart, spec in specs if spec is not None]


def stale_charts() -> dict[Path, tuple[Chart, Spec] | None]:
    """The files of charts that are not drawn of the stored figures; those that should not be there have no chart."""
    stale: dict[Path, tuple[Chart, Spec] | None] = {}
    known = {FIGURES / f"{chart.name}.svg" for chart in CHARTS}
    for family in sorted({chart.family for chart in CHARTS}):
        charts = wanted_charts(stored_figures(family)) if (FIGURES / f"{family}.json").exists() else []
        for chart, spec in charts:
            path = FIGURES / f"{chart.name}.svg"
            known.discard(path)
            if not path.exists() or digest_in(path.read_text(encoding="utf-8")) != digest(spec):
                stale[path] = chart, spec
    return stale | {path: None for path in sorted(known) if path.exists()}


def links(stored: Stored, folder: Path) -> list[str]:
    """The charts of a family, for a page in this folder."""
    place = Path(os.path.relpath(FIGURES, folder)).as_posix()
    return [f"![{chart.title}]({place}/{chart.name}.svg)\n" for chart, _ in wanted_charts(stored)]


def block(stored: Stored, *, full: bool, folder: Path = ROOT) -> str:
    """What stands between the marks of a page in this folder."""
    if stored["circumstances"].get("quick"):
        raise ValueError("these are figures of a --quick run, which mean little; measure again without it")
    lines = links(stored, folder)
    for title, rows in topics(stored["rows"]).items():
        cells = full_rows(rows) if full else brief_rows(rows)
        if len(cells) > 1:
            lines += [f"**{title}**", "", *table(cells)]
    others: tuple[tuple[str, Callable[[Stored], list[tuple[str, ...]]]], ...] = (
        ("How cost grows", scaling_cells),
        ("Fitted costs", fit_cells),
        ("Every side of every case", measurement_cells),
        ("Published by others, not measured here", published_cells),
    )
    for title, make in others if full else ():
        cells = make(stored)
        if len(cells) > 1:
            lines += [f"**{title}**", "", *table(cells)]
    return "\n".join([*lines, f"Measured with: {circumstances(stored)}.", ""])


def stored_figures(family: str) -> Stored:
    """The stored results of a family."""
    stored: Stored = json.loads((FIGURES / f"{family}.json").read_text(encoding="utf-8"))
    return stored


def page_with_figures(page: Path) -> str:
    """The text of a page with the blocks that the figures ask for."""

    def filled(found: re.Match[str]) -> str:
        return f"{found[1]}{block(stored_figures(found[2]), full=not found[3], folder=page.parent)}{found[4]}"

    return BLOCK.sub(filled, page.read_text(encoding="utf-8"))


def main() -> int:
    """Write pages and charts, or say which are stale."""
    parser = argparse.ArgumentParser(description="put the measured figures into the pages, and draw their charts")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something is stale")
    options = parser.parse_args()
    pages = {page: page_with_figures(page) for page in PAGES}
    stale = {page: text for page, text in pages.items() if text != page.read_text(encoding="utf-8")}
    for page, text in stale.items():
        if not options.check:
            page.write_text(text, encoding="utf-8")
        print(f"{page.name}: {'stale' if options.check else 'written'}")
    charts = stale_charts()
    for path, made in charts.items():
        if options.check:
            print(f"{path.name}: stale")
        elif made is None:
            path.unlink()
            print(f"{path.name}: removed")
        else:
            path.write_text(standalone(draw(made[1], made[0].title)), encoding="utf-8")
            print(f"{path.name}: drawn")
    return 1 if options.check and (stale or charts) else 0


if __name__ == "__main__":
    sys.exit(main())

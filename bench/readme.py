"""Put the measured figures into README.md and the pages of docs/: `python -m bench.readme [--check]`.

The figures come from docs/figures/FAMILY.json, which `python -m bench --out docs/figures` writes. A page has a block
between a line `<!-- figures FAMILY -->` and a line `<!-- /figures -->`, with all that a family gave; with `brief` after
the name, it has the comparisons alone for which something is wanted; with `chart`, the one chart that says most.
Nothing else of a page is touched. The charts of the family (bench/pages/chosen.py) stand above its tables, and are
drawn into docs/figures/ as well.

A test calls `page_with_figures` and `stale_charts`, and fails when a page or a chart does not say what the stored
figures say. A chart has the digest of its specification in it, so that looking needs no library that draws.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.pages.charts import Spec
from bench.pages.chosen import CHARTS, OF_PAGES, TOP, Chart
from bench.pages.draw import digest, digest_in, draw, standalone
from bench.pages.markdown import sections
from bench.places import FIGURES, ROOT

BLOCK = re.compile(r"(<!-- figures (\w+)( brief| chart)? -->\n).*?(<!-- /figures -->)", re.DOTALL)
PAGES = sorted(
    page for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")) if BLOCK.search(page.read_text("utf-8"))
)
Stored = dict[str, Any]


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


def links(stored: Stored, folder: Path, which: Sequence[Chart]) -> list[str]:
    """Charts of a family, for a page in this folder."""
    place = Path(os.path.relpath(FIGURES, folder)).as_posix()
    return [f"![{chart.title}]({place}/{chart.name}.svg)\n" for chart, _ in wanted_charts(stored) if chart in which]


def block(stored: Stored, form: str = "full", folder: Path = ROOT) -> str:
    """What stands between the marks of a page in this folder: "full", "brief" or "chart"."""
    if stored["circumstances"].get("quick"):
        raise ValueError("these are figures of a --quick run, which mean little; measure again without it")
    if form == "chart":
        page = Path(os.path.relpath(ROOT / "docs" / "benchmark.md", folder)).as_posix()
        return "\n".join(f"{one}\n[How this was measured]({page})\n" for one in links(stored, folder, TOP))
    lines = links(stored, folder, OF_PAGES) if form == "full" else []
    return "\n".join([*lines, *sections(stored, full=form == "full"), f"Measured with: {circumstances(stored)}.", ""])


def stored_figures(family: str) -> Stored:
    """The stored results of a family."""
    stored: Stored = json.loads((FIGURES / f"{family}.json").read_text(encoding="utf-8"))
    return stored


def page_with_figures(page: Path) -> str:
    """The text of a page with the blocks that the figures ask for."""

    def filled(found: re.Match[str]) -> str:
        form = (found[3] or "full").strip()
        return f"{found[1]}{block(stored_figures(found[2]), form, page.parent)}{found[4]}"

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

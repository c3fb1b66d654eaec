"""Put the measured figures into README.md and docs/benchmark.md: `python -m bench.readme [--check]`.

The figures come from docs/figures/crl.json, which `python -m bench.crl --json docs/figures/crl.json` writes. Each page
has a block, with a table for each topic, between two `<!-- figures -->` lines; nothing else of it is touched. A test
calls `page_with_figures` and fails when a page does not say what the stored figures say.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures" / "crl.json"
MARK = "<!-- figures -->"
# Each page, and whether it has the wanted figures and every row, or the measured ones only.
PAGES = {ROOT / "README.md": False, ROOT / "docs" / "benchmark.md": True}


def table(rows: list[tuple[str, ...]]) -> list[str]:
    """A Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:]]


def figure(measured: dict[str, Any] | None, *, spread: bool) -> str:
    """A median with its unit, and from where to where the runs went."""
    if measured is None:
        return ""
    samples = measured["samples"]
    text = f"{statistics.median(samples):.3g} {measured['unit']}"
    return f"{text} ({min(samples):.3g} to {max(samples):.3g})" if spread else text


TITLES = {"decode": "Decode", "write": "Encode, pickle, look up"}


def value(row: dict[str, Any]) -> str:
    """What the row goes by: a ratio or a figure of its own."""
    return f"{row['value']:.2f}" if row["unit"] == "x" else f"{row['value']:.2f} {row['unit']}"


def circumstances(stored: dict[str, Any]) -> str:
    """The machine and the versions in one line."""
    said = {**stored["circumstances"], **stored["circumstances"]["versions"]}
    words = {name: f"{one:.2f}" if isinstance(one, float) else one for name, one in said.items()}
    return ", ".join(f"{name} {word}" for name, word in words.items() if name not in ("quick", "versions"))


def block(stored: dict[str, Any], *, full: bool) -> str:
    """What stands between the marks of a page."""
    if stored["circumstances"].get("quick"):
        raise ValueError("these are figures of a --quick run, which mean little; measure again without it")
    lines: list[str] = []
    for topic, title in TITLES.items():
        rows = [row for row in stored["rows"] if row["topic"] == topic]
        lines += [f"**{title}**", "", *table(cells_of(rows, full=full)), ""]
    return "\n".join([*lines, f"Measured with: {circumstances(stored)}."])


def cells_of(rows: list[dict[str, Any]], *, full: bool) -> list[tuple[str, ...]]:
    """The head and the rows of one table; those without wanted figures only where all are wanted."""
    head = ("what", "against", "derlib", "the other", "ratio")
    made: list[tuple[str, ...]] = [(*head, "reach", "aim", "verdict") if full else head]
    for row in rows:
        if row["reach"] is None and not full:
            continue
        cells = (
            row["work"],
            row["peer"],
            figure(row["ours"], spread=full),
            figure(row["theirs"], spread=full),
            value(row) if row["unit"] == "x" or full else "",
        )
        wanted = tuple("" if row[key] is None else f"{row[key]:.5g}" for key in ("reach", "aim"))
        made.append((*cells, *wanted, row["verdict"]) if full else cells)
    return made


def page_with_figures(page: Path, stored: dict[str, Any]) -> str:
    """The text of a page with the block that the figures ask for."""
    parts = page.read_text(encoding="utf-8").split(MARK)
    if len(parts) != 3:
        raise ValueError(f"{page.name} has {len(parts) - 1} lines {MARK}, not 2")
    return f"{parts[0]}{MARK}\n{block(stored, full=PAGES[page])}\n{MARK}{parts[2]}"


def main() -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description="put the measured figures into the pages")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is stale")
    options = parser.parse_args()
    stored = json.loads(FIGURES.read_text(encoding="utf-8"))
    pages = {page: page_with_figures(page, stored) for page in PAGES}
    stale = {page: text for page, text in pages.items() if text != page.read_text(encoding="utf-8")}
    for page, text in stale.items():
        if not options.check:
            page.write_text(text, encoding="utf-8")
        print(f"{page.name}: {'stale' if options.check else 'written'}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

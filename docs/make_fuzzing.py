"""Put the sums of docs/figures/fuzzing.json into docs/fuzzing.md: `python -m docs.make_fuzzing`.

The file is what `.ci/fuzz` recorded, run by run (`tests/fuzz/record.py`). A test fails where the page says another
thing.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("fuzzing.md")
RECORD = PAGE.parent / "figures" / "fuzzing.json"
COMMAND = "python -m docs.make_fuzzing"
BLOCK = re.compile(r"(<!-- record -->\n).*?(<!-- /record -->)", re.DOTALL)


def table(record: dict[str, list[dict[str, Any]]]) -> str:
    """A line a target: sums over all runs, edges of the newest, and the cores that were fuzzed."""
    if not record:
        return "No run is recorded yet.\n"
    lines = [
        "| target | hours | inputs | edges | findings | last run | cores |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for target, rows in sorted(record.items()):
        seconds, executed, findings = (sum(row[name] for row in rows) for name in ("seconds", "executed", "findings"))
        newest = max(rows, key=lambda row: row["date"])
        lines.append(
            f"| `{target}` | {seconds / 3600:.2f} | {executed:,} | {newest['edges']:,} | {findings} "
            f"| {newest['date']} | {len({row['core'] for row in rows})} |"
        )
    return "\n".join(lines) + "\n"


def render(text: str, record: dict[str, list[dict[str, Any]]]) -> str:
    """The page with the table of a record."""
    return BLOCK.sub(lambda match: f"{match[1]}{table(record)}{match[2]}", text)


def main() -> int:
    """Write the page."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

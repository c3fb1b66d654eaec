"""Put docs/figures/coverage.json into CONTRIBUTING.md: `python -m docs.make_coverage`.

The file is what `make coverage` counted when it last held (`tests/lines/__main__.py`). A test fails where the page
says another thing.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from tests.lines.gaps import REASONS

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
RECORD = Path(__file__).parent / "figures" / "coverage.json"
COMMAND = "python -m docs.make_coverage"
BLOCK = re.compile(r"(<!-- coverage -->\n).*?(<!-- /coverage -->)", re.DOTALL)


def tables(record: dict[str, Any]) -> str:
    """What was run of each part of the package, and why the rest was not."""
    if not record:
        return "No run is recorded yet.\n"
    lines = [
        f"`make coverage` of {record['date']}, CPython {record['python']}:",
        "",
        "| part | files | lines | run | of a hundred |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, part in record["parts"].items():
        share = 100 * part["run"] / part["lines"]
        lines.append(f"| {name} | {part['files']} | {part['lines']:,} | {part['run']:,} | {share:.2f} |")
    lines += ["", "| lines not run | why |", "| --- | --- |"]
    for name, count in sorted(record["gaps"].items(), key=lambda each: -each[1]):
        lines.append(f"| {count} | {REASONS[name].why} |")
    return "\n".join(lines) + "\n"


def render(text: str, record: dict[str, Any]) -> str:
    """The page with the tables of a record."""
    return BLOCK.sub(lambda match: f"{match[1]}{tables(record)}{match[2]}", text)


def main() -> int:
    """Write the page."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

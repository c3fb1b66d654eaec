"""Put docs/figures/coverage.json into CONTRIBUTING.md: `python -m docs.make_coverage`.

The file is what `make coverage` counted when it last held (`tests/lines/__main__.py`). A test fails where the page
says another thing.
"""

from __future__ import annotations

from typing import Any

from docs.recorded import ROOT, Recorded
from tests.lines.gaps import REASONS

COMMAND = "python -m docs.make_coverage"


def tables(record: dict[str, Any]) -> str:
    """What was run of each part of the package, and why the rest was not."""
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


RECORDED = Recorded(ROOT / "CONTRIBUTING.md", ROOT / "docs" / "figures" / "coverage.json", "coverage", tables)

if __name__ == "__main__":
    RECORDED.write()

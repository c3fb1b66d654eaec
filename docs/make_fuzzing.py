"""Put the sums of docs/figures/fuzzing.json into docs/fuzzing.md: `python -m docs.make_fuzzing`.

The file is what `.ci/fuzz` recorded, run by run (`tests/fuzz/record.py`). A test fails where the page says another
thing.
"""

from __future__ import annotations

from typing import Any

from docs.recorded import ROOT, Recorded

COMMAND = "python -m docs.make_fuzzing"


def table(record: dict[str, list[dict[str, Any]]]) -> str:
    """A line a target: sums over all runs, edges of the newest, and the cores that were fuzzed."""
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


RECORDED = Recorded(ROOT / "docs" / "fuzzing.md", ROOT / "docs" / "figures" / "fuzzing.json", "record", table)

if __name__ == "__main__":
    RECORDED.write()

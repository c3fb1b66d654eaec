"""What fuzzing was really done, added up: `.ci/fuzz` calls it after a guided run where FUZZ_RECORD names a file.

    python -m fuzz.record FINDINGS FILE TARGET ...      FINDINGS has the logs of libFuzzer, from the project's folder

A row of the file is what one core took on one day: seconds, inputs, edges, findings. Seconds are those that libFuzzer
says at the end of a run without a finding; a run that ended with one, or was interrupted, counts its inputs and no
time.

A core is named by git's tree of it, `git rev-parse COMMIT:derlib/core`, which stays the same where commits are moved.
One that is not committed is not recorded, for nobody could say later what was fuzzed.
"""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

CORE = ("derlib/core", "derlib/_core.pyx")
Row = dict[str, Any]


def last_number(pattern: str, log: str) -> int:
    """The number that the last match of `pattern` has, or 0."""
    found = re.findall(pattern, log)
    return int(found[-1]) if found else 0


def run_of(log: str) -> Row:
    """What the log of one run says."""
    ended = re.search(r"^Done \d+ runs in (\d+) second", log, re.MULTILINE)
    interrupted = re.search(r"libFuzzer: run interrupted", log)
    return {
        "seconds": int(ended[1]) if ended else 0,
        "executed": last_number(r"stat::number_of_executed_units:\s*(\d+)", log) or last_number(r"(?m)^#(\d+)\s", log),
        "edges": last_number(r" cov: (\d+)", log),
        "findings": 0 if ended or interrupted else 1,
    }


def added(record: dict[str, list[Row]], target: str, row: Row) -> dict[str, list[Row]]:
    """The record with a run in it; runs of one core on one day are one row."""
    rows = [dict(one) for one in record.get(target, [])]
    same = next((one for one in rows if (one["date"], one["core"]) == (row["date"], row["core"])), None)
    if same is None:
        rows.append(row)
    else:
        for name in ("seconds", "executed", "findings"):
            same[name] += row[name]
        same["edges"] = max(same["edges"], row["edges"])
    return {**record, target: sorted(rows, key=lambda one: (one["date"], one["core"]))}


def core_tree() -> str | None:
    """The tree of the core, None where what stands there is not committed."""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout.strip()

    try:
        return None if git("status", "--porcelain", "--", *CORE) else git("rev-parse", f"HEAD:{CORE[0]}")[:12]
    except (OSError, subprocess.CalledProcessError):
        return None


def main() -> int:
    """Add the runs whose logs are in a folder to a file."""
    findings, file, *targets = sys.argv[1:]
    core = core_tree()
    if core is None:
        print("not recorded: the core is not committed", file=sys.stderr)
        return 1
    path = Path(file)
    record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    for target in targets:
        log = (Path(findings) / f"{target}.log").read_text(encoding="utf-8", errors="replace")
        row = run_of(log)
        if row["executed"]:
            record = added(record, target, {"date": today, "core": core, **row})
    path.write_text(json.dumps(dict(sorted(record.items())), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

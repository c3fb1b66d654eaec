"""What `.ci/coverage` calls when the suite has run: `python -m tests.lines [RECORD]`, in the tree that was measured.

Prints the lines that no test ran, and for what reason. Ends with an error where one has none in `gaps.py`, where a
reason names a line that is gone or that was run, and where less of a file was run than must be. When all holds, what
was counted is written to RECORD, `docs/figures/coverage.json`.
"""

from __future__ import annotations

import datetime
import json
import platform
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import coverage

from .gaps import GAPS, REASONS
from .plugin import ROOT, CoreLines

# Of each part of the package so many lines of a hundred must be run, whatever the reasons are.
LEAST = {"Python": 99.0, "core": 99.0}
Lines = dict[str, dict[int, str]]


def measured() -> tuple[dict[str, int], Lines]:
    """How many lines of each file can be run, and which of them were not."""
    data = coverage.Coverage()
    data.load()
    counts, missed = {}, {}
    for file in sorted(data.get_data().measured_files()):
        name = Path(file).relative_to(ROOT).as_posix()
        _, lines, _, missing, _ = data.analysis2(file)
        text = Path(file).read_text(encoding="utf-8").splitlines()
        counts[name] = len(lines)
        missed[name] = {number: text[number - 1].strip() for number in missing}
    for name, code in CoreLines().code().items():
        if name not in counts and code:
            counts[name], missed[name] = len(code), {number: line.strip() for number, line in code.items()}
    return counts, missed


def explained(missed: Lines) -> tuple[dict[str, int], list[str]]:
    """How many lines each reason explains, and what is wrong with the reasons."""
    reasons = {
        (file, line): reason for reason, files in GAPS.items() for file, lines in files.items() for line in lines
    }
    used: set[tuple[str, str]] = set()
    counts: dict[str, int] = defaultdict(int)
    wrong = []
    for file, lines in missed.items():
        for number, line in lines.items():
            reason = reasons.get((file, line))
            print(f"{file}:{number}: {line}    [{reason or 'NO REASON'}]")
            if reason is None:
                wrong.append(f"{file}:{number} was not run, and no reason is given: {line}")
            else:
                used.add((file, line))
                counts[reason] += 1
    for file, line in sorted(set(reasons) - used):
        if line not in map(str.strip, (ROOT / file).read_text(encoding="utf-8").splitlines()):
            wrong.append(f"{file} has no line that is given a reason: {line}")
        elif not REASONS[reasons[file, line]].may_run:
            wrong.append(f"{file}: a test does run what is given a reason: {line}")
    return counts, wrong


def parts(counts: dict[str, int], missed: Lines) -> dict[str, dict[str, int]]:
    """The sums for Python and for the core."""
    sums: dict[str, dict[str, int]] = {}
    for file, count in counts.items():
        part = sums.setdefault("core" if file.endswith(".pxi") else "Python", {"files": 0, "lines": 0, "run": 0})
        part["files"] += 1
        part["lines"] += count
        part["run"] += count - len(missed[file])
    return sums


def main() -> int:
    """Return 0 where each line is run or has a reason, and no reason is stale."""
    counts, missed = measured()
    reasons, wrong = explained(missed)
    sums = parts(counts, missed)
    for name, part in sums.items():
        share = 100 * part["run"] / part["lines"]
        print(f"{name}: {part['run']} of {part['lines']} lines in {part['files']} files were run, {share:.2f} %")
        if share < LEAST[name]:
            wrong.append(f"of {name}, less than {LEAST[name]} % was run")
    for fault in wrong:
        print(f"derlib: {fault}", file=sys.stderr)
    if not wrong and len(sys.argv) > 1:
        record: dict[str, Any] = {
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "python": platform.python_version(),
            "parts": dict(sorted(sums.items())),
            "gaps": dict(sorted(reasons.items())),
        }
        Path(sys.argv[1]).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

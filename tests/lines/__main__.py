"""Print the lines that no test ran. `.ci/coverage` calls it after the suite, in the tree that was measured.

It fails if less than LEAST percent of the Python code or of the core ran.
"""

from __future__ import annotations

import sys
from pathlib import Path

import coverage

from .plugin import ROOT, CoreLines

LEAST = 99.0


def measured() -> dict[str, tuple[int, dict[int, str]]]:
    """Return the number of executable lines of each file, and those that did not run."""
    data = coverage.Coverage()
    data.load()
    files = {}
    for file in sorted(data.get_data().measured_files()):
        name = Path(file).relative_to(ROOT).as_posix()
        _, lines, _, missing, _ = data.analysis2(file)
        text = Path(file).read_text(encoding="utf-8").splitlines()
        files[name] = len(lines), {number: text[number - 1].strip() for number in missing}
    # The data lack a file of the core that no test reached.
    for name, code in CoreLines().code().items():
        if name not in files and code:
            files[name] = len(code), {number: line.strip() for number, line in code.items()}
    return files


def main() -> int:
    """Return 0 if enough lines ran."""
    totals = {"Python": [0, 0], "core": [0, 0]}
    for name, (count, missed) in measured().items():
        total = totals["core" if name.endswith(".pxi") else "Python"]
        total[0] += count
        total[1] += count - len(missed)
        for number, line in missed.items():
            print(f"{name}:{number}: {line}")
    for part, (count, ran) in totals.items():
        print(f"{part}: {ran} of {count} lines were run, {100 * ran / count:.2f} %")
    return 0 if all(100 * ran >= LEAST * count for count, ran in totals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

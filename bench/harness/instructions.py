"""Count the instructions of derlib's own operations: `python -m bench instructions`. Called by bench/__main__.py.

All counted operations of all families run in one process under valgrind, which is this module with the names of the
families. Each does its work once before it is counted. The counts of a commit are stored with the compiler and the
CPython that made them; with others they are not compared, for they would differ without a reason.
"""

import gc
import importlib
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from bench.harness.callgrind import between_marks
from bench.harness.declare import Family
from bench.harness.task import Task
from bench.places import FIGURES

STORED = FIGURES / "instructions.json"
MOST_PERCENT = 5
Counts = dict[str, Any]


def counted_here(families: list[str]) -> None:
    """Do each operation between two marks; this is the process that valgrind watches."""
    tasks: list[Task] = []
    for name in families:
        family: Family = importlib.import_module(f"bench.families.{name}").FAMILY
        module = importlib.import_module(family.peers["derlib"].module)
        tasks += [getattr(module, one.operation)(one.make()) for one in family.counted]
    for task in tasks:
        given = [task.setup()] if task.setup else []
        task.once()
        gc.collect()
        gc.disable()
        os.getppid()
        result = task.call(*given)
        os.getppid()
        gc.enable()
        del result


def count(families: list[Family]) -> Counts:
    """The instructions of every counted operation, with what they depend on.

    Raises:
        NoValgrind: valgrind is not installed.
    """
    chosen = [family for family in families if family.counted]
    # The inputs are made here, not under valgrind.
    names = [f"{family.name}: {one.name}" for family in chosen for one in family.counted if one.make()]
    counts = between_marks("-m", "bench.harness.instructions", *(family.name for family in chosen))
    # Every second count is what lies between two operations.
    made = counts[::2]
    if len(made) != len(names):
        raise RuntimeError(f"valgrind told {len(made)} counts of {len(names)}")
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "machine": platform.machine(),
        "instructions": dict(zip(names, made, strict=True)),
    }


def judged(old: Counts, new: Counts) -> tuple[list[str], bool]:
    """A line for each operation, and whether none takes more than it may."""
    lines, sound = [], True
    for name, after in new["instructions"].items():
        before = old["instructions"].get(name)
        if before is None:
            lines.append(f"{after:>14,}  new      {name}")
            continue
        grown = after / before - 1
        excessive = after * 100 > before * (100 + MOST_PERCENT)
        sound = sound and not excessive
        lines.append(f"{after:>14,}  {grown:+6.1%}  {name}{'  MORE THAN ALLOWED' if excessive else ''}")
    lines += [f"{'gone':>14}          {name}" for name in old["instructions"].keys() - new["instructions"].keys()]
    return lines, sound


def foreign(old: Counts, new: Counts) -> str:
    """Why two counts cannot be compared, or nothing."""
    keys = ("python", "compiler", "machine")
    differences = [f"{key} was {old[key]}, and is {new[key]}" for key in keys if old[key] != new[key]]
    if not differences:
        return ""
    return (
        f"not compared, since the stored counts are of another build: {'; '.join(differences)}. Counts depend on it. "
        "Count the base commit here first (python -m bench instructions --write --file FILE), then this one with "
        "--file FILE."
    )


def main(families: list[Family], file: Path, write: bool) -> int:
    """Count, and write or compare; 1 if an operation takes too much, 2 if there is nothing to compare with."""
    counts = count(families)
    if not write and not file.exists():
        print(f"{file} is not there; --write makes it")
        return 2
    old = counts if write else json.loads(file.read_text(encoding="utf-8"))
    if reason := foreign(old, counts):
        print(reason)
        return 2
    lines, sound = judged(old, counts)
    print("\n".join(lines))
    if write:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
        print(f"stored in {file}")
    return 0 if sound else 1


if __name__ == "__main__":
    counted_here(sys.argv[1:])

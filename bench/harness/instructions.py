"""Count the instructions of derlib's operations: `python -m bench instructions`. Called by bench/__main__.py.

All counted operations of all families run in one process under valgrind: this module, started with the names of the
families. Each does its work once before it is counted. The counts of a commit are stored with the compiler and the
CPython that produced them, and are compared only with counts of the same ones.
"""

import gc
import importlib
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from bench import families
from bench.harness.callgrind import between_marks
from bench.harness.declare import Family
from bench.harness.task import Task
from bench.paths import FIGURES

STORED = FIGURES / "instructions.json"
MOST_PERCENT = 5
Counts = dict[str, Any]


def run_counted(names: list[str]) -> None:
    """Do each operation between two marks; this is the process that valgrind watches."""
    tasks: list[Task] = []
    loaded = [families.load(name) for name in names]
    # All modules first: the open types that a module registers cost values that were decoded before another check.
    modules = [importlib.import_module(family.peers["derlib"].module) for family in loaded]
    for family, module in zip(loaded, modules, strict=True):
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


def count(measured: list[Family]) -> Counts:
    """Return the instructions of every counted operation, with the build that they depend on.

    Raises:
        NoValgrind: valgrind is not installed.
    """
    chosen = [family for family in measured if family.counted]
    # `make` creates the inputs here, not under valgrind.
    names = [f"{family.name}: {one.name}" for family in chosen for one in family.counted if one.make()]
    counts = between_marks("-m", "bench.harness.instructions", *(family.name for family in chosen))
    # Every second count is the code between two operations.
    found = counts[::2]
    if len(found) != len(names):
        raise RuntimeError(f"valgrind returned {len(found)} counts for {len(names)} operations")
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "machine": platform.machine(),
        "instructions": dict(zip(names, found, strict=True)),
    }


def compared(old: Counts, new: Counts) -> tuple[list[str], bool]:
    """Return a line for each operation, and whether every count is within the limit."""
    lines, within = [], True
    for name, after in new["instructions"].items():
        before = old["instructions"].get(name)
        if before is None:
            lines.append(f"{after:>14,}  new      {name}")
            continue
        excessive = after * 100 > before * (100 + MOST_PERCENT)
        within = within and not excessive
        lines.append(f"{after:>14,}  {after / before - 1:+6.1%}  {name}{'  MORE THAN ALLOWED' if excessive else ''}")
    lines += [f"{'removed':>14}           {name}" for name in old["instructions"].keys() - new["instructions"].keys()]
    return lines, within


def mismatch(old: Counts, new: Counts) -> str:
    """Return why two counts cannot be compared, or an empty string."""
    keys = ("python", "compiler", "machine")
    differences = [f"{key} was {old[key]}, and is {new[key]}" for key in keys if old[key] != new[key]]
    if not differences:
        return ""
    return (
        f"not compared, because the stored counts are from another build: {'; '.join(differences)}. Count the base "
        "commit here first (python -m bench instructions --write --file FILE), then this one with --file FILE."
    )


def main(measured: list[Family], file: Path, write: bool) -> int:
    """Count, and store or compare; return 1 if an operation exceeds the limit, 2 if nothing can be compared."""
    counts = count(measured)
    if not write and not file.exists():
        print(f"{file} does not exist; --write creates it")
        return 2
    old = counts if write else json.loads(file.read_text(encoding="utf-8"))
    if reason := mismatch(old, counts):
        print(reason)
        return 2
    lines, within = compared(old, counts)
    print("\n".join(lines))
    if write:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
        print(f"stored in {file}")
    return 0 if within else 1


if __name__ == "__main__":
    run_counted(sys.argv[1:])

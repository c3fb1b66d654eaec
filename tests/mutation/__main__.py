"""`make mutate`: build the core with every mutant in it, run the tests on each, and print the mutants that survive.

Run it before a release, and after a change to what the core checks. It takes about ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .mutants import Mutant, Sources
from .survivors import SURVIVORS
from .writer import DECISIONS

PROJECT = Path(__file__).resolve().parents[2]
TREE = PROJECT / "build" / "mutation" / "tree"
# The tables of valid and invalid encodings run first. A mutant that they do not kill runs with the tests of MORE.
RULES = ["tests/rules", "--ignore=tests/rules/test_coverage.py"]
MORE = [
    "tests/core/test_writer_trust.py",
    "tests/core/test_deferred_copies.py",
    "tests/core/test_deviations.py",
    "tests/core/test_leniency.py",
    "tests/core/test_rare_types.py",
    "tests/security/test_hostile.py",
    "tests/security/test_hostile_sharing.py",
    "tests/security/test_hostile_values.py",
    "tests/core/test_list_templates.py",
    "tests/core/test_buffers.py",
    "tests/security/test_memory_safety.py",
    "tests/core/test_native.py",
    "tests/core/test_type_mismatches.py",
    "tests/security/test_another_class.py",
    "tests/core/test_build_fast_path.py",
    "tests/core/test_build.py",
    "tests/core/test_lookup.py",
    "tests/test_json.py",
    "tests/schema/test_schema_language.py",
]


def build(sources: Sources) -> None:
    """Copy the project, rewrite the core in the copy, and compile it."""
    subprocess.run([PROJECT / ".ci" / "copy-tree", TREE], check=True, cwd=PROJECT)
    sources.write(TREE / "derlib" / "core")
    environment = {**os.environ, "DERLIB_DEBUG": "1"}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], check=True, cwd=TREE, env=environment)


def run(mutants: list[Mutant], faults: list[str], tests: list[str]) -> dict[int, dict[str, Any]]:
    """Run tests on the mutants, and return the result of each by its number."""
    chosen, results = TREE / "build" / "mutants.json", TREE / "build" / "results.json"
    chosen.write_text(json.dumps({"mutants": [asdict(mutant) for mutant in mutants], "faults": faults}))
    command = [sys.executable, "-m", "tests.mutation.run", chosen, results, *tests]
    subprocess.run(command, check=True, cwd=TREE, env={**os.environ, "PYTHONPATH": str(TREE)})
    return {int(number): result for number, result in json.loads(results.read_text()).items()}


def report(mutants: list[Mutant], results: dict[int, dict[str, Any]], functions: set[str]) -> int:
    """Print the functions whose survivors are not as many as their reasons in SURVIVORS; return 1 if there are any."""
    alive = [mutant for mutant in mutants if not results[mutant.number]["killed_by"]]
    print(f"{len(mutants)} mutants, {len(mutants) - len(alive)} killed, {len(alive)} survive")
    counts = Counter(mutant.function for mutant in alive)
    status = 0
    for function in sorted(functions):
        reasons = SURVIVORS.get(function, [])
        if counts[function] == len(reasons):
            continue
        status = 1
        print(f"{function}: {counts[function]} mutants survive, survivors.py has {len(reasons)} reasons")
        for mutant in alive:
            if mutant.function == function:
                tests = results[mutant.number]["executed_by"]
                print(f"    {mutant.file}:{mutant.line}: {mutant.form}: {mutant.text} (executed by {tests} tests)")
    return status


def main() -> int:
    """Return 0 if every mutant is killed or explained, and no explanation is stale."""
    parser = argparse.ArgumentParser(prog="make mutate ARGS=", description="Remove each check of the core in turn.")
    parser.add_argument("--in", dest="function", help="only the mutants of one function")
    options = parser.parse_args()
    sources = Sources(PROJECT / "derlib" / "core")
    functions = {mutant.function for mutant in sources.mutants}
    if unknown := set(DECISIONS) - functions:
        parser.error(f"writer.py names functions that the core does not have: {', '.join(sorted(unknown))}")
    mutants = [mutant for mutant in sources.mutants if options.function in (None, mutant.function)]
    build(sources)
    results = run(mutants, sources.faults, RULES)
    survivors = [mutant for mutant in mutants if not results[mutant.number]["killed_by"]]
    if survivors:
        results |= run(survivors, sources.faults, MORE)
    return report(mutants, results, {options.function} if options.function else functions | set(SURVIVORS))


if __name__ == "__main__":
    sys.exit(main())

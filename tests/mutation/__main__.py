"""`make mutate`: build the core with every mutant in it, run the tests on each, and print the mutants that survive.

Run it before a release, and after a change of what the core checks. It takes about ten minutes on two cores.
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

from .decisions import DECISIONS
from .sites import Site, Sources
from .survivors import SURVIVORS

PROJECT = Path(__file__).resolve().parents[2]
TREE = PROJECT / "build" / "mutation" / "tree"
# The tables of rules first. A mutant that they do not kill is tried on the tests that build, read and attack.
RULES = ["tests/rules", "--ignore=tests/rules/test_coverage.py"]
MORE = [
    "tests/core/test_writer_trust.py",
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
    "tests/schema/test_schema_language.py",
]


def build(sources: Sources) -> None:
    """Copy the project, rewrite its core, and compile that."""
    subprocess.run([PROJECT / ".ci" / "copy-tree", TREE], check=True, cwd=PROJECT)
    sources.write(TREE / "derlib" / "core")
    switches = {**os.environ, "DERLIB_DEBUG": "1"}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], check=True, cwd=TREE, env=switches)


def run(sources: Sources, numbers: list[int], tests: list[str]) -> dict[int, dict[str, Any]]:
    """Return the result for each mutant of `numbers`, or for every mutant if it is empty."""
    chosen, results = TREE / "build" / "sites.json", TREE / "build" / "results.json"
    chosen.write_text(json.dumps({"sites": [asdict(site) for site in sources.sites], "faults": sources.faults}))
    command = [sys.executable, "-m", "tests.mutation.run", chosen, results, ",".join(map(str, numbers)), *tests]
    subprocess.run(command, check=True, cwd=TREE, env={**os.environ, "PYTHONPATH": str(TREE)})
    return {int(number): result for number, result in json.loads(results.read_text()).items()}


def report(sites: list[Site], results: dict[int, dict[str, Any]], asked: set[str]) -> int:
    """Print the survivors by function; return 1 where they are not as many as SURVIVORS explains."""
    alive = [site for site in sites if not results[site.number]["killed"]]
    print(f"{len(sites)} mutants, {len(sites) - len(alive)} killed, {len(alive)} survive")
    counts = Counter(site.function for site in alive)
    wrong = 0
    for function in sorted(asked):
        reasons = SURVIVORS.get(function, [])
        if counts[function] == len(reasons):
            continue
        wrong += 1
        print(f"{function}: {counts[function]} mutants survive, survivors.py has {len(reasons)} reasons")
        for site in alive:
            if site.function == function:
                tests = results[site.number]["reached"]
                print(f"    {site.file}:{site.line}: {site.form}: {site.text} (reached by {tests} tests)")
    return 1 if wrong else 0


def main() -> int:
    """Return 0 where every mutant is killed or explained, and no explanation is left over."""
    parser = argparse.ArgumentParser(prog="make mutate ARGS=", description="Take away each check of the core.")
    parser.add_argument("--in", dest="function", help="only the mutants of one function")
    options = parser.parse_args()
    sources = Sources(PROJECT / "derlib" / "core")
    functions = {site.function for site in sources.sites}
    if unknown := set(DECISIONS) - functions:
        parser.error(f"decisions.py names functions that the core does not have: {', '.join(sorted(unknown))}")
    sites = [site for site in sources.sites if options.function in (None, site.function)]
    build(sources)
    results = run(sources, [site.number for site in sites] if options.function else [], RULES)
    left = [number for number, result in results.items() if not result["killed"]]
    if left:
        results |= run(sources, left, MORE)
    return report(sites, results, {options.function} if options.function else functions | set(SURVIVORS))


if __name__ == "__main__":
    sys.exit(main())

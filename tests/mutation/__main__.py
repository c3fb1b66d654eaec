"""`make mutate`: build the core with all mutants, run the tests against each, and print what is proved and what not.

What ARGS leave out is not stored.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .equivalent import EQUIVALENT
from .sites import Site, Sources

PROJECT = Path(__file__).resolve().parent.parent.parent
TREE = PROJECT / "build" / "mutation" / "tree"
PROOF = PROJECT / "docs" / "figures" / "mutants.json"
# Rows first: what they do not kill is tried on the tests that read, write and attack.
RULES = ["tests/rules", "--ignore=tests/rules/test_coverage.py"]
MORE = [
    "writer_trust",
    "deviations",
    "leniency",
    "rare_types",
    "hostile",
    "hostile_sharing",
    "hostile_values",
    "repeat",
    "buffers",
    "memory_safety",
    "native",
    "misfits",
    "another_class",
    "build_straight",
    "build",
    "schema_language",
]


def build(sources: Sources) -> None:
    """Copy the project, rewrite its core, and compile that."""
    subprocess.run([PROJECT / ".ci" / "copy-tree", TREE], check=True, cwd=PROJECT)
    sources.write(TREE / "derlib" / "core")
    switches = {**os.environ, "DERLIB_DEBUG": "1"}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], check=True, cwd=TREE, env=switches)


def run(sources: Sources, numbers: list[int], tests: list[str]) -> dict[int, dict[str, Any]]:
    """The result for each mutant of `numbers`, all if it is empty."""
    told, results = TREE / "build" / "sites.json", TREE / "build" / "results.json"
    told.write_text(json.dumps({"sites": [asdict(site) for site in sources.sites], "faults": sources.faults}))
    chosen = ",".join(map(str, numbers))
    command = [sys.executable, "-m", "tests.mutation.run", str(told), str(results), chosen, *tests]
    subprocess.run(command, check=True, cwd=TREE, env={**os.environ, "PYTHONPATH": str(TREE)})
    return {int(number): result for number, result in json.loads(results.read_text()).items()}


def main() -> int:
    """Return 0 where every mutant is killed or has a reason, and no reason is stale."""
    asked = argparse.ArgumentParser(prog="make mutate ARGS=", description="Take each check of the core away.")
    asked.add_argument("--new", action="store_true", help="the checks of rules that are not stored yet")
    asked.add_argument("--form", action="append", help="the mutants of one form (sites.py); may be repeated")
    asked.add_argument("--in", dest="function", action="append", help="those in one function; may be repeated")
    asked.add_argument("--rows", action="store_true", help="with the tables of rules alone")
    options = asked.parse_args()
    sources = Sources(PROJECT / "derlib" / "core")
    sites = sources.sites
    stored = json.loads(PROOF.read_text(encoding="utf-8")) if options.new else {}
    if stored:
        sites = [site for site in sites if site.kind and site.shown not in stored.get(site.kind, {})]
    sites = [site for site in sites if site.form in (options.form or [site.form])]
    sites = [site for site in sites if site.function in (options.function or [site.function])]
    some = options.form or options.function
    numbers = [site.number for site in sites] if stored or some else []
    if sites:
        build(sources)
    results = run(sources, numbers, RULES) if sites else {}
    if options.rows:
        return report(sites, results)
    left = [number for number, result in results.items() if not result["killed"]]
    if left:
        results |= run(sources, left, [f"tests/test_{name}.py" for name in MORE])
    status = report(sites, results)
    if status == 0 and not some:
        store(sources, results, stored)
    return status


def store(sources: Sources, results: dict[int, dict[str, Any]], stored: dict[str, dict[str, str]]) -> None:
    """Write, by kind, the mutants that take its check away, and for each the test that fails or why none can."""
    table: dict[str, dict[str, str]] = defaultdict(dict)
    for site in sorted(sources.sites, key=lambda site: sources.faults.index(site.named) if site.named else -1):
        if site.kind and site.number in results:
            killed = results[site.number]["killed"]
            table[site.kind][site.shown] = killed or f"equivalent: {EQUIVALENT[site.key]}"
        elif site.kind:
            table[site.kind][site.shown] = stored[site.kind][site.shown]
    PROOF.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {PROOF.relative_to(PROJECT)}; `make docs` puts it into the table of rules")


def report(sites: list[Site], results: dict[int, dict[str, Any]]) -> int:
    """Print the table and what survives."""
    groups: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        groups[site.kind or f"({site.form})"].append(site)
    survivors = [site for site in sites if not results[site.number]["killed"]]
    print("| kind | sites | killed by a row | killed by another test | equivalent | first killer |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, members in groups.items():
        killers = [results[site.number]["killed"] for site in members]
        rows = sum("rules/" in (killer or "") for killer in killers)
        others = sum(bool(killer) for killer in killers) - rows
        reasons = sum(site.key in EQUIVALENT for site in members)
        first = next((killer for killer in killers if killer), "")
        print(f"| {name} | {len(members)} | {rows} | {others} | {reasons} | {first.removeprefix('tests/')} |")
    print(f"{len(sites)} mutants, {len(sites) - len(survivors)} killed, {len(survivors)} not")
    holes = [site for site in survivors if site.key not in EQUIVALENT]
    for site in holes:
        reach = results[site.number]["reached"]
        print(f"SURVIVES: {site.form} {site.file}:{site.line} {site.function}: {site.text} (reached by {reach} tests)")
    stale = {site.key for site in sites if results[site.number]["killed"]} & set(EQUIVALENT)
    for key in sorted(stale):
        print("STALE: tests/mutation/equivalent.py explains what is killed:", *key)
    return 1 if holes or stale else 0


if __name__ == "__main__":
    sys.exit(main())

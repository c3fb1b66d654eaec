"""Run the tests against each mutant: started by `__main__.py` in the tree that has the rewritten core.

Every test runs once without a mutant, and leaves which sites it reached and which faults it saw as errors. Each mutant
then runs in a fork of this process, with the tests that reach its site, until one fails. A check is proved when the
test that fails is one that saw its fault: not any test will do.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from derlib import _core

from .sites import Site
from .survivors import SURVIVORS

SECONDS = 20  # for one test; a mutant may loop
SLOW = 1.0  # tests that take longer are left out
QUICK = 0.1  # tests that take longer come last
BUDGET = 8.0  # seconds for the tests of one mutant, by their time without it; a quarter where survivors are known

# Whether a test is none of the rows, its seconds, the faults that it saw as errors, and the test.
Candidate = tuple[bool, float, set[int], pytest.Item]


class Prover:
    """The pytest plugin that runs the mutants in place of the tests."""

    def __init__(self, sites: list[Site], faults: list[str], only: set[int]) -> None:
        self.sites = sites
        self.number_of = {fault: number for number, fault in enumerate(faults)}
        self.only = only
        self.results: dict[int, dict[str, Any]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        reach: dict[int, list[Candidate]] = {}
        for item in session.items:
            _core.reached()
            begin = spent_so_far()
            if not passes(item):
                print(f"left out, as it fails without any mutant: {item.nodeid}")
                continue
            seconds = spent_so_far() - begin
            found, raised = _core.reached()
            if seconds < SLOW:
                for number in found:
                    reach.setdefault(number, []).append(("rules/" not in item.nodeid, seconds, raised, item))
        chosen = [site for site in self.sites if not self.only or site.number in self.only]
        processes = os.cpu_count() or 1
        pipes = [self._start(chosen[first::processes], reach) for first in range(processes)]
        for pipe in pipes:
            with os.fdopen(pipe) as results:
                self.results |= {int(number): result for number, result in json.load(results).items()}
        return True

    def _start(self, sites: list[Site], reach: dict[int, list[Candidate]]) -> int:
        """Prove a share of the mutants in a process of its own, whose results come through a pipe."""
        reader, writer = os.pipe()
        if os.fork():
            os.close(writer)
            return reader
        try:
            os.close(reader)
            results = {site.number: self._prove(site, reach.get(site.number, [])) for site in sites}
            with os.fdopen(writer, "w") as pipe:
                json.dump(results, pipe)
        finally:
            # Without what pytest does at its end, which is for the first process to do.
            os._exit(0)

    def _prove(self, site: Site, candidates: list[Candidate]) -> dict[str, Any]:
        fault = self.number_of.get(site.named or "")
        fitting = [row for row in candidates if fault in row[2]] if site.fault and site.form == "raise" else candidates
        # Those that saw the fault, those that saw any, rows, quick ones; the others as they stand, in each run alike.
        order = sorted(fitting, key=lambda row: (fault not in row[2], not row[2], row[0], row[1] > QUICK))
        spent = itertools.accumulate(row[1] for row in order)
        budget = BUDGET / 4 if site.function in SURVIVORS else BUDGET
        chosen = [row[3] for row, seconds in zip(order, spent, strict=True) if seconds < budget]
        return fork_until_failure(site.number, chosen) | {"reached": len(candidates)}


def spent_so_far() -> float:
    """Seconds of processor time: a busy machine makes no test slower."""
    return time.process_time() + sum(os.times()[2:4])


def passes(item: pytest.Item) -> bool:
    """Run one test; skipped tests pass."""
    return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def fork_until_failure(mutant: int, items: Iterable[pytest.Item]) -> dict[str, Any]:
    """Run tests with a mutant in a child, up to the first that fails, and return which it is."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _core.mutate(mutant)
        status = 0
        for item in items:
            os.write(writer, item.nodeid.encode() + b"\n")
            signal.alarm(SECONDS)
            if not passes(item):
                status = 1
                break
        os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        names = pipe.read().decode().splitlines()
    _, status = os.waitpid(child, 0)
    if status == 0:
        return {"killed": None, "tests": len(names)}
    how = f" (signal {status & 0x7F})" if status & 0x7F else ""
    return {"killed": names[-1] + how, "tests": len(names)}


def main() -> int:
    """`python -m tests.mutation.run SITES.json RESULTS.json NUMBERS TEST...`."""
    told, results, numbers = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    data = json.loads(told.read_text())
    sites = [Site(**row) for row in data["sites"]]
    prover = Prover(sites, ["FAULT_NONE", *data["faults"]], {int(number) for number in numbers.split(",") if number})
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
    status = pytest.main([*arguments, *sys.argv[4:]], plugins=[prover])
    results.write_text(json.dumps(prover.results))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())

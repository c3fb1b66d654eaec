"""Run the tests against each mutant. `__main__.py` starts this module in the tree that contains the rewritten core.

Every test runs once without a mutant, which records the mutants that it executes and the faults that it sees as errors.
Then each mutant runs in a fork of this process, with the tests that execute it, until one fails. To kill a mutant that
removes a fault, a test must be one of those that saw this fault.
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
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from derlib import _core

from .mutants import Mutant
from .survivors import SURVIVORS

TIMEOUT = 60  # seconds for one test, as a mutant may never end
SLOW = 1.0  # tests that take more seconds are left out
QUICK = 0.1  # tests that take more seconds run last
BUDGET = 8.0  # seconds for the tests of one mutant; a quarter if survivors are known in its function


class Candidate(NamedTuple):
    """A test that executes a mutant."""

    seconds: float
    faults: set[int]  # that it saw as errors
    is_table: bool  # of tests/rules
    item: pytest.Item


class MutationPlugin:
    """The pytest plugin that runs the mutants instead of the tests."""

    def __init__(self, mutants: list[Mutant], faults: list[str]) -> None:
        self.mutants = mutants
        self.number_of = {fault: number for number, fault in enumerate(faults)}
        self.results: dict[int, dict[str, Any]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        candidates: dict[int, list[Candidate]] = {}
        for item in session.items:
            _core.executed()
            begin = processor_seconds()
            if not passes(item):
                print(f"left out, because it fails without a mutant: {item.nodeid}")
                continue
            seconds = processor_seconds() - begin
            executed, faults = _core.executed()
            if seconds < SLOW:
                for number in executed:
                    candidates.setdefault(number, []).append(
                        Candidate(seconds, faults, "rules/" in item.nodeid, item)
                    )
        processes = os.cpu_count() or 1
        pipes = [self._start(self.mutants[first::processes], candidates) for first in range(processes)]
        for pipe in pipes:
            with os.fdopen(pipe) as results:
                self.results |= {int(number): result for number, result in json.load(results).items()}
        return True

    def _start(self, mutants: list[Mutant], candidates: dict[int, list[Candidate]]) -> int:
        """Test some of the mutants in a child process; return the pipe that its results come through."""
        reader, writer = os.pipe()
        if os.fork():
            os.close(writer)
            return reader
        try:
            os.close(reader)
            results = {mutant.number: self._test(mutant, candidates.get(mutant.number, [])) for mutant in mutants}
            with os.fdopen(writer, "w") as pipe:
                json.dump(results, pipe)
        finally:
            # Only the parent process does what pytest does at its end.
            os._exit(0)

    def _test(self, mutant: Mutant, candidates: list[Candidate]) -> dict[str, Any]:
        """Run the tests that may kill a mutant, those first that do so most often."""
        fault = self.number_of.get(mutant.expected_fault or "")
        chosen = candidates
        if mutant.form == "raise" and mutant.fault:
            chosen = [test for test in candidates if fault in test.faults]
        chosen = sorted(
            chosen,
            key=lambda test: (fault not in test.faults, not test.faults, not test.is_table, test.seconds > QUICK),
        )
        budget = BUDGET / 4 if mutant.function in SURVIVORS else BUDGET
        totals = itertools.accumulate(test.seconds for test in chosen)
        items = [test.item for test, total in zip(chosen, totals, strict=True) if total < budget]
        return {"killed_by": first_failure(mutant.number, items), "executed_by": len(candidates)}


def processor_seconds() -> float:
    """Return processor time, because a busy machine must not make a test slow."""
    return time.process_time() + sum(os.times()[2:4])


def passes(item: pytest.Item) -> bool:
    """Run one test; skipped tests pass."""
    return all(not report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def first_failure(mutant: int, items: Iterable[pytest.Item]) -> str | None:
    """Run tests with a mutant in a child process until one fails; return its name, or None."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _core.activate(mutant)
        for item in items:
            os.write(writer, item.nodeid.encode() + b"\n")
            signal.alarm(TIMEOUT)
            if not passes(item):
                os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        names = pipe.read().decode().splitlines()
    _, status = os.waitpid(child, 0)
    return names[-1] if status else None


def main() -> int:
    """Run `python -m tests.mutation.run MUTANTS.json RESULTS.json TEST...`."""
    data = json.loads(Path(sys.argv[1]).read_text())
    plugin = MutationPlugin([Mutant(**row) for row in data["mutants"]], ["FAULT_NONE", *data["faults"]])
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", *sys.argv[3:]]
    status = pytest.main(arguments, plugins=[plugin])
    Path(sys.argv[2]).write_text(json.dumps(plugin.results))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())

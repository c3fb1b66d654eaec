"""Run a family: check that the sides of a case do equal work, and measure them in turn. Called by bench/__main__.py.

For each case, a worker process is started for each peer, and each side does its work once; what it read or wrote is
compared with the others. In a quick run, which measures nothing, the cases of a family share the workers. Then the
sides run in rounds, one run of each side per round, so that a temporary slowdown of the machine affects all sides. The
first round is not counted. A side whose time budget is spent is skipped. A side that fails becomes a measurement with a
reason, and the others continue.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from typing import Any

from bench.harness.declare import Case, Family, Growth, Peer, Side
from bench.harness.remote import Failure, Worker
from bench.harness.results import Figures, Measurement
from bench.harness.words import amount


@dataclass(frozen=True)
class Settings:
    """How much is measured: `budget` is the seconds of measuring for each side of a case."""

    quick: bool = False
    budget: float = 3.0
    most: int = 1000
    least: int = 1000

    @classmethod
    def of(cls, quick: bool) -> "Settings":
        """Return the settings of a full run, or of a quick one that only checks that everything works."""
        return cls(quick=True, budget=0.02, most=2, least=1) if quick else cls()

    def runs(self, case: Case) -> int:
        """Return how often a side is measured if its budget lasts."""
        return min(case.runs, self.most)

    def fewest(self, case: Case) -> int:
        """Return how often a side is measured at least."""
        return min(case.least, self.least, self.runs(case))


@dataclass
class Running:
    """A side of a case that is being measured."""

    side: Side
    worker: Worker | None = None
    unit: str = ""
    warm: bool = False
    spent: float = 0.0
    samples: list[float] = field(default_factory=list)
    facts: dict[str, Any] | None = None
    failure: Failure | None = None


def progress(text: str) -> None:
    """Print a line about the progress of the run."""
    print(text, file=sys.stderr, flush=True)


class CaseRun:
    """One case on one argument."""

    def __init__(self, family: Family, case: Case, argument: str, warm: str | None, settings: Settings) -> None:
        self.peers = family.peers
        self.case = case
        self.argument = argument
        self.warm = warm
        self.settings = settings
        self.running = [Running(side) for side in case.all_sides()]

    def measure(self, workers: "Workers | None" = None) -> list[Measurement]:
        """Measure all sides with these workers, or with new ones, and return their measurements in order."""
        if self.case.kind == "memory":
            self.measure_memory()
            return self.outcomes()
        with nullcontext(workers) if workers else Workers(self.peers) as mine:
            self.start(mine)
            if self.case.kind == "time":
                measure_times([self])
            else:
                self.measure_once()
        return self.outcomes()

    def outcomes(self) -> list[Measurement]:
        """Return the measurements of the sides in order."""
        return [self.outcome(one) for one in self.running]

    def alive(self) -> list[Running]:
        """Return the sides that have not failed."""
        return [one for one in self.running if one.failure is None]

    def fail(self, one: Running, failure: Failure) -> None:
        """Drop a side; if its worker has ended, drop all sides of that worker."""
        one.failure = failure
        if failure.kind in ("died", "timeout"):
            for other in self.alive():
                if other.worker is one.worker:
                    other.failure = Failure(failure.kind, f"its process has ended: {failure}")

    def ask(self, one: Running, do: str, **request: object) -> dict[str, Any] | None:
        """Ask the worker of a side; drop the side and return None if that fails."""
        assert one.worker is not None
        try:
            return one.worker.ask(do, self.case.timeout, **request)
        except Failure as failure:
            self.fail(one, failure)
            return None

    def operation(self, side: Side) -> str:
        """Return the name of the operation of a side."""
        return side.operation or self.case.operation

    def key(self, one: Running) -> str:
        """Return the name of the task of a side in its worker."""
        return f"{one.side.name} {self.argument}"

    def start(self, workers: "Workers") -> None:
        """Start the workers, do the work of each side once, and compare the facts."""
        for one in self.running:
            worker = workers.of(one.side.peer)
            if isinstance(worker, Failure):
                one.failure = worker
            else:
                one.worker = worker
        for one in self.alive():
            # The failure of another side may have ended this worker.
            if one.failure is None:
                self.prepare(one)
        self.compare()

    def prepare(self, one: Running) -> None:
        """Prepare the task of a side, and do its work once."""
        key = self.key(one)
        prepared = self.ask(one, "prepare", key=key, operation=self.operation(one.side), argument=self.argument)
        start = time.monotonic()
        answer = prepared and self.ask(one, "facts", key=key)
        if prepared and answer:
            one.unit, one.facts = prepared["unit"], answer["facts"]
            # Work that took this long needs no further warm-up.
            one.warm = time.monotonic() - start > self.settings.budget

    def compare(self) -> None:
        """Drop the checked sides whose facts differ from those of the first one."""
        checked = [one for one in self.alive() if one.side.checked and one.facts is not None]
        for one in checked[1:]:
            if digest_of(one)["sha256"] != digest_of(checked[0])["sha256"]:
                one.failure = Failure("differs", difference(one, checked[0]))

    def time_once(self, *, counted: bool) -> None:
        """Do one run of each side that is not finished."""
        for one in self.alive():
            enough = len(one.samples) >= self.settings.fewest(self.case) and one.spent >= self.settings.budget
            full = len(one.samples) >= self.settings.runs(self.case)
            if one.failure or enough or full or (one.warm and not counted):
                continue
            answer = self.ask(one, "run", key=self.key(one))
            if answer and counted:
                one.spent += answer["seconds"]
                one.samples.append(answer["value"])

    def measure_once(self) -> None:
        """Get the size of what each side returns, or the number."""
        for one in self.alive():
            answer = self.ask(one, self.case.kind, key=self.key(one))
            if answer:
                one.unit = "bytes" if self.case.kind == "size" else one.unit
                one.samples.append(answer["value"])

    def measure_memory(self) -> None:
        """Measure memory, each run in a fresh process, and compare the facts of the first runs."""
        for counted in range(self.settings.runs(self.case)):
            for one in self.alive():
                if counted >= self.settings.fewest(self.case) and one.spent >= self.settings.budget:
                    continue
                start = time.monotonic()
                try:
                    with Worker(self.peers[one.side.peer]) as one.worker:
                        operation = self.operation(one.side)
                        answer = self.ask(one, "memory", operation=operation, argument=self.argument, warm=self.warm)
                except Failure as failure:
                    one.failure = failure
                    continue
                one.spent += time.monotonic() - start
                if answer:
                    one.unit, one.facts = "bytes", answer["facts"]
                    one.samples.append(answer["value"])
            if counted == 0:
                self.compare()

    def outcome(self, one: Running) -> Measurement:
        """Return the measurement of a side."""
        names = self.case.name, one.side.name, one.side.peer, self.case.kind
        if one.failure or not one.samples:
            kind, why = (one.failure.kind, str(one.failure)) if one.failure else ("timeout", "no run was finished")
            return Measurement(*names, failed=kind, why=why)
        return Measurement(*names, Figures.of(one.samples, one.unit))


class Workers:
    """The workers of peers, each started when it is first needed; use it in a `with` statement."""

    def __init__(self, peers: Mapping[str, Peer]) -> None:
        self.peers = peers
        self.stack = ExitStack()
        self.started: dict[str, Worker | Failure] = {}

    def of(self, name: str) -> Worker | Failure:
        """Return the worker of a peer, or the failure if it cannot be started."""
        found = self.started.get(name)
        if found is None or (isinstance(found, Worker) and found.process.poll() is not None):
            try:
                found = self.stack.enter_context(Worker(self.peers[name]))
            except Failure as failure:
                found = failure
            self.started[name] = found
        return found

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()


def digest_of(one: Running) -> dict[str, Any]:
    """Return the digest of the facts of a side that has some."""
    assert one.facts is not None
    return one.facts


def difference(one: Running, other: Running) -> str:
    """Describe how the facts of two sides differ."""
    found, expected = digest_of(one), digest_of(other)
    for key, name in (("count", "number of facts"), ("first", "first fact"), ("last", "last fact")):
        if found[key] != expected[key]:
            return f"does not read or write the same as {other.side.name}: {name} {found[key]}, not {expected[key]}"
    return f"does not read or write the same as {other.side.name}, somewhere among {found['count']} facts"


def measure_times(cases: Sequence[CaseRun]) -> None:
    """Run the sides of all cases in rounds; the first round is not counted."""
    for counted in range(-1, max(each.settings.runs(each.case) for each in cases)):
        for each in cases:
            each.time_once(counted=counted >= 0)


def run_case(family: Family, case: Case, settings: Settings, workers: Workers | None = None) -> list[Measurement]:
    """Measure a case, with new workers or with these; without its input, every side fails with the reason."""
    given = family.inputs[case.input]
    try:
        argument = given.make(settings.quick)
        warm = given.warm() if given.warm else None
    except Exception as error:
        why = f"the input cannot be made: {type(error).__name__}: {error}"
        sides = case.all_sides()
        return [Measurement(case.name, one.name, one.peer, case.kind, failed="input", why=why) for one in sides]
    return CaseRun(family, case, argument, warm, settings).measure(workers)


def run_growth(family: Family, growth: Growth, settings: Settings, workers: Workers | None = None) -> list[Measurement]:
    """Measure a growth; times are measured in turn over all sizes, because they are compared with each other."""
    sizes = growth.quick_sizes if settings.quick else growth.sizes
    warm = growth.warm() if growth.warm else None
    runs = [CaseRun(family, growth.case(size), growth.make(size), warm, settings) for size in sizes]
    if growth.kind != "time":
        return [one for each in runs for one in each.measure(workers)]
    with ExitStack() as stack:
        for each in runs:
            # Each size has its own workers, so that a size does not find the memory of another one.
            each.start(workers or stack.enter_context(Workers(family.peers)))
        measure_times(runs)
    return [one for each in runs for one in each.outcomes()]


def versions(family: Family) -> dict[str, str]:
    """Return the version of each peer, or why it cannot be used."""
    found: dict[str, str] = {}
    for name, peer in family.peers.items():
        try:
            with Worker(peer) as worker:
                found[name] = worker.about["version"]
        except Failure as failure:
            found[name] = str(failure)
        progress(f"  {name}: {found[name]}")
    return found


def run_family(family: Family, settings: Settings) -> list[Measurement]:
    """Measure everything in a family."""
    measurements: list[Measurement] = []
    works: list[Case | Growth] = [*family.cases, *family.growths]
    with Workers(family.peers) as shared:
        workers = shared if settings.quick else None
        for at, work in enumerate(works, 1):
            start = time.monotonic()
            if isinstance(work, Case):
                run = run_case(family, work, settings, workers)
            else:
                run = run_growth(family, work, settings, workers)
            took = time.monotonic() - start
            medians = (f"{one.side} {amount(one.figures.median, one.figures.unit)}" for one in run if one.figures)
            progress(f"  {family.name} {at}/{len(works)} {work.name}, {took:.0f} s: {'; '.join(medians)}")
            measurements += run
    return measurements

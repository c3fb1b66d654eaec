"""Run a family: start the workers, demand equal work, measure in turn, make rows. Called by bench/__main__.py.

A case goes so: each peer's worker is started, each side is prepared and does its work once, and what it read or wrote
is compared with the others'. That is the warm-up as well, with one more round that is not counted. Then come the
rounds: one run of each side, and again, so that what slows the machine for a while slows all of them. A side whose
budget is spent leaves the round. Whatever a peer does wrong becomes its row; the others go on.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bench.harness.declare import Case, Family, Fit, Peer, Scaling, Side
from bench.harness.figures import Figures
from bench.harness.remote import Failure, Worker
from bench.harness.rows import Measurement, exponent, plane, row, verdict

MIB = 2**20
P = TypeVar("P")


@dataclass(frozen=True)
class Settings:
    """How much is done: `budget` is how many seconds of measuring each side of a case may have."""

    quick: bool = False
    budget: float = 3.0
    most: int = 1000
    least: int = 1000

    @classmethod
    def of(cls, quick: bool) -> "Settings":
        """The settings of a full run, or of one that only looks whether all works."""
        return cls(quick=True, budget=0.2, most=5, least=2) if quick else cls()

    def runs(self, case: Case) -> int:
        """How often a side is measured if its budget lasts."""
        return min(case.runs, self.most)

    def fewest(self, case: Case) -> int:
        """How often a side is measured in any case."""
        return min(case.least, self.least, self.runs(case))


@dataclass
class Running:
    """One side of a case that is being measured."""

    side: Side
    worker: Worker | None = None
    unit: str = ""
    warm: bool = False
    spent: float = 0.0
    samples: list[float] = field(default_factory=list)
    facts: dict[str, Any] | None = None
    failure: Failure | None = None


def say(text: str) -> None:
    """Progress, for those who wait."""
    print(text, file=sys.stderr, flush=True)


class CaseRun:
    """One case on one argument."""

    def __init__(self, peers: dict[str, Peer], case: Case, argument: str, warm: str | None, settings: Settings) -> None:
        self.peers = peers
        self.case = case
        self.argument = argument
        self.warm = warm
        self.settings = settings
        self.running = [Running(side) for side in case.all_sides()]

    def measure(self) -> list[Measurement]:
        """Everything that this case gives, in the order of its sides."""
        if self.case.kind == "memory":
            self.measure_memory()
        else:
            with ExitStack() as stack:
                self.start(stack)
                self.compare()
                if self.case.kind == "size":
                    self.measure_size()
                elif self.case.kind == "count":
                    self.measure_count()
                else:
                    measure_times([self])
        return self.outcomes()

    def outcomes(self) -> list[Measurement]:
        """What is kept of the sides, in their order."""
        return [self.outcome(one) for one in self.running]

    def alive(self) -> list[Running]:
        """The sides that have not failed."""
        return [one for one in self.running if one.failure is None]

    def fail(self, one: Running, failure: Failure) -> None:
        """Take a side out, and with it all sides whose worker is gone."""
        one.failure = failure
        if failure.kind in ("died", "timeout"):
            for other in self.alive():
                if other.worker is one.worker:
                    other.failure = Failure(failure.kind, f"its process is gone: {failure}")

    def ask(self, one: Running, do: str, **question: object) -> dict[str, Any] | None:
        """Ask a side's worker; None, and the side out, if it fails."""
        assert one.worker is not None
        try:
            return one.worker.ask(do, self.case.timeout, **question)
        except Failure as failure:
            self.fail(one, failure)
            return None

    def operation(self, side: Side) -> str:
        """What the side calls."""
        return side.operation or self.case.operation

    def start(self, stack: ExitStack) -> None:
        """Start one worker for each peer, and let each side do its work once."""
        workers: dict[str, Worker | Failure] = {}
        for one in self.running:
            name = one.side.peer
            if name not in workers:
                try:
                    workers[name] = stack.enter_context(Worker(self.peers[name]))
                except Failure as failure:
                    workers[name] = failure
            worker = workers[name]
            if isinstance(worker, Failure):
                one.failure = worker
            else:
                one.worker = worker
        for one in self.alive():
            # A side before it may have taken the worker with it.
            if one.failure is None:
                self.prepare(one)

    def prepare(self, one: Running) -> None:
        """Make a side's task and do its work once; what took long enough needs no other warm-up."""
        key = one.side.name
        prepared = self.ask(one, "prepare", key=key, operation=self.operation(one.side), argument=self.argument)
        start = time.monotonic()
        answer = prepared and self.ask(one, "facts", key=key)
        if prepared and answer:
            one.unit, one.facts = prepared["unit"], answer["facts"]
            one.warm = time.monotonic() - start > self.settings.budget

    def compare(self) -> None:
        """Take out the sides whose facts are not those of the first side of their class."""
        first: dict[str, Running] = {}
        for one in self.alive():
            if not one.side.equal or one.facts is None:
                continue
            other = first.setdefault(one.side.equal, one)
            assert other.facts is not None
            if one.facts["sha256"] != other.facts["sha256"]:
                one.failure = Failure("differs", difference(one, other))

    def time_once(self, counted: bool) -> None:
        """One run of each side that is not done yet."""
        for one in self.alive():
            enough = len(one.samples) >= self.settings.fewest(self.case) and one.spent >= self.settings.budget
            full = len(one.samples) >= self.settings.runs(self.case)
            if one.failure or enough or full or (one.warm and not counted):
                continue
            answer = self.ask(one, "run", key=one.side.name)
            if answer and counted:
                one.spent += answer["seconds"]
                one.samples.append(answer["value"])

    def measure_size(self) -> None:
        """The octets that each side returns: once is enough."""
        for one in self.alive():
            answer = self.ask(one, "size", key=one.side.name)
            if answer:
                one.unit = "MiB"
                one.samples.append(answer["octets"] / MIB)

    def measure_count(self) -> None:
        """The number that each side returns: once is enough."""
        for one in self.alive():
            answer = self.ask(one, "count", key=one.side.name)
            if answer:
                one.samples.append(answer["value"])

    def measure_memory(self) -> None:
        """Each run in a fresh process; what it did is compared as well."""
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
                    one.unit, one.facts = "MiB", answer["facts"]
                    one.samples.append(answer["growth"] / MIB)
            if counted == 0:
                self.compare()

    def outcome(self, one: Running) -> Measurement:
        """What is kept of a side."""
        size = os.path.getsize(self.argument) if os.path.isfile(self.argument) else None
        made = Figures(tuple(one.samples), one.unit) if one.samples and not one.failure else None
        return Measurement(
            case=self.case.name,
            side=one.side,
            operation=self.operation(one.side),
            input=self.case.input,
            kind=self.case.kind,
            topic=self.case.topic,
            figures=made,
            failed=one.failure.kind if one.failure else "",
            why=str(one.failure) if one.failure else "",
            size=size,
        )


def measure_times(cases: Sequence[CaseRun]) -> None:
    """One run of each side of each case, and again; the first round is not counted."""
    for counted in range(-1, max(each.settings.runs(each.case) for each in cases)):
        for each in cases:
            each.time_once(counted >= 0)


def measure_together(cases: Sequence[CaseRun]) -> list[list[Measurement]]:
    """What each case gives. Times are measured in turn over all of them, since they are to be compared: a machine that
    changes its speed for a while must not make one of them larger."""
    if any(each.case.kind != "time" for each in cases):
        return [each.measure() for each in cases]
    with ExitStack() as stack:
        for each in cases:
            each.start(stack)
            each.compare()
        measure_times(cases)
    return [each.outcomes() for each in cases]


def difference(one: Running, other: Running) -> str:
    """What two sides read differently, as far as the digests tell."""
    assert one.facts is not None
    assert other.facts is not None
    told = f"reads or writes something else than {other.side.name}"
    for key, name in (("count", "number of facts"), ("first", "first fact"), ("last", "last fact")):
        if one.facts[key] != other.facts[key]:
            return f"{told}: {name} {one.facts[key]}, not {other.facts[key]}"
    return f"{told}, somewhere among {one.facts['count']} facts"


def measure_points(
    family: Family, work: Scaling | Fit, points: Mapping[P, tuple[str, str, str]], warm: str | None, settings: Settings
) -> dict[str, list[tuple[P, Measurement]]]:
    """What each side gives at each point, which stands with the title of its case, its input and its argument."""
    runs: list[CaseRun] = []
    for title, given, argument in points.values():
        case = Case(
            title,
            work.operation,
            given,
            work.sides,
            kind=work.kind,
            topic=work.topic,
            runs=work.runs,
            least=work.least,
            timeout=work.timeout,
        )
        runs.append(CaseRun(dict(family.peers), case, argument, warm, settings))
    say(f"  {family.name} {work.name}: {len(runs)} points")
    found: dict[str, list[tuple[P, Measurement]]] = {}
    for point, run, measured in zip(points, runs, measure_together(runs), strict=True):
        say(f"  {run.case.name}: {'; '.join(map(str, measured))}")
        for one in measured:
            found.setdefault(one.side.name, []).append((point, one))
    return found


def run_scaling(family: Family, scaling: Scaling, settings: Settings) -> list[dict[str, object]]:
    """Measure at each size, and fit; a side that fails at a size is fitted over the others."""
    sizes = scaling.quick_sizes if settings.quick else scaling.sizes
    given = {size: (f"{scaling.name}, size {size:,}", f"{size:,}", scaling.make(size)) for size in sizes}
    points = measure_points(family, scaling, given, scaling.warm() if scaling.warm else None, settings)
    rows: list[dict[str, object]] = []
    for place, (side, pairs) in enumerate(points.items()):
        # What stands beside it is there for comparison.
        reach, aim = (None, None) if place else (scaling.reach, scaling.aim)
        sound = [(size, one.figures) for size, one in pairs if one.figures and one.figures.median > 0]
        fitted = exponent([size for size, _ in sound], [one.median for _, one in sound]) if len(sound) > 1 else None
        rows.append(
            {
                "work": scaling.name,
                "side": side,
                "peer": pairs[0][1].side.peer,
                "kind": scaling.kind,
                "topic": scaling.topic,
                "points": [
                    {"size": size, **one.outcome()} for size, one in pairs
                ],
                "exponent": fitted,
                "reach": reach,
                "aim": aim,
                "verdict": verdict(fitted, reach, aim),
            }
        )
    return rows


def fit_title(fit: Fit, point: tuple[float, ...]) -> str:
    """The name of the case that measures at a point."""
    return f"{fit.name}, {' and '.join(f'{one:g} {term}' for one, term in zip(point, fit.terms[1:], strict=True))}"


def run_fit(family: Family, fit: Fit, settings: Settings) -> list[dict[str, object]]:
    """Measure at each point, and fit; a side that fails at a point is fitted over the others."""
    all_points = fit.quick_points if settings.quick else fit.points
    given = {point: (fit_title(fit, point), "", fit.make(point, settings.quick)) for point in all_points}
    points = measure_points(family, fit, given, None, settings)
    rows: list[dict[str, object]] = []
    for side, pairs in points.items():
        sound = [(point, one.figures.median) for point, one in pairs if one.figures]
        costs: dict[str, float] | None = None
        why = next((one.why for _, one in pairs if one.why), "")
        try:
            fitted = plane([point for point, _ in sound], [cost for _, cost in sound])
            costs = dict(zip(fit.terms, fitted, strict=True))
        except ValueError as error:
            why = why or str(error)
        rows.append(
            {
                "work": fit.name,
                "side": side,
                "peer": pairs[0][1].side.peer,
                "kind": fit.kind,
                "topic": fit.topic,
                "unit": next((one.figures.unit for _, one in pairs if one.figures), ""),
                "points": [
                    {"case": fit_title(fit, point), "point": point, **one.outcome()} for point, one in pairs
                ],
                "costs": costs,
                "why": why,
            }
        )
    return rows


def versions(family: Family) -> dict[str, dict[str, str]]:
    """What each peer says of itself, or why it does not."""
    found: dict[str, dict[str, str]] = {}
    for name, peer in family.peers.items():
        try:
            with Worker(peer) as worker:
                found[name] = {"version": worker.about["version"], "why": ""}
        except Failure as failure:
            found[name] = {"version": "", "why": str(failure)}
        say(f"  {name}: {found[name]['version'] or found[name]['why']}")
    return found


def measure_case(family: Family, case: Case, settings: Settings) -> list[Measurement]:
    """What a case gives; an input that cannot be made is the reason why its sides give nothing."""
    given = family.inputs[case.input]
    try:
        argument = given.make(settings.quick)
        warm = given.warm() if given.warm else None
    except Exception as error:
        run = CaseRun(dict(family.peers), case, "", None, settings)
        for one in run.running:
            one.failure = Failure("input", f"the input cannot be made: {type(error).__name__}: {error}")
        return [run.outcome(one) for one in run.running]
    return CaseRun(dict(family.peers), case, argument, warm, settings).measure()


def run_family(family: Family, settings: Settings) -> dict[str, Any]:
    """Everything that a family gives, ready for JSON but for the machine."""
    peers = versions(family)
    measurements: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for number, case in enumerate(family.cases, 1):
        start = time.monotonic()
        measured = measure_case(family, case, settings)
        after = f"{time.monotonic() - start:.0f} s"
        say(f"  {family.name} {number}/{len(family.cases)} {case.name}, {after}: {'; '.join(map(str, measured))}")
        measurements += [one.plain(family.spread) for one in measured]
        by_name = {one.side.name: one for one in measured}
        rows += [row(case, target, by_name, family.spread) for target in case.targets]
    scalings = [each for scaling in family.scalings for each in run_scaling(family, scaling, settings)]
    fits = [each for fit in family.fits for each in run_fit(family, fit, settings)]
    return {
        "family": family.name,
        "what": family.what,
        "limits": list(family.limits),
        "inputs": {name: given.what for name, given in family.inputs.items()},
        "peers": peers,
        "measurements": measurements,
        "rows": rows,
        "scalings": scalings,
        "fits": fits,
        "published": [vars(one) for one in family.published],
    }

"""Measured figures and the file that holds those of a family. Called by everything that measures, compares or shows.

A file has the conditions of the run, the version of each peer, and one measurement per line: the median of the runs
and the quartiles, between which the middle half of the runs lies. Times are in nanoseconds, sizes in bytes.
"""

import json
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.harness.declare import Case, Family, Growth, Side
from bench.paths import write

DERLIB = "derlib"
DIGITS = 6
"""Significant digits of stored figures."""


def rounded(value: float) -> float:
    """Return a figure with the digits that are stored, as an integer where that is exact.

    >>> rounded(10281923.0), rounded(994.4615), rounded(24.0)
    (10281900, 994.462, 24)
    """
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() else short


@dataclass(frozen=True)
class Figures:
    """The median and the quartiles of repeated measurements."""

    unit: str
    runs: int
    median: float
    quartiles: tuple[float, float]

    @classmethod
    def of(cls, samples: Sequence[float], unit: str = "ns") -> "Figures":
        """Summarize samples; the quartiles of fewer than four are the lowest and the highest."""
        low, high = min(samples), max(samples)
        if len(samples) >= 4:
            low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
        return cls(unit, len(samples), rounded(statistics.median(samples)), (rounded(low), rounded(high)))


@dataclass(frozen=True)
class Measurement:
    """One side of a case: its figures, or the kind of failure and the reason."""

    case: str
    side: str
    peer: str
    kind: str
    figures: Figures | None = None
    failed: str = ""
    why: str = ""

    def line(self) -> str:
        """Return the measurement as one line of JSON."""
        found: dict[str, Any] = {"case": self.case, "side": self.side, "peer": self.peer, "kind": self.kind}
        if self.figures:
            found |= vars(self.figures)
        else:
            found |= {"failed": self.failed, "why": self.why}
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Measurement":
        """Read what `line` wrote."""
        names = stored["case"], stored["side"], stored["peer"], stored["kind"]
        if "failed" in stored:
            return cls(*names, failed=stored["failed"], why=stored["why"])
        figures = Figures(stored["unit"], stored["runs"], stored["median"], tuple(stored["quartiles"]))
        return cls(*names, figures)


@dataclass(frozen=True)
class Results:
    """The results of one run of a family.

    `conditions` describe machine, interpreter and run; `peers` has the version of each peer, or why it is missing.
    """

    family: str
    conditions: dict[str, Any]
    peers: dict[str, str]
    measurements: list[Measurement] = field(default_factory=list)

    @property
    def quick(self) -> bool:
        """Whether this was a run with small inputs, whose figures mean nothing."""
        return bool(self.conditions.get("quick"))

    def figures(self, case: str, side: str) -> Figures | None:
        """Return the figures of a side of a case, if there are any."""
        return next((one.figures for one in self.measurements if (one.case, one.side) == (case, side)), None)

    def of_case(self, case: str) -> list[Measurement]:
        """Return all measurements of a case."""
        return [one for one in self.measurements if one.case == case]

    def text(self) -> str:
        """Return the file: every measurement on a line of its own, so that a diff shows what changed."""
        head = {"family": self.family, "conditions": self.conditions, "peers": self.peers}
        lines = [f" {json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}," for name, part in head.items()]
        measured = ",\n".join(f"  {one.line()}" for one in self.measurements)
        return "\n".join(["{", *lines, ' "measurements": [', measured, " ]", "}", ""])

    def store(self, folder: Path) -> Path:
        """Write the file of this family into a folder, and return its path."""
        path = folder / f"{self.family}.json"
        write(path, self.text().encode())
        return path


def load(path: Path) -> Results | None:
    """Return the results in a file; None if it is JSON of another kind.

    Raises:
        ValueError: the file is not JSON.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    if not isinstance(stored, dict) or "measurements" not in stored:
        return None
    measured = [Measurement.of(one) for one in stored["measurements"]]
    return Results(stored["family"], stored["conditions"], stored["peers"], measured)


def load_all(path: Path) -> dict[str, Results]:
    """Return the results in a file, or in all files of a folder, by family.

    Raises:
        ValueError: there are none, or a file is not JSON.
    """
    paths = sorted(path.glob("*.json")) if path.is_dir() else [path]
    found = {one.family: one for one in map(load, paths) if one}
    if not found:
        raise ValueError(f"{path} has no results of a benchmark")
    return found


@dataclass(frozen=True)
class Row:
    """A side of a case beside the first one; `first` has the figures of that, if this is another side."""

    case: Case
    side: Side
    measurement: Measurement
    first: Figures | None


def rows(cases: Iterable[Case], results: Results) -> Iterator[Row]:
    """Yield every measured side of some cases."""
    for case in cases:
        sides = case.all_sides()
        first = results.figures(case.name, sides[0].name)
        by_name = {side.name: side for side in sides}
        for one in results.of_case(case.name):
            if one.side in by_name:
                side = by_name[one.side]
                yield Row(case, side, one, None if side == sides[0] else first)


@dataclass(frozen=True)
class Curve:
    """One side of a growth: its figures by size, and the exponent of the power of the size that fits them."""

    growth: Growth
    side: Side
    points: list[tuple[int, Figures]]

    @property
    def exponent(self) -> float | None:
        """The fitted exponent, if there are two sizes with a cost."""
        positive = [(size, one.median) for size, one in self.points if one.median > 0]
        return exponent(*zip(*positive, strict=True)) if len(positive) > 1 else None


def curves(family: Family, results: Results) -> Iterator[Curve]:
    """Yield every side of every growth that has figures."""
    for growth in family.growths:
        for side in growth.case(0).all_sides():
            measured = ((size, results.figures(growth.case(size).name, side.name)) for size in growth.all_sizes())
            points = [(size, figures) for size, figures in measured if figures]
            if points:
                yield Curve(growth, side, points)


def exponent(sizes: Iterable[float], costs: Iterable[float]) -> float:
    """Return the exponent of the power of the size that fits the costs: least squares on the logarithms.

    >>> round(exponent([10, 100, 1000], [3, 300, 30_000]), 6)
    2.0
    """
    across, up = ([math.log(one) for one in values] for values in (sizes, costs))
    return statistics.linear_regression(across, up).slope

"""What a run of a family gives: measurements, rows that compare them, fitted exponents. Called by run.py beside it."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.harness.declare import Case, Side, Target
from bench.harness.figures import Figures


@dataclass(frozen=True)
class Measurement:
    """What one side of a case gave: figures, or the reason why there are none."""

    case: str
    side: Side
    operation: str
    input: str
    kind: str
    topic: str
    figures: Figures | None = None
    failed: str = ""
    why: str = ""
    size: int | None = None

    def plain(self, spread: float | None = None) -> dict[str, object]:
        """For JSON; `spread` is the one that is allowed."""
        return {
            "case": self.case,
            "topic": self.topic,
            "kind": self.kind,
            "side": self.side.name,
            "peer": self.side.peer,
            "operation": self.operation,
            "input": self.input,
            "size": self.size,
            "note": self.side.note,
            "spread": too_wide([self], spread),
            **self.outcome(),
        }

    def outcome(self) -> dict[str, object]:
        """For JSON as well: the figures, or why there are none."""
        return {"figures": self.figures.plain() if self.figures else None, "failed": self.failed, "why": self.why}

    def __str__(self) -> str:
        return f"{self.side.name} {self.figures if self.figures else self.why}"


def too_wide(measured: Sequence[Measurement], most: float | None) -> str:
    """Whose samples of time lie further apart than is allowed, or nothing."""
    if most is None:
        return ""
    sound = [(one.side.name, one.figures.spread) for one in measured if one.kind == "time" and one.figures]
    wide = [f"{name} {spread:.1%}" for name, spread in sound if spread > most]
    return f"spread too wide: {', '.join(wide)}" if wide else ""


def verdict(value: float | None, reach: float | None, aim: float | None) -> str:
    """Whether the aim or at least the reach was kept."""
    if value is None:
        return "-"
    if aim is not None and value <= aim:
        return "aim"
    if reach is not None:
        return "reach" if value <= reach else "MISSED"
    return "-"


def row(
    case: Case, target: Target, measured: Mapping[str, Measurement], spread: float | None = None
) -> dict[str, object]:
    """One comparison: ours beside the other's, what it goes by, and what was wanted; `spread` is what is allowed."""
    ours = measured[target.ours]
    theirs = measured[target.against] if target.against else None
    other = theirs.figures if theirs else None
    value: float | None = None
    if ours.figures and target.figure:
        value = ours.figures.median
    elif ours.figures and other and other.median:
        value = ours.figures.median / other.median
    missing = [one.why for one in (ours, theirs) if one and one.why]
    return {
        "work": target.work or case.name,
        "side": target.ours,
        "peer": target.against or "-",
        "kind": case.kind,
        "rivals": bool(theirs and theirs.side.peer != ours.side.peer and theirs.side.equal),
        "note": theirs.side.note if theirs else "",
        "ours": ours.figures.plain() if ours.figures else None,
        "theirs": other.plain() if other else None,
        "value": value,
        "unit": ours.figures.unit if target.figure and ours.figures else "x",
        "reach": target.reach,
        "aim": target.aim,
        "topic": case.topic,
        "verdict": verdict(value, target.reach, target.aim),
        "spread": too_wide([one for one in (ours, theirs) if one], spread),
        "why": "; ".join(missing),
    }


def plane(points: Sequence[Sequence[float]], costs: Sequence[float]) -> list[float]:
    """The base and the cost of each further thing that fit the costs at some points best.

    Least squares of the relative errors: small costs count as much as large ones.

    >>> [round(one, 6) for one in plane([(0, 0), (1, 0), (0, 1), (2, 3)], [5, 7, 5.5, 10.5])]
    [5.0, 2.0, 0.5]

    Raises:
        ValueError: there are not enough points, or they lie so that the costs cannot be told apart.
    """
    if not costs or min(costs) <= 0:
        raise ValueError("a plane needs costs above zero")
    rows = [[1 / cost, *(one / cost for one in point)] for point, cost in zip(points, costs, strict=True)]
    width = len(rows[0])
    # The normal equations, with the right side as the last column; every measured relative cost is 1.
    table = [
        [sum(row[i] * row[j] for row in rows) for j in range(width)] + [sum(row[i] for row in rows)]
        for i in range(width)
    ]
    for at in range(width):
        best = max(range(at, width), key=lambda i: abs(table[i][at]))
        table[at], table[best] = table[best], table[at]
        if abs(table[at][at]) < 1e-12 * sum(row[at] ** 2 for row in rows) or len(rows) < width:
            raise ValueError("the points do not tell the costs apart")
        for i in range(width):
            if i != at:
                factor = table[i][at] / table[at][at]
                table[i] = [one - factor * other for one, other in zip(table[i], table[at], strict=True)]
    return [table[i][-1] / table[i][i] for i in range(width)]


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent of the power of the size that fits the costs best: least squares on the logarithms.

    >>> round(exponent([10, 100, 1000], [3, 300, 30_000]), 6)
    2.0

    Raises:
        ValueError: there are fewer than two sizes, or a cost of nothing.
    """
    if len(sizes) < 2 or min(*sizes, *costs) <= 0:
        raise ValueError("an exponent needs two sizes, and costs above zero")
    return statistics.linear_regression([math.log(one) for one in sizes], [math.log(one) for one in costs]).slope

"""Print and store the rows of a benchmark. Called by bench/crl.py."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.measure import Figures


@dataclass(frozen=True)
class Row:
    """One comparison: what was done, against what, what came out, and what was wanted.

    `value` is what the verdict goes by: the ratio of the medians, or a figure that stands alone.
    A row without `reach` and `aim` is for information. `topic` is the table that it belongs to.
    """

    work: str
    peer: str
    ours: Figures
    theirs: Figures | None
    value: float
    unit: str = "x"
    reach: float | None = None
    aim: float | None = None
    topic: str = "decode"

    @property
    def verdict(self) -> str:
        """Whether the aim or at least the reach was kept."""
        if self.aim is not None and self.value <= self.aim:
            return "aim"
        if self.reach is not None:
            return "reach" if self.value <= self.reach else "MISSED"
        return "-"


def ratio_row(
    work: str,
    peer: str,
    ours: Figures,
    theirs: Figures,
    *,
    reach: float | None = None,
    aim: float | None = None,
    topic: str = "decode",
) -> Row:
    """Return a row that goes by the ratio of the medians."""
    value = ours.median / theirs.median
    return Row(work, peer, ours, theirs, value, reach=reach, aim=aim, topic=topic)


def lines(rows: Iterable[Row]) -> list[str]:
    """Return the table, ready to print: a cell holds the median and (lowest to highest)."""

    def bound(value: float | None) -> str:
        return "" if value is None else f"{value:g}"

    cells = [("work", "peer", "derlib", "peer's", "value", "reach", "aim", "verdict", "runs")]
    for row in rows:
        theirs = "" if row.theirs is None else str(row.theirs)
        value = f"{row.value:.3f} {row.unit}"
        bounds = (bound(row.reach), bound(row.aim))
        runs = str(len(row.ours.samples))
        cells.append((row.work, row.peer, str(row.ours), theirs, value, *bounds, row.verdict, runs))
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    cells.insert(1, tuple("-" * width for width in widths))  # type: ignore[arg-type]
    return [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in cells
    ]


def store(path: Path, rows: Iterable[Row], circumstances: dict[str, object]) -> None:
    """Write rows and circumstances as JSON, with every sample."""
    table = [asdict(row) | {"verdict": row.verdict} for row in rows]
    path.write_text(json.dumps({"circumstances": circumstances, "rows": table}, indent=2) + "\n")

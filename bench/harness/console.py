"""The results of a family as text, and what makes a run fail. Called by bench/__main__.py."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.harness.declare import Family
from bench.harness.results import DERLIB, Figures, Results, curves, rows
from bench.harness.words import amount, times
from bench.paths import display

Rows = list[tuple[str, ...]]


def aligned(table: Rows) -> Iterator[str]:
    """Yield the lines of a table; the first row is its head."""
    widths = [max(len(one) for one in column) for column in zip(*table, strict=True)]
    for row in (table[0], tuple("-" * width for width in widths), *table[1:]):
        yield "  ".join(one.ljust(width) for one, width in zip(row, widths, strict=True)).rstrip()


def middle_half(figures: Figures) -> str:
    """Return the quartiles, or an empty string for a single run."""
    if figures.runs == 1:
        return ""
    low, high = (amount(one, figures.unit) for one in figures.quartiles)
    return f"{low} to {high}"


def case_rows(family: Family, results: Results) -> Rows:
    """Return every side of every case beside the first."""
    made: Rows = [("case", "side", "median", "middle half", "runs", "relative", "note")]
    for row in rows(family.cases, results):
        figures = row.measurement.figures
        if figures is None:
            made.append((row.case.name, row.side.name, "-", "", "", "", row.measurement.why))
            continue
        ratio = times(figures.median, row.first.median, row.case.kind) if row.first else ""
        cells = amount(figures.median, figures.unit), middle_half(figures), str(figures.runs), ratio
        made.append((row.case.name, row.side.name, *cells, row.side.note))
    return made


def growth_rows(family: Family, results: Results) -> Rows:
    """Return how costs grow: the figures at the smallest and the largest size, and the exponent."""
    made: Rows = [("growth", "side", "smallest", "largest", "exponent")]
    for curve in curves(family, results):
        unit = curve.growth.unit
        ends = [f"{size:,} {unit}: {amount(one.median, one.unit)}" for size, one in (curve.points[0], curve.points[-1])]
        fitted = "" if curve.exponent is None else f"{curve.exponent:.3f}"
        made.append((curve.growth.name, curve.side.name, *ends, fitted))
    return made


def lines(family: Family, results: Results) -> Iterator[str]:
    """Yield the tables of a family."""
    yield f"\n{family.name}: {family.what}"
    for table in (case_rows(family, results), growth_rows(family, results)):
        if len(table) > 1:
            yield ""
            yield from aligned(table)


def errors(results: Results) -> list[str]:
    """Return what makes a run fail: a side that returns something else, or derlib without a figure.

    derlib without a figure is not an error if it raised `Unavailable`: then this machine lacks memory or disk.
    """
    found = []
    for one in results.measurements:
        if one.failed == "differs":
            found.append(f"NOT EQUAL: {one.case}: {one.side} {one.why}")
        elif one.peer == DERLIB and one.failed not in ("", "unavailable"):
            found.append(f"DERLIB FAILED: {one.case}: {one.side}: {one.why}")
    return found


class Occupied(Exception):
    """Another run stores its results in the same folder; the message names it."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Create a folder for results, and keep other runs out of it until this one ends.

    Raises:
        Occupied: another run has locked it.
        OSError: the folder cannot be created.
    """
    folder.mkdir(parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            why = f"another run is storing its results in {display(folder)}; pass another folder with --out"
            raise Occupied(why) from None
        yield
    finally:
        os.close(opened)

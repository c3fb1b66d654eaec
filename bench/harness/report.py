"""The results of a family as text and as a file. Called by bench/__main__.py; pages are bench/readme.py's matter."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.harness.words import in_words
from bench.places import shown, write

Stored = dict[str, Any]
OURS = "derlib"


def cell(figures: Stored | None) -> str:
    """A median and (the middle half of the runs)."""
    if figures is None:
        return ""
    low, high = figures["quartiles"]
    return f"{figures['median']:.3g} {figures['unit']} ({low:.3g} to {high:.3g})"


def aligned(cells: list[tuple[str, ...]]) -> Iterator[str]:
    """The lines of a table; the first row is its head."""
    widths = [max(len(one) for one in column) for column in zip(*cells, strict=True)]
    rule = tuple("-" * width for width in widths)
    for row in (cells[0], rule, *cells[1:]):
        yield "| " + " | ".join(one.ljust(width) for one, width in zip(row, widths, strict=True)) + " |"


def bound(value: float | None) -> str:
    """A wanted figure."""
    return "" if value is None else f"{value:.5g}"


def work(row: Stored) -> str:
    """What a row compares, with the name of our side if it is not the plain one; older runs did not store it."""
    side = row.get("side", OURS)
    return str(row["work"]) if side == OURS else f"{row['work']}: {side}"


def heading(rows: Iterable[Stored]) -> str:
    """What stands above the figures of our sides."""
    return OURS if all(row.get("side", OURS) == OURS for row in rows) else "ours"


def judged(row: Stored) -> str:
    """The verdict on a row, and whether its samples lie too far apart; older runs did not store that."""
    return "; ".join(filter(None, (row["verdict"], row.get("spread"))))


def measurement_cells(stored: Stored) -> list[tuple[str, ...]]:
    """What each side of each case gave."""
    cells: list[tuple[str, ...]] = [("case", "side", "median (middle half)", "runs", "note")]
    for one in stored["measurements"]:
        runs = str(one["figures"]["runs"]) if one["figures"] else ""
        note = "; ".join(filter(None, (one["why"], one.get("spread"), one["note"])))
        cells.append((one["case"], one["side"], cell(one["figures"]), runs, note))
    return cells


def row_cells(stored: Stored) -> list[tuple[str, ...]]:
    """The comparisons, and what was wanted of them."""
    rows = stored["rows"]
    heads = ("work", "against", heading(rows), "the other", "in words", "value", "reach", "aim", "verdict")
    cells: list[tuple[str, ...]] = [heads]
    for row in rows:
        value = "" if row["value"] is None else f"{row['value']:.3f} {row['unit']}"
        sides = (cell(row["ours"]), cell(row["theirs"]) or row["why"])
        wanted = (bound(row["reach"]), bound(row["aim"]))
        cells.append((work(row), row["peer"], *sides, in_words(row), value, *wanted, judged(row)))
    return cells


def scaling_cells(stored: Stored) -> list[tuple[str, ...]]:
    """How costs grow: the exponent, and the figures at the smallest and largest size."""
    cells: list[tuple[str, ...]] = [("growth of", "side", "smallest", "largest", "exponent", "reach", "verdict")]
    for one in stored["scalings"]:
        ends = [f"{point['size']:,}: {cell(point['figures']) or point['why']}" for point in one["points"]]
        fitted = bound(one["exponent"])
        cells.append((one["work"], one["side"], ends[0], ends[-1], fitted, bound(one["reach"]), one["verdict"]))
    return cells


def fit_cells(stored: Stored) -> list[tuple[str, ...]]:
    """What each side costs by each term of a fit."""
    cells: list[tuple[str, ...]] = [("fitted cost of", "side", "cost by term")]
    for one in stored.get("fits", ()):
        costs = (one["costs"] or {}).items()
        told = "; ".join(f"{cost:.3g} for {term}" for term, cost in costs)
        cells.append((f"{one['work']}, {one['unit']}", one["side"], told or one["why"]))
    return cells


def published_cells(stored: Stored) -> list[tuple[str, ...]]:
    """What others published, with where and on what it was measured."""
    cells: list[tuple[str, ...]] = [("published by others", "library", "figure", "ratio", "measured on", "source")]
    known = {(one["work"], one["library"]): one["value"] for one in stored["published"]}
    for one in stored["published"]:
        place = f"{one['interpreter']}, {one['machine']}"
        bridge = known.get((one["work"], one["bridge"]))
        ratio = f"{one['value'] / bridge:.2f} of {one['bridge']}" if bridge else ""
        cells.append((one["work"], one["library"], f"{one['value']:g} {one['unit']}", ratio, place, one["source"]))
    return cells


def lines(stored: Stored) -> Iterator[str]:
    """All tables of a family that have rows."""
    yield f"\n{stored['family']}: {stored['what']}"
    for make in (measurement_cells, row_cells, scaling_cells, fit_cells, published_cells):
        cells = make(stored)
        if len(cells) > 1:
            yield ""
            yield from aligned(cells)


def store(folder: Path, stored: Stored) -> Path:
    """Write a family's results, with every sample, and return their file."""
    path = folder / f"{stored['family']}.json"
    write(path, (json.dumps(stored, indent=1) + "\n").encode())
    return path


class Occupied(Exception):
    """Another run stores its results in the same folder; the message names it."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make a folder for results, and keep other runs out of it until this one ends, however it ends.

    Raises:
        Occupied: another run is at work there.
        OSError: the folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            why = f"another run is storing its results in {shown(folder)}; give --out another folder"
            raise Occupied(why) from None
        yield
    finally:
        os.close(opened)


def differences(stored: Stored) -> list[str]:
    """The sides that did other work than they claim: these fail a run."""
    measured = stored["measurements"]
    return [f"{one['case']}: {one['side']} {one['why']}" for one in measured if one["failed"] == "differs"]


def failures(stored: Stored) -> list[str]:
    """Where derlib has no figure, unless it said that this machine has no room for it: these fail a run as well."""
    asked = [(one["case"], one) for one in stored["measurements"]]
    for one in stored["scalings"]:
        asked += [(f"{one['work']}, size {point['size']:,}", {**one, **point}) for point in one["points"]]
    for one in stored["fits"]:
        asked += [(point["case"], {**one, **point}) for point in one["points"]]
    excused = ("", "unavailable", "differs")
    return [
        f"{case}: {one['side']}: {one['why']}"
        for case, one in asked
        if one["peer"] == OURS and one["failed"] not in excused
    ]

"""Stored results, and their figures in words. Called by everything beside it, and by bench/readme.py."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.harness.compare import read

Stored = dict[str, Any]
ORDER = ("crl", "cache", "syntax", "packets", "records")
DERLIB = "derlib"
# What a row of a comparison says of derlib; a mark as well, for colour alone says nothing to some.
VERDICTS = {"aim": "✓ aim kept", "reach": "~ within reach", "MISSED": "✗ missed", "-": "for comparison"}
KINDS = {"time": "time", "memory": "growth of peak memory", "size": "size of the output", "count": "number"}
FAILURES = {
    "missing": "not installed",
    "unavailable": "cannot do this",
    "raised": "raised an error",
    "died": "its process died",
    "timeout": "no answer in time",
    "differs": "did other work",
    "input": "no input",
}


def families(place: Path) -> list[Stored]:
    """All results in a folder, in the order in which pages have them.

    Raises:
        ValueError: there are none.
    """
    found = read(place)
    known = [name for name in ORDER if name in found]
    return [found[name] for name in (*known, *sorted(found.keys() - set(known)))]


def number(value: float) -> str:
    """A number for people: three figures, and no powers of ten.

    >>> [number(one) for one in (0, 0.01234, 3.8999, 42, 7163.2, 1e-7)]
    ['0', '0.0123', '3.9', '42', '7,160', '1e-07']
    """
    if abs(value) < 999.5:
        return f"{value:.3g}"
    return f"{float(f'{value:.3g}'):,.0f}"


# Below so much of a unit a figure is told in a smaller one.
SMALLER = {"MiB": (0.1, "KiB"), "KiB": (10, "octets")}


def readable(unit: str, largest: float) -> tuple[float, str]:
    """By what to multiply figures of a unit, the largest being this one, and the unit that they have then."""
    factor = 1.0
    while unit in SMALLER and 0 < largest * factor < SMALLER[unit][0]:
        unit = SMALLER[unit][1]
        factor *= 1024
    return factor, unit


def words(value: float, unit: str) -> str:
    """A figure with a unit that suits it.

    >>> words(0.01, "MiB"), words(0.001, "MiB"), words(3.2, "ms")
    ('10.2 KiB', '1,050 octets', '3.2 ms')
    """
    factor, unit = readable(unit, value)
    return f"{number(value * factor)} {unit}"


def median(figures: Stored | None) -> str:
    """A median with its unit."""
    return "" if figures is None else words(figures["median"], figures["unit"])


def middle_half(figures: Stored | None) -> str:
    """Between which figures the middle half of the runs lies."""
    return "" if figures is None else " to ".join(words(one, figures["unit"]) for one in figures["quartiles"])


def all_runs(figures: Stored | None) -> str:
    """From the lowest to the highest run."""
    return "" if figures is None else " to ".join(words(figures[end], figures["unit"]) for end in ("min", "max"))


def compared(row: Stored) -> str:
    """What a comparison goes by: a ratio, or a figure of derlib's own."""
    if row["value"] is None:
        return ""
    return number(row["value"]) if row["unit"] == "x" else words(row["value"], row["unit"])


def wanted(row: Stored) -> bool:
    """Whether something was wanted of derlib."""
    return row["reach"] is not None or row["aim"] is not None


def verdict(row: Stored) -> str:
    """Whether that was kept."""
    if row["verdict"] == "-" and (row["why"] or wanted(row)):
        return "no figure"
    return VERDICTS[row["verdict"]]


def work(row: Stored) -> str:
    """What a row compares; with the name of derlib's side, if there are several."""
    side = row.get("side", DERLIB)
    return str(row["work"]) if side == DERLIB else f"{row['work']}: {side}"


def tally(rows: Iterable[Stored]) -> dict[str, int]:
    """How many rows have which verdict, of those of which something was wanted."""
    counts = dict.fromkeys((*VERDICTS.values(), "no figure"), 0)
    for row in rows:
        counts[verdict(row) if wanted(row) else VERDICTS["-"]] += 1
    return counts


def failure(measurement: Stored) -> str:
    """In a few words why there is no figure."""
    kind: str = measurement["failed"]
    return FAILURES.get(kind, kind)


def failures(stored: Stored) -> list[Stored]:
    """The sides that have no figure."""
    return [one for one in stored["measurements"] if one["figures"] is None]

"""Sets of whole numbers as spans from low to high: the algebra that value ranges, sizes and alphabets are drawn by.

A set is a tuple of (low, high), both included, in ascending order and not touching; ends may be infinite.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TypeAlias

End: TypeAlias = float  # an int, or an infinity
Spans: TypeAlias = tuple[tuple[End, End], ...]

EVERYTHING: Spans = ((-inf, inf),)
SIZES: Spans = ((0, inf),)


def spans_of(pairs: Iterable[tuple[End, End]]) -> Spans:
    """The set of some spans in any order."""
    found: list[tuple[End, End]] = []
    for low, high in sorted(pairs):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def bounded(bounds: tuple[int | None, int | None] | None) -> Spans:
    """The set of a Size or Range as plans hold it: None for no end, or for no bounds at all."""
    low, high = bounds or (None, None)
    return ((-inf if low is None else low, inf if high is None else high),)


def both(one: Spans, other: Spans) -> Spans:
    """The numbers of both sets."""
    found, mine, theirs = [], 0, 0
    while mine < len(one) and theirs < len(other):
        low = max(one[mine][0], other[theirs][0])
        high = min(one[mine][1], other[theirs][1])
        if low <= high:
            found.append((low, high))
        if one[mine][1] < other[theirs][1]:
            mine += 1
        else:
            theirs += 1
    return tuple(found)


def without(spans: Spans) -> Spans:
    """All numbers but these."""
    found, low = [], -inf
    for start, end in spans:
        if low < start:
            found.append((low, start - 1))
        low = end + 1
    if low < inf:
        found.append((low, inf))
    return tuple(found)


def contains(spans: Spans, number: int) -> bool:
    return any(low <= number <= high for low, high in spans)


def points(numbers: Iterable[int]) -> Spans:
    return spans_of((number, number) for number in numbers)

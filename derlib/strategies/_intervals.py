"""Sets of integers as intervals: the algebra of value ranges, sizes and alphabets.

A set is a tuple of (low, high), both included, in ascending order and not adjacent. Ends can be infinite.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TypeAlias

End: TypeAlias = float  # an int or an infinity
IntervalSet: TypeAlias = tuple[tuple[End, End], ...]

EVERYTHING: IntervalSet = ((-inf, inf),)
SIZES: IntervalSet = ((0, inf),)


def interval_set(pairs: Iterable[tuple[End, End]]) -> IntervalSet:
    """Return the set of intervals in any order."""
    found: list[tuple[End, End]] = []
    for low, high in sorted(pairs):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def bounded(bounds: tuple[int | None, int | None] | None) -> IntervalSet:
    """Return the set of a Size or Range: None means unbounded."""
    low, high = bounds or (None, None)
    return ((-inf if low is None else low, inf if high is None else high),)


def intersection(one: IntervalSet, other: IntervalSet) -> IntervalSet:
    """Return the numbers in both sets."""
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


def complement(intervals: IntervalSet) -> IntervalSet:
    """Return all numbers that are not in a set."""
    found, low = [], -inf
    for start, end in intervals:
        if low < start:
            found.append((low, start - 1))
        low = end + 1
    if low < inf:
        found.append((low, inf))
    return tuple(found)


def contains(intervals: IntervalSet, number: int) -> bool:
    return any(low <= number <= high for low, high in intervals)


def points(numbers: Iterable[int]) -> IntervalSet:
    return interval_set((number, number) for number in numbers)

"""Sets of integers as intervals: the algebra of value ranges, sizes and alphabets.

A set is a tuple of (low, high), both included, in ascending order and not adjacent. Ends can be infinite.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TypeAlias, TypeVar

End = TypeVar("End", int, float)  # a float is an infinity
IntervalSet: TypeAlias = tuple[tuple[float, float], ...]

EVERYTHING: IntervalSet = ((-inf, inf),)
SIZES: IntervalSet = ((0, inf),)


def interval_set(pairs: Iterable[tuple[End, End]]) -> tuple[tuple[End, End], ...]:
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


def intersection(
    one: tuple[tuple[End, End], ...], other: tuple[tuple[End, End], ...]
) -> tuple[tuple[End, End], ...]:
    """Return the numbers in both sets."""
    found: list[tuple[End, End]] = []
    mine = theirs = 0
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


def difference(
    one: tuple[tuple[End, End], ...], other: tuple[tuple[End, End], ...]
) -> tuple[tuple[End, End], ...]:
    """Return the numbers in the first set that are not in the other one."""
    found: list[tuple[End, End]] = []
    for low, high in one:
        for start, end in other:
            if start <= high and end >= low:
                if low < start:
                    found.append((low, start - 1))
                if end >= high:
                    break
                low = end + 1
        else:
            found.append((low, high))
    return tuple(found)


def complement(intervals: IntervalSet) -> IntervalSet:
    """Return all numbers that are not in a set."""
    return difference(EVERYTHING, intervals)


def contains(intervals: IntervalSet, number: int) -> bool:
    return any(low <= number <= high for low, high in intervals)


def points(numbers: Iterable[int]) -> IntervalSet:
    return interval_set((number, number) for number in numbers)

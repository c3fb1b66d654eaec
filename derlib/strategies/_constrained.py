"""The contents octets of primitive types under constraints: from a `Case` to a strategy."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from math import inf
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib._intervals import SIZES, IntervalSet, bounded, complement, contains, intersection
from derlib.inspect import Kind
from derlib.strategies._cases import NUMBERS, UNCONSTRAINED, Case
from derlib.strategies._contents import Primitive, contents_of, primitive_of, texts
from derlib.strategies._elements import OPEN_STRINGS, integer_contents
from derlib.strategies._types import Type, primitive_type

# At most this many intervals of a set are drawn from.
MAX_INTERVALS = 8
# The characters of an alphabet of at most this size are drawn equally often.
SMALL_ALPHABET = 300
# Kinds with few values: all their contents octets.
FINITE: dict[Kind, tuple[bytes, ...]] = {Kind.BOOLEAN: (b"\x00", b"\xff"), Kind.NULL: (b"",)}


@functools.lru_cache(maxsize=4096)
def primitive(type_: Type, case: Case, unrepresentable: bool) -> SearchStrategy[bytes] | None:
    """Return the strategy of contents octets of a primitive type; None if the case obviously has no values.

    The single values of a case, `case.single_values`, are drawn elsewhere.
    """
    if case == UNCONSTRAINED:
        return contents_of(type_, unrepresentable)
    entry = primitive_of(type_)
    found: SearchStrategy[bytes] | None
    if type_.kind in FINITE:
        return sampled(octets for octets in FINITE[type_.kind] if octets not in case.excluded_values)
    if type_.kind in NUMBERS:
        return numbers(type_, case, unrepresentable)
    if entry.codec is not None:
        found = strings(type_, entry, case)
    elif entry.of_size is not None:
        types = (narrowed(type_, size=interval) for interval in sizes(type_, case)[:MAX_INTERVALS])
        found = one_of(entry.contents(each, unrepresentable) for each in types)
    else:
        found = contents_of(type_, unrepresentable)
    if found is not None and case.excluded_values:
        # Excluded single values are rare, so the filter rejects little.
        return found.filter(lambda contents: contents not in case.excluded_values)
    return found


def sampled(values: Iterable[Any]) -> SearchStrategy[Any] | None:
    listed = list(values)
    return st.sampled_from(listed) if listed else None


def one_of(strategies: Iterable[SearchStrategy[Any]]) -> SearchStrategy[Any] | None:
    listed = list(strategies)
    return st.one_of(listed) if listed else None


def sizes(type_: Type, case: Case) -> IntervalSet:
    return intersection(intersection(SIZES, bounded(type_.size)), case.sizes)


def narrowed(
    type_: Type, *, size: tuple[float, float] | None = None, range: tuple[float, float] | None = None
) -> Type:
    """Return a type of the same kind with one size or value range as its only constraint."""
    kind = type_.kind
    if kind in OPEN_STRINGS:
        kind = Kind.BIT_STRING if kind == Kind.OPEN_BITS else Kind.OCTET_STRING
    sizes = None if size is None else (int(size[0]), bound(size[1]))
    bounds = None if range is None else (bound(range[0]), bound(range[1]))
    return primitive_type(kind, type_.name, type_.info.tag, sizes, bounds, type_.info.cls)


def bound(end: float) -> int | None:
    """Return an end of an interval as a bound: None if it is infinite."""
    return None if abs(end) == inf else int(end)


def numbers(type_: Type, case: Case, unrepresentable: bool) -> SearchStrategy[bytes] | None:
    """Return the strategy of INTEGER and ENUMERATED."""
    allowed = intersection(bounded(type_.range), case.numbers)
    drawn: list[SearchStrategy[bytes]] = []
    items = [number for number in type_.members if contains(allowed, number)]
    if items:
        drawn.append(st.sampled_from(list(map(integer_contents, items))))
    if type_.kind != Kind.ENUMERATED or type_.extension_index is not None:
        named = primitive_type(Kind.INTEGER, type_.name)
        points = [int(low) for low, high in allowed if low == high]
        if points:
            drawn.append(st.sampled_from(list(map(integer_contents, sorted(points, key=abs)))))
        wide = [interval for interval in allowed if interval[0] != interval[1]]
        # The interval nearest to zero comes first, so that examples shrink to it.
        wide.sort(key=lambda ends: 0 if ends[0] <= 0 <= ends[1] else min(abs(ends[0]), abs(ends[1])))
        drawn += [contents_of(narrowed(named, range=interval), unrepresentable) for interval in wide[:MAX_INTERVALS]]
    return one_of(drawn)


def strings(type_: Type, entry: Primitive, case: Case) -> SearchStrategy[bytes] | None:
    """Return the strategy of a character string: permitted alphabet, size, and characters outside of alphabets."""
    permitted = intersection(entry.characters, case.alphabet)
    excluded = [intersection(permitted, complement(alphabet)) for alphabet in case.outside]
    if not all(excluded):
        return None
    # One character that is outside of all the alphabets is enough, if it exists.
    joint = functools.reduce(intersection, excluded) if excluded else ()
    if joint:
        excluded = [joint]
    allowed = intersection(sizes(type_, case), ((len(excluded), inf if permitted else 0),))
    codec = entry.codec or "ascii"
    if not allowed:
        return None
    if not permitted:
        return st.just(b"")
    one = "0" if contains(permitted, ord("0")) else chr(int(permitted[0][0]))
    types = [narrowed(type_, size=interval) for interval in allowed[:MAX_INTERVALS]]
    some = st.one_of([texts(each, characters(permitted), one) for each in types])
    if excluded:
        some = st.builds(with_beginning, some, *map(characters, excluded))
    return some.map(lambda text: text.encode(codec))


def with_beginning(text: str, *first: str) -> str:
    """Return a text with its beginning replaced by other characters."""
    return "".join(first) + text[len(first) :]


def characters(intervals: IntervalSet) -> SearchStrategy[str]:
    if sum(high - low + 1 for low, high in intervals) <= SMALL_ALPHABET:
        return st.sampled_from([chr(code) for low, high in intervals for code in range(int(low), int(high) + 1)])
    return st.one_of(
        [st.characters(min_codepoint=int(low), max_codepoint=int(high)) for low, high in intervals[:MAX_INTERVALS]]
    )

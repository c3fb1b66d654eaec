"""Cases of a formula: values are drawn from one case, so that they satisfy constraints by construction.

A formula becomes a union of cases. A case has a set for each property that constraints refer to: number, size,
alphabet, single values, components, elements. Contradictory cases are left out.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf

from derlib.inspect import Kind
from derlib.strategies._elements import CHOICES, Element, header
from derlib.strategies._formulas import TRUE, Formula, default_holds, every, holds, size
from derlib.strategies._intervals import (
    EVERYTHING,
    SIZES,
    IntervalSet,
    bounded,
    complement,
    contains,
    intersection,
    interval_set,
    points,
)
from derlib.strategies._read import read
from derlib.strategies._types import Type

NUMBERS = (Kind.INTEGER, Kind.NAMED_INTEGER, Kind.ENUMERATED)
# The largest number of cases of a formula that are drawn from.
MOST = 64


@dataclass(frozen=True)
class Case:
    """A set of values.

    Attributes:
        numbers, sizes, alphabet: of an integer, of a string or list, of a character string.
        outside: alphabets that do not contain all characters.
        among: the single values, or None: contents octets, for a CHOICE elements.
        barred: the excluded values, as in `among`.
        present, absent: the numbers of components that must be present or absent.
        children: formulas of components, which hold if they are present or have a DEFAULT.
        each, some, rest: formulas of all elements of a list, of one element each, and of the other elements.
    """

    numbers: IntervalSet = EVERYTHING
    sizes: IntervalSet = SIZES
    alphabet: IntervalSet = EVERYTHING
    outside: tuple[IntervalSet, ...] = ()
    among: tuple[bytes, ...] | None = None
    barred: frozenset[bytes] = frozenset()
    present: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    children: tuple[tuple[int, Formula], ...] = ()
    each: tuple[Formula, ...] = ()
    some: tuple[Formula, ...] = ()
    rest: tuple[Formula, ...] = ()

    def child(self, number: int) -> Formula:
        """Return the formula of a component."""
        return every(*(formula for index, formula in self.children if index == number))

    def needs(self, type_: Type, number: int) -> bool:
        """Return whether a component must be present."""
        if not type_.optional[number] or number in self.present:
            return True
        return not all(default_holds(type_, number, formula) for index, formula in self.children if index == number)

    def meets(self, other: Case) -> Case | None:
        """Return the case of values that satisfy both cases, or None if there are none."""
        among = self.among if other.among is None else other.among
        if self.among is not None and other.among is not None:
            among = tuple(octets for octets in self.among if octets in other.among)
        barred = self.barred | other.barred
        if among is not None:
            among = tuple(octets for octets in among if octets not in barred)
        made = Case(
            intersection(self.numbers, other.numbers), intersection(self.sizes, other.sizes),
            intersection(self.alphabet, other.alphabet),
            (*self.outside, *other.outside), among, barred, self.present | other.present, self.absent | other.absent,
            (*self.children, *other.children), (*self.each, *other.each), (*self.some, *other.some),
            (*self.rest, *other.rest),
        )
        empty = not made.numbers or not made.sizes or made.among == () or made.present & made.absent
        return None if empty else made


FREE = Case()


@functools.lru_cache(maxsize=4096)
def cases(type_: Type, formula: Formula) -> tuple[Case, ...]:
    """Return the cases of a formula for values of a type that is not an explicit tag."""
    if formula == TRUE:
        return (FREE,)
    found = normal(type_, formula, True)
    if type_.kind in NUMBERS and found:
        # Only the number of a value matters.
        numbers = interval_set(interval for case in found for interval in case.numbers)
        return (replace(FREE, numbers=numbers),)
    among = (None if case.among is None else fitting(type_, formula, case.among) for case in found)
    checked = (replace(case, among=kept) for case, kept in zip(found, among, strict=True))
    return tuple(case for case in checked if case.among != ())


def fitting(type_: Type, formula: Formula, among: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the single values that satisfy all constraints."""
    return tuple(octets for octets in among if fits(type_, formula, single(type_, octets)))


def single(type_: Type, octets: bytes) -> Element:
    """Return the element of a single value."""
    if type_.kind in CHOICES:
        return read(type_, octets)
    assert type_.tag is not None
    return read(type_, header(type_.tag, len(octets)) + octets)


def fits(type_: Type, formula: Formula, element: Element) -> bool:
    return holds(formula, element) and (type_.size is None or contains(bounded(type_.size), size(element)))


def normal(type_: Type, formula: Formula, sign: bool) -> list[Case]:
    """Return the cases of a formula, or of its complement."""
    kind = formula[0]
    if kind == "not":
        return normal(type_, formula[1], not sign)
    if kind in ("and", "or"):
        if (kind == "or") == sign:
            alternatives = (case for part in formula[1:] for case in normal(type_, part, sign))
            return list(dict.fromkeys(alternatives))[:MOST]
        found = [FREE]
        for part in formula[1:]:
            more = normal(type_, part, sign)
            joined = (case.meets(other) for case in found for other in more)
            found = list(dict.fromkeys(case for case in joined if case is not None))[:MOST]
        return found
    case = literal(type_, formula, sign)
    if isinstance(case, Case):
        return [] if case.meets(FREE) is None else [case]
    return normal(type_, case, True)


def literal(type_: Type, formula: Formula, sign: bool) -> Case | Formula:
    """Return the case of one literal of a formula; or another formula, if the complement has several cases."""
    kind = formula[0]
    if kind == "range":
        return Case(numbers=formula[1] if sign else complement(formula[1]))
    if kind == "size":
        return Case(sizes=intersection(SIZES, formula[1] if sign else complement(formula[1])))
    if kind == "alphabet":
        return Case(alphabet=formula[1]) if sign else Case(outside=(formula[1],))
    if kind == "values":
        if type_.kind in NUMBERS:
            numbers = points(int.from_bytes(octets, "big", signed=True) for octets in formula[1:])
            return Case(numbers=numbers if sign else complement(numbers))
        return Case(among=formula[1:]) if sign else Case(barred=frozenset(formula[1:]))
    if kind == "present":
        number = frozenset([formula[1]])
        return Case(present=number) if sign else Case(absent=number)
    if kind == "child":
        if sign:
            return Case(children=(formula[1:],))
        _, index, inner = formula
        broken = every(("present", index), ("child", index, ("not", inner)))
        if type_.kind in CHOICES or default_holds(type_, index, inner):
            return broken
        return "or", broken, ("not", ("present", index))
    if kind == "each":
        return Case(each=(formula[1],)) if sign else Case(some=(("not", formula[1]),), sizes=((1, inf),))
    assert kind == "one", formula
    assert sign, formula
    return Case(some=(formula[1],), rest=(formula[2],), sizes=((1, inf),))



"""Cases of a formula: values are drawn from one case, so that they satisfy constraints by construction.

A formula becomes a union of cases. A case has a set for each property that constraints refer to: number, size,
alphabet, single values, components, elements. Contradictory cases are left out.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf

from derlib._intervals import (
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
from derlib.inspect import Kind
from derlib.strategies._elements import CHOICES, Element, header
from derlib.strategies._formulas import TRUE, Formula, conjunction, default_holds, holds, size
from derlib.strategies._read import read
from derlib.strategies._types import Type

NUMBERS = (Kind.INTEGER, Kind.NAMED_INTEGER, Kind.ENUMERATED)
# The largest number of cases of a formula that are drawn from.
MAX_CASES = 64


@dataclass(frozen=True)
class Case:
    """A set of values.

    Attributes:
        numbers, sizes, alphabet: of an integer, of a string or list, of a character string.
        outside: alphabets that do not contain all characters.
        single_values: the permitted single values, or None: their contents octets, or elements if the type is a CHOICE.
        excluded_values: the excluded ones, in the same form.
        present, absent: the numbers of components that must be present or absent.
        children: formulas that components satisfy if they are present or have a DEFAULT.
        each, some, rest: formulas that all elements of a list satisfy, that one element each satisfies, and that the
            others satisfy.
    """

    numbers: IntervalSet = EVERYTHING
    sizes: IntervalSet = SIZES
    alphabet: IntervalSet = EVERYTHING
    outside: tuple[IntervalSet, ...] = ()
    single_values: tuple[bytes, ...] | None = None
    excluded_values: frozenset[bytes] = frozenset()
    present: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    children: tuple[tuple[int, Formula], ...] = ()
    each: tuple[Formula, ...] = ()
    some: tuple[Formula, ...] = ()
    rest: tuple[Formula, ...] = ()

    def child(self, number: int) -> Formula:
        """Return the formula of a component."""
        return conjunction(*(formula for index, formula in self.children if index == number))

    def requires(self, type_: Type, number: int) -> bool:
        """Return whether a component must be present."""
        if not type_.optional[number] or number in self.present:
            return True
        return not all(default_holds(type_, number, formula) for index, formula in self.children if index == number)

    def intersect(self, other: Case) -> Case | None:
        """Return the case of values that satisfy both cases, or None if it is empty."""
        values = self.single_values if other.single_values is None else other.single_values
        if self.single_values is not None and other.single_values is not None:
            values = tuple(octets for octets in self.single_values if octets in other.single_values)
        excluded = self.excluded_values | other.excluded_values
        if values is not None:
            values = tuple(octets for octets in values if octets not in excluded)
        made = Case(
            intersection(self.numbers, other.numbers), intersection(self.sizes, other.sizes),
            intersection(self.alphabet, other.alphabet),
            (*self.outside, *other.outside), values, excluded, self.present | other.present, self.absent | other.absent,
            (*self.children, *other.children), (*self.each, *other.each), (*self.some, *other.some),
            (*self.rest, *other.rest),
        )
        empty = not made.numbers or not made.sizes or made.single_values == () or made.present & made.absent
        return None if empty else made


UNCONSTRAINED = Case()


@functools.lru_cache(maxsize=4096)
def cases(type_: Type, formula: Formula) -> tuple[Case, ...]:
    """Return the cases of a formula for values of a type that is not an explicit tag."""
    if formula == TRUE:
        return (UNCONSTRAINED,)
    found = normal_form(type_, formula, True)
    if type_.kind in NUMBERS and found:
        # Only the number of a value matters.
        numbers = interval_set(interval for case in found for interval in case.numbers)
        return (replace(UNCONSTRAINED, numbers=numbers),)
    values = (None if case.single_values is None else satisfying(type_, formula, case.single_values) for case in found)
    checked = (replace(case, single_values=remaining) for case, remaining in zip(found, values, strict=True))
    return tuple(case for case in checked if case.single_values != ())


def satisfying(type_: Type, formula: Formula, values: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the single values that satisfy all constraints."""
    return tuple(octets for octets in values if satisfies(type_, formula, single(type_, octets)))


def single(type_: Type, octets: bytes) -> Element:
    """Return the element of a single value."""
    if type_.kind in CHOICES:
        return read(type_, octets)
    assert type_.tag is not None
    return read(type_, header(type_.tag, len(octets)) + octets)


def satisfies(type_: Type, formula: Formula, element: Element) -> bool:
    """Return whether an element satisfies a formula and the SIZE of its type."""
    return holds(formula, element) and (type_.size is None or contains(bounded(type_.size), size(element)))


def normal_form(type_: Type, formula: Formula, positive: bool) -> list[Case]:
    """Return the cases of a formula; of its complement if `positive` is False."""
    kind = formula[0]
    if kind == "not":
        return normal_form(type_, formula[1], not positive)
    if kind in ("and", "or"):
        if (kind == "or") == positive:
            alternatives = (case for part in formula[1:] for case in normal_form(type_, part, positive))
            return list(dict.fromkeys(alternatives))[:MAX_CASES]
        found = [UNCONSTRAINED]
        for part in formula[1:]:
            more = normal_form(type_, part, positive)
            joined = (case.intersect(other) for case in found for other in more)
            found = list(dict.fromkeys(case for case in joined if case is not None))[:MAX_CASES]
        return found
    case = literal(type_, formula, positive)
    if isinstance(case, Case):
        return [] if case.intersect(UNCONSTRAINED) is None else [case]
    return normal_form(type_, case, True)


def literal(type_: Type, formula: Formula, positive: bool) -> Case | Formula:
    """Return the case of a formula without connectives; if its complement has several cases, return their formula."""
    kind = formula[0]
    if kind == "range":
        return Case(numbers=formula[1] if positive else complement(formula[1]))
    if kind == "size":
        return Case(sizes=intersection(SIZES, formula[1] if positive else complement(formula[1])))
    if kind == "alphabet":
        return Case(alphabet=formula[1]) if positive else Case(outside=(formula[1],))
    if kind == "values":
        if type_.kind in NUMBERS:
            numbers = points(int.from_bytes(octets, "big", signed=True) for octets in formula[1:])
            return Case(numbers=numbers if positive else complement(numbers))
        return Case(single_values=formula[1:]) if positive else Case(excluded_values=frozenset(formula[1:]))
    if kind == "present":
        number = frozenset([formula[1]])
        return Case(present=number) if positive else Case(absent=number)
    if kind == "child":
        if positive:
            return Case(children=(formula[1:],))
        _, index, inner = formula
        broken = conjunction(("present", index), ("child", index, ("not", inner)))
        if type_.kind in CHOICES or default_holds(type_, index, inner):
            return broken
        return "or", broken, ("not", ("present", index))
    if kind == "each":
        return Case(each=(formula[1],)) if positive else Case(some=(("not", formula[1]),), sizes=((1, inf),))
    assert kind == "one", formula
    assert positive, formula
    return Case(some=(formula[1],), rest=(formula[2],), sizes=((1, inf),))



"""Formulas as cases that values can be drawn by, so that a value keeps its constraints by construction.

A formula becomes a union of cases. A case says of each thing that constraints speak of (number, size, alphabet, single
values, components, elements) what it may be, as a set. Cases that contradict themselves are left out.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf

from derlib._core import Kind as K
from derlib._core import Plan
from derlib._schema.compiler.constraints import INTEGER_KINDS
from derlib.strategies._elements import CHOICES, Element, header
from derlib.strategies._formulas import TRUE, Formula, default_holds, every, holds, size
from derlib.strategies._read import read
from derlib.strategies._spans import EVERYTHING, SIZES, Spans, both, bounded, contains, points, spans_of, without

NUMBERS = (*INTEGER_KINDS, K.KIND_ENUMERATED)
# Of a formula with more cases, the first are drawn.
MOST = 64


@dataclass(frozen=True)
class Case:
    """What a value may be.

    Attributes:
        numbers, sizes, alphabet: of an integer, of a string or list, of a character string.
        outside: alphabets that one character at least is not of.
        among: the octets that the value is one of, None where it may be any; contents octets, of a CHOICE elements.
        barred: the octets that it is none of.
        present, absent: the numbers of components that must and must not be there.
        children: formulas of components, where they are there or have a default.
        each, some, rest: formulas of all elements of a list, of one, of those that are not for `some`.
    """

    numbers: Spans = EVERYTHING
    sizes: Spans = SIZES
    alphabet: Spans = EVERYTHING
    outside: tuple[Spans, ...] = ()
    among: tuple[bytes, ...] | None = None
    barred: frozenset[bytes] = frozenset()
    present: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    children: tuple[tuple[int, Formula], ...] = ()
    each: tuple[Formula, ...] = ()
    some: tuple[Formula, ...] = ()
    rest: tuple[Formula, ...] = ()

    def child(self, number: int) -> Formula:
        """The formula of a component."""
        return every(*(formula for index, formula in self.children if index == number))

    def needs(self, plan: Plan, number: int) -> bool:
        """Whether a component must be there."""
        if not plan.optional[number] or number in self.present:
            return True
        return not all(default_holds(plan, number, formula) for index, formula in self.children if index == number)

    def meets(self, other: Case) -> Case | None:
        """What both say; None where no value can keep it."""
        among = self.among if other.among is None else other.among
        if self.among is not None and other.among is not None:
            among = tuple(octets for octets in self.among if octets in other.among)
        barred = self.barred | other.barred
        if among is not None:
            among = tuple(octets for octets in among if octets not in barred)
        made = Case(
            both(self.numbers, other.numbers), both(self.sizes, other.sizes), both(self.alphabet, other.alphabet),
            (*self.outside, *other.outside), among, barred, self.present | other.present, self.absent | other.absent,
            (*self.children, *other.children), (*self.each, *other.each), (*self.some, *other.some),
            (*self.rest, *other.rest),
        )
        empty = not made.numbers or not made.sizes or made.among == () or made.present & made.absent
        return None if empty else made


FREE = Case()


@functools.lru_cache(maxsize=4096)
def cases(plan: Plan, formula: Formula) -> tuple[Case, ...]:
    """The cases of a formula for values of a plan, which is no explicit tag."""
    if formula == TRUE:
        return (FREE,)
    found = normal(plan, formula, True)
    if plan.kind in NUMBERS and found:
        # Nothing but the number counts.
        numbers = spans_of(span for case in found for span in case.numbers)
        return (replace(FREE, numbers=numbers),)
    among = (None if case.among is None else fitting(plan, formula, case.among) for case in found)
    checked = (replace(case, among=kept) for case, kept in zip(found, among, strict=True))
    return tuple(case for case in checked if case.among != ())


def fitting(plan: Plan, formula: Formula, among: Iterable[bytes]) -> tuple[bytes, ...]:
    """The single values that keep all constraints."""
    return tuple(octets for octets in among if fits(plan, formula, single(plan, octets)))


def single(plan: Plan, octets: bytes) -> Element:
    """The element of a single value."""
    if plan.kind in CHOICES:
        return read(plan, octets)
    assert plan.tag is not None
    return read(plan, header(plan.tag, len(octets)) + octets)


def fits(plan: Plan, formula: Formula, element: Element) -> bool:
    return holds(formula, element) and (plan.size is None or contains(bounded(plan.size), size(element)))


def normal(plan: Plan, formula: Formula, sign: bool) -> list[Case]:
    """The cases of a formula, or of its complement."""
    kind = formula[0]
    if kind == "not":
        return normal(plan, formula[1], not sign)
    if kind in ("and", "or"):
        if (kind == "or") == sign:
            alternatives = (case for part in formula[1:] for case in normal(plan, part, sign))
            return list(dict.fromkeys(alternatives))[:MOST]
        found = [FREE]
        for part in formula[1:]:
            more = normal(plan, part, sign)
            joined = (case.meets(other) for case in found for other in more)
            found = list(dict.fromkeys(case for case in joined if case is not None))[:MOST]
        return found
    case = literal(plan, formula, sign)
    if isinstance(case, Case):
        return [] if case.meets(FREE) is None else [case]
    return normal(plan, case, True)


def literal(plan: Plan, formula: Formula, sign: bool) -> Case | Formula:
    """What one thing that a formula says makes of a case; or another formula, for a complement that is larger."""
    kind = formula[0]
    if kind == "range":
        return Case(numbers=formula[1] if sign else without(formula[1]))
    if kind == "size":
        return Case(sizes=both(SIZES, formula[1] if sign else without(formula[1])))
    if kind == "alphabet":
        return Case(alphabet=formula[1]) if sign else Case(outside=(formula[1],))
    if kind == "values":
        if plan.kind in NUMBERS:
            numbers = points(int.from_bytes(octets, "big", signed=True) for octets in formula[1:])
            return Case(numbers=numbers if sign else without(numbers))
        return Case(among=formula[1:]) if sign else Case(barred=frozenset(formula[1:]))
    if kind == "present":
        number = frozenset([formula[1]])
        return Case(present=number) if sign else Case(absent=number)
    if kind == "child":
        if sign:
            return Case(children=(formula[1:],))
        _, index, inner = formula
        broken = every(("present", index), ("child", index, ("not", inner)))
        if plan.kind in CHOICES or default_holds(plan, index, inner):
            return broken
        return "or", broken, ("not", ("present", index))
    if kind == "each":
        return Case(each=(formula[1],)) if sign else Case(some=(("not", formula[1]),), sizes=((1, inf),))
    assert kind == "one", formula
    assert sign, formula
    return Case(some=(formula[1],), rest=(formula[2],), sizes=((1, inf),))



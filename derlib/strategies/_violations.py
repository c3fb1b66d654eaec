"""Violations of constraints: an element is drawn anew so that it violates one constraint and nothing else.

The error is not guessed: `report` of `_formulas` determines it from the drawn element.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import NamedTuple

from hypothesis import reject
from hypothesis.strategies import DrawFn

from derlib.inspect import Kind
from derlib.strategies._draw import Context, Drawing, Scope
from derlib.strategies._elements import LISTS, UNKNOWN, alternative_names
from derlib.strategies._formulas import Formula, blames, first_report
from derlib.strategies._locations import Location, keeps_sizes
from derlib.strategies._min_depth import min_depths
from derlib.strategies._mutations import Mutation
from derlib.strategies._types import Type

BUDGET = 20         # about how many elements an element that violates a constraint has

WORDS = {
    "range": "number outside a value range", "size": "size outside SIZE", "alphabet": "character outside FROM",
    "single-value": "none of the single values", "constraint": "value outside of combined constraints",
    "component-required": "component that must be there left out",
    "component-forbidden": "component that must be absent",
}


class Violation(NamedTuple):
    """A constraint to violate: of a CHOICE at a level, or of the element itself."""

    kind: str
    what: str
    type_: Type
    level: int
    formula: Formula


@functools.lru_cache(maxsize=1024)
def possible(type_: Type) -> tuple[tuple[str, Formula], ...]:
    """Return the violations of the constraints of a type that some value has."""
    return tuple((kind, formula) for kind, formula in blames(type_) if min_depths(type_, formula)[type_, formula] < inf)


def violations_of(location: Location) -> Iterator[Violation]:
    """Yield the constraint violations of one element."""
    element = location.element
    if element.may_mismatch or element.number == UNKNOWN:
        return
    levels = [type_ for type_, _ in element.chosen]
    if not element.chosen or element.chosen[-1][1] != UNKNOWN:
        levels.append(element.type)
    for level, type_ in enumerate(levels):
        for kind, formula in possible(type_):
            yield Violation(kind, WORDS[kind], type_, level, formula)


def broken(draw: DrawFn, location: Location, violation: Violation) -> Mutation:
    """Return an element that violates a constraint, with the error for it."""
    old, level = location.element, violation.level
    context = Context(BUDGET, len(location.trail), scope_of(location), {})
    new = Drawing(draw, True).drawn((violation.type_, violation.formula), context)
    new = replace(new, chosen=(*old.chosen[:level], *new.chosen), number=old.number)
    in_set = location.parent is not None and location.parent.type.kind == Kind.SET
    said = first_report(violation.type_, new, level)
    if said is None or said.kind != violation.kind or (in_set and new.tag != old.tag):
        # With another tag it might be out of order. A component with its DEFAULT value would have been left out.
        return reject()
    if not keeps_sizes(location, new.octets):
        return reject()
    path = location.unselected_path + alternative_names(old.chosen[:level]) + said.path
    return Mutation(said.kind, new.octets, path, said.shift, violation.what)


def scope_of(location: Location) -> Scope | None:
    """Return the SEQUENCE in which open types in the element find their selector."""
    for around, _ in reversed(location.trail):
        if around.type.kind in (Kind.SEQUENCE, Kind.SET):
            return Scope(around.type, list(around.children))
        if around.type.kind not in LISTS and around.type.kind != Kind.EXPLICIT:
            return None
    return None

"""Violations of constraints: an element is drawn again so that it violates one constraint and nothing else.

`report` of `_formulas` determines the error from the drawn element.
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
from derlib.strategies._formulas import Formula, first_report, violations
from derlib.strategies._locations import Location, keeps_sizes
from derlib.strategies._min_depth import min_depths
from derlib.strategies._mutations import Mutation
from derlib.strategies._types import Type

BUDGET = 20         # about how many elements an element that violates a constraint has

DESCRIPTIONS = {
    "range": "number outside a value range", "size": "size outside SIZE", "alphabet": "character outside FROM",
    "single-value": "value that is not one of the single values", "constraint": "value outside of combined constraints",
    "component-required": "required component left out",
    "component-forbidden": "forbidden component present",
}


class Violation(NamedTuple):
    """A constraint to violate: of a CHOICE at a level, or of the element itself."""

    kind: str
    description: str
    type_: Type
    level: int
    formula: Formula


@functools.lru_cache(maxsize=1024)
def possible_violations(type_: Type) -> tuple[tuple[str, Formula], ...]:
    """Return the violations of the constraints of a type that at least one value has."""
    found = violations(type_)
    return tuple((kind, formula) for kind, formula in found if min_depths(type_, formula)[type_, formula] < inf)


def violations_of(location: Location) -> Iterator[Violation]:
    """Yield the constraint violations of one element."""
    element = location.element
    if element.may_mismatch or element.number == UNKNOWN:
        return
    levels = [type_ for type_, _ in element.chosen]
    if not element.chosen or element.chosen[-1][1] != UNKNOWN:
        levels.append(element.type)
    for level, type_ in enumerate(levels):
        for kind, formula in possible_violations(type_):
            yield Violation(kind, DESCRIPTIONS[kind], type_, level, formula)


def draw_violation(draw: DrawFn, location: Location, violation: Violation) -> Mutation:
    """Draw an element that violates a constraint, and return it with the error for it."""
    old, level = location.element, violation.level
    context = Context(BUDGET, len(location.trail), scope_of(location), {})
    new = Drawing(draw, True).drawn((violation.type_, violation.formula), context)
    new = replace(new, chosen=(*old.chosen[:level], *new.chosen), number=old.number)
    in_set = location.parent is not None and location.parent.type.kind == Kind.SET
    report = first_report(violation.type_, new, level)
    if report is None or report.kind != violation.kind or (in_set and new.tag != old.tag):
        # Another tag can be out of order in a SET. A component with its DEFAULT value is left out.
        return reject()
    if not keeps_sizes(location, new.encoding):
        return reject()
    path = location.unselected_path + alternative_names(old.chosen[:level]) + report.path
    return Mutation(report.kind, new.encoding, path, report.shift, violation.description)


def scope_of(location: Location) -> Scope | None:
    """Return the SEQUENCE in which open types in the element find their selector."""
    for around, _ in reversed(location.trail):
        if around.type.kind in (Kind.SEQUENCE, Kind.SET):
            return Scope(around.type, list(around.children))
        if around.type.kind not in LISTS and around.type.kind != Kind.EXPLICIT:
            return None
    return None

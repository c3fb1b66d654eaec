"""How the rules of constraints are broken: by an element that is drawn anew, to break one rule and nothing else.

What is said of it is not guessed: `derlib.strategies._formulas.report` finds it in what was drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import NamedTuple

from hypothesis import reject
from hypothesis.strategies import DrawFn

from derlib._core import Kind as K
from derlib._core import Plan
from derlib.strategies._breaks import Break
from derlib.strategies._draw import Drawing, Place, Scope
from derlib.strategies._elements import LISTS, UNKNOWN, arms_of
from derlib.strategies._formulas import Formula, blames, first_report
from derlib.strategies._heights import heights
from derlib.strategies._sites import Site, keeps_sizes

BUDGET = 20         # elements of the one that breaks a rule

WORDS = {
    "range": "number outside a value range", "size": "size outside SIZE", "alphabet": "character outside FROM",
    "single-value": "none of the single values", "constraint": "value outside of combined constraints",
    "component-required": "component that must be there left out",
    "component-forbidden": "component that must be absent",
}


class Violation(NamedTuple):
    """A rule to break: of a CHOICE at a level, or of the element that was chosen from all of them."""

    kind: str
    what: str
    plan: Plan
    level: int
    formula: Formula


@functools.lru_cache(maxsize=1024)
def possible(plan: Plan) -> tuple[tuple[str, Formula], ...]:
    """The ways to break the rules of a plan that some value takes."""
    return tuple((kind, formula) for kind, formula in blames(plan) if heights(plan, formula)[plan, formula] < inf)


def violations_of(site: Site) -> Iterator[Violation]:
    """Each way to break a rule at one element."""
    element = site.element
    if element.may_mismatch or element.number == UNKNOWN:
        return
    levels = [plan for plan, _ in element.chosen]
    if not element.chosen or element.chosen[-1][1] != UNKNOWN:
        levels.append(element.plan)
    for level, plan in enumerate(levels):
        for kind, formula in possible(plan):
            yield Violation(kind, WORDS[kind], plan, level, formula)


def broken(draw: DrawFn, site: Site, violation: Violation) -> Break:
    """The element that breaks a rule, with what is said of it."""
    old, level = site.element, violation.level
    place = Place(BUDGET, len(site.trail), scope_of(site), {})
    new = Drawing(draw, True).drawn((violation.plan, violation.formula), place)
    new = replace(new, chosen=(*old.chosen[:level], *new.chosen), number=old.number)
    in_set = site.parent is not None and site.parent.plan.kind == K.KIND_SET
    said = first_report(violation.plan, new, level)
    if said is None or said.kind != violation.kind or (in_set and new.tag != old.tag):
        # Another tag might be out of order, and a component with its default value was left out.
        return reject()
    if not keeps_sizes(site, new.octets):
        return reject()
    path = site.place + arms_of(old.chosen[:level]) + said.path
    return Break(said.kind, new.octets, path, said.shift, violation.what)


def scope_of(site: Site) -> Scope | None:
    """The SEQUENCE in which open types in the element find their selector."""
    for around, _ in reversed(site.trail):
        if around.plan.kind in (K.KIND_SEQUENCE, K.KIND_SET):
            return Scope(around.plan, list(around.children))
        if around.plan.kind not in LISTS and around.plan.kind != K.KIND_EXPLICIT:
            return None
    return None

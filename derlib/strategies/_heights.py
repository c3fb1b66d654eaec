"""How many levels the flattest value of a type has under its constraints: where recursion ends, and where nothing is.

Called by `derlib.strategies._draw`, which takes the shortest way out when its budget is spent.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple, TypeAlias

from derlib._core import Kind as K
from derlib._core import Plan
from derlib._schema.compiler import plan_of
from derlib.strategies._cases import Case, cases
from derlib.strategies._constrained import primitive, sizes
from derlib.strategies._contents import RULES
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN_STRINGS, UNKNOWN
from derlib.strategies._formulas import TRUE, Formula, every, own
from derlib.strategies._spans import both

# A type with a formula that its values keep: its own constraints, and what is said of it from outside.
Node: TypeAlias = tuple[Plan, Formula]


class Way(NamedTuple):
    """What a value that is drawn by one case needs: all of `all_of`, and one of `one_of` where that is not None."""

    levels: int
    all_of: tuple[Node, ...] = ()
    one_of: tuple[Node, ...] | None = None


def node(plan: Plan, formula: Formula = TRUE) -> Node:
    """A type with its own constraints, and those that stand around it."""
    return plan, every(own(plan), formula)


def alternatives(plan: Plan, case: Case) -> list[tuple[int, Node]]:
    """The alternatives of a CHOICE that a case allows; UNKNOWN of an extensible one."""
    found = [
        (number, node(part, case.child(number))) for number, part in enumerate(plan.plans)
        if number not in case.absent and not case.present - {number}
    ]
    if plan.insertion is not None and not case.present:
        found.append((UNKNOWN, (plan_of(Any), TRUE)))
    return found


def references(plan: Plan, case: Case) -> bool:
    """X.690 8.18: whether an EXTERNAL may have one of its references."""
    return plan.one_of == 0 or any(number not in case.absent for number in range(plan.one_of))


def way(plan: Plan, case: Case) -> Way | None:
    """What a value needs that is drawn by a case; None where it is plain that there is none."""
    if case.among is not None:
        return Way(1)
    if plan.kind in FIELDS:
        needed = [number for number in range(len(plan.plans)) if case.needs(plan, number)]
        if case.absent.intersection(needed) or not references(plan, case):
            return None
        return Way(1, tuple(node(plan.plans[number], case.child(number)) for number in needed))
    if plan.kind in CHOICES:
        return Way(0, (), tuple(part for _, part in alternatives(plan, case)))
    if plan.kind in LISTS:
        allowed = both(sizes(plan, case), ((len(case.some), inf),))
        if not allowed:
            return None
        needed_nodes = [node(plan.element, every(*case.each, formula)) for formula in case.some]
        if allowed[0][0] > len(case.some):
            needed_nodes.append(node(plan.element, every(*case.each, *case.rest)))
        return Way(1, tuple(needed_nodes))
    if plan.kind in OPEN_STRINGS:
        if not sizes(plan, case):
            return None
        return Way(1, () if plan.contained is None else (node(plan.contained),))
    return Way(1) if plan.kind not in RULES or primitive(plan, case, True) is not None else None


def ways(plan: Plan, formula: Formula) -> Iterator[Way]:
    if plan.kind == K.KIND_EXPLICIT:
        yield Way(1, (node(plan.element, formula),))
        return
    for case in cases(plan, formula):
        found = way(plan, case)
        if found is not None:
            yield found


def inside(plan: Plan, formula: Formula) -> Iterator[Node]:
    """The types whose heights are asked while a value is drawn, open types aside."""
    if plan.kind == K.KIND_EXPLICIT:
        yield node(plan.element, formula)
        return
    for case in cases(plan, formula):
        if plan.kind in FIELDS:
            for number, part in enumerate(plan.plans):
                yield node(part, case.child(number))
        elif plan.kind in CHOICES:
            yield from (part for _, part in alternatives(plan, case))
        elif plan.kind in LISTS:
            yield node(plan.element, every(*case.each, *case.rest))
            for formula_of_one in case.some:
                yield node(plan.element, every(*case.each, formula_of_one))
        elif plan.contained is not None:
            yield node(plan.contained)


@functools.lru_cache(maxsize=1024)
def heights(plan: Plan, formula: Formula) -> dict[Node, float]:
    """The height of each type within one, under its constraints; infinite where it has no finite value."""
    known: dict[Node, list[Way]] = {}
    todo = [(plan, formula)]
    while todo:
        at = todo.pop()
        if at not in known:
            at[0].ready()
            known[at] = list(ways(*at))
            todo.extend(inside(*at))
    found: dict[Node, float] = dict.fromkeys(known, inf)
    before: dict[Node, float] = {}
    while before != found:
        before = dict(found)
        for at, choices in known.items():
            found[at] = min((height(one, found) for one in choices), default=inf)
    return found


def height(one: Way, found: dict[Node, float]) -> float:
    """The height of a value that is drawn in one way."""
    least = max((found[part] for part in one.all_of), default=0)
    if one.one_of is not None:
        least = max(least, min((found[part] for part in one.one_of), default=inf))
    return one.levels + least

"""The least depth of the values of a type under its constraints.

`_draw` uses it to end a recursion when its budget is spent, and to detect types without finite values.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple, TypeAlias

from derlib._intervals import intersection
from derlib.inspect import Kind
from derlib.strategies._cases import Case, cases
from derlib.strategies._constrained import primitive, sizes
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN_STRINGS, UNKNOWN
from derlib.strategies._formulas import TRUE, Formula, conjunction, own_formula
from derlib.strategies._types import Type, type_of

# A type with a formula that its values satisfy: its own constraints, and those of the types around it.
Node: TypeAlias = tuple[Type, Formula]


class MinimalForm(NamedTuple):
    """The parts that a value of one case needs: all of `all_of`, and one of `one_of` unless it is None."""

    levels: int
    all_of: tuple[Node, ...] = ()
    one_of: tuple[Node, ...] | None = None


def node(type_: Type, formula: Formula = TRUE) -> Node:
    """Return a type with its own constraints, and those around it."""
    return type_, conjunction(own_formula(type_), formula)


def alternatives(type_: Type, case: Case) -> list[tuple[int, Node]]:
    """Return the alternatives of a CHOICE that a case allows; UNKNOWN for an extensible CHOICE."""
    found = [
        (number, node(part, case.child(number))) for number, part in enumerate(type_.types)
        if number not in case.absent and not case.present - {number}
    ]
    if type_.extension_index is not None and not case.present:
        found.append((UNKNOWN, (type_of(Any), TRUE)))
    return found


def references(type_: Type, case: Case) -> bool:
    """Return whether an EXTERNAL can have one of its references (X.690 8.18)."""
    return type_.one_of == 0 or any(number not in case.absent for number in range(type_.one_of))


def minimal_form(type_: Type, case: Case) -> MinimalForm | None:
    """Return the parts that a value of a case needs, or None if it obviously has no value."""
    if case.single_values is not None:
        return MinimalForm(1)
    if type_.kind in FIELDS:
        needed = [number for number in range(len(type_.types)) if case.requires(type_, number)]
        if case.absent.intersection(needed) or not references(type_, case):
            return None
        return MinimalForm(1, tuple(node(type_.types[number], case.child(number)) for number in needed))
    if type_.kind in CHOICES:
        return MinimalForm(0, (), tuple(part for _, part in alternatives(type_, case)))
    if type_.kind in LISTS:
        allowed = intersection(sizes(type_, case), ((len(case.some), inf),))
        if not allowed:
            return None
        needed_nodes = [node(type_.element, conjunction(*case.each, formula)) for formula in case.some]
        if allowed[0][0] > len(case.some):
            needed_nodes.append(node(type_.element, conjunction(*case.each, *case.rest)))
        return MinimalForm(1, tuple(needed_nodes))
    if type_.kind in OPEN_STRINGS:
        if not sizes(type_, case):
            return None
        return MinimalForm(1, () if type_.contained is None else (node(type_.contained),))
    return MinimalForm(1) if type_.kind not in PRIMITIVES or primitive(type_, case, True) is not None else None


def minimal_forms(type_: Type, formula: Formula) -> Iterator[MinimalForm]:
    """Yield the minimal form of each case that can have values."""
    if type_.kind == Kind.EXPLICIT:
        yield MinimalForm(1, (node(type_.element, formula),))
        return
    for case in cases(type_, formula):
        found = minimal_form(type_, case)
        if found is not None:
            yield found


def inside(type_: Type, formula: Formula) -> Iterator[Node]:
    """Yield the types whose depth is needed while a value is drawn, except those in open types."""
    if type_.kind == Kind.EXPLICIT:
        yield node(type_.element, formula)
        return
    for case in cases(type_, formula):
        if type_.kind in FIELDS:
            for number, part in enumerate(type_.types):
                yield node(part, case.child(number))
        elif type_.kind in CHOICES:
            yield from (part for _, part in alternatives(type_, case))
        elif type_.kind in LISTS:
            yield node(type_.element, conjunction(*case.each, *case.rest))
            for formula_of_one in case.some:
                yield node(type_.element, conjunction(*case.each, formula_of_one))
        elif type_.contained is not None:
            yield node(type_.contained)


@functools.lru_cache(maxsize=1024)
def min_depths(type_: Type, formula: Formula) -> dict[Node, float]:
    """Return the least depth of each type inside a type, under its constraints; infinite without a finite value."""
    known: dict[Node, list[MinimalForm]] = {}
    todo = [(type_, formula)]
    while todo:
        at = todo.pop()
        if at not in known:
            known[at] = list(minimal_forms(*at))
            todo.extend(inside(*at))
    found: dict[Node, float] = dict.fromkeys(known, inf)
    before: dict[Node, float] = {}
    while before != found:
        before = dict(found)
        for at, choices in known.items():
            found[at] = min((min_depth(one, found) for one in choices), default=inf)
    return found


def min_depth(one: MinimalForm, found: dict[Node, float]) -> float:
    """Return the least depth of a value of one form."""
    least = max((found[part] for part in one.all_of), default=0)
    if one.one_of is not None:
        least = max(least, min((found[part] for part in one.one_of), default=inf))
    return one.levels + least

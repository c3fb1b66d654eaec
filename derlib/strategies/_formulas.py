"""Constraints (X.680 50, 51) as formulas: whether an element satisfies them, and which one it violates.

`CompiledConstraint.facts` become trees of tuples, which are easy to negate and combine. `derlib.strategies._cases` draws
values from them. `report` predicts the error that the core raises for an element that violates a constraint.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from derlib._core import Kind as K
from derlib._core import Plan
from derlib._schema.compiler.constraints import MUST_BE, MUST_NOT_BE
from derlib.strategies._contents import RULES
from derlib.strategies._elements import CHOICES, LISTS, Element
from derlib.strategies._match import EMPTY, Path
from derlib.strategies._read import read
from derlib.strategies._spans import bounded, contains, spans_of

# ("and", f, ...), ("or", f, ...), ("not", f), ("range", spans), ("size", spans), ("alphabet", spans),
# ("values", octets, ...), ("present", number), ("child", number, f), ("each", f); ("one", f, g): one element of a list
# keeps f, each other one g
Formula: TypeAlias = tuple[Any, ...]
Facts: TypeAlias = tuple[Any, ...]
TRUE: Formula = ("and",)


def every(*formulas: Formula) -> Formula:
    """What holds where all of them do."""
    kept = tuple(dict.fromkeys(formula for formula in formulas if formula != TRUE))
    return kept[0] if len(kept) == 1 else ("and", *kept)


@functools.lru_cache(maxsize=4096)
def formula_of(facts: Facts) -> Formula:
    """The formula of one constraint."""
    kind, constraints, bounds, values, characters, parts = facts
    if kind in ("CONSTRAINT_INTERSECTION", "CONSTRAINT_UNION"):
        return ("and" if kind == "CONSTRAINT_INTERSECTION" else "or", *map(formula_of, constraints))
    if kind == "CONSTRAINT_EXCEPT":
        return "not", formula_of(constraints[0])
    if kind == "CONSTRAINT_RANGE":
        return "range", bounded(bounds[1])
    if kind == "CONSTRAINT_SIZE":
        return "size", bounded(bounds[0])
    if kind == "CONSTRAINT_ALPHABET":
        return "alphabet", spans_of(characters)
    if kind == "CONSTRAINT_VALUES":
        return ("values", *values)
    if kind == "CONSTRAINT_ELEMENTS":
        return "each", formula_of(constraints[0])
    return every(*(formula for part in parts for formula in part_formulas(part)))


def part_formulas(part: Facts) -> Iterator[Formula]:
    """What WITH COMPONENTS says of one component."""
    number, presence, constraint = part
    if presence == MUST_BE:
        yield "present", number
    elif presence == MUST_NOT_BE:
        yield "not", ("present", number)
    if constraint is not None:
        yield "child", number, formula_of(constraint)


@functools.lru_cache(maxsize=4096)
def own(plan: Plan) -> Formula:
    """What the constraints of a plan say; one Size and one Range stand in the plan itself."""
    return every(*(formula_of(constraint.facts) for constraint in plan.constraints))


# Whether an element keeps a formula. `level` says which of the CHOICEs that it was chosen from is asked.


def holds(formula: Formula, element: Element, level: int = 0) -> bool:
    kind = formula[0]
    if kind == "and":
        return all(holds(part, element, level) for part in formula[1:])
    if kind == "or":
        return any(holds(part, element, level) for part in formula[1:])
    if kind == "not":
        return not holds(formula[1], element, level)
    if level < len(element.chosen):
        return choice_holds(formula, element, level)
    if element.plan.kind == K.KIND_EXPLICIT:
        return holds(formula, element.children[0])
    if kind == "range":
        return contains(formula[1], int.from_bytes(element.contents, "big", signed=True))
    if kind == "size":
        return contains(formula[1], size(element))
    if kind == "alphabet":
        return all(contains(formula[1], ord(character)) for character in text(element))
    if kind == "values":
        return element.contents in formula[1:]
    if kind == "each":
        return all(holds(formula[1], child) for child in element.children)
    child = next((child for child in element.children if child.number == formula[1]), None)
    if kind == "present":
        return child is not None
    if child is not None:
        return holds(formula[2], child)
    return default_holds(element.plan, formula[1], formula[2])


def choice_holds(formula: Formula, element: Element, level: int) -> bool:
    if formula[0] == "values":
        return element.octets in formula[1:]
    chosen: bool = element.chosen[level][1] == formula[1]
    if formula[0] == "present":
        return chosen
    return not chosen or holds(formula[2], element, level + 1)


@functools.lru_cache(maxsize=4096)
def default_holds(plan: Plan, number: int, formula: Formula) -> bool:
    """Whether a component that is left out keeps a formula: one with a DEFAULT has that value (X.680 25.11)."""
    octets = plan.default_octets[number]
    return octets is None or holds(formula, read(plan.plans[number], octets))


def text(element: Element) -> str:
    """The characters of a string; the alphabet of one that contains an encoding is not asked."""
    constraint = RULES[element.plan.kind]
    return element.contents.decode(constraint.encoding or "latin-1")


def size(element: Element) -> int:
    """What SIZE counts (X.680 51.5.3)."""
    kind, contents = element.plan.kind, element.contents
    if kind in (K.KIND_BIT_STRING, K.KIND_NAMED_BITS, K.KIND_OPEN_BITS):
        return 8 * (len(contents) - 1) - contents[0]
    if kind in LISTS:
        return len(element.children)
    constraint = RULES.get(kind)
    return len(text(element)) if constraint is not None and constraint.encoding else len(contents)


# What the core says of an element that breaks a constraint.


class Report(NamedTuple):
    """The kind of error, its path and its distance from the beginning of the element."""

    kind: str
    path: Path
    shift: int


LEAVES = {"CONSTRAINT_RANGE": "range", "CONSTRAINT_SIZE": "size", "CONSTRAINT_ALPHABET": "alphabet", "CONSTRAINT_VALUES": "single-value"}


def first_report(plan: Plan, element: Element, level: int) -> Report | None:
    """The report of the first constraint of a plan that an element breaks."""
    broken = (constraint.facts for constraint in plan.constraints if not holds(formula_of(constraint.facts), element, level))
    return next((report(facts, element, level) for facts in broken), None)


def report(facts: Facts, element: Element, level: int = 0, shift: int = 0) -> Report:
    """The innermost constraint, and the part, that alone is to blame."""
    kind, constraints, parts = facts[0], facts[1], facts[5]
    if kind == "CONSTRAINT_INTERSECTION":
        return report(constraints[holds(formula_of(constraints[0]), element, level)], element, level, shift)
    while element.plan.kind == K.KIND_EXPLICIT and level == len(element.chosen):
        element, level, shift = element.children[0], 0, shift + inside(element)
    if kind == "CONSTRAINT_ELEMENTS":
        shift += inside(element)
        for index, child in enumerate(element.children):
            if not holds(formula_of(constraints[0]), child):
                return within(index, report(constraints[0], child, 0, shift))
            shift += len(child.octets)
    for part in parts:
        if not all(holds(formula, element, level) for formula in part_formulas(part)):
            return part_report(part, element, level, shift)
    is_list = level == len(element.chosen) and element.plan.kind in LISTS
    return Report("constraint" if is_list and kind == "CONSTRAINT_SIZE" else LEAVES.get(kind, "constraint"), EMPTY, shift)


def part_report(part: Facts, element: Element, level: int, shift: int) -> Report:
    number, presence, constraint = part
    at_choice = level < len(element.chosen)
    name = (element.chosen[level][0] if at_choice else element.plan).names[number]
    end = shift + len(element.octets)
    found: Element | None = element
    below = level + 1
    if at_choice:
        found = element if element.chosen[level][1] == number else None
    else:
        below, shift, found = 0, shift + inside(element), None
        for child in element.children:
            if child.number == number:
                found = child
                break
            shift += len(child.octets)
    if found is None:
        return Report("component-required", (name,), end)
    if presence == MUST_NOT_BE:
        return Report("component-forbidden", (name,), shift)
    return within(name, report(constraint, found, below, shift))


def within(step: str | int, said: Report) -> Report:
    return Report(said.kind, (step, *said.path), said.shift)


def inside(element: Element) -> int:
    """How far the first child stands from the beginning of an element."""
    return len(element.octets) - len(element.contents)


# How a constraint can be broken: what the core will call it, and what must hold of the element.


def blames(plan: Plan) -> Iterator[tuple[str, Formula]]:
    """Yield the kinds of error that the constraints of a plan cause, each with a formula of the elements that cause it."""
    before: list[Formula] = []
    for constraint in plan.constraints:
        for kind, formula in constraint_blames(constraint.facts, plan):
            yield kind, every(*before, formula)
        before.append(formula_of(constraint.facts))


def constraint_blames(facts: Facts, plan: Plan) -> Iterator[tuple[str, Formula]]:
    kind, constraints, parts = facts[0], facts[1], facts[5]
    if kind == "CONSTRAINT_INTERSECTION":
        yield from constraint_blames(constraints[0], plan)
        for said, formula in constraint_blames(constraints[1], plan):
            yield said, every(formula_of(constraints[0]), formula)
        return
    while plan.kind == K.KIND_EXPLICIT:
        plan = plan.element
    if kind == "CONSTRAINT_ELEMENTS":
        for said, formula in constraint_blames(constraints[0], plan.element):
            yield said, ("one", formula, formula_of(constraints[0]))
    elif kind == "CONSTRAINT_COMPONENTS":
        before: list[Formula] = []
        for part in parts:
            for said, formula in part_blames(part, plan):
                yield said, every(*before, formula)
            before.extend(part_formulas(part))
    else:
        is_list = kind == "CONSTRAINT_SIZE" and plan.kind in LISTS
        yield "constraint" if is_list else LEAVES.get(kind, "constraint"), ("not", formula_of(facts))


def part_blames(part: Facts, plan: Plan) -> Iterator[tuple[str, Formula]]:
    number, presence, constraint = part
    present = ("present", number)
    if presence == MUST_BE:
        yield "component-required", ("not", present)
    elif presence == MUST_NOT_BE:
        yield "component-forbidden", present
    if constraint is None:
        return
    if plan.kind not in CHOICES and not default_holds(plan, number, formula_of(constraint)):
        yield "component-required", ("not", present)
    if presence != MUST_NOT_BE:
        for said, formula in constraint_blames(constraint, plan.plans[number]):
            yield said, every(present, ("child", number, formula))

"""Constraints (X.680 50, 51) as formulas: whether an element satisfies them, and which one it violates.

The constraints of `derlib.inspect` become trees of tuples, which are easy to negate and combine. `_cases` draws values
from them. `report` predicts the error that the core raises for an element that violates a constraint.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple, TypeAlias

from derlib import inspect
from derlib.inspect import ComponentConstraint, ConstraintInfo, Kind
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._elements import CHOICES, LISTS, Element
from derlib.strategies._intervals import bounded, contains, interval_set
from derlib.strategies._match import EMPTY, Path
from derlib.strategies._read import read
from derlib.strategies._types import Type

# ("and", f, ...), ("or", f, ...), ("not", f), ("range", intervals), ("size", intervals), ("alphabet", intervals),
# ("values", octets, ...), ("present", number), ("child", number, f), ("each", f); ("one", f, g): one element of a list
# keeps f, each other one g
Formula: TypeAlias = tuple[Any, ...]
TRUE: Formula = ("and",)


def every(*formulas: Formula) -> Formula:
    """Return the formula of values that satisfy all of the formulas."""
    kept = tuple(dict.fromkeys(formula for formula in formulas if formula != TRUE))
    return kept[0] if len(kept) == 1 else ("and", *kept)


@functools.lru_cache(maxsize=4096)
def formula_of(constraint: ConstraintInfo) -> Formula:
    """Return the formula of one constraint."""
    match constraint:
        case inspect.IntersectionConstraint(parts):
            return ("and", *map(formula_of, parts))
        case inspect.UnionConstraint(parts):
            return ("or", *map(formula_of, parts))
        case inspect.ExceptConstraint(part):
            return "not", formula_of(part)
        case inspect.RangeConstraint(low, high):
            return "range", bounded((low, high))
        case inspect.SizeConstraint(low, high):
            return "size", bounded((low, high))
        case inspect.AlphabetConstraint(ranges):
            return "alphabet", interval_set(ranges)
        case inspect.ValuesConstraint(encodings):
            return ("values", *encodings)
        case inspect.ElementsConstraint(part):
            return "each", formula_of(part)
        case inspect.ComponentsConstraint(components):
            return every(*(formula for component in components for formula in component_formulas(component)))
    raise AssertionError(constraint)


def component_formulas(constraint: ComponentConstraint) -> Iterator[Formula]:
    """Yield the formulas of WITH COMPONENTS for one component."""
    if constraint.presence == "present":
        yield "present", constraint.number
    elif constraint.presence == "absent":
        yield "not", ("present", constraint.number)
    if constraint.part is not None:
        yield "child", constraint.number, formula_of(constraint.part)


@functools.lru_cache(maxsize=4096)
def own(type_: Type) -> Formula:
    """Return the formula of the constraints of a type, without its one `size` and `range`."""
    return every(*(formula_of(constraint) for constraint in type_.constraints))


# Whether an element satisfies a formula. `level` selects one of the CHOICEs that it is an alternative of.


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
    if element.type.kind == Kind.EXPLICIT:
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
    return default_holds(element.type, formula[1], formula[2])


def choice_holds(formula: Formula, element: Element, level: int) -> bool:
    if formula[0] == "values":
        return element.octets in formula[1:]
    chosen: bool = element.chosen[level][1] == formula[1]
    if formula[0] == "present":
        return chosen
    return not chosen or holds(formula[2], element, level + 1)


@functools.lru_cache(maxsize=4096)
def default_holds(type_: Type, number: int, formula: Formula) -> bool:
    """Return whether a component that is left out satisfies a formula, with its DEFAULT value (X.680 25.11)."""
    octets = type_.defaults[number]
    return octets is None or holds(formula, read(type_.types[number], octets))


def text(element: Element) -> str:
    """Return the characters of a string. Strings that contain an encoding have no permitted alphabet."""
    constraint = PRIMITIVES[element.type.kind]
    return element.contents.decode(constraint.encoding or "latin-1")


def size(element: Element) -> int:
    """Return the size that SIZE refers to (X.680 51.5.3)."""
    kind, contents = element.type.kind, element.contents
    if kind in (Kind.BIT_STRING, Kind.NAMED_BITS, Kind.OPEN_BITS):
        return 8 * (len(contents) - 1) - contents[0]
    if kind in LISTS:
        return len(element.children)
    constraint = PRIMITIVES.get(kind)
    return len(text(element)) if constraint is not None and constraint.encoding else len(contents)


# The error that the core raises for an element that violates a constraint.


class Report(NamedTuple):
    """The kind of an error, its path and its distance from the beginning of the element."""

    kind: str
    path: Path
    shift: int


def first_report(type_: Type, element: Element, level: int) -> Report | None:
    """Return the report of the first constraint of a type that an element violates."""
    for constraint in type_.constraints:
        if not holds(formula_of(constraint), element, level):
            return report(constraint, element, level)
    return None


def report(constraint: ConstraintInfo, element: Element, level: int = 0, shift: int = 0) -> Report:
    """Return the report of the innermost constraint, and component, that alone is violated."""
    if isinstance(constraint, inspect.IntersectionConstraint):
        first, second = constraint.parts
        violated = second if holds(formula_of(first), element, level) else first
        return report(violated, element, level, shift)
    while element.type.kind == Kind.EXPLICIT and level == len(element.chosen):
        element, level, shift = element.children[0], 0, shift + inside(element)
    if isinstance(constraint, inspect.ElementsConstraint):
        shift += inside(element)
        for index, child in enumerate(element.children):
            if not holds(formula_of(constraint.part), child):
                return within(index, report(constraint.part, child, 0, shift))
            shift += len(child.octets)
    if isinstance(constraint, inspect.ComponentsConstraint):
        for component in constraint.parts:
            if not all(holds(formula, element, level) for formula in component_formulas(component)):
                return component_report(component, element, level, shift)
    is_list = level == len(element.chosen) and element.type.kind in LISTS
    return Report(kind_of(constraint, is_list, is_list and not element.children), EMPTY, shift)


def component_report(constraint: ComponentConstraint, element: Element, level: int, shift: int) -> Report:
    at_choice = level < len(element.chosen)
    name = (element.chosen[level][0] if at_choice else element.type).names[constraint.number]
    end = shift + len(element.octets)
    found: Element | None = element
    below = level + 1
    if at_choice:
        found = element if element.chosen[level][1] == constraint.number else None
    else:
        below, shift, found = 0, shift + inside(element), None
        for child in element.children:
            if child.number == constraint.number:
                found = child
                break
            shift += len(child.octets)
    if found is None:
        return Report("component-required", (name,), end)
    if constraint.presence == "absent" or constraint.part is None:
        return Report("component-forbidden", (name,), shift)
    return within(name, report(constraint.part, found, below, shift))


def kind_of(constraint: ConstraintInfo, is_list: bool, is_empty: bool) -> str:
    """Return the kind of error of a constraint that is not made of constraints on parts.

    Of a list, only an empty one has the kind "size", because `Deviation.EMPTY_LIST` tolerates it.
    """
    if is_list and is_about_size(constraint):
        return "size" if is_empty else "constraint"
    return LEAVES.get(type(constraint), "constraint")


def is_about_size(constraint: ConstraintInfo) -> bool:
    """Return whether only the size decides which values satisfy a constraint."""
    if isinstance(constraint, (inspect.UnionConstraint, inspect.IntersectionConstraint)):
        return all(map(is_about_size, constraint.parts))
    if isinstance(constraint, inspect.ExceptConstraint):
        return is_about_size(constraint.part)
    return isinstance(constraint, inspect.SizeConstraint)


LEAVES: dict[type[ConstraintInfo], str] = {
    inspect.RangeConstraint: "range",
    inspect.SizeConstraint: "size",
    inspect.AlphabetConstraint: "alphabet",
    inspect.ValuesConstraint: "single-value",
}


def within(step: str | int, said: Report) -> Report:
    return Report(said.kind, (step, *said.path), said.shift)


def inside(element: Element) -> int:
    """Return the distance from the beginning of an element to its first child."""
    return len(element.octets) - len(element.contents)


# How a constraint can be violated: the kind of error, and a formula of the elements that cause it.


def blames(type_: Type) -> Iterator[tuple[str, Formula]]:
    """Yield the kinds of error that the constraints of a type cause, each with a formula of elements that cause it."""
    before: list[Formula] = []
    for constraint in type_.constraints:
        for kind, formula in constraint_blames(constraint, type_):
            yield kind, every(*before, formula)
        before.append(formula_of(constraint))


def constraint_blames(constraint: ConstraintInfo, type_: Type) -> Iterator[tuple[str, Formula]]:
    if isinstance(constraint, inspect.IntersectionConstraint):
        first, second = constraint.parts
        yield from constraint_blames(first, type_)
        for said, formula in constraint_blames(second, type_):
            yield said, every(formula_of(first), formula)
        return
    while type_.kind == Kind.EXPLICIT:
        type_ = type_.element
    if isinstance(constraint, inspect.ElementsConstraint):
        for said, formula in constraint_blames(constraint.part, type_.element):
            yield said, ("one", formula, formula_of(constraint.part))
    elif isinstance(constraint, inspect.ComponentsConstraint):
        before: list[Formula] = []
        for component in constraint.parts:
            for said, formula in component_blames(component, type_):
                yield said, every(*before, formula)
            before.extend(component_formulas(component))
    elif type_.kind in LISTS and is_about_size(constraint):
        violated = ("not", formula_of(constraint))
        yield "size", every(violated, ("size", ((0, 0),)))
        yield "constraint", every(violated, ("size", ((1, inf),)))
    else:
        yield kind_of(constraint, False, False), ("not", formula_of(constraint))


def component_blames(constraint: ComponentConstraint, type_: Type) -> Iterator[tuple[str, Formula]]:
    present = ("present", constraint.number)
    if constraint.presence == "present":
        yield "component-required", ("not", present)
    elif constraint.presence == "absent":
        yield "component-forbidden", present
    if constraint.part is None:
        return
    formula = formula_of(constraint.part)
    if type_.kind not in CHOICES and not default_holds(type_, constraint.number, formula):
        yield "component-required", ("not", present)
    if constraint.presence != "absent":
        for said, inner in constraint_blames(constraint.part, type_.types[constraint.number]):
            yield said, every(present, ("child", constraint.number, inner))

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
from derlib._intervals import bounded, contains, interval_set
from derlib.inspect import ComponentConstraint, ConstraintInfo, Kind
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._elements import CHOICES, LISTS, Element
from derlib.strategies._match import EMPTY, Path
from derlib.strategies._read import read
from derlib.strategies._types import Type

# ("and", f, ...), ("or", f, ...), ("not", f), ("range", intervals), ("size", intervals), ("alphabet", intervals),
# ("values", octets, ...), ("present", number), ("child", number, f), ("each", f); ("one", f, g): one element of a list
# satisfies f, and all others satisfy g
Formula: TypeAlias = tuple[Any, ...]
TRUE: Formula = ("and",)


def conjunction(*formulas: Formula) -> Formula:
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
            return conjunction(*(formula for component in components for formula in component_formulas(component)))
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
def own_formula(type_: Type) -> Formula:
    """Return the formula of the constraints of a type, without its one `size` and `range`."""
    return conjunction(*(formula_of(constraint) for constraint in type_.constraints))


# --- Whether an element satisfies a formula


def holds(formula: Formula, element: Element, level: int = 0) -> bool:
    """Return whether an element satisfies a formula.

    `level` selects one of the CHOICEs that the element is an alternative of.
    """
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
        return element.encoding in formula[1:]
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
    entry = PRIMITIVES[element.type.kind]
    return element.contents.decode(entry.codec or "latin-1")


def size(element: Element) -> int:
    """Return the size that SIZE refers to (X.680 51.5.3)."""
    kind, contents = element.type.kind, element.contents
    if kind in (Kind.BIT_STRING, Kind.NAMED_BITS, Kind.OPEN_BITS):
        return 8 * (len(contents) - 1) - contents[0]
    if kind in LISTS:
        return len(element.children)
    entry = PRIMITIVES.get(kind)
    return len(text(element)) if entry is not None and entry.codec else len(contents)


# --- The error that the core raises for an element that violates a constraint


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
    """Return the report of the innermost constraint that is violated, and of the component that violates it."""
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
            shift += len(child.encoding)
    if isinstance(constraint, inspect.ComponentsConstraint):
        for component in constraint.parts:
            if not all(holds(formula, element, level) for formula in component_formulas(component)):
                return component_report(component, element, level, shift)
    is_list = level == len(element.chosen) and element.type.kind in LISTS
    return Report(kind_of(constraint, is_list, is_list and not element.children), EMPTY, shift)


def component_report(constraint: ComponentConstraint, element: Element, level: int, shift: int) -> Report:
    at_choice = level < len(element.chosen)
    name = (element.chosen[level][0] if at_choice else element.type).names[constraint.number]
    end = shift + len(element.encoding)
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
            shift += len(child.encoding)
    if found is None:
        return Report("component-required", (name,), end)
    if constraint.presence == "absent" or constraint.part is None:
        return Report("component-forbidden", (name,), shift)
    return within(name, report(constraint.part, found, below, shift))


def kind_of(constraint: ConstraintInfo, is_list: bool, is_empty: bool) -> str:
    """Return the kind of error of a constraint that is not made of constraints on parts.

    Among lists, only an empty one has the kind "size", because `Deviation.EMPTY_LIST` tolerates it.
    """
    if is_list and is_about_size(constraint):
        return "size" if is_empty else "constraint"
    return SIMPLE_KINDS.get(type(constraint), "constraint")


def is_about_size(constraint: ConstraintInfo) -> bool:
    """Return whether only the size decides which values satisfy a constraint."""
    if isinstance(constraint, (inspect.UnionConstraint, inspect.IntersectionConstraint)):
        return all(map(is_about_size, constraint.parts))
    if isinstance(constraint, inspect.ExceptConstraint):
        return is_about_size(constraint.part)
    return isinstance(constraint, inspect.SizeConstraint)


SIMPLE_KINDS: dict[type[ConstraintInfo], str] = {
    inspect.RangeConstraint: "range",
    inspect.SizeConstraint: "size",
    inspect.AlphabetConstraint: "alphabet",
    inspect.ValuesConstraint: "single-value",
}


def within(step: str | int, report: Report) -> Report:
    return Report(report.kind, (step, *report.path), report.shift)


def inside(element: Element) -> int:
    """Return the distance from the beginning of an element to its first child."""
    return len(element.encoding) - len(element.contents)


# --- How a constraint can be violated


def violations(type_: Type) -> Iterator[tuple[str, Formula]]:
    """Yield the kinds of error that the constraints of a type cause, each with a formula of elements that cause it."""
    before: list[Formula] = []
    for constraint in type_.constraints:
        for kind, formula in constraint_violations(constraint, type_):
            yield kind, conjunction(*before, formula)
        before.append(formula_of(constraint))


def constraint_violations(constraint: ConstraintInfo, type_: Type) -> Iterator[tuple[str, Formula]]:
    if isinstance(constraint, inspect.IntersectionConstraint):
        first, second = constraint.parts
        yield from constraint_violations(first, type_)
        for kind, formula in constraint_violations(second, type_):
            yield kind, conjunction(formula_of(first), formula)
        return
    while type_.kind == Kind.EXPLICIT:
        type_ = type_.element
    if isinstance(constraint, inspect.ElementsConstraint):
        for kind, formula in constraint_violations(constraint.part, type_.element):
            yield kind, ("one", formula, formula_of(constraint.part))
    elif isinstance(constraint, inspect.ComponentsConstraint):
        before: list[Formula] = []
        for component in constraint.parts:
            for kind, formula in component_violations(component, type_):
                yield kind, conjunction(*before, formula)
            before.extend(component_formulas(component))
    elif type_.kind in LISTS and is_about_size(constraint):
        violated = ("not", formula_of(constraint))
        yield "size", conjunction(violated, ("size", ((0, 0),)))
        yield "constraint", conjunction(violated, ("size", ((1, inf),)))
    else:
        yield kind_of(constraint, False, False), ("not", formula_of(constraint))


def component_violations(constraint: ComponentConstraint, type_: Type) -> Iterator[tuple[str, Formula]]:
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
        for kind, inner in constraint_violations(constraint.part, type_.types[constraint.number]):
            yield kind, conjunction(present, ("child", constraint.number, inner))

"""Values that violate the constraint of their type: defaults and constants (X.680 16.2, 25.12).

Only what is simple to evaluate is checked: the characters of strings and times, numbers, sizes and single values, and
their combinations.
"""

from __future__ import annotations

from collections.abc import Iterable

import derlib
from derlib.asn1.semantics.forms import python_name
from derlib.asn1.semantics.model import (
    Alphabet,
    BitsValue,
    Bounds,
    ChosenValue,
    Combination,
    ComponentValues,
    ItemValue,
    Not,
    OfComponents,
    OfElements,
    OIDValue,
    ResolvedConstraint,
    ResolvedValue,
    ValueSet,
    plain_number,
)
from derlib.asn1.syntax.types import STRING_TYPES

# The string and time types, whose texts derlib validates.
_CHECKED_TYPES = STRING_TYPES | {
    "DATE",
    "DATE-TIME",
    "DURATION",
    "GeneralizedTime",
    "OID-IRI",
    "RELATIVE-OID-IRI",
    "TIME",
    "TIME-OF-DAY",
    "UTCTime",
}
_SCALARS = (bool, int, str, bytes, BitsValue, OIDValue)


def violation(constraint: ResolvedConstraint, value: ResolvedValue) -> str | None:
    """Return how a value violates a constraint; None if it does not, or if that is not simple to evaluate."""
    value = plain_number(value)
    if isinstance(constraint, Combination) and constraint.operator == "INTERSECTION":
        return violation(constraint.left, value) or violation(constraint.right, value)
    if isinstance(constraint, Combination) and constraint.operator == "EXCEPT":
        return violation(constraint.left, value) or _excluded(constraint.right, value)
    if allows(constraint, value) is not False:
        return None
    match constraint:
        case Bounds(kind="Range"):
            return f"{value!r} is not {_range(constraint)}"
        case Bounds():
            return f"the size {size_of(value)} is not {_range(constraint)}"
        case Alphabet() if isinstance(value, str):
            return f"the character {next(one for one in value if not _has(constraint, one))!a} is not permitted"
        case _:
            return f"{shown(value)} is not permitted"


def allows(constraint: ResolvedConstraint, value: ResolvedValue) -> bool | None:
    """Return whether a constraint allows a value; None if that is not simple to evaluate."""
    value = plain_number(value)
    match constraint:
        case ValueSet(values=values):
            known = list(map(plain_number, values))
            if value in known:
                return True
            return None if None in {_is_same(value, one) for one in known} else False
        case Bounds(kind=kind, low=low, high=high):
            number = value if kind == "Range" else size_of(value)
            if not isinstance(number, int):
                return None
            return (low is None or low <= number) and (high is None or number <= high)
        case Alphabet():
            return all(_has(constraint, one) for one in value) if isinstance(value, str) else None
        case Not(inner=inner):
            found = allows(inner, value)
            return None if found is None else not found
        case Combination():
            return _combined(constraint, value)
        case OfElements(inner=inner):
            return _all(allows(inner, part) for part in value) if isinstance(value, list) else None
        case OfComponents():
            parts = value.components if isinstance(value, (ComponentValues, ChosenValue)) else None
            return None if parts is None else _allows_components(constraint, parts)
        case _:
            return None


def _allows_components(constraint: OfComponents, parts: dict[str, ResolvedValue]) -> bool | None:
    """Return whether WITH COMPONENTS allows a value; a part that is not given can have a DEFAULT."""
    found: list[bool | None] = []
    for name, inner, presence in constraint.components:
        if name not in parts:
            found.append(False if presence == "PRESENT" else None if inner or not constraint.partial else True)
        else:
            found.append(presence != "ABSENT")
            found.append(allows(inner, parts[name]) if inner else True)
    named = {name for name, _, _ in constraint.components}
    return _all([*found, True if constraint.partial or parts.keys() <= named else None])


def _is_same(one: ResolvedValue, other: ResolvedValue) -> bool | None:
    """Return whether two values of a type, which are not written in the same way, are the same; None if not known."""
    match plain_number(one), plain_number(other):
        case ChosenValue() as chosen, ChosenValue() as another:
            return chosen.alternative == another.alternative and _is_same(chosen.value, another.value)
        case ComponentValues(components=parts), ComponentValues(components=others):
            common = parts.keys() & others.keys()
            return False if any(_is_same(parts[name], others[name]) is False for name in common) else None
        case list() as elements, list() as others:
            # A SET OF has no order.
            return None if len(elements) == len(others) else False
        case number, another if isinstance(number, _SCALARS) and isinstance(another, _SCALARS):
            return number == another
        case _:
            return None


def _all(found: Iterable[bool | None]) -> bool | None:
    """Return whether all are true; None if that is not known."""
    known = list(found)
    return False if False in known else None if None in known else True


def not_of_type(name: str, text: str) -> str | None:
    """Return why a text is not a value of a string or time type of X.680; None if it is one."""
    if name not in _CHECKED_TYPES:
        return None
    try:
        derlib.encode(text, getattr(derlib, python_name(name)))
    except derlib.ConstraintError as error:
        return str(error)
    return None


def with_clause(found: str, clause: str) -> str:
    """Return a message with a clause, unless it has one already."""
    return found if found.endswith(")") else f"{found} ({clause})"


def _combined(constraint: Combination, value: ResolvedValue) -> bool | None:
    decisive = constraint.operator == "UNION"
    left = allows(constraint.left, value)
    # Definitions can use one constraint many times, so the right operand is evaluated only if it matters.
    if left is decisive:
        return decisive
    right = allows(constraint.right, value)
    if constraint.operator == "EXCEPT" and right is not None:
        right = not right
    if right is decisive:
        return decisive
    return None if None in (left, right) else not decisive


def _excluded(constraint: ResolvedConstraint, value: ResolvedValue) -> str | None:
    return f"{shown(value)} is not permitted" if allows(constraint, value) else None


def size_of(value: ResolvedValue) -> int | None:
    """Return the number of bits, characters, bytes or elements of a value; None if it has no size."""
    if isinstance(value, BitsValue):
        return len(value.bits)
    return len(value) if isinstance(value, (str, bytes, list)) else None


def _has(alphabet: Alphabet, character: str) -> bool:
    return any(low <= character <= high for low, high in alphabet.ranges)


def _range(bounds: Bounds) -> str:
    if bounds.low == bounds.high:
        return f"{bounds.low}"
    low = "MIN" if bounds.low is None else bounds.low
    return f"in {low}..{'MAX' if bounds.high is None else bounds.high}"


def shown(value: ResolvedValue) -> str:
    """Return a value in a message."""
    if isinstance(value, ItemValue):
        return value.name
    text = f"{value!a}" if isinstance(value, (str, int)) else ""
    return text if 0 < len(text) <= 50 else "the value"

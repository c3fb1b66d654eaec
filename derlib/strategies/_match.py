"""Which component an element is, by its tag, and the error of `decode` for an element that is none.

These are the rules of the core for matching elements to components, implemented independently and for types instead of
octets.
"""

from __future__ import annotations

from typing import TypeAlias

from derlib.inspect import Kind as K
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._elements import CHOICES, CONSTRUCTED, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._types import Type

Path: TypeAlias = tuple[str | int, ...]
EMPTY: Path = ()


def alternative(type_: Type, tag: int) -> int:
    """Return the number of the alternative that a tag selects, or UNKNOWN."""
    return type_.alternatives.get(tag, UNKNOWN)


def accepts(type_: Type, tag: int) -> bool:
    """Return whether a type accepts an element with this tag."""
    if type_.kind in CHOICES:
        return alternative(type_, tag) != UNKNOWN or (type_.extension_index is not None and not is_excluded(type_, tag))
    return type_.tag == tag or type_.kind in (K.ANY, K.OPEN)


def is_excluded(type_: Type, tag: int) -> bool:
    """Return whether an unknown alternative cannot have a tag, because a field beside it has it (X.680 52.7)."""
    return tag & ~CONSTRUCTED in type_.excluded


def other_form(type_: Type, tag: int) -> bool:
    return type_.tag is not None and type_.tag ^ CONSTRUCTED == tag


def has_other_form(type_: Type, first: int, last: int, tag: int) -> bool:
    """Return whether a field in ``range(first, last)`` has this tag in the other form, directly or in a CHOICE."""
    return any(
        other_form(part, tag) or (part.kind in CHOICES and alternative(part, tag ^ CONSTRUCTED) != UNKNOWN)
        for part in type_.types[first:last]
    )


def position(type_: Type, child: Element) -> float:
    """Return the key that orders the children of a SEQUENCE; unknown additions come before `extension_index`."""
    return child.number if child.number != UNKNOWN else (type_.extension_index or 0) - 0.5


def following(type_: Type, child: Element) -> int:
    """Return the first field of a SEQUENCE that the element after a child can be."""
    return child.number + 1 if child.number != UNKNOWN else type_.extension_index or 0


def is_addition(type_: Type, first: int, stop: int, tag: int) -> bool:
    """Return whether an element that no field from `first` to `stop` accepts is an unknown addition (X.680 25.6)."""
    at = type_.extension_index
    if at is None or not first <= at <= stop or has_other_form(type_, first, stop + 1, tag):
        return False
    optional = type_.optional
    while at > 0 and optional[at - 1]:
        at -= 1
        if accepts(type_.types[at], tag) or other_form(type_.types[at], tag):
            return False
    return True


def takes_addition(type_: Type, first: int, tag: int) -> bool:
    """Return whether an element with this tag is an unknown addition, if field `first` is the next."""
    if type_.extension_index is None:
        return False
    count = len(type_.types)
    if type_.kind == K.SET:
        return not any(accepts(part, tag) for part in type_.types) and not has_other_form(type_, 0, count, tag)
    optional = type_.optional
    for number in range(first, count):
        if accepts(type_.types[number], tag):
            return False
        if not optional[number]:
            return is_addition(type_, first, number, tag)
    return is_addition(type_, first, count, tag)


def takes_alternative(type_: Type, tag: int) -> bool:
    """Return whether an element with this tag is an unknown alternative of a CHOICE."""
    return (
        type_.extension_index is not None
        and alternative(type_, tag) == alternative(type_, tag ^ CONSTRUCTED) == UNKNOWN
        and not is_excluded(type_, tag)
    )


def tag_fault(type_: Type, tag: int) -> tuple[str, Path]:
    """Return the kind of error for a tag that a type does not accept, and the path to it."""
    if type_.kind in CHOICES:
        number = alternative(type_, tag ^ CONSTRUCTED)
        if number == UNKNOWN:
            return "alternative", EMPTY
        kind, path = tag_fault(type_.types[number], tag)
        return kind, path if type_.kind == K.UNION else (type_.names[number], *path)
    if not other_form(type_, tag):
        return "unexpected-tag", EMPTY
    if not tag & CONSTRUCTED:
        return "not-constructed", EMPTY
    rule = PRIMITIVES.get(type_.kind)
    string = type_.kind in OPEN_STRINGS or (rule and rule.string)
    return "string-constructed" if string else "not-primitive", EMPTY


def misplaced(type_: Type, first: int, tag: int) -> tuple[str, Path] | None:
    """Return the error of a SEQUENCE for a tag if field `first` is the next; None if it accepts the tag."""
    if takes_addition(type_, first, tag):
        return None
    kind, path = "component-extra", EMPTY
    for number in range(first, len(type_.types)):
        if accepts(type_.types[number], tag):
            return None
        if not type_.optional[number]:
            kind, path = fault_of_field(type_, number, tag)
            break
    return form_of_later(type_, first, tag) or (kind, path)


def no_member(type_: Type, tag: int) -> tuple[str, Path] | None:
    """Return the error of a SET for a tag; None if it accepts the tag."""
    if any(accepts(part, tag) for part in type_.types) or takes_addition(type_, 0, tag):
        return None
    return form_of_later(type_, 0, tag) or ("member-extra", ())


def form_of_later(type_: Type, first: int, tag: int) -> tuple[str, Path] | None:
    """Return the error if the tag would be accepted in the other form."""
    for number in range(first, len(type_.types)):
        if has_other_form(type_, number, number + 1, tag):
            return fault_of_field(type_, number, tag)
    return None


def fault_of_field(type_: Type, number: int, tag: int) -> tuple[str, Path]:
    """Return the result of `tag_fault` for a field, with its path."""
    kind, path = tag_fault(type_.types[number], tag)
    return kind, (type_.names[number], *path)

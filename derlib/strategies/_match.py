"""The matcher: which component of a SEQUENCE or SET an element is, by its tag.

This is an independent implementation of the rules in derlib/core/schema/components.pxi. It also predicts the error of
`decode` for an element that does not match.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from derlib.inspect import Kind
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._elements import CHOICES, CONSTRUCTED, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._types import Type

Path: TypeAlias = tuple[str | int, ...]
EMPTY: Path = ()


class Mismatch(NamedTuple):
    """The error of `decode` for an element that does not match: its kind, and its path from the type."""

    kind: str
    path: Path = EMPTY

    def inside(self, path: Path) -> Mismatch:
        """Return the error with a path from a type further out."""
        return Mismatch(self.kind, path + self.path)


# --- One type and one tag


def alternative(type_: Type, tag: int) -> int:
    """Return the number of the alternative that a tag selects, or UNKNOWN."""
    return type_.alternatives.get(tag, UNKNOWN)


def accepts(type_: Type, tag: int) -> bool:
    """Return whether a type accepts an element with this tag."""
    if type_.kind in CHOICES:
        return alternative(type_, tag) != UNKNOWN or (type_.extension_index is not None and not is_excluded(type_, tag))
    return type_.tag == tag or type_.kind in (Kind.ANY, Kind.OPEN)


def is_excluded(type_: Type, tag: int) -> bool:
    """Return whether an unknown alternative cannot have a tag, because a component beside it has it (X.680 52.7)."""
    return tag & ~CONSTRUCTED in type_.excluded


def is_unknown_alternative(type_: Type, tag: int) -> bool:
    """Return whether an element with this tag is an unknown alternative of a CHOICE."""
    return (
        type_.extension_index is not None
        and alternative(type_, tag) == alternative(type_, tag ^ CONSTRUCTED) == UNKNOWN
        and not is_excluded(type_, tag)
    )


def has_other_form(type_: Type, tag: int) -> bool:
    """Return whether a type has this tag in the other form: constructed instead of primitive, or the reverse."""
    return type_.tag is not None and type_.tag ^ CONSTRUCTED == tag


def tag_mismatch(type_: Type, tag: int) -> Mismatch:
    """Return the error for a tag that a type does not accept."""
    if type_.kind in CHOICES:
        number = alternative(type_, tag ^ CONSTRUCTED)
        if number == UNKNOWN:
            return Mismatch("alternative")
        found = tag_mismatch(type_.types[number], tag)
        return found if type_.kind == Kind.UNION else found.inside((type_.names[number],))
    if not has_other_form(type_, tag):
        return Mismatch("unexpected-tag")
    if not tag & CONSTRUCTED:
        return Mismatch("not-constructed")
    entry = PRIMITIVES.get(type_.kind)
    is_string = type_.kind in OPEN_STRINGS or (entry is not None and entry.string)
    return Mismatch("string-constructed" if is_string else "not-primitive")


# --- The components of a SEQUENCE or SET


def match_component(type_: Type, first: int, tag: int) -> int | Mismatch:
    """Return the number of the component that an element is, UNKNOWN for an unknown addition, or the error.

    Args:
        type_: a SEQUENCE or SET.
        first: the first component of the SEQUENCE that the element can be; ignored for a SET.
        tag: the tag of the element.
    """
    count = len(type_.types)
    stop = count
    if type_.kind == Kind.SET:
        first = 0
    for number in range(first, count):
        if accepts(type_.types[number], tag):
            return number
        # X.690 8.9.2: a SEQUENCE has its components in order, and all those that are required.
        if type_.kind == Kind.SEQUENCE and not type_.optional[number]:
            stop = number
            break
    if is_addition(type_, first, stop, tag):
        return UNKNOWN
    for number in range(first, count):
        if component_has_other_form(type_, number, tag):
            return component_mismatch(type_, number, tag)
    if stop < count:
        return component_mismatch(type_, stop, tag)
    return Mismatch("member-extra" if type_.kind == Kind.SET else "component-extra")


def is_addition(type_: Type, first: int, stop: int, tag: int) -> bool:
    """Return whether an element that components `first` to `stop` do not accept is an unknown addition (X.680 25.6)."""
    at = type_.extension_index
    last = min(stop + 1, len(type_.types))
    if at is None or any(component_has_other_form(type_, number, tag) for number in range(first, last)):
        return False
    if type_.kind == Kind.SET:
        return True
    if not first <= at <= stop:
        return False
    while at > 0 and type_.optional[at - 1]:
        at -= 1
        if accepts(type_.types[at], tag) or has_other_form(type_.types[at], tag):
            return False
    return True


def component_has_other_form(type_: Type, number: int, tag: int) -> bool:
    """Return whether a component has this tag in the other form, directly or as a CHOICE."""
    part = type_.types[number]
    return has_other_form(part, tag) or (part.kind in CHOICES and alternative(part, tag ^ CONSTRUCTED) != UNKNOWN)


def component_mismatch(type_: Type, number: int, tag: int) -> Mismatch:
    """Return the error for a tag that a component does not accept."""
    return tag_mismatch(type_.types[number], tag).inside((type_.names[number],))


def following(type_: Type, child: Element) -> int:
    """Return the first component of a SEQUENCE that the element after a child can be."""
    return child.number + 1 if child.number != UNKNOWN else type_.extension_index or 0


def position(type_: Type, child: Element) -> float:
    """Return the key that orders the children of a SEQUENCE; unknown additions come before `extension_index`."""
    return child.number if child.number != UNKNOWN else (type_.extension_index or 0) - 0.5

"""The elements of an encoding that can be changed, and the error of `decode` for another tag at their location."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from derlib.inspect import Kind
from derlib.strategies._cases import satisfies
from derlib.strategies._elements import FIELDS, LISTS, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._formulas import own_formula
from derlib.strategies._match import (
    Mismatch,
    Path,
    accepts,
    following,
    is_unknown_alternative,
    match_component,
    tag_mismatch,
)

# The number of elements of a long list that are changed, beside the last one.
FIRST_ELEMENTS = 8


@dataclass(frozen=True)
class Location:
    """The location of an element in an encoding.

    Attributes:
        element: the element.
        trail: the elements around it, the outermost first, each with the number of the child that contains it.
        path: the path of an error in its contents octets.
        header_path: the path of an error in its identifier or length octets.
    """

    element: Element
    trail: tuple[tuple[Element, int], ...]
    path: Path
    header_path: Path

    @property
    def parent(self) -> Element | None:
        return self.trail[-1][0] if self.trail else None

    @property
    def index(self) -> int:
        return self.trail[-1][1] if self.trail else 0

    @property
    def unselected_path(self) -> Path:
        """The path without the names of CHOICE alternatives."""
        return self.path[: len(self.path) - len(self.element.alternatives)]

    @property
    def is_last(self) -> bool:
        return self.parent is None or self.index == len(self.parent.children) - 1


def locations(
    element: Element, trail: tuple[tuple[Element, int], ...] = (), unselected_path: Path = (), header_path: Path = ()
) -> Iterator[Location]:
    """Yield the elements that can be changed with a known result, the outermost first."""
    path = unselected_path + element.alternatives
    yield Location(element, trail, path, header_path)
    if element.may_mismatch:
        return
    type_ = element.type
    next_one = 0
    for index, child in enumerate(element.children):
        if child.may_mismatch and not child.selected:
            continue  # A string with this child can have any other contents.
        here, above = path, path
        if type_.kind in FIELDS:
            here = path if child.number == UNKNOWN else (*path, type_.names[child.number])
            # An invalid header is reported for the next component of a SEQUENCE, and for a SET as a whole.
            reported = type_.kind == Kind.SEQUENCE and next_one < len(type_.names)
            above = (*path, type_.names[next_one]) if reported else path
            next_one = following(type_, child)
        elif type_.kind in LISTS:
            if FIRST_ELEMENTS <= index < len(element.children) - 1:
                continue
            here = above = (*path, index)
        yield from locations(child, (*trail, (element, index)), here, above)


def replaced(location: Location, octets: bytes) -> tuple[bytes, int]:
    """Return the whole encoding with an element replaced, and the offset of the replacement."""
    offset = 0
    for parent, index in reversed(location.trail):
        parts = parent.parts()
        parts[index] = octets
        octets = parent.with_children(parts)
        contents = len(parent.prefix) + sum(map(len, parts))
        offset += len(octets) - contents + len(parent.prefix) + sum(map(len, parts[:index]))
    return octets, offset


def keeps_sizes(location: Location, octets: bytes) -> bool:
    """Return whether strings that contain the element still satisfy their constraints if it is replaced.

    The SIZE of such a string is checked before its contents.
    """
    # Usually, no string contains the element. Elements around the outermost string can be large: do not encode them.
    strings = sum(parent.type.kind in OPEN_STRINGS for parent, _ in location.trail)
    for parent, index in reversed(location.trail):
        if not strings:
            break
        parts = parent.parts()
        parts[index] = octets
        octets = parent.with_children(parts)
        if parent.type.kind in OPEN_STRINGS:
            strings -= 1
            if not has_valid_size(parent, parent.prefix + b"".join(parts)):
                return False
    return True


def has_valid_size(string: Element, contents: bytes) -> bool:
    """Return whether these contents octets of a string that contains an encoding satisfy its constraints."""
    return satisfies(string.type, own_formula(string.type), replace(string, contents=contents))


def mismatch(location: Location, tag: int) -> Mismatch | None:
    """Return the error for another tag of the element, with its path from the root; None if it may be accepted."""
    element, parent = location.element, location.parent
    if not element.selected and parent is not None and parent.type.kind in FIELDS:
        found = match_component(parent.type, first_component(location), tag)
        above = location.unselected_path if element.number == UNKNOWN else location.unselected_path[:-1]
        return found.inside(above) if isinstance(found, Mismatch) else None
    if accepts(element.expects, tag):
        return None
    return tag_mismatch(element.expects, tag).inside(location.unselected_path)


def first_component(location: Location) -> int:
    """Return the number of the first component that the element can be in the SEQUENCE around it."""
    parent = location.parent
    return following(parent.type, parent.children[location.index - 1]) if parent is not None and location.index else 0


def stays_unknown(location: Location, tag: int) -> bool:
    """Return whether an element of unknown type can have another tag; in a SET, it could then be out of order."""
    element, parent = location.element, location.parent
    if element.chosen:
        return is_unknown_alternative(element.chosen[-1][0], tag)
    if parent is None or parent.type.kind not in FIELDS:
        return True
    if parent.type.kind == Kind.SET:
        return False
    if element.number != UNKNOWN:
        return True
    return match_component(parent.type, first_component(location), tag) == UNKNOWN

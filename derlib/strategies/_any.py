"""The values of ANY: elements of universal types, and with tags that no type has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from derlib import (
    OIDIRI,
    CharacterString,
    DateTime,
    External,
    ISOTime,
    ObjectDescriptor,
    ObjectIdentifier,
    Real,
    RelativeOID,
)
from derlib.strategies._contents import contents_of
from derlib.strategies._elements import CONSTRUCTED
from derlib.strategies._types import pack_tag, type_of

# Constructed elements below this level are empty.
MAX_DEPTH = 16

if TYPE_CHECKING:
    from derlib.strategies._draw import Drawing


def any_primitive(expression: Any) -> Callable[[Drawing, int, int], tuple[int, bytes]]:
    def draw(drawing: Drawing, _: int, __: int) -> tuple[int, bytes]:
        type_ = type_of(expression)
        assert type_.tag is not None
        return type_.tag, drawing.draw(contents_of(type_, drawing.unrepresentable))

    return draw


def any_parts(drawing: Drawing, budget: int, depth: int, most: int) -> Iterator[bytes]:
    for _ in range(drawing.draw(st.integers(0, most))):
        yield drawing.of_any(type_of(Any), budget // most, depth + 1).encoding


def any_sequence(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    return pack_tag(16, 0, True), b"".join(any_parts(drawing, budget, depth, 3))


def any_set(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    return pack_tag(17, 0, True), b"".join(sorted(any_parts(drawing, budget, depth, 3)))


def any_tagged(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    number = drawing.draw(st.sampled_from([0, 1, 30, 31, 127, 128, 2**14, 2**60 - 1]))
    tag_class = drawing.draw(st.sampled_from([2, 1, 3]))
    tag = pack_tag(number, tag_class, drawing.draw(st.booleans()))
    return tag, contents_of_tag(drawing, tag, budget, depth)


def any_associated(expression: Any) -> Callable[[Drawing, int, int], tuple[int, bytes]]:
    def draw(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
        element = drawing.element(type_of(expression), budget, depth)
        return element.tag, element.contents

    return draw


def any_null(drawing: Drawing, _: int, __: int) -> tuple[int, bytes]:
    # Hypothesis prefers examples with fewer draws. Draw as often as an OCTET STRING, so that it does not prefer NULL.
    drawing.draw(st.booleans())
    return pack_tag(5, 0, False), b""


ANY_ELEMENTS: dict[str, Callable[[Drawing, int, int], tuple[int, bytes]]] = {
    "null": any_null,
    "integer": any_primitive(int),
    "octets": any_primitive(bytes),
    "boolean": any_primitive(bool),
    "text": any_primitive(str),
    "identifier": any_primitive(ObjectIdentifier),
    "sequence": any_sequence,
    "set": any_set,
    "tagged": any_tagged,
    "real": any_primitive(Real),
    "relative identifier": any_primitive(RelativeOID),
    "iri": any_primitive(OIDIRI),
    "descriptor": any_primitive(ObjectDescriptor),
    "iso time": any_primitive(ISOTime),
    "date and time": any_primitive(DateTime),
    "external": any_associated(External),
    "character string": any_associated(CharacterString),
}

# The tags of unknown additions and alternatives: so many that a schema cannot use all. Examples shrink to the first.
UNKNOWN_TAGS = [
    pack_tag(number, tag_class, constructed)
    for constructed in (False, True)
    for tag_class, numbers in ((2, (*range(10), 31, 2**14)), (1, (1, 500)), (3, (1, 7_777_778)))
    for number in numbers
]
UNIVERSAL = {type_.tag: type_ for type_ in map(type_of, (int, bool, bytes, str, Real))}
UNKNOWN_TAGS += [tag for tag in UNIVERSAL if tag is not None]


def contents_of_tag(drawing: Drawing, tag: int, budget: int, depth: int) -> bytes:
    """Draw contents octets of an element with a tag of `UNKNOWN_TAGS`."""
    if tag in UNIVERSAL:
        return drawing.draw(contents_of(UNIVERSAL[tag], drawing.unrepresentable))
    if tag & CONSTRUCTED and depth < MAX_DEPTH:
        return b"".join(any_parts(drawing, budget, depth, 2))
    return b"" if tag & CONSTRUCTED else drawing.draw(st.binary(max_size=10))

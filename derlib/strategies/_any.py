"""What ANY is drawn from: elements of universal types, and of tags that nobody defined. Called by `_draw`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from derlib._core import ObjectIdentifier, RelativeOID, tag_number
from derlib._schema.associated_types import CharacterString, External
from derlib._schema.compiler import plan_of
from derlib._schema.types import OIDIRI, DateTime, ISOTime, ObjectDescriptor, Real
from derlib.strategies._contents import contents_of
from derlib.strategies._elements import CONSTRUCTED

# Below this many levels, what is constructed is empty.
MOST_DEPTH = 16

if TYPE_CHECKING:
    from derlib.strategies._draw import Drawing


def any_primitive(type_: Any) -> Callable[[Drawing, int, int], tuple[int, bytes]]:
    def draw(drawing: Drawing, _: int, __: int) -> tuple[int, bytes]:
        plan = plan_of(type_)
        assert plan.tag is not None
        return plan.tag, drawing.draw(contents_of(plan, drawing.beyond))

    return draw


def any_parts(drawing: Drawing, budget: int, depth: int, most: int) -> Iterator[bytes]:
    for _ in range(drawing.draw(st.integers(0, most))):
        yield drawing.of_any(plan_of(Any), budget // most, depth + 1).octets


def any_sequence(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    return tag_number(16, 0, True), b"".join(any_parts(drawing, budget, depth, 3))


def any_set(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    return tag_number(17, 0, True), b"".join(sorted(any_parts(drawing, budget, depth, 3)))


def any_tagged(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
    number = drawing.draw(st.sampled_from([0, 1, 30, 31, 127, 128, 2**14, 2**60 - 1]))
    tag_class = drawing.draw(st.sampled_from([2, 1, 3]))
    tag = tag_number(number, tag_class, drawing.draw(st.booleans()))
    return tag, contents_of_tag(drawing, tag, budget, depth)


def any_associated(type_: Any) -> Callable[[Drawing, int, int], tuple[int, bytes]]:
    def draw(drawing: Drawing, budget: int, depth: int) -> tuple[int, bytes]:
        element = drawing.element(plan_of(type_), budget, depth)
        return element.tag, element.contents

    return draw


def any_null(drawing: Drawing, _: int, __: int) -> tuple[int, bytes]:
    # Of two examples hypothesis takes the one of fewer choices for the simpler one: as many as an OCTET STRING has.
    drawing.draw(st.booleans())
    return tag_number(5, 0, False), b""


ANY_SHAPES: dict[str, Callable[[Drawing, int, int], tuple[int, bytes]]] = {
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

# The tags of unknown additions and alternatives: where a schema has some of them, the others are left. Examples shrink
# to the first.
UNKNOWN_TAGS = [
    tag_number(number, tag_class, constructed)
    for constructed in (False, True)
    for tag_class, numbers in ((2, (*range(10), 31, 2**14)), (1, (1, 500)), (3, (1, 7_777_778)))
    for number in numbers
]
UNIVERSAL = {plan.tag: plan for plan in map(plan_of, (int, bool, bytes, str, Real))}
UNKNOWN_TAGS += [tag for tag in UNIVERSAL if tag is not None]


def contents_of_tag(drawing: Drawing, tag: int, budget: int, depth: int) -> bytes:
    """Contents octets of an element of a tag that no schema knows, or of a universal one."""
    if tag in UNIVERSAL:
        return drawing.draw(contents_of(UNIVERSAL[tag], drawing.beyond))
    if tag & CONSTRUCTED and depth < MOST_DEPTH:
        return b"".join(any_parts(drawing, budget, depth, 2))
    return b"" if tag & CONSTRUCTED else drawing.draw(st.binary(max_size=10))

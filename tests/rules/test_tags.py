"""Identifier octets (X.690 8.1.2) and tagged types (8.14): classes, numbers, IMPLICIT, EXPLICIT."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    TLV,
    BitString,
    Containing,
    ContentsError,
    Explicit,
    IdentifierError,
    Implicit,
    LengthError,
    LimitError,
    OctetString,
    OrderError,
    PrintableString,
    Sequence,
    SequenceOf,
    SetOf,
    StructureError,
    TruncatedError,
)

from .rows import EVERYWHERE, WITH_SCHEMA, der, reads, refuses, table


class Point(Sequence):
    x: int
    y: int


class ApplicationPoint(Sequence, tag=Implicit(1, "application")):
    x: int
    y: int


class WrappedPoint(Sequence, tag=Explicit(1, "application")):
    x: int
    y: int


class FarPoint(Sequence, tag=Implicit(16384, "private")):
    x: int
    y: int


class FarWrappedPoint(Sequence, tag=Explicit(31)):
    x: int
    y: int


XY = "02 01 01 02 01 02"


def implicit(number: int, tag_class: str = "context"):
    return Annotated[int, Implicit(number, tag_class)]


CLASSES = [
    reads("context", implicit(1), "81 01 05", 5),
    reads("application", implicit(1, "application"), "41 01 05", 5),
    reads("private", implicit(1, "private"), "c1 01 05", 5),
    reads("universal, another type's tag", Annotated[OctetString, Implicit(12, "universal")],
        "0c 01 41", b"A"),
    refuses("application for context", implicit(1), "41 01 05", StructureError),
    refuses("private for context", implicit(1), "c1 01 05", StructureError),
    refuses("context for application", implicit(1, "application"), "81 01 05", StructureError),
    refuses("context for private", implicit(1, "private"), "81 01 05", StructureError),
    refuses("the universal tag for an implicit one", implicit(1), "02 01 05", StructureError),
    refuses("another number", implicit(1), "82 01 05", StructureError),
]

# X.690 8.1.2.2 to 8.1.2.4: numbers to 30 in one octet, others in the fewest octets of seven bits.
NUMBERS = [
    reads("number 0", implicit(0), "80 01 05", 5),
    reads("number 30, the last in one octet", implicit(30), "9e 01 05", 5),
    refuses("number 30 in two octets", implicit(30), "9f 1e 01 05", IdentifierError, "8.1.2",
        places=EVERYWHERE),
    refuses("number 0 in two octets", implicit(0), "9f 00 01 05", IdentifierError, "8.1.2",
        places=EVERYWHERE),
    reads("number 31, the first in two octets", implicit(31), "9f 1f 01 05", 5),
    refuses("number 31 in three octets", implicit(31), "9f 80 1f 01 05", IdentifierError,
        "8.1.2.4.2", places=EVERYWHERE),
    reads("number 127", implicit(127), "9f 7f 01 05", 5),
    reads("number 128, the first in three octets", implicit(128), "9f 81 00 01 05", 5),
    refuses("number 128 in four octets", implicit(128), "9f 80 81 00 01 05", IdentifierError,
        "8.1.2.4.2", places=EVERYWHERE),
    reads("number 201", implicit(201), "9f 81 49 01 05", 5),
    reads("number 16383", implicit(16383), "9f ff 7f 01 05", 5),
    reads("number 16384", implicit(16384), "9f 81 80 00 01 05", 5),
    reads("number 2^32", implicit(2**32), "9f 90 80 80 80 00 01 05", 5),
    reads("number 2^60 - 1, the last", implicit(2**60 - 1), "9f 8f ff ff ff ff ff ff ff 7f 01 05",
        5),
    refuses("number 2^60", TLV, "9f 90 80 80 80 80 80 80 80 00 01 05", LimitError,
        places=EVERYWHERE),
    refuses("number 2^63", TLV, "9f 81 80 80 80 80 80 80 80 80 00 01 05", LimitError,
        places=EVERYWHERE),
    # Encodings that become 31 if the number is stored in 64 bits without an overflow check.
    refuses("number 2^64 + 31", implicit(31), "9f 82 80 80 80 80 80 80 80 80 1f 01 05", LimitError,
        places=EVERYWHERE),
    refuses("number 2^64 + 2^57 + 31", implicit(31), "9f 82 82 80 80 80 80 80 80 80 1f 01 05",
        LimitError, places=EVERYWHERE),
    refuses("number 2^67 + 31", implicit(31), "9f 90 80 80 80 80 80 80 80 80 1f 01 05", LimitError,
        places=EVERYWHERE),
    refuses("number 2^70 + 31", implicit(31), "9f 81 80 80 80 80 80 80 80 80 80 1f 01 05",
        LimitError, places=EVERYWHERE),
    refuses("number 80 80 and so on", TLV, "9f 80 80 80 80 80 80 80 80 80 80 1f 00",
        IdentifierError, "8.1.2.4.2", places=EVERYWHERE),
    refuses("number 129 for 128", implicit(128), "9f 81 01 01 05", StructureError),
    refuses("number 31, application", implicit(31), "5f 1f 01 05", StructureError),
    refuses("a number that is cut after its first octet", TLV, "9f", TruncatedError),
    refuses("a number that is cut between its octets", TLV, "9f 81", TruncatedError),
    refuses("a number without length octets", TLV, "9f 1f", TruncatedError),
    refuses("a universal number in long form below 31", bytes, "1f 04 01 aa", IdentifierError,
        "8.1.2"),
    refuses("a long-form number with a long-form length", implicit(31), "9f 1f 81 01 05",
        LengthError, "10.1", places=EVERYWHERE),
]

# X.690 8.14.3: IMPLICIT keeps the form of the type that it tags.
IMPLICIT = [
    reads("a SEQUENCE", Annotated[Point, Implicit(1)], f"a1 06 {XY}", {"x": 1, "y": 2}),
    refuses("a SEQUENCE in primitive form", Annotated[Point, Implicit(1)], f"81 06 {XY}",
        IdentifierError, "8.14|8.1.2.5|8.9.1"),
    reads("a SEQUENCE OF", Annotated[SequenceOf[int], Implicit(1)], "a1 03 02 01 05", [5]),
    reads("a SET OF", Annotated[SetOf[int], Implicit(1)], "a1 06 02 01 01 02 01 02", [1, 2]),
    refuses("a SET OF out of order", Annotated[SetOf[int], Implicit(1)], "a1 06 02 01 02 02 01 01",
        OrderError, "11.6", 5),
    refuses("an INTEGER in constructed form", implicit(1), "a1 03 02 01 05", IdentifierError,
        "8.14|8.3.1|8.1.2.5"),
    refuses("an INTEGER in constructed form, number 31", implicit(31), "bf 1f 03 02 01 05",
        IdentifierError, "8.14|8.3.1|8.1.2.5"),
    refuses("an OCTET STRING in constructed form", Annotated[OctetString, Implicit(1)],
        "a1 03 04 01 aa", IdentifierError, "10.2"),
    refuses("the rule of the type under the tag", implicit(1), "81 02 00 05", ContentsError,
        "8.3.2"),
    refuses("the alphabet under the tag", Annotated[PrintableString, Implicit(1)], "81 01 40",
        ContentsError, "41|8.23"),
    reads("a tag in the class keyword", ApplicationPoint, f"61 06 {XY}", {"x": 1, "y": 2}),
    refuses("the type's own tag where the class has another", ApplicationPoint, f"30 06 {XY}",
        StructureError),
    reads("a tag over the class's tag", Annotated[ApplicationPoint, Implicit(2)], f"a2 06 {XY}",
        {"x": 1, "y": 2}),
]

# X.690 8.14.2: EXPLICIT is constructed and contains one complete encoding.
EXPLICIT = [
    reads("an INTEGER", Annotated[int, Explicit(1)], "a1 03 02 01 05", 5),
    reads("application", Annotated[int, Explicit(1, "application")], "61 03 02 01 05", 5),
    reads("private, number 1000", Annotated[int, Explicit(1000, "private")], "ff 87 68 03 02 01 05",
        5),
    reads("a tag in the class keyword", WrappedPoint, f"61 08 30 06 {XY}", {"x": 1, "y": 2}),
    reads("a tag over the class's explicit tag", Annotated[WrappedPoint, Explicit(2)],
        f"a2 0a 61 08 30 06 {XY}", {"x": 1, "y": 2}),
    refuses("the value without its tag", Annotated[int, Explicit(1)], "02 01 05", StructureError),
    refuses("the tag without the value's own", Annotated[int, Explicit(1)], "81 01 05",
        IdentifierError, "8.14|8.1.2.5"),
    refuses("the tag in primitive form", Annotated[int, Explicit(1)], "81 03 02 01 05",
        IdentifierError, "8.14|8.1.2.5"),
    refuses("a tag with nothing in it", Annotated[int, Explicit(1)], "a1 00", StructureError, "",
        2),
    refuses("another type under the tag", Annotated[int, Explicit(1)], "a1 03 01 01 ff",
        StructureError, "", 2),
    refuses("two values under the tag", Annotated[int, Explicit(1)], "a1 06 02 01 05 02 01 06",
        StructureError, "8.14", 5),
    refuses("octets after the value under the tag", Annotated[int, Explicit(1)],
        "a1 04 02 01 05 00", StructureError, "8.14", 5),
    refuses("a tag shorter than what it holds", Annotated[int, Explicit(1)], "a1 03 02 02 05",
        TruncatedError, "", 2, WITH_SCHEMA),
    refuses("an indefinite tag", Annotated[int, Explicit(1)], "a1 80 02 01 05 00 00", LengthError,
        "10.1", places=EVERYWHERE),
    refuses("the rule of the type under the tag", Annotated[int, Explicit(1)], "a1 04 02 02 00 05",
        ContentsError, "8.3.2", 2),
]

# X.680 31.2: tags are applied from the innermost outwards, which is from left to right in Annotated.
SEVERAL = [
    reads("EXPLICIT over EXPLICIT", Annotated[int, Explicit(1), Explicit(2)],
        "a2 05 a1 03 02 01 05", 5),
    reads("EXPLICIT over IMPLICIT", Annotated[int, Implicit(1), Explicit(2)], "a2 03 81 01 05", 5),
    reads("IMPLICIT over EXPLICIT", Annotated[int, Explicit(1), Implicit(2)], "a2 03 02 01 05", 5),
    reads("IMPLICIT over IMPLICIT", Annotated[int, Implicit(1), Implicit(2)], "82 01 05", 5),
    reads("tags on an annotated type", Annotated[Annotated[int, Explicit(1)], Explicit(2)],
        "a2 05 a1 03 02 01 05", 5),
    refuses("EXPLICIT over EXPLICIT in the other order", Annotated[int, Explicit(1), Explicit(2)],
        "a1 05 a2 03 02 01 05", StructureError),
    refuses("an outer tag without its inner one", Annotated[int, Explicit(1), Explicit(2)],
        "a2 03 02 01 05", StructureError, "", 2),
    refuses("two values under the inner of two tags", Annotated[int, Explicit(1), Explicit(2)],
        "a2 08 a1 06 02 01 05 02 01 06", StructureError, "8.14", 7),
    refuses("two inner tags under the outer one", Annotated[int, Explicit(1), Explicit(2)],
        "a2 0a a1 03 02 01 05 a1 03 02 01 05", StructureError, "8.14", 7),
]


@table([*CLASSES, *NUMBERS])
def test_identifier_octets(row, place):
    row.check(place)


@table([*IMPLICIT, *EXPLICIT, *SEVERAL])
def test_tagged_types(row, place):
    row.check(place)


@pytest.mark.parametrize("tag_class", ["universal", "application", "context", "private"])
@pytest.mark.parametrize("constructed", [False, True])
def test_the_tree_reads_every_class_form_and_number(tag_class, constructed):
    first = ["universal", "application", "context",
    "private"].index(tag_class) << 6 | constructed << 5
    # Universal numbers up to 36 have contents rules of their own.
    low = (40, 127) if tag_class == "universal" else (0, 1, 30, 31, 127)
    for number in (*low, 128, 16383, 16384, 2**31, 2**32, 2**59, 2**60 - 1):
        if number < 31:
            identifier = bytes([first | number])
        else:
            septets = [number >> shift & 0x7F for shift in range(0, number.bit_length(), 7)]
            identifier = bytes([first | 0x1F, *(0x80 | one for one in septets[:0:-1]), septets[0]])
        data = identifier + (b"\x02\x05\x00" if constructed else b"\x02\xab\xcd")
        tree = derlib.parse(data)
        assert (tree.tag.tag_class, tree.tag.number) == (tag_class, number)
        assert tree.tag.constructed is constructed
        assert tree.span.header_length == len(identifier) + 1
        assert len(tree.children) == (1 if constructed else 0)


def test_explicit_tags_have_a_span_of_their_own():
    class Holder(Sequence):
        number: Annotated[int, Explicit(1), Explicit(2)]
        last: Annotated[int, Explicit(3)] = 0

    data = der("30", "a2 05 a1 03 02 01 05", "a3 03 02 01 07")
    view = Holder.decode(data)
    inner, outer = view.span("number"), view.span("number", outer=True)
    assert (outer.offset, outer.header_length, outer.content_length) == (2, 2, 5)
    assert (inner.offset, inner.header_length, inner.content_length) == (6, 2, 1)
    assert bytes(view.raw("number")) == b"\x05"
    assert view.span("last", outer=True).offset == 9
    assert view.span("last").offset == 11


def test_explicit_tags_around_a_string_are_not_around_the_value_in_it():
    class Inner(Sequence):
        number: int

    class Tagged(Sequence, tag=Explicit(3)):
        number: int

    class Holder(Sequence):
        octets: Annotated[bytes, Containing(Inner), Explicit(0)]
        bits: Annotated[BitString, Containing(Tagged), Explicit(1)]

    inner, tagged = "30 03 02 01 02", "a3 05 30 03 02 01 03"
    view = Holder.decode(der("30", f"a0 07 04 05 {inner}", f"a1 0a 03 08 00 {tagged}"))
    for value, offset, octets in ((view.octets, 6, inner), (view.bits, 16, tagged)):
        assert value.span(outer=True).offset == offset
        assert bytes(value.der) == value.encode() == bytes.fromhex(octets)


@pytest.mark.parametrize(
    ("type_", "inner", "octets"),
    [
        (Point, f"a9 06 {XY}", f"30 06 {XY}"),
        (ApplicationPoint, f"a9 06 {XY}", f"61 06 {XY}"),
        (FarPoint, f"a9 06 {XY}", f"ff 81 80 00 06 {XY}"),
        (WrappedPoint, f"a9 08 30 06 {XY}", f"61 08 30 06 {XY}"),
        (FarWrappedPoint, f"a9 08 30 06 {XY}", f"bf 1f 08 30 06 {XY}"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_part_under_an_implicit_tag_is_encoded_with_the_tags_of_its_class(type_, inner, octets):
    class Holder(Sequence):
        point: Annotated[type_, Implicit(9)]

    point = Holder.decode(der("30", inner)).point
    assert bytes(point.der) == bytes.fromhex(inner)
    assert point.encode() == bytes.fromhex(octets)
    assert type_.decode(point.encode()) == point
    assert Holder(point=point).encode() == der("30", inner)

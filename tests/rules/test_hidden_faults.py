"""Encodings with several breaches: no breach hides another, so each needs its own deviation, wherever it is.

A row names all deviations that its octets need. With all of them the octets decode, and each breach is noted; without
any one of them, whatever else is tolerated, the error names the one that is missing.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    TLV,
    BitString,
    Choice,
    Containing,
    Deviation,
    Enumerated,
    Explicit,
    External,
    Field,
    GeneralizedTime,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OneOf,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
    UTF8String,
    WithComponent,
    WithComponents,
)

from .rows import der, octets, sequence_class

# The places that each row is tested in.
PLACES = ("alone", "field", "optional", "explicit", "list", "set", "choice", "contained")


class Usage(NamedBits):
    sign = 1 << 0
    seal = 1 << 1
    ninth = 1 << 8


class Colour(Enumerated):
    red = 0
    green = 1


class Lists(Sequence):
    a: SequenceOf[int]
    b: SequenceOf[int]


class Point(Sequence):
    x: int
    y: int = 0


class Corners(Set):
    a: Annotated[int, Implicit(0)]
    b: Annotated[bool, Implicit(1)] = False


class Grown(Set, extensible=True):
    a: Annotated[int, Implicit(0)]


class Arms(Choice):
    number: int
    text: Annotated[UTF8String, Implicit(7)]


class TaggedArms(Choice):
    number: Annotated[int, Implicit(0)]
    text: Annotated[UTF8String, Implicit(1)]


class GrownPoint(Sequence, extensible=True):
    x: int


def with_default(type_: Any, value: Any) -> Any:
    """A SEQUENCE with one component, which has this default."""
    return sequence_class("Defaulted", Field("value", type_, default=value))


def member_with_default(type_: Any, value: Any) -> Any:
    return type("DefaultedSet", (Set,), {"__annotations__": {"value": type_}, "value": value, "__module__": __name__})


NOON = "20260102120000Z"
ROWS: list[tuple[str, str, Any, bytes | str]] = [
    # Named bits: the unused bits of the last octet, and the last bit before them.
    ("set unused bits after a zero bit", "UNUSED_BITS NAMED_BITS", Usage, "0302 0481"),
    ("set unused bits after a one bit", "UNUSED_BITS", Usage, "0302 0491"),
    ("set unused bits after zero bits alone", "UNUSED_BITS NAMED_BITS", Usage, "0302 0701"),
    ("a zero bit at the end", "NAMED_BITS", Usage, "0302 0480"),
    ("named bits with a long length", "UNUSED_BITS NAMED_BITS LENGTH_FORM", Usage, "038102 0481"),
    ("a BIT STRING has no rule of its last bit", "UNUSED_BITS", BitString, "0302 0481"),
    # A length form, before a fault inside.
    ("a long length in EXTERNAL", "LENGTH_FORM", External, der("28", "06810388 3701", "8100")),
    ("a long length of a number in EXTERNAL", "LENGTH_FORM", External, der("28", "02810107", "8100")),
    ("a long length in the second component of EXTERNAL", "LENGTH_FORM", External, der("28", "020107", "818100")),
    ("padded numbers in EXTERNAL", "LENGTH_FORM INTEGER_PADDING", External, der("28", "0281020007", "8100")),
    ("a padded number with a long length", "LENGTH_FORM INTEGER_PADDING", int, "0281020005"),
    ("a padded item", "INTEGER_PADDING", Colour, "0a020001"),
    ("a padded number within its range", "INTEGER_PADDING", Annotated[int, Range(0, 5)], "02020005"),
    ("a padded single value", "INTEGER_PADDING", Annotated[int, OneOf(5)], "02020005"),
    ("TRUE in another octet as a single value", "BOOLEAN_TRUE", Annotated[bool, OneOf(True)], "010101"),
    ("a SET out of order with a padded member", "SET_ORDER INTEGER_PADDING", Corners, "3107 8101ff 80020005"),
    ("a SET OF out of order with a long length", "SET_OF_ORDER LENGTH_FORM", SetOf[int], "3107 02810105 020101"),
    ("a padded element in an empty-able list", "INTEGER_PADDING", Annotated[SequenceOf[int], Size(1)], "3004 02020005"),
    ("an empty list with a long length", "EMPTY_LIST LENGTH_FORM", Annotated[SequenceOf[int], Size(1)], "308100"),
    ("an empty list under one of several sizes", "EMPTY_LIST", Annotated[SequenceOf[int], Size(1, 2) | Size(4)],
        "3000"),
    ("an empty list under an intersection in a union", "EMPTY_LIST",
        Annotated[SequenceOf[int], (Size(1, 9) & Size(2, 4)) | Size(7)], "3000"),
    ("an empty list whose size is excluded", "EMPTY_LIST", Annotated[SequenceOf[int], Size(0, 9) & ~Size(0)], "3000"),
    ("an empty list under a constraint on elements", "EMPTY_LIST",
        Annotated[SequenceOf[SequenceOf[int]], WithComponent(Size(1))], "3007 3003020101 3000"),
    ("two empty lists under constraints on components", "EMPTY_LIST", Annotated[
        Lists, WithComponents(a=Size(1)) & WithComponents(b=Size(1) & WithComponent(Range(0, 9)))], "3004 3000 3000"),
    ("an empty list that another constraint allows", "EMPTY_LIST",
        Annotated[SequenceOf[int], WithComponent(Range(0, 9)) & Size(1)], "3000"),
    ("an alternative in another form", "LENGTH_FORM STRING_ENCODING", Arms, "878101e9"),
    ("any: set unused bits", "UNUSED_BITS LENGTH_FORM", TLV, "03810204ff"),
    ("any: a long length before a padded number", "LENGTH_FORM INTEGER_PADDING", TLV, "308104 02020001"),
    # A component in another form than the DEFAULT, which is the DEFAULT value all the same (X.690 11.5).
    ("a padded DEFAULT", "DEFAULT_ENCODED INTEGER_PADDING", Point, "3007 020101 02020000"),
    ("a padded value that is not a DEFAULT", "INTEGER_PADDING", Point, "3007 020101 02020001"),
    ("a DEFAULT with a long length", "DEFAULT_ENCODED LENGTH_FORM", Point, "3007 020101 02810100"),
    ("a value with a long length", "LENGTH_FORM", Point, "3007 020101 02810101"),
    ("a padded DEFAULT in a SET", "DEFAULT_ENCODED LENGTH_FORM", Corners, "3107 800101 81810100"),
    ("DEFAULT TRUE in another octet", "DEFAULT_ENCODED BOOLEAN_TRUE", with_default(bool, True), "3003 010101"),
    ("a TRUE that is not a DEFAULT", "BOOLEAN_TRUE", with_default(bool, False), "3003 010101"),
    ("a padded DEFAULT item", "DEFAULT_ENCODED INTEGER_PADDING", with_default(Colour, Colour.green), "3004 0a020001"),
    ("a DEFAULT of bits", "DEFAULT_ENCODED UNUSED_BITS", with_default(BitString, BitString(b"\xa0", 4)),
        "3004 030204af"),
    ("other bits", "UNUSED_BITS", with_default(BitString, BitString(b"\xa0", 3)), "3004 030204af"),
    ("bits that differ", "UNUSED_BITS", with_default(BitString, BitString(b"\xa0\x00", 4)), "3005 0303 04b0 0f"),
    ("the first octets of the DEFAULT bits", "UNUSED_BITS", with_default(BitString, BitString(b"\xa0\xa0", 4)),
        "3004 030204af"),
    ("a DEFAULT of named bits", "DEFAULT_ENCODED NAMED_BITS", with_default(Usage, Usage.sign), "3004 03020080"),
    ("no named bits", "DEFAULT_ENCODED NAMED_BITS", with_default(Usage, Usage(0)), "3004 03020000"),
    ("named bits in more octets", "DEFAULT_ENCODED NAMED_BITS UNUSED_BITS", with_default(Usage, Usage.sign),
        "3005 0303018001"),
    ("other named bits", "NAMED_BITS", with_default(Usage, Usage.seal), "3004 03020080"),
    ("the first octets of the DEFAULT named bits", "NAMED_BITS", with_default(Usage, Usage.sign | Usage.ninth),
        "3004 03020080"),
    ("a DEFAULT time", "DEFAULT_ENCODED UTC_TIME_FORM",
        with_default(UTCTime, "260102120000Z"), der("30", der("17", b"2601021200Z"))),
    ("a DEFAULT time with an offset", "DEFAULT_ENCODED UTC_TIME_FORM",
        with_default(UTCTime, "260101233000Z"), der("30", der("17", b"260102013000+0200"))),
    ("another time with an offset", "UTC_TIME_FORM",
        with_default(UTCTime, "260102013000Z"), der("30", der("17", b"260102013000+0200"))),
    ("a DEFAULT time with zeros", "DEFAULT_ENCODED GENERALIZED_TIME_FORM",
        with_default(GeneralizedTime, NOON), der("30", der("18", b"20260102120000.000Z"))),
    ("a DEFAULT time with a comma", "DEFAULT_ENCODED GENERALIZED_TIME_FORM",
        with_default(GeneralizedTime, "20260102120000.5Z"), der("30", der("18", b"20260102120000,5Z"))),
    ("another fraction", "GENERALIZED_TIME_FORM",
        with_default(GeneralizedTime, NOON), der("30", der("18", b"20260102120000.50Z"))),
    ("DEFAULT inside a DEFAULT", "DEFAULT_ENCODED",
        with_default(Point, Point(x=1)), "3008 3006 020101 020100"),
    ("a padded component of a DEFAULT", "DEFAULT_ENCODED INTEGER_PADDING",
        with_default(Point, Point(x=1)), "3006 3004 02020001"),
    ("another SEQUENCE", "INTEGER_PADDING", with_default(Point, Point(x=1, y=2)), "3006 3004 02020001"),
    ("a DEFAULT with an unknown addition", "LENGTH_FORM", with_default(GrownPoint, GrownPoint(x=1)),
        "3009 3007 02810101 850100"),
    ("a DEFAULT list", "DEFAULT_ENCODED LENGTH_FORM", with_default(SequenceOf[int], [1, 2]),
        "3009 3007 020101 02810102"),
    ("a shorter list", "LENGTH_FORM", with_default(SequenceOf[int], [1, 2]), "3006 3004 02810101"),
    ("a longer list", "LENGTH_FORM", with_default(SequenceOf[int], [1]), "3009 3007 020101 02810102"),
    ("a DEFAULT SET OF in another order", "DEFAULT_ENCODED SET_OF_ORDER", with_default(SetOf[int], [1, 2]),
        "3008 3106 020102 020101"),
    ("a SET OF with an element twice", "SET_OF_ORDER", with_default(SetOf[int], [1, 2, 2]),
        "300b 3109 020102 020101 020101"),
    ("a SET OF with one more element", "SET_OF_ORDER", with_default(SetOf[int], [1, 2]),
        "300b 3109 020102 020101 020103"),
    ("a DEFAULT SET in another order", "DEFAULT_ENCODED SET_ORDER",
        with_default(Corners, Corners(a=5, b=True)), "3008 3106 8101ff 800105"),
    ("another SET", "SET_ORDER", with_default(Corners, Corners(a=6, b=True)), "3008 3106 8101ff 800105"),
    ("a DEFAULT under a tag", "DEFAULT_ENCODED LENGTH_FORM",
        with_default(Annotated[int, Explicit(3)], 5), "3006 a38103 020105"),
    ("a DEFAULT alternative", "DEFAULT_ENCODED LENGTH_FORM", with_default(Arms, Arms(number=5)), "3004 02810105"),
    ("another alternative", "LENGTH_FORM", with_default(Arms, Arms(text="\x05")), "3004 02810105"),
    ("a DEFAULT alternative with a tag", "DEFAULT_ENCODED INTEGER_PADDING",
        with_default(TaggedArms, TaggedArms(number=5)), "3004 80020005"),
    ("a DEFAULT of any type", "DEFAULT_ENCODED LENGTH_FORM", with_default(TLV, octets("3003020105")),
        "3006 3004 02810105"),
    ("another of any type", "LENGTH_FORM", with_default(TLV, octets("3003020106")), "3006 3004 02810105"),
    ("another tag in any type", "LENGTH_FORM", with_default(TLV, octets("3003020105")), "3006 3004 0a810105"),
    ("a DEFAULT text", "DEFAULT_ENCODED LENGTH_FORM", with_default(UTF8String, "ab"), "3005 0c81026162"),
    ("another text", "LENGTH_FORM", with_default(UTF8String, "ac"), "3005 0c81026162"),
    ("a DEFAULT identifier", "DEFAULT_ENCODED LENGTH_FORM", with_default(ObjectIdentifier, ObjectIdentifier("2.999.1")),
        der("30", "068103883701")),
    ("a DEFAULT string that contains a value", "DEFAULT_ENCODED LENGTH_FORM",
        with_default(Annotated[OctetString, Containing(Point)], Point(x=1)), "3008 048105 3003 020101"),
]


def decoded(type_: Any, data: bytes, tolerate: Deviation) -> Any:
    return derlib.decode(type_, data, tolerate=tolerate)


def placed(place: str, type_: Any, data: bytes) -> tuple[Any, bytes]:
    """The type and the octets of a value in which a value of `type_` is."""
    if place == "alone":
        return type_, data
    if place == "field":
        return sequence_class("Holder", Field("value", type_), Field("after", bool)), der("30", data, "0101ff")
    if place == "optional":
        value = Field("value", Annotated[type_, Explicit(1)], optional=True)
        return sequence_class("Holder", Field("before", bool), value), der("30", "0101ff", der("a1", data))
    if place == "explicit":
        return Annotated[type_, Explicit(5)], der("a5", data)
    if place == "list":
        return SequenceOf[type_], der("30", data, data)
    if place == "set":
        return SetOf[type_], der("31", data, data)
    if place == "choice":
        return Annotated[type_, Explicit(2)] | Annotated[bool, Explicit(3)], der("a2", data)
    return Annotated[OctetString, Containing(type_)], der("04", data)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("name", "needed", "type_", "text"), [pytest.param(*row, id=row[0]) for row in ROWS])
def test_each_breach_needs_its_own_deviation(name, needed, type_, text, place):
    needed = {Deviation[one] for one in needed.split()}
    together = Deviation(0)
    for one in needed:
        together |= one
    type_, data = placed(place, type_, octets(text))
    value = decoded(type_, data, together)
    if place in ("field", "list", "set"):
        assert {one.deviation for one in value.deviations} == needed
        assert len(value.deviations) >= len(needed) * (1 if place == "field" else 2)
    for one in needed:
        # Nothing but this one is missing; and nothing else may make up for it.
        for tolerated in (together & ~one, ~(one | Deviation.OPEN_TYPE)):
            with pytest.raises(derlib.DecodeError) as caught:
                decoded(type_, data, tolerated)
            assert caught.value.deviation is one


@pytest.mark.parametrize("count", range(1, 4))
def test_any_part_of_the_deviations_is_too_little(count):
    needed = [Deviation.UNUSED_BITS, Deviation.NAMED_BITS, Deviation.LENGTH_FORM]
    for chosen in itertools.combinations(needed, count):
        together = Deviation(0)
        for one in chosen:
            together |= one
        if count == len(needed):
            assert decoded(Usage, octets("038102 0481"), together) == Usage.sign
            continue
        with pytest.raises(derlib.DecodeError) as caught:
            decoded(Usage, octets("038102 0481"), together)
        assert caught.value.deviation in set(needed) - set(chosen)


def test_a_member_twice_is_no_matter_of_order():
    for data in ("3109 850101 830100 850101", "310c 850101 830100 840100 850101", "3109 9f2800 9f2700 9f2800"):
        data = der("31", "800101", octets(data)[2:])
        with pytest.raises(derlib.StructureError) as caught:
            Grown.decode(data, tolerate=~Deviation(0))
        assert caught.value.kind == "member-extra"
    once = Grown.decode(octets("3109 800101 850101 830100"), tolerate=Deviation.SET_ORDER)
    assert [one.kind for one in once.deviations] == ["set-order"]


@pytest.mark.parametrize("text", [b"20161231235960.50Z", b"20161231235960,5Z"])
def test_a_leap_second_stays_one_in_a_tolerated_form(text):
    data = der("18", text)
    with pytest.raises(derlib.UnrepresentableError):
        derlib.decode(GeneralizedTime, data, tolerate=Deviation.GENERALIZED_TIME_FORM)
    holder = sequence_class("Holder", Field("when", GeneralizedTime))
    assert holder.decode(der("30", data), tolerate=Deviation.GENERALIZED_TIME_FORM).raw("when") == text


@pytest.mark.parametrize("text", [b"20161231235960.50+0100", b"201612312359+0060", b"20161230235960.50Z",
    b"2016123123:960Z"])
def test_other_seconds_60_are_none(text):
    with pytest.raises(derlib.ContentsError):
        derlib.decode(GeneralizedTime, der("18", text), tolerate=~Deviation(0))

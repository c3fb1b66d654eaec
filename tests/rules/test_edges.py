"""The limits of the rules: rows at the exact limit, and bytes after a value, which no rule may read.

Most of them were found by `make mutate`: each fails if a bound of the core is off by one.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    OIDIRI,
    TLV,
    BitString,
    Choice,
    ContentsError,
    DefinedBy,
    Deviation,
    Duration,
    Enumerated,
    Explicit,
    Field,
    GeneralizedTime,
    Implicit,
    ISOTime,
    Limits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Real,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
)

from .rows import ALONE, WITH_SCHEMA, der, reads, refuses, sequence_class, table


class Large(Enumerated):
    low = -(2**63)
    high = 2**63 - 1
    middle = 2**55


TYPES = OpenTypes("TYPES", {"2.999.1": int})


class InOctets(Sequence):
    kind: ObjectIdentifier
    body: Annotated[OctetString, Size(3), DefinedBy("kind", TYPES)]


class InBits(Sequence):
    kind: ObjectIdentifier
    body: Annotated[BitString, Size(24), DefinedBy("kind", TYPES)]


ONE = "06 03 883701"
KIND = ObjectIdentifier("2.999.1")

ROWS = [
    reads("an item of eight octets", Large, der("0a", "7fffffffffffffff"), Large.high),
    reads("the lowest item of eight octets", Large, der("0a", "8000000000000000"), Large.low),
    reads("an item in the eighth octet", Large, der("0a", "0080000000000000"), Large.middle),
    refuses(
        "an item of nine octets", Large, der("0a", "008000000000000000"), ContentsError, "20.1", places=WITH_SCHEMA
    ),
    reads("an IRI with the last letters", OIDIRI, der("1f23", b"/ISO/aAzZ09-_.~z"), "/ISO/aAzZ09-_.~z"),
    refuses("an IRI with U+0080", OIDIRI, der("1f23", "/ISO/\x80".encode()), ContentsError),
    reads("an open type in octets of SIZE", InOctets, der("30", ONE, "0403 020105"), {"kind": KIND, "body": 5}),
    refuses("octets below SIZE", InOctets, der("30", ONE, "0400"), derlib.ConstraintViolation, "51.5", 7, WITH_SCHEMA),
    refuses(
        "octets over SIZE",
        InOctets,
        der("30", ONE, "0404 02020100"),
        derlib.ConstraintViolation,
        "51.5",
        7,
        WITH_SCHEMA,
    ),
    reads("an open type in bits of SIZE", InBits, der("30", ONE, "0304 00020105"), {"kind": KIND, "body": 5}),
    refuses(
        "bits over SIZE", InBits, der("30", ONE, "0305 0002020100"), derlib.ConstraintViolation, "51.5", 7, WITH_SCHEMA
    ),
    refuses("a leap second in minute 58", GeneralizedTime, der("18", b"20240630235860Z"), ContentsError, "46"),
    refuses("a leap second in hour 22", GeneralizedTime, der("18", b"20240630225960Z"), ContentsError, "46"),
    refuses("second 61", GeneralizedTime, der("18", b"20240630235961Z"), ContentsError, "46"),
    reads(
        "the digit 9 in a fraction",
        GeneralizedTime,
        der("18", b"20240630235959.909Z"),
        datetime(2024, 6, 30, 23, 59, 59, 909000, tzinfo=timezone.utc),
    ),
    refuses("tag number 2^60", int, "9f9080808080808080 00 00", derlib.LimitError, "", 0, ALONE),
    refuses("duration without a number", ISOTime, der("0e", b"PY"), ContentsError),
    refuses("duration without a unit", ISOTime, der("0e", b"P1"), ContentsError),
    refuses("duration with T, but without a time", ISOTime, der("0e", b"P1YT"), ContentsError),
    refuses("duration without a number after a start", ISOTime, der("0e", b"2024/P"), ContentsError),
    refuses("duration without a unit after a start", ISOTime, der("0e", b"2024/P1X"), ContentsError),
    refuses("midnight at the end of a day, and a little more", ISOTime, der("0e", b"24:00:00,9"), ContentsError),
    refuses("midnight at the end of a day, and least more", ISOTime, der("0e", b"24:00:00,1"), ContentsError),
    refuses("empty duration", Duration, der("1f22", b""), ContentsError),
]


@table(ROWS)
def test_edges(row, place):
    row.check(place)


HEADERS = [
    ("", "identifier-truncated"),
    ("9f", "identifier-truncated"),
    ("9f81", "identifier-truncated"),
    ("9f80", "tag-not-minimal"),
    ("9f1e00", "tag-not-minimal"),
    ("04", "length-truncated"),
    ("9f1f", "length-truncated"),
    ("0481", "length-truncated"),
    ("048201", "length-truncated"),
    ("9f1f81", "length-truncated"),
    ("0480", "length-indefinite"),
    ("04ff", "length-reserved"),
    ("0401", "content-truncated"),
    ("048180", "content-truncated"),
    ("04820100", "content-truncated"),
    ("9f1f01", "content-truncated"),
    ("9f908080808080808000 00", "tag-limit"),
    ("04890100000000000000", "length-truncated"),
    ("0488800000000000000000", "content-truncated"),
    ("048901000000000000000001", "content-truncated"),
    ("04820001", "length-not-minimal"),
    ("0482008000", "length-not-minimal"),
    ("9f1f8101", "length-not-minimal"),
    ("30 01 04", "length-truncated"),
    ("30 02 9f81", "identifier-truncated"),
]


@pytest.mark.parametrize(("text", "kind"), HEADERS)
@pytest.mark.parametrize(
    "after", [b"", *(bytes([octet]) * 12 for octet in (0x00, 0x01, 0x1F, 0x30, 0x7F, 0x80, 0xFF))]
)
def test_only_the_bytes_of_a_header_are_read(text, kind, after):
    data = bytes.fromhex(text)
    with pytest.raises((derlib.DecodeError, derlib.LimitError)) as caught:
        derlib.parse(memoryview(data + after)[: len(data)], copy=False)
    assert caught.value.kind == kind


# Contents that a rule reads to their end; the list continues with bytes that could belong to them.
ENDS = (
    [
        (ISOTime, "0e", text)
        for text in (
            b"20C",
            b"2024",
            b"2024-06",
            b"2024-06-30",
            b"2024-W09",
            b"23:59",
            b"23:59:59",
            b"2024-06-30T23:59:59",
            b"P1Y",
            b"PT1S",
            b"2024/2025",
            b"19C/20C",
            b"23",
            b"23:59:59Z",
            b"23:59:59+01",
            b"P1W",
            b"P1",
            b"PT1",
            b"-2024",
            b"T",
            b"24:00",
            b"24:00:00",
            b"2024/P",
            b"",
        )
    ]
    + [
        (Real, "09", text)
        for text in (b"\x0315.E+0", b"\x0315.E-1", b"\x031.E1", b"\x031.E10", b"\x03-1.E-9", b"\x031.E")
    ]
    + [
        (UTCTime, "17", text)
        for text in (b"260102030405Z", b"2601020304Z", b"2601020304+0130", b"260102030405", b"2601020304")
    ]
    + [
        (GeneralizedTime, "18", text)
        for text in (
            b"20260102030405.5Z",
            b"2026010203",
            b"20260102030405",
            b"20260102030405.",
            b"20260102030405.5",
            b"2026010203Z",
            b"2026010203+01",
            b"2026010203+0",
            b"20260102030405,5",
            b"202601020304",
        )
    ]
    + [(OIDIRI, "1f23", text) for text in (b"/ISO/1", b"/ISO/", b"/ISO/a-", b"/0", b"/ISO/\xc3", b"")]
)

FOLLOWING = [b"\x30\x00", b"\x31\x00", *(bytes([octet, 0]) for octet in range(0x40, 0x5F))]
# ... and bytes that no element begins with, in a shared buffer.
OCTETS = [bytes([octet]) * 4 for octet in b"09+-,./:CWTZPYMDHS\x80\xa0\xbf"]


def said(type_: Any, data: Any, **options: Any) -> tuple[str, int]:
    """Return the kind and the offset of the error of decoding, or two empty values."""
    try:
        derlib.decode(type_, data, **options)
    except (derlib.DecodeError, derlib.LimitError) as error:
        return error.kind, error.offset
    return "", 0


@pytest.mark.parametrize(("type_", "tag", "text"), ENDS)
@pytest.mark.parametrize("tolerate", [None, ~Deviation.TRAILING_DATA], ids=["strict", "tolerant"])
def test_only_the_contents_of_an_element_are_read(type_, tag, text, tolerate):
    data = der(tag, text)
    alone = said(type_, data, tolerate=tolerate)
    for octets in OCTETS:
        assert said(type_, memoryview(data + octets)[: len(data)], copy=False, tolerate=tolerate) == alone
    holder = sequence_class("Holder", Field("value", type_), Field("after", TLV))
    for after in FOLLOWING:
        kind, offset = said(holder, der("30", data, after), tolerate=tolerate)
        assert (kind, max(offset - 2, 0)) == alone


@pytest.mark.parametrize(
    ("number", "kind"),
    [(number, "not-primitive") for number in (1, 2, 5, 6, 9, 10, 13)]
    + [(number, "string-constructed") for number in (3, 4, 7, 12, *range(18, 29), 30)]
    + [(number, "not-constructed") for number in (8, 11, 16, 17, 29)],
)
def test_each_universal_type_has_its_form(number, kind):
    with pytest.raises(derlib.IdentifierError) as caught:
        derlib.parse(bytes([number if kind == "not-constructed" else 0x20 | number, 0]))
    assert caught.value.kind == kind


class Members(Set):
    number: int
    flag: bool


class Tagged(Sequence):
    value: Annotated[int, Explicit(0)]


class Opened(Sequence):
    kind: ObjectIdentifier
    body: Annotated[OctetString, DefinedBy("kind", TYPES)]


class Bits(Sequence):
    kind: ObjectIdentifier
    body: Annotated[BitString, DefinedBy("kind", TYPES)]


@pytest.mark.parametrize(
    ("type_", "data", "offset"),
    [
        (SequenceOf[Tagged], der("30", der("30", der("a0", "020105"))), 2),
        (SequenceOf[Members], der("30", der("31", "0101ff", "020105")), 2),
        (SequenceOf[SequenceOf[int]], der("30", "3000"), 2),
        (SequenceOf[SetOf[int]], der("30", "3100"), 2),
        (Tagged, der("30", der("a0", "020105")), 2),
        (Opened, der("30", ONE, der("04", "020105")), 7),
        (Bits, der("30", ONE, der("03", "00020105")), 7),
        (TLV, der("30", der("30", "0500")), 2),
    ],
)
def test_every_kind_of_level_counts_as_one(type_, data, offset):
    deepest = 3 if type_ is SequenceOf[Tagged] else 2
    derlib.decode(type_, data, limits=Limits(depth=deepest))
    with pytest.raises(derlib.LimitError) as caught:
        derlib.decode(type_, data, limits=Limits(depth=1))
    assert (caught.value.kind, caught.value.offset) == ("depth-limit", offset)


@pytest.mark.parametrize(
    ("type_", "element"),
    [(SequenceOf[int], "020105"), (SetOf[int], "020105"), (SequenceOf[Tagged], "3005a003020105")],
)
def test_the_error_has_the_element_that_exceeds_the_limit(type_, element):
    data = der("30" if type_ is not SetOf[int] else "31", *[element] * 20)
    size = len(bytes.fromhex(element))
    start = len(data) - 20 * size
    for most in (1, 7, 8, 9, 19):
        with pytest.raises(derlib.LimitError) as caught:
            derlib.decode(type_, data, limits=Limits(elements=most))
        assert (caught.value.path, caught.value.offset) == ((most,), start + most * size)
    derlib.decode(type_, data, limits=Limits(elements=20))


@pytest.mark.parametrize(
    ("octets", "first"), [(1, "9f1f"), (2, "9f8100"), (3, "9f818000"), (9, "9f" + "81" + "80" * 7 + "00")]
)
def test_the_first_tag_number_over_a_limit_is_rejected(octets, first):
    data = bytes.fromhex(first) + b"\x00"
    derlib.parse(data, limits=Limits(tag_octets=octets + 1))
    with pytest.raises(derlib.LimitError, match=f"; the limit is {octets}$") as caught:
        derlib.parse(data, limits=Limits(tag_octets=octets))
    assert caught.value.kind == "tag-limit"


def test_the_error_names_a_repeated_member():
    with pytest.raises(derlib.StructureError) as caught:
        Members.decode(der("31", "0101ff", "0101ff", "020105"))
    assert (caught.value.kind, caught.value.path, caught.value.offset) == ("member-extra", ("flag",), 5)


def test_the_error_names_a_component_in_the_other_form():
    class Optional(Sequence):
        first: Annotated[bytes, Implicit(0)] | None = None
        second: Annotated[SequenceOf[int], Implicit(1)] | None = None
        last: int

    class Loose(Set):
        first: Annotated[bytes, Implicit(0)] | None = None
        last: int

    for type_, data, kind, path in (
        (Optional, der("30", "a000", "020105"), "string-constructed", ("first",)),
        (Optional, der("30", "8100", "020105"), "not-constructed", ("second",)),
        (Optional, der("30", "8200", "020105"), "unexpected-tag", ("last",)),
        (Optional, der("30", "020105", "8100"), "component-extra", ()),
        (Loose, der("31", "020105", "a000"), "string-constructed", ("first",)),
        (Loose, der("31", "020105", "a100"), "member-extra", ()),
    ):
        with pytest.raises(derlib.DecodeError) as caught:
            derlib.decode(type_, data)
        assert (caught.value.kind, caught.value.path) == (kind, path)


NESTS = OpenTypes("NESTS", {"2.999.1": int})


class Nest(Sequence):
    kind: ObjectIdentifier
    body: Annotated[OctetString, DefinedBy("kind", NESTS)]


NESTS.register("2.999.2", Nest)


def test_a_mismatch_is_tolerated_at_any_level():
    two = "06 03 883702"
    for levels in range(1, 50):
        data = der("30", ONE, der("04", "0500"))
        for _ in range(levels - 1):
            data = der("30", two, der("04", data))
        found = Nest.decode(data, tolerate=Deviation.OPEN_TYPE)
        assert [one.path for one in found.deviations] == [("body",) * levels]


class Outside(Choice):
    inside: Inside


class Inside(Choice):
    node: Chain


class Chain(Sequence):
    next: Outside | None = None


def test_a_path_has_at_most_256_steps():
    data = b"\x30\x02\x05\x00"
    for _ in range(95):
        data = der("30", data)
    with pytest.raises(derlib.DecodeError) as caught:
        Chain.decode(data)
    assert len(caught.value.path) == 256
    assert caught.value.offset == len(data) - 2

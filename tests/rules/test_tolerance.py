"""Which fault is which deviation, one row each; the forms of time that are tolerated, and their nearest neighbours.

For each row with an error, `rows.py` checks that the deviation in the error tolerates it. These tables name that
deviation, so a test fails if it is lost or given to another fault.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    BitString,
    BMPString,
    ContentsError,
    DefinedBy,
    Deviation,
    Enumerated,
    GeneralizedTime,
    IA5String,
    NamedBits,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UniversalString,
    UTCTime,
    UTF8String,
    VisibleString,
)

from .rows import der, octets


class Usage(NamedBits):
    sign = 1 << 0


class Colour(Enumerated):
    red = 0
    green = 1


class Flagged(Sequence):
    flag: bool = False


class Pair(Set):
    a: int
    b: bool = False


TYPES = OpenTypes("TYPES", {"2.999.1": int})


class Message(Sequence):
    kind: ObjectIdentifier
    body: Annotated[OctetString, DefinedBy("kind", TYPES)]


ONE = der("06", "883701")
ROWS: list[tuple[str, str, Any, bytes | str]] = [
    ("DEFAULT_ENCODED", "default-encoded", Flagged, "3003 010100"),
    ("DEFAULT_ENCODED", "default-encoded", Pair, "3106 010100 020101"),
    ("SET_OF_ORDER", "set-of-order", SetOf[int], "3106 020102 020101"),
    ("SET_ORDER", "set-order", Pair, "3106 020101 0101ff"),
    ("SET_OF_ORDER", "any-set-order", None, "3106 020102 020101"),
    ("NAMED_BITS", "bits-named", Usage, "0302 0080"),
    ("UNUSED_BITS", "bits-padding", BitString, "0302 04ff"),
    ("UNUSED_BITS", "bits-padding", None, "0302 04ff"),
    ("INTEGER_PADDING", "integer-not-minimal", int, "0202 0005"),
    ("INTEGER_PADDING", "integer-not-minimal", Annotated[int, Range(0, 9)], "0202 0005"),
    ("INTEGER_PADDING", "integer-not-minimal", Colour, "0a02 0001"),
    ("INTEGER_PADDING", "integer-not-minimal", Colour, "0a0a 00000000000000000001"),
    ("LENGTH_FORM", "length-not-minimal", bytes, "048101 61"),
    ("LENGTH_FORM", "length-not-minimal", SequenceOf[bytes], "3004 048101 61"),
    ("LENGTH_FORM", "length-not-minimal", Flagged, "3004 018101 ff"),
    ("LENGTH_FORM", "length-not-minimal", Pair, "3104 028101 05"),
    ("LENGTH_FORM", "length-not-minimal", None, "3004 048101 61"),
    ("BOOLEAN_TRUE", "boolean-true", bool, "010101"),
    ("STRING_ALPHABET", "numeric", NumericString, "120141"),
    ("STRING_ALPHABET", "printable", PrintableString, "130140"),
    ("STRING_ALPHABET", "visible", VisibleString, "1a010a"),
    ("STRING_ALPHABET", "ia5", IA5String, "1601e9"),
    ("STRING_ENCODING", "utf8", UTF8String, "0c01e9"),
    ("STRING_ENCODING", "bmp", BMPString, "1e02d800"),
    ("STRING_ENCODING", "universal", UniversalString, "1c0400110000"),
    ("UTC_TIME_FORM", "utc-form", UTCTime, der("17", b"2601020304Z")),
    ("GENERALIZED_TIME_FORM", "generalized-form", GeneralizedTime, der("18", b"2026010203Z")),
    ("GENERALIZED_TIME_FORM", "generalized-fraction", GeneralizedTime, der("18", b"20260102030405.50Z")),
    ("EMPTY_LIST", "size", Annotated[SequenceOf[int], Size(1)], "3000"),
    ("EMPTY_LIST", "size", Annotated[SequenceOf[int], Size(1, 9) & Size(2, 4)], "3000"),
    ("TRAILING_DATA", "trailing-data", int, "020105 00"),
    ("TRAILING_DATA", "contained-extra", Message, der("30", ONE, der("04", "020105 0500"))),
]


def decoded(type_: Any, data: bytes, **options: Any) -> Any:
    return derlib.parse(data, **options) if type_ is None else derlib.decode(type_, data, **options)


@pytest.mark.parametrize(("name", "kind", "type_", "text"), ROWS)
def test_a_fault_is_tolerated_by_its_deviation_and_by_no_other(name, kind, type_, text):
    data = octets(text)
    with pytest.raises(derlib.DecodeError) as caught:
        decoded(type_, data)
    assert (caught.value.kind, caught.value.deviation) == (kind, Deviation[name])
    also = Deviation.SET_ORDER if kind == "any-set-order" else Deviation(0)
    with pytest.raises(derlib.DecodeError) as caught:
        decoded(type_, data, tolerate=~(Deviation[name] | also | Deviation.OPEN_TYPE))
    assert caught.value.kind == kind
    decoded(type_, data, tolerate=Deviation[name])
    if also:
        decoded(type_, data, tolerate=also)
    if kind == "trailing-data":
        return
    holder = decoded(None if type_ is None else SequenceOf[type_], der("30", data), tolerate=Deviation[name])
    assert [one.kind for one in holder.deviations] == [kind]


def test_only_open_type_tolerates_a_mismatch():
    data = der("30", ONE, der("04", "0101ff"))
    with pytest.raises(derlib.DecodeError) as caught:
        Message.decode(data, tolerate=~Deviation.OPEN_TYPE)
    assert caught.value.deviation is Deviation.OPEN_TYPE
    assert Message.decode(data, tolerate=Deviation.OPEN_TYPE).body == b"\x01\x01\xff"


@pytest.mark.parametrize("type_", [Annotated[bytes, Size(1)], Annotated[UTF8String, Size(1)]])
def test_only_a_list_may_be_empty(type_):
    data = b"\x04\x00" if "bytes" in str(type_) else b"\x0c\x00"
    with pytest.raises(derlib.ConstraintViolation):
        derlib.decode(type_, data, tolerate=~Deviation(0))
    with pytest.raises(derlib.ConstraintViolation):
        derlib.decode(Annotated[SequenceOf[int], Size(2)], bytes.fromhex("3003020105"), tolerate=~Deviation(0))


@pytest.mark.parametrize("octet", ["", "80", "02"])
def test_a_header_is_tolerated_for_its_length_form_alone(octet):
    # The indefinite form, a length that is cut, and contents that are.
    data = bytes.fromhex("3002 0102" if not octet else f"3002 01{octet}")
    for type_ in (None, Flagged, SequenceOf[bool]):
        with pytest.raises(derlib.DecodeError):
            decoded(type_, data, tolerate=~Deviation.TRAILING_DATA)


def at(*parts: int, minutes: int = 0) -> datetime:
    return datetime(*parts, tzinfo=timezone(timedelta(minutes=minutes)))


TIMES = [
    (UTCTime, "2601020304Z", at(2026, 1, 2, 3, 4)),
    (UTCTime, "5001020304Z", at(1950, 1, 2, 3, 4)),
    (UTCTime, "9901020304Z", at(1999, 1, 2, 3, 4)),
    (UTCTime, "4901020304Z", at(2049, 1, 2, 3, 4)),
    (UTCTime, "2601020304+0130", at(2026, 1, 2, 3, 4, minutes=90)),
    (UTCTime, "260102030405-0130", at(2026, 1, 2, 3, 4, 5, minutes=-90)),
    (UTCTime, "260102030405+2359", at(2026, 1, 2, 3, 4, 5, minutes=23 * 60 + 59)),
    (UTCTime, "260102030459-2359", at(2026, 1, 2, 3, 4, 59, minutes=-23 * 60 - 59)),
    (GeneralizedTime, "2026010203Z", at(2026, 1, 2, 3)),
    (GeneralizedTime, "202601020304Z", at(2026, 1, 2, 3, 4)),
    (GeneralizedTime, "2026010203+01", at(2026, 1, 2, 3, minutes=60)),
    (GeneralizedTime, "2026010203+23", at(2026, 1, 2, 3, minutes=23 * 60)),
    (GeneralizedTime, "202601020304-0130", at(2026, 1, 2, 3, 4, minutes=-90)),
    (GeneralizedTime, "20260102030405+0059", at(2026, 1, 2, 3, 4, 5, minutes=59)),
    (GeneralizedTime, "20260102030405,5Z", at(2026, 1, 2, 3, 4, 5, 500000)),
    (GeneralizedTime, "20260102030405.5+01", at(2026, 1, 2, 3, 4, 5, 500000, minutes=60)),
    (GeneralizedTime, "20260102030405.500Z", at(2026, 1, 2, 3, 4, 5, 500000)),
    (GeneralizedTime, "20260102030405.000Z", at(2026, 1, 2, 3, 4, 5)),
    (GeneralizedTime, "20260102030405.0-0030", at(2026, 1, 2, 3, 4, 5, minutes=-30)),
    (GeneralizedTime, "20260102030405.9090Z", at(2026, 1, 2, 3, 4, 5, 909000)),
]


@pytest.mark.parametrize(("type_", "text", "value"), TIMES)
def test_a_form_of_time_that_der_lacks_is_read_on_request(type_, text, value):
    data = der("17" if type_ is UTCTime else "18", text.encode())
    deviation = Deviation.UTC_TIME_FORM if type_ is UTCTime else Deviation.GENERALIZED_TIME_FORM
    with pytest.raises(ContentsError) as caught:
        derlib.decode(type_, data)
    assert caught.value.deviation is deviation
    found = derlib.decode(type_, data, tolerate=deviation)
    assert found == value
    assert found.utcoffset() == value.utcoffset()
    assert derlib.parse(data, tolerate=deviation).value == value


NO_TIMES = [
    (UTCTime, text)
    for text in (
        "",
        "Z",
        "26010203Z",
        "260102030Z",
        "2601020304",
        "2601020304z",
        "26010203040Z",
        "2601020304050Z",
        "260102030405.5Z",
        "260102030405,5Z",
        "260102030405060Z",
        "2601020304 0130",
        "2601020304+013",
        "2601020304+01",
        "2601020304+01300",
        "2601020304+2400",
        "2601020304+0060",
        "2601020304/0130",
        "2601020304*0130",
        "2601020304,0130",
        "2601020304.0130",
        "2601020304+0:30",
        "2601020304+/130",
        "2601020304+01/0",
        "2601020304+013:",
        "2601320304Z",
        "2613020304Z",
        "2601022404Z",
        "2601020360Z",
        "260102030460+0000",
        "2602290304Z",
        "26/1020304Z",
        "26:1020304Z",
        "260/020304Z",
        "260:020304Z",
        "2601020304Z0",
        "260102030405Z+0130",
        "2601020304ZZ",
    )
] + [
    (GeneralizedTime, text)
    for text in (
        "",
        "Z",
        "20Z",
        "2Z",
        "20260102Z",
        "202601020Z",
        "2026010203",
        "2026010203z",
        "20260102030Z",
        "20260102030405",
        "20260102030405.Z",
        "20260102030405,Z",
        "20260102030405.+01",
        "20260102030405;5Z",
        "20260102030405.5",
        "20260102030405./Z",
        "20260102030405.:Z",
        "20260102030405.5ZZ",
        "2026010203.5Z",
        "202601020304.5Z",
        "202601020304,5Z",
        "2026010203+1",
        "2026010203+013",
        "2026010203+24",
        "2026010203+01300",
        "2026010203+0060",
        "2026010203/01",
        "2026010203*01",
        "2026010203,01",
        "2026010203.01",
        "2026010203+/1",
        "2026010203+0:",
        "2026010203+01/0",
        "2026013203Z",
        "2026130203Z",
        "2026010224Z",
        "202601020360Z",
        "2026022903Z",
        "20260102030460+0000",
        "/026010203Z",
        ":026010203Z",
        "2/26010203Z",
        "2:26010203Z",
        "2026010203040506Z",
        "20260102030405.5.5Z",
        "20260102030405-01-30",
    )
]


@pytest.mark.parametrize(("type_", "text"), NO_TIMES)
def test_an_invalid_form_of_time_is_rejected_whatever_is_tolerated(type_, text):
    data = der("17" if type_ is UTCTime else "18", text.encode())
    with pytest.raises(ContentsError):
        derlib.decode(type_, data, tolerate=~Deviation(0))
    with pytest.raises(ContentsError) as caught:
        derlib.parse(data, tolerate=~Deviation(0))
    assert caught.value.deviation is None

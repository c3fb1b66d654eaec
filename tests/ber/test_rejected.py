"""Input that is not BER: each row has the kind, the offset in the input and the path of the error."""

from typing import Annotated

import pytest
from rules.rows import der

import derlib
from derlib import (
    BitString,
    Containing,
    Enumerated,
    Explicit,
    Implicit,
    Limits,
    Null,
    ObjectIdentifier,
    OctetString,
    PrintableString,
    RelativeOID,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
)

from .rows import TYPED, rejects, table

ALONE = ("alone",)
BOTH = ("alone", "untyped")


class Colour(Enumerated):
    red = 0


class Pair(Sequence):
    first: int
    second: bytes


class Marks(Set):
    flag: bool
    number: int


class Wrapped(Sequence):
    typed: Annotated[OctetString, Containing(Pair)]


# X.690 8.1.2 and 8.1.3.
HEADERS = [
    rejects("no bytes", int, "", "identifier-truncated", "8.1.2", places=BOTH),
    rejects("an identifier octet alone", int, "02", "length-truncated", "8.1.3", places=BOTH),
    rejects("a tag number that does not end", int, "1f 81", "identifier-truncated", "8.1.2", places=BOTH),
    rejects("a tag in more octets than needed", int, "1f 02 01 05", "tag-not-minimal", "8.1.2.4"),
    rejects("a tag number that begins with 80", int, "9f 80 1f 01 05", "tag-not-minimal", "8.1.2.4"),
    rejects("length octets that are cut off", int, "02 82 00", "length-truncated", "8.1.3", places=BOTH),
    rejects("the length ff", int, "02 ff 01 05", "length-reserved", "8.1.3.5"),
    rejects("contents that are cut off", int, "02 02 05", "content-truncated", "8.1.3", places=BOTH),
    rejects("a long length beyond the input", bytes, "04 88 7f ff ff ff ff ff ff ff", "content-truncated", "8.1.3",
        places=BOTH),
    rejects("a length of 126 octets beyond the input", bytes, b"\x04\xfe" + b"\xff" * 126, "content-truncated", "8.1.3",
        places=BOTH),
    rejects("a primitive element of indefinite length", bytes, "04 80 61 00 00", "indefinite-primitive", "8.1.3.2"),
    rejects("a primitive element with a tag, of indefinite length", Annotated[bytes, Implicit(0)], "80 80 61 00 00",
        "indefinite-primitive", "8.1.3.2"),
    rejects("bytes after the value", int, "02 81 01 05 00", "trailing-data", "8.1.1.1", 4, places=BOTH),
    rejects("bytes after the end-of-contents octets", SequenceOf[int], "30 80 00 00 00 00", "trailing-data",
        "8.1.1.1", 4,
        places=BOTH),
]

# X.690 8.1.5, 8.1.3.6.
ENDS = [
    rejects("an indefinite length that does not end", SequenceOf[int], "30 80 02 01 05", "end-of-contents-missing",
        "8.1.3.6", places=BOTH),
    rejects("an indefinite length at the end of the input", SequenceOf[int], "30 80", "end-of-contents-missing",
        "8.1.3.6",
        places=BOTH),
    rejects("half of the end-of-contents octets", SequenceOf[int], "30 80 00", "end-of-contents-missing", "8.1.3.6",
        places=BOTH),
    rejects("an inner length that does not end before the outer one", SequenceOf[SequenceOf[int]], "30 04 30 80 05 00",
        "end-of-contents-missing", "8.1.3.6", 2, (0,), BOTH),
    rejects("end-of-contents octets in a definite length", SequenceOf[int], "30 02 00 00", "end-of-contents-stray",
        "8.1.5",
        2, (0,), BOTH),
    rejects("end-of-contents octets after the last element", SequenceOf[int], "30 05 02 01 05 00 00",
        "end-of-contents-stray", "8.1.5", 5, (1,), BOTH),
    rejects("end-of-contents octets alone", int, "00 00", "end-of-contents-stray", "8.1.5", places=BOTH),
    rejects("end-of-contents octets with contents", SequenceOf[int], "30 80 00 01 05 00 00", "tag-reserved", "8.1.5", 2,
        (0,), BOTH),
    rejects("end-of-contents octets with a long length", SequenceOf[int], "30 80 00 81 00 00 00", "tag-reserved",
        "8.1.5",
        2, (0,), BOTH),
    rejects("end-of-contents octets in the constructed form", SequenceOf[int], "30 80 20 00 00 00", "tag-reserved",
        "8.1.5",
        2, (0,), BOTH),
]

# X.690 8.6.4, 8.7.3, 8.23.6.
SEGMENTS = [
    rejects("an OCTET STRING in a BIT STRING", BitString, "23 03 04 01 61", "segment-type", "8.6.4", 2),
    rejects("a BIT STRING in an OCTET STRING", OctetString, "24 04 03 02 00 61", "segment-type", "8.7.3", 2),
    rejects("a PrintableString in a PrintableString", PrintableString, "33 03 13 01 61", "segment-type", "8.23.6", 2),
    rejects("an INTEGER after a segment", OctetString, "24 06 04 01 61 02 01 05", "segment-type", "8.7.3", 5),
    rejects("another type in a segment", OctetString, "24 80 24 03 02 01 05 00 00", "segment-type", "8.7.3", 4),
    rejects("a segment with a tag", OctetString, "24 03 80 01 61", "segment-type", "8.7.3", 2),
    rejects("unused bits before the last segment", BitString, "23 08 03 02 04 f0 03 02 00 ff", "segment-bits",
        "8.6.4", 2),
    rejects("unused bits before an empty segment", BitString, "23 07 03 02 04 f0 03 01 00", "segment-bits", "8.6.4", 2),
    rejects("unused bits in a segment of a segment", BitString, "23 80 23 04 03 02 04 f0 03 02 00 ff 00 00",
        "segment-bits", "8.6.4", 4),
    rejects("a segment without an initial octet", BitString, "23 02 03 00", "bits-empty", "8.6.2", 2),
    rejects("a segment with eight unused bits", BitString, "23 04 03 02 08 ff", "bits-unused", "8.6.2", 2),
    rejects("an empty segment with unused bits", BitString, "23 03 03 01 01", "bits-unused-empty", "8.6.2", 2),
    rejects("a segment that is cut off", OctetString, "24 03 04 02 61", "content-truncated", "8.1.3", 2),
    rejects("segments without end-of-contents octets", OctetString, "24 80 04 01 61", "end-of-contents-missing",
        "8.1.3.6",
        places=BOTH),
    rejects("characters that the type does not have", PrintableString, "33 03 04 01 40", "printable", "41.4"),
    rejects("joined segments that are not UTF-8", str, "2c 06 04 01 c3 04 01 41", "utf8", "8.23.10"),
]

# Rules of X.690 8 that DER does not change.
CONTENTS = [
    rejects("an empty BOOLEAN", bool, "01 00", "boolean-length", "8.2.1"),
    rejects("a BOOLEAN of two octets", bool, "01 02 01 01", "boolean-length", "8.2.1"),
    rejects("a constructed BOOLEAN", bool, "21 03 01 01 ff", "not-primitive", ""),
    rejects("an INTEGER with a zero octet", int, "02 02 00 05", "integer-not-minimal", "8.3.2"),
    rejects("a negative INTEGER with an octet ff", int, "02 02 ff 80", "integer-not-minimal", "8.3.2"),
    rejects("an empty INTEGER", int, "02 00", "integer-empty", "8.3.1"),
    rejects("a constructed INTEGER", int, "22 03 02 01 05", "not-primitive", ""),
    rejects("an ENUMERATED with a zero octet", Colour, "0a 02 00 00", "integer-not-minimal", "8.3.2"),
    rejects("an unknown item", Colour, "0a 01 05", "enumerated-unknown", "", places=TYPED),
    rejects("a BIT STRING without an initial octet", BitString, "03 00", "bits-empty", "8.6.2"),
    rejects("a BIT STRING with eight unused bits", BitString, "03 02 08 ff", "bits-unused", "8.6.2"),
    rejects("an empty BIT STRING with unused bits", BitString, "03 01 01", "bits-unused-empty", "8.6.2"),
    rejects("a NULL with contents", Null, "05 01 00", "null-contents", "8.8.2"),
    rejects("an arc that begins with 80", ObjectIdentifier, "06 03 2a 80 01", "oid-not-minimal", "8.19.2"),
    rejects("an arc that does not end", ObjectIdentifier, "06 02 2a 81", "oid-unfinished", "8.19.2"),
    rejects("a RELATIVE-OID with an arc that begins with 80", RelativeOID, "0d 02 80 01", "oid-not-minimal", "8.20.2"),
    rejects("a primitive SEQUENCE", Pair, "10 00", "not-constructed", ""),
    rejects("a BOOLEAN where an INTEGER is expected", int, "01 01 01", "unexpected-tag", "", places=TYPED),
]

# Rules of types, in a SEQUENCE of indefinite length.
STRUCTURES = [
    rejects("a missing component", Pair, "30 80 02 01 05 00 00", "component-missing", "8.9", 5, ("second",), ALONE),
    rejects("another component", Pair, "30 80 02 81 01 05 01 01 01 00 00", "unexpected-tag", "", 6, ("second",), ALONE),
    rejects("an additional component", Pair, "30 80 02 81 01 05 04 00 05 00 00 00", "component-extra", "8.9", 8, (),
        ALONE),
    rejects("a component twice", Marks, "31 80 02 81 01 05 02 01 05 00 00", "member-extra", "8.11", 6, ("number",),
        ALONE),
    rejects("an invalid component after changes", Pair, "30 80 02 81 01 05 24 80 02 01 05 00 00 00 00", "segment-type",
        "8.7.3", 8, ("second",), ALONE),
    rejects("an invalid element of a SET OF", SetOf[int], "31 80 02 01 07 02 01 05 02 02 00 01 00 00",
        "integer-not-minimal", "8.3.2", 8, (2,), ALONE),
    rejects("an explicit tag without an element", Annotated[int, Explicit(0)], "a0 80 00 00", "explicit-empty", "8.14",
        2, places=ALONE),
    rejects("two elements under an explicit tag", Annotated[int, Explicit(0)], "a0 80 02 81 01 05 02 01 05 00 00",
        "explicit-extra", "8.14", 6, places=ALONE),
    # The contents of a string are not converted.
    rejects("a string that contains BER", Wrapped, "30 80 24 80 04 05 30 80 02 01 05 04 04 04 00 00 00 00 00 00 00",
        "length-indefinite", "10.1", 6, ("typed",), ALONE),
    rejects("a string that contains BER, not in segments", Wrapped, "30 80 04 0a 30 80 02 01 05 04 01 61 00 00 00 00",
        "length-indefinite", "10.1", 4, ("typed",), ALONE),
]


@table([*HEADERS, *ENDS])
def test_header(row, place):
    row.check(place)


@table(SEGMENTS)
def test_segment(row, place):
    row.check(place)


@table(CONTENTS)
def test_contents(row, place):
    row.check(place)


@table(STRUCTURES)
def test_structure(row, place):
    row.check(place)


def nested(levels: int, start: bytes, end: bytes = b"") -> bytes:
    return start * levels + end * levels


@pytest.mark.parametrize("data", [
    nested(1000, b"\x30\x80", bytes(2)), nested(1000, b"\xa0\x80", bytes(2)), nested(1000, b"\x24\x80", bytes(2)),
    nested(1000, b"\x23\x80", bytes(2)), nested(1000, b"\x31\x80", bytes(2)), nested(100_000, b"\x30\x80"),
], ids=["SEQUENCE", "tag", "OCTET STRING", "BIT STRING", "SET", "open"])
@pytest.mark.parametrize("type_", [None, derlib.TLV, OctetString, SequenceOf[derlib.TLV]], ids=str)
def test_depth_is_limited(type_, data):
    with pytest.raises(derlib.ASN1Error) as caught:
        derlib.ber.convert(data, type_)
    if type_ in (None, derlib.TLV):
        assert caught.value.kind == "depth-limit"
        assert 2 * 30 < caught.value.offset < 2 * 201
    for depth in (5, 20, 200):
        with pytest.raises(derlib.LimitError) as caught:
            derlib.ber.convert(data, None, limits=Limits(depth=depth))
        assert caught.value.kind == "depth-limit"
        assert caught.value.offset <= 2 * depth + 2


@pytest.mark.parametrize("data", [
    der("24", b"\x04\0" * 1000), der("23", b"\x03\1\0" * 1000), b"\x30\x80" + der("24", b"\x04\0" * 1000) + bytes(2),
    der("30", b"\x30\x80\0\0" * 1000),
], ids=["octets", "bits", "inside", "elements"])
def test_segments_count_as_elements(data):
    with pytest.raises(derlib.LimitError) as caught:
        derlib.ber.convert(data, limits=Limits(elements=999))
    assert caught.value.kind == "element-limit"
    derlib.ber.convert(data, limits=Limits(elements=1010))


def test_size_is_limited():
    data = bytes.fromhex("30 80 02 01 05 00 00")
    with pytest.raises(derlib.LimitError) as caught:
        derlib.ber.convert(data, limits=Limits(size=6))
    assert caught.value.kind == "input-limit"
    derlib.ber.convert(data, limits=Limits(size=7))


@pytest.mark.parametrize("cut", range(30))
def test_every_shorter_input_is_invalid(cut):
    whole = bytes.fromhex("30 80 31 80 24 80 04 01 61 00 00 a0 82 00 06 02 83 00 00 01 05 00 00 01 01 33 00 00")
    assert len(derlib.ber.convert(whole).changes) > 4
    if cut < len(whole):
        with pytest.raises(derlib.TruncatedError):
            derlib.ber.convert(whole[:cut])

"""Length octets, and where an input ends: X.690 8.1.3, 10.1; tag numbers are in `test_tags.py`."""

import pytest

import derlib
from derlib import (
    IdentifierError,
    LengthError,
    LimitError,
    Null,
    Sequence,
    SequenceOf,
    SetOf,
    StructureError,
    TrailingDataError,
    TruncatedError,
)

from .rows import WITH_SCHEMA, der, reads, refuses, table


class Pair(Sequence):
    first: int
    second: bytes


def zeros(count: int) -> bytes:
    return bytes(count)


def nested(depth: int) -> bytes:
    """So many SEQUENCEs in one another, the innermost empty."""
    data = b""
    for _ in range(depth):
        data = der("30", data)
    return data


SHORT_FORM = [
    reads("a length of 0", bytes, "04 00", b""),
    reads("a length of 1", bytes, "04 01 aa", b"\xaa"),
    reads("the longest short form, 127", bytes, b"\x04\x7f" + zeros(127), zeros(127)),
    refuses("the indefinite form on a primitive type", bytes, "04 80 00 00", LengthError,
        "10.1|8.1.3"),
    refuses("the indefinite form on a SEQUENCE", Pair, "30 80 02 01 05 04 00 00 00", LengthError,
        "10.1"),
    refuses("the indefinite form on a SEQUENCE OF", SequenceOf[int], "30 80 00 00", LengthError,
        "10.1"),
    refuses("the indefinite form on a SET OF", SetOf[int], "31 80 02 01 05 00 00", LengthError,
        "10.1"),
    refuses("the indefinite form on a constructed string", bytes, "24 80 04 01 aa 00 00",
        LengthError, "10.1"),
]

LONG_FORM = [
    reads("the first length in the long form, 128", bytes, b"\x04\x81\x80" + zeros(128),
        zeros(128)),
    refuses("length 0 in two octets", bytes, "04 81 00", LengthError, "10.1"),
    refuses("length 127 in two octets", bytes, b"\x04\x81\x7f" + zeros(127), LengthError, "10.1"),
    reads("length 255 in two octets", bytes, b"\x04\x81\xff" + zeros(255), zeros(255)),
    refuses("length 255 in three octets", bytes, b"\x04\x82\x00\xff" + zeros(255), LengthError,
        "10.1"),
    refuses("length 128 in three octets", bytes, b"\x04\x82\x00\x80" + zeros(128), LengthError,
        "10.1"),
    refuses("length 1 in three octets", bytes, "04 82 00 01 aa", LengthError, "10.1"),
    reads("length 256 in three octets", bytes, b"\x04\x82\x01\x00" + zeros(256), zeros(256)),
    reads("length 65535 in three octets", bytes, b"\x04\x82\xff\xff" + zeros(65535), zeros(65535)),
    refuses("length 65535 in four octets", bytes, b"\x04\x83\x00\xff\xff" + zeros(65535),
        LengthError, "10.1"),
    reads("length 65536 in four octets", bytes, b"\x04\x83\x01\x00\x00" + zeros(65536),
        zeros(65536)),
    refuses("length 65536 in five octets", bytes, b"\x04\x84\x00\x01\x00\x00" + zeros(65536),
        LengthError, "10.1"),
    refuses("length 1 in eight octets of zeros", bytes, "04 88 00 00 00 00 00 00 00 01 aa",
        LengthError, "10.1"),
    refuses("length 1 in nine octets of zeros", bytes, "04 89 00 00 00 00 00 00 00 00 01 aa",
        LengthError, "10.1"),
    refuses("the reserved initial octet ff", bytes, b"\x04\xff" + zeros(126) + b"\x00", LengthError,
        "8.1.3.5"),
    refuses("the reserved initial octet ff on a SEQUENCE", Pair, "30 ff 02 01 05 04 00",
        LengthError, "8.1.3.5"),
    refuses("a long form on the first of two components", Pair, "30 06 02 81 01 05 04 00",
        LengthError, "10.1", 2),
    refuses("a long form on the second of two components", Pair, "30 06 02 01 05 04 81 00",
        LengthError, "10.1", 5),
]

LIMITS = [
    refuses("a length of 2^63", bytes, "04 88 80 00 00 00 00 00 00 00", LimitError),
    refuses("a length of 2^64 - 1", bytes, "04 88 ff ff ff ff ff ff ff ff", LimitError),
    refuses("a length of 2^64", bytes, "04 89 01 00 00 00 00 00 00 00 00", LimitError),
    refuses("a length in 126 octets", bytes, b"\x04\xfe\x01" + zeros(125), LimitError),
    refuses("a length of 2^63 on a SEQUENCE", Pair, "30 88 80 00 00 00 00 00 00 00", LimitError),
    reads("100 elements in one another", derlib.TLV, nested(100), nested(100), ("alone", "parsed")),
    refuses("101 elements in one another", derlib.TLV, nested(101), LimitError, "",
        len(nested(101)) - 2, ("alone", "parsed")),
]

TRUNCATION = [
    refuses("no octets at all", bytes, "", TruncatedError, places=("alone", "parsed")),
    refuses("an identifier without length octets", bytes, "04", TruncatedError),
    refuses("a length of 1 without contents", bytes, "04 01", TruncatedError),
    refuses("contents shorter by one octet", bytes, "04 03 aa bb", TruncatedError),
    refuses("a long form without its length octets", bytes, "04 81", TruncatedError),
    refuses("a long form without its last length octet", bytes, "04 82 01", TruncatedError),
    refuses("a long form without contents", bytes, "04 81 80", TruncatedError),
    refuses("a length of 2^63 - 1 without contents", bytes, "04 88 7f ff ff ff ff ff ff ff",
        TruncatedError),
    refuses("a SEQUENCE that is cut", Pair, "30 05 02 01 05 04", TruncatedError),
    refuses("a SEQUENCE OF that is cut", SequenceOf[int], "30 06 02 01 05 02 01", TruncatedError),
]

# X.690 8.1.1: what a constructed element holds are whole elements; none goes on past its end.
OVERRUN = [
    reads("components that fill a SEQUENCE", Pair, "30 05 02 01 05 04 00",
        {"first": 5, "second": b""}),
    refuses("a component longer than the rest", Pair, "30 05 02 01 05 04 01", TruncatedError, "", 5,
        WITH_SCHEMA),
    refuses("a first component that swallows the second", Pair, "30 05 02 04 05 04 00",
        TruncatedError, "", 2, WITH_SCHEMA),
    refuses("half an identifier at the end", SequenceOf[int], "30 04 02 01 05 02", TruncatedError,
        "", 5, WITH_SCHEMA),
    refuses("a list element longer than the list", SequenceOf[int], "30 06 02 01 05 02 02 05",
        TruncatedError, "", 5, WITH_SCHEMA),
    refuses("a SET OF element longer than the set", SetOf[int], "31 03 02 02 05", TruncatedError,
        "", 2, WITH_SCHEMA),
]

TRAILING = [
    refuses("one octet after the value", bytes, "04 00 00", TrailingDataError, "", 2),
    refuses("a second value after the value", bytes, "04 01 aa 04 00", TrailingDataError, "", 3),
    refuses("an end-of-contents after a SEQUENCE", Pair, "30 05 02 01 05 04 00 00 00",
        TrailingDataError, "", 7),
    refuses("octets after a SEQUENCE OF", SequenceOf[int], "30 00 ff", TrailingDataError, "", 2),
    refuses("octets after NULL", Null, "05 00 05 00", TrailingDataError, "", 2),
]

WRONG_TAG = [
    refuses("another universal type", bytes, "02 01 05", StructureError, "", 0),
    refuses("the same number, context-specific", bytes, "84 01 aa", StructureError, "", 0),
    refuses("the same number, application", bytes, "44 01 aa", StructureError, "", 0),
    refuses("the same number, private", bytes, "c4 01 aa", StructureError, "", 0),
    refuses("a SET for a SEQUENCE", Pair, "31 05 02 01 05 04 00", StructureError, "", 0),
    refuses("a SEQUENCE for a SET OF", SetOf[int], "30 03 02 01 05", StructureError, "", 0),
    refuses("a wrong component", Pair, "30 05 02 01 05 05 00", StructureError, "", 5),
]

# X.690 8.1.2.5: the form is part of the type. Strings have a clause of their own, 10.2.
WRONG_FORM = [
    refuses("a SEQUENCE in primitive form", Pair, "10 05 02 01 05 04 00", IdentifierError,
        "8.1.2.5|8.9.1"),
    refuses("a SEQUENCE OF in primitive form", SequenceOf[int], "10 00", IdentifierError,
        "8.1.2.5|8.10.1"),
    refuses("a SET OF in primitive form", SetOf[int], "11 00", IdentifierError, "8.1.2.5|8.12.1"),
    refuses("an OCTET STRING in constructed form", bytes, "24 03 04 01 aa", IdentifierError,
        "10.2"),
    refuses("an empty OCTET STRING in constructed form", bytes, "24 00", IdentifierError, "10.2"),
]


@table([*SHORT_FORM, *LONG_FORM, *LIMITS])
def test_length_octets(row, place):
    row.check(place)


@table([*TRUNCATION, *OVERRUN, *TRAILING])
def test_end_of_input(row, place):
    row.check(place)


@table([*WRONG_TAG, *WRONG_FORM])
def test_tag_of_the_type(row, place):
    row.check(place)


def test_a_length_of_16_mebioctets_takes_four_octets():
    contents = zeros(1 << 24)
    assert derlib.decode(bytes, b"\x04\x84\x01\x00\x00\x00" + contents) == contents


@pytest.mark.parametrize("count", [*range(120, 136), 254, 255, 256, 257, 65535, 65536, 65537])
def test_the_header_length_of_a_span_is_that_of_the_only_der_header(count):
    data = der("30", "02 01 05", der("04", zeros(count)))
    span = Pair.decode(data).span("second")
    expected_header = 2 if count < 0x80 else 3 if count < 0x100 else 4 if count < 0x10000 else 5
    assert (span.header_length, span.content_length) == (expected_header, count)
    assert span.length == expected_header + count
    assert span.content_offset == span.offset + expected_header
    assert span.end == len(data)


def test_truncation_at_every_octet_is_a_truncation_of_the_outermost_element():
    data = der("30", "02 01 05", der("04", zeros(300)))
    assert Pair.decode(data).first == 5
    for end in range(len(data)):
        with pytest.raises(TruncatedError) as caught:
            Pair.decode(data[:end])
        assert caught.value.offset == 0


class Blobs(Sequence):
    first: bytes
    second: int


@pytest.mark.parametrize(
    ("type_", "rest"), [(Blobs, "020105"), (SequenceOf[bytes], "")], ids=["in a SEQUENCE", "in a SEQUENCE OF"]
)
def test_an_indefinite_length_is_no_length_of_128_octets(type_, rest):
    data = der("30", b"\x04\x80" + zeros(128), rest)
    with pytest.raises(LengthError) as caught:
        type_.decode(data)
    assert (caught.value.kind, caught.value.offset) == ("length-indefinite", data.index(b"\x04\x80"))

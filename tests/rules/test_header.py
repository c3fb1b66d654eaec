"""Length octets, and where an input ends: X.690 8.1.3, 10.1; tag numbers are in `test_tags.py`."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    Containing,
    Deviation,
    Explicit,
    IdentifierError,
    Implicit,
    LengthError,
    LimitError,
    Null,
    OctetString,
    Sequence,
    SequenceOf,
    Set,
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
    refuses("a length of 2^63", bytes, "04 88 80 00 00 00 00 00 00 00", TruncatedError),
    refuses("a length of 2^63 on a SEQUENCE", Pair, "30 88 80 00 00 00 00 00 00 00", TruncatedError),
    refuses("a length of 2^64 - 1", bytes, "04 88 ff ff ff ff ff ff ff ff", TruncatedError),
    refuses("a length of 2^64", bytes, "04 89 01 00 00 00 00 00 00 00 00", TruncatedError),
    refuses("a length that is 1 in its last 64 bits", bytes, "04 89 01 00 00 00 00 00 00 00 01 aa", TruncatedError),
    refuses("a length in 126 octets", bytes, b"\x04\xfe\x01" + zeros(125), TruncatedError),
    refuses("a length in 126 octets of which the last is missing", bytes, b"\x04\xfe\x01" + zeros(124),
        TruncatedError),
    refuses("a SEQUENCE that is cut", Pair, "30 05 02 01 05 04", TruncatedError),
    refuses("a SEQUENCE OF that is cut", SequenceOf[int], "30 06 02 01 05 02 01", TruncatedError),
]

# X.690 10.1: the form of a length is wrong before its value is; where the form is tolerated, the value is refused.
PADDED_AND_TOO_LONG = [
    refuses("length 1 in two octets without contents", bytes, "04 81 01", LengthError, "10.1", places=("alone",
        "parsed")),
    refuses("length 1 in three octets without contents", bytes, "04 82 00 01", LengthError, "10.1",
        places=("alone", "parsed")),
    refuses("length 2^63 in nine octets", bytes, "04 89 00 80 00 00 00 00 00 00 00", LengthError, "10.1",
        places=("alone", "parsed")),
    refuses("length 2^64 in 126 octets", bytes, b"\x04\xfe" + zeros(117) + b"\x01" + zeros(8), LengthError, "10.1",
        places=("alone", "parsed")),
    refuses("a component with a padded length beyond the end of the SEQUENCE", Pair, "30 06 02 01 05 04 81 01",
        LengthError, "10.1", 5, ("alone", "list")),
    refuses("a padded length of a component with tag 31", Annotated[bytes, Implicit(31)], "9f 1f 81 01", LengthError,
        "10.1", places=("alone",)),
    refuses("a padded length of a component with tag 16384", Annotated[bytes, Implicit(16384)], "9f 81 80 00 81 01",
        LengthError, "10.1", places=("alone",)),
    refuses("a length in the shortest form of a component with tag 31", Annotated[bytes, Implicit(31)], "9f 1f 81 80",
        TruncatedError, places=("alone",)),
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


@table([*SHORT_FORM, *LONG_FORM, *LIMITS, *PADDED_AND_TOO_LONG])
def test_length_octets(row, place):
    row.check(place)


@table([*TRUNCATION, *OVERRUN, *TRAILING])
def test_end_of_input(row, place):
    row.check(place)


@pytest.mark.parametrize(("text", "value"), [("04820001aa", b"\xaa"), ("0482000100", b"\x00")])
def test_a_padded_length_that_fits_is_tolerated(text, value):
    assert derlib.decode(bytes, bytes.fromhex(text), tolerate=Deviation.LENGTH_FORM) == value


@pytest.mark.parametrize(
    "text", ["048101", "04820001", "0489008000000000000000", "04fe" + 117 * "00" + "01" + 8 * "00", "3006020105 048101"]
)
def test_a_padded_length_that_is_too_long_is_truncated_contents_where_padding_is_tolerated(text):
    type_ = Pair if text.startswith("30") else bytes
    data = bytes.fromhex(text)
    with pytest.raises(LengthError) as caught:
        derlib.decode(type_, data)
    # To tolerate the form alone would not help.
    assert (caught.value.kind, caught.value.deviation) == ("length-not-minimal", None)
    with pytest.raises(TruncatedError) as caught:
        derlib.decode(type_, data, tolerate=~Deviation(0))
    assert caught.value.kind == "content-truncated"


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("0401", "declares 1 contents octet; the input ends after 0, at offset 2"),
        ("0403aabb", "declares 3 contents octets; the input ends after 2, at offset 4"),
        ("0488ffffffffffffffff", "declares 18446744073709551615 contents octets; the input ends after 0"),
        ("0489010000000000000000", "declares 2^64 or more contents octets; the input ends after 0, at offset 11"),
        ("04fe01" + 125 * "00", "declares 2^1000 or more contents octets; the input ends after 0, at offset 128"),
    ],
)
def test_the_message_says_how_many_contents_octets_are_declared_and_there(text, declared):
    with pytest.raises(TruncatedError) as caught:
        derlib.decode(bytes, bytes.fromhex(text))
    assert declared in str(caught.value)


class Members(Set):
    number: int
    text: Annotated[bytes, Implicit(0)]


Lists = SequenceOf[SequenceOf[int]]
Wrapped = SequenceOf[Annotated[int, Explicit(0)]]
Strings = SequenceOf[Annotated[OctetString, Containing(int)]]
ENDS = [
    # What is cut off, by the input or by the element around it, which other elements follow.
    ("an identifier", int, "", (), "the input ends at offset 0, before the identifier octets of INTEGER"),
    ("a length", Lists, "3003300102", (0, 0), "the input ends at offset 5, before the length octets of INTEGER"),
    ("a length in a list", Lists, "3006 300102 020105", (0, 0),
        "the enclosing element ends at offset 5, before the length octets of INTEGER"),
    ("contents in a list", Lists, "3008 3003020900 020105", (0, 0),
        "declares 9 contents octets; the enclosing element ends after 1, at offset 7"),
    ("a high tag in a list", Lists, "3007 30021f81 020105", (0, 0),
        "the enclosing element ends at offset 6, before the identifier octets of INTEGER"),
    ("a length in a SEQUENCE", SequenceOf[Pair], "3009 3004020105 04 020105", (0, "second"),
        "the enclosing element ends at offset 8, before the length octets of OCTET STRING"),
    ("a length after a SEQUENCE", SequenceOf[Pair], "300b 3006020105 0400 02 020105", (0,),
        "the enclosing element ends at offset 10, before the length octets of an element"),
    ("a length in a SET", SequenceOf[Members], "3009 3104020105 80 020105", (0,),
        "the enclosing element ends at offset 8, before the length octets of an element"),
    ("a length in an explicit tag", Wrapped, "3006 a00102 020105", (0,),
        "the enclosing element ends at offset 5, before the length octets of INTEGER"),
    ("a length in a string", Strings, "3006 040102 020105", (0,),
        "the enclosing element ends at offset 5, before the length octets of INTEGER"),
    ("an identifier in a string", Strings, "3005 0400 020105", (0,),
        "the enclosing element ends at offset 4, before the identifier octets of INTEGER"),
    ("a length without a schema", None, "3006 300102 020105", (),
        "the enclosing element ends at offset 5, before the length octets of an element"),
    # Octets of the element that follows are not part of what is missing or too many.
    ("a component", SequenceOf[Pair], "3008 3003020105 020105", (0, "second"), "OCTET STRING is missing"),
    ("a member", SequenceOf[Members], "3008 3103020105 020105", (0, "text"), "[0] OCTET STRING is missing"),
    ("contents of an explicit tag", Wrapped, "3005 a000 020105", (0,), "the explicit tag contains no element"),
]


@pytest.mark.parametrize(("type_", "text", "path", "says"), [pytest.param(*row[1:], id=row[0]) for row in ENDS])
def test_the_message_names_the_truncated_element_and_reads_nothing_after_it(type_, text, path, says):
    data = bytes.fromhex(text)
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.parse(data) if type_ is None else derlib.decode(type_, data)
    error = caught.value
    assert error.path == path
    assert says in str(error)
    assert "INTEGER" not in error.found
    assert "05" not in error.found


@pytest.mark.parametrize(
    ("type_", "text", "kind", "start"),
    [
        (Wrapped, "300a a00602010502 0105 0500", "explicit-extra", "02 01"),
        (Wrapped, "300a a004020105 30 0500 0500", "explicit-extra", "30"),
        (Strings, "3009 0404020105 30 02010a", "contained-extra", "30"),
        (Strings, "3009 0404020105 02 02010a", "contained-extra", "02"),
        (Lists, "300b 3007020105 04820001 0500", "length-not-minimal", "04 82 00 01"),
    ],
)
def test_a_message_quotes_no_octets_after_the_invalid_element(type_, text, kind, start):
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.decode(type_, bytes.fromhex(text))
    assert caught.value.kind == kind
    assert caught.value.found in (f"octets {start}", "INTEGER")
    assert "0a" not in str(caught.value)
    assert "05 00" not in str(caught.value)


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

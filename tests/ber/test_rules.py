"""The rules of BER for headers, strings, SEQUENCE and SET: each has BER that converts, and its DER."""

from typing import Annotated, Any

import pytest
from rules.rows import der

import derlib
from derlib import (
    BitString,
    Choice,
    Containing,
    Explicit,
    Implicit,
    NamedBits,
    Null,
    OctetString,
    PrintableString,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    VisibleString,
)

from .rows import converts, table


class Usage(NamedBits):
    sign = 1 << 0
    wrap = 1 << 2


class Inner(Sequence):
    number: int


class Defaults(Sequence):
    version: int = 0
    flag: bool = True
    text: str | None = None


class Marks(Set):
    flag: bool
    number: int
    last: Annotated[bytes, Implicit(0)] = b""


class Either(Choice):
    text: Annotated[str, Implicit(0)]
    list: Annotated[SequenceOf[OctetString], Implicit(1)]


class Group(Set):
    number: Annotated[int, Implicit(5)]
    either: Either


# X.690 8.1.3: length octets.
LENGTHS = [
    converts("one length octet more", int, "02 81 01 05", "02 01 05", "length-not-minimal@0"),
    converts("a leading zero octet", int, "02 82 00 01 05", "02 01 05", "length-not-minimal@0"),
    converts("126 length octets", int, b"\x02\xfe" + bytes(125) + b"\1\5", "02 01 05", "length-not-minimal@0"),
    converts("the length 0 in the long form", Null, "05 81 00", "05 00", "length-not-minimal@0"),
    converts("the length 0 in 8 octets", Null, "05 88 00 00 00 00 00 00 00 00", "05 00", "length-not-minimal@0"),
    converts("127 octets in the long form", bytes, b"\x04\x81\x7f" + bytes(127), b"\x04\x7f" + bytes(127),
        "length-not-minimal@0"),
    converts("201 octets, the example of 8.1.3.5, with a zero", bytes, b"\x04\x82\0\xc9" + bytes(201),
        b"\x04\x81\xc9" + bytes(201), "length-not-minimal@0"),
    converts("a SEQUENCE with a long length", Inner, "30 81 03 02 01 05", "30 03 02 01 05", "length-not-minimal@0"),
    converts("a SEQUENCE of indefinite length", Inner, "30 80 02 01 05 00 00", "30 03 02 01 05",
        "length-indefinite@0"),
    converts("an empty list of indefinite length", SequenceOf[int], "30 80 00 00", "30 00", "length-indefinite@0"),
    converts("indefinite lengths inside each other", SequenceOf[SequenceOf[int]], "30 80 30 80 00 00 30 80 00 00 00 00",
        "30 04 30 00 30 00", "length-indefinite@0 length-indefinite@2 length-indefinite@6"),
    converts("an indefinite length in a definite one", SequenceOf[SequenceOf[int]], "30 04 30 80 00 00", "30 02 30 00",
        "length-indefinite@2"),
    converts("a definite length in an indefinite one", SequenceOf[SequenceOf[int]], "30 80 30 00 00 00", "30 02 30 00",
        "length-indefinite@0"),
    # The length of the SEQUENCE is minimal before and after: it is not a change of its own.
    converts("a length that becomes shorter", SequenceOf[bytes], b"\x30\x81\x80\x04\x81\x7d" + bytes(125),
        b"\x30\x7f\x04\x7d" + bytes(125), "length-not-minimal@3"),
    converts("a length that becomes longer", SequenceOf[derlib.UTCTime | bytes],
        b"\x30\x7f\x17\x0b8201021200Z\x04\x70" + bytes(112), b"\x30\x81\x81\x17\x0d820102120000Z\x04\x70" + bytes(112),
        "utc-form@2"),
    converts("end-of-contents octets as contents", SequenceOf[bytes], "30 80 04 02 00 00 00 00", "30 04 04 02 00 00",
        "length-indefinite@0"),
    converts("a long length in an explicit tag", Annotated[int, Explicit(0)], "a0 81 03 02 01 05", "a0 03 02 01 05",
        "length-not-minimal@0"),
    converts("an explicit tag of indefinite length", Annotated[int, Explicit(0)], "a0 80 02 01 05 00 00",
        "a0 03 02 01 05", "length-indefinite@0"),
    converts("an implicit tag of indefinite length", Annotated[Inner, Implicit(0)], "a0 80 02 01 05 00 00",
        "a0 03 02 01 05", "length-indefinite@0"),
    converts("a high tag number", Annotated[int, Implicit(31)], "9f 1f 81 01 05", "9f 1f 01 05",
        "length-not-minimal@0"),
]

# X.690 8.2 and 11.1.
BOOLEANS = [
    converts("TRUE as 01", bool, "01 01 01", "01 01 ff", "boolean-true@0"),
    converts("TRUE as 80", bool, "01 01 80", "01 01 ff", "boolean-true@0"),
    converts("TRUE as fe, with a long length", bool, "01 81 01 fe", "01 01 ff", "length-not-minimal@0 boolean-true@0"),
    converts("FALSE with a long length", bool, "01 81 01 00", "01 01 00", "length-not-minimal@0"),
    converts("TRUE with an implicit tag", Annotated[bool, Implicit(0)], "80 01 55", "80 01 ff", "boolean-true@0", None),
]

# X.690 8.6, 11.2.1.
BITS = [
    converts("two segments, of definite length", BitString, "23 09 03 03 00 0a 3b 03 02 04 50", "03 04 04 0a 3b 50",
        "string-constructed@0"),
    converts("one segment", BitString, "23 04 03 02 04 f0", "03 02 04 f0", "string-constructed@0"),
    converts("no segments", BitString, "23 00", "03 01 00", "string-constructed@0"),
    converts("no segments, indefinite", BitString, "23 80 00 00", "03 01 00", "string-constructed@0"),
    converts("an empty segment", BitString, "23 03 03 01 00", "03 01 00", "string-constructed@0"),
    converts("an empty segment last", BitString, "23 07 03 02 00 ff 03 01 00", "03 02 00 ff", "string-constructed@0"),
    converts("an empty segment first", BitString, "23 07 03 01 00 03 02 01 fe", "03 02 01 fe", "string-constructed@0"),
    converts("segments in a segment", BitString, "23 80 23 08 03 02 00 ff 03 02 00 ee 03 02 07 80 00 00",
        "03 04 07 ff ee 80", "string-constructed@0"),
    converts("unused bits in the last segment of the last segment", BitString, "23 80 23 80 03 02 04 f0 00 00 00 00",
        "03 02 04 f0", "string-constructed@0"),
    converts("an unused bit that is set", BitString, "03 02 04 ff", "03 02 04 f0", "bits-padding@0"),
    converts("seven unused bits that are set", BitString, "03 02 07 ff", "03 02 07 80", "bits-padding@0"),
    converts("an unused bit that is set in a segment", BitString, "23 08 03 02 00 ff 03 02 04 ff", "03 03 04 ff f0",
        "bits-padding@0 string-constructed@0"),
    converts("an implicit tag", Annotated[BitString, Implicit(0)], "a0 04 03 02 04 f0", "80 02 04 f0",
        "string-constructed@0", None),
    converts("zero bits at the end, which count without names", BitString, "23 04 03 02 00 80", "03 02 00 80",
        "string-constructed@0"),
]

# X.680 22.7, X.690 11.2.2: only a type knows the names of bits.
NAMED = [
    converts("zero bits at the end", Usage, "03 02 00 a0", "03 02 05 a0", "bits-named@0", None),
    converts("a zero octet at the end", Usage, "03 03 00 80 00", "03 02 07 80", "bits-named@0", None),
    converts("one zero bit", Usage, "03 02 06 80", "03 02 07 80", "bits-named@0", None),
    converts("no bits as a zero octet", Usage, "03 02 00 00", "03 01 00", "bits-named@0", None),
    converts("no bits as three zero octets", Usage, "03 04 03 00 00 00", "03 01 00", "bits-named@0", None),
    converts("unused bits that are set", Usage, "03 02 05 bf", "03 02 05 a0", "bits-padding@0", None),
    converts("segments", Usage, "23 04 03 02 05 a0", "03 02 05 a0", "string-constructed@0", None),
    converts("no segments", Usage, "23 00", "03 01 00", "string-constructed@0", None),
    converts("zero bits at the end of segments", Usage, "23 08 03 02 00 80 03 02 00 00", "03 02 07 80",
        "bits-named@0 string-constructed@0", None),
]

# X.690 8.7, 8.23.6: segments of OCTET STRING.
STRINGS = [
    converts("segments of definite length", OctetString, "24 07 04 02 61 62 04 01 63", "04 03 61 62 63",
        "string-constructed@0"),
    converts("segments of indefinite length", OctetString, "24 80 04 02 61 62 04 01 63 00 00", "04 03 61 62 63",
        "string-constructed@0"),
    converts("a long length of the string and of a segment", OctetString, "24 81 04 04 81 01 61", "04 01 61",
        "string-constructed@0"),
    converts("no segments", OctetString, "24 00", "04 00", "string-constructed@0"),
    converts("empty segments", OctetString, "24 80 04 00 24 80 00 00 04 00 00 00", "04 00", "string-constructed@0"),
    converts("segments in segments", OctetString, "24 80 24 80 24 03 04 01 61 04 01 62 00 00 04 01 63 00 00",
        "04 03 61 62 63", "string-constructed@0"),
    converts("end-of-contents octets in a segment", OctetString, "24 80 04 02 00 00 00 00", "04 02 00 00",
        "string-constructed@0"),
    converts("1001 octets as CER writes them", OctetString,
        b"\x24\x80\x04\x82\x03\xe8" + bytes(1000) + b"\x04\x01\0\0\0", b"\x04\x82\x03\xe9" + bytes(1001),
        "string-constructed@0"),
    converts("a UTF8String, a character in two segments", str, "2c 06 04 01 c3 04 01 a9", "0c 02 c3 a9",
        "string-constructed@0"),
    converts("an implicit tag", Annotated[OctetString, Implicit(0)], "a0 80 04 01 61 04 01 62 00 00", "80 02 61 62",
        "string-constructed@0", None),
    converts("a character string with an implicit tag", Annotated[PrintableString, Implicit(3)], "a3 03 04 01 61",
        "83 01 61", "string-constructed@0", None),
    converts("an explicit tag", Annotated[OctetString, Explicit(0)], "a0 80 24 80 04 01 61 00 00 00 00",
        "a0 03 04 01 61", "length-indefinite@0 string-constructed@2", None),
    converts("a string in a CHOICE", Either, "a0 03 04 01 61", "80 01 61", "string-constructed@0", None),
    converts("a list in a CHOICE that looks like segments", Either, "a1 80 04 01 61 00 00", "a1 03 04 01 61",
        "length-indefinite@0", None),
    converts("a string that contains an encoding", Annotated[OctetString, Containing(Inner)],
        "24 80 04 02 30 03 04 03 02 01 05 00 00", "04 05 30 03 02 01 05", "string-constructed@0"),
    converts("a BIT STRING that contains an encoding", Annotated[Inner, BitString, Containing(Inner)],
        "23 80 03 02 00 30 03 05 00 03 02 01 05 00 00", "03 06 00 30 03 02 01 05", "string-constructed@0"),
    # Contents octets are a value: they stay BER.
    converts("a string whose contents look like BER", OctetString, "24 06 04 04 30 80 00 00", "04 04 30 80 00 00",
        "string-constructed@0"),
]

# X.690 8.9, 8.10 and 11.5.
SEQUENCES = [
    converts("a DEFAULT value", Defaults, "30 03 02 01 00", "30 00", "default-encoded@2", None),
    converts("two DEFAULT values", Defaults, "30 06 02 01 00 01 01 ff", "30 00", "default-encoded@2 default-encoded@5",
        None),
    converts("a DEFAULT value in another form", Defaults, "30 03 01 01 01", "30 00", "default-encoded@2", None),
    converts("a DEFAULT value with a long length", Defaults, "30 04 02 81 01 00", "30 00", "default-encoded@2", None),
    converts("a DEFAULT value before another value", Defaults, "30 80 01 01 ff 0c 01 61 00 00", "30 03 0c 01 61",
        "length-indefinite@0 default-encoded@2", None),
    converts("another value than the DEFAULT", Defaults, "30 04 02 81 01 01", "30 03 02 01 01", "length-not-minimal@2"),
]

# X.690 8.11, 10.3.
SETS = [
    converts("components in another order", Marks, "31 06 02 01 05 01 01 00", "31 06 01 01 00 02 01 05", "set-order@0",
        "any-set-order@0"),
    converts("three components", Marks, "31 09 80 01 61 02 01 05 01 01 00", "31 09 01 01 00 02 01 05 80 01 61",
        "set-order@0", "any-set-order@0"),
    converts("components in other forms and order", Marks, "31 80 02 81 01 05 01 01 77 00 00",
        "31 06 01 01 ff 02 01 05", "length-indefinite@0 set-order@0 boolean-true@6 length-not-minimal@2",
        "length-indefinite@0 any-set-order@0 boolean-true@6 length-not-minimal@2"),
    converts("a DEFAULT value", Marks, "31 08 80 00 01 01 00 02 01 05", "31 06 01 01 00 02 01 05", "default-encoded@2",
        None),
    converts("a CHOICE that comes first", Group, "31 06 85 01 05 80 01 61", "31 06 80 01 61 85 01 05", "set-order@0",
        "any-set-order@0"),
    converts("a CHOICE in segments", Group, "31 08 85 01 05 a0 03 04 01 61", "31 06 80 01 61 85 01 05",
        "set-order@0 string-constructed@5", None),
]

# X.690 8.12, 11.6.
SETS_OF = [
    converts("another order", SetOf[int], "31 06 02 01 02 02 01 01", "31 06 02 01 01 02 01 02", "set-of-order@0",
        "any-set-order@0"),
    converts("equal elements", SetOf[int], "31 09 02 01 02 02 01 01 02 01 02", "31 09 02 01 01 02 01 02 02 01 02",
        "set-of-order@0", "any-set-order@0"),
    converts("elements whose BER is in order, and whose DER is not", SetOf[bytes],
        "31 0a 04 01 62 24 80 04 01 61 00 00",
        "31 06 04 01 61 04 01 62", "set-of-order@0 string-constructed@5", "any-set-order@0 string-constructed@5"),
    converts("elements whose BER is not in order, and whose DER is", SetOf[bytes], "31 07 04 81 01 61 04 01 62",
        "31 06 04 01 61 04 01 62", "length-not-minimal@2"),
    converts("a longer element that comes last", SetOf[bytes], "31 07 04 02 61 61 04 01 62",
        "31 07 04 01 62 04 02 61 61",
        "set-of-order@0", "any-set-order@0"),
]


@table(LENGTHS)
def test_length(row, place):
    row.check(place)


@table(BOOLEANS)
def test_boolean(row, place):
    row.check(place)


@table([*BITS, *NAMED])
def test_bit_string(row, place):
    row.check(place)


@table(STRINGS)
def test_string(row, place):
    row.check(place)


@table([*SEQUENCES, *SETS, *SETS_OF])
def test_sequence_and_set(row, place):
    row.check(place)


CHARACTER_STRINGS: list[tuple[Any, int]] = [
    (str, 12), (derlib.NumericString, 18), (PrintableString, 19), (derlib.TeletexString, 20),
    (derlib.VideotexString, 21), (derlib.IA5String, 22), (derlib.GraphicString, 25), (VisibleString, 26),
    (derlib.GeneralString, 27), (derlib.ObjectDescriptor, 7),
]


@pytest.mark.parametrize(("type_", "number"), CHARACTER_STRINGS, ids=str)
def test_each_character_string_has_segments(type_, number):
    tag, constructed = f"{number:02x}", f"{number | 0x20:02x}"
    row = converts("segments", type_, der(constructed, "04 01 30 24 80 04 01 20 00 00"), der(tag, "30 20"),
                   "string-constructed@0")
    for place in row.places:
        row.check(place)


@pytest.mark.parametrize(("type_", "number", "text"), [
    (derlib.BMPString, 30, "00 61 00 62"), (derlib.UniversalString, 28, "00 00 00 61"),
    (derlib.UTCTime, 23, b"820102120000Z"), (derlib.GeneralizedTime, 24, b"19820102120000Z"),
], ids=str)
def test_each_string_of_another_size_has_segments(type_, number, text):
    contents = der("04", text)[2:]
    ber = der(f"{number | 0x20:02x}", der("04", contents[:3]), der("04", contents[3:]))
    row = converts("segments", type_, ber, der(f"{number:02x}", contents), "string-constructed@0")
    for place in row.places:
        row.check(place)

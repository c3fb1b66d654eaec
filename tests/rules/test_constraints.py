"""SIZE and value ranges, X.680 51.5 and 51.4.

SIZE counts the characters of a string, the bits of a BIT STRING, the bytes of an OCTET STRING, the elements of a list.
"""

from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    BitString,
    BMPString,
    ConstraintError,
    ConstraintViolation,
    ContentsError,
    DecodeError,
    Explicit,
    IA5String,
    Implicit,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    TeletexString,
    UniversalString,
    UTF8String,
)

from .rows import Reads, Refuses, der, reads, refuses, table


class Numbers(SequenceOf[int], size=Size(1, None)):
    pass


class FewNumbers(SetOf[int], size=Size(0, 2)):
    pass


Octets = Annotated[OctetString, Size(2, 4)]
Bits = Annotated[BitString, Size(9, 12)]
Ascii = Annotated[IA5String, Size(1, 3)]
Text = Annotated[UTF8String, Size(1, 3)]
Teletex = Annotated[TeletexString, Size(1, 3)]
Wide = Annotated[BMPString, Size(1, 3)]
Widest = Annotated[UniversalString, Size(1, 3)]
Ints = Annotated[SequenceOf[int], Size(1, 2)]

SIZE = [
    refuses("one octet of two to four", Octets, "04 01 aa", ConstraintViolation),
    reads("two octets of two to four", Octets, "04 02 aa bb", b"\xaa\xbb"),
    reads("four octets of two to four", Octets, "04 04 aa bb cc dd", b"\xaa\xbb\xcc\xdd"),
    refuses("five octets of two to four", Octets, "04 05 aa bb cc dd ee", ConstraintViolation),
    reads("exactly three octets", Annotated[bytes, Size(3)], "04 03 aa bb cc", b"\xaa\xbb\xcc"),
    refuses("two octets of exactly three", Annotated[bytes, Size(3)], "04 02 aa bb",
        ConstraintViolation),
    refuses("four octets of exactly three", Annotated[bytes, Size(3)], "04 04 aa bb cc dd",
        ConstraintViolation),
    reads("no octets of exactly none", Annotated[bytes, Size(0)], "04 00", b""),
    refuses("one octet of exactly none", Annotated[bytes, Size(0)], "04 01 aa",
        ConstraintViolation),
    refuses("no octets of at least one", Annotated[bytes, Size(1, None)], "04 00",
        ConstraintViolation),
    reads("many octets of at least one", Annotated[bytes, Size(1, None)], der("04", bytes(1000)),
        bytes(1000)),
    refuses("eight bits of nine to twelve", Bits, "03 02 00 ff", ConstraintViolation),
    reads("nine bits of nine to twelve", Bits, "03 03 07 ff 80", "1" * 9),
    reads("twelve bits of nine to twelve", Bits, "03 03 04 ff f0", "1" * 12),
    refuses("thirteen bits of nine to twelve", Bits, "03 03 03 ff f8", ConstraintViolation),
    refuses("no bits of nine to twelve", Bits, "03 01 00", ConstraintViolation),
    refuses("no characters", Ascii, "16 00", ConstraintViolation),
    reads("three characters", Ascii, "16 03 61 62 63", "abc"),
    refuses("four characters", Ascii, "16 04 61 62 63 64", ConstraintViolation),
    reads("three octets of Teletex", Teletex, "14 03 c8 65 e9", "\xc8e\xe9"),
    refuses("four octets of Teletex", Teletex, "14 04 61 62 63 64", ConstraintViolation),
    reads("three characters in twelve octets", Text, der("0c", "😀😀😀".encode()), "😀😀😀"),
    refuses("four characters in five octets of UTF-8", Text, der("0c", "aébc".encode()),
        ConstraintViolation),
    refuses("no characters of UTF-8", Text, "0c 00", ConstraintViolation),
    reads("three characters in six octets", Wide, "1e 06 00 61 00 62 20 ac", "ab€"),
    refuses("four characters in eight octets", Wide, der("1e", "abcd".encode("utf-16-be")),
        ConstraintViolation),
    reads("three characters in twelve octets", Widest, der("1c", "abc".encode("utf-32-be")), "abc"),
    refuses("four characters in sixteen octets", Widest, der("1c", "abcd".encode("utf-32-be")),
        ConstraintViolation),
    refuses("no elements of one or two", Ints, "30 00", ConstraintViolation),
    reads("one element of one or two", Ints, "30 03 02 01 05", [5]),
    reads("two elements of one or two", Ints, "30 06 02 01 05 02 01 05", [5, 5]),
    refuses("three elements of one or two", Ints, "30 09 02 01 05 02 01 05 02 01 05",
        ConstraintViolation),
    refuses("no elements of a named list of at least one", Numbers, "30 00", ConstraintViolation),
    reads("elements of a named list of at least one", Numbers, "30 03 02 01 05", [5]),
    reads("no elements of a named set of at most two", FewNumbers, "31 00", []),
    refuses("three elements of a named set of at most two", FewNumbers,
        "31 09 02 01 01 02 01 02 02 01 03", ConstraintViolation),
    refuses("a malformed string of the right size", Text, "0c 02 c0 80", ContentsError, "8.23|41"),
    refuses("a size under an implicit tag", Annotated[OctetString, Size(2), Implicit(0)],
        "80 01 aa", ConstraintViolation),
    refuses("a size under an explicit tag", Annotated[OctetString, Size(2), Explicit(0)],
        "a0 03 04 01 aa", ConstraintViolation, "", 2),
]

Small = Annotated[int, Range(-3, 300)]
Byte = Annotated[int, Range(0, 255)]
Positive = Annotated[int, Range(0, None)]
Negative = Annotated[int, Range(None, -1)]
One = Annotated[int, Range(7, 7)]
Long = Annotated[int, Range(2**64, 2**70)]
LongNegative = Annotated[int, Range(-(2**70), -(2**64))]
From65Bits = Annotated[int, Range(2**64, None)]
UInt64 = Annotated[int, Range(0, 2**64 - 1)]
Int64 = Annotated[int, Range(-(2**63), 2**63 - 1)]


def number(value: int) -> bytes:
    count = (value if value >= 0 else ~value).bit_length() // 8 + 1
    return der("02", value.to_bytes(count, "big", signed=True))


def shown(value: int) -> str:
    return str(value) if value.bit_length() < 32 else f"{value.bit_length()} bits, {value:#x}"[:40]


def ranged(name: str, type_: Any, inside: list[int], outside: list[int]) -> list[Reads | Refuses]:
    """Return the rows of one value range: numbers inside it, and numbers outside it."""
    return [
        *(reads(f"{shown(n)} of {name}", type_, number(n), n) for n in inside),
        *(refuses(f"{shown(n)} of {name}", type_, number(n), ConstraintViolation) for n in outside),
    ]


RANGE = [
    *ranged(
        "-3 to 300",
        Small,
        [-3, -2, -1, 0, 1, 127, 128, 255, 256, 299, 300],
        [-4, -5, -128, -129, -(2**63), -(2**64), -(2**1000), 301, 302, 512, 2**31, 2**64, 2**1000],
    ),
    *ranged("an octet", Byte, [0, 127, 128, 255], [-1, 256, -256, 2**64]),
    *ranged("0 to MAX", Positive, [0, 1, 2**63, 2**64, 2**1000], [-1, -(2**63), -(2**1000)]),
    *ranged("MIN to -1", Negative, [-1, -128, -(2**63), -(2**1000)], [0, 1, 2**1000]),
    *ranged("only 7", One, [7], [6, 8, -7]),
    *ranged(
        "2^64 to 2^70",
        Long,
        [2**64, 2**64 + 1, 2**65, 2**70 - 1, 2**70],
        [0, -1, 2**63, 2**64 - 1, 2**70 + 1, 2**71, -(2**64)],
    ),
    *ranged(
        "-2^70 to -2^64",
        LongNegative,
        [-(2**64), -(2**64) - 1, -(2**70) + 1, -(2**70)],
        [0, 2**64, -(2**64) + 1, -(2**70) - 1, -(2**71)],
    ),
    *ranged("2^64 to MAX", From65Bits, [2**64, 2**2000], [2**64 - 1, 0, -(2**64)]),
    *ranged("64 bits without sign", UInt64, [0, 2**63, 2**64 - 1], [2**64, -1]),
    *ranged("64 bits", Int64, [-(2**63), 0, 2**63 - 1], [-(2**63) - 1, 2**63]),
    refuses("a value in its range that is not minimal", Byte, "02 02 00 05", ContentsError,
        "8.3.2"),
    refuses("a range under an implicit tag", Annotated[int, Range(0, 5), Implicit(0)], "80 01 06",
        ConstraintViolation),
    refuses("a range under an explicit tag", Annotated[int, Range(0, 5), Explicit(0)],
        "a0 03 02 01 06", ConstraintViolation, "", 2),
    refuses("a range in a list", SequenceOf[Byte], der("30", number(255), number(256)),
        ConstraintViolation, "", 6),
]


@table(SIZE)
def test_size(row, place):
    row.check(place)


@table(RANGE)
def test_value_range(row, place):
    row.check(place)


def test_a_constraint_does_not_change_the_unconstrained_type():
    class Holder(Sequence):
        few: Annotated[OctetString, Size(1)]
        many: OctetString

    view = Holder.decode(bytes.fromhex("3007 0401aa 0402bbcc"))
    assert (view.few, view.many) == (b"\xaa", b"\xbb\xcc")
    assert derlib.decode(bytes, b"\x04\x00") == b""


def test_a_violation_is_an_error_of_decoding_and_of_constraints():
    with pytest.raises(ConstraintViolation) as caught:
        derlib.decode(Byte, number(256))
    assert isinstance(caught.value, DecodeError)
    assert isinstance(caught.value, ConstraintError)


def test_a_violation_of_a_huge_number_has_a_short_message():
    with pytest.raises(ConstraintViolation) as caught:
        derlib.decode(Byte, number(2**100_000))
    assert len(str(caught.value)) < 1000

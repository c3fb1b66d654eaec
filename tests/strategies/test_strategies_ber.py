"""`ber_encodings`, `random_ber` and `to_cer` make valid BER and CER of the same value, in all forms.

`tests/ber` converts them back. Here they are compared with hand-written bytes, and with the BER decoder of pyasn1.
"""

from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyasn1.codec.ber.decoder import decode as pyasn1_decode
from rules.rows import der
from support.examples import thorough
from support.generated import schemas

import derlib
from derlib import (
    BitString,
    BMPString,
    Choice,
    Containing,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Real,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    UTCTime,
)
from derlib.strategies import ber_encodings, encodings, random_ber, to_cer


class Usage(NamedBits):
    sign = 1 << 0
    wrap = 1 << 2


class Inner(Sequence):
    number: int


class Message(Sequence):
    version: int = 0
    text: Annotated[str, Implicit(0)]
    typed: Annotated[OctetString, Containing(Inner)] | None = None


class Numbers(Set):
    number: int
    mark: bool | None = None


class Either(Choice):
    low: Annotated[int, Implicit(0)]
    high: Annotated[bool, Implicit(9)]


class Mixed(Set):
    five: Annotated[int, Implicit(5)]
    either: Either


class Zeros(Random):
    """A generator that makes the first choice everywhere."""

    def randrange(self, *bounds: Any) -> int:
        return 0


@thorough(150)
@given(schemas(), st.data())
def test_the_first_choice_everywhere_is_der(cls, data):
    octets = data.draw(encodings(cls))
    assert random_ber(cls, octets, Zeros()) == octets


class Typed(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("TYPES", {"1.2.3": bool}))]


class Extended(Sequence, extensible=True):
    number: int


TIME = b"20000101000000Z"
ONE = "09 03 80 00 01"
DECIMAL = b"\x09\x06\x031.E+0".hex()
# The clause of X.690, a type, a value in DER, and one of its BER encodings.
FORMS: list[tuple[str, Any, str, str]] = [
    ("8.1.3.5", int, "02 01 00", "02 81 01 00"),
    ("8.1.3.5", int, "02 01 00", "02 83 00 00 01 00"),
    ("8.1.3.5", int, "02 01 00", "02 fe" + 125 * "00" + "01 00"),
    ("8.1.3.6", SequenceOf[int], "30 00", "30 80 00 00"),
    ("8.1.3.6", SequenceOf[SequenceOf[int]], "30 02 30 00", "30 80 30 80 00 00 00 00"),
    ("8.1.3.6", SequenceOf[SequenceOf[int]], "30 02 30 00", "30 04 30 80 00 00"),
    ("8.1.3.6", SequenceOf[SequenceOf[int]], "30 02 30 00", "30 80 30 00 00 00"),
    ("8.2.2", bool, "01 01 ff", "01 01 01"),
    ("8.2.2", bool, "01 01 ff", "01 01 80"),
    ("8.5.7.2", Real, ONE, "09 03 90 00 01"),
    ("8.5.7.2", Real, "09 03 80 04 01", "09 03 a0 01 01"),
    ("8.5.7.3", Real, "09 03 80 01 01", "09 03 84 00 01"),
    ("8.5.7.4", Real, ONE, "09 04 81 00 00 01"),
    ("8.5.7.4", Real, ONE, "09 05 82 00 00 00 01"),
    ("8.5.7.4", Real, ONE, "09 04 83 01 00 01"),
    ("8.5.7.5", Real, "09 03 80 01 01", "09 03 80 00 02"),
    ("8.5.7.5", Real, ONE, "09 04 80 00 00 01"),
    ("8.5.8", Real, DECIMAL, b"\x09\x02\x011".hex()),
    ("8.5.8", Real, DECIMAL, b"\x09\x04\x01 +1".hex()),
    ("8.5.8", Real, DECIMAL, b"\x09\x04\x0201.".hex()),
    ("8.5.8", Real, DECIMAL, b"\x09\x03\x021,".hex()),
    ("8.5.8", Real, DECIMAL, b"\x09\x04\x021.0".hex()),
    ("8.5.8", Real, DECIMAL, b"\x09\x05\x03.1E1".hex()),
    ("8.5.8", Real, DECIMAL, b"\x09\x06\x031,e-0".hex()),
    ("8.6.2", BitString, "03 02 01 00", "03 02 01 01"),
    ("8.6.4", BitString, "03 03 04 ff f0", "23 80 03 02 00 ff 03 02 04 f0 00 00"),
    ("8.6.4", BitString, "03 02 00 ff", "23 07 03 01 00 03 02 00 ff"),
    ("8.6.4", BitString, "03 01 00", "23 00"),
    ("8.6.4", BitString, "03 01 00", "23 80 23 00 00 00"),
    ("8.6.4", BitString, "03 02 04 f0", "23 04 03 02 04 ff"),
    ("X.680 22.7", Usage, "03 01 00", "03 02 07 00"),
    ("X.680 22.7", Usage, "03 02 07 80", "03 03 01 80 00"),
    ("8.7.3", OctetString, "04 01 61", "24 80 04 01 61 00 00"),
    ("8.7.3", OctetString, "04 01 61", "24 05 24 03 04 01 61"),
    ("8.7.3", OctetString, "04 01 61", "24 07 04 00 04 01 61 04 00"),
    ("8.7.3", OctetString, "04 00", "24 00"),
    ("8.8", Null, "05 00", "05 81 00"),
    ("8.9.3", Message, "30 02 80 00", "30 05 02 01 00 80 00"),
    ("8.9.3", Message, "30 02 80 00", "30 06 02 81 01 00 80 00"),
    ("8.11", Numbers, "31 06 01 01 ff 02 01 00", "31 06 02 01 00 01 01 ff"),
    ("8.12", SetOf[int], "31 06 02 01 00 02 01 01", "31 06 02 01 01 02 01 00"),
    ("8.14", Annotated[bytes, Implicit(0)], "80 01 61", "a0 03 04 01 61"),
    ("8.14", Annotated[bytes, Explicit(0)], "a0 03 04 01 61", "a0 80 04 01 61 00 00"),
    ("8.14", Annotated[bytes, Explicit(0)], "a0 03 04 01 61", "a0 05 24 03 04 01 61"),
    ("8.15", Typed, "30 07 06 02 2a 03 01 01 ff", "30 07 06 02 2a 03 01 01 01"),
    ("8.15", Any, "30 03 01 01 ff", "30 80 01 01 02 00 00"),
    ("8.15", Extended, "30 06 02 01 01 81 01 61", "30 07 02 01 01 81 81 01 61"),
    ("8.23", str, "0c 01 61", "2c 03 04 01 61"),
    ("8.23", str, "0c 02 c3 a9", "2c 06 04 01 c3 04 01 a9"),
    ("8.23", BMPString, "1e 02 00 61", "3e 06 04 01 00 04 01 61"),
    ("8.25", UTCTime, der("17", b"000101000000Z").hex(), der("17", b"0001010000Z").hex()),
    ("8.25", UTCTime, der("17", b"000101000000Z").hex(), der("17", b"0001010100+0100").hex()),
    ("8.25", UTCTime, der("17", b"000101000000Z").hex(), der("37", der("04", b"000101000000Z")).hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("18", b"2000010100Z").hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("18", b"200001010000Z").hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("18", b"19991231240000Z").hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("18", b"1999123124Z").hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("18", b"20000101010000+01").hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("18", b"20000101000000.0Z").hex()),
    ("8.25", GeneralizedTime, der("18", TIME).hex(), der("38", der("04", TIME)).hex()),
    ("8.25", GeneralizedTime, der("18", b"20000101000030.5Z").hex(), der("18", b"20000101000030,500Z").hex()),
    ("8.25", GeneralizedTime, der("18", b"20000101000030Z").hex(), der("18", b"200001010000.5Z").hex()),
    ("8.25", GeneralizedTime, der("18", b"20000101003000Z").hex(), der("18", b"2000010100,5Z").hex()),
]


@pytest.mark.parametrize(("type_", "octets", "form"), [row[1:] for row in FORMS],
                         ids=[f"{row[0]} {row[3]}" for row in FORMS])
def test_each_form_is_drawn(type_, octets, form):
    random = Random(0)
    one, wanted = bytes.fromhex(octets), bytes.fromhex(form)
    assert any(random_ber(type_, one, random) == wanted for _ in range(200_000))


def test_every_freedom_of_the_standard_is_drawn():
    """The table has a row for each clause of X.690 (2021) that leaves a choice to the sender.

    * 8.1.3.5: a definite length in the short form, or in the long form with up to 126 octets.
    * 8.1.3.6: a constructed element of indefinite length, whatever the elements around it have.
    * 8.2.2: TRUE has 255 values.
    * 8.5.7: a binary REAL has three bases, four scaling factors, four formats of the exponent, and any mantissa.
    * 8.5.8: a decimal REAL has three forms, spaces, signs, zeros at both ends, point or comma, E or e.
    * 8.6.2: the unused bits of a BIT STRING. X.680 22.7: zero bits after the last named bit.
    * 8.6.4, 8.7.3, 8.23, 8.25: strings and times in segments, which can be empty, missing, cut inside a character,
      and in segments themselves.
    * 8.8: of NULL only the length octets.
    * 8.9.3: components with their DEFAULT value, also in any form.
    * 8.11: the components of a SET in any order. 8.12: so the elements of a SET OF.
    * 8.14, 8.15: the same under tags, in open types, in ANY and in unknown additions.
    * 8.25: UTCTime and GeneralizedTime (X.680 46.2 and 47.3) with an offset, without seconds or minutes, with any
      fraction, with 24:00.

    No choice: identifiers (8.1.2), INTEGER (8.3), ENUMERATED (8.4), zero and the special values of REAL (8.5.2, 8.5.9),
    OBJECT IDENTIFIER and RELATIVE-OID (8.19, 8.20), whether a SEQUENCE OF has an element (8.10), CHOICE (8.13).
    """
    assert {row[0] for row in FORMS} == {
        "8.1.3.5", "8.1.3.6", "8.2.2", "8.5.7.2", "8.5.7.3", "8.5.7.4", "8.5.7.5", "8.5.8", "8.6.2", "8.6.4",
        "X.680 22.7", "8.7.3", "8.8", "8.9.3", "8.11", "8.12", "8.14", "8.15", "8.23", "8.25",
    }


@pytest.mark.parametrize(("type_", "octets"), [
    (int, "02 02 01 00"), (Real, "09 00"), (Real, "09 01 40"), (Real, "09 01 43"), (ObjectIdentifier, "06 02 2a 03"),
], ids=str)
def test_without_a_choice_only_the_length_octets_differ(type_, octets):
    random, one = Random(0), bytes.fromhex(octets)
    for _ in range(300):
        made = random_ber(type_, one, random)
        assert made[:1] == one[:1]
        assert made.endswith(one[2:])
        assert made[1] == len(one) - 2 or len(made) == made[1] - 0x80 + len(one)


def test_every_true_and_lengths_of_up_to_126_octets_and_nested_segments_are_drawn():
    random = Random(0)
    made = [random_ber(bool, bytes.fromhex("01 01 ff"), random) for _ in range(20_000)]
    assert {octets[-1] for octets in made} == set(range(1, 256))
    # `TRUE` has a length of 1, in the short form or in 1, 2, 3, 5 or 126 octets.
    assert {octets[1] for octets in made} == {0x01, 0x81, 0x82, 0x83, 0x85, 0xFE}
    nested = [random_ber(bytes, bytes.fromhex("04 01 61"), random) for _ in range(20_000)]
    assert any(octets.startswith(3 * b"\x24\x80") for octets in nested)


@pytest.mark.parametrize("type_", [bytes, SequenceOf[bytes], SetOf[Annotated[bytes, Explicit(0)]]], ids=str)
def test_pyasn1_reads_the_same_value(type_):
    # pyasn1 reads up to eight length octets.
    @thorough(60)
    @given(ber_encodings(type_).filter(lambda encoding: bytes(90) not in encoding.ber))
    def check(encoding):
        expected, _ = pyasn1_decode(encoding.der)
        found, rest = pyasn1_decode(encoding.ber)
        assert not rest
        assert found == expected or sorted(found) == sorted(expected)

    check()


def test_encodings_inside_strings_stay_as_they_are():
    octets = der("30", "80 01 61", der("04", "30 03 02 01 05"))
    for number in range(100):
        made = random_ber(Message, octets, Random(number))
        assert bytes.fromhex("30 03 02 01 05") in made or made.count(b"\x04") > 1


def test_a_value_that_is_not_der_is_an_error():
    with pytest.raises(derlib.LengthError):
        random_ber(int, bytes.fromhex("02 81 01 05"), Random(0))
    with pytest.raises(derlib.StructureError):
        to_cer(bool, bytes.fromhex("02 01 05"))


CANONICAL: list[tuple[str, Any, bytes, bytes]] = [
    ("constructed types have indefinite lengths", SequenceOf[int], der("30", "02 01 05"),
     bytes.fromhex("30 80 02 01 05 00 00")),
    ("1000 octets are primitive", bytes, der("04", bytes(1000)), der("04", bytes(1000))),
    ("1001 octets are in two segments", bytes, der("04", bytes(1001)),
     b"\x24\x80" + der("04", bytes(1000)) + b"\x04\x01\0\0\0"),
    ("the initial octet of a BIT STRING counts", derlib.BitString, der("03", b"\x04" + bytes(1000)),
     b"\x23\x80" + der("03", bytes(1000)) + b"\x03\x02\x04\0\0\0"),
    ("a SET has the order of tags", Numbers, bytes.fromhex("31 06 01 01 ff 02 01 05"),
     bytes.fromhex("31 80 01 01 ff 02 01 05 00 00")),
    ("a CHOICE in a SET has the place of its lowest tag", Mixed, bytes.fromhex("31 06 85 01 01 89 01 ff"),
     bytes.fromhex("31 80 89 01 ff 85 01 01 00 00")),
    # X.690 11.6: in DER the longer element is the second, by its length octets.
    ("a SET OF has the order of the CER encodings", SetOf[SequenceOf[int]],
     bytes.fromhex("31 0a 30 03 02 01 05 30 03 02 01 07"),
     bytes.fromhex("31 80 30 80 02 01 05 00 00 30 80 02 01 07 00 00 00 00")),
    ("the order of a SET OF changes", SetOf[SequenceOf[int]],
     bytes.fromhex("31 0d 30 03 02 01 09 30 06 02 01 01 02 01 01"),
     bytes.fromhex("31 80 30 80 02 01 01 02 01 01 00 00 30 80 02 01 09 00 00 00 00")),
]


@pytest.mark.parametrize(("type_", "octets", "expected"), [row[1:] for row in CANONICAL],
                         ids=[row[0] for row in CANONICAL])
def test_cer(type_, octets, expected):
    assert to_cer(type_, octets).hex(" ") == expected.hex(" ")

"""REAL: X.690 8.5 (contents) and 11.3 (the one form that DER has)."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import derlib
from derlib import ContentsError, ExactReal, IdentifierError, LimitError, Real, Sequence

from .rows import der, reads, refuses, table


class Measure(Sequence):
    value: Real


def decimal(text: str) -> bytes:
    """Return a decimal REAL of the form NR3."""
    return der("09", "03", text.encode("latin-1"))


# X.690 8.5.2, 8.5.3, 8.5.9.
SPECIAL = [
    reads("plus zero", Real, "09 00", 0.0),
    reads("PLUS-INFINITY", Real, "09 01 40", math.inf),
    reads("MINUS-INFINITY", Real, "09 01 41", -math.inf),
    refuses("a special value that is not assigned", Real, "09 01 44", ContentsError, "8.5.9"),
    refuses("the last special value that is not assigned", Real, "09 01 7f", ContentsError, "8.5.9"),
    refuses("a special value with a second octet", Real, "09 02 40 00", ContentsError, "8.5.9"),
    refuses("the constructed form", Real, "29 03 09 01 40", IdentifierError, "8.5.1|8.1.2.5"),
]

BINARY = [
    reads("one", Real, "09 03 80 00 01", 1.0),
    reads("minus one", Real, "09 03 c0 00 01", -1.0),
    reads("a half", Real, "09 03 80 ff 01", 0.5),
    reads("three quarters", Real, "09 03 80 fe 03", 0.75),
    reads("an exponent of two octets", Real, "09 04 81 00 80 01", 2.0**128),
    reads("the least number that a float holds", Real, "09 04 81 fb ce 01", 5e-324),
    reads("the greatest", Real, "09 0a 81 03 cb 1f ff ff ff ff ff ff", 1.7976931348623157e308),
    reads("a mantissa of 53 bits", Real, "09 09 80 00 1f ff ff ff ff ff ff", float(2**53 - 1)),
    reads("a mantissa of 54 bits", Real, "09 09 80 00 20 00 00 00 00 00 01", ExactReal(2**53 + 1, 2, 0)),
    reads("a number below all floats", Real, "09 04 81 fb cd 01", ExactReal(1, 2, -1075)),
    reads("a number above all floats", Real, "09 04 81 04 00 01", ExactReal(1, 2, 1024)),
    reads("an exponent of three octets", Real, "09 05 82 00 80 00 01", ExactReal(1, 2, 2**15)),
    reads("an exponent of four octets", Real, "09 07 83 04 00 80 00 00 01", ExactReal(1, 2, 2**23)),
    reads("an exponent of eight octets", Real, "09 0b c3 08 80 00 00 00 00 00 00 00 01", ExactReal(-1, 2, -(2**63))),
    refuses("an exponent of nine octets", Real, der("09", "83 09 01", bytes(8), "01"), LimitError),
    refuses("an exponent of 255 octets", Real, der("09", "83 ff 7f", bytes(254), "01"), LimitError),
    refuses("a base of 8", Real, "09 03 90 00 01", ContentsError, "11.3.1"),
    refuses("a base of 16", Real, "09 03 a0 00 01", ContentsError, "11.3.1"),
    refuses("the base that is reserved", Real, "09 03 b0 00 01", ContentsError, "11.3.1|8.5.7.2"),
    refuses("a scaling factor", Real, "09 03 84 00 01", ContentsError, "11.3.1"),
    refuses("the greatest scaling factor", Real, "09 03 8c 00 01", ContentsError, "11.3.1"),
    refuses("an even mantissa", Real, "09 03 80 00 02", ContentsError, "11.3.1"),
    refuses("a mantissa of zero", Real, "09 03 80 00 00", ContentsError, "11.3.1|8.5.2"),
    refuses("a mantissa that begins with 00", Real, "09 04 80 00 00 01", ContentsError, "11.3.1"),
    refuses("no exponent", Real, "09 01 80", ContentsError, "8.5.7"),
    refuses("no mantissa", Real, "09 02 80 00", ContentsError, "8.5.7"),
    refuses("half an exponent", Real, "09 02 81 01", ContentsError, "8.5.7"),
    refuses("no octet for the length of the exponent", Real, "09 01 83", ContentsError, "8.5.7"),
    refuses("an exponent that is not all there", Real, "09 05 83 04 01 00 00", ContentsError, "8.5.7"),
    refuses("an exponent without a mantissa", Real, "09 06 83 04 01 00 00 00", ContentsError, "8.5.7"),
    refuses("an exponent that begins with 00", Real, "09 04 81 00 01 01", ContentsError, "11.3.1|8.5.7.4"),
    refuses("an exponent that begins with ff", Real, "09 04 81 ff ff 01", ContentsError, "11.3.1|8.5.7.4"),
    refuses("a long exponent that begins with 00", Real, "09 07 83 04 00 01 00 00 01", ContentsError, "11.3.1|8.5.7.4"),
    refuses("the long format for three octets", Real, "09 06 83 03 01 00 00 01", ContentsError, "11.3.1"),
    refuses("the long format for one octet", Real, "09 04 83 01 01 01", ContentsError, "11.3.1"),
    refuses("the long format for no octet", Real, "09 03 83 00 01", ContentsError, "11.3.1|8.5.7.4"),
]

DECIMAL = [
    reads("a tenth", Real, decimal("1.E-1"), ExactReal(1, 10, -1)),
    reads("a decimal integer", Real, decimal("5.E+0"), ExactReal(5, 10, 0)),
    reads("a negative number", Real, decimal("-15.E-1"), ExactReal(-15, 10, -1)),
    reads("a positive exponent", Real, decimal("15.E30"), ExactReal(15, 10, 30)),
    reads("an exponent of 17 digits", Real, decimal("1.E-" + 17 * "9"), ExactReal(1, 10, 1 - 10**17)),
    reads("a mantissa of 600 digits", Real, decimal(600 * "3" + ".E+0"), ExactReal(int(600 * "3"), 10, 0)),
    refuses("an exponent of 18 digits", Real, decimal("1.E" + 18 * "9"), LimitError),
    refuses("an exponent of 5000 digits", Real, decimal("1.E" + 5000 * "9"), LimitError),
    refuses("a mantissa of 601 digits", Real, decimal(601 * "3" + ".E+0"), LimitError),
    refuses("a long mantissa with an exponent", Real, decimal(601 * "3" + ".E-5"), LimitError),
    refuses("the form NR1", Real, der("09", "01", b"5"), ContentsError, "11.3.2"),
    refuses("the form NR2", Real, der("09", "02", b"5.0"), ContentsError, "11.3.2"),
    refuses("a form that is not assigned", Real, der("09", "04", b"5.E+0"), ContentsError, "11.3.2|8.5.8"),
    refuses("the form alone", Real, "09 01 03", ContentsError, "11.3.2"),
    refuses("first octet 00", Real, "09 01 00", ContentsError, "11.3.2|8.5.8"),
    *[
        refuses(name, Real, decimal(text), ContentsError, "11.3.2")
        for name, text in {
            "zero": "0.E+0",
            "a leading zero": "05.E+0",
            "a trailing zero": "50.E+0",
            "a plus sign": "+5.E+0",
            "two minus signs": "--5.E+0",
            "a minus sign alone": "-",
            "a blank before": " 5.E+0",
            "a blank after": "5.E+0 ",
            "a comma": "5,E+0",
            "digits after the point": "5.5E+0",
            "no point": "5E+0",
            "a small e": "5.e+0",
            "no exponent mark": "5.",
            "no exponent": "5.E",
            "a minus without exponent": "5.E-",
            "a plus without exponent": "5.E+",
            "the exponent 0": "5.E0",
            "the exponent -0": "5.E-0",
            "the exponent +00": "5.E+00",
            "a positive exponent with its sign": "5.E+3",
            "an exponent with a leading zero": "5.E03",
            "a negative exponent with a leading zero": "5.E-03",
            "a letter in the mantissa": "5a5.E+0",
            "a letter in the exponent": "5.E1a",
            "no mantissa": ".E+0",
        }.items()
    ],
]


@table([*SPECIAL, *BINARY, *DECIMAL])
def test_real(row, place):
    row.check(place)


def test_minus_zero_and_not_a_number():
    zero = derlib.decode(Real, bytes.fromhex("090143"))
    assert zero == 0
    assert math.copysign(1, zero) == -1
    assert math.isnan(derlib.parse(bytes.fromhex("090142")).value)
    assert derlib.encode(-0.0, Real).hex() == "090143"
    assert derlib.encode(-math.nan, Real).hex() == "090142"


@given(st.floats())
def test_every_float_survives_a_round_trip(value):
    again = derlib.decode(Real, derlib.encode(value, Real))
    assert type(again) is float
    assert repr(again) == repr(value)


@given(st.integers(), st.integers(-1400, 1400))
def test_a_number_of_base_2_is_exact_and_its_float_the_nearest(mantissa, exponent):
    if not mantissa:
        return
    made = ExactReal(mantissa, 2, exponent)
    exact = mantissa * Fraction(2) ** exponent
    try:
        nearest = float(exact)
    except OverflowError:
        nearest = math.copysign(math.inf, mantissa)
    assert float(made) == nearest
    value = derlib.decode(Real, derlib.encode(made, Real))
    if isinstance(value, ExactReal):
        assert value == made
        assert value.mantissa * Fraction(2) ** value.exponent == exact
        assert Fraction(nearest) != exact if math.isfinite(nearest) else True
    else:
        assert Fraction(value) == exact


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_survives_a_round_trip(number):
    value = derlib.decode(Real, derlib.encode(number, Real))
    if number == 0:
        assert math.copysign(1, value) == (-1 if number.is_signed() else 1)
    else:
        assert value.decimal == number
        assert float(value) == float(number)


@pytest.mark.parametrize(
    "value",
    [0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 5e-324, 3, -(2**80), Decimal("0.1"), Decimal("-1E+400"),
     ExactReal(-(2**99) + 1, 2, 3), ExactReal(1, 2, 2**63 - 1), ExactReal(10**600 - 1, 10, -(10**17) + 1),
     "0x1fp-3", "MINUS-INFINITY", "1e5"],
)
def test_plain_data_json_and_copies_are_the_same_value(value):
    built = Measure(value=value)
    octets = built.encode()
    assert Measure.from_native(built.to_native()).encode() == octets
    assert Measure.from_json(built.to_json()).encode() == octets
    assert Measure(value=built.value).encode() == octets
    for again in (copy.copy(built.value), copy.deepcopy(built.value), pickle.loads(pickle.dumps(built.value))):
        assert repr(again) == repr(built.value)
    assert len(derlib.pretty(built)) < 1000
    assert len(repr(built)) < 1000


def test_json_numbers_are_floats_and_texts_are_exact():
    assert Measure(value=0.5).to_json() == '{"value": 0.5}'
    assert Measure(value=Decimal("0.5")).to_json() == '{"value": "5.E-1"}'
    assert Measure.from_json('{"value": "0.5"}').value == ExactReal(5, 10, -1)
    assert Measure.from_json('{"value": 5}').value == 5.0
    for text in ("1e999", "true", "null", '"x"', '""', "1" + "0" * 2000 + ".0", "[]", '"0x1p' + "9" * 30 + '"'):
        with pytest.raises(derlib.ConstraintError):
            Measure.from_json(f'{{"value": {text}}}')


def test_a_number_in_two_bases_is_two_values():
    binary, ten = Measure(value=0.5), Measure(value=Decimal("0.5"))
    assert binary != ten
    assert ten.value == ExactReal(5, 10, -1) != ExactReal(1, 2, -1)
    assert float(ten.value) == binary.value
    assert len({ExactReal(5, 10, -1), ExactReal(50, 10, -2), ExactReal(1, 2, -1)}) == 2


def test_an_immense_exponent_is_read_quickly():
    for data in ("090b8308 7fffffffffffffff 01", "090b8308 8000000000000000 01"):
        value = derlib.decode(Real, bytes.fromhex(data))
        assert abs(value.exponent) >= 2**63 - 1
        assert float(value) in (0.0, math.inf)
        assert value.decimal is None
    huge = derlib.decode(Real, decimal("-1.E" + 17 * "9"))
    assert float(huge) == -math.inf
    assert huge.decimal.adjusted() == 10**17 - 1


def test_values_that_round_up_beyond_all_floats_are_infinite():
    largest = 2**1024 - 2**971
    assert float(ExactReal(largest + 2**970 - 1, 2, 0)) == sys.float_info.max == largest
    assert float(ExactReal(largest + 2**970, 2, 0)) == math.inf
    assert float(ExactReal(-(2**1024 - 1), 2, 0)) == -math.inf


def test_a_mantissa_of_a_mebibyte_is_exact():
    data = der("09", "80 00 01", bytes(2**20), "01")
    value = derlib.decode(Real, data)
    assert value.mantissa.bit_length() == 8 * 2**20 + 9
    assert derlib.encode(value, Real) == data
    assert len(repr(value)) < 100
    for change in (lambda: setattr(value, "exponent", 1), lambda: delattr(value, "exponent")):
        with pytest.raises(AttributeError, match="an ExactReal is immutable"):
            change()


@pytest.mark.parametrize("text", ["-0", "-0.E5", "-0.0", "-0x0p+7"])
def test_a_string_can_be_minus_zero(text):
    assert derlib.encode(text, Real).hex() == "090143"
    assert derlib.encode(text[1:], Real).hex() == "0900"


def test_a_number_is_encoded_from_its_value_not_its_methods():
    class Sly(float):
        def __eq__(self, other):
            return True

        def __repr__(self):
            return "sly"

        def as_integer_ratio(self):
            return 0, 0

    class Liar(int):
        def bit_length(self):
            return -1

    assert derlib.encode(Sly(1.5), Real) == derlib.encode(1.5, Real)
    assert derlib.encode(Liar(5), Real) == derlib.encode(5, Real)
    with pytest.raises(TypeError):
        type("Sub", (ExactReal,), {})


@pytest.mark.parametrize("value", [True, None, b"", "", "x", "1.5.5", "0x", "e5", "inf", 1j, "1" * 700])
def test_objects_that_are_not_numbers_are_rejected(value):
    with pytest.raises(derlib.ASN1Error):
        Measure(value=value)


@pytest.mark.parametrize("value", [Decimal("1" * 601), Decimal("-" + "1" * 601), Decimal(10**600 + 1)])
def test_a_decimal_with_too_many_digits_is_rejected_not_counting_trailing_zeros(value):
    with pytest.raises(derlib.EncodeError, match=r"^a decimal REAL has at most 600 digits$"):
        derlib.encode(value, Real)
    assert derlib.decode(Real, derlib.encode(Decimal("1" * 600 + "0" * 100), Real)).exponent == 100


@pytest.mark.parametrize(
    "parts", [(0, 2, 0), (1, 3, 0), (1, 2, 2**63), (1, 10, 10**17), (10**600, 10, 0), (10, 10, 10**17 - 1)]
)
def test_an_exact_real_beyond_the_limits_cannot_be_made(parts):
    with pytest.raises(derlib.EncodeError):
        ExactReal(*parts)


class Endless(int):
    """An int that remains unchanged when it is divided."""

    def __mod__(self, other: object) -> int:
        return 0

    def __floordiv__(self, other: object) -> Endless:
        return self

    def __format__(self, spec: str) -> str:
        return "x"


@pytest.mark.parametrize("parts", [
    (1.5, 10, 0), (1.5, 2, 0), (float("nan"), 10, 0), ("5", 2, 0), (None, 2, 0), (3, 2, 1.5), (3, 10, float("nan")),
    (3, 2.0, 0), (3, 10.0, 0), (3, 10, "1"),
])
def test_parts_that_are_not_int_are_rejected(parts: tuple[Any, Any, Any]):
    # A float as exponent of base 2 caused a search through 2^64 numbers.
    problem = r"^ExactReal: (mantissa|base|exponent): expected int, got (float|str|NoneType)$"
    with pytest.raises(TypeError, match=problem):
        ExactReal(*parts)


def test_parts_of_a_subclass_of_int_become_plain():
    for made in (ExactReal(Endless(30), 10, Endless(0)), ExactReal(True, Endless(2), Endless(1))):
        assert {type(part) for part in (made.mantissa, made.base, made.exponent)} == {int}
        assert derlib.decode(Real, derlib.encode(made, Real)) in (made, 2.0)
    assert ExactReal(Endless(30), 10, 0) == ExactReal(3, 10, 1)

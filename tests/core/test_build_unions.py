"""Values of a union: a dict, an iterable or a view selects the alternative of its form, without trying each in turn.

Other values are encoded as the first alternative that accepts them.
"""

from collections import OrderedDict
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    BitString,
    Choice,
    ConstraintError,
    Containing,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    RelativeOID,
    Sequence,
    SequenceOf,
    SetOf,
    UTCTime,
    UTF8String,
)
from derlib.schemas.x509 import Time


class Pair(Sequence):
    x: int
    y: int = 0


class Arms(Choice):
    number: int
    pair: Pair


class Growing(Choice, extensible=True):
    number: Annotated[int, Implicit(0)]


class Shown(dict[str, Any]):
    """A dict whose methods return anything."""

    def __contains__(self, name):
        return name == "x"

    def __len__(self):
        return 5


InOctets = Annotated[OctetString, Containing(Pair)]
InBits = Annotated[BitString, Containing(SequenceOf[int])]


@pytest.mark.parametrize(
    ("type_", "value", "octets"),
    [
        (Arms | SetOf[int], {"number": 5}, "020105"),
        (Arms | SetOf[int], {"pair": {"x": 1}}, "3003020101"),
        (Arms | SetOf[int], [5], "3103020105"),
        (Annotated[Arms, Explicit(0)] | Pair, {"pair": {"x": 1}}, "a0053003020101"),
        (Annotated[Arms, Explicit(0)] | Pair, {"x": 1}, "3003020101"),
        (Annotated[Growing, Explicit(0)] | SetOf[int], {"number": 5}, "a003800105"),
        (Annotated[Growing, Explicit(0)] | SetOf[int], {"$opaque": b"\x85\x00"}, "a0028500"),
        (Pair | SetOf[int], OrderedDict(x=1), "3003020101"),
        (Pair | SetOf[int], MappingProxyType({"x": 1}), "3003020101"),
        (Pair | SetOf[int], Shown(x=1), "3003020101"),
        (Pair | InBits, [1], "0306003003020101"),
        (Pair | InBits, {"x": 1}, "3003020101"),
        (InOctets | SetOf[int], {"x": 1}, "04053003020101"),
        (InOctets | SetOf[int], [1], "3103020101"),
        (InOctets | InBits, {"x": 1}, "04053003020101"),
        (InOctets | InBits, [1], "0306003003020101"),
    ],
)
def test_the_form_of_a_value_selects_the_alternative(type_: Any, value: Any, octets: str):
    assert derlib.encode(value, type_).hex() == octets


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Arms | SetOf[int], {"other": 5}),
        (Arms | SetOf[int], {"number": 5, "pair": {"x": 1}}),
        (Arms | SetOf[int], {"$opaque": b"\x85\x00"}),
        (Pair | SetOf[int], Shown(y=1)),
        (InOctets | InBits, {"z": 1}),
        (InOctets | SequenceOf[bytes], {"z": 1}),
    ],
)
def test_a_form_that_no_alternative_has_is_rejected(type_: Any, value: Any):
    with pytest.raises(ConstraintError, match=r"no alternative of .* accepts this (dict|Shown)"):
        derlib.encode(value, type_)


class Marked(Sequence, tag=Explicit(0)):
    number: int


def test_a_value_that_the_named_alternative_does_not_accept_is_rejected():
    with pytest.raises(ConstraintError, match=r"INTEGER \| UTF8String \| OCTET STRING accepts this Marked$"):
        derlib.encode(Marked(number=1), Annotated[int | str, Explicit(0)] | bytes)
    assert derlib.encode(Marked(number=1), Annotated[int | str, Explicit(1)] | Marked) == Marked(number=1).encode()


class Selected(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("SHAPES", {"1.2.3": Pair})), Explicit(0)] | SetOf[int]


def test_a_value_that_another_field_selects_may_be_of_any_type():
    selected = Selected(kind="1.2.3", value={"x": 1})
    assert selected.encode().hex() == "300b" "06022a03" "a0053003020101"
    with pytest.raises(ConstraintError, match=r"this list fits .*open type and SetOf\[int\] of .*; name one"):
        Selected(kind="1.2.3", value=[1])
    assert Selected(kind="1.2.3", value={"SetOf[int]": [1]}).encode().hex() == "3009" "06022a03" "3103020101"


UTC = timezone.utc
Moment = UTCTime | GeneralizedTime


@pytest.mark.parametrize(
    ("value", "octets"),
    [
        (datetime(2026, 1, 2, tzinfo=UTC), b"\x17\x0d260102000000Z"),
        (datetime(2026, 1, 2, 0, 0, 0, 500_000, tzinfo=UTC), b"\x18\x1120260102000000.5Z"),
        (datetime(2026, 1, 2, 1, 0, 0, 1, tzinfo=timezone(timedelta(hours=1))), b"\x18\x1620260102000000.000001Z"),
        (datetime(2050, 1, 1, tzinfo=UTC), b"\x18\x0f20500101000000Z"),
        (datetime(1949, 1, 1, 0, 0, 0, 1, tzinfo=UTC), b"\x18\x1619490101000000.000001Z"),
    ],
)
@pytest.mark.parametrize("type_", [Moment, GeneralizedTime | UTCTime, int | UTCTime | bool | GeneralizedTime])
def test_a_time_is_encoded_as_the_first_alternative_that_can_represent_it(type_, value, octets):
    assert derlib.encode(value, type_) == octets
    assert derlib.decode(type_, octets) == value


def test_a_time_with_a_fraction_comes_back_from_plain_data_without_the_name_of_its_alternative():
    class Event(Sequence):
        when: Moment

    event = Event(when=datetime(2026, 1, 2, 0, 0, 0, 500_000, tzinfo=UTC))
    assert event.to_native() == {"when": datetime(2026, 1, 2, 0, 0, 0, 500_000, tzinfo=UTC)}
    assert event.to_json() == '{"when": "2026-01-02T00:00:00.5Z"}'
    assert Event.from_json(event.to_json()) == event == Event.from_native(event.to_native())


@pytest.mark.parametrize("value", [datetime(2026, 1, 2), datetime(2060, 1, 2, 0, 0, 0, 1)])
def test_a_time_without_a_zone_fits_no_alternative(value):
    with pytest.raises(ConstraintError, match="datetime with tzinfo"):
        derlib.encode(value, Moment)


@pytest.mark.parametrize("year", [1949, 2026, 2060])
def test_neither_alternative_of_an_x509_time_accepts_a_fraction(year):
    # RFC 5280 4.1.2.5.1, 4.1.2.5.2
    value = datetime(year, 1, 2, 0, 0, 0, 1, tzinfo=UTC)
    for type_ in (Time, Annotated[Time, Explicit(0)], SequenceOf[Time]):
        with pytest.raises(ConstraintError, match=r"replace\(microsecond=0\)"):
            derlib.encode([value] if type_ is SequenceOf[Time] else value, type_)
    assert derlib.encode({"GeneralizedTime": value}, Time) == derlib.encode(value, GeneralizedTime)


def test_the_rule_of_rfc_5280_is_only_for_unions():
    from derlib import RFC5280_TIME

    with pytest.raises(derlib.SchemaError, match="is not a union of times"):
        derlib.encode(1, Annotated[int, RFC5280_TIME])
    assert repr(RFC5280_TIME) == "RFC5280_TIME"


@pytest.mark.parametrize(
    ("value", "type_", "octets"),
    [
        ("", BitString, "030100"),
        ("0", BitString, "03020700"),
        (b"", BitString, "030100"),
        ("", BitString | int, "030100"),
        ("", BitString | UTF8String, "0c00"),
    ],
)
def test_the_empty_text_of_bits_is_the_empty_bit_string(value: Any, type_: Any, octets: str):
    # X.680 22.9: ''B, which is also the str() of the value.
    assert derlib.encode(value, type_).hex() == octets
    assert str(BitString()) == ""


@pytest.mark.parametrize("value", [" ", "2", "0b1", "0 1", "\N{FULLWIDTH DIGIT ONE}", [], 0, None])
def test_other_values_are_not_bit_strings(value: Any):
    with pytest.raises(ConstraintError, match=r"a str of 0 and 1 for|BitString, bytes or str for"):
        derlib.encode(value, BitString)


class OIDOrDigits(Sequence):
    value: RelativeOID | NumericString


def test_text_with_an_arc_beyond_the_limit_is_tried_as_the_next_alternative():
    digits = "1" * 127
    value = OIDOrDigits(value=digits)
    assert value.encode() == bytes.fromhex("308181127f") + digits.encode()
    assert value.to_native() == {"value": digits}
    assert OIDOrDigits.from_native(value.to_native()) == value


class OIDOrNumber(Sequence):
    value: RelativeOID | int


def test_a_value_beyond_the_default_limit_keeps_its_name_as_plain_data():
    octets = bytes.fromhex("3020 0d1e") + b"\xff" * 29 + b"\x01"
    plain = OIDOrNumber.decode(octets, limits=derlib.Limits(arc_octets=30)).to_native()
    assert list(plain["value"]) == ["RELATIVE-OID"]
    with pytest.raises(derlib.EncodeError, match="30 bytes long; the limit is 20"):
        OIDOrNumber.from_native(plain)

"""Errors suggest the argument that accepts the input, and only arguments that the call has."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Choice,
    Containing,
    DefinedBy,
    Deviation,
    Duration,
    GeneralizedTime,
    ISOTime,
    NamedBits,
    ObjectIdentifier,
    OpenTypes,
    Real,
    Sequence,
    SequenceOf,
    SetOf,
    UTCTime,
    ber,
    stream,
)
from derlib._ber_rules import CONVERT_HINT, HINT, KEPT_HINT, PARSE_HINT
from derlib.cache import Cache
from derlib.schemas.cms import SignedAttributes
from derlib.schemas.keys import PrivateKeyInfo
from derlib.schemas.openssl import SignedPublicKeyAndChallenge


class Order(Sequence):
    note: bytes | None = None
    urgent: bool = False


class Event(Sequence):
    when: GeneralizedTime


class Number(Sequence):
    number: int


class Signed(Sequence):
    attributes: SignedAttributes


class Kept(Sequence, ber="keep"):
    urgent: bool


class Holder(Sequence):
    kept: Kept


class Answer(Choice):
    kept: Kept
    number: int


class Refused(SetOf[bool], ber="refuse"):
    pass


class Attributes(Sequence):
    signed: Refused


class Flags(NamedBits):
    first = 1


class Wrapper(Sequence):
    flags: Annotated[bytes, Containing(Flags)]


#: Types and encodings that BER allows and DER does not.
BER = {
    "indefinite length": (Order, "3080 0000"),
    "long length": (Order, "308100"),
    "string in segments": (Order, "3005 2403 040161"),
    "encoded default": (Order, "3003 010100"),
    "TRUE other than ff": (Order, "3003 010101"),
    "unsorted SET OF": (SetOf[int], "3106 020102 020101"),
    "SET without a type": (derlib.TLV, "3106 020102 020101"),
    "time without minutes": (Event, "300d180b" + b"2026112323Z".hex()),
    "REAL of base 8": (Real, "0903 900001"),
    "REAL of one digit": (Real, "0902 0131"),
    "midnight": (Event, "3011180f" + b"20261123240000Z".hex()),
    "UTCTime without seconds": (UTCTime, "170b" + b"2611230900Z".hex()),
}
#: Types and encodings that are invalid in BER, too.
INVALID = {
    "padded INTEGER": (int, "02020001"),
    "reserved length": (Order, "30ff"),
    "not a time": (Event, "300d180b" + b"2026112399Z".hex()),
    "truncated": (Order, "3003"),
    "INTEGER of indefinite length": (int, "0280 0000"),
    "local time": (GeneralizedTime, "180e" + b"20261123090000".hex()),
    "time with an offset of 99 hours": (GeneralizedTime, "1811" + b"20261123090000+99".hex()),
    "UTCTime of letters": (UTCTime, "170b" + b"26112309aaZ".hex()),
    "TIME of letters": (ISOTime, "0e03" + b"abc".hex()),
    "DURATION of letters": (Duration, "1f2203" + b"abc".hex()),
    "REAL of a reserved base": (Real, "0903 b00001"),
    "REAL with the mantissa zero": (Real, "0903 800000"),
    "REAL without an exponent": (Real, "0903 830001"),
    "REAL with a long exponent": (Real, "0905 8302000101"),
    "REAL that is the number zero": (Real, "0902 0130"),
    "REAL of letters": (Real, "0903 014141"),
    "REAL in a reserved form": (Real, "0902 0431"),
}


def error_of(call: Callable[..., Any], *arguments: Any, **options: Any) -> derlib.DecodeError:
    with pytest.raises(derlib.DecodeError) as caught:
        call(*arguments, **options)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.hint, again.deviation) == (caught.value.hint, caught.value.deviation)
    return caught.value


def read(data: bytes, type: Any, rules: Any) -> None:
    with stream.open(io.BytesIO(data), type, rules=rules):
        pass


@pytest.mark.parametrize(("type", "text"), BER.values(), ids=BER)
def test_an_error_about_ber_suggests_to_decode_ber(type, text):
    data = bytes.fromhex(text)
    error = error_of(derlib.decode, type, data)
    assert error.hint == HINT
    assert f"; {HINT} ({error.rule})" in str(error)
    assert derlib.decode(type, data, rules="ber") is not None
    error = error_of(read, data, type, "der")
    assert (error.hint, error.deviation) == (HINT, None)


@pytest.mark.parametrize(("type", "text"), INVALID.values(), ids=INVALID)
def test_an_error_about_input_that_is_not_ber_does_not(type, text):
    data = bytes.fromhex(text)
    assert error_of(derlib.decode, type, data).hint is None
    assert error_of(derlib.decode, type, data, rules="ber").hint is None
    assert error_of(derlib.parse, data).hint is None


#: Types and encodings that BER allows, in parts that the conversion does not change.
NOT_CONVERTED = {
    "contents of a string": (Wrapper, "3006 0404 03020080"),
    "length in a string": (Wrapper, "3007 0405 03810207 80"),
    "value of a kept class": (Holder, "3005 3003 010101"),
    "length of a kept class": (Holder, "3006 308103 0101ff"),
    "length of a kept class in a CHOICE": (SequenceOf[Answer], "3006 308103 0101ff"),
}
#: The same faults where they are converted.
CONVERTED = {
    "string around contents": (Wrapper, "3007 048104 03020780"),
    "length of the value around a kept class": (Holder, "308105 3003 0101ff"),
    "order of values of a kept class": (SetOf[Kept], "310a 3003 0101ff 3003 010100"),
    "order of values of a kept class in a CHOICE": (SetOf[Answer], "310a 3003 0101ff 3003 010100"),
    "length of a value beside a kept class": (SequenceOf[Answer], "3004 02810105"),
}


@pytest.mark.parametrize(("type", "text"), NOT_CONVERTED.values(), ids=NOT_CONVERTED)
def test_an_error_in_a_part_that_is_not_converted_does_not_suggest_ber(type, text):
    data = bytes.fromhex(text)
    error = error_of(derlib.decode, type, data)
    assert error.hint is None
    assert error_of(derlib.decode, type, data, rules="ber").kind == error.kind


@pytest.mark.parametrize("text", ["3009 3107 01810100 0101ff", "3006 318103 0101ff", "3008 3106 0101ff 010100"])
def test_an_error_in_signed_attributes_does_not_suggest_ber_which_refuses_them(text):
    data = bytes.fromhex(text)
    assert error_of(derlib.decode, Attributes, data).hint is None
    assert error_of(derlib.decode, Attributes, data, rules="ber").kind == "signed-not-der"


def test_the_indefinite_length_of_a_primitive_element_is_not_a_form_of_ber_in_signed_attributes():
    # X.690 8.1.3.2
    error = error_of(derlib.decode, Attributes, bytes.fromhex("3006 3104 01800000"), rules="ber")
    assert (error.kind, error.hint) == ("length-indefinite", None)


def test_midnight_as_hour_24_is_a_form_of_ber_in_signed_values_too():
    # X.690 11.7.5 and X.680 46.2: only BER has it.
    data = bytes.fromhex("3013 3011 180f 32303234303130313234303030305a")
    error = error_of(SignedTimes.decode, data, rules="ber")
    assert (error.kind, error.path) == ("signed-not-der", ("times",))
    assert ber.convert(data, SignedTimes, signed_attributes="convert").value.times[0].day == 2


class SignedTimeList(SequenceOf[GeneralizedTime], ber="refuse"):
    pass


class SignedTimes(Sequence):
    times: SignedTimeList


class SignedOpen(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("VALUES", {"2.999.1": bool, "2.999.2": Attributes}))]


class SignedOpens(SequenceOf[SignedOpen], ber="refuse"):
    pass


class Opens(Sequence):
    signed: SignedOpens


#: Faults in signed attributes that are faults in BER, too: their kinds, and the deviations that tolerate them.
FAULTS_IN_SIGNED = {
    "boolean of two bytes": (Attributes, "3006 3104 01020000", "boolean-length", None),
    "open type": (Opens, "300b 3009 3007 0603883701 0500", "unexpected-tag", Deviation.OPEN_TYPE),
    "contents of the open type": (Opens, "300d 300b 3009 0603883701 01020000", "boolean-length", None),
}


@pytest.mark.parametrize(("type", "text", "kind", "deviation"), FAULTS_IN_SIGNED.values(), ids=FAULTS_IN_SIGNED)
def test_a_fault_in_signed_attributes_that_no_conversion_mends_is_reported(type, text, kind, deviation):
    data = bytes.fromhex(text)
    for call, options in ((type.decode, {"rules": "ber"}), (type.decode, {})):
        error = error_of(call, data, **options)
        assert (error.kind, error.hint, error.deviation) == (kind, None, deviation)
        if deviation:
            assert call(data, tolerate=deviation, **options).encode() == data
    assert error_of(ber.convert, data, type, signed_attributes="convert").kind == kind


def test_no_deviation_tolerates_signed_attributes_in_ber():
    # Other signed attributes, in an open type.
    data = bytes.fromhex("3010 300e 300c 0603883702 3005 3103 010101")
    for tolerate in (None, Deviation.OPEN_TYPE):
        error = error_of(Opens.decode, data, rules="ber", tolerate=tolerate)
        assert (error.kind, error.deviation) == ("signed-not-der", None)


@pytest.mark.parametrize(("type", "text"), CONVERTED.values(), ids=CONVERTED)
def test_an_error_beside_such_a_part_suggests_ber(type, text):
    data = bytes.fromhex(text)
    assert error_of(derlib.decode, type, data).hint == HINT
    assert derlib.decode(type, data, rules="ber") is not None


#: Encodings of a class with ber="keep", and the deviation that keeps their bytes.
OUTERMOST_KEPT = {
    "indefinite length": ("3080 0101ff 0000", None),
    "long length": ("308103 0101ff", Deviation.LENGTH_FORM),
    "contents": ("3003 010101", Deviation.BOOLEAN_TRUE),
    "length inside": ("3004 018101ff", Deviation.LENGTH_FORM),
}


@pytest.mark.parametrize(("text", "deviation"), OUTERMOST_KEPT.values(), ids=OUTERMOST_KEPT)
def test_an_error_in_signed_bytes_does_not_suggest_to_change_them(text, deviation):
    data = bytes.fromhex(text)
    error = error_of(derlib.decode, Kept, data)
    assert (error.hint, error.deviation) == (None if deviation else KEPT_HINT, deviation)
    assert Kept.decode(data, rules="ber").der != data
    if deviation:
        assert Kept.decode(data, tolerate=deviation).der == data
    # No deviation applies to these calls.
    assert error_of(read, data, Kept, "der").hint == KEPT_HINT


@pytest.mark.parametrize("text", ["3080 0000", "0903 900001", "3106 020102 020101"])
def test_calls_without_decode_suggest_what_reads_ber(text):
    data = bytes.fromhex(text)
    error = error_of(derlib.parse, data)
    assert (error.hint, error.offset) == (PARSE_HINT, error_of(derlib.decode, derlib.TLV, data).offset)
    assert derlib.parse_ber(data).encoded == data
    for source in (data, io.BytesIO(data)):
        error = error_of(lambda: list(derlib.iter_decode(b"\5\0" + data)))
        assert (error.hint, error.offset) == (HINT, 2 + error_of(derlib.parse, data).offset)
        assert list(derlib.iter_decode(data, rules="ber")) == [derlib.parse(ber.convert(data).der)]
        read_ones = stream.open_many(source, derlib.TLV, rules="ber")
        assert [one[()].encode() for one in read_ones] == [ber.convert(data).der]


def test_calls_without_the_argument_rules_suggest_to_convert():
    data = bytes.fromhex("3003 010101")
    element = derlib.parse(data, tolerate=Deviation.BOOLEAN_TRUE)
    for call in (element.decode, lambda type: Cache({}).decode(type, data)):
        error = error_of(call, Order)
        assert (error.hint, error.deviation) == (CONVERT_HINT, Deviation.BOOLEAN_TRUE)
    assert Cache({}).decode(Order, ber.convert(element.encode(), Order).der).urgent


def test_a_private_key_in_ber_suggests_to_decode_ber():
    data = bytes.fromhex("3080 020100 300506032b6570 0422 0420") + bytes(32) + b"\0\0"
    assert error_of(PrivateKeyInfo.read, data).hint == HINT
    assert PrivateKeyInfo.decode(data, rules="ber").kind == "Ed25519"


def test_a_request_of_openssl_is_signed_so_an_error_does_not_suggest_to_change_it():
    data = bytes.fromhex("3080 3029 3022 300506032b6570 0319 00") + bytes(24) + bytes.fromhex("1603616263 0000")
    assert error_of(SignedPublicKeyAndChallenge.decode, data).hint == KEPT_HINT


def test_only_calls_with_the_argument_tolerate_suggest_a_deviation():
    data = bytes.fromhex("3080 02020001 0000")
    error = error_of(Number.decode, data, rules="ber")
    assert error.deviation is Deviation.INTEGER_PADDING
    assert Number.decode(data, rules="ber", tolerate=Deviation.INTEGER_PADDING).number == 1
    for call in (ber.convert, lambda data, type: read(data, type, "ber")):
        error = error_of(call, data, Number)
        assert (error.deviation, error.offset, error.path) == (None, 2, ("number",))
        assert "Deviation" not in str(error)
    assert error_of(derlib.parse_ber, b"\x05\x00\x00").deviation is None


def test_convert_suggests_its_argument_for_bytes_after_the_value():
    for text in ("3000 05", "3080 0000 05"):
        data = bytes.fromhex(text)
        error = error_of(ber.convert, data, Order)
        assert (error.hint, error.deviation) == ("prefix=True accepts them", None)
        assert ber.convert(data, Order, prefix=True).consumed == len(data) - 1
        assert error_of(derlib.decode, Order, data, rules="ber").deviation is Deviation.TRAILING_DATA


@pytest.mark.parametrize("rules", ["der", "ber"])
def test_a_value_that_follows_suggests_what_does_not_drop_it(rules):
    data = bytes.fromhex("3000 3003 0101ff")
    error = error_of(Order.decode, data, rules=rules)
    assert error.hint == "derlib.iter_decode reads values that follow each other, decode_prefix the first"
    assert [each.urgent for each in derlib.iter_decode(data, Order, rules=rules)] == [False, True]
    assert Order.decode_prefix(data, rules=rules)[1] == data[2:]
    for rest in ("0a", "0000", "3003 01", "ff"):
        assert error_of(Order.decode, bytes.fromhex("3000" + rest), rules=rules).hint is None


def test_signed_attributes_that_are_not_der_suggest_to_convert_them():
    data = bytes.fromhex("3080 3180 0000 0000")
    error = error_of(ber.convert, data, Signed)
    assert (error.hint, error.rule, error.offset) == ('signed_attributes="convert" converts it', "RFC 5652 5.3", 2)
    # Then the conversion reports that the list is empty.
    assert error_of(ber.convert, data, Signed, signed_attributes="convert").kind == "size"
    assert error_of(Signed.decode, data, rules="ber").hint == f"derlib.ber.convert with {error.hint}"


@pytest.mark.parametrize("rules", ["cer", "CER", "BER", "xer"])
def test_unknown_rules_say_that_ber_includes_cer(rules):
    with pytest.raises(ValueError, match=f"expected 'der' or 'ber' for rules, got '{rules}'; 'ber' also accepts CER"):
        Order.decode(b"0\0", rules=rules)

"""Tolerating deviations changes neither values that are valid without it nor the bytes of tolerated elements."""

from __future__ import annotations

import pickle
from typing import Annotated, Any

import pytest
from support.classes import open_sequence

import derlib
from derlib import (
    BitString,
    Choice,
    DefinedBy,
    Deviation,
    Explicit,
    Limits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Sequence,
    SequenceOf,
    SetOf,
)

EVERYTHING = ~Deviation(0)


class Flag(Sequence):
    flag: bool
    deep: derlib.TLV | None = None


OPAQUE = OpenTypes("OPAQUE", {"1.2.3": Flag, "1.2.4": PrintableString, "1.2.5": SetOf[int]}, on_mismatch="opaque")
Holder = open_sequence("Holder", OPAQUE, OctetString)
InBits = open_sequence("InBits", OPAQUE, BitString)
Bare = open_sequence("Bare", OPAQUE)


class Country(Choice, tag=Explicit(1, "application")):
    text: PrintableString
    number: int


@pytest.mark.parametrize(
    ("type_", "octets"),
    [
        (Holder, "300b 06022a03 0405 3003010101"),
        (Holder, "3009 06022a03 0403 010101"),
        (Holder, "300c 06022a03 0406 300301010100"),
        (Holder, "300c 06022a05 0406 020102020101"),
        (InBits, "300c 06022a03 0306 003003010101"),
    ],
)
def test_a_mismatch_that_is_valid_without_tolerance_stays_opaque_with_it(type_, octets):
    data = bytes.fromhex(octets)
    plain = type_.decode(data)
    lenient = type_.decode(data, tolerate=EVERYTHING)
    assert lenient.deviations == ()
    assert lenient == plain
    assert lenient.body == plain.body
    assert lenient.to_native() == plain.to_native()
    assert type(lenient.body) is type(plain.body)


def test_an_open_value_that_only_tolerance_accepts_is_decoded_by_its_type():
    data = bytes.fromhex("3009 06022a03 3003010101")
    with pytest.raises(derlib.DecodeError):
        Bare.decode(data)
    lenient = Bare.decode(data, tolerate=EVERYTHING)
    assert lenient.body.flag is True
    assert [one.kind for one in lenient.deviations] == ["boolean-true"]
    assert lenient.deviations[0].path == ("body", "flag")


def test_tolerance_does_not_reach_a_limit_that_strict_decoding_does_not_reach():
    # Without tolerance, the BOOLEAN makes the value a mismatch, and the elements after it are not validated.
    nested = bytes.fromhex("0500")
    for _ in range(20):
        nested = bytes([0x30, len(nested)]) + nested
    inner = bytes.fromhex("010101") + nested
    inner = bytes([0x30, len(inner)]) + inner
    inner = bytes.fromhex("06022a03 04") + bytes([len(inner)]) + inner
    data = bytes([0x30, len(inner)]) + inner
    limits = Limits(depth=10)
    assert Holder.decode(data, limits=limits) == Holder.decode(data, limits=limits, tolerate=EVERYTHING)


class Defaulted(Sequence):
    number: int
    other: int = 5


@pytest.mark.parametrize("elements", range(1, 7))
def test_the_limit_of_elements_does_not_decide_whether_a_value_is_opaque(elements):
    # Three elements of the value count if it is opaque, none if it is decoded by its type. Decoding once recorded a
    # deviation of its type if fewer than three were left, but reading returned the opaque value.
    table = OpenTypes("TABLE", {"1.2.3": Defaulted}, on_mismatch="opaque")

    class Holder(Sequence):
        values: SequenceOf[int]
        kind: ObjectIdentifier
        value: Annotated[Any, DefinedBy("kind", table)]

    data = bytes.fromhex("3014 3006020100020100 06022a03 3006020101020105")
    limits = Limits(elements=elements)
    for tolerate in (None, EVERYTHING):
        if elements < 5:
            with pytest.raises(derlib.LimitError) as caught:
                Holder.decode(data, limits=limits, tolerate=tolerate)
            assert caught.value.kind == "element-limit"
        else:
            value = Holder.decode(data, limits=limits, tolerate=tolerate)
            assert value.deviations == ()
            assert isinstance(value.value, derlib.TLV)


def test_a_value_that_cannot_be_opaque_is_decoded_by_its_type_at_any_limit_of_elements():
    data = bytes.fromhex("3009 06022a03 3003010101")
    lenient = Bare.decode(data, tolerate=EVERYTHING, limits=Limits(elements=1))
    assert [one.kind for one in lenient.deviations] == ["boolean-true"]
    assert lenient.body.flag is True


@pytest.mark.parametrize("octets", ["61820003020105", "618103130131"])
def test_a_tolerated_length_of_a_class_with_a_tag_is_kept_by_encode_and_pickle(octets):
    data = bytes.fromhex(octets)
    value = Country.decode(data, tolerate=Deviation.LENGTH_FORM)
    assert value.encode() == data == bytes(value.der)
    assert [one.kind for one in value.deviations] == ["length-not-minimal"]
    for protocol in (2, 5):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again.encode() == data
        assert [one.kind for one in again.deviations] == ["length-not-minimal"]
    assert SequenceOf[Country]([Country(number=5)])[0].encode() == bytes.fromhex("6103020105")

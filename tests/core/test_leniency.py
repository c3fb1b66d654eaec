"""What leniency must not change: values that the strict rules let stand, and the octets of what was tolerated."""

from __future__ import annotations

import pickle
from typing import Annotated, Any

import pytest

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


SOFT = OpenTypes("SOFT", {"1.2.3": Flag, "1.2.4": PrintableString, "1.2.5": SetOf[int]}, on_mismatch="opaque")


class Holder(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("kind", SOFT)]


class InBits(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, BitString, DefinedBy("kind", SOFT)]


class Bare(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", SOFT)]


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
def test_a_mismatch_that_the_strict_rules_let_stand_stays_opaque_under_leniency(type_, octets):
    data = bytes.fromhex(octets)
    plain = type_.decode(data)
    lenient = type_.decode(data, tolerate=EVERYTHING)
    assert lenient.deviations == ()
    assert lenient == plain
    assert lenient.value == plain.value
    assert lenient.to_native() == plain.to_native()
    assert type(lenient.value) is type(plain.value)


def test_a_mismatch_that_the_strict_rules_refuse_is_read_by_its_type_where_that_is_tolerated():
    data = bytes.fromhex("3009 06022a03 3003010101")
    with pytest.raises(derlib.DecodeError):
        Bare.decode(data)
    lenient = Bare.decode(data, tolerate=EVERYTHING)
    assert lenient.value.flag is True
    assert [one.kind for one in lenient.deviations] == ["boolean-true"]
    assert lenient.deviations[0].path == ("value", "flag")


def test_leniency_does_not_lead_on_to_a_limit_that_the_strict_rules_never_met():
    # Strictly, the BOOLEAN ends the try of the type of an opaque table, and what stands behind it is not looked at.
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
def test_a_limit_of_elements_does_not_decide_what_a_value_of_an_opaque_table_is(elements):
    # As an opaque value it has three elements, as one of its type none that count. Once decoding noted a breach of its
    # type where it had fewer left, and reading gave the opaque value all the same.
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


def test_what_cannot_stand_opaque_is_read_by_its_type_whatever_the_limit_of_elements():
    data = bytes.fromhex("3009 06022a03 3003010101")
    lenient = Bare.decode(data, tolerate=EVERYTHING, limits=Limits(elements=1))
    assert [one.kind for one in lenient.deviations] == ["boolean-true"]
    assert lenient.value.flag is True


@pytest.mark.parametrize("octets", ["61820003020105", "618103130131"])
def test_the_tag_of_a_class_itself_keeps_a_tolerated_length_in_encode_and_pickle(octets):
    data = bytes.fromhex(octets)
    value = Country.decode(data, tolerate=Deviation.LENGTH_FORM)
    assert value.encode() == data == bytes(value.der)
    assert [one.kind for one in value.deviations] == ["length-not-minimal"]
    for protocol in (2, 5):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again.encode() == data
        assert [one.kind for one in again.deviations] == ["length-not-minimal"]
    assert SequenceOf[Country]([Country(number=5)])[0].encode() == bytes.fromhex("6103020105")

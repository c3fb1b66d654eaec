"""Properties of every conversion: any value of any type, in random BER, converts to exactly its DER."""

from __future__ import annotations

import contextlib
import functools
import itertools
from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import thorough
from support.generated import schemas
from support.schema_classes import CLASSES, EVERY_CLASS, draw_few_elements

import derlib
from derlib import (
    TLV,
    ASN1Error,
    DefinedBy,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
)
from derlib.schemas.attributes import RelativeDistinguishedName
from derlib.schemas.cades import id_aa_ets_cert_values
from derlib.strategies import BEREncoding, ber_encodings, encodings, random_ber, to_cer

from .rows import converted_or_error, decode_ber

UNREPRESENTABLE = functools.partial(contextlib.suppress, derlib.UnrepresentableError)


def check_conversion(type_: Any, encoding: BEREncoding) -> None:
    """Check everything that is true of the conversion of valid BER."""
    der, ber = encoding
    converted = derlib.ber.convert(ber, type_)
    assert bytes(converted.der).hex() == der.hex(), (type_, ber.hex())
    assert converted.consumed == len(ber)
    for kept in converted.kept:
        assert kept.error is None or is_in_opaque_value(type_, der, kept.path)
        assert ber[kept.input.offset : kept.input.end] == der[kept.output.offset : kept.output.end]
    assert (len(converted.changes) == 0) == (ber == der)
    for change in converted.changes:
        source, target = change.input, change.output
        assert 0 <= source.offset < source.end <= len(ber)
        assert 0 <= target.offset <= target.end <= len(der)
        assert ber[source.offset : source.end] != der[target.offset : target.end], change
    if ber == der:
        assert converted.der is ber
    again = derlib.ber.convert(der, type_)
    assert again.der is der
    assert len(again.changes) == len(again.ambiguous) == 0
    check_places(converted, ber)


def is_in_opaque_value(type_: Any, der: bytes, path: tuple[str | int, ...]) -> bool:
    """Return whether an element is part of a value that decoding leaves opaque, because its type does not match."""
    value = derlib.decode(type_, der)
    for step in path:
        if isinstance(value, TLV):
            return True
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return isinstance(value, TLV)


def check_places(converted: Any, ber: bytes) -> None:
    """Check that `origin` and `destination` lead from each element to the same element, and back."""
    der = converted.der
    for element in itertools.islice(derlib.parse(der).walk(), 100):
        start = element.span.offset
        place = converted.origin(start)
        # The first identifier octet is the same, but for the bit of the constructed form.
        assert ber[place] | 0x20 == der[start] | 0x20, (start, place)
        assert converted.destination(place) == start
    for offset in range(0, len(ber), 1 + len(ber) // 50):
        assert 0 <= converted.destination(offset) <= len(der)
    for offset in range(0, len(der), 1 + len(der) // 50):
        assert 0 <= converted.origin(offset) < len(ber)


@EVERY_CLASS
def test_each_class_converts_to_exactly_its_der(cls, monkeypatch):
    draw_few_elements(monkeypatch)

    @thorough(12)
    @given(ber_encodings(cls))
    def check(encoding):
        check_conversion(cls, encoding)
        check_decoding(cls, encoding)

    check()


def check_decoding(type_: Any, encoding: BEREncoding) -> None:
    """Check that BER decodes to the same value, which knows where it comes from."""
    with UNREPRESENTABLE():
        value = derlib.decode(type_, encoding.der)
        found = decode_ber(type_, encoding.ber)
        assert found == value
        assert type(found) is type(value)
        if not hasattr(type_, "decode_prefix"):
            return
        assert bytes(found.der) == bytes(value.der)
        assert found.origin.consumed == len(encoding.ber)
        assert value.origin is None
        again, rest = type_.decode_prefix(encoding.ber + b"\x30\x80", rules="ber")
        assert again == value
        assert bytes(rest) == b"\x30\x80"


def test_a_kept_element_in_an_opaque_value_can_have_an_error():
    """X.690 8.9.2: the certificate has no components, so the value in the name does not match its type."""
    identifier = derlib.encode(id_aa_ets_cert_values, derlib.ObjectIdentifier)
    der = bytes.fromhex("3113 3011") + identifier + bytes.fromhex("3002 3000")
    check_conversion(RelativeDistinguishedName, BEREncoding(der, der))
    check_decoding(RelativeDistinguishedName, BEREncoding(der, der))


@thorough(400)
@given(schemas(), st.data())
def test_any_type_converts_to_exactly_its_der(cls, data):
    encoding = data.draw(ber_encodings(cls))
    check_conversion(cls, encoding)
    check_decoding(cls, encoding)


@thorough(100)
@given(schemas(), st.data())
def test_cer_converts_to_der(cls, data):
    der = data.draw(encodings(cls))
    check_conversion(cls, BEREncoding(der, to_cer(cls, der)))


@thorough(200)
@given(ber_encodings(derlib.TLV))
def test_a_tree_without_a_type_converts_to_its_der(encoding):
    check_conversion(None, encoding)
    check_conversion(derlib.TLV, encoding)


@thorough(100)
@given(st.sampled_from(CLASSES), st.data(), st.binary(max_size=20))
def test_a_prefix_converts_like_the_whole_input(cls, data, after):
    encoding = data.draw(ber_encodings(cls))
    converted = derlib.ber.convert(encoding.ber + after, cls, prefix=True)
    assert converted.der == encoding.der
    assert converted.consumed == len(encoding.ber)
    if after:
        with pytest.raises(derlib.TrailingDataError) as caught:
            derlib.ber.convert(encoding.ber + after, cls)
        assert caught.value.offset == len(encoding.ber)


@thorough(300)
@given(schemas() | st.sampled_from(CLASSES), st.data())
def test_damaged_ber_is_a_value_or_an_error(cls, data):
    encoding = data.draw(ber_encodings(cls))
    damaged = bytearray(encoding.ber)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(damaged)))
        kind = data.draw(st.integers(0, 2))
        piece = data.draw(st.sampled_from([b"", b"\0", b"\0\0", b"\x80", b"\xff", b"\x24\x80", b"\x01\x01\x01"]))
        damaged[place : place + kind] = piece
    octets = bytes(damaged)
    for type_ in (cls, None):
        converted, error = converted_or_error(octets, type_)
        if error is None:
            check_result(type_, octets, converted)
        else:
            assert 0 <= error.offset <= len(octets)
            assert len(str(error)) < 1000


def check_result(type_: Any, octets: bytes, converted: Any) -> None:
    """Check a conversion that did not raise: its result is DER, except in kept elements that are not."""
    if any(kept.error is not None for kept in converted.kept):
        return
    again = derlib.ber.convert(converted.der, type_)
    assert again.der is converted.der
    assert len(again.changes) == 0
    with UNREPRESENTABLE():
        value = derlib.parse(converted.der) if type_ is None else derlib.decode(type_, converted.der)
        if type_ is not None:
            assert decode_ber(type_, octets) == value
    check_places(converted, octets)


# --- What stays as it is


class Signed(Sequence, ber="keep"):
    number: int
    text: str = "a"


class Attributes(SetOf[int], ber="refuse"):
    pass


class Message(Sequence):
    version: int = 0
    one: Annotated[Signed, Implicit(0)] | None = None
    more: Annotated[SequenceOf[Signed], Explicit(1)] | None = None
    attributes: Annotated[Attributes, Implicit(2)] | None = None
    last: bytes


def kept_octets() -> list[tuple[bytes, bool]]:
    """Return encodings of `Signed` as BER, and whether each is DER."""
    texts = ("30 03 02 01 05", "30 80 02 01 05 00 00", "30 04 02 81 01 05", "30 06 02 01 05 0c 01 61")
    return [(bytes.fromhex(text), number == 0) for number, text in enumerate(texts)]


@pytest.mark.parametrize(("octets", "is_der"), kept_octets())
def test_kept_elements_are_verbatim(octets, is_der):
    tagged = b"\xa0" + octets[1:]
    last = bytes.fromhex("24 80 04 01 61 00 00")
    data = b"\x30\x80" + tagged + b"\xa1\x80\x30\x80" + 2 * octets + bytes(4) + last + bytes(2)
    converted = derlib.ber.convert(data, Message)
    assert [kept.path for kept in converted.kept] == [("one",), ("more", 0), ("more", 1)]
    for kept, expected in zip(converted.kept, (tagged, octets, octets), strict=True):
        # A span ends before the end-of-contents octets.
        for octets_around, span in ((data, kept.input), (converted.der, kept.output)):
            assert octets_around[span.offset :].startswith(expected)
            assert span.length == len(expected) - 2 * (expected[1] == 0x80)
        assert (kept.error is None) == is_der
        if not is_der:
            assert isinstance(kept.error, derlib.DecodeError)
    if is_der:
        assert decode_ber(Message, data).encode() == converted.der
    else:
        with pytest.raises(ASN1Error) as caught:
            decode_ber(Message, data)
        assert 2 <= caught.value.offset < 2 + len(tagged)


def test_the_outermost_value_is_converted():
    octets = bytes.fromhex("30 80 02 01 05 00 00")
    assert derlib.ber.convert(octets, Signed).der == bytes.fromhex("30 03 02 01 05")
    assert not derlib.ber.convert(octets, Signed).kept


def test_signed_attributes_that_are_not_der_are_an_error():
    data = bytes.fromhex("30 80 a2 06 02 01 07 02 01 05 24 00 00 00")
    with pytest.raises(ASN1Error) as caught:
        derlib.ber.convert(data, Message)
    assert (caught.value.kind, caught.value.offset, caught.value.path) == ("signed-not-der", 2, ("attributes",))
    assert "5652" in caught.value.rule
    converted = derlib.ber.convert(data, Message, signed_attributes="convert")
    assert converted.der == bytes.fromhex("30 0a a2 06 02 01 05 02 01 07 04 00")
    # In order, they are accepted.
    ordered = bytes.fromhex("30 80 a2 06 02 01 05 02 01 07 24 00 00 00")
    assert derlib.ber.convert(ordered, Message).der == converted.der


@pytest.mark.parametrize("keep", ["last", ["last"], [("last",)]], ids=str)
def test_a_path_is_kept(keep):
    data = bytes.fromhex("30 80 24 00 00 00")
    converted = derlib.ber.convert(data, Message, keep=keep)
    assert converted.der == bytes.fromhex("30 02 24 00")
    assert [kept.path for kept in converted.kept] == [("last",)]
    assert converted.kept[0].error.kind == "string-constructed"


def test_the_outermost_value_is_converted_even_if_its_type_is_kept():
    data = bytes.fromhex("30 80 24 00 00 00")
    assert derlib.ber.convert(data, Message, keep=[Message]).der == bytes.fromhex("30 02 04 00")


@pytest.mark.parametrize(
    ("type_", "keep", "kind", "words"),
    [
        (Message, "lost", KeyError, "'lost' is not a part of Message; did you mean 'last'?"),
        (Message, "last[0]", KeyError, "0 is not a part of OCTET STRING, which has no parts"),
        (Message, "[*]", KeyError, "'*' is not a part of Message; it has "),
        (Message, "last.", ValueError, "path: expected a string such as"),
        (Message, [()], ValueError, "the outermost value is always converted"),
        (Message, [(-1,)], ValueError, "index -1 is negative"),
        (Message, [(True,)], TypeError, "path: expected a name, an index or '*', got bool True"),
        (Message, 5, TypeError, ""),
        (Message, [5], TypeError, "keep: expected schema classes and paths, got int 5"),
        (None, "last", ValueError, "the path 'last' needs a type"),
        (TLV, "last", KeyError, "'last' is not a part of ANY, which has no parts"),
    ],
    ids=str,
)
def test_a_path_that_leads_nowhere_is_an_error(type_, keep, kind, words):
    with pytest.raises(kind) as caught:
        derlib.ber.convert(b"\x05\x00", type_, keep=keep)
    assert words in str(caught.value.args[0])


class Liar(str):
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        raise RuntimeError


@pytest.mark.parametrize("step", [Liar("last"), b"last", 1.0, None])
def test_a_step_is_exactly_a_str_or_an_int(step):
    with pytest.raises(TypeError, match="path: expected a name, an index or"):
        derlib.ber.convert(b"\x30\x00", Message, keep=[(step,)])


def test_elements_of_a_list_are_kept_by_a_path():
    data = bytes.fromhex("30 80 30 80 02 01 05 00 00 30 80 02 01 06 00 00 00 00")
    type_ = SequenceOf[SequenceOf[int]]
    assert derlib.ber.convert(data, type_, keep=["[*]"]).der == b"\x30\x0e" + data[2:-2]
    assert derlib.ber.convert(data, type_, keep=[(...,)]).der == b"\x30\x0e" + data[2:-2]
    assert derlib.ber.convert(data, type_, keep=[(1,)]).der == b"\x30\x0c\x30\x03\x02\x01\x05" + data[9:-2]


# --- Without a type


def test_what_only_a_schema_decides_is_ambiguous():
    data = bytes.fromhex("30 80 a0 80 04 01 61 04 01 62 00 00 a1 03 02 01 05 00 00")
    converted = derlib.ber.convert(data)
    assert converted.der == bytes.fromhex("30 0d a0 06 04 01 61 04 01 62 a1 03 02 01 05")
    assert len(converted.ambiguous) == 1

    class Known(Sequence):
        text: Annotated[bytes, Implicit(0)]
        number: Annotated[int, Explicit(1)]

    assert derlib.ber.convert(data, Known).der == bytes.fromhex("30 09 80 02 61 62 a1 03 02 01 05")


class Point(Sequence):
    x: int = 0
    y: Annotated[bytes, Implicit(0)]


TYPES = OpenTypes("TYPES", {"1.2.3": Point, "1.2.4": SetOf[int]})
LAX = OpenTypes("LAX", {"1.2.3": Point, "1.2.4": SetOf[int]}, on_mismatch="opaque")


class Typed(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", TYPES)]


class Lax(Sequence):
    kind: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("kind", LAX)]]


@pytest.mark.parametrize("type_", [Typed, Lax])
def test_the_selector_of_an_open_type_chooses_the_type(type_):
    point = bytes.fromhex("30 80 02 01 00 a0 80 04 01 61 00 00 00 00")
    value = point if type_ is Typed else b"\x31\x80" + point + bytes(2)
    expected = bytes.fromhex("30 03 80 01 61" if type_ is Typed else "31 05 30 03 80 01 61")
    data = bytes.fromhex("30 80 06 02 2a 03") + value + bytes(2)
    assert derlib.ber.convert(data, type_).der == b"\x30" + bytes([4 + len(expected)]) + b"\x06\x02\x2a\x03" + expected
    for number in range(50):
        check_conversion(Typed, BEREncoding(der := bytes.fromhex("30 09 06 02 2a 03 30 03 80 01 61"),
                                            random_ber(Typed, der, Random(number))))


def test_a_value_of_another_type_stays_opaque():
    data = bytes.fromhex("30 80 06 02 2a 03 31 80 30 80 0c 01 61 00 00 00 00 00 00")
    assert derlib.ber.convert(data, Lax).der == bytes.fromhex("30 0b 06 02 2a 03 31 05 30 03 0c 01 61")

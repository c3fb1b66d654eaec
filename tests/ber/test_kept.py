"""`Converted.kept`: what was kept, in BER and in DER, and a kept component that has its DEFAULT value."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from corpus.files import corpus, schema_of
from rules.rows import der

import derlib
from derlib import DefinedBy, Deviation, Explicit, Limits, ObjectIdentifier, OpenTypes, Sequence, SequenceOf, Set, ber


class Signed(Sequence, ber="keep"):
    number: int


class Level(Sequence):
    flag: bool = False
    level: Annotated[int, Explicit(3)] = 5


class Message(Sequence):
    signed: SequenceOf[Signed]
    flag: bool = False
    level: Level = Level()
    last: int | None = None


class Members(Set):
    number: int
    flag: bool = True


TYPES = OpenTypes("TYPES", {"1.2.3": Signed})


class Open(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", TYPES)]


class Around(Sequence):
    opens: SequenceOf[Open]
    number: int


IN_DER = bytes.fromhex("30 03 02 01 05")
INDEFINITE = bytes.fromhex("30 80 02 01 05 00 00")
FALSE = bytes.fromhex("01 01 00")


def in_indefinite(octets: bytes) -> bytes:
    """Return a DER element with the indefinite length."""
    header = 2 + (octets[1] & 0x7F if octets[1] & 0x80 else 0)
    return octets[:1] + b"\x80" + octets[header:] + bytes(2)


KEEP: list[tuple[Any, list[Any]]] = [
    (Message, []),
    (Message, [Level]),
    (Message, ["signed"]),
    (Message, ["signed[1].number", "last"]),
    (Message, ["signed[*].number"]),
    (Message, [("level",), Signed]),
    (Around, ["opens[*].kind"]),
    (Around, ["opens[0]", "number"]),
    (Members, ["flag"]),
]
VALUES = {
    Message: Message(signed=[{"number": n} for n in range(20)], flag=True, level={"flag": True}, last=7),
    Around: Around(opens=[{"kind": "1.2.3", "value": Signed(number=n)} for n in range(3)], number=1),
    Members: Members(number=5, flag=False),
}


@pytest.mark.parametrize(("type_", "keep"), KEEP)
def test_the_same_elements_are_kept_in_der_and_in_ber(type_: Any, keep: list[Any]) -> None:
    octets = VALUES[type_].encode()
    strict, converted = (ber.convert(data, type_, keep=keep) for data in (octets, in_indefinite(octets)))
    assert strict.der is octets
    assert (len(strict.changes), len(converted.changes)) == (0, 1)
    assert [(kept.path, kept.output, kept.error) for kept in strict.kept] == [
        (kept.path, kept.output, kept.error) for kept in converted.kept
    ]
    assert strict.kept or type_ is Members or not keep
    for kept in strict.kept:
        assert kept.input == kept.output
        assert kept.error is None
        assert strict.value.span(*kept.path) == kept.input


def test_the_origin_of_a_value_in_der_lists_them_too() -> None:
    octets = VALUES[Message].encode()
    paths = [("signed", number) for number in range(20)]
    for data in (octets, bytearray(octets), memoryview(octets)):
        for copy in (True, False):
            value = Message.decode(data, rules="ber", copy=copy)
            assert [kept.path for kept in value.origin.kept] == paths
            assert [kept.path for kept in value.signed[3].origin.kept] == paths
    first, rest = Message.decode_prefix(octets * 2, rules="ber")
    assert [kept.path for kept in first.origin.kept] == paths
    assert bytes(rest) == octets
    assert ber.convert(octets).kept == ()


@pytest.mark.parametrize("copy", [True, False])
def test_a_buffer_that_changes_later_has_no_effect(copy: bool) -> None:
    """The conversion and `kept` read a buffer several times, so derlib copies one that can change."""
    original = VALUES[Message].encode()
    octets = bytearray(original)
    message = Message.decode(octets, rules="ber", copy=copy)
    before = [str(kept) for kept in message.origin.kept]
    octets[:] = bytes(len(octets))
    assert message.encode() == original
    assert [str(kept) for kept in message.origin.kept] == before
    assert [kept.path for kept in message.origin.kept] == [("signed", number) for number in range(20)]


def test_limits_do_not_apply_again() -> None:
    octets = VALUES[Message].encode()
    converted = ber.convert(octets, Message, limits=Limits(elements=20, size=len(octets), depth=3))
    assert len(converted.kept) == 20


def test_files_in_der_and_in_ber() -> None:
    count = 0
    for item in corpus():
        cls = schema_of(item)
        listed = SequenceOf[cls]
        try:
            octets = listed([cls.decode(item.der)]).encode()
        except derlib.ASN1Error:
            continue
        [strict], [converted] = (ber.convert(data, listed).kept for data in (octets, in_indefinite(octets)))
        assert strict == converted._replace(input=strict.input)
        assert octets[strict.input.offset : strict.input.end] == item.der
        count += 1
    assert count > 500


# A DEFAULT (X.690 11.5).


@pytest.mark.parametrize("outer", ["30", "indefinite"])
def test_a_kept_component_with_its_default_value_stays_and_is_not_der(outer: str) -> None:
    rows: list[tuple[Any, list[Any], list[bytes], tuple[str, ...], int]] = [
        (Message, ["flag"], [b"\x30\0", FALSE], ("flag",), 1),
        (Message, ["level"], [b"\x30\0", b"\x30\0"], ("level",), 1),
        (Message, [Level], [b"\x30\0", b"\x30\0"], ("level",), 1),
        (Members, ["flag"], [b"\1\1\xff", b"\2\1\5"], ("flag",), 0),
    ]
    for type_, keep, parts, path, number in rows:
        tag = "31" if type_ is Members else "30"
        octets = der(tag, *parts)
        data = in_indefinite(octets) if outer == "indefinite" else octets
        assert octets != ber.convert(data, type_).der
        converted = ber.convert(data, type_, keep=keep)
        assert converted.der == octets
        assert [change.kind for change in converted.changes] == ["length-indefinite"] * (outer == "indefinite")
        [kept] = [kept for kept in converted.kept if kept.path == path]
        assert octets[kept.output.offset : kept.output.end] == parts[number]
        error = kept.error
        assert error is not None
        assert (error.kind, error.rule, error.path) == ("default-encoded", "X.690 11.5", path)
        assert error.offset == kept.output.offset
        with pytest.raises(derlib.DefaultError) as caught:
            _ = converted.value
        assert (caught.value.path, caught.value.offset) == (path, kept.input.offset)


def test_what_is_around_a_kept_default_is_validated() -> None:
    data = in_indefinite(der("30", b"\x30\0", FALSE, b"\2\2\0\5"))
    with pytest.raises(derlib.ContentsError) as caught:
        ber.convert(data, Message, keep=["flag"])
    assert (caught.value.kind, caught.value.path) == ("integer-not-minimal", ("last",))


def test_other_forms_of_a_default_value_stay_too() -> None:
    for flag in (bytes.fromhex("01 81 01 00"), bytes.fromhex("01 82 00 01 00")):
        converted = ber.convert(in_indefinite(der("30", b"\x30\0", flag)), Message, keep=["flag"])
        assert converted.der == der("30", b"\x30\0", flag)
        [kept] = converted.kept
        assert kept.error is not None
        assert kept.error.kind == "length-not-minimal"


def test_a_default_value_with_a_kept_part_is_left_out_as_a_whole() -> None:
    data = in_indefinite(der("30", b"\x30\0", der("30", FALSE, bytes.fromhex("a3 03 02 01 05"))))
    converted = ber.convert(data, Message, keep=["level.flag"])
    assert [(kept.path, kept.error and kept.error.kind) for kept in converted.kept] == [
        (("level", "flag"), "default-encoded")
    ]
    assert ber.convert(data, Message, keep=["level.level"]).der.hex() == "3009 3000 3005 a303020105".replace(" ", "")


# The remedy of an error after a kept element that is not DER.


@pytest.mark.parametrize("signed", [INDEFINITE, b"\x30\x03\x04\x01\x05", b"\x30\0"], ids=bytes.hex)
def test_only_a_fault_in_an_open_type_suggests_to_tolerate_its_mismatch(signed: bytes) -> None:
    def around(number: bytes, *values: bytes) -> derlib.DecodeError:
        opens = [der("30", bytes.fromhex("06 02 2a 03"), value) for value in values]
        with pytest.raises(derlib.DecodeError) as caught:
            Around.decode(in_indefinite(der("30", der("30", *opens), number)), rules="ber")
        return caught.value

    error = around(b"\2\0", signed, IN_DER)
    assert (error.kind, error.path, error.deviation) == ("integer-empty", ("number",), None)
    error = around(b"\2\1\5", IN_DER, signed)
    # An indefinite length is a fault of the Open around the value.
    deviation = None if signed == INDEFINITE else Deviation.OPEN_TYPE
    assert (error.path[:2], error.deviation) == (("opens", 1), deviation)
    error = around(b"\2\1\5", signed, b"\2\1\5")
    assert (error.path[:2], error.deviation) == (("opens", 1), Deviation.OPEN_TYPE)


class Flag(Sequence):
    on: bool = False


class Held(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("HELD", {"1.2.3": Flag}, on_mismatch="opaque"))]
    signed: Signed


def test_an_opaque_value_of_der_that_a_conversion_would_change_is_not_converted():
    data = der("30", "06022a03", der("30", FALSE), IN_DER)
    converted = derlib.ber.convert(data, Held)
    assert converted.der == data
    assert not converted.changes
    [kept] = converted.kept
    assert (kept.path, data[kept.input.offset : kept.input.end], kept.error) == (("signed",), IN_DER, None)

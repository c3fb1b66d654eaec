"""The conversion of BER in the core: positions, runs, limits, and memory.

Runs (core/ber/list_runs.pxi) are the fast path for lists. Their tests convert each element in a list of its own, too,
which is too short for a run. The bytes, the changes and the positions must not depend on the elements before it.
"""

from __future__ import annotations

import ctypes
import pickle
import random
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import derlib
from derlib import (
    ASN1Error,
    BitString,
    DecodeError,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    LimitError,
    Limits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    UTCTime,
    ber,
)

# Runs begin after eight elements (RUN_AFTER), and end 96 bytes before the end of the input (RUN_MARGIN).
AFTER = b"\x04\x40" + bytes(64) + b"\x04\x40" + bytes(64)
TYPES: OpenTypes = OpenTypes("TYPES")


class Inner(Sequence):
    flag: bool
    text: str | None = None


class Entry(Sequence):
    number: int
    time: UTCTime | GeneralizedTime
    octets: OctetString | None = None
    inner: SequenceOf[Inner] | None = None
    bits: Annotated[BitString, Implicit(0)] | None = None
    tagged: Annotated[bytes, Implicit(1)] | None = None
    explicit: Annotated[int, Explicit(2)] | None = None
    default: Annotated[int, Implicit(3)] = 5
    names: Annotated[SetOf[str], Implicit(4)] | None = None


class Row(derlib.Choice):
    entry: Entry
    filler: bytes


class Lists(Sequence):
    rows: SequenceOf[Row]


class Open(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", TYPES)]


TYPES.register("2.999.1", Inner)


def element(tag: int, contents: bytes, form: str = "der") -> bytes:
    """Return an element whose length is DER, indefinite, or longer than it needs to be."""
    if form == "indefinite":
        return bytes([tag, 0x80]) + contents + b"\0\0"
    if form == "long":
        return bytes([tag, 0x82]) + len(contents).to_bytes(2, "big") + contents
    assert len(contents) < 128
    return bytes([tag, len(contents)]) + contents


FORMS = st.sampled_from(["der", "indefinite", "long"])
PRIMITIVE = st.sampled_from(["der", "long"])
TIMES = [(23, b"200101000000Z"), (23, b"2001010000Z"), (23, b"200101000000+0100"), (24, b"20200101000000Z"),
         (24, b"202001010000.5Z"), (24, b"2020010100000.Z"), (23, b"20010100000xZ"), (24, b"20200101000000.10Z")]


@st.composite
def entries(draw: Any) -> bytes:
    """Return the BER of an Entry, sometimes invalid."""
    number = draw(st.sampled_from([b"\x01", b"\x7f\x01", b"\x11\x22\x33", b"\x80\x00\x01", b"\x00\x01", b""]))
    tag, time = draw(st.sampled_from(TIMES))
    parts = element(2, number, draw(PRIMITIVE)) + element(tag, time, draw(PRIMITIVE))
    if draw(st.booleans()):
        octets = [element(4, b"ab", draw(PRIMITIVE)), element(0x24, element(4, b"a") + element(4, b"b"), draw(FORMS))]
        parts += draw(st.sampled_from(octets))
    if draw(st.booleans()):
        flag = element(1, draw(st.sampled_from([b"\xff", b"\x00", b"\x01"])))
        text = draw(st.sampled_from([b"", element(12, b"x"), element(12, b"\xff"), element(0x2C, element(4, b"x"))]))
        parts += element(0x30, element(0x30, flag + text, draw(FORMS)) * draw(st.integers(0, 2)), draw(FORMS))
    if draw(st.booleans()):
        bits = [element(0x80, b"\x04\xff"), element(0x80, b"\x04\xf0"), element(0xA0, element(3, b"\x04\xff"))]
        parts += draw(st.sampled_from(bits))
    if draw(st.integers(0, 4)) == 4:
        parts += draw(st.sampled_from([
            element(0xA1, element(4, b"t"), "indefinite"), element(0xA2, element(2, b"\x05"), "indefinite"),
            element(0x83, b"\x05"), element(0x83, b"\x06"), element(0xA4, element(12, b"b") + element(12, b"a")),
        ]))
    return element(0x30, parts, draw(FORMS))


def changed(converted: Any) -> list[tuple[Any, ...]]:
    return [(change.kind, change.path, change.input.offset, change.input.length, change.output.offset,
             change.output.length) for change in converted.changes]


def outcome(rows: list[bytes], filler: bytes = AFTER) -> Any:
    """Return the conversion of a list, or its error."""
    data = b"\x30\x80\x30\x80" + b"".join(rows) + filler + bytes(4)
    try:
        return ber.convert(data, Lists)
    except ASN1Error as error:
        return error


@settings(deadline=None)
@given(st.lists(entries(), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_runs_convert_as_the_general_code_does(kinds: list[bytes], order: random.Random) -> None:
    rows = [order.choice(kinds) for _ in range(30)]
    alone = {row: outcome([row]) for row in kinds}
    together = outcome(rows)
    faulty = next((number for number, row in enumerate(rows) if isinstance(alone[row], ASN1Error)), None)
    if faulty is not None:
        # The walk reports its faults before the strict check reports any, so another one can be the first.
        assert isinstance(together, ASN1Error)
        number = together.path[1]
        expected = alone[rows[number]]
        assert isinstance(expected, ASN1Error)
        before = sum(map(len, rows[:number]))
        assert (together.kind, together.rule) == (expected.kind, expected.rule)
        assert together.offset == expected.offset + before
        assert (together.path[0], *together.path[2:]) == (expected.path[0], *expected.path[2:])
        return
    at, out = 4, derlib.parse(together.der).children[0].span.content_offset
    index = 2
    changes = changed(together)
    for number, row in enumerate(rows):
        single = alone[row]
        header = derlib.parse(single.der).children[0].span.content_offset
        length = len(single.der) - len(AFTER) - header
        assert together.der[out : out + length] == single.der[header : header + length]
        for kind, path, *places in changed(single)[2:]:
            expected = (kind, ("rows", number, *path[2:]), places[0] - 4 + at, places[1], places[2] - header + out,
                        places[3])
            assert changes[index] == expected
            index += 1
        for offset in range(length):
            assert together.origin(out + offset) == single.origin(header + offset) - 4 + at
        for offset in range(len(row)):
            assert together.destination(at + offset) == single.destination(4 + offset) - header + out
        at += len(row)
        out += length
    assert index == len(changes) == len(together.changes)
    assert [together.changes[i] for i in range(len(changes))] == list(together.changes)
    assert together.changes[-1] == together.changes[len(changes) - 1]
    assert ber.convert(together.der, Lists).der is together.der


def test_a_long_list_uses_several_runs() -> None:
    entry = element(0x30, element(2, b"\x01") + element(23, b"200101000000Z"), "indefinite")
    other = element(0x30, element(2, b"\x01\x02") + element(23, b"200101000000Z"), "indefinite")
    rows = [entry if number % 3 else other for number in range(10_000)]
    converted = outcome(rows)
    assert converted.der == derlib.encode(Lists.decode(converted.der))
    assert len(converted.changes) == 10_002
    assert converted.changes[9_999].path == ("rows", 9_997, "entry")
    assert converted.changes[9_999].input.offset == 4 + sum(map(len, rows[:9_997]))
    assert converted.origin(converted.destination(200_000)) == 200_000


@pytest.mark.parametrize("elements", [1, 8, 9, 10, 20, 29, 30, 31])
def test_the_limit_on_elements_ends_a_run(elements: int) -> None:
    entry = element(0x30, element(2, b"\x01") + element(23, b"200101000000Z"), "indefinite")
    data = b"\x30\x80\x30\x80" + entry * 30 + AFTER + bytes(4)
    if elements < 32:
        with pytest.raises(LimitError) as caught:
            ber.convert(data, Lists, limits=Limits(elements=elements))
        assert caught.value.path == ("rows", elements)
        assert caught.value.offset == 4 + min(elements, 30) * len(entry) + (66 if elements > 30 else 0)


def test_an_open_type_in_a_list_is_looked_up_for_each_element() -> None:
    def row(arc: int, value: bytes) -> bytes:
        return element(0x30, element(6, bytes([0x88, 0x37, arc])) + value, "indefinite")

    rows = [row(1, element(0x30, element(1, b"\x01"))) for _ in range(20)]
    rows += [row(2, element(0xA0, element(4, b"a"))), row(1, element(0x30, element(1, b"\x02")))]
    converted = ber.convert(element(0x30, b"".join(rows), "indefinite"), SequenceOf[Open])
    assert [change.path for change in converted.changes if change.kind == "boolean-true"] == [
        (number, "value", "flag") for number in [*range(20), 21]
    ]
    assert len(converted.ambiguous) == 1


class Sorted(Set):
    a: SetOf[SetOf[int]]
    b: Annotated[bytes, Implicit(0)]
    c: Annotated[int, Implicit(1)] = 1


def test_positions_in_sorted_sets() -> None:
    inner = [element(0x31, element(2, b"\x02") + element(2, b"\x01"), "indefinite"),
             element(0x31, element(2, b"\x01") + element(2, b"\x00"), "indefinite")]
    data = element(0x31, element(0xA0, element(4, b"xy"), "indefinite") + element(0x81, b"\x01")
                   + element(0x31, inner[0] + inner[1], "indefinite"), "indefinite")
    converted = ber.convert(data, Sorted)
    assert converted.der.hex() == "3116" "3110" "3106020100020101" "3106020101020102" "80027879"
    assert [(change.kind, change.path) for change in converted.changes] == [
        ("length-indefinite", ()), ("string-constructed", ("b",)), ("default-encoded", ("c",)),
        ("length-indefinite", ("a",)), ("length-indefinite", ("a", 1)), ("set-of-order", ("a", 1)),
        ("length-indefinite", ("a", 0)), ("set-of-order", ("a", 0)), ("set-of-order", ("a",)), ("set-order", ()),
    ]
    value = Sorted.decode(data, rules="ber")
    for change in converted.changes:
        if change.output.length:
            assert value.span(*change.path).offset == change.output.offset
    for offset, octet in enumerate(converted.der):
        origin = converted.origin(offset)
        if octet not in (0x31, 0x30, 0x80):
            assert data[origin] in (octet, 0x80), offset
    assert converted.origin(len(converted.der)) == len(data) == converted.consumed


def in_place(octets: bytes) -> Any:
    """Return a buffer of exactly this size, which a decode uses in place."""
    return (ctypes.c_ubyte * len(octets)).from_buffer_copy(octets)


@settings(deadline=None)
@given(st.lists(entries(), min_size=1, max_size=12), st.integers(0, 400), st.binary(max_size=3), st.integers(0, 400))
def test_no_byte_outside_of_the_buffer_is_read(rows: list[bytes], cut: int, noise: bytes, place: int) -> None:
    data = element(0x30, b"".join(rows), "indefinite")
    data = data[:place] + noise + data[place + len(noise) :]
    data = data[:cut] if cut % 2 else data
    for type_ in (SequenceOf[Entry], SetOf[Entry], Entry, Lists):
        try:
            value = derlib.decode(type_, in_place(data), copy=False, rules="ber")
        except ASN1Error:
            continue
        assert value.encode() == ber.convert(data, type_).der
    try:
        converted = ber.convert(in_place(data))
    except ASN1Error:
        return
    assert derlib.parse(converted.der).encode() == converted.der


def test_nesting_is_limited() -> None:
    for opened in (b"\x30\x80", b"\x24\x80", b"\x31\x80", b"\xa0\x80", b"\x23\x80"):
        with pytest.raises(LimitError) as caught:
            ber.convert(opened * 100_000)
        assert caught.value.kind == "depth-limit"
        assert caught.value.offset == 200
        closed = opened * 200 + bytes(400)
        assert ber.convert(closed, limits=Limits(depth=200)).consumed == 800


def test_segments_count_as_elements() -> None:
    data = b"\x24\x80" + b"\x04\x01a" * 50 + b"\0\0"
    assert ber.convert(data, bytes, limits=Limits(elements=50)).der == b"\x04\x32" + b"a" * 50
    with pytest.raises(LimitError, match="50"):
        ber.convert(data, bytes, limits=Limits(elements=49))


def test_a_value_that_was_not_converted_has_no_origin() -> None:
    assert SequenceOf[int].decode(b"\x30\x00").origin is None
    value = SequenceOf[int].decode(b"\x30\x00", rules="ber")
    assert len(value.origin.changes) == 0
    assert value.origin.value == value


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        (SequenceOf[int], "3080 0201 01 0281 02 0005 0000"),
        (SequenceOf[SequenceOf[int]], "3080 3080 0201 01 0000 3081 04 0202 0005 0000"),
        (SetOf[SequenceOf[int]], "3180 3003 0201 05 3080 0202 0001 0000 0000"),
        (SequenceOf[int], "3081 03 0201 05 0000"),
    ],
    ids=["a long length", "nested", "a sorted SET OF", "bytes after the value"],
)
def test_deviations_have_the_offsets_of_the_input(type_: Any, data: str) -> None:
    octets = bytes.fromhex(data)
    with pytest.raises(DecodeError) as caught:
        type_.decode(octets, rules="ber")
    expected = caught.value
    assert expected.deviation is not None
    value = type_.decode(octets, rules="ber", tolerate=expected.deviation)
    [found] = value.deviations
    assert (found.offset, found.kind, found.deviation) == (expected.offset, expected.kind, expected.deviation)
    # A part counts from the same start.
    assert {one.offset for part in value for one in getattr(part, "deviations", ())} <= {found.offset}
    # A pickle has the DER alone, and counts from its start.
    again = pickle.loads(pickle.dumps(value))
    for one in again.deviations:
        assert (one.path, one.kind) == (found.path, found.kind)
        assert again.encode()[one.offset] == octets[found.offset]


def test_deviations_after_a_sort_are_in_the_order_of_the_input() -> None:
    octets = bytes.fromhex("3180 3004 0202 0005 3004 0202 0001 0000")
    value = SetOf[SequenceOf[int]].decode(octets, rules="ber", tolerate=derlib.Deviation.INTEGER_PADDING)
    assert [(one.path, one.offset) for one in value.deviations] == [((1, 0), 4), ((0, 0), 10)]


def test_positions_in_sorted_sets_that_end_together() -> None:
    inner = element(0x31, element(2, b"\x02") + element(2, b"\x01"))
    data = element(0x31, element(0x31, element(2, b"\x01\x02")) + inner)
    converted = ber.convert(data, SetOf[SetOf[int]])
    assert converted.der.hex() == "310e" "3104" "02020102" "3106" "020101020102"
    value = converted.value
    for row in range(2):
        for number in range(len(value[row])):
            offset = value.span(row, number).offset
            assert data[converted.origin(offset) :][:4].startswith(converted.der[offset : offset + 3])
            assert converted.destination(converted.origin(offset)) == offset

"""Kept elements that are not DER: they are copied, and everything around them is validated as if they were DER."""

from __future__ import annotations

from itertools import permutations
from typing import Annotated, Any

import pytest
from rules.rows import der

import derlib
from derlib import (
    ASN1Error,
    Choice,
    DefinedBy,
    Explicit,
    Implicit,
    LimitError,
    Limits,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
)

from .rows import converted_or_error


class Signed(Sequence, ber="keep"):
    number: int


class Outer(Sequence, ber="keep"):
    signed: Signed
    flag: bool = False


class Either(Choice):
    signed: Annotated[Signed, Implicit(5)]
    text: str


TYPES = OpenTypes("TYPES", {"1.2.3": Signed, "1.2.4": SequenceOf[Signed]})
LAX = OpenTypes("LAX", {"1.2.4": SequenceOf[Signed]}, on_mismatch="opaque")


class Open(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", TYPES)]


class Lax(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", LAX)]


class Members(Set):
    number: int
    signed: Signed
    flag: bool | None = None


# Each encoding of `Signed` is not DER; the last ones are not even BER of the type.
INDEFINITE = bytes.fromhex("30 80 02 01 05 00 00")
LONG = bytes.fromhex("30 81 03 02 01 05")
INSIDE = bytes.fromhex("30 04 02 81 01 05")
OTHER = bytes.fromhex("30 03 04 01 05")
OTHER_INDEFINITE = bytes.fromhex("30 80 04 01 05 00 00")
IN_DER = bytes.fromhex("30 03 02 01 05")
EMPTY = bytes.fromhex("30 00")
NOT_DER = [INDEFINITE, LONG, INSIDE, OTHER, OTHER_INDEFINITE, EMPTY]
# Valid DER of an INTEGER, and what is not even BER of one, with its fault.
NUMBER = bytes.fromhex("02 01 07")
FAULTS = [
    ("02 02 00 07", "integer-not-minimal"),
    ("04 01 07", "unexpected-tag"),
    ("02 00", "integer-empty"),
    ("22 03 02 01 07", "not-primitive"),
]


def around(*parts: bytes) -> bytes:
    return b"\x30\x80" + b"".join(parts) + bytes(2)


class Before(Sequence):
    number: int
    signed: Signed
    last: int | None = None


class Inside(Sequence):
    first: int
    inner: Before
    last: int


@pytest.mark.parametrize("signed", NOT_DER, ids=bytes.hex)
def test_a_kept_element_is_copied_whatever_it_contains(signed: bytes) -> None:
    data = around(NUMBER, signed, NUMBER)
    converted = derlib.ber.convert(data, Before)
    assert converted.der == der("30", NUMBER, signed, NUMBER)
    [kept] = converted.kept
    assert kept.path == ("signed",)
    assert kept.error is not None
    with pytest.raises(type(kept.error)) as caught:
        _ = converted.value
    assert (caught.value.kind, caught.value.offset) == (kept.error.kind, kept.error.offset)


@pytest.mark.parametrize("signed", NOT_DER, ids=bytes.hex)
@pytest.mark.parametrize(("text", "kind"), FAULTS)
def test_a_fault_around_a_kept_element_is_an_error(signed: bytes, text: str, kind: str) -> None:
    fault = bytes.fromhex(text)
    good = der("30", NUMBER, bytes.fromhex("30 03 02 01 05"))
    rows: list[tuple[Any, bytes, tuple[str | int, ...]]] = [
        (Before, around(fault, signed), ("number",)),
        (Before, around(NUMBER, signed, fault), ("last",)),
        (Inside, around(NUMBER, around(NUMBER, signed), fault), ("last",)),
        (Inside, around(fault, around(NUMBER, signed), NUMBER), ("first",)),
        (SequenceOf[Before], around(around(NUMBER, signed), good, der("30", fault, signed)), (2, "number")),
        (Annotated[Before, Explicit(1)], b"\xa1\x80" + around(NUMBER, signed, fault) + bytes(2), ("last",)),
    ]
    for type_, data, path in rows:
        converted, error = converted_or_error(data, type_)
        assert converted is None, (type_, data.hex())
        expected = "component-extra" if path == ("last",) and kind == "unexpected-tag" and type_ is not Inside else kind
        expected_path = () if expected == "component-extra" else path
        assert (error.kind, error.path) == (expected, expected_path), (type_, data.hex(), error)
        assert error.offset == data.index(fault, 4 if fault in signed else 0) or data[error.offset :].startswith(fault)


def test_more_than_one_element_is_kept() -> None:
    for signed in permutations(NOT_DER, 3):
        data = around(*signed, EMPTY, *signed)
        assert len(derlib.ber.convert(data, SequenceOf[Signed]).kept) == 7
        _, error = converted_or_error(around(*signed, NUMBER, *signed), SequenceOf[Signed])
        assert (error.kind, error.offset, error.path) == ("unexpected-tag", 2 + len(b"".join(signed)), (3,))


def test_missing_and_unknown_components_after_a_kept_element() -> None:
    for signed in NOT_DER:
        _, error = converted_or_error(around(NUMBER, around(NUMBER, signed)), Inside)
        assert (error.kind, error.path) == ("component-missing", ("last",))
        _, error = converted_or_error(around(NUMBER, signed, NUMBER, b"\5\0"), Before)
        assert (error.kind, error.offset) == ("component-extra", 8 + len(signed))


def test_a_kept_element_inside_a_kept_element_is_a_part_of_it() -> None:
    class Message(Sequence):
        outer: Outer
        number: int

    outer = around(INDEFINITE)
    converted = derlib.ber.convert(around(outer, NUMBER), Message)
    assert converted.der == der("30", outer, NUMBER)
    assert [kept.path for kept in converted.kept] == [("outer",)]
    _, error = converted_or_error(around(outer, b"\2\0"), Message)
    assert (error.kind, error.offset) == ("integer-empty", 2 + len(outer))
    # The outermost value is always converted, so now the inner one is kept.
    assert derlib.ber.convert(outer, Outer).der == der("30", INDEFINITE)


def test_tags_choices_and_open_types_around_a_kept_element() -> None:
    kinds = bytes.fromhex("06 02 2a 03"), bytes.fromhex("06 02 2a 04")
    for signed in NOT_DER:
        rows: list[tuple[Any, bytes]] = [
            (SequenceOf[Annotated[Signed, Explicit(0)]], b"\xa0\x80" + signed + bytes(2)),
            (SequenceOf[Either], b"\xa5" + signed[1:]),
            (SequenceOf[Open], around(kinds[0], signed)),
            (SequenceOf[Open], around(kinds[1], around(signed, signed))),
            (SequenceOf[Lax], around(kinds[1], around(signed, signed))),
            (SequenceOf[SetOf[Signed]], b"\x31\x80" + signed + INDEFINITE + bytes(2)),
            (SequenceOf[Members], b"\x31\x80" + signed + NUMBER + bytes(2)),
        ]
        for type_, element in rows:
            converted = derlib.ber.convert(around(element, element), type_)
            kept = converted.kept
            assert len(kept) in (2, 4), type_
            for each in kept:
                span = each.output
                assert signed[1:] in converted.der
                assert each.error is not None
                assert converted.der[span.offset + 1 : span.end] == around(element, element)[
                    each.input.offset + 1 : each.input.end]
            _, error = converted_or_error(around(element, element, b"\x17\0"), type_)
            assert (error.offset, error.path[0]) == (2 + 2 * len(element), 2)
            assert error.kind == ("alternative" if type_ == SequenceOf[Either] else "unexpected-tag")


def test_a_second_kept_member_of_a_set_is_an_error() -> None:
    for signed in NOT_DER:
        data = b"\x31\x80" + signed + NUMBER + signed + bytes(2)
        _, error = converted_or_error(data, Members)
        assert (error.kind, error.offset, error.path) == ("member-extra", 5 + len(signed), ("signed",))


def test_a_string_is_kept_in_segments() -> None:
    class Texts(Sequence):
        text: bytes
        choice: Annotated[str, Implicit(1)] | None = None
        number: int

    texts = [bytes.fromhex("24 80 04 01 61 00 00"), bytes.fromhex("a1 80 04 01 61 00 00")]
    data = around(*texts, NUMBER)
    converted = derlib.ber.convert(data, Texts, keep=["text", "choice"])
    assert converted.der == der("30", *texts, NUMBER)
    _, error = converted_or_error(data, Texts)
    assert error is None
    with pytest.raises(ASN1Error) as caught:
        derlib.ber.convert(around(*texts, b"\2\0"), Texts, keep=["text", "choice"])
    assert (caught.value.kind, caught.value.offset) == ("integer-empty", 16)  # type: ignore[attr-defined]


def test_the_levels_of_nesting_after_a_kept_element() -> None:
    class Deep(Sequence):
        signed: Signed
        lists: SequenceOf[SequenceOf[int]]

    data = around(bytes.fromhex("30 80 30 80 00 00 00 00"), around(around(NUMBER)))
    assert derlib.ber.convert(data, Deep, limits=Limits(depth=3)).kept[0].error is not None
    with pytest.raises(LimitError) as caught:
        derlib.ber.convert(data, Deep, limits=Limits(depth=2))
    assert caught.value.offset in (4, 12)


@pytest.mark.parametrize("order", list(permutations([INDEFINITE, LONG, INSIDE, OTHER, IN_DER])))
def test_kept_elements_of_a_set_are_sorted_as_they_are_written(order: tuple[bytes, ...]) -> None:
    data = b"\x31\x80" + b"".join(order) + bytes(2)
    converted = derlib.ber.convert(data, SetOf[Signed])
    assert converted.der == der("31", *sorted(order))
    assert ("set-of-order" in [change.kind for change in converted.changes]) == (list(order) != sorted(order))
    for kept in converted.kept:
        assert kept.path == (sorted(order).index(order[[each.input.offset for each in converted.kept].index(
            kept.input.offset)]),)
        assert converted.origin(kept.output.offset) == kept.input.offset
        assert converted.destination(kept.input.offset) == kept.output.offset


def test_kept_members_of_a_set_are_sorted_by_tag() -> None:
    flag = b"\1\1\xff"
    for signed in NOT_DER:
        for order in permutations([signed, NUMBER, flag]):
            data = b"\x31\x80" + b"".join(order) + bytes(2)
            assert derlib.ber.convert(data, Members).der == der("31", flag, NUMBER, signed)

"""A shared buffer that changes after it was decoded: the one fault that no input causes."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    TLV,
    Choice,
    Date,
    DecodeError,
    Explicit,
    GeneralizedTime,
    Implicit,
    Real,
    Sequence,
    SequenceOf,
    UTCTime,
)


class Pair(Sequence):
    first: int
    second: SequenceOf[int]


class Numbers(Sequence):
    first: int
    second: int


def test_a_header_that_was_changed_after_decoding_is_reported_as_such():
    data = bytearray.fromhex("3008 020101 3003 020102")
    view = Pair.decode(data, copy=False)
    data[0:2] = b"\x30\x80"
    with pytest.raises(DecodeError) as caught:
        view.span()
    assert caught.value.kind == "buffer-changed"


def test_a_list_element_whose_tag_was_changed_is_reported_as_such():
    data = bytearray.fromhex("3006 020101 020102")
    view = derlib.decode(SequenceOf[int], data, copy=False)
    data[5] = 0x04
    assert view[0] == 1
    with pytest.raises(DecodeError) as caught:
        view[1]
    assert caught.value.kind == "buffer-changed"


def test_a_search_for_a_field_reports_an_element_whose_tag_was_changed():
    data = bytearray.fromhex("3010 3006 020101 020102 3006 020103 020104")
    view = derlib.decode(SequenceOf[Numbers], data, copy=False)
    assert view.find_by("first", 9) is None
    data[2] = 0x31
    with pytest.raises(DecodeError) as caught:
        view.find_by("first", 9)
    assert caught.value.kind == "buffer-changed"


def test_a_copy_does_not_change():
    data = bytearray.fromhex("3008 020101 3003 020102")
    view = Pair.decode(data)
    data[0:2] = b"\x30\x80"
    assert view.span().content_length == 8
    assert list(view.second) == [2]


class Arms(Choice):
    number: Annotated[int, Implicit(0)]
    flag: bool


class Tagged(Sequence):
    number: Annotated[int, Explicit(0)]
    arms: Annotated[Arms, Explicit(1)]
    either: Annotated[int | bool, Explicit(2)]
    pair: Annotated[Pair, Explicit(3)]
    last: int


ARMS = "3003 800105"
NUMBERS = "3009 020101 020102 020103"
MANY = bytes.fromhex("3060") + b"\x02\x01\x05" * 32
TAGGED = "301b a003020105 a103800105 a203020105 a307 3005 020101 3000 020107"
TAGS = {"number": 2, "arms": 7, "either": 12, "pair": 17}


class Open(Sequence, extensible=True):
    number: int


class Beside(Sequence):
    copied: SequenceOf[int]
    arms: Arms


# With a view so many bytes are copied that the whole is not validated again.
LARGE = derlib.decode(SequenceOf[int], bytes.fromhex("3083012000") + b"\x02\x01\x05" * 24576)


def counted(view):
    """A list that has counted its elements."""
    return len(view) and view


# A description, the type, its encoding, the position that changes, its new byte, what makes the value that is read, and
# the read access. The new byte makes a length too large, a tag unknown, or a time invalid.
CHANGES = [
    ("the tag of an alternative", SequenceOf[Arms], ARMS, 2, 0x01, lambda view: view[0], lambda arms: arms.value),
    ("the tag of a CHOICE", Tagged, TAGGED, TAGS["arms"] + 2, 0x05, None, lambda view: view.arms),
    ("the tag of a union", Tagged, TAGGED, TAGS["either"] + 2, 0x05, None, lambda view: view.either),
    ("the tag of an element", SequenceOf[int], NUMBERS, 5, 0x04, None, lambda view: view[1]),
    ("the tag of an element on the way", SequenceOf[int], NUMBERS, 5, 0x04, None, list),
    ("the length of an element before", SequenceOf[int], NUMBERS, 3, 0x7F, counted, lambda view: view[1]),
    ("the length of an element far off", SequenceOf[int], MANY, 3, 0x7F, counted, lambda view: view[20]),
    ("a length in a slice", SequenceOf[int], NUMBERS, 6, 0x7F, counted, lambda view: view[0:3]),
    ("a length in a slice with steps", SequenceOf[int], NUMBERS, 6, 0x7F, counted, lambda view: view[0:3:2]),
    ("a length on the way", SequenceOf[int], NUMBERS, 6, 0x7F, None, list),
    ("a length in a tree", TLV, NUMBERS, 6, 0x7F, None, list),
    ("the length of a view", Tagged, TAGGED, TAGS["pair"] + 3, 0x7F, lambda view: view.pair, lambda pair: pair.span()),
    ("the length under a tag", Tagged, TAGGED, TAGS["number"] + 3, 0x7F, None, lambda view: view.number),
    ("that length in a span", Tagged, TAGGED, TAGS["number"] + 3, 0x7F, None, lambda view: view.span("number")),
    ("that length in a copy", Tagged, TAGGED, TAGS["number"] + 3, 0x7F, None, lambda view: view.replace(last=8)),
    ("the tag of a field", Pair, "3008 020101 3003 020102", 2, 0x04, None, lambda view: view.first),
    ("the tag of a later field", Pair, "3008 020101 3003 020102", 5, 0x04, None, lambda view: view.second),
    ("the tag of a field with a tag around", Tagged, TAGGED, TAGS["number"], 0xA9, None, lambda view: view.number),
    ("the tag of an extensible type's field", Open, "3003 020101", 2, 0x04, None, lambda view: view.number),
    ("a length that takes the next field in", Pair, "3008 020101 3003 020102", 3, 0x06, None, lambda view: view.second),
    (
        "a shorter alternative in a copy",
        SequenceOf[Arms],
        "3004 80020105",
        3,
        0x01,
        lambda view: view[0],
        lambda arms: derlib.encode(arms, Arms),
    ),
    (
        "that alternative beside a large copy",
        SequenceOf[Arms],
        "3004 80020105",
        3,
        0x01,
        lambda view: view[0],
        lambda arms: Beside(copied=LARGE, arms=arms),
    ),
    ("the length of an addition", Open, "3006 020101 8301ff", 6, 0x7F, None, lambda view: view.unknown_additions),
    (
        "the length of a tag around a view",
        Tagged,
        TAGGED,
        TAGS["pair"] + 1,
        0x7F,
        lambda view: view.pair,
        lambda pair: pair.span(outer=True),
    ),
    ("a UTCTime", SequenceOf[UTCTime], b"\x30\x0f\x17\x0d260102030405Z", 4, 0x78, None, lambda view: view[0]),
    (
        "a GeneralizedTime",
        SequenceOf[GeneralizedTime],
        b"\x30\x11\x18\x0f20260102030405Z",
        4,
        0x78,
        None,
        lambda view: view[0],
    ),
    ("a DATE", SequenceOf[Date], b"\x30\x0b\x1f\x1f\x0820260102", 5, 0x78, None, lambda view: view[0]),
    ("a REAL", SequenceOf[Real], "3005 0903800001", 6, 0x02, None, lambda view: view[0]),
]


@pytest.mark.parametrize(
    ("type_", "text", "place", "octet", "first", "look"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES]
)
def test_a_changed_buffer_is_reported_as_changed(type_, text, place, octet, first, look):
    data = bytearray(text if isinstance(text, bytes) else bytes.fromhex(text))
    value = derlib.decode(type_, data, copy=False)
    if first is not None:
        value = first(value)
    data[place] = octet
    with pytest.raises(DecodeError) as caught:
        look(value)
    assert caught.value.kind == "buffer-changed"


def test_a_field_that_disappeared_is_searched_only_among_the_fields():
    data = bytearray.fromhex(TAGGED)
    view = Tagged.decode(data, copy=False)
    data[-3] = 0x04
    assert view.span("last") is None


@pytest.mark.parametrize("read", [lambda values: values[:], list], ids=["slice", "iteration"])
def test_all_of_a_list_whose_header_was_changed_is_reported_as_such(read):
    data = bytearray.fromhex("300b 020101 3006 020101 020102")
    view = Pair.decode(data, copy=False)
    data[8] = 0x80
    with pytest.raises(DecodeError) as caught:
        read(view.second)
    assert caught.value.kind == "buffer-changed"

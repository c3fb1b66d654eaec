"""Equality, hash and order of values agree, also if tolerated faults give a value several encodings."""

from __future__ import annotations

import itertools
import pickle
from typing import Annotated, Any

import pytest

import derlib
from derlib import TLV, Choice, Deviation, Explicit, Implicit, NamedBits, Sequence, SequenceOf, Set, SetOf

ALL = ~Deviation(0)


class Usage(NamedBits):
    sign = 1 << 0


class Point(Sequence):
    x: int
    y: int = 0


class Members(Set):
    a: Annotated[int, Implicit(0)]
    b: Annotated[bool, Implicit(1)]


class Arms(Choice):
    number: int
    text: Annotated[bytes, Implicit(0)]


class Tagged(Sequence, tag=Explicit(4)):
    x: int


class TaggedArms(Choice, tag=Explicit(4)):
    number: int


class Flags(Sequence):
    usage: Usage


class Holder(Sequence):
    point: Annotated[Point, Implicit(1)]


# Encodings of a few values: one value in several forms, shorter and longer ones, and other values.
ROWS: list[tuple[Any, list[str]]] = [
    (Point, ["3003 020105", "308103 020105", "30820003 020105", "3004 02020005", "3004 02810105", "3006 020105 020100",
             "3006 020105 020101", "3003 020106", "308103 020106"]),
    (Members, ["3106 800105 810100", "3106 810100 800105", "318106 800105 810100", "3106 800105 810101",
               "3106 800105 8101ff"]),
    (SequenceOf[int], ["3000", "308100", "3003 020101", "308103 020101", "3004 02810101", "3004 02020001",
                       "3006 020101 020102", "308180 02017e 02037f7f7f 0276" + 118 * "7f"]),
    (SetOf[int], ["3106 020101 020102", "3106 020102 020101", "318106 020101 020102", "3107 02810101 020102", "3100"]),
    (Arms, ["020105", "02810105", "0282000105", "02020005", "800105", "80810105", "8000"]),
    (Tagged, ["a405 3003 020105", "a48105 3003 020105", "a406 308103 020105", "a406 3004 02020005"]),
    (TaggedArms, ["a403 020105", "a48103 020105", "a404 02810105", "a404 02020005"]),
    (Flags, ["3004 03020780", "3004 03020080", "3004 03020781", "308104 03020780"]),
    (TLV, ["3003 020105", "308103 020105", "3004 02810105", "020105", "02810105", "02020005"]),
]


@pytest.mark.parametrize(("type_", "texts"), ROWS)
def test_equality_hash_and_order_agree(type_, texts):
    octets = [bytes.fromhex(text) for text in texts]
    values = [derlib.decode(type_, one, tolerate=ALL) for one in octets]
    again = [derlib.decode(type_, one, tolerate=ALL) for one in octets]
    for (a, b), (one, other) in zip(
        itertools.product(values, again), itertools.product(octets, octets), strict=True
    ):
        assert (a == b) is (one == other)
        assert (a != b) is (one != other)
        assert (a.encode() == b.encode()) is (one == other)
        if one == other:
            assert hash(a) == hash(b)
        if type_ is TLV:
            continue
        assert (a < b, a <= b, a > b, a >= b) == (one < other, one <= other, one > other, one >= other)
        assert (a == b) is (not a < b and not a > b)
    assert len(set(values)) == len(values) == len({*values, *again})
    if type_ is not TLV:
        assert [value.encode() for value in sorted(values)] == sorted(octets)


def test_a_tag_of_the_field_does_not_change_the_value():
    plain = Point.decode(bytes.fromhex("3003020105"))
    padded = Point.decode(bytes.fromhex("308103020105"), tolerate=ALL)
    for text in ("3005a103020105", "3006a18103020105"):
        placed = Holder.decode(bytes.fromhex(text), tolerate=ALL).point
        # `encode` writes the header of the class again, in the shortest form.
        assert placed == plain
        assert hash(placed) == hash(plain)
        assert not placed < plain
        assert not placed > plain
        assert placed != padded
        assert (placed < padded) is (plain.encode() < padded.encode())
        assert pickle.loads(pickle.dumps(placed)) == placed
    assert pickle.loads(pickle.dumps(padded)) == padded != plain


def test_lists_find_elements_by_their_encodings():
    values = SequenceOf[Point].decode(bytes.fromhex("300b 308103020105 3003020105"), tolerate=ALL)
    assert values.index(Point(x=5)) == 1
    assert values.count(Point(x=5)) == 1
    assert values.count(values[0]) == 1
    # A value that reads as a plain number or string is compared as such.
    assert SequenceOf[int].decode(bytes.fromhex("3007 02020005 020105"), tolerate=ALL).count(5) == 2

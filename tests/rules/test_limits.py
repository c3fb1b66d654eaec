"""Limits that a caller sets: each is kept at its bound, exceeded one further, and no misfit hides it."""

import functools
import pickle
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    DefinedBy,
    Deviation,
    LimitError,
    Limits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
)

from .rows import der


def nested(levels):
    octets = b""
    for _ in range(levels):
        octets = der("30", octets)
    return octets


def refused(call, kind):
    with pytest.raises(LimitError) as caught:
        call()
    assert caught.value.kind == kind


@pytest.mark.parametrize("depth", [1, 7, 100, 200])
def test_depth(depth):
    limits = Limits(depth=depth)
    tree = derlib.parse(nested(depth), limits=limits)
    assert len(list(tree.walk())) == depth
    assert pickle.loads(pickle.dumps(tree)) == tree
    refused(lambda: derlib.parse(nested(depth + 1), limits=limits), "depth-limit")


def test_size():
    limits = Limits(size=5)
    assert derlib.decode(bytes, der("04", b"abc"), limits=limits) == b"abc"
    refused(lambda: derlib.decode(bytes, der("04", b"abcd"), limits=limits), "input-limit")
    refused(lambda: SequenceOf[int].decode_prefix(der("30", "020101", "020101"), limits=limits), "input-limit")


def test_elements_count_in_all_lists_together():
    lists = SequenceOf[SetOf[int]]
    data = der("30", der("31", "020101", "020102"), der("31", "020103"))
    assert len(lists.decode(data, limits=Limits(elements=5))) == 2
    for elements in range(1, 5):
        refused(lambda elements=elements: lists.decode(data, limits=Limits(elements=elements)), "element-limit")
    assert derlib.parse(data, limits=Limits(elements=6)).children
    refused(lambda: derlib.parse(data, limits=Limits(elements=5)), "element-limit")


class InOctets(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("kind", OpenTypes("SOFT", {"1.2.3": SequenceOf[int]}, soft=True))]


@pytest.mark.parametrize("tolerate", [Deviation(0), ~Deviation(0)])
def test_elements_count_in_a_value_that_might_stand_opaque(tolerate):
    # Opaque octets have no elements. This value is none, as it fits.
    data = der("30", "06022a03", der("04", der("30", "020101", "020102", "020103")))
    decode = functools.partial(SequenceOf[InOctets].decode, der("30", data, data), tolerate=tolerate)
    assert [list(one.value) for one in decode(limits=Limits(elements=8))] == [[1, 2, 3]] * 2
    for elements in (2, 3, 5, 7):
        refused(lambda elements=elements: decode(limits=Limits(elements=elements)), "element-limit")


def test_elements_of_a_long_list_of_equal_shapes():
    entries = SequenceOf[SequenceOf[int]]
    data = der("30", *[der("30", "020101")] * 1000)
    assert len(entries.decode(data, limits=Limits(elements=2000))) == 1000
    refused(lambda: entries.decode(data, limits=Limits(elements=1999)), "element-limit")
    refused(lambda: entries.decode(data, limits=Limits(elements=999)), "element-limit")


def test_tag_octets():
    for octets, tag in [
        (1, "9e"),
        (2, "9f7f"),
        (3, "9fff7f"),
        (9, "9f" + "ff" * 7 + "7f"),
        (10, "9f8f" + "ff" * 7 + "7f"),
    ]:
        data = der(tag, b"")
        assert derlib.parse(data, limits=Limits(tag_octets=octets)).encode() == data
        if octets > 1:
            refused(
                lambda data=data, octets=octets: derlib.parse(data, limits=Limits(tag_octets=octets - 1)), "tag-limit"
            )


@pytest.mark.parametrize("octets", [1, 19, 20, 21, 500])
def test_arc_octets(octets):
    limits = Limits(arc_octets=octets)
    data = der("06", b"\x81" * (octets - 1) + b"\x01")
    value = derlib.decode(ObjectIdentifier, data, limits=limits)
    assert ObjectIdentifier(value.dotted) == pickle.loads(pickle.dumps(value)) == value
    longer = der("06", b"\x81" * octets + b"\x01")
    refused(lambda: derlib.decode(ObjectIdentifier, longer, limits=limits), "oid-arc-limit")
    refused(lambda: derlib.parse(longer, limits=limits), "oid-arc-limit")
    if octets > 20:
        with pytest.raises(derlib.EncodeError, match="refuses by default"):
            derlib.encode(value, ObjectIdentifier)


def test_a_value_keeps_its_limits_in_a_pickle():
    value = SequenceOf[ObjectIdentifier].decode(
        der("30", der("06", b"\x81" * 30 + b"\x01")), limits=Limits(arc_octets=31)
    )
    again = pickle.loads(pickle.dumps(value))
    assert again == value
    assert again[0] == value[0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": 0},
        {"depth": 201},
        {"size": -1},
        {"elements": 0},
        {"arc_octets": 501},
        {"tag_octets": 11},
        {"depth": True},
        {"depth": None},
        {"size": 1.5},
    ],
)
def test_limits_out_of_range(wrong):
    with pytest.raises(ValueError, match="is an int from 1 to"):
        Limits(**wrong)


def test_what_is_no_limits_object():
    with pytest.raises(TypeError, match=r"derlib\.Limits, not dict"):
        derlib.parse(b"\x05\x00", limits={"depth": 5})
    with pytest.raises(TypeError, match="Deviation, or several joined"):
        derlib.parse(b"\x05\x00", tolerate=3)

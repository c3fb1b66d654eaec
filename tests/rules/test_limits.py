"""Limits that a caller sets: each accepts its bound and rejects one more, and no mismatch hides it."""

import functools
import pickle
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Containing,
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
    # Bytes after the value do not count.
    assert SequenceOf[int].decode_prefix(der("30", "020101") + bytes(9), limits=limits)[0][0] == 1
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
    value: Annotated[
        Any, OctetString, DefinedBy("kind", OpenTypes("OPAQUE", {"1.2.3": SequenceOf[int]}, on_mismatch="opaque"))
    ]


@pytest.mark.parametrize("tolerate", [Deviation(0), ~Deviation(0)])
def test_elements_of_a_value_of_an_opaque_table_in_a_string_count_when_it_is_read(tolerate):
    # The bytes of a string have no elements. The elements of a value inside it have a count of their own.
    data = der("30", "06022a03", der("04", der("30", "020101", "020102", "020103")))
    decode = functools.partial(SequenceOf[InOctets].decode, der("30", data, data), tolerate=tolerate)
    refused(lambda: decode(limits=Limits(elements=1)), "element-limit")
    assert [one.value for one in decode(limits=Limits(elements=2))] == [der("30", "020101", "020102", "020103")] * 2
    assert [list(one.value) for one in decode(limits=Limits(elements=3))] == [[1, 2, 3]] * 2


class Anywhere(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("OPAQUE", {"1.2.3": SequenceOf[int]}, on_mismatch="opaque"))]


@pytest.mark.parametrize("tolerate", [Deviation(0), ~Deviation(0)])
@pytest.mark.parametrize("element", ["020101", "0101ff"])
def test_elements_of_a_value_of_an_opaque_table_count_as_those_without_a_type_whether_it_fits_or_not(tolerate, element):
    data = der("30", "06022a03", der("30", element, element))
    decode = functools.partial(Anywhere.decode, data, tolerate=tolerate)
    assert decode(limits=Limits(elements=3)).encode() == data
    refused(lambda: decode(limits=Limits(elements=2)), "element-limit")


class Inner(Sequence):
    inner: Annotated[Any, OctetString, Containing("Inner")] | None = None


class Outer(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("kind", OpenTypes("DEEP", {"1.2.3": Inner}, on_mismatch="opaque"))]


@pytest.mark.parametrize(("levels", "fits"), [(1, True), (50, True), (51, False), (200, False)])
@pytest.mark.parametrize("around", [0, 60])
def test_a_value_of_an_opaque_table_in_a_string_that_nests_too_deeply_stays_octets(levels, fits, around):
    # Each level is a SEQUENCE in a string. The levels around it do not count.
    octets = der("30", b"")
    for _ in range(levels - 1):
        octets = der("30", der("04", octets))
    data = der("30", "06022a03", der("04", octets))
    found = Outer.decode(data)
    assert isinstance(found.value, Inner if fits else bytes)
    type_ = Outer
    for _ in range(around):
        data, type_ = der("30", data), SequenceOf[type_]
    found = derlib.decode(type_, data)
    assert found.encode() == data
    for _ in range(around):
        found = found[0]
    assert isinstance(found.value, Inner if fits else bytes)
    assert pickle.loads(pickle.dumps(found)) == found


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
        with pytest.raises(derlib.EncodeError, match="the default limit of decoding"):
            derlib.encode(value, ObjectIdentifier)


def test_a_pickle_includes_the_limits():
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
    with pytest.raises(ValueError, match="expected an int from 1 to"):
        Limits(**wrong)


@pytest.mark.parametrize(
    ("data", "limits", "message"),
    [
        ("3003 020105", {"size": 4}, "at offset 0: input is 5 bytes; the limit is 4"),
        ("3003 020105", {"depth": 1, "size": 5}, None),
        ("3005 3003 020105", {"depth": 1}, "at offset 2: the value is nested 2 or more levels deep; the limit is 1"),
        ("3006 020101 020102", {"elements": 2},
         "at offset 5: the input has 3 or more elements in lists and ANY; the limit is 2"),
        ("0602 8100", {"arc_octets": 1}, "at offset 0: an arc of OBJECT IDENTIFIER is 2 bytes long; the limit is 1"),
        ("0605 2a 838201 05", {"arc_octets": 2},
         "at offset 0: an arc of OBJECT IDENTIFIER is 3 bytes long; the limit is 2"),
        ("1f8100 00", {"tag_octets": 2}, "at offset 0: the tag has 3 identifier octets; the limit is 2"),
        ("1f90808080808080 8000 00", {}, "at offset 0: the tag has the number 2^60 or more; the limit is 2^60 - 1"),
        ("090c 8309 01" + "00" * 8 + "01", {}, "at offset 0: REAL has an exponent of 9 bytes; the limit is 8"),
        ("0916 03" + b"1.E".hex() + b"9".hex() * 18, {},
         "at offset 0: REAL has an exponent of 18 digits; the limit is 17"),
        ("0982025e 03" + b"3".hex() * 601 + b".E+0".hex(), {},
         "at offset 0: REAL has a mantissa of 601 digits; the limit is 600"),
    ],
)
def test_a_message_has_the_limit_that_was_exceeded(data, limits, message):
    if message is None:
        derlib.parse(bytes.fromhex(data), limits=Limits(**limits))
        return
    with pytest.raises(LimitError) as caught:
        derlib.parse(bytes.fromhex(data), limits=Limits(**limits))
    assert str(caught.value) == message
    assert caught.value.rule == ""


def test_other_objects_as_limits_are_rejected():
    with pytest.raises(TypeError, match=r"expected derlib\.Limits for limits, got dict"):
        derlib.parse(b"\x05\x00", limits={"depth": 5})
    with pytest.raises(TypeError, match=r"expected derlib\.Deviation for tolerate, got int"):
        derlib.parse(b"\x05\x00", tolerate=3)


@pytest.mark.parametrize("type_", [ObjectIdentifier, derlib.RelativeOID])
def test_the_error_of_from_content_has_the_limit(type_):
    with pytest.raises(LimitError) as caught:
        type_.from_content(b"\x81" * 500 + b"\x01")
    assert str(caught.value) == "at offset 0: an arc of the value is 501 bytes long; the limit is 500"

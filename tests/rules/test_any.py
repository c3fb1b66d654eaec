"""ANY without a constraint, and `derlib.parse`: elements are validated by their tags, at every depth.

The tables of the other modules also test each rule with `derlib.parse` (their place "parsed"). This module tests what
only a tree without a schema can show.
"""

from typing import Annotated

import pytest

import derlib
from derlib import (
    TLV,
    ContentsError,
    DecodeError,
    Explicit,
    IdentifierError,
    LengthError,
    OrderError,
    SchemaError,
    Sequence,
    StructureError,
    TrailingDataError,
    TruncatedError,
)
from derlib._schema import compiler

from .rows import EVERYWHERE, WITH_SCHEMA, der, octets, reads, refuses, table


class Holder(Sequence):
    number: int
    anything: TLV | None = None


DEEP_FAULTS = [
    ("01 01 01", ContentsError, "11.1"),
    ("01 00", ContentsError, "8.2.1"),
    ("02 00", ContentsError, "8.3.1"),
    ("02 02 00 05", ContentsError, "8.3.2"),
    ("0a 02 ff ff", ContentsError, "8.4|8.3.2"),
    ("03 00", ContentsError, "8.6.2"),
    ("03 02 01 ff", ContentsError, "11.2.1"),
    ("24 03 04 01 aa", IdentifierError, "10.2"),
    ("05 01 00", ContentsError, "8.8.2"),
    ("06 00", ContentsError, "8.19"),
    ("06 03 2a 80 01", ContentsError, "8.19.2"),
    ("0c 02 c0 80", ContentsError, "8.23|41"),
    ("12 01 41", ContentsError, "41|8.23"),
    ("13 01 40", ContentsError, "41|8.23"),
    ("16 01 80", ContentsError, "41|8.23"),
    ("1a 01 0a", ContentsError, "41|8.23"),
    ("1c 03 00 00 00", ContentsError, "8.23|41"),
    ("1e 02 d8 00", ContentsError, "8.23|41"),
    (der("17", b"240230000000Z"), ContentsError, "11.8|47"),
    (der("18", b"20240101000000.0Z"), ContentsError, "11.7"),
    ("10 00", IdentifierError, "8.9.1|8.1.2.5"),
    ("11 00", IdentifierError, "8.11.1|8.12.1|8.1.2.5"),
    ("04 81 00", LengthError, "10.1"),
    ("30 80 00 00", LengthError, "10.1|8.1.3"),
    ("9f 1e 00", IdentifierError, "8.1.2"),
    ("00 00", DecodeError, ""),
]

ANY = [
    reads("a primitive element", TLV, "02 01 05", b"\x02\x01\x05"),
    reads("NULL", TLV, "05 00", b"\x05\x00"),
    reads("a SEQUENCE of anything", TLV, "30 05 05 00 02 01 05", octets("30 05 05 00 02 01 05")),
    reads("a primitive context tag with any contents", TLV, "80 02 ff ff", b"\x80\x02\xff\xff"),
    reads("a constructed context tag with elements", TLV, "a0 02 05 00", b"\xa0\x02\x05\x00"),
    reads("an explicitly tagged element", Annotated[TLV, Explicit(0)], "a0 03 02 01 05",
        b"\x02\x01\x05"),
    refuses("a constructed context tag without elements in it", TLV, "a0 01 00", TruncatedError, "",
        2, EVERYWHERE),
    refuses("a fault in a constructed context tag", TLV, "a0 03 01 01 01", ContentsError, "11.1", 2,
        EVERYWHERE),
    refuses("an element that is longer than what holds it", TLV, "30 03 02 02 05", TruncatedError,
        "", 2, EVERYWHERE),
    refuses("nothing where anything is due", Annotated[TLV, Explicit(0)], "a0 00", StructureError,
        "", 2),
    refuses("two where anything is due", Annotated[TLV, Explicit(0)], "a0 04 05 00 05 00",
        StructureError, "8.14", 4),
    reads("a RELATIVE-OID", TLV, "0d 02 81 00", b"\x0d\x02\x81\x00"),
    refuses("a RELATIVE-OID without contents", TLV, "0d 00", ContentsError, "8.19", 0, EVERYWHERE),
    refuses("a RELATIVE-OID that ends inside an arc", TLV, "0d 01 80", ContentsError, "8.19", 0,
        EVERYWHERE),
    refuses("a RELATIVE-OID arc that begins with 80", TLV, "0d 02 80 01", ContentsError, "8.19", 0,
        EVERYWHERE),
    reads("an optional ANY that is absent", Holder, "30 03 02 01 05",
        {"number": 5, "anything": None}),
    reads("an optional ANY of the same type as the field before", Holder, "30 06 02 01 05 02 01 06",
        {"number": 5, "anything": b"\x02\x01\x06"}),
    refuses("a second ANY", Holder, "30 07 02 01 05 05 00 05 00", StructureError, "8.9", 7),
]

# A universal SET can be a SET (10.3, by tags) or a SET OF (11.6, by encodings): it must have one of these orders.
SETS = [
    reads("no members", TLV, "31 00", b"\x31\x00"),
    reads("the order of a SET OF", TLV, "31 06 02 01 01 02 01 02",
        octets("31 06 02 01 01 02 01 02")),
    reads("equal members of a SET OF", TLV, "31 06 02 01 01 02 01 01",
        octets("31 06 02 01 01 02 01 01")),
    reads("the order of tags alone", TLV, "31 05 30 00 13 01 41", octets("31 05 30 00 13 01 41")),
    reads("the order of octets alone", TLV, "31 05 13 01 41 30 00", octets("31 05 13 01 41 30 00")),
    refuses("members of one tag in descending order", TLV, "31 06 02 01 02 02 01 01", OrderError,
        "11.6|10.3", 5, EVERYWHERE),
    refuses("neither order", TLV, "31 05 04 00 02 01 05", OrderError, "11.6|10.3", 4, EVERYWHERE),
    refuses("a SET out of order inside other elements", TLV, "30 0a a0 08 31 06 02 01 02 02 01 01",
        OrderError, "11.6|10.3", 9, EVERYWHERE),
]


@table(ANY)
def test_any(row, place):
    row.check(place)


@table(SETS)
def test_order_of_a_set_without_schema(row, place):
    row.check(place)


@table(
    [
        refuses(f"{octets(fault).hex(' ')} two levels down", TLV, der("30", der("a0", "05 00",
            fault)), error, clause, 6, EVERYWHERE)
        for fault, error, clause in DEEP_FAULTS
    ]
)
def test_every_rule_applies_at_depth(row, place):
    row.check(place)


@table(
    [
        refuses(f"{octets(fault).hex(' ')} in an optional ANY", Holder, der("30", "02 01 05",
            fault), error, clause, 5, WITH_SCHEMA)
        for fault, error, clause in DEEP_FAULTS
    ]
)
def test_every_rule_applies_in_an_optional_any(row, place):
    row.check(place)


def test_the_associated_types_are_set_once():
    # Checks in other threads use pointers to them.
    plans = [compiler.plan_of(type_) for type_ in (Holder, Holder, Holder)]
    with pytest.raises(SchemaError, match="known already"):
        derlib._core.set_associated(*plans)
    with pytest.raises(DecodeError):
        derlib.parse(octets("28 03 02 01 05"))


def test_parse_requires_that_the_element_is_the_whole_input():
    with pytest.raises(TrailingDataError) as caught:
        derlib.parse(b"\x05\x00\x05\x00")
    assert caught.value.offset == 2
    with pytest.raises(TruncatedError):
        derlib.parse(b"")


TREE = bytes.fromhex("3017 020105 a00a 3008 0101ff 0c03616263 0400 1301 41 0500")


def test_a_tree_has_tags_spans_contents_and_children():
    tree = derlib.parse(der("30", TREE[2:]))
    assert (tree.tag.tag_class, tree.tag.number) == ("universal", 16)
    assert tree.tag.constructed is True
    assert repr(tree.tag) == "Tag(16, 'universal', constructed=True)"
    assert eval(repr(tree.tag), {"Tag": derlib.Tag}) == tree.tag
    assert [child.tag.number for child in tree.children] == [2, 0, 4, 19, 5]
    assert list(tree) == list(tree.children)
    context = tree.children[1]
    assert (context.tag.tag_class, context.tag.number) == ("context", 0)
    assert (context.span.offset, context.span.header_length, context.span.content_length) == (5, 2,
    10)
    text = context.children[0].children[1]
    assert text.value == "abc"
    assert bytes(text.content) == b"abc"
    assert bytes(text.der) == b"\x0c\x03abc"
    assert text.children == ()
    assert list(text) == []


def test_the_walk_goes_depth_first_through_every_element():
    data = der("30", TREE[2:])
    tree = derlib.parse(data)
    offsets = [element.span.offset for element in tree.walk()]
    assert offsets == [0, 2, 5, 7, 9, 12, 17, 19, 22]
    assert [data[offset] for offset in offsets] == [0x30, 2, 0xA0, 0x30, 1, 0x0C, 4, 0x13, 5]


@pytest.mark.parametrize(
    ("data", "value"),
    [
        pytest.param("01 01 ff", True, id="BOOLEAN"),
        pytest.param("02 01 80", -128, id="INTEGER"),
        pytest.param("04 02 be ef", b"\xbe\xef", id="OCTET STRING"),
        pytest.param("05 00", derlib.NULL, id="NULL"),
        pytest.param("06 02 2a 03", derlib.ObjectIdentifier("1.2.3"), id="OBJECT IDENTIFIER"),
        pytest.param("0a 01 05", 5, id="ENUMERATED"),
        pytest.param("0c 02 c3 a9", "é", id="UTF8String"),
        pytest.param("13 01 41", "A", id="PrintableString"),
        pytest.param("14 01 e9", "é", id="TeletexString"),
        pytest.param("16 01 41", "A", id="IA5String"),
        pytest.param("1e 02 20 ac", "€", id="BMPString"),
        pytest.param("1c 04 00 01 f6 00", "😀", id="UniversalString"),
        pytest.param("80 02 be ef", b"\xbe\xef", id="a context tag"),
        pytest.param("c1 00", b"", id="a private tag"),
    ],
)
def test_a_primitive_element_has_a_python_value(data, value):
    element = derlib.parse(octets(data))
    assert element.value == value
    assert type(element.value) is type(value)
    assert derlib.decode(TLV, octets(data)).value == value


def test_a_field_of_type_any_is_a_tree_with_correct_offsets():
    data = bytes.fromhex("300a 020105 3005 0500 020107")
    view = Holder.decode(data)
    assert isinstance(view.anything, TLV)
    assert view.anything.span.offset == 5
    assert [child.span.offset for child in view.anything.children] == [7, 9]
    assert view.anything.children[1].value == 7

"""Open types that an OBJECT IDENTIFIER selects (X.690 8.15, X.681 14): tables with on_mismatch "error" and "opaque"."""

from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    TLV,
    BitString,
    Choice,
    ContentsError,
    DecodeError,
    DefinedBy,
    Deviation,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    OrderError,
    PrintableString,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    StructureError,
    TrailingDataError,
    TruncatedError,
)

from .rows import WITH_SCHEMA, der, reads, refuses, table

TYPED = OpenTypes("TYPED")
OPAQUE = OpenTypes("OPAQUE", on_mismatch="opaque")


class Point(Sequence):
    x: int
    y: int


for types in (TYPED, OPAQUE):
    types.register("1.2.1", int)
    types.register(ObjectIdentifier("1.2.2"), Point)
    types.register("1.2.3", SequenceOf[int])
    types.register("1.2.4", Annotated[PrintableString, Size(1, 4)])
    types.register("1.2.5", str | bytes)

# The contents of 1.2.1, and so on: 1.2.9 is in neither table.
INT, POINT, LIST, TEXT, UNION, NESTED, UNKNOWN = (f"06 02 2a 0{arc}" for arc in (1, 2, 3, 4, 5, 6, 9))


def known(arc: int) -> ObjectIdentifier:
    return ObjectIdentifier(f"1.2.{arc}")


class Plain(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", TYPED)]


class PlainOpaque(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", OPAQUE)]


class Parameters(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", TYPED)] | None = None


class Octets(Sequence):
    kind: ObjectIdentifier
    critical: bool = False
    body: Annotated[Any, OctetString, DefinedBy("kind", TYPED)]


class OctetsToo(Sequence):
    kind: ObjectIdentifier
    critical: bool = False
    body: Annotated[OctetString, DefinedBy("kind", TYPED)]


class OctetsOpaque(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, OctetString, DefinedBy("kind", OPAQUE)]


class Bits(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, BitString, DefinedBy("kind", TYPED)]


class BitsOpaque(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, BitString, DefinedBy("kind", OPAQUE)]


class Attribute(Sequence):
    kind: ObjectIdentifier
    bodies: SetOf[Annotated[Any, DefinedBy("kind", TYPED)]]


class AttributeOpaque(Sequence):
    kind: ObjectIdentifier
    bodies: SetOf[Annotated[Any, DefinedBy("kind", OPAQUE)]]


class Mixed(Sequence):
    kind: ObjectIdentifier
    bodies: SequenceOf[int | Annotated[OctetString, DefinedBy("kind", TYPED)]]


class Algorithm(Sequence):
    algorithm: ObjectIdentifier
    parameters: TLV | None = None


class Key(Sequence):
    algorithm: Algorithm
    key: Annotated[Any, BitString, DefinedBy("algorithm.algorithm", TYPED)]


class Nested(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", TYPED)]


TYPED.register("1.2.6", Nested)


PLAIN = [
    reads("an INTEGER", Plain, f"30 07 {INT} 02 01 05", {"kind": known(1), "body": 5}),
    reads("a SEQUENCE", Plain, f"30 0c {POINT} 30 06 02 01 01 02 01 02",
        {"kind": known(2), "body": {"x": 1, "y": 2}}),
    reads("a list", Plain, f"30 06 {LIST} 30 00", {"kind": known(3), "body": []}),
    reads("the first type of a union", Plain, f"30 07 {UNION} 0c 01 61",
        {"kind": known(5), "body": "a"}),
    reads("the second type of a union", Plain, f"30 07 {UNION} 04 01 61",
        {"kind": known(5), "body": b"a"}),
    reads("any type for an unknown selector", Plain, f"30 07 {UNKNOWN} 01 01 ff",
        {"kind": known(9), "body": b"\x01\x01\xff"}),
    refuses("another type than the selected one", Plain, f"30 06 {INT} 05 00", StructureError, "",
        6),
    refuses("a malformed value of the selected type", Plain, f"30 08 {INT} 02 02 00 05",
        ContentsError, "8.3.2", 6),
    refuses("a fault inside the selected type", Plain, f"30 0d {POINT} 30 07 02 01 01 02 02 00 02",
        ContentsError, "8.3.2", 11),
    refuses("a missing component inside the selected type", Plain, f"30 09 {POINT} 30 03 02 01 01",
        StructureError, "", 11),
    refuses("a constraint of the selected type", Plain, f"30 0b {TEXT} 13 05 61 62 63 64 65",
        derlib.ConstraintViolation, "", 6),
    refuses("no open type where one is due", Plain, f"30 04 {INT}", StructureError, "8.9", 6),
    refuses("a second open type", Plain, f"30 0a {INT} 02 01 05 02 01 06", StructureError, "8.9",
        9),
    refuses("a malformed BOOLEAN for an unknown selector", Plain, f"30 07 {UNKNOWN} 01 01 01",
        ContentsError, "11.1", 6),
    refuses("a padded INTEGER in a SEQUENCE for an unknown selector", Plain,
        f"30 0a {UNKNOWN} 30 04 02 02 00 05", ContentsError, "8.3.2", 8),
    refuses("a descending SET OF for an unknown selector", Plain,
        f"30 0c {UNKNOWN} 31 06 02 01 02 02 01 01", OrderError, "", 11),
    reads("an absent open type", Parameters, f"30 04 {INT}", {"kind": known(1), "body": None}),
    reads("a present optional open type", Parameters, f"30 07 {INT} 02 01 05",
        {"kind": known(1), "body": 5}),
    refuses("another type for an optional open type", Parameters, f"30 06 {INT} 05 00",
        StructureError, "", 6),
]

PLAIN_OPAQUE = [
    reads("the selected type", PlainOpaque, f"30 07 {INT} 02 01 05", {"kind": known(1), "body": 5}),
    reads("another type, left generic", PlainOpaque, f"30 06 {INT} 05 00",
        {"kind": known(1), "body": b"\x05\0"}),
    reads("a broken constraint, left generic", PlainOpaque, f"30 0b {TEXT} 13 05 61 62 63 64 65",
        {"kind": known(4), "body": b"\x13\x05abcde"}),
    reads("a missing component, left generic", PlainOpaque, f"30 09 {POINT} 30 03 02 01 01",
        {"kind": known(2), "body": b"\x30\x03\x02\x01\x01"}),
    refuses("a mismatch that is not DER", PlainOpaque, f"30 07 {INT} 01 01 01", ContentsError, "11.1",
        6),
    refuses("a mismatch that is not DER deep inside", PlainOpaque, f"30 0a {INT} 30 04 02 02 00 05",
        ContentsError, "8.3.2", 8),
    refuses("the selected type, malformed", PlainOpaque, f"30 08 {INT} 02 02 00 05", ContentsError,
        "8.3.2", 6),
]

IN_OCTET_STRING = [
    reads("an INTEGER", Octets, f"30 09 {INT} 04 03 02 01 05",
        {"kind": known(1), "critical": False, "body": 5}),
    reads("the other spelling", OctetsToo, f"30 09 {INT} 04 03 02 01 05",
        {"kind": known(1), "critical": False, "body": 5}),
    reads("a component between selector and value", Octets, f"30 0c {INT} 01 01 ff 04 03 02 01 05",
        {"kind": known(1), "critical": True, "body": 5}),
    reads("any octets for an unknown selector", Octets, f"30 08 {UNKNOWN} 04 02 30 80",
        {"kind": known(9), "critical": False, "body": b"\x30\x80"}),
    reads("no octets for an unknown selector", Octets, f"30 06 {UNKNOWN} 04 00",
        {"kind": known(9), "critical": False, "body": b""}),
    refuses("another type inside", Octets, f"30 08 {INT} 04 02 05 00", StructureError, "", 8),
    refuses("the type without its OCTET STRING", Octets, f"30 07 {INT} 02 01 05", StructureError,
        "", 6),
    refuses("a malformed value inside", Octets, f"30 0a {INT} 04 04 02 02 00 05", ContentsError,
        "8.3.2", 8, WITH_SCHEMA),
    refuses("an empty OCTET STRING", Octets, f"30 06 {INT} 04 00",
        (TruncatedError, StructureError), "", 8, WITH_SCHEMA),
    refuses("a value inside that is cut", Octets, f"30 08 {INT} 04 02 02 01", TruncatedError, "", 8,
        WITH_SCHEMA),
    refuses("octets after the value inside", Octets, f"30 0b {INT} 04 05 02 01 05 05 00",
        (TrailingDataError, StructureError), "", 11, WITH_SCHEMA),
    refuses("one octet after the value inside", Octets, f"30 0a {INT} 04 04 02 01 05 00",
        (TrailingDataError, StructureError), "", 11, WITH_SCHEMA),
    refuses("a fault inside, in the other spelling", OctetsToo, f"30 0a {INT} 04 04 02 02 00 05",
        ContentsError, "8.3.2", 8, WITH_SCHEMA),
    reads("a mismatch in an opaque table, left as octets", OctetsOpaque, f"30 08 {INT} 04 02 05 00",
        {"kind": known(1), "body": b"\x05\0"}),
    reads("no DER in an opaque table, left as octets", OctetsOpaque, f"30 08 {INT} 04 02 ff ff",
        {"kind": known(1), "body": b"\xff\xff"}),
    reads("a fit in an opaque table", OctetsOpaque, f"30 09 {INT} 04 03 02 01 05",
        {"kind": known(1), "body": 5}),
]

IN_BIT_STRING = [
    reads("an INTEGER", Bits, f"30 0a {INT} 03 04 00 02 01 05", {"kind": known(1), "body": 5}),
    reads("any bits for an unknown selector", Bits, f"30 08 {UNKNOWN} 03 02 04 a0",
        {"kind": known(9), "body": "1010"}),
    refuses("malformed bits for an unknown selector", Bits, f"30 08 {UNKNOWN} 03 02 04 a1",
        ContentsError, "11.2.1", 6),
    refuses("unused bits around a value", Bits, f"30 0a {INT} 03 04 01 02 01 04", DecodeError, "",
        (6, 8, 9), WITH_SCHEMA),
    refuses("another type inside", Bits, f"30 09 {INT} 03 03 00 05 00", StructureError, "", 9),
    refuses("a malformed value inside", Bits, f"30 0b {INT} 03 05 00 02 02 00 05", ContentsError,
        "8.3.2", 9, WITH_SCHEMA),
    refuses("no bits", Bits, f"30 07 {INT} 03 01 00", (TruncatedError, StructureError), "", 9,
        WITH_SCHEMA),
    refuses("no initial octet", Bits, f"30 06 {INT} 03 00", ContentsError, "8.6.2", 6),
    refuses("octets after the value inside", Bits, f"30 0c {INT} 03 06 00 02 01 05 05 00",
        (TrailingDataError, StructureError), "", 12, WITH_SCHEMA),
    reads("a mismatch in an opaque table, left as bits", BitsOpaque, f"30 09 {INT} 03 03 00 05 00",
        {"kind": known(1), "body": "0000010100000000"}),
    reads("unused bits in an opaque table, left as bits", BitsOpaque, f"30 08 {INT} 03 02 04 a0",
        {"kind": known(1), "body": "1010"}),
    refuses("malformed bits in an opaque table", BitsOpaque, f"30 08 {INT} 03 02 04 a1", ContentsError,
        "11.2.1", 6),
]

IN_SET_OF = [
    reads("two values", Attribute, f"30 0c {INT} 31 06 02 01 01 02 01 02",
        {"kind": known(1), "bodies": [1, 2]}),
    reads("no values", Attribute, f"30 06 {INT} 31 00", {"kind": known(1), "bodies": []}),
    reads("values of an unknown selector", Attribute, f"30 09 {UNKNOWN} 31 03 02 01 05",
        {"kind": known(9), "bodies": [b"\x02\x01\x05"]}),
    refuses("a second value of another type", Attribute, f"30 0b {INT} 31 05 02 01 01 05 00",
        StructureError, "", 11),
    refuses("descending values", Attribute, f"30 0c {INT} 31 06 02 01 02 02 01 01", OrderError,
        "11.6", 11),
    refuses("descending values of an unknown selector", Attribute,
        f"30 0c {UNKNOWN} 31 06 02 01 02 02 01 01", OrderError, "11.6", 11),
    reads("one mismatch among values of an opaque table", AttributeOpaque,
        f"30 0b {INT} 31 05 02 01 01 05 00", {"kind": known(1), "bodies": [1, b"\x05\0"]}),
    refuses("one mismatch that is not DER", AttributeOpaque, f"30 0c {INT} 31 06 02 01 01 05 01 00",
        ContentsError, "8.8.2", 11),
]

# Elements of one type one after another and inside one another, each with a selector of its own.
IN_RECORDS = [
    reads("records with other selectors than the one before", SequenceOf[Plain],
        f"30 1b 30 07 {INT} 02 01 05 30 07 {TEXT} 13 01 61 30 07 {UNKNOWN} 01 01 ff",
        [{"kind": known(1), "body": 5}, {"kind": known(4), "body": "a"},
            {"kind": known(9), "body": b"\x01\x01\xff"}]),
    refuses("a value of the type that the record before selects", SequenceOf[Plain],
        f"30 12 30 07 {INT} 02 01 05 30 07 {TEXT} 02 01 05", StructureError, "", 17),
    refuses("any type for a known selector after an unknown one", SequenceOf[Plain],
        f"30 12 30 07 {UNKNOWN} 01 01 ff 30 07 {INT} 01 01 ff", StructureError, "", 17),
    reads("a record inside one with another selector", SequenceOf[Nested],
        f"30 0f 30 0d {NESTED} 30 07 {INT} 02 01 05",
        [{"kind": known(6), "body": {"kind": known(1), "body": 5}}]),
    refuses("a record inside one with another selector, of another type", SequenceOf[Nested],
        f"30 0e 30 0c {NESTED} 30 06 {INT} 05 00", StructureError, "", 14),
]

DOTTED = [
    reads("a selector inside another component", Key, f"30 0c 30 04 {INT} 03 04 00 02 01 05",
        {"algorithm": {"algorithm": known(1), "parameters": None}, "key": 5}),
    reads("an unknown selector inside another component", Key, f"30 0a 30 04 {UNKNOWN} 03 02 04 a0",
        {"algorithm": {"algorithm": known(9), "parameters": None}, "key": "1010"}),
    reads("a selector followed by parameters", Key, f"30 0e 30 06 {INT} 05 00 03 04 00 02 01 05",
        {"algorithm": {"algorithm": known(1), "parameters": b"\x05\0"}, "key": 5}),
    refuses("another type than the selected one", Key, f"30 0b 30 04 {INT} 03 03 00 05 00",
        StructureError, "", 11),
]


@table([*PLAIN, *PLAIN_OPAQUE])
def test_open_type(row, place):
    row.check(place)


@table(IN_OCTET_STRING)
def test_open_type_in_an_octet_string(row, place):
    row.check(place)


@table(IN_BIT_STRING)
def test_open_type_in_a_bit_string(row, place):
    row.check(place)


@table(IN_SET_OF)
def test_open_types_in_a_set_of(row, place):
    row.check(place)


@table(IN_RECORDS)
def test_open_types_in_records(row, place):
    row.check(place)


@table(DOTTED)
def test_selector_with_a_path(row, place):
    row.check(place)


def test_an_unknown_open_type_reads_as_a_tree():
    view = Plain.decode(bytes.fromhex(f"300c {UNKNOWN} 3006020101020102"))
    assert isinstance(view.body, TLV)
    assert [child.value for child in view.body.children] == [1, 2]
    assert view.body.span.offset == 6
    assert view.body.children[1].span.offset == 11


def test_the_span_of_an_open_type_in_a_string_is_that_of_the_string():
    data = bytes.fromhex(f"300e {POINT} 0408 3006020101020102")
    view = Octets.decode(data)
    span = view.span("body")
    assert data[span.offset : span.end] == data[6:]
    assert bytes(view.raw("body")) == data[8:]
    assert view.body.span().offset == 8
    assert view.body.span("y").offset == 13


def test_the_path_of_an_error_leads_through_the_open_type():
    with pytest.raises(ContentsError) as caught:
        Octets.decode(bytes.fromhex(f"300f {POINT} 0409 300702010102020002"))
    assert caught.value.path == ("body", "y")
    with pytest.raises(StructureError) as caught:
        Attribute.decode(bytes.fromhex(f"300b {INT} 3105 0201010500"))
    assert caught.value.path == ("bodies", 1)


def test_a_type_may_be_registered_for_an_arc_of_any_size():
    table_ = OpenTypes("OF_LONG_ARCS")
    dotted = f"2.25.{2**128 - 1}"
    table_.register(dotted, int)

    class Holder(Sequence):
        kind: ObjectIdentifier
        body: Annotated[Any, DefinedBy("kind", table_)]

    oid = bytes.fromhex("061469 83") + b"\xff" * 17 + b"\x7f"
    view = Holder.decode(bytes([0x30, len(oid) + 3]) + oid + b"\x02\x01\x05")
    assert view.kind.dotted == dotted
    assert view.body == 5


def test_many_registered_types_are_told_apart():
    table_ = OpenTypes("OF_MANY")
    for arc in range(500):
        table_.register(f"1.3.{arc}", int if arc % 2 else bytes)

    class Holder(Sequence):
        kind: ObjectIdentifier
        body: Annotated[Any, DefinedBy("kind", table_)]

    for arc in range(500):
        kind = bytes([0x2B]) + (bytes([0x80 | arc >> 7, arc & 0x7F]) if arc > 127 else bytes([arc]))
        head = bytes([6, len(kind)]) + kind
        for body, fits in ((b"\x02\x01\x05", arc % 2), (b"\x04\x01\x05", not arc % 2)):
            data = bytes([0x30, len(head) + 3]) + head + body
            if fits:
                assert Holder.decode(data).body == (5 if arc % 2 else b"\x05")
            else:
                with pytest.raises(StructureError):
                    Holder.decode(data)


def test_mismatches_inside_an_open_type_that_fits_are_tolerated_each_at_its_place():
    mismatch = der("30", INT, "01 01 ff")
    data = mismatch
    for _ in range(3):
        data = der("30", NESTED, data)
    value = derlib.decode(SequenceOf[Nested], der("30", data, mismatch), tolerate=Deviation.OPEN_TYPE)
    assert [one.path for one in value.deviations] == [(0, "body", "body", "body", "body"), (1, "body")]
    assert bytes(value[0].body.body.body.body.der) == b"\x01\x01\xff"


class Tagged(Choice):
    number: Annotated[int, Implicit(0)]
    point: Annotated[Point, Implicit(1)]


TAGGED = OpenTypes("TAGGED", {"1.2.1": Annotated[int, Implicit(7)], "1.2.2": Tagged, "1.2.4": PrintableString})


class Listed(Sequence):
    kind: ObjectIdentifier
    bodies: SequenceOf[Annotated[Any, DefinedBy("kind", TAGGED)]]


class Single(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", TAGGED)]


@pytest.mark.parametrize(
    ("selector", "element", "kind"),
    [
        (INT, "88 01 05", "unexpected-tag"),
        (INT, "a7 03 02 01 05", "not-primitive"),
        (POINT, "82 01 05", "alternative"),
        (POINT, "a0 03 02 01 05", "not-primitive"),
        (POINT, "81 01 05", "not-constructed"),
        (TEXT, "0c 01 61", "unexpected-tag"),
    ],
)
def test_a_mismatch_in_a_list_is_recorded_as_the_fault_of_a_single_value(selector, element, kind):
    body = bytes.fromhex(element)
    listed = Listed.decode(der("30", selector, der("30", body, body)), tolerate=Deviation.OPEN_TYPE)
    single = Single.decode(der("30", selector, body), tolerate=Deviation.OPEN_TYPE)
    assert [(one.path, one.kind) for one in listed.deviations] == [(("bodies", 0), kind), (("bodies", 1), kind)]
    assert [one.kind for one in single.deviations] == [kind]
    assert [bytes(one.der) for one in listed.bodies] == [body, body]


def test_the_selector_of_an_alternative_in_a_list_stands_around_the_list():
    octets = bytes.fromhex(f"3013 {POINT} 300d 020105 0408 3006020101020102")
    assert Mixed.decode(octets).bodies[1] == Point(x=1, y=2)
    assert Mixed(kind=Mixed.decode(octets).kind, bodies=[5, Point(x=1, y=2)]).encode() == octets
    with pytest.raises(ContentsError) as caught:
        Mixed.decode(bytes.fromhex(f"3014 {POINT} 300e 020105 0409 300702010102020002"))
    assert caught.value.path == ("bodies", 1, "y")

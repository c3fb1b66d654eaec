"""Extension markers ("..."), X.680 25, 27, 29, 20: unknown additions are kept, and known ones are in their place."""

import pickle
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Addition,
    Choice,
    ConstraintError,
    ContentsError,
    Enumerated,
    Explicit,
    Field,
    IdentifierError,
    Implicit,
    OrderError,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    StructureError,
)

from .rows import WITH_SCHEMA, der, reads, refuses, table


class Open(Sequence, extensible=True):
    x: int
    y: Annotated[int, Implicit(0)] | None = None
    z: Annotated[str, Implicit(1), Addition()] | None = None


class OpenLong(Sequence, extensible=True):
    x: int
    y: Annotated[str, Implicit(31), Addition()] | None = None


# SEQUENCE { a INTEGER, ..., b OCTET STRING OPTIONAL, ..., c BOOLEAN OPTIONAL, d INTEGER }
class Middle(
    Sequence,
    fields=[
        Field("a", int),
        ...,
        Field("b", bytes, optional=True),
        ...,
        Field("c", bool, optional=True),
        Field("d", int),
    ],
):
    pass


# SEQUENCE { a INTEGER, ..., ..., b BOOLEAN, c INTEGER }: an unknown addition may have the tag of c, but not of b.
class Early(Sequence, fields=[Field("a", int), ..., ..., Field("b", bool), Field("c", int)]):
    pass


class OpenSet(Set, extensible=True):
    a: int
    b: Annotated[str, Implicit(1)]


class OpenChoice(Choice, extensible=True):
    number: int
    text: Annotated[str, Implicit(1)]


class Either(Choice):
    flag: bool
    text: Annotated[str, Implicit(1)]


class OpenEither(Sequence, extensible=True):
    either: Either | None = None


class Colour(Enumerated, extensible=True):
    red = 0
    green = 1


class Holder(Sequence):
    before: bool
    choice: OpenChoice
    colour: Annotated[Colour, Implicit(2)] = Colour.red


SEQUENCE = [
    reads("no addition", Open, "30 03 020101", {"x": 1, "y": None, "z": None}),
    reads("a known addition", Open, "30 06 020101 810161", {"x": 1, "y": None, "z": "a"}),
    reads("an unknown one", Open, "30 06 020101 820161", {"x": 1, "y": None, "z": None}),
    reads("an unknown one after a known one", Open, "30 0c 020101 800102 810161 8201ff",
        {"x": 1, "y": 2, "z": "a"}),
    reads("several unknown ones in any order of tags", Open, "30 0c 020101 830101 820101 830101",
        {"x": 1, "y": None, "z": None}),
    reads("an unknown one with the tag of a component that must be there", Open, "30 06 020101 020102",
        {"x": 1, "y": None, "z": None}),
    refuses("a known addition after an unknown one", Open, "30 09 020101 8201ff 810161", StructureError, "8.9.2", 8),
    refuses("an optional component twice", Open, "30 09 020101 800102 800102", StructureError, "8.9.2", 8),
    refuses("an optional component after an addition", Open, "30 09 020101 810161 800102", StructureError,
        "8.9.2", 8),
    refuses("an addition before a component that must be there", Open, "30 06 8201ff 020101", StructureError, "",
        2),
    refuses("a known addition in the other form", Open, "30 08 020101 a103 0c0161",
        (IdentifierError, StructureError), "10.2", 5),
    refuses("a known addition in the other form, after an unknown one", Open, "30 0b 020101 820101 a103 0c0161",
        StructureError, "8.9.2", 8),
    reads("an unknown addition with a long tag", OpenLong, "30 09 020101 820101 9f20 00", {"x": 1, "y": None}),
    refuses("a known addition with a long tag in the other form, after an unknown one", OpenLong,
        "30 0c 020101 820101 bf1f 03 0c0161", StructureError, "8.9.2", 8),
    refuses("an alternative twice, the second in the other form", OpenEither, "30 08 810161 a103 0c0161",
        StructureError, "8.9.2", 5),
    refuses("an alternative in the other form, after an addition", OpenEither, "30 08 820101 a103 0c0161",
        StructureError, "8.9.2", 5),
    reads("an addition after an alternative", OpenEither, "30 06 810161 820101", {"either": ("text", "a")}),
    refuses("a fault inside an unknown addition", Open, "30 09 020101 a204 0202 0001", ContentsError, "8.3.2", 7),
    refuses("an unknown addition that is not DER itself", Open, "30 06 020101 010101", ContentsError, "11.1", 5),
]

MIDDLE = [
    reads("nothing but the root", Middle, "30 06 020101 020102", {"a": 1, "b": None, "c": None, "d": 2}),
    reads("all of it", Middle, "30 0f 020101 040107 850100 0101ff 020105",
        {"a": 1, "b": b"\x07", "c": True, "d": 5}),
    reads("an unknown addition alone", Middle, "30 09 020101 850100 020105",
        {"a": 1, "b": None, "c": None, "d": 5}),
    refuses("an addition in the second part of the root", Middle, "30 0c 020101 0101ff 850100 020105",
        StructureError, "", 8),
    refuses("an addition at the end", Middle, "30 09 020101 020105 850100", StructureError, "8.9.2", 8),
    refuses("an addition with nothing of the second part", Middle, "30 06 020101 850100", StructureError, "8.9.2",
        8),
    reads("an addition with the tag of a later component", Early, "30 0c 020101 020109 0101ff 020105",
        {"a": 1, "b": True, "c": 5}),
]

SET = [
    reads("no addition", OpenSet, "31 06 020101 810161", {"a": 1, "b": "a"}),
    reads("unknown ones among the others", OpenSet, "31 0c 010100 020101 800102 810161", {"a": 1, "b": "a"}),
    refuses("one out of order", OpenSet, "31 09 020101 810161 800102", OrderError, "10.3", 8),
    refuses("one twice", OpenSet, "31 0c 020101 800102 800102 810161", StructureError, "8.11.2", 8),
    refuses("a member twice", OpenSet, "31 09 020101 020101 810161", StructureError, "8.11.2", 5),
    refuses("a member in the other form", OpenSet, "31 08 020101 a103 0c0161",
        (IdentifierError, StructureError), "10.2", 5),
    refuses("a fault in one", OpenSet, "31 09 010101 020101 810161", ContentsError, "11.1", 2),
    refuses("a member that is missing", OpenSet, "31 06 020101 800102", StructureError, "8.11.2", 8),
]

CHOICE = [
    reads("a known alternative", OpenChoice, "020105", ("number", 5)),
    reads("an unknown alternative", OpenChoice, "820105", (None, b"\x82\x01\x05")),
    refuses("a known alternative in the other form", OpenChoice, "a1030c0161", IdentifierError, "10.2", 0),
    refuses("the first alternative in the other form", OpenChoice, "2203020105", IdentifierError, "8.1.2.5", 0),
    refuses("a fault in an unknown alternative", OpenChoice, "a2 04 02020001", ContentsError, "8.3.2", 2),
    reads("in a SEQUENCE", Holder, "30 09 0101ff 850100 820107",
        {"before": True, "choice": (None, b"\x85\x01\x00"), "colour": 7}),
]

ENUMERATED = [
    reads("a known item", Colour, "0a0101", Colour.green),
    reads("an unknown item", Colour, "0a0107", Colour(7)),
    reads("a large unknown item", Colour, "0a09 010000000000000000", Colour(1 << 64)),
    refuses("an unknown item that is not minimal", Colour, "0a02 0007", ContentsError, "8.3.2", 0),
]


@table(SEQUENCE)
def test_additions_of_a_sequence(row, place):
    row.check(place)


@table(MIDDLE)
def test_a_marker_between_components(row, place):
    row.check(place)


@table(SET)
def test_additions_of_a_set(row, place):
    row.check(place)


@table(CHOICE)
def test_unknown_alternatives(row, place):
    row.check(place)


@table(ENUMERATED)
def test_unknown_items(row, place):
    row.check(place)


ADDED = [
    (Open, "300c 020101 800102 810161 8201ff"),
    (Open, "3009 020101 8301ff 8201ff"),
    (Middle, "300f 020101 040107 850100 0101ff 020105"),
    (OpenSet, "310c 010100 020101 800102 810161"),
    (Holder, "3009 0101ff 850100 820107"),
    (OpenChoice, "a203 020105"),
]


@pytest.mark.parametrize(("type_", "octets"), ADDED, ids=[f"{type_.__name__} {octets}" for type_, octets in ADDED])
def test_unknown_additions_survive_every_conversion(type_, octets):
    data = bytes.fromhex(octets)
    value = type_.decode(data)
    assert value.encode() == data
    assert type_.from_native(value.to_native()) == value
    assert type_.from_json(value.to_json()).encode() == data
    assert pickle.loads(pickle.dumps(value)).encode() == data
    assert "[2]" in repr(value) or "[5]" in repr(value) or "[0]" in repr(value) or "7" in repr(value)
    assert derlib.pretty(value)
    if not isinstance(value, Choice):
        assert value.replace().encode() == data
        first = derlib.fields(value)[0].name
        assert value.replace(**{first: getattr(value, first)}).encode() == data


def test_unknown_additions_are_tlvs_in_their_order_with_their_places():
    value = Open.decode(bytes.fromhex("300c 020101 810161 8301ff 8201ff"))
    assert [(element.tag.number, element.span.offset) for element in value.unknown_additions] == [(3, 8), (2, 11)]
    assert Open(x=1).unknown_additions == ()
    assert Early.decode(bytes.fromhex("300c 020101 020109 0101ff 020105")).unknown_additions[0].value == 9


def test_replace_changes_what_is_known_and_keeps_the_rest():
    value = Open.decode(bytes.fromhex("3009 020101 8301ff 8201ff"))
    assert value.replace(z="q").encode().hex() == "300c" "020101" "810171" "8301ff" "8201ff"
    assert value.replace(**{"$additions": None}).encode().hex() == "3003020101"


def test_an_unknown_alternative_has_no_name():
    value = OpenChoice.decode(bytes.fromhex("820105"))
    assert value.alternative is None
    assert bytes(value.value.content) == b"\x05"
    assert not hasattr(value, "number")
    match value:
        case OpenChoice(number=_) | OpenChoice(text=_):
            pytest.fail("no alternative is known")
        case OpenChoice(alternative=None, value=element):
            assert element.tag.number == 2


def test_unknown_additions_in_a_long_list():
    plain, added = bytes.fromhex("3003020101"), bytes.fromhex("30060201018201ff")
    data = der("30", *[plain, added, added] * 20)
    values = derlib.decode(SequenceOf[Open], data)
    assert values.encode() == data
    assert [len(value.unknown_additions) for value in values] == [0, 1, 1] * 20
    bad = bytearray(data)
    bad[-3] = 0x80 | 0x1F
    with pytest.raises(derlib.ASN1Error):
        derlib.decode(SequenceOf[Open], bytes(bad))


@pytest.mark.parametrize(
    ("type_", "native", "problem"),
    [
        (Open, {"x": 1, "$additions": [b"\x80\x01\x01"]}, "is not an unknown addition"),
        (Open, {"x": 1, "$additions": [b"\xa1\x00"]}, "is not an unknown addition"),
        (Open, {"x": 1, "$additions": [b"\x82\x01"]}, "contents octet"),
        (Open, {"x": 1, "$additions": b"\x82\x01\x01"}, "expected a list of unknown additions for Open, got bytes"),
        (Middle, {"a": 1, "d": 1, "$additions": [b"\x01\x01\xff"]}, "is not an unknown addition"),
        (OpenSet, {"a": 1, "b": "q", "$additions": [b"\x02\x01\x01"]}, "is not an unknown addition"),
        (OpenChoice, {"$opaque": b"\x02\x01\x01"}, "is not an unknown addition"),
        (OpenChoice, {"other": 1}, "no alternative"),
    ],
)
def test_known_additions_cannot_be_given_as_unknown(type_, native, problem):
    with pytest.raises(ConstraintError, match=problem):
        type_.from_native(native)


def test_a_type_without_a_marker_takes_no_additions():
    class Closed(Sequence):
        x: int

    with pytest.raises(ConstraintError, match="not extensible"):
        Closed(x=1, **{"$additions": [b"\x82\x00"]})
    assert Closed(x=1).unknown_additions == ()


def test_a_derived_class_is_extensible_as_its_base_is():
    class Derived(Open):
        more: Annotated[bool, Implicit(5), Addition()] = False

    value = Derived.decode(bytes.fromhex("3009 020101 8501ff 8601ff"))
    assert (value.more, len(value.unknown_additions)) == (True, 1)


def test_schemas_that_cannot_tell_an_addition():
    with pytest.raises(SchemaError, match="no extension marker"):

        class NoMarker(Sequence):
            x: Annotated[int, Addition()] | None = None

    with pytest.raises(SchemaError, match="older version"):

        class Needed(Sequence, extensible=True):
            x: Annotated[int, Addition()]

    with pytest.raises(SchemaError, match="can have any tag"):

        class Anything(Sequence, extensible=True):
            x: int
            y: Any | None = None

    with pytest.raises(SchemaError, match="the field 'y' can have any tag, so no element could be an unknown addition"):

        class Behind(Sequence, fields=[Field("x", int), ..., ..., Field("y", Any)]):
            pass

    with pytest.raises(SchemaError, match="can have any tag"):

        class Untagged(Choice):
            inner: OpenChoice
            flag: bool

    with pytest.raises(SchemaError, match="two extension markers"):

        class Thrice(Sequence, fields=[..., ..., ...]):
            pass

    class Tagged(Choice):
        inner: Annotated[OpenChoice, Explicit(9)]
        flag: bool

    assert Tagged.decode(bytes.fromhex("a903850100")).inner.alternative is None


# X.680 52.7: an extensible CHOICE without a tag beside components that may be there instead. What a later version adds
# to it has none of their tags, so an element with one of these is never an unknown alternative.
class Between(Sequence):
    a: Annotated[int, Implicit(0)] | None = None
    b: OpenChoice | None = None
    c: Annotated[int, Implicit(1000)] | None = None
    d: bool


class Behind(Sequence):
    a: Annotated[int, Implicit(0)] | None = None
    b: OpenChoice
    c: Annotated[int, Implicit(9)] | None = None


class WithDefault(Sequence):
    b: OpenChoice = OpenChoice(number=1)
    c: Annotated[int, Implicit(9)] = 7


class AmongMembers(Set):
    b: OpenChoice
    a: Annotated[int, Implicit(0)] | None = None
    d: bool


TLV_9 = b"\x89\x01\x07"
BESIDE = [
    reads("all absent", Between, "30 03 0101ff", {"a": None, "b": None, "c": None, "d": True}),
    reads("an unknown alternative alone", Between, "30 06 890107 0101ff",
        {"a": None, "b": (None, TLV_9), "c": None, "d": True}),
    reads("an unknown alternative of another class", Between, "30 06 490107 0101ff",
        {"a": None, "b": (None, b"\x49\x01\x07"), "c": None, "d": True}),
    reads("a known alternative", Between, "30 06 020105 0101ff", {"a": None, "b": ("number", 5), "c": None, "d": True}),
    reads("the component before it", Between, "30 06 800105 0101ff", {"a": 5, "b": None, "c": None, "d": True}),
    reads("the component after it", Between, "30 08 9f87680105 0101ff", {"a": None, "b": None, "c": 5, "d": True}),
    reads("all of them", Between, "30 0e 800101 890107 9f87680103 0101ff",
        {"a": 1, "b": (None, TLV_9), "c": 3, "d": True}),
    refuses("the component before it twice", Between, "30 09 800101 800102 0101ff", StructureError, "", 5),
    refuses("the component before it after it", Between, "30 09 890107 800102 0101ff", StructureError, "", 5),
    refuses("the component after it before it", Between, "30 0b 9f87680105 890107 0101ff", StructureError, "", 7),
    refuses("two unknown alternatives", Between, "30 09 890107 890107 0101ff", StructureError, "", 5),
    refuses("the component before it in the other form", Between, "30 08 a003020105 0101ff", IdentifierError,
        "8.1.2.5", 2,
        WITH_SCHEMA),
    refuses("the component after it in the other form", Between, "30 0a bf876803020105 0101ff", IdentifierError,
        "8.1.2.5", 2, WITH_SCHEMA),
    refuses("a known alternative in the other form", Between, "30 08 a1030c0161 0101ff", IdentifierError, "10.2", 2,
        WITH_SCHEMA),
    refuses("a fault in an unknown alternative", Between, "30 09 a904 02020001 0101ff", ContentsError, "8.3.2", 4),
    reads("one that must be there, unknown", Behind, "30 03 890107", {"a": None, "b": (None, TLV_9), "c": None}),
    reads("the tag of the component after one that must be there", Behind, "30 06 890107 890108",
        {"a": None, "b": (None, TLV_9), "c": 8}),
    refuses("the tag of the component before one that must be there", Behind, "30 06 800101 800102", StructureError, "",
        5),
    refuses("no alternative where one must be", Behind, "30 03 800101", StructureError, "8.9.2", 5),
    reads("DEFAULTs left out", WithDefault, "3000", {"b": ("number", 1), "c": 7}),
    reads("the component after a DEFAULT", WithDefault, "3003 890108", {"b": ("number", 1), "c": 8}),
    reads("an unknown alternative in place of a DEFAULT", WithDefault, "3003 8a0108",
        {"b": (None, b"\x8a\x01\x08"), "c": 7}),
    reads("unknown among members", AmongMembers, "31 09 0101ff 800105 890107", {"b": (None, TLV_9), "a": 5, "d": True}),
    reads("known among members", AmongMembers, "31 06 0101ff 020107", {"b": ("number", 7), "a": None, "d": True}),
    refuses("members without it", AmongMembers, "31 06 0101ff 800105", StructureError, "8.11.2", 8),
    refuses("a member twice beside it", AmongMembers, "31 09 0101ff 800105 800106", StructureError, "8.11.2", 8),
    refuses("two unknown alternatives among members", AmongMembers, "31 09 0101ff 890107 8a0107", StructureError,
        "8.11.2", 8),
    refuses("a member in the other form beside it", AmongMembers, "31 08 0101ff a003020105", IdentifierError,
        "8.1.2.5", 5,
        WITH_SCHEMA),
]


@table(BESIDE)
def test_unknown_alternatives_beside_components_that_may_be_absent(row, place):
    row.check(place)


def test_an_unknown_alternative_with_the_tag_of_a_component_beside_it_is_not_written():
    for octets in ("800105", "a000", "9f87680105", "010100"):
        data = bytes.fromhex(octets)
        alone = OpenChoice.decode(data)
        assert alone.alternative is None
        for value in (alone, {"$opaque": data}):
            with pytest.raises(ConstraintError):
                Between(b=value, d=True)
            with pytest.raises(ConstraintError):
                Between(d=True).replace(b=value)
            with pytest.raises(ConstraintError):
                derlib.encode({"b": value, "d": True}, Between)
    unknown = OpenChoice.decode(TLV_9)
    value = Between(a=1, b=unknown, d=True)
    assert value.encode().hex() == "30098001018901070101ff"
    assert value.b == unknown
    assert value.b.alternative is None
    assert value.b.value.encode() == TLV_9
    assert Between.from_native(value.to_native()) == value == Between.from_json(value.to_json())
    assert value.replace(a=None).b == unknown
    # The plan of the field is not that of the class, whose alternatives may have these tags.
    assert derlib.decode(SequenceOf[OpenChoice], bytes.fromhex("3003800105"))[0].alternative is None

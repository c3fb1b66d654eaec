"""CHOICE: X.690 8.13, and access to its value."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    Choice,
    ContentsError,
    Explicit,
    GeneralizedTime,
    IA5String,
    IdentifierError,
    Implicit,
    Null,
    OneOf,
    Range,
    Sequence,
    SequenceOf,
    Set,
    StructureError,
    UTCTime,
)

from .rows import der, reads, refuses, table


class Point(Sequence):
    x: int
    y: int


class Inner(Choice):
    text: Annotated[IA5String, Implicit(7)]
    flag: bool


class Shape(Choice):
    number: int
    nothing: Null
    point: Point
    points: Annotated[SequenceOf[Point], Implicit(1)]
    wrapped: Annotated[int, Explicit(2)]
    inner: Inner
    tagged_inner: Annotated[Inner, Explicit(3)]


class Tagged(Choice, tag=Explicit(4)):
    number: int
    flag: bool


class Optional(Sequence):
    shape: Shape | None = None
    last: bytes | None = None


Time = UTCTime | GeneralizedTime

ARMS = [
    reads("the first alternative", Shape, "02 01 05", ("number", 5)),
    reads("NULL as an alternative", Shape, "05 00", ("nothing", derlib.NULL)),
    reads("a SEQUENCE as an alternative", Shape, "30 06 02 01 01 02 01 02",
        ("point", {"x": 1, "y": 2})),
    reads("an implicitly tagged list", Shape, "a1 00", ("points", [])),
    reads("an explicitly tagged alternative", Shape, "a2 03 02 01 05", ("wrapped", 5)),
    reads("an alternative of an untagged CHOICE inside", Shape, "87 01 61",
        ("inner", ("text", "a"))),
    reads("another alternative of it", Shape, "01 01 ff", ("inner", ("flag", True))),
    reads("a CHOICE under its tag", Shape, "a3 03 01 01 ff", ("tagged_inner", ("flag", True))),
    refuses("a tag of no alternative", Shape, "04 01 aa", StructureError, "8.13", 0),
    refuses("a context tag of no alternative", Shape, "88 01 61", StructureError, "8.13", 0),
    refuses("the same number in another class", Shape, "47 01 61", StructureError, "8.13", 0),
    refuses("a string in constructed form", Shape, "a7 03 16 01 61", IdentifierError, "10.2", 0),
    refuses("a number in constructed form", Shape, "22 03 02 01 05", IdentifierError, "8.1.2.5", 0),
    refuses("a list in primitive form", Shape, "81 00", IdentifierError, "8.1.2.5", 0),
    refuses("a SEQUENCE in primitive form", Shape, "10 00", IdentifierError, "8.1.2.5", 0),
    refuses("an explicit tag in primitive form", Shape, "82 03 02 01 05", IdentifierError, "8.1.2.5", 0),
    refuses("the tag of a CHOICE in primitive form", Shape, "83 03 01 01 ff", IdentifierError, "8.1.2.5", 0),
    refuses("a fault in an alternative", Shape, "02 02 00 05", ContentsError, "8.3.2", 0),
    refuses("a fault under an explicit tag", Shape, "a2 04 02 02 00 05", ContentsError, "8.3.2",
        2),
    refuses("a fault in a component of an alternative", Shape, "30 07 02 01 01 02 02 00 05",
        ContentsError, "8.3.2", 5),
    refuses("no alternative under the tag of a CHOICE", Shape, "a3 02 05 00", StructureError,
        "8.13", 2),
    reads("a tagged CHOICE type", Tagged, "a4 03 02 01 05", ("number", 5)),
    refuses("a tagged CHOICE type without its tag", Tagged, "02 01 05", StructureError, "", 0),
]

IN_SEQUENCE = [
    reads("an absent CHOICE", Optional, "30 02 04 00", {"shape": None, "last": b""}),
    reads("a present CHOICE", Optional, "30 05 87 01 61 04 00",
        {"shape": ("inner", ("text", "a")), "last": b""}),
    refuses("two alternatives", Optional, "30 05 05 00 02 01 05", StructureError, "", 4),
    refuses("the CHOICE after the last", Optional, "30 05 04 00 02 01 05", StructureError, "", 4),
]


@table(ARMS)
def test_alternatives(row, place):
    row.check(place)


@table(IN_SEQUENCE)
def test_choice_as_an_optional_component(row, place):
    row.check(place)


@table(
    [
        refuses("a tag of neither time", Time, "1a 01 31", StructureError, "8.13", 0),
        refuses("a fault in the first", Time, der("17", b"240230000000Z"), ContentsError,
            "11.8|47", 0),
        refuses("a fault in the second", Time, der("18", b"20240230000000Z"), ContentsError,
            "11.7|46", 0),
    ]
)
def test_a_union_is_a_choice_that_reads_as_its_value(row, place):
    row.check(place)


def test_an_alternative_has_its_name_its_value_and_an_attribute():
    shape = Shape.decode(b"\x02\x01\x05")
    assert shape.alternative == "number"
    assert shape.value == 5
    assert shape.number == 5
    for other in ("nothing", "point", "inner"):
        with pytest.raises(AttributeError):
            getattr(shape, other)
    assert not hasattr(shape, "no_such_alternative")
    with pytest.raises(AttributeError, match=r"Shape\.number cannot be set: values are immutable"):
        shape.number = 6


def test_match_selects_an_alternative():
    def describe(shape: Shape) -> str:
        match shape:
            case Shape(number=n):
                return f"number {n}"
            case Shape(point=Point(x=x, y=y)):
                return f"point {x}, {y}"
            case Shape(inner=Inner(text=text)):
                return f"text {text}"
            case _:
                return "other"

    assert describe(Shape.decode(bytes.fromhex("020105"))) == "number 5"
    assert describe(Shape.decode(bytes.fromhex("3006020101020102"))) == "point 1, 2"
    assert describe(Shape.decode(bytes.fromhex("870161"))) == "text a"
    assert describe(Shape.decode(bytes.fromhex("0101ff"))) == "other"


def test_the_chosen_alternative_is_named_in_the_path_of_an_error():
    with pytest.raises(ContentsError) as caught:
        Shape.decode(bytes.fromhex("300702010102020005"))
    assert caught.value.path == ("point", "y")
    with pytest.raises(ContentsError) as caught:
        Optional.decode(bytes.fromhex("3004") + bytes.fromhex("02020005"))
    assert caught.value.path == ("shape", "number")


def test_only_the_chosen_alternative_has_a_span():
    shape = Shape.decode(bytes.fromhex("3006020101020102"))
    assert shape.span("point").offset == 0
    assert bytes(shape.raw("point", "y")) == b"\x02"
    for path in (("number",), ("inner",), ("inner", "text"), ("points", 0)):
        assert shape.span(*path) is None
        assert shape.raw(*path) is None
    optional = Optional.decode(bytes.fromhex("3005 870161 0400"))
    assert optional.span("shape", "inner", "text").offset == 2
    assert optional.span("shape", "inner", "flag") is None
    for path in (("flags",), ("flags", "x"), (0,)):
        with pytest.raises(KeyError, match="is not an alternative of Shape; it has number, nothing, point"):
            optional.span("shape", *path)
    with pytest.raises(KeyError, match="'x' is not an alternative of Inner; it has text, flag"):
        optional.span("shape", "inner", "x")


class Moment(Choice):
    utc: UTCTime
    general: GeneralizedTime


def test_an_unrepresentable_alternative_is_shown_as_its_contents():
    moment = Moment.decode(der("18", b"00000101000000Z"))
    assert repr(moment) == "Moment(general=<b'00000101000000Z'>)"


class Bounded(Choice):
    number: Annotated[int, Range(0, 5)]
    text: Annotated[IA5String, Implicit(7)]


class Around(Choice):
    bounded: Annotated[Bounded, OneOf(Bounded(number=1), Bounded(text="a"))]
    plain: Annotated[Bounded, Explicit(1)]


class Outermost(Choice):
    around: Around
    flag: bool


@pytest.mark.parametrize(
    ("octets", "path", "kind"),
    [
        # The alternative itself, its rule, and a CHOICE without a rule of its own: each step is in the path once.
        ("02 01 06", ("around", "bounded", "number"), "range"),
        ("02 01 02", ("around", "bounded"), "single-value"),
        ("87 01 ff", ("around", "bounded", "text"), "ia5"),
        ("a1 03 02 01 06", ("around", "plain", "number"), "range"),
        ("a1 02 05 00", ("around", "plain"), "alternative"),
        ("05 00", (), "alternative"),
    ],
)
def test_the_path_through_choices_in_choices(octets, path, kind):
    with pytest.raises(derlib.DecodeError) as caught:
        Outermost.decode(bytes.fromhex(octets))
    assert (caught.value.path, caught.value.kind) == (path, kind)


class Forms(Choice):
    text: Annotated[bytes, Implicit(0)]
    number: Annotated[int, Explicit(1)]
    far: Annotated[bytes, Implicit(1000)]
    inner: Inner


class Growing(Choice, extensible=True):
    text: Annotated[bytes, Implicit(0)]


class FormsSequence(Sequence):
    before: Null | None = None
    value: Forms | None = None
    after: Annotated[int, Implicit(9)] | None = None


class FormsFirst(Sequence):
    value: Forms
    after: Annotated[int, Implicit(9)] | None = None


class FormsSet(Set):
    before: Null
    value: Forms
    after: Annotated[int, Implicit(9)] | None = None


WRONG_FORMS = [
    ("a0 03 04 01 12", "text", "string-constructed"),
    ("a0 03 02 01 12", "text", "string-constructed"),
    ("a0 00", "text", "string-constructed"),
    ("81 03 02 01 05", "number", "not-constructed"),
    ("bf 87 68 03 04 01 12", "far", "string-constructed"),
    ("a7 03 16 01 61", "inner", "string-constructed"),
    ("21 03 01 01 ff", "inner", "not-primitive"),
]
FORM_PLACES = [
    # The type, the octets around the element, the path to it.
    (Forms, "{}", ()),
    (Annotated[Forms, Explicit(3)], "a3 {}", ()),
    (SequenceOf[Forms], "30 {}", (0,)),
    (FormsSequence, "30 {}", ("value",)),
    (FormsSequence, "30 0500 {}", ("value",)),
    (FormsFirst, "30 {}", ("value",)),
    (FormsSet, "31 0500 {}", ("value",)),
    (Forms | int, "{}", ()),
]


@pytest.mark.parametrize(("type_", "around", "path"), FORM_PLACES)
@pytest.mark.parametrize(("text", "arm", "kind"), WRONG_FORMS)
def test_an_alternative_in_the_wrong_form_is_in_the_message(text, arm, kind, type_, around, path):
    data = bytes.fromhex(text)
    start, *parts = around.split()
    if around != "{}":
        data = der(start, *(data if part == "{}" else part for part in parts))
    with pytest.raises(IdentifierError) as caught:
        derlib.decode(type_, data)
    last = ("text" if kind == "string-constructed" else "flag",) if arm == "inner" else ()
    assert caught.value.kind == kind
    assert caught.value.path == (*path, arm, *last)
    assert caught.value.offset == len(data) - len(bytes.fromhex(text))


class Fields(Sequence):
    text: Annotated[bytes, Implicit(0)] | None = None
    number: Annotated[int, Explicit(1)] | None = None
    items: Annotated[SequenceOf[int], Implicit(2)] | None = None
    flag: bool = False


class Members(Set):
    text: Annotated[bytes, Implicit(0)] | None = None
    number: Annotated[int, Explicit(1)] | None = None
    items: Annotated[SequenceOf[int], Implicit(2)] | None = None
    flag: bool = False


@pytest.mark.parametrize("type_", [Fields, Members])
@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("a0 03 04 01 12", "text", "string-constructed"),
        ("81 03 02 01 05", "number", "not-constructed"),
        ("82 00", "items", "not-constructed"),
        ("21 03 01 01 ff", "flag", "not-primitive"),
    ],
)
def test_an_optional_component_in_the_wrong_form_is_not_reported_as_extra(type_, text, name, kind):
    with pytest.raises(IdentifierError) as caught:
        type_.decode(der("30" if type_ is Fields else "31", text))
    assert (caught.value.kind, caught.value.path, caught.value.offset) == (kind, (name,), 2)


def test_a_known_alternative_in_the_wrong_form_is_not_an_unknown_one():
    with pytest.raises(IdentifierError) as caught:
        Growing.decode(bytes.fromhex("a0 03 04 01 12"))
    assert (caught.value.kind, caught.value.path) == ("string-constructed", ("text",))
    assert Growing.decode(bytes.fromhex("81 01 12")).alternative is None


@pytest.mark.parametrize(
    ("type_", "text", "says"),
    [
        (Annotated[int, Explicit(0)], "8003020105",
            "the explicit tag [0] around INTEGER must have the constructed form"),
        (Annotated[int, Explicit(0, "application")], "4003020105", "the explicit tag [APPLICATION 0] around INTEGER"),
        (Tagged, "8403020105", "the explicit tag [4] around Tagged must have the constructed form"),
        (Annotated[Annotated[int, Explicit(0)], Explicit(1)], "a105 8003020105", "the explicit tag [0] around INTEGER"),
        (Annotated[int, Implicit(0)], "a003020105", "[0] INTEGER must have the primitive form"),
        (Annotated[bytes, Implicit(0)], "a003040105", "[0] OCTET STRING has the constructed form"),
        (Annotated[SequenceOf[int], Implicit(0)], "8000", "[0] SequenceOf[int] must have the constructed form"),
        (int, "2203020105", ": INTEGER must have the primitive form"),
    ],
)
def test_the_message_names_what_has_the_wrong_form(type_, text, says):
    with pytest.raises(IdentifierError) as caught:
        derlib.decode(type_, bytes.fromhex(text))
    assert says in str(caught.value)


class Many(Choice):
    a: Annotated[int, Implicit(0)]
    b: Annotated[int, Implicit(1)]
    c: Annotated[int, Implicit(2)]
    d: Annotated[int, Implicit(3)]
    e: Annotated[int, Implicit(4)]
    f: Annotated[int, Implicit(5)]
    g: Annotated[int, Implicit(6)]
    inner: Inner
    h: Annotated[int, Implicit(8)]
    i: Annotated[int, Implicit(9)]


@pytest.mark.parametrize(("type_", "alternatives"), [
    (Inner, "text [7], flag BOOLEAN"),
    (Many, "a [0], b [1], c [2], d [3], e [4], f [5], g [6], inner Inner, and 2 more"),
    (Time, "UTCTime, GeneralizedTime"),
])
def test_a_wrong_alternative_lists_those_of_the_choice(type_, alternatives):
    with pytest.raises(StructureError) as caught:
        derlib.decode(type_, bytes.fromhex("8a00"))
    assert caught.value.detail.endswith(f"; it has {alternatives}")

"""Permitted alphabets, single values, unions and other constraints, X.680 50 and 51; contents constraints, X.682 11."""

from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Absent,
    Alphabet,
    BitString,
    BMPString,
    Choice,
    ConstraintError,
    ConstraintViolation,
    Containing,
    ContentsError,
    Deviation,
    Enumerated,
    Explicit,
    IA5String,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OneOf,
    Present,
    PrintableString,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    StructureError,
    TeletexString,
    TrailingDataError,
    UniversalString,
    UTCTime,
    UTF8String,
    WithComponent,
    WithComponents,
)

from .rows import der, reads, refuses, table

Plate = Annotated[IA5String, Alphabet("A-Z0-9 -")]
French = Annotated[UTF8String, Alphabet("a-zéœ\U0001f600")]
Delete = Annotated[UTF8String, Alphabet("a\x7fé")]
Wide = Annotated[BMPString, Alphabet("aœ")]
Widest = Annotated[UniversalString, Alphabet("a\U0001f600")]
Latin = Annotated[TeletexString, Alphabet("aé")]

ALPHABET = [
    reads("characters of the alphabet", Plate, der("16", b"AB-1 9"), "AB-1 9"),
    reads("no character", Plate, "1600", ""),
    refuses("another one", Plate, der("16", b"ABc"), ConstraintViolation, "51.7"),
    refuses("the one before a run", Plate, der("16", b"@"), ConstraintViolation, "51.7"),
    refuses("the one after a run", Plate, der("16", b"["), ConstraintViolation, "51.7"),
    reads("characters of several octets", French, der("0c", "éœ\U0001f600z".encode()), "éœ\U0001f600z"),
    refuses("another one of two octets", French, der("0c", "è".encode()), ConstraintViolation, "51.7"),
    refuses("another one of four octets", French, der("0c", "\U0001f601".encode()), ConstraintViolation, "51.7"),
    reads("U+007F after a character of two octets", Annotated[UTF8String, Alphabet("\x7f\xe4")], "0c03c3a47f",
          "\xe4\x7f"),
    refuses("octets that are not a character", French, "0c01c3", ContentsError, "8.23.10"),
    reads("a last character of two octets", French, der("0c", "zé".encode()), "zé"),
    reads("a last character of four octets", French, der("0c", "z\U0001f600".encode()), "z\U0001f600"),
    reads("the last character of one octet", Delete, der("0c", b"\x7f"), "\x7f"),
    reads("the same before one of two octets", Delete, der("0c", "\x7fé".encode()), "\x7fé"),
    reads("characters of two octets", Wide, der("1e", "aœ".encode("utf-16-be")), "aœ"),
    refuses("another one in a BMPString", Wide, der("1e", "ab".encode("utf-16-be")), ConstraintViolation, "51.7"),
    refuses("one between its characters", Wide, "1e020100", ConstraintViolation, "51.7"),
    reads("characters of four octets", Widest, der("1c", "a\U0001f600".encode("utf-32-be")), "a\U0001f600"),
    refuses("another one in a UniversalString", Widest, der("1c", "b".encode("utf-32-be")), ConstraintViolation,
        "51.7"),
    reads("characters of Latin-1", Latin, der("14", b"\xe9a"), "éa"),
    refuses("another one of Latin-1", Latin, der("14", b"\xe8"), ConstraintViolation, "51.7"),
    refuses("a character outside the alphabet of the type itself", Annotated[PrintableString, Alphabet("a*")],
        der("13", b"*"), ContentsError, "41.4"),
]


class Colour(Enumerated):
    red = 0
    green = 1
    blue = 2


class Rights(NamedBits):
    read = 1 << 0
    write = 1 << 1


class Point(Sequence):
    x: int
    y: int = 0
    label: str | None = None


class Where(Choice):
    number: int
    text: Annotated[str, Implicit(1)]


OneFive = Annotated[int, OneOf(1, 5, 300)]
VALUES = [
    reads("one of the values", OneFive, "020105", 5),
    reads("one of several octets", OneFive, "0202012c", 300),
    refuses("another value", OneFive, "020106", ConstraintViolation, "51.2"),
    refuses("a value that is not minimal", OneFive, "02020005", ContentsError, "8.3.2"),
    reads("TRUE", Annotated[bool, OneOf(True)], "0101ff", True),
    refuses("FALSE", Annotated[bool, OneOf(True)], "010100", ConstraintViolation, "51.2"),
    reads("a text", Annotated[str, OneOf("de", "fr")], "0c026672", "fr"),
    refuses("another text", Annotated[str, OneOf("de", "fr")], "0c026571", ConstraintViolation, "51.2"),
    reads("octets", Annotated[bytes, OneOf(b"", b"ab")], "0400", b""),
    refuses("other octets", Annotated[bytes, OneOf(b"", b"ab")], "040161", ConstraintViolation, "51.2"),
    reads("an identifier", Annotated[ObjectIdentifier, OneOf("1.2.3")], "06022a03", ObjectIdentifier("1.2.3")),
    refuses("another identifier", Annotated[ObjectIdentifier, OneOf("1.2.3")], "06022a04", ConstraintViolation,
        "51.2"),
    reads("an item", Annotated[Colour, OneOf(Colour.red, "blue")], "0a0102", Colour.blue),
    refuses("another item", Annotated[Colour, OneOf(Colour.red, "blue")], "0a0101", ConstraintViolation, "51.2"),
    refuses("other bits", Annotated[Rights, OneOf(Rights.read)], "030206c0", ConstraintViolation, "51.2"),
    reads("a SEQUENCE", Annotated[Point, OneOf(Point(x=1))], "3003020101", {"x": 1, "y": 0, "label": None}),
    refuses("another SEQUENCE", Annotated[Point, OneOf(Point(x=1))], "3003020102", ConstraintViolation, "51.2"),
    reads("an alternative", Annotated[Where, OneOf({"number": 1})], "020101", ("number", 1)),
    refuses("the same contents in another alternative", Annotated[Where, OneOf({"number": 65})], "810141",
        ConstraintViolation, "51.2"),
    refuses("another list", Annotated[SequenceOf[int], OneOf([1, 2])], "3003020101", ConstraintViolation, "51.2"),
    refuses("another time", Annotated[UTCTime | str, OneOf("a", "b")], "0c0163", ConstraintViolation, "51.2"),
    reads("under a tag", Annotated[int, OneOf(5), Implicit(3)], "830105", 5),
    refuses("another one under a tag", Annotated[int, OneOf(5), Explicit(3)], "a303020106", ConstraintViolation,
        "51.2", 2),
    reads("a value of a type that has its tag", Annotated[int, Explicit(3), OneOf(5, 300)], "a3040202012c", 300),
    refuses("another one of a type that has its tag", Annotated[int, Explicit(3), OneOf(5)], "a303020106",
        ConstraintViolation, "51.2", 2),
]

Gap = Annotated[int, Range(0, 5) | Range(10, 15)]
Hole = Annotated[int, Range(0, None) - Range(5, 9)]
Label = Annotated[PrintableString, Size(1, 4) & Alphabet("AB")]
Parts = Annotated[int, (Range(0, 9) & ~OneOf(5)) | OneOf(20)]
Either = Annotated[IA5String, Size(2) | Alphabet("x")]
SETS = [
    reads("in the first range", Gap, "020105", 5),
    reads("in the second range", Gap, "02010a", 10),
    refuses("between them", Gap, "020106", ConstraintViolation, "50"),
    refuses("beyond them", Gap, "0201ff", ConstraintViolation, "50"),
    refuses("excluded", Hole, "020105", ConstraintViolation, "50"),
    refuses("outside what something is excluded from", Hole, "0201ff", ConstraintViolation, "51.4"),
    reads("beside what is excluded", Hole, "02010a", 10),
    refuses("the complement", Annotated[int, ~OneOf(3)], "020103", ConstraintViolation, "50"),
    reads("not the complement", Annotated[int, ~OneOf(3)], "020104", 4),
    reads("both size and alphabet", Label, der("13", b"ABBA"), "ABBA"),
    refuses("the alphabet alone", Label, der("13", b"ABABA"), ConstraintViolation, "51.5"),
    refuses("the size alone", Label, der("13", b"ABC"), ConstraintViolation, "51.7"),
    reads("one of size and alphabet", Either, der("16", b"ab"), "ab"),
    reads("the other one", Either, der("16", b"xxx"), "xxx"),
    refuses("neither", Either, der("16", b"abc"), ConstraintViolation, "50"),
    refuses("an empty list of two sizes", Annotated[SetOf[int], Size(1) | Size(3)], "3100", ConstraintViolation,
        "51.5"),
    refuses("a list of a size between two", Annotated[SetOf[int], Size(1) | Size(3)], "3106 020101 020102",
        ConstraintViolation, "50"),
    reads("in an intersection that is part of a union", Parts, "020104", 4),
    reads("in the other part", Parts, "020114", 20),
    refuses("in the left side of the intersection alone", Parts, "020105", ConstraintViolation, "50"),
    refuses("in its right side alone", Parts, "02010f", ConstraintViolation, "50"),
    reads("constraints one upon the other", Annotated[Gap, Range(4, 12)], "02010b", 11),
    refuses("the outer one", Annotated[Gap, Range(4, 12)], "02010d", ConstraintViolation, "51.4"),
    refuses("the inner one", Annotated[Gap, Range(4, 12)], "020107", ConstraintViolation, "50"),
]

Inner = Annotated[Point, WithComponents(x=Range(0, 9), y=Range(0, 3), label=Absent)]
Labelled = Annotated[Point, WithComponents(label=Present & Size(1, 2))]
Both = Annotated[Point, WithComponents(label=Size(1, 2) & Alphabet("ab"))]
Only = Annotated[Point, WithComponents.only(x=None, y=None)]
Text = Annotated[Where, WithComponents(number=Absent, text=Size(1))]
Digits = Annotated[SequenceOf[int], Size(1, None), WithComponent(Range(0, 9))]
Deep = Annotated[SequenceOf[Point], WithComponent(WithComponents(x=OneOf(1)))]


class Tagged(Sequence):
    number: Annotated[int, Explicit(0)]
    where: Annotated[Where, Explicit(2), Explicit(1)] | None = None


SetFive = Annotated[Tagged, WithComponents(number=OneOf(5))]
SetWhere = Annotated[Tagged, WithComponents(where=OneOf({"number": 65}))]
INNER = [
    reads("what fits", Inner, "3003020101", {"x": 1, "y": 0, "label": None}),
    refuses("a component outside", Inner, "300302010a", ConstraintViolation, "51.4", 2),
    refuses("another one outside", Inner, "3006 020101 020104", ConstraintViolation, "51.4", 5),
    refuses("what must be absent", Inner, "3006 020101 0c0161", ConstraintViolation, "51.8", 5),
    reads("what must be present", Labelled, "3006 020101 0c0161", {"x": 1, "y": 0, "label": "a"}),
    refuses("the lack of it", Labelled, "3003 020101", ConstraintViolation, "51.8", 5),
    refuses("a wrong size of it", Labelled, "3005 020101 0c00", ConstraintViolation, "51.5", 5),
    reads("an intersection of a component", Both, "3006 020101 0c0161", {"x": 1, "y": 0, "label": "a"}),
    refuses("the left side of the intersection", Both, "3008 020101 0c03616161", ConstraintViolation, "51.5", 5),
    refuses("the right side of the intersection", Both, "3006 020101 0c0163", ConstraintViolation, "51.7", 5),
    refuses("what is not named", Only, "3006 020101 0c0161", ConstraintViolation, "51.8", 5),
    refuses("a default outside", Annotated[Point, WithComponents(y=Range(1, 2))], "3003 020101", ConstraintViolation,
        "51.8", 5),
    reads("an alternative", Text, "810161", ("text", "a")),
    refuses("an alternative that must be absent", Text, "020101", ConstraintViolation, "51.8", 0),
    refuses("an alternative outside", Text, "81026161", ConstraintViolation, "51.5", 0),
    refuses("an alternative that is not named", Annotated[Where, WithComponents.only(text=None)], "020101",
        ConstraintViolation, "51.8", 0),
    refuses("another alternative than must be present", Annotated[Where, WithComponents(text=Present)], "020101",
        ConstraintViolation, "51.8", 3),
    reads("elements", Digits, "3006 020101 020109", [1, 9]),
    refuses("an element outside", Digits, "3006 020101 02010a", ConstraintViolation, "51.4", 5),
    reads("a value of a component under a tag", SetFive, "3005 a003 020105", {"number": 5, "where": None}),
    refuses("another value of a component under a tag", SetFive, "3005 a003 020106", ConstraintViolation, "51.2", 4),
    reads("an alternative under two tags", SetWhere, "300c a003 020105 a105 a203 020141",
        {"number": 5, "where": ("number", 65)}),
    refuses("the same contents in another one there", SetWhere, "300c a003 020105 a105 a203 810141",
        ConstraintViolation, "51.2", 11),
    refuses("a component of an element", Deep, "300a 3003020101 3003020102", ConstraintViolation, "51.2", 9),
]


InOctets = Annotated[Point, OctetString, Containing(Point)]
InBits = Annotated[Point, BitString, Containing(Point)]
Short = Annotated[OctetString, Containing(int), Size(3)]
# On its own, the value is the contained one, and the string around it is not part of it.
INSIDE = ("field", "explicit", "list")
CONTAINING = [
    reads("an encoding in an OCTET STRING", InOctets, "0405 3003020101", {"x": 1, "y": 0, "label": None},
        INSIDE),
    reads("an encoding in a BIT STRING", InBits, "0306 00 3003020101", {"x": 1, "y": 0, "label": None}, INSIDE),
    reads("of the size that there must be", Short, "0403 020105", 5),
    reads("an open type in it", Annotated[OctetString, Containing(Any)], "0402 0500", b"\x05\x00"),
    refuses("of another size", Short, "0404 02020105", ConstraintViolation, "51.5"),
    refuses("of neither size", Annotated[OctetString, Containing(int), Size(3) | Size(5)], "0404 02020105",
        ConstraintViolation, "50"),
    refuses("another type", InOctets, "0403 020101", StructureError, "8.1.2", 2),
    refuses("octets after it", InOctets, "0407 3003020101 0500", TrailingDataError, "X.682 11", 7,
        INSIDE),
    refuses("a fault in it", InOctets, "0406 3004 02020001", ContentsError, "8.3.2", 4, ("alone", "field")),
    refuses("unused bits", InBits, "0306 01 3003020100", ContentsError, "X.682 11", 0,
        ("alone", "field", "explicit", "list")),
    refuses("a constraint of the contained type", Annotated[OctetString, Containing(Inner)], "0405 300302010a",
        ConstraintViolation, "51.4", 4),
]


@table(CONTAINING)
def test_contents_constraints(row, place):
    row.check(place)


class Box(Sequence):
    point: InOctets
    bits: Annotated[Point, BitString, Containing(Point), Implicit(0)] | None = None
    inner: Annotated[Any, OctetString, Containing("Box"), Implicit(1)] | None = None


def test_a_contained_value_is_written_and_read_as_its_type():
    box = Box(point={"x": 1}, bits=Point(x=2), inner=Box(point={"x": 3}))
    assert box.encode().hex() == "301a" "04053003020101" "8006003003020102" "8109" "3007" "04053003020103"
    again = Box.decode(box.encode())
    assert (again.point.x, again.bits.x, again.inner.point.x) == (1, 2, 3)
    assert Box.from_native(again.to_native()) == Box.from_json(again.to_json()) == again
    assert again.replace(point={"x": 1}) == again
    assert again.span("inner", "point", "x").content_length == 1
    with pytest.raises(ConstraintError):
        Box(point=b"\x02\x01\x05")
    with pytest.raises(derlib.StructureError) as caught:
        Box.decode(bytes.fromhex("3005 0403 020101"))
    assert caught.value.path == ("point",)
    assert caught.value.deviation is Deviation.OPEN_TYPE


def test_containing_applies_only_to_strings():
    for type_ in (Annotated[int, Containing(int)], Annotated[str, Containing(int)], Annotated[Any, Containing(int)]):
        with pytest.raises(SchemaError, match=r"applies to OctetString and BitString, not to (int|str|TLV|Any)"):
            derlib.decode(type_, b"")


@table(ALPHABET)
def test_permitted_alphabet(row, place):
    row.check(place)


def test_strings_in_a_tolerated_encoding_violate_the_alphabet():
    # 80 61 would be U+0021, and c3 61 U+00E1, if only the first byte of a character were checked.
    some = Annotated[UTF8String, Alphabet("!aÃá\x80")]
    for octets in ("8061", "c361", "80", "c3"):
        data = der("0c", octets)
        text = derlib.decode(UTF8String, data, tolerate=Deviation.STRING_ENCODING)
        assert text == bytes.fromhex(octets).decode("latin-1")
        with pytest.raises(ConstraintViolation):
            derlib.decode(some, data, tolerate=Deviation.STRING_ENCODING)
    # The byte after a BMPString of three bytes is that of the next element's tag.
    for type_, character, width in ((BMPString, "1e", 2), (UniversalString, "1c", 4)):
        data = der("30", *[der(character, bytes(width - 1) + b"a" + b"\0")] * 2)
        assert list(derlib.decode(SequenceOf[type_], data, tolerate=Deviation.STRING_ENCODING)) == [
            "\0" * (width - 1) + "a\0"
        ] * 2
        some = Annotated[type_, Alphabet("\0\x1ca\x1e")]
        with pytest.raises(ConstraintViolation) as caught:
            derlib.decode(SequenceOf[some], data, tolerate=Deviation.STRING_ENCODING)
        assert (caught.value.rule, caught.value.path) == ("X.680 51.7", (0,))


@table(VALUES)
def test_single_values(row, place):
    row.check(place)


@table(SETS)
def test_unions_intersections_and_exclusions(row, place):
    row.check(place)


@table(INNER)
def test_inner_types(row, place):
    row.check(place)


@pytest.mark.parametrize(
    ("type_", "value", "clause"),
    [
        (Plate, "abc", "51.7"),
        (OneFive, 6, "51.2"),
        (Annotated[bool, OneOf(True)], False, "51.2"),
        (Annotated[ObjectIdentifier, OneOf("1.2.3")], "1.2.4", "51.2"),
        (Gap, 7, "50"),
        (Label, "ABC", "51.7"),
        (Inner, {"x": 10}, "51.4"),
        (Inner, Point(x=10), "51.4"),
        (Inner, {"x": 1, "label": "a"}, "51.8"),
        (Labelled, {"x": 1}, "51.8"),
        (Text, {"number": 1}, "51.8"),
        (Digits, [1, 10], "51.4"),
        (Deep, [Point(x=1), Point(x=2)], "51.2"),
    ],
)
def test_encoding_checks_the_same_constraints(type_, value, clause):
    with pytest.raises(ConstraintError, match=rf"X\.680 {clause}"):
        derlib.encode(value, type_)


def test_the_path_leads_to_the_part_that_is_outside():
    class Holder(Sequence):
        points: Annotated[SequenceOf[Point], WithComponent(WithComponents(x=OneOf(1)))]

    with pytest.raises(ConstraintViolation) as caught:
        Holder.decode(bytes.fromhex("300c 300a 3003020101 3003020102"))
    assert caught.value.path == ("points", 1, "x")
    with pytest.raises(ConstraintError) as built:
        Holder(points=[{"x": 1}, {"x": 2}])
    assert built.value.path == ("points", 1, "x")


def test_the_constraint_of_a_copied_part_is_checked_in_a_large_value():
    class Holder(Sequence):
        data: bytes
        items: SequenceOf[Point]
        point: Inner

    items = SequenceOf[Point]([Point(x=i) for i in range(20000)])
    with pytest.raises(ConstraintError, match=r"51\.4") as caught:
        Holder(data=b"", items=items, point=Point(x=10))
    assert caught.value.path == ("point", "x")


def test_constrained_elements_of_a_long_list_are_all_checked():
    class Row(Sequence):
        number: OneFive

    good = [der("30", b"\x02\x01\x05")] * 100
    assert len(derlib.decode(SequenceOf[Row], der("30", *good))) == 100
    with pytest.raises(ConstraintViolation) as caught:
        derlib.decode(SequenceOf[Row], der("30", *good[:50], der("30", b"\x02\x01\x06"), *good))
    assert caught.value.path == (50, "number")


@pytest.mark.parametrize(
    ("type_", "problem"),
    [
        (Annotated[int, Alphabet("a")], "character strings"),
        (Annotated[str, Range(0, 1) | Range(3, 4)], "integers"),
        (Annotated[int, Size(1) | Size(3)], "strings and lists"),
        (Annotated[int, OneOf("a")], "is not a value of INTEGER"),
        (Annotated[Any, OneOf(1)], "any type"),
        (Annotated[int, WithComponents(x=Present)], "SEQUENCE, SET and CHOICE"),
        (Annotated[int, WithComponent(Range(0, 1))], "for lists"),
        (Annotated[Point, WithComponents(z=Present)], "has no component 'z'"),
        (Annotated[Point, WithComponents(x=Absent)], "not OPTIONAL"),
        (Annotated[int, Present], "for WithComponents"),
        (Annotated[int, OneOf], "needs arguments"),
        (Annotated[int, Range(0, 5), OneOf(7)], "is not a value of INTEGER"),
        (Annotated[BitString, Alphabet("a")], "character strings"),
        (Annotated[OctetString, WithComponents(x=Present)], "SEQUENCE, SET and CHOICE"),
    ],
)
def test_a_constraint_that_does_not_apply_is_rejected(type_, problem):
    with pytest.raises(SchemaError, match=problem):
        derlib.decode(type_, b"")


def test_invalid_constraints():
    for make in (lambda: Alphabet(""), lambda: Alphabet("z-a"), OneOf, WithComponents, lambda: WithComponent(5),
                 lambda: WithComponents(x=None)):
        with pytest.raises(SchemaError):
            make()
    with pytest.raises(TypeError):
        Size(1) | 5


@pytest.mark.parametrize("constraint", [Size(1), Alphabet("a-z"), Size(1) | Size(3), ~Size(1)], ids=str)
def test_constraints_are_immutable(constraint):
    with pytest.raises(AttributeError, match="cannot"):
        constraint.low = 5


def test_single_values_may_be_dicts_and_lists_of_an_optional_component():
    class Holder(Sequence):
        where: Annotated[Where, OneOf({"number": 1})] | None = None
        row: Annotated[SequenceOf[int], OneOf([1, 2])] | None = None

    assert Holder(where={"number": 1}, row=[1, 2]).encode().hex() == "300b0201013006020101020102"
    assert hash(OneOf({"number": 1, "x": 2})) == hash(OneOf({"x": 2, "number": 1}))


def test_a_default_must_fit():
    with pytest.raises(SchemaError, match="default 6"):

        class Wrong(Sequence):
            number: OneFive = 6


def test_constraints_are_written_as_in_asn1():
    assert str(Alphabet("A-Z0-9 -")) == 'FROM (" " | "-" | "0".."9" | "A".."Z")'
    assert str(Range(0, 5) | Range(10, None)) == "0..5 | 10..MAX"
    assert str(Range(0, 9) - OneOf(3, 4)) == "0..9 EXCEPT (3 | 4)"
    assert str(Size(1, 4) & ~Alphabet("a")) == 'SIZE (1..4) EXCEPT FROM ("a")'
    assert str(WithComponents(a=Present & Range(0, 1), b=Absent)) == "WITH COMPONENTS {..., a (0..1) PRESENT, b ABSENT}"
    assert str(WithComponents.only(a=None)) == "WITH COMPONENTS {a}"
    assert str(WithComponent(Size(1))) == "WITH COMPONENT (SIZE (1))"


class Taker(Sequence):
    """Its component constrains the DEFAULT of a type that is complete only later and contains this class."""

    giver: Annotated["Giver", Implicit(0), WithComponents(inner=WithComponents(number=Range(0, 3)))] | None = None
    number: int = 5


class Giver(Sequence):
    inner: Taker = {}


class SetTaker(Set):
    giver: Annotated["SetGiver", Implicit(0), WithComponents(inner=WithComponents(number=Range(0, 3)))] | None = None
    number: int = 5


class SetGiver(Set):
    inner: SetTaker = {}


@pytest.mark.parametrize(("type_", "octets"), [(Taker, "3002a000"), (SetTaker, "3102a000")])
def test_absent_fields_are_checked_in_types_that_contain_one_another(type_, octets):
    with pytest.raises(ConstraintViolation) as caught:
        type_.decode(bytes.fromhex(octets))
    assert (caught.value.path, caught.value.offset, caught.value.kind) == (("giver", "inner"), 4, "component-required")
    with pytest.raises(ConstraintError, match="is missing"):
        type_(giver={})


def test_each_octet_of_tolerated_wrong_utf8_counts_as_one_character():
    octets = bytes.fromhex("0c024180")
    derlib.decode(Annotated[UTF8String, Size(2)], octets, tolerate=derlib.Deviation.STRING_ENCODING)
    with pytest.raises(derlib.ConstraintViolation):
        derlib.decode(Annotated[UTF8String, Size(1)], octets, tolerate=derlib.Deviation.STRING_ENCODING)

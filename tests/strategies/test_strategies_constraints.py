"""Values of constrained and extensible types satisfy the constraints, include edge cases, and shrink."""

from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import Phase, find, given, settings
from test_strategies import FIRST_FOUND, check_malformed, shown, thorough
from test_strategies_kinds import Answer, Box, Hello, Reading

import derlib
from derlib import (
    Absent,
    Alphabet,
    BitString,
    BMPString,
    Choice,
    Containing,
    DefinedBy,
    Enumerated,
    Explicit,
    External,
    Field,
    IA5String,
    Implicit,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Present,
    PrintableString,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTF8String,
    WithComponent,
    WithComponents,
)
from derlib._intervals import EVERYTHING, complement, contains, intersection, interval_set, points
from derlib.strategies import encodings, malformed, values


class Frame(Sequence, fields=[
    Field("kind", int),
    Field("flag", Annotated[bool, Implicit(9)], optional=True),
    ...,
    Field("note", str, default="x"),
    ...,
    Field("last", bool),
    Field("more", Annotated[int, Implicit(3)], default=5),
]):
    pass


class State(Enumerated, extensible=True):
    idle = 0
    busy = 1


class Pick(Choice):
    number: Annotated[int, Implicit(0)]
    text: Annotated[str, Implicit(1)]
    reading: Annotated[Reading, Explicit(2)]


class Picked(Set):
    """A SET in which another alternative of the CHOICE can be out of order."""

    pick: Annotated[Pick, WithComponents(number=Range(0, 9), reading=WithComponents(unit=Present))]
    flag: Annotated[bool, Implicit(7), OneOf(True)] | None = None


class Tree(Sequence):
    value: int
    branches: "SequenceOf[Tree]"


class Flags(Sequence):
    a: Annotated[bool, Implicit(0)] = False
    b: Annotated[bool, Implicit(1)] = False


class Wrapped(Sequence):
    """An OCTET STRING and a BIT STRING that contain an encoding."""

    inner: Annotated[Reading, OctetString, Containing(Reading)]
    bits: Annotated[Reading, BitString, Containing(Reading)] | None = None
    number: Annotated[int, Implicit(0)] | None = None


NUMBER = ObjectIdentifier("2.999.5")


class Named(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("NAMED", {NUMBER: int}))]


class MayName(Sequence):
    """A selector that can be absent, so that no type is selected."""

    kind: ObjectIdentifier | None = None
    value: Annotated[Any, Explicit(0), DefinedBy("kind", OpenTypes("NAMED", {NUMBER: int}))]


class ByDefault(Sequence):
    """A selector that is part of a default, and an open type without known types."""

    named: Annotated[Named, Implicit(0)] = Named(kind=NUMBER, value=1)
    value: Annotated[Any, Explicit(1), DefinedBy("named.kind", OpenTypes("NAMED", {NUMBER: bool}))]
    kind: ObjectIdentifier
    unknown: Annotated[Any, DefinedBy("kind", OpenTypes("NONE", {}))]


class Endless(Sequence):
    more: "Endless"


class NamesEndless(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OpenTypes("ENDLESS", {NUMBER: Endless}))]


# Values with an unknown addition.
HELLO = Hello.decode(bytes.fromhex("3006 020105 880100"))
FRAME = Frame.decode(bytes.fromhex("3009 020105 880100 0101ff"))
BOX = Box.decode(bytes.fromhex("3106 020105 880100"))


CONSTRAINED = [
    Hello, Box, Answer, Frame, State, SetOf[Hello], SequenceOf[Answer], Picked,
    Annotated[int, ~Range(0, 5)], Annotated[int, Range(0, 50) - OneOf(3, 4)], Annotated[bool, ~OneOf(True)],
    Annotated[str, Alphabet("a-z0-9") - Alphabet("a-z") - Alphabet("0-9")], Annotated[str, OneOf("a", "bc") | Size(5)],
    Annotated[BMPString, Alphabet("é-ü")], Annotated[bytes, ~Size(0, 4)], Annotated[bytes, OneOf(b"", b"ab")],
    Annotated[BitString, Size(3) | Size(8, None)], Annotated[State, OneOf("busy")], Annotated[State, ~OneOf("busy")],
    Annotated[ObjectIdentifier, OneOf("2.999.1", "1.2")], Annotated[derlib.Real, ~OneOf(0.0)],
    Annotated[Reading, WithComponents(unit=Present & OneOf("m", "s"), scale=Range(0, 3))],
    Annotated[Reading, ~WithComponents(value=Range(0, None), unit=Absent, scale=Range(0, 9))],
    Annotated[Reading, WithComponents(unit=Absent) | OneOf(Reading(value=2, unit="a"))],
    Annotated[Pick, WithComponents(number=Range(0, 3), reading=WithComponents(unit=Present))],
    Annotated[Pick, WithComponents.only(text=Alphabet("ab"))], Annotated[Pick, OneOf({"number": 1}, {"text": "a"})],
    Annotated[Pick, ~WithComponents(text=Present, number=Range(0, 3))],
    Annotated[SetOf[int], ~WithComponent(Range(0, 9)), Size(2, 5)], Annotated[SequenceOf[int], OneOf([1, 2], [3])],
    SetOf[Annotated[Reading, WithComponents(unit=Present), WithComponents(value=Range(0, 9))]],
    Annotated[SetOf[Reading], WithComponent(WithComponents(value=Range(0, 9)))],
    Annotated[Annotated[Pick, Explicit(0)], WithComponents(number=OneOf(1))],
    Annotated[int, OctetString, Containing(Annotated[int, Range(0, 9) | Range(90, 99)]), Size(3)],
    SequenceOf[Annotated[Reading, BitString, Containing(Reading), Size(0, 80)]],
    Annotated[Tree, WithComponents(branches=Size(2))],
    Annotated[Tree, WithComponents(branches=WithComponent(WithComponents(branches=Size(0))))],
    Annotated[Answer, ~WithComponents(number=Present)], Annotated[str | bytes, OneOf("a", b"b")],
    Annotated[External, WithComponents(direct_reference=Present, indirect_reference=Absent)],
    # Single values of two constraints, and single values with parts, which are read from their encodings.
    Annotated[str, OneOf("a", "b", "c") & OneOf("b", "c")],
    Annotated[Flags, ~OneOf(Flags(a=True), Flags(b=True), Flags())],
    Annotated[Wrapped, OneOf(Wrapped(inner=Reading(value=1))) | WithComponents(number=Present)],
    Annotated[Hello, OneOf(HELLO) | WithComponents(version=Range(5, 6))],
    Annotated[Named, OneOf(Named(kind=NUMBER, value=5)) | WithComponents(kind=OneOf("2.999.9"))],
    # Alphabets that no character is outside of, or that have no common character; several cases of a violation.
    Annotated[NumericString, ~Alphabet("0-9 ") | Alphabet("12")], Annotated[IA5String, Alphabet("a") & Alphabet("b")],
    Annotated[str, (Size(2) & Alphabet("ab")) | OneOf("zzz")],
    # Constraints on an absent component, and on a default that violates them.
    Annotated[Reading, WithComponents(unit=Size(1, 3)), WithComponents(value=Range(0, 9))],
    Annotated[Reading, WithComponents(scale=~OneOf(10))],
    Annotated[Reading, WithComponents(value=Range(0, 9) & OneOf(1, 2), unit=Size(1, 3) & Alphabet("ab"))],
    Annotated[SequenceOf[int], Size(0), WithComponent(Range(0, 5))],
    Annotated[SetOf[int], Size(2, 4), WithComponent(Range(0, 5))],
    Annotated[SequenceOf[str], Size(0, 4) & WithComponent(Size(1, 2) & Alphabet("ab"))],
    Annotated[SequenceOf[str], ~WithComponent(Size(1, 2) & Alphabet("ab")) | WithComponent(Size(3))],
    Annotated[Reading, OctetString, Containing(Annotated[Reading, WithComponents(value=Range(0, 9))]), Size(5, 6)],
    Annotated[Box, OneOf(BOX) | WithComponents(number=Range(5, 6))], Annotated[Frame, OneOf(FRAME)],
    Annotated[Reading, OneOf(Reading(value=1, scale=2))],
    # Open types whose selector is absent, is part of a default, or selects nothing.
    MayName, ByDefault,
]


@pytest.mark.parametrize("hint", CONSTRAINED, ids=str)
def test_constrained_and_extensible_types_can_be_drawn(hint):
    @thorough(60)
    @given(values(hint), encodings(hint), malformed(hint))
    def check(value, octets, bad):
        assert derlib.decode(hint, derlib.encode(value, hint)) == value
        derlib.parse(octets)
        check_malformed(hint, bad)

    check()


# Types, and a property that one of their values must have.
WANTED = [
    (Annotated[int, Range(0, 5) | Range(1000, 1500)], lambda value: value == 1500),
    (Annotated[int, Range(0, 5) | Range(1000, 1500)], lambda value: value == 5),
    (Annotated[int, ~Range(0, 2**64)], lambda value: value == 2**64 + 1),
    (Annotated[int, ~Range(0, 2**64)], lambda value: value == -1),
    (Annotated[IA5String, Size(3, 4) | Size(300)], lambda value: len(value) == 300),
    (Annotated[str, Alphabet("a-z") | Alphabet("A-Z")], lambda value: value.isupper() and len(value) > 3),
    (Annotated[str, ~Alphabet("a-z")], lambda value: value[1:].islower()),
    (Annotated[Reading, WithComponents(unit=Present) | WithComponents(value=OneOf(7))],
     lambda value: value.unit is None),
    (Hello, lambda value: len(value.unknown_additions) == 2 and value.note),
    (Hello, lambda value: any(one.tag.constructed and one.children for one in value.unknown_additions)),
    (Frame, lambda value: value.unknown_additions and value.flag is not None and value.note != "x" and value.more != 5),
    (Box, lambda value: len({one.tag for one in value.unknown_additions}) == 2),
    (Answer, lambda value: value.alternative is None),
    (Answer, lambda value: value.alternative == "hello" and value.hello.unknown_additions),
    (State, lambda value: value not in list(State)),
]


@pytest.mark.parametrize(("hint", "wanted"), WANTED, ids=shown)
def test_edge_cases_of_constraints_and_extensions_are_drawn(hint, wanted):
    find(values(hint), wanted, settings=FIRST_FOUND, random=Random(0))


def test_a_later_element_of_a_set_of_can_violate_a_constraint():
    hint = Annotated[SetOf[int], WithComponent(Range(0, 5)), Size(2, 4)]
    found = malformed(hint, kinds={"range"})
    bad = find(found, lambda bad: bad.path > (0,), settings=FIRST_FOUND, random=Random(0))
    with pytest.raises(derlib.ConstraintViolation) as caught:
        derlib.decode(hint, bad.encoding)
    assert (caught.value.path, caught.value.offset) == (bad.path, bad.offset)


class Either(Set):
    """A CHOICE whose alternatives all have values that violate the constraint."""

    either: Annotated[int | UTF8String, OneOf(1, "a")]


@thorough(60)
@given(malformed(Either, kinds=["single-value"]))
def test_a_violation_in_a_set_keeps_the_alternative(bad):
    check_malformed(Either, bad)


def test_a_constraint_can_be_violated_beside_an_absent_component():
    hint = Annotated[Reading, WithComponents(unit=Size(1, 3)), WithComponents(value=Range(0, 9))]
    found = malformed(hint, kinds={"range"})
    bad = find(found, lambda bad: b"\x0c" not in bad.encoding, settings=FIRST_FOUND, random=Random(0))
    # The message shows only the size of a large number.
    message = rf"^value at offset {bad.offset}: INTEGER (-?\d+|of \d+ bits) is outside \(0..9\)"
    with pytest.raises(derlib.ConstraintViolation, match=message):
        derlib.decode(hint, bad.encoding)


SMALLEST = [
    (Annotated[int, Range(-9, -5) | Range(3, 9)], "3"),
    (Annotated[PrintableString, Size(2) & Alphabet("A-Z")], "'AA'"),
    (Annotated[Reading, WithComponents(unit=Present)], "Reading(value=0, unit='', scale=10)"),
    (Hello, "Hello(version=0)"),
    (Answer, "Answer(number=0)"),
    (External, "External(indirect_reference=0, encoding=ExternalEncoding(octet_aligned=b''))"),
    (derlib.EmbeddedPDV, "EmbeddedPDV(identification=Identification(fixed=NULL), data_value=b'')"),
    (derlib.CharacterString, "CharacterString(identification=Identification(fixed=NULL), string_value=b'')"),
]


@pytest.mark.parametrize(("hint", "smallest"), SMALLEST, ids=str)
def test_constrained_examples_shrink(hint, smallest):
    assert repr(find(values(hint), lambda value: True)) == smallest


@pytest.mark.parametrize("hint", [Hello, *CONSTRAINED[8:30]], ids=str)
def test_few_examples_are_rejected(hint):
    # The health checks of hypothesis fail if too many examples are rejected.
    @settings(max_examples=40, deadline=None, database=None, phases=[Phase.generate])
    @given(values(hint), malformed(hint))
    def check(value: Any, bad: Any) -> None:
        pass

    check()


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[int, (Range(0, 1) | OneOf(4)) & ~Range(0, 5)], Annotated[str, (Size(3) | Size(5)) & ~Size(3, 5)],
        Annotated[PrintableString, Alphabet("é") & Size(1)],
        Annotated[Reading, WithComponents(unit=Present) & WithComponents(unit=Absent)],
        Annotated[External, WithComponents(direct_reference=Absent, indirect_reference=Absent)],
        Annotated[Reading, OctetString, Containing(Reading), Size(5, 6), Size(8) | Size(9)], Endless,
        Annotated[NamesEndless, WithComponents(kind=OneOf(NUMBER))],
    ],
    ids=str,
)
def test_constraints_that_no_value_satisfies_are_a_schema_error(hint):
    with pytest.raises(SchemaError, match="has no value"):
        find(values(hint), lambda value: True)


def test_interval_sets():
    some = interval_set([(5, 9), (1, 3), (4, 4), (20, 30)])
    assert some == ((1, 9), (20, 30))
    assert intersection(some, ((3, 25),)) == ((3, 9), (20, 25))
    assert complement(complement(some)) == some
    assert intersection(some, complement(some)) == ()
    assert interval_set([*some, *complement(some)]) == EVERYTHING
    assert complement(EVERYTHING) == ()
    assert complement(()) == EVERYTHING
    assert contains(points([1, 2**70]), 2**70)
    assert not contains(points([1, 2**70]), 2**70 + 1)


@pytest.mark.parametrize(
    ("constraint", "kinds"),
    [
        (Size(1, 2) | Size(5), {"size": {0}, "constraint": {3, 4}}),
        (Size(1, 2) | ~Size(0, 4), {"size": {0}, "constraint": {3, 4}}),
        (Size(1, 2) | WithComponent(Range(0, 9)), {"constraint": {3}}),
        (~Size(0), {"size": {0}}),
        (~Size(0, 1), {"size": {0}, "constraint": {1}}),
        (OneOf([1], [2, 3]), {"single-value": {0}}),
    ],
    ids=str,
)
def test_only_an_empty_list_has_the_kind_size(constraint, kinds):
    """`Deviation.EMPTY_LIST` tolerates an empty list alone, so other sizes have the kind of combined constraints."""
    hint = Annotated[SequenceOf[int], constraint]
    for kind, counts in kinds.items():
        for count in counts:
            bad = find(
                malformed(hint, kinds={kind}),
                lambda bad, count=count: len(derlib.parse(bad.encoding).children) == count,
                settings=FIRST_FOUND, random=Random(0),
            )
            with pytest.raises(derlib.ConstraintViolation) as caught:
                derlib.decode(hint, bad.encoding)
            assert (caught.value.kind, caught.value.path, caught.value.offset) == (kind, bad.path, bad.offset)

"""`derlib.inspect` describes each kind of type, its parts, its constraints and its open types."""

import dataclasses
import gc
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    MISSING,
    TLV,
    Addition,
    Alphabet,
    BitString,
    Choice,
    Containing,
    DefinedBy,
    Enumerated,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Present,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    Tag,
    TeletexString,
    UTCTime,
    WithComponent,
    WithComponents,
    _core,
    inspect,
)
from derlib.inspect import Kind, _types, type_info

TABLE = OpenTypes("TABLE", {"2.999.1": int}, on_mismatch="opaque")


class Colour(Enumerated, extensible=True):
    red = 0


class Version(NamedInteger):
    v1 = 0


class Rights(NamedBits):
    read = 1


class Tree(Sequence):
    leaf: int = 7
    branches: "SequenceOf[Tree] | None" = None


class Growing(Set, extensible=True):
    a: int
    b: Annotated[bool, Addition()] | None = None


class Either(Choice, extensible=True):
    number: int
    text: Annotated[str, Implicit(0)]


class Beside(Sequence):
    either: Either | None = None
    octets: bytes


class Inner(Sequence):
    kind: ObjectIdentifier


class Holder(Sequence):
    inner: Inner
    value: Annotated[Any, DefinedBy("inner.kind", TABLE)]
    octets: Annotated[OctetString, DefinedBy("inner.kind", TABLE), Size(1, None)]
    bits: Annotated[BitString, DefinedBy("inner.kind", TABLE)]


def component(cls: Any, number: int) -> inspect.Component:
    info = type_info(cls)
    parts = info.alternatives if isinstance(info, inspect.ChoiceType) else info.components
    return parts[number]


# A type, the class of its description, and the attributes that it must have.
TYPES = {
    "bool": (bool, inspect.PrimitiveType, {"kind": Kind.BOOLEAN, "name": "BOOLEAN", "tag": Tag(1, "universal")}),
    "int": (int, inspect.PrimitiveType, {"kind": Kind.INTEGER, "range": None, "size": None, "cls": None}),
    "Range": (Annotated[int, Range(0, None)], inspect.PrimitiveType, {"range": (0, None), "constraints": ()}),
    "Size": (Annotated[str, Size(1, 64)], inspect.PrimitiveType, {"kind": Kind.UTF8_STRING, "size": (1, 64)}),
    "a string of a shared kind": (
        TeletexString, inspect.PrimitiveType, {"kind": Kind.LATIN1_STRING, "name": "TeletexString"}
    ),
    "Enumerated": (Colour, inspect.PrimitiveType, {"kind": Kind.ENUMERATED, "cls": Colour, "extensible": True}),
    "NamedInteger": (Version, inspect.PrimitiveType, {"kind": Kind.NAMED_INTEGER, "cls": Version, "extensible": False}),
    "NamedBits": (Rights, inspect.PrimitiveType, {"kind": Kind.NAMED_BITS, "cls": Rights}),
    "Sequence": (Tree, inspect.StructureType, {"kind": Kind.SEQUENCE, "cls": Tree, "extension_index": None}),
    "Set": (Growing, inspect.StructureType, {"kind": Kind.SET, "extension_index": 2}),
    "External": (derlib.External, inspect.StructureType, {"one_of": 2, "tag": Tag(8, "universal", True)}),
    "SequenceOf": (SequenceOf[int], inspect.ListType, {"kind": Kind.SEQUENCE_OF, "element": type_info(int)}),
    "SetOf": (Annotated[SetOf[int], Size(1)], inspect.ListType, {"kind": Kind.SET_OF, "size": (1, 1)}),
    "Choice": (
        Either,
        inspect.ChoiceType,
        {"kind": Kind.CHOICE, "tag": None, "extensible": True, "excluded_tags": (),
         "tags": ((Tag(2, "universal"), 0), (Tag(0), 1))},
    ),
    "a union": (
        UTCTime | GeneralizedTime,
        inspect.ChoiceType,
        {"kind": Kind.UNION, "name": "UTCTime | GeneralizedTime", "cls": None, "extensible": False},
    ),
    "Explicit": (Annotated[int, Explicit(3)], inspect.ExplicitType, {"tag": Tag(3, "context", True)}),
    "Implicit": (Annotated[int, Implicit(3)], inspect.PrimitiveType, {"kind": Kind.INTEGER, "tag": Tag(3)}),
    "TLV": (TLV, inspect.AnyType, {"kind": Kind.ANY, "tag": None}),
    "Containing": (
        Annotated[OctetString, Containing(int), Size(3)],
        inspect.ContainingType,
        {"kind": Kind.OPEN_OCTETS, "type": type_info(int), "size": (3, 3), "tag": Tag(4, "universal")},
    ),
}
CONSTRAINTS = {
    "a union": (int, Range(0, 5) | Range(9, None), "UnionConstraint(parts=(RangeConstraint(low=0, high=5), "
        "RangeConstraint(low=9, high=None)))"),
    "an exclusion": (int, (Range(0, 5) - OneOf(3)) | OneOf(9), "UnionConstraint(parts=(IntersectionConstraint(parts=("
        "RangeConstraint(low=0, high=5), ExceptConstraint(part=ValuesConstraint(encodings=(b'\\x03',))))), "
        "ValuesConstraint(encodings=(b'\\t',))))"),
    "sizes": (str, ~Size(2), "ExceptConstraint(part=SizeConstraint(low=2, high=2))"),
    "an alphabet": (str, Alphabet("ac-z"), "AlphabetConstraint(ranges=((97, 97), (99, 122)))"),
    "elements": (SequenceOf[int], WithComponent(Range(1, 2)),
        "ElementsConstraint(part=RangeConstraint(low=1, high=2))"),
    "components": (Tree, WithComponents(leaf=Range(1, 2), branches=Present), "ComponentsConstraint(parts=("
        "ComponentConstraint(number=0, presence=None, part=RangeConstraint(low=1, high=2)), "
        "ComponentConstraint(number=1, presence='present', part=None)))"),
    "the full form": (Tree, WithComponents.only(leaf=None), "ComponentsConstraint(parts=("
        "ComponentConstraint(number=0, presence=None, part=None), "
        "ComponentConstraint(number=1, presence='absent', part=None)))"),
}


@pytest.mark.parametrize(("hint", "cls", "attributes"), TYPES.values(), ids=TYPES)
def test_each_kind_of_type_is_described(hint, cls, attributes):
    info = type_info(hint)
    assert type(info) is cls
    assert {name: getattr(info, name) for name in attributes} == attributes
    assert repr(info) == f"<{cls.__name__} {info.name}>"
    with pytest.raises(dataclasses.FrozenInstanceError):
        info.name = "another"


@pytest.mark.parametrize(("hint", "constraint", "shown"), CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_each_constraint_is_described(hint, constraint, shown):
    assert repr(type_info(Annotated[hint, constraint]).constraints) == f"({shown},)"


def test_constraints_are_in_the_order_in_which_they_are_checked():
    info = type_info(Annotated[str, Alphabet("a-z"), OneOf("a")])
    with pytest.raises(derlib.ConstraintViolation) as caught:
        derlib.decode(Annotated[str, Alphabet("a-z"), OneOf("a")], b"\x0c\x01\x30")
    kinds = {inspect.AlphabetConstraint: "alphabet", inspect.ValuesConstraint: "single-value"}
    assert next(kinds[type(one)] for one in info.constraints) == caught.value.kind


@pytest.mark.parametrize(
    ("cls", "number", "expected"),
    [
        (Tree, 0, ("leaf", False, False, 7, b"\x02\x01\x07")),
        (Tree, 1, ("branches", False, True, MISSING, None)),
        (Growing, 0, ("a", True, False, MISSING, None)),
        (Either, 1, ("text", True, False, MISSING, None)),
    ],
)
def test_components_are_described(cls, number, expected):
    part = component(cls, number)
    assert (part.name, part.required, part.optional, part.default, part.default_encoding) == expected


def test_every_kind_of_the_core_has_a_kind():
    names = {kind.name.removeprefix("KIND_") for kind in _core.Kind} - {"EMPTY"}
    assert {kind.name for kind in Kind} == names
    assert len({kind.value for kind in Kind}) == len(names)


def test_a_type_that_contains_itself_has_one_description():
    info = type_info(Tree)
    branches = component(Tree, 1).type
    assert isinstance(branches, inspect.ListType)
    assert branches.element is info is type_info(Tree)


def test_descriptions_are_not_kept_alive():
    gc.collect()
    before = len(_types._known)
    types = [type_info(Annotated[int, Range(0, 1000 + number)]) for number in range(10)]
    assert len(_types._known) >= before + 10
    del types
    gc.collect()
    assert len(_types._known) <= before


@pytest.mark.parametrize(("number", "kind", "size"), [(1, Kind.OPEN, None), (2, Kind.OPEN_OCTETS, (1, None)),
    (3, Kind.OPEN_BITS, None)])
def test_open_types_are_described(number, kind, size):
    info = component(Holder, number).type
    assert isinstance(info, inspect.OpenType)
    assert (info.kind, info.table, info.selector, info.size) == (kind, TABLE, ("inner", "kind"), size)
    assert info.entries()[ObjectIdentifier("2.999.1")] == inspect.OpenTypeEntry(type_info(int), "opaque")


def test_universal_types_have_the_names_of_their_tags():
    names = {number: str(Tag(number, "universal")) for number in range(1, 200)}
    assert inspect.universal_types() == {number: name for number, name in names.items() if name[0] != "["}


def test_an_open_type_shows_what_is_registered_later():
    table = OpenTypes("LATER")

    class Later(Sequence):
        kind: ObjectIdentifier
        value: Annotated[Any, DefinedBy("kind", table)]

    info = component(Later, 1).type
    count = inspect.registration_count()
    assert info.entries() == {}
    table.register("2.999.1", Tree)
    assert inspect.registration_count() > count
    assert info.entries() == {ObjectIdentifier("2.999.1"): inspect.OpenTypeEntry(type_info(Tree), "error")}


def test_a_list_of_open_types_on_its_own_has_no_selector():
    class Values(SequenceOf[Annotated[Any, DefinedBy("inner.kind", TABLE)]]):
        pass

    class Around(Sequence):
        inner: Inner
        values: Values

    assert type_info(Values).element.selector == ()
    assert component(Around, 1).type.element.selector == ("inner", "kind")


def test_tags_that_an_unknown_alternative_cannot_have():
    assert component(Beside, 0).type.excluded_tags == (Tag(4, "universal"),)


@pytest.mark.parametrize("wrong", [5, list[int], "Tree", Sequence])
def test_objects_that_are_not_types_are_rejected(wrong):
    with pytest.raises(derlib.SchemaError):
        type_info(wrong)

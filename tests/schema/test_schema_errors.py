"""Wrong schemas: each is a `SchemaError` when the class is made, if it can be known then.

Its message names the class, the field and what to write instead.
"""

import enum
import traceback
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import pytest
from support.classes import annotated_class, dynamic_class

import derlib
from derlib import (
    TLV,
    Choice,
    Constraint,
    Containing,
    DecodeError,
    DefinedBy,
    Enumerated,
    Explicit,
    Field,
    GeneralizedTime,
    IA5String,
    Implicit,
    Limits,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    Tag,
    UTCTime,
)

T = TypeVar("T")

TABLE = OpenTypes("TABLE")
TABLE.register("1.2.1", int)


class Colour(Enumerated):
    red = 0
    green = 1


class Version(NamedInteger):
    v1 = 0
    v2 = 1


class Inner(Sequence):
    number: int


class Growing(Choice, extensible=True):
    a: Annotated[int, Implicit(0)]


class GrowingToo(Choice, extensible=True):
    b: Annotated[int, Implicit(1)]


class Letter(Choice):
    text: IA5String
    flag: bool


class Words(enum.IntEnum):
    """Its members are numbers, but their values are texts."""

    def __new__(cls, text: str) -> Any:
        made = int.__new__(cls, text)
        made._value_ = text
        return made

    one = "1"


class Odd(Constraint):
    pass


# Names that refer to themselves, directly or through one another.
Endless = Annotated["Endless", Explicit(0)]
Forked = Annotated["Forked", Explicit(0)] | int | Annotated["Forked", Explicit(1)]
Ping = Annotated["Pong", Explicit(0)]
Pong = Annotated["Ping", Explicit(0)]


def wrong(name: str, base: Any, hints: dict[str, Any], *words: str, **keywords: Any) -> Any:
    """A wrong schema, and the texts that its message must contain; alternatives are separated by "||"."""
    return pytest.param(base, hints, words, keywords, id=name)


WRONG = [
    wrong("a name that refers to itself", Sequence, {"a": "Endless"}, "a: ", "Endless refers to itself", "Choice"),
    wrong("a name that refers to itself twice", Sequence, {"a": "Forked"}, "a: ", "Forked refers to itself"),
    wrong("names that refer to one another", Sequence, {"a": "Ping"}, "a: ", "refers to itself"),
    wrong("a list of itself", Choice, {"a": SequenceOf["Endless"]}, "Endless'", "refers to itself", "derive a class"),
    wrong(
        "two optional fields with the same tag",
        Sequence,
        {"a": (int | None, None), "b": (int | None, None)},
        "'a'", "'b'", "Implicit||Explicit",
    ),
    wrong(
        "an optional field before a mandatory one with the same tag",
        Sequence, {"a": (int | None, None), "b": int}, "'a'", "'b'", "Implicit||Explicit",
    ),
    wrong(
        "a field with a default before one with the same tag",
        Sequence, {"a": (int, 5), "b": int}, "'a'", "'b'", "Implicit||Explicit",
    ),
    wrong(
        "the same tag after two optional fields",
        Sequence, {"a": (int | None, None), "b": (bool, False), "c": int}, "'a'", "'c'",
    ),
    wrong(
        "an optional CHOICE before the tag of one of its alternatives",
        Sequence, {"a": (Letter | None, None), "b": bool}, "'a'", "'b'",
    ),
    wrong(
        "an optional union before the tag of one of its types",
        Sequence, {"a": (UTCTime | GeneralizedTime | None, None), "b": UTCTime}, "'a'", "'b'",
    ),
    wrong(
        "an optional ANY before anything",
        Sequence, {"a": (TLV | None, None), "b": int}, "'a'", "'b'", "Explicit",
    ),
    wrong(
        "an optional field before ANY",
        Sequence, {"a": (int | None, None), "b": TLV}, "'a'", "'b'", "Explicit",
    ),
    wrong(
        "an optional open type before anything",
        Sequence,
        {
            "k": ObjectIdentifier,
            "a": (Annotated[Any, DefinedBy("k", TABLE)] | None, None),
            "b": (int | None, None),
        },
        "'a'", "'b'", "Explicit",
    ),
    wrong(
        "two context tags of one number",
        Sequence,
        {
            "a": (Annotated[int, Implicit(0)] | None, None),
            "b": (Annotated[bool, Implicit(0)] | None, None),
        },
        "'a'", "'b'", "Implicit||Explicit",
    ),
    wrong(
        "two tags that differ only in their form",
        Sequence,
        {
            "a": (Annotated[int, Implicit(0)] | None, None),
            "b": (Annotated[bool, Explicit(0)] | None, None),
        },
        "'a'", "'b'",
    ),
    wrong("two members of a SET with the same tag", Set, {"a": int, "b": int}, "'a'", "'b'"),
    wrong("a CHOICE and its alternative in a SET", Set, {"a": Letter, "b": bool}, "'a'", "'b'"),
    wrong("ANY beside a member of a SET", Set, {"a": int, "b": TLV}, "'a'", "'b'"),
    wrong(
        "two alternatives with the same tag",
        Choice, {"a": int, "b": int}, "'a'", "'b'", "Implicit||Explicit",
    ),
    wrong("an alternative of an alternative", Choice, {"a": Letter, "b": bool}, "'a'", "'b'"),
    wrong("a SEQUENCE and a SEQUENCE OF", Choice, {"a": Inner, "b": SequenceOf[int]}, "'a'", "'b'"),
    wrong(
        "an INTEGER and a named one",
        Choice, {"a": Colour, "b": int, "c": Version}, "'b'", "'c'",
    ),
    wrong("an optional alternative", Choice, {"a": (int | None, None)}, "remove"),
    wrong("an alternative with a default", Choice, {"a": (int, 5)}, "remove"),
    wrong(
        "Implicit on a CHOICE as an alternative",
        Choice, {"a": Annotated[Letter, Implicit(1)]}, "Explicit",
    ),
    wrong("Implicit on a CHOICE", Sequence, {"a": Annotated[Letter, Implicit(1)]}, "Explicit"),
    wrong(
        "Implicit on a union",
        Sequence, {"a": Annotated[UTCTime | GeneralizedTime, Implicit(1)]}, "Explicit",
    ),
    wrong(
        "Implicit on ANY",
        Sequence, {"a": Annotated[TLV, Implicit(1)]},
        "write Explicit(1)", "Annotated[SequenceOf[TLV], Implicit(1)]", "Annotated[OctetString, Implicit(1)]",
    ),
    wrong(
        "a text as the default of an INTEGER",
        Sequence, {"a": (int, "five")}, "five", "INTEGER||int",
    ),
    wrong("octets as the default of an INTEGER", Sequence, {"a": (int, b"5")}, "default"),
    wrong("a float as the default of an INTEGER", Sequence, {"a": (int, 1.5)}, "default"),
    wrong("a text as the default of a BOOLEAN", Sequence, {"a": (bool, "no")}, "default"),
    wrong("a number as the default of a string", Sequence, {"a": (str, 5)}, "default"),
    wrong("a text as the default of octets", Sequence, {"a": (bytes, "text")}, "default"),
    wrong("a default that is not an item", Sequence, {"a": (Colour, 99)}, "default"),
    wrong("a default outside its alphabet", Sequence, {"a": (PrintableString, "a@b")}, "default"),
    wrong(
        "a default outside its range",
        Sequence, {"a": (Annotated[int, Range(0, 5)], 6)}, "default",
    ),
    wrong(
        "a default outside its size",
        Sequence, {"a": (Annotated[str, Size(1)], "ab")}, "default",
    ),
    wrong("optional without its default", Sequence, {"a": int | None}, "| None = None"),
    wrong("a default of None without None in the type", Sequence, {"a": (int, None)}, "| None"),
    wrong("optional and a default", Sequence, {"a": (int | None, 5)}, "| None"),
    wrong("a complex number", Sequence, {"a": complex}, "Sequence"),
    wrong("any object", Sequence, {"a": object}, "Sequence"),
    wrong("a Python list", Sequence, {"a": list[int]}, "SequenceOf"),
    wrong("a bare Python list", Sequence, {"a": list}, "SequenceOf"),
    wrong("a dict", Sequence, {"a": dict[str, int]}, "SequenceOf||Sequence"),
    wrong("a tuple", Sequence, {"a": tuple[int, str]}, "SequenceOf||Sequence"),
    wrong("a datetime of neither type", Sequence, {"a": datetime}, "UTCTime", "GeneralizedTime"),
    wrong("a Flag", Sequence, {"a": enum.Flag}, "NamedBits"),
    wrong("a number as the type", Sequence, {"a": 5}, "5"),
    wrong("a list as the type", Sequence, {"a": [int]}, "int"),
    wrong("a list of nothing", Sequence, {"a": SequenceOf}, "SequenceOf"),
    wrong("Size on an INTEGER", Sequence, {"a": Annotated[int, Size(1)]}, "Size"),
    wrong("Size on a BOOLEAN", Sequence, {"a": Annotated[bool, Size(1)]}, "Size"),
    wrong("Size on a SEQUENCE", Sequence, {"a": Annotated[Inner, Size(1)]}, "Size"),
    wrong("Range on a string", Sequence, {"a": Annotated[str, Range(0, 5)]}, "Range"),
    wrong(
        "a selector that is not a field",
        Sequence, {"a": Annotated[Any, DefinedBy("k", TABLE)]}, "'k'",
    ),
    wrong(
        "a selector that is neither an OID nor a number",
        Sequence, {"k": bool, "a": Annotated[Any, DefinedBy("k", TABLE)]}, "'k'", "ObjectIdentifier",
    ),
    wrong(
        "a selector that is what it selects",
        Sequence, {"a": Annotated[Any, DefinedBy("a", TABLE)]}, "'a'", "itself",
    ),
    wrong(
        "a selector path that leads nowhere",
        Sequence, {"i": Inner, "a": Annotated[Any, DefinedBy("i.k", TABLE)]}, "i.k",
    ),
    wrong(
        "DefinedBy on an INTEGER",
        Sequence, {"k": ObjectIdentifier, "a": Annotated[int, DefinedBy("k", TABLE)]}, "DefinedBy",
    ),
    wrong(
        "a table for a selector outside any Sequence",
        Choice, {"a": Annotated[Any, DefinedBy("k", TABLE)]}, "DefinedBy", "Sequence",
    ),
    wrong(
        "a string that contains a type and an open one",
        Sequence,
        {"k": ObjectIdentifier, "a": Annotated[OctetString, DefinedBy("k", TABLE), Containing(int)]},
        "DefinedBy", "Containing",
    ),
    wrong(
        "a table for a list of open types",
        Sequence, {"k": ObjectIdentifier, "a": Annotated[SetOf[Any], DefinedBy("k", TABLE)]},
        "DefinedBy applies to Any, TLV, OctetString and BitString, not to SetOf[Any]",
    ),
    wrong("no items", Sequence, {"a": enum.IntEnum("Empty", {})}, "Empty", "items"),
    wrong("an Enum with texts", Sequence, {"a": enum.Enum("Names", {"one": "1"})}, "Names", "derlib.Enumerated"),
    wrong(
        "an Enum that is not an IntEnum",
        Sequence, {"a": enum.Enum("Plain", {"one": 1})}, "a: Plain is", "derlib.Enumerated", "derlib.NamedInteger",
    ),
    wrong("an item that is not a number", Sequence, {"a": Words}, "Words.one", "'1'"),
    wrong("an item beyond 64 bits", Sequence, {"a": enum.IntEnum("Huge", {"one": 2**63})}, "Huge.one", "2^63"),
    wrong("sizes that exclude each other", Sequence, {"a": Annotated[str, Size(1, 2), Size(3, 4)]}, "SIZE"),
    wrong("ranges that exclude each other", Sequence, {"a": Annotated[int, Range(1, 2), Range(3, 4)]}, "ranges"),
    wrong("None with a tag", Sequence, {"a": Annotated[None, Implicit(0)]}, "derlib.Null"),
    wrong("a constraint that nobody knows", Sequence, {"a": Annotated[int, Odd()]}, "Odd is not a constraint"),
    wrong("a list of a name", Choice, {"a": Annotated[SequenceOf[T], Explicit(0)]}, "~T"),
    wrong("a Tag in Annotated", Sequence, {"a": Annotated[int, Tag(0)]}, "a: Tag(0", "Implicit(0) or Explicit(0)"),
    wrong(
        "a Tag of another class in Annotated",
        Sequence, {"a": Annotated[int, Tag(3, "private")]}, "write Implicit(3, 'private') or Explicit(3, 'private')",
    ),
    wrong("the class Tag in Annotated", Sequence, {"a": Annotated[int, Tag]}, "write Implicit(...) or Explicit(...)"),
    wrong(
        "a Tag before the string that contains a type",
        Sequence, {"a": Annotated[int, Tag(0), OctetString, Containing(int)]}, "write Implicit(0) or Explicit(0)",
    ),
    wrong("a table in Annotated", Sequence, {"a": Annotated[Any, TABLE]}, "<OpenTypes TABLE", "write DefinedBy("),
    wrong("the class OpenTypes in Annotated", Sequence, {"a": Annotated[Any, OpenTypes]}, "write DefinedBy("),
    wrong("a Field in Annotated", Sequence, {"a": Annotated[int, Field("b", int)]}, "Field(name='b'", "fields=[...]"),
    wrong(
        "an enumeration in Annotated",
        Sequence, {"a": Annotated[int, Version]}, "<enum 'Version'> in Annotated", "as the first argument",
    ),
    wrong("an item in Annotated", Sequence, {"a": Annotated[int, Version.v1]}, "<Version.v1: 0>", "expected a tag"),
    wrong("a value in Annotated", Sequence, {"a": Annotated[int, Inner(number=1)]}, "Inner(number=1)", "a constraint"),
    wrong("limits in Annotated", Sequence, {"a": Annotated[int, Limits()]}, "Limits(", "expected a tag"),
    wrong(
        "a union after the first argument",
        Sequence, {"a": Annotated[Any, UTCTime | GeneralizedTime]}, "as the first argument",
    ),
    wrong(
        "a list of a name after the first argument",
        Sequence, {"a": Annotated[Any, SequenceOf["Inner"]]}, "SequenceOf['Inner']", "as the first argument",
    ),
    wrong("any tag at unknown additions", Set, {"a": TLV}, "'a'", "Explicit", extensible=True),
    wrong(
        "an extensible CHOICE before the place of unknown additions",
        Sequence, {"a": (Growing | None, None)}, "'a'", "unknown addition", "Explicit", extensible=True,
    ),
    wrong(
        "an extensible CHOICE among the members of an extensible SET",
        Set, {"a": int, "b": Growing}, "'b'", "unknown addition", "Explicit", extensible=True,
    ),
    wrong(
        "two extensible CHOICEs of which the first may be absent",
        Sequence, {"a": (Growing | None, None), "b": GrowingToo}, "'a'", "'b'", "52.7", "Explicit",
    ),
    wrong(
        "two extensible CHOICEs with a component between that may be absent",
        Sequence, {"a": (Growing | None, None), "c": (int | None, None), "b": GrowingToo}, "'a'", "'b'", "52.7",
    ),
    wrong("two extensible CHOICEs in a SET", Set, {"a": Growing, "b": GrowingToo}, "'a'", "'b'", "52.7"),
    wrong(
        "a component with the tag of a known alternative",
        Sequence, {"a": (Growing | None, None), "b": Annotated[int, Implicit(0)]}, "'a'", "'b'", "[0]",
    ),
    wrong("an extensible CHOICE before ANY", Sequence, {"a": (Growing | None, None), "b": TLV}, "'a'", "'b'",
        "any tag"),
    wrong("an extensible CHOICE in a CHOICE", Choice, {"a": Growing, "b": int}, "'a'", "Explicit"),
]


@pytest.mark.parametrize(("base", "hints", "words", "keywords"), WRONG)
def test_a_wrong_schema_is_rejected_when_the_class_is_made(base, hints, words, keywords):
    with pytest.raises(SchemaError) as caught:
        annotated_class(base, "WrongOne", hints, **keywords)
    message = str(caught.value)
    assert "WrongOne" in message
    assert any(name in message for name in hints)
    for word in words:
        assert any(one in message for one in word.split("||")), f"{word!r} is not in {message!r}"
    assert len(message) < 1000


METHODS = ["decode", "decode_prefix", "encode", "span", "raw", "der", "replace"]


@pytest.mark.parametrize("base", [Sequence, Set, Choice])
@pytest.mark.parametrize("name", METHODS)
def test_a_field_with_the_name_of_a_method_is_rejected(base, name):
    with pytest.raises(SchemaError, match="WrongOne") as caught:
        annotated_class(base, "WrongOne", {name: int})
    assert name in str(caught.value)
    with pytest.raises(SchemaError, match="WrongOne"):
        dynamic_class(base, "WrongOne", Field(name, int))


@pytest.mark.parametrize("name", ["alternative", "value"])
def test_an_alternative_with_the_name_of_a_property_is_rejected(name):
    with pytest.raises(SchemaError, match=name):
        annotated_class(Choice, "WrongOne", {name: int})
    assert annotated_class(Sequence, "RightOne", {name: int}).decode(bytes.fromhex("3003020105"))


def test_two_dynamic_fields_of_one_name_are_rejected():
    with pytest.raises(SchemaError, match="WrongOne"):
        dynamic_class(Sequence, "WrongOne", Field("a", int), Field("a", str))


def test_a_dynamic_field_is_not_both_optional_and_with_a_default():
    with pytest.raises(SchemaError, match="a"):
        dynamic_class(Sequence, "WrongOne", Field("a", int, optional=True, default=5))


def test_a_choice_without_alternatives_is_rejected():
    with pytest.raises(SchemaError, match="WrongOne"):
        annotated_class(Choice, "WrongOne", {})


def test_a_choice_that_is_its_own_alternative_without_a_tag_is_rejected():
    with pytest.raises(SchemaError, match="Loop"):
        annotated_class(Choice, "Loop", {"number": int, "again": "Loop"}).decode(b"\x02\x01\x05")


def nested_choices(levels: int) -> Any:
    inner: Any = int
    for level in range(levels):
        inner = dynamic_class(Choice, f"Level{level}", Field("inner", inner))
    return inner


def test_choices_are_nested_without_a_tag_up_to_a_limit():
    # The elements of the input do not limit this recursion, so a deeper schema would overflow the stack of a thread.
    value = nested_choices(16).decode(bytes.fromhex("020105"))
    for _ in range(16):
        value = value.inner
    assert value == 5
    with pytest.raises(SchemaError, match=r"Level16: more than 16 CHOICEs are nested .* a tag with Explicit"):
        nested_choices(17)
    nested_choices(16)
    dynamic_class(Choice, "Tagged", Field("inner", Annotated[nested_choices(16), Explicit(0)]))


def chain(levels: int) -> Any:
    """Return a class whose definition needs those after it, so that all are compiled together."""
    names: dict[str, Any] = {"Sequence": Sequence, "__name__": "chain"}
    for level in range(levels):
        inner = f"Level{level + 1}" if level < levels - 1 else "int"
        exec(f"class Level{level}(Sequence):\n    inner: {inner!r}", names)
    return names["Level0"]


@pytest.mark.parametrize("levels", [101, 102, 103, 1000])
def test_classes_that_are_defined_in_reverse_order(levels):
    """Those that are nested too deeply for the recursion limit of Python are filled after the others."""
    cls = chain(levels)
    assert [field.name for field in derlib.fields(cls)] == ["inner"]
    with pytest.raises(derlib.StructureError, match=r"^(inner\.){5}inner at offset 12: Level6 is missing"):
        cls.decode(bytes.fromhex("300a30083006300430023000"))


def test_the_same_tag_after_a_mandatory_field_is_not_ambiguous():
    optional = (int | None, None)
    cls = annotated_class(Sequence, "Right", {"a": optional, "b": bool, "c": optional})
    view = cls.decode(bytes.fromhex("3006 0101ff 020105"))
    assert (view.a, view.b, view.c) == (None, True, 5)
    with_any = annotated_class(Sequence, "Right", {"a": int, "b": (TLV | None, None)})
    assert with_any.decode(bytes.fromhex("3006 020105 020106")).b.value == 6


def test_optional_elements_of_a_list_are_rejected():
    with pytest.raises(SchemaError, match="marks an optional field"):
        derlib.decode(SequenceOf[int | None], b"\x30\0")


@pytest.mark.parametrize(
    ("base", "keywords", "words"),
    [
        (Sequence, {"tag": 5}, r"tag: expected Implicit\(...\) or Explicit\(...\), got int 5"),
        (SequenceOf[int], {"size": 5}, r"size: expected Size\(...\), got int 5"),
        (Sequence, {"fields": 5}, r"fields: expected a list \[Field\(name, type\), ...\], got int 5"),
        (Sequence, {"fields": ["a"]}, r"fields: expected a list .*, got list \['a'\]"),
    ],
)
def test_a_wrong_class_keyword_is_rejected(base, keywords, words):
    with pytest.raises(SchemaError, match=f"^WrongOne: {words}"):
        annotated_class(base, "WrongOne", {}, **keywords)


def test_a_list_with_fields_or_without_elements_is_rejected():
    with pytest.raises(SchemaError, match="WrongOne: a list has no fields"):
        annotated_class(SequenceOf[int], "WrongOne", {"a": int})
    with pytest.raises(SchemaError, match="WrongOne has no element type"):
        annotated_class(SetOf, "WrongOne", {}).decode(b"\x31\0")


class Boxed(Sequence, Generic[T]):
    value: T


def test_wrong_type_arguments_are_rejected():
    with pytest.raises(SchemaError, match="Boxed: expected 1 type argument, got 2"):
        Boxed[int, str]
    with pytest.raises(SchemaError, match="SetOf: expected 1 type argument, got 2"):
        SetOf[int, str]
    with pytest.raises(SchemaError, match="Inner takes no type arguments"):
        Inner[int]
    for expression in (SequenceOf["Inner"], Annotated[SequenceOf["Inner"], Explicit(0)], Boxed["Inner"]):
        with pytest.raises(SchemaError, match="the type argument 'Inner' is not a type here; give a type"):
            derlib.decode(expression, b"\x30\0")


def test_a_list_class_with_an_unhashable_argument_is_not_cached():
    element = Annotated[int, Unhashable()]
    assert SequenceOf[element] is not SequenceOf[element]
    assert list(SequenceOf[element].decode(bytes.fromhex("3003020105"))) == [5]


class Unhashable:
    __hash__ = None  # type: ignore[assignment]


class HashFails:
    def __hash__(self) -> int:
        raise TypeError("not today")


def test_other_objects_in_an_annotation_may_be_unhashable():
    assert derlib.decode(Annotated[int, Unhashable()], b"\2\1\5") == 5
    with pytest.raises(TypeError, match="not today"):
        derlib.decode(Annotated[int, HashFails()], b"\2\1\5")


@pytest.mark.parametrize(
    "item",
    [0, "a", None, object(), object, int | str, list[int], list[Inner], enum.Enum("E", "a"), derlib, derlib.decode],
    ids=lambda item: type(item).__name__,
)
def test_other_objects_in_an_annotation_are_ignored(item):
    assert derlib.encode(5, Annotated[int, item]) == b"\2\1\5"


def test_an_annotation_that_is_not_python_is_rejected():
    with pytest.raises(SchemaError, match=r"WrongOne: the annotation 'int \+' is not Python"):
        annotated_class(Sequence, "WrongOne", {"a": "int +"})


def test_the_error_for_an_undefined_name_names_its_class():
    late = annotated_class(Sequence, "Late", {"a": "NotDefined"})
    around = annotated_class(Sequence, "Around", {"late": late})
    message = f"^Late: the name 'NotDefined' in an annotation is not defined; define it in module {__name__} before"
    for use in (late, around, SequenceOf[late], Annotated[late, Implicit(0)]):
        with pytest.raises(SchemaError, match=message):
            derlib.decode(use, b"\x30\0")


def test_a_table_without_a_name_is_rejected():
    with pytest.raises(SchemaError, match=r"name: expected str, got dict .*; write OpenTypes\('NAME', {...}\)$"):
        OpenTypes({"1.2.1": int})


@pytest.mark.parametrize(
    "expression",
    [complex, list[int], "int", 5, None, T, datetime, {}, Sequence, Set, Choice, SequenceOf, SetOf],
)
def test_expressions_that_are_not_types_cannot_be_decoded(expression):
    with pytest.raises(SchemaError):
        derlib.decode(expression, b"\x30\x00")


@pytest.mark.parametrize("base", [Sequence, Set, Choice, SequenceOf, SetOf])
def test_a_base_class_alone_is_not_a_schema(base):
    with pytest.raises(SchemaError, match=base.__name__) as caught:
        base.decode(b"\x30\x00")
    assert ("element type" in str(caught.value)) == (base in (SequenceOf, SetOf))


def test_octets_before_the_type_are_a_wrong_call():
    with pytest.raises(TypeError, match=r"decode\(type, data\)"):
        derlib.decode(b"\x30\x00", int)


def test_the_message_about_a_long_expression_is_bounded():
    with pytest.raises(SchemaError) as caught:
        derlib.encode(5, bytes(10_000))
    assert len(str(caught.value)) < 100


def test_a_selector_under_a_tag_selects_or_is_rejected():
    body = Annotated[Any, DefinedBy("k", TABLE)]
    implicit = annotated_class(
        Sequence, "TaggedSelector", {"k": Annotated[ObjectIdentifier, Implicit(0)], "a": body}
    )
    assert implicit.decode(bytes.fromhex("3007 80022a01 020105")).a == 5
    with pytest.raises(DecodeError):
        implicit.decode(bytes.fromhex("3007 80022a01 0101ff"))
    try:
        explicit = annotated_class(
            Sequence, "TaggedSelector", {"k": Annotated[ObjectIdentifier, Explicit(0)], "a": body}
        )
    except SchemaError:
        return
    assert explicit.decode(bytes.fromhex("3009 a00406022a01 020105")).a == 5
    with pytest.raises(DecodeError):
        explicit.decode(bytes.fromhex("3009 a00406022a01 0101ff"))


def lines_of(error: BaseException) -> list[str]:
    return [frame.line or "" for frame in traceback.extract_tb(error.__traceback__)]


def test_the_traceback_of_a_schema_error_ends_in_the_line_of_the_program() -> None:
    """Also at first use, which is a call of a method, and for the type of a call."""

    class Later(Sequence):
        value: "Undefined"  # type: ignore[name-defined]  # noqa: F821

    for use in (
        lambda: Later.decode(b"\x30\x00"),
        lambda: Later(value=1),
        lambda: derlib.decode(list[int], b"\x30\x00"),
        lambda: derlib.encode(1, "Undefined"),
    ):
        with pytest.raises(SchemaError) as caught:
            use()
        assert "lambda: " in lines_of(caught.value)[-1]
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "use",
    [
        lambda: Size(5, 1),
        lambda: Range("a"),  # type: ignore[arg-type]
        lambda: Explicit(-1),
        lambda: Implicit("x"),  # type: ignore[arg-type]
        lambda: DefinedBy(5, 3),  # type: ignore[arg-type]
        lambda: derlib.Alphabet("b-a"),
        lambda: derlib.OneOf(),
        lambda: derlib.Extensible(5),  # type: ignore[arg-type]
        lambda: OpenTypes("T", {"1.x": int}),
        lambda: SequenceOf[int, int],  # type: ignore[misc]
        lambda: SequenceOf[Annotated[int, Size(3)]],
        lambda: derlib.fields(int),
        lambda: derlib.with_open_types(SequenceOf[int], {"a": OpenTypes("T")}),
    ],
)
def test_the_traceback_of_a_wrong_marker_or_constraint_ends_in_the_line_of_the_program(use: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        use()
    lines = traceback.extract_tb(caught.value.__traceback__)
    assert lines[-1].filename == __file__
    # One function of derlib is between the call and the end.
    (other,) = (Path(line.filename).name for line in lines if line.filename != __file__)
    assert other in ("tracebacks.py", "metaclass.py")


@pytest.mark.parametrize("base", [Enumerated, NamedInteger, derlib.NamedBits])
def test_the_traceback_of_a_wrong_enumeration_ends_in_the_line_of_the_program(base: Any) -> None:
    for members in ({"a": 1, "b": 1}, {"a": "1"}):
        with pytest.raises(SchemaError) as caught:
            base("Wrong", members)
        assert 'base("Wrong", members)' in lines_of(caught.value)[-1]
    with pytest.raises(SchemaError) as caught:

        class Wrong(base):
            a = 1.5

    # The line of the class statement, or its last one on Python 3.10.
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == __file__


def test_a_default_that_contains_itself_is_refused() -> None:
    """Its value would have no end."""
    with pytest.raises(SchemaError, match="the default of inner of Direct contains itself"):

        class Direct(Sequence):
            number: int = 1
            inner: Annotated["Direct", Explicit(1)] = {}  # type: ignore[assignment]

    with pytest.raises(SchemaError, match="the default of inner of Listed contains itself"):

        class Listed(Sequence):
            number: int = 1
            inner: Annotated[SequenceOf["Listed"], Explicit(1)] = [{}]  # type: ignore[assignment]


def test_a_default_can_contain_the_same_class_with_an_end() -> None:
    class Ended(Sequence):
        number: int = 1
        inner: "Annotated[Ended, Explicit(1)] | None" = None
        other: "Annotated[SequenceOf[Ended], Explicit(2)]" = []  # type: ignore[assignment]

    assert Ended().to_native() == {"number": 1, "other": []}

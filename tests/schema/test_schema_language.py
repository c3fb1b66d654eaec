"""Schemas as users write them: annotations, the equivalent dynamic form, references, generics.

A wrong schema raises `SchemaError` when the class is created, if this is possible. The message names the class, the
field and the remedy.
"""

import copy
import gc
import inspect
import pickle
import pydoc
import sys
import types
import typing
import weakref
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import pytest
from support.classes import annotated_class, dynamic_class

import derlib
from derlib import (
    TLV,
    BitString,
    Choice,
    ConstraintViolation,
    DecodeError,
    DefinedBy,
    Enumerated,
    Explicit,
    Field,
    IA5String,
    Implicit,
    NamedBits,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
)

T = TypeVar("T")
U = TypeVar("U")

TABLE = OpenTypes("TABLE")
TABLE.register("1.2.1", int)


class Colour(Enumerated):
    red = 0
    green = 1


class Flags(NamedBits):
    a = 1 << 0
    b = 1 << 1


class Version(NamedInteger):
    v1 = 0
    v2 = 1


class Inner(Sequence):
    number: int


class Letter(Choice):
    text: IA5String
    flag: bool


# Annotations and the dynamic form.


class Written(Sequence):
    kind: ObjectIdentifier
    critical: bool = False
    version: Annotated[Version, Explicit(0)] = Version.v1
    number: Annotated[int, Implicit(1), Range(0, 9)] | None = None
    names: Annotated[SequenceOf[IA5String], Size(1, 2)]
    letter: Letter | None = None
    body: Annotated[Any, OctetString, DefinedBy("kind", TABLE)]


Listed = dynamic_class(
    Sequence,
    "Listed",
    Field("kind", ObjectIdentifier),
    Field("critical", bool, default=False),
    Field("version", Annotated[Version, Explicit(0)], default=Version.v1),
    Field("number", Annotated[int, Implicit(1), Range(0, 9)], optional=True),
    Field("names", Annotated[SequenceOf[IA5String], Size(1, 2)]),
    Field("letter", Letter, optional=True),
    Field("body", Annotated[Any, OctetString, DefinedBy("kind", TABLE)]),
)

# Contents octets of both classes; the tests add the header.
GOOD_TEXTS = [
    "06022a01 3003160161 0403020105",
    "06022a01 0101ff 3003160161 0403020105",
    "06022a01 a003020101 3003160161 0403020105",
    "06022a01 810107 3003160161 16017a 0403020105",
    "06022a09 0101ff 3006160161160162 010100 0402ffff",
]

BAD_TEXTS = [
    pytest.param("06022a01 010100 3003160161 0403020105", id="an encoded default"),
    pytest.param("06022a01 a003020100 3003160161 0403020105", id="one under a tag"),
    pytest.param("06022a01 81010a 3003160161 0403020105", id="a number out of its range"),
    pytest.param("06022a01 3000 0403020105", id="a list out of its size"),
    pytest.param("06022a01 3003160161 04020500", id="another type than the selected one"),
    pytest.param("06022a01 3003160161 0500 0500", id="a wrong component"),
    pytest.param("06022a01 3003160161 0400", id="no open type in its string"),
    pytest.param("06022a01 3003160161", id="a missing component"),
    pytest.param("", id="no components"),
    pytest.param("06022a01 3003160161 0403020105 0500", id="an extra component"),
]


def sequence(text: str) -> bytes:
    contents = bytes.fromhex(text)
    return bytes([0x30, len(contents)]) + contents


def shown(view: Any) -> list[Any]:
    names = [field.name for field in derlib.fields(type(view))]
    return [(view.span(name), repr(getattr(view, name))) for name in names]


@pytest.mark.parametrize("text", GOOD_TEXTS)
def test_the_annotated_and_the_dynamic_form_read_the_same(text):
    assert shown(Written.decode(sequence(text))) == shown(Listed.decode(sequence(text)))


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_the_annotated_and_the_dynamic_form_reject_the_same(text):
    errors = []
    for cls in (Written, Listed):
        with pytest.raises(DecodeError) as caught:
            cls.decode(sequence(text))
        error = caught.value
        errors.append((type(error), error.path, error.offset, error.rule, error.kind, error.detail))
    assert errors[0] == errors[1]


def test_the_two_forms_have_the_same_fields():
    written = derlib.fields(Written)
    listed = derlib.fields(Listed)
    assert [one.name for one in written] == [
        "kind", "critical", "version", "number", "names", "letter", "body",
    ]  # fmt: skip
    for one, other in zip(written, listed, strict=True):
        assert (one.name, one.optional, one.default) == (other.name, other.optional, other.default)
    assert [one.optional for one in written] == [False, False, False, True, False, True, False]
    assert written[1].default is False
    assert written[2].default is Version.v1


def test_a_dynamic_field_may_have_a_name_that_is_a_keyword():
    fields = [Field("class", int), Field("from", str, optional=True)]
    cls = dynamic_class(Sequence, "Keywords", *fields)
    view = cls.decode(bytes.fromhex("3003020105"))
    assert getattr(view, "class") == 5
    assert getattr(view, "from") is None
    assert view.span("class").offset == 2


def test_the_dynamic_form_makes_choices_and_sets():
    choice = dynamic_class(Choice, "Arms", Field("number", int), Field("text", str))
    value = choice.decode(b"\x0c\x01a")
    assert (value.alternative, value.value) == ("text", "a")
    members = dynamic_class(Set, "Members", Field("number", int), Field("flag", bool))
    assert members.decode(bytes.fromhex("31060101ff020105")).number == 5


def test_a_tag_and_a_size_may_be_class_keywords():
    tagged = annotated_class(Sequence, "Tagged", {"number": int}, tag=Implicit(3, "private"))
    assert tagged.decode(bytes.fromhex("e303020105")).number == 5
    dynamic = dynamic_class(Sequence, "Dynamic", Field("number", int), tag=Explicit(3))
    assert dynamic.decode(bytes.fromhex("a3053003020105")).number == 5


# Python types, and values.


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        pytest.param(bool, "0101ff", True, id="bool"),
        pytest.param(int, "020105", 5, id="int"),
        pytest.param(bytes, "040105", b"\x05", id="bytes"),
        pytest.param(str, "0c0161", "a", id="str"),
        pytest.param(Null, "0500", derlib.NULL, id="Null"),
        pytest.param(Colour, "0a0101", Colour.green, id="Enumerated"),
        pytest.param(Version, "020101", Version.v2, id="NamedInteger"),
        pytest.param(Version, "020107", 7, id="NamedInteger without a name"),
        pytest.param(Flags, "030206c0", Flags.a | Flags.b, id="NamedBits"),
        pytest.param(ObjectIdentifier, "06012a", ObjectIdentifier("1.2"), id="ObjectIdentifier"),
        pytest.param(int | str, "0c0161", "a", id="union"),
        pytest.param(typing.Union[int, str], "020105", 5, id="typing.Union"),  # noqa: UP007
    ],
)
def test_a_python_type_is_an_asn1_type(hint, text, value):
    data = bytes.fromhex(text)
    assert derlib.decode(hint, data) == value
    cls = annotated_class(Sequence, "Holder", {"value": hint})
    assert cls.decode(bytes([0x30, len(data)]) + data).value == value
    optional = annotated_class(Sequence, "Holder", {"value": (hint | None, None)})
    assert optional.decode(b"\x30\x00").value is None
    assert optional.decode(bytes([0x30, len(data)]) + data).value == value


def test_enumerations_are_members_of_their_classes():
    value = derlib.decode(Colour, b"\x0a\x01\x01")
    assert value is Colour.green
    named = derlib.decode(Version, b"\x02\x01\x01")
    assert named is Version.v2
    flags = derlib.decode(Flags, bytes.fromhex("030206c0"))
    assert isinstance(flags, Flags)
    assert Flags.b in flags


class Grade(Enumerated, extensible=True):
    first = 1
    second = 2


@pytest.mark.parametrize(
    ("member", "text", "truth"),
    [
        (Colour(0), "red", True),
        (Colour.green, "green", True),
        (Version(0), "v1", False),
        (Version(9), "9", True),
        (Grade(9), "unknown (9)", True),
    ],
)
def test_the_text_of_a_member_is_its_name(member, text, truth):
    """An item with the number 0 differs from an absent value also in `if`. A NamedInteger is a number like others."""
    assert (str(member), f"{member}", f"{member:d}") == (text, text, str(int(member)))
    assert (bool(member), member == int(member)) == (truth, True)


@pytest.mark.parametrize("cls", [Grade, Version])
@pytest.mark.parametrize("number", [9, -1, 2**64 + 2, -(10**5000)], ids=["small", "negative", "of 65 bits", "huge"])
def test_a_number_without_a_name_is_an_instance_of_its_class(cls, number):
    contents = number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)
    tag = b"\x0a" if issubclass(cls, Enumerated) else b"\x02"
    octets = tag + derlib.encode(number, int)[1:]
    value = derlib.decode(cls, octets)
    # The type that a type checker assumes is correct, and the attributes of a member exist.
    assert type(value) is cls
    assert (value == number, hash(value) == hash(number), value.value == number) == (True, True, True)
    assert value.name.startswith("unknown (")
    assert value not in list(cls)
    assert len(cls(number).name) < 100
    assert len(repr(value)) < 100
    assert int(value).to_bytes(len(contents), "big", signed=True) == contents
    for same in (cls(number), pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert (type(same), same == value) == (cls, True)
    assert derlib.encode(value, cls) == derlib.encode(number, cls) == octets
    # Members are not stored when they are read: otherwise input could fill the memory.
    assert number not in cls._value2member_map_

    class Holder(Sequence):
        item: cls

    view = Holder(item=number)
    assert type(view.item) is cls
    assert Holder.decode(view.encode()) == Holder(item=value) == Holder.from_native(view.to_native()) == view
    assert Holder.from_json(view.to_json()) == view
    assert type(view.to_native()["item"]) is int
    assert len(repr(view)) < 150
    assert len(derlib.pretty(view)) < 150


def test_an_unknown_number_of_a_closed_enumeration_and_any_text_are_rejected():
    for cls, value in ((Colour, 9), (Grade, "9"), (Grade, 9.0), (Version, None), (Grade, "first")):
        with pytest.raises(ValueError, match="is not a valid"):
            cls(value)


@pytest.mark.parametrize(
    ("hint", "given", "value"),
    [
        (SequenceOf[int], [1], SequenceOf[int]([1])),
        (SetOf[int], (3, 1), SetOf[int]([1, 3])),
        (Inner, {"number": 1}, Inner(number=1)),
        (BitString, b"a", BitString(b"a")),
        (bytes, bytearray(b"a"), b"a"),
        (ObjectIdentifier, "2.999", ObjectIdentifier("2.999")),
        (Colour, "green", Colour.green),
        (Version, 1, Version.v2),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_default_of_plain_data_reads_as_a_value_of_its_type(hint, given, value):
    cls = types.new_class("WithDefault", (Sequence,), {"fields": [Field("a", hint, default=given)]})
    for item in (cls(), cls.decode(b"\x30\x00")):
        assert (type(item.a), item.a) == (type(value), value)


def test_a_default_that_datetime_cannot_represent_is_its_text():
    cls = types.new_class(
        "WithDefault", (Sequence,), {"fields": [Field("a", derlib.GeneralizedTime, default="00000101000000Z")]}
    )
    assert cls().a == "00000101000000Z"


def test_a_list_matches_a_sequence_pattern():
    class Row(SequenceOf[int]):
        pass

    for numbers in (SequenceOf[int]([1, 2, 3]), SetOf[int]([1, 2, 3]), Row([1, 2, 3])):
        match numbers:
            case [first, *rest]:
                assert (first, rest) == (1, [2, 3])
            case _:
                pytest.fail("the list does not match")


def test_fields_accepts_a_value():
    assert derlib.fields(Inner(number=1)) == derlib.fields(Inner)
    with pytest.raises(SchemaError, match="no fields"):
        derlib.fields(SequenceOf[int]([1]))


def test_help_shows_how_a_class_is_called():
    class Ticket(Sequence):
        number: Annotated[int, Range(0, 9)]
        urgent: bool = False
        note: str | None = None

    names = inspect.signature(Ticket).parameters
    assert str(inspect.signature(Ticket)) == "(*, number: 'INTEGER', urgent: bool = False, note: str | None = None)"
    assert [parameter.default for parameter in names.values()] == [inspect.Parameter.empty, False, None]
    assert {parameter.kind for parameter in names.values()} == {inspect.Parameter.KEYWORD_ONLY}


def test_help_shows_the_alternatives_of_a_choice():
    class Holder(Choice):
        name: str
        number: int

    assert str(inspect.signature(Holder)) == "(*, name: str = ..., number: int = ...)"
    assert "Ellipsis" not in pydoc.render_doc(Holder)


def test_help_shows_the_rfc_text_then_the_fields_then_the_properties():
    from derlib.schemas.x509 import Certificate

    page = pydoc.plain(pydoc.render_doc(Certificate)).splitlines()
    (text,) = (number for number, line in enumerate(page) if "Certificate ::= SEQUENCE" in line)
    fields = sorted(page.index(f" |  {name}") for name in ("tbs_certificate", "signature_algorithm", "signature_value"))
    assert text < fields[0] < fields[-1] < page.index(" |  subject") < page.index(" |  dns_names")
    # Before the fields are the text, and the methods of the class itself.
    (method,) = (number for number, line in enumerate(page) if line.startswith(" |  signed("))
    assert text < 15 < method < fields[0] < 70


def test_help_has_unknown_additions_only_for_an_extensible_type():
    class Closed(Sequence):
        x: int

    class Open(Sequence, extensible=True):
        x: int

    shown = ["unknown_additions" in pydoc.render_doc(cls) for cls in (Closed, Open, Sequence)]
    assert shown == [False, True, True]
    assert "unknown_additions" in dir(Open)
    assert "__bytes__" not in dir(Closed)


def test_help_works_for_a_class_without_a_signature():
    class Waiting(Sequence):
        later: "NeverDefined"  # noqa: F821

    keyword = types.new_class("Keyword", (Sequence,), {"fields": [Field("class", int)]})
    for cls in (Waiting, keyword, Sequence, Choice):
        assert str(inspect.signature(cls)) == "(**values)"
        assert cls.__name__ in pydoc.render_doc(cls)


def test_the_error_for_the_complement_of_named_bits_says_how_to_clear_bits():
    with pytest.raises(ValueError, match=r"a \^ \(a & b\)"):
        _ = ~Flags.a


def test_a_named_bit_that_is_read_from_a_value_says_whether_it_is_set():
    flags = derlib.decode(Flags, bytes.fromhex("03020780"))
    assert (flags.a, flags.b, Flags.b.a, Flags.b.b) == (True, False, False, True)
    assert Flags.a in flags
    assert flags == Flags.a
    with pytest.raises(AttributeError, match="cannot be changed in a value"):
        flags.b = True


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("b", "expected a member such as Flags.b, got str 'b'; value.names has strings"),
        ("x", "expected a member such as Flags.a, got str 'x'; value.names has strings"),
        (1, "expected a member such as Flags.a, got int 1; value.names has strings"),
    ],
)
def test_only_members_are_in_a_value_of_named_bits(wrong, message):
    with pytest.raises(TypeError) as caught:
        wrong in Flags.a  # noqa: B015
    assert str(caught.value) == message


def test_methods_and_properties_may_be_defined_on_a_schema_class():
    class Interval(Sequence):
        low: int
        high: int

        LIMIT = 100

        @property
        def width(self) -> int:
            return self.high - self.low

        def contains(self, number: int) -> bool:
            return self.low <= number <= self.high

        @classmethod
        def of_hex(cls, text: str) -> "Interval":
            return cls.decode(bytes.fromhex(text))

    interval = Interval.of_hex("3006020102020105")
    assert interval.width == 3
    assert interval.contains(4)
    assert interval.LIMIT == 100
    assert [field.name for field in derlib.fields(Interval)] == ["low", "high"]


def test_a_class_variable_is_not_a_field():
    class Bounded(Sequence):
        LIMIT: ClassVar[int] = 100
        number: int

    assert [field.name for field in derlib.fields(Bounded)] == ["number"]
    assert Bounded(number=5).LIMIT == 100


def test_a_derived_class_has_the_fields_of_its_base_first():
    class Base(Sequence):
        number: int

        def double(self) -> int:
            return 2 * self.number

    class Derived(Base):
        flag: bool = False

    view = Derived.decode(bytes.fromhex("30060201050101ff"))
    assert (view.number, view.flag, view.double()) == (5, True, 10)
    assert isinstance(view, Base)
    assert Base.decode(bytes.fromhex("3003020105")).number == 5
    with pytest.raises(DecodeError):
        Base.decode(bytes.fromhex("30060201050101ff"))


def test_views_are_immutable():
    view = Inner.decode(bytes.fromhex("3003020105"))
    with pytest.raises(AttributeError):
        view.number = 6
    with pytest.raises(AttributeError):
        view.other = 6
    with pytest.raises(AttributeError):
        del view.number
    assert view.number == 5


def test_views_compare_and_hash_by_their_encoding():
    one = Inner.decode(bytes.fromhex("3003020105"))
    same = Inner.decode(memoryview(bytes.fromhex("ff3003020105"))[1:])
    other = Inner.decode(bytes.fromhex("3003020106"))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != 5
    assert len({one, same, other}) == 2


def test_a_view_shows_its_class_and_its_fields():
    text = repr(Written.decode(sequence(GOOD_TEXTS[0])))
    for part in ("Written", "kind", "1.2.1", "critical", "False", "names", "body", "5"):
        assert part in text


# References to classes that are defined later.


class Early(Sequence):
    later: "Later"
    several: "SequenceOf[Later]"
    tagged: "Annotated[Later, Explicit(0)] | None" = None
    inside: SequenceOf["Later"] | None = None


class Later(Sequence):
    number: int


class LinkedList(Sequence):
    head: int
    tail: "LinkedList | None" = None


class Expression(Choice):
    number: int
    sum: "Annotated[Terms, Implicit(0)]"


class Terms(SequenceOf["Expression"]):
    pass


class Even(Sequence):
    odd: "Odd | None" = None


class Odd(Sequence):
    even: Even | None = None


class Outer(Choice):
    inner: "Within"
    number: int


class Within(Choice):
    outer: Annotated[Outer, Explicit(0)]
    flag: bool


def test_a_reference_to_a_later_class_is_resolved_at_first_use():
    view = Early.decode(bytes.fromhex("3013 3003020101 30053003020102 a0053003020103"))
    assert (view.later.number, view.several[0].number, view.tagged.number) == (1, 2, 3)
    assert isinstance(view.later, Later)
    view = Early.decode(bytes.fromhex("300e 3003020101 3000 30053003020102"))
    assert view.inside[0].number == 2


ANNOTATIONS = {
    "a name": "int",
    "a marker": "Annotated[int, Implicit(1)]",
    "a union": "int | str",
    "an alias of typing": "typing.Union[int, str]",
    "anything": "Any",
    "a list": "SequenceOf[int]",
    "a name in a list": "SequenceOf['Later']",
    "a name in Annotated": "Annotated['Later', Explicit(2)]",
    "a name in a name": "'Later'",
}


@pytest.mark.parametrize("text", ANNOTATIONS.values(), ids=ANNOTATIONS)
def test_the_text_of_an_annotation_means_what_get_type_hints_says(text):
    holder = types.SimpleNamespace(__annotations__={"field": text})
    expected = typing.get_type_hints(holder, globals(), include_extras=True)["field"]
    holding = annotated_class(Sequence, "Holding", {"field": text})
    assert derlib.fields(holding)[0].type == expected


@pytest.mark.parametrize("text", ["", " int", "*int", "int int", "5", "()", "(int,)", "lambda: 0", "Later.number"])
def test_the_text_of_an_annotation_that_is_not_a_type_is_a_schema_error(text):
    with pytest.raises(SchemaError, match=r"is not Python|is not a type"):
        annotated_class(Sequence, "Holding", {"field": text})


def test_a_class_may_refer_to_itself():
    view = LinkedList.decode(bytes.fromhex("300d 020101 3008 020102 3003 020103"))
    assert (view.head, view.tail.head, view.tail.tail.head) == (1, 2, 3)
    assert view.tail.tail.tail is None
    assert view.span("tail", "tail", "head").offset == 12


def test_choices_and_lists_may_refer_to_each_other():
    view = Expression.decode(bytes.fromhex("a00a 020101 a003020102 a000"))
    assert [term.alternative for term in view.sum] == ["number", "sum", "sum"]
    assert view.sum[1].sum[0].number == 2
    assert len(view.sum[2].sum) == 0


def test_two_choices_can_contain_each_other():
    # The second one is used first, so it is not complete when the first one needs its tags.
    assert Within.decode(bytes.fromhex("a003020105")).outer.number == 5
    assert Outer.decode(bytes.fromhex("a0030101ff")) == Outer(inner=Within(outer=Outer(inner=Within(flag=True))))


def test_two_classes_may_refer_to_each_other():
    view = Even.decode(bytes.fromhex("3004 3002 3000"))
    assert isinstance(view.odd, Odd)
    assert isinstance(view.odd.even, Even)
    assert view.odd.even.odd is None


def test_future_annotations_are_supported(monkeypatch):
    source = """
from __future__ import annotations
from typing import Annotated
from derlib import Explicit, Sequence, SequenceOf

class First(Sequence):
    second: Second
    several: Annotated[SequenceOf[Second], Explicit(0)] | None = None
    first: Annotated[First, Explicit(1)] | None = None
    flag: bool = False

class Second(Sequence):
    number: int
"""
    module = types.ModuleType("module_of_the_future")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, module.__name__, "exec", dont_inherit=True), vars(module))
    view = module.First.decode(bytes.fromhex("301a 3003020101 a0073005 3003020102 a1073005 3003020103 0101ff"))
    assert view.second.number == 1
    assert view.several[0].number == 2
    assert view.first.second.number == 3
    assert view.flag is True


def test_a_class_that_an_annotation_of_another_class_makes_is_compiled_with_it(monkeypatch):
    # Encoding with a plan that is not sealed is many times slower.
    source = """
from __future__ import annotations
from derlib import Sequence

class Outer(Sequence):
    number: make()
"""

    made = []

    def make():
        made.append(dynamic_class(Sequence, "Inner", Field("number", int)))
        return int

    module = types.ModuleType("module_that_makes_a_class")
    module.make = make
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(source, vars(module))
    assert module.Outer.__plan__.sealed
    assert [each.__plan__.sealed for each in made] == [True] * len(made)
    assert made


def test_a_name_that_is_never_defined_is_named_at_first_use():
    cls = annotated_class(Sequence, "Dangling", {"field": "NoSuchClassAnywhere"})
    with pytest.raises(SchemaError, match="Dangling") as caught:
        cls.decode(b"\x30\x00")
    assert "NoSuchClassAnywhere" in str(caught.value)


# Generics.


class Signed(Sequence, Generic[T]):
    content: T
    signature: BitString


class Page(Sequence, Generic[T, U]):
    items: SequenceOf[T]
    last: Annotated[U, Explicit(0)] | None = None


class Numbers(SequenceOf[int], size=Size(1, None)):
    pass


def test_a_list_type_is_one_class_for_one_element_type():
    assert SequenceOf[int] is SequenceOf[int]
    assert SequenceOf[int] is not SequenceOf[bytes]
    nested = derlib.decode(SetOf[SequenceOf[Inner]], bytes.fromhex("3107 3005 3003020105"))
    assert nested[0][0].number == 5


def test_classes_with_type_arguments_are_freed_with_their_arguments():
    def schema() -> list[object]:
        table = OpenTypes("TABLE", {})

        class Colour(Enumerated):
            red = 0

        class Tree(Sequence):
            colours: SequenceOf[Colour]
            key: ObjectIdentifier
            others: SetOf[Annotated[Any, DefinedBy("key", table)]]
            children: "SequenceOf[Tree]"

        table.register("1.2", SequenceOf[Tree])
        lists = SequenceOf[Tree], SequenceOf[Colour], SetOf[Annotated[Any, DefinedBy("key", table)]]
        assert lists == (SequenceOf[Tree], SequenceOf[Colour], SetOf[Annotated[Any, DefinedBy("key", table)]])
        assert Tree(key="1.2.3", colours=[0], others=[], children=[]).children == SequenceOf[Tree]([])
        return [Tree, Colour, table, *lists]

    refs = [weakref.ref(each) for each in schema()]
    # `typing` remembers as many.
    for number in range(128):
        Annotated[int, number]
    gc.collect()
    assert [ref() for ref in refs] == [None] * 6


def test_an_alias_is_the_type_that_it_names():
    names: dict[str, Any] = {"Alias": types.SimpleNamespace(__value__=int)}
    if sys.version_info >= (3, 12):
        exec("type Alias = int", names)
    assert derlib.decode(names["Alias"], b"\2\1\5") == 5
    assert list(derlib.decode(SequenceOf[names["Alias"]], bytes.fromhex("3003020105"))) == [5]


def test_a_list_of_open_types_has_the_size_of_its_class():
    class Few(SetOf[Annotated[Any, DefinedBy("kind", TABLE)]], size=Size(1, 2)):
        pass

    class Around(Sequence):
        kind: ObjectIdentifier
        values: Few

    assert list(Around.decode(bytes.fromhex("3009 06022a01 3103020105")).values) == [5]
    with pytest.raises(ConstraintViolation, match=r"values at offset 6: Few has size 0, outside SIZE \(1..2\)"):
        Around.decode(bytes.fromhex("3006 06022a01 3100"))


def test_alternatives_with_one_name_are_distinguished():
    first = dynamic_class(Choice, "Arms", Field("a", Annotated[int, Implicit(0)]))
    second = dynamic_class(Choice, "Arms", Field("b", Annotated[int, Implicit(1)]))
    values = SequenceOf[first | second].decode(bytes.fromhex("3006800105810106"))
    assert [value.alternative for value in values] == ["a", "b"]
    assert values.to_json() == '[{"Arms": {"a": 5}}, {"Arms #2": {"b": 6}}]'
    assert SequenceOf[first | second].from_json(values.to_json()) == values


def test_a_generic_sequence_takes_the_type_of_its_field():
    view = Signed[Inner].decode(bytes.fromhex("3008 3003020105 030100"))
    assert view.content.number == 5
    view = Signed[int].decode(bytes.fromhex("3006 020105 030100"))
    assert view.content == 5
    with pytest.raises(DecodeError):
        Signed[str].decode(bytes.fromhex("3006 020105 030100"))
    with pytest.raises(SchemaError, match="Signed"):
        Signed.decode(bytes.fromhex("3006 020105 030100"))


def test_a_generic_sequence_may_take_several_types():
    view = Page[int, str].decode(bytes.fromhex("300d 3006020101020102 a0030c0161"))
    assert list(view.items) == [1, 2]
    assert view.last == "a"


def test_a_named_list_type_is_a_class_of_its_own():
    view = Numbers.decode(bytes.fromhex("3003020105"))
    assert isinstance(view, Numbers)
    assert list(view) == [5]
    assert "Numbers" in repr(view)


def test_a_table_is_a_collection_of_identifiers():
    table = OpenTypes("TWO", {"1.2.3": int, "1.2.4": str}, on_mismatch="opaque")
    assert list(table) == [ObjectIdentifier("1.2.3"), ObjectIdentifier("1.2.4")]
    assert len(table) == 2
    assert repr(table) == "<OpenTypes TWO: 2 types, opaque on mismatch>"
    assert repr(OpenTypes("NONE")) == "<OpenTypes NONE: 0 types>"


def test_a_type_may_be_registered_while_its_table_is_in_use():
    table = OpenTypes("GROWING")
    cls = annotated_class(Sequence, "Growing", {"k": ObjectIdentifier, "a": Annotated[Any, DefinedBy("k", table)]})
    data = bytes.fromhex("3007 06022a05 020105")
    assert isinstance(cls.decode(data).a, TLV)
    table.register("1.2.5", int)
    assert cls.decode(data).a == 5
    with pytest.raises(DecodeError):
        cls.decode(bytes.fromhex("3007 06022a05 0101ff"))

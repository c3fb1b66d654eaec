"""Wrong arguments of constraints, tags and enumerations raise `SchemaError` when they are created, not at decode.

`tests/schema/test_schema_errors.py` tests what is known only when a type is complete, such as a SIZE of a type without
a size. This module also tests that no such argument gets past the class statement.
"""

import enum
import itertools
import math
import operator
import sys
import types
from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Absent,
    Alphabet,
    ASN1Error,
    BitString,
    Choice,
    Containing,
    DefinedBy,
    Enumerated,
    Explicit,
    Field,
    Implicit,
    Limits,
    NamedBits,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Present,
    Range,
    Real,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    Size,
    UTCTime,
    WithComponent,
    WithComponents,
)

# More decimal digits than Python converts to an int by default.
HUGE = 10**5000
TABLE = OpenTypes("TABLE", {"1.2.3": int})


class Lies(int):
    """An int whose methods return anything."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __index__(self) -> int:
        return -1

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Pretends:
    """An object that claims to be an int."""

    __class__ = int  # type: ignore[assignment]


NOT_INTS = {
    "bool": True,
    "float": 1.0,
    "inf": math.inf,
    "nan": math.nan,
    "str": "1",
    "bytes": b"1",
    "list": [1],
    "list of a huge number": [HUGE],
    "tuple": (1, 2),
    "complex": 1j,
    "type": int,
    "object": object(),
    "no repr": NoRepr(),
    "pretends": Pretends(),
    "constraint": Range(0, 1),
}
NOT_INTS_NOR_NONE = NOT_INTS | {"None": None}
NOT_STRS = {name: value for name, value in NOT_INTS.items() if name != "str"} | {"None": None, "int": 1, "huge": HUGE}
NOT_BOOLS = {name: value for name, value in NOT_INTS.items() if name != "bool"} | {"None": None, "int": 1, "huge": HUGE}
NOT_CONSTRAINTS = {name: value for name, value in NOT_INTS.items() if name != "constraint"} | {
    "None": None,
    "the class": Range,
    "a tag": Explicit(0),
}


def rows(what: str, build: Any, wrong: dict[str, Any], *words: str) -> list[Any]:
    return [pytest.param(build, value, words, id=f"{what}: {name}") for name, value in wrong.items()]


# The calls with each wrong value, and the text that the message must contain.
WRONG_TYPES = [
    *rows("Size low", lambda value: Size(value), NOT_INTS_NOR_NONE, "Size: low: expected int, got "),
    *rows("Size low with high", lambda value: Size(value, 9), NOT_INTS_NOR_NONE, "Size: low: expected int, got "),
    *rows("Size high", lambda value: Size(0, value), NOT_INTS, "Size: high: expected int or None, got "),
    *rows("Range low", lambda value: Range(value, None), NOT_INTS, "Range: low: expected int or None, got "),
    *rows("Range high", lambda value: Range(None, value), NOT_INTS, "Range: high: expected int or None, got "),
    *rows("Range high with low", lambda value: Range(1, value), NOT_INTS, "Range: high: expected int or None, got "),
    *rows("Range by name", lambda value: Range(high=value), NOT_INTS, "Range: high: expected int or None, got "),
    *rows("Alphabet", lambda value: Alphabet(value), NOT_STRS | {"empty": ""}, "Alphabet: expected a str "),
    *rows("WithComponent", lambda value: WithComponent(value), NOT_CONSTRAINTS, "WithComponent: expected "),
    *rows("WithComponents", lambda value: WithComponents(x=value), NOT_CONSTRAINTS, "WithComponents: x: expected"),
    *rows(
        "WithComponents.only",
        lambda value: WithComponents.only(x=value),
        {name: value for name, value in NOT_CONSTRAINTS.items() if name != "None"},
        "WithComponents: x: expected",
    ),
    *rows("Explicit", lambda value: Explicit(value), NOT_INTS_NOR_NONE, "Explicit: number: expected int, got "),
    *rows("Implicit", lambda value: Implicit(value), NOT_INTS_NOR_NONE, "Implicit: number: expected int, got "),
    *rows(
        "class of an Explicit tag",
        lambda value: Explicit(0, value),
        NOT_STRS | {"no class": "CONTEXT"},
        "Explicit: tag_class: expected 'universal', 'application', 'context' or 'private', got ",
    ),
    *rows(
        "class of an Implicit tag",
        lambda value: Implicit(0, tag_class=value),
        NOT_STRS | {"no class": ""},
        "Implicit: tag_class: expected 'universal', 'application', 'context' or 'private', got ",
    ),
    *rows("DefinedBy selector", lambda value: DefinedBy(value, TABLE), NOT_STRS, "DefinedBy: selector: expected "),
    *rows(
        "DefinedBy table",
        lambda value: DefinedBy("kind", value),
        NOT_STRS | {"str": "TABLE", "dict": {}, "the class": OpenTypes},
        "DefinedBy: table: expected OpenTypes, got ",
    ),
    *rows("Field name", lambda value: Field(value, int), NOT_STRS, "Field: name: expected str, got "),
    *rows("Field optional", lambda value: Field("x", int, optional=value), NOT_BOOLS, "Field('x'): optional: "),
    *rows("Field addition", lambda value: Field("x", int, addition=value), NOT_BOOLS, "Field('x'): addition: "),
    *rows("OpenTypes name", lambda value: OpenTypes(value), NOT_STRS, "name"),
    *rows(
        "OpenTypes types",
        lambda value: OpenTypes("TYPES", value),
        {name: value for name, value in NOT_STRS.items() if value is not None} | {"str": "1.2.3", "set": {"1.2.3"}},
        "TYPES: types: expected a mapping of OBJECT IDENTIFIERs to types, got ",
    ),
    *rows(
        "OpenTypes on_mismatch",
        lambda value: OpenTypes("TYPES", on_mismatch=value),
        NOT_BOOLS | {"True": True, "other str": "soft"},
        "TYPES: on_mismatch: expected",
    ),
    *rows(
        "OpenTypes register on_mismatch",
        lambda value: OpenTypes("TYPES").register("1.2.3", int, on_mismatch=value),
        {name: value for name, value in NOT_BOOLS.items() if value is not None} | {"True": True, "other str": "soft"},
        "TYPES: on_mismatch: expected 'opaque' or 'error'",
    ),
    *rows("OpenTypes number", lambda value: OpenTypes("TYPES", {value: int}), {"huge": HUGE}, "TYPES: ", "too large"),
    *rows(
        "OpenTypes oid",
        lambda value: OpenTypes("TYPES", {value: int}),
        {"float": 5.0, "bool": True, "None": None, "tuple": (1, 2), "a name": "name", "bad arc": "3.1", "empty": ""},
        "TYPES: ",
        " is not an OBJECT IDENTIFIER",
    ),
    *rows(
        "item of an Enumerated",
        lambda value: Enumerated("Wrong", {"item": value}),
        {name: value for name, value in NOT_INTS.items() if name != "tuple"} | {"None": None},
        "Wrong: number of an item: expected int, got ",
    ),
    *rows(
        "number of a NamedInteger",
        lambda value: NamedInteger("Wrong", {"item": value}),
        {name: value for name, value in NOT_INTS.items() if name != "tuple"} | {"None": None},
        "Wrong: number of an item: expected int, got ",
    ),
    *rows(
        "bit of NamedBits",
        lambda value: NamedBits("Wrong", {"bit": value}),
        {name: value for name, value in NOT_INTS.items() if name != "tuple"} | {"None": None},
        "Wrong: value of a member: expected int, got ",
    ),
    *rows(
        "extensible of an Enumerated",
        lambda value: type(Enumerated)("Wrong", (Enumerated,), namespace(Enumerated, item=1), extensible=value),
        NOT_BOOLS,
        "Wrong: extensible: expected True or False, got ",
    ),
]


def namespace(base: Any, **members: Any) -> Any:
    made = type(base).__prepare__("Wrong", (base,))
    for name, value in members.items():
        made[name] = value
    return made


@pytest.mark.parametrize(("build", "value", "words"), WRONG_TYPES)
def test_an_argument_of_a_wrong_type_is_rejected_where_it_is_written(build, value, words):
    with pytest.raises(SchemaError) as caught:
        build(value)
    message = str(caught.value)
    for word in words:
        assert word in message
    assert len(message) < 400


WRONG_VALUES = [
    ("a negative size", lambda: Size(-1), "Size(-1, -1): expected 0 <= low <= high < 2^63 (X.680 51.5)"),
    ("a size from a negative one", lambda: Size(-1, None), "Size(-1, "),
    ("a size that is too large", lambda: Size(2**63), "expected 0 <= low"),
    ("a size up to a large one", lambda: Size(0, 2**63), "Size(0, 9223372036854775808): expected"),
    ("a size up to a huge one", lambda: Size(0, HUGE), "... (16610 bits)): expected"),
    ("an empty size", lambda: Size(3, 2), "Size(3, 2): expected 0 <= low <= high"),
    ("a size that lies", lambda: Size(Lies(5), Lies(4)), "Size(5, 4): expected"),
    ("an empty range", lambda: Range(5, 1), "Range(5, 1): expected low <= high (X.680 51.4)"),
    ("an empty range of huge numbers", lambda: Range(HUGE, -HUGE), "... (16610 bits)): expected low <= high"),
    ("a range that lies", lambda: Range(Lies(5), Lies(4)), "Range(5, 4): expected low <= high"),
    ("a run backwards", lambda: Alphabet("z-a"), "Alphabet: the range 'z-a' ends before it starts"),
    ("no single value", lambda: OneOf(), "OneOf needs at least one value"),
    ("no components", lambda: WithComponents(), "WithComponents needs at least one component"),
    ("present and absent", lambda: WithComponents(x=Present & Absent), "x: a component cannot be both"),
    (
        "present and absent among others",
        lambda: WithComponents(x=(Absent & Range(0, 5)) & (Range(1, 4) & Present)),
        "x: a component cannot be both Present and Absent",
    ),
    ("a negative tag", lambda: Explicit(-1), "Explicit: number: expected 0 to 2^60 - 1, got -1"),
    ("a negative implicit tag", lambda: Implicit(-1), "Implicit: number: expected 0 to 2^60 - 1, got -1"),
    ("a tag over the limit", lambda: Implicit(2**60), "number: expected 0 to 2^60 - 1, got 1152921504606846976"),
    ("a huge tag", lambda: Explicit(HUGE), "... (16610 bits)"),
    ("the reserved tag", lambda: Explicit(0, "universal"), "reserved for end-of-contents (X.690 8.1.5)"),
    ("an item beyond 64 bits", lambda: Enumerated("Wrong", {"a": 2**63}), "number of an item: expected -2^63"),
    ("an item below 64 bits", lambda: NamedInteger("Wrong", {"a": -(2**63) - 1}), "number of an item: expected -2^63"),
    ("a huge item", lambda: Enumerated("Wrong", {"a": HUGE}), "... (16610 bits)"),
    ("an item with two names", lambda: Enumerated("Two", {"a": 1, "b": 1}), "Two: b has the number of a (X.680 20)"),
    ("a number with two names", lambda: NamedInteger("Two", {"a": 1, "b": 1}), "b has the number of a (X.680 19)"),
    ("a bit with two names", lambda: NamedBits("Two", {"a": 1, "b": 1}), "b has the number of a (X.680 22)"),
    ("a negative bit", lambda: NamedBits("Wrong", {"a": -4}), "Wrong: -4 is not one bit; bit number n is"),
    ("no bit", lambda: NamedBits("Wrong", {"a": 0}), "Wrong: 0 is not one bit"),
]


@pytest.mark.parametrize(("build", "words"), [row[1:] for row in WRONG_VALUES], ids=[row[0] for row in WRONG_VALUES])
def test_an_argument_that_is_impossible_is_rejected_where_it_is_written(build, words):
    with pytest.raises(SchemaError) as caught:
        build()
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def made_or_refused(make: Any) -> tuple[Any, str]:
    """Return the result of a call, or the message of its SchemaError."""
    try:
        return make(), ""
    except SchemaError as error:
        return None, str(error)


class Inner(Sequence):
    x: int
    y: int | None = None


class Letter(Choice):
    text: str
    number: int


TYPES = {
    "INTEGER": int,
    "BOOLEAN": bool,
    "UTF8String": str,
    "OCTET STRING": bytes,
    "BIT STRING": BitString,
    "OBJECT IDENTIFIER": ObjectIdentifier,
    "REAL": Real,
    "UTCTime": UTCTime,
    "NULL": derlib.Null,
    "ANY": Any,
    "SEQUENCE": Inner,
    "CHOICE": Letter,
    "SEQUENCE OF": SequenceOf[int],
    "enumeration": Enumerated("Colour", {"red": 0}),
    "named integer": NamedInteger("Version", {"v1": 0}),
    "named bits": NamedBits("Usage", {"sign": 1}),
    "union": int | str,
}
VALUES = [*NOT_INTS.values(), None, HUGE, -HUGE, Lies(3), {"x": HUGE}, {"x": "1"}, {}, {1: 2}, [[]], "", "x" * 10**5]
VALUES += [b"\x00" * 10**5, [{"x": NoRepr()}], enum.IntEnum("Foreign", {"a": 1}).a, sys.float_info.max, 2**100000]


@pytest.mark.parametrize("hint", TYPES.values(), ids=TYPES)
def test_a_single_value_or_default_is_accepted_or_rejected_when_the_class_is_created(hint):
    for value in VALUES:
        for make in (
            lambda value=value: SequenceOf[Annotated[hint, OneOf(value)]].decode(b"\x30\x00"),
            lambda value=value: SequenceOf[Annotated[hint, ~OneOf(value) | OneOf(value, value)]].decode(b"\x30\x00"),
            lambda value=value: type(Set)("Made", (Set,), {}, fields=[Field("x", hint, default=value)]),
        ):
            # Only a SchemaError is allowed, and the lists that were made must decode.
            made, refusal = made_or_refused(make)
            assert made is not None or 0 < len(refusal) < 1000


@pytest.mark.parametrize("hint", TYPES.values(), ids=TYPES)
def test_every_constraint_and_tag_on_every_type_is_settled_when_the_class_is_made(hint):
    marks = [
        Size(1),
        Size(1, None),
        Range(0, 5),
        Range(None, HUGE),
        Range(-HUGE, None) & Range(None, HUGE),
        Alphabet("a-z"),
        OneOf(1),
        WithComponent(Range(0, 1)),
        WithComponents(x=Range(0, 1)),
        WithComponents.only(y=None),
        WithComponents(y=Absent | Range(0, 5)),
        WithComponent(Present),
        Present,
        ~Absent,
        Explicit(2**60 - 1),
        Implicit(2**60 - 1),
        Containing(int),
        Containing(5),
        Containing(HUGE),
        DefinedBy("k", TABLE),
        DefinedBy("", TABLE),
        DefinedBy("k..", TABLE),
        DefinedBy(".", TABLE),
        OctetString,
    ]
    for first, second in itertools.product([None, *marks], marks):
        said = (second,) if first is None else (first, second)
        fields = [Field("k", ObjectIdentifier), Field("x", Annotated[(hint, *said)])]
        made, refusal = made_or_refused(lambda fields=fields: type(Sequence)("Made", (Sequence,), {}, fields=fields))
        if made is None:
            assert "Made" in refusal or "TABLE" in refusal
            assert len(refusal) < 1000
        else:
            with pytest.raises(derlib.DecodeError):
                made.decode(b"\x30\x00")


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (Range(0, 1 << 4000), "Range(0, 0x10000000000000000... (4001 bits))"),
        (Range(-(1 << 4000), 0), "Range(-0x10000000000000000... (4001 bits), 0)"),
        (Range(None, HUGE) | Size(3), None),
        (OneOf(HUGE, [HUGE]), None),
        (WithComponents(x=Range(HUGE, HUGE)), None),
        (~Range(HUGE, HUGE), None),
        (Size(0, None), "Size(0, None)"),
        (Range(0, 2**255), f"Range(0, {2**255})"),
    ],
)
def test_a_constraint_of_huge_numbers_has_a_repr_and_a_notation(made, shown):
    assert shown in (None, repr(made))
    assert 0 < len(repr(made)) < 300
    assert 0 < len(str(made)) < 300


def test_a_violated_constraint_with_huge_bounds_is_a_short_error():
    for constraint in (Range(HUGE, None), OneOf(HUGE), Range(HUGE, HUGE + 1) | OneOf(-HUGE)):
        hint = Annotated[int, constraint]
        for octets in (b"\x02\x01\x05", derlib.encode(-(HUGE**2), int)):
            with pytest.raises(derlib.ConstraintViolation) as caught:
                derlib.decode(hint, octets)
            assert len(str(caught.value)) < 400
        for value in (5, -(HUGE**2)):
            with pytest.raises(derlib.ConstraintError) as refused:
                derlib.encode(value, hint)
            assert len(str(refused.value)) < 400


@pytest.mark.parametrize("name", ["depth", "size", "elements", "tag_octets", "arc_octets"])
@pytest.mark.parametrize("value", [*NOT_INTS.values(), 0, -1, HUGE], ids=lambda value: type(value).__name__)
def test_a_wrong_limit_says_which_one_it_is(name, value):
    unlimited = " or None" if name in ("size", "elements") else ""
    with pytest.raises(ValueError, match=rf"^Limits: {name}: expected an int from 1 to \d+{unlimited}, got ") as caught:
        Limits(**{name: value})
    assert len(str(caught.value)) < 400


def test_members_of_enumerations_may_be_ints_of_any_class_and_auto():
    class Number(enum.IntEnum):
        five = 5

    class Made(Enumerated):
        five = Number.five
        six = enum.auto()

    class Bits(NamedBits):
        one = enum.auto()
        two = enum.auto()
        both = one | two

    assert [(type(item.value), item.value) for item in Made] == [(int, 5), (int, 6)]
    assert derlib.decode(Made, b"\x0a\x01\x06") is Made.six
    assert derlib.decode(Bits, b"\x03\x02\x06\xc0") == Bits.both
    assert derlib.decode(Annotated[int, Explicit(Number.five)], bytes.fromhex("a503020107")) == 7
    assert (type(Explicit(Number.five).number), type(Size(Number.five).high)) == (int, int)


def test_every_argument_error_is_an_error_of_the_library():
    assert issubclass(SchemaError, ASN1Error)


@pytest.mark.parametrize("base", [SequenceOf[int], derlib.SetOf[int]], ids=["SequenceOf", "SetOf"])
@pytest.mark.parametrize(
    ("keyword", "value"),
    [("fields", []), ("extensible", True), ("extensible", False), ("automatic_tags", True), ("automatic_tags", False)],
)
def test_a_class_keyword_for_fields_does_not_apply_to_lists(base, keyword, value):
    with pytest.raises(derlib.SchemaError, match=rf"^Row: {keyword} does not apply to S\w+Of, which has elements"):
        types.new_class("Row", (base,), {keyword: value})


@pytest.mark.parametrize("mark", [derlib.Explicit, derlib.Implicit])
def test_a_tag_without_a_number_is_rejected_under_its_public_name(mark):
    with pytest.raises(TypeError, match=rf"^{mark.__name__}\.__init__\(\) missing 1 required positional argument"):
        mark()


class Rights(derlib.NamedBits):
    read = 1 << 0
    write = 1 << 1


class Colours(derlib.NamedBits):
    red = 1 << 0


@pytest.mark.parametrize("combine", [operator.or_, operator.and_, operator.xor])
def test_named_bits_of_two_classes_are_not_combined(combine):
    with pytest.raises(TypeError, match="Rights and Colours are different named bits"):
        combine(Rights.read, Colours.red)
    for other in (Rights.write, 2):
        assert type(combine(Rights.read, other)) is Rights
        assert int(combine(Rights.read, other)) == combine(1, 2)
    assert type(combine(2, Rights.read)) is Rights

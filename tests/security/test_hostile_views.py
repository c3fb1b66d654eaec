"""Views of classes that lie about themselves, and paths with steps that do: the core uses only its own state.

Each case is an operation on a value of an honest class and of a lying one: both return or raise the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Annotated, Any

import pytest

import derlib
from derlib import Choice, Deviation, Explicit, NamedBits, Sequence, SequenceOf


class Item(Sequence):
    number: int
    name: str


class Items(SequenceOf[Item]):
    pass


def overriding(cls: Any, name: str, attribute: Any) -> Any:
    """Derive a class that overrides an attribute of the core."""
    return type(cls)(f"Lying{cls.__name__}", (cls,), {name: attribute})


def outcome(act: Callable[[Any], Any], value: Any) -> Any:
    """Return the result of an operation, or the class of the exception that it raises."""
    try:
        return act(value)
    except Exception as error:
        return type(error)


def refuse(self: Any) -> Any:
    raise RuntimeError("asked")


ITEMS = Items([{"number": number, "name": "x"} for number in range(300)]).encode()
# Element 250 has BOOLEAN 01 instead of FF.
FLAGS = bytes.fromhex("308203a2" + "0101ff" * 250 + "010101" + "0101ff" * 59)


class Flags(SequenceOf[bool]):
    pass


LENGTHS: dict[str, Callable[[Any], Any]] = {
    "0": lambda self: 0,
    "3": lambda self: 3,
    "10**6": lambda self: 10**6,
    "2**62": lambda self: 2**62,
    "negative": lambda self: -1,
    "raises": refuse,
}
LIST_OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "[0]": lambda v: v[0].number,
    "[299]": lambda v: v[299].number,
    "[-1]": lambda v: v[-1].number,
    "[300]": lambda v: v[300],
    "[100000]": lambda v: v[100_000],
    "[-301]": lambda v: v[-301],
    "[:]": lambda v: [item.number for item in v[:]],
    "[290:400]": lambda v: [item.number for item in v[290:400]],
    "[::-7]": lambda v: [item.number for item in v[::-7]],
    "reversed": lambda v: [item.number for item in reversed(v)],
    "index": lambda v: v.index(v[299]),
    "count": lambda v: v.count(v[299]),
    "in": lambda v: v[299] in v,
    "repr": lambda v: repr(v).partition("(")[2],
    "span": lambda v: v.span(299, "number"),
    "raw": lambda v: v.raw(-1, "number").tobytes(),
    "span of none": lambda v: v.span(300),
    "to_native": lambda v: v.to_native()[299],
    "to_native of none": lambda v: v.to_native()[300],
    "to_native, all": lambda v: list(v.to_native()),
    "len of to_native": lambda v: len(v.to_native()),
    "to_json": lambda v: v.to_json(),
    "find_by": lambda v: v.find_by("number", 299).number,
    "index_by": lambda v: v.index_by("number").find(299).number,
    "index_by, all": lambda v: len(v.index_by("name").find_all("x")),
    "len of index_by": lambda v: len(v.index_by("number")),
    "index_by from a pickle": lambda v: pickle.loads(pickle.dumps(Items(v).index_by("number"))).find(299).number,
    "replaced": lambda v: type(v)(v[:2])[1].number,
}


@pytest.mark.parametrize("operation", LIST_OPERATIONS)
@pytest.mark.parametrize("length", LENGTHS)
def test_a_list_that_lies_about_its_length_is_read_from_its_encoding(length: str, operation: str) -> None:
    act, lying = LIST_OPERATIONS[operation], overriding(Items, "__len__", LENGTHS[length])
    assert outcome(act, lying.decode(ITEMS)) == outcome(act, Items.decode(ITEMS))


@pytest.mark.parametrize("length", LENGTHS)
def test_the_path_of_a_deviation_in_a_list_that_lies_about_its_length_is_found(length: str) -> None:
    lying = overriding(Flags, "__len__", LENGTHS[length])
    found = lying.decode(FLAGS, tolerate=Deviation.BOOLEAN_TRUE).deviations
    assert [deviation.path for deviation in found] == [(250,)]


@pytest.mark.parametrize("iterator", [lambda self: iter(()), lambda self: self, refuse])
def test_a_list_with_another_iterator_is_sliced_from_its_encoding(iterator: Any) -> None:
    lying = overriding(Items, "__iter__", iterator)
    assert [item.number for item in lying.decode(ITEMS)[:]] == list(range(300))


class Pick(Choice, extensible=True):
    number: int
    item: Annotated[Item, Explicit(1)]


class Inside(Sequence):
    pick: Pick
    picks: SequenceOf[Pick]


class Twisted(str):
    """A string that is equal and unequal to everything, and has the same hash as all others."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False


class Reversed(Twisted):
    __hash__ = Twisted.__hash__

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True


class Agreeing:
    """An object that is not a string, and is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = Twisted.__hash__


PICKS = {
    "first": Pick(number=5).encode(),
    "second": Pick(item={"number": 1, "name": "x"}).encode(),
    "unknown": bytes.fromhex("8203616263"),
}
PATHS: dict[str, Callable[[Any, Any], Any]] = {
    "span": lambda value, step: value.span(step),
    "raw": lambda value, step: bytes(value.raw(step) or b"none"),
    "outer": lambda value, step: value.span(step, outer=True),
    "deeper": lambda value, step: value.span(step, "number"),
}


@pytest.mark.parametrize("operation", PATHS)
@pytest.mark.parametrize("kind", [Twisted, Reversed])
@pytest.mark.parametrize("name", ["number", "item", "other"])
@pytest.mark.parametrize("pick", PICKS)
def test_a_step_to_an_alternative_is_compared_as_text(pick: str, name: str, kind: type[str], operation: str) -> None:
    act, value = PATHS[operation], Pick.decode(PICKS[pick])
    assert outcome(lambda step: act(value, step), kind(name)) == outcome(lambda step: act(value, step), name)


@pytest.mark.parametrize("operation", PATHS)
@pytest.mark.parametrize("kind", [Twisted, Reversed])
@pytest.mark.parametrize("name", ["number", "name", "other"])
def test_a_step_to_a_field_is_compared_as_text(name: str, kind: type[str], operation: str) -> None:
    act, value = PATHS[operation], Item(number=1, name="x")
    assert outcome(lambda step: act(value, step), kind(name)) == outcome(lambda step: act(value, step), name)


@pytest.mark.parametrize("value", [*map(Pick.decode, PICKS.values()), Item(number=1, name="x"), Items.decode(ITEMS)])
def test_a_step_that_is_not_a_string_is_never_found(value: Any) -> None:
    for look in (value.span, value.raw):
        with pytest.raises(KeyError):
            look(Agreeing())


@pytest.mark.parametrize("kind", [Twisted, Reversed])
def test_the_field_of_an_index_is_compared_as_text(kind: type[str]) -> None:
    items = Items.decode(ITEMS)
    assert items.index_by(kind("number")).find(7).number == 7
    assert items.find_by(kind("number"), 7).number == 7
    assert items.index_by(kind("name")).field == "name"
    for wrong in (kind("other"), Agreeing()):
        with pytest.raises(derlib.SchemaError):
            items.index_by(wrong)


@pytest.mark.parametrize("kind", [Twisted, Reversed])
def test_the_name_of_an_alternative_is_compared_as_text(kind: type[str]) -> None:
    assert derlib.encode({kind("item"): {"number": 1, "name": "x"}}, Pick) == PICKS["second"]
    with pytest.raises(derlib.ConstraintError, match="has no alternative"):
        derlib.encode({kind("other"): 5}, Pick)
    with pytest.raises(derlib.ConstraintError) as caught:
        derlib.encode({kind("item"): {"number": "x", "name": "x"}}, Pick)
    assert caught.value.path == ("item", "number")
    assert type(caught.value.path[0]) is str


ARMS: dict[str, Any] = {
    "another": property(lambda self: "item"),
    "none": property(lambda self: None),
    "twisted": property(lambda self: Twisted("number")),
    "raises": property(refuse),
}
CHOICE_OPERATIONS: dict[str, Callable[[Any], Any]] = {
    **{f"span of {name}": lambda v, name=name: v.span(name) for name in ("number", "item", "other")},
    **{f"raw {name}": lambda v, name=name: bytes(v.raw(name) or b"none") for name in ("number", "item", "other")},
    "number": lambda v: v.number,
    "item": lambda v: v.item,
    "number of the item": lambda v: v.span("item", "number"),
    "repr": lambda v: repr(v).partition("(")[2],
    "to_native": lambda v: v.to_native(),
}


@pytest.mark.parametrize("operation", CHOICE_OPERATIONS)
@pytest.mark.parametrize("attribute", ["alternative", "value"])
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("pick", PICKS)
def test_a_choice_that_lies_about_its_alternative_is_read_from_its_encoding(
    pick: str, arm: str, attribute: str, operation: str
) -> None:
    act, lying = CHOICE_OPERATIONS[operation], overriding(Pick, attribute, ARMS[arm])
    assert outcome(act, lying.decode(PICKS[pick])) == outcome(act, Pick.decode(PICKS[pick]))


def test_an_alternative_cannot_be_set_or_deleted():
    pick = Pick(number=5)
    with pytest.raises(AttributeError, match=r"Pick\.number cannot be set: values are immutable"):
        pick.number = 6
    with pytest.raises(AttributeError, match=r"Pick\.number cannot be deleted: values are immutable"):
        del pick.number
    assert pick.number == 5


LOOKUP_OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "elements": lambda v: v.elements,
    "field": lambda v: v.field,
    "len": len,
    "repr": repr,
    "find": lambda v: v.find(1),
    "find_all": lambda v: v.find_all(1),
    "in": lambda v: 1 in v,
    "sizeof": lambda v: v.__sizeof__(),
    "pickle": pickle.dumps,
}


@pytest.mark.parametrize("operation", LOOKUP_OPERATIONS)
def test_a_lookup_without_a_list_says_where_lookups_come_from(operation: str) -> None:
    with pytest.raises(TypeError, match=r"this Lookup has no list: index_by\(\) of a list creates Lookup values"):
        LOOKUP_OPERATIONS[operation](derlib.Lookup.__new__(derlib.Lookup))


class Bits(NamedBits):
    one = 1


class Shifting(int):
    """A number that claims to be small, and shifts itself."""

    def __lt__(self, other: Any) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def __rlshift__(self, other: Any) -> Any:
        return "shifted"


def test_the_number_of_a_bit_is_its_int_value():
    assert derlib.encode([Shifting(2)], Bits).hex() == derlib.encode([2], Bits).hex() == "03020520"
    with pytest.raises(derlib.ConstraintError):
        derlib.encode([Shifting(10**6)], Bits)


def test_the_number_of_a_tag_is_its_int_value():
    assert derlib.Tag(Shifting(5)) == derlib.Tag(5)
    for number in (-1, 1 << 60, 1 << 63):
        with pytest.raises(derlib.SchemaError, match="a tag number is 0 to"):
            derlib.Tag(Shifting(number))


@pytest.mark.parametrize("call", ["decode", "decode_prefix", "from_native", "from_json"])
def test_the_error_of_a_class_without_a_type_names_the_classes_with_one(call: str) -> None:
    with pytest.raises(TypeError, match=r"View is not a schema class: derive one from derlib\.Sequence"):
        getattr(derlib._core.View, call)(b"0\x00")


class Short(bytes):
    """Bytes that claim to be fewer."""

    def __len__(self) -> int:
        return 3


def test_a_part_of_a_buffer_is_decoded_whatever_length_its_owner_claims():
    assert derlib.decode(int, memoryview(Short(bytes.fromhex("0201050500")))[:3]) == 5


def test_the_plan_of_any_in_the_module_is_a_plan_or_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derlib._core, "ANY_PLAN", "another")
    with pytest.raises(TypeError):
        derlib.encode(b"\x05\x00", derlib.TLV)

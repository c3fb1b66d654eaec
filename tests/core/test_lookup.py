"""`index_by` and `Lookup`: the fields that can index a list, and the elements that are found."""

import pickle
import re
import struct
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derlib import (
    ConstraintError,
    DecodeError,
    DefinedBy,
    Deviation,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OpenTypes,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    _core,
)
from derlib.schemas.x509 import GeneralName, GeneralNames

TYPES = OpenTypes("TYPES", {"1.2.3": int})


class Entry(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, DefinedBy("kind", TYPES)]
    data: Annotated[bytes, Implicit(0)]
    number: Annotated[int, Explicit(1)]
    note: str | None = None


class Only(Sequence):
    number: int


class Digit(Sequence):
    digit: Annotated[int, Range(0, 9)]


class Member(Set):
    number: int
    data: Annotated[bytes, Implicit(1000)]


ENTRIES = SequenceOf[Entry](
    [
        {"kind": "1.2.3", "content": 1, "data": b"a", "number": 5, "note": "x"},
        {"kind": "1.2.4", "content": b"\x05\x00", "data": b"", "number": 2**70},
        {"kind": "1.2.3", "content": 2, "data": b"a", "number": -1, "note": "y"},
    ]
)
DIGITS = SequenceOf[Digit]([{"digit": 7}, {"digit": 9}])
MEMBERS = SetOf[Member]([{"number": 5, "data": b"a" * 300}, {"number": -(2**64), "data": b""}])


@pytest.mark.parametrize(
    ("entries", "field", "value", "places"),
    [
        (ENTRIES, "kind", "1.2.3", [0, 2]),
        (ENTRIES, "kind", ObjectIdentifier("1.2.4"), [1]),
        (ENTRIES, "kind", "1.2.5", []),
        (ENTRIES, "data", b"a", [0, 2]),
        (ENTRIES, "data", b"", [1]),
        (ENTRIES, "data", b"b", []),
        (ENTRIES, "number", 5, [0]),
        (ENTRIES, "number", 2**70, [1]),
        (ENTRIES, "number", 2**71, []),
        (ENTRIES, "note", "y", [2]),
        (ENTRIES, "note", "", []),
        (DIGITS, "digit", 9, [1]),
        (DIGITS, "digit", 8, []),
        (MEMBERS, "number", 5, [MEMBERS.index(Member(number=5, data=b"a" * 300))]),
        (MEMBERS, "number", -(2**64), [MEMBERS.index(Member(number=-(2**64), data=b""))]),
        (MEMBERS, "data", b"a" * 300, [MEMBERS.index(Member(number=5, data=b"a" * 300))]),
    ],
)
def test_elements_are_found_by_fields_of_every_kind(entries: Any, field: str, value: Any, places: list[int]) -> None:
    assert entries.find_by(field, value) == (entries[places[0]] if places else None)
    for lookup in (entries.index_by(field), pickle.loads(pickle.dumps(entries.index_by(field)))):
        assert lookup.find_all(value) == tuple(entries[place] for place in places)
        assert lookup.find(value) == (entries[places[0]] if places else None)
        assert (value in lookup) is bool(places)


def test_elements_without_the_field_are_never_found() -> None:
    bare = SequenceOf[Entry]([{"kind": "1.2.4", "content": b"\x05\x00", "data": b"", "number": 1}] * 40)
    assert bare.find_by("note", "") is None
    lookup = bare.index_by("note")
    assert len(lookup) == 40
    assert lookup.find("") is None
    assert lookup.find_all("x") == ()


def test_a_lookup_has_its_list_its_field_and_its_size() -> None:
    lookup = ENTRIES.index_by("kind")
    assert repr(lookup) == "<Lookup of 3 elements by kind>"
    assert (lookup.field, lookup.elements, len(lookup)) == ("kind", ENTRIES, 3)
    # Eight bytes per element.
    large = SequenceOf[Member]([{"number": n, "data": b""} for n in range(1000)]).index_by("number")
    assert large.__sizeof__() - lookup.__sizeof__() == 8 * (1000 - 3)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: _core.Lookup(), TypeError, r"index_by\(\) of a list creates Lookup values"),
        (lambda: SequenceOf[int]([1]).index_by("number"), SchemaError, r"SequenceOf\[int\] has no fields to index by"),
        (lambda: ENTRIES.index_by("serial"), SchemaError, "Entry has no field 'serial'; it has kind, content"),
        (lambda: ENTRIES.index_by("content"), SchemaError, "content of Entry is an open type"),
        (lambda: ENTRIES.find_by("serial", 5), SchemaError, "Entry has no field 'serial'; it has kind, content"),
        (lambda: ENTRIES.find_by("content", 5), SchemaError, "content of Entry is an open type"),
        (lambda: ENTRIES.find_by("kind", "1.2.x"), ConstraintError, "is not a dotted OBJECT IDENTIFIER"),
        (lambda: ENTRIES.index_by("kind").find("rsa?"), ConstraintError, "is not a dotted OBJECT IDENTIFIER"),
        (lambda: ENTRIES.index_by("number").find("5"), ConstraintError, "expected int for INTEGER, got str"),
        (lambda: DIGITS.index_by("digit").find("5"), ConstraintError, r"^expected int \(int\(text\) reads .*str$"),
        (lambda: DIGITS.find_by("digit", 10), ConstraintError, "INTEGER 10 is outside"),
        (lambda: DIGITS.index_by("digit").find(10), ConstraintError, "INTEGER 10 is outside"),
        (lambda: 10 in DIGITS.index_by("digit"), ConstraintError, "INTEGER 10 is outside"),
        (lambda: _core.restore_lookup(Entry, "kind", bytes(20)), TypeError, "expected a list view for Lookup, got"),
        (lambda: _core.restore_lookup(ENTRIES, "content", bytes(20)), SchemaError, "open type"),
        (lambda: _core.restore_lookup(ENTRIES, "kind", b""), DecodeError, "are not a lookup table"),
        (lambda: _core.restore_lookup(ENTRIES, "kind", bytes(16)), DecodeError, "are not a lookup table"),
        (lambda: _core.restore_lookup(ENTRIES, "kind", bytes(21)), DecodeError, "are not a lookup table"),
    ],
)
def test_a_wrong_index_is_rejected(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


def test_a_list_that_was_empty_when_it_was_counted_finds_no_element() -> None:
    # The list counts its elements once; a changed shared buffer can later have more of them.
    data = bytearray.fromhex("3005 3003 020105")
    entries = SequenceOf[Only].decode(data, copy=False)
    data[3] = 0x7F
    assert len(entries) == 0
    data[3] = 0x03
    assert _core.restore_lookup(entries, "number", bytes(16) + struct.pack("<I", 1)).find(5) is None


def test_a_list_that_repeats_its_values_has_a_table_of_the_same_size() -> None:
    rows = [{"number": number % 10} for number in range(1000)]
    octets = SequenceOf[Only](rows).index_by("number").__reduce__()[1][2]
    assert len(octets) == 16 + 4 * (2 * 1000 + 2)


class Named(Sequence):
    """The first field is the one that is read without calls."""

    name: bytes
    copy: bytes


@pytest.mark.parametrize("field", ["name", "copy"])
def test_values_of_every_length_are_found(field: str) -> None:
    # The hash reads values of up to 3, 7, 15 and 32 bytes in different ways, and longer ones as any number of words.
    # 130 bytes have a length in the long form.
    names = [bytes(length) for length in (*range(70), 130, 300)]
    names += [bytes([*range(length)]) for length in range(2, 70)]
    names += [bytes(place) + b"\1" + bytes(39 - place) for place in range(40)]
    assert len(set(names)) == len(names)
    lookup = SequenceOf[Named]({"name": name, "copy": name} for name in names).index_by(field)
    for name in names:
        assert [entry.name for entry in lookup.find_all(name)] == [name]
    assert lookup.find(b"\2") is None


@pytest.mark.parametrize("step", [1, 2, 255, 256, 65536, 2**24 + 1, 2**32, 2**64, 2**127 + 2**64, 2**250])
def test_values_in_sequence_do_not_collide(step: int) -> None:
    numbers = range(0, 2000 * step, step)
    lookup = SequenceOf[Only]({"number": number} for number in numbers).index_by("number")
    # An even number of slots would mean that there were too many collisions.
    assert len(lookup.__reduce__()[1][2]) == 16 + 4 * (2 * 2000 + 1)
    for number in numbers:
        found = lookup.find(number)
        assert found is not None
        assert found.number == number
    assert lookup.find(2000 * step) is None


class Pair(Sequence):
    first: int
    second: int


def test_a_field_is_not_mistaken_for_the_first_one() -> None:
    lookup = SequenceOf[Pair]([{"first": 1, "second": 2}, {"first": 3, "second": 1}]).index_by("second")
    found = [lookup.find(second) for second in (1, 2, 3)]
    assert [entry and entry.first for entry in found] == [3, 1, None]


class Version(Sequence):
    version: int = 1
    name: bytes | None = None


def test_a_first_field_that_is_absent_has_its_default() -> None:
    entries = SequenceOf[Version]([{"version": 2}, {"version": 1}, {"version": 2}, {"version": 1}])
    lookup = entries.index_by("version")
    assert [len(lookup.find_all(version)) for version in (0, 1, 2)] == [0, 2, 2]


def test_a_tolerated_form_of_a_first_field_compares_by_its_number() -> None:
    data = bytes.fromhex("3010 3003020105 3004 02020005 3003020106")
    entries = SequenceOf[Only].decode(data, tolerate=Deviation.INTEGER_PADDING)
    assert len(entries.index_by("number").find_all(5)) == 2
    long = bytes.fromhex("3010 3003020105 3004 02810105 3003020106")
    entries = SequenceOf[Only].decode(long, tolerate=Deviation.LENGTH_FORM)
    assert len(entries.index_by("number").find_all(5)) == 2


@given(st.lists(st.binary(max_size=40), max_size=60), st.integers(0, 300))
def test_a_table_of_any_size_finds_what_a_search_of_the_list_finds(names: list[bytes], padding: int) -> None:
    # The padding decides how many bits of a slot are left for a part of the hash.
    rows = [{"name": name, "copy": bytes(padding)} for name in names]
    entries = SequenceOf[Named](rows)
    lookup = entries.index_by("name")
    for name in {*names, b"", b"absent"}:
        places = [place for place, other in enumerate(names) if other == name]
        assert lookup.find_all(name) == tuple(entries[place] for place in places)
        assert lookup.find(name) == entries.find_by("name", name)


@given(st.lists(st.integers(-(2**72), 2**72) | st.integers(-300, 300), max_size=60))
def test_numbers_of_all_lengths_are_found(numbers: list[int]) -> None:
    entries = SequenceOf[Only]([{"number": number} for number in numbers])
    lookup = entries.index_by("number")
    for number in {*numbers, 0, -1, 127, 128, 2**71}:
        assert len(lookup.find_all(number)) == numbers.count(number)
        assert lookup.find(number) == entries.find_by("number", number)


class Numbered(Sequence):
    number: int
    text: bytes = b""


EDGES = sorted({
    sign * 2 ** (8 * octets - bit) + more
    for octets in (1, 2, 3, 4, 7, 8, 9, 15, 16, 20, 31, 32, 33, 34)
    for sign in (1, -1)
    for bit in (0, 1, 2)
    for more in (-1, 0, 1)
})


def test_numbers_of_every_length_are_found_as_without_an_index() -> None:
    # Numbers of up to 8 octets are compared as a word, of up to 32 as octets; longer ones are encoded first.
    for place in (0, 1):
        present, absent = EDGES[place::2], EDGES[1 - place :: 2]
        # The second list has elements of more than 127 octets.
        for entries in (
            SequenceOf[Only]({"number": number} for number in present),
            SequenceOf[Numbered]({"number": number, "text": bytes(130)} for number in present),
        ):
            lookup = entries.index_by("number")
            for number in present:
                assert lookup.find(number) == entries.find_by("number", number)
                assert _core.indexed_value(entries, "number", number).number == number  # type: ignore[union-attr]
            assert [lookup.find(number) for number in absent] == [None] * len(absent)
            assert not any(number in lookup for number in absent)


@pytest.mark.parametrize("value", [True, 5.0, "5", None, [5]])
def test_a_search_for_another_type_raises_what_a_search_of_the_list_raises(value: Any) -> None:
    entries = SequenceOf[Numbered]([{"number": 1}, {"number": 5}])
    with pytest.raises(ConstraintError) as general:
        entries.find_by("number", value)
    for search in (entries.index_by("number").find, lambda value: _core.indexed_value(entries, "number", value)):
        with pytest.raises(ConstraintError, match=re.escape(str(general.value))):
            search(value)


def test_a_search_without_a_lookup_uses_the_table_of_its_field() -> None:
    for first in ("number", "text"):
        entries = SequenceOf[Numbered]([{"number": 1, "text": b"a"}, {"number": 5, "text": b"b"}])
        entries.index_by(first)
        for _ in range(2):
            # A name that is not the same object.
            assert _core.indexed_value(entries, "".join("number"), 5) == entries[1]
            assert _core.indexed_value(entries, "".join(["num", "ber"]), 6) is None
            assert _core.indexed_value(entries, "text", b"b") == entries[1]
        with pytest.raises(SchemaError, match="Numbered has no field 'serial'; it has number, text"):
            _core.indexed_value(entries, "serial", 5)


def test_a_search_needs_a_list_with_a_value() -> None:
    empty = SequenceOf[Numbered].__new__(SequenceOf[Numbered])
    with pytest.raises(TypeError, match="has no value"):
        _core.indexed_value(empty, "number", 5)
    with pytest.raises(TypeError):
        _core.indexed_value(None, "number", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [*range(1, 40), 1000])
def test_a_full_run_of_slots_continues_at_the_start_of_the_table(count: int) -> None:
    # Each table has another random key, so some of them fill the last slots.
    entries = SequenceOf[Only]([{"number": number} for number in range(count)])
    for _ in range(20):
        # The list keeps the first table; its copy makes another one.
        lookup = SequenceOf[Only].decode(entries.encode()).index_by("number")
        assert [lookup.find(number).number for number in range(count)] == [*range(count)]  # type: ignore[union-attr]
        assert [lookup.find(number) for number in range(count, 2 * count)] == [None] * count


def test_a_number_is_never_an_element_of_a_list_of_structures() -> None:
    # False would say that no certificate is revoked.
    for number in (5, True, "5", b"5", Entry):
        with pytest.raises(TypeError, match=r"cannot be an element of this list: elements are Entry .*; index_by\('k"):
            _ = number in ENTRIES
    assert ENTRIES[0] in ENTRIES
    assert None not in ENTRIES
    for value in ("1.2.3", 5, b"x"):
        with pytest.raises(TypeError, match=r"elements are (ObjectIdentifier|OBJECT IDENTIFIER) values$"):
            _ = value in SequenceOf[ObjectIdentifier](["1.2.3"])
        with pytest.raises(TypeError, match=r"elements are GeneralName values; build one, such as GeneralName\(other"):
            _ = value in GeneralNames([GeneralName(dns_name="a.example")])
    assert ObjectIdentifier("1.2.3") in SequenceOf[ObjectIdentifier](["1.2.3"])
    assert ObjectIdentifier("1.2.4") not in SequenceOf[ObjectIdentifier](["1.2.3"])
    assert GeneralName(dns_name="a.example") in GeneralNames([GeneralName(dns_name="a.example")])
    assert 5 in SequenceOf[int]([5])
    assert "5" not in SequenceOf[int]([5])


def test_an_annotation_can_name_the_class_of_the_elements():
    # The annotation of a variable of a module is evaluated when the module is run.
    assert _core.Lookup[int].__origin__ is _core.Lookup
    assert _core.Lookup[int].__args__ == (int,)

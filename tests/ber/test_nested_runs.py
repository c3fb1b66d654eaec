"""Long lists inside long lists, whose templates are stored in turn. The general code is the reference.

`keep` with a path turns off the fast path for lists, because a path can have any index.
"""

from __future__ import annotations

from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.der import der
from support.examples import thorough

import derlib
from derlib import (
    DefinedBy,
    Implicit,
    Limits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    ber,
)

END = bytes(2)


class Part(Sequence):
    number: int
    flag: bool | None = None
    octets: OctetString | None = None


class Keep(Sequence, ber="keep"):
    number: int
    flag: bool | None = None


class Entry(Sequence):
    number: int
    parts: SequenceOf[Part] | None = None
    flag: Annotated[bool, Implicit(0)] | None = None
    kept: Annotated[Keep, Implicit(1)] | None = None
    numbers: Annotated[SequenceOf[int], Implicit(2)] = SequenceOf[int]([5] * 20)
    marks: Annotated[SetOf[bool], Implicit(3)] | None = None


LISTS = OpenTypes("LISTS", {"1.2.3": SequenceOf[Entry]})
OPAQUE_LISTS = OpenTypes("OPAQUE_LISTS", {"1.2.3": SequenceOf[Entry]}, on_mismatch="opaque")


class Typed(Sequence):
    key: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("key", LISTS)]]


class Opaque(Sequence):
    key: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("key", OPAQUE_LISTS)]]


class Members(Set):
    entries: SequenceOf[Entry]
    groups: Annotated[SequenceOf[SequenceOf[Part]], Implicit(1)]


class Writer:
    """Writes BER in a few forms that repeat, so that many elements of a list match a template."""

    def __init__(self, random: Random, changes: float) -> None:
        self.random = random
        self.changes = changes          # how often the form of an element changes
        self.forms: dict[str, int] = {}

    def choose(self, place: str, count: int) -> int:
        """Return what was chosen at this place before, or sometimes something new."""
        if place not in self.forms or self.random.random() < self.changes:
            self.forms[place] = self.random.randrange(count)
        return self.forms[place]

    def element(self, place: str, identifier: int, contents: bytes) -> bytes:
        form = self.choose(place, 4)
        if form == 0 or (form == 1 and not identifier & 0x20):
            return der(identifier, contents)
        if form == 1:
            return bytes([identifier, 0x80]) + contents + END
        count = max(form - 1, (len(contents).bit_length() + 7) // 8)
        return bytes([identifier, 0x80 | count]) + len(contents).to_bytes(count, "big") + contents

    def number(self, place: str) -> bytes:
        return self.element(place, 2, self.random.randrange(1, 128).to_bytes(1, "big"))

    def flag(self, place: str, identifier: int = 1) -> bytes:
        return self.element(place, identifier, bytes([(0, 0x01, 0xFF)[self.choose(place + "value", 3)]]))

    def part(self) -> bytes:
        contents = self.number("part.number")
        if self.choose("part.flag?", 2):
            contents += self.flag("part.flag")
        if self.choose("part.octets?", 3) == 0:
            contents += self.element("part.octets", 4, self.random.randbytes((0, 3, 30, 70)[self.choose("size", 4)]))
        return self.element("part", 0x30, contents)

    def several(self, place: str, write: Any, sizes: tuple[int, ...]) -> bytes:
        return b"".join(write() for _ in range(sizes[self.choose(place + "count", len(sizes))]))

    def parts(self, identifier: int = 0x30) -> bytes:
        return self.element("parts", identifier, self.several("parts", self.part, (0, 1, 3, 9, 14, 24)))

    def entry(self) -> bytes:
        contents = self.number("entry.number")
        if self.choose("entry.parts?", 3):
            contents += self.parts()
        if self.choose("entry.flag?", 2):
            contents += self.flag("entry.flag", 0x80)
        if self.choose("entry.kept?", 6) == 0:
            contents += self.element("kept", 0xA1, self.number("kept.number") + self.flag("kept.flag"))
        if self.choose("entry.numbers?", 4) == 0:
            contents += self.element("numbers", 0xA2, self.several("numbers", lambda: self.number("n"), (0, 3, 20, 40)))
        if self.choose("entry.marks?", 5) == 0:
            contents += self.element("marks", 0xA3, self.several("marks", lambda: self.flag("mark"), (0, 1, 3, 12)))
        return self.element("entry", 0x30, contents)

    def entries(self, identifier: int = 0x30) -> bytes:
        return self.element("entries", identifier, self.several("entries", self.entry, (2, 12, 30)))

    def groups(self, identifier: int = 0x30) -> bytes:
        return self.element("groups", identifier, self.several("groups", self.parts, (2, 12, 30)))

    def lists(self, identifier: int) -> bytes:
        return self.element("lists", identifier, self.several("lists", self.groups, (3, 12)))

    def selected(self) -> bytes:
        values = self.several("values", self.entries, (1, 3))
        return self.element("typed", 0x30, b"\x06\x02\x2a\x03" + self.element("values", 0x30, values))

    def members(self) -> bytes:
        members = [self.entries(), self.groups(0xA1)]
        return self.element("members", 0x31, b"".join(members[:: self.random.choice((1, -1))]))


# Each type, how its values are written, and a path that no value has.
TYPES: dict[str, tuple[Any, Any, str]] = {
    "entries": (SequenceOf[Entry], Writer.entries, "[1000000]"),
    "groups": (SequenceOf[SequenceOf[Part]], Writer.groups, "[1000000]"),
    "lists": (SequenceOf[SequenceOf[SequenceOf[Part]]], lambda writer: writer.lists(0x30), "[1000000]"),
    "lists in a SET OF": (SetOf[SequenceOf[SequenceOf[Part]]], lambda writer: writer.lists(0x31), "[1000000]"),
    "typed": (Typed, Writer.selected, "values[1000000]"),
    "opaque": (Opaque, Writer.selected, "values[1000000]"),
    "members": (Members, Writer.members, "entries[1000000]"),
}


def outcome(data: bytes, name: str, general: bool, limits: Limits | None = None) -> Any:
    """Return all of a conversion, or its error. The fast path for lists is used unless `general` is true."""
    type_, _, path = TYPES[name]
    try:
        converted = ber.convert(data, type_, keep=[path] if general else (), limits=limits)
    except derlib.ASN1Error as error:
        return type(error), error.args
    changes = sorted(converted.changes, key=repr)
    step = 1 + len(data) // 1000
    origins = [converted.origin(offset) for offset in range(0, len(converted.der) + 1, step)]
    destinations = [converted.destination(offset) for offset in range(0, converted.consumed + 1, step)]
    kept = [(part.path, part.input, part.output, str(part.error)) for part in converted.kept]
    return converted.der, changes, kept, origins, destinations


@st.composite
def nested_lists(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(st.sampled_from(list(TYPES)))
    writer = Writer(Random(draw(st.integers(0, 10**9))), draw(st.sampled_from([0, 0.01, 0.05, 0.2])))
    return name, TYPES[name][1](writer)


@thorough(200)
@given(nested_lists())
def test_nested_lists_convert_as_the_general_code_does(case):
    name, data = case
    type_ = TYPES[name][0]
    result = outcome(data, name, general=True)
    assert outcome(data, name, general=False) == result
    assert not isinstance(result[0], type)
    converted = ber.convert(data, type_)
    if all(part.error is None for part in converted.kept):
        assert derlib.decode(type_, converted.der).encode() == converted.der
        assert ber.convert(converted.der, type_).der == converted.der


@thorough(200)
@given(nested_lists(), st.integers(0, 10**9))
def test_invalid_nested_lists_have_the_error_of_the_general_code(case, seed):
    name, data = case
    random = Random(seed)
    changed = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        changed[random.randrange(len(changed))] = random.choice((0, 1, 2, 5, 0x30, 0x80, 0x81, random.randrange(256)))
    assert outcome(bytes(changed), name, general=False) == outcome(bytes(changed), name, general=True)


@thorough(60)
@given(nested_lists(), st.floats(0, 1))
def test_limits_hold_for_nested_lists_as_in_the_general_code(case, share):
    name, data = case
    limits = Limits(elements=1 + int(share * len(data) / 4))
    assert outcome(data, name, general=False, limits=limits) == outcome(data, name, general=True, limits=limits)


SHORT = bytes.fromhex("3080 020105 0000")
SHORT_FLAG = bytes.fromhex("3080 020105 8001 07 0000")


def long_entry(part: bytes, count: int) -> bytes:
    return b"\x30\x80\x02\x01\x07\x30\x80" + part * count + END + END


PARTS = [
    bytes.fromhex("3080 020105 0000"),
    bytes.fromhex("3006 020105 010101"),
    bytes.fromhex("308106 020105 0101ff"),
    bytes.fromhex("3080 02810105 040161 0000"),
]
LONG = [long_entry(part, count) for part in PARTS for count in (12, 30)]


@pytest.mark.parametrize("pattern", [
    "s" * 12 + "l" + "s" * 20,                      # an inner list with templates after those of the outer list
    "l" * 12 + "s" * 20,
    ("s" * 9 + "lf") * 20,                          # the outer list stores templates before and after each inner list
    ("f" + "s" * 3 + "l") * 30,
    "sf" * 30 + "llllssff" * 10,
])
def test_inner_lists_between_the_templates_of_the_outer_list(pattern):
    random = Random(5)
    parts = [{"s": SHORT, "f": SHORT_FLAG, "l": random.choice(LONG)}[kind] for kind in pattern]
    data = b"\x30\x80" + b"".join(parts) + END
    fast = outcome(data, "entries", general=False)
    assert fast == outcome(data, "entries", general=True)
    contents = b"".join(ber.convert(part, Entry).der for part in parts)
    assert fast[0] == der(0x30, contents)
    assert derlib.decode(SequenceOf[Entry], fast[0]).encode() == fast[0]


def test_more_templates_than_one_list_can_have_in_a_list_with_inner_lists():
    # Each element has another length, so each is stored as a template, or follows an inner list.
    parts = []
    for number in range(400):
        parts.append(b"\x30\x80" + der(2, b"\x01" * (1 + number % 40)) + END)
        if number % 3 == 0:
            parts.append(LONG[number % len(LONG)])
        parts.extend([SHORT] * (number % 7))
    data = b"\x30\x80" + b"".join(parts) + END
    assert outcome(data, "entries", general=False) == outcome(data, "entries", general=True)

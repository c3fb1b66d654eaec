"""SEQUENCE: components in order, OPTIONAL, DEFAULT, missing and extra ones: X.690 8.9 and 11.5."""

import itertools
from typing import Annotated

import pytest

import derlib
from derlib import (
    TLV,
    ContentsError,
    DefaultError,
    Enumerated,
    Explicit,
    Implicit,
    NamedBits,
    Null,
    ObjectIdentifier,
    OctetString,
    PrintableString,
    Sequence,
    SequenceOf,
    SetOf,
    StructureError,
    UTCTime,
)

from .rows import der, reads, refuses, table


class Empty(Sequence):
    pass


class Triple(Sequence):
    number: int
    flag: bool
    octets: bytes


class Optionals(Sequence):
    number: int | None = None
    flag: bool | None = None
    octets: bytes | None = None


class Middle(Sequence):
    number: int
    flag: bool | None = None
    octets: bytes


class Level(Enumerated):
    low = 0
    high = 1


class Flags(NamedBits):
    a = 1 << 0
    b = 1 << 1


class Defaults(Sequence):
    flag: bool = False
    number: int = 300
    text: str = "abc"
    octets: Annotated[OctetString, Implicit(0)] = b""
    level: Annotated[Level, Implicit(1)] = Level.high
    bits: Annotated[Flags, Implicit(2)] = Flags.b
    version: Annotated[int, Explicit(3)] = 0


ALL_DEFAULTS = {
    "flag": False,
    "number": 300,
    "text": "abc",
    "octets": b"",
    "level": Level.high,
    "bits": Flags.b,
    "version": 0,
}


class Inner(Sequence):
    number: int
    flag: bool = False


class Outer(Sequence):
    inner: Inner
    rest: SequenceOf[Inner] | None = None


class OidDefault(Sequence):
    kind: ObjectIdentifier = ObjectIdentifier("1.2.3")
    text: PrintableString = "x"


COMPONENTS = [
    reads("no components", Empty, "30 00", {}),
    refuses("an element in a SEQUENCE of none", Empty, "30 02 05 00", StructureError, "8.9", 2),
    reads("three components", Triple, "30 08 02 01 05 01 01 ff 04 00",
        {"number": 5, "flag": True, "octets": b""}),
    refuses("two components in the wrong order", Triple, "30 08 01 01 ff 02 01 05 04 00",
        StructureError, "", 2),
    refuses("no components where three are due", Triple, "30 00", StructureError, "8.9", 2),
    refuses("a missing last component", Triple, "30 06 02 01 05 01 01 ff", StructureError, "8.9",
        8),
    refuses("a missing middle component", Triple, "30 05 02 01 05 04 00", StructureError, "", 5),
    refuses("an extra component at the end", Triple, "30 0a 02 01 05 01 01 ff 04 00 05 00",
        StructureError, "8.9", 10),
    refuses("the last component twice", Triple, "30 0a 02 01 05 01 01 ff 04 00 04 00",
        StructureError, "8.9", 10),
    refuses("the first component twice", Triple, "30 0b 02 01 05 02 01 05 01 01 ff 04 00",
        StructureError, "", 5),
    refuses("a fault in the last component", Triple, "30 09 02 01 05 01 02 ff ff 04 00",
        ContentsError, "8.2.1", 5),
    refuses("end-of-contents as an extra component", Triple, "30 0a 02 01 05 01 01 ff 04 00 00 00",
        StructureError, "8.9", 10),
]

OPTIONAL = [
    reads("all absent", Optionals, "30 00", {"number": None, "flag": None, "octets": None}),
    reads("all present", Optionals, "30 08 02 01 05 01 01 ff 04 00",
        {"number": 5, "flag": True, "octets": b""}),
    reads("only the first", Optionals, "30 03 02 01 05",
        {"number": 5, "flag": None, "octets": None}),
    reads("only the middle", Optionals, "30 03 01 01 00",
        {"number": None, "flag": False, "octets": None}),
    reads("only the last", Optionals, "30 02 04 00", {"number": None, "flag": None, "octets": b""}),
    refuses("the last before the first", Optionals, "30 05 04 00 02 01 05", StructureError, "", 4),
    refuses("one of them twice", Optionals, "30 06 01 01 ff 01 01 ff", StructureError, "", 5),
    refuses("an element that is none of them", Optionals, "30 02 05 00", StructureError, "", 2),
    refuses("an element that is none of them, after the last", Optionals, "30 04 04 00 05 00",
        StructureError, "", 4),
    reads("a mandatory one after an absent one", Middle, "30 05 02 01 05 04 00",
        {"number": 5, "flag": None, "octets": b""}),
    refuses("a mandatory one missing after an absent one", Middle, "30 03 02 01 05",
        StructureError, "8.9", 5),
    refuses("a mandatory one missing after a present one", Middle, "30 06 02 01 05 01 01 ff",
        StructureError, "8.9", 8),
    refuses("another in the place of an absent one", Middle, "30 07 02 01 05 05 00 04 00",
        StructureError, "", 5),
]

DEFAULT = [
    reads("all left out", Defaults, "30 00", ALL_DEFAULTS),
    reads("another BOOLEAN", Defaults, "30 03 01 01 ff", {**ALL_DEFAULTS, "flag": True}),
    refuses("an encoded DEFAULT FALSE", Defaults, "30 03 01 01 00", DefaultError, "11.5", 2),
    reads("another INTEGER", Defaults, "30 04 02 02 01 2d", {**ALL_DEFAULTS, "number": 301}),
    refuses("an encoded default INTEGER", Defaults, "30 04 02 02 01 2c", DefaultError, "11.5", 2),
    reads("a longer UTF8String", Defaults, "30 06 0c 04 61 62 63 64",
        {**ALL_DEFAULTS, "text": "abcd"}),
    reads("a shorter UTF8String", Defaults, "30 04 0c 02 61 62", {**ALL_DEFAULTS, "text": "ab"}),
    refuses("an encoded default UTF8String", Defaults, "30 05 0c 03 61 62 63", DefaultError, "11.5",
        2),
    reads("an OCTET STRING that is not empty", Defaults, "30 03 80 01 00",
        {**ALL_DEFAULTS, "octets": b"\x00"}),
    refuses("an encoded default that is empty", Defaults, "30 02 80 00", DefaultError, "11.5", 2),
    reads("another ENUMERATED", Defaults, "30 03 81 01 00", {**ALL_DEFAULTS, "level": Level.low}),
    refuses("an encoded default ENUMERATED", Defaults, "30 03 81 01 01", DefaultError, "11.5", 2),
    reads("other named bits", Defaults, "30 04 82 02 07 80", {**ALL_DEFAULTS, "bits": Flags.a}),
    refuses("encoded default named bits", Defaults, "30 04 82 02 06 40", DefaultError, "11.5", 2),
    reads("another explicitly tagged INTEGER", Defaults, "30 05 a3 03 02 01 01",
        {**ALL_DEFAULTS, "version": 1}),
    refuses("an encoded default under an explicit tag", Defaults, "30 05 a3 03 02 01 00",
        DefaultError, "11.5", (2, 4)),
    refuses("an encoded default after other components", Defaults,
        "30 0b 01 01 ff 02 01 05 0c 03 61 62 63", DefaultError, "11.5", 8),
    refuses("a malformed default", Defaults, "30 03 01 01 01", ContentsError, "11.1", 2),
    reads("another OBJECT IDENTIFIER", OidDefault, "30 03 06 01 2a",
        {"kind": ObjectIdentifier("1.2"), "text": "x"}),
    refuses("an encoded default OBJECT IDENTIFIER", OidDefault, "30 04 06 02 2a 03", DefaultError,
        "11.5", 2),
    refuses("an encoded default PrintableString", OidDefault, "30 03 13 01 78", DefaultError,
        "11.5", 2),
]

NESTED = [
    reads("a SEQUENCE in a SEQUENCE", Outer, "30 05 30 03 02 01 05",
        {"inner": {"number": 5, "flag": False}, "rest": None}),
    reads("a list of none", Outer, "30 07 30 03 02 01 05 30 00",
        {"inner": {"number": 5, "flag": False}, "rest": []}),
    refuses("an extra component of an inner SEQUENCE", Outer, "30 07 30 05 02 01 05 05 00",
        StructureError, "8.9", 7),
    refuses("a missing component of an inner SEQUENCE", Outer, "30 02 30 00", StructureError,
        "8.9", 4),
    refuses("an encoded default of an inner SEQUENCE", Outer, "30 08 30 06 02 01 05 01 01 00",
        DefaultError, "11.5", 7),
    refuses("an encoded default in a list", Outer,
        "30 0f 30 03 02 01 05 30 08 30 06 02 01 05 01 01 00", DefaultError, "11.5", 14),
    refuses("an extra component after the list", Outer, "30 09 30 03 02 01 05 30 00 05 00",
        StructureError, "8.9", 9),
]


@table(COMPONENTS)
def test_components(row, place):
    row.check(place)


@table(OPTIONAL)
def test_optional(row, place):
    row.check(place)


@table(DEFAULT)
def test_default(row, place):
    row.check(place)


@table(NESTED)
def test_nested(row, place):
    row.check(place)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("30 08 30 06 02 01 05 01 01 01", ("inner", "flag"), id="a component"),
        pytest.param("30 0a 30 03 02 01 05 30 03 02 01 05", ("rest", 0), id="an element of a list"),
        pytest.param(
            "30 10 30 03 02 01 05 30 09 30 03 02 01 05 30 03 02 01", ("rest", 1), id="a cut element"
        ),
        pytest.param(
            "30 12 30 03 02 01 05 30 0b 30 03 02 01 05 30 04 02 02 00 05",
            ("rest", 1, "number"),
            id="a component of an element of a list",
        ),
        pytest.param("30 02 30 00", ("inner", "number"), id="a missing component"),
    ],
)
def test_an_error_has_the_path_to_the_fault(text, path):
    with pytest.raises(derlib.DecodeError) as caught:
        Outer.decode(bytes.fromhex(text))
    assert caught.value.path[: len(path)] == path


def test_an_absent_field_has_no_span_and_no_octets():
    view = Optionals.decode(b"\x30\x03\x01\x01\xff")
    assert view.span("number") is None
    assert view.raw("number") is None
    assert view.span("octets") is None
    span = view.span("flag")
    assert (span.offset, span.header_length, span.content_length) == (2, 2, 1)
    assert bytes(view.raw("flag")) == b"\xff"


def test_an_omitted_default_has_a_value_and_no_span():
    view = Defaults.decode(b"\x30\x00")
    assert view.number == 300
    assert view.span("number") is None
    assert view.raw("number") is None


def test_spans_are_absolute_and_reach_through_nested_fields():
    data = bytes.fromhex("300f 3003020105 3008 3006 020107 0101ff")
    view = Outer.decode(data)
    assert view.span("inner", "number").offset == 4
    assert view.inner.span("number").offset == 4
    assert view.span("rest", 0, "flag").offset == 14
    assert view.rest[0].span("flag").offset == 14
    assert view.rest.span(0).offset == 9
    assert bytes(view.rest[0].der) == data[9:]


def test_spans_and_contents_octets_are_found_by_the_same_paths():
    data = bytes.fromhex("300f 3003020105 3008 3006 020107 0101ff")
    view = Outer.decode(data)
    for path in [(), ("inner",), ("inner", "number"), ("rest",), ("rest", 0), ("rest", -1, "flag")]:
        span = view.span(*path)
        assert view.raw(*path) == data[span.content_offset : span.end]
        assert view.raw(*path).readonly
    assert view.raw("inner", "flag") is None is view.span("inner", "flag")
    for path in [("other",), ("inner", "other"), ("inner", "number", "more"), ("rest", 0, 0), ("inner", 0)]:
        with pytest.raises(KeyError, match=repr(path[-1])):
            view.raw(*path)
        with pytest.raises(KeyError, match=repr(path[-1])):
            view.span(*path)
    with pytest.raises(IndexError):
        view.raw("rest", 1, "number")


def test_a_path_continues_inside_elements_without_a_type():
    class Holder(Sequence):
        any: TLV

    data = bytes.fromhex("300a 3008 3003020105 020107")
    view = Holder.decode(data)
    assert view.span("any", 0, 0).offset == 6
    assert view.raw("any", 0, 0) == b"\x05"
    assert view.raw("any", 1) == b"\x07"
    with pytest.raises(KeyError, match="number"):
        view.span("any", 0, "number")
    with pytest.raises(IndexError):
        view.span("any", 2)


def test_no_part_of_an_omitted_default_has_a_span():
    class Listed(Sequence):
        numbers: SequenceOf[int] = SequenceOf[int]([1, 2])

    view = Listed.decode(b"\x30\x00")
    assert view.numbers[1] == 2
    assert view.span("numbers", 1) is None
    assert view.raw("numbers", 1) is None


def test_a_field_of_every_kind_has_its_span():
    class Mixed(Sequence):
        nothing: Null
        when: UTCTime
        things: SetOf[int]
        anything: Annotated[TLV, Explicit(9)]

    data = der("30", "05 00", der("17", b"240229123456Z"), "31 03 02 01 05", "a9 02 05 00")
    view = Mixed.decode(data)
    spans = [view.span(name, outer=True) for name in ("nothing", "when", "things", "anything")]
    assert spans[0].offset == 2
    for before, after in itertools.pairwise(spans):
        assert before.end == after.offset
    assert spans[-1].end == len(data)
    inner = view.span("anything")
    assert data[inner.offset : inner.end] == b"\x05\x00"

"""The types that type checkers infer in schemas of users: `make types` reads this file, nothing calls it."""

from __future__ import annotations

import mmap
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

import derlib
from derlib import (
    TLV,
    Absent,
    Addition,
    Alphabet,
    BitString,
    Choice,
    Containing,
    DefinedBy,
    Enumerated,
    Explicit,
    Field,
    IA5String,
    Implicit,
    NamedBits,
    Null,
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
    Span,
    Tag,
    UTCTime,
    WithComponent,
    WithComponents,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import assert_type

T = TypeVar("T")

CONTENTS = OpenTypes("CONTENTS", {"1.2.3": int}, on_mismatch="opaque")


class Colour(Enumerated):
    red = 0
    green = 1


class Rights(NamedBits):
    read = 1 << 0
    write = 1 << 1


class Where(Choice):
    host: Annotated[IA5String, Implicit(0)]
    port: int
    inner: Annotated[Where, Explicit(1)]


class Point(Sequence):
    x: Annotated[int, Implicit(0)] = 0
    y: int
    label: str | None = None


class Entry(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, OctetString, DefinedBy("kind", CONTENTS)]
    colour: Colour = Colour.red
    rights: Annotated[Rights, Implicit(0)] | None = None
    size: Annotated[int, Range(0, None)]
    note: Annotated[str, Size(1, 64)] | None = None
    made: UTCTime
    nothing: Null
    anything: TLV
    bits: BitString

    @property
    def title(self) -> str:
        return self.note or self.kind.name


class Entries(SequenceOf[Entry], size=Size(1, None)):
    pass


class Settings(Set):
    entries: SetOf[Entry]
    numbers: Annotated[SequenceOf[Annotated[int, Range(0, 9)]], Size(1, None), Implicit(2)]
    where: Where


class Constrained(Sequence):
    code: Annotated[IA5String, Size(2) & Alphabet("A-Z")]
    number: Annotated[int, Range(0, 5) | OneOf(7, 9), ~OneOf(3)] = 1
    point: Annotated[Point, WithComponents(x=Range(0, 9), label=Present & Size(1, 4))]
    other: Annotated[Point, WithComponents.only(y=None, label=Absent)] | None = None
    numbers: Annotated[SequenceOf[int], WithComponent(Range(0, 9) - OneOf(4)), Implicit(0)]
    inside: Annotated[Point, OctetString, Containing(Point)]


class Hello(Sequence, extensible=True):
    version: int
    note: Annotated[str, Implicit(0), Addition()] | None = None


class Answer(Choice, extensible=True):
    number: int


class State(Enumerated, extensible=True):
    idle = 0


class Module(Sequence, automatic_tags=True):
    pass


class Login(Module):
    name: str
    secret: bytes | None = None


class Frame(Sequence, fields=[Field("kind", int), ..., Field("note", str, optional=True)]):
    pass


class Tagged(Sequence, tag=Implicit(1, "application")):
    number: int


class Table(Sequence, fields=[Field("class", int), Field("from", str, optional=True)]):
    pass


class Signed(Sequence, Generic[T]):
    body: T
    signature: BitString


def check_fields(entry: Entry) -> None:
    assert_type(entry.kind, ObjectIdentifier)
    assert_type(entry.content, Any)
    assert_type(entry.colour, Colour)
    assert_type(entry.rights, Rights | None)
    assert_type(entry.size, int)
    assert_type(entry.note, str | None)
    assert_type(entry.made, datetime)
    assert_type(entry.nothing, Null)
    assert_type(entry.anything, TLV)
    assert_type(entry.bits, BitString)
    assert_type(entry.title, str)
    # An absent field is None at run time. A requested field is usually present, so type checkers should not require a
    # check.
    assert_type(entry.span("size").offset, int | Any)
    assert_type(entry.span("size", outer=True), Span | Any)
    assert_type(entry.raw("made"), memoryview | Any)


def check_constructors() -> None:
    # Only keywords, in any order of defaults; one alternative of a Choice.
    assert_type(Point(y=2), Point)
    assert_type(Point(x=1, y=2, label="here"), Point)
    assert_type(Where(host="example.com"), Where)


def check_lists(settings: Settings, octets: bytes) -> None:
    assert_type(settings.entries, SetOf[Entry])
    assert_type(settings.entries[0], Entry)
    assert_type(list(settings.numbers), list[int])
    assert_type(settings.where.inner.inner.host, str)
    assert_type(Entries.decode(octets), Entries)
    assert_type(Entries.decode(octets)[0], Entry)
    assert_type(SequenceOf[int].decode(octets), SequenceOf[int])
    assert_type(SequenceOf[int].decode_prefix(octets)[0][0], int)


def check_covariance(entries: Entries) -> SequenceOf[Sequence]:
    return entries


def check_generic(octets: bytes) -> None:
    assert_type(Signed[Entry].decode(octets).body, Entry)
    assert_type(derlib.decode(Signed[Entry], octets).body.size, int)


def check_automatic_tags() -> None:
    assert_type(Login(name="a").secret, bytes | None)


def check_constraints(value: Constrained) -> None:
    assert_type(value.code, str)
    assert_type(value.number, int)
    assert_type(value.point, Point)
    assert_type(value.other, Point | None)
    assert_type(value.numbers, SequenceOf[int])
    assert_type(value.inside, Point)


def check_extensions(hello: Hello, answer: Answer) -> None:
    assert_type(hello.note, str | None)
    assert_type(hello.unknown_additions, tuple[TLV, ...])
    assert_type(Hello(version=1).replace(version=2), Hello)
    assert answer.alternative is None
    assert_type(answer.value, Any)


def check_decode(octets: bytes, shared: mmap.mmap) -> None:
    assert_type(derlib.decode(int, octets), int)
    assert_type(derlib.decode(bool, bytearray(octets)), bool)
    assert_type(derlib.decode(Entry, memoryview(octets)), Entry)
    assert_type(derlib.decode(Colour, shared, copy=False), Colour)
    assert_type(derlib.decode(SequenceOf[int], octets), SequenceOf[int])
    assert_type(derlib.decode(SequenceOf[int], octets)[0], int)
    assert_type(derlib.fields(Entry), tuple[Field, ...])


def check_tree(octets: bytes) -> None:
    root = derlib.parse(octets)
    assert_type(root, TLV)
    assert_type(root.tag, Tag)
    assert_type(root.tag.tag_class, Literal["universal", "application", "context", "private"])
    assert_type(root.span, Span)
    assert_type(root.span.content_offset, int)
    assert_type(root.children, tuple[TLV, ...])
    assert_type([child.tag.number for child in root], list[int])
    assert_type(root.walk(), Iterator[TLV])
    assert_type(root.value, Any)
    assert_type(root.decode(Entry), Entry)


def check_values(oid: ObjectIdentifier, bits: BitString) -> None:
    assert_type(ObjectIdentifier("1.2.3").arcs, tuple[int, ...])
    assert_type(sorted({oid, ObjectIdentifier((1, 2, 3))}), list[ObjectIdentifier])
    assert_type(bits.bytes, bytes)
    assert_type(bits[0], bool)
    assert_type(bits[1:], tuple[bool, ...])
    assert_type(int(bits) + len(bits), int)


def check_errors(octets: bytes) -> None:
    try:
        Entry.decode(octets)
    except (derlib.DecodeError, derlib.LimitError) as error:
        assert_type(error.path, tuple[str | int, ...])
        assert_type(error.offset, int)
        assert_type(error.rule, str)
        value_error: ValueError = error
        raise value_error from None

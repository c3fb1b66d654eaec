"""The types that targets decode: every schema class of derlib, and further ones with features that those lack.

`seeds.py` draws values of the further ones from `derlib.strategies`, or creates them with `values.py`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Annotated, Any

import derlib
import derlib.schemas
from derlib import (
    OIDIRI,
    TLV,
    Absent,
    Addition,
    Alphabet,
    BitString,
    CharacterString,
    Choice,
    Containing,
    DateTime,
    DefinedBy,
    Duration,
    EmbeddedPDV,
    Explicit,
    External,
    Field,
    GeneralizedTime,
    IA5String,
    Implicit,
    ISOTime,
    NamedBits,
    NamedInteger,
    Null,
    NumericString,
    ObjectDescriptor,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Present,
    PrintableString,
    Range,
    Real,
    RelativeOID,
    RelativeOIDIRI,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    TeletexString,
    TimeOfDay,
    UniversalString,
    UTCTime,
    UTF8String,
    VisibleString,
    WithComponent,
    WithComponents,
)


class Colour(derlib.Enumerated):
    red = 0
    green = 1
    far = 2**40
    below = -129


class Number(NamedInteger):
    one = 1
    two = 2


class Usage(NamedBits):
    sign = 1 << 0
    wrap = 1 << 2
    late = 1 << 9


class Point(Sequence):
    x: int
    y: bytes = b""


class Pick(Choice):
    number: int
    point: Annotated[Point, Explicit(0)]
    picks: Annotated[SequenceOf[Pick], Implicit(1)]
    text: UTF8String | PrintableString
    time: Annotated[UTCTime | GeneralizedTime, Explicit(2)]


class Pair(Set):
    number: int
    flag: bool = False
    pick: Annotated[Pick, Explicit(3)] | None = None
    point: Annotated[Point, Implicit(1)] | None = None


TYPED = OpenTypes("TYPED", {"1.2.3": int, "1.2.4": Point, "1.2.5": Pick, "1.2.6": SetOf[int], "1.2.8": bool})
OPAQUE = OpenTypes(
    "OPAQUE",
    {"1.2.3": int, "1.2.4": Point, "1.2.5": Pick, "1.2.6": SetOf[int], "1.2.7": Pair, "1.2.8": bool},
    on_mismatch="opaque",
)


class Open(Sequence):
    kind: ObjectIdentifier
    typed: Annotated[Any, DefinedBy("kind", TYPED)]
    octets: Annotated[Any, OctetString, DefinedBy("kind", TYPED), Implicit(0)] | None = None
    bits: Annotated[Any, BitString, DefinedBy("kind", TYPED), Implicit(1)] | None = None
    opaque: Annotated[Any, DefinedBy("kind", OPAQUE), Explicit(2)] | None = None
    opaque_octets: Annotated[Any, OctetString, DefinedBy("kind", OPAQUE), Implicit(3)] | None = None
    values: Annotated[SetOf[Annotated[Any, DefinedBy("kind", OPAQUE)]], Implicit(4)] | None = None
    inner: Annotated[Open, Implicit(5)] | None = None


TYPED.register("1.2.9", Open)
OPAQUE.register("1.2.9", Open)


class Strings(Sequence):
    numeric: NumericString | None = None
    printable: PrintableString | None = None
    ia5: IA5String | None = None
    visible: Annotated[VisibleString, Size(1, 4)] | None = None
    teletex: TeletexString | None = None
    bmp: Annotated[derlib.BMPString, Size(0, 3)] | None = None
    universal: UniversalString | None = None
    utf8: Annotated[UTF8String, Size(0, 5), Implicit(0)] | None = None


class Document(Sequence):
    version: Annotated[Number, Explicit(9)] = Number.one
    colour: Colour
    small: Annotated[int, Range(-5, 300), Implicit(2)] = 7
    usage: Annotated[Usage, Implicit(0)] | None = None
    bits: Annotated[BitString, Size(0, 20), Implicit(1)] | None = None
    utc: UTCTime | None = None
    general: GeneralizedTime | None = None
    nothing: Null | None = None
    pair: Pair | None = None
    strings: Annotated[Strings, Implicit(3)] | None = None
    points: Annotated[SequenceOf[Point], Implicit(4)] | None = None
    texts: Annotated[SetOf[PrintableString | UTF8String], Implicit(5)] | None = None
    anything: Annotated[TLV, Explicit(6)] | None = None
    pick: Annotated[Pick, Explicit(7)] | None = None
    opens: Annotated[SequenceOf[Open], Implicit(8), Size(1, None)] | None = None
    document: Annotated[Document, Explicit(10)] | None = None


# Extension markers: between components, at the end, in a SET and in a CHOICE; and known additions.


class State(derlib.Enumerated, extensible=True):
    idle = 0
    busy = 1


class Hello(Sequence, extensible=True):
    version: int
    state: State | None = None
    note: Annotated[str, Implicit(0), Addition()] | None = None
    later: Annotated[Hello, Explicit(1), Addition()] | None = None


class Frame(Sequence, fields=[
    Field("kind", ObjectIdentifier, optional=True),
    Field("flag", Annotated[bool, Implicit(0)], default=False),
    ...,
    Field("more", Annotated[SequenceOf[Hello], Implicit(1)], optional=True),
    ...,
    Field("content", Annotated[Any, OctetString, DefinedBy("kind", TYPED)]),
    Field("last", Annotated[Pick, Explicit(2)], optional=True),
]):
    pass


class Bag(Set, extensible=True):
    number: Annotated[int, Implicit(5)]
    mark: bool = False
    hello: Annotated[Hello, Implicit(2), Addition()] | None = None


class Answer(Choice, extensible=True):
    number: int
    bag: Annotated[Bag, Implicit(1)]
    answers: Annotated[SequenceOf[Answer], Implicit(2)]


# AUTOMATIC TAGS, with an extension.


class Module(Sequence, automatic_tags=True):
    pass


class Reading(Module, extensible=True):
    value: int
    unit: IA5String | None = None
    scale: int = 10
    points: SequenceOf[Point] | None = None
    answer: Annotated[Answer, Addition()] | None = None


# Constraints of all kinds.


class Constrained(Sequence):
    """A constraint on each component, and some on the whole."""

    number: Annotated[int, Range(0, 5) | Range(10, 15), ~OneOf(3)]
    code: Annotated[PrintableString, Size(2) & Alphabet("A-Z")] | None = None
    wide: Annotated[derlib.BMPString, Alphabet("à-üA-Z"), Size(0, 4) | Size(8), Implicit(0)] | None = None
    all_planes: Annotated[UniversalString, ~Alphabet("a-z"), Implicit(1)] | None = None
    text: Annotated[UTF8String, OneOf("a", "bc", "é") | (Size(3, 5) - Alphabet("x-z")), Implicit(2)] | None = None
    octets: Annotated[bytes, ~Size(1, 3), ~OneOf(b"")] | None = None
    bits: Annotated[Usage, Size(3) | Size(8, 10)] | None = None
    colour: Annotated[Colour, OneOf("red", "far"), Implicit(3)] = Colour.red
    reading: Annotated[
        Reading, WithComponents(unit=Present & Alphabet("a-z"), scale=Range(0, 20)), Implicit(4)
    ] | None = None
    other: Annotated[Reading, ~WithComponents.only(value=Range(0, 9), points=Size(1)), Implicit(5)] | None = None
    pick: Annotated[Pick, WithComponents(number=Range(0, 9), picks=Absent, time=Absent), Explicit(6)] | None = None
    one: Annotated[
        Pick, OneOf({"number": 1}, {"point": {"x": 2}}) | WithComponents(picks=Present), Explicit(7)
    ] | None = None
    row: Annotated[SequenceOf[int], WithComponent(Range(0, 9)), Implicit(8)] | None = None
    bag: Annotated[SetOf[str], ~WithComponent(Alphabet("a-z")), Size(1, 3), Implicit(9)] | None = None
    tagged: Annotated[Annotated[int, Explicit(10)], Range(-9, 9) | OneOf(2**64)] | None = None
    inner: Annotated[Constrained, WithComponents(number=OneOf(11), inner=Absent), Implicit(11)] | None = None


Narrow = SequenceOf[Annotated[Reading, WithComponents.only(value=Range(-1, 1), unit=None)]]


# CONTAINING, and the rare types.


class Letter(Sequence):
    number: Annotated[int, OctetString, Containing(int)]
    reading: Annotated[Reading, BitString, Containing(Reading), Size(0, 400), Implicit(0)] | None = None
    answer: Annotated[Answer, OctetString, Containing(Answer), Implicit(1)] | None = None
    letters: Annotated[Any, OctetString, Containing(SequenceOf["Letter"]), ~Size(3), Implicit(2)] | None = None


# Its strings have levels inside that do not count in an opaque value.
OPAQUE.register("1.2.10", Letter)


class Rare(Sequence):
    real: Real | None = None
    limited: Annotated[Real, ~OneOf(0.0), Implicit(0)] | None = None
    relative: RelativeOID | None = None
    iri: OIDIRI | None = None
    relative_iri: RelativeOIDIRI | None = None
    descriptor: ObjectDescriptor | None = None
    time: ISOTime | None = None
    date: derlib.Date | None = None
    time_of_day: TimeOfDay | None = None
    date_time: DateTime | None = None
    duration: Duration | None = None
    external: External | None = None
    embedded: EmbeddedPDV | None = None
    character_string: CharacterString | None = None


def schema_classes() -> list[Any]:
    """Return every view class of the modules of `derlib.schemas`, in a constant order."""
    found: dict[str, Any] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(derlib.schemas.__path__)):
        for name, value in sorted(vars(importlib.import_module(f"derlib.schemas.{module}")).items()):
            if isinstance(value, type) and value.__module__ == f"derlib.schemas.{module}" and hasattr(value, "decode"):
                found[f"{module}.{name}"] = value
    return list(found.values())


OWN = [
    Document, Open, Pair, Pick, Strings, Point, SequenceOf[Point], SetOf[Pick], SequenceOf[int], SetOf[int],
    Hello, Frame, Bag, Answer, Reading, Constrained, Narrow, Letter, Rare, SetOf[Hello],
]
CLASSES = OWN + schema_classes()

"""The types that targets decode: every schema class of derlib, and own ones with what those lack."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Annotated, Any

import derlib
import derlib.schemas
from derlib import (
    TLV,
    BitString,
    Choice,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    NamedBits,
    NamedInteger,
    Null,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    TeletexString,
    UniversalString,
    UTCTime,
    UTF8String,
    VisibleString,
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


HARD = OpenTypes("HARD", {"1.2.3": int, "1.2.4": Point, "1.2.5": Pick, "1.2.6": SetOf[int], "1.2.8": bool})
SOFT = OpenTypes(
    "SOFT", {"1.2.3": int, "1.2.4": Point, "1.2.5": Pick, "1.2.6": SetOf[int], "1.2.7": Pair, "1.2.8": bool}, soft=True
)


class Open(Sequence):
    kind: ObjectIdentifier
    hard: Annotated[Any, DefinedBy("kind", HARD)]
    octets: Annotated[Any, OctetString, DefinedBy("kind", HARD), Implicit(0)] | None = None
    bits: Annotated[Any, BitString, DefinedBy("kind", HARD), Implicit(1)] | None = None
    soft: Annotated[Any, DefinedBy("kind", SOFT), Explicit(2)] | None = None
    soft_octets: Annotated[Any, OctetString, DefinedBy("kind", SOFT), Implicit(3)] | None = None
    values: Annotated[SetOf[Annotated[Any, DefinedBy("kind", SOFT)]], Implicit(4)] | None = None
    inner: Annotated[Open, Implicit(5)] | None = None


HARD.register("1.2.9", Open)
SOFT.register("1.2.9", Open)


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


def schema_classes() -> list[Any]:
    """Every view class of the modules of `derlib.schemas`, in a steady order."""
    found: dict[str, Any] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(derlib.schemas.__path__)):
        for name, value in sorted(vars(importlib.import_module(f"derlib.schemas.{module}")).items()):
            if isinstance(value, type) and value.__module__ == f"derlib.schemas.{module}" and hasattr(value, "decode"):
                found[f"{module}.{name}"] = value
    return list(found.values())


OWN = [Document, Open, Pair, Pick, Strings, Point, SequenceOf[Point], SetOf[Pick], SequenceOf[int], SetOf[int]]
CLASSES = OWN + schema_classes()

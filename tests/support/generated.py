"""Random schemas: a hypothesis strategy of types, for properties of every type.

Test modules draw a class from `schemas()` and its values from `derlib.strategies`; `encoded_schemas()` returns both.
"""

from __future__ import annotations

import types
from typing import Annotated, Any

from hypothesis import strategies as st

import derlib
from derlib import (
    MISSING,
    Absent,
    Alphabet,
    Containing,
    Explicit,
    Extensible,
    Field,
    Implicit,
    OneOf,
    Present,
    Range,
    Size,
    WithComponent,
    WithComponents,
)
from derlib._schema.compiler import plan_of
from derlib.strategies import encodings, values


class Colour(derlib.Enumerated):
    red = 0
    green = 1
    far = 2**40


class State(derlib.Enumerated, extensible=True):
    idle = 0
    busy = 1


class Version(derlib.NamedInteger):
    v1 = 0
    v2 = 1


class Usage(derlib.NamedBits):
    sign = 1 << 0
    wrap = 1 << 2
    late = 1 << 9


STRINGS: list[Any] = [
    str,
    derlib.NumericString,
    derlib.PrintableString,
    derlib.IA5String,
    derlib.VisibleString,
    derlib.TeletexString,
    derlib.BMPString,
    derlib.UniversalString,
]
LEAVES: list[Any] = [
    bool,
    int,
    bytes,
    derlib.BitString,
    derlib.Null,
    derlib.ObjectIdentifier,
    derlib.UTCTime,
    derlib.GeneralizedTime,
    Colour,
    derlib.Real,
    derlib.RelativeOID,
    derlib.OIDIRI,
    derlib.RelativeOIDIRI,
    derlib.ObjectDescriptor,
    derlib.Date,
    derlib.TimeOfDay,
    derlib.DateTime,
    derlib.Duration,
    derlib.ISOTime,
    *STRINGS,
]
# They have the same universal tags as those above, so they cannot be in a CHOICE with them.
MORE_LEAVES: list[Any] = [
    Annotated[int, Range(-5, 300)],
    Annotated[int, Range(-5, 300), Extensible(Range(0, 9))],
    Annotated[int, Range(2**63)],
    Annotated[int, Range(high=-129)],
    Annotated[Version, Range(1, 9)],
    Version,
    Usage,
    Annotated[Usage, Size(2, 12)],
    Annotated[bytes, Size(0, 4)],
    Annotated[bytes, Size(128)],
    Annotated[derlib.BitString, Size(3, 17)],
    Annotated[str, Size(1, 3)],
    Annotated[derlib.BMPString, Size(2, None)],
    Annotated[derlib.IA5String, Size(0, 200)],
    State,
    Annotated[State, OneOf("busy", 7)],
    Annotated[Colour, ~OneOf("red")],
    Annotated[bool, OneOf(True)],
    Annotated[int, Range(0, 5) | Range(10, 15)],
    Annotated[int, Range(None, 2**64) - OneOf(0, 1)],
    Annotated[derlib.PrintableString, Size(2) & Alphabet("A-Z")],
    Annotated[derlib.BMPString, Alphabet("à-üA-Z")],
    Annotated[str, Alphabet("a-z0-9") - Alphabet("a-z") - Alphabet("0-9")],
    Annotated[str, OneOf("a", "bc") | Size(5)],
    Annotated[derlib.UniversalString, ~(Alphabet("a-z") | Size(0, 3))],
    Annotated[bytes, ~Size(1, 300)],
    Annotated[derlib.BitString, Size(3) | Size(8, 16)],
    Annotated[Usage, ~Size(0, 2)],
    Annotated[derlib.ObjectIdentifier, OneOf("2.999.1", "1.2")],
    Annotated[derlib.Real, ~OneOf(0.0)],
    Annotated[derlib.Date, OneOf("1985-04-12", "2000-02-29")],
]
# Some are Python keywords: such fields need the dynamic form and a dict of values.
FIELD_NAMES = ("class", "def", "number", "kind", "名", "None", "with space")
TAG_NUMBERS = [0, 1, 30, 31, 127, 128, 2**40]

leaves = st.sampled_from(LEAVES + MORE_LEAVES)


def _class(base: Any, fields: list[Any]) -> Any:
    return types.new_class("Drawn" + base.__name__, (base,), {"fields": fields})


@st.composite
def tagged(draw: Any, inner: Any, number: int | None = None) -> Any:
    """Return a type with a tag, implicit if possible."""
    hint = draw(inner)
    if number is None:
        number = draw(st.sampled_from(TAG_NUMBERS))
    mark = Implicit if plan_of(hint).tag is not None and draw(st.booleans()) else Explicit
    return Annotated[hint, mark(number)]


def defaults(hint: Any) -> st.SearchStrategy[Any]:
    """Return a strategy of DEFAULT values: those that can be encoded again.

    A str that is read from an IA5String may be encoded as a BMPString, and be too long for the string around it.
    """
    return values(hint).filter(lambda value: can_be_encoded(hint, value))


def can_be_encoded(hint: Any, value: Any) -> bool:
    try:
        derlib.encode(value, hint)
    except (derlib.EncodeError, derlib.ConstraintError):
        return False
    return True


@st.composite
def constructed(draw: Any, inner: Any) -> Any:
    """Return a SEQUENCE or SET of fields with distinct tags; some have one extension marker, some two."""
    fields: list[Any] = []
    for index in range(draw(st.integers(0, 4))):
        hint = draw(tagged(inner, index))
        state = draw(st.sampled_from(["must", "optional", "default"]))
        if state == "default":
            fields.append(Field(FIELD_NAMES[index], hint, default=draw(defaults(hint))))
        else:
            fields.append(Field(FIELD_NAMES[index], hint, optional=state == "optional"))
    base = draw(st.sampled_from([derlib.Sequence, derlib.Set]))
    if draw(st.booleans()):
        fields = marked(draw, fields)
    return _class(base, fields)


def marked(draw: Any, fields: list[Field]) -> list[Any]:
    """Return the fields with one or two extension markers; those after the first required one are optional then."""
    first = draw(st.integers(0, len(fields)))
    second = draw(st.none() | st.integers(first, len(fields)))
    additions = [
        Field(field.name, field.type, optional=field.default is MISSING, default=field.default)
        for field in fields[first:second]
    ]
    behind = [] if second is None else [..., *fields[second:]]
    return [*fields[:first], ..., *additions, *behind]


@st.composite
def restricted(draw: Any, inner: Any) -> Any:
    """Return a SEQUENCE, SET, CHOICE or list with an inner type constraint that some value satisfies."""
    if draw(st.booleans()):
        items = Annotated[derlib.SequenceOf[int], WithComponent(Range(0, 9)), ~Size(2)]
        sets = Annotated[derlib.SetOf[str], ~WithComponent(Alphabet("a-z")), Size(1, 5)]
        return draw(st.sampled_from([items, sets]))
    part = draw(inner)
    base = draw(st.sampled_from([derlib.Sequence, derlib.Set, derlib.Choice]))
    more = {} if base is derlib.Choice else {"optional": True}
    cls = _class(
        base,
        [
            Field("number", Annotated[int, Implicit(0)], **({} if base is derlib.Choice else {"default": 3})),
            Field("text", Annotated[str, Implicit(1)], **more),
            Field("part", Annotated[part, Explicit(2)], **more),
        ],
    )
    said = draw(
        st.sampled_from(
            [
                WithComponents(number=Range(0, 9), part=Absent),
                WithComponents(text=Present & Size(1, 3)),
                WithComponents.only(text=Alphabet("a-z")),
                ~WithComponents(text=Absent, number=Range(0, 9)),
                WithComponents(part=Present) | WithComponents(number=Range(7, 9)),
                ~WithComponents(number=~OneOf(7)),
            ]
        )
    )
    return Annotated[cls, said]


@st.composite
def containing(draw: Any, inner: Any) -> Any:
    """Return a string with a contents constraint."""
    string = draw(st.sampled_from([derlib.OctetString, derlib.BitString]))
    hint = Annotated[string, Containing(draw(inner))]
    return draw(st.sampled_from([hint, hint, Annotated[hint, Size(0, 2000)]]))


@st.composite
def plain_sequences(draw: Any, inner: Any) -> Any:
    """Return a SEQUENCE whose fields are required, with their tags."""
    hints = draw(st.lists(inner, min_size=1, max_size=3))
    return _class(derlib.Sequence, [Field(FIELD_NAMES[index], hint) for index, hint in enumerate(hints)])


@st.composite
def lists(draw: Any, inner: Any) -> Any:
    base = draw(st.sampled_from([derlib.SequenceOf, derlib.SetOf]))[draw(inner)]
    return draw(st.sampled_from([base, base, Annotated[base, Size(1, None)], Annotated[base, Size(2, 3)]]))


@st.composite
def choices(draw: Any, inner: Any) -> Any:
    """Return a Choice with named alternatives, all tagged; an extensible one has a tag around it."""
    count = draw(st.integers(1, 3))
    fields: list[Any] = [Field(FIELD_NAMES[index], draw(tagged(inner, index))) for index in range(count)]
    if draw(st.integers(0, 2)) < 2:
        return _class(derlib.Choice, fields)
    fields.insert(draw(st.integers(0, count)), ...)
    return Annotated[_class(derlib.Choice, fields), Explicit(draw(st.sampled_from(TAG_NUMBERS)))]


@st.composite
def unions(draw: Any, inner: Any) -> Any:
    """Return a transparent CHOICE."""
    if draw(st.booleans()):
        pool = draw(st.sampled_from([STRINGS, LEAVES]))
        hints = draw(st.lists(st.sampled_from(pool), min_size=2, max_size=4, unique_by=id))
    else:
        hints = [draw(tagged(inner, index)) for index in range(2)]
    union: Any = hints[0]
    for hint in hints[1:]:
        union = union | hint
    return union


@st.composite
def open_types(draw: Any, inner: Any) -> Any:
    """Return a SEQUENCE of a selector and an open type."""
    table = derlib.OpenTypes("DRAWN", {"2.999.1": draw(inner)}, on_mismatch=draw(st.sampled_from(["opaque", "error"])))
    place = draw(st.sampled_from([Any, derlib.OctetString, derlib.BitString]))
    return _class(
        derlib.Sequence,
        [
            Field("kind", derlib.ObjectIdentifier),
            Field("content", Annotated[Any, place, derlib.DefinedBy("kind", table)]),
        ],
    )


# Made once, because hypothesis validates each new strategy.
PARTS = st.recursive(
    st.one_of(leaves, st.just(derlib.TLV)),
    lambda inner: st.one_of(
        constructed(inner),
        plain_sequences(inner),
        lists(inner),
        choices(inner),
        unions(inner),
        open_types(inner),
        tagged(inner),
        restricted(inner),
        containing(inner),
    ),
    max_leaves=8,
)
SCHEMAS = constructed(PARTS)


def schemas() -> st.SearchStrategy[Any]:
    """Return a strategy of Sequence and Set classes."""
    return SCHEMAS


@st.composite
def encoded_schemas(draw: Any) -> tuple[Any, bytes]:
    """Return a class as `schemas` does, and the encoding of a value of it."""
    cls = draw(schemas())
    return cls, draw(encodings(cls))

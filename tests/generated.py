"""Types that nobody thought of: a hypothesis strategy of schemas, for what must hold of every type.

Test modules draw a class from `schemas()` and its values from `derlib.strategies`; `encoded_schemas()` gives both.
"""

from __future__ import annotations

import types
from typing import Annotated, Any

from hypothesis import strategies as st

import derlib
from derlib import Explicit, Field, Implicit, Range, Size
from derlib._compile import plan_of
from derlib.strategies import encodings, values


class Colour(derlib.Enumerated):
    red = 0
    green = 1
    far = 2**40


class Version(derlib.NamedInteger):
    v1 = 0
    v2 = 1


class Usage(derlib.NamedBits):
    sign = 1 << 0
    wrap = 1 << 2
    late = 1 << 9


STRINGS: list[Any] = [
    str, derlib.NumericString, derlib.PrintableString, derlib.IA5String, derlib.VisibleString, derlib.TeletexString,
    derlib.BMPString, derlib.UniversalString,
]
LEAVES: list[Any] = [
    bool, int, bytes, derlib.BitString, derlib.Null, derlib.ObjectIdentifier, derlib.UTCTime, derlib.GeneralizedTime,
    Colour, derlib.Real, derlib.RelativeOID, derlib.OIDIRI, derlib.RelativeOIDIRI, derlib.ObjectDescriptor, derlib.Date,
    derlib.TimeOfDay, derlib.DateTime, derlib.Duration, derlib.ISOTime, *STRINGS,
]
# Of the same universal tags as those above, so not in a CHOICE beside them.
MORE_LEAVES: list[Any] = [
    Annotated[int, Range(-5, 300)], Annotated[int, Range(2**63)], Annotated[int, Range(high=-129)],
    Annotated[Version, Range(1, 9)], Version, Usage, Annotated[Usage, Size(2, 12)],
    Annotated[bytes, Size(0, 4)], Annotated[bytes, Size(128)], Annotated[derlib.BitString, Size(3, 17)],
    Annotated[str, Size(1, 3)], Annotated[derlib.BMPString, Size(2, None)], Annotated[derlib.IA5String, Size(0, 200)],
]
# Python keywords among them: such fields are made by the dynamic form and given by dict.
FIELD_NAMES = ("class", "def", "number", "kind", "名", "None", "with space")
TAG_NUMBERS = [0, 1, 30, 31, 127, 128, 2**40]

leaves = st.sampled_from(LEAVES + MORE_LEAVES)


def _class(base: Any, fields: list[Field]) -> Any:
    return types.new_class("Drawn" + base.__name__, (base,), {"fields": fields})


@st.composite
def tagged(draw: Any, inner: Any, number: int | None = None) -> Any:
    """A type with a tag, implicit where it may be."""
    hint = draw(inner)
    if number is None:
        number = draw(st.sampled_from(TAG_NUMBERS))
    mark = Implicit if plan_of(hint).tag is not None and draw(st.booleans()) else Explicit
    return Annotated[hint, mark(number)]


@st.composite
def constructed(draw: Any, inner: Any) -> Any:
    """A SEQUENCE or SET of fields that are told apart by their tags."""
    fields = []
    for index in range(draw(st.integers(0, 4))):
        hint = draw(tagged(inner, index))
        state = draw(st.sampled_from(["must", "optional", "default"]))
        if state == "default":
            fields.append(Field(FIELD_NAMES[index], hint, default=draw(values(hint))))
        else:
            fields.append(Field(FIELD_NAMES[index], hint, optional=state == "optional"))
    return _class(draw(st.sampled_from([derlib.Sequence, derlib.Set])), fields)


@st.composite
def plain_sequences(draw: Any, inner: Any) -> Any:
    """A SEQUENCE whose fields must be there, with the tags that they have."""
    hints = draw(st.lists(inner, min_size=1, max_size=3))
    return _class(derlib.Sequence, [Field(FIELD_NAMES[index], hint) for index, hint in enumerate(hints)])


@st.composite
def lists(draw: Any, inner: Any) -> Any:
    base = draw(st.sampled_from([derlib.SequenceOf, derlib.SetOf]))[draw(inner)]
    return draw(st.sampled_from([base, base, Annotated[base, Size(1, None)], Annotated[base, Size(2, 3)]]))


@st.composite
def choices(draw: Any, inner: Any) -> Any:
    """A Choice with named alternatives, all tagged."""
    count = draw(st.integers(1, 3))
    return _class(derlib.Choice, [Field(FIELD_NAMES[index], draw(tagged(inner, index))) for index in range(count)])


@st.composite
def unions(draw: Any, inner: Any) -> Any:
    """A transparent CHOICE."""
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
    """A SEQUENCE of a selector and an open type."""
    table = derlib.OpenTypes("DRAWN", {"2.999.1": draw(inner)}, soft=draw(st.booleans()))
    place = draw(st.sampled_from([Any, derlib.OctetString, derlib.BitString]))
    return _class(derlib.Sequence, [
        Field("kind", derlib.ObjectIdentifier),
        Field("content", Annotated[Any, place, derlib.DefinedBy("kind", table)]),
    ])


@st.composite
def schemas(draw: Any) -> Any:
    """A Sequence or Set class."""
    parts = st.recursive(
        st.one_of(leaves, st.just(derlib.TLV)),
        lambda inner: st.one_of(
            constructed(inner), plain_sequences(inner), lists(inner), choices(inner), unions(inner),
            open_types(inner), tagged(inner),
        ),
        max_leaves=8,
    )
    return draw(constructed(parts))


@st.composite
def encoded_schemas(draw: Any) -> tuple[Any, bytes]:
    """A class as `schemas` gives it, and the encoding of a value of it."""
    cls = draw(schemas())
    return cls, draw(encodings(cls))

"""Types and values that nobody thought of: a hypothesis strategy of schemas with values of them.

Test modules draw a `Drawn` from `schemas()`. Values are plain data in the form that `to_native` gives them, so that
they can be compared with it; `Drawn.canonical` evens out what DER itself does not keep, the order of a SET OF.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from datetime import date, datetime, timezone
from typing import Annotated, Any, NamedTuple

from hypothesis import strategies as st

import derlib
from derlib import Explicit, Field, Implicit, Range, Size


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


class Drawn(NamedTuple):
    """A type expression, a value of it, and what makes two equal values of it compare equal."""

    type: Any
    value: Any
    canonical: Callable[[Any], Any]
    has_tag: bool = True        # False for a CHOICE, which takes no implicit tag


def _same(value: Any) -> Any:
    return value


def _text(alphabet: Any) -> Any:
    return st.text(alphabet, max_size=12)


ASCII = st.characters(max_codepoint=127)
NO_SURROGATES = st.characters(exclude_categories=["Cs"])
PRINTABLE = "abcXYZ019 '()+,-./:=?"
OIDS = st.one_of(
    st.sampled_from(["0.0", "0.39", "1.39.0", "2.5.29.15", "2.999.1", "2.25." + str(2**128 - 1)]),
    st.builds(lambda arcs: ".".join(map(str, (2, *arcs))), st.lists(st.integers(0, 2**70), min_size=1, max_size=5)),
)
BITS = st.one_of(st.binary(max_size=5), st.text("01", min_size=1, max_size=20).filter(lambda bits: len(bits) % 8))
WHOLE_SECONDS = st.datetimes(
    datetime(1950, 1, 1), datetime(2049, 12, 31, 23, 59, 59), timezones=st.just(timezone.utc)
).map(lambda time: time.replace(microsecond=0, fold=0))
MOMENTS = st.one_of(
    # `fold` tells repeated local times apart; UTC has none, and DER nothing to say it with.
    st.datetimes(timezones=st.just(timezone.utc)).map(lambda time: time.replace(fold=0)),
    WHOLE_SECONDS,
    st.sampled_from(["20161231235960Z", "00000229120000Z", "20260131120000.1234567Z", "99991231235959.0000001Z"]),
)
BIT_NAMES: dict[int, Any] = {0: "sign", 2: "wrap", 9: "late"}
NAMED_BITS = st.one_of(
    st.sets(st.integers(0, 12)).map(lambda bits: [BIT_NAMES.get(bit, bit) for bit in sorted(bits)]),
    st.sampled_from([5000]).map(lambda bits: 2**bits + 1),
)
# Not drawn as such: hypothesis prints what it draws from, and Python does not print numbers of this length.
HUGE = st.sampled_from([16384]).map(lambda bits: 2**bits - 1)
INTEGERS = st.one_of(st.integers(), st.integers(-(2**70), 2**70), st.integers(-129, 256), HUGE)
REALS = st.one_of(
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False, allow_infinity=False).filter(lambda number: number != 0).map(lambda n: n.normalize()),
    st.sampled_from(["0x1fffffffffffffffp-3000", "-0x1p99999"]),
)
DATES = st.dates(date(1582, 1, 1), date(9999, 12, 31))
CLOCKS = st.times().map(lambda time: time.replace(microsecond=0, fold=0))
NAIVE = st.datetimes(datetime(1582, 1, 1)).map(lambda time: time.replace(microsecond=0, fold=0))
STRINGS: list[tuple[Any, Any]] = [
    (str, _text(NO_SURROGATES)),
    (derlib.NumericString, _text("0123456789 ")),
    (derlib.PrintableString, _text(PRINTABLE)),
    (derlib.IA5String, _text(ASCII)),
    (derlib.VisibleString, _text("az AZ~")),
    (derlib.TeletexString, _text(st.characters(max_codepoint=255))),
    (derlib.BMPString, _text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]))),
    (derlib.UniversalString, _text(NO_SURROGATES)),
]
LEAVES: list[tuple[Any, Any]] = [
    (bool, st.booleans()),
    (int, INTEGERS),
    (bytes, st.binary(max_size=200)),
    (derlib.Real, REALS),
    (derlib.RelativeOID, st.lists(st.integers(0, 2**70), min_size=1, max_size=5).map(lambda a: ".".join(map(str, a)))),
    (derlib.OIDIRI, st.sampled_from(["/ISO/é/1", "/2"])),
    (derlib.RelativeOIDIRI, st.sampled_from(["a/1", "é"])),
    (derlib.ObjectDescriptor, _text(st.characters(max_codepoint=255))),
    (derlib.Date, DATES),
    (derlib.TimeOfDay, st.one_of(CLOCKS, st.just("24:00:00"))),
    (derlib.DateTime, st.one_of(NAIVE, st.just("2016-12-31T23:59:60"))),
    (derlib.Duration, st.sampled_from(["P1Y2M", "PT0S", "P2.5W"])),
    (derlib.ISOTime, st.sampled_from(["1985-W15", "12:30Z", "R/P1D"])),
    (derlib.BitString, BITS),
    (derlib.Null, st.just(derlib.NULL)),
    (derlib.ObjectIdentifier, OIDS),
    (derlib.UTCTime, WHOLE_SECONDS),
    (derlib.GeneralizedTime, MOMENTS),
    (Colour, st.sampled_from(["red", "green", "far"])),
    *STRINGS,
]
# Of the same universal tags as those above, so not in a CHOICE beside them.
MORE_LEAVES: list[tuple[Any, Any]] = [
    (Annotated[int, Range(-5, 300)], st.integers(-5, 300)),
    (Annotated[bytes, Size(0, 4)], st.binary(max_size=4)),
    (Version, st.one_of(st.sampled_from(["v1", "v2"]), st.integers(2, 2**65))),
    (Usage, NAMED_BITS),
]
ELEMENTS = st.sampled_from(["0500", "020105", "3003020101", "a0020500", "5f8f7f00"]).map(bytes.fromhex)
# Python keywords among them: such fields are made by the dynamic form and given by dict.
FIELD_NAMES = ("class", "def", "number", "kind", "名", "None", "with space")

leaves = st.one_of([
    values.map(lambda value, hint=hint: Drawn(hint, value, _same)) for hint, values in LEAVES + MORE_LEAVES
])
any_elements = ELEMENTS.map(lambda value: Drawn(derlib.TLV, value, _same, has_tag=False))


def _class(base: Any, fields: list[Field]) -> Any:
    return types.new_class("Drawn" + base.__name__, (base,), {"fields": fields})


@st.composite
def tagged(draw: Any, inner: Any, number: int | None = None) -> Drawn:
    """A type with a context tag, implicit where it may be."""
    drawn = draw(inner)
    if number is None:
        number = draw(st.sampled_from([0, 1, 30, 31, 127, 128, 2**40]))
    mark = Implicit(number) if drawn.has_tag and draw(st.booleans()) else Explicit(number)
    return drawn._replace(type=Annotated[drawn.type, mark], has_tag=True)


@st.composite
def constructed(draw: Any, inner: Any) -> Drawn:
    """A SEQUENCE or SET of fields that are told apart by their tags."""
    count = draw(st.integers(0, 4))
    fields, value, parts = [], {}, {}
    for index in range(count):
        drawn = draw(tagged(inner, index))
        name = FIELD_NAMES[index]
        state = draw(st.sampled_from(["must", "optional", "absent", "default", "other"]))
        parts[name] = drawn.canonical
        if state in ("optional", "absent"):
            fields.append(Field(name, drawn.type, optional=True))
        elif state == "default":
            fields.append(Field(name, drawn.type, default=drawn.value))
        else:
            fields.append(Field(name, drawn.type))
        if state != "absent":
            value[name] = drawn.value

    def canonical(native: dict[str, Any]) -> dict[str, Any]:
        return {name: parts[name](inner) for name, inner in native.items()}

    return Drawn(_class(draw(st.sampled_from([derlib.Sequence, derlib.Set])), fields), value, canonical)


@st.composite
def lists(draw: Any, inner: Any) -> Drawn:
    """A list of one value, several times, so that one type serves all."""
    drawn = draw(inner)
    value = [drawn.value] * draw(st.sampled_from([0, 1, 2, 3, 300]))
    return Drawn(derlib.SequenceOf[drawn.type], value, lambda native: [drawn.canonical(item) for item in native])


@st.composite
def leaf_lists(draw: Any) -> Drawn:
    """A list of different values of one primitive type; of a SET OF the order does not count."""
    hint, values = draw(st.sampled_from(LEAVES + MORE_LEAVES))
    value = draw(st.lists(values, max_size=8))
    if draw(st.booleans()):
        return Drawn(derlib.SequenceOf[hint], value, list)
    return Drawn(derlib.SetOf[hint], value, lambda native: sorted(map(repr, native)))


@st.composite
def choices(draw: Any, inner: Any) -> Drawn:
    """A Choice with named alternatives, all tagged."""
    drawn = [draw(tagged(inner, index)) for index in range(draw(st.integers(1, 3)))]
    chosen = draw(st.integers(0, len(drawn) - 1))
    made = _class(derlib.Choice, [Field(FIELD_NAMES[i], alternative.type) for i, alternative in enumerate(drawn)])
    name = FIELD_NAMES[chosen]
    value = {name: drawn[chosen].value}
    return Drawn(made, value, lambda native: {name: drawn[chosen].canonical(native[name])}, has_tag=False)


@st.composite
def unions(draw: Any, inner: Any) -> Drawn:
    """A transparent CHOICE; its value may come back with or without the name of the alternative."""
    if draw(st.booleans()):
        pool = draw(st.sampled_from([STRINGS, LEAVES]))
        picked = draw(st.lists(st.sampled_from(pool), min_size=2, max_size=4, unique_by=lambda leaf: id(leaf)))
        chosen, value = draw(st.integers(0, len(picked) - 1)), None
        hints, value, part = [hint for hint, _ in picked], draw(picked[chosen][1]), _same
    else:
        several = [draw(tagged(inner, index)) for index in range(2)]
        chosen = draw(st.integers(0, 1))
        hints, value, part = [one.type for one in several], several[chosen].value, several[chosen].canonical
    union: Any = hints[0]
    for hint in hints[1:]:
        union = union | hint
    # Python takes unions of the same types for equal and may give back one that was made before, in another order.
    members = typing.get_args(union)
    names = _class(derlib.Sequence, [Field("x", union)]).__plan__.plans[0].names
    name = names[members.index(hints[chosen])]

    def canonical(native: Any) -> Any:
        if isinstance(native, dict) and len(native) == 1 and next(iter(native)) in names:
            native = next(iter(native.values()))
        return part(native)

    return Drawn(union, {name: value}, canonical, has_tag=False)


@st.composite
def open_types(draw: Any, inner: Any) -> Drawn:
    """A SEQUENCE of a selector and an open type: known, unknown, or a misfit that a soft table lets stand."""
    soft = draw(st.booleans())
    # What stands inside a soft value is not tried as a soft type again, so it would come back opaque.
    drawn = draw(st.one_of(leaves, leaf_lists()) if soft else inner)
    table = derlib.OpenTypes("DRAWN", {"2.999.1": drawn.type}, soft=soft)
    state = draw(st.sampled_from(["known", "unknown", "misfit"] if soft else ["known", "unknown"]))
    place = draw(st.sampled_from([Any, derlib.OctetString, derlib.BitString]))
    value = drawn.value
    opaque = b"\x7f\x1f\x00" if place is Any else b"not DER"
    if state == "unknown":
        value = opaque
    elif state == "misfit":
        value = {"$opaque": opaque}
    made = _class(derlib.Sequence, [
        Field("kind", derlib.ObjectIdentifier),
        Field("content", Annotated[Any, place, derlib.DefinedBy("kind", table)]),
    ])
    kind = "2.999.2" if state == "unknown" else "2.999.1"

    def canonical(native: dict[str, Any]) -> dict[str, Any]:
        content = native["content"]
        if state != "known" and drawn.type is derlib.TLV and isinstance(content, dict):
            content = content["$opaque"]
        return {**native, "content": drawn.canonical(content) if state == "known" else content}

    return Drawn(made, {"kind": kind, "content": value}, canonical)


@st.composite
def schemas(draw: Any) -> Drawn:
    """A Sequence or Set class with a value of it."""
    parts = st.recursive(
        st.one_of(leaves, any_elements, leaf_lists()),
        lambda inner: st.one_of(
            constructed(inner), lists(inner), choices(inner), unions(inner), open_types(inner), tagged(inner)
        ),
        max_leaves=8,
    )
    return draw(constructed(parts))

"""The checks that the writer skips beside a large copy, and those that it must not skip.

A value that consists largely of a copy of validated bytes is not validated as a whole. So most values here have such a
copy beside an invalid part, which only the check of that part can find.
"""

from __future__ import annotations

import io
from datetime import datetime, timezone
from typing import Annotated, Any

import pytest
from support.der import der

import derlib
from derlib import (
    TLV,
    ASN1Error,
    Choice,
    ConstraintError,
    Containing,
    DefinedBy,
    Deviation,
    EncodeError,
    Explicit,
    External,
    Implicit,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
    VisibleString,
    WithComponents,
)

LEVELS = 100


class Blob(Sequence):
    data: bytes


class Box(Sequence):
    boxes: SequenceOf[Box]


class Nest(SequenceOf["Nest"]):
    pass


class Pick(Choice):
    number: int
    data: bytes


class OtherPick(Choice):
    number: int
    data: bytes


TYPED = OpenTypes("TYPED", {"1.2.3": int, "1.2.4": bytes})


class Message(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, DefinedBy("kind", TYPED)]


class Beside(Sequence):
    """A large copy and another field."""

    big: Blob
    any: Annotated[TLV, Explicit(10)] | None = None
    box: Annotated[Box, Implicit(0)] | None = None
    blob: Annotated[Blob, Implicit(1)] | None = None
    pick: Annotated[Pick, Explicit(2)] | None = None
    numbers: Annotated[SequenceOf[int], Implicit(3)] | None = None
    few: Annotated[SequenceOf[int], Size(1, 3), Implicit(4)] | None = None
    ordered: Annotated[SetOf[int], Implicit(5)] | None = None
    external: Annotated[External, Implicit(7)] | None = None
    narrow: Annotated[Blob, WithComponents(data=Size(0, 9)), Implicit(8)] | None = None
    nest: Annotated[Nest, Implicit(9)] | None = None
    blobs: Annotated[SetOf[Blob], Implicit(11)] | None = None


def big() -> Any:
    """Return a new large value: one from before the registration of a type would be validated again."""
    return Blob(data=bytes(70_000))


def nested(levels: int) -> bytes:
    octets = b""
    for _ in range(levels):
        octets = der(0x30, octets)
    return octets


def boxes(levels: int) -> Any:
    """Return a view with this many levels, two for each box."""
    box = Box(boxes=[])
    for _ in range(levels // 2 - 1):
        box = Box(boxes=[box])
    return box


def box_values(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"boxes": []}
    for _ in range(levels // 2 - 1):
        value = {"boxes": [value]}
    return value


def shared(type_: Any, octets: bytes) -> Any:
    return derlib.decode(type_, bytearray(octets), copy=False)


class Ring(Sequence):
    ring: Annotated[Ring, Explicit(0)] | None = None


class Chain(Sequence):
    number: int
    next: Annotated[Chain, Explicit(0)] | None = None


def test_levels_are_counted_from_a_value_of_one_level_on():
    chain = Chain(number=0)
    for number in range(49):
        chain = Chain(number=number, next=chain)
    assert chain.encode() == Chain.decode(chain.encode()).encode()
    with pytest.raises(ASN1Error, match="levels deep; the limit is 100"):
        Chain(number=50, next=chain)


class One(Sequence):
    box: Box


class OneAny(Sequence):
    any: TLV


@pytest.mark.parametrize(
    ("build", "most"),
    [
        (lambda n: derlib.encode({"box": box_values(n)}, One), LEVELS - 2),
        (lambda n: One(box=box_values(n)).encode(), LEVELS - 2),
        (lambda n: One(box=boxes(n)).encode(), LEVELS - 2),
        (lambda n: derlib.encode({"box": boxes(n)}, One), LEVELS - 2),
        (lambda n: OneAny(any=nested(n)).encode(), LEVELS - 1),
        (lambda n: Beside(big=big(), any=nested(n)).encode(), LEVELS - 2),
        (lambda n: Beside(big=big(), box=boxes(n)).encode(), LEVELS - 2),
        (lambda n: Beside(big=big(), box=Box.decode(boxes(n).encode())).encode(), LEVELS - 2),
        (lambda n: Beside(big=big(), box=shared(Box, boxes(n).encode())).encode(), LEVELS - 2),
        (lambda n: derlib.encode({"big": big(), "box": box_values(n)}, Beside), LEVELS - 2),
    ],
)
def test_values_nested_to_the_limit_are_written_and_one_more_level_is_rejected(build, most):
    octets = build(most)
    assert derlib.parse(octets).encode() == octets
    for more in (1, 2):
        if most == LEVELS - 1 or more == 2:
            with pytest.raises(ASN1Error, match="levels deep; the limit is 100"):
                build(most + more)


def test_levels_of_values_that_are_built_from_values_are_counted():
    ring = Ring()
    for _ in range(49):
        ring = Ring(ring=ring)
    assert ring.encode() == Ring.decode(ring.encode()).encode()
    with pytest.raises(ASN1Error, match="levels deep; the limit is 100"):
        Ring(ring=ring)


class Wrapped(Sequence):
    """Levels that an opaque value does not have: strings with their contents."""

    inner: Annotated[Any, OctetString, Containing(Wrapped)] | None = None


class Opaque(Sequence):
    key: ObjectIdentifier
    value: Annotated[Any, DefinedBy("key", OpenTypes("WRAPPED", {"1.2.3": Wrapped}, on_mismatch="opaque"))]


class Place(Sequence):
    value: Annotated[Wrapped, Explicit(0)] | None = None


def test_levels_in_strings_of_an_opaque_table_are_counted_in_the_new_parent():
    def wrapped(strings: int) -> Any:
        octets = der(0x30, b"")
        for _ in range(strings):
            octets = der(0x30, der(0x04, octets))
        return Opaque.decode(der(0x30, bytes.fromhex("06022a03") + octets)).value

    # Two levels for each string, one for the innermost value, two for the field.
    assert Place.decode(Place(value=wrapped(48)).encode()).value.inner is not None
    with pytest.raises(ASN1Error, match="levels deep; the limit is 100"):
        Place(value=wrapped(49))


def loose_blob() -> Any:
    return Blob.decode(b"\x30\x04\x04\x81\x01\x00", tolerate=Deviation.LENGTH_FORM)


def loose_pick() -> Any:
    return Pick.decode(b"\x04\x81\x01\x00", tolerate=Deviation.LENGTH_FORM)


def changed(type_: Any, octets: bytes, place: int, octet: int) -> Any:
    buffer = bytearray(octets)
    view = derlib.decode(type_, buffer, copy=False)
    buffer[place] = octet
    return view


@pytest.mark.parametrize(
    "fields",
    [
        {"blob": loose_blob}, {"pick": loose_pick},
        {"blob": lambda: changed(Blob, b"\x30\x03\x04\x01\x00", 2, 5)},
        {"blob": lambda: changed(Blob, b"\x30\x03\x04\x01\x00", 3, 0)},
        {"pick": lambda: changed(Pick, b"\x04\x03abc", 1, 1)},
        {"pick": lambda: changed(Pick, b"\x04\x03abc", 0, 5)},
        {"few": lambda: SequenceOf[int]([1, 2, 3, 4])},
        {"few": lambda: SequenceOf[int]([])},
        {"narrow": lambda: Blob(data=bytes(10))}, {"narrow": lambda: {"data": bytes(10)}},
        {"external": lambda: {"encoding": {"octet_aligned": b""}}},
        {"any": lambda: b"\x05\x00\x05\x00"}, {"any": lambda: b"\x02\x02\x00\x01"},
        {"numbers": lambda: SequenceOf[bytes]([b""])},
        {"blob": lambda: Message(kind="1.2.3", content=5)},
        {"pick": lambda: OtherPick(number=5)},
    ],
)
def test_an_invalid_part_beside_a_large_copy_is_rejected(fields):
    [(name, make)] = fields.items()
    with pytest.raises(ASN1Error):
        Beside(big=big(), **{name: make()})
    with pytest.raises(ASN1Error):
        derlib.encode({"big": big(), name: make()}, Beside)


def test_octets_after_an_element_are_reported_as_such():
    with pytest.raises(derlib.ConstraintError, match=r"after|follow|behind|trailing|end"):
        Beside(big=big(), any=b"\x05\x00\x05\x00")


def test_a_view_of_another_kind_is_encoded_again():
    assert list(Beside(big=big(), ordered=SequenceOf[int]([300, 2, 1])).ordered) == [1, 2, 300]
    value = Beside(big=big(), nest=Nest([[], [[]]]), numbers=SetOf[int]([2, 1]))
    assert Beside.decode(value.encode()) == value
    assert Beside(big=big(), pick=Pick(number=5)).pick.number == 5
    blobs = SequenceOf[Blob]([{"data": b"bb"}, {"data": b"a"}])
    assert [blob.data for blob in Beside(big=big(), blobs=blobs).blobs] == [b"a", b"bb"]


def test_a_copy_is_validated_with_types_that_were_registered_later():
    table = OpenTypes("TABLE", {"1.2.3": int})

    class Holder(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", table)]

    class Around(Sequence):
        big: Blob
        holder: Holder

    class VerbatimField(Sequence):
        big: Blob
        either: int | Holder
        tagged: Annotated[int | Holder, Explicit(0)]

    view = Holder.decode(bytes.fromhex("3007 06032a0305 0500".replace(" ", "")))
    assert Around(big=big(), holder=view).holder == view
    kept = [VerbatimField(big=big(), either=view, tagged=5), VerbatimField(big=big(), either=5, tagged=view)]
    assert [value.replace(big=big()) for value in kept] == kept
    table.register("1.2.3.5", int)
    with pytest.raises(ASN1Error):
        Around(big=big(), holder=view)
    for value in kept:
        with pytest.raises(ASN1Error):
            value.replace(big=big())


class Attribute(Sequence):
    big: Blob
    kind: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("kind", TYPED)]]


class Tagged(Sequence):
    big: Blob
    kind: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("kind", TYPED), Explicit(0)]]


@pytest.mark.parametrize("type_", [Attribute, Tagged])
@pytest.mark.parametrize("count", [1, 9000])
def test_a_copy_under_another_selector_is_rejected(type_, count):
    inner = b"\x04\x07abcdefg"
    element = inner if type_ is Attribute else der(0xA0, inner)
    octets = der(0x30, bytes(big().der) + b"\x06\x02\x2a\x04" + der(0x30, element * count))
    first = type_.decode(octets)
    again = type_(big=big(), kind="1.2.4", values=first.values)
    assert again.encode() == octets
    with pytest.raises(ASN1Error):
        type_(big=big(), kind="1.2.3", values=first.values)
    for fields in ({}, {"big": big()}):
        with pytest.raises(ASN1Error):
            first.replace(kind="1.2.3", **fields)
        with pytest.raises(ASN1Error):
            type_.decode(octets).replace(kind="1.2.3", **fields)


def test_a_tolerated_fault_beside_a_large_copy_is_rejected():
    octets = der(0x30, b"\x30\x02\x04\x00" + b"\xa1\x04\x04\x81\x01\x00")
    loose = Beside.decode(octets, tolerate=Deviation.LENGTH_FORM)
    with pytest.raises(ASN1Error):
        loose.replace(big=big())
    sound = Beside.decode(der(0x30, b"\x30\x02\x04\x00" + b"\xa1\x03\x04\x01\x00"))
    assert sound.replace(big=big()).blob.data == b"\0"
    for field in (b"\x80\x81\x01\x05", b"\x80\x02\x00\x05"):
        octets = der(0x30, b"\x30\x02\x04\x00" + field + b"\x81\x01a")
        loose = Exchanged.decode(octets, tolerate=Deviation.LENGTH_FORM | Deviation.INTEGER_PADDING)
        with pytest.raises(ASN1Error):
            loose.replace(big=big())


EXCHANGED: list[str] = []


class Exchanged(Sequence):
    """A class whose constructor exchanges the values of two fields."""

    big: Blob
    number: Annotated[int, Implicit(0)]
    text: Annotated[str, Implicit(1)]
    small: Annotated[int, Range(0, 9), Implicit(2)] | None = None

    def __init__(self, **values: Any) -> None:
        for name, other in zip(EXCHANGED, reversed(EXCHANGED), strict=True):
            if name > other:
                values[name], values[other] = values[other], values[name]
        super().__init__(**values)


@pytest.mark.parametrize("names", [["number", "text"], ["number", "small"]])
def test_replace_copies_an_encoding_only_into_its_own_field(names, monkeypatch):
    value = Exchanged(big=big(), number=300, text="a", small=5)
    assert value.replace(big=big()) == value
    monkeypatch.setitem(globals(), "EXCHANGED", names)
    with pytest.raises(ASN1Error):
        value.replace(big=big())


class Many(Sequence, fields=[derlib.Field(f"f{number}", Annotated[int, Implicit(number)]) for number in range(40)]):
    pass


class Members(Set):
    a: Annotated[int, Implicit(5)]
    b: Annotated[int, Implicit(2)]


class Either(Sequence):
    kind: ObjectIdentifier
    value: Annotated[int, Implicit(1)] | Annotated[Any, DefinedBy("kind", TYPED), Explicit(0)]


def test_classes_without_the_fast_constructor_are_built_correctly():
    values = {f"f{number}": number for number in range(40)}
    assert Many(**values).encode() == derlib.encode(values, Many)
    assert Members(a=1, b=2).encode().hex() == "3106820102850101"
    assert Message(kind="1.2.3", content=5).content == 5
    assert Either(kind="1.2.4", value=b"a").encode().hex() == "300906022a04a003040161"
    with pytest.raises(ASN1Error):
        External(encoding={"octet_aligned": b""})


class Inside(Sequence):
    big: Blob
    octets: Annotated[bytes, OctetString, Containing(int), Size(5)]


def test_the_size_of_a_string_with_an_encoding_is_checked_beside_a_large_copy():
    for make in (lambda **values: Inside(**values), lambda **values: derlib.encode(values, Inside)):
        assert make(big=big(), octets=2**20)
        for number in (5, 2**40):
            with pytest.raises(ASN1Error):
                make(big=big(), octets=number)


def test_a_missing_reference_beside_a_large_copy_is_an_error():
    large = External(indirect_reference=5, encoding={"octet_aligned": bytes(70_000)}).encoding
    assert External(indirect_reference=5, encoding=large).encoding == large
    for make in (External, lambda **values: derlib.encode(values, External)):
        with pytest.raises(ASN1Error):
            make(encoding=large)


class Fields(Sequence):
    printable: PrintableString | None = None
    numeric: NumericString | None = None
    visible: VisibleString | None = None
    short: Annotated[str, Size(1, 2), Implicit(0)] | None = None
    octet: Annotated[bytes, Size(1), Implicit(1)] | None = None
    digit: Annotated[int, Range(0, 9), Implicit(2)] | None = None
    gap: Annotated[int, Range(0, 5) | Range(10, 15), Implicit(3)] | None = None
    flag: bool | None = None
    time: UTCTime | None = None
    new_year: Annotated[UTCTime, OneOf("260101000000Z"), Implicit(4)] | None = None
    number: Annotated[int, Implicit(5)] | None = None
    data: Annotated[bytes, Implicit(6)] | None = None


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("printable", ["", "a b"], ["a@b", "a\x00", b"a", "é"]),
        ("numeric", ["", "1 2"], ["1a", 1]),
        ("visible", ["~@ "], ["\n", "\x7f"]),
        ("short", ["é", "ab"], ["", "abc", "ééé", b"a"]),
        ("octet", [b"a", bytearray(b"b")], [b"", b"ab", "a"]),
        ("digit", [0, 9], [10, -1, 10**30, -(10**30), True, "1"]),
        ("gap", [5, 10], [6, 2**70]),
        ("flag", [True, False], [1, 0, "True", [1]]),
        ("time", ["260101000000Z", datetime(2026, 1, 1, tzinfo=timezone.utc)], ["2601010000Z", 5]),
        ("new_year", [datetime(2026, 1, 1, tzinfo=timezone.utc)], [datetime(2027, 1, 1, tzinfo=timezone.utc)]),
        ("number", [0, 127, 128, -128, -129, 255, 32767, 32768, 2**31, -(2**62), 2**64], [1.0, "5", True]),
        ("data", [b"", bytes(300)], ["", 5]),
    ],
)
def test_plain_values_are_checked_before_they_are_encoded(name, good, bad):
    for value in good:
        made = Fields(**{name: value})
        assert Fields.decode(made.encode()) == made
    for value in bad:
        with pytest.raises(ASN1Error):
            Fields(**{name: value})
        with pytest.raises(ASN1Error):
            derlib.encode({name: value}, Fields)


class Stream(Sequence):
    kind: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("kind", TYPED)]]
    items: Annotated[SequenceOf[Box], Implicit(0)]


def streamed(value: Any, type_: Any) -> bytes:
    file = io.BytesIO()
    derlib.encode_to(file, value, type_)
    return file.getvalue()


def test_the_value_around_a_stream_is_validated_at_the_end():
    values = Stream(kind="1.2.4", values=[b"abc"], items=[]).values
    sound = {"kind": "1.2.4", "values": values, "items": iter([boxes(4)])}
    assert Stream.decode(streamed(sound, Stream)).kind.dotted == "1.2.4"
    with pytest.raises(ASN1Error):
        streamed({"kind": "1.2.3", "values": values, "items": iter([boxes(4)])}, Stream)
    deep = {"kind": "1.2.4", "values": values, "items": iter([boxes(98)])}
    assert Stream.decode(streamed(deep, Stream)).kind.dotted == "1.2.4"
    with pytest.raises(ASN1Error):
        streamed({"kind": "1.2.4", "values": values, "items": iter([boxes(100)])}, Stream)


class Plain(Sequence):
    items: SequenceOf[Box]


def test_a_stream_is_not_nested_too_deeply():
    assert Plain.decode(streamed({"items": iter([boxes(98)])}, Plain))
    with pytest.raises(ASN1Error):
        streamed({"items": iter([boxes(100)])}, Plain)


def test_a_stream_is_accepted_only_for_its_list():
    numbers = Annotated[SequenceOf[int], Size(2, 3), Implicit(0)]

    class Two(Sequence):
        first: SequenceOf[int]
        second: numbers
        bag: SetOf[int] | None = None

    for first, second in (([], [1, 2]), ([5] * 300, [7, 8, 9])):
        octets = streamed({"first": iter(first), "second": iter(second)}, Two)
        assert octets == Two(first=first, second=second).encode()
    for second in ([1], [1, 2, 3, 4]):
        with pytest.raises(ConstraintError, match="SIZE"):
            streamed({"first": iter([]), "second": iter(second)}, Two)
    spool = derlib._core.EncodedListFile(io.BytesIO(b"\x02\x01\x05"), 3, 1, 1)
    with pytest.raises(EncodeError, match="encode_to"):
        Two(first=spool, second=[1, 2])
    with pytest.raises(EncodeError, match="sorted as a whole"):
        Two(first=[], second=[1, 2], bag=spool)


def test_a_constraint_of_a_value_with_a_stream_is_checked_at_the_end():
    class Items(Sequence):
        number: int
        items: SequenceOf[Box]

    small = Annotated[Items, WithComponents(number=Range(0, 5))]
    assert streamed({"number": 5, "items": iter([boxes(2)])}, small)
    with pytest.raises(ASN1Error):
        streamed({"number": 6, "items": iter([boxes(2)])}, small)

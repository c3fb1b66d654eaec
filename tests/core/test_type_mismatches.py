"""Mismatches of nested open types if deviations are tolerated: which value is opaque, and what is recorded."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import pytest
from rules.rows import der

import derlib
from derlib import (
    TLV,
    Alphabet,
    BitString,
    BMPString,
    Choice,
    Containing,
    DefinedBy,
    Deviation,
    IA5String,
    Implicit,
    Limits,
    NumericString,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UniversalString,
    UTF8String,
    VisibleString,
)

EVERYTHING = ~Deviation(0)
TYPES = OpenTypes(
    "TYPES", {"1.2.3": int, "1.2.5": SequenceOf[bool], "1.2.6": Annotated[PrintableString, Alphabet("a")]}
)
OPAQUE = OpenTypes("OPAQUE", {"1.2.6": Annotated[PrintableString, Alphabet("a")]}, on_mismatch="opaque")


class Bare(Sequence):
    """An open type whose mismatch must be DER, and one more component, which may be invalid."""

    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", TYPES)]
    flag: bool | None = None


class Held(Sequence):
    """The same in a string."""

    kind: ObjectIdentifier
    body: Annotated[Any, OctetString, DefinedBy("kind", TYPES)]
    flag: bool | None = None


class Vendor(Sequence):
    kind: ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", OPAQUE)]


TYPES.register("1.2.8", Held)
TYPES.register("1.2.9", Bare)
OPAQUE.register("1.2.9", Bare)
INT, FLAGS, WORD, HELD, BARE = (bytes([6, 2, 0x2A, last]) for last in (3, 5, 6, 8, 9))
MISFIT = b"\x04\x01\x05"
NOT_DER = b"\x30\x03\x01\x01\x05"
OPEN = Deviation.OPEN_TYPE


def noted(value: Any) -> list[tuple[str, tuple[Any, ...]]]:
    return [(one.deviation.name, one.path) for one in value.deviations]


@pytest.mark.parametrize("levels", [1, 2, 3, 4, 10, 40])
def test_only_the_innermost_mismatch_is_opaque(levels):
    data = der("30", INT, MISFIT)
    for _ in range(levels - 1):
        data = der("30", BARE, data, "0101ff")
    found = Bare.decode(data, tolerate=OPEN)
    assert noted(found) == [("OPEN_TYPE", ("body",) * levels)]
    assert found.encode() == data


@pytest.mark.parametrize("levels", [1, 2, 3, 10, 40])
def test_a_fault_after_a_mismatch_makes_the_value_around_both_opaque(levels):
    inner = der("30", INT, MISFIT, "0500")
    for _ in range(levels - 1):
        inner = der("30", BARE, inner, "0500")
    found = Bare.decode(der("30", BARE, inner), tolerate=OPEN)
    assert noted(found) == [("OPEN_TYPE", ("body",))]
    assert found.body.encode() == inner


def test_siblings_and_later_mismatches_do_not_count():
    element = der("30", INT, MISFIT)
    data = der("30", *[element] * 50)
    found = SequenceOf[Bare].decode(data, tolerate=OPEN)
    assert noted(found) == [("OPEN_TYPE", (i, "body")) for i in range(50)]


def test_a_mismatch_that_is_not_der_is_an_error_with_the_path_of_the_outermost_open_type():
    inner = der("30", INT, NOT_DER)
    for data in (inner, der("30", BARE, inner), der("30", BARE, der("30", BARE, inner, "0500"))):
        with pytest.raises(derlib.ContentsError) as caught:
            Bare.decode(data, tolerate=OPEN)
        assert caught.value.path == ("body",)
        assert caught.value.offset == data.index(b"\x01\x01\x05")
        assert Bare.decode(data, tolerate=EVERYTHING).encode() == data


def test_a_mismatch_that_is_not_der_makes_the_string_around_it_opaque():
    inner = der("30", BARE, der("30", INT, NOT_DER))
    data = der("30", HELD, der("30", BARE, der("04", inner)))
    found = Bare.decode(data, tolerate=OPEN)
    assert noted(found) == [("OPEN_TYPE", ("body", "body"))]
    assert found.body.body == inner
    sound = der("30", HELD, der("30", BARE, der("04", der("30", BARE, der("30", INT, MISFIT)))))
    assert noted(Bare.decode(sound, tolerate=OPEN)) == [("OPEN_TYPE", ("body",) * 4)]


def test_faults_in_a_mismatch_are_recorded_once():
    inner = der("30", BARE, der("30", INT, NOT_DER))
    found = Bare.decode(inner, tolerate=EVERYTHING)
    assert noted(found) == [("OPEN_TYPE", ("body", "body")), ("BOOLEAN_TRUE", ("body", "body"))]
    outer = der("30", BARE, der("30", BARE, der("30", INT, NOT_DER), "0500"))
    assert noted(Bare.decode(outer, tolerate=EVERYTHING)) == [
        ("OPEN_TYPE", ("body",)),
        ("BOOLEAN_TRUE", ("body",)),
    ]


def test_limits_apply_to_deferred_values():
    nested = b"\x05\x00"
    for _ in range(6):
        nested = der("30", nested)
    data = der("30", BARE, der("30", INT, nested))
    assert Bare.decode(data, tolerate=EVERYTHING, limits=Limits(depth=8)).encode() == data
    with pytest.raises(derlib.LimitError):
        Bare.decode(data, tolerate=EVERYTHING, limits=Limits(depth=7))
    assert Bare.decode(data, tolerate=EVERYTHING, limits=Limits(elements=7)).encode() == data
    with pytest.raises(derlib.LimitError):
        Bare.decode(data, tolerate=EVERYTHING, limits=Limits(elements=6))


def test_reading_agrees_in_a_shared_buffer():
    data = der("30", BARE, der("30", BARE, der("30", INT, MISFIT)))
    plain = Bare.decode(data, tolerate=EVERYTHING)
    shared = Bare.decode(bytearray(data), copy=False, tolerate=EVERYTHING)
    assert shared.to_native() == plain.to_native()
    assert Vendor.decode(data, tolerate=EVERYTHING).to_native() == Vendor.decode(data).to_native()


@pytest.mark.parametrize("type_", [Bare, Vendor])
def test_a_constraint_that_a_mismatch_violates_is_not_reported_for_a_later_fault(type_):
    # The later fault has no expected type; this was a crash.
    data = der("30", WORD, "130162", "0500")
    with pytest.raises(derlib.StructureError) as caught:
        type_.decode(data, tolerate=None if type_ is Vendor else OPEN)
    assert caught.value.kind == "component-extra"


def test_a_number_out_of_range_is_checked_by_the_type_that_its_tag_names():
    # With the tag of UTF8String, an INTEGER that is not UTF-8 is not even a valid element.
    table = OpenTypes("TEXT", {"1.2.3": Annotated[int, Range(0, 5), Implicit(12, "universal")]}, on_mismatch="opaque")

    class Odd(Sequence):
        kind: ObjectIdentifier
        body: Annotated[Any, DefinedBy("kind", table)]
        more: SequenceOf[Annotated[Any, DefinedBy("kind", table)]] | None = None

    for body, value in ((b"\x0c\x01\x05", 5), (b"\x0c\x01\x06", None), (b"\x0c\x01a", None)):
        read = Odd.decode(der("30", INT + body + der("30", body * 2)))
        assert [value if value == 5 else part.encode() for part in (read.body, *read.more)] == [value or body] * 3
    for octets in (INT + b"\x0c\x01\xff", INT + b"\x0c\x01a" + der("30", b"\x0c\x01a\x0c\x01\xff")):
        with pytest.raises(derlib.DecodeError, match="UTF-8"):
            Odd.decode(der("30", octets))


@pytest.mark.parametrize("tag", [None, Implicit(0)])
def test_numbers_count_as_elements_without_a_type_whether_they_fit_or_not(tag: Any):
    type_ = Annotated[int, Range(0, 5)] if tag is None else Annotated[int, Range(0, 5), tag]
    table = OpenTypes("FEW", {"1.2.3": type_}, on_mismatch="opaque")

    class Numbers(Sequence):
        kind: ObjectIdentifier
        body: SequenceOf[Annotated[Any, DefinedBy("kind", table)]]

    identifier = "02" if tag is None else "80"
    for element in (der(identifier, b"\x05"), der(identifier, b"\x06")):
        octets = der("30", INT + der("30", element * 4))
        assert len(Numbers.decode(octets, limits=Limits(elements=8)).body) == 4
        with pytest.raises(derlib.LimitError):
            Numbers.decode(octets, limits=Limits(elements=7))


class Colour(derlib.Enumerated):
    red = 0
    green = 1


class Growing(Choice, extensible=True):
    number: Annotated[int, Range(0, 5)]


# The OBJECT IDENTIFIER, a type, a value that only its constraint rejects, and a value that is not DER.
CONSTRAINED: list[tuple[Any, bytes, bytes, bytes]] = [
    (Annotated[int, Range(0, 5)], b"\x02", b"\x06", b"\x00\x06"),
    (Annotated[int, OneOf(1, 2)], b"\x02", b"\x06", b"\x00\x06"),
    (Annotated[bool, OneOf(True)], b"\x01", b"\x00", b"\x01"),
    (Annotated[Colour, OneOf(Colour.red)], b"\x0a", b"\x01", b"\x00\x01"),
    (Annotated[BitString, Size(3)], b"\x03", b"\x07\x80", b"\x07\xff"),
    (Annotated[ObjectIdentifier, OneOf(ObjectIdentifier("1.2"))], b"\x06", b"\x2a\x03", b"\x2a\x83"),
    (Annotated[UTF8String, Size(2)], b"\x0c", b"\xc3\xa9", b"\xc3"),
    (Annotated[UTF8String, Size(2)], b"\x0c", b"", b"\xff"),
    (Annotated[NumericString, Size(2)], b"\x12", b"1", b"a"),
    (Annotated[PrintableString, Size(2)], b"\x13", b"a", b"*"),
    (Annotated[IA5String, Size(2)], b"\x16", b"*", b"\xff"),
    (Annotated[VisibleString, Size(2)], b"\x1a", b"*", b"\x7f"),
    (Annotated[UniversalString, Size(2)], b"\x1c", b"\0\0\0a", b"a"),
    (Annotated[BMPString, Size(2)], b"\x1e", b"\0a", b"a"),
    (Annotated[int, Range(0, 5)] | Annotated[UTF8String, Size(2)], b"\x0c", b"a", b"\xff"),
    (Growing, b"\x02", b"\x06", b"\x00\x06"),
]


@pytest.mark.parametrize(("type_", "identifier", "contents", "broken"), CONSTRAINED)
@pytest.mark.parametrize("tolerate", [None, OPEN, EVERYTHING])
def test_a_violated_constraint_makes_a_value_opaque_and_invalid_der_is_an_error(
    type_: Any, identifier: bytes, contents: bytes, broken: bytes, tolerate: Any
):
    class Values(Sequence):
        kind: ObjectIdentifier
        one: Annotated[Any, DefinedBy("kind", OpenTypes("T", {"1.2.3": type_}, on_mismatch="opaque"))]
        more: SequenceOf[Annotated[Any, DefinedBy("kind", OpenTypes("T", {"1.2.3": type_}, on_mismatch="opaque"))]]

    element = der(identifier.hex(), contents)
    values = Values.decode(der("30", INT, element, der("30", element * 3)), tolerate=tolerate)
    assert [value.encode() for value in (values.one, *values.more)] == [element] * 4
    assert all(isinstance(value, TLV) for value in (values.one, *values.more))
    assert noted(values) == []
    wrong = der(identifier.hex(), broken)
    for octets in (der("30", INT, wrong, "3000"), der("30", INT, element, der("30", element, wrong))):
        if tolerate is not EVERYTHING:
            with pytest.raises(derlib.DecodeError):
                Values.decode(octets, tolerate=tolerate)


def test_an_unknown_alternative_is_a_valid_value_of_an_opaque_table():
    class Values(Sequence):
        kind: ObjectIdentifier
        body: Annotated[Any, DefinedBy("kind", OpenTypes("T", {"1.2.3": Growing}, on_mismatch="opaque"))]

    assert isinstance(Values.decode(der("30", INT, "800105")).body, Growing)
    assert Values.decode(der("30", INT, "020105")).body.number == 5
    assert isinstance(Values.decode(der("30", INT, "020106")).body, TLV)


class Loose(Sequence):
    flag: bool
    number: int


def test_a_fault_where_the_contents_of_a_tolerated_empty_string_would_begin():
    # The message had the bound of the string: "BIT STRING (no octets)", and no deviation.
    class Strings(Sequence):
        empty: Annotated[int, OctetString, Containing(int)]
        padded: Annotated[int, BitString, Containing(int)]

    with pytest.raises(derlib.ContentsError, match="padded at offset 4: BIT STRING 01 02 01 0f has") as caught:
        Strings.decode(der("30", "0400", "03040102010f"), tolerate=OPEN)
    assert caught.value.deviation is Deviation.UNUSED_BITS


def test_faults_in_a_mismatch_of_an_opaque_table_are_recorded_once():
    table = OpenTypes("LOOSE", {"1.2.3": Loose}, on_mismatch="opaque")

    class Opaque(Sequence):
        kind: ObjectIdentifier
        body: Annotated[Any, DefinedBy("kind", table)]

    # Neither is DER without its type. The second is also a mismatch, which only its second component shows.
    for element, type_ in ((der("30", "010105", "020105"), Loose), (der("30", "010105", MISFIT), derlib.TLV)):
        data = der("30", INT, element)
        with pytest.raises(derlib.ContentsError):
            Opaque.decode(data)
        found = Opaque.decode(data, tolerate=EVERYTHING)
        assert type(found.body) is type_
        assert [name for name, _ in noted(found)] == ["BOOLEAN_TRUE"]
        assert found.encode() == data


OPEN_LISTS = [
    OpenTypes("TYPED", {"1.2.3": int}),
    OpenTypes("OPAQUE", {"1.2.3": int}, on_mismatch="opaque"),
    OpenTypes("NONE", {"1.2.4": int}),
]


@pytest.mark.parametrize("table", OPEN_LISTS, ids=lambda table: table.name)
@pytest.mark.parametrize("tolerate", [Deviation(0), OPEN])
def test_a_list_of_open_types_says_where_it_is_at_fault(table: OpenTypes, tolerate: Deviation):
    class Many(Sequence):
        kind: ObjectIdentifier
        values: SequenceOf[Annotated[Any, DefinedBy("kind", table)]]

    with pytest.raises(derlib.TruncatedError) as caught:
        Many.decode(der("30", INT, der("30", "020105", "0209")), tolerate=tolerate)
    assert (caught.value.kind, caught.value.path, caught.value.offset) == ("content-truncated", ("values", 1), 11)
    with pytest.raises(derlib.LimitError) as limited:
        Many.decode(der("30", INT, der("30", *["020105"] * 4)), tolerate=tolerate, limits=Limits(elements=2))
    assert (limited.value.kind, limited.value.path[0]) == ("element-limit", "values")
    # With its type, each element counts as one; without it, each counts as an element of the list and once by itself.
    at = 2 if table.name == "TYPED" else 1
    assert (limited.value.path, limited.value.offset) == (("values", at), 8 + 3 * at)


@pytest.mark.parametrize("levels", [1, 2, 3, 10])
def test_an_error_names_the_deviation_only_if_the_value_can_be_an_opaque_one(levels: int):
    # With NOT_DER, the next error names Deviation.BOOLEAN_TRUE; nothing tolerates a BOOLEAN without contents.
    for value, expected in ((MISFIT, OPEN), (NOT_DER, OPEN), (b"\x30\x02\x01\x00", None)):
        bare = held = der("30", INT, value)
        for _ in range(levels - 1):
            bare = der("30", BARE, bare)
        with pytest.raises(derlib.DecodeError) as caught:
            Bare.decode(bare)
        assert caught.value.deviation == expected
        # An opaque string can have any contents.
        held = der("30", HELD, der("04", bare))
        with pytest.raises(derlib.DecodeError) as caught:
            Bare.decode(held)
        assert caught.value.deviation == OPEN


@pytest.mark.parametrize(
    ("name", "module", "class_name"), [("report.tsr", "tsp", "TimeStampResp"), ("status.der", "ocsp", "OCSPResponse")]
)
def test_the_deviation_of_an_error_tolerates_it(name: str, module: str, class_name: str):
    """Change each byte of a file: with the deviation that the error names, no error is at the same place."""
    schema = getattr(importlib.import_module(f"derlib.schemas.{module}"), class_name)
    original = Path("docs/examples", name).read_bytes()
    retried, dead_ends = 0, []
    for position in range(len(original)):
        damaged = bytearray(original)
        damaged[position] ^= 0x11
        error = error_of(schema, damaged)
        if error is not None and error.deviation == OPEN:
            retried += 1
            second = error_of(schema, damaged, tolerate=OPEN)
            if second is not None and (second.offset, second.kind) == (error.offset, error.kind):
                dead_ends.append((position, str(second)))
    assert dead_ends == []
    assert retried > 20


def error_of(schema: Any, data: bytearray, **options: Any) -> derlib.DecodeError | None:
    try:
        schema.decode(data, **options)
    except derlib.DecodeError as error:
        return error
    return None


def _in_a_string(string: Any, on_mismatch: str) -> Any:
    table = OpenTypes("IN_A_STRING", {"1.2.3": int, "1.2.4": Bare}, on_mismatch=on_mismatch)  # type: ignore[arg-type]

    class Message(Sequence):
        kind: ObjectIdentifier
        note: Annotated[int, Implicit(0)] | None = None
        body: Annotated[Any, string, DefinedBy("kind", table)]

    return Message


# The contents of an OCTET STRING or BIT STRING, which are not of the selected type.
MISMATCHES = pytest.mark.parametrize(
    ("string", "encoding", "value"),
    [(OctetString, "04030c0161", b"\x0c\x01a"), (BitString, "0304000c0161", BitString(b"\x0c\x01a"))],
    ids=["OCTET STRING", "BIT STRING"],
)


@MISMATCHES
@pytest.mark.parametrize(
    ("kind", "expected"), [("1.2.3", "expected int for INTEGER"), ("1.2.4", "expected Bare or dict for Bare")]
)
def test_opaque_contents_given_as_bytes_are_an_error_that_names_their_form(
    string: Any, encoding: str, value: Any, kind: str, expected: str
) -> None:
    message = _in_a_string(string, "opaque")
    found = message.decode(der("30", derlib.encode(kind, ObjectIdentifier), encoding))
    assert found.body == value
    # The value that the field has, as a new value of the same field.
    for build in (lambda: found.replace(body=found.body), lambda: message(kind=found.kind, body=found.body)):
        with pytest.raises(derlib.ConstraintError) as caught:
            build()
        given = f"{expected}, got {type(value).__name__}"
        assert str(caught.value) == f'body: {given}; contents of another type are given as {{"$opaque": contents}}'
    # That form is accepted, and the other fields can be replaced.
    assert found.replace(body={"$opaque": found.body}) == found
    assert found.replace(note=5).body == message.from_json(found.to_json()).body == value
    # The error of another value has no such remedy.
    with pytest.raises(derlib.ConstraintError, match=r"got str$"):
        found.replace(body="text")


@MISMATCHES
def test_contents_that_were_tolerated_are_an_error_that_says_why_they_are_not_written(
    string: Any, encoding: str, value: Any
) -> None:
    message = _in_a_string(string, "error")
    found = message.decode(der("30", "06022a03", encoding), tolerate=OPEN)
    assert found.body == value
    for build in (
        lambda: found.replace(note=5),
        lambda: message.from_json(found.to_json()),
        lambda: message.from_native(found.to_native()),
        lambda: message(kind="1.2.3", body={"$opaque": value}),
    ):
        with pytest.raises(derlib.ConstraintError) as caught:
            build()
        assert str(caught.value) == (
            "body: expected a value of INTEGER, got contents given as $opaque, which only a table with "
            'on_mismatch="opaque" accepts'
        )
    with pytest.raises(derlib.ConstraintError, match=r"^body: expected int for INTEGER, got (bytes|BitString)$"):
        found.replace(body=found.body)

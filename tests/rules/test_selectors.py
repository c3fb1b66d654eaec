"""Selectors of open types: OBJECT IDENTIFIER, INTEGER, ENUMERATED, and CHOICE of these (X.681 14, X.682 10)."""

import io
import json
import pickle
from enum import IntEnum
from typing import Annotated, Any

import pytest
from hypothesis import given

import derlib
from derlib import (
    NULL,
    TLV,
    BitString,
    Choice,
    ConstraintError,
    DefinedBy,
    Deviation,
    Enumerated,
    Explicit,
    Implicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    SetOf,
    cache,
    inspect,
    strategies,
)

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")


class Color(Enumerated, extensible=True):
    red = 0
    blue = 300


class Fault(IntEnum):
    none = 0
    busy = 1


class Kind(NamedInteger):
    first = 1
    other = -129


class Code(Choice):
    local: int
    global_: ObjectIdentifier


class TaggedCode(Choice):
    local: Annotated[int, Implicit(0)]
    global_: Annotated[ObjectIdentifier, Explicit(1)]
    nothing: Null


class Inner(Sequence):
    code: Annotated[Code, Explicit(7)]


class Pair(Sequence):
    x: int
    y: int


BIG = 1 << 100
TABLE = OpenTypes("TABLE", {0: bool, 1: Pair, 300: str, -129: bytes, BIG: SequenceOf[int], "1.2": Pair, "0.1": bool})
OPAQUE = OpenTypes("OPAQUE", {1: int}, on_mismatch="opaque")


class ByInt(Sequence):
    kind: int
    body: Annotated[Any, DefinedBy("kind", TABLE)]


class ByExplicit(Sequence):
    kind: Annotated[int, Range(0, 400), Explicit(1)]
    body: Annotated[Any, OctetString, DefinedBy("kind", TABLE), Explicit(2)] | None = None


class ByNamed(Sequence):
    kind: Kind = Kind.first
    body: Annotated[Any, BitString, DefinedBy("kind", TABLE)]


class ByEnum(Sequence):
    kind: Color
    body: Annotated[Any, DefinedBy("kind", TABLE)]


class ByIntEnum(Sequence):
    kind: Annotated[Fault, Implicit(3)]
    body: Annotated[Any, Explicit(0), DefinedBy("kind", TABLE)]


class ByChoice(Sequence):
    kind: Code
    body: Annotated[Any, DefinedBy("kind", TABLE)]


class ByTaggedChoice(Sequence):
    kind: Annotated[TaggedCode, Explicit(2)]
    body: Annotated[Any, DefinedBy("kind", TABLE)]


class ByUnion(Sequence):
    kind: int | ObjectIdentifier
    body: Annotated[Any, DefinedBy("kind", TABLE)]


class ByPath(Sequence):
    head: Annotated[Inner, Explicit(5)]
    body: SetOf[Annotated[Any, DefinedBy("head.code", TABLE)]]


class ByIntOpaque(Sequence):
    kind: int
    body: Annotated[Any, DefinedBy("kind", OPAQUE)]


class Before(Sequence):
    """Open types before their selector, some of them absent."""

    body: Annotated[Any, OctetString, DefinedBy("kind", TABLE)] | None = None
    others: Annotated[SetOf[Annotated[Any, DefinedBy("kind", TABLE)]], Explicit(0)] | None = None
    kind: int = 0


class BeforePath(Sequence):
    body: Annotated[Any, DefinedBy("head.code", TABLE)]
    head: Annotated[Inner, Explicit(5)]


class Around(Sequence):
    """Each selector is on the other side of the other open type."""

    body: Annotated[Any, Explicit(0), DefinedBy("second_kind", TABLE)]
    first_kind: int
    second_kind: int
    second: Annotated[Any, Explicit(1), DefinedBy("first_kind", TABLE)]


PAIR = {"x": 1, "y": 2}
# The type, the fields, and the DER.
VALUES = {
    "int": (ByInt, {"kind": 1, "body": PAIR}, "02 01 01 30 06 02 01 01 02 01 02"),
    "int 0": (ByInt, {"kind": 0, "body": True}, "02 01 00 01 01 ff"),
    "int of two bytes": (ByInt, {"kind": 300, "body": "a"}, "02 02 01 2c 0c 01 61"),
    "negative int": (ByInt, {"kind": -129, "body": b"a"}, "02 02 ff 7f 04 01 61"),
    "large int": (ByInt, {"kind": BIG, "body": [5]}, "02 0d 10 00 00 00 00 00 00 00 00 00 00 00 00 30 03 02 01 05"),
    "in a string": (ByExplicit, {"kind": 300, "body": "a"}, "a1 04 02 02 01 2c a2 05 04 03 0c 01 61"),
    "absent": (ByExplicit, {"kind": 300}, "a1 04 02 02 01 2c"),
    "by default": (ByNamed, {"body": PAIR}, "03 09 00 30 06 02 01 01 02 01 02"),
    "named": (ByNamed, {"kind": "other", "body": b"a"}, "02 02 ff 7f 03 04 00 04 01 61"),
    "item": (ByEnum, {"kind": Color.blue, "body": "a"}, "0a 02 01 2c 0c 01 61"),
    "item by name": (ByEnum, {"kind": "red", "body": True}, "0a 01 00 01 01 ff"),
    "unknown item": (ByEnum, {"kind": 1, "body": PAIR}, "0a 01 01 30 06 02 01 01 02 01 02"),
    "item of an IntEnum": (ByIntEnum, {"kind": Fault.busy, "body": PAIR}, "83 01 01 a0 08 30 06 02 01 01 02 01 02"),
    "local": (ByChoice, {"kind": {"local": 1}, "body": PAIR}, "02 01 01 30 06 02 01 01 02 01 02"),
    "global": (ByChoice, {"kind": {"global_": "1.2"}, "body": PAIR}, "06 01 2a 30 06 02 01 01 02 01 02"),
    "global with octets of a number": (ByChoice, {"kind": {"global_": "0.1"}, "body": True}, "06 01 01 01 01 ff"),
    "tagged local": (ByTaggedChoice, {"kind": {"local": 0}, "body": True}, "a2 03 80 01 00 01 01 ff"),
    "tagged global": (ByTaggedChoice, {"kind": {"global_": "0.1"}, "body": True}, "a2 05 a1 03 06 01 01 01 01 ff"),
    "union": (ByUnion, {"kind": 300, "body": "a"}, "02 02 01 2c 0c 01 61"),
    "before": (Before, {"body": "a", "kind": 300}, "04 03 0c 01 61 02 02 01 2c"),
    "before a default": (Before, {"body": True}, "04 03 01 01 ff"),
    "elements before": (Before, {"others": ["a", "b"], "kind": 300}, "a0 08 31 06 0c 01 61 0c 01 62 02 02 01 2c"),
    "before a path": (
        BeforePath,
        {"body": True, "head": {"code": {"local": 0}}},
        "01 01 ff a5 07 30 05 a7 03 02 01 00",
    ),
    "around": (
        Around,
        {"body": True, "first_kind": 300, "second_kind": 0, "second": "a"},
        "a0 03 01 01 ff 02 02 01 2c 02 01 00 a1 03 0c 01 61",
    ),
    "path": (
        ByPath,
        {"head": {"code": {"local": 300}}, "body": ["a", "b"]},
        "a5 08 30 06 a7 04 02 02 01 2c 31 06 0c 01 61 0c 01 62",
    ),
}
OPAQUE_VALUES = {
    "int": (ByInt, {"kind": 42, "body": b"\x05\x00"}, "02 01 2a 05 00"),
    "int like an identifier": (ByInt, {"kind": 42, "body": b"\x02\x01\x00"}, "02 01 2a 02 01 00"),
    "in a string": (ByExplicit, {"kind": 2, "body": b"a"}, "a1 03 02 01 02 a2 03 04 01 61"),
    "alternative without key": (ByTaggedChoice, {"kind": {"nothing": NULL}, "body": b"\x05\x00"}, "a2 02 05 00 05 00"),
    "before": (Before, {"body": b"a", "kind": 2}, "04 01 61 02 01 02"),
    "larger than keys": (
        ByInt,
        {"kind": 1 << 300, "body": b"\x05\x00"},
        "02 26 10" + "00" * 37 + "05 00",
    ),
}


def der(contents: str) -> bytes:
    octets = bytes.fromhex(contents)
    return bytes([0x30, len(octets)]) + octets


@pytest.mark.parametrize(("cls", "fields", "contents"), [*VALUES.values(), *OPAQUE_VALUES.values()])
def test_all_ways_to_make_and_read_a_value_agree(cls: Any, fields: Any, contents: str) -> None:
    encoding = der(contents)
    value = cls.decode(encoding)
    assert cls(**fields).encode() == encoding == derlib.encode(fields, cls)
    native = value.to_native()
    assert cls.from_native(native).encode() == encoding
    text = value.to_json()
    assert cls.from_json(text).encode() == encoding
    # In any order of members, and with the general reader.
    members = json.loads(text)
    assert cls.from_json(json.dumps(dict(reversed(members.items())))).encode() == encoding
    assert derlib.decode(cls, encoding, tolerate=Deviation.LENGTH_FORM).encode() == encoding
    assert pickle.loads(pickle.dumps(value)) == value
    # The general encoder, which reads the selector from values of any class.
    assert cls(**{name: getattr(value, name) for name in fields}).encode() == encoding
    assert cls(**dict(reversed(fields.items()))).encode() == encoding
    assert value.replace(body=value.body).encode() == encoding
    assert derlib.ber.convert(encoding, cls).der == encoding
    for part in derlib.iter_decode(io.BytesIO(encoding), cls):
        assert part == value


@pytest.mark.parametrize(("cls", "fields", "contents"), VALUES.values())
def test_the_selected_type_is_enforced(cls: Any, fields: Any, contents: str) -> None:
    value = cls.decode(der(contents))
    assert not isinstance(value.body, TLV)
    with pytest.raises(ConstraintError, match=r"^body"):
        cls(**{**fields, "body": object()})


def test_a_value_of_another_type_is_an_error_and_its_path_is_reported() -> None:
    with pytest.raises(derlib.DecodeError, match=r"^body"):
        ByInt.decode(der("02 01 00 02 01 05"))
    with pytest.raises(derlib.DecodeError, match=r"^body"):
        ByChoice.decode(der("06 01 01 02 01 05"))
    assert ByIntOpaque.decode(der("02 01 01 01 01 ff")).body.encode() == bytes.fromhex("01 01 ff")
    assert ByIntOpaque.decode(der("02 01 01 02 01 05")).body == 5


MALFORMED_AFTER = {
    "cut off": ("01 01 ff a5 07 30 05 a7 03 02 01", "length"),
    "no contents": ("01 01 ff a5 06 30 04 a7 02 02 00", ""),
    "padded": ("01 01 ff a5 08 30 06 a7 04 02 02 00 00", ""),
    "another tag": ("01 01 ff a5 07 30 05 a7 03 04 01 00", ""),
    "primitive": ("01 01 ff 85 00", ""),
    "absent": ("01 01 ff", ""),
    "a value of another type": ("02 01 05 a5 07 30 05 a7 03 02 01 00", "body"),
}


@pytest.mark.parametrize(("contents", "where"), MALFORMED_AFTER.values(), ids=list(MALFORMED_AFTER))
def test_a_malformed_selector_after_its_open_type_is_an_error(contents: str, where: str) -> None:
    with pytest.raises(derlib.DecodeError, match=f"^{where}" if where == "body" else None):
        BeforePath.decode(der(contents))


def test_records_with_the_selector_at_the_end() -> None:
    # Elements that look like the one before them, except for the selector.
    records = [{"body": True, "kind": 0}, {"body": "a", "kind": 300}, {"body": b"\x05\x00", "kind": 2}] * 200
    encoding = derlib.encode(records, SequenceOf[Before])
    assert [record.body for record in derlib.decode(SequenceOf[Before], encoding)] == [True, "a", b"\x05\x00"] * 200
    assert derlib.ber.convert(encoding, SequenceOf[Before]).der == encoding
    wrong = encoding.replace(bytes.fromhex("0202012c"), bytes.fromhex("0202ff7f"), 1)
    with pytest.raises(derlib.DecodeError, match=r"^\[1\]\.body"):
        derlib.decode(SequenceOf[Before], wrong)


def test_a_stream_refuses_an_open_type_before_its_selector() -> None:
    encoding = der("01 01 ff a5 07 30 05 a7 03 02 01 00")
    text = "comes before the component that selects its type"
    with pytest.raises(derlib.LimitError, match=text), derlib.stream.open(io.BytesIO(encoding), BeforePath) as reader:
        reader["body"]


def test_a_tolerated_padded_selector_selects_what_its_number_does() -> None:
    value = ByInt.decode(der("02 02 00 01 30 06 02 01 01 02 01 02"), tolerate=Deviation.INTEGER_PADDING)
    assert value.kind == 1
    assert value.body == Pair(x=1, y=2)


def test_replacing_the_selector_checks_the_body_again() -> None:
    value = ByInt(kind=42, body=b"\x05\x00")
    with pytest.raises(ConstraintError, match=r"^body"):
        value.replace(kind=1)
    assert value.replace(kind=43).body.encode() == b"\x05\x00"
    assert ByInt(kind=1, body=PAIR).replace(body={"x": 3, "y": 4}).body.x == 3


@pytest.mark.parametrize(
    ("cls", "ber", "expected"),
    [
        (ByInt, "3080 020100 010101 0000", "02 01 00 01 01 ff"),
        (BeforePath, "3080 010101 a580 3080 a780 020100 0000 0000 0000 0000", "01 01 ff a5 07 30 05 a7 03 02 01 00"),
        (ByExplicit, "3080 a180 0202012c 0000 a280 0403 0c0161 0000 0000", "a1 04 02 02 01 2c a2 05 04 03 0c 01 61"),
        (ByTaggedChoice, "3080 a280 a180 060101 0000 0000 010101 0000", "a2 05 a1 03 06 01 01 01 01 ff"),
        (
            ByPath,
            "3080 a580 3080 a780 020100 0000 0000 0000 3103 010101 0000",
            "a5 07 30 05 a7 03 02 01 00 31 03 01 01 ff",
        ),
    ],
)
def test_ber_is_converted_by_the_selected_type(cls: Any, ber: str, expected: str) -> None:
    assert derlib.ber.convert(bytes.fromhex(ber), cls).der == der(expected)


def test_ber_of_an_implicit_string_needs_the_selected_type() -> None:
    table = OpenTypes("T", {5: Annotated[bytes, Implicit(0)]})

    class Holder(Sequence):
        kind: Annotated[Code, Explicit(0)]
        body: Annotated[Any, DefinedBy("kind", table)]

    ber = bytes.fromhex("3080 a080 020105 0000 a080 040161 040162 0000 0000")
    assert derlib.ber.convert(ber, Holder).der == der("a0 03 02 01 05 80 02 61 62")


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ("020107", "02 01 07"),
        ("020107 2c80 040161 0000", "02 01 07 0c 01 61"),
        ("020107 010101", "02 01 07 01 01 ff"),
    ],
)
def test_ber_of_components_before_the_selector(others: str, expected: str) -> None:
    table = OpenTypes("T", {"1.2": Annotated[bytes, Implicit(0)]})

    class Holder(Sequence):
        number: int
        note: str | None = None
        flag: bool = False
        kind: ObjectIdentifier
        body: SetOf[Annotated[Any, DefinedBy("kind", table)]]

    ber = bytes.fromhex(f"3080 {others} 06012a 3180 a080 040161 0000 0000 0000")
    assert derlib.ber.convert(ber, Holder).der == der(f"{expected} 06 01 2a 31 03 80 01 61")


def test_the_table_has_keys_of_all_kinds() -> None:
    for key in (1, Fault.busy, "1.2", Code(local=1)):
        assert TABLE.get(key) is Pair
    assert TABLE.get(Code(global_="0.1")) is bool
    for key in (1, Kind.first, "1.2"):
        assert key in TABLE
    for key in (Code(local=2), True):
        assert key not in TABLE
    assert TABLE.oids_of(Pair) == (ObjectIdentifier("1.2"),)
    constrained = OpenTypes("T", {"1.2.3": Annotated[Pair, Implicit(0)], "1.2.4": Annotated[int, Range(0, 1)]})
    assert (constrained.oids_of(Pair), constrained.oids_of(int)) == ((ObjectIdentifier("1.2.3"),), ())
    assert list(OpenTypes("T", {Color.blue: int, "1.2.3": int})) == [300, ObjectIdentifier("1.2.3")]
    assert {type(key) for key in TABLE} == {int, ObjectIdentifier}
    table = OpenTypes("T", {Code(local=7): int})
    assert list(table) == [7]
    table.register(Code(global_="1.2.3"), bool)
    assert "1.2.3" in table


@pytest.mark.parametrize("key", [True, None, 1.5, b"\x01", (1, 2), "x", 1 << 256])
def test_other_keys_are_refused(key: Any) -> None:
    with pytest.raises(SchemaError, match=r"^T: "):
        OpenTypes("T", {key: int})


def test_types_that_cannot_select_are_refused() -> None:
    class Two(Choice):
        a: Annotated[int, Implicit(0)]
        b: Annotated[int, Implicit(1)]

    for selector in (str, bool, Null, Pair, SequenceOf[int], bytes | str, Two):
        with pytest.raises(SchemaError, match="the selector 'kind' of DefinedBy: "):
            type("T", (Sequence,), {"__annotations__": {
                "kind": selector, "body": Annotated[Any, Explicit(0), DefinedBy("kind", TABLE)]
            }, "__module__": __name__})


def test_types_are_described() -> None:
    info = inspect.type_info(ByPath).components[1].type.element
    assert info.selector == ("head", "code")
    assert info.entries()[300].type == inspect.type_info(str)
    assert set(info.entries()) == set(TABLE)
    assert cache.fingerprint(ByInt) != cache.fingerprint(ByPath)


@pytest.mark.parametrize("cls", sorted({row[0] for row in VALUES.values()}, key=lambda cls: cls.__name__))
def test_strategies(cls: Any) -> None:
    bodies = []

    @given(strategies.encodings(cls))
    def check(encoding: bytes) -> None:
        value = cls.decode(encoding)
        assert value.encode() == encoding
        assert cls.from_json(value.to_json()) == value
        bodies.append(value.body)

    @given(strategies.ber_encodings(cls))
    def check_ber(pair: Any) -> None:
        assert derlib.ber.convert(pair.ber, cls).der == pair.der

    check()
    check_ber()
    assert any(not isinstance(body, (TLV, bytes, BitString, type(None))) for body in bodies)

"""Plain data: `T.from_native(obj.to_native())` has the same encoding as any decoded value."""

import collections.abc
import copy
import pickle
import shutil
import subprocess
from datetime import datetime, timezone
from typing import Annotated, Any

import pytest
from corpus.files import accepted_files
from hypothesis import given
from support.examples import thorough
from support.generated import encoded_schemas

import derlib
from derlib import (
    NULL,
    BitString,
    Choice,
    ConstraintError,
    Containing,
    DefinedBy,
    Explicit,
    Field,
    GeneralizedTime,
    Implicit,
    NamedBits,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    SchemaError,
    Sequence,
    SequenceOf,
    SetOf,
    UTCTime,
    UTF8String,
)
from derlib._core import NativeList

MANY = thorough(300)


def test_every_accepted_file_comes_back_from_plain_data():
    for item, value in accepted_files():
        assert type(value).from_native(value.to_native()).encode() == item.der, item.name


@MANY
@given(encoded_schemas())
def test_plain_data_of_any_value_convert_back_to_it(drawn: tuple[Any, bytes]):
    cls, octets = drawn
    derlib.parse(octets)
    value = cls.decode(octets)
    assert value.encode() == octets
    native = value.to_native()
    assert cls.from_native(native) == value
    assert cls.from_native(native).encode() == octets


def test_named_bits_that_fit_two_alternatives_have_the_name_of_theirs():
    class Flags(derlib.NamedBits):
        first = 1 << 0

    class Holder(derlib.Sequence):
        flags: Annotated[Flags, derlib.Implicit(0)] | Annotated[Flags, derlib.Implicit(1)]

    for name in ("[0] Flags", "[1] Flags"):
        for bits in ([], ["first"]):
            holder = Holder(flags={name: bits})
            assert holder.to_native() == {"flags": {name: bits}}
            assert Holder.from_native(holder.to_native()) == holder
            assert Holder.from_json(holder.to_json()) == holder


def test_a_long_list_as_plain_data_is_a_sequence():
    assert isinstance(derlib.SequenceOf[int](range(300)).to_native(), collections.abc.Sequence)


@thorough(30)
@given(encoded_schemas())
def test_openssl_reads_the_encoding(drawn: tuple[Any, bytes]):
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("the openssl program is not here")
    cls, octets = drawn
    written = cls.from_native(cls.decode(octets).to_native()).encode()
    subprocess.run([program, "asn1parse", "-inform", "DER", "-noout"], input=written, check=True, capture_output=True)


class Colour(derlib.Enumerated):
    red = 0


class Version(NamedInteger):
    v1 = 0
    v2 = 1


class Usage(NamedBits):
    sign = 1 << 0
    wrap = 1 << 2


class Arms(Choice):
    number: int
    text: Annotated[str, Implicit(0)]


# A type, a value, and its plain data.
FORMS = [
    (bool, True, True),
    (int, -5, -5),
    (bytes, b"ab", b"ab"),
    (Null, NULL, NULL),
    (ObjectIdentifier, ObjectIdentifier("2.5.29.15"), "2.5.29.15"),
    (BitString, BitString(b"\xa0"), b"\xa0"),
    (BitString, BitString(b"\xa0", 4), "1010"),
    (BitString, BitString(), b""),
    (Colour, Colour.red, "red"),
    (Version, Version.v2, "v2"),
    (Version, 7, 7),
    (Usage, Usage.sign | Usage.wrap, ["sign", "wrap"]),
    (Usage, Usage(0b1001), ["sign", 3]),
    (Usage, Usage(0), []),
    (Usage, Usage(1 << 2000), 1 << 2000),
    (UTCTime, datetime(2026, 1, 2, tzinfo=timezone.utc), datetime(2026, 1, 2, tzinfo=timezone.utc)),
    (GeneralizedTime, "00000101000000Z", "00000101000000Z"),
    (GeneralizedTime, "20260101000000.1234567Z", "20260101000000.1234567Z"),
    (Arms, Arms(text="x"), {"text": "x"}),
    (SequenceOf[int], [1, 2], [1, 2]),
    (UTCTime | GeneralizedTime, datetime(2050, 1, 1, tzinfo=timezone.utc), datetime(2050, 1, 1, tzinfo=timezone.utc)),
    (
        UTCTime | GeneralizedTime,
        {"GeneralizedTime": datetime(2026, 1, 1, tzinfo=timezone.utc)},
        {"GeneralizedTime": datetime(2026, 1, 1, tzinfo=timezone.utc)},
    ),
    (PrintableString | UTF8String, "x", "x"),
    (PrintableString | UTF8String, "@", "@"),
    (PrintableString | UTF8String, {"UTF8String": "x"}, {"UTF8String": "x"}),
    (UTF8String | ObjectIdentifier, ObjectIdentifier("1.2.3"), {"OBJECT IDENTIFIER": "1.2.3"}),
    (int | bytes, 5, 5),
    (int | SequenceOf[int], 5, {"INTEGER": 5}),
    (Annotated[int, Implicit(0)] | Annotated[int, Implicit(1)], {"[1] INTEGER": 5}, {"[1] INTEGER": 5}),
    (derlib.TLV, derlib.parse(b"\x05\x00"), b"\x05\x00"),
]


@pytest.mark.parametrize(("hint", "value", "native"), FORMS, ids=str)
def test_each_type_has_its_plain_form(hint, value, native):
    class Holder(Sequence, fields=[Field("x", Annotated[hint, Explicit(1000)])]):
        pass

    made = Holder(x=value)
    assert made.to_native() == {"x": native}
    assert type(made.to_native()["x"]) is type(native)
    assert Holder.from_native({"x": native}).encode() == made.encode()


def test_plain_data_omit_absent_fields_and_include_defaults():
    class Item(Sequence):
        mark: Null | None = None
        note: str | None = None
        version: Version = Version.v1
        colours: Annotated[SequenceOf[Colour], Explicit(1)] = SequenceOf[Colour]([Colour.red])

    assert Item().to_native() == {"version": "v1", "colours": ["red"]}
    assert Item(mark=NULL).to_native() == {"mark": NULL, "version": "v1", "colours": ["red"]}
    assert Item.from_native({"mark": NULL, "version": "v1", "note": None}).encode().hex() == "30020500"


OPEN = OpenTypes("OPEN", {"2.999.1": int, "2.999.2": OctetString}, on_mismatch="opaque")


class Opened(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, DefinedBy("kind", OPEN)]


class Held(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, OctetString, DefinedBy("kind", OPEN)]


class Attribute(Sequence):
    kind: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("kind", OPEN)]]


def rebuilt(value):
    return type(value).from_native(value.to_native()).encode() == value.encode()


def test_an_open_value_says_when_it_is_opaque_though_its_type_is_known():
    known = Opened.decode(bytes.fromhex("3008 0603883701 020105"))
    unknown = Opened.decode(bytes.fromhex("3008 0603883709 020105"))
    mismatch = Opened.decode(bytes.fromhex("3007 0603883701 0500"))
    assert known.to_native()["content"] == 5
    assert unknown.to_native()["content"] == bytes.fromhex("020105")
    assert mismatch.to_native()["content"] == {"$opaque": bytes.fromhex("0500")}
    assert rebuilt(known)
    assert rebuilt(unknown)
    assert rebuilt(mismatch)


def test_the_bytes_of_a_mismatch_survive_plain_data():
    # As a value of the registered OCTET STRING, these bytes would be wrapped once more.
    held = Held.decode(bytes.fromhex("3009 0603883702 04020500"))
    assert held.to_native()["content"] == {"$opaque": bytes.fromhex("0500")}
    assert rebuilt(held)


def test_a_value_of_an_opaque_table_in_another_comes_back():
    outer = OpenTypes("OUTER", {"2.999.1": Opened}, on_mismatch="opaque")

    class Outer(Sequence):
        kind: ObjectIdentifier
        content: Annotated[Any, DefinedBy("kind", outer)]

    value = Outer(kind="2.999.1", content={"kind": "2.999.1", "content": 5})
    assert rebuilt(value)
    assert Outer.from_json(value.to_json()) == value


@pytest.mark.parametrize("opaque", [False, True])
@pytest.mark.parametrize(
    ("hint", "inside", "octets", "whole"),
    [
        (Any, None, "300806022a03a0028200", "a0028200"),
        (OctetString, None, "300a06022a030404a0028200", "a0028200"),
        (Any, OctetString, "300a06022a030404a0028200", "0404a0028200"),
    ],
)
def test_an_unknown_alternative_inside_an_open_value_comes_back(
    hint: Any, inside: Any, octets: str, whole: str, opaque: bool
):
    class Growing(Choice, extensible=True):
        number: Annotated[int, Implicit(5)]

    tagged = Annotated[Growing, Explicit(0)]
    table = OpenTypes(
        "GROWN",
        {"1.2.3": Annotated[inside, Containing(tagged)] if inside else tagged},
        on_mismatch="opaque" if opaque else "error",
    )

    class Grown(Sequence):
        kind: ObjectIdentifier
        value: Annotated[hint, DefinedBy("kind", table)]

    grown = Grown.decode(bytes.fromhex(octets))
    assert isinstance(grown.value, Growing)
    # The whole value may be opaque; the contents of a string must have their type if a mismatch is an error.
    inner = not opaque and hint is OctetString
    assert grown.to_native() == {"kind": "1.2.3", "value": {"$opaque": bytes.fromhex("8200" if inner else whole)}}
    assert Grown.from_native(grown.to_native()) == grown
    assert Grown.from_json(grown.to_json()) == grown


def test_open_values_in_a_set_keep_each_its_form():
    value = Attribute.decode(bytes.fromhex("300d 0603883701 3106 020105 0c0141"))
    assert value.to_native()["values"] == [5, {"$opaque": bytes.fromhex("0c0141")}]
    assert rebuilt(value)
    # On its own the list has no selector, and its class accepts the bytes of elements.
    assert value.values.to_native() == [bytes.fromhex("020105"), bytes.fromhex("0c0141")]
    assert rebuilt(value.values)


def test_long_lists_are_converted_when_they_are_looked_at():
    numbers = SequenceOf[int](range(300))
    native = numbers.to_native()
    assert isinstance(native, NativeList)
    assert native == list(range(300))
    assert native != list(range(299))
    assert native != tuple(range(300))
    assert native == numbers.to_native()
    assert (len(native), native[-1], native[5:7], 7 in native, native.index(9), native.count(4)) == (
        300, 299, [5, 6], True, 9, 1,
    )
    assert next(reversed(native)) == 299
    assert pickle.loads(pickle.dumps(native)) == list(range(300))
    assert copy.deepcopy(native) is native
    assert copy.copy(native) is native
    assert repr(native) == "NativeList([0, 1, 2, ... 300 in all])"
    assert SequenceOf[int].from_native(native) == numbers
    with pytest.raises(IndexError):
        native[300]
    with pytest.raises(TypeError, match="list indexes are integers or slices, not str"):
        native["1"]
    with pytest.raises(ValueError, match="not in this list"):
        native.index(300)
    with pytest.raises(TypeError):
        native[0] = 1


def test_a_shared_buffer_is_checked_again():
    data = bytearray.fromhex("3003 020105")
    value = SequenceOf[int].decode(data, copy=False)
    assert value.to_native() == [5]
    data[3] = 2
    with pytest.raises(derlib.DecodeError):
        value.to_native()


@pytest.mark.parametrize(
    ("native", "path", "words"),
    [
        ({"kind": "2.999.1"}, ("content",), "missing"),
        ({"kind": "2.999.1", "content": 5, "more": 1}, (), "'more'"),
        ({"kind": "2.999.1", "content": 5, 7: 1}, (), "no field 7"),
        ({"kind": "2.999.1", "content": 5, "x" * 500: 1}, (), "500 in all"),
        ({"kind": "no oid", "content": 5}, ("kind",), "^kind: 'no oid' is not a dotted OBJECT IDENTIFIER$"),
        ({"kind": "2.999.5", "content": 5}, ("content",), "no type for the value of kind: expected bytes, TLV or"),
        ({"kind": "2.999.1", "content": "5"}, ("content",), "str"),
        ({"kind": "2.999.1", "content": {"$opaque": "5"}}, ("content",), "str"),
        ({"kind": "2.999.1", "content": {"$opaque": b"\x05"}}, ("content",), "length octets"),
        ([], (), "list"),
        (None, (), "NoneType"),
    ],
)
def test_a_wrong_value_is_rejected_with_its_path(native, path, words):
    with pytest.raises(ConstraintError, match=words) as caught:
        Opened.from_native(native)
    assert caught.value.path == path


def test_names_with_a_dollar_sign_are_not_fields():
    with pytest.raises(SchemaError, match=r"\$"):
        class Odd(Sequence, fields=[Field("$opaque", int)]):
            pass


def test_a_native_list_comes_from_a_list():
    with pytest.raises(TypeError, match=r"to_native\(\) creates NativeList values"):
        NativeList([1, 2])
    for look in (len, iter, lambda native: native[0], lambda native: 1 in native):
        with pytest.raises(TypeError, match="this NativeList has no list"):
            look(NativeList.__new__(NativeList))

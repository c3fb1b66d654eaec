"""`decode(..., open_types=...)` and `derlib.with_open_types`: tables of open types for one call."""

from __future__ import annotations

import pickle
from typing import Annotated, Any

import pytest
from support.commands import make_certificate

import derlib
from derlib import (
    TLV,
    Addition,
    BitString,
    Choice,
    Containing,
    DefinedBy,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    SchemaError,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    with_open_types,
)
from derlib.schemas.cms import ContentInfo, SignedData
from derlib.schemas.x509 import Certificate

CERTIFICATE = make_certificate()
EMPTY = OpenTypes("EMPTY")
KEY = "2.999.1"
NUMBERS = OpenTypes("NUMBERS", {KEY: int})
TEXTS = OpenTypes("TEXTS", {KEY: str})


class Message(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, DefinedBy("kind", EMPTY)]


class Inside(Sequence):
    kind: ObjectIdentifier
    content: Annotated[Any, OctetString, DefinedBy("kind", EMPTY)] | None = None


class Values(Sequence):
    kind: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("kind", EMPTY)]]


class Either(Choice):
    one: Annotated[Message, Implicit(0)]
    many: Annotated[SequenceOf[Message], Explicit(1)]


class Messages(SequenceOf[Message], size=Size(1, 5)):
    def first(self) -> Any:
        return self[0].content


class Members(Set):
    number: int = 7
    message: Annotated[Message, Explicit(3)] | None = None


class Extended(Sequence, extensible=True):
    number: int
    later: Annotated[Message, Implicit(0), Addition()] | None = None


class Contained(Sequence):
    text: Annotated[Message, OctetString, Containing(Message)]


class Mixed(Sequence):
    part: int | Message | Annotated[SequenceOf[Message], Implicit(0)]


class Tree(Sequence):
    message: Message
    inner: Annotated[Tree, Implicit(0)] | None = None


NESTED = OpenTypes("NESTED", {"2.999.5": Message, "2.999.6": int})


class Around(Sequence):
    outer: ObjectIdentifier
    part: Annotated[Any, DefinedBy("outer", NESTED)]


MESSAGE = {"kind": KEY, "content": 5}


@pytest.mark.parametrize(
    ("type", "path", "native", "read"),
    [
        (Message, "content", MESSAGE, lambda value: value.content),
        (Message, ("content",), MESSAGE, lambda value: value.content),
        (Inside, "content", MESSAGE, lambda value: value.content),
        (Values, "values[*]", {"kind": KEY, "values": [5]}, lambda value: value.values[0]),
        (Either, "one.content", {"one": MESSAGE}, lambda value: value.one.content),
        (Either, "many[*].content", {"many": [MESSAGE]}, lambda value: value.many[0].content),
        (Messages, "[*].content", [MESSAGE], lambda value: value.first()),
        (SequenceOf[Message], ("*", "content"), [MESSAGE], lambda value: value[0].content),
        (Members, "message.content", {"message": MESSAGE}, lambda value: value.message.content),
        (Extended, "later.content", {"number": 1, "later": MESSAGE}, lambda value: value.later.content),
        (Contained, "text.content", {"text": MESSAGE}, lambda value: value.text.content),
        (Mixed, "part.content", {"part": MESSAGE}, lambda value: value.part.content),
        (Mixed, "part[*].content", {"part": [MESSAGE]}, lambda value: value.part[0].content),
        (Tree, "inner.message.content", {"message": MESSAGE, "inner": {"message": MESSAGE}},
         lambda value: value.inner.message.content),
        (Around, "part.content", {"outer": "2.999.5", "part": MESSAGE}, lambda value: value.part.content),
    ],
)  # fmt: skip
def test_a_table_at_each_kind_of_path(type: Any, path: Any, native: Any, read: Any) -> None:
    chosen = with_open_types(type, {path: NUMBERS})
    # In a tree, the message outside of the path keeps its table, so a number is not what it takes.
    if type is Tree:
        native = {**native, "message": {"kind": KEY, "content": derlib.parse(b"\2\1\5")}}
    octets = derlib.encode(native, chosen)
    assert read(derlib.decode(type, octets, open_types={path: NUMBERS})) == 5
    assert read(type.decode(octets, open_types={path: NUMBERS})) == 5
    value, rest = type.decode_prefix(octets + b"rest", open_types={path: NUMBERS})
    assert read(value) == 5
    assert bytes(rest) == b"rest"
    assert read(type.decode(octets, open_types={path: NUMBERS}, rules="ber")) == 5
    assert isinstance(value, type)
    assert value.encode() == octets
    assert derlib.decode(chosen, octets).to_native() == chosen.from_native(value.to_native()).to_native()
    assert chosen.from_json(value.to_json()).encode() == octets

    # The schema itself is as before.
    plain = read(type.decode(octets))
    assert plain == (derlib.parse(b"\2\1\5") if isinstance(plain, TLV) else b"\2\1\5")
    with pytest.raises(derlib.DecodeError, match="expected UTF8String, found INTEGER"):
        type.decode(octets, open_types={path: TEXTS})


def test_several_tables_for_one_value() -> None:
    class Pair(Sequence):
        left: Annotated[Message, Implicit(0)]
        right: Annotated[Message, Implicit(1)]

    chosen = with_open_types(Pair, {"left.content": NUMBERS, "right.content": TEXTS})
    value = chosen(left={"kind": KEY, "content": 5}, right={"kind": KEY, "content": "x"})
    assert (value.left.content, value.right.content) == (5, "x")
    assert value.replace(left={"kind": KEY, "content": 6}).left.content == 6


def test_the_elements_before_and_after_keep_their_places() -> None:
    class Three(Sequence, automatic_tags=True):
        before: int = 3
        middle: Message
        after: bool

    value = with_open_types(Three, {"middle.content": NUMBERS})(middle=MESSAGE, after=True)
    assert [field.name for field in derlib.fields(value)] == ["before", "middle", "after"]
    assert value.before == 3
    assert Three.decode(value.encode()).middle.content.value == 5


def test_unknown_additions_are_where_they_were() -> None:
    class Marked(Sequence, extensible="last"):
        message: Message
        last: bool

    octets = derlib.encode({"message": MESSAGE, "last": True}, with_open_types(Marked, {"message.content": NUMBERS}))
    with_addition = bytes([0x30, octets[1] + 3]) + octets[2:-3] + b"\x85\x01\x00" + octets[-3:]
    value = Marked.decode(with_addition, open_types={"message.content": NUMBERS})
    assert (value.message.content, len(value.unknown_additions), value.last) == (5, 1, True)


def test_an_extension_of_a_certificate() -> None:
    cert = Certificate.decode(CERTIFICATE)
    oid = cert.tbs_certificate.extensions[0].extn_id
    table = OpenTypes("OURS", {oid: TLV})
    path = "tbs_certificate.extensions[*].extn_value"
    chosen = Certificate.decode(CERTIFICATE, open_types={path: table})
    assert isinstance(chosen.tbs_certificate.extensions[0].extn_value, TLV)
    assert not isinstance(cert.tbs_certificate.extensions[0].extn_value, TLV)
    assert chosen.subject.display() == cert.subject.display()
    # Every other extension is unknown to this table.
    for extension in chosen.tbs_certificate.extensions[1:]:
        assert isinstance(extension.extn_value, bytes)


def test_a_path_through_a_table_changes_all_types_that_have_the_part() -> None:
    path = "content.signer_infos[*].signed_attrs[*].attr_values[*]"
    chosen = with_open_types(ContentInfo, {path: NUMBERS})
    signer = {
        "version": "v3",
        "sid": {"subject_key_identifier": b"key"},
        "digest_algorithm": {"algorithm": "2.999.2"},
        "signed_attrs": [{"attr_type": KEY, "attr_values": [5]}],
        "signature_algorithm": {"algorithm": "2.999.3"},
        "signature": b"",
    }
    signed = {
        "version": "v3",
        "digest_algorithms": [],
        "encap_content_info": {"e_content_type": "2.999.9"},
        "signer_infos": [signer],
    }
    octets = derlib.encode({"content_type": "1.2.840.113549.1.7.2", "content": signed}, chosen)
    value = chosen.decode(octets).content
    assert isinstance(value, SignedData)
    assert value.signer_infos[0].signed_attrs[0].attr_values[0] == 5
    assert isinstance(ContentInfo.decode(octets).content.signer_infos[0].signed_attrs[0].attr_values[0], TLV)


def test_the_same_tables_make_the_same_class() -> None:
    assert with_open_types(Message, {"content": NUMBERS}) is with_open_types(Message, {("content",): NUMBERS})
    assert with_open_types(Message, {"content": NUMBERS}) is not with_open_types(Message, {"content": TEXTS})
    assert with_open_types(Message, {}) is Message


def test_later_registrations_count() -> None:
    table = OpenTypes("LATER")
    chosen = with_open_types(Message, {"content": table})
    octets = derlib.encode(MESSAGE, with_open_types(Message, {"content": NUMBERS}))
    assert isinstance(chosen.decode(octets).content, TLV)
    table.register(KEY, int)
    assert chosen.decode(octets).content == 5


def test_values_cannot_be_pickled_but_their_encoding_can() -> None:
    value = with_open_types(Message, {"content": NUMBERS})(**MESSAGE)
    with pytest.raises(TypeError, match="cannot pickle Message with other open types"):
        pickle.dumps(value)
    assert pickle.loads(pickle.dumps(value.encode())) == value.encode()


@pytest.mark.parametrize(
    ("type", "tables", "message"),
    [
        (Message, {"contnt": NUMBERS}, "'contnt': 'contnt' is not a part of Message; did you mean 'content'"),
        (Message, {"kind": NUMBERS}, "open_types: 'kind': ObjectIdentifier is not an open type"),
        (Messages, {"[0].content": NUMBERS}, r"elements of a list have the same table; write \[\*\] for the index 0"),
        (Around, {"part": 5}, "open_types: 'part': expected OpenTypes, got int"),
        (Around, [], "open_types: expected a mapping of paths to OpenTypes, got list"),
        (Mixed, {"part": NUMBERS}, "open_types: 'part': no member of the union has an open type at this path"),
        (Around, {"part.kind": NUMBERS}, "open_types: 'part.kind': no type in NESTED has an open type at this path"),
        (Message, {5: NUMBERS}, r"open_types: '\[5\]': 5 is not a part of Message"),
        (int, {"x": NUMBERS}, "open_types: 'x': 'x' is not a part of INTEGER"),
        (BitString, {"x": NUMBERS}, "'x' is not a part of BIT STRING"),
    ],
)
def test_wrong_paths(type: Any, tables: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        derlib.decode(type, b"\5\0", open_types=tables)
    with pytest.raises(SchemaError, match=message):
        with_open_types(type, tables)


@pytest.mark.parametrize("path", [5.0, "a..b", ("a", -1)])
def test_what_is_not_a_path(path: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="path: "):
        with_open_types(Message, {path: NUMBERS})


def test_selectors_are_checked_again() -> None:
    """A table can be shared by open types whose selectors are of another kind."""
    numbers = OpenTypes("BY_NUMBER", {1: int})
    value = with_open_types(Message, {"content": numbers}).decode(
        derlib.encode(MESSAGE, with_open_types(Message, {"content": NUMBERS}))
    )
    assert isinstance(value.content, TLV)

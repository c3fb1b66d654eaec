"""Values that the core keeps or makes without the general code: they equal those that the general code makes."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.rows import der

import derlib
from derlib import (
    TLV,
    Deviation,
    NamedBits,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    Size,
    errors,
)
from derlib.schemas.crl import CRLReason
from derlib.schemas.x509 import (
    AttributeTypeAndValue,
    BasicConstraints,
    Extension,
    Extensions,
    KeyUsage,
    SubjectAltName,
)


class Usage(NamedBits):
    """Named bits in the first two octets."""

    sign = 1 << 0
    encipher = 1 << 9


def bits_in(contents: bytes) -> int:
    """Return the number of named bits by the definition: bit n of the string is 1 << n."""
    digits = "".join(f"{octet:08b}" for octet in contents[1:])
    return sum(1 << place for place, digit in enumerate(digits[: len(digits) - contents[0]]) if digit == "1")


@pytest.mark.parametrize("length", range(12))
def test_named_bits_of_any_length_have_the_number_of_their_bits(length: int) -> None:
    for unused in range(8 if length else 1):
        for last in range(1, 256):
            contents = bytes([unused]) + bytes(range(1, length))[: length - 1] + bytes([last] if length else [])
            element = bytes([3, len(contents)]) + contents
            value = derlib.decode(Usage, element, tolerate=Deviation.UNUSED_BITS | Deviation.NAMED_BITS)
            assert value == bits_in(contents)
            assert type(value) is Usage


def test_only_a_bounded_number_of_named_bits_is_kept() -> None:
    def decoded() -> list[Usage]:
        numbers = [Usage(number) for number in range(1000)]
        return [derlib.decode(Usage, derlib.encode(number, Usage)) for number in numbers]

    first, second = decoded(), decoded()
    assert first == second == list(range(1000))
    assert 0 < sum(a is b for a, b in zip(first, second, strict=True)) <= 128 + len(Usage)


class Identifiers(SequenceOf[ObjectIdentifier]):
    """A list of object identifiers."""


ARCS = st.lists(st.integers(0, 2**20), max_size=8)
DOTTED = st.builds(lambda arcs: ".".join(map(str, (2, *arcs, 5))), ARCS)


@given(st.lists(DOTTED, max_size=40))
def test_object_identifiers_are_read_as_they_were_written(dotted: list[str]) -> None:
    for _ in range(2):
        assert [oid.dotted for oid in Identifiers.decode(Identifiers(dotted).encode())] == dotted


def test_object_identifiers_that_share_a_place_do_not_replace_each_other() -> None:
    # There are more of each length than places.
    for length in range(1, 18):
        contents = [bytes([42] * (length - 1) + [last]) for last in range(128)]
        contents += [bytes([first] + [43] * (length - 1)) for first in range(128)]
        encoding = derlib.encode([ObjectIdentifier.from_content(octets) for octets in contents], Identifiers)
        for _ in range(2):
            assert [oid.content for oid in Identifiers.decode(encoding)] == contents


def test_tables_of_open_types_find_identifiers_of_any_length() -> None:
    table = OpenTypes("TABLE")
    known = [ObjectIdentifier.from_content(bytes([42] * n + [last])) for n in range(20) for last in (1, 2)]
    # Identifiers that differ only between the octets that are hashed.
    known += [ObjectIdentifier.from_content(bytes([42] * 8 + [last] + [42] * 8)) for last in range(100)]
    for oid in known:
        table.register(oid, int)

    class Message(Sequence):
        kind: ObjectIdentifier
        body: Annotated[Any, derlib.DefinedBy("kind", table)]

    for oid in known:
        assert Message(kind=oid, body=7).body == 7
    for n in range(20):
        unknown = ObjectIdentifier.from_content(bytes([42] * n + [3]))
        body = Message(kind=unknown, body=derlib.parse(bytes.fromhex("020107"))).body
        assert isinstance(body, TLV)


Short: Any = Annotated[derlib.PrintableString, Size(1, 3)]
Text: Any = Short | Annotated[derlib.UTF8String, Size(1, 3)] | derlib.IA5String | bool
OPAQUE_TYPES: dict[str, Any] = {
    "2.999.1": Short,
    "2.999.2": Text,
    "2.999.3": int,
    "2.999.4": Usage,
    "2.999.5": SequenceOf[int],
    "2.999.6": ObjectIdentifier,
}
OPAQUE = OpenTypes("OPAQUE", OPAQUE_TYPES, on_mismatch="opaque")


class Attribute(Sequence):
    """An open type whose value stays opaque if it does not match."""

    kind: ObjectIdentifier
    value: Annotated[Any, derlib.DefinedBy("kind", OPAQUE)]


ELEMENTS = [
    "1300", "130161", "1303616263", "130461626364", "130140", "0c00", "0c0161", "0c02c3a9", "0c0461626364",
    "1601 40", "160a30313233343536373839", "0101ff", "010100", "0101 01", "020105", "02020005", "0500", "030204b0",
    "03020480", "03020481", "0603883703", "0600", "3003020101", "30030101ff", "3000", "a003020101", "800101",
    "31030c0161",
]  # fmt: skip


def value_by_type(kind: Any, element: bytes) -> Any:
    """Return what decoding the element alone as its type gives, or the opaque element."""
    try:
        return derlib.decode(kind, element)
    except errors.ASN1Error:
        return derlib.parse(element)


@pytest.mark.parametrize("dotted", OPAQUE_TYPES)
@pytest.mark.parametrize("octets", ELEMENTS)
@pytest.mark.parametrize("copy", [True, False], ids=["bytes", "shared"])
def test_an_opaque_table_reads_a_value_as_its_type_does(dotted: str, octets: str, copy: bool) -> None:
    element = bytes.fromhex(octets)
    encoding = der("30", derlib.encode(dotted, ObjectIdentifier) + element)
    try:
        derlib.parse(element)
    except errors.ASN1Error:
        with pytest.raises(errors.ASN1Error):
            Attribute.decode(encoding)
        return
    attribute = Attribute.decode(encoding if copy else bytearray(encoding), copy=copy)
    expected = value_by_type(OPAQUE_TYPES[dotted], element)
    for _ in range(2):
        assert type(attribute.value) is type(expected)
        assert attribute.value == expected


def test_the_value_of_an_attribute_changes_with_its_type() -> None:
    attribute = AttributeTypeAndValue(type="2.5.4.6", value="GB")
    assert attribute.value == "GB"
    long = AttributeTypeAndValue.decode(attribute.encode()[:-2].replace(b"\x13\x02", b"\x0c\x02") + b"GB")
    assert isinstance(long.value, TLV)


class Trailing(Sequence):
    """Optional fields in the middle and at the end."""

    a: int
    b: Annotated[int, derlib.Implicit(0)] | None = None
    c: Annotated[SequenceOf[int], derlib.Implicit(1)] | None = None
    d: Annotated[int, derlib.Implicit(2)] = 5
    e: Annotated[str, derlib.Implicit(3)] | None = None


@given(
    st.fixed_dictionaries(
        {"a": st.just(1)},
        optional={"b": st.integers(), "c": st.just((1, 2)), "d": st.integers(), "e": st.text(max_size=200)},
    ),
    st.lists(st.sampled_from("abcde"), max_size=12),
)
def test_absent_fields_are_absent_in_any_order(values: dict[str, Any], order: list[str]) -> None:
    message = Trailing.decode(Trailing(**values).encode())
    expected = {"b": None, "c": None, "d": 5, "e": None, **values}
    for name in order:
        found = getattr(message, name)
        assert (tuple(found) if name == "c" and found is not None else found) == expected[name]


REASON = Extension.of(CRLReason.superseded)
BASIC = Extension.of(BasicConstraints(ca=True, path_len_constraint=3), critical=True)
USAGE = Extension.of(KeyUsage.crl_sign | KeyUsage.key_cert_sign, critical=True)
NAMES = Extension.of(SubjectAltName([{"dns_name": "x" * 300}]))
UNKNOWN = Extension(extn_id="2.999.1", extn_value=b"ab")
LONG = Extension(extn_id="2.999." + ".".join(["1000000"] * 20), extn_value=b"")


@given(st.lists(st.sampled_from([REASON, BASIC, USAGE, NAMES, UNKNOWN, LONG]), min_size=1, max_size=5))
def test_get_returns_the_value_of_the_first_extension(chosen: list[Extension]) -> None:
    extensions = Extensions.decode(Extensions(chosen).encode())
    for each in (REASON, BASIC, USAGE, NAMES, UNKNOWN, LONG):
        found = extensions.get_extension(each.extn_id)
        expected = None if found is None else found.extn_value
        keys = [each.extn_id, each.extn_id.dotted, each.extn_id.name]
        if each not in (UNKNOWN, LONG):
            keys.append(type(each.extn_value))
        for key in keys:
            assert extensions.get(key) == expected
            assert type(extensions.get(key)) is type(expected)


@pytest.mark.parametrize("which", [int, bytes, KeyUsage.crl_sign, [], None, 5, list[int]], ids=repr)
def test_get_refuses_what_names_no_extension_or_several(which: Any) -> None:
    extensions = Extensions([BASIC])
    for method in (extensions.get, extensions.get_extension):
        with pytest.raises(TypeError, match=r"extension has a value of type .*; name it by its ObjectIdentifier"):
            method(which)


def test_get_refuses_text_that_is_no_identifier() -> None:
    for text in ("", "1", "3.1", "1.2.x", "key usage"):
        with pytest.raises(errors.ConstraintError):
            Extensions([BASIC]).get(text)


def test_get_finds_a_type_that_is_registered_later_for_a_second_extension() -> None:
    class Late(Sequence):
        number: int

    first = derlib.schemas.x509.EXTENSIONS
    first.register("2.999.77.1", Late)
    extensions = Extensions([{"extn_id": "2.999.77.1", "extn_value": Late(number=1)}])
    assert extensions.get(Late).number == 1  # type: ignore[union-attr]
    first.register("2.999.77.2", Late)
    with pytest.raises(TypeError, match="more than one extension has"):
        extensions.get(Late)


def test_get_of_a_buffer_that_changed_is_an_error_or_another_value() -> None:
    octets = Extensions([REASON, BASIC]).encode()
    kinds = set()
    for place in range(2, len(octets)):
        for change in (0x00, 0x05, 0x30, 0x7F, 0x80, 0xFF):
            shared = bytearray(octets)
            extensions = Extensions.decode(shared, copy=False)
            shared[place] = change
            for key in (CRLReason, BasicConstraints, "2.999.1"):
                try:
                    str(extensions.get(key))
                except errors.DecodeError as error:
                    kinds.add(error.kind)
    assert kinds == {"buffer-changed"}


def test_only_a_list_with_open_types_has_selected_values() -> None:
    for plain in (SequenceOf[int]([1]), SequenceOf[SequenceOf[int]]([[1]]), SequenceOf[Trailing]([{"a": 1}])):
        with pytest.raises(errors.SchemaError, match="have no open type with a selector"):
            derlib._core.selected_value(plain, "1.2.3", {}, ObjectIdentifier)

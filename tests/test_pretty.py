"""`derlib.pretty`: every element has its line and its correct position; and values sort by their encodings."""

from __future__ import annotations

import re
from typing import Annotated, Any

import pytest

import derlib
from derlib import TLV, Choice, Explicit, GeneralizedTime, Implicit, ObjectIdentifier, Sequence, SequenceOf, Size
from derlib.schemas import keys, keys_pq, ldap, pkcs12, snmp
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.general import GeneralName
from derlib.schemas.x509 import Extension


class Arms(Choice):
    number: int
    text: Annotated[str, Implicit(0)]


class Inner(Sequence):
    when: GeneralizedTime
    arms: SequenceOf[Arms]


class Outer(Sequence):
    kind: ObjectIdentifier
    inner: Annotated[Inner, Explicit(1)]
    absent: Annotated[bytes, Implicit(2)] | None = None
    rest: Annotated[TLV, Explicit(3)]


def outer() -> Outer:
    inner: Any = {"when": "00000101000000Z", "arms": [{"number": n} for n in range(12)] + [{"text": "x"}]}
    return Outer(kind=ObjectIdentifier("2.5.29.15"), inner=inner, rest=derlib.parse(bytes.fromhex("3003020105")))


def test_each_line_has_the_position_of_its_element() -> None:
    value = outer()
    data = value.encode()
    lines = derlib.pretty(value, positions=True, elements=20).splitlines()
    assert len(lines) == 1 + 1 + 1 + 1 + 1 + 13 + 2
    for line in lines:
        offset, header, contents = map(int, re.match(r"(\d+)\+(\d+)\+(\d+) ", line).groups())
        element = derlib.parse(data[offset : offset + header + contents])
        assert (element.span.header_length, element.span.content_length) == (header, contents)
    text = "\n".join(lines)
    assert "id-ce-keyUsage (2.5.29.15)" in text
    assert "'00000101000000Z'" in text
    assert "[12]: text: 'x'" in text
    assert "absent" not in text


def test_long_lists_are_cut_and_say_so() -> None:
    assert "... 3 more" in derlib.pretty(outer(), positions=True)
    assert "+" not in derlib.pretty(outer(), positions=False).splitlines()[0]


@pytest.mark.parametrize("value", [b"x" * 10_000, "y" * 10_000, 1 << 100_000], ids=["octets", "text", "integer"])
def test_long_values_are_cut(value: object) -> None:
    line = derlib.pretty(value)
    assert len(line) < 300


class Blob(Sequence):
    data: bytes


@pytest.mark.parametrize(
    ("data", "line", "element"),
    [
        (b"", "0 bytes", "0 bytes"),
        (b"\x05", "1 byte 05", "1 byte: 05"),
        (b"\x05\x00", "2 bytes 05 00", "2 bytes: 05 00"),
    ],
)
def test_a_size_is_shown_in_bytes(data: bytes, line: str, element: str) -> None:
    assert derlib.pretty(Blob(data=data), positions=True).splitlines()[1].endswith(f"  data: {line}")
    assert repr(derlib.parse(bytes([4, len(data)]) + data)) == f"TLV(OCTET STRING, {element})"


class Words(Sequence):
    word: bytes
    words: SequenceOf[bytes]
    address: Annotated[bytes, Size(4)]
    addresses: SequenceOf[Annotated[bytes, Size(4)]]
    inside: Annotated[TLV, Explicit(0)]
    identifier: Extension


def test_octet_strings_that_are_text_are_shown_as_by_dump() -> None:
    value = Words(
        word=b"Anna", words=[b"DC=ex", b"top"], address=b"-MXc", addresses=[b"-MXc"],
        inside=derlib.parse(b"\4\4Anna"), identifier=Extension(extn_id="2.5.29.14", extn_value=b"Anna"),
    )  # fmt: skip
    assert derlib.pretty(value).splitlines() == [
        'word: "Anna"',
        "words:",
        '  - "DC=ex"',
        "  - 74:6f:70",
        "address: 2d:4d:58:63",
        "addresses:",
        "  - 2d:4d:58:63",
        "inside: (opaque) 04:04:41:6e:6e:61",
        "identifier:",
        "  id-ce-subjectKeyIdentifier: 41:6e:6e:61",
    ]
    assert [line[12:].strip() for line in derlib.pretty(value, positions=True).splitlines()] == [
        "Words",
        'word: "Anna"',
        "words: 2 elements",
        '[0]: "DC=ex"',
        "[1]: 3 bytes 74 6f 70",
        "address: 4 bytes 2d 4d 58 63",
        "addresses: 1 element",
        "[0]: 4 bytes 2d 4d 58 63",
        'inside: OCTET STRING: "Anna"',
        "identifier",
        "extn_id: id-ce-subjectKeyIdentifier (2.5.29.14)",
        "extn_value: 4 bytes 41 6e 6e 61",
    ]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (ldap.LDAPResult(result_code="success", matched_dn=b"DC=ex", diagnostic_message=b""), 'matched_dn: "DC=ex"'),
        (ldap.PartialAttribute(type=b"mail", vals=[b"a@example.org"]), '  - "a@example.org"'),
        (snmp.VarBindValue(string_value=b"Linux"), 'string_value: "Linux"'),
        (snmp.VarBindValue(ip_address_value=b"-MXc"), "ip_address_value: 2d:4d:58:63"),
        (GeneralName(ip_address=b"-MXc"), "ip_address: 45.77.88.99"),
    ],
)
def test_only_the_schemas_of_ldap_and_snmp_have_text_in_octet_strings(value: object, line: str) -> None:
    assert line in derlib.pretty(value).splitlines()


def test_values_sort_as_a_set_of_does() -> None:
    arms = [Arms(text="b"), Arms(number=300), Arms(number=2), Arms(text="a")]
    assert [arm.encode() for arm in sorted(arms)] == sorted(arm.encode() for arm in arms)
    assert Arms(number=1) <= Arms(number=1) < Arms(number=2) > Arms(number=0) >= Arms(number=0)
    with pytest.raises(TypeError):
        _ = Arms(number=1) < outer()


def test_an_unrepresentable_time_is_shown_in_a_tree_without_a_schema() -> None:
    tree = derlib.parse(bytes.fromhex("3011180f") + b"00000101000000Z")
    assert "'00000101000000Z'" in derlib.pretty(tree)


SECRET = bytes(range(0xA0, 0xC0))
KEYS = {
    "EC": keys.ECPrivateKey(version=1, private_key=SECRET),
    "PKCS #8": keys.PrivateKeyInfo(
        version=0,
        private_key_algorithm=AlgorithmIdentifier(algorithm="1.3.101.112"),
        private_key=SECRET,
    ),
    "unknown bag": pkcs12.SafeBag(
        bag_id=ObjectIdentifier("1.2.3"), bag_value=derlib.parse(b"\x04\x20" + SECRET)
    ),
    "post-quantum": keys_pq.MLKEM512PrivateKey(seed=SECRET * 2),
}


@pytest.mark.parametrize("positions", [False, True], ids=["summary", "positions"])
@pytest.mark.parametrize("name", KEYS)
def test_private_keys_are_hidden_unless_asked_for(name: str, positions: bool) -> None:
    value: Any = KEYS[name]
    shown = re.compile("a4.?a5.?a6")
    hidden = derlib.pretty(value, positions=positions)
    assert "(hidden)" in hidden
    assert not shown.search(hidden)
    assert not shown.search(derlib.pretty([value], positions=positions))
    assert shown.search(derlib.pretty(value, positions=positions, secrets=True))


def test_a_key_without_a_schema_is_hidden() -> None:
    tree = derlib.parse(KEYS["EC"].encode())
    for value in (tree, [tree], Blob(data=KEYS["PKCS #8"].encode())):
        for positions in (False, True):
            assert "(hidden)" in derlib.pretty(value, positions=positions)
            assert "a4 a5" not in derlib.pretty(value, positions=positions)
    assert "a4 a5" in derlib.pretty(tree, secrets=True)


def test_times_are_iso_8601_with_positions_too() -> None:
    class Event(Sequence):
        when: GeneralizedTime

    event = Event.decode(bytes.fromhex("3011180f") + b"20261101120000Z")
    assert derlib.pretty(event) == "when: 2026-11-01T12:00:00Z"
    assert derlib.pretty(event, positions=True).endswith("when: 2026-11-01T12:00:00Z")

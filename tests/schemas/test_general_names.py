"""Names of all forms: their text for people, and the names of IP addresses."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any

import pytest

import derlib
from derlib.schemas.x509 import (
    CertificatePolicies,
    Extension,
    Extensions,
    GeneralName,
    GeneralNames,
    Name,
    SubjectAltName,
)

SHOWN: list[tuple[dict[str, Any], str]] = [
    ({"ip_address": b"\xc0\x00\x02\x01"}, "ip_address: 192.0.2.1"),
    ({"ip_address": b"\xc0\x00\x02\x00\xff\xff\xff\x00"}, "ip_address: 192.0.2.0/255.255.255.0"),
    ({"ip_address": b"\xc0\x00\x02"}, "ip_address: c0:00:02"),
    ({"dns_name": "www.example.org"}, "dns_name: www.example.org"),
    ({"rfc822_name": "a@example.org"}, "rfc822_name: a@example.org"),
    ({"uniform_resource_identifier": "urn:x\n"}, r"uniform_resource_identifier: urn:x\x0a"),
    ({"directory_name": Name.of({"C": "GB", "CN": "x"})}, "directory_name: CN=x, C=GB"),
    ({"registered_id": "2.999.7"}, "registered_id: 2.999.7"),
    (
        {"other_name": {"type_id": "1.3.6.1.4.1.311.20.2.3", "value": "me@x\n"}},
        r"other_name: UPN=me@x\x0a",
    ),
    ({"other_name": {"type_id": "1.3.6.1.5.5.7.8.7", "value": "_imap.example"}}, "other_name: dnsSRV=_imap.example"),
    # A value that is not of the type of its form can be a text nevertheless.
    ({"other_name": {"type_id": "1.3.6.1.4.1.311.20.2.3", "value": {"$opaque": b"\x16\x01a"}}}, "other_name: UPN=a"),
    ({"other_name": {"type_id": "2.999.7", "value": b"\x02\x01\x05"}}, "other_name: 2.999.7=02:01:05"),
    (
        {"other_name": {"type_id": "1.3.6.1.4.1.311.25.1", "value": b"\xab\xcd"}},
        "other_name: szOID_NTDS_REPLICATION=ab:cd",
    ),
    (
        {"other_name": {"type_id": "1.3.6.1.5.5.7.8.3", "value": {"identifier_value": "7"}}},
        "other_name: permanentIdentifier: identifier_value: 7",
    ),
    (
        {"other_name": {"type_id": "1.3.6.1.5.5.7.8.4", "value": {"hw_type": "2.999.7", "hw_serial_num": b"7"}}},
        "other_name: hardwareModuleName: hw_type: 2.999.7; hw_serial_num: 37",
    ),
    ({"edi_party_name": {"party_name": "x"}}, "edi_party_name: party_name: x"),
]


@pytest.mark.parametrize(("parts", "text"), SHOWN, ids=[text for _, text in SHOWN])
def test_a_name_of_any_form_is_one_line_for_people(parts: dict[str, Any], text: str) -> None:
    name = GeneralName(**parts)
    assert name.display() == str(name) == text
    assert text.replace("; ", " ") == " ".join(line.strip() for line in derlib.pretty(name).splitlines())


def test_pretty_takes_a_tuple_of_names() -> None:
    names = tuple(GeneralName(**parts) for parts, _ in SHOWN)
    assert derlib.pretty(names) == derlib.pretty(list(names)) == derlib.pretty(GeneralNames(names))
    assert derlib.pretty(names[:2]) == "- ip_address: 192.0.2.1\n- ip_address: 192.0.2.0/255.255.255.0"
    assert derlib.pretty(()) == ""
    positions = derlib.pretty(GeneralNames.decode(GeneralNames(names).encode())[:3], positions=True, elements=2)
    assert [line.strip() for line in positions.splitlines()] == [
        "3 elements",
        "3+2+4         [0]: ip_address: 4 bytes c0 00 02 01",
        "9+2+8         [1]: ip_address: 8 bytes c0 00 02 00 ff ff ff 00",
        "... 1 more",
    ]


@pytest.mark.parametrize(
    ("address", "encoded"),
    [
        ("192.0.2.1", "c0000201"),
        (IPv4Address("192.0.2.1"), "c0000201"),
        ("2001:db8::1", "20010db8" + "00" * 11 + "01"),
        (IPv6Address("2001:db8::1"), "20010db8" + "00" * 11 + "01"),
        ("192.0.2.0/24", "c0000200ffffff00"),
        (IPv4Network("192.0.2.0/24"), "c0000200ffffff00"),
        (IPv6Network("2001:db8::/32"), "20010db8" + "00" * 12 + "ffffffff" + "00" * 12),
    ],
    ids=str,
)
def test_the_name_of_an_address_or_network(address: Any, encoded: str) -> None:
    assert GeneralName.of_ip(address) == GeneralName(ip_address=bytes.fromhex(encoded))


@pytest.mark.parametrize(
    "address", ["192.0.2.1/24", "www.example.org", "fe80::1%eth0", IPv6Address("fe80::1%eth0"), ""]
)
def test_an_address_that_a_certificate_cannot_have(address: Any) -> None:
    with pytest.raises(ValueError, match=r"bits set|not appear|has a zone"):
        GeneralName.of_ip(address)


@pytest.mark.parametrize("text", ["192.0.2.1", "192.0.2.0/24", "2001:db8::1"])
def test_the_text_of_an_address_is_not_its_bytes(text: str) -> None:
    with pytest.raises(derlib.ConstraintError, match=r"^ip_address: expected bytes \(GeneralName.of_ip or .* got str$"):
        GeneralName(ip_address=text)  # type: ignore[call-overload]
    with pytest.raises(derlib.ConstraintError, match=r"^ip_address: expected bytes for \[7\] OCTET STRING, got str$"):
        GeneralName(ip_address="example.org")  # type: ignore[call-overload]


def test_bytes_are_not_an_address() -> None:
    with pytest.raises(TypeError, match="expected str or an address or network of ipaddress, got bytes"):
        GeneralName.of_ip(b"\xc0\x00\x02\x01")  # type: ignore[arg-type]
    with pytest.raises(derlib.ConstraintError, match=r"ip_address: expected bytes \(its \.packed\) for .* IPv4Add"):
        GeneralName(ip_address=IPv4Address("192.0.2.1"))  # type: ignore[call-overload]


def test_an_extension_is_not_found_by_in() -> None:
    extensions = Extensions([Extension.of(SubjectAltName([GeneralName(dns_name="x")]))])
    assert extensions[0] in extensions
    assert Extension.of(CertificatePolicies([{"policy_identifier": "2.5.29.32.0"}])) not in extensions
    for value in ("id-ce-subjectAltName", SubjectAltName, extensions[0].extn_id, b"", 5):
        with pytest.raises(TypeError, match=r"cannot be an element of this list: .* Extension .*; get\(\.\.\.\) finds"):
            _ = value in extensions


def test_names_of_hosts_and_others() -> None:
    other = GeneralName(rfc822_name="ann@example.org")
    names = SubjectAltName.of("example.org", IPv4Address("192.0.2.1"), IPv6Address("2001:db8::1"), other)
    assert type(names) is SubjectAltName
    assert [str(name) for name in names] == [
        "dns_name: example.org",
        "ip_address: 192.0.2.1",
        "ip_address: 2001:db8::1",
        "rfc822_name: ann@example.org",
    ]
    for wrong, form in (
        ("ann@example.org", "GeneralName(rfc822_name=...)"),
        ("http://example.org", "GeneralName(uniform_resource_identifier=...)"),
        ("urn:x", "GeneralName(uniform_resource_identifier=...)"),
        ("192.0.2.1", "GeneralName.of_ip(...)"),
        ("192.0.2.0/24", "GeneralName.of_ip(...)"),
        ("2001:db8::1", "GeneralName.of_ip(...)"),
    ):
        with pytest.raises(ValueError, match=f"^'{wrong}' is not a DNS name; pass {re.escape(form)}$"):
            SubjectAltName.of(wrong)
    for wrong in ("example.org:443", "192.0.2.256", "a/b"):
        with pytest.raises(ValueError, match=f"^'{wrong}' is not a DNS name$"):
            SubjectAltName.of(wrong)
    with pytest.raises(derlib.ConstraintError, match="SIZE"):
        SubjectAltName.of()
    with pytest.raises(TypeError, match=r"^expected str, an address of ipaddress, or GeneralName, got bytes$"):
        SubjectAltName.of(b"example.org")  # type: ignore[arg-type]

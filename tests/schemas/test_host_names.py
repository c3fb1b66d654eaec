"""`Certificate.matches_host`: the names of hosts by RFC 9525 section 6.3, also compared with asn1crypto."""

from __future__ import annotations

import datetime
from ipaddress import ip_address

import asn1crypto.x509
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from derlib.schemas.x509 import Certificate

KEY = ec.generate_private_key(ec.SECP256R1())


def encoded(*names: str, common_name: str = "cn.example") -> bytes:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])
    builder = x509.CertificateBuilder(name, name, KEY.public_key(), 1)
    builder = builder.not_valid_before(datetime.datetime(2026, 1, 1)).not_valid_after(datetime.datetime(2027, 1, 1))
    if names:
        values = [
            x509.IPAddress(ip_address(each)) if each[0].isdigit() or ":" in each else x509.DNSName(each)
            for each in names
        ]
        builder = builder.add_extension(x509.SubjectAlternativeName(values), critical=False)
    return builder.sign(KEY, hashes.SHA256()).public_bytes(Encoding.DER)


NAMES = ("example.org", "*.example.org", "Mail.Example.COM", "xn--bcher-kva.example", "192.0.2.1", "2001:db8::1")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.org", True),
        ("EXAMPLE.org", True),
        ("example.org.", True),
        ("www.example.org", True),
        ("xn--bcher-kva.example.org", True),
        ("a.b.example.org", False),
        ("org", False),
        (".example.org", None),
        ("mail.example.com", True),
        ("www.mail.example.com", False),
        ("xn--bcher-kva.example", True),
        ("b\xfccher.example", None),
        ("192.0.2.1", True),
        ("192.0.2.2", False),
        ("2001:DB8:0::1", True),
        ("2001:db8::2", False),
        ("cn.example", False),
        ("*.example.org", None),
        ("", None),
        ("www example.org", None),
        ("example.org/", None),
        ("https://example.org", None),
        ("example.org\n", None),
        ("\u212aelvin.example", None),
    ],
)
def test_a_host(host: str, expected: bool | None) -> None:
    """None: not the name of a host."""
    certificate = Certificate.decode(encoded(*NAMES))
    if expected is None:
        with pytest.raises(ValueError, match="host: "):
            certificate.matches_host(host)
    else:
        assert certificate.matches_host(host) is expected
        assert asn1crypto.x509.Certificate.load(encoded(*NAMES)).is_valid_domain_ip(host.rstrip(".")) is expected


def test_addresses_are_not_names() -> None:
    certificate = Certificate.decode(encoded("192.0.2.1", "2001:db8::1"))
    assert certificate.matches_host(ip_address("192.0.2.1"))
    assert certificate.matches_host(ip_address("2001:db8::1"))
    assert not certificate.matches_host(ip_address("192.0.2.3"))
    # A DNS name with the digits of an address does not match this address, and a wildcard matches none.
    certificate = Certificate.decode(encoded("*.0.2.1"))
    assert not certificate.matches_host("192.0.2.1")


def test_the_common_name_does_not_count() -> None:
    certificate = Certificate.decode(encoded())
    assert not certificate.matches_host("cn.example")
    assert asn1crypto.x509.Certificate.load(encoded()).is_valid_domain_ip("cn.example")


@pytest.mark.parametrize("names", ["w*.example.org", "*w.example.org", "www.*.org", "*", "*.*.org"])
def test_a_wildcard_is_the_whole_first_label(names: str) -> None:
    certificate = Certificate.decode(encoded(names))
    for host in ("www.example.org", "example.org", "org"):
        assert not certificate.matches_host(host)


def test_a_wildcard_is_not_a_host() -> None:
    with pytest.raises(ValueError, match=r"is not the name of a host; dns_names has the wildcards"):
        Certificate.decode(encoded("*.example.org")).matches_host("*.example.org")


def test_another_type_is_an_error() -> None:
    certificate = Certificate.decode(encoded())
    for host in (b"example.org", None, 1):
        with pytest.raises(TypeError, match="host: expected a name or an IP address"):
            certificate.matches_host(host)  # type: ignore[arg-type]

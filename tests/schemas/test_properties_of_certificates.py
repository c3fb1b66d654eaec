"""The properties of certificates, names and CRLs: the same values as `cryptography` reads."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

from derlib.schemas.crl import CertificateList, CRLReason
from derlib.schemas.x509 import BasicConstraints, Certificate, KeyUsage, Name

KEY = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
END = START + timedelta(days=90)
CA = x509.Name([x509.NameAttribute(NameOID.COUNTRY_NAME, "GB"), x509.NameAttribute(NameOID.COMMON_NAME, "Example CA")])
SERVER = x509.Name(
    [
        x509.NameAttribute(NameOID.DOMAIN_COMPONENT, "org"),
        x509.NameAttribute(NameOID.DOMAIN_COMPONENT, "example"),
        x509.NameAttribute(NameOID.SERIAL_NUMBER, "12"),
        x509.NameAttribute(NameOID.COMMON_NAME, "www.example.org, Inc."),
        x509.NameAttribute(NameOID.EMAIL_ADDRESS, "ann@example.org"),
    ]
)


def url(text: str) -> x509.UniformResourceIdentifier:
    return x509.UniformResourceIdentifier(text)


def built(subject: x509.Name, *extensions: tuple[Any, bool]) -> tuple[Certificate, x509.Certificate]:
    """Return a certificate as derlib and as `cryptography` read it."""
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(CA).serial_number(0x1003)
    builder = builder.public_key(KEY.public_key()).not_valid_before(START).not_valid_after(END)
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    other = builder.sign(KEY, None)
    return Certificate.decode(other.public_bytes(Encoding.DER)), other


def test_fields_of_the_certificate() -> None:
    certificate, other = built(CA)
    assert certificate.serial_number == other.serial_number == 0x1003
    assert (certificate.not_before, certificate.not_after) == (START, END)
    assert str(certificate.subject) == str(certificate.issuer) == other.issuer.rfc4514_string()
    assert certificate.is_self_issued
    assert not built(SERVER)[0].is_self_issued
    for algorithm, hash in [("sha256", hashes.SHA256()), ("sha1", hashes.SHA1())]:
        assert certificate.fingerprint(algorithm) == other.fingerprint(hash)
    assert certificate.fingerprint() == hashlib.sha256(certificate.encode()).digest()
    with pytest.raises(ValueError, match="no-hash"):
        certificate.fingerprint("no-hash")


def test_extensions_that_are_absent() -> None:
    for certificate in (built(CA)[0], built(CA, (x509.OCSPNoCheck(), False))[0]):
        assert certificate.is_ca is False
        assert certificate.key_usage is certificate.key_identifier is certificate.authority_key_identifier is None
        assert certificate.extended_key_usage == certificate.subject_alt_names == certificate.dns_names == ()
        assert certificate.ocsp_urls == certificate.ca_issuer_urls == certificate.crl_urls == ()
        assert certificate.get(BasicConstraints) is certificate.get("2.5.29.14") is None


def test_extensions() -> None:
    names = [x509.DNSName("a.example"), x509.RFC822Name("a@b.example"), x509.DNSName("*.b.example")]
    access = [
        (AuthorityInformationAccessOID.CA_ISSUERS, url("http://example.org/ca.cer")),
        (AuthorityInformationAccessOID.OCSP, url("http://ocsp.example.org")),
        (AuthorityInformationAccessOID.OCSP, x509.DNSName("not-a-url.example")),
        (AuthorityInformationAccessOID.OCSP, url("http://ocsp2.example.org")),
    ]
    relative = x509.RelativeDistinguishedName([x509.NameAttribute(NameOID.COMMON_NAME, "CRL1")])
    points = [
        x509.DistributionPoint([url("http://example.org/1.crl"), x509.DNSName("x.example")], None, None, None),
        x509.DistributionPoint(None, relative, None, None),
        x509.DistributionPoint(None, None, None, [x509.DirectoryName(CA)]),
        x509.DistributionPoint([url("ldap://example.org/2")], None, None, None),
    ]
    subject_key = x509.SubjectKeyIdentifier.from_public_key(KEY.public_key())
    issuer_key = x509.AuthorityKeyIdentifier(b"issuer", None, None)
    purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    usage = x509.KeyUsage(True, False, False, False, False, True, False, False, False)
    certificate, _ = built(
        SERVER,
        (x509.BasicConstraints(True, None), True),
        (x509.SubjectAlternativeName(names), False),
        (x509.AuthorityInformationAccess([x509.AccessDescription(*pair) for pair in access]), False),
        (x509.CRLDistributionPoints(points), False),
        (x509.ExtendedKeyUsage(purposes), False),
        (usage, True),
        (subject_key, False),
        (issuer_key, False),
    )
    assert certificate.is_ca is True
    assert certificate.key_usage == KeyUsage.digital_signature | KeyUsage.key_cert_sign
    assert [oid.dotted for oid in certificate.extended_key_usage] == [oid.dotted_string for oid in purposes]
    assert [name.value for name in certificate.subject_alt_names] == [name.value for name in names]
    assert certificate.dns_names == ("a.example", "*.b.example")
    assert certificate.key_identifier == subject_key.digest
    assert certificate.authority_key_identifier == b"issuer"
    assert certificate.ocsp_urls == ("http://ocsp.example.org", "http://ocsp2.example.org")
    assert certificate.ca_issuer_urls == ("http://example.org/ca.cer",)
    assert certificate.crl_urls == ("http://example.org/1.crl", "ldap://example.org/2")
    assert not built(SERVER, (x509.BasicConstraints(False, None), True))[0].is_ca
    without_key = x509.AuthorityKeyIdentifier(None, [x509.DirectoryName(CA)], 5)
    assert built(SERVER, (without_key, False))[0].authority_key_identifier is None


def test_attributes_of_a_name() -> None:
    subject = built(SERVER)[0].subject
    for key in ("CN", "commonName", "common_name", "2.5.4.3"):
        assert subject.get(key) == "www.example.org, Inc.", key
    assert subject.get("serial_number") == subject.get("serialNumber") == "12"
    assert subject.get("DC") == "example"
    assert subject.get_all("DC") == ("org", "example")
    assert subject.get("O") is None
    assert subject.get_all("O") == ()
    with pytest.raises(ValueError, match="commonname"):
        subject.get("commonname")
    text = "emailAddress=ann@example.org, CN=www.example.org\\, Inc., serialNumber=12, DC=example, DC=org"
    assert subject.display() == text


def test_names_of_unusual_attributes() -> None:
    # A country in a UTF8String, an unknown attribute that is no text, and a level of two attributes.
    octets = "301e 310b 3009 0603550406 0c024742 310f 3005 06012a 0c00 3006 06022a03 0500"
    name = Name.decode(bytes.fromhex(octets))
    assert name.get("C") == "GB"
    assert name.get("1.2.3").encode() == b"\x05\x00"
    assert name.display() == "1.2= + 1.2.3=#0500, C=GB"


def test_properties_of_a_crl() -> None:
    revoked = x509.RevokedCertificateBuilder().revocation_date(START)
    entries = [
        revoked.serial_number(1).build(),
        revoked.serial_number(2).add_extension(x509.CRLReason(x509.ReasonFlags.superseded), False).build(),
        revoked.serial_number(3).add_extension(x509.InvalidityDate(START.replace(tzinfo=None)), False).build(),
    ]
    builder = x509.CertificateRevocationListBuilder().issuer_name(CA).last_update(START).next_update(END)
    for entry in entries:
        builder = builder.add_revoked_certificate(entry)
    plain = CertificateList.decode(builder.sign(KEY, None).public_bytes(Encoding.DER))
    crl = CertificateList.decode(
        builder.add_extension(x509.CRLNumber(77), False).sign(KEY, None).public_bytes(Encoding.DER)
    )
    assert (plain.number, crl.number) == (None, 77)
    assert (crl.this_update, crl.next_update) == (START, END)
    assert str(crl.issuer) == CA.rfc4514_string()
    found = crl.tbs_cert_list.revoked_certificates
    assert found is not None
    assert [entry.reason for entry in found] == [None, CRLReason.superseded, None]
    assert [entry.invalidity_date for entry in found] == [None, None, START]

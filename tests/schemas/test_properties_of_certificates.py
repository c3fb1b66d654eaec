"""The properties of certificates, names and CRLs: the same values as `cryptography` reads.

Those of requests, OCSP and CMS are in test_properties_of_messages.py.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from typing import Any, get_args

import pytest
from cryptography import x509
from cryptography.hazmat._oid import _SIG_OIDS_TO_HASH
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

import derlib.schemas.crl
import derlib.schemas.x509
from derlib import oids
from derlib.schemas import attributes
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.crl import CertificateList, CRLReason, IssuingDistributionPoint
from derlib.schemas.extensions import EXTENSIONS
from derlib.schemas.x509 import BasicConstraints, Certificate, Extension, GeneralName, KeyUsage, Name, SubjectAltName

SAN = x509.ObjectIdentifier("2.5.29.17")
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


def built(
    subject: x509.Name, *extensions: tuple[Any, bool], tolerate: derlib.Deviation | None = None
) -> tuple[Certificate, x509.Certificate]:
    """Return a certificate as derlib and as `cryptography` read it."""
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(CA).serial_number(0x1003)
    builder = builder.public_key(KEY.public_key()).not_valid_before(START).not_valid_after(END)
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    other = builder.sign(KEY, None)
    return Certificate.decode(other.public_bytes(Encoding.DER), tolerate=tolerate), other


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


# A value that is not of the type of the extension, and the properties that need it.
OPAQUE = {
    "2.5.29.19": ("is_ca", "max_path_length"),
    "2.5.29.15": ("key_usage",),
    "2.5.29.37": ("extended_key_usage",),
    "2.5.29.17": ("subject_alt_names", "dns_names", "email_addresses", "ip_addresses", "uris"),
    "2.5.29.32": ("policies",),
    "2.5.29.35": ("authority_key_identifier",),
    "2.5.29.31": ("crl_urls",),
    "1.3.6.1.5.5.7.1.1": ("ocsp_urls", "ca_issuer_urls"),
}


@pytest.mark.parametrize("value", ["040107", "3003090140", "a0"])
@pytest.mark.parametrize("oid", OPAQUE)
def test_an_opaque_extension_is_not_an_absent_one(oid: str, value: str) -> None:
    octets = bytes.fromhex(value)
    extension = (x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), octets), True)
    with pytest.raises(derlib.DecodeError) as strict:
        built(CA, extension)
    certificate, _ = built(CA, extension, tolerate=derlib.Deviation.OPEN_TYPE)
    assert certificate.get(oid) == octets
    for name in OPAQUE[oid]:
        with pytest.raises(derlib.DecodeError) as caught:
            getattr(certificate, name)
        assert (caught.value.kind, caught.value.rule) == (strict.value.kind, strict.value.rule)


def test_extensions_that_are_absent() -> None:
    for certificate in (built(CA)[0], built(CA, (x509.OCSPNoCheck(), False))[0]):
        assert certificate.is_ca is False
        assert certificate.max_path_length is certificate.get_extension(KeyUsage) is None
        assert certificate.email_addresses == certificate.ip_addresses == ()
        assert certificate.uris == certificate.policies == ()
        assert certificate.key_usage is certificate.key_identifier is certificate.authority_key_identifier is None
        assert certificate.extended_key_usage == certificate.subject_alt_names == certificate.dns_names == ()
        assert certificate.ocsp_urls == certificate.ca_issuer_urls == certificate.crl_urls == ()
        assert certificate.get(BasicConstraints) is certificate.get("2.5.29.14") is None


def test_extensions() -> None:
    names = [x509.DNSName("a.example"), x509.RFC822Name("a@b.example"), x509.DNSName("*.b.example")]
    names += [x509.IPAddress(ip_address("192.0.2.1")), x509.IPAddress(ip_address("2001:db8::1"))]
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
        (x509.BasicConstraints(True, 3), True),
        (x509.SubjectAlternativeName(names), False),
        (x509.AuthorityInformationAccess([x509.AccessDescription(*pair) for pair in access]), False),
        (x509.CRLDistributionPoints(points), False),
        (x509.ExtendedKeyUsage(purposes), False),
        (usage, True),
        (subject_key, False),
        (issuer_key, False),
    )
    assert certificate.is_ca is True
    assert certificate.max_path_length == 3
    assert certificate.version.name == "v3"
    assert certificate.public_key.subject_public_key.bytes == KEY.public_key().public_bytes_raw()
    assert certificate.extensions is not None
    assert certificate.get_extension(KeyUsage) == certificate.extensions[5]
    assert (certificate.signature_algorithm.name, certificate.signature_algorithm.hash_name) == ("id-Ed25519", None)
    assert certificate.key_usage == KeyUsage.digital_signature | KeyUsage.key_cert_sign
    assert [oid.dotted for oid in certificate.extended_key_usage] == [oid.dotted_string for oid in purposes]
    assert [name.value for name in certificate.subject_alt_names[:3]] == [name.value for name in names[:3]]
    assert certificate.email_addresses == ("a@b.example",)
    assert certificate.ip_addresses == tuple(name.value for name in names[3:])
    odd = SubjectAltName([GeneralName(ip_address=bytes(8))]).encode()
    assert built(SERVER, (x509.UnrecognizedExtension(SAN, odd), False))[0].ip_addresses == ()
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
    assert (subject["CN"], subject["DC"]) == ("www.example.org, Inc.", "example")
    assert ("CN" in subject, "O" in subject) == (True, False)
    with pytest.raises(KeyError, match="no attribute O; it has DC, serialNumber, CN, emailAddress"):
        subject["O"]
    with pytest.raises(KeyError, match="commonname"):
        subject["commonname"]
    for index in (0, None, b"CN"):
        with pytest.raises(TypeError, match="expected an attribute type such as 'CN'"):
            subject[index]  # type: ignore[index]
    with pytest.raises(TypeError, match="not iterable"):
        iter(subject)  # type: ignore[call-overload]
    with pytest.raises(KeyError, match="it has none"):
        Name.of({})["CN"]
    assert [str(each.value) for each in subject.attributes] == [each.value for each in SERVER]
    text = "emailAddress=ann@example.org, CN=www.example.org\\, Inc., serialNumber=12, DC=example, DC=org"
    assert subject.display() == text


@pytest.mark.parametrize("key", get_args(attributes._TextType))
def test_type_checkers_see_str_for_attributes_that_are_text(key: str) -> None:
    name = Name.of({key: "DE"})
    assert name[key] == name.get(key) == name.get_all(key)[0] == "DE"
    assert type(name[key]) is str


TEXTS = {
    "common_name": "Example CA", "organization_name": "Example", "organizational_unit_name": "Unit",
    "locality_name": "Bath", "state_or_province_name": "Avon", "country_name": "GB", "serial_number": "12",
    "email_address": "ca@example.org", "domain_component": "example",
}  # fmt: skip


def test_utf8_writes_the_names_of_asn1crypto() -> None:
    x509 = pytest.importorskip("asn1crypto.x509", reason="asn1crypto, a test dependency, is not installed")
    theirs = x509.Name.build(TEXTS).dump()
    pairs = [(each.type, each.value) for each in Name.decode(theirs).attributes]
    assert sorted(text for _, text in pairs) == sorted(TEXTS.values())
    assert Name.of(pairs, utf8=True).encode() == theirs
    assert Name.of(pairs).encode() != theirs
    assert Name.of(pairs).matches(Name.decode(theirs))


def test_utf8_writes_the_names_of_cryptography() -> None:
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography, a test dependency, is not installed")
    theirs = x509.Name(
        [x509.NameAttribute(getattr(x509.NameOID, name.upper()), text) for name, text in TEXTS.items()]
    ).public_bytes()
    assert Name.of(TEXTS, utf8=True).encode() == theirs
    assert Name.of(TEXTS).encode() != theirs


def test_utf8_leaves_a_string_type_that_is_given() -> None:
    given: dict[str, object] = {"CN": {"PrintableString": "A"}, "C": "GB", "uniqueIdentifier": derlib.BitString(b"a")}
    assert Name.of(given, utf8=True) == Name.of(given)


def test_a_value_that_is_not_text_is_an_element() -> None:
    name = Name.decode(bytes.fromhex("300e310c300a06035504030203010001"))
    assert isinstance(name["CN"], derlib.TLV)
    assert name["CN"].value == 65537
    assert name.get("CN") == name.get_all("CN")[0] == name["CN"]


def test_names_of_unusual_attributes() -> None:
    # A country in a UTF8String, an unknown attribute that is no text, and a level of two attributes.
    octets = "301e 310b 3009 0603550406 0c024742 310f 3005 06012a 0c00 3006 06022a03 0500"
    name = Name.decode(bytes.fromhex(octets))
    assert name.get("C") == "GB"
    assert name.get("1.2.3").encode() == b"\x05\x00"
    assert name.display() == "1.2= + 1.2.3=#0500, C=GB"


def test_a_name_with_a_time_that_python_cannot_represent_is_displayed() -> None:
    octets = bytes.fromhex("3021 311f 301d 0608 2b06010505070901 1811") + b"00000101000000.1Z"
    name = Name.decode(octets)
    value = "#1811" + b"00000101000000.1Z".hex()
    assert (str(name), name.display()) == (f"1.3.6.1.5.5.7.9.1={value}", f"dateOfBirth={value}")


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
    assert plain.extensions is plain.authority_key_identifier is plain.get(IssuingDistributionPoint) is None
    identifier = x509.AuthorityKeyIdentifier(b"issuer", None, None)
    identified = CertificateList.decode(
        builder.add_extension(identifier, False).sign(KEY, None).public_bytes(Encoding.DER)
    )
    assert identified.authority_key_identifier == b"issuer"
    assert (crl.this_update, crl.next_update) == (START, END)
    assert str(crl.issuer) == CA.rfc4514_string()
    assert crl.fingerprint("sha1") == x509.load_der_x509_crl(crl.encode()).fingerprint(hashes.SHA1())
    found = crl.revoked_certificates
    assert [entry.serial_number for entry in found] == [1, 2, 3]
    assert [entry.get(CRLReason) for entry in found] == [entry.reason for entry in found]
    none = crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(revoked_certificates=None)).revoked_certificates
    assert (len(none), none.index_by("user_certificate").find(1)) == (0, None)
    assert [entry.reason for entry in found] == [None, CRLReason.superseded, None]
    assert [entry.invalidity_date for entry in found] == [None, None, START]


# The extensions that RFC 5280 Appendix A.2 names.
OF_CERTIFICATES = """authorityKeyIdentifier subjectKeyIdentifier keyUsage privateKeyUsagePeriod certificatePolicies
    policyMappings subjectAltName issuerAltName subjectDirectoryAttributes basicConstraints nameConstraints
    policyConstraints cRLDistributionPoints extKeyUsage inhibitAnyPolicy freshestCRL"""
OF_CRLS = """cRLNumber issuingDistributionPoint deltaCRLIndicator cRLReasons certificateIssuer
    invalidityDate issuerAltName authorityKeyIdentifier freshestCRL"""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *((derlib.schemas.x509, f"id-ce-{name}") for name in OF_CERTIFICATES.split()),
        *((derlib.schemas.x509, f"id-pe-{name}") for name in ("authorityInfoAccess", "subjectInfoAccess")),
        *((derlib.schemas.crl, f"id-ce-{name}") for name in OF_CRLS.split()),
    ],
)
def test_every_extension_of_rfc_5280_has_an_importable_identifier(module: Any, name: str) -> None:
    words = re.sub("(?<=[a-z])(?=[A-Z])|(?=Indicator)", "_", name.replace("cRL", "crl")).replace("-", "_").lower()
    oid = getattr(module, words)
    assert words in module.__all__
    assert (oid.name, oids.oid_of(name)) == (name, oid.dotted)
    syntax = EXTENSIONS.get(oid)
    if isinstance(syntax, type) and syntax.__module__.startswith("derlib."):
        assert getattr(module, syntax.__name__) is syntax, "the class is not where the identifier is"


def test_hash_functions_of_algorithms() -> None:
    known = {oid.dotted_string: hash.name if hash else None for oid, hash in _SIG_OIDS_TO_HASH.items()}
    known |= {"2.16.840.1.101.3.4.2.1": "sha256", "1.3.14.3.2.26": "sha1", "2.16.840.1.101.3.4.2.6": "sha512-256"}
    for oid, name in known.items():
        expected = None if name is None else name.replace("-", "_")
        assert AlgorithmIdentifier(algorithm=oid).hash_name == expected, oid
        assert expected is None or expected in hashlib.algorithms_available
    pss: Any = {"hash_algorithm": {"algorithm": "2.16.840.1.101.3.4.2.2"}}
    for parameters, expected in [(pss, "sha384"), ({}, "sha1"), (None, None)]:
        algorithm = AlgorithmIdentifier(algorithm="1.2.840.113549.1.1.10", parameters=parameters)
        assert (algorithm.name, algorithm.hash_name) == ("id-RSASSA-PSS", expected)


def test_an_opaque_extension_of_a_crl_or_an_entry_is_not_an_absent_one() -> None:
    def wrong(oid: str) -> x509.UnrecognizedExtension:
        return x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), bytes.fromhex("0500"))

    entry = x509.RevokedCertificateBuilder().serial_number(7).revocation_date(START)
    for oid in ("2.5.29.21", "2.5.29.24"):
        entry = entry.add_extension(wrong(oid), False)
    builder = x509.CertificateRevocationListBuilder().issuer_name(CA).last_update(START).next_update(END)
    for oid in ("2.5.29.20", "2.5.29.35"):
        builder = builder.add_extension(wrong(oid), False)
    octets = builder.add_revoked_certificate(entry.build()).sign(KEY, None).public_bytes(Encoding.DER)
    crl = CertificateList.decode(octets, tolerate=derlib.Deviation.OPEN_TYPE)
    [revoked] = crl.revoked_certificates
    for value, name in (
        (crl, "number"),
        (crl, "authority_key_identifier"),
        (revoked, "reason"),
        (revoked, "invalidity_date"),
    ):
        with pytest.raises(derlib.DecodeError):
            getattr(value, name)


def test_extensions_with_others() -> None:
    crl = CertificateList.decode(
        x509.CertificateRevocationListBuilder()
        .issuer_name(CA)
        .last_update(START)
        .next_update(END)
        .add_extension(x509.CRLNumber(77), True)
        .add_extension(x509.AuthorityKeyIdentifier(b"issuer", None, None), False)
        .sign(KEY, None)
        .public_bytes(Encoding.DER)
    )
    number = Extension.of(78, extn_id="id-ce-cRLNumber")
    delta = Extension.of(70, extn_id="id-ce-deltaCRLIndicator", critical=True)
    changed = crl.extensions_with(number, delta)
    assert [each.extn_id.name for each in changed] == [
        "id-ce-cRLNumber",
        "id-ce-authorityKeyIdentifier",
        "id-ce-deltaCRLIndicator",
    ]
    assert (changed[0], changed[2]) == (number, delta)
    bare = crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(crl_extensions=None))
    assert bare.extensions_with(number) == (number,)
    assert bare.extensions_with() == ()

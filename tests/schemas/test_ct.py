"""The bytes that logs of Certificate Transparency sign (RFC 6962 section 3.2)."""

from __future__ import annotations

import hashlib
import struct
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID

import derlib
from derlib import NULL, ASN1Error
from derlib.schemas import ct
from derlib.schemas.ct import OpaqueTimestamp, PreCert, SignedCertificateTimestamp, signed_bytes
from derlib.schemas.x509 import Certificate, Extension

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
TIMESTAMP = 1_700_000_000_123
KEY = ec.generate_private_key(ec.SECP256R1())
LOG_KEY = ec.generate_private_key(ec.SECP256R1())
POISON = x509.PrecertPoison()


def name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def certificate(issuer: str, *extensions: x509.ExtensionType, subject: str = "example.com") -> Certificate:
    builder = (
        x509.CertificateBuilder()
        .issuer_name(name(issuer))
        .subject_name(name(subject))
        .public_key(KEY.public_key())
        .serial_number(4711)
        .not_valid_before(START)
        .not_valid_after(START + timedelta(days=90))
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=isinstance(extension, x509.PrecertPoison))
    return Certificate.decode(builder.sign(KEY, SHA256()).public_bytes(Encoding.DER))


def key_identifier(text: bytes) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier(hashlib.sha1(text).digest(), None, None)


def vector(octets: bytes) -> bytes:
    return struct.pack(">H", len(octets)) + octets


def embedded(signature: bytes, extensions: bytes = b"") -> x509.UnrecognizedExtension:
    """Return the extension with one timestamp."""
    sct = bytes(33) + struct.pack(">Q", TIMESTAMP) + vector(extensions) + b"\x04\x03" + vector(signature)
    octets = vector(vector(sct))
    return x509.UnrecognizedExtension(x509.ObjectIdentifier(ct.id_sct_list.dotted), derlib.encode(octets, bytes))


NAMES = x509.SubjectAlternativeName([x509.DNSName("example.com")])
CA = certificate("Root", subject="CA")


def test_a_public_certificate_gives_the_tbs_certificate_that_was_logged() -> None:
    vectors = pytest.importorskip("cryptography_vectors", reason="a test dependency is not installed")
    folder = Path(vectors.__file__).parent / "x509"
    pem = x509.load_pem_x509_certificate((folder / "cryptography-scts.pem").read_bytes())
    entry = PreCert.of(Certificate.decode(pem.public_bytes(Encoding.DER)), CA)
    assert entry.tbs_certificate == (folder / "cryptography-scts-tbs-precert.der").read_bytes()


def test_the_signature_of_a_log_over_a_precertificate_verifies_with_the_final_certificate() -> None:
    # The log sees the precertificate, and signs what section 3.2 lists.
    precertificate = certificate("CA", NAMES, POISON)
    plain = x509.load_der_x509_certificate(bytes(certificate("CA", NAMES).der))
    issuer_key = KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    tbs = plain.tbs_certificate_bytes
    expected = (
        b"\0\0"
        + struct.pack(">QH", TIMESTAMP, 1)
        + hashlib.sha256(issuer_key).digest()
        + len(tbs).to_bytes(3, "big")
        + tbs
        + vector(b"log")
    )
    signature = LOG_KEY.sign(expected, ec.ECDSA(SHA256()))
    final = certificate("CA", NAMES, embedded(signature, b"log"))

    assert CA.signed_certificate_timestamps == ()
    [timestamp] = final.signed_certificate_timestamps
    for made in (precertificate, final):
        entry = PreCert.of(made, CA)
        assert signed_bytes(timestamp, entry) == expected
        LOG_KEY.public_key().verify(timestamp.signature, signed_bytes(timestamp, entry), ec.ECDSA(SHA256()))
    assert PreCert.of(final, CA.tbs_certificate.subject_public_key_info) == PreCert.of(final, CA)


def test_a_certificate_that_has_no_other_extension_has_none_in_the_logged_one() -> None:
    plain = certificate("CA")
    assert PreCert.of(certificate("CA", POISON), CA).tbs_certificate == plain.tbs_certificate.der


def test_the_names_of_a_precertificate_signing_certificate_are_replaced() -> None:
    # RFC 6962 section 3.2: the issuer and the authorityKeyIdentifier become those of the final certificate.
    signer = certificate("CA", key_identifier(b"CA"), subject="Precertificate signer")
    precertificate = certificate("Precertificate signer", key_identifier(b"signer"), NAMES, POISON)
    final = certificate("CA", key_identifier(b"CA"), NAMES, embedded(b"signature"))
    assert PreCert.of(precertificate, CA, signing_certificate=signer) == PreCert.of(final, CA)
    assert PreCert.of(precertificate, CA) != PreCert.of(final, CA)


def test_a_signing_certificate_without_the_identifier_of_its_key_is_an_error() -> None:
    precertificate = certificate("signer", key_identifier(b"signer"), POISON)
    with pytest.raises(ASN1Error, match="has no authorityKeyIdentifier"):
        PreCert.of(precertificate, CA, signing_certificate=certificate("CA", subject="signer"))


@pytest.mark.parametrize(("extensions", "found"), [((NAMES,), 0), ((), 0), ((POISON, embedded(b"")), 2)])
def test_a_certificate_needs_one_mark_of_certificate_transparency(
    extensions: tuple[x509.ExtensionType, ...], found: int
) -> None:
    with pytest.raises(ASN1Error, match=rf"found {found} \(RFC 6962 3\.2\)$"):
        PreCert.of(certificate("CA", *extensions), CA)


def test_a_timestamp_from_a_handshake_signs_the_certificate_itself() -> None:
    final = certificate("CA", NAMES)
    timestamp = SignedCertificateTimestamp(
        version=0,
        log_id=bytes(32),
        timestamp=datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=1),
        extensions=b"",
        hash_algorithm=4,
        signature_algorithm=3,
        signature=b"",
    )
    whole = bytes.fromhex("0000 0000000000000001 0000") + len(final.der).to_bytes(3, "big") + bytes(final.der) + b"\0\0"
    assert signed_bytes(timestamp, final) == whole
    with pytest.raises(ASN1Error, match="are too many"):
        signed_bytes(timestamp, PreCert(bytes(32), bytes(1 << 24)))


def test_an_opaque_timestamp_has_no_signed_bytes() -> None:
    with pytest.raises(TypeError, match="got OpaqueTimestamp"):
        signed_bytes(OpaqueTimestamp(b"", "reason"), certificate("CA"))  # type: ignore[arg-type]


def test_the_list_of_an_ocsp_response_is_an_octet_string() -> None:
    extension = Extension(extn_id=ct.id_ocsp_sct_list, extn_value=b"\0\0")
    assert Extension.decode(extension.encode()).extn_value == b"\0\0"
    assert Extension(extn_id=ct.id_ct_poison, critical=True, extn_value=NULL).encode().endswith(b"\x05\x00")

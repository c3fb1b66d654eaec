"""The properties of requests, OCSP messages and CMS signers: the same values as `cryptography` and asn1crypto read."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from asn1crypto import cms as asn1crypto_cms
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from cryptography.x509 import ocsp
from cryptography.x509.oid import NameOID

from derlib import DecodeError, ObjectIdentifier, pem
from derlib.schemas.cms import ContentInfo, SignerInfo, id_data, id_message_digest
from derlib.schemas.crl import CRLReason
from derlib.schemas.csr import BasicConstraints, CertificationRequest, SubjectAltName
from derlib.schemas.ocsp import ArchiveCutoff, CertID, OCSPRequest, OCSPResponse
from derlib.schemas.x509 import Certificate, Name

KEY = ec.generate_private_key(ec.SECP256R1())
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Example CA")])
SUBJECT_KEY = x509.SubjectKeyIdentifier.from_public_key(KEY.public_key())


def certificate(serial_number: int) -> x509.Certificate:
    builder = x509.CertificateBuilder().subject_name(NAME).issuer_name(NAME).serial_number(serial_number)
    builder = builder.public_key(KEY.public_key()).not_valid_before(NOW).not_valid_after(NOW + timedelta(days=9))
    return builder.add_extension(SUBJECT_KEY, False).sign(KEY, hashes.SHA256())


CA = certificate(1)
SUBJECTS = [certificate(number) for number in (2, 3, 4)]


def test_properties_of_a_request() -> None:
    builder = x509.CertificateSigningRequestBuilder().subject_name(NAME)
    plain = CertificationRequest.decode(builder.sign(KEY, hashes.SHA256()).public_bytes(Encoding.DER))
    assert {plain.extensions, plain.challenge_password, plain.key_usage, plain.get(BasicConstraints)} == {None}
    assert plain.dns_names == plain.email_addresses == ()
    assert plain.is_ca is False
    names = x509.SubjectAlternativeName([x509.DNSName("a.example"), x509.RFC822Name("a@b.example")])
    builder = builder.add_extension(names, critical=True).add_extension(x509.BasicConstraints(True, 2), critical=False)
    builder = builder.add_attribute(x509.oid.AttributeOID.CHALLENGE_PASSWORD, b"secret")
    other = builder.sign(KEY, hashes.SHA256())
    request = CertificationRequest.decode(other.public_bytes(Encoding.DER))
    assert str(request.subject) == other.subject.rfc4514_string()
    assert request.subject["CN"] == "Example CA"
    assert (request.dns_names, request.email_addresses) == (("a.example",), ("a@b.example",))
    assert (request.is_ca, request.max_path_length) == (True, 2)
    found = request.get_extension(SubjectAltName)
    assert found is not None
    assert found.critical
    assert request.challenge_password == "secret"
    assert request.public_key.key_identifier == SUBJECT_KEY.digest
    assert request.signature_algorithm.hash_name == "sha256"


def single(builder: Any, subject: x509.Certificate, status: ocsp.OCSPCertStatus, **revoked: Any) -> Any:
    return builder.add_response(
        cert=subject,
        issuer=CA,
        algorithm=hashes.SHA1(),
        cert_status=status,
        this_update=NOW,
        next_update=None,
        revocation_time=revoked.get("time"),
        revocation_reason=revoked.get("reason"),
    )


@pytest.mark.parametrize(
    ("status", "expected", "revoked"),
    [
        (ocsp.OCSPCertStatus.GOOD, ("good", None, None), {}),
        (ocsp.OCSPCertStatus.UNKNOWN, ("unknown", None, None), {}),
        (ocsp.OCSPCertStatus.REVOKED, ("revoked", NOW, None), {"time": NOW}),
        (
            ocsp.OCSPCertStatus.REVOKED,
            ("revoked", NOW, CRLReason.key_compromise),
            {"time": NOW, "reason": x509.ReasonFlags.key_compromise},
        ),
    ],
    ids=["good", "unknown", "revoked", "revoked with a reason"],
)
def test_properties_of_an_ocsp_response(status: Any, expected: Any, revoked: Any) -> None:
    builder = single(ocsp.OCSPResponseBuilder(), SUBJECTS[0], status, **revoked)
    builder = builder.responder_id(ocsp.OCSPResponderEncoding.HASH, CA).certificates([CA])
    builder = builder.add_extension(x509.OCSPNonce(b"n" * 16), critical=False)
    other = builder.sign(KEY, hashes.SHA256())
    response = OCSPResponse.decode(other.public_bytes(Encoding.DER))
    [found] = response.responses
    assert (found.serial_number, found.this_update) == (other.serial_number, NOW)
    assert (found.status, found.revocation_time, found.revocation_reason) == expected
    assert {found.extensions, found.get(ArchiveCutoff)} == {None}
    basic = response.basic
    assert basic is not None
    assert basic.produced_at == other.produced_at_utc
    assert basic.responder_id.by_key == other.responder_key_hash
    assert basic.nonce == b"n" * 16
    assert [each.serial_number for each in basic.certificates] == [1]


def test_an_ocsp_response_without_an_answer() -> None:
    other = ocsp.OCSPResponseBuilder.build_unsuccessful(ocsp.OCSPResponseStatus.TRY_LATER)
    response = OCSPResponse.decode(other.public_bytes(Encoding.DER))
    assert (response.response_status.name, list(response.responses), response.basic) == ("try_later", [], None)


def test_properties_of_an_ocsp_request() -> None:
    builder = ocsp.OCSPRequestBuilder().add_certificate(SUBJECTS[1], CA, hashes.SHA1())
    for nonce in (None, b"nonce"):
        if nonce is not None:
            builder = builder.add_extension(x509.OCSPNonce(nonce), critical=False)
        request = OCSPRequest.decode(builder.build().public_bytes(Encoding.DER))
        assert [asked.serial_number for asked in request.requests] == [3]
        assert request.requests[0].extensions is None
        assert request.nonce == nonce


@pytest.mark.parametrize("by_key", [False, True], ids=["by name", "by key"])
def test_properties_of_a_signer(by_key: bool) -> None:
    builder = pkcs7.PKCS7SignatureBuilder().set_data(b"text").add_signer(SUBJECTS[2], KEY, hashes.SHA384())
    octets = builder.add_certificate(CA).sign(Encoding.DER, [pkcs7.PKCS7Options.Binary])
    signed = ContentInfo.decode(octets).signed_data
    [signer] = signed.signer_infos
    [theirs] = asn1crypto_cms.ContentInfo.load(octets)["content"]["signer_infos"]
    attributes = {each["type"].native: each["values"].native[0] for each in theirs["signed_attrs"]}
    if by_key:
        signer = signer.replace(sid={"subject_key_identifier": SUBJECT_KEY.digest})
        assert (signer.issuer, signer.serial_number, signer.key_identifier) == (None, None, SUBJECT_KEY.digest)
        assert signed.certificate_of(signer) in signed.x509_certificates
        assert signed.certificate_of(signer.replace(sid={"subject_key_identifier": b"other"})) is None
    else:
        assert (str(signer.issuer), signer.serial_number, signer.key_identifier) == ("CN=Example CA", 4, None)
        found = signed.certificate_of(signer)
        assert found is not None
        assert found.serial_number == 4
        sid: Any = {"issuer_and_serial_number": {"issuer": signer.issuer, "serial_number": 5}}
        assert signed.certificate_of(signer.replace(sid=sid)) is None
    # The certificate can be elsewhere.
    assert signed.replace(certificates=None).certificate_of(signer) is None
    # The certificates in the object have the same key, so the first of them is found; the one before has another key.
    known = [Certificate.decode(pem.one(Path("docs/examples/ca.pem").read_bytes())), *signed.x509_certificates]
    assert signed.replace(certificates=None).certificate_of(signer, known) == signed.certificate_of(signer)
    # One that is known is found before another in the object.
    forged = [{"certificate": each.replace(signature_value=b"forged")} for each in known]
    assert signed.replace(certificates=forged).certificate_of(signer, known) == signed.certificate_of(signer)
    assert (signer.content_type, signed.content_type, signed.content) == (id_data, id_data, b"text")
    assert signer.get(id_message_digest) == attributes["message_digest"]
    assert signer.get("2.999.1") is signer.replace(signed_attrs=None).get(id_message_digest) is None
    assert signer.message_digest == attributes["message_digest"] == hashlib.sha384(b"text").digest()
    assert signer.signing_time == attributes["signing_time"]
    assert signer.digest_algorithm.hash_name == "sha384"
    assert sorted(each.serial_number for each in signed.x509_certificates) == [1, 4]
    assert signed.certificate_lists == ()


def test_certificates_and_lists_are_in_the_order_of_the_file() -> None:
    octets = pkcs7.serialize_certificates([SUBJECTS[2], CA], Encoding.DER)
    signed = ContentInfo.decode(octets).signed_data
    for order in ([0, 1], [1, 0]):
        parts = [part.der for part in signed.certificates or ()]
        # With the length octets of BER, so that the input is converted.
        changed = octets.replace(b"".join(parts), b"".join(parts[place] for place in order))
        found = ContentInfo.decode(b"\x30\x80" + changed[4:] + bytes(2), rules="ber").signed_data
        assert [bytes(each.der) for each in found.x509_certificates] == [parts[place] for place in order]
        assert found.certificates == signed.certificates


def test_signed_attributes_that_are_absent_or_have_another_type() -> None:
    plain = SignerInfo.from_native(
        {
            "version": 3,
            "sid": {"subject_key_identifier": b"key"},
            "digest_algorithm": {"algorithm": "2.16.840.1.101.3.4.2.1"},
            "signature_algorithm": {"algorithm": "1.2.840.10045.4.3.2"},
            "signature": b"",
        }
    )
    assert {plain.signed_bytes, plain.content_type, plain.message_digest, plain.signing_time} == {None}
    odd = plain.encode()[2:].replace(bytes.fromhex("0400"), b"", 1)
    attributes = bytes.fromhex("a013 3011 06092a864886f70d010905 3104 0c022d2d")
    at = odd.index(bytes.fromhex("300a06082a8648ce3d040302"))
    body = odd[:at] + attributes + odd[at:] + bytes.fromhex("0400")
    signer = SignerInfo.decode(bytes([0x30, len(body)]) + body)
    with pytest.raises(DecodeError, match="UTF8String is not an alternative of UTCTime"):
        _ = signer.signing_time
    assert signer.signed_attrs is not None
    assert signer.signed_attrs.get(ObjectIdentifier("1.2.840.113549.1.9.5")).value == "--"


@pytest.mark.parametrize("algorithm", [hashes.SHA1(), hashes.SHA256(), hashes.SHA384(), hashes.SHA512()])
def test_the_identifier_of_a_certificate_in_a_question(algorithm: hashes.HashAlgorithm) -> None:
    """It is the same as that of cryptography, and is recognised with any hash."""
    subject, other, issuer = (Certificate.decode(each.public_bytes(Encoding.DER)) for each in (*SUBJECTS[:2], CA))
    builder = ocsp.OCSPRequestBuilder().add_certificate(SUBJECTS[0], CA, algorithm)
    [request] = OCSPRequest.decode(builder.build().public_bytes(Encoding.DER)).requests
    made = CertID.of(subject, issuer, algorithm.name)
    assert made == request.req_cert
    assert made.identifies(subject, issuer)
    assert not made.identifies(other, issuer)
    # The same name and serial number, but another key.
    stranger = issuer.tbs_certificate.replace(
        subject_public_key_info=issuer.public_key.replace(subject_public_key=b"\4" * 65)
    )
    assert not made.identifies(subject, issuer.replace(tbs_certificate=stranger))


@pytest.mark.parametrize("name", ["md5", "sha224", "sha512_256", "sha3_256", "shake_128"])
def test_the_identifier_of_a_certificate_with_an_unusual_hash(name: str) -> None:
    subject, issuer = (Certificate.decode(each.public_bytes(Encoding.DER)) for each in (SUBJECTS[0], CA))
    made = CertID.decode(CertID.of(subject, issuer, name).encode())
    assert made.hash_algorithm.hash_name == name
    assert made.identifies(subject, issuer)


def test_the_identifier_of_a_certificate_needs_a_hash_that_exists() -> None:
    subject, issuer = (Certificate.decode(each.public_bytes(Encoding.DER)) for each in (SUBJECTS[0], CA))
    with pytest.raises(KeyError, match="md7"):
        CertID.of(subject, issuer, "md7")
    unknown = CertID.of(subject, issuer).replace(hash_algorithm={"algorithm": "2.999.1"})
    assert not unknown.identifies(subject, issuer)


def test_the_identifier_of_a_certificate_needs_its_issuer() -> None:
    subject, issuer = (Certificate.decode(each.public_bytes(Encoding.DER)) for each in (SUBJECTS[0], CA))
    another = issuer.replace_at("tbs_certificate.subject", Name.of({"CN": "Another"}))
    with pytest.raises(ValueError, match=r"^the issuer of the certificate is .*, not CN=Another$"):
        CertID.of(subject, another)
    # Names can differ in case and string type; the hash is that of the name in the certificate (RFC 6960 4.1.1).
    upper = [(each.type, {"UTF8String": str(each.value).upper()}) for each in issuer.subject.attributes]
    other = issuer.replace_at("tbs_certificate.subject", Name.of(upper))
    assert other.subject != issuer.subject
    assert CertID.of(subject, other) == CertID.of(subject, issuer)


@pytest.mark.parametrize(("name", "length"), [("shake_128", 32), ("shake_256", 64), ("sha3_256", 32), ("md5", 16)])
def test_the_identifier_of_a_certificate_with_other_hashes(name: str, length: int) -> None:
    subject, issuer = (Certificate.decode(each.public_bytes(Encoding.DER)) for each in (SUBJECTS[0], CA))
    made = CertID.of(subject, issuer, name)
    assert (len(made.issuer_name_hash), made.hash_algorithm.hash_name) == (length, name)
    assert made.identifies(subject, issuer)

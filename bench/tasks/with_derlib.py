"""The tasks with derlib."""

from __future__ import annotations

from typing import Any


def crl_to_csv(der: bytes) -> list[tuple[int, str, str | None]]:
    from derlib.schemas.crl import CertificateList

    rows = []
    for entry in CertificateList.decode(der).revoked_certificates:
        reason = entry.reason.name if entry.reason else None
        rows.append((entry.serial_number, entry.revocation_date.isoformat(), reason))
    return rows


def bundle_summary(text: bytes) -> list[tuple[Any, ...]]:
    from derlib import pem
    from derlib.schemas.x509 import Certificate

    certificates = [Certificate.decode(der) for der in pem.decode(text, "CERTIFICATE")]
    return [
        (c.subject.get("CN"), list(c.dns_names), c.public_key.kind, c.public_key.size, c.fingerprint().hex())
        for c in certificates
    ]


def revocation_urls(der: bytes) -> tuple[list[str], list[str]]:
    from derlib.schemas.x509 import Certificate

    certificate = Certificate.decode(der)
    return list(certificate.crl_urls), list(certificate.ocsp_urls)


def key_facts(der: bytes) -> tuple[int, int]:
    from derlib.schemas.keys import OneAsymmetricKey

    key = OneAsymmetricKey.decode(der).private_key
    return key.modulus.bit_length(), key.public_exponent


def request_facts(der: bytes) -> tuple[str, list[str], str]:
    from derlib.schemas.csr import CertificationRequest

    request = CertificationRequest.decode(der)
    return request.subject["CN"], list(request.dns_names), request.public_key.kind


def message_facts(cms: bytes, ocsp: bytes) -> tuple[list[int], bytes | None, list[tuple[int, str]]]:
    from derlib.schemas.cms import ContentInfo
    from derlib.schemas.ocsp import OCSPResponse

    signed = ContentInfo.decode(cms).signed_data
    responses = OCSPResponse.decode(ocsp).responses
    return (
        [c.serial_number for c in signed.x509_certificates],
        signed.content,
        [(response.serial_number, response.status) for response in responses],
    )


def build_and_sign(key: Any, start: Any, end: Any) -> bytes:
    from derlib import BitString
    from derlib.schemas import x509

    name = x509.Name.of({"CN": {"UTF8String": "Example"}})
    public_key = BitString(key.public_key().public_bytes_raw())
    tbs = x509.TBSCertificate(
        version=x509.Version.v3,
        serial_number=5,
        signature=x509.sa_ed25519,
        issuer=name,
        validity=x509.Validity(not_before=start, not_after=end),
        subject=name,
        subject_public_key_info=x509.SubjectPublicKeyInfo(algorithm=x509.sa_ed25519, subject_public_key=public_key),
    )
    return x509.Certificate.signed(tbs, key.sign).encode()


def cache_and_fuzz(der: bytes) -> tuple[bool, int]:
    import pickle

    from derlib.schemas.x509 import Certificate

    certificate = Certificate.decode(der)
    refused = 0
    for position in range(len(der)):
        try:
            Certificate.decode(der[:position] + b"\xff" + der[position + 1 :])
        except ValueError:
            refused += 1
    return pickle.loads(pickle.dumps(certificate)) == certificate, refused

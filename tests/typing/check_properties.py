"""A program that uses the properties of certificates and other messages, as a user writes it.

`make types` reads this file, nothing runs it. What can be absent takes one condition, not one for each step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from derlib import View

if TYPE_CHECKING:
    from derlib.schemas.cms import ContentInfo
    from derlib.schemas.crl import CertificateList
    from derlib.schemas.csr import CertificationRequest
    from derlib.schemas.ocsp import OCSPRequest, OCSPResponse
    from derlib.schemas.x509 import Certificate


def of_a_certificate(certificate: Certificate) -> list[str]:
    validity = certificate.not_after - certificate.not_before
    urls = certificate.ocsp_urls + certificate.ca_issuer_urls + certificate.crl_urls
    usage = certificate.key_usage
    return [
        certificate.subject.display(),
        certificate.issuer["CN"].upper(),
        (certificate.subject.get("common_name") or "").upper(),
        f"{certificate.serial_number:x}",
        f"{validity.days} days",
        "CA" if certificate.is_ca else "no CA",
        *(f"{name.alternative}: {name.value}" for name in certificate.subject_alt_names),
        *certificate.dns_names,
        *map(str, certificate.ip_addresses),
        *urls,
        (certificate.key_identifier or b"").hex(),
        (certificate.authority_key_identifier or b"").hex(),
        "signs CRLs" if usage and usage.crl_sign else "",
        *(purpose.name for purpose in certificate.extended_key_usage),
        f"{certificate.public_key.kind} {certificate.public_key.size} {certificate.public_key.curve}",
        "self-issued" if certificate.is_self_issued else "",
        certificate.fingerprint("sha256").hex(),
        certificate.to_json(names=True),
    ]


def of_a_crl(crl: CertificateList) -> list[str]:
    found = crl.find(0x1002)
    return [
        f"{crl.number} {crl.this_update:%Y-%m-%d} {crl.next_update or ''}",
        crl.fingerprint().hex(),
        "" if found is None or found.reason is None else found.reason.name,
        *(
            f"{entry.serial_number:x} {entry.revocation_date} {entry.reason or ''} {entry.invalidity_date or ''}"
            for entry in crl.revoked_certificates
        ),
    ]


def of_a_signature(message: ContentInfo) -> list[str]:
    signed = message.signed_data
    lines = [f"{len(signed.content or b'')} bytes"]
    for signer in signed.signer_infos:
        certificate = signed.certificate_of(signer)
        lines += [
            certificate.subject.display() if certificate else f"{signer.serial_number}",
            f"{signer.signing_time:%Y-%m-%d}" if signer.signing_time else "",
            (signer.message_digest or b"").hex(),
        ]
    return lines


def of_the_status(request: OCSPRequest, response: OCSPResponse) -> list[str]:
    return [
        *(f"{asked.serial_number:x}" for asked in request.requests),
        (request.nonce or b"").hex(),
        *(f"{each.serial_number:x} {each.status} {each.revocation_reason or ''}" for each in response.responses),
        f"{response.basic.produced_at:%Y-%m-%d}" if response.basic else "",
    ]


def of_a_request(request: CertificationRequest) -> list[str]:
    return [request.subject["CN"], *request.dns_names, request.public_key.kind, request.challenge_password or ""]


def encodings(*values: View) -> list[bytes]:
    return [value.encode() for value in values]

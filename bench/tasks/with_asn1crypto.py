# mypy: ignore-errors
# pyright: basic
"""The tasks with asn1crypto."""

from __future__ import annotations

from typing import Any


def crl_to_csv(der: bytes) -> list[tuple[int, str, str | None]]:
    from asn1crypto.crl import CertificateList

    rows = []
    for entry in CertificateList.load(der)["tbs_cert_list"]["revoked_certificates"]:
        reason = entry.crl_reason_value
        rows.append(
            (
                entry["user_certificate"].native,
                entry["revocation_date"].native.isoformat(),
                reason.native if reason is not None else None,
            )
        )
    return rows


def bundle_summary(text: bytes) -> list[tuple[Any, ...]]:
    from asn1crypto import pem, x509

    rows = []
    for _, _, der in pem.unarmor(text, multiple=True):
        c = x509.Certificate.load(der)
        common_name = c.subject.native.get("common_name")
        key = c.public_key
        rows.append((common_name, c.valid_domains, key.algorithm.upper(), key.bit_size, c.sha256.hex()))
    return rows


def revocation_urls(der: bytes) -> tuple[list[str], list[str]]:
    from asn1crypto.x509 import Certificate

    certificate = Certificate.load(der)
    return [point.url for point in certificate.crl_distribution_points], certificate.ocsp_urls


def key_facts(der: bytes) -> tuple[int, int]:
    from asn1crypto.keys import PrivateKeyInfo

    key = PrivateKeyInfo.load(der)["private_key"].parsed
    return key["modulus"].native.bit_length(), key["public_exponent"].native


def request_facts(der: bytes) -> tuple[str, list[str], str]:
    from asn1crypto.csr import CertificationRequest

    info = CertificationRequest.load(der)["certification_request_info"]
    names = []
    for attribute in info["attributes"]:
        if attribute["type"].native == "extension_request":
            for extension in attribute["values"][0]:
                if extension["extn_id"].native == "subject_alt_name":
                    names = extension["extn_value"].parsed.native
    return info["subject"].native["common_name"], names, info["subject_pk_info"].algorithm.upper()


def message_facts(cms: bytes, ocsp: bytes) -> tuple[list[int], bytes, list[tuple[int, str]]]:
    from asn1crypto.cms import ContentInfo
    from asn1crypto.ocsp import OCSPResponse

    signed = ContentInfo.load(cms)["content"]
    responses = OCSPResponse.load(ocsp).response_data["responses"]
    return (
        [c.chosen.serial_number for c in signed["certificates"]],
        signed["encap_content_info"]["content"].native,
        [(response["cert_id"]["serial_number"].native, response["cert_status"].name) for response in responses],
    )


def build_and_sign(key: Any, start: Any, end: Any) -> bytes:
    from asn1crypto.keys import PublicKeyInfo
    from asn1crypto.x509 import Certificate, Name, TbsCertificate

    name = Name.build({"common_name": "Example"})
    tbs = TbsCertificate(
        {
            "version": "v3",
            "serial_number": 5,
            "signature": {"algorithm": "ed25519"},
            "issuer": name,
            "validity": {"not_before": {"utc_time": start}, "not_after": {"utc_time": end}},
            "subject": name,
            "subject_public_key_info": PublicKeyInfo(
                {"algorithm": {"algorithm": "ed25519"}, "public_key": key.public_key().public_bytes_raw()}
            ),
        }
    )
    signature = key.sign(tbs.dump())
    return Certificate(
        {"tbs_certificate": tbs, "signature_algorithm": {"algorithm": "ed25519"}, "signature_value": signature}
    ).dump()


def cache_and_fuzz(der: bytes) -> tuple[bool, int]:
    from asn1crypto.x509 import Certificate

    certificate = Certificate.load(der)
    cached = certificate.dump()
    refused = 0
    for position in range(len(der)):
        try:
            # Values are validated when they are read, so read all of them.
            Certificate.load(der[:position] + b"\xff" + der[position + 1 :], strict=True).native  # noqa: B018
        except Exception:
            refused += 1
    return Certificate.load(cached).dump() == certificate.dump(), refused

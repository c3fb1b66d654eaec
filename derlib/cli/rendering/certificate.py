"""The summary of a certificate, as text and as JSON."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from derlib.cli.rendering.for_people import for_people
from derlib.cli.rendering.summary import (
    extensions_json,
    extensions_text,
    key_text,
    row,
    serial_json,
    serial_text,
    time_line,
    time_of,
    version_json,
    version_text,
)
from derlib.cli.rendering.values import oid_text, text_leaf

if TYPE_CHECKING:
    from derlib.cli.output.standard_output import Output
    from derlib.schemas.x509 import Certificate

__all__ = ["certificate_json", "certificate_text"]


def certificate_text(out: Output, certificate: Certificate) -> None:
    """Write a line for each field, then the extensions."""
    tbs = certificate.tbs_certificate
    row(out, "version", version_text(tbs.version))
    row(out, "serial", serial_text(tbs.serial_number))
    row(out, "signature", oid_text(certificate.signature_algorithm.algorithm))
    row(out, "issuer", text_leaf(tbs.issuer))
    row(out, "not before", time_line(tbs.validity, "not_before"))
    row(out, "not after", time_line(tbs.validity, "not_after"))
    row(out, "subject", text_leaf(tbs.subject))
    row(out, "public key", key_text(tbs.subject_public_key_info))
    row(out, "sha256", hashlib.sha256(certificate.der).hexdigest())
    row(out, "extensions", "" if tbs.extensions else "none")
    extensions_text(out, tbs.extensions, "    ", for_people(secrets=False, short=True))


def certificate_json(certificate: Certificate) -> dict[str, object]:
    """Return the members that the help of `derlib cert` lists."""
    tbs = certificate.tbs_certificate
    key = tbs.subject_public_key_info
    return {
        "version": version_json(tbs.version),
        "serial_number": serial_json(tbs.serial_number),
        "signature_algorithm": certificate.signature_algorithm.algorithm,
        "issuer": tbs.issuer,
        "not_before": time_of(tbs.validity, "not_before"),
        "not_after": time_of(tbs.validity, "not_after"),
        "subject": tbs.subject,
        "public_key": {
            "algorithm": key.algorithm.algorithm,
            "parameters": key.algorithm.parameters,
            "key": key.subject_public_key,
        },
        "sha256": hashlib.sha256(certificate.der).hexdigest(),
        "extensions": extensions_json(tbs.extensions),
    }

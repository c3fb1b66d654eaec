"""The summary of a certificate, as text and as JSON."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from derlib._value_ranges import leading_values
from derlib.cli.rendering.for_people import for_people
from derlib.cli.rendering.summary import (
    extensions_json,
    extensions_text,
    key_text,
    row,
    serial_json,
    serial_text,
    signature_text,
    time_line,
    time_of,
    version_json,
    version_text,
)
from derlib.cli.rendering.values import inline, text_leaf

if TYPE_CHECKING:
    from derlib.cli.output.standard_output import Output
    from derlib.schemas.x509 import Certificate

__all__ = ["certificate_json", "certificate_text"]


def certificate_text(out: Output, certificate: Certificate, ber: bytes = b"") -> None:
    """Write a line for each field, then the extensions. `ber` is the input, if it was converted to DER."""
    tbs = certificate.tbs_certificate
    row(out, "version", version_text(tbs.version))
    row(out, "serial", serial_text(tbs.serial_number))
    row(out, "signature", signature_text(certificate.signature_algorithm))
    row(out, "issuer", text_leaf(tbs.issuer))
    row(out, "not before", time_line(tbs.validity, "not_before"))
    row(out, "not after", time_line(tbs.validity, "not_after"))
    row(out, "subject", text_leaf(tbs.subject))
    row(out, "public key", key_text(tbs.subject_public_key_info))
    for label, identifier in (("issuer ID", tbs.issuer_unique_id), ("subject ID", tbs.subject_unique_id)):
        if identifier is not None:
            row(out, label, inline(identifier))
    row(out, "sha256", _fingerprint(certificate, ber))
    row(out, "extensions", "" if tbs.extensions else "none")
    extensions_text(out, tbs.extensions, "    ", for_people(secrets=False, short=True))


def certificate_json(certificate: Certificate, ber: bytes = b"") -> dict[str, object]:
    """Return the members that the help of `derlib cert` lists. `ber` is the input, if it was converted to DER."""
    tbs = certificate.tbs_certificate
    key = tbs.subject_public_key_info
    return {
        "version": version_json(tbs.version),
        "serial_number": serial_json(tbs.serial_number),
        "signature_algorithm": certificate.signature_algorithm.algorithm,
        "signature_parameters": certificate.signature_algorithm.parameters,
        "issuer": tbs.issuer,
        "not_before": time_of(tbs.validity, "not_before"),
        "not_after": time_of(tbs.validity, "not_after"),
        "subject": tbs.subject,
        "public_key": {
            "algorithm": key.algorithm.algorithm,
            "parameters": key.algorithm.parameters,
            "key": key.subject_public_key,
            "kind": key.kind,
            "size": key.size,
            "curve": key.curve,
        },
        "issuer_unique_id": tbs.issuer_unique_id,
        "subject_unique_id": tbs.subject_unique_id,
        "sha256": _fingerprint(certificate, ber),
        "extensions": extensions_json(tbs.extensions),
        "signature_value": certificate.signature_value,
    }


def _fingerprint(certificate: Certificate, ber: bytes) -> str:
    """Return the SHA-256 hash of a certificate as it is in the file, which other programs print, too."""
    # Trust settings of OpenSSL, or other data that are tolerated, can follow the certificate.
    octets = ber[: next(leading_values(ber, True)).stop] if ber else certificate.der
    return hashlib.sha256(octets).hexdigest()

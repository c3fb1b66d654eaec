"""Lines about a value that its elements do not show, for the HTML page of `derlib view`.

These are the fingerprint of a certificate, and the timestamps in an extension value that is not DER inside its string.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from derlib.cli.documents.known_contents import schema_names

if TYPE_CHECKING:
    from derlib.schemas.sct import OpaqueTimestamp, SignedCertificateTimestamp

__all__ = ["fingerprint_note", "name_of", "timestamp_note"]

#: The name that a document is known by, by its class.
_NAMES = {
    "x509.Certificate": ("tbs_certificate", "subject"),
    "crl.CertificateList": ("tbs_cert_list", "issuer"),
    "csr.CertificationRequest": ("certification_request_info", "subject"),
}

#: The extensions whose value is a list of timestamps (RFC 6962 section 3.3).
_TIMESTAMPS = frozenset({"1.3.6.1.4.1.11129.2.4.2", "1.3.6.1.4.1.11129.2.4.5"})


def name_of(value: Any) -> str:
    """Return the subject of a certificate or request, or the issuer of a CRL; empty for any other value."""
    for name in schema_names(type(value)):
        if name in _NAMES:
            structure, field = _NAMES[name]
            return str(getattr(getattr(value, structure), field).display())
    return ""


def fingerprint_note(value: Any) -> str:
    """Return the line for a value: the fingerprint of a certificate; empty for any other value."""
    if "x509.Certificate" not in schema_names(type(value)):
        return ""
    return f"SHA-256 {hashlib.sha256(value.der).digest().hex(':')}"


def timestamp_note(holder: Any, step: str | int) -> str:
    """Return a line for each timestamp in the value of an extension; empty for any other value.

    Args:
        holder: the structure with the value.
        step: the field of the value.
    """
    if step != "extn_value" or "x509.Extension" not in schema_names(type(holder)):
        return ""
    if holder.extn_id.dotted not in _TIMESTAMPS:
        return ""
    from derlib.schemas.sct import read_sct_list

    return "\n".join(map(_line, read_sct_list(holder.extn_value))) if isinstance(holder.extn_value, bytes) else ""


def _line(found: SignedCertificateTimestamp | OpaqueTimestamp) -> str:
    if hasattr(found, "reason"):
        return f"invalid timestamp: {found.reason}"
    time = found.timestamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f"timestamp {time} of log {found.log_id.hex(':')}"

"""The older PEM labels of a structure, for `derlib.pem`, whose documentation has their sources, and for file types."""

from __future__ import annotations

__all__ = ["labels_of"]

_OLDER = {
    "CERTIFICATE": ("X509 CERTIFICATE", "X.509 CERTIFICATE"),  # RFC 7468 section 5.1
    "CERTIFICATE REQUEST": ("NEW CERTIFICATE REQUEST",),  # RFC 7468 section 7
    "PKCS7": ("PKCS #7 SIGNED DATA",),  # OpenSSL: PEM_STRING_PKCS7_SIGNED
    "CMS": ("PKCS7", "PKCS #7 SIGNED DATA"),  # RFC 7468 section 9: the successor of PKCS #7; OpenSSL
}


def labels_of(*labels: str) -> tuple[str, ...]:
    """Return labels, each followed by the older labels of the same structure.

    >>> labels_of("CERTIFICATE")
    ('CERTIFICATE', 'X509 CERTIFICATE', 'X.509 CERTIFICATE')
    """
    return tuple(dict.fromkeys(each for label in labels for each in (label, *_OLDER.get(label, ()))))

"""Certificate Transparency: the bytes that a log signed for a certificate (RFC 6962 section 3.2).

Import this module to verify the timestamps of a certificate with a library for signatures. `derlib.schemas.sct`, which
`derlib.schemas.x509` imports, reads the timestamps.

    >>> from derlib.schemas.ct import PreCert, signed_bytes
    >>> from derlib.schemas.x509 import Certificate, SignedCertificateTimestamp
    >>> certificate = Certificate.decode(open("server.der", "rb").read())  # doctest: +SKIP
    >>> entry = PreCert.of(certificate, Certificate.decode(open("issuer.der", "rb").read()))  # doctest: +SKIP
    >>> for found in certificate.signed_certificate_timestamps:  # doctest: +SKIP
    ...     if isinstance(found, SignedCertificateTimestamp):
    ...         print(found.log_id.hex(), found.timestamp, len(signed_bytes(found, entry)))
"""

from __future__ import annotations

import hashlib
from datetime import timedelta

from derlib import ASN1Error
from derlib._immutable import Immutable
from derlib.schemas.extensions import AuthorityKeyIdentifier
from derlib.schemas.sct import (
    EPOCH,
    OpaqueTimestamp,
    SignedCertificateTimestamp,
    id_ct_poison,
    id_ocsp_sct_list,
    id_sct_list,
    parse_sct_list,
    read_sct_list,
)
from derlib.schemas.x509 import Certificate, Extension, SubjectPublicKeyInfo, TBSCertificate

__all__ = [
    "OpaqueTimestamp",
    "PreCert",
    "SignedCertificateTimestamp",
    "id_ct_poison",
    "id_ocsp_sct_list",
    "id_sct_list",
    "parse_sct_list",
    "read_sct_list",
    "signed_bytes",
]


class PreCert(Immutable):
    """What a log signs for a certificate that will contain the timestamp (RFC 6962 section 3.2).

    ::

        opaque TBSCertificate<1..2^24-1>;
        struct {
            opaque issuer_key_hash[32];
            TBSCertificate tbs_certificate;
        } PreCert;

    Attributes:
        issuer_key_hash: SHA-256 of the SubjectPublicKeyInfo of the CA that issues the certificate.
        tbs_certificate: the DER encoding of the TBSCertificate without the extension of Certificate Transparency.
    """

    issuer_key_hash: bytes
    tbs_certificate: bytes

    def __init__(self, issuer_key_hash: bytes, tbs_certificate: bytes) -> None:
        self._set(issuer_key_hash=issuer_key_hash, tbs_certificate=tbs_certificate)

    @classmethod
    def of(
        cls,
        certificate: Certificate,
        issuer: Certificate | SubjectPublicKeyInfo,
        *,
        signing_certificate: Certificate | None = None,
    ) -> PreCert:
        """Return the entry of a certificate with timestamps, or of a precertificate.

        The bytes of the TBSCertificate are taken over as they are, except for the removed extension, also from a
        certificate that was decoded with tolerated faults.

        Args:
            certificate: a certificate with the list of timestamps, or a precertificate with the poison extension.
            issuer: the CA that issues the final certificate, or its public key.
            signing_certificate: the Precertificate Signing Certificate, if it signed the precertificate instead of
                the CA. Its issuer and its authorityKeyIdentifier then replace those of the precertificate.

        Raises:
            ASN1Error: the certificate does not have exactly one of the two extensions, or only the precertificate has
                an authorityKeyIdentifier.
        """
        key = issuer.tbs_certificate.subject_public_key_info if isinstance(issuer, Certificate) else issuer
        tbs = certificate.tbs_certificate
        extensions = [
            _extension(extension, signing_certificate)
            for extension in tbs.extensions or ()
            if extension.extn_id not in (id_sct_list, id_ct_poison)
        ]
        marks = len(tbs.extensions or ()) - len(extensions)
        if marks != 1:
            raise ASN1Error(
                "expected one extension with timestamps or one poison extension in the certificate, "
                f"found {marks} (RFC 6962 3.2)"
            )
        return cls(hashlib.sha256(key.der).digest(), _tbs(tbs, extensions, signing_certificate))


def signed_bytes(timestamp: SignedCertificateTimestamp, entry: PreCert | Certificate) -> bytes:
    """Return the bytes that the signature of a timestamp is over (RFC 6962 section 3.2).

    ::

        digitally-signed struct {
            Version sct_version;
            SignatureType signature_type = certificate_timestamp;
            uint64 timestamp;
            LogEntryType entry_type;
            select(entry_type) {
                case x509_entry: ASN.1Cert;
                case precert_entry: PreCert;
            } signed_entry;
            CtExtensions extensions;
        };

    Args:
        timestamp: the timestamp.
        entry: the `PreCert` for a timestamp in a certificate; the certificate itself for a timestamp from a TLS
            handshake or an OCSP response.

    Raises:
        ASN1Error: the certificate is too large.
        TypeError: `timestamp` is an `OpaqueTimestamp`, for example.
    """
    if not isinstance(timestamp, SignedCertificateTimestamp):
        raise TypeError(f"timestamp: expected SignedCertificateTimestamp, got {type(timestamp).__name__}")
    milliseconds = (timestamp.timestamp - EPOCH) // timedelta(milliseconds=1)
    if isinstance(entry, PreCert):
        entry_type, signed_entry = 1, entry.issuer_key_hash + _vector(entry.tbs_certificate, 3)
    else:
        entry_type, signed_entry = 0, _vector(bytes(entry.der), 3)
    return b"".join(
        (
            bytes([timestamp.version, 0]),
            milliseconds.to_bytes(8, "big"),
            entry_type.to_bytes(2, "big"),
            signed_entry,
            _vector(timestamp.extensions, 2),
        )
    )


def _vector(octets: bytes, size: int) -> bytes:
    """Return bytes with their length in `size` bytes before them (RFC 8446 section 3.4)."""
    if len(octets) >= 1 << 8 * size:
        raise ASN1Error(f"{len(octets)} bytes are too many for a vector of RFC 6962, which has less than 2^{8 * size}")
    return len(octets).to_bytes(size, "big") + octets


def _extension(extension: Extension, signing_certificate: Certificate | None) -> bytes:
    """Return the encoding of an extension; an authorityKeyIdentifier has the value in the signing certificate."""
    octets = bytes(extension.der)
    if signing_certificate is None or not isinstance(extension.extn_value, AuthorityKeyIdentifier):
        return octets
    extensions = signing_certificate.tbs_certificate.extensions
    theirs = None if extensions is None else extensions.get_extension(AuthorityKeyIdentifier)
    if theirs is None:
        raise ASN1Error("the Precertificate Signing Certificate has no authorityKeyIdentifier (RFC 6962 3.2)")
    whole, value = extension.span(), extension.span("extn_value")
    head = octets[whole.header_length : value.offset - whole.offset]
    return _element(0x30, head + _element(0x04, bytes(theirs.raw("extn_value"))))


def _tbs(tbs: TBSCertificate, extensions: list[bytes], signing_certificate: Certificate | None) -> bytes:
    """Return the encoding of a TBSCertificate with these extensions."""
    octets = bytes(tbs.der)
    whole, issuer = tbs.span(), tbs.span("issuer")
    optional = [name for name in ("issuer_unique_id", "subject_unique_id") if getattr(tbs, name) is not None]
    end = tbs.span(["subject_public_key_info", *optional][-1]).end - whole.offset
    before = octets[whole.header_length : issuer.offset - whole.offset]
    name = octets[issuer.offset - whole.offset : issuer.end - whole.offset]
    if signing_certificate is not None:
        name = bytes(signing_certificate.tbs_certificate.issuer.der)
    after = octets[issuer.end - whole.offset : end]
    # RFC 5280 section 4.1.2.9: the list is not empty if it is present.
    listed = _element(0xA3, _element(0x30, b"".join(extensions))) if extensions else b""
    return _element(0x30, before + name + after + listed)


def _element(identifier: int, contents: bytes) -> bytes:
    """Return the DER encoding of an element with a tag number below 31 (X.690 8.1.3, 10.1)."""
    count = len(contents)
    size = (count.bit_length() + 7) // 8
    length = bytes([count]) if count < 0x80 else bytes([0x80 | size]) + count.to_bytes(size, "big")
    return bytes([identifier]) + length + contents

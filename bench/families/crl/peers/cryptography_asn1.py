"""cryptography.hazmat.asn1: builds dataclasses for the whole CRL in one call."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Optional

from cryptography import x509
from cryptography.hazmat import asn1

from bench.harness import Task


# It evaluates annotations at import time, and supports Optional but not "| None" after a list.
@asn1.sequence
class Extension:
    """RFC 5280 4.1."""

    extn_id: x509.ObjectIdentifier
    critical: Annotated[bool, asn1.Default(False)]
    extn_value: bytes


@asn1.sequence
class Entry:
    """RFC 5280 5.1, revokedCertificates."""

    user_certificate: int
    revocation_date: asn1.UTCTime
    crl_entry_extensions: Optional[list[Extension]]  # noqa: UP045


@asn1.sequence
class TBSCertList:
    """RFC 5280 5.1; the TLV fields are not parsed."""

    version: int
    signature: asn1.TLV
    issuer: asn1.TLV
    this_update: asn1.UTCTime
    next_update: Optional[asn1.UTCTime]  # noqa: UP045
    revoked_certificates: list[Entry]
    crl_extensions: Annotated[Optional[list[Extension]], asn1.Explicit(0)]  # noqa: UP045


@asn1.sequence
class CertificateList:
    """RFC 5280 5.1."""

    tbs_cert_list: TBSCertList
    signature_algorithm: asn1.TLV
    signature_value: asn1.BitString


def facts(crl: CertificateList) -> Iterator[object]:
    """Yield what was read."""
    tbs = crl.tbs_cert_list
    yield int(tbs.this_update.as_datetime().timestamp())
    for entry in tbs.revoked_certificates:
        extensions = tuple(
            (each.extn_id.dotted_string, each.critical, each.extn_value) for each in entry.crl_entry_extensions or ()
        )
        yield entry.user_certificate, int(entry.revocation_date.as_datetime().timestamp()), extensions


def decode_and_read(path: str) -> Task:
    """Call `decode_der`, which builds all entries, and read them."""
    data = Path(path).read_bytes()

    def call() -> CertificateList:
        crl = asn1.decode_der(CertificateList, data)
        for entry in crl.tbs_cert_list.revoked_certificates:
            _ = entry.user_certificate
            _ = entry.revocation_date.as_datetime()
            for extension in entry.crl_entry_extensions or ():
                _ = extension.extn_id
                _ = extension.critical
                _ = extension.extn_value
        return crl

    return Task(call, facts)


def encode_anew(path: str) -> Task:
    """Call `encode_der` on the dataclasses."""
    crl = asn1.decode_der(CertificateList, Path(path).read_bytes())
    return Task(lambda: asn1.encode_der(crl), lambda encoded: [encoded])


def dumps(path: str) -> Task:
    """Pickle a CRL, which raises an exception."""
    crl = asn1.decode_der(CertificateList, Path(path).read_bytes())
    return Task(lambda: pickle.dumps(crl, 5))

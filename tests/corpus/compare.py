"""The verdicts of derlib and cryptography on one item, and the values that differ.

`test_corpus.py` calls `compare` for every item. Every value of the item is read with both libraries, since cryptography
is lazy: an error on access counts as a rejection.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest

from derlib import TLV, ASN1Error, BitString
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

from .files import Item, schema_of

x509 = pytest.importorskip("cryptography.x509", reason="cryptography, a test dependency, is not installed")


class Verdict(NamedTuple):
    """The errors of both, None if accepted, and the values that differ if both accept."""

    ours: ASN1Error | None
    theirs: Exception | None
    differences: tuple[str, ...] = ()


# The attribute types that RFC 4514 section 3 names; cryptography and derlib write the others in different ways.
RFC_4514_NAMES = {"2.5.4.3", "2.5.4.6", "2.5.4.7", "2.5.4.8", "2.5.4.9", "2.5.4.10", "2.5.4.11"} | {
    "0.9.2342.19200300.100.1.1",
    "0.9.2342.19200300.100.1.25",
}


def compare(item: Item) -> Verdict:
    """Decode the item with both libraries, read everything, and compare it value by value."""
    ours = theirs = None
    refused: ASN1Error | None = None
    rejected: Exception | None = None
    try:
        ours = schema_of(item).decode(item.der)
    except ASN1Error as error:
        refused = error
    with warnings.catch_warnings():
        # cryptography accepts an item with a warning.
        warnings.simplefilter("ignore")
        try:
            theirs = _load(item)
        except Exception as error:  # cryptography does not promise a common base class
            rejected = error
    if refused or rejected:
        return Verdict(refused, rejected)
    differ = _certificate if item.kind == "certificate" else _crl
    return Verdict(None, None, tuple(differ(ours, theirs)))


def _load(item: Item) -> Any:
    if item.kind == "certificate":
        certificate = x509.load_der_x509_certificate(item.der)
        _ = certificate.version, certificate.subject, certificate.issuer, certificate.extensions
        _ = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        return certificate
    crl = x509.load_der_x509_crl(item.der)
    _ = crl.issuer, crl.last_update_utc, crl.next_update_utc, crl.extensions
    for entry in crl:
        _ = entry.extensions
    return crl


def _pairs(**values: tuple[Any, Any]) -> Iterator[str]:
    yield from (name for name, (ours, theirs) in values.items() if ours != theirs)


def _certificate(ours: Certificate, theirs: x509.Certificate) -> Iterator[str]:
    tbs = ours.tbs_certificate
    yield from _pairs(
        version=(tbs.version, theirs.version.value),
        serial_number=(tbs.serial_number, theirs.serial_number),
        not_before=(tbs.validity.not_before, theirs.not_valid_before_utc),
        not_after=(tbs.validity.not_after, theirs.not_valid_after_utc),
        tbs_certificate=(tbs.der, theirs.tbs_certificate_bytes),
        signature=(ours.signature_value.bytes, theirs.signature),
        signature_algorithm=(ours.signature_algorithm.algorithm.dotted, theirs.signature_algorithm_oid.dotted_string),
        key_algorithm=(
            tbs.subject_public_key_info.algorithm.algorithm.dotted,
            theirs.public_key_algorithm_oid.dotted_string,
        ),
    )
    yield from _name("issuer", tbs.issuer, theirs.issuer)
    yield from _name("subject", tbs.subject, theirs.subject)
    yield from _extensions("extensions", tbs.extensions, theirs.extensions)


def _crl(ours: CertificateList, theirs: x509.CertificateRevocationList) -> Iterator[str]:
    tbs = ours.tbs_cert_list
    entries = tbs.revoked_certificates or ()
    yield from _pairs(
        this_update=(tbs.this_update, theirs.last_update_utc),
        next_update=(tbs.next_update, theirs.next_update_utc),
        tbs_cert_list=(tbs.der, theirs.tbs_certlist_bytes),
        signature=(ours.signature_value.bytes, theirs.signature),
        signature_algorithm=(ours.signature_algorithm.algorithm.dotted, theirs.signature_algorithm_oid.dotted_string),
        entries=(len(entries), len(theirs)),
    )
    yield from _name("issuer", tbs.issuer, theirs.issuer)
    yield from _extensions("crl_extensions", tbs.crl_extensions, theirs.extensions)
    for number, (entry, other) in enumerate(zip(entries, theirs, strict=False)):
        here = (entry.user_certificate, entry.revocation_date)
        if here != (other.serial_number, other.revocation_date_utc):
            yield f"revoked_certificates[{number}]"
        if entry.crl_entry_extensions is not None or len(other.extensions):
            where = f"revoked_certificates[{number}].crl_entry_extensions"
            yield from _extensions(where, entry.crl_entry_extensions, other.extensions)


def _plain(value: Any) -> Any:
    """Return an attribute value as cryptography returns it: text, or the bytes of a bit string."""
    if isinstance(value, TLV):
        value = value.value
    return value.bytes if isinstance(value, BitString) else value


def _name(where: str, ours: Any, theirs: x509.Name) -> Iterator[str]:
    if ours.der != theirs.public_bytes():
        yield f"{where}: octets"
    if len(ours.rdn_sequence) != len(theirs.rdns):
        yield f"{where}: number of RDNs"
    for rdn, other in zip(ours.rdn_sequence, theirs.rdns, strict=False):
        if len(rdn) != len(other):
            yield f"{where}: number of attributes"
        for assertion, attribute in zip(rdn, other, strict=False):
            dotted = assertion.type.dotted
            if (dotted, _plain(assertion.value)) != (attribute.oid.dotted_string, attribute.value):
                yield f"{where}: {dotted}"
            if dotted in RFC_4514_NAMES and str(assertion) != attribute.rfc4514_string():
                yield f"{where}: RFC 4514 form of {dotted}"


def _extensions(where: str, ours: Iterable[Any] | None, theirs: x509.Extensions) -> Iterator[str]:
    mine = tuple(ours or ())
    if [(extension.extn_id.dotted, extension.critical) for extension in mine] != [
        (extension.oid.dotted_string, extension.critical) for extension in theirs
    ]:
        yield f"{where}: numbers and criticality"
        return
    for extension, other in zip(mine, theirs, strict=True):
        _ = repr(extension.extn_value)
        # cryptography does not store the bytes of known extensions; it encodes them again.
        if extension.raw("extn_value") != other.value.public_bytes():
            yield f"{where}: {extension.extn_id.dotted}"

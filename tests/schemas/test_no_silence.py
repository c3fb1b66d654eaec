"""No property hides a damaged value: with NULL in place of any element, it has a value or raises an ASN1Error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.der import der
from support.pages import example

import derlib
from derlib import ASN1Error, Deviation, pem
from derlib.schemas.cms import ContentInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.ocsp import OCSPRequest, OCSPResponse
from derlib.schemas.pkcs12 import PFX
from derlib.schemas.tsp import TimeStampResp
from derlib.schemas.x509 import Certificate

EXTENSIONS = "is_ca key_usage extended_key_usage dns_names subject_alt_names policies key_identifier"
CERTIFICATE = f"{EXTENSIONS} authority_key_identifier ocsp_urls ca_issuer_urls crl_urls extensions"
SIGNER = "content_type message_digest signing_time"
# The type of each example, the values in it that have properties, and their names.
CASES: dict[str, tuple[Any, Callable[[Any], Any], str]] = {
    "ca.pem": (Certificate, lambda value: [value], CERTIFICATE),
    "server.pem": (Certificate, lambda value: [value], CERTIFICATE),
    "request.pem": (CertificationRequest, lambda value: [value], f"{EXTENSIONS} challenge_password"),
    "revoke.pem": (CertificateList, lambda value: [value, *value.revoked_certificates], "number reason extensions"),
    "status.der": (OCSPResponse, lambda value: [value, value.basic], "basic responses nonce certificates"),
    "status-request.der": (OCSPRequest, lambda value: [value], "requests nonce"),
    "report.p7m": (ContentInfo, lambda value: signed(value), f"{SIGNER} x509_certificates"),
    "report.tsr": (TimeStampResp, lambda value: [value, *signed(value.time_stamp_token)], f"{SIGNER} tst_info"),
    "ann.p12": (PFX, lambda value: [value, *value.bags], "bags friendly_name local_key_id"),
    "bundle.p12": (PFX, lambda value: [value], "bags encrypted_parts"),
}


def signed(info: ContentInfo) -> list[Any]:
    return [info.signed_data, *info.signed_data.signer_infos]


def with_null(octets: bytes) -> Iterator[bytes]:
    """Yield the elements with NULL in place of each one that is not an identifier, also inside strings."""
    try:
        elements = list(derlib.iter_decode(octets))
    except ASN1Error:
        return
    start = 0
    for element in elements:
        identifier, end = octets[start], start + element.span.length
        if identifier != 0x06:
            yield octets[:start] + b"\5\0" + octets[end:]
        unused = 1 if identifier == 0x03 else 0
        contents = bytes(element.content)
        if element.tag.constructed or identifier in (0x03, 0x04):
            for inner in with_null(contents[unused:]):
                yield octets[:start] + der(identifier, contents[:unused], inner) + octets[end:]
        start = end


def properties(read: Callable[[], Any], names: str) -> dict[tuple[int, str], Any]:
    """Return the properties of values; an error is a value."""
    try:
        values = read()
    except (ASN1Error, AttributeError):
        return {}  # Another property, or a field that has another type, has the error.
    found: dict[tuple[int, str], Any] = {}
    for number, value in enumerate(values):
        for name in names.split():
            try:
                found[number, name] = getattr(value, name, None)
            except ASN1Error as error:
                found[number, name] = error
    return found


# The elements of a SET OF with NULL in one of them can be unsorted.
@pytest.mark.parametrize("tolerate", [Deviation.SET_OF_ORDER, Deviation.SET_OF_ORDER | Deviation.OPEN_TYPE])
@pytest.mark.parametrize("name", CASES)
def test_no_property_hides_a_damaged_value(name: str, tolerate: Deviation) -> None:
    cls, values, names = CASES[name]
    data = example(name)
    octets = pem.one(data) if pem.is_pem(data) else data
    whole = properties(lambda: values(cls.decode(octets)), names)
    assert any(whole.values())
    hidden = set()
    for changed in with_null(octets):
        try:
            value = cls.decode(changed, tolerate=tolerate)
        except ASN1Error:
            continue
        for key, found in properties(lambda value=value: values(value), names).items():
            if whole.get(key) and not found and not isinstance(found, ASN1Error):
                hidden.add((key, changed.hex()))
    assert not hidden

"""Values that properties decode later tolerate what the structure around them tolerates: the advice of errors works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.commands import CERTIFICATE
from support.der import der

import derlib
from derlib import DecodeError, Deviation, LimitError, Limits
from derlib.schemas import authenticode, cms, csr, pkcs12, rpki, tsp, x400
from derlib.schemas.snmp import SNMPv3Message
from derlib.schemas.x509 import Certificate

OID = bytes.fromhex("0603883701")
INTEGER = bytes.fromhex("02020007")  # redundant octets


def signed(content_type: derlib.ObjectIdentifier, content: bytes) -> bytes:
    """Return a signed object with this content, without signers."""
    encapsulated = {"e_content_type": content_type, "e_content": content}
    data = {"version": 3, "digest_algorithms": [], "encap_content_info": encapsulated, "signer_infos": []}
    return cms.ContentInfo(content_type=cms.id_signed_data, content=data).encode()


def pfx_of(safe: bytes) -> bytes:
    return pkcs12.PFX(version=3, auth_safe={"content_type": cms.id_data, "content": safe}).encode()


def with_certificate(certificate: bytes) -> bytes:
    """Return a PKCS #12 file with a certificate, which can be damaged."""
    bag = pkcs12.CertBag(cert_id=pkcs12.id_x509_certificate, cert_value=Certificate.decode(CERTIFICATE))
    contents = pkcs12.SafeContents([{"bag_id": pkcs12.id_cert_bag, "bag_value": bag}]).encode()
    safe = [{"content_type": cms.id_data, "content": contents.replace(CERTIFICATE, certificate)}]
    return pfx_of(pkcs12.AuthenticatedSafe(safe).encode())


MONTH = CERTIFICATE.replace(b"250101", b"251301", 1)
DNS_NAME = CERTIFICATE.replace(b"example.org", b"\xe9xample.org")
IMPRINT = der(0x30, der(0x30, OID), der(4, b"\7"))
STAMP = der(0x30, b"\2\1\1", OID, IMPRINT, INTEGER, b"\x18\x0f20250101000000Z")
USM = der(0x30, b"\4\0\2\1\0\2\1\0\4\0\4\0\4\0") + b"\5\0"
ROA = der(0x30, INTEGER, der(0x30, der(0x30, der(4, b"\0\1"), der(0x30, der(0x30, der(3, b"\0\1"))))))
ATTRIBUTES = b"\x31\x81\x00"
PAGE_HASHES = bytes.fromhex("a6b586d5b4a12466ae05a217da8e60d6")


def snmp_message() -> bytes:
    header = der(0x30, b"\2\1\1", der(2, b"\2\0"), b"\4\1\4", b"\2\1\3")
    pdu = der(0xA0, b"\2\1\1\2\1\0\2\1\0\x30\0")
    return der(0x30, b"\2\1\3", header, der(4, USM), der(0x30, b"\4\0\4\0", pdu))


def csr_with(*extensions: bytes) -> bytes:
    """Return a request with these extensions."""
    value = der(0x30, *extensions)
    attribute = der(0x30, bytes.fromhex("06092a864886f70d01090e"), der(0x31, value))
    key = der(0x30, bytes.fromhex("300506032b6570"), der(3, b"\0", bytes(32)))
    info = der(0x30, b"\2\1\0", der(0x30), key, der(0xA0, attribute))
    return der(0x30, info, bytes.fromhex("300506032b6570"), der(3, b"\0", bytes(64)))


CASES: dict[str, tuple[Any, bytes, Callable[[Any], Any], str]] = {
    "certificate, month": (pkcs12.PFX, with_certificate(MONTH), lambda pfx: pfx.bags, "ber"),
    "certificate, DNS name": (pkcs12.PFX, with_certificate(DNS_NAME), lambda pfx: pfx.bags, "ber"),
    "certificate in DER": (pkcs12.PFX, with_certificate(DNS_NAME), lambda pfx: pfx.bags, "der"),
    "authenticated safe": (pkcs12.PFX, pfx_of(b"\x30\x81\0"), lambda pfx: pfx.authenticated_safe, "der"),
    "encrypted parts": (pkcs12.PFX, pfx_of(b"\x30\x81\0"), lambda pfx: pfx.encrypted_parts, "der"),
    "time stamp": (cms.ContentInfo, signed(tsp.id_ct_tst_info, STAMP), tsp.tst_info_of, "der"),
    "time stamp response": (
        tsp.TimeStampResp,
        der(0x30, der(0x30, b"\2\1\0"), signed(tsp.id_ct_tst_info, STAMP)),
        lambda response: response.tst_info,
        "der",
    ),
    "ROA": (cms.ContentInfo, signed(rpki.id_ct_route_origin_authz, ROA), rpki.content_of, "der"),
    "page hashes": (
        authenticode.SpcSerializedObject,
        authenticode.SpcSerializedObject(class_id=PAGE_HASHES, serialized_data=ATTRIBUTES).encode(),
        lambda found: found.attributes,
        "der",
    ),
    "USM": (SNMPv3Message, snmp_message(), lambda message: message.usm_security_parameters, "ber"),
    "X.400": (
        x400.ExtensionAttribute,
        der(0x30, b"\x80\1\x17", der(0xA1, INTEGER)),
        lambda found: found.read_value(),
        "der",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_advice_of_the_error_works(name: str) -> None:
    cls, octets, read, rules = CASES[name]
    tolerate, advice = Deviation(0), None
    while advice is None or not advice & tolerate:
        tolerate |= advice or Deviation(0)
        try:
            found = read(cls.decode(octets, rules=rules, tolerate=tolerate))
        except DecodeError as error:
            advice = error.deviation
        else:
            break
    else:
        pytest.fail(f"{advice} had no effect")
    assert tolerate
    assert found is not None


@pytest.mark.parametrize("rules", ["der", "ber"])
def test_the_contents_have_the_limits_of_the_structure(rules: str) -> None:
    octets = with_certificate(CERTIFICATE)
    assert len(pkcs12.PFX.decode(octets, rules=rules, limits=Limits(elements=100)).bags) == 1
    pfx = pkcs12.PFX.decode(octets, rules=rules, limits=Limits(elements=2))
    with pytest.raises(LimitError, match="the limit is 2"):
        _ = pfx.bags


def test_values_that_were_built_tolerate_nothing() -> None:
    safe = b"\x30\x81\0"
    pfx = pkcs12.PFX(version=3, auth_safe={"content_type": cms.id_data, "content": safe})
    with pytest.raises(DecodeError, match=r"Deviation\.LENGTH_FORM tolerates it"):
        _ = pfx.authenticated_safe


def test_an_opaque_extension_has_the_fault_that_nothing_tolerated() -> None:
    """The value has a fault that is tolerated, before one that is not."""
    constraints = der(0x30, b"\1\1\1", b"\2\1\xff")
    extension = der(0x30, bytes.fromhex("0603551d13"), der(4, constraints))
    request = csr_with(extension)
    found = csr.CertificationRequest.decode(request, tolerate=Deviation.OPEN_TYPE | Deviation.BOOLEAN_TRUE)
    with pytest.raises(DecodeError, match="path_len_constraint"):
        _ = found.is_ca


def test_opaque_extensions_of_a_request_have_the_fault_that_nothing_tolerated() -> None:
    extension = der(0x30, bytes.fromhex("0603551d13"), b"\1\1\1", der(4, b"\x30\0"))
    request = csr_with(extension, b"\5\0")
    found = csr.CertificationRequest.decode(request, tolerate=Deviation.OPEN_TYPE | Deviation.BOOLEAN_TRUE)
    with pytest.raises(DecodeError, match="expected Extension, found NULL"):
        _ = found.extensions

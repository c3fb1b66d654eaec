"""A property whose value has another type raises an error: the value is not absent, and its bytes are not a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.der import der, name

import derlib
from derlib import DecodeError, Deviation, ObjectIdentifier, SetOf
from derlib.schemas import authenticode, cms, csr, keys, ocsp, pkcs12
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

ED25519 = bytes.fromhex("300506032b6570")
TIME = b"\x17\x0d260102030405Z"
NULL_DER = b"\5\0"


def extensions(oid: str, value: bytes) -> bytes:
    return der(0x30, der(0x30, der(6, bytes.fromhex(oid)), der(4, value)))


def certificate(key_identifier: bytes) -> bytes:
    key = der(0x30, ED25519, der(3, bytes(33)))
    listed = der(0xA3, extensions("551d0e", key_identifier))
    validity = der(0x30, TIME, TIME)
    tbs = der(0x30, b"\xa0\3\2\1\2", b"\2\1\1", ED25519, name("CA"), validity, name("CA"), key, listed)
    return der(0x30, tbs, ED25519, der(3, bytes(65)))


def crl(number: bytes) -> bytes:
    tbs = der(0x30, b"\2\1\1", ED25519, name("CA"), TIME, der(0xA0, extensions("551d14", number)))
    return der(0x30, tbs, ED25519, der(3, bytes(65)))


def response(basic: bytes) -> bytes:
    answer = der(0x30, bytes.fromhex("06092b0601050507300101"), der(4, basic))
    return der(0x30, b"\x0a\1\0", der(0xA0, answer))


def private_key(algorithm: str, key: bytes) -> bytes:
    return der(0x30, b"\2\1\0", der(0x30, bytes.fromhex(algorithm)), der(4, key))


RSA, EC = "06092a864886f70d0101010500", "06072a8648ce3d020106082a8648ce3d030107"
OF_STRINGS: dict[str, tuple[Any, bytes, Callable[[Any], object]]] = {
    "key identifier": (Certificate, certificate(NULL_DER), lambda found: found.key_identifier),
    "key identifier, cut": (Certificate, certificate(b"\4\5ab"), lambda found: found.key_identifier),
    "CRL number": (CertificateList, crl(b"\2\1\x85"), lambda found: found.number),
    "response": (ocsp.OCSPResponse, response(NULL_DER), lambda found: found.basic),
    "answers": (ocsp.OCSPResponse, response(NULL_DER), lambda found: found.responses),
    "RSA key": (keys.PrivateKeyInfo, private_key(RSA, NULL_DER), lambda found: found.public_key_info),
    "EC key": (keys.PrivateKeyInfo, private_key(EC, NULL_DER), lambda found: found.public_key_info),
}


@pytest.mark.parametrize("case", OF_STRINGS)
def test_a_tolerated_value_in_a_string(case: str) -> None:
    cls, octets, read = OF_STRINGS[case]
    with pytest.raises(DecodeError) as strict:
        cls.decode(octets)
    with pytest.raises(DecodeError) as caught:
        read(cls.decode(octets, tolerate=Deviation.OPEN_TYPE))
    assert (caught.value.kind, caught.value.rule) == (strict.value.kind, strict.value.rule)


def test_valid_values_in_a_string() -> None:
    for tolerate in (None, Deviation.OPEN_TYPE):
        assert Certificate.decode(certificate(b"\4\2ab"), tolerate=tolerate).key_identifier == b"ab"
        assert CertificateList.decode(crl(b"\2\1\5"), tolerate=tolerate).number == 5


def signer(*signed: tuple[ObjectIdentifier, list[bytes]]) -> cms.SignerInfo:
    listed = b"".join(sorted(der(0x30, bytes(oid_der(oid)), der(0x31, *sorted(values))) for oid, values in signed))
    signed_attributes = der(0xA0, listed) if listed else b""
    return cms.SignerInfo.decode(
        der(0x30, b"\2\1\3", der(0x80, b"key"), ED25519, signed_attributes, ED25519, der(4, b"signature"))
    )


def oid_der(oid: ObjectIdentifier) -> bytes:
    return derlib.encode(oid, ObjectIdentifier)


PROPERTIES = {
    "content_type": (cms.id_content_type, oid_der(cms.id_data), "RFC 5652 11.1"),
    "message_digest": (cms.id_message_digest, b"\4\1d", "RFC 5652 11.2"),
    "signing_time": (cms.id_signing_time, TIME, "RFC 5652 11.3"),
}


@pytest.mark.parametrize("attribute", PROPERTIES)
def test_the_signed_attributes_of_rfc_5652(attribute: str) -> None:
    oid, value, rule = PROPERTIES[attribute]
    other = (ObjectIdentifier("2.999.1"), [NULL_DER])
    assert getattr(signer(), attribute) is getattr(signer(other), attribute) is None
    assert getattr(signer((oid, [value]), other), attribute) == derlib.parse(value).value
    with pytest.raises(DecodeError, match="INTEGER"):
        getattr(signer((oid, [b"\2\1\7"])), attribute)
    for several, count in (([[NULL_DER, value]], "2 values"), ([[]], "0 values"), ([[value], []], "2 attributes")):
        expected = f"expected one {oid.name} with one value, found {count}"
        with pytest.raises(derlib.StructureError, match=expected) as caught:
            getattr(signer(*((oid, values) for values in several)), attribute)
        assert (caught.value.path, caught.value.offset, caught.value.rule) == (("signed_attrs",), 17, rule)


def request(password: bytes) -> csr.CertificationRequest:
    attribute = der(0x30, oid_der(csr.id_challenge_password), der(0x31, password))
    info = der(0x30, b"\2\1\0", name("a"), der(0x30, ED25519, der(3, bytes(33))), der(0xA0, attribute))
    return csr.CertificationRequest.decode(der(0x30, info, ED25519, der(3, bytes(65))))


def bag(oid: ObjectIdentifier, value: bytes) -> pkcs12.SafeBag:
    contents = der(0x30, oid_der(pkcs12.id_sdsi_certificate), der(0xA0, b"\x16\1c"))
    attribute = der(0x31, der(0x30, oid_der(oid), der(0x31, value)))
    return pkcs12.SafeBag.decode(der(0x30, oid_der(pkcs12.id_cert_bag), der(0xA0, contents), attribute))


TEXTS: dict[str, Callable[[bytes], str | None]] = {
    "challenge password": lambda value: request(value).challenge_password,
    "friendly name": lambda value: bag(pkcs12.id_friendly_name, value).friendly_name,
}


@pytest.mark.parametrize("case", TEXTS)
def test_text_of_another_type_is_text(case: str) -> None:
    for value, expected in ((b"\x0c\2ab", "ab"), (b"\x16\2ab", "ab"), (b"\x1e\4\0a\0b", "ab"), (b"\x1e\0", "")):
        assert TEXTS[case](value) == expected
    with pytest.raises(DecodeError, match="INTEGER"):
        TEXTS[case](b"\2\1\7")


def test_the_key_identifier_of_a_bag() -> None:
    assert bag(pkcs12.id_local_key_id, b"\4\1k").local_key_id == b"k"
    assert bag(pkcs12.id_friendly_name, b"\4\1k").local_key_id is None
    with pytest.raises(DecodeError, match="expected OCTET STRING, found UTF8String"):
        _ = bag(pkcs12.id_local_key_id, b"\x0c\1k").local_key_id


def pfx(*parts: bytes) -> bytes:
    safe = der(0x30, der(0x30, oid_der(cms.id_data), der(0xA0, der(4, der(0x30)))), *parts)
    outer = der(0x30, oid_der(cms.id_data), der(0xA0, der(4, safe)))
    return der(0x30, b"\2\1\3", outer)


@pytest.mark.parametrize("which", ["bags", "encrypted_parts"])
def test_a_part_that_is_neither_data_nor_encrypted(which: str) -> None:
    part = der(0x30, bytes.fromhex("0603883701"), der(0xA0, der(4, der(0x30))))
    with pytest.raises(derlib.StructureError, match=r"found 2\.999\.1 \(RFC 7292 4\.1\)") as caught:
        getattr(pkcs12.PFX.decode(pfx(part)), which)
    assert (caught.value.path, caught.value.offset) == ((1, "content_type"), 23)


@pytest.mark.parametrize("oid", [cms.id_data, cms.id_encrypted_data, cms.id_enveloped_data])
@pytest.mark.parametrize("which", ["bags", "encrypted_parts"])
def test_a_part_with_tolerated_contents(which: str, oid: ObjectIdentifier) -> None:
    octets = pfx(der(0x30, oid_der(oid), der(0xA0, NULL_DER)))
    with pytest.raises(DecodeError, match="found NULL"):
        getattr(pkcs12.PFX.decode(octets, tolerate=Deviation.OPEN_TYPE), which)


def test_page_hashes() -> None:
    found = authenticode.SpcAttributes(
        SetOf[authenticode.SpcAttributeTypeAndOptionalValue](
            [{"type": authenticode.spc_pe_image_page_hashes_v2, "value": derlib.parse(NULL_DER)}]
        )
    )
    class_id = bytes.fromhex("a6b586d5b4a12466ae05a217da8e60d6")
    moniker = authenticode.SpcSerializedObject(class_id=class_id, serialized_data=found.encode())
    data = authenticode.SpcPeImageData(file=authenticode.SpcLink(moniker=moniker))
    with pytest.raises(DecodeError, match="expected SpcPeImagePageHashes, found NULL"):
        _ = data.page_hashes

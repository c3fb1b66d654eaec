"""The attributes of CMS: the types of their values, and look-up by type."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest
from support.der import der

import derlib
from derlib import BitString, ObjectIdentifier, SetOf, oids
from derlib.schemas import cms
from derlib.schemas.attributes import ATTRIBUTES, Attribute, Name
from derlib.schemas.cms import ContentInfo, SignedAttributes, SignerInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.keys import EncryptedPrivateKeyInfo
from derlib.schemas.ocsp import OCSPResponse
from derlib.schemas.pdf import RevocationInfoArchival, adbe_revocation_info_archival
from derlib.schemas.pkcs12 import PFX

time = datetime(2026, 10, 9, 12, 30, tzinfo=timezone.utc)
signer: dict[str, Any] = {
    "version": "v1",
    "sid": {"subject_key_identifier": b"\7"},
    "digest_algorithm": {"algorithm": "2.999.1"},
    "signature_algorithm": {"algorithm": "2.999.1"},
    "signature": b"\7",
}


def test_the_attributes_of_rfc_5652_have_their_types() -> None:
    values: list[tuple[ObjectIdentifier, str, Any]] = [
        (cms.id_content_type, "id-contentType", cms.id_data),
        (cms.id_message_digest, "id-messageDigest", b"digest"),
        (cms.id_signing_time, "id-signingTime", time),
        (cms.id_countersignature, "id-countersignature", SignerInfo(**signer)),
        (ObjectIdentifier(oids.oid_of("id-aa-timeStampToken")), "id-aa-timeStampToken", ContentInfo(
            content_type=cms.id_data, content=b"token"
        )),
        (ObjectIdentifier(oids.oid_of("id-aa-binarySigningTime")), "id-aa-binarySigningTime", 1790000000),
    ]  # fmt: skip
    for attr_type, name, value in values:
        made = SignedAttributes([{"attr_type": attr_type, "attr_values": [value]}])
        read = SignedAttributes.decode(made.encode())
        assert (read.get(attr_type), type(read.get(attr_type))) == (value, type(value))
        assert attr_type.name == name
        assert attr_type in ATTRIBUTES
    # The CHOICE of times, section 11.3: years before 2050 are in a UTCTime.
    signing_time = SignedAttributes([{"attr_type": cms.id_signing_time, "attr_values": [time]}])
    assert signing_time.encode().endswith(der(0x17, b"261009123000Z"))


def test_the_attribute_of_pdf_documents_has_crls_and_ocsp_responses() -> None:
    algorithm = {"algorithm": "2.999.1"}
    crl = CertificateList(
        tbs_cert_list={"signature": algorithm, "issuer": Name.of({"CN": "Example CA"}), "this_update": time},
        signature_algorithm=algorithm,
        signature_value=BitString(b"\7"),
    )
    response = OCSPResponse(response_status="try_later")
    value = der(0x30, der(0xA0, der(0x30, crl.encode())), der(0xA1, der(0x30, response.encode())))
    oid = derlib.encode(adbe_revocation_info_archival, ObjectIdentifier)
    found = cms.Attribute.decode(der(0x30, oid, der(0x31, value))).attr_values[0]
    assert isinstance(found, RevocationInfoArchival)
    assert (list(found.crl), list(found.ocsp), found.other_rev_info) == ([crl], [response], None)
    assert adbe_revocation_info_archival.name == "adbe-revocationInfoArchival"


# The attributes of RFC 2985 with a value of each; those of requests and names have tests of their own.
PKCS9: dict[str, Any] = {
    "pkcs-9-at-extendedCertificateAttributes": SetOf[Attribute]([{"type": "2.5.4.6", "values": ["GB"]}]),
    "pkcs-9-at-signingDescription": "the report",
    "pkcs-9-at-randomNonce": b"1234",
    "pkcs-9-at-sequenceNumber": 1,
    "pkcs-9-at-pkcs7PDU": ContentInfo(content_type=cms.id_data, content=b"text"),
    "pkcs-9-at-userPKCS12": PFX(version="v3", auth_safe={"content_type": cms.id_data, "content": b"0\0"}),
    "pkcs-9-at-encryptedPrivateKeyInfo": EncryptedPrivateKeyInfo(
        encryption_algorithm={"algorithm": "2.999.1"}, encrypted_data=b"secret"
    ),
}


@pytest.mark.parametrize("name", PKCS9)
def test_the_other_attributes_of_rfc_2985_have_their_types(name: str) -> None:
    oid = ObjectIdentifier(oids.oid_of(name))
    made = SignedAttributes([{"attr_type": oid, "attr_values": [PKCS9[name]]}])
    read = SignedAttributes.decode(made.encode()).get(oid)
    assert (read, type(read)) == (PKCS9[name], type(PKCS9[name]))


@pytest.mark.parametrize(
    ("name", "value"),
    [("pkcs-9-at-randomNonce", der(0x04, b"123")), ("pkcs-9-at-sequenceNumber", der(0x02, b"\0"))],
)
def test_a_nonce_that_is_too_short_and_a_number_that_is_too_small_are_opaque(name: str, value: bytes) -> None:
    oid = derlib.encode(oids.oid_of(name), ObjectIdentifier)
    read = SignedAttributes.decode(der(0x31, der(0x30, oid, der(0x31, value))))
    assert read.get(oids.oid_of(name)) == derlib.parse(value)


def test_get_and_get_all_find_the_values_of_an_attribute() -> None:
    digest, empty = cms.id_message_digest, ObjectIdentifier("2.999.2")
    found = cms.Attributes(
        [
            {"attr_type": digest, "attr_values": [b"a", b"b"]},
            {"attr_type": digest, "attr_values": [b"longer"]},
            {"attr_type": empty, "attr_values": []},
        ]
    )
    assert found.get(digest) == found.get(digest.dotted) == found.get("id-messageDigest") == b"a"
    assert found.get_all(digest) == found.get_all(digest.dotted) == (b"a", b"b", b"longer")
    for absent in (empty, "2.999.3"):
        assert found.get(absent) is None
        assert found.get_all(absent) == ()
    with pytest.raises(derlib.ConstraintError, match="under the name 'messageDigst'; did you mean 'messageDigest'"):
        found.get("messageDigst")


def test_of_builds_an_attribute_with_values_of_its_type() -> None:
    made = cms.Attribute.of(cms.id_message_digest, b"b", b"a")
    assert made == cms.Attribute.from_native({"attr_type": "1.2.840.113549.1.9.4", "attr_values": [b"b", b"a"]})
    assert Attribute.of("1.2.840.113549.1.9.4", b"a").encode() == cms.Attribute.of(cms.id_message_digest, b"a").encode()
    assert len(cms.Attribute.of("2.999.2").attr_values) == 0
    for wrong in (lambda: cms.Attribute.of(cms.id_message_digest, 5), lambda: Attribute.of("2.999.2")):
        with pytest.raises(derlib.ConstraintError):
            wrong()


@pytest.mark.parametrize("cls", [SignedAttributes, cms.UnsignedAttributes, cms.UnprotectedAttributes,
                                 cms.AuthAttributes, cms.UnauthAttributes])  # fmt: skip
def test_a_set_of_attributes_is_not_empty(cls: Any) -> None:
    with pytest.raises(derlib.ConstraintViolation, match="SIZE"):
        cls.decode(der(0x31))


@pytest.mark.parametrize("name", ["id-countersignature", "id-aa-timeStampToken"])
def test_signed_values_of_another_type_are_an_error(name: str) -> None:
    oid = derlib.encode(oids.oid_of(name), ObjectIdentifier)
    with pytest.raises(derlib.StructureError):
        cms.UnsignedAttributes.decode(der(0x31, der(0x30, oid, der(0x31, der(0x05)))))
    digest = derlib.encode(cms.id_message_digest, ObjectIdentifier)
    read = SignedAttributes.decode(der(0x31, der(0x30, digest, der(0x31, der(0x05)))))
    assert read.get(cms.id_message_digest) == derlib.parse(der(0x05))

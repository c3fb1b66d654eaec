"""Each type of CMS has the tags of its RFC: values are compared with encodings that are written by hand.

`test_cms_objects.py` reads objects of other software, and `tests/strategies` round-trips random values of each class.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest
from support.der import der

import derlib
from derlib import BitString, ObjectIdentifier, oids
from derlib.schemas import attribute_cert, cms, cms_certificates, cms_recipients
from derlib.schemas.cms import ContentInfo, SignedAttributes, SignerInfo

# The parts of the encodings below, and the values that they stand for.
OID = der(0x06, b"\x88\x37\x01")  # 2.999.1
ALGORITHM = der(0x30, OID)
V1, V3 = der(0x02, b"\1"), der(0x02, b"\3")
OCTET = der(0x04, b"\7")
SIGNATURE = der(0x03, b"\0\7")
TIME = der(0x18, b"20261009123000Z")
NO_NAMES = der(0x30)
ISSUER_AND_SERIAL = der(0x30, NO_NAMES, der(0x02, b"\5"))
ATTRIBUTE = der(0x30, OID, der(0x31, der(0x05)))
GENERAL_NAMES = der(0x30, der(0x82, b"a"))
ISSUER_SERIAL = der(0x30, GENERAL_NAMES, der(0x02, b"\5"))
DIGEST_INFO = der(0x30, der(0x0A, b"\0"), ALGORITHM, SIGNATURE)
ENCRYPTED_CONTENT = der(0x30, OID, ALGORITHM, der(0x80, b"\7"))
ENCAPSULATED = der(0x30, OID, der(0xA0, OCTET))
RECIPIENT = der(0x30, der(0x02, b"\0"), ISSUER_AND_SERIAL, ALGORITHM, OCTET)

oid = ObjectIdentifier("2.999.1")
algorithm = {"algorithm": oid}
bits = BitString(b"\7")
time = datetime(2026, 10, 9, 12, 30, tzinfo=timezone.utc)
issuer_and_serial = {"issuer": {"rdn_sequence": []}, "serial_number": 5}
attributes = [{"attr_type": oid, "attr_values": [derlib.parse(b"\5\0")]}]
general_names = [{"dns_name": "a"}]
issuer_serial = {"issuer": general_names, "serial": 5}
digest_info = {"digested_object_type": "public_key", "digest_algorithm": algorithm, "object_digest": bits}
encrypted_content = {"content_type": oid, "content_encryption_algorithm": algorithm, "encrypted_content": b"\7"}
encapsulated = {"e_content_type": oid, "e_content": b"\7"}
recipient = {
    "version": "v0",
    "rid": {"issuer_and_serial_number": issuer_and_serial},
    "key_encryption_algorithm": algorithm,
    "encrypted_key": b"\7",
}
open_null = derlib.parse(b"\5\0")


def retagged(tag: int, encoding: bytes) -> bytes:
    """Return an element with an IMPLICIT tag."""
    return bytes([tag]) + encoding[1:]


SIGNER = der(0x30, V1, ISSUER_AND_SERIAL, ALGORITHM, der(0xA0, ATTRIBUTE), ALGORITHM, OCTET, der(0xA1, ATTRIBUTE))
signer: dict[str, Any] = {
    "version": "v1",
    "sid": {"issuer_and_serial_number": issuer_and_serial},
    "digest_algorithm": algorithm,
    "signed_attrs": attributes,
    "signature_algorithm": algorithm,
    "signature": b"\7",
    "unsigned_attrs": attributes,
}
ORIGINATOR_INFO = der(0xA0, der(0xA0), der(0xA1))
originator_info: dict[str, Any] = {"certs": [], "crls": []}
AC_INFO_V1 = der(
    0x30, der(0xA1, GENERAL_NAMES), GENERAL_NAMES, ALGORITHM, der(0x02, b"\5"), der(0x30, TIME, TIME), der(0x30)
)
ac_info_v1 = {
    "subject": {"subject_name": general_names},
    "issuer": general_names,
    "signature": algorithm,
    "serial_number": 5,
    "att_cert_validity_period": {"not_before_time": time, "not_after_time": time},
    "attributes": [],
}
AC_V1 = der(0x30, AC_INFO_V1, ALGORITHM, SIGNATURE)
ac_v1 = {"ac_info": ac_info_v1, "signature_algorithm": algorithm, "signature": bits}
HOLDER = der(0x30, retagged(0xA0, ISSUER_SERIAL), retagged(0xA1, GENERAL_NAMES), retagged(0xA2, DIGEST_INFO))
V2_FORM = der(0xA0, GENERAL_NAMES, retagged(0xA0, ISSUER_SERIAL), retagged(0xA1, DIGEST_INFO))
AC_INFO = der(0x30, V1, HOLDER, V2_FORM, ALGORITHM, der(0x02, b"\5"), der(0x30, TIME, TIME), der(0x30))
AC = der(0x30, AC_INFO, ALGORITHM, SIGNATURE)
ac = {
    "acinfo": {
        "version": "v2",
        "holder": {
            "base_certificate_id": issuer_serial,
            "entity_name": general_names,
            "object_digest_info": digest_info,
        },
        "issuer": {
            "v2_form": {
                "issuer_name": general_names,
                "base_certificate_id": issuer_serial,
                "object_digest_info": digest_info,
            }
        },
        "signature": algorithm,
        "serial_number": 5,
        "attr_cert_validity_period": {"not_before_time": time, "not_after_time": time},
        "attributes": [],
    },
    "signature_algorithm": algorithm,
    "signature_value": bits,
}
RECIPIENT_KEY = OCTET + TIME + der(0x30, OID, der(0x05))
recipient_key = {"subject_key_identifier": b"\7", "date": time, "other": {"key_attr_id": oid, "key_attr": open_null}}
KEM = der(
    0x30,
    *(der(0x02, b"\0"), der(0x80, b"\7"), ALGORITHM, OCTET, ALGORITHM, der(0x02, b"\x20"), der(0xA0, OCTET)),
    *(ALGORITHM, OCTET),
)
kem = {
    "version": "v0",
    "rid": {"subject_key_identifier": b"\7"},
    "kem": algorithm,
    "kemct": b"\7",
    "kdf": algorithm,
    "kek_length": 32,
    "ukm": b"\7",
    "wrap": algorithm,
    "encrypted_key": b"\7",
}

CASES: list[tuple[Any, bytes, Any]] = [
    # Signed content.
    (cms.EncapsulatedContentInfo, ENCAPSULATED, encapsulated),
    (cms.EncapsulatedContentInfo, ALGORITHM, {"e_content_type": oid}),
    (cms.DigestAlgorithmIdentifiers, der(0x31, ALGORITHM), [algorithm]),
    (cms.SignerIdentifier, ISSUER_AND_SERIAL, {"issuer_and_serial_number": issuer_and_serial}),
    (cms.SignerIdentifier, der(0x80, b"\7"), {"subject_key_identifier": b"\7"}),
    (cms.SignerInfo, SIGNER, signer),
    (cms.SignerInfos, der(0x31, SIGNER), [signer]),
    (
        cms.SignedData,
        der(0x30, V3, der(0x31, ALGORITHM), ENCAPSULATED, der(0xA0), der(0xA1), der(0x31, SIGNER)),
        {
            "version": "v3",
            "digest_algorithms": [algorithm],
            "encap_content_info": encapsulated,
            "certificates": [],
            "crls": [],
            "signer_infos": [signer],
        },
    ),
    # Certificates and revocation information.
    (cms.IssuerAndSerialNumber, ISSUER_AND_SERIAL, issuer_and_serial),
    (cms.CertificateChoices, retagged(0xA1, AC_V1), {"v1_attr_cert": ac_v1}),
    (cms.CertificateChoices, retagged(0xA2, AC), {"v2_attr_cert": ac}),
    (
        cms.CertificateChoices,
        der(0xA3, OID, der(0x05)),
        {"other": {"other_cert_format": oid, "other_cert": open_null}},
    ),
    (cms.CertificateSet, der(0x31, retagged(0xA2, AC)), [{"v2_attr_cert": ac}]),
    (
        cms.RevocationInfoChoice,
        der(0xA1, OID, der(0x05)),
        {"other": {"other_rev_info_format": oid, "other_rev_info": open_null}},
    ),
    (cms.RevocationInfoChoices, der(0x31), []),
    (attribute_cert.AttributeCertificate, AC, ac),
    (attribute_cert.AttributeCertificateV1, AC_V1, ac_v1),
    (attribute_cert.AttCertIssuer, GENERAL_NAMES, {"v1_form": general_names}),
    (
        attribute_cert.AttributeCertificateSubjectV1,
        der(0xA0, ISSUER_SERIAL),
        {"base_certificate_id": issuer_serial},
    ),
    # Recipients.
    (cms.RecipientInfo, RECIPIENT, {"ktri": recipient}),
    (cms.RecipientInfos, der(0x31, RECIPIENT), [{"ktri": recipient}]),
    (
        cms.RecipientInfo,
        der(
            0xA1,
            *(V3, der(0xA0, der(0xA1, ALGORITHM, SIGNATURE)), der(0xA1, OCTET), ALGORITHM),
            der(0x30, der(0x30, der(0xA0, RECIPIENT_KEY), OCTET), der(0x30, ISSUER_AND_SERIAL, OCTET)),
        ),
        {
            "kari": {
                "version": "v3",
                "originator": {"originator_key": {"algorithm": algorithm, "public_key": bits}},
                "ukm": b"\7",
                "key_encryption_algorithm": algorithm,
                "recipient_encrypted_keys": [
                    {"rid": {"r_key_id": recipient_key}, "encrypted_key": b"\7"},
                    {"rid": {"issuer_and_serial_number": issuer_and_serial}, "encrypted_key": b"\7"},
                ],
            }
        },
    ),
    (cms_recipients.OriginatorIdentifierOrKey, der(0x80, b"\7"), {"subject_key_identifier": b"\7"}),
    (
        cms_recipients.OriginatorIdentifierOrKey,
        ISSUER_AND_SERIAL,
        {"issuer_and_serial_number": issuer_and_serial},
    ),
    (
        cms.RecipientInfo,
        der(0xA2, der(0x02, b"\4"), der(0x30, RECIPIENT_KEY), ALGORITHM, OCTET),
        {
            "kekri": {
                "version": "v4",
                "kekid": {"key_identifier": b"\7", "date": time, "other": recipient_key["other"]},
                "key_encryption_algorithm": algorithm,
                "encrypted_key": b"\7",
            }
        },
    ),
    (
        cms.RecipientInfo,
        der(0xA3, der(0x02, b"\0"), der(0xA0, OID), ALGORITHM, OCTET),
        {
            "pwri": {
                "version": "v0",
                "key_derivation_algorithm": algorithm,
                "key_encryption_algorithm": algorithm,
                "encrypted_key": b"\7",
            }
        },
    ),
    (
        cms.RecipientInfo,
        der(0xA4, bytes.fromhex("060b2a864886f70d0109100d03"), KEM),
        {"ori": {"ori_type": "1.2.840.113549.1.9.16.13.3", "ori_value": cms.KEMRecipientInfo(**kem)}},
    ),
    (cms.KEMRecipientInfo, KEM, kem),
    (
        cms_recipients.CMSORIforKEMOtherInfo,
        der(0x30, ALGORITHM, der(0x02, b"\x20"), der(0xA0, OCTET)),
        {"wrap": algorithm, "kek_length": 32, "ukm": b"\7"},
    ),
    # The other contents.
    (
        cms.EnvelopedData,
        der(0x30, V3, ORIGINATOR_INFO, der(0x31, RECIPIENT), ENCRYPTED_CONTENT, der(0xA1, ATTRIBUTE)),
        {
            "version": "v3",
            "originator_info": originator_info,
            "recipient_infos": [{"ktri": recipient}],
            "encrypted_content_info": encrypted_content,
            "unprotected_attrs": attributes,
        },
    ),
    (
        cms.DigestedData,
        der(0x30, V1, ALGORITHM, ENCAPSULATED, OCTET),
        {"version": "v1", "digest_algorithm": algorithm, "encap_content_info": encapsulated, "digest": b"\7"},
    ),
    (
        cms.EncryptedData,
        der(0x30, V1, ENCRYPTED_CONTENT, der(0xA1, ATTRIBUTE)),
        {"version": "v1", "encrypted_content_info": encrypted_content, "unprotected_attrs": attributes},
    ),
    (
        cms.AuthenticatedData,
        der(
            0x30,
            *(V1, ORIGINATOR_INFO, der(0x31, RECIPIENT), ALGORITHM, der(0xA1, OID), ENCAPSULATED),
            *(der(0xA2, ATTRIBUTE), OCTET, der(0xA3, ATTRIBUTE)),
        ),
        {
            "version": "v1",
            "originator_info": originator_info,
            "recipient_infos": [{"ktri": recipient}],
            "mac_algorithm": algorithm,
            "digest_algorithm": algorithm,
            "encap_content_info": encapsulated,
            "auth_attrs": attributes,
            "mac": b"\7",
            "unauth_attrs": attributes,
        },
    ),
    (
        cms.AuthEnvelopedData,
        der(
            0x30,
            *(der(0x02, b"\0"), ORIGINATOR_INFO, der(0x31, RECIPIENT), ENCRYPTED_CONTENT),
            *(der(0xA1, ATTRIBUTE), OCTET, der(0xA2, ATTRIBUTE)),
        ),
        {
            "version": "v0",
            "originator_info": originator_info,
            "recipient_infos": [{"ktri": recipient}],
            "auth_encrypted_content_info": encrypted_content,
            "auth_attrs": attributes,
            "mac": b"\7",
            "unauth_attrs": attributes,
        },
    ),
    (
        cms.CompressedData,
        der(0x30, der(0x02, b"\0"), ALGORITHM, ENCAPSULATED),
        {"version": "v0", "compression_algorithm": algorithm, "encap_content_info": encapsulated},
    ),
    # Attributes.
    (cms.Attribute, ATTRIBUTE, attributes[0]),
    (
        cms.CMSAlgorithmProtection,
        der(0x30, ALGORITHM, der(0xA1, OID), der(0xA2, OID)),
        {"digest_algorithm": algorithm, "signature_algorithm": algorithm, "mac_algorithm": algorithm},
    ),
]


@pytest.mark.parametrize(("cls", "encoding", "value"), CASES, ids=[case[0].__name__ for case in CASES])
def test_each_type_has_the_tags_of_its_rfc(cls: Any, encoding: bytes, value: Any) -> None:
    assert derlib.encode(value, cls).hex(" ") == encoding.hex(" ")
    assert derlib.decode(cls, encoding) == (cls(value) if isinstance(value, list) else cls(**value))


CONTENTS = [
    (cms.id_signed_data, cms.SignedData),
    (cms.id_enveloped_data, cms.EnvelopedData),
    (cms.id_digested_data, cms.DigestedData),
    (cms.id_encrypted_data, cms.EncryptedData),
    (cms.id_ct_auth_data, cms.AuthenticatedData),
    (cms.id_ct_auth_enveloped_data, cms.AuthEnvelopedData),
    (cms.id_ct_compressed_data, cms.CompressedData),
]


@pytest.mark.parametrize(("content_type", "cls"), CONTENTS, ids=[cls.__name__ for _, cls in CONTENTS])
def test_the_content_type_selects_the_type_of_the_content(content_type: ObjectIdentifier, cls: Any) -> None:
    encoding, value = next(case[1:] for case in CASES if case[0] is cls)
    expected = der(0x30, derlib.encode(content_type, ObjectIdentifier), der(0xA0, encoding))
    info = ContentInfo(content_type=content_type, content=cls(**value))
    assert info.encode() == expected
    assert type(ContentInfo.decode(expected).content) is cls
    with pytest.raises(derlib.DecodeError):
        ContentInfo.decode(der(0x30, derlib.encode(content_type, ObjectIdentifier), der(0xA0, OCTET)))
    assert oids.oid_of(content_type.name) == content_type.dotted


def test_the_content_of_another_type_is_opaque() -> None:
    assert ContentInfo.decode(der(0x30, OID, der(0xA0, OCTET))).content == derlib.parse(OCTET)


def test_signed_data_is_the_content_or_an_error() -> None:
    encoding = next(case[1] for case in CASES if case[0] is cms.SignedData)
    info = ContentInfo.decode(der(0x30, derlib.encode(cms.id_signed_data, ObjectIdentifier), der(0xA0, encoding)))
    assert info.signed_data == info.content
    data = ContentInfo(content_type=cms.id_data, content=b"x")
    with pytest.raises(AttributeError, match=r"^the content is id-data, not id-signedData: read it with `content`$"):
        _ = data.signed_data
    octets = bytes.fromhex("300f 06092a864886f70d010702 a002 3000")
    opaque = ContentInfo.decode(octets, tolerate=derlib.Deviation.OPEN_TYPE)
    with pytest.raises(AttributeError, match="the content does not match SignedData: read it with `content`"):
        _ = opaque.signed_data


def test_the_signed_bytes_have_the_tag_of_a_set() -> None:
    info = SignerInfo.decode(SIGNER)
    assert bytes(info.signed_attrs.der) == der(0xA0, ATTRIBUTE)
    assert info.signed_bytes == der(0x31, ATTRIBUTE)
    assert info.replace(signed_attrs=None).signed_bytes is None


def test_parts_that_are_signed_say_so() -> None:
    """Converting BER copies them, or refuses to change them."""
    kept = (
        attribute_cert.AttributeCertificate,
        attribute_cert.AttributeCertificateV1,
        cms_certificates.ExtendedCertificate,
    )
    assert {cls.__ber__ for cls in kept} == {"keep"}
    assert {cls.__ber__ for cls in (SignedAttributes, cms.AuthAttributes)} == {"refuse"}
    assert {cls.__ber__ for cls in (cms.UnsignedAttributes, cms.SignedData)} == {None}


@pytest.mark.parametrize("length", [0, 65536])
def test_the_length_of_a_key_encryption_key_is_constrained(length: int) -> None:
    with pytest.raises(derlib.ConstraintError, match=r"1\.\.65535"):
        cms.KEMRecipientInfo(**{**kem, "kek_length": length})

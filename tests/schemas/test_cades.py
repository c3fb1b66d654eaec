"""The attributes of CAdES: values that other libraries made, and what derlib refuses."""

from __future__ import annotations

import base64
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib import NULL, TLV, DecodeError, ObjectIdentifier
from derlib.oids import name_of
from derlib.schemas import cades
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms import Attribute, ContentInfo, SignedAttributes
from derlib.schemas.ers import EvidenceRecord
from derlib.schemas.tsp import TimeStampResp, tst_info_of
from derlib.schemas.x509 import AlgorithmIdentifier, Certificate

FOLDER = Path(__file__).parent
STAMPED = FOLDER.parents[1] / "docs" / "examples" / "report.tsr"

LINES = [line.split() for line in (FOLDER / "cades_values.txt").read_text().splitlines() if line[0] != "#"]
VALUES = [(name, base64.b64decode(text)) for name, text in LINES]

SHA256 = AlgorithmIdentifier(algorithm="2.16.840.1.101.3.4.2.1")
SHA512 = AlgorithmIdentifier(algorithm="2.16.840.1.101.3.4.2.3")


def values(name: str) -> list[Any]:
    """Return the values of a type, decoded."""
    return [getattr(cades, found).decode(octets) for found, octets in VALUES if found == name]


def as_attribute(attr_type: ObjectIdentifier, value: Any) -> Any:
    """Return a value as it is read from an attribute."""
    made = Attribute(attr_type=attr_type, attr_values=[value])
    return Attribute.decode(made.encode()).attr_values[0]


@pytest.fixture(scope="module")
def token() -> ContentInfo:
    found = TimeStampResp.decode(STAMPED.read_bytes()).time_stamp_token
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "octets"), VALUES, ids=[f"{name}-{i}" for i, (name, _) in enumerate(VALUES)])
def test_values_are_rebuilt_to_the_same_bytes(name: str, octets: bytes) -> None:
    cls = SignedAttributes if name == "SignedAttributes" else getattr(cades, name)
    found = cls.decode(octets)
    assert found.encode() == octets
    assert cls.from_native(found.to_native()).encode() == octets
    assert cls.from_json(found.to_json()).encode() == octets


# Each identifier with the digits of the standard, its name there, and the type of its values.
IDENTIFIERS = [
    ("id_aa_ets_sig_policy_id", "1.2.840.113549.1.9.16.2.15", "id-aa-ets-sigPolicyId", cades.SignaturePolicy),
    (
        "id_aa_ets_commitment_type",
        "1.2.840.113549.1.9.16.2.16",
        "id-aa-ets-commitmentType",
        cades.CommitmentTypeIndication,
    ),
    ("id_aa_ets_signer_location", "1.2.840.113549.1.9.16.2.17", "id-aa-ets-signerLocation", cades.SignerLocation),
    ("id_aa_ets_signer_attr", "1.2.840.113549.1.9.16.2.18", "id-aa-ets-signerAttr", cades.SignerAttribute),
    (
        "id_aa_ets_other_sig_cert",
        "1.2.840.113549.1.9.16.2.19",
        "id-aa-ets-otherSigCert",
        cades.OtherSigningCertificate,
    ),
    ("id_aa_ets_content_timestamp", "1.2.840.113549.1.9.16.2.20", "id-aa-ets-contentTimestamp", ContentInfo),
    (
        "id_aa_ets_certificate_refs",
        "1.2.840.113549.1.9.16.2.21",
        "id-aa-ets-certificateRefs",
        cades.CompleteCertificateRefs,
    ),
    (
        "id_aa_ets_revocation_refs",
        "1.2.840.113549.1.9.16.2.22",
        "id-aa-ets-revocationRefs",
        cades.CompleteRevocationRefs,
    ),
    ("id_aa_ets_cert_values", "1.2.840.113549.1.9.16.2.23", "id-aa-ets-certValues", cades.CertificateValues),
    ("id_aa_ets_revocation_values", "1.2.840.113549.1.9.16.2.24", "id-aa-ets-revocationValues", cades.RevocationValues),
    ("id_aa_ets_esc_time_stamp", "1.2.840.113549.1.9.16.2.25", "id-aa-ets-escTimeStamp", ContentInfo),
    ("id_aa_ets_cert_crl_timestamp", "1.2.840.113549.1.9.16.2.26", "id-aa-ets-certCRLTimestamp", ContentInfo),
    (
        "id_aa_ets_attr_certificate_refs",
        "1.2.840.113549.1.9.16.2.44",
        "id-aa-ets-attrCertificateRefs",
        cades.AttributeCertificateRefs,
    ),
    (
        "id_aa_ets_attr_revocation_refs",
        "1.2.840.113549.1.9.16.2.45",
        "id-aa-ets-attrRevocationRefs",
        cades.AttributeRevocationRefs,
    ),
    ("id_aa_ets_archive_timestamp_v2", "1.2.840.113549.1.9.16.2.48", "id-aa-ets-archiveTimestampV2", ContentInfo),
    ("id_aa_ets_long_term_validation", "0.4.0.1733.2.2", "id-aa-ets-longTermValidation", cades.LongTermValidation),
    ("id_aa_ets_archive_timestamp_v3", "0.4.0.1733.2.4", "id-aa-ets-archiveTimestampV3", ContentInfo),
    ("id_aa_ats_hash_index", "0.4.0.1733.2.5", "id-aa-ATSHashIndex", cades.ATSHashIndex),
    ("id_aa_ets_signer_attr_v2", "0.4.0.19122.1.1", "id-aa-ets-signerAttrV2", cades.SignerAttributeV2),
    ("id_aa_ets_sig_policy_store", "0.4.0.19122.1.3", "id-aa-ets-sigPolicyStore", cades.SignaturePolicyStore),
    ("id_aa_ats_hash_index_v2", "0.4.0.19122.1.4", "id-aa-ATSHashIndex-v2", cades.ATSHashIndexV2),
    ("id_aa_ats_hash_index_v3", "0.4.0.19122.1.5", "id-aa-ATSHashIndex-v3", cades.ATSHashIndexV3),
]


@pytest.mark.parametrize(("name", "dotted", "standard_name", "syntax"), IDENTIFIERS)
def test_attributes_are_registered(name: str, dotted: str, standard_name: str, syntax: Any) -> None:
    oid = getattr(cades, name)
    assert (oid.dotted, name_of(dotted)) == (dotted, standard_name)
    assert ATTRIBUTES.get(oid) is syntax


def test_signed_attributes_that_were_published() -> None:
    found = SignedAttributes.decode(dict(VALUES)["SignedAttributes"])
    policy = found.get(cades.id_aa_ets_sig_policy_id)
    assert isinstance(policy, cades.SignaturePolicy)
    assert policy.value.sig_policy_id.dotted == "1.3.6.1.4.1.22112.48.20"
    location = found.get(cades.id_aa_ets_signer_location)
    assert isinstance(location, cades.SignerLocation)
    assert (location.country_name, location.locality_name) == ("US", "VA")
    assert list(location.postal_address or ()) == ["123 Someplace Way", "Herndon, VA"]


def test_a_signature_policy() -> None:
    explicit, implied, _ = values("SignaturePolicy")
    uri, notice = explicit.value.sig_policy_qualifiers
    assert (uri.sig_policy_qualifier_id.name, uri.sig_qualifier) == ("id-spq-ets-uri", "https://example.org/policy")
    assert isinstance(notice.sig_qualifier, cades.SPUserNotice)
    assert notice.sig_qualifier.notice_ref is not None
    assert notice.sig_qualifier.notice_ref.organization.value == "Société"
    assert list(notice.sig_qualifier.notice_ref.notice_numbers) == [1, 300]
    assert implied.value is NULL


def test_a_specification_is_one_of_two() -> None:
    # pyHanko 0.38.0 has a SEQUENCE here and in SignaturePolicyDocument. EN 319 122-1 annex D has a CHOICE.
    assert cades.SPDocSpecification.decode(bytes.fromhex("0603883701")).value == ObjectIdentifier("2.999.1")
    with pytest.raises(DecodeError, match="SEQUENCE is not an alternative of SPDocSpecification"):
        cades.SPDocSpecification.decode(bytes.fromhex("300906038837011602612f"))


def test_a_commitment() -> None:
    made, short = values("CommitmentTypeIndication")
    assert (made.commitment_type_id, short.commitment_type_id) == (
        cades.id_cti_ets_proof_of_approval,
        cades.id_cti_ets_proof_of_origin,
    )
    assert made.commitment_type_qualifier[0].qualifier.value == 5


def test_attributes_of_the_signer() -> None:
    [found] = values("SignerAttribute")
    assert found[0].value[0].values[0] == "Notary"
    [second] = values("SignerAttributeV2")
    assert second.signed_assertions[0].signed_assertion_id == cades.id_ets_signed_saml
    assert second.signed_assertions[0].signed_assertion == b"<saml/>"
    certificate = cades.CertifiedAttributesV2(
        [{"other_attribute_certificate": {"other_attribute_cert_id": "2.999.1", "other_attribute_cert": b"\5\0"}}]
    )
    assert certificate.encode().hex() == "300ba109300706038837010500"


def test_references_and_values() -> None:
    [refs] = values("CompleteRevocationRefs")
    assert refs[0].crlids.crls[0].crl_identifier.crl_number == 12
    assert refs[0].ocspids.ocsp_responses[1].ocsp_identifier.produced_at.second == 1
    assert [ref.crl_hash.alternative for ref in refs[0].crlids.crls] == ["other_hash", "sha1_hash"]
    [found] = values("RevocationValues")
    assert (len(found.crl_vals), len(found.ocsp_vals)) == (1, 1)
    assert found.crl_vals[0].tbs_cert_list.issuer.get("CN") == "Example CA"
    assert found.ocsp_vals[0].tbs_response_data.responses[0].cert_id.serial_number > 0


def test_time_stamps(token: ContentInfo) -> None:
    found = as_attribute(cades.id_aa_ets_archive_timestamp_v3, token)
    assert tst_info_of(found).policy.dotted == "2.999.1"
    # As for the attribute id-aa-timeStampToken of derlib.schemas.cms, another type is an error, and not opaque. This is
    # the attribute id-aa-ets-contentTimestamp with NULL as its value.
    with pytest.raises(DecodeError, match=r"attr_values\[0\]"):
        Attribute.decode(bytes.fromhex("3011060b2a864886f70d010910021431020500"))


def test_hash_indexes() -> None:
    hashes: dict[str, Any] = {"certificates_hash_index": [b"a"], "crls_hash_index": [b"b"]}
    first = cades.ATSHashIndex(**hashes, unsigned_attrs_hash_index=[b"c"])
    assert type(as_attribute(cades.id_aa_ats_hash_index, first)) is cades.ATSHashIndex
    second = cades.ATSHashIndexV2(hash_ind_algorithm=SHA512, **hashes, unsigned_attrs_hash_index=[b"c"])
    # The algorithm of the first version is ambiguous if it is not the default (X.680 25.6).
    opaque = as_attribute(cades.id_aa_ats_hash_index, derlib.parse(second.encode()))
    assert type(opaque) is TLV
    assert cades.ATSHashIndexV2.decode(opaque.der) == second
    third = cades.ATSHashIndexV3(hash_ind_algorithm=SHA256, **hashes, unsigned_attr_values_hash_index=[b"c"])
    assert as_attribute(cades.id_aa_ats_hash_index_v3, third) == third
    with pytest.raises(DecodeError, match="hash_ind_algorithm"):
        cades.ATSHashIndexV3.decode(first.encode())


def test_long_term_validation(token: ContentInfo) -> None:
    made = cades.LongTermValidation(
        poe_date=datetime(2026, 10, 9, tzinfo=timezone.utc),
        poe_value={"time_stamp": token},
        extra_certificates=[],
        extra_revocation=[],
    )
    found = as_attribute(cades.id_aa_ets_long_term_validation, made)
    assert (found, found.poe_value.value) == (made, token)
    evidence = EvidenceRecord(
        version="v1",
        digest_algorithms=[SHA256],
        archive_time_stamp_sequence=[[{"time_stamp": token}]],
    )
    assert as_attribute(cades.id_aa_ets_long_term_validation, made.replace(poe_value={"evidence_record": evidence}))


def test_long_term_validation_without_evidence_is_opaque() -> None:
    # [0] is a time stamp or the extra certificates, and only its content shows which (X.680 25.6).
    text = (FOLDER.parents[1] / "docs" / "examples" / "server.pem").read_text().splitlines()
    certificate = Certificate.decode(base64.b64decode("".join(line for line in text if line[0] != "-"))).encode()
    assert len(certificate) > 255
    content = bytes.fromhex("180f32303236313030393030303030305a") + b"\xa0\x82" + len(certificate).to_bytes(2, "big")
    content += certificate
    octets = b"\x30\x82" + len(content).to_bytes(2, "big") + content
    assert type(as_attribute(cades.id_aa_ets_long_term_validation, derlib.parse(octets))) is TLV
    with pytest.raises(DecodeError, match=r"poe_value\.time_stamp"):
        cades.LongTermValidation.decode(octets)


@pytest.mark.parametrize(
    ("cls", "octets"),
    [
        (cades.PostalAddress, "3000"),
        (cades.PostalAddress, "3015" + "0c0161" * 7),
        (cades.DisplayText, "0c00"),
        (cades.DisplayText, "0c81c9" + "61" * 201),
        (cades.CommitmentTypeIndication, "30070603883701" + "3000"),
    ],
    ids=["no line", "seven lines", "no text", "201 characters", "no qualifier"],
)
def test_sizes(cls: Any, octets: str) -> None:
    with pytest.raises(DecodeError, match="SIZE"):
        cls.decode(bytes.fromhex(octets))

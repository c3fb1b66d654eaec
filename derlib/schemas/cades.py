"""CMS Advanced Electronic Signatures, CAdES: RFC 5126, ETSI TS 101 733 and ETSI EN 319 122-1.

Import this module, besides `derlib.schemas.cms`, to read and build the attributes of signatures: importing it registers
their types. All tags are explicit. Attributes of time stamps are `derlib.schemas.cms.ContentInfo`; `tst_info_of` of
`derlib.schemas.tsp` returns the time. derlib does not verify signatures.

>>> from derlib.schemas.cms import Attribute, SignedAttributes
>>> names = {"country_name": {"PrintableString": "GB"}, "locality_name": "London"}
>>> attributes = SignedAttributes([Attribute.of(id_aa_ets_signer_location, SignerLocation.from_native(names))])
>>> SignedAttributes.decode(attributes.encode()).get(id_aa_ets_signer_location).country_name
'GB'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    Explicit,
    GeneralizedTime,
    Implicit,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    UTF8String,
)
from derlib._register import register_type
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.attributes import ATTRIBUTES, Attribute, DirectoryString
from derlib.schemas.cades_policy import (
    SIG_POLICY_QUALIFIERS,
    DisplayText,
    NoticeReference,
    SignaturePolicy,
    SignaturePolicyDocument,
    SignaturePolicyId,
    SignaturePolicyStore,
    SigPolicyHash,
    SigPolicyId,
    SigPolicyQualifierInfo,
    SPDocSpecification,
    SPuri,
    SPUserNotice,
    id_spq_ets_docspec,
    id_spq_ets_unotice,
    id_spq_ets_uri,
)
from derlib.schemas.cades_references import (
    OTHER_REVOCATION_REFS,
    OTHER_REVOCATION_VALUES,
    AttributeCertificateRefs,
    AttributeRevocationRefs,
    CertificateValues,
    CompleteCertificateRefs,
    CompleteRevocationRefs,
    CrlIdentifier,
    CRLListID,
    CrlOcspRef,
    CrlValidatedID,
    OcspIdentifier,
    OcspListID,
    OcspResponsesID,
    OtherCertID,
    OtherHash,
    OtherHashAlgAndValue,
    OtherHashValue,
    OtherRevRefs,
    OtherRevVals,
    OtherSigningCertificate,
    RevocationValues,
)
from derlib.schemas.cades_signer import (
    COMMITMENT_QUALIFIERS,
    OTHER_ATTRIBUTE_CERTS,
    SIGNED_ASSERTIONS,
    CertifiedAttributesV2,
    CertifiedAttributesV2Element,
    ClaimedAttributes,
    ClaimedSAMLAssertion,
    CommitmentTypeIdentifier,
    CommitmentTypeIndication,
    CommitmentTypeQualifier,
    OtherAttributeCertificate,
    PostalAddress,
    SignedAssertion,
    SignedAssertions,
    SignedSAMLAssertion,
    SignerAttribute,
    SignerAttributeElement,
    SignerAttributeV2,
    SignerLocation,
    id_cti_ets_proof_of_approval,
    id_cti_ets_proof_of_creation,
    id_cti_ets_proof_of_delivery,
    id_cti_ets_proof_of_origin,
    id_cti_ets_proof_of_receipt,
    id_cti_ets_proof_of_sender,
    id_ets_signed_saml,
)
from derlib.schemas.cms import CertificateSet, ContentInfo, RevocationInfoChoices
from derlib.schemas.ers import EvidenceRecord

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "ATSHashIndex",
    "ATSHashIndexV2",
    "ATSHashIndexV3",
    "AlgorithmIdentifier",
    "Attribute",
    "AttributeCertificate",
    "AttributeCertificateRefs",
    "AttributeRevocationRefs",
    "COMMITMENT_QUALIFIERS",
    "CRLListID",
    "CertificateSet",
    "CertificateValues",
    "CertifiedAttributesV2",
    "CertifiedAttributesV2Element",
    "ClaimedAttributes",
    "ClaimedSAMLAssertion",
    "CommitmentTypeIdentifier",
    "CommitmentTypeIndication",
    "CommitmentTypeQualifier",
    "CompleteCertificateRefs",
    "CompleteRevocationRefs",
    "ContentInfo",
    "CrlIdentifier",
    "CrlOcspRef",
    "CrlValidatedID",
    "DirectoryString",
    "DisplayText",
    "EvidenceRecord",
    "LongTermValidation",
    "MimeType",
    "NoticeReference",
    "OTHER_ATTRIBUTE_CERTS",
    "OTHER_REVOCATION_REFS",
    "OTHER_REVOCATION_VALUES",
    "OcspIdentifier",
    "OcspListID",
    "OcspResponsesID",
    "OtherAttributeCertificate",
    "OtherCertID",
    "OtherHash",
    "OtherHashAlgAndValue",
    "OtherHashValue",
    "OtherRevRefs",
    "OtherRevVals",
    "OtherSigningCertificate",
    "PostalAddress",
    "ProofOfExistence",
    "RevocationInfoChoices",
    "RevocationValues",
    "SIGNED_ASSERTIONS",
    "SIG_POLICY_QUALIFIERS",
    "SPDocSpecification",
    "SPUserNotice",
    "SPuri",
    "SigPolicyHash",
    "SigPolicyId",
    "SigPolicyQualifierInfo",
    "SignaturePolicy",
    "SignaturePolicyDocument",
    "SignaturePolicyId",
    "SignaturePolicyStore",
    "SignedAssertion",
    "SignedAssertions",
    "SignedSAMLAssertion",
    "SignerAttribute",
    "SignerAttributeElement",
    "SignerAttributeV2",
    "SignerLocation",
    "TimeStampToken",
    "id_aa_ats_hash_index",
    "id_aa_ats_hash_index_v2",
    "id_aa_ats_hash_index_v3",
    "id_aa_ets_archive_timestamp_v2",
    "id_aa_ets_archive_timestamp_v3",
    "id_aa_ets_attr_certificate_refs",
    "id_aa_ets_attr_revocation_refs",
    "id_aa_ets_cert_crl_timestamp",
    "id_aa_ets_cert_values",
    "id_aa_ets_certificate_refs",
    "id_aa_ets_claimed_saml",
    "id_aa_ets_commitment_type",
    "id_aa_ets_content_timestamp",
    "id_aa_ets_esc_time_stamp",
    "id_aa_ets_long_term_validation",
    "id_aa_ets_mime_type",
    "id_aa_ets_other_sig_cert",
    "id_aa_ets_revocation_refs",
    "id_aa_ets_revocation_values",
    "id_aa_ets_sig_policy_id",
    "id_aa_ets_sig_policy_store",
    "id_aa_ets_signer_attr",
    "id_aa_ets_signer_attr_v2",
    "id_aa_ets_signer_location",
    "id_cti_ets_proof_of_approval",
    "id_cti_ets_proof_of_creation",
    "id_cti_ets_proof_of_delivery",
    "id_cti_ets_proof_of_origin",
    "id_cti_ets_proof_of_receipt",
    "id_cti_ets_proof_of_sender",
    "id_ets_signed_saml",
    "id_spq_ets_docspec",
    "id_spq_ets_unotice",
    "id_spq_ets_uri",
]

MimeType: TypeAlias = UTF8String  # EN 319 122-1 clause 5.2.4.2
TimeStampToken: TypeAlias = ContentInfo  # RFC 3161 section 2.4.2: a SignedData whose content is a TSTInfo


# --- Long-term validation


class ATSHashIndex(Sequence):
    """The SHA-256 hashes of what an archive time stamp covers (ETSI TS 101 733 clause 6.4.2); see `ATSHashIndexV3`.

    ::

        ATSHashIndex ::= SEQUENCE {
            hashIndAlgorithm         AlgorithmIdentifier DEFAULT {algorithm id-sha256},
            certificatesHashIndex    SEQUENCE OF OCTET STRING,
            crlsHashIndex            SEQUENCE OF OCTET STRING,
            unsignedAttrsHashIndex   SEQUENCE OF OCTET STRING }

    The standard's text is not valid ASN.1: the first two fields have the same tag, and the first one can be absent
    (X.680 25.6). This is the value with the default algorithm, which DER omits. An attribute with another algorithm is
    decoded as a generic `TLV`, which `ATSHashIndexV2` can decode.
    """

    certificates_hash_index: SequenceOf[OctetString]
    crls_hash_index: SequenceOf[OctetString]
    unsigned_attrs_hash_index: SequenceOf[OctetString]


class ATSHashIndexV2(Sequence):
    """The hashes of what an archive time stamp covers (ETSI EN 319 122-1 V1.0.0 clause 5.5.2, and not in later ones).

    ::

        ATSHashIndexV2 ::= SEQUENCE {
            hashIndAlgorithm         AlgorithmIdentifier,
            certificatesHashIndex    SEQUENCE OF OCTET STRING,
            crlsHashIndex            SEQUENCE OF OCTET STRING,
            unsignedAttrsHashIndex   SEQUENCE OF OCTET STRING }
    """

    hash_ind_algorithm: AlgorithmIdentifier
    certificates_hash_index: SequenceOf[OctetString]
    crls_hash_index: SequenceOf[OctetString]
    unsigned_attrs_hash_index: SequenceOf[OctetString]


class ATSHashIndexV3(Sequence):
    """The hashes of what an archive time stamp covers, of each value of each attribute (EN 319 122-1 clause 5.5.2).

    ::

        ATSHashIndexV3 ::= SEQUENCE {
            hashIndAlgorithm              AlgorithmIdentifier,
            certificatesHashIndex         SEQUENCE OF OCTET STRING,
            crlsHashIndex                 SEQUENCE OF OCTET STRING,
            unsignedAttrValuesHashIndex   SEQUENCE OF OCTET STRING }
    """

    hash_ind_algorithm: AlgorithmIdentifier
    certificates_hash_index: SequenceOf[OctetString]
    crls_hash_index: SequenceOf[OctetString]
    unsigned_attr_values_hash_index: SequenceOf[OctetString]


class ProofOfExistence(Choice):
    """The evidence that the signature existed at a time (ETSI TS 101 733 clause 6.5.1, where the CHOICE has no name).

    ::

        CHOICE {
            timeStamp        [0] EXPLICIT TimeStampToken,   -- ContentInfo
            evidenceRecord   [1] EXPLICIT EvidenceRecord }
    """

    time_stamp: Annotated[TimeStampToken, Explicit(0)]
    evidence_record: Annotated[EvidenceRecord, Explicit(1)]


class LongTermValidation(Sequence):
    """The evidence of a time, with certificates and revocation data; deprecated (ETSI TS 101 733 clause 6.5.1).

    ::

        LongTermValidation ::= SEQUENCE {
            poeDate             GeneralizedTime,
            poeValue            CHOICE {
                timeStamp        [0] EXPLICIT TimeStampToken,
                evidenceRecord   [1] EXPLICIT EvidenceRecord } OPTIONAL,
            extraCertificates   [0] IMPLICIT CertificateSet OPTIONAL,
            extraRevocation     [1] IMPLICIT RevocationInfoChoices OPTIONAL }

    The standard's text is not valid ASN.1: after an OPTIONAL poeValue, the tags [0] and [1] have two meanings (X.680
    25.6). Here it is mandatory. An attribute without it is decoded as a generic `TLV`.
    """

    poe_date: GeneralizedTime
    poe_value: ProofOfExistence
    extra_certificates: Annotated[CertificateSet, Implicit(0)] | None = None
    extra_revocation: Annotated[RevocationInfoChoices, Implicit(1)] | None = None


# --- Identifiers


def _attribute(dotted: str, name: str, syntax: Any) -> ObjectIdentifier:
    """Register the type of an attribute. As in `derlib.schemas.cms`, time stamps of another type are errors."""
    return register_type(ATTRIBUTES, dotted, name, syntax, "error" if syntax is ContentInfo else None)


_AA = "1.2.840.113549.1.9.16.2"
_ES = "0.4.0.1733.2"  # id-etsi-es-attributes of TS 101 733
_CADES = "0.4.0.19122.1"  # id-etsi-cades-attributes of EN 319 122-1

id_aa_ets_sig_policy_id = _attribute(f"{_AA}.15", "id-aa-ets-sigPolicyId", SignaturePolicy)
id_aa_ets_commitment_type = _attribute(f"{_AA}.16", "id-aa-ets-commitmentType", CommitmentTypeIndication)
id_aa_ets_signer_location = _attribute(f"{_AA}.17", "id-aa-ets-signerLocation", SignerLocation)
id_aa_ets_signer_attr = _attribute(f"{_AA}.18", "id-aa-ets-signerAttr", SignerAttribute)
id_aa_ets_other_sig_cert = _attribute(f"{_AA}.19", "id-aa-ets-otherSigCert", OtherSigningCertificate)
id_aa_ets_content_timestamp = _attribute(f"{_AA}.20", "id-aa-ets-contentTimestamp", TimeStampToken)
id_aa_ets_certificate_refs = _attribute(f"{_AA}.21", "id-aa-ets-certificateRefs", CompleteCertificateRefs)
id_aa_ets_revocation_refs = _attribute(f"{_AA}.22", "id-aa-ets-revocationRefs", CompleteRevocationRefs)
id_aa_ets_cert_values = _attribute(f"{_AA}.23", "id-aa-ets-certValues", CertificateValues)
id_aa_ets_revocation_values = _attribute(f"{_AA}.24", "id-aa-ets-revocationValues", RevocationValues)
id_aa_ets_esc_time_stamp = _attribute(f"{_AA}.25", "id-aa-ets-escTimeStamp", TimeStampToken)
id_aa_ets_cert_crl_timestamp = _attribute(f"{_AA}.26", "id-aa-ets-certCRLTimestamp", TimeStampToken)
id_aa_ets_attr_certificate_refs = _attribute(f"{_AA}.44", "id-aa-ets-attrCertificateRefs", AttributeCertificateRefs)
id_aa_ets_attr_revocation_refs = _attribute(f"{_AA}.45", "id-aa-ets-attrRevocationRefs", AttributeRevocationRefs)
id_aa_ets_archive_timestamp_v2 = _attribute(f"{_AA}.48", "id-aa-ets-archiveTimestampV2", TimeStampToken)
id_aa_ets_mime_type = _attribute(f"{_ES}.1", "id-aa-ets-mimeType", MimeType)
id_aa_ets_long_term_validation = _attribute(f"{_ES}.2", "id-aa-ets-longTermValidation", LongTermValidation)
id_aa_ets_archive_timestamp_v3 = _attribute(f"{_ES}.4", "id-aa-ets-archiveTimestampV3", TimeStampToken)
id_aa_ats_hash_index = _attribute(f"{_ES}.5", "id-aa-ATSHashIndex", ATSHashIndex)
id_aa_ets_signer_attr_v2 = _attribute(f"{_CADES}.1", "id-aa-ets-signerAttrV2", SignerAttributeV2)
id_aa_ets_claimed_saml = _attribute(f"{_CADES}.2", "id-aa-ets-claimedSAML", ClaimedSAMLAssertion)
id_aa_ets_sig_policy_store = _attribute(f"{_CADES}.3", "id-aa-ets-sigPolicyStore", SignaturePolicyStore)
id_aa_ats_hash_index_v2 = _attribute(f"{_CADES}.4", "id-aa-ATSHashIndex-v2", ATSHashIndexV2)
id_aa_ats_hash_index_v3 = _attribute(f"{_CADES}.5", "id-aa-ATSHashIndex-v3", ATSHashIndexV3)

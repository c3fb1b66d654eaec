"""Enhanced Security Services for S/MIME: RFC 2634 and RFC 5035.

Import this module, besides `derlib.schemas.cms`, to read the attributes signing-certificate, receipt request, security
label and others: importing it registers their types. RFC 2634 and 5035 are modules with implicit tags.

>>> from derlib import ObjectIdentifier
>>> from derlib.schemas.cms import Attribute, SignedAttributes
>>> policy, restricted = ObjectIdentifier("2.999.1"), SecurityClassification.restricted
>>> label = ESSSecurityLabel(security_policy_identifier=policy, security_classification=restricted)
>>> attributes = SignedAttributes([Attribute.of(id_aa_security_label, label)])
>>> SignedAttributes.decode(attributes.encode()).get(id_aa_security_label).security_classification.name
'restricted'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    GeneralizedTime,
    Implicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTF8String,
)
from derlib._register import register_type
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attribute_cert_values import SecurityCategory
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms_attributes import ContentType
from derlib.schemas.cms_certificates import IssuerAndSerialNumber
from derlib.schemas.extensions import CertificateSerialNumber, SubjectKeyIdentifier
from derlib.schemas.general import GeneralNames
from derlib.schemas.policies import PolicyInformation

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AllOrFirstTier",
    "ContentHints",
    "ContentIdentifier",
    "ContentReference",
    "ESSCertID",
    "ESSCertIDv2",
    "ESSPrivacyMark",
    "ESSSecurityLabel",
    "ESSVersion",
    "EntityIdentifier",
    "EquivalentLabels",
    "GeneralNames",
    "IssuerAndSerialNumber",
    "IssuerSerial",
    "MLData",
    "MLExpansionHistory",
    "MLReceiptPolicy",
    "MsgSigDigest",
    "PolicyInformation",
    "Receipt",
    "ReceiptRequest",
    "ReceiptsFrom",
    "SecurityCategories",
    "SecurityCategory",
    "SecurityClassification",
    "SigningCertificate",
    "SigningCertificateV2",
    "id_aa_content_hint",
    "id_aa_content_identifier",
    "id_aa_content_reference",
    "id_aa_equivalent_labels",
    "id_aa_ml_expand_history",
    "id_aa_msg_sig_digest",
    "id_aa_receipt_request",
    "id_aa_security_label",
    "id_aa_signing_certificate",
    "id_aa_signing_certificate_v2",
    "id_ct_receipt",
]

ContentIdentifier: TypeAlias = OctetString  # RFC 2634 section 2.7
MsgSigDigest: TypeAlias = OctetString  # RFC 2634 section 2.12
Hash: TypeAlias = OctetString  # of a whole certificate, RFC 5035 section 5


# --- Receipts


class AllOrFirstTier(NamedInteger):
    """Who should return a receipt (RFC 2634 section 2.7).

    ::

        AllOrFirstTier ::= INTEGER { allReceipts (0), firstTierRecipients (1) }
    """

    all_receipts = 0
    first_tier_recipients = 1


class ReceiptsFrom(Choice):
    """Who should return a receipt (RFC 2634 section 2.7).

    ::

        ReceiptsFrom ::= CHOICE {
            allOrFirstTier   [0] AllOrFirstTier,
            receiptList      [1] SEQUENCE OF GeneralNames }
    """

    all_or_first_tier: Annotated[AllOrFirstTier, Implicit(0)]
    receipt_list: Annotated[SequenceOf[GeneralNames], Implicit(1)]


class ReceiptRequest(Sequence):
    """The wish for a signed receipt (RFC 2634 section 2.7).

    ::

        ReceiptRequest ::= SEQUENCE {
            signedContentIdentifier   ContentIdentifier,
            receiptsFrom              ReceiptsFrom,
            receiptsTo                SEQUENCE SIZE (1..ub-receiptsTo) OF GeneralNames }
    """

    signed_content_identifier: ContentIdentifier
    receipts_from: ReceiptsFrom
    receipts_to: Annotated[SequenceOf[GeneralNames], Size(1, None)]


class ESSVersion(NamedInteger):
    """The version of a receipt (RFC 2634 section 2.8).

    ::

        ESSVersion ::= INTEGER { v1(1) }
    """

    v1 = 1


class Receipt(Sequence):
    """A receipt, the content of a SignedData (RFC 2634 section 2.8).

    ::

        Receipt ::= SEQUENCE {
            version                    ESSVersion,
            contentType                ContentType,
            signedContentIdentifier    ContentIdentifier,
            originatorSignatureValue   OCTET STRING }
    """

    version: ESSVersion
    content_type: ContentType
    signed_content_identifier: ContentIdentifier
    originator_signature_value: OctetString


class ContentHints(Sequence):
    """What the innermost content is (RFC 2634 section 2.9).

    ::

        ContentHints ::= SEQUENCE {
            contentDescription   UTF8String (SIZE (1..MAX)) OPTIONAL,
            contentType          ContentType }
    """

    content_description: Annotated[UTF8String, Size(1, None)] | None = None
    content_type: ContentType


class ContentReference(Sequence):
    """Another signed content to which this one answers (RFC 2634 section 2.11).

    ::

        ContentReference ::= SEQUENCE {
            contentType                ContentType,
            signedContentIdentifier    ContentIdentifier,
            originatorSignatureValue   OCTET STRING }
    """

    content_type: ContentType
    signed_content_identifier: ContentIdentifier
    originator_signature_value: OctetString


# --- Security labels


class SecurityClassification(NamedInteger):
    """How secret the content is (RFC 2634 section 3.2).

    ::

        SecurityClassification ::= INTEGER {
            unmarked       (0),
            unclassified   (1),
            restricted     (2),
            confidential   (3),
            secret         (4),
            top-secret     (5) } (0..ub-integer-options)
    """

    unmarked = 0
    unclassified = 1
    restricted = 2
    confidential = 3
    secret = 4
    top_secret = 5


class ESSPrivacyMark(Choice):
    """A mark for people to read (RFC 2634 section 3.2).

    ::

        ESSPrivacyMark ::= CHOICE {
            pString      PrintableString (SIZE (1..ub-privacy-mark-length)),
            utf8String   UTF8String (SIZE (1..MAX)) }
    """

    p_string: Annotated[PrintableString, Size(1, None)]
    utf8_string: Annotated[UTF8String, Size(1, None)]


class SecurityCategories(SetOf[SecurityCategory], size=Size(1, None)):
    """Further restrictions (RFC 2634 section 3.2).

    ::

        SecurityCategories ::= SET SIZE (1..ub-security-categories) OF SecurityCategory
    """


class ESSSecurityLabel(Set):
    """How secret the content is, by which policy (RFC 2634 section 3.2).

    ::

        ESSSecurityLabel ::= SET {
            security-policy-identifier   SecurityPolicyIdentifier,   -- OBJECT IDENTIFIER
            security-classification      SecurityClassification OPTIONAL,
            privacy-mark                 ESSPrivacyMark OPTIONAL,
            security-categories          SecurityCategories OPTIONAL }
    """

    security_policy_identifier: ObjectIdentifier
    security_classification: Annotated[SecurityClassification, Range(0, 256)] | None = None
    privacy_mark: ESSPrivacyMark | None = None
    security_categories: SecurityCategories | None = None


class EquivalentLabels(SequenceOf[ESSSecurityLabel]):
    """Labels of other policies that mean the same (RFC 2634 section 3.4.1).

    ::

        EquivalentLabels ::= SEQUENCE OF ESSSecurityLabel
    """


# --- Mailing lists


class EntityIdentifier(Choice):
    """A mailing list, by its certificate or key (RFC 2634 section 4.4).

    ::

        EntityIdentifier ::= CHOICE {
            issuerAndSerialNumber   IssuerAndSerialNumber,
            subjectKeyIdentifier    SubjectKeyIdentifier }
    """

    issuer_and_serial_number: IssuerAndSerialNumber
    subject_key_identifier: SubjectKeyIdentifier


class MLReceiptPolicy(Choice):
    """To whom receipts go, in place of the wish of the sender (RFC 2634 section 4.4).

    ::

        MLReceiptPolicy ::= CHOICE {
            none           [0] NULL,
            insteadOf      [1] SEQUENCE SIZE (1..MAX) OF GeneralNames,
            inAdditionTo   [2] SEQUENCE SIZE (1..MAX) OF GeneralNames }
    """

    none: Annotated[Null, Implicit(0)]
    instead_of: Annotated[SequenceOf[GeneralNames], Size(1, None), Implicit(1)]
    in_addition_to: Annotated[SequenceOf[GeneralNames], Size(1, None), Implicit(2)]


class MLData(Sequence):
    """A mailing list through which the message went (RFC 2634 section 4.4).

    ::

        MLData ::= SEQUENCE {
            mailListIdentifier   EntityIdentifier,
            expansionTime        GeneralizedTime,
            mlReceiptPolicy      MLReceiptPolicy OPTIONAL }
    """

    mail_list_identifier: EntityIdentifier
    expansion_time: GeneralizedTime
    ml_receipt_policy: MLReceiptPolicy | None = None


class MLExpansionHistory(SequenceOf[MLData], size=Size(1, None)):
    """The mailing lists through which the message went, the first first (RFC 2634 section 4.4).

    ::

        MLExpansionHistory ::= SEQUENCE SIZE (1..ub-ml-expansion-history) OF MLData
    """


# --- Signing certificates


class IssuerSerial(Sequence):
    """A certificate, by its issuer and serial number (RFC 5035 section 5).

    ::

        IssuerSerial ::= SEQUENCE {
            issuer         GeneralNames,
            serialNumber   CertificateSerialNumber }
    """

    issuer: GeneralNames
    serial_number: CertificateSerialNumber


class ESSCertID(Sequence):
    """A certificate, by its SHA-1 hash (RFC 5035 section 5).

    ::

        ESSCertID ::= SEQUENCE {
            certHash       Hash,   -- OCTET STRING, of the entire certificate
            issuerSerial   IssuerSerial OPTIONAL }
    """

    cert_hash: Hash
    issuer_serial: IssuerSerial | None = None


class SigningCertificate(Sequence):
    """The certificate of the signer and its chain, by SHA-1 hashes (RFC 5035 section 5.4.2).

    ::

        SigningCertificate ::= SEQUENCE {
            certs      SEQUENCE OF ESSCertID,
            policies   SEQUENCE OF PolicyInformation OPTIONAL }
    """

    certs: SequenceOf[ESSCertID]
    policies: SequenceOf[PolicyInformation] | None = None


# AlgorithmIdentifier ::= { algorithm id-sha256 }, without parameters. Plain data, which is decoded when the class is
# first used.
_SHA256: Any = {"algorithm": ObjectIdentifier("2.16.840.1.101.3.4.2.1")}


class ESSCertIDv2(Sequence):
    """A certificate, by its hash (RFC 5035 section 5).

    ::

        ESSCertIDv2 ::= SEQUENCE {
            hashAlgorithm   AlgorithmIdentifier DEFAULT {algorithm id-sha256},
            certHash        Hash,   -- OCTET STRING, of the entire certificate
            issuerSerial    IssuerSerial OPTIONAL }
    """

    hash_algorithm: AlgorithmIdentifier = _SHA256
    cert_hash: Hash
    issuer_serial: IssuerSerial | None = None


class SigningCertificateV2(Sequence):
    """The certificate of the signer and its chain, by hashes (RFC 5035 section 5.4.1).

    ::

        SigningCertificateV2 ::= SEQUENCE {
            certs      SEQUENCE OF ESSCertIDv2,
            policies   SEQUENCE OF PolicyInformation OPTIONAL }
    """

    certs: SequenceOf[ESSCertIDv2]
    policies: SequenceOf[PolicyInformation] | None = None


def _attribute(number: int, name: str, syntax: Any) -> ObjectIdentifier:
    return register_type(ATTRIBUTES, f"1.2.840.113549.1.9.16.2.{number}", name, syntax)


id_aa_receipt_request = _attribute(1, "id-aa-receiptRequest", ReceiptRequest)
id_aa_security_label = _attribute(2, "id-aa-securityLabel", ESSSecurityLabel)
id_aa_ml_expand_history = _attribute(3, "id-aa-mlExpandHistory", MLExpansionHistory)
id_aa_content_hint = _attribute(4, "id-aa-contentHint", ContentHints)
id_aa_msg_sig_digest = _attribute(5, "id-aa-msgSigDigest", MsgSigDigest)
id_aa_content_identifier = _attribute(7, "id-aa-contentIdentifier", ContentIdentifier)
id_aa_equivalent_labels = _attribute(9, "id-aa-equivalentLabels", EquivalentLabels)
id_aa_content_reference = _attribute(10, "id-aa-contentReference", ContentReference)
id_aa_signing_certificate = _attribute(12, "id-aa-signingCertificate", SigningCertificate)
id_aa_signing_certificate_v2 = _attribute(47, "id-aa-signingCertificateV2", SigningCertificateV2)

id_ct_receipt = ObjectIdentifier("1.2.840.113549.1.9.16.1.1")
register_known({id_ct_receipt.dotted: "id-ct-receipt"})

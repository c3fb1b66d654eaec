"""The information in general messages of certificate management, and the parameters of protection: RFC 9810.

Used by `derlib.schemas.cmp`. `INFO_TYPES` has the type of infoValue by infoType. The tags are explicit.

>>> info = InfoTypeAndValue.decode(bytes.fromhex("300c06082b0601050507040d0500"))
>>> info.info_type.name, info.info_value
('id-it-implicitConfirm', NULL)
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import ALGORITHMS, AlgorithmIdentifier
from derlib.schemas.cmp_certificates import CAKeyUpdAnnContent, CMPCertificate, RootCaKeyUpdateContent
from derlib.schemas.cmp_status import PKIFreeText
from derlib.schemas.crl import CertificateList
from derlib.schemas.crmf import CertTemplate
from derlib.schemas.crmf_controls import Controls, EncryptedKey
from derlib.schemas.extensions import DistributionPointName
from derlib.schemas.general import GeneralNames
from derlib.schemas.x509 import Time

_COMPILE_AT_FIRST_USE = True

# The types of infoValue; `derlib.schemas.cmp` adds messages.
INFO_TYPES = OpenTypes("INFO_TYPES")

CAProtEncCertValue: TypeAlias = CMPCertificate  # section 5.3.19.1
PreferredSymmAlgValue: TypeAlias = AlgorithmIdentifier  # section 5.3.19.4
CAKeyUpdateInfoValue: TypeAlias = CAKeyUpdAnnContent  # section 5.3.19.5
CurrentCRLValue: TypeAlias = CertificateList  # section 5.3.19.6
KeyPairParamReqValue: TypeAlias = ObjectIdentifier  # section 5.3.19.8
KeyPairParamRepValue: TypeAlias = AlgorithmIdentifier  # section 5.3.19.8
RevPassphraseValue: TypeAlias = EncryptedKey  # section 5.3.19.9; EncryptedValue before RFC 9480
ImplicitConfirmValue: TypeAlias = Null  # section 5.1.1.1
ConfirmWaitTimeValue: TypeAlias = GeneralizedTime  # section 5.1.1.2
RootCaKeyUpdateValue: TypeAlias = RootCaKeyUpdateContent  # section 5.3.19.15
RootCaCertValue: TypeAlias = CMPCertificate  # section 5.3.19.15


class InfoTypeAndValue(Sequence):
    """A piece of information (RFC 9810 section 5.3.19).

    ::

        InfoTypeAndValue ::= SEQUENCE {
            infoType    OBJECT IDENTIFIER,
            infoValue   ANY DEFINED BY infoType OPTIONAL }   -- absent in many questions
    """

    info_type: ObjectIdentifier
    info_value: Annotated[Any, DefinedBy("info_type", INFO_TYPES)] | None = None


class GenMsgContent(SequenceOf[InfoTypeAndValue]):
    """The information that is sent or asked for (RFC 9810 section 5.3.19).

    ::

        GenMsgContent ::= SEQUENCE OF InfoTypeAndValue
    """


class GenRepContent(SequenceOf[InfoTypeAndValue]):
    """The information in an answer (RFC 9810 section 5.3.20).

    ::

        GenRepContent ::= SEQUENCE OF InfoTypeAndValue
    """


# --- Values: section 5.3.19


class SignKeyPairTypesValue(SequenceOf[AlgorithmIdentifier]):
    """The signature algorithms of the CA (RFC 9810 section 5.3.19.2).

    ::

        SignKeyPairTypesValue ::= SEQUENCE OF AlgorithmIdentifier
    """


class EncKeyPairTypesValue(SequenceOf[AlgorithmIdentifier]):
    """The algorithms for encryption and key agreement of the CA (RFC 9810 section 5.3.19.3).

    ::

        EncKeyPairTypesValue ::= SEQUENCE OF AlgorithmIdentifier
    """


class UnsupportedOIDsValue(SequenceOf[ObjectIdentifier]):
    """The object identifiers that the receiver of a question does not know (RFC 9810 section 5.3.19.7).

    ::

        UnsupportedOIDsValue ::= SEQUENCE OF OBJECT IDENTIFIER
    """


class SuppLangTagsValue(SequenceOf[UTF8String]):
    """The languages that the sender understands, the preferred first (RFC 9810 section 5.3.19.13).

    ::

        SuppLangTagsValue ::= SEQUENCE OF UTF8String
    """


class CertProfileValue(SequenceOf[UTF8String], size=Size(1, None)):
    """The names of the profiles of the certificates (RFC 9810 section 5.1.1.4).

    ::

        CertProfileValue ::= SEQUENCE SIZE (1..MAX) OF UTF8String
    """


class CaCertsValue(SequenceOf[CMPCertificate], size=Size(1, None)):
    """The certificates of CAs (RFC 9810 section 5.3.19.14).

    ::

        CaCertsValue ::= SEQUENCE SIZE (1..MAX) OF CMPCertificate
    """


class CertReqTemplateContent(Sequence):
    """What a request for a certificate should have (RFC 9810 section 5.3.19.16).

    ::

        CertReqTemplateContent ::= SEQUENCE {
            certTemplate   CertTemplate,
            keySpec        Controls OPTIONAL }
    """

    cert_template: CertTemplate
    key_spec: Controls | None = None


CertReqTemplateValue: TypeAlias = CertReqTemplateContent  # section 5.3.19.16


class CRLSource(Choice):
    """A CRL, by its distribution point or its issuer (RFC 9810 section 5.3.19.17).

    ::

        CRLSource ::= CHOICE {
            dpn      [0] DistributionPointName,
            issuer   [1] GeneralNames }
    """

    dpn: Annotated[DistributionPointName, Explicit(0)]
    issuer: Annotated[GeneralNames, Explicit(1)]


class CRLStatus(Sequence):
    """A CRL, and the time of the latest one that the sender has (RFC 9810 section 5.3.19.17).

    ::

        CRLStatus ::= SEQUENCE {
            source       CRLSource,
            thisUpdate   Time OPTIONAL }
    """

    source: CRLSource
    this_update: Time | None = None


class CRLStatusListValue(SequenceOf[CRLStatus], size=Size(1, None)):
    """CRLs that the sender asks for (RFC 9810 section 5.3.19.17).

    ::

        CRLStatusListValue ::= SEQUENCE SIZE (1..MAX) OF CRLStatus
    """


class CRLsValue(SequenceOf[CertificateList], size=Size(1, None)):
    """CRLs (RFC 9810 section 5.3.19.17).

    ::

        CRLsValue ::= SEQUENCE SIZE (1..MAX) OF CertificateList
    """


# --- Protection: section 5.1.3; `derlib.schemas.crmf` has PBMParameter


class DHBMParameter(Sequence):
    """How a message authentication code is made with Diffie-Hellman keys (RFC 9810 section 5.1.3.2).

    ::

        DHBMParameter ::= SEQUENCE {
            owf   AlgorithmIdentifier,
            mac   AlgorithmIdentifier }
    """

    owf: AlgorithmIdentifier
    mac: AlgorithmIdentifier


class KemBMParameter(Sequence):
    """How a message authentication code is made with a KEM (RFC 9810 section 5.1.3.4).

    ::

        KemBMParameter ::= SEQUENCE {
            kdf          AlgorithmIdentifier,
            kemContext   [0] OCTET STRING OPTIONAL,
            len          INTEGER (1..MAX),
            mac          AlgorithmIdentifier }
    """

    kdf: AlgorithmIdentifier
    kem_context: Annotated[OctetString, Explicit(0)] | None = None
    len: Annotated[int, Range(1, None)]
    mac: AlgorithmIdentifier


class KemCiphertextInfo(Sequence):
    """An encapsulated secret for the other party (RFC 9810 sections 5.1.1.5 and 5.3.19.18).

    ::

        KemCiphertextInfo ::= SEQUENCE {
            kem   AlgorithmIdentifier,
            ct    OCTET STRING }
    """

    kem: AlgorithmIdentifier
    ct: OctetString


KemCiphertextInfoValue: TypeAlias = KemCiphertextInfo  # section 5.3.19.18


class KemOtherInfo(Sequence):
    """What the derivation of a key binds to a message (RFC 9810 section 5.1.3.4).

    ::

        KemOtherInfo ::= SEQUENCE {
            staticString    PKIFreeText,    -- "CMP-KEM"
            transactionID   OCTET STRING,
            kemContext      [0] OCTET STRING OPTIONAL }
    """

    static_string: PKIFreeText
    transaction_id: OctetString
    kem_context: Annotated[OctetString, Explicit(0)] | None = None


_ID_IT = "1.3.6.1.5.5.7.4"

_INFO_TYPES: tuple[tuple[int, str, Any], ...] = (
    (1, "caProtEncCert", CAProtEncCertValue),
    (2, "signKeyPairTypes", SignKeyPairTypesValue),
    (3, "encKeyPairTypes", EncKeyPairTypesValue),
    (4, "preferredSymmAlg", PreferredSymmAlgValue),
    (5, "caKeyUpdateInfo", CAKeyUpdateInfoValue),
    (6, "currentCRL", CurrentCRLValue),
    (7, "unsupportedOIDs", UnsupportedOIDsValue),
    (10, "keyPairParamReq", KeyPairParamReqValue),
    (11, "keyPairParamRep", KeyPairParamRepValue),
    (12, "revPassphrase", RevPassphraseValue),
    (13, "implicitConfirm", ImplicitConfirmValue),
    (14, "confirmWaitTime", ConfirmWaitTimeValue),
    (16, "suppLangTags", SuppLangTagsValue),
    (17, "caCerts", CaCertsValue),
    (18, "rootCaKeyUpdate", RootCaKeyUpdateValue),
    (19, "certReqTemplate", CertReqTemplateValue),
    (20, "rootCaCert", RootCaCertValue),
    (21, "certProfile", CertProfileValue),
    (22, "crlStatusList", CRLStatusListValue),
    (23, "crls", CRLsValue),
    (24, "KemCiphertextInfo", KemCiphertextInfoValue),
)

register_known({f"{_ID_IT}.{arc}": f"id-it-{name}" for arc, name, _ in _INFO_TYPES})
for _arc, _, _syntax in _INFO_TYPES:
    INFO_TYPES.register(ObjectIdentifier(f"{_ID_IT}.{_arc}"), _syntax)

id_dh_based_mac = ObjectIdentifier("1.2.840.113533.7.66.30")
id_kem_based_mac = ObjectIdentifier("1.2.840.113533.7.66.16")
register_known({id_dh_based_mac.dotted: "id-DHBasedMac", id_kem_based_mac.dotted: "id-KemBasedMac"})
ALGORITHMS.register(id_dh_based_mac, DHBMParameter)
ALGORITHMS.register(id_kem_based_mac, KemBMParameter)

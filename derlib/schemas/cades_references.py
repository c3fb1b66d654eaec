"""References to certificates and revocation data in CAdES: RFC 5126 sections 6.2 and 6.3.

Used by `derlib.schemas.cades`: hashes of certificates, CRLs and OCSP responses, and the objects themselves. Tags are
explicit.

>>> OtherCertID(other_cert_hash=OtherHash(sha1_hash=bytes(20))).encode().hex()
'301604140000000000000000000000000000000000000000'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    UTCTime,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.crl import CertificateList
from derlib.schemas.ess import IssuerSerial
from derlib.schemas.ocsp import BasicOCSPResponse, ResponderID
from derlib.schemas.policies import PolicyInformation
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

#: The types of `other_rev_refs` by `other_rev_ref_type`, and those of `other_rev_vals` by `other_rev_val_type`. The
#: standards define none.
OTHER_REVOCATION_REFS = OpenTypes("OTHER_REVOCATION_REFS")
OTHER_REVOCATION_VALUES = OpenTypes("OTHER_REVOCATION_VALUES")

OtherHashValue: TypeAlias = OctetString  # section 5.7.3.3


class OtherHashAlgAndValue(Sequence):
    """A hash, with its algorithm (RFC 5126 section 5.7.3.3).

    ::

        OtherHashAlgAndValue ::= SEQUENCE {
            hashAlgorithm   AlgorithmIdentifier,
            hashValue       OtherHashValue }   -- OCTET STRING
    """

    hash_algorithm: AlgorithmIdentifier
    hash_value: OtherHashValue


class OtherHash(Choice):
    """A hash; the algorithm is SHA-1 if it is not given (RFC 5126 section 5.7.3.3).

    ::

        OtherHash ::= CHOICE {
            sha1Hash    OtherHashValue,   -- OCTET STRING, a SHA-1 hash
            otherHash   OtherHashAlgAndValue }
    """

    sha1_hash: OtherHashValue
    other_hash: OtherHashAlgAndValue


# --- Certificates


class OtherCertID(Sequence):
    """A certificate, by its hash (RFC 5126 section 5.7.3.3).

    ::

        OtherCertID ::= SEQUENCE {
            otherCertHash   OtherHash,
            issuerSerial    IssuerSerial OPTIONAL }
    """

    other_cert_hash: OtherHash
    issuer_serial: IssuerSerial | None = None


class OtherSigningCertificate(Sequence):
    """The certificate of the signer and its chain; id-aa-signingCertificateV2 replaced it (RFC 5126 section 5.7.3.3).

    ::

        OtherSigningCertificate ::= SEQUENCE {
            certs      SEQUENCE OF OtherCertID,
            policies   SEQUENCE OF PolicyInformation OPTIONAL }
    """

    certs: SequenceOf[OtherCertID]
    policies: SequenceOf[PolicyInformation] | None = None


class CompleteCertificateRefs(SequenceOf[OtherCertID]):
    """The certificates of the chain, without that of the signer (RFC 5126 section 6.2.1).

    ::

        CompleteCertificateRefs ::= SEQUENCE OF OtherCertID
    """


class AttributeCertificateRefs(SequenceOf[OtherCertID]):
    """The certificates for the validation of an attribute certificate (RFC 5126 section 6.2.3).

    ::

        AttributeCertificateRefs ::= SEQUENCE OF OtherCertID
    """


class CertificateValues(SequenceOf[Certificate]):
    """The certificates themselves (RFC 5126 section 6.3.3).

    ::

        CertificateValues ::= SEQUENCE OF Certificate
    """


# --- Revocation data


class CrlIdentifier(Sequence):
    """A CRL, by its issuer, time and number (RFC 5126 section 6.2.2).

    ::

        CrlIdentifier ::= SEQUENCE {
            crlissuer       Name,
            crlIssuedTime   UTCTime,
            crlNumber       INTEGER OPTIONAL }
    """

    crlissuer: Name
    crl_issued_time: UTCTime
    crl_number: int | None = None


class CrlValidatedID(Sequence):
    """A CRL, by its hash (RFC 5126 section 6.2.2).

    ::

        CrlValidatedID ::= SEQUENCE {
            crlHash         OtherHash,
            crlIdentifier   CrlIdentifier OPTIONAL }
    """

    crl_hash: OtherHash
    crl_identifier: CrlIdentifier | None = None


class CRLListID(Sequence):
    """CRLs (RFC 5126 section 6.2.2).

    ::

        CRLListID ::= SEQUENCE {
            crls   SEQUENCE OF CrlValidatedID }
    """

    crls: SequenceOf[CrlValidatedID]


class OcspIdentifier(Sequence):
    """An OCSP response, by the fields that it has itself (RFC 5126 section 6.2.2).

    ::

        OcspIdentifier ::= SEQUENCE {
            ocspResponderID   ResponderID,
            producedAt        GeneralizedTime }
    """

    ocsp_responder_id: ResponderID
    produced_at: GeneralizedTime


class OcspResponsesID(Sequence):
    """An OCSP response, with its hash (RFC 5126 section 6.2.2).

    ::

        OcspResponsesID ::= SEQUENCE {
            ocspIdentifier   OcspIdentifier,
            ocspRepHash      OtherHash OPTIONAL }
    """

    ocsp_identifier: OcspIdentifier
    ocsp_rep_hash: OtherHash | None = None


class OcspListID(Sequence):
    """OCSP responses (RFC 5126 section 6.2.2).

    ::

        OcspListID ::= SEQUENCE {
            ocspResponses   SEQUENCE OF OcspResponsesID }
    """

    ocsp_responses: SequenceOf[OcspResponsesID]


class OtherRevRefs(Sequence):
    """References to revocation data of another kind (RFC 5126 section 6.2.2).

    ::

        OtherRevRefs ::= SEQUENCE {
            otherRevRefType   OtherRevRefType,   -- OBJECT IDENTIFIER
            otherRevRefs      ANY DEFINED BY otherRevRefType }

    ETSI EN 319 122-1 clause A.1.2.1 has a SEQUENCE OF the type, which is an ANY, too.
    """

    other_rev_ref_type: ObjectIdentifier
    other_rev_refs: Annotated[Any, DefinedBy("other_rev_ref_type", OTHER_REVOCATION_REFS)]


class CrlOcspRef(Sequence):
    """The revocation data of one certificate (RFC 5126 section 6.2.2).

    ::

        CrlOcspRef ::= SEQUENCE {
            crlids     [0] CRLListID OPTIONAL,
            ocspids    [1] OcspListID OPTIONAL,
            otherRev   [2] OtherRevRefs OPTIONAL }
    """

    crlids: Annotated[CRLListID, Explicit(0)] | None = None
    ocspids: Annotated[OcspListID, Explicit(1)] | None = None
    other_rev: Annotated[OtherRevRefs, Explicit(2)] | None = None


class CompleteRevocationRefs(SequenceOf[CrlOcspRef]):
    """The revocation data of the signer and of each certificate of the chain, in their order (RFC 5126 section 6.2.2).

    ::

        CompleteRevocationRefs ::= SEQUENCE OF CrlOcspRef
    """


class AttributeRevocationRefs(SequenceOf[CrlOcspRef]):
    """The revocation data for the validation of an attribute certificate (RFC 5126 section 6.2.4).

    ::

        AttributeRevocationRefs ::= SEQUENCE OF CrlOcspRef
    """


class OtherRevVals(Sequence):
    """Revocation data of another kind (RFC 5126 section 6.3.4).

    ::

        OtherRevVals ::= SEQUENCE {
            otherRevValType   OtherRevValType,   -- OBJECT IDENTIFIER
            otherRevVals      ANY DEFINED BY otherRevValType }

    ETSI EN 319 122-1 clause A.1.2.2 has a SEQUENCE OF the type, which is an ANY, too.
    """

    other_rev_val_type: ObjectIdentifier
    other_rev_vals: Annotated[Any, DefinedBy("other_rev_val_type", OTHER_REVOCATION_VALUES)]


class RevocationValues(Sequence):
    """The revocation data itself (RFC 5126 section 6.3.4).

    ::

        RevocationValues ::= SEQUENCE {
            crlVals        [0] SEQUENCE OF CertificateList OPTIONAL,
            ocspVals       [1] SEQUENCE OF BasicOCSPResponse OPTIONAL,
            otherRevVals   [2] OtherRevVals OPTIONAL }
    """

    crl_vals: Annotated[SequenceOf[CertificateList], Explicit(0)] | None = None
    ocsp_vals: Annotated[SequenceOf[BasicOCSPResponse], Explicit(1)] | None = None
    other_rev_vals: Annotated[OtherRevVals, Explicit(2)] | None = None

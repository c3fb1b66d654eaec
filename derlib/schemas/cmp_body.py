"""The contents of the messages of certificate management: RFC 9810 sections 5.2 and 5.3.

Used by `derlib.schemas.cmp`. The tags are explicit. `derlib.schemas.cmp_info` has the contents of general messages.

>>> PollRepContent.decode(bytes.fromhex("30083006020100020178"))[0].check_after
120
"""

from __future__ import annotations

import builtins
from typing import Annotated, TypeAlias

from derlib import Choice, Explicit, GeneralizedTime, Null, OctetString, Sequence, SequenceOf, Size
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cmp_certificates import CMPCertificate
from derlib.schemas.cmp_status import PKIFreeText, PKIStatus, PKIStatusInfo
from derlib.schemas.cms import EnvelopedData
from derlib.schemas.crl import CertificateList
from derlib.schemas.crmf import CertTemplate
from derlib.schemas.crmf_controls import CertId, EncryptedKey, PKIPublicationInfo
from derlib.schemas.general import GeneralName
from derlib.schemas.x509 import Extensions

_COMPILE_AT_FIRST_USE = True


CertAnnContent: TypeAlias = CMPCertificate  # section 5.3.14
PKIConfirmContent: TypeAlias = Null  # section 5.3.17


# --- Proof of possession by a challenge: section 5.2.8.3.3


class Challenge(Sequence):
    """A challenge to the holder of a private key (RFC 9810 section 5.2.8.3.3).

    ::

        Challenge ::= SEQUENCE {
            owf             AlgorithmIdentifier OPTIONAL,   -- absent: that of the challenge before
            witness         OCTET STRING,
            challenge       OCTET STRING,                   -- encrypted Rand; empty with encryptedRand
            encryptedRand   [0] EnvelopedData OPTIONAL }
    """

    owf: AlgorithmIdentifier | None = None
    witness: OctetString
    challenge: OctetString
    encrypted_rand: Annotated[EnvelopedData, Explicit(0)] | None = None


class POPODecKeyChallContent(SequenceOf[Challenge]):
    """Challenges, in the order of the requests (RFC 9810 section 5.2.8.3.3).

    ::

        POPODecKeyChallContent ::= SEQUENCE OF Challenge
    """


class Rand(Sequence):
    """What a challenge encrypts (RFC 9810 section 5.2.8.3.3).

    ::

        Rand ::= SEQUENCE {
            int      INTEGER,
            sender   GeneralName }
    """

    int: builtins.int
    sender: GeneralName


class POPODecKeyRespContent(SequenceOf[int]):
    """The decrypted integers, in the order of the challenges (RFC 9810 section 5.2.8.3.3).

    ::

        POPODecKeyRespContent ::= SEQUENCE OF INTEGER
    """


# --- Answers with certificates: section 5.3.4


class CertOrEncCert(Choice):
    """A certificate, perhaps encrypted (RFC 9810 section 5.3.4).

    ::

        CertOrEncCert ::= CHOICE {
            certificate     [0] CMPCertificate,
            encryptedCert   [1] EncryptedKey }   -- EncryptedValue before RFC 9480
    """

    certificate: Annotated[CMPCertificate, Explicit(0)]
    encrypted_cert: Annotated[EncryptedKey, Explicit(1)]


class CertifiedKeyPair(Sequence):
    """A certificate, perhaps with the private key (RFC 9810 section 5.3.4).

    ::

        CertifiedKeyPair ::= SEQUENCE {
            certOrEncCert     CertOrEncCert,
            privateKey        [0] EncryptedKey OPTIONAL,   -- EncryptedValue before RFC 9480
            publicationInfo   [1] PKIPublicationInfo OPTIONAL }
    """

    cert_or_enc_cert: CertOrEncCert
    private_key: Annotated[EncryptedKey, Explicit(0)] | None = None
    publication_info: Annotated[PKIPublicationInfo, Explicit(1)] | None = None


class CertResponse(Sequence):
    """The answer to one request (RFC 9810 section 5.3.4).

    ::

        CertResponse ::= SEQUENCE {
            certReqId          INTEGER,   -- that of the request, or -1
            status             PKIStatusInfo,
            certifiedKeyPair   CertifiedKeyPair OPTIONAL,
            rspInfo            OCTET STRING OPTIONAL }
    """

    cert_req_id: int
    status: PKIStatusInfo
    certified_key_pair: CertifiedKeyPair | None = None
    rsp_info: OctetString | None = None


class CertRepMessage(Sequence):
    """The answers to requests for certificates (RFC 9810 section 5.3.4).

    ::

        CertRepMessage ::= SEQUENCE {
            caPubs     [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL,
            response   SEQUENCE OF CertResponse }
    """

    ca_pubs: Annotated[SequenceOf[CMPCertificate], Size(1, None), Explicit(1)] | None = None
    response: SequenceOf[CertResponse]


class KeyRecRepContent(Sequence):
    """Recovered keys (RFC 9810 section 5.3.8).

    ::

        KeyRecRepContent ::= SEQUENCE {
            status        PKIStatusInfo,
            newSigCert    [0] CMPCertificate OPTIONAL,
            caCerts       [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL,
            keyPairHist   [2] SEQUENCE SIZE (1..MAX) OF CertifiedKeyPair OPTIONAL }
    """

    status: PKIStatusInfo
    new_sig_cert: Annotated[CMPCertificate, Explicit(0)] | None = None
    ca_certs: Annotated[SequenceOf[CMPCertificate], Size(1, None), Explicit(1)] | None = None
    key_pair_hist: Annotated[SequenceOf[CertifiedKeyPair], Size(1, None), Explicit(2)] | None = None


class CertStatus(Sequence):
    """Whether the requester accepts a certificate (RFC 9810 section 5.3.18).

    ::

        CertStatus ::= SEQUENCE {
            certHash     OCTET STRING,
            certReqId    INTEGER,
            statusInfo   PKIStatusInfo OPTIONAL,
            hashAlg      [0] AlgorithmIdentifier OPTIONAL }   -- since RFC 9480
    """

    cert_hash: OctetString
    cert_req_id: int
    status_info: PKIStatusInfo | None = None
    hash_alg: Annotated[AlgorithmIdentifier, Explicit(0)] | None = None


class CertConfirmContent(SequenceOf[CertStatus]):
    """The confirmation of certificates (RFC 9810 section 5.3.18).

    ::

        CertConfirmContent ::= SEQUENCE OF CertStatus
    """


# --- Revocation: sections 5.3.9 and 5.3.10


class RevDetails(Sequence):
    """A certificate that shall be revoked (RFC 9810 section 5.3.9).

    ::

        RevDetails ::= SEQUENCE {
            certDetails       CertTemplate,
            crlEntryDetails   Extensions OPTIONAL }
    """

    cert_details: CertTemplate
    crl_entry_details: Extensions | None = None


class RevReqContent(SequenceOf[RevDetails]):
    """A request for revocation (RFC 9810 section 5.3.9).

    ::

        RevReqContent ::= SEQUENCE OF RevDetails
    """


class RevRepContent(Sequence):
    """The answer to a request for revocation (RFC 9810 section 5.3.10).

    ::

        RevRepContent ::= SEQUENCE {
            status     SEQUENCE SIZE (1..MAX) OF PKIStatusInfo,   -- in the order of the request
            revCerts   [0] SEQUENCE SIZE (1..MAX) OF CertId OPTIONAL,
            crls       [1] SEQUENCE SIZE (1..MAX) OF CertificateList OPTIONAL }
    """

    status: Annotated[SequenceOf[PKIStatusInfo], Size(1, None)]
    rev_certs: Annotated[SequenceOf[CertId], Size(1, None), Explicit(0)] | None = None
    crls: Annotated[SequenceOf[CertificateList], Size(1, None), Explicit(1)] | None = None


# --- Announcements: sections 5.3.15 and 5.3.16


class RevAnnContent(Sequence):
    """The announcement of a revocation (RFC 9810 section 5.3.15).

    ::

        RevAnnContent ::= SEQUENCE {
            status            PKIStatus,
            certId            CertId,
            willBeRevokedAt   GeneralizedTime,
            badSinceDate      GeneralizedTime,
            crlDetails        Extensions OPTIONAL }
    """

    status: PKIStatus
    cert_id: CertId
    will_be_revoked_at: GeneralizedTime
    bad_since_date: GeneralizedTime
    crl_details: Extensions | None = None


class CRLAnnContent(SequenceOf[CertificateList]):
    """The announcement of CRLs (RFC 9810 section 5.3.16).

    ::

        CRLAnnContent ::= SEQUENCE OF CertificateList
    """


# --- Errors and polling: sections 5.3.21 and 5.3.22


class ErrorMsgContent(Sequence):
    """An error (RFC 9810 section 5.3.21).

    ::

        ErrorMsgContent ::= SEQUENCE {
            pKIStatusInfo   PKIStatusInfo,
            errorCode       INTEGER OPTIONAL,
            errorDetails    PKIFreeText OPTIONAL }
    """

    pki_status_info: PKIStatusInfo
    error_code: int | None = None
    error_details: PKIFreeText | None = None


class PollReq(Sequence):
    """A question whether an answer is ready (RFC 9810 section 5.3.22, where the SEQUENCE has no name).

    ::

        SEQUENCE { certReqId INTEGER }
    """

    cert_req_id: int


class PollReqContent(SequenceOf[PollReq]):
    """Questions whether answers are ready (RFC 9810 section 5.3.22).

    ::

        PollReqContent ::= SEQUENCE OF SEQUENCE { certReqId INTEGER }
    """


class PollRep(Sequence):
    """When to ask again (RFC 9810 section 5.3.22, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            certReqId    INTEGER,
            checkAfter   INTEGER,   -- time in seconds
            reason       PKIFreeText OPTIONAL }
    """

    cert_req_id: int
    check_after: int
    reason: PKIFreeText | None = None


class PollRepContent(SequenceOf[PollRep]):
    """When to ask again (RFC 9810 section 5.3.22).

    ::

        PollRepContent ::= SEQUENCE OF SEQUENCE {
            certReqId INTEGER, checkAfter INTEGER, reason PKIFreeText OPTIONAL }
    """

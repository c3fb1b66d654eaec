"""Certificate Management Protocol: RFC 9810, which replaces RFC 4210 and RFC 9480.

Import this module to read and to make messages with which programs ask a CA for certificates. derlib does not protect
messages or verify them. `derlib.schemas.crmf` has the requests for certificates.

    >>> from derlib.schemas.cmp import PKIMessage
    >>> message = PKIMessage.decode(open("answer.pki", "rb").read())  # doctest: +SKIP
    >>> if message.body.alternative == "ip":  # doctest: +SKIP
    ...     print(message.body.value.response[0].status.status.name)
    accepted
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    BitString,
    Choice,
    Explicit,
    GeneralizedTime,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cmp_body import (
    CertAnnContent,
    CertConfirmContent,
    CertifiedKeyPair,
    CertOrEncCert,
    CertRepMessage,
    CertResponse,
    CertStatus,
    Challenge,
    CRLAnnContent,
    ErrorMsgContent,
    KeyRecRepContent,
    PKIConfirmContent,
    PollRep,
    PollRepContent,
    PollReq,
    PollReqContent,
    POPODecKeyChallContent,
    POPODecKeyRespContent,
    Rand,
    RevAnnContent,
    RevDetails,
    RevRepContent,
    RevReqContent,
)
from derlib.schemas.cmp_certificates import (
    CAKeyUpdAnnContent,
    CAKeyUpdContent,
    CMPCertificate,
    OOBCert,
    OOBCertHash,
    RootCaKeyUpdateContent,
)
from derlib.schemas.cmp_info import (
    INFO_TYPES,
    CertProfileValue,
    CertReqTemplateContent,
    CRLSource,
    CRLStatus,
    DHBMParameter,
    GenMsgContent,
    GenRepContent,
    InfoTypeAndValue,
    KemBMParameter,
    KemCiphertextInfo,
    KemOtherInfo,
)
from derlib.schemas.cmp_status import PKIFailureInfo, PKIFreeText, PKIStatus, PKIStatusInfo
from derlib.schemas.crmf import CertReqMessages, CertReqMsg, CertRequest, CertTemplate, PBMParameter
from derlib.schemas.crmf_controls import CertId, EncryptedKey, EncryptedValue, PKIPublicationInfo
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.extensions import KeyIdentifier
from derlib.schemas.general import GeneralName

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AlgorithmIdentifier",
    "CAKeyUpdAnnContent",
    "CAKeyUpdContent",
    "CMPCertificate",
    "CRLAnnContent",
    "CRLSource",
    "CRLStatus",
    "CertAnnContent",
    "CertConfirmContent",
    "CertId",
    "CertOrEncCert",
    "CertProfileValue",
    "CertRepMessage",
    "CertReqMessages",
    "CertReqMsg",
    "CertReqTemplateContent",
    "CertRequest",
    "CertResponse",
    "CertStatus",
    "CertTemplate",
    "CertificationRequest",
    "CertifiedKeyPair",
    "Challenge",
    "DHBMParameter",
    "EncryptedKey",
    "EncryptedValue",
    "ErrorMsgContent",
    "GenMsgContent",
    "GenRepContent",
    "GeneralName",
    "InfoTypeAndValue",
    "KemBMParameter",
    "KemCiphertextInfo",
    "KemOtherInfo",
    "KeyIdentifier",
    "KeyRecRepContent",
    "NestedMessageContent",
    "OOBCert",
    "OOBCertHash",
    "PBMParameter",
    "PKIBody",
    "PKIConfirmContent",
    "PKIFailureInfo",
    "PKIFreeText",
    "PKIHeader",
    "PKIMessage",
    "PKIMessages",
    "PKIProtection",
    "PKIPublicationInfo",
    "PKIStatus",
    "PKIStatusInfo",
    "POPODecKeyChallContent",
    "POPODecKeyRespContent",
    "PollRep",
    "PollRepContent",
    "PollReq",
    "PollReqContent",
    "ProtectedPart",
    "Pvno",
    "Rand",
    "RevAnnContent",
    "RevDetails",
    "RevRepContent",
    "RevReqContent",
    "RootCaKeyUpdateContent",
]

PKIProtection: TypeAlias = BitString  # section 5.1.3


class Pvno(NamedInteger):
    """The version of the protocol (RFC 9810 section 5.1.1, where the INTEGER has no name).

    ::

        INTEGER { cmp1999(1), cmp2000(2), cmp2021(3) }
    """

    cmp1999 = 1
    cmp2000 = 2
    cmp2021 = 3


class PKIHeader(Sequence):
    """Who sends a message to whom, and how it is protected (RFC 9810 section 5.1.1).

    ::

        PKIHeader ::= SEQUENCE {
            pvno            INTEGER { cmp1999(1), cmp2000(2), cmp2021(3) },
            sender          GeneralName,
            recipient       GeneralName,
            messageTime     [0] GeneralizedTime OPTIONAL,
            protectionAlg   [1] AlgorithmIdentifier OPTIONAL,
            senderKID       [2] KeyIdentifier OPTIONAL,
            recipKID        [3] KeyIdentifier OPTIONAL,
            transactionID   [4] OCTET STRING OPTIONAL,
            senderNonce     [5] OCTET STRING OPTIONAL,
            recipNonce      [6] OCTET STRING OPTIONAL,
            freeText        [7] PKIFreeText OPTIONAL,
            generalInfo     [8] SEQUENCE SIZE (1..MAX) OF InfoTypeAndValue OPTIONAL }
    """

    pvno: Pvno
    sender: GeneralName
    recipient: GeneralName
    message_time: Annotated[GeneralizedTime, Explicit(0)] | None = None
    protection_alg: Annotated[AlgorithmIdentifier, Explicit(1)] | None = None
    sender_kid: Annotated[KeyIdentifier, Explicit(2)] | None = None
    recip_kid: Annotated[KeyIdentifier, Explicit(3)] | None = None
    transaction_id: Annotated[OctetString, Explicit(4)] | None = None
    sender_nonce: Annotated[OctetString, Explicit(5)] | None = None
    recip_nonce: Annotated[OctetString, Explicit(6)] | None = None
    free_text: Annotated[PKIFreeText, Explicit(7)] | None = None
    general_info: Annotated[SequenceOf[InfoTypeAndValue], Size(1, None), Explicit(8)] | None = None


class PKIBody(Choice):
    """The content of a message (RFC 9810 section 5.1.2).

    ::

        PKIBody ::= CHOICE {
            ir         [0]  CertReqMessages,          --Initialization Req
            ip         [1]  CertRepMessage,           --Initialization Resp
            cr         [2]  CertReqMessages,          --Certification Req
            cp         [3]  CertRepMessage,           --Certification Resp
            p10cr      [4]  CertificationRequest,     --PKCS #10 Cert. Req.
            popdecc    [5]  POPODecKeyChallContent,   --pop Challenge
            popdecr    [6]  POPODecKeyRespContent,    --pop Response
            kur        [7]  CertReqMessages,          --Key Update Request
            kup        [8]  CertRepMessage,           --Key Update Response
            krr        [9]  CertReqMessages,          --Key Recovery Req
            krp        [10] KeyRecRepContent,         --Key Recovery Resp
            rr         [11] RevReqContent,            --Revocation Request
            rp         [12] RevRepContent,            --Revocation Response
            ccr        [13] CertReqMessages,          --Cross-Cert.  Request
            ccp        [14] CertRepMessage,           --Cross-Cert.  Resp
            ckuann     [15] CAKeyUpdContent,          --CA Key Update Ann.
            cann       [16] CertAnnContent,           --Certificate Ann.
            rann       [17] RevAnnContent,            --Revocation Ann.
            crlann     [18] CRLAnnContent,            --CRL Announcement
            pkiconf    [19] PKIConfirmContent,        --Confirmation
            nested     [20] NestedMessageContent,     --Nested Message
            genm       [21] GenMsgContent,            --General Message
            genp       [22] GenRepContent,            --General Response
            error      [23] ErrorMsgContent,          --Error Message
            certConf   [24] CertConfirmContent,       --Certificate Confirm
            pollReq    [25] PollReqContent,           --Polling Request
            pollRep    [26] PollRepContent }          --Polling Response
    """

    ir: Annotated[CertReqMessages, Explicit(0)]
    ip: Annotated[CertRepMessage, Explicit(1)]
    cr: Annotated[CertReqMessages, Explicit(2)]
    cp: Annotated[CertRepMessage, Explicit(3)]
    p10cr: Annotated[CertificationRequest, Explicit(4)]
    popdecc: Annotated[POPODecKeyChallContent, Explicit(5)]
    popdecr: Annotated[POPODecKeyRespContent, Explicit(6)]
    kur: Annotated[CertReqMessages, Explicit(7)]
    kup: Annotated[CertRepMessage, Explicit(8)]
    krr: Annotated[CertReqMessages, Explicit(9)]
    krp: Annotated[KeyRecRepContent, Explicit(10)]
    rr: Annotated[RevReqContent, Explicit(11)]
    rp: Annotated[RevRepContent, Explicit(12)]
    ccr: Annotated[CertReqMessages, Explicit(13)]
    ccp: Annotated[CertRepMessage, Explicit(14)]
    ckuann: Annotated[CAKeyUpdContent, Explicit(15)]
    cann: Annotated[CertAnnContent, Explicit(16)]
    rann: Annotated[RevAnnContent, Explicit(17)]
    crlann: Annotated[CRLAnnContent, Explicit(18)]
    pkiconf: Annotated[PKIConfirmContent, Explicit(19)]
    nested: Annotated[PKIMessages, Explicit(20)]
    genm: Annotated[GenMsgContent, Explicit(21)]
    genp: Annotated[GenRepContent, Explicit(22)]
    error: Annotated[ErrorMsgContent, Explicit(23)]
    cert_conf: Annotated[CertConfirmContent, Explicit(24)]
    poll_req: Annotated[PollReqContent, Explicit(25)]
    poll_rep: Annotated[PollRepContent, Explicit(26)]


class ProtectedPart(Sequence):
    """What the protection of a message covers (RFC 9810 section 5.1.3).

    ::

        ProtectedPart ::= SEQUENCE {
            header   PKIHeader,
            body     PKIBody }
    """

    header: PKIHeader
    body: PKIBody


class PKIMessage(Sequence):
    """A message (RFC 9810 section 5.1).

    ::

        PKIMessage ::= SEQUENCE {
            header       PKIHeader,
            body         PKIBody,
            protection   [0] PKIProtection OPTIONAL,   -- BIT STRING
            extraCerts   [1] SEQUENCE SIZE (1..MAX) OF CMPCertificate OPTIONAL }

    The bytes that a signature or a message authentication code protects are ``protected_part.encode()``.
    """

    header: PKIHeader
    body: PKIBody
    protection: Annotated[PKIProtection, Explicit(0)] | None = None
    extra_certs: Annotated[SequenceOf[CMPCertificate], Size(1, None), Explicit(1)] | None = None

    @property
    def protected_part(self) -> ProtectedPart:
        """The header and the body, which the protection covers."""
        return ProtectedPart(header=self.header, body=self.body)


class PKIMessages(SequenceOf[PKIMessage], size=Size(1, None)):
    """Messages (RFC 9810 section 5.1).

    ::

        PKIMessages ::= SEQUENCE SIZE (1..MAX) OF PKIMessage
    """


NestedMessageContent: TypeAlias = PKIMessages  # section 5.1.3.5

# OrigPKIMessageValue, section 5.1.1.3.
INFO_TYPES.register(ObjectIdentifier("1.3.6.1.5.5.7.4.15"), PKIMessages)
register_known({"1.3.6.1.5.5.7.4.15": "id-it-origPKIMessage", "1.3.6.1.5.5.7.3.32": "id-kp-cmKGA"})

"""Certificate Management over CMS: RFC 5272, with RFC 6402.

A request is a `PKIData`, and a response a `PKIResponse`, each in a signed CMS object. The controls of `TaggedAttribute`
have the types of the table `CMC_CONTROLS`.

    >>> control = TaggedAttribute(body_part_id=1, attr_type=id_cmc_transaction_id, attr_values=[7])
    >>> data = PKIData(control_sequence=[control], req_sequence=[], cms_sequence=[], other_msg_sequence=[])
    >>> PKIData.decode(data.encode()).control_sequence[0].attr_values[:]
    (7,)
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    GeneralizedTime,
    Implicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    UTF8String,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import ALGORITHMS, AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES, Name
from derlib.schemas.cms import ContentInfo, IssuerAndSerialNumber
from derlib.schemas.crl_extensions import CRLReason
from derlib.schemas.crmf import CertReqMsg, CertTemplate
from derlib.schemas.crmf_controls import PKIPublicationInfo
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.extensions import ReasonFlags
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.x509 import Extension

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AddExtensions",
    "AuthPublish",
    "BodyPartID",
    "BodyPartList",
    "BodyPartPath",
    "BodyPartReference",
    "CMCCertId",
    "CMCFailInfo",
    "CMCPublicationInfo",
    "CMCStatus",
    "CMCStatusInfo",
    "CMCStatusInfoV2",
    "CMCUnsignedData",
    "CMC_CONTROLS",
    "CertReqMsg",
    "CertificationRequest",
    "ChangeSubjectName",
    "ControlsProcessed",
    "DecryptedPOP",
    "EXTENDED_FAILURES",
    "EncryptedPOP",
    "ExtendedFailInfo",
    "GetCRL",
    "GetCert",
    "IdentityProofV2",
    "LraPopWitness",
    "ModCertTemplate",
    "NoSignatureValue",
    "OTHER_MESSAGES",
    "OTHER_REQUESTS",
    "OtherInfo",
    "OtherInfoV2",
    "OtherMsg",
    "OtherRequest",
    "PKIData",
    "PKIResponse",
    "PendInfo",
    "PopLinkWitnessV2",
    "PublishTrustAnchors",
    "ResponseBody",
    "RevokeRequest",
    "TaggedAttribute",
    "TaggedCertificationRequest",
    "TaggedContentInfo",
    "TaggedRequest",
    "UNSIGNED_DATA",
    "id_aa_cmc_unsigned_data",
    "id_alg_no_signature",
    "id_cct_pki_data",
    "id_cct_pki_response",
    "id_cmc_add_extensions",
    "id_cmc_auth_data",
    "id_cmc_batch_requests",
    "id_cmc_batch_responses",
    "id_cmc_change_subject_name",
    "id_cmc_confirm_cert_acceptance",
    "id_cmc_control_processed",
    "id_cmc_data_return",
    "id_cmc_decrypted_pop",
    "id_cmc_encrypted_pop",
    "id_cmc_get_cert",
    "id_cmc_get_crl",
    "id_cmc_identification",
    "id_cmc_identity_proof",
    "id_cmc_identity_proof_v2",
    "id_cmc_lra_pop_witness",
    "id_cmc_mod_cert_template",
    "id_cmc_pop_link_random",
    "id_cmc_pop_link_witness",
    "id_cmc_pop_link_witness_v2",
    "id_cmc_publish_cert",
    "id_cmc_query_pending",
    "id_cmc_ra_identity_witness",
    "id_cmc_recipient_nonce",
    "id_cmc_reg_info",
    "id_cmc_response_body",
    "id_cmc_response_info",
    "id_cmc_revoke_request",
    "id_cmc_sender_nonce",
    "id_cmc_status_info",
    "id_cmc_status_info_v2",
    "id_cmc_transaction_id",
    "id_cmc_trusted_anchors",
]

#: The types of controls, by `attr_type`.
CMC_CONTROLS = OpenTypes("CMC_CONTROLS")

#: The types of other requests and messages, by their identifiers. The RFCs define none.
OTHER_REQUESTS = OpenTypes("OTHER_REQUESTS")
OTHER_MESSAGES = OpenTypes("OTHER_MESSAGES")

#: The types of `fail_info_value`, by `fail_info_oid`. The RFCs define none.
EXTENDED_FAILURES = OpenTypes("EXTENDED_FAILURES")

#: The types of the contents of `CMCUnsignedData`, by `identifier`. The RFCs define none.
UNSIGNED_DATA = OpenTypes("UNSIGNED_DATA")

id_cct_pki_data = ObjectIdentifier("1.3.6.1.5.5.7.12.2")
id_cct_pki_response = ObjectIdentifier("1.3.6.1.5.5.7.12.3")
id_cmc_identity_proof = ObjectIdentifier("1.3.6.1.5.5.7.7.3")
id_cmc_data_return = ObjectIdentifier("1.3.6.1.5.5.7.7.4")
id_cmc_reg_info = ObjectIdentifier("1.3.6.1.5.5.7.7.18")
id_cmc_response_info = ObjectIdentifier("1.3.6.1.5.5.7.7.19")
id_cmc_query_pending = ObjectIdentifier("1.3.6.1.5.5.7.7.21")
id_cmc_pop_link_random = ObjectIdentifier("1.3.6.1.5.5.7.7.22")
id_cmc_pop_link_witness = ObjectIdentifier("1.3.6.1.5.5.7.7.23")
id_cmc_identification = ObjectIdentifier("1.3.6.1.5.5.7.7.2")
id_cmc_transaction_id = ObjectIdentifier("1.3.6.1.5.5.7.7.5")
id_cmc_sender_nonce = ObjectIdentifier("1.3.6.1.5.5.7.7.6")
id_cmc_recipient_nonce = ObjectIdentifier("1.3.6.1.5.5.7.7.7")
id_cmc_status_info = ObjectIdentifier("1.3.6.1.5.5.7.7.1")
id_cmc_add_extensions = ObjectIdentifier("1.3.6.1.5.5.7.7.8")
id_cmc_encrypted_pop = ObjectIdentifier("1.3.6.1.5.5.7.7.9")
id_cmc_decrypted_pop = ObjectIdentifier("1.3.6.1.5.5.7.7.10")
id_cmc_lra_pop_witness = ObjectIdentifier("1.3.6.1.5.5.7.7.11")
id_cmc_get_cert = ObjectIdentifier("1.3.6.1.5.5.7.7.15")
id_cmc_get_crl = ObjectIdentifier("1.3.6.1.5.5.7.7.16")
id_cmc_revoke_request = ObjectIdentifier("1.3.6.1.5.5.7.7.17")
id_cmc_confirm_cert_acceptance = ObjectIdentifier("1.3.6.1.5.5.7.7.24")
id_alg_no_signature = ObjectIdentifier("1.3.6.1.5.5.7.6.2")
id_aa_cmc_unsigned_data = ObjectIdentifier("1.2.840.113549.1.9.16.2.34")
id_cmc_status_info_v2 = ObjectIdentifier("1.3.6.1.5.5.7.7.25")
id_cmc_trusted_anchors = ObjectIdentifier("1.3.6.1.5.5.7.7.26")
id_cmc_auth_data = ObjectIdentifier("1.3.6.1.5.5.7.7.27")
id_cmc_batch_requests = ObjectIdentifier("1.3.6.1.5.5.7.7.28")
id_cmc_batch_responses = ObjectIdentifier("1.3.6.1.5.5.7.7.29")
id_cmc_publish_cert = ObjectIdentifier("1.3.6.1.5.5.7.7.30")
id_cmc_mod_cert_template = ObjectIdentifier("1.3.6.1.5.5.7.7.31")
id_cmc_control_processed = ObjectIdentifier("1.3.6.1.5.5.7.7.32")
id_cmc_identity_proof_v2 = ObjectIdentifier("1.3.6.1.5.5.7.7.33")
id_cmc_pop_link_witness_v2 = ObjectIdentifier("1.3.6.1.5.5.7.7.34")
id_cmc_ra_identity_witness = ObjectIdentifier("1.3.6.1.5.5.7.7.35")
id_cmc_change_subject_name = ObjectIdentifier("1.3.6.1.5.5.7.7.36")
id_cmc_response_body = ObjectIdentifier("1.3.6.1.5.5.7.7.37")
register_known(
    {
        "1.3.6.1.5.5.7.12.2": "id-cct-PKIData",
        "1.3.6.1.5.5.7.12.3": "id-cct-PKIResponse",
        "1.3.6.1.5.5.7.7.3": "id-cmc-identityProof",
        "1.3.6.1.5.5.7.7.4": "id-cmc-dataReturn",
        "1.3.6.1.5.5.7.7.18": "id-cmc-regInfo",
        "1.3.6.1.5.5.7.7.19": "id-cmc-responseInfo",
        "1.3.6.1.5.5.7.7.21": "id-cmc-queryPending",
        "1.3.6.1.5.5.7.7.22": "id-cmc-popLinkRandom",
        "1.3.6.1.5.5.7.7.23": "id-cmc-popLinkWitness",
        "1.3.6.1.5.5.7.7.2": "id-cmc-identification",
        "1.3.6.1.5.5.7.7.5": "id-cmc-transactionId",
        "1.3.6.1.5.5.7.7.6": "id-cmc-senderNonce",
        "1.3.6.1.5.5.7.7.7": "id-cmc-recipientNonce",
        "1.3.6.1.5.5.7.7.1": "id-cmc-statusInfo",
        "1.3.6.1.5.5.7.7.8": "id-cmc-addExtensions",
        "1.3.6.1.5.5.7.7.9": "id-cmc-encryptedPOP",
        "1.3.6.1.5.5.7.7.10": "id-cmc-decryptedPOP",
        "1.3.6.1.5.5.7.7.11": "id-cmc-lraPOPWitness",
        "1.3.6.1.5.5.7.7.15": "id-cmc-getCert",
        "1.3.6.1.5.5.7.7.16": "id-cmc-getCRL",
        "1.3.6.1.5.5.7.7.17": "id-cmc-revokeRequest",
        "1.3.6.1.5.5.7.7.24": "id-cmc-confirmCertAcceptance",
        "1.3.6.1.5.5.7.6.2": "id-alg-noSignature",
        "1.2.840.113549.1.9.16.2.34": "id-aa-cmc-unsignedData",
        "1.3.6.1.5.5.7.7.25": "id-cmc-statusInfoV2",
        "1.3.6.1.5.5.7.7.26": "id-cmc-trustedAnchors",
        "1.3.6.1.5.5.7.7.27": "id-cmc-authData",
        "1.3.6.1.5.5.7.7.28": "id-cmc-batchRequests",
        "1.3.6.1.5.5.7.7.29": "id-cmc-batchResponses",
        "1.3.6.1.5.5.7.7.30": "id-cmc-publishCert",
        "1.3.6.1.5.5.7.7.31": "id-cmc-modCertTemplate",
        "1.3.6.1.5.5.7.7.32": "id-cmc-controlProcessed",
        "1.3.6.1.5.5.7.7.33": "id-cmc-identityProofV2",
        "1.3.6.1.5.5.7.7.34": "id-cmc-popLinkWitnessV2",
        "1.3.6.1.5.5.7.7.35": "id-cmc-raIdentityWitness",
        "1.3.6.1.5.5.7.7.36": "id-cmc-changeSubjectName",
        "1.3.6.1.5.5.7.7.37": "id-cmc-responseBody",
    }
)


BodyPartID: TypeAlias = Annotated[int, Range(0, 2**32 - 1)]  # section 3.2.2


class TaggedAttribute(Sequence):
    """A control, with its number (RFC 5272 section 3.2.1.1).

    ::

        TaggedAttribute ::= SEQUENCE {
            bodyPartID         BodyPartID,
            attrType           CMC-CONTROL.&id({Cmc-Control-Set}),
            attrValues         SET OF CMC-CONTROL.&Type({Cmc-Control-Set}{@attrType})
        }
    """

    body_part_id: BodyPartID
    attr_type: ObjectIdentifier
    attr_values: SetOf[Annotated[Any, DefinedBy("attr_type", CMC_CONTROLS)]]


class TaggedCertificationRequest(Sequence):
    """A PKCS #10 request, with its number (RFC 5272 section 3.2.1.2.1).

    ::

        TaggedCertificationRequest ::= SEQUENCE {
            bodyPartID            BodyPartID,
            certificationRequest  CertificationRequest
        }
    """

    body_part_id: BodyPartID
    certification_request: CertificationRequest


class OtherRequest(Sequence):
    """A request in another format (RFC 5272 section 3.2.1.2.3)."""

    body_part_id: BodyPartID
    request_message_type: ObjectIdentifier
    request_message_value: Annotated[Any, DefinedBy("request_message_type", OTHER_REQUESTS)]


class TaggedRequest(Choice):
    """A request for a certificate (RFC 5272 section 3.2.1.2).

    ::

        TaggedRequest ::= CHOICE {
            tcr               [0] TaggedCertificationRequest,
            crm               [1] CertReqMsg,
            orm               [2] SEQUENCE {
                bodyPartID            BodyPartID,
                requestMessageType    OTHER-REQUEST.&id({OTHER_REQUESTS}),
                requestMessageValue   OTHER-REQUEST.&Type({OTHER_REQUESTS}
                                          {@.requestMessageType})
            }
        }
    """

    tcr: Annotated[TaggedCertificationRequest, Implicit(0)]
    crm: Annotated[CertReqMsg, Implicit(1)]
    orm: Annotated[OtherRequest, Implicit(2)]


class TaggedContentInfo(Sequence):
    """A CMS object, with its number (RFC 5272 section 3.2.1.3).

    ::

        TaggedContentInfo ::= SEQUENCE {
            bodyPartID              BodyPartID,
            contentInfo             ContentInfo
        }
    """

    body_part_id: BodyPartID
    content_info: ContentInfo


class OtherMsg(Sequence):
    """Another message, with its number (RFC 5272 section 3.2.1.4).

    ::

        OtherMsg ::= SEQUENCE {
            bodyPartID        BodyPartID,
            otherMsgType      OTHER-MSG.&id({OTHER_MESSAGES}),
            otherMsgValue     OTHER-MSG.&Type({OTHER_MESSAGES}{@otherMsgType}) }
    """

    body_part_id: BodyPartID
    other_msg_type: ObjectIdentifier
    other_msg_value: Annotated[Any, DefinedBy("other_msg_type", OTHER_MESSAGES)]


class PKIData(Sequence):
    """A request (RFC 5272 section 3.2.1).

    ::

        PKIData ::= SEQUENCE {
            controlSequence    SEQUENCE SIZE(0..MAX) OF TaggedAttribute,
            reqSequence        SEQUENCE SIZE(0..MAX) OF TaggedRequest,
            cmsSequence        SEQUENCE SIZE(0..MAX) OF TaggedContentInfo,
            otherMsgSequence   SEQUENCE SIZE(0..MAX) OF OtherMsg
        }
    """

    control_sequence: Annotated[SequenceOf[TaggedAttribute], Size(0, None)]
    req_sequence: Annotated[SequenceOf[TaggedRequest], Size(0, None)]
    cms_sequence: Annotated[SequenceOf[TaggedContentInfo], Size(0, None)]
    other_msg_sequence: Annotated[SequenceOf[OtherMsg], Size(0, None)]


class PKIResponse(Sequence):
    """A response (RFC 5272 section 3.2.2).

    ::

        PKIResponse ::= SEQUENCE {
            controlSequence   SEQUENCE SIZE(0..MAX) OF TaggedAttribute,
            cmsSequence       SEQUENCE SIZE(0..MAX) OF TaggedContentInfo,
            otherMsgSequence  SEQUENCE SIZE(0..MAX) OF OtherMsg
        }
    """

    control_sequence: Annotated[SequenceOf[TaggedAttribute], Size(0, None)]
    cms_sequence: Annotated[SequenceOf[TaggedContentInfo], Size(0, None)]
    other_msg_sequence: Annotated[SequenceOf[OtherMsg], Size(0, None)]


ResponseBody: TypeAlias = PKIResponse  # section 3.3


class CMCStatus(NamedInteger):
    """The status of a request (RFC 5272 section 6.1.3).

    ::

        CMCStatus ::= INTEGER {
            success         (0),
            failed          (2),
            pending         (3),
            noSupport       (4),
            confirmRequired (5),
            popRequired     (6),
            partial         (7)
        }
    """

    success = 0
    failed = 2
    pending = 3
    no_support = 4
    confirm_required = 5
    pop_required = 6
    partial = 7


class CMCFailInfo(NamedInteger):
    """Why a request failed (RFC 5272 section 6.1.4).

    ::

        CMCFailInfo ::= INTEGER {
            badAlg          (0),
            badMessageCheck (1),
            badRequest      (2),
            badTime         (3),
            badCertId       (4),
            unsuportedExt   (5),
            mustArchiveKeys (6),
            badIdentity     (7),
            popRequired     (8),
            popFailed       (9),
            noKeyReuse      (10),
            internalCAError (11),
            tryLater        (12),
            authDataFail    (13)
        }
    """

    bad_alg = 0
    bad_message_check = 1
    bad_request = 2
    bad_time = 3
    bad_cert_id = 4
    unsuported_ext = 5
    must_archive_keys = 6
    bad_identity = 7
    pop_required = 8
    pop_failed = 9
    no_key_reuse = 10
    internal_ca_error = 11
    try_later = 12
    auth_data_fail = 13


class PendInfo(Sequence):
    """When to ask again (RFC 5272 section 6.1.1).

    ::

        PendInfo ::= SEQUENCE {
            pendToken        OCTET STRING,
            pendTime         GeneralizedTime
        }
    """

    pend_token: OctetString
    pend_time: GeneralizedTime


class OtherInfo(Choice):
    """Why a request failed, or when to ask again (RFC 5272 section 6.1.2)."""

    fail_info: CMCFailInfo
    pend_info: PendInfo


class CMCStatusInfo(Sequence):
    """The status of requests, first version (RFC 5272 section 6.1.2).

    ::

        CMCStatusInfo ::= SEQUENCE {
            cMCStatus       CMCStatus,
            bodyList        SEQUENCE SIZE (1..MAX) OF BodyPartID,
            statusString    UTF8String OPTIONAL,
            otherInfo       CHOICE {
               failInfo         CMCFailInfo,
               pendInfo         PendInfo
            } OPTIONAL
        }
    """

    cmc_status: CMCStatus
    body_list: Annotated[SequenceOf[BodyPartID], Size(1, None)]
    status_string: UTF8String | None = None
    other_info: OtherInfo | None = None


class AddExtensions(Sequence):
    """Extensions that a registration authority adds, first version (RFC 5272 section 6.5.2).

    ::

        AddExtensions ::= SEQUENCE {
            pkiDataReference    BodyPartID,
            certReferences      SEQUENCE OF BodyPartID,
            extensions          SEQUENCE OF Extension{{CertExtensions}}
        }
    """

    pki_data_reference: BodyPartID
    cert_references: SequenceOf[BodyPartID]
    extensions: SequenceOf[Extension]


class EncryptedPOP(Sequence):
    """A challenge: proof that the client can decrypt (RFC 5272 section 6.7).

    ::

        EncryptedPOP ::= SEQUENCE {
            request       TaggedRequest,
            cms             ContentInfo,
            thePOPAlgID     AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
            witnessAlgID    AlgorithmIdentifier{DIGEST-ALGORITHM,
                                {WitnessAlgs}},
            witness         OCTET STRING
        }
    """

    request: TaggedRequest
    cms: ContentInfo
    the_pop_alg_id: AlgorithmIdentifier
    witness_alg_id: AlgorithmIdentifier
    witness: OctetString


class DecryptedPOP(Sequence):
    """The answer to `EncryptedPOP` (RFC 5272 section 6.7).

    ::

        DecryptedPOP ::= SEQUENCE {
            bodyPartID      BodyPartID,
            thePOPAlgID     AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
            thePOP          OCTET STRING
        }
    """

    body_part_id: BodyPartID
    the_pop_alg_id: AlgorithmIdentifier
    the_pop: OctetString


class LraPopWitness(Sequence):
    """A registration authority has checked the proofs of possession (RFC 5272 section 6.8).

    ::

        LraPopWitness ::= SEQUENCE {
            pkiDataBodyid   BodyPartID,
            bodyIds         SEQUENCE OF BodyPartID
        }
    """

    pki_data_bodyid: BodyPartID
    body_ids: SequenceOf[BodyPartID]


class GetCert(Sequence):
    """Asks for a certificate (RFC 5272 section 6.9).

    ::

        GetCert ::= SEQUENCE {
            issuerName      GeneralName,
            serialNumber    INTEGER }
    """

    issuer_name: GeneralName
    serial_number: int


class GetCRL(Sequence):
    """Asks for a CRL (RFC 5272 section 6.10).

    ::

        GetCRL ::= SEQUENCE {
            issuerName    Name,
            cRLName       GeneralName OPTIONAL,
            time          GeneralizedTime OPTIONAL,
            reasons       ReasonFlags OPTIONAL }
    """

    issuer_name: Name
    crl_name: GeneralName | None = None
    time: GeneralizedTime | None = None
    reasons: ReasonFlags | None = None


class RevokeRequest(Sequence):
    """Asks to revoke a certificate (RFC 5272 section 6.11).

    ::

        RevokeRequest ::= SEQUENCE {
            issuerName            Name,
            serialNumber          INTEGER,
            reason                CRLReason,
            invalidityDate         GeneralizedTime OPTIONAL,
            passphrase            OCTET STRING OPTIONAL,
            comment               UTF8String OPTIONAL }
    """

    issuer_name: Name
    serial_number: int
    reason: CRLReason
    invalidity_date: GeneralizedTime | None = None
    passphrase: OctetString | None = None
    comment: UTF8String | None = None


CMCCertId: TypeAlias = IssuerAndSerialNumber  # section 6.17
NoSignatureValue: TypeAlias = OctetString  # section 3.2


class BodyPartPath(SequenceOf[BodyPartID], size=Size(1, None)):
    """A part inside nested messages (RFC 5272 section 3.2.2).

    ::

        BodyPartPath ::= SEQUENCE SIZE (1..MAX) OF BodyPartID
    """


class CMCUnsignedData(Sequence):
    """Data that is not signed (RFC 5272 section 3.2.2).

    ::

        CMCUnsignedData ::= SEQUENCE {
            bodyPartPath        BodyPartPath,
            identifier          TYPE-IDENTIFIER.&id,
            content             TYPE-IDENTIFIER.&Type
        }
    """

    body_part_path: BodyPartPath
    identifier: ObjectIdentifier
    content: Annotated[Any, DefinedBy("identifier", UNSIGNED_DATA)]


class BodyPartReference(Choice):
    """A part of a message (RFC 5272 section 6.1.1).

    ::

        BodyPartReference ::= CHOICE {
           bodyPartID           BodyPartID,
           bodyPartPath         BodyPartPath
        }
    """

    body_part_id: BodyPartID
    body_part_path: BodyPartPath


class ExtendedFailInfo(Sequence):
    """A reason that another specification defines (RFC 5272 section 6.1.1)."""

    fail_info_oid: ObjectIdentifier
    fail_info_value: Annotated[Any, DefinedBy("fail_info_oid", EXTENDED_FAILURES)]


class OtherInfoV2(Choice):
    """Why a request failed, or when to ask again (RFC 5272 section 6.1.1)."""

    fail_info: CMCFailInfo
    pend_info: PendInfo
    extended_fail_info: Annotated[ExtendedFailInfo, Implicit(1)]


class CMCStatusInfoV2(Sequence):
    """The status of requests (RFC 5272 section 6.1.1).

    ::

        CMCStatusInfoV2 ::= SEQUENCE {
           cMCStatus             CMCStatus,
           bodyList              SEQUENCE SIZE (1..MAX) OF
                                          BodyPartReference,
           statusString          UTF8String OPTIONAL,
           otherInfo             CHOICE {
               failInfo               CMCFailInfo,
               pendInfo               PendInfo,
               extendedFailInfo       [1] SEQUENCE {
                  failInfoOID            TYPE-IDENTIFIER.&id
                                             ({EXTENDED_FAILURES}),
                  failInfoValue          TYPE-IDENTIFIER.&Type
                                             ({EXTENDED_FAILURES}
                                                 {@.failInfoOID})
               }
            } OPTIONAL
        }
    """

    cmc_status: CMCStatus
    body_list: Annotated[SequenceOf[BodyPartReference], Size(1, None)]
    status_string: UTF8String | None = None
    other_info: OtherInfoV2 | None = None


class PublishTrustAnchors(Sequence):
    """Trust anchors by their hash values (RFC 5272 section 6.15).

    ::

        PublishTrustAnchors ::= SEQUENCE {
            seqNumber      INTEGER,
            hashAlgorithm  AlgorithmIdentifier{DIGEST-ALGORITHM,
                               {HashAlgorithms}},
            anchorHashes   SEQUENCE OF OCTET STRING
        }
    """

    seq_number: int
    hash_algorithm: AlgorithmIdentifier
    anchor_hashes: SequenceOf[OctetString]


AuthPublish: TypeAlias = BodyPartID  # section 6.15


class BodyPartList(SequenceOf[BodyPartID], size=Size(1, None)):
    """Parts of a message (RFC 5272 section 6.17).

    ::

        BodyPartList ::= SEQUENCE SIZE (1..MAX) OF BodyPartID
    """


class CMCPublicationInfo(Sequence):
    """Where certificates are published (RFC 5272 section 6.18).

    ::

        CMCPublicationInfo ::= SEQUENCE {
            hashAlg        AlgorithmIdentifier{DIGEST-ALGORITHM,
                                 {HashAlgorithms}},
            certHashes     SEQUENCE OF OCTET STRING,
            pubInfo        PKIPublicationInfo
        }
    """

    hash_alg: AlgorithmIdentifier
    cert_hashes: SequenceOf[OctetString]
    pub_info: PKIPublicationInfo


class ModCertTemplate(Sequence):
    """Changes that a registration authority makes to a request (RFC 5272 section 6.5.1).

    ::

        ModCertTemplate ::= SEQUENCE {
            pkiDataReference             BodyPartPath,
            certReferences               BodyPartList,
            replace                      BOOLEAN DEFAULT TRUE,
            certTemplate                 CertTemplate
        }
    """

    pki_data_reference: BodyPartPath
    cert_references: BodyPartList
    replace_: bool = True
    cert_template: CertTemplate


class ControlsProcessed(Sequence):
    """The controls that a registration authority has processed (RFC 5272 section 6.19).

    ::

        ControlsProcessed ::= SEQUENCE {
            bodyList              SEQUENCE SIZE(1..MAX) OF BodyPartReference
        }
    """

    body_list: Annotated[SequenceOf[BodyPartReference], Size(1, None)]


class IdentityProofV2(Sequence):
    """Proof of identity by a shared secret (RFC 5272 section 6.2.1).

    ::

        IdentityProofV2 ::= SEQUENCE {
            proofAlgID       AlgorithmIdentifier{DIGEST-ALGORITHM,
                                 {WitnessAlgs}},
            macAlgId         AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
            witness          OCTET STRING
        }
    """

    proof_alg_id: AlgorithmIdentifier
    mac_alg_id: AlgorithmIdentifier
    witness: OctetString


class ChangeSubjectName(Sequence):
    """Another name for the subject; at least one of the fields is present (RFC 6402 section 2.8, erratum 3943).

    ::

        ChangeSubjectName ::= SEQUENCE {
            subject             Name OPTIONAL,
            subjectAlt          [1] GeneralNames OPTIONAL }
    """

    subject: Name | None = None
    subject_alt: Annotated[GeneralNames, Implicit(1)] | None = None


class PopLinkWitnessV2(Sequence):
    """Links the proof of identity to the proof of possession (RFC 5272 section 6.3.1).

    ::

        PopLinkWitnessV2 ::= SEQUENCE {
            keyGenAlgorithm   AlgorithmIdentifier{KEY-DERIVATION,
                                  {KeyDevAlgs}},
            macAlgorithm      AlgorithmIdentifier{MAC-ALGORITHM, {POPAlgs}},
            witness           OCTET STRING
        }
    """

    key_gen_algorithm: AlgorithmIdentifier
    mac_algorithm: AlgorithmIdentifier
    witness: OctetString


for _oid, _type in (
    (id_cmc_status_info, CMCStatusInfo),
    (id_cmc_identification, UTF8String),
    (id_cmc_identity_proof, OctetString),
    (id_cmc_data_return, OctetString),
    (id_cmc_transaction_id, int),
    (id_cmc_sender_nonce, OctetString),
    (id_cmc_recipient_nonce, OctetString),
    (id_cmc_add_extensions, AddExtensions),
    (id_cmc_encrypted_pop, EncryptedPOP),
    (id_cmc_decrypted_pop, DecryptedPOP),
    (id_cmc_lra_pop_witness, LraPopWitness),
    (id_cmc_get_cert, GetCert),
    (id_cmc_get_crl, GetCRL),
    (id_cmc_revoke_request, RevokeRequest),
    (id_cmc_reg_info, OctetString),
    (id_cmc_response_info, OctetString),
    (id_cmc_query_pending, OctetString),
    (id_cmc_pop_link_random, OctetString),
    (id_cmc_pop_link_witness, OctetString),
    (id_cmc_confirm_cert_acceptance, CMCCertId),
    (id_cmc_status_info_v2, CMCStatusInfoV2),
    (id_cmc_trusted_anchors, PublishTrustAnchors),
    (id_cmc_auth_data, AuthPublish),
    (id_cmc_batch_requests, BodyPartList),
    (id_cmc_batch_responses, BodyPartList),
    (id_cmc_publish_cert, CMCPublicationInfo),
    (id_cmc_mod_cert_template, ModCertTemplate),
    (id_cmc_control_processed, ControlsProcessed),
    (id_cmc_identity_proof_v2, IdentityProofV2),
    (id_cmc_pop_link_witness_v2, PopLinkWitnessV2),
    (id_cmc_ra_identity_witness, BodyPartPath),
    (id_cmc_change_subject_name, ChangeSubjectName),
    (id_cmc_response_body, BodyPartPath),
):
    CMC_CONTROLS.register(_oid, _type)
ATTRIBUTES.register(id_aa_cmc_unsigned_data, CMCUnsignedData)
ALGORITHMS.register(id_alg_no_signature, Null)

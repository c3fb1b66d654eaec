"""Certificate Management over CMS: RFC 5272, with RFC 6402.

A request is a `PKIData`, and a response a `PKIResponse`, each in a signed CMS object. The controls of `TaggedAttribute`
have the types of the table `CMC_CONTROLS`.

    >>> control = {"body_part_id": 1, "attr_type": id_cmc_transaction_id, "attr_values": [7]}
    >>> others: dict[str, list[object]] = {"req_sequence": [], "cms_sequence": [], "other_msg_sequence": []}
    >>> data = PKIData.from_native({"control_sequence": [control], **others})
    >>> PKIData.decode(data.encode()).control_sequence[0].attr_values[:]
    (7,)
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    DefinedBy,
    Null,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    UTF8String,
)
from derlib.schemas.algorithms import ALGORITHMS
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cmc_controls import (
    AddExtensions,
    AuthPublish,
    BodyPartList,
    BodyPartPath,
    BodyPartReference,
    ChangeSubjectName,
    CMCCertId,
    CMCFailInfo,
    CMCPublicationInfo,
    CMCStatus,
    CMCStatusInfo,
    CMCStatusInfoV2,
    CMCUnsignedData,
    ControlsProcessed,
    DecryptedPOP,
    EncryptedPOP,
    ExtendedFailInfo,
    GetCert,
    GetCRL,
    IdentityProofV2,
    LraPopWitness,
    ModCertTemplate,
    NoSignatureValue,
    OtherInfo,
    OtherInfoV2,
    PendInfo,
    PopLinkWitnessV2,
    PublishTrustAnchors,
    RevokeRequest,
)
from derlib.schemas.cmc_identifiers import (
    CMC_CONTROLS,
    EXTENDED_FAILURES,
    OTHER_MESSAGES,
    OTHER_REQUESTS,
    UNSIGNED_DATA,
    id_aa_cmc_unsigned_data,
    id_alg_no_signature,
    id_cct_pki_data,
    id_cct_pki_response,
    id_cmc_add_extensions,
    id_cmc_auth_data,
    id_cmc_batch_requests,
    id_cmc_batch_responses,
    id_cmc_change_subject_name,
    id_cmc_confirm_cert_acceptance,
    id_cmc_control_processed,
    id_cmc_data_return,
    id_cmc_decrypted_pop,
    id_cmc_encrypted_pop,
    id_cmc_get_cert,
    id_cmc_get_crl,
    id_cmc_identification,
    id_cmc_identity_proof,
    id_cmc_identity_proof_v2,
    id_cmc_lra_pop_witness,
    id_cmc_mod_cert_template,
    id_cmc_pop_link_random,
    id_cmc_pop_link_witness,
    id_cmc_pop_link_witness_v2,
    id_cmc_publish_cert,
    id_cmc_query_pending,
    id_cmc_ra_identity_witness,
    id_cmc_recipient_nonce,
    id_cmc_reg_info,
    id_cmc_response_body,
    id_cmc_response_info,
    id_cmc_revoke_request,
    id_cmc_sender_nonce,
    id_cmc_status_info,
    id_cmc_status_info_v2,
    id_cmc_transaction_id,
    id_cmc_trusted_anchors,
)
from derlib.schemas.cmc_requests import (
    BodyPartID,
    OtherRequest,
    TaggedCertificationRequest,
    TaggedRequest,
)
from derlib.schemas.cms import ContentInfo
from derlib.schemas.crmf import CertReqMsg
from derlib.schemas.csr import CertificationRequest

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

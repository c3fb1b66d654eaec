"""Trust Anchor Management Protocol, TAMP: RFC 5934.

A manager changes the trust anchors of devices. Import this module to read and build its messages, which are the
contents of a `derlib.schemas.cms.ContentInfo`, signed or not. The module of RFC 5934 has implicit tags. derlib does
not verify signatures.

    >>> from derlib import NULL
    >>> everything = TAMPMsgRef(target=TargetIdentifier(all_modules=NULL), seq_num=7)
    >>> query = TAMPStatusQuery(query=everything)
    >>> content = ContentInfo(content_type=id_ct_tamp_status_query, content=query)
    >>> ContentInfo.decode(content.encode()).content.query.seq_num
    7
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import Choice, Implicit, ObjectIdentifier, OctetString, Sequence
from derlib._register import register_type
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES, Name
from derlib.schemas.cms import CONTENT_TYPES, ContentInfo
from derlib.schemas.extensions import known_extension
from derlib.schemas.general import AnotherName
from derlib.schemas.tamp_types import (
    Community,
    CommunityIdentifierList,
    HardwareModuleIdentifierList,
    HardwareModules,
    HardwareSerialBlock,
    HardwareSerialEntry,
    KeyIdentifiers,
    SeqNumber,
    StatusCode,
    TAMPMsgRef,
    TAMPSequenceNumber,
    TAMPSequenceNumbers,
    TAMPVersion,
    TargetIdentifier,
    TerseOrVerbose,
    TrustAnchorChoiceList,
)
from derlib.schemas.tamp_updates import (
    ApexUpdateConfirm,
    CommunityConfirm,
    CommunityUpdates,
    StatusCodeList,
    TAMPApexUpdate,
    TAMPApexUpdateConfirm,
    TAMPCommunityUpdate,
    TAMPCommunityUpdateConfirm,
    TAMPUpdate,
    TAMPUpdateConfirm,
    TBSCertificateChangeInfo,
    TrustAnchorChangeInfo,
    TrustAnchorChangeInfoChoice,
    TrustAnchorUpdate,
    UpdateConfirm,
    VerboseApexUpdateConfirm,
    VerboseCommunityConfirm,
    VerboseUpdateConfirm,
)
from derlib.schemas.trust_anchors import CertPathControls, TrustAnchorChoice
from derlib.schemas.x509 import Extensions, SubjectPublicKeyInfo, Validity

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AlgorithmIdentifier",
    "ApexContingencyKey",
    "ApexUpdateConfirm",
    "CertPathControls",
    "Community",
    "CommunityConfirm",
    "CommunityIdentifierList",
    "CommunityUpdates",
    "ContentInfo",
    "Extensions",
    "HardwareModuleIdentifierList",
    "HardwareModules",
    "HardwareSerialBlock",
    "HardwareSerialEntry",
    "KeyIdentifiers",
    "Name",
    "AnotherName",
    "PlaintextSymmetricKey",
    "SeqNumber",
    "SequenceNumberAdjust",
    "SequenceNumberAdjustConfirm",
    "StatusCode",
    "StatusCodeList",
    "StatusResponse",
    "SubjectPublicKeyInfo",
    "TAMPApexUpdate",
    "TAMPApexUpdateConfirm",
    "TAMPCommunityUpdate",
    "TAMPCommunityUpdateConfirm",
    "TAMPError",
    "TAMPMsgRef",
    "TAMPSequenceNumber",
    "TAMPSequenceNumbers",
    "TAMPStatusQuery",
    "TAMPStatusResponse",
    "TAMPUpdate",
    "TAMPUpdateConfirm",
    "TAMPVersion",
    "TBSCertificateChangeInfo",
    "TargetIdentifier",
    "TerseOrVerbose",
    "TerseStatusResponse",
    "TrustAnchorChangeInfo",
    "TrustAnchorChangeInfoChoice",
    "TrustAnchorChoice",
    "TrustAnchorChoiceList",
    "TrustAnchorUpdate",
    "UpdateConfirm",
    "Validity",
    "VerboseApexUpdateConfirm",
    "VerboseCommunityConfirm",
    "VerboseStatusResponse",
    "VerboseUpdateConfirm",
    "id_aa_tamp_contingency_public_key_decrypt_key",
    "id_ct_tamp_apex_update",
    "id_ct_tamp_apex_update_confirm",
    "id_ct_tamp_community_update",
    "id_ct_tamp_community_update_confirm",
    "id_ct_tamp_error",
    "id_ct_tamp_seq_num_adjust",
    "id_ct_tamp_seq_num_adjust_confirm",
    "id_ct_tamp_status_query",
    "id_ct_tamp_status_response",
    "id_ct_tamp_update",
    "id_ct_tamp_update_confirm",
    "id_pe_wrapped_apex_contin_key",
]

PlaintextSymmetricKey: TypeAlias = OctetString  # appendix A.1


# --- The status of a device


class TAMPStatusQuery(Sequence):
    """The question for the trust anchors of devices (RFC 5934 section 4.1).

    ::

        TAMPStatusQuery ::= SEQUENCE {
            version   [0] TAMPVersion DEFAULT v2,
            terse     [1] TerseOrVerbose DEFAULT verbose,
            query     TAMPMsgRef }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    terse: Annotated[TerseOrVerbose, Implicit(1)] = TerseOrVerbose.verbose
    query: TAMPMsgRef


class TerseStatusResponse(Sequence):
    """The keys of the trust anchors (RFC 5934 section 4.2).

    ::

        TerseStatusResponse ::= SEQUENCE {
            taKeyIds      KeyIdentifiers,
            communities   CommunityIdentifierList OPTIONAL }
    """

    ta_key_ids: KeyIdentifiers
    communities: CommunityIdentifierList | None = None


class VerboseStatusResponse(Sequence):
    """The trust anchors (RFC 5934 section 4.2).

    ::

        VerboseStatusResponse ::= SEQUENCE {
            taInfo                   TrustAnchorChoiceList,
            continPubKeyDecryptAlg   [0] AlgorithmIdentifier OPTIONAL,
            communities              [1] CommunityIdentifierList OPTIONAL,
            tampSeqNumbers           [2] TAMPSequenceNumbers OPTIONAL }
    """

    ta_info: TrustAnchorChoiceList
    contin_pub_key_decrypt_alg: Annotated[AlgorithmIdentifier, Implicit(0)] | None = None
    communities: Annotated[CommunityIdentifierList, Implicit(1)] | None = None
    tamp_seq_numbers: Annotated[TAMPSequenceNumbers, Implicit(2)] | None = None


class StatusResponse(Choice):
    """The answer, as short or as long as the query asks for (RFC 5934 section 4.2).

    ::

        StatusResponse ::= CHOICE {
            terseResponse     [0] TerseStatusResponse,
            verboseResponse   [1] VerboseStatusResponse }
    """

    terse_response: Annotated[TerseStatusResponse, Implicit(0)]
    verbose_response: Annotated[VerboseStatusResponse, Implicit(1)]


class TAMPStatusResponse(Sequence):
    """The trust anchors of a device (RFC 5934 section 4.2).

    ::

        TAMPStatusResponse ::= SEQUENCE {
            version    [0] TAMPVersion DEFAULT v2,
            query      TAMPMsgRef,
            response   StatusResponse,
            usesApex   BOOLEAN DEFAULT TRUE }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    query: TAMPMsgRef
    response: StatusResponse
    uses_apex: bool = True


# --- The numbers of messages, and errors


class SequenceNumberAdjust(Sequence):
    """The number of the last message, for devices that were out of reach (RFC 5934 section 4.9).

    ::

        SequenceNumberAdjust ::= SEQUENCE {
            version   [0] TAMPVersion DEFAULT v2,
            msgRef    TAMPMsgRef }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    msg_ref: TAMPMsgRef


class SequenceNumberAdjustConfirm(Sequence):
    """The answer to an adjustment (RFC 5934 section 4.10).

    ::

        SequenceNumberAdjustConfirm ::= SEQUENCE {
            version   [0] TAMPVersion DEFAULT v2,
            adjust    TAMPMsgRef,
            status    StatusCode }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    adjust: TAMPMsgRef
    status: StatusCode


class TAMPError(Sequence):
    """Why a message was refused (RFC 5934 section 4.11).

    ::

        TAMPError ::= SEQUENCE {
            version   [0] TAMPVersion DEFAULT v2,
            msgType   OBJECT IDENTIFIER,
            status    StatusCode,
            msgRef    TAMPMsgRef OPTIONAL }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    msg_type: ObjectIdentifier
    status: StatusCode
    msg_ref: TAMPMsgRef | None = None


class ApexContingencyKey(Sequence):
    """The encrypted key that can replace the one of the apex trust anchor, an extension (RFC 5934 appendix A.1).

    ::

        ApexContingencyKey ::= SEQUENCE {
            wrapAlgorithm         AlgorithmIdentifier,
            wrappedContinPubKey   OCTET STRING }
    """

    wrap_algorithm: AlgorithmIdentifier
    wrapped_contin_pub_key: OctetString


def _message(number: int, name: str, syntax: Any) -> ObjectIdentifier:
    return register_type(CONTENT_TYPES, f"2.16.840.1.101.2.1.2.77.{number}", name, syntax)


id_ct_tamp_status_query = _message(1, "id-ct-TAMP-statusQuery", TAMPStatusQuery)
id_ct_tamp_status_response = _message(2, "id-ct-TAMP-statusResponse", TAMPStatusResponse)
id_ct_tamp_update = _message(3, "id-ct-TAMP-update", TAMPUpdate)
id_ct_tamp_update_confirm = _message(4, "id-ct-TAMP-updateConfirm", TAMPUpdateConfirm)
id_ct_tamp_apex_update = _message(5, "id-ct-TAMP-apexUpdate", TAMPApexUpdate)
id_ct_tamp_apex_update_confirm = _message(6, "id-ct-TAMP-apexUpdateConfirm", TAMPApexUpdateConfirm)
id_ct_tamp_community_update = _message(7, "id-ct-TAMP-communityUpdate", TAMPCommunityUpdate)
id_ct_tamp_community_update_confirm = _message(8, "id-ct-TAMP-communityUpdateConfirm", TAMPCommunityUpdateConfirm)
id_ct_tamp_error = _message(9, "id-ct-TAMP-error", TAMPError)
id_ct_tamp_seq_num_adjust = _message(10, "id-ct-TAMP-seqNumAdjust", SequenceNumberAdjust)
id_ct_tamp_seq_num_adjust_confirm = _message(11, "id-ct-TAMP-seqNumAdjustConfirm", SequenceNumberAdjustConfirm)

id_pe_wrapped_apex_contin_key = known_extension(
    "1.3.6.1.5.5.7.1.20", "id-pe-wrappedApexContinKey", ApexContingencyKey
)
id_aa_tamp_contingency_public_key_decrypt_key = ObjectIdentifier("2.16.840.1.101.2.1.5.63")
register_known({id_aa_tamp_contingency_public_key_decrypt_key.dotted: "id-aa-TAMP-contingencyPublicKeyDecryptKey"})
ATTRIBUTES.register(id_aa_tamp_contingency_public_key_decrypt_key, PlaintextSymmetricKey)

"""Trust Anchor Management Protocol, TAMP: RFC 5934.

A manager changes the trust anchors of devices. Import this module to read and build its messages, which are the
contents of a `derlib.schemas.cms.ContentInfo`, signed or not. The module of RFC 5934 has implicit tags. derlib does
not verify signatures.

    >>> from derlib import NULL
    >>> query = TAMPStatusQuery(query={"target": {"all_modules": NULL}, "seq_num": 7})
    >>> content = ContentInfo(content_type=id_ct_tamp_status_query, content=query)
    >>> ContentInfo.decode(content.encode()).content.query.seq_num
    7
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    Enumerated,
    Explicit,
    IA5String,
    Implicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    Present,
    Range,
    Sequence,
    SequenceOf,
    Size,
    WithComponents,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES, Name
from derlib.schemas.cms import CONTENT_TYPES, ContentInfo
from derlib.schemas.extensions import CertificateSerialNumber, register_extension
from derlib.schemas.general import AnotherName
from derlib.schemas.trust_anchors import CertPathControls, KeyIdentifier, TrustAnchorChoice, TrustAnchorTitle
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

Community: TypeAlias = ObjectIdentifier  # section 4.1
SeqNumber: TypeAlias = Annotated[int, Range(0, 9223372036854775807)]  # section 4.1
PlaintextSymmetricKey: TypeAlias = OctetString  # appendix A.1


# --- The device and the message, in all messages


class TAMPVersion(NamedInteger):
    """The version of a message (RFC 5934 section 4.1).

    ::

        TAMPVersion ::= INTEGER { v1(1), v2(2) }
    """

    v1 = 1
    v2 = 2


class TerseOrVerbose(Enumerated):
    """How much the device should answer (RFC 5934 section 4.1).

    ::

        TerseOrVerbose ::= ENUMERATED { terse(1), verbose(2) }
    """

    terse = 1
    verbose = 2


class HardwareSerialBlock(Sequence):
    """The first and the last serial number of a range (RFC 5934 section 4.1, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            low    OCTET STRING,
            high   OCTET STRING }
    """

    low: OctetString
    high: OctetString


class HardwareSerialEntry(Choice):
    """Serial numbers of devices (RFC 5934 section 4.1).

    ::

        HardwareSerialEntry ::= CHOICE {
            all      NULL,
            single   OCTET STRING,
            block    SEQUENCE {
                low    OCTET STRING,
                high   OCTET STRING } }
    """

    all: Null
    single: OctetString
    block: HardwareSerialBlock


class HardwareModules(Sequence):
    """Devices of one type (RFC 5934 section 4.1).

    ::

        HardwareModules ::= SEQUENCE {
            hwType            OBJECT IDENTIFIER,
            hwSerialEntries   SEQUENCE SIZE (1..MAX) OF HardwareSerialEntry }
    """

    hw_type: ObjectIdentifier
    hw_serial_entries: Annotated[SequenceOf[HardwareSerialEntry], Size(1, None)]


class HardwareModuleIdentifierList(SequenceOf[HardwareModules], size=Size(1, None)):
    """Devices (RFC 5934 section 4.1).

    ::

        HardwareModuleIdentifierList ::= SEQUENCE SIZE (1..MAX) OF HardwareModules
    """


class CommunityIdentifierList(SequenceOf[Community]):
    """Communities of devices (RFC 5934 section 4.1).

    ::

        CommunityIdentifierList ::= SEQUENCE SIZE (0..MAX) OF Community   -- OBJECT IDENTIFIER
    """


class TargetIdentifier(Choice):
    """The devices to which the message is sent (RFC 5934 section 4.1).

    ::

        TargetIdentifier ::= CHOICE {
            hwModules     [1] HardwareModuleIdentifierList,
            communities   [2] CommunityIdentifierList,
            allModules    [3] NULL,
            uri           [4] IA5String,
            otherName     [5] AnotherName }
    """

    hw_modules: Annotated[HardwareModuleIdentifierList, Implicit(1)]
    communities: Annotated[CommunityIdentifierList, Implicit(2)]
    all_modules: Annotated[Null, Implicit(3)]
    uri: Annotated[IA5String, Implicit(4)]
    other_name: Annotated[AnotherName, Implicit(5)]


class TAMPMsgRef(Sequence):
    """The devices, and the number of the message (RFC 5934 section 4.1).

    ::

        TAMPMsgRef ::= SEQUENCE {
            target   TargetIdentifier,
            seqNum   SeqNumber }   -- INTEGER (0..9223372036854775807)
    """

    target: TargetIdentifier
    seq_num: SeqNumber


class KeyIdentifiers(SequenceOf[KeyIdentifier], size=Size(1, None)):
    """Keys of trust anchors (RFC 5934 section 4.2).

    ::

        KeyIdentifiers ::= SEQUENCE SIZE (1..MAX) OF KeyIdentifier
    """


class TrustAnchorChoiceList(SequenceOf[TrustAnchorChoice], size=Size(1, None)):
    """Trust anchors (RFC 5934 section 4.2).

    ::

        TrustAnchorChoiceList ::= SEQUENCE SIZE (1..MAX) OF TrustAnchorChoice
    """


class TAMPSequenceNumber(Sequence):
    """The number of the last message of a signer (RFC 5934 section 4.2).

    ::

        TAMPSequenceNumber ::= SEQUENCE {
            keyId       KeyIdentifier,
            seqNumber   SeqNumber }
    """

    key_id: KeyIdentifier
    seq_number: SeqNumber


class TAMPSequenceNumbers(SequenceOf[TAMPSequenceNumber], size=Size(1, None)):
    """The numbers of the last messages of signers (RFC 5934 section 4.2).

    ::

        TAMPSequenceNumbers ::= SEQUENCE SIZE (1..MAX) OF TAMPSequenceNumber
    """


class StatusCode(Enumerated):
    """Success, or what went wrong (RFC 5934 section 5).

    ::

        StatusCode ::= ENUMERATED {
            success                              (0),
            decodeFailure                        (1),
            badContentInfo                       (2),
            badSignedData                        (3),
            badEncapContent                      (4),
            badCertificate                       (5),
            badSignerInfo                        (6),
            badSignedAttrs                       (7),
            badUnsignedAttrs                     (8),
            missingContent                       (9),
            noTrustAnchor                        (10),
            notAuthorized                        (11),
            badDigestAlgorithm                   (12),
            badSignatureAlgorithm                (13),
            unsupportedKeySize                   (14),
            unsupportedParameters                (15),
            signatureFailure                     (16),
            insufficientMemory                   (17),
            unsupportedTAMPMsgType               (18),
            apexTAMPAnchor                       (19),
            improperTAAddition                   (20),
            seqNumFailure                        (21),
            contingencyPublicKeyDecrypt          (22),
            incorrectTarget                      (23),
            communityUpdateFailed                (24),
            trustAnchorNotFound                  (25),
            unsupportedTAAlgorithm               (26),
            unsupportedTAKeySize                 (27),
            unsupportedContinPubKeyDecryptAlg    (28),
            missingSignature                     (29),
            resourcesBusy                        (30),
            versionNumberMismatch                (31),
            missingPolicySet                     (32),
            revokedCertificate                   (33),
            unsupportedTrustAnchorFormat         (34),
            improperTAChange                     (35),
            malformed                            (36),
            cmsError                             (37),
            unsupportedTargetIdentifier          (38),
            other                                (127) }
    """

    success = 0
    decode_failure = 1
    bad_content_info = 2
    bad_signed_data = 3
    bad_encap_content = 4
    bad_certificate = 5
    bad_signer_info = 6
    bad_signed_attrs = 7
    bad_unsigned_attrs = 8
    missing_content = 9
    no_trust_anchor = 10
    not_authorized = 11
    bad_digest_algorithm = 12
    bad_signature_algorithm = 13
    unsupported_key_size = 14
    unsupported_parameters = 15
    signature_failure = 16
    insufficient_memory = 17
    unsupported_tamp_msg_type = 18
    apex_tamp_anchor = 19
    improper_ta_addition = 20
    seq_num_failure = 21
    contingency_public_key_decrypt = 22
    incorrect_target = 23
    community_update_failed = 24
    trust_anchor_not_found = 25
    unsupported_ta_algorithm = 26
    unsupported_ta_key_size = 27
    unsupported_contin_pub_key_decrypt_alg = 28
    missing_signature = 29
    resources_busy = 30
    version_number_mismatch = 31
    missing_policy_set = 32
    revoked_certificate = 33
    unsupported_trust_anchor_format = 34
    improper_ta_change = 35
    malformed = 36
    cms_error = 37
    unsupported_target_identifier = 38
    other = 127


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


# --- Changes of trust anchors


class TBSCertificateChangeInfo(Sequence):
    """New fields of a trust anchor that is a TBSCertificate; its public key finds it (RFC 5934 section 4.3).

    ::

        TBSCertificateChangeInfo ::= SEQUENCE {
            serialNumber           CertificateSerialNumber OPTIONAL,
            signature              [0] AlgorithmIdentifier OPTIONAL,
            issuer                 [1] Name OPTIONAL,
            validity               [2] Validity OPTIONAL,
            subject                [3] Name OPTIONAL,
            subjectPublicKeyInfo   [4] SubjectPublicKeyInfo,
            exts                   [5] EXPLICIT Extensions OPTIONAL }
    """

    serial_number: CertificateSerialNumber | None = None
    signature: Annotated[AlgorithmIdentifier, Implicit(0)] | None = None
    issuer: Annotated[Name, Explicit(1)] | None = None
    validity: Annotated[Validity, Implicit(2)] | None = None
    subject: Annotated[Name, Explicit(3)] | None = None
    subject_public_key_info: Annotated[SubjectPublicKeyInfo, Implicit(4)]
    exts: Annotated[Extensions, Explicit(5)] | None = None


class TrustAnchorChangeInfo(Sequence):
    """New fields of a trust anchor that is a TrustAnchorInfo; its public key finds it (RFC 5934 section 4.3).

    ::

        TrustAnchorChangeInfo ::= SEQUENCE {
            pubKey     SubjectPublicKeyInfo,
            keyId      KeyIdentifier OPTIONAL,
            taTitle    TrustAnchorTitle OPTIONAL,
            certPath   CertPathControls OPTIONAL,
            exts       [1] Extensions OPTIONAL }
    """

    pub_key: SubjectPublicKeyInfo
    key_id: KeyIdentifier | None = None
    ta_title: TrustAnchorTitle | None = None
    cert_path: CertPathControls | None = None
    exts: Annotated[Extensions, Implicit(1)] | None = None


class TrustAnchorChangeInfoChoice(Choice):
    """New fields of a trust anchor (RFC 5934 section 4.3).

    ::

        TrustAnchorChangeInfoChoice ::= CHOICE {
            tbsCertChange   [0] TBSCertificateChangeInfo,
            taChange        [1] TrustAnchorChangeInfo }
    """

    tbs_cert_change: Annotated[TBSCertificateChangeInfo, Implicit(0)]
    ta_change: Annotated[TrustAnchorChangeInfo, Implicit(1)]


class TrustAnchorUpdate(Choice):
    """One change: a new trust anchor, the key of one that is removed, or new fields (RFC 5934 section 4.3).

    ::

        TrustAnchorUpdate ::= CHOICE {
            add      [1] TrustAnchorChoice,
            remove   [2] SubjectPublicKeyInfo,
            change   [3] EXPLICIT TrustAnchorChangeInfoChoice }
    """

    add: Annotated[TrustAnchorChoice, Explicit(1)]
    remove: Annotated[SubjectPublicKeyInfo, Implicit(2)]
    change: Annotated[TrustAnchorChangeInfoChoice, Explicit(3)]


class TAMPUpdate(Sequence):
    """Changes of the trust anchors of devices (RFC 5934 section 4.3).

    ::

        TAMPUpdate ::= SEQUENCE {
            version          [0] TAMPVersion DEFAULT v2,
            terse            [1] TerseOrVerbose DEFAULT verbose,
            msgRef           TAMPMsgRef,
            updates          SEQUENCE SIZE (1..MAX) OF TrustAnchorUpdate,
            tampSeqNumbers   [2] TAMPSequenceNumbers OPTIONAL }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    terse: Annotated[TerseOrVerbose, Implicit(1)] = TerseOrVerbose.verbose
    msg_ref: TAMPMsgRef
    updates: Annotated[SequenceOf[TrustAnchorUpdate], Size(1, None)]
    tamp_seq_numbers: Annotated[TAMPSequenceNumbers, Implicit(2)] | None = None


class StatusCodeList(SequenceOf[StatusCode], size=Size(1, None)):
    """The result of each change, in their order (RFC 5934 section 4.4).

    ::

        StatusCodeList ::= SEQUENCE SIZE (1..MAX) OF StatusCode
    """


class VerboseUpdateConfirm(Sequence):
    """The result of each change, and the trust anchors after them (RFC 5934 section 4.4).

    ::

        VerboseUpdateConfirm ::= SEQUENCE {
            status           StatusCodeList,
            taInfo           TrustAnchorChoiceList,
            tampSeqNumbers   TAMPSequenceNumbers OPTIONAL,
            usesApex         BOOLEAN DEFAULT TRUE }
    """

    status: StatusCodeList
    ta_info: TrustAnchorChoiceList
    tamp_seq_numbers: TAMPSequenceNumbers | None = None
    uses_apex: bool = True


class UpdateConfirm(Choice):
    """The answer, as short or as long as the update asks for (RFC 5934 section 4.4).

    ::

        UpdateConfirm ::= CHOICE {
            terseConfirm     [0] TerseUpdateConfirm,   -- StatusCodeList
            verboseConfirm   [1] VerboseUpdateConfirm }
    """

    terse_confirm: Annotated[StatusCodeList, Implicit(0)]
    verbose_confirm: Annotated[VerboseUpdateConfirm, Implicit(1)]


class TAMPUpdateConfirm(Sequence):
    """The answer to an update (RFC 5934 section 4.4).

    ::

        TAMPUpdateConfirm ::= SEQUENCE {
            version   [0] TAMPVersion DEFAULT v2,
            update    TAMPMsgRef,
            confirm   UpdateConfirm }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    update: TAMPMsgRef
    confirm: UpdateConfirm


# --- The apex trust anchor


class TAMPApexUpdate(Sequence):
    """A new apex trust anchor, which controls all others (RFC 5934 section 4.5).

    ::

        TAMPApexUpdate ::= SEQUENCE {
            version             [0] TAMPVersion DEFAULT v2,
            terse               [1] TerseOrVerbose DEFAULT verbose,
            msgRef              TAMPMsgRef,
            clearTrustAnchors   BOOLEAN,
            clearCommunities    BOOLEAN,
            seqNumber           SeqNumber OPTIONAL,
            apexTA              TrustAnchorChoice }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    terse: Annotated[TerseOrVerbose, Implicit(1)] = TerseOrVerbose.verbose
    msg_ref: TAMPMsgRef
    clear_trust_anchors: bool
    clear_communities: bool
    seq_number: SeqNumber | None = None
    apex_ta: TrustAnchorChoice


class VerboseApexUpdateConfirm(Sequence):
    """The result, and the trust anchors after it (RFC 5934 section 4.6).

    ::

        VerboseApexUpdateConfirm ::= SEQUENCE {
            status           StatusCode,
            taInfo           TrustAnchorChoiceList,
            communities      [0] CommunityIdentifierList OPTIONAL,
            tampSeqNumbers   [1] TAMPSequenceNumbers OPTIONAL }
    """

    status: StatusCode
    ta_info: TrustAnchorChoiceList
    communities: Annotated[CommunityIdentifierList, Implicit(0)] | None = None
    tamp_seq_numbers: Annotated[TAMPSequenceNumbers, Implicit(1)] | None = None


class ApexUpdateConfirm(Choice):
    """The answer, as short or as long as the update asks for (RFC 5934 section 4.6).

    ::

        ApexUpdateConfirm ::= CHOICE {
            terseApexConfirm     [0] TerseApexUpdateConfirm,   -- StatusCode
            verboseApexConfirm   [1] VerboseApexUpdateConfirm }
    """

    terse_apex_confirm: Annotated[StatusCode, Implicit(0)]
    verbose_apex_confirm: Annotated[VerboseApexUpdateConfirm, Implicit(1)]


class TAMPApexUpdateConfirm(Sequence):
    """The answer to an update of the apex trust anchor (RFC 5934 section 4.6).

    ::

        TAMPApexUpdateConfirm ::= SEQUENCE {
            version       [0] TAMPVersion DEFAULT v2,
            apexReplace   TAMPMsgRef,
            apexConfirm   ApexUpdateConfirm }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    apex_replace: TAMPMsgRef
    apex_confirm: ApexUpdateConfirm


# --- Communities


class CommunityUpdates(Sequence):
    """Communities that the device leaves and joins (RFC 5934 section 4.7).

    ::

        CommunityUpdates ::= SEQUENCE {
            remove   [1] CommunityIdentifierList OPTIONAL,
            add      [2] CommunityIdentifierList OPTIONAL }
            -- At least one must be present
    """

    remove: Annotated[CommunityIdentifierList, Implicit(1)] | None = None
    add: Annotated[CommunityIdentifierList, Implicit(2)] | None = None


class TAMPCommunityUpdate(Sequence):
    """Changes of the communities of devices (RFC 5934 section 4.7).

    ::

        TAMPCommunityUpdate ::= SEQUENCE {
            version   [0] TAMPVersion DEFAULT v2,
            terse     [1] TerseOrVerbose DEFAULT verbose,
            msgRef    TAMPMsgRef,
            updates   CommunityUpdates }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    terse: Annotated[TerseOrVerbose, Implicit(1)] = TerseOrVerbose.verbose
    msg_ref: TAMPMsgRef
    updates: Annotated[CommunityUpdates, WithComponents(remove=Present) | WithComponents(add=Present)]


class VerboseCommunityConfirm(Sequence):
    """The result, and the communities after it (RFC 5934 section 4.8).

    ::

        VerboseCommunityConfirm ::= SEQUENCE {
            status        StatusCode,
            communities   CommunityIdentifierList OPTIONAL }
    """

    status: StatusCode
    communities: CommunityIdentifierList | None = None


class CommunityConfirm(Choice):
    """The answer, as short or as long as the update asks for (RFC 5934 section 4.8).

    ::

        CommunityConfirm ::= CHOICE {
            terseCommConfirm     [0] TerseCommunityConfirm,   -- StatusCode
            verboseCommConfirm   [1] VerboseCommunityConfirm }
    """

    terse_comm_confirm: Annotated[StatusCode, Implicit(0)]
    verbose_comm_confirm: Annotated[VerboseCommunityConfirm, Implicit(1)]


class TAMPCommunityUpdateConfirm(Sequence):
    """The answer to an update of communities (RFC 5934 section 4.8).

    ::

        TAMPCommunityUpdateConfirm ::= SEQUENCE {
            version       [0] TAMPVersion DEFAULT v2,
            update        TAMPMsgRef,
            commConfirm   CommunityConfirm }
    """

    version: Annotated[TAMPVersion, Implicit(0)] = TAMPVersion.v2
    update: TAMPMsgRef
    comm_confirm: CommunityConfirm


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
    oid = ObjectIdentifier(f"2.16.840.1.101.2.1.2.77.{number}")
    register_known({oid.dotted: name})
    CONTENT_TYPES.register(oid, syntax)
    return oid


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

id_pe_wrapped_apex_contin_key = register_extension(
    "1.3.6.1.5.5.7.1.20", "id-pe-wrappedApexContinKey", ApexContingencyKey
)
id_aa_tamp_contingency_public_key_decrypt_key = ObjectIdentifier("2.16.840.1.101.2.1.5.63")
register_known({id_aa_tamp_contingency_public_key_decrypt_key.dotted: "id-aa-TAMP-contingencyPublicKeyDecryptKey"})
ATTRIBUTES.register(id_aa_tamp_contingency_public_key_decrypt_key, PlaintextSymmetricKey)

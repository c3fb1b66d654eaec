"""The changes that TAMP makes: RFC 5934 sections 4.3 to 4.8.

Used by `derlib.schemas.tamp`: updates of trust anchors, of the apex trust anchor and of communities, and the answers to
them. Tags are implicit.

>>> from derlib.schemas.tamp import CommunityIdentifierList
>>> CommunityUpdates(add=CommunityIdentifierList(["2.999.1"])).encode().hex()
'3007a2050603883701'
"""

from __future__ import annotations

from typing import Annotated

from derlib import (
    Choice,
    Explicit,
    Implicit,
    Present,
    Sequence,
    SequenceOf,
    Size,
    WithComponents,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.extensions import CertificateSerialNumber
from derlib.schemas.tamp_types import (
    CommunityIdentifierList,
    SeqNumber,
    StatusCode,
    TAMPMsgRef,
    TAMPSequenceNumbers,
    TAMPVersion,
    TerseOrVerbose,
    TrustAnchorChoiceList,
)
from derlib.schemas.trust_anchors import CertPathControls, KeyIdentifier, TrustAnchorChoice, TrustAnchorTitle
from derlib.schemas.x509 import Extensions, SubjectPublicKeyInfo, Validity

_COMPILE_AT_FIRST_USE = True


# --- Trust anchors


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

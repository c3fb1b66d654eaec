"""The parts of TAMP messages: RFC 5934 sections 4.1, 4.2 and 5.

Used by `derlib.schemas.tamp`: the devices, the numbers of messages, lists of keys and of trust anchors, and the status
codes. Tags are implicit.

>>> from derlib import NULL
>>> TAMPMsgRef(target=TargetIdentifier(all_modules=NULL), seq_num=7).encode().hex()
'30058300020107'
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Choice,
    Enumerated,
    IA5String,
    Implicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    Range,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.schemas.general import AnotherName
from derlib.schemas.trust_anchors import KeyIdentifier, TrustAnchorChoice

_COMPILE_AT_FIRST_USE = True

Community: TypeAlias = ObjectIdentifier  # section 4.1
SeqNumber: TypeAlias = Annotated[int, Range(0, 9223372036854775807)]  # section 4.1


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

"""The controls of CMC: RFC 5272 section 6, RFC 6402 section 2.

Used by `derlib.schemas.cmc`, which registers the controls. The module has implicit tags.

>>> BodyPartPath([1, 2]).encode().hex()
'3006020101020102'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    GeneralizedTime,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.cmc_identifiers import (
    EXTENDED_FAILURES,
    UNSIGNED_DATA,
)
from derlib.schemas.cmc_requests import (
    BodyPartID,
    TaggedRequest,
)
from derlib.schemas.cms import ContentInfo, IssuerAndSerialNumber
from derlib.schemas.crl_extensions import CRLReason
from derlib.schemas.crmf import CertTemplate
from derlib.schemas.crmf_controls import PKIPublicationInfo
from derlib.schemas.extensions import ReasonFlags
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.x509 import Extension

_COMPILE_AT_FIRST_USE = True


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

"""Responses about the validation of certificates: RFC 5055 section 4.

Used by `derlib.schemas.scvp`. The module has implicit tags.

>>> ResponseStatus(status_code=CVStatusCode.bad_structure).encode().hex()
'30030a0114'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Enumerated,
    Explicit,
    GeneralizedTime,
    Implicit,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms import ContentInfo
from derlib.schemas.general import GeneralNames
from derlib.schemas.scvp_identifiers import (
    WANT_BACKS,
)
from derlib.schemas.scvp_request import (
    _SHA1,
    CertBundle,
    CertReference,
    CVRequest,
    RevocationInfos,
    ValidationPolicy,
)
from derlib.schemas.x509 import Extensions

_COMPILE_AT_FIRST_USE = True


class CVStatusCode(Enumerated, extensible=True):
    """The status of a response (RFC 5055 section 4.4).

    ::

        CVStatusCode ::= ENUMERATED {
           okay                               (0),
           skipUnrecognizedItems              (1),
           tooBusy                           (10),
           invalidRequest                    (11),
           internalError                     (12),
           badStructure                      (20),
           unsupportedVersion                (21),
           abortUnrecognizedItems            (22),
           unrecognizedSigKey                (23),
           badSignatureOrMAC                 (24),
           unableToDecode                    (25),
           notAuthorized                     (26),
           unsupportedChecks                 (27),
           unsupportedWantBacks              (28),
           unsupportedSignatureOrMAC         (29),
           invalidSignatureOrMAC             (30),
           protectedResponseUnsupported      (31),
           unrecognizedResponderName         (32),
           relayingLoop                      (40),
           unrecognizedValPol                (50),
           unrecognizedValAlg                (51),
           fullRequestInResponseUnsupported  (52),
           fullPolResponseUnsupported        (53),
           inhibitPolicyMappingUnsupported   (54),
           requireExplicitPolicyUnsupported  (55),
           inhibitAnyPolicyUnsupported       (56),
           validationTimeUnsupported         (57),
           unrecognizedCritQueryExt          (63),
           unrecognizedCritRequestExt        (64),
           ...
        }
    """

    okay = 0
    skip_unrecognized_items = 1
    too_busy = 10
    invalid_request = 11
    internal_error = 12
    bad_structure = 20
    unsupported_version = 21
    abort_unrecognized_items = 22
    unrecognized_sig_key = 23
    bad_signature_or_mac = 24
    unable_to_decode = 25
    not_authorized = 26
    unsupported_checks = 27
    unsupported_want_backs = 28
    unsupported_signature_or_mac = 29
    invalid_signature_or_mac = 30
    protected_response_unsupported = 31
    unrecognized_responder_name = 32
    relaying_loop = 40
    unrecognized_val_pol = 50
    unrecognized_val_alg = 51
    full_request_in_response_unsupported = 52
    full_pol_response_unsupported = 53
    inhibit_policy_mapping_unsupported = 54
    require_explicit_policy_unsupported = 55
    inhibit_any_policy_unsupported = 56
    validation_time_unsupported = 57
    unrecognized_crit_query_ext = 63
    unrecognized_crit_request_ext = 64


class ResponseStatus(Sequence):
    """The status of a response, with a message (RFC 5055 section 4.4).

    ::

        ResponseStatus ::= SEQUENCE {
           statusCode               CVStatusCode DEFAULT  okay,
           errorMessage             UTF8String OPTIONAL
        }
    """

    status_code: CVStatusCode = CVStatusCode.okay
    error_message: UTF8String | None = None


RespValidationPolicy: TypeAlias = ValidationPolicy  # section 4.5


class HashValue(Sequence):
    """A hash value (RFC 5055 section 4.6.1).

    ::

        HashValue ::= SEQUENCE {
            algorithm         AlgorithmIdentifier
                                  DEFAULT { algorithm mda-sha1.&id },
            value             OCTET STRING }
    """

    algorithm: AlgorithmIdentifier = _SHA1
    value: OctetString


class RequestReference(Choice):
    """The request that is answered (RFC 5055 section 4.6).

    ::

        RequestReference ::= CHOICE {
            requestHash   [0] HashValue, -- hash of CVRequest
            fullRequest   [1] CVRequest }
    """

    request_hash: Annotated[HashValue, Implicit(0)]
    full_request: Annotated[CVRequest, Implicit(1)]


class ReplyStatus(Enumerated):
    """The status of one certificate (RFC 5055 section 4.9.2).

    ::

        ReplyStatus ::= ENUMERATED {
            success                    (0),
            malformedPKC               (1),
            malformedAC                (2),
            unavailableValidationTime  (3),
            referenceCertHashFail      (4),
            certPathConstructFail      (5),
            certPathNotValid           (6),
            certPathNotValidNow        (7),
            wantBackUnsatisfied        (8)
        }
    """

    success = 0
    malformed_pkc = 1
    malformed_ac = 2
    unavailable_validation_time = 3
    reference_cert_hash_fail = 4
    cert_path_construct_fail = 5
    cert_path_not_valid = 6
    cert_path_not_valid_now = 7
    want_back_unsatisfied = 8


class ReplyCheck(Sequence):
    """The result of a check; `status` 0 is success (RFC 5055 section 4.9.4).

    ::

        ReplyCheck ::= SEQUENCE {
            check    OBJECT IDENTIFIER (CertCheckSet | ACertCheckSet, ... ),
            status   INTEGER DEFAULT 0
        }
    """

    check: ObjectIdentifier
    status: int = 0


class ReplyChecks(SequenceOf[ReplyCheck]):
    """The results of the checks (RFC 5055 section 4.9.4).

    ::

        ReplyChecks ::= SEQUENCE OF ReplyCheck
    """


class ReplyWantBack(Sequence):
    """Something that the client asked for (RFC 5055 section 4.9.5).

    ::

        ReplyWantBack::= SEQUENCE {
            wb     WANT-BACK.&id({WANT_BACKS}),
            value  OCTET STRING
                       (CONTAINING WANT-BACK.&Type({WANT_BACKS}{@wb}))
        }
    """

    wb: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("wb", WANT_BACKS)]


class ReplyWantBacks(SequenceOf[ReplyWantBack]):
    """What the client asked for (RFC 5055 section 4.9.5).

    ::

        ReplyWantBacks ::= SEQUENCE OF ReplyWantBack
    """


class CertReply(Sequence):
    """The answer about one certificate (RFC 5055 section 4.9).

    ::

        CertReply ::= SEQUENCE {
            cert                       CertReference,
            replyStatus                ReplyStatus DEFAULT success,
            replyValTime               GeneralizedTime,
            replyChecks                ReplyChecks,
            replyWantBacks             ReplyWantBacks,
            validationErrors       [0] SEQUENCE SIZE (1..MAX) OF
                OBJECT IDENTIFIER ( BasicValidationErrorSet |
                                    NameValidationErrorSet,
                                    ... ) OPTIONAL,
            nextUpdate             [1] GeneralizedTime OPTIONAL,
            certReplyExtensions    [2] Extensions{{...}} OPTIONAL
        }
    """

    cert: CertReference
    reply_status: ReplyStatus = ReplyStatus.success
    reply_val_time: GeneralizedTime
    reply_checks: ReplyChecks
    reply_want_backs: ReplyWantBacks
    validation_errors: Annotated[SequenceOf[ObjectIdentifier], Size(1, None), Implicit(0)] | None = None
    next_update: Annotated[GeneralizedTime, Implicit(1)] | None = None
    cert_reply_extensions: Annotated[Extensions, Implicit(2)] | None = None


class ReplyObjects(SequenceOf[CertReply], size=Size(1, None)):
    """The answers about the certificates (RFC 5055 section 4.9).

    ::

        ReplyObjects ::= SEQUENCE SIZE (1..MAX) OF CertReply
    """


class CVResponse(Sequence):
    """The response to a `CVRequest` (RFC 5055 section 4).

    ::

        CVResponse ::= SEQUENCE {
            cvResponseVersion          INTEGER,
            serverConfigurationID      INTEGER,
            producedAt                 GeneralizedTime,
            responseStatus             ResponseStatus,
            respValidationPolicy   [0] RespValidationPolicy OPTIONAL,
            requestRef             [1] RequestReference OPTIONAL,
            requestorRef           [2] GeneralNames OPTIONAL,
            requestorName          [3] GeneralNames OPTIONAL,
            replyObjects           [4] ReplyObjects OPTIONAL,
            respNonce              [5] OCTET STRING OPTIONAL,
            serverContextInfo      [6] OCTET STRING OPTIONAL,
            cvResponseExtensions   [7] Extensions{{CVResponseExtensions}}
                                           OPTIONAL,
            requestorText          [8] UTF8String (SIZE (1..256)) OPTIONAL
        }
    """

    cv_response_version: int
    server_configuration_id: int
    produced_at: GeneralizedTime
    response_status: ResponseStatus
    resp_validation_policy: Annotated[RespValidationPolicy, Implicit(0)] | None = None
    request_ref: Annotated[RequestReference, Explicit(1)] | None = None
    requestor_ref: Annotated[GeneralNames, Implicit(2)] | None = None
    requestor_name: Annotated[GeneralNames, Implicit(3)] | None = None
    reply_objects: Annotated[ReplyObjects, Implicit(4)] | None = None
    resp_nonce: Annotated[OctetString, Implicit(5)] | None = None
    server_context_info: Annotated[OctetString, Implicit(6)] | None = None
    cv_response_extensions: Annotated[Extensions, Implicit(7)] | None = None
    requestor_text: Annotated[UTF8String, Size(1, 256), Implicit(8)] | None = None


class CertBundles(SequenceOf[CertBundle], size=Size(1, None)):
    """Certification paths (RFC 5055 section 4.9.5).

    ::

        CertBundles ::= SEQUENCE SIZE (1..MAX) OF CertBundle
    """


class RevInfoWantBack(Sequence):
    """Information about revocation, with certificates to check it (RFC 5055 section 4.9.5).

    ::

        RevInfoWantBack ::= SEQUENCE {
            revocationInfo             RevocationInfos,
            extraCerts                 CertBundle OPTIONAL
        }
    """

    revocation_info: RevocationInfos
    extra_certs: CertBundle | None = None


class SCVPResponses(SequenceOf[ContentInfo]):
    """The responses of other servers (RFC 5055 section 4.9.5).

    ::

        SCVPResponses ::= SEQUENCE OF ContentInfo
    """

"""Server-based Certificate Validation Protocol: RFC 5055.

A client asks a server to build or to check certification paths. Import this module to read and build its messages,
which are the contents of a `derlib.schemas.cms.ContentInfo`, signed or not.

    >>> from derlib.schemas.cms import ContentInfo
    >>> request = ValPolRequest(request_nonce=b"nonce")
    >>> ContentInfo.decode(ContentInfo(content_type=id_ct_scvp_val_pol_request, content=request).encode()).content
    ValPolRequest(vp_request_version=1, request_nonce=b'nonce')
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    Enumerated,
    GeneralizedTime,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.cms import CONTENT_TYPES
from derlib.schemas.scvp_identifiers import (
    VALIDATION_ALGS,
    WANT_BACKS,
    id_bvae_expired,
    id_bvae_invalid_cert_policy,
    id_bvae_invalid_key_purpose,
    id_bvae_invalid_key_usage,
    id_bvae_no_valid_cert_path,
    id_bvae_not_yet_valid,
    id_bvae_revoked,
    id_bvae_wrong_trust_anchor,
    id_ct_scvp_cert_val_request,
    id_ct_scvp_cert_val_response,
    id_ct_scvp_val_pol_request,
    id_ct_scvp_val_pol_response,
    id_kp_scvp_client,
    id_kp_scvp_server,
    id_nva_dn_comp_alg,
    id_nvae_bad_name,
    id_nvae_bad_name_type,
    id_nvae_mixed_names,
    id_nvae_name_mismatch,
    id_nvae_no_name,
    id_nvae_unknown_alg,
    id_stc_build_aa_path,
    id_stc_build_pkc_path,
    id_stc_build_status_checked_aa_path,
    id_stc_build_status_checked_pkc_path,
    id_stc_build_valid_aa_path,
    id_stc_build_valid_pkc_path,
    id_stc_status_check_ac_and_build_status_checked_aa_path,
    id_svp_basic_val_alg,
    id_svp_default_val_policy,
    id_svp_name_val_alg,
    id_swb_aa_cert_path,
    id_swb_aa_revocation_info,
    id_swb_ac_cert,
    id_swb_ac_revocation_info,
    id_swb_pkc_all_cert_paths,
    id_swb_pkc_best_cert_path,
    id_swb_pkc_cas_revocation_info,
    id_swb_pkc_cert,
    id_swb_pkc_ee_revocation_info,
    id_swb_pkc_public_key_info,
    id_swb_pkc_revocation_info,
    id_swb_relayed_responses,
)
from derlib.schemas.scvp_request import (
    ACReference,
    CertBundle,
    CertChecks,
    CertReference,
    CertReferences,
    CVRequest,
    KeyAgreePublicKey,
    NameValidationAlgParams,
    OtherRevInfo,
    PKCReference,
    Query,
    ResponseFlags,
    RevocationInfo,
    RevocationInfos,
    SCVPCertID,
    SCVPIssuerSerial,
    TrustAnchors,
    ValidationAlg,
    ValidationPolicy,
    ValidationPolRef,
    WantBack,
)
from derlib.schemas.scvp_response import (
    CertBundles,
    CertReply,
    CVResponse,
    CVStatusCode,
    HashValue,
    ReplyCheck,
    ReplyChecks,
    ReplyObjects,
    ReplyStatus,
    ReplyWantBack,
    ReplyWantBacks,
    RequestReference,
    ResponseStatus,
    RespValidationPolicy,
    RevInfoWantBack,
    SCVPResponses,
)
from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "ACReference",
    "AuthPolicy",
    "CVRequest",
    "CVResponse",
    "CVStatusCode",
    "CertBundle",
    "CertBundles",
    "CertChecks",
    "CertReference",
    "CertReferences",
    "CertReply",
    "HashValue",
    "KeyAgreePublicKey",
    "NameValidationAlgParams",
    "OtherRevInfo",
    "PKCReference",
    "Query",
    "ReplyCheck",
    "ReplyChecks",
    "ReplyObjects",
    "ReplyStatus",
    "ReplyWantBack",
    "ReplyWantBacks",
    "RequestReference",
    "RespValidationPolicy",
    "ResponseFlags",
    "ResponseStatus",
    "ResponseTypes",
    "RevInfoWantBack",
    "RevocationInfo",
    "RevocationInfoTypes",
    "RevocationInfos",
    "SCVPCertID",
    "SCVPIssuerSerial",
    "SCVPResponses",
    "TrustAnchors",
    "VALIDATION_ALGS",
    "ValPolRequest",
    "ValPolResponse",
    "ValidationAlg",
    "ValidationPolRef",
    "ValidationPolicy",
    "WANT_BACKS",
    "WantBack",
    "id_bvae_expired",
    "id_bvae_invalid_cert_policy",
    "id_bvae_invalid_key_purpose",
    "id_bvae_invalid_key_usage",
    "id_bvae_no_valid_cert_path",
    "id_bvae_not_yet_valid",
    "id_bvae_revoked",
    "id_bvae_wrong_trust_anchor",
    "id_ct_scvp_cert_val_request",
    "id_ct_scvp_cert_val_response",
    "id_ct_scvp_val_pol_request",
    "id_ct_scvp_val_pol_response",
    "id_kp_scvp_client",
    "id_kp_scvp_server",
    "id_nva_dn_comp_alg",
    "id_nvae_bad_name",
    "id_nvae_bad_name_type",
    "id_nvae_mixed_names",
    "id_nvae_name_mismatch",
    "id_nvae_no_name",
    "id_nvae_unknown_alg",
    "id_stc_build_aa_path",
    "id_stc_build_pkc_path",
    "id_stc_build_status_checked_aa_path",
    "id_stc_build_status_checked_pkc_path",
    "id_stc_build_valid_aa_path",
    "id_stc_build_valid_pkc_path",
    "id_stc_status_check_ac_and_build_status_checked_aa_path",
    "id_svp_basic_val_alg",
    "id_svp_default_val_policy",
    "id_svp_name_val_alg",
    "id_swb_aa_cert_path",
    "id_swb_aa_revocation_info",
    "id_swb_ac_cert",
    "id_swb_ac_revocation_info",
    "id_swb_pkc_all_cert_paths",
    "id_swb_pkc_best_cert_path",
    "id_swb_pkc_cas_revocation_info",
    "id_swb_pkc_cert",
    "id_swb_pkc_ee_revocation_info",
    "id_swb_pkc_public_key_info",
    "id_swb_pkc_revocation_info",
    "id_swb_relayed_responses",
]


class ValPolRequest(Sequence):
    """A request for the validation policies of a server (RFC 5055 section 5).

    ::

        ValPolRequest ::= SEQUENCE {
            vpRequestVersion           INTEGER DEFAULT 1,
            requestNonce               OCTET STRING
        }
    """

    vp_request_version: int = 1
    request_nonce: OctetString


AuthPolicy: TypeAlias = ObjectIdentifier  # section 6.8


class ResponseTypes(Enumerated):
    """Whether the server answers from a cache (RFC 5055 section 6.9).

    ::

        ResponseTypes  ::= ENUMERATED {
            cached-only                (0),
            non-cached-only            (1),
            cached-and-non-cached      (2)
        }
    """

    cached_only = 0
    non_cached_only = 1
    cached_and_non_cached = 2


class RevocationInfoTypes(NamedBits):
    """The information about revocation that the server uses (RFC 5055 section 6.11).

    ::

        RevocationInfoTypes ::= BIT STRING {
            fullCRLs                   (0),
            deltaCRLs                  (1),
            indirectCRLs               (2),
            oCSPResponses              (3)
        }
    """

    full_cr_ls = 1 << 0
    delta_cr_ls = 1 << 1
    indirect_cr_ls = 1 << 2
    ocsp_responses = 1 << 3


class ValPolResponse(Sequence):
    """The validation policies of a server (RFC 5055 section 6).

    ::

        ValPolResponse ::= SEQUENCE {
            vpResponseVersion       INTEGER,
            maxCVRequestVersion     INTEGER,
            maxVPRequestVersion     INTEGER,
            serverConfigurationID   INTEGER,
            thisUpdate              GeneralizedTime,
            nextUpdate              GeneralizedTime OPTIONAL,
            supportedChecks         CertChecks,
            supportedWantBacks      WantBack,
            validationPolicies      SEQUENCE OF OBJECT IDENTIFIER,
            validationAlgs          SEQUENCE OF OBJECT IDENTIFIER,
            authPolicies            SEQUENCE OF AuthPolicy,
            responseTypes           ResponseTypes,
            defaultPolicyValues     RespValidationPolicy,
            revocationInfoTypes     RevocationInfoTypes,
            signatureGeneration     SEQUENCE OF AlgorithmIdentifier
                                        {SIGNATURE-ALGORITHM,
                                            {SignatureAlgorithms}},
            signatureVerification   SEQUENCE OF AlgorithmIdentifier
                                        {SIGNATURE-ALGORITHM,
                                            {SignatureAlgorithms}},
            hashAlgorithms          SEQUENCE SIZE (1..MAX) OF
                                       OBJECT IDENTIFIER,
            serverPublicKeys        SEQUENCE OF KeyAgreePublicKey
                                       OPTIONAL,
            clockSkew               INTEGER DEFAULT 10,
            requestNonce            OCTET STRING OPTIONAL
        }
    """

    vp_response_version: int
    max_cv_request_version: int
    max_vp_request_version: int
    server_configuration_id: int
    this_update: GeneralizedTime
    next_update: GeneralizedTime | None = None
    supported_checks: CertChecks
    supported_want_backs: WantBack
    validation_policies: SequenceOf[ObjectIdentifier]
    validation_algs: SequenceOf[ObjectIdentifier]
    auth_policies: SequenceOf[AuthPolicy]
    response_types: ResponseTypes
    default_policy_values: RespValidationPolicy
    revocation_info_types: RevocationInfoTypes
    signature_generation: SequenceOf[AlgorithmIdentifier]
    signature_verification: SequenceOf[AlgorithmIdentifier]
    hash_algorithms: Annotated[SequenceOf[ObjectIdentifier], Size(1, None)]
    server_public_keys: SequenceOf[KeyAgreePublicKey] | None = None
    clock_skew: int = 10
    request_nonce: OctetString | None = None


CONTENT_TYPES.register(id_ct_scvp_cert_val_request, CVRequest)
CONTENT_TYPES.register(id_ct_scvp_cert_val_response, CVResponse)
CONTENT_TYPES.register(id_ct_scvp_val_pol_request, ValPolRequest)
CONTENT_TYPES.register(id_ct_scvp_val_pol_response, ValPolResponse)
VALIDATION_ALGS.register(id_svp_name_val_alg, NameValidationAlgParams)
for _oid, _type in (
    (id_swb_pkc_best_cert_path, CertBundle),
    (id_swb_pkc_revocation_info, RevInfoWantBack),
    (id_swb_pkc_public_key_info, SubjectPublicKeyInfo),
    (id_swb_aa_cert_path, CertBundle),
    (id_swb_aa_revocation_info, RevInfoWantBack),
    (id_swb_ac_revocation_info, RevInfoWantBack),
    (id_swb_relayed_responses, SCVPResponses),
    (id_swb_pkc_cert, Certificate),
    (id_swb_ac_cert, AttributeCertificate),
    (id_swb_pkc_all_cert_paths, CertBundles),
    (id_swb_pkc_ee_revocation_info, RevInfoWantBack),
    (id_swb_pkc_cas_revocation_info, RevInfoWantBack),
):
    WANT_BACKS.register(_oid, _type)

"""Server-based Certificate Validation Protocol: RFC 5055.

A client asks a server to build or to check certification paths. Import this module to read and build its messages,
which are the contents of a `derlib.schemas.cms.ContentInfo`, signed or not.

    >>> request = ValPolRequest(request_nonce=b"nonce")
    >>> ContentInfo.decode(ContentInfo(content_type=id_ct_scvp_val_pol_request, content=request).encode()).content
    ValPolRequest(vp_request_version=1, request_nonce=b'nonce')
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    BitString,
    Choice,
    DefinedBy,
    Enumerated,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.cms import CONTENT_TYPES, ContentInfo
from derlib.schemas.crl import CertificateList
from derlib.schemas.extensions import CertificateSerialNumber, KeyUsage
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.ocsp import OCSPResponse
from derlib.schemas.x509 import Certificate, Extensions, SubjectPublicKeyInfo

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

#: The types of `value` in `ReplyWantBack`, by `wb`.
WANT_BACKS = OpenTypes("WANT_BACKS")

#: The parameters of validation algorithms, by `val_alg_id`.
VALIDATION_ALGS = OpenTypes("VALIDATION_ALGS")

id_ct_scvp_cert_val_request = ObjectIdentifier("1.2.840.113549.1.9.16.1.10")
id_ct_scvp_cert_val_response = ObjectIdentifier("1.2.840.113549.1.9.16.1.11")
id_ct_scvp_val_pol_request = ObjectIdentifier("1.2.840.113549.1.9.16.1.12")
id_ct_scvp_val_pol_response = ObjectIdentifier("1.2.840.113549.1.9.16.1.13")
id_stc_build_pkc_path = ObjectIdentifier("1.3.6.1.5.5.7.17.1")
id_stc_build_valid_pkc_path = ObjectIdentifier("1.3.6.1.5.5.7.17.2")
id_stc_build_status_checked_pkc_path = ObjectIdentifier("1.3.6.1.5.5.7.17.3")
id_stc_build_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.4")
id_stc_build_valid_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.5")
id_stc_build_status_checked_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.6")
id_stc_status_check_ac_and_build_status_checked_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.7")
id_swb_pkc_best_cert_path = ObjectIdentifier("1.3.6.1.5.5.7.18.1")
id_swb_pkc_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.2")
id_swb_pkc_public_key_info = ObjectIdentifier("1.3.6.1.5.5.7.18.4")
id_swb_aa_cert_path = ObjectIdentifier("1.3.6.1.5.5.7.18.5")
id_swb_aa_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.6")
id_swb_ac_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.7")
id_swb_relayed_responses = ObjectIdentifier("1.3.6.1.5.5.7.18.9")
id_swb_pkc_all_cert_paths = ObjectIdentifier("1.3.6.1.5.5.7.18.12")
id_swb_pkc_ee_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.13")
id_swb_pkc_cas_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.14")
id_swb_pkc_cert = ObjectIdentifier("1.3.6.1.5.5.7.18.10")
id_swb_ac_cert = ObjectIdentifier("1.3.6.1.5.5.7.18.11")
id_svp_default_val_policy = ObjectIdentifier("1.3.6.1.5.5.7.19.1")
id_svp_basic_val_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.3")
id_bvae_expired = ObjectIdentifier("1.3.6.1.5.5.7.19.3.1")
id_bvae_not_yet_valid = ObjectIdentifier("1.3.6.1.5.5.7.19.3.2")
id_bvae_wrong_trust_anchor = ObjectIdentifier("1.3.6.1.5.5.7.19.3.3")
id_bvae_no_valid_cert_path = ObjectIdentifier("1.3.6.1.5.5.7.19.3.4")
id_bvae_revoked = ObjectIdentifier("1.3.6.1.5.5.7.19.3.5")
id_bvae_invalid_key_purpose = ObjectIdentifier("1.3.6.1.5.5.7.19.3.9")
id_bvae_invalid_key_usage = ObjectIdentifier("1.3.6.1.5.5.7.19.3.10")
id_bvae_invalid_cert_policy = ObjectIdentifier("1.3.6.1.5.5.7.19.3.11")
id_svp_name_val_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.2")
id_nva_dn_comp_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.4")
id_nvae_name_mismatch = ObjectIdentifier("1.3.6.1.5.5.7.19.2.1")
id_nvae_no_name = ObjectIdentifier("1.3.6.1.5.5.7.19.2.2")
id_nvae_unknown_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.2.3")
id_nvae_bad_name = ObjectIdentifier("1.3.6.1.5.5.7.19.2.4")
id_nvae_bad_name_type = ObjectIdentifier("1.3.6.1.5.5.7.19.2.5")
id_nvae_mixed_names = ObjectIdentifier("1.3.6.1.5.5.7.19.2.6")
id_kp_scvp_server = ObjectIdentifier("1.3.6.1.5.5.7.3.15")
id_kp_scvp_client = ObjectIdentifier("1.3.6.1.5.5.7.3.16")
register_known(
    {
        "1.2.840.113549.1.9.16.1.10": "id-ct-scvp-certValRequest",
        "1.2.840.113549.1.9.16.1.11": "id-ct-scvp-certValResponse",
        "1.2.840.113549.1.9.16.1.12": "id-ct-scvp-valPolRequest",
        "1.2.840.113549.1.9.16.1.13": "id-ct-scvp-valPolResponse",
        "1.3.6.1.5.5.7.17.1": "id-stc-build-pkc-path",
        "1.3.6.1.5.5.7.17.2": "id-stc-build-valid-pkc-path",
        "1.3.6.1.5.5.7.17.3": "id-stc-build-status-checked-pkc-path",
        "1.3.6.1.5.5.7.17.4": "id-stc-build-aa-path",
        "1.3.6.1.5.5.7.17.5": "id-stc-build-valid-aa-path",
        "1.3.6.1.5.5.7.17.6": "id-stc-build-status-checked-aa-path",
        "1.3.6.1.5.5.7.17.7": "id-stc-status-check-ac-and-build-status-checked-aa-path",
        "1.3.6.1.5.5.7.18.1": "id-swb-pkc-best-cert-path",
        "1.3.6.1.5.5.7.18.2": "id-swb-pkc-revocation-info",
        "1.3.6.1.5.5.7.18.4": "id-swb-pkc-public-key-info",
        "1.3.6.1.5.5.7.18.5": "id-swb-aa-cert-path",
        "1.3.6.1.5.5.7.18.6": "id-swb-aa-revocation-info",
        "1.3.6.1.5.5.7.18.7": "id-swb-ac-revocation-info",
        "1.3.6.1.5.5.7.18.9": "id-swb-relayed-responses",
        "1.3.6.1.5.5.7.18.12": "id-swb-pkc-all-cert-paths",
        "1.3.6.1.5.5.7.18.13": "id-swb-pkc-ee-revocation-info",
        "1.3.6.1.5.5.7.18.14": "id-swb-pkc-CAs-revocation-info",
        "1.3.6.1.5.5.7.18.10": "id-swb-pkc-cert",
        "1.3.6.1.5.5.7.18.11": "id-swb-ac-cert",
        "1.3.6.1.5.5.7.19.1": "id-svp-defaultValPolicy",
        "1.3.6.1.5.5.7.19.3.1": "id-bvae-expired",
        "1.3.6.1.5.5.7.19.3.2": "id-bvae-not-yet-valid",
        "1.3.6.1.5.5.7.19.3.3": "id-bvae-wrongTrustAnchor",
        "1.3.6.1.5.5.7.19.3.4": "id-bvae-noValidCertPath",
        "1.3.6.1.5.5.7.19.3.5": "id-bvae-revoked",
        "1.3.6.1.5.5.7.19.3.9": "id-bvae-invalidKeyPurpose",
        "1.3.6.1.5.5.7.19.3.10": "id-bvae-invalidKeyUsage",
        "1.3.6.1.5.5.7.19.3.11": "id-bvae-invalidCertPolicy",
        "1.3.6.1.5.5.7.19.2": "id-svp-nameValAlg",
        "1.3.6.1.5.5.7.19.4": "id-nva-dnCompAlg",
        "1.3.6.1.5.5.7.19.2.1": "id-nvae-name-mismatch",
        "1.3.6.1.5.5.7.19.2.2": "id-nvae-no-name",
        "1.3.6.1.5.5.7.19.2.3": "id-nvae-unknown-alg",
        "1.3.6.1.5.5.7.19.2.4": "id-nvae-bad-name",
        "1.3.6.1.5.5.7.19.2.5": "id-nvae-bad-name-type",
        "1.3.6.1.5.5.7.19.2.6": "id-nvae-mixed-names",
        "1.3.6.1.5.5.7.3.15": "id-kp-scvpServer",
        "1.3.6.1.5.5.7.3.16": "id-kp-scvpClient",
    }
)


class SCVPIssuerSerial(Sequence):
    """The issuer and serial number of a certificate (RFC 5055 section 3.2.1).

    ::

        SCVPIssuerSerial ::= SEQUENCE {
            issuer         GeneralNames,
            serialNumber   CertificateSerialNumber
        }
    """

    issuer: GeneralNames
    serial_number: CertificateSerialNumber


_SHA1 = AlgorithmIdentifier(algorithm=ObjectIdentifier("1.3.14.3.2.26"))


class SCVPCertID(Sequence):
    """A certificate by its hash (RFC 5055 section 3.2.1).

    ::

        SCVPCertID ::= SEQUENCE {
           certHash        OCTET STRING,
           issuerSerial    SCVPIssuerSerial,
           hashAlgorithm   AlgorithmIdentifier
                               DEFAULT { algorithm mda-sha1.&id }
        }
    """

    cert_hash: OctetString
    issuer_serial: SCVPIssuerSerial
    hash_algorithm: AlgorithmIdentifier = _SHA1


class PKCReference(Choice):
    """A public key certificate, or its hash (RFC 5055 section 3.2.1).

    ::

        PKCReference ::= CHOICE {
            cert          [0] Certificate,
            pkcRef        [1] SCVPCertID
        }
    """

    cert: Annotated[Certificate, Implicit(0)]
    pkc_ref: Annotated[SCVPCertID, Implicit(1)]


class ACReference(Choice):
    """An attribute certificate, or its hash (RFC 5055 section 3.2.1).

    ::

        ACReference ::= CHOICE {
            attrCert      [2] AttributeCertificate,
            acRef         [3] SCVPCertID
        }
    """

    attr_cert: Annotated[AttributeCertificate, Implicit(2)]
    ac_ref: Annotated[SCVPCertID, Implicit(3)]


class CertReferences(Choice):
    """The certificates that the client asks about (RFC 5055 section 3.2.1).

    ::

        CertReferences ::= CHOICE {
            pkcRefs       [0] SEQUENCE SIZE (1..MAX) OF PKCReference,
            acRefs        [1] SEQUENCE SIZE (1..MAX) OF ACReference
        }
    """

    pkc_refs: Annotated[SequenceOf[PKCReference], Size(1, None), Implicit(0)]
    ac_refs: Annotated[SequenceOf[ACReference], Size(1, None), Implicit(1)]


class CertChecks(SequenceOf[ObjectIdentifier], size=Size(1, None)):
    """What the server does with them (RFC 5055 section 3.2.2).

    ::

        CertChecks ::= SEQUENCE SIZE (1..MAX) OF
            OBJECT IDENTIFIER (CertCheckSet | ACertCheckSet, ... )
    """


class WantBack(SequenceOf[ObjectIdentifier], size=Size(1, None)):
    """What the server returns (RFC 5055 section 3.2.3).

    ::

        WantBack ::= SEQUENCE SIZE (1..MAX) OF
            WANT-BACK.&id ({WANT_BACKS})
    """


class ValidationPolRef(Sequence):
    """A validation policy by its identifier (RFC 5055 section 3.2.4.1).

    ::

        ValidationPolRef ::= SEQUENCE {
           valPolId             POLICY.&id,
           valPolParams         POLICY.&Type OPTIONAL
        }
    """

    val_pol_id: ObjectIdentifier
    val_pol_params: Any | None = None


class ValidationAlg(Sequence):
    """A validation algorithm (RFC 5055 section 3.2.4.2).

    ::

        ValidationAlg ::= SEQUENCE {
            valAlgId               POLICY.&id,
            parameters             POLICY.&Type OPTIONAL
        }
    """

    val_alg_id: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("val_alg_id", VALIDATION_ALGS)] | None = None


class TrustAnchors(SequenceOf[PKCReference], size=Size(1, None)):
    """The trust anchors (RFC 5055 section 3.2.4.7).

    ::

        TrustAnchors ::= SEQUENCE SIZE (1..MAX) OF PKCReference
    """


class ValidationPolicy(Sequence):
    """How certificates are validated (RFC 5055 section 3.2.4).

    ::

        ValidationPolicy ::= SEQUENCE {
            validationPolRef           ValidationPolRef,
            validationAlg          [0] ValidationAlg OPTIONAL,
            userPolicySet          [1] SEQUENCE SIZE (1..MAX) OF OBJECT
                                      IDENTIFIER OPTIONAL,
            inhibitPolicyMapping   [2] BOOLEAN OPTIONAL,
            requireExplicitPolicy  [3] BOOLEAN OPTIONAL,
            inhibitAnyPolicy       [4] BOOLEAN OPTIONAL,
            trustAnchors           [5] TrustAnchors OPTIONAL,
            keyUsages              [6] SEQUENCE OF KeyUsage OPTIONAL,
            extendedKeyUsages      [7] SEQUENCE OF ObjectIdentifier OPTIONAL,
            specifiedKeyUsages     [8] SEQUENCE OF ObjectIdentifier OPTIONAL
        }
    """

    validation_pol_ref: ValidationPolRef
    validation_alg: Annotated[ValidationAlg, Implicit(0)] | None = None
    user_policy_set: Annotated[SequenceOf[ObjectIdentifier], Size(1, None), Implicit(1)] | None = None
    inhibit_policy_mapping: Annotated[bool, Implicit(2)] | None = None
    require_explicit_policy: Annotated[bool, Implicit(3)] | None = None
    inhibit_any_policy: Annotated[bool, Implicit(4)] | None = None
    trust_anchors: Annotated[TrustAnchors, Implicit(5)] | None = None
    key_usages: Annotated[SequenceOf[KeyUsage], Implicit(6)] | None = None
    extended_key_usages: Annotated[SequenceOf[ObjectIdentifier], Implicit(7)] | None = None
    specified_key_usages: Annotated[SequenceOf[ObjectIdentifier], Implicit(8)] | None = None


class ResponseFlags(Sequence):
    """How the server answers (RFC 5055 section 3.2.5).

    ::

        ResponseFlags ::= SEQUENCE {
            fullRequestInResponse      [0] BOOLEAN DEFAULT FALSE,
            responseValidationPolByRef [1] BOOLEAN DEFAULT TRUE,
            protectResponse            [2] BOOLEAN DEFAULT TRUE,
            cachedResponse             [3] BOOLEAN DEFAULT TRUE
        }
    """

    full_request_in_response: Annotated[bool, Implicit(0)] = False
    response_validation_pol_by_ref: Annotated[bool, Implicit(1)] = True
    protect_response: Annotated[bool, Implicit(2)] = True
    cached_response: Annotated[bool, Implicit(3)] = True


class CertBundle(SequenceOf[Certificate], size=Size(1, None)):
    """Certificates (RFC 5055 section 3.2.8).

    ::

        CertBundle ::= SEQUENCE SIZE (1..MAX) OF Certificate
    """


class OtherRevInfo(Sequence):
    """Information about revocation in another format (RFC 5055 section 3.2.9).

    ::

        OtherRevInfo ::= SEQUENCE {
            riType                     REV-INFO.&id,
            riValue                    REV-INFO.&Type
        }
    """

    ri_type: ObjectIdentifier
    ri_value: Any


class RevocationInfo(Choice):
    """A CRL, an OCSP response, or other information about revocation (RFC 5055 section 3.2.9).

    ::

        RevocationInfo ::= CHOICE {
            crl                    [0] CertificateList,
            delta-crl              [1] CertificateList,
            ocsp                   [2] OCSPResponse,
            other                  [3] OtherRevInfo
        }
    """

    crl: Annotated[CertificateList, Implicit(0)]
    delta_crl: Annotated[CertificateList, Implicit(1)]
    ocsp: Annotated[OCSPResponse, Implicit(2)]
    other: Annotated[OtherRevInfo, Implicit(3)]


class RevocationInfos(SequenceOf[RevocationInfo], size=Size(1, None)):
    """Information about revocation (RFC 5055 section 3.2.9).

    ::

        RevocationInfos ::= SEQUENCE SIZE (1..MAX) OF RevocationInfo
    """


class Query(Sequence):
    """The question of a client (RFC 5055 section 3.2).

    ::

        Query ::= SEQUENCE {
            queriedCerts             CertReferences,
            checks                   CertChecks,
            wantBack             [1] WantBack OPTIONAL,
            validationPolicy         ValidationPolicy,
            responseFlags            ResponseFlags OPTIONAL,
            serverContextInfo    [2] OCTET STRING OPTIONAL,
            validationTime       [3] GeneralizedTime OPTIONAL,
            intermediateCerts    [4] CertBundle OPTIONAL,
            revInfos             [5] RevocationInfos OPTIONAL,
            producedAt           [6] GeneralizedTime OPTIONAL,
            queryExtensions      [7] Extensions{{QueryExtensions}} OPTIONAL
        }
    """

    queried_certs: CertReferences
    checks: CertChecks
    want_back: Annotated[WantBack, Implicit(1)] | None = None
    validation_policy: ValidationPolicy
    response_flags: ResponseFlags | None = None
    server_context_info: Annotated[OctetString, Implicit(2)] | None = None
    validation_time: Annotated[GeneralizedTime, Implicit(3)] | None = None
    intermediate_certs: Annotated[CertBundle, Implicit(4)] | None = None
    rev_infos: Annotated[RevocationInfos, Implicit(5)] | None = None
    produced_at: Annotated[GeneralizedTime, Implicit(6)] | None = None
    query_extensions: Annotated[Extensions, Implicit(7)] | None = None


class CVRequest(Sequence):
    """A request to validate certificates (RFC 5055 section 3).

    ::

        CVRequest ::= SEQUENCE {
            cvRequestVersion           INTEGER DEFAULT 1,
            query                      Query,
            requestorRef           [0] GeneralNames OPTIONAL,
            requestNonce           [1] OCTET STRING OPTIONAL,
            requestorName          [2] GeneralName OPTIONAL,
            responderName          [3] GeneralName OPTIONAL,
            requestExtensions      [4] Extensions{{RequestExtensions}}
                                           OPTIONAL,
            signatureAlg           [5] AlgorithmIdentifier
                                           {SIGNATURE-ALGORITHM,
                                               {SignatureAlgorithms}}
                                           OPTIONAL,
            hashAlg                [6] OBJECT IDENTIFIER OPTIONAL,
            requestorText          [7] UTF8String (SIZE (1..256)) OPTIONAL
        }
    """

    cv_request_version: int = 1
    query: Query
    requestor_ref: Annotated[GeneralNames, Implicit(0)] | None = None
    request_nonce: Annotated[OctetString, Implicit(1)] | None = None
    requestor_name: Annotated[GeneralName, Explicit(2)] | None = None
    responder_name: Annotated[GeneralName, Explicit(3)] | None = None
    request_extensions: Annotated[Extensions, Implicit(4)] | None = None
    signature_alg: Annotated[AlgorithmIdentifier, Implicit(5)] | None = None
    hash_alg: Annotated[ObjectIdentifier, Implicit(6)] | None = None
    requestor_text: Annotated[UTF8String, Size(1, 256), Implicit(7)] | None = None


class CertReference(Choice):
    """A certificate of either kind (RFC 5055 section 4.9.1).

    ::

        CertReference::= CHOICE {
            pkc               PKCReference,
            ac                ACReference
        }
    """

    pkc: PKCReference
    ac: ACReference


class NameValidationAlgParams(Sequence):
    """The names that the certificate must have (RFC 5055 section 3.2.4.2.3).

    ::

        NameValidationAlgParams ::= SEQUENCE {
            nameCompAlgId          OBJECT IDENTIFIER (NameCompAlgSet, ... ),
            validationNames        GeneralNames
        }
    """

    name_comp_alg_id: ObjectIdentifier
    validation_names: GeneralNames


class KeyAgreePublicKey(Sequence):
    """A public key of the server for key agreement (RFC 5055 section 6.18).

    ::

        KeyAgreePublicKey ::= SEQUENCE {
            algorithm           AlgorithmIdentifier{KEY-AGREE,
                                    {SupportedKeyAgreePublicKeys}},
            publicKey           BIT STRING,
            macAlgorithm        AlgorithmIdentifier{MAC-ALGORITHM,
                                    {SupportedMACAlgorithms}},
            kDF                 AlgorithmIdentifier{KEY-DERIVATION,
                                    {SupportedKeyDerivationFunctions}}
                                    OPTIONAL
        }
    """

    algorithm: AlgorithmIdentifier
    public_key: BitString
    mac_algorithm: AlgorithmIdentifier
    kdf: AlgorithmIdentifier | None = None


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

"""Requests for the validation of certificates: RFC 5055 section 3.

Used by `derlib.schemas.scvp`. The module has implicit tags.

>>> WantBack(["1.3.6.1.5.5.7.18.10"]).encode().hex()
'300a06082b0601050507120a'
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import (
    BitString,
    Choice,
    DefinedBy,
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
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.crl import CertificateList
from derlib.schemas.extensions import CertificateSerialNumber, KeyUsage
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.ocsp import OCSPResponse
from derlib.schemas.scvp_identifiers import (
    VALIDATION_ALGS,
)
from derlib.schemas.x509 import Certificate, Extensions

_COMPILE_AT_FIRST_USE = True


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

"""Online Certificate Status Protocol: RFC 6960, with the nonces of RFC 9654.

Import this module to ask for the status of certificates, or to read answers. derlib does not verify signatures.

    >>> from derlib.schemas.ocsp import OCSPResponse
    >>> response = OCSPResponse.decode(open("answer.der", "rb").read())  # doctest: +SKIP
    >>> for single in response.responses:  # doctest: +SKIP
    ...     print(single.serial_number, single.status, single.this_update)
    7 good 2026-10-09 12:30:00+00:00
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, cast

from derlib import (
    BitString,
    Choice,
    DefinedBy,
    Enumerated,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
)
from derlib._signing import signature_of
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.cms_certificates import OTHER_REVOCATION_INFO
from derlib.schemas.crl import CRLReason
from derlib.schemas.extension_properties import HasExtensions, typed_value
from derlib.schemas.extensions import (
    id_pkix_ocsp_nocheck,
    known_extension,
)
from derlib.schemas.general import GeneralName
from derlib.schemas.ocsp_requests import (
    AcceptableResponses,
    CertID,
    Nonce,
    OCSPRequest,
    PreferredSignatureAlgorithm,
    PreferredSignatureAlgorithms,
    Request,
    ServiceLocator,
    Signature,
    TBSRequest,
    Version,
    id_pkix_ocsp_nonce,
    id_pkix_ocsp_pref_sig_algs,
    id_pkix_ocsp_response,
    id_pkix_ocsp_service_locator,
)
from derlib.schemas.x509 import Certificate, Extension, Extensions

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AcceptableResponses",
    "AlgorithmIdentifier",
    "ArchiveCutoff",
    "BasicOCSPResponse",
    "CRLReason",
    "CertID",
    "CertStatus",
    "Certificate",
    "CrlID",
    "Extension",
    "Extensions",
    "GeneralName",
    "KeyHash",
    "Name",
    "Nonce",
    "OCSPRequest",
    "OCSPResponse",
    "OCSPResponseStatus",
    "PreferredSignatureAlgorithm",
    "PreferredSignatureAlgorithms",
    "Request",
    "ResponderID",
    "ResponseBytes",
    "ResponseData",
    "RevokedInfo",
    "ServiceLocator",
    "Signature",
    "SingleResponse",
    "TBSRequest",
    "UnknownInfo",
    "Version",
    "id_pkix_ocsp_archive_cutoff",
    "id_pkix_ocsp_basic",
    "id_pkix_ocsp_crl",
    "id_pkix_ocsp_extended_revoke",
    "id_pkix_ocsp_nocheck",
    "id_pkix_ocsp_nonce",
    "id_pkix_ocsp_pref_sig_algs",
    "id_pkix_ocsp_response",
    "id_pkix_ocsp_service_locator",
    "id_ri_ocsp_response",
]

# The type in the OCTET STRING `response`, by responseType.
RESPONSES = OpenTypes("RESPONSES")

KeyHash: TypeAlias = OctetString  # the SHA-1 hash of the responder's public key, section 4.2.1
UnknownInfo: TypeAlias = Null  # section 4.2.1
ArchiveCutoff: TypeAlias = GeneralizedTime  # section 4.4.4


class RevokedInfo(Sequence):
    """When and why a certificate was revoked (RFC 6960 section 4.2.1).

    ::

        RevokedInfo ::= SEQUENCE {
            revocationTime     GeneralizedTime,
            revocationReason   [0] EXPLICIT CRLReason OPTIONAL }

    `revocation_time` is a `datetime` in UTC.

    >>> info = RevokedInfo.decode(bytes.fromhex("3016 180f32303236313030393132333030305a a0030a0101"))
    >>> str(info.revocation_time), info.revocation_reason
    ('2026-10-09 12:30:00+00:00', <CRLReason.key_compromise: 1>)
    """

    revocation_time: GeneralizedTime
    revocation_reason: Annotated[CRLReason, Explicit(0)] | None = None


class CertStatus(Choice):
    """The status of a certificate (RFC 6960 section 4.2.1).

    ::

        CertStatus ::= CHOICE {
            good      [0] IMPLICIT NULL,
            revoked   [1] IMPLICIT RevokedInfo,
            unknown   [2] IMPLICIT UnknownInfo }

    `good` means only that no certificate with this serial number is revoked. It need not be valid, or even be issued.
    `unknown` means that the responder does not know the certificate (section 2.2).

    >>> from derlib import NULL
    >>> CertStatus(good=NULL).encode().hex(), CertStatus.decode(bytes.fromhex("8200")).alternative
    ('8000', 'unknown')
    """

    good: Annotated[Null, Implicit(0)]
    revoked: Annotated[RevokedInfo, Implicit(1)]
    unknown: Annotated[UnknownInfo, Implicit(2)]


class SingleResponse(HasExtensions, Sequence):
    """The status of one certificate (RFC 6960 section 4.2.1).

    ::

        SingleResponse ::= SEQUENCE {
            certID             CertID,
            certStatus         CertStatus,
            thisUpdate         GeneralizedTime,
            nextUpdate         [0] EXPLICIT GeneralizedTime OPTIONAL,
            singleExtensions   [1] EXPLICIT Extensions OPTIONAL }

    The times are `datetime` values in UTC. The status was correct at `this_update`, and newer information is available
    at `next_update` or before; without it, newer information is always available (section 4.2.2.1).

    >>> single = SingleResponse.decode(bytes.fromhex(
    ...     "3027 3012 300706052b0e03021a 04016e 04016b 020107 8000 180f32303236313030393132333030305a"
    ... ))
    >>> single.serial_number, single.status, str(single.this_update), single.next_update
    (7, 'good', '2026-10-09 12:30:00+00:00', None)
    """

    cert_id: CertID
    cert_status: CertStatus
    this_update: GeneralizedTime
    next_update: Annotated[GeneralizedTime, Explicit(0)] | None = None
    single_extensions: Annotated[Extensions, Explicit(1)] | None = None

    @property
    def serial_number(self) -> int:
        """The serial number of the certificate."""
        return self.cert_id.serial_number

    @property
    def status(self) -> Literal["good", "revoked", "unknown"]:
        """The status of the certificate, the alternative of `cert_status` (RFC 6960 section 2.2)."""
        return cast(Literal["good", "revoked", "unknown"], self.cert_status.alternative)

    @property
    def revocation_time(self) -> datetime | None:
        """When the certificate was revoked, in UTC; None if it was not (RFC 6960 section 4.2.1).

        Raises:
            UnrepresentableError: `datetime` cannot represent the time.
        """
        return self.cert_status.revoked.revocation_time if self.status == "revoked" else None

    @property
    def revocation_reason(self) -> CRLReason | None:
        """Why the certificate was revoked; None if it was not, or if the responder does not say (section 4.2.1)."""
        return self.cert_status.revoked.revocation_reason if self.status == "revoked" else None

    @property
    def extensions(self) -> Extensions | None:
        """The extensions for this certificate. `get` returns the value of one of them."""
        return self.single_extensions


class ResponderID(Choice):
    """The responder, by its name or key (RFC 6960 section 4.2.1).

    ::

        ResponderID ::= CHOICE {
            byName   [1] EXPLICIT Name,
            byKey    [2] EXPLICIT KeyHash }

    The key is its SHA-1 hash, 20 bytes, without the tag, length and number of unused bits of the BIT STRING.

    >>> responder = ResponderID(by_name=Name.of({"CN": "Example CA"}))
    >>> responder.alternative, str(responder.value)
    ('by_name', 'CN=Example CA')
    """

    by_name: Annotated[Name, Explicit(1)]
    by_key: Annotated[KeyHash, Explicit(2)]


class ResponseData(Sequence):
    """The part of a response that is signed (RFC 6960 section 4.2.1).

    ::

        ResponseData ::= SEQUENCE {
            version              [0] EXPLICIT Version DEFAULT v1,
            responderID          ResponderID,
            producedAt           GeneralizedTime,
            responses            SEQUENCE OF SingleResponse,
            responseExtensions   [1] EXPLICIT Extensions OPTIONAL }

    `produced_at` is a `datetime` in UTC, the time at which the response was signed.

    >>> data = ResponseData.decode(bytes.fromhex(
    ...     "3042 a204 04020000 180f32303236313030393132333030305a"
    ...     "3029 3027 3012 300706052b0e03021a 04016e 04016b 020107 8000 180f32303236313030393132333030305a"
    ... ))
    >>> data.responder_id.alternative, str(data.produced_at), len(data.responses)
    ('by_key', '2026-10-09 12:30:00+00:00', 1)
    """

    version: Annotated[Version, Explicit(0)] = Version.v1
    responder_id: ResponderID
    produced_at: GeneralizedTime
    responses: SequenceOf[SingleResponse]
    response_extensions: Annotated[Extensions, Explicit(1)] | None = None


class BasicOCSPResponse(HasExtensions, Sequence, ber="keep"):
    """A signed response, the type that every client accepts (RFC 6960 section 4.2.1).

    ::

        BasicOCSPResponse ::= SEQUENCE {
            tbsResponseData      ResponseData,
            signatureAlgorithm   AlgorithmIdentifier,
            signature            BIT STRING,
            certs                [0] EXPLICIT SEQUENCE OF Certificate OPTIONAL }

    The signed bytes are ``tbs_response_data.der``.

    >>> basic = BasicOCSPResponse.decode(bytes.fromhex(
    ...     "304e 3042 a204 04020000 180f32303236313030393132333030305a"
    ...     "3029 3027 3012 300706052b0e03021a 04016e 04016b 020107 8000 180f32303236313030393132333030305a"
    ...     "300506032b6570 030100"
    ... ))
    >>> [(each.serial_number, each.status) for each in basic.responses], basic.nonce, basic.certificates
    ([(7, 'good')], None, ())
    """

    tbs_response_data: ResponseData
    signature_algorithm: AlgorithmIdentifier
    signature: BitString
    certs: Annotated[SequenceOf[Certificate], Explicit(0)] | None = None

    @classmethod
    def signed(
        cls,
        data: ResponseData,
        sign: Callable[[bytes], bytes],
        algorithm: AlgorithmIdentifier,
        certificates: Iterable[Certificate] = (),
    ) -> BasicOCSPResponse:
        """Return the response with its signature.

        Args:
            data: the part to sign, `tbs_response_data`.
            sign: a function that takes the bytes to sign and returns the signature, as for `Certificate.signed`.
            algorithm: the algorithm of `sign`, such as `derlib.schemas.x509.sa_ed25519`.
            certificates: the field `certs`, with which clients verify the signature. It is absent if there are none.

        Raises:
            TypeError: `data` is not a `ResponseData`, or `sign` does not return bytes.
            ConstraintError: `algorithm` or an element of `certificates` has another type.

        >>> data = ResponseData.decode(bytes.fromhex("3019 a204 04020000 180f32303236313030393132333030305a 3000"))
        >>> algorithm = AlgorithmIdentifier.of("id-Ed25519")
        >>> BasicOCSPResponse.signed(data, lambda data: bytes(64), algorithm).certificates
        ()
        """
        signature = signature_of(data, ResponseData, sign)
        certs = SequenceOf[Certificate](certificates)
        return cls(
            tbs_response_data=data, signature_algorithm=algorithm, signature=signature, certs=certs or None
        )

    @property
    def responses(self) -> SequenceOf[SingleResponse]:
        """The answers, one for each certificate."""
        return self.tbs_response_data.responses

    @property
    def produced_at(self) -> datetime:
        """When the response was signed, in UTC (RFC 6960 section 2.4).

        Raises:
            UnrepresentableError: `datetime` cannot represent the time.
        """
        return self.tbs_response_data.produced_at

    @property
    def responder_id(self) -> ResponderID:
        """The responder, by its name or key."""
        return self.tbs_response_data.responder_id

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        """The certificates for the verification of the signature, from the field `certs`; empty if it is absent."""
        return tuple(self.certs or ())

    @property
    def extensions(self) -> Extensions | None:
        """The extensions of the whole response. `get` returns the value of one of them."""
        return self.tbs_response_data.response_extensions

    @property
    def nonce(self) -> bytes | None:
        """The nonce of the request; None if there is none (RFC 9654 section 2.1)."""
        found: bytes | None = self.get(id_pkix_ocsp_nonce)
        return found


class ResponseBytes(Sequence):
    """A response of any type (RFC 6960 section 4.2.1).

    ::

        ResponseBytes ::= SEQUENCE {
            responseType   OBJECT IDENTIFIER,
            response       OCTET STRING }   -- contains the DER encoding of the type that responseType selects

    `response` is a `BasicOCSPResponse` for `id_pkix_ocsp_basic`, and ``bytes`` for an unknown type.

    >>> from derlib import ObjectIdentifier
    >>> other = ResponseBytes(response_type=ObjectIdentifier("2.999.1"), response=b"answer")
    >>> ResponseBytes.decode(other.encode()).response
    b'answer'
    """

    response_type: ObjectIdentifier
    response: Annotated[Any, OctetString, DefinedBy("response_type", RESPONSES)]


class OCSPResponseStatus(Enumerated):
    """Whether the responder answered (RFC 6960 section 4.2.1).

    ::

        OCSPResponseStatus ::= ENUMERATED {
            successful         (0),   -- Response has valid confirmations
            malformedRequest   (1),   -- Illegal confirmation request
            internalError      (2),   -- Internal error in issuer
            tryLater           (3),   -- Try again later
                                      -- (4) is not used
            sigRequired        (5),   -- Must sign the request
            unauthorized       (6) }  -- Request unauthorized

    A member is not the status of a certificate: `SingleResponse.status` is. A number without a name is an error.

    >>> OCSPResponseStatus(3), OCSPResponseStatus.successful.name
    (<OCSPResponseStatus.try_later: 3>, 'successful')
    """

    successful = 0
    malformed_request = 1
    internal_error = 2
    try_later = 3
    sig_required = 5
    unauthorized = 6


class OCSPResponse(Sequence):
    """The answer of a responder (RFC 6960 section 4.2.1).

    ::

        OCSPResponse ::= SEQUENCE {
            responseStatus   OCSPResponseStatus,
            responseBytes    [0] EXPLICIT ResponseBytes OPTIONAL }

    `response_bytes` is None if the answer is an error. Check the signature, the times and the certificate of the
    responder before you rely on an answer (section 3.2).

    >>> later = OCSPResponse.decode(bytes.fromhex("30030a0103"))
    >>> later.response_status.name, later.basic, later.responses
    ('try_later', None, SequenceOf[SingleResponse]([]))
    """

    response_status: OCSPResponseStatus
    response_bytes: Annotated[ResponseBytes, Explicit(0)] | None = None

    @property
    def basic(self) -> BasicOCSPResponse | None:
        """The signed response, or None if the responder answered with an error or a response of another type.

        Raises:
            DecodeError: its type is id-pkix-ocsp-basic, but it is opaque, because `Deviation.OPEN_TYPE` was tolerated.
        """
        answer = self.response_bytes
        if answer is None or answer.response_type != id_pkix_ocsp_basic:
            return None
        response: BasicOCSPResponse = typed_value(answer.response, BasicOCSPResponse, self)
        return response

    @property
    def responses(self) -> SequenceOf[SingleResponse]:
        """The answers, one for each certificate; empty without a signed response. Raises the error of `basic`."""
        basic = self.basic
        return SequenceOf[SingleResponse]() if basic is None else basic.responses


class CrlID(Sequence):
    """The CRL on which a revoked entry was found (RFC 6960 section 4.4.2).

    ::

        CrlID ::= SEQUENCE {
            crlUrl    [0] EXPLICIT IA5String OPTIONAL,
            crlNum    [1] EXPLICIT INTEGER OPTIONAL,
            crlTime   [2] EXPLICIT GeneralizedTime OPTIONAL }

    The fields are the URL of the CRL, its number, and the time at which it was created, a `datetime` in UTC.

    >>> CrlID(crl_url="http://a.example/ca.crl", crl_num=5).encode().hex()
    '3020a0191617687474703a2f2f612e6578616d706c652f63612e63726ca103020105'
    """

    crl_url: Annotated[IA5String, Explicit(0)] | None = None
    crl_num: Annotated[int, Explicit(1)] | None = None
    crl_time: Annotated[GeneralizedTime, Explicit(2)] | None = None


id_pkix_ocsp_basic = ObjectIdentifier("1.3.6.1.5.5.7.48.1.1")
register_known({id_pkix_ocsp_basic.dotted: "id-pkix-ocsp-basic"})
RESPONSES.register(id_pkix_ocsp_basic, BasicOCSPResponse, on_mismatch="error")

id_pkix_ocsp_crl = known_extension("1.3.6.1.5.5.7.48.1.3", "id-pkix-ocsp-crl", CrlID)
id_pkix_ocsp_archive_cutoff = known_extension("1.3.6.1.5.5.7.48.1.6", "id-pkix-ocsp-archive-cutoff", ArchiveCutoff)
id_pkix_ocsp_extended_revoke = known_extension("1.3.6.1.5.5.7.48.1.9", "id-pkix-ocsp-extended-revoke", Null)

# CMS objects can carry responses as revocation information: RFC 5940 section 2.1.
id_ri_ocsp_response = ObjectIdentifier("1.3.6.1.5.5.7.16.2")
register_known({id_ri_ocsp_response.dotted: "id-ri-ocsp-response"})
OTHER_REVOCATION_INFO.register(id_ri_ocsp_response, OCSPResponse)

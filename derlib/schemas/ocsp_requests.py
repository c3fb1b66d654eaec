"""Requests of the Online Certificate Status Protocol: RFC 6960 section 4.1, and their extensions.

Used by `derlib.schemas.ocsp`, which exports these names and has the responses.

>>> request = OCSPRequest.decode(bytes.fromhex("300430023000"))
>>> len(request.requests), request.nonce
(0, None)
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    NULL,
    BitString,
    Explicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.extension_properties import HasExtensions
from derlib.schemas.extensions import AuthorityInfoAccessSyntax, CertificateSerialNumber, known_extension
from derlib.schemas.general import GeneralName
from derlib.schemas.smime_capabilities import SMIMECapability
from derlib.schemas.x509 import Certificate, Extensions

_COMPILE_AT_FIRST_USE = True

Nonce: TypeAlias = Annotated[OctetString, Size(1, 128)]  # RFC 9654 section 2.1


class Version(NamedInteger):
    """The version of a request or a response (RFC 6960 section 4.1.1).

    ::

        Version ::= INTEGER { v1(0) }

    >>> OCSPRequest.decode(bytes.fromhex("300430023000")).tbs_request.version
    <Version.v1: 0>
    """

    v1 = 0


class CertID(Sequence):
    """A certificate, by its issuer and serial number (RFC 6960 section 4.1.1).

    ::

        CertID ::= SEQUENCE {
            hashAlgorithm    AlgorithmIdentifier,
            issuerNameHash   OCTET STRING,   -- hash of the issuer's DN
            issuerKeyHash    OCTET STRING,   -- hash of the issuer's public key
            serialNumber     CertificateSerialNumber }

    The hash of the key is that of the contents of its BIT STRING. `of` computes both hashes, and `identifies` compares
    them with certificates.

    >>> from derlib.schemas.x509 import AlgorithmIdentifier
    >>> wanted = CertID(
    ...     hash_algorithm=AlgorithmIdentifier.of("id-sha1"),
    ...     issuer_name_hash=bytes(20),
    ...     issuer_key_hash=bytes(20),
    ...     serial_number=7,
    ... )
    >>> wanted.serial_number, wanted.hash_algorithm.hash_name
    (7, 'sha1')
    """

    hash_algorithm: AlgorithmIdentifier
    issuer_name_hash: OctetString
    issuer_key_hash: OctetString
    serial_number: CertificateSerialNumber

    @classmethod
    def of(cls, certificate: Certificate, issuer: Certificate, hash_name: str = "sha1") -> CertID:
        """Return the identifier of a certificate (RFC 6960 section 4.1.1).

        Args:
            certificate: the certificate whose status is asked for.
            issuer: the certificate of its issuer, which has the key.
            hash_name: the name of the hash in `hashlib`. All responders know the default (RFC 5019 section 2.1.1).

        Raises:
            KeyError: the hash is not known.
            ValueError: `issuer` has another name than the issuer of the certificate (RFC 5280 section 7.1).

        >>> from derlib.schemas.x509 import Certificate
        >>> ca = Certificate.decode(bytes.fromhex(
        ...     "3060 3054 020107 300506032b6570 300d310b3009060355040313024341 301e170d3236313030393132333030305a"
        ...     "170d3237313030393132333030305a 300d310b3009060355040313024341 300a 300506032b6570 030100"
        ...     "300506032b6570 030100"
        ... ))
        >>> question = CertID.of(ca, ca, "sha256")
        >>> question.serial_number, len(question.issuer_name_hash), question.identifies(ca, ca)
        (7, 32, True)
        """
        if not certificate.issuer.matches(issuer.subject):
            raise ValueError(
                f"the issuer of the certificate is {certificate.issuer.display():.80}, "
                f"not {issuer.subject.display():.80}"
            )
        algorithm = "id-" + hash_name.replace("shake_", "shake").replace("_", "-")
        # SHA-3 and SHAKE have no parameters (RFC 9688, RFC 8702); older programs expect NULL for other hashes.
        parameters = None if hash_name.startswith(("sha3_", "shake_")) else NULL
        hash_algorithm = AlgorithmIdentifier.of(algorithm, parameters)
        name_hash, key_hash = _hashes(certificate.issuer, issuer, hash_algorithm)
        return cls(
            hash_algorithm=hash_algorithm,
            issuer_name_hash=name_hash,
            issuer_key_hash=key_hash,
            serial_number=certificate.serial_number,
        )

    def identifies(self, certificate: Certificate, issuer: Certificate) -> bool:
        """Return whether this is an identifier of `certificate`, with any hash that `hashlib` has.

        Args:
            certificate: the certificate that may be meant.
            issuer: the certificate of its issuer, which has the key.

        The result is False if the hash is not known.
        """
        return self.serial_number == certificate.serial_number and self._names(certificate.issuer, issuer)

    def is_issued_by(self, issuer: Certificate) -> bool:
        """Return whether this identifies a certificate that `issuer` has issued, by the hashes of its name and key.

        This is the first question of an OCSP responder, which then looks the serial number up. The result is False if
        the hash is not known.

        >>> from pathlib import Path
        >>> from derlib import pem
        >>> from derlib.schemas.x509 import Certificate
        >>> files = [Path("docs/examples", name).read_bytes() for name in ("ca.pem", "server.pem")]
        >>> ca, server = (Certificate.decode(pem.one(data)) for data in files)
        >>> CertID.of(server, ca).is_issued_by(ca), CertID.of(server, ca).is_issued_by(server)
        (True, False)
        """
        return self._names(issuer.subject, issuer)

    def _names(self, name: Name, issuer: Certificate) -> bool:
        """Return whether the hashes are those of a name and of the key of an issuer."""
        try:
            return (self.issuer_name_hash, self.issuer_key_hash) == _hashes(name, issuer, self.hash_algorithm)
        except ValueError:
            return False  # The hash is not known.


def _hashes(name: Name, issuer: Certificate, algorithm: AlgorithmIdentifier) -> tuple[bytes, bytes]:
    """Return the hashes of an issuer's name, and of the contents of the issuer's key."""
    # The first contents octet of a BIT STRING is the number of unused bits (X.690 8.6.2.2).
    key = issuer.public_key.raw("subject_public_key")[1:]
    return algorithm.digest(name.der), algorithm.digest(key)


class Request(HasExtensions, Sequence):
    """A question about one certificate (RFC 6960 section 4.1.1).

    ::

        Request ::= SEQUENCE {
            reqCert                   CertID,
            singleRequestExtensions   [0] EXPLICIT Extensions OPTIONAL }

    >>> from derlib.schemas.x509 import AlgorithmIdentifier
    >>> asked = Request(req_cert=CertID(
    ...     hash_algorithm=AlgorithmIdentifier.of("id-sha1"),
    ...     issuer_name_hash=bytes(20),
    ...     issuer_key_hash=bytes(20),
    ...     serial_number=7,
    ... ))
    >>> asked.serial_number, asked.extensions
    (7, None)
    """

    req_cert: CertID
    single_request_extensions: Annotated[Extensions, Explicit(0)] | None = None

    @property
    def serial_number(self) -> int:
        """The serial number of the certificate."""
        return self.req_cert.serial_number

    @property
    def extensions(self) -> Extensions | None:
        """The extensions for this certificate. `get` returns the value of one of them."""
        return self.single_request_extensions


class TBSRequest(Sequence):
    """The part of a request that can be signed (RFC 6960 section 4.1.1).

    ::

        TBSRequest ::= SEQUENCE {
            version             [0] EXPLICIT Version DEFAULT v1,
            requestorName       [1] EXPLICIT GeneralName OPTIONAL,
            requestList         SEQUENCE OF Request,
            requestExtensions   [2] EXPLICIT Extensions OPTIONAL }

    A signed request must have `requestor_name` (section 4.1.2).

    >>> tbs = TBSRequest.decode(bytes.fromhex("30023000"))
    >>> len(tbs.request_list), tbs.requestor_name, tbs.request_extensions
    (0, None, None)
    """

    version: Annotated[Version, Explicit(0)] = Version.v1
    requestor_name: Annotated[GeneralName, Explicit(1)] | None = None
    request_list: SequenceOf[Request]
    request_extensions: Annotated[Extensions, Explicit(2)] | None = None


class Signature(Sequence):
    """The signature of a request, with certificates for its verification (RFC 6960 section 4.1.1).

    ::

        Signature ::= SEQUENCE {
            signatureAlgorithm   AlgorithmIdentifier,
            signature            BIT STRING,
            certs                [0] EXPLICIT SEQUENCE OF Certificate OPTIONAL }

    The signed bytes are ``tbs_request.der`` of the `OCSPRequest`.

    >>> from derlib import BitString
    >>> from derlib.schemas.x509 import AlgorithmIdentifier
    >>> signature = Signature(
    ...     signature_algorithm=AlgorithmIdentifier.of("id-Ed25519"),
    ...     signature=BitString(bytes(64)),
    ... )
    >>> len(signature.signature.bytes), signature.certs
    (64, None)
    """

    signature_algorithm: AlgorithmIdentifier
    signature: BitString
    certs: Annotated[SequenceOf[Certificate], Explicit(0)] | None = None


class OCSPRequest(HasExtensions, Sequence, ber="keep"):
    """A request for the status of certificates (RFC 6960 section 4.1.1).

    ::

        OCSPRequest ::= SEQUENCE {
            tbsRequest          TBSRequest,
            optionalSignature   [0] EXPLICIT Signature OPTIONAL }

    `CertID.of` makes a question about a certificate.

    >>> from derlib import SequenceOf
    >>> from derlib.schemas.x509 import AlgorithmIdentifier
    >>> question = CertID(
    ...     hash_algorithm=AlgorithmIdentifier.of("id-sha1"),
    ...     issuer_name_hash=bytes(20),
    ...     issuer_key_hash=bytes(20),
    ...     serial_number=7,
    ... )
    >>> asked = SequenceOf[Request]([Request(req_cert=question)])
    >>> request = OCSPRequest(tbs_request=TBSRequest(request_list=asked))
    >>> [each.serial_number for each in OCSPRequest.decode(request.encode()).requests]
    [7]
    """

    tbs_request: TBSRequest
    optional_signature: Annotated[Signature, Explicit(0)] | None = None

    @property
    def requests(self) -> SequenceOf[Request]:
        """The questions, one for each certificate."""
        return self.tbs_request.request_list

    @property
    def extensions(self) -> Extensions | None:
        """The extensions of the whole request. `get` returns the value of one of them."""
        return self.tbs_request.request_extensions

    @property
    def nonce(self) -> bytes | None:
        """The nonce, which the response should repeat; None if there is none (RFC 9654 section 2.1).

        A nonce that is not an OCTET STRING of 1 to 128 bytes is the contents of extnValue.
        """
        found: bytes | None = self.get(id_pkix_ocsp_nonce)
        return found


class AcceptableResponses(SequenceOf[ObjectIdentifier]):
    """The types of response that a client understands (RFC 6960 section 4.4.3).

    ::

        AcceptableResponses ::= SEQUENCE OF OBJECT IDENTIFIER

    >>> from derlib.schemas.ocsp import id_pkix_ocsp_basic
    >>> AcceptableResponses([id_pkix_ocsp_basic]).encode().hex()
    '300b06092b0601050507300101'
    """


class ServiceLocator(Sequence):
    """The responder that knows the certificate (RFC 6960 section 4.4.6).

    ::

        ServiceLocator ::= SEQUENCE {
            issuer    Name,
            locator   AuthorityInfoAccessSyntax OPTIONAL }

    The modules in Appendix B have no OPTIONAL. Section 4.4.6 has it, and this class accepts both.

    >>> from derlib.schemas.x509 import Name
    >>> locator = ServiceLocator(issuer=Name.of({"CN": "Example CA"}))
    >>> str(locator.issuer), locator.locator
    ('CN=Example CA', None)
    """

    issuer: Name
    locator: AuthorityInfoAccessSyntax | None = None


class PreferredSignatureAlgorithm(Sequence):
    """A signature algorithm that the client prefers (RFC 6960 section 4.4.7.1).

    ::

        PreferredSignatureAlgorithm ::= SEQUENCE {
            sigIdentifier         AlgorithmIdentifier,
            pubKeyAlgIdentifier   SMIMECapability OPTIONAL }

    >>> from derlib.schemas.x509 import AlgorithmIdentifier
    >>> PreferredSignatureAlgorithm(sig_identifier=AlgorithmIdentifier.of("id-Ed25519")).encode().hex()
    '3007300506032b6570'
    """

    sig_identifier: AlgorithmIdentifier
    pub_key_alg_identifier: SMIMECapability | None = None


class PreferredSignatureAlgorithms(SequenceOf[PreferredSignatureAlgorithm]):
    """The signature algorithms that a client prefers, the best first (RFC 6960 section 4.4.7.1).

    ::

        PreferredSignatureAlgorithms ::= SEQUENCE OF PreferredSignatureAlgorithm

    >>> preferred = PreferredSignatureAlgorithms.decode(bytes.fromhex("3009 3007 300506032b6570"))
    >>> preferred[0].sig_identifier.name
    'id-Ed25519'
    """


# Some clients put the bytes of the nonce into extnValue without an OCTET STRING of their own: they are opaque.
id_pkix_ocsp_nonce = known_extension("1.3.6.1.5.5.7.48.1.2", "id-pkix-ocsp-nonce", Nonce, on_mismatch="opaque")
id_pkix_ocsp_response = known_extension("1.3.6.1.5.5.7.48.1.4", "id-pkix-ocsp-response", AcceptableResponses)
id_pkix_ocsp_service_locator = known_extension(
    "1.3.6.1.5.5.7.48.1.7", "id-pkix-ocsp-service-locator", ServiceLocator
)
id_pkix_ocsp_pref_sig_algs = known_extension(
    "1.3.6.1.5.5.7.48.1.8", "id-pkix-ocsp-pref-sig-algs", PreferredSignatureAlgorithms
)

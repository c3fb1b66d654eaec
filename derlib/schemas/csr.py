"""Certification requests (PKCS #10): RFC 2986, with attributes of RFC 2985 and what EST servers request (RFC 7030).

Import this module to read and to make certificate requests. derlib does not sign or verify.

    >>> from derlib.schemas.csr import CertificationRequest
    >>> request = CertificationRequest.decode(open("server.csr.der", "rb").read())  # doctest: +SKIP
    >>> print(request.subject, request.dns_names)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from derlib import (
    BitString,
    Choice,
    DefinedBy,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
)
from derlib._signing import signature_of
from derlib.oids import by_name, register_known
from derlib.schemas import vendor_attributes  # noqa: F401 - registers the attributes that Windows adds
from derlib.schemas.attributes import ATTRIBUTES, Attribute, Name, text_attribute, typed_attribute
from derlib.schemas.extension_properties import ExtensionProperties
from derlib.schemas.x509 import (
    AlgorithmIdentifier,
    BasicConstraints,
    Extension,
    Extensions,
    ExtKeyUsageSyntax,
    GeneralName,
    KeyUsage,
    SubjectAltName,
    SubjectPublicKeyInfo,
)

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "CSR_ATTRIBUTES",
    "AlgorithmIdentifier",
    "AttrOrOID",
    "Attribute",
    "Attributes",
    "BasicConstraints",
    "CertificationRequest",
    "CertificationRequestInfo",
    "CsrAttribute",
    "CsrAttrs",
    "ExtKeyUsageSyntax",
    "Extension",
    "Extensions",
    "GeneralName",
    "KeyUsage",
    "Name",
    "SubjectAltName",
    "SubjectPublicKeyInfo",
    "Version",
    "id_challenge_password",
    "id_extension_request",
    "id_unstructured_address",
    "id_unstructured_name",
]

# The attributes of requests; `derlib.schemas.attributes` and `derlib.schemas.x509` register the types of their values.
id_unstructured_name = ObjectIdentifier("1.2.840.113549.1.9.2")
id_challenge_password = ObjectIdentifier("1.2.840.113549.1.9.7")
id_unstructured_address = ObjectIdentifier("1.2.840.113549.1.9.8")
id_extension_request = ObjectIdentifier("1.2.840.113549.1.9.14")

# Microsoft's name for extensionRequest, in requests of Windows.
_MS_CERT_EXTENSIONS = ObjectIdentifier("1.3.6.1.4.1.311.2.1.14")


class Version(NamedInteger):
    """The version of a request (RFC 2986 section 4.1, where the INTEGER has no name).

    ::

        INTEGER { v1(0) }

    >>> Version(0)
    <Version.v1: 0>
    """

    v1 = 0


class Attributes(SetOf[Attribute]):
    """The attributes of a request (RFC 2986 section 4.1).

    ::

        Attributes ::= SET OF Attribute

    >>> attributes = Attributes([Attribute.of(id_challenge_password, "secret")])
    >>> attributes.get(id_challenge_password), attributes.get(id_extension_request)
    ('secret', None)
    """

    def get(self, which: ObjectIdentifier | str) -> Any:
        """Return the first value of an attribute, or None if it is absent or has no value.

        Args:
            which: the `ObjectIdentifier` of the attribute, such as `id_challenge_password`, its dotted form or its
                name.

        A value that does not have the type of its attribute is a `TLV`.

        Raises:
            ConstraintError: the name is not registered.
        """
        found = self.find_by("type", by_name(which))
        return found.values[0] if found is not None and found.values else None

    def with_attribute(self, attribute: Attribute) -> Attributes:
        """Return these attributes with another one, in the place of one with the same type if there is one.

        >>> attributes = Attributes([Attribute.of(id_challenge_password, "old")])
        >>> attributes.with_attribute(Attribute.of(id_challenge_password, "new")).get(id_challenge_password)
        'new'
        """
        return type(self)([*(each for each in self if each.type != attribute.type), attribute])


class CertificationRequestInfo(Sequence):
    """The part of a request that is signed (RFC 2986 section 4.1).

    ::

        CertificationRequestInfo ::= SEQUENCE {
            version         INTEGER { v1(0) } (v1,...),
            subject         Name,
            subjectPKInfo   SubjectPublicKeyInfo,
            attributes      [0] IMPLICIT Attributes }

    `attributes` is not optional: it is empty if there are none.

    >>> info = CertificationRequestInfo.decode(bytes.fromhex("3013 020100 3000 300a 300506032b6570 030100 a000"))
    >>> info.subject_pk_info.kind, str(info.subject), len(info.attributes)
    ('Ed25519', '', 0)
    """

    version: Version
    subject: Name
    subject_pk_info: SubjectPublicKeyInfo
    attributes: Annotated[Attributes, Implicit(0)]


class CertificationRequest(ExtensionProperties, Sequence, ber="keep"):
    """A request for a certificate (RFC 2986 section 4.2).

    ::

        CertificationRequest ::= SEQUENCE {
            certificationRequestInfo   CertificationRequestInfo,
            signatureAlgorithm         AlgorithmIdentifier,
            signature                  BIT STRING }

    The signed bytes are ``certification_request_info.der``, and the key that verifies them is `public_key`. The
    properties are fields of `certification_request_info` and the values of the requested extensions.

    >>> from derlib import BitString
    >>> request = CertificationRequest(
    ...     certification_request_info=CertificationRequestInfo(
    ...         version=Version.v1,
    ...         subject=Name.of({"CN": "www.example.org"}),
    ...         subject_pk_info=SubjectPublicKeyInfo.decode(bytes.fromhex("302a300506032b6570032100") + bytes(32)),
    ...         attributes=Attributes([
    ...             Attribute.of(id_extension_request, Extensions([
    ...                 Extension.of(SubjectAltName([GeneralName(dns_name="www.example.org")])),
    ...             ])),
    ...         ]),
    ...     ),
    ...     signature_algorithm=AlgorithmIdentifier.of("id-Ed25519"),
    ...     signature=BitString(bytes(64)),
    ... )
    >>> str(request.subject), request.dns_names, request.public_key.kind, request.challenge_password
    ('CN=www.example.org', ('www.example.org',), 'Ed25519', None)
    """

    certification_request_info: CertificationRequestInfo
    signature_algorithm: AlgorithmIdentifier
    signature: BitString

    @classmethod
    def signed(
        cls, info: CertificationRequestInfo, sign: Callable[[bytes], bytes], algorithm: AlgorithmIdentifier
    ) -> CertificationRequest:
        """Return the request with its signature.

        Args:
            info: the part to sign, `certification_request_info`.
            sign: a function that takes the bytes to sign and returns the signature, as for `Certificate.signed`. The
                key is the private key of ``info.subject_pk_info``.
            algorithm: the algorithm of `sign`, such as `derlib.schemas.x509.sa_ed25519`.

        Raises:
            TypeError: `info` is not a `CertificationRequestInfo`, or `sign` does not return bytes.
            ConstraintError: `algorithm` is not an `AlgorithmIdentifier`.

        >>> info = CertificationRequestInfo.decode(bytes.fromhex("3013 020100 3000 300a 300506032b6570 030100 a000"))
        >>> algorithm = AlgorithmIdentifier.of("id-Ed25519")
        >>> CertificationRequest.signed(info, lambda data: bytes(64), algorithm).signature.bytes == bytes(64)
        True
        """
        signature = signature_of(info, CertificationRequestInfo, sign)
        return cls(certification_request_info=info, signature_algorithm=algorithm, signature=signature)

    # What users ask of a request. The properties of extensions are those of `Certificate`.

    @property
    def subject(self) -> Name:
        """The name that the certificate should have (RFC 2986 section 4.1)."""
        return self.certification_request_info.subject

    @property
    def public_key(self) -> SubjectPublicKeyInfo:
        """The public key for which the certificate is requested, with its algorithm (RFC 2986 section 4.1)."""
        return self.certification_request_info.subject_pk_info

    @property
    def extensions(self) -> Extensions | None:
        """The extensions that the certificate should have, or None if the request names none.

        They are the value of the attribute extensionRequest (RFC 2985 section 5.4.2), or else of Microsoft's attribute
        for the same purpose. If there are several values, which section 5.4.2 does not allow, this is the first one.

        Raises:
            DecodeError: the value is not a valid list of extensions. Decoding the request accepts that only with
                `Deviation.OPEN_TYPE`.
        """
        attributes = self.certification_request_info.attributes
        for attribute in (id_extension_request, _MS_CERT_EXTENSIONS):
            found: Extensions | None = typed_attribute(attributes.get(attribute), attribute, self)
            if found is not None:
                return found
        return None

    @property
    def challenge_password(self) -> str | None:
        """The password for revocation; None if it is absent (RFC 2985 section 5.4.1).

        Raises:
            DecodeError: the value is not a character string.
        """
        found = self.certification_request_info.attributes.get(id_challenge_password)
        return text_attribute(found, id_challenge_password, self)


# The values of an attribute in `CsrAttrs`: extensions, or for example identifiers of extensions.
CSR_ATTRIBUTES = OpenTypes("CSR_ATTRIBUTES", {id_extension_request: Extensions}, on_mismatch="opaque")


class CsrAttribute(Attribute):
    """An attribute in the answer of a server (RFC 7030 section 4.5.2).

    ::

        Attribute ::= SEQUENCE {
            type     AttributeType,
            values   SET OF AttributeValue }

    The type can also name an algorithm, such as that of a public key. A value is a `TLV`, unless it has the extensions
    that the server asks for: the values need not have the type that they have in a request. For example, they can be
    identifiers of extensions.

    >>> octets = bytes.fromhex("3016 06092a864886f70d01090e 3109 06072b060101010116")
    >>> CsrAttribute.decode(octets).values[0].value
    ObjectIdentifier('1.3.6.1.1.1.1.22')
    """

    values: Annotated[SetOf[Annotated[Any, DefinedBy("type", CSR_ATTRIBUTES)]], Size(1, None)]


class AttrOrOID(Choice):
    """An attribute of a request: its value, or only the type that the server asks for (RFC 7030 section 4.5.2).

    ::

        AttrOrOID ::= CHOICE {
            oid         OBJECT IDENTIFIER,
            attribute   Attribute }

    An identifier can also name an algorithm.

    >>> wanted = AttrOrOID(oid=id_challenge_password)
    >>> wanted.alternative, wanted.oid.name
    ('oid', 'pkcs-9-at-challengePassword')
    """

    oid: ObjectIdentifier
    attribute: CsrAttribute


class CsrAttrs(SequenceOf[AttrOrOID]):
    """What a server of EST wants to have in requests, its answer to /csrattrs (RFC 7030 section 4.5.2).

    ::

        CsrAttrs ::= SEQUENCE SIZE (0..MAX) OF AttrOrOID

    >>> answer = CsrAttrs([AttrOrOID(oid=id_challenge_password), AttrOrOID(oid="1.2.840.10045.4.3.3")])
    >>> [each.oid.name for each in CsrAttrs.decode(answer.encode())]
    ['pkcs-9-at-challengePassword', 'ecdsa-with-SHA384']
    """


register_known({_MS_CERT_EXTENSIONS.dotted: "szOID_CERT_EXTENSIONS"})
ATTRIBUTES.register(_MS_CERT_EXTENSIONS, Extensions, on_mismatch="error")

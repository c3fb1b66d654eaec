"""Signed content of CMS: RFC 5652 section 5.

Used by `derlib.schemas.cms`. The module has implicit tags.

>>> from derlib.schemas.cms import id_data
>>> EncapsulatedContentInfo(e_content_type=id_data, e_content=b"text").encode().hex()
'301306092a864886f70d010701a006040474657874'
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from derlib import Choice, Explicit, Implicit, ObjectIdentifier, OctetString, Sequence, SetOf, View
from derlib.errors import StructureError
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES, Name, typed_attribute
from derlib.schemas.cms_attributes import (
    ContentType,
    SignedAttributes,
    UnsignedAttributes,
    id_content_type,
    id_message_digest,
    id_signing_time,
)
from derlib.schemas.cms_certificates import CertificateSet, CMSVersion, IssuerAndSerialNumber, RevocationInfoChoices
from derlib.schemas.crl import CertificateList
from derlib.schemas.extensions import SubjectKeyIdentifier
from derlib.schemas.x509 import Certificate

if TYPE_CHECKING:
    from derlib.ber import Converted

_COMPILE_AT_FIRST_USE = True

V = TypeVar("V", bound=View)


class EncapsulatedContentInfo(Sequence):
    """The content that is signed, hashed or authenticated (RFC 5652 section 5.2).

    ::

        EncapsulatedContentInfo ::= SEQUENCE {
            eContentType   ContentType,
            eContent       [0] EXPLICIT OCTET STRING OPTIONAL }

    `e_content` is None if the content is stored elsewhere, as for a detached signature.
    """

    e_content_type: ContentType
    e_content: Annotated[OctetString, Explicit(0)] | None = None


class DigestAlgorithmIdentifiers(SetOf[AlgorithmIdentifier]):
    """The hash functions of the signers (RFC 5652 section 5.1).

    ::

        DigestAlgorithmIdentifiers ::= SET OF DigestAlgorithmIdentifier
    """


class SignerIdentifier(Choice):
    """The certificate of a signer (RFC 5652 section 5.3).

    ::

        SignerIdentifier ::= CHOICE {
            issuerAndSerialNumber   IssuerAndSerialNumber,
            subjectKeyIdentifier    [0] SubjectKeyIdentifier }
    """

    issuer_and_serial_number: IssuerAndSerialNumber
    subject_key_identifier: Annotated[SubjectKeyIdentifier, Implicit(0)]


class SignerInfo(Sequence):
    """A signature with its attributes; also a countersignature (RFC 5652 sections 5.3 and 11.4).

    ::

        SignerInfo ::= SEQUENCE {
            version              CMSVersion,
            sid                  SignerIdentifier,
            digestAlgorithm      DigestAlgorithmIdentifier,
            signedAttrs          [0] IMPLICIT SignedAttributes OPTIONAL,
            signatureAlgorithm   SignatureAlgorithmIdentifier,
            signature            SignatureValue,   -- OCTET STRING
            unsignedAttrs        [1] IMPLICIT UnsignedAttributes OPTIONAL }
    """

    version: CMSVersion
    sid: SignerIdentifier
    digest_algorithm: AlgorithmIdentifier
    signed_attrs: Annotated[SignedAttributes, Implicit(0)] | None = None
    signature_algorithm: AlgorithmIdentifier
    signature: OctetString
    unsigned_attrs: Annotated[UnsignedAttributes, Implicit(1)] | None = None

    @property
    def signed_bytes(self) -> bytes | None:
        """The bytes that were signed, or None if the signer has no signed attributes (RFC 5652 section 5.4).

        They are the encoding of the signed attributes with the tag of SET OF instead of [0]. Without signed attributes
        the content itself was signed: the value of `e_content`, or the file of a detached signature.
        """
        return None if self.signed_attrs is None else self.signed_attrs.encode()

    # What users ask of a signer. The values of attributes are those that are signed.

    @property
    def issuer(self) -> Name | None:
        """The issuer of the signer's certificate; None if the signer is named by `key_identifier`."""
        sid = self.sid
        return sid.issuer_and_serial_number.issuer if sid.alternative == "issuer_and_serial_number" else None

    @property
    def serial_number(self) -> int | None:
        """The serial number of the signer's certificate; None if the signer is named by `key_identifier`."""
        sid = self.sid
        return sid.issuer_and_serial_number.serial_number if sid.alternative == "issuer_and_serial_number" else None

    @property
    def key_identifier(self) -> bytes | None:
        """The key identifier of the signer's certificate; None if the signer is named by issuer and serial number."""
        return self.sid.subject_key_identifier if self.sid.alternative == "subject_key_identifier" else None

    def get(self, which: ObjectIdentifier | str) -> Any:
        """Return the value of a signed attribute, as `SignedAttributes.get` does, or None if it is absent."""
        return None if self.signed_attrs is None else self.signed_attrs.get(which)

    @property
    def content_type(self) -> ObjectIdentifier | None:
        """The type of the signed content; None if the attribute is absent (RFC 5652 section 11.1).

        Raises:
            DecodeError: the attribute occurs twice, does not have exactly one value, or has one of another type.
        """
        found: ObjectIdentifier | None = self._signed(id_content_type, "RFC 5652 11.1")
        return found

    @property
    def message_digest(self) -> bytes | None:
        """The hash of the signed content; None if the attribute is absent (RFC 5652 section 11.2).

        Raises:
            DecodeError: as `content_type`.
        """
        found: bytes | None = self._signed(id_message_digest, "RFC 5652 11.2")
        return found

    @property
    def signing_time(self) -> datetime | None:
        """When the signer claims to have signed, in UTC; None if the attribute is absent (RFC 5652 section 11.3).

        Raises:
            DecodeError: as `content_type`.
            UnrepresentableError: `datetime` cannot represent the time.
        """
        found: datetime | None = self._signed(id_signing_time, "RFC 5652 11.3")
        return found

    def _signed(self, which: ObjectIdentifier, rule: str) -> Any:
        """Return the value of a signed attribute that must not have several; None if it is absent."""
        found = [each.attr_values for each in self.signed_attrs or () if each.attr_type == which]
        if not found:
            return None
        if len(found) > 1 or len(found[0]) != 1:
            count = f"{len(found)} attributes" if len(found) > 1 else f"{len(found[0])} values"
            detail = f"expected one {which.name} with one value, found {count}"
            raise StructureError(detail, ("signed_attrs",), self.span("signed_attrs").offset, rule)
        return typed_attribute(found[0][0], which, self)


class SignerInfos(SetOf[SignerInfo]):
    """The signers; none if the object only carries certificates and CRLs (RFC 5652 section 5.1).

    ::

        SignerInfos ::= SET OF SignerInfo
    """


def _in_order_of_input(values: Iterable[V], origin: "Converted | None") -> tuple[V, ...]:
    """Return the elements of a SET OF in the order of the input, which is `origin` if it was BER."""
    if origin is None:
        return tuple(values)
    return tuple(sorted(values, key=lambda value: origin.origin(value.span().offset)))


class CertificatesAndLists:
    """What a `SignedData` of CMS or of PKCS #7 says about its certificates and CRLs."""

    __slots__ = ()

    if TYPE_CHECKING:
        certificates: CertificateSet | None
        crls: RevocationInfoChoices | None

        @property
        def origin(self) -> "Converted | None": ...

    @property
    def x509_certificates(self) -> tuple[Certificate, ...]:
        """The certificates of X.509 in the field `certificates`, which can also have other kinds.

        They are in the order of the input, although `certificates` is sorted if the input was BER (X.690 11.6).
        """
        found = (each.certificate for each in self.certificates or () if each.alternative == "certificate")
        return _in_order_of_input(found, self.origin)

    @property
    def certificate_lists(self) -> tuple[CertificateList, ...]:
        """The CRLs in the field `crls`, which can also have other revocation information, in the order of the input."""
        found = (each.crl for each in self.crls or () if each.alternative == "crl")
        return _in_order_of_input(found, self.origin)

    def certificate_of(self, signer: SignerInfo, others: Iterable[Certificate] = ()) -> Certificate | None:
        """Return the certificate that a signer names, or None if it is not here. The signature is not verified.

        Args:
            signer: one of the signers.
            others: certificates that are not in the object, such as those of known signers. They come first, because
                anyone can put another certificate with the same name and number into the object.

        Raises:
            DecodeError: the key identifier of a certificate is opaque, because `Deviation.OPEN_TYPE` was tolerated.
        """
        for certificate in chain(others, self.x509_certificates):
            if signer.issuer is None:
                named = certificate.key_identifier == signer.key_identifier
            else:
                named = certificate.serial_number == signer.serial_number and certificate.issuer.matches(signer.issuer)
            if named:
                return certificate
        return None


class SignedData(Sequence, CertificatesAndLists):
    """Signed content, or only certificates and CRLs (RFC 5652 section 5.1).

    ::

        SignedData ::= SEQUENCE {
            version            CMSVersion,
            digestAlgorithms   DigestAlgorithmIdentifiers,
            encapContentInfo   EncapsulatedContentInfo,
            certificates       [0] IMPLICIT CertificateSet OPTIONAL,
            crls               [1] IMPLICIT RevocationInfoChoices OPTIONAL,
            signerInfos        SignerInfos }
    """

    version: CMSVersion
    digest_algorithms: DigestAlgorithmIdentifiers
    encap_content_info: EncapsulatedContentInfo
    certificates: Annotated[CertificateSet, Implicit(0)] | None = None
    crls: Annotated[RevocationInfoChoices, Implicit(1)] | None = None
    signer_infos: SignerInfos

    @property
    def content_type(self) -> ObjectIdentifier:
        """The type of the content, such as id-data."""
        return self.encap_content_info.e_content_type

    @property
    def content(self) -> bytes | None:
        """The content; None if it is stored elsewhere, as for a detached signature."""
        return self.encap_content_info.e_content


id_signed_data = ObjectIdentifier("1.2.840.113549.1.7.2")


def signed_data_of(info: Any, class_: type[V]) -> V:
    """Return the content of a ContentInfo of CMS or of PKCS #7, which must be a SignedData of this class.

    Raises:
        AttributeError: the content has another type, is absent, or is opaque because of a tolerated mismatch.
    """
    content = info.content
    if isinstance(content, class_):
        return content
    if content is None:
        raise AttributeError("the content is absent")
    if info.content_type == id_signed_data:
        raise AttributeError("the content does not match SignedData: read it with `content`")
    raise AttributeError(f"the content is {info.content_type.name}, not id-signedData: read it with `content`")


id_countersignature = ObjectIdentifier("1.2.840.113549.1.9.6")
register_known({id_countersignature.dotted: "id-countersignature"})
# Countersignature ::= SignerInfo, section 11.4. A value of another type is an error: an opaque value would be converted
# from BER without its type, also the parts that are signed.
ATTRIBUTES.register(id_countersignature, SignerInfo, on_mismatch="error")

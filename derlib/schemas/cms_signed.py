"""Signed content of CMS: RFC 5652 section 5.

Used by `derlib.schemas.cms`. The module has implicit tags.

>>> EncapsulatedContentInfo(e_content_type="1.2.840.113549.1.7.1", e_content=b"text").encode().hex()
'301306092a864886f70d010701a006040474657874'
"""

from typing import Annotated

from derlib import Choice, Explicit, Implicit, ObjectIdentifier, OctetString, Sequence, SetOf
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms_attributes import ContentType, SignedAttributes, UnsignedAttributes
from derlib.schemas.cms_certificates import CertificateSet, CMSVersion, IssuerAndSerialNumber, RevocationInfoChoices
from derlib.schemas.extensions import SubjectKeyIdentifier

_COMPILE_AT_FIRST_USE = True


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


class SignerInfos(SetOf[SignerInfo]):
    """The signers; none if the object only carries certificates and CRLs (RFC 5652 section 5.1).

    ::

        SignerInfos ::= SET OF SignerInfo
    """


class SignedData(Sequence):
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


id_countersignature = ObjectIdentifier("1.2.840.113549.1.9.6")
register_known({id_countersignature.dotted: "id-countersignature"})
# Countersignature ::= SignerInfo, section 11.4. A value of another type is an error: an opaque value would be converted
# from BER without its type, also the parts that are signed.
ATTRIBUTES.register(id_countersignature, SignerInfo, on_mismatch="error")

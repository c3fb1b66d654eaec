"""Signed data of PKCS #7 1.5, RFC 2315, whose content can have any type.

Import this module, or a module that uses it such as `derlib.schemas.authenticode`, to read signed objects whose content
is not an OCTET STRING. CMS (RFC 5652 section 5.2.1) replaced this syntax: `derlib.schemas.cms` reads everything else.
Parts that CMS did not change are its classes. The module has implicit tags.

    >>> from derlib.schemas.pkcs7 import ContentInfo
    >>> signed = ContentInfo.decode(open("signature.p7", "rb").read()).signed_data  # doctest: +SKIP
    >>> signed.content  # doctest: +SKIP
    SpcIndirectDataContent(...)
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import DefinedBy, Explicit, Implicit, ObjectIdentifier, OctetString, OpenTypes, Sequence
from derlib.schemas.cms import (
    CertificateSet,
    CMSVersion,
    DigestAlgorithmIdentifiers,
    DigestedData,
    EncryptedData,
    EnvelopedData,
    RevocationInfoChoices,
    SignedAttributes,
    SignerInfo,
    SignerInfos,
    UnsignedAttributes,
    id_data,
    id_digested_data,
    id_encrypted_data,
    id_enveloped_data,
    id_signed_data,
)
from derlib.schemas.cms_attributes import ContentType
from derlib.schemas.cms_signed import CertificatesAndLists, signed_data_of

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "CMSVersion",
    "CertificateSet",
    "ContentInfo",
    "DigestAlgorithmIdentifiers",
    "RevocationInfoChoices",
    "SignedAttributes",
    "SignedData",
    "SignerInfo",
    "SignerInfos",
    "UnsignedAttributes",
    "id_data",
    "id_signed_data",
]

# The syntax of the content, by contentType, of a file and of what it signs.
CONTENT_TYPES = OpenTypes("PKCS7_CONTENT_TYPES")


class ContentInfo(Sequence):
    """A content with its type: a whole file, or what a `SignedData` signs (RFC 2315 section 7).

    ::

        ContentInfo ::= SEQUENCE {
            contentType   ContentType,
            content       [0] EXPLICIT ANY DEFINED BY contentType OPTIONAL }

    >>> ContentInfo(content_type=id_data, content=b"text").encode().hex()
    '301306092a864886f70d010701a006040474657874'
    """

    content_type: ContentType
    content: Annotated[Any, DefinedBy("content_type", CONTENT_TYPES), Explicit(0)] | None = None

    @property
    def signed_data(self) -> SignedData:
        """The content, if it is a `SignedData`.

        Raises:
            AttributeError: the content has another type, is absent, or is opaque because of a tolerated mismatch.
        """
        return signed_data_of(self, SignedData)


class SignedData(Sequence, CertificatesAndLists):
    """Signed content of any type (RFC 2315 section 9.1).

    ::

        SignedData ::= SEQUENCE {
            version            Version,
            digestAlgorithms   DigestAlgorithmIdentifiers,
            contentInfo        ContentInfo,
            certificates       [0] IMPLICIT ExtendedCertificatesAndCertificates OPTIONAL,
            crls               [1] IMPLICIT CertificateRevocationLists OPTIONAL,
            signerInfos        SignerInfos }

    The certificates, the CRLs and the signers have the types of RFC 5652, which extend those of RFC 2315.
    """

    version: CMSVersion
    digest_algorithms: DigestAlgorithmIdentifiers
    content_info: ContentInfo
    certificates: Annotated[CertificateSet, Implicit(0)] | None = None
    crls: Annotated[RevocationInfoChoices, Implicit(1)] | None = None
    signer_infos: SignerInfos

    @property
    def content_type(self) -> ObjectIdentifier:
        """The type of the content."""
        return self.content_info.content_type

    @property
    def content(self) -> Any:
        """The content, of the type that `content_type` means; None if it is stored elsewhere."""
        return self.content_info.content

    @property
    def digested_bytes(self) -> bytes | None:
        """The bytes whose hash is in the attribute id-messageDigest, or None if the content is absent.

        They are the contents octets of the content, without its tag and length (RFC 2315 section 9.3).
        """
        content_info = self.content_info
        if content_info.content is None:
            return None
        span, whole = content_info.span("content"), content_info.span()
        start = span.content_offset - whole.offset
        return bytes(content_info.der[start : start + span.content_length])


CONTENT_TYPES.register(id_data, OctetString)
CONTENT_TYPES.register(id_signed_data, SignedData)
CONTENT_TYPES.register(id_enveloped_data, EnvelopedData)
CONTENT_TYPES.register(id_digested_data, DigestedData)
CONTENT_TYPES.register(id_encrypted_data, EncryptedData)

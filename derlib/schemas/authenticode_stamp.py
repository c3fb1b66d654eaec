"""Time stamps in signatures of programs, as Microsoft's time stamp authority writes them.

Used by `derlib.schemas.authenticode`. Such a time stamp has an attribute certificate of version 2 with the tag [1],
which RFC 5652 has for version 1, so `derlib.schemas.cms` does not decode it. The classes here are those of CMS except
for this tag, and read the time stamps of other authorities, too.
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import Choice, DefinedBy, Explicit, Implicit, OpenTypes, SetOf
from derlib.schemas import cms
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.cms_certificates import ExtendedCertificate, OtherCertificateFormat
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

__all__ = ["TimeStampCertificateChoices", "TimeStampCertificateSet", "TimeStampSignedData", "TimeStampToken"]

# The syntax of the content, by contentType.
TIME_STAMP_CONTENT_TYPES = OpenTypes("TIME_STAMP_CONTENT_TYPES")


class TimeStampCertificateChoices(Choice):
    """A certificate in a time stamp (RFC 5652 section 10.2.2, where v1AttrCert is an AttributeCertificateV1).

    ::

        CertificateChoices ::= CHOICE {
            certificate           Certificate,
            extendedCertificate   [0] IMPLICIT ExtendedCertificate,
            v1AttrCert            [1] IMPLICIT AttributeCertificateV2,
            v2AttrCert            [2] IMPLICIT AttributeCertificateV2,
            other                 [3] IMPLICIT OtherCertificateFormat }
    """

    certificate: Certificate
    extended_certificate: Annotated[ExtendedCertificate, Implicit(0)]
    v1_attr_cert: Annotated[AttributeCertificate, Implicit(1)]
    v2_attr_cert: Annotated[AttributeCertificate, Implicit(2)]
    other: Annotated[OtherCertificateFormat, Implicit(3)]


class TimeStampCertificateSet(SetOf[TimeStampCertificateChoices]):
    """The certificates of a time stamp (RFC 5652 section 10.2.3).

    ::

        CertificateSet ::= SET OF CertificateChoices
    """


class TimeStampSignedData(cms.SignedData):
    """The content of a time stamp (RFC 5652 section 5.1).

    ::

        SignedData ::= SEQUENCE {
            version            CMSVersion,
            digestAlgorithms   DigestAlgorithmIdentifiers,
            encapContentInfo   EncapsulatedContentInfo,
            certificates       [0] IMPLICIT CertificateSet OPTIONAL,
            crls               [1] IMPLICIT RevocationInfoChoices OPTIONAL,
            signerInfos        SignerInfos }
    """

    # A set with another class of elements.
    certificates: Annotated[TimeStampCertificateSet, Implicit(0)] | None = None  # type: ignore[assignment]


class TimeStampToken(cms.ContentInfo):
    """A time stamp (RFC 3161 section 2.4.2). Decode `signed_data.content` as a `derlib.schemas.tsp.TSTInfo`.

    ::

        TimeStampToken ::= ContentInfo   -- the contentType is id-signedData
    """

    content: Annotated[Any, DefinedBy("content_type", TIME_STAMP_CONTENT_TYPES), Explicit(0)]


TIME_STAMP_CONTENT_TYPES.register(cms.id_signed_data, TimeStampSignedData)

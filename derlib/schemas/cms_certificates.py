"""The certificates and revocation information that a CMS object carries: RFC 5652 section 10.2.

Used by `derlib.schemas.cms`. Certificates and CRLs are the classes of `derlib.schemas.x509` and `derlib.schemas.crl`.
The module has implicit tags.

>>> from derlib.schemas.x509 import Name
>>> IssuerAndSerialNumber(issuer=Name.of({"CN": "Example CA"}), serial_number=5).encode().hex()
'301a3015311330110603550403130a4578616d706c65204341020105'
"""

from typing import Annotated, Any

from derlib import BitString, Choice, DefinedBy, Implicit, NamedInteger, ObjectIdentifier, OpenTypes, Sequence, SetOf
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attribute_cert import AttributeCertificate, AttributeCertificateV1
from derlib.schemas.attributes import Name
from derlib.schemas.cms_attributes import UnauthAttributes
from derlib.schemas.crl import CertificateList
from derlib.schemas.extensions import CertificateSerialNumber
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

# The syntax of otherCert, by otherCertFormat.
OTHER_CERTIFICATES = OpenTypes("OTHER_CERTIFICATES")

# The syntax of otherRevInfo, by otherRevInfoFormat: OCSP responses are one (RFC 5940 section 2.1).
OTHER_REVOCATION_INFO = OpenTypes("OTHER_REVOCATION_INFO")


class CMSVersion(NamedInteger):
    """The version of the syntax, which depends on what the structure contains (RFC 5652 section 10.2.5).

    ::

        CMSVersion ::= INTEGER { v0(0), v1(1), v2(2), v3(3), v4(4), v5(5) }
    """

    v0 = 0
    v1 = 1
    v2 = 2
    v3 = 3
    v4 = 4
    v5 = 5


class IssuerAndSerialNumber(Sequence):
    """A certificate, by its issuer and serial number (RFC 5652 section 10.2.4).

    ::

        IssuerAndSerialNumber ::= SEQUENCE {
            issuer         Name,
            serialNumber   CertificateSerialNumber }
    """

    issuer: Name
    serial_number: CertificateSerialNumber


class ExtendedCertificateInfo(Sequence):
    """The part of a PKCS #6 extended certificate that is signed (RFC 5652 section 12.1).

    ::

        ExtendedCertificateInfo ::= SEQUENCE {
            version       CMSVersion,
            certificate   Certificate,
            attributes    UnauthAttributes }
    """

    version: CMSVersion
    certificate: Certificate
    attributes: UnauthAttributes


class ExtendedCertificate(Sequence, ber="keep"):
    """A PKCS #6 extended certificate, which is obsolete (RFC 5652 sections 10.2.2 and 12.1).

    ::

        ExtendedCertificate ::= SEQUENCE {
            extendedCertificateInfo   ExtendedCertificateInfo,
            signatureAlgorithm        SignatureAlgorithmIdentifier,
            signature                 Signature }   -- BIT STRING
    """

    extended_certificate_info: ExtendedCertificateInfo
    signature_algorithm: AlgorithmIdentifier
    signature: BitString


class ExtendedCertificateOrCertificate(Choice):
    """A certificate as in PKCS #7 (RFC 5652 section 12.1; RFC 2315 section 6.5).

    ::

        ExtendedCertificateOrCertificate ::= CHOICE {
            certificate           Certificate,
            extendedCertificate   [0] IMPLICIT ExtendedCertificate }
    """

    certificate: Certificate
    extended_certificate: Annotated[ExtendedCertificate, Implicit(0)]


class OtherCertificateFormat(Sequence):
    """A certificate of another format (RFC 5652 section 10.2.2).

    ::

        OtherCertificateFormat ::= SEQUENCE {
            otherCertFormat   OBJECT IDENTIFIER,
            otherCert         ANY DEFINED BY otherCertFormat }
    """

    other_cert_format: ObjectIdentifier
    other_cert: Annotated[Any, DefinedBy("other_cert_format", OTHER_CERTIFICATES)]


class CertificateChoices(Choice):
    """A certificate of one of five kinds, usually `certificate` (RFC 5652 section 10.2.2).

    ::

        CertificateChoices ::= CHOICE {
            certificate           Certificate,
            extendedCertificate   [0] IMPLICIT ExtendedCertificate,      -- Obsolete
            v1AttrCert            [1] IMPLICIT AttributeCertificateV1,   -- Obsolete
            v2AttrCert            [2] IMPLICIT AttributeCertificateV2,   -- AttributeCertificate
            other                 [3] IMPLICIT OtherCertificateFormat }
    """

    certificate: Certificate
    extended_certificate: Annotated[ExtendedCertificate, Implicit(0)]
    v1_attr_cert: Annotated[AttributeCertificateV1, Implicit(1)]
    v2_attr_cert: Annotated[AttributeCertificate, Implicit(2)]
    other: Annotated[OtherCertificateFormat, Implicit(3)]


class CertificateSet(SetOf[CertificateChoices]):
    """Certificates in no particular order, with which paths can be built (RFC 5652 section 10.2.3).

    ::

        CertificateSet ::= SET OF CertificateChoices
    """


class OtherRevocationInfoFormat(Sequence):
    """Revocation information that is not a CRL (RFC 5652 section 10.2.1).

    ::

        OtherRevocationInfoFormat ::= SEQUENCE {
            otherRevInfoFormat   OBJECT IDENTIFIER,
            otherRevInfo         ANY DEFINED BY otherRevInfoFormat }
    """

    other_rev_info_format: ObjectIdentifier
    other_rev_info: Annotated[Any, DefinedBy("other_rev_info_format", OTHER_REVOCATION_INFO)]


class RevocationInfoChoice(Choice):
    """A CRL or other revocation information (RFC 5652 section 10.2.1).

    ::

        RevocationInfoChoice ::= CHOICE {
            crl     CertificateList,
            other   [1] IMPLICIT OtherRevocationInfoFormat }
    """

    crl: CertificateList
    other: Annotated[OtherRevocationInfoFormat, Implicit(1)]


class RevocationInfoChoices(SetOf[RevocationInfoChoice]):
    """CRLs and other revocation information, in no particular order (RFC 5652 section 10.2.1).

    ::

        RevocationInfoChoices ::= SET OF RevocationInfoChoice
    """

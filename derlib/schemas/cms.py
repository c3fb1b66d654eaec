"""Cryptographic Message Syntax, which PKCS #7 became: RFC 5652, with RFC 5083 and RFC 3274.

Import this module to read signed, encrypted, authenticated and compressed objects. It exports the commonly used names
of the other CMS modules, and importing it registers the content types, the attributes and the algorithms of CMS.

Much CMS data is BER, because senders who stream do not know lengths in advance: decode it with ``rules="ber"``.

    >>> from derlib.schemas.cms import ContentInfo, id_signing_time
    >>> signed = ContentInfo.decode(open("report.p7s", "rb").read(), rules="ber").signed_data  # doctest: +SKIP
    >>> signed.signer_infos[0].signing_time  # doctest: +SKIP
    datetime.datetime(2026, 10, 9, 12, 30, tzinfo=datetime.timezone.utc)
"""

from functools import partial
from typing import Annotated, Any, TypeAlias

from derlib import DefinedBy, Explicit, Implicit, ObjectIdentifier, OctetString, OpenTypes, Sequence, SequenceOf, decode
from derlib._register import register_type
from derlib._value_ranges import CERTIFICATES, CRLS, is_ef_sod, signed_data_and_rest
from derlib.errors import StructureError
from derlib.oids import register_known
from derlib.schemas import attribute_cert_values  # noqa: F401 - registers the attributes of attribute certificates
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.ciphers import CCMParameters, GCMParameters
from derlib.schemas.cms_attributes import (
    Attribute,
    Attributes,
    AuthAttributes,
    CMSAlgorithmProtection,
    ContentType,
    SignedAttributes,
    UnauthAttributes,
    UnprotectedAttributes,
    UnsignedAttributes,
    id_content_type,
    id_message_digest,
    id_signing_time,
)
from derlib.schemas.cms_certificates import (
    CertificateChoices,
    CertificateSet,
    CMSVersion,
    IssuerAndSerialNumber,
    OtherCertificateFormat,
    OtherRevocationInfoFormat,
    RevocationInfoChoice,
    RevocationInfoChoices,
)
from derlib.schemas.cms_recipients import (
    KEKRecipientInfo,
    KEMRecipientInfo,
    KeyAgreeRecipientInfo,
    KeyTransRecipientInfo,
    OriginatorInfo,
    OtherRecipientInfo,
    PasswordRecipientInfo,
    RecipientIdentifier,
    RecipientInfo,
    RecipientInfos,
)
from derlib.schemas.cms_signed import (
    DigestAlgorithmIdentifiers,
    EncapsulatedContentInfo,
    SignedData,
    SignerIdentifier,
    SignerInfo,
    SignerInfos,
    id_countersignature,
    id_signed_data,
    signed_data_of,
)

# PBKDF2Params is for recipients that derive a key from a password, the others are contents.
from derlib.schemas.keys import AsymmetricKeyPackage, EncryptedPrivateKeyInfo, PBKDF2Params, PrivateKeyInfo
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AlgorithmIdentifier",
    "Attribute",
    "Attributes",
    "AuthAttributes",
    "AuthEnvelopedData",
    "AuthenticatedData",
    "CCMParameters",
    "CMSAlgorithmProtection",
    "CMSVersion",
    "CertificateChoices",
    "CertificateSet",
    "CompressedData",
    "ContentInfo",
    "DigestAlgorithmIdentifiers",
    "DigestedData",
    "EncapsulatedContentInfo",
    "EncryptedContentInfo",
    "EncryptedData",
    "EnvelopedData",
    "GCMParameters",
    "IssuerAndSerialNumber",
    "KEKRecipientInfo",
    "KEMRecipientInfo",
    "KeyAgreeRecipientInfo",
    "KeyTransRecipientInfo",
    "OriginatorInfo",
    "OtherCertificateFormat",
    "OtherRecipientInfo",
    "OtherRevocationInfoFormat",
    "PBKDF2Params",
    "PasswordRecipientInfo",
    "RecipientIdentifier",
    "RecipientInfo",
    "RecipientInfos",
    "RevocationInfoChoice",
    "RevocationInfoChoices",
    "SignedAttributes",
    "SignedData",
    "SignerIdentifier",
    "SignerInfo",
    "SignerInfos",
    "UnauthAttributes",
    "UnprotectedAttributes",
    "UnsignedAttributes",
    "encoded_certificates",
    "encoded_crls",
    "id_aa_time_stamp_token",
    "id_content_type",
    "id_countersignature",
    "id_ct_auth_data",
    "id_ct_auth_enveloped_data",
    "id_ct_compressed_data",
    "id_ct_encr_private_key_info",
    "id_ct_kp_a_key_package",
    "id_ct_private_key_info",
    "id_data",
    "id_digested_data",
    "id_encrypted_data",
    "id_enveloped_data",
    "id_message_digest",
    "id_signed_data",
    "id_signing_time",
]

# The syntax of the content, by contentType. The content inside an EncapsulatedContentInfo is an OCTET STRING instead,
# whose bytes are hashed or authenticated: decode them with the type that eContentType means.
CONTENT_TYPES = OpenTypes("CONTENT_TYPES")

MessageAuthenticationCode: TypeAlias = OctetString  # section 9.1


class ContentInfo(Sequence):
    """A content with its type, the outermost structure of CMS (RFC 5652 section 3).

    ::

        ContentInfo ::= SEQUENCE {
            contentType   ContentType,
            content       [0] EXPLICIT ANY DEFINED BY contentType }

    >>> data = ContentInfo(content_type=id_data, content=b"text")
    >>> data.encode().hex(), data.content
    ('301306092a864886f70d010701a006040474657874', b'text')
    """

    content_type: ContentType
    content: Annotated[Any, DefinedBy("content_type", CONTENT_TYPES), Explicit(0)]

    @property
    def signed_data(self) -> SignedData:
        """The content, if it is a `SignedData`.

        Raises:
            AttributeError: the content has another type, or is opaque because of a tolerated mismatch.
        """
        return signed_data_of(self, SignedData)


def encoded_certificates(data: bytes) -> list[bytes]:
    """Return the encoding of each X.509 certificate in a `SignedData`, such as a .p7b file, in the order of the file.

    Args:
        data: a ContentInfo of CMS or PKCS #7, or the EF.SOD of a passport, DER or BER. For PEM, use
            `derlib.pem.der_of` first.

    If the content is a CSCA master list (ICAO Doc 9303), its certificates follow those of its signers.

    The certificates are found by the headers around them, and are not validated. So one that is damaged does not hide
    the others: decode each on its own, and handle its error. If the header of one is damaged, it can be one item with
    what follows, which has an error, too. Data after the SignedData are one more item.

    Raises:
        ASN1Error: the data is not a SignedData, or its list of certificates cannot be found.

    >>> from pathlib import Path
    >>> from derlib.schemas.x509 import Certificate
    >>> data = Path("docs/examples/report.p7m").read_bytes()
    >>> [str(Certificate.decode(each).subject) for each in encoded_certificates(data)]
    ['CN=Ann Engineer,O=Example']
    """
    return _encoded_parts(data, CERTIFICATES)


def encoded_crls(data: bytes) -> list[bytes]:
    """Return the encoding of each CRL in a `SignedData`, as `encoded_certificates` does for certificates.

    Raises:
        ASN1Error: the data has no SignedData.
    """
    return _encoded_parts(data, CRLS)


def _encoded_parts(data: bytes, identifier: int) -> list[bytes]:
    data = bytes(data)
    found = signed_data_and_rest(data, identifier) or []
    if not found:
        # Decoding raises an error if the data is damaged so that its parts cannot be found.
        # The tag is that of an EF.SOD; derlib.schemas.icao imports this module.
        schema = Annotated[ContentInfo, Explicit(23, "application")] if is_ef_sod(data) else ContentInfo
        info: ContentInfo = decode(schema, data, rules="ber")
        if info.content_type != id_signed_data:
            raise StructureError(f"expected id-signedData, found {info.content_type.name}", ("content_type",))
    return [data[each.start : each.stop] for each in found]


class EncryptedContentInfo(Sequence):
    """The encrypted content (RFC 5652 section 6.1).

    ::

        EncryptedContentInfo ::= SEQUENCE {
            contentType                  ContentType,
            contentEncryptionAlgorithm   ContentEncryptionAlgorithmIdentifier,
            encryptedContent             [0] IMPLICIT EncryptedContent OPTIONAL }   -- OCTET STRING
    """

    content_type: ContentType
    content_encryption_algorithm: AlgorithmIdentifier
    encrypted_content: Annotated[OctetString, Implicit(0)] | None = None


class EnvelopedData(Sequence):
    """Content that is encrypted for recipients (RFC 5652 section 6.1).

    ::

        EnvelopedData ::= SEQUENCE {
            version                CMSVersion,
            originatorInfo         [0] IMPLICIT OriginatorInfo OPTIONAL,
            recipientInfos         RecipientInfos,
            encryptedContentInfo   EncryptedContentInfo,
            unprotectedAttrs       [1] IMPLICIT UnprotectedAttributes OPTIONAL }
    """

    version: CMSVersion
    originator_info: Annotated[OriginatorInfo, Implicit(0)] | None = None
    recipient_infos: RecipientInfos
    encrypted_content_info: EncryptedContentInfo
    unprotected_attrs: Annotated[UnprotectedAttributes, Implicit(1)] | None = None


class DigestedData(Sequence):
    """Content with its hash (RFC 5652 section 7).

    ::

        DigestedData ::= SEQUENCE {
            version            CMSVersion,
            digestAlgorithm    DigestAlgorithmIdentifier,
            encapContentInfo   EncapsulatedContentInfo,
            digest             Digest }   -- OCTET STRING
    """

    version: CMSVersion
    digest_algorithm: AlgorithmIdentifier
    encap_content_info: EncapsulatedContentInfo
    digest: OctetString


class EncryptedData(Sequence):
    """Content that is encrypted with a key that the reader has (RFC 5652 section 8).

    ::

        EncryptedData ::= SEQUENCE {
            version                CMSVersion,
            encryptedContentInfo   EncryptedContentInfo,
            unprotectedAttrs       [1] IMPLICIT UnprotectedAttributes OPTIONAL }
    """

    version: CMSVersion
    encrypted_content_info: EncryptedContentInfo
    unprotected_attrs: Annotated[UnprotectedAttributes, Implicit(1)] | None = None


class AuthenticatedData(Sequence):
    """Content with a message authentication code for recipients (RFC 5652 section 9.1).

    ::

        AuthenticatedData ::= SEQUENCE {
            version            CMSVersion,
            originatorInfo     [0] IMPLICIT OriginatorInfo OPTIONAL,
            recipientInfos     RecipientInfos,
            macAlgorithm       MessageAuthenticationCodeAlgorithm,
            digestAlgorithm    [1] DigestAlgorithmIdentifier OPTIONAL,
            encapContentInfo   EncapsulatedContentInfo,
            authAttrs          [2] IMPLICIT AuthAttributes OPTIONAL,
            mac                MessageAuthenticationCode,
            unauthAttrs        [3] IMPLICIT UnauthAttributes OPTIONAL }
    """

    version: CMSVersion
    originator_info: Annotated[OriginatorInfo, Implicit(0)] | None = None
    recipient_infos: RecipientInfos
    mac_algorithm: AlgorithmIdentifier
    digest_algorithm: Annotated[AlgorithmIdentifier, Implicit(1)] | None = None
    encap_content_info: EncapsulatedContentInfo
    auth_attrs: Annotated[AuthAttributes, Implicit(2)] | None = None
    mac: MessageAuthenticationCode
    unauth_attrs: Annotated[UnauthAttributes, Implicit(3)] | None = None


class AuthEnvelopedData(Sequence):
    """Content that is encrypted and authenticated for recipients (RFC 5083 section 2.1).

    ::

        AuthEnvelopedData ::= SEQUENCE {
            version                    CMSVersion,
            originatorInfo             [0] IMPLICIT OriginatorInfo OPTIONAL,
            recipientInfos             RecipientInfos,
            authEncryptedContentInfo   EncryptedContentInfo,
            authAttrs                  [1] IMPLICIT AuthAttributes OPTIONAL,
            mac                        MessageAuthenticationCode,
            unauthAttrs                [2] IMPLICIT UnauthAttributes OPTIONAL }
    """

    version: CMSVersion
    originator_info: Annotated[OriginatorInfo, Implicit(0)] | None = None
    recipient_infos: RecipientInfos
    auth_encrypted_content_info: EncryptedContentInfo
    auth_attrs: Annotated[AuthAttributes, Implicit(1)] | None = None
    mac: MessageAuthenticationCode
    unauth_attrs: Annotated[UnauthAttributes, Implicit(2)] | None = None


class CompressedData(Sequence):
    """Compressed content (RFC 3274 section 1.1).

    ::

        CompressedData ::= SEQUENCE {
            version                CMSVersion,
            compressionAlgorithm   CompressionAlgorithmIdentifier,
            encapContentInfo       EncapsulatedContentInfo }
    """

    version: CMSVersion
    compression_algorithm: AlgorithmIdentifier
    encap_content_info: EncapsulatedContentInfo


_content_type = partial(register_type, CONTENT_TYPES)


id_data = _content_type("1.2.840.113549.1.7.1", "id-data", OctetString)
_content_type(id_signed_data.dotted, "id-signedData", SignedData)
id_enveloped_data = _content_type("1.2.840.113549.1.7.3", "id-envelopedData", EnvelopedData)
id_digested_data = _content_type("1.2.840.113549.1.7.5", "id-digestedData", DigestedData)
id_encrypted_data = _content_type("1.2.840.113549.1.7.6", "id-encryptedData", EncryptedData)
id_ct_auth_data = _content_type("1.2.840.113549.1.9.16.1.2", "id-ct-authData", AuthenticatedData)
id_ct_compressed_data = _content_type("1.2.840.113549.1.9.16.1.9", "id-ct-compressedData", CompressedData)
id_ct_auth_enveloped_data = _content_type("1.2.840.113549.1.9.16.1.23", "id-ct-authEnvelopedData", AuthEnvelopedData)

# A chain of certificates that `openssl nseq` writes, from Netscape.
_content_type("2.16.840.1.113730.2.5", "netscape-cert-sequence", SequenceOf[Certificate])

# Private keys: RFC 5958 section 2, RFC 9939 section 2.
id_ct_kp_a_key_package = _content_type("2.16.840.1.101.2.1.2.78.5", "id-ct-KP-aKeyPackage", AsymmetricKeyPackage)
id_ct_private_key_info = _content_type("1.2.840.113549.1.9.16.1.52", "id-ct-privateKeyInfo", PrivateKeyInfo)
id_ct_encr_private_key_info = _content_type(
    "1.2.840.113549.1.9.16.1.53", "id-ct-encrPrivateKeyInfo", EncryptedPrivateKeyInfo
)

# A time stamp of the signature: RFC 3161 Appendix A. As for countersignatures, another type is an error.
id_aa_time_stamp_token = ObjectIdentifier("1.2.840.113549.1.9.16.2.14")
ATTRIBUTES.register(id_aa_time_stamp_token, ContentInfo, on_mismatch="error")
register_known({id_aa_time_stamp_token.dotted: "id-aa-timeStampToken"})

# A PKCS #7 or CMS object in a directory: RFC 2985 section 5.1.1.
ATTRIBUTES.register(ObjectIdentifier("1.2.840.113549.1.9.25.5"), ContentInfo)
register_known({"1.2.840.113549.1.9.25.5": "pkcs-9-at-pkcs7PDU"})

# Encrypted attributes of an attribute certificate: RFC 5755 section 7.1. The content is an EnvelopedData.
ATTRIBUTES.register(ObjectIdentifier("1.3.6.1.5.5.7.10.6"), ContentInfo)
register_known({"1.3.6.1.5.5.7.10.6": "id-aca-encAttrs"})

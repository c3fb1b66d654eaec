"""PKCS #12 files, which carry private keys with their certificates: RFC 7292, and PBMAC1 of RFC 9579.

Import this module to read the structure of .p12 and .pfx files. derlib does not decrypt and does not verify MACs.

Much software writes these files in BER:

    >>> from derlib.schemas.pkcs12 import PFX
    >>> pfx = PFX.decode(open("server.p12", "rb").read(), rules="ber")  # doctest: +SKIP
    >>> [(bag.bag_id.name, bag.friendly_name) for bag in pfx.bags]  # doctest: +SKIP
    [('pkcs8ShroudedKeyBag', 'my key')]

The other parts of a file, `PFX.encrypted_parts`, are encrypted. When you have decrypted one, decode it as
`SafeContents`.
"""

from typing import Annotated, Any, TypeAlias

from derlib import (
    BMPString,
    Containing,
    DefinedBy,
    Explicit,
    IA5String,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
)
from derlib._contents import decode_contents, typed_element
from derlib._register import register_type
from derlib.errors import ASN1Error, StructureError
from derlib.oids import by_name, register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES, text_attribute, typed_attribute
from derlib.schemas.ciphers import PKCS12PBEParams
from derlib.schemas.cms import (
    CONTENT_TYPES,
    ContentInfo,
    EncryptedData,
    EnvelopedData,
    SignedData,
    id_data,
    id_encrypted_data,
    id_enveloped_data,
    id_signed_data,
)
from derlib.schemas.crl import CertificateList
from derlib.schemas.keys import (
    EncryptedPrivateKeyInfo,
    OneAsymmetricKey,
    PBES2Params,
    PBKDF2Params,
    PBMAC1Params,
    PrivateKeyInfo,
)
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AlgorithmIdentifier",
    "AuthenticatedSafe",
    "CRLBag",
    "CertBag",
    "Certificate",
    "CertificateList",
    "ContentInfo",
    "DigestInfo",
    "EncryptedData",
    "EncryptedPrivateKeyInfo",
    "EnvelopedData",
    "MacData",
    "OneAsymmetricKey",
    "PBES2Params",
    "PBKDF2Params",
    "PBMAC1Params",
    "PFX",
    "PFXVersion",
    "PKCS12Attribute",
    "PKCS12PBEParams",
    "PrivateKeyInfo",
    "SafeBag",
    "SafeContents",
    "SecretBag",
    "SignedData",
    "id_cert_bag",
    "id_crl_bag",
    "id_data",
    "id_encrypted_data",
    "id_enveloped_data",
    "id_friendly_name",
    "id_key_bag",
    "id_local_key_id",
    "id_pkcs8_shrouded_key_bag",
    "id_safe_contents_bag",
    "id_sdsi_certificate",
    "id_secret_bag",
    "id_signed_data",
    "id_x509_certificate",
    "id_x509_crl",
]

# The syntax of bagValue by bagId, of certValue by certId, of crltValue by crlId, and of secretValue by secretTypeId.
BAGS = OpenTypes("BAGS")
CERT_TYPES = OpenTypes("CERT_TYPES")
CRL_TYPES = OpenTypes("CRL_TYPES")
SECRET_TYPES = OpenTypes("SECRET_TYPES")


class PFXVersion(NamedInteger):
    """The version of a PKCS #12 file (RFC 7292 section 4, where the INTEGER has no name).

    ::

        INTEGER { v3(3) }
    """

    v3 = 3


class DigestInfo(Sequence):
    """A hash or MAC with its algorithm (RFC 8017 Appendix A.2.4; PKCS #7, RFC 2315 section 9.4).

    ::

        DigestInfo ::= SEQUENCE {
            digestAlgorithm   DigestAlgorithmIdentifier,
            digest            OCTET STRING }
    """

    digest_algorithm: AlgorithmIdentifier
    digest: OctetString


class MacData(Sequence):
    """The MAC of a file that a password protects (RFC 7292 section 4).

    ::

        MacData ::= SEQUENCE {
            mac          DigestInfo,
            macSalt      OCTET STRING,
            iterations   INTEGER DEFAULT 1 }   -- the default is for historical reasons and deprecated

    If the algorithm is PBMAC1, its parameters are `PBMAC1Params`, and `mac_salt` and `iterations` have no meaning
    (RFC 9579 section 4). The MAC is that of ``pfx.auth_safe.content``.
    """

    mac: DigestInfo
    mac_salt: OctetString
    iterations: int = 1


class PFX(Sequence):
    """A PKCS #12 file (RFC 7292 section 4).

    ::

        PFX ::= SEQUENCE {
            version    INTEGER { v3(3) } (v3,...),
            authSafe   ContentInfo,
            macData    MacData OPTIONAL }

    ``auth_safe.content`` is the encoding of an `AuthenticatedSafe` if a password protects the integrity. If a signature
    does, it is a `SignedData`, whose ``encap_content_info.e_content`` is that encoding. The bytes in these strings are
    authenticated or encrypted, so `decode` does not decode them; the properties do. They read BER if the file was
    decoded with ``rules="ber"``, because the conversion of a file does not change the contents of a string. They
    have the `tolerate` of the decoding of the file; the `deviations` are those of the parts and bags.
    """

    version: PFXVersion
    auth_safe: ContentInfo
    mac_data: MacData | None = None

    @property
    def authenticated_safe(self) -> "AuthenticatedSafe":
        """The parts of the file.

        Raises:
            DecodeError: ``auth_safe`` does not contain the encoding of an `AuthenticatedSafe`.
            ASN1Error: ``auth_safe`` is neither data nor signed data.
        """
        content = self.auth_safe.content
        if isinstance(content, SignedData):
            content = content.content
        if not isinstance(content, bytes):
            raise ASN1Error("authSafe contains neither Data nor SignedData with a content (RFC 7292 section 4)")
        return decode_contents(self, AuthenticatedSafe, content, rules=self._rules)

    @property
    def bags(self) -> tuple["SafeBag", ...]:
        """The bags of all parts that are not encrypted. Those in a safeContentsBag are in its `bag_value`.

        Raises:
            DecodeError: a part is not the encoding of `SafeContents`, or is neither data nor encrypted.
            ASN1Error: as `authenticated_safe`.
        """
        contents = (content for content in self._contents if isinstance(content, bytes))
        return tuple(bag for each in contents for bag in decode_contents(self, SafeContents, each, rules=self._rules))

    @property
    def encrypted_parts(self) -> tuple[EncryptedData | EnvelopedData, ...]:
        """The parts that are encrypted with a password or a public key.

        Raises:
            DecodeError: a part is neither data nor encrypted.
            ASN1Error: as `authenticated_safe`.
        """
        return tuple(content for content in self._contents if not isinstance(content, bytes))

    @property
    def _contents(self) -> list[bytes | EncryptedData | EnvelopedData]:
        """The contents of all parts: `bytes` of those that are not encrypted."""
        safe = self.authenticated_safe
        for number, part in enumerate(safe):
            if part.content_type not in (id_data, id_encrypted_data, id_enveloped_data):
                detail = f"expected id-data, id-encryptedData or id-envelopedData, found {part.content_type.name}"
                offset = safe.span(number, "content_type").offset
                raise StructureError(detail, (number, "content_type"), offset, "RFC 7292 4.1")
        return [typed_element(self, CONTENT_TYPES.get(part.content_type), part.content) for part in safe]

    @property
    def _rules(self) -> str:
        return "der" if self.origin is None else "ber"


class AuthenticatedSafe(SequenceOf[ContentInfo]):
    """The parts of a file: data, encrypted data or enveloped data (RFC 7292 section 4.1).

    ::

        AuthenticatedSafe ::= SEQUENCE OF ContentInfo
            -- Data if unencrypted
            -- EncryptedData if password-encrypted
            -- EnvelopedData if public key-encrypted

    Each contains an encoding of `SafeContents`, perhaps encrypted.
    """


class PKCS12Attribute(Sequence):
    """An attribute of a bag, such as its friendly name (RFC 7292 section 4.2).

    ::

        PKCS12Attribute ::= SEQUENCE {
            attrId       ATTRIBUTE.&id ({PKCS12AttrSet}),
            attrValues   SET OF ATTRIBUTE.&Type ({PKCS12AttrSet}{@attrId}) }
    """

    attr_id: ObjectIdentifier
    attr_values: SetOf[Annotated[Any, DefinedBy("attr_id", ATTRIBUTES)]]


class SafeBag(Sequence):
    """A key, certificate, CRL or secret, with attributes (RFC 7292 section 4.2).

    ::

        SafeBag ::= SEQUENCE {
            bagId           BAG-TYPE.&id ({PKCS12BagSet}),
            bagValue        [0] EXPLICIT BAG-TYPE.&Type({PKCS12BagSet}{@bagId}),
            bagAttributes   SET OF PKCS12Attribute OPTIONAL }
    """

    bag_id: ObjectIdentifier
    bag_value: Annotated[Any, DefinedBy("bag_id", BAGS), Explicit(0)]
    bag_attributes: SetOf[PKCS12Attribute] | None = None

    @property
    def friendly_name(self) -> str | None:
        """The name for people; None if the attribute is absent. Raises DecodeError if it is not a character string."""
        return text_attribute(self.get_attribute(id_friendly_name), id_friendly_name, self)

    @property
    def local_key_id(self) -> bytes | None:
        """The identifier that a key and its certificate have in common; None if the attribute is absent.

        Raises:
            DecodeError: the value is not an OCTET STRING.
        """
        found: bytes | None = typed_attribute(self.get_attribute(id_local_key_id), id_local_key_id, self)
        return found

    def get_attribute(self, which: ObjectIdentifier | str) -> Any:
        """Return the first value of an attribute, such as `id_friendly_name`, or None if the bag does not have it.

        >>> from derlib import SetOf
        >>> bag = SafeBag(
        ...     bag_id=id_cert_bag,
        ...     bag_value=CertBag(cert_id=id_sdsi_certificate, cert_value="KGNlcnQp"),
        ...     bag_attributes=SetOf[PKCS12Attribute]([{"attr_id": id_friendly_name, "attr_values": ["my key"]}]),
        ... )
        >>> bag.get_attribute(id_friendly_name), bag.get_attribute(id_local_key_id)
        ('my key', None)
        """
        found = None if self.bag_attributes is None else self.bag_attributes.find_by("attr_id", by_name(which))
        return found.attr_values[0] if found is not None and found.attr_values else None


class SafeContents(SequenceOf[SafeBag]):
    """The bags of a part of a file (RFC 7292 section 4.2).

    ::

        SafeContents ::= SEQUENCE OF SafeBag
    """


KeyBag: TypeAlias = PrivateKeyInfo  # section 4.2.1
PKCS8ShroudedKeyBag: TypeAlias = EncryptedPrivateKeyInfo  # section 4.2.2


class CertBag(Sequence):
    """A certificate (RFC 7292 section 4.2.3).

    ::

        CertBag ::= SEQUENCE {
            certId      BAG-TYPE.&id ({CertTypes}),
            certValue   [0] EXPLICIT BAG-TYPE.&Type ({CertTypes}{@certId}) }

    `cert_value` is a `Certificate` for x509Certificate, whose encoding is in an OCTET STRING.
    """

    cert_id: ObjectIdentifier
    cert_value: Annotated[Any, DefinedBy("cert_id", CERT_TYPES), Explicit(0)]


class CRLBag(Sequence):
    """A certificate revocation list (RFC 7292 section 4.2.4).

    ::

        CRLBag ::= SEQUENCE {
            crlId       BAG-TYPE.&id ({CRLTypes}),
            crltValue   [0] EXPLICIT BAG-TYPE.&Type ({CRLTypes}{@crlId}) }

    `crlt_value` is a `CertificateList` for x509CRL, whose encoding is in an OCTET STRING.
    """

    crl_id: ObjectIdentifier
    crlt_value: Annotated[Any, DefinedBy("crl_id", CRL_TYPES), Explicit(0)]


class SecretBag(Sequence):
    """A secret of any kind (RFC 7292 section 4.2.5).

    ::

        SecretBag ::= SEQUENCE {
            secretTypeId   BAG-TYPE.&id ({SecretTypes}),
            secretValue    [0] EXPLICIT BAG-TYPE.&Type ({SecretTypes}{@secretTypeId}) }
    """

    secret_type_id: ObjectIdentifier
    secret_value: Annotated[Any, DefinedBy("secret_type_id", SECRET_TYPES), Explicit(0)]


id_key_bag = register_type(BAGS, "1.2.840.113549.1.12.10.1.1", "keyBag", KeyBag)
id_pkcs8_shrouded_key_bag = register_type(
    BAGS, "1.2.840.113549.1.12.10.1.2", "pkcs8ShroudedKeyBag", PKCS8ShroudedKeyBag
)
id_cert_bag = register_type(BAGS, "1.2.840.113549.1.12.10.1.3", "certBag", CertBag)
id_crl_bag = register_type(BAGS, "1.2.840.113549.1.12.10.1.4", "crlBag", CRLBag)
id_secret_bag = register_type(BAGS, "1.2.840.113549.1.12.10.1.5", "secretBag", SecretBag)
id_safe_contents_bag = register_type(BAGS, "1.2.840.113549.1.12.10.1.6", "safeContentsBag", SafeContents)
id_x509_certificate = register_type(
    CERT_TYPES,
    "1.2.840.113549.1.9.22.1",
    "x509Certificate",
    Annotated[Certificate, OctetString, Containing(Certificate)],
)
id_sdsi_certificate = register_type(CERT_TYPES, "1.2.840.113549.1.9.22.2", "sdsiCertificate", IA5String)
id_x509_crl = register_type(
    CRL_TYPES,
    "1.2.840.113549.1.9.23.1",
    "x509CRL",
    Annotated[CertificateList, OctetString, Containing(CertificateList)],
)

# The attributes of bags; `derlib.schemas.attributes` registers the types of their values.
id_friendly_name = ObjectIdentifier("1.2.840.113549.1.9.20")
id_local_key_id = ObjectIdentifier("1.2.840.113549.1.9.21")

# Attributes that Windows and Java add to bags (wincrypt.h; `keytool`, and `openssl pkcs12 -jdktrust`).
_BAG_ATTRIBUTES: dict[str, tuple[str, Any]] = {
    "1.3.6.1.4.1.311.17.1": ("szOID_PKCS_12_KEY_PROVIDER_NAME_ATTR", BMPString),
    "2.16.840.1.113894.746875.1.1": ("oracle-jdk-trustedkeyusage", ObjectIdentifier),
}
for _dotted, (_, _syntax) in _BAG_ATTRIBUTES.items():
    ATTRIBUTES.register(ObjectIdentifier(_dotted), _syntax)
# The set of values of this one is empty.
register_known({"1.3.6.1.4.1.311.17.2": "szOID_LOCAL_MACHINE_KEYSET"})
register_known({dotted: name for dotted, (name, _) in _BAG_ATTRIBUTES.items()})

# A PKCS #12 file in a directory: RFC 2985 section 5.1.2, where Netscape gave the identifier.
ATTRIBUTES.register(ObjectIdentifier("2.16.840.1.113730.3.1.216"), PFX)
register_known({"2.16.840.1.113730.3.1.216": "pkcs-9-at-userPKCS12"})

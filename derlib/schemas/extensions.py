"""The extensions of certificates in RFC 5280, and the table of all extensions.

`EXTENSIONS` has the type of extnValue by extnID. Certificates, CRLs and entries of CRLs share this table, because their
extensions have different OBJECT IDENTIFIERs. The syntax is from RFC 5280 Appendix A.2, a module with implicit tags; a
component that is a CHOICE has an explicit tag nevertheless (X.680 31.2.7). Extensions of CRLs, policies, vendors and
Certificate Transparency are in other modules.

>>> constraints = BasicConstraints.decode(bytes.fromhex("30060101ff020103"))
>>> constraints.ca, constraints.path_len_constraint
(True, 3)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from derlib import (
    Choice,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.oids import by_name, register
from derlib.schemas.attributes import Attribute, RelativeDistinguishedName
from derlib.schemas.general import GeneralName, GeneralNames
from derlib.schemas.purposes import id_ad_ca_issuers, id_ad_ocsp

if TYPE_CHECKING:
    from typing_extensions import Self

    from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo

_COMPILE_AT_FIRST_USE = True

# The syntax of extnValue, by extnID.
EXTENSIONS = OpenTypes("EXTENSIONS")


def register_extension(
    dotted: str,
    name: str,
    syntax: Any,
    *,
    on_mismatch: Literal["opaque", "error"] = "error",
    replace: bool = False,
) -> ObjectIdentifier:
    """Register an extension of certificates and CRLs for the whole process, and return its OBJECT IDENTIFIER.

    If you register an extension that a module of derlib also has, and import this module later, your type remains.

    Args:
        dotted: the OBJECT IDENTIFIER, such as "2.5.29.14".
        name: the `name` of the OBJECT IDENTIFIER, which error messages show, too.
        syntax: the type of the value in extnValue, any type expression.
        on_mismatch: for a value of another type: "error" is an error of `decode`, "opaque" decodes it as bytes.
        replace: True to replace the type of an extension that has another one, such as a standard extension.

    Raises:
        EncodeError: `dotted` is not an OBJECT IDENTIFIER.
        SchemaError: `syntax` is not a type, `on_mismatch` is neither "error" nor "opaque", or the extension has another
            type and `replace` is False.

    >>> from derlib import OctetString
    >>> register_extension("2.999.5", "acme-badge", OctetString)  # doctest: +SKIP
    ObjectIdentifier('2.999.5', acme-badge)
    >>> register_extension("2.5.29.15", "id-ce-keyUsage", OctetString)
    Traceback (most recent call last):
    derlib.errors.SchemaError: the extension id-ce-keyUsage already has the type KeyUsage; replace=True replaces it
    """
    oid = ObjectIdentifier(dotted)
    found = EXTENSIONS.get(oid)
    if not (replace or found is None or _is_same_type(found, syntax)):
        shown = getattr(found, "__name__", None) or repr(found)
        raise SchemaError(f"the extension {oid.name} already has the type {shown:.80}; replace=True replaces it")
    EXTENSIONS.register(oid, syntax, on_mismatch=on_mismatch)
    register(dotted, name)
    return oid


def known_extension(
    dotted: str, name: str, syntax: Any, *, on_mismatch: Literal["opaque", "error"] = "error"
) -> ObjectIdentifier:
    """Register an extension of a schema module of derlib, unless an application has registered it with another type."""
    oid = ObjectIdentifier(dotted)
    if oid not in EXTENSIONS or _is_same_type(EXTENSIONS.get(oid), syntax):
        register(dotted, name)
        EXTENSIONS.register(oid, syntax, on_mismatch=on_mismatch)
    return oid


def _is_same_type(one: Any, other: Any) -> bool:
    """Return whether two types are equal, or are the same class of a module or notebook that was run again."""
    if isinstance(one, type) and isinstance(other, type):
        return (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)
    return bool(one == other)


CertificateSerialNumber: TypeAlias = int  # INTEGER, of any sign and size
KeyIdentifier: TypeAlias = OctetString
SubjectKeyIdentifier: TypeAlias = KeyIdentifier  # section 4.2.1.2
SkipCerts: TypeAlias = Annotated[int, Range(0, None)]  # INTEGER (0..MAX), section 4.2.1.11
InhibitAnyPolicy: TypeAlias = SkipCerts  # section 4.2.1.14
BaseDistance: TypeAlias = Annotated[int, Range(0, None)]  # INTEGER (0..MAX), section 4.2.1.10


class AuthorityKeyIdentifier(Sequence):
    """The key that signed (RFC 5280 section 4.2.1.1).

    ::

        AuthorityKeyIdentifier ::= SEQUENCE {
            keyIdentifier               [0] KeyIdentifier           OPTIONAL,
            authorityCertIssuer         [1] GeneralNames            OPTIONAL,
            authorityCertSerialNumber   [2] CertificateSerialNumber OPTIONAL }
    """

    key_identifier: Annotated[KeyIdentifier, Implicit(0)] | None = None
    authority_cert_issuer: Annotated[GeneralNames, Implicit(1)] | None = None
    authority_cert_serial_number: Annotated[CertificateSerialNumber, Implicit(2)] | None = None

    @classmethod
    def of(cls, issuer: Certificate | SubjectPublicKeyInfo) -> AuthorityKeyIdentifier:
        """Return the identifier of the key of an issuer.

        Args:
            issuer: the certificate of the issuer, whose subjectKeyIdentifier is taken; or its public key, whose SHA-1
                hash is taken. Section 4.2.1.1 requires the same value as in the issuer's certificate.

        Raises:
            ValueError: the certificate has no subjectKeyIdentifier; pass its public key.
            TypeError: `issuer` is of another type.

        >>> from derlib.schemas.x509 import SubjectPublicKeyInfo
        >>> key = SubjectPublicKeyInfo.decode(bytes.fromhex("302a300506032b6570032100") + bytes(32))
        >>> AuthorityKeyIdentifier.of(key).key_identifier == key.key_identifier
        True
        """
        if not hasattr(issuer, "key_identifier"):
            raise TypeError(f"expected Certificate or SubjectPublicKeyInfo, got {type(issuer).__name__}")
        if issuer.key_identifier is None:
            raise ValueError("the certificate has no subjectKeyIdentifier; pass its public_key")
        return cls(key_identifier=issuer.key_identifier)


class KeyUsage(NamedBits):
    """The purposes of a key (RFC 5280 section 4.2.1.3).

    ::

        KeyUsage ::= BIT STRING {
            digitalSignature   (0),
            nonRepudiation     (1),   -- recent editions of X.509 call it contentCommitment
            keyEncipherment    (2),
            dataEncipherment   (3),
            keyAgreement       (4),
            keyCertSign        (5),
            cRLSign            (6),
            encipherOnly       (7),
            decipherOnly       (8) }
    """

    digital_signature = 1 << 0
    non_repudiation = 1 << 1
    key_encipherment = 1 << 2
    data_encipherment = 1 << 3
    key_agreement = 1 << 4
    key_cert_sign = 1 << 5
    crl_sign = 1 << 6
    encipher_only = 1 << 7
    decipher_only = 1 << 8


class PrivateKeyUsagePeriod(Sequence):
    """The period in which the private key may sign (RFC 3280 section 4.2.1.4, RFC 5280 Appendix A.2).

    ::

        PrivateKeyUsagePeriod ::= SEQUENCE {
            notBefore   [0] GeneralizedTime OPTIONAL,
            notAfter    [1] GeneralizedTime OPTIONAL }
    """

    not_before: Annotated[GeneralizedTime, Implicit(0)] | None = None
    not_after: Annotated[GeneralizedTime, Implicit(1)] | None = None


class SubjectAltName(GeneralNames):
    """Alternative names of the subject (RFC 5280 section 4.2.1.6).

    ::

        SubjectAltName ::= GeneralNames
    """


class IssuerAltName(GeneralNames):
    """Alternative names of the issuer (RFC 5280 section 4.2.1.7).

    ::

        IssuerAltName ::= GeneralNames
    """


class SubjectDirectoryAttributes(SequenceOf[Attribute], size=Size(1, None)):
    """Attributes of the subject, such as a nationality (RFC 5280 section 4.2.1.8).

    ::

        SubjectDirectoryAttributes ::= SEQUENCE SIZE (1..MAX) OF Attribute

    >>> found = SubjectDirectoryAttributes([{"type": "1.3.6.1.5.5.7.9.4", "values": ["FR", "GB"]}])
    >>> found.get("1.3.6.1.5.5.7.9.4"), found.get_all("1.3.6.1.5.5.7.9.4"), found.get("1.3.6.1.5.5.7.9.3")
    ('FR', ('FR', 'GB'), None)
    """

    def get(self, which: ObjectIdentifier | str) -> Any:
        """Return the first value of the attribute with this type, or None if it is absent.

        Args:
            which: the type of the attribute: an `ObjectIdentifier`, its dotted form or its name.
        """
        return next(iter(self.get_all(which)), None)

    def get_all(self, which: ObjectIdentifier | str) -> tuple[Any, ...]:
        """Return all values of the attribute with this type; empty if it is absent."""
        oid = ObjectIdentifier(by_name(which))
        return tuple(value for attribute in self if attribute.type == oid for value in attribute.values)


class BasicConstraints(Sequence):
    """Whether the subject is a CA, and the maximum length of paths below it (RFC 5280 section 4.2.1.9).

    ::

        BasicConstraints ::= SEQUENCE {
            cA                  BOOLEAN DEFAULT FALSE,
            pathLenConstraint   INTEGER (0..MAX) OPTIONAL }
    """

    ca: bool = False
    path_len_constraint: Annotated[int, Range(0, None)] | None = None


class GeneralSubtree(Sequence):
    """A part of a name space (RFC 5280 section 4.2.1.10).

    ::

        GeneralSubtree ::= SEQUENCE {
            base      GeneralName,
            minimum   [0] BaseDistance DEFAULT 0,
            maximum   [1] BaseDistance OPTIONAL }
    """

    base: GeneralName
    minimum: Annotated[BaseDistance, Implicit(0)] = 0
    maximum: Annotated[BaseDistance, Implicit(1)] | None = None


class GeneralSubtrees(SequenceOf[GeneralSubtree], size=Size(1, None)):
    """Parts of name spaces (RFC 5280 section 4.2.1.10).

    ::

        GeneralSubtrees ::= SEQUENCE SIZE (1..MAX) OF GeneralSubtree
    """


class NameConstraints(Sequence):
    """The names that subjects below a CA may have (RFC 5280 section 4.2.1.10).

    ::

        NameConstraints ::= SEQUENCE {
            permittedSubtrees   [0] GeneralSubtrees OPTIONAL,
            excludedSubtrees    [1] GeneralSubtrees OPTIONAL }
    """

    permitted_subtrees: Annotated[GeneralSubtrees, Implicit(0)] | None = None
    excluded_subtrees: Annotated[GeneralSubtrees, Implicit(1)] | None = None


class ExtKeyUsageSyntax(SequenceOf[ObjectIdentifier], size=Size(1, None)):
    """Further purposes of a key (RFC 5280 section 4.2.1.12).

    ::

        ExtKeyUsageSyntax ::= SEQUENCE SIZE (1..MAX) OF KeyPurposeId
        KeyPurposeId      ::= OBJECT IDENTIFIER
    """


class ReasonFlags(NamedBits):
    """The reasons for revocation that a CRL covers (RFC 5280 section 4.2.1.13).

    ::

        ReasonFlags ::= BIT STRING {
            unused                 (0),
            keyCompromise          (1),
            cACompromise           (2),
            affiliationChanged     (3),
            superseded             (4),
            cessationOfOperation   (5),
            certificateHold        (6),
            privilegeWithdrawn     (7),
            aACompromise           (8) }
    """

    unused = 1 << 0
    key_compromise = 1 << 1
    ca_compromise = 1 << 2
    affiliation_changed = 1 << 3
    superseded = 1 << 4
    cessation_of_operation = 1 << 5
    certificate_hold = 1 << 6
    privilege_withdrawn = 1 << 7
    aa_compromise = 1 << 8


class DistributionPointName(Choice):
    """The location of a CRL (RFC 5280 section 4.2.1.13).

    ::

        DistributionPointName ::= CHOICE {
            fullName                  [0] GeneralNames,
            nameRelativeToCRLIssuer   [1] RelativeDistinguishedName }
    """

    full_name: Annotated[GeneralNames, Implicit(0)]
    name_relative_to_crl_issuer: Annotated[RelativeDistinguishedName, Implicit(1)]


class DistributionPoint(Sequence):
    """A CRL that can list the certificate (RFC 5280 section 4.2.1.13).

    ::

        DistributionPoint ::= SEQUENCE {
            distributionPoint   [0] DistributionPointName OPTIONAL,
            reasons             [1] ReasonFlags OPTIONAL,
            cRLIssuer           [2] GeneralNames OPTIONAL }
    """

    distribution_point: Annotated[DistributionPointName, Explicit(0)] | None = None
    reasons: Annotated[ReasonFlags, Implicit(1)] | None = None
    crl_issuer: Annotated[GeneralNames, Implicit(2)] | None = None


class CRLDistributionPoints(SequenceOf[DistributionPoint], size=Size(1, None)):
    """The CRLs that can list the certificate (RFC 5280 section 4.2.1.13).

    ::

        CRLDistributionPoints ::= SEQUENCE SIZE (1..MAX) OF DistributionPoint
    """

    @classmethod
    def of(cls, *urls: str) -> Self:
        """Return the location of one CRL, which is the same at each of the URLs.

        The result is a single `DistributionPoint`, because several ones are for several CRLs.

        Raises:
            ConstraintError: `urls` is empty, or a URL is not an IA5String.

        >>> CRLDistributionPoints.of("http://ca.example/ca.crl").to_native()
        [{'distribution_point': {'full_name': [{'uniform_resource_identifier': 'http://ca.example/ca.crl'}]}}]
        """
        names = GeneralNames(GeneralName(uniform_resource_identifier=url) for url in urls)
        return cls([DistributionPoint(distribution_point=DistributionPointName(full_name=names))])


class FreshestCRL(CRLDistributionPoints):
    """The locations of delta CRLs (RFC 5280 sections 4.2.1.15 and 5.2.6).

    ::

        FreshestCRL ::= CRLDistributionPoints
    """


class AccessDescription(Sequence):
    """A service and its location (RFC 5280 section 4.2.2.1).

    ::

        AccessDescription ::= SEQUENCE {
            accessMethod     OBJECT IDENTIFIER,
            accessLocation   GeneralName }
    """

    access_method: ObjectIdentifier
    access_location: GeneralName


class AuthorityInfoAccessSyntax(SequenceOf[AccessDescription], size=Size(1, None)):
    """The services of the issuer, such as OCSP (RFC 5280 sections 4.2.2.1 and 5.2.7).

    ::

        AuthorityInfoAccessSyntax ::= SEQUENCE SIZE (1..MAX) OF AccessDescription
    """

    @classmethod
    def of(cls, *, ocsp: str | Iterable[str] = (), ca_issuers: str | Iterable[str] = ()) -> AuthorityInfoAccessSyntax:
        """Return the access to the services of the issuer.

        Args:
            ocsp: the URL of the OCSP responder, or several ones.
            ca_issuers: the URL of the certificates of the issuer, or several ones.

        Raises:
            ConstraintError: both are empty, or a URL is not an IA5String.

        >>> access = AuthorityInfoAccessSyntax.of(ocsp="http://ocsp.example", ca_issuers="http://ca.example/ca.cer")
        >>> [(each.access_method.name, each.access_location.value) for each in access]
        [('id-ad-ocsp', 'http://ocsp.example'), ('id-ad-caIssuers', 'http://ca.example/ca.cer')]
        """
        services = ((id_ad_ocsp, ocsp), (id_ad_ca_issuers, ca_issuers))
        return cls(
            AccessDescription(access_method=method, access_location=GeneralName(uniform_resource_identifier=url))
            for method, urls in services
            for url in ((urls,) if isinstance(urls, str) else urls)
        )


class SubjectInfoAccessSyntax(SequenceOf[AccessDescription], size=Size(1, None)):
    """The services of the subject (RFC 5280 section 4.2.2.2).

    ::

        SubjectInfoAccessSyntax ::= SEQUENCE SIZE (1..MAX) OF AccessDescription
    """


class TLSFeatures(SequenceOf[int]):
    """The TLS extensions that the server must support, by number: 5 is "must staple" (RFC 7633 section 4.1).

    ::

        Features ::= SEQUENCE OF INTEGER
    """


id_ce_subject_directory_attributes = known_extension(
    "2.5.29.9", "id-ce-subjectDirectoryAttributes", SubjectDirectoryAttributes
)
id_ce_subject_key_identifier = known_extension("2.5.29.14", "id-ce-subjectKeyIdentifier", SubjectKeyIdentifier)
id_ce_key_usage = known_extension("2.5.29.15", "id-ce-keyUsage", KeyUsage)
id_ce_private_key_usage_period = known_extension("2.5.29.16", "id-ce-privateKeyUsagePeriod", PrivateKeyUsagePeriod)
id_ce_subject_alt_name = known_extension("2.5.29.17", "id-ce-subjectAltName", SubjectAltName)
id_ce_issuer_alt_name = known_extension("2.5.29.18", "id-ce-issuerAltName", IssuerAltName)
id_ce_basic_constraints = known_extension("2.5.29.19", "id-ce-basicConstraints", BasicConstraints)
id_ce_name_constraints = known_extension("2.5.29.30", "id-ce-nameConstraints", NameConstraints)
id_ce_crl_distribution_points = known_extension("2.5.29.31", "id-ce-cRLDistributionPoints", CRLDistributionPoints)
id_ce_authority_key_identifier = known_extension("2.5.29.35", "id-ce-authorityKeyIdentifier", AuthorityKeyIdentifier)
id_ce_ext_key_usage = known_extension("2.5.29.37", "id-ce-extKeyUsage", ExtKeyUsageSyntax)
id_ce_freshest_crl = known_extension("2.5.29.46", "id-ce-freshestCRL", FreshestCRL)
id_ce_inhibit_any_policy = known_extension("2.5.29.54", "id-ce-inhibitAnyPolicy", InhibitAnyPolicy)
# RFC 9608 section 2: the value is NULL.
id_ce_no_rev_avail = known_extension("2.5.29.56", "id-ce-noRevAvail", Null)
id_pe_authority_info_access = known_extension(
    "1.3.6.1.5.5.7.1.1", "id-pe-authorityInfoAccess", AuthorityInfoAccessSyntax
)
id_pe_subject_info_access = known_extension("1.3.6.1.5.5.7.1.11", "id-pe-subjectInfoAccess", SubjectInfoAccessSyntax)
id_pe_tlsfeature = known_extension("1.3.6.1.5.5.7.1.24", "id-pe-tlsfeature", TLSFeatures)
# RFC 8737 section 3: Authorization ::= OCTET STRING (SIZE (32)).
id_pe_acme_identifier = known_extension(
    "1.3.6.1.5.5.7.1.31", "id-pe-acmeIdentifier", Annotated[OctetString, Size(32)]
)
# RFC 6960 section 4.2.2.2.1: the value is NULL.
id_pkix_ocsp_nocheck = known_extension("1.3.6.1.5.5.7.48.1.5", "id-pkix-ocsp-nocheck", Null)

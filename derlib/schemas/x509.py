"""X.509 certificates: RFC 5280 Appendix A.1, with every extension typed.

Import this module to work with certificates. It exports the commonly used names of the other schema modules, and
importing it registers all their extensions and algorithms. `derlib.schemas.crl` is based on it.

    >>> from derlib import pem
    >>> from derlib.schemas.x509 import Certificate
    >>> data = open("docs/examples/ca.pem", "rb").read()  # doctest: +SKIP
    >>> certificate = Certificate.decode(pem.one(data))  # doctest: +SKIP
    >>> str(certificate.subject)  # doctest: +SKIP
    'CN=Example CA'
    >>> certificate.is_ca  # doctest: +SKIP
    True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar, overload

from derlib import (
    RFC5280_TIME,
    BitString,
    ConstraintError,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
    UTCTime,
)
from derlib._core import selected_value
from derlib._signing import signature_of, version_error
from derlib.oids import by_name
from derlib.schemas import (
    algorithms,
    smime_capabilities,  # noqa: F401 - registers the extension
)
from derlib.schemas.algorithms import AlgorithmIdentifier, RSAPublicKey
from derlib.schemas.attributes import (
    ATTRIBUTES,
    Attribute,
    AttributeTypeAndValue,
    Name,
    RDNSequence,
    RelativeDistinguishedName,
)
from derlib.schemas.certificate_properties import CertificateProperties
from derlib.schemas.curves import ECParameters
from derlib.schemas.extension_properties import HasFingerprint
from derlib.schemas.extensions import (
    EXTENSIONS,
    AccessDescription,
    AuthorityInfoAccessSyntax,
    AuthorityKeyIdentifier,
    BasicConstraints,
    CertificateSerialNumber,
    CRLDistributionPoints,
    DistributionPoint,
    DistributionPointName,
    ExtKeyUsageSyntax,
    FreshestCRL,
    GeneralSubtree,
    GeneralSubtrees,
    IssuerAltName,
    KeyUsage,
    NameConstraints,
    PrivateKeyUsagePeriod,
    ReasonFlags,
    SubjectAltName,
    SubjectDirectoryAttributes,
    SubjectInfoAccessSyntax,
    TLSFeatures,
    id_ce_authority_key_identifier,
    id_ce_basic_constraints,
    id_ce_crl_distribution_points,
    id_ce_ext_key_usage,
    id_ce_freshest_crl,
    id_ce_inhibit_any_policy,
    id_ce_issuer_alt_name,
    id_ce_key_usage,
    id_ce_name_constraints,
    id_ce_no_rev_avail,
    id_ce_private_key_usage_period,
    id_ce_subject_alt_name,
    id_ce_subject_directory_attributes,
    id_ce_subject_key_identifier,
    id_pe_acme_identifier,
    id_pe_authority_info_access,
    id_pe_subject_info_access,
    id_pe_tlsfeature,
    id_pkix_ocsp_nocheck,
)
from derlib.schemas.general import AnotherName, EDIPartyName, GeneralName, GeneralNames
from derlib.schemas.logotype import LogotypeExtn
from derlib.schemas.policies import (
    CertificatePolicies,
    NoticeReference,
    PolicyConstraints,
    PolicyInformation,
    PolicyMapping,
    PolicyMappings,
    PolicyQualifierInfo,
    QCStatements,
    UserNotice,
    id_ce_certificate_policies,
    id_ce_policy_constraints,
    id_ce_policy_mappings,
    id_pe_proxy_cert_info,
    id_pe_qc_statements,
)
from derlib.schemas.public_keys import SubjectPublicKeyInfo
from derlib.schemas.purposes import (
    any_extended_key_usage,
    any_policy,
    id_ad_ca_issuers,
    id_ad_ca_repository,
    id_ad_ocsp,
    id_ad_time_stamping,
    id_kp_client_auth,
    id_kp_code_signing,
    id_kp_email_protection,
    id_kp_ocsp_signing,
    id_kp_server_auth,
    id_kp_time_stamping,
)
from derlib.schemas.sct import OpaqueTimestamp, SignedCertificateTimestamp, id_sct_list, read_sct_list
from derlib.schemas.vendor import CertificateTemplate, NetscapeCertType

_COMPILE_AT_FIRST_USE = True

if TYPE_CHECKING:
    from derlib import Column, Columns, Deviation, Limits
    from derlib.schemas.algorithms import (
        sa_ecdsa_with_sha256,
        sa_ecdsa_with_sha384,
        sa_ecdsa_with_sha512,
        sa_ed448,
        sa_ed25519,
        sa_ml_dsa_44,
        sa_ml_dsa_65,
        sa_ml_dsa_87,
        sa_rsassa_pss_sha256,
        sa_rsassa_pss_sha384,
        sa_rsassa_pss_sha512,
        sa_sha256_with_rsa_encryption,
        sa_sha384_with_rsa_encryption,
        sa_sha512_with_rsa_encryption,
    )
else:

    def __getattr__(name):
        """Return a signature algorithm, which `algorithms` builds at its first use."""
        if name in __all__:
            return getattr(algorithms, name)
        from derlib._suggestions import no_module_attribute

        raise AttributeError(no_module_attribute(__name__, name, __all__), name=name)

    def __dir__():
        return sorted({*globals(), *__all__})


__all__ = [
    "AccessDescription",
    "AlgorithmIdentifier",
    "AnotherName",
    "Attribute",
    "AttributeTypeAndValue",
    "AuthorityInfoAccessSyntax",
    "AuthorityKeyIdentifier",
    "BasicConstraints",
    "CRLDistributionPoints",
    "Certificate",
    "CertificatePolicies",
    "CertificateSerialNumber",
    "CertificateTemplate",
    "DistributionPoint",
    "DistributionPointName",
    "ECParameters",
    "EDIPartyName",
    "ExtKeyUsageSyntax",
    "Extension",
    "Extensions",
    "FreshestCRL",
    "GeneralName",
    "GeneralNames",
    "GeneralSubtree",
    "GeneralSubtrees",
    "IssuerAltName",
    "KeyUsage",
    "LogotypeExtn",
    "Name",
    "NameConstraints",
    "NetscapeCertType",
    "NoticeReference",
    "OpaqueTimestamp",
    "PolicyConstraints",
    "PolicyInformation",
    "PolicyMapping",
    "PolicyMappings",
    "PolicyQualifierInfo",
    "PrivateKeyUsagePeriod",
    "QCStatements",
    "RDNSequence",
    "RSAPublicKey",
    "ReasonFlags",
    "RelativeDistinguishedName",
    "SignedCertificateTimestamp",
    "SubjectAltName",
    "SubjectDirectoryAttributes",
    "SubjectInfoAccessSyntax",
    "SubjectPublicKeyInfo",
    "TBSCertificate",
    "TLSFeatures",
    "Time",
    "UniqueIdentifier",
    "UserNotice",
    "Validity",
    "Version",
    "certificates_table",
    "any_extended_key_usage",
    "any_policy",
    "id_ad_ca_issuers",
    "id_ad_ca_repository",
    "id_ad_ocsp",
    "id_ad_time_stamping",
    "id_ce_authority_key_identifier",
    "id_ce_basic_constraints",
    "id_ce_certificate_policies",
    "id_ce_crl_distribution_points",
    "id_ce_ext_key_usage",
    "id_ce_freshest_crl",
    "id_ce_inhibit_any_policy",
    "id_ce_issuer_alt_name",
    "id_ce_key_usage",
    "id_ce_name_constraints",
    "id_ce_no_rev_avail",
    "id_ce_policy_constraints",
    "id_ce_policy_mappings",
    "id_ce_private_key_usage_period",
    "id_ce_subject_alt_name",
    "id_ce_subject_directory_attributes",
    "id_ce_subject_key_identifier",
    "id_kp_client_auth",
    "id_kp_code_signing",
    "id_kp_email_protection",
    "id_kp_ocsp_signing",
    "id_kp_server_auth",
    "id_kp_time_stamping",
    "id_pe_acme_identifier",
    "id_pe_authority_info_access",
    "id_pe_proxy_cert_info",
    "id_pe_qc_statements",
    "id_pe_subject_info_access",
    "id_pe_tlsfeature",
    "id_pkix_ocsp_nocheck",
    "id_sct_list",
    "sa_ecdsa_with_sha256",
    "sa_ecdsa_with_sha384",
    "sa_ecdsa_with_sha512",
    "sa_ed25519",
    "sa_ed448",
    "sa_ml_dsa_44",
    "sa_ml_dsa_65",
    "sa_ml_dsa_87",
    "sa_rsassa_pss_sha256",
    "sa_rsassa_pss_sha384",
    "sa_rsassa_pss_sha512",
    "sa_sha256_with_rsa_encryption",
    "sa_sha384_with_rsa_encryption",
    "sa_sha512_with_rsa_encryption",
]

T = TypeVar("T")

# Time ::= CHOICE {                                           -- section 4.1.2.5
#     utcTime       UTCTime,
#     generalTime   GeneralizedTime }
Time: TypeAlias = Annotated[UTCTime | GeneralizedTime, RFC5280_TIME]

UniqueIdentifier: TypeAlias = BitString  # BIT STRING, section 4.1.2.8


class Version(NamedInteger):
    """The version of a certificate or of a CRL (RFC 5280 sections 4.1.2.1 and 5.1.2.1).

    ::

        Version ::= INTEGER { v1(0), v2(1), v3(2) }
    """

    v1 = 0
    v2 = 1
    v3 = 2


class Validity(Sequence):
    """The validity period of a certificate, including both times (RFC 5280 section 4.1.2.5).

    ::

        Validity ::= SEQUENCE {
            notBefore   Time,
            notAfter    Time }
    """

    not_before: Time
    not_after: Time


class Extension(Sequence):
    """An extension of a certificate, a CRL or an entry of a CRL (RFC 5280 section 4.1.2.9).

    ::

        Extension ::= SEQUENCE {
            extnID      OBJECT IDENTIFIER,
            critical    BOOLEAN DEFAULT FALSE,
            extnValue   OCTET STRING }   -- contains the DER encoding of the type that extnID selects

    `extn_value` is the decoded value, or ``bytes`` if the extension is unknown.
    """

    extn_id: ObjectIdentifier
    critical: bool = False
    extn_value: Annotated[Any, OctetString, DefinedBy("extn_id", EXTENSIONS)]

    @classmethod
    def of(cls, value: Any, extn_id: ObjectIdentifier | str | None = None, *, critical: bool = False) -> Extension:
        """Return an extension with this value.

        Args:
            value: a value of the extension's type, such as ``BasicConstraints(ca=True)`` or ``KeyUsage.crl_sign``.
            extn_id: the extension, as an `ObjectIdentifier`, its dotted form or its name; needed only if several
                extensions, or none, have the type of `value`.
            critical: whether a reader that does not know the extension must reject the certificate or CRL.

        Raises:
            ConstraintError: the value does not have the type of the extension, or the name is not registered.
            TypeError: no extension has this type, or several have it, such as ``bytes``: pass `extn_id`. Or `extn_id`
                is not an identifier.

        >>> Extension.of(BasicConstraints(ca=True), critical=True).encode().hex()
        '300f0603551d130101ff040530030101ff'
        >>> Extension.of(bytes.fromhex("0102"), extn_id=id_ce_subject_key_identifier).extn_id.name
        'id-ce-subjectKeyIdentifier'
        """
        given: object = extn_id
        if given is not None and not isinstance(given, (ObjectIdentifier, str)):
            got = type(given).__name__
            order = "the value comes first: Extension.of(value, extn_id)"
            raise TypeError(f"extn_id: expected ObjectIdentifier or str, got {got}; {order}")
        if extn_id is None:
            oid = _oid_of(type(value), "pass its identifier as extn_id")
        else:
            oid = ObjectIdentifier(by_name(extn_id))
        try:
            return cls(extn_id=oid, critical=critical, extn_value=value)
        except ConstraintError as error:
            if error.path[:1] == ("extn_value",):
                error.path = ("value", *error.path[1:])
            raise


class Extensions(SequenceOf[Extension], size=Size(1, None)):
    """The extensions of a certificate, a CRL or an entry of a CRL (RFC 5280 section 4.1.2.9).

    ::

        Extensions ::= SEQUENCE SIZE (1..MAX) OF Extension

    >>> extensions = Extensions.decode(bytes.fromhex("3011300f0603551d130101ff040530030101ff"))
    >>> extensions.get(BasicConstraints), extensions.get(KeyUsage)
    (BasicConstraints(ca=True), None)
    """

    @overload
    def get(self, which: type[T]) -> T | None: ...
    @overload
    def get(self, which: ObjectIdentifier | str) -> Any: ...
    def get(self, which: Any) -> Any:
        """Return the decoded value of an extension, or None if it is absent.

        Args:
            which: the type of the value, such as `BasicConstraints`, or an `ObjectIdentifier`, its dotted form or its
                name, such as "keyUsage" or "id-ce-keyUsage".

        If an extension occurs twice, which RFC 5280 section 4.2 does not allow, this returns the first one.

        Raises:
            TypeError: no extension has this type, or several have it, such as ``int``: pass an OBJECT IDENTIFIER.
            ConstraintError: the name is not registered.
        """
        if isinstance(which, str):
            which = by_name(which)
        return selected_value(self, which, EXTENSIONS._oids, _oid_of)

    def get_extension(self, which: type[Any] | ObjectIdentifier | str) -> Extension | None:
        """Return the `Extension`, which has the criticality, or None if it is absent. `which` is as for `get`."""
        # A type is the usual argument: ask for it first.
        if isinstance(which, type) or not isinstance(which, (ObjectIdentifier, str)):
            which = _oid_of(which)
        return self.find_by("extn_id", by_name(which))

    @property
    def signed_certificate_timestamps(self) -> tuple[SignedCertificateTimestamp | OpaqueTimestamp, ...]:
        """The timestamps of Certificate Transparency logs; empty if there are none (RFC 6962 section 3.3).

        The value of the extension is not DER, so decoding does not validate it. An element that is not a valid
        timestamp of version 1 is an `OpaqueTimestamp` with the reason; `derlib.schemas.sct.parse_sct_list` raises an
        error instead.
        """
        octets = self.get(id_sct_list)
        return () if octets is None else read_sct_list(octets)


def _oid_of(value_type: type[Any], remedy: str = "name it by its ObjectIdentifier") -> ObjectIdentifier:
    oids = EXTENSIONS.oids_of(value_type)
    if len(oids) == 1:
        return oids[0]
    name = getattr(value_type, "__name__", repr(value_type))
    count = "no extension has" if not oids else "more than one extension has"
    raise TypeError(f"{count} a value of type {name}; {remedy}")


class TBSCertificate(Sequence):
    """The part of a certificate that is signed (RFC 5280 section 4.1.2).

    ::

        TBSCertificate ::= SEQUENCE {
            version                [0] EXPLICIT Version DEFAULT v1,
            serialNumber           CertificateSerialNumber,
            signature              AlgorithmIdentifier,
            issuer                 Name,
            validity               Validity,
            subject                Name,
            subjectPublicKeyInfo   SubjectPublicKeyInfo,
            issuerUniqueID         [1] IMPLICIT UniqueIdentifier OPTIONAL,
            subjectUniqueID        [2] IMPLICIT UniqueIdentifier OPTIONAL,
            extensions             [3] EXPLICIT Extensions OPTIONAL }
    """

    version: Annotated[Version, Explicit(0)] = Version.v1
    serial_number: CertificateSerialNumber
    signature: AlgorithmIdentifier
    issuer: Name
    validity: Validity
    subject: Name
    subject_public_key_info: SubjectPublicKeyInfo
    issuer_unique_id: Annotated[UniqueIdentifier, Implicit(1)] | None = None
    subject_unique_id: Annotated[UniqueIdentifier, Implicit(2)] | None = None
    extensions: Annotated[Extensions, Explicit(3)] | None = None


class Certificate(CertificateProperties, HasFingerprint, Sequence, ber="keep"):
    """A certificate (RFC 5280 section 4.1.1).

    ::

        Certificate ::= SEQUENCE {
            tbsCertificate       TBSCertificate,
            signatureAlgorithm   AlgorithmIdentifier,
            signatureValue       BIT STRING }

    The signed bytes are ``tbs_certificate.der``. The properties, such as `subject` and `dns_names`, are fields of
    `tbs_certificate` and the values of extensions.
    """

    tbs_certificate: TBSCertificate
    signature_algorithm: AlgorithmIdentifier
    signature_value: BitString

    @classmethod
    def signed(cls, tbs_certificate: TBSCertificate, sign: Callable[[bytes], bytes]) -> Certificate:
        """Return the certificate with its signature, whose algorithm is ``tbs_certificate.signature``.

        Args:
            tbs_certificate: the part to sign.
            sign: a function that takes the bytes to sign and returns the signature, such as the method `sign` of an
                Ed25519 key of `cryptography`. It must use the algorithm that `tbs_certificate` names.

        Raises:
            TypeError: `tbs_certificate` is not a `TBSCertificate`, or `sign` does not return bytes.
            ConstraintError: `tbs_certificate` has extensions, and its version is not v3 (RFC 5280 section 4.1.2.1).

        >>> from datetime import datetime, timezone
        >>> start = datetime(2026, 1, 1, tzinfo=timezone.utc)
        >>> key = SubjectPublicKeyInfo.decode(bytes.fromhex("302a300506032b6570032100") + bytes(32))
        >>> tbs = TBSCertificate(
        ...     serial_number=1,
        ...     signature=AlgorithmIdentifier.of("id-Ed25519"),
        ...     issuer=Name.of({"CN": "Example"}),
        ...     validity=Validity(not_before=start, not_after=start.replace(year=2027)),
        ...     subject=Name.of({"CN": "Example"}),
        ...     subject_public_key_info=key,
        ... )
        >>> certificate = Certificate.signed(tbs, lambda data: bytes(64))  # instead of key.sign
        >>> certificate.signature_algorithm.name, len(certificate.signature_value.bytes)
        ('id-Ed25519', 64)
        """
        signature = signature_of(tbs_certificate, TBSCertificate, sign, _require_v3)
        return cls(
            tbs_certificate=tbs_certificate,
            signature_algorithm=tbs_certificate.signature,
            signature_value=signature,
        )


def _require_v3(tbs: TBSCertificate) -> None:
    """Raise ConstraintError if there are extensions in a certificate of another version."""
    if tbs.extensions is not None and tbs.version != Version.v3:
        raise version_error(tbs.version, Version.v3, "RFC 5280 4.1.2.1")


def certificates_table(
    data: Any,
    names: Iterable[str] | None = None,
    *,
    extra: Mapping[str, str | Column] | None = None,
    on_error: Literal["raise", "null"] = "raise",
    input_column: str | None = None,
    batch_rows: int = 65536,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    threads: int = 1,
) -> Columns:
    """Read certificates as rows of a table, without a Python object for each value.

    The columns are described in docs/tables.md. pyarrow, Polars, DuckDB and pandas take the result.

    Args:
        data: one certificate, or an iterable of certificates, as for `derlib.columns`.
        names: the names of the columns to read; None for the usual ones, which leave out the names for reading, such
            as `issuer_display`. Fewer columns take less time.
        extra: paths of more columns, as for `derlib.columns`.
        on_error: ``"raise"`` stops at the first certificate that is not valid. ``"null"`` gives it a row of nulls, and
            adds the columns `error`, `error_offset` and `error_rule`.
        input_column: the name of a column with the number of each row's certificate, from 0; None for no such column.
        batch_rows: the most rows of a batch.
        tolerate: the deviations from DER that each certificate may have; None for none.
        limits: the limits of each certificate; None for the limits of `decode`.
        threads: the number of threads, from 1 to 256.

    Raises:
        ValueError: the table has no column with a name in `names`, or an option is not valid.
        KeyError: the type has no part at a path in `extra`.

    >>> certificates_table([], ["not_after", "dns_names"], extra={"signature": "signature_value"})
    Columns(not_after: timestamp[s, UTC], dns_names: list<utf8>, signature: binary)
    """
    from derlib import columns
    from derlib.schemas.tables import CERTIFICATE_COLUMNS, chosen

    return columns(
        Certificate,
        data,
        chosen(CERTIFICATE_COLUMNS, names, extra),
        on_error=on_error,
        input_column=input_column,
        batch_rows=batch_rows,
        tolerate=tolerate,
        limits=limits,
        threads=threads,
    )


# PKCS #9 extensionRequest of certification requests, RFC 2985 section 5.4.2.
ATTRIBUTES.register(ObjectIdentifier("1.2.840.113549.1.9.14"), Extensions, on_mismatch="error")

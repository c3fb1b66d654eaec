"""cryptography's x509: the same values as Python objects, in lists."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtensionOID

from bench.families.columns.fields import FIELDS, certificate_facts
from bench.families.columns.inputs import encodings
from bench.harness import Task

# CRLReason ::= ENUMERATED (RFC 5280 5.3.1)
NUMBERS = {
    x509.ReasonFlags.key_compromise: 1,
    x509.ReasonFlags.ca_compromise: 2,
    x509.ReasonFlags.affiliation_changed: 3,
    x509.ReasonFlags.superseded: 4,
    x509.ReasonFlags.cessation_of_operation: 5,
    x509.ReasonFlags.certificate_hold: 6,
    x509.ReasonFlags.remove_from_crl: 8,
    x509.ReasonFlags.privilege_withdrawn: 9,
    x509.ReasonFlags.aa_compromise: 10,
}


def entries(path: str) -> Task:
    """Read serial number, date and reason of every entry into lists."""
    data = Path(path).read_bytes()

    def call() -> tuple[list[int], list[datetime], list[x509.ReasonFlags | None]]:
        serials, dates = [], []
        reasons: list[x509.ReasonFlags | None] = []
        for entry in x509.load_der_x509_crl(data):
            serials.append(entry.serial_number)
            dates.append(entry.revocation_date_utc)
            reason = None
            for extension in entry.extensions:
                if isinstance(extension.value, x509.CRLReason):
                    reason = extension.value.reason
            reasons.append(reason)
        return serials, dates, reasons

    def facts(found: tuple[list[int], list[datetime], list[x509.ReasonFlags | None]]) -> Iterator[object]:
        for serial, date, reason in zip(*found, strict=True):
            yield serial, int(date.timestamp()), None if reason is None else NUMBERS[reason]

    return Task(call, facts)


# KeyUsage ::= BIT STRING (RFC 5280 4.2.1.3); the last two are only defined for key agreement.
USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
)


def key_usage(usage: x509.KeyUsage) -> int:
    """Return the bits of a KeyUsage; bit 0 is the lowest."""
    bits: int = sum(getattr(usage, name) << number for number, name in enumerate(USAGES))
    return bits | usage.encipher_only << 7 | usage.decipher_only << 8 if usage.key_agreement else bits


def urls(points: x509.CRLDistributionPoints) -> list[str]:
    """Return the URLs of the points."""
    names = (name for point in points for name in point.full_name or ())
    return [name.value for name in names if isinstance(name, x509.UniformResourceIdentifier)]


def locations(access: x509.AuthorityInformationAccess, method: x509.ObjectIdentifier) -> list[str]:
    """Return the URLs of an access method."""
    return [one.access_location.value for one in access if one.access_method == method]


def extension_values(certificate: x509.Certificate) -> dict[str, Any]:
    """Return the fields of extensions."""
    row: dict[str, Any] = {"extensions": [], "critical": []}
    for extension in certificate.extensions:
        oid, value = extension.oid, extension.value
        row["extensions"].append(oid.dotted_string)
        row["critical"].append(extension.critical)
        if isinstance(value, x509.SubjectAlternativeName):
            row["dns_names"] = value.get_values_for_type(x509.DNSName)
            row["email_addresses"] = value.get_values_for_type(x509.RFC822Name)
            row["ip_addresses"] = [ip.packed for ip in value.get_values_for_type(x509.IPAddress)]  # type: ignore[union-attr]
            row["uris"] = value.get_values_for_type(x509.UniformResourceIdentifier)
        elif isinstance(value, x509.BasicConstraints):
            row["is_ca"], row["path_length"] = value.ca, value.path_length
        elif isinstance(value, x509.KeyUsage):
            row["key_usage"] = key_usage(value)
        elif isinstance(value, x509.ExtendedKeyUsage):
            row["extended_key_usage"] = [one.dotted_string for one in value]
        elif isinstance(value, x509.CertificatePolicies):
            row["policies"] = [one.policy_identifier.dotted_string for one in value]
        elif isinstance(value, x509.SubjectKeyIdentifier):
            row["subject_key_identifier"] = value.digest
        elif isinstance(value, x509.AuthorityKeyIdentifier):
            row["authority_key_identifier"] = value.key_identifier
        elif oid == ExtensionOID.CRL_DISTRIBUTION_POINTS:
            row["crl_urls"] = urls(value)
        elif isinstance(value, x509.AuthorityInformationAccess):
            row["ocsp_urls"] = locations(value, AuthorityInformationAccessOID.OCSP)
            row["ca_issuer_urls"] = locations(value, AuthorityInformationAccessOID.CA_ISSUERS)
    return row


def certificate_values(data: bytes) -> dict[str, Any]:
    """Return the fields of a certificate."""
    certificate = x509.load_der_x509_certificate(data)
    row = extension_values(certificate)
    row["version"] = certificate.version.value
    row["serial_number"] = certificate.serial_number
    row["signature_algorithm"] = certificate.signature_algorithm_oid.dotted_string
    row["issuer"] = certificate.issuer.rfc4514_string()
    row["not_before"] = certificate.not_valid_before_utc
    row["not_after"] = certificate.not_valid_after_utc
    row["subject"] = certificate.subject.rfc4514_string()
    row["key_algorithm"] = certificate.public_key_algorithm_oid.dotted_string
    key: Any = certificate.public_key()
    row["key_size"] = key.key_size
    return row


def certificates(path: str) -> Task:
    """Read the fields of every certificate into a list for each field."""
    data = list(encodings(path))

    def call() -> dict[str, list[Any]]:
        table: dict[str, list[Any]] = {name: [] for name in FIELDS}
        for one in data:
            row = certificate_values(one)
            for name, column in table.items():
                column.append(row.get(name))
        return table

    return Task(call, certificate_facts)

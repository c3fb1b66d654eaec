"""The same work written for derlib and for cryptography, and the proof that both read the same.

Called by bench/crl.py. The `read_...` functions touch what the table says and keep nothing; the
`facts_...` functions return the same things as plain values, and `demand_equal...` compares them
before anything is timed.
"""

import re
import ssl
from collections.abc import Iterator

import certifi
from cryptography import x509

from derlib import TLV, Choice, DecodeError, Sequence, SequenceOf, SetOf, fields, parse
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import AttributeTypeAndValue, Certificate, Extensions

Facts = tuple[object, ...]


def read_crl_with_derlib(data: bytes) -> int:
    """Decode a CRL and read every entry's serial, date and extensions, and count the last."""
    count = 0
    for entry in CertificateList.decode(data).tbs_cert_list.revoked_certificates or ():
        _ = entry.user_certificate
        _ = entry.revocation_date
        for extension in entry.crl_entry_extensions or ():
            _ = extension.extn_id
            _ = extension.critical
            _ = extension.extn_value
            count += 1
    return count


def read_crl_with_cryptography(data: bytes) -> int:
    """Do the same with cryptography."""
    count = 0
    for entry in x509.load_der_x509_crl(data):
        _ = entry.serial_number
        _ = entry.revocation_date_utc
        for extension in entry.extensions:
            _ = extension.oid
            _ = extension.critical
            _ = extension.value
            count += 1
    return count


def certifi_certificates() -> list[bytes]:
    """Return the DER of all root certificates of certifi."""
    blocks = re.findall("-----BEGIN CERT.+?-----END CERTIFICATE-----", certifi.contents(), re.S)
    return [ssl.PEM_cert_to_DER_cert(block) for block in blocks]


def split_by_verdict(certificates: list[bytes]) -> tuple[list[bytes], list[str]]:
    """Part the certificates that derlib accepts from the reasons why it refuses the others.

    A strict reader refuses a root that breaks DER; both are then timed over the accepted ones.
    """
    accepted, refused = [], []
    for der in certificates:
        try:
            Certificate.decode(der)
        except DecodeError as error:
            subject = x509.load_der_x509_certificate(der).subject.rfc4514_string()
            refused.append(f"{subject}: {error}")
        else:
            accepted.append(der)
    return accepted, refused


def read_certificate_with_derlib(data: bytes) -> Extensions | None:
    """Decode a certificate, read serial, names, validity and extensions; return the last."""
    certificate = Certificate.decode(data).tbs_certificate
    _ = certificate.serial_number
    _ = certificate.validity.not_before
    _ = certificate.validity.not_after
    for name in (certificate.issuer, certificate.subject):
        for relative in name.rdn_sequence:
            for attribute in relative:
                _ = attribute.type
                _ = attribute.value
    extensions = certificate.extensions
    for extension in extensions or ():
        _ = extension.extn_id
        _ = extension.critical
        _ = extension.extn_value
    return extensions


def walk(value: object) -> None:
    """Read every field of every structure below a value."""
    if isinstance(value, Sequence):
        for field in fields(type(value)):
            walk(getattr(value, field.name))
    elif isinstance(value, SequenceOf | SetOf):
        for element in value:
            walk(element)
    elif isinstance(value, Choice):
        walk(value.value)


def read_certificate_to_the_bottom(data: bytes) -> None:
    """Read every field inside every extension too, which cryptography has done by then."""
    for extension in read_certificate_with_derlib(data) or ():
        walk(extension.extn_value)


def read_certificate_with_cryptography(data: bytes) -> None:
    """Do the same with cryptography."""
    certificate = x509.load_der_x509_certificate(data)
    _ = certificate.serial_number
    _ = certificate.not_valid_before_utc
    _ = certificate.not_valid_after_utc
    for name in (certificate.issuer, certificate.subject):
        for attribute in name:
            _ = attribute.oid
            _ = attribute.value
    for extension in certificate.extensions:
        _ = extension.oid
        _ = extension.critical
        _ = extension.value


def facts_of_value(der: bytes) -> Facts:
    """Return the elements of an extension value, texts as texts.

    cryptography encodes its parsed value anew and writes a text that was a BMPString as a UTF8String.
    """
    return tuple(
        element.value
        if isinstance(element.value, str)
        else (element.tag, b"" if element.tag.constructed else bytes(element.content))
        for element in parse(der).walk()
    )


def facts_of_our_extensions(extensions: Extensions | None) -> Facts:
    """Return the extensions as (OID, critical, elements of the value)."""
    return tuple(
        (
            extension.extn_id.dotted,
            extension.critical,
            facts_of_value(bytes(extension.raw("extn_value"))),
        )
        for extension in extensions or ()
    )


def facts_of_their_extensions(extensions: x509.Extensions) -> Facts:
    """Return the same from cryptography, the value encoded anew."""
    return tuple(
        (
            extension.oid.dotted_string,
            extension.critical,
            facts_of_value(extension.value.public_bytes()),
        )
        for extension in extensions
    )


def facts_of_our_crl(data: bytes) -> Iterator[Facts]:
    """Yield the head of a CRL, then each entry."""
    tbs = CertificateList.decode(data).tbs_cert_list
    entries = tbs.revoked_certificates or ()
    yield bytes(tbs.issuer.der), tbs.this_update, tbs.next_update, len(entries)
    for entry in entries:
        extensions = facts_of_our_extensions(entry.crl_entry_extensions)
        yield entry.user_certificate, entry.revocation_date, extensions


def facts_of_their_crl(data: bytes) -> Iterator[Facts]:
    """Yield the same from cryptography."""
    crl = x509.load_der_x509_crl(data)
    yield crl.issuer.public_bytes(), crl.last_update_utc, crl.next_update_utc, len(crl)
    for entry in crl:
        extensions = facts_of_their_extensions(entry.extensions)
        yield entry.serial_number, entry.revocation_date_utc, extensions


def text_of(attribute: AttributeTypeAndValue) -> object:
    """Return the value of an attribute, also where it has not the type that its attribute asks for."""
    return attribute.value.value if isinstance(attribute.value, TLV) else attribute.value


def facts_of_our_certificate(data: bytes) -> Facts:
    """Return what the certificate rows read, as plain values."""
    tbs = Certificate.decode(data).tbs_certificate
    attributes = [
        [(each.type.dotted, text_of(each)) for relative in name.rdn_sequence for each in relative]
        for name in (tbs.issuer, tbs.subject)
    ]
    return (
        tbs.serial_number,
        tbs.validity.not_before,
        tbs.validity.not_after,
        attributes,
        facts_of_our_extensions(tbs.extensions),
    )


def facts_of_their_certificate(data: bytes) -> Facts:
    """Return the same from cryptography."""
    certificate = x509.load_der_x509_certificate(data)
    attributes = [
        [(attribute.oid.dotted_string, attribute.value) for attribute in name]
        for name in (certificate.issuer, certificate.subject)
    ]
    return (
        certificate.serial_number,
        certificate.not_valid_before_utc,
        certificate.not_valid_after_utc,
        attributes,
        facts_of_their_extensions(certificate.extensions),
    )


def demand_equal_crl(data: bytes) -> int:
    """Stop at the first difference between two readings of a CRL; return the number of entries."""
    count = -1
    for ours, theirs in zip(facts_of_our_crl(data), facts_of_their_crl(data), strict=True):
        if ours != theirs:
            raise SystemExit(f"entry {count}: derlib reads {ours}, cryptography {theirs}")
        count += 1
    return count


def demand_equal_certificates(certificates: list[bytes]) -> None:
    """Stop at the first difference between the two readings of the certificates."""
    for at, der in enumerate(certificates):
        ours, theirs = facts_of_our_certificate(der), facts_of_their_certificate(der)
        if ours != theirs:
            raise SystemExit(f"certificate {at}: derlib reads {ours}, cryptography {theirs}")

"""derlib: decode and read CRLs and certificates. derlib_write.py has the operations that encode, change and search."""

import json
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

from bench.families.crl.peers.derlib_write import (
    added_by_pickle,
    build_and_sign,
    dict_get,
    dumps,
    encode,
    encode_anew,
    encode_tbs_anew,
    find,
    index,
    loads,
    lookup_find,
    renew,
    sign,
    stream,
)
from bench.families.crl.threads import in_threads
from bench.harness import Task
from derlib import TLV, Choice, Sequence, SequenceOf, SetOf, fields
from derlib.schemas.crl import CertificateList, CRLReason
from derlib.schemas.x509 import AttributeTypeAndValue, Certificate, Extensions

__all__ = [
    "added_by_pickle",
    "build_and_sign",
    "dict_get",
    "dumps",
    "encode",
    "encode_anew",
    "encode_tbs_anew",
    "find",
    "index",
    "loads",
    "lookup_find",
    "renew",
    "sign",
    "stream",
]


def facts(crl: CertificateList) -> Iterator[object]:
    """Yield what the CRL contains."""
    tbs = crl.tbs_cert_list
    yield int(tbs.this_update.timestamp())
    for entry in tbs.revoked_certificates or ():
        extensions = tuple(
            (each.extn_id.dotted, each.critical, bytes(each.raw("extn_value")))
            for each in entry.crl_entry_extensions or ()
        )
        yield entry.user_certificate, int(entry.revocation_date.timestamp()), extensions


def decode(path: str) -> Task:
    """Validate the whole CRL."""
    data = Path(path).read_bytes()
    return Task(lambda: CertificateList.decode(data), facts)


def decode_and_read(path: str) -> Task:
    """Validate the whole CRL, and read serial number, date and extensions of every entry."""
    data = Path(path).read_bytes()

    def call() -> CertificateList:
        crl = CertificateList.decode(data)
        for entry in crl.tbs_cert_list.revoked_certificates or ():
            _ = entry.user_certificate
            _ = entry.revocation_date
            for extension in entry.crl_entry_extensions or ():
                _ = extension.extn_id
                _ = extension.critical
                _ = extension.extn_value
        return crl

    return Task(call, facts)


def decode_and_get_reasons(path: str) -> Task:
    """Validate the whole CRL, and get the serial number and the reason of every entry, which may have none."""
    data = Path(path).read_bytes()

    def call() -> CertificateList:
        crl = CertificateList.decode(data)
        for entry in crl.tbs_cert_list.revoked_certificates or ():
            _ = entry.user_certificate
            if entry.crl_entry_extensions is not None:
                _ = entry.crl_entry_extensions.get(CRLReason)
        return crl

    return Task(call, facts)


def in_one_thread(path: str) -> Task:
    """Decode in one thread."""
    return in_threads(CertificateList.decode, Path(path).read_bytes(), 1)


def in_two_threads(path: str) -> Task:
    """Decode two CRLs in two threads."""
    return in_threads(CertificateList.decode, Path(path).read_bytes(), 2)


def read(encoded: bytes) -> None:
    """Decode a CRL and read every entry."""
    for entry in CertificateList.decode(encoded).tbs_cert_list.revoked_certificates or ():
        _ = entry.user_certificate, entry.revocation_date


def read_in_one_thread(path: str) -> Task:
    """Read one CRL in one thread."""
    return in_threads(read, Path(path).read_bytes(), 1)


def read_in_two_threads(path: str) -> Task:
    """Read two CRLs in two threads; only measured without the GIL."""
    return in_threads(read, Path(path).read_bytes(), 2)


def certificates(path: str) -> list[bytes]:
    """Return the certificates in the file."""
    return [b64decode(text) for text in json.loads(Path(path).read_text())]


def text_of(attribute: AttributeTypeAndValue) -> object:
    """Return the value of an attribute, even where its type does not match the attribute."""
    return attribute.value.value if isinstance(attribute.value, TLV) else attribute.value


def certificate_facts(decoded: list[Certificate]) -> Iterator[object]:
    """Yield what the certificates contain."""
    for certificate in decoded:
        tbs = certificate.tbs_certificate
        yield tbs.serial_number, int(tbs.validity.not_before.timestamp())
        yield int(tbs.validity.not_after.timestamp())
        for name in (tbs.issuer, tbs.subject):
            yield [(each.type.dotted, text_of(each)) for relative in name.rdn_sequence for each in relative]
        yield [(extension.extn_id.dotted, extension.critical) for extension in tbs.extensions or ()]


def decode_certificates(path: str) -> Task:
    """Validate all certificates with their extensions."""
    ders = certificates(path)
    return Task(lambda: [Certificate.decode(der) for der in ders], certificate_facts)


def read_certificate(certificate: Certificate) -> Extensions | None:
    """Read serial number, names, validity and extensions; return the extensions."""
    tbs = certificate.tbs_certificate
    _ = tbs.serial_number
    _ = tbs.validity.not_before
    _ = tbs.validity.not_after
    for name in (tbs.issuer, tbs.subject):
        for relative in name.rdn_sequence:
            for attribute in relative:
                _ = attribute.type
                _ = attribute.value
    for extension in tbs.extensions or ():
        _ = extension.extn_id
        _ = extension.critical
        _ = extension.extn_value
    return tbs.extensions


def read_certificates(path: str) -> Task:
    """Validate all certificates, and read serial number, names, validity and extensions of each."""
    ders = certificates(path)

    def call() -> list[Certificate]:
        decoded = [Certificate.decode(der) for der in ders]
        for certificate in decoded:
            read_certificate(certificate)
        return decoded

    return Task(call, certificate_facts)


def walk(value: object) -> None:
    """Read every field of every structure below a value."""
    if isinstance(value, Sequence):
        for field in fields(type(value)):
            walk(getattr(value, field.name))
    elif isinstance(value, (SequenceOf, SetOf)):
        for element in value:
            walk(element)
    elif isinstance(value, Choice):
        walk(value.value)


def read_certificates_to_the_bottom(path: str) -> Task:
    """Validate all certificates, and read every field inside every extension, which cryptography has parsed by then."""
    ders = certificates(path)

    def call() -> list[Certificate]:
        decoded = [Certificate.decode(der) for der in ders]
        for certificate in decoded:
            for extension in read_certificate(certificate) or ():
                walk(extension.extn_value)
        return decoded

    return Task(call, certificate_facts)

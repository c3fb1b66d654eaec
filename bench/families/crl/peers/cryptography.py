"""cryptography's x509: loading is lazy, iterating reads each entry."""

import json
import pickle
import warnings
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.utils import CryptographyDeprecationWarning

from bench.families.crl.inputs import KEY
from bench.harness import Task

# One root has a serial number that is not positive. It is valid DER, but cryptography warns.
warnings.simplefilter("ignore", CryptographyDeprecationWarning)


def facts(crl: x509.CertificateRevocationList) -> Iterator[object]:
    """Yield what the CRL contains."""
    assert crl.last_update_utc is not None
    yield int(crl.last_update_utc.timestamp())
    for entry in crl:
        extensions = tuple(
            (each.oid.dotted_string, each.critical, each.value.public_bytes()) for each in entry.extensions
        )
        yield entry.serial_number, int(entry.revocation_date_utc.timestamp()), extensions


def decode(path: str) -> Task:
    """Load a CRL; its entries are not parsed yet."""
    data = Path(path).read_bytes()
    return Task(lambda: x509.load_der_x509_crl(data), facts)


def decode_and_read(path: str) -> Task:
    """Load a CRL, and read serial number, date and extensions of every entry."""
    data = Path(path).read_bytes()

    def call() -> x509.CertificateRevocationList:
        crl = x509.load_der_x509_crl(data)
        for entry in crl:
            _ = entry.serial_number
            _ = entry.revocation_date_utc
            for extension in entry.extensions:
                _ = extension.oid
                _ = extension.critical
                _ = extension.value
        return crl

    return Task(call, facts)


def decode_and_get_reasons(path: str) -> Task:
    """Load a CRL, and get the serial number and the reason of every entry, which may have none."""
    data = Path(path).read_bytes()

    def call() -> x509.CertificateRevocationList:
        crl = x509.load_der_x509_crl(data)
        for entry in crl:
            _ = entry.serial_number
            if len(entry.extensions):
                _ = entry.extensions.get_extension_for_class(x509.CRLReason).value.reason
        return crl

    return Task(call, facts)


def build_and_sign(path: str) -> Task:
    """Build and sign a CRL from serial numbers and times; only the issuer is an object of the library."""
    crl = x509.load_der_x509_crl(Path(path).read_bytes())
    issuer, this_update, next_update = crl.issuer, crl.last_update_utc, crl.next_update_utc
    entries = [(entry.serial_number, entry.revocation_date_utc) for entry in crl]
    key = Ed25519PrivateKey.from_private_bytes(KEY)
    assert this_update is not None

    def call() -> bytes:
        # Pass the whole list in one call: add_revoked_certificate copies it for every entry.
        listed = [x509.RevokedCertificateBuilder(serial, time).build() for serial, time in entries]
        builder = x509.CertificateRevocationListBuilder(issuer, this_update, next_update, [], listed)
        return builder.sign(key, None).public_bytes(Encoding.DER)

    return Task(call, lambda encoded: [encoded])


def dumps(path: str) -> Task:
    """Pickle a CRL, which raises an exception."""
    crl = x509.load_der_x509_crl(Path(path).read_bytes())
    return Task(lambda: pickle.dumps(crl, 5))


def certificates(path: str) -> list[bytes]:
    """Return the certificates in the file."""
    return [b64decode(text) for text in json.loads(Path(path).read_text())]


def certificate_facts(loaded: list[x509.Certificate]) -> Iterator[object]:
    """Yield what the certificates contain."""
    for certificate in loaded:
        yield certificate.serial_number, int(certificate.not_valid_before_utc.timestamp())
        yield int(certificate.not_valid_after_utc.timestamp())
        for name in (certificate.issuer, certificate.subject):
            yield [(attribute.oid.dotted_string, attribute.value) for attribute in name]
        yield [(extension.oid.dotted_string, extension.critical) for extension in certificate.extensions]


def decode_certificates(path: str) -> Task:
    """Load all certificates."""
    ders = certificates(path)
    return Task(lambda: [x509.load_der_x509_certificate(der) for der in ders], certificate_facts)


def read_certificates(path: str) -> Task:
    """Load all certificates, and read serial number, names, validity and extensions of each."""
    ders = certificates(path)

    def call() -> list[x509.Certificate]:
        loaded = []
        for der in ders:
            certificate = x509.load_der_x509_certificate(der)
            loaded.append(certificate)
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
        return loaded

    return Task(call, certificate_facts)

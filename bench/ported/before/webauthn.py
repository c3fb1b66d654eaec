"""Check attestation certificates of authenticators, with cryptography: webauthn.py AAGUID FILE"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID, ObjectIdentifier

AAGUID = ObjectIdentifier("1.3.6.1.4.1.45724.1.1.4")


def value_of(name: x509.Name, oid: ObjectIdentifier) -> str:
    found = name.get_attributes_for_oid(oid)
    return str(found[-1].value) if found else ""


def faults(certificate: x509.Certificate, aaguid: bytes) -> Iterator[str]:
    subject = certificate.subject
    if certificate.version is not x509.Version.v3:
        yield "the version is not 3"
    if len(value_of(subject, NameOID.COUNTRY_NAME)) != 2:
        yield "the country is not a code of two letters"
    if not value_of(subject, NameOID.ORGANIZATION_NAME) or not value_of(subject, NameOID.COMMON_NAME):
        yield "the vendor or the common name is missing"
    if value_of(subject, NameOID.ORGANIZATIONAL_UNIT_NAME) != "Authenticator Attestation":
        yield "the unit is not Authenticator Attestation"
    try:
        if certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            yield "the certificate is that of a CA"
    except x509.ExtensionNotFound:
        pass
    try:
        model = certificate.extensions.get_extension_for_oid(AAGUID)
    except x509.ExtensionNotFound:
        return
    if model.critical:
        yield "the AAGUID is critical"
    # The value is an OCTET STRING: skip its tag and its length.
    if not isinstance(model.value, x509.UnrecognizedExtension) or model.value.value[2:] != aaguid:
        yield "the AAGUID is another one, or is not valid"


def main() -> int:
    aaguid, status = bytes.fromhex(sys.argv[1]), 0
    for number, certificate in enumerate(x509.load_pem_x509_certificates(Path(sys.argv[2]).read_bytes()), 1):
        found = "; ".join(faults(certificate, aaguid))
        print(f"{number}: {found or 'valid'}")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())

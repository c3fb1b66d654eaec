"""Check attestation certificates of authenticators: webauthn.py AAGUID FILE

AAGUID is hexadecimal, with or without hyphens. FILE has certificates as PEM. The requirements are those of Web
Authentication for the "packed" attestation, section 8.2.1. The signature of the attestation and the chain of the
certificate are checked elsewhere, with cryptography.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from derlib import ASN1Error, pem
from derlib.schemas.attestation import id_fido_gen_ce_aaguid
from derlib.schemas.x509 import BasicConstraints, Certificate, Name, Version


def text(name: Name, type: str) -> str:
    """Return an attribute of a name; an empty text if it is absent, or not a character string."""
    found = name.get(type)
    return found if isinstance(found, str) else ""


def faults(certificate: Certificate, aaguid: bytes) -> Iterator[str]:
    """Yield the requirements that a certificate does not meet."""
    subject = certificate.subject
    if certificate.version != Version.v3:
        yield "the version is not 3"
    if len(text(subject, "C")) != 2:
        yield "the country is not a code of two letters"
    if not text(subject, "O") or not text(subject, "CN"):
        yield "the vendor or the common name is missing"
    if text(subject, "OU") != "Authenticator Attestation":
        yield "the unit is not Authenticator Attestation"
    constraints = certificate.get(BasicConstraints)
    if constraints is None or constraints.ca:
        yield "the certificate has no basic constraints, or is that of a CA"
    model = certificate.get_extension(id_fido_gen_ce_aaguid)
    if model is not None and model.critical:
        yield "the AAGUID is critical"
    if model is not None and model.extn_value != aaguid:
        yield "the AAGUID is another one, or is not valid"


def main() -> int:
    """Print a line for each certificate; exit with 1 if one has a fault."""
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} AAGUID FILE", file=sys.stderr)
        return 2
    aaguid, status = UUID(sys.argv[1]).bytes, 0
    for number, der in enumerate(pem.decode(Path(sys.argv[2]).read_bytes(), "CERTIFICATE"), 1):
        try:
            found = "; ".join(faults(Certificate.decode(der), aaguid))
        except ASN1Error as error:
            found = str(error)
        print(f"{number}: {found or 'valid'}")
        status |= bool(found)
    return status


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())

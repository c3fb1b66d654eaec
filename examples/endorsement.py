"""Check endorsement certificates of TPMs: endorsement.py [--deviations] FILE

FILE has certificates as PEM. The requirements are those of the TCG EK Credential Profile, section 3.2. TPMs cannot get
new certificates, so the known faults of some makers are tolerated; `--deviations` lists them. The chain of the
certificates is checked elsewhere, with cryptography.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from derlib import ASN1Error, Deviation, pem
from derlib.schemas.attestation import (
    TPMSpecification,
    tcg_at_tpm_manufacturer,
    tcg_at_tpm_model,
    tcg_at_tpm_specification,
    tcg_at_tpm_version,
    tcg_kp_ek_certificate,
)
from derlib.schemas.x509 import Certificate, KeyUsage, SubjectDirectoryAttributes

#: Intel encodes `cA FALSE`, which is the default, and key usages with zeros at the end.
KNOWN = Deviation.DEFAULT_ENCODED | Deviation.NAMED_BITS
ATTRIBUTES = (tcg_at_tpm_manufacturer, tcg_at_tpm_model, tcg_at_tpm_version)


def device(certificate: Certificate) -> str:
    """Return manufacturer, model and version of the TPM, which are in a name of the subjectAltName."""
    names = [each.directory_name for each in certificate.subject_alt_names if each.alternative == "directory_name"]
    return " ".join(str(names[0].get(each)) for each in ATTRIBUTES) if names else ""


def faults(certificate: Certificate) -> Iterator[str]:
    """Yield the requirements that a certificate does not meet."""
    if certificate.is_ca:
        yield "it is the certificate of a CA"
    if not {KeyUsage.key_encipherment, KeyUsage.key_agreement} & set(certificate.key_usage or ()):
        yield "the key cannot encrypt"
    if tcg_kp_ek_certificate not in (certificate.extended_key_usage or ()):
        yield "the purpose of an endorsement key is missing"
    attributes = certificate.get(SubjectDirectoryAttributes) or ()
    specified = [attribute.values[0] for attribute in attributes if attribute.type == tcg_at_tpm_specification]
    if not specified or not isinstance(specified[0], TPMSpecification) or specified[0].family != "2.0":
        yield "it is not for a TPM 2.0"


def main() -> int:
    """Print a line for each certificate; exit with 1 if one has a fault."""
    arguments = [each for each in sys.argv[1:] if each != "--deviations"]
    if len(arguments) != 1:
        print(f"usage: {sys.argv[0]} [--deviations] FILE", file=sys.stderr)
        return 2
    status = 0
    for number, der in enumerate(pem.decode(Path(arguments[0]).read_bytes(), "CERTIFICATE"), 1):
        try:
            certificate = Certificate.decode(der, tolerate=KNOWN)
        except ASN1Error as error:
            print(f"{number}: {error}")
            status = 1
            continue
        found = "; ".join(faults(certificate))
        print(f"{number}: {device(certificate)}: {found or 'valid'}")
        if "--deviations" in sys.argv:
            for each in certificate.deviations:
                path = ".".join(map(str, each.path))
                print(f"    {each.deviation.name} at offset {each.offset}: {path} ({each.rule})")
        status |= bool(found)
    return status


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())

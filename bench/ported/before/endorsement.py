"""Check endorsement certificates of TPMs, with asn1crypto: endorsement.py FILE"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asn1crypto import core, pem, x509

PURPOSE = "2.23.133.8.1"
SPECIFICATION = "2.23.133.2.16"
ATTRIBUTES = ("tpm_manufacturer", "tpm_model", "tpm_version")


class TPMSpecification(core.Sequence):  # type: ignore[misc]
    _fields = [("family", core.UTF8String), ("level", core.Integer), ("revision", core.Integer)]


def device(certificate: Any) -> str:
    for name in certificate.subject_alt_name_value or ():
        if name.name == "directory_name":
            found = name.chosen.native
            return " ".join(str(found.get(each)) for each in ATTRIBUTES)
    return ""


def specification(certificate: Any) -> Any:
    for attribute in certificate.subject_directory_attributes_value or ():
        if attribute["type"].dotted == SPECIFICATION:
            return TPMSpecification.load(attribute["values"][0].dump())
    return None


def faults(certificate: Any) -> Iterator[str]:
    constraints = certificate.basic_constraints_value
    if constraints is not None and constraints["ca"].native:
        yield "it is the certificate of a CA"
    usage = certificate.key_usage_value
    if usage is None or not {"key_encipherment", "key_agreement"} & usage.native:
        yield "the key cannot encrypt"
    purposes = certificate.extended_key_usage_value
    if purposes is None or PURPOSE not in [each.dotted for each in purposes]:
        yield "the purpose of an endorsement key is missing"
    found = specification(certificate)
    if found is None or found["family"].native != "2.0":
        yield "it is not for a TPM 2.0"


def main() -> int:
    status = 0
    blocks = pem.unarmor(Path(sys.argv[1]).read_bytes(), multiple=True)
    for number, (_, _, der) in enumerate(blocks, 1):
        certificate = x509.Certificate.load(der)
        found = "; ".join(faults(certificate))
        print(f"{number}: {device(certificate)}: {found or 'valid'}")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())

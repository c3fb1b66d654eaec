"""List the certificates of PEM files as CSV: inventory.py BUNDLE... > inventory.csv

Each error has a row, too: an invalid certificate, a file without certificates, a file that cannot be read.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from derlib import ASN1Error, PEMError, pem
from derlib.schemas.x509 import BasicConstraints, Certificate, RSAPublicKey, SubjectAltName, SubjectPublicKeyInfo

COLUMNS: tuple[str, ...] = (
    "file", "line", "subject", "issuer", "serial", "from", "until", "key", "ca", "hosts", "problem",
)


def key_of(info: SubjectPublicKeyInfo) -> str:
    """Return the algorithm of a public key, with the size of an RSA key."""
    key = info.subject_public_key
    name = info.algorithm.algorithm.name
    return f"{name} {key.modulus.bit_length()}" if isinstance(key, RSAPublicKey) else name


def row_of(certificate: Certificate) -> dict[str, object]:
    """Return the columns of a certificate."""
    tbs = certificate.tbs_certificate
    extensions = tbs.extensions
    basic = extensions.get(BasicConstraints) if extensions is not None else None
    names = extensions.get(SubjectAltName) if extensions is not None else None
    return {
        "subject": tbs.subject,
        "issuer": tbs.issuer,
        "serial": f"{tbs.serial_number:x}",
        "from": tbs.validity.not_before.isoformat(),
        "until": tbs.validity.not_after.isoformat(),
        "key": key_of(tbs.subject_public_key_info),
        "ca": "yes" if basic is not None and basic.ca else "no",
        "hosts": " ".join(each.dns_name for each in names or () if each.alternative == "dns_name"),
    }


def rows(paths: list[Path]) -> Iterator[dict[str, object]]:
    """Yield a row for each certificate, and for each error."""
    for path in paths:
        found = False
        try:
            for block in pem.blocks(path.read_bytes(), "CERTIFICATE"):
                found = True
                position: dict[str, object] = {"file": path.name, "line": block.line}
                try:
                    yield {**position, **row_of(Certificate.decode(block.der))}
                except ASN1Error as error:
                    yield {**position, "problem": error}
            if not found:
                yield {"file": path.name, "problem": "no PEM block labelled CERTIFICATE"}
        except PEMError as error:
            yield {"file": path.name, "line": error.line, "problem": error.detail}
        except OSError as error:
            yield {"file": path.name, "problem": error.strerror}


def write(paths: list[Path], out: TextIO) -> None:
    """Write the table as CSV."""
    table = csv.DictWriter(out, COLUMNS, restval="")
    table.writeheader()
    table.writerows(rows(paths))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    write([Path(argument) for argument in sys.argv[1:]], sys.stdout)

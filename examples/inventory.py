"""List the certificates of PEM files as CSV: inventory.py BUNDLE... > inventory.csv

It reads the blocks labelled CERTIFICATE. Each error has a row, too: an invalid certificate, a file without
certificates, a file that cannot be read. Serial numbers begin with 0x, because spreadsheets round numbers with many
digits, and have two digits for each byte, as in the tables of `derlib table`. The CSV is in UTF-8.
"""

from __future__ import annotations

import csv
import io
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from derlib import ASN1Error, PEMError, pem
from derlib.schemas.x509 import Certificate

COLUMNS: tuple[str, ...] = (
    "file", "line", "subject", "issuer", "serial", "from", "until", "key", "ca", "hosts", "problem",
)


def serial_text(number: int) -> str:
    """Return a serial number in hexadecimal, with an even number of digits."""
    length = len(f"{number:#x}")
    return f"{number:#0{length + length % 2}x}"


def row_of(certificate: Certificate) -> dict[str, object]:
    """Return the columns of a certificate."""
    key = certificate.public_key
    return {
        "subject": certificate.subject.display(),
        "issuer": certificate.issuer.display(),
        "serial": serial_text(certificate.serial_number),
        "from": certificate.not_before.isoformat(),
        "until": certificate.not_after.isoformat(),
        "key": f"{key.kind} {key.size}" if key.size else key.kind,
        "ca": "yes" if certificate.is_ca else "no",
        "hosts": " ".join([*certificate.dns_names, *map(str, certificate.ip_addresses)]),
    }


def rows(paths: list[Path]) -> Iterator[dict[str, object]]:
    """Yield a row for each certificate, and for each error."""
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            yield {"file": path.name, "problem": error.strerror}
            continue
        found = False
        broken: list[PEMError] = []
        for block in pem.blocks(data, "CERTIFICATE", on_error=broken.append):
            found = True
            position: dict[str, object] = {"file": path.name, "line": block.line}
            try:
                yield {**position, **row_of(Certificate.decode(block.der))}
            except ASN1Error as error:
                yield {**position, "problem": error}
        for damage in broken:
            yield {"file": path.name, "line": damage.line or "", "problem": damage.detail}
        if not found and not broken:
            yield {"file": path.name, "problem": "no PEM block labelled CERTIFICATE"}


def write(paths: list[Path], out: TextIO) -> None:
    """Write the table as CSV."""
    table = csv.DictWriter(out, COLUMNS, restval="")
    table.writeheader()
    table.writerows(rows(paths))


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="")
    write([Path(argument) for argument in sys.argv[1:]], sys.stdout)

"""Report entries of a CRL that break a rule for issuers, with cryptography: crl_lint.py FILE"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from cryptography import x509

UNWANTED = {x509.ReasonFlags.unspecified: "unspecified", x509.ReasonFlags.certificate_hold: "certificate_hold"}


def faults(entry: x509.RevokedCertificate, this_update: datetime) -> Iterator[str]:
    serial = entry.serial_number
    if serial <= 0 or serial.bit_length() > 159:
        yield "the serial number is not positive, or longer than 20 bytes"
    if entry.revocation_date_utc > this_update:
        yield "revoked after the CRL was issued"
    try:
        reason = entry.extensions.get_extension_for_class(x509.CRLReason).value.reason
    except x509.ExtensionNotFound:
        reason = None
    if reason is not None and reason in UNWANTED:
        yield f"reason {UNWANTED[reason]}"
    for extension in entry.extensions:
        if extension.critical:
            yield f"critical extension {extension.oid.dotted_string}"


def main() -> int:
    data = Path(sys.argv[1]).read_bytes()
    load = x509.load_pem_x509_crl if data.startswith(b"-----") else x509.load_der_x509_crl
    crl = load(data)
    this_update = crl.last_update_utc
    status = 0
    seen: set[int] = set()
    for entry in crl:
        found = list(faults(entry, this_update))
        if entry.serial_number in seen:
            found.append("the serial number occurs twice")
        seen.add(entry.serial_number)
        for fault in found:
            print(f"{entry.serial_number:x}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

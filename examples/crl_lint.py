"""Report entries of a CRL that break a rule for issuers: crl_lint.py FILE

The rules are some of those of RFC 5280 section 5 and of the Baseline Requirements 7.2.2, which do not allow indirect
CRLs: each entry of another issuer is reported for its critical extension. `decode` has already checked the encoding.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from derlib import ASN1Error, UnrepresentableError, pem
from derlib.schemas.crl import CertificateList, CRLReason, RevokedCertificate

# Reasons that RFC 5280 does not have, such as number 7, are not in it, either.
WANTED = set(CRLReason) - {CRLReason.unspecified, CRLReason.certificate_hold}


def faults(entry: RevokedCertificate, this_update: datetime) -> Iterator[str]:
    """Yield the faults of an entry."""
    serial = entry.serial_number
    if serial <= 0 or serial.bit_length() > 159:
        yield "the serial number is not positive, or longer than 20 bytes"
    try:
        if entry.revocation_date > this_update:
            yield "revoked after the CRL was issued"
    except UnrepresentableError as error:
        yield str(error)
    reason = entry.reason
    if reason is not None and reason not in WANTED:
        yield f"reason {reason.name}"
    if entry.extensions is not None:
        for extension in entry.extensions:
            if extension.critical:
                yield f"critical extension {extension.extn_id}"


def main() -> int:
    """Print a line for each fault; exit with 1 if there is one."""
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} FILE", file=sys.stderr)
        return 2
    try:
        crl = CertificateList.decode(pem.one(Path(sys.argv[1]).read_bytes()))
        this_update = crl.this_update
    except (ASN1Error, OSError) as error:
        print(f"{sys.argv[1]}: {error}")
        return 1
    status = 0
    seen: set[int] = set()
    for entry in crl.revoked_certificates:
        found = list(faults(entry, this_update))
        if entry.serial_number in seen:
            found.append("the serial number occurs twice")
        seen.add(entry.serial_number)
        for fault in found:
            print(f"{entry.serial_number:x}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())

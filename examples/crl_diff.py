"""Show the changes from one CRL to the next: crl_diff.py OLD NEW

The output is one line for each entry that was added (`+`), removed (`-`) or changed (`~`). Entries are compared by
their encodings and found with an index of eight bytes per entry, so CRLs with hundreds of thousands of entries need
little memory. The exit status is 0 if nothing changed, 1 if something changed, and 2 if the CRLs have different issuers
or one cannot be read.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from derlib import ASN1Error, pem
from derlib.schemas.crl import CertificateList, CRLReason, RevokedCertificate


class Change(NamedTuple):
    """A serial number, with its entry in the old and in the new CRL."""

    serial_number: int
    before: RevokedCertificate | None
    after: RevokedCertificate | None

    def __str__(self) -> str:
        mark = "+" if self.before is None else "-" if self.after is None else "~"
        entries = " -> ".join(describe(entry) for entry in (self.before, self.after) if entry is not None)
        return f"{mark} {self.serial_number:x} {entries}"


def describe(entry: RevokedCertificate) -> str:
    """Return the date and the reason of an entry."""
    extensions = entry.crl_entry_extensions
    reason = extensions.get(CRLReason) if extensions is not None else None
    return f"{entry.revocation_date:%Y-%m-%d}" + (f" {reason.name}" if reason is not None else "")


def differences(old: CertificateList, new: CertificateList) -> Iterator[Change]:
    """Yield added and changed entries in the order of the new CRL, then removed entries."""
    for after in new.tbs_cert_list.revoked_certificates or ():
        serial_number = after.user_certificate
        before = old.find(serial_number)
        if before != after:
            yield Change(serial_number, before, after)
    for before in old.tbs_cert_list.revoked_certificates or ():
        if new.find(before.user_certificate) is None:
            yield Change(before.user_certificate, before, None)


def read(path: Path) -> CertificateList:
    """Read a CRL from a file in DER or PEM."""
    return CertificateList.decode(pem.one(path.read_bytes(), "X509 CRL"))


def main(before: str, after: str) -> int:
    """Run the command and return its exit status."""
    lists = []
    for file in (before, after):
        try:
            lists.append(read(Path(file)))
        except (ASN1Error, OSError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
    old, new = lists
    # The text of a name, because a CA can change the string type of its name (RFC 5280 section 7.1).
    issuers = [str(one.tbs_cert_list.issuer) for one in lists]
    if issuers[0] != issuers[1]:
        print(f"{issuers[0]} is not {issuers[1]}", file=sys.stderr)
        return 2
    changed = 0
    for change in differences(old, new):
        changed = 1
        print(change)
    return changed


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))

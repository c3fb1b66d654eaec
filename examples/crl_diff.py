"""Show the changes from one CRL to the next: crl_diff.py OLD NEW

The output is one line for each entry that was added (`+`), removed (`-`) or changed (`~`). Entries are compared by
their encodings and found with an index of eight bytes per entry, so CRLs with hundreds of thousands of entries need
little memory. The exit status is 0 if nothing changed, 1 if something changed, and 2 if the CRLs cannot be compared or
read. CRLs can be compared if they have the same issuer and the same critical extensions: both are complete, both have
the same part of the certificates, or both are deltas to the same base. An indirect CRL cannot be compared, because one
serial number in it can mean certificates of several issuers.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from derlib import ASN1Error, UnrepresentableError, pem
from derlib.schemas.crl import CertificateList, IssuingDistributionPoint, RevokedCertificate


class Change(NamedTuple):
    """A serial number, with its entry in the old and in the new CRL."""

    serial_number: int
    before: RevokedCertificate | None
    after: RevokedCertificate | None

    def __str__(self) -> str:
        mark = "+" if self.before is None else "-" if self.after is None else "~"
        entries = " -> ".join(describe(entry) for entry in (self.before, self.after) if entry is not None)
        return f"{mark} {self.serial_number:x} {entries}"


def date_of(entry: RevokedCertificate) -> str:
    """Return the date of an entry; the text in the CRL if `datetime` cannot represent it, as in a leap second."""
    try:
        return f"{entry.revocation_date:%Y-%m-%d}"
    except UnrepresentableError:
        return bytes(entry.raw("revocation_date") or b"").decode()


def describe(entry: RevokedCertificate) -> str:
    """Return the date and the reason of an entry."""
    return date_of(entry) + (f" {entry.reason}" if entry.reason else "")


def differences(old: CertificateList, new: CertificateList) -> Iterator[Change]:
    """Yield added and changed entries in the order of the new CRL, then removed entries."""
    for entry in new.revoked_certificates:
        serial_number = entry.serial_number
        if entry == new.find(serial_number):  # the first entry with the number: some CRLs have several
            before, after = old.find_all(serial_number), new.find_all(serial_number)
            removed = [each for each in before if each not in after]
            added = [each for each in after if each not in before]
            for pair in zip_longest(removed, added):
                yield Change(serial_number, *pair)
    for entry in old.revoked_certificates:
        if new.find(entry.serial_number) is None:
            yield Change(entry.serial_number, entry, None)


def obstacle(old: CertificateList, new: CertificateList) -> str:
    """Return why the CRLs cannot be compared; an empty text if they can."""
    # The names of an issuer can differ in case and string types (RFC 5280 section 7.1).
    if not old.issuer.matches(new.issuer):
        return f"{old.issuer.display()} is not {new.issuer.display()}"
    scopes = [{each.encode() for each in crl.extensions or () if each.critical} for crl in (old, new)]
    if scopes[0] != scopes[1]:
        return "the CRLs have different critical extensions, so they list different certificates"
    scope = new.get(IssuingDistributionPoint)
    return "the CRLs are indirect" if scope is not None and scope.indirect_crl else ""


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
    if problem := obstacle(old, new):
        print(problem, file=sys.stderr)
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

"""Are these certificates revoked? Ask a folder of CRLs: check_revocation.py FOLDER --issuer ca.pem CERTIFICATE...

A CRL counts when its issuer signed it, it is not out of date, and it is a whole one. Verifying is dear (the whole list
is hashed, and cryptography reads it once more), so a cache keeps each verdict, signed with the secret in
DERLIB_CACHE_SECRET; without a secret there is no cache. Prints a line for each certificate. Status: 0 all good, 1 one
is revoked, 2 one is unknown, or what is needed to tell cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

from cryptography import x509

from derlib import ASN1Error, pem
from derlib.cache import Cache, DirectoryStore
from derlib.schemas.crl import CertificateList, CRLReason
from derlib.schemas.x509 import Certificate, Name

Answer = Literal["good", "revoked", "unknown"]


class Checker:
    """The current, verified CRLs of a folder, by issuer."""

    def __init__(self, folder: Path, issuers: list[bytes], now: datetime, cache: Cache | None = None) -> None:
        self.cache = cache
        self.now = now
        self.issuers = {Certificate.decode(each).tbs_certificate.subject: each for each in issuers}
        self.lists: dict[Name, list[CertificateList]] = {}
        for crl in self.readable(folder):
            if self.is_whole(crl) and self.is_current(crl) and self.is_genuine(crl):
                self.lists.setdefault(crl.tbs_cert_list.issuer, []).append(crl)

    def readable(self, folder: Path) -> Iterator[CertificateList]:
        """Every CRL of the folder; what is none is named and passed over."""
        for path in sorted(folder.iterdir()):
            try:
                yield from map(CertificateList.decode, pem.der_of(path.read_bytes(), "X509 CRL"))
            except (ASN1Error, OSError) as error:
                print(f"{path.name}: {error}", file=sys.stderr)

    def is_whole(self, crl: CertificateList) -> bool:
        """Whether who is not on the list is not revoked. Deltas and parts have a critical extension that says so.

        RFC 5280 section 5.2: a list with a critical extension that one does not process is not to be used.
        """
        return not any(extension.critical for extension in crl.tbs_cert_list.crl_extensions or ())

    def is_current(self, crl: CertificateList) -> bool:
        """Whether the list speaks of the present."""
        tbs = crl.tbs_cert_list
        return tbs.this_update <= self.now and tbs.next_update is not None and self.now < tbs.next_update

    def is_genuine(self, crl: CertificateList) -> bool:
        """Whether an issuer that we know signed the list: from the cache, or by verifying."""
        issuer = self.issuers.get(crl.tbs_cert_list.issuer)
        if issuer is None:
            return False

        def verified(crl: CertificateList) -> bool:
            key = x509.load_der_x509_certificate(issuer).public_key()
            # cryptography has a type for the keys that sign certificates, and wants it here.
            return x509.load_der_x509_crl(crl.encode()).is_signature_valid(key)  # type: ignore[arg-type]

        if self.cache is None:
            return verified(crl)
        # The verdict depends on the issuer's key as well, so the name says who it was.
        name = "signed by " + hashlib.sha256(issuer).hexdigest()
        return bool(self.cache.derive(CertificateList, crl.encode(), verified, name=name))

    def answer(self, certificate: Certificate) -> tuple[Answer, str]:
        """Whether a certificate is revoked, and what more there is to say."""
        tbs = certificate.tbs_certificate
        lists = self.lists.get(tbs.issuer)
        if not lists:
            return "unknown", f"no current CRL of {tbs.issuer}"
        for crl in lists:
            entry = crl.find(tbs.serial_number)
            if entry is not None:
                extensions = entry.crl_entry_extensions
                reason = extensions.get(CRLReason) if extensions is not None else None
                told = reason.name if reason is not None else "no reason given"
                return "revoked", f"{entry.revocation_date:%Y-%m-%d}, {told}"
        return "good", f"as of {max(crl.tbs_cert_list.this_update for crl in lists):%Y-%m-%d}"


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Are these certificates revoked?")
    parser.add_argument("folder", type=Path, help="CRLs, in DER or PEM")
    parser.add_argument("certificates", type=Path, nargs="+", help="in DER or PEM")
    parser.add_argument("--issuer", type=Path, action="append", default=[], help="certificate that signs CRLs")
    parser.add_argument("--cache", type=Path, help="folder that keeps verdicts")
    chosen = parser.parse_args(arguments)

    secret = os.environ.get("DERLIB_CACHE_SECRET")
    try:
        cache = Cache(DirectoryStore(chosen.cache), secret) if chosen.cache and secret else None
        issuers = [each for path in chosen.issuer for each in pem.der_of(path.read_bytes(), "CERTIFICATE")]
        checker = Checker(chosen.folder, issuers, datetime.now(timezone.utc), cache)
    except (OSError, ValueError) as error:  # uncaught, the status would be 1, and say "revoked"
        parser.error(str(error))
    seen: set[Answer] = set()
    for path in chosen.certificates:
        try:
            for certificate in map(Certificate.decode, pem.der_of(path.read_bytes(), "CERTIFICATE")):
                answer, more = checker.answer(certificate)
                seen.add(answer)
                print(f"{answer:8} {certificate.tbs_certificate.subject} ({more})")
        except (ASN1Error, OSError) as error:
            seen.add("unknown")
            print(f"{path.name}: {error}", file=sys.stderr)
    return 1 if "revoked" in seen else 2 if "unknown" in seen else 0


if __name__ == "__main__":
    sys.exit(main())

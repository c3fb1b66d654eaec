"""Check certificates against a folder of CRLs: check_revocation.py FOLDER --issuer ca.pem CERTIFICATE...

The program uses a CRL only if its issuer signed it, it is current, and it is complete; it prints why it does not use
another. An issuer can have several certificates, for example with an old and a new key. Verifying a signature is slow,
because the whole CRL is hashed, and cryptography decodes it again. Therefore a cache stores each result, signed with
the secret in DERLIB_CACHE_SECRET. Without a secret there is no cache.

The output is one line for each certificate. The exit status is 0 if all are good, 1 if one is revoked, and 2 if the
status of one is unknown or a required file cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sys
from collections.abc import Hashable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

from cryptography import x509

from derlib import ASN1Error, pem
from derlib.cache import Cache, DirectoryStore
from derlib.schemas.crl import CertificateList, CRLReason
from derlib.schemas.x509 import Certificate

Answer = Literal["good", "revoked", "unknown"]


class Checker:
    """The current CRLs of a folder with a valid signature, by issuer."""

    def __init__(self, folder: Path, issuers: list[bytes], now: datetime, cache: Cache | None = None) -> None:
        self.cache = cache
        self.now = now
        # The names in a CRL and in the certificate of its issuer can differ in case and string types.
        self.issuers: dict[Hashable, list[bytes]] = {}
        for each in issuers:
            self.issuers.setdefault(Certificate.decode(each).subject.comparison_key, []).append(each)
        self.lists: dict[Hashable, list[CertificateList]] = {}
        for path, crl in readable(folder):
            if flaw := self.flaw(crl):
                print(f"{path.name}: the CRL of {crl.issuer.display()} is not used: {flaw}", file=sys.stderr)
            else:
                self.lists.setdefault(crl.issuer.comparison_key, []).append(crl)

    def flaw(self, crl: CertificateList) -> str:
        """Return why the CRL cannot be used; an empty text if it can."""
        if not self.is_complete(crl):
            return "it has a critical extension"
        if not self.is_current(crl):
            return "it is not current"
        return "" if self.is_signed(crl) else "no known issuer signed it"

    def is_complete(self, crl: CertificateList) -> bool:
        """Return whether the CRL is complete: a certificate that is not on it is not revoked.

        Delta CRLs and partial CRLs have a critical extension. This program processes no critical extension, so it
        must not use such a CRL (RFC 5280 section 5.2).
        """
        return not any(extension.critical for extension in crl.tbs_cert_list.crl_extensions or ())

    def is_current(self, crl: CertificateList) -> bool:
        """Return whether the current time is within the validity period of the CRL."""
        tbs = crl.tbs_cert_list
        return tbs.this_update <= self.now and tbs.next_update is not None and self.now < tbs.next_update

    def is_signed(self, crl: CertificateList) -> bool:
        """Return whether a known issuer signed the CRL."""
        return any(self.is_signed_by(issuer, crl) for issuer in self.issuers.get(crl.issuer.comparison_key, ()))

    def is_signed_by(self, issuer: bytes, crl: CertificateList) -> bool:
        """Return whether the key of a certificate signed the CRL. The cache stores the result."""

        def verified(crl: CertificateList) -> bool:
            key = x509.load_der_x509_certificate(issuer).public_key()
            # cryptography declares a narrower type for keys that sign certificates.
            return x509.load_der_x509_crl(crl.encode()).is_signature_valid(key)  # type: ignore[arg-type]

        if self.cache is None:
            return verified(crl)
        # The result depends on the key of the issuer, too, so the issuer is part of the name.
        name = "signed by " + hashlib.sha256(issuer).hexdigest()
        return bool(self.cache.derive(CertificateList, crl.encode(), verified, name=name))

    def answer(self, certificate: Certificate) -> tuple[Answer, str]:
        """Return the status of a certificate and an explanation."""
        tbs = certificate.tbs_certificate
        lists = self.lists.get(tbs.issuer.comparison_key)
        if not lists:
            return "unknown", f"no current CRL of {tbs.issuer.display()}"
        for crl in lists:
            entry = crl.find(tbs.serial_number)
            if entry is not None:
                extensions = entry.crl_entry_extensions
                reason = extensions.get(CRLReason) if extensions is not None else None
                reason_name = reason.name if reason is not None else "no reason given"
                return "revoked", f"{entry.revocation_date:%Y-%m-%d}, {reason_name}"
        return "good", f"as of {max(crl.tbs_cert_list.this_update for crl in lists):%Y-%m-%d}"


def readable(folder: Path) -> Iterator[tuple[Path, CertificateList]]:
    """Yield every CRL of the folder. Print an error for any other file and skip it."""
    for path in sorted(folder.iterdir()):
        try:
            for der in pem.der_of(path.read_bytes(), "X509 CRL"):
                yield path, CertificateList.decode(der)
        except (ASN1Error, OSError) as error:
            print(f"{path.name}: {error}", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(description="Check certificates against a folder of CRLs.")
    parser.add_argument("folder", type=Path, help="folder of CRLs in DER or PEM")
    parser.add_argument("certificates", type=Path, nargs="+", help="certificates to check, in DER or PEM")
    parser.add_argument("--issuer", type=Path, action="append", default=[], help="certificate of a CRL issuer")
    parser.add_argument("--cache", type=Path, help="folder of the cache")
    chosen = parser.parse_args(arguments)

    secret = os.environ.get("DERLIB_CACHE_SECRET")
    try:
        cache = Cache(DirectoryStore(chosen.cache), secret) if chosen.cache and secret else None
        issuers = [each for path in chosen.issuer for each in pem.der_of(path.read_bytes(), "CERTIFICATE")]
        checker = Checker(chosen.folder, issuers, datetime.now(timezone.utc), cache)
    except (OSError, ValueError) as error:  # an uncaught exception would exit with status 1, which means "revoked"
        parser.error(str(error))
    seen: set[Answer] = set()
    for path in chosen.certificates:
        try:
            for certificate in map(Certificate.decode, pem.der_of(path.read_bytes(), "CERTIFICATE")):
                answer, explanation = checker.answer(certificate)
                seen.add(answer)
                print(f"{answer:8} {certificate.subject.display()} ({explanation})")
        except (ASN1Error, OSError) as error:
            seen.add("unknown")
            print(f"{path.name}: {error}", file=sys.stderr)
    return 1 if "revoked" in seen else 2 if "unknown" in seen else 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # a reader such as `head` can close the pipe
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())

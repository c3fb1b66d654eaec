"""Check certificates against a folder of CRLs: check_revocation.py FOLDER --issuer ca.pem CERTIFICATE...

The program uses a CRL only if its issuer signed it, it is current, and it is complete; it prints why it does not use
another. An issuer can have several certificates, for example with an old and a new key. Of the CRLs with one key, only
the newest counts. Some CAs publish a CRL for each of their keys: so a certificate is good only if a CRL with the key
that signed it does not list it, and revoked if a CRL with any key of the issuer lists it.

The program checks nothing else: neither the signature of a certificate, nor its validity period, nor its chain. A CA
can remove expired certificates from its CRL, so "good" says nothing about them.

Verifying a signature is slow, because the whole CRL is hashed, and cryptography decodes it again. Therefore a cache
stores each result, signed with the secret in DERLIB_CACHE_SECRET. Without a secret, nothing is cached.

The output is one line for each certificate. The exit status is 0 if all are good, 1 if one is revoked, and 2 if the
status of one is unknown or a required file cannot be read.
"""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Hashable, Iterator
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path
from typing import Literal

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm

from derlib import ASN1Error, UnrepresentableError, pem
from derlib.cache import Cache, DirectoryStore
from derlib.schemas.crl import (
    CertificateList,
    RevokedCertificate,
    id_ce_delta_crl_indicator,
    id_ce_issuing_distribution_point,
)
from derlib.schemas.x509 import Certificate

Answer = Literal["good", "revoked", "unknown"]


class Checker:
    """The current CRLs of a folder with a valid signature, by issuer."""

    def __init__(self, folder: Path, issuers: list[bytes], now: datetime, cache: Cache | None = None) -> None:
        self.cache = cache
        self.now = now
        # The names in a CRL and in the certificate of its issuer can differ in case and string types.
        self.issuers: dict[Hashable, list[Certificate]] = {}
        for each in map(Certificate.decode, issuers):
            self.issuers.setdefault(each.subject.comparison_key, []).append(each)
        #: The newest CRL of each key of an issuer.
        self.lists: dict[Hashable, dict[bytes, CertificateList]] = {}
        for path, crl in readable(folder):
            flaw = self.flaw(crl)
            signer = None if flaw else self.signer(crl)
            if signer is None:
                flaw = flaw or "no known issuer signed it"
                print(f"{path.name}: the CRL of {crl.issuer.display()} is not used: {flaw}", file=sys.stderr)
                continue
            lists = self.lists.setdefault(crl.issuer.comparison_key, {})
            key = signer.public_key.encode()
            lists[key] = max(lists.get(key, crl), crl, key=lambda crl: (crl.this_update, crl.number or 0))

    def flaw(self, crl: CertificateList) -> str:
        """Return why the CRL cannot be used, whoever signed it; an empty text if it can."""
        if not self.is_current(crl):
            return "it is not current"
        return "" if self.is_complete(crl) else "it is partial, or has a critical extension"

    def is_complete(self, crl: CertificateList) -> bool:
        """Return whether the CRL is complete: a certificate that is not on it is not revoked.

        Delta CRLs and partial CRLs have a critical extension, and so have entries of other issuers. This program
        processes no critical extension, so it must not use such a CRL (RFC 5280 sections 5.2 and 5.3).
        """
        for partial in (id_ce_issuing_distribution_point, id_ce_delta_crl_indicator):
            if crl.get_extension(partial) is not None:
                return False  # must be critical, but is not always
        lists = chain([crl.extensions], (entry.extensions for entry in crl.revoked_certificates))
        return not any(extension.critical for extensions in lists for extension in extensions or ())

    def is_current(self, crl: CertificateList) -> bool:
        """Return whether the current time is within the validity period of the CRL."""
        try:
            return crl.this_update <= self.now and crl.next_update is not None and self.now < crl.next_update
        except UnrepresentableError:  # year 0, or a leap second
            return False

    def signer(self, crl: CertificateList) -> Certificate | None:
        """Return a certificate of the issuer whose key signed the CRL, or None."""
        for issuer in self.issuers.get(crl.issuer.comparison_key, ()):
            usage = issuer.key_usage
            if (usage is None or usage.crl_sign) and self.is_signed_by(issuer, crl):
                return issuer
        return None

    def is_signed_by(self, issuer: Certificate, crl: CertificateList) -> bool:
        """Return whether the key of a certificate signed the CRL. The cache stores the result."""

        def verified(crl: CertificateList) -> bool:
            key = x509.load_der_x509_certificate(issuer.encode()).public_key()
            # cryptography declares a narrower type for keys that sign certificates.
            return x509.load_der_x509_crl(crl.encode()).is_signature_valid(key)  # type: ignore[arg-type]

        # The result depends on the key of the issuer, too, so the issuer is part of the name.
        name = "signed by " + issuer.fingerprint("sha256").hex()
        try:
            if self.cache is None:
                return verified(crl)
            return bool(self.cache.derive(CertificateList, crl.encode(), verified, name=name))
        except (ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion):
            # cryptography cannot use the key or the CRL. A later version might, so this is not cached.
            return False

    def answer(self, certificate: Certificate) -> tuple[Answer, str]:
        """Return the status of a certificate and an explanation."""
        lists = self.lists.get(certificate.issuer.comparison_key, {}).values()
        if not lists:
            return "unknown", f"no current CRL of {certificate.issuer.display()}"
        for crl in lists:
            entry = crl.find(certificate.serial_number)
            if entry is not None:
                return "revoked", f"{date_of(entry)}, {entry.reason or 'no reason given'}"
        key = certificate.authority_key_identifier
        same = [crl.this_update for crl in lists if key is None or crl.authority_key_identifier in (None, key)]
        if not same:
            return "unknown", "the current CRLs are of other keys of the issuer"
        return "good", f"as of {max(same):%Y-%m-%d}"


def date_of(entry: RevokedCertificate) -> str:
    """Return the date of an entry; the text in the CRL if `datetime` cannot represent it, as in a leap second."""
    try:
        return f"{entry.revocation_date:%Y-%m-%d}"
    except UnrepresentableError:
        return bytes(entry.raw("revocation_date") or b"").decode()


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
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show must not be an error

    secret = os.environ.get("DERLIB_CACHE_SECRET")
    try:
        cache = Cache(DirectoryStore(chosen.cache), secret) if chosen.cache and secret else None
        issuers = [each for path in chosen.issuer for each in pem.der_of(path.read_bytes(), "CERTIFICATE")]
        checker = Checker(chosen.folder, issuers, datetime.now(timezone.utc), cache)
    except (ImportError, OSError, ValueError) as error:
        # An uncaught exception would exit with status 1, which means "revoked".
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

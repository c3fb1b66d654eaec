"""Create the CRLs of the benchmark with cryptography, once, as files under build/bench/.

They are similar to CAcert's CRL: version 2, 415,756 entries of a serial number and a UTCTime, 8.72 MiB. In a second
one, half of the entries have a reason code. Called by the families and bench/demo.py, and by hand: `python -m
bench.make_crl [--entries N] [--reasons]`.

Serial numbers are in random order and a few in a thousand are shorter than the rest, so that the entries differ in
length.
"""

import argparse
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from bench.paths import BUILD, display, write

CACERT_ENTRIES = 415_756
SEED = 20261101
FIRST_DATE = datetime(2003, 1, 1, tzinfo=timezone.utc)
LAST_DATE = datetime(2026, 11, 1, tzinfo=timezone.utc)
REASONS = (
    x509.ReasonFlags.key_compromise,
    x509.ReasonFlags.affiliation_changed,
    x509.ReasonFlags.superseded,
    x509.ReasonFlags.cessation_of_operation,
    x509.ReasonFlags.privilege_withdrawn,
)


def entries(count: int, with_reasons: bool) -> list[x509.RevokedCertificate]:
    """Return different entries, the same ones for the same arguments."""
    random = Random(SEED)
    serials = random.sample(range(1, 0x800000), count)
    explained = set(random.sample(range(count), count // 2 if with_reasons else 0))
    seconds = int((LAST_DATE - FIRST_DATE).total_seconds())
    made = []
    for index, serial in enumerate(serials):
        builder = x509.RevokedCertificateBuilder(serial, FIRST_DATE + timedelta(seconds=random.randrange(seconds)))
        if index in explained:
            builder = builder.add_extension(x509.CRLReason(random.choice(REASONS)), critical=False)
        made.append(builder.build())
    return made


def build(count: int, with_reasons: bool) -> bytes:
    """Return a signed CRL; only its signature differs from one call to the next."""
    issuer = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "The derlib authors"),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "Benchmark"),
            x509.NameAttribute(NameOID.COMMON_NAME, "A CRL of the shape of CAcert's"),
        ]
    )
    # Pass the whole list in one call: add_revoked_certificate copies it for every entry.
    builder = x509.CertificateRevocationListBuilder(
        issuer_name=issuer,
        last_update=LAST_DATE,
        next_update=LAST_DATE + timedelta(days=30),
        revoked_certificates=entries(count, with_reasons),
    )
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return builder.sign(key, SHA256()).public_bytes(Encoding.DER)


def crl_file(count: int = CACERT_ENTRIES, *, with_reasons: bool = False, folder: Path = BUILD) -> Path:
    """Return the file of a CRL, and create it if it does not exist."""
    kind = "reasons" if with_reasons else "plain"
    path = folder / f"{kind}-{count}-{SEED}.crl"
    if not path.exists():
        write(path, build(count, with_reasons))
    return path


def main() -> None:
    """Create a CRL and print its path."""
    parser = argparse.ArgumentParser(description="create a CRL similar to CAcert's CRL")
    parser.add_argument("--entries", type=int, default=CACERT_ENTRIES)
    parser.add_argument("--reasons", action="store_true", help="half of the entries get a reason code")
    options = parser.parse_args()
    path = crl_file(options.entries, with_reasons=options.reasons)
    print(f"{display(path)}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

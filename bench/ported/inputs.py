"""The programs of this folder and their inputs, which are made with cryptography."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from bench.paths import ROOT
from derlib import pem

ISSUED = datetime(2026, 11, 1, tzinfo=timezone.utc)
AAGUID = "cb69481e8ff7403993ec0a2729a154a8"
DAY = timedelta(days=1)
REASONS = (
    x509.ReasonFlags.key_compromise,
    x509.ReasonFlags.superseded,
    x509.ReasonFlags.cessation_of_operation,
    x509.ReasonFlags.certificate_hold,
)


def crl(count: int) -> bytes:
    """Return a CRL of random entries, half of them with a reason; about 1 % break a rule of `crl_lint.py`."""
    random = Random(count)
    builder = x509.CertificateRevocationListBuilder(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Example CA")]), ISSUED, ISSUED + 7 * DAY
    ).add_extension(x509.CRLNumber(7), critical=False)
    entries = []
    for number in range(count):
        serial = random.getrandbits(127) + 1
        date = ISSUED - random.randrange(1, 10_000_000) * timedelta(seconds=1)
        if number % 300 == 1:
            date = ISSUED + DAY
        entry = x509.RevokedCertificateBuilder(serial, date)
        if number % 2:
            reason = REASONS[3] if number % 301 == 0 else REASONS[number % 3]
            entry = entry.add_extension(x509.CRLReason(reason), critical=number % 701 == 0)
        entries.append(entry.build())
        if number % 907 == 5:
            entries.append(entries[-1])
    # `add_revoked_certificate` copies the list each time.
    builder = x509.CertificateRevocationListBuilder(
        builder._issuer_name, builder._last_update, builder._next_update, builder._extensions, entries
    )
    return builder.sign(Ed25519PrivateKey.generate(), None).public_bytes(Encoding.DER)


def attestation(count: int) -> bytes:
    """Return certificates of authenticators as PEM; one of seven has a wrong unit, one of eleven a wrong model."""
    key = Ed25519PrivateKey.generate()
    made = []
    for number in range(count):
        unit = "Devices" if number % 7 == 6 else "Authenticator Attestation"
        model = bytes(16) if number % 11 == 10 else bytes.fromhex(AAGUID)
        texts = {
            NameOID.COUNTRY_NAME: "SE",
            NameOID.ORGANIZATION_NAME: "Example Vendor",
            NameOID.ORGANIZATIONAL_UNIT_NAME: unit,
            NameOID.COMMON_NAME: f"Example Authenticator {number}",
        }
        name = x509.Name([x509.NameAttribute(*each) for each in texts.items()])
        builder = x509.CertificateBuilder(
            issuer_name=name,
            subject_name=name,
            public_key=key.public_key(),
            serial_number=number + 1,
            not_valid_before=ISSUED,
            not_valid_after=ISSUED + 7 * DAY,
        )
        extension = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.45724.1.1.4"), b"\x04\x10" + model)
        builder = builder.add_extension(extension, critical=False)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        made.append(builder.sign(key, None).public_bytes(Encoding.PEM))
    return b"".join(made)


def endorsement(count: int) -> bytes:
    """Return PEM with the endorsement certificates of two makers, again and again."""
    text = (ROOT / "tests" / "schemas" / "attestation_certificates.txt").read_text(encoding="utf-8")
    known = dict(line.split() for line in text.splitlines() if not line.startswith("#"))
    ders = [b64decode(known[name]) for name in ("ek_intel", "ek_st")]
    return "".join(pem.encode(ders[number % 2], "CERTIFICATE") for number in range(count)).encode()


@dataclass(frozen=True)
class Program:
    """A program: its file in examples/ and in before/, what it does, the library before, and its input."""

    name: str
    title: str
    peer: str
    make: Callable[[int], bytes]
    count: int
    options: tuple[str, ...] = ()


PROGRAMS = (
    Program("crl_to_json", "write a CRL of 100,000 entries as JSON", "asn1crypto", crl, 100_000),
    Program("crl_lint", "check 100,000 entries of a CRL for faults", "cryptography", crl, 100_000),
    Program("webauthn", "check 2,000 certificates of authenticators", "cryptography", attestation, 2000, (AAGUID,)),
    Program("endorsement", "check 2,000 endorsement certificates of TPMs", "asn1crypto", endorsement, 2000),
)

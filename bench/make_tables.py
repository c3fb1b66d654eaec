"""Create Parquet tables of certificates and of CRLs for the clusters, once, under build/bench/.

The certificates are similar to those of web servers: 7 in 10 have an RSA key of 2048 bits, the others one of P-256.
Each has its own serial number, times, name and key; the keys and signatures are random bytes. 4 in 100 are not DER: a
BOOLEAN TRUE is 01. Called by bench/clusters.py, by the tests of the clusters, and by the family `columns`, which needs
certificates that every library accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pyarrow as pa
from pyarrow import parquet

from bench.der import COMMON_NAME, tlv

SEED = 20261125
SHA256_WITH_RSA = tlv(0x30, tlv(0x06, bytes.fromhex("2a864886f70d01010b")), tlv(0x05))
RSA = tlv(0x30, tlv(0x06, bytes.fromhex("2a864886f70d010101")), tlv(0x05))
P256 = tlv(0x30, tlv(0x06, bytes.fromhex("2a8648ce3d0201")), tlv(0x06, bytes.fromhex("2a8648ce3d030107")))
# The base point of P-256 (SEC 2, 2.4.2): libraries check that a point is on its curve.
BASE_POINT = bytes.fromhex(
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
ENTRIES = 2000


def attribute(oid: bytes, text: str) -> bytes:
    """Return a RelativeDistinguishedName of one attribute."""
    return tlv(0x31, tlv(0x30, tlv(0x06, oid), tlv(0x0C, text.encode())))


def extension(oid: str, value: bytes, critical: bytes = b"") -> bytes:
    """Return an Extension; `critical` is the encoding of a BOOLEAN, or empty."""
    return tlv(0x30, tlv(0x06, bytes.fromhex(oid)), critical, tlv(0x04, value))


def timestamp(random: Random) -> bytes:
    """Return a SignedCertificateTimestamp with its length (RFC 6962 3.2): SHA-256 with ECDSA, 71 bytes of signature."""
    milliseconds = random.randrange(1_600_000_000_000, 1_800_000_000_000).to_bytes(8, "big")
    return b"\0\x76\0" + random.randbytes(32) + milliseconds + b"\0\0\4\3\0\x47" + random.randbytes(71)


ISSUER = tlv(
    0x30,
    attribute(bytes.fromhex("550406"), "GB"),
    attribute(bytes.fromhex("55040a"), "The derlib authors"),
    attribute(COMMON_NAME, "Issuing CA 4"),
)


def valid_certificate(random: Random) -> bytes:
    """Return a certificate that is DER, and whose key libraries accept."""
    return certificate(random, valid=True)


def certificate(random: Random, *, valid: bool = False) -> bytes:
    """Return one certificate."""
    if random.random() < 0.7:
        # A modulus is odd.
        octets = b"\0\xc0" + random.randbytes(254) + b"\1"
        key = tlv(0x30, RSA, tlv(0x03, b"\0", tlv(0x30, tlv(0x02, octets), tlv(0x02, b"\1\0\1"))))
    else:
        key = tlv(0x30, P256, tlv(0x03, b"\0\4", BASE_POINT if valid else random.randbytes(64)))
    host = f"host{random.randrange(10**9):09}.example.org"
    year, day = random.randrange(20, 27), random.randrange(1, 28)
    times = [tlv(0x17, b"%02d%02d%02d120000Z" % (one, random.randrange(1, 13), day)) for one in (year, year + 1)]
    true = b"\x01\x01\x01" if not valid and random.random() < 0.04 else b"\x01\x01\xff"
    names = [tlv(0x82, name.encode()) for name in (host, f"www.{host}")[: random.randrange(1, 3)]]
    ocsp = tlv(0x30, tlv(0x06, bytes.fromhex("2b06010505073001")), tlv(0x86, b"http://ocsp.example.org"))
    issuers = tlv(0x30, tlv(0x06, bytes.fromhex("2b06010505073002")), tlv(0x86, b"http://ca.example.org/ca4.cer"))
    crl = tlv(0x30, tlv(0xA0, tlv(0xA0, tlv(0x86, b"http://crl.example.org/ca4.crl"))))
    purposes = [tlv(0x06, bytes.fromhex("2b060105050703" + last)) for last in ("01", "02")]
    extensions = tlv(
        0x30,
        extension("551d0f", tlv(0x03, b"\x05\xa0"), true),
        extension("551d25", tlv(0x30, *purposes)),
        extension("551d13", tlv(0x30), true),
        extension("551d0e", tlv(0x04, random.randbytes(20))),
        extension("551d23", tlv(0x30, tlv(0x80, bytes(range(20))))),
        extension("2b06010505070101", tlv(0x30, ocsp, issuers)),
        extension("551d11", tlv(0x30, *names)),
        extension("551d20", tlv(0x30, tlv(0x30, tlv(0x06, bytes.fromhex("67810c010201"))))),
        extension("551d1f", tlv(0x30, crl)),
        extension("2b06010401d679020402", tlv(0x04, b"\0\xf0", timestamp(random), timestamp(random))),
    )
    signed = tlv(
        0x30,
        tlv(0xA0, tlv(0x02, b"\2")),
        tlv(0x02, b"\3" + random.randbytes(15)),
        SHA256_WITH_RSA,
        ISSUER,
        tlv(0x30, *times),
        tlv(0x30, attribute(COMMON_NAME, host)),
        key,
        tlv(0xA3, extensions),
    )
    return tlv(0x30, signed, SHA256_WITH_RSA, tlv(0x03, b"\0", random.randbytes(256)))


def crl(random: Random) -> bytes:
    """Return one CRL; half of its entries have a reason."""
    entries = []
    for _ in range(ENTRIES):
        date = tlv(0x17, b"%02d%02d%02d120000Z" % tuple(random.randrange(1, most) for most in (27, 13, 29)))
        reason = tlv(0x30, extension("551d15", tlv(0x0A, bytes([random.choice((1, 3, 4, 5))]))))
        serial = tlv(0x02, b"\3" + random.randbytes(15))
        entries.append(tlv(0x30, serial, date, reason if random.random() < 0.5 else b""))
    number = tlv(0xA0, tlv(0x30, extension("551d14", tlv(0x02, b"\x10" + random.randbytes(1)))))
    times = tlv(0x17, b"261101000000Z"), tlv(0x17, b"261201000000Z")
    signed = tlv(0x30, tlv(0x02, b"\1"), SHA256_WITH_RSA, ISSUER, *times, tlv(0x30, *entries), number)
    return tlv(0x30, signed, SHA256_WITH_RSA, tlv(0x03, b"\0", random.randbytes(256)))


def write_tables(folder: Path, make: Callable[[Random], bytes], count: int, rows: int) -> Path:
    """Write `count` encodings with their numbers to files of `rows` each, if the folder does not exist."""
    if folder.exists():
        return folder
    part = folder.with_name(f"{folder.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    random = Random(SEED)
    for number, first in enumerate(range(0, count, rows)):
        ids = range(first, min(first + rows, count))
        table = pa.table({"id": pa.array(ids, pa.int64()), "der": pa.array([make(random) for _ in ids], pa.binary())})
        # Keys and signatures are random, so a dictionary only costs time.
        parquet.write_table(table, part / f"{number:04}.parquet", row_group_size=10_000, use_dictionary=False)
    part.rename(folder)
    return folder


def batches(folder: Path) -> Iterator[pa.RecordBatch]:
    """Yield the batches of all files, in the order of the numbers."""
    for path in sorted(folder.glob("*.parquet")):
        with parquet.ParquetFile(path) as file:
            yield from file.iter_batches(10_000)

"""The corpus: every certificate and CRL in the test dependencies and the shared data.

Called by the tests of this folder. One `Item` is one structure with its name in the table of disagreements. PEM is
decoded here with the standard library alone, so that a fault of `derlib.pem` cannot hide a file from the comparison.
Equal items of a source are one item.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.examples import all_or_some

import derlib
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"

PEM_LABELS = ("CERTIFICATE", "X509 CERTIFICATE", "X509 CRL")

# Only these labels; "TRUSTED CERTIFICATE" and requests are other structures.
_PEM = re.compile(rb"-----BEGIN ((?:X509 )?CERTIFICATE|X509 CRL)-----(.+?)-----END \1-----", re.DOTALL)

# Files whose folder or name suggests a certificate or CRL, and what they are instead.
NOT_OURS = {
    "vectors/pkcs7/amazon-roots.der": "a SignedData",
    "vectors/pkcs7/authenticode.der": "a SignedData",
    "vectors/pkcs7/enveloped-no-content.der": "an EnvelopedData",
    "vectors/x509/cryptography-scts-tbs-precert.der": "a TBSCertificate",
}


class Item(NamedTuple):
    """One structure: its source, "certificate" or "crl", and its bytes."""

    name: str
    kind: str
    der: bytes


def _blocks(name: str, data: bytes) -> Iterator[Item]:
    found = list(_PEM.finditer(data))
    for number, block in enumerate(found):
        kind = "crl" if block[1].endswith(b"CRL") else "certificate"
        yield Item(f"{name}#{number}" if len(found) > 1 else name, kind, binascii.a2b_base64(block[2]))


def _pairs(name: str, data: bytes) -> Iterator[Item]:
    """The certificates of a CertificatePair (X.509): SEQUENCE { [0] Certificate, [1] Certificate }."""
    for tagged in derlib.parse(data).children:
        yield Item(f"{name}[{tagged.tag.number}]", "certificate", bytes(tagged.content))


def _in_folder(folder: Path, prefix: str) -> Iterator[Item]:
    for path in sorted(folder.rglob("*")):
        name = f"{prefix}/{path.relative_to(folder).as_posix()}"
        folders = path.relative_to(folder).parts[:-1]
        if not path.is_file() or {"requests", "ocsp", "csr"} & set(folders) or name in NOT_OURS:
            continue
        data = path.read_bytes()
        if path.suffix == ".cp":
            yield from _pairs(name, data)
        elif path.suffix == ".pem":
            yield from _blocks(name, data)
        elif path.suffix in (".crt", ".crl", ".der"):
            is_crl = "crl" in name.split("/") or path.suffix == ".crl" or path.name.startswith("crl_")
            yield Item(name, "crl" if is_crl else "certificate", data)


def pem_files(source: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and text of each file of "certifi" or "vectors" that has blocks of `PEM_LABELS`."""
    if source == "certifi":
        import certifi

        yield "certifi", Path(certifi.where()).read_bytes()
    else:
        import cryptography_vectors

        for path in sorted((Path(cryptography_vectors.__file__).parent / "x509").rglob("*.pem")):
            text = path.read_bytes()
            if _PEM.search(text):
                yield path.name, text


def _everything() -> Iterator[Item]:
    try:
        import certifi
    except ImportError:
        pass
    else:
        # Roots are added and removed with each edition, so a number would not name one for long.
        for item in _blocks("certifi", Path(certifi.where()).read_bytes()):
            yield item._replace(name=f"certifi/{hashlib.sha256(item.der).hexdigest()[:16]}")
    try:
        import cryptography_vectors
    except ImportError:
        pass
    else:
        folder = Path(cryptography_vectors.__file__).parent
        for part in ("pkcs7", "pkcs12", "x509"):
            yield from _in_folder(folder / part, f"vectors/{part}")
    for part in ("crl", "x509-parser"):
        yield from _in_folder(SHARED / part, f"shared/{part}")


@lru_cache(maxsize=1)
def corpus() -> tuple[Item, ...]:
    """Return every item once per source, in a constant order; the first name of equal items is used."""
    seen: dict[tuple[str, bytes], Item] = {}
    for item in _everything():
        seen.setdefault((item.name.partition("/")[0], item.der), item)
    return tuple(seen.values())


def schema_of(item: Item) -> type[Certificate] | type[CertificateList]:
    """Return the schema class that decodes the item."""
    return Certificate if item.kind == "certificate" else CertificateList


def accepted_files() -> Iterator[tuple[Item, Any]]:
    """Yield each item that decodes, with its value, except the large CRL, whose structures occur in the small ones."""
    found = False
    for item in all_or_some(corpus()):
        if len(item.der) > 2**20:
            continue
        try:
            value = schema_of(item).decode(item.der)
        except derlib.ASN1Error:
            continue
        found = True
        yield item, value
    if not found:
        pytest.skip("no corpus is here")

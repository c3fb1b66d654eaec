"""The types that type checkers infer in the cache: `make types` reads this file, nothing runs it."""

from __future__ import annotations

import shelve
from pathlib import Path
from typing import TYPE_CHECKING

from derlib.cache import Cache, DirectoryStore, fingerprint
from derlib.schemas.crl import CertificateList, RevokedCertificate

if TYPE_CHECKING:
    from typing_extensions import assert_type

    from derlib import Lookup


def check_stores(path: Path, shelf: shelve.Shelf[bytes]) -> None:
    Cache({})
    Cache(shelf, compress=6)
    Cache(DirectoryStore(path), b"secret of some length")
    Cache(DirectoryStore("path"), ["old secret of some length", b"new secret of some length"])
    Cache({"a": "text"})  # type: ignore[dict-item]


def by_serial(crl: CertificateList) -> Lookup[RevokedCertificate]:
    assert crl.tbs_cert_list.revoked_certificates is not None
    return crl.tbs_cert_list.revoked_certificates.index_by("user_certificate")


def check_values(cache: Cache, octets: bytes) -> None:
    assert_type(cache.decode(CertificateList, octets), CertificateList)
    assert_type(cache.decode(int, memoryview(octets)), int)
    assert_type(cache.key(CertificateList, octets), str)
    assert_type(cache.load(CertificateList, "key"), CertificateList | None)
    assert_type(cache.derive(CertificateList, octets, by_serial, name="by serial"), "Lookup[RevokedCertificate]")
    assert_type(fingerprint(CertificateList), str)

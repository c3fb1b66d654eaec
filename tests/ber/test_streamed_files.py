"""Large files in BER through `derlib.stream`: a CRL of indefinite lengths, and PKCS #12 files."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest

from derlib import ASN1Error, ber, stream
from derlib.schemas.crl import CertificateList
from derlib.schemas.pkcs12 import PFX, AuthenticatedSafe, SafeContents, id_data
from derlib.strategies import random_ber, to_cer

PKITS = Path(pytest.importorskip("cryptography_vectors").__file__).parent / "x509" / "PKITS_data"
ENTRIES = ("tbs_cert_list", "revoked_certificates")
COUNT = 20_000


@pytest.fixture(scope="module")
def crl() -> CertificateList:
    """Return a CRL with many entries."""
    value = CertificateList.decode((PKITS / "crls" / "GoodCACRL.crl").read_bytes())
    entries = [{"user_certificate": number, "revocation_date": "260102030405Z"} for number in range(COUNT)]
    return value.replace(tbs_cert_list=value.tbs_cert_list.replace(revoked_certificates=entries))


@pytest.mark.parametrize("size", [1000, 1 << 16, 1 << 24])
def test_the_entries_of_a_crl_of_indefinite_lengths(crl: CertificateList, size: int) -> None:
    octets = to_cer(CertificateList, crl.encode())
    assert ber.convert(octets, CertificateList).der == crl.encode()
    with stream.open(io.BytesIO(octets), CertificateList, "ber", buffer_size=size) as opened:
        assert opened["tbs_cert_list", "issuer"] == crl.tbs_cert_list.issuer
        entries = opened[ENTRIES]
        for number, entry in enumerate(entries):
            assert (entry.user_certificate, entry.revocation_date.year) == (number, 2026)
        assert number == COUNT - 1
        assert opened["signature_value"] == crl.signature_value
    assert opened.offset == len(octets)


@pytest.mark.parametrize("size", [1000, 1 << 24])
def test_damage_at_the_end_of_a_crl(crl: CertificateList, size: int) -> None:
    octets = to_cer(CertificateList, crl.encode())
    for damaged in (octets[:-2], octets[:-1], octets + b"\0"):
        read: list[Any] = []
        with pytest.raises(ASN1Error):
            read_entries(damaged, size, read)
        if size < len(octets):
            assert len(read) == COUNT


def read_entries(octets: bytes, size: int, read: list[Any]) -> None:
    """Add the entries of a CRL to a list."""
    with stream.open(octets, CertificateList, "ber", buffer_size=size) as opened:
        read += [entry.user_certificate for entry in opened[ENTRIES]]


def streamed_safe(octets: bytes, size: int) -> bytes:
    """Return the contents of the authenticated safe of a PFX."""
    target = io.BytesIO()
    with stream.open(io.BytesIO(octets), PFX, "ber", buffer_size=size) as opened:
        opened.copy_bytes(("auth_safe", "content"), target)
    return target.getvalue()


def streamed_bags(octets: bytes, size: int) -> list[Any]:
    """Return the bags of an authenticated safe, and its parts that are encrypted."""
    found: list[Any] = []
    with stream.open(octets, AuthenticatedSafe, "ber", buffer_size=size) as opened:
        for part in opened[()]:
            found += stream.open(part.content, SafeContents, "ber")[()] if part.content_type == id_data else [part]
    return found


def test_pkcs12_files_in_ber() -> None:
    files = sorted((PKITS / "pkcs12").glob("*.p12"))[::20]
    assert len(files) > 20
    for number, path in enumerate(files):
        octets = path.read_bytes()
        pfx = PFX.decode(octets)
        for variant in (random_ber(PFX, octets, Random(number)), to_cer(PFX, octets)):
            for size in (3000, 1 << 20):
                assert streamed_safe(variant, size) == pfx.auth_safe.content
        inner = pfx.auth_safe.content
        bags = streamed_bags(inner, 1 << 20)
        assert bags
        assert streamed_bags(random_ber(AuthenticatedSafe, inner, Random(number)), 1 << 20) == bags

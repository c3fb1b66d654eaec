"""What an error near the top of a type of files says the input looks like, from its first elements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib import pem
from derlib._document_types import DOCUMENT_TYPES
from derlib._outlines import _OUTLINES, looks_like, outline
from derlib.schemas import crl, csr, x509
from derlib.schemas.cms import ContentInfo, SignedData
from derlib.schemas.keys import PrivateKeyInfo
from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo

FILES = sorted((Path(__file__).parents[2] / "docs" / "examples").iterdir())
FIRST = 4096


def octets_of(name: str) -> bytes:
    data = next(file for file in FILES if file.name == name).read_bytes()
    return pem.der_of(data)[0]


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        ("", ""),
        ("30", ""),
        ("3000", "30"),
        ("3080 0500 0000", ""),
        ("3f8f7f 0500", ""),
        ("30 85 0000000000", ""),
        ("30 81 03 020105", "30(02)"),
        # Data that are not complete: the elements that begin.
        ("30 82 7fff 30 82 7ffe 02 01 05 30", "30(30(02"),
        # An element that ends after the one around it is the last.
        ("3003 0205 010203 0500", "30(02"),
        ("3008 3003 020105 0500 0500 0500", "30(30(02)0505"),
        ("300a 3008 3006 3004 02010505", "30(30(30))"),
        ("3000 3000", "30"),
        ("301e" + "0500" * 15, "30(05050505050505050505"),
    ],
)
def test_outlines(octets: str, expected: str) -> None:
    assert outline(bytes.fromhex(octets)) == expected


def test_each_outline_is_of_a_type() -> None:
    assert _OUTLINES.keys() <= {each.name for each in DOCUMENT_TYPES}


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_an_input_looks_like_the_type_that_identify_finds(file: Path) -> None:
    try:
        octets = pem.der_of(file.read_bytes())[0]
        found = derlib.identify(octets)
    except derlib.ASN1Error:
        found = None
    if found is None:
        return
    names = [each.name for each in DOCUMENT_TYPES if each.schema is found]
    # PKCS #7 objects are ContentInfo, too, BER has another hint, and a request without extensions looks like others.
    names += ["cms"] if "pkcs7" in names else []
    assert looks_like(octets[:FIRST]) in names or octets[1] == 0x80 or names == ["ocsp-request"]
    for end in range(len(octets[:FIRST])):
        assert looks_like(octets[:end]) in (*names, "")


@pytest.mark.parametrize(
    ("cls", "file", "hint"),
    [
        (Certificate, "revoke.pem", "the input looks like an X.509 CertificateList of derlib.schemas.crl"),
        (Certificate, "request.pem", "the input looks like a PKCS #10 CertificationRequest of derlib.schemas.csr"),
        (Certificate, "ann.p12", "the input looks like a PKCS #12 PFX of derlib.schemas.pkcs12"),
        (Certificate, "report.p7m", "the input looks like a CMS ContentInfo of derlib.schemas.cms"),
        (Certificate, "status.der", "the input looks like an OCSPResponse of derlib.schemas.ocsp"),
        (crl.CertificateList, "server.pem", "the input looks like an X.509 Certificate of derlib.schemas.x509"),
        (ContentInfo, "server.pem", "the input looks like an X.509 Certificate of derlib.schemas.x509"),
        (
            x509.TBSCertificate,
            "server.pem",
            "files contain it in a Certificate, and the input looks like an X.509 Certificate of derlib.schemas.x509",
        ),
        (
            SignedData,
            "report.p7m",
            "files contain it in a ContentInfo, and the input looks like a CMS ContentInfo of derlib.schemas.cms",
        ),
        (
            PrivateKeyInfo,
            "server.pem",
            "PrivateKeyInfo.read also reads keys that are not PKCS #8, and the input looks like an X.509 Certificate "
            "of derlib.schemas.x509",
        ),
        (csr.CertificationRequest, "prefixes.roa", "the input looks like a CMS ContentInfo of derlib.schemas.cms"),
        # An unknown type, and a class that is not that of a file.
        (Certificate, "item.der", "derlib.identify finds the type of the input"),
        (x509.Validity, "server.pem", None),
    ],
)
def test_the_hint_names_the_type_of_the_input(cls: Any, file: str, hint: str | None) -> None:
    octets = octets_of(file)
    for decode in (cls.decode, lambda data: derlib.decode(cls, data)):
        for data in (octets, bytearray(octets), memoryview(octets)):
            with pytest.raises(derlib.StructureError) as caught:
                decode(data)
            assert caught.value.hint == hint
            assert hint is None or f"; {hint} (X.690" in str(caught.value)


def test_a_damaged_object_is_not_said_to_look_like_its_own_type() -> None:
    octets = bytes.fromhex("3014 300d 06092a864886f70d0101010500 0403000500")
    assert looks_like(octets) == ""
    octets = bytes.fromhex("3016 300d 06092a864886f70d0101010500 0303000500 0500")
    assert looks_like(octets) == "public-key"
    with pytest.raises(derlib.DecodeError) as caught:
        SubjectPublicKeyInfo.decode(octets)
    assert caught.value.hint is None

"""BER that other software writes, converted to DER: streamed CMS objects of openssl, and PKCS #7 and PKCS #12 files.

openssl writes each object in DER, too: the conversion must give the same bytes, and signatures must still verify.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.openssl import CONTENT, ENCRYPTED, OTHER, SIGNED, OpenSSL

import derlib
from derlib import ber, pem
from derlib.schemas import cms
from derlib.schemas.cms import ContentInfo, SignerInfo
from derlib.schemas.pkcs12 import PFX, AuthenticatedSafe, SafeContents, id_data
from derlib.strategies import random_ber

# openssl 3.0 fails when it streams an object with RSASSA-PSS.
STREAMED_SIGNED = {name: arguments for name, arguments in SIGNED.items() if "RSASSA-PSS" not in name}
STREAMED = {**STREAMED_SIGNED, **ENCRYPTED, **OTHER}


def converted(octets: bytes, cls: Any) -> Any:
    """Convert BER, after checking that the result is DER and is converted to itself without a copy."""
    result = ber.convert(octets, cls)
    again = ber.convert(result.der, cls)
    assert again.der is result.der
    assert len(again.changes) == 0
    assert len(result.ambiguous) == 0
    value = cls.decode(octets, rules="ber")
    assert value == cls.decode(result.der)
    assert bytes(value.der) == value.origin.der == result.der
    return result


@pytest.mark.parametrize("name", STREAMED)
def test_streamed_objects_become_what_openssl_writes_in_der(openssl: OpenSSL, name: str) -> None:
    streamed = openssl.cms(STREAMED[name], stream=True)
    assert streamed[1] == 0x80
    result = converted(streamed, ContentInfo)
    assert result.der == openssl.as_der(streamed)
    assert {change.kind for change in result.changes} == {"length-indefinite", "string-constructed"}
    assert all(kept.error is None for kept in result.kept)


@pytest.mark.parametrize("name", STREAMED_SIGNED)
def test_signatures_verify_after_the_conversion(openssl: OpenSSL, name: str) -> None:
    streamed = openssl.cms(STREAMED_SIGNED[name], stream=True)
    result = converted(streamed, ContentInfo)
    openssl.verify(streamed)
    openssl.verify(result.der)
    signed = ContentInfo.decode(streamed, rules="ber").signed_data
    assert signed.encap_content_info.e_content == CONTENT
    # The certificates were copied: each is in the input.
    for choice in signed.certificates or ():
        assert bytes(choice.certificate.der) in streamed


def test_a_detached_signature_is_der_already(openssl: OpenSSL) -> None:
    octets = openssl.cms(SIGNED["detached"])
    assert converted(octets, ContentInfo).der is octets
    openssl.verify(octets, detached=True)


@pytest.mark.parametrize("name", [*SIGNED, *ENCRYPTED, *OTHER])
def test_every_ber_encoding_of_an_object_becomes_its_der(openssl: OpenSSL, name: str) -> None:
    octets = openssl.cms({**SIGNED, **ENCRYPTED, **OTHER}[name])
    for seed in range(4):
        variant = random_ber(ContentInfo, octets, Random(seed))
        assert variant != octets
        assert converted(variant, ContentInfo).der == octets


def test_countersignatures_and_time_stamps_are_converted(openssl: OpenSSL) -> None:
    """Attributes with these values are typed, so the certificates and signed attributes inside stay as they are."""
    info = ContentInfo.decode(openssl.cms(SIGNED["without certificates"]))
    other = ContentInfo.decode(openssl.cms(SIGNED["key identifier"]))
    unsigned = [
        {"attr_type": cms.id_countersignature, "attr_values": list(other.signed_data.signer_infos)},
        {"attr_type": "1.2.840.113549.1.9.16.2.14", "attr_values": [other]},
    ]
    [signer] = info.signed_data.signer_infos
    content = info.signed_data.replace(signer_infos=[signer.replace(unsigned_attrs=unsigned)])
    octets = info.replace(content=content).encode()
    for seed in range(10):
        result = converted(random_ber(ContentInfo, octets, Random(seed)), ContentInfo)
        assert result.der == octets
        [kept] = result.kept
        assert kept.path[-3:] == ("certificates", 0, "certificate")


# --- Signed attributes must be DER (RFC 5652 section 5.3).


def with_indefinite_attributes(octets: bytes) -> bytes:
    """Return a SignerInfo whose signed attributes have an indefinite length."""
    attributes = bytes(SignerInfo.decode(octets).signed_attrs.der)
    before, _, after = octets.partition(attributes)
    header = SignerInfo.decode(octets).signed_attrs.span().header_length
    changed = before + b"\xa0\x80" + attributes[header:] + b"\0\0" + after
    return b"\x30\x80" + changed[SignerInfo.decode(octets).span().header_length :] + b"\0\0"


def test_signed_attributes_that_are_not_der_are_refused(openssl: OpenSSL) -> None:
    [signer] = ContentInfo.decode(openssl.cms(SIGNED["attached"])).signed_data.signer_infos
    octets = bytes(signer.der)
    variant = with_indefinite_attributes(octets)
    with pytest.raises(derlib.DecodeError) as caught:
        SignerInfo.decode(variant, rules="ber")
    error = caught.value
    assert (error.path, error.rule, error.kind) == (("signed_attrs",), "RFC 5652 5.3", "signed-not-der")
    assert error.offset == variant.index(b"\xa0\x80")
    assert ber.convert(variant, SignerInfo, signed_attributes="convert").der == octets


# --- PKCS #7 and PKCS #12 files.

FOLDER = Path(pytest.importorskip("cryptography_vectors").__file__).parent
PKCS12_FILES = sorted((FOLDER / "pkcs12").glob("*.p12"))
PKCS7_FILES = sorted(
    # These two are certificates.
    path
    for path in (FOLDER / "pkcs7").glob("*.*")
    if path.name not in ("ascii-san.pem", "non-ascii-san.pem")
)


def bags(octets: bytes) -> list[Any]:
    """Return the bags of a PKCS #12 file in BER, and the parts that are encrypted."""
    pfx = PFX.decode(octets, rules="ber")
    return [*pfx.bags, *pfx.encrypted_parts]


@pytest.mark.parametrize("path", PKCS12_FILES, ids=lambda path: path.name)
def test_pkcs12_files(path: Path) -> None:
    octets = path.read_bytes()
    assert bags(octets)
    changes = [(change.kind, change.path) for change in converted(octets, PFX).changes]
    default = [("default-encoded", ("mac_data", "iterations"))]
    assert changes == (default if path.name == "no-password.p12" else [])


@pytest.mark.parametrize("path", PKCS12_FILES[::4], ids=lambda path: path.name)
def test_pkcs12_files_in_ber(path: Path) -> None:
    """The authenticated safe and its parts are BER inside OCTET STRINGs, whose bytes are not converted."""
    pfx = PFX.decode(path.read_bytes(), rules="ber")
    safe = AuthenticatedSafe.decode(pfx.auth_safe.content)
    for seed in range(5):
        parts = [
            part.replace(content=random_ber(SafeContents, part.content, Random(seed)))
            if part.content_type == id_data
            else part
            for part in safe
        ]
        inner = random_ber(AuthenticatedSafe, AuthenticatedSafe(parts).encode(), Random(seed))
        outer = pfx.replace(auth_safe=pfx.auth_safe.replace(content=inner))
        variant = random_ber(PFX, outer.encode(), Random(seed))
        # The MAC is over these bytes.
        assert PFX.decode(variant, rules="ber").auth_safe.content == inner
        assert bags(variant) == bags(path.read_bytes())


@pytest.mark.parametrize("path", PKCS7_FILES, ids=lambda path: path.name)
def test_pkcs7_files(path: Path) -> None:
    octets = path.read_bytes()
    if b"-----BEGIN" in octets:
        octets = next(iter(pem.blocks(octets))).der
    if path.name == "authenticode.der":
        # Microsoft's content is a SEQUENCE instead of an OCTET STRING, as PKCS #7 allows (RFC 5652 section 5.2.1).
        with pytest.raises(derlib.DecodeError) as caught:
            ContentInfo.decode(octets, rules="ber")
        assert caught.value.path == ("content", "encap_content_info", "e_content")
        return
    result = converted(octets, ContentInfo)
    expected = {"length-indefinite", "string-constructed"} if path.name == "amazon-roots.p7b" else set()
    assert {change.kind for change in result.changes} == expected
    if path.name == "amazon-roots.p7b":
        same = ContentInfo.decode((path.parent / "amazon-roots.der").read_bytes()).signed_data
        assert ContentInfo.decode(octets, rules="ber").signed_data.certificates == same.certificates

"""Files of others: each DER file in random BER converts back to its bytes, and verdicts for BER are confirmed."""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from corpus.files import corpus, schema_of
from corpus.tables import free_samples
from support.openssl import PASSWORD, SIGNED, OpenSSL

import derlib
from derlib import TLV, ber, pem
from derlib.schemas import keys
from derlib.schemas.cms import ContentInfo
from derlib.schemas.pkcs12 import PFX, AuthenticatedSafe, SafeContents, id_cert_bag, id_data
from derlib.strategies import random_ber, to_cer

from .rows import converted_or_error, decode_ber

VECTORS = Path(pytest.importorskip("cryptography_vectors").__file__).parent
PKITS = VECTORS / "x509" / "PKITS_data"
# Larger files repeat what the small ones have.
LARGEST = 30_000


def reencoded(type_: Any, octets: bytes, seed: int) -> None:
    """Check that BER and CER encodings of a DER file convert to its bytes, with its type and without one."""
    for cls in (type_, TLV):
        for variant in (random_ber(cls, octets, Random(seed)), to_cer(cls, octets)):
            converted = ber.convert(variant, None if cls is TLV else cls)
            assert converted.der == octets
            assert (len(converted.changes) == 0) == (variant == octets)
            assert all(kept.error is None for kept in converted.kept)
    assert decode_ber(type_, random_ber(type_, octets, Random(seed))) == derlib.decode(type_, octets)


def test_certificates_and_crls_in_ber_and_cer():
    counts = Counter(certificate=0, crl=0)
    for number, item in enumerate(corpus()):
        cls = schema_of(item)
        _, error = converted_or_error(item.der, cls)
        if error is None and len(item.der) <= LARGEST:
            reencoded(cls, item.der, number)
            counts[item.kind] += 1
    assert counts["certificate"] > 500
    assert counts["crl"] > 150


def test_files_with_a_fault_have_it_in_ber_too():
    """Faults that only DER has, such as an encoded default, are inside the OCTET STRINGs of extensions here."""
    found = 0
    for item in corpus():
        cls = schema_of(item)
        try:
            cls.decode(item.der)
        except derlib.ASN1Error as error:
            expected = error
        else:
            continue
        _, error = converted_or_error(item.der, cls)
        assert error is not None, item.name
        assert (error.kind, error.offset, error.path) == (expected.kind, expected.offset, expected.path), item.name
        found += 1
    assert found > 15


def der_files() -> Iterator[tuple[str, Any, bytes]]:
    """Yield OCSP messages, requests for certificates, keys and parameters: their name, type if known, and bytes."""
    types = {"requests": None, "ocsp": None, "PKCS8": keys.PrivateKeyInfo, "X25519": None, "X448": None, "DH": None}
    for path in sorted((*VECTORS.rglob("*.der"), *VECTORS.rglob("*.pem"))):
        if "custom" in path.parts or path.parent.name not in {*types, "DER_Serialization", "PEM_Serialization"}:
            continue
        octets = path.read_bytes()
        if octets[:1] != b"\x30":
            try:
                octets = next(iter(pem.blocks(octets))).der
            except (StopIteration, derlib.ASN1Error):
                continue
        label = f"{path.parent.name}/{path.name}"
        yield label, keys.EncryptedPrivateKeyInfo if "enc" in path.name else types.get(path.parent.name), octets


def test_other_files_in_ber_and_cer():
    count = typed = 0
    for number, (_, cls, octets) in enumerate(der_files()):
        try:
            derlib.parse(octets)
        except derlib.ASN1Error:
            continue
        count += 1
        try:
            derlib.decode(cls or TLV, octets)
        except derlib.ASN1Error:
            cls = None
        typed += cls is not None
        reencoded(cls or TLV, octets, number)
    assert count > 100
    assert typed > 20


def signed_mails() -> Iterator[tuple[str, bytes]]:
    """Yield the SignedData of each S/MIME message of the NIST PKITS suite."""
    for path in sorted((PKITS / "smime").glob("*.eml")):
        for part in email.message_from_bytes(path.read_bytes()).walk():
            if part.get_content_type() == "application/pkcs7-signature":
                yield path.name, part.get_payload(decode=True)


def test_signatures_of_mails_have_their_certificates_sorted():
    """Two in five messages have certificates in another order than DER requires (X.690 11.6)."""
    sorted_ones = 0
    mails = list(signed_mails())
    for number, (name, octets) in enumerate(mails):
        converted = ber.convert(octets, ContentInfo)
        changes = [(change.kind, change.path) for change in converted.changes]
        assert changes in ([], [("set-of-order", ("content", "certificates"))]), name
        sorted_ones += bool(changes)
        value = ContentInfo.decode(octets, rules="ber").signed_data
        assert all(bytes(choice.certificate.der) in octets for choice in value.certificates)
        assert all(bytes(signer.signed_attrs.der) in octets for signer in value.signer_infos)
        kept = len(value.certificates) + len(value.crls or ())
        assert len(converted.kept) == kept
        if number % 4 == 0:
            reencoded(ContentInfo, converted.der, number)
    assert len(mails) > 200
    assert 50 < sorted_ones < 150


def test_openssl_sorts_the_certificates_of_a_mail_in_the_same_way(openssl: OpenSSL):
    unsorted = [octets for _, octets in signed_mails() if ber.convert(octets, ContentInfo).changes]
    for octets in unsorted[::15]:
        assert ber.convert(octets, ContentInfo).der == openssl.as_der(octets)


# --- PKCS #12


def pfx_in(encoded: Callable[[Any, bytes], bytes], pfx: Any) -> bytes:
    """Return a PFX whose authenticated safe and unencrypted parts are encoded again inside their OCTET STRINGs."""
    parts = [
        part.replace(content=encoded(SafeContents, part.content)) if part.content_type == id_data else part
        for part in AuthenticatedSafe.decode(pfx.auth_safe.content)
    ]
    inner = encoded(AuthenticatedSafe, AuthenticatedSafe(parts).encode())
    return encoded(PFX, pfx.replace(auth_safe=pfx.auth_safe.replace(content=inner)).encode())


def pfx_in_ber(pfx: Any, seed: int) -> bytes:
    """Return a PFX in random BER, inside and outside."""
    return pfx_in(lambda cls, octets: random_ber(cls, octets, Random(seed)), pfx)


def opened(octets: bytes) -> list[Any]:
    """Return the bags of a PFX, and its parts that are encrypted."""
    found: list[Any] = []
    for part in AuthenticatedSafe.decode(PFX.decode(octets, rules="ber").auth_safe.content, rules="ber"):
        found += SafeContents.decode(part.content, rules="ber") if part.content_type == id_data else [part]
    return found


def test_pkcs12_files_of_pkits():
    """405 files that NIST made with the tools of Windows and OpenSSL of 2002."""
    files = sorted((PKITS / "pkcs12").glob("*.p12"))
    assert len(files) > 400
    for number, path in enumerate(files):
        octets = path.read_bytes()
        assert ber.convert(octets, PFX).der is octets
        if number % 4 == 0:
            pfx = PFX.decode(octets)
            assert opened(pfx_in_ber(pfx, number)) == opened(octets)
            reencoded(PFX, octets, number)


@pytest.mark.parametrize("arguments", [(), ("-nocerts",), ("-certpbe", "NONE"), ("-nomac",)], ids=str)
def test_pkcs12_files_of_openssl(openssl: OpenSSL, arguments: tuple[str, ...]):
    octets = openssl.pkcs12(*arguments)
    for seed in range(5):
        reencoded(PFX, octets, seed)
        assert opened(pfx_in_ber(PFX.decode(octets), seed)) == opened(octets)


def test_openssl_and_derlib_find_the_same_certificates_in_a_file_in_cer(openssl: OpenSSL):
    # The MAC is over the octets of the authenticated safe, which change.
    octets = openssl.pkcs12("-nomac", "-certpbe", "NONE")
    variant = pfx_in(to_cer, PFX.decode(octets))
    (openssl.folder / "variant.p12").write_bytes(variant)
    shown = openssl("pkcs12", "-in", "variant.p12", "-nokeys", "-passin", f"pass:{PASSWORD}", "-nomacver")
    read = [bytes(bag.bag_value.cert_value.der) for bag in opened(variant) if bag.bag_id == id_cert_bag]
    assert [block.der for block in pem.blocks(shown)] == read
    assert len(read) == 2


# --- CMS objects of openssl


@pytest.mark.parametrize("name", SIGNED)
def test_openssl_verifies_signatures_in_cer_and_after_the_conversion(openssl: OpenSSL, name: str):
    octets = openssl.cms(SIGNED[name])
    cer = to_cer(ContentInfo, octets)
    assert ber.convert(cer, ContentInfo).der == octets
    openssl.verify(cer, detached=name == "detached")


# --- The free ASN.1 suite, whose verdicts are for BER


# Valid to the suite, except for a limit of derlib (nine octets of an exponent), or against X.690 8.6.2.1.
OTHER_VERDICTS = {"tc15": "real-limit", "tc17": "real-limit", "tc40": "bits-empty"}


def verdicts(folder: Path) -> dict[str, bool]:
    """Return whether the author of the suite calls each file right."""
    lines = (folder / "free-asn1-suite" / "LABELS.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found = {}
    for line in lines:
        name, _, note = line.split("\t")
        if note.startswith("suite verdict "):
            found[name.removesuffix(".ber")] = note.startswith("suite verdict ok")
    return found


def test_every_verdict_of_the_free_suite(shared_data):
    expected = verdicts(shared_data)
    seen = set()
    for sample in free_samples(shared_data):
        name = sample.name.removeprefix("free/").removesuffix(".ber")
        converted, error = converted_or_error(sample.octets, None)
        check_sample(sample.octets, converted, error)
        if name in OTHER_VERDICTS:
            assert error is not None, name
            assert error.kind == OTHER_VERDICTS[name]
        elif name in expected:
            assert (error is None) == expected[name], (name, error)
        seen.add(name)
    assert len(seen) == 96
    assert len(expected) == 48


def check_sample(octets: bytes, converted: Any, error: derlib.ASN1Error | None) -> None:
    """Check that each way of reading BER agrees with `ber.convert`."""
    for type_ in (TLV, Any):
        if error is None:
            assert bytes(derlib.decode(type_, octets, rules="ber").encode()) == converted.der
        else:
            with pytest.raises(derlib.ASN1Error) as caught:
                derlib.decode(type_, octets, rules="ber")
            assert (caught.value.kind, caught.value.offset) == (error.kind, error.offset)
    if error is None:
        # The tree checks the headers alone.
        ber.parse(octets)

"""The kind, size and curve of public and private keys, compared with cryptography."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509 as pyca
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import (
    dh,
    dsa,
    ec,
    ed448,
    ed25519,
    mldsa,
    mlkem,
    rsa,
    x448,
    x25519,
)
from support import arrow
from support.der import der

import derlib
from derlib import ObjectIdentifier, oids, pem
from derlib.schemas import key_kinds
from derlib.schemas.keys import DSAPrivateKey, ECPrivateKey, PrivateKeyInfo, RSAPrivateKey
from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo, certificates_table

FOLDER = Path(pytest.importorskip("cryptography_vectors").__file__).parent

# The kind of each class of public keys of cryptography.
KINDS: list[tuple[type[Any], str]] = [
    (rsa.RSAPublicKey, "RSA"),
    (dsa.DSAPublicKey, "DSA"),
    (dh.DHPublicKey, "DH"),
    (ec.EllipticCurvePublicKey, "EC"),
    (ed25519.Ed25519PublicKey, "Ed25519"),
    (ed448.Ed448PublicKey, "Ed448"),
    (x25519.X25519PublicKey, "X25519"),
    (x448.X448PublicKey, "X448"),
    (mldsa.MLDSA44PublicKey, "ML-DSA-44"),
    (mldsa.MLDSA65PublicKey, "ML-DSA-65"),
    (mldsa.MLDSA87PublicKey, "ML-DSA-87"),
    (mlkem.MLKEM768PublicKey, "ML-KEM-768"),
    (mlkem.MLKEM1024PublicKey, "ML-KEM-1024"),
]

CURVES = [curve() for curve in ec.EllipticCurve.__subclasses__() if not curve.__name__.startswith("_")]


def check(read: SubjectPublicKeyInfo | PrivateKeyInfo, key: Any) -> None:
    """Compare the properties of a key with those of a public key of cryptography."""
    assert read.kind == next(kind for cls, kind in KINDS if isinstance(key, cls))
    assert read.size == getattr(key, "key_size", None)
    if isinstance(read, SubjectPublicKeyInfo):
        check_table(read)
    curve = getattr(key, "curve", None)
    # For explicit parameters, cryptography looks for a named curve that has them.
    parameters = (read.algorithm if isinstance(read, SubjectPublicKeyInfo) else read.private_key_algorithm).parameters
    if curve is None or parameters.alternative != "named_curve":
        assert read.curve is None
    else:
        assert read.curve == curve.name


def check_table(key: SubjectPublicKeyInfo) -> None:
    """Compare the properties of a key with the columns of a certificate that has it."""
    [block] = pem.blocks((FOLDER / "x509" / "ed25519" / "root-ed25519.pem").read_bytes())
    template = Certificate.decode(block.der)
    certificate = template.replace(tbs_certificate=template.tbs_certificate.replace(subject_public_key_info=key))
    row = arrow.table(certificates_table(certificate.encode(), ["key_kind", "key_size", "key_curve"]))
    kind = key.kind if key.algorithm.algorithm.dotted in key_kinds.KIND_BY_OID else key.algorithm.algorithm.dotted
    assert row == {"key_kind": [kind], "key_size": [key.size], "key_curve": [key.curve]}


GENERATORS: list[tuple[str, Callable[[], Any]]] = [
    ("RSA", lambda: rsa.generate_private_key(65537, 1024)),
    ("DSA", lambda: dsa.generate_private_key(1024)),
    ("Ed25519", ed25519.Ed25519PrivateKey.generate),
    ("Ed448", ed448.Ed448PrivateKey.generate),
    ("X25519", x25519.X25519PrivateKey.generate),
    ("X448", x448.X448PrivateKey.generate),
    ("ML-DSA-44", mldsa.MLDSA44PrivateKey.generate),
    ("ML-DSA-65", mldsa.MLDSA65PrivateKey.generate),
    ("ML-DSA-87", mldsa.MLDSA87PrivateKey.generate),
    ("ML-KEM-768", mlkem.MLKEM768PrivateKey.generate),
    ("ML-KEM-1024", mlkem.MLKEM1024PrivateKey.generate),
    *((curve.name, partial(ec.generate_private_key, curve)) for curve in CURVES),
]


@pytest.mark.parametrize("generate", [row[1] for row in GENERATORS], ids=[row[0] for row in GENERATORS])
def test_generated_keys(generate: Callable[[], Any]) -> None:
    try:
        key = generate()
    except UnsupportedAlgorithm as error:
        pytest.skip(f"the OpenSSL of cryptography: {error}")
    public = key.public_key()
    check(SubjectPublicKeyInfo.decode(public_der(public)), public)
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    check(PrivateKeyInfo.decode(private), public)


@pytest.mark.parametrize(
    ("generate", "cls"),
    [(GENERATORS[0][1], RSAPrivateKey), (GENERATORS[1][1], DSAPrivateKey)]
    + [(partial(ec.generate_private_key, curve), ECPrivateKey) for curve in CURVES],
)
def test_keys_in_their_old_formats(generate: Callable[[], Any], cls: Any) -> None:
    """PKCS #1 for RSA, RFC 5915 for EC, and the format of OpenSSL for DSA."""
    try:
        key = generate()
    except UnsupportedAlgorithm as error:
        pytest.skip(f"the OpenSSL of cryptography: {error}")
    form = serialization.PrivateFormat.TraditionalOpenSSL
    octets = key.private_bytes(serialization.Encoding.DER, form, serialization.NoEncryption())
    read = cls.decode(octets)
    assert derlib.identify(octets) is cls
    curve = getattr(key, "curve", None)
    assert (read.kind, read.size) == (cls.__name__.removesuffix("PrivateKey"), key.key_size)
    assert read.curve == (None if curve is None else curve.name)


def test_an_ec_key_without_parameters_has_no_size() -> None:
    key = ECPrivateKey(version=1, private_key=bytes(32))
    assert (key.kind, key.size, key.curve) == ("EC", None, None)


def public_der(key: Any) -> bytes:
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def test_keys_in_files() -> None:
    """Every public and private key, and every certificate, that both read."""
    kinds: dict[str, int] = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix not in (".pem", ".der", ".crt") or "malformed" in path.name:
            continue
        for cls, octets in values_of(path):
            read, key = read_both(cls, octets)
            if read is not None and key is not None:
                check(read, key)
                kinds[read.kind] = kinds.get(read.kind, 0) + 1
    assert kinds.keys() >= {"RSA", "DSA", "DH", "EC", "Ed25519", "Ed448", "X25519", "X448"}
    assert sum(kinds.values()) > 300


def values_of(path: Path) -> list[tuple[Any, bytes]]:
    """Return the keys and certificates in a file, with their types."""
    data = path.read_bytes()
    try:
        found = [(block.label, block.der) for block in pem.blocks(data)] if pem.is_pem(data) else [("", data)]
    except pem.PEMError:
        return []
    labels = {"PUBLIC KEY": SubjectPublicKeyInfo, "PRIVATE KEY": PrivateKeyInfo, "CERTIFICATE": Certificate}
    return [
        (cls, octets)
        for label, octets in found
        for cls in ([labels.get(label)] if label else [derlib.identify(octets)])
        if cls in labels.values()
    ]


def read_both(cls: Any, octets: bytes) -> tuple[SubjectPublicKeyInfo | PrivateKeyInfo | None, Any]:
    """Return a key as derlib and as cryptography read it, or None for each that does not read it."""
    try:
        read = cls.decode(octets)
    except derlib.ASN1Error:
        return None, None
    try:
        if cls is Certificate:
            return read.tbs_certificate.subject_public_key_info, pyca.load_der_x509_certificate(octets).public_key()
        if cls is SubjectPublicKeyInfo:
            return read, serialization.load_der_public_key(octets)
        return read, serialization.load_der_private_key(octets, None).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm, pyca.InvalidVersion):
        return None, None


def public_key(algorithm: bytes, *, parameters: bytes = b"", key: bytes = b"\0" + bytes(64)) -> SubjectPublicKeyInfo:
    return SubjectPublicKeyInfo.decode(der(0x30, der(0x30, algorithm, parameters), der(0x03, key)))


def oid(name: str) -> bytes:
    return derlib.encode(oids.oid_of(name), ObjectIdentifier)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("id-alg-hss-lms-hashsig", "HSS/LMS"),
        ("id-alg-xmss-hashsig", "XMSS"),
        ("id-alg-xmssmt-hashsig", "XMSS^MT"),
        ("id-alg-ml-kem-512", "ML-KEM-512"),
        ("id-slh-dsa-shake-256f", "SLH-DSA-SHAKE-256f"),
        ("id-hash-slh-dsa-sha2-192s-with-sha512", "HashSLH-DSA-SHA2-192s-with-SHA512"),
        ("id-hash-ml-dsa-65-with-sha512", "HashML-DSA-65-with-SHA512"),
        ("2.999.1", "2.999.1"),
    ],
)
def test_kinds_that_cryptography_does_not_know(name: str, kind: str) -> None:
    key = public_key(oid(name))
    assert (key.kind, key.size, key.curve) == (kind, None, None)
    check_table(key)


def test_each_name_of_a_post_quantum_kind_is_that_of_its_object_identifier() -> None:
    for dotted, kind in key_kinds.KIND_BY_OID.items():
        if dotted.startswith("2.16.840.1.101.3.4."):
            name = ObjectIdentifier(dotted).name.removeprefix("id-").removeprefix("alg-").replace("hash-", "Hash")
            assert kind.lower() == name.lower()


def test_each_size_of_a_curve_is_the_number_in_its_name() -> None:
    for dotted, size in key_kinds.CURVE_SIZE_BY_OID.items():
        name = ObjectIdentifier(dotted).name
        if "wtls" in name:
            # These names have no size: test_parameters_of_every_curve compares it with that of the field.
            continue
        # The last number is that of the variant: secp256r1, c2pnb163v2, brainpoolP320t1.
        assert str(size) == "".join(c if c.isdigit() else " " for c in name).split()[-2], name


def test_algorithms_with_rsa_keys() -> None:
    rsa_key = b"\0" + der(0x30, der(0x02, b"\0\x80" + bytes(15)), der(0x02, b"\3"))
    for name in ("rsaEncryption", "id-RSAES-OAEP", "id-RSASSA-PSS", "id-RSASSA-PSS-SHAKE128"):
        key = public_key(oid(name), key=rsa_key)
        assert (key.kind, key.size) == ("RSA", 128)
        check_table(key)


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("id-dsa", b"", ("DSA", None, None)),  # of the issuer, RFC 3279 section 2.3.2
        ("id-ecPublicKey", der(0x05), ("EC", None, None)),  # implicitCurve
        ("id-ecPublicKey", b"", ("EC", None, None)),
        ("id-ecPublicKey", oid("2.999.1"), ("EC", None, "2.999.1")),
        ("id-ecDH", oid("sect571r1"), ("EC", 571, "sect571r1")),
        ("id-ecPublicKey", oid("sm2p256v1"), ("EC", 256, "sm2p256v1")),
        ("dhKeyAgreement", der(0x30, der(0x02, b"\1\0"), der(0x02, b"\2")), ("DH", 9, None)),
    ],
)
def test_parameters(name: str, parameters: bytes, expected: tuple[str, int | None, str | None]) -> None:
    key = public_key(oid(name), parameters=parameters, key=b"\0" + der(0x02, b"\1"))
    assert (key.kind, key.size, key.curve) == expected
    check_table(key)


def explicit_curve(field: bytes) -> bytes:
    curve = der(0x30, der(0x04, b"\1"), der(0x04, b"\1"))
    return der(0x30, der(0x02, b"\1"), field, curve, der(0x04, b"\4"), der(0x02, b"\5"))


def test_sizes_of_explicit_curves() -> None:
    prime = der(0x30, oid("prime-field"), der(0x02, b"\x01\xff"))
    binary = der(0x30, oid("characteristic-two-field"), der(0x30, der(0x02, b"\x7f"), oid("gnBasis"), der(0x05)))
    for field, size in ((prime, 9), (binary, 127)):
        key = public_key(oid("id-ecPublicKey"), parameters=explicit_curve(field))
        assert (key.kind, key.size, key.curve) == ("EC", size, None)
        check_table(key)


@pytest.mark.usefixtures("registered_names")
def test_the_size_of_a_curve_does_not_depend_on_registered_names() -> None:
    dotted = "1.3.36.3.3.2.8.1.1.9"
    oids.register(dotted, "my-curve")
    key = public_key(oid("id-ecPublicKey"), parameters=oid(dotted))
    assert (key.size, key.curve) == (320, "my-curve")

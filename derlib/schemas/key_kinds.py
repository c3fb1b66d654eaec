"""The kind, the size and the curve of a key, for the properties of the classes of keys.

The classes import this module when one of the properties is read.

>>> from derlib.schemas.algorithms import AlgorithmIdentifier
>>> identifier = AlgorithmIdentifier.decode(bytes.fromhex("301306072a8648ce3d020106082a8648ce3d030107"))
>>> kind_of(identifier), size_of(identifier, None), curve_of(identifier)
('EC', 256, 'secp256r1')
"""

from __future__ import annotations

from typing import Any

from derlib.schemas.algorithms import AlgorithmIdentifier, DHParameter, DomainParameters, DssParms
from derlib.schemas.curves import CharacteristicTwo, ECParameters, SpecifiedECDomain

# Rows of (arc, "suffix kind suffix kind ..."). The names of the post-quantum kinds are those of FIPS 203, 204 and 205.
_KINDS = (
    ("1.2.840.113549.1.1", "1 RSA 7 RSA 10 RSA"),
    ("1.3.6.1.5.5.7.6", "30 RSA 31 RSA 34 XMSS 35 XMSS^MT"),
    ("1.2.840.10040.4", "1 DSA"),
    ("1.2.840.10046.2", "1 DH"),
    ("1.2.840.113549.1.3", "1 DH"),
    ("1.2.840.10045.2", "1 EC"),
    ("1.3.132.1", "12 EC 13 EC"),
    ("1.3.101", "110 X25519 111 X448 112 Ed25519 113 Ed448"),
    (
        "2.16.840.1.101.3.4.3",
        """
        17 ML-DSA-44 18 ML-DSA-65 19 ML-DSA-87
        20 SLH-DSA-SHA2-128s 21 SLH-DSA-SHA2-128f 22 SLH-DSA-SHA2-192s
        23 SLH-DSA-SHA2-192f 24 SLH-DSA-SHA2-256s 25 SLH-DSA-SHA2-256f
        26 SLH-DSA-SHAKE-128s 27 SLH-DSA-SHAKE-128f 28 SLH-DSA-SHAKE-192s
        29 SLH-DSA-SHAKE-192f 30 SLH-DSA-SHAKE-256s 31 SLH-DSA-SHAKE-256f
        32 HashML-DSA-44-with-SHA512 33 HashML-DSA-65-with-SHA512 34 HashML-DSA-87-with-SHA512
        35 HashSLH-DSA-SHA2-128s-with-SHA256 36 HashSLH-DSA-SHA2-128f-with-SHA256
        37 HashSLH-DSA-SHA2-192s-with-SHA512 38 HashSLH-DSA-SHA2-192f-with-SHA512
        39 HashSLH-DSA-SHA2-256s-with-SHA512 40 HashSLH-DSA-SHA2-256f-with-SHA512
        41 HashSLH-DSA-SHAKE-128s-with-SHAKE128 42 HashSLH-DSA-SHAKE-128f-with-SHAKE128
        43 HashSLH-DSA-SHAKE-192s-with-SHAKE256 44 HashSLH-DSA-SHAKE-192f-with-SHAKE256
        45 HashSLH-DSA-SHAKE-256s-with-SHAKE256 46 HashSLH-DSA-SHAKE-256f-with-SHAKE256
        """,
    ),
    ("2.16.840.1.101.3.4.4", "1 ML-KEM-512 2 ML-KEM-768 3 ML-KEM-1024"),
    ("1.2.840.113549.1.9.16.3", "17 HSS/LMS"),
)

# The size of the field of each named curve in bits: rows of (arc, "suffix bits suffix bits ...").
_CURVES = (
    # X9.62, as in RFC 3279 section 2.3.5.
    (
        "1.2.840.10045.3",
        """
        0.1 163 0.2 163 0.3 163 0.4 176 0.5 191 0.6 191 0.7 191 0.8 191 0.9 191 0.10 208
        0.11 239 0.12 239 0.13 239 0.14 239 0.15 239 0.16 272 0.17 304 0.18 359 0.19 368 0.20 431
        1.1 192 1.2 192 1.3 192 1.4 239 1.5 239 1.6 239 1.7 256
        """,
    ),
    # SEC 2.
    (
        "1.3.132.0",
        """
        1 163 2 163 3 239 4 113 5 113 6 112 7 112 8 160 9 160 10 256 15 163 16 283 17 283 22 131 23 131
        24 193 25 193 26 233 27 233 28 128 29 128 30 160 31 192 32 224 33 224 34 384 35 521
        36 409 37 409 38 571 39 571
        """,
    ),
    # RFC 5639.
    (
        "1.3.36.3.3.2.8.1.1",
        "1 160 2 160 3 192 4 192 5 224 6 224 7 256 8 256 9 320 10 320 11 384 12 384 13 512 14 512",
    ),
    # WAP-261-WTLS, appendix A.
    ("2.23.43.1.4", "1 113 3 163 4 113 5 163 6 112 7 160 8 112 9 160 10 233 11 233 12 224"),
    # SM2.
    ("1.2.156.10197.1", "301 256"),
)


def _table(rows: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the dotted form of each row with the word after it."""
    found: dict[str, str] = {}
    for arc, text in rows:
        words = iter(text.split())
        found.update({f"{arc}.{suffix}": word for suffix, word in zip(words, words, strict=True)})
    return found


KIND_BY_OID = _table(_KINDS)
CURVE_SIZE_BY_OID = {dotted: int(bits) for dotted, bits in _table(_CURVES).items()}


def kind_of(algorithm: AlgorithmIdentifier) -> str:
    """Return the kind of a key: "RSA", "EC", "Ed25519" and so on, or the name of the algorithm if it is another one."""
    return KIND_BY_OID.get(algorithm.algorithm.dotted) or algorithm.algorithm.name


def size_of(algorithm: AlgorithmIdentifier, key: object) -> int | None:
    """Return the size of a key in bits; None if the kind determines it, or if it is unknown.

    Args:
        algorithm: the algorithm of the key, with the parameters.
        key: the decoded key, public or private; only RSA needs it.
    """
    modulus = getattr(key, "modulus", None)  # of an RSAPublicKey or an RSAPrivateKey
    if isinstance(modulus, int):
        return modulus.bit_length()
    parameters = algorithm.parameters
    if isinstance(parameters, (DssParms, DomainParameters)):
        return parameters.p.bit_length()
    if isinstance(parameters, DHParameter):
        return parameters.prime.bit_length()
    return curve_size(parameters)


def curve_of(algorithm: AlgorithmIdentifier) -> str | None:
    """Return the name of the curve of an EC key; None if the parameters do not name one."""
    return curve_name(algorithm.parameters)


def curve_size(parameters: object) -> int | None:
    """Return the number of bits of the field of a curve; None if the parameters are not `ECParameters` with a curve."""
    return _field_size(parameters.value) if isinstance(parameters, ECParameters) else None


def curve_name(parameters: object) -> str | None:
    """Return the name of the curve of `ECParameters`; None if other parameters are given, or if they do not name it."""
    if isinstance(parameters, ECParameters) and parameters.alternative == "named_curve":
        name: str = parameters.value.name
        return name
    return None


def _field_size(curve: Any) -> int | None:
    """Return the number of bits of an element of the field of a curve; None if it is unknown."""
    if not isinstance(curve, SpecifiedECDomain):
        return CURVE_SIZE_BY_OID.get(getattr(curve, "dotted", ""))
    field = curve.field_id.parameters
    if isinstance(field, CharacteristicTwo):
        return field.m
    return field.bit_length() if isinstance(field, int) else None

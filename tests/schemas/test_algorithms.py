"""The identifiers and parameters of algorithms: SHAKE, post-quantum signatures, RSASSA-PSS and RSAES-OAEP."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest
from support.der import der
from support.rebuilt import read

import derlib
from derlib import NULL, ObjectIdentifier, oids
from derlib.schemas import algorithms
from derlib.schemas.algorithms import (
    ALGORITHMS,
    PUBLIC_KEYS,
    AlgorithmIdentifier,
    RSAESOAEPParams,
    RSAPublicKey,
    RSASSAPSSParams,
)
from derlib.schemas.keys import PRIVATE_KEYS, PrivateKeyInfo, RSAPrivateKey
from derlib.schemas.x509 import SubjectPublicKeyInfo

NIST = "2.16.840.1.101.3.4"
PKIX = "1.3.6.1.5.5.7.6"

# The twelve parameter sets of FIPS 205 in the order of its table 2, which is the order of the object identifiers.
PARAMETER_SETS = [
    f"{family}-{security}{speed}" for family in ("SHA2", "SHAKE") for security in (128, 192, 256) for speed in "sf"
]


def pre_hash(parameter_set: str) -> str:
    """Return the hash function of HashSLH-DSA for a parameter set (RFC 9909 section 3)."""
    family, security = parameter_set[:-1].split("-")
    strong = security != "128"
    return ("SHAKE256" if strong else "SHAKE128") if family == "SHAKE" else ("SHA512" if strong else "SHA256")


def in_hashlib(name: str) -> str:
    """Return the name of a hash function in `hashlib`."""
    return name.lower().replace("shake", "shake_")


# OBJECT IDENTIFIER, name, kind of its keys, hash function: algorithms whose parameters are absent, and whose public and
# private keys are not ASN.1 (RFC 9881, 9882, 9909, 9814, 9802, 9708). The private keys of ML-DSA are.
RAW_KEYS = [
    *(
        (f"{NIST}.3.{20 + index}", f"id-slh-dsa-{name.lower()}", f"SLH-DSA-{name}", None)
        for index, name in enumerate(PARAMETER_SETS)
    ),
    *(
        (
            f"{NIST}.3.{35 + index}",
            f"id-hash-slh-dsa-{name}-with-{pre_hash(name)}".lower(),
            f"HashSLH-DSA-{name}-with-{pre_hash(name)}",
            in_hashlib(pre_hash(name)),
        )
        for index, name in enumerate(PARAMETER_SETS)
    ),
    ("1.2.840.113549.1.9.16.3.17", "id-alg-hss-lms-hashsig", "HSS/LMS", None),
    (f"{PKIX}.34", "id-alg-xmss-hashsig", "XMSS", None),
    (f"{PKIX}.35", "id-alg-xmssmt-hashsig", "XMSS^MT", None),
]
OTHERS = [
    *((f"{NIST}.3.{17 + index}", f"id-ml-dsa-{size}", None) for index, size in enumerate((44, 65, 87))),
    *(
        (f"{NIST}.3.{32 + index}", f"id-hash-ml-dsa-{size}-with-sha512", "sha512")
        for index, size in enumerate((44, 65, 87))
    ),
    # RFC 8692 section 3, RFC 8702 section 2.
    (f"{NIST}.2.11", "id-shake128", "shake_128"),
    (f"{NIST}.2.12", "id-shake256", "shake_256"),
    (f"{PKIX}.30", "id-RSASSA-PSS-SHAKE128", "shake_128"),
    (f"{PKIX}.31", "id-RSASSA-PSS-SHAKE256", "shake_256"),
    (f"{PKIX}.32", "id-ecdsa-with-shake128", "shake_128"),
    (f"{PKIX}.33", "id-ecdsa-with-shake256", "shake_256"),
]
WITHOUT_PARAMETERS = [*((dotted, name, hash_name) for dotted, name, _, hash_name in RAW_KEYS), *OTHERS]


#: Names with a hash function of a derived key, a MAC or a certificate, or of the inner workings of an algorithm.
OF_ANOTHER_PURPOSE = re.compile(r"hmac|kmac|kdf|hkdf|pbe|PROP_ID|slh-dsa-sha(2|ke)-\d+[sf]$", re.IGNORECASE)
#: SHA, which SHA-1 replaced, and RIPEMD: hashlib has no names for them.
WITHOUT_NAME = {"dsaWithSHA", "ripemd128", "ripemd256"}


def test_hash_names_are_those_in_the_names_of_algorithms() -> None:
    checked = 0
    for dotted in oids.registered():
        name = oids.name_of(dotted)
        words = re.findall(r"md[245]|sha3-\d+|sha-?\d+(?:-(?:224|256))?|shake-?\d+|ripemd160|sm3", name, re.IGNORECASE)
        if not words or OF_ANOTHER_PURPOSE.search(name) or name in WITHOUT_NAME:
            continue
        expected = re.sub(r"^sha3-|^sha512-|^shake", lambda found: found[0].rstrip("-") + "_", words[-1].lower())
        assert AlgorithmIdentifier(algorithm=dotted).hash_name == expected.replace("sha-", "sha"), name
        checked += 1
    assert checked > 50


@pytest.mark.parametrize(
    ("dotted", "name", "hash_name"), WITHOUT_PARAMETERS, ids=[row[1] for row in WITHOUT_PARAMETERS]
)
def test_algorithms_without_parameters(dotted: str, name: str, hash_name: str | None) -> None:
    octets = der(0x30, derlib.encode(dotted, ObjectIdentifier))
    algorithm = read(AlgorithmIdentifier, octets)
    assert (algorithm.name, algorithm.hash_name, algorithm.parameters) == (name, hash_name, None)
    assert oids.oid_of(name) == dotted
    assert AlgorithmIdentifier(algorithm=dotted).encode() == octets
    assert {AlgorithmIdentifier.of(each) for each in (dotted, name, ObjectIdentifier(dotted))} == {algorithm}
    assert ALGORITHMS.get(dotted) is None


def test_of_takes_parameters_and_refuses_unknown_names() -> None:
    made = AlgorithmIdentifier.of("sha256WithRSAEncryption", NULL)
    assert made.encode() == der(0x30, bytes.fromhex("06092a864886f70d01010b 0500"))
    with pytest.raises(KeyError, match="did you mean 'sha256WithRSAEncryption'"):
        AlgorithmIdentifier.of("sha256WithRSAEncription")
    with pytest.raises(derlib.ConstraintError):
        AlgorithmIdentifier.of("sha256WithRSAEncryption", 5)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        # RFC 3279 sections 2.2.1 and 2.3.1, RFC 4055 section 5, RFC 8017 Appendix A.2.4.
        ("rsaEncryption", NULL),
        ("md5WithRSAEncryption", NULL),
        ("sha1WithRSAEncryption", NULL),
        ("sha224WithRSAEncryption", NULL),
        ("sha256WithRSAEncryption", NULL),
        ("sha384WithRSAEncryption", NULL),
        ("sha512WithRSAEncryption", NULL),
        ("sha512-256WithRSAEncryption", NULL),
        ("id-hmacWithSHA256", NULL),  # RFC 8018 Appendix B.1
        ("ecdsa-with-SHA256", None),  # RFC 5758 section 3.2
        ("ecdsa-with-SHA512", None),
        ("id-dsa-with-sha256", None),  # RFC 5758 section 3.1
        ("id-Ed25519", None),  # RFC 8410 section 3
        ("id-Ed448", None),
        ("id-ml-dsa-44", None),  # RFC 9881 section 2
        ("id-sha256", None),  # RFC 5754 section 2
    ],
)
def test_of_has_the_parameters_that_the_rfc_requires(name: str, parameters: object) -> None:
    made = AlgorithmIdentifier.of(name)
    assert made.parameters is parameters
    assert AlgorithmIdentifier.of(made.algorithm) == AlgorithmIdentifier.of(made.algorithm.dotted) == made
    assert AlgorithmIdentifier(algorithm=made.algorithm).parameters is None


def test_of_equals_the_algorithms_for_signing() -> None:
    for name, (dotted, _) in algorithms._SIGNATURES.items():
        made = getattr(algorithms, name)
        # RSASSA-PSS has parameters that its RFC does not choose.
        parameters = made.parameters if "pss" in name else None
        assert AlgorithmIdentifier.of(dotted, parameters) == made


def test_of_refuses_a_key_without_its_curve() -> None:
    with pytest.raises(derlib.ConstraintError, match=r"^id-ecPublicKey needs parameters: the curve, .* \(RFC 5480"):
        AlgorithmIdentifier.of("id-ecPublicKey")
    with pytest.raises(derlib.ConstraintError, match="id-mgf1 needs parameters: the AlgorithmIdentifier of a hash"):
        AlgorithmIdentifier.of("id-mgf1")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("sha256_ecdsa", "ecdsa-with-SHA256"),
        ("sha256_rsa", "sha256WithRSAEncryption"),
        ("challenge_password", "challengePassword"),
        ("key_usage", "keyUsage"),
    ],
)
def test_a_name_in_another_order_or_with_underscores_has_a_suggestion(name: str, near: str) -> None:
    with pytest.raises(KeyError, match=f"did you mean '{near}'"):
        oids.oid_of(name)


@pytest.mark.parametrize(("dotted", "kind"), [(dotted, kind) for dotted, _, kind, _ in RAW_KEYS])
def test_keys_that_are_not_asn1_are_bytes(dotted: str, kind: str) -> None:
    key = b"\xff not DER"
    octets = der(0x30, der(0x30, derlib.encode(dotted, ObjectIdentifier)), der(0x03, b"\0", key))
    public = read(SubjectPublicKeyInfo, octets)
    assert (public.kind, public.size, public.subject_public_key.bytes) == (kind, None, key)
    octets = der(0x30, der(0x02, b"\0"), der(0x30, derlib.encode(dotted, ObjectIdentifier)), der(0x04, key))
    private = read(PrivateKeyInfo, octets)
    assert (private.kind, private.size, private.private_key) == (kind, None, key)
    assert PUBLIC_KEYS.get(dotted) is PRIVATE_KEYS.get(dotted) is None


@pytest.mark.parametrize("number", [30, 31])
def test_keys_of_rsa_with_shake_are_those_of_rsa(number: int) -> None:
    """RFC 8692 section 5."""
    assert PUBLIC_KEYS.get(f"{PKIX}.{number}") is RSAPublicKey
    assert PRIVATE_KEYS.get(f"{PKIX}.{number}") is RSAPrivateKey


def test_the_length_of_the_hash_value_is_a_parameter() -> None:
    """RFC 8419 section 2.2, and the register of NIST for SHAKE128."""
    for number, hash_name in ((17, "shake_128"), (18, "shake_256")):
        algorithm = AlgorithmIdentifier(algorithm=f"{NIST}.2.{number}", parameters=512)
        assert algorithm.encode()[-4:].hex() == "02020200"
        assert (read(AlgorithmIdentifier, algorithm.encode()).parameters, algorithm.hash_name) == (512, hash_name)


# --- RSASSA-PSS and RSAES-OAEP: the values in the tests of pyasn1-alt-modules for RFC 4055 (BSD-2)

MGF1 = "06092a864886f70d010108"
PSS = "06092a864886f70d01010a"
OAEP = "06092a864886f70d010107"


def parts_of(algorithm: Any) -> tuple[str, Any]:
    return algorithm.algorithm.name, algorithm.parameters


def mask_of(algorithm: Any) -> tuple[str, str]:
    return algorithm.algorithm.name, algorithm.parameters.algorithm.name


def test_parameters_of_rsassa_pss() -> None:
    octets = bytes.fromhex(
        f"303c{PSS}302fa00f300d06096086480165030402030500a11c301a{MGF1}300d06096086480165030402030500"
    )
    algorithm = read(AlgorithmIdentifier, octets)
    assert algorithm.hash_name == "sha512"
    assert type(algorithm.parameters) is RSASSAPSSParams
    assert parts_of(algorithm.parameters.hash_algorithm) == ("id-sha512", NULL)
    assert mask_of(algorithm.parameters.mask_gen_algorithm) == ("id-mgf1", "id-sha512")
    assert (algorithm.parameters.salt_length, algorithm.parameters.trailer_field) == (20, 1)


def test_parameters_of_rsaes_oaep() -> None:
    octets = bytes.fromhex(
        f"3053{OAEP}3046a00f300d06096086480165030402020500a11c301a{MGF1}300d06096086480165030402020500"
        "a215301306092a864886f70d0101090406666f6f626172"
    )
    parameters = read(AlgorithmIdentifier, octets).parameters
    assert type(parameters) is RSAESOAEPParams
    assert parts_of(parameters.hash_func) == ("id-sha384", NULL)
    assert mask_of(parameters.mask_gen_func) == ("id-mgf1", "id-sha384")
    assert parts_of(parameters.p_source_func) == ("id-pSpecified", b"foobar")


SHA1 = bytes.fromhex("300906052b0e03021a0500")
MGF1_SHA1 = der(0x30, bytes.fromhex(MGF1), SHA1)
EMPTY_LABEL = der(0x30, bytes.fromhex("06092a864886f70d010109"), der(0x04))


@pytest.mark.parametrize(
    ("cls", "field", "tag", "default"),
    [
        (RSASSAPSSParams, "hash_algorithm", 0xA0, SHA1),
        (RSASSAPSSParams, "mask_gen_algorithm", 0xA1, MGF1_SHA1),
        (RSASSAPSSParams, "salt_length", 0xA2, der(0x02, b"\x14")),
        (RSASSAPSSParams, "trailer_field", 0xA3, der(0x02, b"\1")),
        (RSAESOAEPParams, "hash_func", 0xA0, SHA1),
        (RSAESOAEPParams, "mask_gen_func", 0xA1, MGF1_SHA1),
        (RSAESOAEPParams, "p_source_func", 0xA2, EMPTY_LABEL),
    ],
    ids=lambda part: None if isinstance(part, bytes) else getattr(part, "__name__", str(part)),
)
def test_a_default_is_not_encoded(cls: Any, field: str, tag: int, default: bytes) -> None:
    """X.690 11.5."""
    value = getattr(read(cls, der(0x30)), field)
    assert derlib.encode(value, type(value)) == default
    assert cls(**{field: value}).encode() == der(0x30)
    with pytest.raises(derlib.DefaultError, match=field):
        cls.decode(der(0x30, der(tag, default)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("id-sha256", hashlib.sha256(b"data").digest()),
        ("sha1WithRSAEncryption", hashlib.sha1(b"data").digest()),
        ("id-sha3-512", hashlib.sha3_512(b"data").digest()),
        ("id-shake128", hashlib.shake_128(b"data").digest(32)),
        ("id-shake256", hashlib.shake_256(b"data").digest(64)),
    ],
)
def test_digest_hashes_with_the_named_function(name: str, expected: bytes) -> None:
    algorithm = AlgorithmIdentifier.of(name)
    assert algorithm.digest(b"data") == algorithm.digest(memoryview(b"data")) == expected


@pytest.mark.parametrize("name", ["id-Ed25519", "rsaEncryption", "2.999.1"])
def test_digest_without_a_hash_function(name: str) -> None:
    with pytest.raises(derlib.ASN1Error, match="does not name a hash function"):
        AlgorithmIdentifier.of(name).digest(b"")

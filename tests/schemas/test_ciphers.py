"""The parameters of ciphers, key wrapping and message authentication codes."""

from __future__ import annotations

from typing import Any

import pytest
from support.der import der

import derlib
from derlib import NULL, oids
from derlib.schemas import algorithms, ciphers

OCTET = der(0x04, b"\7")

CASES: list[tuple[Any, bytes, Any]] = [
    (ciphers.GCMParameters, der(0x30, OCTET), {"aes_nonce": b"\7", "aes_icv_len": 12}),
    (ciphers.GCMParameters, der(0x30, OCTET, der(0x02, b"\x10")), {"aes_nonce": b"\7", "aes_icv_len": 16}),
    (
        ciphers.CCMParameters,
        der(0x30, der(0x04, bytes(7)), der(0x02, b"\4")),
        {"aes_nonce": bytes(7), "aes_icv_len": 4},
    ),
    (
        ciphers.RC2CBCParameter,
        der(0x30, der(0x02, b"\x3a"), der(0x04, bytes(8))),
        {"rc2_parameter_version": 58, "iv": bytes(8)},
    ),
    (
        ciphers.RC5CBCParameters,
        der(0x30, der(0x02, b"\x10"), der(0x02, b"\x0c"), der(0x02, b"\x40")),
        {"version": "v1_0", "rounds": 12, "block_size_in_bits": 64},
    ),
    (
        ciphers.KMACwithSHAKE128Params,
        der(0x30, OCTET),
        {"kmac_output_length": 256, "customization_string": b"\7"},
    ),
    (
        ciphers.KMACwithSHAKE256Params,
        der(0x30, der(0x02, b"\1\0")),
        {"kmac_output_length": 256, "customization_string": b""},
    ),
]


@pytest.mark.parametrize(("cls", "encoding", "value"), CASES, ids=[case[0].__name__ for case in CASES])
def test_each_type_has_the_tags_of_its_rfc(cls: Any, encoding: bytes, value: Any) -> None:
    assert derlib.encode(value, cls).hex(" ") == encoding.hex(" ")
    assert derlib.decode(cls, encoding) == cls(**value)


@pytest.mark.parametrize(
    ("cls", "value"),
    [
        (ciphers.GCMParameters, {"aes_nonce": b"", "aes_icv_len": 11}),
        (ciphers.CCMParameters, {"aes_nonce": bytes(7), "aes_icv_len": 5}),
        (ciphers.CCMParameters, {"aes_nonce": bytes(6)}),
        (ciphers.RC5CBCParameters, {"version": 17, "rounds": 12, "block_size_in_bits": 64}),
    ],
)
def test_constraints_of_the_rfcs(cls: Any, value: Any) -> None:
    with pytest.raises(derlib.ConstraintError):
        cls(**value)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("id-aes256-CBC", bytes(16)),
        ("id-aes128-GCM", ciphers.GCMParameters(aes_nonce=bytes(12))),
        ("id-aes192-CCM", ciphers.CCMParameters(aes_nonce=bytes(12))),
        ("des-EDE3-CBC", bytes(8)),
        ("id-camellia128-cbc", bytes(16)),
        ("id-alg-AEADChaCha20Poly1305", bytes(12)),
        ("id-hmacWithSHA256", NULL),
        (
            "dhSinglePass-stdDH-sha256kdf-scheme",
            algorithms.AlgorithmIdentifier(algorithm=oids.oid_of("id-aes128-wrap")),
        ),
    ],
)
def test_algorithms_have_the_parameters_of_their_rfc(name: str, parameters: object) -> None:
    identifier = algorithms.AlgorithmIdentifier(algorithm=oids.oid_of(name), parameters=parameters)
    read = algorithms.AlgorithmIdentifier.decode(identifier.encode())
    assert (read.algorithm.name, read.parameters) == (name, parameters)
    with pytest.raises(derlib.ConstraintError):
        algorithms.AlgorithmIdentifier(algorithm=oids.oid_of(name), parameters="text")


@pytest.mark.parametrize(
    ("name", "octets", "value"),
    [
        ("id-seedCBC", der(0x04, bytes(16)), bytes(16)),
        ("id-aes256-OFB", der(0x04, bytes(16)), bytes(16)),
        ("id-aes128-ECB", b"\4\0", b""),
        ("id-aria192-cbc", der(0x04, bytes(16)), bytes(16)),
        ("id-aria256-gcm", der(0x30, OCTET), ciphers.GCMParameters(aes_nonce=b"\7")),
        ("blowfishCBC", der(0x04, bytes(8)), bytes(8)),
        ("ripemd160", b"\5\0", NULL),
        ("id-sha3-512", b"\5\0", NULL),
    ],
)
def test_parameters_that_openssl_writes(name: str, octets: bytes, value: Any) -> None:
    algorithm = algorithms.AlgorithmIdentifier.of(name, value)
    assert algorithm.encode().endswith(octets)
    assert algorithms.AlgorithmIdentifier.decode(algorithm.encode()).parameters == value


@pytest.mark.parametrize("name", [name for _, name, _ in ciphers._BY_USE])
def test_other_parameters_are_opaque_where_no_standard_has_a_form(name: str) -> None:
    other = algorithms.AlgorithmIdentifier(
        algorithm=oids.oid_of(name), parameters=derlib.parse(bytes.fromhex("020107"))
    )
    assert isinstance(algorithms.AlgorithmIdentifier.decode(other.encode()).parameters, derlib.TLV)

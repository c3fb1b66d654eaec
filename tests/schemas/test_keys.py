"""Private keys and password-based encryption: hand-written encodings, and keys that cryptography and openssl write."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, rsa, x448, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from support.der import der

import derlib
from derlib import (
    NULL,
    BitString,
    ConstraintError,
    DecodeError,
    EncryptedKeyError,
    ObjectIdentifier,
    PEMError,
    oids,
    pem,
)
from derlib.schemas import keys
from derlib.schemas.algorithms import RSAPublicKey
from derlib.schemas.keys import EncryptedPrivateKeyInfo, OneAsymmetricKey, PBES2Params, PrivateKeyInfo
from derlib.schemas.x509 import SubjectPublicKeyInfo

OID = der(0x06, b"\x88\x37\x01")  # 2.999.1
ALGORITHM = der(0x30, OID)
OCTET = der(0x04, b"\7")
SALT = der(0x04, bytes(8))
INTEGER = der(0x02, b"\2")
HMAC_SHA256 = der(0x30, bytes.fromhex("06082a864886f70d0209"), der(0x05))

algorithm = {"algorithm": "2.999.1"}
primes = dict.fromkeys(("prime", "exponent", "coefficient"), 2)
rsa_key: dict[str, Any] = {
    "version": "multi",
    "modulus": 2,
    "public_exponent": 2,
    "private_exponent": 2,
    "prime1": 2,
    "prime2": 2,
    "exponent1": 2,
    "exponent2": 2,
    "coefficient": 2,
    "other_prime_infos": [primes],
}

CASES: list[tuple[Any, bytes, dict[str, Any]]] = [
    (
        OneAsymmetricKey,
        der(0x30, der(0x02, b"\1"), ALGORITHM, OCTET, der(0xA0), der(0x81, b"\0\7")),
        {
            "version": "v2",
            "private_key_algorithm": algorithm,
            "private_key": b"\7",
            "attributes": [],
            "public_key": BitString(b"\7"),
        },
    ),
    (
        EncryptedPrivateKeyInfo,
        der(0x30, ALGORITHM, OCTET),
        {"encryption_algorithm": algorithm, "encrypted_data": b"\7"},
    ),
    (keys.RSAPrivateKey, der(0x30, der(0x02, b"\1"), INTEGER * 8, der(0x30, der(0x30, INTEGER * 3))), rsa_key),
    (
        keys.ECPrivateKey,
        der(0x30, der(0x02, b"\1"), OCTET, der(0xA0, OID), der(0xA1, der(0x03, b"\0\7"))),
        {
            "version": 1,
            "private_key": b"\7",
            "parameters": {"named_curve": "2.999.1"},
            "public_key": BitString(b"\7"),
        },
    ),
    (
        keys.DSAPrivateKey,
        der(0x30, der(0x02, b"\0"), INTEGER * 5),
        {"version": 0, "p": 2, "q": 2, "g": 2, "public_key": 2, "private_key": 2},
    ),
    (keys.ValidationParams, der(0x30, OID, OCTET), {"hash_alg": "2.999.1", "seed": b"\7"}),
    (keys.PBEParameter, der(0x30, SALT, INTEGER), {"salt": bytes(8), "iteration_count": 2}),
    (
        PBES2Params,
        der(0x30, ALGORITHM, ALGORITHM),
        {"key_derivation_func": algorithm, "encryption_scheme": algorithm},
    ),
    (
        keys.PBMAC1Params,
        der(0x30, ALGORITHM, ALGORITHM),
        {"key_derivation_func": algorithm, "message_auth_scheme": algorithm},
    ),
    (keys.PBKDF2Params, der(0x30, SALT, INTEGER), {"salt": {"specified": bytes(8)}, "iteration_count": 2}),
    (
        keys.PBKDF2Params,
        der(0x30, ALGORITHM, INTEGER, INTEGER, HMAC_SHA256),
        {
            "salt": {"other_source": algorithm},
            "iteration_count": 2,
            "key_length": 2,
            "prf": {"algorithm": "1.2.840.113549.2.9", "parameters": NULL},
        },
    ),
    (
        keys.ScryptParams,
        der(0x30, SALT, INTEGER, INTEGER, INTEGER, INTEGER),
        {
            "salt": bytes(8),
            "cost_parameter": 2,
            "block_size": 2,
            "parallelization_parameter": 2,
            "key_length": 2,
        },
    ),
]


@pytest.mark.parametrize(("cls", "encoding", "value"), CASES, ids=[case[0].__name__ for case in CASES])
def test_each_type_has_the_tags_of_its_rfc(cls: Any, encoding: bytes, value: dict[str, Any]) -> None:
    assert cls(**value).encode().hex(" ") == encoding.hex(" ")
    assert cls.decode(encoding) == cls(**value)


def test_the_default_pseudorandom_function_is_hmac_with_sha1() -> None:
    params = keys.PBKDF2Params(salt={"specified": b""}, iteration_count=1)
    assert (params.prf.algorithm.name, params.prf.parameters) == ("id-hmacWithSHA1", NULL)
    encoded = der(0x30, der(0x04), INTEGER, der(0x30, bytes.fromhex("06082a864886f70d0207"), der(0x05)))
    with pytest.raises(derlib.DefaultError, match="prf"):
        keys.PBKDF2Params.decode(encoded)


@pytest.mark.parametrize(
    ("cls", "value"),
    [
        (keys.PBEParameter, {"salt": bytes(7), "iteration_count": 1}),
        (keys.PBKDF2Params, {"salt": {"specified": b""}, "iteration_count": 0}),
        (keys.ScryptParams, {"salt": b"", "cost_parameter": 0, "block_size": 1, "parallelization_parameter": 1}),
        (keys.ECPrivateKey, {"version": 2, "private_key": b""}),
        (keys.DSAPrivateKey, {"version": 1, "p": 2, "q": 2, "g": 2, "public_key": 2, "private_key": 2}),
        (keys.RSAPrivateKey, {**rsa_key, "other_prime_infos": []}),
    ],
)
def test_constraints_of_the_rfcs(cls: Any, value: dict[str, Any]) -> None:
    with pytest.raises(derlib.ConstraintError):
        cls(**value)


def pkcs8(key: Any, encryption: Any = None) -> bytes:
    encryption = encryption or serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, encryption)


RSA = rsa.generate_private_key(65537, 1024)


def test_rsa_keys() -> None:
    read = PrivateKeyInfo.decode(pkcs8(RSA))
    numbers = RSA.private_numbers()
    key = read.private_key
    assert (type(key), key.version, read.private_key_algorithm.parameters) == (keys.RSAPrivateKey, 0, NULL)
    assert (key.modulus, key.prime1, key.prime2) == (numbers.public_numbers.n, numbers.p, numbers.q)
    assert (key.exponent1, key.exponent2, key.coefficient) == (numbers.dmp1, numbers.dmq1, numbers.iqmp)
    assert PrivateKeyInfo.from_native(read.to_native()).encode() == pkcs8(RSA)


def test_elliptic_curve_keys() -> None:
    made = ec.generate_private_key(ec.SECP256R1())
    read = PrivateKeyInfo.decode(pkcs8(made))
    assert read.private_key_algorithm.parameters.named_curve.name == "secp256r1"
    assert int.from_bytes(read.private_key.private_key, "big") == made.private_numbers().private_value
    assert read.private_key.public_key.bytes[0] == 4
    assert PrivateKeyInfo.from_native(read.to_native()).encode() == pkcs8(made)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (ed25519.Ed25519PrivateKey, "id-Ed25519"),
        (ed448.Ed448PrivateKey, "id-Ed448"),
        (x25519.X25519PrivateKey, "id-X25519"),
        (x448.X448PrivateKey, "id-X448"),
    ],
)
def test_keys_of_rfc_8410_are_the_octets_of_the_inner_string(kind: Any, name: str) -> None:
    made = kind.generate()
    read = PrivateKeyInfo.decode(pkcs8(made))
    assert (read.private_key_algorithm.algorithm.name, read.private_key) == (name, made.private_bytes_raw())
    assert PrivateKeyInfo.from_native(read.to_native()).encode() == pkcs8(made)


@pytest.mark.parametrize("name", ["id-dsa", "dhpublicnumber", "dhKeyAgreement"])
def test_keys_of_dsa_and_diffie_hellman_are_integers(name: str) -> None:
    oid = derlib.encode(oids.oid_of(name), ObjectIdentifier)
    encoding = der(0x30, der(0x02, b"\0"), der(0x30, oid), der(0x04, INTEGER))
    assert PrivateKeyInfo.decode(encoding).private_key == 2


def test_a_key_of_an_unknown_algorithm_is_bytes() -> None:
    encoding = der(0x30, der(0x02, b"\0"), ALGORITHM, der(0x04, b"not DER"))
    assert PrivateKeyInfo.decode(encoding).private_key == b"not DER"


def test_a_key_that_is_not_of_its_algorithm_is_an_error() -> None:
    ed = der(0x30, bytes.fromhex("06032b6570"))
    with pytest.raises(derlib.DecodeError) as caught:
        PrivateKeyInfo.decode(der(0x30, der(0x02, b"\0"), ed, der(0x04, b"\2\1\5")))
    assert caught.value.path == ("private_key",)


def test_a_later_version_can_add_fields() -> None:
    encoding = der(0x30, der(0x02, b"\2"), ALGORITHM, OCTET, der(0x81, b"\0\7"), der(0x82, b"\1"))
    read = OneAsymmetricKey.decode(encoding)
    assert len(read.unknown_additions) == 1
    assert read.encode() == encoding


def test_keys_that_cryptography_encrypts() -> None:
    octets = pkcs8(RSA, serialization.BestAvailableEncryption(b"password"))
    read = EncryptedPrivateKeyInfo.decode(octets)
    params = read.encryption_algorithm.parameters
    assert type(params) is PBES2Params
    assert params.key_derivation_func.parameters.prf.algorithm.name.startswith("id-hmacWithSHA")
    assert len(params.encryption_scheme.parameters) == 16
    assert EncryptedPrivateKeyInfo.from_native(read.to_native()).encode() == octets


@pytest.mark.parametrize(
    ("arguments", "scheme", "parameters"),
    [
        (("-v2", "aes-256-cbc"), "id-PBES2", PBES2Params),
        (("-v2", "des3", "-v2prf", "hmacWithSHA512"), "id-PBES2", PBES2Params),
        (("-scrypt",), "id-PBES2", PBES2Params),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_keys_that_openssl_encrypts(openssl, arguments: tuple[str, ...], scheme: str, parameters: Any) -> None:
    text = openssl("pkcs8", "-topk8", "-in", "ec.key", "-passout", "pass:x", *arguments)
    [octets] = pem.decode(text, "ENCRYPTED PRIVATE KEY")
    read = EncryptedPrivateKeyInfo.decode(octets)
    assert read.encryption_algorithm.algorithm.name == scheme
    assert type(read.encryption_algorithm.parameters) is parameters
    inner = read.encryption_algorithm.parameters
    expected = keys.ScryptParams if arguments == ("-scrypt",) else keys.PBKDF2Params
    assert type(inner.key_derivation_func.parameters) is expected
    assert EncryptedPrivateKeyInfo.from_native(read.to_native()).encode() == octets


def test_each_kind_of_key_has_the_name_of_its_standard() -> None:
    for oid in keys.PRIVATE_KEYS:
        assert ObjectIdentifier(oids.oid_of(oid.name)) == oid
        assert oid.name != oid.dotted


def _traditional(key: Any) -> bytes:
    return key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())


@pytest.mark.parametrize(
    ("cls", "key"),
    [
        (keys.RSAPrivateKey, rsa.generate_private_key(65537, 1024)),
        (keys.ECPrivateKey, ec.generate_private_key(ec.SECP384R1())),
        (keys.DSAPrivateKey, dsa.generate_private_key(1024)),
    ],
    ids=["RSA", "EC", "DSA"],
)
def test_a_key_of_an_older_file_becomes_pkcs8_and_has_its_public_key(cls: Any, key: Any) -> None:
    old = cls.decode(_traditional(key))
    made = PrivateKeyInfo.of(old)
    assert made.encode() == key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert old.public_key_info.encode() == public
    if cls is keys.DSAPrivateKey:
        assert made.public_key_info is None  # It is not a part of PKCS #8.
    else:
        assert made.public_key_info is not None
        assert made.public_key_info.encode() == public


def test_read_finds_the_private_key_in_a_file_of_any_form() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    old, new = _traditional(key), key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    with_parameters = pem.encode(b"\x05\x00", "EC PARAMETERS") + pem.encode(old, "EC PRIVATE KEY")
    for data in (old, new, pem.encode(old, "EC PRIVATE KEY"), pem.encode(new, "PRIVATE KEY"), with_parameters):
        assert PrivateKeyInfo.read(data).encode() == new
        if isinstance(data, str):
            assert PrivateKeyInfo.read(data.encode()).encode() == new


def test_another_value_is_not_a_key_of_an_older_file() -> None:
    pkcs8 = PrivateKeyInfo(version="v1", private_key_algorithm=algorithm, private_key=b"")  # type: ignore[arg-type]
    public = RSAPublicKey(modulus=703710, public_exponent=257)
    for value, remedy in ((b"1", "read(data) reads a file"), (pkcs8, "the PKCS #8 form already"), (public, "Public")):
        with pytest.raises(TypeError, match=r"^expected RSAPrivateKey, ECPrivateKey or DSAPrivateKey, got ") as caught:
            PrivateKeyInfo.of(value)  # type: ignore[arg-type]
        assert remedy in str(caught.value)
    with pytest.raises(TypeError, match=r"^expected RSAPublicKey, got bytes; SubjectPublicKeyInfo\.read\(data\) reads"):
        SubjectPublicKeyInfo.of(b"1")  # type: ignore[arg-type]


def test_decode_of_another_form_names_the_method_that_reads_it() -> None:
    numbers = RSAPublicKey(modulus=703710, public_exponent=257)
    with pytest.raises(DecodeError, match=r"SubjectPublicKeyInfo\.read also reads an RSAPublicKey"):
        SubjectPublicKeyInfo.decode(numbers.encode())
    with pytest.raises(DecodeError, match=r"PrivateKeyInfo\.read also reads keys that are not PKCS #8"):
        PrivateKeyInfo.decode(keys.RSAPrivateKey.from_native(rsa_key).encode())


def test_a_public_key_file_of_any_form() -> None:
    private = rsa.generate_private_key(65537, 1024)
    public = private.public_key()
    pkcs1 = public.public_bytes(Encoding.DER, PublicFormat.PKCS1)
    info = SubjectPublicKeyInfo.decode(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    assert SubjectPublicKeyInfo.of(RSAPublicKey.decode(pkcs1)) == info
    for form in (PublicFormat.PKCS1, PublicFormat.SubjectPublicKeyInfo):
        for encoding in (Encoding.DER, Encoding.PEM):
            assert SubjectPublicKeyInfo.read(public.public_bytes(encoding, form)) == info
    with pytest.raises(PEMError, match="no PEM block labelled PUBLIC KEY or RSA PUBLIC KEY"):
        SubjectPublicKeyInfo.read(pem.encode(pkcs1, "OTHER"))
    with pytest.raises(DecodeError):
        SubjectPublicKeyInfo.read(der(0x05))
    # The error is that of the type that the damaged key has.
    rsa_key, info = der(0x30, b"\2\1\7\5\0"), der(0x30, der(0x30, b"\5\0"))
    for damaged, path in ((rsa_key, "public_exponent"), (info, "algorithm.algorithm")):
        with pytest.raises(DecodeError, match=f"^{path} at offset .*, found NULL"):
            SubjectPublicKeyInfo.read(damaged)


def test_read_without_one_readable_private_key() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    encrypted = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    for data in (encrypted, pem.one(encrypted)):
        with pytest.raises(EncryptedKeyError, match=r"^the private key is encrypted; EncryptedPrivateKeyInfo reads"):
            PrivateKeyInfo.read(data)
    older = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, BestAvailableEncryption(b"secret"))
    with pytest.raises(EncryptedKeyError, match="is encrypted in the old format of OpenSSL"):
        PrivateKeyInfo.read(older)
    text = pem.encode(_traditional(key), "EC PRIVATE KEY")
    with pytest.raises(PEMError, match='2 PEM blocks labelled "EC PRIVATE KEY", expected one'):
        PrivateKeyInfo.read(text + text)
    with pytest.raises(PEMError, match='there is "CERTIFICATE"'):
        PrivateKeyInfo.read(pem.encode(b"\x05\x00", "CERTIFICATE"))
    with pytest.raises(PEMError, match=r"^no PEM block labelled PRIVATE KEY or .*; the data is empty$"):
        PrivateKeyInfo.read(b"")
    # The error has the name that the caller wrote, not the other one of RFC 5958.
    with pytest.raises(DecodeError, match="the identifier octets of PrivateKeyInfo are complete"):
        PrivateKeyInfo.decode(b"")
    with pytest.raises(DecodeError) as caught:
        PrivateKeyInfo.read(b"\x30\x00")
    assert caught.value.hint == "derlib.identify finds the type of the input"


def test_read_says_what_another_file_is() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    pfx = serialize_key_and_certificates(b"name", key, None, None, BestAvailableEncryption(b"secret"))
    with pytest.raises(DecodeError) as caught:
        PrivateKeyInfo.read(pfx)
    assert caught.value.hint == "the input is a PFX, which derlib.schemas.pkcs12.PFX.decode reads"
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    with pytest.raises(DecodeError, match=r"is a SubjectPublicKeyInfo, which derlib\.schemas\.public_keys\."):
        PrivateKeyInfo.read(public)


def test_the_public_key_of_version_2() -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    info = PrivateKeyInfo.decode(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
    assert info.public_key_info is None
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    second = info.replace(version=keys.Version.v2, public_key=BitString(public))
    assert second.public_key_info is not None
    expected = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert second.public_key_info.encode() == expected
    # The bits are those of a certificate, for DSA an INTEGER (RFC 5958 section 2).
    old = keys.DSAPrivateKey(version=0, p=23, q=11, g=4, public_key=8, private_key=7)
    made = PrivateKeyInfo.of(old).replace(version=keys.Version.v2, public_key=BitString(b"\x02\x01\x08"))
    assert made.public_key_info == old.public_key_info
    with pytest.raises(DecodeError, match="expected INTEGER, found NULL"):
        _ = made.replace(public_key=BitString(b"\x05\x00")).public_key_info


def test_an_ec_key_without_its_curve() -> None:
    old = keys.ECPrivateKey(version=keys.ECPrivateKeyVersion(1), private_key=b"1" * 32)
    assert old.public_key_info is None
    for call in (lambda: PrivateKeyInfo.of(old), lambda: PrivateKeyInfo.read(old.encode())):
        with pytest.raises(ConstraintError, match="does not have its parameters"):
            call()
    named = old.replace(parameters={"named_curve": "1.2.840.10045.3.1.7"})
    assert named.public_key_info is None
    assert PrivateKeyInfo.of(named).public_key_info is None


def test_the_parameters_of_pkcs_12_encryption_are_read_without_the_module_of_pkcs_12() -> None:
    program = """
from derlib.schemas.keys import EncryptedPrivateKeyInfo
key = bytes.fromhex("3019 3014 060a2a864886f70d010c0103 3006 040131 020102 040178")
print(EncryptedPrivateKeyInfo.decode(key).encryption_algorithm.parameters)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "PKCS12PBEParams(salt=b'1', iterations=2)\n"

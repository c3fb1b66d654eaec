"""Private keys of ML-DSA and ML-KEM, and the key files of cryptography_vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.der import der
from support.rebuilt import read

import derlib
from derlib import ObjectIdentifier, pem
from derlib.schemas import keys_pq
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.keys import PRIVATE_KEYS, PrivateKeyInfo, ValidationParams

SIZES: list[tuple[str, Any, int, int]] = [
    ("2.16.840.1.101.3.4.3.17", keys_pq.MLDSA44PrivateKey, 32, 2560),
    ("2.16.840.1.101.3.4.3.18", keys_pq.MLDSA65PrivateKey, 32, 4032),
    ("2.16.840.1.101.3.4.3.19", keys_pq.MLDSA87PrivateKey, 32, 4896),
    ("2.16.840.1.101.3.4.4.1", keys_pq.MLKEM512PrivateKey, 64, 1632),
    ("2.16.840.1.101.3.4.4.2", keys_pq.MLKEM768PrivateKey, 64, 2400),
    ("2.16.840.1.101.3.4.4.3", keys_pq.MLKEM1024PrivateKey, 64, 3168),
]


@pytest.mark.parametrize(("oid", "cls", "seed", "expanded"), SIZES)
def test_a_key_is_its_seed_its_expanded_form_or_both(oid: str, cls: Any, seed: int, expanded: int) -> None:
    assert PRIVATE_KEYS.get(oid) is cls
    forms: list[tuple[Any, bytes]] = [
        ({"seed": bytes(seed)}, der(0x80, bytes(seed))),
        ({"expanded_key": bytes(expanded)}, der(0x04, bytes(expanded))),
        (
            {"both": {"seed": bytes(seed), "expanded_key": bytes(expanded)}},
            der(0x30, der(0x04, bytes(seed)), der(0x04, bytes(expanded))),
        ),
    ]
    algorithm = der(0x30, derlib.encode(oid, ObjectIdentifier))
    for value, encoding in forms:
        assert cls(**value).encode() == encoding
        whole = der(0x30, der(0x02, b"\0"), algorithm, der(0x04, encoding))
        read = PrivateKeyInfo.decode(whole)
        assert read.private_key == cls(**value)
        assert PrivateKeyInfo.from_native(read.to_native()).encode() == whole
        assert PrivateKeyInfo.from_json(read.to_json()).encode() == whole
    for value in ({"seed": bytes(seed - 1)}, {"expanded_key": bytes(expanded + 1)}):
        with pytest.raises(derlib.ConstraintError):
            cls(**value)


def test_the_private_key_of_slh_dsa_has_no_encoding_of_its_own() -> None:
    # RFC 9909 Appendix A.1: SK.seed, SK.prf, PK.seed and PK.root, 16 bytes each.
    key = bytes.fromhex(
        "a2263bca45860836523160049523d621677fad90d51eb6067a327e0d1e64a501"
        "2b8109ec777caa4e1f024ccfcf9497d99180509280f4256af2b07af80289b494"
    )
    whole = bytes.fromhex("3052020100300b0609608648016503040314 0440") + key
    found = read(PrivateKeyInfo, whole)
    assert (found.kind, found.size, found.private_key) == ("SLH-DSA-SHA2-128s", None, key)
    assert derlib.identify(whole) is PrivateKeyInfo


def test_the_seed_of_a_key_is_an_attribute() -> None:
    # The attribute in the sample key of RFC 8479 Appendix A.
    octets = bytes.fromhex(
        "303d060a2b060104019208120801312f302d06096086480165030402020420"
        "8af4328c87bebcec31e303b8f5537effcb6a91d947084d99a369823b36f01462"
    )
    whole = der(0x30, der(0x02, b"\0"), der(0x30, der(0x06, b"\x88\x37\x01")), der(0x04), der(0xA0, octets))
    read = PrivateKeyInfo.decode(whole)
    assert read.attributes is not None
    [attribute] = read.attributes
    [value] = attribute.attr_values
    assert (type(value), value.hash_alg.name, len(value.seed)) == (ValidationParams, "id-sha384", 32)
    assert ATTRIBUTES.get(attribute.attr_type) is ValidationParams
    assert PrivateKeyInfo.from_native(read.to_native()).encode() == whole


FOLDER = Path(pytest.importorskip("cryptography_vectors").__file__).parent / "asymmetric"
FILES = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".pem", ".der"))

# Files that derlib refuses or does not know, with the reason.
REFUSED = {
    "dsa_public_key_invalid_bit_string.der": "an unused bit that is not 0 (X.690 11.2.1)",
    "dhpub_cryptography_old.pem": "white space inside base64 (RFC 7468 section 3)",
    "ec-invalid-version.pem": "version 17 (RFC 5915 section 3)",
    "enc-rsa-pkcs8-pbkdf2-0iter.pem": "an iteration count of 0 (RFC 8018 Appendix A.2)",
    "dsa-wrong-version.pem": "the version is not 0",
    "dsa.pub.pem": "the label DSA PUBLIC KEY, which no standard has",
}
OLD_ENCRYPTION = b"Proc-Type:"  # RFC 1421 headers, which RFC 7468 does not allow


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_keys_of_cryptography_vectors(path: Path) -> None:
    data = path.read_bytes()
    if path.name in REFUSED or OLD_ENCRYPTION in data:
        assert refused(data)
        return
    [octets] = pem.decode(data) if pem.is_pem(data) else [data]
    found: Any = derlib.identify(data)
    assert found.from_native(found.decode(octets).to_native()).encode() == octets


def refused(data: bytes) -> bool:
    try:
        found: Any = derlib.identify(data)
        if found is not None:
            found.decode(pem.decode(data)[0] if pem.is_pem(data) else data)
    except (derlib.ASN1Error, pem.PEMError):
        return True
    return found is None

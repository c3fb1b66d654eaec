"""PKCS #12: hand-written encodings, and files that openssl and cryptography write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import pkcs12 as theirs
from support.der import der

import derlib
from derlib import DecodeError, ObjectIdentifier, pem
from derlib.schemas import pkcs12
from derlib.schemas.crl import CertificateList
from derlib.schemas.pkcs12 import PFX, AuthenticatedSafe, CertBag, CRLBag, SafeBag, SafeContents
from derlib.schemas.x509 import Certificate

OID = der(0x06, b"\x88\x37\x01")  # 2.999.1
ALGORITHM = der(0x30, OID)
OCTET = der(0x04, b"\7")
DATA = der(0x30, bytes.fromhex("06092a864886f70d010701"), der(0xA0, OCTET))
DIGEST_INFO = der(0x30, ALGORITHM, OCTET)
SECRET = der(0x30, OID, der(0xA0, OCTET))
SDSI = der(0x30, bytes.fromhex("060a2a864886f70d01091602"), der(0xA0, der(0x16, b"()")))
BAG = der(0x30, bytes.fromhex("060b2a864886f70d010c0a0105"), der(0xA0, SECRET), der(0x31, der(0x30, OID, der(0x31))))

algorithm = {"algorithm": "2.999.1"}
digest_info = {"digest_algorithm": algorithm, "digest": b"\7"}
data = {"content_type": pkcs12.id_data, "content": b"\7"}
secret = {"secret_type_id": "2.999.1", "secret_value": derlib.parse(OCTET)}
bag = {
    "bag_id": pkcs12.id_secret_bag,
    "bag_value": pkcs12.SecretBag(**secret),
    "bag_attributes": [{"attr_id": "2.999.1", "attr_values": []}],
}

CASES: list[tuple[Any, bytes, Any]] = [
    (
        PFX,
        der(0x30, der(0x02, b"\3"), DATA, der(0x30, DIGEST_INFO, OCTET)),
        {"version": "v3", "auth_safe": data, "mac_data": {"mac": digest_info, "mac_salt": b"\7"}},
    ),
    (
        pkcs12.MacData,
        der(0x30, DIGEST_INFO, OCTET, der(0x02, b"\2")),
        {"mac": digest_info, "mac_salt": b"\7", "iterations": 2},
    ),
    (AuthenticatedSafe, der(0x30, DATA), [data]),
    (SafeContents, der(0x30, BAG), [bag]),
    (SafeBag, BAG, bag),
    (pkcs12.SecretBag, SECRET, secret),
    (CertBag, SDSI, {"cert_id": pkcs12.id_sdsi_certificate, "cert_value": "()"}),
    (CertBag, SECRET, {"cert_id": "2.999.1", "cert_value": derlib.parse(OCTET)}),
    (CRLBag, SECRET, {"crl_id": "2.999.1", "crlt_value": derlib.parse(OCTET)}),
    (pkcs12.PKCS12PBEParams, der(0x30, OCTET, der(0x02, b"\2")), {"salt": b"\7", "iterations": 2}),
]


@pytest.mark.parametrize(("cls", "encoding", "value"), CASES, ids=[case[0].__name__ for case in CASES])
def test_each_type_has_the_tags_of_its_rfc(cls: Any, encoding: bytes, value: Any) -> None:
    assert derlib.encode(value, cls).hex(" ") == encoding.hex(" ")
    assert derlib.decode(cls, encoding) == (cls(value) if isinstance(value, list) else cls(**value))


def test_the_bag_identifier_selects_the_type_of_the_bag(openssl) -> None:
    [ec_key] = pem.decode((openssl.folder / "ec.key").read_bytes(), "PRIVATE KEY")
    [certificate] = pem.decode((openssl.folder / "ec.pem").read_bytes(), "CERTIFICATE")
    [crl] = pem.decode((openssl.folder / "crl.pem").read_bytes(), "X509 CRL")
    inner = SafeContents([bag])
    values: list[tuple[ObjectIdentifier, str, Any, bytes]] = [
        (pkcs12.id_key_bag, "keyBag", pkcs12.PrivateKeyInfo.decode(ec_key), ec_key),
        (
            pkcs12.id_pkcs8_shrouded_key_bag,
            "pkcs8ShroudedKeyBag",
            pkcs12.EncryptedPrivateKeyInfo(encryption_algorithm=algorithm, encrypted_data=b"\7"),
            DIGEST_INFO,
        ),
        (
            pkcs12.id_cert_bag,
            "certBag",
            CertBag(cert_id=pkcs12.id_x509_certificate, cert_value=Certificate.decode(certificate)),
            der(0x30, bytes.fromhex("060a2a864886f70d01091601"), der(0xA0, der(0x04, certificate))),
        ),
        (
            pkcs12.id_crl_bag,
            "crlBag",
            CRLBag(crl_id=pkcs12.id_x509_crl, crlt_value=CertificateList.decode(crl)),
            der(0x30, bytes.fromhex("060a2a864886f70d01091701"), der(0xA0, der(0x04, crl))),
        ),
        (pkcs12.id_secret_bag, "secretBag", pkcs12.SecretBag(**secret), SECRET),
        (pkcs12.id_safe_contents_bag, "safeContentsBag", inner, inner.encode()),
    ]
    for bag_id, name, value, encoding in values:
        made = SafeBag(bag_id=bag_id, bag_value=value)
        assert made.encode() == der(0x30, derlib.encode(bag_id, ObjectIdentifier), der(0xA0, encoding))
        read = SafeBag.decode(made.encode())
        assert (read.bag_value, type(read.bag_value), read.bag_id.name) == (value, type(value), name)
    assert type(SafeBag(bag_id=pkcs12.id_cert_bag, bag_value=values[2][2]).bag_value.cert_value) is Certificate
    assert type(SafeBag(bag_id=pkcs12.id_crl_bag, bag_value=values[3][2]).bag_value.crlt_value) is CertificateList


def test_attributes_of_a_bag() -> None:
    attributes = [
        {"attr_id": pkcs12.id_friendly_name, "attr_values": ["my key"]},
        {"attr_id": pkcs12.id_local_key_id, "attr_values": [b"\1"]},
        {"attr_id": "2.999.1", "attr_values": []},
    ]
    found = SafeBag(**{**bag, "bag_attributes": attributes})
    assert found.get_attribute(pkcs12.id_friendly_name) == "my key"
    assert found.get_attribute("1.2.840.113549.1.9.21") == b"\1"
    assert found.get_attribute("2.999.1") is found.get_attribute("2.999.2") is None
    assert SafeBag(**{**bag, "bag_attributes": None}).get_attribute(pkcs12.id_friendly_name) is None


def bags(octets: bytes) -> list[str]:
    """Return the names of the bags and content types of a file, after checking that it round-trips at each level."""
    pfx = PFX.decode(octets)
    assert PFX.from_native(pfx.to_native()).encode() == octets
    safe = AuthenticatedSafe.decode(pfx.auth_safe.content)
    assert AuthenticatedSafe.from_native(safe.to_native()).encode() == pfx.auth_safe.content
    names: list[str] = []
    for part in safe:
        if part.content_type == pkcs12.id_data:
            contents = SafeContents.decode(part.content)
            assert SafeContents.from_native(contents.to_native()).encode() == part.content
            names += [found.bag_id.name for found in contents]
        else:
            scheme = part.content.encrypted_content_info.content_encryption_algorithm
            assert scheme.parameters is not None
            names.append(f"{part.content_type.name}: {scheme.algorithm.name}")
    return names


def test_bags_of_a_file() -> None:
    """The bags of the parts in the clear, in the DER and in the BER of the file; of a signed file, too."""
    safe = SafeContents([{**bag, "bag_attributes": [{"attr_id": pkcs12.id_friendly_name, "attr_values": ["a"]}]}, bag])
    locked = {
        "content_type": pkcs12.id_encrypted_data,
        "content": {
            "version": 0,
            "encrypted_content_info": {
                "content_type": pkcs12.id_data,
                "content_encryption_algorithm": {"algorithm": "2.999.1"},
            },
        },
    }
    parts = AuthenticatedSafe([{"content_type": pkcs12.id_data, "content": safe.encode()}, locked])
    pfx = PFX(version=3, auth_safe={"content_type": pkcs12.id_data, "content": parts.encode()})
    assert (pfx.authenticated_safe, pfx.bags) == (parts, tuple(safe))
    assert [found.content_type for found in parts if found.content in pfx.encrypted_parts] == [pkcs12.id_encrypted_data]
    assert [found.friendly_name for found in pfx.bags] == ["a", None]
    assert [found.local_key_id for found in pfx.bags] == [None, None]
    signed = pkcs12.SignedData(
        version=1,
        digest_algorithms=[],
        signer_infos=[],
        encap_content_info={"e_content_type": pkcs12.id_data, "e_content": parts.encode()},
    )
    other = PFX(version=3, auth_safe={"content_type": pkcs12.id_signed_data, "content": signed})
    assert other.bags == pfx.bags


def test_attributes_that_windows_and_java_add(openssl) -> None:
    pfx = PFX.decode(openssl.pkcs12("-CSP", "a provider", "-LMK"))
    [bag] = pfx.bags
    assert bag.get_attribute("szOID_PKCS_12_KEY_PROVIDER_NAME_ATTR") == "a provider"
    assert [a.attr_id.name for a in bag.bag_attributes if len(a.attr_values) == 0] == ["szOID_LOCAL_MACHINE_KEYSET"]
    # `keytool` marks a trusted certificate with anyExtendedKeyUsage.
    made = pkcs12.PKCS12Attribute(attr_id="2.16.840.1.113894.746875.1.1", attr_values=["2.5.29.37.0"])
    [value] = pkcs12.PKCS12Attribute.decode(made.encode()).attr_values
    assert (value.name, made.encode()[-6:].hex()) == ("anyExtendedKeyUsage", "0604551d2500")


def test_bags_of_a_file_that_has_none() -> None:
    wrong = PFX(version=3, auth_safe={"content_type": pkcs12.id_data, "content": b"\5\0"})
    with pytest.raises(DecodeError, match="expected AuthenticatedSafe, found NULL"):
        _ = wrong.bags
    unknown = PFX(version=3, auth_safe={"content_type": "2.999.1", "content": b"\5\0"})
    with pytest.raises(derlib.ASN1Error, match="neither Data nor SignedData"):
        _ = unknown.encrypted_parts


NO_ENCRYPTION = ("-keypbe", "NONE", "-certpbe", "NONE")
OLD_ENCRYPTION = ("-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), ["id-encryptedData: id-PBES2", "pkcs8ShroudedKeyBag"]),
        (OLD_ENCRYPTION, ["id-encryptedData: pbeWithSHAAnd3-KeyTripleDES-CBC", "pkcs8ShroudedKeyBag"]),
        (("-nomac", *NO_ENCRYPTION), ["certBag", "certBag", "keyBag"]),
        (NO_ENCRYPTION, ["certBag", "certBag", "keyBag"]),
        (("-nokeys", "-certpbe", "NONE"), ["certBag", "certBag"]),
    ],
    ids=lambda part: " ".join(part),
)
def test_files_of_openssl(openssl, arguments: tuple[str, ...], expected: list[str]) -> None:
    octets = openssl.pkcs12(*arguments)
    assert bags(octets) == expected
    assert (PFX.decode(octets).mac_data is None) == ("-nomac" in arguments)


def test_the_parts_of_a_file_are_typed(openssl) -> None:
    pfx = PFX.decode(openssl.pkcs12(*NO_ENCRYPTION))
    [certificates, key_bags] = [
        SafeContents.decode(part.content) for part in AuthenticatedSafe.decode(pfx.auth_safe.content)
    ]
    found = certificates[0].bag_value.cert_value
    assert type(found) is Certificate
    assert str(found.tbs_certificate.subject) == "CN=ec,O=Example"
    [key_bag] = key_bags
    assert key_bag.get_attribute(pkcs12.id_friendly_name) == "my key"
    assert key_bag.get_attribute(pkcs12.id_local_key_id) == certificates[0].get_attribute(pkcs12.id_local_key_id)
    assert key_bag.bag_value.private_key_algorithm.algorithm.name == "id-ecPublicKey"


def test_the_mac_is_that_of_the_content() -> None:
    """The bytes of the OCTET STRING are the input of the MAC (RFC 7292 section 5.1), here with an empty password."""
    key = ec.generate_private_key(ec.SECP256R1())
    encryption = (
        serialization.PrivateFormat.PKCS12.encryption_builder().kdf_rounds(5).hmac_hash(hashes.SHA256()).build(b"pw")
    )
    octets = theirs.serialize_key_and_certificates(b"name", key, None, None, encryption)
    pfx = PFX.decode(octets)
    assert pfx.mac_data.mac.digest_algorithm.algorithm.name == "id-sha256"
    derived = _pkcs12_key("pw", pfx.mac_data.mac_salt, pfx.mac_data.iterations)
    mac = HMAC(derived, hashes.SHA256())
    mac.update(pfx.auth_safe.content)
    mac.verify(pfx.mac_data.mac.digest)


def _pkcs12_key(password: str, salt: bytes, iterations: int) -> bytes:
    """Return a key for a MAC with SHA-256 (RFC 7292 Appendix B.2, for one block)."""
    import hashlib

    block = 64
    octets = (password + "\0").encode("utf-16-be")
    state = bytes([3]) * block
    for part in (salt, octets):
        state += (part * block)[: -(-len(part) // block) * block]
    for _ in range(iterations):
        state = hashlib.sha256(state).digest()
    return state


def test_parameters_of_pbmac1() -> None:
    """RFC 9579 section 4."""
    identifier = pkcs12.AlgorithmIdentifier(
        algorithm="1.2.840.113549.1.5.14",
        parameters=pkcs12.PBMAC1Params(
            key_derivation_func={
                "algorithm": "1.2.840.113549.1.5.12",
                "parameters": pkcs12.PBKDF2Params(salt={"specified": b"salt"}, iteration_count=2048, key_length=32),
            },
            message_auth_scheme={"algorithm": "1.2.840.113549.2.9", "parameters": derlib.NULL},
        ),
    )
    read = pkcs12.AlgorithmIdentifier.decode(identifier.encode())
    assert read.algorithm.name == "id-PBMAC1"
    assert read.parameters.key_derivation_func.parameters.key_length == 32
    assert read.parameters.message_auth_scheme.algorithm.name == "id-hmacWithSHA256"


VECTORS = Path(pytest.importorskip("cryptography_vectors").__file__).parent / "pkcs12"

# The MAC has its default number of iterations encoded.
NOT_DER = {"no-password.p12": "default-encoded"}


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.p12")), ids=lambda path: path.name)
def test_the_files_of_cryptography_vectors(path: Path) -> None:
    octets = path.read_bytes()
    if path.name in NOT_DER:
        with pytest.raises(derlib.DecodeError) as caught:
            PFX.decode(octets)
        assert caught.value.kind == NOT_DER[path.name]
    else:
        assert bags(octets)

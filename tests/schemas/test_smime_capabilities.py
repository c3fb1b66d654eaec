"""The capabilities of S/MIME software: in an attribute of a signature, and in an extension of a certificate."""

from __future__ import annotations

import pytest
from support.der import der

from derlib import ObjectIdentifier, oids
from derlib.schemas import smime, smime_capabilities
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.extensions import EXTENSIONS
from derlib.schemas.x509 import Extensions

CAPABILITIES = der(
    0x30,
    der(0x30, bytes.fromhex("060960864801650304012a")),
    der(0x30, bytes.fromhex("06082a864886f70d0302"), der(0x02, b"\0\x80")),
    der(0x30, bytes.fromhex("0603883701"), der(0x0C, b"unknown")),
)


def extensions(value: bytes) -> Extensions:
    return Extensions.decode(der(0x30, der(0x30, bytes.fromhex("06092a864886f70d01090f"), der(0x04, value))))


def test_attribute_and_extension_have_the_same_type() -> None:
    oid = smime.id_smime_capabilities
    assert smime.SMIMECapabilities is smime_capabilities.SMIMECapabilities
    assert ATTRIBUTES.get(oid) is EXTENSIONS.get(oid) is smime.SMIMECapabilities
    assert oid.name == "pkcs-9-at-smimeCapabilities" == ObjectIdentifier(oids.oid_of(oid.name)).name


def test_an_extension_of_a_certificate() -> None:
    """RFC 4262 section 2; the parameters of RC2 are the length of the key, RFC 8551 appendix A."""
    read = extensions(CAPABILITIES)
    found = read.get(smime.SMIMECapabilities)
    assert found is not None
    aes, rc2, unknown = found
    assert (aes.capability_id.name, aes.parameters) == ("id-aes256-CBC", None)
    assert (rc2.capability_id.name, rc2.parameters) == ("rc2CBC", 128)
    assert unknown.parameters.encode() == der(0x0C, b"unknown")
    assert Extensions.from_native(read.to_native()).encode() == read.der
    assert Extensions.from_json(read.to_json()).encode() == read.der


@pytest.mark.parametrize("value", [b"\5\0", der(0x30, der(0x30, der(0x05)))], ids=["NULL", "no identifier"])
def test_an_extension_of_another_type_is_opaque(value: bytes) -> None:
    assert extensions(value).get(smime.id_smime_capabilities) == value

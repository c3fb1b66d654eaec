"""Rare keys, names, addresses and times in the output of `cert` and `crl`."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from support.commands import CRL, YEAR_ZERO, der, extension, make_crl, put, rebuilt, run, run_json
from support.pages import example

from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Extension, GeneralName, Name, SubjectPublicKeyInfo

pytestmark = pytest.mark.usefixtures("empty_folder")

DATE_OF_BIRTH = bytes.fromhex("06082b06010505070901")


def shown(oid: str, value: bytes) -> list[str]:
    """Return the lines of an extension."""
    put(a_der=rebuilt(extensions=[Extension.decode(extension(oid, value))]))
    return run("cert", "a.der").stdout.partition("  extensions:\n")[2].splitlines()[1:]


def in_json(oid: str, value: bytes) -> Any:
    put(a_der=rebuilt(extensions=[Extension.decode(extension(oid, value))]))
    (found,) = run_json("cert", "a.der")[0]["certificate"]["extensions"]
    return found["value"]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (ec.generate_private_key(ec.SECP256R1()), "id-ecPublicKey, secp256r1, 256 bits"),
        (ed25519.Ed25519PrivateKey.generate(), "id-Ed25519, 32 bytes"),
        (dsa.generate_private_key(1024), "id-dsa, 1024 bits"),
    ],
    ids=["ec", "ed25519", "dsa"],
)
def test_a_key_is_shown_with_its_curve_or_size(key: Any, words: str) -> None:
    octets = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    put(a_der=rebuilt(subject_public_key_info=SubjectPublicKeyInfo.decode(octets)))
    assert f"  public key:     {words}\n" in run("cert", "a.der").stdout


def test_a_crl_without_a_version_is_v1() -> None:
    # RFC 5280 5.1.2.1: the field is present only in v2.
    crl = CertificateList.decode(make_crl(0))
    put(a_crl=crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(version=None, crl_extensions=None)).encode())
    assert "  version:        v1\n" in run("crl", "a.crl").stdout
    assert run_json("crl", "a.crl")[0]["crl"]["version"] == "v1"


@pytest.mark.parametrize(
    ("octets", "text"),
    [
        (bytes([192, 0, 2, 1]), "192.0.2.1"),
        (bytes([192, 0, 2, 0, 255, 255, 255, 0]), "192.0.2.0/255.255.255.0"),
        (bytes([0x20, 1, 0x0D, 0xB8, *bytes(11), 1]), "2001:db8::1"),
        (bytes([0x20, 1, 0x0D, 0xB8, *bytes(12), 255, 255, 255, 255, *bytes(12)]), "2001:db8::/ffff:ffff::"),
        # Other lengths are shown as bytes.
        (bytes([192, 0, 2, 1, 5]), "c0:00:02:01:05"),
        (b"", "(empty)"),
    ],
)
def test_an_address_can_have_a_mask(octets: bytes, text: str) -> None:
    # RFC 5280 4.2.1.10
    constraints = der(0x30, der(0xA0, der(0x30, der(0x87, octets))))
    assert f"ip_address: {text}" in [line.strip(" -") for line in shown("0603551d1e", constraints)]
    (subtree,) = in_json("0603551d1e", constraints)["permitted_subtrees"]
    assert subtree["base"] == {"ip_address": octets.hex() if len(octets) in (0, 5) else text}


def test_values_after_an_unrepresentable_time_in_a_list_are_shown() -> None:
    later = b"\x18\x0f20000101000000Z"
    attributes = der(0x30, der(0x30, DATE_OF_BIRTH, der(0x31, YEAR_ZERO, later)))
    lines = shown("0603551d09", attributes)
    assert [line.strip() for line in lines[-2:]] == ["- 00000101000000Z", "- 2000-01-01T00:00:00Z"]
    assert in_json("0603551d09", attributes)[0]["values"] == ["00000101000000Z", "2000-01-01T00:00:00Z"]


def test_an_unrepresentable_time_in_an_extension_is_shown_as_encoded() -> None:
    crl = CertificateList.decode(CRL)
    entries = crl.tbs_cert_list.revoked_certificates
    assert entries is not None
    dated = entries[0].replace(crl_entry_extensions=[Extension.decode(extension("0603551d18", YEAR_ZERO))])
    put(a_crl=crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(revoked_certificates=[dated])).encode())
    assert "id-ce-invalidityDate: 00000101000000Z\n" in run("crl", "a.crl").stdout
    ((entry,),) = [document["crl"]["entries"] for document in run_json("crl", "a.crl")]
    assert entry["extensions"][0]["value"] == "00000101000000Z"
    path = "tbs_cert_list.revoked_certificates[0].crl_entry_extensions[0].extn_value"
    assert run("grep", path, "a.crl").stdout.endswith(": 00000101000000Z\n")
    # A PrivateKeyUsagePeriod has two times, each in its own field.
    period = der(0x30, der(0x80, YEAR_ZERO[2:]), der(0x81, b"20000101000000Z"))
    assert shown("0603551d10", period) == ["      not_before: 00000101000000Z", "      not_after: 2000-01-01T00:00:00Z"]


def test_json_has_each_name_with_the_usual_names_of_its_attributes_too() -> None:
    name = Name.of({"CN": "Ann", "emailAddress": "ann@example.org"})
    shown = (str(name), "emailAddress=ann@example.org, CN=Ann")
    assert shown[0].startswith("1.2.840.113549.1.9.1=#16")
    alternative = Extension.decode(extension("0603551d11", der(0x30, GeneralName(directory_name=name).encode())))
    crl = CertificateList.decode(CRL)
    put(
        a_der=rebuilt(subject=name, issuer=name, extensions=[alternative]),
        b_crl=crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(issuer=name)).encode(),
        c_pem=example("request.pem"),
    )
    found = run_json("cert", "a.der")[0]["certificate"]
    assert run_json("show", "a.der")[0]["object"]["value"] == found
    assert (found["subject"], found["subject_display"]) == (found["issuer"], found["issuer_display"]) == shown
    directory_name = dict(zip(("directory_name", "directory_name_display"), shown, strict=True))
    assert found["extensions"][0]["value"] == [directory_name]
    found = run_json("crl", "b.crl")[0]["crl"]
    assert (found["issuer"], found["issuer_display"]) == shown
    request = run_json("show", "c.pem")[0]["object"]["value"]
    assert request["certification_request_info"]["subject_display"] == "CN=www.example.org, O=Example"


def test_an_unrepresentable_time_in_a_name_is_shown_in_hexadecimal() -> None:
    name = der(0x30, der(0x31, der(0x30, DATE_OF_BIRTH, YEAR_ZERO)))
    put(a_der=rebuilt(subject=Name.decode(name)))
    value = f"#{YEAR_ZERO.hex()}"
    assert f"  subject:        dateOfBirth={value}\n" in run("cert", "a.der").stdout
    assert run_json("cert", "a.der")[0]["certificate"]["subject"] == f"1.3.6.1.5.5.7.9.1={value}"

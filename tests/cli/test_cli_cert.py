"""`derlib cert`: the fields in text and in JSON."""

from __future__ import annotations

import pytest
from support.commands import CERTIFICATE, put, run, run_json

pytestmark = pytest.mark.usefixtures("empty_folder")


def test_cert_shows_every_field() -> None:
    put(a_der=CERTIFICATE)
    lines = [" ".join(line.split()) for line in run("cert", "a.der").stdout.splitlines()]
    for expected in (
        "version: v3",
        "serial: 0x1a2b",
        "signature: sha256WithRSAEncryption",
        "issuer: CN=Test CA",
        "subject: CN=Test",
        "not before: 2025-01-01T00:00:00Z",
        "public key: rsaEncryption, 1024 bits, exponent 65537",
        "id-ce-basicConstraints (critical)",
        "ca: true",
        "id-ce-keyUsage (critical)",
        "id-ce-subjectAltName",
        "- dns_name: example.org",
        "- ip_address: 192.0.2.1",
        "1.2.3.4",
        "de:ad",
    ):
        assert expected in lines


def test_cert_json_has_the_documented_keys() -> None:
    put(a_der=CERTIFICATE)
    (document,) = run_json("cert", "a.der")
    assert document.keys() == {"file", "certificate"}
    certificate = document["certificate"]
    assert " ".join(certificate) == (
        "version serial_number signature_algorithm issuer issuer_display not_before not_after subject"
        " subject_display public_key sha256 extensions"
    )
    assert certificate["serial_number"] == "0x1a2b"
    assert certificate["public_key"]["key"]["public_exponent"] == 65537
    assert certificate["public_key"]["key"]["modulus"].startswith("0xc100")
    constraints, _, names, unknown = certificate["extensions"]
    assert constraints == {
        "oid": "2.5.29.19",
        "name": "basicConstraints",
        "critical": True,
        "value": {"ca": True},
    }
    assert names["value"] == [{"dns_name": "example.org"}, {"ip_address": "c0000201"}]
    assert unknown["value"] == "dead"

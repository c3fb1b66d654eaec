"""`derlib cert`: the fields in text and in JSON."""

from __future__ import annotations

import pytest
from support.commands import CERTIFICATE, CRL, put, rebuilt, run, run_json

from derlib import BitString
from derlib.schemas.algorithms import AlgorithmIdentifier, RSASSAPSSParams
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate, sa_rsassa_pss_sha256

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
        "version serial_number signature_algorithm signature_parameters issuer issuer_display not_before not_after"
        " subject subject_display public_key issuer_unique_id subject_unique_id sha256 extensions signature_value"
    )
    assert (certificate["signature_parameters"], certificate["issuer_unique_id"]) == (None, None)
    signature = Certificate.decode(CERTIFICATE).signature_value
    assert certificate["signature_value"] == {"hex": signature.bytes.hex(), "unused_bits": signature.unused_bits}
    assert [certificate["public_key"][name] for name in ("kind", "size", "curve")] == ["RSA", 1024, None]
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


SHA1 = AlgorithmIdentifier.of("id-sha1")
SHA256_PARAMETERS = sa_rsassa_pss_sha256.parameters


@pytest.mark.parametrize(
    ("algorithm", "text"),
    [
        (sa_rsassa_pss_sha256, "id-RSASSA-PSS, id-sha256, salt of 32 bytes"),
        (AlgorithmIdentifier.of("id-RSASSA-PSS", RSASSAPSSParams()), "id-RSASSA-PSS, id-sha1, salt of 20 bytes"),
        (
            AlgorithmIdentifier.of("id-RSASSA-PSS", SHA256_PARAMETERS.replace(hash_algorithm=SHA1)),
            "id-RSASSA-PSS, id-sha1, mask by id-mgf1 algorithm: id-sha256; parameters: NULL, salt of 32 bytes",
        ),
        (AlgorithmIdentifier(algorithm="1.2.840.113549.1.1.10"), "id-RSASSA-PSS"),
        (AlgorithmIdentifier(algorithm="2.999", parameters=b"\2\1\5"), "2.999, parameters (opaque) 02:01:05"),
    ],
)
def test_the_parameters_of_the_signature(algorithm: AlgorithmIdentifier, text: str) -> None:
    certificate = Certificate.decode(CERTIFICATE).replace(signature_algorithm=algorithm)
    crl = CertificateList.decode(CRL).replace(signature_algorithm=algorithm)
    put(a_der=certificate.encode(), a_crl=crl.encode())
    for command, file, member in (("cert", "a.der", "certificate"), ("crl", "a.crl", "crl")):
        assert f"signature: {text}" in [" ".join(line.split()) for line in run(command, file).stdout.splitlines()]
        parameters = run_json(command, file)[0][member]["signature_parameters"]
        assert (parameters is None) == (algorithm.parameters is None)
    if algorithm is sa_rsassa_pss_sha256:
        assert parameters["salt_length"] == 32
        assert parameters["hash_algorithm"]["algorithm"]["name"] == "sha256"


def test_unique_identifiers() -> None:
    put(a_der=rebuilt(issuer_unique_id=BitString(b"\x01\x02"), subject_unique_id=BitString(b"\xf0", 4)))
    lines = [" ".join(line.split()) for line in run("cert", "a.der").stdout.splitlines()]
    assert {"issuer ID: 16 bits 01:02", "subject ID: 4 bits f0"} <= set(lines)
    (document,) = run_json("cert", "a.der")
    assert document["certificate"]["issuer_unique_id"] == {"hex": "0102", "unused_bits": 0}
    assert document["certificate"]["subject_unique_id"] == {"hex": "f0", "unused_bits": 4}

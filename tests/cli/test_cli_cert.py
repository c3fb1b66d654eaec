"""`derlib cert`: the fields in text and in JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import CERTIFICATE, CRL, put, rebuilt, run, run_json
from support.der import der

from derlib import BitString, ObjectIdentifier, pem
from derlib.schemas.algorithms import AlgorithmIdentifier, RSASSAPSSParams
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo, sa_rsassa_pss_sha256

pytestmark = pytest.mark.usefixtures("empty_folder")

VECTORS = Path(pytest.importorskip("cryptography_vectors").__file__).parent


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
    assert names["value"] == [{"dns_name": "example.org"}, {"ip_address": "192.0.2.1"}]
    assert unknown["value"] == "dead"


P256 = bytes.fromhex("06082a8648ce3d030107")


@pytest.mark.parametrize(
    ("algorithm", "size", "text"),
    [
        # The two forms of a point have different lengths, but the key has one size.
        (("1.2.840.10045.2.1", P256), 65, "id-ecPublicKey, secp256r1, 256 bits"),
        (("1.2.840.10045.2.1", P256), 33, "id-ecPublicKey, secp256r1, 256 bits"),
        (("1.2.840.10045.2.1", bytes.fromhex("06052b81040023")), 133, "id-ecPublicKey, secp521r1, 521 bits"),
        # The sizes of these are not known.
        (("1.2.840.10045.2.1", bytes.fromhex("06032a0304")), 65, "id-ecPublicKey, 1.2.3.4, 65 bytes"),
        (("1.3.101.112", b""), 32, "id-Ed25519, 32 bytes"),
    ],
)
def test_the_size_of_a_key_is_that_of_its_curve(algorithm: tuple[str, bytes], size: int, text: str) -> None:
    oid, parameters = algorithm
    identifier = der(0x30, der(0x06, ObjectIdentifier(oid).content), parameters)
    encoded = der(0x30, identifier, der(0x03, bytes(1), b"\4" * size))
    key = SubjectPublicKeyInfo.decode(encoded)
    certificate = Certificate.decode(CERTIFICATE).replace_at("tbs_certificate.subject_public_key_info", key)
    put(a_der=certificate.encode(), key_der=encoded)
    assert f"  public key:     {text}\n" in run("cert", "a.der").stdout
    assert f"  public key:     {text}\n" in run("show", "a.der").stdout
    document = run_json("cert", "a.der")[0]["certificate"]["public_key"]
    assert document["size"] == (int(text.split()[-2]) if text.endswith("bits") else None)


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


def test_a_trusted_certificate_of_openssl_is_not_skipped_in_silence() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(CERTIFICATE, "TRUSTED CERTIFICATE"))
    line = pem.encode(CERTIFICATE, "CERTIFICATE").count("\n") + 1
    note = f'derlib: a.pem: the block "TRUSTED CERTIFICATE" (line {line}) was skipped; derlib show reads it\n'
    assert run("cert", "a.pem").stderr == note


@pytest.mark.parametrize("command", ["cert", "show"])
def test_the_timestamps_of_certificate_transparency(command: str) -> None:
    path = VECTORS / "x509" / "cryptography-scts.pem"
    lines = run(command, str(path)).stdout.splitlines()
    at = lines.index("    signedCertificateTimestampList")
    # The times are those that OpenSSL prints.
    logs = ("29:3c:51:96:54:c8", "6f:53:76:ac:31:f0")
    times = ("2018-09-26T20:56:33.769Z", "2018-09-26T20:56:33.904Z")
    for line, log, time in zip(lines[at + 1 : at + 3], logs, times, strict=True):
        assert line.startswith(f"      - timestamp {time} of log {log}:")
    put(damaged_der=pem.one(path.read_bytes()).replace(bytes.fromhex("00f20077"), bytes.fromhex("00f30077"), 1))
    text = run(command, "damaged.der").stdout
    assert "- invalid timestamp: SCT list: sct_list needs 243 bytes at offset 2, and 242 are left" in text

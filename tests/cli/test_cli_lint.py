"""`derlib lint`: all faults with their offsets, the fault at which it stops, and agreement with decode."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.commands import (
    BAD,
    CERTIFICATE,
    CRL,
    HOSTILE,
    SMALL,
    command,
    der,
    extension,
    make_certificate,
    put,
    run,
    run_json,
)

import derlib
from derlib import Deviation, pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.csr import CertificationRequest
from derlib.schemas.x509 import Certificate, Extensions

pytestmark = pytest.mark.usefixtures("empty_folder")

# TRUE that is not encoded as ff, in the value of an extension and beside a value.
TWICE = CERTIFICATE.replace(bytes.fromhex("30030101ff"), bytes.fromhex("3003010101")).replace(
    bytes.fromhex("0101ff0404"), bytes.fromhex("0101070404")
)


def lint(file: str, *options: str, status: int = 0) -> Any:
    (document,) = run_json("lint", file, *options, status=status)
    return document["lint"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [(CERTIFICATE, "an X.509 Certificate"), (CRL, "an X.509 CertificateList"), (SMALL, "DER of an unknown type")],
)
def test_a_valid_document_has_no_faults_and_a_type(data: bytes, kind: str) -> None:
    put(a_der=data)
    assert run("lint", "a.der").stdout == f"a.der: no faults, as {kind}\n"


def test_a_fault_has_no_hint_at_a_function_of_python() -> None:
    put(a_pem=pem.encode(bytes.fromhex("3000"), "PUBLIC KEY"))
    first, _ = run("lint", "a.pem", status=1).stdout.splitlines()
    assert first == "a.pem: offset 2: algorithm: AlgorithmIdentifier is missing (X.690 8.9.2)"


def test_all_faults_have_offset_path_and_clause() -> None:
    put(a_der=TWICE)
    first, second = TWICE.index(b"\x30\x03\x01\x01\x01") + 2, TWICE.index(b"\x01\x01\x07")
    path = "tbs_certificate.extensions"
    assert run("lint", "a.der", status=1).stdout.splitlines() == [
        f"a.der: offset {first}: {path}[0].extn_value.ca: TRUE is not encoded as ff (X.690 11.1) [boolean-true]",
        f"a.der: offset {second}: {path}[1].critical: TRUE is not encoded as ff (X.690 11.1) [boolean-true]",
    ]
    assert run("lint", "a.der", "--tolerate", "boolean-true").stdout == "a.der: no faults, as an X.509 Certificate\n"
    assert len(lint("a.der", "--tolerate", "named-bits", status=1)["faults"]) == 2


def test_an_extension_that_a_certificate_has_more_than_once_is_a_fault() -> None:
    extensions = [
        extension("0603551d13", bytes.fromhex("30030101ff")),
        extension("06032a0304", b"\1"),
        extension("06032a0304", b"\2"),
        extension("0603551d13", bytes.fromhex("3000")),
        extension("06032a0304", b"\1"),
    ]
    certificate = Certificate.decode(CERTIFICATE)
    data = certificate.replace_at("tbs_certificate.extensions", Extensions.decode(der(0x30, *extensions))).encode()
    put(a_der=data, b_pem=pem.encode(data + der(0x30), "TRUSTED CERTIFICATE"))
    starts = [data.index(b"".join(extensions[2:])), data.index(b"".join(extensions[3:]))]
    starts.append(starts[1] + len(extensions[3]))
    expected = [
        f"offset {start}: tbs_certificate.extensions[{index}]: the certificate has the extension {name} already, as "
        f"extensions[{first}] (RFC 5280 4.2)"
        for start, index, name, first in zip(
            starts, (2, 3, 4), ("1.2.3.4", "id-ce-basicConstraints", "1.2.3.4"), (1, 0, 1), strict=True
        )
    ]
    for file in ("a.der", "b.pem"):
        result = run("lint", file, "--tolerate", "boolean-true", status=1)
        assert result.stdout.splitlines() == [f"{file}: {line}" for line in expected]
    assert lint("a.der", status=1)["faults"][0] == {
        "offset": starts[0],
        "path": ["tbs_certificate", "extensions", 2],
        "message": "the certificate has the extension 1.2.3.4 already, as extensions[1]",
        "rule": "RFC 5280 4.2",
        "kind": "extension-repeated",
    }
    run("show", "a.der")


BASIC, OTHER = extension("0603551d13", bytes.fromhex("3000")), extension("06032a0304", b"\1")
EXTENSION_REQUEST, OF_WINDOWS = "06092a864886f70d01090e", "060a2b060104018237 02010e"


def make_request(*attributes: tuple[str, list[list[bytes]]]) -> bytes:
    """Return a request with attributes whose values are lists of extensions, in this order."""
    encoded = (
        der(0x30, bytes.fromhex(oid), der(0x31, *(der(0x30, *extensions) for extensions in values)))
        for oid, values in attributes
    )
    tbs = Certificate.decode(CERTIFICATE).tbs_certificate
    subject, key = tbs.subject.encode(), tbs.subject_public_key_info.encode()
    info = der(0x30, bytes.fromhex("020100"), subject, key, der(0xA0, *encoded))
    return der(0x30, info, tbs.signature.encode(), der(0x03, b"\0", bytes(64)))


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ([(EXTENSION_REQUEST, [[BASIC, OTHER]])], []),
        ([(EXTENSION_REQUEST, [[BASIC]]), (OF_WINDOWS, [[BASIC]])], []),
        (
            [(EXTENSION_REQUEST, [[BASIC, OTHER, BASIC]])],
            [("[0].values[0][2]", "the request has the extension id-ce-basicConstraints already, as "
              "attributes[0].values[0][0] (RFC 5280 4.2)")],
        ),
        (
            [(OF_WINDOWS, [[OTHER, OTHER]])],
            [("[0].values[0][1]", "the request has the extension 1.2.3.4 already, as attributes[0].values[0][0] "
              "(RFC 5280 4.2)")],
        ),
        (
            [(EXTENSION_REQUEST, [[BASIC]]), (EXTENSION_REQUEST, [[OTHER]])],
            [("[1].values[0]", "the request has a value of extensionRequest already, as attributes[0].values[0] "
              "(RFC 2985 5.4.2)")],
        ),
        (
            [(EXTENSION_REQUEST, [[BASIC], [OTHER, OTHER]])],
            [
                ("[0].values[1]", "the request has a value of extensionRequest already, as attributes[0].values[0] "
                 "(RFC 2985 5.4.2)"),
                ("[0].values[1][1]", "the request has the extension 1.2.3.4 already, as attributes[0].values[1][0] "
                 "(RFC 5280 4.2)"),
            ],
        ),
    ],
    ids=["distinct", "also of Windows", "extension", "extension of Windows", "attribute", "values"],
)  # fmt: skip
def test_an_extension_or_extension_request_that_a_request_has_more_than_once_is_a_fault(
    attributes: list[tuple[str, list[list[bytes]]]], expected: list[tuple[str, str]]
) -> None:
    data = make_request(*attributes)
    put(a_der=data)
    request = CertificationRequest.decode(data, tolerate=Deviation.SET_OF_ORDER)
    options = ("--tolerate", "set-of-order")
    lines = run("lint", "a.der", *options, status=1 if expected else 0).stdout.splitlines()
    if not expected:
        assert lines == ["a.der: no faults, as a PKCS #10 CertificationRequest"]
        return
    assert [line.partition(": certification_request_info.attributes")[2] for line in lines] == [
        f"{path}: {text}" for path, text in expected
    ]
    for fault in lint("a.der", *options, status=1)["faults"]:
        *_, index, _, place = fault["path"][:5]
        value = request.certification_request_info.attributes[index].values[place]
        repeated = value if len(fault["path"]) == 5 else value[fault["path"][5]]
        assert fault["offset"] == data.rindex(repeated.encode())
        assert fault["kind"] == ("attribute-repeated" if repeated is value else "extension-repeated")


def test_json_has_the_documented_keys() -> None:
    put(a_pem=pem.encode(TWICE, "CERTIFICATE"))
    (document,) = run_json("lint", "a.pem", status=1)
    assert document.keys() == {"file", "block", "label", "line", "lint"}
    assert document["lint"].keys() == {"type", "valid", "faults"}
    assert (document["lint"]["type"], document["lint"]["valid"]) == ("cert", False)
    assert document["lint"]["faults"][1] == {
        "offset": TWICE.index(b"\x01\x01\x07"),
        "path": ["tbs_certificate", "extensions", 1, "critical"],
        "message": "TRUE is not encoded as ff",
        "rule": "X.690 11.1",
        "kind": "boolean-true",
        "deviation": "boolean-true",
    }


def test_each_deviation_has_a_message() -> None:
    from derlib.cli.documents.faults import MESSAGES

    assert MESSAGES.keys() == {one for one in Deviation.__members__.values() if one.value & (one.value - 1) == 0}


def test_a_type_mismatch_has_its_reason() -> None:
    bad = CERTIFICATE.replace(bytes.fromhex("30030101ff"), bytes.fromhex("3003800105"))
    put(a_der=bad)
    (breach,) = lint("a.der", status=1)["faults"]
    assert breach["deviation"] == "open-type"
    assert breach["path"] == ["tbs_certificate", "extensions", 0, "extn_value"]
    assert breach["message"].startswith("a value does not have the type that its identifier selects: ")
    with pytest.raises(derlib.DecodeError) as strict:
        Certificate.decode(bad)
    assert (breach["offset"], breach["rule"]) == (strict.value.offset, strict.value.rule)


def test_the_first_fault_without_deviation_is_reported_last() -> None:
    # The last arc of the last algorithm has no end.
    place = TWICE.rindex(bytes.fromhex("0d01010b"))
    put(a_der=TWICE[: place + 3] + b"\x8b" + TWICE[place + 4 :])
    lines = run("lint", "a.der", status=1).stdout.splitlines()
    assert [line.count("[boolean-true]") for line in lines] == [1, 1, 0, 0] or len(lines) == 3
    assert "signature_algorithm.algorithm" in lines[-2]
    assert "(X.690 8.19.2, 8.20.2)" in lines[-2]
    assert lines[-1].startswith("a.der: linting as an X.509 Certificate stopped at this fault;")
    found = lint("a.der", status=1)
    assert found["end"]["path"] == ["signature_algorithm", "algorithm"]
    assert found["end"]["offset"] == place - 7
    assert "deviation" not in found["end"]


def test_all_faults_that_need_no_schema_are_reported() -> None:
    # The last field is missing: this is not a certificate, but a valid tree of elements.
    cut = der(0x30, TWICE[4:-67])
    put(a_der=cut)
    assert [one["deviation"] for one in lint("a.der", "--type", "cert", status=1)["faults"]] == ["boolean-true"] * 2
    assert lint("a.der", "--type", "cert", status=1)["end"]["message"] != ""
    assert len(lint("a.der", "--type", "der", status=1)["faults"]) == 1


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_input_that_is_not_der_is_reported(data: bytes) -> None:
    put(bad_der=data)
    result = run("lint", "bad.der", status=1)
    assert 1 <= result.output.count("\n") <= 2
    assert result.output.startswith(("bad.der: offset ", "derlib: bad.der: "))
    json.loads(run("lint", "bad.der", "--json", status=1).stdout)


def test_the_fault_of_ber_names_the_option() -> None:
    put(a_ber=bytes.fromhex("3080 0500 0000"))
    assert "is not DER; --ber reads BER (X.690 10.1)\n" in run("lint", "a.ber", status=1).stdout
    assert "derlib." not in run("lint", "a.ber", status=1).stdout


def test_the_type_can_be_set() -> None:
    put(a_der=SMALL, a_crl=CRL)
    assert lint("a.der", "--type", "crl", status=1)["end"]["path"] == ["tbs_cert_list"]
    assert lint("a.crl", "--type", "der")["type"] == "der"
    run("lint", "a.der", "--type", "nonsense", status=2)


@pytest.mark.parametrize(
    ("der", "label", "type_", "message"),
    [
        (
            CRL, "CERTIFICATE", "crl",
            "the PEM label CERTIFICATE is that of an X.509 Certificate, but the block is an X.509 CertificateList",
        ),
        (
            CERTIFICATE, "CERTIFICATE REQUEST", "cert",
            "the PEM label CERTIFICATE REQUEST is that of a PKCS #10 CertificationRequest, but the block is an X.509 "
            "Certificate",
        ),
        (
            CERTIFICATE, "PKCS7", "cert",
            "the PEM label PKCS7 is that of a CMS ContentInfo, but the block is an X.509 Certificate",
        ),
        (
            SMALL, "PKCS7", "der",
            "the PEM label PKCS7 is that of a CMS ContentInfo, but the block is DER of an unknown type",
        ),
    ],
    ids=["a CRL", "a request", "a certificate of PKCS #7", "unknown"],
)  # fmt: skip
def test_a_pem_label_of_another_type_is_a_fault(der: bytes, label: str, type_: str, message: str) -> None:
    put(a_pem=pem.encode(der, label))
    found = lint("a.pem", status=1)
    assert (found["type"], found["valid"], "end" in found) == (type_, False, False)
    fault = {"offset": 0, "path": [], "message": message, "rule": "RFC 7468 2", "kind": "pem-label"}
    assert found["faults"] == [fault]
    assert run("lint", "a.pem", status=1).stdout == f"a.pem: offset 0: {message} (RFC 7468 2)\n"
    assert lint("a.pem", "--type", type_, status=0)["faults"] == []


def test_a_block_with_a_wrong_label_has_the_faults_of_its_type() -> None:
    put(a_pem=pem.encode(TWICE, "X509 CRL"), b_pem=pem.encode(SMALL, "CERTIFICATE"))
    found = lint("a.pem", status=1)
    assert found["type"] == "cert"
    assert [fault.get("deviation") for fault in found["faults"]] == [None, "boolean-true", "boolean-true"]
    # An object of no known type has the type of its label.
    assert lint("b.pem", status=1)["end"]["path"] == ["tbs_certificate"]


@pytest.mark.parametrize("label", ["CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE", "TRUSTED CERTIFICATE", "A"])
def test_a_pem_label_of_the_same_type_is_no_fault(label: str) -> None:
    put(a_pem=pem.encode(CERTIFICATE, label))
    assert lint("a.pem", status=0)["valid"]


def test_valid_invalid_and_missing_files() -> None:
    put(a_der=CERTIFICATE, b_der=TWICE)
    result = run("lint", "a.der", "absent", "b.der", status=1)
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["a.der:", "b.der:", "b.der:"]
    assert result.stderr.startswith("derlib: absent: ")


def test_the_contents_of_a_file_are_escaped() -> None:
    name = HOSTILE.replace("\n", "") + ".der"
    Path(name).write_bytes(make_certificate(HOSTILE).replace(b"\x55\x04\x03\x0c", b"\x55\x04\x03\x13"))
    for options in ((), ("--json",)):
        output = run("lint", name, *options, status=1).stdout
        assert output.replace("\n", "").isprintable()


def test_lint_agrees_with_decode_on_random_changes() -> None:
    chance = random.Random(690)
    sound = broken = 0
    for round_ in range(250):
        kind, type_, original = (("cert", Certificate, CERTIFICATE), ("crl", CertificateList, CRL))[round_ % 2]
        data = bytearray(original)
        for _ in range(chance.randint(1, 2)):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        put(a_der=bytes(data))
        result = CliRunner().invoke(command, ["lint", "a.der", "--type", kind, "--json"])
        assert result.exception is None or isinstance(result.exception, SystemExit)
        found = json.loads(result.stdout)[0]["lint"]
        fault: derlib.ASN1Error | None = None
        try:
            type_.decode(bytes(data))
        except derlib.ASN1Error as error:
            fault = error
        if fault is None:
            sound += 1
            assert (result.exit_code, found["valid"], found["faults"]) == (0, True, [])
        else:
            broken += 1
            assert (result.exit_code, found["valid"]) == (1, False)
            places = [one["offset"] for one in [*found["faults"], *filter(None, [found.get("end")])]]
            assert getattr(fault, "offset", 0) in places
    assert sound > 20
    assert broken > 100

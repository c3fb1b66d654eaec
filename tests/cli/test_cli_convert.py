"""`derlib convert`: between all formats, with the same bytes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.commands import BAD, CERTIFICATE, CRL, HOSTILE, SMALL, command, der, make_certificate, put, run

from derlib import parse, pem
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")


def converted(file: str, form: str, *options: str) -> bytes:
    result = CliRunner().invoke(command, ["convert", file, "--to", form, *options])
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


@pytest.mark.parametrize(("data", "label"), [(CERTIFICATE, "CERTIFICATE"), (CRL, "X509 CRL")])
def test_every_format_converts_to_every_other(data: bytes, label: str) -> None:
    put(a_der=data, a_pem=pem.encode(data, label))
    Path("a.json").write_bytes(converted("a.der", "json"))
    for file in ("a.der", "a.pem", "a.json"):
        assert converted(file, "der") == data
        assert converted(file, "pem") == pem.encode(data, label).encode()
        assert converted(file, "json") == Path("a.json").read_bytes()


def test_json_is_that_of_the_library_and_can_be_edited() -> None:
    put(a_der=CERTIFICATE)
    document = json.loads(converted("a.der", "json"))
    assert document["tbs_certificate"]["serial_number"] == 0x1A2B
    document["tbs_certificate"]["serial_number"] = 7
    put(b_json=json.dumps(document))
    converted("b.json", "der", "-o", "b.der")
    assert run("diff", "a.der", "b.der", status=1).stdout == "~ tbs_certificate.serial_number: 0x1a2b -> 0x07\n"


def test_any_der_converts_to_pem_and_back() -> None:
    put(a_der=SMALL)
    assert "--label" in run("convert", "a.der", "--to", "pem", status=2).stderr
    Path("a.pem").write_bytes(converted("a.der", "pem", "--label", "SOMETHING"))
    assert converted("a.pem", "der") == SMALL
    assert b"BEGIN SOMETHING" in converted("a.pem", "pem")
    assert "DER of an unknown type" in run("convert", "a.der", "--to", "json", status=1).stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "set it with --type"),
        ('{"x": 1}', "set it with --type"),
        ('{"tbs_certificate": }', "derlib: a.json: "),
        ('{"tbs_certificate": {}}', "derlib: a.json: "),
        ('{"tbs_cert_list": 5}', "derlib: a.json: "),
        ('{"tbs_cert_list": ' + "[" * 5000 + "]" * 5000 + "}", "derlib: a.json: "),
        ('{"tbs_certificate": "\\ud800"}', "derlib: a.json: "),
        ('{"tbs_certificate": {"serial_number": ' + "9" * 5000 + "}}", "derlib: a.json: "),
        ('{"tbs_certificate": {}, "tbs_certificate": {}}', "derlib: a.json: "),
        ('{"tbs_certificate": \x00}', "derlib: a.json: "),
        ('{"tbs_certificate": {"\x1b[2J": 1}}', "derlib: a.json: "),
    ],
)
def test_invalid_json_is_one_error_line_and_status_1(text: str, said: str) -> None:
    put(a_json=text)
    result = run("convert", "a.json", "--to", "der", "-o", "out", status=1)
    assert said in result.stderr
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert result.stderr.replace("\n", "").isprintable()
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"tbs_certificate": {\n  "version": "v', "line 2 column 14"),
        ('{"tbs_certificate": {\n  version: 2}}', "line 2 column 3"),
        ('\n{"tbs_certificate": {}}\nx\n', "line 3 column 1"),
        ('\ufeff{"x": 1,', "line 1 column 9"),
        ('{', "line 1 column 2"),
        ('[1, 2', "line 1 column 6"),
        ('["a", ', "line 1 column 7"),
    ],
)
def test_damaged_json_is_an_error_of_json_with_its_place(text: str, place: str) -> None:
    put(a_json=text.encode())
    error = run("convert", "a.json", "--to", "der", status=1).stderr
    assert error.startswith("derlib: a.json: the text is not JSON: ")
    assert place in error


def test_other_commands_name_damaged_json() -> None:
    put(a_json='{"tbs_certificate": {\n')
    assert "it is JSON; derlib convert --to der reads the JSON that" in run("show", "a.json", status=1).stderr


def test_json_of_types_with_the_same_names_is_of_the_one_with_their_order() -> None:
    # p, g and q of X9.42, and p, q and g of DSA; their order decides.
    for name, label in (("x942-parameters", "X9.42 DH PARAMETERS"), ("dsa-parameters", "DSA PARAMETERS")):
        put(a_pem=pem.encode(bytes.fromhex("3009 020117 020104 02010b"), label))
        Path("a.json").write_bytes(converted("a.pem", "json"))
        assert converted("a.json", "pem") == Path("a.pem").read_bytes(), name
    assert run("convert", "a.json", "--to", "der", "--type", "x942-parameters", status=0)


def test_the_format_json_can_be_chosen() -> None:
    put(a_der=CERTIFICATE, a_txt="version: 1")
    put(a_json=converted("a.der", "json"))
    assert converted("a.json", "der", "--from", "json") == CERTIFICATE
    for file in ("a.der", "a.txt"):
        error = run("convert", file, "--from", "json", "--to", "der", status=1).stderr
        assert error.startswith(f"derlib: {file}: the text is not JSON: ")
    assert "cannot be combined" in run("convert", "a.json", "--from", "json", "--ber", status=2).stderr


@pytest.mark.parametrize("text", ["{0x30, 0x00}", "{ 0x30,\n 0x00 }", "[section]\nname = 1\n"])
def test_other_texts_that_begin_with_a_bracket_are_not_json(text: str) -> None:
    put(a_txt=text)
    assert "it is text, not ASN.1" in run("show", "a.txt", status=1).stderr


def test_names_of_object_identifiers_are_written_and_read() -> None:
    put(a_der=CERTIFICATE)
    named = converted("a.der", "json", "--names")
    assert named.decode() == Certificate.decode(CERTIFICATE).to_json(indent=2, names=True) + "\n"
    assert b'"1.2.840.113549.1.1.11"' in converted("a.der", "json")
    assert b'"1.2.840.113549.1.1.11"' not in named
    put(a_json=named)
    assert converted("a.json", "der") == CERTIFICATE
    assert "--names needs --to json" in run("convert", "a.der", "--to", "pem", "--names", status=2).stderr


def test_json_that_is_not_utf_8_is_one_error_line() -> None:
    put(a_json=b'{"tbs_certificate": "\xff"}', b_json=b"{\xff\xfe}")
    for file in ("a.json", "b.json"):
        assert run("convert", file, "--to", "der", status=1).stderr.count("\n") == 1


def test_the_type_of_json_can_be_set() -> None:
    put(a_der=CRL)
    document = json.loads(converted("a.der", "json"))
    put(b_json=json.dumps(dict(reversed(document.items()))))
    run("convert", "b.json", "--to", "der", status=1)
    assert converted("b.json", "der", "--type", "crl") == CRL


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("form", ["der", "pem", "json"])
def test_invalid_data_is_not_converted(data: bytes, form: str) -> None:
    put(bad_der=data)
    result = run("convert", "bad.der", "--to", form, "-o", "out", "--label", "X", status=1)
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert not Path("out").exists()


def test_json_is_ascii_whatever_is_in_the_file() -> None:
    put(a_der=make_certificate(HOSTILE + "\U0001f600\x7f"))
    text = converted("a.der", "json").decode("ascii")
    assert text.replace("\n", "").isprintable()
    put(a_json=text)
    assert converted("a.json", "der") == Path("a.der").read_bytes()


def test_a_tolerated_deviation_remains_in_der_and_is_corrected_by_json() -> None:
    bad = CERTIFICATE.replace(bytes.fromhex("0603551d0f0101ff"), bytes.fromhex("0603551d0f010107"))
    put(a_der=bad)
    assert "--tolerate boolean-true" in run("convert", "a.der", "--to", "json", status=1).stderr
    assert converted("a.der", "der", "--tolerate", "boolean-true") == bad
    put(a_json=converted("a.der", "json", "--tolerate", "boolean-true"))
    result = run("convert", "a.der", "--to", "json", "--tolerate", "boolean-true", "-o", "out")
    assert re.fullmatch(r"derlib: a.der: tolerated tbs_certificate.*: boolean-true \(X.690 11.1\)\n", result.stderr)
    assert converted("a.json", "der") == CERTIFICATE


def test_blocks() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(der(0x30), "X"))
    assert "--block N" in run("convert", "a.pem", "--to", "der", status=1).stderr
    assert converted("a.pem", "der", "--block", "2") == der(0x30)


def test_changes_of_bytes_that_a_signature_covers_are_reported() -> None:
    message = "the signature covers tbs_certificate: after these changes, it is valid only if it was made for DER"
    put(a_ber=CERTIFICATE.replace(b"\x01\x01\xff", b"\x01\x01\x01", 1))
    put(outer_ber=b"\x30\x80" + parse(CERTIFICATE).content + b"\0\0")
    assert message in run("convert", "a.ber", "--from", "ber", "-o", "a.der", status=4).stderr
    assert message not in run("convert", "outer.ber", "--from", "ber", "-o", "a.der", status=4).stderr
    # extract writes these bytes, too.
    for path in ("tbs_certificate", "4"):
        assert message in run("extract", "a.ber", path, "--ber", "--to", "hex").stderr
        assert run("extract", "outer.ber", path.replace("4", "2"), "--ber", "--to", "hex").stderr == ""

"""`derlib grep`: the matches of each form of a pattern, their offsets, and the exit status."""

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
    YEAR_ZERO,
    command,
    der,
    left_by_its_reader,
    make_certificate,
    make_crl,
    put,
    rebuilt,
    run,
    run_json,
)

import derlib
from derlib import pem
from derlib.cli.documents.patterns import parse_path

pytestmark = pytest.mark.usefixtures("empty_folder")


def matches(pattern: str, file: str, *options: str) -> Any:
    (document,) = run_json("grep", pattern, file, *options)
    return document["matches"]


def paths(pattern: str, file: str, *options: str) -> list[str]:
    return [derlib.errors.format_path(tuple(one["path"])) for one in matches(pattern, file, *options)]


@pytest.mark.parametrize("pattern", ["2.5.29.17", "id-ce-subjectAltName"])
def test_an_object_identifier_is_found_by_number_and_by_name(pattern: str) -> None:
    put(a_der=CERTIFICATE)
    place = CERTIFICATE.index(bytes.fromhex("0603551d11"))
    line = f"{place}: tbs_certificate.extensions[2].extn_id: id-ce-subjectAltName\n"
    assert run("grep", pattern, "a.der").stdout == line
    assert run("grep", pattern, "a.der", "--type", "der").stdout == f"{place}: [0][7][0][2][0]: id-ce-subjectAltName\n"


def test_a_name_without_its_prefix_finds_the_object_identifier_and_text() -> None:
    """JSON has the names without prefix."""
    put(a_der=make_certificate("commonName is Test", "subjectAltName.example"), b_der=CERTIFICATE)
    alternative, subject = "tbs_certificate.extensions[2]", "tbs_certificate.subject.rdn_sequence[0][0]"
    assert paths("subjectAltName", "a.der") == [f"{alternative}.extn_id", f"{alternative}.extn_value[0].dns_name"]
    assert paths("subjectAltName", "b.der") == [f"{alternative}.extn_id"]
    assert f"{subject}.value" in paths("commonName", "a.der")
    assert f"{subject}.type" in paths("commonName", "a.der")
    assert paths("commonName", "a.der", "--by", "text") == [f"{subject}.value"]
    assert f"{subject}.value" in paths("commonname", "a.der", "-i")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("tbs_certificate.extensions[*].extn_id", [f"tbs_certificate.extensions[{n}].extn_id" for n in range(4)]),
        ("tbs_certificate.extensions[1].extn_id", ["tbs_certificate.extensions[1].extn_id"]),
        ("tbs_certificate.extensions[2].*", [f"tbs_certificate.extensions[2].{n}" for n in ("extn_id", "extn_value")]),
        ("**.dns_name", ["tbs_certificate.extensions[2].extn_value[0].dns_name"]),
        ("**.validity.not_*", ["tbs_certificate.validity.not_before", "tbs_certificate.validity.not_after"]),
        ("*.algorithm", ["signature_algorithm.algorithm"]),
        ("signature_algorithm", ["signature_algorithm"]),
        ("tbs_certificate.**.ca", ["tbs_certificate.extensions[0].extn_value.ca"]),
        ("**.**.ca.**", ["tbs_certificate.extensions[0].extn_value.ca"]),
        ("tbs_certificate.extensions[*].extn_value[1].*", ["tbs_certificate.extensions[2].extn_value[1].ip_address"]),
        ("tbs_certificate.seria?_number", ["tbs_certificate.serial_number"]),
        ("tbs_certificate.issuer.rdn_sequence[0][0].type", ["tbs_certificate.issuer.rdn_sequence[0][0].type"]),
    ],
)
def test_a_path_is_found(pattern: str, found: list[str]) -> None:
    put(a_der=CERTIFICATE)
    assert paths(pattern, "a.der") == found


def test_paths_in_an_unknown_type_are_indexes() -> None:
    put(a_der=SMALL)
    assert paths("[1][0][*]", "a.der") == ["[1][0][0]", "[1][0][1]"]
    assert [one["value"] for one in matches("[1][0][*]", "a.der")] == [5, "é"]
    assert paths("**[0]", "a.der") == ["[0]", "[1][0]", "[1][0][0]", "[3][0]"]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("0x1a2b", "tbs_certificate.serial_number"),
        ("0x001A2B", "tbs_certificate.serial_number"),
        ("0xdead", "tbs_certificate.extensions[3].extn_value"),
        ("192.0.2.1", "tbs_certificate.extensions[2].extn_value[1].ip_address"),
        ("6699", "tbs_certificate.serial_number"),
        ("1A:2b", "tbs_certificate.serial_number"),
        ("00:1a:2b", "tbs_certificate.serial_number"),
        ("de:ad", "tbs_certificate.extensions[3].extn_value"),
        ("c0:00:02:01", "tbs_certificate.extensions[2].extn_value[1].ip_address"),
        ("crl_sign", "tbs_certificate.extensions[1].extn_value"),
        ("cRLSign", "tbs_certificate.extensions[1].extn_value"),
        ("v3", "tbs_certificate.version"),
    ],
)
def test_a_value_is_found(pattern: str, path: str) -> None:
    put(a_der=CERTIFICATE)
    assert paths(pattern, "a.der") == [path]


@pytest.mark.parametrize("tag", [0x04, 0x86])
def test_text_in_an_octet_string_or_with_an_implicit_tag_is_found(tag: int) -> None:
    """A note about a string that was not searched names an option that finds the text in it."""
    inner = der(0x30, der(0xA0, bytes.fromhex("06032a0304"), der(tag, b"S-1-5-21-3623811015")))
    put(b_der=inner)
    assert paths("S-1-5-21", "b.der") == ["[0][1]"]
    assert paths("s-1-5-21", "b.der", "-i") == ["[0][1]"]
    put(c_der=der(0x30, der(0x04, inner)))
    assert paths("S-1-5-21", "c.der", "--type", "der") == ["[0][0][0][1]"]
    # Three bytes can be anything.
    put(d_der=der(0x30, der(tag, b"abc")))
    assert "[0]" not in run("grep", "abc", "d.der", status=3).stdout


def test_a_serial_number_as_openssl_prints_it_is_found() -> None:
    for number in (0x45D6A4A0AD5F47875E0B, 0xF45D6A4A0AD5F478, 0xABCDEF0123456789):
        put(a_der=rebuilt(serial_number=number))
        for pattern in (f"{number:X}", f"{number:x}", f"serial={number:X}"):
            assert paths(pattern, "a.der") == ["tbs_certificate.serial_number"]
    # Python writes 0f45d6... without the first zero.
    put(a_der=rebuilt(serial_number=0x0F45D6A4A0AD5F4787))
    assert paths("f45d6a4a0ad5f4787", "a.der") == ["tbs_certificate.serial_number"]
    # It can also be text.
    put(a_der=make_certificate(subject="45D6A4A0AD5F4787"))
    assert paths("45D6A4A0AD5F4787", "a.der") == ["tbs_certificate.subject.rdn_sequence[0][0].value"]


# The octets of TRUE are another value; 0x1a2 is not the beginning of 0x1a2b.
@pytest.mark.parametrize(
    "pattern", ["0x01", "0x1a2", "0xad", "192.0.2.2", "2001:db8::1", "-6699", "6", "1a:2", "1a:2b:", "decipher_only",
                "decipherOnly"]
)
def test_a_value_is_not_found(pattern: str) -> None:
    put(a_der=CERTIFICATE)
    run("grep", "--", pattern, "a.der", status=3)


def test_a_reason_is_found_by_its_name() -> None:
    put(a_crl=make_crl(4))
    entries = "tbs_cert_list.revoked_certificates"
    found = [f"{entries}[{n}].crl_entry_extensions[0].extn_value" for n in (1, 3)]
    assert paths("key_compromise", "a.crl") == paths("keyCompromise", "a.crl") == found
    run("grep", "superseded", "a.crl", status=3)
    for by in ("path", "text"):
        run("grep", "key_compromise", "a.crl", "--by", by, status=3)


def test_a_value_with_digits_or_colons_can_be_in_text() -> None:
    text = [der(0x0C, b"port 8443"), der(0x0C, b"00:1b:63")]
    put(a_der=der(0x30, text[0], der(0x02, b"\x20\xfb"), text[1], der(0x02, b"\x1b\x63")))
    assert paths("8443", "a.der") == ["[0]", "[1]"]
    assert paths("00:1b:63", "a.der") == ["[2]", "[3]"]
    assert paths("8443", "a.der", "--by", "value") == ["[1]"]
    assert paths("00:1b:63", "a.der", "--by", "value") == ["[3]"]
    assert paths("8443", "a.der", "--by", "text") == ["[0]"]
    assert paths("00:1B:63", "a.der", "-i") == ["[2]", "[3]"]


def test_eight_bytes_with_colons_are_a_number_or_an_address() -> None:
    text = "ab:cd:ef:01:23:45:67:89"
    octets = bytes.fromhex(text.replace(":", ""))
    address = b"".join(bytes((0, octet)) for octet in octets)
    put(a_der=der(0x30, der(0x02, b"\0" + octets), der(0x04, octets), der(0x04, address)))
    assert paths(text, "a.der") == ["[0]", "[1]", "[2]"]


def test_a_network_of_name_constraints() -> None:
    networks = ["0a000000ff000000", "0a000000fff00000", "0a000000ff00ff00", "0b000000ff000000", "0a000000"]
    put(a_der=der(0x30, *(der(0x04, bytes.fromhex(octets)) for octets in networks)))
    assert paths("10.0.0.0/8", "a.der") == ["[0]"]
    assert paths("10.0.0.0/255.240.0.0", "a.der") == ["[1]"]
    assert paths("10.0.0.0", "a.der") == ["[0]", "[1]", "[4]"]
    run("grep", "10.0.0.0/9", "a.der", status=3)
    run("grep", "10.0.0.1/8", "a.der", status=3)


def test_values_on_one_line() -> None:
    put(a_der=CERTIFICATE)
    assert run("grep", "192.0.2.1", "a.der").stdout.endswith(".ip_address: 192.0.2.1\n")
    assert matches("192.0.2.1", "a.der")[0]["value"] == "c0000201"
    text = run("grep", "tbs_certificate.validity", "a.der").stdout
    assert text.endswith(" not_before: 2025-01-01T00:00:00Z; not_after: 2025-01-01T00:00:00Z\n")
    text = run("grep", "tbs_certificate.subject_public_key_info", "a.der").stdout
    assert "subject_public_key_info: algorithm: algorithm: rsaEncryption; parameters: NULL; " in text


def test_an_address_can_be_in_text() -> None:
    put(a_der=der(0x30, b"\x04\x01\xff", der(0x0C, b"http://192.0.2.1/"), der(0x04, b"\xc0\0\2\1")))
    assert paths("0xff", "a.der") == ["[0]"]
    assert paths("192.0.2.1", "a.der") == ["[1]", "[2]"]


def test_text_is_found_only_in_character_strings() -> None:
    put(a_der=CERTIFICATE, small_der=SMALL)
    assert paths("example.org", "a.der") == ["tbs_certificate.extensions[2].extn_value[0].dns_name"]
    assert paths("EXAMPLE", "a.der", "-i") == ["tbs_certificate.extensions[2].extn_value[0].dns_name"]
    run("grep", "EXAMPLE", "a.der", status=3)
    run("grep", "sha256", "a.der", status=3)
    assert paths("é", "small.der") == ["[1][0][1]"]
    assert paths("id-ce-subjectAltName", "a.der") != []
    run("grep", "id-ce-subjectAltName", "a.der", "--by", "text", status=3)


@pytest.mark.parametrize(
    ("tag", "encoding"), [(0x0C, "utf-8"), (0x1E, "utf-16-be"), (0x1C, "utf-32-be"), (0x14, "latin-1"), (0x16, "ascii")]
)
def test_text_is_found_in_every_encoding(tag: int, encoding: str) -> None:
    text = "Grün & Söhne" if encoding != "ascii" else "Gr~n & S~hne"
    put(a_der=der(0x30, der(0x04, der(tag, text.encode(encoding)))))
    assert paths(text[1:-1], "a.der", "--by", "text") == ["[0][0]"]
    assert paths(text.upper(), "a.der", "-i", "--by", "text") == ["[0][0]"]
    run("grep", text + "x", "a.der", "--by", "text", status=3)
    # Characters that some or all encodings do not have.
    run("grep", "\udc80", "a.der", "--by", "text", status=3)
    run("grep", "漢", "a.der", status=3)


def test_offsets_count_from_the_start_of_the_document() -> None:
    put(a_der=CERTIFICATE)
    for options in ((), ("--type", "der")):
        found = matches("**", "a.der", *options)
        assert len(found) > 40
        for one in found:
            end = one["offset"] + one["header_length"] + one["content_length"]
            assert derlib.parse(CERTIFICATE[one["offset"] : end]).span.header_length == one["header_length"]
    whole = run_json("dump", "a.der")[0]["element"]
    offsets = set()
    waiting = [whole]
    while waiting:
        element = waiting.pop()
        offsets.add(element["offset"])
        waiting += [*element.get("children", ()), *filter(None, [element.get("contains")])]
    assert {one["offset"] for one in found} == offsets


def test_the_status_is_3_if_nothing_was_found() -> None:
    put(a_der=CERTIFICATE, b_crl=CRL, bad_der=CERTIFICATE[:-1])
    run("grep", "nothing", "a.der", "b.crl", status=3)
    run("grep", "example", "b.crl", "a.der")
    result = run("grep", "example", "bad.der", "a.der", "absent", status=1)
    assert result.stdout.startswith("a.der: ")
    assert result.stderr.count("\n") == 2


def test_lines_name_the_document_if_there_are_several() -> None:
    put(a_pem=2 * pem.encode(CERTIFICATE, "CERTIFICATE"), a_der=CERTIFICATE)
    lines = run("grep", "example", "a.pem", "a.der").stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["a.pem:", "a.pem:", "a.der:"]
    assert "a.pem: block 2 (CERTIFICATE, line" in lines[1]


@pytest.mark.parametrize(
    ("pattern", "options"),
    [("", []), ("x" * 5000, []), ("2.5.29.", ["--by", "oid"]), ("nothing", ["--by", "oid"]), ("a[", ["--by", "path"]),
     ("[x]", ["--by", "path"]), ("a..b", ["--by", "path"]), ("[9999999999999]", ["--by", "path"]),
     ("3.1", ["--by", "oid"]), ("10g3", ["--by", "value"]), ("10:3", ["--by", "value"]), ("0x", ["--by", "value"])],
)
def test_an_invalid_pattern_is_a_usage_error(pattern: str, options: list[str]) -> None:
    put(a_der=SMALL)
    assert len(run("grep", pattern, "a.der", *options, status=2).stderr) < 1000


def test_many_wildcards_are_not_slow() -> None:
    put(a_crl=make_crl(50))
    run("grep", "*".join("tuvwxyz" * 20) + "*?" * 150, "a.crl", "--by", "path", status=3)
    run("grep", ".".join(["**"] * 300), "a.crl", "--by", "path")


def test_a_formatted_path_is_parsed_back() -> None:
    for path in (("tbs", 3, "x", 0, 1), (0, "a"), ("a",), (1,), ("$additions", 2)):
        assert parse_path(derlib.errors.format_path(path)) == path


def test_a_value_that_python_cannot_represent_is_shown_as_encoded() -> None:
    put(a_crl=make_crl(1, this_update=YEAR_ZERO))
    for options in ((), ("--type", "der")):
        assert "00000101000000Z" in run("grep", "**", "a.crl", *options).stdout


def test_the_contents_of_a_file_are_escaped() -> None:
    name = HOSTILE.replace("\n", "") + ".der"
    Path(name).write_bytes(make_certificate(HOSTILE))
    for options in ((), ("--json",), ("--type", "der"), ("--type", "der", "--json")):
        for pattern in ("**", "evil"):
            output = run("grep", pattern, name, name, *options).stdout
            assert output.replace("\n", "").isprintable()


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_invalid_data_is_one_error_line_and_status_1(data: bytes) -> None:
    put(bad_der=data)
    result = run("grep", "x", "bad.der", status=1)
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert "error" in run_json("grep", "x", "bad.der", status=1)[0]


def test_random_changes_cause_no_traceback() -> None:
    chance = random.Random(11)
    for round_ in range(150):
        data = bytearray((CERTIFICATE, CRL, SMALL)[round_ % 3])
        data[chance.randrange(len(data))] = chance.randrange(256)
        put(a_der=bytes(data))
        result = CliRunner().invoke(command, ["grep", "**", "a.der", *(["--json"] if round_ % 2 else [])])
        assert result.exit_code in (0, 1)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        if round_ % 2:
            json.loads(result.stdout)


def test_the_nesting_of_strings_is_limited() -> None:
    data = b"\x05\x00"
    for _ in range(200):
        data = der(0x04, data)
    put(a_der=data)
    assert 10 < len(matches("**", "a.der")) < 30


def test_a_broken_pipe_has_no_message() -> None:
    put(a_crl=make_crl(20_000))
    assert left_by_its_reader("grep", "**", "a.crl") == (141, b"")

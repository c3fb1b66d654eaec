"""The command `derlib`: output, exit status, errors, and any input."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib import pem

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

import click
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
    process,
    put,
    run,
    run_json,
    variables,
)

from derlib.cli.output.escapes import printable

pytestmark = pytest.mark.usefixtures("empty_folder")

# --- derlib cert


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
        "version serial_number signature_algorithm issuer not_before not_after subject"
        " public_key sha256 extensions"
    )
    assert certificate["serial_number"] == "0x1a2b"
    assert certificate["public_key"]["key"]["public_exponent"] == 65537
    assert certificate["public_key"]["key"]["modulus"].startswith("0xc100")
    constraints, _, names, unknown = certificate["extensions"]
    assert constraints == {
        "oid": "2.5.29.19",
        "name": "id-ce-basicConstraints",
        "critical": True,
        "value": {"ca": True},
    }
    assert names["value"] == [{"dns_name": "example.org"}, {"ip_address": "c0000201"}]
    assert unknown["value"] == "dead"


# --- derlib crl


def test_crl_shows_the_fields_and_the_first_entries() -> None:
    put(a_crl=CRL)
    output = run("crl", "a.crl").stdout
    lines = [" ".join(line.split()) for line in output.splitlines()]
    for expected in (
        "version: v2",
        "issuer: CN=Test CA",
        "this update: 2025-01-01T00:00:00Z",
        "next update: 2025-01-01T00:00:00Z",
        "id-ce-cRLNumber",
        "4097",
        "entries: 7",
        "0x100000 2025-01-01T00:00:00Z",
        "0x100001 2025-01-01T00:00:00Z id-ce-cRLReasons: key_compromise",
        "and 2 more (--all shows them)",
    ):
        assert expected in lines
    assert "0x100005" not in output


@pytest.mark.parametrize(
    ("options", "shown"),
    [((), 5), (("--entries", "0"), 0), (("--entries", "9"), 7), (("--all",), 7)],
)
def test_crl_shows_as_many_entries_as_asked_for(options: Sequence[str], shown: int) -> None:
    put(a_crl=CRL)
    output = run("crl", "a.crl", *options).stdout
    assert output.count("0x1000") == shown
    assert ("more" in output) == (shown < 7)


def test_crl_json_has_all_entries_or_as_many_as_asked_for() -> None:
    put(a_crl=CRL)
    (document,) = run_json("crl", "a.crl")
    crl = document["crl"]
    assert crl["number_of_entries"] == len(crl["entries"]) == 7
    assert crl["entries"][0] == {
        "serial_number": "0x100000",
        "revocation_date": "2025-01-01T00:00:00Z",
    }
    assert crl["entries"][1]["extensions"] == [
        {
            "oid": "2.5.29.21",
            "name": "id-ce-cRLReasons",
            "critical": False,
            "value": "key_compromise",
        }
    ]
    (document,) = run_json("crl", "a.crl", "--entries", "2")
    assert len(document["crl"]["entries"]) == 2


def test_crl_without_entries() -> None:
    put(a_crl=make_crl(0))
    assert "entries:        0\n" in run("crl", "a.crl").stdout
    assert run_json("crl", "a.crl")[0]["crl"]["entries"] == []


def test_a_time_that_datetime_cannot_represent_is_shown_as_encoded() -> None:
    put(a_crl=make_crl(1, this_update=YEAR_ZERO))
    assert "00000101000000Z" in run("crl", "a.crl").stdout
    assert run_json("crl", "a.crl")[0]["crl"]["this_update"] == "00000101000000Z"
    assert "GeneralizedTime 00000101000000Z" in run("dump", "a.crl").stdout
    run_json("dump", "a.crl")


# --- derlib dump

def test_dump_shows_offsets_types_and_values() -> None:
    put(a_der=SMALL)
    expected = """\
  offset  hl   length  element
       0   2       46  SEQUENCE
       2   2        3    OBJECT IDENTIFIER id-ce-subjectKeyIdentifier (2.5.29.14)
       7   2        9    OCTET STRING contains
       9   2        7      SEQUENCE
      11   2        1        INTEGER 5
      14   2        2        UTF8String "é"
      18   2        2    BIT STRING f0, 4 unused bits
      22   2        3    [1]
      24   2        1      BOOLEAN TRUE
      27   2        4    [0] "text"
      33   2       10    INTEGER -0x1000000000000000000
"""
    lines = run("dump", "a.der").stdout.splitlines()
    # The second line has the length of the document.
    assert lines[0] == expected.splitlines()[0]
    assert lines[2:] == expected.splitlines()[2:]


def test_dump_finds_every_element_that_the_tree_has() -> None:
    put(a_der=CERTIFICATE)
    shown = {
        tuple(map(int, line.split()[:3]))
        for line in run("dump", "--no-into", "a.der").stdout.splitlines()[1:]
    }
    spans = (element.span for element in derlib.parse(CERTIFICATE).walk())
    assert shown == {(s.offset, s.header_length, s.content_length) for s in spans}


def elements(document: Any) -> Iterator[Any]:
    stack = [document["element"]]
    while stack:
        element = stack.pop()
        yield element
        stack.extend(element.get("children", ()))
        stack.extend([element["contains"]] if "contains" in element else ())


def test_dump_json_offsets_count_from_the_start_of_the_file() -> None:
    put(a_der=CERTIFICATE)
    (document,) = run_json("dump", "a.der")
    nested = 0
    for element in elements(document):
        start = element["offset"]
        end = start + element["header_length"] + element["content_length"]
        found = derlib.parse(CERTIFICATE[start:end])
        assert found.tag.number == element["tag"]["number"]
        assert found.tag.tag_class == element["tag"]["class"]
        assert found.tag.constructed == element["tag"]["constructed"]
        assert len({"children", "contains", "value"} & element.keys()) == 1
        nested += "contains" in element
    assert nested == 4


def test_dump_json_values() -> None:
    put(a_der=SMALL)
    (document,) = run_json("dump", "a.der")
    by_offset = {element["offset"]: element for element in elements(document)}
    assert (by_offset[2]["value"], by_offset[2]["name"]) == (
        "2.5.29.14",
        "id-ce-subjectKeyIdentifier",
    )
    assert (by_offset[18]["value"], by_offset[18]["unused_bits"]) == ("f0", 4)
    values = {n: by_offset[n]["value"] for n in (11, 14, 24, 27, 33)}
    assert values == {11: 5, 14: "é", 24: True, 27: "74657874", 33: "-0x1000000000000000000"}


def test_dump_depth_limits_the_levels() -> None:
    put(a_der=SMALL)
    assert len(run("dump", "--depth", "0", "a.der").stdout.splitlines()) == 2
    output = run("dump", "--depth", "1", "a.der").stdout
    assert "OCTET STRING contains SEQUENCE\n" in output
    assert "BOOLEAN" not in output
    (document,) = run_json("dump", "--depth", "1", "a.der")
    assert len(document["element"]["children"]) == 6
    assert sum(1 for _ in elements(document)) == 7


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_dump_offset_accepts_every_offset_that_dump_shows(options: Sequence[str]) -> None:
    put(a_der=SMALL)
    places = [line.split()[0] for line in run("dump", "a.der").stdout.splitlines()[1:]]
    assert len(places) == 11
    for place in places:
        output = run("dump", "a.der", "--offset", place, "--depth", "0", *options).stdout
        if options:
            assert str(json.loads(output)[0]["element"]["offset"]) == place
        else:
            assert output.splitlines()[1].split()[0] == place


def test_dump_offset_reads_der_after_other_data() -> None:
    put(a_bin=b"HEADER" + SMALL)
    assert "       6   2" in run("dump", "--offset", "6", "a.bin").stdout


@pytest.mark.parametrize("offset", ["1", "3", "10", "1000000", "99999999999999999999"])
def test_dump_offset_where_no_element_starts(offset: str) -> None:
    put(a_der=SMALL)
    result = run("dump", "--offset", offset, "a.der", status=3)
    assert result.stderr == f"derlib: a.der: no element starts at offset {offset}; the input is {len(SMALL)} bytes\n"


@pytest.mark.parametrize("command", [("dump", "--offset", "1", "a.der"), ("extract", "a.der", "1")])
def test_an_offset_without_element_in_invalid_der_has_status_1(command: Sequence[str]) -> None:
    put(a_der=SMALL[:-1])
    result = run(*command, status=1)
    assert result.stderr == "derlib: a.der: no element starts at offset 1; the input is not valid DER\n"


def test_an_invalid_file_outweighs_a_missing_offset() -> None:
    put(a_der=SMALL, b_der=SMALL[:-1])
    run("dump", "--offset", "1", "a.der", "b.der", status=1)
    run("dump", "--offset", "1", "b.der", "a.der", status=1)


def test_dump_opens_strings_that_are_one_universal_element() -> None:
    strings = [b"\x02\x01", b"\x02\x01\x05\x00", b"\x80\x00", b"\x1f\x01\x00", b"", b"\x00\x00"]
    put(a_der=der(0x30, *(der(0x04, text) for text in strings), der(0x03, b"\x01\x04\x00")))
    assert "contains" not in run("dump", "a.der").stdout


def test_dump_limits_the_nesting_of_strings() -> None:
    data = b"\x05\x00"
    for _ in range(200):
        data = der(0x04, data)
    put(a_der=data)
    assert 10 < len(run("dump", "a.der").stdout.splitlines()) < 100
    run_json("dump", "a.der")


def test_dump_shortens_long_values_but_not_in_json() -> None:
    put(
        a_der=der(
            0x30, der(0x04, b"\xff" * 5000), der(0x0C, b"x" * 5000), der(0x02, b"\x7f" * 5000)
        )
    )
    output = run("dump", "a.der").stdout
    assert max(map(len, output.splitlines())) < 200
    assert "(5000 bytes)" in output
    assert "(5000 characters)" in output
    octets, text, number = run_json("dump", "a.der")[0]["element"]["children"]
    assert octets["value"] == "ff" * 5000
    assert text["value"] == "x" * 5000
    assert number["value"] == "0x" + "7f" * 5000


# --- Inputs


@pytest.mark.parametrize("verb", ["cert", "dump"])
def test_pem_is_detected_and_its_blocks_have_headings(verb: str) -> None:
    put(one_pem=pem.encode(CERTIFICATE, "CERTIFICATE"), a_der=CERTIFICATE)
    put(two_pem=2 * ("Some text\n" + pem.encode(CERTIFICATE, "CERTIFICATE")))
    alone = run(verb, "a.der").stdout
    assert run(verb, "one.pem").stdout == alone
    assert run(verb, "-", stdin=Path("one.pem").read_bytes()).stdout == alone
    second = 3 + len(Path("one.pem").read_text().splitlines())
    heads = [
        f"two.pem: block {n} (CERTIFICATE, line {line}):\n" for n, line in ((1, 2), (2, second))
    ]
    output = run(verb, "two.pem").stdout
    assert output == f"{heads[0]}{alone}\n{heads[1]}{alone}"
    assert run(verb, "a.der", "one.pem").stdout == f"a.der:\n{alone}\none.pem:\n{alone}"
    documents = run_json(verb, "two.pem")
    assert [(d["block"], d["label"]) for d in documents] == [(1, "CERTIFICATE"), (2, "CERTIFICATE")]


def test_blocks_with_other_labels_are_skipped() -> None:
    encrypted = "-----BEGIN KEY-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END KEY-----\n"
    put(a_pem=encrypted + pem.encode(CERTIFICATE, "CERTIFICATE"), key_pem=encrypted)
    assert "0x1a2b" in run("cert", "a.pem").stdout
    assert "no PEM block labelled X509 CRL or CRL" in run("crl", "a.pem", status=1).stderr
    assert "line 2: the block has RFC 1421 headers" in run("dump", "key.pem", status=1).stderr


# --- Errors

@pytest.mark.parametrize("verb", ["cert", "crl", "dump"])
@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_invalid_data_is_one_error_line_and_status_1(verb: str, data: bytes) -> None:
    put(bad_der=data)
    result = run(verb, "bad.der", status=1)
    assert result.stdout == ""
    assert result.stderr.startswith("derlib: bad.der: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 1100
    (document,) = run_json(verb, "bad.der", status=1)
    assert document["file"] == "bad.der"
    assert document["error"]["message"] in result.stderr


def test_the_error_has_the_path_and_the_offset() -> None:
    put(bad_crl=CRL.replace(b"\x02\x03\x10\x00\x03", b"\x02\x03\x00\x00\x03"))
    result = run("crl", "bad.crl", status=1)
    assert "tbs_cert_list.revoked_certificates[3].user_certificate at offset" in result.stderr
    (document,) = run_json("crl", "bad.crl", status=1)
    assert document["error"]["path"] == [
        "tbs_cert_list",
        "revoked_certificates",
        3,
        "user_certificate",
    ]
    assert isinstance(document["error"]["offset"], int)


def test_valid_files_are_shown_if_others_are_invalid() -> None:
    put(good_der=CERTIFICATE, bad_der=b"\0", bundle_pem=pem.encode(b"\5\0", "CERTIFICATE") * 2)
    os.mkdir("folder")
    result = run(
        "cert", "bad.der", "good.der", "absent", "folder", "bundle.pem", "good.der", status=1
    )
    assert result.stdout.count("0x1a2b") == 2
    errors = result.stderr.splitlines()
    assert len(errors) == 5
    assert errors[1].startswith("derlib: absent: No such file")
    assert errors[2].startswith("derlib: folder: Is a directory")
    assert errors[3].startswith("derlib: bundle.pem: block 1 (CERTIFICATE, line 1): at offset 0")
    documents = run_json("cert", "bad.der", "good.der", "absent", status=1)
    assert ["error" in document for document in documents] == [True, False, True]


def test_blocks_before_an_invalid_block_are_shown() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + "-----BEGIN CERTIFICATE-----\n")
    result = run("cert", "a.pem", status=1)
    assert "0x1a2b" in result.stdout
    assert "has no END line" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["dump"],
        ["dump", "--depth", "-1", "a.der"],
        ["dump", "--offset", "x", "a.der"],
        ["cert", "--nonsense", "a.der"],
        ["crl", "--all", "--entries", "3", "a.der"],
    ],
)
def test_wrong_command_lines_have_status_2(arguments: Sequence[str]) -> None:
    put(a_der=CRL)
    result = run(*arguments, status=2)
    assert "Usage: derlib" in result.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_one_error_line() -> None:
    put(a_der=CERTIFICATE)
    Path("a.der").chmod(0)
    assert run("cert", "a.der", status=1).stderr == "derlib: a.der: Permission denied\n"


# --- Terminals


@pytest.mark.parametrize("color", ["--color", "--no-color"])
def test_the_contents_of_a_file_are_escaped(color: str) -> None:
    put(
        a_der=make_certificate(HOSTILE),
        b_crl=make_crl(3, issuer=HOSTILE),
        c_der=make_certificate(alternative="\x1b]0;title\x07\x7f"),
        d_der=der(0x30, der(0x80, b"\x1b[2J"), der(0x30, der(0x16, b"\x1b[2J"))),
    )
    for verb, file in (
        ("cert", "a.der"),
        ("cert", "c.der"),
        ("crl", "b.crl"),
        *(("dump", file) for file in ("a.der", "b.crl", "c.der", "d.der")),
    ):
        plain = run(verb, file, color).stdout
        for style in ("1", "2", "31", "32", "36", "0"):
            plain = plain.replace(f"\033[{style}m", "") if color == "--color" else plain
        assert all(character.isprintable() for character in plain.replace("\n", ""))
        output = run(verb, file, "--json").stdout
        assert all(" " <= character <= "~" for character in output.replace("\n", ""))


@pytest.mark.skipif(os.name != "posix", reason="other systems do not allow such names")
def test_the_name_of_a_file_is_escaped() -> None:
    name = "evil\x1b[31m\n\u202e.der"
    Path(name).write_bytes(CERTIFICATE)
    result = run("cert", name, name, "x" + name, status=1)
    for text in (result.stdout, result.stderr):
        assert all(character.isprintable() for character in text.replace("\n", ""))
    assert result.stderr.count("\n") == 1
    assert run_json("cert", name)[0]["file"] == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢字", "plain é 漢字"),
        ("\\", "\\\\"),
        ("\x00\x1b\x7f\x85\x9f", r"\x00\x1b\x7f\x85\x9f"),
        (
            "\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
            r"\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
        ),
        ("\u2028\u2029\ufeff\U000e0001", r"\u2028\u2029\ufeff\U000e0001"),
        ("\ud800", r"\ud800"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_colours_are_written_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    put(a_der=CERTIFICATE)
    for verb in ("cert", "dump"):
        assert "\033[" not in run(verb, "a.der").stdout
        assert "\033[" in run(verb, "a.der", "--color").stdout
        assert "\033[" not in run(verb, "a.der", "--color", "--json").stdout
    monkeypatch.setattr("derlib.cli.output.standard_output._wants_color", lambda: True)
    assert "\033[" in run("cert", "a.der").stdout
    assert "\033[" not in run("cert", "a.der", "--no-color").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colour_on_a_terminal_unless_no_color_is_set(
    environment: dict[str, str], coloured: bool
) -> None:
    put(a_der=SMALL)
    ours, theirs = os.openpty()
    child = process("dump", "--depth", "0", "a.der", environment=environment, stdout=theirs)
    _, errors = child.communicate(timeout=60)
    os.close(theirs)
    output = os.read(ours, 10_000)
    os.close(ours)
    assert (child.returncode, errors) == (0, b"")
    assert (b"\033[" in output) == coloured


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_characters_outside_the_encoding_are_escaped(encoding: str) -> None:
    put(a_der=make_certificate("é 漢"))
    child = process("cert", "a.der", environment={"PYTHONIOENCODING": encoding})
    output, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, b"")
    assert "\\u6f22" in output.decode(encoding) or encoding == "utf-8"


# --- Pipes


@pytest.mark.skipif(os.name != "posix", reason="pipes end otherwise elsewhere")
@pytest.mark.parametrize(
    "arguments", [["dump"], ["dump", "--json"], ["crl", "--all"], ["crl", "--json"]], ids=" ".join
)
def test_a_broken_pipe_has_no_message(arguments: list[str]) -> None:
    put(a_crl=make_crl(20_000))
    assert left_by_its_reader(*arguments, "a.crl") == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_one_error_line() -> None:
    put(a_crl=CRL)
    with open("/dev/full", "wb") as full:
        child = process("crl", "a.crl", stdout=full)
        _, errors = child.communicate(timeout=60)
    assert child.returncode == 1
    assert errors.startswith(b"derlib: standard output: ")
    assert errors.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux")
@pytest.mark.parametrize(
    "arguments", [["dump"], ["dump", "--json"], ["crl", "--json"]], ids=" ".join
)
def test_a_large_file_takes_little_memory(arguments: list[str]) -> None:
    put(a_crl=make_crl(100_000))
    script = (
        "import resource, sys; from derlib.cli.app import derlib\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "derlib.main(sys.argv[1:], standalone_mode=False)\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "sys.exit(after - before > 20_000 and f'{after - before} KiB')\n"
    )
    subprocess.run(
        [sys.executable, "-c", script, *arguments, "a.crl"],
        env=variables(),
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=300,
    )


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the stream")
def test_closed_streams_cause_no_traceback() -> None:
    put(a_der=CERTIFICATE)
    for arguments, status in (
        ("cert - <&-", 1),
        ("cert a.der >&-", 0),
        ("cert a.der absent >&- 2>&-", 1),
    ):
        result = subprocess.run(
            f"{sys.executable} -m derlib {arguments}",
            shell=True,
            env=variables(),
            capture_output=True,
            timeout=60,
        )
        assert (result.returncode, b"Traceback" in result.stderr) == (status, False)


# --- Without click, version, help


def test_without_click_one_line_names_the_extra(tmp_path: Path) -> None:
    script = "import sys; sys.modules['click'] = None; from derlib.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=variables(),
        capture_output=True,
        timeout=60,
    )
    assert result.returncode == 1
    assert result.stderr.count(b"\n") == 1
    assert b'pip install "derlib[cli]"' in result.stderr


def test_an_import_error_inside_click_is_not_reported_as_missing_click(tmp_path: Path) -> None:
    # click is installed, but a module that it imports is missing.
    (tmp_path / "click.py").write_text("import a_part_of_click")
    environment = variables()
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    script = [sys.executable, "-c", "from derlib.cli import main; main()"]
    result = subprocess.run(script, env=environment, capture_output=True, timeout=60)
    assert result.returncode == 1
    assert b"ModuleNotFoundError: No module named 'a_part_of_click'" in result.stderr
    assert b"pip install" not in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS holds, and /proc tells what is in use, on Linux alone")
def test_a_file_larger_than_memory_is_one_error_line() -> None:
    put(a_der=CERTIFICATE)
    with open("large.der", "wb") as file:
        file.truncate(1 << 33)
    # The limit is above the current size: a sanitizer reserves much memory. By default it aborts when memory ends.
    script = (
        "import resource; pages = int(open('/proc/self/statm').read().split()[0]); "
        "limit = pages * resource.getpagesize() + (1 << 32); "
        "resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY)); "
        "from derlib.cli import main; main()"
    )
    sanitizer = f"{os.environ.get('ASAN_OPTIONS', '')}:allocator_may_return_null=1"
    result = subprocess.run(
        [sys.executable, "-c", script, "cert", "large.der", "a.der"],
        env=variables(ASAN_OPTIONS=sanitizer),
        capture_output=True,
        timeout=60,
    )
    assert result.returncode == 1
    assert result.stderr == b"derlib: large.der: too large for the memory of this machine\n"
    assert b"0x1a2b" in result.stdout


@pytest.mark.parametrize("verb", ["lint", "grep 2.5.29.17", "convert --to pem", "cert", "dump"])
def test_a_memory_error_is_one_line_or_two(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*_: object, **__: object) -> None:
        raise MemoryError

    put(a_der=CERTIFICATE)
    for holder, name in (
        ("derlib.cli.documents.document_types.DocumentType", "decode"),
        ("derlib.cli.commands.cert.Certificate", "decode"),
        ("derlib", "parse"),
    ):
        monkeypatch.setattr(f"{holder}.{name}", ends)
    output = run(*verb.split(), "a.der", status=1).output
    assert "a.der: " in output
    assert "not enough memory\n" in output
    assert output.count("\n") == 1 + (verb == "lint")


def test_version() -> None:
    assert run("--version").stdout == f"derlib {derlib.__version__}\n"


@pytest.mark.parametrize("verb", ["", *command.list_commands(click.Context(command))])
def test_help_has_an_example(verb: str) -> None:
    output = run(*[verb][: bool(verb)], "--help").stdout
    assert f"derlib {verb}" in output
    assert "Example" in output


# --- Random input


def test_random_changes_cause_no_traceback() -> None:
    chance = random.Random(5280)
    originals = [CERTIFICATE, CRL, SMALL, pem.encode(CERTIFICATE, "CERTIFICATE").encode()]
    for round_ in range(120):
        data = bytearray(chance.choice(originals))
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        put(a_der=bytes(data))
        verb = ("cert", "crl", "dump")[round_ % 3]
        for options in ((), ("--json",)):
            result = CliRunner().invoke(command, [verb, "a.der", *options])
            assert result.exit_code in (0, 1)
            assert result.exception is None or isinstance(result.exception, SystemExit)
            assert result.stderr.count("\n") == result.exit_code
            if options:
                json.loads(result.stdout)


def test_tolerated_deviations_are_reported_on_standard_error_and_in_json():
    broken = str(Path(__file__).parents[2] / "docs" / "examples" / "broken.pem")
    where = "tbs_certificate.extensions[0].critical at offset 161"
    refused = CliRunner().invoke(command, ["cert", broken])
    assert refused.exit_code == 1
    assert "--tolerate boolean-true accepts it" in refused.stderr
    shown = CliRunner().invoke(command, ["cert", broken, "--tolerate", "boolean-true"])
    assert shown.exit_code == 0
    assert "serial:" in shown.stdout
    assert f"tolerated {where}: boolean-true (X.690 11.1)" in shown.stderr
    for name in ("cert", "dump"):
        found = json.loads(CliRunner().invoke(command, [name, broken, "--json", "--tolerate", "boolean-true"]).stdout)
        (tolerated,) = found[0]["tolerated"]
        assert (tolerated["deviation"], tolerated["offset"]) == ("boolean-true", 161)

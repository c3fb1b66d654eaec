"""BER files: `--ber` of every command, `convert --from ber`, and the remedy in errors."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support.commands import CERTIFICATE, CRL, SMALL, der, make_crl, put, run, run_json

import derlib
from derlib import pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

ALL = ("cert", "crl", "dump", "grep", "extract", "diff", "convert", "lint", "view")


def indefinite(data: bytes) -> bytes:
    """Return DER with an indefinite length in place of each definite length of a constructed element."""

    def write(element: derlib.TLV) -> bytes:
        if not element.tag.constructed:
            return element.encode()
        header = bytes(element.der[: element.span.header_length])
        identifier = header[: 1 if header[0] & 31 != 31 else -1]
        return identifier + b"\x80" + b"".join(map(write, element)) + b"\0\0"

    return write(derlib.parse(data))


BER = indefinite(SMALL)
CERTIFICATE_BER = indefinite(CERTIFICATE)
CRL_BER = indefinite(CRL)
#: A SEQUENCE of indefinite length: a string in segments, a BOOLEAN that is not ff, a long length, BER in a string.
FORMS = bytes.fromhex("3080 2480 040161 040162 0000 010105 308102 0500 0404 30800000 0000")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(
        small_der=SMALL,
        small_ber=BER,
        cert_der=CERTIFICATE,
        cert_ber=CERTIFICATE_BER,
        crl_der=CRL,
        crl_ber=CRL_BER,
        forms_ber=FORMS,
        bad_ber=CERTIFICATE_BER[:-2],
    )


# --- All commands


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_the_option(name: str) -> None:
    assert "--ber" in run(name, "--help").stdout


@pytest.mark.parametrize("name", ["cert.ber", "cert.der"])
def test_show_reads_ber_with_and_without_the_option(name: str) -> None:
    assert run("show", name, "--ber").output == run("show", name).output


@pytest.mark.parametrize(
    "line", ["cert cert.{}", "crl crl.{} --all", "crl crl.{} --find 0x100003", "grep -i test cert.{}"]
)
def test_the_output_for_ber_is_that_for_der(line: str) -> None:
    found = run(*line.format("ber").split(), "--ber").stdout
    wanted = with_hash_of_ber(run(*line.format("der").split()).stdout)
    strip = str.splitlines
    if "grep" in line:
        strip = lambda text: [row.split(": ", 1)[1] for row in text.splitlines()]  # noqa: E731 - without the offsets
    assert strip(found) == strip(wanted)


@pytest.mark.parametrize("line", ["cert cert.der", "crl crl.der", "lint small.der", "grep oid small.der --by text"])
def test_der_is_read_in_the_same_way_with_the_option(line: str) -> None:
    status = 3 if "grep" in line else 0
    assert run(*line.split(), "--ber", status=status).output == run(*line.split(), status=status).output


@pytest.mark.parametrize(
    "line",
    [
        "cert cert.ber",
        "crl crl.ber",
        "dump small.ber",
        "grep x small.ber",
        "extract small.ber [0]",
        "convert small.ber --to der -o out",
        "view small.ber -o out",
    ],
)
def test_the_error_for_a_form_of_ber_names_the_option(line: str) -> None:
    result = run(*line.split(), status=1)
    signed = ", but can change signed bytes" if line.startswith("c") and "small" not in line else ""
    assert result.stderr.endswith(f"(X.690 10.1); --ber reads BER{signed}\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "show --ber", "crl --ber"])
def test_the_command_for_all_entries_reads_ber_too(command: str) -> None:
    put(a_crl=b"\x30\x80" + bytes(derlib.parse(make_crl(6)).content) + b"\0\0", b_crl=make_crl(6))
    remark = " --ber" if command.startswith("show") else ""
    assert f"and 1 more (derlib crl --all{remark} shows them)" in run(*command.split(), "a.crl").stdout
    assert "and 1 more (derlib crl --all shows them)" in run(*command.split(), "b.crl").stdout
    assert "0x100005" in run("crl", "--all", "--ber", "a.crl").stdout


def test_an_error_of_ber_does_not_name_the_option_again() -> None:
    # The segment of the OCTET STRING is a SEQUENCE, so the document cannot be converted by its type.
    signed, data = (bytes.fromhex(f"06092a864886f70d01070{number}") for number in (2, 1))
    content = der(0x30, data, der(0xA0, bytes.fromhex("24023000")))
    token = der(0x30, signed, der(0xA0, der(0x30, b"\x02\x01\x01\x31\x00", content, b"\x31\x00")))
    put(a_tsr=der(0x30, der(0x30, b"\x02\x01\x00"), token))
    assert "--ber reads BER" in run("lint", "a.tsr", status=1).stdout
    result = run("lint", "a.tsr", "--ber", status=1)
    assert "has the constructed form" in result.stdout
    assert "--ber" not in result.output


def test_the_error_of_diff_names_the_option() -> None:
    assert "; --ber reads BER\n" in run("diff", "small.ber", "small.der", status=2).stderr


@pytest.mark.parametrize(
    ("octets", "words"),
    [
        ("2403 040161", "10.2); --ber reads BER\n"),
        ("0101 05", "11.1); --tolerate boolean-true accepts it; --ber reads BER\n"),
        ("3081 02 0500", "10.1); --tolerate length-form accepts it; --ber reads BER\n"),
        ("0202 0005", "8.3.2); --tolerate integer-padding accepts it\n"),
        ("0500 00", "8.1.1.1); --tolerate trailing-data accepts it\n"),
    ],
)
def test_only_forms_that_ber_allows_have_the_remedy(octets: str, words: str) -> None:
    put(a_der=bytes.fromhex(octets))
    assert run("dump", "a.der", status=1).stderr.endswith(words)


def test_json_has_the_remedy_in_the_message() -> None:
    (document,) = run_json("dump", "small.ber", status=1)
    assert document["error"]["message"].endswith("; --ber reads BER")
    assert document["error"]["kind"] == "length-indefinite"


@pytest.mark.parametrize("name", ["cert", "dump", "lint"])
def test_an_error_in_ber_has_the_offset_in_the_file_and_no_remedy(name: str) -> None:
    result = run(name, "bad.ber", "--ber", status=1)
    assert "at offset 0: the input ends at offset" in result.stderr
    assert "8.1.3.6" in result.stderr
    assert "reads BER" not in result.output


def test_an_error_of_the_type_has_its_path_and_the_offset_in_the_file() -> None:
    damaged = CERTIFICATE_BER.replace(bytes.fromhex("02021a2b"), bytes.fromhex("0202001a"), 1)
    put(a_ber=damaged)
    offset = damaged.index(bytes.fromhex("0202001a"))
    error = run("cert", "a.ber", "--ber", status=1).stderr
    assert f"tbs_certificate.serial_number at offset {offset}: INTEGER 00 1a is not minimal" in error


def test_ber_in_pem_is_converted() -> None:
    put(a_pem=pem.encode(CERTIFICATE_BER, "CERTIFICATE"))
    assert run("cert", "a.pem", "--ber").stdout == with_hash_of_ber(run("cert", "cert.der").stdout)


def test_a_fingerprint_is_that_of_the_file() -> None:
    fingerprint = hashlib.sha256(CERTIFICATE_BER).hexdigest()
    put(a_pem=pem.encode(CERTIFICATE_BER, "CERTIFICATE"))
    for line in ("show cert.ber", "show a.pem", "cert cert.ber --ber"):
        assert f"sha256:         {fingerprint}" in run(*line.split()).stdout
    assert run_json("show", "cert.ber")[0]["object"]["value"]["sha256"] == fingerprint
    assert run_json("cert", "cert.ber", "--ber")[0]["certificate"]["sha256"] == fingerprint
    put(two_ber=2 * CERTIFICATE_BER)
    assert run("show", "two.ber").stdout.count(fingerprint) == 2


def with_hash_of_ber(text: str) -> str:
    """Return the output for the certificate with the fingerprint of its BER."""
    hashes = [hashlib.sha256(octets).hexdigest() for octets in (CERTIFICATE, CERTIFICATE_BER)]
    return text.replace(*hashes)


def test_a_file_can_have_several_values_in_ber() -> None:
    put(two_ber=CERTIFICATE_BER + CERTIFICATE_BER[:-2] + b"\0\0" + SMALL)
    run("lint", "two.ber", "--ber")
    found = run_json("dump", "two.ber", "--ber")
    size = len(CERTIFICATE_BER)
    assert [one["offset"] for one in found] == [0, size, 2 * size]
    assert [one["element"]["offset"] for one in found] == [0, size, 2 * size]
    found = run_json("grep", "2.5.29.14", "two.ber", "--ber", "--by", "oid")
    assert [one["offset"] for one in found[2]["matches"]] == [2 * size + 2]
    run("extract", "two.ber", "[0]", "--ber", "--block", "3", "-o", "out")
    assert Path("out").read_bytes() == bytes.fromhex("0603551d0e")


def test_an_error_in_a_second_value_counts_from_the_start_of_the_file() -> None:
    put(two_ber=BER + bytes.fromhex("3080 02020001 0000"))
    assert f"at offset {len(BER) + 2}: INTEGER 00 01" in run("lint", "two.ber", "--ber", status=1).stderr


# --- dump and view


def test_dump_shows_the_forms_of_ber() -> None:
    assert run("dump", "forms.ber", "--ber").stdout == (
        "  offset  hl   length  element\n"
        "       0   2       24  SEQUENCE (indefinite length)\n"
        "       2   2        6    OCTET STRING (indefinite length, in segments)\n"
        "       4   2        1      OCTET STRING 61\n"
        "       7   2        1      OCTET STRING 62\n"
        "      10   2        0      end-of-contents\n"
        "      12   2        1    BOOLEAN TRUE\n"
        "      15   3        2    SEQUENCE (long length)\n"
        "      18   2        0      NULL\n"
        "      20   2        4    OCTET STRING contains\n"
        "      22   2        0      SEQUENCE (indefinite length)\n"
        "      24   2        0        end-of-contents\n"
        "      26   2        0    end-of-contents\n"
    )


def test_dump_of_der_is_the_same_with_the_option() -> None:
    for name in ("small.der", "cert.der", "crl.der"):
        assert run("dump", name, "--ber").stdout == run("dump", name).stdout


def test_dump_shows_invalid_contents() -> None:
    put(a_ber=bytes.fromhex("3080 0300 02020001 0c01ff 0501aa 1803 616263 0000"))
    lines = run("dump", "a.ber", "--ber").stdout.splitlines()[2:-1]
    assert [line.split("  ")[-1] for line in lines] == [
        "BIT STRING (empty) (invalid contents)",
        "INTEGER 00:01 (invalid contents)",
        "UTF8String ff (invalid contents)",
        "NULL aa (invalid contents)",
        "GeneralizedTime 61:62:63 (invalid contents)",
    ]


def test_dump_writes_the_forms_as_json() -> None:
    ((document),) = run_json("dump", "forms.ber", "--ber")
    root = document["element"]
    assert (root["length_form"], root["end_of_contents"]) == ("indefinite", 26)
    string, boolean, sequence, contains = root["children"]
    assert (string["length_form"], string["end_of_contents"]) == ("indefinite", 10)
    assert [segment["value"] for segment in string["children"]] == ["61", "62"]
    assert boolean["value"] is True
    assert (sequence["length_form"], "end_of_contents" in sequence) == ("long", False)
    assert contains["contains"]["length_form"] == "indefinite"


@pytest.mark.parametrize(
    ("offset", "shown"),
    [
        (2, "OCTET STRING (indefinite length, in segments)"),
        (7, "OCTET STRING 62"),
        (22, "SEQUENCE (indefinite length)"),
    ],
)
def test_dump_shows_the_element_at_an_offset(offset: int, shown: str) -> None:
    line = run("dump", "forms.ber", "--ber", "--offset", str(offset)).stdout.splitlines()[1]
    assert line.split()[0] == str(offset)
    assert line.endswith(shown)


@pytest.mark.parametrize("offset", [3, 9, 10, 26])
def test_no_element_starts_inside_another_or_at_end_of_contents_octets(offset: int) -> None:
    run("dump", "forms.ber", "--ber", "--offset", str(offset), status=3)


def test_dump_stops_at_a_depth() -> None:
    lines = run("dump", "forms.ber", "--ber", "--depth", "0").stdout.splitlines()
    assert [line.split("  ")[-1] for line in lines] == ["element", "SEQUENCE (indefinite length)"]
    assert run("dump", "forms.ber", "--ber", "--depth", "1").stdout.count("end-of-contents") == 1


def test_arbitrary_bytes_in_a_string_are_not_shown_as_an_element() -> None:
    # The structure of BER, but not NULL.
    put(a_ber=bytes.fromhex("3080 0403 0501aa 0000"))
    assert "OCTET STRING 05:01:aa" in run("dump", "a.ber", "--ber").stdout


def test_view_embeds_the_bytes_of_the_file() -> None:
    run("view", "forms.ber", "--ber", "-o", "out.html")
    text = Path("out.html").read_text()
    assert '"ber": true' in text
    run("view", "small.der", "-o", "out.html")
    assert '"ber": false' in Path("out.html").read_text()


# --- extract, diff, grep: offsets


def test_extract_takes_an_offset_of_the_ber_file_and_writes_der() -> None:
    run("extract", "forms.ber", "2", "--ber", "-o", "out")
    assert Path("out").read_bytes() == bytes.fromhex("0402 6162")
    # A segment of the string.
    run("extract", "forms.ber", "4", "--ber", "-o", "out")
    assert Path("out").read_bytes() == bytes.fromhex("040161")
    run("extract", "forms.ber", "12", "--ber", "-o", "out")
    assert Path("out").read_bytes() == bytes.fromhex("0101ff")
    run("extract", "cert.ber", "tbs_certificate", "--ber", "-o", "out")
    assert Path("out").read_bytes() == Certificate.decode(CERTIFICATE).tbs_certificate.encode()


@pytest.mark.parametrize("offset", ["3", "10", "26", "28", "99999999999999999999999"])
def test_extract_finds_no_end_of_contents_octets_and_nothing_inside_contents(offset: str) -> None:
    assert f"no element starts at offset {offset[:20]}; the input is 28 bytes" in run(
        "extract", "forms.ber", offset, "--ber", "-o", "out", status=3
    ).stderr


def test_the_offsets_of_grep_are_those_of_dump() -> None:
    (found,) = run_json("grep", "id-ce-keyUsage", "cert.ber", "--ber")
    offset = found["matches"][0]["offset"]
    assert "id-ce-keyUsage" in run("dump", "cert.ber", "--ber", "--offset", str(offset)).stdout


def test_show_has_the_offsets_of_dump() -> None:
    put(two_ber=FORMS + FORMS)
    in_ber = [0, 2, 12, 15, 18, 20]
    wanted = [*in_ber, *(len(FORMS) + offset for offset in in_ber)]
    for line in ("show two.ber", "show --ber two.ber"):
        rows = (row.split() for row in run(*line.split()).stdout.splitlines())
        assert [int(row[0]) for row in rows if row and row[0].isdecimal()] == wanted
    found = [one["object"]["value"] for one in run_json("show", "two.ber")]
    assert [part["offset"] for one in found for part in (one, *one["children"][:3])] == [
        *(0, 2, 12, 15), *(len(FORMS) + offset for offset in (0, 2, 12, 15)),
    ]  # fmt: skip


@pytest.mark.parametrize("option", [(), ("--ber",)])
def test_the_tolerated_deviations_of_show_have_the_offsets_of_grep(option: tuple[str, ...]) -> None:
    put(mismatch_ber=indefinite(CERTIFICATE.replace(bytes.fromhex("30030101ff"), bytes.fromhex("02030101ff"))))
    [found] = run_json("grep", "id-ce-keyUsage", "mismatch.ber", "--ber", "--tolerate", "open-type")
    [shown] = run_json("show", "mismatch.ber", "--tolerate", "open-type", *option)
    assert [one["offset"] for one in shown["tolerated"]] == [one["offset"] for one in found["tolerated"]] != []


def test_diff_compares_values() -> None:
    assert run("diff", "cert.ber", "cert.der", "--ber").stdout == ""
    changed = SMALL.replace(b"text", b"next")
    put(changed_ber=indefinite(changed))
    found = json.loads(run("diff", "small.der", "changed.ber", "--ber", "--json", status=1).stdout)
    assert [one["new"]["offset"] for one in found] == [indefinite(changed).index(b"next") - 2]


# --- convert


def test_convert_writes_der_and_reports_each_change() -> None:
    result = run("convert", "forms.ber", "--from", "ber", "-o", "out", status=4)
    assert Path("out").read_bytes() == bytes.fromhex("3011 0402 6162 0101ff 3002 0500 0404 30800000")
    assert result.stderr.splitlines() == [
        "derlib: forms.ber: converted at offset 0: length-indefinite (X.690 10.1)",
        "derlib: forms.ber: converted at offset 2: string-constructed (X.690 10.2)",
        "derlib: forms.ber: converted at offset 12: boolean-true (X.690 11.1)",
        "derlib: forms.ber: converted at offset 15: length-not-minimal (X.690 10.1)",
    ]


def test_the_report_has_paths_if_the_type_is_known() -> None:
    result = run("convert", "cert.ber", "--from", "ber", "-o", "out", status=4)
    assert Path("out").read_bytes() == CERTIFICATE
    offset = CERTIFICATE_BER.index(bytes.fromhex("a080020102")) if b"\xa0\x80\x02\x01\x02" in CERTIFICATE_BER else 0
    assert offset
    assert f"converted tbs_certificate.version at offset {offset}: length-indefinite" in result.stderr


def test_a_block_of_another_type_than_its_label_says_is_converted_as_that_type() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "X509 CRL"))
    assert run("convert", "a.pem", "--from", "ber", "--check").output == ""
    for line in ("grep --ber **.serial_number a.pem", "show --ber a.pem"):
        assert run(*line.split()).stderr == ""
    assert run("convert", "a.pem", "--from", "ber", "--type", "crl", "--check", status=1).stderr != ""


def test_check_reports_the_changes_and_writes_nothing() -> None:
    result = run("convert", "forms.ber", "--from", "ber", "--check", "-o", "out", status=4)
    assert result.stderr.splitlines() == [
        "derlib: forms.ber: would convert at offset 0: length-indefinite (X.690 10.1)",
        "derlib: forms.ber: would convert at offset 2: string-constructed (X.690 10.2)",
        "derlib: forms.ber: would convert at offset 12: boolean-true (X.690 11.1)",
        "derlib: forms.ber: would convert at offset 15: length-not-minimal (X.690 10.1)",
    ]
    assert result.stdout == ""
    assert not Path("out").exists()


def test_the_status_for_der_says_that_nothing_changed() -> None:
    assert run("convert", "small.der", "--from", "ber", "--check").output == ""
    result = run("convert", "small.der", "--from", "ber", "-o", "out")
    assert result.output == ""
    assert Path("out").read_bytes() == SMALL


def test_converting_twice_changes_nothing() -> None:
    run("convert", "forms.ber", "--from", "ber", "-o", "once", status=4)
    run("convert", "once", "--from", "ber", "-o", "twice")
    assert Path("once").read_bytes() == Path("twice").read_bytes()


def test_both_options_mean_the_same() -> None:
    assert run("convert", "forms.ber", "--ber", "--check", status=4).stderr == run(
        "convert", "forms.ber", "--from", "ber", "--check", status=4
    ).stderr


@pytest.mark.parametrize("form", ["pem", "json"])
def test_ber_can_be_converted_to_the_other_formats(form: str) -> None:
    found = run("convert", "crl.ber", "--from", "ber", "--to", form, status=4).stdout
    assert found == run("convert", "crl.der", "--to", form).stdout


def test_a_block_and_a_value_can_be_selected() -> None:
    put(two_ber=BER + CRL_BER, two_pem=pem.encode(BER, "CMS") + pem.encode(CRL_BER, "X509 CRL"))
    for name in ("two.ber", "two.pem"):
        assert "select one with --block N" in run("convert", name, "--ber", "--check", status=1).stderr
        run("convert", name, "--ber", "--block", "2", "-o", "out", status=4)
        assert CertificateList.decode(Path("out").read_bytes()).encode() == CRL
    errors = run("convert", "two.ber", "--ber", "--block", "2", "--check", status=4).stderr
    assert f"two.ber: value 2 (offset {len(BER)}): would convert at offset {len(BER)}: length-indefinite" in errors


def test_an_ambiguous_element_is_reported() -> None:
    put(a_ber=bytes.fromhex("3080 a080 040161 040162 0000 0000"))
    errors = run("convert", "a.ber", "--from", "ber", "--check", status=4).stderr
    assert errors.splitlines()[-1] == (
        "derlib: a.ber: ambiguous at offset 2: this can be a string in segments; without a type, it stays constructed"
    )


#: A SignedData whose version is a string.
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
DAMAGED_CMS = der(0x30, SIGNED_DATA, der(0xA0, der(0x30, der(4, b"\1"))))


@pytest.mark.parametrize("data", [DAMAGED_CMS, indefinite(DAMAGED_CMS)], ids=["DER", "BER"])
def test_a_damaged_document_of_a_known_type_is_not_converted(data: bytes) -> None:
    put(a_ber=data)
    for arguments in (["--check"], ["-o", "a.der"], ["--type", "cms", "--check"]):
        result = run("convert", "a.ber", "--from", "ber", *arguments, status=1)
        assert "content.version at offset" in result.stderr
        assert "expected CMSVersion, found OCTET STRING" in result.stderr
    assert not Path("a.der").exists()
    run("convert", "a.ber", "--from", "ber", "--type", "der", "-o", "a.der", status=4 if data != DAMAGED_CMS else 0)
    assert Path("a.der").read_bytes() == DAMAGED_CMS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (CERTIFICATE_BER[:-2], "before the end-of-contents octets of"),
        (bytes.fromhex("3080 020105 047f"), "at offset 5: an element (04 7f) declares 127 contents octets"),
        (bytes.fromhex("3080 020105"), "at offset 0: the input ends at offset 5, before the end-of-contents octets"),
        (bytes.fromhex("3080 01020105 0000"), "at offset 2:"),
        (indefinite(DAMAGED_CMS), "expected CMSVersion, found OCTET STRING"),
    ],
)
def test_show_names_the_fault_of_damaged_ber(data: bytes, message: str) -> None:
    put(a_ber=data)
    for options in ([], ["--ber"]):
        assert message in run("show", "a.ber", *options, status=1).stderr


@pytest.mark.parametrize("arguments", ["--check --to der", "--check"])
def test_check_needs_ber(arguments: str) -> None:
    assert "--check needs --from ber" in run("convert", "small.der", *arguments.split(), status=2).stderr


def test_conversion_tolerates_nothing() -> None:
    for line in ("convert forms.ber --from ber -o out", "convert forms.ber --ber --check", "convert forms.ber --ber"):
        result = run(*line.split(), "--tolerate", "boolean-true", status=2)
        assert "--tolerate cannot be used with --from ber: conversion tolerates nothing" in result.stderr
    assert not Path("out").exists()


def test_lint_says_that_the_file_was_converted() -> None:
    count = len(derlib.ber.convert(CERTIFICATE_BER, Certificate).changes)
    assert run("lint", "cert.ber", "--ber").stdout == (
        f"cert.ber: no faults after {count} changes from BER to DER, as an X.509 Certificate\n"
    )
    put(a_ber=bytes.fromhex("0101 05"))
    assert "no faults after 1 change from BER to DER" in run("lint", "a.ber", "--ber").stdout
    assert run("lint", "cert.der", "--ber").stdout == "cert.der: no faults, as an X.509 Certificate\n"
    assert [one["lint"]["changes"] for one in run_json("lint", "cert.ber", "cert.der", "--ber")] == [count, 0]
    assert "changes" not in run_json("lint", "cert.der")[0]["lint"]


@pytest.mark.parametrize("name", ["folder", "empty.ber"])
@pytest.mark.parametrize(
    "line", ["cert", "crl", "dump", "lint", "view -o out", "convert", "grep x", "extract [0] -o out"]
)
def test_a_folder_and_an_empty_file_are_one_error(line: str, name: str) -> None:
    Path("folder").mkdir()
    put(empty_ber=b"")
    command, *rest = line.split()
    before, after = (rest, []) if command == "grep" else ([], rest)
    error = run(command, *before, name, *after, "--ber", status=1).stderr
    assert error.count("\n") == 1
    assert ("Is a directory" if name == "folder" else "the file is empty") in error
    assert not Path("out").exists()


def test_a_format_is_required_without_ber() -> None:
    assert "Missing option '--to'" in run("convert", "small.der", status=2).stderr


def test_invalid_ber_is_not_converted() -> None:
    error = run("convert", "bad.ber", "--from", "ber", "-o", "out", status=1).stderr
    assert "at offset 0:" in error
    assert not Path("out").exists()


def test_text_is_not_ber() -> None:
    put(notes_txt=b"which certificates are these?\n")
    assert "it is text, not ASN.1; at" in run("dump", "notes.txt", "--ber", status=1).stderr
    assert "it is text, not ASN.1; at" in run("convert", "notes.txt", "--ber", status=1).stderr


def test_the_order_of_a_set_is_converted() -> None:
    put(a_ber=der(0x30, bytes.fromhex("3106 020102 020101")))
    run("convert", "a.ber", "--from", "ber", "-o", "out", status=4)
    assert Path("out").read_bytes() == der(0x30, bytes.fromhex("3106 020101 020102"))


def test_cms_and_pkcs_12_are_detected() -> None:
    data = bytes.fromhex("06092a864886f70d010701")
    content = der(0x30, data, der(0xA0, der(0x04, b"text")))
    safe = der(0x30, data, der(0xA0, der(0x04, der(0x30))))
    put(
        a_ber=indefinite(content).replace(b"\x04\x04text", bytes.fromhex("2480 04027465 04027874 0000")),
        a_p12=indefinite(der(0x30, b"\x02\x01\x03", safe)),
        a_pem=pem.encode(content, "PKCS7"),
    )
    assert "converted content at offset 15: string-constructed" in run(
        "convert", "a.ber", "--from", "ber", "-o", "out", status=4
    ).stderr
    assert Path("out").read_bytes() == content
    assert "would convert auth_safe.content at offset" in run("convert", "a.p12", "--ber", "--check", status=4).stderr
    assert run("lint", "a.pem").stdout == "a.pem: no faults, as a CMS ContentInfo\n"
    assert "as a PKCS #12 PFX" in run("lint", "a.p12", "--ber").stdout


def test_a_certificate_inside_cms_is_not_converted() -> None:
    outer = bytes.fromhex("3080 06092a864886f70d010702 a080 3080 020101 3100 300b 06092a864886f70d010701 a080")
    put(a_ber=outer + CERTIFICATE_BER + bytes.fromhex("0000 3100 0000 0000 0000"))
    result = run("convert", "a.ber", "--from", "ber", "-o", "out", status=4)
    assert CERTIFICATE_BER in Path("out").read_bytes()
    assert (
        f"kept content.certificates[0].certificate at offset {len(outer)}, although it is not DER: "
        "the indefinite length form (80) is not DER (X.690 10.1)"
    ) in result.stderr


def test_a_fault_that_conversion_does_not_tolerate_has_no_remedy() -> None:
    put(a_ber=bytes.fromhex("3080 130140 0000"))
    error = run("grep", "x", "a.ber", "--ber", "--tolerate", "string-alphabet", status=1).stderr
    assert "at offset 2: PrintableString 40" in error
    assert error.endswith("(X.680 41.4)\n")

"""`derlib crl`: fields and entries, `--find`, and entries as rows for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence

import pytest
from support.commands import (
    CERTIFICATE,
    CRL,
    HOSTILE,
    JANUARY,
    YEAR_ZERO,
    der,
    extension,
    left_by_its_reader,
    make_crl,
    name,
    put,
    run,
    run_json,
)

from derlib import pem
from derlib.schemas.crl import CertificateList

pytestmark = pytest.mark.usefixtures("empty_folder")

FIRST, LAST = "0x100000", "0x100006"


def lists(*arguments: str, status: int = 0) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("crl", *arguments, "--jsonl", status=status).stdout.splitlines()]


# --- --find


@pytest.mark.parametrize(
    "serial",
    [
        "100001",
        "00100001",
        "0x100001",
        "0X0100001",
        "10:00:01",
        "00:10:00:01",
        "10 00 01",
        " 100001 ",
        "serial=100001",
        "1048577 (0x100001)",
        "10-00-01",
        "\u200e10 00 01",
        "Serial\xa0Number: 10\xa000\xa001",
        "Serial Number: 1048577 (0x100001)",
        "Serial Number:\n            10:00:01",
        "Serial number: 100001",
        "Serial Number (hex): 100001",
        "SerialNumber : 100001",
    ],
)
def test_a_serial_number_is_found_in_each_form(serial: str) -> None:
    put(a_crl=CRL)
    found = "  0x100001  2025-01-01T00:00:00Z  id-ce-cRLReasons: key_compromise\n"
    assert run("crl", "a.crl", "--find", serial).stdout == found


@pytest.mark.parametrize(("serial", "decimal"), [("4602A82", "73411202"), ("04602a82", "0073411202")])
def test_letters_and_decimal_digits_are_found(serial: str, decimal: str) -> None:
    crl = CertificateList.decode(make_crl(1))
    (entry,) = crl.tbs_cert_list.revoked_certificates or ()
    entries = [entry.replace(user_certificate=0x4602A82)]
    put(a_crl=crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(revoked_certificates=entries)).encode())
    found = "  0x04602a82  2025-01-01T00:00:00Z\n"
    assert run("crl", "a.crl", "--find", serial).stdout == found
    assert run("crl", "a.crl", "--decimal", "--find", decimal).stdout == found
    assert run("crl", "a.crl", "--decimal", "--find", "0x" + serial, "--find", "04:60:2a:82").stdout == found


def test_a_negative_number_in_bytes_has_the_mark_of_openssl() -> None:
    put(a_crl=CRL)
    result = run("crl", "a.crl", "--find", "Serial Number:\n     (Negative)10:00:01", status=3)
    assert result.stdout == "  -0x100001  not in the CRL\n"


def test_serial_numbers_that_are_not_found_are_reported_with_status_3() -> None:
    put(a_crl=CRL, none_crl=make_crl(0))
    output = run("crl", "a.crl", "--find", FIRST, "--find", "11", "--find", "-5", status=3).stdout
    assert output.splitlines()[1:] == ["  0x11  not in the CRL", "  -0x05  not in the CRL"]
    assert run("crl", "none.crl", "--find", "11", status=3).stdout == "  0x11  not in the CRL\n"


def test_each_serial_number_must_be_in_at_least_one_crl() -> None:
    put(a_crl=CRL, b_crl=make_crl(0))
    assert run("crl", "b.crl", "a.crl", "--find", FIRST).stdout == (
        "b.crl:\n  0x100000  not in the CRL\n\na.crl:\n  0x100000  2025-01-01T00:00:00Z\n"
    )
    run("crl", "a.crl", "b.crl", "--find", FIRST, "--find", "1", status=3)


@pytest.mark.parametrize("wanted", [FIRST, "1"])
def test_an_invalid_crl_has_status_1_even_if_the_serial_number_is_found(wanted: str) -> None:
    put(a_crl=CRL, bad_crl=CRL[:-1])
    run("crl", "a.crl", "bad.crl", "--find", wanted, status=1)


def test_all_entries_with_one_serial_number_are_found() -> None:
    listed = make_crl(3).replace(b"\x10\x00\x02", b"\x10\x00\x00")
    put(a_crl=listed)
    assert run("crl", "a.crl", "--find", FIRST).stdout.count(FIRST) == 2
    assert len(lists("a.crl", "--find", FIRST, "--find", "1048576 (0x100000)")) == 2


def test_find_in_json_lists_found_and_missing_serial_numbers() -> None:
    put(a_crl=CRL)
    (document,) = run_json("crl", "a.crl", "--find", LAST, "--find", "9", "--find", FIRST, status=3)
    crl = document["crl"]
    assert [entry["serial_number"] for entry in crl["entries"]] == [LAST, FIRST]
    assert (crl["not_found"], crl["number_of_entries"]) == (["0x09"], 7)


@pytest.mark.parametrize(
    "serial",
    [
        "1a2g",
        "0x",
        "17 (0x12)",
        "17 (17)",
        "10:0 1",
        "0x10:01",
        "- 5",
        "serial=",
        "",
        "1:2:3",
        "::",
        "12g",
        "0x1 2",
        "--",
        "9" * 5000,
        "0x" + "f" * 5000,
        "١",
        "\x1b[2J",
    ],
)
def test_an_invalid_serial_number_is_a_usage_error(serial: str) -> None:
    put(a_crl=CRL)
    result = run("crl", "a.crl", f"--find={serial}", status=2)
    assert "\x1b" not in result.output
    assert len(result.stderr) < 1000


@pytest.mark.parametrize("serial", ["1a2b", "04602A82", "-ff"])
def test_hexadecimal_digits_are_not_decimal(serial: str) -> None:
    put(a_crl=CRL)
    words = f"Invalid value for '--find': '{serial}' is not decimal; omit --decimal, or write 0x before"
    assert words in run("crl", "a.crl", "--decimal", f"--find={serial}", status=2).stderr


def test_decimal_needs_find() -> None:
    put(a_crl=CRL)
    assert "--decimal needs --find" in run("crl", "a.crl", "--decimal", status=2).stderr


@pytest.mark.parametrize("options", ["--find 1 --all", "--find 1 --entries 2", "--tsv --json", "--tsv --jsonl"])
def test_options_that_cannot_be_combined(options: str) -> None:
    put(a_crl=CRL)
    assert "cannot be combined" in run("crl", "a.crl", *options.split(), status=2).stderr


# --- --tsv, --jsonl


def test_tsv_has_one_header_and_a_row_for_each_entry() -> None:
    put(a_crl=make_crl(2), b_pem=2 * pem.encode(make_crl(1), "X509 CRL"))
    lines = run("crl", "a.crl", "b.pem", "--tsv").stdout.splitlines()
    assert lines[0].split("\t") == ["serial_number", "revocation_date", "reason", "extensions", "file"]
    assert lines[1].split("\t") == ["0x100000", "2025-01-01T00:00:00Z", "", "", "a.crl"]
    assert lines[2].split("\t") == ["0x100001", "2025-01-01T00:00:00Z", "key_compromise", "", "a.crl"]
    assert [line.split("\t")[4].split(",")[0] for line in lines[3:]] == [
        "b.pem: block 1 (X509 CRL",
        "b.pem: block 2 (X509 CRL",
    ]
    assert run("crl", "a.crl", "--tsv", "--entries", "1").stdout.splitlines() == lines[:2]


def with_extension(octets: bytes, oid: str) -> bytes:
    """Return a CRL with one entry that has one extension."""
    entry = der(0x30, b"\x02\x01\x05", JANUARY, der(0x30, extension(oid, octets)))
    rest = make_crl(0)
    inner = rest[rest.index(b"\x02\x01\x01") :]
    tbs, signed = inner[: inner.index(b"\xa0")], inner[inner.index(b"\xa0") :]
    end = len(der(0xA0, der(0x30, extension("0603551d14", b"\x02\x02\x10\x01"))))
    return der(0x30, der(0x30, tbs, der(0x30, entry), signed[:end]), signed[end:])


def test_a_hostile_entry_stays_in_its_cell() -> None:
    put(a_crl=with_extension(der(0x0C, b"a\tb\nc\x1b[2J" + HOSTILE.encode()), "06032a0304"))
    issuer = der(0x30, der(0xA4, name("a\tb\n" + HOSTILE)))
    put(b_crl=with_extension(issuer, "0603551d1d"))
    output = run("crl", "a.crl", "b.crl", "--tsv").stdout
    assert [line.count("\t") for line in output.splitlines()] == [4, 4, 4]
    assert output.replace("\n", "").replace("\t", "").isprintable()
    assert len(lists("a.crl", "b.crl")) == 2


@pytest.mark.skipif(os.name != "posix", reason="other systems do not allow such names")
def test_a_hostile_name_of_a_file_stays_in_its_cell() -> None:
    file = "a\tb\n\x1b[2J.crl"
    with open(file, "wb") as stream:
        stream.write(make_crl(1))
    assert run("crl", file, "--tsv").stdout.splitlines()[1].endswith("\ta\\x09b\\x0a\\x1b[2J.crl")
    assert lists(file)[0]["file"] == file


def test_json_lines_have_what_the_json_document_has() -> None:
    put(a_crl=CRL, a_pem=pem.encode(CRL, "X509 CRL"))
    (document,) = run_json("crl", "a.crl")
    assert lists("a.crl") == [{"file": "a.crl"} | entry for entry in document["crl"]["entries"]]
    assert lists("a.pem", "--entries", "1") == [
        {"file": "a.pem", "block": 1, "serial_number": FIRST, "revocation_date": "2025-01-01T00:00:00Z"}
    ]


def test_rows_of_valid_files_are_written_if_others_are_invalid() -> None:
    put(a_crl=make_crl(1), bad_crl=CRL[:-1])
    result = run("crl", "bad.crl", "a.crl", "absent.crl", "--tsv", status=1)
    assert result.stdout.count("\n") == 2
    assert result.stderr.count("\n") == 2


@pytest.mark.skipif(os.name != "posix", reason="other systems report closed pipes differently")
@pytest.mark.parametrize("form", ["--tsv", "--jsonl"])
def test_a_broken_pipe_of_rows_has_no_message(form: str) -> None:
    put(a_crl=make_crl(20_000))
    assert left_by_its_reader("crl", form, "a.crl") == (141, b"")


# --- Progress


def tracked(
    monkeypatch: pytest.MonkeyPatch,
    error: bool,
    output: bool,
    many: int,
    place: Callable[[int], int] = lambda item: item,
    gone: bool = False,
) -> str:
    """Return the progress drawn for `many` items of a second each; `error` and `output`: which stream is a terminal."""
    import io

    from derlib.cli.output import progress

    class Stream(io.StringIO):
        def __init__(self, terminal: bool) -> None:
            super().__init__()
            self.terminal = terminal

        def isatty(self) -> bool:
            return self.terminal

        def write(self, text: str) -> int:
            # The terminal was closed.
            if gone:
                raise OSError(5, "Input/output error")
            return super().write(text)

    now = [0.0]

    def clock() -> float:
        now[0] += 1
        return now[0]

    drawn = Stream(error)
    monkeypatch.setattr(progress, "monotonic", clock)
    monkeypatch.setattr(sys, "stderr", drawn)
    monkeypatch.setattr(sys, "stdout", Stream(output))
    assert list(progress.track(iter(range(many)), place(many), "entries", place)) == list(range(many))
    monkeypatch.undo()
    return drawn.getvalue()


def test_progress_is_shown_for_long_operations_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = tracked(monkeypatch, True, False, 100_000)
    assert "\r\033[Kentries: 51,200 of 100,000 (51 %)" in shown
    assert shown.endswith("\r\033[K")
    assert "entries: 102,400 of 200,000 (51 %)" in tracked(monkeypatch, True, False, 100_000, lambda item: 2 * item)
    assert tracked(monkeypatch, True, True, 100_000) == ""
    assert tracked(monkeypatch, True, False, 100_000, gone=True) == ""
    assert tracked(monkeypatch, False, False, 100_000) == ""
    assert tracked(monkeypatch, True, False, 1000) == ""


@pytest.mark.parametrize("command", ["dump", "dump --json", "diff", "grep x", "crl --tsv"])
def test_long_commands_show_their_progress(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from derlib.cli.output import progress

    drawn: list[str] = []
    put(a_crl=make_crl(20_001), b_crl=make_crl(3))
    name, *arguments = command.split()
    files = ["a.crl", "b.crl"] if name == "diff" else ["a.crl"]
    status = {"diff": 1, "grep": 3}.get(name, 0)
    plain = run(name, *arguments, *files, status=status).stdout
    monkeypatch.setattr(progress, "_is_watched", lambda: True)
    monkeypatch.setattr(progress, "_DELAY", 0)
    monkeypatch.setattr(progress, "_INTERVAL", 0)
    monkeypatch.setattr(progress, "_draw", drawn.append)
    assert run(name, *arguments, *files, status=status).stdout == plain
    percents = [int(text.rpartition("(")[2].removesuffix(" %)")) for text in drawn if text]
    assert len(percents) > 10
    assert percents[-1] > 90
    assert drawn[-1] == ""


@pytest.mark.parametrize("command", ["cert", "lint", "table"])
def test_many_files_show_their_progress(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from derlib.cli.output import progress

    if command == "table":
        pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
    put(a_der=CERTIFICATE)
    plain = run(command, "a.der", "a.der", "absent", "a.der", status=1)
    monkeypatch.setattr(progress, "_is_watched", lambda: True)
    monkeypatch.setattr(progress, "_DELAY", 0)
    monkeypatch.setattr(progress, "_INTERVAL", 0)
    shown = run(command, "a.der", "a.der", "absent", "a.der", status=1)
    assert shown.stdout == plain.stdout
    total = "" if command == "table" else " of 4 (50 %)"
    # The error takes the place of the line.
    assert f"\r\033[Kfiles: 2{total}\r\033[Kderlib: absent: No such file or directory\n" in shown.stderr
    assert shown.stderr.endswith("\r\033[K")


# --- Fields and entries in text and JSON


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
        "and 2 more (derlib crl --all shows them)",
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
            "name": "cRLReasons",
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

"""`derlib table`: formats, folders, errors of single inputs, and wrong options."""

from __future__ import annotations

import csv
import decimal
import hashlib
import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")
pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")

import pyarrow as pa
from pyarrow import parquet
from support.commands import (
    CERTIFICATE,
    CRL,
    JANUARY,
    REASON,
    SHA256_RSA,
    SIGNATURE,
    left_by_its_reader,
    make_crl,
    put,
    run,
)
from support.der import der
from support.der import name as name_of
from support.pages import example

from derlib import Deviation, parse, pem
from derlib.arrow import certificates_reader
from derlib.cli.rendering.values import hexadecimal
from derlib.schemas.crl import CRLReason
from derlib.schemas.openssl import CertAux
from derlib.schemas.tables import CERTIFICATE_COLUMNS, with_display_names
from derlib.schemas.x509 import Certificate, KeyUsage, Name

pytestmark = pytest.mark.usefixtures("empty_folder")


BAD = CERTIFICATE[:-1]


def read(path: str) -> list[dict[str, object]]:
    if path.endswith(".parquet"):
        return parquet.read_table(path).to_pylist()
    return pa.ipc.open_file(path).read_all().to_pylist()


def test_all_formats_have_the_same_rows() -> None:
    put(a_der=CERTIFICATE, b_pem=2 * pem.encode(CERTIFICATE, "CERTIFICATE"), c_der=BAD)
    names = ["a.der", "b.pem", "c.der"]
    for form in ("parquet", "arrow", "csv", "jsonl"):
        result = run("table", *names, "-o", f"t.{form}", status=1)
        assert result.stdout == ""
        assert result.stderr.startswith("derlib: c.der: at offset ")
        assert result.stderr.count("\n") == 1
    rows = read("t.parquet")
    assert rows == read("t.arrow")
    places = [(row["file"], row["block"]) for row in rows]
    assert places == [("a.der", None), ("b.pem", 1), ("b.pem", 2), ("c.der", None)]
    certificate = Certificate.decode(CERTIFICATE)
    for row in rows[:3]:
        assert row["fingerprint"] == certificate.fingerprint()
        assert row["not_after"] == certificate.not_after
        assert row["error"] is None
    assert rows[3]["error"] is not None
    assert rows[3]["fingerprint"] == hashlib.sha256(BAD).digest()
    lines = [json.loads(line) for line in Path("t.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [list(line) for line in lines] == [list(row) for row in rows]
    cells = list(csv.DictReader(io.StringIO(Path("t.csv").read_text(encoding="utf-8"))))
    for row, line, cell in zip(rows, lines, cells, strict=True):
        for name, value in row.items():
            text = hexadecimal(int.from_bytes(value, "big")) if name == "serial_number" and value else plain(value)
            if name == "ip_addresses" and value:
                text = ["192.0.2.1"]
            if name == "key_usage" and value is not None:
                text = list(KeyUsage(value).names)
            assert line[name] == text, name
            if isinstance(text, list):
                text = json.dumps(text)
            assert cell[name] == ("" if text is None else str(text).lower() if isinstance(text, bool) else str(text))


def plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.strftime("%Y-%m-%dT%H:%M:%SZ") if hasattr(value, "strftime") else value


def test_the_table_of_crls_has_a_row_for_each_entry() -> None:
    put(a_crl=make_crl(3), b_crl=CRL)
    expected = [line.split("\t") for line in run("crl", "a.crl", "b.crl", "--tsv").stdout.splitlines()[1:]]
    result = run("table", "a.crl", "b.crl", "--columns", "file,serial_number,revocation_date")
    assert (result.exit_code, result.stderr) == (0, "")
    found = list(csv.reader(io.StringIO(result.stdout)))
    assert found[0] == ["file", "block", "serial_number", "revocation_date", "error", "error_offset", "error_rule"]
    assert len(found) - 1 == len(expected) > 3
    assert [f"{int(row[2], 16):#x}" for row in found[1:]] == [row[0] for row in expected]


def test_names_for_people_follow_those_of_rfc_4514() -> None:
    put(a_der=CERTIFICATE, b_crl=CRL)
    for file, names in (("a.der", ("issuer", "subject")), ("b.crl", ("issuer",))):
        rows = list(csv.DictReader(io.StringIO(run("table", file).stdout)))
        columns = list(rows[0])
        for name in names:
            assert columns[columns.index(name) + 1] == f"{name}_display"
            assert rows[0][f"{name}_display"] == rows[0][name]
    certificate = Certificate.decode(CERTIFICATE)
    subject = {"rdn_sequence": [[{"type": "1.2.840.113549.1.9.1", "value": "a@b.example"}]]}
    put(c_der=certificate.replace_at("tbs_certificate.subject", Name.from_native(subject)).encode())
    [row] = csv.DictReader(io.StringIO(run("table", "c.der", "--columns", "subject_display,subject").stdout))
    assert row["subject_display"] == "emailAddress=a@b.example"
    assert row["subject"].startswith("1.2.840.113549.1.9.1=#")
    assert "issuer_display" not in row
    # A column of the user can replace one of the table.
    own = ["--column", "subject_display=tbs_certificate.subject:encoding"]
    [row] = csv.DictReader(io.StringIO(run("table", "c.der", *own).stdout))
    assert row["subject_display"].startswith("30")


def test_the_names_are_those_that_the_command_cert_prints() -> None:
    put(a_der=CERTIFICATE)
    shown = run("cert", "a.der").stdout.splitlines()
    names = Certificate.decode(CERTIFICATE).subject_alt_names
    assert names
    for form in ("csv", "jsonl", "parquet"):
        run("table", "a.der", "-o", f"t.{form}")
    [row] = csv.DictReader(io.StringIO(Path("t.csv").read_text(encoding="utf-8")))
    line = json.loads(Path("t.jsonl").read_text(encoding="utf-8"))
    [stored] = read("t.parquet")
    found = json.loads(row["subject_alt_names"])
    assert found == line["subject_alt_names"] == stored["subject_alt_names"] == [str(name) for name in names]
    for name in found:
        assert f"      - {name}" in shown


def test_text_has_the_names_of_the_bits_of_key_usage() -> None:
    with_usage = Certificate.decode(CERTIFICATE)
    extensions = [{"extn_id": "2.5.29.15", "extn_value": KeyUsage(0b1_0110_0000)}]
    put(
        a_der=with_usage.replace_at("tbs_certificate.extensions", extensions).encode(),
        b_der=with_usage.replace_at("tbs_certificate.extensions", None).encode(),
    )
    lines = run("table", "a.der", "b.der", "--columns", "key_usage", "--to", "jsonl").stdout.splitlines()
    names = ["key_cert_sign", "crl_sign", "decipher_only"]
    assert [json.loads(line)["key_usage"] for line in lines] == [["key_cert_sign", "crl_sign", "decipher_only"], None]
    [document] = json.loads(run("cert", "a.der", "--json").stdout)
    assert document["certificate"]["extensions"][0]["value"] == names
    rows = list(csv.DictReader(io.StringIO(run("table", "a.der", "b.der", "--columns", "key_usage").stdout)))
    assert [row["key_usage"] for row in rows] == [json.dumps(names), ""]
    run("table", "a.der", "b.der", "--columns", "key_usage", "-o", "t.parquet")
    assert [row["key_usage"] for row in read("t.parquet")] == [0b1_0110_0000, None]
    # A column of the user has the number.
    own = ["--columns", "version", "--column", 'key_usage=tbs_certificate.extensions["2.5.29.15"]']
    assert json.loads(run("table", "a.der", *own, "--to", "jsonl").stdout)["key_usage"] == 0b1_0110_0000


FRAME = ["file", "block", "fingerprint", "error", "error_offset", "error_rule"]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--without", "fingerprint, block"], ["file", "not_after", "error", "error_offset", "error_rule"]),
        (["--without", "file,error_rule"], ["block", "fingerprint", "not_after", "error", "error_offset"]),
        (["--without", "error"], ["file", "block", "fingerprint", "not_after"]),
        (["--without", ",".join(FRAME)], ["not_after"]),
        (["--without", "not_after,version"], FRAME),
        (["--without", "not_after,error,block", "--column", "v=tbs_certificate.version"], ["file", "fingerprint", "v"]),
        # A column that replaces one of the table is not that one.
        (["--without", ",".join((*FRAME, "not_after")), "--column", "not_after=tbs_certificate"], ["not_after"]),
    ],
)
def test_columns_can_be_left_out(form: str, options: list[str], left: list[str]) -> None:
    put(a_der=CERTIFICATE, b_der=BAD, c_pem="no PEM", d_pem=2 * pem.encode(CERTIFICATE, "CERTIFICATE"))
    files = ["a.der", "b.der", "c.pem", "d.pem"]
    result = run("table", *files, "--columns", "not_after", *options, "-o", f"t.{form}", status=1)
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["b.der", "c.pem"]
    text = Path(f"t.{form}").read_text(encoding="utf-8") if form in ("csv", "jsonl") else ""
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
    elif form == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
    else:
        rows = read(f"t.{form}")
    assert [list(row) for row in rows] == [left] * (3 if "error" not in left else 5)
    if "file" in left and "error" not in left:
        assert [row["file"] for row in rows] == ["a.der", "d.pem", "d.pem"]
    if "not_after" in left and "--column" not in options:
        assert all(rows[i]["not_after"] for i in (0, -1))


def test_every_column_of_the_table_can_be_left_out() -> None:
    put(a_der=CERTIFICATE, b_crl=CRL)
    names = [*FRAME, *with_display_names(CERTIFICATE_COLUMNS)]
    for name in names:
        [line] = run("table", "a.der", "--to", "jsonl", "--without", name).stdout.splitlines()
        left_out = FRAME[3:] if name == "error" else [name]
        assert list(json.loads(line)) == [one for one in json.loads(run("table", "a.der", "--to", "jsonl").stdout)
                                          if one not in left_out]  # fmt: skip
    assert run("table", "a.der", "--without", "").stdout == run("table", "a.der").stdout
    # The table of CRLs has no fingerprint, which is not a reason for an error.
    result = run("table", "b.crl", "--without", "fingerprint,file,block,error", "--columns", "reason")
    assert (result.stdout.splitlines()[0], result.stderr) == ("reason", "")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("fingerprnt", "--without: 'fingerprnt' is not a column of this table; did you mean fingerprint?"),
        ("block,subjct", "--without: 'subjct' is not a column of this table; did you mean subject?"),
        ("reason", "--without: 'reason' is not a column of this table"),
    ],
)
def test_a_column_that_does_not_exist_cannot_be_left_out(value: str, message: str) -> None:
    put(a_der=CERTIFICATE)
    result = run("table", "a.der", "--without", value, status=2)
    assert result.stderr.splitlines()[-1].startswith(f"Error: {message}")
    every = ",".join([*FRAME, "version"])
    result = run("table", "a.der", "--columns", "version", "--without", every, status=2)
    assert result.stderr.endswith("Error: --without leaves no column\n")


def test_folders_are_read_in_the_order_of_names() -> None:
    os.makedirs("in/b")
    for name in ("in/b/2", "in/b/1", "in/z", "in/a"):
        Path(name).write_bytes(CERTIFICATE)
    result = run("table", "in", "--to", "jsonl", "--columns", "version")
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == [
        os.path.join("in", *name.split("/")) for name in ("a", "z", "b/1", "b/2")
    ]


def test_unreadable_files_are_reported_and_the_others_are_written() -> None:
    put(a_der=CERTIFICATE, b_pem="no PEM", empty_der=b"", key_pem=pem.encode(b"\x30\x00", "PRIVATE KEY"))
    result = run("table", "missing.der", "a.der", "empty.der", "key.pem", "-o", "t.parquet", status=1)
    # The errors of rows are reported when the rows are written.
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["missing.der", "key.pem", "empty.der"]
    assert [(row["file"], row["error"]) for row in read("t.parquet")] == [("a.der", None), ("empty.der", "not-asn1")]


@pytest.mark.parametrize("command", [["--type", "crl"], ["--type", "cert"], []])
def test_input_without_der_is_a_row_without_a_fingerprint(command: list[str]) -> None:
    """A row has the kind of its own, and not the fault and the hash of zero bytes."""
    contents = (make_crl(1), "X509 CRL") if "crl" in command else (CERTIFICATE, "CERTIFICATE")
    good = pem.encode(*contents)
    broken = re.sub("^M", "!", good, count=1, flags=re.MULTILINE)
    put(alone_pem=broken, two_pem=good + broken, zip_der=b"PK\x03\x04", a_json="{}")
    result = run("table", "alone.pem", "two.pem", "zip.der", "a.json", *command, "--to", "jsonl", status=1)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["file"], row["block"], row["error"]) for row in rows] == [
        ("alone.pem", None, "pem-invalid"),
        ("two.pem", 1, None),
        ("two.pem", 2, "pem-invalid"),
        ("zip.der", None, "not-asn1"),
        ("a.json", None, "not-asn1"),
    ]
    for row in rows:
        if row["error"]:
            others = {name for name, value in row.items() if value is not None}
            assert others == {"file", "error"} | ({"block"} if row["block"] else set())
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["alone.pem", "two.pem", "zip.der", "a.json"]


#: The files of a folder, and the error of their rows; None for those that are skipped.
FOLDER: dict[str, tuple[bytes, str | None]] = {
    "a.txt": (CERTIFICATE, ""),
    "b.txt": (CERTIFICATE.hex().encode(), ""),
    "c.txt": (CERTIFICATE[:20], "content-truncated"),
    "d.txt": (b"-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n", "pem-invalid"),
    "e.CRT": (b"<!doctype html>", "not-asn1"),
    "f.pem": (b"", "not-asn1"),
    "g.der": (b"hello", "content-truncated"),
    "h.txt": (b"hello", None),
    "i.html": (b"<!doctype html>", None),
    "j": (b"", None),
    "k.csv": (b"0,1,2\n", None),
    "l.bin": (b"\xff\xfe\xfd", None),
    "m.zip": (b"PK\x03\x04", None),
}


def test_the_rows_of_a_folder_are_the_files_that_can_be_der_or_pem() -> None:
    os.mkdir("in")
    for name, (data, _) in FOLDER.items():
        Path("in", name).write_bytes(data)
    result = run("table", "in", "--columns", "version", status=1)
    rows = list(csv.DictReader(result.stdout.splitlines()))
    expected = {os.path.join("in", name): error for name, (_, error) in FOLDER.items() if error is not None}
    assert {row["file"]: row["error"] for row in rows} == expected
    assert result.stderr.splitlines()[-1] == "derlib: skipped: 6 files in folders that can be neither DER nor PEM"
    faulty = [file for file, error in expected.items() if error]
    assert [line.split(": ")[1] for line in result.stderr.splitlines()[:-1]] == faulty
    # A file that is named is never skipped.
    assert "in/h.txt,," in run("table", "in/h.txt", "in/a.txt", "--columns", "version", status=1).stdout


def test_valid_objects_of_another_type_in_a_folder_are_skipped() -> None:
    os.mkdir("in")
    files: dict[str, str | bytes] = {
        "a.pem": pem.encode(CERTIFICATE, "CERTIFICATE"),
        "b.pem": pem.encode(CRL, "X509 CRL"),
        "c.crl": CRL,
        "d.csr": pem.one(example("request.pem")),
        "e.pem": pem.encode(Certificate.decode(CERTIFICATE).tbs_certificate.subject_public_key_info.der, "PUBLIC KEY"),
        "f.pem": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END RSA PRIVATE KEY-----\n",
        "g.der": CRL + CERTIFICATE,
        "h.txt": b"hello",
    }
    for name, data in files.items():
        Path("in", name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def rows(table: str) -> list[tuple[str, bool]]:
        """Return the file of each row, and whether it has an error."""
        found = csv.DictReader(table.splitlines())
        return [(os.path.basename(row["file"]), bool(row["error"])) for row in found]

    skipped = "derlib: skipped: 1 file in folders that can be neither DER nor PEM\nderlib: skipped: "
    result = run("table", "in", "--columns", "version")
    assert rows(result.stdout) == [("a.pem", False), ("g.der", False)]
    assert result.stderr == f"{skipped}5 files of another type in folders; the rows are certificates\n"
    result = run("table", "in", "--columns", "reason", "--type", "crl")
    assert {*rows(result.stdout)} == {("b.pem", False), ("c.crl", False), ("g.der", False)}
    assert result.stderr == f"{skipped}4 files of another type in folders; the rows are entries of CRLs\n"
    # Damaged objects, DER of an unknown type and blocks with a wrong label are errors, and so are files that are named.
    Path("in/i.crl").write_bytes(CRL[:-1])
    Path("in/j.der").write_bytes(der(0x30, b"\x02\x01\x05"))
    Path("in/k.pem").write_text(pem.encode(CRL, "CERTIFICATE"))
    put(c_crl=CRL)
    result = run("table", "in", "c.crl", "--columns", "version", status=1)
    assert [file for file, is_error in rows(result.stdout) if is_error] == ["i.crl", "j.der", "k.pem", "c.crl"]


def test_a_fault_between_the_values_of_a_file_does_not_hide_the_others() -> None:
    """The command and a Reader have the same rows: valid values, and few with errors."""
    too_long = CERTIFICATE[:2] + (len(CERTIFICATE) + 1).to_bytes(2, "big") + CERTIFICATE[4:]
    assert len(CERTIFICATE) == int.from_bytes(CERTIFICATE[2:4], "big") + 4
    truncated, tag = ("content-truncated", len(CERTIFICATE)), ("unexpected-tag", 0)
    for damaged, valid, errors in ((too_long, [1], [truncated, tag]), (CERTIFICATE[1:], [1, 3], [tag])):
        put(a_der=CERTIFICATE + damaged + CERTIFICATE)
        run("table", "a.der", "-o", "a.parquet", "--columns", "version", status=1)
        rows = read("a.parquet")
        assert rows == certificates_reader(["version"], fingerprint=True).read_files("a.der").read_all().to_pylist()
        assert [row["block"] for row in rows if row["error"] is None] == valid
        found = [(row["error"], row["error_offset"]) for row in rows if row["error"] is not None]
        # The rest of the third certificate, after its first element, are two more values.
        assert found[: len(errors)] == errors
        assert len(rows) == (5 if damaged is too_long else 3)


def test_a_damaged_object_of_another_type_is_reported_as_what_it_is() -> None:
    os.mkdir("in")
    Path("in/a.der").write_bytes(CERTIFICATE)
    # A reason that is an INTEGER. As a certificate, it differs in an earlier component.
    damaged = CRL.replace(b"\x0a\x01\x01", b"\x02\x01\x01")
    Path("in/b.crl").write_bytes(damaged)
    shown = run("show", "in/b.crl", status=1).stderr
    assert ".extn_value at offset " in shown
    expected = shown.partition("; --tolerate")[0] + "\n"
    assert run("table", "in", status=1).stderr == expected
    assert run("table", "in/b.crl", "--type", "cert", status=1).stderr == expected
    # Its own type needs no name, and a PEM label decides.
    assert "CertificateList" not in run("table", "in/b.crl", status=1).stderr
    put(c_pem=pem.encode(damaged, "CERTIFICATE"))
    assert "CertificateList" not in run("table", "c.pem", status=1).stderr


def test_many_objects_of_another_type_before_the_first_certificate_need_the_option_type() -> None:
    os.mkdir("in")
    for number in range(20):
        Path(f"in/{number:02}.csr").write_bytes(pem.one(example("request.pem")))
    Path("in/a.der").write_bytes(CERTIFICATE)
    error = run("table", "in", status=1).stderr
    assert error.endswith("; the rows are certificates or entries of CRLs (--type chooses)\n")
    result = run("table", "in", "--type", "cert", "--columns", "version")
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr == "derlib: skipped: 20 files of another type in folders; the rows are certificates\n"


def test_skipped_files_are_not_an_error() -> None:
    os.mkdir("in")
    Path("in/a.der").write_bytes(CERTIFICATE)
    Path("in/README").write_bytes(b"hello")
    result = run("table", "in", "--columns", "version")
    assert result.stderr == "derlib: skipped: 1 file in folders that can be neither DER nor PEM\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has neither pipes in folders nor links for every user")
def test_a_link_in_a_folder_to_a_missing_file_is_an_error() -> None:
    os.mkdir("in")
    Path("in/a.der").write_bytes(CERTIFICATE)
    os.symlink("missing", "in/link.der")
    os.mkfifo("in/pipe.der")
    result = run("table", "in", "--columns", "version", status=1)
    assert result.stderr == "derlib: in/link.der: No such file or directory\n"
    assert len(result.stdout.splitlines()) == 2


def test_pem_blocks_of_the_other_type_are_skipped() -> None:
    put(both_pem=pem.encode(CRL, "X509 CRL") + pem.encode(CERTIFICATE, "CERTIFICATE"))
    result = run("table", "both.pem", "--type", "cert", "--columns", "version")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1:] == [f"both.pem,2,{Certificate.decode(CERTIFICATE).fingerprint().hex()},2,,,"]


def test_the_columns_that_are_always_there_can_be_chosen_too() -> None:
    put(a_der=CERTIFICATE)
    expected = run("table", "a.der", "--columns", "version").stdout
    for column in ("file", "block", "fingerprint", "error", "error_offset", "error_rule"):
        assert run("table", "a.der", "--columns", f"version,{column}").stdout == expected
    assert "'fingerprint'" in run("table", "--type", "crl", "a.der", "--columns", "fingerprint", status=2).stderr


def test_columns_of_the_user() -> None:
    put(a_der=CERTIFICATE)
    paths = ["--column", "inner=tbs_certificate.signature.algorithm", "--column", "s=tbs_certificate.version"]
    result = run("table", "a.der", "--columns", "", *paths)
    algorithm = Certificate.decode(CERTIFICATE).signature_algorithm.algorithm.dotted
    assert [row[3:5] for row in csv.reader(io.StringIO(result.stdout))] == [["inner", "s"], [algorithm, "2"]]


#: A path with a type, and the cell in CSV, JSON and Parquet.
TYPED = [
    ("tbs_certificate.serial_number:decimal", "6699", "6699", decimal.Decimal(6699)),
    ("tbs_certificate.serial_number:binary", "1a2b", "1a2b", b"\x1a\x2b"),
    ("tbs_certificate.serial_number:encoding", "02021a2b", "02021a2b", b"\x02\x02\x1a\x2b"),
    ("tbs_certificate.serial_number:size", "4", 4, 4),
    ("tbs_certificate.validity.not_after:text", "250101000000Z", "250101000000Z", "250101000000Z"),
    (
        'tbs_certificate.extensions["2.5.29.17"][0]:alternative',
        '{"alternative": "dns_name", "value": "example.org"}',
        *2 * ({"alternative": "dns_name", "value": "example.org"},),
    ),
    (
        'tbs_certificate.extensions["2.5.29.17"][]:encoding',
        '["820b6578616d706c652e6f7267", "8704c0000201"]',
        ["820b6578616d706c652e6f7267", "8704c0000201"],
        [b"\x82\x0bexample.org", b"\x87\4\xc0\0\2\1"],
    ),
    ("tbs_certificate.extensions[].critical", "[true, true, false, false]", *2 * ([True, True, False, False],)),
]


@pytest.mark.parametrize(("path", "in_csv", "in_json", "value"), TYPED, ids=[row[0] for row in TYPED])
def test_a_column_of_the_user_can_have_a_type(path: str, in_csv: str, in_json: object, value: object) -> None:
    put(a_der=CERTIFICATE, b_der=BAD)
    options = ("a.der", "b.der", "--columns", "", "--column", f"x={path}")
    rows = list(csv.DictReader(run("table", *options, status=1).stdout.splitlines()))
    assert [row["x"] for row in rows] == [in_csv, ""]
    lines = run("table", *options, "--to", "jsonl", status=1).stdout.splitlines()
    assert [json.loads(line)["x"] for line in lines] == [in_json, None]
    run("table", *options, "-o", "t.parquet", status=1)
    assert [row["x"] for row in read("t.parquet")] == [value, None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--columns", "serial"], "'serial' is not a column of this table; they are version, "),
        (["--column", "x"], "--column: expected NAME=PATH or NAME=PATH:TYPE, got 'x'"),
        (["--column", "x=tbs_certificate:int"], "'int' is not a type of columns; they are int64, "),
        (["--column", "x=tbs_certificate.issuer:bits"], "a column of Name has the type text or "),
        (["--column", "x=tbs_certificate.vers"], "did you mean 'version'?"),
        (["--column", "x=="], "expected a path such as"),
        (["--column", "error=tbs_certificate.version"], "there are two columns with the name 'error'"),
        (["--column", "file=tbs_certificate.version"], "there are two columns with the name 'file'"),
        (["-o", "t.xlsx"], "the ending of 't.xlsx' is not one of parquet, arrow, csv, jsonl; use --to"),
    ],
)
def test_wrong_options_are_errors_of_the_command_line(options: list[str], message: str) -> None:
    put(a_der=CERTIFICATE)
    result = run("table", "a.der", *options, status=2)
    assert message in result.stderr
    assert sorted(os.listdir()) == ["a.der"]


def test_files_of_another_type() -> None:
    put(a_pem=pem.encode(b"\x30\x00", "X509 CRL"), b_der=b"\x02\x01\x05", c_der=CERTIFICATE)
    result = run("table", "b.der", "b.der", status=1)
    ending = "; the rows are certificates or entries of CRLs (--type chooses)\n"
    assert result.output == f"derlib: b.der: neither a certificate nor a CRL{ending}"
    # The option that an error names accepts its fault.
    put(e_der=b"\x02\x81\x01\x05")
    assert "--tolerate length-form accepts it" in run("table", "e.der", status=1).stderr
    error = run("table", "e.der", "--tolerate", "length-form", status=1).stderr
    assert error == f"derlib: e.der: neither a certificate nor a CRL{ending}"
    # A file that is not DER has the fault, too.
    put(d_der=CERTIFICATE[:-1])
    error = run("table", "d.der", status=1).stderr
    assert error.startswith("derlib: d.der: at offset 0: ANY (30 82 01 a3 ")
    assert f"the input ends after {len(CERTIFICATE) - 5}, at offset {len(CERTIFICATE) - 1}" in error
    assert error.endswith("; the rows are certificates or entries of CRLs (--type chooses)\n")
    # The first certificate decides; the other file is a row with an error.
    rows = list(csv.DictReader(run("table", "b.der", "c.der", status=1).stdout.splitlines()))
    assert [(row["file"], row["version"]) for row in rows] == [("b.der", ""), ("c.der", "2")]
    result = run("table", "a.pem", "--to", "jsonl", status=1)
    assert json.loads(result.stdout)["error"] == "component-missing"


def test_the_errors_of_rows_are_those_of_other_commands() -> None:
    signed = bytes.fromhex("302306092a864886f70d010702a01630140201013100300b06092a864886f70d0107013100")
    blocks = [pem.encode(CERTIFICATE, "CERTIFICATE"), pem.encode(BAD, "CERTIFICATE"), pem.encode(signed, "CERTIFICATE")]
    put(a_pem="".join(blocks) + "-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n", b_p7b=signed)
    result = run("table", "a.pem", "b.p7b", "a.pem", "--columns", "version", status=1)
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [(row["file"], row["block"]) for row in rows if row["error"]] == [
        ("a.pem", "2"), ("a.pem", "3"), ("a.pem", "4"), ("b.p7b", ""), ("a.pem", "2"), ("a.pem", "3"), ("a.pem", "4")
    ]
    shown = run("cert", "a.pem", "b.p7b", "a.pem", status=1).stderr
    assert result.stderr == shown
    assert result.stderr.count("it is a CMS SignedData without certificates: use derlib show\n") == 3


def test_a_deviation_is_tolerated() -> None:
    tpm = example("tpm.cer")
    put(tpm_cer=tpm)
    columns = ("--columns", "not_after,key_usage")
    result = run("table", "tpm.cer", *columns, status=1)
    assert result.stderr == run("cert", "tpm.cer", status=1).stderr
    assert "--tolerate" in result.stderr
    names = ("--tolerate", "default-encoded", "--tolerate", "NAMED_BITS")
    result = run("table", "tpm.cer", *columns, *names)
    [row] = csv.DictReader(result.stdout.splitlines())
    certificate = Certificate.decode(tpm, tolerate=Deviation.DEFAULT_ENCODED | Deviation.NAMED_BITS)
    assert certificate.key_usage is not None
    assert row["not_after"] == f"{certificate.not_after:%Y-%m-%dT%H:%M:%SZ}"
    assert json.loads(row["key_usage"]) == list(certificate.key_usage.names)
    assert row["error"] == ""
    assert "is not one of" in run("table", "tpm.cer", "--tolerate", "nothing", status=2).stderr


def test_no_readable_file_gives_a_table_without_rows() -> None:
    run("table", "missing.der", "-o", "t.parquet", status=1)
    table = parquet.read_table("t.parquet")
    assert table.num_rows == 0
    assert {"file", "fingerprint", "dns_names", "error"} <= set(table.schema.names)


def test_an_error_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    put(a_der=CERTIFICATE)
    Path("t.csv").write_text("old")
    from derlib.cli.output import table_writers

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(table_writers.TEXT_FORMATS, "csv", fail)
    result = run("table", "a.der", "-o", "t.csv", status=1)
    assert result.stderr == "derlib: t.csv: No space left on device\n"
    assert sorted(os.listdir()) == ["a.der", "t.csv"]
    assert Path("t.csv").read_text() == "old"
    result = run("table", "a.der", "-o", "no/t.parquet", status=1)
    assert result.stderr == "derlib: no/t.parquet: No such file or directory\n"


def test_names_of_files_cannot_break_the_table_or_the_terminal() -> None:
    name = 'a,"\n\x1b[31m=1+1.der'
    Path(name).write_bytes(CERTIFICATE)
    Path("b" + name).write_bytes(BAD)
    result = run("table", name, "b" + name, "--columns", "version", status=1)
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert [row[0] for row in rows[1:]] == [name, "b" + name]
    assert "\x1b" not in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_name_that_is_not_utf_8_is_written_with_escapes() -> None:
    Path(os.fsdecode(b"a\xff.der")).write_bytes(CERTIFICATE)
    result = run("table", os.fsdecode(b"a\xff.der"), "-o", "t.parquet", "--columns", "version")
    assert result.stderr == ""
    assert read("t.parquet")[0]["file"] == "a\\udcff.der"


def test_blocks_with_lost_boundaries_are_rows() -> None:
    block = pem.encode(CERTIFICATE, "CERTIFICATE")
    damaged = pem.encode(b"\5\0", "CERTIFICATE").replace("=", "?").rstrip()
    put(a_pem=block + block.partition("\n")[2], b_pem=block.rstrip() + damaged + block)
    result = run("table", "a.pem", "b.pem", "--columns", "version", "--to", "jsonl", status=1)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["file"], row["block"], row["error"]) for row in rows] == [
        ("a.pem", 1, None), ("a.pem", 2, "pem-invalid"),
        ("b.pem", 1, None), ("b.pem", 2, "pem-invalid"), ("b.pem", 3, None),
    ]  # fmt: skip
    messages = [line.partition("line ")[2].partition(": ")[2] for line in result.stderr.splitlines()]
    stray = 'the END line of "CERTIFICATE" has no BEGIN line'
    assert messages == [stray, "byte 3f is not in the base64 alphabet"]


def test_a_reader_that_leaves_ends_the_command_quietly() -> None:
    put(a_crl=make_crl(20_000))
    assert left_by_its_reader("table", "a.crl") == (141, b"")


def test_batches_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from derlib import _file_batches

    monkeypatch.setattr(_file_batches, "_BATCH_BYTES", 2 * len(CERTIFICATE))
    found = [_file_batches.FileRow(f"{i}", None, CERTIFICATE, CERTIFICATE) for i in range(5)]
    assert [batch.num_rows for batch in _file_batches.file_batches(iter(found), hashes=True)] == [2, 2, 1]
    put(a_pem=5 * pem.encode(CERTIFICATE, "CERTIFICATE"))
    result = run("table", "a.pem", "--columns", "version")
    assert [row[1] for row in csv.reader(io.StringIO(result.stdout))][1:] == ["1", "2", "3", "4", "5"]


def test_without_pyarrow_the_message_has_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    put(a_der=CERTIFICATE)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for module in ("derlib.arrow", "derlib.cli.documents.table_rows", "derlib.cli.output.table_writers"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert "this command needs pyarrow: pip install pyarrow" in run("table", "a.der", status=2).stderr


def test_text_has_numbers_and_reasons_as_the_command_crl() -> None:
    serials = [b"\x00\x80\xfe\xed", b"\xff", b"\x05", b"\x07"]
    unknown = REASON[:-1] + b"\x69"  # 105
    reasons = [REASON, REASON, REASON, unknown]
    entries = zip(serials, reasons, strict=True)
    listed = b"".join(der(0x30, der(0x02, serial), JANUARY, reason) for serial, reason in entries)
    tbs = der(0x30, b"\x02\x01\x01", SHA256_RSA, name_of("Test CA"), JANUARY, JANUARY, der(0x30, listed))
    put(a_crl=der(0x30, tbs, SHA256_RSA, SIGNATURE))
    rows = [line.split("\t") for line in run("crl", "a.crl", "--tsv").stdout.splitlines()]
    expected = [(row[rows[0].index("serial_number")], row[rows[0].index("reason")]) for row in rows[1:]]
    assert expected[0] == ("0x80feed", "key_compromise")
    assert expected[1][0] == "-0x01"
    assert expected[3] == ("0x07", str(CRLReason(105))) == ("0x07", CRLReason(105).name) == ("0x07", "unknown (105)")
    columns = ("--columns", "serial_number,reason")
    run("table", "a.crl", "-o", "t.csv", *columns)
    cells = list(csv.DictReader(io.StringIO(Path("t.csv").read_text(encoding="utf-8"))))
    assert [(cell["serial_number"], cell["reason"]) for cell in cells] == expected
    run("table", "a.crl", "-o", "t.parquet", *columns)
    numbers = [reason[-1] for reason in reasons]
    assert [(row["serial_number"], row["reason"]) for row in read("t.parquet")] == [*zip(serials, numbers, strict=True)]


@pytest.mark.parametrize("names", [["a.pem", "b.pem"], ["b.pem", "a.pem"]])
def test_a_file_of_the_other_type_is_reported(names: list[str]) -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE"), b_pem=pem.encode(CRL, "X509 CRL"))
    result = run("table", *names, "--columns", "serial_number", status=1)
    skipped = "a.pem" if names[0] == "b.pem" else "b.pem"
    label, rows = ("CERTIFICATE", "entries of CRLs") if skipped == "a.pem" else ("X509 CRL", "certificates")
    message = f"{skipped}: skipped, because it has only {label}, and the rows are {rows} (--type chooses)\n"
    assert result.stderr.endswith(message)
    assert skipped not in result.stdout


def test_blocks_of_the_other_type_in_a_file_are_counted() -> None:
    blocks = [pem.encode(CERTIFICATE, "CERTIFICATE"), pem.encode(CRL, "X509 CRL")]
    put(a_pem=blocks[0] + blocks[1] * 2, b_pem=blocks[1] + blocks[0])
    result = run("table", "a.pem", "--columns", "serial_number")
    note = "skipped 2 blocks labelled X509 CRL; the rows are certificates (--type chooses)"
    assert result.stderr == f"derlib: a.pem: {note}\n"
    result = run("table", "b.pem", "--columns", "serial_number")
    assert "b.pem: skipped 1 block labelled CERTIFICATE; the rows are entries of CRLs" in result.stderr
    assert "skipped" not in run("table", "b.pem", "--type", "crl", "--columns", "serial_number").stderr


def test_a_certificate_with_trust_settings_is_for_show() -> None:
    trusted = pem.encode(CERTIFICATE + CertAux(alias="a").encode(), "TRUSTED CERTIFICATE")
    put(trusted_pem=trusted, a_pem=pem.encode(CERTIFICATE, "CERTIFICATE"))
    title = "an X.509 Certificate with an OpenSSL X509_CERT_AUX"
    ending = f'there is "TRUSTED CERTIFICATE"; it is {title}: use derlib show\n'
    for arguments in (("table", "a.pem", "trusted.pem"), ("table", "trusted.pem"), ("cert", "trusted.pem")):
        assert run(*arguments, status=1).stderr.endswith(ending)
    assert "it is an X.509 Certificate: use derlib cert" in run("table", "a.pem", "--type", "crl", status=1).stderr


def test_ber_is_converted() -> None:
    """The fingerprint and the offset of an error are those of the file."""
    ber, crl = (b"\x30\x80%b\0\0" % bytes(parse(data).content) for data in (CERTIFICATE, CRL))
    bad = ber.replace(bytes.fromhex("0603551d0f"), bytes.fromhex("1f03551d0f"))
    assert bad != ber
    put(a_ber=ber, b_ber=bad, c_ber=ber + ber, d_pem=pem.encode(ber, "CERTIFICATE"))
    names = ("a.ber", "b.ber", "c.ber", "d.pem")
    result = run("table", *names, "--columns", "subject,not_after", "--to", "jsonl", "--ber", status=1)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["file"], row["block"]) for row in rows] == [
        ("a.ber", None), ("b.ber", None), ("c.ber", 1), ("c.ber", 2), ("d.pem", None)
    ]
    for row in rows:
        assert row["fingerprint"] == hashlib.sha256(bad if row["file"] == "b.ber" else ber).hexdigest()
        assert (row["subject"] is None) == (row["error"] is not None) == (row["file"] == "b.ber")
    assert rows[1]["error_offset"] == bad.index(bytes.fromhex("1f03551d0f"))
    assert rows[1]["error_rule"].startswith("X.690 8.1.2")
    assert result.stderr == run("cert", "b.ber", "--ber", status=1).stderr
    result = run("table", "a.ber", "--columns", "version", status=1)
    assert result.stderr == run("cert", "a.ber", status=1).stderr
    assert "length-indefinite,0,X.690 10.1" in result.stdout
    put(a_crl=crl, b_crl=CRL)
    columns = ("--columns", "serial_number,reason", "--to", "csv")
    converted, expected = (run("table", name, *columns, "--ber").stdout for name in ("a.crl", "b.crl"))
    assert converted.replace("a.crl", "b.crl") == expected


def test_text_has_ip_addresses_in_the_usual_form() -> None:
    """An address with another length is in hexadecimal."""
    address = der(0x87, b"\xc0\0\2\1")
    assert address in CERTIFICATE
    put(a_der=CERTIFICATE, b_der=CERTIFICATE.replace(address, der(0x87, b"\xc0") + der(0x87, b"\x07")))
    command = ("table", "a.der", "b.der", "--columns", "ip_addresses")
    found = [json.loads(line)["ip_addresses"] for line in run(*command, "--to", "jsonl").stdout.splitlines()]
    assert found == [["192.0.2.1"], ["c0", "07"]]
    assert '"[""192.0.2.1""]"' in run(*command).stdout
    run(*command, "-o", "t.parquet")
    assert [row["ip_addresses"] for row in read("t.parquet")] == [[b"\xc0\0\2\1"], [b"\xc0", b"\x07"]]
    # A column of the user with the name of one of the table has bytes.
    own = ("table", "a.der", "--columns", "version", "--column", "ip_addresses=signature_value", "--to", "jsonl")
    assert json.loads(run(*own).stdout)["ip_addresses"] == SIGNATURE[3:].hex()

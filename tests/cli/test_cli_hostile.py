"""The commands with integers of thousands of digits, in every field that has a number.

Python refuses to write an int of more than 4,300 decimal digits (`sys.set_int_max_str_digits`), so a command that did
so ended in a traceback.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fuzz.mutate import all_places, read_all
from support.commands import CERTIFICATE, command, der, make_crl, put, run, run_json

import derlib
from derlib.cli.deviations import DEVIATIONS
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

# 24,007 bits are 7,227 decimal digits.
CONTENTS = b"\x7f" + b"\x11" * 3000
NUMBER = int.from_bytes(CONTENTS, "big")
CRL = make_crl(3)
TOLERATING = [word for name in DEVIATIONS for word in ("--tolerate", name)]
COMMANDS = [
    *[[name, "in.der", *more] for name in ("show", "cert", "crl", "dump", "lint") for more in ([], ["--json"])],
    ["cert", "in.der", *TOLERATING],
    ["crl", "in.der", "--all", *TOLERATING],
    ["crl", "in.der", "--tsv"],
    ["crl", "in.der", "--jsonl"],
    ["crl", "in.der", "--find", "0x100001"],
    ["view", "in.der", "-o", "out.html"],
    ["grep", "**", "in.der", "--by", "path"],
    ["grep", "**", "in.der", "--by", "path", "--json", *TOLERATING],
    ["diff", "in.der", "base.der"],
    ["diff", "base.der", "in.der", "--json", *TOLERATING],
    ["convert", "in.der", "--to", "json", *TOLERATING],
    ["convert", "in.der", "--to", "pem"],
    ["extract", "in.der", "4", "--to", "hex"],
]


def changed(octets: bytes, tags: bytes, contents: bytes) -> Iterator[bytes]:
    """Yield the document with other contents in each element with one of these tags."""
    for index in range(len(list(all_places(read_all(octets, 0, 0))))):
        roots = read_all(octets, 0, 0)
        siblings, at = list(all_places(roots))[index]
        node = siblings[at]
        if node.head in [bytes([tag]) for tag in tags]:
            node.children, node.contents = None, contents
            yield b"".join(root.octets() for root in roots)


HOSTILE = {
    "a long integer": (b"\x02\x0a", CONTENTS),
    "a long negative integer": (b"\x02\x0a", b"\x80" + CONTENTS),
    "named bits far out": (b"\x03", b"\x07" + bytes(2000) + b"\x80"),
    "arcs without end": (b"\x06", b"\x2a" + b"\xff" * 600 + b"\x7f"),
    "an integer in place of a time": (b"\x17", CONTENTS),
    "nothing": (b"\x02\x0a\x03\x06\x17\x01\x0c\x13\x16", b""),
}


@pytest.mark.parametrize("document", [CERTIFICATE, CRL], ids=["certificate", "CRL"])
@pytest.mark.parametrize(("tags", "contents"), HOSTILE.values(), ids=HOSTILE)
def test_no_command_ends_in_a_traceback(
    tmp_path: Path, monkeypatch: Any, document: bytes, tags: bytes, contents: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    put(base_der=document)
    tried = 0
    for octets in changed(document, tags, contents):
        put(in_der=octets)
        for arguments in COMMANDS:
            result = CliRunner().invoke(command, arguments, prog_name="derlib")
            assert result.exception is None or isinstance(result.exception, SystemExit), arguments
            assert result.exit_code in (0, 1, 2, 3), arguments
            assert "Usage:" not in result.output
            if "--json" in arguments and result.exit_code != 2:
                json.loads(result.stdout)
            tried += 1
    assert tried >= len(COMMANDS)


def long_version() -> bytes:
    certificate = Certificate.decode(CERTIFICATE)
    return certificate.replace(tbs_certificate=certificate.tbs_certificate.replace(version=NUMBER)).encode()


def test_a_long_version_is_shortened_in_text_and_exact_in_json(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    crl = CertificateList.decode(CRL)
    put(
        a_der=long_version(),
        a_crl=crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(version=NUMBER)).encode(),
        b_der=Certificate.decode(CERTIFICATE)
        .replace(tbs_certificate=Certificate.decode(CERTIFICATE).tbs_certificate.replace(version=4))
        .encode(),
    )
    for name, member in (("cert", "certificate"), ("crl", "crl")):
        file = "a.der" if name == "cert" else "a.crl"
        [line] = [line for line in run(name, file).stdout.splitlines() if "version:" in line]
        assert line == f"  version:        0x7f{'11' * 38}... (6014 characters)"
        [document] = run_json(name, file)
        assert document[member]["version"] == f"{NUMBER:#x} (unknown)"
    assert "  version:        4 (unknown)\n" in run("cert", "b.der").stdout
    assert run_json("cert", "b.der")[0]["certificate"]["version"] == "4 (unknown)"


def test_a_long_serial_number_is_shortened_in_text_and_exact_in_json(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    certificate = Certificate.decode(CERTIFICATE)
    entry = der(0x30, der(0x02, CONTENTS), b"\x17\x0d250101000000Z")
    crl = CertificateList.decode(CRL)
    put(
        a_der=certificate.replace(
            tbs_certificate=certificate.tbs_certificate.replace(serial_number=NUMBER)
        ).encode(),
        a_crl=crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(revoked_certificates=[{
            "user_certificate": NUMBER, "revocation_date": crl.tbs_cert_list.this_update,
        }])).encode(),
    )
    assert len(entry) > 3000
    exact = f"{NUMBER:#x}"
    cut = f"{exact[:80]}... ({len(exact)} characters)"
    assert f"  serial:         {cut}\n" in run("cert", "a.der").stdout
    assert f"    {cut}  2025-01-01T00:00:00Z\n" in run("crl", "a.crl").stdout
    assert run_json("cert", "a.der")[0]["certificate"]["serial_number"] == exact
    assert run_json("crl", "a.crl")[0]["crl"]["entries"][0]["serial_number"] == exact
    assert run("crl", "a.crl", "--tsv").stdout.splitlines()[1].split("\t")[0] == exact
    assert json.loads(run("crl", "a.crl", "--jsonl").stdout)["serial_number"] == exact


@pytest.mark.parametrize("number", [7, 11, NUMBER, -1], ids=["unused", "of X.509", "long", "negative"])
def test_a_reason_without_a_name_is_shown_as_its_number(tmp_path: Path, monkeypatch: Any, number: int) -> None:
    monkeypatch.chdir(tmp_path)
    crl = CertificateList.decode(CRL)
    entries = crl.tbs_cert_list.revoked_certificates.to_native()
    entries[1]["crl_entry_extensions"][0]["extn_value"] = number
    octets = crl.replace(tbs_cert_list=crl.tbs_cert_list.replace(revoked_certificates=entries)).encode()
    put(a_crl=octets)
    shown = str(number) if number != NUMBER else "0x7f111111111111111... (24007 bits)"
    assert f"id-ce-cRLReasons: unknown ({shown})\n" in run("crl", "a.crl").stdout
    row = run("crl", "a.crl", "--tsv").stdout.splitlines()[2]
    assert row.split("\t")[2] == f"unknown ({shown})"
    extension = run_json("crl", "a.crl")[0]["crl"]["entries"][1]["extensions"][0]
    assert extension["value"] == (number if number != NUMBER else f"{NUMBER:#x}")
    put(a_json=run("convert", "a.crl", "--to", "json").stdout)
    assert derlib.pem.decode(run("convert", "a.json", "--to", "pem").stdout) == [octets]


@pytest.mark.skipif(not hasattr(sys, "set_int_max_str_digits"), reason="this Python has no limit on digits of integers")
def test_the_smallest_digit_limit_of_python_is_sufficient(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        arc = (1 << 3500) - 1
        oid = derlib.ObjectIdentifier([2, 999, arc])
        relative = derlib.RelativeOID([arc, 10**600, 10**600 - 1, 0])
        digits = hex_to_decimal(arc)
        assert oid.dotted == str(oid) == f"2.999.{digits}"
        assert oid.arcs == (2, 999, arc)
        assert relative.dotted == f"{digits}.1{'0' * 600}.{'9' * 600}.0"
        for value in (oid, relative):
            assert type(value)(value.dotted) == value
            assert repr(value)
        with pytest.raises(derlib.EncodeError, match="exceeds the limit of 3500 bits"):
            derlib.ObjectIdentifier("2." + "9" * 1055)
        with pytest.raises(derlib.EncodeError, match="exceeds the limit of 3500 bits"):
            derlib.ObjectIdentifier(f"2.{'9' * 1054}")
        long = derlib.SequenceOf[int]([NUMBER, -NUMBER])
        assert derlib.SequenceOf[int].from_json(long.to_json()) == long
        assert derlib.SequenceOf[int].from_json(f"[{'1' * 640}]")[0] == number_of("1" * 640)
        with pytest.raises(derlib.ConstraintError, match="641 characters is too long"):
            derlib.SequenceOf[int].from_json(f"[{'1' * 641}]")
        assert derlib.encode("0" * 640 + "1", derlib.Real) == derlib.encode("1", derlib.Real)
        assert run("crl", "--find", "1" * 640, "nothing.crl", status=1)
        result = run("crl", "--find", "1" * 641, "nothing.crl", status=2)
        assert "the serial number is 641 characters; the limit is 640" in result.output
    finally:
        sys.set_int_max_str_digits(before)


def hex_to_decimal(number: int) -> str:
    digits = ""
    while number:
        number, last = divmod(number, 10)
        digits = f"{last}{digits}"
    return digits


def number_of(digits: str) -> int:
    found = 0
    for digit in digits:
        found = 10 * found + int(digit)
    return found

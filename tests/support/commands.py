"""Helpers of the tests of the commands: DER with known bytes, and functions that run the commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import derlib
from derlib import pem

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from click.testing import CliRunner, Result
from support.der import der, name

from derlib.cli.app import derlib as command
from derlib.schemas.x509 import Certificate


def extension(oid: str, value: bytes, critical: bool = False) -> bytes:
    return der(0x30, bytes.fromhex(oid), b"\x01\x01\xff" if critical else b"", der(0x04, value))


SHA256_RSA = bytes.fromhex("300d06092a864886f70d01010b0500")
SIGNATURE = der(0x03, b"\0", bytes(range(64)))
JANUARY = b"\x17\x0d250101000000Z"
YEAR_ZERO = b"\x18\x0f00000101000000Z"
REASON = der(0x30, extension("0603551d15", b"\x0a\x01\x01"))
HOSTILE = "\x1b[31m\u202eevil\x9b\x07\n\x7f"


def make_crl(entries: int, issuer: str = "Test CA", this_update: bytes = JANUARY) -> bytes:
    listed = b"".join(
        der(0x30, der(0x02, (0x100000 + n).to_bytes(3, "big")), JANUARY, REASON if n % 2 else b"")
        for n in range(entries)
    )
    number = der(0x30, extension("0603551d14", b"\x02\x02\x10\x01"))
    tbs = der(
        0x30,
        b"\x02\x01\x01",
        SHA256_RSA,
        name(issuer),
        this_update,
        JANUARY,
        der(0x30, listed) if entries else b"",
        der(0xA0, number),
    )
    return der(0x30, tbs, SHA256_RSA, SIGNATURE)


def make_certificate(subject: str = "Test", alternative: str = "example.org") -> bytes:
    rsa = der(0x30, der(0x02, b"\x00\xc1" + bytes(127)), der(0x02, b"\x01\x00\x01"))
    key = der(0x30, bytes.fromhex("300d06092a864886f70d0101010500"), der(0x03, b"\0", rsa))
    names = der(0x30, der(0x82, alternative.encode()), der(0x87, b"\xc0\0\2\1"))
    extensions = der(
        0x30,
        extension("0603551d13", bytes.fromhex("30030101ff"), critical=True),
        extension("0603551d0f", bytes.fromhex("03020106"), critical=True),
        extension("0603551d11", names),
        extension("06032a0304", b"\xde\xad"),
    )
    tbs = der(
        0x30,
        bytes.fromhex("a003020102"),
        bytes.fromhex("02021a2b"),
        SHA256_RSA,
        name("Test CA"),
        der(0x30, JANUARY, JANUARY),
        name(subject),
        key,
        der(0xA3, extensions),
    )
    return der(0x30, tbs, SHA256_RSA, SIGNATURE)


CRL = make_crl(7)
CERTIFICATE = make_certificate()


def rebuilt(**changed: Any) -> bytes:
    """Return the certificate with other fields in tbs_certificate."""
    certificate = Certificate.decode(CERTIFICATE)
    return certificate.replace(tbs_certificate=certificate.tbs_certificate.replace(**changed)).encode()


SMALL = der(
    0x30,
    bytes.fromhex("0603551d0e"),
    der(0x04, der(0x30, b"\x02\x01\x05", der(0x0C, "é".encode()))),
    der(0x03, b"\x04\xf0"),
    der(0xA1, b"\x01\x01\xff"),
    der(0x80, b"text"),
    der(0x02, b"\xff" * 1 + bytes(9)),
)

BAD: dict[str, bytes] = {
    "empty": b"",
    "text": b"hello\n",
    "truncated": CERTIFICATE[:-1],
    "trailing byte": CERTIFICATE + b"\0",
    "bad PEM": b"-----BEGIN CERTIFICATE-----\n*\n",
    "bad DER in PEM": pem.encode(CERTIFICATE[:-1], "CERTIFICATE").encode(),
    "too deep": b"\x30\x80" * 10_000,
    "nested too deeply": b"\x30\x83\xff\xff\xff" * 10_000,
}


def put(**files: bytes | str) -> None:
    """Write files to the folder of the test: `a_der` becomes `a.der`."""
    for file, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        Path(file.replace("_", ".")).write_bytes(data)


def run(*arguments: str, stdin: bytes = b"", status: int | None = 0) -> Result:
    """Run the command and check its exit status; None allows the two of valid and invalid input."""
    result = CliRunner().invoke(command, arguments, input=stdin, prog_name="derlib")
    assert result.exit_code in ((0, 1) if status is None else (status,)), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def run_json(*arguments: str, stdin: bytes = b"", status: int = 0) -> Any:
    result = run(*arguments, "--json", stdin=stdin, status=status)
    assert result.stdout.isascii()
    return json.loads(result.stdout)


def variables(**more: str) -> dict[str, str]:
    """Return an environment in which a process imports this derlib."""
    return {**os.environ, "PYTHONPATH": str(Path(derlib.__file__).parents[1]), **more}


def process(
    *arguments: str, environment: dict[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start the command in its own process, for tests of pipes and terminals."""
    return subprocess.Popen(
        [sys.executable, "-m", "derlib", *arguments],
        env=variables(**(environment or {})),
        stderr=subprocess.PIPE,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options},
    )


def without_a_reader(*arguments: str) -> tuple[int, bytes]:
    """Return the status and errors of the command if its output pipe is closed."""
    reader, writer = os.pipe()
    os.close(reader)
    child = process(*arguments, stdout=writer)
    os.close(writer)
    _, errors = child.communicate(timeout=60)
    return child.returncode, errors


def left_by_its_reader(*arguments: str) -> tuple[int, bytes]:
    """Return the status and errors of the command if its output pipe is closed after the first line."""
    with process(*arguments) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline()
        child.stdout.close()
        errors = child.stderr.read()
        return child.wait(timeout=60), errors

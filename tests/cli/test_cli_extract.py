"""`derlib extract`: one element, by offset or path, in each format."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.commands import BAD, CERTIFICATE, CRL, SMALL, command, der, process, put, run, without_a_reader

import derlib
from derlib import pem
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")


def extracted(*arguments: str) -> bytes:
    result = CliRunner().invoke(command, ["extract", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def test_extract_accepts_the_paths_of_grep() -> None:
    put(a_der=CERTIFICATE)
    certificate = Certificate.decode(CERTIFICATE)
    span = certificate.span("tbs_certificate", "subject_public_key_info")
    assert extracted("a.der", "tbs_certificate.subject_public_key_info") == CERTIFICATE[span.offset : span.end]
    assert extracted("a.der", "tbs_certificate") == bytes(certificate.tbs_certificate.der)
    assert extracted("a.der", "tbs_certificate.extensions[2].extn_value[0].dns_name") == b"\x82\x0bexample.org"
    assert extracted("a.der", "tbs_certificate.extensions[2].extn_value[0].dns_name", "--content") == b"example.org"
    assert extracted("a.der", "[0][1]", "--type", "der") == bytes.fromhex("02021a2b")
    put(small_der=SMALL)
    assert extracted("small.der", "[1][0][0]") == b"\x02\x01\x05"


def test_extract_accepts_the_offsets_of_dump() -> None:
    put(a_der=SMALL)
    for line in run("dump", "a.der").stdout.splitlines()[1:]:
        offset, header, content = map(int, line.split()[:3])
        assert extracted("a.der", str(offset)) == SMALL[offset : offset + header + content]
        assert extracted("a.der", str(offset), "--content") == SMALL[offset + header : offset + header + content]


def test_formats() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE"), a_crl=CRL)
    key = extracted("a.pem", "tbs_certificate.subject_public_key_info", "--to", "pem").decode()
    assert pem.decode(key, "PUBLIC KEY") == [extracted("a.pem", "tbs_certificate.subject_public_key_info")]
    assert extracted("a.pem", "tbs_certificate.serial_number", "--to", "hex") == b"02021a2b\n"
    assert pem.decode(extracted("a.pem", "0", "--to", "pem").decode(), "CERTIFICATE") == [CERTIFICATE]
    assert pem.decode(extracted("a.crl", "0", "--to", "pem").decode(), "X509 CRL") == [CRL]
    named = extracted("a.crl", "tbs_cert_list", "--to", "pem", "--label", "X").decode()
    assert named.startswith("-----BEGIN X-----")
    assert "--label" in run("extract", "a.crl", "tbs_cert_list", "--to", "pem", status=2).stderr
    run("extract", "a.crl", "0", "--to", "pem", "--content", status=2)


def test_the_output_can_be_a_file() -> None:
    put(a_der=CERTIFICATE)
    assert extracted("a.der", "signature_value", "--content", "-o", "out") == b""
    assert Path("out").read_bytes() == b"\0" + bytes(range(64))
    assert run("extract", "a.der", "0", "-o", "absent/out", status=1).stderr.startswith("derlib: absent/out: No such")


def test_a_missing_element_has_status_3_and_creates_no_file() -> None:
    put(a_der=CERTIFICATE)
    for path in ("tbs_certificate.nothing", "tbs_certificate.extensions[99]", "tbs_certificate[0]", "1", "9" * 50,
                 "tbs_certificate.issuer_unique_id", "tbs_certificate.serial_number.more"):
        result = run("extract", "a.der", path, "-o", "out", status=3)
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert not Path("out").exists()


def test_blocks() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(CRL, "X509 CRL"))
    assert "2 PEM blocks; select one with --block N" in run("extract", "a.pem", "0", status=1).stderr
    assert extracted("a.pem", "0", "--block", "2") == CRL
    result = run("extract", "a.pem", "0", "--block", "3", status=1)
    assert "block 3 does not exist; the file has 2 blocks" in result.stderr
    result = run("extract", "-", "0", "--block", "2", stdin=CRL, status=1)
    assert "block 2 does not exist; the file has no PEM blocks" in result.stderr


@pytest.mark.parametrize("path", ["", "a..b", "a[", "*", "**.ca", "[x]", "-1", "\x1b[2J"])
def test_an_invalid_path_is_a_usage_error(path: str) -> None:
    put(a_der=CERTIFICATE)
    assert "\x1b" not in run("extract", "--", "a.der", path, status=2).stderr


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("path", ["0", "tbs_certificate"])
def test_invalid_data_is_one_error_line_and_status_1(data: bytes, path: str) -> None:
    put(bad_der=data)
    result = run("extract", "bad.der", path, status=1)
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)


def test_an_element_with_a_tolerated_deviation_is_not_changed() -> None:
    put(a_der=der(0x30, b"\x01\x01\x01"))
    run("extract", "a.der", "[0]", status=1)
    assert extracted("a.der", "[0]", "--tolerate", "boolean-true") == b"\x01\x01\x01"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not have pseudo-terminals")
def test_der_is_not_written_to_a_terminal() -> None:
    put(a_der=CERTIFICATE)
    ours, theirs = os.openpty()
    child = process("extract", "a.der", "tbs_certificate.serial_number", stdout=theirs)
    _, errors = child.communicate(timeout=60)
    os.close(theirs)
    output = os.read(ours, 10_000)
    os.close(ours)
    assert (child.returncode, errors, output.strip()) == (0, b"", b"02021a2b")


@pytest.mark.skipif(os.name != "posix", reason="other systems report closed pipes differently")
def test_a_broken_pipe_has_no_message() -> None:
    put(a_der=SMALL)
    assert without_a_reader("extract", "a.der", "0") == (141, b"")


def test_an_extracted_element_can_be_decoded() -> None:
    put(a_crl=CRL)
    entry = extracted("a.crl", "tbs_cert_list.revoked_certificates[3]")
    assert derlib.parse(entry).children[0].value == 0x100003

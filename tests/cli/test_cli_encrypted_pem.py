"""PEM blocks that are encrypted in the old format of OpenSSL."""

import textwrap

import pytest
from support.commands import CERTIFICATE, make_crl, put, run, run_json

from derlib import pem

pytestmark = pytest.mark.usefixtures("empty_folder")

ENCRYPTED = (
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMAA=\n"
    "-----END RSA PRIVATE KEY-----\n"
)
SKIPPED = 'the block "RSA PRIVATE KEY" (line 1) was skipped: it is encrypted'


def test_an_encrypted_block_is_skipped_with_a_note() -> None:
    put(a_pem="note\n" + ENCRYPTED + pem.encode(CERTIFICATE, "CERTIFICATE") + ENCRYPTED)
    result = run("show", "a.pem")
    assert "an X.509 Certificate" in result.stdout
    assert result.stderr.count("\n") == 2
    assert 'a.pem: the block "RSA PRIVATE KEY" (line 2) was skipped' in result.stderr
    assert "(line 19) was skipped" in result.stderr
    assert run_json("show", "a.pem")[0]["line"] == 8
    # The command would not have read the block anyway.
    assert run("cert", "a.pem").stderr == ""


@pytest.mark.parametrize("end_of_line", ["\n", "\r\n"])
def test_an_indented_encrypted_block_is_skipped(end_of_line: str) -> None:
    text = "keys:\n" + textwrap.indent(ENCRYPTED, "  ") + textwrap.indent(pem.encode(CERTIFICATE, "CERTIFICATE"), "\t")
    put(a_yaml=text.replace("\n", end_of_line), b_yaml=f"see {ENCRYPTED}")
    result = run("show", "a.yaml")
    assert "an X.509 Certificate" in result.stdout
    assert 'a.yaml: the block "RSA PRIVATE KEY" (line 2) was skipped' in result.stderr
    assert run_json("show", "a.yaml")[0]["line"] == 8
    # A BEGIN line after other words is text.
    assert "is encrypted" not in run("show", "b.yaml", status=1).stderr


def test_a_file_with_nothing_else_is_an_error() -> None:
    put(a_pem=ENCRYPTED)
    for command in (["show"], ["dump"], ["convert", "--to", "der"], ["view"]):
        error = run(command[0], "a.pem", *command[1:], status=1).stderr
        assert "(line 1) is encrypted in the old format of OpenSSL" in error
        assert "openssl pkey -in FILE" in error
    error = run("cert", "a.pem", status=1).stderr
    assert "no PEM block labelled CERTIFICATE" in error
    assert 'the block "RSA PRIVATE KEY" (line 1) is encrypted in the old format' in error


@pytest.mark.parametrize("damaged", [ENCRYPTED.replace("END", "end"), ENCRYPTED.replace("4,ENC", "4,MIC")])
def test_other_blocks_with_headers_are_invalid(damaged: str) -> None:
    put(a_pem=damaged + pem.encode(make_crl(1), "X509 CRL"))
    assert "was skipped" not in run("dump", "a.pem", status=1).stderr

"""What people type first and get wrong at the command line: the message says what to type instead."""

from __future__ import annotations

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from commands import CERTIFICATE, make_crl, put, run, run_json

from derlib import pem

CRL = make_crl(3)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(
        a_der=CERTIFICATE,
        a_pem=pem.encode(CERTIFICATE, "CERTIFICATE"),
        b_der=CRL,
        b_pem=pem.encode(CRL, "X509 CRL"),
        notes_txt=b"# which certificates are these?\n" * 3,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("crl a.pem", 'no PEM block labelled X509 CRL or CRL; there is "CERTIFICATE"\n'),
        ("cert b.pem", '; there is "X509 CRL"\n'),
        ("crl a.der", "; it is a certificate: derlib cert shows it\n"),
        ("cert b.der", "; it is a certificate revocation list: derlib crl shows it\n"),
        ("cert notes.txt", "; these octets are text, not DER (X.690"),
        ("dump notes.txt", "; these octets are text, not DER (X.690"),
    ],
)
def test_a_file_of_another_sort_is_told(arguments: str, words: str) -> None:
    result = run(*arguments.split(), status=1)
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_document_that_is_neither_is_not_called_one_or_the_other() -> None:
    put(bad_der=CRL[:-1])
    assert "shows it" not in run("cert", "bad.der", status=1).stderr
    assert "shows it" not in run("crl", "bad.der", status=1).stderr


def test_json_has_the_error_without_the_advice() -> None:
    (document,) = run_json("crl", "a.der", status=1)
    assert "shows it" not in document["error"]["message"]


@pytest.mark.parametrize(("name", "near"), [("crll", "'crl'"), ("certs", "'cert'"), ("extrakt", "'extract'")])
def test_a_misspelt_command_is_answered_with_the_nearest(name: str, near: str) -> None:
    assert f"Did you mean {near}?" in run(name, "a.der", status=2).stderr


def test_a_command_that_is_like_none_is_answered_with_none() -> None:
    assert "Did you mean" not in run("sign", "a.der", status=2).stderr


@pytest.mark.parametrize("name", ["named-bits", "NAMED_BITS", "Named_Bits"])
def test_a_deviation_may_be_named_as_in_python(name: str) -> None:
    run("cert", "a.der", "--tolerate", name)


def test_a_misspelt_deviation_is_answered_with_all_of_them() -> None:
    result = run("cert", "a.der", "--tolerate", "named-bit", status=2)
    assert "'named-bit' is not one of default-encoded, " in result.stderr


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("serial_number", "a path from the whole document; '**.serial_number' is one from anywhere"),
        ("tbs_certificate.serial", "'**.tbs_certificate.serial' is one from anywhere"),
        ("commonName", "taken for text; id-at-commonName is an object identifier"),
        ("serverAuth", "id-kp-serverAuth is an object identifier"),
    ],
)
def test_a_pattern_that_found_nothing_is_answered_with_what_it_was_taken_for(pattern: str, words: str) -> None:
    result = run("grep", pattern, "b.der", status=3)
    assert words in result.stderr
    assert result.stderr.startswith("derlib: nothing found: ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing of that name", "b.der"),
        ("**.serial_number", "b.der"),
        ("commonName", "b.der", "--by", "text"),
        ("serial_number", "b.der", "--by", "path"),
        ("id-ce-keyUsage", "b.der"),
    ],
)
def test_no_advice_where_nothing_else_can_be_meant(arguments: tuple[str, ...]) -> None:
    assert run("grep", *arguments, status=3).stderr == ""

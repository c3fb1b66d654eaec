"""docs/strict.md has the results of the installed libraries and test sets, if it was measured with their versions."""

from __future__ import annotations

import pytest

for _package in ("asn1crypto", "certifi", "cryptography", "cryptography_vectors"):
    pytest.importorskip(_package, reason=f"{_package}, a test dependency, is not installed")
make_strict = pytest.importorskip("docs.make_strict", reason="docs/ is not beside the tests")


def test_the_tables_are_those_of_a_run() -> None:
    text = make_strict.PAGE.read_text(encoding="utf-8")
    made = make_strict.tables()
    if made["versions"] not in text:
        pytest.skip(f"the page was measured with other versions; here: {made['versions']}")
    assert make_strict.page(text, made) == text


def test_derlib_reads_all_certificates_and_crls_of_pkits() -> None:
    errors = [each["derlib"] for item, each in make_strict.results() if make_strict.set_of(item) == "pkits"]
    assert len(errors) > 500
    assert not any(errors)

"""derlib accepts or rejects every certificate and CRL as cryptography does, or the table has the reason."""

from __future__ import annotations

import functools

import pytest

from derlib import DecodeError, pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import ECParameters, Version

from .compare import Verdict, compare
from .disagreements import DISAGREEMENTS
from .files import PEM_LABELS, Item, corpus, pem_files, schema_of

SOURCES = ("certifi", "vectors", "shared")

# The least number of items in each source; fewer mean that the search for files has a fault.
AT_LEAST = {"certifi": 100, "vectors": 700, "shared": 50}


def items_of(source: str) -> list[Item]:
    items = [item for item in corpus() if item.name.startswith(f"{source}/")]
    if not items:
        pytest.skip("the folder ../shared/data is absent" if source == "shared" else f"{source} is not installed")
    return items


@functools.cache
def verdicts() -> dict[str, Verdict]:
    return {item.name: compare(item) for item in corpus()}


def summary(name: str) -> tuple[str, str] | None:
    """Return the verdict as in the table: who, and the kind of error or the differing values; None if they agree."""
    verdict = verdicts()[name]
    if verdict.ours is not None:
        return ("derlib" if verdict.theirs is None else "both", getattr(verdict.ours, "kind", ""))
    if verdict.theirs is not None:
        return ("cryptography", "")
    return ("values", "; ".join(verdict.differences)) if verdict.differences else None


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_has_its_items(source):
    assert len(items_of(source)) >= AT_LEAST[source]


@pytest.mark.parametrize("source", SOURCES)
def test_each_rejection_and_each_difference_has_its_row(source):
    unexplained = {}
    for item in items_of(source):
        row = DISAGREEMENTS.get(item.name)
        found = summary(item.name)
        if found != (None if row is None else (row.who, row.kind)):
            unexplained[item.name] = (found, verdicts()[item.name], row)
    assert not unexplained


@pytest.mark.parametrize("source", SOURCES)
def test_the_clause_of_each_row_is_the_one_in_the_error(source):
    names = {item.name for item in items_of(source)} & DISAGREEMENTS.keys()
    wrong = {}
    for name in names:
        ours = verdicts()[name].ours
        if ours is not None and getattr(ours, "rule", "") != DISAGREEMENTS[name].clause:
            wrong[name] = (ours, DISAGREEMENTS[name].clause)
    assert not wrong


@pytest.mark.parametrize("source", SOURCES)
def test_no_row_is_stale(source):
    present = {item.name for item in items_of(source)}
    rows = {name for name in DISAGREEMENTS if name.startswith(f"{source}/")}
    if source == "certifi":
        # A root that is no longer in certifi has a stale row only when it comes back changed.
        rows &= present
    assert not rows - present
    assert not [name for name in rows if summary(name) is None]


def test_every_row_has_a_known_source_and_a_reason():
    for name, row in DISAGREEMENTS.items():
        assert name.split("/")[0] in SOURCES
        assert row.clause.startswith(("X.680 ", "X.690 ", "RFC "))
        assert len(row.reason.split()) >= 5


@pytest.mark.parametrize("source", SOURCES)
def test_errors_have_an_offset_inside_the_input(source):
    for item in items_of(source):
        error = verdicts()[item.name].ours
        if error is not None:
            assert isinstance(error, DecodeError)
            assert 0 <= error.offset <= len(item.der)
            assert error.kind
            assert error.rule
            assert error.expected or error.found or error.detail
            assert len(str(error)) < 1000


@pytest.mark.parametrize("source", ["certifi", "vectors"])
def test_derlib_decodes_pem_like_the_standard_library(source):
    items = {item.der for item in items_of(source)}
    read = 0
    for name, text in pem_files(source):
        for der in pem.decode(text, *PEM_LABELS):
            assert der in items, name
            read += 1
    assert read >= 100


def oddities(item: Item) -> set[str]:
    """Valid features of an accepted item that some libraries reject or ignore."""
    value = schema_of(item).decode(item.der)
    if isinstance(value, CertificateList):
        return {"v1 CRL"} if value.tbs_cert_list.version is None else set()
    tbs = value.tbs_certificate
    algorithm = tbs.subject_public_key_info.algorithm
    found = {
        "negative serial number": tbs.serial_number < 0,
        "v1 certificate": tbs.version == Version.v1 and tbs.span("version") is None,
        "unique identifier": tbs.issuer_unique_id is not None or tbs.subject_unique_id is not None,
        "absent DSA parameters": algorithm.algorithm.name == "id-dsa" and algorithm.parameters is None,
        "explicit curve": isinstance(algorithm.parameters, ECParameters)
        and algorithm.parameters.alternative == "specified_curve",
    }
    return {name for name, holds in found.items() if holds}


def test_unusual_but_valid_items_are_accepted():
    accepted = [item for item in items_of("vectors") if verdicts()[item.name].ours is None]
    assert set().union(*map(oddities, accepted)) == {
        "negative serial number",
        "v1 certificate",
        "v1 CRL",
        "unique identifier",
        "absent DSA parameters",
        "explicit curve",
    }

"""derlib agrees with the verdict of every row of the tables in ../shared/data, or an exception has the reason."""

from __future__ import annotations

import pytest

import derlib

from .files import SHARED
from .tables import EXCEPTIONS, UNKNOWN_AND_RIGHT, Sample, free_samples, go_samples

HEADER_KINDS = {"identifier-truncated", "length-truncated", "tag-not-minimal", "tag-limit", "length-not-minimal"}
HEADER_KINDS |= {"length-indefinite", "length-reserved"}


def samples(source: str) -> list[Sample]:
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared/data is absent")
    return list(go_samples(SHARED) if source == "go" else free_samples(SHARED))


def refusal(octets: bytes) -> tuple[str, str]:
    """Return the kind of the error and its clause; two empty strings if the input is DER."""
    try:
        tree = derlib.parse(octets)
    except (derlib.DecodeError, derlib.LimitError) as error:
        return error.kind, error.rule or ""
    assert tree.encode() == octets
    return "", ""


def expected(sample: Sample) -> bool:
    """Return whether the authors call the row valid."""
    return sample.label == "valid" if sample.label != "unknown" else sample.name in UNKNOWN_AND_RIGHT


@pytest.mark.parametrize(("source", "count"), [("go", 200), ("free", 96)])
def test_every_table_has_all_rows(source, count):
    assert len(samples(source)) == count


@pytest.mark.parametrize("source", ["go", "free"])
def test_valid_rows_are_accepted_and_invalid_ones_rejected(source):
    unexplained = {}
    for sample in samples(source):
        kind, _ = refusal(sample.octets)
        if sample.header and sample.label == "valid":
            # The contents that the length declares are missing, or invalid for the type.
            agrees = kind not in HEADER_KINDS
        else:
            agrees = (kind == "") == expected(sample)
        row = EXCEPTIONS.get(sample.name)
        if agrees != (row is None):
            unexplained[sample.name] = (sample.label, kind, row)
    assert not unexplained


@pytest.mark.parametrize("source", ["go", "free"])
def test_no_exception_is_stale_and_each_cites_the_clause_of_the_error(source):
    octets = {sample.name: sample.octets for sample in samples(source)}
    for name, row in EXCEPTIONS.items():
        if name.startswith(f"{source}/"):
            kind, clause = refusal(octets[name])
            assert kind == row.kind, name
            assert not kind or clause == row.clause, name
    assert not [name for name in UNKNOWN_AND_RIGHT if name.startswith(f"{source}/") and name not in octets]


def test_each_exception_has_a_reason():
    for row in EXCEPTIONS.values():
        # Limits of derlib are not in a standard.
        assert row.clause == "" if row.kind.endswith("-limit") else row.clause.startswith(("X.680 ", "X.690 "))
        assert len(row.reason.split()) >= 5


def test_a_deviation_tolerates_ber_that_go_accepts():
    for sample in samples("go"):
        row = EXCEPTIONS.get(sample.name)
        if row is not None and row.kind in ("utc-form", "generalized-form", "printable"):
            deviation = {"utc-form": "UTC_TIME_FORM", "generalized-form": "GENERALIZED_TIME_FORM"}.get(row.kind)
            tolerated = derlib.Deviation[deviation or "STRING_ALPHABET"]
            assert {one.kind for one in derlib.parse(sample.octets, tolerate=tolerated).deviations} == {row.kind}

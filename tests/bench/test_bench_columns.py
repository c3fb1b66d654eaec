"""The family `columns`: every library reads the same fields, and Go is reported if it is missing."""

from __future__ import annotations

import pytest

pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")
pytest.importorskip("cryptography")
pytest.importorskip("pyarrow")

from support.bench_runs import failures, quick_run

from bench.families.columns import FAMILY


def test_a_quick_run():
    cases = {case.name for case in FAMILY.cases if case.kind == "time"}
    labels = {side.name for case in FAMILY.cases for side in case.all_sides()} - {"Go crypto/x509"}
    measured = quick_run(FAMILY, labels, cases)
    assert len(measured) == 2 * 4 + 2 * 2 + 2
    assert failures(measured) == []


def test_go_reads_the_same_or_is_reported_as_missing():
    [case] = [case.name for case in FAMILY.cases if case.operation == "certificates" and len(case.sides) == 3]
    [ours, theirs] = quick_run(FAMILY, {"derlib", "Go crypto/x509"}, {case})
    assert ours.figures
    assert theirs.figures or theirs.why.startswith("Go is not installed: ")

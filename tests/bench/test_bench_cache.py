"""The family `cache`: each way to use a cache returns the same CRL or value."""

from __future__ import annotations

import pytest

pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")
pytest.importorskip("blake2signer")
pytest.importorskip("cryptography")

from support.bench_runs import failures, quick_run

from bench.families.cache import FAMILY


def test_a_quick_run():
    cases = {"signed cache in memory", "cache in SQLite", "signed cache in a folder", "index of a CRL"}
    labels = {"no cache", "miss", "hit", "load", "forged", "derived", "found"}
    measured = quick_run(FAMILY, labels, cases)
    assert len(measured) == 3 * 5 + 3
    assert failures(measured) == []

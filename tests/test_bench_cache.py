"""The inputs of the family of the cache are what they are called, and a run with small ones works."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")
pytest.importorskip("blake2signer")
pytest.importorskip("cryptography")

from bench.families import cache
from bench.harness.run import Settings, run_family

TEXTS = [name for name in cache.INPUTS if name != "crl"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Inputs of these tests go to a folder of their own."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")


@pytest.mark.parametrize("name", TEXTS)
def test_inputs_are_the_same_each_time_and_compress_as_their_names_say(name):
    octets = Path(cache.INPUTS[name].make(True)).read_bytes()
    assert Path(cache.INPUTS[name].make(True)).read_bytes() == octets
    assert (len(zlib.compress(octets)) < len(octets)) == ("noise" not in name)


def test_a_quick_run_on_small_inputs():
    names = (
        "sign, signer made once or per call, a few words",
        "unsign, bytes or str, a few words",
        "dumps, by compression, a page of noise",
        "CRL in memory, signed",
        "CRL in SQLite, not signed",
        "index of a CRL",
        "digest of a CRL for its key",
    )
    family = replace(cache.FAMILY, cases=tuple(case for case in cache.FAMILY.cases if case.name in names))
    assert len(family.cases) == len(names)
    stored = run_family(family, Settings.of(True))
    assert not [one["why"] for one in stored["measurements"] if one["failed"]]
    assert all(row["value"] is not None for row in stored["rows"])
    assert all(one["figures"]["spread"] <= cache.SPREAD or one["spread"] for one in stored["measurements"])

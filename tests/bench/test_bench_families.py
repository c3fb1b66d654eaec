"""The declarations of all families: their names are consistent, and they do not import a measured library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

families = pytest.importorskip("bench.families", reason="bench/ is not beside the tests")

FAMILIES = [families.load(name) for name in families.names()]
BENCH = Path(families.__file__).parent.parent
EVERY_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def test_the_list_has_all_families():
    listing = [sys.executable, "-m", "bench", "list"]
    done = subprocess.run(listing, capture_output=True, text=True, timeout=60, check=True)
    assert FAMILIES
    for family in FAMILIES:
        assert f"{family.name}: {family.what}" in done.stdout


@EVERY_FAMILY
def test_a_family_is_called_as_its_module(family):
    assert family.name in families.names()


@EVERY_FAMILY
def test_names_of_cases_and_sides_are_unique(family):
    cases = [*family.cases, *(growth.case(size) for growth in family.growths for size in growth.all_sizes())]
    titles = [case.name for case in cases]
    assert len(set(titles)) == len(titles)
    for case in cases:
        labels = [side.name for side in case.all_sides()]
        assert len(set(labels)) == len(labels), case.name


@EVERY_FAMILY
def test_cases_use_inputs_and_peers_that_exist(family):
    for case in family.cases:
        assert case.input in family.inputs
        assert {side.peer for side in case.all_sides()} <= set(family.peers)


@EVERY_FAMILY
def test_the_module_of_each_peer_has_its_operations(family):
    works = [*family.cases, *(growth.case(0) for growth in family.growths)]
    sides = [(side, side.operation or case.operation) for case in works for side in case.all_sides()]
    for side, operation in sides:
        path = BENCH.parent / f"{family.peers[side.peer].module.replace('.', '/')}.py"
        # A peer may not be installed here, so its module cannot be imported; its source is searched instead.
        assert operation in path.read_text(encoding="utf-8"), f"{side.name}: {operation}"


@EVERY_FAMILY
def test_a_declaration_imports_nothing_that_is_measured(family):
    script = f"import sys, bench.families.{family.name}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    measured = {"derlib", "cryptography", "asn1crypto", "pyasn1", "asn1tools", "pycrate_asn1rt", "pyderasn"}
    measured |= {"google.protobuf", "msgpack", "msgspec", "ndn", "orjson"}
    assert not measured & set(done.stdout.split())

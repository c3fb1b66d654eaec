"""Every family is declared soundly: its names fit together, and reading it imports no library that is measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

command = pytest.importorskip("bench.__main__", reason="bench/ is not beside the tests")

FAMILIES = [command.family_called(name) for name in command.names()]
BENCH = Path(command.__file__).parent
EVERY_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def test_there_are_families_and_the_list_names_them():
    listing = [sys.executable, "-m", "bench", "list"]
    done = subprocess.run(listing, capture_output=True, text=True, timeout=60, check=True)
    assert FAMILIES
    for family in FAMILIES:
        assert f"{family.name}: {family.what}" in done.stdout


@EVERY_FAMILY
def test_a_family_is_called_as_its_module(family):
    assert family.name in command.names()


@EVERY_FAMILY
def test_titles_and_labels_name_one_thing_only(family):
    titles = [case.name for case in family.cases]
    assert len(set(titles)) == len(titles)
    for case in family.cases:
        labels = [side.name for side in case.all_sides()]
        assert len(set(labels)) == len(labels), case.name


@EVERY_FAMILY
def test_cases_speak_of_inputs_peers_and_sides_that_there_are(family):
    for case in family.cases:
        assert case.input in family.inputs
        labels = {side.name for side in case.all_sides()}
        assert {side.peer for side in case.all_sides()} <= set(family.peers)
        for target in case.targets:
            assert target.ours in labels, case.name
            assert not target.against or target.against in labels, case.name


@EVERY_FAMILY
def test_the_module_of_each_peer_is_there_and_has_what_is_asked_of_it(family):
    sides = [(side, side.operation or case.operation) for case in family.cases for side in case.all_sides()]
    for side, operation in sides:
        path = BENCH.parent / f"{family.peers[side.peer].module.replace('.', '/')}.py"
        # A peer may be absent here, so that its module cannot be imported; its text can be read.
        assert operation in path.read_text(encoding="utf-8"), f"{side.name}: {operation}"


@EVERY_FAMILY
def test_reading_a_family_imports_nothing_that_is_measured(family):
    script = f"import sys, bench.families.{family.name}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    measured = {"derlib", "cryptography", "asn1crypto", "pyasn1", "asn1tools", "pycrate_asn1rt", "pyderasn"}
    measured |= {"google.protobuf", "msgpack", "msgspec", "ndn", "orjson", "quickle"}
    assert not measured & set(done.stdout.split())


@EVERY_FAMILY
def test_published_figures_say_where_they_come_from(family):
    for one in family.published:
        assert one.source
        assert one.machine
        assert one.interpreter

"""The messages are the same in DER, JSON and XML and each time they are made, and a run with cheap peers works."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")

from bench.families.syntax import FAMILY, forms, messages, schema, trees
from bench.harness import Unavailable
from bench.harness.run import Settings, run_family

EVERY_MESSAGE = pytest.mark.parametrize("name", messages.MESSAGES)
CHEAP = ("derlib", "json", "ElementTree", "scan")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Inputs of these tests go to a folder of their own."""
    monkeypatch.setattr(forms, "FOLDER", tmp_path)


def told(value):
    return list(messages.leaves(value))


@EVERY_MESSAGE
def test_a_message_goes_through_derlib_and_comes_back(name):
    message = messages.MESSAGES[name]
    octets = schema.encode(message.value, message.shape)
    found = schema.SHAPES[message.shape].decode(octets)
    assert found.to_native() == message.value
    assert told(schema.READERS[message.shape](found)) == told(message.value)
    assert found.encode() == octets


@EVERY_MESSAGE
def test_the_three_forms_of_a_message_hold_the_same(name):
    message, path = messages.MESSAGES[name], Path(forms.make_message(name))
    assert schema.SHAPES[message.shape].decode(path.read_bytes()).to_native() == message.value
    assert json.loads(path.with_suffix(".json").read_bytes()) == message.value
    root = ElementTree.fromstring(path.with_suffix(".xml").read_bytes())
    assert told(trees.READERS[message.shape](root)) == told(message.value)


@EVERY_MESSAGE
def test_what_is_not_ascii_is_escaped_or_not_as_the_message_says(name):
    path = Path(forms.make_message(name))
    for suffix in (".json", ".xml"):
        octets = path.with_suffix(suffix).read_bytes()
        assert octets.isascii() == (messages.MESSAGES[name].escaped or path.read_bytes().isascii())


@pytest.mark.parametrize("size", [1, 2, 3, 7_000, 70_001])
def test_the_three_forms_of_a_packet_hold_the_same(size):
    path = forms.make_packet(size)
    octets = forms.payload(size)
    assert len(octets) == size
    assert b"\xff" not in octets
    expected = told(messages.packet(octets))
    assert told(schema.read_packet_and_copy(schema.Packet.decode(forms.octets(path)))) == expected
    assert told(trees.packet(ElementTree.fromstring(forms.octets(path, ".xml")))) == expected
    found = json.loads(forms.octets(path, ".json"))
    assert found.pop("payload") == ElementTree.fromstring(forms.octets(path, ".xml"))[-1].text
    assert told(found) == expected[:-1]


def test_the_payload_is_read_where_it_stands():
    octets = forms.octets(forms.make_packet(7_000))
    payload = schema.read_packet(schema.Packet.decode(octets))[-1]
    assert isinstance(payload, memoryview)
    assert payload.obj is octets


def test_inputs_are_the_same_each_time(tmp_path):
    def made():
        forms.make_packet(7_000)
        for name in messages.MESSAGES:
            forms.make_message(name)
        digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()}
        for path in tmp_path.iterdir():
            path.unlink()
        return digests

    first = made()
    assert len(first) == 3 * (len(messages.MESSAGES) + 1)
    assert made() == first


def test_a_packet_that_the_machine_has_no_memory_for_says_so(monkeypatch):
    monkeypatch.setattr(forms, "available_memory", lambda: 1000)
    path = forms.make_packet(70_000)
    assert not Path(path).exists()
    with pytest.raises(Unavailable, match="210,000 octets of memory, and there are 1,000"):
        forms.octets(path)


def test_a_packet_that_is_there_but_too_large_to_read_says_so(monkeypatch):
    path = forms.make_packet(7_000)
    monkeypatch.setattr(forms, "available_memory", lambda: 1000)
    with pytest.raises(Unavailable, match="octets of memory, and there are 1,000"):
        forms.octets(path, ".json")


def test_a_quick_run_with_cheap_peers():
    names = ("parse profile", "parse nested", "render tiny", "octets of chat", "render a packet with a payload")

    def cheap(case):
        sides = tuple(side for side in case.all_sides() if side.peer in CHEAP)
        labels = {side.name for side in sides}
        return replace(case, sides=sides, targets=tuple(one for one in case.targets if one.against in labels))

    family = replace(
        FAMILY,
        peers={name: FAMILY.peers[name] for name in CHEAP},
        cases=tuple(cheap(case) for case in FAMILY.cases if case.name in names),
        scalings=tuple(
            replace(each, sides=tuple(side for side in each.sides if getattr(side, "peer", side) in CHEAP))
            for each in FAMILY.scalings
        ),
    )
    assert len(family.cases) == len(names)
    stored = run_family(family, Settings.of(True))
    assert not [one["why"] for one in stored["measurements"] if one["failed"]]
    assert all(row["value"] is not None for row in stored["rows"])
    assert all(point["figures"] for one in stored["scalings"] for point in one["points"])

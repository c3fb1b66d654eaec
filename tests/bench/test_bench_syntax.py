"""The family `syntax`: the messages are the same in DER, JSON and XML and in every run."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")

from support.bench_runs import failures, quick_run

from bench.families.syntax import FAMILY, forms, messages, schema, trees
from bench.harness import Unavailable

EVERY_MESSAGE = pytest.mark.parametrize("name", messages.MESSAGES)
CHEAP = ("derlib", "json", "ElementTree", "Python")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Inputs of these tests are in their own folder."""
    monkeypatch.setattr(forms, "FOLDER", tmp_path)


def leaves(value):
    return list(messages.leaves(value))


@EVERY_MESSAGE
def test_a_message_survives_a_round_trip_through_derlib(name):
    message = messages.MESSAGES[name]
    encoded = schema.encode(message.value, message.shape)
    found = schema.SHAPES[message.shape].decode(encoded)
    assert found.to_native() == message.value
    assert leaves(schema.READERS[message.shape](found)) == leaves(message.value)
    assert found.encode() == encoded


@EVERY_MESSAGE
def test_the_three_forms_of_a_message_have_the_same_values(name):
    message, path = messages.MESSAGES[name], Path(forms.make_message(name))
    assert schema.SHAPES[message.shape].decode(path.read_bytes()).to_native() == message.value
    assert json.loads(path.with_suffix(".json").read_bytes()) == message.value
    root = ElementTree.fromstring(path.with_suffix(".xml").read_bytes())
    assert leaves(trees.READERS[message.shape](root)) == leaves(message.value)


@EVERY_MESSAGE
def test_non_ascii_characters_are_escaped_if_the_message_says_so(name):
    path = Path(forms.make_message(name))
    for suffix in (".json", ".xml"):
        encoded = path.with_suffix(suffix).read_bytes()
        assert encoded.isascii() == (messages.MESSAGES[name].escaped or path.read_bytes().isascii())


@pytest.mark.parametrize("size", [1, 2, 3, 7_000, 70_001])
def test_the_three_forms_of_a_packet_have_the_same_values(size):
    path = forms.make_packet(size)
    encoded = forms.payload(size)
    assert len(encoded) == size
    assert b"\xff" not in encoded
    expected = leaves(messages.packet(encoded))
    assert leaves(schema.read_packet_and_copy(schema.Packet.decode(forms.contents(path)))) == expected
    assert leaves(trees.packet(ElementTree.fromstring(forms.contents(path, ".xml")))) == expected
    found = json.loads(forms.contents(path, ".json"))
    assert found.pop("payload") == ElementTree.fromstring(forms.contents(path, ".xml"))[-1].text
    assert leaves(found) == expected[:-1]


def test_the_payload_is_a_view_of_the_input():
    encoded = forms.contents(forms.make_packet(7_000))
    payload = schema.read_packet(schema.Packet.decode(encoded))[-1]
    assert isinstance(payload, memoryview)
    assert payload.obj is encoded


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


def test_a_packet_is_not_created_without_enough_memory(monkeypatch):
    monkeypatch.setattr(forms, "available_memory", lambda: 1000)
    path = forms.make_packet(70_000)
    assert not Path(path).exists()
    with pytest.raises(Unavailable, match="210,000 bytes of memory; 1,000 are available"):
        forms.contents(path)


def test_a_packet_is_not_read_without_enough_memory(monkeypatch):
    path = forms.make_packet(7_000)
    monkeypatch.setattr(forms, "available_memory", lambda: 1000)
    with pytest.raises(Unavailable, match="bytes of memory; 1,000 are available"):
        forms.contents(path, ".json")


def test_a_quick_run_with_cheap_peers():
    cases = {"parse profile", "parse nested", "render tiny", "size of chat", "render a packet with a payload"}
    works = [*FAMILY.cases, *(growth.case(0) for growth in FAMILY.growths)]
    cheap = {side.name for case in works for side in case.all_sides() if side.peer in CHEAP}
    measured = quick_run(FAMILY, cheap, cases)
    assert failures(measured) == []
    assert len({one.case for one in measured}) == len(cases) + 2 * len(FAMILY.growths)

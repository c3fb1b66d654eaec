"""The family `packets`: its packets are the same in every run, and all peers read and write the same."""

from __future__ import annotations

import pytest

values = pytest.importorskip("bench.families.packets.values", reason="bench/ is not beside the tests")

from support.bench_runs import failures, quick_run  # noqa: E402

import bench.families.packets as packets  # noqa: E402
from bench.families.packets.peers import derlib as ours  # noqa: E402

SHAPES = [values.Shape(0, 0), *packets.SHAPES.values()]
TIMED = ("encode", "build_and_encode", "decode_and_read", "hold")
LIBRARIES = {"python_ndn": "ndn", "asn1tools": "asn1tools", "protobuf": "google.protobuf", "msgspec": "msgspec"}


@pytest.fixture(params=SHAPES, ids=str)
def shape(request):
    return request.param


@pytest.fixture
def path(shape, tmp_path, monkeypatch):
    monkeypatch.setattr(values, "INPUTS", tmp_path)
    return values.store(shape, 3, 2)


def test_packets_are_the_same_in_every_run(shape):
    some = values.packets(shape, 3)
    assert some == values.packets(shape, 3)
    assert [len(packet["name"]) for packet in some] == [shape.components] * 3
    assert [len(packet["content"]) for packet in some] == [shape.payload] * 3
    assert some[0]["signature_value"] != some[1]["signature_value"]


def test_the_first_packet_is_known():
    assert values.packets(values.Shape(1, 2), 1)[0]["name"] == [bytes.fromhex("895d0e81")]


def test_packets_come_back_from_derlib(shape):
    for packet in values.packets(shape, 3):
        octets = ours.encode_fields(packet)
        assert octets == ours.build_and_encode_one(packet)
        assert ours.Data.decode(octets).to_native() == packet


@pytest.mark.parametrize("peer", LIBRARIES)
def test_every_operation_of_a_peer_has_the_same_values(path, peer):
    pytest.importorskip(LIBRARIES[peer])
    module = pytest.importorskip(f"bench.families.packets.peers.{peer}")
    for operation in TIMED:
        task, other = getattr(ours, operation)(path), getattr(module, operation)(path)
        assert list(other.facts(other.once())) == list(task.facts(task.once())), operation


def test_derlib_and_asn1tools_write_the_same_octets(shape):
    pytest.importorskip("asn1tools")
    from bench.families.packets.peers import asn1tools

    for packet in values.packets(shape, 3):
        assert asn1tools.build_and_encode_one(packet) == ours.encode_fields(packet)


def test_a_quick_run_of_derlib():
    labels = {"derlib", "derlib, built object", "derlib, dict of fields"}
    cases = {case.name for case in packets.FAMILY.cases if case.input == "3 components, 64 bytes"}
    measured = quick_run(packets.FAMILY, labels, cases)
    assert len(measured) == len(cases) + 2
    assert failures(measured) == []
    assert {one.figures.unit for one in measured} == {"ns/packet", "bytes", "bytes/packet"}

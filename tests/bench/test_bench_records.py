"""The family `records`: its people are the same in every run, and all peers read and write the same."""

from __future__ import annotations

import json

import pytest

people = pytest.importorskip("bench.families.records.people", reason="bench/ is not beside the tests")

from support.bench_runs import failures, quick_run  # noqa: E402

import bench.families.records as records  # noqa: E402
from bench.families.records.peers import derlib as ours  # noqa: E402
from bench.harness import Unavailable  # noqa: E402

OPERATIONS = ("dumps", "build_and_dumps", "loads", "loads_and_read")


@pytest.fixture(params=[1, 20], ids=["one", "many"])
def path(request, tmp_path):
    return people.store(tmp_path / "people.json", request.param)


def test_people_are_the_same_in_every_run_and_of_all_kinds():
    some = people.people(200)
    assert some == people.people(300)[:200]
    assert some[0]["first"] == "HstknW"
    assert {len(person["addresses"] or ()) for person in some} == {0, 1, 2, 3}
    for optional in ("telephone", "email"):
        assert {person[optional] is None for person in some} == {False, True}


def test_people_survive_a_round_trip_through_derlib(path, tmp_path):
    data = json.loads((tmp_path / "people.json").read_text(encoding="utf-8"))
    octets = ours.build_and_dumps(path).once()
    assert octets == ours.dumps(path).once()
    cls = ours.People if isinstance(data, list) else ours.Person
    back = cls.decode(octets).to_native()
    for one, other in zip(back, data, strict=True) if isinstance(data, list) else [(back, data)]:
        assert one == {key: value for key, value in other.items() if value is not None}


@pytest.mark.parametrize("peer", ["pickle", "msgspec", "orjson", "msgpack", "protobuf", "asn1tools", "cryptography"])
def test_every_operation_of_a_peer_has_the_same_values(path, peer):
    pytest.importorskip("google.protobuf" if peer == "protobuf" else peer)
    try:
        module = pytest.importorskip(f"bench.families.records.peers.{peer}")
    except Unavailable as error:
        pytest.skip(str(error))
    task = ours.loads_and_read(path)
    expected = list(task.facts(task.once()))
    operations = [name for name in vars(module) if name.startswith(OPERATIONS)]
    assert len(operations) >= len(OPERATIONS)
    for operation in operations:
        task = getattr(module, operation)(path)
        assert list(task.facts(task.once())) == expected, operation


def test_derlib_and_asn1tools_write_the_same_octets(path):
    pytest.importorskip("asn1tools")
    from bench.families.records.peers import asn1tools

    assert asn1tools.build_and_dumps(path).once() == ours.build_and_dumps(path).once()


def test_a_quick_run_of_derlib_and_pickle():
    cases = {case.name for case in records.FAMILY.cases if case.input == "1,000 people"}
    measured = quick_run(records.FAMILY, {"derlib", "pickle, dicts", "pickle, named tuples"}, cases)
    assert len(measured) == 3 * len(cases) == 15
    assert failures(measured) == []

"""A family runs to its end whatever a peer does, and a side that does other work gets no figure."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import pytest

harness = pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")
remote = pytest.importorskip("bench.harness.remote")
run = pytest.importorskip("bench.harness.run")

from bench.harness import Case, Family, Fit, Input, Peer, Scaling, Side, Target, Unavailable  # noqa: E402

QUICK = run.Settings.of(True)
PEERS = {
    "derlib": Peer("tests.bench_peers.sound"),
    "other": Peer("tests.bench_peers.sound"),
    "absent": Peer("tests.bench_peers.absent"),
    "broken": Peer("tests.bench_peers.broken"),
}


def measure(operation, *sides, settings=QUICK, **more):
    """What the sides of a case gave, by name."""
    case = Case("a case", operation, "seven", sides, **more)
    measured = run.CaseRun(PEERS, case, "7", None, settings).measure()
    return {one.side.name: one for one in measured}


def test_each_side_has_all_its_samples():
    # A budget that even a busy machine does not use up.
    found = measure("add", "derlib", "other", settings=replace(QUICK, budget=60))
    assert set(found) == {"derlib", "other"}
    for one in found.values():
        assert one.figures.unit == "ms"
        assert len(one.figures.samples) == QUICK.most
        assert not one.failed


@pytest.mark.parametrize(
    ("peer", "why"),
    [
        ("absent", "not installed .*a_library_that_nobody_has.*make bench-setup"),
        ("broken", "RuntimeError: wrong platform"),
    ],
)
def test_a_peer_that_cannot_be_imported_is_a_row_that_says_why(peer, why):
    found = measure("add", "derlib", peer)
    assert found["derlib"].figures
    assert found[peer].figures is None
    assert re.search(why, found[peer].why)


@pytest.mark.parametrize(
    ("operation", "kind", "why"),
    [
        ("fail", "raised", "TypeError: cannot do this"),
        ("refuse", "unavailable", "not with this version"),
        ("leave", "raised", "SystemExit: enough"),
        ("no_such_operation", "unavailable", "tests.bench_peers.sound has no no_such_operation"),
        ("die", "died", "killed by SIGKILL, which the system does when memory runs out"),
        ("vanish", "died", "ended with status 3: last words"),
        ("hang", "timeout", "no answer within 0.5 s"),
    ],
)
@pytest.mark.parametrize("measured", ["time", "memory", "size"])
def test_what_goes_wrong_in_a_peer_ends_its_row_only(operation, kind, why, measured):
    timeout = 0.5 if operation == "hang" else 60
    found = measure("octets", "derlib", Side("other", operation), kind=measured, timeout=timeout)
    assert (found["other"].failed, found["other"].why) == (kind, why)
    assert found["derlib"].figures


def test_a_side_whose_process_was_taken_away_by_another_says_so():
    found = measure("die", Side("other", label="first"), Side("other", "add", label="second"), "derlib")
    assert "its process is gone: killed by SIGKILL" in found["second"].why


def test_what_a_peer_prints_does_not_get_between_the_answers():
    assert measure("print_garbage", "derlib")["derlib"].figures


@pytest.mark.parametrize("measured", ["time", "memory"])
def test_a_side_that_does_other_work_gets_no_figure(measured):
    found = measure("add", "derlib", Side("other", "add_wrongly"), kind=measured)
    assert found["other"].failed == "differs"
    assert found["other"].why == "reads or writes something else than derlib: first fact 9, not 8"
    assert found["derlib"].figures


def test_a_side_that_claims_nothing_is_not_compared():
    assert measure("add", "derlib", Side("other", "add_wrongly", equal=""))["other"].figures


def test_work_that_can_be_done_once_is_set_up_for_each_run():
    assert measure("once", "derlib")["derlib"].figures


def test_the_size_of_what_is_returned():
    assert measure("octets", "derlib", kind="size")["derlib"].figures.samples == (7 / 2**20,)


def test_the_number_that_is_returned():
    figures = measure("number", "derlib", kind="count")["derlib"].figures
    assert (figures.samples, figures.unit) == ((7.0,), "apples")


def test_a_worker_has_no_library_but_its_own():
    with remote.Worker(PEERS["other"]) as worker:
        assert worker.about == {"version": "1.2.3", "derlib": False}


def no_python():
    raise Unavailable("no such interpreter here")


def test_a_peer_may_have_an_interpreter_of_its_own(monkeypatch):
    own = remote.Peer("tests.bench_peers.sound", python=lambda: sys.executable)
    monkeypatch.setitem(PEERS, "own", own)
    monkeypatch.setitem(PEERS, "none", remote.Peer("tests.bench_peers.sound", python=no_python))
    found = measure("add", "own", "none")
    assert found["own"].figures
    assert (found["none"].failed, found["none"].why) == ("unavailable", "no such interpreter here")


def test_a_worker_that_does_not_speak_the_protocol_is_ended():
    with remote.Worker(PEERS["other"]) as worker:
        worker.pending = b"garbage\n"
        with pytest.raises(remote.Failure, match="no answer"):
            worker.ask("size", 10, key="none")


def test_an_input_that_cannot_be_made_is_a_row_that_says_why():
    def make(quick):
        raise OSError("disk full")

    family = Family("f", "w", PEERS, {"none": Input("none", make)}, (Case("c", "add", "none", ("derlib",)),))
    [row] = run.run_family(family, QUICK)["measurements"]
    assert row["figures"] is None
    assert row["why"] == "the input cannot be made: OSError: disk full"


def test_a_whole_family_gives_rows_and_reasons():
    family = Family(
        "made_up",
        "for this test",
        PEERS,
        inputs={"seven": Input("a seven", lambda quick: "7")},
        cases=(
            Case(
                "addition",
                "add",
                "seven",
                ("derlib", "other", "absent", Side("other", "add_wrongly", label="wrong")),
                (
                    Target("other", reach=1e9),
                    Target("absent", reach=1),
                    Target("wrong"),
                    Target("", reach=0, figure=True),
                ),
            ),
        ),
        scalings=(Scaling("growth", "octets", (10, 100), (1, 10, 100), str, ("derlib", "absent"), reach=99),),
        fits=(
            Fit(
                "cost of fruit",
                "cost",
                ("base", "apples", "pears"),
                ((0, 0), (1, 0), (0, 10), (5, 5)),
                ((0, 0), (1, 0), (0, 10)),
                lambda point, quick: f"{point[0]} {point[1]}",
                ("derlib", "absent"),
                kind="count",
            ),
        ),
    )
    stored = run.run_family(family, QUICK)
    assert [row["verdict"] for row in stored["rows"]] == ["reach", "-", "-", "MISSED"]
    assert "not installed" in stored["rows"][1]["why"]
    assert "first fact 9, not 8" in stored["rows"][2]["why"]
    assert stored["peers"]["other"]["version"] == "1.2.3"
    assert "not installed" in stored["peers"]["absent"]["why"]
    ours, theirs = stored["scalings"]
    assert [point["size"] for point in ours["points"]] == [1, 10, 100]
    assert ours["verdict"] == "reach"
    assert theirs["exponent"] is None
    ours, theirs = stored["fits"]
    assert ours["costs"] == pytest.approx({"base": 5, "apples": 2, "pears": 0.5})
    assert [point["case"] for point in ours["points"]] == [
        "cost of fruit, 0 apples and 0 pears",
        "cost of fruit, 1 apples and 0 pears",
        "cost of fruit, 0 apples and 10 pears",
    ]
    assert theirs["costs"] is None
    assert "not installed" in theirs["why"]
    report = pytest.importorskip("bench.harness.report")
    text = "\n".join(report.lines(stored))
    assert "addition" in text
    assert "growth" in text
    assert report.differences(stored) == [
        "addition: wrong reads or writes something else than derlib: first fact 9, not 8"
    ]

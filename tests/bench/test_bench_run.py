"""A family runs to its end whatever a peer does, and a side with other results gets no figure."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

harness = pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")
remote = pytest.importorskip("bench.harness.remote")
run = pytest.importorskip("bench.harness.run")

from bench.harness import Case, Family, Growth, Input, Peer, Side  # noqa: E402
from bench.harness.results import Figures  # noqa: E402

QUICK = run.Settings.of(True)
PEERS = {
    "derlib": Peer("tests.support.bench_peers.sound"),
    "other": Peer("tests.support.bench_peers.sound"),
    "absent": Peer("tests.support.bench_peers.absent"),
    "broken": Peer("tests.support.bench_peers.broken"),
}
SEVEN = {"seven": Input("a seven", lambda quick: "7")}


def measure(operation, *sides, settings=QUICK, **more):
    """Return the measurements of a case, by side."""
    case = Case("a case", operation, "seven", sides, **more)
    return {one.side: one for one in run.run_case(Family("f", "w", PEERS, SEVEN), case, settings)}


def test_each_side_has_all_its_runs():
    # A budget that is sufficient on a busy machine.
    found = measure("add", "derlib", "other", settings=replace(QUICK, budget=60))
    assert set(found) == {"derlib", "other"}
    for one in found.values():
        assert one.figures.unit == "ns"
        assert one.figures.runs == QUICK.most
        assert not one.failed


@pytest.mark.parametrize(
    ("peer", "why"),
    [
        ("absent", "not installed .*a_library_that_nobody_has.*make bench-setup"),
        ("broken", "RuntimeError: wrong platform"),
    ],
)
def test_a_peer_that_cannot_be_imported_says_why(peer, why):
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
        ("no_such_operation", "unavailable", "tests.support.bench_peers.sound has no no_such_operation"),
        ("die", "died", "killed by SIGKILL, which the system does when memory runs out"),
        ("vanish", "died", "ended with status 3: last words"),
        ("hang", "timeout", "no answer within 0.5 s"),
    ],
)
@pytest.mark.parametrize("measured", ["time", "memory", "size"])
def test_a_failure_of_a_peer_ends_only_its_own_side(operation, kind, why, measured):
    timeout = 0.5 if operation == "hang" else 60
    found = measure("zeros", "derlib", Side("other", operation), kind=measured, timeout=timeout)
    assert (found["other"].failed, found["other"].why) == (kind, why)
    assert found["derlib"].figures


def test_a_side_whose_process_another_side_ended_says_so():
    found = measure("die", Side("other", label="first"), Side("other", "add", label="second"), "derlib")
    assert "its process has ended: killed by SIGKILL" in found["second"].why


def test_the_output_of_a_peer_does_not_mix_with_the_answers():
    assert measure("print_garbage", "derlib")["derlib"].figures


@pytest.mark.parametrize("measured", ["time", "memory"])
def test_a_side_that_does_other_work_gets_no_figure(measured):
    found = measure("add", "derlib", Side("other", "add_wrongly"), kind=measured)
    assert found["other"].failed == "differs"
    assert found["other"].why == "does not read or write the same as derlib: first fact 9, not 8"
    assert found["derlib"].figures


def test_a_side_that_is_not_checked_may_differ():
    assert measure("add", "derlib", Side("other", "add_wrongly", checked=False))["other"].figures


def test_work_that_can_be_done_only_once_is_set_up_for_each_run():
    assert measure("once", "derlib")["derlib"].figures


def test_the_size_of_what_is_returned():
    assert measure("zeros", "derlib", kind="size")["derlib"].figures == Figures("bytes", 1, 7, (7, 7))


def test_the_number_that_is_returned():
    assert measure("number", "derlib", kind="count")["derlib"].figures == Figures("apples", 1, 7, (7, 7))


def test_a_worker_imports_only_its_own_library():
    with remote.Worker(PEERS["other"]) as worker:
        assert worker.about == {"version": "1.2.3", "derlib": False}


def test_a_worker_that_breaks_the_protocol_is_ended():
    with remote.Worker(PEERS["other"]) as worker:
        worker.pending = b"garbage\n"
        with pytest.raises(remote.Failure, match="not an answer"):
            worker.ask("size", 10, key="none")


def test_an_input_that_cannot_be_made_is_a_failure_with_the_reason():
    def make(quick):
        raise OSError("disk full")

    family = Family("f", "w", PEERS, {"none": Input("none", make)}, (Case("c", "add", "none", ("derlib",)),))
    [one] = run.run_family(family, QUICK)
    assert (one.figures, one.failed) == (None, "input")
    assert one.why == "the input cannot be made: OSError: disk full"


def test_a_whole_family_has_measurements_and_reasons(capsys):
    wrong = Side("other", "add_wrongly", label="wrong")
    cases = (Case("addition", "add", "seven", ("derlib", "other", "absent", wrong)),)
    growths = (Growth("growth", "zeros", (10, 100), (1, 10, 100), str, ("derlib", "absent")),)
    family = Family("made_up", "for this test", PEERS, SEVEN, cases, growths)
    measured = run.run_family(family, QUICK)
    assert [(one.case, one.side, one.failed) for one in measured] == [
        ("addition", "derlib", ""),
        ("addition", "other", ""),
        ("addition", "absent", "missing"),
        ("addition", "wrong", "differs"),
        *((f"growth, size {size}", side, failed) for size in (1, 10, 100) for side, failed in SIDES_OF_GROWTH),
    ]
    assert "made_up 1/2 addition" in capsys.readouterr().err
    versions = run.versions(family)
    assert versions["other"] == "1.2.3"
    assert "not installed" in versions["absent"]


SIDES_OF_GROWTH = (("derlib", ""), ("absent", "missing"))

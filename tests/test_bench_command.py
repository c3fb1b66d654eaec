"""The command measures into one folder, alone, and fails where derlib does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

command = pytest.importorskip("bench.__main__", reason="bench/ is not beside the tests")

from bench.harness import Case, Family, Fit, Input, Peer, Scaling, Side  # noqa: E402
from bench.harness.report import alone  # noqa: E402
from bench.places import BUILD  # noqa: E402

PEERS = {"derlib": Peer("tests.bench_peers.sound"), "other": Peer("tests.bench_peers.sound")}
SEVEN = {"seven": Input("a seven", lambda quick: "7")}


def test_a_place_that_cannot_hold_results_is_told_before_anything_is_measured(tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        command.run_main(["crl", "--out", str(tmp_path / "file")])
    assert ended.value.code == 2
    assert "no results can be stored in" in capsys.readouterr().err


def test_results_of_a_quick_run_have_a_folder_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(command, "QUICK", tmp_path / "quick")
    stored = []
    monkeypatch.setattr(command, "measure", lambda chosen, out, settings: stored.append((out.name, settings.quick)))
    command.run_main(["crl"])
    command.run_main(["crl", "--quick"])
    command.run_main(["crl", "--quick", "--out", str(tmp_path / "mine")])
    assert stored == [("results", False), ("quick", True), ("mine", True)]


def test_a_second_run_into_the_same_folder_is_refused_until_the_first_has_ended(tmp_path, capsys):
    with alone(tmp_path), pytest.raises(SystemExit) as ended:
        command.run_main(["crl", "--quick", "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "another run is storing its results in" in capsys.readouterr().err
    with alone(tmp_path):
        assert list(tmp_path.iterdir()) == []


def status(monkeypatch, folder, **parts):
    """How a quick run of a family with these parts ends."""
    family = Family("made_up", "for this test", PEERS, SEVEN, **parts)
    monkeypatch.setattr(command, "family_called", lambda name: family)
    return command.run_main(["crl", "--quick", "--out", str(folder)])


@pytest.mark.parametrize(
    ("operation", "expected"), [("add", 0), ("refuse", 0), ("fail", 1), ("die", 1), ("vanish", 1), ("add_wrongly", 1)]
)
def test_a_run_in_which_derlib_fails_ends_with_one(operation, expected, monkeypatch, tmp_path, capsys):
    case = Case("addition", "add", "seven", (Side("derlib", operation), "other"))
    assert status(monkeypatch, tmp_path, cases=(case,)) == expected
    told = "DERLIB FAILED: addition: derlib: " in capsys.readouterr().err
    assert told == (operation in ("fail", "die", "vanish"))


@pytest.mark.parametrize("operation", ["fail", "die", "vanish"])
def test_a_peer_that_fails_is_a_row_and_the_run_ends_well(operation, monkeypatch, tmp_path):
    case = Case("addition", "add", "seven", ("derlib", Side("other", operation)))
    assert status(monkeypatch, tmp_path, cases=(case,)) == 0


def test_derlib_failing_at_a_size_or_at_a_point_fails_the_run_too(monkeypatch, tmp_path, capsys):
    growth = Scaling("growth", "die", (1, 2), (1, 2), str, (Side("derlib", label="derlib, somehow"),))
    fit = Fit("costs", "die", ("base", "apples"), ((0,), (1,)), ((0,), (1,)), lambda point, quick: "1", ("derlib",))
    assert status(monkeypatch, tmp_path, scalings=(growth,), fits=(fit,)) == 1
    said = capsys.readouterr().err
    assert "DERLIB FAILED: growth, size 2: derlib, somehow: killed by SIGKILL" in said
    assert "DERLIB FAILED: costs, 1 apples: derlib: killed by SIGKILL" in said


def test_what_is_made_goes_under_the_checkout_wherever_the_suite_is_called_from(tmp_path):
    script = (
        "from bench.families import cache, packets, records, syntax; from bench.make_crl import crl_file;"
        "print(crl_file(50), cache.INPUTS['a few words'].make(True), syntax.made('chat', True), packets.warm(),"
        "records.make(1, True), sep='\\n')"
    )
    asked = [sys.executable, "-c", script]
    # An editable install need not make more than the package itself importable.
    env = {**os.environ, "PYTHONPATH": str(BUILD.parent.parent)}
    done = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=True, cwd=tmp_path, env=env)
    assert len(done.stdout.split()) == 5
    assert all(path.startswith(str(BUILD)) for path in done.stdout.split())
    assert list(tmp_path.iterdir()) == []

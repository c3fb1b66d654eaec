"""The command locks its folder of results, and fails if derlib fails."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

command = pytest.importorskip("bench.__main__", reason="bench/ is not beside the tests")

from bench import families  # noqa: E402
from bench.harness import Case, Family, Growth, Input, Peer, Side  # noqa: E402
from bench.harness.console import locked  # noqa: E402
from bench.harness.results import load  # noqa: E402
from bench.paths import BUILD  # noqa: E402

PEERS = {"derlib": Peer("tests.support.bench_peers.sound"), "other": Peer("tests.support.bench_peers.sound")}
SEVEN = {"seven": Input("a seven", lambda quick: "7")}


def test_a_folder_that_cannot_be_created_is_reported_before_measuring(tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        command.run_main(["crl", "--out", str(tmp_path / "file")])
    assert ended.value.code == 2
    assert "cannot store results in" in capsys.readouterr().err


def test_results_of_a_quick_run_have_a_folder_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(command, "QUICK", tmp_path / "quick")
    stored = []
    monkeypatch.setattr(command, "measure", lambda chosen, out, settings: stored.append((out.name, settings.quick)))
    command.run_main(["crl"])
    command.run_main(["crl", "--quick"])
    command.run_main(["crl", "--quick", "--out", str(tmp_path / "mine")])
    assert stored == [("results", False), ("quick", True), ("mine", True)]


def test_a_second_run_into_the_same_folder_is_rejected_until_the_first_has_ended(tmp_path, capsys):
    with locked(tmp_path), pytest.raises(SystemExit) as ended:
        command.run_main(["crl", "--quick", "--out", str(tmp_path)])
    assert ended.value.code == 2
    assert "another run is storing its results in" in capsys.readouterr().err
    with locked(tmp_path):
        assert list(tmp_path.iterdir()) == []


def status(monkeypatch, folder, **parts):
    """The exit status of a quick run of a family with these parts."""
    family = Family("made_up", "for this test", PEERS, SEVEN, **parts)
    monkeypatch.setattr(families, "load", lambda name: family)
    return command.run_main(["crl", "--quick", "--out", str(folder)])


@pytest.mark.parametrize(
    ("operation", "expected"), [("add", 0), ("refuse", 0), ("fail", 1), ("die", 1), ("vanish", 1), ("add_wrongly", 1)]
)
def test_a_run_fails_if_derlib_fails_and_stores_what_was_measured(operation, expected, monkeypatch, tmp_path, capsys):
    case = Case("addition", "add", "seven", (Side("derlib", operation), "other"))
    assert status(monkeypatch, tmp_path, cases=(case,)) == expected
    output = capsys.readouterr().err
    assert ("DERLIB FAILED: addition: derlib: " in output) == (operation in ("fail", "die", "vanish"))
    assert ("NOT EQUAL: addition: other does not read or write the same as derlib" in output) == (
        operation == "add_wrongly"
    )
    [ours, theirs] = load(tmp_path / "crl.json").measurements
    assert bool(ours.figures) == (operation in ("add", "add_wrongly"))
    assert bool(theirs.figures) == (operation != "add_wrongly")


@pytest.mark.parametrize("operation", ["fail", "die", "vanish"])
def test_a_run_succeeds_if_another_library_fails(operation, monkeypatch, tmp_path):
    case = Case("addition", "add", "seven", ("derlib", Side("other", operation)))
    assert status(monkeypatch, tmp_path, cases=(case,)) == 0


def test_a_run_fails_if_derlib_fails_at_a_size(monkeypatch, tmp_path, capsys):
    growth = Growth("growth", "die", (1, 2), (1, 2), str, (Side("derlib", label="derlib, somehow"),))
    assert status(monkeypatch, tmp_path, growths=(growth,)) == 1
    assert "DERLIB FAILED: growth, size 2: derlib, somehow: killed by SIGKILL" in capsys.readouterr().err


def test_inputs_are_created_in_the_checkout_whatever_the_working_directory(tmp_path):
    script = (
        "from bench.families import packets, records, syntax; from bench.make_crl import crl_file;"
        "print(crl_file(50), syntax.message('chat', True), packets.warm(), records.make(1, True), sep='\\n')"
    )
    asked = [sys.executable, "-c", script]
    # An editable install only guarantees that the package itself can be imported.
    env = {**os.environ, "PYTHONPATH": str(BUILD.parent.parent)}
    done = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=True, cwd=tmp_path, env=env)
    assert len(done.stdout.split()) == 4
    assert all(path.startswith(str(BUILD)) for path in done.stdout.split())
    assert list(tmp_path.iterdir()) == []

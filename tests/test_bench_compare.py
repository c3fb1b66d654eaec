"""Two runs are compared beyond their noise; a fitted exponent is that of the data."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys

import pytest

compare = pytest.importorskip("bench.harness.compare", reason="bench/ is not beside the tests")

from bench.harness.figures import Figures  # noqa: E402
from bench.harness.rows import exponent, verdict  # noqa: E402


def measurement(side, samples):
    return {"case": "decode", "side": side, "peer": side, "figures": Figures(samples).plain(), "why": ""}


@pytest.fixture
def stored():
    return {
        "family": "made_up",
        "circumstances": {"processor": "p", "system": "s", "python": "3", "compiler": "c", "quick": False},
        "peers": {"derlib": {"version": "1", "why": ""}, "other": {"version": "2", "why": ""}},
        "measurements": [measurement("derlib", (10, 11, 12, 13)), measurement("other", (100, 101, 102, 103))],
        "scalings": [
            {
                "work": "growth",
                "side": "derlib",
                "points": [{"size": 10, "figures": Figures((1, 1.01, 1.02)).plain(), "why": ""}],
            }
        ],
    }


def changed(stored, number, samples):
    new = copy.deepcopy(stored)
    new["measurements"][number]["figures"] = samples and Figures(samples).plain()
    return new


def told(old, new, percent=5):
    return [(change.peer, change.worse) for change in compare.changes(old, new, percent)]


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "crl.json").write_text('{"family": "cr', encoding="utf-8")
    with pytest.raises(ValueError, match=r"crl\.json is damaged"):
        compare.read(tmp_path)


def test_what_a_comparison_is_worth_is_told(stored):
    assert list(compare.warnings(stored, stored)) == []
    new = copy.deepcopy(stored)
    new["circumstances"] |= {"quick": True, "load": 9.5, "cores": 2}
    told = " ".join(compare.warnings(stored, new))
    assert "of a --quick run" in told
    assert "in the new run (load 9.5 for 2 cores)" in told


def test_equal_runs_have_not_moved(stored):
    assert told(stored, stored) == []


def test_what_stays_within_the_noise_has_not_moved(stored):
    assert told(stored, changed(stored, 0, (11, 12.4, 12.5, 14))) == []


def test_what_is_beyond_the_noise_but_small_has_not_moved(stored):
    assert told(stored, changed(stored, 1, (104, 104, 104, 104))) == []
    assert told(stored, changed(stored, 1, (104, 104, 104, 104)), percent=1) == [("other", False)]


def test_derlib_slower_is_worse_and_faster_is_not(stored):
    assert told(stored, changed(stored, 0, (20, 21, 22, 23))) == [("derlib", True)]
    assert told(stored, changed(stored, 0, (5, 5, 6, 6))) == [("derlib", False)]
    assert told(stored, changed(stored, 1, (200, 201, 202, 203))) == [("other", False)]


def test_what_moved_is_told_with_the_ratio_the_largest_first(stored, tmp_path, capsys):
    stored["measurements"].append(measurement("a third", (10, 10, 10, 10)))
    new = changed(changed(stored, 0, (20, 21, 22, 23)), 1, (300, 303, 306, 309))
    new["measurements"][2] |= {"figures": None, "why": "it is gone"}
    for name, run in (("old", stored), ("new", new)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    assert compare.compare(tmp_path / "old.json", tmp_path / "new.json", 5) == 1
    lines = [line.split()[:2] for line in capsys.readouterr().out.splitlines() if line.startswith(("WORSE", "moved"))]
    assert lines == [["moved", "3.000"], ["WORSE", "1.870"], ["moved", "made_up:"]]


def test_a_figure_of_derlib_that_is_gone_is_told_first(stored, tmp_path, capsys):
    new = changed(changed(stored, 0, None), 1, (300, 303, 306, 309))
    for name, run in (("old", stored), ("new", new)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    assert compare.compare(tmp_path / "old.json", tmp_path / "new.json", 5) == 1
    _, first, second, _ = capsys.readouterr().out.splitlines()
    assert first.startswith("WORSE")
    assert second.startswith("moved")


def test_a_size_of_a_scaling_is_compared_too(stored):
    new = copy.deepcopy(stored)
    new["scalings"][0]["points"][0]["figures"] = Figures((2, 2.01, 2.02)).plain()
    assert told(stored, new) == [("derlib", True)]


def test_a_figure_that_is_gone_is_worse_if_it_was_derlibs(stored):
    assert told(stored, changed(stored, 0, None)) == [("derlib", True)]
    assert told(stored, changed(stored, 1, None)) == [("other", False)]
    assert told(changed(stored, 0, None), stored) == [("derlib", False)]


def test_a_case_in_one_run_only_is_said(stored):
    new = copy.deepcopy(stored)
    del new["measurements"][1]
    [change] = compare.changes(stored, new, 5)
    assert (change.what, change.worse) == ("only in the old run", False)


def test_other_machines_and_versions_are_said(stored):
    new = copy.deepcopy(stored)
    new["circumstances"]["python"] = "4"
    new["peers"]["other"]["version"] = ""
    said = list(compare.warnings(stored, new))
    assert said == ["made_up: python was 3, and is 4", "made_up: other was 2, and is absent"]


def test_the_command_ends_with_one_when_derlib_got_slower(stored, tmp_path):
    for name, run in (("old", stored), ("same", stored), ("slow", changed(stored, 0, (20, 21, 22, 23)))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "made_up.json").write_text(json.dumps(run))

    def status(new):
        command = [sys.executable, "-m", "bench", "compare", tmp_path / "old", tmp_path / new]
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode

    assert status("same") == 0
    assert status("slow") == 1
    assert status("nowhere") == 2


@pytest.mark.parametrize("power", [0.5, 1, 1.3, 2])
def test_the_exponent_of_a_power_is_found(power):
    sizes = [10, 100, 1000, 10_000]
    assert exponent(sizes, [7 * size**power for size in sizes]) == pytest.approx(power)


def test_noise_moves_an_exponent_little():
    chance = random.Random(1)
    sizes = [2**place for place in range(10, 22)]
    costs = [3 * size * chance.uniform(0.95, 1.05) for size in sizes]
    assert exponent(sizes, costs) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize(("sizes", "costs"), [([1], [1]), ([1, 2], [0, 1]), ([0, 2], [1, 1])])
def test_what_has_no_exponent_is_refused(sizes, costs):
    with pytest.raises(ValueError, match="exponent"):
        exponent(sizes, costs)


def test_quartiles_of_few_samples_are_the_extremes():
    assert Figures((3, 1, 2)).quartiles == (1, 3)
    assert Figures((1, 2, 3, 4, 5)).quartiles == (2, 4)


@pytest.mark.parametrize(
    ("value", "reach", "aim", "said"),
    [(1, 2, 1, "aim"), (2, 2, 1, "reach"), (3, 2, 1, "MISSED"), (3, None, None, "-"), (None, 2, 1, "-")],
)
def test_a_verdict_goes_by_reach_and_aim(value, reach, aim, said):
    assert verdict(value, reach, aim) == said

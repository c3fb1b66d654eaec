"""Two runs are compared beyond their noise, by their medians and quartiles."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

compare = pytest.importorskip("bench.harness.compare", reason="bench/ is not beside the tests")

from support.bench_results import changed, made_up  # noqa: E402

from bench.harness.results import Figures, Measurement, load_all  # noqa: E402

# The measurements of the first case: derlib's middle half is 3.975 to 4.15 ms, the slow peer's 707.5 to 767.5 ms.
OURS, THEIRS, QUICK, ABSENT, MEMORY = 0, 1, 2, 3, 8


def found(old, new, percent=5):
    return [(change.peer, change.worse) for change in compare.changes(old, new, percent)]


@pytest.mark.parametrize(
    ("number", "milliseconds", "percent", "expected"),
    [
        (OURS, (8, 8.1, 8.2, 8.3), 5, [("derlib", True)]),
        (OURS, (2, 2, 2.1, 2.1), 5, [("derlib", False)]),
        (THEIRS, (1400, 1410, 1420, 1430), 5, [("slow <peer>", False)]),
        # The middle halves overlap: noise.
        (OURS, (4.1, 4.7, 4.8, 5.2), 5, [("derlib", True)]),
        (OURS, (3.9, 4.1, 4.6, 5.2), 5, []),
        # The middle halves do not overlap, but the medians differ by little.
        (QUICK, (2.24, 2.25, 2.25, 2.26), 5, []),
        (QUICK, (2.24, 2.25, 2.25, 2.26), 1, [("quick peer", False)]),
    ],
)
def test_a_change_is_larger_than_the_noise_and_the_percentage(number, milliseconds, percent, expected):
    old = made_up()
    new = changed(old, number, *(1e6 * each for each in milliseconds))
    assert found(old, new, percent) == expected


def test_equal_runs_have_no_changes():
    assert found(made_up(), made_up()) == []


def test_a_few_pages_of_memory_are_not_a_change():
    old = changed(made_up(), MEMORY, 0, 0, 0)
    assert found(old, changed(old, MEMORY, 8192, 8192, 8192)) == []
    assert found(old, changed(old, MEMORY, 2**20, 2**20, 2**20)) == [("derlib", True)]


def test_a_few_bytes_of_an_encoding_are_a_change():
    size = Measurement("size", "derlib", "derlib", "size", Figures.of([97], "bytes"))
    old = replace(made_up(), measurements=[size])
    assert found(old, changed(old, 0, 120)) == [("derlib", True)]


def test_a_lost_figure_is_worse_only_for_derlib():
    lost = {"failed": "raised", "why": "it is gone"}
    old = made_up()
    assert found(old, changed(old, OURS, **lost)) == [("derlib", True)]
    assert found(old, changed(old, THEIRS, **lost)) == [("slow <peer>", False)]
    assert found(changed(old, OURS, **lost), old) == [("derlib", False)]


def test_a_size_of_a_growth_is_compared():
    old = made_up()
    assert found(old, changed(old, len(old.measurements) - 1, 9e9, 9e9)) == [("derlib", True)]


def test_a_measurement_in_one_run_only_is_reported():
    old = made_up()
    new = replace(old, measurements=old.measurements[1:])
    [change] = compare.changes(old, new, 5)
    assert (change.what, change.worse) == ("only in the old run", False)


def test_changes_are_sorted_by_their_ratio_and_lost_figures_of_derlib_come_first(tmp_path, capsys):
    old = made_up()
    new = changed(old, OURS, 8e6, 8e6, 8e6, 8e6)
    new = changed(changed(new, THEIRS, 3e9, 3e9, 3e9, 3e9), 4, failed="raised", why="it is gone")
    old.store(tmp_path / "old")
    new.store(tmp_path / "new")
    assert compare.compare(tmp_path / "old", tmp_path / "new", 5) == 1
    lines = [line.split()[:2] for line in capsys.readouterr().out.splitlines() if line.startswith(("WORSE", "changed"))]
    assert lines == [["WORSE", "crl:"], ["changed", "4.196"], ["WORSE", "1.975"]]


def test_what_makes_runs_hard_to_compare_is_reported():
    old = made_up()
    assert list(compare.warnings(old, old)) == []
    new = replace(
        old,
        conditions={**old.conditions, "python": "4", "quick": True, "load": 9.5},
        peers={**old.peers, "quick peer": "3.1"},
    )
    assert list(compare.warnings(old, new)) == [
        "crl: python was CPython 3.11, and is 4",
        "crl: quick was False, and is True",
        "crl: from a --quick run, whose figures mean nothing",
        "crl: the machine was busy before the new run (load 9.5 for 2 cores)",
        "crl: quick peer was 3, and is 3.1",
    ]


def test_the_command_fails_when_derlib_got_slower(tmp_path):
    made_up().store(tmp_path / "old")
    made_up().store(tmp_path / "same")
    changed(made_up(), OURS, 8e6, 8e6, 8e6, 8e6).store(tmp_path / "slow")

    def status(new):
        command = [sys.executable, "-m", "bench", "compare", tmp_path / "old", tmp_path / new]
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode

    assert [status(new) for new in ("same", "slow", "nowhere")] == [0, 1, 2]


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "crl.json").write_text('{"family": "cr', encoding="utf-8")
    with pytest.raises(ValueError, match=r"crl\.json is damaged"):
        load_all(tmp_path)

"""Stored figures are medians and quartiles, one measurement per line; they are shown in the unit that fits them."""

from __future__ import annotations

import doctest
import json
import random

import pytest

results = pytest.importorskip("bench.harness.results", reason="bench/ is not beside the tests")

from support.bench_results import family, made_up  # noqa: E402

from bench.harness import console, words  # noqa: E402
from bench.paths import FIGURES  # noqa: E402

STORED = sorted(path for path in FIGURES.glob("*.json") if results.load(path))


def test_stored_results_survive_a_round_trip(tmp_path):
    made = made_up()
    assert results.load(made.store(tmp_path)) == made
    assert results.load_all(tmp_path) == {"crl": made}


def test_each_measurement_is_a_line_without_samples(tmp_path):
    lines = made_up().store(tmp_path).read_text(encoding="utf-8").splitlines()
    measured = [json.loads(line.rstrip(",")) for line in lines if line.startswith("  {")]
    assert len(measured) == len(made_up().measurements)
    figures = {"unit", "runs", "median", "quartiles"}
    assert {frozenset(one) for one in measured} == {
        frozenset({"case", "side", "peer", "kind", *figures}),
        frozenset({"case", "side", "peer", "kind", "failed", "why"}),
    }


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_figures_are_of_cases_and_sides_that_are_declared(path):
    from bench import families

    stored, declared = results.load(path), families.load(path.stem)
    cases = [*declared.cases, *(growth.case(size) for growth in declared.growths for size in growth.sizes)]
    known = {(case.name, side.name, side.peer, case.kind) for case in cases for side in case.all_sides()}
    assert {(one.case, one.side, one.peer, one.kind) for one in stored.measurements} == known
    assert stored.text() == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("module", [results, words], ids=lambda module: module.__name__)
def test_the_examples_of_docstrings_run(module):
    failed, attempted = doctest.testmod(module)
    assert (failed, attempted > 0) == (0, True)


def test_the_quartiles_enclose_the_middle_half():
    assert results.Figures.of((1, 2, 3, 4, 5)) == results.Figures("ns", 5, 3, (2, 4))
    # With fewer than four runs they are the lowest and the highest.
    assert results.Figures.of((3, 1, 2)).quartiles == (1, 3)


@pytest.mark.parametrize("power", [0.5, 1, 1.3, 2])
def test_the_exponent_of_a_power_is_found(power):
    sizes = [10, 100, 1000, 10_000]
    assert results.exponent(sizes, [7 * size**power for size in sizes]) == pytest.approx(power)


def test_noise_changes_an_exponent_little():
    chance = random.Random(1)
    sizes = [2**place for place in range(10, 22)]
    costs = [3 * size * chance.uniform(0.95, 1.05) for size in sizes]
    assert results.exponent(sizes, costs) == pytest.approx(1, abs=0.02)


def test_a_growth_has_an_exponent_only_with_two_costs():
    [curve] = results.curves(family(), made_up())
    assert [size for size, _ in curve.points] == [1000, 4000, 16_000]
    assert curve.exponent == pytest.approx(1, abs=0.01)
    nothing = results.Figures("bytes", 1, 0, (0, 0))
    assert results.Curve(curve.growth, curve.side, [(1000, nothing), *curve.points[1:2]]).exponent is None


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0, "ns", "0 ns"),
        (0.994, "ns/byte", "0.994 ns"),
        (999.4, "ns", "999 ns"),
        (999.9, "ns", "1 µs"),
        (10_281_923, "ns", "10.3 ms"),
        (14.9e9, "ns", "14.9 s"),
        (1, "bytes", "1 byte"),
        (97, "bytes", "97 bytes"),
        (4130, "bytes/packet", "4.03 KiB"),
        (9_145_423, "bytes", "8.72 MiB"),
        (1.3e9, "bytes", "1.21 GiB"),
        (1050, "apples", "1,050 apples"),
    ],
)
def test_a_figure_is_shown_in_the_unit_that_fits_it(value, unit, expected):
    assert words.amount(value, unit) == expected


@pytest.mark.parametrize(
    ("value", "first", "kind", "expected"),
    [
        (5.76, 1, "time", "5.8×"),
        (1234, 1, "time", "1,234×"),
        (1, 2, "time", "0.50×"),
        (9.96, 1, "time", "10×"),
        (1, 0, "time", ""),
        (6e8, 8192, "memory", ""),
        (6e8, 2e8, "memory", "3.0×"),
        (191, 109, "size", "1.8×"),
    ],
)
def test_a_ratio_is_relative_to_the_first_figure(value, first, kind, expected):
    assert words.times(value, first, kind) == expected


def test_the_console_shows_every_side_beside_the_first_and_why_one_has_no_figure():
    text = list(console.lines(family(), made_up()))
    row = next(line for line in text if line.startswith("decode a CRL and read every entry  slow <peer>"))
    assert row.split()[9:11] == ["715", "ms"]
    assert "177×" in row
    assert sum("not installed" in line for line in text) == 3
    assert any(line.startswith("time, decode") and line.endswith("1.000") for line in text)

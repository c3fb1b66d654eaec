"""A family may ask how far its samples lie apart, and then each row says where that is too far."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("bench.harness", reason="bench/ is not beside the tests")

from bench.harness import Case, Family, Input, Peer, Side, Target
from bench.harness.figures import Figures
from bench.harness.report import lines
from bench.harness.rows import Measurement, row
from bench.harness.run import Settings, run_family

CASE = Case("a case", "add", "seven", (Side("derlib"), Side("other")), (Target("other", reach=1),))


def measured(side, *samples, kind="time"):
    return Measurement("a case", Side(side), "add", "seven", kind, "", Figures(samples))


@pytest.mark.parametrize(
    ("samples", "most", "said"),
    [
        ((1.0, 1.0, 1.0), 0.01, ""),
        ((1.0, 1.001, 0.999), 0.01, ""),
        ((1.0, 2.0, 3.0), 0.01, "spread too wide: other 50.0%"),
        ((1.0, 2.0, 3.0), 0.6, ""),
        ((1.0, 2.0, 3.0), None, ""),
        ((1.0,), 0.01, ""),
        ((0.0, 0.0), 0.01, ""),
    ],
)
def test_a_row_says_that_its_spread_is_too_wide(samples, most, said):
    sides = {"derlib": measured("derlib", 1.0, 1.0), "other": measured("other", *samples)}
    assert row(CASE, CASE.targets[0], sides, most)["spread"] == said
    assert sides["other"].plain(most)["spread"] == said


def test_only_time_has_a_spread():
    assert measured("other", 1.0, 9.0, kind="memory").plain(0.01)["spread"] == ""


def test_a_family_that_asks_is_told():
    peers = {name: Peer("tests.bench_peers.sound") for name in ("derlib", "other")}
    inputs = {"seven": Input("a seven", lambda quick: "7")}
    stored = run_family(Family("made_up", "for this test", peers, inputs, (CASE,), spread=-1), Settings.of(True))
    assert re.fullmatch("spread too wide: derlib .*%, other .*%", stored["rows"][0]["spread"])
    assert "spread too wide: derlib" in "\n".join(lines(stored))

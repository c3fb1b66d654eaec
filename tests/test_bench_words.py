"""A comparison is told in words, and the words are true whichever side takes less."""

from __future__ import annotations

import pytest

words = pytest.importorskip("bench.harness.words", reason="bench/ is not beside the tests")

from bench.harness import Case, Side, Target  # noqa: E402
from bench.harness.figures import Figures  # noqa: E402
from bench.harness.rows import Measurement, row  # noqa: E402


def told(ours, theirs, against, *, kind="time", unit="ms", label="derlib"):
    """The words of a comparison of derlib with a side."""
    first = Side("derlib", label=label)
    case = Case("a case", "work", "", (first, against), kind=kind)
    measured = {
        side.name: Measurement("a case", side, "work", "", kind, "", Figures((one,), unit) if one is not None else None)
        for side, one in ((first, ours), (against, theirs))
    }
    return words.in_words(row(case, Target(against.name, ours=first.name), measured))


JSON = Side("json")


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (1, 5.76, "derlib is 5.8 times as fast"),
        (5.76, 1, "derlib takes 5.8 times as long"),
        (1, 1234, "derlib is 1,234 times as fast"),
        (1, 1.04, "both take about as long"),
        (1.04, 1, "both take about as long"),
        (1.06, 1, "derlib takes 1.1 times as long"),
        (None, 1, ""),
        (1, None, ""),
        (0, 1, ""),
    ],
)
def test_of_two_libraries_the_faster_one_is_named(ours, theirs, expected):
    assert told(ours, theirs, JSON) == expected


def test_another_way_of_derlib_is_named_as_it_is_called():
    assert told(1, 2, JSON, label="derlib, as a dict") == "derlib, as a dict is 2.0 times as fast"


@pytest.mark.parametrize("against", [Side("derlib", label="no cache"), Side("Python", label="bytes.find", equal="")])
def test_a_yardstick_is_no_rival(against):
    assert told(1, 4, against) == f"4.0 times as fast as {against.name}"
    assert told(4, 1, against) == f"4.0 times as long as {against.name}"
    assert told(1, 1, against) == f"about as long as {against.name}"


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (2, 6, "json takes 3.0 times as much memory"),
        (6, 2, "derlib takes 3.0 times as much memory"),
        (0.004, 6, "derlib takes next to no memory"),
        (6, 0, "json takes next to no memory"),
        (0.004, 0, "next to no memory, both"),
    ],
)
def test_growths_of_memory_are_told_by_what_they_are_of(ours, theirs, expected):
    assert told(ours, theirs, JSON, kind="memory", unit="MiB") == expected


def test_sizes_and_numbers_are_told_by_what_they_are_of():
    assert told(1, 2, JSON, kind="size", unit="MiB") == "json takes 2.0 times as many octets"
    assert told(30, 20, JSON, kind="count", unit="lines") == "derlib takes 1.5 times as many lines"
    assert told(30, 60, JSON, kind="count", unit="octets/packet") == "json takes 2.0 times as many octets"

"""The work of decoding grows as the input does: counted in instructions, never in time.

valgrind counts the instructions of `work.py`, which has the attacks, at one size, the double and the fourfold, in one
process. What does not depend on the size cancels out in the differences. Where the work is linear the second difference
is twice the first; of a square it would be four times.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.counting import counts_instructions
from support.dense import CASES, CRL
from support.fast_path import CASES as ENCODED
from support.scripts import TESTS, run_script

import derlib

callgrind = pytest.importorskip("bench.harness.callgrind", reason="bench/ is not beside the tests")

# The largest cost per byte, as a multiple of a CRL's. Tolerated values of opaque tables that are neither DER nor of
# their type have a bound of their own: each is tried in three ways (`check_opaque_by_type`).
BOUND = 10
DEARER = {
    "opaque mismatches that are not DER": 23,
    "opaque mismatches of the right tag that are not DER": 23,
}
# What follows decoding: no octet costs more instructions than so many times those of the same, or a like, operation on
# a sound CRL or certificate.
OPERATION_BOUND = 15
# Twice the octets cost at most so many times the instructions.
GROWTH_BOUND = 2.2
# The bounds are those of what gcc 12 makes of the core. clang 14 comes to a quarter more.
OTHER_COMPILERS = 1.3
SIZES = (1000, 2000, 4000)
# What is made once, such as the plans of classes, is made in a run that is not counted.
WARM = 50


def counts_of(module: str, *arguments: str, site: bool = False) -> list[int]:
    """Return the instructions between each two marks of a module of tests/support; `site` is for installed packages."""
    options = [] if site else ["-S"]
    return callgrind.between_marks(*options, "-m", f"support.{module}", *arguments, path=[TESTS])


def work_of(sizes: tuple[int, ...], *cases: str) -> list[int]:
    """The instructions of cases of work.py, at each size."""
    return counts_of("work", ",".join(map(str, (WARM, *sizes))), *cases)[1:]


def made_by_gcc_12() -> bool:
    """Whether the core was compiled by gcc 12 for x86-64: ELF files say so, and a compiler leaves its name in them."""
    octets = Path(derlib._core.__file__).read_bytes()
    return (
        octets[:4] == b"\x7fELF"
        and octets[18:20] == b"\x3e\0"
        and b"clang version" not in octets
        and re.search(rb"GCC: \([^)]*\) 12\.", octets) is not None
    )


@counts_instructions
def test_the_work_of_every_attack_is_linear():
    counts = work_of(SIZES)
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert first > 0
    assert 1.8 < second / first < 2.2, (
        f"{counts} instructions for {SIZES}: see which case it is with tests/support/work.py SIZE CASE under callgrind"
    )


@counts_instructions
def test_mismatches_inside_one_another_cost_what_one_does():
    [once], [many] = work_of((20000,), "a_mismatch"), work_of((20000,), "mismatches_inside_one_another")
    assert many < 1.25 * once


@counts_instructions
def test_the_densest_octets_cost_a_bounded_number_of_instructions():
    # The counts between a decoding and the next case are left out.
    counts = counts_of("dense")[::2]
    cost = {case.name: count / len(case.octets) for case, count in zip(CASES, counts, strict=True)}
    times = {name: each / cost[CRL.name] for name, each in cost.items()}
    room = 1 if made_by_gcc_12() else OTHER_COMPILERS
    assert {name: each for name, each in times.items() if each > room * DEARER.get(name, BOUND)} == {}
    if room == 1:
        assert {name for name in DEARER if times[name] <= BOUND} == set()


@counts_instructions
def test_what_follows_decoding_is_linear_and_costs_a_bounded_number_of_instructions():
    pytest.importorskip("click", reason="the command line needs the extra derlib[cli]")
    from support.operations import CASES as OPERATIONS

    # The counts between an operation and the next one are left out; the first of three makes what is made once.
    counts = counts_of("operations", site=True)[::2]
    growth, cost = {}, {}
    for case, small, large in zip(OPERATIONS, counts[1::3], counts[2::3], strict=True):
        fewer, more = (len(case.octets(size)) for size in case.sizes)
        growth[case.name] = large / small
        cost[case.name] = (large - small) / (more - fewer)
    assert {name: each for name, each in growth.items() if each > GROWTH_BOUND} == {}
    room = 1 if made_by_gcc_12() else OTHER_COMPILERS
    times = {case.name: cost[case.name] / cost[case.honest] for case in OPERATIONS}
    assert {name: each for name, each in times.items() if each > room * OPERATION_BOUND} == {}


@counts_instructions
def test_what_may_go_the_straight_way_of_the_writer_goes_it():
    # The counts between an encoding and the next case are left out.
    cost = dict(zip(ENCODED, counts_of("fast_path")[::2], strict=True))
    assert cost["the general way"] > 1.5 * cost["dicts"]
    assert cost["names"] < 1.2 * cost["dicts"]
    assert cost["explicit views"] < 1.2 * cost["explicit dicts"]


def test_the_page_says_what_the_dearest_octets_cost():
    page = Path(__file__).parents[2] / "docs" / "security.md"
    said = " ".join(page.read_text(encoding="utf-8").split())
    assert f"it costs up to {max(DEARER.values())} times as much" in said


def test_every_attack_runs_at_a_small_size():
    done = run_script("work", "200", timeout=120)
    assert done.returncode == 0, done.stderr

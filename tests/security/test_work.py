"""The work of decoding grows linearly with the input. It is counted in instructions, not in time.

valgrind counts the instructions between marks in scripts of tests/support: the attacks of `work.py` at three sizes, the
densest inputs of `dense.py`, and what follows decoding in `operations.py`. Costs that do not depend on the size cancel
out in the differences between sizes. If a size is doubled, linear work makes the difference twice as large; quadratic
work makes it four times as large.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.counting import counts_instructions
from support.dense import CASES
from support.fast_path import CASES as ENCODED
from support.scripts import TESTS, run_script
from support.work import CASES as ATTACKS

import derlib

callgrind = pytest.importorskip("bench.harness.callgrind", reason="bench/ is not beside the tests")

# The most instructions per byte. Some tolerated values of opaque tables have a higher bound: they are neither DER nor
# of their type, and are validated in three ways (`check_opaque_by_type`).
BOUND = 73
HIGHER_BOUNDS = {
    "opaque mismatches that are not DER": 169,
    "opaque mismatches of the right tag that are not DER": 169,
}
# The same for an operation after decoding, as a multiple of that operation on a valid CRL or certificate. Where that is
# so cheap that the multiple would be too strict, the bound is the most instructions per byte.
OPERATION_BOUND = 15
OPERATION_BOUNDS = {"index a CRL": 181, "page of a CRL": 483, "plain data of a CRL": 11_000}
# The bounds of how fast the instructions grow if the size is doubled: of all attacks, of one, of an operation.
TOTAL_GROWTH = (1.8, 2.2)
GROWTH_BOUND = 2.5
OPERATION_GROWTH_BOUND = 2.2
# Less growth is noise: some attacks end at the first element.
NOISE = 50_000
# The bounds are for gcc 12. The code of clang 14 needs a quarter more instructions.
OTHER_COMPILERS = 1.3
SIZES = (500, 1000, 2000)
# The first run of each case is not counted, because it also does what is done once, such as compiling schemas.
WARM_UP = 50


def counts_of(module: str, *arguments: str, site: bool = False) -> list[int]:
    """Return the instructions between each two marks of a module of tests/support; `site` allows installed packages."""
    options = [] if site else ["-S"]
    return callgrind.between_marks(*options, "-m", f"support.{module}", *arguments, path=[TESTS])


def made_by_gcc_12() -> bool:
    """Return whether gcc 12 compiled the core for x86-64; compilers leave their names in ELF files."""
    octets = Path(derlib._core.__file__).read_bytes()
    return (
        octets[:4] == b"\x7fELF"
        and octets[18:20] == b"\x3e\0"
        and b"clang version" not in octets
        and re.search(rb"GCC: \([^)]*\) 12\.", octets) is not None
    )


@counts_instructions
def test_the_work_of_every_attack_is_linear():
    counts = iter(counts_of("work", ",".join(map(str, (WARM_UP, *SIZES)))))
    growth = {}
    for name in ATTACKS:
        _, small, medium, large = (next(counts) for _ in range(1 + len(SIZES)))
        growth[name] = medium - small, large - medium
    first, second = (sum(each) for each in zip(*growth.values(), strict=True))
    low, high = TOTAL_GROWTH
    assert low < second / first < high
    assert {name: (a, b) for name, (a, b) in growth.items() if b > NOISE and b > GROWTH_BOUND * a} == {}
    # Mismatches inside one another are not validated once for each level.
    assert growth["mismatches_inside_one_another"][1] < 1.25 * growth["a_mismatch"][1]


@counts_instructions
def test_the_densest_inputs_need_a_bounded_number_of_instructions():
    # The counts between a decoding and the next case are left out.
    counts = counts_of("dense")[::2]
    cost = {case.name: count / len(case.octets) for case, count in zip(CASES, counts, strict=True)}
    room = 1 if made_by_gcc_12() else OTHER_COMPILERS
    assert {name: each for name, each in cost.items() if each > room * HIGHER_BOUNDS.get(name, BOUND)} == {}
    if room == 1:
        assert {name for name in HIGHER_BOUNDS if cost[name] <= BOUND} == set()


@counts_instructions
def test_operations_after_decoding_are_linear_and_cost_a_bounded_number_of_instructions():
    pytest.importorskip("click", reason="the command line needs the extra derlib[cli]")
    from support.operations import CASES as OPERATIONS

    # The counts between an operation and the next one are left out, and so is the first of three, the warm-up.
    counts = counts_of("operations", site=True)[::2]
    growth, cost = {}, {}
    for case, small, large in zip(OPERATIONS, counts[1::3], counts[2::3], strict=True):
        fewer, more = (len(case.octets(size)) for size in case.sizes)
        growth[case.name] = large / small
        cost[case.name] = (large - small) / (more - fewer)
    assert {name: each for name, each in growth.items() if each > OPERATION_GROWTH_BOUND} == {}
    room = 1 if made_by_gcc_12() else OTHER_COMPILERS
    bounds = {case.name: OPERATION_BOUNDS.get(case.honest, OPERATION_BOUND * cost[case.honest]) for case in OPERATIONS}
    assert {name: (each, bounds[name]) for name, each in cost.items() if each > room * bounds[name]} == {}


@counts_instructions
def test_values_that_the_fast_path_of_the_writer_accepts_take_it():
    # The counts between an encoding and the next case are left out.
    cost = dict(zip(ENCODED, counts_of("fast_path")[::2], strict=True))
    assert cost["the general encoder"] > 1.5 * cost["dicts"]
    assert cost["open types in the general encoder"] > 1.5 * cost["open types"]
    assert cost["names"] < 1.2 * cost["dicts"]
    assert cost["explicit views"] < 1.2 * cost["explicit dicts"]


def test_the_security_page_states_the_bounds():
    page = Path(__file__).parents[2] / "docs" / "security.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert f"a byte costs at most {BOUND} instructions" in text
    assert f"it costs up to {max(HIGHER_BOUNDS.values())} instructions" in text


def test_every_attack_runs_at_a_small_size():
    done = run_script("work", "200", timeout=120)
    assert done.returncode == 0, done.stderr

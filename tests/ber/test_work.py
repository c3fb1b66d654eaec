"""The work of a conversion grows linearly with the input. It is counted in instructions, as in tests/security."""

from __future__ import annotations

import pytest
from support.ber_work import CASES
from support.counting import counts_instructions
from support.scripts import TESTS, run_script

callgrind = pytest.importorskip("bench.harness.callgrind", reason="bench/ is not beside the tests")

# Linear work grows by 4 between two sizes, that of a sort by a little more, and quadratic work by 16. Growing arrays
# also cause copies: how many depends on whether `realloc` finds room after a block.
GROWTH_BOUND = 6
# Less growth is noise: some attacks end at the first element.
NOISE = 50_000
SIZES = (250, 1000, 4000)
WARM_UP = 50


@counts_instructions
def test_the_work_of_every_attack_is_linear():
    sizes = ",".join(map(str, (WARM_UP, *SIZES)))
    counts = iter(callgrind.between_marks("-S", "-m", "support.ber_work", sizes, path=[TESTS]))
    growth = {}
    for name in CASES:
        _, small, medium, large = (next(counts) for _ in range(1 + len(SIZES)))
        growth[name] = medium - small, large - medium
    assert {name: (a, b) for name, (a, b) in growth.items() if b > NOISE and b > GROWTH_BOUND * a} == {}


def test_every_attack_runs_at_a_small_size():
    done = run_script("ber_work", "200", timeout=120)
    assert done.returncode == 0, done.stderr

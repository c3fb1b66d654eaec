"""The work of decoding grows as the input does: counted in instructions, never in time.

valgrind counts the instructions of `work.py`, which has the attacks, at one size, the double and the fourfold. What the
start of the process takes cancels out in the differences. Where the work is linear the second difference is twice the
first; of a square it would be four times.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

callgrind = pytest.importorskip("bench.harness.callgrind", reason="bench/ is not beside the tests")

WORK = Path(__file__).with_name("work.py")
SIZES = (1000, 2000, 4000)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts the instructions, and is not installed")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer and valgrind do not go together")
def test_the_work_of_every_attack_is_linear():
    counts = [callgrind.instructions("-S", str(WORK), str(size)) for size in SIZES]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert first > 0
    assert 1.8 < second / first < 2.2, (
        f"{counts} instructions for {SIZES}: see which case it is with tests/work.py SIZE CASE under callgrind"
    )


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts the instructions, and is not installed")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer and valgrind do not go together")
def test_misfits_inside_one_another_cost_what_one_does():
    small, large = "2000", "20000"
    cost = [
        callgrind.instructions("-S", str(WORK), large, case) - callgrind.instructions("-S", str(WORK), small, case)
        for case in ("a_misfit", "misfits_inside_one_another")
    ]
    assert cost[1] < 1.25 * cost[0]


def test_every_attack_runs_at_a_small_size():
    subprocess.run([sys.executable, str(WORK), "200"], check=True, timeout=120)

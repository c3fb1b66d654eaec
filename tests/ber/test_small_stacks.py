"""Conversion needs little of the C stack: a thread with 128 KiB, as in musl, converts all levels of nesting.

Each case runs in its own process, since a stack overflow ends the process: `small_ber_stacks.py`.
"""

from __future__ import annotations

import os

import pytest
from support.scripts import run_script
from support.small_ber_stacks import CASES

pytestmark = pytest.mark.skipif(
    not {"LD_PRELOAD", "DERLIB_DEBUG", "DERLIB_COVERAGE"}.isdisjoint(os.environ),
    reason="what is compiled with checks takes more of the stack",
)


@pytest.mark.parametrize("depth", [100, 200])
@pytest.mark.parametrize("name", CASES)
def test_a_small_stack_suffices_for_all_levels(name, depth):
    done = run_script("small_ber_stacks", name, str(depth))
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert done.stdout == "converted\n"

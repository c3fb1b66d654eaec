"""Threads with a small C stack, 128 KiB as in musl, can decode all levels of nesting.

Each operation runs in its own process, since a stack overflow ends the process: `small_stacks.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.scripts import run_script
from support.small_stacks import OPERATIONS, STACK, TYPES

pytestmark = pytest.mark.skipif(
    not {"LD_PRELOAD", "DERLIB_DEBUG", "DERLIB_COVERAGE"}.isdisjoint(os.environ),
    reason="what is compiled with checks takes more of the stack",
)


@pytest.mark.parametrize("depth", [100, 200])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_small_stack_suffices_for_all_levels(operation, depth):
    done = run_script("small_stacks", operation, str(depth))
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert done.stdout.split() == list(TYPES)
    assert STACK == 128 * 1024


# A type of 4,000 nested types, and the first value that is encoded with it.
MANY_TYPES = f"""
import threading, types, derlib
type_ = int
for _ in range(4000):
    type_ = types.new_class("Part", (derlib.Sequence,), {{}}, lambda body: body.update(__annotations__={{"x": type_}}))
def write():
    try:
        derlib.encode({{"x": {{"x": 5}}}}, type_)
    except derlib.ConstraintError as error:
        print(error.path)
threading.stack_size({STACK})
thread = threading.Thread(target=write)
thread.start()
thread.join()
"""


def test_a_small_stack_suffices_for_a_schema_of_many_types():
    done = subprocess.run([sys.executable, "-c", MANY_TYPES], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "('x', 'x')\n"), done.stderr

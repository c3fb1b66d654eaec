"""The mark of tests that count instructions, for test_work.py and test_bench_instructions.py."""

import os
import shutil

import pytest

if "LD_PRELOAD" in os.environ:
    REASON = "valgrind cannot run a program under a sanitizer"
else:
    REASON = "valgrind, which counts the instructions, is not installed"

counts_instructions = pytest.mark.skipif(
    "LD_PRELOAD" in os.environ or shutil.which("valgrind") is None, reason=REASON
)

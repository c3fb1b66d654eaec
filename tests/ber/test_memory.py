"""The memory of a conversion is at most a constant times the size of the input, which docs/security.md states."""

from __future__ import annotations

import os
import sys

import pytest
from support.ber_memory import CASES
from support.scripts import run_script

# The documents say 200; the rest is for other versions of Python and of the C library.
BYTES_PER_BYTE = 220


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is KiB on Linux only")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer does not free memory immediately")
@pytest.mark.parametrize("length", ["definite", "indefinite"])
@pytest.mark.parametrize("name", CASES)
def test_hostile_input_takes_bounded_memory(name: str, length: str) -> None:
    done = run_script("ber_memory", name, length, timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < BYTES_PER_BYTE


@pytest.mark.skipif(sys.platform != "linux", reason="the test needs RLIMIT_AS and /proc, as on Linux")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer reserves address space")
@pytest.mark.parametrize("name", [
    "strings that change, out of order", "sets in a set", "kept elements that are not DER",
    "bit strings in a sequence", "bit strings without a type",
])  # fmt: skip
def test_a_conversion_without_enough_memory_raises_memory_error(name: str) -> None:
    done = run_script("ber_exhausted", name, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0

"""Tests of `.ci/run`: the examples of properties are the same in each run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PROPERTY = """
import hashlib

from hypothesis import given, strategies as st

found = hashlib.sha256()


@given(st.integers(), st.text(), st.sets(st.binary()))
def test_property(number, text, octets):
    found.update(f"{number} {text!r} {sorted(octets)}".encode())


def test_show():
    print("examples", found.hexdigest())
"""


def test_properties_have_the_same_examples_in_each_run_of_the_checks(tmp_path: Path):
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_property.py").write_text(PROPERTY)
    # Hypothesis would draw these numbers, too.
    (tmp_path / "constants.py").write_text(f"CONSTANTS = {list(range(1000, 1900))}\n")

    def digest(*arguments: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-sq", "-p", "no:cacheprovider", *arguments, "test_property.py"],
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, cwd=tmp_path, capture_output=True, text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return re.search("examples ([0-9a-f]{64})", done.stdout)[1]

    first = digest(CI="true", PYTHONHASHSEED="1")
    assert digest("-p", "constants", CI="true", PYTHONHASHSEED="2") == first
    assert digest(CI="", PYTHONHASHSEED="1") != first

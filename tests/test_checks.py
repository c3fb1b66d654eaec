"""Tests of `.ci/run`: the examples of properties are the same in each run, and a signal ends everything."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

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


# Each command of a lane says on a pipe that it runs. The pipe has an end when all processes are gone.
COMMAND = """#!/usr/bin/env bash
case "$0 $*" in
    *make\\ test|*sanitize*) echo "$0" >&$DERLIB_PIPE; exec sleep 100 ;;
esac
"""


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason=".ci/run is a script for bash")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_checks_ends_both_lanes(tmp_path: Path, number: signal.Signals):
    for folder in (".ci", "build", "bin"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    for name in ("bin/make", "bin/gcc", "bin/chromedriver", ".ci/sanitize"):
        (tmp_path / name).write_text(COMMAND)
        (tmp_path / name).chmod(0o755)
    reader, writer = os.pipe()
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "DERLIB_PIPE": str(writer)}
    # In a session of its own, as if it were started by a service: only the script gets the signal.
    run = subprocess.Popen(
        [".ci/run"], cwd=tmp_path, env=environment, pass_fds=[writer], start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    os.close(writer)
    with open(reader) as pipe:
        assert {Path(pipe.readline().strip()).name for _ in range(2)} == {"make", "sanitize"}
        run.send_signal(number)
        output, _ = run.communicate(timeout=60)
        assert pipe.read() == ""
    assert run.returncode == (130 if number == signal.SIGINT else 143)
    assert "stopped the second lane" in output

"""Tests of `.ci/run`: the examples of properties are the same in each run, and a signal ends everything."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TextIO

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


# The last command of a lane says on a pipe that it runs. The pipe has an end when all processes are gone.
WAITING = 'echo "$0" >&$DERLIB_PIPE; exec sleep 100'
COMMAND = """#!/usr/bin/env bash
case "$0 $*" in
    *make\\ test) {test} ;;
    *sanitize*) {sanitize} ;;
esac
"""

on_linux = pytest.mark.skipif(
    sys.platform != "linux" or not (ROOT / ".ci" / "run").exists(),
    reason=".ci/run is for Linux, and is not copied for the tests of a wheel",
)


# A process in the background of a shell, or under nohup, ignores signals, and bash cannot trap those.
START = """
import os, signal
for name in (signal.SIGINT, signal.SIGHUP):
    signal.signal(name, signal.SIG_DFL)
os.execv(".ci/run", [".ci/run"])
"""


def started(folder: Path, test: str, sanitize: str = WAITING) -> tuple[subprocess.Popen[str], TextIO]:
    """Start .ci/run with other commands for the first step of each lane, and return it with the end of the pipe."""
    for name in (".ci", "build", "bin"):
        (folder / name).mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci")
    for name in ("bin/make", "bin/gcc", "bin/chromedriver", ".ci/portable", ".ci/sanitize"):
        (folder / name).write_text(COMMAND.format(test=test, sanitize=sanitize))
        (folder / name).chmod(0o755)
    reader, writer = os.pipe()
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "DERLIB_PIPE": str(writer)}
    # In a session of its own, as if a service had started it: a signal to the script reaches nothing else.
    run = subprocess.Popen(
        [sys.executable, "-c", START], cwd=folder, env=environment, pass_fds=[writer], start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    os.close(writer)
    return run, open(reader)


@on_linux
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 143)])
def test_a_signal_to_the_checks_ends_both_lanes(tmp_path: Path, name: str, status: int):
    run, pipe = started(tmp_path, WAITING)
    with pipe:
        assert {Path(pipe.readline().strip()).name for _ in range(2)} == {"make", "sanitize"}
        run.send_signal(signal.Signals[name])
        output, _ = run.communicate(timeout=60)
        assert pipe.read() == ""
    assert run.returncode == status
    assert "stopped the second lane" in output


@on_linux
def test_a_failure_in_the_first_lane_ends_the_checks(tmp_path: Path):
    run, pipe = started(tmp_path, "until [ -e began ]; do sleep 0.01; done; exit 3", f"touch began; {WAITING}")
    with pipe:
        output, _ = run.communicate(timeout=60)
        assert Path(pipe.read().strip()).name in ("sanitize", "")
    assert run.returncode == 3
    assert "== test" in output
    assert "== lint" not in output
    assert "stopped the second lane" in output


@on_linux
def test_a_failure_in_the_second_lane_is_reported_at_the_end(tmp_path: Path):
    run, pipe = started(tmp_path, "exit 0", "echo unsound; exit 5")
    with pipe:
        output, _ = run.communicate(timeout=60)
    assert run.returncode == 5
    assert "== portable" in output
    assert output.rstrip().endswith("unsound")

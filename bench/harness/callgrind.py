"""Count instructions with valgrind. Called by bench/harness/instructions.py and by tests.

A count does not depend on how busy the machine is. It does depend on the compiler and on CPython.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bench.paths import ROOT

TIMEOUT = 600.0
# A function of the C library that nothing else calls here. Each call ends one count and begins the next.
MARK = "getppid"


class NoValgrind(Exception):
    """Instructions cannot be counted here; the message says why."""


def run(command: list[str], *options: str, path: Iterable[str] = ()) -> str:
    """Run Python under callgrind, and return the output of valgrind; `path` is searched first for modules.

    Raises:
        NoValgrind: valgrind is not installed.
        RuntimeError: the command failed.
    """
    if shutil.which("valgrind") is None:
        raise NoValgrind("valgrind counts the instructions, and is not installed")
    # Equal string hashes in every run make the work of dictionaries equal.
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([*path, str(ROOT)])
    valgrind = ["valgrind", "--tool=callgrind", *options, sys.executable, *command]
    done = subprocess.run(valgrind, capture_output=True, text=True, timeout=TIMEOUT, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done.stderr


def instructions(*command: str) -> int:
    """Return how many instructions a run of Python takes, including its start."""
    found = re.search(r"Collected : (\d+)", run([*command], "--callgrind-out-file=/dev/null"))
    if found is None:
        raise RuntimeError("valgrind printed no count")
    return int(found[1])


def dumps(command: list[str], *options: str, path: Iterable[str] = ()) -> list[int]:
    """Return the instructions between each two dumps that the options ask for."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "count"
        run(command, f"--callgrind-out-file={out}", *options, path=path)
        counts = []
        # The file without a number is the end of the process.
        for number in range(1, len(list(Path(folder).iterdir()))):
            found = re.search(r"^totals: (\d+)", out.with_name(f"count.{number}").read_text(), re.MULTILINE)
            counts.append(int(found[1]) if found else 0)
    return counts


def between_marks(*command: str, path: Iterable[str] = ()) -> list[int]:
    """Return the instructions between each two calls of `os.getppid`; `path` is searched first for modules."""
    # The first dump is the start of the process.
    return dumps([*command], f"--dump-before={MARK}", path=path)[1:]


def inside(function: str, command: list[str], path: Iterable[str] = ()) -> list[int]:
    """Return the instructions of each call of a C function that does not call itself."""
    # Every second dump is the code between two calls.
    return dumps(command, f"--dump-before={function}", f"--dump-after={function}", path=path)[1::2]

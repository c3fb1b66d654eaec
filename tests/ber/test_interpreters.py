"""BER while an interpreter ends, and in an interpreter that is not the main one."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMON = """
from derlib import Sequence, SequenceOf, ber, parse_ber

class Kept(Sequence, ber="keep"):
    number: int

ONE = bytes.fromhex("3080 020105 0000")
BER = b"\\x30\\x80" + ONE * 5000 + bytes(2)
DER = b"\\x30\\x19" + bytes.fromhex("3003 020105") * 5

def work():
    converted = ber.convert(BER, SequenceOf[Kept], keep=["[*].number", "[7]"])
    assert len(converted.kept) == 5000
    assert len(ber.convert(DER, SequenceOf[Kept]).kept) == 5
    return converted, iter(ber.convert(BER).changes), iter(parse_ber(BER))
"""

AT_SHUTDOWN = """
import atexit, sys, threading

class AtEnd:
    def __init__(self):
        self.converted, self.changes, self.children = work()

    def __del__(self):
        # Modules may be cleared by now.
        try:
            next(self.changes), next(self.children).value, self.converted.kept, self.converted.changes[0]
            work()
        except Exception:
            pass

def loop():
    while True:
        work()

sys.kept = AtEnd(), iter(ber.convert(BER).changes)
kept = AtEnd()
for _ in range(3):
    threading.Thread(target=loop, daemon=True).start()
atexit.register(lambda: print(len(work()[0].kept), flush=True))
"""

# The module of the core can be in one interpreter of a process.
IN_A_SUBINTERPRETER = """
try:
    import _interpreters as interpreters
    create = lambda: interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    def create():
        try:
            return interpreters.create(isolated=False)
        except TypeError:
            return interpreters.create()

first = create()
interpreters.run_string(first, COMMON + "\\nkept = work(), work()\\nprint('converted', flush=True)")
interpreters.destroy(first)
try:
    import derlib
except ImportError as error:
    print("refused", flush=True)
"""


def output_of(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_conversions_go_on_while_the_interpreter_ends() -> None:
    for _ in range(3):
        assert output_of(COMMON + AT_SHUTDOWN) == ["5000"]


def test_conversions_in_another_interpreter() -> None:
    if sys.version_info >= (3, 13):
        pytest.importorskip("_interpreters")
    else:
        pytest.importorskip("_xxsubinterpreters")
    assert output_of(f"COMMON = {COMMON!r}\n{IN_A_SUBINTERPRETER}") == ["converted", "refused"]

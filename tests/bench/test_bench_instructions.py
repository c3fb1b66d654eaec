"""Counts of instructions are compared only with those of the same build; an increase above 5 % is an error."""

from __future__ import annotations

import shutil

import pytest
from support.counting import counts_instructions

instructions = pytest.importorskip("bench.harness.instructions", reason="bench/ is not beside the tests")

from bench.harness import callgrind  # noqa: E402


def counts(**found):
    return {"python": "CPython 3", "compiler": "GCC", "machine": "m", "instructions": found}


@pytest.mark.parametrize(("after", "sound"), [(100, True), (50, True), (105, True), (106, False)])
def test_five_percent_more_is_allowed(after, sound):
    lines, within = instructions.compared(counts(decode=100), counts(decode=after))
    assert within is sound
    assert ("MORE THAN ALLOWED" in lines[0]) is not sound


def test_new_and_removed_operations_are_reported():
    lines, sound = instructions.compared(counts(old=1), counts(new=2))
    assert sound
    assert "new" in lines[0]
    assert "removed" in lines[1]


def test_another_build_is_not_compared():
    assert instructions.mismatch(counts(), counts()) == ""
    said = instructions.mismatch(counts(), counts() | {"compiler": "Clang"})
    assert "compiler was GCC, and is Clang" in said
    assert "--write" in said


def test_counting_needs_valgrind(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(callgrind.NoValgrind, match="not installed"):
        callgrind.instructions("-c", "pass")


@counts_instructions
def test_instructions_between_two_marks_are_counted():
    script = "import os\ndef f(n):\n    os.getppid()\n    sum(range(n))\n    os.getppid()\nf(1000); f(1000); f(9000)"
    first, _, second, _, third = callgrind.between_marks("-S", "-c", script)
    assert first == pytest.approx(second, rel=0.05)
    assert third > 5 * second

"""Calls through a class with a wrong `self`, and of objects without a value, raise TypeError and do not crash.

`tests/support/calls.py` finds the functions in the module itself, so it covers new classes and methods.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.calls import core_classes
from support.scripts import run_script

from derlib import _core


@pytest.mark.parametrize("name", [*core_classes(), "functions"])
def test_no_call_of_the_core_crashes_and_each_checks_self(name: str, tmp_path: Path) -> None:
    note = tmp_path / "call"
    done = run_script("calls", str(note), name)
    last = note.read_text().rstrip() if note.exists() else "nothing"
    assert done.returncode == 0, f"ended with status {done.returncode} in {last}\n{done.stderr[-2000:]}"
    *wrong, made = done.stdout.splitlines()
    assert not wrong, "\n".join(wrong[:20])
    assert int(made.split()[0]) > 50, made


def test_the_classes_that_hold_pointers_are_among_those_called():
    # Without them the test above would pass without calling anything.
    assert {"View", "ListView", "ChoiceView", "Lookup", "ListIterator", "Source", "Writer"} <= set(core_classes())
    assert all(cls.__module__ in ("derlib", "derlib._core") for cls in core_classes().values())
    assert set(core_classes()) <= set(vars(_core))

"""Calls through a class with a wrong `self`, and of objects that hold no value: TypeError, and never a crash.

`tests/support/calls.py` finds what to call in the module itself, so it covers a new class or method at once.
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
    # Without them the test above would pass with nothing to call.
    assert {"View", "ListView", "ChoiceView", "Lookup", "ListIterator", "Source", "Writer"} <= set(core_classes())
    assert all(cls.__module__ == "derlib._core" for cls in core_classes().values())
    assert set(core_classes()) <= set(vars(_core))

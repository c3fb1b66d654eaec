"""The tasks of bench/tasks have equal results with each library, and derlib needs no more lines than asn1crypto."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("asn1crypto")
pytest.importorskip("cryptography")
tasks: Any = pytest.importorskip("bench.tasks.__main__", reason="bench/ is not beside the tests")

INPUTS = tasks.inputs()


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("task", INPUTS)
def test_each_library_has_the_same_result(task: str) -> None:
    functions = [getattr(library, task) for library in tasks.LIBRARIES.values()]
    results = [function(*INPUTS[task]) for function in functions if function is not None]
    assert len(results) >= 2
    if task == tasks.STRICTNESS:
        results = [cached for cached, _ in results]
        assert results[0] is True
    assert all(result == results[0] for result in results)
    assert results[0]


@pytest.mark.parametrize("task", INPUTS)
def test_derlib_needs_no_more_lines_than_asn1crypto(task: str) -> None:
    ours, theirs = (tasks.statements(getattr(tasks.LIBRARIES[name], task)) for name in ("derlib", "asn1crypto"))
    assert 0 < ours <= theirs


def test_all_tasks_are_compared() -> None:
    assert len(INPUTS) == 8

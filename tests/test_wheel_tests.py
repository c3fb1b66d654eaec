"""Wheels are tested far from the sources: a test that imports bench, docs or examples skips where they are missing."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
SOURCES_ONLY = {"bench", "docs", "examples", "setup"}


def needed(path: Path) -> set[str]:
    """Return the packages of `SOURCES_ONLY` that a module imports before any statement that can skip it."""
    found = set()
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if "pytest.importorskip(" in ast.unparse(statement) or "pytest.skip(" in ast.unparse(statement):
            break
        if isinstance(statement, ast.Import):
            found |= {alias.name.split(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            found.add((statement.module or "").split(".")[0])
    return found & SOURCES_ONLY


def test_no_test_needs_sources_that_are_not_copied_for_the_tests_of_a_wheel():
    modules = [*TESTS.rglob("test_*.py"), *(TESTS / "support").glob("*.py")]
    assert len(modules) > 80
    # These are imported by tests of bench/ alone, which skip without it.
    of_bench = {"bench_results.py", "bench_runs.py", "browsers.py"}
    assert {path.name: needed(path) for path in modules if needed(path) and path.name not in of_bench} == {}

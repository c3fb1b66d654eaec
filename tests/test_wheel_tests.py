"""What cibuildwheel copies for the tests of a wheel is all that these tests need.

A wheel is tested far from the sources, so a test either finds what it imports of them among the copies, or skips with
the reason where it does not.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
SOURCES_ONLY = ("bench", "docs", "examples", "setup")

tomllib = pytest.importorskip("tomllib", reason="Python 3.10 does not read TOML")
if not (PROJECT / "setup.py").exists():
    pytest.skip("the sources are not beside the tests", allow_module_level=True)

COPIED = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]["test-sources"]


def skips(statement: ast.stmt) -> bool:
    """Whether a statement of a module may leave out what follows it."""
    return any(
        isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.importorskip", "pytest.skip")
        for node in ast.walk(statement)
    )


def imported(path: Path) -> Iterator[str]:
    """The modules that a test file imports whenever it is collected, and those that its helpers in tests/ import."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if skips(statement):
            return
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.level == 0:
            names = [statement.module or ""]
        else:
            continue
        yield from names
        for name in names:
            helper = PROJECT / "tests" / f"{name.removeprefix('tests.').replace('.', '/')}.py"
            if helper.exists():
                yield from imported(helper)


def test_what_is_copied_for_the_tests_of_a_wheel_is_there():
    assert "tests" in COPIED
    assert [name for name in COPIED if not (PROJECT / name).exists()] == []


@pytest.mark.parametrize(
    "path", sorted((PROJECT / "tests").rglob("test_*.py")), ids=lambda path: path.relative_to(PROJECT).as_posix()
)
def test_a_test_finds_what_it_imports_beside_a_wheel(path):
    needed = {name for name in imported(path) if name.split(".")[0] in SOURCES_ONLY}
    files = {f"{name.replace('.', '/')}.py" for name in needed}
    assert files <= set(COPIED)

"""The examples of the pages and of the public docstrings pass mypy --strict and pyright, as a user's code would."""

import ast
import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import derlib

pytest.importorskip("mypy")
pytest.importorskip("pyright")
pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

if not PAGES[0].is_file():
    pytest.skip("docs/ is not beside the tests", allow_module_level=True)


def code_of(examples, number_of_lines):
    """Return the code of examples, which are pairs of a line number and code. Each line keeps its number.

    Examples that raise an exception are left out, because many of them are wrong on purpose.
    """
    lines = [""] * (number_of_lines + 1)
    for number, source in examples:
        code = source.splitlines()
        lines[number : number + len(code)] = code
    return "\n".join(lines).rstrip() + "\n"


def page_examples(page):
    text = page.read_text(encoding="utf-8")
    examples = [(each.lineno, each.source) for each in doctest.DocTestParser().get_examples(text) if not each.exc_msg]
    for block in re.finditer(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        examples.append((text.count("\n", 0, block.start(1)), block[1]))
    return code_of(examples, text.count("\n"))


def names_used(code):
    """Return the names that code uses and neither imports nor defines as a class."""
    nodes = list(ast.walk(ast.parse(code)))
    imports = [alias for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names]
    made = {alias.asname or alias.name for alias in imports}
    made |= {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    return {node.id for node in nodes if isinstance(node, ast.Name)} - made


def docstring_examples():
    """Yield a name and the code for each public docstring with examples.

    As in doctest, examples can use the names of their module; here, only those that the module exports.
    """
    for name in ["derlib", *(module.name for module in pkgutil.walk_packages(derlib.__path__, "derlib."))]:
        module = importlib.import_module(name)
        names = getattr(module, "__all__", [each for each in vars(module) if not each.startswith("_")])
        for number, test in enumerate(doctest.DocTestFinder().find(module)):
            examples = [(each.lineno, each.source) for each in test.examples if not each.exc_msg]
            top = test.name.removeprefix(name).strip(".").partition(".")[0]
            if not examples or (top and top not in names):
                continue
            needed = ", ".join(sorted(names_used("".join(source for _, source in examples)) & set(names)))
            first = [(0, f"from {name} import {needed}")] if needed else []
            moved = [(line + 1, source) for line, source in examples]
            yield f"{test.name.replace('.', '_')}_{number}", code_of(first + moved, 300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    for page in PAGES:
        (folder / f"page_{page.stem.replace('-', '_')}.py").write_text(page_examples(page), encoding="utf-8")
    for name, code in docstring_examples():
        (folder / f"docstring_{name}.py").write_text(code, encoding="utf-8")
    # mypy reports modules that do not exist, except those of libraries that may not be installed (pyproject.toml).
    settings = {"typeCheckingMode": "standard", "reportMissingImports": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder


def test_no_example_imports_all_names_of_a_module(folder):
    texts = [path.read_text(encoding="utf-8") for path in (*folder.glob("*.py"), *(ROOT / "examples").glob("*.py"))]
    assert not [text for text in texts if re.search(r"^\s*from .+ import \*", text, re.MULTILINE)]


@pytest.mark.parametrize(
    "options",
    [
        # A session can use a name again, and asn1crypto, pyasn1 and pyderasn have no types.
        ["mypy", f"--config-file={PROJECT}", "--strict", "--allow-redefinition", "--allow-subclassing-any", "."],
        ["pyright", "--pythonpath", sys.executable, "--level", "error"],
    ],
    ids=["mypy", "pyright"],
)
def test_the_examples_pass_type_checkers(options, folder):
    done = subprocess.run([sys.executable, "-m", *options], cwd=folder, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr

"""The examples of the pages pass mypy --strict and pyright, as a user's code would."""

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
pytest.importorskip("pyright")

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

if not PAGES:
    pytest.skip("docs/ is not beside the tests", allow_module_level=True)


def code_of(page):
    """Return the Python code of a page. Each line keeps its number, so an error has the line of the page.

    Examples that raise an exception are left out, because many of them are wrong on purpose.
    """
    text = page.read_text(encoding="utf-8")
    lines = [""] * (text.count("\n") + 1)
    pieces = [(each.lineno, each.source) for each in doctest.DocTestParser().get_examples(text) if not each.exc_msg]
    for block in re.finditer(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        pieces.append((text.count("\n", 0, block.start(1)), block[1]))
    for number, source in pieces:
        code = source.splitlines()
        lines[number : number + len(code)] = code
    return "\n".join(lines).rstrip() + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for page in PAGES:
        (folder / f"page_{page.stem.replace('-', '_')}.py").write_text(code_of(page), encoding="utf-8")
    # mypy reports modules that do not exist, except those of libraries that may not be installed (pyproject.toml).
    settings = {"typeCheckingMode": "standard", "reportMissingImports": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder


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

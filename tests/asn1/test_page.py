"""The commands of docs/asn1.md print what it shows, and its first example passes mypy --strict."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from click.testing import CliRunner
from support.pages import console_blocks, page

from derlib.cli.app import derlib as command

TEXT = page("asn1.md")
EXAMPLES = [each.source for each in doctest.DocTestParser().get_examples(TEXT) if not each.exc_msg]
BLOCKS = console_blocks(TEXT)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files of the page, which is the current one."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for source in EXAMPLES:
        if not source.startswith("print"):
            exec(source, names)
    for block in re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL):
        exec(block, names)
    (tmp_path / "fair.asn").write_text(names["FAIR"])
    return tmp_path


@pytest.mark.parametrize(("line", "printed"), BLOCKS, ids=[line for line, _ in BLOCKS])
def test_a_command_prints_what_the_page_shows(line: str, printed: str, folder: Path) -> None:
    done = CliRunner().invoke(command, shlex.split(line))
    assert (done.exit_code, done.output) == (0, printed)


def test_the_examples_pass_mypy_with_the_file(folder: Path) -> None:
    pytest.importorskip("mypy")
    assert CliRunner().invoke(command, ["compile", "shop.asn", "-o", "shop.py"]).exit_code == 0
    end = next(number for number, source in enumerate(EXAMPLES) if "compile_sources" in source)
    uses = [source for source in EXAMPLES[:end] if not source.startswith(("SHOP", "shop = ", "from derlib"))]
    code = "from derlib import ObjectIdentifier\nimport shop\n" + "".join(uses)
    (folder / "use.py").write_text(code)
    options = ["--strict", "use.py"]
    done = subprocess.run([sys.executable, "-m", "mypy", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

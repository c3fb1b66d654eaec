"""The console blocks of docs/cli.md: each command is run and its output compared."""

import shlex
import shutil

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from click import Context
from click.testing import CliRunner
from support.pages import DOCS, console_blocks, page

from derlib.cli.app import derlib as command

SHOWN = console_blocks(page("cli.md"))


def test_the_page_has_examples_of_each_command():
    assert {line.split()[0] for line, _ in SHOWN} == set(command.list_commands(Context(command)))


@pytest.mark.parametrize(("line", "printed"), SHOWN)
def test_a_command_prints_what_the_page_shows(line, printed, monkeypatch, tmp_path):
    shutil.copytree(DOCS / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(command, shlex.split(line)).output == printed

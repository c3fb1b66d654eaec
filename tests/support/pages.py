"""The pages and example files in docs/, and the commands in the pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
_BLOCK = re.compile(r"^```console\n\$ derlib ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def file(name: str) -> Path:
    """Return the path of a file in docs/; skip the test or module that calls this if docs/ is not there (a wheel)."""
    if not (DOCS / name).is_file():
        pytest.skip("docs/ is not beside the tests", allow_module_level=True)
    return DOCS / name


def page(name: str) -> str:
    """Return the text of a page."""
    return file(name).read_text(encoding="utf-8")


def example(name: str) -> bytes:
    """Return the contents of an example file."""
    return file(f"examples/{name}").read_bytes()


def console_blocks(text: str) -> list[tuple[str, str]]:
    """Return the arguments of each derlib command of a page, and what it prints."""
    return _BLOCK.findall(text)

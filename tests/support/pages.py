"""The console blocks of the pages in docs/, for the tests that run their commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
_BLOCK = re.compile(r"^```console\n\$ derlib ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """Return the text of a page; skip the module that calls this if there is none, as in an sdist."""
    if not (DOCS / name).is_file():
        pytest.skip("docs/ is not beside the tests", allow_module_level=True)
    return (DOCS / name).read_text(encoding="utf-8")


def console_blocks(text: str) -> list[tuple[str, str]]:
    """Return the arguments of each derlib command of a page, and what it prints."""
    return _BLOCK.findall(text)

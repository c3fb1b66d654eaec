"""The names in the table of structures in docs/moving.md exist in each library."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest
from corpus.alt_modules import SDIST, opened_sdist

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "moving.md"

if not PAGE.is_file():
    pytest.skip("docs/ is not beside the tests", allow_module_level=True)


def rows() -> list[tuple[str, str, str]]:
    """Return the names in each row; empty if a library does not have the structure."""
    section = PAGE.read_text(encoding="utf-8").partition("## The same structures")[2].partition("\n## ")[0]
    found = []
    for line in section.splitlines():
        if line.startswith("| `") and "`derlib.schemas`" not in line:
            ours, crypto, pyasn1 = (cell.strip(" `") for cell in line.strip("|").split("|"))
            found.append((ours, crypto, pyasn1))
    return found


def exists(package: str, name: str) -> bool:
    module, _, attribute = name.partition(".")
    return hasattr(importlib.import_module(f"{package}.{module}"), attribute)


def test_derlib_has_the_names() -> None:
    assert len(rows()) > 70
    assert [ours for ours, _, _ in rows() if not exists("derlib.schemas", ours)] == []


def test_asn1crypto_has_the_names() -> None:
    pytest.importorskip("asn1crypto", reason="asn1crypto, a test dependency, is not installed")
    assert [name for _, name, _ in rows() if name and not exists("asn1crypto", name)] == []


def test_pyasn1_alt_modules_has_the_names() -> None:
    missing = []
    with opened_sdist() as archive:
        folder = SDIST.name.removesuffix(".tar.gz")
        for name in filter(None, (pyasn1 for _, _, pyasn1 in rows())):
            module, _, attribute = name.partition(".")
            source = archive.extractfile(f"{folder}/pyasn1_alt_modules/{module}.py")
            assert source is not None
            if attribute not in defined(source.read()):
                missing.append(name)
    assert missing == []


def defined(source: bytes) -> set[str]:
    """Return the names that a module assigns, and its classes."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return found


def test_each_module_that_applications_import_is_in_the_table() -> None:
    introduction = (ROOT / "docs" / "reference" / "schemas.md").read_text(encoding="utf-8")
    modules = re.findall(r"`(\w+)`", introduction.partition("So import from")[2].partition(" first.")[0])
    assert len(modules) > 20
    assert set(modules) - {ours.partition(".")[0] for ours, _, _ in rows()} == set()


def test_each_module_of_asn1crypto_is_in_the_table() -> None:
    modules = {name.partition(".")[0] for _, name, _ in rows() if name}
    # `pdf` has the revocation information of Adobe.
    assert modules >= {"algos", "cms", "crl", "csr", "keys", "ocsp", "pkcs12", "tsp", "x509"}


def test_the_calls_with_times_run() -> None:
    for library in ("asn1crypto", "cryptography", "pyasn1"):
        pytest.importorskip(library, reason=f"{library}, a test dependency, is not installed")
    moving = pytest.importorskip("bench.moving", reason="bench/ is not beside the tests")
    key, count = moving.private_key(), 0
    for _, library, table, _ in moving.BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for line in table.splitlines()[2:]:
            cells = moving.cells_of(line)
            assert len(cells) == len(moving.cells_of(table.splitlines()[0]))
            if cells[-1]:
                for name, call in zip((library, "derlib"), moving.calls_of(cells), strict=True):
                    assert moving.prepared(name, call, key), call
                count += 1
    assert count > 20

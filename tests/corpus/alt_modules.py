"""The base64 values in the tests of pyasn1-alt-modules, which implements the ASN.1 of some 200 RFCs (BSD-2).

Called by `test_alt_modules.py`; `test_moving.py` opens the sdist, too. The wheel of that project does not contain its
tests, so `make test` downloads the sdist to `build/`. Its files are parsed here, not executed.
"""

from __future__ import annotations

import ast
import base64
import binascii
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

SDIST = Path(__file__).resolve().parents[2] / "build" / "pyasn1_alt_modules-0.4.10.tar.gz"


class Value(NamedTuple):
    """One value: its test file and class, the name of the variable, and its bytes.

    `spec` is the type that the class decodes it as, such as "rfc5280.Certificate", or "" if the class has several.
    """

    file: str
    test: str
    name: str
    spec: str
    octets: bytes


@contextmanager
def opened_sdist() -> Iterator[tarfile.TarFile]:
    """Open the sdist. Where it is absent, skip the test."""
    if not SDIST.exists():
        pytest.skip(f"build/{SDIST.name} is absent; make test downloads it")
    with tarfile.open(SDIST) as archive:
        yield archive


@lru_cache(maxsize=1)
def values() -> tuple[Value, ...]:
    """Return every value, in the order of the files."""
    found: list[Value] = []
    with opened_sdist() as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            path = Path(member.name)
            source = archive.extractfile(member) if path.name.startswith("test_") else None
            if source is not None:
                found.extend(_values_of(path.stem.removeprefix("test_"), source.read()))
    return tuple(found)


def _values_of(file: str, source: bytes) -> Iterator[Value]:
    """Yield the values that the classes of a test file have as constants, alone or in a tuple."""
    for test in ast.parse(source).body:
        if not isinstance(test, ast.ClassDef):
            continue
        spec = _spec(test)
        for statement in test.body:
            if not isinstance(statement, ast.Assign):
                continue
            name = ast.unparse(statement.targets[0])
            for constant in ast.walk(statement.value):
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                    octets = _from_base64(constant.value)
                    if octets is not None:
                        yield Value(file, test.name, name, spec, octets)


def _spec(test: ast.ClassDef) -> str:
    """Return the type that a class assigns to `self.asn1Spec`, without the parentheses of its call."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "self.asn1Spec":
            return ast.unparse(node.value).removesuffix("()")
    return ""


def _from_base64(text: str) -> bytes | None:
    """Return the contents of a text that is base64 in lines, with PEM boundaries or without; None for other texts."""
    lines = [line for line in text.split("\n") if not line.startswith("-----")]
    try:
        octets = base64.b64decode("".join(lines), validate=True)
    except binascii.Error:
        return None
    # The shortest value has 10 bytes; shorter texts are dotted numbers or names.
    return octets if (len(octets) > 2 and octets[1] >= 0x80) or len(octets) == 2 + octets[1] else None

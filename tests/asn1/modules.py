"""Helpers of the tests of the ASN.1 compiler."""

import textwrap
from pathlib import Path
from types import ModuleType

import pytest
from corpus.files import SHARED

from derlib import asn1
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax.modules import parse_modules
from derlib.asn1.syntax.tree import Assignment

# Modules of RFCs, which are not part of this repository.
RFC_MODULES = SHARED / "asn1"
needs_rfc_modules = pytest.mark.skipif(not RFC_MODULES.is_dir(), reason=f"{RFC_MODULES} is not here")


def module(body: str, *, tags: str = "", name: str = "Test") -> str:
    """Return a module with these assignments."""
    return f"{name} DEFINITIONS {tags} ::= BEGIN\n{textwrap.dedent(body).strip()}\nEND\n"


def load(body: str, *, tags: str = "") -> ModuleType:
    """Compile assignments, and return the Python module."""
    return asn1.load(module(body, tags=tags))


def assignments(body: str) -> dict[str, Assignment]:
    """Parse assignments, which must be valid, and return them by name."""
    diagnostics = Diagnostics()
    [parsed] = parse_modules(Source("test", module(body)), diagnostics)
    diagnostics.raise_errors()
    return {assignment.name: assignment for assignment in parsed.assignments}


def errors(text: str) -> list[str]:
    """Return the errors of a text, each as "line:column: message"."""
    try:
        asn1.compile_sources([Source("test", text)])
    except asn1.CompileError as error:
        return [f"{entry.place.line}:{entry.place.column}: {entry.message}" for entry in error.diagnostics]
    return []


def rfc_groups() -> dict[str, list[Source]]:
    """Return the modules that belong together, by RFC; empty if they are not here."""
    index = RFC_MODULES / "INDEX.tsv"
    lines = index.read_text().splitlines() if index.exists() else []
    groups = {
        name: [Source(file, (RFC_MODULES / file).read_text()) for file in files.split()]
        for name, files in (line.split("\t") for line in lines)
    }
    return _completed(groups) if groups else {}


def _completed(groups: dict[str, list[Source]]) -> dict[str, list[Source]]:
    """Return the groups with what the index lacks.

    RFC 4998 has two editions of one module, which are two groups. RFC 7292 imports from modules that no RFC since 2008
    has; so does the later edition of RFC 4998.
    """
    editions = groups.pop("PKI_RFC4998")
    groups["PKI_RFC4998_88"] = [source for source in editions if source.name != "ERS-97.asn"]
    groups["PKI_RFC4998_97"] = [source for source in editions if source.name != "ERS-88.asn"] + [_own("stand_ins_ers")]
    groups["PKI_RFC7292"] = [*groups["PKI_RFC5958"], _own("stand_ins"), *groups["PKI_RFC7292"]]
    return groups


def _own(name: str) -> Source:
    path = Path(__file__).with_name(f"{name}.asn")
    return Source(path.name, path.read_text())

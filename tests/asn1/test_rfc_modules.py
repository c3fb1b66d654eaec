"""The modules of RFCs parse, compile, and read the same certificates as the hand-written schemas."""

import base64
import re
import sys
from pathlib import Path
from types import ModuleType

import certifi
import pytest
from asn1.modules import RFC_MODULES, needs_rfc_modules, rfc_groups

import derlib
from derlib import asn1
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax.modules import parse_modules
from derlib.schemas.x509 import Certificate

GROUPS = rfc_groups()


@pytest.mark.parametrize("path", sorted(RFC_MODULES.glob("*.asn")), ids=lambda path: path.stem)
def test_parses(path: Path) -> None:
    diagnostics = Diagnostics()
    modules = parse_modules(Source(path.name, path.read_text()), diagnostics)
    assert not diagnostics.errors
    assert modules
    assert all(found.assignments for found in modules)


def compiled(group: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Compile a group, and return the Python module."""
    code, _ = asn1.compile_sources(GROUPS[group])
    made = ModuleType(f"compiled_{group}")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    exec(code, vars(made))
    return made


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_every_class_compiles(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = compiled(group, monkeypatch)
    for name in made.__all__:
        value = getattr(made, name)
        if isinstance(value, type) and hasattr(value, "decode"):
            with pytest.raises(derlib.DecodeError):
                value.decode(b"")


@needs_rfc_modules
def test_output_is_stable() -> None:
    first, _ = asn1.compile_sources(GROUPS["PKI_RFC5912"])
    again, _ = asn1.compile_sources(rfc_groups()["PKI_RFC5912"])
    assert first == again


@needs_rfc_modules
@pytest.mark.parametrize("group", ["PKI_RFC5280", "PKI_RFC5912"])
def test_reads_certificates_as_the_schemas_do(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = compiled(group, monkeypatch)
    text = Path(certifi.where()).read_text()
    blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END", text, re.DOTALL)
    assert len(blocks) > 100
    for data in map(base64.b64decode, blocks):
        assert verdict(made.Certificate, data) == verdict(Certificate, data)


def verdict(schema: type[derlib.Sequence], data: bytes) -> object:
    """Return the clause and the offset of the fault, or the serial number."""
    try:
        value = schema.decode(data)
    except derlib.DecodeError as error:
        return error.rule, error.offset
    content = getattr(value, "to_be_signed", None) or value.tbs_certificate
    assert value.encode() == data
    return content.serial_number

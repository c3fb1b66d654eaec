"""Random values of the types in RFC modules: derlib and asn1tools write the same DER, or a clause says why not."""

import re
import sys
from collections import Counter
from random import Random
from types import ModuleType

import pytest
from asn1.modules import needs_rfc_modules, rfc_groups
from asn1.neutral import Values

import derlib
from derlib import asn1
from derlib.asn1.compiler import resolve_sources
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source

asn1tools = pytest.importorskip("asn1tools", reason="asn1tools is not installed")

VALUES_OF_A_TYPE = 6
# Groups that asn1tools reads: it has no object sets, and no macros. PKI_RFC5652 has the modules of other groups.
NAMES = ["Kerberos_RFC4120", "LDAP_RFC4511", "PKI_RFC4108", "PKI_RFC5084", "PKI_RFC5480", "PKI_RFC5755", "PKI_RFC4055"]
# The clauses that the bytes of asn1tools do not fulfil; everything else is equal.
REASONS = {
    "X.690 11.6": "it leaves the elements of a SET OF in the order of the program",
    "X.690 11.5": "it encodes a default that is a named number, such as v1",
    "X.690 8.1.2": "it leaves out the tag of [1] ANY, which is EXPLICIT as for a CHOICE (X.680 31.2.7)",
}


def sources_of(group: str) -> list[Source]:
    """Return the modules of a group; both compilers get ANY for ANY DEFINED BY, of which asn1tools knows no types."""
    return [
        Source(source.name, re.sub(r"ANY\s+DEFINED\s+BY\s+[\w-]+", "ANY", source.text))
        for source in rfc_groups()[group]
    ]


def clause_of_fault(schema: type, data: bytes) -> str:
    """Return the clause that bytes do not fulfil; empty if they are valid."""
    try:
        derlib.decode(schema, data)
    except derlib.DecodeError as error:
        return str(error.rule)
    return ""


def compiled(group: str, sources: list[Source], monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the Python module of a group."""
    code, _ = asn1.compile_sources(sources)
    made = ModuleType(f"against_{group}")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    exec(code, vars(made))
    return made


@needs_rfc_modules
def test_same_bytes_or_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: set[tuple[str, str]] = set()
    clauses: Counter[str] = Counter()
    for group in NAMES:
        sources = sources_of(group)
        peer = asn1tools.compile_string("\n".join(source.text for source in sources), "der")
        made = compiled(group, sources, monkeypatch)
        values = Values(Random(group))
        for module in resolve_sources(sources, Diagnostics()):
            for definition in module.definitions:
                key = module.module.name, definition.name
                if definition.remark or key in compared:
                    continue
                schema = getattr(made, definition.name.replace("-", "_"))
                codec = peer.modules[key[0]][key[1]]
                for pair in values.some(definition.type, VALUES_OF_A_TYPE):
                    try:
                        ours = derlib.encode(pair.ours, schema)
                    except derlib.ConstraintError:
                        continue
                    theirs = bytes(codec.encode(pair.peer))
                    compared.add(key)
                    if ours != theirs:
                        clauses[clause_of_fault(schema, theirs)] += 1
    assert clauses.keys() == REASONS.keys()
    assert len(compared) >= 300

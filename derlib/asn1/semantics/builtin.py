"""The classes TYPE-IDENTIFIER and ABSTRACT-SYNTAX, which every module can use (X.681 A, B)."""

from __future__ import annotations

from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax.modules import parse_modules
from derlib.asn1.syntax.tree import Module

_TEXT = """
Useful DEFINITIONS ::= BEGIN
TYPE-IDENTIFIER ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
ABSTRACT-SYNTAX ::= CLASS {
    &id         OBJECT IDENTIFIER UNIQUE,
    &Type,
    &property   BIT STRING { handles-invalid-encodings(0) } DEFAULT {}
} WITH SYNTAX { &Type IDENTIFIED BY &id [HAS PROPERTY &property] }
END
"""


def useful_definitions() -> Module:
    """Return a module with the definitions."""
    diagnostics = Diagnostics()
    modules = parse_modules(Source("<X.681>", _TEXT), diagnostics)
    diagnostics.raise_errors()
    [module] = modules
    # No module can have this name: X.501 has a module UsefulDefinitions.
    module.name = "X.681"
    return module

"""Registration of the identifiers in the schema modules: their names, and the types that they select."""

from __future__ import annotations

from typing import Any

from derlib import ObjectIdentifier, OpenTypes
from derlib._schema.open_types import OnMismatch
from derlib.oids import register_known

__all__ = ["named_oid", "register_type"]


def named_oid(dotted: str, name: str) -> ObjectIdentifier:
    """Register the name of an OBJECT IDENTIFIER, and return the identifier.

    The arguments are valid: tests check those of the schema modules.
    """
    register_known({dotted: name})
    return ObjectIdentifier(dotted)


def register_type(
    table: OpenTypes, dotted: str, name: str, syntax: Any, on_mismatch: OnMismatch | None = None
) -> ObjectIdentifier:
    """Register the type that an OBJECT IDENTIFIER selects in a table, and its name; return the identifier.

    The arguments are valid: tests check those of the schema modules. `on_mismatch` is that of `OpenTypes.register`.
    """
    oid = named_oid(dotted, name)
    table.register(oid, syntax, on_mismatch=on_mismatch)
    return oid

"""Registration of the types in the schema modules: the type that an OBJECT IDENTIFIER selects, and its name."""

from __future__ import annotations

from typing import Any

from derlib import ObjectIdentifier, OpenTypes
from derlib._schema.open_types import OnMismatch
from derlib.oids import register_known

__all__ = ["register_type"]


def register_type(
    table: OpenTypes, dotted: str, name: str, syntax: Any, on_mismatch: OnMismatch | None = None
) -> ObjectIdentifier:
    """Register the type that an OBJECT IDENTIFIER selects in a table, and its name; return the identifier.

    The arguments are valid: tests check those of the schema modules. `on_mismatch` is that of `OpenTypes.register`.
    """
    register_known({dotted: name})
    oid = ObjectIdentifier(dotted)
    table.register(oid, syntax, on_mismatch=on_mismatch)
    return oid

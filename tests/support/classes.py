"""Make schema classes with a call instead of a statement."""

from __future__ import annotations

import sys
import types
from typing import Annotated, Any

from derlib import DefinedBy, Field, ObjectIdentifier, OpenTypes, Sequence


def annotated_class(base: Any, name: str, hints: dict[str, Any], **keywords: Any) -> Any:
    """Return the class of a class statement in the caller's module; a hint may be a pair of hint and default."""
    namespace: dict[str, Any] = {"__annotations__": {}, "__module__": sys._getframe(1).f_globals["__name__"]}
    for field, hint in hints.items():
        if isinstance(hint, tuple):
            hint, namespace[field] = hint
        namespace["__annotations__"][field] = hint
    return types.new_class(name, (base,), keywords, lambda body: body.update(namespace))


def dynamic_class(base: Any, name: str, *fields: Field, **keywords: Any) -> Any:
    """Return the class that the dynamic form makes of fields."""
    return types.new_class(name, (base,), {"fields": list(fields), **keywords})


def open_sequence(name: str, table: OpenTypes, *string: Any) -> Any:
    """Return a SEQUENCE whose `kind` selects the type of its `body`, or of what the string `body` contains."""
    body = Annotated[(Any, *string, DefinedBy("kind", table))]
    return dynamic_class(Sequence, name, Field("kind", ObjectIdentifier), Field("body", body))

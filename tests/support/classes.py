"""Schema classes made by a call rather than a statement."""

from __future__ import annotations

import sys
import types
from typing import Any

from derlib import Field


def annotated_class(base: Any, name: str, hints: dict[str, Any], **keywords: Any) -> Any:
    """A class as a class statement of the caller's module makes it; a hint may be a pair of hint and default."""
    namespace: dict[str, Any] = {"__annotations__": {}, "__module__": sys._getframe(1).f_globals["__name__"]}
    for field, hint in hints.items():
        if isinstance(hint, tuple):
            hint, namespace[field] = hint
        namespace["__annotations__"][field] = hint
    return types.new_class(name, (base,), keywords, lambda body: body.update(namespace))


def dynamic_class(base: Any, name: str, *fields: Field, **keywords: Any) -> Any:
    """The equal dynamic form."""
    return types.new_class(name, (base,), {"fields": list(fields), **keywords})

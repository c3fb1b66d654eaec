"""The traceback of a `SchemaError` at first use: it ends in the line of the program, not in the compiler of schemas."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derlib.errors import SchemaError

__all__ = ["at_program"]

_PACKAGE = __name__.partition(".")[0]


def at_program(error: SchemaError) -> SchemaError:
    """Return the error with a traceback that has only the line of the program that called derlib."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
    if frame is None:
        return error
    return error.with_traceback(types.TracebackType(None, frame, frame.f_lasti, frame.f_lineno))

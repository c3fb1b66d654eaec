"""The traceback of a `SchemaError`: it ends in the line of the program, not in the schema language or its compiler."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from derlib.errors import SchemaError

__all__ = ["at_program", "ends_at_program"]

P = ParamSpec("P")
T = TypeVar("T")

# Classes of enumerations are made by `enum`, which calls derlib.
_INNER = (__name__.partition(".")[0], "enum")


def at_program(error: SchemaError) -> SchemaError:
    """Return the error with a traceback that has only the line of the program that called derlib."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _INNER:
        frame = frame.f_back
    if frame is None:
        return error
    return error.with_traceback(types.TracebackType(None, frame, frame.f_lasti, frame.f_lineno))


def ends_at_program(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with the traceback of each SchemaError ending in the line of the program."""

    @functools.wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        try:
            return function(*args, **keywords)
        except SchemaError as error:
            raise at_program(error) from error.__cause__

    return called

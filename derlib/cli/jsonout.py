"""JSON, written while it is being made: a list may be a generator, and is never held as a whole.

The text is ASCII, so that neither an encoding nor a terminal can be troubled by it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Protocol

from derlib import TLV
from derlib.cli.values import json_leaf, shape

__all__ = ["Fragment", "flat", "one_line", "write"]

_ENCODER = json.JSONEncoder(ensure_ascii=True, check_circular=False)


class Fragment(str):
    """Text that is JSON already."""

    __slots__ = ()


def flat(value: object) -> str:
    """A small value of JSON's own types, on one line."""
    # RFC 8259 lets DEL stand as it is; a terminal does not.
    return _ENCODER.encode(value).replace("\x7f", "\\u007f")


class _Sink(Protocol):
    def write(self, text: str) -> object: ...


def one_line(value: object) -> str:
    """`value` with everything in it, without a line break."""
    sink = io.StringIO()
    write(sink, value, indent="")
    return sink.getvalue()


def write(out: _Sink, value: object, indent: str = "  ") -> None:
    """Write `value` with everything in it: what `values.shape` takes apart, to any depth.

    Each member stands on a line of its own, under `indent` for each level; all on one line if that is empty.
    """
    # Each open object or array: what is left of it, and the bracket that closes it.
    open_: list[tuple[Iterator[object], str]] = []

    def begin(value: object) -> str:
        """The text of a leaf, or the bracket that opens what has been put on the stack."""
        if isinstance(value, Fragment):
            return value
        value = shape(value)
        # The leaves that there are many of come first: whether a value is an Iterator takes long to find out.
        if isinstance(value, (str, int, bytes, TLV)) or not isinstance(value, (dict, list, tuple, Iterator)):
            value = json_leaf(value)
        if isinstance(value, dict):
            open_.append((iter(value.items()), "}"))
            return "{"
        if not isinstance(value, str) and isinstance(value, (list, tuple, Iterator)):
            open_.append((iter(value), "]"))
            return "["
        return flat(value)

    out.write(begin(value))
    empty = True
    while open_:
        items, bracket = open_[-1]
        depth = len(open_)
        line = "\n" + indent * depth if indent else ""
        between = f",{line}" if indent else ", "
        for item in items:
            key = ""
            if bracket == "}":
                assert isinstance(item, tuple)
                key, item = f"{flat(item[0])}: ", item[1]
            text = begin(item)
            out.write(f"{line if empty else between}{key}{text}")
            empty = len(open_) > depth
            if empty:
                break
        else:
            open_.pop()
            out.write(bracket if empty else f"{line[: -len(indent)] if indent else ''}{bracket}")
            empty = False

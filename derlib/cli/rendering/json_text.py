"""JSON text, written as it is produced: a list can be a generator and is never in memory as a whole.

The text is ASCII, so it can be written in any encoding and has no control characters for a terminal.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeAlias

from derlib import TLV
from derlib.cli.rendering.values import is_name, json_leaf, one_level

if TYPE_CHECKING:
    from derlib.cli.documents.files import Document
    from derlib.cli.output.standard_output import Output

__all__ = ["DocumentArray", "Fragment", "flat", "one_line", "write"]

#: An object or array that is being written: its remaining members, and the bracket that closes it.
_Container: TypeAlias = tuple[Iterator[object], str]

_ENCODER = json.JSONEncoder(ensure_ascii=True, check_circular=False)


class Fragment(str):
    """Text that is already JSON."""

    __slots__ = ()


def flat(value: object) -> str:
    """Return a small value of JSON's own types on one line."""
    # RFC 8259 does not require an escape for DEL, which is a control character.
    return _ENCODER.encode(value).replace("\x7f", "\\u007f")


class _Writable(Protocol):
    def write(self, text: str) -> object: ...


def one_line(value: object) -> str:
    """Return a value of any depth as JSON without a line break."""
    text = io.StringIO()
    write(text, value, indent="")
    return text.getvalue()


def write(out: _Writable, value: object, indent: str = "  ", level: Callable[[object], object] = one_level) -> None:
    """Write a value of any depth. `level` takes one level of a value apart.

    Each member is on its own line, with one `indent` for each level; if `indent` is empty, all are on one line.
    """
    containers: list[_Container] = []
    out.write(_begin(value, containers, level))
    empty = True
    while containers:
        items, bracket = containers[-1]
        depth = len(containers)
        line = "\n" + indent * depth if indent else ""
        between = f",{line}" if indent else ", "
        for item in items:
            key = ""
            if bracket == "}":
                assert isinstance(item, tuple)
                key, item = f"{flat(item[0])}: ", item[1]
            text = _begin(item, containers, level)
            out.write(f"{line if empty else between}{key}{text}")
            # An object or array that the item opened has no members yet, and is continued first.
            empty = len(containers) > depth
            if empty:
                break
        else:
            containers.pop()
            out.write(bracket if empty else f"{line[: -len(indent)] if indent else ''}{bracket}")
            empty = False


def _begin(value: object, containers: list[_Container], level: Callable[[object], object]) -> str:
    """Return the text of a leaf; or push an object or array to `containers`, and return its opening bracket."""
    if isinstance(value, Fragment):
        return value
    value = level(value)
    # The frequent leaves come first, because isinstance with Iterator is slow.
    if isinstance(value, (str, int, bytes, TLV)) or not isinstance(value, (dict, list, tuple, Iterator)):
        value = json_leaf(value)
    if isinstance(value, dict):
        containers.append((_members(value), "}"))
        return "{"
    if not isinstance(value, str) and isinstance(value, (list, tuple, Iterator)):
        containers.append((iter(value), "]"))
        return "["
    return flat(value)


def _members(value: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the members of an object. After a Name, which is in the form of RFC 4514, is the form for people."""
    for name, part in value.items():
        yield name, part
        if is_name(part):
            yield f"{name}_display", part.display()


class DocumentArray:
    """The array that `--json` writes, with an object for each document: where it is from, and its result or error.

    With `as_lines`, it writes the objects that `--jsonl` writes, without an array around them.
    """

    def __init__(self, as_lines: bool = False) -> None:
        self._as_lines = as_lines
        self._next = "" if as_lines else "["

    def begin(self, document: Document, member: str, out: _Writable) -> None:
        """Begin the object of `document` up to the value of `member`, which the caller writes next."""
        head: dict[str, object] = {"file": document.file}
        if document.label is not None:
            head |= {"block": document.block, "label": document.label, "line": document.line}
        elif document.block:
            # A block that is damaged: the error has its line.
            head["block"] = document.block
        if document.value:
            head["value"] = document.value
            if document.attachment:
                head["subtype"] = document.attachment
                if document.name:
                    head["name"] = document.name
            if document.offset or not document.attachment:
                head["offset"] = document.offset
        out.write(f"{self._next}\n{flat(head)[:-1]}, {flat(member)}: ")
        self._next = "" if self._as_lines else ","

    def end(self, out: Output) -> None:
        """End the object."""
        out.write("}")
        out.end_document()

    def close(self, out: _Writable) -> None:
        """End the array."""
        if self._as_lines:
            return
        out.write(("[" if self._next == "[" else "") + "\n]\n")

"""`derlib.pretty`: values as indented text, one line for each field, with positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from derlib import _core
from derlib._brief import brief, cut
from derlib._core import TLV, ObjectIdentifier
from derlib._schema.classes import fields
from derlib.errors import UnrepresentableError

__all__ = ["pretty"]

INDENT = "  "
TEXT_LIMIT = 96
# Deeper levels are not indented further, so that the output stays linear in the size of the value.
MOST_INDENTED = 20


def pretty(value: Any, *, positions: bool = True, elements: int = 10) -> str:
    """Return a value as text: a line for each field and element, indented by nesting.

    Args:
        value: a value of a schema class, or a `TLV`.
        positions: whether each line begins with the offset of its element in the decoded buffer, and the lengths of its
            header and contents, in bytes.
        elements: the largest number of elements that are shown of a list, of a `TLV`, or of unknown additions. If there
            are more, a line has their number.

    >>> import derlib
    >>> class Point(derlib.Sequence):
    ...     x: int
    ...     names: derlib.SequenceOf[str]
    >>> print(derlib.pretty(Point(x=7, names=["a", "b"])))
    0+2+11      Point
    2+2+1         x: 7
    5+2+6         names: 2 elements
    7+2+1           [0]: 'a'
    10+2+1          [1]: 'b'
    """
    lines = []
    for span, depth, text in _lines(value, "", 0, _span_of(value), elements):
        position = f"{span.offset}+{span.header_length}+{span.content_length}" if span is not None else ""
        lines.append((f"{position:<12}" if positions else "") + INDENT * min(depth, MOST_INDENTED) + text)
    return "\n".join(lines)


def _span_of(value: Any) -> Any:
    if isinstance(value, TLV):
        return value.span
    return value.span() if isinstance(value, _core.View) else None


def _lines(value: Any, label: str, depth: int, span: Any, elements: int) -> Iterator[tuple[Any, int, str]]:
    """Yield (span, depth, text) of a value and everything inside it."""
    _core.refuse_full_stack()
    if isinstance(value, _core.SequenceView):
        yield span, depth, f"{label}{'' if label else type(value).__name__}".removesuffix(": ")
        for field in fields(type(value)):
            inner = value.span(field.name)
            if inner is not None:
                yield from _child(value, field.name, f"{field.name}: ", depth + 1, inner, elements)
        yield from _elements(value.unknown_additions, "unknown addition: ", depth + 1, elements)
    elif isinstance(value, _core.ChoiceView):
        if value.alternative is None:
            yield from _lines(value.value, f"{label}unknown alternative: ", depth, span, elements)
            return
        inner = value.span(value.alternative)
        yield from _child(value, value.alternative, f"{label}{value.alternative}: ", depth, inner, elements)
    elif isinstance(value, _core.ListView):
        count = len(value)
        name = label or f"{type(value).__name__}: "
        yield span, depth, f"{name}{count} element{'' if count == 1 else 's'}"
        for index in range(min(count, elements)):
            yield from _child(value, index, f"[{index}]: ", depth + 1, value.span(index), elements)
        if count > elements:
            yield None, depth + 1, f"... {count - elements} more"
    elif isinstance(value, TLV) and value.tag.constructed:
        yield span, depth, f"{label}{value.tag}"
        yield from _elements(value, "", depth + 1, elements)
    else:
        yield span, depth, label + _leaf(value)


def _elements(
    values: Iterable[TLV], label: str, depth: int, elements: int
) -> Iterator[tuple[Any, int, str]]:
    """Yield the lines of the first elements without a schema, and of the number of the others."""
    rest = iter(values)
    for element in islice(rest, elements):
        yield from _lines(element, label, depth, element.span, elements)
    more = sum(1 for _ in rest)
    if more:
        yield None, depth, f"... {more} more"


def _child(
    value: Any, step: str | int, label: str, depth: int, span: Any, elements: int
) -> Iterator[tuple[Any, int, str]]:
    """Yield the lines of a field, alternative or element; for a time that `datetime` cannot represent, its text."""
    try:
        if isinstance(step, int):
            child = value[step]
        elif isinstance(value, _core.ChoiceView):
            child = value.value
        else:
            child = getattr(value, step)
    except UnrepresentableError:
        child = bytes(value.raw(step)).decode("latin-1")
    yield from _lines(child, label, depth, span, elements)


def _leaf(value: Any) -> str:
    """Return a value without parts as text of bounded length."""
    if isinstance(value, TLV):
        try:
            inner = value.value
        except UnrepresentableError:
            inner = bytes(value.content).decode("latin-1")
        return f"{value.tag}: {_leaf(inner)}"
    if isinstance(value, ObjectIdentifier):
        name, dotted = value.name, value.dotted
        shown = cut(dotted, TEXT_LIMIT)
        return shown if name == dotted else f"{name} ({shown})"
    if isinstance(value, bytes):
        shown = value[: TEXT_LIMIT // 3].hex(" ")
        more = " ..." if len(value) > TEXT_LIMIT // 3 else ""
        return f"{len(value)} byte{'' if len(value) == 1 else 's'} {shown}{more}".rstrip()
    return brief(value, TEXT_LIMIT)

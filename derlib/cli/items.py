"""A decoded document as items, each with its path and place: what grep, extract and diff walk over.

The paths are those of errors: names of fields and alternatives, indexes of elements. In DER of no known type there
are indexes alone; there, what a string contains is its element 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import derlib
from derlib import TLV
from derlib.cli.output import visible
from derlib.cli.tree import NESTING_LIMIT, Element, inside, tag_name
from derlib.cli.values import Unread, member
from derlib.errors import format_path

__all__ = ["Finder", "Item", "Path", "at_path", "below", "path_text", "plain", "top"]

#: So many steps at either end of a path are shown: a file can nest more elements than a line has room for.
_MOST_STEPS = 24

#: Strings are opened in elements up to so many levels deep. A path costs each element below it as many steps.
_MOST_LEVELS = 100

Path = tuple[str | int, ...]


class Item(NamedTuple):
    """One value: how it is reached, what it is, where it stands in the document, and how many strings it is in."""

    path: Path
    value: Any
    span: derlib.Span
    nested: int = 0


def top(value: Any) -> Item:
    """The item of a whole document: a view, or the TLV of `derlib.parse`."""
    return Item((), value, value.span if isinstance(value, TLV) else value.span())


def below(item: Item) -> Iterator[Item]:
    """The items one level below: encoded fields, the alternative, the elements; none for a leaf."""
    value = item.value
    if isinstance(value, (derlib.Sequence, derlib.Set)):
        for field in derlib.fields(type(value)):
            yield from _step(item, field.name)
        yield from (
            Item((*item.path, index), element, element.span) for index, element in enumerate(value.unknown_additions)
        )
    elif isinstance(value, derlib.Choice):
        if value.alternative is not None:
            yield from _step(item, value.alternative)
    elif isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        for index in range(len(value)):
            yield from _step(item, index)
    elif isinstance(value, TLV):
        yield from _elements(item, value)


def at_path(item: Item, path: Path) -> Item | None:
    """The item that `path` leads to from `item`; None where it leads nowhere."""
    for step in path:
        value = item.value
        if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
            found = next(_step(item, step), None) if isinstance(step, int) and step < len(value) else None
        else:
            found = next((child for child in below(item) if child.path[-1] == step), None)
        if found is None:
            return None
        item = found
    return item


class Finder:
    """Finds items by their paths. What a path shares with the one before is not walked again."""

    def __init__(self, root: Item) -> None:
        self._way = [root]

    def find(self, path: Path) -> Item | None:
        """The item that `path` leads to from the root; None where it leads nowhere."""
        way = self._way
        shared = 0
        while shared < min(len(way) - 1, len(path)) and way[shared + 1].path[-1] == path[shared]:
            shared += 1
        del way[shared + 1 :]
        for step in path[shared:]:
            found = at_path(way[-1], (step,))
            if found is None:
                return None
            way.append(found)
        return way[-1]


def path_text(path: Path) -> str:
    """`path` for people; of a long one, its beginning and its end."""
    if len(path) > 2 * _MOST_STEPS:
        path = (*path[:_MOST_STEPS], "...", *path[-_MOST_STEPS:])
    return visible(format_path(path))


def _step(item: Item, step: str | int) -> Iterator[Item]:
    """The item at `step`, if there is something encoded."""
    holder = item.value
    span = holder.span(step)
    if span is not None:
        yield Item((*item.path, step), member(holder, step), span)


def _elements(item: Item, tlv: TLV) -> Iterator[Item]:
    """The elements in `tlv`; the spans of those inside a string count from its contents."""
    base = item.span.offset - tlv.span.offset
    nested = item.nested
    children: Iterator[TLV] = iter(tlv)
    if not tlv.tag.constructed:
        name = tag_name(tlv.tag)
        contained = None
        if name in ("OCTET STRING", "BIT STRING") and nested < NESTING_LIMIT and len(item.path) < _MOST_LEVELS:
            contained = inside(Element(tlv, base), name)
        if contained is None:
            return
        children, base, nested = iter((contained.tlv,)), contained.base, nested + 1
    for index, child in enumerate(children):
        span = child.span
        place = derlib.Span(base + span.offset, span.header_length, span.content_length)
        yield Item((*item.path, index), child, place, nested)


def plain(item: Item) -> Any:
    """The value to be shown: of a primitive element of no known type, what its tag says that it is."""
    value = item.value
    if isinstance(value, TLV) and value.tag.tag_class == "universal" and not value.tag.constructed:
        try:
            return value.value
        except ValueError:  # ASN1Error is one; the limits of datetime are another.
            return Unread(bytes(value.content).decode("latin-1"))
    return value

"""A decoded document as a tree of items, each with its path, value and span. grep, extract, diff and lint use it.

The paths are those of errors: names of fields and alternatives, indexes of elements. DER of no known type has only
indexes; there, the element inside a string is its element 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import derlib
from derlib import TLV, Choice, UnrepresentableError
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.elements import NESTING_LIMIT, Element, contained_element

__all__ = ["Item", "Path", "PathFinder", "child_items", "item_at", "plain_value", "read_field", "root_item"]

#: Strings are not opened below this depth, because each level makes the paths of all elements inside it longer.
_MAX_DEPTH = 100

Path = tuple[str | int, ...]


class RawText(str):
    """The text of a value that its Python type cannot represent, such as a time in the year 0000."""


class Item(NamedTuple):
    """A value in a document.

    Attributes:
        path: the steps from the document to the value.
        value: a value of the schema layer, or a TLV.
        span: the position in the document.
        strings: the number of strings around it that were opened.
    """

    path: Path
    value: Any
    span: derlib.Span
    strings: int = 0


def root_item(value: Any) -> Item:
    """Return the item of a whole document: of a view, or of the TLV that `derlib.parse` returns."""
    return Item((), value, value.span if isinstance(value, TLV) else value.span())


def child_items(item: Item) -> Iterator[Item]:
    """Yield the items one level below: encoded fields, the alternative, or elements."""
    value = item.value
    if isinstance(value, (derlib.Sequence, derlib.Set)):
        for field in derlib.fields(type(value)):
            yield from _encoded(item, field.name)
        yield from (
            Item((*item.path, index), element, element.span) for index, element in enumerate(value.unknown_additions)
        )
    elif isinstance(value, Choice):
        if value.alternative is not None:
            yield from _encoded(item, value.alternative)
    elif isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        for index in range(len(value)):
            yield from _encoded(item, index)
    elif isinstance(value, TLV):
        yield from _elements(item, value)


def item_at(item: Item, path: Path) -> Item | None:
    """Return the item at `path` below `item`, or None."""
    for step in path:
        value = item.value
        if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
            found = next(_encoded(item, step), None) if isinstance(step, int) and step < len(value) else None
        else:
            found = next((child for child in child_items(item) if child.path[-1] == step), None)
        if found is None:
            return None
        item = found
    return item


class PathFinder:
    """Finds items by path. A search starts at the last item that its path shares with the previous path."""

    def __init__(self, root: Item) -> None:
        self._trail = [root]

    def find(self, path: Path) -> Item | None:
        """Return the item at `path` below the root, or None."""
        trail = self._trail
        shared = 0
        while shared < min(len(trail) - 1, len(path)) and trail[shared + 1].path[-1] == path[shared]:
            shared += 1
        del trail[shared + 1 :]
        for step in path[shared:]:
            found = item_at(trail[-1], (step,))
            if found is None:
                return None
            trail.append(found)
        return trail[-1]


def read_field(holder: Any, step: str | int) -> Any:
    """Return a field, an element or the alternative of `holder`; None for an absent field.

    A valid value that its Python type cannot represent is returned as `RawText`.
    """
    try:
        if isinstance(step, int):
            return holder[step]
        return holder.value if isinstance(holder, Choice) else getattr(holder, step)
    except UnrepresentableError:
        raw = bytes(holder.raw(step))
        # `raw` returns contents octets, which begin with a digit; but the whole element for a time inside a string.
        if raw[:1] in (b"\x17", b"\x18"):
            raw = bytes(derlib.parse(raw, tolerate=ALL_DEVIATIONS).content)
        return RawText(raw.decode("latin-1"))


def plain_value(item: Item) -> Any:
    """Return the value of `item` to show: for a primitive universal TLV, the value of its universal type."""
    value = item.value
    if isinstance(value, TLV) and value.tag.tag_class == "universal" and not value.tag.constructed:
        try:
            return value.value
        except ValueError:  # An ASN1Error, or a limit of datetime.
            return RawText(bytes(value.content).decode("latin-1"))
    return value


def _encoded(item: Item, step: str | int) -> Iterator[Item]:
    """Yield the item at `step` if it is encoded."""
    holder = item.value
    span = holder.span(step)
    if span is not None:
        yield Item((*item.path, step), read_field(holder, step), span)


def _elements(item: Item, tlv: TLV) -> Iterator[Item]:
    """Yield the elements in `tlv`. The spans of elements inside a string count from its contents."""
    base = item.span.offset - tlv.span.offset
    strings = item.strings
    children: Iterator[TLV] = iter(tlv)
    if not tlv.tag.constructed:
        name = str(tlv.tag)
        contained = None
        if name in ("OCTET STRING", "BIT STRING") and strings < NESTING_LIMIT and len(item.path) < _MAX_DEPTH:
            contained = contained_element(Element(tlv, base), name)
        if contained is None:
            return
        assert isinstance(contained.tlv, TLV)
        children, base, strings = iter((contained.tlv,)), contained.base, strings + 1
    for index, child in enumerate(children):
        span = child.span
        position = derlib.Span(base + span.offset, span.header_length, span.content_length)
        yield Item((*item.path, index), child, position, strings)

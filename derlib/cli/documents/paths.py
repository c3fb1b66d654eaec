"""A decoded document as a tree of items, each with its path, value and span. grep, extract, diff and lint use it.

The paths are those of errors: names of fields and alternatives, indexes of elements. DER of no known type has only
indexes; there, the element inside a string is its element 0. `item_at` also takes the keys of `derlib.columns`.

A string whose content has a known type, such as the TSTInfo of a timestamp, is an item with the decoded value, as the
value of an extension is; the path of a part of it has no step of its own for the string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import derlib
from derlib import TLV, ASN1Error, Choice, ObjectIdentifier, UnrepresentableError
from derlib._columns.paths import selection, without_tags
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.elements import NESTING_LIMIT, Element, contained_element
from derlib.cli.documents.known_contents import content_of

__all__ = [
    "Item",
    "Key",
    "Path",
    "PathFinder",
    "child_items",
    "item_at",
    "item_at_offset",
    "plain_value",
    "read_field",
    "root_item",
]

#: Strings are not opened below this depth, because each level makes the paths of all elements inside it longer.
_MAX_DEPTH = 100

Path = tuple[str | int, ...]


class Key(str):
    """A step to the first element of a list with this OBJECT IDENTIFIER, in the dotted form."""


class RawText(str):
    """The text of a value that its Python type cannot represent, such as a time in the year 0000."""


class Item(NamedTuple):
    """A value in a document.

    Attributes:
        path: the steps from the document to the value.
        value: a value of the schema layer, or a TLV.
        span: the position in the document.
        strings: the number of strings around its parts that were opened.
        base: the offset in the document from which the spans of the parts of a view count.
    """

    path: Path
    value: Any
    span: derlib.Span
    strings: int = 0
    base: int = 0


def root_item(value: Any) -> Item:
    """Return the item of a whole document: of a view, or of the TLV that `derlib.parse` returns."""
    return Item((), value, value.span if isinstance(value, TLV) else value.span())


def child_items(item: Item) -> Iterator[Item]:
    """Yield the items one level below: encoded fields, the alternative, or elements."""
    value = item.value
    if isinstance(value, (derlib.Sequence, derlib.Set)):
        for field in derlib.fields(type(value)):
            yield from _encoded(item, field.name)
        for index, element in enumerate(value.unknown_additions):
            yield Item((*item.path, index), element, _moved(element.span, item.base), item.strings, item.base)
    elif isinstance(value, Choice):
        if value.alternative is not None:
            yield from _encoded(item, value.alternative)
    elif isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        for index in range(len(value)):
            yield from _encoded(item, index)
    elif isinstance(value, TLV):
        yield from _elements(item, value)


def item_at(item: Item, path: Path) -> Item | None:
    """Return the item at `path` below `item`, or None.

    A `Key` is a step to an element, first to its own fields; then, and at the end of the path, to the value that its
    OBJECT IDENTIFIER selects.
    """
    found: Item | None = item
    selected: Item | None = None
    for step in path:
        assert found is not None
        if isinstance(step, Key):
            found, selected = _at_key(selected or found, step), None
            selected = None if found is None else _selected(found)
        else:
            found, selected = _part(found, step) or (selected and _part(selected, step)), None
        if found is None:
            return None
    return selected or found


def item_at_offset(root: Item, offset: int) -> Item | None:
    """Return the outermost item below `root` that starts at `offset`, or whose string contains the value there."""
    item: Item | None = root
    while item is not None:
        span = item.span
        if span.offset == offset:
            return item
        inner = next((child for child in child_items(item) if child.span.offset <= offset < child.span.end), None)
        if inner is None and span.content_offset == offset:
            return item
        item = inner
    return None


def _part(item: Item, step: str | int) -> Item | None:
    """Return the part of an item at a step, or None."""
    value = item.value
    if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        return next(_encoded(item, step), None) if isinstance(step, int) and step < len(value) else None
    return next((child for child in child_items(item) if child.path[-1] == step), None)


def _at_key(item: Item, key: Key) -> Item | None:
    """Return the first element of a list that has this key, or the item itself if it has it."""
    items = child_items(item) if isinstance(item.value, (derlib.SequenceOf, derlib.SetOf)) else (item,)
    return next((one for one in items if _key_of(one.value) == key), None)


def _key_of(value: Any) -> str | None:
    """Return the OBJECT IDENTIFIER of a structure that selects its open type, or its first one; None without one."""
    if not isinstance(value, derlib.Sequence):
        return None
    numbers, _ = selection(without_tags(type(value).__plan__))
    for number in numbers:
        value = getattr(value, without_tags(type(value).__plan__).names[number])
    return value.dotted if isinstance(value, ObjectIdentifier) else None


def _selected(item: Item) -> Item | None:
    """Return the value that the key of a structure selects, or None."""
    plan = without_tags(type(item.value).__plan__)
    _, number = selection(plan)
    return None if number is None else _part(item, plan.names[number])


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
    if span is None:
        return
    span = _moved(span, item.base)
    value = read_field(holder, step)
    content = _content(item, step, value) if isinstance(value, bytes) and item.strings < NESTING_LIMIT else None
    if content is None:
        yield Item((*item.path, step), value, span, item.strings, item.base)
    else:
        yield Item((*item.path, step), content, span, item.strings + 1, span.content_offset)


def _content(item: Item, step: str | int, octets: bytes) -> Any:
    """Return the value inside the string at `step`; None if its type is not known, or the string has no DER of it."""
    schema = content_of(item.value, step, item.path)
    try:
        return schema and schema.decode(octets, tolerate=ALL_DEVIATIONS)
    except (ASN1Error, MemoryError):
        return None


def _moved(span: derlib.Span, base: int) -> derlib.Span:
    """Return a span at an offset that is larger by `base`."""
    return derlib.Span(base + span.offset, span.header_length, span.content_length) if base else span


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
        yield Item((*item.path, index), child, _moved(child.span, base), strings)

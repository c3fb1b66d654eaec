"""The names of fields by offset, for the HTML page of `derlib view`, whose script knows no schema.

A name for each element of a long list would make the page large. So a long list has a table instead, derived from its
first elements: the name of each part of an element, by the index and the identifier octet at each level.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import derlib
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.paths import Item, child_items, root_item

__all__ = ["field_names"]

#: A list with more elements than this has a table.
_LONG_LIST = 64

#: A table is derived from at most this many elements, of at most this many bytes together.
_SAMPLE_ELEMENTS = 256
_SAMPLE_BYTES = 1 << 12

#: The deepest level of a part in a table.
_MAX_LEVELS = 16

#: At most this many elements outside of long lists have a name.
_MAX_NAMES = 20_000

#: The names of the parts of an element, by `index:identifier octet` of each level, separated by slashes.
Table = dict[str, str]


def field_names(value: Any, der: bytes) -> dict[str, object]:
    """Return `names`, the names by offset, and `tables`, the tables by the offset of the long list."""
    names: dict[int, str] = {}
    tables: dict[int, Table] = {}
    pending = [root_item(value)]
    while pending and len(names) < _MAX_NAMES:
        item = pending.pop()
        if _is_long(item.value):
            tables[item.span.offset] = _table(item, der)
            continue
        for child in islice(child_items(item), _MAX_NAMES):
            _add_name(names, child)
            pending.append(child)
    return {"names": names, "tables": tables}


def _is_long(value: Any) -> bool:
    return isinstance(value, (derlib.SequenceOf, derlib.SetOf)) and len(value) > _LONG_LIST


def _add_name(names: dict[int, str], item: Item) -> None:
    """Add the name of `item`.

    A CHOICE and its alternative have the same offset, which keeps the outer name. An index is followed by the
    alternative.
    """
    step, offset = item.path[-1], item.span.offset
    if isinstance(step, int):
        names.setdefault(offset, f"[{step}]")
    elif offset not in names:
        names[offset] = step
    elif names[offset].endswith("]"):
        names[offset] += f" {step}"


def _table(item: Item, der: bytes) -> Table:
    """Return the names of the parts that have the same name in all elements of the sample."""
    found: dict[str, set[str]] = {}
    size = 0
    for element in islice(child_items(item), _SAMPLE_ELEMENTS):
        size += element.span.length
        if size > _SAMPLE_BYTES:
            break
        names: dict[int, str] = {}
        pending = [element]
        while pending:
            for child in child_items(pending.pop()):
                _add_name(names, child)
                pending.append(child)
        start = element.span.offset
        for key, offset in _keys(derlib.parse(der[start : element.span.end], tolerate=ALL_DEVIATIONS)):
            if start + offset in names:
                found.setdefault(key, set()).add(names[start + offset])
    return {key: candidates.pop() for key, candidates in found.items() if len(candidates) == 1}


def _keys(tlv: derlib.TLV) -> Iterator[tuple[str, int]]:
    """Yield the table key and the offset of each element below `tlv`."""
    pending = [("", tlv, _MAX_LEVELS)]
    while pending:
        prefix, parent, levels = pending.pop()
        for index, child in enumerate(parent):
            key = f"{prefix}{index}:{child.der[0]}"
            yield key, child.span.offset
            if levels:
                pending.append((f"{key}/", child, levels - 1))

"""The names of fields by place, for the page of `derlib view`, which knows no schema.

A name for each place would make the page of a long list large. So a list of many elements has a table instead, made
from its first ones: what the parts of an element are called, by their index and identifier octet on each level.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import derlib
from derlib.cli.items import Item, below, top

__all__ = ["field_names"]

#: A list with more elements has a table, made from so many of them, which have so many octets together.
_MANY = 64
_SAMPLE = 256
_SAMPLE_OCTETS = 1 << 12

#: No part of an element that has a name is deeper. The key of a part has a word for each level.
_MOST_LEVELS = 16

#: So many places have names; a document with more that is no long list is a strange one.
_MOST_PLACES = 20_000

#: The names of parts of an element, by `index:octet` of each level, joined by strokes.
Table = dict[str, str]


def field_names(value: Any, der: bytes) -> dict[str, object]:
    """`places`: names by offset; `lists`: by the offset of each long list, its table."""
    places: dict[int, str] = {}
    lists: dict[int, Table] = {}
    waiting = [top(value)]
    while waiting and len(places) < _MOST_PLACES:
        item = waiting.pop()
        if _is_long(item.value):
            lists[item.span.offset] = _table(item, der)
            continue
        for child in islice(below(item), _MOST_PLACES):
            _note(places, child)
            waiting.append(child)
    return {"places": places, "lists": lists}


def _is_long(value: Any) -> bool:
    return isinstance(value, (derlib.SequenceOf, derlib.SetOf)) and len(value) > _MANY


def _note(places: dict[int, str], item: Item) -> None:
    """Name the place of `item`. A CHOICE and its alternative share one: the outer name is kept, or follows an index."""
    step, offset = item.path[-1], item.span.offset
    if isinstance(step, int):
        places.setdefault(offset, f"[{step}]")
    elif offset not in places:
        places[offset] = step
    elif places[offset].endswith("]"):
        places[offset] += f" {step}"


def _table(item: Item, der: bytes) -> Table:
    """What the parts of the elements are called, as far as all that were looked at agree."""
    found: dict[str, set[str]] = {}
    octets = 0
    for element in islice(below(item), _SAMPLE):
        octets += element.span.length
        if octets > _SAMPLE_OCTETS:
            break
        places: dict[int, str] = {}
        waiting = [element]
        while waiting:
            for child in below(waiting.pop()):
                _note(places, child)
                waiting.append(child)
        start = element.span.offset
        for key, offset in _keys(derlib.parse(der[start : element.span.end], tolerate=~derlib.Deviation(0))):
            if start + offset in places:
                found.setdefault(key, set()).add(places[start + offset])
    return {key: names.pop() for key, names in found.items() if len(names) == 1}


def _keys(tlv: derlib.TLV) -> Iterator[tuple[str, int]]:
    """The key and the offset of each element below `tlv`."""
    waiting = [("", tlv, _MOST_LEVELS)]
    while waiting:
        path, around, levels = waiting.pop()
        for index, child in enumerate(around):
            key = f"{path}{index}:{child.der[0]}"
            yield key, child.span.offset
            if levels:
                waiting.append((f"{key}/", child, levels - 1))

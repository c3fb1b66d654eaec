"""Reads octets as an `Element`: single values and defaults, which a schema gives as encodings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import derlib
from derlib.inspect import Kind
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._match import alternative, match_component
from derlib.strategies._types import Type, packed_tag, type_of


def read(type_: Type, octets: bytes) -> Element:
    """Return the element of an encoding. Open types in it are opaque."""
    tlv = derlib.parse(octets)
    tag = packed_tag(tlv.tag)
    if type_.kind in CHOICES:
        number = alternative(type_, tag)
        child = read(type_of(Any) if number == UNKNOWN else type_.types[number], octets)
        return replace(child, chosen=((type_, number), *child.chosen))
    contents = bytes(tlv.content)
    if type_.kind in OPEN_STRINGS and type_.contained is not None:
        return Element(type_, tag, contents, (read(type_.contained, contents[type_.kind == Kind.OPEN_BITS :]),))
    if type_.kind in OPEN:
        return Element(type_, tag, contents, may_mismatch=True)
    children: tuple[Element, ...] = ()
    if type_.kind in FIELDS:
        children = tuple(components(type_, tlv.children))
    elif type_.kind in LISTS or type_.kind == Kind.EXPLICIT:
        children = tuple(read(type_.element, child.encode()) for child in tlv.children)
    return Element(type_, tag, contents, children)


def components(type_: Type, children: Iterable[derlib.TLV]) -> list[Element]:
    """Return the elements of a SEQUENCE or SET, each with the number of its component."""
    return [
        replace(read(type_of(Any) if number == UNKNOWN else type_.types[number], tlv.encode()), number=number)
        for number, tlv in numbered(type_, children)
    ]


def numbered(type_: Type, children: Iterable[derlib.TLV]) -> list[tuple[int, derlib.TLV]]:
    """Return the components of a SEQUENCE or SET with their numbers, UNKNOWN for an unknown addition."""
    found: list[tuple[int, derlib.TLV]] = []
    first = 0
    for tlv in children:
        number = match_component(type_, first, packed_tag(tlv.tag))
        assert isinstance(number, int), (type_, number)
        found.append((number, tlv))
        first = number + 1 if number != UNKNOWN else type_.extension_index or 0
    return found

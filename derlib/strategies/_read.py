"""Reads octets as an `Element`: single values and defaults, which a schema gives as encodings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import derlib
from derlib.inspect import Kind as K
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._match import accepts, alternative, following
from derlib.strategies._types import Type, number_of_tag, type_of


def read(type_: Type, octets: bytes) -> Element:
    """Return the element of an encoding. Open types in it are opaque."""
    tlv = derlib.parse(octets)
    tag = number_of_tag(tlv.tag)
    if type_.kind in CHOICES:
        number = alternative(type_, tag)
        child = read(type_of(Any) if number == UNKNOWN else type_.types[number], octets)
        return replace(child, chosen=((type_, number), *child.chosen))
    contents = bytes(tlv.content)
    if type_.kind in OPEN_STRINGS and type_.contained is not None:
        return Element(type_, tag, contents, (read(type_.contained, contents[type_.kind == K.OPEN_BITS :]),))
    if type_.kind in OPEN:
        return Element(type_, tag, contents, may_mismatch=True)
    children: tuple[Element, ...] = ()
    if type_.kind in FIELDS:
        children = tuple(components(type_, [child.encode() for child in tlv.children]))
    elif type_.kind in LISTS or type_.kind == K.EXPLICIT:
        children = tuple(read(type_.element, child.encode()) for child in tlv.children)
    return Element(type_, tag, contents, children)


def components(type_: Type, encodings: list[bytes]) -> list[Element]:
    found: list[Element] = []
    for octets in encodings:
        first = following(type_, found[-1]) if found and type_.kind == K.SEQUENCE else 0
        number = component(type_, first, octets)
        child = read(type_of(Any) if number == UNKNOWN else type_.types[number], octets)
        found.append(replace(child, number=number))
    return found


def component(type_: Type, first: int, octets: bytes) -> int:
    """Return the number of the field, from `first` on, that an element is."""
    tag = read(type_of(Any), octets).tag
    for number in range(first, len(type_.types)):
        if accepts(type_.types[number], tag):
            return number
        if type_.kind == K.SEQUENCE and not type_.optional[number]:
            break
    return UNKNOWN

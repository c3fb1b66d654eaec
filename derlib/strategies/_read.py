"""From octets to an `Element`: the way back, for single values and defaults, which a schema gives as encodings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import derlib
from derlib._core import CLASS_NAMES, Plan, tag_number
from derlib._core import Kind as K
from derlib._schema.compiler import plan_of
from derlib.strategies._elements import CHOICES, FIELDS, LISTS, OPEN, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._match import accepts, alternative, following


def read(plan: Plan, octets: bytes) -> Element:
    """The element that is the encoding of a value of the type. Open types in it are left opaque."""
    plan.ready()
    tlv = derlib.parse(octets)
    tag = tag_number(tlv.tag.number, CLASS_NAMES.index(tlv.tag.tag_class), tlv.tag.constructed)
    if plan.kind in CHOICES:
        number = alternative(plan, tag)
        child = read(plan_of(Any) if number == UNKNOWN else plan.plans[number], octets)
        return replace(child, chosen=((plan, number), *child.chosen))
    contents = bytes(tlv.content)
    if plan.kind in OPEN_STRINGS and plan.contained is not None:
        return Element(plan, tag, contents, (read(plan.contained, contents[plan.kind == K.KIND_OPEN_BITS :]),))
    if plan.kind in OPEN:
        return Element(plan, tag, contents, may_mismatch=True)
    children: tuple[Element, ...] = ()
    if plan.kind in FIELDS:
        children = tuple(components(plan, [child.encode() for child in tlv.children]))
    elif plan.kind in LISTS or plan.kind == K.KIND_EXPLICIT:
        children = tuple(read(plan.element, child.encode()) for child in tlv.children)
    return Element(plan, tag, contents, children)


def components(plan: Plan, encodings: list[bytes]) -> list[Element]:
    found: list[Element] = []
    for octets in encodings:
        first = following(plan, found[-1]) if found and plan.kind == K.KIND_SEQUENCE else 0
        number = component(plan, first, octets)
        child = read(plan_of(Any) if number == UNKNOWN else plan.plans[number], octets)
        found.append(replace(child, number=number))
    return found


def component(plan: Plan, first: int, octets: bytes) -> int:
    """The number of the field, from `first` on, that an element is."""
    tag = read(plan_of(Any), octets).tag
    for number in range(first, len(plan.plans)):
        if accepts(plan.plans[number], tag):
            return number
        if plan.kind == K.KIND_SEQUENCE and not plan.optional[number]:
            break
    return UNKNOWN

"""Walks through the bytes of decoded values, and a simple independent reader of headers to compare them with.

`test_octets.py` compares the walks; `test_damage.py` uses `touch` to read a whole decoded value. No position is taken
from the core: `read_header` implements X.690 8.1 on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import derlib
from derlib import TLV, Choice, Sequence, SequenceOf, Set, SetOf, Span, UnrepresentableError

VIEWS = (Sequence, Set, SequenceOf, SetOf, Choice)
Place = tuple[int, int, int]


def read_header(data: bytes, offset: int) -> tuple[bool, Place]:
    """Return whether the element at `offset` is constructed, and (offset, header length, content length)."""
    position = offset + 1
    if data[offset] & 0x1F == 0x1F:
        while data[position] & 0x80:
            position += 1
        position += 1
    length = data[position]
    position += 1
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[position : position + count], "big")
        position += count
    return bool(data[offset] & 0x20), (offset, position - offset, length)


def place(span: Span) -> Place:
    return span.offset, span.header_length, span.content_length


def end(where: Place) -> int:
    """Return the offset after an element."""
    return sum(where)


def plain_walk(data: bytes, start: int, stop: int) -> Iterator[Place]:
    """Yield the positions of all elements in data[start:stop], depth first; they must fill it exactly."""
    while start < stop:
        constructed, where = read_header(data, start)
        assert end(where) <= stop
        yield where
        if constructed:
            yield from plain_walk(data, where[0] + where[1], end(where))
        start = end(where)
    assert start == stop


def steps(view: Any) -> list[tuple[Any, Any]]:
    """Yield the (step, value) pairs in a view, in the order of the bytes, without absent parts."""
    if isinstance(view, Choice):
        return [(view.alternative, _value(view, "value"))]
    if isinstance(view, (SequenceOf, SetOf)):
        # A list in which iteration stops at such a time is read by index.
        return [(index, _element_at(view, index)) for index in range(len(view))]
    present = [field.name for field in derlib.fields(type(view)) if view.span(field.name) is not None]
    if isinstance(view, Set):
        present.sort(key=lambda name: view.span(name).offset)
    return [(name, _value(view, name)) for name in present]


def _value(view: Any, name: str) -> Any:
    """Return the value of a field, or None for a time that `datetime` cannot represent."""
    try:
        return getattr(view, name)
    except UnrepresentableError:
        return None


def _element_at(view: Any, index: int) -> Any:
    try:
        return view[index]
    except UnrepresentableError:
        return None


def schema_walk(data: bytes, view: Any) -> Iterator[Place]:
    """Yield the positions of all elements that a view reports, including those of its TLVs and of unknown contents.

    This also checks that children fill their parent exactly, that explicit tags contain one element, and that views are
    where their spans say.
    """
    if not isinstance(view, Choice):
        # Explicit tags of the class itself.
        at, inner = place(view.span(outer=True)), place(view.span())
        assert view.der == data[at[0] : end(at)]
        while at != inner:
            yield at
            _, at = read_header(data, at[0] + at[1])
    yield from _walk(data, view)


def _walk(data: bytes, view: Any) -> Iterator[Place]:
    if isinstance(view, Choice) and view.alternative is None:
        yield from (place(element.span) for element in view.value.walk())
        return
    if isinstance(view, Choice):
        # A CHOICE has no header of its own: the alternative is the element.
        assert place(view.span()) == place(view.span(view.alternative, outer=True))
        yield from _element(data, view, *steps(view)[0])
        return
    here = view.span()
    # The tags of the class belong to the value, those of the field do not.
    start = here.end - len(view.der)
    assert view.span(outer=True).offset <= start <= here.offset
    assert view.der == data[start : here.end]
    yield place(here)
    position = here.content_offset
    parts = [(view.span(step, outer=True), step, value) for step, value in steps(view)]
    if isinstance(view, (Sequence, Set)):
        parts += [(tlv.span, None, tlv) for tlv in view.unknown_additions]
        parts.sort(key=lambda part: part[0].offset)
    for outer, step, value in parts:
        assert outer.offset == position, (type(view), step)
        position = outer.end
        if step is None:
            yield from (place(element.span) for element in value.walk())
        else:
            yield from _element(data, view, step, value)
    assert position == here.end, type(view)


def _element(data: bytes, view: Any, step: Any, value: Any) -> Iterator[Place]:
    """Yield the positions in one field, element or alternative of a view."""
    span, outer = view.span(step), view.span(step, outer=True)
    assert view.raw(step) == data[span.content_offset : span.end]
    # The alternative of a CHOICE can have tags of its own, which `span` skips and the walk of the value includes.
    target = value.span() if isinstance(value, Choice) and value.span().offset < span.offset else span
    at = place(outer)
    while at != place(target):
        assert end(at) == span.end
        yield at
        _, at = read_header(data, at[0] + at[1])
    if isinstance(value, TLV):
        assert place(value.span) == place(span)
        yield from (place(element.span) for element in value.walk())
    elif isinstance(value, VIEWS):
        if value.span() != target:
            # The contents of the OCTET STRING, or of the BIT STRING after the first byte, are the encoding of the
            # value.
            inner = value.span(outer=True)
            assert inner.end == span.end
            skipped = inner.offset - span.content_offset
            # With an IMPLICIT tag it can be either of the two.
            implicit = data[span.offset] >= 0x40
            assert skipped == (1 if data[span.offset] == 0x03 else 0) or (implicit and skipped == 1)
            yield place(span)
        else:
            assert value.span(outer=True) == outer
        yield from _walk(data, value)
    else:
        yield place(span)


def touch(value: Any) -> None:
    """Read a decoded value completely; only times that `datetime` cannot represent may raise an error."""
    if isinstance(value, TLV):
        for element in value.walk():
            try:
                _ = element.value, element.span
            except UnrepresentableError:
                continue
    elif isinstance(value, Choice) and value.alternative is None:
        touch(value.value)
    elif isinstance(value, Choice):
        _ = value.span(value.alternative)
        touch_step(value, value.alternative)
    elif isinstance(value, (SequenceOf, SetOf)):
        for index in range(len(value)):
            touch_step(value, index)
    elif isinstance(value, (Sequence, Set)):
        for field in derlib.fields(type(value)):
            touch_step(value, field.name)
        for addition in value.unknown_additions:
            touch(addition)


def touch_step(view: Any, step: Any) -> None:
    """Read one field, element or alternative of a view completely."""
    _ = view.span(step), view.span(step, outer=True), view.raw(step)
    try:
        value = view[step] if isinstance(step, int) else getattr(view, step)
    except UnrepresentableError:
        return
    touch(value)

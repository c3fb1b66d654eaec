"""The elements of a document that is not valid, up to its fault, for `derlib dump` and `derlib view`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from derlib import DecodeError, Tag, TruncatedError
from derlib._core import announced_size
from derlib._value_ranges import lacks_tag
from derlib.cli.documents.other_formats import not_asn1

__all__ = ["DamagedElement", "elements_before", "is_damaged"]

#: The tag classes by the first two bits of the identifier octets (X.690 8.1.2.2).
_CLASSES = ("universal", "application", "context", "private")


class DamagedElement(NamedTuple):
    """An element before a fault, or with it.

    Attributes:
        offset: the position in the document.
        depth: the number of elements around it.
        tag: its tag.
        header_length: the number of identifier and length octets.
        content_length: the number of contents octets that are there.
        declared: the number of contents octets that the length octets declare; None for an indefinite length.
    """

    offset: int
    depth: int
    tag: Tag
    header_length: int
    content_length: int
    declared: int | None


def is_damaged(error: Exception, data: bytes) -> TypeGuard[DecodeError]:
    """Return whether data that are not valid have elements to show before the fault.

    They begin with a structure, as most files do, or with a whole element; they are not text.
    """
    if not isinstance(error, DecodeError) or not data or not_asn1(data):
        return False
    size = announced_size(data)
    return bool(data[0] & 0x20) or (size is not None and 0 < size <= len(data) and not lacks_tag(data))


def elements_before(data: bytes, error: DecodeError, base: int) -> Iterator[DamagedElement]:
    """Yield the elements of DER or BER at the offset `base` of a file, up to the one with the fault.

    If an element is longer than the bytes that are there, the elements inside it follow, up to the end of these bytes.
    """
    last = len(data) if isinstance(error, TruncatedError) else error.offset - base
    ends: list[tuple[int, bool]] = []
    at = 0
    while at < len(data) and at <= last:
        while ends and not ends[-1][1] and at >= ends[-1][0]:
            ends.pop()
        if not ends and at:
            return
        if ends and ends[-1][1] and data[at : at + 2] == b"\0\0":
            ends.pop()
            at += 2
            continue
        limit = ends[-1][0] if ends else len(data)
        found = _element(data, at, limit, len(ends))
        if found is None:
            return
        yield found
        start = at + found.header_length
        if found.tag.constructed:
            ends.append((start + found.content_length, found.declared is None))
            at = start
        elif found.declared != found.content_length:
            return
        else:
            at = start + found.content_length


def _element(data: bytes, at: int, limit: int, depth: int) -> DamagedElement | None:
    """Return the element at an offset, with the contents before `limit`; None if its header is not complete."""
    first, start = data[at], at + 1
    number = first & 31
    if number == 31:
        number = 0
        while True:
            if start >= limit or number >> 53:
                return None
            number = number << 7 | data[start] & 127
            start += 1
            if data[start - 1] < 128:
                break
    if start >= limit:
        return None
    form = data[start]
    start += 1
    declared: int | None = form
    if form > 128:
        size = form - 128
        if size > limit - start:
            return None
        declared = int.from_bytes(data[start : start + size], "big")
        start += size
    elif form == 128:
        declared = None
    there = limit - start if declared is None else min(declared, limit - start)
    tag = Tag(number, _CLASSES[first >> 6], constructed=bool(first & 32))  # type: ignore[arg-type]
    return DamagedElement(at, depth, tag, start - at, there, declared)

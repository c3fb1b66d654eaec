"""Copying the contents of an OCTET STRING, which can be in segments (X.690 8.7.3), in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from derlib import _core
from derlib._core import ElementHeader
from derlib._stream.open_elements import Child, check_size

if TYPE_CHECKING:
    from derlib._stream.walker import Walker

# The largest number of bytes that are passed on at a time.
COPY_SIZE = 1 << 20
OCTET_STRING_TAG = 4 << 3

Writers = list[Callable[[bytes], Any]]


def copy_contents(walker: Walker, child: Child, writers: Writers) -> int:
    """Pass the contents of an OCTET STRING, whose header is next in the window, to functions; return their length."""
    header = child.header
    walker.window.start += header.header_length
    # In BER, the constructed form of a string has segments; the primitive form never does.
    if header.tag & 1:
        count = _copy_segments(walker, header, len(walker.open_elements), writers)
    else:
        count = _copy_primitive(walker, header, writers)
    if child.plan.size is not None:
        check_size(child.plan, count, (), header.offset)
    return count


def _copy_primitive(walker: Walker, header: ElementHeader, writers: Writers) -> int:
    window = walker.window
    length = left = header.end - header.content_offset  # type: ignore[operator]
    while left:
        octets = window.take(min(left, COPY_SIZE))
        if not octets:
            raise walker.parts.truncated(None, header, window.offset, False)
        left -= len(octets)
        for write in writers:
            write(octets)
    return length


def _copy_segments(walker: Walker, header: ElementHeader, levels: int, writers: Writers) -> int:
    """Copy segments: OCTET STRINGs, which can be in segments themselves, with a definite or indefinite length."""
    window, parts = walker.window, walker.parts
    total = 0
    opened = [header]
    while opened:
        stop = opened[-1].end
        if stop is not None and window.offset >= stop:
            opened.pop()
            continue
        bound = next((each.end for each in reversed(opened) if each.end is not None), walker.bound())
        limit = len(window.data) if bound is None else bound - window.first
        octets, count, window.start = _core.take_segments(window.data, window.start, limit)
        if count:
            walker.count_segments(count, header)
            walker.require_size(window.offset)
            total += len(octets)
            # Files take empty bytes for nothing, but a callable could take them for the end.
            for write in writers if octets else ():
                write(octets)
            continue
        segment = _read_segment(walker, opened[-1], bound)
        window.start += segment.header_length
        if segment.is_end_of_contents:
            opened.pop()
        elif segment.tag & 1:
            if levels + len(opened) > walker.rules.depth:
                raise parts.fault("depth-limit", None, segment)
            opened.append(segment)
        else:
            walker.count_segments(1, header)
            total += _copy_primitive(walker, segment, writers)
    return total


def _read_segment(walker: Walker, around: ElementHeader, bound: int | None) -> ElementHeader:
    """Read the header of a segment, or the end-of-contents octets, before the offset `bound`."""
    segment = walker.read_header(None, bound)
    if segment.is_end_of_contents and around.end is None:
        return segment
    if segment.tag | 1 != OCTET_STRING_TAG | 1:
        raise walker.rules.segment_error(segment)
    return segment

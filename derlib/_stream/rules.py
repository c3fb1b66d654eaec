"""Reading an element as a whole by the rules of DER or BER."""

from __future__ import annotations

from typing import Any

from derlib import _core
from derlib._core import ElementHeader, PartReader
from derlib._options import Limits
from derlib._stream.open_elements import Child
from derlib._stream.open_structures import OpenSequence
from derlib._stream.window import Window
from derlib.errors import ASN1Error

# An element of indefinite length is searched this far beyond the buffer: the longest header has 137 bytes.
HEADER_SIZE = 256


class DER:
    """The rules of DER: every length is known."""

    def __init__(self, parts: PartReader, limits: Limits | None, buffer_size: int) -> None:
        self.parts = parts
        self.depth = 100 if limits is None else limits.depth
        self.buffer_size = buffer_size

    def size_in_memory(self, window: Window, child: Child) -> int | None:
        """Read an element, and return its size; None if it is larger than the buffer."""
        header = child.header
        if header.end is None:
            return self._size_of_indefinite(window, header)
        size = header.end - header.offset
        if size > self.buffer_size:
            return None
        if not window.holds(size):
            raise self.parts.truncated(child.plan, header, window.offset + window.available, False)
        return size

    def _size_of_indefinite(self, window: Window, header: ElementHeader) -> int | None:
        raise NotImplementedError

    def value(
        self, window: Window, child: Child, size: int, levels: int, around: OpenSequence | None, with_value: bool
    ) -> tuple[Any, bytes]:
        """Return the value of an element of `size` bytes in memory, or None unless `with_value`; and its DER."""
        plan, scope = (None, b"") if around is None else (around.plan, bytes(around.scope))
        found = self.parts.value(
            child.plan, window.data, window.start, window.first, window.offset + size, levels, plan, scope, with_value
        )
        assert found is not None
        return found

    def segment_error(self, segment: ElementHeader) -> ASN1Error:
        """Return the error for a segment that is not an OCTET STRING."""
        raise NotImplementedError


class BER(DER):
    """The rules of BER: an element is converted to DER, then validated."""

    def _size_of_indefinite(self, window: Window, header: ElementHeader) -> int | None:
        size, levels = header.header_length, 1
        while True:
            at, levels = _core.skip_nested(window.data, window.start + size, levels)
            size = at - window.start
            if not levels:
                return size if size <= self.buffer_size else None
            # An element that is not valid is converted up to the fault.
            if size > self.buffer_size or window.available >= self.buffer_size + HEADER_SIZE or not window.fill():
                return None

    def value(
        self, window: Window, child: Child, size: int, levels: int, around: OpenSequence | None, with_value: bool
    ) -> tuple[Any, bytes]:
        plan, scope = (None, b"") if around is None else (around.plan, bytes(around.scope))
        octets = bytes(memoryview(window.data)[window.start : window.start + size])
        return self.parts.converted_value(child.plan, octets, window.offset, levels, plan, scope, with_value)

    def segment_error(self, segment: ElementHeader) -> ASN1Error:
        return self.parts.fault("segment-type", None, segment)



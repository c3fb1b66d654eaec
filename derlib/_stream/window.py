"""The bytes of a source that were read and are not used yet, and writing to the targets of a copy."""

from __future__ import annotations

import errno
import io
import mmap
from collections.abc import Callable
from typing import Any

TEXT_FILE = "source: the file is open for reading text; open it with mode 'rb'"
# The number of bytes that are read at a time.
READ_SIZE = 1 << 16


def reader_of(source: Any) -> tuple[Callable[[int], Any], int | None]:
    """Return the function that reads bytes from a file or a buffer, and the size of a buffer; None for a file.

    Raises:
        TypeError: `source` is neither a buffer nor a file of bytes.
    """
    found = file_or_buffer(source)
    if not isinstance(found, memoryview):
        return found.read, None
    return _BufferReader(found if found.c_contiguous else memoryview(found.tobytes())).read, found.nbytes


def file_or_buffer(source: Any) -> Any:
    """Return a file itself, and a memoryview of a buffer.

    Raises:
        TypeError: `source` is neither a buffer nor a file of bytes.
    """
    if isinstance(source, io.TextIOBase):
        raise TypeError(TEXT_FILE)
    if hasattr(source, "read") and not isinstance(source, mmap.mmap):
        return source
    try:
        return memoryview(source)
    except TypeError:
        found = source.__class__.__name__
        raise TypeError(
            f"source: expected bytes, another buffer or a file, got {found}; open(name, 'rb') opens a file"
        ) from None


class _BufferReader:
    """Reads a buffer as if it were a file."""

    def __init__(self, view: memoryview) -> None:
        self._view = view.cast("B")
        self._at = 0

    def read(self, size: int) -> bytes:
        octets = self._view[self._at : self._at + size].tobytes()
        self._at += len(octets)
        return octets


class Window:
    """The bytes that were read and are not used yet.

    Attributes:
        data: holds them, from index `start` on.
        first: the offset of `data[0]` in the source.
        size: the number of bytes of the source, None if it is not known.
        complete: the source has no more bytes.
    """

    __slots__ = ("_read", "complete", "data", "first", "size", "start")

    def __init__(self, read: Callable[[int], Any], size: int | None) -> None:
        self._read = read
        self.size = size
        self.data = bytearray()
        self.start = 0
        self.first = 0
        self.complete = False

    @property
    def offset(self) -> int:
        """The offset in the source of the next byte."""
        return self.first + self.start

    @property
    def available(self) -> int:
        """The number of bytes in memory."""
        return len(self.data) - self.start

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes of the source that were not read before; none at its end."""
        octets: Any = b"" if self.complete else self._read(size)
        if octets is None:
            raise BlockingIOError(errno.EAGAIN, "the file is not ready for reading")
        if isinstance(octets, str):
            raise TypeError(TEXT_FILE)
        self.complete = not octets
        return bytes(octets)

    def fill(self) -> bool:
        """Read more bytes; return False at the end of the source."""
        octets = self.read(READ_SIZE)
        if self.start:
            del self.data[: self.start]
            self.first += self.start
            self.start = 0
        self.data += octets
        return not self.complete

    def holds(self, size: int) -> bool:
        """Read until `size` bytes are in memory; return False if the source ends before."""
        while self.available < size:
            if not self.fill():
                return False
        return True

    def next_bytes(self, end: int) -> bytes:
        """Return up to eight of the next bytes, before the offset `end`, for an error message."""
        return bytes(self.data[self.start : self.start + min(8, end - self.offset)])

    def take(self, size: int) -> bytes:
        """Use and return up to `size` bytes; at least one, except at the end of the source."""
        if not self.available:
            octets = self.read(size)
            self.first += len(self.data) + len(octets)
            self.start = 0
            self.data.clear()
            return octets
        octets = bytes(memoryview(self.data)[self.start : self.start + size])
        self.start += len(octets)
        return octets


def writer_of(target: Any) -> Callable[[bytes], Any]:
    """Return the function that passes bytes to a file, a hash object or a callable."""
    if hasattr(target, "write"):
        return lambda octets: write_all(target, octets)
    update = getattr(target, "update", target)
    if not callable(update):
        found = target.__class__.__name__
        raise TypeError(f"target: expected a file, an object with `update` or a callable, got {found}")
    return update  # type: ignore[no-any-return]


def write_all(file: Any, octets: bytes) -> int:
    """Write all bytes: a raw file can write a part at a time, and returns its size."""
    rest: bytes | memoryview = octets
    while rest:
        taken: Any = file.write(rest)
        if taken is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "the file is not ready for writing")
        if not isinstance(taken, int):
            break  # other files write everything or raise
        if not 0 < taken <= len(rest):
            raise OSError(f"write() returned {taken} for {len(rest)} bytes")
        rest = memoryview(rest)[taken:]
    return len(octets)

"""What the commands read: files, DER or PEM, as a sequence of DER documents.

A PEM file may hold several blocks; each is a document of its own. `-` is standard input.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from derlib import pem

__all__ = ["Document", "Unreadable", "documents"]


class Unreadable(Exception):
    """A file that the operating system does not give us; the message says why."""


@dataclass(frozen=True)
class Document:
    """One DER document of a file; the last three are 0 and None where the file is not PEM."""

    file: str
    der: bytes
    number: int = 0
    label: str | None = None
    line: int | None = None
    alone: bool = True

    @property
    def title(self) -> str:
        """The file, and the block of it where it has several."""
        if self.alone:
            return self.file
        return f"{self.file}: block {self.number} ({self.label}, line {self.line})"


def documents(file: str, labels: tuple[str, ...] = ()) -> Iterator[Document]:
    """The documents of `file`: its blocks with one of `labels` (empty: any), or all its octets.

    Raises `Unreadable`, and `derlib.pem.PemError` when the block at fault is reached.
    """
    data = _read(file)
    if not pem.is_pem(data):
        yield Document(file, data)
        return
    alone = data.count(b"-----BEGIN ") == 1
    number = 0
    for number, block in enumerate(pem.blocks(data, *labels), 1):
        yield Document(file, block.der, number, block.label, block.line, alone)
    if not number:
        raise pem.PemError(f"no PEM block labelled {' or '.join(labels)}", 0)


def _read(file: str) -> bytes:
    try:
        if file == "-":
            if sys.stdin is None:
                raise Unreadable("standard input is closed")
            return sys.stdin.buffer.read()
        with open(file, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error
    except MemoryError as error:
        raise Unreadable("too large for the memory of this machine") from error

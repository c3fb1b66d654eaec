"""What the commands read: files, DER or PEM, as a sequence of DER documents.

A PEM file may hold several blocks; each is a document of its own. `-` is standard input.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from derlib import pem

__all__ = ["Document", "Unreadable", "documents", "one_document", "read"]


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


def documents(file: str, labels: tuple[str, ...] = (), data: bytes | None = None) -> Iterator[Document]:
    """The documents of `file`: its blocks with one of `labels` (empty: any), or all its octets.

    `data` are the octets of the file where they have been read already.

    Raises `Unreadable`, and `derlib.PEMError` when the block at fault is reached.
    """
    data = read(file) if data is None else data
    if not pem.is_pem(data):
        yield Document(file, data)
        return
    alone = data.count(b"-----BEGIN ") == 1
    number = 0
    for number, block in enumerate(pem.blocks(data, *labels), 1):
        yield Document(file, block.der, number, block.label, block.line, alone)
    if not number:
        raise pem.nothing_found(data, labels)


def one_document(file: str, block: int | None, data: bytes | None = None) -> Document:
    """The document of `file`; of a PEM file that has several, block number `block`.

    Raises `Unreadable`, also when there is no such block or several and none is chosen, and `derlib.PEMError`.
    """
    found = list(documents(file, data=data))
    if block is None and len(found) > 1:
        raise Unreadable(f"{len(found)} PEM blocks; --block N says which")
    if block is not None and block > len(found):
        raise Unreadable(f"there is no block {block}, but {len(found)}")
    return found[(block or 1) - 1]


def read(file: str) -> bytes:
    """All octets of `file`; `-` is standard input. Raises `Unreadable`."""
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

"""Read files as DER documents.

A DER file is one document; so is each block of a PEM file. The file name `-` is standard input.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from derlib import pem

__all__ = ["NO_MEMORY", "Document", "Unreadable", "documents", "one_document", "read"]

#: The message of a MemoryError, which has no text of its own.
NO_MEMORY = "not enough memory"


class Unreadable(Exception):
    """A file that cannot be read; the message is the reason."""


@dataclass(frozen=True)
class Document:
    """One DER document of a file.

    Attributes:
        file: the name of the file.
        der: the bytes of the document.
        block: the number of the PEM block, counted from 1; 0 if the file is DER.
        label: the label of the PEM block, or None.
        line: the line at which the PEM block begins, or None.
        alone: whether the file has no other document.
    """

    file: str
    der: bytes
    block: int = 0
    label: str | None = None
    line: int | None = None
    alone: bool = True

    @property
    def title(self) -> str:
        """The file, and the block if the file has several."""
        if self.alone:
            return self.file
        return f"{self.file}: block {self.block} ({self.label}, line {self.line})"


def documents(file: str, labels: tuple[str, ...] = (), data: bytes | None = None) -> Iterator[Document]:
    """Yield the documents of `file`: its PEM blocks with one of `labels` (empty: any label), or the whole DER file.

    `data` is the content of the file if it has been read already.

    Raises `Unreadable`, and `derlib.PEMError` at the invalid block.
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
    """Return the only document of `file`, or its PEM block number `block`.

    Raises `derlib.PEMError` and `Unreadable`, also if the block does not exist, or if `block` is None and the file has
    several.
    """
    found = list(documents(file, data=data))
    if block is None and len(found) > 1:
        raise Unreadable(f"the file has {len(found)} PEM blocks; select one with --block N")
    if block is not None and block > len(found):
        blocks = "1 block" if len(found) == 1 else f"{len(found)} blocks"
        raise Unreadable(f"block {block} does not exist; the file has {blocks if found[0].block else 'no PEM blocks'}")
    return found[(block or 1) - 1]


def read(file: str) -> bytes:
    """Return the content of `file`. Raises `Unreadable`."""
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

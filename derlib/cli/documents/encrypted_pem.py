"""PEM blocks that are encrypted in the old format of OpenSSL: RFC 1421 headers say so, and there is no DER in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from derlib import pem

__all__ = ["EncryptedBlock", "without_encrypted"]

_ENCRYPTED = re.compile(
    rb"-----BEGIN ([^\r\n]{1,64}?)-----[ \t]{0,8}[\r\n]{1,2}"
    rb"[ \t]*Proc-Type:[ \t]{0,8}4,[ \t]{0,8}ENCRYPTED"
)
_END = re.compile(rb"(?<![^\r\n])[ \t]*-----END [^\r\n]*")


class EncryptedBlock(NamedTuple):
    """A PEM block with RFC 1421 headers that say that it is encrypted: its label, and the line of its BEGIN."""

    label: str
    line: int


def without_encrypted(data: bytes) -> tuple[bytes, list[EncryptedBlock]]:
    """Return a PEM text without its traditional encrypted blocks, with the same line numbers, and these blocks."""
    pieces: list[bytes] = []
    found: list[EncryptedBlock] = []
    position, line = 0, 1
    for begin, start, end in _encrypted(data):
        pieces.append(data[position:start])
        line += len(pieces[-1].splitlines())
        found.append(EncryptedBlock(begin[1].decode("latin-1"), line))
        removed = data[start:end]
        pieces.append(re.sub(rb"[^\r\n]+", b"", removed))
        line += len(removed.splitlines()) - 1
        position = end
    return b"".join([*pieces, data[position:]]), found


def _encrypted(data: bytes) -> Iterator[tuple[re.Match[bytes], int, int]]:
    """Yield the BEGIN line, the start and the end of each encrypted block that has an END line."""
    position = 0
    while begin := _ENCRYPTED.search(data, position):
        position = begin.end()
        indentation = pem.indentation_of(data, begin.start())
        if indentation is None:
            continue
        end = _END.search(data, begin.end())
        if end is None:
            return
        yield begin, begin.start() - indentation, end.end()
        position = end.end()

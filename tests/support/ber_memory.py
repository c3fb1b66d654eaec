"""Convert hostile BER in this process, and print how much memory it needs, in bytes for each byte of the input.

``python -m support.ber_memory CASE LENGTH``: the length is definite or indefinite. The unit of `ru_maxrss` is KiB, as
on Linux.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from typing import Any

from derlib import BitString, Sequence, SequenceOf, SetOf, ber

SIZE = 1 << 20


class Kept(Sequence, ber="keep"):
    number: int


def repeated(last: str, first: str = "") -> Callable[[], bytes]:
    """Return what makes the contents of a list: many times the same element, perhaps after another one."""
    return lambda: bytes.fromhex(first) + bytes.fromhex(last) * (SIZE // len(bytes.fromhex(last)))


def integers(step: int) -> Callable[[], bytes]:
    """Return what makes the contents of a list of INTEGERs, which ascend or descend."""

    def contents() -> bytes:
        # Many small objects that exist together would be part of the peak.
        made = bytearray()
        for number in range(0x10000, 0x10000 + SIZE // 5)[::step]:
            made += b"\x02\x03" + number.to_bytes(3, "big")
        return bytes(made)

    return contents


# By name: the type, the first octet, and what makes the contents.
CASES: dict[str, tuple[Any, int, Callable[[], bytes]]] = {
    "booleans in order": (SetOf[bool], 0x31, repeated("0101ff")),
    "booleans that change": (SetOf[bool], 0x31, repeated("010101")),
    "booleans out of order": (SetOf[bool], 0x31, repeated("010101 010100")),
    "integers in order": (SetOf[int], 0x31, integers(1)),
    "integers out of order": (SetOf[int], 0x31, integers(-1)),
    "empty strings in order": (SetOf[bytes], 0x31, repeated("0400")),
    "strings that change, in order": (SetOf[bytes], 0x31, repeated("2400")),
    "strings that change, out of order": (SetOf[bytes], 0x31, repeated("2400", "040161")),
    "bit strings that change, out of order": (SetOf[BitString], 0x31, repeated("2300", "03020061")),
    "sets in a set": (SetOf[SetOf[bytes]], 0x31, repeated("31022400", "3103040161")),
    "bit strings without a type": (None, 0x31, repeated("2300", "03020061")),
    "kept elements that are not DER": (SetOf[Kept], 0x31, repeated("3000", "3003020101")),
    "bit strings in a sequence": (SequenceOf[BitString], 0x30, repeated("2300")),
    "lists in a list": (SequenceOf[SequenceOf[bytes]], 0x30, repeated("30022400")),
}


def peak() -> int:
    """Return the largest memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(name: str, length: str) -> None:
    """Convert a case, and count its changes."""
    asn1_type, first, contents = CASES[name]
    octets = contents()
    if length == "indefinite":
        data = b"%c\x80%b\0\0" % (first, octets)
    else:
        data = b"%c\x84%b%b" % (first, len(octets).to_bytes(4, "big"), octets)
    before = peak()
    len(ber.convert(data, asn1_type).changes)
    print((peak() - before) / len(data))


if __name__ == "__main__":
    main(*sys.argv[1:])

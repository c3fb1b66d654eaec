"""Forms of BER encodings: random ones (X.690 8), and those of CER (X.690 9).

`_ber` walks through a value and calls the methods of these classes to encode each part.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Protocol

from derlib.inspect import Kind
from derlib.strategies._ber_reals import real_form
from derlib.strategies._ber_times import duration_form, generalized_form, iso_form, utc_form
from derlib.strategies._contents import PRIMITIVES
from derlib.strategies._elements import CONSTRUCTED, OPEN_STRINGS, header, identifier, length
from derlib.strategies._types import pack_tag

BITS = (Kind.BIT_STRING, Kind.NAMED_BITS, Kind.OPEN_BITS)
END_OF_CONTENTS = b"\0\0"
# The most octets of a length after the first one, which cannot be ff (X.690 8.1.3.5).
MOST_LENGTH_OCTETS = 126
# The largest number of levels of segments inside segments.
MAX_LEVELS = 3
# The most contents octets of a string, or of a segment, in CER (X.690 9.2).
FRAGMENT = 1000


def is_string(kind: Kind) -> bool:
    """Return whether a kind of type has a constructed form that consists of segments."""
    return kind in OPEN_STRINGS or PRIMITIVES[kind].string


def segment_tag(kind: Kind) -> int:
    """Return the tag of the segments of a string: BIT STRING or OCTET STRING (X.690 8.6.4, 8.7.3, 8.23.6)."""
    return pack_tag(3 if kind in BITS else 4, 0, False)


class Forms(Protocol):
    """How to encode the parts of a value."""

    def constructed(self, tag: int, contents: bytes) -> bytes:
        """Return a constructed element with these contents octets."""

    def primitive(self, tag: int, contents: bytes) -> bytes:
        """Return a primitive element with these contents octets."""

    def contents(self, kind: Kind, contents: bytes) -> bytes:
        """Return the contents octets of a primitive type in some form, from those of DER."""

    def string(self, kind: Kind, tag: int, contents: bytes) -> bytes:
        """Return a string, primitive or in segments; `tag` is the primitive one."""

    def includes_default(self) -> bool:
        """Return whether to encode a component that has its DEFAULT value."""

    def set_order(self, parts: list[tuple[tuple[int, int], bytes]]) -> list[bytes]:
        """Return the components of a SET in any order; the key of each has its tag, or the lowest of a CHOICE."""

    def set_of_order(self, parts: list[bytes]) -> list[bytes]:
        """Return the elements of a SET OF in any order."""


class RandomForms:
    """Any form that X.690 8 allows. A generator that returns only zeros leads to DER."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def length(self, count: int) -> bytes:
        """Return definite length octets, often with more octets than needed (X.690 8.1.3.5)."""
        more = (0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 5, MOST_LENGTH_OCTETS)[self.random.randrange(12)]
        if more == 0:
            return length(count)
        least = 0 if count < 0x80 else (count.bit_length() + 7) // 8
        digits = count.to_bytes(min(least + more, MOST_LENGTH_OCTETS), "big")
        return bytes([0x80 | len(digits)]) + digits

    def constructed(self, tag: int, contents: bytes) -> bytes:
        if self.random.randrange(2):
            return identifier(tag) + b"\x80" + contents + END_OF_CONTENTS
        return identifier(tag) + self.length(len(contents)) + contents

    def primitive(self, tag: int, contents: bytes) -> bytes:
        return identifier(tag) + self.length(len(contents)) + contents

    def contents(self, kind: Kind, contents: bytes) -> bytes:
        form = FORMS.get(kind)
        return form(self.random, contents) if form is not None and self.random.randrange(2) else contents

    def string(self, kind: Kind, tag: int, contents: bytes) -> bytes:
        if self.random.randrange(2):
            return self.constructed(tag | CONSTRUCTED, self.segments(kind, contents, 1))
        return self.primitive(tag, contents)

    def segments(self, kind: Kind, contents: bytes, level: int) -> bytes:
        """Return a string in up to five segments, some of them empty, and some in segments again."""
        tag, first = segment_tag(kind), kind in BITS
        octets = contents[first:]
        # Unused bits are in the last segment (X.690 8.6.4.1), so this has the last octet.
        last = len(octets) - (first and contents[0] > 0)
        if not octets and self.random.randrange(2):
            return b""
        cuts = [0, *sorted(self.random.randrange(last + 1) for _ in range(self.random.randrange(5))), len(octets)]
        made = []
        for start, end in pairwise(cuts):
            segment = octets[start:end]
            if first:
                segment = (contents[:1] if end == len(octets) else b"\0") + segment
            if level < MAX_LEVELS and self.random.randrange(5) == 4:
                made.append(self.constructed(tag | CONSTRUCTED, self.segments(kind, segment, level + 1)))
            else:
                made.append(self.primitive(tag, segment))
        return b"".join(made)

    def includes_default(self) -> bool:
        return bool(self.random.randrange(2))

    def set_order(self, parts: list[tuple[tuple[int, int], bytes]]) -> list[bytes]:
        return self.set_of_order([part for _, part in parts])

    def set_of_order(self, parts: list[bytes]) -> list[bytes]:
        parts = list(parts)
        # With random numbers of zero, the order stays as it is.
        for index in range(len(parts)):
            other = index + self.random.randrange(len(parts) - index)
            parts[index], parts[other] = parts[other], parts[index]
        return parts


class CanonicalForms:
    """The forms of CER."""

    def constructed(self, tag: int, contents: bytes) -> bytes:
        return identifier(tag) + b"\x80" + contents + END_OF_CONTENTS       # X.690 9.1

    def primitive(self, tag: int, contents: bytes) -> bytes:
        return header(tag, len(contents)) + contents

    def contents(self, kind: Kind, contents: bytes) -> bytes:
        return contents

    def string(self, kind: Kind, tag: int, contents: bytes) -> bytes:
        """Return a string in segments of 1000 contents octets if it is longer (X.690 9.2)."""
        if len(contents) <= FRAGMENT:
            return self.primitive(tag, contents)
        first = kind in BITS
        octets, step = contents[first:], FRAGMENT - first
        starts = range(0, len(octets), step)
        before = [b"\0" if first else b""] * (len(starts) - 1) + [contents[:first]]
        made = [
            self.primitive(segment_tag(kind), initial + octets[start : start + step])
            for initial, start in zip(before, starts, strict=True)
        ]
        return self.constructed(tag | CONSTRUCTED, b"".join(made))

    def includes_default(self) -> bool:
        return False                                                        # X.690 11.5

    def set_order(self, parts: list[tuple[tuple[int, int], bytes]]) -> list[bytes]:
        return [part for _, part in sorted(parts, key=lambda part: part[0])]    # X.690 9.3

    def set_of_order(self, parts: list[bytes]) -> list[bytes]:
        return sorted(parts)                                                # X.690 11.6


def _boolean_form(random: Random, contents: bytes) -> bytes:
    """Return another TRUE (X.690 8.2.2)."""
    return bytes([255 - random.randrange(255)]) if contents != b"\0" else contents


def _bits_form(random: Random, contents: bytes) -> bytes:
    """Return a BIT STRING with any unused bits (X.690 8.6.2)."""
    return contents[:-1] + bytes([contents[-1] | random.randrange(1 << contents[0])]) if contents[0] else contents


def _named_bits_form(random: Random, contents: bytes) -> bytes:
    """Return named bits with more zero bits at the end (X.680 22.7), and any unused bits."""
    unused = contents[0] - random.randrange(20)
    zeros = -(unused // 8)
    return _bits_form(random, bytes([unused % 8]) + contents[1:] + bytes(zeros))


FORMS: dict[Kind, Callable[[Random, bytes], bytes]] = {
    Kind.BOOLEAN: _boolean_form,
    Kind.BIT_STRING: _bits_form,
    Kind.NAMED_BITS: _named_bits_form,
    Kind.REAL: real_form,
    Kind.UTC_TIME: utc_form,
    Kind.GENERALIZED_TIME: generalized_form,
    Kind.TIME: iso_form,
    Kind.DURATION: duration_form,
}

"""Attacks on a conversion of BER whose work is not linear, at several sizes. tests/ber/test_work.py counts them.

    python -m support.ber_work COUNT[,COUNT...]

The size of the input of a case is proportional to COUNT. The script calls `os.getppid` between the cases, as
`support.work` does.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

from support.der import der

import derlib
from derlib import (
    BitString,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Real,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    ber,
)

END = bytes(2)


class Bits(NamedBits):
    first = 1


class Number(Sequence):
    value: int = 0


class Nested(Sequence):
    """A DEFAULT value inside DEFAULT values."""

    one: Annotated[Number, Implicit(1)] = Number()
    two: Annotated[Number, Implicit(2)] = Number()


TYPES = OpenTypes("TYPES", {"1.2.3": SetOf[int]}, on_mismatch="opaque")


class Typed(Sequence):
    """A list of values whose type the selector chooses."""

    kind: ObjectIdentifier
    values: SequenceOf[Annotated[Any, DefinedBy("kind", TYPES)]]


LATE = OpenTypes("LATE")


class Head(Sequence):
    number: int | None = None
    kind: ObjectIdentifier


class Late(Sequence):
    """The selector is inside another component, after a list."""

    before: SequenceOf[derlib.TLV]
    head: Head
    value: Annotated[Any, DefinedBy("head.kind", LATE)]
    other: Annotated[Any, DefinedBy("head.kind", LATE), Explicit(1)] | None = None


LATE.register("1.2.3", Late)
LATE.register("1.2.4", SequenceOf[derlib.TLV])
HEAD = bytes.fromhex("3080 06022a04") + END
NESTED_HEAD = bytes.fromhex("3080 06022a03") + END


def late(levels: int, count: int) -> bytes:
    """Return a `Late` inside other ones, each with this many elements before its selector."""
    before = indefinite(0x30, b"\5\0" * count)
    octets = indefinite(0x30, before + HEAD + before)
    for _ in range(levels - 1):
        octets = indefinite(0x30, before + NESTED_HEAD + octets)
    return octets


class Kept(SequenceOf[int], ber="keep"):
    """Elements that are copied."""


class Pair(Set):
    first: int
    second: bytes


def indefinite(identifier: int, contents: bytes) -> bytes:
    return bytes([identifier, 0x80]) + contents + END


def attack(type_: Any, octets: Callable[[int], bytes]) -> Callable[[int], None]:
    """Return a function that converts an input of a size; it can be invalid."""
    def run(count: int) -> None:
        with contextlib.suppress(derlib.ASN1Error):
            ber.convert(octets(count), type_)

    return run


def read_changes(count: int) -> None:
    converted = ber.convert(indefinite(0x30, b"\x30\x80\x01\x01\x01\0\0" * count))
    for change in converted.changes:
        converted.origin(change.output.offset)
        converted.destination(change.input.offset)


def numbers(count: int) -> bytes:
    return b"".join(b"\x02\x04" + (0x7F000000 - number).to_bytes(4, "big") for number in range(count))


CASES: dict[str, Callable[[int], None]] = {
    "segments": attack(OctetString, lambda n: indefinite(0x24, b"\x04\0" * n)),
    "segments in segments": attack(OctetString, lambda n: indefinite(0x24, indefinite(0x24, b"\x04\0") * n)),
    "segments of bits": attack(BitString, lambda n: indefinite(0x23, b"\x03\x02\0\xff" * n)),
    "nested segments": attack(OctetString, lambda n: b"\x24\x80" * 50 + b"\x04\0" * n + END * 50),
    "segments of a time": attack(GeneralizedTime, lambda n: indefinite(0x38, b"\x04\1000" * n)),
    "segments of named bits": attack(Bits, lambda n: indefinite(0x23, b"\x03\x02\0\0" * n)),
    "an indefinite length that does not end": attack(None, lambda n: b"\x30\x80" + b"\x02\1\5" * n),
    "indefinite lengths": attack(None, lambda n: indefinite(0x30, b"\x30\x80\0\0" * n)),
    "nested indefinite lengths": attack(None, lambda n: indefinite(0x30, (b"\x30\x80" * 50 + END * 50) * (n // 50))),
    "long lengths": attack(None, lambda n: indefinite(0x30, (b"\x04\xfe" + bytes(126)) * (n // 100))),
    "a SET OF in reverse": attack(SetOf[int], lambda n: der(0x31, numbers(n))),
    "equal elements of a SET OF": attack(SetOf[bytes], lambda n: der(0x31, b"\x04\1b" + b"\x04\1a" * n)),
    "nested SETs OF": attack(SetOf[derlib.TLV], lambda n: indefinite(0x31, indefinite(0x31, numbers(10)) * (n // 10))),
    "a SET without a type": attack(None, lambda n: der(0x31, b"\x02\1\5" + b"\x01\1\1" * n)),
    "SETs inside one another": attack(None, lambda n: b"\x31\x80" * 50 + numbers(n) + END * 50),
    "SETs of two components": attack(SequenceOf[Pair], lambda n: der(0x30, b"\x31\6\x04\1a\x02\1\5" * n)),
    "nested DEFAULT values": attack(SequenceOf[Nested], lambda n: der(0x30, b"\x30\x07\xa1\x05\2\x81\0\1\0" * n)),
    "open types": attack(Typed, lambda n: indefinite(0x30, b"\6\2\x2a\3" + der(0x30, b"\x31\3\2\1\5" * n))),
    "mismatches of open types": attack(Typed, lambda n: indefinite(0x30, der(0x30,
        b"\x31\3\1\1\5" * n) + b"\6\2\x2a\3")),
    "selectors after a list": attack(Late, lambda n: late(1, n)),
    "selectors of many elements": attack(SequenceOf[Late], lambda n: indefinite(0x30, late(1, 3) * (n // 10))),
    "nested selectors after lists": attack(Late, lambda n: late(40, n // 40)),
    "a selector that is absent": attack(Late, lambda n: indefinite(0x30, indefinite(0x30, b"\5\0" * n) + b"\5\0" * n)),
    "a selector after elements of other types": attack(
        Late, lambda n: indefinite(0x30, b"\5\0" * n + HEAD + b"\x30\0")),
    "two open types with one selector": attack(Late, lambda n: indefinite(
        0x30, b"\x30\0" + HEAD + indefinite(0x30, b"\5\0" * n) + indefinite(0xA1, indefinite(0x30, b"\5\0" * n)))),
    "fractions": attack(GeneralizedTime, lambda n: der(0x18, b"2000010100." + b"1" * n + b"Z")),
    "digits of a REAL": attack(Real, lambda n: der(0x09, b"\3" + b"1" * n + b",E1")),
    "a mantissa": attack(Real, lambda n: der(0x09, b"\x90\0" + b"\x55" * n + b"\x50")),
    "zeros before a mantissa": attack(Real, lambda n: der(0x09, b"\x90\0" + bytes(n) + b"\1")),
    "zeros after named bits": attack(Bits, lambda n: der(0x03, b"\0\x80" + bytes(n))),
    "kept elements": attack(SequenceOf[Kept], lambda n: indefinite(0x30, b"\x30\x80\2\1\5\0\0" * n)),
    "kept elements that are DER": attack(SequenceOf[Kept], lambda n: indefinite(0x30, b"\x30\3\2\1\5" * n)),
    "ambiguous elements": attack(None, lambda n: indefinite(0x30, b"\xa0\x80\4\1a\0\0" * n)),
    "changes": read_changes,
}


if __name__ == "__main__":
    # The garbage collector could run at one size and not at another.
    gc.disable()
    os.getppid()
    for run in CASES.values():
        for size in sys.argv[1].split(","):
            run(int(size))
            os.getppid()

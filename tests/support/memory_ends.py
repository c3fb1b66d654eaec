"""The script that `test_memory_safety` runs in its own process: each operation of the core when memory runs out.

Each allocation fails once, alone and together with all later ones. The operation must return its usual result, or raise
MemoryError; anything else ends the process.

`to_json`, `from_json` and `pickle.dumps` are not included: Python's json module does not survive it, and its pickle
module reports a failed import.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import gc
import itertools
import os
import pickle
import sys
from collections.abc import Callable
from typing import Annotated, Any

import derlib
from derlib import (
    BitString,
    Choice,
    DecodeError,
    DefinedBy,
    Deviation,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
    UTCTime,
    ber,
)

TABLE = OpenTypes("TABLE", {"1.2.3": SequenceOf[int]})


class Arms(Choice):
    number: Annotated[int, Implicit(0)]
    text: str


class Pair(Sequence):
    number: int
    list: SequenceOf[int]


class Everything(Sequence, extensible=True):
    key: ObjectIdentifier
    value: Annotated[Any, DefinedBy("key", TABLE)]
    arms: Arms
    pair: Annotated[Pair, Explicit(1)]
    pairs: SetOf[Pair]
    when: UTCTime
    octets: bytes
    bits: BitString
    big: int


FIELDS = {
    "key": ObjectIdentifier("1.2.3"), "value": [1, 2], "arms": Arms(text="a"), "pair": {"number": 1, "list": range(5)},
    "pairs": [{"number": number, "list": [number]} for number in range(5)], "when": "260102030405Z",
    "octets": b"abc", "bits": BitString(b"\xa0", 5), "big": 1 << 200,
}
DATA = Everything(**FIELDS).encode()
DATA = b"\x30\x81" + bytes([DATA[2] + 3]) + DATA[3:] + b"\x89\x01\xff"  # an unknown addition
PICKLE = pickle.dumps(Everything.decode(DATA))


def refuse() -> object:
    try:
        return Everything.decode(DATA[:-3] + b"\x02\x01\x00")
    except DecodeError as error:
        return error.path


OPERATIONS: dict[str, Callable[[], object]] = {
    "decode": lambda: Everything.decode(DATA),
    "decode a buffer": lambda: Everything.decode(bytearray(DATA)),
    "tolerate": lambda: Everything.decode(DATA, tolerate=~Deviation(0)),
    "refuse": refuse,
    "parse": lambda: derlib.parse(DATA).children,
    "read": lambda: tuple(map(Everything.decode(DATA).__getattribute__, FIELDS)),
    "index": lambda: Everything.decode(DATA).pairs[3].list[0],
    "slice": lambda: Everything.decode(DATA).pairs[1:4],
    "iterate": lambda: list(Everything.decode(DATA).pair.list),
    "show": lambda: repr(Everything.decode(DATA)),
    "show a list": lambda: repr(Everything.decode(DATA).pairs),
    "hash": lambda: hash(Everything.decode(DATA)),
    "locate": lambda: Everything.decode(DATA).span("pair", "list", 3),
    "make plain data": lambda: Everything.decode(DATA).to_native(),
    "build": lambda: Everything(**FIELDS),
    "encode": lambda: derlib.encode(FIELDS, Everything),
    "replace": lambda: Everything.decode(DATA).replace(big=5),
    "look up": lambda: Everything.decode(DATA).pairs.index_by("number").find(3),
    "reduce": lambda: Everything.decode(DATA).__reduce_ex__(2),
    "unpickle": lambda: pickle.loads(PICKLE),
    "copy": lambda: copy.deepcopy(Everything.decode(DATA)),
    "compare": lambda: Everything.decode(DATA) == Everything.decode(DATA),
}


# BER of `Outer`: lengths, segments, orders, a time, and kept elements that are not DER.
class Kept(Sequence, ber="keep"):
    number: int


class Outer(Sequence):
    text: bytes
    numbers: SetOf[int]
    when: UTCTime
    kept: SequenceOf[Kept]
    flag: bool = False


BER = bytes.fromhex(
    "3080 2480 040161 2403 040162 0000 3106 020102 020101 170b") + b"2601020304Z" + bytes.fromhex(
    "3080 3080 020105 0000 3003 020107 0000 010100 0000")  # fmt: skip
IN_DER = Outer(text=b"ab", numbers=[1, 2], when="260102030400Z", kept=[{"number": 7}], flag=True).encode()


def refuse_ber() -> object:
    try:
        return Outer.decode(BER[:-7], rules="ber")
    except DecodeError as error:
        return error.path, error.offset


def positions() -> object:
    converted = ber.convert(BER, Outer)
    return [converted.origin(n) for n in range(len(converted.der))], [converted.destination(n) for n in range(len(BER))]


OPERATIONS |= {
    "convert": lambda: ber.convert(BER, Outer).der,
    "convert without a type": lambda: ber.convert(BER).ambiguous,
    "convert and keep": lambda: len(ber.convert(BER, Outer, keep=["numbers", "kept[0]", Kept]).changes),
    "refuse BER": refuse_ber,
    "list changes": lambda: list(ber.convert(BER, Outer).changes),
    "list kept elements": lambda: [(kept.path, str(kept.error)) for kept in ber.convert(BER, Outer).kept],
    "list kept elements of DER": lambda: ber.convert(IN_DER, Outer, keep=["numbers[*]", SetOf[int]]).kept,
    "find positions": positions,
    "decode BER": lambda: Outer.decode(b"\x30\x80" + IN_DER[2:] + bytes(2), rules="ber").kept[0].number,
    "parse BER": lambda: [element.span for element in derlib.parse_ber(BER).walk()],
    "read segments": lambda: derlib.parse_ber(BER).children[0].value,
}


# Values for which the writer needs larger and larger buffers.
LARGE = [bytes(3000)] * 40
LARGE_FIELDS = {**FIELDS, "octets": bytes(40_000), "pairs": [{"number": 1, "list": [1 << 8000] * 40}]}
OPERATIONS |= {
    "build a large list": lambda: SequenceOf[bytes](LARGE),
    "build a large list from an iterator": lambda: SequenceOf[bytes](iter(LARGE)),
    "encode a large set": lambda: derlib.encode(LARGE, SetOf[bytes]),
    "build a large value": lambda: Everything(**LARGE_FIELDS),
    "encode a large value": lambda: derlib.encode(LARGE_FIELDS, Everything),
    "encode pieces": lambda: derlib._core.encode_elements(SequenceOf[bytes].__plan__, LARGE),
    "tolerate much": lambda: SequenceOf[bool].decode(
        b"\x30\x5a" + b"\x01\x01\x01" * 30, tolerate=Deviation.BOOLEAN_TRUE).deviations[-1].path,
}

# A part that the writer copies later, and a value with fields that the fast path of JSON text writes.
PAIR = Pair(number=300, list=range(6000))
PAIR.encode()


class Parts(Sequence):
    number: int
    pair: Pair
    octets: OctetString


def joined_after_a_failure() -> bytes:
    """Encode a value in parts; a failure leaves it as it was."""
    value = Parts(number=1, pair=PAIR, octets=b"abc")
    with contextlib.suppress(MemoryError):
        value.encode()
    return value.encode()


REPEATED = SequenceOf[Pair]({"number": 5, "list": [number]} for number in range(300))
OPERATIONS |= {
    "build a value in parts": lambda: Parts(number=1, pair=PAIR, octets=b"abc"),
    "replace in a value in parts": lambda: Parts(number=1, pair=PAIR, octets=b"abc").replace(number=2).encode(),
    "join parts": joined_after_a_failure,
    "look up a repeated value": lambda: type(REPEATED).decode(REPEATED.encode()).index_by("number").find(5),
    "write JSON text": lambda: derlib._core.json_text(Everything.decode(DATA), str),
    "write long JSON text": lambda: derlib._core.json_text(PAIR, str),
}

# More allocations than any operation here needs.
ALLOCATIONS = 400
# CPython 3.10 ends the process if it has no memory for the MemoryError.
LASTING = (False, True) if sys.version_info >= (3, 11) else (False,)


def with_less_memory(operation: Callable[[], object], start: int, lasting: bool) -> object:
    """Return the result or MemoryError if allocation `start` fails, and with `lasting` all later ones."""
    import _testcapi  # here, since pytest imports every module of this folder, and some Pythons do not have it

    _testcapi.set_nomemory(start, 0 if lasting else start + 1)
    try:
        return operation()
    except MemoryError:
        return MemoryError
    finally:
        _testcapi.remove_mem_hooks()


class Mallinfo2(ctypes.Structure):
    """The result of `mallinfo2` of the C library."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def in_use() -> int:
    """Return how many bytes of the C library's memory are in use: arenas of small objects, and larger blocks."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo2
    now = mallinfo2()
    return now.uordblks + now.hblkhd


# The growth that is allowed after many failures: small objects that the interpreter stores for reuse. A buffer that
# leaks in each failure would be ten times as much.
KEPT = 1 << 16
# A sanitizer does not free memory immediately.
COUNTS = sys.platform != "win32" and hasattr(ctypes.CDLL(None), "mallinfo2") and "LD_PRELOAD" not in os.environ


def memory_kept(operation: Callable[[], object]) -> int:
    """Return how many more bytes are in use after each allocation of an operation failed, repeatedly."""
    before = in_use()
    for start in (*range(ALLOCATIONS), *range(ALLOCATIONS)):
        with_less_memory(operation, start, False)
    gc.collect()
    return in_use() - before


def main() -> None:
    for name, operation in OPERATIONS.items():
        wanted, failed = operation(), 0
        for start, lasting in itertools.product(range(ALLOCATIONS), LASTING):
            given = with_less_memory(operation, start, lasting)
            assert given is MemoryError or given == wanted, (name, start, given)
            failed += given is MemoryError
        assert failed, name
        assert given == wanted, name
        kept = memory_kept(operation) if COUNTS else 0
        assert kept < KEPT, (name, kept)
        print(name, failed, kept)


if __name__ == "__main__":
    main()

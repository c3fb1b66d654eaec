"""The script that tests/ber/test_small_stacks.py runs in its own process: convert one deeply nested value.

    python tests/support/small_ber_stacks.py CASE DEPTH

It prints a line if a thread with a small stack converted the value.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from support.small_stacks import KEY, STACK, TYPES, in_a_thread, nested

from derlib import Limits, ber

END = bytes(2)


def indefinite(identifier: int, before: bytes = b"") -> Callable[[bytes], bytes]:
    return lambda inner: bytes([identifier, 0x80]) + before + inner + END


def external(levels: int) -> bytes:
    # Each EXTERNAL holds its value under an explicit tag, which is one more level.
    return nested(levels // 2, lambda inner: b"\x28\x80\x02\x01\x01\xa0\x80" + inner + END + END, b"\x05\x00")


# Each type, and BER of a value with this many levels of nesting.
CASES: dict[str, tuple[Any, Callable[[int], bytes]]] = {
    "sequences": (None, lambda depth: nested(depth, indefinite(0x30))),
    "sets": (None, lambda depth: nested(depth, indefinite(0x31))),
    "strings": (None, lambda depth: nested(depth, indefinite(0x24))),
    "bits": (None, lambda depth: nested(depth, indefinite(0x23))),
    "EXTERNAL": (None, external),
    "Lists": (TYPES["Lists"][0], lambda depth: nested(depth, indefinite(0x30))),
    "Sets": (TYPES["Sets"][0], lambda depth: nested(depth, indefinite(0x31))),
    "Fields": (TYPES["Fields"][0], lambda depth: nested(depth, indefinite(0x30))),
    "Both": (TYPES["Both"][0], lambda depth: nested(depth // 2, lambda inner: b"\x30\x80\x30\x80" + inner + END + END)),
    "Members": (TYPES["Members"][0], lambda depth: nested(depth, indefinite(0x31))),
    "Arms": (TYPES["Arms"][0], lambda depth: nested(depth, indefinite(0xA0), b"\x02\x01\x05")),
    "Typed": (TYPES["Typed"][0], lambda depth: nested(depth, indefinite(0x30, KEY))),
    "Opaque": (TYPES["Opaque"][0], lambda depth: nested(depth, indefinite(0x30, KEY))),
    "Mixed": (TYPES["Mixed"][0], lambda depth: nested(depth, indefinite(0x30, KEY))),
}


def main() -> None:
    type_, make = CASES[sys.argv[1]]
    depth = int(sys.argv[2])
    octets = make(depth)
    limits = Limits(depth=depth)
    # Imports and other work that is done once need more of the stack than the conversion.
    in_a_thread(16 << 20, lambda: ber.convert(octets, type_, limits=limits))
    in_a_thread(STACK, lambda: ber.convert(octets, type_, limits=limits))
    print("converted", flush=True)


if __name__ == "__main__":
    main()

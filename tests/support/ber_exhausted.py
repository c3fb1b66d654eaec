"""Convert BER in this process while the C library has too little memory: each growing array fails at each of its sizes.

``python -m support.ber_exhausted CASE``: the cases are those of `support.ber_memory`. It prints how often a conversion
raised MemoryError. Only Linux has RLIMIT_AS and /proc.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from typing import Any

from support.ber_memory import CASES

from derlib import ber

# The memory that a conversion is given in addition, from 256 KiB to 256 MiB.
ROOMS = [1 << power for power in range(18, 29)]


def address_space() -> int:
    """Return the size of the memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()


def facts(data: bytes, type_: Any) -> tuple[bytes, int, int]:
    converted = ber.convert(data, type_)
    return converted.der, len(converted.changes), converted.origin(len(converted.der) // 2)


def facts_with(room: int, data: bytes, type_: Any) -> tuple[bytes, int, int] | None:
    """Return `facts` with this much memory; None if it raises MemoryError."""
    no_limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + room, no_limit[1]))
    try:
        return facts(data, type_)
    except MemoryError:
        return None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, no_limit)


def main(name: str) -> None:
    type_, first, contents = CASES[name]
    data = b"%c\x80%b\0\0" % (first, contents())
    # First with too little memory, because freed memory is used again.
    found = [facts_with(room, data, type_) for room in ROOMS]
    expected = facts(data, type_)
    assert all(one is None or one == expected for one in found)
    print(found.count(None))


if __name__ == "__main__":
    main(*sys.argv[1:])

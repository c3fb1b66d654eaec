"""One target under libFuzzer, by atheris: `.ci/fuzz` calls it in a build that counts edges.

    python -m fuzz.run TARGET [libFuzzer's options and folders]

The pure-Python modules of derlib are instrumented too, so that new edges there count as those of the core do.
"""

from __future__ import annotations

import random
import sys
from typing import Any


def mutator(header: int, own: Any, mutate: Any) -> Any:
    """Usually mutate the structure (`mutate`), otherwise use libFuzzer's `own` changes, some only in the header."""
    def changed(data: bytes, size: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if len(data) <= header or chance.randrange(8) < 3:
            return bytes(own(data, size))
        room = max(size - header, 1)
        front = bytearray(data[:header])
        if front and chance.randrange(4) == 0:
            front[chance.randrange(header)] = chance.choice((0, 0x7F, 0x80, 0xFF, chance.randrange(256)))
            if chance.randrange(2):
                return bytes(front) + data[header:size]
        return bytes(front) + mutate(data[header:], room, seed, lambda octets: bytes(own(octets or b"\0", room)))
    return changed


def main() -> None:
    # Imported here, because the tests import this module without atheris.
    import atheris

    with atheris.instrument_imports(include=["derlib"]):
        import derlib.cache
        import derlib.cli.app  # noqa: F401

    from .mutate import mutate
    from .targets import TARGETS

    chosen = TARGETS[sys.argv[1]]
    more: dict[str, Any] = {"custom_mutator": mutator(chosen.header, atheris.Mutate, mutate)} if chosen.der else {}
    atheris.Setup([sys.argv[0], *sys.argv[2:]], chosen.run, **more)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""One target under libFuzzer, by atheris: `.ci/fuzz` calls it in a build that counts edges.

    python -m fuzz.run TARGET [libFuzzer's options and folders]

The pure-Python modules of derlib are instrumented too, so that new edges there count as those of the core do.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import atheris

with atheris.instrument_imports(include=["derlib"], enable_loader_override=False):
    pass

from .mutate import mutate
from .targets import TARGETS


def mutator(header: int) -> Any:
    """Half of the changes know of tags and lengths (`mutate`), half are libFuzzer's own."""
    def changed(data: bytes, size: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if len(data) <= header or chance.randrange(8) < 3:
            made: bytes = atheris.Mutate(data, size)
            return made
        front, rest = data[:header], data[header:]
        room = max(size - header, 1)
        return front + mutate(rest, room, seed, lambda octets: bytes(atheris.Mutate(octets or b"\0", room)))
    return changed


def main() -> None:
    name = sys.argv[1]
    chosen = TARGETS[name]
    more: dict[str, Any] = {"custom_mutator": mutator(chosen.header)} if chosen.der else {}
    atheris.Setup([sys.argv[0], *sys.argv[2:]], chosen.run, **more)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

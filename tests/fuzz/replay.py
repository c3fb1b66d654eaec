"""All targets without a fuzzer: the seeds, then changes to them at random, for a time.

    python -m fuzz.replay SECONDS [TARGET ...]      in all; the seeds are made on the fly
    python -m fuzz.replay FILE TARGET               one input, such as one that the fuzzer found

No edges are counted, so nothing is kept: `.ci/fuzz` does this where there is no clang, and `make test` for a moment.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from .mutate import mutate, plainly
from .seeds import SIZE, seeds
from .targets import TARGETS

FIRST = 1500


def replay(name: str, seconds: float, seed: int = 0) -> int:
    """Run the seeds of a target, then changes to them until the time is over, and return the number of runs.

    An exception of a target has a note with the input in hexadecimal.
    """
    chosen = TARGETS[name]
    chance = random.Random(seed)
    pool = sorted({octets for octets in seeds(name) if len(octets) <= SIZE})
    chance.shuffle(pool)
    start = time.monotonic()
    runs = 0
    while time.monotonic() - start < seconds or runs == 0:
        data = pool[runs % len(pool)]
        if runs >= min(FIRST, len(pool)):
            front, rest = data[: chosen.header], data[chosen.header :]
            if chance.randrange(8) == 0:
                front = bytes(chance.randrange(256) for _ in front)
            if chosen.der and chance.randrange(8):
                rest = mutate(rest, 2 * SIZE, chance.randrange(2**32))
            else:
                rest = plainly(rest, chance, None)
            data = front + rest
        try:
            chosen.run(data)
        except BaseException:
            print(f"{name} fails for this input: {data.hex()}", file=sys.stderr, flush=True)
            raise
        runs += 1
    return runs


def main() -> None:
    first, *names = sys.argv[1:]
    if not first.replace(".", "", 1).isdecimal():
        TARGETS[names[0]].run(Path(first).read_bytes())
        return
    names = names or list(TARGETS)
    for name in names:
        print(f"{name}: {replay(name, float(first) / len(names))} runs", flush=True)


if __name__ == "__main__":
    main()

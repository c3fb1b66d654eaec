"""All targets without a fuzzer: seeds, then changes to them at random.

    python -m fuzz.replay SECONDS [TARGET ...]      for so long in all
    python -m fuzz.replay fixed [TARGET ...]        the number of inputs that `TARGETS` has for each
    python -m fuzz.replay FILE TARGET               one input, such as one that the fuzzer found

This counts no edges and keeps no inputs. `.ci/fuzz` uses it without clang. `.ci/run` and `make test` run a fixed number
of inputs, so that a slow machine finds what a fast one does. The inputs follow from the seed, the source and the
versions of the packages that have test data; their digest is printed.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from .mutate import mutate, plainly
from .seeds import SIZE, seeds
from .targets import TARGETS, fixed_keys

FIRST = 1500


def inputs(name: str, seed: int = 0, first: int = FIRST, *, shared: bool = True) -> Iterator[bytes]:
    """Yield at most `first` seeds of a target, then changes to seeds, without end."""
    chosen = TARGETS[name]
    chance = random.Random(seed)
    pool = sorted({octets for octets in seeds(name, shared=shared) if len(octets) <= SIZE})
    chance.shuffle(pool)
    yield from pool[:first]
    while True:
        data = chance.choice(pool)
        front, rest = data[: chosen.header], data[chosen.header :]
        if chance.randrange(8) == 0:
            front = bytes(chance.randrange(256) for _ in front)
        if chosen.der and chance.randrange(8):
            rest = mutate(rest, 2 * SIZE, chance.randrange(2**32))
        else:
            rest = plainly(rest, chance, None)
        yield front + rest


def run(name: str, data: bytes) -> None:
    """Run a target. Before an exception, print the input in hexadecimal."""
    try:
        with fixed_keys():
            TARGETS[name].run(data)
    except BaseException:
        print(f"{name} fails for this input: {data.hex()}", file=sys.stderr, flush=True)
        raise


def replay(name: str, seconds: float, seed: int = 0) -> int:
    """Run inputs of a target until the time is over, and return their number."""
    start = time.monotonic()
    runs = 0
    for data in inputs(name, seed):
        run(name, data)
        runs += 1
        if time.monotonic() - start >= seconds:
            break
    return runs


def fixed(name: str, seed: int = 0) -> Iterator[bytes]:
    """Yield as many inputs as a target has in `TARGETS`, the same on every machine: a third are seeds.

    They do not depend on the shared data, which not every machine has.
    """
    count = TARGETS[name].runs
    return islice(inputs(name, seed, count // 3, shared=False), count)


def digest(given: Iterable[bytes]) -> str:
    """Return a digest of inputs."""
    found = hashlib.sha256()
    for data in given:
        found.update(hashlib.sha256(data).digest())
    return found.hexdigest()[:16]


def main() -> None:
    first, *names = sys.argv[1:]
    if first != "fixed" and not first.replace(".", "", 1).isdecimal():
        run(names[0], Path(first).read_bytes())
        return
    names = names or list(TARGETS)
    for name in names:
        if first == "fixed":
            given = list(fixed(name, 1))
            for data in given:
                run(name, data)
            print(f"{name}: {len(given)} runs, digest of the inputs {digest(given)}", flush=True)
        else:
            print(f"{name}: {replay(name, float(first) / len(names))} runs", flush=True)


if __name__ == "__main__":
    main()

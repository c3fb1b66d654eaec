"""What a peer's module gives for an operation: something to call, and how to see what it did. Called by peers' modules.

Timing stands here too, so that a worker and the demo do it alike: the garbage collector is emptied before and switched
off during a run, and what a run returned is destroyed after its time was taken.
"""

import gc
import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

LEAST_NANOSECONDS = 2_000_000
"""Calls that are shorter are repeated until a run takes about as long: the clock and the loop then weigh little."""


class Unavailable(Exception):
    """This peer cannot work on this machine; the message says why. Raised by a peer's module or its operations."""


@dataclass
class Task:
    """One operation on one input, ready to run.

    `call` is what is timed. With `setup`, which is not timed, each run calls `setup` and gives its result to `call`,
    for work that can be done once only. `facts` takes the result of `call` and yields what was read or written as plain
    values (`int`, `str`, `bytes`, tuples): those of all sides of a case are compared before anything is timed.
    `loops` is how often a run repeats the call; 0 finds out how many make a run long enough.
    A figure is the milliseconds of one call divided by `per`, and `unit` says what that is.
    """

    call: Callable[..., object]
    facts: Callable[[Any], Iterable[object]] | None = None
    setup: Callable[[], object] | None = None
    loops: int = 0
    per: float = 1.0
    unit: str = "ms"

    def once(self) -> object:
        """Do it without looking at the clock."""
        return self.call(self.setup()) if self.setup else self.call()

    def run(self) -> float:
        """Do it once, or as often as makes one run long enough, and return the figure of one call."""
        if self.setup:
            return self.timed_with_setup() / 1e6 / self.per
        if not self.loops:
            self.loops = self.enough()
        return self.timed(self.loops) / self.loops / 1e6 / self.per

    def enough(self) -> int:
        """How many calls make a run long enough.

        A single call says little of that: the first ones after the collector ran find nothing in the caches.
        """
        loops, taken = 1, self.timed(1)
        while taken < LEAST_NANOSECONDS:
            loops = min(10 * loops, math.ceil(1.2 * loops * LEAST_NANOSECONDS / max(1, taken)))
            taken = self.timed(loops)
        return loops

    def timed(self, loops: int) -> int:
        """The nanoseconds of so many calls."""
        call = self.call
        gc.collect()
        gc.disable()
        try:
            start = perf_counter_ns()
            for _ in range(loops):
                result = call()
            stop = perf_counter_ns()
        finally:
            gc.enable()
        del result
        return stop - start

    def timed_with_setup(self) -> int:
        """The nanoseconds of one call on what was just set up."""
        assert self.setup is not None
        given = self.setup()
        gc.collect()
        gc.disable()
        try:
            start = perf_counter_ns()
            result = self.call(given)
            stop = perf_counter_ns()
        finally:
            gc.enable()
        del result
        return stop - start


def digest(facts: Iterable[object]) -> dict[str, object]:
    """A hash of facts in their order, with their number and the first and last of them for people."""
    hashed = hashlib.sha256()
    count, first, last = 0, "", ""
    for fact in facts:
        text = repr(fact)
        hashed.update(text.encode("utf-8", "backslashreplace") + b"\n")
        first = text if count == 0 else first
        last = text
        count += 1
    return {"sha256": hashed.hexdigest(), "count": count, "first": first[:200], "last": last[:200]}

"""The task that a peer's module returns for an operation: the code that is timed, and the facts that it read or wrote.

Called by the peers' modules, the worker and bench/demo.py. Timing is here, so that all of them do it alike: the garbage
collector runs before a run and is off during it, and the last result of a run is destroyed after the clock has stopped.
"""

import gc
import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

LEAST_NANOSECONDS = 2_000_000
"""Shorter calls are repeated until a run takes about this long, so that the clock and the loop weigh little."""


class Unavailable(Exception):
    """A peer cannot do this on this machine; the message says why. Raised by peers' modules."""


@dataclass
class Task:
    """One operation on one input, ready to run.

    `call` is timed. With `setup`, which is not timed, each run passes the result of `setup` to `call`, for work that
    can be done only once. `facts` takes the result of `call` and yields what was read or written as plain values; they
    are compared between the sides of a case before anything is timed.
    A run repeats the call `loops` times; 0 means as often as makes a run long enough.
    A figure is the time of one call in nanoseconds, divided by `per`; `unit` names it, for example "ns/packet".
    """

    call: Callable[..., object]
    facts: Callable[[Any], Iterable[object]] | None = None
    setup: Callable[[], object] | None = None
    loops: int = 0
    per: float = 1.0
    unit: str = "ns"

    def once(self) -> object:
        """Do the work without timing it, and return its result."""
        return self.call(self.setup()) if self.setup else self.call()

    def run(self) -> float:
        """Do one run, and return its figure."""
        if self.setup:
            return self.timed_with_setup() / self.per
        if not self.loops:
            self.loops = self.enough()
        return self.timed(self.loops) / self.loops / self.per

    def enough(self) -> int:
        """Return how many calls make a run long enough.

        One call is not enough to know: the first calls after the collector ran find nothing in the caches.
        """
        loops, taken = 1, self.timed(1)
        while taken < LEAST_NANOSECONDS:
            loops = min(10 * loops, math.ceil(1.2 * loops * LEAST_NANOSECONDS / max(1, taken)))
            taken = self.timed(loops)
        return loops

    def timed(self, loops: int) -> int:
        """Return the nanoseconds of this many calls."""
        call = self.call
        result: object = None
        gc.collect()
        gc.disable()
        try:
            start = perf_counter_ns()
            for _ in range(loops):
                # Destroy the last result first. glibc returns the memory of two large results to the system after each
                # run, so a side with several loops would pay for page faults that a side with one loop does not have.
                result = None
                result = call()
            stop = perf_counter_ns()
        finally:
            gc.enable()
        del result
        return stop - start

    def timed_with_setup(self) -> int:
        """Return the nanoseconds of one call on a fresh result of `setup`."""
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
    """Return a hash of the facts in their order, with their number and, for people, the first and the last."""
    hashed = hashlib.sha256()
    count, first, last = 0, "", ""
    for fact in facts:
        text = repr(fact)
        hashed.update(text.encode("utf-8", "backslashreplace") + b"\n")
        first = text if count == 0 else first
        last = text
        count += 1
    return {"sha256": hashed.hexdigest(), "count": count, "first": first[:200], "last": last[:200]}

"""How the work of all peers of this family is timed and told. Called by the modules that make tasks."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from bench.families.syntax.messages import leaves
from bench.harness import Task

PER = 1e-6
UNIT = "ms per million"
"""libpsyc's unit: the milliseconds that a million messages take."""


def per_million(call: Callable[[], object], facts: Callable[[Any], object] | None = None) -> Task:
    """The task of a small message, whose facts are all its leaves; `facts` makes what has them of what `call` gives."""
    return Task(call, lambda result: leaves(facts(result) if facts else result), per=PER, unit=UNIT)


def unasked(call: Callable[[], object]) -> Task:
    """The task of something on a small message that yields no fields."""
    return Task(call, per=PER, unit=UNIT)


def of_packet(call: Callable[[], object], facts: Callable[[Any], object] | None = None) -> Task:
    """The task of a packet, in milliseconds of one: its payload is told by a hash, as it may be large."""
    return Task(call, lambda result: packet_facts(facts(result) if facts else result))


def packet_facts(packet: object) -> Iterator[object]:
    """The leaves of a packet, octets by their hash."""
    for leaf in leaves(packet):
        if isinstance(leaf, (bytes, bytearray, memoryview)):
            yield len(leaf)
            yield hashlib.sha256(leaf).hexdigest()
        else:
            yield leaf

"""The tasks of this family. Called by the modules that make operations."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from bench.families.syntax.messages import leaves
from bench.harness import Task


def of_message(call: Callable[[], object], facts: Callable[[Any], object] | None = None) -> Task:
    """Return the task of a message; the facts are the leaves of the result of `call`, or of `facts`."""
    return Task(call, lambda result: leaves(facts(result) if facts else result))


def of_packet(call: Callable[[], object], facts: Callable[[Any], object] | None = None) -> Task:
    """Return the task of a packet, whose payload becomes a hash, because it may be large."""
    return Task(call, lambda result: packet_facts(facts(result) if facts else result))


def packet_facts(packet: object) -> Iterator[object]:
    """Yield the leaves of a packet, with a hash in place of bytes."""
    for leaf in leaves(packet):
        if isinstance(leaf, (bytes, bytearray, memoryview)):
            yield len(leaf)
            yield hashlib.sha256(leaf).hexdigest()
        else:
            yield leaf

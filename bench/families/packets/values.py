"""Packets as plain values, the same in every run. Called by the family's inputs and by its codec.

They are like the Data packets of NDN: a name of components, meta information, content, and a signature with information
about it. Nothing is signed; the bytes come from a random generator.
"""

import pickle
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bench.paths import INPUTS, write

Packet: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """The size of a packet: components of its name, and bytes of its content."""

    components: int
    payload: int


@dataclass(frozen=True)
class Work:
    """Packets, and how often a run processes them."""

    packets: list[Packet]
    rounds: int


class Source:
    """Bytes and numbers from a seed; only `Random.random` is the same in every release of Python."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def between(self, low: int, high: int) -> int:
        """Return a random integer, both bounds included."""
        return low + int(self.random() * (high - low + 1))

    def random_bytes(self, count: int) -> bytes:
        """Return random bytes."""
        return bytes(int(self.random() * 256) for _ in range(count))

    def packet(self, shape: Shape, content: bytes) -> Packet:
        """Return a packet with this content."""
        return {
            "name": [self.random_bytes(self.between(4, 12)) for _ in range(shape.components)],
            "meta_info": {
                "content_type": self.between(0, 3),
                "freshness_period": self.between(1, 3_600_000),
                "final_block": self.random_bytes(4),
            },
            "content": content,
            "signature_info": {"signature_type": self.between(0, 5), "key_digest": self.random_bytes(32)},
            "signature_value": self.random_bytes(32),
        }


def packets(shape: Shape, count: int) -> list[Packet]:
    """Return packets of a shape; their contents are copied from one random block."""
    source = Source(7)
    block = source.random_bytes(shape.payload + count)
    return [source.packet(shape, block[at : at + shape.payload]) for at in range(count)]


def store(shape: Shape, distinct: int, rounds: int) -> str:
    """Write packets to a file, with the number of times that a run processes them."""
    path = INPUTS / f"packets-{shape.components}-{shape.payload}-{distinct}x{rounds}.pickle"
    if not path.exists():
        write(path, pickle.dumps((packets(shape, distinct), rounds)))
    return str(path)


def load(path: str) -> Work:
    """Read what `store` wrote."""
    return Work(*pickle.loads(Path(path).read_bytes()))

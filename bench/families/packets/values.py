"""Packets as plain values, always the same ones. Called by the family's inputs and by its codec.

They are like the Data packets of NDN: a name of components, meta information, content, and a signature with what is
said of it. Nothing is signed; the octets come from a generator.
"""

import pickle
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bench.places import INPUTS, write

Packet: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """How large a packet is: components of its name, and octets of its content."""

    components: int
    payload: int


@dataclass(frozen=True)
class Work:
    """Some packets, and how often one run goes through them."""

    packets: list[Packet]
    rounds: int


class Source:
    """Octets and numbers from a seed; only `Random.random` is the same in every release of Python."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self.random() * (high - low + 1))

    def octets(self, count: int) -> bytes:
        """So many octets."""
        return bytes(int(self.random() * 256) for _ in range(count))

    def packet(self, shape: Shape, content: bytes) -> Packet:
        """One packet with this content."""
        return {
            "name": [self.octets(self.between(4, 12)) for _ in range(shape.components)],
            "meta_info": {
                "content_type": self.between(0, 3),
                "freshness_period": self.between(1, 3_600_000),
                "final_block": self.octets(4),
            },
            "content": content,
            "signature_info": {"signature_type": self.between(0, 5), "key_digest": self.octets(32)},
            "signature_value": self.octets(32),
        }


def packets(shape: Shape, count: int) -> list[Packet]:
    """So many packets of a shape; their contents are parts of one block, each its own octets."""
    source = Source(7)
    block = source.octets(shape.payload + count)
    return [source.packet(shape, block[at : at + shape.payload]) for at in range(count)]


def store(shape: Shape, distinct: int, rounds: int) -> str:
    """Write so many packets to a file, with the number of times that a run goes through them."""
    path = INPUTS / f"packets-{shape.components}-{shape.payload}-{distinct}x{rounds}.pickle"
    if not path.exists():
        write(path, pickle.dumps((packets(shape, distinct), rounds)))
    return str(path)


def load(path: str) -> Work:
    """Read what `store` wrote."""
    return Work(*pickle.loads(Path(path).read_bytes()))

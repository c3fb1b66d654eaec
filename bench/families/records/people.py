"""People as plain values, the same in every run. Called by the family's inputs and by its codec.

The fields are those of quickle's benchmark: first and last name, age, and optional addresses, telephone and e-mail
address. The values come from a random generator.
"""

import json
from pathlib import Path
from random import Random
from typing import TypeAlias

from bench.paths import write

Person: TypeAlias = dict[str, object]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
STATES = ("AK", "AL", "AZ", "CA", "CO", "FL", "GA", "HI", "ID", "IL", "KS", "MA", "MI", "NY", "OH", "TX", "UT", "WA")


class Source:
    """Numbers and strings from a seed; only `Random.random` is the same in every release of Python."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def between(self, low: int, high: int) -> int:
        """Return a random integer, both bounds included."""
        return low + int(self.random() * (high - low + 1))

    def text(self, low: int, high: int) -> str:
        """Return random letters."""
        return "".join(LETTERS[self.between(0, len(LETTERS) - 1)] for _ in range(self.between(low, high)))

    def person(self, addresses: int) -> Person:
        """Return a person; two of three have a telephone, and two of three an e-mail address."""
        homes = [
            {
                "street": self.text(10, 40),
                "state": STATES[self.between(0, len(STATES) - 1)],
                "zip": self.between(10_000, 99_999),
            }
            for _ in range(addresses)
        ]
        return {
            "first": self.text(3, 15),
            "last": self.text(3, 15),
            "age": self.between(0, 99),
            "addresses": homes or None,
            "telephone": self.text(9, 9) if self.between(0, 2) else None,
            "email": self.text(15, 30) if self.between(0, 2) else None,
        }


def people(count: int) -> list[Person]:
    """Return people: of six, one has no address, two have one, two have two, one has three."""
    source = Source(42)
    return [source.person((0, 1, 1, 2, 2, 3)[source.between(0, 5)]) for _ in range(count)]


def store(path: Path, count: int) -> str:
    """Write people to a file: a single person as a dict without addresses, more of them as a list."""
    data = {**people(1)[0], "addresses": None} if count == 1 else people(count)
    write(path, json.dumps(data).encode())
    return str(path)

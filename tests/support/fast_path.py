"""Values that go the straight way of the writer, which `test_work.py` counts the instructions of: straight.py.

Run as a script it encodes each case, in the order of CASES, between two marks of bench/harness/callgrind.py.
"""

from __future__ import annotations

import os
from typing import Annotated, Any

import derlib
from derlib import Explicit, Field, Sequence, SequenceOf

COUNT = 1000


class Leaf(Sequence):
    """What a view or a dict stands for."""

    number: int


class Plain(Sequence):
    """Fields of two kinds."""

    number: int
    leaf: Leaf


class Tagged(Sequence):
    """The same with an explicit tag."""

    number: int
    leaf: Annotated[Leaf, Explicit(0)]


class Foreign(Sequence, fields=[Field("größe", int), Field("葉", Leaf)]):
    """The same with names that are not ASCII."""


class Odd(dict[str, Any]):
    """A dict that goes the general way."""


def rows(first: str, second: str, leaf: Any, made: type = dict) -> list[Any]:
    """Dicts whose names are no objects of the program, as a parser of JSON makes them."""
    return [made([("".join(list(first)), 5), ("".join(list(second)), leaf)]) for _ in range(COUNT)]


CASES: dict[str, tuple[Any, list[Any]]] = {
    "dicts": (Plain, rows("number", "leaf", {"number": 5})),
    "views": (Plain, rows("number", "leaf", Leaf(number=5))),
    "explicit dicts": (Tagged, rows("number", "leaf", {"number": 5})),
    "explicit views": (Tagged, rows("number", "leaf", Leaf(number=5))),
    "names": (Foreign, rows("größe", "葉", {"number": 5})),
    "the general way": (Plain, rows("number", "leaf", Odd(number=5), Odd)),
}


if __name__ == "__main__":
    for type_, values in CASES.values():
        # What is made once is not counted.
        derlib.encode(values, SequenceOf[type_])
        os.getppid()
        derlib.encode(values, SequenceOf[type_])
        os.getppid()

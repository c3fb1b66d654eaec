"""Values that the fast path of the writer encodes. `test_work.py` counts the instructions.

As a script, it encodes each case, in the order of CASES, between two marks of bench/harness/callgrind.py.
"""

from __future__ import annotations

import os
from typing import Annotated, Any

import derlib
from derlib import (
    Choice,
    DefinedBy,
    Enumerated,
    Explicit,
    Field,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
)

COUNT = 1000


class Leaf(Sequence):
    """The type of a field, whose value is given as a view or as a dict."""

    number: int


class Plain(Sequence):
    """Two fields."""

    number: int
    leaf: Leaf


class Tagged(Sequence):
    """Two fields, one with an explicit tag."""

    number: int
    leaf: Annotated[Leaf, Explicit(0)]


class Foreign(Sequence, fields=[Field("größe", int), Field("葉", Leaf)]):
    """Two fields whose names are not ASCII."""


class Reason(Enumerated):
    """A value of an open type."""

    unspecified = 0


class Extension(Sequence):
    """An open type in an OCTET STRING."""

    kind: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("kind", OpenTypes("EXTENSIONS", {"2.999.1": Reason}))]


class Alternatives(Choice):
    """A CHOICE."""

    number: int
    extension: Extension


class Odd(dict[str, Any]):
    """A dict that only the general encoder accepts."""


def rows(first: str, second: str, leaf: Any, made: type = dict) -> list[Any]:
    """Return dicts whose keys are new string objects, as a JSON parser makes them."""
    return [made([("".join(list(first)), 5), ("".join(list(second)), leaf)]) for _ in range(COUNT)]


CASES: dict[str, tuple[Any, list[Any]]] = {
    "dicts": (Plain, rows("number", "leaf", {"number": 5})),
    "views": (Plain, rows("number", "leaf", Leaf(number=5))),
    "explicit dicts": (Tagged, rows("number", "leaf", {"number": 5})),
    "explicit views": (Tagged, rows("number", "leaf", Leaf(number=5))),
    "names": (Foreign, rows("größe", "葉", {"number": 5})),
    "the general encoder": (Plain, rows("number", "leaf", Odd(number=5), Odd)),
    "open types": (Alternatives, [{"extension": {"kind": "2.999.1", "value": "unspecified"}}] * COUNT),
    "open types in the general encoder": (
        Alternatives, [Odd(extension=Odd(kind="2.999.1", value="unspecified"))] * COUNT),
}


if __name__ == "__main__":
    for type_, values in CASES.values():
        # The first run is not counted, because it also compiles the schema.
        derlib.encode(values, SequenceOf[type_])
        os.getppid()
        derlib.encode(values, SequenceOf[type_])
        os.getppid()

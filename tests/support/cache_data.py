"""Data of the tests of the cache: a schema, two encodings, a secret."""

from __future__ import annotations

from collections.abc import Callable

from derlib import Sequence, SequenceOf

SECRET = "a secret of some length"

#: The fixture `logged`: returns the warnings since the last call.
Logged = Callable[[], list[str]]


class Order(Sequence):
    number: int
    items: SequenceOf[str]


DATA = Order(number=42, items=["tea", "milk"]).encode()
OTHER_DATA = Order(number=43, items=["tea", "milk"]).encode()

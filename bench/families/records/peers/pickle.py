"""People with pickle of the standard library: as dicts, and as named tuples."""

import pickle
from functools import partial
from typing import NamedTuple

from bench.families.records.codec import Form, alone, builder, for_each, operations, plain_items, read_items, unchanged

write = partial(pickle.dumps, protocol=pickle.HIGHEST_PROTOCOL)


class Address(NamedTuple):
    street: str
    state: str
    zip: int


class Person(NamedTuple):
    first: str
    last: str
    age: int
    addresses: list[Address] | None = None
    telephone: str | None = None
    email: str | None = None


person_of = builder(Person, Address)


dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(unchanged, write, pickle.loads, alone),
    Form(unchanged, write, pickle.loads, unchanged),
    read_items,
    plain_items,
)

dumps_tuples, build_and_dumps_tuples, loads_tuples, loads_and_read_tuples = operations(
    Form(person_of, write, pickle.loads, alone),
    Form(for_each(person_of), write, pickle.loads, unchanged),
)

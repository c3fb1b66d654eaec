"""Persons with quickle: as Structs, and as dicts. quickle cannot be built for CPython 3.11 and later."""

import quickle

from bench.families.records.codec import Form, alone, builder, for_each, itself, operations, plain_items, read_items


class Address(quickle.Struct):
    street: str
    state: str
    zip: int


class Person(quickle.Struct):
    first: str
    last: str
    age: int
    addresses: list[Address] | None = None
    telephone: str | None = None
    email: str | None = None


person_of = builder(Person, Address)


# Its documentation advises to leave out the memory of equal objects where none are shared.
write = quickle.Encoder(registry=[Person, Address], memoize=False).dumps
parse = quickle.Decoder(registry=[Person, Address]).loads
write_dicts, parse_dicts = quickle.Encoder().dumps, quickle.Decoder().loads

dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(person_of, write, parse, alone),
    Form(for_each(person_of), write, parse, itself),
)

dumps_dicts, build_and_dumps_dicts, loads_dicts, loads_and_read_dicts = operations(
    Form(itself, write_dicts, parse_dicts, alone),
    Form(itself, write_dicts, parse_dicts, itself),
    read_items,
    plain_items,
)

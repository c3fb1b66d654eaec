"""People with msgspec: Structs as msgpack with names of fields, as msgpack arrays, and as JSON."""

from typing import Any

import msgspec

from bench.families.records.codec import Form, Operations, alone, builder, for_each, operations, unchanged


class Address(msgspec.Struct):
    street: str
    state: str
    zip: int


class Person(msgspec.Struct):
    first: str
    last: str
    age: int
    addresses: list[Address] | None = None
    telephone: str | None = None
    email: str | None = None


class AddressArray(msgspec.Struct, array_like=True):
    street: str
    state: str
    zip: int


class PersonArray(msgspec.Struct, array_like=True):
    first: str
    last: str
    age: int
    addresses: list[AddressArray] | None = None
    telephone: str | None = None
    email: str | None = None


def made(person_class: Any, address_class: Any, module: Any) -> Operations:
    """Return the operations with these classes and one of msgspec's formats."""
    build = builder(person_class, address_class)
    encode = module.Encoder().encode
    return operations(
        Form(build, encode, module.Decoder(person_class).decode, alone),
        Form(for_each(build), encode, module.Decoder(list[person_class]).decode, unchanged),
    )


dumps, build_and_dumps, loads, loads_and_read = made(Person, Address, msgspec.msgpack)
dumps_arrays, build_and_dumps_arrays, loads_arrays, loads_and_read_arrays = made(
    PersonArray, AddressArray, msgspec.msgpack
)
dumps_json, build_and_dumps_json, loads_json, loads_and_read_json = made(Person, Address, msgspec.json)

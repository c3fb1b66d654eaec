"""People with derlib. A built value holds its bytes, and a decoded one reads its fields from them."""

from typing import Annotated, Any

import derlib
from bench.families.records.codec import Form, alone, for_each, operations, unchanged
from derlib import Implicit, Sequence, SequenceOf


class Address(Sequence):
    street: str
    state: str
    zip: int


class Person(Sequence):
    first: str
    last: str
    age: int
    addresses: Annotated[SequenceOf[Address], Implicit(0)] | None = None
    telephone: Annotated[str, Implicit(1)] | None = None
    email: Annotated[str, Implicit(2)] | None = None


class People(SequenceOf[Person]):
    pass


def dumps_people(people: Any) -> bytes:
    """Encode a list of values that were built before."""
    return derlib.encode(people, People)


dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(
        build=Person.from_native,
        dumps=Person.encode,
        loads=Person.decode,
        each=alone,
        direct=lambda person: derlib.encode(person, Person),
    ),
    Form(
        build=for_each(Person.from_native),
        dumps=dumps_people,
        loads=People.decode,
        each=unchanged,
        direct=dumps_people,
    ),
)

build_object_and_dumps = operations(
    Form(Person.from_native, Person.encode, Person.decode, alone),
    Form(People.from_native, People.encode, People.decode, unchanged),
).build_and_dumps

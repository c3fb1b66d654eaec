"""People with protobuf, as messages."""

from collections.abc import Iterable
from typing import Any

from bench.families.records.codec import Facts, Form, alone, operations
from bench.protobuf_classes import Described, classes

messages = classes(
    "records",
    {
        "Address": Described(street="string", state="string", zip="uint32"),
        "Person": Described(
            first="string",
            last="string",
            age="uint32",
            addresses="repeated Address",
            telephone="optional string",
            email="optional string",
        ),
        "People": Described(people="repeated Person"),
    },
)
Person, People = messages["Person"], messages["People"]


def read(people: Iterable[Any]) -> None:
    """Read every field; another call returns whether a text is present."""
    for person in people:
        _ = person.first
        _ = person.last
        _ = person.age
        for address in person.addresses:
            _ = address.street
            _ = address.state
            _ = address.zip
        _ = person.telephone if person.HasField("telephone") else None
        _ = person.email if person.HasField("email") else None


def plain(person: Any) -> Facts:
    """Return the same fields as plain values."""
    return (
        person.first,
        person.last,
        person.age,
        tuple((address.street, address.state, address.zip) for address in person.addresses),
        person.telephone if person.HasField("telephone") else None,
        person.email if person.HasField("email") else None,
    )


dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(lambda person: Person(**person), Person.SerializeToString, Person.FromString, alone),
    Form(
        lambda people: People(people=people),
        People.SerializeToString,
        People.FromString,
        lambda message: message.people,
    ),
    read,
    plain,
)

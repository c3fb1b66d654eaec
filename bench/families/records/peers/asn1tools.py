"""People with asn1tools, as dicts without keys for absent fields."""

from collections.abc import Iterable
from typing import Any

import asn1tools

from bench.families.records.codec import Form, alone, operations, plain_items, unchanged

SPECIFICATION = asn1tools.compile_string(
    """
    Records DEFINITIONS IMPLICIT TAGS ::= BEGIN
        Address ::= SEQUENCE {
            street UTF8String,
            state  UTF8String,
            zip    INTEGER
        }
        Person ::= SEQUENCE {
            first     UTF8String,
            last      UTF8String,
            age       INTEGER,
            addresses [0] SEQUENCE OF Address OPTIONAL,
            telephone [1] UTF8String OPTIONAL,
            email     [2] UTF8String OPTIONAL
        }
        People ::= SEQUENCE OF Person
    END
    """,
    "der",
)


def person_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return a person without keys for absent fields."""
    return {key: value for key, value in data.items() if value is not None}


def read(people: Iterable[Any]) -> None:
    """Read every field."""
    for person in people:
        _ = person["first"]
        _ = person["last"]
        _ = person["age"]
        for address in person.get("addresses", ()):
            _ = address["street"]
            _ = address["state"]
            _ = address["zip"]
        _ = person.get("telephone")
        _ = person.get("email")


def form(name: str, **functions: Any) -> Form:
    """Return the form of a message of this type."""
    return Form(
        dumps=lambda data: bytes(SPECIFICATION.encode(name, data)),
        loads=lambda encoded: SPECIFICATION.decode(name, encoded),
        **functions,
    )


dumps, build_and_dumps, loads, loads_and_read = operations(
    form("Person", build=person_of, each=alone),
    form("People", build=lambda people: [person_of(person) for person in people], each=unchanged),
    read,
    plain_items,
)

"""People with the ASN.1 of cryptography. A list cannot be a message there, so it is the field of one."""

from typing import Annotated, Any

from bench.harness import Unavailable

try:
    from cryptography.hazmat import asn1
except ImportError as error:
    raise Unavailable(f"this cryptography has no hazmat.asn1: {error}") from None

from bench.families.records.codec import Form, alone, operations


@asn1.sequence
class Address:
    street: str
    state: str
    zip: int


@asn1.sequence
class Person:
    first: str
    last: str
    age: int
    addresses: Annotated[list[Address] | None, asn1.Implicit(0)] = None
    telephone: Annotated[str | None, asn1.Implicit(1)] = None
    email: Annotated[str | None, asn1.Implicit(2)] = None


@asn1.sequence
class People:
    people: list[Person]


def person_of(data: dict[str, Any]) -> Person:
    """Return the object of a person."""
    addresses = data["addresses"]
    return Person(
        first=data["first"],
        last=data["last"],
        age=data["age"],
        addresses=[Address(**address) for address in addresses] if addresses else None,
        telephone=data["telephone"],
        email=data["email"],
    )


dumps, build_and_dumps, loads, loads_and_read = operations(
    Form(person_of, asn1.encode_der, lambda encoded: asn1.decode_der(Person, encoded), alone),
    Form(
        lambda people: People(people=[person_of(person) for person in people]),
        asn1.encode_der,
        lambda encoded: asn1.decode_der(People, encoded),
        lambda message: message.people,
    ),
)

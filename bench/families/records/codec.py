"""What all peers of this family do, given how their libraries do it. Called by the modules in peers/.

A peer has two forms of message: one person, and a list of them. Its operations are made here, so that what is timed
is the same for all: with the library's own calls, and one function that reads every field.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bench.harness import Task

Facts = tuple[object, ...]


@dataclass(frozen=True)
class Form:
    """One form of message.

    `build` makes the library's own object of plain values (dicts and lists), `dumps` octets of that, `loads` an object
    of octets; `each` gives the persons of an object. `straight` makes octets of plain values, where a library can do
    that without an object.
    """

    build: Callable[[Any], Any]
    dumps: Callable[[Any], bytes]
    loads: Callable[[bytes], Any]
    each: Callable[[Any], Iterable[Any]]
    straight: Callable[[Any], bytes] | None = None


class Operations(NamedTuple):
    """The operations of a peer, in the order in which its module names them."""

    dumps: Callable[[str], Task]
    build_and_dumps: Callable[[str], Task]
    loads: Callable[[str], Task]
    loads_and_read: Callable[[str], Task]


def alone(message: Any) -> tuple[Any]:
    """The persons of a message that is one person."""
    return (message,)


def itself(value: Any) -> Any:
    """For libraries whose own objects are plain values, and for lists of persons."""
    return value


def builder(person_class: Any, address_class: Any) -> Callable[[dict[str, Any]], Any]:
    """What makes a person of a class whose fields may be given by place, from a dict."""

    def build(data: dict[str, Any]) -> Any:
        addresses = data["addresses"]
        return person_class(
            data["first"],
            data["last"],
            data["age"],
            [address_class(**address) for address in addresses] if addresses else None,
            data["telephone"],
            data["email"],
        )

    return build


def for_each(build: Callable[[dict[str, Any]], Any]) -> Callable[[list[dict[str, Any]]], list[Any]]:
    """The same for a list of persons."""
    return lambda people: [build(person) for person in people]


def read_attributes(people: Iterable[Any]) -> None:
    """Read every field of objects with attributes."""
    for person in people:
        _ = person.first
        _ = person.last
        _ = person.age
        for address in person.addresses or ():
            _ = address.street
            _ = address.state
            _ = address.zip
        _ = person.telephone
        _ = person.email


def plain_attributes(person: Any) -> Facts:
    """The same fields as plain values."""
    places = tuple((address.street, address.state, address.zip) for address in person.addresses or ())
    return person.first, person.last, person.age, places, person.telephone, person.email


def read_items(people: Iterable[Any]) -> None:
    """Read every field of dicts."""
    for person in people:
        _ = person["first"]
        _ = person["last"]
        _ = person["age"]
        for address in person["addresses"] or ():
            _ = address["street"]
            _ = address["state"]
            _ = address["zip"]
        _ = person["telephone"]
        _ = person["email"]


def plain_items(person: Any) -> Facts:
    """The same fields as plain values."""
    places = tuple((address["street"], address["state"], address["zip"]) for address in person.get("addresses") or ())
    return person["first"], person["last"], person["age"], places, person.get("telephone"), person.get("email")


def operations(
    one: Form,
    many: Form,
    read: Callable[[Iterable[Any]], None] = read_attributes,
    plain: Callable[[Any], Facts] = plain_attributes,
) -> Operations:
    """The operations of a peer; a figure is the time for one person."""

    def chosen(path: str) -> tuple[Form, Any, float]:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        # Milliseconds of a call, divided by thousands of persons: microseconds for one person.
        return (many, data, len(data) / 1000) if isinstance(data, list) else (one, data, 1 / 1000)

    def writing(form: Form, call: Callable[[], bytes], per: float) -> Task:
        return Task(call, lambda octets: map(plain, form.each(form.loads(octets))), per=per, unit="µs/person")

    def reading(form: Form, call: Callable[[], Any], per: float) -> Task:
        return Task(call, lambda message: map(plain, form.each(message)), per=per, unit="µs/person")

    def dumps(path: str) -> Task:
        form, data, per = chosen(path)
        message, write = form.build(data), form.dumps
        return writing(form, lambda: write(message), per)

    def build_and_dumps(path: str) -> Task:
        form, data, per = chosen(path)
        build, write, straight = form.build, form.dumps, form.straight
        return writing(form, (lambda: straight(data)) if straight else (lambda: write(build(data))), per)

    def loads(path: str) -> Task:
        form, data, per = chosen(path)
        octets, parse = form.dumps(form.build(data)), form.loads
        return reading(form, lambda: parse(octets), per)

    def loads_and_read(path: str) -> Task:
        form, data, per = chosen(path)
        octets, parse, each = form.dumps(form.build(data)), form.loads, form.each

        def call() -> Any:
            message = parse(octets)
            read(each(message))
            return message

        return reading(form, call, per)

    return Operations(dumps, build_and_dumps, loads, loads_and_read)

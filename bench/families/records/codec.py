"""The operations of all peers of this family, made from the functions of their libraries. Called by peers/.

A peer has two forms of message: one person, and a list of people.
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

    `build` converts plain values (dicts and lists) to the library's own object, `dumps` encodes that, `loads` decodes
    it; `each` returns the people in an object. `direct` encodes plain values without an object, if the library can.
    """

    build: Callable[[Any], Any]
    dumps: Callable[[Any], bytes]
    loads: Callable[[bytes], Any]
    each: Callable[[Any], Iterable[Any]]
    direct: Callable[[Any], bytes] | None = None


class Operations(NamedTuple):
    """The operations of a peer, in the order in which its module unpacks them."""

    dumps: Callable[[str], Task]
    build_and_dumps: Callable[[str], Task]
    loads: Callable[[str], Task]
    loads_and_read: Callable[[str], Task]


def alone(message: Any) -> tuple[Any]:
    """Return the people in a message about one person."""
    return (message,)


def unchanged(value: Any) -> Any:
    """Return the value: for libraries that take plain values, and for lists of people."""
    return value


def builder(person_class: Any, address_class: Any) -> Callable[[dict[str, Any]], Any]:
    """Return a function that builds an object with these classes from a dict."""

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
    """Return a function that builds a list of objects."""
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
    """Return the same fields as plain values."""
    addresses = tuple((address.street, address.state, address.zip) for address in person.addresses or ())
    return person.first, person.last, person.age, addresses, person.telephone, person.email


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
    """Return the same fields as plain values."""
    found = person.get("addresses") or ()
    addresses = tuple((address["street"], address["state"], address["zip"]) for address in found)
    return person["first"], person["last"], person["age"], addresses, person.get("telephone"), person.get("email")


def operations(
    one: Form,
    many: Form,
    read: Callable[[Iterable[Any]], None] = read_attributes,
    plain: Callable[[Any], Facts] = plain_attributes,
) -> Operations:
    """Return the operations of a peer; a figure is the time for one person."""

    def read_input(path: str) -> tuple[Form, Any, int]:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        return (many, data, len(data)) if isinstance(data, list) else (one, data, 1)

    def writing(form: Form, call: Callable[[], bytes], per: int) -> Task:
        return Task(call, lambda encoded: map(plain, form.each(form.loads(encoded))), per=per, unit="ns/person")

    def reading(form: Form, call: Callable[[], Any], per: int) -> Task:
        return Task(call, lambda message: map(plain, form.each(message)), per=per, unit="ns/person")

    def dumps(path: str) -> Task:
        form, data, per = read_input(path)
        message, write = form.build(data), form.dumps
        return writing(form, lambda: write(message), per)

    def build_and_dumps(path: str) -> Task:
        form, data, per = read_input(path)
        build, write, direct = form.build, form.dumps, form.direct
        return writing(form, (lambda: direct(data)) if direct else (lambda: write(build(data))), per)

    def loads(path: str) -> Task:
        form, data, per = read_input(path)
        encoded, parse = form.dumps(form.build(data)), form.loads
        return reading(form, lambda: parse(encoded), per)

    def loads_and_read(path: str) -> Task:
        form, data, per = read_input(path)
        encoded, parse, each = form.dumps(form.build(data)), form.loads, form.each

        def call() -> Any:
            message = parse(encoded)
            read(each(message))
            return message

        return reading(form, call, per)

    return Operations(dumps, build_and_dumps, loads, loads_and_read)

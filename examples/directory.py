"""A custom protocol, modelled on LDAP (RFC 4511): messages as classes, and a server as a function from bytes to bytes.

`test_directory.py` tests the server with hypothesis.

    >>> people = {"cn=Ann,o=Example": {"mail": [b"ann@example.org"], "room": [b"12"]}}
    >>> search = Search(base="o=Example", filter=Filter(present="mail"), attributes=["room"])
    >>> for message in messages(answer(Message(id=1, operation={"search": search}).encode(), people)):
    ...     print(message.id, message.operation.to_native())
    1 {'entry': {'name': 'cn=Ann,o=Example', 'attributes': [{'type': 'room', 'values': [b'12']}]}}
    1 {'done': {'code': 'success', 'message': ''}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as PythonSequence
from typing import Annotated

from derlib import (
    ASN1Error,
    Choice,
    Enumerated,
    Implicit,
    Null,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
    iter_decode,
)

People = Mapping[str, Mapping[str, PythonSequence[bytes]]]


class Equality(Sequence):
    """Matches entries whose attribute has this value."""

    type: str
    value: bytes


class Filter(Choice):
    """A condition on entries. It can contain other filters."""

    all: Annotated[SetOf[Filter], Implicit(0), Size(1, 100)]
    any: Annotated[SetOf[Filter], Implicit(1), Size(1, 100)]
    equal: Annotated[Equality, Implicit(3)]
    present: Annotated[str, Implicit(7)]


class Search(Sequence):
    """SearchRequest, reduced to the base, the size limit, the filter and the attributes."""

    base: str
    size_limit: Annotated[int, Range(0, 2**31 - 1)] = 0
    filter: Filter
    attributes: SequenceOf[str] = SequenceOf[str]([])


class Attribute(Sequence):
    """An attribute type with its values."""

    type: str
    values: SetOf[bytes]


class Entry(Sequence):
    """SearchResultEntry."""

    name: str
    attributes: SequenceOf[Attribute]


class Code(Enumerated):
    """The result codes that this server uses."""

    success = 0
    protocol_error = 2
    size_limit_exceeded = 4


class Result(Sequence):
    """The result of an operation."""

    code: Code
    message: str = ""


class Operation(Choice):
    """A request or a response. The tags are those of LDAP."""

    unbind: Annotated[Null, Implicit(2, "application")]
    search: Annotated[Search, Implicit(3, "application")]
    entry: Annotated[Entry, Implicit(4, "application")]
    done: Annotated[Result, Implicit(5, "application")]


class Message(Sequence):
    """LDAPMessage. The server uses number 0 to answer a request that it cannot decode."""

    id: Annotated[int, Range(0, 2**31 - 1)]
    operation: Operation


def matches(filter: Filter, attributes: Mapping[str, PythonSequence[bytes]]) -> bool:
    """Return whether an entry with these attributes matches a filter."""
    match filter:
        case Filter(alternative="all", all=parts):
            return all(matches(part, attributes) for part in parts)
        case Filter(alternative="any", any=parts):
            return any(matches(part, attributes) for part in parts)
        case Filter(alternative="equal", equal=equality):
            return equality.value in attributes.get(equality.type, ())
        case _:
            return filter.present in attributes


def found(search: Search, people: People) -> Iterator[Operation]:
    """Yield the responses to a search, the result last."""
    count = 0
    for name, attributes in people.items():
        is_below = not search.base or f",{name}".endswith(f",{search.base}")
        if not is_below or not matches(search.filter, attributes):
            continue
        count += 1
        if search.size_limit and count > search.size_limit:
            yield Operation(done=Result(code=Code.size_limit_exceeded))
            return
        wanted = [
            Attribute(type=type, values=SetOf[bytes](values))
            for type, values in attributes.items()
            if not search.attributes or type in search.attributes
        ]
        yield Operation(entry=Entry(name=name, attributes=SequenceOf[Attribute](wanted)))
    yield Operation(done=Result(code=Code.success))


def answer(data: bytes, people: People) -> bytes:
    """Return the encoded responses to an encoded request, one after the other."""
    try:
        request = Message.decode(data)
    except ASN1Error as error:
        result = Result(code=Code.protocol_error, message=str(error))
        return Message(id=0, operation=Operation(done=result)).encode()
    match request.operation:
        case Operation(alternative="search", search=search):
            return b"".join(Message(id=request.id, operation=each).encode() for each in found(search, people))
        case Operation(alternative="unbind"):
            return b""
        case other:
            result = Result(code=Code.protocol_error, message=f"{other.alternative} is not a request")
            return Message(id=request.id, operation=Operation(done=result)).encode()


def messages(data: bytes) -> Iterator[Message]:
    """Yield the messages of a stream."""
    return iter_decode(data, Message)

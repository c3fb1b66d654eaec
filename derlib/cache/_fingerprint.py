"""The fingerprint of a schema: a digest of everything that decides which encodings are valid, and how they read.

`Cache` puts it into each key, so that an entry of another schema is never found. It is the same in each process, on
each version of Python, and independent of the order in which types were used.

Types form a graph with cycles, and the same graph can have different nodes in two processes: a type that was registered
late has its own description, although an equal description exists. Therefore the digest is computed by colour
refinement. The first colour of a type is a digest of its own facts. Its next colour is a digest of these facts and of
the colours of the types that it refers to, and so on until a round no longer distinguishes more types. Then equal types
have equal colours, however often they are described.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
from typing import Any

from derlib import OpenTypes, Tag, inspect
from derlib._schema.open_types import key_octets
from derlib.inspect import Component, OpenType, TypeInfo, type_info

__all__ = ["fingerprint"]

_SIZE = 16


def fingerprint(type: Any) -> str:
    """Return a digest, in hexadecimal, of a type and of all types that it reaches, also through open types.

    It changes with kinds, tags, names of fields and classes, optionality, defaults, constraints, extension markers,
    items of enumerations, and with the types that are registered for open types. A class that is renamed or moved to
    another module is another schema.

    Args:
        type: a schema class or any other type expression.

    Raises:
        SchemaError: `type` is not a type.

    >>> from typing import Annotated
    >>> from derlib import SequenceOf, Size
    >>> from derlib.cache import fingerprint
    >>> fingerprint(SequenceOf[int]) == fingerprint(SequenceOf[int])
    True
    >>> fingerprint(SequenceOf[int]) == fingerprint(Annotated[SequenceOf[int], Size(1, None)])
    False
    """
    info = type_info(type)
    # Count before walking the types: a type that is registered meanwhile makes the next call walk again.
    return _fingerprint_of(info, inspect.registration_count())


@functools.lru_cache(maxsize=256)
def _fingerprint_of(root: TypeInfo, _registrations: int) -> str:
    facts: dict[TypeInfo, str] = {}
    references: dict[TypeInfo, list[TypeInfo]] = {}
    waiting = [root]
    while waiting:
        info = waiting.pop()
        if info not in facts:
            references[info] = []
            facts[info] = ascii(_facts(info, references[info]))
            waiting.extend(references[info])
    colours = {info: _digest(own) for info, own in facts.items()}
    distinct = 0
    while distinct < len(set(colours.values())):
        distinct = len(set(colours.values()))
        colours = {info: _digest(own, *(colours[other] for other in references[info])) for info, own in facts.items()}
    # Include all colours: the rounds can end before a distant difference changes the colour of the root.
    return _digest(colours[root], *sorted(set(colours.values())))


def _digest(*parts: str) -> str:
    # No part contains a line feed: `ascii` escapes it.
    return hashlib.blake2b("\n".join(parts).encode("ascii"), digest_size=_SIZE).hexdigest()


def _facts(info: TypeInfo, references: list[TypeInfo]) -> Any:
    """Return the facts of one type, as values whose `ascii` is the same on each version of Python.

    Append the types that it refers to to `references`, in an order that depends on the type only.
    """
    found = [type(info).__name__, *(_fact(getattr(info, field.name), references) for field in dataclasses.fields(info))]
    if isinstance(info, OpenType):
        for key, entry in sorted(info.entries().items(), key=lambda item: key_octets(item[0])):
            found.append((str(key), entry.on_mismatch))
            references.append(entry.type)
    return found


def _fact(value: Any, references: list[TypeInfo]) -> Any:
    if isinstance(value, TypeInfo):
        references.append(value)
        return "type"
    if isinstance(value, Component):
        references.append(value.type)
        return value.name, value.optional, value.default_encoding
    if isinstance(value, Tag):
        return value.number, value.tag_class, value.constructed
    if isinstance(value, enum.EnumMeta):
        # Two parts, so that class B.C of module a differs from class C of module a.B.
        members: dict[str, Any] = dict(value.__members__)
        items = sorted((name, int(member.value)) for name, member in members.items())
        return value.__module__, value.__qualname__, items
    if isinstance(value, type):
        return value.__module__, value.__qualname__
    if isinstance(value, inspect.Kind):
        return value.name
    if isinstance(value, OpenTypes):
        # The types of the table are facts of the OpenType.
        return None
    if isinstance(value, tuple):
        return [_fact(item, references) for item in value]
    if dataclasses.is_dataclass(value):
        parts = (_fact(getattr(value, field.name), references) for field in dataclasses.fields(value))
        return [type(value).__name__, *parts]
    return value

"""A slow and simple converter of BER to DER, to compare the one of the core with.

It has types of its own (`Type`). `to_der` reads all of the input first, then matches it with the type, as X.690
describes it. It reports that input is invalid, but not where.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import derlib
from derlib import Null, ObjectIdentifier

UNIVERSAL = {"bool": 1, "int": 2, "bits": 3, "bytes": 4, "null": 5, "oid": 6, "str": 12, "sequence": 16, "set": 17,
             "sequence of": 16, "set of": 17}  # fmt: skip
STRINGS = ("bits", "bytes", "str")
PYTHON = {"bool": bool, "int": int, "bits": derlib.BitString, "bytes": bytes, "null": Null, "oid": ObjectIdentifier,
          "str": str, "any": Any}  # fmt: skip
NAMES = {number: name for name, number in UNIVERSAL.items() if name in PYTHON}
DEFAULTS = {"bool": (False, b"\0"), "int": (5, b"\5"), "bytes": (b"a", b"a")}


class InvalidError(Exception):
    """The input is not BER of the type."""


class UndecidedError(Exception):
    """The input has a type that is not a part of this module."""


@dataclass(frozen=True)
class Type:
    kind: str                               # a key of UNIVERSAL, "choice", "any" or "explicit"
    parts: tuple[Part, ...] = ()            # components or alternatives
    element: Type | None = None
    tag: int | None = None                  # the number of a context-specific tag
    extensible: bool = False

    @property
    def tags(self) -> set[tuple[int, int]]:
        """The classes and numbers of the tags that a value can have."""
        if self.tag is not None:
            return {(2, self.tag)}
        if self.kind == "choice":
            return set().union(*(part.type.tags for part in self.parts))
        return {(0, UNIVERSAL[self.kind])}


@dataclass(frozen=True)
class Part:
    name: str
    type: Type
    optional: bool = False
    default: bool = False


@dataclass
class Element:
    tag: tuple[int, int]
    constructed: bool
    identifier: bytes
    contents: bytes
    children: list[Element]


# --- Reading


def read(data: bytes, at: int = 0, end: int | None = None, depth: int = 0) -> tuple[Element, int]:
    """Return the element at an offset, and where it ends."""
    end = len(data) if end is None else end
    if depth > 90:
        raise UndecidedError
    try:
        return read_element(data[:end], at, depth)
    except IndexError:
        raise InvalidError from None


def read_element(data: bytes, at: int, depth: int) -> tuple[Element, int]:
    start = at
    first = data[at]
    number = first & 31
    at += 1
    if number == 31:
        number = 0
        if data[at] == 0x80:
            raise InvalidError
        while True:
            number = number << 7 | data[at] & 127
            at += 1
            if data[at - 1] < 128:
                break
        if number < 31:
            raise InvalidError
        if number >= 1 << 28:
            raise UndecidedError
    element = Element((first >> 6, number), bool(first & 32), data[start:at], b"", [])
    if element.tag == (0, 0):
        raise InvalidError
    length = data[at]
    at += 1
    if length == 0x80:
        if not element.constructed:
            raise InvalidError
        while data[at : at + 2] != b"\0\0":
            child, at = read(data, at, None, depth + 1)
            element.children.append(child)
        return element, at + 2
    if length == 0xFF:
        raise InvalidError
    if length > 0x80:
        count = length & 127
        length = int.from_bytes(data[at : at + count], "big")
        at += count
    if at + length > len(data):
        raise InvalidError
    element.contents = data[at : at + length]
    end = at + length
    while element.constructed and at < end:
        child, at = read(data, at, end, depth + 1)
        element.children.append(child)
    return element, end


# --- Converting


def to_der(data: bytes, type_: Type) -> bytes:
    """Return the DER of a value; raise InvalidError if it is not BER of this type."""
    element, end = read(data)
    if end != len(data):
        raise InvalidError
    return converted(element, type_)


def written(element: Element, constructed: bool, contents: bytes) -> bytes:
    size = b"" if len(contents) < 128 else len(contents).to_bytes((len(contents).bit_length() + 7) // 8, "big")
    length = bytes([128 | len(size)]) + size if size else bytes([len(contents)])
    identifier = bytes([element.identifier[0] & 0xDF | constructed << 5]) + element.identifier[1:]
    return identifier + length + contents


def converted(element: Element, type_: Type) -> bytes:
    kind = type_.kind
    if kind == "any":
        return untyped(element)
    if element.tag not in type_.tags:
        raise InvalidError
    if kind == "choice":
        return next(converted(element, part.type) for part in type_.parts if element.tag in part.type.tags)
    if kind in PYTHON:
        return written(element, False, primitive(element, kind))
    if not element.constructed:
        raise InvalidError
    if kind == "explicit":
        if len(element.children) != 1:
            raise InvalidError
        assert type_.element is not None
        return written(element, True, converted(element.children[0], type_.element))
    if type_.element is not None:
        elements = [converted(child, type_.element) for child in element.children]
        return written(element, True, b"".join(sorted(elements) if kind == "set of" else elements))
    match = matched_set if kind == "set" else matched_sequence
    return written(element, True, b"".join(match(element.children, type_)))


def component(element: Element, part: Part) -> bytes:
    """Return the DER of a component; nothing if it has its DEFAULT value."""
    der = converted(element, part.type)
    return b"" if part.default and der == written(element, False, DEFAULTS[part.type.kind][1]) else der


def matched_sequence(children: list[Element], type_: Type) -> Iterator[bytes]:
    parts = list(type_.parts)
    last: set[tuple[int, int]] = set()      # the tags of the components that can be right before the marker
    for part in reversed(parts):
        if not part.optional:
            break
        last |= part.type.tags
    for child in children:
        while parts and child.tag not in parts[0].type.tags and parts[0].optional:
            parts.pop(0)
        if parts and child.tag in parts[0].type.tags:
            yield component(child, parts.pop(0))
        elif parts or not type_.extensible or child.tag in last:
            raise InvalidError
        else:
            yield untyped(child)
    if not all(part.optional for part in parts):
        raise InvalidError


def matched_set(children: list[Element], type_: Type) -> list[bytes]:
    found: dict[Any, Element] = {}
    members: list[tuple[tuple[int, int], bytes]] = []
    for child in children:
        part = next((part for part in type_.parts if child.tag in part.type.tags), None)
        key = part or child.tag
        if key in found or not (part or type_.extensible):
            raise InvalidError
        found[key] = child
        members.append((child.tag, component(child, part) if part else untyped(child)))
    if not all(part.optional or part in found for part in type_.parts):
        raise InvalidError
    return [der for _, der in sorted(members)]


def primitive(element: Element, kind: str) -> bytes:
    """Return the contents octets of a primitive type in DER."""
    octets = element.contents
    if element.constructed:
        if kind not in STRINGS:
            raise InvalidError
        pieces = list(segments(element, 3 if kind == "bits" else 4))
        octets = b"".join(pieces)
        if kind == "bits":
            if any(piece[:1] != b"\0" for piece in pieces[:-1]) or not all(pieces):
                raise InvalidError
            octets = (pieces[-1][:1] if pieces else b"\0") + b"".join(piece[1:] for piece in pieces)
            if pieces and pieces[-1][0] and len(pieces[-1]) == 1:
                raise InvalidError
    if kind == "bits":
        if not octets or octets[0] > 7 or (octets[0] and len(octets) == 1):
            raise InvalidError
        return octets[:-1] + bytes([octets[-1] >> octets[0] << octets[0]]) if octets[0] else octets
    if kind == "bool":
        if len(octets) != 1:
            raise InvalidError
        return b"\xff" if octets[0] else b"\0"
    if kind == "str":
        try:
            octets.decode()
        except UnicodeDecodeError:
            raise InvalidError from None
    padded = octets[:1] in (b"\0", b"\xff") and len(octets) > 1 and (octets[0] ^ octets[1]) < 128
    if kind == "int" and (not octets or padded):
        raise InvalidError
    if kind == "null" and octets:
        raise InvalidError
    starts = [octets[at - 1] < 128 for at in range(1, len(octets))] if octets else []
    if kind == "oid" and (not octets or octets[-1] > 127 or octets[0] == 128 or any(
            start and octet == 128 for start, octet in zip(starts, octets[1:], strict=True))):
        raise InvalidError
    return octets


def segments(element: Element, number: int) -> Iterator[bytes]:
    if not element.constructed:
        yield element.contents
    for child in element.children:
        if child.tag != (0, number):
            raise InvalidError
        yield from segments(child, number)


def untyped(element: Element) -> bytes:
    """Convert an element by its universal tag."""
    if element.tag[0] == 0 and element.tag[1] not in (16, 17):
        if element.tag[1] not in NAMES:
            raise UndecidedError
        return written(element, False, primitive(element, NAMES[element.tag[1]]))
    if element.tag[0] == 0 and not element.constructed:
        raise InvalidError
    if not element.constructed:
        return written(element, False, element.contents)
    children = [untyped(child) for child in element.children]
    if element.tag == (0, 17):
        tags = [child.tag for child in element.children]
        distinct = len(set(tags)) == len(tags)
        if not (distinct and tags == sorted(tags)) and children != sorted(children):
            children = [der for _, der in sorted(zip(tags, children, strict=True))] if distinct else sorted(children)
    return written(element, True, b"".join(children))

"""Random types and random input, valid and damaged: the core converts exactly as the reference of the tests does."""

from __future__ import annotations

import types
from random import Random
from typing import Annotated, Any

import pytest
from support.ber_reference import (
    DEFAULTS,
    PYTHON,
    STRINGS,
    UNIVERSAL,
    InvalidError,
    Part,
    Type,
    UndecidedError,
    to_der,
)

import derlib
from derlib import Choice, Explicit, Field, Implicit, Sequence, SequenceOf, Set, SetOf

from .rows import converted_or_error

LEAVES = [kind for kind in PYTHON if kind != "any"]


def random_type(random: Random, depth: int = 0) -> Type:
    """Return a type; no component needs the tag of another one."""
    kind = random.choice([*LEAVES, *["sequence", "set", "sequence of", "set of", "choice"] * (3 - depth)])
    if depth == 0 and kind in LEAVES and random.random() < 0.9:
        kind = random.choice(["sequence", "set"])
    if kind in LEAVES:
        return Type(kind)
    if kind.endswith(" of"):
        return Type(kind, element=tagged(random, random_type(random, depth + 1), random.randrange(4), 0.2))
    parts: list[Part] = []
    taken: set[tuple[int, int]] = set()
    for number in range(random.randint(1, 4)):
        type_ = Type("any") if random.random() < 0.1 else random_type(random, depth + 1)
        if type_.kind == "any" or type_.tags & taken or random.random() < 0.3:
            type_ = tagged(random, type_, number + 4 * depth, 1)
        taken |= type_.tags
        default = kind != "choice" and type_.kind in DEFAULTS and random.random() < 0.5
        parts.append(Part(f"f{number}", type_, default or random.random() < 0.4, default))
    return Type(kind, tuple(parts), extensible=kind in ("sequence", "set") and random.random() < 0.3)


def tagged(random: Random, type_: Type, number: int, probability: float) -> Type:
    """Return a type with a context-specific tag, or the type itself."""
    if random.random() >= probability:
        return type_
    if type_.kind in ("any", "choice") or type_.tag is not None or random.random() < 0.5:
        return Type("explicit", element=type_, tag=number)
    return Type(type_.kind, type_.parts, type_.element, number, type_.extensible)


def schema(type_: Type) -> Any:
    """Return the type of derlib."""
    result: Any
    if type_.kind == "explicit":
        return Annotated[schema(type_.element), Explicit(type_.tag)]  # type: ignore[arg-type]
    if type_.kind in PYTHON:
        result = PYTHON[type_.kind]
    elif type_.element is not None:
        result = (SetOf if type_.kind == "set of" else SequenceOf)[schema(type_.element)]
    elif type_.kind == "choice":
        result = structure(Choice, [Field(part.name, schema(part.type)) for part in type_.parts])
    else:
        fields = [
            Field(part.name, schema(part.type), default=DEFAULTS[part.type.kind][0]) if part.default
            else Field(part.name, schema(part.type), optional=part.optional)
            for part in type_.parts
        ]
        result = structure(Set if type_.kind == "set" else Sequence, fields, extensible=type_.extensible)
    return result if type_.tag is None else Annotated[result, Implicit(type_.tag)]


def structure(base: Any, fields: list[Field], **options: Any) -> Any:
    return types.new_class("Structure", (base,), {"fields": fields, **options})


# --- Random BER


def header(random: Random, identifier: int, contents: bytes) -> bytes:
    """Return an element with a random form of length."""
    count = (len(contents).bit_length() + 7) // 8
    form = random.randrange(5)
    if form == 0 and identifier & 32:
        return bytes([identifier, 0x80]) + contents + bytes(2)
    if form == 1 or len(contents) > 127:
        count += random.randrange(3)
        return bytes([identifier, 0x80 | max(count, 1)]) + len(contents).to_bytes(max(count, 1), "big") + contents
    return bytes([identifier, len(contents)]) + contents


def segmented(random: Random, number: int, contents: bytes, depth: int = 0) -> bytes:
    """Return the segments of a string."""
    result = b""
    while contents or random.random() < 0.2:
        size = random.randint(0, len(contents))
        piece, contents = contents[:size], contents[size:]
        if number == 3:
            result += header(random, 3, b"\0" + piece)
        elif depth < 2 and random.random() < 0.2:
            result += header(random, 0x24, segmented(random, 4, piece, depth + 1))
        else:
            result += header(random, 4, piece)
    return result


CONTENTS = {
    "bool": [b"\0", b"\1", b"\xff"], "int": [b"\5", b"\0", b"\xff", b"\0\x80", b"\x80"], "null": [b""],
    "oid": [b"\x2a\3", b"\x2a", b"\x88\x37"], "str": [b"", b"a", b"\xc3\xa4b"], "bytes": [b"", b"a", b"\0\0"],
    "bits": [b"\0", b"\0a", b"\3\xff", b"\7ab"],
}  # fmt: skip


def encode(random: Random, type_: Type) -> bytes:
    """Return BER of a random value."""
    kind = type_.kind
    if kind == "any":
        return encode(random, random_type(random, 2))
    if kind == "choice":
        return encode(random, random.choice(type_.parts).type)
    identifier = 0x80 | type_.tag if type_.tag is not None else UNIVERSAL[kind]
    if kind in PYTHON:
        contents = random.choice(CONTENTS[kind])
        if kind in STRINGS and random.random() < 0.4:
            if kind == "bits":
                last = header(random, 3, contents)
                return header(random, identifier | 32, segmented(random, 3, b"xy") + last)
            return header(random, identifier | 32, segmented(random, 4, contents))
        return header(random, identifier, contents)
    if kind == "explicit":
        assert type_.element is not None
        return header(random, identifier | 32, encode(random, type_.element))
    if type_.element is not None:
        parts = [encode(random, type_.element) for _ in range(random.randrange(4))]
    else:
        parts = [encode(random, part.type) for part in type_.parts if not part.optional or random.random() < 0.8]
        if type_.extensible and random.random() < 0.5:
            parts.append(header(random, random.choice([0x85, 0xA6, 0x02, 0x0C]), b""))
        if kind == "set" or random.random() < 0.05:
            random.shuffle(parts)
        if parts and random.random() < 0.1:
            parts.insert(random.randrange(len(parts)), random.choice(parts))
    return header(random, identifier | 32, b"".join(parts))


def damaged(random: Random, octets: bytes) -> bytes:
    """Return the input with a few changed, inserted or removed bytes."""
    data = bytearray(octets)
    for _ in range(random.choice([0, 0, 1, 2])):
        at = random.randrange(len(data) + 1)
        size = random.randrange(4)
        data[at : at + random.choice([0, size])] = random.choice(
            [b"", bytes([random.randrange(256)]), data[at - 4 : at], b"\0\0", b"\1\1\0"]
        )
    return bytes(data)


# --- Comparing


def expected_der(data: bytes, type_: Type) -> bytes | None:
    """Return what the reference converts to; None if it refuses the input."""
    try:
        return to_der(data, type_)
    except InvalidError:
        return None


def check_log(converted: Any, data: bytes) -> None:
    """Check that all positions of a conversion agree with each other."""
    der = converted.der
    assert converted.consumed == len(data)
    assert (len(converted.changes) == 0) == (der == data)
    assert [*converted.changes] == [converted.changes[number] for number in range(len(converted.changes))]
    assert converted.origin(len(der)) == len(data)
    places = [converted.origin(offset) for offset in range(len(der) + 1)]
    assert all(0 <= place <= len(data) for place in places)
    for place in range(len(data) + 1):
        there = converted.destination(place)
        assert 0 <= there <= len(der)
    for change in converted.changes:
        source, target = change.input, change.output
        assert 0 <= source.offset < source.end <= len(data)
        assert 0 <= target.offset <= target.end <= len(der)
        assert converted.destination(source.offset) == target.offset
        if target.length:
            assert converted.origin(target.offset) == source.offset
            assert data[source.offset] | 32 == der[target.offset] | 32
        check_rule(change, data[source.offset : source.end], data[source.offset + source.header_length : source.end])


def check_rule(change: Any, element: bytes, contents: bytes) -> None:
    """Check that an element violates the rule of a change."""
    if element[0] & 31 == 31:
        return      # damaged: the length octet is not the second one
    length = element[1]
    if change.kind == "length-indefinite":
        assert length == 0x80
    elif change.kind == "length-not-minimal":
        assert length > 0x80
        assert (element[2] == 0 or (length == 0x81 and element[2] < 128))
    elif change.kind == "string-constructed":
        assert element[0] & 32
    elif change.kind == "boolean-true":
        assert contents not in (b"\0", b"\xff")
    elif change.kind == "bits-padding":
        assert element[0] & 32 or contents[-1] & ~(0xFF << contents[0])
    elif change.kind == "default-encoded":
        assert change.output.length == 0
    else:
        assert change.kind in ("set-order", "set-of-order", "any-set-order")
        assert change.output.length > 0


@pytest.mark.parametrize("seed", range(60))
def test_the_core_converts_as_the_reference_does(seed: int) -> None:
    random = Random(seed)
    for _ in range(10):
        type_ = random_type(random)
        hint = schema(type_)
        for _ in range(20):
            data = damaged(random, encode(random, type_))
            try:
                expected = expected_der(data, type_)
            except UndecidedError:
                continue
            converted, error = converted_or_error(data, hint)
            if error is not None:
                assert expected is None, (type_, data.hex(), error)
                assert 0 <= error.offset <= len(data)
                continue
            assert expected is not None, (type_, data.hex(), converted.der.hex())
            assert converted.der.hex() == expected.hex(), (type_, data.hex())
            check_log(converted, data)
            again = derlib.ber.convert(converted.der, hint)
            assert again.der is converted.der
            assert not again.changes

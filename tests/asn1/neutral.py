"""Random values of a compiled type, in the form of derlib and in that of asn1tools."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any, NamedTuple

import derlib
from derlib.asn1.backend.names import component_name
from derlib.asn1.semantics.model import (
    Bounds,
    Combination,
    Constrained,
    ListOf,
    Numbered,
    Open,
    Reference,
    ResolvedConstraint,
    ResolvedType,
    Simple,
    Structure,
    Tagged,
    ValueSet,
)

OPEN = [derlib.encode(5, int), derlib.encode("text", derlib.UTF8String), derlib.encode(b"", bytes)]
TEXTS = {"NumericString": "0123456789 ", "BMPString": "aZé€", "UniversalString": "aé€𐀀", "UTF8String": "aé€𐀀"}
DEEPEST = 8


class TooDeepError(Exception):
    """The type is recursive, and the value has no end."""


class Pair(NamedTuple):
    """The same value in the form of derlib and in that of asn1tools."""

    ours: Any
    peer: Any


class Values:
    """Makes random values."""

    def __init__(self, chosen: Random) -> None:
        self.chosen = chosen

    def some(self, resolved: ResolvedType, count: int) -> Iterator[Pair]:
        """Yield values of a type; those of a recursive type that do not end are left out."""
        for _ in range(count):
            with suppress(TooDeepError):
                yield self.pair(resolved)

    def pair(self, resolved: ResolvedType, depth: int = 0, size: tuple[int, int] | None = None) -> Pair:
        """Return a value of a type; `size` is from its constraint."""
        if depth > DEEPEST:
            raise TooDeepError
        match resolved:
            case Reference(definition=definition):
                return self.pair(definition.type, depth, size)
            case Tagged(inner=inner):
                return self.pair(inner, depth, size)
            case Constrained(constraint=ValueSet(values=values)) if all(type(value) is int for value in values):
                number = self.chosen.choice(values)
                return Pair(number, number)
            case Constrained(inner=inner, constraint=constraint):
                return self.pair(inner, depth, bounds_of(constraint) or size)
            case ListOf(element=element):
                count = self.number(size, 0, 2) if depth < DEEPEST - 2 else (size or (0, 0))[0]
                pairs = [self.pair(element, depth + 1) for _ in range(count)]
                return Pair([pair.ours for pair in pairs], [pair.peer for pair in pairs])
            case Structure():
                return self.structure(resolved, depth)
            case Numbered():
                return self.numbered(resolved)
            case Open():
                data = self.chosen.choice(OPEN)
                return Pair(derlib.decode(derlib.TLV, data), data)
            case Simple(name=name):
                return self.simple(name, size)

    def structure(self, node: Structure, depth: int) -> Pair:
        """Return a value of a SEQUENCE, SET or CHOICE."""
        if node.kind == "CHOICE":
            chosen = self.chosen.choice(node.components)
            pair = self.pair(chosen.type, depth + 1)
            return Pair({component_name(chosen.name, choice=True): pair.ours}, (chosen.name, pair.peer))
        ours: dict[str, Any] = {}
        peer: dict[str, Any] = {}
        for component in node.components:
            optional = component.optional or component.default is not None
            if optional and (depth > 3 or self.chosen.random() < 0.4):
                continue
            pair = self.pair(component.type, depth + 1)
            ours[component_name(component.name, choice=False)], peer[component.name] = pair
        return Pair(ours, peer)

    def numbered(self, node: Numbered) -> Pair:
        """Return a value with a name."""
        name, number = self.chosen.choice(sorted(node.named.items()))
        if node.kind == "INTEGER":
            return Pair(number, number)
        if node.kind == "ENUMERATED":
            return Pair(number, name)
        bits = bytearray(number // 8 + 1)
        bits[number // 8] = 0x80 >> number % 8
        return Pair(1 << number, (bytes(bits), number + 1))

    def number(self, size: tuple[int, int] | None, low: int, high: int) -> int:
        """Return a number in a constraint, or between two numbers without one."""
        first, last = size or (low, high)
        return self.chosen.randint(first, min(last, first + high))

    def simple(self, name: str, size: tuple[int, int] | None) -> Pair:
        """Return a value of a type without parts."""
        chosen = self.chosen
        match name:
            case "INTEGER":
                number = self.number(size, -(1 << chosen.randrange(70)), 1 << chosen.randrange(70))
                return Pair(number, number)
            case "BOOLEAN":
                found = chosen.random() < 0.5
                return Pair(found, found)
            case "NULL":
                return Pair(derlib.NULL, None)
            case "OCTET STRING":
                data = chosen.randbytes(self.number(size, 0, 9))
                return Pair(data, data)
            case "BIT STRING":
                length = self.number(size, 0, 19)
                data = (chosen.getrandbits(length) << -length % 8).to_bytes((length + 7) // 8, "big") if length else b""
                return Pair(derlib.BitString(data, -length % 8), (data, length))
            case "OBJECT IDENTIFIER":
                oid = ".".join(map(str, [2, *(chosen.randrange(1 << chosen.randrange(40)) for _ in range(4))]))
                return Pair(oid, oid)
            case "REAL":
                real = chosen.choice([0.0, 1.0, -1.5, 1e10, 0.1, float("inf")])
                return Pair(real, real)
            case "UTCTime" | "GeneralizedTime":
                moment = datetime(1980, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=chosen.randrange(10**9))
                return Pair(moment, moment.replace(tzinfo=None))
            case "EXTERNAL":
                raise TooDeepError
            case _:
                letters = TEXTS.get(name, "abZ 09")
                text = "".join(chosen.choice(letters) for _ in range(self.number(size, 0, 6)))
                return Pair(text, text)


def bounds_of(constraint: ResolvedConstraint | None) -> tuple[int, int] | None:
    """Return the lowest and the highest number of a range or a size, if there is one."""
    if isinstance(constraint, Bounds):
        low = constraint.low if constraint.low is not None else -(10**6)
        return low, constraint.high if constraint.high is not None else max(low, 0) + 10**6
    if isinstance(constraint, Combination):
        return bounds_of(constraint.left) or bounds_of(constraint.right)
    return None

"""What differs between two documents, by path: what `derlib diff` writes.

Fields are compared by name. Elements of lists are first matched by their octets, so that what was put in or taken out
of a long list costs nothing else; those that are left, by the first field of each (a serial number, the identifier of
an extension), and then compared in turn. Time and memory are linear in the documents.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple

import derlib
from derlib import TLV
from derlib.cli.items import Item, below

__all__ = ["Difference", "Side", "differences"]


class Side(NamedTuple):
    """An item, and the octets of the document that it is in."""

    item: Item
    der: bytes

    @property
    def octets(self) -> bytes:
        span = self.item.span
        return self.der[span.offset : span.end]

    def below(self) -> list[Side]:
        return [Side(item, self.der) for item in below(self.item)]


class Difference(NamedTuple):
    """One of: removed (no `new`), added (no `old`), changed, order (the same elements in another order)."""

    change: str
    old: Side | None
    new: Side | None


def differences(old: Side, new: Side) -> Iterator[Difference]:
    """What differs, in the order of the old document; of a whole that differs, its parts only."""
    waiting: list[Iterator[Difference | tuple[Side, Side]]] = [iter([(old, new)])]
    while waiting:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
        elif isinstance(found, Difference):
            yield found
        elif found[0].octets != found[1].octets:
            waiting.append(_compared(*found))


def _compared(old: Side, new: Side) -> Iterator[Difference | tuple[Side, Side]]:
    """The differences of two items whose octets differ, or the pairs of their parts to be compared."""
    parts, others = old.below(), new.below()
    if type(old.item.value) is not type(new.item.value) or _tag(old) != _tag(new) or not (parts and others):
        return iter([Difference("changed", old, new)])
    if isinstance(old.item.value, (derlib.SequenceOf, derlib.SetOf)) or (
        isinstance(old.item.value, TLV) and len(parts) != len(others)
    ):
        return _elements(old, new, parts, others)
    return _fields(old, new, parts, others)


def _fields(
    old: Side, new: Side, parts: list[Side], others: list[Side]
) -> Iterator[Difference | tuple[Side, Side]]:
    by_step = {other.item.path[-1]: other for other in others}
    same = True
    for part in parts:
        other = by_step.pop(part.item.path[-1], None)
        if other is None:
            yield Difference("removed", part, None)
        elif part.octets != other.octets:
            yield part, other
        else:
            continue
        same = False
    for other in by_step.values():
        yield Difference("added", None, other)
        same = False
    if same:
        # What differs is around the parts: an explicit tag, or a length in a form that was tolerated.
        yield Difference("changed", old, new)


def _elements(
    old: Side, new: Side, parts: list[Side], others: list[Side]
) -> Iterator[Difference | tuple[Side, Side]]:
    by_octets: dict[bytes, deque[int]] = defaultdict(deque)
    for index, other in enumerate(others):
        by_octets[other.octets].append(index)
    matched = set()
    left: list[Side] = []
    for part in parts:
        places = by_octets.get(part.octets)
        if places:
            matched.add(places.popleft())
        else:
            left.append(part)
    rest = [other for index, other in enumerate(others) if index not in matched]
    if not left and not rest:
        yield Difference("order", old, new)
        return
    by_key: dict[bytes, deque[Side]] = defaultdict(deque)
    for other in rest:
        by_key[_key(other)].append(other)
    paired = set()
    for part in left:
        candidates = by_key.get(_key(part))
        if candidates:
            other = candidates.popleft()
            paired.add(other.item.path[-1])
            yield part, other
        else:
            yield Difference("removed", part, None)
    for other in rest:
        if other.item.path[-1] not in paired:
            yield Difference("added", None, other)


def _key(side: Side) -> bytes:
    """What an element is known by: the octets of its first part, of that its first, and so on."""
    item: Item | None = side.item
    while item is not None:
        span = item.span
        item = next(below(item), None)
    return side.der[span.offset : span.end]


def _tag(side: Side) -> int:
    return side.der[side.item.span.offset]

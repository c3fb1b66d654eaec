"""The differences between two documents, by path, for `derlib diff`.

Fields are compared by name. Elements of lists are matched by their encoding, so that an inserted or removed element
does not affect the others. The elements that remain are matched by their first field, such as a serial number or the
identifier of an extension, and then compared. Time and memory are linear in the size of the documents.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import derlib
from derlib import TLV
from derlib.cli.documents.files import Document
from derlib.cli.documents.paths import Item, child_items, plain_value
from derlib.cli.output.progress import track

__all__ = ["Difference", "Side", "differences"]


class Side(NamedTuple):
    """An item of one of the documents, that document, and the function that returns the value of an item to show."""

    item: Item
    document: Document
    shown: Callable[[Item], Any] = plain_value

    @property
    def encoding(self) -> bytes:
        """The encoding of the item."""
        span = self.item.span
        return self.document.der[span.offset : span.end]

    def children(self) -> list[Side]:
        """The items one level below."""
        value = self.item.value
        total = len(value) if isinstance(value, (derlib.SequenceOf, derlib.SetOf)) else 0
        return [self._replace(item=item) for item in track(child_items(self.item), total, "elements")]


class Difference(NamedTuple):
    """A difference: removed (`new` is None), added (`old` is None), changed, or order (the same elements reordered)."""

    change: str
    old: Side | None
    new: Side | None


def differences(old: Side, new: Side) -> Iterator[Difference]:
    """Yield the innermost differences, in the order of the old document."""
    pending: list[Iterator[Difference | tuple[Side, Side]]] = [iter([(old, new)])]
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
        elif isinstance(found, Difference):
            yield found
        elif found[0].encoding != found[1].encoding:
            pending.append(_compare(*found))


def _compare(old: Side, new: Side) -> Iterator[Difference | tuple[Side, Side]]:
    """Yield the differences of two items with different encodings, and the pairs of children to compare next."""
    old_children, new_children = old.children(), new.children()
    same_type = type(old.item.value) is type(new.item.value) and _tag(old) == _tag(new)
    if not (same_type and old_children and new_children):
        return iter([Difference("changed", old, new)])
    if isinstance(old.item.value, (derlib.SequenceOf, derlib.SetOf)) or (
        isinstance(old.item.value, TLV) and len(old_children) != len(new_children)
    ):
        return _compare_elements(old, new, old_children, new_children)
    return _compare_fields(old, new, old_children, new_children)


def _compare_fields(
    old: Side, new: Side, old_children: list[Side], new_children: list[Side]
) -> Iterator[Difference | tuple[Side, Side]]:
    """Compare the fields of two structures by name."""
    by_step = {other.item.path[-1]: other for other in new_children}
    same = True
    for child in old_children:
        other = by_step.pop(child.item.path[-1], None)
        if other is None:
            yield Difference("removed", child, None)
        elif child.encoding != other.encoding:
            yield child, other
        else:
            continue
        same = False
    for other in by_step.values():
        yield Difference("added", None, other)
        same = False
    if same:
        # The children are equal, so the header differs: an explicit tag, or a tolerated form of a length.
        yield Difference("changed", old, new)


def _compare_elements(
    old: Side, new: Side, old_children: list[Side], new_children: list[Side]
) -> Iterator[Difference | tuple[Side, Side]]:
    """Compare the elements of two lists by encoding, then by their first field."""
    by_encoding: dict[bytes, deque[int]] = defaultdict(deque)
    for index, other in enumerate(track(new_children, len(new_children), "elements")):
        by_encoding[other.encoding].append(index)
    matched = set()
    removed: list[Side] = []
    for child in track(old_children, len(old_children), "elements"):
        indexes = by_encoding.get(child.encoding)
        if indexes:
            matched.add(indexes.popleft())
        else:
            removed.append(child)
    added = [other for index, other in enumerate(new_children) if index not in matched]
    if not removed and not added:
        yield Difference("order", old, new)
        return
    by_key: dict[bytes, deque[Side]] = defaultdict(deque)
    for other in added:
        by_key[_key(other)].append(other)
    paired = set()
    for child in removed:
        candidates = by_key.get(_key(child))
        if candidates:
            other = candidates.popleft()
            paired.add(other.item.path[-1])
            yield child, other
        else:
            yield Difference("removed", child, None)
    for other in added:
        if other.item.path[-1] not in paired:
            yield Difference("added", None, other)


def _key(side: Side) -> bytes:
    """Return the key of an element: the encoding of its first child, or of that child's first child, and so on."""
    item: Item | None = side.item
    while item is not None:
        span = item.span
        item = next(child_items(item), None)
    return side.document.der[span.offset : span.end]


def _tag(side: Side) -> int:
    """Return the first identifier octet."""
    return side.document.der[side.item.span.offset]

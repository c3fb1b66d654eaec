"""The fields and types of elements by offset, for the HTML page of `derlib view`, whose script knows no schema.

A label for each element of a long list would make the page large. So a long list has a table instead, derived from its
first elements: the label of each part of an element, by the index and the identifier octet at each level.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import derlib
from derlib import ASN1Error, BitString, Choice
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.known_contents import signature_of
from derlib.cli.documents.notes import fingerprint_note, timestamp_note
from derlib.cli.documents.paths import Item, child_items, root_item
from derlib.cli.documents.type_names import UNKNOWN, TypeName, type_name

__all__ = ["Labels"]

#: A list with more elements than this has a table.
_LONG_LIST = 64

#: A table is derived from at most this many elements, of at most this many bytes together.
_SAMPLE_ELEMENTS = 256
_SAMPLE_BYTES = 1 << 12

#: The deepest level of a part in a table.
_MAX_LEVELS = 16

#: At most this many elements outside of long lists have a label.
_MAX_LABELS = 20_000


class _Label(NamedTuple):
    """The label of an element.

    Attributes:
        steps: the steps of the path from the element around it: a CHOICE and its alternative are one element with two
            steps. Empty for a document and for the value inside a string.
        type: the innermost type with the form of the value, else the outermost.
    """

    steps: str
    type: TypeName = UNKNOWN


class _Scope(NamedTuple):
    """A value, the bytes that it was decoded from, and their offset in the document.

    Attributes:
        changed: the offsets in the document of the elements that the conversion from BER changed, in ascending order.
    """

    value: Any
    der: bytes
    changed: Sequence[int]
    base: int = 0

    def is_changed(self, item: Item) -> bool:
        """Return whether the conversion from BER changed an element or something inside it."""
        first = bisect_left(self.changed, self.base + item.span.offset)
        return first < len(self.changed) and self.changed[first] < self.base + item.span.end


class Labels:
    """The labels of the documents of one page, which have one list of types."""

    def __init__(self) -> None:
        self._numbers: dict[TypeName, int] = {UNKNOWN: 0}

    def types(self) -> list[tuple[str, int, dict[int, str]]]:
        """Return the types by number: the name, the number of the universal type or 0, the named numbers or bits."""
        return [(name, universal, dict(named)) for name, universal, named in self._numbers]

    def of(
        self, value: Any, der: bytes, origin: Callable[[int], int] = int, changed: Iterable[int] = ()
    ) -> dict[str, object]:
        """Return the labels of a document, each as its steps and the number of its type.

        The members are `labels`, by offset; `tables`, by the offset of the long list; `opened`, the offsets of the
        values inside strings that no path of fields reaches; and `notes`, lines about values by offset.

        Args:
            value: the value of the document.
            der: the encoding of the value.
            origin: a function that returns the offset in the document for an offset in the encoding.
            changed: the offsets in the encoding of the elements that the conversion from BER changed.
        """
        labels: dict[int, _Label] = {}
        tables: dict[int, dict[str, _Label]] = {}
        notes: dict[int, str] = {}
        opened: list[int] = []
        scopes = [_Scope(value, der, sorted(changed))]
        while scopes:
            scope = scopes.pop()
            if scope.base:
                opened.append(scope.base)
            scopes += _label_scope(scope, labels, tables, notes)
        return {
            "labels": {origin(offset): self._numbered(label) for offset, label in labels.items()},
            "tables": {
                origin(offset): {key: self._numbered(label) for key, label in table.items()}
                for offset, table in tables.items()
            },
            "opened": [origin(offset) for offset in opened],
            "notes": {origin(offset): note for offset, note in notes.items()},
        }

    def _numbered(self, label: _Label) -> tuple[str, int]:
        return label.steps, self._numbers.setdefault(label.type, len(self._numbers))


def _label_scope(
    scope: _Scope, labels: dict[int, _Label], tables: dict[int, dict[str, _Label]], notes: dict[int, str]
) -> Iterator[_Scope]:
    """Add the labels, tables and notes of a scope. Yield the values inside its strings."""
    root = root_item(scope.value)
    _add(labels, root, None, scope.der, scope.base)
    _note(notes, root, None, scope)
    pending = [root]
    while pending and len(labels) < _MAX_LABELS:
        item = pending.pop()
        if _is_long(item.value):
            tables[scope.base + item.span.offset] = _table(item, scope.der)
            continue
        for child in islice(child_items(item), _MAX_LABELS):
            _add(labels, child, item, scope.der, scope.base)
            _note(notes, child, item, scope)
            pending.append(child)
            yield from _inside_string(child, item, scope)


def _inside_string(item: Item, holder: Item, scope: _Scope) -> Iterator[_Scope]:
    """Yield the value of a signature inside a string, if its type is known and it is an encoding of that type."""
    if not isinstance(item.value, (bytes, BitString)):
        return
    schema = signature_of(holder.value, item.path[-1])
    if schema is not None:
        # The first contents octet of a BIT STRING is the number of unused bits.
        start = item.span.content_offset + isinstance(item.value, BitString)
        octets = scope.der[start : item.span.end]
        try:
            value = schema.decode(octets, tolerate=ALL_DEVIATIONS)
        except (ASN1Error, MemoryError):
            return
        yield _Scope(value, octets, scope.changed, scope.base + start)


def _is_long(value: Any) -> bool:
    return isinstance(value, (derlib.SequenceOf, derlib.SetOf)) and len(value) > _LONG_LIST


def _add(labels: dict[int, _Label], item: Item, holder: Item | None, der: bytes, base: int) -> None:
    """Add the label of `item`, and that of the value inside a string."""
    type_, inside, inner = type_name(item, holder and holder.value, der[item.span.offset])
    if inside is not None:
        labels.setdefault(base + inside, _Label("", inner))
    step = item.path[-1] if holder is not None else ""
    written = f"[{step}]" if isinstance(step, int) else step
    offset = base + item.span.offset
    outer = labels.get(offset)
    if outer is None:
        labels[offset] = _Label(written, type_)
        return
    # A CHOICE in a list is named after its alternative; another CHOICE is if the tag does not say the type, or if there
    # are several alternatives.
    inner_says_more = (
        outer.steps.startswith("[")
        or (type_.universal and not outer.type.universal)
        or (holder is not None and isinstance(holder.value, Choice) and len(derlib.fields(type(holder.value))) > 1)
    )
    labels[offset] = _Label(f"{outer.steps} {written}".strip(), type_ if inner_says_more and type_.name else outer.type)


def _note(notes: dict[int, str], item: Item, holder: Item | None, scope: _Scope) -> None:
    """Add the note of `item`, if there is one."""
    if holder is not None and (note := timestamp_note(holder.value, item.path[-1])):
        # The value is inside the OCTET STRING of the extension.
        notes[scope.base + item.span.content_offset] = note
    elif (note := fingerprint_note(item.value)) and not scope.is_changed(item):
        # The hash is that of the certificate in the file, so there is none for a conversion.
        # A certificate of PKCS #12 is inside an OCTET STRING.
        is_inside = scope.der[item.span.offset] == 0x04
        notes[scope.base + (item.span.content_offset if is_inside else item.span.offset)] = note


def _table(item: Item, der: bytes) -> dict[str, _Label]:
    """Return the labels of the parts that have the same label in all elements of the sample."""
    found: dict[str, set[_Label]] = {}
    size = 0
    for element in islice(child_items(item), _SAMPLE_ELEMENTS):
        size += element.span.length
        if size > _SAMPLE_BYTES:
            break
        labels: dict[int, _Label] = {}
        _add(labels, element, item, der, 0)
        pending = [element]
        while pending:
            holder = pending.pop()
            for child in child_items(holder):
                _add(labels, child, holder, der, 0)
                pending.append(child)
        start = element.span.offset
        # The key of the element itself is empty; its index is not in the table.
        found.setdefault("", set()).add(_Label("", labels[start].type))
        for key, offset in _keys(derlib.parse(der[start : element.span.end], tolerate=ALL_DEVIATIONS)):
            if start + offset in labels:
                found.setdefault(key, set()).add(labels[start + offset])
    common = {key: _common(candidates) for key, candidates in found.items()}
    return {key: label for key, label in common.items() if label != _Label("")}


def _common(candidates: set[_Label]) -> _Label:
    """Return the steps and the type that all candidates have."""
    steps, types = {label.steps for label in candidates}, {label.type for label in candidates}
    return _Label(steps.pop() if len(steps) == 1 else "", types.pop() if len(types) == 1 else UNKNOWN)


def _keys(tlv: derlib.TLV) -> Iterator[tuple[str, int]]:
    """Yield the table key and the offset of each element below `tlv`, also of those inside strings."""
    pending = [("", root_item(tlv), _MAX_LEVELS)]
    while pending:
        prefix, parent, levels = pending.pop()
        for index, child in enumerate(child_items(parent)):
            key = f"{prefix}{index}:{child.value.der[0]}"
            yield key, child.span.offset
            if levels:
                pending.append((f"{key}/", child, levels - 1))

"""The order of definitions in a Python module: each after the definitions that it needs.

An alias, a default or a base class needs its definitions at import time. The annotation of a component can quote the
name of a later class.
"""

from __future__ import annotations

from collections.abc import Iterator

from derlib.asn1.backend.connected import connected_components
from derlib.asn1.semantics.model import (
    ChosenValue,
    ComponentValues,
    Constrained,
    Contents,
    Definition,
    ListOf,
    Numbered,
    Open,
    Reference,
    ResolvedType,
    ResolvedValue,
    Structure,
    Table,
    Tagged,
    TypedValue,
    parts_of,
    without_tags,
)


def named_in(resolved: ResolvedType) -> Iterator[Definition | Table]:
    """Yield the definitions and tables that an annotation of a type names."""
    match resolved:
        case Reference():
            yield resolved.definition
        case Open() if resolved.table is not None:
            yield resolved.table
        case ListOf():
            yield from named_in(resolved.element)
        case Tagged():
            yield from named_in(resolved.inner)
        case Constrained():
            yield from named_in(resolved.inner)
            if isinstance(resolved.constraint, Contents):
                yield from named_in(resolved.constraint.type)
        case Structure():
            for component in resolved.components:
                yield from named_in(component.type)
        case _:
            return


def referenced(resolved: ResolvedType) -> Iterator[Definition]:
    """Yield the definitions, without tables, that an annotation of a type names."""
    return (item for item in named_in(resolved) if isinstance(item, Definition))


def named_in_value(value: ResolvedValue, resolved: ResolvedType) -> Iterator[Definition | Table]:
    """Yield the definitions and tables that the expression of a value names."""
    yield from named_in(resolved)
    if isinstance(value, TypedValue):
        yield from named_in_value(value.value, value.type)
    for inner, its_type in parts_of(value, resolved):
        yield from named_in_value(inner, its_type)


def named_in_created(value: ResolvedValue, resolved: ResolvedType) -> Iterator[Definition | Table]:
    """Yield what the types of the parts of a value name, if the constructor of a class or `encode` makes the part."""
    if isinstance(value, (ComponentValues, ChosenValue, list)):
        yield from named_in(resolved)
    elif isinstance(value, TypedValue):
        yield from named_in(value.type)
        yield from named_in_created(value.value, value.type)
    for inner, its_type in parts_of(value, resolved):
        yield from named_in_created(inner, its_type)


def is_class(definition: Definition) -> bool:
    """Return whether a definition is written as a class, whose annotations can be quoted; otherwise it is an alias."""
    return isinstance(without_tags(definition.type), (Structure, Numbered, ListOf))


class Order:
    """Sorts definitions."""

    def __init__(self, definitions: list[Definition]) -> None:
        self._definitions = definitions
        self._known = set(definitions)
        self._at_import: dict[Definition, list[Definition]] = {}
        self._needs: dict[Definition, set[Definition]] = {}
        # For each definition, the number of its group: definitions that refer to each other.
        self._groups: dict[Definition, int] = {}
        self._active: set[Definition] = set()
        self._done: set[Definition] = set()
        self._sorted: list[Definition] = []

    def sorted(self) -> list[Definition]:
        """Return the definitions in an order in which they can be written."""
        for definition in self._definitions:
            self._visit(definition)
        return self._sorted

    def needs(self, definition: Definition) -> set[Definition]:
        """Return the definitions that must come first, and the definition itself."""
        known = self._needs.get(definition)
        if known is None:
            known = self._needs[definition] = set()
            waiting = [definition]
            while waiting:
                needed = waiting.pop()
                if needed not in known:
                    known.add(needed)
                    waiting += self._needed_at_import(needed)
        return known

    def _needed_at_import(self, definition: Definition) -> list[Definition]:
        """Return the definitions that a definition names outside of annotations, so that they must come before it."""
        known = self._at_import.get(definition)
        if known is None:
            known = self._at_import[definition] = self._named_at_import(definition)
        return known

    def _named_at_import(self, definition: Definition) -> list[Definition]:
        if not is_class(definition):
            return [other for other in referenced(definition.type) if other in self._known]
        if not isinstance(definition.type, Structure):
            return []
        found: list[Definition] = []
        for component in definition.type.components:
            if component.default is not None and not self._leads_back(component.default, component.type, definition):
                items = named_in_value(component.default, component.type)
                found += [item for item in items if isinstance(item, Definition) and item in self._known]
        return found

    def _leads_back(self, default: ResolvedValue, resolved: ResolvedType, definition: Definition) -> bool:
        """Return whether the type of a default refers to the definition, too: then the default is plain data."""
        if not self._groups:
            graph = {one: [item for item in referenced(one.type) if item in self._known] for one in self._definitions}
            self._groups = {one: number for number, group in enumerate(connected_components(graph)) for one in group}
        number = self._groups[definition]
        return any(
            isinstance(item, Definition) and self._groups.get(item) == number
            for item in named_in_created(default, resolved)
        )

    def _followed(self, definition: Definition) -> Iterator[Definition]:
        """Yield the definitions that should come before a definition."""
        yield from self._needed_at_import(definition)
        for other in referenced(definition.type):
            # If the other class needs one that is being written, it comes later, and its name is quoted.
            if other in self._known and not self.needs(other) & self._active:
                yield other

    def _visit(self, definition: Definition) -> None:
        """Add a definition after those that it follows; a stack, because chains of types can be long."""
        stack: list[tuple[Definition, Iterator[Definition]]] = []
        waiting: Definition | None = definition
        while waiting is not None or stack:
            if waiting is not None and waiting not in self._done and waiting not in self._active:
                self._active.add(waiting)
                stack.append((waiting, self._followed(waiting)))
            if not stack:
                break
            current, followed = stack[-1]
            waiting = next(followed, None)
            if waiting is None:
                stack.pop()
                self._active.discard(current)
                self._done.add(current)
                self._sorted.append(current)

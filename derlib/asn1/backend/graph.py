"""The order of the files of a package: each after the files that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from derlib.asn1.backend.connected import connected_components
from derlib.asn1.backend.imports import Imports
from derlib.asn1.backend.order import Order, named_in, named_in_created, named_in_value
from derlib.asn1.semantics.model import Definition, ResolvedModule, Table

Group = list[ResolvedModule]


class Graph(NamedTuple):
    """The other modules that each module needs at import time, and those that it refers to."""

    at_import: dict[ResolvedModule, set[ResolvedModule]]
    all_uses: dict[ResolvedModule, set[ResolvedModule]]


def module_groups(modules: list[ResolvedModule]) -> tuple[list[Group], Imports]:
    """Return the modules in an order in which Python can import them, as groups, and the imports of these.

    A module comes after those that it refers to. If these refer to it, too, it comes after those whose names it needs
    at import time: for an alias, a default or a constant. Modules that need each other at import time are one group.
    """
    graph = _graph(modules)
    while True:
        groups, imports = _ordered(modules, graph)
        missing = list(_missing(groups, imports))
        if not missing:
            return groups, imports
        for module, needed in missing:
            graph.at_import[module].add(needed)


def _graph(modules: list[ResolvedModule]) -> Graph:
    resolved = {module.module: module for module in modules}
    order = Order([definition for module in modules for definition in module.definitions])
    graph = Graph({}, {})
    for module in modules:
        needed = {resolved[item.module] for item in _needed(module, order) if item.module in resolved}
        used = {resolved[item.module] for item in _used(module) if item.module in resolved}
        graph.at_import[module] = needed
        graph.all_uses[module] = needed | used
    return graph


def _ordered(modules: list[ResolvedModule], graph: Graph) -> tuple[list[Group], Imports]:
    groups: list[Group] = []
    for component in connected_components(_listed(modules, graph.all_uses)):
        groups += connected_components(_listed(component, graph.at_import))
    places = {module: place for place, group in enumerate(groups) for module in group}
    uses = [{places[other] for module in group for other in graph.all_uses[module]} for group in groups]
    return groups, Imports(uses)


def _listed(
    modules: list[ResolvedModule], others: dict[ResolvedModule, set[ResolvedModule]]
) -> dict[ResolvedModule, list[ResolvedModule]]:
    """Return a part of a graph, with the other modules in the order of `modules`."""
    return {module: [other for other in modules if other in others[module]] for module in modules}


def _missing(groups: list[Group], imports: Imports) -> Iterator[tuple[ResolvedModule, ResolvedModule]]:
    """Yield modules, and those that must come before them, because a constant could not be created otherwise."""
    modules = {module.module: module for group in groups for module in group}
    places = {module.module: place for place, group in enumerate(groups) for module in group}
    for module in modules.values():
        running = places[module.module]
        for definition, item in _reached_by_constants(module):
            if imports.is_missing(places[item.module], places[definition.module], running):
                yield modules[definition.module], modules[item.module]
                yield module, modules[definition.module]
                yield module, modules[item.module]


def _reached_by_constants(module: ResolvedModule) -> Iterator[tuple[Definition, Definition | Table]]:
    """Yield each definition that Python compiles to create the constants, with each item of another module in it."""
    waiting: list[Definition | Table] = [
        item for constant in module.constants for item in named_in_created(constant.value, constant.type)
    ]
    reached = set(waiting)
    while waiting:
        definition = waiting.pop()
        if isinstance(definition, Definition):
            for item in named_in(definition.type):
                if item.module is not definition.module:
                    yield definition, item
                if item not in reached:
                    reached.add(item)
                    waiting.append(item)


def _needed(module: ResolvedModule, order: Order) -> Iterator[Definition]:
    """Yield the definitions that must exist when Python runs a module."""
    for definition in module.definitions:
        yield from order.needs(definition)
    for constant in module.constants:
        for item in named_in_value(constant.value, constant.type):
            if isinstance(item, Definition):
                yield from order.needs(item)


def _used(module: ResolvedModule) -> Iterator[Definition | Table]:
    """Yield what the annotations and tables of a module name."""
    for definition in module.definitions:
        yield from named_in(definition.type)
    for table in module.tables:
        for _, _, resolved in table.entries:
            yield from named_in(resolved)

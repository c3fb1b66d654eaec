"""The order of the files of a package: each after the files that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from derlib.asn1.backend.order import Order, named_in, named_in_value
from derlib.asn1.semantics.model import Definition, ResolvedModule, Table

Node = TypeVar("Node")
Group = list[ResolvedModule]


def module_groups(modules: list[ResolvedModule]) -> list[Group]:
    """Return the modules in an order in which Python can import them, as groups.

    A module comes after those that it refers to. If these refer to it, too, it comes after those whose names it needs
    at once: for an alias, a default or a constant. Modules that need each other at once are one group.
    """
    order = Order([definition for module in modules for definition in module.definitions])
    at_once: dict[ResolvedModule, list[ResolvedModule]] = {}
    all_uses: dict[ResolvedModule, list[ResolvedModule]] = {}
    for module in modules:
        needed = {item.module for item in _needed(module, order)}
        used = needed | {item.module for item in _used(module)}
        at_once[module] = [other for other in modules if other.module in needed]
        all_uses[module] = [other for other in modules if other.module in used]
    groups: list[Group] = []
    for circle in _circles(all_uses):
        inside = {module: [other for other in at_once[module] if other in circle] for module in circle}
        groups += _circles(inside)
    return groups


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


def _circles(graph: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """Return the sets of nodes that reach each other, each after those that it reaches (Tarjan's algorithm)."""
    numbers: dict[Node, int] = {}
    open_nodes: list[Node] = []
    found: list[list[Node]] = []
    nodes = list(graph)

    def visit(node: Node) -> int:
        lowest = numbers[node] = len(numbers)
        open_nodes.append(node)
        for other in graph[node]:
            if other not in numbers:
                lowest = min(lowest, visit(other))
            elif other in open_nodes:
                lowest = min(lowest, numbers[other])
        if lowest == numbers[node]:
            start = open_nodes.index(node)
            found.append(sorted(open_nodes[start:], key=nodes.index))
            del open_nodes[start:]
        return lowest

    for node in nodes:
        if node not in numbers:
            visit(node)
    return found

"""The order of the files of a package: each after the files that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from derlib.asn1.backend.order import Order, named_in, named_in_value
from derlib.asn1.semantics.model import Definition, ResolvedModule, Table

Node = TypeVar("Node")
Group = list[ResolvedModule]


def module_circles(modules: list[ResolvedModule]) -> list[list[Group]]:
    """Return the modules in an order in which Python can import them, as circles of groups.

    A module comes after those that it refers to. If these refer to it, too, it comes after those whose names it needs
    at once: for an alias, a default or a constant. Modules that need each other at once are one group. Modules that
    refer to each other are one circle.
    """
    order = Order([definition for module in modules for definition in module.definitions])
    at_once: dict[ResolvedModule, list[ResolvedModule]] = {}
    all_uses: dict[ResolvedModule, list[ResolvedModule]] = {}
    for module in modules:
        needed = {item.module for item in _needed(module, order)}
        used = needed | {item.module for item in _used(module)}
        at_once[module] = [other for other in modules if other.module in needed]
        all_uses[module] = [other for other in modules if other.module in used]
    found: list[list[Group]] = []
    for circle in _circles(all_uses):
        inside = {module: [other for other in at_once[module] if other in circle] for module in circle}
        found.append(_circles(inside))
    return found


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
    """Return the sets of nodes that reach each other, each after those that it reaches (Tarjan's algorithm).

    It has a stack of its own, because chains of modules can be long.
    """
    places = {node: place for place, node in enumerate(graph)}
    numbers: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    # Nodes whose set is not complete, in the order in which they were found.
    waiting: dict[Node, None] = {}
    found: list[list[Node]] = []
    stack: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        numbers[node] = lowest[node] = len(numbers)
        waiting[node] = None
        stack.append((node, iter(graph[node])))

    for root in graph:
        if root not in numbers:
            enter(root)
        while stack:
            node, others = stack[-1]
            other = next(others, None)
            if other is None:
                stack.pop()
                if lowest[node] == numbers[node]:
                    found.append(_taken_from(node, waiting, places))
                elif stack:
                    outer = stack[-1][0]
                    lowest[outer] = min(lowest[outer], lowest[node])
            elif other not in numbers:
                enter(other)
            elif other in waiting:
                lowest[node] = min(lowest[node], numbers[other])
    return found


def _taken_from(first: Node, waiting: dict[Node, None], places: dict[Node, int]) -> list[Node]:
    """Remove `first` and all nodes after it, and return them in the order of their places."""
    taken = [waiting.popitem()[0]]
    while taken[-1] != first:
        taken.append(waiting.popitem()[0])
    return sorted(taken, key=places.__getitem__)

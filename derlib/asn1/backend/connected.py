"""The strongly connected components of a graph of modules or definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node")


def connected_components(graph: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """Return the sets of nodes that reach each other, each after those that it reaches (Tarjan's algorithm).

    It does not recurse, because chains of modules can be long.
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

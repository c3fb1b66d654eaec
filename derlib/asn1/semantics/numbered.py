"""The numbers of names: of INTEGER, BIT STRING and ENUMERATED (X.680 19, 22, 20)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from derlib.asn1.diagnostics import Problem
from derlib.asn1.syntax.tree import EnumeratedType, NamedNumber, Value

_LAST_BIT = 2**16 - 1


def named_numbers(items: Sequence[NamedNumber], integer: Callable[[Value], int]) -> dict[str, int]:
    """Return the numbers of the names of an INTEGER or BIT STRING.

    Raises:
        Problem: a name or number occurs twice, or a name has no number.
    """
    numbers: dict[str, int] = {}
    for item in items:
        if item.name in numbers:
            raise Problem(f"{item.name} is defined twice", item.at)
        if item.number is None:
            raise Problem(f"expected a number after {item.name}", item.at)
        numbers[item.name] = integer(item.number)
    _check_distinct(items, numbers)
    return numbers


def named_bits(items: Sequence[NamedNumber], integer: Callable[[Value], int]) -> dict[str, int]:
    """Return the positions of named bits, which must be less than 65,536: a value has all bits before its last one."""
    numbers = named_numbers(items, integer)
    for item in items:
        if numbers[item.name] > _LAST_BIT:
            raise Problem(f"bit {numbers[item.name]} is too far: derlib has names for 0 to {_LAST_BIT}", item.at)
    return numbers


def enumerated_numbers(node: EnumeratedType, integer: Callable[[Value], int]) -> dict[str, int]:
    """Return the numbers of the items of an ENUMERATED, the root first.

    An item without a number gets the next one that is free (X.680 20.5). That of an addition is greater than those of
    the additions before it, and can be less than those of the root (X.680 20.6).

    Raises:
        Problem: a number occurs twice, or an addition has a smaller one than the addition before it.
    """
    given = {item.name: integer(item.number) for item in [*node.root, *node.additions] if item.number is not None}
    taken = {given[item.name] for item in node.root if item.name in given}
    free = (number for number in itertools.count() if number not in taken)
    numbers = {item.name: given[item.name] if item.name in given else next(free) for item in node.root}
    root = set(numbers.values())
    last: int | None = None
    for item in node.additions:
        number = given.get(item.name)
        if number is None:
            following = itertools.count(0 if last is None else max(last + 1, 0))
            number = next(number for number in following if number not in root)
        elif last is not None and number < last:
            raise Problem(f"the number of {item.name} is less than that of the item before it, {last}", item.at)
        last = numbers[item.name] = number
    for item in [*node.root, *node.additions]:
        if not -(2**63) <= numbers[item.name] < 2**63:
            raise Problem(f"the number of {item.name} does not have 64 bits", item.at)
    _check_distinct([*node.root, *node.additions], numbers)
    return numbers


def _check_distinct(items: Sequence[NamedNumber], numbers: dict[str, int]) -> None:
    """Raise Problem if two names have the same number."""
    names: dict[int, str] = {}
    for item in items:
        number = numbers[item.name]
        first = names.setdefault(number, item.name)
        if first != item.name:
            raise Problem(f"{item.name} has the number of {first}, {number}", item.at)

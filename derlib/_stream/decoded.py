"""Parts of decoded values: the values at paths, and the DEFAULT value of an absent component."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derlib import _core
from derlib._core import Kind, Plan
from derlib._paths import LISTS, STRUCTURES, Path, any_index, rest_after


def default_at(plan: Plan, path: Path) -> Any:
    """Return the value of an absent component: its DEFAULT value, or None."""
    for number, step in enumerate(path):
        while plan.kind == Kind.KIND_EXPLICIT or plan.contained is not None:
            plan = plan.contained or plan.element
        if plan.kind in LISTS:
            plan = plan.element
            continue
        if plan.kind not in (*STRUCTURES, Kind.KIND_CHOICE):
            return None
        index = plan.names.index(step)
        if plan.kind != Kind.KIND_CHOICE and plan.defaults[index] is not None:
            found = [value for _, value in values_at(plan.defaults[index], [path[number + 1 :]])]
            if found:
                return found[0]
        plan = plan.plans[index]
    return None


def values_at(value: Any, paths: list[Path], at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the parts of a decoded value that paths name, in the order of the encoding."""
    if () in paths:
        yield at, value
        return
    children: Iterator[tuple[Any, Any]]
    if isinstance(value, _core.ListView):
        children = _elements_at(value, {path[0] for path in paths})
    elif isinstance(value, _core.ChoiceView):
        children = iter([(value.alternative, value.value)])
    elif isinstance(value, _core.SequenceView):
        names = {path[0] for path in paths}
        plan: Plan = type(value).__plan__  # type: ignore[attr-defined]
        children = iter([(name, getattr(value, name)) for name in plan.names if name in names])
    else:
        return
    for step, child in children:
        rest = rest_after(paths, step)
        if rest and child is not None:
            yield from values_at(child, rest, (*at, step))


def _elements_at(value: Any, steps: set[Any]) -> Iterator[tuple[int, Any]]:
    """Return an iterator over the elements of a list that steps of paths name, with their indexes."""
    if any_index in steps:
        return enumerate(value)
    # A path to another alternative of a union has a name here.
    indexes = [step for step in steps if isinstance(step, int) and step < len(value)]
    return ((index, value[index]) for index in sorted(indexes))

"""The paths of columns: from text such as ``entries[*].name`` to the steps that the core follows in a type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from derlib import _core
from derlib._brief import brief, cut, got
from derlib._core import ColumnStep, Kind, Plan
from derlib._paths import LISTS, STRUCTURES, any_index
from derlib._suggestions import nearest

__all__ = ["Place", "contents_of", "find_places", "selection", "without_tags"]

_NAME, _INDEX, _EACH, _KEY = r"[^\W\d]\w*", r"\[(?:[0-9]{1,18}|\*)\]", r"\[\]", r"\[(?:\"[0-9.]+\"|'[0-9.]+')\]"
_TEXT = re.compile(rf"(?:{_NAME}|{_INDEX}|{_EACH}|{_KEY})(?:\.{_NAME}|{_INDEX}|{_EACH}|{_KEY})*")
_STEP = re.compile(r"[\"']([0-9.]+)[\"']|([0-9]+(?=\]))|(\*)|(\[\])|(\w+)")
_OID = re.compile(r"[0-2](?:\.[0-9]+)+")
_EVERY = "[]"

_OPEN_TYPES = (Kind.KIND_OPEN, Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS)


class Place(NamedTuple):
    """A place in a type: its type, the steps to it, and the key of the element that it is in, as contents octets."""

    plan: Plan
    steps: tuple[tuple[int, int, bytes | None], ...]
    key: bytes | None
    around: Plan | None  # the element that the key selected, while the path is directly in it


def find_places(plan: Plan, path: Any) -> list[Place]:
    """Return the places of the values at a path."""
    steps = _parsed(path)
    places = [Place(plan, (), None, None)]
    rows = False
    for position, step in enumerate(steps):
        if step == any_index:
            step, rows = (_EVERY if rows else any_index), True
        found = [place for one in places for place in _after(one, step)]
        if not found:
            raise KeyError(_no_part(step, position, places))
        places = found
    return [place for one in places for place in _values(one)]


def _parsed(path: Any) -> list[str | int | bytes]:
    """Return the steps of a path: names, indexes, `*`, `[]`, and keys as bytes."""
    if type(path) is not str:
        raise TypeError(f"expected a path, got {got(path)}")
    if not _TEXT.fullmatch(path):
        raise ValueError(
            f"expected a path such as 'entries[*].name' or 'extensions[\"2.5.29.17\"].dns_name', got {brief(path)}"
        )
    steps: list[str | int | bytes] = []
    for key, index, star, each, name in _STEP.findall(path):
        if key:
            steps.append(contents_of(key))
        elif index:
            steps.append(int(index))
        else:
            steps.append(star or each or name)
    return steps


@lru_cache(maxsize=2048)
def contents_of(oid: str) -> bytes:
    """Return the contents octets of an OBJECT IDENTIFIER in the dotted form."""
    if not _OID.fullmatch(oid):
        raise ValueError(f"{brief(oid)} is not an OBJECT IDENTIFIER")
    return _core.ObjectIdentifier(oid).content


def without_tags(plan: Plan) -> Plan:
    plan.ready()
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
        plan.ready()
    return plan


def _in_lists(plan: Plan) -> Plan:
    """Return the type in explicit tags and lists; a list if it is only a list of itself."""
    plan = without_tags(plan)
    passed: list[Plan] = []
    while plan.kind in LISTS and plan not in passed:
        passed.append(plan)
        plan = without_tags(plan.element)
    return plan


def _inside(place: Place) -> Iterator[Place]:
    """Yield the places of the values in a place: in explicit tags, unions, and open types that a key selects."""
    plan = without_tags(place.plan)
    if plan.kind == Kind.KIND_UNION:
        for index, one in enumerate(plan.plans):
            yield from _inside(
                place._replace(plan=one, steps=(*place.steps, (ColumnStep.STEP_ALTERNATIVE, index, None)))
            )
        return
    if plan.kind in _OPEN_TYPES:
        selected = plan.contained
        if selected is None and plan.table is not None and place.key is not None and place.around is not None:
            selected = plan.table.plans.get(place.key, (None,))[0]
        if selected is not None:
            steps = (*place.steps, (ColumnStep.STEP_TYPE, 0, None))
            yield from _inside(Place(selected, steps, None, None))
            return
    yield place._replace(plan=plan)


def _after(place: Place, step: str | int | bytes) -> Iterator[Place]:
    """Yield the places to which a step leads."""
    for inside in _inside(place):
        plan = inside.plan
        if plan.kind in LISTS:
            yield from _element(inside, step)
        elif isinstance(step, str) and plan.kind in STRUCTURES and step in plan.names:
            yield _field(inside, plan.names.index(step))
        elif isinstance(step, str) and plan.kind == Kind.KIND_CHOICE and step in plan.names:
            index = plan.names.index(step)
            yield Place(plan.plans[index], (*inside.steps, (ColumnStep.STEP_ALTERNATIVE, index, None)), None, None)
        elif plan.kind in STRUCTURES and inside.around is plan:
            # The value that the key selects.
            selected = _selected_field(plan)[1]
            if selected is not None:
                yield from _after(_field(inside, selected), step)
        elif isinstance(step, bytes) and plan.kind == Kind.KIND_SEQUENCE:
            key, selected = _selected_field(plan)
            number = selected if selected is not None else key
            if number is not None:
                yield Place(plan, (*inside.steps, (ColumnStep.STEP_SELECTED, number, step)), step, plan)


def _field(place: Place, index: int) -> Place:
    """Return the place of a field."""
    steps = (*place.steps, (ColumnStep.STEP_FIELD, index, None))
    plan = place.plan.plans[index]
    inner = _in_lists(plan)
    # In a recursive type, a field can be of the type that the key selected, and has a key of its own.
    selected = place.around is place.plan and inner is not place.plan
    return Place(plan, steps, place.key if selected else None, place.around if selected else None)


def _element(place: Place, step: str | int | bytes) -> Iterator[Place]:
    """Yield the place of elements of a list."""
    element = place.plan.element
    if step in (any_index, _EVERY) or isinstance(step, int):
        op = ColumnStep.STEP_INDEX if isinstance(step, int) else ColumnStep.STEP_ROWS
        if step == _EVERY:
            op = ColumnStep.STEP_EACH
        number = step if isinstance(step, int) else 0
        yield Place(element, (*place.steps, (op, number, None)), place.key, place.around)
    elif isinstance(step, bytes):
        element = without_tags(element)
        if element.kind == Kind.KIND_SEQUENCE:
            field = _selected_field(element)[0]
            if field is not None:
                yield Place(element, (*place.steps, (ColumnStep.STEP_KEY, field, step)), step, element)
    elif _in_lists(element).kind not in LISTS:
        each = Place(element, (*place.steps, (ColumnStep.STEP_EACH, 0, None)), place.key, place.around)
        yield from _after(each, step)


def selection(plan: Plan) -> tuple[tuple[int, ...], int | None]:
    """Return the numbers of the fields that lead to the key of a SEQUENCE, and that of the open type that it selects.

    Without an open type, the key is the first OBJECT IDENTIFIER. A SEQUENCE without one has no numbers.
    """
    for index, one in enumerate(plan.plans):
        inner = _in_lists(one)
        if inner.kind in _OPEN_TYPES and inner.selector:
            at = plan
            for selector in inner.selector:
                at = without_tags(without_tags(at).plans[selector])
            if at.kind == Kind.KIND_OBJECT_IDENTIFIER:
                return tuple(inner.selector), index
    for index, one in enumerate(plan.plans):
        if without_tags(one).kind == Kind.KIND_OBJECT_IDENTIFIER:
            return (index,), None
    return (), None


def _selected_field(plan: Plan) -> tuple[int | None, int | None]:
    """Return the number of the field with the key of an element, and that of the open type that it selects."""
    selector, index = selection(plan)
    return (selector[0] if len(selector) == 1 else None), index


def _values(place: Place) -> Iterator[Place]:
    """Yield the places of the values at the end of a path."""
    for inside in _inside(place):
        index = _selected_field(inside.plan)[1] if inside.around is inside.plan else None
        if index is None:
            yield inside
        else:
            yield from _inside(_field(inside, index))


def _no_part(step: str | int | bytes, position: int, places: list[Place]) -> str:
    """Return the message for a step that leads nowhere, with the nearest name."""
    names: list[str] = []
    types: list[str] = []
    lists = opened = False
    waiting = [inside for place in places for inside in _inside(place)]
    while waiting:
        place = waiting.pop(0)
        plan = place.plan
        types.append(plan.name)
        opened = opened or plan.kind in _OPEN_TYPES
        if plan.kind in LISTS:
            lists = True
            if _in_lists(plan).kind not in LISTS:
                waiting += _inside(Place(plan.element, (), place.key, place.around))
        elif plan.kind in (*STRUCTURES, Kind.KIND_CHOICE):
            names += plan.names
            index = _selected_field(plan)[1] if place.around is plan else None
            if index is not None:
                waiting += _inside(_field(place, index))
    text = " or ".join(dict.fromkeys(types[:3]))
    shown = f"[{_dotted(step)}]" if isinstance(step, bytes) else f"[{step}]" if isinstance(step, int) else step
    near = nearest(step, names)
    if near:
        return f"{shown!r} is not a part of {text}; did you mean {near!r}?"
    if names and isinstance(step, str) and step not in (any_index, _EVERY):
        return f"{shown!r} is not a part of {text}; it has {cut(', '.join(dict.fromkeys(names)), 200)}"
    if opened:
        return f"{shown!r} is not a part of {text}; [OBJECT IDENTIFIER], instead of the field, selects its type"
    return f"{shown!r} is not a part of {text}" + ("" if lists else ", which is not a list")


def _dotted(contents: bytes) -> str:
    return str(_core.ObjectIdentifier.from_content(contents))

"""Paths to parts of a value, as `derlib.ber.convert(keep=...)` and `derlib.stream` take them.

A path has the steps of `DecodeError.path`: names of fields and alternatives, and indexes. Explicit tags, unions and
open types have no step of their own. A caller writes it as a string, ``"content.certificates[*]"``, or as a tuple,
``("content", "certificates", "*")``. `"*"` is any index; it is the documented form because both notations have it.
Tuples can also have `...`, which is replaced by `"*"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from derlib._brief import brief, cut, got
from derlib._core import Kind, Plan
from derlib._suggestions import nearest

__all__ = ["LISTS", "STRUCTURES", "Path", "any_index", "matches", "parse_path", "plans_at", "rest_after"]

Path = tuple[Any, ...]

STRUCTURES = (Kind.KIND_SEQUENCE, Kind.KIND_SET)
LISTS = (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF)
_OPEN_TYPES = (Kind.KIND_OPEN, Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS)

#: The step of a path that is any index.
any_index = "*"

_NAME, _INDEX = r"[^\W\d]\w*", r"\[(?:-?[0-9]{1,18}|\*)\]"
_TEXT = re.compile(rf"(?:{_NAME}|{_INDEX})(?:\.{_NAME}|{_INDEX})*")
_STEP = re.compile(r"-?\w+|\*")
# A step of a path of `derlib.columns`.
_KEY = re.compile(r"\[['\"]")


def parse_path(path: Any, wildcards: bool = True, from_end: bool = False) -> Path:
    """Return the steps of a path: each is exactly a `str` or an `int`.

    Args:
        path: a string, a tuple of steps, or one index.
        wildcards: whether a step can be any index.
        from_end: whether an index can be negative, and count from the end.

    Raises:
        TypeError: a step is neither a name nor an index.
        ValueError: a string is not a path, or an index is negative.
    """
    if type(path) is str:
        if not _TEXT.fullmatch(path):
            remedy = "; an element is selected by its index, not by a key" if _KEY.search(path) else ""
            raise ValueError(
                "path: expected a string such as 'entries[3].name', or a tuple of names and indexes, "
                f"got {brief(path)}{remedy}"
            )
        steps: Path = tuple(int(step) if step.lstrip("-").isdecimal() else step for step in _STEP.findall(path))
    else:
        steps = path if type(path) is tuple else (path,)
    return tuple(_parsed_step(step, wildcards, from_end) for step in steps)


def _parsed_step(step: Any, wildcards: bool, from_end: bool) -> str | int:
    """Return a step of a path. Its type is compared, because a subclass could define `==` differently."""
    if step is ...:
        step = any_index
    if type(step) not in (str, int) or (step == any_index and not wildcards):
        expected = f"a name, an index or {any_index!r}" if wildcards else "a name or an index"
        remedy = "; write the steps as a tuple" if type(step) is list else ""
        raise TypeError(f"path: expected {expected}, got {got(step)}{remedy}")
    if type(step) is int and step < 0 and not from_end:
        raise ValueError(f"path: index {brief(step)} is negative; indexes count from the start")
    return step  # type: ignore[no-any-return]


def matches(step: str | int, actual: str | int) -> bool:
    """Return whether a step of a parsed path is the actual one, or any index if that is an index."""
    return step == actual or (step == any_index and isinstance(actual, int))


def rest_after(paths: list[Path], step: str | int) -> list[Path]:
    """Return the rest of the paths that begin with a step."""
    return [path[1:] for path in paths if path and matches(path[0], step)]


def plans_at(plan: Plan, path: Path) -> list[Plan]:
    """Return the types that a part of a value can have: several after a union, and after an open type.

    Raises:
        KeyError: no value of the type has such a part. The message has the name that is most similar.
    """
    plans = [plan]
    for step in path:
        around = list(_types_inside(plans))
        plans = [part for one in around for part in _parts(one, step)]
        if not plans:
            raise KeyError(f"{brief(step)} is not a part of {_no_part(step, around)}")
    return plans


def _types_inside(plans: list[Plan]) -> Iterator[Plan]:
    """Yield the types of the values whose parts are those of these types."""
    waiting = plans[::-1]
    seen: set[int] = set()
    while waiting:
        plan = waiting.pop()
        if id(plan) in seen:
            continue
        seen.add(id(plan))
        plan.ready()
        if plan.kind == Kind.KIND_EXPLICIT or plan.contained is not None:
            waiting.append(plan.contained or plan.element)
        elif plan.kind == Kind.KIND_UNION:
            waiting += plan.plans[::-1]
        elif plan.kind in _OPEN_TYPES and plan.table is not None:
            waiting += [one for one, _ in plan.table.plans.values()]
        else:
            yield plan


def _parts(plan: Plan, step: str | int) -> list[Plan]:
    """Return the type of the part of a value at a step, in a list; or none."""
    if plan.kind in LISTS and (isinstance(step, int) or step == any_index):
        return [plan.element]
    if plan.kind in (*STRUCTURES, Kind.KIND_CHOICE) and step in plan.names:
        return [plan.plans[plan.names.index(step)]]
    return []


def _no_part(step: str | int, plans: list[Plan]) -> str:
    """Return the types that have no part at a step, and the nearest names of their parts."""
    names: list[str] = []
    for plan in plans:
        if plan.kind in (*STRUCTURES, Kind.KIND_CHOICE):
            names += plan.names
    text = " or ".join(dict.fromkeys(plan.name for plan in plans[:3])) or "an open type without types"
    near = nearest(step, names)
    if near:
        return f"{text}; did you mean {near!r}?"
    if any(plan.kind in LISTS for plan in plans):
        return f"{text}, whose parts have indexes"
    return f"{text}; it has {cut(', '.join(dict.fromkeys(names)), 200)}" if names else f"{text}, which has no parts"

"""Types with other tables of open types than their schema has: `derlib.with_open_types`."""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from typing import Annotated, Any

from derlib._brief import brief, got
from derlib._core import Kind
from derlib._paths import STRUCTURES, Path, any_index, parse_path, plans_at
from derlib._schema.annotations import UnknownName, element_of, is_annotated, union_members
from derlib._schema.compiler import plan_of
from derlib._schema.open_types import OpenTypes
from derlib._schema.tracebacks import ends_at_program
from derlib._schema.types import Containing, DefinedBy, Field
from derlib.errors import SchemaError

__all__ = ["with_open_types"]


@ends_at_program
def with_open_types(type: Any, tables: Mapping[Any, OpenTypes]) -> Any:
    """Return a type that differs from `type` only in the tables of some of its open types.

    Use it if the types depend on the peer, the profile or the caller. The schema itself does not change.

    Args:
        type: a schema class, or any other type expression.
        tables: the table for each path to an open type: a string such as ``"extensions[*].value"``, or a tuple of
            steps. ``[*]`` stands for all elements of a list. A path can lead through other open types. Their tables
            are copied for that, so types that are registered in them later are not seen.

    Returns:
        For a class, a class derived from it. Its values are values of `type`, too. They cannot be pickled, because
        tables cannot. The same arguments return the same class.

    Raises:
        SchemaError: a path does not lead to an open type, or a table is not an `OpenTypes`.
        TypeError, ValueError: a path is not a path.

    >>> from typing import Annotated, Any
    >>> from derlib import DefinedBy, ObjectIdentifier, OpenTypes, Sequence, with_open_types
    >>> class Message(Sequence):
    ...     kind: ObjectIdentifier
    ...     content: Annotated[Any, DefinedBy("kind", OpenTypes("CONTENTS"))]
    >>> Ours = with_open_types(Message, {"content": OpenTypes("OURS", {"1.2.3": int})})
    >>> Ours.decode(bytes.fromhex("300706022a0302012a")).content
    42
    >>> Message.decode(bytes.fromhex("300706022a0302012a")).content
    TLV(INTEGER, 1 byte: 2a)
    """
    if not isinstance(tables, Mapping):
        raise SchemaError(f"open_types: expected a mapping of paths to OpenTypes, got {got(tables)}")
    chosen: list[tuple[Path, OpenTypes]] = []
    for path, table in tables.items():
        if not isinstance(table, OpenTypes):
            raise SchemaError(f"open_types: {brief(path)}: expected OpenTypes, got {got(table)}")
        chosen.append((parse_path(path), table))
    try:
        return _cached(type, tuple(chosen))
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        return _changed(type, tuple(chosen))


def _changed(type: Any, chosen: tuple[tuple[Path, OpenTypes], ...]) -> Any:
    for path, table in chosen:
        try:
            plans_at(plan_of(type), path)
            type = _replaced(type, path, table)
        except (KeyError, _NoOpenType, UnknownName) as error:
            why = error.args[0]
            raise SchemaError(f"open_types: {brief(_shown(path))}: {why}") from error
    return type


_cached = functools.lru_cache(maxsize=256)(_changed)


class _NoOpenType(Exception):
    """A path does not lead to an open type."""


def _shown(path: Path) -> str:
    """Return a path as the messages write it."""
    steps = [f"[{step}]" if step == any_index or isinstance(step, int) else f".{step}" for step in path]
    return "".join(steps).removeprefix(".")


def _replaced(hint: Any, path: Path, table: OpenTypes) -> Any:
    """Return a type expression with another table at a path inside it."""
    if is_annotated(hint):
        return _replaced_in_annotated(hint, path, table)
    members = union_members(hint)
    if members is not None:
        return _replaced_in_union(members, path, table)
    if hasattr(hint, "__value__") and not isinstance(hint, type):  # a `type X = ...` alias
        return _replaced(hint.__value__, path, table)
    origin = typing.get_origin(hint)
    if hasattr(origin, "__asn1__"):
        hint = origin[typing.get_args(hint)]
    if not path or not hasattr(hint, "__asn1__"):
        raise _NoOpenType(f"{getattr(hint, '__name__', None) or brief(hint)} is not an open type")
    return _replaced_in_class(hint, path, table)


def _replaced_in_annotated(hint: Any, path: Path, table: OpenTypes) -> Any:
    items = [hint.__origin__, *hint.__metadata__]
    # Where the type is: in the first place, or in an annotation such as OctetString; see `_base_and_marks` of the
    # compiler. A mark that names a type itself comes before both.
    place = 0
    for index, item in enumerate(items):
        if isinstance(item, DefinedBy):
            items[index] = DefinedBy(item.selector, _replaced_in_table(item.table, path, table) if path else table)
            return Annotated[tuple(items)]
        if isinstance(item, Containing):
            items[index] = Containing(_replaced(item.type, path, table))
            return Annotated[tuple(items)]
        if is_annotated(item) or hasattr(item, "__asn1__"):
            place = index
    items[place] = _replaced(items[place], path, table)
    return Annotated[tuple(items)]


def _replaced_in_union(members: tuple[Any, ...], path: Path, table: OpenTypes) -> Any:
    """Change the members that have the part."""
    changed = [_replaced_if_possible(member, path, table) for member in members]
    if all(one is member for one, member in zip(changed, members, strict=True)):
        raise _NoOpenType("no member of the union has an open type at this path")
    return typing.Union[tuple(changed)]  # noqa: UP007


def _replaced_in_table(around: OpenTypes, path: Path, table: OpenTypes) -> OpenTypes:
    """Return a copy of the table of an open type around the path, where the types that have the part are changed."""
    copy = OpenTypes(around.name, on_mismatch="opaque" if around.opaque_on_mismatch else "error")
    is_changed = False
    for key, (hint, opaque) in around._entries():
        changed = _replaced_if_possible(hint, path, table)
        is_changed = is_changed or changed is not hint
        copy.register(key, changed, on_mismatch="opaque" if opaque else "error")
    if not is_changed:
        raise _NoOpenType(f"no type in {around.name} has an open type at this path")
    return copy


def _replaced_if_possible(hint: Any, path: Path, table: OpenTypes) -> Any:
    """Return `hint` itself if it has no open type at the path."""
    try:
        plans_at(plan_of(hint), path)
        return _replaced(hint, path, table)
    except (KeyError, _NoOpenType):
        return hint


def _replaced_in_class(cls: Any, path: Path, table: OpenTypes) -> Any:
    """Return a class derived from a schema class, with another table inside one of its parts."""
    cls.__plan__.ready()
    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
    keywords: dict[str, Any] = {}
    step, rest = path[0], path[1:]
    if cls.__body__.kind in (*STRUCTURES, Kind.KIND_CHOICE):
        field = next(one for one in cls.__fields__ if one.name == step)
        changed = _replaced(field.type, rest, table)
        keywords["fields"] = [Field(field.name, changed, field.optional, field.default, field.addition)]
        keywords["extensible"] = cls.__after_marker__ or cls.__extensible__
    else:
        if step != any_index:
            raise _NoOpenType(f"all elements of a list have the same table; write [{any_index}] for the index {step}")
        element = element_of(cls)
        keywords["element"] = _replaced(element, rest, table)
    made = type(cls)(cls.__name__, (cls,), names, **keywords)
    made.__has_chosen_tables__ = True
    return made

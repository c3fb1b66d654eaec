"""Evaluating annotations: forward references, type variables, unions, and the spelling of a type expression."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from typing import Any, ForwardRef, TypeVar

from derlib.errors import SchemaError


class UnknownName(NameError):
    """A name in an annotation of a class is not defined, or not yet."""

    def __init__(self, name: str | None, cls: Any) -> None:
        super().__init__(
            f"{cls.__qualname__}: the name {name!r} in an annotation is not defined; "
            f"define it in module {cls.__module__} before the class is first used"
        )


_ANNOTATED = type(typing.Annotated[int, ""])


def resolve(hint: Any, cls: Any) -> Any:
    """Evaluate the strings in a hint, at any depth, with the names that the class statement sees.

    Raises:
        SchemaError: a string is not a Python expression.
        UnknownName: a name is not defined, or not yet.
    """
    if not _has_names(hint):
        return hint
    module = sys.modules.get(cls.__module__)
    names = {**(cls.__namespace__ or {}), cls.__name__: cls}
    try:
        if isinstance(hint, str):
            # What `get_type_hints` does with most strings, several times as fast.
            value = eval(compile(hint, "<annotation>", "eval"), vars(module) if module else {}, names)
            if not _has_names(value):
                return value
            hint = ForwardRef(hint, is_class=True)
        holder = types.SimpleNamespace(__annotations__={"hint": hint})
        return typing.get_type_hints(holder, vars(module) if module else {}, names, include_extras=True)["hint"]
    except SyntaxError as error:
        raise SchemaError(f"{cls.__qualname__}: the annotation {hint!r} is not Python") from error
    except NameError as error:
        raise UnknownName(error.name, cls) from error


def _has_names(hint: Any) -> bool:
    """Return whether a hint is, or contains, a string: `get_type_hints` takes long, even if no string needs it."""
    if isinstance(hint, (str, ForwardRef)) or hint is None:
        return True
    return any(map(_has_names, typing.get_args(hint)))


# The annotations of a class itself. `vars(cls)` does not always have them (PEP 649), the attribute can be inherited or
# belong to the metaclass, and importing `inspect` for `get_annotations` would slow down the import of derlib.
own_annotations: Callable[[type], dict[str, Any]] = type.__dict__["__annotations__"].__get__  # noqa: RUF063


def substitute(hint: Any, cls: Any) -> Any:
    """Replace the type variables of a generic class by its type arguments."""
    arguments = cls.__arguments__
    if not arguments:
        return hint
    if isinstance(hint, TypeVar):
        return arguments.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    # On Python 3.10, isinstance(GenericAlias, type) is true.
    if parameters and (isinstance(hint, types.GenericAlias) or not isinstance(hint, type)):
        return hint[tuple(arguments.get(parameter, parameter) for parameter in parameters)]
    return hint


def element_of(cls: Any) -> Any:
    """Return the element type of a list class.

    It can be inherited: its names are those that the class which has it sees.

    Raises:
        SchemaError, UnknownName: as `resolve`.
    """
    owner = next(base for base in cls.__mro__ if "__element__" in vars(base))
    return substitute(resolve(cls.__element__, owner), cls)


def is_annotated(hint: Any) -> bool:
    """Return whether a hint is ``Annotated[...]``; `typing.get_origin` takes several times as long."""
    return type(hint) is _ANNOTATED


def union_members(hint: Any) -> tuple[Any, ...] | None:
    """Return the members of a union, or None for another type."""
    if is_annotated(hint) or isinstance(hint, type):
        return None
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return None


def spelling(hint: Any) -> Any:
    """Return a key for a type expression that includes the order of its unions.

    Python compares unions without their order. In derlib the order decides which alternative encodes a value.
    """
    arguments = () if isinstance(hint, type) else typing.get_args(hint)
    return (typing.get_origin(hint), *map(spelling, arguments)) if arguments else hint

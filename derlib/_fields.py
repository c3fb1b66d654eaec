"""The fields of a schema class, read from its annotations or from the dynamic form; called by `derlib._compile`.

Names in annotations are resolved here, and type variables of generic classes get their values.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Sequence
from typing import Any, ForwardRef, TypeVar

from derlib._types import MISSING, Addition, Field
from derlib.errors import SchemaError

# Names of methods that values are to have; a field must not take them now.
RESERVED_NAMES = frozenset({"replace", "to_native", "from_native", "to_json", "from_json", "find"})



def class_fields(cls: Any) -> tuple[Field, ...]:
    """The fields of a class, those of its base classes first; NameError where a name is not defined yet."""
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__):
        if "__own_fields__" in vars(base):
            names = [item.name for item in base.__own_fields__]
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise SchemaError(f"{base.__qualname__}: two fields have the name {min(twice)!r}; rename one")
            for item in base.__own_fields__:
                found[item.name] = _dynamic_field(item, cls)
        elif "__asn1__" in vars(base) or not isinstance(base, type(cls)):
            continue
        else:
            for name, hint in _annotations(base).items():
                if typing.get_origin(hint) is typing.ClassVar or hint is typing.ClassVar:
                    continue
                default = vars(base)["__declared__"].get(name, MISSING)
                found[name] = _annotated_field(name, substitute(hint, cls), default, cls)
    for name in found:
        _check_name(name, cls)
    return tuple(found.values())


def has_fields(cls: Any) -> bool:
    """Whether a class, or one that it is derived from, says that it has a field."""
    return any(
        vars(base).get("__own_fields__") or ("__asn1__" not in vars(base) and inspect.get_annotations(base))
        for base in cls.__mro__
        if isinstance(base, type(cls))
    )


def _check_name(name: str, cls: Any) -> None:
    if name.startswith("$"):
        raise SchemaError(f"{cls.__qualname__}.{name}: such names mark values in plain data; choose another")
    if hasattr(cls.__root__, name) or name in RESERVED_NAMES or name.startswith("__"):
        raise SchemaError(
            f"{cls.__qualname__}.{name}: {name!r} is a method or property of every {cls.__asn1__}; "
            f"call the field {name + '_'!r}"
        )


def _annotations(cls: Any) -> dict[str, Any]:
    """The annotations of one class, evaluated; kept, since classes derived from it ask again."""
    if "__hints__" not in vars(cls):
        cls.__hints__ = {name: resolve(hint, cls) for name, hint in inspect.get_annotations(cls).items()}
    hints: dict[str, Any] = vars(cls)["__hints__"]
    return hints


class UnknownName(NameError):
    """A name in an annotation of a class that is not defined, or not yet."""

    def __init__(self, name: str | None, cls: Any) -> None:
        super().__init__(
            f"{cls.__qualname__}: the name {name!r} in an annotation is not defined; "
            f"define it in module {cls.__module__} before the class is first used"
        )


def resolve(hint: Any, cls: Any) -> Any:
    """Evaluate what is written as a string, anywhere in a hint, in the namespaces of the class.

    Raises:
        SchemaError: a text is not Python.
        UnknownName: a name in it is not defined, or not yet.
    """
    module = sys.modules.get(cls.__module__)
    names = {**(cls.__namespace__ or {}), cls.__name__: cls}
    try:
        if isinstance(hint, str):
            hint = ForwardRef(hint, is_class=True)
        holder = types.SimpleNamespace(__annotations__={"hint": hint})
        return typing.get_type_hints(holder, vars(module) if module else {}, names, include_extras=True)["hint"]
    except SyntaxError as error:
        raise SchemaError(f"{cls.__qualname__}: the annotation {hint!r} is not Python") from error
    except NameError as error:
        raise UnknownName(error.name, cls) from error


def substitute(hint: Any, cls: Any) -> Any:
    """Put the type arguments of a generic class in place of its type variables."""
    arguments = cls.__arguments__
    if isinstance(hint, TypeVar):
        return arguments.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    # On Python 3.10 a GenericAlias passes for a class.
    if parameters and (isinstance(hint, types.GenericAlias) or not isinstance(hint, type)):
        return hint[tuple(arguments.get(parameter, parameter) for parameter in parameters)]
    return hint


def union_members(hint: Any) -> tuple[Any, ...] | None:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return None


def spelling(hint: Any) -> Any:
    """A key for a type expression that keeps the order of its unions.

    Python compares unions without order; ours say with it which alternative takes a value first.
    """
    arguments = () if isinstance(hint, type) else typing.get_args(hint)
    return (typing.get_origin(hint), *map(spelling, arguments)) if arguments else hint


def _annotated_field(name: str, hint: Any, default: Any, cls: Any) -> Field:
    members = union_members(hint) or ()
    if type(None) not in members:
        if default is None:
            inside = type(None) in (union_members(getattr(hint, "__origin__", None)) or ())
            remedy = "write '| None = None'"
            if inside:
                remedy = f"it stands at the outside: '{name}: Annotated[...] | None = None'"
            raise SchemaError(f"{cls.__qualname__}.{name}: the default is None but the type does not say so; {remedy}")
        return Field(name, hint, default=default, addition=is_addition(hint))
    if default is not None:
        raise SchemaError(
            f"{cls.__qualname__}.{name}: an optional field is written '| None = None'; "
            "for a DEFAULT value leave '| None' out"
        )
    rest = tuple(member for member in members if member is not type(None))
    return Field(
        name,
        typing.Union[rest],  # noqa: UP007
        optional=True,
        addition=any(is_addition(member) for member in rest),
    )


def is_addition(hint: Any) -> bool:
    """Whether an annotation says `Addition()`."""
    return typing.get_origin(hint) is typing.Annotated and any(isinstance(item, Addition) for item in hint.__metadata__)


def marked_fields(items: Sequence[Any]) -> tuple[tuple[Field, ...], bool, str | None]:
    """The dynamic form with extension markers: the fields, whether it has one, and the field behind the second one."""
    found: list[Field] = []
    markers = 0
    behind = None
    for item in items:
        if item is ...:
            markers += 1
            continue
        if markers == 2 and behind is None:
            behind = item.name
        found.append(dataclasses.replace(item, addition=True) if markers == 1 else item)
    if markers > 2:
        raise SchemaError("a list of fields has two extension markers (...) at most")
    return tuple(found), markers > 0, behind


def _dynamic_field(item: Field, cls: Any) -> Field:
    hint = resolve(item.type, cls) if isinstance(item.type, (str, ForwardRef)) else item.type
    if item.optional and item.default is not MISSING:
        raise SchemaError(f"{cls.__qualname__}.{item.name}: a field is optional or has a default, not both")
    return dataclasses.replace(item, type=substitute(hint, cls), addition=item.addition or is_addition(hint))

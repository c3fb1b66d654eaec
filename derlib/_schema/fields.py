"""The fields of a schema class, read from its annotations or from the dynamic form."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any, ForwardRef

from derlib._schema.annotations import is_annotated, own_annotations, resolve, substitute, union_members
from derlib._schema.types import MISSING, Addition, Field
from derlib.errors import SchemaError

# Names of methods of derlib's own schema classes (`CertificateList.find`), which no field can have.
RESERVED_NAMES = frozenset({"find"})


def class_fields(cls: Any) -> tuple[Field, ...]:
    """Return the fields of a class, those of its base classes first.

    Raises:
        SchemaError: a field is wrong.
        UnknownName: a name in an annotation is not defined, or not yet.
    """
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
    """Return whether a class, or a base class of it, declares a field."""
    return any(
        vars(base).get("__own_fields__") or ("__asn1__" not in vars(base) and own_annotations(base))
        for base in cls.__mro__
        if isinstance(base, type(cls))
    )


def _check_name(name: str, cls: Any) -> None:
    if name.startswith("$"):
        raise SchemaError(
            f"{cls.__qualname__}.{name}: names with $ are reserved for plain data (to_native); choose another"
        )
    if hasattr(cls.__root__, name) or name in RESERVED_NAMES or name.startswith("__"):
        raise SchemaError(
            f"{cls.__qualname__}.{name}: {name!r} is a method or property of every {cls.__asn1__}; "
            f"call the field {name + '_'!r}"
        )


def _annotations(cls: Any) -> dict[str, Any]:
    """Return the evaluated annotations of one class. They are stored in the class, for classes derived from it."""
    if "__hints__" not in vars(cls):
        cls.__hints__ = {name: resolve(hint, cls) for name, hint in own_annotations(cls).items()}
    hints: dict[str, Any] = vars(cls)["__hints__"]
    return hints


def _annotated_field(name: str, hint: Any, default: Any, cls: Any) -> Field:
    members = union_members(hint) or ()
    if type(None) not in members:
        if default is None:
            inside = type(None) in (union_members(getattr(hint, "__origin__", None)) or ())
            remedy = "write '| None = None'"
            if inside:
                remedy = f"write None outside of Annotated: '{name}: Annotated[...] | None = None'"
            raise SchemaError(
                f"{cls.__qualname__}.{name}: the default is None, but the type does not allow it; {remedy}"
            )
        return Field(name, hint, default=default, addition=is_addition(hint))
    if default is not None:
        raise SchemaError(
            f"{cls.__qualname__}.{name}: '| None' needs the default None; "
            "for an OPTIONAL field write '| None = None', for a DEFAULT value remove '| None'"
        )
    rest = tuple(member for member in members if member is not type(None))
    return Field(
        name,
        typing.Union[rest],  # noqa: UP007
        optional=True,
        addition=any(is_addition(member) for member in rest),
    )


def is_addition(hint: Any) -> bool:
    """Return whether an annotation contains `Addition()`."""
    return is_annotated(hint) and any(isinstance(item, Addition) for item in hint.__metadata__)


def read_field_list(items: Sequence[Any]) -> tuple[tuple[Field, ...], bool, str | None]:
    """Read the dynamic form: fields, with `...` for an extension marker (X.680 25).

    Returns:
        The fields, whether there is an extension marker, and the name of the field after the second one.
    """
    found: list[Field] = []
    markers = 0
    after_second = None
    for item in items:
        if item is ...:
            markers += 1
            continue
        if markers == 2 and after_second is None:
            after_second = item.name
        found.append(Field(item.name, item.type, item.optional, item.default, addition=True) if markers == 1 else item)
    if markers > 2:
        raise SchemaError(
            f"a list of fields has {markers} extension markers (...); at most two extension markers are allowed"
        )
    return tuple(found), markers > 0, after_second


def _dynamic_field(item: Field, cls: Any) -> Field:
    hint = resolve(item.type, cls) if isinstance(item.type, (str, ForwardRef)) else item.type
    if item.optional and item.default is not MISSING:
        raise SchemaError(f"{cls.__qualname__}.{item.name}: a field is optional or has a default, not both")
    addition = item.addition or is_addition(hint)
    return Field(item.name, substitute(hint, cls), item.optional, item.default, addition)

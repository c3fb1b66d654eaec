"""The names of the ASN.1 types of values, for the page of `derlib view`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import derlib
from derlib import inspect
from derlib.cli.documents.paths import Item
from derlib.inspect import Kind, TypeInfo

__all__ = ["UNKNOWN", "TypeName", "type_name"]

#: The number of each universal type by its name.
_UNIVERSAL = {name: number for number, name in inspect.universal_types().items()}

_LIST = re.compile(r"(Sequence|Set)Of\[(.*)\]")

#: The strings by their identifier octet, and the values that never have one of these.
_PRIMITIVE_STRINGS = {0x03: "BIT STRING", 0x04: "OCTET STRING"}
_STRUCTURES = (derlib.Sequence, derlib.Set, derlib.SequenceOf, derlib.SetOf)

_STRINGS = {Kind.OPEN_OCTETS: "OCTET STRING", Kind.OPEN_BITS: "BIT STRING"}


class TypeName(NamedTuple):
    """A type as the page shows it.

    Attributes:
        name: the name of the class or of the universal type; empty if the tag says all.
        universal: the number of the universal type of a value without components; 0 if the tag has it.
        named: the named numbers, or the named bits by their position.
    """

    name: str
    universal: int = 0
    named: tuple[tuple[int, str], ...] = ()


UNKNOWN = TypeName("")


def type_name(item: Item, holder: Any, first_octet: int) -> tuple[TypeName, int | None, TypeName]:
    """Return the type of an item, and for a string that contains its value the offset and type of that value.

    Args:
        item: the item.
        holder: the structure, list or CHOICE with the item; None for a document.
        first_octet: the first identifier octet of the item.
    """
    step = item.path[-1] if item.path else None
    cls: Any = type(holder)
    info = _parts(cls).get(0 if isinstance(step, int) else step) if step is not None else None
    own = _own_type(item.value)
    string = _string_of(info)
    if string is None and isinstance(item.value, _STRUCTURES):
        # An open type whose type is a string that contains a structure.
        string = _PRIMITIVE_STRINGS.get(first_octet)
    if string is not None:
        outer = TypeName(string, _UNIVERSAL[string])
        if own is None:
            return outer, None, UNKNOWN
        skipped = 1 if string == "BIT STRING" else 0
        return outer, item.span.content_offset + skipped, own
    if own is not None:
        return own, None, UNKNOWN
    universal = _UNIVERSAL.get(info.name, 0) if info is not None else 0
    return (TypeName(info.name, universal) if info is not None and universal else UNKNOWN), None, UNKNOWN


def _own_type(value: Any) -> TypeName | None:
    """Return the type of a value of a schema class or of an enumeration; None for another value."""
    cls: Any = type(value)
    if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        return TypeName(_list_name(cls))
    if isinstance(value, (derlib.Sequence, derlib.Set, derlib.Choice)):
        return TypeName(cls.__name__)
    if isinstance(value, (derlib.Enumerated, derlib.NamedInteger, derlib.NamedBits)):
        return _enumeration(cls)
    return None


@cache
def _list_name(cls: Any) -> str:
    """Return the name of a list; for one without a class of its own, such as SetOf[Attribute], SET OF Attribute."""
    found = _LIST.fullmatch(cls.__name__)
    if found is None:
        return str(cls.__name__)
    element = _parts(cls)[0]
    # Before 1994, X.680 wrote an open type as ANY.
    is_open = element.kind in (Kind.ANY, Kind.OPEN)
    name = "ANY" if is_open else element.name if element.name in _UNIVERSAL else found[2]
    return f"{found[1].upper()} OF {name}"


@cache
def _enumeration(cls: Any) -> TypeName:
    if issubclass(cls, derlib.NamedBits):
        return TypeName(cls.__name__, 3, tuple((int(one).bit_length() - 1, one.name) for one in cls))
    number = 10 if issubclass(cls, derlib.Enumerated) else 2
    return TypeName(cls.__name__, number, tuple((int(one), one.name) for one in cls))


@cache
def _parts(cls: type) -> dict[str | int, TypeInfo]:
    """Return the types of the fields or alternatives by name, or the type of the elements at 0."""
    if not issubclass(cls, (derlib.Sequence, derlib.Set, derlib.Choice, derlib.SequenceOf, derlib.SetOf)):
        return {}
    info = inspect.type_info(cls)
    if isinstance(info, inspect.ListType):
        return {0: _inside(info.element)}
    parts = info.alternatives if isinstance(info, inspect.ChoiceType) else getattr(info, "components", ())
    return {part.name: _inside(part.type) for part in parts}


def _inside(info: TypeInfo) -> TypeInfo:
    """Return the type inside explicit tags."""
    while isinstance(info, inspect.ExplicitType):
        info = info.type
    return info


def _string_of(info: TypeInfo | None) -> str | None:
    """Return the name of the string that contains an encoding; None for a type that is not such a string."""
    return None if info is None else _STRINGS.get(info.kind)

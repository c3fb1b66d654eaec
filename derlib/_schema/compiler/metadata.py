"""The metadata of `Annotated`: the ASN.1 type and the marks of derlib. Objects of other packages are ignored."""

from __future__ import annotations

import typing
from typing import Any

from derlib._brief import brief
from derlib._core import TLV, Tag
from derlib._schema.annotations import is_annotated, union_members
from derlib._schema.compiler.session import SchemaLocation
from derlib._schema.compiler.simple_types import PYTHON_TYPES
from derlib._schema.constraints import Constraint
from derlib._schema.open_types import OpenTypes
from derlib._schema.types import Addition, Containing, DefinedBy, Explicit, Field, Implicit, Primitive, TimeEncoding

MARKS = (Addition, Constraint, Containing, Explicit, Implicit, DefinedBy)
KNOWN = (*MARKS, Primitive, TimeEncoding)
_PACKAGE = __name__.partition(".")[0]


def base_and_marks(hint: Any, location: SchemaLocation) -> tuple[Any, list[Any]]:
    """Return the ASN.1 type of `Annotated`, and the other things that it contains."""
    base = hint.__origin__
    marks: list[Any] = []
    # The number of marks before the ASN.1 type.
    before = 0
    for item in hint.__metadata__:
        if is_annotated(item):
            # Annotated[Any, OctetString, ...]: the Python type comes first, then the ASN.1 type.
            base = item.__origin__
            before = len(marks)
            marks.extend(item.__metadata__)
        elif isinstance(item, type) and (item in PYTHON_TYPES or item is TLV or hasattr(item, "__asn1__")):
            base = item
            before = len(marks)
        else:
            if not isinstance(item, KNOWN):
                _check_other(item, location)
            marks.append(item)
    if any(isinstance(item, Containing) for item in marks):
        # Annotated[Inner, OctetString, Containing(Inner)]: the marks of Inner come first; only the contents have them.
        marks = marks[before:]
    for item in marks:
        if isinstance(item, Primitive):
            base = item
    return base, marks


def _check_other(item: Any, location: SchemaLocation) -> None:
    """Raise SchemaError for an object of derlib that is not a mark: without it the encoding is another one."""
    if isinstance(item, type) and issubclass(item, MARKS):
        raise location.error(f"{item.__name__} needs arguments; write {item.__name__}(...)")
    if _is_of_derlib(item):
        raise location.error(f"{brief(item)} in Annotated is not an annotation of derlib; {_remedy(item)}")


def _is_of_derlib(item: Any) -> bool:
    """Return whether an object, or a base class of it, is defined in derlib; of a union, whether a member is."""
    members = union_members(item)
    if members is not None:
        return any(is_annotated(member) or _is_of_derlib(member) for member in members)
    item = typing.get_origin(item) or item  # SequenceOf["Later"]
    cls = item if isinstance(item, type) else type(item)
    return any(str(base.__module__).partition(".")[0] == _PACKAGE for base in cls.__mro__)


def _remedy(item: Any) -> str:
    """Return what to write instead of an object that is not a mark."""
    if isinstance(item, Tag):
        arguments = str(item.number) if item.tag_class == "context" else f"{item.number}, {item.tag_class!r}"
        return f"write Implicit({arguments}) or Explicit({arguments})"
    if item is Tag:
        return "write Implicit(...) or Explicit(...)"
    if item is OpenTypes or isinstance(item, OpenTypes):
        return "write DefinedBy('name of the selector', table)"
    if item is Field or isinstance(item, Field):
        return "write the type and the default of the field, or give the class fields=[...]"
    if isinstance(item, type) or typing.get_origin(item) is not None or union_members(item):
        return "write a type as the first argument of Annotated, or without Annotated"
    return "expected a tag, a constraint, DefinedBy, Containing or Addition"

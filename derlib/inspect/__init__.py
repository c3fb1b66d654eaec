"""A read-only view of types, for tools that work with any schema: documentation, user interfaces, code generators.

`type_info` returns a `TypeInfo` for any type expression. Its subclass depends on the kind of type. The objects are
frozen and describe what `decode` accepts: tags, components, constraints, open types.

>>> import derlib
>>> from derlib import inspect
>>> class Point(derlib.Sequence):
...     x: int
...     y: int = 0
...     label: str | None = None
>>> for component in inspect.type_info(Point).components:
...     print(component.name, component.type.kind.value, component.optional, component.default)
x INTEGER False MISSING
y INTEGER False 0
label UTF8String True MISSING
"""

from __future__ import annotations

from typing import Any, overload

from derlib import _core
from derlib._schema.compiler import plan_of
from derlib.inspect._constraints import (
    AlphabetConstraint,
    ComponentConstraint,
    ComponentsConstraint,
    ConstraintInfo,
    ElementsConstraint,
    ExceptConstraint,
    IntersectionConstraint,
    RangeConstraint,
    SizeConstraint,
    UnionConstraint,
    ValuesConstraint,
)
from derlib.inspect._types import (
    AnyType,
    ChoiceType,
    Component,
    ContainingType,
    ExplicitType,
    Kind,
    ListType,
    OpenType,
    OpenTypeEntry,
    PrimitiveType,
    StructureType,
    TypeInfo,
    describe,
)

__all__ = [
    "AlphabetConstraint",
    "AnyType",
    "ChoiceType",
    "Component",
    "ComponentConstraint",
    "ComponentsConstraint",
    "ConstraintInfo",
    "ContainingType",
    "ElementsConstraint",
    "ExceptConstraint",
    "ExplicitType",
    "IntersectionConstraint",
    "Kind",
    "ListType",
    "OpenType",
    "OpenTypeEntry",
    "PrimitiveType",
    "RangeConstraint",
    "SizeConstraint",
    "StructureType",
    "TypeInfo",
    "UnionConstraint",
    "ValuesConstraint",
    "error_kinds",
    "registration_count",
    "type_info",
    "universal_types",
]


@overload
def type_info(type: type[_core.SequenceView]) -> StructureType: ...
@overload
def type_info(type: type[_core.ChoiceView]) -> ChoiceType: ...
@overload
def type_info(type: type[_core.ListView[Any]]) -> ListType: ...
@overload
def type_info(type: Any) -> TypeInfo: ...
def type_info(type: Any) -> TypeInfo:
    """Return the description of a type. A second call returns the same object while the first one is in use.

    Args:
        type: a schema class, or any other type expression that an annotation can contain.

    Raises:
        SchemaError: `type` is not a type, or a name in an annotation is not defined.

    >>> from derlib import SequenceOf, inspect
    >>> inspect.type_info(SequenceOf[int])
    <ListType SequenceOf[int]>
    """
    return describe(plan_of(type))


def registration_count() -> int:
    """Return the number of types that were registered in all `OpenTypes` tables, replaced types included.

    If it did not change, `OpenType.entries` of every open type returns the same types as before.

    >>> from typing import Annotated, Any
    >>> import derlib
    >>> from derlib import inspect
    >>> before = inspect.registration_count()
    >>> table = derlib.OpenTypes("TABLE", {"2.999.1": int})
    >>> class Parameter(derlib.Sequence):
    ...     kind: derlib.ObjectIdentifier
    ...     value: Annotated[Any, derlib.DefinedBy("kind", table)]
    >>> table.register("2.999.2", bool)
    >>> inspect.registration_count() > before
    True
    """
    return _core.registration_count()


def universal_types() -> dict[int, str]:
    """Return the name of each universal type by tag number (X.680 8.4).

    >>> from derlib import inspect
    >>> inspect.universal_types()[12]
    'UTF8String'
    """
    return {number: name for number, name, _ in _core.universal_types()}


def error_kinds() -> dict[str, str]:
    """Return each `DecodeError.kind` with the clause that it enforces, `DecodeError.rule`.

    >>> from derlib import inspect
    >>> inspect.error_kinds()["integer-not-minimal"]
    'X.690 8.3.2'
    """
    return {kind: clause for kind, _, clause in _core.fault_kinds()}


# Pickles contain the name of a module. It is the public one, so that classes can move inside derlib.
for _name in __all__:
    globals()[_name].__module__ = __name__

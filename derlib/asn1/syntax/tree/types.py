"""Nodes of types (X.680 17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from derlib.asn1.syntax.tree.values import Node, Value, ValueReference

if TYPE_CHECKING:
    from derlib.asn1.syntax.tree.constraints import Constraint


@dataclass(slots=True, eq=False)
class Type(Node):
    """A type notation (X.680 17)."""


@dataclass(slots=True, eq=False)
class BuiltinType(Type):
    """A type without parts, such as ``OCTET STRING`` or ``UTF8String``."""

    name: str


@dataclass(slots=True, eq=False)
class NamedNumber(Node):
    """A named number, a named bit, or an enumeration item, whose number can be absent."""

    name: str
    number: Value | None


@dataclass(slots=True, eq=False)
class IntegerType(Type):
    """INTEGER (X.680 19)."""

    named: list[NamedNumber]


@dataclass(slots=True, eq=False)
class BitStringType(Type):
    """BIT STRING (X.680 22)."""

    named: list[NamedNumber]


@dataclass(slots=True, eq=False)
class EnumeratedType(Type):
    """ENUMERATED (X.680 20)."""

    root: list[NamedNumber]
    additions: list[NamedNumber]
    extensible: bool


@dataclass(slots=True, eq=False)
class ComponentType(Node):
    """A component of a SEQUENCE or SET, or an alternative of a CHOICE."""

    name: str
    type: Type
    optional: bool = False
    default: Value | None = None


@dataclass(slots=True, eq=False)
class ComponentsOf(Node):
    """``COMPONENTS OF Type`` (X.680 25.4)."""

    type: Type


@dataclass(slots=True, eq=False)
class AdditionGroup(Node):
    """An extension addition group, ``[[2: ...]]`` (X.680 25.1)."""

    version: int | None
    components: list[Component]


Component = ComponentType | ComponentsOf
Addition = ComponentType | ComponentsOf | AdditionGroup


@dataclass(slots=True, eq=False)
class Components(Node):
    """The components or alternatives in braces: the root before and after the additions, and the additions."""

    root: list[Component]
    additions: list[Addition]
    second_root: list[Component]
    extensible: bool


@dataclass(slots=True, eq=False)
class SequenceType(Type):
    """SEQUENCE or SET (X.680 25, 27)."""

    kind: Literal["SEQUENCE", "SET"]
    components: Components


@dataclass(slots=True, eq=False)
class ListType(Type):
    """SEQUENCE OF or SET OF (X.680 26, 28)."""

    kind: Literal["SEQUENCE", "SET"]
    element: Type


@dataclass(slots=True, eq=False)
class ChoiceType(Type):
    """CHOICE (X.680 29)."""

    components: Components


@dataclass(slots=True, eq=False)
class AnyType(Type):
    """ANY or ANY DEFINED BY of X.208."""

    defined_by: str | None


@dataclass(slots=True, eq=False)
class TaggedType(Type):
    """A type with a tag (X.680 31); `mode` is None if the notation has neither IMPLICIT nor EXPLICIT."""

    tag_class: Literal["context", "application", "private", "universal"]
    number: Value
    mode: Literal["IMPLICIT", "EXPLICIT"] | None
    type: Type


@dataclass(slots=True, eq=False)
class ConstrainedType(Type):
    """A type with a constraint (X.680 49)."""

    type: Type
    constraint: Constraint


@dataclass(slots=True, eq=False)
class TypeReference(Type):
    """A reference to a type, or to an object class, an object set or a value set: only its definition shows which."""

    module: str | None
    name: str
    arguments: list[Argument] | None = None


@dataclass(slots=True, eq=False)
class FieldType(Type):
    """The type of a field of an object class, ``CLASS.&field`` (X.681 14), or of an object or an object set."""

    reference: TypeReference | ValueReference
    path: list[str]


@dataclass(slots=True, eq=False)
class SelectionType(Type):
    """The type of an alternative, ``alternative < Type`` (X.680 30)."""

    alternative: str
    type: Type


@dataclass(slots=True, eq=False)
class InstanceOfType(Type):
    """``INSTANCE OF CLASS`` (X.681 C)."""

    object_class: TypeReference


@dataclass(slots=True, eq=False)
class MacroType(Type):
    """The invocation of a macro of X.208, which is skipped."""

    name: str


# An actual parameter, a setting of a field, or a default of a field: its governor shows what a type reference or braces
# are.
Argument = Type | Value

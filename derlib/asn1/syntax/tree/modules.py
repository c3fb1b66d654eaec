"""Nodes of object classes (X.681), parameters (X.683), assignments and modules (X.680 13, 16)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from derlib.asn1.source import Place
from derlib.asn1.syntax.tree.types import Argument, Type
from derlib.asn1.syntax.tree.values import Braced, Node, Value


@dataclass(slots=True, eq=False)
class FieldSpec(Node):
    """A field of an object class (X.681 9).

    `governor` is the type, the class or the field reference after the name; None in a type field.
    """

    name: str
    governor: Type | str | None
    unique: bool
    optional: bool
    default: Argument | None


@dataclass(slots=True, eq=False)
class SyntaxGroup(Node):
    """A part of a WITH SYNTAX: literals, field references (``&field``) and groups (X.681 10)."""

    items: list[str | SyntaxGroup]


@dataclass(slots=True, eq=False)
class ObjectClass(Node):
    """``CLASS {...} WITH SYNTAX {...}`` (X.681 9)."""

    fields: list[FieldSpec]
    syntax: SyntaxGroup | None


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """A dummy reference with its governor, if any."""

    governor: Type | None
    name: str


@dataclass(slots=True, eq=False)
class Assignment(Node):
    """The definition of a name; its text is the part of the source from `at` to `end`."""

    name: str
    parameters: list[Parameter]
    end: int = field(default=0, kw_only=True)

    @property
    def text(self) -> str:
        """The text of the assignment in the source."""
        return self.at.source.text[self.at.offset : self.end]


@dataclass(slots=True, eq=False)
class TypeAssignment(Assignment):
    """``Name ::= Type`` (X.680 16). If the type is a reference to a class, it defines another name of that class."""

    type: Type


@dataclass(slots=True, eq=False)
class ValueAssignment(Assignment):
    """``name Governor ::= value``: the governor is a type (X.680 16) or an object class (X.681 11)."""

    governor: Type
    value: Value


@dataclass(slots=True, eq=False)
class SetAssignment(Assignment):
    """``Name Governor ::= {...}``: a value set (X.680 16.6) or an object set (X.681 12)."""

    governor: Type
    contents: Value


@dataclass(slots=True, eq=False)
class ObjectClassAssignment(Assignment):
    """``NAME ::= CLASS {...}`` (X.681 9)."""

    object_class: ObjectClass


@dataclass(slots=True, eq=False)
class MacroDefinition(Assignment):
    """``NAME MACRO ::= BEGIN ... END`` of X.208, which is skipped."""


@dataclass(slots=True, eq=False)
class Imports(Node):
    """The names that are imported from a module, with their places, and the module with its place."""

    names: dict[str, Place]
    module: str
    module_at: Place
    identifier: Value | None


@dataclass(slots=True, eq=False)
class XMLValueAssignment(Assignment):
    """``name ::= <Type>...</Type>`` (X.680 16.2), which is skipped."""


TagDefault = Literal["EXPLICIT", "IMPLICIT", "AUTOMATIC"]


@dataclass(slots=True, eq=False)
class Module(Node):
    """A module (X.680 13). `exports` is None if it exports everything."""

    name: str
    identifier: Braced | None
    tag_default: TagDefault
    extensibility_implied: bool
    exports: dict[str, Place] | None
    imports: list[Imports]
    assignments: list[Assignment]

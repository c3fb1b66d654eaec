"""The syntax tree of ASN.1 modules. The names are those of X.680 to X.683.

Each node has the place where it begins. Nodes compare by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from derlib.asn1.source import Place
from derlib.asn1.syntax.lexer import Token


@dataclass(slots=True, eq=False)
class Node:
    """The base of all nodes: `at` is the place where the node begins, with `line` and `column`."""

    at: Place


# Values


@dataclass(slots=True, eq=False)
class Value(Node):
    """A value notation (X.680 17)."""


@dataclass(slots=True, eq=False)
class NumberValue(Value):
    """An integer, such as ``-5``."""

    number: int


@dataclass(slots=True, eq=False)
class RealValue(Value):
    """A real number in decimal notation, such as ``1.5E3``."""

    text: str


@dataclass(slots=True, eq=False)
class StringValue(Value):
    """A character string; the quotation marks are removed."""

    text: str


@dataclass(slots=True, eq=False)
class BitsValue(Value):
    """A binary or hexadecimal string, such as ``'0101'B`` or ``'0AFF'H``; `digits` is without blanks."""

    digits: str
    base: Literal[2, 16]


@dataclass(slots=True, eq=False)
class KeywordValue(Value):
    """A value that is a reserved word: TRUE, FALSE, NULL, MIN, MAX, PLUS-INFINITY, MINUS-INFINITY, NOT-A-NUMBER."""

    word: str


@dataclass(slots=True, eq=False)
class ValueReference(Value):
    """A reference to a value, an enumeration item or a named number (X.680 14.3)."""

    module: str | None
    name: str
    arguments: list[Argument] | None = None


@dataclass(slots=True, eq=False)
class ValueFromObject(Value):
    """A value that a field of an object has, such as ``object.&id`` (X.681 15)."""

    reference: ValueReference | TypeReference
    path: list[str]


@dataclass(slots=True, eq=False)
class ChoiceValue(Value):
    """A value of a CHOICE (X.680 29.11), or of an open type with ``Type : value``."""

    selector: str | Type
    value: Value


@dataclass(slots=True, eq=False)
class Braced(Value):
    """Anything in braces whose meaning depends on its governor; `tokens` are between the braces, and end with END."""

    tokens: list[Token]


# Types


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


# Constraints (X.680 49 to 51, X.682)


@dataclass(slots=True, eq=False)
class Constraint(Node):
    """A constraint, or a part of one."""


@dataclass(slots=True, eq=False)
class ExtensibleConstraint(Constraint):
    """A constraint with an extension marker; `root` applies to senders of this version."""

    root: Constraint
    additions: Constraint | None


@dataclass(slots=True, eq=False)
class SetOperation(Constraint):
    """``left | right``, ``left ^ right`` or ``left EXCEPT right`` (X.680 50)."""

    operator: Literal["UNION", "INTERSECTION", "EXCEPT"]
    left: Constraint
    right: Constraint


@dataclass(slots=True, eq=False)
class AllExcept(Constraint):
    """``ALL EXCEPT inner`` (X.680 50)."""

    inner: Constraint


@dataclass(slots=True, eq=False)
class SingleValue(Constraint):
    """A single value (X.680 51.2)."""

    value: Value


@dataclass(slots=True, eq=False)
class ContainedSubtype(Constraint):
    """All values of a type or of a value set (X.680 51.3)."""

    type: Type


@dataclass(slots=True, eq=False)
class ValueRange(Constraint):
    """``low..high``; an open end, ``<``, excludes the bound (X.680 51.4)."""

    low: Value
    high: Value
    low_open: bool = False
    high_open: bool = False


@dataclass(slots=True, eq=False)
class SizeConstraint(Constraint):
    """``SIZE (...)`` (X.680 51.5)."""

    inner: Constraint


@dataclass(slots=True, eq=False)
class PermittedAlphabet(Constraint):
    """``FROM (...)`` (X.680 51.7)."""

    inner: Constraint


@dataclass(slots=True, eq=False)
class ElementConstraint(Constraint):
    """``WITH COMPONENT (...)`` (X.680 51.8)."""

    inner: Constraint


@dataclass(slots=True, eq=False)
class NamedConstraint(Node):
    """The constraint and the presence of a component in ``WITH COMPONENTS``."""

    name: str
    constraint: Constraint | None
    presence: Literal["PRESENT", "ABSENT", "OPTIONAL"] | None


@dataclass(slots=True, eq=False)
class ComponentConstraints(Constraint):
    """``WITH COMPONENTS {...}`` (X.680 51.8); `partial` if it begins with an ellipsis."""

    partial: bool
    components: list[NamedConstraint]


@dataclass(slots=True, eq=False)
class TableConstraint(Constraint):
    """``({Set})`` or ``({Set}{@path})`` (X.682 10). A path that begins with a dot counts from the innermost type."""

    object_set: Braced
    paths: list[str]


@dataclass(slots=True, eq=False)
class ContentsConstraint(Constraint):
    """``CONTAINING Type`` and ``ENCODED BY value`` (X.682 11)."""

    type: Type | None
    encoded_by: Value | None


@dataclass(slots=True, eq=False)
class TextConstraint(Constraint):
    """A constraint that is text for people or not supported: CONSTRAINED BY, PATTERN, SETTINGS."""

    word: Literal["CONSTRAINED BY", "PATTERN", "SETTINGS"]


# Object classes (X.681)


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


# Parameters (X.683)


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """A dummy reference with its governor, if any."""

    governor: Type | None
    name: str


# An actual parameter, a setting of a field, or a default of a field: its governor shows what a type reference or braces
# are.
Argument = Type | Value


# Assignments and modules


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
    """The names that are imported from a module."""

    names: list[str]
    module: str
    identifier: Value | None


TagDefault = Literal["EXPLICIT", "IMPLICIT", "AUTOMATIC"]


@dataclass(slots=True, eq=False)
class Module(Node):
    """A module (X.680 13). `exports` is None if it exports everything."""

    name: str
    identifier: Braced | None
    tag_default: TagDefault
    extensibility_implied: bool
    exports: list[str] | None
    imports: list[Imports]
    assignments: list[Assignment]

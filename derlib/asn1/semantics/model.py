"""Resolved types: the result of the front half of the compiler, from which the writer of Python works.

References point to definitions, tags are numbers with their final mode, parameters are replaced, COMPONENTS OF is
expanded, and an open type has its table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Union

from derlib.asn1.diagnostics import Problem
from derlib.asn1.source import Place
from derlib.asn1.syntax.tree import Assignment, Module

TagClass = Literal["context", "application", "private", "universal"]


# Values


@dataclass(frozen=True)
class NullValue:
    """The value of NULL."""


@dataclass(frozen=True)
class OIDValue:
    """A value of OBJECT IDENTIFIER or RELATIVE-OID."""

    arcs: tuple[int, ...]

    def __str__(self) -> str:
        return ".".join(map(str, self.arcs))


@dataclass(frozen=True)
class BitsValue:
    """A value of BIT STRING: its bits as text, such as "0101"."""

    bits: str

    @property
    def octets(self) -> bytes:
        """The bits in bytes, with zeros for unused bits."""
        bits = self.bits + "0" * (-len(self.bits) % 8)
        return int(bits or "0", 2).to_bytes(len(bits) // 8, "big")


@dataclass(frozen=True)
class ItemValue:
    """An item of an ENUMERATED, a named number of an INTEGER."""

    name: str
    number: int


@dataclass(frozen=True)
class NamedBitsValue:
    """The named bits that are set."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class RealValue:
    """A value of REAL in decimal notation, in base 2 such as "0x3p-2", or "inf", "-inf", "nan"."""

    text: str


@dataclass(frozen=True)
class ChosenValue:
    """A value of a CHOICE."""

    alternative: str
    value: ResolvedValue

    @property
    def components(self) -> dict[str, ResolvedValue]:
        """The value by the name of the alternative."""
        return {self.alternative: self.value}


@dataclass(frozen=True)
class TypedValue:
    """A value of an open type, with its type."""

    type: ResolvedType
    value: ResolvedValue


@dataclass(frozen=True)
class ComponentValues:
    """A value of a SEQUENCE or SET."""

    components: dict[str, ResolvedValue]


# Python 3.10 cannot join a class and a quoted name with "|".
ResolvedValue = Union[
    bool,
    int,
    str,
    bytes,
    NullValue,
    OIDValue,
    BitsValue,
    ItemValue,
    NamedBitsValue,
    RealValue,
    ChosenValue,
    TypedValue,
    ComponentValues,
    "list[ResolvedValue]",
]


def plain_number(value: ResolvedValue) -> ResolvedValue:
    """Return the number of an item of a type with named numbers, and any other value unchanged."""
    return value.number if isinstance(value, ItemValue) else value


# Constraints


class _Parts:
    """A constraint. `weight` is the number of its parts; it is counted once, because parts can be shared."""

    @cached_property
    def weight(self) -> int:
        return 1


@dataclass(frozen=True)
class ValueSet(_Parts):
    """Single values."""

    values: tuple[ResolvedValue, ...]

    @cached_property
    def weight(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Bounds(_Parts):
    """A value range or a size; None is MIN or MAX."""

    kind: Literal["Range", "Size"]
    low: int | None
    high: int | None


@dataclass(frozen=True)
class Alphabet(_Parts):
    """The characters that a string can have: single ones, and first and last ones of ranges."""

    ranges: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Combination(_Parts):
    """A union, intersection or exclusion of constraints."""

    operator: Literal["UNION", "INTERSECTION", "EXCEPT"]
    left: ResolvedConstraint
    right: ResolvedConstraint

    @cached_property
    def weight(self) -> int:
        return self.left.weight + self.right.weight


@dataclass(frozen=True)
class Not(_Parts):
    """ALL EXCEPT."""

    inner: ResolvedConstraint

    @cached_property
    def weight(self) -> int:
        return self.inner.weight


@dataclass(frozen=True)
class OfElements(_Parts):
    """WITH COMPONENT."""

    inner: ResolvedConstraint

    @cached_property
    def weight(self) -> int:
        return self.inner.weight


@dataclass(frozen=True)
class OfComponents(_Parts):
    """WITH COMPONENTS: the constraint and the presence of each component."""

    partial: bool
    components: tuple[tuple[str, ResolvedConstraint | None, Literal["PRESENT", "ABSENT", "OPTIONAL"] | None], ...]

    @cached_property
    def weight(self) -> int:
        return 1 + sum(inner.weight for _, inner, _ in self.components if inner is not None)


@dataclass(frozen=True)
class Contents(_Parts):
    """CONTAINING: the string contains an encoding of a type."""

    type: ResolvedType


@dataclass(frozen=True)
class Extended(_Parts):
    """A constraint with an extension marker, which restricts nothing."""

    root: ResolvedConstraint


ResolvedConstraint = ValueSet | Bounds | Alphabet | Combination | Not | OfElements | OfComponents | Contents | Extended


# Types


@dataclass(eq=False)
class Simple:
    """A type without parts, by its ASN.1 name."""

    name: str


@dataclass(eq=False)
class Numbered:
    """INTEGER, ENUMERATED or BIT STRING with named numbers; the additions of an ENUMERATED are among them."""

    kind: Literal["INTEGER", "ENUMERATED", "BIT STRING"]
    named: dict[str, int]
    extensible: bool = False


@dataclass(eq=False)
class ResolvedComponent:
    """A component or an alternative."""

    name: str
    type: ResolvedType
    optional: bool
    default: ResolvedValue | None
    addition: bool
    at: Place


@dataclass(eq=False)
class Structure:
    """SEQUENCE, SET or CHOICE."""

    kind: Literal["SEQUENCE", "SET", "CHOICE"]
    components: list[ResolvedComponent]
    extensible: bool
    # The component at which the root continues after a second marker, if no additions are known.
    after_marker: str | None = None

    @property
    def types(self) -> dict[str, ResolvedType]:
        """The types of the components or alternatives by their names."""
        return {component.name: component.type for component in self.components}


@dataclass(eq=False)
class ListOf:
    """SEQUENCE OF or SET OF."""

    kind: Literal["SEQUENCE", "SET"]
    element: ResolvedType


@dataclass(eq=False)
class Open:
    """An open type; without a table, any type is possible."""

    table: Table | None = None
    selector: str = ""
    # Why it has no table although the module has a selector, for people.
    remark: str = ""
    # The error of the type in the text, in place of which it is used.
    problem: Problem | None = None


@dataclass(eq=False)
class Reference:
    """A reference to a definition."""

    definition: Definition


@dataclass(eq=False)
class Tagged:
    """A type with a tag."""

    tag_class: TagClass
    number: int
    explicit: bool
    inner: ResolvedType


@dataclass(eq=False)
class Constrained:
    """A type with a constraint."""

    inner: ResolvedType
    # None if it has no effect, or is not resolved yet.
    constraint: ResolvedConstraint | None


ResolvedType = Simple | Numbered | Structure | ListOf | Open | Reference | Tagged | Constrained


def without_tags(resolved: ResolvedType) -> ResolvedType:
    """Return a type without its tags and constraints; a reference stays one."""
    while isinstance(resolved, (Tagged, Constrained)):
        resolved = resolved.inner
    return resolved


def without_references(resolved: ResolvedType) -> ResolvedType:
    """Return a type without its tags, constraints and references."""
    while isinstance(resolved, (Tagged, Constrained, Reference)):
        resolved = resolved.definition.type if isinstance(resolved, Reference) else resolved.inner
    return resolved


def wrappers_of(resolved: ResolvedType) -> Iterator[Tagged | Constrained]:
    """Yield the tags, and the constraints with an effect, of a type and of those that it refers to.

    The type can refer to itself: the error of that comes later.
    """
    seen: set[Definition] = set()
    while isinstance(resolved, (Tagged, Constrained, Reference)):
        if isinstance(resolved, Reference):
            if resolved.definition in seen:
                return
            seen.add(resolved.definition)
            resolved = resolved.definition.type
        else:
            if isinstance(resolved, Tagged) or resolved.constraint is not None:
                yield resolved
            resolved = resolved.inner


def has_contents(resolved: ResolvedType) -> bool:
    """Return whether a type, or one that it refers to, has a constraint on the contents of a string."""
    return any(
        isinstance(wrapper, Constrained) and isinstance(wrapper.constraint, Contents)
        for wrapper in wrappers_of(resolved)
    )


def contained_octets(value: ResolvedValue, resolved: ResolvedType) -> bytes | None:
    """Return the contents of a string, if its type requires an encoding of a type (X.682 11); otherwise None.

    The default of a type that another component selects is not decoded, because it has no such component.
    """
    octets = value.octets if isinstance(value, BitsValue) else value
    if not isinstance(octets, bytes):
        return None
    for wrapper in wrappers_of(resolved):
        if isinstance(wrapper, Constrained) and isinstance(wrapper.constraint, Contents):
            contents = wrapper.constraint.type
            return None if isinstance(contents, Open) and contents.table is not None else octets
    return None


def parts_of(value: ResolvedValue, resolved: ResolvedType) -> Iterator[tuple[ResolvedValue, ResolvedType]]:
    """Yield the elements or components of a value with their types."""
    resolved = without_references(resolved)
    if isinstance(value, list) and isinstance(resolved, ListOf):
        for element in value:
            yield element, resolved.element
    elif isinstance(value, (ComponentValues, ChosenValue)) and isinstance(resolved, Structure):
        types = resolved.types
        for name, inner in value.components.items():
            yield inner, types[name]


@dataclass(eq=False)
class Definition:
    """A type with a name: that of an assignment, or one for a nested type or the expansion of a parametrised type."""

    name: str
    module: Module
    assignment: Assignment
    # If the type has no assignment of its own: what it is, for people. `assignment` contains or uses it.
    remark: str = ""
    type: ResolvedType = field(default_factory=lambda: Simple("NULL"))
    # Whether it is a nested type.
    is_part: bool = False


TableEntry = tuple[OIDValue | int, str, ResolvedType]


@dataclass(eq=False)
class Table:
    """The types that the keys of an object set select."""

    name: str
    module: Module
    assignment: Assignment
    # The key, its name if it has one, and the type that it selects.
    entries: list[TableEntry] = field(default_factory=list["TableEntry"])


@dataclass(eq=False)
class Constant:
    """A value with a name."""

    name: str
    module: Module
    assignment: Assignment
    type: ResolvedType
    value: ResolvedValue


@dataclass(eq=False)
class ResolvedModule:
    """What a module defines, in the order of its text; expansions and nested types come before their first user."""

    module: Module
    definitions: list[Definition] = field(default_factory=list[Definition])
    constants: list[Constant] = field(default_factory=list[Constant])
    tables: list[Table] = field(default_factory=list[Table])

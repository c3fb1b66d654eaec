"""Nodes of constraints (X.680 49 to 51, X.682)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from derlib.asn1.syntax.tree.types import Type
from derlib.asn1.syntax.tree.values import Braced, Node, Value


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

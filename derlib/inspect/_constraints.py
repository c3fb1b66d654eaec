"""Descriptions of constraints, made from the compiled constraints of the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

# By the number in a compiled constraint, the enum Presence of core/schema/constraint.pxi.
PRESENCE: tuple[Literal["present", "absent"] | None, ...] = (None, "present", "absent")


@dataclass(frozen=True)
class ConstraintInfo:
    """The base of descriptions of constraints (X.680 50, 51).

    A value range of an INTEGER alone and a SIZE alone are not among `TypeInfo.constraints`: the attributes `range` and
    `size` of the type have them.

    >>> from typing import Annotated
    >>> from derlib import Alphabet, IA5String, inspect
    >>> inspect.type_info(Annotated[IA5String, Alphabet("0-9A-F")]).constraints
    (AlphabetConstraint(ranges=((48, 57), (65, 70))),)
    """


@dataclass(frozen=True)
class RangeConstraint(ConstraintInfo):
    """A value range (X.680 51.4).

    Attributes:
        low: the smallest value, or None for MIN.
        high: the largest value, or None for MAX.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> inspect.type_info(Annotated[int, Range(0, 5) | Range(9, None)]).constraints
    (UnionConstraint(parts=(RangeConstraint(low=0, high=5), RangeConstraint(low=9, high=None))),)
    """

    low: int | None
    high: int | None


@dataclass(frozen=True)
class SizeConstraint(ConstraintInfo):
    """A SIZE constraint (X.680 51.5).

    Attributes:
        low: the smallest size, in bits, octets, characters or elements.
        high: the largest size, or None for MAX.

    >>> from typing import Annotated
    >>> from derlib import Size, inspect
    >>> inspect.type_info(Annotated[bytes, Size(4) | Size(16)]).constraints
    (UnionConstraint(parts=(SizeConstraint(low=4, high=4), SizeConstraint(low=16, high=16))),)
    """

    low: int
    high: int | None


@dataclass(frozen=True)
class AlphabetConstraint(ConstraintInfo):
    """A permitted alphabet (X.680 51.7).

    Attributes:
        ranges: the first and last code point of each range of characters, in ascending order.

    >>> from typing import Annotated
    >>> from derlib import Alphabet, inspect
    >>> inspect.type_info(Annotated[str, Alphabet("a-z")]).constraints
    (AlphabetConstraint(ranges=((97, 122),)),)
    """

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ValuesConstraint(ConstraintInfo):
    r"""Single values (X.680 51.2).

    Attributes:
        encodings: the contents octets of each value; for a CHOICE, the whole encoding.

    >>> from typing import Annotated
    >>> from derlib import OneOf, inspect
    >>> inspect.type_info(Annotated[int, OneOf(1, 5)]).constraints
    (ValuesConstraint(encodings=(b'\x01', b'\x05')),)
    """

    encodings: tuple[bytes, ...]


@dataclass(frozen=True)
class IntersectionConstraint(ConstraintInfo):
    """Values that satisfy all of several constraints (X.680 50.3).

    Attributes:
        parts: these constraints.

    >>> from typing import Annotated
    >>> from derlib import OneOf, Range, inspect
    >>> inspect.type_info(Annotated[int, Range(0, 9) - OneOf(5) | OneOf(12)]).constraints
    (UnionConstraint(parts=(IntersectionConstraint(parts=(RangeConstraint(low=0, high=9),
        ExceptConstraint(part=ValuesConstraint(encodings=(b'\\x05',))))), ValuesConstraint(encodings=(b'\\x0c',)))),)
    """

    parts: tuple[ConstraintInfo, ...]


@dataclass(frozen=True)
class UnionConstraint(ConstraintInfo):
    """Values that satisfy at least one of several constraints (X.680 50.3).

    Attributes:
        parts: these constraints.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> inspect.type_info(Annotated[int, Range(0, 5) | Range(10, 15)]).constraints
    (UnionConstraint(parts=(RangeConstraint(low=0, high=5), RangeConstraint(low=10, high=15))),)
    """

    parts: tuple[ConstraintInfo, ...]


@dataclass(frozen=True)
class ExceptConstraint(ConstraintInfo):
    """All values that do not satisfy a constraint (X.680 50.3, ALL EXCEPT).

    Attributes:
        part: the constraint that the values do not satisfy.

    >>> from typing import Annotated
    >>> from derlib import Range, inspect
    >>> inspect.type_info(Annotated[int, ~Range(0, 5)]).constraints
    (ExceptConstraint(part=RangeConstraint(low=0, high=5)),)
    """

    part: ConstraintInfo


@dataclass(frozen=True)
class ElementsConstraint(ConstraintInfo):
    """A constraint on each element of a list (X.680 51.8, WITH COMPONENT).

    Attributes:
        part: the constraint on an element.

    >>> from typing import Annotated
    >>> from derlib import Range, SequenceOf, WithComponent, inspect
    >>> inspect.type_info(Annotated[SequenceOf[int], WithComponent(Range(0, 9))]).constraints
    (ElementsConstraint(part=RangeConstraint(low=0, high=9)),)
    """

    part: ConstraintInfo


@dataclass(frozen=True)
class ComponentConstraint:
    """The part of a `ComponentsConstraint` for one component.

    Attributes:
        number: the index of the component in `StructureType.components`, or of the alternative in
            `ChoiceType.alternatives`.
        presence: "present" or "absent" if the constraint requires that, else None.
        part: the constraint on the value of the component, or None.

    >>> from typing import Annotated
    >>> from derlib import Absent, Sequence, WithComponents, inspect
    >>> class Point(Sequence):
    ...     x: int
    ...     label: str | None = None
    >>> inspect.type_info(Annotated[Point, WithComponents(label=Absent)]).constraints
    (ComponentsConstraint(parts=(ComponentConstraint(number=1, presence='absent', part=None),)),)
    """

    number: int
    presence: Literal["present", "absent"] | None
    part: ConstraintInfo | None


@dataclass(frozen=True)
class ComponentsConstraint(ConstraintInfo):
    """Constraints on components of a SEQUENCE or SET, or on alternatives of a CHOICE (X.680 51.8, WITH COMPONENTS).

    Attributes:
        parts: one `ComponentConstraint` for each constrained component, in the order of the components.

    >>> from typing import Annotated
    >>> from derlib import Range, Sequence, WithComponents, inspect
    >>> class Point(Sequence):
    ...     x: int
    >>> inspect.type_info(Annotated[Point, WithComponents(x=Range(0, 9))]).constraints
    (ComponentsConstraint(parts=(ComponentConstraint(number=0, presence=None, part=RangeConstraint(low=0, high=9)),)),)
    """

    parts: tuple[ComponentConstraint, ...]


def constraint_info(facts: tuple[Any, ...]) -> ConstraintInfo:
    """Return the description of a compiled constraint from its `facts`."""
    kind, parts, bounds, encodings, ranges, components = facts
    inner = tuple(map(constraint_info, parts))
    match kind:
        case "CONSTRAINT_INTERSECTION":
            return IntersectionConstraint(inner)
        case "CONSTRAINT_UNION":
            return UnionConstraint(inner)
        case "CONSTRAINT_EXCEPT":
            return ExceptConstraint(inner[0])
        case "CONSTRAINT_ELEMENTS":
            return ElementsConstraint(inner[0])
        case "CONSTRAINT_SIZE":
            return SizeConstraint(*bounds[0])
        case "CONSTRAINT_RANGE":
            return RangeConstraint(*bounds[1])
        case "CONSTRAINT_ALPHABET":
            return AlphabetConstraint(ranges)
        case "CONSTRAINT_VALUES":
            return ValuesConstraint(encodings)
        case "CONSTRAINT_COMPONENTS":
            return ComponentsConstraint(tuple(_component_constraint(*component) for component in components))
    raise AssertionError(kind)


def _component_constraint(number: int, presence: int, facts: tuple[Any, ...] | None) -> ComponentConstraint:
    return ComponentConstraint(number, PRESENCE[presence], None if facts is None else constraint_info(facts))

"""Constraints of a type that do not fit the constraints which it has already (X.680 50, 51).

A constraint selects some of the values of its parent type. A single value that the parent does not have selects
nothing, and is left out. If no value is left, nobody can use the type: that is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from derlib._intervals import EVERYTHING, SIZES, IntervalSet, bounded, complement, intersection, interval_set, points
from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.inner_types import Entry
from derlib.asn1.semantics.model import (
    Bounds,
    Combination,
    Constrained,
    ListOf,
    Not,
    OfComponents,
    OfElements,
    ResolvedConstraint,
    ResolvedType,
    Structure,
    ValueSet,
    plain_number,
    wrappers_of,
)
from derlib.asn1.semantics.subsets import NOTHING, effective
from derlib.asn1.semantics.violations import allows, size_of
from derlib.asn1.source import Place

Kind = Literal["Range", "Size"]


def constraints_of(resolved: ResolvedType) -> list[ResolvedConstraint]:
    """Return the effective constraints of a type and of the types that it refers to."""
    found = (effective(one.constraint) for one in wrappers_of(resolved) if isinstance(one, Constrained))
    return [one for one in found if one is not None]


@dataclass(frozen=True)
class Fitting:
    """Fits constraints to the types that they constrain. `base_of` returns a type without references and tags."""

    base_of: Callable[[ResolvedType], ResolvedType]
    at: Place

    def fitted(self, constraint: ResolvedConstraint, resolved: ResolvedType) -> ResolvedConstraint | None:
        """Return a constraint without the single values that the type does not have; None if it restricts nothing.

        Raises:
            Problem: no value of the type satisfies the constraint.
        """
        parents = constraints_of(resolved)
        found = self._fitted(constraint, parents, resolved)
        if found is not None and _is_empty([found, *parents]) and not _is_empty(parents):
            others = ", together with those of its parent type" if parents and not _is_empty([constraint]) else ""
            raise Problem(f"no value satisfies these constraints{others} (X.680 50)", self.at)
        return found

    def _fitted(
        self, constraint: ResolvedConstraint, parents: list[ResolvedConstraint], resolved: ResolvedType
    ) -> ResolvedConstraint | None:
        match constraint:
            case ValueSet(values=values):
                kept = tuple(one for one in values if all(allows(parent, one) is not False for parent in parents))
                return constraint if len(kept) == len(values) else ValueSet(kept)
            case Combination():
                # Each operand of an intersection is a parent of the other one; EXCEPT removes values of the left one.
                # A class applies the left one first.
                others = [constraint.right] if constraint.operator == "INTERSECTION" else []
                left = self._fitted(constraint.left, [*parents, *others], resolved)
                others = [left] if constraint.operator != "UNION" and left is not None else []
                right = self._fitted(constraint.right, [*parents, *others], resolved)
                if left is constraint.left and right is constraint.right:
                    return constraint
                return _combined(constraint.operator, left, right)
            case Not(inner=inner):
                found = self._fitted(inner, parents, resolved)
                return constraint if found is inner else _complement(found)
            case OfElements(inner=inner):
                base = self.base_of(resolved)
                fitted = self.fitted(inner, base.element) if isinstance(base, ListOf) else inner
                return constraint if fitted is inner else fitted and OfElements(fitted)
            case OfComponents():
                return self._fitted_components(constraint, resolved)
            case _:
                return constraint

    def _fitted_components(self, constraint: OfComponents, resolved: ResolvedType) -> OfComponents:
        base = self.base_of(resolved)
        types = base.types if isinstance(base, Structure) else {}
        entries: list[Entry] = []
        for name, inner, presence in constraint.components:
            fitted = self.fitted(inner, types[name]) if inner is not None and name in types else inner
            entries.append((name, fitted, presence))
        made = OfComponents(constraint.partial, tuple(entries))
        return constraint if made == constraint else made


def _combined(
    operator: Literal["UNION", "INTERSECTION", "EXCEPT"],
    left: ResolvedConstraint | None,
    right: ResolvedConstraint | None,
) -> ResolvedConstraint | None:
    """Return a combination of constraints, of which None allows everything, and some can allow nothing."""
    if operator == "UNION":
        if left is None or right is None:
            return None
        if isinstance(left, ValueSet) and isinstance(right, ValueSet):
            return ValueSet(left.values + right.values)
        return right if left == NOTHING else left if right == NOTHING else Combination(operator, left, right)
    if operator == "EXCEPT":
        if right in (None, NOTHING):
            return NOTHING if right is None else left
        assert right is not None
        return Not(right) if left is None else NOTHING if left == NOTHING else Combination(operator, left, right)
    if left is None or right is None:
        return left or right
    return NOTHING if NOTHING in (left, right) else Combination(operator, left, right)


def _complement(inner: ResolvedConstraint | None) -> ResolvedConstraint | None:
    return NOTHING if inner is None else None if inner == NOTHING else Not(inner)


def _is_empty(constraints: list[ResolvedConstraint]) -> bool:
    """Return whether no value satisfies all constraints, as far as that is simple to find."""
    if NOTHING in constraints:
        return True
    return not (_common(constraints, "Range", EVERYTHING) and _common(constraints, "Size", SIZES))


def _common(constraints: list[ResolvedConstraint], kind: Kind, common: IntervalSet) -> IntervalSet:
    for constraint in constraints:
        common = intersection(common, _possible(constraint, kind))
    return common


def _possible(constraint: ResolvedConstraint, kind: Kind) -> IntervalSet:
    """Return numbers or sizes, of which those that a constraint allows are a part."""
    match constraint:
        case Bounds(low=low, high=high) if constraint.kind == kind:
            return bounded((low, high))
        case ValueSet(values=values):
            numbers = [plain_number(one) if kind == "Range" else size_of(one) for one in values]
            known = [one for one in numbers if type(one) is int]
            return points(known) if len(known) == len(values) else EVERYTHING
        case Combination(operator="UNION", left=left, right=right):
            return interval_set([*_possible(left, kind), *_possible(right, kind)])
        case Combination(operator="INTERSECTION", left=left, right=right):
            return intersection(_possible(left, kind), _possible(right, kind))
        case Combination(left=left, right=right):
            return intersection(_possible(left, kind), _possible(Not(right), kind))
        case Not(inner=inner) if _decides(inner, kind):
            return complement(_possible(inner, kind))
        case _:
            return EVERYTHING


def _decides(constraint: ResolvedConstraint, kind: Kind) -> bool:
    """Return whether a constraint allows a value because of its number, or its size, alone."""
    match constraint:
        case Bounds():
            return constraint.kind == kind
        case ValueSet(values=values):
            return kind == "Range" and all(type(plain_number(one)) is int for one in values)
        case Combination(left=left, right=right):
            return _decides(left, kind) and _decides(right, kind)
        case Not(inner=inner):
            return _decides(inner, kind)
        case _:
            return False

"""Subsets of types: the constraints that types have, and their combinations.

A part of a constraint that is not supported restricts nothing, so a constraint can allow more values than its notation:
it is approximate. EXCEPT cannot exclude what an approximate constraint allows, because that would exclude valid values.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Literal, NamedTuple

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.semantics.model import (
    Combination,
    Constrained,
    Contents,
    Definition,
    Extended,
    Not,
    OfComponents,
    OfElements,
    Reference,
    ResolvedConstraint,
    ResolvedType,
    Tagged,
    ValueSet,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.object_sets import ObjectSetResolver
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Module, Type

# The deepest nesting of included constraints. Python reads at most 200 nested brackets, and each level is indented.
_DEEPEST = 60
# The constraint that allows no value, as a part of another one.
NOTHING = ValueSet(())


class Subset(NamedTuple):
    """The values of a type that a constraint allows, or all of them; `exact` if it allows no others."""

    constraint: ResolvedConstraint | None
    exact: bool


class SubsetResolver(ObjectSetResolver):
    """Combines constraints, and collects those of types."""

    def __init__(self, modules: list[Module], diagnostics: Diagnostics) -> None:
        super().__init__(modules, diagnostics)
        # By identity: an equal constraint elsewhere can be exact.
        self._approximate: dict[int, ResolvedConstraint] = {}

    @abstractmethod
    def complete(self, constrained: Constrained) -> None:
        """Resolve the constraint of a type if that was put off; `types` implements this."""

    def marked(self, constraint: ResolvedConstraint, *, exact: bool) -> ResolvedConstraint:
        """Return a constraint, or if it is not exact a copy that is marked as approximate."""
        if exact:
            return constraint
        made = replace(constraint)
        self._approximate[id(made)] = made
        return made

    def copied(self, constraint: ResolvedConstraint | None, at: Place) -> ResolvedConstraint | None:
        """Return a constraint that is written where another type includes it: each copy counts as work.

        Raises:
            Problem: there is too much work, or constraints are nested too deeply.
        """
        if constraint is not None:
            self.charge(constraint.weight, at)
            if _depth(constraint) > _DEEPEST:
                raise Problem(f"the types include each other's constraints more than {_DEEPEST} levels deep", at)
        return constraint

    def is_exact(self, constraint: ResolvedConstraint) -> bool:
        """Return whether a constraint allows no more values than its notation."""
        return id(constraint) not in self._approximate

    # Set operations (X.680 50)

    def combined(
        self,
        operator: Literal["UNION", "INTERSECTION"],
        left: ResolvedConstraint | None,
        right: ResolvedConstraint | None,
    ) -> ResolvedConstraint | None:
        """Combine two constraints, of which None allows everything."""
        left, right = effective(left), effective(right)
        if NOTHING in (left, right):
            return NOTHING if operator == "INTERSECTION" else right if left == NOTHING else left
        if left is None or right is None:
            known = left or right
            return self.marked(known, exact=False) if known is not None and operator == "INTERSECTION" else None
        exact = self.is_exact(left) and self.is_exact(right)
        made: ResolvedConstraint = Combination(operator, left, right)
        if operator == "UNION" and isinstance(left, ValueSet) and isinstance(right, ValueSet):
            made = ValueSet(left.values + right.values)
        return self.marked(made, exact=exact)

    def complement(self, inner: ResolvedConstraint | None, at: Place) -> ResolvedConstraint | None:
        """Return the values that a constraint does not allow, ALL EXCEPT; None, with a warning, if it is not exact."""
        inner = effective(inner)
        if inner is not None and self.is_exact(inner):
            return Not(inner)
        self.diagnostics.warn(
            "EXCEPT is not checked: a part of the values after it is extensible, or not supported", at
        )
        return None

    def excluded(
        self, left: ResolvedConstraint | None, right: ResolvedConstraint | None, at: Place
    ) -> ResolvedConstraint | None:
        """Return a constraint without the values of another one, EXCEPT."""
        if right == NOTHING:
            return left
        left, others = effective(left), self.complement(right, at)
        if left is None or not isinstance(others, Not):
            return self.combined("INTERSECTION", left, others)
        made = Combination("EXCEPT", left, others.inner)
        return self.marked(made, exact=self.is_exact(left))

    # The constraints of types

    def subset_of(self, resolved: ResolvedType) -> Subset:
        """Return the constraints of a resolved type and of the types that it refers to."""
        found: ResolvedConstraint | None = None
        exact = True
        seen: set[Definition] = set()
        while isinstance(resolved, (Constrained, Tagged, Reference)):
            if isinstance(resolved, Reference):
                if resolved.definition in seen:
                    break
                seen.add(resolved.definition)
                resolved = self.type_of(resolved.definition)
                continue
            if isinstance(resolved, Constrained):
                self.complete(resolved)
                own = effective(resolved.constraint)
                exact = exact and own is not None and self.is_exact(own)
                found = own if found is None else found if own is None else Combination("INTERSECTION", found, own)
            resolved = resolved.inner
        return Subset(found, exact)

    def subset_of_node(self, node: Type, scope: Scope) -> Subset:
        """Return the constraints of a type in the notation; constraints that are text for people are approximate."""
        found = self.subset_of(self.governor_type(node, scope))
        return Subset(found.constraint, found.exact and not self._has_text(node, scope))

    def _has_text(self, node: Type, scope: Scope) -> bool:
        """Return whether a type has a constraint that resolved types do not have: PATTERN, CONSTRAINED BY."""
        return any(
            isinstance(inner, tree.FieldType)
            or (isinstance(inner, tree.ConstrainedType) and isinstance(inner.constraint, tree.TextConstraint))
            for inner, _ in self.unwrapped(node, scope)
        )


def effective(constraint: ResolvedConstraint | None) -> ResolvedConstraint | None:
    """Return a constraint; None if it restricts no values of the type, or if it is one of the contents of a string."""
    return None if isinstance(constraint, (Extended, Contents)) else constraint


def _depth(constraint: ResolvedConstraint) -> int:
    """Return how deeply the parts of a constraint are nested."""
    match constraint:
        case Combination(left=left, right=right):
            return 1 + max(_depth(left), _depth(right))
        case Not(inner=inner) | OfElements(inner=inner):
            return 1 + _depth(inner)
        case OfComponents(components=components):
            return 1 + max((_depth(inner) for _, inner, _ in components if inner is not None), default=0)
        case _:
            return 1


def extended(root: ResolvedConstraint | None) -> Extended | None:
    """Return a constraint with an extension marker; None if its root restricts nothing."""
    root = effective(root)
    return Extended(root) if root else None

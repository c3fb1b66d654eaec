"""Constraints: from their notation to bounds, value sets and their combinations.

A constraint without effect on the encodings that a decoder must accept resolves to None: CONSTRAINED BY, whose text is
for people, and an extensible one inside another, because later versions of the protocol can use other values (X.680
52). The extensible constraint of a whole type is kept for people.
"""

from __future__ import annotations

from typing import Literal

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.forms import name_of
from derlib.asn1.semantics.model import (
    Alphabet,
    Bounds,
    Combination,
    ComponentValues,
    Constrained,
    Definition,
    Extended,
    ListOf,
    NamedBitsValue,
    Not,
    Numbered,
    OfComponents,
    OfElements,
    Reference,
    ResolvedConstraint,
    ResolvedType,
    ResolvedValue,
    Simple,
    Structure,
    Tagged,
    ValueSet,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.object_sets import ObjectSetResolver
from derlib.asn1.semantics.violations import not_of_type, violation
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Constraint
from derlib.asn1.syntax.types import STRING_TYPES

_LARGEST_SIZE = 2**63 - 1
# The types that cannot have a SIZE, a FROM, or a value range (X.680 51.2, table 9).
_WITHOUT_SIZE = frozenset(
    {
        "BOOLEAN",
        "CHOICE",
        "ENUMERATED",
        "INTEGER",
        "NULL",
        "OBJECT IDENTIFIER",
        "REAL",
        "RELATIVE-OID",
        "SEQUENCE",
        "SET",
    }
)
_WITHOUT_ALPHABET = _WITHOUT_SIZE | {"BIT STRING", "OCTET STRING", "SEQUENCE OF", "SET OF"}
_WITHOUT_ORDER = _WITHOUT_ALPHABET - {"INTEGER", "REAL"} | STRING_TYPES


class ConstraintResolver(ObjectSetResolver):
    """Resolves constraints."""

    def constraint(self, node: Constraint, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return the constraint of a type, or None if it does not restrict the encodings.

        Raises:
            Problem: a name in it is not known, or the constraint does not fit the type.
        """
        self.charge(1, node.at)
        match node:
            case tree.SizeConstraint():
                return self._size(node, governor, scope)
            case tree.ValueRange():
                return self._value_range(node, governor, scope)
            case tree.SingleValue():
                return ValueSet((self.value(node.value, governor, scope),))
            case tree.SetOperation():
                return self._operation(node, governor, scope)
            case tree.AllExcept():
                inner = _effective(self.constraint(node.inner, governor, scope))
                return Not(inner) if inner else None
            case tree.PermittedAlphabet():
                _check_alphabet(name_of(self.base(governor)), node.at)
                ranges = self._alphabet(node.inner, scope)
                return Alphabet(ranges) if ranges else None
            case tree.ContainedSubtype():
                return self._contained(node, governor, scope)
            case tree.ElementConstraint():
                return self._of_elements(node, governor, scope)
            case tree.ComponentConstraints():
                return self._of_components(node, governor, scope)
            case tree.ExtensibleConstraint():
                return _extended(self.constraint(node.root, governor, scope))
            case _:
                return None

    def _value_range(self, node: tree.ValueRange, governor: ResolvedType, scope: Scope) -> Bounds | None:
        name = name_of(self.base(governor))
        if name == "INTEGER":
            return self._range(node, "Range", scope, governor)
        if name in _WITHOUT_ORDER:
            remedy = ": SIZE restricts the length" if name.endswith(("STRING", "OF")) else ""
            if name in STRING_TYPES:
                remedy = ": SIZE restricts the length, FROM the characters"
            raise Problem(f"a value range does not fit {name}{remedy} (X.680 51.4)", node.at)
        return None

    def _operation(self, node: tree.SetOperation, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        left = self.constraint(node.left, governor, scope)
        right = self.constraint(node.right, governor, scope)
        return _combined(node.operator, left, right)

    # Bounds

    def _size(self, node: tree.SizeConstraint, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        base = self.base(governor)
        name = name_of(base)
        if name in _WITHOUT_SIZE:
            raise Problem(f"SIZE does not fit {name}{_number_remedy(name)} (X.680 51.5)", node.at)
        if isinstance(node.inner, tree.ExtensibleConstraint):
            return _extended(self._bounds(node.inner.root, "Size", scope))
        found = self._bounds(node.inner, "Size", scope)
        if isinstance(base, Numbered) and isinstance(found, Bounds):
            # Named bits are encoded without trailing zero bits, so a value can be shorter (X.690 11.2.2, note 1).
            return Bounds("Size", 0, found.high)
        return found

    def _bounds(self, node: Constraint, kind: Literal["Range", "Size"], scope: Scope) -> ResolvedConstraint | None:
        """Return a constraint whose numbers are sizes."""
        match node:
            case tree.ValueRange():
                return self._range(node, kind, scope)
            case tree.SingleValue():
                size = self.integer(node.value, scope)
                return _size_bounds(size, size, node.at) if kind == "Size" else Bounds(kind, size, size)
            case tree.SetOperation():
                left, right = self._bounds(node.left, kind, scope), self._bounds(node.right, kind, scope)
                return _combined(node.operator, left, right)
            case tree.AllExcept():
                inner = self._bounds(node.inner, kind, scope)
                return Not(inner) if inner else None
            case tree.ContainedSubtype():
                contained = self._copied(self._constraint_of(self.governor_type(node.type, scope)), node.at)
                return _as_sizes(contained) if contained and kind == "Size" else contained
            case _:
                return None

    def _range(
        self, node: tree.ValueRange, kind: Literal["Range", "Size"], scope: Scope, governor: ResolvedType | None = None
    ) -> Bounds:
        low = self._end(node.low, "MIN", scope, governor)
        high = self._end(node.high, "MAX", scope, governor)
        if node.low_open and low is not None:
            low += 1
        if node.high_open and high is not None:
            high -= 1
        if low is not None and high is not None and low > high:
            raise Problem(f"the range {low}..{high} is empty", node.at)
        return _size_bounds(low, high, node.at) if kind == "Size" else Bounds(kind, low, high)

    def _end(self, node: tree.Value, word: str, scope: Scope, governor: ResolvedType | None) -> int | None:
        """Return the bound at an end of a range; None if it is `word`, MIN or MAX."""
        if isinstance(node, tree.KeywordValue) and node.word == word:
            return None
        return self.integer(node, scope, governor)

    # Characters

    def _alphabet(self, node: Constraint, scope: Scope) -> tuple[tuple[str, str], ...]:
        """Return the ranges of characters; empty if the notation is not supported."""
        match node:
            case tree.SingleValue():
                return tuple((character, character) for character in self._characters(node.value, scope))
            case tree.ValueRange():
                low, high = self._characters(node.low, scope), self._characters(node.high, scope)
                return ((low, high),) if len(low) == len(high) == 1 else ()
            case tree.SetOperation(operator="UNION"):
                left, right = self._alphabet(node.left, scope), self._alphabet(node.right, scope)
                return left + right if left and right else ()
            case _:
                return ()

    def _characters(self, node: tree.Value, scope: Scope) -> str:
        if isinstance(node, tree.KeywordValue):
            return ""
        found = self.value(node, Simple("UTF8String"), scope)
        return found if isinstance(found, str) else ""

    # Types and values sets

    def _contained(
        self, node: tree.ContainedSubtype, governor: ResolvedType, scope: Scope
    ) -> ResolvedConstraint | None:
        if isinstance(node.type, tree.FieldType) and self.is_set(node.type, scope):
            return self.values_of_field(node.type, governor, scope)
        if isinstance(node.type, tree.TypeReference):
            bound = self.bound(node.type, scope)
            if bound is not None and isinstance(bound.argument, tree.Braced):
                return self._copied(self.value_set(bound.argument, governor, bound.scope), node.at)
            if bound is None:
                found = self.find(node.type.name, node.type.module, scope, node.at)
                if isinstance(found.assignment, tree.SetAssignment):
                    inner = self.bind(found, node.type.arguments, scope, node.at)
                    return self._copied(self.value_set(found.assignment.contents, governor, inner), node.at)
        return self._copied(self._constraint_of(self.governor_type(node.type, scope)), node.at)

    def is_set(self, node: tree.FieldType, scope: Scope) -> bool:
        """Return whether a field is that of the objects of a set, and not that of a class or of one object."""
        reference = node.reference
        return isinstance(reference, tree.TypeReference) and self.class_of_set(reference, scope) is not None

    def values_of_field(self, node: tree.FieldType, governor: ResolvedType, scope: Scope) -> ValueSet | Extended | None:
        """Return the values that a field has in the objects of a set, which can be extensible."""
        values = tuple(self.value(value, governor, inner) for value, inner in self.values_of_set(node, scope))
        if isinstance(node.reference, tree.TypeReference) and self.is_extensible(node.reference, scope):
            return _extended(ValueSet(values)) if values else None
        if not values:
            raise Problem(f"no object of {node.reference.name} has the field &{node.path[-1]}", node.at)
        self.charge(len(values), node.at)
        return ValueSet(values)

    def _copied(self, constraint: ResolvedConstraint | None, at: Place) -> ResolvedConstraint | None:
        """Return a constraint that is written where another type includes it: each copy counts as work."""
        if constraint is not None:
            self.charge(constraint.weight, at)
        return constraint

    def value_set(self, node: tree.Value, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return a value set, in braces, as a constraint."""
        if not isinstance(node, tree.Braced):
            raise Problem("expected a value set in braces", node.at)
        found = self.parser(node).parse_value_set()
        if isinstance(found, tree.ExtensibleConstraint):
            return None
        with self.descent(node.at):
            return self.constraint(found, governor, scope)

    def _constraint_of(self, resolved: ResolvedType) -> ResolvedConstraint | None:
        """Return the constraints of a type and of the types that it refers to."""
        found: ResolvedConstraint | None = None
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
                found = _combined("INTERSECTION", found, resolved.constraint)
            resolved = resolved.inner
        return _effective(found)

    def violation_of(self, resolved: ResolvedType, value: ResolvedValue) -> str | None:
        """Return how a value violates the constraint of its type, or a part that of its own; None if none does."""
        base = self.base(resolved)
        if isinstance(base, Simple) and isinstance(value, str) and (found := not_of_type(base.name, value)):
            return found
        constraint = None if isinstance(value, NamedBitsValue) else self._constraint_of(resolved)
        found = violation(constraint, value) if constraint else None
        if found:
            return found
        parts: list[tuple[ResolvedType, ResolvedValue]] = []
        if isinstance(value, list) and isinstance(base, ListOf):
            parts = [(base.element, element) for element in value]
        elif isinstance(value, ComponentValues) and isinstance(base, Structure):
            types = {component.name: component.type for component in base.components}
            parts = [(types[name], part) for name, part in value.components.items()]
        return next(filter(None, (self.violation_of(*part) for part in parts)), None)

    def complete(self, constrained: Constrained) -> None:
        """Resolve the constraint of a type if that was put off; `types` implements this."""
        raise NotImplementedError

    # Inner types

    def _of_elements(
        self, node: tree.ElementConstraint, governor: ResolvedType, scope: Scope
    ) -> ResolvedConstraint | None:
        base = self.base(governor)
        if not isinstance(base, ListOf):
            raise Problem("WITH COMPONENT needs a SEQUENCE OF or SET OF", node.at)
        inner = _effective(self.constraint(node.inner, base.element, scope))
        return OfElements(inner) if inner else None

    def _of_components(
        self, node: tree.ComponentConstraints, governor: ResolvedType, scope: Scope
    ) -> ResolvedConstraint | None:
        base = self.base(governor)
        if isinstance(base, Simple):
            # REAL, EXTERNAL and the like have associated types, whose components are not those of a class.
            return None
        if not isinstance(base, Structure):
            raise Problem("WITH COMPONENTS needs a SEQUENCE, SET or CHOICE", node.at)
        known = {component.name: component for component in base.components}
        entries: list[tuple[str, ResolvedConstraint | None, Literal["PRESENT", "ABSENT", "OPTIONAL"] | None]] = []
        for named in node.components:
            if named.name not in known:
                raise Problem(f"{named.name} is not a component; expected one of {', '.join(known)}", named.at)
            inner = self.constraint(named.constraint, known[named.name].type, scope) if named.constraint else None
            entries.append((named.name, _effective(inner), named.presence))
        return OfComponents(node.partial, tuple(entries))


def _combined(
    operator: Literal["UNION", "INTERSECTION", "EXCEPT"],
    left: ResolvedConstraint | None,
    right: ResolvedConstraint | None,
) -> ResolvedConstraint | None:
    """Combine two constraints, of which None allows everything."""
    left, right = _effective(left), _effective(right)
    if left is not None and right is not None:
        if operator == "UNION" and isinstance(left, ValueSet) and isinstance(right, ValueSet):
            return ValueSet(left.values + right.values)
        return Combination(operator, left, right)
    if operator == "UNION":
        return None
    return left if operator == "EXCEPT" else left or right


def _extended(root: ResolvedConstraint | None) -> Extended | None:
    root = _effective(root)
    return Extended(root) if root else None


def _effective(constraint: ResolvedConstraint | None) -> ResolvedConstraint | None:
    """Return a constraint, None if it restricts nothing."""
    return None if isinstance(constraint, Extended) else constraint


def _check_alphabet(name: str, at: Place) -> None:
    """Raise Problem if a type has no characters (X.680 51.7)."""
    if name in _WITHOUT_ALPHABET:
        raise Problem(f"FROM does not fit {name}{_number_remedy(name)} (X.680 51.7)", at)


def _number_remedy(name: str) -> str:
    return ": a value range such as (0..255) restricts the number" if name == "INTEGER" else ""


def _size_bounds(low: int | None, high: int | None, at: Place) -> Bounds:
    """Return the bounds of a size (X.680 51.5)."""
    low = low or 0
    if low < 0 or low > _LARGEST_SIZE:
        raise Problem(f"the size {low} is not possible: expected 0 to 2^63 - 1", at)
    return Bounds("Size", low, None if high is None or high > _LARGEST_SIZE else high)


def _as_sizes(constraint: ResolvedConstraint) -> ResolvedConstraint | None:
    """Return a constraint on an INTEGER as a constraint on a size."""
    if isinstance(constraint, Bounds):
        return Bounds("Size", constraint.low or 0, constraint.high)
    return None

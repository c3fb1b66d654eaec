"""Constraints: from their notation to bounds, value sets and their combinations.

A constraint without effect on the encodings that a decoder must accept resolves to None: CONSTRAINED BY, whose text is
for people, and an extensible one inside another, because later versions of the protocol can use other values (X.680
52). The extensible constraint of a whole type is kept for people.
"""

from __future__ import annotations

import derlib
from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.fitting import constraints_of
from derlib.asn1.semantics.forms import name_of
from derlib.asn1.semantics.inner_types import InnerTypeResolver
from derlib.asn1.semantics.model import (
    BitsValue,
    Bounds,
    Extended,
    ListOf,
    NamedBitsValue,
    Numbered,
    Open,
    ResolvedConstraint,
    ResolvedType,
    ResolvedValue,
    Simple,
    Structure,
    ValueSet,
    contained_octets,
    has_contents,
    parts_of,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.subsets import Subset, effective, extended
from derlib.asn1.semantics.violations import allows, not_of_type, shown, violation, with_clause
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Braced, Constraint
from derlib.asn1.syntax.types import STRING_TYPES

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


class ConstraintResolver(InnerTypeResolver):
    """Resolves constraints."""

    def constraint(self, node: Constraint, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return the constraint of a type, or None if it does not restrict the encodings.

        Raises:
            Problem: a name in it is not known, or the constraint does not fit the type.
        """
        self.charge(1, node.at)
        match node:
            case tree.SizeConstraint():
                _check_size(name_of(self.base(governor)), node.at)
                return self.size(node, governor, scope)
            case tree.ValueRange():
                return self._value_range(node, governor, scope)
            case tree.SingleValue():
                return self._single_value(node, governor, scope)
            case tree.SetOperation():
                return self._operation(node, governor, scope)
            case tree.AllExcept():
                return self.complement(self.constraint(node.inner, governor, scope), node.inner.at)
            case tree.PermittedAlphabet():
                _check_alphabet(name_of(self.base(governor)), node.at)
                return self.alphabet(node, governor, scope)
            case tree.ContainedSubtype():
                return self._contained(node, governor, scope)
            case tree.ElementConstraint():
                return self.of_elements(node, governor, scope)
            case tree.ComponentConstraints():
                return self.of_components(node, governor, scope)
            case tree.ContentsConstraint():
                self._warn_of_contents(node.at)
                return None
            case tree.ExtensibleConstraint():
                return extended(self.constraint(node.root, governor, scope))
            case _:
                return None

    def _single_value(self, node: tree.SingleValue, governor: ResolvedType, scope: Scope) -> ValueSet:
        value = self.value(node.value, governor, scope)
        self.later(lambda: self._check_single_value(value, governor, node.at))
        return ValueSet((value,))

    def _check_single_value(self, value: ResolvedValue, governor: ResolvedType, at: Place) -> None:
        """Warn of a value that the constraints of its type exclude; raise Problem if it is not one of the type."""
        base = self.base(governor)
        found = _not_of_base(base, value) or _wrong_contents(governor, value) or self._violation_of_parts(base, value)
        if found:
            message = f"the value violates the constraint of its type: {with_clause(found, 'X.680 51.2')}"
            raise Problem(message, at)
        if any(allows(constraint, value) is False for constraint in constraints_of(governor)):
            self.diagnostics.warn(f"{shown(value)} is left out: the parent type does not have it (X.680 51.2)", at)

    def _value_range(self, node: tree.ValueRange, governor: ResolvedType, scope: Scope) -> Bounds | None:
        name = name_of(self.base(governor))
        if name == "INTEGER":
            return self.value_range(node, governor, scope)
        if name in _WITHOUT_ORDER:
            remedy = ": SIZE restricts the length" if name.endswith(("STRING", "OF")) else ""
            if name in STRING_TYPES:
                remedy = ": SIZE restricts the length, FROM the characters"
            raise Problem(f"a value range does not fit {name}{remedy} (X.680 51.4)", node.at)
        return None

    def _operation(self, node: tree.SetOperation, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        with self.descent(node.at):
            left = self.constraint(node.left, governor, scope)
            right = self.constraint(node.right, governor, scope)
        if node.operator == "EXCEPT":
            return self.excluded(left, right, node.right.at)
        return self.combined(node.operator, left, right)

    # Types and values sets

    def _contained(
        self, node: tree.ContainedSubtype, governor: ResolvedType, scope: Scope
    ) -> ResolvedConstraint | None:
        found = self.contained_subset(node, governor, scope)
        return found.constraint and self.marked(found.constraint, exact=found.exact)

    def contained_subset(self, node: tree.ContainedSubtype, governor: ResolvedType, scope: Scope) -> Subset:
        """Return the values of a type or a value set that a constraint includes."""
        with self.descent(node.at):
            return self._included(node, governor, scope)

    def _included(self, node: tree.ContainedSubtype, governor: ResolvedType, scope: Scope) -> Subset:
        if isinstance(node.type, tree.FieldType) and self.is_set(node.type, scope):
            return self._exact_subset(self.values_of_field(node.type, governor, scope))
        values = self._contents_of_set(node.type, scope)
        if values is not None:
            return self._exact_subset(self.copied(self.value_set(values[0], governor, values[1]), node.at))
        resolved = self.governor_type(node.type, scope)
        self._check_same_type(self.base(resolved), self.base(governor), node.at)
        found = self.subset_of_node(node.type, scope)
        if has_contents(resolved):
            self._warn_of_contents(node.at)
        # The characters of another string type are not checked.
        same = name_of(self.base(resolved)) == name_of(self.base(governor))
        return Subset(self.copied(found.constraint, node.at), found.exact and same)

    def _check_same_type(self, found: ResolvedType, expected: ResolvedType, at: Place) -> None:
        """Raise Problem if a constraint includes another type than the one that it constrains (X.680 51.3)."""
        names = name_of(found), name_of(expected)
        # Any type can be that of an open type. RFC 4120 has GeneralString (IA5String).
        if isinstance(found, Open) or isinstance(expected, Open) or STRING_TYPES.issuperset(names):
            return
        if names[0] != names[1]:
            raise Problem(f"expected a subtype of {names[1]}, found {names[0]} (X.680 51.3)", at)
        if self._parts_of(found) != self._parts_of(expected):
            raise Problem(f"expected a subtype of the {names[1]}, found another {names[0]} (X.680 51.3)", at)

    def _parts_of(self, base: ResolvedType) -> list[str]:
        """Return the names of the components, alternatives or items of a type, or that of its elements."""
        if isinstance(base, ListOf):
            return [name_of(self.base(base.element))]
        if isinstance(base, Structure):
            return [component.name for component in base.components]
        return list(base.named) if isinstance(base, Numbered) and base.kind == "ENUMERATED" else []

    def _exact_subset(self, found: ResolvedConstraint | None) -> Subset:
        """Return a constraint with whether it is exact; an extensible one, or None, is not."""
        found = effective(found)
        return Subset(found, found is not None and self.is_exact(found))

    def _contents_of_set(self, node: tree.Type, scope: Scope) -> tuple[Braced, Scope] | None:
        """Return the braces of a value set; None if a type is not a reference to one."""
        if not isinstance(node, tree.TypeReference):
            return None
        bound = self.bound(node, scope)
        if bound is not None:
            return (bound.argument, bound.scope) if isinstance(bound.argument, Braced) else None
        found = self.find(node.name, node.module, scope, node.at)
        if not isinstance(found.assignment, tree.SetAssignment) or not isinstance(found.assignment.contents, Braced):
            return None
        return found.assignment.contents, self.bind(found, node.arguments, scope, node.at)

    def _warn_of_contents(self, at: Place) -> None:
        self.diagnostics.warn("CONTAINING is not checked inside another constraint", at)

    def is_set(self, node: tree.FieldType, scope: Scope) -> bool:
        """Return whether a field is that of the objects of a set, and not that of a class or of one object."""
        reference = node.reference
        return isinstance(reference, tree.TypeReference) and self.class_of_set(reference, scope) is not None

    def values_of_field(self, node: tree.FieldType, governor: ResolvedType, scope: Scope) -> ValueSet | Extended | None:
        """Return the values that a field has in the objects of a set, which can be extensible."""
        values = tuple(self.value(value, governor, inner) for value, inner in self.values_of_set(node, scope))
        if isinstance(node.reference, tree.TypeReference) and self.is_extensible(node.reference, scope):
            return extended(ValueSet(values)) if values else None
        if not values:
            raise Problem(f"no object of {node.reference.name} has the field &{node.path[-1]}", node.at)
        self.charge(len(values), node.at)
        return ValueSet(values)

    def value_set(self, node: tree.Value, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return a value set, in braces, as a constraint."""
        if not isinstance(node, tree.Braced):
            raise Problem("expected a value set in braces", node.at)
        found = self.parser(node).parse_value_set()
        if isinstance(found, tree.ExtensibleConstraint):
            return None
        with self.descent(node.at):
            return self.constraint(found, governor, scope)

    def violation_of(self, resolved: ResolvedType, value: ResolvedValue) -> str | None:
        """Return how a value violates the constraint of its type, or a part that of its own; None if none does."""
        base = self.base(resolved)
        constraint = None if isinstance(value, NamedBitsValue) else self.subset_of(resolved).constraint
        found = _not_of_base(base, value) or (violation(constraint, value) if constraint else None)
        return found or _wrong_contents(resolved, value) or self._violation_of_parts(base, value)

    def _violation_of_parts(self, base: ResolvedType, value: ResolvedValue) -> str | None:
        return next(filter(None, (self.violation_of(its_type, part) for part, its_type in parts_of(value, base))), None)


def _not_of_base(base: ResolvedType, value: ResolvedValue) -> str | None:
    """Return why a text is not one of a string or time type; None if it is one, or if the type is another one."""
    return not_of_type(base.name, value) if isinstance(base, Simple) and isinstance(value, str) else None


def _wrong_contents(resolved: ResolvedType, value: ResolvedValue) -> str | None:
    """Return why a string does not contain an encoding, if its type requires one (X.682 11); otherwise None."""
    octets = contained_octets(value, resolved)
    if octets is None:
        return None
    if isinstance(value, BitsValue) and len(value.bits) % 8:
        return f"the contents are not an encoding: they have {len(value.bits)} bits (X.682 11)"
    try:
        derlib.parse(octets)
    except derlib.ASN1Error as error:
        # Without the remedy, which is for decoding.
        return f"the contents are not an encoding: {str(error).split('; ')[0]}"
    return None


def _check_size(name: str, at: Place) -> None:
    """Raise Problem if a type has no size (X.680 51.5)."""
    if name in _WITHOUT_SIZE:
        raise Problem(f"SIZE does not fit {name}{_number_remedy(name)} (X.680 51.5)", at)


def _check_alphabet(name: str, at: Place) -> None:
    """Raise Problem if a type has no characters (X.680 51.7)."""
    if name in _WITHOUT_ALPHABET:
        raise Problem(f"FROM does not fit {name}{_number_remedy(name)} (X.680 51.7)", at)


def _number_remedy(name: str) -> str:
    return ": a value range such as (0..255) restricts the number" if name == "INTEGER" else ""

"""Permitted alphabets: the characters in FROM (X.680 51.7)."""

from __future__ import annotations

from derlib._intervals import difference, intersection, interval_set
from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.forms import name_of
from derlib.asn1.semantics.model import (
    Alphabet,
    Bounds,
    Combination,
    ResolvedConstraint,
    ResolvedType,
    Simple,
    ValueSet,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.sizes import SizeResolver, is_keyword
from derlib.asn1.semantics.subsets import extended
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Constraint
from derlib.asn1.syntax.types import STRING_TYPES

# Ranges of code points: the first and the last one. Operands of operations are sorted and disjoint.
Ranges = tuple[tuple[int, int], ...]

_SURROGATES: Ranges = ((0xD800, 0xDFFF),)
_UNICODE: Ranges = ((0, 0xD7FF), (0xE000, 0x10FFFF))
# The characters of string types (X.680 41); the tables of the other ones have any character.
_CHARACTERS: dict[str, Ranges] = {
    "BMPString": ((0, 0xD7FF), (0xE000, 0xFFFF)),
    "IA5String": ((0, 0x7F),),
    "NumericString": ((0x20, 0x20), (0x30, 0x39)),
    "PrintableString": (
        (0x20, 0x20),
        (0x27, 0x29),
        (0x2B, 0x3A),
        (0x3D, 0x3D),
        (0x3F, 0x3F),
        (0x41, 0x5A),
        (0x61, 0x7A),
    ),
    "VisibleString": ((0x20, 0x7E),),
}


class AlphabetResolver(SizeResolver):
    """Resolves permitted alphabets."""

    def alphabet(self, node: tree.PermittedAlphabet, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return the constraint on the characters of a string; None, with a warning, if it is not supported."""
        with self.descent(node.at):
            if isinstance(node.inner, tree.ExtensibleConstraint):
                return extended(self._permitted(node.inner.root, governor, scope))
            return self._permitted(node.inner, governor, scope)

    def _permitted(self, node: Constraint, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        ranges = self._characters(node, governor, scope)
        if ranges is None:
            self.diagnostics.warn("the alphabet is not checked: FROM with this notation is not supported", node.at)
            return None
        # Without characters, only the empty string is possible.
        return Alphabet(tuple((chr(low), chr(high)) for low, high in ranges)) if ranges else Bounds("Size", 0, 0)

    def _characters(self, node: Constraint, governor: ResolvedType, scope: Scope) -> Ranges | None:
        """Return the characters that a notation permits; None if it is not supported."""
        match node:
            case tree.SingleValue():
                return tuple((ord(one), ord(one)) for one in self._text(node.value, scope))
            case tree.ValueRange():
                return self._range_of_characters(node, governor, scope)
            case tree.SetOperation():
                left = self._characters(node.left, governor, scope)
                right = self._characters(node.right, governor, scope)
                return None if left is None or right is None else _operation(node.operator, left, right)
            case tree.AllExcept():
                inner = self._characters(node.inner, governor, scope)
                return None if inner is None else difference(self._characters_of(governor), interval_set(inner))
            case tree.ContainedSubtype():
                return self._characters_of_subtype(node, scope)
            case _:
                return None

    def _text(self, node: tree.Value, scope: Scope) -> str:
        found = self.value(node, Simple("UTF8String"), scope)
        assert isinstance(found, str)
        return found

    def _range_of_characters(self, node: tree.ValueRange, governor: ResolvedType, scope: Scope) -> Ranges | None:
        low, high = self._end(node.low, "MIN", scope), self._end(node.high, "MAX", scope)
        # MIN and MAX depend on the constraints of the type; its other constraints still apply if they are included.
        excludes_end = (low is None and node.low_open) or (high is None and node.high_open)
        if excludes_end and self.subset_of(governor) != (None, True):
            return None
        characters = self._characters_of(governor)
        first = (characters[0][0] if low is None else low) + node.low_open
        last = (characters[-1][1] if high is None else high) - node.high_open
        if first > last:
            raise Problem("the range of characters is empty", node.at)
        return difference(((first, last),), _SURROGATES)

    def _end(self, node: tree.Value, word: str, scope: Scope) -> int | None:
        """Return the character at an end of a range; None if it is `word`, MIN or MAX."""
        if is_keyword(node, word):
            return None
        text = self._text(node, scope)
        if len(text) != 1:
            raise Problem(f"expected one character at the end of a range, found {len(text)} (X.680 51.4)", node.at)
        return ord(text)

    def _characters_of(self, resolved: ResolvedType) -> Ranges:
        """Return the characters of a type, without those that its constraints exclude."""
        return _CHARACTERS.get(name_of(self.base(resolved)), _UNICODE)

    def _characters_of_subtype(self, node: tree.ContainedSubtype, scope: Scope) -> Ranges | None:
        """Return the characters of the strings of a type."""
        resolved = self.governor_type(node.type, scope)
        name = name_of(self.base(resolved))
        if name not in STRING_TYPES:
            raise Problem(f"expected a character string type in FROM, found {name} (X.680 51.7)", node.at)
        found = self.contained_subset(node, resolved, scope)
        characters = self._characters_of(resolved)
        if not found.exact:
            return None
        return characters if found.constraint is None else _permitted_by(found.constraint, characters)


def _permitted_by(constraint: ResolvedConstraint, characters: Ranges) -> Ranges | None:
    """Return the characters in the strings that a constraint allows; None if they are not simple to find."""
    match constraint:
        case Alphabet(ranges=ranges):
            return tuple((ord(low), ord(high)) for low, high in ranges)
        case ValueSet(values=values):
            return tuple((ord(one), ord(one)) for text in values if isinstance(text, str) for one in text)
        case Bounds(high=high):
            return () if high == 0 else characters
        case Combination(operator="UNION") | Combination(operator="INTERSECTION"):
            left, right = (_permitted_by(part, characters) for part in (constraint.left, constraint.right))
            if left is None or right is None or (constraint.operator == "INTERSECTION" and not _is_plain(constraint)):
                return None
            return _operation(constraint.operator, left, right)
        case _:
            return None


def _is_plain(constraint: ResolvedConstraint) -> bool:
    """Return whether a constraint allows all strings of some characters with some sizes."""
    if isinstance(constraint, Combination):
        return constraint.operator == "INTERSECTION" and _is_plain(constraint.left) and _is_plain(constraint.right)
    return isinstance(constraint, (Alphabet, Bounds))


# Operations on ranges


def _operation(operator: str, left: Ranges, right: Ranges) -> Ranges:
    if operator == "UNION":
        # The order of the text is kept for people.
        return left + right
    left, right = interval_set(left), interval_set(right)
    return difference(left, right) if operator == "EXCEPT" else intersection(left, right)

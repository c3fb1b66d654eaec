"""SIZE constraints and value ranges (X.680 51.4, 51.5)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import groupby

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.model import (
    Bounds,
    Combination,
    Not,
    Numbered,
    ResolvedConstraint,
    ResolvedType,
    Simple,
    ValueSet,
    plain_number,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.subsets import NOTHING, Subset, SubsetResolver, effective, extended
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.tree import Constraint

_LARGEST_SIZE = 2**63 - 1
_INTEGER = Simple("INTEGER")
Interval = tuple[int | None, int | None]


class SizeResolver(SubsetResolver):
    """Resolves sizes and value ranges."""

    @abstractmethod
    def contained_subset(self, node: tree.ContainedSubtype, governor: ResolvedType, scope: Scope) -> Subset:
        """Return the values of a type or a value set that a constraint includes; `constraints` implements this."""

    # Sizes

    def size(self, node: tree.SizeConstraint, governor: ResolvedType, scope: Scope) -> ResolvedConstraint | None:
        """Return a SIZE constraint, of a type that can have one."""
        if isinstance(node.inner, tree.ExtensibleConstraint):
            return extended(self._sizes(node.inner.root, scope))
        found = effective(self._sizes(node.inner, scope))
        if found is None or not isinstance(self.base(governor), Numbered):
            return found
        # Named bits are encoded without trailing zero bits, so a value can be shorter (X.690 11.2.2, note 1).
        sizes = Bounds("Size", 0, _largest(found))
        return self.marked(sizes, exact=sizes == found)

    def _sizes(self, node: Constraint, scope: Scope) -> ResolvedConstraint | None:
        """Return a constraint whose numbers are sizes."""
        match node:
            case tree.ValueRange():
                return _size_bounds(*self._ends(node, 0, None, scope, _INTEGER), node.at)
            case tree.SingleValue():
                number = self.integer(node.value, scope)
                return _size_bounds(number, number, node.at)
            case tree.SetOperation():
                left, right = self._sizes(node.left, scope), self._sizes(node.right, scope)
                if node.operator == "EXCEPT":
                    return self.excluded(left, right, node.right.at)
                return self.combined(node.operator, left, right)
            case tree.AllExcept():
                return self.complement(self._sizes(node.inner, scope), node.inner.at)
            case tree.ContainedSubtype():
                return self._sizes_of(node, scope)
            case tree.ExtensibleConstraint() | tree.TextConstraint():
                return None
            case _:
                raise Problem("expected numbers in SIZE (X.680 51.5)", node.at)

    def _sizes_of(self, node: tree.ContainedSubtype, scope: Scope) -> ResolvedConstraint | None:
        """Return the sizes that are values of a type."""
        found = self.contained_subset(node, _INTEGER, scope)
        if found.constraint is None:
            return None
        sizes = _as_sizes(found.constraint, node.at)
        if sizes == NOTHING:
            raise Problem("the type has no numbers that are sizes: expected 0 to 2^63 - 1", node.at)
        return self.marked(sizes, exact=found.exact)

    # Value ranges

    def value_range(self, node: tree.ValueRange, governor: ResolvedType, scope: Scope) -> Bounds:
        """Return a range of values of INTEGER."""
        lowest = highest = None
        if (node.low_open and is_keyword(node.low, "MIN")) or (node.high_open and is_keyword(node.high, "MAX")):
            lowest, highest = self._interval_of(governor, node.at)
        return Bounds("Range", *self._ends(node, lowest, highest, scope, governor))

    def _ends(
        self, node: tree.ValueRange, lowest: int | None, highest: int | None, scope: Scope, governor: ResolvedType
    ) -> Interval:
        """Return the first and the last number of a range; None is MIN or MAX. An open end excludes its bound."""
        low = lowest if is_keyword(node.low, "MIN") else self.integer(node.low, scope, governor)
        high = highest if is_keyword(node.high, "MAX") else self.integer(node.high, scope, governor)
        if node.low_open and low is not None:
            low += 1
        if node.high_open and high is not None:
            high -= 1
        if low is not None and high is not None and low > high:
            raise Problem(f"the range {low}..{high} is empty", node.at)
        return low, high

    def _interval_of(self, governor: ResolvedType, at: Place) -> Interval:
        """Return the lowest and the highest value of a type, which MIN and MAX mean."""
        found = self.subset_of(governor)
        interval = (None, None) if found.constraint is None else _interval(found.constraint)
        if interval is None or not found.exact:
            why = "the constraint of the type is extensible or not supported"
            raise Problem(f"the value of MIN or MAX is not known, because {why}", at)
        return interval


def is_keyword(node: tree.Value, word: str) -> bool:
    """Return whether a value is MIN, MAX or another word."""
    return isinstance(node, tree.KeywordValue) and node.word == word


def _interval(constraint: ResolvedConstraint) -> Interval | None:
    """Return the ends of the numbers that a constraint allows; None if they are not simple to find."""
    match constraint:
        case Bounds(kind="Range", low=low, high=high):
            return low, high
        case ValueSet():
            numbers = _numbers(constraint)
            return (min(numbers), max(numbers)) if numbers else None
        case Combination(operator="UNION"):
            left, right = _interval(constraint.left), _interval(constraint.right)
            if left is None or right is None:
                return None
            return _outer(min, left[0], right[0]), _outer(max, left[1], right[1])
        case Combination(operator="INTERSECTION", left=Bounds() as one, right=Bounds() as other):
            return _inner(max, one.low, other.low), _inner(min, one.high, other.high)
        case _:
            return None


def _largest(sizes: ResolvedConstraint) -> int | None:
    """Return a size that no value exceeds; None if any size is possible."""
    match sizes:
        case Bounds(high=high):
            return high
        case Combination(operator="UNION"):
            return _outer(max, _largest(sizes.left), _largest(sizes.right))
        case Combination(operator="INTERSECTION"):
            return _inner(min, _largest(sizes.left), _largest(sizes.right))
        case Combination():
            return _largest(sizes.left)
        case _:
            return None


def _outer(choose: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    """Return the outer one of two ends; None if one of them has no bound."""
    return None if one is None or other is None else choose(one, other)


def _inner(choose: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    """Return the inner one of two ends; None if both of them have no bound."""
    return one if other is None else other if one is None else choose(one, other)


def _as_sizes(constraint: ResolvedConstraint, at: Place) -> ResolvedConstraint:
    """Return a constraint on an INTEGER as a constraint on a size; it allows nothing if all numbers are negative."""
    match constraint:
        case Bounds(low=low, high=high):
            possible = (high is None or high >= 0) and (low is None or low <= _LARGEST_SIZE)
            return _size_bounds(max(low or 0, 0), high, at) if possible else NOTHING
        case ValueSet():
            runs = _runs([number for number in _numbers(constraint) if 0 <= number <= _LARGEST_SIZE])
            return _union([_size_bounds(*run, at) for run in runs]) if runs else NOTHING
        case Combination(operator=operator):
            left, right = _as_sizes(constraint.left, at), _as_sizes(constraint.right, at)
            if operator == "UNION" and NOTHING in (left, right):
                return right if left == NOTHING else left
            if operator == "EXCEPT" and right == NOTHING:
                return left
            return NOTHING if NOTHING in (left, right) else Combination(operator, left, right)
        case Not():
            inner = _as_sizes(constraint.inner, at)
            return Bounds("Size", 0, None) if inner == NOTHING else Not(inner)
        case _:
            return NOTHING


def _size_bounds(low: int | None, high: int | None, at: Place) -> Bounds:
    """Return the bounds of a size (X.680 51.5)."""
    low = low or 0
    if not 0 <= low <= _LARGEST_SIZE:
        raise Problem(f"the size {low} is not possible: expected 0 to 2^63 - 1", at)
    if high is not None and high < 0:
        raise Problem(f"the size {high} is not possible: expected 0 to 2^63 - 1", at)
    return Bounds("Size", low, None if high is None or high > _LARGEST_SIZE else high)


def _numbers(values: ValueSet) -> list[int]:
    """Return the numbers among single values."""
    return [number for number in map(plain_number, values.values) if isinstance(number, int)]


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of consecutive numbers, in ascending order."""
    groups = groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0])
    runs = [[number for _, number in group] for _, group in groups]
    return [(run[0], run[-1]) for run in runs]


def _union(parts: Sequence[ResolvedConstraint]) -> ResolvedConstraint:
    """Return a union as pairs of pairs: a chain of thousands would nest as deeply."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return Combination("UNION", _union(parts[:half]), _union(parts[half:]))

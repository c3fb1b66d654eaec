"""Constraints to plans: which types they apply to, and the rules that the core checks. Called by `derlib._compile`.

One SIZE and one value range stand in the plan itself, where the check sees them at no further cost. All else becomes a
`CompiledConstraint`, made at the end of a session: single values are encoded by the type that they are values of.
"""

from __future__ import annotations

from typing import Any

from derlib import _core
from derlib._brief import brief
from derlib._constraints import (
    Alphabet,
    Complement,
    Constraint,
    Intersection,
    OneOf,
    Presence,
    Range,
    Size,
    Union,
    WithComponent,
    WithComponents,
    presence_and_rest,
)
from derlib._core import CompiledConstraint, ConstraintKind, Kind, Plan
from derlib._session import Place
from derlib.errors import ASN1Error

STRING_KINDS = range(Kind.KIND_UTF8_STRING, Kind.KIND_UNIVERSAL_STRING + 1)
INTEGER_KINDS = (Kind.KIND_INTEGER, Kind.KIND_NAMED_INTEGER)
LIST_KINDS = (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF)
OPEN_KINDS = (Kind.KIND_ANY, Kind.KIND_OPEN, Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS)
SIZED_KINDS = frozenset(
    {
        Kind.KIND_BIT_STRING,
        Kind.KIND_NAMED_BITS,
        Kind.KIND_OCTET_STRING,
        Kind.KIND_OPEN_OCTETS,
        Kind.KIND_OPEN_BITS,
        *LIST_KINDS,
        *STRING_KINDS,
    }
)
MAY_BE, MUST_BE, MUST_NOT_BE = range(3)


def constrain(plan: Plan, constraint: Constraint, place: Place) -> None:
    """Put a constraint on a plan; what is wrong with it shows at the end of the session, where kinds are known."""
    if isinstance(constraint, Size):
        if plan.kind != Kind.KIND_EMPTY:
            _check_sized(plan, place)
        plan.set_size(constraint.low, constraint.high)
        place.session.constraints.append(lambda: _check_size(plan, place))
    elif isinstance(constraint, Range):
        if plan.kind != Kind.KIND_EMPTY:
            _check_range(plan, place)
        _set_range(plan, constraint, place)
        place.session.constraints.append(lambda: _check_range(plan, place))
    else:
        place.session.constraints.append(lambda: plan.set_constraint(_rule(constraint, plan, place)))


def _check_sized(plan: Plan, place: Place) -> None:
    if plan.kind not in SIZED_KINDS:
        raise place.error(f"Size does not apply to {plan.name}; it is for strings and lists")


def _check_size(plan: Plan, place: Place) -> None:
    _check_sized(plan, place)
    size = plan.size
    if size is not None and size[1] is not None and size[1] < size[0]:
        raise place.error(f"no size of {plan.name} fits all its SIZE constraints; drop or widen one")


def _check_range(plan: Plan, place: Place) -> None:
    if plan.kind not in INTEGER_KINDS:
        raise place.error(f"Range does not apply to {plan.name}; it is for integers")


def _set_range(plan: Plan, constraint: Range, place: Place) -> None:
    # X.680 50.2: constraints one upon the other hold together.
    before = plan.range or (None, None)
    lows = [bound for bound in (before[0], constraint.low) if bound is not None]
    highs = [bound for bound in (before[1], constraint.high) if bound is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    if low is not None and high is not None and high < low:
        raise place.error(f"no value of {plan.name} fits all its value ranges; drop or widen one")
    plan.set_range(
        None if low is None else integer_contents(low),
        None if high is None else integer_contents(high),
    )


def integer_contents(value: int) -> bytes:
    """The minimal two's complement of a number (X.690 8.3)."""
    return value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True)


# Rules.


def _rule(constraint: Constraint, plan: Plan, place: Place) -> CompiledConstraint:
    """The rule of a constraint on values of the plan's type."""
    text = str(constraint)
    if isinstance(constraint, (Union, Intersection)):
        kind = ConstraintKind.CONSTRAINT_UNION if isinstance(constraint, Union) else ConstraintKind.CONSTRAINT_INTERSECTION
        return CompiledConstraint(
            kind, text, (_rule(constraint.left, plan, place), _rule(constraint.right, plan, place))
        )
    if isinstance(constraint, Complement):
        return CompiledConstraint(ConstraintKind.CONSTRAINT_EXCEPT, text, (_rule(constraint.inner, plan, place),))
    within = plan
    while within.kind == Kind.KIND_EXPLICIT:
        within = within.element
    if isinstance(constraint, Range):
        return _range_rule(constraint, text, within, place)
    if isinstance(constraint, Size):
        return _size_rule(constraint, text, within, place)
    if isinstance(constraint, Alphabet):
        if within.kind not in STRING_KINDS:
            raise place.error(f"Alphabet does not apply to {within.name}; it is for character strings")
        return CompiledConstraint(ConstraintKind.CONSTRAINT_ALPHABET, text, characters=constraint.runs())
    if isinstance(constraint, OneOf):
        return _values_rule(constraint, text, plan, place)
    if isinstance(constraint, WithComponents):
        return _components_rule(constraint, text, within, place)
    if isinstance(constraint, WithComponent):
        if within.kind not in LIST_KINDS:
            raise place.error(f"WithComponent does not apply to {within.name}; it is for lists")
        return CompiledConstraint(ConstraintKind.CONSTRAINT_ELEMENTS, text, (_rule(constraint.constraint, within.element, place),))
    if isinstance(constraint, Presence):
        raise place.error(f"{constraint!r} is for WithComponents, alone or joined to a constraint by &")
    raise place.error(f"{type(constraint).__name__} is not a constraint")


def _range_rule(constraint: Range, text: str, plan: Plan, place: Place) -> CompiledConstraint:
    _check_range(plan, place)
    bounds = Plan(Kind.KIND_INTEGER, plan.name)
    _set_range(bounds, constraint, place)
    return CompiledConstraint(ConstraintKind.CONSTRAINT_RANGE, text, plan=bounds)


def _size_rule(constraint: Size, text: str, plan: Plan, place: Place) -> CompiledConstraint:
    _check_size(plan, place)
    bounds = Plan(Kind.KIND_OCTET_STRING, plan.name)
    bounds.set_size(constraint.low, constraint.high)
    return CompiledConstraint(ConstraintKind.CONSTRAINT_SIZE, text, plan=bounds)


def _values_rule(constraint: OneOf, text: str, plan: Plan, place: Place) -> CompiledConstraint:
    if plan.kind in OPEN_KINDS:
        raise place.error(f"OneOf does not apply to {plan.name}, which has values of any type")
    octets: list[bytes] = []
    for value in constraint.values:
        try:
            octets.append(_core.encode_plan(plan, value))
        except (ASN1Error, TypeError, ValueError, AttributeError) as error:
            raise place.error(f"OneOf: {brief(value)} is not a value of {plan.name}") from error
    return CompiledConstraint(ConstraintKind.CONSTRAINT_VALUES, text, plan=plan, values=tuple(octets))


def _components_rule(constraint: WithComponents, text: str, plan: Plan, place: Place) -> CompiledConstraint:
    if plan.kind not in (Kind.KIND_SEQUENCE, Kind.KIND_SET, Kind.KIND_CHOICE):
        raise place.error(f"WithComponents does not apply to {plan.name}; it is for SEQUENCE, SET and CHOICE")
    choice = plan.kind == Kind.KIND_CHOICE
    said: dict[int, tuple[int, int, Any]] = {}
    for name, inner in constraint.components:
        if name not in plan.names:
            raise place.error(f"WithComponents: {plan.name} has no {name!r}; it has {', '.join(plan.names)}")
        index = plan.names.index(name)
        may_lack = choice or (plan.optional[index] and plan.default_octets[index] is None)
        presence, rest = (None, None) if inner is None else presence_and_rest(inner)
        if presence is not None and not may_lack:
            raise place.error(f"WithComponents: {name!r} is not OPTIONAL, so it is neither Present nor Absent")
        if presence is not None:
            wanted = MUST_BE if presence.present else MUST_NOT_BE
        else:
            # X.680 51.8: in the full form, what is named must be there.
            wanted = MUST_BE if constraint.full and may_lack and not choice else MAY_BE
        rule = None if rest is None else _rule(rest, plan.plans[index], place)
        said[index] = (index, wanted, rule)
    if constraint.full:
        # X.680 51.8: what is not named is absent, where it can be.
        for index in range(len(plan.names)):
            if index not in said and (choice or (plan.optional[index] and plan.default_octets[index] is None)):
                said[index] = (index, MUST_NOT_BE, None)
    return CompiledConstraint(ConstraintKind.CONSTRAINT_COMPONENTS, text, parts=tuple(said[index] for index in sorted(said)))

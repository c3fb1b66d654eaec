"""Compiles constraints, and checks that they apply to their types.

A plan holds one SIZE and one value range itself, which cost nothing extra to validate. Any other constraint becomes a
`CompiledConstraint` at the end of the session, because single values are encoded with the plan of their type.
"""

from __future__ import annotations

from typing import Any

from derlib import _core
from derlib._brief import brief
from derlib._core import CompiledConstraint, ConstraintKind, Kind, Plan
from derlib._schema.compiler.session import SchemaLocation
from derlib._schema.constraints import (
    Alphabet,
    Complement,
    Constraint,
    Extensible,
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
from derlib.errors import ASN1Error

INTEGER_KINDS = (Kind.KIND_INTEGER, Kind.KIND_NAMED_INTEGER)
LIST_KINDS = (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF)
OPEN_KINDS = (Kind.KIND_ANY, Kind.KIND_OPEN, Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS)
# The enum Presence of core/schema/constraint.pxi.
MAY_BE, MUST_BE, MUST_NOT_BE = range(3)


def constrain(plan: Plan, constraint: Constraint, location: SchemaLocation) -> None:
    """Add a constraint to a plan. It is checked at the end of the session, when the kind of the plan is known."""
    if isinstance(constraint, Extensible):
        root = constraint.root
        # The constraint of a copy that nothing uses, so that a wrong one is still an error.
        constrain(plan.derived(plan.tag), root, location)
        location.session.constraints.append(
            lambda: plan.set_extensible_constraint(_compiled(root, plan, location))
        )
    elif isinstance(constraint, Size):
        if plan.kind != Kind.KIND_EMPTY:
            _check_size_applies(plan, location)
        plan.set_size(constraint.low, constraint.high)
        location.session.constraints.append(lambda: _check_size(plan, location))
    elif isinstance(constraint, Range):
        if plan.kind != Kind.KIND_EMPTY:
            _check_range_applies(plan, location)
        _set_range(plan, constraint, location)
        location.session.constraints.append(lambda: _check_range_applies(plan, location))
    else:
        location.session.constraints.append(lambda: plan.set_constraint(_compiled(constraint, plan, location)))


def _check_size_applies(plan: Plan, location: SchemaLocation) -> None:
    if not plan.has_size:
        raise location.error(f"Size does not apply to {plan.name}; it is for strings and lists")


def _check_size(plan: Plan, location: SchemaLocation) -> None:
    _check_size_applies(plan, location)
    size = plan.size
    if size is not None and size[1] is not None and size[1] < size[0]:
        raise location.error(f"no size of {plan.name} satisfies all its SIZE constraints; remove or widen one")


def _check_range_applies(plan: Plan, location: SchemaLocation) -> None:
    if plan.kind not in INTEGER_KINDS:
        raise location.error(f"Range does not apply to {plan.name}; it is for integers")


def _set_range(plan: Plan, constraint: Range, location: SchemaLocation) -> None:
    # X.680 50.2: serial constraints are an intersection.
    before = plan.range or (None, None)
    lows = [bound for bound in (before[0], constraint.low) if bound is not None]
    highs = [bound for bound in (before[1], constraint.high) if bound is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    if low is not None and high is not None and high < low:
        raise location.error(f"no value of {plan.name} satisfies all its value ranges; remove or widen one")
    plan.set_range(
        None if low is None else integer_contents(low),
        None if high is None else integer_contents(high),
    )


def integer_contents(value: int) -> bytes:
    """Return the contents octets of an INTEGER (X.690 8.3)."""
    return value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True)


def _compiled(constraint: Constraint, plan: Plan, location: SchemaLocation) -> CompiledConstraint:
    """Compile a constraint on the values of a plan."""
    text = str(constraint)
    if isinstance(constraint, (Union, Intersection)):
        union = isinstance(constraint, Union)
        kind = ConstraintKind.CONSTRAINT_UNION if union else ConstraintKind.CONSTRAINT_INTERSECTION
        both = (_compiled(constraint.left, plan, location), _compiled(constraint.right, plan, location))
        return CompiledConstraint(kind, text, both)
    if isinstance(constraint, Complement):
        inner = _compiled(constraint.inner, plan, location)
        return CompiledConstraint(ConstraintKind.CONSTRAINT_EXCEPT, text, (inner,))
    within = plan
    while within.kind == Kind.KIND_EXPLICIT:
        within = within.element
    if isinstance(constraint, Range):
        return _compiled_range(constraint, text, within, location)
    if isinstance(constraint, Size):
        return _compiled_size(constraint, text, within, location)
    if isinstance(constraint, Alphabet):
        if not within.is_character_string:
            raise location.error(f"Alphabet does not apply to {within.name}; it is for character strings")
        return CompiledConstraint(ConstraintKind.CONSTRAINT_ALPHABET, text, characters=constraint.runs())
    if isinstance(constraint, OneOf):
        return _compiled_values(constraint, text, plan, location)
    if isinstance(constraint, WithComponents):
        return _compiled_components(constraint, text, within, location)
    if isinstance(constraint, WithComponent):
        if within.kind not in LIST_KINDS:
            raise location.error(f"WithComponent does not apply to {within.name}; it is for lists")
        each = _compiled(constraint.constraint, within.element, location)
        return CompiledConstraint(ConstraintKind.CONSTRAINT_ELEMENTS, text, (each,))
    if isinstance(constraint, Presence):
        raise location.error(f"{constraint!r} is for WithComponents, alone or joined to a constraint by &")
    raise location.error(f"{type(constraint).__name__} is not a constraint")


def _compiled_range(constraint: Range, text: str, plan: Plan, location: SchemaLocation) -> CompiledConstraint:
    _check_range_applies(plan, location)
    bounds = Plan(Kind.KIND_INTEGER, plan.name)
    _set_range(bounds, constraint, location)
    return CompiledConstraint(ConstraintKind.CONSTRAINT_RANGE, text, plan=bounds)


def _compiled_size(constraint: Size, text: str, plan: Plan, location: SchemaLocation) -> CompiledConstraint:
    _check_size(plan, location)
    bounds = Plan(Kind.KIND_OCTET_STRING, plan.name)
    bounds.set_size(constraint.low, constraint.high)
    return CompiledConstraint(ConstraintKind.CONSTRAINT_SIZE, text, plan=bounds)


def _compiled_values(constraint: OneOf, text: str, plan: Plan, location: SchemaLocation) -> CompiledConstraint:
    if plan.kind in OPEN_KINDS and plan.contained is None:
        raise location.error(f"OneOf does not apply to {plan.name}, which has values of any type")
    octets: list[bytes] = []
    for value in constraint.values:
        try:
            octets.append(_core.encode_plan(plan, value))
        except (ASN1Error, TypeError, ValueError, AttributeError) as error:
            raise location.error(f"OneOf: {brief(value)} is not a value of {plan.name}") from error
    return CompiledConstraint(ConstraintKind.CONSTRAINT_VALUES, text, plan=plan, values=tuple(octets))


def _compiled_components(
    constraint: WithComponents, text: str, plan: Plan, location: SchemaLocation
) -> CompiledConstraint:
    if plan.kind not in (Kind.KIND_SEQUENCE, Kind.KIND_SET, Kind.KIND_CHOICE):
        raise location.error(f"WithComponents does not apply to {plan.name}; it is for SEQUENCE, SET and CHOICE")
    choice = plan.kind == Kind.KIND_CHOICE
    parts: dict[int, tuple[int, int, Any]] = {}
    for name, inner in constraint.components:
        if name not in plan.names:
            known = ', '.join(plan.names)
            raise location.error(f"WithComponents: {plan.name} has no component {name!r}; it has {known}")
        index = plan.names.index(name)
        may_lack = choice or (plan.optional[index] and plan.default_octets[index] is None)
        presence, rest = (None, None) if inner is None else presence_and_rest(inner)
        if presence is not None and not may_lack:
            raise location.error(f"WithComponents: {name!r} is not OPTIONAL, so it cannot be Present or Absent")
        if presence is not None:
            wanted = MUST_BE if presence.present else MUST_NOT_BE
        else:
            # X.680 51.8: in the full form, a named component must be present.
            wanted = MUST_BE if constraint.full and may_lack and not choice else MAY_BE
        value = None if rest is None else _compiled(rest, plan.plans[index], location)
        parts[index] = (index, wanted, value)
    if constraint.full:
        # X.680 51.8: in the full form, an optional component without a name must be absent.
        for index in range(len(plan.names)):
            if index not in parts and (choice or (plan.optional[index] and plan.default_octets[index] is None)):
                parts[index] = (index, MUST_NOT_BE, None)
    ordered = tuple(parts[index] for index in sorted(parts))
    return CompiledConstraint(ConstraintKind.CONSTRAINT_COMPONENTS, text, parts=ordered)

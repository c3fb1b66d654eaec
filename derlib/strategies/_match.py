"""Which component an element is by its tag, and what `decode` says of one that is none.

The rules that match elements to fields are told here once more, in short, since the core knows them only for octets.
`derlib.strategies._draw` asks for tags of unknown additions, `derlib.strategies._sites` for what is refused.
"""

from __future__ import annotations

from typing import TypeAlias

from derlib._core import Kind as K
from derlib._core import Plan
from derlib.strategies._contents import RULES
from derlib.strategies._elements import CHOICES, CONSTRUCTED, OPEN_STRINGS, UNKNOWN, Element

Path: TypeAlias = tuple[str | int, ...]
EMPTY: Path = ()


def alternative(plan: Plan, tag: int) -> int:
    """The number of the alternative of a CHOICE that a tag selects, or UNKNOWN."""
    return next((number for known, number in plan.alternatives if known == tag), UNKNOWN)


def accepts(plan: Plan, tag: int) -> bool:
    """Whether a type lets an element with this tag be a value of it."""
    if plan.kind in CHOICES:
        return alternative(plan, tag) != UNKNOWN or (plan.insertion is not None and not is_excluded(plan, tag))
    return plan.tag == tag or plan.kind in (K.KIND_ANY, K.KIND_OPEN)


def is_excluded(plan: Plan, tag: int) -> bool:
    """Whether an unknown alternative of a CHOICE cannot have a tag, since a field beside it has it (X.680 52.7)."""
    return tag & ~CONSTRUCTED in plan.excluded


def other_form(plan: Plan, tag: int) -> bool:
    return plan.tag is not None and plan.tag ^ CONSTRUCTED == tag


def has_other_form(plan: Plan, first: int, last: int, tag: int) -> bool:
    """Whether a field from `first` to before `last` has this tag in the other form, directly or in a CHOICE."""
    return any(
        other_form(part, tag) or (part.kind in CHOICES and alternative(part, tag ^ CONSTRUCTED) != UNKNOWN)
        for part in plan.plans[first:last]
    )


def position(plan: Plan, child: Element) -> float:
    """What orders the children of a SEQUENCE: an unknown addition stands before the field of the insertion point."""
    return child.number if child.number != UNKNOWN else (plan.insertion or 0) - 0.5


def following(plan: Plan, child: Element) -> int:
    """The first field of a SEQUENCE that the element behind a child may be."""
    return child.number + 1 if child.number != UNKNOWN else plan.insertion or 0


def is_addition(plan: Plan, first: int, stop: int, tag: int) -> bool:
    """Whether what no field of a SEQUENCE from `first` to `stop` takes is an unknown addition (X.680 25.6)."""
    at = plan.insertion
    if at is None or not first <= at <= stop or has_other_form(plan, first, stop + 1, tag):
        return False
    optional = plan.optional
    while at > 0 and optional[at - 1]:
        at -= 1
        if accepts(plan.plans[at], tag) or other_form(plan.plans[at], tag):
            return False
    return True


def takes_addition(plan: Plan, first: int, tag: int) -> bool:
    """Whether an element with this tag, where field `first` is the next, is an unknown addition."""
    if plan.insertion is None:
        return False
    count = len(plan.plans)
    if plan.kind == K.KIND_SET:
        return not any(accepts(part, tag) for part in plan.plans) and not has_other_form(plan, 0, count, tag)
    optional = plan.optional
    for number in range(first, count):
        if accepts(plan.plans[number], tag):
            return False
        if not optional[number]:
            return is_addition(plan, first, number, tag)
    return is_addition(plan, first, count, tag)


def takes_alternative(plan: Plan, tag: int) -> bool:
    """Whether an element with this tag is an unknown alternative of a CHOICE."""
    return (
        plan.insertion is not None
        and alternative(plan, tag) == alternative(plan, tag ^ CONSTRUCTED) == UNKNOWN
        and not is_excluded(plan, tag)
    )


def tag_fault(plan: Plan, tag: int) -> tuple[str, Path]:
    """Return the kind of error of an element with this tag where `plan` does not accept it, and the path from there."""
    if plan.kind in CHOICES:
        number = alternative(plan, tag ^ CONSTRUCTED)
        if number == UNKNOWN:
            return "alternative", EMPTY
        kind, path = tag_fault(plan.plans[number], tag)
        return kind, path if plan.kind == K.KIND_UNION else (plan.names[number], *path)
    if not other_form(plan, tag):
        return "unexpected-tag", EMPTY
    if not tag & CONSTRUCTED:
        return "not-constructed", EMPTY
    rule = RULES.get(plan.kind)
    string = plan.kind in OPEN_STRINGS or (rule and rule.string)
    return "string-constructed" if string else "not-primitive", EMPTY


def misplaced(plan: Plan, first: int, tag: int) -> tuple[str, Path] | None:
    """What a SEQUENCE says of an element where field `first` is the next; None where it takes it."""
    if takes_addition(plan, first, tag):
        return None
    kind, path = "component-extra", EMPTY
    for number in range(first, len(plan.plans)):
        if accepts(plan.plans[number], tag):
            return None
        if not plan.optional[number]:
            kind, path = fault_of_field(plan, number, tag)
            break
    return form_of_later(plan, first, tag) or (kind, path)


def no_member(plan: Plan, tag: int) -> tuple[str, Path] | None:
    """The same of a SET."""
    if any(accepts(part, tag) for part in plan.plans) or takes_addition(plan, 0, tag):
        return None
    return form_of_later(plan, 0, tag) or ("member-extra", ())


def form_of_later(plan: Plan, first: int, tag: int) -> tuple[str, Path] | None:
    """The fault where the tag would be a component's, had it the other form."""
    for number in range(first, len(plan.plans)):
        if has_other_form(plan, number, number + 1, tag):
            return fault_of_field(plan, number, tag)
    return None


def fault_of_field(plan: Plan, number: int, tag: int) -> tuple[str, Path]:
    """Return what `tag_fault` does for the type of a field, with the path from the SEQUENCE or SET around it."""
    kind, path = tag_fault(plan.plans[number], tag)
    return kind, (plan.names[number], *path)

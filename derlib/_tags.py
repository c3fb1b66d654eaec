"""Which tags a type can begin with, and whether a schema is ambiguous (X.680 25.6, 27.3, 29.3).

Called by `derlib._compile` at the end of a session.
"""

from __future__ import annotations

from derlib import _core
from derlib._core import Kind, Plan
from derlib._session import Place


def schedule_alternatives(plan: Plan, place: Place) -> None:
    """Collect the tags of a CHOICE once the CHOICEs inside it know theirs."""

    def collect() -> None:
        if place.session.choices.pop(id(plan), None) is None:
            return
        pairs = []
        seen: dict[int, str] = {}
        for index, alternative in enumerate(plan.plans):
            tags = first_tags(alternative, place)
            if tags is None:
                raise place.error(f"the alternative {plan.names[index]!r} can have any tag; give it one with Explicit")
            for tag in tags:
                if tag >> 1 in seen:
                    raise place.error(
                        f"the alternatives {seen[tag >> 1]!r} and {plan.names[index]!r} have the same tag "
                        f"{_core.tag_name(tag)}; give one of them another with Implicit or Explicit"
                    )
                seen[tag >> 1] = plan.names[index]
                pairs.append((tag, index))
        plan.set_alternatives(pairs)

    place.session.choices[id(plan)] = collect
    place.session.alternatives.append(collect)


def first_tags(plan: Plan, place: Place) -> list[int] | None:
    """Every tag that an element of this type may begin with; None where that is any tag."""
    if plan.kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
        if not plan.alternatives:
            collect = place.session.choices.get(id(plan))
            if collect is not None:
                collect()
            if not plan.alternatives:
                raise place.error(
                    f"{plan.name} is an alternative of itself without a tag between; give it one with Explicit"
                )
        # X.680 29: an alternative that a later version adds may have any other tag.
        return None if plan.insertion is not None else [tag for tag, _ in plan.alternatives]
    return None if plan.tag is None else [plan.tag]


def _extension(index: int, kind: int, body: Plan, wild: str | None, place: Place) -> None:
    """At the place of unknown additions, no component may take any tag (X.680 25.6, 27.3)."""
    if wild is None and index < len(body.plans) and first_tags(body.plans[index], place) is None:
        wild = body.names[index]
    if wild is not None:
        raise place.error(f"the field {wild!r} can have any tag, so nothing could be an unknown addition; "
                          "give it a tag with Explicit")


def check_tags(kind: int, body: Plan, optional: tuple[bool, ...], place: Place) -> None:
    """X.680 25.6, 27.3: which component an element is must be clear from its tag."""
    open_ones: dict[int, str] = {}
    wild: str | None = None
    for index, (name, plan) in enumerate(zip(body.names, body.plans, strict=True)):
        if index == body.insertion:
            _extension(index, kind, body, wild, place)
        tags = first_tags(plan, place)
        if kind == Kind.KIND_SET and tags is None and body.insertion is not None:
            _extension(index, kind, body, name, place)
        if wild is not None or (tags is None and open_ones):
            first = wild or next(reversed(open_ones.values()))
            raise place.error(
                f"the fields {first!r} and {name!r} cannot be told apart, since one of them can have any tag; "
                "give one a tag with Explicit"
            )
        for tag in tags or ():
            if tag >> 1 in open_ones:
                raise place.error(
                    f"the fields {open_ones[tag >> 1]!r} and {name!r} have the same tag {_core.tag_name(tag)} and "
                    "cannot be told apart; give one of them another with Implicit or Explicit"
                )
        if kind == Kind.KIND_SEQUENCE and not optional[index]:
            open_ones.clear()
            continue
        if tags is None:
            wild = name
        for tag in tags or ():
            open_ones[tag >> 1] = name
    if body.insertion == len(body.plans):
        _extension(len(body.plans), kind, body, wild, place)

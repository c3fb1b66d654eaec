"""Checks that the tags of a schema identify each component and alternative (X.680 25.6, 27.3, 29.3, 52.7).

These checks run at the end of a session.

X.680 52.7: where tags must be distinct, each extension marker counts as one more element. Its tag differs from all
known tags, but is the same for all markers. So an element with an unknown tag must have only one possible position: an
extensible CHOICE without a tag may be OPTIONAL or a member of a SET, but not next to another one, and not next to the
extension marker of the SEQUENCE or SET that contains it.
"""

from __future__ import annotations

from derlib import _core
from derlib._core import Kind, Plan
from derlib._schema.compiler.session import SchemaLocation

# Represents the tags that a later version may add at an extension marker. Other tags are compared without their lowest
# bit, the form.
UNKNOWN = -1
# The largest number of CHOICEs inside one another without a tag between them. Each is a level of the C stack, but not
# an element, so `Limits.depth` does not bound them.
NESTED_CHOICES_LIMIT = 16


def schedule_alternatives(plan: Plan, location: SchemaLocation) -> None:
    """Collect the tags of a CHOICE at the end of the session, after those of the CHOICEs inside it."""

    def collect() -> None:
        if location.session.choices.pop(id(plan), None) is None:
            return  # Already collected, for a CHOICE that contains this one.
        pairs = []
        seen: dict[int, str] = {}
        for index, alternative in enumerate(plan.plans):
            tags = first_tags(alternative, location)
            if tags is None or UNKNOWN in tags:
                name = plan.names[index]
                raise location.error(f"the alternative {name!r} can have any tag; give it a tag with Explicit")
            for tag in tags:
                if tag >> 1 in seen:
                    raise location.error(
                        f"the alternatives {seen[tag >> 1]!r} and {plan.names[index]!r} have the same tag "
                        f"{_core.tag_name(tag)}; give one of them another tag with Implicit or Explicit"
                    )
                seen[tag >> 1] = plan.names[index]
                pairs.append((tag, index))
        if _nested_choices(plan) > NESTED_CHOICES_LIMIT:
            raise location.error(
                f"more than {NESTED_CHOICES_LIMIT} CHOICEs are nested without a tag between them; "
                "give one of the alternatives a tag with Explicit"
            )
        plan.set_alternatives(pairs)

    location.session.choices[id(plan)] = collect
    location.session.alternatives.append(collect)


def _nested_choices(plan: Plan) -> int:
    """Return the number of CHOICEs from this one to the innermost one without a tag between them."""
    if plan.kind not in (Kind.KIND_CHOICE, Kind.KIND_UNION):
        return 0
    return 1 + max(map(_nested_choices, plan.plans), default=0)


def first_tags(plan: Plan, location: SchemaLocation) -> list[int] | None:
    """Return the tags that an element of this type can have; None for any tag.

    UNKNOWN is among them for an extensible CHOICE: an alternative of a later version can have any other tag.
    """
    if plan.kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
        if not plan.alternatives:
            collect = location.session.choices.get(id(plan))
            if collect is not None:
                collect()
            if not plan.alternatives:
                raise location.error(
                    f"{plan.name} contains itself as an alternative without a tag; give it a tag with Explicit"
                )
        tags = [tag for tag, _ in plan.alternatives]
        return tags if plan.insertion is None else [*tags, UNKNOWN]
    return None if plan.tag is None else [plan.tag]


def check_tags(kind: int, body: Plan, optional: tuple[bool, ...], location: SchemaLocation) -> None:
    """Check that the tag of an element identifies its component (X.680 25.6, 27.3)."""
    tags = [first_tags(plan, location) for plan in body.plans]
    group = _CompetingFields(body.names, location)
    for index, found in enumerate(tags):
        if index == body.insertion:
            group.add_marker()
        group.add(index, found)
        if kind == Kind.KIND_SEQUENCE and not optional[index]:
            # A mandatory component separates the components before it from those after it.
            group = _CompetingFields(body.names, location)
    if body.insertion == len(tags):
        group.add_marker()
    for index, found in enumerate(tags):
        if found is not None and UNKNOWN in found:
            beside = _beside(index, kind, optional)
            excluded = {tag & ~1 for other in beside for tag in tags[other] or () if tag != UNKNOWN}
            if excluded:
                body.exclude_alternatives(index, tuple(sorted(excluded)))


def _beside(index: int, kind: int, optional: tuple[bool, ...]) -> list[int]:
    """Return the numbers of the fields that compete with a field for the same position."""
    others = [number for number in range(len(optional)) if number != index]
    if kind == Kind.KIND_SET:
        return others
    first = index
    while first > 0 and optional[first - 1]:
        first -= 1
    last = index
    while last < len(optional) - 1 and optional[last]:
        last += 1
    return [number for number in others if first <= number <= last]


class _CompetingFields:
    """Fields that compete for the same position: all of a SET; of a SEQUENCE, optional fields and the next field."""

    def __init__(self, names: tuple[str, ...], location: SchemaLocation) -> None:
        self.names = names
        self.location = location
        self.taken: dict[int, str] = {}     # the field for each tag without its form, or for UNKNOWN
        self.any_tag: str | None = None     # the field that can have any tag
        self.has_marker = False             # whether unknown additions compete, too

    def add(self, index: int, tags: list[int] | None) -> None:
        """Add a field; its tags must be distinct from those added before."""
        name = self.names[index]
        if self.has_marker and (tags is None or UNKNOWN in tags):
            raise self._no_addition(name)
        if self.any_tag is not None or (tags is None and self.taken):
            first = self.any_tag or next(reversed(self.taken.values()))
            raise self.location.error(
                f"the fields {first!r} and {name!r} are ambiguous, because one of them can have any tag; "
                "give one of them a tag with Explicit"
            )
        if tags is None:
            self.any_tag = name
        for tag in tags or ():
            if tag == UNKNOWN and tag in self.taken:
                raise self.location.error(
                    f"the fields {self.taken[tag]!r} and {name!r} are extensible CHOICEs, and an unknown alternative "
                    "could belong to either (X.680 52.7); give one of them a tag with Explicit"
                )
            if tag >> 1 in self.taken:
                raise self.location.error(
                    f"the fields {self.taken[tag >> 1]!r} and {name!r} are ambiguous: both have the tag "
                    f"{_core.tag_name(tag)}; give one of them another tag with Implicit or Explicit"
                )
        for tag in tags or ():
            self.taken[tag >> 1] = name

    def add_marker(self) -> None:
        """Add the extension marker, where unknown additions come (X.680 25.6, 27.3)."""
        name = self.any_tag or self.taken.get(UNKNOWN)
        if name is not None:
            raise self._no_addition(name)
        self.has_marker = True

    def _no_addition(self, name: str) -> Exception:
        return self.location.error(
            f"the field {name!r} can have any tag, so no element could be an unknown addition; "
            "give the field a tag with Explicit"
        )

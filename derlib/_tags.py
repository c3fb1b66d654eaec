"""Which tags a type can begin with, and whether a schema is ambiguous (X.680 25.6, 27.3, 29.3, 52.7).

Called by `derlib._compile` at the end of a session.

X.680 52.7: where tags must be distinct, each extension marker counts as one more element, whose tag is distinct from
all known ones, but the same for all markers. So an element with an unknown tag must have one place where it can be: an
extensible CHOICE without a tag may be OPTIONAL, or a member of a SET, but two of them may not be side by side, nor one
beside the marker of the SEQUENCE or SET around it.
"""

from __future__ import annotations

from derlib import _core
from derlib._core import Kind, Plan
from derlib._session import Place

# The tag of whatever a later version adds at an extension marker. Tags are compared without their lowest bit, which is
# the form; this one stays as it is.
UNKNOWN = -1


def schedule_alternatives(plan: Plan, place: Place) -> None:
    """Collect the tags of a CHOICE once the CHOICEs inside it know theirs."""

    def collect() -> None:
        if place.session.choices.pop(id(plan), None) is None:
            return
        pairs = []
        seen: dict[int, str] = {}
        for index, alternative in enumerate(plan.plans):
            tags = first_tags(alternative, place)
            if tags is None or UNKNOWN in tags:
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
    """Return every tag that an element of this type may begin with; None where that is any tag.

    UNKNOWN is one of them for an extensible CHOICE: an alternative that a later version adds may have any other tag.
    """
    if plan.kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
        if not plan.alternatives:
            collect = place.session.choices.get(id(plan))
            if collect is not None:
                collect()
            if not plan.alternatives:
                raise place.error(
                    f"{plan.name} is an alternative of itself without a tag between; give it one with Explicit"
                )
        tags = [tag for tag, _ in plan.alternatives]
        return tags if plan.insertion is None else [*tags, UNKNOWN]
    return None if plan.tag is None else [plan.tag]


def check_tags(kind: int, body: Plan, optional: tuple[bool, ...], place: Place) -> None:
    """X.680 25.6, 27.3: which component an element is must be clear from its tag."""
    tags = [first_tags(plan, place) for plan in body.plans]
    run = _Run(body.names, place)
    for index, found in enumerate(tags):
        if index == body.insertion:
            run.add_marker()
        run.add(index, found)
        if kind == Kind.KIND_SEQUENCE and not optional[index]:
            # What comes before a component that must be there cannot come after it.
            run = _Run(body.names, place)
    if body.insertion == len(tags):
        run.add_marker()
    for index, found in enumerate(tags):
        if found is not None and UNKNOWN in found:
            beside = _beside(index, kind, optional)
            excluded = {tag & ~1 for other in beside for tag in tags[other] or () if tag != UNKNOWN}
            if excluded:
                body.exclude_alternatives(index, tuple(sorted(excluded)))


def _beside(index: int, kind: int, optional: tuple[bool, ...]) -> list[int]:
    """Return the numbers of the fields whose elements could be taken for those of a field."""
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


class _Run:
    """Fields of which any may come next: those of a SET, or a run of optional fields of a SEQUENCE and the next one."""

    def __init__(self, names: tuple[str, ...], place: Place) -> None:
        self.names = names
        self.place = place
        self.taken: dict[int, str] = {}     # which field has a tag, by number and class, or UNKNOWN
        self.wild: str | None = None        # the field that can have any tag
        self.marked = False                 # whether unknown additions may come, too

    def add(self, index: int, tags: list[int] | None) -> None:
        """Add a field, whose tags must not be taken."""
        name = self.names[index]
        if self.marked and (tags is None or UNKNOWN in tags):
            raise self._no_addition(name)
        if self.wild is not None or (tags is None and self.taken):
            first = self.wild or next(reversed(self.taken.values()))
            raise self.place.error(
                f"the fields {first!r} and {name!r} cannot be told apart, since one of them can have any tag; "
                "give one a tag with Explicit"
            )
        if tags is None:
            self.wild = name
        for tag in tags or ():
            if tag == UNKNOWN and tag in self.taken:
                raise self.place.error(
                    f"the fields {self.taken[tag]!r} and {name!r} are extensible CHOICEs, and an unknown alternative "
                    "could be of either (X.680 52.7); give one a tag with Explicit"
                )
            if tag >> 1 in self.taken:
                raise self.place.error(
                    f"the fields {self.taken[tag >> 1]!r} and {name!r} have the same tag {_core.tag_name(tag)} and "
                    "cannot be told apart; give one of them another with Implicit or Explicit"
                )
        for tag in tags or ():
            self.taken[tag >> 1] = name

    def add_marker(self) -> None:
        """Add the place of unknown additions (X.680 25.6, 27.3)."""
        name = self.wild or self.taken.get(UNKNOWN)
        if name is not None:
            raise self._no_addition(name)
        self.marked = True

    def _no_addition(self, name: str) -> Exception:
        return self.place.error(
            f"the field {name!r} can have any tag, so nothing could be an unknown addition; give it a tag with Explicit"
        )

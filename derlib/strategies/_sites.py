"""Where the elements of an encoding stand, and what `decode` says of one whose tag does not belong there.

`derlib.strategies._breaks` asks. The rules that match elements to fields are told here once more, in short, since the
core knows them only for octets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from derlib._core import Kind as K
from derlib._core import Plan
from derlib.strategies._contents import RULES
from derlib.strategies._draw import CHOICES, FIELDS, LISTS, OPEN_STRINGS
from derlib.strategies._elements import CONSTRUCTED, Element

Path: TypeAlias = tuple[str | int, ...]
EMPTY: Path = ()
# Of a long list, the elements that are looked at; and the last one.
FIRST = 8


@dataclass(frozen=True)
class Site:
    """An element in its place.

    Attributes:
        trail: the elements around it, the outermost first, each with the number of the child that leads on.
        path: what an error in its contents names.
        header_path: what an error in its identifier or length octets names.
    """

    element: Element
    trail: tuple[tuple[Element, int], ...]
    path: Path
    header_path: Path

    @property
    def parent(self) -> Element | None:
        return self.trail[-1][0] if self.trail else None

    @property
    def index(self) -> int:
        return self.trail[-1][1] if self.trail else 0

    @property
    def place(self) -> Path:
        """The path without the alternatives of CHOICEs that the tag selects."""
        return self.path[: len(self.path) - len(self.element.arms)]

    @property
    def is_last(self) -> bool:
        return self.parent is None or self.index == len(self.parent.children) - 1


def sites(
    element: Element, trail: tuple[tuple[Element, int], ...] = (), place: Path = (), header_path: Path = ()
) -> Iterator[Site]:
    """The elements that can be broken with a certain result, the outermost first."""
    path = place + element.arms
    yield Site(element, trail, path, header_path)
    if element.soft:
        return
    plan = element.plan
    following = 0
    for index, child in enumerate(element.children):
        if child.soft and not child.selected:
            continue  # inside a string that may hold anything
        here, above = path, path
        if plan.kind in FIELDS:
            here = (*path, plan.names[child.number])
            # A header that cannot be read is blamed on the component that may stand there; a SET has no such order.
            above = (*path, plan.names[following]) if plan.kind == K.KIND_SEQUENCE else path
            following = child.number + 1
        elif plan.kind in LISTS:
            if FIRST <= index < len(element.children) - 1:
                continue
            here = above = (*path, index)
        yield from sites(child, (*trail, (element, index)), here, above)


def spliced(site: Site, octets: bytes) -> tuple[bytes, int]:
    """The whole encoding with other octets in the place of an element, and where they begin."""
    offset = 0
    for parent, index in reversed(site.trail):
        parts = parent.parts()
        parts[index] = octets
        octets = parent.around(parts)
        contents = len(parent.before) + sum(map(len, parts))
        offset += len(octets) - contents + len(parent.before) + sum(map(len, parts[:index]))
    return octets, offset


# What a tag that does not belong there is called.


def accepts(plan: Plan, tag: int) -> bool:
    """Whether a type lets an element with this tag be a value of it."""
    if plan.kind in CHOICES:
        return any(tag == known for known, _ in plan.alternatives)
    return plan.tag == tag or plan.kind in (K.KIND_ANY, K.KIND_OPEN)


def other_form(plan: Plan, tag: int) -> bool:
    return plan.tag is not None and plan.tag ^ CONSTRUCTED == tag


def tag_fault(plan: Plan, tag: int) -> str:
    """The kind of error of an element with this tag where `plan` does not accept it."""
    if not other_form(plan, tag):
        return "alternative" if plan.kind in CHOICES else "unexpected-tag"
    if not tag & CONSTRUCTED:
        return "not-constructed"
    rule = RULES.get(plan.kind)
    return "string-constructed" if plan.kind in OPEN_STRINGS or (rule and rule.string) else "not-primitive"


def misplaced(plan: Plan, first: int, tag: int) -> tuple[str, Path] | None:
    """What a SEQUENCE says of an element where field `first` is the next; None where it takes it."""
    kind, path = "component-extra", EMPTY
    for number in range(first, len(plan.plans)):
        if accepts(plan.plans[number], tag):
            return None
        if not plan.optional[number]:
            kind, path = tag_fault(plan.plans[number], tag), (plan.names[number],)
            break
    return form_of_later(plan, first, tag) or (kind, path)


def no_member(plan: Plan, tag: int) -> tuple[str, Path] | None:
    """The same of a SET."""
    if any(accepts(part, tag) for part in plan.plans):
        return None
    return form_of_later(plan, 0, tag) or ("member-extra", ())


def form_of_later(plan: Plan, first: int, tag: int) -> tuple[str, Path] | None:
    """The fault where the tag would be a component's, had it the other form."""
    for number in range(first, len(plan.plans)):
        if other_form(plan.plans[number], tag):
            return tag_fault(plan.plans[number], tag), (plan.names[number],)
    return None


def refused(site: Site, tag: int) -> tuple[str, Path] | None:
    """The kind and path of the error if the element had this tag; None where it may be accepted."""
    element, parent = site.element, site.parent
    if not element.selected and parent is not None and parent.plan.kind in FIELDS:
        around = site.trail[-1][0].plan
        before = parent.children[site.index - 1].number + 1 if site.index else 0
        said = misplaced(around, before, tag) if around.kind == K.KIND_SEQUENCE else no_member(around, tag)
        up = site.place[:-1]
        return said and (said[0], up + said[1])
    if accepts(element.expects, tag):
        return None
    return tag_fault(element.expects, tag), site.place

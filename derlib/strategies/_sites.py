"""Where the elements of an encoding stand, and what `decode` says of one whose tag does not belong there.

`derlib.strategies._breaks` asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from derlib._core import Kind as K
from derlib.strategies._cases import fits
from derlib.strategies._elements import FIELDS, LISTS, OPEN_STRINGS, UNKNOWN, Element
from derlib.strategies._formulas import own
from derlib.strategies._match import (
    Path,
    accepts,
    following,
    misplaced,
    no_member,
    tag_fault,
    takes_addition,
    takes_alternative,
)

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
        return self.path[: len(self.path) - len(self.element.alternatives)]

    @property
    def is_last(self) -> bool:
        return self.parent is None or self.index == len(self.parent.children) - 1


def sites(
    element: Element, trail: tuple[tuple[Element, int], ...] = (), place: Path = (), header_path: Path = ()
) -> Iterator[Site]:
    """The elements that can be broken with a certain result, the outermost first."""
    path = place + element.alternatives
    yield Site(element, trail, path, header_path)
    if element.may_mismatch:
        return
    plan = element.plan
    next_one = 0
    for index, child in enumerate(element.children):
        if child.may_mismatch and not child.selected:
            continue  # inside a string that may hold anything
        here, above = path, path
        if plan.kind in FIELDS:
            here = path if child.number == UNKNOWN else (*path, plan.names[child.number])
            # A header that cannot be read is blamed on the component that may stand there; a SET has no such order.
            blamed = plan.kind == K.KIND_SEQUENCE and next_one < len(plan.names)
            above = (*path, plan.names[next_one]) if blamed else path
            next_one = following(plan, child)
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


def keeps_sizes(site: Site, octets: bytes) -> bool:
    """Whether strings that contain the element keep their constraints with other octets in its place.

    What SIZE says of such a string is checked before what it contains.
    """
    # Mostly there is none. What stands around the outermost is not written anew: it may be large.
    strings = sum(parent.plan.kind in OPEN_STRINGS for parent, _ in site.trail)
    for parent, index in reversed(site.trail):
        if not strings:
            break
        parts = parent.parts()
        parts[index] = octets
        octets = parent.around(parts)
        if parent.plan.kind in OPEN_STRINGS:
            strings -= 1
            if not right_size(parent, parent.before + b"".join(parts)):
                return False
    return True


def right_size(string: Element, contents: bytes) -> bool:
    """Whether a string that contains an encoding may have these contents octets."""
    return fits(string.plan, own(string.plan), replace(string, contents=contents))


def refused(site: Site, tag: int) -> tuple[str, Path] | None:
    """The kind and path of the error if the element had this tag; None where it may be accepted."""
    element, parent = site.element, site.parent
    if not element.selected and parent is not None and parent.plan.kind in FIELDS:
        around = parent.plan
        said = misplaced(around, first_field(site), tag) if around.kind == K.KIND_SEQUENCE else no_member(around, tag)
        up = site.place if element.number == UNKNOWN else site.place[:-1]
        return said and (said[0], up + said[1])
    if accepts(element.expects, tag):
        return None
    kind, path = tag_fault(element.expects, tag)
    return kind, (*site.place, *path)


def first_field(site: Site) -> int:
    """The first field of the SEQUENCE around that the element of a site may be."""
    parent = site.parent
    return following(parent.plan, parent.children[site.index - 1]) if parent is not None and site.index else 0


def stays_unknown(site: Site, tag: int) -> bool:
    """Whether an element of no known type may have this tag instead; in a SET it might be out of order."""
    element, parent = site.element, site.parent
    if element.chosen:
        return takes_alternative(element.chosen[-1][0], tag)
    if parent is None or parent.plan.kind not in FIELDS:
        return True
    if parent.plan.kind == K.KIND_SET:
        return False
    return element.number != UNKNOWN or takes_addition(parent.plan, first_field(site), tag)

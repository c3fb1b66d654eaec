"""Elements as the strategies draw them: octets that know which plan each part of them follows.

`derlib.strategies._draw` makes them, `derlib.strategies._breaks` changes one of them. They are written here and not by
the core, so that the writer and the check of the core have something to be compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from derlib._core import Kind, Plan

# A tag as plans hold it: number << 3 | class << 1 | constructed.
CONSTRUCTED = 1
# The number of an element that the schema does not know: an addition of a later version.
UNKNOWN = -1

OPEN_STRINGS = (Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS)
OPEN = (Kind.KIND_OPEN, *OPEN_STRINGS)
CHOICES = (Kind.KIND_CHOICE, Kind.KIND_UNION)
FIELDS = (Kind.KIND_SEQUENCE, Kind.KIND_SET)
LISTS = (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF)


def identifier(tag: int) -> bytes:
    """Identifier octets (X.690 8.1.2)."""
    number, leading = tag >> 3, (tag & 7) << 5
    if number < 31:
        return bytes([leading | number])
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(0x80 | number & 0x7F)
    return bytes([leading | 0x1F, *reversed(groups)])


def length(count: int) -> bytes:
    """Length octets in the one form that X.690 10.1 allows."""
    if count < 0x80:
        return bytes([count])
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(digits)]) + digits


def header(tag: int, count: int) -> bytes:
    """Identifier and length octets of `count` contents octets."""
    return identifier(tag) + length(count)


def canonical(tag: int) -> tuple[int, int]:
    """What orders the members of a SET (X.680 8.6): the class, then the number."""
    return tag >> 1 & 3, tag >> 3


class Fault(NamedTuple):
    """Contents octets that break the rule of their type, and the kind of `DecodeError` that they cause."""

    kind: str
    contents: bytes
    what: str


@dataclass(frozen=True, eq=False)
class Element:
    """One element.

    Attributes:
        plan: what its contents follow; never a CHOICE, and for an open type that is a value of a type, that type.
        tag: its tag as plans hold it.
        contents: its contents octets.
        children: the elements that the contents are made of, where they are.
        chosen: the CHOICEs that it was chosen from, the outermost first, each with the number of its alternative.
        number: of the field that it is, in a SEQUENCE or SET; UNKNOWN of an addition that the schema does not know.
        selected: it is the value of an open type, which lets every tag through to the type that was selected.
        may_mismatch: the value is of an open type whose entry leaves a type mismatch opaque.
    """

    plan: Plan
    tag: int
    contents: bytes
    children: tuple[Element, ...] = ()
    chosen: tuple[tuple[Plan, int], ...] = ()
    number: int = 0
    selected: bool = False
    may_mismatch: bool = False
    octets: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "octets", header(self.tag, len(self.contents)) + self.contents)

    @property
    def expects(self) -> Plan:
        """What its tag is checked against."""
        return self.chosen[0][0] if self.chosen else self.plan

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The names of the alternatives that led to it, as paths have them."""
        return arms_of(self.chosen)

    @property
    def before(self) -> bytes:
        """What stands in the contents before the first child: the initial octet of a BIT STRING that contains one."""
        return self.contents[:1] if self.plan.kind == Kind.KIND_OPEN_BITS else b""

    def around(self, parts: list[bytes]) -> bytes:
        """The encoding of this element with other children."""
        contents = self.before + b"".join(parts)
        return header(self.tag, len(contents)) + contents

    def parts(self) -> list[bytes]:
        """The encodings of the children."""
        return [child.octets for child in self.children]


def arms_of(chosen: tuple[tuple[Plan, int], ...]) -> tuple[str, ...]:
    """The names that paths have of the alternatives of CHOICEs; an unknown one has none."""
    return tuple(plan.names[number] for plan, number in chosen if plan.kind == Kind.KIND_CHOICE and number != UNKNOWN)


def of_children(plan: Plan, children: list[Element], before: bytes = b"") -> Element:
    """An element that is made of others."""
    contents = before + b"".join(child.octets for child in children)
    assert plan.tag is not None
    return Element(plan, plan.tag, contents, tuple(children))

"""Elements, which the strategies draw and change: an encoding with the type of each part.

The encoding is implemented here, independently of the core, so that the encoder and validator of the core can be
compared with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from derlib.inspect import Kind
from derlib.strategies._types import Type

# A tag is one number: number << 3 | class << 1 | constructed.
CONSTRUCTED = 1
# The number of an unknown addition or alternative.
UNKNOWN = -1

OPEN_STRINGS = (Kind.OPEN_OCTETS, Kind.OPEN_BITS)
OPEN = (Kind.OPEN, *OPEN_STRINGS)
CHOICES = (Kind.CHOICE, Kind.UNION)
FIELDS = (Kind.SEQUENCE, Kind.SET)
LISTS = (Kind.SEQUENCE_OF, Kind.SET_OF)


def identifier(tag: int) -> bytes:
    """Return identifier octets (X.690 8.1.2)."""
    number, leading = tag >> 3, (tag & 7) << 5
    if number < 31:
        return bytes([leading | number])
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(0x80 | number & 0x7F)
    return bytes([leading | 0x1F, *reversed(groups)])


def length(count: int) -> bytes:
    """Return length octets in the only form that X.690 10.1 allows."""
    if count < 0x80:
        return bytes([count])
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(digits)]) + digits


def header(tag: int, count: int) -> bytes:
    """Return the identifier and length octets for `count` contents octets."""
    return identifier(tag) + length(count)


def integer_contents(value: int) -> bytes:
    """Return the contents octets of an INTEGER (X.690 8.3)."""
    return value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True)


def canonical(tag: int) -> tuple[int, int]:
    """Return the key that orders the components of a SET (X.680 8.6): the class, then the number."""
    return tag >> 1 & 3, tag >> 3


class Fault(NamedTuple):
    """Invalid contents octets, and the kind of `DecodeError` that they cause."""

    kind: str
    contents: bytes
    description: str


@dataclass(frozen=True, eq=False)
class Element:
    """An element.

    Attributes:
        type: the type of its contents: never a CHOICE; for an open type with a selected type, that type.
        tag: its tag, as one number.
        contents: its contents octets.
        children: the elements in the contents, if they consist of elements.
        chosen: the CHOICEs that it is an alternative of, the outermost first, each with the number of the alternative.
        number: the number of its component in a SEQUENCE or SET; UNKNOWN for an unknown addition.
        selected: whether it is the value of an open type, so that only the selected type checks its tag.
        may_mismatch: whether it is the value of an open type that is opaque on mismatch.
    """

    type: Type
    tag: int
    contents: bytes
    children: tuple[Element, ...] = ()
    chosen: tuple[tuple[Type, int], ...] = ()
    number: int = 0
    selected: bool = False
    may_mismatch: bool = False
    encoding: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoding", header(self.tag, len(self.contents)) + self.contents)

    @property
    def expects(self) -> Type:
        """The type that its tag is checked against."""
        return self.chosen[0][0] if self.chosen else self.type

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The names of the alternatives that led to it, as in paths."""
        return alternative_names(self.chosen)

    @property
    def prefix(self) -> bytes:
        """The contents octets before the children: the initial octet of a BIT STRING that contains an encoding."""
        return self.contents[:1] if self.type.kind == Kind.OPEN_BITS else b""

    def with_children(self, parts: list[bytes]) -> bytes:
        """Return the encoding of this element with other children."""
        contents = self.prefix + b"".join(parts)
        return header(self.tag, len(contents)) + contents

    def parts(self) -> list[bytes]:
        """Return the encodings of the children."""
        return [child.encoding for child in self.children]


def alternative_names(chosen: tuple[tuple[Type, int], ...]) -> tuple[str, ...]:
    """Return the names of alternatives of CHOICEs, as in paths; an unknown alternative has none."""
    return tuple(type_.names[number] for type_, number in chosen if type_.kind == Kind.CHOICE and number != UNKNOWN)


def of_children(type_: Type, children: list[Element], before: bytes = b"") -> Element:
    """Return an element with these children."""
    contents = before + b"".join(child.encoding for child in children)
    assert type_.tag is not None
    return Element(type_, type_.tag, contents, tuple(children))

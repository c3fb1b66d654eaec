"""The options of decoding: deviations to tolerate, and limits.

The table of faults in the core (`core/octets/faults.pxi`) has the deviation that tolerates each fault.
"""

import enum
from typing import TYPE_CHECKING, NamedTuple

from derlib._brief import brief
from derlib._immutable import Immutable

__all__ = ["Deviation", "Limits", "Tolerated"]


class _DeviationType(enum.EnumMeta):
    """Suggests a name for a deviation that does not exist."""

    # Type checkers would accept every name.
    if not TYPE_CHECKING:

        def __getattr__(cls, name):
            try:
                return super().__getattr__(name)  # finds members before Python 3.12
            except AttributeError:
                pass
            # `derlib._suggestions` has more, but it imports the core, which imports this module.
            from difflib import get_close_matches

            message = f"type object {cls.__name__!r} has no attribute {brief(name)}"
            near = get_close_matches(name[:64].upper(), cls.__members__, 1)
            if name.lower() == "all":
                message = f"{message}; ~Deviation(0) is all of them"
            elif near and not name.startswith("_"):
                message = f"{message}; did you mean {near[0]!r}?"
            raise AttributeError(message, name=name)


class Deviation(enum.Flag, metaclass=_DeviationType):
    """A fault that `decode` accepts if you pass it as ``tolerate``. Combine several with ``|``.

    Each tolerated fault is recorded, with its position, in `deviations` of the result. The encoding of the value does
    not change, so signatures remain valid. Building a value always produces DER.

    >>> import derlib
    >>> from derlib import Deviation, SetOf
    >>> numbers = SetOf[int].decode(bytes.fromhex("3106020102020101"), tolerate=Deviation.SET_OF_ORDER)
    >>> list(numbers), numbers.deviations[0].rule
    ([2, 1], 'X.690 11.6')
    """

    DEFAULT_ENCODED = 1 << 0
    """A component with its DEFAULT value is encoded (X.690 11.5)."""
    SET_OF_ORDER = 1 << 1
    """Elements of a SET OF are out of order (X.690 11.6)."""
    SET_ORDER = 1 << 2
    """Members of a SET are out of order (X.690 10.3)."""
    NAMED_BITS = 1 << 3
    """Named bits end in zero bits (X.690 11.2.2). If unused bits are set, `UNUSED_BITS` is needed, too."""
    UNUSED_BITS = 1 << 4
    """Unused bits of a BIT STRING are not zero (X.690 11.2.1); they read as zero."""
    INTEGER_PADDING = 1 << 5
    """An INTEGER or ENUMERATED has more bytes than it needs (X.690 8.3.2)."""
    LENGTH_FORM = 1 << 6
    """A length has more bytes than it needs (X.690 10.1). The indefinite form is never tolerated."""
    BOOLEAN_TRUE = 1 << 7
    """A BOOLEAN is neither 00 nor ff (X.690 11.1); it reads as True."""
    STRING_ALPHABET = 1 << 8
    """A NumericString, PrintableString, VisibleString or IA5String has other characters (X.680 41).

    It reads as ASCII, or as Latin-1 if there are bytes above 7f."""
    STRING_ENCODING = 1 << 9
    """A UTF8String, BMPString or UniversalString has another encoding (X.690 8.23); it reads as Latin-1."""
    UTC_TIME_FORM = 1 << 10
    """A UTCTime lacks its seconds or has an offset in place of Z (X.690 11.8)."""
    GENERALIZED_TIME_FORM = 1 << 11
    """A GeneralizedTime lacks its seconds or minutes, has an offset in place of Z, a comma, or a fraction that ends in
    zeros (X.690 11.7). Local time, which has neither Z nor an offset, is never tolerated."""
    EMPTY_LIST = 1 << 12
    """A list is empty, although its SIZE requires elements."""
    OPEN_TYPE = 1 << 13
    """The value of an open type does not match the type that its identifier selects; it remains opaque."""
    TRAILING_DATA = 1 << 14
    """Bytes follow the value, or a value inside an OCTET STRING or BIT STRING."""
    COMMON_CERTIFICATE_DEFECTS = NAMED_BITS | DEFAULT_ENCODED | STRING_ALPHABET | EMPTY_LIST
    """The faults of certificates that were issued and used; docs/deviations.md has the counts."""


class Limits(Immutable):
    """The limits of one call of `decode`. Input that exceeds one raises `LimitError`, which names the limit.

    Attributes:
        depth: the nesting depth of constructed elements, 1 to 200.
        size: the size of the input in bytes; None for no limit. Time and memory are linear in the input in any case.
        elements: the total number of elements in lists, in ANY and in opaque values; None for no limit.
        tag_octets: the number of identifier octets of an element without a schema: 1 to 9 (tag numbers below 2^56), or
            10 (below 2^60).
        arc_octets: the number of octets of one arc of an OBJECT IDENTIFIER, 1 to 500.

    Raises:
        ValueError: a limit is not an int in its range.

    >>> import derlib
    >>> from derlib import Limits, SequenceOf
    >>> try:
    ...     SequenceOf[int].decode(bytes.fromhex("3006020101020102"), limits=Limits(elements=1))
    ... except derlib.LimitError as error:
    ...     print(error)
    [1] at offset 5: the input has 2 or more elements in lists and ANY; the limit is 1
    """

    depth: int
    size: int | None
    elements: int | None
    tag_octets: int
    arc_octets: int

    def __init__(
        self,
        depth: int = 100,
        size: int | None = None,
        elements: int | None = None,
        tag_octets: int = 10,
        arc_octets: int = 20,
    ) -> None:
        self._set(
            depth=_limit("depth", depth, 200),
            size=None if size is None else _limit("size", size),
            elements=None if elements is None else _limit("elements", elements),
            tag_octets=_limit("tag_octets", tag_octets, 10),
            arc_octets=_limit("arc_octets", arc_octets, 500),
        )


def _limit(name: str, value: object, most: int | None = None) -> int:
    """Return a limit as a plain int. `most` None is the largest 64-bit number, for a limit that can be None, too."""
    # Use type(value), because `__class__` can be overridden, and int.__index__, because `__index__` can be.
    number = int.__index__(value) if issubclass(type(value), int) and type(value) is not bool else 0  # type: ignore[arg-type]
    if not 1 <= number <= (most or 2**63 - 1):
        expected = f"an int from 1 to {most}" if most else f"an int from 1 to {2**63 - 1} or None"
        raise ValueError(f"Limits: {name}: expected {expected}, got {brief(value)}")
    return number


class Tolerated(NamedTuple):
    """A tolerated fault.

    Attributes:
        deviation: the `Deviation` that tolerates it.
        path, offset, rule, kind: as in `DecodeError`. The path starts at the value whose `deviations` you read. The
            offset is that in the input, also after ``rules="ber"``.

    >>> from derlib import Deviation, SequenceOf
    >>> [fault] = SequenceOf[bool].decode(bytes.fromhex("3003010101"), tolerate=Deviation.BOOLEAN_TRUE).deviations
    >>> fault.deviation, fault.path, fault.offset, fault.rule, fault.kind
    (<Deviation.BOOLEAN_TRUE: 128>, (0,), 2, 'X.690 11.1', 'boolean-true')
    """

    deviation: Deviation
    path: tuple[str | int, ...]
    offset: int
    rule: str
    kind: str

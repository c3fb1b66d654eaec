"""What a caller may choose for one decoding: breaches to tolerate by name, and limits.

Used by the core, which knows which fault is which deviation (`core/octets/faults.pxi`), and public through `derlib`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields
from typing import NamedTuple

from derlib._brief import brief

__all__ = ["Deviation", "Limits", "Tolerated"]


class Deviation(enum.Flag):
    """A breach of DER, or of a type, that a call of `decode` may be told to tolerate; join several with ``|``.

    A deviation that is met is noted, with its place, in `deviations` of the result. The octets stay as they were, so
    that signatures still verify; a value that is built anew is DER again.

    >>> import derlib
    >>> from derlib import Deviation, SetOf
    >>> numbers = SetOf[int].decode(bytes.fromhex("3106020102020101"), tolerate=Deviation.SET_OF_ORDER)
    >>> list(numbers), numbers.deviations[0].rule
    ([2, 1], 'X.690 11.6')
    """

    DEFAULT_ENCODED = 1 << 0
    """A component that has its DEFAULT value is encoded (X.690 11.5)."""
    SET_OF_ORDER = 1 << 1
    """Elements of a SET OF are out of order (X.690 11.6)."""
    SET_ORDER = 1 << 2
    """Members of a SET are out of order (X.690 10.3)."""
    NAMED_BITS = 1 << 3
    """Named bits end in zero bits (X.690 11.2.2). If unused bits are set as well, `UNUSED_BITS` is needed, too."""
    UNUSED_BITS = 1 << 4
    """Unused bits of a BIT STRING are not zero (X.690 11.2.1); they read as zero."""
    INTEGER_PADDING = 1 << 5
    """An INTEGER or ENUMERATED has more octets than it needs (X.690 8.3.2)."""
    LENGTH_FORM = 1 << 6
    """A length has more octets than it needs (X.690 10.1). The indefinite form is never tolerated."""
    BOOLEAN_TRUE = 1 << 7
    """A BOOLEAN is neither 00 nor ff (X.690 11.1); it reads as True."""
    STRING_ALPHABET = 1 << 8
    """A NumericString, PrintableString, VisibleString or IA5String has other characters (X.680 41).

    Octets over 7f make it read as Latin-1."""
    STRING_ENCODING = 1 << 9
    """A UTF8String, BMPString or UniversalString is not encoded as such (X.690 8.23); it reads as Latin-1."""
    UTC_TIME_FORM = 1 << 10
    """A UTCTime lacks its seconds or has an offset in place of Z (X.690 11.8)."""
    GENERALIZED_TIME_FORM = 1 << 11
    """A GeneralizedTime lacks its seconds or minutes, has an offset in place of Z, a comma, or a fraction that ends in
    zeros (X.690 11.7). Local time, which has neither Z nor an offset, is never tolerated."""
    EMPTY_LIST = 1 << 12
    """A list whose SIZE asks for elements is empty."""
    OPEN_TYPE = 1 << 13
    """The value of an open type is not of the type that was chosen for it; it stays opaque."""
    TRAILING_DATA = 1 << 14
    """Octets follow the value, or one that an OCTET STRING or BIT STRING contains."""
    COMMON_CERTIFICATE_DEFECTS = NAMED_BITS | DEFAULT_ENCODED | STRING_ALPHABET | EMPTY_LIST
    """What certificates that were issued and used break: see docs/deviations.md for the counts."""


@dataclass(frozen=True)
class Limits:
    """Bounds on what one decoding accepts; a `LimitError` says which of them was exceeded.

    Attributes:
        depth: how deep constructed elements may nest, 1 to 200.
        size: octets of input, None for no limit. Work and memory are linear in the input in any case.
        elements: elements in lists, in ANY and in values of open types, all together; None for no limit.
        tag_octets: identifier octets of one element, 1 to 9 (tag numbers below 2^56); 10 means up to 2^60.
        arc_octets: octets of one arc of an OBJECT IDENTIFIER, 1 to 500.

    Raises:
        ValueError: a limit is out of its range.

    >>> import derlib
    >>> from derlib import Limits, SequenceOf
    >>> try:
    ...     SequenceOf[int].decode(bytes.fromhex("3006020101020102"), limits=Limits(elements=1))
    ... except derlib.LimitError as error:
    ...     print(error)
    [1] at offset 5: there are more elements than the limit of 1 (X.690 8.1.1.1)
    """

    depth: int = 100
    size: int | None = None
    elements: int | None = None
    tag_octets: int = 10
    arc_octets: int = 20

    def __post_init__(self) -> None:
        bounds = {"depth": 200, "tag_octets": 10, "arc_octets": 500}
        for field in fields(self):
            value = getattr(self, field.name)
            most = bounds.get(field.name, 2**63 - 1)
            if value is None and field.name not in bounds:
                continue
            # By the type: an object may say anything of its class. The number itself, whatever its class says of it.
            number = int.__index__(value) if issubclass(type(value), int) and type(value) is not bool else 0
            if not 1 <= number <= most:
                raise ValueError(f"the limit {field.name} is an int from 1 to {most}, not {brief(value)}")
            object.__setattr__(self, field.name, number)


class Tolerated(NamedTuple):
    """One breach that was tolerated.

    Attributes:
        deviation: the `Deviation` that allowed it.
        path, offset, rule, kind: as a `DecodeError` would have carried them; the path begins at the value that was
            asked for its `deviations`.

    >>> from derlib import Deviation, SequenceOf
    >>> [met] = SequenceOf[bool].decode(bytes.fromhex("3003010101"), tolerate=Deviation.BOOLEAN_TRUE).deviations
    >>> met.deviation, met.path, met.offset, met.rule, met.kind
    (<Deviation.BOOLEAN_TRUE: 128>, (0,), 2, 'X.690 11.1', 'boolean-true')
    """

    deviation: Deviation
    path: tuple[str | int, ...]
    offset: int
    rule: str
    kind: str

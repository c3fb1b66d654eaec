"""Elements without a schema: the values that follow each other, elements in strings, the element at an offset.

The functions with the parameter `is_ber` read DER as `TLV`s, or BER as `derlib.ber.Element`s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import derlib
from derlib import TLV, ASN1Error, Deviation
from derlib._value_ranges import value_ranges

__all__ = [
    "NESTING_LIMIT",
    "Element",
    "NotFound",
    "contained_element",
    "converted_element",
    "element_at",
    "element_in",
    "tree_of",
]

if TYPE_CHECKING:
    from derlib import ber

#: How many strings within strings are opened. The nesting of strings in a file is limited only by its size.
NESTING_LIMIT = 16


class NotFound(ASN1Error):
    """No element starts at the requested offset; `is_der` says whether the document is valid."""

    def __init__(self, message: str, is_der: bool) -> None:
        super().__init__(message)
        self.is_der = is_der


class Element(NamedTuple):
    """An element of a document. Its spans count from the start of its buffer; `base` is the offset of the buffer."""

    tlv: TLV | ber.Element
    base: int

    @property
    def deviations(self) -> tuple[derlib.Tolerated, ...]:
        """The deviations that were tolerated in the element, with offsets from the start of the document."""
        if not isinstance(self.tlv, TLV):
            return ()
        return tuple(one._replace(offset=self.base + one.offset) for one in self.tlv.deviations)


def tree_of(data: bytes | memoryview, tolerate: Deviation | None, is_ber: bool) -> TLV | ber.Element:
    """Return the tree of a document. Raises ASN1Error."""
    return derlib.parse_ber(data) if is_ber else derlib.parse(data, tolerate=tolerate)


def contained_element(element: Element, name: str, tolerate: Deviation | None = None) -> Element | None:
    """Return the element that an OCTET STRING or a BIT STRING contains, or None; `name` is the text of its tag.

    Arbitrary bytes can be DER by chance. So the element must fill the string and have a universal tag, as nearly all
    elements in strings have. In BER, the element can be BER; then it must be constructed, because only the structure
    of BER was validated.
    """
    content = element.tlv.content
    skipped = 0
    if name == "BIT STRING":
        # X.690 8.6.2.2: the first contents octet is the number of unused bits.
        if not content or content[0]:
            return None
        skipped = 1
    found = element_in(content[skipped:], not isinstance(element.tlv, TLV), tolerate)
    return found and Element(found, element.base + element.tlv.span.content_offset + skipped)


def element_in(
    octets: bytes | memoryview, is_ber: bool = False, tolerate: Deviation | None = None
) -> TLV | ber.Element | None:
    """Return the element that fills the contents of a string, or None. With `is_ber`, it can be BER."""
    if len(octets) < 2 or not 0 < octets[0] < 0x40:
        return None
    found: TLV | ber.Element
    try:
        if not is_ber or not octets[0] & 0x20:
            found = derlib.parse(octets, tolerate=tolerate)
        if is_ber:
            found = derlib.parse_ber(octets)
    except ASN1Error:
        return None
    return None if str(found.tag).startswith("[") else found


def converted_element(octets: bytes) -> TLV | None:
    """Return the constructed element in BER that fills the contents of a string, converted to DER; or None."""
    from derlib import ber

    if len(octets) < 2 or octets[0] not in (0x30, 0x31):
        return None
    try:
        return derlib.parse(ber.convert(octets).der)
    except (ASN1Error, MemoryError):
        return None


def element_at(
    der: bytes,
    offset: int,
    tolerate: Deviation | None,
    *,
    start: int = 0,
    several: bool = False,
    is_ber: bool = False,
) -> Element:
    """Return the element that starts at `offset`, also one inside a string.

    With `several`, `der` can be several values that follow each other. If no element begins at `offset`, the bytes
    from there to the end can be one, because a file can begin with something other than DER. Raises `NotFound`, whose
    message counts from `start` bytes before `der`; for the start of a value, the error of decoding it.
    """
    # `derlib.pretty` imports this module, and does not need click.
    from derlib.cli.documents.files import Document, offsets_in_file

    values = value_ranges(der, is_ber) if several else [range(len(der))]
    value = next((one for one in values if offset in one), values[0])
    if offset == value.start:
        octets = der[value.start : value.stop]
        with offsets_in_file(Document("", octets, offset=start + offset)):
            return Element(tree_of(octets, tolerate, is_ber), offset)
    try:
        root = Element(tree_of(der[value.start : value.stop], tolerate, is_ber), value.start)
        found = _descend(root, offset, tolerate and tolerate & ~Deviation.TRAILING_DATA)
        is_der = True
    except ASN1Error:
        found = None
        is_der = False
    if found is None:
        try:
            found = Element(tree_of(memoryview(der)[offset:] if offset > 0 else b"", tolerate, is_ber), offset)
        except ASN1Error as error:
            rules = "BER" if is_ber else "DER"
            size = start + len(der)
            reason = f"is {size} byte{'' if size == 1 else 's'}" if is_der else f"is not valid {rules}"
            raise NotFound(f"no element starts at offset {start + offset}; the input {reason}", is_der) from error
    return found


def _descend(element: Element, offset: int, tolerate: Deviation | None) -> Element | None:
    """Return the element below `element` that starts at `offset`, opening strings; or None."""
    for _ in range(NESTING_LIMIT):
        found = _within(element, offset)
        if found is None or found.base + found.tlv.span.offset == offset:
            return found
        contained = contained_element(found, str(found.tlv.tag), tolerate)
        if contained is None:
            return None
        element = contained
    return None


def _within(element: Element, offset: int) -> Element | None:
    """Return the element that starts at `offset`, or the primitive element whose contents include `offset`."""
    tlv, base = element
    while base + tlv.span.offset != offset:
        if not tlv.tag.constructed:
            return Element(tlv, base) if offset >= base + tlv.span.content_offset else None
        for child in tlv:
            if offset < base + child.span.end:
                break
        else:
            return None
        if offset < base + child.span.offset:
            return None
        tlv = child
    return Element(tlv, base)

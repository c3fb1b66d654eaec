"""What `derlib dump` knows of the schema-free tree: the names of tags, DER inside strings, places.

The writers of text and of JSON walk with it.
"""

from __future__ import annotations

from typing import NamedTuple

import derlib
from derlib import TLV, ASN1Error

__all__ = ["Element", "NothingHere", "element_at", "inside", "tag_name"]

# X.680 8.4, table 1: the types of the universal class.
_UNIVERSAL = {
    1: "BOOLEAN",
    2: "INTEGER",
    3: "BIT STRING",
    4: "OCTET STRING",
    5: "NULL",
    6: "OBJECT IDENTIFIER",
    7: "ObjectDescriptor",
    8: "EXTERNAL",
    9: "REAL",
    10: "ENUMERATED",
    11: "EMBEDDED PDV",
    12: "UTF8String",
    13: "RELATIVE-OID",
    14: "TIME",
    16: "SEQUENCE",
    17: "SET",
    18: "NumericString",
    19: "PrintableString",
    20: "TeletexString",
    21: "VideotexString",
    22: "IA5String",
    23: "UTCTime",
    24: "GeneralizedTime",
    25: "GraphicString",
    26: "VisibleString",
    27: "GeneralString",
    28: "UniversalString",
    29: "CHARACTER STRING",
    30: "BMPString",
    31: "DATE",
    32: "TIME-OF-DAY",
    33: "DATE-TIME",
    34: "DURATION",
    35: "OID-IRI",
    36: "RELATIVE-OID-IRI",
}

#: Strings within strings are followed so far: a file can nest as many of them as it has octets.
NESTING_LIMIT = 16


class NothingHere(ASN1Error):
    """No element starts at the octet that was asked for; `sound` says whether the document is DER."""

    def __init__(self, message: str, sound: bool) -> None:
        super().__init__(message)
        self.sound = sound


class Element(NamedTuple):
    """An element, and what its spans count from: where its buffer starts in the document."""

    tlv: TLV
    base: int

    @property
    def deviations(self) -> tuple[derlib.Tolerated, ...]:
        """What was tolerated in it, offsets counted from the start of the document."""
        return tuple(one._replace(offset=self.base + one.offset) for one in self.tlv.deviations)


def tag_name(tag: derlib.Tag) -> str:
    """The type of a universal tag; `[0]`, `[APPLICATION 1]`, `[PRIVATE 1]` for the others."""
    if tag.tag_class == "universal":
        return _UNIVERSAL.get(tag.number, f"[UNIVERSAL {tag.number}]")
    if tag.tag_class == "context":
        return f"[{tag.number}]"
    return f"[{tag.tag_class.upper()} {tag.number}]"


def inside(element: Element, name: str) -> Element | None:
    """The element that an OCTET STRING or a BIT STRING contains, if its octets are the DER of one.

    Any octets might be DER by chance. So it has to be a universal type, as what stands in strings
    nearly always is, and all of the string.
    """
    content = element.tlv.content
    skipped = 0
    if name == "BIT STRING":
        # X.690 8.6.2.2: the first octet counts the unused bits.
        if not content or content[0]:
            return None
        skipped = 1
    if len(content) - skipped < 2 or not 0 < content[skipped] < 0x40:
        return None
    try:
        found = derlib.parse(content[skipped:])
    except ASN1Error:
        return None
    if tag_name(found.tag).startswith("["):
        return None
    return Element(found, element.base + element.tlv.span.content_offset + skipped)


def element_at(der: bytes, offset: int, tolerate: derlib.Deviation | None) -> Element:
    """The element that starts at `offset`, also one inside a string.

    Where `der` as a whole has no element there, the octets from `offset` to the end may be one: a
    file may begin with something else. Raises `NothingHere`; for 0, what is wrong with `der`.
    """
    if offset == 0:
        return Element(derlib.parse(der, tolerate=tolerate), 0)
    try:
        found = _descend(Element(derlib.parse(der, tolerate=tolerate), 0), offset)
        sound = True
    except ASN1Error:
        found = None
        sound = False
    if found is None:
        try:
            found = Element(derlib.parse(memoryview(der)[offset:], tolerate=tolerate), offset)
        except ASN1Error as error:
            message = f"no element starts at octet {offset} of {len(der)}{'' if sound else ', which are no sound DER'}"
            raise NothingHere(message, sound) from error
    return found


def _descend(element: Element, offset: int) -> Element | None:
    for _ in range(NESTING_LIMIT):
        found = _within(element, offset)
        if found is None or found.base + found.tlv.span.offset == offset:
            return found
        contained = inside(found, tag_name(found.tlv.tag))
        if contained is None:
            return None
        element = contained
    return None


def _within(element: Element, offset: int) -> Element | None:
    """The element that starts at `offset`, or the primitive one that has it in its contents."""
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

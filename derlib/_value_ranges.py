"""Where values are in data, by their headers: one that is damaged does not hide the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from derlib import _core
from derlib._options import Deviation
from derlib.errors import ASN1Error

__all__ = [
    "CERTIFICATES", "CRLS", "Split", "in_signed_data", "is_ef_sod", "is_signed_data", "lacks_tag", "leading_values",
    "signed_data_and_rest", "splitting", "value_ranges", "values_and_rest", "whole_range",
]  # fmt: skip

#: A function that returns the range of offsets of each value in data; the second argument is whether they can be BER.
Split = Callable[[bytes, bool], list[range]]

#: The beginning of a text, whose characters could be read as tags and lengths.
_TEXT = re.compile(rb"[\t\n\r -~]{16}")
_CHARACTERS = b"\t\n\r" + bytes(range(ord(" "), ord("~") + 1))

#: The identifier octets of the lists in a SignedData (RFC 5652 section 5.1).
CERTIFICATES = 0xA0
CRLS = 0xA1

#: The bit of the identifier octet of a constructed element (X.690 8.1.2.5).
_CONSTRUCTED = 0x20
_OCTET_STRING = 0x04
_SEQUENCE = 0x30
_SET = 0x31
_EXPLICIT_0 = 0xA0
#: The most length octets of a value of less than 4 GiB.
_LONGEST_LENGTH = 5
#: The template around the SignedData in the file EF.SOD of a passport (ICAO Doc 9303 Part 10, section 4.6.2).
_EF_SOD = b"\x77"
#: The identifier octets of the alternatives that are not certificates or CRLs (RFC 5652 sections 10.2.1 and 10.2.2).
_OTHER_ALTERNATIVES = b"\xa0\xa1\xa2\xa3"
#: The element id-signedData (RFC 5652 section 5.1).
_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
#: The element id-icao-cscaMasterList (ICAO Doc 9303 Part 12, section 9).
_MASTER_LIST = bytes.fromhex("0606678108010102")


def leading_values(data: bytes, is_ber: bool = False) -> Iterator[range]:
    """Yield the range of offsets of each value at the start of `data`, by its header if that has its length in DER."""
    view = memoryview(data)
    start = 0
    # An element does not begin with 00, which is the tag of the end of contents in BER (X.690 8.1.5).
    while start < len(data) and data[start] and not _TEXT.match(data, 0, 16):
        size = _core.announced_size(view[start:]) or (is_ber and _ber_size(view[start:]))
        if not size or size > len(data) - start:
            return
        yield range(start, start + size)
        start += size


def splitting(tolerate: Deviation | None) -> Split:
    """Return how a file is split if these deviations are tolerated: data after the last value can be one."""
    return values_and_rest if _tolerates_rest(tolerate) else value_ranges


def _tolerates_rest(tolerate: Deviation | None) -> bool:
    return tolerate is not None and Deviation.TRAILING_DATA in tolerate


def value_ranges(data: bytes, is_ber: bool = False) -> list[range]:
    """Return the range of offsets of each value in `data`. Other data after them are one more range, an invalid value.

    If other data follow a single value, return one range for all of `data`, because they can be the end of a damaged
    value. So it is if one of the first two values is primitive: they can be elements of one, or not ASN.1.
    """
    found = _values(data, is_ber)
    if not found:
        return whole_range(data)
    has_several = len(found) > 1 and data[found[0].start] & data[found[1].start] & _CONSTRUCTED
    is_complete = found[-1].stop == len(data)
    return _with_rest(found, range(len(data))) if has_several or is_complete else whole_range(data)


def values_and_rest(data: bytes, is_ber: bool = False) -> list[range]:
    """Return the range of offsets of each value in `data`: that of the last one includes data that follow it."""
    found = _values(data, is_ber)
    return [*found[:-1], range(found[-1].start, len(data))] if found else whole_range(data)


def _values(data: bytes, is_ber: bool) -> list[range]:
    """Return the ranges of `leading_values`, of which the elements of a SEQUENCE that lacks its tag are one."""
    found: list[range] = []
    values = list(leading_values(data, is_ber))
    if values and values[-1].stop < len(data):
        # The characters of a text after the values could be read as more of them.
        text = len(data.rstrip(_CHARACTERS))
        values = [one for one in values if one.start < text]
    ends = {one.stop for one in values}
    for one in values:
        if found and one.start < found[-1].stop:
            continue
        end = one.start + _size_without_tag(data[one.start : one.start + _LONGEST_LENGTH])
        found.append(range(one.start, end) if end > one.stop and end in ends else one)
    return found


def lacks_tag(octets: bytes) -> bool:
    """Return whether octets are the length octets and contents of a SEQUENCE, without its tag.

    Otherwise, the length would be read as a tag, and the elements as values that follow each other.
    """
    return _size_without_tag(octets) == len(octets) and _core.announced_size(octets) != len(octets)


def _size_without_tag(octets: bytes) -> int:
    """Return the size that length octets of a SEQUENCE of 128 bytes or more announce, without its tag; or 0."""
    if not 0x81 <= octets[0] <= 0x84:
        return 0
    size = _core.announced_size(bytes([_SEQUENCE]) + octets[:_LONGEST_LENGTH])
    return size - 1 if size else 0


def whole_range(data: bytes, is_ber: bool = False) -> list[range]:
    """Return one range for all of `data`, as for a file whose values are selected by their offsets."""
    return [range(len(data))]


def _ber_size(data: memoryview) -> int:
    """Return the size of the first element, including its end-of-contents octets; 0 if its structure is invalid."""
    try:
        return len(_core.parse_ber_prefix(data).encoded)
    except ASN1Error:
        return 0


def is_signed_data(data: bytes) -> bool:
    """Return whether data begin as a ContentInfo with a SignedData does; quick for other data, however large."""
    around = _in_template(data)
    if len(around) < 2 or data[around.start] != _SEQUENCE:
        return False
    return data.startswith(_SIGNED_DATA, _contents(data, around).start)


def _in_template(data: bytes) -> range:
    """Return the offsets of the data, without the template of an EF.SOD."""
    found = range(len(data))
    return _contents(data, found) if len(data) >= 2 and is_ef_sod(data) else found


def is_ef_sod(data: bytes) -> bool:
    """Return whether data begin with the template of an EF.SOD."""
    return data.startswith(_EF_SOD)


def in_signed_data(data: bytes, identifier: int) -> list[range] | None:
    """Return the offsets of the certificates or CRLs in a SignedData, DER or BER; None for other data.

    Args:
        data: an encoding of ContentInfo, of CMS or PKCS #7, or of an EF.SOD.
        identifier: the identifier octet of their list, `CERTIFICATES` or `CRLS`.

    The certificates in a CSCA master list, which is the content of a SignedData, follow those of its signers.

    The other alternatives in these lists have context-specific tags. What follows an element whose end is not known is
    one more range, so that nothing is lost.
    """
    if not is_signed_data(data):
        return None
    around = _in_template(data)
    for number, expected in ((0, _SEQUENCE), (1, _EXPLICIT_0), (0, _SEQUENCE)):
        child = _child(data, around, number, expected)
        if child is None:
            return None
        around = _contents(data, child)
    children = _children(data, around)
    if not children or children[-1].stop < around.stop:
        return None
    found = next((_all_in(data, each) for each in children if data[each.start] == identifier), [])
    found = [each for each in found if data[each.start] not in _OTHER_ALTERNATIVES]
    return found + _in_master_list(data, around) if identifier == CERTIFICATES else found


def _in_master_list(data: bytes, signed_data: range) -> list[range]:
    """Return the offsets of the certificates in a CSCA master list; the whole list is one range if it has segments.

    A SignedData with another content has none.
    """
    info = _child(data, signed_data, 2, _SEQUENCE)
    if info is None or not data.startswith(_MASTER_LIST, _contents(data, info).start):
        return []
    around = _child(data, _contents(data, info), 1, _EXPLICIT_0)
    if around is None:
        return []
    found = around
    for number, expected in ((0, _OCTET_STRING), (0, _SEQUENCE), (1, _SET)):
        child = _child(data, _contents(data, found), number, expected)
        if child is None:
            return [around]
        found = child
    return _all_in(data, found)


def _child(data: bytes, around: range, number: int, identifier: int) -> range | None:
    """Return the offsets of an element with this number and identifier octet in a part of the data, or None."""
    children = _children(data, around)
    if len(children) <= number or data[children[number].start] != identifier:
        return None
    return children[number]


def _all_in(data: bytes, element: range) -> list[range]:
    """Return the offsets of the elements in an element; what follows one whose end is not known is one more."""
    around = _contents(data, element)
    return _with_rest(_children(data, around), around)


def _with_rest(found: list[range], around: range) -> list[range]:
    """Return ranges that follow each other in `around`, and one for what follows them."""
    end = found[-1].stop if found else around.start
    return [*found, range(end, around.stop)] if end < around.stop else found


def signed_data_and_rest(data: bytes, identifier: int, tolerate: Deviation | None = None) -> list[range] | None:
    """Return what `in_signed_data` does; data after the SignedData are one more range, so that nothing is lost.

    If `tolerate` has `TRAILING_DATA`, other data than a value are left out.
    """
    found = in_signed_data(data, identifier)
    if not found:
        return found
    end = _children(data, range(len(data)))[0].stop
    is_tolerated = _tolerates_rest(tolerate) and not any(leading_values(data[end:]))
    return found if end == len(data) or is_tolerated else [*found, range(end, len(data))]


def _children(data: bytes, around: range) -> list[range]:
    """Return the offsets of the elements that fill a part of the data, up to one without a valid header."""
    octets = data[around.start : around.stop]
    found = list(leading_values(octets))
    if not found or found[-1].stop < len(octets):
        # The end of an element with the indefinite length is after that of its last element.
        found = max(found, list(leading_values(octets, is_ber=True)), key=len)
    return [range(around.start + each.start, around.start + each.stop) for each in found]


def _contents(data: bytes, element: range) -> range:
    """Return the offsets of the contents of an element whose tag is one octet."""
    start = element.start + 2
    length = data[start - 1]
    if length == 0x80:
        return range(start, element.stop - 2)
    return range(start + (length & 0x7F if length > 0x80 else 0), element.stop)

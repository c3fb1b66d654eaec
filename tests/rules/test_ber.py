"""The rules of BER: `parse_ber` and the conversion refuse each invalid encoding, with the same kind and offset."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import derlib
from derlib import Sequence, SetOf, ber


class Attributes(SetOf[int], ber="refuse"):
    pass


class Signed(Sequence):
    attributes: Attributes


class Row(NamedTuple):
    """Invalid BER: its kind, and the offset of the element that has the fault."""

    name: str
    octets: str
    kind: str
    offset: int
    clause: str


STRUCTURE = [
    Row("no end-of-contents octets", "3080 020105", "end-of-contents-missing", 0, "8.1.3.6"),
    Row("an indefinite length without contents", "3080", "end-of-contents-missing", 0, "8.1.3.6"),
    Row("an inner indefinite length cut off", "3005 2480 040161", "end-of-contents-missing", 2, "8.1.3.6"),
    Row("half of the end-of-contents octets", "3080 00", "end-of-contents-missing", 0, "8.1.3.6"),
    Row("an identifier octet alone", "3080 02", "length-truncated", 2, "8.1.3"),
    Row("end-of-contents octets alone", "0000", "end-of-contents-stray", 0, "8.1.5"),
    Row("end-of-contents octets in a definite length", "3002 0000", "end-of-contents-stray", 2, "8.1.5"),
    Row("end-of-contents octets in a string of definite length", "2402 0000", "end-of-contents-stray", 2, "8.1.5"),
    Row("end-of-contents octets with contents", "3080 000105 0000", "tag-reserved", 2, "8.1.5"),
    Row("constructed end-of-contents octets", "3080 2000 0000", "tag-reserved", 2, "8.1.5"),
    Row("a primitive string of indefinite length", "0480 0000", "indefinite-primitive", 0, "8.1.3.2"),
    Row("a primitive context tag of indefinite length", "3080 8080 0000 0000", "indefinite-primitive", 2, "8.1.3.2"),
    Row("an INTEGER as a segment", "2480 020105 0000", "segment-type", 2, "8.7.3.2"),
    Row("a UTF8String as the segment of one", "2c80 0c0161 0000", "segment-type", 2, "8.23.6"),
    Row("an OCTET STRING as a segment of a BIT STRING", "2303 040161", "segment-type", 2, "8.6.4.1"),
    Row("a segment of another type in a segment", "2480 2480 0c0161 0000 0000", "segment-type", 4, "8.7.3.2"),
    Row("unused bits before the last segment", "2380 030204f0 030200ff 0000", "segment-bits", 2, "8.6.4"),
    Row("unused bits before a segment of a segment", "2380 2304 030204f0 0302 00ff 0000", "segment-bits", 4, "8.6.4"),
    Row("a segment without its initial octet", "2380 0300 0000", "bits-empty", 2, "8.6.2.1"),
    Row("8 unused bits in a segment", "2380 030208ff 0000", "bits-unused", 2, "8.6.2.2"),
    Row("unused bits in an empty segment", "2380 030104 0000", "bits-unused-empty", 2, "8.6.2.3"),
    Row("an INTEGER in segments", "2203 020105", "not-primitive", 0, "8.1.2.5"),
    Row("a primitive SEQUENCE", "1000", "not-constructed", 0, "8.1.2.5"),
    Row("the initial length octet ff", "30ff", "length-reserved", 0, "8.1.3.5"),
    Row("a length beyond the input", "3081 05 0500", "content-truncated", 0, "8.1.3"),
    Row("a tag number that is not minimal", "1f05 00", "tag-not-minimal", 0, "8.1.2.4.2"),
    Row("bytes after the end-of-contents octets", "3080 0000 00", "trailing-data", 4, "8.1.1.1"),
    Row("no bytes", "", "identifier-truncated", 0, "8.1.2"),
]

CONTENTS = [
    Row("local time", "180e 3230323630313031303030303030", "time-local", 0, "11.7"),
    Row("local time in segments", "3880 040832303236303130 31 0406303030303030 0000", "time-local", 0, "11.7"),
]


def ids(row: Row) -> str:
    return row.name


@pytest.mark.parametrize("row", STRUCTURE, ids=ids)
@pytest.mark.parametrize("read", [derlib.parse_ber, ber.convert], ids=["parse_ber", "convert"])
def test_an_invalid_structure_is_refused_with_its_position(row: Row, read) -> None:
    with pytest.raises(derlib.DecodeError) as caught:
        read(bytes.fromhex(row.octets))
    assert (caught.value.kind, caught.value.offset) == (row.kind, row.offset)
    assert row.clause in caught.value.rule


@pytest.mark.parametrize("row", CONTENTS, ids=ids)
def test_contents_without_der_are_refused_by_conversion(row: Row) -> None:
    with pytest.raises(derlib.ContentsError) as caught:
        ber.convert(bytes.fromhex(row.octets))
    assert (caught.value.kind, caught.value.offset) == (row.kind, row.offset)
    assert row.clause in caught.value.rule


@pytest.mark.parametrize("octets", ["3106 020102 020101", "3180 020101 0000"])
def test_signed_attributes_that_are_not_der_are_refused_unless_asked_for(octets: str) -> None:
    data = b"\x30\x80" + bytes.fromhex(octets) + b"\0\0"
    with pytest.raises(derlib.StructureError) as caught:
        ber.convert(data, Signed)
    assert (caught.value.kind, caught.value.offset, caught.value.path) == ("signed-not-der", 2, ("attributes",))
    assert caught.value.rule == "RFC 5652 5.3"
    assert ber.convert(data, Signed, signed_attributes="convert").value.attributes

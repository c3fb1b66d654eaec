"""What is outside: offsets after the DER, segments after a buffer, end-of-contents octets after the element around."""

from __future__ import annotations

import io

import pytest

import derlib
from derlib import Sequence, SequenceOf, _core

CONVERTED = derlib.ber.convert(bytes.fromhex("3080 0500 0000"))


class Inner(Sequence):
    octets: bytes


class Outer(Sequence):
    items: SequenceOf[Inner]


@pytest.mark.parametrize("offset", [-1, 10**6, 1 << 70, -(1 << 70)])
@pytest.mark.parametrize("method", [CONVERTED.origin, CONVERTED.destination])
def test_an_offset_outside_is_an_index_error(method, offset):
    with pytest.raises(IndexError):
        method(offset)


@pytest.mark.parametrize("octets", ["34 80 06 01 05 00 00", "34 03 06 01 05", "34 80", "31 80 06 01 05 00 00"])
def test_the_tag_of_the_outermost_value_is_reported_before_its_contents(octets):
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.decode(Outer, bytes.fromhex(octets), rules="ber")
    assert (caught.value.kind, caught.value.offset, caught.value.path) == ("unexpected-tag", 0, ())


def read_items(data: bytes, buffer_size: int) -> list[bytes]:
    with derlib.stream.open(io.BytesIO(data), Outer, rules="ber", buffer_size=buffer_size) as stream:
        return [item.octets for item in stream["items"]]


# The SEQUENCE OF has a definite length; the next end-of-contents octets are after its end.
@pytest.mark.parametrize(
    "octets", ["30 80 30 05 30 80 04 01 61 00 00 00 00", "30 80 30 07 30 80 24 80 04 01 61 00 00 00 00 00 00"]
)
@pytest.mark.parametrize("buffer_size", [3, 5, 100])
def test_end_of_contents_is_before_the_end_of_the_element_around_it(octets, buffer_size):
    data = bytes.fromhex(octets)
    with pytest.raises(derlib.TruncatedError):
        derlib.decode(Outer, data, rules="ber")
    with pytest.raises(derlib.ASN1Error):
        read_items(data, buffer_size)


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (3, 2), (9, 9), (0, -1), (0, -(1 << 62))])
def test_segments_are_inside_of_the_bytes(start, stop):
    with pytest.raises(ValueError, match="outside of the bytes in memory"):
        _core.take_segments(b"\x04\x01a\x04\x01b", start, stop)


@pytest.mark.parametrize(("start", "levels"), [(-1, 1), (9, 1), (0, -1), (0, (1 << 63) - 1)])
def test_nested_elements_are_inside_of_the_bytes(start, levels):
    with pytest.raises(ValueError, match=r"outside of the bytes|number of levels"):
        _core.skip_nested(b"\x30\x80\x00\x00", start, levels)


@pytest.mark.parametrize("stop", [-2, -(1 << 63), 0])
def test_a_header_is_before_the_end_of_the_element_around_it(stop):
    reader = _core.PartReader(None, True)
    with pytest.raises(ValueError, match="outside of the bytes in memory"):
        reader.read_header(None, b"\x05\x00\x05\x00", 2, 1, stop, True)

"""A shared buffer that changes under a view: the one fault that no input octets cause."""

import pytest

import derlib
from derlib import DecodeError, Sequence, SequenceOf


class Pair(Sequence):
    first: int
    second: SequenceOf[int]


def test_a_header_that_was_changed_after_decoding_is_reported_as_such():
    data = bytearray.fromhex("3008 020101 3003 020102")
    view = Pair.decode(data, copy=False)
    data[0:2] = b"\x30\x80"
    with pytest.raises(DecodeError) as caught:
        view.span()
    assert caught.value.kind == "buffer-changed"


def test_a_list_element_whose_tag_was_changed_is_reported_as_such():
    data = bytearray.fromhex("3006 020101 020102")
    view = derlib.decode(SequenceOf[int], data, copy=False)
    data[5] = 0x04
    assert view[0] == 1
    with pytest.raises(DecodeError) as caught:
        view[1]
    assert caught.value.kind == "buffer-changed"


def test_a_copy_does_not_see_the_change():
    data = bytearray.fromhex("3008 020101 3003 020102")
    view = Pair.decode(data)
    data[0:2] = b"\x30\x80"
    assert view.span().content_length == 8
    assert list(view.second) == [2]

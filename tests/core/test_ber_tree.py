"""`parse_ber`: the tree of BER without a schema, compared with a simple reader in Python."""

from __future__ import annotations

import pickle
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import derlib
from derlib import Limits, Span, parse_ber

NESTED = "3080 2480 040161 2403 040162 0000 308106 a080 0500 0000 0000"


def h(text: str) -> bytes:
    return bytes.fromhex(text)


# --- The attributes of an element


def test_an_element_has_its_position_form_and_children():
    root = parse_ber(h(NESTED))
    string, sequence = root
    assert root.children == (string, sequence)
    assert root.span == Span(0, 2, len(h(NESTED)) - 4)
    assert (root.length_form, root.end_of_contents) == ("indefinite", Span(len(h(NESTED)) - 2, 2, 0))
    assert (string.span, string.end_of_contents, string.length_form) == (Span(2, 2, 8), Span(12, 2, 0), "indefinite")
    assert (sequence.span, sequence.end_of_contents, sequence.length_form) == (Span(14, 3, 6), None, "long")
    assert [segment.length_form for segment in string] == ["definite", "definite"]
    assert string.tag == derlib.Tag(4, "universal", constructed=True)


def test_the_contents_do_not_include_the_end_of_contents_octets_but_the_encoding_does():
    string = parse_ber(h(NESTED)).children[0]
    assert string.content == h("040161 2403040162")
    assert string.encoded == h("2480 040161 2403040162 0000")
    assert string.content.readonly
    assert string.encoded.readonly


def test_walk_visits_every_element_in_the_order_of_the_offsets():
    offsets = [element.span.offset for element in parse_ber(h(NESTED)).walk()]
    assert offsets == sorted(offsets) == [0, 2, 4, 7, 9, 14, 17, 19]


@pytest.mark.parametrize(
    ("octets", "value"),
    [
        ("020105", 5),
        ("0c026869", "hi"),
        ("0500", derlib.NULL),
        ("06032a0304", derlib.ObjectIdentifier("1.2.3.4")),
        ("2480 040161 2480 040162 0000 0000", b"ab"),
        ("2c80 0401c3 0401a9 0000", "é"),
        ("3303 040161", "a"),
        ("2380 030200aa 030204f0 0000", derlib.BitString(b"\xaa\xf0", 4)),
        ("030204ff", derlib.BitString(b"\xf0", 4)),
        ("0101 05", True),
        ("2400", b""),
        ("2300", derlib.BitString()),
        ("a080 0500 0000", h("0500")),
        ("800161", b"a"),
        ("3080 0500 0000", h("0500")),
        ("1f26 0161", b"a"),
    ],
)
def test_the_value(octets, value):
    assert parse_ber(h(octets)).value == value


@pytest.mark.parametrize(
    ("octets", "kind", "offset"),
    [
        ("3080 020200050000", "integer-not-minimal", 2),
        ("3080 0300 0000", "bits-empty", 2),
        ("3080 2c80 0401ff 0000 0000", "utf8", 2),
        ("3080 0501ff 0000", "null-contents", 2),
    ],
)
def test_invalid_contents_are_an_error_of_the_value_with_its_position(octets, kind, offset):
    [element] = parse_ber(h(octets))
    with pytest.raises(derlib.DecodeError) as caught:
        _ = element.value
    assert (caught.value.kind, caught.value.offset) == (kind, offset)


def test_elements_are_compared_by_their_encoding():
    one, other = parse_ber(h("3080 0500 0000")), parse_ber(h("3002 0500"))
    assert one == parse_ber(h("3080 0500 0000"))
    assert hash(one) == hash(parse_ber(h("3080 0500 0000")))
    assert one != other
    assert one.children[0] == other.children[0]
    assert one != h("3080 0500 0000")


def test_a_pickle_has_the_encoding_of_the_element_and_the_limits():
    outer = parse_ber(h("3080" * 120 + "0000" * 120), limits=Limits(depth=150))
    assert pickle.loads(pickle.dumps(outer)) == outer
    inner = parse_ber(h(NESTED)).children[0]
    assert pickle.loads(pickle.dumps(inner)).span == Span(0, 2, 8)


def test_the_repr_names_the_form():
    assert repr(parse_ber(h("3080 0500 0000"))) == "Element(SEQUENCE, 2 bytes, indefinite length)"
    assert repr(parse_ber(h("040161"))) == "Element(OCTET STRING, 1 byte)"


def test_elements_are_only_made_by_parse_ber():
    with pytest.raises(TypeError, match=r"derlib\.parse_ber\(data\) creates"):
        derlib.ber.Element()
    empty = derlib.ber.Element.__new__(derlib.ber.Element)
    for name in ("tag", "span", "length_form", "end_of_contents", "content", "encoded", "children", "value"):
        with pytest.raises(TypeError, match="this Element is empty"):
            getattr(empty, name)
    for use in (repr, hash, pickle.dumps, list, lambda one: one == empty):
        with pytest.raises(TypeError):
            use(empty)


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: memoryview(b"x" + data)[1:]])
def test_the_input_can_be_any_buffer_and_is_copied_if_it_can_change(make):
    data = make(h(NESTED))
    root = parse_ber(data)
    if isinstance(data, bytearray):
        data[:] = bytes(len(data))
    assert root.encoded == h(NESTED)


# --- Limits


def test_the_depth_is_limited():
    assert parse_ber(h("3080" * 100 + "0000" * 100))
    with pytest.raises(derlib.LimitError, match="nested 101 or more levels deep; the limit is 100") as caught:
        parse_ber(h("3080" * 101 + "0000" * 101))
    assert caught.value.offset == 200
    assert parse_ber(h("2480" * 200 + "0000" * 200), limits=Limits(depth=200))


def test_each_element_and_each_segment_counts():
    octets = h("3080 2480 040161 040162 0000 0500 0000")
    assert parse_ber(octets, limits=Limits(elements=5))
    with pytest.raises(derlib.LimitError, match="5 or more elements") as caught:
        parse_ber(octets, limits=Limits(elements=4))
    assert caught.value.kind == "element-limit"


def test_the_size_is_limited():
    with pytest.raises(derlib.LimitError, match="input is 6 bytes; the limit is 5"):
        parse_ber(h("3080 0500 0000"), limits=Limits(size=5))


def test_the_tag_number_is_limited():
    with pytest.raises(derlib.LimitError, match="identifier octets; the limit is 2"):
        parse_ber(h("3080 1f8100 00 0000"), limits=Limits(tag_octets=2))


# --- Comparison with a reader in Python


class Invalid(Exception):
    pass


class Read(NamedTuple):
    offset: int
    content: int
    end: int  # of the contents
    after: int


STRUCTURES = {8, 11, 16, 17, 29}
STRINGS = {3, 4, 7, 12, 14, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 30, 31, 32, 33, 34}


def read(data: bytes, at: int, limit: int, found: list[Read], segment: int | None = None, depth: int = 0) -> int:
    """Append the element at `at` and those inside it to `found`, and return the offset after it."""
    tag_class, constructed, number, content = data[at] >> 6, bool(data[at] & 0x20), data[at] & 31, at + 2
    if number == 31 or at + 2 > limit:
        raise Invalid
    length = data[at + 1]
    if (length == 0x80 and not constructed) or length == 0xFF:
        raise Invalid
    if length > 0x80:
        content += length - 0x80
        if content > limit:
            raise Invalid
        length = int.from_bytes(data[at + 2 : content], "big")
    indefinite = data[at + 1] == 0x80
    end = limit if indefinite else content + length
    if end > limit or (tag_class == 0 and number == 0):
        raise Invalid
    if segment is not None and (tag_class or number != segment):
        raise Invalid
    if segment is None and tag_class == 0:
        if number in STRUCTURES and not constructed:
            raise Invalid
        if constructed and number not in STRUCTURES and number not in STRINGS and number != 15:
            raise Invalid
        if constructed and number in STRINGS:
            segment = 3 if number == 3 else 4
    index = len(found)
    found.append(Read(at, content, end, end))
    if not constructed:
        return end
    if depth == 100:
        raise Invalid
    position = content
    while True:
        if indefinite and data[position : position + 2] == b"\0\0" and position + 2 <= end:
            found[index] = Read(at, content, position, position + 2)
            return position + 2
        if position == end:
            if indefinite:
                raise Invalid
            return end
        position = read(data, position, end, found, segment, depth + 1)


def reference(data: bytes) -> list[Read] | None:
    found: list[Read] = []
    try:
        if not data or read(data, 0, len(data), found) != len(data):
            return None
    except (Invalid, IndexError):
        return None
    return found


def encoded(draw: st.DrawFn, identifier: int, content: bytes, *, primitive: bool = False) -> bytes:
    """Return an element with a length in one of the forms of BER."""
    form = draw(st.sampled_from(["short", "long", "indefinite"] if not primitive else ["short", "long"]))
    if form == "indefinite":
        return bytes([identifier, 0x80]) + content + b"\0\0"
    if form == "short" and len(content) < 128:
        return bytes([identifier, len(content)]) + content
    count = draw(st.integers(2, 5))
    return bytes([identifier, 0x80 + count]) + len(content).to_bytes(count, "big") + content


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> bytes:
    kind = draw(st.sampled_from(["primitive", "structure", "string"] if depth else ["primitive"]))
    if kind == "structure":
        children = draw(st.lists(trees(depth=depth - 1), max_size=4))
        return encoded(draw, draw(st.sampled_from([0x30, 0x31, 0xA0, 0x6F, 0xE3, 0x28])), b"".join(children))
    if kind == "string":
        segments = draw(st.lists(strings(depth=depth - 1), max_size=4))
        return encoded(draw, draw(st.sampled_from([0x24, 0x2C, 0x33, 0x37, 0x38])), b"".join(segments))
    identifier = draw(st.sampled_from([0x01, 0x02, 0x04, 0x05, 0x0C, 0x17, 0x80, 0x9E]))
    return encoded(draw, identifier, draw(st.binary(max_size=5)), primitive=True)


@st.composite
def strings(draw: st.DrawFn, depth: int) -> bytes:
    if depth and draw(st.booleans()):
        return encoded(draw, 0x24, b"".join(draw(st.lists(strings(depth=depth - 1), max_size=3))))
    return encoded(draw, 0x04, draw(st.binary(max_size=5)), primitive=True)


def compare(data: bytes) -> None:
    expected = reference(data)
    try:
        root = parse_ber(data)
    except derlib.ASN1Error:
        assert expected is None
        return
    found = [
        Read(one.span.offset, one.span.content_offset, one.span.end, one.span.offset + len(one.encoded))
        for one in root.walk()
    ]
    if expected is None:
        # The reader in Python does not know long tags, or the initial octets of the segments of a BIT STRING.
        assert any(data[one.offset] & 31 == 31 or data[one.offset] == 0x23 for one in found)
        return
    if all(data[one.offset] != 0x23 for one in found):
        assert found == expected


@given(trees())
@example(h(NESTED))
def test_a_valid_tree_has_the_elements_of_the_simple_reader(data):
    assert reference(data) is not None
    compare(data)


@given(trees(), st.data())
def test_damaged_input_is_refused_exactly_if_the_simple_reader_refuses_it(data, draw):
    damaged = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 3))):
        at = draw.draw(st.integers(0, len(damaged) - 1))
        damaged[at] = draw.draw(st.sampled_from([0, 1, 2, 3, 4, 0x24, 0x30, 0x80, 0x81, 0xFF]))
    if 0x23 not in damaged:
        compare(bytes(damaged))


@given(st.lists(st.sampled_from([0, 1, 2, 4, 0x24, 0x30, 0x80, 0x81, 0xA0]), max_size=24).map(bytes))
def test_short_strings_of_frequent_bytes(data):
    compare(data)


@given(trees())
def test_every_cut_is_refused(data):
    for size in range(len(data)):
        with pytest.raises(derlib.DecodeError):
            parse_ber(data[:size])


def test_der_has_the_same_tree_as_parse():
    data = h("3011 0201 05 0c026869 a008 0406 0404 01020304".replace(" ", ""))
    assert [(one.span, one.tag, one.length_form) for one in parse_ber(data).walk()] == [
        (one.span, one.tag, "definite") for one in derlib.parse(data).walk()
    ]

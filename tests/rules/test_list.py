"""SEQUENCE OF (X.690 8.10) and SET OF (8.12, 11.6): elements of one type, and their order.

Decoders process several elements of a long uniform list at a time; the tests at the end put one fault at every kind of
position in such a list.
"""

from typing import Annotated

import pytest

import derlib
from derlib import (
    TLV,
    Choice,
    ContentsError,
    GeneralizedTime,
    Implicit,
    LengthError,
    OrderError,
    Sequence,
    SequenceOf,
    SetOf,
    StructureError,
    TruncatedError,
    UTCTime,
)

from .rows import WITH_SCHEMA, der, reads, refuses, table


class Entry(Sequence):
    serial: int
    date: UTCTime


class Name(Choice):
    number: Annotated[int, Implicit(0)]
    text: Annotated[str, Implicit(1)]


class Entries(SequenceOf[Entry]):
    pass


SEQUENCE_OF = [
    reads("no elements", SequenceOf[int], "30 00", []),
    reads("one element", SequenceOf[int], "30 03 02 01 05", [5]),
    reads("elements in any order", SequenceOf[int], "30 09 02 01 03 02 01 01 02 01 02", [3, 1, 2]),
    reads("equal elements", SequenceOf[int], "30 06 02 01 03 02 01 03", [3, 3]),
    reads("elements of different lengths", SequenceOf[bytes], "30 07 04 02 aa bb 04 01 cc",
        [b"\xaa\xbb", b"\xcc"]),
    reads("lists in a list", SequenceOf[SequenceOf[int]], "30 07 30 00 30 03 02 01 05", [[], [5]]),
    reads("a CHOICE as the element", SequenceOf[Name], "30 06 81 01 61 80 01 05",
        [("text", "a"), ("number", 5)]),
    reads("a named list type", Entries, "30 00", []),
    refuses("another type as the only element", SequenceOf[int], "30 02 05 00", StructureError, "",
        2),
    refuses("another type as the last element", SequenceOf[int], "30 05 02 01 05 05 00",
        StructureError, "", 5),
    refuses("no alternative of a CHOICE", SequenceOf[Name], "30 06 81 01 61 82 01 05",
        StructureError, "", 5),
    refuses("a malformed second element", SequenceOf[int], "30 07 02 01 05 02 02 00 05",
        ContentsError, "8.3.2", 5),
    refuses("a fault in a list in a list", SequenceOf[SequenceOf[int]],
        "30 08 30 00 30 04 02 02 00 05", ContentsError, "8.3.2", 6),
    refuses("an element longer than an inner list", SequenceOf[SequenceOf[int]],
        "30 07 30 03 02 02 05 30 00", TruncatedError, "", 4, WITH_SCHEMA),
    refuses("end-of-contents as an element", SequenceOf[int], "30 05 02 01 05 00 00",
        StructureError, "", 5),
]

# X.690 11.6: ascending as octet strings, so the identifier and length octets come first.
SET_OF = [
    reads("no elements", SetOf[int], "31 00", []),
    reads("one element", SetOf[int], "31 03 02 01 05", [5]),
    reads("ascending elements", SetOf[int], "31 06 02 01 01 02 01 02", [1, 2]),
    refuses("descending elements", SetOf[int], "31 06 02 01 02 02 01 01", OrderError, "11.6", 5),
    reads("equal elements", SetOf[int], "31 06 02 01 02 02 01 02", [2, 2]),
    reads("octets, not numbers: 1 before -1", SetOf[int], "31 06 02 01 01 02 01 ff", [1, -1]),
    refuses("numbers, not octets: -1 before 1", SetOf[int], "31 06 02 01 ff 02 01 01", OrderError,
        "11.6", 5),
    reads("a short element before a long one", SetOf[bytes], "31 07 04 01 ff 04 02 00 00",
        [b"\xff", b"\0\0"]),
    refuses("a long element before a short one", SetOf[bytes], "31 07 04 02 00 00 04 01 ff",
        OrderError, "11.6", 6),
    reads("an element that begins like the next", SetOf[bytes], "31 07 04 01 aa 04 02 aa 00",
        [b"\xaa", b"\xaa\0"]),
    refuses("only the last of four out of order", SetOf[int],
        "31 0c 02 01 01 02 01 03 02 01 04 02 01 02", OrderError, "11.6", 11),
    refuses("a difference in the last octet", SetOf[bytes], "31 0a 04 03 aa bb cd 04 03 aa bb cc",
        OrderError, "11.6", 7),
    reads("elements of a CHOICE by their tags", SetOf[Name], "31 06 80 01 05 81 01 61",
        [("number", 5), ("text", "a")]),
    refuses("elements of a CHOICE out of order", SetOf[Name], "31 06 81 01 61 80 01 05", OrderError,
        "11.6", 5),
    reads("elements of any type", SetOf[TLV], "31 05 02 01 05 05 00",
        [b"\x02\x01\x05", b"\x05\x00"]),
    refuses("elements of any type out of order", SetOf[TLV], "31 05 05 00 02 01 05", OrderError,
        "11.6", 4, WITH_SCHEMA),
    reads("equal elements without contents", SetOf[TLV], "31 04 05 00 05 00", [b"\x05\x00", b"\x05\x00"]),
    refuses("elements without contents out of order", SetOf[TLV], "31 04 05 00 04 00", OrderError, "11.6", 4),
    reads("the octets, not the tags: 13 before 30", SetOf[TLV], "31 05 13 01 41 30 00",
        [b"\x13\x01A", b"\x30\0"]),
    refuses("the tags, not the octets: 30 before 13", SetOf[TLV], "31 05 30 00 13 01 41",
        OrderError, "11.6", 4, WITH_SCHEMA),
    refuses("an element of another type", SetOf[int], "31 05 02 01 05 05 00", StructureError, "",
        5),
    refuses("a malformed element", SetOf[int], "31 04 02 02 00 05", ContentsError, "8.3.2", 2),
]


@table(SEQUENCE_OF)
def test_sequence_of(row, place):
    row.check(place)


@table(SET_OF)
def test_set_of(row, place):
    row.check(place)


def test_a_list_is_a_python_sequence():
    view = derlib.decode(SequenceOf[int], der("30", *(der("02", bytes([n])) for n in range(10))))
    assert len(view) == 10
    assert list(view) == list(range(10))
    assert list(reversed(view)) == list(range(9, -1, -1))
    assert (view[0], view[9], view[-1], view[-10]) == (0, 9, 9, 0)
    assert view[2:5] == (2, 3, 4)
    assert view[::-3] == (9, 6, 3, 0)
    assert view[20:] == ()
    assert 7 in view
    assert 10 not in view
    assert bool(view)
    assert not derlib.decode(SequenceOf[int], b"\x30\x00")
    for index in (10, -11, 2**70):
        with pytest.raises(IndexError):
            view[index]
    for index in ("1", 1.0, None):
        with pytest.raises(TypeError, match=r"SequenceOf\[int\] indexes are integers or slices, not"):
            view[index]
        with pytest.raises(KeyError, match=r"is not an index of SequenceOf\[int\]"):
            view.span(index)


# Lengths around powers of two, at which indexes and blocks of elements begin and end.
LENGTHS = [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000]


@pytest.mark.parametrize("count", LENGTHS)
def test_every_element_is_found_by_index_in_any_order(count):
    elements = [der("04", bytes([n % 251]) * (n % 5)) for n in range(count)]
    data = der("30", *elements)
    expected = [bytes([n % 251]) * (n % 5) for n in range(count)]
    forwards = derlib.decode(SequenceOf[bytes], data)
    assert len(forwards) == count
    assert list(forwards) == expected
    backwards = derlib.decode(SequenceOf[bytes], data)
    assert [backwards[n] for n in range(count - 1, -1, -1)] == expected[::-1]
    for n in range(count):
        span = backwards.span(n)
        assert data[span.offset : span.end] == elements[n]


@pytest.mark.parametrize("count", LENGTHS)
def test_one_element_out_of_order_is_found_at_any_position(count):
    elements = [der("02", n.to_bytes(2, "big")) for n in range(300, 300 + count)]
    view = derlib.decode(SetOf[int], der("31", *elements))
    assert list(view) == list(range(300, 300 + count))
    for place in {0, 1, count // 2, count - 2}:
        if not 0 <= place < count - 1:
            continue
        swapped = elements.copy()
        swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
        data = der("31", *swapped)
        with pytest.raises(OrderError) as caught:
            derlib.decode(SetOf[int], data)
        assert caught.value.offset == len(data) - 4 * (count - place - 1)
        assert caught.value.path == (place + 1,)


def entry(serial: bytes, date: bytes = b"240229123456Z") -> bytes:
    return der("30", der("02", serial), der("17", date))


GOOD_ENTRY = entry(b"\x12\x34\x56\x78")

# Each fault keeps the length of the entry, unless its name says otherwise.
BAD_ENTRIES = [
    pytest.param(entry(b"\x00\x34\x56\x78"), ContentsError, 2, id="a serial that is not minimal"),
    pytest.param(entry(b"\xff\xb4\x56\x78"), ContentsError, 2, id="a negative one not minimal"),
    pytest.param(entry(b"\x12\x34\x56\x78", b"240230123456Z"), ContentsError, 8, id="30 February"),
    pytest.param(entry(b"\x12\x34\x56\x78", b"2402291234567"), ContentsError, 8, id="no Z"),
    pytest.param(entry(b"\x12\x34\x56\x78", b"24022912345aZ"), ContentsError, 8, id="a letter"),
    pytest.param(entry(b"\x12\x34\x56\x78", b"241329123456Z"), ContentsError, 8, id="month 13"),
    pytest.param(b"\x31" + GOOD_ENTRY[1:], StructureError, 0, id="a SET as the entry"),
    pytest.param(
        GOOD_ENTRY[:2] + b"\x03" + GOOD_ENTRY[3:], StructureError, 2,
        id="another tag of the serial"
    ),
    pytest.param(
        GOOD_ENTRY[:8] + b"\x18" + GOOD_ENTRY[9:], StructureError, 8, id="another tag of the date"
    ),
    pytest.param(
        GOOD_ENTRY[:3] + b"\x80" + GOOD_ENTRY[4:], LengthError, 2, id="an indefinite serial"
    ),
    pytest.param(
        GOOD_ENTRY[:9] + b"\x0e" + GOOD_ENTRY[10:], TruncatedError, 8, id="a date past its entry"
    ),
    pytest.param(
        GOOD_ENTRY[:9] + b"\x0c" + GOOD_ENTRY[10:], ContentsError, 8, id="a date short of its entry"
    ),
    pytest.param(
        der("30", GOOD_ENTRY[2:], "05 00"), StructureError, len(GOOD_ENTRY), id="a longer entry"
    ),
    pytest.param(der("30", GOOD_ENTRY[2:8]), StructureError, 8, id="a shorter entry, no date"),
]


@pytest.mark.parametrize(("bad", "error", "shift"), BAD_ENTRIES)
@pytest.mark.parametrize("place", [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 63, 64, 127, 198, 199])
def test_one_invalid_entry_of_a_uniform_list_is_found_at_any_position(bad, error, shift, place):
    data = der("30", GOOD_ENTRY * place, bad, GOOD_ENTRY * (199 - place))
    offset = len(data) - len(GOOD_ENTRY) * (199 - place) - len(bad)
    with pytest.raises(derlib.DecodeError) as caught:
        Entries.decode(data)
    assert isinstance(caught.value, error)
    assert caught.value.offset == offset + shift
    assert caught.value.path[:1] == (place,)


@pytest.mark.parametrize("place", [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 63, 64, 127, 198, 199])
def test_one_entry_of_another_length_in_a_uniform_list_is_read(place):
    other = entry(b"\x01\x02\x03\x04\x05\x06", b"991231235959Z")
    data = der("30", GOOD_ENTRY * place, other, GOOD_ENTRY * (199 - place))
    view = Entries.decode(data)
    assert len(view) == 200
    for index, one in enumerate(view):
        assert one.serial == (0x010203040506 if index == place else 0x12345678)
        assert one.date.year == (1999 if index == place else 2024)
        assert bytes(one.der) == (other if index == place else GOOD_ENTRY)


def test_a_cut_in_the_last_entry_of_a_list_is_a_truncation_of_the_whole():
    data = der("30", GOOD_ENTRY * 50)
    for cut in range(1, len(GOOD_ENTRY) + 1):
        with pytest.raises(TruncatedError) as caught:
            Entries.decode(data[:-cut])
        assert caught.value.offset == 0


def test_a_list_that_ends_inside_its_last_entry_is_an_error_of_that_entry():
    for cut in range(1, len(GOOD_ENTRY) - 1):
        data = der("30", GOOD_ENTRY * 9, GOOD_ENTRY[:-cut])
        with pytest.raises(TruncatedError) as caught:
            Entries.decode(data)
        assert caught.value.offset == len(data) - len(GOOD_ENTRY) + cut
        assert caught.value.path[:1] == (9,)


def test_an_unrepresentable_element_is_shown_as_its_contents():
    view = derlib.decode(SequenceOf[GeneralizedTime], der("30", der("18", b"00000101000000Z")))
    assert repr(view).endswith("([<b'00000101000000Z'>])")

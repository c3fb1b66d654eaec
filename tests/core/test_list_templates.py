"""The fast path for repeated elements (core/decode/list_templates.pxi) accepts what the general check accepts.

Each element is also decoded in a list that is too short for the fast path, which begins after eight elements
(TEMPLATE_AFTER). The result, the kind and clause of an error, its path inside the element and its offset from the start
of the element must not depend on the number of elements before it.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.der import der
from support.examples import all_or_some, thorough

import derlib
from derlib import (
    ASN1Error,
    BitString,
    Choice,
    DefinedBy,
    Enumerated,
    Explicit,
    GeneralizedTime,
    IA5String,
    Implicit,
    LimitError,
    Limits,
    NamedBits,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
)

# Numbers of elements before the one under test: eight use the general check, the ninth creates a template, others match
# it.
BEFORE = 14
# Enough bytes after an element for reading whole words (TEMPLATE_SIZE).
WINDOW = 64


def sequence(text: str) -> bytes:
    return der(0x30, bytes.fromhex(text))


class Reason(Enumerated):
    unspecified = 0
    key_compromise = 1
    far = 300


class Level(NamedInteger):
    low = 0
    high = 200


class Usage(NamedBits):
    signing = 1
    sealing = 2
    far = 1 << 9


TYPED = OpenTypes("TYPED", {"1.2.3": int, "1.2.4": Reason, "1.2.5": UTCTime})


class Odd(Sequence, tag=Implicit(17, "universal")):
    """A SEQUENCE in the schema and a SET by its tag: if it is a mismatch, its contents must have the order of a SET."""

    first: int
    second: int
    flag: bool


OPAQUE = OpenTypes("OPAQUE", {"1.2.3": int, "1.2.4": Reason, "1.2.5": UTCTime, "1.2.6": Odd}, on_mismatch="opaque")


class Numbers(Sequence):
    number: int
    other: int


class Entry(Sequence):
    serial: int
    date: UTCTime | GeneralizedTime
    reason: Reason | None = None


class Far(Enumerated):
    below = -3
    last = 63
    beyond = 64
    top = 127


class Twice(Sequence):
    first: UTCTime
    second: UTCTime
    near: Far
    far: Far


class Optional(Sequence):
    first: Annotated[int, Implicit(0)] | None = None
    second: Annotated[int, Implicit(1)] | None = None
    third: Annotated[UTCTime, Explicit(2)] | None = None
    level: Level | None = None


class Default(Sequence):
    serial: int
    version: Annotated[int, Implicit(0)] = 1
    critical: bool = False
    reason: Reason = Reason.unspecified


class NestedDefault(Sequence):
    inner: Default
    number: int = 7


class TypedEntry(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", TYPED)]


class TypedOctets(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("kind", TYPED)]
    bits: Annotated[Annotated[Any, BitString, DefinedBy("kind", TYPED)], Implicit(0)]


class OpaqueEntry(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OPAQUE)]
    number: Annotated[int, Implicit(0)]


class OpaqueOctets(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, OctetString, DefinedBy("kind", OPAQUE)]


class Ordered(Sequence):
    number: int
    values: SetOf[int]


class OpaqueSet(Sequence):
    kind: ObjectIdentifier
    values: SetOf[Annotated[Any, DefinedBy("kind", OPAQUE)]]


class Ranged(Sequence):
    small: Annotated[int, Range(-3, 300)]
    free: int


class Sized(Sequence):
    octets: Annotated[bytes, Size(2, 3)]
    text: Annotated[str, Size(1, 2)]
    bits: Annotated[BitString, Size(4, 12)]
    numbers: Annotated[SequenceOf[int], Size(1, 2)]


class Texts(Sequence):
    nothing: Null
    printable: PrintableString
    ia5: IA5String
    utf8: str
    usage: Usage
    flag: bool


class Pick(Choice):
    number: Annotated[int, Implicit(1)]
    date: UTCTime
    inner: Annotated[int, Explicit(2)]
    row: Annotated[SequenceOf[Numbers], Implicit(3)]


class Picked(Sequence):
    pick: Pick
    other: Pick


class Members(Set):
    number: int
    reason: Reason
    date: UTCTime


class WithSet(Sequence):
    members: Members
    any: derlib.TLV


class Five(Sequence):
    a: int
    b: int
    c: int
    d: int
    e: int


class Rows(Sequence):
    rows: SequenceOf[Numbers]
    number: int


class Padded(Sequence):
    serial: int
    padding: bytes
    reason: Reason
    flag: bool


# A high tag: its second identifier octet (1f) is where a low tag has its length, here of 33 bytes in all.
class HighTag(Sequence, tag=Implicit(31)):
    serial: int
    padding: bytes


TIME = "170d3234303232393132333435365a"
LATE = "180f32303530303232383132333435365a"


class Case(NamedTuple):
    """An element type, and valid elements of it, each of which can become a template."""

    type: Any
    elements: list[bytes]


def padded(length: int, type_: str = "Padded") -> bytes:
    """Return an element of exactly this size, header included."""
    for room in range(length):
        if type_ == "HighTag":
            data = b"\xbf\x1f" + der(0, bytes.fromhex("02020123"), der(4, bytes(room)))[1:]
        else:
            data = der(0x30, bytes.fromhex("02020123"), der(4, bytes(room)), bytes.fromhex("0a0101 0101ff"))
        if len(data) == length:
            return data
    raise AssertionError(f"no element has {length} octets")


CASES = {
    "INTEGER": Case(Numbers, [sequence("020105 02020080"), sequence("020180 020101")]),
    "CRL entry": Case(
        Entry, [sequence("0203123456" + TIME), sequence("0203123456" + TIME + "0a0101"), sequence("020105" + LATE)]
    ),
    "two dates and two ENUMERATED": Case(
        Twice, [sequence(TIME * 2 + "0a013f 0a013f"), sequence(TIME * 2 + "0a0140 0a01fd")]
    ),
    "ENUMERATED of two octets": Case(Entry, [sequence("020105" + TIME + "0a02012c")]),
    "OPTIONAL": Case(
        Optional,
        [sequence("800105 81020100"), sequence(f"a20f{TIME}"), sequence("020200c8"), b"0\0"],
    ),
    "DEFAULT": Case(
        Default, [sequence("020105"), sequence("020105 800102"), sequence("020105 0101ff 0a0101"), sequence("02020100")]
    ),
    "DEFAULT around and inside": Case(
        NestedDefault, [sequence("3003020105 020108"), sequence("3003020105"), sequence("3006020105800100")]
    ),
    "typed open type": Case(
        TypedEntry,
        [
            sequence("06022a03 020105"),
            sequence("06022a04 0a0101"),
            sequence("06022a05" + TIME),
            sequence("06022a06 0500"),
        ],
    ),
    "typed open type in strings": Case(
        TypedOctets, [sequence("06022a03 0403020105 800400020107"), sequence("06022a06 0400 800100")]
    ),
    "open type of an opaque table": Case(
        OpaqueEntry,
        [
            sequence("06022a03 020105 800101"),
            sequence("06022a04 0a0101 800101"),
            sequence("06022a03 0500 800101"),
            sequence("06022a04 0a0105 800101"),
            sequence("06022a05" + TIME + "800101"),
        ],
    ),
    "open type of an opaque table that mismatches late": Case(
        OpaqueEntry,
        [
            sequence("06022a06 3109 020105 020106 0101ff 800101"),
            sequence("06022a06 3108 020105 020106 0500 800101"),
        ],
    ),
    "open type of an opaque table in a string": Case(
        OpaqueOctets, [sequence("06022a03 0403020105"), sequence("06022a03 0402ffff")]
    ),
    "SET OF": Case(
        Ordered,
        [sequence("020109 3106 020105 020106"), sequence("020109 3100"), sequence("020109 3107 020105 02020105")],
    ),
    "SET OF in an opaque table": Case(
        OpaqueSet, [sequence("06022a03 3106 020105 020106"), sequence("06022a03 3105 020105 0500")]
    ),
    "value range": Case(Ranged, [sequence("02010502020100"), sequence("0201fd 020101"), sequence("0202012c 020101")]),
    "SIZE": Case(
        Sized,
        [sequence("04020102 0c0141 030204f0 3003020105"), sequence("0403010203 0c03c3a941 030204f0 3006020105020105")],
    ),
    "strings": Case(Texts, [sequence("0500 13024142 160141 0c03c3a941 03020780 0101ff")]),
    "CHOICE": Case(
        Picked, [sequence("810105 a203020105"), sequence(TIME + "810105"), sequence("a308 3006020101020102 810105")]
    ),
    "SET": Case(WithSet, [der(0x30, der(0x31, bytes.fromhex("020105 0a0101" + TIME)), bytes.fromhex("3003020105"))]),
    "more free contents than a shape has": Case(Five, [sequence("020101 020102 020103 020104 020105")]),
    "list in the element": Case(
        Rows, [sequence("3010 3006020101020102 3006020103020104 020109"), sequence("3000 020109")]
    ),
    "63 octets": Case(Padded, [padded(63)]),
    "64 octets": Case(Padded, [padded(64)]),
    "65 octets": Case(Padded, [padded(65)]),
    "length 7f": Case(Padded, [padded(129)]),
    "length 80": Case(Padded, [padded(131)]),
    "high tag like a length": Case(HighTag, [padded(33, "HighTag")]),
    "high tag": Case(HighTag, [padded(34, "HighTag")]),
}


class Verdict(NamedTuple):
    """The result of decoding elements from a position on: the offset and the path of an error count from there."""

    error: type[ASN1Error] | None
    kind: str = ""
    rule: str = ""
    message: str = ""
    path: tuple[Any, ...] = ()
    offset: int = 0


def verdict(type_: Any, before: list[bytes], rest: bytes) -> Verdict:
    """Decode the list of the elements `before` and the bytes `rest`, and return the result for `rest`."""
    start = b"".join(before)
    data = der(0x30, start, rest)
    try:
        derlib.decode(SequenceOf[type_], data)
    except ASN1Error as error:
        where = error.offset - (len(data) - len(rest))
        if not error.path:
            return Verdict(type(error), error.kind, error.rule, error.expected, (), where)
        number = error.path[0] - len(before)
        return Verdict(type(error), error.kind, error.rule, error.expected, (number, *error.path[1:]), where)
    return Verdict(None)


def agree(type_: Any, before: list[bytes], rest: bytes) -> Verdict:
    alone = verdict(type_, [], rest)
    assert verdict(type_, before, rest) == alone, (type_.__name__, rest.hex())
    return alone


def test_every_element_of_the_cases_is_valid():
    for case in CASES.values():
        for element in case.elements:
            assert verdict(case.type, [], element) == Verdict(None), element.hex()
            assert verdict(case.type, [element] * BEFORE, element * 6) == Verdict(None)
    assert [len(CASES[name].elements[0]) for name in ("63 octets", "64 octets", "65 octets")] == [63, 64, 65]
    assert CASES["length 7f"].elements[0][1] == 0x7F
    assert CASES["length 80"].elements[0][1:3] == b"\x81\x80"


@pytest.mark.parametrize("name", CASES)
def test_a_changed_byte_has_the_result_of_a_short_list(name):
    # Each value of each byte, its own first; enough bytes follow for the fast path.
    type_, elements = CASES[name]
    for element in elements:
        tail = element * (WINDOW // len(element) + 1)
        accepted = 0
        # Every byte of a zero padding is treated alike, so its ends are sufficient.
        places = [i for i in range(len(element)) if len(element) < 50 or not 16 < i < len(element) - 8]
        for place in places:
            for difference in all_or_some(range(256)):
                changed = bytearray(element)
                changed[place] ^= difference
                accepted += agree(type_, [element] * BEFORE, bytes(changed) + tail).error is None
        assert accepted >= len(places), "the unchanged element is among them"


YEARS = (0, 3, 4, 23, 24, 49, 50, 96, 99)


def entry_at(date: str) -> bytes:
    return sequence("0203123456" + der(0x17, date.encode()).hex())


def test_every_month_and_day_has_the_result_of_a_short_list():
    before = [CASES["CRL entry"].elements[0]] * BEFORE
    accepted = 0
    for year in YEARS:
        for month in range(20):
            for day in range(40):
                element = entry_at(f"{year:02}{month:02}{day:02}123456Z")
                accepted += agree(Entry, before, element + before[0] * 3).error is None
    # 00, 04, 24 and 96 are leap years.
    assert accepted == 365 * len(YEARS) + 4


def test_every_hour_minute_and_second_has_the_result_of_a_short_list():
    before = [CASES["CRL entry"].elements[0]] * BEFORE
    accepted = 0
    for place in range(3):
        for number in range(100):
            numbers = [12, 34, 56]
            numbers[place] = number
            element = entry_at("240229" + "".join(f"{number:02}" for number in numbers) + "Z")
            accepted += agree(Entry, before, element + before[0] * 3).error is None
    assert accepted == 24 + 60 + 60


@pytest.mark.parametrize("first", ["0080", "00ff", "0100", "12ff", "7fff", "8000", "feff", "ff00", "ff7f"])
def test_the_first_octets_of_an_integer_have_the_result_of_a_short_list(first: str):
    # Any INTEGER after one of these, which became the template.
    before = [sequence("0202" + first + "0203" + first + "00")] * BEFORE
    ends = (0x00, 0x01, 0x7F, 0x80, 0x81, 0xFE, 0xFF)
    for high in ends:
        for low in ends:
            contents = f"{high:02x}{low:02x}"
            for element in (sequence("0202" + contents + "0203" + first + "00"),
                            sequence("0202" + first + "0203" + contents + "00")):
                agree(Numbers, before, element + before[0] * 6)


def test_items_of_an_enumerated_have_the_result_of_a_short_list():
    # The template accepts the items that were found, and no others.
    def element(first: int, second: int) -> bytes:
        return sequence(TIME * 2 + f"0a01{first:02x} 0a01{second:02x}")

    for before in ([0x3F] * BEFORE, [0x40] * BEFORE, [0xFD, 0x3F, 0x40, 0x7F] * 6):
        rows = [element(first, 0x3F) for first in before]
        for number in range(256):
            agree(Twice, rows, element(number, 0x3F) + rows[0] * 2)
            agree(Twice, rows, element(0x3F, number) + rows[0] * 2)


class Sixty(Enumerated):
    sixty_four = 64


class Wide(Sequence):
    first: int
    second: int
    item: Sixty
    padding: bytes


def wide(first: str, second: str, item: str = "0a0140") -> bytes:
    return sequence(first + second + item + "0410" + "00" * 16)


def test_an_item_of_more_than_six_bits_does_not_stand_for_another():
    before = [wide("020100", "020100")] * BEFORE
    for number in range(256):
        agree(Wide, before, wide("020100", "020100", f"0a01{number:02x}") + before[0] * 4)


@pytest.mark.parametrize("first", ["00", "ff", "05"])
def test_an_integer_of_one_octet_allows_nothing_after_it(first: str):
    before = [wide("0201" + first, "020105")] * BEFORE
    for tag in range(256):
        agree(Wide, before, wide("0201" + first, f"{tag:02x}0105") + before[0] * 4)


INTERESTING = (0x00, 0x01, 0x02, 0x05, 0x0A, 0x17, 0x30, 0x31, 0x39, 0x5A, 0x7F, 0x80, 0x81, 0xA0, 0xFE, 0xFF)


@pytest.mark.parametrize("name", CASES)
def test_a_changed_byte_near_the_end_has_the_result_of_a_short_list(name):
    # From the last element, where whole words cannot be read, to the first one that the fast path handles.
    type_, elements = CASES[name]
    element = elements[0]
    for following in range(min(WINDOW // len(element) + 2, 6)):
        for place in range(len(element)):
            for value in INTERESTING:
                changed = bytearray(element)
                changed[place] = value
                agree(type_, [element] * BEFORE, bytes(changed) + element * following)


@pytest.mark.parametrize("name", [name for name in CASES if len(CASES[name].elements) > 1])
def test_a_template_among_others_accepts_nothing_more(name):
    # All templates exist before the changed element; those of equal length have replaced each other.
    type_, elements = CASES[name]
    before = elements * (BEFORE // len(elements) + 3)
    for element in elements:
        tail = element * (WINDOW // len(element) + 1)
        for place in range(len(element)):
            for value in INTERESTING:
                changed = bytearray(element)
                changed[place] = value
                agree(type_, before, bytes(changed) + tail)


def test_an_element_does_not_match_a_template_of_another_length():
    # Templates are stored by length modulo eight, so these lengths share a slot.
    elements = [padded(length) for length in (16, 24, 32, 40, 48, 56, 64)]
    for shape in elements:
        for element in elements:
            for flaw in ("0a0101 0101ff", "0a0107 0101ff", "0a0101 010100", "0a0101 010101"):
                broken = element[:-6] + bytes.fromhex(flaw)
                agree(Padded, [shape] * BEFORE, broken + shape * 5)


@cache
def mutants(name: str) -> tuple[bytes, ...]:
    """Return the elements of a case, and those with one byte changed whose own header is complete."""
    found = []
    for element in CASES[name].elements:
        header = 3 if element[1] in (0x81, 0x1F) else 2
        found.append(element)
        for place in range(header, len(element)):
            for flip in (0x01, 0x02, 0x20, 0x80, 0xFF):
                changed = bytearray(element)
                changed[place] ^= flip
                found.append(bytes(changed))
    return tuple(found)


@cache
def alone(name: str, element: bytes) -> Verdict:
    return verdict(CASES[name].type, [], element)


@st.composite
def lists(draw: st.DrawFn) -> tuple[str, list[bytes]]:
    """A list whose elements are usually valid, because an early fault would hide what follows it."""
    name = draw(st.sampled_from(sorted(CASES)))
    pool = mutants(name)
    good = [element for element in pool if alone(name, element).error is None]
    bad = [element for element in pool if alone(name, element).error is not None]
    chosen = draw(st.lists(st.sampled_from(good), min_size=24, max_size=60))
    if bad and draw(st.booleans()):
        chosen.insert(draw(st.integers(0, len(chosen))), draw(st.sampled_from(bad)))
    return name, chosen


@thorough(400, derandomize=True, database=None)
@given(lists())
def test_the_first_invalid_element_of_a_list_is_reported(made):
    name, elements = made
    type_ = CASES[name].type
    data = der(0x30, *elements)
    header = len(data) - sum(map(len, elements))
    for index, element in enumerate(elements):
        expected = alone(name, element)
        if expected.error is not None:
            with pytest.raises(expected.error) as caught:
                derlib.decode(SequenceOf[type_], data)
            offset = header + sum(map(len, elements[:index]))
            assert caught.value.path == (index, *expected.path[1:])
            assert (caught.value.kind, caught.value.offset - offset) == (expected.kind, expected.offset)
            return
    view = derlib.decode(SequenceOf[type_], data)
    assert len(view) == len(elements)
    for value, element in zip(view, elements, strict=True):
        assert bytes(value.der) == element
        assert repr(value) == repr(derlib.decode(SequenceOf[type_], der(0x30, element))[0])


class Bounded(SequenceOf[Entry], size=Size(20, 30)):
    pass


def test_repeated_elements_count_for_size():
    element = CASES["CRL entry"].elements[0]
    for count in (19, 20, 25, 30, 31):
        data = der(0x30, element * count)
        if 20 <= count <= 30:
            assert len(Bounded.decode(data)) == count
        else:
            with pytest.raises(derlib.ConstraintViolation) as caught:
                Bounded.decode(data)
            assert (caught.value.kind, caught.value.path, caught.value.offset) == ("size", (), 0)


class Table(Sequence):
    rows: SequenceOf[Entry]
    number: int


OPAQUE_LISTS = OpenTypes("OPAQUE_LISTS", {"1.2.3": SequenceOf[Entry], "1.2.4": Table}, on_mismatch="opaque")


class OpaqueList(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", OPAQUE_LISTS)]


def test_a_long_list_that_does_not_match_its_open_type_late_stays_opaque():
    element = CASES["CRL entry"].elements[0]
    wrong = element[:-1] + b"\x5b"
    # A date without its Z is not a UTCTime, with or without a known type; another tag is only a mismatch.
    mismatch = element[:7] + b"\x04" + element[8:]
    for kind, around in (("2a03", b""), ("2a04", b"\x02\x01\x05")):
        for place in (0, 8, 9, 20, 39):
            for flaw in (element, mismatch, wrong):
                rows = der(0x30, element * place, flaw, element * (39 - place))
                value = der(0x30, rows, around) if around else rows
                data = der(0x30, bytes.fromhex("0602" + kind), value)
                # The list itself is long, so the fault also occurs inside a recorded element.
                for count in (1, 12):
                    many = der(0x30, data * count)
                    if flaw is wrong:
                        with pytest.raises(derlib.ContentsError) as caught:
                            derlib.decode(SequenceOf[OpaqueList], many)
                        assert caught.value.kind == "utc-form"
                        assert caught.value.path == (0, "value")
                        continue
                    last = derlib.decode(SequenceOf[OpaqueList], many)[count - 1]
                    assert isinstance(last.value, derlib.TLV) == (flaw is mismatch)
                    assert last.encode() == data


def test_a_fault_in_nested_long_lists_has_its_position():
    element = sequence("020105 02020080")
    wrong = sequence("020105 02020001")
    row = sequence("3010 3006020101020102 3006020103020104 020109")
    for outer in (0, 7, 8, 9, 15):
        for inner in (0, 8, 9, 30):
            good = der(0x30, der(0x30, element * 40), bytes.fromhex("020101"))
            bad = der(0x30, der(0x30, element * inner, wrong, element * 39), bytes.fromhex("020101"))
            start = good * outer
            data = der(0x30, start, bad, good * 3)
            with pytest.raises(derlib.ContentsError) as caught:
                derlib.decode(SequenceOf[Rows], data)
            assert caught.value.path == (outer, "rows", inner, "other")
            assert data[caught.value.offset :].startswith(bytes.fromhex("02020001"))
            flawed = sequence("3010 3006020101020102 300602010300010a 020109")
            small = der(0x30, row * outer, flawed, row * 3)
            with pytest.raises(derlib.StructureError) as caught:
                derlib.decode(SequenceOf[Rows], small)
            assert caught.value.path == (outer, "rows", 1, "other")


class Full(Sequence):
    number: int
    rest: Any


@pytest.mark.parametrize("type_", [Rows, Full])
def test_elements_of_elements_count_for_the_limit(type_):
    row = sequence("3010 3006020101020102 3006020103020104 020109")
    element = row if type_ is Rows else sequence("020109 3006020101020102")
    one = 1 + (2 if type_ is Rows else 3)
    for count in (1, 8, 9, 10, 40):
        data = der(0x30, element * count)
        assert len(derlib.decode(SequenceOf[type_], data, limits=Limits(elements=one * count))) == count
        with pytest.raises(LimitError):
            derlib.decode(SequenceOf[type_], data, limits=Limits(elements=one * count - 1))


def test_the_limit_is_met_inside_a_repeated_element():
    # Each contains 21 elements. Of the eleventh, the limit allows fifteen, the last of which is the fourteenth NULL.
    head = sequence("020109" + "3028" + "0500" * 20)
    data = der(0x30, head * 30)
    with pytest.raises(LimitError) as caught:
        derlib.decode(SequenceOf[Full], data, limits=Limits(elements=21 * 10 + 15))
    assert caught.value.path == (10, "rest")
    assert caught.value.offset == len(data) - len(head) * 20 + 2 + 3 + 2 + 2 * 14
    assert len(derlib.decode(SequenceOf[Full], data, limits=Limits(elements=22 * 30))) == 30


@pytest.mark.parametrize("name", ["INTEGER", "CRL entry", "typed open type", "64 octets", "65 octets"])
def test_every_truncation_of_a_long_list_is_rejected(name):
    type_, elements = CASES[name]
    whole = elements[0] * 12
    # The length of the list is correct; the last element exceeds it.
    for end in range(len(whole) - 2 * len(elements[0]) + 1, len(whole)):
        if end % len(elements[0]):
            done = end // len(elements[0])
            rest = whole[done * len(elements[0]) : end]
            assert agree(type_, [elements[0]] * done, rest).error is derlib.TruncatedError


class Sparse(Sequence):
    """Only the number is variable."""

    octets: bytes | None = None
    number: Annotated[int, Implicit(0)] | None = None
    inner: SequenceOf[Sparse] | None = None


def unlike(count: int) -> list[bytes]:
    """Return elements of one length, none of which matches the template of the one before."""
    return [der(0x30, der(0x04, i.to_bytes(2, "big"))) for i in range(count)]


def alike(count: int) -> list[bytes]:
    """Return elements of this length that match one template, except the first."""
    return [der(0x30, der(0x80, bytes([1 + i % 100, 7]))) for i in range(count)]


# Lists that find no template, stop looking, and start again; and inner lists that reuse the templates.
MIXED = {
    "unlike": unlike(200),
    "equal after unequal": unlike(60) + alike(200),
    "unequal after equal": alike(60) + unlike(200),
    "in turn": [one for pair in zip(unlike(150), alike(150), strict=True) for one in pair],
    "three of four alike": [alike(100)[i] if i % 4 else unlike(100)[i] for i in range(100)],
    "lists of unlike inside": [
        one for i in range(12) for one in (*alike(12), der(0x30, der(0x30, b"".join(unlike(20 + i)))))
    ],
    "lists of alike inside": [
        one for i in range(12) for one in (*alike(12), der(0x30, der(0x30, b"".join(alike(20 + i)))))
    ],
    "long elements": [der(0x30, der(0x04, bytes(70))) for _ in range(30)] + alike(30),
}


@pytest.mark.parametrize("elements", MIXED.values(), ids=MIXED)
def test_a_list_without_matching_templates_has_the_same_result(elements):
    data = b"".join(elements)
    assert [bytes(one.der) for one in SequenceOf[Sparse].decode(der(0x30, data))] == elements
    for i in range(0, len(elements), 7):
        # A padded number, contents without an end, another tag: in an element that may or may not match a template.
        for wrong in ("3004 80020005", "3004 0403aabb", "3004 8102aabb", "3104 04020000"):
            bad = bytes.fromhex(wrong)
            alone = refusal(SequenceOf[Sparse], [bad])
            among = refusal(SequenceOf[Sparse], [*elements[:i], bad, *elements[i:]])
            assert among[:2] == alone[:2], (i, wrong)
            assert among[2] == (i, *alone[2][1:]), (i, wrong)


def refusal(type_: Any, elements: list[bytes]) -> tuple[str, str, tuple[Any, ...]]:
    """Return the kind, clause and path of the error of a list with a fault."""
    with pytest.raises(ASN1Error) as caught:
        type_.decode(der(0x30, b"".join(elements)))
    return caught.value.kind, caught.value.rule, caught.value.path


class Loose(Sequence):
    number: int


class Tight(Sequence):
    """The number is not variable, because it has a range."""

    number: Annotated[int, Range(0, 5)] | None = None
    inner: SequenceOf[Loose] | None = None


class Lists(Sequence):
    loose: SequenceOf[Loose]
    tight: Annotated[SequenceOf[Tight], Implicit(0)]


HUNDRED = bytes.fromhex("3003020164")
FIVE = bytes.fromhex("3003020105")


def test_the_templates_of_one_list_are_not_used_for_the_next():
    loose = der(0x30, HUNDRED * 60)
    assert len(Lists.decode(der(0x30, loose + der(0xA0, FIVE * 60))).tight) == 60
    for place in (0, 8, 9, 10, 30):
        tight = [HUNDRED if i == place else FIVE for i in range(60)]
        with pytest.raises(ASN1Error) as caught:
            Lists.decode(der(0x30, loose + der(0xA0, b"".join(tight))))
        assert caught.value.path == ("tight", place, "number")


@pytest.mark.parametrize("before", [0, 9, 12, 30])
def test_the_templates_of_an_inner_list_are_not_used_for_the_outer_list(before):
    inner = der(0x30, der(0x30, HUNDRED * 40))
    head = [FIVE] * before + [inner]
    assert len(SequenceOf[Tight].decode(der(0x30, b"".join([*head, FIVE * 60])))) == before + 61
    for behind in (0, 1, 2, 20):
        with pytest.raises(ASN1Error) as caught:
            SequenceOf[Tight].decode(der(0x30, b"".join([*head, FIVE * behind, HUNDRED, FIVE * 60])))
        assert caught.value.path == (before + 1 + behind, "number")

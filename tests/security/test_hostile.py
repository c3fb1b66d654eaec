"""Hostile input: deep nesting, huge numbers, lengths that overflow.

Each input results in a value or in one bounded error. The kinds of attack are those of published vulnerabilities of
other decoders. No test here measures time: a decoder with nonlinear work would not finish.
"""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from support.classes import open_sequence
from support.der import der, length_octets
from support.examples import all_or_some

import derlib
from derlib import (
    TLV,
    BitString,
    Choice,
    ContentsError,
    DecodeError,
    Enumerated,
    Explicit,
    GeneralizedTime,
    IdentifierError,
    Implicit,
    LengthError,
    LimitError,
    NamedBits,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    OrderError,
    PrintableString,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    StructureError,
    TruncatedError,
    UTCTime,
)

DEPTH_LIMIT = 100
DEPTH = 100_000


class Node(Sequence):
    child: Node | None = None


class SetNode(Set):
    child: SetNode | None = None


class Tree(SequenceOf["Tree"]):
    pass


class SetTree(SetOf["SetTree"]):
    pass


class Arm(Choice):
    leaf: int
    branch: Annotated[Arm, Explicit(0)]


class TaggedNode(Sequence):
    child: Annotated[TaggedNode, Explicit(0)] | None = None


WRAPS = OpenTypes("WRAPS")
OPAQUE_WRAPS = OpenTypes("OPAQUE_WRAPS", on_mismatch="opaque")
Wrap = open_sequence("Wrap", WRAPS)
OctetsWrap = open_sequence("OctetsWrap", WRAPS, OctetString)
BitsWrap = open_sequence("BitsWrap", WRAPS, BitString)
OpaqueWrap = open_sequence("OpaqueWrap", OPAQUE_WRAPS)
OpaqueOctetsWrap = open_sequence("OpaqueOctetsWrap", OPAQUE_WRAPS, OctetString)
WRAPS.register("1.2.1", Wrap)
WRAPS.register("1.2.2", OctetsWrap)
WRAPS.register("1.2.3", BitsWrap)
OPAQUE_WRAPS.register("1.2.1", OpaqueWrap)
OPAQUE_WRAPS.register("1.2.2", OpaqueOctetsWrap)


class Colour(Enumerated):
    red = 0


class Version(NamedInteger):
    v1 = 0


class Flags(NamedBits):
    a = 1


class Entry(Sequence):
    serial: int
    date: UTCTime


def nested(levels: int, *layers: tuple[bytes, bytes], inner: bytes = b"") -> bytes:
    """Return `inner` in this number of levels of `layers`, each (identifier, bytes before the next level)."""
    parts = [inner]
    size = len(inner)
    for _ in range(levels):
        for identifier, before in reversed(layers):
            size += len(before)
            header = identifier + length_octets(size)
            parts.append(header + before)
            size += len(header)
    return b"".join(reversed(parts))


def refused(type_: Any, data: bytes, *classes: type[BaseException]) -> Any:
    """Return the error of a decoding that must fail, after checking its length and its offset."""
    with pytest.raises(derlib.ASN1Error) as caught:
        derlib.parse(data) if type_ is None else derlib.decode(type_, data)
    check_bounds(caught.value, data)
    assert isinstance(caught.value, classes or (DecodeError, LimitError)), repr(caught.value)
    return caught.value


def check_bounds(error: DecodeError | LimitError, data: bytes) -> None:
    """Check that an error has an offset inside the input and a short message."""
    assert 0 <= error.offset <= len(data)
    assert len(str(error)) < 1000
    assert len(repr(error)) < 4000


# The identifier octets of the levels, for each way in which a schema can recurse.
RECURSIONS = [
    pytest.param(None, ((b"\x30", b""),), id="a tree without schema"),
    pytest.param(None, ((b"\xa0", b""),), id="context tags without schema"),
    pytest.param(None, ((b"\x31", b""),), id="sets without schema"),
    pytest.param(TLV, ((b"\x30", b""),), id="ANY"),
    pytest.param(Node, ((b"\x30", b""),), id="a SEQUENCE in itself"),
    pytest.param(SetNode, ((b"\x31", b""),), id="a SET in itself"),
    pytest.param(Tree, ((b"\x30", b""),), id="a SEQUENCE OF itself"),
    pytest.param(SetTree, ((b"\x31", b""),), id="a SET OF itself"),
    pytest.param(TaggedNode, ((b"\x30", b""), (b"\xa0", b"")), id="a SEQUENCE in itself, tagged"),
]

WRAPPINGS = [
    pytest.param(Wrap, ((b"\x30", b"\x06\x02\x2a\x01"),), b"\x05\x00", id="open types"),
    pytest.param(
        OctetsWrap, ((b"\x30", b"\x06\x02\x2a\x02"), (b"\x04", b"")), b"", id="in OCTET STRINGs"
    ),
    pytest.param(
        BitsWrap, ((b"\x30", b"\x06\x02\x2a\x03"), (b"\x03", b"\x00")), b"", id="in BIT STRINGs"
    ),
    pytest.param(OpaqueWrap, ((b"\x30", b"\x06\x02\x2a\x01"),), b"\x05\x00", id="of an opaque table"),
]


@pytest.mark.parametrize("levels", [DEPTH_LIMIT + 1, 1000, DEPTH])
@pytest.mark.parametrize(("type_", "layers"), RECURSIONS)
def test_deep_nesting_is_a_limit_error(type_, layers, levels):
    refused(type_, nested(levels, *layers), LimitError)


@pytest.mark.parametrize("levels", [DEPTH_LIMIT + 1, 1000, DEPTH])
@pytest.mark.parametrize(("type_", "layers", "inner"), WRAPPINGS)
def test_deep_nesting_through_open_types_is_a_limit_error(type_, layers, inner, levels):
    refused(type_, nested(levels, *layers, inner=inner), LimitError)


@pytest.mark.parametrize("levels", [DEPTH_LIMIT + 1, 1000, DEPTH])
def test_deep_nesting_in_strings_of_an_opaque_table_stays_opaque_or_is_a_limit_error(levels):
    data = nested(levels, (b"\x30", b"\x06\x02\x2a\x02"), (b"\x04", b""))
    try:
        view = OpaqueOctetsWrap.decode(data)
    except LimitError as error:
        check_bounds(error, data)
    else:
        assert bytes(view.der) == data
        assert hash(view) == hash(OpaqueOctetsWrap.decode(data))
        assert len(repr(view)) < 1_000_000


def test_deep_choices_are_a_limit_error():
    refused(Arm, nested(DEPTH, (b"\xa0", b""), inner=b"\x02\x01\x05"), LimitError)


@pytest.mark.parametrize(("type_", "layers"), RECURSIONS[:-1])
def test_nesting_beyond_the_limit_is_an_error_of_the_first_element_too_deep(
    type_, layers
):
    deepest = nested(DEPTH_LIMIT, *layers)
    value = derlib.parse(deepest) if type_ is None else derlib.decode(type_, deepest)
    assert bytes(value.der) == deepest
    too_deep = nested(DEPTH_LIMIT + 1, *layers)
    error = refused(type_, too_deep, LimitError)
    assert error.offset == len(too_deep) - 2


def test_deep_indefinite_lengths_are_rejected_at_the_first():
    assert refused(None, b"\x30\x80" * DEPTH, LengthError).offset == 0
    assert refused(Node, b"\x30\x80" * DEPTH, LengthError).offset == 0


def test_deep_nesting_that_is_cut_is_rejected():
    data = nested(DEPTH, (b"\x30", b""))
    refused(Node, data[: len(data) // 2], TruncatedError)
    refused(None, data[:200], TruncatedError)


@pytest.mark.parametrize("first", [0x1F, 0x3F, 0x5F, 0x9F, 0xBF, 0xFF])
@pytest.mark.parametrize("type_", [None, TLV, int, Node, Annotated[int, Implicit(31)]])
def test_a_tag_number_of_100_kilobytes_is_rejected(first, type_):
    head = bytes([first])
    ones = b"\xff" * 100_000
    refused(type_, head + ones + b"\x7f\x00", LimitError)
    refused(type_, head + ones, LimitError, TruncatedError)
    refused(type_, head + b"\x81" + b"\x80" * 100_000 + b"\x00\x00", LimitError)
    refused(type_, head + b"\x80" * 100_000 + b"\x01\x00", IdentifierError)


@pytest.mark.parametrize("type_", [None, TLV])
def test_a_tag_number_that_overflows_64_bits_is_never_read_as_a_small_one(type_):
    # 2^(7k) + 31 for k septets after the first: some become 31 if high bits are lost.
    for first in range(1, 0x80):
        for middle in range(8, 24):
            data = bytes([0x9F, 0x80 | first]) + b"\x80" * middle + b"\x1f\x00"
            refused(type_, data, LimitError)


def test_an_object_identifier_of_a_megabyte_is_a_value():
    count = 999_999
    data = der(0x06, b"\x2a" + b"\x01" * count)
    value = derlib.decode(ObjectIdentifier, data)
    assert len(value.arcs) == count + 2
    assert value.dotted == "1.2" + ".1" * count
    assert hash(value) == hash(derlib.decode(ObjectIdentifier, data))


@pytest.mark.parametrize("type_", [None, TLV, ObjectIdentifier])
def test_an_arc_without_end_is_rejected(type_):
    refused(type_, der(0x06, b"\x2a" + b"\xff" * 999_998 + b"\x7f"), LimitError)
    refused(type_, der(0x06, b"\x2a" + b"\xff" * 999_999), LimitError, ContentsError)
    refused(type_, der(0x06, b"\x81" + b"\x80" * 999_998 + b"\x00"), LimitError)
    refused(type_, der(0x06, b"\x2a" + b"\x80" * 999_999), ContentsError)
    refused(type_, der(0x06, b"\x2a" + b"\x01" * 999_998 + b"\x81"), ContentsError)
    refused(type_, der(0x06, b"\x2a" + b"\x01" * 999_997 + b"\x80\x01"), ContentsError)


@pytest.mark.parametrize("sign", [b"\x7f", b"\x80"])
def test_an_integer_of_a_megabyte_is_a_value(sign):
    contents = sign + bytes(999_999)
    expected = int.from_bytes(contents, "big", signed=True)
    assert derlib.decode(int, der(0x02, contents)) == expected
    assert derlib.parse(der(0x02, contents)).value == expected
    assert derlib.decode(Version, der(0x02, contents)) == expected


def test_an_integer_of_a_megabyte_is_shown_without_an_error():
    # Python does not convert such a large number to decimal digits; it raises ValueError.
    data = der(0x30, der(0x02, b"\x7f" + bytes(999_999)) + der(0x17, b"240229123456Z"))
    view = Entry.decode(data)
    assert len(repr(view)) < 10_000
    assert len(repr(derlib.parse(data))) < 10_000
    refused(Entry, data[:-2] + b"zZ", ContentsError)


def test_a_huge_integer_is_shortened_in_a_message():
    contents = b"\x7f" + bytes(999_999)
    refused(Annotated[int, Range(0, 5)], der(0x02, contents), DecodeError)
    refused(Annotated[int, Range(2**9000, None)], der(0x02, b"\x05"), DecodeError)
    refused(int, der(0x02, b"\x00" + contents), ContentsError)
    refused(Colour, der(0x0A, contents), DecodeError)
    refused(bool, der(0x01, contents), ContentsError)
    refused(Null, der(0x05, contents), ContentsError)


@pytest.mark.parametrize(
    ("type_", "identifier", "contents"),
    [
        pytest.param(BitString, 0x03, b"\x01" + b"\xff" * 1_000_000, id="BIT STRING"),
        pytest.param(Flags, 0x03, b"\x00" + bytes(1_000_000), id="named bits"),
        pytest.param(str, 0x0C, b"a" * 1_000_000 + b"\xff", id="UTF8String"),
        pytest.param(PrintableString, 0x13, b"a" * 1_000_000 + b"*", id="PrintableString"),
        pytest.param(UTCTime, 0x17, b"0" * 1_000_000 + b"Z", id="UTCTime"),
        pytest.param(GeneralizedTime, 0x18, b"0" * 1_000_000 + b"Z", id="GeneralizedTime"),
        pytest.param(Annotated[bytes, Size(1)], 0x04, bytes(1_000_000), id="SIZE"),
        pytest.param(Annotated[str, Size(1)], 0x0C, b"a" * 1_000_000, id="SIZE of characters"),
    ],
)
def test_a_fault_in_a_megabyte_of_contents_has_a_short_message(type_, identifier, contents):
    assert refused(type_, der(identifier, contents), DecodeError).offset == 0


LENGTHS = [
    pytest.param("84 7f ff ff ff", TruncatedError, id="2^31 - 1"),
    pytest.param("84 80 00 00 00", TruncatedError, id="2^31"),
    pytest.param("84 ff ff ff ff", TruncatedError, id="2^32 - 1"),
    pytest.param("85 01 00 00 00 00", TruncatedError, id="2^32"),
    pytest.param("88 7f ff ff ff ff ff ff ff", TruncatedError, id="2^63 - 1"),
    pytest.param("88 80 00 00 00 00 00 00 00", TruncatedError, id="2^63"),
    pytest.param("88 ff ff ff ff ff ff ff fe", TruncatedError, id="2^64 - 2"),
    pytest.param("88 ff ff ff ff ff ff ff ff", TruncatedError, id="2^64 - 1"),
    pytest.param("89 01 00 00 00 00 00 00 00 00", TruncatedError, id="2^64"),
    pytest.param("89 01 00 00 00 00 00 00 00 02", TruncatedError, id="2^64 + 2"),
    pytest.param("90 01" + " 00" * 15, TruncatedError, id="2^120"),
    pytest.param("fe 01" + " 00" * 125, TruncatedError, id="2^1000"),
]

TYPES = [
    pytest.param(None, 0x30, id="a tree"),
    pytest.param(TLV, 0x04, id="ANY"),
    pytest.param(bool, 0x01, id="BOOLEAN"),
    pytest.param(int, 0x02, id="INTEGER"),
    pytest.param(BitString, 0x03, id="BIT STRING"),
    pytest.param(bytes, 0x04, id="OCTET STRING"),
    pytest.param(Null, 0x05, id="NULL"),
    pytest.param(ObjectIdentifier, 0x06, id="OBJECT IDENTIFIER"),
    pytest.param(Colour, 0x0A, id="ENUMERATED"),
    pytest.param(str, 0x0C, id="UTF8String"),
    pytest.param(UTCTime, 0x17, id="UTCTime"),
    pytest.param(GeneralizedTime, 0x18, id="GeneralizedTime"),
    pytest.param(Node, 0x30, id="SEQUENCE"),
    pytest.param(SetNode, 0x31, id="SET"),
    pytest.param(SequenceOf[int], 0x30, id="SEQUENCE OF"),
    pytest.param(SetOf[int], 0x31, id="SET OF"),
    pytest.param(Annotated[int, Implicit(0)], 0x80, id="IMPLICIT"),
    pytest.param(Annotated[int, Explicit(0)], 0xA0, id="EXPLICIT"),
    pytest.param(Arm, 0xA0, id="CHOICE"),
]


@pytest.mark.parametrize(("length", "error"), LENGTHS)
@pytest.mark.parametrize(("type_", "identifier"), TYPES)
def test_a_length_that_overflows_is_rejected(type_, identifier, length, error):
    head = bytes([identifier]) + bytes.fromhex(length)
    for rest in (b"", b"\x02", b"\x02\x01\x05", bytes(64)):
        assert refused(type_, head + rest, error).offset == 0


@pytest.mark.parametrize(("length", "error"), LENGTHS)
def test_a_length_that_overflows_inside_another_element_is_rejected(length, error):
    head = bytes.fromhex(length)
    for identifier in (0x04, 0x30, 0xA0, 0x02):
        element = bytes([identifier]) + head + b"\x02\x01\x05"
        data = der(0x30, element)
        for type_ in (None, TLV, SequenceOf[TLV], Annotated[TLV, Explicit(16, "universal")]):
            assert refused(type_, data, error).offset == len(data) - len(element)
    inner = b"\x30" + head + b"\x00"
    data = der(0x30, b"\x06\x02\x2a\x02" + der(0x04, inner))
    assert refused(OctetsWrap, data, error).offset == len(data) - len(inner)


def test_every_truncation_of_a_header_is_bounded():
    data = bytes.fromhex("bf8fffffffffffffff7f 887fffffffffffffff")
    for end in range(len(data)):
        refused(None, data[:end], TruncatedError)
    refused(None, data, TruncatedError)


def test_a_hundred_thousand_extra_elements_are_rejected_at_the_first():
    data = der(0x30, b"\x05\x00" * 100_000)
    assert refused(Node, data, StructureError).offset == 5
    assert refused(Entry, data, StructureError).offset == 5


def test_a_hundred_thousand_members_of_a_set_are_rejected_at_the_first():
    assert refused(SetNode, der(0x31, b"\x05\x00" * 100_000), StructureError).offset == 5


def test_many_members_of_a_set_of_are_compared_each_with_the_one_before():
    count = 200_000
    equal = derlib.decode(SetOf[int], der(0x31, b"\x02\x01\x05" * count))
    assert len(equal) == count
    refused(SetOf[int], der(0x31, b"\x02\x01\x05" * count + b"\x02\x01\x04"), OrderError)
    big = der(0x04, bytes(500_000))
    assert len(derlib.decode(SetOf[bytes], der(0x31, big + big))) == 2


def test_a_list_of_a_million_elements_is_indexed_from_both_ends():
    count = 1_000_000
    view = derlib.decode(SequenceOf[Null], der(0x30, b"\x05\x00" * count))
    assert len(view) == count
    assert view[count - 1] is derlib.NULL
    assert view.span(count - 1).offset == view.span(0).offset + 2 * (count - 1)
    assert len(view[:: count // 4]) == 4
    assert len(repr(view)) < 10_000


def test_a_tree_of_a_million_elements_is_walked():
    tree = derlib.parse(der(0x30, b"\x05\x00" * 300_000))
    assert sum(1 for _ in tree.walk()) == 300_001
    assert len(repr(tree)) < 10_000


def test_a_fault_at_the_end_of_a_long_list_has_its_index():
    good = der(0x30, der(0x02, b"\x05") + der(0x17, b"240229123456Z"))
    data = der(0x30, good * 100_000 + good[:-2] + b"zZ")
    error = refused(SequenceOf[Entry], data, ContentsError)
    assert error.path == (100_000, "date")
    assert error.offset == len(data) - 15


@pytest.mark.parametrize("type_", [None, TLV, Node, Tree, Arm, Wrap, OctetsWrap, SetOf[TLV], Entry])
def test_short_inputs_result_in_a_value_or_one_error(type_):
    interesting = bytes.fromhex("00 01 02 05 06 1f 30 31 7f 80 81 9f a0 ff")
    for first in all_or_some(range(256)):
        for second in interesting:
            for third in interesting:
                for data in (bytes([first, second, third]), bytes([0x30, 3, first, second, third])):
                    try:
                        value = derlib.parse(data) if type_ is None else derlib.decode(type_, data)
                    except (DecodeError, LimitError) as error:
                        check_bounds(error, data)
                    else:
                        assert bytes(value.der) == data


def test_every_flipped_bit_results_in_a_value_or_one_error():
    innermost = der(0x30, b"\x06\x02\x2a\x09\x04\x00")
    document = nested(3, (b"\x30", b"\x06\x02\x2a\x02"), (b"\x04", b""), inner=innermost)
    view = OctetsWrap.decode(document)
    assert view.body.body.body.kind.dotted == "1.2.9"
    for place in range(len(document)):
        for bit in range(8):
            changed = bytearray(document)
            changed[place] ^= 1 << bit
            try:
                view = OctetsWrap.decode(bytes(changed))
            except (DecodeError, LimitError) as error:
                check_bounds(error, document)
            else:
                assert bytes(view.der) == changed

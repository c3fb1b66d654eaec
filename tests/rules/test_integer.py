"""INTEGER and ENUMERATED: X.690 8.3 and 8.4; names of numbers, X.680 19 and 20."""

import pytest

import derlib
from derlib import (
    ContentsError,
    Enumerated,
    IdentifierError,
    NamedInteger,
    StructureError,
    TruncatedError,
)

from .rows import WITH_SCHEMA, der, reads, refuses, table


class Colour(Enumerated):
    red = 0
    green = 1
    infrared = 300
    black = -2


class Version(NamedInteger):
    v1 = 0
    v2 = 1
    v3 = 2


POSITIVE = [
    reads("0", int, "02 01 00", 0),
    refuses("0 in two octets", int, "02 02 00 00", ContentsError, "8.3.2"),
    reads("127", int, "02 01 7f", 127),
    refuses("127 in two octets", int, "02 02 00 7f", ContentsError, "8.3.2"),
    reads("128", int, "02 02 00 80", 128),
    refuses("128 in three octets", int, "02 03 00 00 80", ContentsError, "8.3.2"),
    reads("255", int, "02 02 00 ff", 255),
    reads("256", int, "02 02 01 00", 256),
    refuses("256 in three octets", int, "02 03 00 01 00", ContentsError, "8.3.2"),
    reads("2^31 - 1", int, "02 04 7f ff ff ff", 2**31 - 1),
    reads("2^31", int, "02 05 00 80 00 00 00", 2**31),
    reads("2^32", int, "02 05 01 00 00 00 00", 2**32),
    reads("2^63 - 1, the last in eight octets", int, "02 08 7f ff ff ff ff ff ff ff", 2**63 - 1),
    reads("2^63, the first in nine octets", int, "02 09 00 80 00 00 00 00 00 00 00", 2**63),
    reads("2^64 - 1", int, "02 09 00 ff ff ff ff ff ff ff ff", 2**64 - 1),
    refuses("2^63 - 1 in nine octets", int, "02 09 00 7f ff ff ff ff ff ff ff", ContentsError,
        "8.3.2"),
    reads("2^64", int, "02 09 01 00 00 00 00 00 00 00 00", 2**64),
    reads("2^4096", int, b"\x02\x82\x02\x01\x01" + bytes(512), 2**4096),
    refuses("2^4096 with a zero octet before it", int, b"\x02\x82\x02\x02\x00\x01" + bytes(512),
        ContentsError, "8.3.2"),
]

NEGATIVE = [
    reads("-1", int, "02 01 ff", -1),
    refuses("-1 in two octets", int, "02 02 ff ff", ContentsError, "8.3.2"),
    reads("-128", int, "02 01 80", -128),
    refuses("-128 in two octets", int, "02 02 ff 80", ContentsError, "8.3.2"),
    reads("-129", int, "02 02 ff 7f", -129),
    reads("-256", int, "02 02 ff 00", -256),
    refuses("-129 in three octets", int, "02 03 ff ff 7f", ContentsError, "8.3.2"),
    reads("-32768", int, "02 02 80 00", -32768),
    reads("-2^63, the last in eight octets", int, "02 08 80 00 00 00 00 00 00 00", -(2**63)),
    reads("-2^63 - 1, the first in nine octets", int, "02 09 ff 7f ff ff ff ff ff ff ff",
        -(2**63) - 1),
    refuses("-2^63 in nine octets", int, "02 09 ff 80 00 00 00 00 00 00 00", ContentsError,
        "8.3.2"),
    reads("-2^64", int, "02 09 ff 00 00 00 00 00 00 00 00", -(2**64)),
    reads("-2^127", int, b"\x02\x10\x80" + bytes(15), -(2**127)),
]

FORM = [
    refuses("no contents", int, "02 00", ContentsError, "8.3.1"),
    refuses("the constructed form", int, "22 03 02 01 05", IdentifierError, "8.3.1|8.1.2.5"),
    refuses("missing contents", int, "02 02 01", TruncatedError),
    refuses("an ENUMERATED", int, "0a 01 05", StructureError),
]

ENUMERATED = [
    reads("the item 0", Colour, "0a 01 00", Colour.red),
    reads("an item of two octets", Colour, "0a 02 01 2c", Colour.infrared),
    reads("a negative item", Colour, "0a 01 fe", Colour.black),
    refuses("an item with a zero octet before it", Colour, "0a 02 00 01", ContentsError,
        "8.4|8.3.2"),
    refuses("a negative item with ff before it", Colour, "0a 02 ff fe", ContentsError, "8.4|8.3.2"),
    refuses("no contents", Colour, "0a 00", ContentsError, "8.4|8.3.1"),
    refuses("a number that is not an item", Colour, "0a 01 02", ContentsError, "20",
        places=WITH_SCHEMA),
    refuses("a number that is an item but for its high octet", Colour, "0a 02 02 2c", ContentsError,
        "20", places=WITH_SCHEMA),
    refuses("a number of nine octets that ends like an item", Colour,
        "0a 09 01 00 00 00 00 00 00 00 01", ContentsError, "20", places=WITH_SCHEMA),
    refuses("an INTEGER", Colour, "02 01 01", StructureError),
    refuses("the constructed form", Colour, "2a 03 0a 01 00", IdentifierError, "8.4|8.3.1|8.1.2.5"),
]

# X.680 19.5: names do not restrict an INTEGER; a number without a name is an unnamed member of the class.
NAMED = [
    reads("a named number", Version, "02 01 02", Version.v3),
    reads("a number without a name", Version, "02 01 09", Version(9)),
    reads("a long number without a name", Version, "02 09 01 00 00 00 00 00 00 00 02", Version(2**64 + 2)),
    refuses("a named number that is not minimal", Version, "02 02 00 02", ContentsError, "8.3.2"),
    refuses("an ENUMERATED", Version, "0a 01 02", StructureError),
]


@table([*POSITIVE, *NEGATIVE, *FORM])
def test_integer(row, place):
    row.check(place)


@table(ENUMERATED)
def test_enumerated(row, place):
    row.check(place)


@table(NAMED)
def test_named_numbers(row, place):
    row.check(place)


@pytest.mark.parametrize("bits", [*range(1, 140), 255, 256, 1023, 1024, 4095, 20000])
def test_numbers_around_every_power_of_two(bits):
    for value in (2**bits - 1, 2**bits, 2**bits + 1, -(2**bits) - 1, -(2**bits), -(2**bits) + 1):
        count = (value if value >= 0 else ~value).bit_length() // 8 + 1
        data = der("02", value.to_bytes(count, "big", signed=True))
        assert derlib.decode(int, data) == value
        padding = b"\xff" if value < 0 else b"\x00"
        with pytest.raises(ContentsError):
            derlib.decode(int, der("02", padding, value.to_bytes(count, "big", signed=True)))


def test_every_pair_of_octets_is_minimal_or_rejected():
    for first in range(256):
        for second in range(256):
            contents = bytes([first, second])
            value = int.from_bytes(contents, "big", signed=True)
            if -128 <= value <= 127:
                with pytest.raises(ContentsError):
                    derlib.decode(int, b"\x02\x02" + contents)
            else:
                assert derlib.decode(int, b"\x02\x02" + contents) == value

"""BIT STRING, plain and with named bits: X.690 8.6, 10.2 and 11.2."""

import pytest

import derlib
from derlib import BitString, ContentsError, IdentifierError, NamedBits, StructureError

from .rows import WITH_SCHEMA, der, reads, refuses, table


class Usage(NamedBits):
    digital_signature = 1 << 0
    non_repudiation = 1 << 1
    key_encipherment = 1 << 2
    decipher_only = 1 << 8


PLAIN = [
    reads("no bits", BitString, "03 01 00", ""),
    refuses("no initial octet", BitString, "03 00", ContentsError, "8.6.2"),
    refuses("no bits, one of them unused", BitString, "03 01 01", ContentsError, "8.6.2.3"),
    refuses("no bits, seven of them unused", BitString, "03 01 07", ContentsError, "8.6.2.3"),
    refuses("no bits, eight of them unused", BitString, "03 01 08", ContentsError, "8.6.2"),
    reads("one bit", BitString, "03 02 07 80", "1"),
    reads("one zero bit", BitString, "03 02 07 00", "0"),
    reads("four bits", BitString, "03 02 04 a0", "1010"),
    reads("eight bits", BitString, "03 02 00 a5", "10100101"),
    reads("nine bits", BitString, "03 03 07 00 80", "000000001"),
    reads("trailing zero bits without names", BitString, "03 03 00 80 00", "1000000000000000"),
    refuses("eight unused bits", BitString, "03 03 08 ff 00", ContentsError, "8.6.2.2"),
    refuses("255 unused bits", BitString, "03 02 ff 00", ContentsError, "8.6.2.2"),
    refuses("an unused bit that is set", BitString, "03 02 01 ff", ContentsError, "11.2.1"),
    refuses("the highest of seven unused bits set", BitString, "03 02 07 c0", ContentsError,
        "11.2.1"),
    refuses("the lowest of seven unused bits set", BitString, "03 02 07 81", ContentsError,
        "11.2.1"),
    refuses("an unused bit set in the last of many octets", BitString, "03 05 01 00 00 00 01",
        ContentsError, "11.2.1"),
    reads("a set bit in an octet before the last", BitString, "03 03 01 01 02", "000000010000001"),
    refuses("the constructed form", BitString, "23 04 03 02 00 a5", IdentifierError, "10.2"),
    refuses("an OCTET STRING", BitString, "04 02 00 a5", StructureError),
]

NAMED = [
    reads("no bit", Usage, "03 01 00", Usage(0)),
    refuses("no bit as one zero bit", Usage, "03 02 07 00", ContentsError, "11.2.2",
        places=WITH_SCHEMA),
    refuses("no bit as eight zero bits", Usage, "03 02 00 00", ContentsError, "11.2.2",
        places=WITH_SCHEMA),
    reads("bit 0", Usage, "03 02 07 80", Usage.digital_signature),
    refuses("bit 0 and a trailing zero bit", Usage, "03 02 06 80", ContentsError, "11.2.2",
        places=WITH_SCHEMA),
    refuses("bit 0 and seven trailing zero bits", Usage, "03 02 00 80", ContentsError, "11.2.2",
        places=WITH_SCHEMA),
    refuses("bit 0 and a trailing zero octet", Usage, "03 03 07 80 00", ContentsError, "11.2.2",
        places=WITH_SCHEMA),
    reads("bits 0 and 2", Usage, "03 02 05 a0", Usage.digital_signature | Usage.key_encipherment),
    reads("bits 0 and 1", Usage, "03 02 06 c0", Usage.digital_signature | Usage.non_repudiation),
    reads("bit 8, in the second octet", Usage, "03 03 07 00 80", Usage.decipher_only),
    reads("a bit without a name", Usage, "03 02 04 10", Usage(1 << 3)),
    reads("a bit far beyond the names", Usage, b"\x03\x22\x00" + bytes(32) + b"\x01",
        Usage(1 << 263)),
    refuses("an unused bit that is set", Usage, "03 02 07 81", ContentsError, "11.2.1"),
    refuses("no bits, one of them unused", Usage, "03 01 01", ContentsError, "8.6.2.3"),
    refuses("no initial octet", Usage, "03 00", ContentsError, "8.6.2"),
]


@table(PLAIN)
def test_bit_string(row, place):
    row.check(place)


@table(NAMED)
def test_named_bits(row, place):
    row.check(place)


def test_exactly_the_unused_bits_must_be_zero():
    for unused in range(8):
        for last in range(256):
            data = bytes([3, 2, unused, last])
            if last % (1 << unused):
                with pytest.raises(ContentsError):
                    derlib.decode(BitString, data)
            else:
                bits = derlib.decode(BitString, data)
                assert (bits.bytes, bits.unused_bits, len(bits)) == (bytes([last]), unused,
                8 - unused)
                assert list(bits) == [bool(last & 0x80 >> place) for place in range(8 - unused)]


def test_named_bits_end_in_a_one_bit_for_every_last_octet():
    for unused in range(8):
        for last in range(256):
            data = bytes([3, 2, unused, last])
            if (last & -last) == 1 << unused:
                value = derlib.decode(Usage, data)
                assert int(value) == sum(1 << bit for bit in range(8) if last & 0x80 >> bit)
            else:
                with pytest.raises(ContentsError):
                    derlib.decode(Usage, data)


def test_bits_are_indexed_from_the_high_bit_of_the_first_octet():
    bits = derlib.decode(BitString, der("03", "04 80 10"))
    assert len(bits) == 12
    assert bits[0] is True
    assert bits[1] is False
    assert bits[11] is True
    assert bits[-1] is True
    with pytest.raises(IndexError):
        bits[12]
    with pytest.raises(IndexError):
        bits[-13]
    with pytest.raises(TypeError, match="a BitString is immutable"):
        bits.__init__(b"")
    assert len(bits) == 12


def test_bit_strings_that_differ_only_in_unused_bits_are_not_equal():
    four = derlib.decode(BitString, bytes.fromhex("030204a0"))
    five = derlib.decode(BitString, bytes.fromhex("030203a0"))
    assert four != five
    assert four == derlib.decode(BitString, bytes.fromhex("030204a0"))
    assert hash(four) == hash(derlib.decode(BitString, bytes.fromhex("030204a0")))


def test_named_bits_have_their_names():
    value = derlib.decode(Usage, bytes.fromhex("030205a0"))
    assert Usage.key_encipherment in value
    assert Usage.non_repudiation not in value

"""Restricted character strings: X.690 8.23 and 10.2, and the alphabets of X.680 41."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    BMPString,
    ContentsError,
    GeneralString,
    GraphicString,
    IA5String,
    IdentifierError,
    Implicit,
    NumericString,
    PrintableString,
    Sequence,
    StructureError,
    TeletexString,
    UniversalString,
    UTF8String,
    VideotexString,
    VisibleString,
)

from .rows import der, reads, refuses, table

PRINTABLE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"

UTF8 = [
    reads("no characters", str, "0c 00", ""),
    reads("ASCII", str, "0c 03 61 62 63", "abc"),
    reads("the other name of the type", UTF8String, "0c 03 61 62 63", "abc"),
    reads("the null character", str, "0c 01 00", "\0"),
    reads("the last of one octet", str, "0c 01 7f", "\x7f"),
    reads("the first of two octets", str, "0c 02 c2 80", "\x80"),
    refuses("U+0000 in two octets", str, "0c 02 c0 80", ContentsError, "8.23|41"),
    refuses("U+007F in two octets", str, "0c 02 c1 bf", ContentsError, "8.23|41"),
    reads("the last of two octets", str, "0c 02 df bf", "\u07ff"),
    reads("the first of three octets", str, "0c 03 e0 a0 80", "\u0800"),
    refuses("U+07FF in three octets", str, "0c 03 e0 9f bf", ContentsError, "8.23|41"),
    reads("the last before the surrogates", str, "0c 03 ed 9f bf", "\ud7ff"),
    refuses("the first surrogate", str, "0c 03 ed a0 80", ContentsError, "8.23|41"),
    refuses("the last surrogate", str, "0c 03 ed bf bf", ContentsError, "8.23|41"),
    refuses("a pair of surrogates", str, "0c 06 ed a0 bd ed b8 80", ContentsError, "8.23|41"),
    reads("the first after the surrogates", str, "0c 03 ee 80 80", "\ue000"),
    reads("the last of three octets, a noncharacter", str, "0c 03 ef bf bf", "\uffff"),
    reads("the first of four octets", str, "0c 04 f0 90 80 80", "\U00010000"),
    refuses("U+FFFF in four octets", str, "0c 04 f0 8f bf bf", ContentsError, "8.23|41"),
    reads("the last character, U+10FFFF", str, "0c 04 f4 8f bf bf", "\U0010ffff"),
    refuses("U+110000", str, "0c 04 f4 90 80 80", ContentsError, "8.23|41"),
    refuses("the first octet f5", str, "0c 04 f5 80 80 80", ContentsError, "8.23|41"),
    refuses("five octets a character", str, "0c 05 f8 88 80 80 80", ContentsError, "8.23|41"),
    refuses("the octet ff", str, "0c 01 ff", ContentsError, "8.23|41"),
    refuses("a lone continuation octet", str, "0c 01 80", ContentsError, "8.23|41"),
    refuses("a continuation octet too many", str, "0c 03 c2 80 80", ContentsError, "8.23|41"),
    refuses("two octets cut to one", str, "0c 01 c3", ContentsError, "8.23|41"),
    refuses("three octets cut to two", str, "0c 02 e2 82", ContentsError, "8.23|41"),
    refuses("four octets cut to three", str, "0c 03 f0 9f 98", ContentsError, "8.23|41"),
    refuses("latin-1", str, "0c 03 61 e9 62", ContentsError, "8.23|41"),
    refuses("the constructed form", str, "2c 03 0c 01 61", IdentifierError, "10.2"),
    refuses("a PrintableString", str, "13 01 61", StructureError),
]

NUMERIC = [
    reads("no characters", NumericString, "12 00", ""),
    reads("digits and a space", NumericString, der("12", b"0123 456789"), "0123 456789"),
    refuses("a letter", NumericString, der("12", b"12a4"), ContentsError, "41|8.23"),
    refuses("a full stop", NumericString, der("12", b"1.5"), ContentsError, "41|8.23"),
    refuses("a minus sign", NumericString, der("12", b"-1"), ContentsError, "41|8.23"),
    refuses("an octet over 7f", NumericString, "12 01 b2", ContentsError, "41|8.23"),
    refuses("the constructed form", NumericString, "32 03 12 01 31", IdentifierError, "10.2"),
]

PRINTABLE_STRING = [
    reads("no characters", PrintableString, "13 00", ""),
    reads("its alphabet", PrintableString, der("13", PRINTABLE.encode()), PRINTABLE),
    refuses("an asterisk", PrintableString, der("13", b"*.example"), ContentsError, "41|8.23"),
    refuses("a commercial at", PrintableString, der("13", b"a@b"), ContentsError, "41|8.23"),
    refuses("an ampersand", PrintableString, der("13", b"A & B"), ContentsError, "41|8.23"),
    refuses("an underscore", PrintableString, der("13", b"a_b"), ContentsError, "41|8.23"),
    refuses("an octet over 7f", PrintableString, der("13", b"caf\xe9"), ContentsError, "41|8.23"),
    refuses("a null octet at the end", PrintableString, der("13", b"abc\0"), ContentsError,
        "41|8.23"),
    refuses("the constructed form", PrintableString, "33 03 13 01 41", IdentifierError, "10.2"),
]

IA5 = [
    reads("no characters", IA5String, "16 00", ""),
    reads("all of its 128", IA5String, der("16", bytes(range(128))), bytes(range(128)).decode()),
    refuses("an octet of 80", IA5String, "16 01 80", ContentsError, "41|8.23"),
    refuses("UTF-8", IA5String, "16 02 c3 a9", ContentsError, "41|8.23"),
    refuses("the constructed form", IA5String, "36 03 16 01 41", IdentifierError, "10.2"),
]

VISIBLE = [
    reads("no characters", VisibleString, "1a 00", ""),
    reads("its alphabet", VisibleString, der("1a", bytes(range(32, 127))),
        bytes(range(32, 127)).decode()),
    refuses("the octet before space", VisibleString, "1a 01 1f", ContentsError, "41|8.23"),
    refuses("delete", VisibleString, "1a 01 7f", ContentsError, "41|8.23"),
    refuses("a line feed", VisibleString, der("1a", b"a\nb"), ContentsError, "41|8.23"),
    refuses("an octet over 7f", VisibleString, "1a 01 a0", ContentsError, "41|8.23"),
    refuses("the constructed form", VisibleString, "3a 03 1a 01 41", IdentifierError, "10.2"),
]

# The registered sets and escapes of X.690 8.23.5 are not interpreted: each byte is read as Latin-1.
ANY_OCTETS = [
    reads("TeletexString", TeletexString, der("14", b"caf\xe9 \x1b\x00"), "caf\xe9 \x1b\0"),
    reads("VideotexString", VideotexString, der("15", b"caf\xe9"), "caf\xe9"),
    reads("GraphicString", GraphicString, der("19", b"caf\xe9"), "caf\xe9"),
    reads("GeneralString", GeneralString, der("1b", b"caf\xe9\xff"), "caf\xe9\xff"),
    reads("an empty TeletexString", TeletexString, "14 00", ""),
    refuses("TeletexString in constructed form", TeletexString, "34 03 14 01 41", IdentifierError,
        "10.2"),
    refuses("VideotexString in constructed form", VideotexString, "35 03 15 01 41", IdentifierError,
        "10.2"),
    refuses("GraphicString in constructed form", GraphicString, "39 03 19 01 41", IdentifierError,
        "10.2"),
    refuses("GeneralString in constructed form", GeneralString, "3b 03 1b 01 41", IdentifierError,
        "10.2"),
]

BMP = [
    reads("no characters", BMPString, "1e 00", ""),
    reads("two characters", BMPString, "1e 04 00 41 20 ac", "A\u20ac"),
    reads("the null character", BMPString, "1e 02 00 00", "\0"),
    reads("the last before the surrogates", BMPString, "1e 02 d7 ff", "\ud7ff"),
    refuses("the first surrogate", BMPString, "1e 02 d8 00", ContentsError, "8.23|41"),
    refuses("the last surrogate", BMPString, "1e 02 df ff", ContentsError, "8.23|41"),
    refuses("a pair of surrogates, which is UTF-16", BMPString, "1e 04 d8 3d de 00", ContentsError,
        "8.23|41"),
    reads("the first after the surrogates", BMPString, "1e 02 e0 00", "\ue000"),
    reads("the last character", BMPString, "1e 02 ff ff", "\uffff"),
    reads("a character with d8 in its low octet", BMPString, "1e 04 00 d8 00 41", "\xd8A"),
    reads("a byte order mark as a character", BMPString, "1e 04 fe ff 00 41", "\ufeffA"),
    refuses("one octet", BMPString, "1e 01 41", ContentsError, "8.23|41"),
    refuses("three octets", BMPString, "1e 03 00 41 00", ContentsError, "8.23|41"),
    refuses("a surrogate after good characters", BMPString, "1e 06 00 41 00 42 dc 00",
        ContentsError, "8.23|41"),
    refuses("the constructed form", BMPString, "3e 04 1e 02 00 41", IdentifierError, "10.2"),
]

UNIVERSAL = [
    reads("no characters", UniversalString, "1c 00", ""),
    reads("two characters", UniversalString, "1c 08 00 00 00 41 00 01 f6 00", "A\U0001f600"),
    reads("the last before the surrogates", UniversalString, "1c 04 00 00 d7 ff", "\ud7ff"),
    refuses("the first surrogate", UniversalString, "1c 04 00 00 d8 00", ContentsError, "8.23|41"),
    refuses("the last surrogate", UniversalString, "1c 04 00 00 df ff", ContentsError, "8.23|41"),
    reads("the first after the surrogates", UniversalString, "1c 04 00 00 e0 00", "\ue000"),
    reads("d800 in a higher plane", UniversalString, "1c 04 00 01 d8 00", "\U0001d800"),
    reads("the last character, U+10FFFF", UniversalString, "1c 04 00 10 ff ff", "\U0010ffff"),
    reads("a byte order mark as a character", UniversalString, "1c 04 00 00 fe ff", "\ufeff"),
    refuses("U+110000", UniversalString, "1c 04 00 11 00 00", ContentsError, "8.23|41"),
    refuses("a set high octet", UniversalString, "1c 04 01 00 00 41", ContentsError, "8.23|41"),
    refuses("little-endian octets", UniversalString, "1c 04 41 00 00 00", ContentsError, "8.23|41"),
    refuses("two octets", UniversalString, "1c 02 00 41", ContentsError, "8.23|41"),
    refuses("five octets", UniversalString, "1c 05 00 00 00 41 00", ContentsError, "8.23|41"),
    refuses("the constructed form", UniversalString, "3c 06 1c 04 00 00 00 41", IdentifierError,
        "10.2"),
]


@table(UTF8)
def test_utf8_string(row, place):
    row.check(place)


@table([*NUMERIC, *PRINTABLE_STRING, *IA5, *VISIBLE])
def test_strings_of_ascii(row, place):
    row.check(place)


@table(ANY_OCTETS)
def test_strings_of_any_octets(row, place):
    row.check(place)


@table([*BMP, *UNIVERSAL])
def test_strings_of_wide_characters(row, place):
    row.check(place)


@pytest.mark.parametrize(
    ("type_", "tag", "alphabet"),
    [
        pytest.param(NumericString, 0x12, "0123456789 ", id="NumericString"),
        pytest.param(PrintableString, 0x13, PRINTABLE, id="PrintableString"),
        pytest.param(IA5String, 0x16, "".join(map(chr, range(128))), id="IA5String"),
        pytest.param(VisibleString, 0x1A, "".join(map(chr, range(32, 127))), id="VisibleString"),
    ],
)
def test_every_byte_is_in_the_alphabet_or_rejected(type_, tag, alphabet):
    for octet in range(256):
        data = bytes([tag, 1, octet])
        if chr(octet) in alphabet:
            assert derlib.decode(type_, data) == chr(octet)
        else:
            with pytest.raises(ContentsError):
                derlib.decode(type_, data)


@pytest.mark.parametrize("length", [*range(1, 40), 63, 64, 65, 127, 128, 129])
def test_one_invalid_byte_is_found_at_any_position(length):
    # Checks that process many bytes at a time must be correct at the borders of these blocks.
    cases = [(UTF8String, "0c", b"\xff"), (PrintableString, "13", b"*"), (IA5String, "16", b"\x80")]
    for type_, tag, bad in cases:
        good = b"a" * length
        assert derlib.decode(type_, der(tag, good)) == "a" * length
        for place in range(length):
            with pytest.raises(ContentsError):
                derlib.decode(type_, der(tag, good[:place], bad, good[place + 1 :]))


@pytest.mark.parametrize("character", ["\u00e9", "\u20ac", "\U0001f600"])
def test_utf8_characters_are_read_and_incomplete_ones_rejected_at_any_position(character):
    encoded = character.encode()
    for before in range(40):
        text = "a" * before + character + "b" * (before % 9)
        assert derlib.decode(str, der("0c", text.encode())) == text
        for cut in range(1, len(encoded)):
            for after in (b"", b"b", b"b" * 20):
                with pytest.raises(ContentsError):
                    derlib.decode(str, der("0c", b"a" * before, encoded[:cut], after))
                with pytest.raises(ContentsError):
                    derlib.decode(str, der("0c", b"a" * before, encoded[cut:], after))


def test_utf8_agrees_with_python_on_every_pair_of_octets():
    for first in range(256):
        for second in range(256):
            contents = bytes([first, second])
            try:
                expected = contents.decode("utf-8")
            except UnicodeDecodeError:
                with pytest.raises(ContentsError):
                    derlib.decode(str, b"\x0c\x02" + contents)
            else:
                assert derlib.decode(str, b"\x0c\x02" + contents) == expected


def test_utf8_agrees_with_python_on_the_edges_of_three_and_four_octets():
    edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    firsts = [0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8]
    for first in firsts:
        for second in edges:
            for third in edges:
                for fourth in edges:
                    contents = bytes([first, second, third, fourth])
                    for part in (contents[:3], contents):
                        data = der("0c", part)
                        try:
                            expected = part.decode("utf-8")
                        except UnicodeDecodeError:
                            with pytest.raises(ContentsError):
                                derlib.decode(str, data)
                        else:
                            assert derlib.decode(str, data) == expected


@pytest.mark.parametrize("text", ["é", "aé", "€uro", "abcdefghé"])
def test_bytes_after_a_string_are_not_read(text):
    class Texts(Sequence):
        first: str
        second: Annotated[bytes, Implicit(0)]

    contents = text.encode()
    assert Texts.decode(der("30", der("0c", contents), "80 00")).first == text

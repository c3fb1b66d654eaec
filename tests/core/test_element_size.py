"""`element_size`: the size of an element whose bytes arrive in pieces."""

import random
from typing import Any

import pytest

import derlib
from derlib import DecodeError, LimitError, element_size
from derlib.strategies import random_ber

LIST = derlib.SequenceOf[bytes]
SIZES = [
    ("", None, None),
    ("30", None, None),
    ("3003", 5, 5),
    ("3003020105", 5, 5),
    ("3003020105 3003", 5, 5),
    ("30 81", None, None),
    ("30 82 01", None, None),
    ("30 82 0100", 260, 260),
    ("30 84 ffffffff", 4_294_967_301, 4_294_967_301),
    ("30 88 ffffffffffffffff", 2**64 + 9, 2**64 + 9),
    ("30 fe" + "01" * 125, None, None),
    ("30 fe" + "ff" * 126, 2**1008 + 127, 2**1008 + 127),
    ("30 fe" + "00" * 125 + "03", "length-not-minimal", 131),
    ("30 81 05", "length-not-minimal", 8),
    ("30 ff", "length-reserved", "length-reserved"),
    ("bf 81", None, None),
    ("bf 81 01 03", 7, 7),
    ("bf 1e 03", "tag-not-minimal", "tag-not-minimal"),
    ("bf 80 01", "tag-not-minimal", "tag-not-minimal"),
    ("bf" + "ff" * 9, "tag-limit", "tag-limit"),
    ("00", None, None),
    ("00 00", "end-of-contents-stray", "end-of-contents-stray"),
    ("00 05", "tag-reserved", "tag-reserved"),
    ("20 80", "length-indefinite", "tag-reserved"),
    ("04 80", "length-indefinite", "indefinite-primitive"),
    ("30 80", "length-indefinite", None),
    ("30 80 020101 00", "length-indefinite", None),
    ("30 80 020101 0000", "length-indefinite", 7),
    ("30 80 020101 0000 30 80", "length-indefinite", 7),
    ("30 80 30 80 0000", "length-indefinite", None),
    ("30 80 30 80 0000 0000", "length-indefinite", 8),
    # Zero octets in the contents of a definite length do not end it.
    ("30 80 04 02 0000 0000", "length-indefinite", 8),
    ("30 80 30 84 ffffffff", "length-indefinite", None),
    ("30 80 00 05", "length-indefinite", "tag-reserved"),
    ("30 80 04 80", "length-indefinite", "indefinite-primitive"),
]


@pytest.mark.parametrize(("octets", "der", "ber"), SIZES)
def test_the_size_comes_from_the_headers(octets: str, der: int | str | None, ber: int | str | None) -> None:
    for rules, expected in (("der", der), ("ber", ber)):
        for data in (bytes.fromhex(octets), bytearray.fromhex(octets), memoryview(bytes.fromhex(octets))):
            if isinstance(expected, str):
                with pytest.raises((DecodeError, LimitError)) as caught:
                    element_size(data, rules=rules)
                assert caught.value.kind == expected
            else:
                assert element_size(data, rules=rules) == expected


def test_an_error_inside_an_indefinite_length_has_its_offset() -> None:
    with pytest.raises(DecodeError) as caught:
        element_size(bytes.fromhex("3080 020101 0005"), rules="ber")
    assert (caught.value.offset, caught.value.rule) == (5, "X.690 8.1.5")


def test_every_beginning_of_an_element_has_its_size_or_none() -> None:
    for seed in range(20):
        octets = random_ber(LIST, LIST([b"a", b"bc" * 100, b""]).encode(), random.Random(seed))
        sizes = [element_size(octets[:end] if end < len(octets) else octets + b"\x30", rules="ber")
                 for end in range(len(octets) + 1)]  # fmt: skip
        first = sizes.index(len(octets))
        assert sizes == [None] * first + [len(octets)] * (len(octets) + 1 - first)


def test_deep_nesting_needs_no_stack() -> None:
    depth = 1_000_000
    assert element_size(b"\x30\x80" * depth, rules="ber") is None
    assert element_size(b"\x30\x80" * depth + bytes(2 * depth), rules="ber") == 4 * depth


def test_wrong_arguments() -> None:
    wrong: Any = "30"
    with pytest.raises(TypeError, match="bytes-like"):
        element_size(wrong)
    with pytest.raises(ValueError, match="'ber' also accepts CER"):
        element_size(b"", rules="cer")
    with pytest.raises(BufferError):
        element_size(memoryview(b"300030")[::2])

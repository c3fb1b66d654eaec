"""BOOLEAN: X.690 8.2 and 11.1."""

import pytest

import derlib
from derlib import ContentsError, IdentifierError, TruncatedError

from .rows import reads, refuses, table

ROWS = [
    reads("FALSE", bool, "01 01 00", False),
    reads("TRUE", bool, "01 01 ff", True),
    refuses("TRUE as 01", bool, "01 01 01", ContentsError, "11.1"),
    refuses("TRUE as 80", bool, "01 01 80", ContentsError, "11.1"),
    refuses("TRUE as fe", bool, "01 01 fe", ContentsError, "11.1"),
    refuses("TRUE as 7f", bool, "01 01 7f", ContentsError, "11.1"),
    refuses("no contents", bool, "01 00", ContentsError, "8.2.1"),
    refuses("FALSE in two octets", bool, "01 02 00 00", ContentsError, "8.2.1"),
    refuses("TRUE in two octets", bool, "01 02 ff ff", ContentsError, "8.2.1"),
    refuses("the constructed form", bool, "21 03 01 01 ff", IdentifierError, "8.2.1|8.1.2.5"),
    refuses("missing contents", bool, "01 01", TruncatedError),
]


@table(ROWS)
def test_boolean(row, place):
    row.check(place)


@pytest.mark.parametrize("octet", range(1, 255))
def test_only_00_and_ff_are_valid(octet):
    with pytest.raises(ContentsError) as caught:
        derlib.decode(bool, bytes([1, 1, octet]))
    assert f"{octet:02x}" in str(caught.value)

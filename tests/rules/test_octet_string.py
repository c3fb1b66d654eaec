"""OCTET STRING (X.690 8.7, 10.2), which can have any contents, and NULL (8.8), which has none."""

import derlib
from derlib import (
    ContentsError,
    IdentifierError,
    Null,
    OctetString,
    StructureError,
    TruncatedError,
)

from .rows import der, reads, refuses, table

OCTET_STRING = [
    reads("no octets", bytes, "04 00", b""),
    reads("one zero octet", bytes, "04 01 00", b"\x00"),
    reads("every octet", bytes, der("04", bytes(range(256))), bytes(range(256))),
    reads("the other name of the type", OctetString, "04 02 be ef", b"\xbe\xef"),
    reads("contents that look like an element", bytes, "04 02 30 80", b"\x30\x80"),
    refuses("the constructed form in one part", bytes, "24 04 04 02 be ef", IdentifierError,
        "10.2"),
    refuses("the constructed form in two parts", bytes, "24 06 04 01 be 04 01 ef", IdentifierError,
        "10.2"),
    refuses("a BIT STRING", bytes, "03 02 00 be", StructureError),
    refuses("contents shorter by one octet", bytes, "04 02 be", TruncatedError),
]

NULL = [
    reads("NULL", Null, "05 00", derlib.NULL),
    refuses("NULL with one octet", Null, "05 01 00", ContentsError, "8.8.2"),
    refuses("NULL that holds NULL", Null, "05 02 05 00", ContentsError, "8.8.2"),
    refuses("the constructed form", Null, "25 00", IdentifierError, "8.8.1|8.1.2.5"),
    refuses("a context tag without contents", Null, "85 00", StructureError),
]


@table(OCTET_STRING)
def test_octet_string(row, place):
    row.check(place)


@table(NULL)
def test_null(row, place):
    row.check(place)


def test_null_has_one_value_which_is_false():
    value = derlib.decode(Null, b"\x05\x00")
    assert value is derlib.NULL
    assert not value
    assert value is not None

"""EXTERNAL (X.690 8.18), EMBEDDED PDV (8.17) and CHARACTER STRING (8.24), with a schema and without."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    TLV,
    CharacterString,
    ContentsError,
    DecodeError,
    EmbeddedPDV,
    External,
    IdentifierError,
    ObjectIdentifier,
    OrderError,
    SequenceOf,
    StructureError,
)

from .rows import EVERYWHERE, der, reads, refuses, table

OID = "06 03 88 37 01"
VALUE = ObjectIdentifier("2.999.1")


def external(encoding, direct=VALUE, indirect=None, descriptor=None):
    return {"direct_reference": direct, "indirect_reference": indirect, "data_value_descriptor": descriptor,
            "encoding": encoding}


def bad(name, type_, data, error, clause, offset):
    return refuses(name, type_, data, error, clause, offset, EVERYWHERE)


EXTERNAL = [
    reads("a single ASN.1 type", External, der("28", OID, "a0 03 02 01 05"),
        external(("single_asn1_type", b"\x02\x01\x05"))),
    reads("octets", External, der("28", OID, "81 02 be ef"), external(("octet_aligned", b"\xbe\xef"))),
    reads("bits", External, der("28", OID, "82 02 04 a0"), external(("arbitrary", "1010"))),
    reads("an indirect reference", External, der("28", "02 01 07", "81 00"),
        external(("octet_aligned", b""), None, 7)),
    reads("both references and a descriptor", External, der("28", OID, "02 01 07", "07 01 78", "81 00"),
        external(("octet_aligned", b""), VALUE, 7, "x")),
    bad("no reference", External, der("28", "81 00"), StructureError, "8.18", 0),
    bad("a descriptor but no reference", External, der("28", "07 01 78", "81 00"), StructureError, "8.18", 0),
    bad("no encoding", External, der("28", OID), StructureError, "8.9", 7),
    bad("nothing", External, "28 00", StructureError, "8.9", 2),
    bad("references in the other order", External, der("28", "02 01 07", OID, "81 00"), StructureError, "8", 5),
    bad("two encodings", External, der("28", OID, "81 00 81 00"), StructureError, "8.9", 9),
    bad("no such encoding", External, der("28", OID, "83 00"), StructureError, "8", 7),
    bad("a constructed octet-aligned encoding", External, der("28", OID, "a1 02 04 00"), DecodeError, "", 7),
    bad("bits with padding that is not zero", External, der("28", OID, "82 02 04 a1"), ContentsError, "11.2.1", 7),
    bad("a single type that is none", External, der("28", OID, "a0 00"), StructureError, "8.14", 9),
    bad("a single type that is not DER", External, der("28", OID, "a0 03 01 01 01"), ContentsError, "11.1", 9),
    bad("two single types", External, der("28", OID, "a0 04 05 00 05 00"), StructureError, "8.14", 11),
    bad("a SET out of order inside", External, der("28", OID, "a0 08 31 06 02 01 02 02 01 01"), OrderError, "11.6", 14),
    bad("an arc that is not finished", External, der("28", "06 01 88", "81 00"), ContentsError, "8.19", 2),
    bad("the primitive form", External, "08 00", IdentifierError, "8.1.2.5", 0),
]
IDENTIFICATIONS = {
    "syntaxes": ("a0 0a 80 03 88 37 01 81 03 88 37 01", {"abstract": VALUE, "transfer": VALUE}),
    "syntax": ("81 03 88 37 01", VALUE),
    "presentation_context_id": ("82 01 05", 5),
    "context_negotiation": ("a3 08 80 01 05 81 03 88 37 01", {"presentation_context_id": 5, "transfer_syntax": VALUE}),
    "transfer_syntax": ("84 03 88 37 01", VALUE),
    "fixed": ("85 00", derlib.NULL),
}
PDV = [
    reads(f"{name} ({type_.__name__})", type_, der(tag, der("a0", octets), "82 02 be ef"),
        {"identification": (name, value), field: b"\xbe\xef"})
    for type_, tag, field in ((EmbeddedPDV, "2b", "data_value"), (CharacterString, "3d", "string_value"))
    for name, (octets, value) in IDENTIFICATIONS.items()
]
BAD_PDV = [
    bad(f"{name} ({type_.__name__})", type_, der(tag, *parts), error, clause, offset)
    for type_, tag in ((EmbeddedPDV, "2b"), (CharacterString, "3d"))
    for name, parts, error, clause, offset in [
        ("a descriptor", ("a0 02 85 00", "81 01 78", "82 00"), StructureError, "8", 6),
        ("no data", ("a0 02 85 00",), StructureError, "8.9", 6),
        ("no identification", ("82 00",), StructureError, "8", 2),
        ("an identification without its tag", ("85 00", "82 00"), StructureError, "8", 2),
        ("no such identification", ("a0 02 86 00", "82 00"), StructureError, "8.13", 4),
        ("a broken OBJECT IDENTIFIER", ("a0 03 81 01 80", "82 00"), ContentsError, "8.19", 4),
        ("a NULL with contents", ("a0 03 85 01 00", "82 00"), ContentsError, "8.8", 4),
        ("more after", ("a0 02 85 00", "82 00", "83 00"), StructureError, "8.9", 8),
    ]
]


@table(EXTERNAL)
def test_external(row, place):
    row.check(place)


@table([*PDV, *BAD_PDV])
def test_embedded_pdv_and_character_string(row, place):
    row.check(place)


def test_they_are_built_and_come_back_from_plain_data():
    for value in (
        External(direct_reference=VALUE, encoding={"single_asn1_type": b"\x05\x00"}),
        External(indirect_reference=5, data_value_descriptor="x", encoding={"arbitrary": "101"}),
        EmbeddedPDV(identification={"syntaxes": {"abstract": "2.5", "transfer": "2.6"}}, data_value=b"x"),
        CharacterString(identification={"fixed": derlib.NULL}, string_value=b"x"),
    ):
        cls = type(value)
        assert cls.decode(value.encode()) == value
        assert cls.from_native(value.to_native()) == value == cls.from_json(value.to_json())
        assert derlib.parse(value.encode()).encode() == value.encode()
    with pytest.raises(derlib.ASN1Error, match="neither a direct nor an indirect reference"):
        External(encoding={"octet_aligned": b""})


def test_an_external_under_another_tag_needs_a_reference_too():
    class Holder(derlib.Sequence):
        value: Annotated[External, derlib.Implicit(0)]

    assert Holder.decode(der("30", der("a0", OID, "81 00"))).value.direct_reference == VALUE
    with pytest.raises(StructureError):
        Holder.decode(der("30", der("a0", "81 00")))


def test_they_nest_in_any_up_to_the_limit_of_depth():
    data = b"\x05\x00"
    for _ in range(49):
        data = der("28", OID, der("a0", data))
    assert derlib.parse(data).encode() == data
    with pytest.raises(derlib.LimitError):
        derlib.parse(der("28", OID, der("a0", der("28", OID, der("a0", data)))))


def test_a_long_list_of_elements_with_one_inside_is_checked_throughout():
    class Entry(derlib.Sequence):
        number: int
        value: TLV

    good = [der("30", "02 01", bytes([n]), der("28", "02 01", bytes([n]), "81 01 00")) for n in range(40)]
    assert len(derlib.decode(SequenceOf[Entry], der("30", *good))) == 40
    for place in (0, 5, 20, 39):
        wrong = [*good]
        wrong[place] = der("30", "02 01 05", der("28", "07 01 05", "81 01 00"))
        with pytest.raises(StructureError) as caught:
            derlib.decode(SequenceOf[Entry], der("30", *wrong))
        assert caught.value.path == (place, "value")

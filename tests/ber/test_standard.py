"""The examples of X.690, and the files of two test suites that have verdicts for BER."""

from typing import Annotated

import pytest
from corpus.tables import EXCEPTIONS, free_samples, go_samples
from rules.rows import der

import derlib
from derlib import (
    BitString,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Set,
    VisibleString,
)

from .rows import converted_or_error, converts, decode_ber, table

# --- The examples of clause 8

Type2 = Annotated[VisibleString, Implicit(3, "application")]

EXAMPLES = [
    # 8.6.4.2: '0A3B5F291CD'H. The primitive form is DER.
    converts("the BIT STRING of 8.6.4.2", BitString, "23 80 03 03 00 0a 3b 03 05 04 5f 29 1c d0 00 00",
        "03 07 04 0a 3b 5f 29 1c d0", "string-constructed@0"),
    # 8.7.3.2: segments can be of any size, also zero.
    converts("an OCTET STRING by 8.7.3.2", OctetString, "24 80 04 02 0a 3b 04 00 04 03 5f 29 1c 00 00",
        "04 05 0a 3b 5f 29 1c", "string-constructed@0"),
    # 8.23.6: Name ::= VisibleString, "Jones".
    converts("Jones of 8.23.6, of definite length", VisibleString, "3a 09 04 03 4a 6f 6e 04 02 65 73",
        "1a 05 4a 6f 6e 65 73", "string-constructed@0"),
    converts("Jones of 8.23.6, of indefinite length", VisibleString, "3a 80 04 03 4a 6f 6e 04 02 65 73 00 00",
        "1a 05 4a 6f 6e 65 73", "string-constructed@0"),
    # 8.14: Type2 to Type5 are Jones with tags. Here the string is in segments.
    converts("Type2 of 8.14", Type2, "63 80 04 03 4a 6f 6e 04 02 65 73 00 00", "43 05 4a 6f 6e 65 73",
        "string-constructed@0", None),
    converts("Type3 of 8.14", Annotated[Type2, Explicit(2)], "a2 0b 63 09 04 03 4a 6f 6e 04 02 65 73",
        "a2 07 43 05 4a 6f 6e 65 73", "string-constructed@2", None),
    converts("Type4 of 8.14", Annotated[Type2, Explicit(7, "application")],
        "67 80 63 80 04 05 4a 6f 6e 65 73 00 00 00 00", "67 07 43 05 4a 6f 6e 65 73",
        "length-indefinite@0 string-constructed@2", None),
    converts("Type5 of 8.14", Annotated[VisibleString, Implicit(2)], "a2 07 04 05 4a 6f 6e 65 73",
        "82 05 4a 6f 6e 65 73", "string-constructed@0", None),
    # 8.9.3: SEQUENCE {name IA5String, ok BOOLEAN}, of "Smith" and TRUE.
    converts("the SEQUENCE of 8.9.3", derlib.TLV, "30 80 16 05 53 6d 69 74 68 01 01 ff 00 00",
        "30 0a 16 05 53 6d 69 74 68 01 01 ff", "length-indefinite@0", places=("alone", "field")),
    # 8.19.5: {2 100 3}.
    converts("the OBJECT IDENTIFIER of 8.19.5", ObjectIdentifier, "06 81 03 81 34 03", "06 03 81 34 03",
        "length-not-minimal@0"),
]


@table(EXAMPLES)
def test_example(row, place):
    row.check(place)


# --- Annex A

Date = Annotated[VisibleString, Implicit(3, "application")]
EmployeeNumber = Annotated[int, Implicit(2, "application")]


class Name(Sequence, tag=Implicit(1, "application")):
    given_name: VisibleString
    initial: VisibleString
    family_name: VisibleString


class ChildInformation(Set):
    name: Name
    date_of_birth: Annotated[Date, Explicit(0)]


class PersonnelRecord(Set, tag=Implicit(0, "application")):
    name: Name
    title: Annotated[VisibleString, Explicit(0)]
    number: EmployeeNumber
    date_of_hire: Annotated[Date, Explicit(1)]
    name_of_spouse: Annotated[Name, Explicit(2)]
    children: Annotated[SequenceOf[ChildInformation], Implicit(3)] = []


def name(given: bytes, initial: bytes, family: bytes) -> bytes:
    return der("61", der("1a", given), der("1a", initial), der("1a", family))


NAME = name(b"John", b"P", b"Smith")
TITLE = der("a0", der("1a", b"Director"))
NUMBER = bytes.fromhex("42 01 33")
HIRED = der("a1", der("43", b"19710917"))
SPOUSE = der("a2", name(b"Mary", b"T", b"Smith"))
RALPH = [name(b"Ralph", b"T", b"Smith"), der("a0", der("43", b"19571111"))]
SUSAN = [name(b"Susan", b"B", b"Jones"), der("a0", der("43", b"19590717"))]
CHILDREN = der("a3", der("31", *RALPH), der("31", *SUSAN))
# In the Annex the components have the order of the type. By their tags, the number comes before the title.
ANNEX_A = der("60", NAME, TITLE, NUMBER, HIRED, SPOUSE, CHILDREN)
IN_ORDER = der("60", NAME, NUMBER, TITLE, HIRED, SPOUSE, CHILDREN)


def test_the_record_has_the_length_of_annex_a():
    assert ANNEX_A[:3] == bytes.fromhex("60 81 85")


@pytest.mark.parametrize("lengths", ["definite", "indefinite"])
def test_the_record_of_annex_a(lengths):
    data = ANNEX_A
    if lengths == "indefinite":
        children = b"".join(b"\x31\x80" + b"".join(one) + bytes(2) for one in (RALPH, SUSAN[::-1]))
        data = b"\x60\x80" + NAME + TITLE + NUMBER + HIRED + SPOUSE + b"\xa3\x80" + children + bytes(4)
    converted = derlib.ber.convert(data, PersonnelRecord)
    assert converted.der == IN_ORDER
    kinds = sorted(change.kind for change in converted.changes)
    expected = ["set-order"] if lengths == "definite" else ["length-indefinite"] * 4 + ["set-order"] * 2
    assert kinds == expected
    value = decode_ber(PersonnelRecord, data)
    assert value == PersonnelRecord.decode(IN_ORDER)
    assert [child.name.given_name for child in value.children] == ["Ralph", "Susan"]
    assert (value.number, value.title) == (0x33, "Director")


def test_an_empty_list_of_children_is_the_default():
    data = der("60", NAME, TITLE, NUMBER, HIRED, SPOUSE, "a3 80 00 00")
    converted = derlib.ber.convert(data, PersonnelRecord)
    assert converted.der == der("60", NAME, NUMBER, TITLE, HIRED, SPOUSE)
    assert sorted(change.kind for change in converted.changes) == ["default-encoded", "set-order"]


# --- Test suites of others

# The files of the free ASN.1 suite that are BER, each with its DER. Its other files break a rule of BER, or exceed a
# limit: tc15 and tc17 have an exponent of nine octets. The suite accepts tc40, a BIT STRING without an initial octet.
FREE = {
    "tc16": "090c80fb05050505050505050505",
    "tc20": "0209800001010101010101",
    "tc22": "0610ffffffffffffffffffff0f8503020203",
    "tc24": "0615ce608648889f4f090285eee54a85e4bf638bdb2f02",
    "tc28": "0101ff",
    "tc29": "010100",
    "tc32": "0500",
    "tc37": "03040401 0100",
    "tc38": "0307040a3b5f291cd0",
    "tc39": "030100",
    "tc44": "0400",
    "tc45": "0400",
}


def test_free_asn1_suite(shared_data):
    converted = {}
    for sample in free_samples(shared_data):
        try:
            converted[sample.name] = derlib.ber.convert(sample.octets).der
        except derlib.ASN1Error:
            assert not sample.name.startswith("free/tc") or sample.name[5:-4] not in FREE, sample
    found = {name[5:-4]: octets for name, octets in converted.items() if not name.startswith("free/encoded")}
    assert found == {name: bytes.fromhex(octets) for name, octets in FREE.items()}


# Rows that Go refuses, because Go follows DER here.
GO_DER = {
    "go/boolTestData/01": ["boolean-true"],
    "go/bitStringTestData/0701": ["bits-padding"],
    "go/bitStringTestData/0740": ["bits-padding"],
}
# The faults of DER that BER does not have, for which a table of exceptions has rows that Go accepts.
FORMS = ("utc-form", "generalized-form")


def test_go(shared_data):
    """Compare the verdicts: as in DER, except for the forms that only BER has."""
    for sample in go_samples(shared_data):
        if sample.header:
            continue
        exemption = EXCEPTIONS.get(sample.name)
        valid = sample.label == "valid" if exemption is None else exemption.kind in ("", *FORMS)
        converted, error = converted_or_error(sample.octets, None)
        if sample.name in GO_DER:
            assert [change.kind for change in converted.changes] == GO_DER[sample.name]
            continue
        assert (error is None) == valid, (sample.name, error)
        if valid:
            kinds = [change.kind for change in converted.changes]
            assert kinds == ([exemption.kind] if exemption is not None and exemption.kind else []), sample.name

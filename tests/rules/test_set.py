"""SET: members in the order of their tags, OPTIONAL, DEFAULT, missing and extra: X.690 8.11."""

from typing import Annotated

import pytest

import derlib
from derlib import (
    Choice,
    ContentsError,
    DefaultError,
    Explicit,
    Implicit,
    Null,
    OrderError,
    PrintableString,
    Sequence,
    Set,
    StructureError,
    TruncatedError,
)

from .rows import WITH_SCHEMA, reads, refuses, table


class Pair(Set):
    number: int
    flag: bool


class Optionals(Set):
    octets: bytes | None = None
    number: int | None = None
    flag: bool = False


class Classes(Set):
    """One member of each tag class, defined in the opposite order."""

    private: Annotated[int, Implicit(1, "private")]
    context: Annotated[int, Implicit(1)]
    application: Annotated[int, Implicit(1, "application")]
    universal: int


class Body(Sequence):
    pass


class Forms(Set):
    """A constructed member with a lower tag number than a primitive one: 16 and 19."""

    text: PrintableString
    body: Body


class LongTags(Set):
    low: Annotated[int, Implicit(30)]
    high: Annotated[int, Implicit(31)]
    higher: Annotated[int, Implicit(128)]


class ExplicitTags(Set):
    second: Annotated[bool, Explicit(2)]
    first: Annotated[int, Implicit(1)]


class Either(Choice):
    low: Annotated[int, Implicit(0)]
    high: Annotated[int, Implicit(9)]


class WithChoice(Set):
    either: Either
    middle: Annotated[int, Implicit(5)]


MEMBERS = [
    reads("two members in the order of their tags", Pair, "31 06 01 01 ff 02 01 05",
        {"number": 5, "flag": True}),
    refuses("two members in the order of the definition", Pair, "31 06 02 01 05 01 01 ff",
        OrderError, "10.3", 5),
    refuses("no members where two are due", Pair, "31 00", StructureError, "8.11", 2),
    refuses("a missing last member", Pair, "31 03 01 01 ff", StructureError, "8.11", 5),
    refuses("a missing first member", Pair, "31 03 02 01 05", StructureError, "8.11", 5),
    refuses("a member twice", Pair, "31 09 01 01 ff 02 01 05 02 01 06",
        (StructureError, OrderError), "", 8),
    refuses("the same value twice", Pair, "31 09 01 01 ff 01 01 ff 02 01 05",
        (StructureError, OrderError), "", 5),
    refuses("an extra member", Pair, "31 08 01 01 ff 02 01 05 05 00", StructureError, "8.11", 8),
    refuses("an extra member before the others", Pair, "31 09 00 01 00 01 01 ff 02 01 05",
        StructureError, "", 2),
    refuses("a malformed member", Pair, "31 06 01 01 01 02 01 05", ContentsError, "11.1", 2),
    refuses("a member longer than the rest", Pair, "31 06 01 01 ff 02 02 05", TruncatedError, "", 5,
        WITH_SCHEMA),
]

OPTIONAL = [
    reads("all absent", Optionals, "31 00", {"octets": None, "number": None, "flag": False}),
    reads("all present", Optionals, "31 08 01 01 ff 02 01 05 04 00",
        {"octets": b"", "number": 5, "flag": True}),
    reads("two of three", Optionals, "31 05 02 01 05 04 00",
        {"octets": b"", "number": 5, "flag": False}),
    refuses("two of three out of order", Optionals, "31 05 04 00 02 01 05", OrderError, "10.3", 4),
    refuses("an encoded default", Optionals, "31 03 01 01 00", DefaultError, "11.5", 2),
    refuses("an element that is none of them", Optionals, "31 02 05 00", StructureError, "8.11",
        2),
]

# X.680 8.6: universal, application, context, private; then by number. The form is ignored.
ORDER = [
    reads(
        "the four classes in their order",
        Classes,
        "31 0c 02 01 00 41 01 01 81 01 02 c1 01 03",
        {"private": 3, "context": 2, "application": 1, "universal": 0},
    ),
    refuses("private before context", Classes, "31 0c 02 01 00 41 01 01 c1 01 03 81 01 02",
        OrderError, "10.3", 11),
    refuses("context before application", Classes, "31 0c 02 01 00 81 01 02 41 01 01 c1 01 03",
        OrderError, "10.3", 8),
    refuses("application before universal", Classes, "31 0c 41 01 01 02 01 00 81 01 02 c1 01 03",
        OrderError, "10.3", 5),
    reads("a SEQUENCE before a PrintableString", Forms, "31 05 30 00 13 01 41",
        {"text": "A", "body": {}}),
    refuses("the order of the octets, not of the tags", Forms, "31 05 13 01 41 30 00", OrderError,
        "10.3", 5, WITH_SCHEMA),
    reads(
        "tag numbers in long form after those in short form",
        LongTags,
        "31 0c 9e 01 01 9f 1f 01 02 9f 81 00 01 03",
        {"low": 1, "high": 2, "higher": 3},
    ),
    refuses("tag 128 before tag 31", LongTags, "31 0c 9e 01 01 9f 81 00 01 03 9f 1f 01 02",
        OrderError, "10.3", 10),
    reads("explicit tags by their number", ExplicitTags, "31 08 81 01 05 a2 03 01 01 ff",
        {"second": True, "first": 5}),
    refuses("explicit tags by their form", ExplicitTags, "31 08 a2 03 01 01 ff 81 01 05",
        OrderError, "10.3", 7),
]

# X.690 10.3, note: an untagged CHOICE is ordered by the tag of its chosen alternative.
CHOICES = [
    reads("a CHOICE before the other member", WithChoice, "31 06 80 01 01 85 01 02",
        {"either": ("low", 1), "middle": 2}),
    reads("a CHOICE after the other member", WithChoice, "31 06 85 01 02 89 01 01",
        {"either": ("high", 1), "middle": 2}),
    refuses("a CHOICE where its other alternative belongs", WithChoice, "31 06 89 01 01 85 01 02",
        OrderError, "10.3", 5),
    refuses("two alternatives of one CHOICE", WithChoice, "31 09 80 01 01 85 01 02 89 01 01",
        StructureError, "8.11", 8),
]


@table(MEMBERS)
def test_members(row, place):
    row.check(place)


@table(OPTIONAL)
def test_optional_and_default(row, place):
    row.check(place)


@table([*ORDER, *CHOICES])
def test_order(row, place):
    row.check(place)


def test_members_are_encoded_by_tag_whatever_their_order_in_the_class():
    data = bytes.fromhex("310c 020100 410101 810102 c10103")
    view = Classes.decode(data)
    assert view.span("universal").offset == 2
    assert view.span("application").offset == 5
    assert view.span("context").offset == 8
    assert view.span("private").offset == 11


def test_a_null_member_is_found_among_others():
    class WithNull(Set):
        nothing: Null
        octets: bytes

    view = WithNull.decode(bytes.fromhex("3104 0400 0500"))
    assert view.nothing is derlib.NULL
    assert view.octets == b""
    with pytest.raises(OrderError):
        WithNull.decode(bytes.fromhex("3104 0500 0400"))


def test_a_set_of_3gpp_with_more_members_than_a_word_has_bits() -> None:
    # PGWRecord of 3GPP TS 32.298 has 68 components.
    fields = [
        derlib.Field(f"field{number}", Annotated[int, Implicit(number)], optional=number != 200)
        for number in range(256)
    ]

    class Large(Set, fields=fields):
        pass

    values = dict.fromkeys(("field0", "field63", "field64", "field127", "field128", "field200", "field255"), 5)
    octets = Large(**values).encode()
    decoded = Large.decode(octets)
    assert {name: getattr(decoded, name) for name in values} == values
    assert decoded.field1 is None
    assert Large.decode(derlib.ber.convert(octets, Large).der) == decoded
    members = [each.encode() for each in derlib.parse(octets).children]
    mixed = b"".join(members[::-1])
    assert Large.decode(bytes([0x31, len(mixed)]) + mixed, rules="ber").encode() == octets
    for at in range(len(members)):
        twice = b"".join([*members, members[at]])
        data = bytes([0x31, len(twice)]) + twice
        for options in ({"rules": "ber"}, {"tolerate": derlib.Deviation.SET_ORDER}):
            with pytest.raises(StructureError):
                Large.decode(data, **options)
    without = b"".join(members[:5] + members[6:])
    with pytest.raises(StructureError, match="field200"):
        Large.decode(bytes([0x31, len(without)]) + without)

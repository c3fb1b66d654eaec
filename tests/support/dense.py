"""Inputs with as many elements as possible. `test_work.py` counts the instructions of decoding them.

The smallest element has two octets, so the work per element weighs most in lists of these. As a script, it decodes each
case between two marks of bench/harness/callgrind.py.
"""

from __future__ import annotations

import os
from typing import Annotated, Any, NamedTuple

from support.classes import dynamic_class
from support.der import der

import derlib
from derlib import (
    OIDIRI,
    TLV,
    Absent,
    Alphabet,
    BitString,
    Choice,
    Containing,
    DefinedBy,
    Deviation,
    Explicit,
    Field,
    GeneralizedTime,
    Implicit,
    Null,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Range,
    Real,
    RelativeOIDIRI,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTCTime,
    UTF8String,
    WithComponents,
)
from derlib.schemas.crl import RevokedCertificate
from derlib.schemas.general import GeneralName
from derlib.schemas.x509 import RelativeDistinguishedName

COUNT = 4_000
SELECTOR = bytes.fromhex("06022a03")
TYPED = OpenTypes("TYPED", {"1.2.3": int})


def opaque_table(type_: Any) -> OpenTypes:
    """Return a table of this type in which a mismatch stays opaque."""
    return OpenTypes("OPAQUE", {"1.2.3": type_}, on_mismatch="opaque")


class Needy(Sequence):
    """A list that cannot be empty."""

    a: int


def keyed(value: Any) -> Any:
    """Return a type with a key, and a value whose type the key can select."""
    return dynamic_class(Sequence, "Keyed", Field("key", ObjectIdentifier), Field("value", value))


def elements_of(table: OpenTypes, some: Any = SequenceOf, around: Any = TLV) -> Any:
    """Return a type whose elements have the type in the table, or contain one."""
    return keyed(some[Annotated[around, DefinedBy("key", table)]])


class NeedySet(Set):
    """The same fields as a SET."""

    a: int


class Short(Sequence):
    """A field with a constraint."""

    a: Annotated[UTF8String, Size(2)]


class Inner(Sequence):
    needy: Needy


class Outer(Sequence):
    """A value with a fault two levels below."""

    inner: Inner


class Pick(Choice):
    """Alternatives, of which the last is chosen."""

    a: int
    b: bytes
    c: UTF8String
    d: ObjectIdentifier
    e: bool
    f: Null


class Least(Sequence):
    """A value that can be empty, with two templates."""

    a: int | None = None


class Pairs(Sequence):
    """Variable contents, with a template for each pair of lengths."""

    first: int
    second: int


NUMBERED = [der(0x02, b"\x01" * length) for length in range(1, 9)]
# Neighbours of equal length without variable contents, so none matches the template of the one before.
FLAGS = [b"\x30\x03\x01\x01\xff", b"\x30\x03\x01\x01\x00"]
EMPTIES = [b"\x30\x02\x04\x00", b"\x30\x02\x05\x00"]


class LeastSet(Set):
    """The same fields as a SET."""

    a: int | None = None


class Third(Choice):
    a: int
    b: bytes


class Second(Choice):
    third: Third
    c: Null


class First(Choice):
    """A CHOICE in a CHOICE in a CHOICE."""

    second: Second
    d: bool


class Growing(Sequence, extensible=True):
    """A SEQUENCE that allows additions after its components."""

    a: int | None = None
    b: bytes | None = None
    c: UTF8String | None = None
    d: ObjectIdentifier | None = None


class GrowingChoice(Choice, extensible=True):
    a: int
    b: bytes


class Defaults(Sequence):
    """Only the last of many components is present."""

    a: Annotated[int, Implicit(0)] = 5
    b: Annotated[int, Implicit(1)] = 5
    c: Annotated[int, Implicit(2)] = 5
    d: Annotated[int, Implicit(3)] = 5
    e: Annotated[int, Implicit(4)] = 5
    f: Annotated[int, Implicit(5)] = 5
    g: Annotated[int, Implicit(6)] = 5


class Members(Set):
    a: int | None = None
    b: bytes | None = None
    c: UTF8String | None = None
    d: ObjectIdentifier | None = None
    e: bool | None = None


class Case(NamedTuple):
    """The type, the input and the options of a decoding."""

    name: str
    type: Any
    octets: bytes
    tolerate: Deviation | None = None


# An open type with its own selector, which can be a mismatch; the same in a table with on_mismatch="error"; and in a
# string.
Selected = keyed(Annotated[TLV, DefinedBy("key", opaque_table(Needy))])
SelectedTyped = keyed(Annotated[TLV, DefinedBy("key", TYPED)])
SelectedString = keyed(Annotated[bytes, DefinedBy("key", TYPED)])
# A CRL entry like those of CAcert: a serial number of three bytes, a UTCTime.
CRL = Case(
    "crl",
    SequenceOf[RevokedCertificate],
    der(0x30, der(0x30, b"\x02\x03\x01\x23\x45" + der(0x17, b"260101000000Z")) * COUNT),
)
EMPTY = b"\x05\x00" * COUNT


class Flagged(Sequence):
    """No contents are variable: see derlib/core/decode/list_templates.pxi."""

    flag: bool | None = None
    octets: bytes | None = None
    nothing: Null | None = None


def unlike(size: int) -> bytes:
    """Return elements of this size, none of which matches the template of the one before."""
    return b"".join(der(0x30, der(0x04, i.to_bytes(size - 4, "big"))) for i in range(COUNT * 4 // size))


STRINGS = b"\x04\x00" * COUNT
STRICT = [
    Case("NULLs", SequenceOf[Null], der(0x30, EMPTY)),
    Case("empty strings", SequenceOf[bytes], der(0x30, STRINGS)),
    Case("empty strings in order", SetOf[bytes], der(0x31, STRINGS)),
    Case("BOOLEANs", SequenceOf[bool], der(0x30, b"\x01\x01\xff" * COUNT)),
    Case("INTEGERs", SetOf[int], der(0x31, b"\x02\x01\x05" * COUNT)),
    Case("empty SEQUENCEs", SequenceOf[Least], der(0x30, b"\x30\x00" * COUNT)),
    Case("SEQUENCEs of two shapes", SequenceOf[Least], der(0x30, b"\x30\x00\x30\x03\x02\x01\x05" * COUNT)),
    *(
        Case(f"SEQUENCEs of {size} octets without a common shape", SequenceOf[Flagged], der(0x30, unlike(size)))
        for size in (6, 16, 33, 64)
    ),
    Case(
        "SEQUENCEs of 64 shapes",
        SequenceOf[Pairs],
        der(0x30, b"".join(der(0x30, NUMBERED[i % 8] + NUMBERED[i // 8 % 8]) for i in range(COUNT))),
    ),
    *(
        Case(
            f"lists of {count} SEQUENCEs of {len(pair[0])} octets without a common shape",
            SequenceOf[SequenceOf[Flagged]],
            der(0x30, der(0x30, b"".join(pair[i % 2] for i in range(count))) * (COUNT // count)),
        )
        for count in (9, 17, 40)
        for pair in (FLAGS, EMPTIES)
    ),
    Case("empty SETs", SequenceOf[LeastSet], der(0x30, b"\x31\x00" * COUNT)),
    Case("empty lists", SequenceOf[SequenceOf[Null]], der(0x30, b"\x30\x00" * COUNT)),
    Case("CHOICEs", SequenceOf[Pick], der(0x30, EMPTY)),
    Case("opaque mismatches", elements_of(opaque_table(int)), der(0x30, SELECTOR + der(0x30, EMPTY))),
    Case("opaque mismatches in order", elements_of(opaque_table(int), SetOf), der(0x30, SELECTOR + der(0x31, EMPTY))),
    *(
        Case(
            f"opaque mismatches {name}",
            elements_of(opaque_table(type_)),
            der(0x30, SELECTOR + der(0x30, octets * COUNT)),
        )
        for name, type_, octets in [
            ("by value", Annotated[int, Range(0, 5)], b"\x02\x01\x06"),
            ("by size", Annotated[UTF8String, Size(2)], b"\x0c\x00"),
            ("by a rule", Annotated[int, OneOf(1, 2)], b"\x02\x01\x06"),
            ("by an alphabet", Annotated[UTF8String, Alphabet("a")], b"\x0c\x01b"),
            ("by contents", Annotated[int, Implicit(0)], b"\x80\x00"),
            ("of a CHOICE", Annotated[UTF8String, Size(2)] | int, b"\x0c\x00"),
            ("of a SEQUENCE", Needy, b"\x30\x00"),
            ("of a list", Annotated[SequenceOf[int], Size(1)], b"\x30\x00"),
            ("of an explicit tag", Annotated[int, Explicit(0)], b"\xa0\x00"),
            ("of a SET", NeedySet, b"\x31\x00"),
            ("with another first component", Needy, b"\x30\x02\x05\x00"),
            ("with a component that is at fault", Short, b"\x30\x02\x0c\x00"),
            ("with another component", Needy, b"\x30\x05\x02\x01\x05\x05\x00"),
            ("with another member", NeedySet, b"\x31\x02\x05\x00"),
            ("with another element", SequenceOf[int], b"\x30\x02\x05\x00"),
            ("two levels down", Outer, b"\x30\x04\x30\x02\x30\x00"),
            ("three levels down", Outer, b"\x30\x06\x30\x04\x30\x02\x05\x00"),
            ("in an explicit tag", Annotated[UTF8String, Size(2), Explicit(0)], b"\xa0\x02\x0c\x00"),
            ("by a rule of a CHOICE", Annotated[Annotated[UTF8String, Size(2)] | int, OneOf(7)], b"\x02\x01\x05"),
        ]
    ),
    *(
        Case(
            f"opaque mismatches {name}",
            elements_of(opaque_table(type_), around=around),
            der(0x30, SELECTOR + der(0x30, octets * COUNT)),
        )
        for name, type_, around, octets in [
            ("in strings", int, bytes, b"\x04\x00"),
            ("in strings of an octet", int, bytes, b"\x04\x01\x05"),
            ("in strings with an element", Needy, bytes, b"\x04\x02\x30\x00"),
            ("in bits", int, BitString, b"\x03\x01\x00"),
            ("in bits with an element", Needy, BitString, b"\x03\x03\x00\x30\x00"),
        ]
    ),
    *(
        Case(name, SequenceOf[type_], der(0x30, octets * COUNT))
        for name, type_, octets in [
            ("CHOICEs in CHOICEs", First, b"\x04\x00"),
            ("unknown alternatives", GrowingChoice, b"\x05\x00"),
            ("explicit tags", Annotated[Null, Explicit(0)], b"\xa0\x02\x05\x00"),
            ("explicit tags in explicit tags", Annotated[Null, Explicit(0), Explicit(1)], b"\xa1\x04\xa0\x02\x05\x00"),
            ("lists of an element", SequenceOf[Null], b"\x30\x02\x05\x00"),
            ("strings with contents", Annotated[Any, OctetString, Containing(Null)], b"\x04\x02\x05\x00"),
            ("strings with a SEQUENCE", Annotated[Any, OctetString, Containing(Least)], b"\x04\x02\x30\x00"),
            ("bits with contents", Annotated[Any, BitString, Containing(Null)], b"\x03\x03\x00\x05\x00"),
            ("SETs with a member", Members, b"\x31\x03\x01\x01\xff"),
            ("SETs with members", Members, b"\x31\x0a\x01\x01\xff\x02\x01\x05\x04\x00\x0c\x00"),
            ("SIZE of empty texts", Annotated[UTF8String, Size(0, 2)], b"\x0c\x00"),
            ("SIZE", Annotated[UTF8String, Size(0, 2)], b"\x0c\x01a"),
            ("alphabets of empty texts", Annotated[UTF8String, Alphabet("a")], b"\x0c\x00"),
            ("alphabets", Annotated[UTF8String, Alphabet("a")], b"\x0c\x01a"),
            ("single values", Annotated[int, OneOf(1, 2)], b"\x02\x01\x02"),
            ("an empty single value", Annotated[UTF8String, OneOf("", "a", "b")], b"\x0c\x00"),
            ("value ranges", Annotated[int, Range(0, 5)], b"\x02\x01\x02"),
            ("a rule about a component", Annotated[Least, WithComponents(a=Absent)], b"\x30\x00"),
            ("REAL zeros", Real, b"\x09\x00"),
            ("REALs", Real, b"\x09\x03\x80\x00\x01"),
            ("identifiers", ObjectIdentifier, b"\x06\x01\x2a"),
            ("OID-IRIs", OIDIRI, b"\x1f\x23\x02/1"),
            ("relative OID-IRIs", RelativeOIDIRI, b"\x1f\x24\x01a"),
            ("times", UTCTime, der(0x17, b"260101000000Z")),
            ("generalized times", GeneralizedTime, der(0x18, b"20260101000000.5Z")),
            ("general names", GeneralName, b"\x82\x00"),
            ("directory names", GeneralName, b"\xa4\x02\x30\x00"),
            ("other names", GeneralName, b"\xa0\x07\x06\x01\x2a\xa0\x02\x05\x00"),
            ("relative names", RelativeDistinguishedName, b"\x31\x07\x30\x05\x06\x01\x2a\x05\x00"),
        ]
    ),
    # In a SET OF, repeated elements have no fast path.
    *(
        Case(f"{name}, in order", SetOf[type_], der(0x31, octets * COUNT))
        for name, type_, octets in [
            ("empty SEQUENCEs", Least, b"\x30\x00"),
            ("empty SETs", LeastSet, b"\x31\x00"),
            ("defaults", Defaults, b"\x30\x03\x86\x01\x06"),
            ("CHOICEs in CHOICEs", First, b"\x04\x00"),
            ("a union", Annotated[UTF8String, Size(0, 2)] | int, b"\x0c\x00"),
            ("selected values", Selected, der(0x30, SELECTOR + EMPTY[:2])),
            ("selected mismatches", Selected, der(0x30, SELECTOR + b"\x30\x00")),
            ("unknown selectors", SelectedTyped, der(0x30, b"\x06\x01\x2a\x05\x00")),
            ("selected numbers", SelectedTyped, der(0x30, SELECTOR + b"\x02\x01\x05")),
            ("unknown strings", SelectedString, der(0x30, b"\x06\x01\x2a\x04\x00")),
            ("selected strings", SelectedString, der(0x30, SELECTOR + b"\x04\x03\x02\x01\x05")),
        ]
    ),
    Case("additions", Growing, der(0x30, EMPTY)),
    Case("additions of another class", Growing, der(0x30, b"\x80\x00" * COUNT)),
    Case("one SIZE", Annotated[UTF8String, Size(0, 10**6)], der(0x0C, "a\xe4".encode() * COUNT)),
    Case("one alphabet", Annotated[UTF8String, Alphabet("aceg\xe4")], der(0x0C, "a\xe4".encode() * COUNT)),
    Case("arcs", ObjectIdentifier, der(0x06, b"\x01" * COUNT)),
    *(
        Case(f"ANY, {name}", TLV, der(0x30, octets * COUNT))
        for name, octets in [
            ("BOOLEANs", b"\x01\x01\xff"),
            ("INTEGERs", b"\x02\x01\x05"),
            ("identifiers", b"\x06\x01\x2a"),
            ("SETs", b"\x31\x04\x05\x00\x05\x00"),
            ("long tags", b"\x9f\x1f\x00"),
            ("relative OID-IRIs", b"\x1f\x24\x01a"),
            ("times", der(0x17, b"260101000000Z")),
        ]
    ),
    Case("ANY", TLV, der(0x30, EMPTY)),
    Case("ANY in order", TLV, der(0x31, EMPTY)),
    Case("ANY, nested", TLV, der(0x30, b"\x30\x02\x30\x00" * COUNT)),
]
EVERYTHING = ~Deviation(0)
# Each of these records a deviation for each element, or tolerates all of them.
LENIENT = [case._replace(name=f"{case.name}, all tolerated", tolerate=EVERYTHING) for case in STRICT] + [
    Case("typed mismatches", elements_of(TYPED), der(0x30, SELECTOR + der(0x30, EMPTY)), EVERYTHING),
    Case("strings in disorder", SetOf[bytes], der(0x31, b"\x04\x01\x00\x04\x00" * COUNT), EVERYTHING),
    Case(
        "opaque mismatches that are not DER",
        elements_of(opaque_table(int)),
        der(0x30, SELECTOR + der(0x30, b"\x01\x01\x05" * COUNT)),
        EVERYTHING,
    ),
    Case(
        "opaque mismatches of the right tag that are not DER",
        elements_of(opaque_table(Annotated[int, Range(0, 1)])),
        der(0x30, SELECTOR + der(0x30, b"\x02\x02\x00\x05" * COUNT)),
        EVERYTHING,
    ),
    Case("long lengths", SequenceOf[bytes], der(0x30, b"\x04\x81\x00" * COUNT), EVERYTHING),
    Case("BOOLEANs of another octet", SequenceOf[bool], der(0x30, b"\x01\x01\x01" * COUNT), EVERYTHING),
]
CASES = [CRL, *STRICT, *LENIENT]


if __name__ == "__main__":
    for case in CASES:
        # The first run is not counted, because it also compiles the schema.
        derlib.decode(case.type, case.octets, tolerate=case.tolerate)
        os.getppid()
        derlib.decode(case.type, case.octets, tolerate=case.tolerate)
        os.getppid()

"""Inputs with as many elements as octets allow, which `test_work.py` counts the instructions of: dense.py.

Elements of two octets are the most that a sender can have, so the work for each element weighs most in these. Run as a
script it decodes each case between two marks of bench/harness/callgrind.py.
"""

from __future__ import annotations

import os
from typing import Annotated, Any, NamedTuple

from classes import dynamic_class
from work import der

import derlib
from derlib import (
    TLV,
    Alphabet,
    Choice,
    DefinedBy,
    Deviation,
    Explicit,
    Field,
    Implicit,
    Null,
    ObjectIdentifier,
    OneOf,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
    UTF8String,
)
from derlib.schemas.crl import RevokedCertificate

COUNT = 10_000
SELECTOR = bytes.fromhex("06022a03")
HARD = OpenTypes("HARD", {"1.2.3": int})


def soft(type_: Any) -> OpenTypes:
    """A table of this type, where a misfit stays opaque."""
    return OpenTypes("SOFT", {"1.2.3": type_}, soft=True)


class Needy(Sequence):
    """May not be empty."""

    a: int


def elements_of(table: OpenTypes, some: Any = SequenceOf, around: Any = TLV) -> Any:
    """A type whose elements are each of the type that the table has for the key, or contain one."""
    values = some[Annotated[around, DefinedBy("key", table)]]
    return dynamic_class(Sequence, "Elements", Field("key", ObjectIdentifier), Field("values", values))


class Pick(Choice):
    """Alternatives, of which the last is looked for longest."""

    a: int
    b: bytes
    c: UTF8String
    d: ObjectIdentifier
    e: bool
    f: Null


class Least(Sequence):
    """May be empty, and has two shapes."""

    a: int | None = None


class LeastSet(Set):
    """The same as a SET."""

    a: int | None = None


class Case(NamedTuple):
    """What is decoded, and how."""

    name: str
    type: Any
    octets: bytes
    tolerate: Deviation | None = None


# A CRL entry as CAcert has them: a serial of three octets, a UTCTime.
CRL = Case(
    "crl",
    SequenceOf[RevokedCertificate],
    der(0x30, der(0x30, b"\x02\x03\x01\x23\x45" + der(0x17, b"260101000000Z")) * COUNT),
)
EMPTY = b"\x05\x00" * COUNT
STRINGS = b"\x04\x00" * COUNT
STRICT = [
    Case("NULLs", SequenceOf[Null], der(0x30, EMPTY)),
    Case("empty strings", SequenceOf[bytes], der(0x30, STRINGS)),
    Case("empty strings in order", SetOf[bytes], der(0x31, STRINGS)),
    Case("BOOLEANs", SequenceOf[bool], der(0x30, b"\x01\x01\xff" * COUNT)),
    Case("INTEGERs", SetOf[int], der(0x31, b"\x02\x01\x05" * COUNT)),
    Case("empty SEQUENCEs", SequenceOf[Least], der(0x30, b"\x30\x00" * COUNT)),
    Case("SEQUENCEs of two shapes", SequenceOf[Least], der(0x30, b"\x30\x00\x30\x03\x02\x01\x05" * COUNT)),
    Case("empty SETs", SequenceOf[LeastSet], der(0x30, b"\x31\x00" * COUNT)),
    Case("empty lists", SequenceOf[SequenceOf[Null]], der(0x30, b"\x30\x00" * COUNT)),
    Case("CHOICEs", SequenceOf[Pick], der(0x30, EMPTY)),
    Case("soft misfits", elements_of(soft(int)), der(0x30, SELECTOR + der(0x30, EMPTY))),
    Case("soft misfits in order", elements_of(soft(int), SetOf), der(0x30, SELECTOR + der(0x31, EMPTY))),
    *(
        Case(f"soft misfits {name}", elements_of(soft(type_)), der(0x30, SELECTOR + der(0x30, octets * COUNT)))
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
        ]
    ),
    Case("soft misfits in strings", elements_of(soft(int), around=bytes), der(0x30, SELECTOR + der(0x30, STRINGS))),
    Case("ANY", TLV, der(0x30, EMPTY)),
    Case("ANY in order", TLV, der(0x31, EMPTY)),
    Case("ANY, nested", TLV, der(0x30, b"\x30\x02\x30\x00" * COUNT)),
]
EVERYTHING = ~Deviation(0)
# Each of these notes a deviation for each element, or is told all of them.
LENIENT = [case._replace(name=f"{case.name}, all tolerated", tolerate=EVERYTHING) for case in STRICT] + [
    Case("hard misfits", elements_of(HARD), der(0x30, SELECTOR + der(0x30, EMPTY)), EVERYTHING),
    Case("strings in disorder", SetOf[bytes], der(0x31, b"\x04\x01\x00\x04\x00" * COUNT), EVERYTHING),
    Case("long lengths", SequenceOf[bytes], der(0x30, b"\x04\x81\x00" * COUNT), EVERYTHING),
    Case("BOOLEANs of another octet", SequenceOf[bool], der(0x30, b"\x01\x01\x01" * COUNT), EVERYTHING),
]
CASES = [CRL, *STRICT, *LENIENT]


if __name__ == "__main__":
    for case in CASES:
        # What is made once is not counted.
        derlib.decode(case.type, case.octets, tolerate=case.tolerate)
        os.getppid()
        derlib.decode(case.type, case.octets, tolerate=case.tolerate)
        os.getppid()

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
    Choice,
    DefinedBy,
    Deviation,
    Field,
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
SOFT = OpenTypes("SOFT", {"1.2.3": int}, soft=True)
RANGED = OpenTypes("RANGED", {"1.2.3": Annotated[int, Range(0, 5)]}, soft=True)
SIZED = OpenTypes("SIZED", {"1.2.3": Annotated[UTF8String, Size(2)]}, soft=True)
RULED = OpenTypes("RULED", {"1.2.3": Annotated[int, OneOf(1, 2)]}, soft=True)
HARD = OpenTypes("HARD", {"1.2.3": int})


def elements_of(table: OpenTypes, some: Any = SequenceOf) -> Any:
    """A type whose elements are each of the type that the table has for the key."""
    values = some[Annotated[TLV, DefinedBy("key", table)]]
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
STRICT = [
    Case("NULLs", SequenceOf[Null], der(0x30, EMPTY)),
    Case("empty strings", SequenceOf[bytes], der(0x30, b"\x04\x00" * COUNT)),
    Case("empty strings in order", SetOf[bytes], der(0x31, b"\x04\x00" * COUNT)),
    Case("BOOLEANs", SequenceOf[bool], der(0x30, b"\x01\x01\xff" * COUNT)),
    Case("INTEGERs", SetOf[int], der(0x31, b"\x02\x01\x05" * COUNT)),
    Case("empty SEQUENCEs", SequenceOf[Least], der(0x30, b"\x30\x00" * COUNT)),
    Case("SEQUENCEs of two shapes", SequenceOf[Least], der(0x30, b"\x30\x00\x30\x03\x02\x01\x05" * COUNT)),
    Case("empty SETs", SequenceOf[LeastSet], der(0x30, b"\x31\x00" * COUNT)),
    Case("empty lists", SequenceOf[SequenceOf[Null]], der(0x30, b"\x30\x00" * COUNT)),
    Case("CHOICEs", SequenceOf[Pick], der(0x30, EMPTY)),
    Case("soft misfits", elements_of(SOFT), der(0x30, SELECTOR + der(0x30, EMPTY))),
    Case("soft misfits in order", elements_of(SOFT, SetOf), der(0x30, SELECTOR + der(0x31, EMPTY))),
    Case("soft misfits by value", elements_of(RANGED), der(0x30, SELECTOR + der(0x30, b"\x02\x01\x06" * COUNT))),
    Case("soft misfits by size", elements_of(SIZED), der(0x30, SELECTOR + der(0x30, b"\x0c\x00" * COUNT))),
    Case("soft misfits by a rule", elements_of(RULED), der(0x30, SELECTOR + der(0x30, b"\x02\x01\x06" * COUNT))),
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

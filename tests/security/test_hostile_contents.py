"""Contents that change while they are validated or read: no byte after them is read, and no table is exceeded.

Another thread alternates the bytes of a C array between two contents, of which only one is valid. The result of a read
is random; the sanitizers (`make sanitize`) detect a single byte that is read after the array.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import pytest

import derlib
from derlib import (
    OIDIRI,
    TLV,
    ASN1Error,
    BitString,
    BMPString,
    Date,
    DateTime,
    Deviation,
    Duration,
    Enumerated,
    GeneralizedTime,
    IA5String,
    ISOTime,
    NamedBits,
    ObjectIdentifier,
    PrintableString,
    Real,
    RelativeOID,
    RelativeOIDIRI,
    Sequence,
    SequenceOf,
    TimeOfDay,
    UniversalString,
    UTCTime,
    UTF8String,
)

ROUNDS = 300
# Errors that reading may raise if bytes changed after they were decoded.
CHANGED = (ASN1Error, ValueError, OverflowError, LookupError)


class Usage(NamedBits):
    first = 1
    last = 1 << 6


class Item(Enumerated):
    one = 1
    two = 2


class Entry(Sequence):
    number: int
    text: str | None = None


def in_turn(type_: Any, tag: str, one: bytes, other: bytes) -> tuple[Any, bytes, bytes]:
    """Two elements of equal length."""
    assert len(one) == len(other)
    head = bytes.fromhex(tag) + bytes([len(one)])
    return type_, head + one, head + other


CASES = {
    "OID-IRI": in_turn(OIDIRI, "1f23", b"/ISO/abc", b"/ISO/a\xc3\xa4"),
    "OID-IRI that ends in a character": in_turn(OIDIRI, "1f23", b"/1/a", b"/1/\xf0"),
    "relative OID-IRI": in_turn(RelativeOIDIRI, "1f24", b"abcd", b"\xf0\x90\x80\x80"),
    "UTF8String": in_turn(UTF8String, "0c", b"abcdefg" * 3, b"abcde\xc3\xa4" * 3),
    "UTF8String that ends in a character": in_turn(UTF8String, "0c", b"abcd", b"abc\xf0"),
    "PrintableString": in_turn(PrintableString, "13", b"abcdefgh", b"\xff" * 8),
    "IA5String": in_turn(IA5String, "16", b"abcdefgh", b"\xff" * 8),
    "BMPString": in_turn(BMPString, "1e", b"\0a\0b", b"\xd8\0\xdc\0"),
    "UniversalString": in_turn(UniversalString, "1c", b"\0\0\0a", b"\xff" * 4),
    "BIT STRING": in_turn(BitString, "03", b"\x03\xf8", b"\xff\xff"),
    "empty BIT STRING": in_turn(BitString, "03", b"\x00", b"\xff"),
    "named bits": in_turn(Usage, "03", b"\x01\x82", b"\xff\x82"),
    "REAL": in_turn(Real, "09", b"\x80\x00\x01", b"\x83\xff\x01"),
    "REAL with a long exponent": in_turn(Real, "09", b"\x83\x04\x40\x00\x00\x00\x01", b"\x83\xff\x40\x00\x00\x00\x01"),
    "decimal REAL": in_turn(Real, "09", b"\x03123.E-1", b"\x03\x2d.3.E+0"),
    "OBJECT IDENTIFIER": in_turn(ObjectIdentifier, "06", b"\x2a\x81\x01", b"\x2a\x81\x81"),
    "RELATIVE-OID": in_turn(RelativeOID, "0d", b"\x81\x81\x01", b"\x80\x81\x81"),
    "ENUMERATED": in_turn(Item, "0a", b"\x01", b"\x80"),
    "INTEGER": in_turn(int, "02", b"\x01" * 12, b"\xff" * 12),
    "UTCTime": in_turn(UTCTime, "17", b"260102030405Z", b"\xff" * 13),
    "GeneralizedTime": in_turn(GeneralizedTime, "18", b"20260102030405.123Z", b"\xff" * 19),
    "TIME with a sign": in_turn(ISOTime, "0e", b"2026", b"-026"),
    "TIME of a century": in_turn(ISOTime, "0e", b"20C", b"-0C"),
    "TIME of a duration": in_turn(ISOTime, "0e", b"P1Y2M3DT4H5M6.7S", b"P1Y2M3DT4H5M6.7."),
    "DATE": in_turn(Date, "1f1f", b"20260102", b"99999999"),
    "TIME-OF-DAY": in_turn(TimeOfDay, "1f20", b"120000", b"\xff" * 6),
    "DATE-TIME": in_turn(DateTime, "1f21", b"20260102120000", b"\xff" * 14),
    "DURATION": in_turn(Duration, "1f22", b"1Y2M3D", b"1Y2M3."),
    "a SEQUENCE": in_turn(Entry, "30", b"\x02\x01\x05\x0c\x01a", b"\x02\x04\x05\x0c\x01a"),
    "a list": in_turn(SequenceOf[Entry], "30", b"\x30\x03\x02\x01\x05" * 20, b"\x30\x03\x02\x05\x05" * 20),
    "ANY": in_turn(TLV, "30", b"\x0c\x02\xc3\xa4\x03\x02\x03\xf8", b"\x1f\x23\x01\xf0\x03\x02\xff\xff"),
}


@pytest.mark.parametrize(("type_", "one", "other"), CASES.values(), ids=CASES)
def test_nothing_is_read_outside_of_changing_contents(type_, one, other):
    buffer = (ctypes.c_ubyte * len(one)).from_buffer_copy(one)
    base = ctypes.addressof(buffer)
    done = threading.Event()
    seen: set[str] = set()

    def flip() -> None:
        while not done.is_set():
            for octets in (other, one):
                ctypes.memmove(base, octets, len(octets))

    def read() -> None:
        try:
            for i in range(ROUNDS):
                for octets in (one, other) if i % 2 else (other, one):
                    # Also between decoding and reading, if no thread runs.
                    try:
                        value = derlib.decode(type_, buffer, copy=False, tolerate=~Deviation(0) if i % 3 else None)
                        ctypes.memmove(base, octets, len(octets))
                        seen.add("read")
                        repr(value)
                        if isinstance(value, (Sequence, SequenceOf)):
                            value.to_native()
                            hash(value)
                    except CHANGED:
                        seen.add("refused")
        finally:
            done.set()

    threads = [threading.Thread(target=each) for each in (flip, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Nothing changes the bytes now, so the result is that of constant input.
    ctypes.memmove(base, one, len(one))
    assert repr(derlib.decode(type_, buffer, copy=False)) == repr(derlib.decode(type_, one))
    assert seen

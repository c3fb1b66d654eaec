"""Rare types at the end of memory: rows of their rules in C arrays of exactly their size, and bytes that change.

The sanitizers (`make sanitize`) detect a read of one byte too many, which the final NUL of `bytes` would hide.
"""

import contextlib
import ctypes

import pytest
from rules import rows, test_associated, test_iri, test_iso_times, test_real, test_relative_oid

import derlib
from derlib import ASN1Error, Field

ROWS = [
    row
    for table in (
        test_real.SPECIAL, test_real.BINARY, test_real.DECIMAL, test_relative_oid.ARCS, test_iri.IRI, test_iri.RELATIVE,
        test_iso_times.DATE, test_iso_times.TIME_OF_DAY, test_iso_times.DATE_TIME, test_iso_times.DURATION,
        test_iso_times.TIME, test_associated.EXTERNAL, test_associated.PDV, test_associated.BAD_PDV,
    )
    for row in table
    if len(row.octets) <= 60
]  # fmt: skip
# Errors that reading may raise if bytes changed after they were decoded.
CHANGED = (ASN1Error, ValueError)


def exact(data):
    return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)


def holder(type_):
    return rows.sequence_class("Holder", Field("value", type_))


def test_encodings_and_their_prefixes_at_the_end_of_memory():
    for row in ROWS:
        header = 3 if row.octets[0] & 0x1F == 0x1F else 2
        contents = row.octets[header:]
        for end in range(len(contents) + 1):
            data = row.octets[: header - 1] + bytes([end]) + contents[:end]
            for read in (lambda data: derlib.decode(row.type, exact(data), copy=False),  # noqa: B023 - called immediately
                         lambda data: derlib.parse(exact(data), copy=False)):
                with contextlib.suppress(ASN1Error):
                    read(data)


@pytest.mark.parametrize("octet", [0x00, 0x03, 0x2E, 0x30, 0x43, 0x7F, 0x80, 0x83, 0xFF])
def test_octets_change_under_a_view(octet):
    for row in ROWS:
        if not isinstance(row, rows.Reads):
            continue
        cls, data = holder(row.type), rows.der("30", row.octets)
        for place in range(len(data)):
            buffer = exact(data)
            view = cls.decode(buffer, copy=False)
            tree = derlib.parse(buffer, copy=False)
            buffer[place] = octet
            for read in (lambda view: repr(view.value), lambda view: view.to_native(), lambda view: view.to_json()):
                with contextlib.suppress(*CHANGED):
                    read(view)
            with contextlib.suppress(*CHANGED):
                repr([element.value for element in tree.walk()])

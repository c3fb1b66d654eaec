"""`derlib dump`: the values of all types, and offsets without an element."""

from __future__ import annotations

from typing import Any

import pytest
from support.commands import SMALL, der, put, run, run_json

pytestmark = pytest.mark.usefixtures("empty_folder")


def element(tag: int, content: bytes) -> bytes:
    """Return a primitive element of the universal class, with one or two identifier octets (X.690 8.1.2.4)."""
    return der(tag, content) if tag < 31 else b"\x1f" + der(tag, content)


@pytest.mark.parametrize(
    ("tag", "content", "text", "value"),
    [
        (9, b"", "REAL 0.0", "0.0"),
        (9, b"\x40", "REAL inf", "inf"),
        (9, b"\x80\x01\x05", "REAL 10.0", "10.0"),
        (9, b"\x031.E400", "REAL 1.E400", "1.E400"),
        (9, b"\x80\x01" + b"\x7f" * 100, f"REAL 0x{'7f' * 39}... (204 characters)", f"0x{'7f' * 100}p1"),
        (13, b"\x88\x37\x01", "RELATIVE-OID 1079.1", "1079.1"),
        (14, b"2026-01-02T03:04:05Z", "TIME 2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        (23, b"260102030405Z", "UTCTime 2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        (24, b"20260102030405.5Z", "GeneralizedTime 2026-01-02T03:04:05.500000Z", "2026-01-02T03:04:05.500000Z"),
        (24, b"00000102030405Z", "GeneralizedTime 00000102030405Z", "00000102030405Z"),
        (31, b"20260102", "DATE 2026-01-02", "2026-01-02"),
        (32, b"030405", "TIME-OF-DAY 03:04:05", "03:04:05"),
        # Hours and seconds that Python's type cannot represent.
        (32, b"240000", "TIME-OF-DAY 240000", "240000"),
        (32, b"235960", "TIME-OF-DAY 235960", "235960"),
        (33, b"20260102030405", "DATE-TIME 2026-01-02T03:04:05", "2026-01-02T03:04:05"),
        (33, b"20260102235960", "DATE-TIME 20260102235960", "20260102235960"),
        (34, b"1Y2M", "DURATION P1Y2M", "P1Y2M"),
        (35, "/ISO/é".encode(), "OID-IRI /ISO/é", "/ISO/é"),
        (36, b"a/b", "RELATIVE-OID-IRI a/b", "a/b"),
    ],
)
def test_a_rare_type_is_shown_by_its_value(tag: int, content: bytes, text: str, value: object) -> None:
    put(a_der=element(tag, content))
    _, line = run("dump", "a.der").stdout.splitlines()
    assert line.split(maxsplit=3)[3] == text
    assert run_json("dump", "a.der")[0]["element"]["value"] == value


@pytest.mark.parametrize(
    ("tag", "content", "name"),
    [
        (0x0C, b"a" * 65_537, "UTF8String"),
        (0x14, b"a" * 65_537, "TeletexString"),
        (0x09, b"\x80\x01" + b"a" * 65_535, "REAL"),
    ],
)
def test_a_very_long_value_is_not_decoded(tag: int, content: bytes, name: str) -> None:
    put(a_der=element(tag, content))
    line = run("dump", "a.der").stdout.splitlines()[1]
    start = content[:32].hex(":")
    assert line.split(maxsplit=3)[3] == f"{name} {start}... (65537 bytes)"


def test_a_string_with_a_type_that_is_not_defined_is_not_opened() -> None:
    # X.680 8.4, table 1: universal 15 is reserved for later editions.
    put(a_der=der(0x30, der(0x04, der(0x0F, b"x")), der(0x04, der(0x1E, b"\0x"))))
    lines = run("dump", "a.der").stdout.splitlines()
    assert [line.split(maxsplit=3)[3] for line in lines[2:]] == [
        "OCTET STRING 0f:01:78", "OCTET STRING contains", 'BMPString "x"'
    ]


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (SMALL, 1),
        (der(0x30, b""), 1),
        (der(0x30, der(0x30, b""), der(0x05, b"")), 3),
        # In the header of a string, in its contents, and after the last element.
        (der(0x30, der(0x04, der(0x02, b"\x05"))), 3),
        (der(0x30, der(0x04, der(0x02, b"\x05"))), 6),
        (der(0x04, b"none"), 3),
    ],
)
def test_no_element_starts_in_a_header_or_in_contents(data: bytes, offset: int) -> None:
    put(a_der=data)
    result = run("dump", "--offset", str(offset), "a.der", status=3)
    assert result.stderr == f"derlib: a.der: no element starts at offset {offset}; the input is {len(data)} bytes\n"
    document: Any = run_json("dump", "--offset", str(offset), "a.der", status=3)
    assert document[0]["error"]["message"] == f"no element starts at offset {offset}; the input is {len(data)} bytes"


def test_the_search_for_an_offset_limits_the_nesting_of_strings() -> None:
    data = b"\x05\x00"
    for _ in range(30):
        data = der(0x04, data)
    put(a_der=data)
    run("dump", "--offset", str(len(data) - 1), "a.der", status=3)


def test_at_most_ten_tolerated_deviations_are_listed() -> None:
    put(a_der=der(0x30, b"\x01\x01\x01" * 12))
    result = run("dump", "a.der", "--tolerate", "boolean-true")
    lines = result.stderr.splitlines()
    assert len(lines) == 11
    assert lines[9].startswith("derlib: a.der: tolerated ")
    assert "offset 29" in lines[9]
    assert lines[10] == "derlib: a.der: tolerated 2 more deviations"
    assert len(run_json("dump", "a.der", "--tolerate", "boolean-true")[0]["tolerated"]) == 12

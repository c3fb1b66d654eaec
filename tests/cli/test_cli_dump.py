"""`derlib dump`: the tree, the values of all types, and offsets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from support.commands import CERTIFICATE, SMALL, der, put, run, run_json

import derlib

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


# --- The tree, offsets and limits


def test_dump_shows_offsets_types_and_values() -> None:
    put(a_der=SMALL)
    expected = """\
  offset  hl   length  element
       0   2       46  SEQUENCE
       2   2        3    OBJECT IDENTIFIER id-ce-subjectKeyIdentifier (2.5.29.14)
       7   2        9    OCTET STRING contains
       9   2        7      SEQUENCE
      11   2        1        INTEGER 5
      14   2        2        UTF8String "é"
      18   2        2    BIT STRING f0, 4 unused bits
      22   2        3    [1]
      24   2        1      BOOLEAN TRUE
      27   2        4    [0] "text"
      33   2       10    INTEGER -0x1000000000000000000
"""
    lines = run("dump", "a.der").stdout.splitlines()
    # The second line has the length of the document.
    assert lines[0] == expected.splitlines()[0]
    assert lines[2:] == expected.splitlines()[2:]


def test_dump_finds_every_element_that_the_tree_has() -> None:
    put(a_der=CERTIFICATE)
    shown = {
        tuple(map(int, line.split()[:3]))
        for line in run("dump", "--no-into", "a.der").stdout.splitlines()[1:]
    }
    spans = (element.span for element in derlib.parse(CERTIFICATE).walk())
    assert shown == {(s.offset, s.header_length, s.content_length) for s in spans}


def elements(document: Any) -> Iterator[Any]:
    stack = [document["element"]]
    while stack:
        element = stack.pop()
        yield element
        stack.extend(element.get("children", ()))
        stack.extend([element["contains"]] if "contains" in element else ())


def test_dump_json_offsets_count_from_the_start_of_the_file() -> None:
    put(a_der=CERTIFICATE)
    (document,) = run_json("dump", "a.der")
    nested = 0
    for element in elements(document):
        start = element["offset"]
        end = start + element["header_length"] + element["content_length"]
        found = derlib.parse(CERTIFICATE[start:end])
        assert found.tag.number == element["tag"]["number"]
        assert found.tag.tag_class == element["tag"]["class"]
        assert found.tag.constructed == element["tag"]["constructed"]
        assert len({"children", "contains", "value"} & element.keys()) == 1
        nested += "contains" in element
    assert nested == 4


def test_dump_json_values() -> None:
    put(a_der=SMALL)
    (document,) = run_json("dump", "a.der")
    by_offset = {element["offset"]: element for element in elements(document)}
    assert (by_offset[2]["value"], by_offset[2]["name"]) == ("2.5.29.14", "subjectKeyIdentifier")
    assert (by_offset[18]["value"], by_offset[18]["unused_bits"]) == ("f0", 4)
    values = {n: by_offset[n]["value"] for n in (11, 14, 24, 27, 33)}
    assert values == {11: 5, 14: "é", 24: True, 27: "74657874", 33: "-0x01000000000000000000"}


def test_dump_depth_limits_the_levels() -> None:
    put(a_der=SMALL)
    assert len(run("dump", "--depth", "0", "a.der").stdout.splitlines()) == 2
    output = run("dump", "--depth", "1", "a.der").stdout
    assert "OCTET STRING contains SEQUENCE\n" in output
    assert "BOOLEAN" not in output
    (document,) = run_json("dump", "--depth", "1", "a.der")
    assert len(document["element"]["children"]) == 6
    assert sum(1 for _ in elements(document)) == 7


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_dump_offset_accepts_every_offset_that_dump_shows(options: Sequence[str]) -> None:
    put(a_der=SMALL)
    places = [line.split()[0] for line in run("dump", "a.der").stdout.splitlines()[1:]]
    assert len(places) == 11
    for place in places:
        output = run("dump", "a.der", "--offset", place, "--depth", "0", *options).stdout
        if options:
            assert str(json.loads(output)[0]["element"]["offset"]) == place
        else:
            assert output.splitlines()[1].split()[0] == place


def test_dump_offset_reads_der_after_other_data() -> None:
    put(a_bin=b"HEADER" + SMALL)
    assert "       6   2" in run("dump", "--offset", "6", "a.bin").stdout


@pytest.mark.parametrize("offset", ["1", "3", "10", "1000000", "99999999999999999999"])
def test_dump_offset_where_no_element_starts(offset: str) -> None:
    put(a_der=SMALL)
    result = run("dump", "--offset", offset, "a.der", status=3)
    assert result.stderr == f"derlib: a.der: no element starts at offset {offset}; the input is {len(SMALL)} bytes\n"


@pytest.mark.parametrize("command", [("dump", "--offset", "1", "a.der"), ("extract", "a.der", "1")])
def test_an_offset_without_element_in_invalid_der_has_status_1(command: Sequence[str]) -> None:
    put(a_der=SMALL[:-1])
    result = run(*command, status=1)
    assert result.stderr == "derlib: a.der: no element starts at offset 1; the input is not valid DER\n"


def test_an_invalid_file_outweighs_a_missing_offset() -> None:
    put(a_der=SMALL, b_der=SMALL[:-1])
    run("dump", "--offset", "1", "a.der", "b.der", status=1)
    run("dump", "--offset", "1", "b.der", "a.der", status=1)


def test_dump_opens_strings_that_are_one_universal_element() -> None:
    strings = [b"\x02\x01", b"\x02\x01\x05\x00", b"\x80\x00", b"\x1f\x01\x00", b"", b"\x00\x00"]
    put(a_der=der(0x30, *(der(0x04, text) for text in strings), der(0x03, b"\x01\x04\x00")))
    assert "contains" not in run("dump", "a.der").stdout


def test_dump_limits_the_nesting_of_strings() -> None:
    data = b"\x05\x00"
    for _ in range(200):
        data = der(0x04, data)
    put(a_der=data)
    assert 10 < len(run("dump", "a.der").stdout.splitlines()) < 100
    run_json("dump", "a.der")


def test_dump_shortens_long_values_but_not_in_json() -> None:
    put(
        a_der=der(
            0x30, der(0x04, b"\xff" * 5000), der(0x0C, b"x" * 5000), der(0x02, b"\x7f" * 5000)
        )
    )
    output = run("dump", "a.der").stdout
    assert max(map(len, output.splitlines())) < 200
    assert "(5000 bytes)" in output
    assert "(5000 characters)" in output
    octets, text, number = run_json("dump", "a.der")[0]["element"]["children"]
    assert octets["value"] == "ff" * 5000
    assert text["value"] == "x" * 5000
    assert number["value"] == "0x" + "7f" * 5000


@pytest.mark.parametrize("options", [(), ("--ber",)], ids=["DER", "BER"])
def test_a_damaged_file_is_shown_up_to_the_fault(options: tuple[str, ...]) -> None:
    whole = der(0x30, der(0x02, b"\x05"), der(0x30, der(0x0C, b"text"), der(0x04, b"12345")), der(0x05))
    put(whole_der=whole, cut_der=whole[:-5], flipped_der=whole.replace(b"\x04\x0512", b"\x04\x2512"))
    lines = run("dump", "whole.der", *options).stdout.splitlines()
    cut = run("dump", "cut.der", *options, status=1)
    assert cut.stdout.splitlines()[2] == lines[2]
    assert cut.stdout.splitlines()[4] == lines[4]
    assert cut.stdout.splitlines()[1].endswith("SEQUENCE (of 20 declared bytes)")
    assert cut.stdout.splitlines()[-1].endswith('31:32 (invalid) (of 5 declared bytes)')
    assert cut.stderr.startswith("derlib: cut.der: at offset 0: ")
    flipped = run("dump", "flipped.der", *options, status=1)
    assert flipped.stdout.splitlines()[:5] == lines[:5]
    assert flipped.stdout.splitlines()[5].endswith("(of 37 declared bytes)")
    assert len(flipped.stdout.splitlines()) == 6
    assert run("dump", "cut.der", "--json", *options, status=1).stdout.count('"offset"') == 1


def test_a_damaged_value_is_the_last_that_is_shown() -> None:
    put(a_der=der(0x30, der(0x02, b"\x05"), der(0x02, b"\0\x05"), der(0x05)))
    result = run("dump", "a.der", status=1)
    assert result.stdout.splitlines()[-1].endswith("INTEGER 00:05 (invalid)")
    assert "X.690 8.3.2" in result.stderr

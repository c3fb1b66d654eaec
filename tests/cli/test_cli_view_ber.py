"""The page of `derlib view --ber` in a real browser: the forms of BER, and the labels of its conversion to DER."""

from __future__ import annotations

import pytest
from support.commands import SHA256_RSA, SIGNATURE, der, make_crl, run
from support.view_page import BER, CLOSED, PATHS, WALK, look_for, mouse, rows

import derlib
from derlib import ber


def ber_elements(element):
    """Yield what the page shows of an element of BER: end-of-contents octets are an element."""
    span, end = element.span, element.end_of_contents
    yield [span.offset, span.header_length, len(element.encoded) - span.header_length, str(element.tag)]
    for child in element:
        yield from ber_elements(child)
    if end is not None:
        yield [end.offset, 2, 0, "end-of-contents"]


@pytest.mark.parametrize(
    "data", [BER, b"\x30\x80" * 100 + b"\0\0" * 100, b"\x30\x80" + BER * 500 + b"\0\0"], ids=["forms", "deep", "long"]
)
def test_the_page_reads_the_elements_of_ber(opened, data):
    assert opened(data, options=["--ber"]).execute_script(WALK) == list(ber_elements(derlib.parse_ber(data)))


def test_the_tree_shows_the_forms_of_ber(opened):
    page = opened(BER, options=["--ber"])
    shown = rows(page)
    assert shown[0] == f"▾ SEQUENCE indefinite 4 elements 0 + {len(BER)}"
    assert shown[1] == "▾ OCTET STRING indefinite, segments 2 segments · 61:62 2 + 12"
    assert shown[3] == "▾ OCTET STRING segments 1 segment · 62 7 + 5"
    assert shown[5] == "end-of-contents 12 + 2"
    assert shown[6].startswith("▾ SEQUENCE long length 1 element")
    mouse(page, "click", "#tree .row", 1)
    shown = "OCTET STRING, indefinite length, X.690 10.1, in segments, X.690 10.2, offset 2"
    assert shown in page.find_element("id", "where").text
    assert "header 2, contents 8 bytes" in page.find_element("id", "where").text


INDEFINITE = b"\x30\x80" + bytes.fromhex("06092a864886f70d010701") + b"\xa0\x80\x24\x80\x04\x03Hel\x04\x02lo" + bytes(6)


def test_the_types_and_paths_of_ber_are_those_of_its_conversion(opened, tmp_path):
    page = opened(INDEFINITE, name="a.ber", options=["--ber"])
    assert [row.rsplit(" ", 3)[0] for row in rows(page)] == [
        "▾ ContentInfo indefinite id-data",
        "content_type OBJECT IDENTIFIER id-data (1.2.840.113549.1.7.1)",
        "▾ explicit tag [0] indefinite",
        "▾ content OCTET STRING indefinite, segments 2 segments · \"Hello\" (48:65:6c:6c:6f)",
        "OCTET STRING 48:65:6c",
        "OCTET STRING 6c:6f",
        *["end-of-contents"] * 3,
    ]
    paths = [path for _, path in page.execute_script(PATHS)]
    assert paths == ["0", "content_type", "13", "content", "17", "22", "", "", ""]
    for path in paths[:-3]:
        assert run("extract", str(tmp_path / "a.ber"), path, "--ber", "--to", "hex").stdout


def test_search_finds_text_across_segments(opened):
    page = opened(INDEFINITE, options=["--ber"])
    assert look_for(page, "hello") == "1 of 1"
    assert "Hello" in page.find_element("css selector", "#tree .selected").text


def test_the_parts_of_a_long_list_in_ber_have_fields(opened):
    long = make_crl(70)
    entries = long.index(der(0x02, b"\x10\0\0")) - 4
    start = long.rindex(b"\x30\x82", 0, entries)
    size = int.from_bytes(long[start + 2 : start + 4], "big")
    indefinite = b"\x30\x80" + long[start + 4 : start + 4 + size] + b"\0\0"
    tbs = b"\x30\x80" + long[8:start] + indefinite + long[start + 4 + size :][: -len(SHA256_RSA + SIGNATURE)] + b"\0\0"
    page = opened(b"\x30\x80" + tbs + SHA256_RSA + SIGNATURE + b"\0\0", options=["--ber"])
    shown = page.execute_script(CLOSED)
    assert sum(one.startswith("user_certificate INTEGER ") for one in shown) == 70
    assert sum(one.startswith("revocation_date UTCTime ") for one in shown) == 70
    assert sum(one.startswith("extn_id OBJECT IDENTIFIER id-ce-cRLReasons") for one in shown) == 35


def test_bit_strings_in_segments_are_joined(opened):
    page = opened(bytes.fromhex("2380 0303 00aabb 0302 04c0 0000"), options=["--ber"])
    assert "segments 2 segments · aa:bb:c0, 4 unused bits " in rows(page)[0]


def test_the_words_and_places_that_ber_adds_are_found(opened):
    page = opened(BER, options=["--ber"])
    found = {"indefinite length": 4, "segments": 2, "long length": 1, "end-of-contents": 4, "tag [0]": 1}
    assert {query: int(look_for(page, query).split(" of ")[1]) for query in found} == found
    assert look_for(page, "tag [APPLICATION 0]") == "not found"


def test_each_change_of_the_conversion_has_a_badge(opened):
    unordered = der(0x31, bytes.fromhex("040162 040161"))
    data = der(0x30, bytes.fromhex("010101"), unordered, bytes.fromhex("030204ff 048105") + b"hello")
    changes = {(one.input.offset, one.kind) for one in ber.convert(data).changes}
    page = opened(data, options=["--ber"])
    badges = page.execute_script(
        "return [...document.querySelectorAll('#tree .row:not([hidden])')].filter((row) => row.node)"
        ".map((row) => [row.node.at, row.querySelector('.form').textContent, row.querySelector('.form').title])"
    )
    kinds = {"long length": "length-not-minimal"}
    assert {(at, kinds.get(name, name)) for at, name, _ in badges if name} == changes
    assert len(changes) == 4
    assert [title for _, name, title in badges if name == "boolean-true"] == ["boolean-true, X.690 11.1"]
    assert look_for(page, "boolean-true") == "1 of 1"


def test_invalid_contents_and_forms_beside_them_are_marked(opened):
    page = opened(der(0x30, bytes.fromhex("02020005 010101")), options=["--ber"], status=1)
    assert rows(page)[1:] == [
        "INTEGER integer-not-minimal 5 2 + 4",
        "BOOLEAN boolean-true TRUE 6 + 3",
    ]

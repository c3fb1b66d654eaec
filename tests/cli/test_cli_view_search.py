"""The page of `derlib view` in a real browser: search."""

from __future__ import annotations

import hashlib

import pytest
from support.commands import CERTIFICATE, SHA256_RSA, der, make_crl
from support.view_page import LIT, key, look_for, rows, selected


@pytest.mark.parametrize(
    ("query", "kind", "said", "first"),
    [
        ("EXAMPLE.org", "any", "1 of 1", b"example.org"),
        ("test ca", "text", "1 of 1", b"Test CA"),
        ("2.5.29.17", "any", "1 of 1", bytes.fromhex("551d11")),
        ("id-ce-subjectalt", "any", "1 of 1", bytes.fromhex("551d11")),
        ("2.5.29", "oid", "1 of 3", bytes.fromhex("551d13")),
        ("0x02021a2b", "any", "1 of 1", bytes.fromhex("02021a2b")),
        ("1A 2b", "any", "1 of 1", bytes.fromhex("1a2b")),
        ("1a2b", "hex", "1 of 1", bytes.fromhex("1a2b")),
        ("1a2b", "any", "1 of 1", bytes.fromhex("1a2b")),
        ("1a:2B", "any", "1 of 1", bytes.fromhex("1a2b")),
        ("6699", "any", "1 of 1", bytes.fromhex("1a2b")),
        ("6699", "number", "1 of 1", bytes.fromhex("1a2b")),
        ("65537", "number", "1 of 1", bytes.fromhex("010001")),
        ("669", "number", "1 of 1", bytes.fromhex("02021a2b")),
        ("669", "oid", "not found", None),
        ("-5", "any", "not found", None),
        ("0x2", "any", "1 of 10", b"\x02"),
        ("2025-01-01", "any", "1 of 2", b"250101"),
        ("2025-01-01T00:00:00Z", "number", "1 of 2", b"250101000000"),
        ("2025-01", "number", "1 of 2", b"2501"),
        ("2125-01-01", "any", "not found", None),
        ("true", "number", "1 of 3", b"\xff"),
        ("serial_number", "any", "1 of 1", bytes.fromhex("02021a2b")),
        ("v3", "any", "1 of 1", bytes.fromhex("020102")),
        ("KEY_cert", "field", "1 of 1", bytes.fromhex("03020106")),
        ("RSAPublicKey", "field", "1 of 1", bytes.fromhex("308189")),
        ("bit string", "field", "1 of 3", bytes.fromhex("03818d")),
        ("tbs_certificate.serial_number", "any", "1 of 1", bytes.fromhex("02021a2b")),
        ("tbs_certificate.extensions[2].extn_value[0]", "any", "1 of 1", b"\x82\x0bexample.org"),
        ("tbs_certificate.extensions[9]", "any", "not found", None),
        ("#20", "any", "1 of 1", SHA256_RSA[2:]),
        ("192.0.2.1", "any", "1 of 1", bytes.fromhex("c0000201")),
        ("cn=test ca", "any", "1 of 1", b"Test CA"),
        ("O=Test", "any", "not found", None),
        ("tag [3]", "any", "1 of 1", CERTIFICATE[263:265]),
        (hashlib.sha256(CERTIFICATE).hexdigest(), "any", "1 of 1", CERTIFICATE[:4]),
        (hashlib.sha256(CERTIFICATE).digest().hex(":").upper(), "field", "1 of 1", CERTIFICATE[:4]),
        # Values as their rows show them.
        ('"Test CA"', "any", "1 of 1", b"Test CA"),
        ("sha256WithRSAEncryption (1.2.840.113549.1.1.11)", "any", "1 of 2", SHA256_RSA[4:]),
        ("6699 (0x1a2b)", "any", "1 of 1", bytes.fromhex("1a2b")),
        ("65537 = 0x10001", "any", "1 of 1", bytes.fromhex("010001")),
        ("v3 (2)", "any", "1 of 1", bytes.fromhex("020102")),
        ("[0] dns_name", "any", "1 of 1", b"\x82\x0bexample.org"),
        ('"Nowhere"', "any", "not found", None),
        ("nowhere", "any", "not found", None),
        ("1.2.3.4.5", "any", "not found", None),
        ("xyz", "hex", "not found", None),
        ("9.9", "oid", "not found", None),
        ("é漢", "any", "not found", None),
        ("", "any", "", None),
    ],
)
def test_search(opened, query, kind, said, first):
    page = opened(CERTIFICATE)
    assert look_for(page, query, kind) == said
    hit = page.execute_script(LIT)[4]
    if first is None:
        assert hit == []
        return
    place = CERTIFICATE.index(first)
    length = page.execute_script("return state.hit[1] - state.hit[0]")
    assert hit == list(range(place, place + min(len(hit), length)))
    assert hit
    assert selected(page)[0] <= place < selected(page)[1]


@pytest.mark.parametrize(
    ("data", "query", "said"),
    [
        (CERTIFICATE, "CN=Test · 6699 (0x1a2b)", "1 of 1"),
        (CERTIFICATE, "id-ce-basicConstraints · critical", "1 of 1"),
        (CERTIFICATE, "tag [7] 192.0.2.1", "1 of 1"),
        (CERTIFICATE, "669", "1 of 1"),
        (CERTIFICATE, "192.0.2", "1 of 1"),
        (CERTIFICATE, "4.1.9", "not found"),
        (der(0x30, der(0x18, b"20261101120000.5Z")), "2026-11-01T12:00:00.5Z", "1 of 1"),
        (der(0x30, der(0x03, b"\x04\xf0")), "f0, 4 unused bits", "1 of 1"),
    ],
)
def test_search_finds_texts_that_are_not_in_the_bytes(opened, data, query, said):
    assert look_for(opened(data), query) == said


SHOWN = der(
    0x30,
    der(0x17, b"290205161156Z"),
    der(0x18, b"20290205161157Z"),
    der(0x06, bytes.fromhex("2b06010401868d1f02")),
    der(0x0C, b"290205"),
    der(0x02, bytes(1) + b"\x80"),
)


@pytest.mark.parametrize(
    ("query", "kind", "said", "at"),
    [
        ("2029", "any", "1 of 2", 2),
        ("2029", "number", "1 of 2", 2),
        ("2029", "text", "not found", None),
        ("16:11:56", "any", "1 of 1", 2),
        ("02-05", "any", "1 of 2", 2),
        ("02-05T16", "number", "1 of 2", 2),
        ("290205", "any", "1 of 1", 45),
        ("99999", "any", "1 of 1", 34),
        ("4.1.99999", "oid", "1 of 1", 34),
        ("99999", "number", "not found", None),
        ("12", "number", "1 of 1", 53),
        ("34 + 11", "any", "1 of 1", 34),
        ("34", "any", "1 of 1", 34),
        ("34", "number", "not found", None),
    ],
)
def test_search_finds_a_part_of_what_a_row_shows(opened, query, kind, said, at):
    page = opened(SHOWN)
    assert look_for(page, query, kind) == said
    assert (selected(page) or [None])[0] == at


def test_search_finds_times_of_a_long_list_by_their_year(opened):
    page = opened(make_crl(30_000))
    assert look_for(page, "25-01", "number") == look_for(page, "025-01") == "1 of 30,002"
    # The rows are those of the first 20,000 elements, and no row is asked more than twice.
    counted = """
        const asked = ownTexts;
        let count = 0;
        ownTexts = (...all) => { count++; return asked(...all); };
        search();
        ownTexts = asked;
        return count;
    """
    assert 20_000 <= page.execute_script(counted) <= 40_000


def test_search_finds_labels_in_a_long_list(opened):
    data = make_crl(200)
    page = opened(data)
    assert look_for(page, "user_certificate") == "1 of 200"
    assert selected(page)[0] == data.index(b"\x02\x03\x10\x00\x00")
    assert look_for(page, "key_compromise", "field") == "1 of 100"
    assert look_for(page, "CRLReason", "field") == "1 of 100"
    # The RFC has names in this form.
    assert look_for(page, "keyCompromise") == "1 of 100"
    assert look_for(page, "userCertificate") == look_for(page, "user_certificate")
    assert look_for(page, str(0x100005), "number") == "1 of 1"
    assert selected(page)[0] == data.index(b"\x02\x03\x10\x00\x05")


def test_search_wraps_around_and_opens_closed_elements(opened):
    page = opened(make_crl(300, issuer="\U0001f600 CA"))
    assert look_for(page, "0x0a0101") == "1 of 150"
    first = selected(page)
    key(page, "n")
    second = selected(page)
    key(page, "N")
    key(page, "N")
    assert page.find_element("id", "matches").text == "150 of 150"
    last = selected(page)
    assert first < second < last
    key(page, "Enter", target="query")
    assert selected(page) == first
    assert "CRLReason" in page.execute_script("return document.querySelector('#tree .selected').innerText")
    assert look_for(page, "\U0001f600 ca") == "1 of 1"
    key(page, "Escape", target="query")
    assert page.find_element("id", "matches").text == ""


def test_text_with_two_bytes_per_character_is_found(opened):
    page = opened(der(0x30, der(0x1E, "Grün".encode("utf-16-be"))))
    assert look_for(page, "GRün") == "1 of 1"
    assert 'BMPString "Grün"' in rows(page)[1]

"""The page of `derlib view` in a real browser: highlighting, search, keys, large and hostile files.

Skipped where there is no chromium with its driver, or no selenium.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

if "LD_PRELOAD" in os.environ:
    pytest.skip("a sanitizer is loaded, and what is opened here is not ours", allow_module_level=True)

from support.browsers import PALE, PALE_CONTROLS, opened_browser
from support.commands import (
    CERTIFICATE,
    CRL,
    SHA256_RSA,
    SIGNATURE,
    SMALL,
    der,
    extension,
    make_certificate,
    make_crl,
    run,
)

import derlib
from derlib import pem
from derlib.cli.documents.paths import child_items, root_item
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

HOSTILE = "</script></title></style><img src=x onerror=\"window.ran=1\"><script>window.ran=1</script><!--'&\x1b\u202e"
# Every element, as the script of the page sees it.
WALK = """
const found = [];
const walk = (node) => {
  found.push([node.at, node.content - node.at, node.end - node.content, Der.typeName(node)]);
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""
LIT = """
return ["hovered", "selected", "tag", "length", "hit"].map((light) =>
  [...document.querySelectorAll("#bytes .row:not([hidden]) .byte." + light)]
    .map((one) => one.parentNode.start + one.at));
"""


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as driver:
        driver.set_window_size(1400, 900)
        yield driver


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a file with these bytes, at a fragment."""

    def opened(data, fragment="", name="a.der", options=()):
        (tmp_path / name).write_bytes(data)
        run("view", str(tmp_path / name), "-o", str(tmp_path / "out.html"), *options)
        browser.get("about:blank")
        browser.get((tmp_path / "out.html").as_uri() + fragment)
        settled(browser)
        return browser

    yield opened
    assert browser.get_log("browser") == []


def settled(page):
    """Wait until the page is drawn: with the next frame, or after the delay of a mouse event."""
    page.execute_async_script(
        "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 180)"
    )


def mouse(page, kind, selector, at=0):
    page.execute_script(
        "const [kind, selector, at] = arguments;"
        "[...document.querySelectorAll(selector)].filter((one) => !one.hidden)[at]"
        ".dispatchEvent(new MouseEvent(kind, { bubbles: true }))",
        kind,
        selector,
        at,
    )
    settled(page)


def key(page, name, target="tree"):
    page.execute_script(
        "document.getElementById(arguments[1]).dispatchEvent("
        "new KeyboardEvent('keydown', { key: arguments[0], bubbles: true, cancelable: true }))",
        name,
        target,
    )
    settled(page)


def rows(page):
    """Return the text of the visible rows of the tree."""
    return page.execute_script(
        "return [...document.querySelectorAll('#tree .row:not([hidden])')].map((one) => [...one.children]"
        ".map((part) => part.textContent).filter(Boolean).join(' '))"
    )


def selected(page):
    return page.execute_script("return state.selected && [state.selected.at, state.selected.end]")


def look_for(page, query, kind="any"):
    page.execute_script(
        "document.getElementById('query').value = arguments[0]; document.getElementById('kind').value = arguments[1];"
        "document.getElementById('query').dispatchEvent(new Event('input'))",
        query,
        kind,
    )
    deadline = time.monotonic() + 30
    while page.execute_script("return pending !== 0") and time.monotonic() < deadline:
        settled(page)
    settled(page)
    return page.execute_script("return document.getElementById('matches').textContent")


def elements(document):
    yield [document["offset"], document["header_length"], document["content_length"], document["type"]]
    for child in [*document.get("children", ()), *filter(None, [document.get("contains")])]:
        yield from elements(child)


# BMPString, UniversalString, NumericString, PrintableString, VisibleString, identifiers, BIT STRING, other tags.
CONTENTS = """
1e0161 1e02d800 1e020061 1c0161 1c0400000061 1c0400110000 1c040000d800 120161 12022031 13012a 13013f 1a0109 1a017e
06028001 060181 060101 0d0101 030202e6 030202e4 030101 030100 1f0500 2800
"""
STRINGS = [b"\x02\x01", b"\x02\x01\x05\x00", b"\x80\x00", b"\x1f\x01\x00", b"", b"\x00\x00", b"\x02\x02\x00\x01",
           b"\x30\x80\x00\x00", b"\x01\x01\x07", b"\x05\x01\x00", b"\x30\x03\x02\x01", b"\x0c\x01\xff", b"\x30\x00",
           *map(bytes.fromhex, CONTENTS.split()),
           *(der(0x17, time) for time in (b"", b"2501010000Z", b"250101000000Z", b"250229000000Z", b"240229000000Z",
                                          b"250101240000Z", b"251301000000Z", b"250101000000+0000")),
           *(der(0x18, time) for time in (b"20250101000000Z", b"20250101000000.5Z", b"20250101000000.50Z",
                                          b"19000229000000Z", b"20000229000000Z", b"20250101000000.Z", b"20250101Z"))]


@pytest.mark.parametrize(
    "data",
    [CERTIFICATE, CRL, SMALL, der(0x30, *(der(0x04, text) for text in STRINGS), der(0x03, b"\x01\x04\x00")),
     der(0x30, b"\x1f\x87\x77\x01\x00", b"\x7f\x81\x00\x02\x05\x00", der(0x04, bytes(70_000)))],
    ids=["certificate", "crl", "small", "strings", "tags"],
)
def test_the_page_reads_the_elements_that_dump_shows(opened, tmp_path, data):
    page = opened(data)
    (document,) = json.loads(run("dump", str(tmp_path / "a.der"), "--json").stdout)
    assert page.execute_script(WALK) == list(elements(document["element"]))


BER = bytes.fromhex("3080 2480 040161 2403 040162 0000 308600000000 0002 0500 a080 7f8100 80 0000 0000 0101ff 0000")


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
    assert shown[0] == f"▾ SEQUENCE (indefinite length) 4 elements 0 + {len(BER)}"
    assert shown[1] == "▾ OCTET STRING (indefinite length, in segments) 2 segments · 61:62 2 + 12"
    assert shown[3] == "▾ OCTET STRING (in segments) 1 segment · 62 7 + 5"
    assert shown[5] == "end-of-contents 12 + 2"
    assert shown[6].startswith("▾ SEQUENCE (long length) 1 element")
    mouse(page, "click", "#tree .row", 1)
    assert "OCTET STRING, indefinite length, in segments, offset 2" in page.find_element("id", "where").text
    assert "header 2, contents 8 bytes" in page.find_element("id", "where").text


def test_the_page_of_der_shows_deviations_and_not_forms_of_ber(opened):
    page = opened(bytes.fromhex("308102 0500"), options=["--tolerate", "length-form"])
    assert rows(page)[0] == "▾ SEQUENCE 1 element ⚠ length-form 0 + 5"
    assert "long length" not in "".join(rows(page))


def test_a_deviation_is_on_its_row_and_is_found(opened):
    data = make_certificate(alternative="exämple.org".encode().decode("latin-1"))
    page = opened(data)
    assert page.find_element("id", "faults").text == '1 deviation: search for "deviation".'
    assert look_for(page, "string-alphabet") == "1 of 1"
    row = page.execute_script("return document.querySelector('#tree .selected').innerText")
    assert "⚠ string-alphabet" in row
    assert "deviation string-alphabet, X.680 41.1" in page.find_element("id", "where").text
    assert page.execute_script(PALE) == []
    assert look_for(opened(CERTIFICATE), "deviation") == "not found"


FIELDS = """
const found = {};
const walk = (node) => {
  if (fieldOf(node)) found[node.at] = fieldOf(node);
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""


def names_of(value):
    """Return the name at each offset, from the paths of fields."""
    found = {}
    waiting = [root_item(value)]
    while waiting:
        for item in child_items(waiting.pop()):
            step, offset = item.path[-1], str(item.span.offset)
            waiting.append(item)
            if isinstance(step, int):
                found[offset] = f"[{step}]"
            elif found.get(offset, "]").endswith("]"):
                found[offset] = f"{found.get(offset, '')} {step}".strip()
    return found


@pytest.mark.parametrize(
    ("data", "decode"),
    [(CERTIFICATE, Certificate.decode), (CRL, CertificateList.decode), (make_crl(1000), CertificateList.decode)],
    ids=["certificate", "crl", "long"],
)
def test_fields_have_the_names_of_the_schema(opened, data, decode):
    assert opened(data).execute_script(FIELDS) == names_of(decode(data))


def test_an_unknown_type_has_no_field_names(opened):
    assert opened(SMALL).execute_script(FIELDS) == {}
    assert opened(pem.encode(SMALL, "CERTIFICATE").encode()).execute_script(FIELDS) == {}


def test_the_tree_shows_types_values_and_offsets(opened):
    shown = rows(opened(SMALL))
    length = len(SMALL)
    assert shown[0] == f"▾ SEQUENCE id-ce-subjectKeyIdentifier · 6 elements 0 + {length}"
    assert shown[1:5] == [
        "OBJECT IDENTIFIER id-ce-subjectKeyIdentifier (2.5.29.14) 2 + 5",
        "▾ OCTET STRING contains 7 + 11",
        "▾ SEQUENCE 2 elements 9 + 9",
        "INTEGER 5 11 + 3",
    ]
    assert 'UTF8String "é" 14 + 4' in shown
    assert "BIT STRING f0, 4 unused bits 18 + 4" in shown


# The texts of each row, with all elements closed.
CLOSED = """
const found = [];
const walk = (node) => {
  state.tree.setOpen(node, false);
  const parts = [fieldOf(node), typeOf(node), tagOf(node), valueOf(node, 200), node.at];
  found.push(parts.filter((one) => one !== "").join(" "));
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (CERTIFICATE, "Certificate CN=Test · 6699 (0x1a2b) 0"),
        (CERTIFICATE, "issuer Name CN=Test CA "),
        (CERTIFICATE, "[0] Extension id-ce-basicConstraints · critical · ca "),
        (CERTIFICATE, "[2] Extension id-ce-subjectAltName · \"example.org\" · ip_address 192.0.2.1 "),
        (CERTIFICATE, "[1] ip_address OCTET STRING tag [7] 192.0.2.1 "),
        (CERTIFICATE, "[0] dns_name IA5String tag [2] \"example.org\" "),
        (CERTIFICATE, "subject_public_key BIT STRING contains RSAPublicKey "),
        (der(0x30, der(0x04, b"Hello, world\r\n and others")), 'OCTET STRING "Hello, world\\u{d}\\u{a} and others" '),
        (der(0x30, der(0x04, b"four")), 'OCTET STRING "four" (66:6f:75:72) '),
        (der(0x30, der(0x04, b"fou\0")), "OCTET STRING 66:6f:75:00 "),
    ],
)
def test_a_row_says_what_is_inside(opened, data, shown):
    assert [one for one in opened(data).execute_script(CLOSED) if one.startswith(shown)]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("20010db8" + "00" * 11 + "01", "2001:db8::1"),
        ("00" * 16, "::"),
        ("00" * 15 + "01", "::1"),
        ("00010000000000020000000000000003", "1:0:0:2::3"),
        ("00010002000300040005000600070000", "1:2:3:4:5:6:7:0"),
        ("0a000000ff000000", "10.0.0.0/255.0.0.0"),
        ("0a0000", None),
    ],
)
def test_addresses_have_their_usual_form(opened, address, shown):
    octets = list(bytes.fromhex(address))
    assert opened(SMALL).execute_script("return Der.address(Uint8Array.from(arguments[0]))", octets) == shown


def test_hovering_over_the_tree_highlights_bytes(opened):
    page = opened(SMALL)
    mouse(page, "mousemove", "#tree .row", 4)
    hovered, selected_, tag, length, _ = page.execute_script(LIT)
    assert (hovered, selected_, tag, length) == ([11, 12, 13], [], [11], [12])
    mouse(page, "mouseleave", "#tree")
    assert page.execute_script(LIT)[0] == []


def test_hovering_over_bytes_highlights_the_tree(opened):
    page = opened(SMALL)
    mouse(page, "mousemove", "#bytes .byte", 13)
    assert page.execute_script("return document.querySelector('#tree .hovered').innerText").startswith("INTEGER")
    assert page.execute_script(LIT)[0] == [11, 12, 13]
    # If the element is not visible, the closed element around it is highlighted.
    mouse(page, "click", "#tree .row .twist", 2)
    mouse(page, "mousemove", "#bytes .character", 12)
    assert "OCTET STRING" in page.execute_script("return document.querySelector('#tree .hovered').innerText")


def test_a_click_selects_and_a_second_clears_the_selection(opened):
    page = opened(SMALL)
    mouse(page, "click", "#tree .row", 4)
    mouse(page, "mousemove", "#tree .row", 1)
    hovered, selected_, *_ = page.execute_script(LIT)
    assert (hovered, selected_) == ([2, 3, 4, 5, 6], [11, 12, 13])
    assert "offset 11 (0xb), header 2, contents 1 byte" not in page.find_element("id", "where").text
    mouse(page, "mouseleave", "#tree")
    assert "INTEGER, offset 11 (0xb), header 2, contents 1 byte" in page.find_element("id", "where").text
    mouse(page, "click", "#tree .row", 4)
    assert selected(page) is None
    mouse(page, "click", "#bytes .byte", 25)
    assert selected(page) == [24, 27]
    assert page.find_element("css selector", "#tree .selected").get_attribute("aria-selected") == "true"


def test_keys_move_open_and_close(opened):
    page = opened(SMALL)
    for name, place in (("ArrowDown", 0), ("ArrowDown", 2), ("End", 33), ("Home", 0), ("PageDown", 33), ("Home", 0)):
        key(page, name)
        assert selected(page)[0] == place
    shown = len(rows(page))
    key(page, "ArrowLeft")
    assert len(rows(page)) == 1
    key(page, "ArrowRight")
    assert len(rows(page)) == shown
    key(page, "ArrowRight")
    assert selected(page)[0] == 2
    key(page, "ArrowLeft")
    assert selected(page)[0] == 0
    key(page, "Escape")
    assert selected(page) is None
    key(page, "?")
    assert page.execute_script("return document.getElementById('help').open")
    page.find_element("css selector", "#help button").click()
    assert not page.execute_script("return document.getElementById('help').open")


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
        ("669", "number", "not found", None),
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


def test_search_finds_labels_in_a_long_list(opened):
    data = make_crl(200)
    page = opened(data)
    assert look_for(page, "user_certificate") == "1 of 200"
    assert selected(page)[0] == data.index(b"\x02\x03\x10\x00\x00")
    assert look_for(page, "key_compromise", "field") == "1 of 100"
    assert look_for(page, "CRLReason", "field") == "1 of 100"
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


def test_a_large_list_opens_scrolls_and_is_searched(opened):
    entries = 300_000
    data = make_crl(entries)
    page = opened(data)
    assert page.execute_script("return treeRows.count") < 60
    page.execute_script("toggle(state.tree.at(arguments[0]).parent.parent)", data.index(b"\x02\x03\x10\x00\x00"))
    settled(page)
    assert page.execute_script("return treeRows.count") > entries
    # Only the visible rows are elements of the page, at any scroll position.
    for part in (0.1, 0.5, 0.9, 1):
        page.execute_script(
            "for (const id of ['tree', 'bytes']) {"
            "  const box = document.getElementById(id); box.scrollTop = box.scrollHeight * arguments[0]; }",
            part,
        )
        settled(page)
        assert page.execute_script("return document.querySelectorAll('.row').length") < 120
        shown = page.execute_script("return [treeRows.top + treeRows.seen, byteRows.top + byteRows.seen]")
        whole = page.execute_script("return [treeRows.count, byteRows.count]")
        assert all(part * every - 60 < at < part * every + 60 for at, every in zip(shown, whole, strict=True))
    assert "BIT STRING" in rows(page)[-1]
    last = (0x100000 + entries - 1).to_bytes(3, "big")
    assert look_for(page, "0x0203" + last.hex()) == "1 of 1"
    assert data[selected(page)[0] : selected(page)[1]] == b"\x02\x03" + last
    # Each row appears once and in order, also if the scroll bar is scaled.
    key(page, "End")
    assert selected(page)[1] == len(data)
    page.execute_script("treeRows.scrollTo(1000)")
    settled(page)
    assert page.execute_script(
        "return [...document.querySelectorAll('#tree .row:not([hidden])')].every((row, at) =>"
        " row.node === state.tree.atRow(1000 + at))"
    )


def test_rows_and_elements_agree_if_many_are_open(opened):
    page = opened(make_crl(400))
    key(page, "Home")
    key(page, "*")
    assert page.execute_script(
        "const { tree } = state; let wrong = 0;"
        "for (let row = 0; row < tree.root.rows; row += 7) if (tree.rowOf(tree.atRow(row)) !== row) wrong++;"
        "return [wrong, tree.root.rows > 1500]"
    ) == [0, True]


def test_a_hostile_file_runs_no_script(opened):
    for data in (make_certificate(HOSTILE, alternative=HOSTILE.encode().decode("latin-1")),
                 der(0x30, der(0x1E, HOSTILE.encode("utf-16-be")), extension("0603551d0e", HOSTILE.encode()))):
        page = opened(data, name=HOSTILE.replace("/", "∕").replace("\0", ""))
        assert any("</script></title>" in row for row in rows(page))
        page.execute_script("select(state.tree.at(arguments[0]))", data.find(HOSTILE.encode()[:10]) + 5)
        look_for(page, HOSTILE)
        page.execute_script("select(state.tree.at(arguments[0]))", max(data.find(b"onerror"), 20))
        settled(page)
        assert page.execute_script("return [typeof window.ran, document.images.length]") == [
            "undefined",
            0,
        ]


def test_the_policy_of_the_page_runs_no_other_script(opened):
    page = opened(SMALL)
    page.execute_script(
        "const image = document.createElement('div');"
        "image.innerHTML = '<img src=\"data:,x\" onerror=\"window.ran=1\">';"
        "const script = document.createElement('script'); script.textContent = 'window.ran = 1';"
        "document.body.append(image, script)"
    )
    settled(page)
    assert page.execute_script("return typeof window.ran") == "undefined"
    assert any("Content Security Policy" in line["message"] for line in page.get_log("browser"))


def test_a_fragment_opens_the_page_at_an_offset(opened):
    place = CERTIFICATE.index(b"Test CA")
    assert selected(opened(CERTIFICATE, f"#{place + 3}")) == [place - 2, place + 7]
    page = opened(CERTIFICATE, "#tbs_certificate.issuer.rdn_sequence%5B0%5D")
    assert selected(page)[0] == place - 11
    page.execute_script("location.hash = 'tbs_certificate.serial_number'")
    settled(page)
    serial = CERTIFICATE.index(bytes.fromhex("02021a2b"))
    assert selected(page) == [serial, serial + 4]
    for fragment in ("#99999999", "#-1", "#x", "#1e3", "#%ff", "#tbs_certificate.", "#[99]"):
        assert selected(opened(SMALL, fragment)) is None


def test_the_block_can_be_selected(opened, tmp_path):
    blocks = pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(SMALL, "OTHER")
    page = opened(blocks.encode())
    shown = "return document.getElementById('documents').checkVisibility()"
    assert page.execute_script(shown)
    page.execute_script(
        "const choice = document.getElementById('documents'); choice.value = 1;"
        "choice.dispatchEvent(new Event('change'))"
    )
    settled(page)
    assert rows(page)[0].endswith(f"0 + {len(SMALL)}")
    assert not opened(SMALL).execute_script(shown)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_text_contrasts_with_its_background(opened, colours):
    page = opened(CERTIFICATE, "#20")
    page.execute_script(
        "const choice = document.getElementById('colours'); choice.value = arguments[0];"
        "choice.dispatchEvent(new Event('change'))",
        colours,
    )
    mouse(page, "mousemove", "#tree .row", 3)
    assert page.execute_script(PALE) == []
    assert page.execute_script(PALE_CONTROLS) == []
    look_for(page, "Test CA")
    assert page.execute_script(PALE) == []
    placeholder = "getComputedStyle(document.getElementById('query'), '::placeholder').color"
    assert page.execute_script(f"return {placeholder} === getComputedStyle(document.getElementById('hint')).color")
    ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 28)"}[colours]


# The bytes in a row at each width of the screen.
WIDTHS = {360: 8, 768: 16, 1280: 16, 2560: 32}
BOXES = "return ['tree', 'bytes'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
# The controls that are not on the screen, and the rows of bytes that are cut.
OUTSIDE = """
const controls = [...document.querySelectorAll("button, select, input, code, #value")];
const outside = controls.filter((one) => one.checkVisibility()).filter((one) => {
  const box = one.getBoundingClientRect();
  return box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || !box.width;
});
const rows = [...document.querySelectorAll("#bytes .row:not([hidden])")];
const cut = rows.filter((row) => row.scrollWidth > row.clientWidth);
return [outside.map((one) => one.id), cut.length];
"""


@pytest.fixture
def sized(browser):
    """Give the page of the browser a size."""

    def sized(width, height):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield sized
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", WIDTHS)
def test_a_screen_of_each_width_shows_all_parts(opened, sized, width):
    sized(width, 800)
    page = opened(CERTIFICATE, f"#{CERTIFICATE.index(b'Test CA')}")
    seen = page.execute_script("return [innerWidth, document.documentElement.scrollWidth, state.width]")
    assert seen == [width, width, WIDTHS[width]]
    assert page.execute_script(OUTSIDE) == [[], 0]
    tree, dump = page.execute_script(BOXES)
    assert min(tree["height"], dump["height"]) > 150
    if width <= 1000:
        assert tree["bottom"] <= dump["top"] + 1
    else:
        assert tree["right"] <= dump["left"] + 1


@pytest.mark.parametrize("width", WIDTHS)
def test_no_part_moves_under_the_mouse(opened, sized, width):
    sized(width, 800)
    page = opened(CERTIFICATE)
    before = page.execute_script(BOXES)
    page.execute_script("select(state.tree.at(arguments[0]))", CERTIFICATE.index(b"\x00\xc1"))
    for row in (0, 3, 5):
        mouse(page, "mousemove", "#tree .row", row)
        assert page.execute_script(BOXES) == before


def test_the_page_in_the_documentation_can_be_made(opened):
    server = Path(__file__).parents[2] / "docs" / "examples" / "server.pem"
    if not server.is_file():
        pytest.skip("docs/ is not beside the tests")
    assert rows(opened(server.read_bytes()))[0] == "▾ Certificate CN=www.example.org · 4099 (0x1003) 0 + 291"


PATHS = """
const found = [];
const walk = (node) => {
  found.push([node.at, pathOf(node)]);
  state.tree.kids(node).forEach((_, index) => walk(state.tree.child(node, index)));
};
walk(state.tree.root);
return found;
"""
FOUND = "const { at } = nodeAtPath(arguments[0]); return at"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.mark.parametrize("name", ["server.pem", "ann.p12", "report.p7m", "long.crl", "unknown.der", "several.der"])
def test_extract_finds_the_element_at_each_path_of_the_page(opened, tmp_path, name):
    made = {"long.crl": make_crl(70), "unknown.der": SMALL, "several.der": CERTIFICATE + CRL}
    if name not in made and not EXAMPLES.is_dir():
        pytest.skip("docs/ is not beside the tests")
    data = made[name] if name in made else (EXAMPLES / name).read_bytes()
    page = opened(data, name=name)
    octets = pem.der_of(data)[0] if name != "several.der" else CERTIFICATE
    paths = page.execute_script(PATHS)
    others = [path for at, path in paths if not path.isdecimal() and page.execute_script(FOUND, path) != at]
    assert others == []
    for at, path in paths:
        found = run("extract", str(tmp_path / name), path, "--to", "hex").stdout.strip().replace("\n", "")
        assert found
        assert octets[at:].hex().startswith(found), (at, path)
    # A path of extract does not reach the values inside the strings of a PKCS #12; several values have offsets.
    with_fields = sum(not path.isdecimal() for _, path in paths)
    assert (with_fields > len(paths) / 2) == (name not in ("ann.p12", "several.der"))


INDEFINITE = b"\x30\x80" + bytes.fromhex("06092a864886f70d010701") + b"\xa0\x80\x24\x80\x04\x03Hel\x04\x02lo" + bytes(6)


def test_the_types_and_paths_of_ber_are_those_of_its_conversion(opened, tmp_path):
    page = opened(INDEFINITE, name="a.ber", options=["--ber"])
    assert [row.rsplit(" ", 3)[0] for row in rows(page)] == [
        "▾ ContentInfo (indefinite length) id-data",
        "content_type OBJECT IDENTIFIER id-data (1.2.840.113549.1.7.1)",
        "▾ explicit (indefinite length) tag [0]",
        "▾ content OCTET STRING (indefinite length, in segments) 2 segments · \"Hello\" (48:65:6c:6c:6f)",
        "OCTET STRING 48:65:6c",
        "OCTET STRING 6c:6f",
        *["end-of-contents"] * 3,
    ]
    paths = [path for _, path in page.execute_script(PATHS)]
    assert paths == ["0", "content_type", "13", "content", "17", "22", "26", "28", "30"]
    for path in ("content_type", "content"):
        assert run("extract", str(tmp_path / "a.ber"), path, "--ber", "--to", "hex").stdout


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
    assert "in segments) 2 segments · aa:bb:c0, 4 unused bits " in rows(page)[0]


def test_the_words_and_places_that_ber_adds_are_found(opened):
    page = opened(BER, options=["--ber"])
    found = {"indefinite length": 4, "segments": 2, "long length": 1, "end-of-contents": 4, "tag [0]": 1}
    assert {query: int(look_for(page, query).split(" of ")[1]) for query in found} == found
    assert look_for(page, "tag [APPLICATION 0]") == "not found"


def test_keys_of_one_character_work_beside_the_controls_only(opened):
    page = opened(SMALL)
    for target in ("query", "kind", "keys", "colours", "next"):
        key(page, "?", target)
        assert not page.execute_script("return document.getElementById('help').open")
    for target in ("tree", "bytes", "copy-path"):
        key(page, "?", target)
        page.find_element("css selector", "#help button").click()


ACCESSIBLE = """
const roles = { "#tree": "tree", "#divider": "separator", "#value": "region", "#tree .row": "treeitem" };
const missing = Object.entries(roles).filter(([query, role]) => document.querySelector(query).role !== role);
const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
const labelled = (one) => one.ariaLabel || one.hasAttribute("aria-labelledby") || one.labels?.length;
const named = (one) => labelled(one) || one.textContent.trim();
const unnamed = [...document.querySelectorAll("button, select, input, section, dialog, [role]")]
  .filter((one) => one.role !== "search" && !one.hidden && !named(one)).map((one) => one.id);
const moving = [...document.querySelectorAll("*")].map((one) => getComputedStyle(one))
  .filter((one) => one.animationName !== "none" || one.transitionDuration !== "0s" || one.scrollBehavior !== "auto");
return [missing, twice, unnamed, moving.length];
"""


def test_parts_have_names_and_roles_and_nothing_moves_by_itself(opened):
    page = opened(CERTIFICATE)
    assert page.execute_script(ACCESSIBLE) == [[], [], [], 0]
    # Rows that are no longer shown do not keep their identifiers.
    key(page, "ArrowLeft")
    assert page.execute_script(ACCESSIBLE) == [[], [], [], 0]
    for name in ("ArrowRight", "ArrowDown", "ArrowDown"):
        key(page, name)
    active = page.execute_script("return document.getElementById('tree').getAttribute('aria-activedescendant')")
    row = page.find_element("id", active)
    assert row.get_attribute("aria-selected") == "true"
    assert (row.get_attribute("aria-level"), row.get_attribute("aria-setsize")) == ("2", "3")
    assert row.get_attribute("aria-description") == "offset 4, 337 bytes"


def test_the_tab_key_follows_the_order_of_the_screen(opened, sized):
    page = opened(CERTIFICATE, "#20")
    page.execute_script(
        "window.order = [];"
        "document.getElementById('colours').focus();"
        "document.addEventListener('focusin', (event) => order.push(event.target.id))"
    )
    for _ in range(14):
        page.switch_to.active_element.send_keys("\ue004")
    copies = ["copy-path", "copy-value", "copy-hex", "copy-base64"]
    places = ["keys", "query", "kind", "previous", "next", "tree", "divider", "bytes", *copies, "save", "value"]
    assert page.execute_script("return order") == places


def test_the_divider_moves_with_the_mouse_and_the_keys(opened):
    page = opened(CERTIFICATE)
    width = "return Math.round(document.getElementById('tree').getBoundingClientRect().width)"
    first = page.execute_script(width)
    key(page, "ArrowLeft", "divider")
    assert page.execute_script(width) < first
    key(page, "Home", "divider")
    assert page.execute_script(width) < 0.2 * 1400
    assert page.find_element("id", "divider").get_attribute("aria-valuenow") == "15"
    key(page, "Enter", "divider")
    assert page.execute_script(width) == first
    from selenium.webdriver import ActionChains

    ActionChains(page).drag_and_drop_by_offset(page.find_element("id", "divider"), -200, 0).perform()
    settled(page)
    assert abs(page.execute_script(width) - (first - 200)) < 20


def copied(page, name):
    page.execute_script("window.texts = []; navigator.clipboard.writeText = async (text) => { texts.push(text); }")
    key(page, name)
    return page.execute_script("return window.texts[0]")


def test_the_path_value_and_bytes_of_an_element_are_copied(opened):
    place = CERTIFICATE.index(bytes.fromhex("02021a2b"))
    page = opened(CERTIFICATE, f"#{place}")
    assert copied(page, "c") == "tbs_certificate.serial_number"
    assert copied(page, "v") == "6699 (0x1a2b)"
    assert copied(page, "h") == "02021a2b"
    assert copied(page, "b") == "AgIaKw==\n"
    page.execute_script("select(state.tree.root)")
    assert copied(page, "h") == CERTIFICATE.hex()
    assert copied(page, "b") == pem.encode(CERTIFICATE, "CERTIFICATE")
    assert page.find_element("id", "copy-base64").text == "PEM"
    assert copied(page, "v") == "CN=Test · 6699 (0x1a2b)"
    # The file that would be saved has the same bytes.
    page.execute_script(
        "window.saved = []; URL.createObjectURL = (blob) => { saved.push(blob); return 'blob:x'; };"
        "HTMLAnchorElement.prototype.click = function () { saved.push(this.download); }"
    )
    key(page, "s")
    name, octets = page.execute_async_script(
        "const done = arguments[0], [blob, name] = saved;"
        "blob.arrayBuffer().then((buffer) => done([name, [...new Uint8Array(buffer)]]))"
    )
    assert (name, bytes(octets)) == ("0.der", CERTIFICATE)


CONTROLS = "a\u202eb\u2066c\u200fd\u061ce\x00f\x1b[2Jg\x7f\u2028h\ufeffi"


@pytest.mark.parametrize("tag", [0x0C, 0x13, 0x16, 0x1A, 0x1E, 0x1C, 0x04, 0x80, 0x17, 0x18, 0x14])
def test_control_characters_have_escapes_in_any_string(opened, tag):
    encoding = {0x1E: "utf-16-be", 0x1C: "utf-32-be"}.get(tag, "utf-8")
    # As BER, contents are not validated.
    page = opened(der(0x30, der(tag, CONTROLS.encode(encoding))), options=["--ber"])
    page.execute_script("select(state.tree.child(state.tree.root, 0))")
    settled(page)
    shown = page.execute_script("return document.getElementById('tree').innerText + $('value').textContent")
    assert not set(CONTROLS) & set(shown) - set("abcdefghi[2J")
    assert page.execute_script("return document.dir + getComputedStyle(document.body).direction") == "ltr"


def test_names_of_a_hostile_issuer_stay_text(opened):
    page = opened(make_certificate(HOSTILE))
    title = rows(page)[0]
    assert title.startswith("▾ Certificate CN=</script></title></style><img src=x")
    assert "…" in title
    assert look_for(page, "CN=</script>") == "1 of 1"


@pytest.mark.parametrize("tag", [0x04, 0x0C, 0x02, 0x03, 0x06, 0x16, 0x1E, 0x80])
def test_a_string_of_10_million_bytes_does_not_stop_the_page(opened, tag):
    first = {0x03: b"\0", 0x02: b"\x01"}.get(tag, b"ab")
    fill = b"\x81" if tag in (0x06, 0x02, 0x03, 0x04) else b"ab"
    long = first + fill * (10_000_000 // len(fill)) + (b"\1" if tag == 0x06 else b"")
    data = der(0x30, der(tag, long), b"\x02\x01\x05")
    page = opened(data, options=["--ber"])
    assert len(rows(page)) == 3
    assert rows(page)[2].startswith("INTEGER 5 ")
    page.execute_script("select(state.tree.child(state.tree.root, 0))")
    settled(page)
    assert 0 < page.execute_script("return $('value').textContent.length") < 20_000
    assert page.execute_script("return $('tree').textContent.length") < 20_000
    # The other end of the string is found, and the copy is whole.
    key(page, "End")
    assert selected(page) == [len(data) - 3, len(data)]
    assert look_for(page, long[-1:].hex() + "020105", "hex") == "1 of 1"
    assert page.execute_script("return hexOf(bytesOfElement(state.tree.root)).length") == 2 * len(data)


@pytest.mark.parametrize("shape", ["lists", "strings", "tags", "indefinite"])
def test_deep_values_open_and_stay_on_the_screen(opened, sized, shape):
    data = b"\x05\x00"
    for _ in range(90):
        data = der({"lists": 0x30, "strings": 0x04, "tags": 0xA1, "indefinite": 0x30}[shape], data)
    options = []
    if shape == "indefinite":
        data, options = b"\x30\x80" * 90 + b"\x05\x00" + b"\0\0" * 90, ["--ber"]
    sized(360, 740)
    page = opened(data, options=options)
    key(page, "Home")
    key(page, "*")
    page.execute_script("select(state.tree.at(arguments[0]))", data.index(b"\x05\x00"))
    settled(page)
    assert data[selected(page)[0]] in (0x05, 0x04)
    # The row is not pushed out of the tree by its level.
    assert page.execute_script(
        "const row = document.querySelector('#tree .selected'), type = row.querySelector('.type');"
        "return type.getBoundingClientRect().left < $('tree').getBoundingClientRect().right - 60"
    )
    assert page.execute_script("return document.documentElement.scrollWidth") == 360
    assert page.execute_script(OUTSIDE)[0] == []


def test_a_list_of_many_small_elements_has_short_rows(opened):
    page = opened(der(0x30, *[der(0x30, *[der(0x30, b"\x05\0" * 4)] * 4)] * 20_000))
    assert rows(page)[0].startswith("▾ SEQUENCE 20,000 elements 0 + ")
    key(page, "ArrowDown")
    key(page, "ArrowRight")
    assert all(len(row) < 300 for row in rows(page))

"""The page of `derlib view` in a real browser: mouse and keys, copying, the fragment of the address."""

from __future__ import annotations

import hashlib

from support.commands import CERTIFICATE, SMALL
from support.view_page import LIT, key, mouse, rows, selected, settled

from derlib import pem


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


def test_keys_of_one_character_work_beside_the_controls_only(opened):
    page = opened(SMALL)
    for target in ("query", "kind", "keys", "colours", "next"):
        key(page, "?", target)
        assert not page.execute_script("return document.getElementById('help').open")
    for target in ("tree", "bytes", "copy-path"):
        key(page, "?", target)
        page.find_element("css selector", "#help button").click()


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
    assert copied(page, "v") == f"SHA-256 {hashlib.sha256(CERTIFICATE).digest().hex(':')}"
    page.execute_script("select(state.tree.child(state.tree.root, 1))")
    assert copied(page, "v") == "sha256WithRSAEncryption"
    page.execute_script(f"select(state.tree.at({CERTIFICATE.index(bytes.fromhex('0201 02'))}))")
    assert copied(page, "v") == "v3 (2)"
    page.execute_script("select(state.tree.root)")
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

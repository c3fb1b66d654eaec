"""The page of `derlib view` in a real browser: markup, control characters, long, deep and many elements."""

from __future__ import annotations

import pytest
from support.commands import SMALL, der, extension, make_certificate, make_crl
from support.view_page import HOSTILE, OUTSIDE, key, look_for, rows, selected, settled


def test_a_hostile_file_runs_no_script(opened):
    # The DNS name of the certificate is not an IA5String.
    certificate = make_certificate(HOSTILE, alternative=HOSTILE.encode().decode("latin-1"))
    strings = der(0x30, der(0x1E, HOSTILE.encode("utf-16-be")), extension("0603551d0e", HOSTILE.encode()))
    for data, status in ((certificate, 1), (strings, 0)):
        page = opened(data, name=HOSTILE.replace("/", "∕").replace("\0", ""), status=status)
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


CONTROLS = "a\u202eb\u2066c\u200fd\u061ce\x00f\x1b[2Jg\x7f\u2028h\ufeffi"


@pytest.mark.parametrize("tag", [0x0C, 0x13, 0x16, 0x1A, 0x1E, 0x1C, 0x04, 0x80, 0x17, 0x18, 0x14])
def test_control_characters_have_escapes_in_any_string(opened, tag):
    encoding = {0x1E: "utf-16-be", 0x1C: "utf-32-be"}.get(tag, "utf-8")
    # The page shows contents that are not valid for their type, and the command reports them.
    is_invalid = tag in (0x13, 0x16, 0x17, 0x18, 0x1A)
    page = opened(der(0x30, der(tag, CONTROLS.encode(encoding))), options=["--ber"], status=int(is_invalid))
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
    # An arc of an OBJECT IDENTIFIER has a limit, which the command reports.
    page = opened(data, options=["--ber"], status=int(tag == 0x06))
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

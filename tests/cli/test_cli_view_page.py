"""The page of `derlib view` in a real browser: the elements, their fields, types, values and paths."""

from __future__ import annotations

import json

import pytest
from support.browsers import PALE
from support.commands import CERTIFICATE, CRL, SMALL, der, extension, make_certificate, make_crl, run
from support.pages import example
from support.view_page import CLOSED, PATHS, WALK, look_for, mouse, rows, settled

from derlib import pem
from derlib.cli.documents.paths import child_items, root_item
from derlib.schemas.attributes import Name
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate, Extension, Extensions


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
    assert opened(pem.encode(SMALL, "CERTIFICATE").encode(), status=1).execute_script(FIELDS) == {}


def test_the_tree_shows_types_values_and_offsets(opened):
    shown = rows(opened(SMALL))
    length = len(SMALL)
    assert shown[0] == f"▾ SEQUENCE id-ce-subjectKeyIdentifier · 6 elements 0 + {length}"
    assert shown[1:5] == [
        "OBJECT IDENTIFIER id-ce-subjectKeyIdentifier (2.5.29.14) 2 + 5",
        "▾ OCTET STRING contains SEQUENCE 7 + 11",
        "▾ SEQUENCE 2 elements 9 + 9",
        "INTEGER 5 11 + 3",
    ]
    assert 'UTF8String "é" 14 + 4' in shown
    assert "BIT STRING f0, 4 unused bits 18 + 4" in shown


def with_extension(*added):
    """Return a certificate with these extensions only."""
    certificate = Certificate.decode(CERTIFICATE)
    extensions = Extensions([Extension.decode(one) for one in added])
    tbs = certificate.tbs_certificate.replace(extensions=extensions)
    return certificate.replace(tbs_certificate=tbs).encode()


PATH_LENGTH = with_extension(extension("0603551d13", bytes.fromhex("30060101ff020107"), critical=True))
MANY_NAMES = with_extension(extension("0603551d11", der(0x30, *(der(0x82, b"n%d" % n) for n in range(6)))))


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (CERTIFICATE, "Certificate CN=Test · 6699 (0x1a2b) 0"),
        (CERTIFICATE, "issuer Name CN=Test CA "),
        (CERTIFICATE, "[0] Extension id-ce-basicConstraints · critical · ca "),
        (CERTIFICATE, "[2] Extension id-ce-subjectAltName · \"example.org\" · ip_address 192.0.2.1 "),
        (PATH_LENGTH, "[0] Extension id-ce-basicConstraints · critical · ca · path length 7 "),
        (MANY_NAMES, '[0] Extension id-ce-subjectAltName · "n0" · "n1" · "n2" · "n3" · + 2 more '),
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


def test_names_algorithms_and_extensions_are_closed_at_first(opened):
    shown = rows(opened(CERTIFICATE))
    assert [row.split(" ")[1] for row in shown if row.startswith("▸ ")] == [
        "signature", "issuer", "subject", "algorithm", *(f"[{index}]" for index in range(4)), "signature_algorithm"
    ]
    assert [row for row in shown if row.startswith("▸ issuer Name CN=Test CA ")]


def test_attributes_of_a_name_have_their_usual_names(opened):
    name = Name.of({"serialNumber": "12", "emailAddress": "ann@example.org"})
    tbs = Certificate.decode(CERTIFICATE).tbs_certificate.replace(subject=name)
    page = opened(Certificate.decode(CERTIFICATE).replace(tbs_certificate=tbs).encode())
    shown = "subject Name serialNumber=12 · emailAddress=ann@example.org "
    assert [one for one in page.execute_script(CLOSED) if one.startswith(shown)]


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


def test_the_page_of_der_shows_deviations_and_not_forms_of_ber(opened):
    page = opened(bytes.fromhex("308102 0500"), options=["--tolerate", "length-form"])
    assert rows(page)[0] == "▾ SEQUENCE 1 element ⚠ length-form 0 + 5"
    assert "long length" not in "".join(rows(page))


def test_a_deviation_is_on_its_row_and_is_found(opened):
    data = make_certificate(alternative="exämple.org".encode().decode("latin-1"))
    page = opened(data, status=1)
    assert page.find_element("id", "faults").text == '1 deviation: search for "deviation".'
    assert look_for(page, "string-alphabet") == "1 of 1"
    row = page.execute_script("return document.querySelector('#tree .selected').innerText")
    assert "⚠ string-alphabet" in row
    assert "deviation string-alphabet, X.680 41.1" in page.find_element("id", "where").text
    assert page.execute_script(PALE) == []
    assert look_for(opened(CERTIFICATE), "deviation") == "not found"


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


def test_the_page_in_the_documentation_can_be_made(opened):
    assert rows(opened(example("server.pem")))[0] == "▾ Certificate CN=www.example.org · 4099 (0x1003) 0 + 291"


FOUND = "const { at } = nodeAtPath(arguments[0]); return at"


@pytest.mark.parametrize(
    "name", ["server.pem", "ann.p12", "report.p7m", "report.tsr", "long.crl", "unknown.der", "several.der"]
)
def test_extract_finds_the_element_at_each_path_of_the_page(opened, tmp_path, name):
    made = {"long.crl": make_crl(70), "unknown.der": SMALL, "several.der": CERTIFICATE + CRL}
    data = made[name] if name in made else example(name)
    page = opened(data, name=name)
    octets = pem.der_of(data)[0] if name != "several.der" else CERTIFICATE
    paths = page.execute_script(PATHS)
    others = [path for at, path in paths if not path.isdecimal() and page.execute_script(FOUND, path) != at]
    assert others == []
    for at, path in paths:
        found = run("extract", str(tmp_path / name), path, "--to", "hex").stdout.strip().replace("\n", "")
        assert found
        assert octets[at:].hex().startswith(found), (at, path)
    # Several values have offsets.
    with_fields = sum(not path.isdecimal() for _, path in paths)
    assert (with_fields > len(paths) / 2) == (name != "several.der")


def test_hidden_keys_are_marked_and_not_copied(opened):
    key = bytes.fromhex("302e020100300506032b657004220420") + bytes(range(0xA0, 0xC0))
    page = opened(key, "#14")
    assert page.find_element("id", "value").text == "(hidden; derlib view --secrets shows it)"
    assert rows(page)[-1] == "private_key OCTET STRING (hidden; derlib view --secrets shows it) 12 + 36"
    page.execute_script("copyHex()")
    assert "hidden" in page.find_element("id", "done").text
    assert look_for(page, "2a2a2a2a", "hex") == "not found"
    page.execute_script("select(null)")
    assert page.find_element("id", "secrets").text == "Private keys are hidden: derlib view --secrets shows them."
    cells = "return [...document.querySelectorAll('#bytes .byte')].slice(12, 16).map((one) => one.textContent)"
    assert page.execute_script(cells) == ["04", "22", "••", "••"]
    page = opened(key, "#14", options=["--secrets"])
    assert page.find_element("id", "value").text.replace("\n", "").startswith("a0:a1")
    assert not page.find_element("id", "secrets").is_displayed()


def test_a_truncated_file_shows_what_is_there(opened):
    page = opened(CERTIFICATE[:150], status=1)
    shown = rows(page)
    assert shown[0].startswith("▾ SEQUENCE 1 element ⚠ content-truncated ")
    assert any('"Test CA"' in row for row in shown)
    message = page.find_element("id", "faults").text
    assert message.startswith("at offset 0: ")
    assert "X.690 8.1.3" in message
    assert look_for(page, "fault") == "1 of 1"
    cells = "return [...document.querySelectorAll('#bytes .byte.fault')].map((one) => one.parentNode.start + one.at)"
    assert page.execute_script(cells) == [0]


INNERMOST = """
const { length } = state.der.bytes, root = state.tree.root;
return Array.from({ length }, (_, at) => state.tree.at(at)).every((node, at) => node.at <= at && at < node.end);
"""


@pytest.mark.parametrize("options", [[], ["--ber"]], ids=["DER", "BER"])
def test_each_byte_of_a_damaged_file_is_in_an_element(opened, options):
    # Bytes whose first length octet is reserved are probably not ASN.1.
    for at in range(7, len(SMALL), 6):
        damaged = SMALL[:at] + b"\xff" + SMALL[at + 1 :]
        page = opened(damaged, options=options, status=None)
        assert page.execute_script(INNERMOST)
        rows(page)


def test_an_alternative_has_its_own_type_and_a_tag_its_word(opened):
    page = opened(example("report.p7m"))
    assert [row for row in page.execute_script(CLOSED) if row.startswith("sid IssuerAndSerialNumber ")]
    page = opened(CERTIFICATE, "#8")
    assert page.find_element("id", "where").text.startswith("tag [0], offset 8 ")


def test_the_details_take_room_on_a_narrow_screen_only_for_an_element(opened, sized):
    sized(360, 740)
    page = opened(CERTIFICATE)
    height = "return document.querySelector('footer').getBoundingClientRect().height"
    assert page.execute_script(height) < 60
    mouse(page, "click", "#tree .row", 9)
    assert page.execute_script(height) > 150
    box = "const { bottom } = arguments[0].getBoundingClientRect(); return bottom"
    row, tree = page.find_element("css selector", "#tree .selected"), page.find_element("id", "tree")
    assert page.execute_script(box, row) <= page.execute_script(box, tree)


def test_a_screen_without_a_mouse_has_no_hint_to_hover(opened):
    page = opened(CERTIFICATE)
    # Whether the browser has a mouse depends on the machine.
    can_hover = page.execute_script("return !matchMedia('(hover: none)').matches")
    assert ("Hover" in page.find_element("id", "hint").text) == can_hover

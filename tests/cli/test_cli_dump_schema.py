"""`derlib dump --schema`: decode files with a type of an ASN.1 module."""

from __future__ import annotations

import json

import pytest
from support.commands import CERTIFICATE, put, run, run_json

SHOP = b"""Shop DEFINITIONS IMPLICIT TAGS ::= BEGIN
IMPORTS Code FROM Codes;
Item ::= SEQUENCE { code Code, tags [0] SET OF UTF8String OPTIONAL, text-kind ENUMERATED { new, old } DEFAULT old }
Code-List ::= SEQUENCE OF Code
END
"""
CODES = b"Codes DEFINITIONS ::= BEGIN Code ::= INTEGER (0..999) Item ::= NULL END"
ITEM = bytes.fromhex("300b 020107 a0030c0161 0a0100")
OPTIONS = ("--schema", "shop.asn", "--schema", "codes.asn", "--type")


@pytest.fixture(autouse=True)
def _files(empty_folder: None) -> None:
    put(shop_asn=SHOP, codes_asn=CODES, item_der=ITEM)


def test_shows_fields() -> None:
    assert run("dump", "item.der", *OPTIONS, "Shop.Item").stdout.splitlines() == [
        "code: 7",
        "tags:",
        "  - a",
        "text_kind: new",
    ]


def test_type_that_is_not_a_class() -> None:
    put(codes_der=bytes.fromhex("3006020101020102"))
    assert run("dump", "codes.der", *OPTIONS, "Code-List").stdout == "- 1\n- 2\n"


OCTETS = b"""Octets DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Entry ::= SEQUENCE { name OCTET STRING, address OCTET STRING (SIZE (4)), values SET OF OCTET STRING }
Name ::= OCTET STRING
END
"""


def test_octet_strings_that_are_text_are_shown_as_by_dump_without_a_schema() -> None:
    put(octets_asn=OCTETS, entry_der=bytes.fromhex("3015 8003") + b'a"b' + bytes.fromhex("8104") + b"-MXc"
        + bytes.fromhex("a208 0406") + b'say""\\', name_der=b"\4\4Anna")  # fmt: skip
    options = ("--schema", "octets.asn", "--type")
    assert run("dump", "entry.der", *options, "Entry").stdout.splitlines() == [
        "name: 61:22:62",
        "address: 2d:4d:58:63",
        "values:",
        r'''  - "say""\\"''',
    ]
    assert run("dump", "entry.der").stdout.splitlines()[-1].endswith(r'''OCTET STRING "say""\\"''')
    assert run("dump", "name.der", *options, "Name").stdout == '"Anna"\n'
    [found] = run_json("dump", "entry.der", *options, "Entry")
    assert found["decoded"] == {"name": b'a"b'.hex(), "address": b"-MXc".hex(), "values": [b'say""\\'.hex()]}


def test_json() -> None:
    found = json.loads(run("dump", "item.der", "--json", *OPTIONS, "Shop.Item").stdout)
    assert found == [{"file": "item.der", "decoded": {"code": 7, "tags": ["a"], "text_kind": "new"}}]


def test_json_of_several_values_has_their_numbers() -> None:
    put(codes_der=bytes.fromhex("020105 020106"))
    lines = run("dump", "codes.der", "--jsonl", *OPTIONS, "Code").stdout.splitlines()
    assert lines == [
        '{"file": "codes.der", "value": 1, "offset": 0, "decoded": 5}',
        '{"file": "codes.der", "value": 2, "offset": 3, "decoded": 6}',
    ]


def test_elements_of_a_later_version_are_shown() -> None:
    put(later_asn=b"Later DEFINITIONS AUTOMATIC TAGS ::= BEGIN "
        b"Item ::= SEQUENCE { code INTEGER, kind CHOICE { a NULL, ... }, ... } END",
        item_der=bytes.fromhex("300f 800105 a1038901ff 890100 a2028000"))  # fmt: skip
    options = ("--schema", "later.asn", "--type", "Item")
    assert run("dump", "item.der", *options).stdout.splitlines() == [
        "code: 5",
        "kind:",
        "  [9]: (opaque) 89:01:ff",
        "unknown_additions:",
        "  - (opaque) 89:01:00",
        "  - (opaque) a2:02:80:00",
    ]
    [found] = run_json("dump", "item.der", *options)
    additions = [{"der": "890100"}, {"der": "a2028000"}]
    assert found["decoded"] == {"code": 5, "kind": {"[9]": {"der": "8901ff"}}, "unknown_additions": additions}


def test_ber() -> None:
    put(item_ber=b"\x30\x80" + ITEM[2:] + b"\0\0")
    assert run("dump", "--ber", "item.ber", *OPTIONS, "Shop.Item").stdout.startswith("code: 7\n")
    run("dump", "item.ber", *OPTIONS, "Shop.Item", status=1)


def test_a_fault_has_its_path_and_clause() -> None:
    put(wrong_der=ITEM.replace(b"\x02\x01\x07", b"\x02\x01\xff"))
    result = run("dump", "wrong.der", *OPTIONS, "Shop.Item", status=1)
    assert result.stderr == (
        "derlib: wrong.der: code at offset 2: INTEGER -1 is outside (0..999) (X.680 51.4)\n"
    )


MISTAKES = [
    (("Codelist",), "--type: 'Codelist' is not defined; did you mean Code-List?"),
    (("shop.item",), "did you mean Shop.Item?"),
    (("Item",), "--type: several modules define 'Item'; use Shop.Item or Codes.Item"),
    (("Zzzz",), "--type: 'Zzzz' is not defined\n"),
    (("Code", "--depth", "1"), "--depth and --offset do not work with --schema"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES)
def test_mistakes(words: tuple[str, ...], message: str) -> None:
    assert message in run("dump", "item.der", *OPTIONS, *words, status=2).stderr


def test_schema_and_type_need_each_other() -> None:
    assert "--schema and --type must be used together" in run("dump", "item.der", "--type", "Item", status=2).stderr
    assert "--schema and --type must be used together" in run("dump", "item.der", "--schema", "x", status=2).stderr


def test_errors_of_the_schema() -> None:
    put(shop_asn=SHOP.replace(b"SEQUENCE OF Code", b"SEQUENCE OF"))
    result = run("dump", "item.der", *OPTIONS, "Shop.Item", status=1)
    assert result.stderr.splitlines()[0] == "shop.asn:5:1: error: expected a type, found 'END'"
    result = run("dump", "item.der", "--schema", "missing.asn", "--type", "Item", status=1)
    assert result.stderr.startswith("derlib: missing.asn: No such file")


def test_type_that_needs_parameters() -> None:
    put(pair_asn=b"Pair DEFINITIONS ::= BEGIN Two{T} ::= SEQUENCE { a T } B ::= Two{NULL} END")
    result = run("dump", "item.der", "--schema", "pair.asn", "--type", "Two", status=2)
    assert "--type: 'Two' has parameters; use a type that supplies them" in result.stderr


@pytest.mark.parametrize("command", ["dump a.der", "extract a.der version", "view a.der -o a.html"])
def test_the_error_of_a_type_for_a_known_structure_has_its_place(command: str) -> None:
    # A type of one's own for certificates, with a mistake.
    text = b"My DEFINITIONS ::= BEGIN Cert ::= SEQUENCE { tbs SEQUENCE { version INTEGER } } END"
    put(my_asn=text, a_der=CERTIFICATE)
    error = run(*command.split(), "--schema", "my.asn", "--type", "Cert", status=1).stderr
    assert "tbs.version at offset 8: expected INTEGER, found [0]" in error
    assert error.endswith("; it is an X.509 Certificate: use derlib cert\n")


def test_the_text_of_an_rfc_is_not_a_module() -> None:
    text = b"Network Working Group\n\nRequest for Comments: 9999\n\nA DEFINITIONS ::= BEGIN B ::= NULL END\n"
    put(rfc_txt=text, null_der=bytes.fromhex("0500"))
    result = run("dump", "null.der", "--schema", "rfc.txt", "--type", "B", status=1)
    last = "derlib: rfc.txt: this looks like the text of an RFC: copy its module to a file"
    assert last in result.stderr.splitlines()

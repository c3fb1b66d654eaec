"""`derlib view`: the contents of the page, and that a file cannot add markup to it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from support.commands import (
    BAD,
    CERTIFICATE,
    CRL,
    SHA256_RSA,
    SMALL,
    der,
    extension,
    make_certificate,
    make_crl,
    process,
    put,
    run,
    without_a_reader,
)

from derlib import pem
from derlib.schemas.x509 import Certificate, Extension

pytestmark = pytest.mark.usefixtures("empty_folder")

HOSTILE = "</script></title></style><img src=x onerror=\"window.ran=1\"><!--<script>'&"


class Scripts(HTMLParser):
    """Collects the script elements of a page, and all its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[str] = []
        self.titles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append((dict(attributes), ""))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script" and self.cdata_elem == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)
        if self.tags and self.tags[-1] == "title":
            self.titles.append(data)


def written(file: str, *options: str) -> str:
    assert run("view", file, "-o", "out.html", *options).stdout == "out.html\n"
    return Path("out.html").read_text(encoding="utf-8")


def facts(page: str) -> dict[str, Any]:
    (text,) = (text for attributes, text in Scripts(page).scripts if attributes.get("id") == "facts")
    found: dict[str, Any] = json.loads(text)
    return found


def typed(page: str, tables: dict[str, dict[str, list[Any]]]) -> dict[str, dict[str, list[str]]]:
    """Return the tables with the names of types in place of their numbers."""
    types = facts(page)["types"]
    return {
        at: {key: [steps, types[number][0]] for key, (steps, number) in table.items()} for at, table in tables.items()
    }


def embedded(page: str) -> list[bytes]:
    scripts = Scripts(page).scripts
    return [base64.b64decode(text) for attributes, text in scripts if attributes.get("type") == "text/plain"]


def test_the_page_has_the_bytes_and_the_names_in_the_document() -> None:
    put(a_der=CERTIFICATE)
    page = written("a.der")
    assert embedded(page) == [CERTIFICATE]
    assert facts(page)["documents"] == ["a.der"]
    names = facts(page)["names"]
    assert isinstance(names, dict)
    assert names["2.5.29.17"] == "id-ce-subjectAltName"
    assert {"2.5.4.3", "1.2.840.113549.1.1.11"} < names.keys()
    assert "2.5.29.20" not in names
    assert "1.2.3.4" not in names


def test_the_page_loads_nothing_from_the_network() -> None:
    put(a_der=CERTIFICATE)
    page = written("a.der")
    assert not {"link", "img", "iframe", "object"} & set(Scripts(page).tags)
    assert not re.search(r"https?:|src=|@import|url\(", page)
    assert "default-src 'none'" in page


def test_the_page_is_little_larger_than_base64() -> None:
    put(a_crl=CRL)
    small = len(written("a.crl"))
    put(b_crl=der(0x04, bytes(3_000_000)))
    assert len(written("b.crl")) < small + 4_000_100


def test_all_blocks_of_a_pem_file_are_in_the_page() -> None:
    put(a_pem=2 * pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(CRL, "X509 CRL"))
    page = written("a.pem")
    assert embedded(page) == [CERTIFICATE, CERTIFICATE, CRL]
    assert [title.split(",")[0] for title in facts(page)["documents"]] == [
        "block 1 (CERTIFICATE",
        "block 2 (CERTIFICATE",
        "block 3 (X509 CRL",
    ]


def test_one_block_or_value_of_a_file_that_has_several() -> None:
    good = pem.encode(CERTIFICATE, "CERTIFICATE")
    put(a_pem=good.replace("\nM", "\n!") + good + pem.encode(CRL, "X509 CRL"), b_der=CERTIFICATE + CRL)
    for file, number, octets, title in (
        ("a.pem", "3", CRL, "block 3 (X509 CRL, line "),
        ("b.der", "2", CRL, f"value 2 (offset {len(CERTIFICATE)})"),
        ("b.der", "1", CERTIFICATE, "value 1 (offset 0)"),
    ):
        page = written(file, "--block", number)
        assert embedded(page) == [octets]
        assert facts(page)["documents"][0].startswith(title)


def test_the_elements_of_a_long_list_share_the_names_of_their_parts() -> None:
    long, short = make_crl(65), make_crl(64)
    put(a_crl=long, b_crl=short)
    long_page = written("a.crl")
    (fields,) = facts(long_page)["fields"]
    # A key has the index and identifier octet of each level; an element inside a string is one level deeper.
    assert typed(long_page, fields["tables"]) == {
        str(long.index(der(0x02, b"\x10\0\0")) - 6): {
            "": ["", "RevokedCertificate"],
            "0:2": ["user_certificate", "INTEGER"],
            "1:23": ["revocation_date", ""],
            "2:48": ["crl_entry_extensions", "Extensions"],
            "2:48/0:48": ["[0]", "Extension"],
            "2:48/0:48/0:6": ["extn_id", "OBJECT IDENTIFIER"],
            "2:48/0:48/1:4": ["extn_value", "OCTET STRING"],
            "2:48/0:48/1:4/0:10": ["", "CRLReason"],
        }
    }
    assert len(fields["labels"]) == 22
    (fields,) = facts(written("b.crl"))["fields"]
    assert fields["tables"] == {}
    assert len(fields["labels"]) > 64 * 3


def test_names_that_differ_among_the_elements_of_a_long_list_are_left_out() -> None:
    # The first PrintableString is a currency in one statement, and an element of a list in the others.
    euros = der(0x30, b"\x13\x03EUR", b"\x02\x01\x05", b"\x02\x01\x02")
    limit = der(0x30, bytes.fromhex("060604008e460102"), euros)
    states = der(0x30, bytes.fromhex("060604008e460107"), der(0x30, b"\x13\x02DE"))
    certificate = Certificate.decode(CERTIFICATE)
    statements = Extension.decode(extension("06082b06010505070103", der(0x30, limit, states * 99)))
    inner = certificate.tbs_certificate.replace(extensions=[statements])
    put(a_der=certificate.replace(tbs_certificate=inner).encode())
    page = written("a.der")
    (fields,) = facts(page)["fields"]
    (table,) = typed(page, fields["tables"]).values()
    assert table == {
        "": ["", "QCStatement"],
        "0:6": ["statement_id", "OBJECT IDENTIFIER"],
        "1:48": ["statement_info", ""],
        "1:48/1:2": ["amount", "INTEGER"],
        "1:48/2:2": ["exponent", "INTEGER"],
    }


def labels_of(file: str) -> dict[int, list[Any]]:
    """Return the steps and the type of each element by offset."""
    page = facts(written(file))
    (fields,) = page["fields"]
    return {int(at): [steps, page["types"][number][0]] for at, (steps, number) in fields["labels"].items()}


FINGERPRINT = f"SHA-256 {hashlib.sha256(CERTIFICATE).digest().hex(':')}"


def notes_of(file: str) -> dict[int, str]:
    (fields,) = facts(written(file))["fields"]
    return {int(at): note for at, note in fields["notes"].items()}


def test_a_certificate_has_its_fingerprint_and_its_timestamps() -> None:
    log = bytes(range(32))
    timestamp = b"\0" + log + (1_700_000_000_123).to_bytes(8, "big") + b"\0\0\4\3\0\2ab"
    stamps = b"".join(len(one).to_bytes(2, "big") + one for one in (timestamp, b"\1other"))
    value = der(0x04, len(stamps).to_bytes(2, "big") + stamps)
    certificate = Certificate.decode(CERTIFICATE)
    extensions = [Extension.decode(extension("060a2b06010401d679020402", value))]
    inner = certificate.tbs_certificate.replace(extensions=extensions)
    data = certificate.replace(tbs_certificate=inner).encode()
    put(a_der=data, b_der=CERTIFICATE, c_der=CRL)
    notes = notes_of("a.der")
    assert notes.keys() == {0, data.index(value)}
    first, second = notes[data.index(value)].split("\n")
    assert first == f"timestamp 2023-11-14T22:13:20.123Z of log {log.hex(':')}"
    assert second.startswith("invalid timestamp: ")
    assert notes_of("b.der") == {0: FINGERPRINT}
    assert notes_of("c.der") == {}


def test_a_certificate_in_ber_has_no_fingerprint_of_its_der() -> None:
    put(a_ber=b"\x30\x80" + CERTIFICATE[4:] + b"\0\0")
    (fields,) = facts(written("a.ber", "--ber"))["fields"]
    assert fields["notes"] == {}


def test_the_signature_of_an_elliptic_curve_has_two_numbers() -> None:
    algorithm = der(0x30, bytes.fromhex("06082a8648ce3d040302"))
    signature = der(0x30, b"\x02\x01\x05", b"\x02\x01\x07")
    certificate = Certificate.decode(CERTIFICATE)
    tbs = bytes(certificate.tbs_certificate.der).replace(SHA256_RSA, algorithm)
    tbs = der(0x30, tbs[4 if tbs[1] == 0x82 else 3 :])
    data = der(0x30, tbs, algorithm, der(0x03, b"\0", signature))
    put(a_der=data, b_der=data[:-2] + b"\x05\x00")
    found = labels_of("a.der")
    place = len(data) - len(signature)
    assert found[place] == ["", "ECDSASigValue"]
    assert [found[place + 2], found[place + 5]] == [["r", "INTEGER"], ["s", "INTEGER"]]
    # A signature with other contents stays a string.
    assert place not in labels_of("b.der")


def test_the_certificate_of_a_pkcs_12_is_inside_its_string() -> None:
    oid = bytes.fromhex("060a2a864886f70d01091601")
    bag = der(0x30, oid, der(0xA0, der(0x04, CERTIFICATE)))
    contents = der(0x30, der(0x30, bytes.fromhex("060b2a864886f70d010c0a0103"), der(0xA0, bag)))
    data = bytes.fromhex("06092a864886f70d010701")
    safe = der(0x30, der(0x30, data, der(0xA0, der(0x04, contents))))
    pfx = der(0x30, b"\x02\x01\x03", der(0x30, data, der(0xA0, der(0x04, safe))))
    put(a_p12=pfx)
    found = labels_of("a.p12")
    place = pfx.index(CERTIFICATE)
    assert found[place] == ["", "Certificate"]
    assert notes_of("a.p12") == {place: FINGERPRINT}
    assert found[place - 4] == ["cert_value", "OCTET STRING"]


def test_a_block_that_is_not_what_its_label_says_has_no_names() -> None:
    put(a_pem=pem.encode(SMALL, "CERTIFICATE"))
    result = run("view", "a.pem", "-o", "out.html", status=1)
    assert "tbs_certificate at offset 2: expected TBSCertificate" in result.stderr
    page = Path("out.html").read_text(encoding="utf-8")
    assert facts(page)["fields"] == [{}]
    assert embedded(page) == [SMALL]


def test_the_output_file_of_the_page() -> None:
    os.mkdir("folder")
    put(a_der=SMALL)
    Path("folder", "b.der").write_bytes(SMALL)
    assert run("view", "folder/b.der").stdout == "b.der.html\n"
    first = Path("b.der.html").read_bytes()
    Path("b.der.html").write_text("old")
    run("view", "folder/b.der", "-o", "b.der.html")
    assert Path("b.der.html").read_bytes() == first
    assert run("view", "folder/b.der", "-o", "-").stdout.encode() == first
    assert run("view", "a.der", "-o", "absent/x.html", status=1).stderr.startswith("derlib: absent/x.html: No such")
    assert "standard input" in run("view", "-", "-o", "-", stdin=SMALL).stdout
    run("view", "-", stdin=SMALL, status=2)
    run("view", "a.der", "-o", "-", "--open", status=2)


def test_without_an_output_file_only_a_page_of_derlib_is_replaced() -> None:
    put(a_der=SMALL)
    run("view", "a.der")
    page = Path("a.der.html").read_bytes()
    put(a_der=CERTIFICATE)
    run("view", "a.der")
    assert embedded(Path("a.der.html").read_text(encoding="utf-8")) == [CERTIFICATE]
    for other in (b"", page[:60], b" " + page, b"<!doctype html>\n<p>notes"):
        Path("a.der.html").write_bytes(other)
        result = run("view", "a.der", status=1)
        assert result.stderr.endswith("not a page of derlib; -o a.der.html replaces it\n")
        assert Path("a.der.html").read_bytes() == other
    os.remove("a.der.html")
    os.mkfifo("a.der.html")
    assert "the file exists" in run("view", "a.der", status=1).stderr


def test_the_page_is_opened_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("derlib.cli.commands.view.click.launch", opened.append)
    put(a_der=SMALL, bad_der=SMALL[:-1])
    run("view", "a.der", "-o", "b.html")
    run("view", "bad.der", "--open", status=1)
    assert opened == ["bad.der.html"]
    run("view", "a.der", "--open")
    assert opened == ["bad.der.html", "a.der.html"]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_the_page_is_utf_8_whatever_the_terminal_is(encoding: str) -> None:
    put(a_der=SMALL)
    child = process("view", "a.der", "-o", "-", environment={"PYTHONIOENCODING": encoding})
    output, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, b"")
    assert output.decode("utf-8") == written("a.der")


@pytest.mark.parametrize("name", BAD)
def test_an_invalid_file_has_a_page_if_it_begins_like_der(name: str) -> None:
    put(bad_der=BAD[name])
    result = run("view", "bad.der", status=1)
    assert result.stderr.startswith("derlib: bad.der: ")
    assert result.stderr.count("\n") == 1
    is_shown = name not in ("empty", "text", "bad PEM")
    assert result.stdout == ("bad.der.html\n" if is_shown else "")
    assert Path("bad.der.html").exists() == is_shown
    if is_shown:
        shown = facts(Path("bad.der.html").read_text())
        message = result.stderr.removeprefix("derlib: bad.der: ").strip()
        assert shown["errors"] == {"0": message}
        ((offset, fault),) = shown["fields"][0]["faults"].items()
        assert f"at offset {offset}: " in message
        assert "X.690" in fault


@pytest.mark.parametrize(
    "data", [bytes.fromhex("3080 020105 0000"), bytes.fromhex("3007 020105 3080 0000")], ids=["all", "an element"]
)
def test_ber_without_the_option_has_a_page_up_to_the_fault(data: bytes) -> None:
    put(a_ber=data)
    offset = data.index(b"\x30\x80")
    message = f"at offset {offset}: the indefinite length form (80) is not DER (X.690 10.1); --ber reads BER"
    result = run("view", "a.ber", status=1)
    assert (result.stdout, result.stderr) == ("a.ber.html\n", f"derlib: a.ber: {message}\n")
    shown = facts(Path("a.ber.html").read_text())
    assert shown["errors"] == {"0": message}
    assert shown["fields"] == [{"faults": {str(offset): "length-indefinite, X.690 10.1"}}]


def test_a_fault_in_a_file_of_a_known_type_has_a_path() -> None:
    bad = CERTIFICATE.replace(bytes.fromhex("0603551d0f0101ff"), bytes.fromhex("0603551d0f010107"))
    put(a_der=bad, b_der=bad + CERTIFICATE)
    for name in ("a.der", "b.der"):
        error = run("view", name, status=1).stderr
        assert ": tbs_certificate.extensions[1].critical at offset " in error
        assert error.count("\n") == 1
    assert "tbs_certificate.extensions[1].critical" in facts(Path("a.der.html").read_text())["errors"]["0"]


def test_a_file_with_a_tolerated_deviation_has_a_page() -> None:
    put(a_der=der(0x30, b"\x01\x01\x01"))
    assert "--tolerate boolean-true" in run("view", "a.der", status=1).stderr
    assert embedded(written("a.der", "--tolerate", "boolean-true")) == [der(0x30, b"\x01\x01\x01")]


def test_all_blocks_are_shown_if_one_is_invalid() -> None:
    put(a_pem=pem.encode(SMALL, "A") + pem.encode(SMALL[:-1], "A") + pem.encode(SMALL, "A"))
    result = run("view", "a.pem", "-o", "out.html", status=1)
    assert result.stderr.count("\n") == 1
    page = Path("out.html").read_text()
    assert embedded(page) == [SMALL, SMALL[:-1], SMALL]
    assert list(facts(page)["errors"]) == ["1"]


@pytest.mark.skipif(os.name != "posix", reason="other systems do not allow such names")
def test_a_hostile_file_name_is_escaped() -> None:
    name = HOSTILE.replace("/", "∕") + "\x1b[2J\n"
    Path(name).write_bytes(make_certificate(HOSTILE))
    put(plain_der=CERTIFICATE)
    hostile, plain = written(name), written("plain.der")
    assert Scripts(hostile).tags == Scripts(plain).tags
    assert facts(hostile)["documents"] == [name]
    assert "onerror" not in "".join(re.findall(r"<[^>]*>", hostile))
    assert "\x1b" not in hostile
    shown = run("view", name).stdout
    assert shown.replace("\n", "").isprintable()


@pytest.mark.skipif(os.name != "posix", reason="other systems report closed pipes differently")
def test_a_broken_pipe_of_a_page_has_no_message() -> None:
    put(a_der=SMALL)
    assert without_a_reader("view", "a.der", "-o", "-") == (141, b"")


SHOP = """Shop DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Item ::= SEQUENCE { code INTEGER, sizes SEQUENCE OF INTEGER OPTIONAL, state State DEFAULT fresh }
State ::= ENUMERATED { fresh(0), sold(1) }
Number ::= INTEGER
END
"""


def test_a_type_of_a_module_gives_the_fields() -> None:
    data = der(0x30, b"\x80\x01\x07", b"\xa1\x03\x02\x01\x09", b"\x82\x01\x01")
    put(a_der=data, a_ber=b"\x30\x80" + data[2:] + b"\0\0", shop_asn=SHOP.encode())
    options = ("--schema", "shop.asn", "--type", "Item")
    for file, more in (("a.der", ()), ("a.ber", ("--ber",))):
        page = facts(written(file, *options, *more))
        (fields,) = page["fields"]
        found = [[steps, page["types"][number]] for steps, number in fields["labels"].values()]
        assert found == [
            ["", ["Item", 0, {}]],
            ["code", ["INTEGER", 2, {}]],
            ["sizes", ["SEQUENCE OF INTEGER", 0, {}]],
            ["state", ["State", 10, {"0": "fresh", "1": "sold"}]],
            ["[0]", ["INTEGER", 2, {}]],
        ]
        assert page["schema"] is True
    # A value without parts has no labels.
    put(number_der=b"\x02\x01\x05")
    assert facts(written("number.der", "--schema", "shop.asn", "--type", "Number"))["fields"] == [{}]


def test_a_file_of_another_type_than_the_module_has_no_page() -> None:
    put(a_der=SMALL, shop_asn=SHOP.encode(), bad_asn=b"Shop DEFINITIONS")
    assert "at offset" in run("view", "a.der", "--schema", "shop.asn", "--type", "Item", status=1).stderr
    assert "bad.asn" in run("view", "a.der", "--schema", "bad.asn", "--type", "Item", status=1).stderr
    assert "did you mean Item?" in run("view", "a.der", "--schema", "shop.asn", "--type", "Itm", status=2).stderr
    assert "must be used together" in run("view", "a.der", "--schema", "shop.asn", status=2).stderr
    assert not Path("a.der.html").exists()


#: Classes of a schema that have the name of a class of derlib, or of a field with a meaning there: type and value.
SAME_NAMES = {
    "Certificate ::= SEQUENCE { a INTEGER }": "3003800105",
    "Extension ::= SEQUENCE { extnValue OCTET STRING }": "3003800105",
    "EncapsulatedContentInfo ::= SEQUENCE { eContentType INTEGER, eContent OCTET STRING }": "3006800105810105",
    "ContentInfo ::= SEQUENCE { content OCTET STRING }": "3003800105",
    "Signed ::= SEQUENCE { signatureAlgorithm OBJECT IDENTIFIER, signature BIT STRING }": "3007800129810200ff",
}


@pytest.mark.parametrize(("text", "encoding"), SAME_NAMES.items(), ids=lambda text: text.split()[0])
def test_types_with_the_names_of_other_types(text: str, encoding: str) -> None:
    put(m_asn=f"M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END", a_der=bytes.fromhex(encoding))
    [fields] = facts(written("a.der", "--schema", "m.asn", "--type", text.split()[0]))["fields"]
    assert len(fields["labels"]) > 1
    assert not fields["notes"]
    assert "name" not in fields


def test_a_fault_that_only_the_type_shows_is_reported() -> None:
    """A DNS name has an implicit tag, so its characters are checked only as a part of a certificate."""
    put(a_der=make_certificate(alternative="exämple"), b_der=CERTIFICATE)
    result = run("view", "a.der", "-o", "a.html", status=1)
    assert "extensions[2].extn_value[0].dns_name at offset" in result.stderr
    assert "--tolerate string-alphabet accepts it" in result.stderr
    assert "string-alphabet" in Path("a.html").read_text(encoding="utf-8")
    result = run("view", "a.der", "--tolerate", "string-alphabet", "-o", "a.html")
    assert "tolerated tbs_certificate.extensions[2].extn_value[0].dns_name at offset" in result.stderr
    assert run("view", "b.der", "-o", "b.html").stderr == ""

"""Common mistakes at the command line: the message names the remedy."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support.commands import CERTIFICATE, make_crl, put, run, run_json
from support.pages import page

import derlib
from derlib import pem
from derlib.cli.deviations import DEVIATION_OF_KIND, deviation_name, option_name
from derlib.schemas.x509 import KeyUsage

CRL = make_crl(3)
#: A SignedData with nothing in it.
SIGNED = bytes.fromhex("302306092a864886f70d010702a01630140201013100300b06092a864886f70d0107013100")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(
        a_der=CERTIFICATE,
        a_pem=pem.encode(CERTIFICATE, "CERTIFICATE"),
        b_der=CRL,
        b_pem=pem.encode(CRL, "X509 CRL"),
        key_pem=pem.encode(bytes.fromhex("3000"), "PRIVATE KEY"),
        notes_txt=b"# which certificates are these?\n" * 3,
        a_txt=base64.b64encode(CERTIFICATE),
        c_p7b=SIGNED,
        c_txt=SIGNED.hex(),
        c_pem=pem.encode(SIGNED, "PKCS7"),
        ber_p7b=bytes.fromhex("308006092a864886f70d010701a0802480040161000000000000"),
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("crl a.pem", '; there is "CERTIFICATE"; it is an X.509 Certificate: use derlib cert\n'),
        ("cert b.pem", '; there is "X509 CRL"; it is an X.509 CertificateList: use derlib crl\n'),
        ("cert key.pem", '; there is "PRIVATE KEY"\n'),
        ("cert c.p7b", ": it is a CMS SignedData without certificates: use derlib show\n"),
        ("cert c.txt", ": it is a CMS SignedData without certificates: use derlib show\n"),
        ("crl c.pem", "c.pem: it is a CMS SignedData without CRLs: use derlib show\n"),
        ("show --type csr c.pem", ": it is a CMS SignedData: use derlib show\n"),
        ("cert ber.p7b", ": it is a CMS Data: use derlib show\n"),
        ("crl a.txt", ": it is an X.509 Certificate: use derlib cert\n"),
        ("crl a.der", ": it is an X.509 Certificate: use derlib cert\n"),
        ("show --type csr a.der", ": it is an X.509 Certificate: use derlib cert\n"),
        ("show --type csr a.pem", ": it is an X.509 Certificate: use derlib cert\n"),
        ("cert b.der", ": it is an X.509 CertificateList: use derlib crl\n"),
        ("cert notes.txt", ": it is text, not ASN.1; at offset 0: expected Certificate, found"),
        ("dump notes.txt", ": it is text, not ASN.1; at offset 0: BIT STRING has the constructed form"),
    ],
)
def test_the_error_for_a_file_of_another_type_has_a_hint(arguments: str, words: str) -> None:
    result = run(*arguments.split(), status=1)
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


#: Options that say of which type a file is.
EXPECTING = [
    "cert {}",
    "crl {}",
    "show --type csr {}",
    "grep --type csr x {}",
    "extract --type csr {} x",
    "diff --type csr {} {}",
    "convert --type csr --to pem {}",
    "lint --type csr {}",
    "dump --schema shop.asn --type Order {}",
    "view --schema shop.asn --type Order {} -o out.html",
    "table --type cert {}",
]


@pytest.mark.parametrize("command", EXPECTING)
def test_every_command_that_expects_a_type_names_the_type_that_the_file_has(command: str) -> None:
    put(a_p7b=SIGNED, shop_asn="Shop DEFINITIONS ::= BEGIN Order ::= SEQUENCE { amount INTEGER } END")
    if command.startswith("table"):
        pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
    result = run(*command.replace("{}", "a.p7b").split(), status=2 if command.startswith("diff") else 1)
    without = {"cert": " without certificates", "crl": " without CRLs", "table": " without certificates"}
    title = f"a CMS SignedData{without.get(command.split()[0], '')}"
    # A type of a module can be meant for these data, so its error comes first.
    fault = "amount at offset 2: expected INTEGER, found OBJECT IDENTIFIER (X.690 8.1.2); "
    before = fault if "--schema" in command else ""
    assert result.stderr == f"derlib: a.p7b: {before}it is {title}: use derlib show\n"


#: Files that are not ASN.1, and the words before the error of the first element.
NOT_ASN1 = {
    "a note": (b"Which certificates are these?\n", "it is text, not ASN.1; at offset 0: "),
    "a short text": (b"hello\n", "it is text, not ASN.1; at offset 0: "),
    "UTF-8": ("Zertifikate für die Prüfung\n".encode(), "it is text, not ASN.1; at offset 0: "),
    "hexadecimal": (b"3082011f3", "it is hexadecimal with an odd number of digits; at offset 0: "),
    "quoted PEM": (
        b"> -----BEGIN CERTIFICATE-----\n> MAA=\n> -----END CERTIFICATE-----\n",
        "it is text with a PEM block that begins inside a line; at offset ",
    ),
    "a length without end": (b"\xaa" * 200, "it is probably not ASN.1; at offset 0: "),
    "zero bytes": (bytes(100), "it is probably not ASN.1; at offset 0: "),
    "random bytes": (b"\xe5\x10" + bytes(range(40, 90)), "it is probably not ASN.1; at offset "),
    "a long string": (b"\x04\x10" + bytes(range(100)), "it is probably not ASN.1; at offset "),
}


@pytest.mark.parametrize(("data", "words"), NOT_ASN1.values(), ids=NOT_ASN1)
@pytest.mark.parametrize("command", [*EXPECTING[:8], "show {}", "dump {}", "dump --ber {}", "view {}", "table {}"])
def test_the_message_for_a_file_that_is_not_asn1_begins_with_this(data: bytes, words: str, command: str) -> None:
    put(a_bin=data)
    if command.startswith("table"):
        pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
        words = words.split(";")[0]
    result = run(*command.replace("{}", "a.bin").split(), status=2 if command.startswith("diff") else 1)
    assert result.stderr.startswith(f"derlib: a.bin: {words}")
    assert result.stderr.count("\n") == 1
    assert "--tolerate" not in result.stderr


@pytest.mark.parametrize("command", ["dump {}", "dump {} --ber", "lint {}", "view {}", "convert {} --from ber --check"])
def test_a_pem_block_can_be_something_else(command: str) -> None:
    put(a_pem=pem.encode(b"openssh-key-v1\0\0\0\0\4none", "OPENSSH PRIVATE KEY"))
    result = run(*command.replace("{}", "a.pem").split(), status=1)
    assert result.stdout == ""
    # ssh-keygen -p would overwrite the file, and does not convert each kind of key.
    assert result.stderr.startswith("derlib: a.pem: it is a private key of OpenSSH, which is not ASN.1; at offset ")


#: What the block of a PEM file has instead of base64, and the message.
IN_PEM = {
    # A multiple of four digits can be decoded as base64.
    "digits": (CERTIFICATE.hex()[:64], "it is hexadecimal, but PEM has base64; derlib reads it without the BEGIN and"),
    "half a group": (CERTIFICATE.hex()[:66], "line 2: the block is hexadecimal, but PEM has base64; derlib reads it"),
    "an odd number": (CERTIFICATE.hex()[:67], "line 2: the block is hexadecimal, but PEM has base64; derlib reads it"),
    "colons": (CERTIFICATE[:60].hex(":").upper(), "line 2: the block is hexadecimal, but PEM has base64; "),
    "lines": (f"{CERTIFICATE[:30].hex()}\r\n{CERTIFICATE[30:49].hex()}\r\n", "line 2: the block is hexadecimal, but"),
    "hexadecimal in base64": (base64.b64encode(CERTIFICATE.hex().encode()).decode(), "it is hexadecimal in base64; "),
    "an odd number in base64": (base64.b64encode(b"3082011f3").decode(), "it is hexadecimal with an odd number of dig"),
    "words": ("30 words", "line 2: "),
    "zeros": ("AAAA", "it is probably not ASN.1; "),
    "long base64 that begins with digits": ("3082" * 20 + "////", "it is probably not ASN.1; "),
}


@pytest.mark.parametrize(("text", "words"), IN_PEM.values(), ids=IN_PEM)
@pytest.mark.parametrize("command", ["cert {}", "cert --ber {}", "show {}", "lint {}", "dump {}", "grep a {}"])
def test_a_pem_block_with_hexadecimal_is_named(text: str, words: str, command: str) -> None:
    put(a_pem=f"-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    result = run(*command.replace("{}", "a.pem").split(), status=1)
    assert result.stderr.startswith(f"derlib: a.pem: {words}")
    assert "hexadecimal" in words or "hexadecimal" not in result.stderr


def test_hexadecimal_in_one_of_several_blocks_is_named() -> None:
    wrong = f"-----BEGIN CERTIFICATE-----\n{CERTIFICATE.hex()[:66]}\n-----END CERTIFICATE-----\n"
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + wrong + pem.encode(CERTIFICATE, "CERTIFICATE") + wrong)
    result = run("cert", "a.pem", status=1)
    lines = [int(line.split(": ")[3].removeprefix("line ")) for line in result.stderr.splitlines()]
    text = Path("a.pem").read_text(encoding="utf-8").splitlines()
    assert [text[line - 1] for line in lines] == [CERTIFICATE.hex()[:66]] * 2
    assert result.stdout.count("serial:") == 2


@pytest.mark.parametrize(
    "data",
    [
        b"hello\n", CRL, SIGNED, b"\x30\x80\x02\x01\x05\0\0", b"\x24\x80\x04\x01a\0\0", CERTIFICATE[:-1], b"\x05\0",
        bytes(9),
    ],
)
@pytest.mark.parametrize("options", [["--ber"], ["--ber", "--json"]])
def test_an_error_with_the_option_ber_does_not_suggest_it(data: bytes, options: list[str]) -> None:
    put(a_bin=data, a_pem=pem.encode(data, "CERTIFICATE"))
    for file in ("a.bin", "a.pem"):
        result = run("cert", file, *options, status=1)
        assert "--ber" not in result.output


@pytest.mark.parametrize(
    "data", [CERTIFICATE[:99], CERTIFICATE + b"\0", b"\x30\x80\x02\x01", b"\x02\x05\x01", b"\x30\0\0", b"\x24\x80\0\0"]
)
def test_damaged_der_is_not_called_something_else(data: bytes) -> None:
    put(a_bin=data)
    assert "ASN.1" not in run("dump", "a.bin", status=1).stderr


def test_the_error_for_an_empty_name_says_so() -> None:
    assert run("cert", "", status=1).stderr == "derlib: '': the name of the file is empty\n"


def test_an_invalid_document_has_no_hint() -> None:
    put(bad_der=CRL[:-1])
    assert "use derlib" not in run("cert", "bad.der", status=1).stderr
    assert "use derlib" not in run("crl", "bad.der", status=1).stderr


def test_json_has_the_error_without_the_hint() -> None:
    (document,) = run_json("crl", "a.der", status=1)
    assert "use derlib" not in document["error"]["message"]


@pytest.mark.parametrize(("name", "near"), [("crll", "'crl'"), ("certs", "'cert'"), ("extrakt", "'extract'"),
                          ("x509", "'cert'"), ("asn1parse", "'dump'"), ("pkcs12", "'show'"), ("help", "'--help'"),
                          ("csr", "'show'"), ("p12", "'show'"), ("pfx", "'show'"), ("ocsp", "'show'"),
                          ("key", "'show'"), ("rsa", "'show'"), ("ec", "'show'"), ("crls", "'crl'"),
                          ("b.pem", "'show b.pem'")])
def test_the_error_for_another_command_suggests_the_nearest(name: str, near: str) -> None:
    assert f"Did you mean {near}?" in run(name, "a.der", status=2).stderr


def test_an_option_after_the_end_of_options_is_not_a_command() -> None:
    assert "No such option '-x'" in run("--", "-x", status=2).stderr


def test_the_error_for_an_unknown_command_suggests_none() -> None:
    assert "Did you mean" not in run("sign", "a.der", status=2).stderr


@pytest.mark.parametrize("name", ["named-bits", "NAMED_BITS", "Named_Bits"])
def test_a_deviation_can_have_its_python_name(name: str) -> None:
    run("cert", "a.der", "--tolerate", name)


@pytest.mark.parametrize(
    ("kind", "octets"), [("bits-named", "03020100"), ("integer-not-minimal", "02020001"), ("ia5", "1601ff")]
)
def test_a_deviation_can_have_the_kind_of_the_fault(kind: str, octets: str) -> None:
    types = {"bits-named": KeyUsage, "integer-not-minimal": int, "ia5": derlib.IA5String}
    with pytest.raises(derlib.DecodeError) as caught:
        derlib.decode(types[kind], bytes.fromhex(octets))
    assert caught.value.kind == kind
    assert deviation_name(caught.value.deviation) == DEVIATION_OF_KIND[kind]
    run("cert", "a.der", "--tolerate", kind)


def test_the_kinds_have_the_deviations_of_the_table_of_rules() -> None:
    rows = [line.split(" | ") for line in page("rules.md").splitlines() if line.startswith("| X.6")]
    table = {row[2].strip("`"): option_name(row[4].strip("`")) for row in rows}
    assert {kind: table[kind] for kind in DEVIATION_OF_KIND} == DEVIATION_OF_KIND


def test_the_error_for_a_misspelt_deviation_lists_all_and_suggests_the_nearest() -> None:
    result = run("cert", "a.der", "--tolerate", "named-bit", status=2)
    assert "'named-bit' is not one of default-encoded, " in result.stderr
    assert result.stderr.endswith("; did you mean named-bits?\n")
    assert "did you mean" not in run("cert", "a.der", "--tolerate", "everything", status=2).stderr


@pytest.mark.parametrize(
    ("name", "ending"),
    [("certt", "; did you mean cert?"), ("CSR", "; did you mean csr?"), ("xyz", ", der")],
)
def test_the_error_for_a_misspelt_type_lists_all_and_suggests_the_nearest(name: str, ending: str) -> None:
    result = run("show", "a.der", "--type", name, status=2)
    assert f"Invalid value for '--type': '{name}' is not one of cert, crl, " in result.stderr
    assert result.stderr.endswith(f"{ending}\n")


@pytest.mark.parametrize(("option", "near"), [("--jsn", "--json"), ("--tolerat", "--tolerate"), ("--al", "--all")])
def test_the_error_for_a_misspelt_option_suggests_the_nearest(option: str, near: str) -> None:
    assert near in run("crl", "b.der", option, status=2).stderr.split("Did you mean", 1)[1]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("this_update", "a path from the outermost type; '**.this_update' matches at any depth\n"),
        ("serial_number", "the pattern was read as a path from the outermost type\n"),
        ("this_update[0]", "the pattern was read as a path from the outermost type\n"),
        ("ca_compromise", "the pattern was read as a path from the outermost type\n"),
        ("tbs_certificate.serial", "the pattern was read as a path from the outermost type\n"),
        ("revoked_certificates[0].user_*", "'**.revoked_certificates[0].user_*' matches at any depth\n"),
        ("4321", "read as a decimal number, and as text; 0x4321 is hexadecimal\n"),
        ("04602A82", "the pattern was read as text; 0x04602A82 is hexadecimal\n"),
        ("ab:cd", "read as a number or bytes in hexadecimal, and as text\n"),
        ("surname", "the pattern was read as text, and as the object identifier id-at-surname\n"),
        ("serverAuth", "the pattern was read as text, and as the object identifier id-kp-serverAuth\n"),
    ],
)
def test_a_pattern_without_match_is_explained(pattern: str, words: str) -> None:
    result = run("grep", pattern, "b.der", status=3)
    assert words in result.stderr
    assert result.stderr.startswith("derlib: nothing found: ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing of that name", "b.der"),
        ("**.serial_number", "b.der"),
        ("surname", "b.der", "--by", "text"),
        ("serial_number", "b.der", "--by", "path"),
        ("id-ce-keyUsage", "b.der"),
    ],
)
def test_an_unambiguous_pattern_without_match_has_no_note(arguments: tuple[str, ...]) -> None:
    assert run("grep", *arguments, status=3).stderr == ""


#: Text whose first line looks like an element.
SETTINGS = b"[ca]\ndefault_ca = the_one_that_signs\n[the_one_that_signs]\ndir = .\n" * 3


@pytest.mark.parametrize("command", ["dump", "lint", "view", "grep x"])
def test_text_is_not_reported_as_der_with_trailing_data(command: str) -> None:
    put(settings_cnf=SETTINGS)
    result = run(*command.split(), "settings.cnf", status=1)
    assert result.stdout == ""
    assert "bytes follow the end of the value" in result.stderr
    assert ": it is text, not ASN.1; at offset 101: " in result.stderr
    assert "--tolerate" not in result.stderr


def test_text_is_linted_if_trailing_data_is_tolerated() -> None:
    put(settings_cnf=SETTINGS)
    assert run("lint", "settings.cnf", "--tolerate", "trailing-data").stdout.startswith("settings.cnf: no faults")


@pytest.mark.parametrize("form", [(), ("--tsv",), ("--jsonl",), ("--json",)])
def test_digits_that_match_in_the_other_notation_have_a_note(form: tuple[str, ...]) -> None:
    words = (
        "derlib: 1048577 was not found: it was read as hexadecimal; "
        "a CRL has 0x100001 (decimal 1048577): use --find 0x100001\n"
    )
    assert run("crl", "b.der", "--find", "1048577", *form, status=3).stderr == words
    assert run("crl", "b.der", *["--find", "1048577"] * 2, "--find", "5", *form, status=3).stderr == words


def test_digits_that_match_as_hexadecimal_have_a_note() -> None:
    words = "100001 was not found: it was read as decimal; a CRL has 0x100001 (decimal 1048577): use --find 0x100001\n"
    # With and without the option, a note on one of these numbers leaves the other one found.
    for option in (["--decimal"], []):
        both = run("crl", "b.der", "--find", "100001", "--find", "1048577", *option, status=3).stderr
        assert both.count("use --find 0x100001") == 1
        assert (words in both) == bool(option)
    assert run("crl", "b.der", "--find", "0x100001", "--find", "1048577", "--decimal").stderr == ""


@pytest.mark.parametrize("serial", ["0x1048577", "01:04:85:77", "1048579", "-1048577", "100001"])
def test_other_serial_numbers_have_no_note(serial: str) -> None:
    assert run("crl", "b.der", "--find", serial, status=0 if serial == "100001" else 3).stderr == ""


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("tbs_certificate.serial", "; tbs_certificate has version, serial_number, signature, issuer, "),
        ("nothing", "; the document has tbs_certificate, signature_algorithm, signature_value\n"),
        ("tbs_certificate.extensions[99]", "; tbs_certificate.extensions has the elements [0] to [3]\n"),
        ("tbs_certificate.serial_number.x", "; tbs_certificate.serial_number contains no elements\n"),
    ],
)
def test_the_error_for_a_missing_path_lists_the_fields(path: str, words: str) -> None:
    assert f"{path} does not exist{words}" in run("extract", "a.der", path, status=3).stderr

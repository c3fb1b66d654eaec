"""`derlib extract`: one element, by offset or path, in each format."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support import pages
from support.commands import (
    BAD,
    CERTIFICATE,
    CRL,
    SMALL,
    command,
    der,
    make_certificate,
    process,
    put,
    run,
    run_json,
    without_a_reader,
)

import derlib
from derlib import pem
from derlib.cli.commands.extract import _label_of
from derlib.schemas.cms import (
    CertificateChoices,
    CMSVersion,
    ContentInfo,
    EncapsulatedContentInfo,
    SignedData,
    id_data,
    id_signed_data,
)
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")

ID_DATA, ID_SIGNED_DATA = (bytes.fromhex(f"06092a864886f70d01070{number}") for number in (1, 2))
SHOP = """Shop DEFINITIONS AUTOMATIC TAGS ::= BEGIN
T ::= SEQUENCE { code INTEGER, prices SEQUENCE OF INTEGER }
N ::= INTEGER
END
"""


def extracted(*arguments: str) -> bytes:
    result = CliRunner().invoke(command, ["extract", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def test_an_offset_in_a_string_with_a_tolerated_fault() -> None:
    put(a_der=CERTIFICATE.replace(bytes.fromhex("30030101ff"), bytes.fromhex("3003010101")))
    [fault] = run_json("lint", "a.der", status=1)[0]["lint"]["faults"]
    options = ("--tolerate", fault["deviation"])
    for place in (str(fault["offset"]), json.dumps(fault["path"])):
        assert extracted("a.der", place, *options) == bytes.fromhex("010101")


def test_extract_accepts_the_paths_of_grep() -> None:
    put(a_der=CERTIFICATE)
    certificate = Certificate.decode(CERTIFICATE)
    span = certificate.span("tbs_certificate", "subject_public_key_info")
    assert extracted("a.der", "tbs_certificate.subject_public_key_info") == CERTIFICATE[span.offset : span.end]
    assert extracted("a.der", "tbs_certificate") == bytes(certificate.tbs_certificate.der)
    assert extracted("a.der", "tbs_certificate.extensions[2].extn_value[0].dns_name") == b"\x82\x0bexample.org"
    assert extracted("a.der", "tbs_certificate.extensions[2].extn_value[0].dns_name", "--content") == b"example.org"
    assert extracted("a.der", "[0][1]", "--type", "der") == bytes.fromhex("02021a2b")
    put(small_der=SMALL)
    assert extracted("small.der", "[1][0][0]") == b"\x02\x01\x05"


def test_extract_accepts_the_offsets_of_dump() -> None:
    put(a_der=SMALL)
    for line in run("dump", "a.der").stdout.splitlines()[1:]:
        offset, header, content = map(int, line.split()[:3])
        assert extracted("a.der", str(offset)) == SMALL[offset : offset + header + content]
        assert extracted("a.der", str(offset), "--content") == SMALL[offset + header : offset + header + content]


def test_formats() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE"), a_crl=CRL)
    key = extracted("a.pem", "tbs_certificate.subject_public_key_info", "--to", "pem").decode()
    assert pem.decode(key, "PUBLIC KEY") == [extracted("a.pem", "tbs_certificate.subject_public_key_info")]
    assert extracted("a.pem", "tbs_certificate.serial_number", "--to", "hex") == b"02021a2b\n"
    assert pem.decode(extracted("a.pem", "0", "--to", "pem").decode(), "CERTIFICATE") == [CERTIFICATE]
    assert pem.decode(extracted("a.crl", "0", "--to", "pem").decode(), "X509 CRL") == [CRL]
    named = extracted("a.crl", "tbs_cert_list", "--to", "pem", "--label", "X").decode()
    assert named.startswith("-----BEGIN X-----")
    assert "--label" in run("extract", "a.crl", "tbs_cert_list", "--to", "pem", status=2).stderr
    run("extract", "a.crl", "0", "--to", "pem", "--content", status=2)


def test_the_label_is_that_of_the_alternative_of_a_choice() -> None:
    certificates = der(0xA0, CERTIFICATE)
    content = der(0x30, b"\x02\x01\x01", der(0x31), der(0x30, ID_DATA), certificates, der(0xA1, CRL), der(0x31))
    put(a_p7=der(0x30, ID_SIGNED_DATA, der(0xA0, content)))
    for path, label, data in (("certificates", "CERTIFICATE", CERTIFICATE), ("crls", "X509 CRL", CRL)):
        assert extracted("a.p7", f"content.{path}[0]", "--to", "pem").decode() == pem.encode(data, label)


def test_an_element_with_an_implicit_tag_has_no_label() -> None:
    """Its bytes are not an object of the type."""
    assert _label_of(Certificate, 0x30) == "CERTIFICATE"
    assert _label_of(Certificate, 0xA0) is None


def test_a_schema_gives_the_fields() -> None:
    put(a_der=der(0x30, der(0x80, b"\x07"), der(0xA1, b"\x02\x01\x05")), n_der=b"\x02\x01\x05", shop_asn=SHOP)
    options = ("--schema", "shop.asn", "--type")
    assert extracted("a.der", "code", *options, "T") == b"\x80\x01\x07"
    assert extracted("a.der", "prices[0]", *options, "T") == b"\x02\x01\x05"
    assert extracted("n.der", "all", *options, "N") == b"\x02\x01\x05"
    assert extracted("a.der", "2", *options, "T") == b"\x80\x01\x07"
    put(b_der=b"\x30\x80\x80\x01\x07\xa1\x80\x02\x01\x05\0\0\0\0")
    assert extracted("b.der", "prices", *options, "T", "--ber") == b"\xa1\x03\x02\x01\x05"
    assert "the document has code, prices" in run("extract", "a.der", "x", *options, "T", status=3).stderr
    assert "at offset 0" in run("extract", "n.der", "code", *options, "T", status=1).stderr
    assert "'S' is not defined" in run("extract", "a.der", "code", *options, "S", status=2).stderr
    assert "is not one of cert" in run("extract", "a.der", "code", "--type", "T", status=2).stderr
    assert "must be used together" in run("extract", "a.der", "code", "--schema", "shop.asn", status=2).stderr
    put(bad_asn="nothing")
    assert "bad.asn:1" in run("extract", "a.der", "code", "--schema", "bad.asn", "--type", "T", status=1).stderr


def test_the_output_can_be_a_file() -> None:
    put(a_der=CERTIFICATE)
    assert extracted("a.der", "signature_value", "--content", "-o", "out") == b""
    assert Path("out").read_bytes() == b"\0" + bytes(range(64))
    assert run("extract", "a.der", "0", "-o", "absent/out", status=1).stderr.startswith("derlib: absent/out: No such")


def test_a_missing_element_has_status_3_and_creates_no_file() -> None:
    put(a_der=CERTIFICATE)
    for path in ("tbs_certificate.nothing", "tbs_certificate.extensions[99]", "tbs_certificate[0]", "1", "9" * 50,
                 "tbs_certificate.issuer_unique_id", "tbs_certificate.serial_number.more"):
        result = run("extract", "a.der", path, "-o", "out", status=3)
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert not Path("out").exists()


def test_blocks() -> None:
    put(a_pem=pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(CRL, "X509 CRL"))
    assert "2 PEM blocks; select one with --block N" in run("extract", "a.pem", "0", status=1).stderr
    assert extracted("a.pem", "0", "--block", "2") == CRL
    result = run("extract", "a.pem", "0", "--block", "3", status=1)
    assert "block 3 does not exist; the file has 2 blocks" in result.stderr
    result = run("extract", "-", "0", "--block", "2", stdin=CRL, status=1)
    assert "block 2 does not exist; the file has no PEM blocks" in result.stderr


@pytest.mark.parametrize("path", ["", "a..b", "a[", "[x]", "-1", "\x1b[2J"])
def test_an_invalid_path_is_a_usage_error(path: str) -> None:
    put(a_der=CERTIFICATE)
    assert "\x1b" not in run("extract", "--", "a.der", path, status=2).stderr


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("path", ["0", "tbs_certificate"])
def test_invalid_data_is_one_error_line_and_status_1(data: bytes, path: str) -> None:
    put(bad_der=data)
    result = run("extract", "bad.der", path, status=1)
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)


def test_an_element_with_a_tolerated_deviation_is_not_changed() -> None:
    put(a_der=der(0x30, b"\x01\x01\x01"))
    run("extract", "a.der", "[0]", status=1)
    assert extracted("a.der", "[0]", "--tolerate", "boolean-true") == b"\x01\x01\x01"
    for path in ("[0]", "[*]", "0", "all"):
        result = run("extract", "a.der", path, "--tolerate", "boolean-true", "-o", "out")
        assert result.stderr == "derlib: a.der: tolerated at offset 2: boolean-true (X.690 11.1)\n", path


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not have pseudo-terminals")
def test_der_is_not_written_to_a_terminal() -> None:
    put(a_der=CERTIFICATE)
    ours, theirs = os.openpty()
    child = process("extract", "a.der", "tbs_certificate.serial_number", stdout=theirs)
    _, errors = child.communicate(timeout=60)
    os.close(theirs)
    output = os.read(ours, 10_000)
    os.close(ours)
    assert (child.returncode, errors, output.strip()) == (0, b"", b"02021a2b")


@pytest.mark.skipif(os.name != "posix", reason="other systems report closed pipes differently")
def test_a_broken_pipe_has_no_message() -> None:
    put(a_der=SMALL)
    assert without_a_reader("extract", "a.der", "0") == (141, b"")


def test_an_extracted_element_can_be_decoded() -> None:
    put(a_crl=CRL)
    entry = extracted("a.crl", "tbs_cert_list.revoked_certificates[3]")
    assert derlib.parse(entry).children[0].value == 0x100003


#: A path of several steps in the output of lint and diff, and in an error.
_PRINTED = re.compile(
    r"(?:: (?:tolerated )?|^[~+-] )((?:[a-z_]\w*|\[\d+\])(?:\.[a-z_]\w*|\[\d+\])+)(?=: | at offset)", re.MULTILINE
)


def printed_paths(*arguments: str, status: int | None = 0) -> set[str]:
    return set(_PRINTED.findall(run(*arguments, status=status).output))


@pytest.mark.parametrize("name", ["server.pem", "revoke.pem", "request.pem", "report.p7m", "report.tsr", "item.der"])
def test_the_paths_of_grep_are_extracted(name: str) -> None:
    file = str(pages.file(f"examples/{name}"))
    lines = [line.split(": ") for line in run("grep", "**", file).stdout.splitlines()]
    matches = run_json("grep", "**", file)[0]["matches"]
    assert len(lines) == len(matches) > 3
    for line, match in zip(lines, matches, strict=True):
        offset, path = line[0], line[1].rstrip(":")
        wanted = extracted(file, offset)
        size = match["header_length"] + match["content_length"]
        assert extracted(file, path)[:size] == wanted[:size]
        if match["path"]:
            assert extracted(file, json.dumps(match["path"])) == extracted(file, path)


def test_the_paths_of_faults_and_errors_are_extracted() -> None:
    damaged = bytearray(make_certificate("Test*"))
    at = damaged.index(b"\x01\x01\xff\x04")
    damaged[at + 2] = 1
    damaged[damaged.index(b"\x0c\x05Test*")] = 0x13
    Path("damaged").write_bytes(damaged)
    options = ("--tolerate", "boolean-true", "--tolerate", "string-alphabet")
    found = printed_paths("lint", "damaged", status=1) | printed_paths("cert", "damaged", status=1)
    assert found == printed_paths("cert", "damaged", *options)
    assert len(found) == 2
    for path in found:
        assert extracted("damaged", path, *options) in (b"\x01\x01\x01", b"\x13\x05Test*")


def test_the_paths_of_differences_are_extracted() -> None:
    put(a_der=CERTIFICATE, b_der=make_certificate("Other", "example.com"), c_crl=CRL)
    found = printed_paths("diff", "a.der", "b.der", status=1)
    assert len(found) == 2
    for path in found:
        assert extracted("a.der", path) != extracted("b.der", path)
    # Files of different types are compared without the names of their fields.
    found = printed_paths("diff", "a.der", "c.crl", status=1)
    assert len(found) > 4
    for path in found:
        statuses = [CliRunner().invoke(command, ["extract", file, path]).exit_code for file in ("a.der", "c.crl")]
        assert min(statuses) == 0


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ('extensions["2.5.29.17"]', "extensions[2].extn_value"),
        ("extensions['2.5.29.17']", "extensions[2].extn_value"),
        ("extensions[2.5.29.17]", "extensions[2].extn_value"),
        ("extensions[id-ce-subjectAltName]", "extensions[2].extn_value"),
        ('extensions["2.5.29.17"].extn_value', "extensions[2].extn_value"),
        ('extensions["2.5.29.17"].extn_id', "extensions[2].extn_id"),
        ('extensions["2.5.29.17"][0].dns_name', "extensions[2].extn_value[0].dns_name"),
        ('extensions["2.5.29.19"].critical', "extensions[0].critical"),
        ('extensions["2.5.29.19"].ca', "extensions[0].extn_value.ca"),
        (
            'subject_public_key_info["1.2.840.113549.1.1.1"].modulus',
            "subject_public_key_info.subject_public_key.modulus",
        ),
        ('subject.rdn_sequence[0]["2.5.4.3"]', "subject.rdn_sequence[0][0].value"),
    ],
)
def test_a_path_can_have_the_keys_of_columns(path: str, same: str) -> None:
    put(a_der=CERTIFICATE)
    assert extracted("a.der", f"tbs_certificate.{path}") == extracted("a.der", f"tbs_certificate.{same}")


def test_all_elements_at_the_paths_that_a_pattern_matches() -> None:
    put(a_der=CERTIFICATE)
    each = [extracted("a.der", f"tbs_certificate.extensions[{index}].extn_id") for index in range(4)]
    pattern = "tbs_certificate.extensions[*].extn_id"
    assert extracted("a.der", pattern) == b"".join(each)
    assert run("extract", "a.der", pattern, "--to", "hex").output == "".join(f"{one.hex()}\n" for one in each)
    contents = run("extract", "a.der", pattern, "--to", "hex", "--content").output.split()
    assert contents == [one[2:].hex() for one in each]
    assert extracted("a.der", "**.serial_number") == extracted("a.der", "tbs_certificate.serial_number")
    result = run("extract", "a.der", "tbs_certificate.extensions[*].nothing", "-o", "out", status=3)
    assert "tbs_certificate.extensions[*].nothing matches no path" in result.stderr
    assert not Path("out").exists()


def test_the_certificates_of_a_cms_object_as_pem() -> None:
    certificates = [CERTIFICATE, make_certificate("Other", "example.com")]
    signed = SignedData(
        version=CMSVersion.v1,
        digest_algorithms=[],
        encap_content_info=EncapsulatedContentInfo(e_content_type=id_data),
        certificates=[CertificateChoices(certificate=Certificate.decode(each)) for each in certificates],
        signer_infos=[],
    )
    put(c_p7b=ContentInfo(content_type=id_signed_data, content=signed).encode())
    text = run("extract", "c.p7b", "content.certificates[*]", "--to", "pem").output
    found = pem.decode(text, "CERTIFICATE")
    assert sorted(found) == sorted(certificates)
    # The order of the file, not that of DER.
    octets = Path("c.p7b").read_bytes()
    put(unsorted_p7b=octets.replace(b"".join(found), b"".join(found[::-1])))
    text = run("extract", "--ber", "unsorted.p7b", "content.certificates[*]", "--to", "pem").output
    assert pem.decode(text, "CERTIFICATE") == found[::-1]
    # `derlib cert` reads them in the same order, also those that are attached to a mail.
    serials = [f"{Certificate.decode(each).subject}" for each in found[::-1]]
    mail = b"MIME-Version: 1.0\nContent-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n"
    put(m_eml=mail + base64.b64encode(Path("unsorted.p7b").read_bytes()) + b"\n")
    for file in ("unsorted.p7b", "m.eml"):
        shown = run("cert", "--ber", file).stdout.splitlines()
        assert [line.split()[1] for line in shown if line.startswith("  subject:")] == serials
        hint = f"{file}: it is a CMS SignedData: use derlib show, or derlib cert for its certificates\n"
        assert hint in run("show", "--type", "cert", file, status=1).stderr
        assert "or derlib" not in run("show", "--type", "crl", file, status=1).stderr


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("tbs_certificate.extensions[]", "has no index; [*] is every index"),
        ('tbs_certificate.extensions["*"]', "is not a path such as"),
        ('tbs_certificate.extensions["nothing"]', "no object identifier has the number or name 'nothing'"),
        ("[0][0]...[0][0]", "the middle of this path is omitted; use the offset"),
        ("[" * 5000, "is not a path such as"),
        ('["a", 1.5]', "is not a path such as"),
    ],
)
def test_the_error_for_a_path_that_cannot_be_extracted(path: str, words: str) -> None:
    put(a_der=CERTIFICATE)
    assert words in run("extract", "a.der", path, status=2).stderr


def test_a_key_that_no_element_has_does_not_exist() -> None:
    put(a_der=CERTIFICATE)
    for path in ('extensions["2.5.29.99"]', 'validity["2.5.4.3"]', 'extensions["2.5.29.17"].name'):
        assert "does not exist" in run("extract", "a.der", f"tbs_certificate.{path}", status=3).stderr
    assert "use the pattern '2.5.29.17'" in run("grep", 'extensions["2.5.29.17"]', "a.der", status=2).stderr


def test_a_missing_index_is_answered_with_the_last_one() -> None:
    put(a_der=CERTIFICATE, b_der=der(0x30, der(0x30, b"\5\0")))
    for path, words in (
        ("tbs_certificate.extensions[99]", "tbs_certificate.extensions has the elements [0] to [3]"),
        ("tbs_certificate.subject.rdn_sequence[1]", "tbs_certificate.subject.rdn_sequence has one element, [0]"),
    ):
        assert run("extract", "a.der", path, status=3).stderr.endswith(f"; {words}\n")
    assert run("extract", "b.der", "[0][7]", status=3).stderr.endswith("; [0] has one element, [0]\n")

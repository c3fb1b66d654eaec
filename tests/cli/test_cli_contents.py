"""The values in strings whose content has a known type: grep, extract and diff reach them by the fields of the RFC."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import CERTIFICATE, der, put, rebuilt, run, run_json
from support.openssl import OpenSSL
from support.pages import example

import derlib
from derlib import pem
from derlib.errors import format_path
from derlib.schemas import cms, pkcs12
from derlib.schemas.x509 import Certificate, Extension

pytestmark = pytest.mark.usefixtures("empty_folder")

PLAIN = ("-keypbe", "NONE", "-certpbe", "NONE", "-nomac")
CONTENTS = "auth_safe.content[0].content[0]"
POLICY = "time_stamp_token.content.encap_content_info.e_content.policy"


def indefinite(octets: bytes) -> bytes:
    """Return a SEQUENCE in DER with the indefinite length form."""
    return b"\x30\x80" + bytes(derlib.parse(octets).content) + b"\0\0"


def pfx_of(contents: bytes, *, signed: bool = False) -> bytes:
    """Return a PKCS #12 file with a part that is not encrypted."""
    safe = pkcs12.AuthenticatedSafe([cms.ContentInfo(content_type=cms.id_data, content=contents)]).encode()
    info = cms.ContentInfo(content_type=cms.id_data, content=safe)
    if signed:
        encapsulated = cms.EncapsulatedContentInfo(e_content_type=cms.id_data, e_content=safe)
        data = cms.SignedData(version=1, digest_algorithms=[], encap_content_info=encapsulated, signer_infos=[])
        info = cms.ContentInfo(content_type=cms.id_signed_data, content=data)
    return pkcs12.PFX(version=3, auth_safe=info).encode()


def certificate_bag() -> bytes:
    bag = pkcs12.CertBag(cert_id=pkcs12.id_x509_certificate, cert_value=Certificate.decode(CERTIFICATE))
    return pkcs12.SafeContents([pkcs12.SafeBag(bag_id=pkcs12.id_cert_bag, bag_value=bag)]).encode()


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("my key", f"{CONTENTS}.bag_attributes[0].attr_values[0]"),
        ("x509Certificate", f"{CONTENTS}.bag_value.cert_id"),
        ("**.tbs_certificate.version", f"{CONTENTS}.bag_value.cert_value.tbs_certificate.version"),
    ],
)
def test_grep_finds_values_in_a_pkcs_12(openssl: OpenSSL, pattern: str, path: str) -> None:
    data = openssl.pkcs12(*PLAIN)
    Path("a.p12").write_bytes(data)
    (document,) = run_json("grep", pattern, "a.p12")
    found = document["matches"][0]
    assert format_path(tuple(found["path"])) == path
    element = data[found["offset"] :][: found["header_length"] + found["content_length"]]
    assert run("extract", "a.p12", path, "--to", "hex").stdout.strip() == element.hex()
    assert run("extract", "a.p12", str(found["offset"]), "--to", "hex").stdout.strip() == element.hex()


def test_the_names_and_the_serial_number_of_a_certificate_in_a_pkcs_12_are_found() -> None:
    put(a_p12=pfx_of(certificate_bag()))
    place = pfx_of(certificate_bag()).index(CERTIFICATE)
    certificate = Certificate.decode(CERTIFICATE).tbs_certificate
    inside = f"{CONTENTS}.bag_value.cert_value.tbs_certificate"
    found = run("grep", f"{certificate.serial_number:#x}", "a.p12").stdout
    assert f"{inside}.serial_number: " in found
    serial = certificate.span("serial_number")
    assert serial is not None
    assert found.startswith(f"{place + serial.offset}: ")
    assert f"{inside}.extensions[2].extn_value[0].dns_name: example.org" in run("grep", "example.org", "a.p12").stdout


@pytest.mark.parametrize("pattern", ["2.999.1", "**.policy", POLICY])
def test_grep_finds_the_fields_of_a_time_stamp(pattern: str) -> None:
    data = example("report.tsr")
    put(a_tsr=data)
    place = data.index(bytes.fromhex("0603883701"))
    assert run("grep", pattern, "a.tsr").stdout == f"{place}: {POLICY}: 2.999.1\n"
    assert run("extract", "a.tsr", POLICY, "--to", "hex").stdout == "0603883701\n"


def test_extract_writes_a_certificate_of_a_pkcs_12_as_pem() -> None:
    data = pfx_of(certificate_bag())
    put(a_p12=data)
    place = data.index(CERTIFICATE)
    assert run("extract", "a.p12", str(place), "--to", "pem").stdout == pem.encode(CERTIFICATE, "CERTIFICATE")
    path = f"{CONTENTS}.bag_value.cert_value"
    assert run("extract", "a.p12", path, "--content", "-o", "out.der").stdout == ""
    assert Path("out.der").read_bytes() == CERTIFICATE
    message = f"no PEM label is known for this element; it contains a CERTIFICATE, at offset {place}"
    assert message in run("extract", "a.p12", path, "--to", "pem", status=2).stderr
    assert "content[0] has bag_id, bag_value" in run("extract", "a.p12", f"{CONTENTS}.x", status=3).stderr


def test_an_offset_in_the_second_of_several_values_has_its_label() -> None:
    put(a_der=2 * CERTIFICATE)
    found = run("extract", "a.der", str(len(CERTIFICATE)), "--to", "pem").stdout
    assert found == pem.encode(CERTIFICATE, "CERTIFICATE")


def test_paths_go_through_a_signed_pkcs_12() -> None:
    put(a_p12=pfx_of(certificate_bag(), signed=True))
    path = "auth_safe.content.encap_content_info.e_content[0].content[0].bag_id"
    assert f" {path}: certBag" in run("grep", "**.bag_id", "a.p12").stdout


def test_a_pkcs_12_in_ber_has_the_offsets_of_the_file() -> None:
    data = indefinite(pfx_of(certificate_bag()))
    put(a_p12=data)
    found = run("grep", "id-ce-subjectAltName", "a.p12", "--ber").stdout
    assert found.startswith(f"{data.index(bytes.fromhex('0603551d11'))}: {CONTENTS}.bag_value.cert_value.tbs_")


def test_diff_compares_the_values_in_strings(openssl: OpenSSL) -> None:
    one = openssl.pkcs12(*PLAIN)
    Path("a.p12").write_bytes(one)
    Path("b.p12").write_bytes(one.replace("my key".encode("utf-16-be"), "my cat".encode("utf-16-be")))
    changes = json.loads(run("diff", "a.p12", "b.p12", "--json", status=1).stdout)
    assert {change.get("old", change.get("new"))["value"] for change in changes} == {"my key", "my cat"}
    assert {*changes[0]["path"][:3]} == {"auth_safe", "content", 0}


@pytest.mark.parametrize("signed", [False, True])
def test_private_keys_in_strings_stay_hidden(openssl: OpenSSL, signed: bool) -> None:
    plain = pkcs12.PFX.decode(openssl.pkcs12(*PLAIN))
    key = next(bag.bag_value for bag in plain.bags if isinstance(bag.bag_value, pkcs12.OneAsymmetricKey))
    secret = key.private_key.private_key.hex()
    bag = pkcs12.SafeBag(bag_id=pkcs12.id_key_bag, bag_value=key)
    other = bytes(key.private_key.private_key[:-1]) + bytes([key.private_key.private_key[-1] ^ 1])
    data = pfx_of(pkcs12.SafeContents([bag]).encode(), signed=signed)
    put(a_p12=data, b_p12=data.replace(key.private_key.private_key, other))
    for command in (("grep", "**.private_key", "a.p12"), ("grep", "**", "a.p12"), ("diff", "a.p12", "b.p12")):
        for option in ((), ("--json",)):
            output = run(*command, *option, status=None).output.replace(":", "")
            assert "hidden" in output
            assert secret[:20] not in output
    assert secret[:20] in run("grep", "**.private_key.private_key", "a.p12", "--secrets").output.replace(":", "")


def test_encrypted_contents_are_not_searched_and_not_mentioned(openssl: OpenSSL) -> None:
    Path("a.p12").write_bytes(openssl.pkcs12())
    result = run("grep", "certBag", "a.p12", status=3)
    assert (result.stdout, result.stderr) == ("", "")
    assert "encrypted_content" in run("grep", "**.encrypted_content", "a.p12").stdout


def test_a_note_names_strings_with_der_of_an_unknown_type() -> None:
    inner = der(0x30, bytes.fromhex("0603883701"))
    data = cms.ContentInfo(content_type=cms.id_data, content=inner).encode()
    put(a_p7=data, b_p7=data.replace(b"\x06\x03", b"\x04\x03"))
    note = (
        "derlib: not searched: a string contains DER of an unknown type, in which the pattern can match; "
        "--type der searches it\n"
    )
    result = run("grep", "2.999.1", "a.p7", "--type", "cms", status=3)
    assert (result.stdout, result.stderr) == ("", note)
    assert run("grep", "2.999.1", "a.p7", "--type", "der").stdout.endswith(": 2.999.1\n")
    assert run("grep", "2.999.1", "b.p7", "--type", "cms", status=3).stderr == ""
    # A DNS name has an implicit tag.
    put(c_p7=cms.ContentInfo(content_type=cms.id_data, content=CERTIFICATE).encode())
    assert run("grep", "example.org", "c.p7", "--type", "cms", status=3).stderr == note
    assert run("grep", "id-data", "c.p7", "--type", "cms").stderr == ""


@pytest.mark.parametrize("pattern", ["id-ce-subjectAltName", "example.org", "**.dns_name"])
def test_a_note_names_ber_inside_a_string(pattern: str) -> None:
    put(a_p12=pfx_of(indefinite(certificate_bag())), b_p12=pfx_of(certificate_bag()))
    result = run("grep", pattern, "a.p12", status=3)
    note = "derlib: not searched: a string contains BER, which has no paths; derlib dump --ber shows it\n"
    assert result.stderr == note
    assert '[2] "example.org"' in run("dump", "--ber", "a.p12").stdout
    # Also if the type of the contents is unknown.
    put(c_der=rebuilt(extensions=[Extension(extn_id="1.2.3", extn_value=indefinite(bytes.fromhex("3003020105")))]))
    assert run("grep", "5", "c.der", status=3).stderr.startswith(note)
    assert "INTEGER 5" in run("dump", "--ber", "c.der").stdout
    assert run("grep", pattern, "b.p12").stderr == ""
    assert run("grep", "other.example", "a.p12", status=3).stderr == ""


@pytest.mark.parametrize("pattern", ["[0]", "**[0][1]"])
def test_a_path_is_not_found_in_der_of_an_unknown_type(pattern: str) -> None:
    put(a_der=CERTIFICATE)
    assert "not searched" not in run("grep", pattern, "a.der", status=3).stderr


# --- Damaged contents: an error with the position, and the rest is shown.

SUBJECT = f"{CONTENTS}.bag_value.cert_value.tbs_certificate"
MONTH = CERTIFICATE.replace(b"250101", b"251301", 1)
DNS_NAME = CERTIFICATE.replace(b"example.org", b"\xe9xample.org")
DAMAGED = {
    "month": (MONTH, b"251301", f"{SUBJECT}.validity.not_before", 2, "not a valid date and time", "open-type"),
    "DNS name": (
        DNS_NAME, b"\xe9xample", f"{SUBJECT}.extensions[2].extn_value[0].dns_name", 2, "above 7f", "string-alphabet"
    ),
}


def damaged_pfx(certificate: bytes) -> bytes:
    """Return a PKCS #12 file with a damaged certificate and a valid one."""
    bag = certificate_bag()
    element = bytes(derlib.parse(bag).content)
    return pfx_of(der(0x30, element.replace(CERTIFICATE, certificate), element))


def put_damaged(name: str, form: str = "der") -> tuple[int, str, str, str]:
    """Write a.p12 with a certificate of `DAMAGED`; return the offset and path of its fault, words, and a deviation."""
    certificate, octets, path, header, message, deviation = DAMAGED[name]
    data = damaged_pfx(certificate)
    data = in_ber(data) if form == "ber" else data
    put(a_p12=data)
    return data.index(octets) - header, path, message, deviation


def in_ber(data: bytes) -> bytes:
    """Return a PKCS #12 file whose bags have the indefinite length form, in a file that has it, too."""
    certificates = bytes(pkcs12.PFX.decode(data).authenticated_safe[0].content)
    return indefinite(pfx_of(indefinite(certificates)))


@pytest.mark.parametrize("form", ["der", "ber"])
@pytest.mark.parametrize("name", DAMAGED)
def test_show_reports_the_fault_of_a_certificate_in_a_pkcs_12_and_shows_the_rest(name: str, form: str) -> None:
    place, path, message, deviation = put_damaged(name, form)
    result = run("show", "a.p12", status=1)
    assert result.stderr.startswith(f"derlib: a.p12: {path} at offset {place}: ")
    assert f"--tolerate {deviation} accepts it" in result.stderr
    assert message in result.stderr
    assert "certificate 0x" in result.stdout
    assert "hidden" not in result.stdout
    tolerated = run("show", "a.p12", "--tolerate", deviation)
    assert tolerated.stdout == result.stdout
    assert f"tolerated {path.removesuffix('.tbs_certificate.validity.not_before')} at offset" in tolerated.stderr
    document = json.loads(run("show", "a.p12", "--json", status=1).stdout)[0]
    assert document["object"]["type"] == "pkcs12"
    assert [(format_path(tuple(one["path"])), one["offset"]) for one in document["errors"]] == [(path, place)]


@pytest.mark.parametrize("form", ["der", "ber"])
@pytest.mark.parametrize("name", DAMAGED)
def test_lint_lists_the_faults_of_the_contents(name: str, form: str) -> None:
    place, path, message, deviation = put_damaged(name, form)
    option = ("--ber",) if form == "ber" else ()
    result = run("lint", "a.p12", *option, status=1)
    (line,) = result.stdout.splitlines()
    assert line.startswith(f"a.p12: offset {place}: {path}: ")
    assert line.endswith(f"[{deviation}]")
    assert message in line or deviation == "string-alphabet"
    assert "no faults" in run("lint", "a.p12", *option, "--tolerate", deviation).stdout


def test_the_forms_of_ber_are_not_faults_in_contents() -> None:
    put(a_p12=pfx_of(indefinite(certificate_bag())))
    assert "no faults" in run("lint", "a.p12").stdout
    assert run("show", "a.p12").stderr == ""


@pytest.mark.parametrize("name", DAMAGED)
def test_view_and_grep_report_the_fault_of_the_contents(name: str) -> None:
    place, path, message, deviation = put_damaged(name)
    for command in (("grep", "**.subject", "a.p12"), ("view", "a.p12", "-o", "a.html")):
        result = run(*command, status=1)
        assert result.stderr.startswith(f"derlib: a.p12: {path} at offset {place}: ")
        assert message in result.stderr
        tolerated = run(*command, "--tolerate", deviation)
        assert tolerated.stderr.startswith(f"derlib: a.p12: tolerated {CONTENTS}.bag_value.cert_value")
    assert f'": "{deviation}, X.680' in Path("a.html").read_text(encoding="utf-8")
    found = run("grep", "**.subject", "a.p12", status=1).stdout
    assert "content[1].bag_value.cert_value.tbs_certificate.subject: " in found


def test_contents_that_cannot_be_read_stay_hidden_with_an_error() -> None:
    """They could have a private key."""
    safe = certificate_bag()
    data = pfx_of(safe.replace(bytes.fromhex("060b2a"), bytes.fromhex("060c2a"), 1))
    put(a_p12=data)
    result = run("show", "a.p12", status=1)
    assert "content: (hidden" in result.stdout
    assert f"{CONTENTS}.bag_id at offset {data.index(bytes.fromhex('060c2a'))}: " in result.stderr
    assert f"{CONTENTS}.bag_id: " in run("lint", "a.p12", status=1).stdout
    run("view", "a.p12", "-o", "a.html", status=1)
    assert '"faults": {"' in Path("a.html").read_text(encoding="utf-8")


def test_a_damaged_key_in_a_pkcs_12_stays_hidden(openssl: OpenSSL) -> None:
    data = openssl.pkcs12(*PLAIN)
    key = next(
        bag.bag_value for bag in pkcs12.PFX.decode(data).bags if isinstance(bag.bag_value, pkcs12.OneAsymmetricKey)
    )
    secret = bytes(key.private_key.private_key)
    damaged = data.replace(b"\2\1\1\4\x20" + secret, b"\5\1\1\4\x20" + secret)
    assert damaged != data
    put(a_p12=damaged)
    for command in (("show", "a.p12"), ("grep", "**", "a.p12"), ("lint", "a.p12")):
        result = run(*command, status=1)
        assert secret.hex()[:12] not in result.output.replace(":", "").replace(" ", "")
        assert "private_key" in result.output
    # The option of another command is of no use for cert, which opens the bags, too.
    assert ": (hidden; derlib show --secrets shows it): " in run("show", "a.p12", status=1).stderr
    assert ": (hidden; derlib show --secrets shows it): " in run("cert", "a.p12", status=1).stderr
    assert ": (hidden; derlib show" not in run("show", "a.p12", "--secrets", status=1).stderr


def test_the_fault_of_the_content_of_a_time_stamp_is_reported() -> None:
    data = example("report.tsr")
    place = data.index(b"\x18\x0f")
    put(a_tsr=data[: place + 6] + b"13" + data[place + 8 :])
    path = POLICY.replace("policy", "gen_time")
    result = run("show", "a.tsr", status=1)
    assert f"{path} at offset {place}: " in result.stderr
    assert "time_stamp_token:" in result.stdout
    assert f"offset {place}: {path}: " in run("lint", "a.tsr", status=1).stdout


def test_a_pkcs_12_whose_content_is_neither_data_nor_signed_data_is_not_valid() -> None:
    data = pfx_of(certificate_bag())
    place = data.index(bytes.fromhex("06092a864886f70d010701"))
    put(a_p12=data[: place + 10] + b"\x63" + data[place + 11 :])
    message = "expected id-data or id-signedData with a content, found 1.2.840.113549.1.7.99 (RFC 7292 4)"
    for command in (("show",), ("grep", "version"), ("view", "-o", "a.html")):
        assert run(*command, "a.p12", status=1).stderr == (
            f"derlib: a.p12: auth_safe.content_type at offset {place}: {message}\n"
        )
    assert f"offset {place}: auth_safe.content_type: {message}" in run("lint", "a.p12", status=1).stdout

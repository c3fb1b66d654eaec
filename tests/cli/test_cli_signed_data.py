"""`cert`, `crl` and `table` read the certificates and CRLs in a SignedData, such as a .p7b file."""

from __future__ import annotations

import csv
import io
import json
import random
from email.message import EmailMessage
from pathlib import Path

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support.commands import CERTIFICATE, CRL, make_certificate, make_crl, put, run, run_json
from support.der import der

from derlib import pem
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")

OTHER = make_certificate("Other", "example.com")
THIRD = make_certificate("Third", "example.net")
SUBJECTS = {CERTIFICATE: "Test", OTHER: "Other", THIRD: "Third"}
#: The order in DER, in which shorter encodings come first.
IN_ORDER = sorted(SUBJECTS)
DATA = bytes.fromhex("06092a864886f70d010701")
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
ATTRIBUTE_CERTIFICATE = der(0xA2, b"\x30\0")


def p7b(certificates: bytes = b"", crls: bytes = b"", content: bytes = DATA, signers: bytes = b"\x31\0") -> bytes:
    lists = (der(0xA0, certificates) if certificates else b"") + (der(0xA1, crls) if crls else b"")
    return der(0x30, SIGNED_DATA, der(0xA0, der(0x30, b"\2\1\1\x31\0", der(0x30, content), lists, signers)))


def indefinite(certificates: bytes) -> bytes:
    """Return a SignedData in BER, all of whose structure has the indefinite length."""
    end = b"\0\0"
    lists = b"\xa0\x80" + certificates + end
    signed = b"\x30\x80\2\1\1\x31\x80" + end + b"\x30\x80" + DATA + end + lists + b"\x31\x80" + end + end
    return b"\x30\x80" + SIGNED_DATA + b"\xa0\x80" + signed + end + end


def damaged(certificate: bytes) -> bytes:
    """Return a certificate with TRUE as 01."""
    return certificate.replace(b"\1\1\xff", b"\1\1\1", 1)


def subjects(text: str) -> list[str]:
    return [line.split("CN=")[1] for line in text.splitlines() if line.startswith("  subject:")]


def places(document: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{name: one[name] for name in one if name not in ("certificate", "crl", "error")} for one in document]


BUNDLE = p7b(b"".join(IN_ORDER))
NAMES = [SUBJECTS[each] for each in IN_ORDER]


@pytest.mark.parametrize("label", ["PKCS7", "CMS", "PKCS #7 SIGNED DATA"])
def test_a_pem_block_is_read_as_a_bundle(label: str) -> None:
    put(a_p7b=pem.encode(BUNDLE, label))
    result = run("cert", "a.p7b")
    assert (subjects(result.stdout), result.stderr) == (NAMES, "")
    offset = BUNDLE.index(IN_ORDER[1])
    assert f"a.p7b: block 1 ({label}, line 1), value 2 (offset {offset}):" in result.stdout.splitlines()
    document = run_json("cert", "a.p7b")
    assert places(document) == [
        {"file": "a.p7b", "block": 1, "label": label, "line": 1, "value": number, "offset": BUNDLE.index(each)}
        for number, each in enumerate(IN_ORDER, 1)
    ]
    assert [one["certificate"]["subject"] for one in document] == [f"CN={name}" for name in NAMES]
    assert [one["certificate"]["sha256"] for one in document] == [
        Certificate.decode(each).fingerprint().hex() for each in IN_ORDER
    ]
    assert [json.loads(line) for line in run("cert", "a.p7b", "--jsonl").stdout.splitlines()] == document


@pytest.mark.parametrize("form", ["der", "hex", "base64"])
def test_a_file_without_pem_is_read_as_several_values(form: str) -> None:
    text = {"der": BUNDLE, "hex": BUNDLE.hex(), "base64": pem.encode(BUNDLE, "X").split("-----")[2]}[form]
    put(a_p7b=text)
    assert places(run_json("cert", "a.p7b")) == [
        {"file": "a.p7b", "value": number, "offset": BUNDLE.index(each)} for number, each in enumerate(IN_ORDER, 1)
    ]
    heading = f"a.p7b: value 3 (offset {BUNDLE.index(IN_ORDER[2])}):"
    assert heading in run("cert", "a.p7b").stdout.splitlines()


def test_one_certificate_needs_no_heading() -> None:
    put(a_p7b=p7b(CERTIFICATE))
    assert run("cert", "a.p7b").stdout.startswith("  version:")
    assert places(run_json("cert", "a.p7b")) == [{"file": "a.p7b", "value": 1, "offset": 45}]
    assert p7b(CERTIFICATE)[45:].startswith(CERTIFICATE)


def test_values_beside_a_bundle_are_numbered_with_its_certificates() -> None:
    put(a_der=CERTIFICATE + BUNDLE + OTHER + p7b(THIRD))
    found = places(run_json("cert", "a.der"))
    octets = [CERTIFICATE, *IN_ORDER, OTHER, THIRD]
    assert [one["value"] for one in found] == [1, 2, 3, 4, 5, 6]
    data = Path("a.der").read_bytes()
    for one, each in zip(found, octets, strict=True):
        assert isinstance(one["offset"], int)
        assert data[one["offset"] :].startswith(each)


def test_blocks_beside_a_bundle_keep_their_numbers() -> None:
    signed = pem.encode(p7b(content=DATA), "PKCS7")
    put(a_pem=signed + pem.encode(BUNDLE, "PKCS7") + pem.encode(CRL, "X509 CRL") + pem.encode(OTHER, "CERTIFICATE"))
    # A block without certificates is left out, as one of another type is.
    result = run("cert", "a.pem")
    assert (subjects(result.stdout), result.stderr) == ([*NAMES, "Other"], "")
    found = places(run_json("cert", "a.pem"))
    assert [(one["block"], one.get("value")) for one in found] == [(2, 1), (2, 2), (2, 3), (4, None)]
    assert [one["label"] for one in places(run_json("crl", "a.pem"))] == ["X509 CRL"]


def mail(*attached: tuple[str, bytes]) -> bytes:
    made = EmailMessage()
    made.set_content("Hello\n")
    for subtype, octets in attached:
        made.add_attachment(octets, maintype="application", subtype=subtype)
    return bytes(made)


@pytest.mark.parametrize("is_pem", [False, True])
def test_an_attachment_of_a_mail_is_read_as_a_bundle(is_pem: bool) -> None:
    data = pem.encode(BUNDLE, "PKCS7").encode() if is_pem else BUNDLE
    put(a_eml=mail(("pkcs7-signature", data)), b_eml=mail(("pkix-cert", OTHER), ("x-pkcs7-certificates", data)))
    assert subjects(run("cert", "a.eml").stdout) == NAMES
    inside = {"block": 1, "label": "PKCS7", "line": 1} if is_pem else {}
    offsets = [BUNDLE.index(each) for each in IN_ORDER]
    assert places(run_json("cert", "a.eml")) == [
        {"file": "a.eml", **inside, "value": number, "subtype": "pkcs7-signature", "offset": offset}
        for number, offset in enumerate(offsets, 1)
    ]
    assert places(run_json("cert", "b.eml"))[1:] == [
        {"file": "b.eml", **inside, "value": number, "subtype": "pkcs7-certificates", "offset": offset}
        for number, offset in enumerate(offsets, 2)
    ]
    titles = [line for line in run("cert", "b.eml").stdout.splitlines() if line.startswith("b.eml")]
    words = ", block 1 (PKCS7, line 1)" if is_pem else ""
    assert titles[0] == "b.eml: attachment 1 (pkix-cert):"
    assert titles[3] == f"b.eml: attachment 4 (pkcs7-certificates){words}, offset {offsets[2]}:"


def test_a_damaged_certificate_in_a_mail_does_not_hide_the_others() -> None:
    each = [*IN_ORDER]
    each[1] = damaged(each[1])
    data = p7b(b"".join(each))
    put(a_eml=mail(("pkcs7-signature", data)), b_eml=mail(("pkcs7-mime", AROUND["signers"][0]), ("pkix-cert", OTHER)))
    result = run("cert", "a.eml", status=1)
    assert subjects(result.stdout) == [NAMES[0], NAMES[2]]
    place = f"attachment 2 (pkcs7-signature), offset {data.index(each[1])}"
    assert result.stderr.startswith(f"derlib: a.eml: {place}: tbs_certificate.extensions[0].critical at offset ")
    assert result.stderr.count("\n") == 1
    result = run("cert", "b.eml", status=1)
    assert subjects(result.stdout) == [*NAMES, "Other"]
    assert result.stderr.startswith("derlib: b.eml: attachment (pkcs7-mime): content.signer_infos[0] at offset ")
    assert "b.eml: attachment 4 (pkix-cert):" in result.stdout.splitlines()


def test_the_crls_of_a_mail() -> None:
    put(a_eml=mail(("pkcs7-mime", p7b(CERTIFICATE, crls=CRL)), ("pkix-crl", make_crl(3))))
    assert [one["value"] for one in run_json("crl", "a.eml")] == [1, 2]


@pytest.mark.parametrize("is_pem", [False, True])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_damaged_certificate_does_not_hide_the_others(number: int, is_pem: bool) -> None:
    each = [*IN_ORDER]
    each[number] = damaged(each[number])
    data = p7b(b"".join(each))
    put(a_p7b=pem.encode(data, "PKCS7") if is_pem else data, a_der=each[number])
    result = run("cert", "a.p7b", status=1)
    assert subjects(result.stdout) == NAMES[:number] + NAMES[number + 1 :]
    (alone,) = run_json("cert", "a.der", status=1)
    offset = data.index(each[number]) + alone["error"]["offset"]
    assert data[offset : offset + 3] == b"\1\1\1"
    assert result.stderr.count("\n") == 1
    assert f"value {number + 1} (offset {data.index(each[number])}): tbs_certificate.extensions[0]" in result.stderr
    assert f" at offset {offset}: BOOLEAN 01 " in result.stderr
    document = run_json("cert", "a.p7b", status=1)
    assert [one["value"] for one in document] == [1, 2, 3]
    assert document[number]["error"]["offset"] == offset
    result = run("cert", "a.p7b", "--tolerate", "boolean-true")
    assert subjects(result.stdout) == NAMES
    assert result.stderr.count("tolerated tbs_certificate") == 1


def test_all_damaged_certificates_are_reported() -> None:
    put(a_p7b=p7b(b"".join(map(damaged, IN_ORDER))))
    result = run("cert", "a.p7b", status=1)
    assert result.stdout == ""
    assert [line.split(": ")[2].split(" (")[0] for line in result.stderr.splitlines()] == [
        "value 1", "value 2", "value 3"
    ]  # fmt: skip


#: Faults of the SignedData, and words of the error. No certificate has it, and all are shown.
AROUND = {
    "order": (p7b(b"".join(IN_ORDER[::-1])), "content.certificates[1] at offset {1}: elements of the SET OF are not"),
    "end": (BUNDLE + b"\0", "at offset {end}: bytes follow the end of the value"),
    "signers": (p7b(b"".join(IN_ORDER), signers=b"\x31\2\5\0"), "content.signer_infos[0] at offset "),
    "no signers": (p7b(b"".join(IN_ORDER), signers=b""), "content.signer_infos at offset "),
    "length": (BUNDLE.replace(b"\x30\x82", b"\x30\x83\0", 1), "at offset 0: "),
}


@pytest.mark.parametrize(("data", "words"), AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("is_pem", [False, True])
def test_a_fault_around_the_certificates_is_reported_and_they_are_shown(data: bytes, words: str, is_pem: bool) -> None:
    put(a_p7b=pem.encode(data, "PKCS7") if is_pem else data)
    result = run("cert", "a.p7b", status=1)
    assert sorted(subjects(result.stdout)) == sorted(NAMES)
    words = words.replace("{1}", str(data.index(IN_ORDER[1]))).replace("{end}", str(len(data) - 1))
    assert result.stderr.startswith(f"derlib: a.p7b: {words}")
    assert result.stderr.count("\n") == 1
    error, *others = run_json("cert", "a.p7b", status=1)
    assert "error" in error
    assert "value" not in error
    assert [one["value"] for one in others] == [1, 2, 3]


def test_a_fault_behind_a_damaged_certificate_is_found_when_that_is_tolerated() -> None:
    put(a_p7b=p7b(damaged(CERTIFICATE), signers=b"\x31\2\5\0"))
    assert [line.split(" (")[0] for line in run("cert", "a.p7b", status=1).stderr.splitlines()] == [
        "derlib: a.p7b: tbs_certificate.extensions[0].critical at offset 319: BOOLEAN 01 is neither 00 nor ff"
    ]
    result = run("cert", "a.p7b", "--tolerate", "boolean-true", status=1)
    assert "derlib: a.p7b: content.signer_infos[0] at offset " in result.stderr


def test_what_follows_the_certificates_is_an_error() -> None:
    put(a_p7b=p7b(b"".join(IN_ORDER) + b"\x1f"))
    result = run("cert", "a.p7b", status=1)
    assert subjects(result.stdout) == NAMES
    assert result.stderr.startswith("derlib: a.p7b: value 4 (offset ")
    assert result.stderr.count("\n") == 1


def test_a_tolerated_fault_of_the_signed_data_is_reported() -> None:
    put(a_p7b=AROUND["order"][0])
    result = run("cert", "a.p7b", "--tolerate", "set-of-order")
    assert subjects(result.stdout) == NAMES[::-1]
    assert "tolerated content.certificates[1] at offset " in result.stderr
    assert {line.split(" (")[-2].split()[-1] for line in result.stderr.splitlines()} == {"set-of-order"}
    document = run_json("cert", "a.p7b", "--tolerate", "set-of-order")
    assert [len(one.get("tolerated", ())) for one in document] == [2, 0, 0]


def test_ber_needs_the_option() -> None:
    each = [*IN_ORDER[::-1]]
    put(a_p7b=indefinite(b"".join(each)), b_p7b=pem.encode(indefinite(b"".join(each)), "PKCS7"))
    data = Path("a.p7b").read_bytes()
    for file in ("a.p7b", "b.p7b"):
        result = run("cert", file, status=1)
        assert result.stderr.startswith(f"derlib: {file}: at offset 0: the indefinite length form (80) is not DER")
        assert result.stderr.endswith("; --ber reads BER\n")
        assert result.stderr.count("\n") == 1
        # In the order of the file, not that of DER.
        result = run("cert", "--ber", file)
        assert (subjects(result.stdout), result.stderr) == (NAMES[::-1], "")
        found = run_json("cert", "--ber", file)
        assert [(one["value"], one["offset"]) for one in found] == [
            (number, data.index(one)) for number, one in enumerate(each, 1)
        ]
    each[1] = b"\x30\x80" + each[1][4:] + b"\0\0"
    put(a_p7b=indefinite(b"".join(each)), b_p7b=p7b(b"".join(each)))
    for file in ("a.p7b", "b.p7b"):
        result = run("cert", "--ber", file)
        assert (subjects(result.stdout), result.stderr) == (NAMES[::-1], "")
        assert "--ber reads BER" in run("cert", file, status=1).stderr.splitlines()[-1]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_damaged_certificate_in_ber_does_not_hide_the_others(number: int) -> None:
    each = [*IN_ORDER]
    # The version is not an INTEGER.
    each[number] = each[number].replace(bytes.fromhex("a003020102"), bytes.fromhex("a003040102"), 1)
    put(a_p7b=indefinite(b"".join(each)))
    data = Path("a.p7b").read_bytes()
    result = run("cert", "--ber", "a.p7b", status=1)
    assert subjects(result.stdout) == NAMES[:number] + NAMES[number + 1 :]
    offset = data.index(each[number]) + each[number].index(bytes.fromhex("040102"))
    assert result.stderr.count("\n") == 1
    assert f"value {number + 1} (offset {data.index(each[number])}): " in result.stderr
    assert f" at offset {offset}: " in result.stderr
    assert "--ber" not in result.stderr


def test_the_certificates_of_a_signature() -> None:
    # The content of PKCS #7 can have any type, and CMS has other kinds of certificates.
    content = bytes.fromhex("060a2b060104018237020104") + der(0xA0, b"\x30\0")
    for signed in (p7b(CERTIFICATE, content=DATA + der(0xA0, der(0x04, b"text"))), p7b(CERTIFICATE, content=content)):
        put(a_p7s=signed)
        assert subjects(run("cert", "a.p7s", status=None).stdout) == ["Test"]
    put(a_p7s=p7b(CERTIFICATE + ATTRIBUTE_CERTIFICATE))
    result = run("cert", "a.p7s", status=1)
    assert subjects(result.stdout) == ["Test"]
    assert "content.certificates[1].v2_attr_cert" in result.stderr


def test_the_crls_of_a_signed_data() -> None:
    each = sorted([CRL, make_crl(3, "Other CA"), make_crl(0, "Third CA")])
    data = p7b(CERTIFICATE, crls=b"".join(each))
    put(a_p7b=data, b_p7b=pem.encode(data, "PKCS7"))
    found = run_json("crl", "a.p7b")
    assert places(found) == [
        {"file": "a.p7b", "value": number, "offset": data.index(one)} for number, one in enumerate(each, 1)
    ]
    assert sorted(len(one["crl"]["entries"]) for one in found) == [0, 3, 7]
    rows = [json.loads(line) for line in run("crl", "b.p7b", "--jsonl").stdout.splitlines()]
    assert len(rows) == 10
    assert {(row["block"], row["value"]) for row in rows} <= {(1, 1), (1, 2), (1, 3)}
    assert "a.p7b: value 2 (offset " in run("crl", "a.p7b", "--tsv").stdout
    assert subjects(run("cert", "a.p7b").stdout) == ["Test"]
    put(c_p7b=p7b(crls=CRL[:-1] + b"\1"), d_p7b=p7b(damaged(CERTIFICATE), crls=CRL))
    assert run("crl", "c.p7b").stdout
    # The fault is in a certificate, and the SignedData with it is not valid.
    result = run("crl", "d.p7b", status=1)
    assert "content.certificates[0].certificate.tbs_certificate.extensions[0].critical at offset" in result.stderr
    assert "issuer:" in result.stdout


@pytest.mark.parametrize("label", [None, "PKCS7", "CMS"])
@pytest.mark.parametrize("options", [[], ["--ber"]])
def test_a_signed_data_without_them_is_named(label: str | None, options: list[str]) -> None:
    signed = p7b(signers=b"\x31\0")
    put(a_p7b=pem.encode(signed, label) if label else signed)
    for command, noun in (("cert", "certificates"), ("crl", "CRLs")):
        result = run(command, "a.p7b", *options, status=1)
        assert result.stderr == f"derlib: a.p7b: it is a CMS SignedData without {noun}: use derlib show\n"
    put(a_p7b=pem.encode(signed[:-1], label) if label else signed[:-1])
    assert "use derlib show" not in run("cert", "a.p7b", *options, status=1).stderr


def test_other_objects_in_blocks_of_cms_are_named() -> None:
    data = der(0x30, DATA, der(0xA0, der(0x04, b"text")))
    put(a_pem=pem.encode(data, "CMS"), b_pem=pem.encode(data, "CMS") + pem.encode(CERTIFICATE, "CERTIFICATE"))
    assert run("cert", "a.pem", status=1).stderr == "derlib: a.pem: it is a CMS Data: use derlib show\n"
    assert subjects(run("cert", "b.pem").stdout) == ["Test"]
    put(c_pem=pem.encode(b"\x30\0", "PRIVATE KEY"))
    assert "PKCS7" not in run("cert", "c.pem", status=1).stderr


# --- Tables


def table(*arguments: str, status: int = 0) -> list[dict[str, str]]:
    pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
    return list(csv.DictReader(io.StringIO(run("table", *arguments, status=status).stdout)))


def test_the_certificates_are_rows_of_a_table() -> None:
    put(a_p7b=pem.encode(BUNDLE, "PKCS7"), b_p7b=BUNDLE, c_der=OTHER)
    rows = table("a.p7b", "b.p7b", "c.der", "--columns", "subject")
    assert [(row["file"], row["block"], row["subject"].removeprefix("CN=")) for row in rows] == [
        *(("a.p7b", str(number), name) for number, name in enumerate(NAMES, 1)),
        *(("b.p7b", str(number), name) for number, name in enumerate(NAMES, 1)),
        ("c.der", "", "Other"),
    ]
    assert rows[0]["fingerprint"] == Certificate.decode(IN_ORDER[0]).fingerprint().hex()
    Path("in").mkdir()
    Path("in/x.p7b").write_bytes(BUNDLE)
    assert len(table("in", "--columns", "version")) == 3


def test_errors_of_rows_are_those_of_their_certificates() -> None:
    each = [*IN_ORDER]
    each[1] = damaged(each[1])
    data = p7b(b"".join(each))
    # Two blocks of one file have rows with the same number.
    put(a_p7b=2 * pem.encode(data, "PKCS7"), b_p7b=p7b(b"".join(IN_ORDER[::-1])))
    result = run("table", "a.p7b", "b.p7b", "--columns", "version", "--to", "jsonl", status=1)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    offset = each[1].index(b"\x55\x1d\x13\1\1\1") + 3
    bad = [(row["file"], row["block"], row["error"], row["error_offset"]) for row in rows if row["error"]]
    assert [each[:3] for each in bad] == [
        ("a.p7b", 2, "boolean-true"), ("a.p7b", 2, "boolean-true"), ("b.p7b", None, "set-of-order")
    ]  # fmt: skip
    assert [one[3] for one in bad[:2]] == [offset, offset]
    assert len(rows) == 10
    assert result.stderr == run("cert", "a.p7b", "b.p7b", status=1).stderr
    assert "block 2 (PKCS7, line " in result.stderr
    assert len(table("b.p7b", "--ber", "--columns", "version")) == 3
    assert len(table("b.p7b", "--tolerate", "set-of-order", "--columns", "version")) == 3
    assert len(table("b.p7b", "--without", "error", status=1)) == 3


def test_the_certificates_of_a_mail_are_rows_of_a_table() -> None:
    put(a_eml=mail(("pkcs7-signature", BUNDLE), ("x-pem-file", pem.encode(OTHER, "CERTIFICATE").encode())))
    rows = table("a.eml", "--columns", "subject")
    assert [(row["block"], row["subject"].removeprefix("CN=")) for row in rows] == [
        *((str(number), name) for number, name in enumerate([*NAMES, "Other"], 1))
    ]


def test_the_entries_of_crls_in_a_signed_data_are_rows() -> None:
    put(a_p7b=p7b(crls=CRL), b_p7b=p7b(CERTIFICATE, crls=CRL))
    assert len(table("a.p7b", "--columns", "reason")) == 7
    assert len(table("b.p7b", "--type", "crl", "--columns", "reason")) == 7
    assert len(table("b.p7b", "--columns", "version")) == 1


# --- Hostile input

END = b"\0\0"
START = b"\x30\x80" + SIGNED_DATA + b"\xa0\x80\x30\x80"
HOSTILE = {
    "deep": b"\x30\x80" + SIGNED_DATA + b"\xa0\x80" * 100_000,
    "deep in the list": START + b"\xa0\x80" * 100_000,
    "deep certificates": p7b(b"\x30\x80" * 100_000),
    "deep certificates in ber": START + b"\xa0\x80" + b"\x30\x80" * 100_000,
    "long lengths": b"\x30\x84\xff\xff\xff\xff" + SIGNED_DATA + b"\xa0\x88" + b"\xff" * 8 + b"\x30\x84\x7f\xff\xff\xff",
    "a long length in the list": START + b"\xa0\x84\xff\xff\xff\xff\x30\x88" + b"\xff" * 8,
    "a length of many octets": START + b"\xa0\xff\x30\x80",
    "only the type": b"\x30\x0b" + SIGNED_DATA,
    "a cut type": (b"\x30\x0b" + SIGNED_DATA)[:9],
    "no end": START + b"\xa0\x80" + CERTIFICATE,
    "many fields": START + b"\x05\0" * 100_000 + END * 3,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("options", [[], ["--ber"], ["--json"]])
def test_hostile_input_is_an_error(data: bytes, options: list[str]) -> None:
    put(a_p7b=data)
    for command in ("cert", "crl"):
        result = run(command, "a.p7b", *options, status=1)
        assert 1 <= result.stderr.count("\n") <= 2


@pytest.mark.parametrize("command", ["cert", "crl", "table"])
def test_the_error_of_a_truncated_file_names_its_type(command: str) -> None:
    if command == "table":
        pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
    block = pem.encode(BUNDLE[:-9], "PKCS7") + pem.encode(OTHER, "CERTIFICATE") + pem.encode(CRL, "X509 CRL")
    put(a_p7b=BUNDLE[:-9], b_pem=block, c_eml=mail(("pkix-cert", OTHER), ("pkcs7-signature", BUNDLE[:-9])))
    words = "at offset 0: ContentInfo (30 82 "
    for place in ("a.p7b", "b.pem: block 1 (PKCS7, line 1)", "c.eml: attachment 2 (pkcs7-signature)"):
        file = place.split(":")[0]
        error = run(command, file, status=1).stderr
        assert f"derlib: {place}: {words}" in error
        assert "30 82" not in error.replace(words, "")
    assert subjects(run("cert", "b.pem", status=1).stdout) == ["Other"]


def test_a_part_of_a_file_is_an_error() -> None:
    for data in (BUNDLE, indefinite(b"".join(IN_ORDER))):
        options = ["--ber"] if data[1] == 0x80 else []
        for size in random.Random(1).sample(range(1, len(data)), 60):
            put(a_p7b=data[:size])
            result = run("cert", "a.p7b", *options, status=1)
            assert (result.stderr.count("\n"), result.stdout) == (1, "")


def test_random_changes_are_an_error_or_valid() -> None:
    chosen = random.Random(2)
    for _ in range(200):
        data = bytearray(chosen.choice([BUNDLE, indefinite(b"".join(IN_ORDER)), p7b(CERTIFICATE, crls=CRL)]))
        for _ in range(chosen.randrange(1, 4)):
            data[chosen.randrange(min(len(data), 60))] = chosen.randrange(256)
        put(a_p7b=bytes(data))
        run(chosen.choice(["cert", "crl"]), "a.p7b", *chosen.choice([[], ["--ber"], ["--json"]]), status=None)


def test_a_csca_master_list_is_read_after_its_signers() -> None:
    listed = der(0x31, OTHER.replace(b"250101", b"251301", 1), THIRD)
    content = bytes.fromhex("0606678108010102") + der(0xA0, der(0x04, der(0x30, b"\2\1\0", listed)))
    put(a_ml=p7b(CERTIFICATE, content=content))
    result = run("cert", "a.ml", status=1)
    assert subjects(result.stdout) == ["Test", "Third"]
    assert "a.ml: value 2 (offset " in result.stderr
    assert "UTCTime '251301000000Z' is not a valid date and time" in result.stderr
    path = "content.encap_content_info.e_content.cert_list[1]"
    text = run("extract", "a.ml", path, status=3).stderr
    assert f"{path} does not exist; content.encap_content_info.e_content contains nothing that can be decoded" in text


def test_the_certificates_in_an_ef_sod() -> None:
    put(a_sod=der(0x77, BUNDLE), b_sod=der(0x77, indefinite(CERTIFICATE)), damaged_sod=der(0x77, BUNDLE[:-5]))
    assert subjects(run("cert", "a.sod").stdout) == NAMES
    assert subjects(run("cert", "--ber", "b.sod").stdout) == ["Test"]
    assert subjects(run("cert", "damaged.sod", status=1).stdout) == []
    rows = list(csv.DictReader(io.StringIO(run("table", "a.sod", "--columns", "subject").stdout)))
    assert [row["subject"] for row in rows] == [f"CN={name}" for name in NAMES]

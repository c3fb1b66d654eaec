"""Mails with attached objects, and files of other programs that are not ASN.1."""

import base64
import gzip
import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.commands import CERTIFICATE, make_certificate, make_crl, put, run, run_json

import derlib
from derlib import pem

pytestmark = pytest.mark.usefixtures("empty_folder")


def mail(*attached: tuple[str, bytes], body: str = "Hello\n") -> EmailMessage:
    """Return a mail with attachments, each with its subtype."""
    made = EmailMessage()
    made["From"], made["Subject"] = "ann@example.org", "A test"
    made.set_content(body)
    for subtype, octets in attached:
        made.add_attachment(octets, maintype="application", subtype=subtype)
    return made


def test_the_object_of_a_mail_is_shown_as_the_object() -> None:
    whole = EmailMessage()
    whole.set_content(CERTIFICATE, maintype="application", subtype="pkix-cert")
    put(
        a_der=CERTIFICATE,
        body_eml=bytes(whole),
        part_eml=bytes(mail(("x-x509-ca-cert", CERTIFICATE))),
        lines_eml=bytes(mail(("pkix-cert", CERTIFICATE))).replace(b"\n", b"\r\n"),
        box=b"From ann@example.org Fri Nov 27 12:00:00 2026\n" + bytes(mail(("pkix-cert", CERTIFICATE))),
    )
    for command in ("cert", "show", "dump", "lint"):
        expected = run(command, "a.der").stdout
        for file in ("body.eml", "part.eml", "lines.eml", "box"):
            assert run(command, file).stdout.replace(file, "a.der") == expected


def test_several_attachments_are_numbered() -> None:
    attached = mail(("pkix-crl", make_crl(3)), ("pdf", b"%PDF"), ("pkix-cert", CERTIFICATE))
    put(a_eml=bytes(attached), a_crl=make_crl(3))
    shown = run("show", "a.eml").stdout
    assert "a.eml: attachment 1 (pkix-crl)" in shown
    assert "a.eml: attachment 2 (pkix-cert)" in shown
    places = [(each["file"], each["value"], each["subtype"]) for each in run_json("show", "a.eml", "--json")]
    assert places == [("a.eml", 1, "pkix-crl"), ("a.eml", 2, "pkix-cert")]
    selected = run("extract", "a.eml", "--block", "1", "0", "--to", "hex").stdout
    assert selected == run("extract", "a.crl", "0", "--to", "hex").stdout
    assert "has 2 attachments; select one with --block N" in run("extract", "a.eml", "0", status=1).stderr
    missing = run("extract", "a.eml", "0", "--block", "3", status=1).stderr
    assert "attachment 3 does not exist; the file has 2 attachments" in missing


PEM = pem.encode(CERTIFICATE, "CERTIFICATE").encode()
FORMS = {
    "der": CERTIFICATE,
    "pem": PEM,
    "pem with text": b"subject=/CN=Test\r\n" + PEM.replace(b"\n", b"\r\n"),
    "pem in utf-16": PEM.decode().encode("utf-16"),
    "base64": base64.encodebytes(CERTIFICATE),
    "hexadecimal": CERTIFICATE.hex(":").encode(),
}


def add(made: EmailMessage, octets: bytes, media_type: str = "application/octet-stream", name: str = "") -> None:
    maintype, subtype = media_type.split("/")
    made.add_attachment(octets, maintype=maintype, subtype=subtype, filename=name or None)


@pytest.mark.parametrize("octets", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    ("media_type", "name"),
    [
        ("application/pkix-cert", ""),
        ("application/x-x509-ca-cert", "a"),
        ("application/x-pem-file", "a.txt"),
        ("application/octet-stream", "SMIME.P7M"),
        ("application/octet-stream", "web.cer"),
        ("application/octet-stream", "notes.txt"),
        ("application/octet-stream", ""),
        ("text/plain", "web.pem"),
    ],
)
def test_an_attachment_is_found_and_read_as_a_file(octets: bytes, media_type: str, name: str) -> None:
    made = mail()
    add(made, octets, media_type, name)
    put(a_eml=bytes(made))
    for command in ("cert", "show"):
        assert run(command, "a.eml").stdout == run(command, "-", stdin=CERTIFICATE).stdout
    assert derlib.identify(bytes(made)) is derlib.identify(CERTIFICATE)


#: Attachments without ASN.1.
ORDINARY = {
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "image/png", "a.png"),
    "a document": (b"%PDF-1.7\n%\xe2\xe3\n", "application/octet-stream", "a"),
    "a number": (b"3000\n", "text/plain", ""),
    "a phone number": (b"30 03 020105\n", "text/plain", ""),
    "words of base64": (b"Many thanks for the certificate which you sent to me\n", "text/plain", ""),
    "digits": (b"0123456789" * 9, "application/octet-stream", ""),
    "quoted pem": (b"> " + PEM.replace(b"\n", b"\n> "), "text/plain", ""),
    "openpgp": (b"Hello\n\n-----BEGIN PGP SIGNATURE-----\n\nhQ==\n-----END PGP SIGNATURE-----\n", "text/plain", ""),
    "a signature of openpgp": (b"-----BEGIN PGP SIGNATURE-----\n\nhQ==\n", "application/pgp-signature", "s.asc"),
    "html": (b"<pre>\n" + PEM.replace(b"\n", b"<br>\n") + b"</pre>", "text/html", ""),
    "nothing": (b"", "application/octet-stream", ""),
}  # fmt: skip


@pytest.mark.parametrize("ordinary", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_attachments_are_ignored(ordinary: tuple[bytes, str, str]) -> None:
    made = mail()
    add(made, *ordinary)
    put(a_eml=bytes(made))
    error = run("show", "a.eml", status=1).stderr
    assert error.startswith("derlib: a.eml: it is a mail that is neither signed nor encrypted")
    add(made, CERTIFICATE, "application/octet-stream", "web.cer")
    put(a_eml=bytes(made))
    result = run("cert", "a.eml")
    assert (result.stdout, result.stderr) == (run("cert", "-", stdin=CERTIFICATE).stdout, "")


@pytest.mark.parametrize(
    ("octets", "words"),
    [
        (b"", "the attachment is empty"),
        (b"%PDF-1.7\n", "it is a PDF file"),
        (b"Hello\n", "it is text, not ASN.1"),
        (CERTIFICATE[:-1], "at offset 0: Certificate ("),
        (PEM.replace(b"MII", b"M!I"), "line 2: "),
    ],
)
@pytest.mark.parametrize(("media_type", "name"), [("application/pkix-cert", ""), ("application/data", "A.CER")])
def test_an_attachment_that_cannot_be_read_is_an_error(octets: bytes, words: str, media_type: str, name: str) -> None:
    made = mail()
    add(made, octets, media_type, name)
    put(a_eml=bytes(made))
    assert words in run("cert", "a.eml", status=1).stderr
    add(made, CERTIFICATE)
    put(a_eml=bytes(made))
    for command in ("cert", "show"):
        result = run(command, "a.eml", status=1)
        assert result.stderr.startswith(f"derlib: a.eml: attachment 1 ({name or media_type.split('/')[1]})")
        assert result.stderr.count("\n") == 1
        assert "a.eml: attachment 2 (octet-stream):" in result.stdout.splitlines()
    assert words in run_json("cert", "a.eml", status=1)[0]["error"]["message"]


INCOMPLETE = "the mail is not complete: its last boundary is missing"


def test_a_mail_that_was_cut_off_is_an_error() -> None:
    whole = bytes(mail(("pkix-cert", CERTIFICATE), ("pkix-cert", CERTIFICATE)))
    first, second = (found.start() for found in re.finditer(rb"Content-Type: application", whole))
    boundary = whole.rindex(b"--=", 0, second)
    for end in (boundary, second, second + 5, whole.rindex(b"--=")):
        put(a_eml=whole[:end])
        for command in ("cert", "show", "lint"):
            result = run(command, "a.eml", status=1)
            assert result.stderr.startswith("derlib: a.eml: attachment ")
            assert result.stderr.endswith(f" (mixed): {INCOMPLETE}\n")
        assert "a.eml: attachment 1 (pkix-cert)" in run("show", "a.eml", status=1).stdout
        assert run_json("show", "a.eml", "--json", status=1)[-1]["error"]["message"] == INCOMPLETE
    without = "the mail is not complete, or damaged: its boundaries are missing"
    for end, words in ((whole.index(b"--="), without), (first, INCOMPLETE)):
        put(a_eml=whole[:end])
        assert run("show", "a.eml", status=1).stderr == f"derlib: a.eml: {words}\n"
        with pytest.raises(derlib.ASN1Error, match=words):
            derlib.identify(whole[:end])


DAMAGED_BOUNDARY = "the mail is damaged: a boundary between its parts is not complete"
DAMAGED_HEADER = "the mail is damaged: a header is not complete"


def test_a_byte_of_base64_that_is_not_ascii_is_called_so() -> None:
    whole = bytes(mail(("pkix-cert", CERTIFICATE)))
    place = whole.index(b"\n\nMII") + 30
    put(a_eml=whole[:place] + b"\xcd" + whole[place + 1 :])
    assert "the base64 of the attachment has characters that are not base64" in run("show", "a.eml", status=1).stderr


def test_a_damaged_attachment_that_only_its_contents_show_is_an_error() -> None:
    whole = bytes(mail(("octet-stream", CERTIFICATE), ("octet-stream", make_crl(3))))
    assert len(run_json("show", "-", stdin=whole)) == 2
    place = whole.index(b"\n\nMII") + 200
    for octets in (whole[:place] + whole[place + 4 :], whole[:place] + b"?" + whole[place + 1 :]):
        found = run_json("show", "-", stdin=octets, status=1)
        assert [each.get("object", {}).get("type") for each in found] == [None, "crl"]


def test_damage_between_the_parts_of_a_mail_is_an_error() -> None:
    made = mail()
    add(made, CERTIFICATE, "application/pkix-cert", "web.cer")
    add(made, make_crl(3), "application/pkix-crl", "x.crl")
    whole = bytes(made)
    boundary = made.get_boundary().encode()
    lines = [found.start() for found in re.finditer(rb"\n--" + boundary, whole)]
    size = len(boundary) + 3
    damaged = [whole[: at + where] + whole[at + where + 1 :] for at in lines[1:-1] for where in (1, 9, size - 1, size)]
    damaged += [whole[: at + where] + b"\xff" + whole[at + where + 1 :] for at in lines[:-1] for where in (1, 9, size)]
    for octets in damaged:
        put(a_eml=octets)
        assert DAMAGED_BOUNDARY in run("show", "a.eml", status=1).stderr
    names = [found.start() for found in re.finditer(rb"(?<=\n)(?:Content-[TD]|boundary)", whole)]
    for at in names:
        put(a_eml=whole[:at] + b"\xff" + whole[at + 1 :])
        assert run("show", "a.eml", status=1).stderr
    # The header of the certificate ends after its first line, or before it.
    field = whole.index(b"Content-Type: application/pkix-cert")
    for at in (field, whole.index(b"\n", field) + 1):
        put(a_eml=whole[:at] + b"\n" + whole[at:])
        assert DAMAGED_HEADER in run("show", "a.eml", status=1).stderr
    put(a_eml=whole.replace(b"boundary=", b"bandbary="))
    assert run("show", "a.eml", status=1).stderr == f"derlib: a.eml: {DAMAGED_HEADER}\n"


def test_the_parts_of_other_programs_are_not_damaged() -> None:
    inner = mail(("pkix-cert", CERTIFICATE), body="--\nAnn\n-- \n----\n")
    text = bytes(inner).replace(inner.get_boundary().encode(), b"=_Part_of_1")
    # OpenSSL writes a part without a header and without the empty line before its body.
    head, _, body = text.partition(b'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: 7bit\n\n')
    # The boundary of a mail around another begins as that of the other does.
    line = b"--=_Part_of_10"
    outer = b'Content-Type: multipart/mixed; boundary="=_Part_of_10"\n\n' + line + b"\n" + text + b"\n" + line + b"--\n"
    for octets in (text, head + body, outer):
        put(a_eml=octets)
        assert run("show", "a.eml").stderr == ""


def test_an_mbox_with_several_mails_is_an_error() -> None:
    line = b"From ann@example.org Fri Nov 27 12:00:00 2026\n"
    signed = line + bytes(mail(("pkix-cert", CERTIFICATE))) + b"\n"
    plain = line + b"From: ann@example.org\n\nHello\n\n"
    text = line + bytes(mail()) + b"\n"
    for box in (signed * 2, plain + signed, text + signed, (signed * 2).replace(b"\n", b"\r\n")):
        put(box=box)
        assert run("show", "box", status=1).stderr == "derlib: box: the mbox has several mails; split it first\n"
        with pytest.raises(derlib.ASN1Error, match="the mbox has several mails; split it first"):
            derlib.identify(box)
    # A quoted line does not begin a mail, and neither does one in the text.
    made = mail(("pkix-cert", CERTIFICATE), body=">From ann\nTo: x\nFrom here on\nit is text\n")
    put(box=line + bytes(made))
    assert run("cert", "box").stdout == run("cert", "-", stdin=CERTIFICATE).stdout


BASE64 = base64.encodebytes(CERTIFICATE)
STRAY = "the base64 of the attachment has characters that are not base64"
LENGTH = "the base64 of the attachment is damaged: its number of characters is not a multiple of 4"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (BASE64[:200] + b"!" + BASE64[201:], STRAY),
        (BASE64[:200] + b"\xe9" + BASE64[201:], STRAY),
        (base64.encodebytes(CERTIFICATE + CERTIFICATE)[:400] + b"\n____\nThe list\n", STRAY),
        (BASE64[:200] + BASE64[201:], LENGTH),
        (BASE64.rstrip(b"=\n")[:201], LENGTH),
    ],
)
def test_damaged_base64_is_an_error(text: bytes, error: str) -> None:
    head = b"MIME-Version: 1.0\nContent-Type: application/pkix-cert\nContent-Transfer-Encoding: base64\n\n"
    put(a_eml=head + text)
    for command in ("cert", "show", "dump"):
        assert run(command, "a.eml", status=1).stderr == f"derlib: a.eml: {error}\n"
    with pytest.raises(derlib.ASN1Error, match=error):
        derlib.identify(head + text)


@pytest.mark.parametrize(
    "text",
    [
        BASE64.replace(b"\n", b" \t\n"),
        BASE64[:200] + b"!" + BASE64[200:],
        base64.encodebytes(PEM).replace(b"\n", b" \n"),
        base64.encodebytes(PEM + b"\n" * (-len(PEM) % 3 + 1)).rstrip(b"=\n"),
    ],
    ids=["white space", "one character too many", "PEM with white space", "PEM without padding"],
)
def test_base64_that_can_be_read_is_read(text: bytes) -> None:
    put(a_eml=b"Content-Type: application/pkix-cert\nContent-Transfer-Encoding: base64\n\n" + text)
    assert run("cert", "a.eml").stdout == run("cert", "-", stdin=CERTIFICATE).stdout


def test_base64_is_read_without_its_padding_and_with_a_footer_after_it() -> None:
    octets = next(one for name in ("A", "AB", "ABC") if len(one := make_certificate(name, "example.com")) % 3)
    padded = base64.encodebytes(octets)
    for text in (padded.rstrip(b"=\n"), padded + b"____\nThe list: list@example.org\n"):
        put(a_eml=b"Content-Type: application/pkix-cert\nContent-Transfer-Encoding: base64\n\n" + text)
        assert run("cert", "a.eml").stdout == run("cert", "-", stdin=octets).stdout


def test_objects_in_several_forms_are_read_in_the_order_of_the_mail() -> None:
    made = mail()
    add(made, CERTIFICATE, "application/octet-stream", "web.cer")
    add(made, CERTIFICATE.replace(b"\1\1\xff", b"\1\1\1"), "application/octet-stream", "bad.cer")
    add(made, make_crl(3), "application/pkix-crl", "x.crl")
    add(made, PEM, "text/plain", "web.pem")
    put(a_eml=bytes(made))
    result = run("show", "a.eml", status=1)
    assert [line for line in result.stdout.splitlines() if line.startswith("a.eml")] == [
        "a.eml: attachment 1 (web.cer):",
        "a.eml: attachment 3 (x.crl):",
        "a.eml: attachment 4 (web.pem), block 1 (CERTIFICATE, line 1):",
    ]
    assert result.stderr.startswith("derlib: a.eml: attachment 2 (bad.cer): tbs_certificate.extensions[0]")
    assert result.stderr.count("\n") == 1


def test_several_objects_of_an_attachment_are_numbered() -> None:
    other, crl = make_certificate("Other", "example.com"), make_crl(3)
    made = mail(("x-pem-file", PEM + pem.encode(crl, "X509 CRL").encode()), ("pkix-cert", CERTIFICATE + other))
    put(a_eml=bytes(made))
    shown = run("show", "a.eml").stdout
    titles = [
        "attachment 1 (pem-file), block 1 (CERTIFICATE, line 1)",
        f"attachment 2 (pem-file), block 2 (X509 CRL, line {PEM.count(10) + 1})",
        "attachment 3 (pkix-cert)",
        f"attachment 4 (pkix-cert), offset {len(CERTIFICATE)}",
    ]
    assert [line for line in shown.splitlines() if line.startswith("a.eml")] == [f"a.eml: {one}:" for one in titles]
    found = run_json("show", "a.eml", "--json")
    assert [{name: one[name] for name in one if name not in ("file", "object")} for one in found] == [
        {"block": 1, "label": "CERTIFICATE", "line": 1, "value": 1, "subtype": "pem-file"},
        {"block": 2, "label": "X509 CRL", "line": PEM.count(10) + 1, "value": 2, "subtype": "pem-file"},
        {"value": 3, "subtype": "pkix-cert"},
        {"value": 4, "subtype": "pkix-cert", "offset": len(CERTIFICATE)},
    ]
    for number, octets in enumerate((CERTIFICATE, crl, CERTIFICATE, other), 1):
        result = run("convert", "a.eml", "--block", str(number), "--to", "pem")
        assert pem.decode(result.stdout) == [octets]
    # The numbers are the same with an offset, which counts from the start of the attachment.
    result = run("extract", "a.eml", str(len(CERTIFICATE)), "--block", "4", "--to", "hex")
    assert result.stdout == f"{other.hex()}\n"
    # Blocks of another type are left out, as in a PEM file.
    assert len(run_json("cert", "a.eml")) == 3
    put(b_eml=bytes(mail(("x-pem-file", pem.encode(crl, "X509 CRL").encode()))))
    assert 'no PEM block labelled CERTIFICATE; there is "X509 CRL"' in run("cert", "b.eml", status=1).stderr


def test_the_text_of_a_mail_can_have_pem() -> None:
    made = mail(("pkix-crl", make_crl(3)), body="Our certificate:\n" + PEM.decode())
    put(a_eml=bytes(made), b_eml=bytes(mail(body=PEM.decode())))
    shown = run("show", "a.eml").stdout
    assert "a.eml: attachment 1 (plain), block 1 (CERTIFICATE, line 2):" in shown.splitlines()
    assert run("cert", "b.eml").stdout == run("cert", "-", stdin=CERTIFICATE).stdout


def test_a_pem_file_with_the_fields_of_a_mail_before_it_is_pem() -> None:
    put(a_pem=b"Content-Type: text/plain\n" + PEM + b"\n" + PEM)
    assert len(run_json("cert", "a.pem")) == 2


def test_an_attachment_of_an_attached_mail_is_found() -> None:
    outer = mail()
    outer.add_attachment(mail(("pkix-cert", CERTIFICATE)))
    put(a_eml=bytes(outer))
    assert run("cert", "a.eml").stdout == run("cert", "-", stdin=CERTIFICATE).stdout


def test_a_mail_without_an_object_is_an_error() -> None:
    put(a_eml=bytes(mail()), nested_eml=nested(3000))
    error = run("show", "a.eml", status=1).stderr
    assert "a mail that is neither signed nor encrypted" in error
    # Both have one message.
    with pytest.raises(derlib.ASN1Error) as caught:
        derlib.identify(bytes(mail()))
    assert str(caught.value).replace("the input is", "derlib: a.eml: it is") + "\n" == error
    assert "the parts of the mail are nested too deeply" in run("show", "nested.eml", status=1).stderr


def nested(depth: int) -> bytes:
    """Return a mail whose parts are nested."""
    head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
    return head + b"Content-Type: text/plain\n\nend\n"


def test_der_that_begins_like_a_mail_is_der() -> None:
    # [APPLICATION 1] with as many contents octets as the character code of a colon.
    text = b" b\nContent-Type: text/plain\n\n".ljust(ord(":"))
    put(a_der=b"A:" + text)
    assert "[APPLICATION 1]" in run("dump", "a.der").stdout


@pytest.mark.parametrize(
    ("octets", "title"),
    [
        (b"\xfe\xed\xfe\xed\0\0\0\2\0\0\0\1" + bytes(100), "a key store of Java"),
        (b"\xce\xce\xce\xce\0\0\0\2\0\0\0\1" + bytes(100), "a key store of Java"),
        (b"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB user@example.org\n", "a public key of OpenSSH"),
        (b"ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAA user\n", "a public key of OpenSSH"),
    ],
)
def test_files_of_other_programs_are_named(octets: bytes, title: str) -> None:
    put(a_key=octets)
    error = run("show", "a.key", status=1).stderr
    assert f"a.key: it is {title}, which is not ASN.1; " in error


@pytest.mark.parametrize(
    ("octets", "title"),
    [
        (gzip.compress(CERTIFICATE), "a file compressed by gzip; gunzip it first"),
        (b"PK\3\4" + bytes(100), "a ZIP file"),
        (b"%PDF-1.7\n" + bytes(100), "a PDF file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "an image (PNG)"),
        (b"\x7fELF" + bytes(100), "a program or library (ELF)"),
        ("\ufeffHello".encode("utf-16-le"), "text in UTF-16, not ASN.1"),
        (b"\r\n<!DOCTYPE HTML>\n<html><body>404 Not Found</body></html>\n", "an HTML page"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<a/>\n', "an XML file"),
        (b'{\n  "serial_number": 5\n}\n', "JSON; derlib convert"),
        (b"-- A comment\nShop\nDEFINITIONS AUTOMATIC TAGS ::=\nBEGIN\nEND\n", "an ASN.1 module; derlib compile"),
        (b"-----BEGIN PGP MESSAGE-----\n\nhQ==\n=aB3d\n-----END PGP MESSAGE-----\n", "a file of OpenPGP"),
        (b"\n  -----BEGIN PGP MESSAGE-----\n\n  hQ==\n  =aB3d\n  -----END PGP MESSAGE-----\n", "a file of OpenPGP"),
    ],
)
@pytest.mark.parametrize("command", ["show", "cert", "dump", "lint"])
def test_other_formats_are_named(octets: bytes, title: str, command: str) -> None:
    put(a_key=octets)
    error = run(command, "a.key", status=1).stderr
    assert error.startswith(f"derlib: a.key: it is {title}")
    assert error.count("\n") == 1


def test_der_that_begins_like_another_format_is_der() -> None:
    # [APPLICATION 27] with an OBJECT IDENTIFIER and an OCTET STRING; it begins and ends like JSON.
    put(a_der=b"{\x07" + b"\x06\x02\x2a\x7d\x04\x01}")
    assert "[APPLICATION 27]" in run("dump", "a.der").stdout
    assert derlib.identify(Path("a.der").read_bytes()) is None

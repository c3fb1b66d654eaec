"""Mails with attached objects, and files of other programs that are not ASN.1."""

import gzip
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.commands import CERTIFICATE, make_crl, put, run, run_json

import derlib

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


def test_an_attachment_without_a_type_is_found_by_its_name() -> None:
    made = mail()
    made.add_attachment(CERTIFICATE, maintype="application", subtype="octet-stream", filename="SMIME.P7M")
    made.add_attachment(b"text", maintype="application", subtype="octet-stream", filename="notes.txt")
    put(a_eml=bytes(made))
    assert run("cert", "a.eml").stdout == run("cert", "-", stdin=CERTIFICATE).stdout


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
        (b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ user@example.org\n", "a public key of OpenSSH"),
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

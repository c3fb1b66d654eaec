"""cert, crl and table read the certificates and CRLs in the bags of a PKCS #12 file."""

from __future__ import annotations

import csv
import os
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.commands import CERTIFICATE, CRL, make_certificate, put, run, run_json
from support.openssl import OpenSSL

import derlib
from derlib.schemas import cms, pkcs12
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")

OTHER = make_certificate("Other")


def bag(der: bytes) -> pkcs12.SafeBag:
    """Return a bag with a certificate or a CRL."""
    if der == CRL:
        value = pkcs12.CRLBag(crl_id=pkcs12.id_x509_crl, crlt_value=CertificateList.decode(der))
        return pkcs12.SafeBag(bag_id=pkcs12.id_crl_bag, bag_value=value)
    found = pkcs12.CertBag(cert_id=pkcs12.id_x509_certificate, cert_value=Certificate.decode(der))
    return pkcs12.SafeBag(bag_id=pkcs12.id_cert_bag, bag_value=found)


def pfx_of(*parts: tuple[pkcs12.SafeBag, ...]) -> bytes:
    """Return a PKCS #12 file with these parts, each with its bags."""
    infos = [cms.ContentInfo(content_type=cms.id_data, content=pkcs12.SafeContents(bags).encode()) for bags in parts]
    safe = pkcs12.AuthenticatedSafe(infos).encode()
    return pkcs12.PFX(version=3, auth_safe=cms.ContentInfo(content_type=cms.id_data, content=safe)).encode()


FILE = pfx_of((bag(CERTIFICATE), bag(CRL)), (bag(OTHER),))


def subjects(result: str) -> list[str]:
    return [line.split("CN=")[1] for line in result.splitlines() if line.startswith("  subject:")]


def test_the_certificates_in_a_pkcs_12_are_shown_as_those_of_a_bundle() -> None:
    mail = EmailMessage()
    mail.set_content("Hello\n")
    mail.add_attachment(FILE, maintype="application", subtype="x-pkcs12", filename="a.pfx")
    nested = pkcs12.SafeBag(bag_id=pkcs12.id_safe_contents_bag, bag_value=pkcs12.SafeContents([bag(CERTIFICATE)]))
    put(a_pfx=FILE, b_pfx=pfx_of((nested, bag(OTHER))), c_eml=bytes(mail))
    for file in ("a.pfx", "b.pfx", "c.eml"):
        result = run("cert", file)
        assert (subjects(result.stdout), result.stderr) == (["Test", "Other"], "")
    places = [(each["value"], each["offset"]) for each in run_json("cert", "a.pfx")]
    assert places == [(1, FILE.index(CERTIFICATE)), (2, FILE.index(OTHER))]
    assert f"a.pfx: value 2 (offset {FILE.index(OTHER)}):" in run("cert", "a.pfx").stdout
    put(one_pfx=pfx_of((bag(CERTIFICATE),)), one_der=CERTIFICATE)
    assert run("cert", "one.pfx").stdout == run("cert", "one.der").stdout
    assert run("crl", "a.pfx", "--json").stdout.count('"crl":') == 1


def test_a_pkcs_12_in_ber_is_read_with_the_option() -> None:
    whole = b"\x30\x80" + bytes(derlib.parse(FILE).content) + b"\0\0"
    put(a_pfx=whole)
    assert "--ber reads BER" in run("cert", "a.pfx", status=1).stderr
    assert [each["offset"] for each in run_json("cert", "a.pfx", "--ber")] == [
        whole.index(CERTIFICATE),
        whole.index(OTHER),
    ]


def test_encrypted_and_unknown_parts_are_errors(openssl: OpenSSL) -> None:
    Path("a.pfx").write_bytes(openssl.pkcs12())
    encrypted = "the part is encrypted; openssl pkcs12 -nokeys -in FILE decrypts its certificates; for RC2, OpenSSL 3 "
    result = run("cert", "a.pfx", status=1)
    assert (result.stdout, result.stderr.count("\n")) == ("", 1)
    assert "auth_safe.content[0] at offset " in result.stderr
    assert encrypted in result.stderr
    # The key is in a bag of its own, and stays unread.
    Path("b.pfx").write_bytes(openssl.pkcs12("-certpbe", "NONE"))
    assert subjects(run("cert", "b.pfx").stdout) == ["ec, O=Example", "rsa, O=Example"]
    unknown = "the type is unknown, so the contents were not read"
    # The types of the second part, of its bag, and of the certificate in it: id-data, certBag and x509Certificate.
    for oid in ("2a864886f70d010701", "2a864886f70d010c0a0103", "2a864886f70d01091601"):
        place = FILE.rindex(bytes.fromhex(oid)) + len(oid) // 2 - 1
        put(c_pfx=FILE[:place] + b"\x63" + FILE[place + 1 :])
        result = run("cert", "c.pfx", status=1)
        assert unknown in result.stderr
        assert subjects(result.stdout) == ["Test"]


def test_damage_in_a_pkcs_12_is_reported_once_and_hides_only_what_cannot_be_distinguished() -> None:
    def damaged(place: int) -> tuple[list[str], str]:
        """Return the subjects that are shown, and the error, if the byte at a place has another value."""
        put(a_pfx=FILE[:place] + bytes([FILE[place] ^ 1]) + FILE[place + 1 :])
        result = run("cert", "a.pfx", status=1)
        assert result.stderr.count("\n") == 1
        return subjects(result.stdout), result.stderr

    boolean = CERTIFICATE.index(b"\x01\x01\xff") + 2
    path = "tbs_certificate.extensions[0].critical at offset"
    shown, error = damaged(FILE.index(OTHER) + boolean)
    assert shown == ["Test"]
    assert path in error
    # The length of the bag is a byte too large, so its SafeContents cannot be read.
    length = FILE.index(bag(OTHER).encode()) + 2
    assert damaged(length)[0] == ["Test"]
    assert "auth_safe.content[1].content[0]" in damaged(length)[1]
    put(a_pfx=FILE[:-1])
    assert "PFX (30 82 " in run("cert", "a.pfx", status=1).stderr


def test_a_table_has_the_certificates_of_mails_and_of_pkcs_12_files_in_a_folder(openssl: OpenSSL) -> None:
    os.mkdir("in")
    mail = EmailMessage()
    mail.set_content("Hello\n")
    Path("in/a.eml").write_bytes(bytes(mail))
    mail.add_attachment(OTHER, maintype="application", subtype="pkix-cert")
    Path("in/b.eml").write_bytes(bytes(mail))
    Path("in/c.eml").write_bytes(bytes(mail)[:-10])
    Path("in/d.pfx").write_bytes(FILE)
    Path("in/e.pfx").write_bytes(openssl.pkcs12())
    Path("in/f.p12").write_bytes(b"")
    result = run("table", "in", "--columns", "subject", status=1)
    rows = [(row["file"][3:], row["subject"], row["error"]) for row in csv.DictReader(result.stdout.splitlines())]
    assert rows == [
        ("b.eml", "CN=Other", ""),
        ("c.eml", "CN=Other", ""),
        ("c.eml", "", "not-asn1"),
        ("d.pfx", "CN=Test", ""),
        ("d.pfx", "CN=Other", ""),
        ("e.pfx", "", "contents-encrypted"),
        ("f.p12", "", "not-asn1"),
    ]
    assert "skipped: 1 file in folders that can be neither DER nor PEM" in result.stderr

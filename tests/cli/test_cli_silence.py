"""Damaged files: no command is silent about a part that is missing, or about a file that is not valid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from support.commands import CERTIFICATE, CRL, make_certificate, run
from support.pages import example

import derlib
from derlib import ASN1Error, pem
from derlib._outlines import looks_like
from derlib.schemas import cms, pkcs12
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")


def damaged(data: bytes, step: int) -> Iterator[bytes]:
    """Yield the data with one byte changed, left out or repeated, and cut off; at each place that `step` reaches."""
    for at in range(0, len(data), step):
        for change in (0x01, 0x80, 0xFF ^ data[at]):
            yield data[:at] + bytes([data[at] ^ change]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
        yield data[:at] + data[at : at + 1] + data[at:]
        yield data[:at]


def quiet(*arguments: str) -> Any:
    """Return the JSON of a command that reports nothing; None if it reports something, with the status 1."""
    result = run(*arguments, "--json", status=None)
    found = json.loads(result.stdout)
    is_error = bool(result.stderr) or any("error" in each or "errors" in each for each in found)
    is_fault = any(not each.get("lint", {"valid": True})["valid"] for each in found)
    assert result.exit_code == (is_error or is_fault)
    return None if result.exit_code else found


def is_valid(schema: Any, octets: bytes) -> bool:
    try:
        schema.decode(octets)
    except ASN1Error:
        return False
    return True


@pytest.mark.parametrize("name", ["server.pem", "revoke.pem", "request.pem", "report.p7m"])
def test_lint_lists_a_fault_of_each_file_that_is_not_valid(name: str) -> None:
    data = pem.one(example(name))
    schema = derlib.identify(data)
    path = Path("a.der")
    for octets in damaged(data, 11):
        path.write_bytes(octets)
        if quiet("lint", "a.der") is not None and not is_valid(schema, octets):
            # What does not even begin as an object of the type can be any DER.
            assert looks_like(octets) == ""


def pfx() -> bytes:
    """Return a PKCS #12 file with two certificates, each in a part of its own."""
    infos = []
    for der in (CERTIFICATE, make_certificate("Other")):
        bag = pkcs12.CertBag(cert_id=pkcs12.id_x509_certificate, cert_value=Certificate.decode(der))
        contents = pkcs12.SafeContents([pkcs12.SafeBag(bag_id=pkcs12.id_cert_bag, bag_value=bag)]).encode()
        infos.append(cms.ContentInfo(content_type=cms.id_data, content=contents))
    safe = pkcs12.AuthenticatedSafe(infos).encode()
    return pkcs12.PFX(version=3, auth_safe=cms.ContentInfo(content_type=cms.id_data, content=safe)).encode()


def test_cert_reports_each_certificate_that_it_does_not_show() -> None:
    path = Path("a.der")
    for octets in damaged(pfx(), 19):
        path.write_bytes(octets)
        found = quiet("cert", "a.der")
        assert found is None or len(found) == 2


def test_show_reports_each_attachment_that_it_does_not_show() -> None:
    made = EmailMessage()
    made["From"] = "ann@example.org"
    made.set_content("Hello\n")
    made.add_attachment(CERTIFICATE, maintype="application", subtype="pkix-cert", filename="web.cer")
    made.add_attachment(CRL, maintype="application", subtype="octet-stream", filename="a.crl")
    made.set_boundary("===============1234567890==")
    path = Path("a.eml")
    for octets in damaged(bytes(made), 17):
        path.write_bytes(octets)
        found = quiet("show", "a.eml")
        assert found is None or len(found) == 2

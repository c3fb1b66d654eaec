"""Files that are not DER, PEM or text of DER: what they are, and what converts them, for the error message."""

from __future__ import annotations

import re

__all__ = ["OPENPGP", "other_format"]

#: The beginning of keys and messages of OpenPGP, which looks like PEM.
OPENPGP = b"-----BEGIN PGP "

_KEY_STORE = "a key store of Java, which is not ASN.1; keytool -importkeystore -deststoretype PKCS12 converts it"
_SSH_KEY = "a public key of OpenSSH, which is not ASN.1; ssh-keygen -e -m PKCS8 -f FILE converts it"
_SSH_PRIVATE_KEY = "a private key of OpenSSH, which is not ASN.1; ssh-keygen -p -m PKCS8 -f FILE converts it in place"

#: The first bytes, and what the file is.
_BEGINNINGS = {
    b"\xfe\xed\xfe\xed\0\0\0": _KEY_STORE,  # JKS
    b"\xce\xce\xce\xce\0\0\0": _KEY_STORE,  # JCEKS
    b"ssh-": _SSH_KEY,
    b"ecdsa-sha2-": _SSH_KEY,
    b"openssh-key-v1\0": _SSH_PRIVATE_KEY,
    OPENPGP: "a file of OpenPGP, which is not ASN.1",
    b"\x1f\x8b\x08": "a file compressed by gzip; gunzip it first",
    b"PK\x03\x04": "a ZIP file; unzip it first",
    b"%PDF-": "a PDF file, which is not ASN.1",
}
#: The first characters of a text after white space, in lower case, and what the file is.
_FIRST_CHARACTERS = {
    b"<!doctype html": "an HTML page, not the file that was perhaps expected",
    b"<html": "an HTML page, not the file that was perhaps expected",
    b"<?xml": "an XML file, which is not ASN.1",
}
_MODULE = re.compile(rb"\bDEFINITIONS\b[A-Z \t\r\n]{0,80}::=\s{0,80}BEGIN\b")

#: The bytes that are searched for the header of an ASN.1 module: comments come before it.
_SEARCHED = 1 << 16


def other_format(data: bytes) -> str | None:
    """Return what a file is that is neither DER nor PEM; None if this is unknown."""
    for beginning, title in _BEGINNINGS.items():
        if data.startswith(beginning):
            return title
    first = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for beginning, title in _FIRST_CHARACTERS.items():
        if first.startswith(beginning):
            return title
    if first.startswith(b"{") and data.rstrip().endswith(b"}"):
        return "JSON; derlib convert converts JSON of derlib to DER"
    if _MODULE.search(data, 0, _SEARCHED):
        return "an ASN.1 module; derlib compile writes its Python, and derlib dump --schema decodes a file with it"
    return None

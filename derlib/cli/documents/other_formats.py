"""Files that are not DER, PEM or text of DER: what they are, and what converts them, for the error message."""

from __future__ import annotations

import binascii
import re
from codecs import getincrementaldecoder
from itertools import islice

from derlib._core import announced_size
from derlib._value_ranges import lacks_tag
from derlib.cli.documents.text_forms import decoded_text, utf16_of

__all__ = ["HEXADECIMAL_IN_PEM", "is_hexadecimal_of_der", "is_json", "is_openpgp", "not_asn1", "other_format"]

#: The beginning of keys and messages of OpenPGP, which looks like PEM, in lower case.
_OPENPGP = b"-----begin pgp "

_KEY_STORE = (
    "a key store of Java, which is not ASN.1; keytool -importkeystore -srckeystore FILE -destkeystore NEW "
    "-deststoretype PKCS12 converts it"
)
_SSH_KEY = "a public key of OpenSSH, which is not ASN.1"

#: The first bytes, and what the file is.
_BEGINNINGS = {
    b"\xfe\xed\xfe\xed\0\0\0": _KEY_STORE,  # JKS
    b"\xce\xce\xce\xce\0\0\0": _KEY_STORE,  # JCEKS
    b"ssh-rsa ": f"{_SSH_KEY}; ssh-keygen -e -m PKCS8 -f FILE converts it",
    # ssh-keygen does not convert all others. It converts private keys in place only, and not all of them.
    b"ssh-": _SSH_KEY,
    b"ecdsa-sha2-": f"{_SSH_KEY}; ssh-keygen -e -m PKCS8 -f FILE converts it",
    b"openssh-key-v1\0": "a private key of OpenSSH, which is not ASN.1",
    b"\x1f\x8b\x08": "a file compressed by gzip; gunzip it first",
    b"PK\x03\x04": "a ZIP file; unzip it first",
    b"%PDF-": "a PDF file, which is not ASN.1",
    b"\x89PNG\r\n": "an image (PNG), which is not ASN.1",
    b"\xff\xd8\xff": "an image (JPEG), which is not ASN.1",
    b"GIF8": "an image (GIF), which is not ASN.1",
    b"\x7fELF": "a program or library (ELF), which is not ASN.1",
    b"MZ": "a program or library of Windows, which is not ASN.1; its signature is inside",
}
#: The first characters of a text after white space, in lower case, and what the file is.
_FIRST_CHARACTERS = {
    _OPENPGP: "a file of OpenPGP, which is not ASN.1",
    b"<!doctype html": "an HTML page, not the file that was perhaps expected",
    b"<html": "an HTML page, not the file that was perhaps expected",
    b"<?xml": "an XML file, which is not ASN.1",
}
#: The first characters of JSON. An array of bytes in code begins with a brace, too, and `[name]` other files.
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{(?!\s*[0-9])|\[\s*[\[{\"\]0-9-])")
_MODULE = re.compile(rb"\bDEFINITIONS\b[A-Z \t\r\n]{0,80}::=\s{0,80}BEGIN\b")

#: The bytes that are searched for the header of an ASN.1 module, which comes after comments, and for characters that
#: no text has.
_SEARCHED = 1 << 16

#: What no text has: control characters other than white space and escape.
_CONTROLS = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_HEXADECIMAL = re.compile(rb"[0-9A-Fa-f:\s]{2,}")
_DIGITS_OF_DER = re.compile(rb"\s*(?:0[xX])?3[01][0-9A-Fa-f:\s]{8,}")
#: What a PEM block is that `is_hexadecimal_of_der`, and the remedy.
HEXADECIMAL_IN_PEM = "hexadecimal, but PEM has base64; derlib reads it without the BEGIN and END lines"

#: A byte that neither hexadecimal nor base64 has, and the end of a word, which is not hexadecimal.
_NO_DIGIT = re.compile(rb"[^0-9A-Za-z+/=:\s]")
_WORD = re.compile(rb"[G-Zg-z][ \t]+[0-9A-Za-z]")

_PEM = re.compile(rb"-----BEGIN [^\r\n]{1,64}-----")

#: The identifier octets of a constructed element with an application or context tag (X.690 8.1.2.2, 8.1.2.4), before a
#: length. The length of a damaged file is rarely a number of more than eight bytes.
_STRUCTURE = re.compile(
    rb"(?:[\x60-\x7e\xa0-\xbe]|[\x7f\xbf](?:[\x1f-\x7f]|[\x81-\xff][\x80-\xff]?[\0-\x7f]))(?![\x89-\xff])"
)

#: The longest data that can be one damaged primitive element, which is usually a part of an example.
_MAX_PRIMITIVE = 64


def other_format(data: bytes) -> str | None:
    """Return what data are that are neither DER nor PEM, such as "an HTML page"; None if this is unknown."""
    for beginning, title in _BEGINNINGS.items():
        if data.startswith(beginning):
            return title
    first = _first_characters(data)
    for beginning, title in _FIRST_CHARACTERS.items():
        if first.startswith(beginning):
            return title
    if is_json(data):
        return "JSON; derlib convert --to der reads the JSON that derlib convert --to json writes"
    if _MODULE.search(data, 0, _SEARCHED):
        return "an ASN.1 module; derlib compile writes its Python, and derlib dump --schema decodes a file with it"
    encoding = utf16_of(data)
    return "text in UTF-16, not ASN.1" if encoding and _is_text(data, encoding) else None


def is_openpgp(data: bytes) -> bool:
    """Return whether data begin as a file of OpenPGP does."""
    return _first_characters(data).startswith(_OPENPGP)


def _first_characters(data: bytes) -> bytes:
    """Return the first characters of data after white space, in lower case."""
    return data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()


def is_json(data: bytes) -> bool:
    """Return whether data are JSON, or damaged JSON: they begin like it, and are text or end like it.

    DER can begin and end like it, too, but is not text.
    """
    if not _JSON.match(data):
        return False
    return _is_text(data, "utf-8") or (
        announced_size(data) != len(data) and data[-200:].rstrip().endswith((b"}", b"]"))
    )


def not_asn1(data: bytes) -> str:
    """Return that data, which cannot be decoded, are not ASN.1; empty if they can be DER or BER with a fault."""
    if not data or announced_size(data) == len(data):
        return ""
    title = other_format(data)
    if title is not None:
        # Of the contents of a PEM block; `documents` checks files.
        return f"it is {title}"
    if damaged := _damaged_text(data):
        return damaged
    if _is_text(data, "utf-8"):
        if len(data) <= _SEARCHED and _HEXADECIMAL.fullmatch(data):
            # The commands decode hexadecimal digits in a file, but not those in PEM blocks.
            is_odd = len(data.translate(None, b": \t\r\n\v\f")) % 2
            return f"it is hexadecimal {'with an odd number of digits' if is_odd else 'in base64'}"
        has_block = _PEM.search(data, 0, _SEARCHED)
        return "it is text with a PEM block that begins inside a line" if has_block else "it is text, not ASN.1"
    if data[0] == 0xDF and is_hexadecimal_of_der(binascii.b2a_base64(data, newline=False)):
        # Hexadecimal digits are base64, too.
        return f"it is {HEXADECIMAL_IN_PEM}"
    return "" if _begins_like_an_element(data) or lacks_tag(data) else "it is probably not ASN.1"


def _damaged_text(data: bytes) -> str:
    """Return that data are hexadecimal or base64 of a structure, except for one byte; otherwise empty."""
    others = list(islice(_NO_DIGIT.finditer(data), 2))
    if len(others) != 1 or _WORD.search(data):
        return ""
    at = others[0].start()
    # The letter is a digit of both.
    octets = decoded_text(data[:at] + b"A" + data[at + 1 :])
    is_structure = octets is not None and octets[:1] in (b"\x30", b"\x31")
    return f"it is hexadecimal or base64, except for byte {data[at]:02x} at offset {at}" if is_structure else ""


def is_hexadecimal_of_der(text: bytes) -> bool:
    """Return whether text that should be base64 is hexadecimal digits of a structure, perhaps without the last one."""
    return bool(_DIGITS_OF_DER.fullmatch(text))


def _is_text(data: bytes, encoding: str) -> bool:
    """Return whether data begin as a text in this encoding does."""
    try:
        # The end of the searched part can divide a character.
        text = getincrementaldecoder(encoding)().decode(data[:_SEARCHED], len(data) <= _SEARCHED)
    except UnicodeDecodeError:
        return False
    return not _CONTROLS.search(text)


def _begins_like_an_element(data: bytes) -> bool:
    """Return whether the first octets are those of a usual outermost element: a structure, or a short primitive."""
    if data[0] in b"\x30\x31" or _STRUCTURE.match(data):
        return True
    if data[0] & 0x1F == 0x1F or data[0] >= 0xC0 or not data[0]:
        return False
    if data[0] & 0x20:
        # Constructed strings are BER.
        return data[0] < 0x40 and data[1:2] == b"\x80"
    return len(data) <= _MAX_PRIMITIVE

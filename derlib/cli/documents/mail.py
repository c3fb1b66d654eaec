"""Objects that are attached to a mail: signatures, encrypted contents, certificates (RFC 8551 section 3.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from derlib import pem
from derlib._core import announced_size
from derlib._outlines import looks_like
from derlib.cli.documents.text_forms import as_utf8, decoded_text, has_values
from derlib.cli.output.escapes import clip

if TYPE_CHECKING:
    from email.message import Message

__all__ = ["WITHOUT_OBJECT", "Attachment", "attachments"]

#: What a mail is for which `attachments` returns an empty list.
WITHOUT_OBJECT = "a mail that is neither signed nor encrypted (S/MIME), and has no certificates attached"

#: The subtypes of attachments with an ASN.1 object, such as "x-pkcs7-signature", "pkix-crl" or "x-x509-ca-cert".
_SUBTYPE = re.compile(r"(?:x-)?(?:cms$|ocsp-|pem-|pkcs|pkix|timestamp|x509-)")
#: The ends of file names of such attachments.
_SUFFIXES = (
    ".cer", ".crl", ".crt", ".csr", ".der", ".p10", ".p12", ".p7b", ".p7c", ".p7m", ".p7s", ".p7z", ".p8", ".pem",
    ".pfx", ".tsq", ".tsr",
)  # fmt: skip

#: A block of PEM, but not one of OpenPGP.
_BLOCK = re.compile(rb"-----BEGIN (?!PGP )")
#: The beginning of a SEQUENCE, and the same with the indefinite length of BER.
_SEQUENCE = b"\x30"
_INDEFINITE = b"\x30\x80"
#: The least size of a structure that only its contents show. Numbers and words are shorter.
_LEAST_SIZE = 16

#: Shorter boundaries, with their hyphens, can be words of a text.
_LEAST_BOUNDARY = 12
#: A longer file name is cut in messages.
_MAX_NAME = 80

#: The first line of a mail, and the field that says what its body is (RFC 5322 section 2.2, RFC 2045 section 5).
_FIRST_LINE = re.compile(rb"(?:From [^\n]*\n)?[!-9;-~]{1,80}:[ \t]")
_CONTENT_TYPE = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
#: The first lines of another mail in an mbox (RFC 4155).
_NEXT_MAIL = re.compile(rb"\nFrom [^\n]*\n[!-9;-~]{1,80}:\s")
#: The defects, as the email package calls them, of parts without their boundaries (RFC 2046 section 5.1.1), and what
#: they say about the mail.
_WITHOUT_BOUNDARY = {
    "StartBoundaryNotFoundDefect": "the mail is not complete, or damaged: its boundaries are missing",
    "CloseBoundaryNotFoundDefect": "the mail is not complete: its last boundary is missing",
}
#: A field of the header at the start of a body, perhaps after a damaged line. OpenSSL writes a part without a header
#: and without the empty line before its body, which has the defect, too.
_FIELD_IN_BODY = re.compile(r"(?:[^\n]*\n)?Content-[A-Za-z-]+:")
_NO_SEPARATOR = "MissingHeaderBodySeparatorDefect"
#: The defect of a multipart whose header does not say what separates its parts.
_NO_BOUNDARY = "NoBoundaryInMultipartDefect"
_BASE64_DEFECTS = {"InvalidBase64CharactersDefect", "InvalidBase64LengthDefect", "InvalidBase64PaddingDefect"}
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=\s]")


class Attachment(NamedTuple):
    """An object that is attached to a mail.

    Attributes:
        subtype: what the mail says that it is, such as ``"pkcs7-signature"``.
        octets: the object.
        name: its file name, or empty.
        error: why the object cannot be read, or empty.
    """

    subtype: str
    octets: bytes
    name: str = ""
    error: str = ""


def attachments(data: bytes) -> list[Attachment] | None:
    """Return the ASN.1 objects that are attached to a mail, or that are its body; None if `data` is not a mail.

    The media type, the file name or the contents say which parts these are. Attachments of mails inside attached mails
    count, too. If the mail was cut off, or is damaged so that it can have others, the last one is an error.

    Raises ValueError if the parts are nested too deeply, or if `data` is an mbox with several mails.
    """
    # The first line decides quickly that a large file is not a mail.
    end = _END_OF_HEAD.search(data) if _FIRST_LINE.match(data) else None
    if end is None or _BLOCK.search(data, 0, end.start()):
        return None
    if data.startswith(b"From ") and _NEXT_MAIL.search(data):
        raise ValueError("the mbox has several mails; split it first")
    if not _CONTENT_TYPE.search(data, 0, end.start() + 1):
        return None
    from email import message_from_bytes  # slow to import, and few files are mails

    try:
        parts = list(message_from_bytes(data).walk())
    except RecursionError:
        raise ValueError("the parts of the mail are nested too deeply") from None
    found = [
        Attachment(_subtype(part), payload, _name(part), _base64_error(part, payload))
        for part in parts
        if isinstance(payload := part.get_payload(decode=True), bytes) and _has_object(part, payload)
    ]
    boundaries = [f"--{boundary}" for part in parts if (boundary := part.get_boundary())]
    faults = ((part, _hiding_fault(part, boundaries)) for part in parts)
    hiding = next((Attachment(_subtype(part), b"", _name(part), fault) for part, fault in faults if fault), None)
    return found if hiding is None else [*found, hiding]


def _hiding_fault(part: Message, boundaries: list[str]) -> str:
    """Return what is damaged in a part of a mail, so that it can hide others; empty if nothing is.

    `boundaries` are those of all parts, with their hyphens.
    """
    defects = _defects(part)
    for defect, fault in _WITHOUT_BOUNDARY.items():
        if defect in defects:
            return fault
    body = part.preamble if part.is_multipart() else part.get_payload()
    text = body if isinstance(body, str) else ""
    if any(_has_damaged(text, boundary) for boundary in boundaries):
        return "the mail is damaged: a boundary between its parts is not complete"
    if _NO_BOUNDARY in defects or (_NO_SEPARATOR in defects and part.keys()) or _FIELD_IN_BODY.match(text):
        return "the mail is damaged: a header is not complete"
    return ""


def _has_damaged(body: str, boundary: str) -> bool:
    """Return whether the lines of a part have a boundary that does not end it, because one character is damaged."""
    if len(boundary) < _LEAST_BOUNDARY:
        return False
    return boundary in body or any(_is_nearly(line.rstrip(), boundary) for line in body.split("\n"))


def _is_nearly(line: str, boundary: str) -> bool:
    """Return whether a line is a boundary with another character, one less or one more."""
    if abs(len(line) - len(boundary)) > 1:
        return False
    same = next((at for at, pair in enumerate(zip(line, boundary, strict=False)) if pair[0] != pair[1]), len(boundary))
    rest, expected = line[same:], boundary[same:]
    return expected[1:] in (rest, rest[1:]) or expected == rest[1:]


def _subtype(part: Message) -> str:
    return part.get_content_subtype().removeprefix("x-")


def _name(part: Message) -> str:
    return clip(part.get_filename() or "", _MAX_NAME)


def _defects(part: Message) -> set[str]:
    return {type(defect).__name__ for defect in part.defects}


def _base64_error(part: Message, payload: bytes) -> str:
    """Return the error of base64 that is damaged, after it was decoded to `payload`; empty if there is none.

    Decoders ignore characters that are not base64 (RFC 2045 section 6.8), so they are an error only if the payload is
    not one complete value. White space is not an error. Missing padding is one only if the value is too short.
    """
    defects = _defects(part)
    size = announced_size(payload)
    if size == len(payload):
        return ""
    is_short = size is not None and size > len(payload)
    # The decoder reads a byte that is not ASCII as several characters, so the other defects can have this cause, too.
    if defects & _BASE64_DEFECTS and _NOT_BASE64.search(str(part.get_payload())):
        return "the base64 of the attachment has characters that are not base64"
    if "InvalidBase64LengthDefect" in defects or ("InvalidBase64PaddingDefect" in defects and is_short):
        return "the base64 of the attachment is damaged: its number of characters is not a multiple of 4"
    return ""


def _has_object(part: Message, payload: bytes) -> bool:
    if _SUBTYPE.match(part.get_content_subtype()) or (part.get_filename() or "").lower().endswith(_SUFFIXES):
        return True
    # The text of a mail can have PEM, and can be followed by the same text as HTML.
    return part.get_content_subtype() != "html" and _is_object(as_utf8(payload))


def _is_object(data: bytes) -> bool:
    """Return whether data are PEM, or a structure as DER, BER, hexadecimal or base64, perhaps a damaged one."""
    if pem.is_pem(data):
        return bool(_BLOCK.search(data))
    octets = decoded_text(data) or data
    if not octets.startswith(_SEQUENCE) or len(octets) < _LEAST_SIZE:
        return False
    return has_values(octets) or octets.startswith(_INDEFINITE) or bool(looks_like(octets))

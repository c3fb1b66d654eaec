"""Objects that are attached to a mail: signatures, encrypted contents, certificates (RFC 8551 section 3.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from derlib import pem
from derlib._core import announced_size
from derlib.cli.documents.text_forms import as_utf8, decoded_text, has_values

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

#: The first line of a mail, and the field that says what its body is (RFC 5322 section 2.2, RFC 2045 section 5).
_FIRST_LINE = re.compile(rb"(?:From [^\n]*\n)?[!-9;-~]{1,80}:[ \t]")
_CONTENT_TYPE = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
#: The first lines of another mail in an mbox (RFC 4155).
_NEXT_MAIL = re.compile(rb"\nFrom [^\n]*\n[!-9;-~]{1,80}:\s")
#: The defects, as the email package calls them, of parts without their first or last boundary (RFC 2046 section 5.1.1).
_WITHOUT_BOUNDARY = {"StartBoundaryNotFoundDefect", "CloseBoundaryNotFoundDefect"}
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=\s]")


class Attachment(NamedTuple):
    """An object that is attached to a mail.

    Attributes:
        subtype: what the mail says that it is, such as ``"pkcs7-signature"``.
        octets: the object.
        error: why the object cannot be read, or empty.
    """

    subtype: str
    octets: bytes
    error: str = ""


def attachments(data: bytes) -> list[Attachment] | None:
    """Return the ASN.1 objects that are attached to a mail, or that are its body; None if `data` is not a mail.

    The media type, the file name or the contents say which parts these are. Attachments of mails inside attached mails
    count, too. If the mail was cut off, the last one is an error that says so.

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
        Attachment(_subtype(part), payload, _base64_error(part, payload))
        for part in parts
        if isinstance(payload := part.get_payload(decode=True), bytes) and _has_object(part, payload)
    ]
    cut = next((part for part in parts if _defects(part) & _WITHOUT_BOUNDARY), None)
    if cut is not None:
        found.append(Attachment(_subtype(cut), b"", "the mail is not complete: its last boundary is missing"))
    return found


def _subtype(part: Message) -> str:
    return part.get_content_subtype().removeprefix("x-")


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
    if "InvalidBase64CharactersDefect" in defects and _NOT_BASE64.search(str(part.get_payload())):
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
    """Return whether data are PEM, or a structure as DER, BER, hexadecimal or base64."""
    if pem.is_pem(data):
        return bool(_BLOCK.search(data))
    octets = decoded_text(data) or data
    if not octets.startswith(_SEQUENCE) or len(octets) < _LEAST_SIZE:
        return False
    return has_values(octets) or octets.startswith(_INDEFINITE)

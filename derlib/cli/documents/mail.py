"""Objects that are attached to a mail: signatures, encrypted contents, certificates (RFC 8551 section 3.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from email.message import Message

__all__ = ["WITHOUT_OBJECT", "Attachment", "attachments"]

#: What a mail is for which `attachments` returns an empty list.
WITHOUT_OBJECT = "a mail that is neither signed nor encrypted, and has no certificates attached"

#: The subtypes of attachments with an ASN.1 object, without "x-" before them.
_SUBTYPES = frozenset(
    {
        "ocsp-request",
        "ocsp-response",
        "pkcs10",
        "pkcs12",
        "pkcs7-certificates",
        "pkcs7-certreqresp",
        "pkcs7-mime",
        "pkcs7-signature",
        "pkcs8",
        "pkix-cert",
        "pkix-crl",
        "pkixcmp",
        "timestamp-query",
        "timestamp-reply",
        "x509-ca-cert",
        "x509-user-cert",
    }
)
#: The ends of file names of such attachments, if a program sends them as application/octet-stream.
_SUFFIXES = (".p7c", ".p7m", ".p7s", ".p7z")

#: The first line of a mail, and the field that says what its body is (RFC 5322 section 2.2, RFC 2045 section 5).
_FIRST_LINE = re.compile(rb"(?:From [^\n]*\n)?[!-9;-~]{1,80}:[ \t]")
_CONTENT_TYPE = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


class Attachment(NamedTuple):
    """An object that is attached to a mail.

    Attributes:
        subtype: what the mail says that it is, such as ``"pkcs7-signature"``.
        octets: the object.
    """

    subtype: str
    octets: bytes


def attachments(data: bytes) -> list[Attachment] | None:
    """Return the ASN.1 objects that are attached to a mail, or that are its body; None if `data` is not a mail.

    Attachments of mails inside attached mails count, too. Raises ValueError if its parts are nested too deeply.
    """
    # The first line decides quickly that a large file is not a mail.
    end = _END_OF_HEAD.search(data) if _FIRST_LINE.match(data) else None
    if end is None or not _CONTENT_TYPE.search(data, 0, end.start() + 1):
        return None
    from email import message_from_bytes  # slow to import, and few files are mails

    try:
        return [
            Attachment(part.get_content_subtype().removeprefix("x-"), payload)
            for part in message_from_bytes(data).walk()
            if _has_object(part) and isinstance(payload := part.get_payload(decode=True), bytes)
        ]
    except RecursionError:
        raise ValueError("the parts of the mail are nested too deeply") from None


def _has_object(part: Message) -> bool:
    if part.get_content_maintype() != "application":
        return False
    subtype = part.get_content_subtype().removeprefix("x-")
    if subtype == "octet-stream":
        return (part.get_filename() or "").lower().endswith(_SUFFIXES)
    return subtype in _SUBTYPES

"""The certificates or CRLs in a PKCS #12 file, such as a .pfx file, as documents of their own.

`cert`, `crl` and `table` read them as if they followed each other in a file. A part that is encrypted is a document
with an error, and so is a fault outside of the certificates or CRLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import derlib
from derlib import TLV, ASN1Error, DecodeError, Deviation
from derlib.cli.documents.ber import as_der
from derlib.cli.documents.contents import Contents, content_errors, contents_in, tolerated_contents
from derlib.cli.documents.document_types import TYPES
from derlib.cli.documents.files import NO_MEMORY, Document, offsets_in_file
from derlib.cli.documents.paths import Path, child_items, root_item

__all__ = ["in_bags", "is_pfx"]

_LENGTH = rb"(?:[\0-\x80]|\x81.|\x82..|\x83...|\x84....)"
#: The beginning of a PFX: version 3, and a ContentInfo with data or signed data (RFC 7292 section 4).
_PFX = re.compile(
    rb"\x30" + _LENGTH + rb"\x02\x01\x03\x30" + _LENGTH + rb"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07[\x01\x02]",
    re.DOTALL,
)

#: The kinds and messages of what is not read.
_MESSAGES = {
    "contents-encrypted": "the part is encrypted; openssl pkcs12 -nokeys -in FILE decrypts its certificates; for RC2, "
    "OpenSSL 3 needs -legacy",
    "contents-unknown": "the type is unknown, so the contents were not read",
}


class _Bagged(NamedTuple):
    """A value in a bag: a certificate, a CRL, or one that was not read; then `kind` is that of its error."""

    path: Path
    value: Any
    offset: int
    kind: str = ""


def is_pfx(data: bytes) -> bool:
    """Return whether data begin as a PKCS #12 file does."""
    return _PFX.match(data) is not None


def in_bags(document: Document, names: tuple[str, ...], tolerate: Deviation | None, is_ber: bool) -> list[Document]:
    """Return the certificates or CRLs in a PFX, numbered from 1, after its errors if it has some.

    Return an empty list if it has neither. The arguments are those of `unpacked`.
    """
    outside = replace(document, der=b"", value=0, alone=False, in_signed_data=True)

    def failed(error: Exception) -> Document:
        return replace(outside, error=error if isinstance(error, ASN1Error) else ASN1Error(NO_MEMORY))

    try:
        found = as_der(document, "pkcs12") if is_ber else document
        with offsets_in_file(found):
            pfx = TYPES["pkcs12"].decode(found.der, tolerate)
    except (ASN1Error, MemoryError) as error:
        return [replace(failed(error), alone=document.alone)]
    bagged = [each._replace(offset=found.place(each.offset)) for each in _bagged(pfx)]
    schemas = [TYPES[name].schema for name in names]
    schema = next((schema for schema in schemas if any(type(each.value) is schema for each in bagged)), None)
    chosen = [each for each in bagged if type(each.value) is schema]
    members = [
        replace(outside, der=bytes(each.value.der), offset=each.offset, value=number)
        for number, each in enumerate(chosen, 1)
    ]

    def is_inside(at: Any) -> bool:
        """Return whether an error or a deviation is in one of the members, which reports it itself."""
        return any(each.offset <= getattr(at, "offset", -1) < each.offset + len(each.der) for each in members)

    errors = [error for error in content_errors(found, pfx, tolerate) if not is_inside(error)]
    if schema is not None or "cert" in names:
        unread = (each for each in bagged if each.kind)
        errors += (DecodeError(_MESSAGES[each.kind], each.path, each.offset, kind=each.kind) for each in unread)
    if members:
        around = (one._replace(offset=found.place(one.offset)) for one in pfx.deviations)
        every = chain(around, tolerated_contents(found, pfx, tolerate))
        is_alone = document.alone and len(members) == 1 and not errors
        tolerated = tuple(one for one in every if not is_inside(one))
        members[0] = replace(members[0], alone=is_alone, tolerated=tolerated)
    return [*map(failed, errors), *members]


def _bagged(pfx: Any) -> Iterator[_Bagged]:
    """Yield the certificates and CRLs in a PFX, and what was not read."""
    from derlib.schemas.pkcs12 import AuthenticatedSafe, SafeContents

    for contents in contents_in(pfx):
        if isinstance(contents.value, AuthenticatedSafe):
            yield from _unread_parts(contents)
        elif isinstance(contents.value, SafeContents):
            yield from _values(contents)


def _unread_parts(contents: Contents) -> Iterator[_Bagged]:
    """Yield the parts of an AuthenticatedSafe that are encrypted, or of an unknown type (RFC 7292 section 4.1)."""
    from derlib.schemas.pkcs12 import EncryptedData, EnvelopedData

    for index, part in enumerate(contents.value):
        if not isinstance(part.content, bytes):
            offset = contents.place_in_value(contents.value.span(index).offset)
            is_encrypted = isinstance(part.content, (EncryptedData, EnvelopedData))
            kind = "contents-encrypted" if is_encrypted else "contents-unknown"
            yield _Bagged((*contents.path, index), None, offset, kind)


def _values(contents: Contents) -> Iterator[_Bagged]:
    """Yield the certificates and CRLs in SafeContents, and what was not read."""
    mismatches = {one.path for one in contents.value.deviations if one.deviation & Deviation.OPEN_TYPE}
    pending = [root_item(contents.value)]
    while pending:
        item = pending.pop()
        path = (*contents.path, *item.path)
        if type(item.value) in (TYPES["cert"].schema, TYPES["crl"].schema):
            # The span is that of the string around it.
            yield _Bagged(path, item.value, contents.place_in_value(item.span.end - len(item.value.der)))
        elif isinstance(item.value, TLV) and item.path[-1] in ("bag_value", "cert_value"):
            if item.path not in mismatches:
                yield _Bagged(path, None, contents.place_in_value(item.span.offset), "contents-unknown")
        elif isinstance(item.value, derlib.View):
            pending += reversed(list(child_items(item)))

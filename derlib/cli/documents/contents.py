"""The values inside strings whose content has a known type, with their faults at their places in the document.

Decoding a document does not validate them: they are signed, encrypted or authenticated as they are, and can be BER
(RFC 5652 section 5.2, RFC 7292 section 4). grep, lint, show and view report their faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import derlib
from derlib import ASN1Error, DecodeError, Deviation, LimitError, Tolerated
from derlib.cli.deviations import ALL_DEVIATIONS
from derlib.cli.documents.files import Document
from derlib.cli.documents.known_contents import can_have_contents, content_of, schema_names
from derlib.cli.documents.paths import Item, Path, child_items, read_field, root_item

__all__ = ["Contents", "content_errors", "contents_in", "tolerated_contents"]

#: Structures without such strings, which can be large.
_WITHOUT = frozenset({"x509.Certificate", "crl.CertificateList"})

Place = Callable[[int], int]


@dataclass(frozen=True)
class Contents:
    """The value inside a string.

    Attributes:
        path: the path of the string in the document.
        octets: the encoding of the value.
        schema: the type of the value, or None if the structure around it does not allow its type.
        place: a function that returns the offset in the document for an offset in `octets`.
        value: the value, decoded with all deviations, or None if it cannot be decoded.
        error: why it cannot be decoded, or None. The error counts from the start of `octets`.
    """

    path: Path
    octets: bytes
    schema: Any
    place: Place
    value: Any = None
    error: Exception | None = None

    def place_in_value(self, offset: int) -> int:
        """Return the offset in the document for an offset in `value`, which was perhaps converted from BER."""
        return self.place(self.value.origin.origin(offset))

    def tolerated(self) -> Iterator[Tolerated]:
        """Yield the deviations in the value, with their paths and offsets in the document."""
        for one in () if self.value is None else self.value.deviations:
            yield one._replace(path=(*self.path, *one.path), offset=self.place(one.offset))

    def error_without(self, tolerate: Deviation | None) -> Exception | None:
        """Return the error of the value, with its path and offset in the document; None if it is valid.

        Only the deviations `tolerate` are tolerated.
        """
        if self.value is not None and all((tolerate or Deviation(0)) & one.deviation for one in self.value.deviations):
            return None
        try:
            if self.schema is None:
                assert self.error is not None
                raise self.error
            self.schema.decode(self.octets, tolerate=tolerate, rules="ber")
        except (DecodeError, LimitError) as error:
            error.offset = self.place(error.offset)
            error.path = (*self.path, *error.path)
            return error
        except MemoryError as error:
            return error
        return None


def contents_in(value: Any) -> Iterator[Contents]:
    """Yield the contents of known types in the strings of a document and, after each, those inside it."""
    if not isinstance(value, derlib.View) or _is_without(value) or not can_have_contents(value):
        return
    if "pkcs12.PFX" in schema_names(type(value)):
        yield from _not_allowed(value)
    pending: list[tuple[Item, Place]] = [(root_item(value), int)]
    while pending:
        holder, place = pending.pop()
        inside: list[tuple[Item, Place]] = []
        for item in child_items(holder):
            step = item.path[-1]
            schema = content_of(holder.value, step, holder.path)
            octets = read_field(holder.value, step) if schema is not None else None
            if isinstance(octets, bytes):
                found = _contents(item, octets, schema, place)
                yield found
                if found.value is not None:
                    inside.append((Item(item.path, found.value, found.value.span()), found.place_in_value))
            elif isinstance(item.value, derlib.View) and not _is_without(item.value):
                inside.append((item, place))
        pending += reversed(inside)


def _not_allowed(pfx: Any) -> Iterator[Contents]:
    """Yield the error of a PFX whose authSafe is neither data nor signed data with a content (RFC 7292 section 4)."""
    info = pfx.auth_safe
    if isinstance(info.content, bytes) or "cms_signed.SignedData" in schema_names(type(info.content)):
        return
    error = DecodeError(
        f"expected id-data or id-signedData with a content, found {info.content_type.name or info.content_type.dotted}",
        ("content_type",),
        rule="RFC 7292 4",
        kind="contents-unknown",
    )
    start = pfx.span("auth_safe").content_offset
    yield Contents(("auth_safe",), b"", None, lambda offset: start + offset, error=error)


def _is_without(value: derlib.View) -> bool:
    return not _WITHOUT.isdisjoint(schema_names(type(value)))


def _contents(item: Item, octets: bytes, schema: Any, place: Place) -> Contents:
    """Return the contents of the string that is an item."""
    start = item.span.content_offset

    def inside(offset: int) -> int:
        return place(start + offset)

    try:
        value = schema.decode(octets, tolerate=ALL_DEVIATIONS, rules="ber")
    except (ASN1Error, MemoryError) as error:
        return Contents(item.path, octets, schema, inside, error=error)
    return Contents(item.path, octets, schema, inside, value)


def content_errors(
    document: Document, value: Any, tolerate: Deviation | None, *, secrets: bool = False
) -> Iterator[Exception]:
    """Yield the errors of the contents in the value of a document, with their offsets in the file.

    Unless `secrets` is true, an error in the bag of a private key has only its kind: it could quote a part of the key.
    """
    for each in contents_in(value):
        error = each.error_without(tolerate)
        if isinstance(error, (DecodeError, LimitError)):
            error.offset = document.place(error.offset)
            if not secrets and "bag_value" in error.path and not {"cert_value", "crlt_value"} & set(error.path):
                # Not each command that opens bags has the option.
                error.detail = f"(hidden; derlib show --secrets shows it): {error.kind}"
        if error is not None:
            yield error


def tolerated_contents(document: Document, value: Any, tolerate: Deviation | None) -> Iterator[Tolerated]:
    """Yield the tolerated deviations of the contents in the value of a document, with their offsets in the file."""
    if tolerate is None:
        return
    for each in contents_in(value):
        for one in each.tolerated():
            if one.deviation & tolerate:
                yield one._replace(offset=document.place(one.offset))

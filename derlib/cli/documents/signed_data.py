"""The certificates or CRLs in a SignedData of CMS or PKCS #7, such as a .p7b file, as documents of their own.

`cert`, `crl` and `table` read them as if they followed each other in a file. They are found by the headers around them,
so a damaged one does not hide the others. The SignedData is validated, too: its fault is a document with an error.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import Any, NamedTuple

from derlib import ASN1Error, DecodeError, Deviation, LimitError, Tolerated, _core
from derlib.cli.documents.document_types import TYPES
from derlib.cli.documents.files import NO_MEMORY, Document, offsets_in_file

__all__ = ["LABELS", "unpacked"]

#: The labels of the PEM blocks that can have a SignedData.
LABELS = tuple(dict.fromkeys((*TYPES["cms"].labels, *TYPES["pkcs7"].labels)))

#: The tag of the list in a SignedData, by the name of the type of its elements, and the name of its field.
_LISTS = {"cert": (0xA0, "certificates"), "crl": (0xA1, "crls")}

#: Certificates and CRLs are SEQUENCEs; the other alternatives in these lists have context-specific tags.
_SEQUENCE = 0x30
_EXPLICIT_0 = 0xA0
#: The element id-signedData (RFC 5652 section 5.1).
_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")

#: The length of the path of an element of the list: content, the name of the field, and a number.
_ELEMENT = 3

#: The levels of elements from ContentInfo to the list. In BER, each of them can have the indefinite length.
_LEVELS = 4


def unpacked(
    found: Iterable[Document], names: tuple[str, ...], tolerate: Deviation | None, is_ber: bool
) -> Iterator[Document]:
    """Yield documents, and in place of a SignedData the certificates or CRLs in it, in the order of the file.

    A SignedData is a PEM block with one of `LABELS`, or a value of another file, but not an attachment of a mail. A PEM
    block without anything to yield is left out if there is another document.

    Args:
        found: the documents of one file.
        names: the names of the types to yield, `"cert"` or `"crl"`; with both, CRLs if there are no certificates.
        tolerate: the deviations that a SignedData can have.
        is_ber: whether the documents can be BER.
    """
    left_out: list[Document] = []
    is_empty = True
    # Outside of PEM, what is in a SignedData is numbered together with the values of the file.
    added = 0
    for document in found:
        members = [] if document.error or document.attachment else _members(document, names, tolerate, is_ber)
        if not members and document.label in LABELS:
            left_out.append(document)
            continue
        is_empty = False
        if not members:
            yield replace(document, value=document.value + added) if added and document.value else document
            continue
        before = 0 if document.block else max(document.value, 1) - 1 + added
        for member in members:
            yield replace(member, value=member.value + before) if member.value else member
        added += sum(member.value > 0 for member in members) - 1
    if is_empty:
        yield from left_out


def _members(
    document: Document, names: tuple[str, ...], tolerate: Deviation | None, is_ber: bool
) -> list[Document]:
    """Return the certificates or CRLs in a SignedData, numbered from 1, after its error if it has one.

    Return an empty list for another document, and for a valid SignedData without them.
    """
    envelope = _envelope(document.der)
    if envelope is None:
        return []
    signed = _Signed(document, envelope, tolerate, is_ber)
    for name in names:
        signed.find(name)
        if signed.parts:
            break
    error, tolerated = signed.fault()
    members = [
        replace(
            signed.document_of(part),
            value=number,
            alone=document.alone and len(signed.parts) == 1 and error is None,
            in_signed_data=True,
            tolerated=tolerated if number == 1 else (),
        )
        for number, part in enumerate(signed.parts, 1)
    ]
    if error is not None:
        members.insert(0, replace(document, der=b"", value=0, in_signed_data=True, error=error))
    return members


class _Part(NamedTuple):
    """Where an element is. Its contents end at `stop`; in BER, `end` can be after its end-of-contents octets."""

    identifier: int
    start: int
    content: int
    stop: int
    end: int


def _envelope(data: bytes) -> list[_Part] | None:
    """Return the elements ContentInfo, `[0]` and SignedData; None if data are not a SignedData."""
    outer = _part(data, 0, len(data), _LEVELS)
    if outer is None or outer.identifier != _SEQUENCE or not data.startswith(_SIGNED_DATA, outer.content):
        return None
    explicit = next(islice(_parts(data, outer.content, outer.stop, _LEVELS - 1), 1, None), None)
    if explicit is None or explicit.identifier != _EXPLICIT_0:
        return None
    signed = next(_parts(data, explicit.content, explicit.stop, _LEVELS - 2), None)
    return None if signed is None or signed.identifier != _SEQUENCE else [outer, explicit, signed]


def _parts(data: bytes, at: int, stop: int, levels: int) -> Iterator[_Part]:
    """Yield the elements from `at` on, up to one without a valid header."""
    while at < stop and (part := _part(data, at, stop, levels)) is not None:
        yield part
        at = part.end


def _part(data: bytes, start: int, limit: int, levels: int) -> _Part | None:
    """Return the element at `start`, cut at `limit`; None if its header is not valid, or has a tag of several octets.

    `levels` is how many levels of elements with the indefinite length are searched for their end element by element.
    Below them, such an element without a valid structure has no end before `limit`.
    """
    if limit - start < 2 or data[start] & 0x1F == 0x1F or not data[start]:
        return None
    identifier, length = data[start], data[start + 1]
    content = start + 2
    if length == 0x80:
        return _indefinite(data, start, limit, levels) if identifier & 0x20 else None
    if length > 0x80:
        content += length & 0x7F
        if length > 0x88 or content > limit:
            return None
        length = int.from_bytes(data[start + 2 : content], "big")
    stop = min(content + length, limit)
    return _Part(identifier, start, content, stop, stop)


def _indefinite(data: bytes, start: int, limit: int, levels: int) -> _Part:
    """Return an element with the indefinite length."""
    at = start + 2
    if levels == 0:
        try:
            at = start + len(_core.parse_ber_prefix(memoryview(data)[start:limit]).encoded) - 2
        except ASN1Error:
            at = limit
    else:
        for part in _parts(data, at, limit, levels - 1):
            at = part.end
    has_end = at + 2 <= limit and data[at : at + 2] == b"\0\0"
    return _Part(data[start], start, start + 2, at if has_end else limit, at + 2 if has_end else limit)


class _Signed:
    """A SignedData in a document, and the certificates or CRLs in it."""

    def __init__(
        self, document: Document, envelope: list[_Part], tolerate: Deviation | None, is_ber: bool
    ) -> None:
        self._document = document
        self._around = envelope
        self._tolerate = tolerate
        self._is_ber = is_ber
        self._name = ""
        self._elements: list[_Part] = []
        self.parts: list[_Part] = []

    def find(self, name: str) -> None:
        """Find the elements of a type, `"cert"` or `"crl"`: `parts`."""
        data, outside = self._document.der, self._around[2]
        self._name = name
        for part in _parts(data, outside.content, outside.stop, 1):
            if part.identifier == _LISTS[name][0]:
                self._around[3:] = [part]
                self._elements = list(_parts(data, part.content, part.stop, 0))
                self.parts = [each for each in self._elements if each.identifier == _SEQUENCE]
                return

    def document_of(self, part: _Part) -> Document:
        """Return an element as a document."""
        return replace(
            self._document,
            der=self._document.der[part.start : part.end],
            offset=self._document.offset + part.start,
        )

    def fault(self) -> tuple[ASN1Error | None, tuple[Tolerated, ...]]:
        """Return the error of the SignedData that is not in one of `parts`, or None, and the tolerated deviations."""
        error, tolerated = self._fault_of(self._document, self._elements)
        if error is None or not self.parts:
            return error, tolerated
        valid = [part for part in self.parts if self._is_valid(part)]
        start, end = (self._document.offset + at for at in (self.parts[0].start, self.parts[-1].end))
        if len(valid) == len(self.parts) or not start <= getattr(error, "offset", -1) < end:
            return error, tolerated
        # The fault in a part hides others, which a copy without the invalid parts has, too.
        invalid = frozenset(self.parts) - frozenset(valid)
        kept = [part for part in self._elements if part not in invalid]
        return self._fault_of(_Copy.of(self._document, self._pieces(kept)), kept)

    def _fault_of(
        self, document: Document, elements: list[_Part]
    ) -> tuple[ASN1Error | None, tuple[Tolerated, ...]]:
        """Return the error of a document as a SignedData of CMS or PKCS #7, or None, and what was tolerated around
        the elements of the list, which are `elements`.
        """
        from derlib.cli.documents.ber import converted

        errors: list[ASN1Error] = []
        found: Any = None
        for name in ("cms", "pkcs7"):
            try:
                if self._is_ber:
                    converted(document, TYPES[name].schema)
                else:
                    with offsets_in_file(document):
                        found = TYPES[name].decode(document.der, self._tolerate)
            except (DecodeError, LimitError) as error:
                error.path = self._path(error.path, elements)
                errors.append(error)
            except ASN1Error as error:
                errors.append(error)
            except MemoryError:
                return ASN1Error(NO_MEMORY), ()
            else:
                deviations = ((one, self._path(one.path, elements)) for one in getattr(found, "deviations", ()))
                return None, tuple(
                    one._replace(path=path, offset=document.place(one.offset))
                    for one, path in deviations
                    if len(path) <= _ELEMENT or not self._is_in_list(path)
                )
        # The type that does not fit has the earlier fault.
        return max(errors, key=lambda error: getattr(error, "offset", 0)), ()

    def _is_in_list(self, path: tuple[str | int, ...]) -> bool:
        return bool(self._name) and path[: _ELEMENT - 1] == ("content", _LISTS[self._name][1])

    def _path(self, path: tuple[str | int, ...], elements: list[_Part]) -> tuple[str | int, ...]:
        """Return a path with the number that an element has in the file, in place of that in `elements`."""
        number = path[_ELEMENT - 1] if len(path) >= _ELEMENT and self._is_in_list(path) else None
        if not isinstance(number, int) or elements is self._elements:
            return path
        # After the last element can be something that is not one.
        is_element = number < len(elements)
        own = self._elements.index(elements[number]) if is_element else number + len(self._elements) - len(elements)
        return (*path[: _ELEMENT - 1], own, *path[_ELEMENT:])

    def _is_valid(self, part: _Part) -> bool:
        from derlib.cli.documents.ber import converted

        document, type_ = self.document_of(part), TYPES[self._name]
        try:
            if self._is_ber:
                converted(document, type_.schema)
            else:
                type_.decode(document.der, self._tolerate)
        except (ASN1Error, MemoryError):
            return False
        return True

    def _pieces(self, kept: list[_Part]) -> list[tuple[int, bytes]]:
        """Return the SignedData with only the elements `kept` of the list: octets, and where they are from."""
        data = self._document.der
        *outside, inner = self._around
        pieces = [(part.start, data[part.start : part.end]) for part in kept]
        at = self._elements[-1].end
        pieces = _with_header(inner, [*pieces, (at, data[at : inner.stop])])
        for part in reversed(outside):
            before, after = data[part.content : inner.start], data[inner.end : part.stop]
            pieces = _with_header(part, [(part.content, before), *pieces, (inner.end, after)])
            inner = part
        return [*pieces, (inner.end, data[inner.end :])]


def _with_header(part: _Part, pieces: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return the contents of an element after a header with their length."""
    length = sum(len(octets) for _, octets in pieces)
    size = (length.bit_length() + 7) // 8
    octets = bytes([length]) if length < 0x80 else bytes([0x80 | size]) + length.to_bytes(size, "big")
    return [(part.start, bytes([part.identifier]) + octets), *pieces]


@dataclass(frozen=True)
class _Copy(Document):
    """A document made of pieces of another one: the offset of each here, and there."""

    starts: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()

    @classmethod
    def of(cls, document: Document, pieces: list[tuple[int, bytes]]) -> _Copy:
        starts, sources, at = [], [], 0
        for source, octets in pieces:
            if octets:
                starts.append(at)
                sources.append(source)
                at += len(octets)
        values = {one.name: getattr(document, one.name) for one in fields(Document)}
        values["der"] = b"".join(octets for _, octets in pieces)
        return cls(**values, starts=tuple(starts), sources=tuple(sources))

    def place(self, offset: int) -> int:
        """Return the offset in the file for one in this document."""
        number = bisect_right(self.starts, offset) - 1
        return self.offset + self.sources[number] + offset - self.starts[number]

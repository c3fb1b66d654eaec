"""Read files as documents, which are DER, or BER with the option `--ber`.

A DER file is one document, or several if several values follow each other; so is text in hexadecimal or base64. Each
block of a PEM file is a document. A mail has the documents of its attachments, each read as a file. The file name `-`
is standard input.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from derlib import ASN1Error, DecodeError, Deviation, IdentifierError, LimitError, PEMError, TruncatedError, pem
from derlib._core import announced_size
from derlib._pem_labels import labels_of
from derlib._value_ranges import Split, lacks_tag, leading_values, value_ranges, whole_range
from derlib.cli.documents.encrypted_pem import EncryptedBlock, without_encrypted
from derlib.cli.documents.mail import WITHOUT_OBJECT, Attachment, attachments
from derlib.cli.documents.other_formats import HEXADECIMAL_IN_PEM, is_hexadecimal_of_der, is_openpgp, other_format
from derlib.cli.documents.text_forms import as_utf8, decoded_text
from derlib.cli.output.standard_output import report_error

if TYPE_CHECKING:
    from derlib import Tolerated
    from derlib.ber import Converted

__all__ = [
    "NO_MEMORY",
    "Document",
    "Unreadable",
    "documents",
    "offsets_in_file",
    "one_document",
    "read",
    "selected_documents",
]

#: The message of a MemoryError, which has no text of its own.
NO_MEMORY = "not enough memory"

_ENCRYPTED = "encrypted in the old format of OpenSSL, which hides its DER; decrypt it first (openssl pkey -in FILE)"

_OFFSET = re.compile(r"(?<=at offset )[0-9]+")


class Unreadable(Exception):
    """A file that cannot be read; the message is the reason."""


@dataclass(frozen=True)
class Document:
    """One document of a file.

    Attributes:
        file: the name of the file.
        der: the bytes of the document; with --ber, those are BER until `as_der` converts them.
        block: the number of the PEM block among all of the file or attachment, counted from 1; 0 if this is DER.
        label: the label of the PEM block, or None.
        line: the line at which the PEM block begins, or None.
        value: the number of the value in a DER file that has several, counted from 1; otherwise 0. The documents of a
            mail are values, too.
        offset: the offset of this value in the file, or in the attachment.
        attachment: what a mail says that its attachment is, such as ``"pkcs7-signature"``; empty in other files.
        name: the file name of an attachment, or empty.
        alone: whether the file has no other document.
        converted: the conversion from BER that `der` is the result of, or None.
        ber: the bytes before this conversion; empty without one.
        error: why the PEM block is invalid, or why an attachment cannot be read, or None; `der` is then empty. Of a
            value, that it lacks its tag. In `derlib table`, also why the file has no document. With `in_signed_data`,
            why the SignedData or PFX is invalid.
        in_signed_data: whether the document is in a SignedData or a PFX. `value` is then its number, also in a PEM
            block.
        tolerated: of the first document in a SignedData or a PFX: the deviations that were tolerated around the
            documents.
    """

    file: str
    der: bytes
    block: int = 0
    label: str | None = None
    line: int | None = None
    value: int = 0
    offset: int = 0
    attachment: str = ""
    name: str = ""
    alone: bool = True
    converted: Converted | None = None
    ber: bytes = b""
    error: ASN1Error | None = None
    in_signed_data: bool = False
    tolerated: tuple[Tolerated, ...] = ()

    def place(self, offset: int) -> int:
        """Return the offset in the file, or in the contents of the PEM block, for an offset in `der`."""
        return self.offset + (offset if self.converted is None else self.converted.origin(offset))

    @property
    def has_settings(self) -> bool:
        """Whether trust settings of OpenSSL, a second value, can follow the certificate."""
        return self.label == "TRUSTED CERTIFICATE"

    def values(self) -> list[Document]:
        """Return each of the two values of a TRUSTED CERTIFICATE, and the document itself if it has one."""
        ranges = value_ranges(self.der) if self.has_settings else []
        if len(ranges) < 2:
            return [self]
        return [
            replace(
                self,
                der=self.der[one.start : one.stop],
                label=None if one.start else self.label,
                value=number,
                offset=one.start,
                alone=False,
            )
            for number, one in enumerate(ranges, 1)
        ]

    @property
    def title(self) -> str:
        """The file, and the block or value if the file has several."""
        if self.alone:
            return self.file
        words = []
        if self.attachment:
            number = f"{self.value} " if self.value else ""
            words.append(f"attachment {number}({self.name or self.attachment})")
        if self.block:
            words.append(f"block {self.block}" + (f" ({self.label}, line {self.line})" if self.label else ""))
        if self.value and not self.attachment:
            words.append(f"value {self.value} (offset {self.offset})")
        elif self.offset:
            words.append(f"offset {self.offset}")
        return f"{self.file}: {', '.join(words)}" if words else self.file


def documents(
    file: str,
    labels: tuple[str, ...] = (),
    data: bytes | None = None,
    *,
    split: Split = value_ranges,
    is_ber: bool = False,
    around: tuple[str, ...] = (),
) -> Iterator[Document]:
    """Yield the documents of `file`: its PEM blocks with one of `labels` (empty: any label), or its values.

    Those of a mail are the documents of its attachments, in their order.

    Blocks with the labels `around` are documents, too: they can contain others. `data` is the content of the file if it
    has been read already. `split` finds the values of a file that is not PEM. With `is_ber`, they can be BER.
    Traditional encrypted PEM blocks are skipped, with a note on standard error.

    An invalid PEM block is a document with an `error`.

    Raises `Unreadable`, and `derlib.PEMError` if there is no block.
    """
    data = read(file) if data is None else data
    if not data:
        raise Unreadable("the file is empty" if file != "-" else "standard input is empty")
    attached = _attachments(data)
    if attached is None:
        yield from _documents_in(file, data, labels, split, is_ber, around)
        return
    found: list[Document] = []
    missing: PEMError | None = None
    for subtype, octets, name, fault in attached:
        try:
            if fault:
                raise Unreadable(fault)
            inside = [*_documents_in(file, as_utf8(octets), labels, split, is_ber, around)]
        except Unreadable as error:
            inside = [Document(file, b"", error=ASN1Error(str(error)))]
        except PEMError as error:
            missing = missing or error
            continue
        found += (replace(each, attachment=subtype, name=name) for each in inside)
    if missing and not found:
        raise missing
    alone = len(found) == 1
    for number, each in enumerate(found, 1):
        yield replace(each, value=0 if alone else number, alone=alone)


def _documents_in(
    file: str, data: bytes, labels: tuple[str, ...], split: Split, is_ber: bool, around: tuple[str, ...]
) -> Iterator[Document]:
    """Yield the documents of the contents of a file that is not a mail, or of an attachment."""
    if not data:
        raise Unreadable("the attachment is empty")
    if not pem.is_pem(data) or is_openpgp(data):
        yield from _not_pem(file, data, split, is_ber)
        return
    own, labels = labels, labels and (*labels, *around)
    data, encrypted = without_encrypted(data)
    wanted = [block for block in encrypted if not labels or block.label in labels_of(*labels)]
    if wanted and not pem.is_pem(data):
        raise Unreadable(f"{_name_of(wanted[0])} is {_ENCRYPTED}")
    for skipped in wanted:
        report_error(file, f"{_name_of(skipped)} was skipped: it is {_ENCRYPTED}")
    alone = pem.is_single(data)
    lines: list[bytes] = []
    number = 0
    for number, block in pem.numbered(data, *labels):
        if isinstance(block, PEMError):
            lines = lines or data.splitlines()
            yield Document(file, b"", number, alone=alone, error=_not_base64(block, lines))
        else:
            yield Document(file, block.der, number, block.label, block.line, alone=alone)
    if number and "CERTIFICATE" in labels and b"-----BEGIN TRUSTED CERTIFICATE-----" in data:
        for _, block in pem.numbered(data, "TRUSTED CERTIFICATE"):
            name = f'the block "TRUSTED CERTIFICATE" (line {block.line})'
            report_error(file, f"{name} was skipped; derlib show reads it")
    if not number:
        missing = pem.nothing_found(data, own)
        if encrypted and not pem.is_pem(data):
            raise PEMError(f"{missing}; {_name_of(encrypted[0])} is {_ENCRYPTED}", 0)
        raise missing


def _not_base64(error: PEMError, lines: list[bytes]) -> PEMError:
    """Return the error of an invalid PEM block in these lines; if the block is hexadecimal, an error that says so."""
    begin = end = min(error.line, len(lines)) - 1
    while begin >= 0 and not lines[begin].lstrip().startswith(b"-----"):
        begin -= 1
    while end < len(lines) and not lines[end].lstrip().startswith(b"-----"):
        end += 1
    is_hexadecimal = is_hexadecimal_of_der(b"\n".join(lines[begin + 1 : end]))
    return PEMError(f"the block is {HEXADECIMAL_IN_PEM}", begin + 2) if is_hexadecimal else error


def _not_pem(file: str, data: bytes, split: Split, is_ber: bool) -> Iterator[Document]:
    """Yield the values of DER or of a text."""
    # DER can begin like another format.
    title = other_format(data) if announced_size(data) != len(data) else None
    if title is not None:
        raise Unreadable(f"it is {title}")
    data = decoded_text(data) or data
    ranges = split(data, is_ber)
    alone = len(ranges) == 1
    for number, one in enumerate(ranges, 1):
        octets = data[one.start : one.stop]
        error = _missing_tag(one.start) if split is not whole_range and lacks_tag(octets) else None
        yield Document(file, octets, value=0 if alone else number, offset=one.start, alone=alone, error=error)


def _missing_tag(offset: int) -> DecodeError:
    detail = "the length of an element has no tag: a byte before it is missing"
    if offset:
        detail += ", or is in the value before it"
    return IdentifierError(detail, (), offset, "X.690 8.1.2", "unexpected-tag")


def _attachments(data: bytes) -> list[Attachment] | None:
    """Return the objects that are attached to a mail, or None if `data` is not a mail."""
    if announced_size(data) == len(data):
        # DER can begin like a mail.
        return None
    try:
        found = attachments(data)
    except ValueError as error:
        raise Unreadable(str(error)) from None
    if found == []:
        raise Unreadable(f"it is {WITHOUT_OBJECT}")
    return found


def _name_of(block: EncryptedBlock) -> str:
    return f'the block "{block.label}" (line {block.line})'


def one_document(
    file: str,
    number: int | None,
    data: bytes | None = None,
    *,
    split: Split = value_ranges,
    is_ber: bool = False,
    offset: int | None = None,
    of_several: bool = False,
) -> Document:
    """Return the only document of `file`, or its PEM block or DER value with this number.

    Without a number, an offset also selects one of several values. With `of_several`, the number counts only if the
    file has several documents.

    Raises `derlib.PEMError` and `Unreadable`, also if the block or value does not exist, or if `number` is None and the
    file has several.
    """
    found = list(documents(file, data=data, split=split, is_ber=is_ber))
    if number is None and offset is not None and found[0].value and not found[0].attachment:
        number = sum(one.offset <= offset for one in found)
    if of_several and len(found) == 1:
        number = None
    noun = "attachment" if found[0].attachment else "value" if found[0].value else "block"
    if number is None and len(found) > 1:
        raise Unreadable(f"the file has {len(found)} {'PEM ' * (noun == 'block')}{noun}s; select one with --block N")
    if number is not None and number > len(found):
        count = f"1 {noun}" if len(found) == 1 else f"{len(found)} {noun}s"
        is_whole = noun == "block" and not found[0].block
        raise Unreadable(f"{noun} {number} does not exist; the file has {'no PEM blocks' if is_whole else count}")
    chosen = found[(number or 1) - 1]
    if chosen.error is not None:
        raise chosen.error
    return chosen


def selected_documents(
    file: str,
    block: int | None,
    labels: tuple[str, ...] = (),
    data: bytes | None = None,
    *,
    split: Split = value_ranges,
    is_ber: bool = False,
    around: tuple[str, ...] = (),
) -> Iterable[Document]:
    """Return what `documents` yields or, with the number of a block, what `one_document` returns."""
    if block is not None:
        return [one_document(file, block, data, split=split, is_ber=is_ber)]
    return documents(file, labels, data, split=split, is_ber=is_ber, around=around)


@contextmanager
def offsets_in_file(document: Document) -> Iterator[None]:
    """Make the offsets of an error in a document count from the start of the file, once.

    If a PEM block has several values, the message says so.
    """
    try:
        yield
    except (DecodeError, LimitError) as error:
        if "is_in_file" not in vars(error):
            _place_in_file(error, document)
            vars(error)["is_in_file"] = True
        raise


def _place_in_file(error: DecodeError | LimitError, document: Document) -> None:
    error.offset = document.place(error.offset)
    if isinstance(error, TruncatedError):
        # The message has the offset of the end of the element around it.
        error.detail = _OFFSET.sub(lambda found: str(document.place(int(found[0]))), error.detail)
    elif error.deviation == Deviation.TRAILING_DATA and not error.path and not document.value:
        count = sum(1 for _ in leading_values(document.der))
        if count > 1:
            # A PEM block. To tolerate the bytes would drop all values but the first.
            error.detail += f"; the block has {count} values (RFC 7468 2)"
            error.deviation = None


def read(file: str) -> bytes:
    """Return the content of `file`, text in UTF-16 as UTF-8. Raises `Unreadable`."""
    try:
        if file == "-":
            if sys.stdin is None:
                raise Unreadable("standard input is closed")
            return as_utf8(sys.stdin.buffer.read())
        if not file:
            raise Unreadable("the name of the file is empty")
        with open(file, "rb") as stream:
            return as_utf8(stream.read())
    except OSError as error:
        remedy = "; name a file in it" if os.path.isdir(file) else ""
        raise Unreadable(f"{error.strerror or error}{remedy}") from error
    except MemoryError as error:
        raise Unreadable("too large for the memory of this machine") from error

"""Read the documents of many files and folders as the rows of a table, for `derlib table`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator

from derlib import ASN1Error, Deviation, PEMError, pem
from derlib._file_batches import FileRow
from derlib._files import files_of
from derlib._value_ranges import splitting
from derlib.cli.documents.document_types import command_hint
from derlib.cli.documents.files import Document, Unreadable, documents, read
from derlib.cli.documents.mail import attachments
from derlib.cli.documents.other_formats import not_asn1
from derlib.cli.documents.signed_data import LABELS, unpacked
from derlib.cli.documents.text_forms import decoded_text
from derlib.cli.output.progress import track_files

__all__ = ["OTHER_TYPE", "Pending", "documents_of", "rows_of"]

#: Which files of folders are skipped; the braces are for their number.
NEITHER = "{} in folders that can be neither DER nor PEM"
OTHER_TYPE = "{} of another type in folders"

#: A file of a folder with one of these endings is expected to have certificates or CRLs, whatever it contains.
_ENDINGS = (".cer", ".crl", ".crt", ".der", ".p12", ".p7b", ".p7c", ".pem", ".pfx")


def documents_of(
    files: Collection[str],
    labels: tuple[str, ...],
    names: tuple[str, ...],
    report: Callable[[str, str], None],
    skip: Callable[[str], None],
    has_output_file: bool,
    tolerate: Deviation | None,
    is_ber: bool,
) -> Iterator[Document]:
    """Yield the documents of files, and of the files in folders, in the order of their names. Show the progress.

    In place of a SignedData, yield the certificates or CRLs in it.

    A file without a document, such as an empty one, is one document with an error.

    Args:
        files: the files and folders.
        labels: the labels of the PEM blocks to read.
        names: the names of the types to yield from a SignedData, `"cert"` or `"crl"`.
        report: called with the name of a file that cannot be read, or is named and has no PEM block to read, and the
            reason.
        skip: called with `NEITHER` for each file of a folder that looks like neither DER nor PEM, and with
            `OTHER_TYPE` for each that is PEM without a block to read.
        has_output_file: whether the table is written to a file.
        tolerate: the deviations that a SignedData, or the end of a file, can have.
        is_ber: whether values in a file can be BER.
    """

    def failed(error: OSError) -> None:
        report(str(error.filename), error.strerror or str(error))

    named = frozenset(files)
    for file in track_files(files_of(files, failed), has_output_file=has_output_file):
        try:
            data = read(file)
        except Unreadable as error:
            report(file, str(error))
            continue
        if file not in named and not _is_expected(file, data):
            skip(NEITHER)
            continue
        try:
            found = documents(file, labels, data, split=splitting(tolerate), is_ber=is_ber, around=LABELS)
            yield from unpacked(found, names, tolerate, is_ber)
        except Unreadable as error:
            yield Document(file, b"", error=ASN1Error(str(error)))
        except PEMError as error:
            if file not in named and not error.line:
                skip(OTHER_TYPE)
                continue
            # PEM without a block of these labels can get a hint at another command; an invalid block cannot.
            hint = "" if error.line else command_hint(data, "")
            report(file, f"{error}; {hint}" if hint else str(error))


def _is_expected(file: str, data: bytes) -> bool:
    """Return whether the name or contents of a file of a folder say that it has DER of a structure, or PEM."""
    if file.lower().endswith(_ENDINGS) or pem.is_pem(data):
        return True
    try:
        if attachments(data):
            return True
    except ValueError:
        # The error is reported, because the mail can have an object.
        return True
    der = decoded_text(data) or data
    return der[:1] == b"\x30" and not not_asn1(der)


def rows_of(found: Iterable[Document]) -> Iterator[FileRow]:
    """Yield the rows of documents."""
    for document in found:
        octets = document.ber or document.der
        yield FileRow(document.file, _block(document), octets, document.der, document.error, document.offset)


def _block(document: Document) -> int | None:
    """Return the column `block` of a document."""
    return None if document.alone else document.value or document.block or None


class Pending:
    """The documents whose rows have not been written, to find the one that a row with an error is from."""

    def __init__(self) -> None:
        self._documents: deque[Document] = deque()
        # The number of the first of them.
        self._first = 0

    def watch(self, found: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents, and remember them."""
        for document in found:
            self._documents.append(document)
            yield document

    def find(self, number: int) -> Document:
        """Return the document with a number, and forget those before it. Rows are in the order of documents."""
        while self._first < number:
            self._documents.popleft()
            self._first += 1
        return self._documents[0]

"""Read the documents of many files and folders as Arrow record batches of bounded size, for `derlib table`.

The columns are `file`, `block` (the number of the PEM block or DER value, null if the file has no other),
`fingerprint` (the hash of the bytes in the file), `der`, and those of `FAULTS`, for input that has no DER.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import sha256

import pyarrow as pa
import pyarrow.compute as pc

from derlib import ASN1Error, DecodeError, LimitError, PEMError, pem
from derlib._files import files_in
from derlib.cli.documents.document_types import command_hint
from derlib.cli.documents.files import Document, Unreadable, documents, read
from derlib.cli.documents.other_formats import not_asn1
from derlib.cli.documents.text_forms import decoded_text
from derlib.cli.output.progress import track_files

__all__ = [
    "FAULTS",
    "OTHER_TYPE",
    "SCHEMA",
    "Pending",
    "documents_of",
    "record_batches",
    "with_faults",
    "without_faults",
]

#: The columns of the fault of input that has no DER, by the columns of the result for the error.
FAULTS = {"error": "#error", "error_offset": "#error_offset", "error_rule": "#error_rule"}
SCHEMA = pa.schema(
    [
        ("file", pa.string()),
        ("block", pa.int64()),
        ("fingerprint", pa.binary()),
        ("der", pa.binary()),
        *zip(FAULTS.values(), (pa.string(), pa.int64(), pa.string()), strict=True),
    ]
)

#: The kinds of faults of input that has no DER.
_PEM_INVALID = "pem-invalid"
_NOT_ASN1 = "not-asn1"

#: Which files of folders are skipped; the braces are for their number.
NEITHER = "{} in folders that can be neither DER nor PEM"
OTHER_TYPE = "{} of another type in folders"

#: A file of a folder with one of these endings is expected to be a certificate or a CRL, whatever it contains.
_ENDINGS = (".cer", ".crl", ".crt", ".der", ".pem")

#: A batch ends when its encodings have this many bytes.
_BATCH_BYTES = 32 << 20


def documents_of(
    files: Collection[str],
    labels: tuple[str, ...],
    report: Callable[[str, str], None],
    skip: Callable[[str], None],
    has_output_file: bool,
    is_ber: bool,
) -> Iterator[Document]:
    """Yield the documents of files, and of the files in folders, in the order of their names. Show the progress.

    A file without a document, such as an empty one, is one document with an error.

    Args:
        files: the files and folders.
        labels: the labels of the PEM blocks to read.
        report: called with the name of a file that cannot be read, or is named and has no PEM block to read, and the
            reason.
        skip: called with `NEITHER` for each file of a folder that looks like neither DER nor PEM, and with
            `OTHER_TYPE` for each that is PEM without a block to read.
        has_output_file: whether the table is written to a file.
        is_ber: whether values in a file can be BER.
    """
    named = frozenset(files)
    for file in track_files(_files(files, report), has_output_file=has_output_file):
        try:
            data = read(file)
        except Unreadable as error:
            report(file, str(error))
            continue
        if file not in named and not _is_expected(file, data):
            skip(NEITHER)
            continue
        try:
            yield from documents(file, labels, data, is_ber=is_ber)
        except Unreadable as error:
            yield Document(file, b"", error=ASN1Error(str(error)))
        except PEMError as error:
            if file not in named and not error.line:
                skip(OTHER_TYPE)
                continue
            # PEM without a block of these labels can get a hint at another command; an invalid block cannot.
            hint = "" if error.line else command_hint(data, "")
            report(file, f"{error}; {hint}" if hint else str(error))


def _files(names: Iterable[str], report: Callable[[str, str], None]) -> Iterator[str]:
    def failed(error: OSError) -> None:
        report(str(error.filename), error.strerror or str(error))

    for name in names:
        if os.path.isdir(name):
            yield from files_in(name, failed)
        else:
            yield name


def _is_expected(file: str, data: bytes) -> bool:
    """Return whether the name or the contents of a file of a folder say that it is DER of a structure, or PEM."""
    if file.lower().endswith(_ENDINGS) or pem.is_pem(data):
        return True
    der = decoded_text(data) or data
    return der[:1] == b"\x30" and not not_asn1(der)


def record_batches(found: Iterable[Document], *, hashes: bool) -> Iterator[pa.RecordBatch]:
    """Yield batches of documents. One document is never split, so a batch can be as large as the largest one.

    Without `hashes`, the column `fingerprint` is null: hashing large CRLs takes time.
    """
    waiting: list[Document] = []
    size = 0
    for document in found:
        waiting.append(document)
        size += len(document.der)
        if size >= _BATCH_BYTES:
            yield _batch(waiting, hashes)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting, hashes)


def _batch(found: list[Document], hashes: bool) -> pa.RecordBatch:
    names, blocks = zip(*map(_place, found), strict=True)
    fingerprints = [sha256(one.ber or one.der).digest() if hashes and one.der else None for one in found]
    encodings = [one.der if one.error is None else None for one in found]
    faults = zip(*map(_fault, found), strict=True)
    columns = names, blocks, fingerprints, encodings, *faults
    return pa.RecordBatch.from_arrays(list(map(pa.array, columns, SCHEMA.types)), schema=SCHEMA)


def _fault(document: Document) -> tuple[str | None, int | None, str | None]:
    """Return the kind of the fault of a document without DER, its offset in the document, and its clause."""
    error = document.error
    if error is None or isinstance(error, (DecodeError, LimitError)):
        return (error.kind, error.offset - document.offset, error.rule) if error else (None, None, None)
    return (_PEM_INVALID if isinstance(error, PEMError) else _NOT_ASN1), None, None


def without_faults(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the result without the columns of `FAULTS`."""
    return pa.schema([field for field in schema if field.name not in FAULTS.values()])


def with_faults(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch of the result with the columns of `schema`, in which the faults of the input are errors, too."""
    columns = {name: batch.column(name) for name in schema.names}
    for name, fault in FAULTS.items():
        columns[name] = pc.coalesce(columns[name], batch.column(fault))
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=schema)


def _place(document: Document) -> tuple[str, int | None]:
    """Return the columns `file` and `block` of a document."""
    # File names that are not valid in the encoding of the system have surrogates, which UTF-8 cannot hold.
    name = document.file.encode("utf-8", "backslashreplace").decode()
    return name, None if document.alone else document.block or document.value


class Pending:
    """The documents whose rows have not been written, to find the one that a row with an error is from."""

    def __init__(self) -> None:
        self._documents: deque[Document] = deque()

    def watch(self, found: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents, and remember them."""
        for document in found:
            self._documents.append(document)
            yield document

    def find(self, file: str, block: int | None) -> Document:
        """Return the document that a row is from, and forget those before it. Rows are in the order of documents."""
        while _place(self._documents[0]) != (file, block):
            self._documents.popleft()
        return self._documents[0]

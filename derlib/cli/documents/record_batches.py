"""Read the documents of many files and folders as Arrow record batches of bounded size, for `derlib table`.

The columns are `file`, `block` (the number of the PEM block or DER value, null if the file has no other) and `der`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa

from derlib import PEMError
from derlib._files import files_in
from derlib.cli.documents.document_types import command_hint
from derlib.cli.documents.files import Document, Unreadable, documents, read
from derlib.cli.output.progress import track_files

__all__ = ["SCHEMA", "Pending", "documents_of", "record_batches"]

SCHEMA = pa.schema([("file", pa.string()), ("block", pa.int64()), ("der", pa.binary())])

#: A batch ends when its encodings have this many bytes.
_BATCH_BYTES = 32 << 20


def documents_of(
    files: Iterable[str], labels: tuple[str, ...], report: Callable[[str, str], None], has_output_file: bool
) -> Iterator[Document]:
    """Yield the documents of files, and of all files in folders, in the order of their names. Show the progress.

    `report` is called with the name of a file that cannot be read, and the reason.
    """
    for file in track_files(_files(files, report), has_output_file=has_output_file):
        data = b""
        try:
            data = read(file)
            yield from documents(file, labels, data)
        except Unreadable as error:
            report(file, str(error))
        except PEMError as error:
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


def record_batches(found: Iterable[Document]) -> Iterator[pa.RecordBatch]:
    """Yield batches of documents. One document is never split, so a batch can be as large as the largest one."""
    waiting: list[Document] = []
    size = 0
    for document in found:
        waiting.append(document)
        size += len(document.der)
        if size >= _BATCH_BYTES:
            yield _batch(waiting)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting)


def _batch(found: list[Document]) -> pa.RecordBatch:
    names, blocks = zip(*map(_place, found), strict=True)
    columns = names, blocks, [one.der for one in found]
    return pa.RecordBatch.from_arrays(list(map(pa.array, columns, SCHEMA.types)), schema=SCHEMA)


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

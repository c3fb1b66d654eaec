"""The encodings in files as Arrow record batches of bounded size, for `Reader.read_files` and `derlib table`.

The columns are `file`, `block` (the number of the PEM block or DER value, null if the file has no other),
`fingerprint` (the hash of the bytes in the file), `der`, `NUMBER`, and those of `FAULTS`, for input that has no DER.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from derlib.errors import ASN1Error, DecodeError, LimitError, PEMError

__all__ = ["FAULTS", "NUMBER", "SCHEMA", "FileRow", "file_batches", "file_name", "with_faults", "without_faults"]

#: The column with the number of the row, from 0.
NUMBER = "#number"
#: The columns of the fault of input that has no DER, by the columns of the result for the error.
FAULTS = {"error": "#error", "error_offset": "#error_offset", "error_rule": "#error_rule"}
SCHEMA = pa.schema(
    [
        ("file", pa.string()),
        ("block", pa.int64()),
        ("fingerprint", pa.binary()),
        ("der", pa.binary()),
        (NUMBER, pa.int64()),
        *zip(FAULTS.values(), (pa.string(), pa.int64(), pa.string()), strict=True),
    ]
)

#: The kinds of faults of input that has no DER.
_PEM_INVALID = "pem-invalid"
_NOT_ASN1 = "not-asn1"

#: A batch ends when its encodings have this many bytes.
_BATCH_BYTES = 32 << 20


class FileRow(NamedTuple):
    """An encoding in a file, as a row.

    Attributes:
        file: the path of the file.
        block: the number of the PEM block or DER value, from 1; None if the file has no other.
        octets: the encoding as it is in the file; empty if it is missing.
        der: the encoding as DER.
        error: why the input has no DER, or None.
        offset: the offset of the encoding in the file, from which the offset of an error counts.
    """

    file: str
    block: int | None
    octets: bytes
    der: bytes
    error: ASN1Error | None = None
    offset: int = 0


def file_batches(rows: Iterable[FileRow], *, hashes: bool) -> Iterator[pa.RecordBatch]:
    """Yield batches of rows. One encoding is never split, so a batch can be as large as the largest one.

    Without `hashes`, the column `fingerprint` is null: hashing large CRLs takes time.
    """
    waiting: list[FileRow] = []
    size = first = 0
    for row in rows:
        waiting.append(row)
        size += len(row.der)
        if size >= _BATCH_BYTES:
            yield _batch(waiting, hashes, first)
            first += len(waiting)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting, hashes, first)


def _batch(rows: list[FileRow], hashes: bool, first: int) -> pa.RecordBatch:
    names = [file_name(row.file) for row in rows]
    blocks = [row.block for row in rows]
    fingerprints = [sha256(row.octets).digest() if hashes and row.octets else None for row in rows]
    encodings = [row.der if row.error is None else None for row in rows]
    faults = zip(*map(_fault, rows), strict=True)
    columns = names, blocks, fingerprints, encodings, range(first, first + len(rows)), *faults
    return pa.RecordBatch.from_arrays(list(map(pa.array, columns, SCHEMA.types)), schema=SCHEMA)


def file_name(path: str) -> str:
    """Return the column `file` for a path."""
    # File names that are not valid in the encoding of the system have surrogates, which UTF-8 cannot hold.
    return path.encode("utf-8", "backslashreplace").decode()


def _fault(row: FileRow) -> tuple[str | None, int | None, str | None]:
    """Return the kind of the fault of an input without DER, its offset in the input, and its clause."""
    error = row.error
    if error is None or isinstance(error, (DecodeError, LimitError)):
        return (error.kind, error.offset - row.offset, error.rule) if error else (None, None, None)
    return (_PEM_INVALID if isinstance(error, PEMError) else _NOT_ASN1), None, None


def without_faults(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the result without `NUMBER` and the columns of `FAULTS`."""
    return pa.schema([field for field in schema if field.name not in (NUMBER, *FAULTS.values())])


def with_faults(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch of the result with the columns of `schema`, in which the faults of the input are errors, too."""
    columns = {name: batch.column(name) for name in schema.names}
    for name, fault in FAULTS.items():
        columns[name] = pc.coalesce(columns[name], batch.column(fault))
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=schema)

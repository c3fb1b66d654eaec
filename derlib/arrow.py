"""Tables or files of DER in, tables of columns out: `derlib.columns` on Arrow record batches. It needs pyarrow.

A `Reader` says which column has the encodings, what to read from them, and which other columns to keep. It can be
pickled, so the functions in `derlib.cluster` send it to the workers of Dask, Spark and Ray.

    >>> from pyarrow import parquet
    >>> from derlib.arrow import certificates_reader
    >>> reader = certificates_reader(["serial_number", "not_after"], der="der", keep=["host"])
    >>> table = reader.read_table(parquet.read_table("scan.parquet"))  # doctest: +SKIP
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("derlib.arrow needs pyarrow: pip install pyarrow") from error

from derlib import ASN1Error, Column, Columns, DecodeError, Deviation, LimitError, Limits, columns
from derlib._file_batches import FAULTS, SCHEMA, FileRow, file_batches, with_faults, without_faults
from derlib._files import encodings_in, files_of, in_file, raise_error

__all__ = ["Reader", "certificates_reader", "entries_reader"]

#: The column that says which input a row is from, while the table is made.
_INPUT = "#input"


@dataclass(frozen=True)
class Reader:
    """Reads columns from the encodings in one column of Arrow tables, or in files.

    The result has the columns `keep` of the table, `fingerprint` if it is asked for, the columns of `paths`, and with
    ``on_error="null"`` the columns `error`, `error_offset` and `error_rule`. A null encoding is a row of nulls.

    Attributes:
        type: the type of the encodings, as for `derlib.columns`.
        paths: the path of each column, as for `derlib.columns`.
        der: the name of the column with the encodings.
        keep: the columns of the table that the result has, too. They repeat if an encoding has several rows.
        fingerprint: whether the result has a column `fingerprint`, the SHA-256 hash of the encoding.
        on_error: `"null"` makes an encoding that is not valid a row of nulls with its error; `"raise"` stops at it.
        batch_rows: the most rows of a batch.
        limits: the limits of each encoding.
        tolerate: the deviations from DER that each encoding may have.
    """

    type: Any
    paths: Mapping[str, str | Column]
    der: str = "der"
    keep: Sequence[str] = ()
    fingerprint: bool = False
    on_error: Literal["raise", "null"] = "null"
    batch_rows: int = 65536
    limits: Limits | None = None
    tolerate: Deviation | None = None

    def __post_init__(self) -> None:
        if isinstance(self.keep, str):
            raise TypeError("keep: expected the names of columns, got str")
        object.__setattr__(self, "keep", tuple(self.keep))
        names = [*self._first, *self._columns(()).schema]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"there are two columns with the name {name!r}")

    @property
    def _first(self) -> list[str]:
        """The names of the columns that are not read from the encodings."""
        return [*self.keep, *(["fingerprint"] if self.fingerprint else [])]

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the Arrow schema of the result for a table with this schema.

        Raises:
            KeyError: the table has no column that the reader needs.
            TypeError: the column of the encodings is not binary.
        """
        for name in (self.der, *self.keep):
            if name not in schema.names:
                raise KeyError(f"the table has no column {name!r}; it has {', '.join(schema.names)}")
            if schema.names.count(name) > 1:
                raise KeyError(f"the table has several columns {name!r}")
        found = schema.field(self.der).type
        # A table without any encoding can have the type null.
        if not (_is_binary(found) or pa.types.is_null(found)):
            raise TypeError(f"the column {self.der!r} has the type {found}, not binary")
        first = [schema.field(name) for name in self.keep]
        if self.fingerprint:
            first.append(pa.field("fingerprint", pa.binary()))
        return pa.schema([*first, *pa.schema(self._columns(()))])

    def read(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches of the result, in the order of the encodings. At most one batch of either is in memory.

        Raises:
            derlib.DecodeError: an encoding is not valid, and `on_error` is `"raise"`.
        """
        schema = None
        for batch in batches:
            if schema is None:
                schema = self.schema(batch.schema)
            yield from self._read(batch, schema)

    def read_table(self, table: pa.Table) -> pa.Table:
        """Return the result for a whole table."""
        return pa.Table.from_batches(self.read(table.to_batches()), self.schema(table.schema))

    def read_files(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        on_unread: Callable[[OSError], object] | None = None,
    ) -> pa.RecordBatchReader:
        """Return a reader of the batches of the encodings in files and folders. One file at a time is in memory.

        The result begins with the columns `file`, the path, and `block`, the number of the PEM block or DER value, or
        of the certificate or CRL in a SignedData such as a .p7b file; it is null if the file has no other. With
        ``on_error="null"``, the error of a PEM block that is not valid is `pem-invalid`, and that of an empty file
        `not-asn1`.

        Args:
            paths: a path, or an iterable of paths. Each block of a PEM file is an encoding, and each of the values that
                follow each other in a DER file. For certificates and CRLs, those in a SignedData are the encodings in
                its place. The files of folders are read in the order of their names.
            on_unread: called with the error of each file or folder that cannot be opened, which then has no rows, such
                as `print`; None raises the error.

        Raises:
            ValueError: the reader keeps columns, or a column has the name `file` or `block`.

        While the batches are read:

        Raises:
            OSError: a file cannot be opened, and `on_unread` is None.
            derlib.DecodeError, derlib.PEMError: an encoding is not valid, and the reader raises errors.

        >>> reader = certificates_reader(["not_after"]).read_files("certificates/", on_unread=print)
        >>> reader.schema.names
        ['file', 'block', 'not_after', 'error', 'error_offset', 'error_rule']
        """
        if self.keep:
            raise ValueError(f"files have no columns to keep, such as {self.keep[0]!r}")
        given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
        faults = FAULTS.values() if self.on_error == "null" else ()
        kept = ["file", "block", *(["fingerprint"] if self.fingerprint else []), *faults]
        inner = replace(self, keep=kept, fingerprint=False, der="der")
        rows = _rows(given, self.type, on_unread or raise_error, self.tolerate, is_strict=not faults)
        schema = inner.schema(SCHEMA)
        batches = inner.read(file_batches(rows, hashes=self.fingerprint))
        if faults:
            result = without_faults(schema)
            return pa.RecordBatchReader.from_batches(result, (with_faults(batch, result) for batch in batches))
        return pa.RecordBatchReader.from_batches(schema, batches)

    def _columns(self, encodings: Any, name: str | None = None) -> Columns:
        return columns(
            self.type,
            encodings,
            self.paths,
            on_error=self.on_error,
            input_column=name,
            batch_rows=self.batch_rows,
            limits=self.limits,
            tolerate=self.tolerate,
        )

    def _read(self, batch: pa.RecordBatch, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        """Yield the batches of the result for one batch."""
        encodings = batch.column(self.der)
        if pa.types.is_fixed_size_binary(encodings.type):
            encodings = encodings.cast(pa.binary())
        read = self._columns(encodings, _INPUT)
        first = [batch.column(name) for name in self.keep]
        if self.fingerprint:
            hashes = [None if one is None else hashlib.sha256(one).digest() for one in encodings.to_pylist()]
            first.append(pa.array(hashes, pa.binary()))
        reader = pa.RecordBatchReader.from_stream(read)
        while True:
            try:
                rows = reader.read_next_batch()
            except StopIteration:
                return
            except Exception:
                if read.error is not None:
                    raise _with_file(read, batch) from None
                raise
            position = rows.schema.get_field_index(_INPUT)
            numbers = rows.column(position)
            cells = [column for i, column in enumerate(rows.columns) if i != position]
            yield pa.RecordBatch.from_arrays([*(column.take(numbers) for column in first), *cells], schema=schema)


def certificates_reader(
    names: Iterable[str] | None = None,
    *,
    extra: Mapping[str, str | Column] | None = None,
    der: str = "der",
    keep: Sequence[str] = (),
    fingerprint: bool = False,
    on_error: Literal["raise", "null"] = "null",
    batch_rows: int = 65536,
    limits: Limits | None = None,
    tolerate: Deviation | None = None,
) -> Reader:
    """Return a `Reader` of certificates.

    Args:
        names: columns of `derlib.schemas.x509.certificates_table`; None for its usual columns.
        extra: paths of more columns, as for `derlib.columns`.
        der, keep, fingerprint, on_error, batch_rows, limits, tolerate: as the attributes of `Reader`.

    Raises:
        ValueError: the table has no column with a name in `names`, two columns have the same name, or an option is not
            valid.
        KeyError: the type has no part at a path in `extra`.

    >>> certificates_reader(["not_after"], keep=["id"]).keep
    ('id',)
    """
    from derlib.schemas.tables import CERTIFICATE_COLUMNS, chosen
    from derlib.schemas.x509 import Certificate

    return Reader(
        Certificate,
        chosen(CERTIFICATE_COLUMNS, names, extra),
        der=der,
        keep=keep,
        fingerprint=fingerprint,
        on_error=on_error,
        batch_rows=batch_rows,
        limits=limits,
        tolerate=tolerate,
    )


def entries_reader(
    names: Iterable[str] | None = None,
    *,
    extra: Mapping[str, str | Column] | None = None,
    der: str = "der",
    keep: Sequence[str] = (),
    fingerprint: bool = False,
    on_error: Literal["raise", "null"] = "null",
    batch_rows: int = 65536,
    limits: Limits | None = None,
    tolerate: Deviation | None = None,
) -> Reader:
    """Return a `Reader` of the entries of CRLs.

    Args:
        names: columns of `derlib.schemas.crl.entries_table`; None for its usual columns.
        extra: paths of more columns, as for `derlib.columns`.
        der, keep, fingerprint, on_error, batch_rows, limits, tolerate: as the attributes of `Reader`.

    Raises:
        ValueError: the table has no column with a name in `names`, two columns have the same name, or an option is not
            valid.
        KeyError: the type has no part at a path in `extra`.

    >>> list(entries_reader(["serial_number"]).paths)
    ['serial_number']
    """
    from derlib.schemas.crl import CertificateList
    from derlib.schemas.tables import CRL_ENTRY_COLUMNS, chosen

    return Reader(
        CertificateList,
        chosen(CRL_ENTRY_COLUMNS, names, extra),
        der=der,
        keep=keep,
        fingerprint=fingerprint,
        on_error=on_error,
        batch_rows=batch_rows,
        limits=limits,
        tolerate=tolerate,
    )


def _rows(
    paths: Iterable[str | os.PathLike[str]],
    type: Any,
    on_unread: Callable[[OSError], object],
    tolerate: Deviation | None,
    *,
    is_strict: bool,
) -> Iterator[FileRow]:
    """Yield the encodings of a type in files. If `is_strict`, raise the error of a PEM block."""
    for file in files_of(paths, on_unread):
        try:
            for _, block, der, error in encodings_in(file, type, tolerate):
                if error is not None and is_strict:
                    raise in_file(error, file)
                fault = error if der or is_strict else error or ASN1Error("the file is empty")
                yield FileRow(file, block, der, der, fault)
        except OSError as error:
            on_unread(error)


def _with_file(read: Columns, batch: pa.RecordBatch) -> BaseException:
    """Return the error of a reading, with the file of the encoding if the encodings are from files."""
    error = read.error
    assert error is not None
    if batch.schema.equals(SCHEMA) and read.error_input is not None and isinstance(error, (DecodeError, LimitError)):
        error.detail += f" ({batch.column('file')[read.error_input]})"
    return error


def _is_binary(type: pa.DataType) -> bool:
    return any(
        is_type(type)
        for is_type in (
            pa.types.is_binary,
            pa.types.is_large_binary,
            pa.types.is_fixed_size_binary,
            pa.types.is_binary_view,
        )
    )

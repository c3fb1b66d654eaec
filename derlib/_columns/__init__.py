"""`derlib.columns`: tables from DER, for Arrow, Polars, DuckDB and pandas.

The core reads the values without making Python objects of them (derlib/core/columns). `paths` finds the steps of each
path in the type, `cells` chooses the type of each column, and `programs` keeps the result for the next call.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, Literal

from derlib._brief import brief
from derlib._columns.cells import Column, arrow_type
from derlib._columns.programs import program_of
from derlib._core import ArrowInputs, ColumnLeaf, ColumnProgram, ColumnStream, require_options
from derlib._files import FileInputs
from derlib._options import Deviation, Limits
from derlib._schema.compiler import plan_of

__all__ = ["Column", "Columns", "columns"]


class Columns:
    """The columns of `columns`. It has the Arrow PyCapsule interface, so Arrow libraries read it as a table.

    Attributes:
        schema: the Arrow type of each column, by name.

    >>> import derlib
    >>> table = derlib.columns(derlib.SequenceOf[int], bytes.fromhex("3006020101020102"), {"number": "[*]"})
    >>> table.schema
    {'number': 'int64'}
    """

    __slots__ = (
        "_batch_rows",
        "_inputs",
        "_limits",
        "_null_on_error",
        "_program",
        "_read",
        "_stream",
        "_threads",
        "_tolerate",
        "_type",
        "_unread",
        "schema",
    )

    schema: dict[str, str]

    def __init__(
        self,
        type: Any,
        program: ColumnProgram,
        inputs: Iterable[Any],
        null_on_error: bool,
        batch_rows: int,
        limits: Limits | None,
        threads: int,
        tolerate: Deviation | None = None,
    ) -> None:
        self._type = type
        self._program = program
        self._inputs = inputs
        self._null_on_error = null_on_error
        self._batch_rows = batch_rows
        self._limits = limits
        self._threads = threads
        self._tolerate = tolerate
        self._read = False
        self._stream: ColumnStream | None = None
        self._unread: list[OSError] = []
        self.schema = {
            name: f"list<{arrow_type(leaf, width)}>" if listed else arrow_type(leaf, width)
            for name, leaf, listed, _, width in program.columns
        }

    @property
    def error(self) -> BaseException | None:
        """The exception that ended the last reading, or None.

        Arrow libraries raise an exception of their own, which has its message.
        """
        return None if self._stream is None else self._stream.error

    @property
    def error_input(self) -> int | None:
        """The number of the input that `error` is about, counted from 0; None if it is not about an input."""
        return None if self._stream is None or self._stream.error_input < 0 else self._stream.error_input

    @property
    def lost(self) -> dict[str, int]:
        """The number of values that the last reading made null because their column cannot hold them, by column.

        These are the times that `datetime` cannot hold either (year 0 and leap seconds), integers of more than 8,192
        bits in a column of text, integers with more digits than a decimal, values that do not have the width of their
        column and, with `on_error="null"`, integers that do not fit int64.
        """
        counts = (0,) * len(self.schema) if self._stream is None else self._stream.lost
        return dict(zip(self.schema, counts, strict=True))

    @property
    def unread(self) -> tuple[OSError, ...]:
        """The errors of the files that the last reading could not open. With `on_error="null"`, they have no rows.

        `filename` of each error is the path. With `on_error="raise"`, the first such error is `error` instead.
        """
        return tuple(self._unread)

    def __arrow_c_schema__(self) -> object:
        """Return the Arrow schema in a PyCapsule."""
        return self._program.schema_capsule()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a stream of record batches in a PyCapsule. The requested schema is not used, as Arrow allows."""
        inputs = ArrowInputs(self._inputs) if is_arrow(self._inputs) else iter(self._inputs)
        if inputs is self._inputs:
            if self._read:
                raise ValueError("the inputs were an iterator, which has been read; pass a list to read them again")
            self._read = True
        self._unread = []
        self._stream = ColumnStream(
            self._program,
            inputs,
            self._batch_rows,
            self._null_on_error,
            self._limits,
            self._threads,
            # Without a reference to this object, so that reference counting frees the stream immediately.
            partial(
                _in_files,
                self._type,
                self._unread if self._null_on_error else None,
                self._tolerate,
            ),
            self._tolerate,
        )
        return self._stream.capsule()

    def __repr__(self) -> str:
        return f"Columns({', '.join(f'{name}: {type}' for name, type in self.schema.items())})"


def columns(
    type: Any,
    data: Any,
    paths: Mapping[str, str | Column],
    *,
    on_error: Literal["raise", "null"] = "raise",
    input_column: str | None = None,
    batch_rows: int = 65536,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    threads: int = 1,
) -> Columns:
    """Read parts of DER values as columns of a table, without a Python object for each value.

    Each input is validated as `decode` does. `pyarrow.table`, `polars.DataFrame`, DuckDB and pandas take the result,
    which reads the inputs when they ask for batches.

    A path has names of fields and alternatives, and these steps for a list: ``[*]`` makes each element a row, ``[3]``
    takes one element, ``[]`` makes a list column, and ``["2.5.29.17"]`` takes the first element with this OBJECT
    IDENTIFIER, and then the value that it selects. A field name after a list means ``[]``, as does a second ``[*]``.
    Paths without ``[*]`` repeat in each row of their input.

    Args:
        type: a schema class, or another type that `decode` takes.
        data: one encoding, an iterable of encodings, or an Arrow column of type binary, large_binary or binary_view,
            such as one of pyarrow, Polars or DuckDB, which is not copied. None and null are missing values. Also a
            `pathlib.Path`, or an iterable of them: files of DER or PEM, and folders of such files. For certificates
            and CRLs, those in a SignedData, such as a .p7b file, are the inputs in its place.
        paths: the path of each column, or a `Column`, by name.
        on_error: `"raise"` stops at the first input that is not valid, or file that cannot be opened. `"null"` gives
            such an input a row of nulls, and adds the columns `error` (the kind of the `DecodeError`), `error_offset`
            and `error_rule`; such a file has no row, and `unread` of the result has its error.
        input_column: the name of a column with the number of the input that a row comes from.
        batch_rows: the most rows of a batch.
        tolerate: the deviations from DER that each input may have. Values in a tolerated form read as `decode` reads
            them. Which faults an input has is not recorded.
        limits: the limits of each input.
        threads: the number of threads. They divide the inputs, and the elements of one large list. The rows and errors
            are the same; batches can have fewer rows, and more inputs are read ahead.

    Raises:
        KeyError: the type has no part at a path. The message has the name that is most similar.
        ValueError: a path or an option is not valid.

    >>> import derlib
    >>> from derlib.schemas.crl import CertificateList
    >>> entries = "tbs_cert_list.revoked_certificates[*]"
    >>> derlib.columns(CertificateList, [], {
    ...     "serial": derlib.Column(f"{entries}.user_certificate", "binary"),
    ...     "date": f"{entries}.revocation_date",
    ...     "reason": f'{entries}.crl_entry_extensions["2.5.29.21"]',
    ... })
    Columns(serial: binary, date: timestamp[s, UTC], reason: int64)
    """
    plan = plan_of(type)
    require_options(tolerate, limits)
    if on_error not in ("raise", "null"):
        raise ValueError(f"on_error: expected 'raise' or 'null', got {brief(on_error)}")
    if isinstance(data, str):
        raise TypeError("expected bytes, a pathlib.Path, or an iterable of them, got str")
    if not isinstance(batch_rows, int) or not 1 <= batch_rows < 1 << 31:
        raise ValueError(f"batch_rows: expected an int from 1 to {(1 << 31) - 1}, got {brief(batch_rows)}")
    if not isinstance(threads, int) or not 1 <= threads <= 256:
        raise ValueError(f"threads: expected an int from 1 to 256, got {brief(threads)}")
    own: list[tuple[str, int]] = [] if input_column is None else [(input_column, ColumnLeaf.LEAF_INPUT)]
    if on_error == "null":
        own += [
            ("error", ColumnLeaf.LEAF_ERROR),
            ("error_offset", ColumnLeaf.LEAF_ERROR_OFFSET),
            ("error_rule", ColumnLeaf.LEAF_ERROR_RULE),
        ]
    program = program_of(plan, paths, own, tolerate)
    if isinstance(data, (bytes, bytearray, memoryview)) or not (hasattr(data, "__iter__") or is_arrow(data)):
        data = [data]
    return Columns(type, program, data, on_error == "null", batch_rows, limits, threads, tolerate)


def _in_files(
    type: Any,
    unread: list[OSError] | None,
    tolerate: Deviation | None,
    first: os.PathLike[str],
    others: Iterator[os.PathLike[str]],
) -> FileInputs:
    """Return the encodings in files. With a list for the errors of files that cannot be read, go on after an error."""
    paths = chain([first], others)
    if unread is None:
        return FileInputs(paths, type, skip_invalid=False, tolerate=tolerate)

    def add(error: OSError) -> None:
        # A traceback would keep the frames, and so the contents of files.
        unread.append(error.with_traceback(None))

    return FileInputs(paths, type, unread=add, skip_invalid=True, tolerate=tolerate)


def is_arrow(data: Any) -> bool:
    """Return whether an object has the Arrow PyCapsule interface."""
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")

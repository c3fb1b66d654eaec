"""Write Arrow record batches as Parquet, Arrow, CSV or lines of JSON, one batch after the other.

In text, bytes are hexadecimal and times have the form 2026-11-01T00:00:00Z. CSV has lists and structs as JSON,
and JSON decimals as text.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from types import MappingProxyType
from typing import IO, Any

import pyarrow as pa

from derlib.cli.output.escapes import visible
from derlib.cli.output.standard_output import closed

__all__ = ["FORMATS", "TEXT_FORMATS", "write_batches"]

Batches = Iterable[pa.RecordBatch]
#: The functions that return what CSV and JSON have for a value in some columns, by the names of the columns.
Texts = Mapping[str, Callable[[Any], Any]]


def write_batches(
    path: str | None, form: str, schema: pa.Schema, batches: Batches, texts: Texts = MappingProxyType({})
) -> None:
    """Write batches to a file, or to standard output. Raises OSError.

    A new file appears when it is complete: an error leaves none, and keeps an old one. `texts` is for CSV and JSON.
    """
    with _sink(path) as sink:
        if form in TEXT_FORMATS:
            TEXT_FORMATS[form](sink, schema.names, (_columns(batch, texts) for batch in batches))
        else:
            FORMATS[form](sink, schema, batches)


@contextmanager
def _sink(path: str | None) -> Iterator[IO[bytes]]:
    if path is None:
        if sys.stdout is None:
            raise closed()
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):
        # A device or a pipe.
        with open(path, "wb") as stream:
            yield stream
        return
    target = os.path.realpath(path)
    part = f"{target}.{os.getpid()}.part"
    try:
        with open(part, "xb") as stream:
            yield stream
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def _parquet(sink: IO[bytes], schema: pa.Schema, batches: Batches) -> None:
    from pyarrow import parquet

    with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)


def _arrow(sink: IO[bytes], schema: pa.Schema, batches: Batches) -> None:
    with pa.ipc.new_file(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _csv(sink: IO[bytes], names: list[str], batches: Iterable[list[list[Any]]]) -> None:
    # On a terminal, the contents of a file must not control it; programs get the text as it is.
    cell = _shown_cell if sink.isatty() else _cell
    text = io.TextIOWrapper(sink, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        for columns in batches:
            writer.writerows(zip(*(map(cell, column) for column in columns), strict=True))
    finally:
        text.detach()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _shown_cell(value: Any) -> Any:
    found = _cell(value)
    return visible(found) if isinstance(found, str) else found


def _jsonl(sink: IO[bytes], names: list[str], batches: Iterable[list[list[Any]]]) -> None:
    for columns in batches:
        rows = zip(*columns, strict=True)
        lines = [json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=sink.isatty()) + "\n" for row in rows]
        sink.write("".join(lines).encode())


def _columns(batch: pa.RecordBatch, texts: Texts) -> list[list[Any]]:
    """Return the columns of a batch, with values that JSON has."""
    return [
        _plain(column, texts.get(name))
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]


def _plain(column: pa.Array, text: Callable[[Any], Any] | None) -> list[Any]:
    """Return the values of a column as JSON has them. `text` is the function of the column, if it has one."""
    if pa.types.is_timestamp(column.type):
        # Without the time zone, so that pyarrow does not look for a database of them.
        times = column.cast(pa.timestamp("s")).to_pylist()
        return [None if time is None else f"{time.isoformat()}Z" for time in times]
    if pa.types.is_list(column.type):
        # `flatten` leaves out the values of lists that are null.
        values = iter(_plain(column.flatten(), text))
        return [None if size is None else list(islice(values, size)) for size in column.value_lengths().to_pylist()]
    found: list[Any] = column.to_pylist()
    if text is None and pa.types.is_binary(column.type):
        text = bytes.hex
    if text is not None:
        return [None if value is None else text(value) for value in found]
    if pa.types.is_decimal(column.type):
        # Few programs read a number of JSON with all its digits.
        return [None if value is None else str(value) for value in found]
    return found


#: The functions that write each format, of which those for text take the values of the columns. A file name that ends
#: with ".NAME" chooses the format NAME.
FORMATS: dict[str, Callable[[IO[bytes], pa.Schema, Batches], None]] = {"parquet": _parquet, "arrow": _arrow}
TEXT_FORMATS: dict[str, Callable[[IO[bytes], list[str], Iterable[list[list[Any]]]], None]] = {
    "csv": _csv,
    "jsonl": _jsonl,
}

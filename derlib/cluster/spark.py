"""Columns with Apache Spark: `read_columns` for DataFrames, and the faster `convert_files` for Parquet files.

    >>> from derlib.arrow import certificates_reader
    >>> from derlib.cluster.spark import read_columns
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> frame = SparkSession.builder.getOrCreate().read.parquet("scan/")  # doctest: +SKIP
    >>> read_columns(frame, certificates_reader(keep=["host"])).write.parquet("columns/")  # doctest: +SKIP
"""

from __future__ import annotations

import os
import posixpath
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyarrow import fs, parquet

from derlib.arrow import Reader

__all__ = ["convert_files", "read_columns"]


def read_columns(frame: Any, reader: Reader) -> Any:
    """Return a Spark DataFrame with the columns that a reader reads from the encodings in another one.

    Nothing is read before an action. Times are timestamps in microseconds, because Spark has no others, and
    dictionaries are strings. Binary cells of a fixed size are binary, and ``decimal256`` raises TypeError. The size of
    the batches is the setting ``spark.sql.execution.arrow.maxRecordsPerBatch``.

    Args:
        frame: a `pyspark.sql.DataFrame`, in which the column of the encodings has the type BINARY.
        reader: what to read.

    Raises:
        KeyError, TypeError: as for `Reader.schema`. TypeError also if Spark lacks the type of a column.
    """
    from pyspark.sql import types

    # Other columns can have types that Arrow lacks, so they are removed first.
    names = [name for name in dict.fromkeys([reader.der, *reader.keep]) if name in frame.columns]
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    binary = types.BinaryType()
    # Only whether the columns are there, and whether the encodings are binary, matters here.
    source = pa.schema([(name, pa.binary() if kinds[name] == binary else pa.string()) for name in names])
    read = list(reader.schema(source))[len(reader.keep) :]
    kept = [frame.schema[name] for name in reader.keep]
    result = types.StructType([*kept, *(types.StructField(one.name, _spark_type(one.type)) for one in read)])

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in reader.read(batches):
            columns = [one.cast(_arrow_type(one.type)) for one in batch.columns]
            yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    return frame.select(*(f"`{name.replace('`', '``')}`" for name in names)).mapInArrow(run, result)


def convert_files(
    session: Any,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    reader: Reader,
    *,
    compression: str = "snappy",
) -> dict[str, int]:
    """Read the encodings in Parquet files, and write a Parquet file of columns for each; return their numbers of rows.

    Each file is a task of Spark. Its worker reads and writes it with pyarrow, so the data does not pass through the
    JVM, which takes most of the time of `read_columns`. A file of the result appears when it is complete, so Spark can
    repeat a task. If the work fails, the files that are complete remain.

    Args:
        session: a `pyspark.sql.SparkSession`.
        source: a folder, whose files ``*.parquet`` are read, also those in its folders; or one file. It is a path or a
            URI that pyarrow supports, such as ``s3://bucket/scan``. The workers must be able to read it.
        target: the folder of the result. A file has the same name in it as in the source.
        reader: what to read. `keep` can only name columns inside the files, not those in the names of folders.
        compression: as for `pyarrow.parquet.ParquetWriter`.

    Raises:
        FileExistsError: the folder of the result has files.
        FileNotFoundError: the source is not there, or has no Parquet file.
        KeyError, TypeError: as for `Reader.schema`.
    """
    read_from, path = _located(source)
    write_to, folder = _located(target)
    base, names = _parquet_files(read_from, path)
    if not names:
        raise FileNotFoundError(f"no Parquet files in {os.fspath(source)}")
    existing = write_to.get_file_info(fs.FileSelector(folder, recursive=True, allow_not_found=True))
    if any(one.is_file for one in existing):
        raise FileExistsError(f"{os.fspath(target)} has files already; the result needs an empty folder")
    reader.schema(parquet.read_schema(posixpath.join(base, names[0]), filesystem=read_from))
    # Spark and pyarrow ignore names that begin with an underscore.
    unfinished = posixpath.join(folder, f"_unfinished-{uuid.uuid4()}")
    write_to.create_dir(unfinished)

    def convert(name: str) -> int:
        part = posixpath.join(unfinished, str(uuid.uuid4()))
        rows = _convert_file(reader, read_from, posixpath.join(base, name), write_to, part, compression)
        final = posixpath.join(folder, name)
        write_to.create_dir(posixpath.dirname(final))
        write_to.move(part, final)
        return rows

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield pa.RecordBatch.from_pydict({"number": [number], "rows": [convert(names[number])]})

    try:
        done = session.range(0, len(names), 1, len(names)).mapInArrow(run, "number long, rows long").collect()
    finally:
        write_to.delete_dir(unfinished)
    return {names[number]: rows for number, rows in done}


def _located(path: str | os.PathLike[str]) -> tuple[fs.FileSystem, str]:
    """Return the file system of a path or URI, and the path in it."""
    path = os.fspath(path)
    if "://" in path:
        system, inside = fs.FileSystem.from_uri(path)
        return system, inside
    return fs.LocalFileSystem(), os.path.abspath(path)


def _parquet_files(system: fs.FileSystem, path: str) -> tuple[str, list[str]]:
    """Return a folder and the names of the Parquet files in it, or the folder and the name of one file."""
    if system.get_file_info(path).is_file:
        return posixpath.dirname(path), [posixpath.basename(path)]
    found = system.get_file_info(fs.FileSelector(path, recursive=True))
    names = [posixpath.relpath(one.path, path) for one in found if one.is_file and one.path.endswith(".parquet")]
    return path, sorted(name for name in names if not any(part.startswith(("_", ".")) for part in name.split("/")))


def _convert_file(
    reader: Reader, read_from: fs.FileSystem, source: str, write_to: fs.FileSystem, target: str, compression: str
) -> int:
    """Read a Parquet file and write another one with the columns; return the number of its rows."""
    rows = 0
    with parquet.ParquetFile(source, filesystem=read_from) as file:
        schema = reader.schema(file.schema_arrow)
        with parquet.ParquetWriter(target, schema, filesystem=write_to, compression=compression) as writer:
            for batch in reader.read(file.iter_batches(10_000)):
                writer.write_batch(batch)
                rows += batch.num_rows
    return rows


def _arrow_type(type: pa.DataType) -> pa.DataType:
    """Return the type that Spark takes for the type of a column of Arrow."""
    if pa.types.is_list(type):
        return pa.list_(_arrow_type(type.value_type))
    if pa.types.is_struct(type):
        return pa.struct([field.with_type(_arrow_type(field.type)) for field in type])
    if pa.types.is_timestamp(type):
        return pa.timestamp("us", type.tz)
    if pa.types.is_fixed_size_binary(type):
        return pa.binary()
    return type.value_type if pa.types.is_dictionary(type) else type


def _spark_type(type: pa.DataType) -> Any:
    """Return the type of Spark for the type of a column that is read."""
    from pyspark.sql import types

    type = _arrow_type(type)
    if pa.types.is_list(type):
        return types.ArrayType(_spark_type(type.value_type))
    if pa.types.is_struct(type):
        return types.StructType([types.StructField(field.name, _spark_type(field.type)) for field in type])
    if pa.types.is_timestamp(type):
        return types.TimestampType()
    if pa.types.is_decimal128(type):
        return types.DecimalType(type.precision, type.scale)
    known = {
        pa.int64(): types.LongType(),
        pa.bool_(): types.BooleanType(),
        pa.string(): types.StringType(),
        pa.binary(): types.BinaryType(),
    }
    if type not in known:
        raise TypeError(f"Spark has no type for {type}")
    return known[type]

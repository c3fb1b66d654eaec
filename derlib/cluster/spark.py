"""Columns with Apache Spark: `read_columns` maps a `Reader` over the record batches of a DataFrame.

    >>> from derlib.arrow import certificates_reader
    >>> from derlib.cluster.spark import read_columns
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> frame = SparkSession.builder.getOrCreate().read.parquet("scan/")  # doctest: +SKIP
    >>> read_columns(frame, certificates_reader(keep=["host"])).write.parquet("columns/")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from derlib.arrow import Reader

__all__ = ["read_columns"]


def read_columns(frame: Any, reader: Reader) -> Any:
    """Return a Spark DataFrame with the columns that a reader reads from the encodings in another one.

    Nothing is read before an action. Times are timestamps in microseconds, because Spark has no others, and
    dictionaries are strings. The size of the batches is the setting
    ``spark.sql.execution.arrow.maxRecordsPerBatch``.

    Args:
        frame: a `pyspark.sql.DataFrame`, in which the column of the encodings has the type BINARY.
        reader: what to read.

    Raises:
        KeyError, TypeError: as for `Reader.schema`.
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


def _arrow_type(type: pa.DataType) -> pa.DataType:
    """Return the type that Spark takes for the type of a column of Arrow."""
    if pa.types.is_list(type):
        return pa.list_(_arrow_type(type.value_type))
    if pa.types.is_timestamp(type):
        return pa.timestamp("us", type.tz)
    return type.value_type if pa.types.is_dictionary(type) else type


def _spark_type(type: pa.DataType) -> Any:
    """Return the type of Spark for the type of a column that is read."""
    from pyspark.sql import types

    type = _arrow_type(type)
    if pa.types.is_list(type):
        return types.ArrayType(_spark_type(type.value_type))
    if pa.types.is_timestamp(type):
        return types.TimestampType()
    known = {
        pa.int64(): types.LongType(),
        pa.bool_(): types.BooleanType(),
        pa.string(): types.StringType(),
        pa.binary(): types.BinaryType(),
    }
    return known[type]

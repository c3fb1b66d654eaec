"""Columns with Dask: `read_columns` maps a `Reader` over the partitions of a Dask DataFrame.

    >>> import dask.dataframe  # doctest: +SKIP
    >>> from derlib.arrow import certificates_reader
    >>> from derlib.cluster.dask import read_columns
    >>> frame = dask.dataframe.read_parquet("scan/", dtype_backend="pyarrow")  # doctest: +SKIP
    >>> read_columns(frame, certificates_reader(keep=["host"])).to_parquet("columns/")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from derlib.arrow import Reader

__all__ = ["read_columns"]


def read_columns(frame: Any, reader: Reader) -> Any:
    """Return a Dask DataFrame with the columns that a reader reads from the encodings in another one.

    Nothing is read before the result is computed. Its partitions are those of `frame`, and its columns have the types
    of Arrow (`pandas.ArrowDtype`). Read `frame` with ``dtype_backend="pyarrow"``, so that the encodings are not copied
    into Python objects.

    Args:
        frame: a `dask.dataframe.DataFrame`. The column of the encodings has ``bytes``, or the type of Arrow for them.
        reader: what to read.

    Raises:
        KeyError, TypeError: as for `Reader.schema`.
    """
    names = [name for name in dict.fromkeys([reader.der, *reader.keep]) if name in frame.columns]
    schema = reader.schema(pa.Schema.from_pandas(frame._meta, preserve_index=False))
    meta = _frame(schema.empty_table())
    return frame[names].map_partitions(_read, reader, meta=meta)


def _read(partition: Any, reader: Reader) -> Any:
    return _frame(reader.read_table(pa.Table.from_pandas(partition, preserve_index=False)))


def _frame(table: pa.Table) -> Any:
    import pandas as pd

    return table.to_pandas(types_mapper=pd.ArrowDtype)

"""Columns with Ray Data: `read_columns` maps a `Reader` over the blocks of a dataset.

    >>> import ray  # doctest: +SKIP
    >>> from derlib.arrow import certificates_reader
    >>> from derlib.cluster.ray import read_columns
    >>> dataset = ray.data.read_parquet("scan/")  # doctest: +SKIP
    >>> read_columns(dataset, certificates_reader(keep=["host"])).write_parquet("columns/")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from derlib.arrow import Reader

__all__ = ["read_columns"]


def read_columns(dataset: Any, reader: Reader, **options: Any) -> Any:
    """Return a Ray dataset with the columns that a reader reads from the encodings in another one.

    Nothing is read before the result is consumed.

    Args:
        dataset: a `ray.data.Dataset`, in which the column of the encodings is binary.
        reader: what to read.
        options: other arguments of `Dataset.map_batches`, such as ``num_cpus=1``.

    Raises:
        KeyError, TypeError: when the result is consumed, as for `Reader.schema`.
    """
    return dataset.map_batches(reader.read_table, batch_format="pyarrow", batch_size=None, **options)

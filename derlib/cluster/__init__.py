"""Columns on clusters: one function for each of Dask, Spark and Ray, with a `derlib.arrow.Reader`.

Each module has a function `read_columns`, which maps the reader over a table of encodings with the engine's own
interface for Arrow. The engine plans, distributes and repeats the work; derlib and pyarrow must be installed on its
workers. The modules are imported one by one, so none needs the others.
"""

"""Start Dask, Spark and Ray on this machine with two workers, run a `Reader` on them, and end one of the workers.

Called by bench/clusters.py and by the tests of the clusters.
"""

from __future__ import annotations

import os
import signal
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import pyarrow as pa

from derlib.arrow import Reader

ROOT = Path(__file__).resolve().parent.parent


class Engine(ABC):
    """An engine that runs, until `stop`."""

    @abstractmethod
    def run(self, source: Path, reader: Reader, target: Path) -> None:
        """Read the Parquet files of a folder with the engine, and write the result to another one."""

    @abstractmethod
    def read_rows(self, columns: dict[str, list[Any]], reader: Reader) -> list[tuple[Any, ...]]:
        """Return the rows that a reader reads from a table of Python values."""

    @abstractmethod
    def workers(self) -> list[int]:
        """Return the process ids of the workers that work now."""

    @abstractmethod
    def stop(self) -> None:
        """End the engine."""

    def end_worker(self) -> int | None:
        """End a worker that works with SIGKILL, and return its process id; None if there is none yet."""
        for pid in self.workers():
            os.kill(pid, signal.SIGKILL)
            return pid
        return None


class Dask(Engine):
    """A `LocalCluster` of two processes."""

    def __init__(self) -> None:
        from distributed import Client, LocalCluster

        self.cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        self.client = Client(self.cluster)
        self._pids = self.client.run(os.getpid)

    def run(self, source: Path, reader: Reader, target: Path) -> None:
        import dask.dataframe

        from derlib.cluster.dask import read_columns

        frame = dask.dataframe.read_parquet(source, dtype_backend="pyarrow", split_row_groups=5)
        read_columns(frame, reader).to_parquet(target, write_index=False)

    def read_rows(self, columns: dict[str, list[Any]], reader: Reader) -> list[tuple[Any, ...]]:
        import dask.dataframe
        import pandas as pd

        from derlib.cluster.dask import read_columns

        table = pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)
        frame = dask.dataframe.from_pandas(table, npartitions=len(table))
        result = read_columns(frame, reader).compute()
        return [tuple(row.values()) for row in pa.Table.from_pandas(result, preserve_index=False).to_pylist()]

    def workers(self) -> list[int]:
        working = self.client.processing()
        return [pid for address, pid in self._pids.items() if working.get(address)]

    def stop(self) -> None:
        self.client.close()
        self.cluster.close()


class Spark(Engine):
    """A cluster of two executors, each a process with one core. A task reads `task_mib` MiB."""

    def __init__(self, task_mib: int = 32) -> None:
        import pyspark

        os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost")
        os.environ["SPARK_WORKER_DIR"] = str(ROOT / "build" / "spark")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", str(ROOT)))
        builder = builder.config("spark.sql.files.maxPartitionBytes", f"{task_mib}m")
        builder = builder.config("spark.sql.files.openCostInBytes", "0")
        self.session = builder.config("spark.log.level", "ERROR").getOrCreate()
        # Both executors have started and imported derlib before anything is measured.
        self.session.range(4).repartition(4).mapInArrow(_imported, "id long").count()

    def run(self, source: Path, reader: Reader, target: Path) -> None:
        from derlib.cluster.spark import read_columns

        frame = self.session.read.parquet(str(source))
        read_columns(frame, reader).write.option("compression", "snappy").parquet(str(target))

    def read_rows(self, columns: dict[str, list[Any]], reader: Reader) -> list[tuple[Any, ...]]:
        from derlib.cluster.spark import read_columns

        schema = ", ".join(f"{name} {_SPARK_TYPES[name]}" for name in columns)
        frame = self.session.createDataFrame(list(zip(*columns.values(), strict=True)), schema)
        return [tuple(_plain(value) for value in row) for row in read_columns(frame, reader).collect()]

    def workers(self) -> list[int]:
        tracker = self.session.sparkContext.statusTracker()
        stages = [tracker.getStageInfo(one) for one in tracker.getActiveStageIds()]
        # In the middle: some tasks are done, others run.
        if not any(one and one.numCompletedTasks and one.numActiveTasks for one in stages):
            return []
        return _processes("CoarseGrainedExecutorBackend")

    def stop(self) -> None:
        self.session.stop()


class SparkFiles(Spark):
    """The same cluster, whose workers read and write the files themselves."""

    def run(self, source: Path, reader: Reader, target: Path) -> None:
        from derlib.cluster.spark import convert_files

        convert_files(self.session, source, target, reader)


class Ray(Engine):
    """A local Ray of two workers."""

    def __init__(self) -> None:
        import ray

        os.environ["RAY_DATA_DISABLE_PROGRESS_BARS"] = "1"
        environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT))}
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            object_store_memory=1 << 30,
            logging_level="ERROR",
            log_to_driver=False,
            runtime_env={"env_vars": environment},
        )
        self.ray = ray

    def run(self, source: Path, reader: Reader, target: Path) -> None:
        from derlib.cluster.ray import read_columns

        read_columns(self.ray.data.read_parquet(str(source)), reader).write_parquet(str(target))

    def read_rows(self, columns: dict[str, list[Any]], reader: Reader) -> list[tuple[Any, ...]]:
        from derlib.cluster.ray import read_columns

        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        dataset = self.ray.data.from_items(rows, override_num_blocks=len(rows))
        return [tuple(row.values()) for row in read_columns(dataset, reader).take_all()]

    def workers(self) -> list[int]:
        return _processes("ray::MapBatches", "ray::ReadFiles", "ray::ReadParquet")

    def stop(self) -> None:
        self.ray.shutdown()


_SPARK_TYPES = {"id": "long", "text": "string", "der": "binary"}


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray) else value


def _imported(batches: Any) -> Any:
    import time

    import derlib.arrow  # noqa: F401

    time.sleep(1)
    yield from batches


def _processes(*words: str) -> list[int]:
    """Return the processes below this one whose command line has one of the words."""
    import psutil

    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            line = " ".join(process.cmdline())
        except psutil.Error:
            continue
        if any(word in line for word in words):
            found.append(process.pid)
    return found


ENGINES: dict[str, type[Engine]] = {"dask": Dask, "spark": Spark, "spark-files": SparkFiles, "ray": Ray}

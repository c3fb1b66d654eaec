"""Read 1,000,000 certificates and 200 CRLs in one process, in two, and on Dask, Spark and Ray with two workers.

Called by hand: `build/engines/bin/python -m bench.clusters [--certificates N] [--crls N] [--engines NAME
...] [--runs N]`. `.ci/engines` creates the environment. Each engine reads all once to warm up, several times for the
figures, and once while one of its workers is killed. Every result is compared with that of one process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, dataset, parquet

from bench.engines import ENGINES, ROOT, Engine
from bench.harness.memory import peak as peak_memory
from bench.make_tables import batches, certificate, crl, write_tables
from bench.paths import BUILD, display
from derlib.arrow import Reader, certificates_reader, entries_reader

FOLDER = BUILD / "clusters"
READERS = {
    "certificates": certificates_reader(keep=["id"], fingerprint=True),
    "entries": entries_reader(keep=["id"]),
}
PACKAGES = {"dask": "dask", "spark": "pyspark", "spark-files": "pyspark", "ray": "ray"}


def in_process(source: Path, reader: Reader, target: Path, part: int = 0, parts: int = 1) -> None:
    """Read files, every `parts`-th from the one with the number `part`, and write a file for each."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.parquet"))[part::parts]:
        with (
            parquet.ParquetFile(path) as file,
            parquet.ParquetWriter(target / path.name, reader.schema(file.schema_arrow), compression="snappy") as writer,
        ):
            for batch in reader.read(file.iter_batches(10_000)):
                writer.write_batch(batch)


def part_command(name: str, source: Path, target: Path, part: int, parts: int) -> list[str]:
    """Return the command that calls `in_process`, and prints the peak of its memory in bytes and its CPU seconds."""
    return [sys.executable, "-m", "bench.clusters", "--part", name, str(source), str(target), str(part), str(parts)]


def in_two_processes(source: Path, reader: Reader, target: Path) -> None:
    """Read files in two processes, which are started for it."""
    name = next(name for name, one in READERS.items() if one is reader)
    commands = [part_command(name, source, target, part, 2) for part in (0, 1)]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for command in commands]
    for process in started:
        if process.wait():
            raise RuntimeError("a process failed")


def parts_of_work(source: Path, reader: Reader) -> dict[str, float]:
    """Return the microseconds per encoding that one process needs for each part of the work, on the first batches."""
    begin = time.perf_counter()
    found = list(islice(batches(source), 10))
    count = sum(batch.num_rows for batch in found)
    read = time.perf_counter()
    rows = list(Reader(reader.type, reader.paths).read(found))
    extracted = time.perf_counter()
    result = list(reader.read(found))
    whole = time.perf_counter()
    with parquet.ParquetWriter(FOLDER / "parts.parquet", result[0].schema, compression="snappy") as writer:
        for batch in result:
            writer.write_batch(batch)
    end = time.perf_counter()
    assert len(rows) == len(result)
    seconds = {
        "read Parquet": read - begin,
        "extract": extracted - read,
        "extract, keep columns and hash": whole - extracted,
        "write Parquet": end - whole,
    }
    return {name: round(value / count * 1e6, 2) for name, value in seconds.items()}


def equal(one: Path, other: Path, reader: Reader) -> bool:
    """Return whether two folders of Parquet files have the same rows; columns are compared one by one."""
    keys = ["id", "serial_number"]
    schema = dataset.dataset(one, format="parquet").schema
    orders = []
    for folder in (one, other):
        table = dataset.dataset(folder, format="parquet").to_table(columns=keys)
        orders.append(compute.sort_indices(table.cast(_types(schema, keys)), [(key, "ascending") for key in keys]))
    for name in schema.names:
        columns = [
            dataset.dataset(folder, format="parquet")
            .to_table(columns=[name])
            .cast(_types(schema, [name]))
            .column(0)
            .take(order)
            for folder, order in zip((one, other), orders, strict=True)
        ]
        if not columns[0].combine_chunks().equals(columns[1].combine_chunks()):
            print(f"  {name} differs")
            return False
    return True


def _types(schema: pa.Schema, names: list[str]) -> pa.Schema:
    """Return the types of columns, with large offsets, so that a column of a million rows is one array."""
    large = {pa.binary(): pa.large_binary(), pa.string(): pa.large_string()}
    return pa.schema([(name, large.get(schema.field(name).type, schema.field(name).type)) for name in names])


def timed(run: Callable[[], object], target: Path) -> dict[str, float]:
    """Run into an empty folder; return the seconds, and the load of the machine before."""
    shutil.rmtree(target, ignore_errors=True)
    load = os.getloadavg()[0]
    begin = time.perf_counter()
    run()
    return {"seconds": round(time.perf_counter() - begin, 2), "load": round(load, 2)}


def with_a_kill(engine: Engine, run: Callable[[], None], after: float) -> int:
    """Run, and kill a worker that works after some seconds; return its process id."""
    killed: list[int] = []
    done = threading.Event()

    def kill() -> None:
        done.wait(after)
        while not killed and not done.wait(0.05):
            pid = engine.end_worker()
            if pid is not None:
                killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        run()
    finally:
        done.set()
        thread.join()
    if not killed:
        raise RuntimeError("the work ended before a worker was killed")
    return killed[0]


def size(folder: Path) -> int:
    """Return the size of the Parquet files of a folder."""
    return sum(path.stat().st_size for path in folder.glob("*.parquet"))


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of all runs."""
    sources = {
        "certificates": write_tables(
            FOLDER / f"certificates-{options.certificates}", certificate, options.certificates, 50_000
        ),
        "entries": write_tables(FOLDER / f"crls-{options.crls}", crl, options.crls, 10),
    }
    figures: dict[str, Any] = {"python": platform.python_version(), "pyarrow": version("pyarrow")}
    for name, source in sources.items():
        reader, expected = READERS[name], FOLDER / f"{name}-one"
        found: dict[str, Any] = figures.setdefault(name, {})
        runs = [timed(lambda: in_process(source, reader, expected), expected) for _ in range(options.runs)]  # noqa: B023
        found["one process"] = runs
        found["rows"] = dataset.dataset(expected, format="parquet").count_rows()
        found["input bytes"], found["output bytes"] = size(source), size(expected)
        found["one new process"] = [of_a_process(name, source) for _ in range(options.runs)]
        target = FOLDER / f"{name}-two"
        runs = [timed(lambda: in_two_processes(source, reader, target), target) for _ in range(options.runs)]  # noqa: B023
        found["two processes"] = runs
        print(name, json.dumps(found, indent=1), flush=True)
        if not equal(expected, target, reader):
            raise RuntimeError("two processes: the result differs")
        found["microseconds per encoding"] = parts_of_work(source, reader)
        print(name, found["microseconds per encoding"], flush=True)
    for engine_name in options.engines:
        engine = ENGINES[engine_name]()
        try:
            for name, source in sources.items():
                target = FOLDER / f"{name}-{engine_name}"
                result = figures[name][engine_name] = measured(engine, name, source, target, options.runs)
                print(name, engine_name, version(PACKAGES[engine_name]), json.dumps(result), flush=True)
        finally:
            engine.stop()
    return figures


def measured(engine: Engine, name: str, source: Path, target: Path, runs: int) -> dict[str, Any]:
    """Return the figures of an engine. Raises RuntimeError if a result differs from that of one process."""
    reader, expected = READERS[name], FOLDER / f"{name}-one"

    def run() -> None:
        engine.run(source, reader, target)

    result: dict[str, Any] = {"first": timed(run, target)}
    result["runs"] = [timed(run, target) for _ in range(runs)]
    if not equal(expected, target, reader):
        raise RuntimeError(f"{engine}: the result differs")
    if name == "certificates":
        usual = statistics.median(one["seconds"] for one in result["runs"])
        result["with a killed worker"] = timed(lambda: with_a_kill(engine, run, usual / 3), target)
        if not equal(expected, target, reader):
            raise RuntimeError(f"{engine}: the result after a worker was killed differs")
    return result


def of_a_process(name: str, source: Path) -> dict[str, float]:
    """Return the CPU seconds, with the import of the modules, and the peak of memory of a process that reads a table.

    On a busy machine, the time of the processor says more than that of the clock.
    """
    command = part_command(name, source, FOLDER / "part", 0, 1)
    found = json.loads(subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout)
    return {"CPU seconds": round(found["cpu"], 2), "peak MiB": round(found["peak"] / 2**20, 1)}


def main() -> None:
    """Measure, print and store the figures."""
    parser = argparse.ArgumentParser(description="read certificates and CRLs on the engines of clusters")
    parser.add_argument("--certificates", type=int, default=1_000_000)
    parser.add_argument("--crls", type=int, default=200)
    parser.add_argument("--engines", nargs="*", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--part", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        name, source, target, part, parts = options.part
        in_process(Path(source), READERS[name], Path(target), int(part), int(parts))
        print(json.dumps({"peak": peak_memory(), "cpu": time.process_time()}))
        return
    figures = measure(options)
    path = FOLDER / "figures.json"
    path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(display(path))


if __name__ == "__main__":
    main()

"""The engines themselves: the result on two workers, of which one is killed, is that of one process.

`.ci/engines` installs Dask, Spark and Ray in an environment of their own, and runs these tests there. bench/clusters.py
does the same with 1,000,000 certificates.
"""

from __future__ import annotations

import importlib.util
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")
if importlib.util.find_spec("bench") is None:
    pytest.skip("bench/ is not beside the tests", allow_module_level=True)

import pyarrow as pa

from bench.engines import ENGINES, Engine, Spark
from bench.make_tables import batches, certificate, crl, write_tables
from derlib import Column
from derlib.arrow import Reader, certificates_reader, entries_reader

NEEDED = {"dask": "distributed", "spark": "pyspark", "spark-files": "pyspark", "ray": "ray"}
CERTIFICATES = certificates_reader(keep=["id"], fingerprint=True)
ENTRIES = entries_reader(keep=["id"])


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tables(tmp_path_factory.mktemp("in") / "certificates", certificate, 16_000, 1000)


@pytest.fixture(scope="module")
def crls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tables(tmp_path_factory.mktemp("in") / "crls", crl, 16, 2)


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if importlib.util.find_spec(NEEDED[request.param]) is None:
        pytest.skip(f"{NEEDED[request.param]} is not installed; .ci/engines installs it")
    if request.param.startswith("spark") and shutil.which("java") is None:
        pytest.skip("java is missing")
    started = Spark(task_mib=2) if request.param == "spark" else ENGINES[request.param]()
    yield started
    started.stop()


def read(source: Path, reader: Reader) -> pa.Table:
    """Return the result in one process."""
    return pa.Table.from_batches(reader.read(batches(source)))


def written(folder: Path, schema: pa.Schema) -> pa.Table:
    """Return the rows that an engine wrote, with the columns and types of the schema."""
    from pyarrow import dataset

    table = dataset.dataset(folder, format="parquet").to_table(columns=schema.names)
    return table.cast(schema).replace_schema_metadata()


def ordered(table: pa.Table) -> list[dict[str, object]]:
    return table.sort_by([("id", "ascending"), ("serial_number", "ascending")]).to_pylist()


def test_certificates_are_complete_although_a_worker_is_killed(
    engine: Engine, certificates: Path, tmp_path: Path
) -> None:
    killed: list[int] = []
    done = threading.Event()

    def kill() -> None:
        while not killed and not done.wait(0.02):
            pid = engine.end_worker()
            if pid is not None:
                killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        engine.run(certificates, CERTIFICATES, tmp_path / "out")
    finally:
        done.set()
        thread.join()
    assert killed, "the work ended before a worker was killed"
    expected = read(certificates, CERTIFICATES)
    assert expected.num_rows == 16_000
    assert 400 < expected.column("error").drop_null().length() < 900
    assert ordered(written(tmp_path / "out", expected.schema)) == ordered(expected)


def test_entries_of_crls_are_those_of_one_process(engine: Engine, crls: Path, tmp_path: Path) -> None:
    engine.run(crls, ENTRIES, tmp_path / "out")
    expected = read(crls, ENTRIES)
    assert expected.num_rows == 16 * 2000
    assert ordered(written(tmp_path / "out", expected.schema)) == ordered(expected)


def test_dictionaries_have_their_texts(engine: Engine, certificates: Path) -> None:
    path = "tbs_certificate.extensions[].extn_id"
    columns = {"dictionary": Column(path, "dictionary"), "text": Column(path, "text")}
    rows = next(batches(certificates)).slice(0, 5).select(["id", "der"]).to_pydict()
    found = engine.read_rows(rows, certificates_reader(["version"], keep=["id"], extra=columns))
    assert sorted(row[0] for row in found) == rows["id"]
    assert all(list(row[2] or ()) == list(row[3] or ()) for row in found)
    assert any(row[3] is not None and len(row[3]) > 2 for row in found)


def test_cells_of_a_fixed_size(engine: Engine, certificates: Path) -> None:
    path = "tbs_certificate.serial_number"
    columns = {"decimal": Column(path, "decimal"), "octets": Column(path, "binary", width=20)}
    rows = next(batches(certificates)).slice(0, 5).select(["id", "der"]).to_pydict()
    reader = certificates_reader(["version"], keep=["id"], extra=columns)
    found = sorted(engine.read_rows(rows, reader))
    expected = reader.read_table(pa.table(rows)).to_pylist()
    assert [row[2] for row in found] == [row["decimal"] for row in expected]
    assert [row[3] and bytes(row[3]) for row in found] == [row["octets"] for row in expected]
    assert any(row["octets"] for row in expected)


def test_structs(engine: Engine, certificates: Path) -> None:
    columns = {
        "subject": Column("tbs_certificate.subject", "attributes"),
        "names": Column('tbs_certificate.extensions["2.5.29.17"][]', "alternative"),
    }
    rows = next(batches(certificates)).slice(0, 5).select(["id", "der"]).to_pydict()
    reader = certificates_reader(["version"], keep=["id"], extra=columns)
    found = sorted(engine.read_rows(rows, reader), key=lambda row: row[0])
    expected = reader.read_table(pa.table(rows)).to_pylist()
    for row, cells in zip(found, expected, strict=True):
        for values, structs in zip(row[2:4], (cells["subject"], cells["names"]), strict=True):
            assert [_plain(value) for value in values or ()] == [[*each.values()] for each in structs or ()]
    assert any(cells["subject"] for cells in expected)


def _plain(value: Any) -> list[object]:
    """Return the fields of a struct, which is a dictionary or a row of Spark."""
    return [*(value.values() if isinstance(value, dict) else value)]


def test_wrong_columns_are_errors_before_the_work(engine: Engine) -> None:
    for reader in (certificates_reader(der="cert"), certificates_reader(keep=["ids"]), certificates_reader(der="id")):
        with pytest.raises(Exception, match=r"the (table has no column|column .id. has the type)"):
            engine.read_rows({"id": [1], "text": ["a"]}, reader)


def test_null_rows_and_partitions_without_a_valid_encoding(engine: Engine) -> None:
    rows = {"id": [1, 2, 3, 4], "der": [None, b"", None, b"0" * 5_000_000]}
    found = sorted(engine.read_rows(rows, certificates_reader(["not_after", "dns_names"], keep=["id"])))
    assert [row[0] for row in found] == [1, 2, 3, 4]
    assert [row[3] for row in found] == [None, "identifier-truncated", None, "content-truncated"]

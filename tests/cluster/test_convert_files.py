"""`convert_files` of `derlib.cluster.spark`, with a session that runs the tasks in this process.

test_engines.py runs it on Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("pyarrow", reason="pyarrow, the extra derlib[arrow], is not installed")

import pyarrow as pa
from pyarrow import parquet

from derlib import DecodeError, Sequence
from derlib.arrow import Reader
from derlib.cluster.spark import convert_files


class Item(Sequence):
    value: int


READER = Reader(Item, {"value": "value"}, keep=["id"])
STRICT = Reader(Item, {"value": "value"}, on_error="raise")


class Row(NamedTuple):
    number: int
    rows: int


class Session:
    """The parts of a session that `convert_files` calls. Each task runs `repeats` times."""

    def __init__(self, repeats: int = 1) -> None:
        self.repeats = repeats

    def range(self, start: int, end: int, step: int, partitions: int) -> Session:
        self.numbers = range(start, end, step)
        assert partitions == len(self.numbers)
        return self

    def mapInArrow(self, run: Callable[[Iterable[Any]], Iterator[Any]], schema: str) -> Session:
        assert schema == "number long, rows long"
        self.task = run
        return self

    def collect(self) -> list[Row]:
        found = {}
        for number in [*self.numbers] * self.repeats:
            for batch in self.task([pa.record_batch({"id": [number]})]):
                found.update({row["number"]: Row(**row) for row in batch.to_pylist()})
        return list(found.values())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    contents = {"a.parquet": [1, 2], "more/b.parquet": [3], "_left/c.parquet": [4], ".d.parquet": [5]}
    for name, numbers in contents.items():
        put(folder / name, {"id": numbers, "der": [Item(value=number).encode() for number in numbers]})
    (folder / "notes.txt").write_text("not Parquet")
    return folder


def put(path: Path, columns: dict[str, list[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.table(columns), path)


def files(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {
        path.relative_to(folder).as_posix(): parquet.read_table(path, partitioning=None).to_pylist()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("repeats", [1, 2])
@pytest.mark.parametrize("is_uri", [False, True])
def test_each_file_of_a_folder_becomes_a_file(source: Path, tmp_path: Path, repeats: int, is_uri: bool) -> None:
    target = tmp_path / "out"
    places = (source.as_uri(), target.as_uri()) if is_uri else (source, target)
    assert convert_files(Session(repeats), *places, READER) == {"a.parquet": 2, "more/b.parquet": 1}
    none = {"error": None, "error_offset": None, "error_rule": None}
    assert files(target) == {
        "a.parquet": [{"id": 1, "value": 1, **none}, {"id": 2, "value": 2, **none}],
        "more/b.parquet": [{"id": 3, "value": 3, **none}],
    }
    assert sorted(path.name for path in target.iterdir()) == ["a.parquet", "more"]


def test_one_file(source: Path, tmp_path: Path) -> None:
    found = convert_files(Session(), source / "more" / "b.parquet", tmp_path / "out", STRICT, compression="zstd")
    assert found == {"b.parquet": 1}
    assert files(tmp_path / "out") == {"b.parquet": [{"value": 3}]}
    assert parquet.ParquetFile(tmp_path / "out" / "b.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_a_folder_with_files_is_no_target(source: Path, tmp_path: Path) -> None:
    put(tmp_path / "out" / "old" / "x.parquet", {"a": [1]})
    with pytest.raises(FileExistsError, match="has files already"):
        convert_files(Session(), source, tmp_path / "out", READER)
    assert list(files(tmp_path / "out")) == ["old/x.parquet"]


def test_a_source_without_parquet_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(FileNotFoundError, match="no Parquet files in"):
        convert_files(Session(), tmp_path / "in", tmp_path / "out", READER)
    with pytest.raises(FileNotFoundError):
        convert_files(Session(), tmp_path / "nowhere", tmp_path / "out", READER)
    assert not (tmp_path / "out").exists()


def test_a_missing_column_is_an_error_before_the_work(source: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="the table has no column 'host'"):
        convert_files(Session(), source, tmp_path / "out", Reader(Item, {"value": "value"}, keep=["host"]))
    assert not (tmp_path / "out").exists()


def test_a_failed_task_leaves_no_part_of_its_file(source: Path, tmp_path: Path) -> None:
    put(source / "bad.parquet", {"id": [1, 2], "der": [Item(value=1).encode(), b"\x30\4\2\2\0\1"]})
    with pytest.raises(DecodeError):
        convert_files(Session(), source, tmp_path / "out", STRICT)
    assert list(files(tmp_path / "out")) == ["a.parquet"]

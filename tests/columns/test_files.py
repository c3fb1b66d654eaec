"""Files and folders as the inputs of columns."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Any

import pytest
from support import arrow

import derlib
from derlib import pem
from derlib._files import files_in

NUMBERS = {"number": "number"}


class Item(derlib.Sequence):
    number: int


def der(number: int) -> bytes:
    return Item(number=number).encode()


def written(folder: Path, **files: bytes | str) -> Path:
    """Write files, in whose names an underscore is a dot, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name.replace("_", ".")).write_bytes(data)
    return folder


def bundle(*numbers: int) -> str:
    return "".join(pem.encode(der(number), "ITEM") for number in numbers)


def read(data: Any, **options: Any) -> dict[str, list[Any]]:
    return arrow.table(derlib.columns(Item, data, NUMBERS, input_column="input", **options))


@pytest.mark.parametrize("threads", [1, 2])
def test_folders_der_files_and_pem_bundles(tmp_path: Path, threads: int) -> None:
    written(tmp_path, b_der=der(4), a_pem="a note\n" + bundle(1, 2), c_txt=bundle(5))
    written(tmp_path / "aa", x_der=der(6), y_pem=bundle(7, 8))
    assert read(tmp_path, threads=threads)["number"] == [1, 2, 4, 5, 6, 7, 8]
    assert read(tmp_path / "a.pem", threads=threads) == {"number": [1, 2], "input": [0, 1]}
    found = sorted(tmp_path.glob("*.der"))
    assert read([*found, tmp_path / "aa"], threads=threads) == {"number": [4, 6, 7, 8], "input": [0, 1, 2, 3]}
    assert read((one for one in found), threads=threads)["number"] == [4]


def test_a_der_file_with_several_values(tmp_path: Path) -> None:
    written(tmp_path, a_der=der(1) + der(2), b_der=der(3) + der(4) + b"\n")
    assert read(tmp_path / "a.der")["number"] == [1, 2]
    with pytest.raises(arrow.StreamError, match=r"b\.der: TruncatedError: at offset 0: the input ends at offset 1"):
        read(tmp_path)
    for tolerate in (derlib.Deviation.TRAILING_DATA, ~derlib.Deviation(0)):
        # The line end belongs to the last value.
        assert read(tmp_path, tolerate=tolerate)["number"] == [1, 2, 3, 4]
    assert read(tmp_path, on_error="null")["number"] == [1, 2, 3, 4, None]


def test_a_truncated_value_is_one_input(tmp_path: Path) -> None:
    written(tmp_path, a_der=der(1) + der(2) + der(3)[:-1], b_der=der(4) + der(5)[:-1], c_der=der(6))
    found = read(tmp_path, on_error="null")
    assert found["number"] == [1, 2, None, None, 6]
    # Offsets count from the start of the value. A single value with other data is one input.
    assert list(zip(found["error"], found["error_offset"], strict=True)) == [
        (None, None), (None, None), ("content-truncated", 0), ("trailing-data", 5), (None, None)
    ]  # fmt: skip
    tolerated = read(tmp_path, on_error="null", tolerate=derlib.Deviation.TRAILING_DATA)
    assert tolerated["number"] == [1, 2, 4, 6]


def test_a_folder_without_files_has_no_rows(tmp_path: Path) -> None:
    written(tmp_path / "folder")
    os.mkfifo(tmp_path / "queue")
    assert read(tmp_path)["number"] == []


def test_a_table_of_a_folder_can_be_read_twice(tmp_path: Path) -> None:
    columns = derlib.columns(Item, written(tmp_path, a_der=der(1)), NUMBERS)
    assert arrow.table(columns) == arrow.table(columns) == {"number": [1]}


def test_an_error_names_the_file(tmp_path: Path) -> None:
    written(tmp_path, a_pem=bundle(1, 2, 3), b_der=der(4), c_der=der(5)[:-1], d_der=der(6))
    columns = derlib.columns(Item, tmp_path, NUMBERS)
    with pytest.raises(arrow.StreamError, match=r"c\.der: TruncatedError"):
        arrow.table(columns)
    assert isinstance(columns.error, derlib.TruncatedError)
    assert columns.error_input == 4


def test_an_error_has_the_number_of_the_input() -> None:
    columns = derlib.columns(Item, [der(1), None, der(1 << 64)], NUMBERS)
    assert columns.error_input is None
    with pytest.raises(arrow.StreamError, match=r"^input 2: OverflowError: a value of column 'number'"):
        arrow.table(columns)
    assert columns.error_input == 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    columns = derlib.columns(Item, [tmp_path / "none"], NUMBERS)
    with pytest.raises(arrow.StreamError, match=r"FileNotFoundError: .*none"):
        arrow.table(columns)
    assert isinstance(columns.error, FileNotFoundError)
    assert columns.error_input is None
    failures: list[OSError] = []
    assert list(files_in(tmp_path / "none", failures.append)) == []
    assert [type(error) for error in failures] == [FileNotFoundError]


def test_a_link_in_a_folder_to_a_missing_file_is_an_error(tmp_path: Path) -> None:
    written(tmp_path, a_der=der(1))
    (tmp_path / "b.der").symlink_to("missing")
    columns = derlib.columns(Item, tmp_path, NUMBERS)
    with pytest.raises(arrow.StreamError, match=r"FileNotFoundError: .*b\.der"):
        arrow.table(columns)
    assert columns.unread == ()


@pytest.mark.parametrize("threads", [1, 2])
def test_with_null_rows_files_that_cannot_be_read_have_no_row_and_are_listed(tmp_path: Path, threads: int) -> None:
    written(tmp_path / "in", a_der=der(1), c_der=der(2))
    (tmp_path / "in" / "b.der").symlink_to("missing")
    paths = [tmp_path / "none", tmp_path / "in", tmp_path / "last"]
    columns = derlib.columns(Item, paths, NUMBERS, on_error="null", input_column="input", threads=threads)
    for _ in range(2):
        table = arrow.table(columns)
        assert (table["number"], table["input"], table["error"]) == ([1, 2], [0, 1], [None, None])
        assert [os.path.basename(error.filename) for error in columns.unread] == ["none", "b.der", "last"]
        assert all(isinstance(error, FileNotFoundError) and error.__traceback__ is None for error in columns.unread)


@pytest.mark.parametrize("threads", [1, 2])
def test_empty_files_and_damaged_pem(tmp_path: Path, threads: int) -> None:
    blocks = bundle(1).replace("MA", "M?") + bundle(2)
    written(tmp_path, a_der=b"", b_pem=blocks, c_der=der(3))
    result = read(tmp_path, on_error="null", threads=threads)
    assert result["number"] == [None, None, 2, 3]
    assert result["error"] == ["identifier-truncated", "pem-invalid", None, None]
    assert result["error_offset"] == [0, None, None, None]
    assert result["error_rule"] == ["X.690 8.1.2", None, None, None]
    columns = derlib.columns(Item, tmp_path / "b.pem", NUMBERS)
    with pytest.raises(arrow.StreamError, match=r"PEMError: line 2: .*b\.pem"):
        arrow.table(columns)


def test_paths_and_encodings_are_not_mixed(tmp_path: Path) -> None:
    path = written(tmp_path, a_der=der(1)) / "a.der"
    for inputs in ([path, der(2)], [der(2), path]):
        columns = derlib.columns(Item, inputs, NUMBERS)
        with pytest.raises(arrow.StreamError, match="TypeError"):
            arrow.table(columns)
    with pytest.raises(TypeError, match=r"expected bytes, a pathlib\.Path"):
        derlib.columns(Item, str(path), NUMBERS)


def test_a_mapped_file_is_an_encoding(tmp_path: Path) -> None:
    path = written(tmp_path, a_der=der(1)) / "a.der"
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert read(mapped)["number"] == read([mapped])["number"] == [1]


def test_places_of_files_that_were_read_long_ago_are_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derlib._files._REMEMBERED", 2)
    folder = written(tmp_path, a=der(1), b=der(2), c=der(3))
    inputs = derlib._files.FileInputs([folder], Item, skip_invalid=False)
    assert len(list(inputs)) == 3
    assert [inputs.place(number) for number in range(3)] == ["input 0", str(tmp_path / "b"), str(tmp_path / "c")]

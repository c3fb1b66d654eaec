"""Inputs in Arrow columns: they equal a list of the same encodings, and a producer that is wrong gets an error."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow
from support.arrow_producer import ArrayProducer, StreamProducer, capsule

import derlib
from derlib import SequenceOf

NUMBERS = SequenceOf[int]
PATHS: dict[str, str | derlib.Column] = {"number": "[*]"}
GOOD = derlib.encode([1, 2], NUMBERS)
LONG = derlib.encode(list(range(40)), NUMBERS)


def read(data: Any, **options: Any) -> dict[str, list[Any]]:
    return arrow.table(derlib.columns(NUMBERS, data, PATHS, on_error="null", input_column="#", **options))


def error_of(data: Any) -> BaseException | None:
    """Return the exception that ends the reading."""
    columns = derlib.columns(NUMBERS, data, PATHS, on_error="null")
    try:
        arrow.table(columns)
    except arrow.StreamError:
        return columns.error
    except (TypeError, ValueError, OSError) as error:
        return error
    return None


ENCODING = st.sampled_from([None, b"", GOOD, LONG, LONG[:-1], b"\0" * 12, b"\0" * 13])


@given(st.lists(ENCODING, max_size=20), st.data())
def test_arrow_columns_equal_lists(inputs, data):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    start = data.draw(st.integers(0, len(inputs)))
    end = data.draw(st.integers(start, len(inputs)))
    expected = read(inputs[start:end])
    for type in (pa.binary(), pa.large_binary(), pa.binary_view()):
        array = pa.array(inputs, type)
        part = array[start:end]
        table = pa.table({"der": array})
        middle = data.draw(st.integers(start, end))
        for one in (part, pa.chunked_array([array[start:middle], array[middle:end]]), table.slice(start, end - start),
                    table.slice(start, end - start).to_reader(), pa.record_batch({"der": part})):  # fmt: skip
            assert read(one, batch_rows=3) == expected
        assert read(part, threads=2) == expected
    # A null row of a struct is a missing input.
    rows = pa.array([None if one is None else {"der": one} for one in inputs], pa.struct({"der": pa.binary()}))
    assert read(rows[start:end]) == expected
    assert read(pa.nulls(end - start)) == read([None] * (end - start))


def test_other_libraries_are_producers():
    inputs = [GOOD, None, b"", LONG, LONG[:-1]]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    series = polars.Series("der", inputs, polars.Binary)
    assert read(series) == read(inputs)
    assert read(series[1:4]) == read(inputs[1:4])
    assert read(polars.DataFrame({"der": series})) == read(inputs)
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    frame = polars.DataFrame({"der": inputs})  # noqa: F841 - DuckDB finds it by its name
    assert read(duckdb.sql("select der from frame")) == read(inputs)


def test_derlib_reads_its_own_columns():
    outer = derlib.encode([LONG, GOOD], SequenceOf[derlib.OctetString])
    columns = derlib.columns(SequenceOf[derlib.OctetString], outer, {"der": "[*]"})
    assert read(columns) == read([LONG, GOOD])
    assert read(columns) == read([LONG, GOOD])


def test_a_large_list_in_an_arrow_column_is_split():
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    large = derlib.encode(list(range(1 << 18)), NUMBERS)
    inputs = [GOOD, large, None, large[:-1], large]
    assert read(pa.array(inputs), threads=2) == read(inputs)


MOST = (1 << 31) - 1
OFFSETS = struct.pack("=3i", 0, 4, 8)


@pytest.mark.parametrize(
    ("form", "make", "message"),
    [
        (b"z", lambda p: p.binary([GOOD], length=-1), "array that is not valid"),
        (b"z", lambda p: p.binary([GOOD], length=1 << 62), "array that is not valid"),
        (b"z", lambda p: p.binary([GOOD], offset=-1), "array that is not valid"),
        (b"z", lambda p: p.binary([GOOD], offset=(1 << 63) - 1), "array that is not valid"),
        (b"z", lambda p: p.binary([GOOD], n_buffers=2), "array that is not valid"),
        (b"z", lambda p: p.binary([GOOD], n_buffers=-1), "array that is not valid"),
        (b"z", lambda p: p.array(2, [None, None, b""]), "array that is not valid"),
        (b"z", lambda p: p.array(2, [None, OFFSETS, bytes(8)], null_count=1), "array that is not valid"),
        (b"z", lambda p: p.array(2, []), "array that is not valid"),
        (b"z", lambda p: p.array(2, [None, OFFSETS, None]), "offset that is not valid"),
        (b"z", lambda p: p.array(2, [None, struct.pack("=3i", 0, 4, 3), bytes(8)]), "offset that is not valid"),
        (b"z", lambda p: p.array(2, [None, struct.pack("=3i", -4, 4, 8), bytes(8)]), "offset that is not valid"),
        (b"Z", lambda p: p.array(1, [None, struct.pack("=2q", 0, -1), b""]), "offset that is not valid"),
        (b"vz", lambda p: p.array(1, [None, struct.pack("=4i", -1, 0, 0, 0)]), "array that is not valid"),
        (b"vz", lambda p: p.array(1, [None, struct.pack("=4i", -1, 0, 0, 0), b""]), "offset that is not valid"),
        (b"vz", lambda p: p.array(1, [None, struct.pack("=4i", 13, 0, 0, 0), b""]), "offset that is not valid"),
        *((b"vz", lambda p, words=words: p.array(
            1, [None, struct.pack("=4i", *words), bytes(20), struct.pack("=q", 20)]), "offset that is not valid")
          for words in [(13, 0, 1, 0), (13, 0, -1, 0), (13, 0, 0, -1), (13, 0, 0, 8), (MOST, 0, 0, MOST)]),
        (b"vz", lambda p: p.array(
            1, [None, struct.pack("=4i", 13, 0, 0, 0), None, struct.pack("=q", 20)]), "offset that is not valid"),
    ],
)  # fmt: skip
def test_a_wrong_array_is_an_error(form, make, message):
    whole = ArrayProducer(form, make)
    stream = StreamProducer(form, lambda producer: [make(producer)])
    for producer in (whole, stream):
        error = error_of(producer)
        assert isinstance(error, ValueError), error
        assert message in str(error)
        assert producer.open == 0


def test_what_is_right_is_read():
    for form, make in [
        (b"z", lambda p: p.binary([GOOD, None, b"", GOOD])),
        (b"z", lambda p: p.binary([GOOD, None, b"", GOOD], null_count=-1)),
        (b"z", lambda p: p.binary([b"x", GOOD, None, b"", GOOD, b"y"], offset=1, length=4)),
    ]:
        for producer in (ArrayProducer(form, make), StreamProducer(form, lambda p, make=make: [make(p)])):
            assert read(producer) == read([GOOD, None, b"", GOOD])
            assert producer.open == 0
    empty = StreamProducer(b"z", lambda p: [p.array(0, [None, None, None]), p.array(0, []), p.binary([GOOD])])
    assert read(empty) == read([GOOD])
    view = struct.pack("=i12s", 8, GOOD) + struct.pack("=4i", len(LONG), 0, 0, 2)
    long = b"xx" + LONG
    assert read(ArrayProducer(b"vz", lambda p: p.array(
        2, [None, view, long, struct.pack("=q", len(long))]))) == read([GOOD, LONG])  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_children": 0}, "array that is not valid"),
        ({"children": None}, "array that is not valid"),
        ({"offset": 1}, "array that is not valid"),
        ({"length": 2}, "array that is not valid"),
        ({"n_buffers": 3}, "array that is not valid"),
        ({}, None),
    ],
)
def test_a_wrong_struct_is_an_error(change, message):
    def make(p: Any) -> Any:
        return p.array(1, [None], [p.binary([GOOD])], **change)

    producer = ArrayProducer(b"+s", make, lambda p: p.schema(b"+s", [p.schema(b"z")]))
    error = error_of(producer)
    assert error is None if message is None else message in str(error)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (lambda p: p.schema(b"u"), "binary, large_binary or binary_view, not 'u'"),
        (lambda p: p.schema(b"x" * 5000), "not 'xxxxx"),
        (lambda p: p.schema(b"\xff"), "not '\ufffd'"),
        (lambda p: p.schema(b""), "not ''"),
        (lambda p: p.schema(None), "released or used before"),
        (lambda p: arrow.ArrowSchema(format=b"z"), "released or used before"),
        (lambda p: p.schema(b"+s"), "a table of 0 columns"),
        (lambda p: p.schema(b"+s", [p.schema(b"z")] * 2), "a table of 2 columns; select one"),
        (lambda p: p.schema(b"+s", n_children=1), "has no child"),
        (lambda p: p.schema(b"+s", [p.schema(None)]), "has no child"),
        (lambda p: p.schema(b"+s", [p.schema(b"+s", [p.schema(b"z")])]), "not '+s'"),
    ],
)
def test_a_wrong_schema_is_an_error(schema, message):
    error = error_of(ArrayProducer(b"z", lambda p: p.binary([GOOD]), lambda p: p.keep(schema(p))))
    assert isinstance(error, TypeError)
    assert message in str(error)
    assert len(str(error)) < 300


def test_errors_of_a_stream():
    failing = StreamProducer(b"z", lambda p: [p.binary([GOOD]), (22, b"the file is gone \xff"), p.binary([GOOD])])
    columns = derlib.columns(NUMBERS, failing, PATHS, batch_rows=2)
    batches = arrow.batches(columns)
    assert next(batches) == {"number": [1, 2]}
    with pytest.raises(arrow.StreamError, match="the producer of the Arrow stream failed: the file is gone"):
        next(batches)
    assert isinstance(columns.error, OSError)
    assert isinstance(error_of(StreamProducer(b"z", lambda p: [(12, b"full")])), MemoryError)
    assert "no message" in str(error_of(StreamProducer(b"z", lambda p: [(5, None)])))
    assert isinstance(error_of(StreamProducer(None, lambda p: [])), OSError)


def test_a_stream_can_be_read_once():
    producer = StreamProducer(b"z", lambda p: [p.binary([GOOD])])
    made = producer.__arrow_c_stream__()

    class Again:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return made

    columns = derlib.columns(NUMBERS, Again(), PATHS)
    assert arrow.table(columns) == {"number": [1, 2]}
    with pytest.raises(TypeError, match="the Arrow stream of Again was released or used before"):
        arrow.table(columns)
    taken = ArrayProducer(b"z", lambda p: p.binary([GOOD], release=arrow.ReleaseArray()))
    assert "the Arrow array of ArrayProducer was released" in str(error_of(taken))


@pytest.mark.parametrize("result", [None, 5, (), (1, 2), "capsule"])
def test_what_is_not_a_capsule_is_an_error(result):
    schema = arrow.ArrowSchema()
    if result == "capsule":
        result = capsule(schema, b"other")

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return result

    class Array:
        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return result

    assert "__arrow_c_stream__ of Stream did not return an Arrow capsule" in str(error_of(Stream()))
    assert "__arrow_c_array__ of Array did not return two Arrow capsules" in str(error_of(Array()))


def test_consumers_that_stop_early_release_the_producer():
    endless = StreamProducer(b"z", lambda p: (p.binary([GOOD] * 100) for _ in itertools.count()))
    held, stream = arrow.stream_of(derlib.columns(NUMBERS, endless, PATHS, batch_rows=50))
    arrays = [arrow.next_batch(stream) for _ in range(7)]
    assert endless.open > 0
    del held
    assert endless.open == 0
    # The batches do not need the inputs.
    for array in arrays:
        assert array is not None
        assert arrow.cells(array.children[0].contents, "l") == [1, 2] * 25
        array.release(array)


def test_empty_arrays_are_read_to_the_error_after_them():
    def empty(p: Any) -> Any:
        yield from (p.array(0, []) for _ in range(500))
        yield 4, b"stopped"

    assert "stopped" in str(error_of(StreamProducer(b"z", empty)))

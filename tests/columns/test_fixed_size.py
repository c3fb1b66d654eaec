"""Cells of a fixed size: decimals, and binary cells of a chosen width."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import pytest
from corpus.files import corpus
from hypothesis import given
from hypothesis import strategies as st
from support import arrow

import derlib
from derlib import BitString, Column, Explicit, Implicit, ObjectIdentifier, OctetString, Sequence, SequenceOf
from derlib.schemas.x509 import Certificate

LARGEST = {"decimal": 10**38 - 1, "decimal256": 10**76 - 1}
EDGES = [
    sign * (number + step)
    for number in (0, *LARGEST.values(), *(1 << 8 * octets - 1 for octets in (1, 2, 8, 15, 16, 20, 31, 32, 40)))
    for step in (-1, 0, 1)
    for sign in (1, -1)
]
NUMBERS = st.lists(st.integers() | st.sampled_from(EDGES) | st.integers(-(1 << 270), 1 << 270))


class Item(Sequence):
    number: Annotated[int, Explicit(0)] | None = None
    octets: OctetString | None = None
    bits: BitString | None = None
    oid: ObjectIdentifier | None = None
    default: Annotated[int, Implicit(1)] = -7


def read(type: Any, data: Any, **paths: Any) -> tuple[dict[str, list[Any]], dict[str, int]]:
    """Return the cells of columns, and how many values are lost."""
    columns = derlib.columns(type, data, paths)
    return arrow.table(columns), columns.lost


def extended(number: int, width: int) -> bytes | None:
    """Return a number in two's complement of a width, None if it does not fit."""
    try:
        return number.to_bytes(width, "big", signed=True)
    except OverflowError:
        return None


@given(NUMBERS)
def test_decimals_are_the_numbers_that_fit(numbers):
    data = derlib.encode(numbers, SequenceOf[int])
    for kind, largest in LARGEST.items():
        expected = [number if abs(number) <= largest else None for number in numbers]
        lost = expected.count(None)
        column, items = Column("[*]", kind), Column("[]", kind)
        assert read(SequenceOf[int], data, number=column) == ({"number": expected}, {"number": lost})
        assert read(SequenceOf[int], data, number=items) == ({"number": [expected]}, {"number": lost})


@given(NUMBERS, st.integers(1, 40))
def test_numbers_are_extended_to_the_width(numbers, width):
    data = derlib.encode(numbers, SequenceOf[int])
    expected = [extended(number, width) for number in numbers]
    lost = expected.count(None)
    column, items = Column("[*]", "binary", width=width), Column("[]", "binary", width=width)
    assert read(SequenceOf[int], data, number=column) == ({"number": expected}, {"number": lost})
    assert read(SequenceOf[int], data, number=items) == ({"number": [expected]}, {"number": lost})


@given(st.lists(st.binary(max_size=5)), st.integers(1, 5))
def test_other_values_must_have_the_width(values, width):
    expected = [value if len(value) == width else None for value in values]
    data = derlib.encode(values, SequenceOf[bytes])
    paths = {"rows": Column("[*]", "binary", width=width), "items": Column("[]", width=width)}
    assert read(SequenceOf[bytes], data, rows=paths["rows"]) == ({"rows": expected}, {"rows": expected.count(None)})
    assert read(SequenceOf[bytes], data, items=paths["items"])[0] == {"items": [expected]}
    data = derlib.encode([BitString(value) for value in values], SequenceOf[BitString])
    assert read(SequenceOf[BitString], data, rows=paths["rows"])[0] == {"rows": expected}


ITEMS = st.lists(st.fixed_dictionaries(
    {},
    optional={
        "number": st.integers(-5, 5) | st.sampled_from(EDGES),
        "octets": st.binary(max_size=6),
        "bits": st.builds(BitString, st.binary(min_size=1, max_size=4), st.just(0)),
        "oid": st.sampled_from(["1.2.3", "1.2.840.113549"]),
        "default": st.integers(-300, 300),
    },
))  # fmt: skip


def expected_item(item: Item) -> tuple[Any, ...]:
    """Return the cells of an item in `PATHS`."""
    number = item.number
    return (
        number if number is not None and abs(number) <= LARGEST["decimal"] else None,
        number if number is not None and abs(number) <= LARGEST["decimal256"] else None,
        None if number is None else extended(number, 3),
        item.octets if item.octets is not None and len(item.octets) == 4 else None,
        item.bits.bytes if item.bits is not None and len(item.bits.bytes) == 2 else None,
        bytes.fromhex("2a03") if item.oid == ObjectIdentifier("1.2.3") else None,
        item.default,
        extended(item.default, 9),
    )


PATHS: dict[str, str | Column] = {
    "number": Column("[*].number", "decimal"),
    "number256": Column("[*].number", "decimal256"),
    "extended": Column("[*].number", "binary", width=3),
    "octets": Column("[*].octets", width=4),
    "bits": Column("[*].bits", "binary", width=2),
    "oid": Column("[*].oid", "binary", width=2),
    "default": Column("[*].default", "decimal"),
    "default9": Column("[*].default", "binary", width=9),
}


@given(ITEMS, st.sampled_from([1, 7, 65536]), st.integers(1, 30))
def test_rows_equal_their_values(items, batch_rows, times):
    rows = SequenceOf[Item]([Item(**item) for item in items] * times)
    columns = derlib.columns(SequenceOf[Item], [rows.encode(), None], PATHS, batch_rows=batch_rows)
    cells = zip(*arrow.table(columns).values(), strict=True)
    assert list(cells) == [*map(expected_item, rows), (None,) * len(PATHS)]


class Outer(Sequence):
    number: int
    octets: OctetString
    items: SequenceOf[int]


def test_constants_repeat_in_each_row():
    numbers = (-2, 1, 1 << 200)
    inputs = [Outer(number=number, octets=bytes(5 + number % 2), items=range(3)).encode() for number in numbers]
    paths: dict[str, Any] = {
        "number": Column("number", "decimal"), "octets": Column("octets", width=5), "item": "items[*]",
        "items": Column("items[]", "decimal256"), "short": Column("items[]", "binary", width=2),
    }  # fmt: skip
    table, lost = read(Outer, inputs, **paths)
    items = {"items": [[0, 1, 2]] * 9, "short": [[b"\0\0", b"\0\1", b"\0\2"]] * 9, "item": [0, 1, 2] * 3}
    decimals = [-2] * 3 + [1] * 3 + [None] * 3
    assert table == {"number": decimals, "octets": [bytes(5)] * 3 + [None] * 3 + [bytes(5)] * 3, **items}
    assert lost == {"number": 1, "octets": 1, "item": 0, "items": 0, "short": 0}


def test_a_list_of_nulls_then_values():
    numbers = [1 << 300, -(1 << 300)]
    data = [derlib.encode(each, SequenceOf[int]) for each in (numbers, [], [*numbers, 5], [6])]
    paths = {"decimal": Column("[]", "decimal"), "binary": Column("[]", "binary", width=1)}
    table, lost = read(SequenceOf[int], data, **paths)
    assert table["decimal"] == [[None, None], [], [None, None, 5], [6]]
    assert table["binary"] == [[None, None], [], [None, None, b"\5"], [b"\6"]]
    assert lost == {"decimal": 4, "binary": 4}


@pytest.mark.parametrize("value", [None, b"a"], ids=["absent", "of another size"])
def test_nulls_of_wide_cells_do_not_make_a_batch_large(value):
    data = Item(octets=value).encode()
    paths = {str(number): Column("octets", width=1024) for number in range(16)}
    sizes = [len(batch["0"]) for batch in arrow.batches(derlib.columns(Item, [data] * 3000, paths))]
    assert sum(sizes) == 3000
    assert max(sizes) == 1024


def test_threads_read_the_same_cells():
    numbers = [number << number % 150 for number in range(150_000)]
    data = derlib.encode(numbers, SequenceOf[int])
    assert len(data) > 1 << 20
    paths = {"decimal": Column("[*]", "decimal"), "binary": Column("[*]", "binary", width=16)}
    one, two = (arrow.table(derlib.columns(SequenceOf[int], data, paths, threads=threads)) for threads in (1, 2))
    assert one == two
    assert one["binary"] == [extended(number, 16) for number in numbers]
    assert one["decimal"] == [number if number <= LARGEST["decimal"] else None for number in numbers]


def test_serial_numbers_of_the_corpora():
    data = [item.der for item in corpus() if item.kind == "certificate"]
    path = "tbs_certificate.serial_number"
    columns = derlib.columns(Certificate, data, {
        "decimal": Column(path, "decimal256"), "binary": Column(path, "binary", width=20),
    }, on_error="null")  # fmt: skip
    table = arrow.table(columns)
    numbers = []
    for one, kind in zip(data, table["error"], strict=True):
        numbers.append(None if kind else Certificate.decode(one).tbs_certificate.serial_number)
    assert len(set(numbers)) > 100
    assert table["decimal"] == numbers
    assert table["binary"] == [None if number is None else extended(number, 20) for number in numbers]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (Column("number", "decimal", width=20), "width is for columns of the type binary, not decimal"),
        (Column("number", width=20), "width is for columns of the type binary, not int64"),
        (Column("octets", width=0), "width is an int from 1 to 1024, got 0"),
        (Column("octets", width=1025), "width is an int from 1 to 1024, got 1025"),
        (Column("octets", width=True), "width is an int from 1 to 1024, got True"),
        (Column("octets", "decimal"), "has the type binary or .*, not decimal"),
        (Column((Column("octets", width=4), Column("bits", width=5))), r"binary\[4\] and fixed_size_binary\[5\]"),
        (Column(("octets", Column("bits", width=5))), r"types binary and fixed_size_binary\[5\]"),
        (Column((Column("number", "decimal"), "default")), r"types decimal128\(38, 0\) and int64"),
    ],
)
def test_wrong_columns_are_refused(column, message):
    with pytest.raises(ValueError, match=message):
        derlib.columns(Item, b"", {"a": column})


def test_the_schema_has_the_sizes():
    schema = derlib.columns(SequenceOf[Item], b"", PATHS | {"list": Column("[].octets", width=4)}).schema
    assert schema["number"] == "decimal128(38, 0)"
    assert schema["number256"] == "decimal256(76, 0)"
    assert schema["extended"] == "fixed_size_binary[3]"
    assert schema["list"] == "list<fixed_size_binary[4]>"


def test_one_of_several_values_is_the_cell():
    column = Column(("octets", "bits"), width=2)
    data = [Item(octets=b"ab").encode(), Item(bits=BitString(b"cd")).encode(), Item().encode()]
    assert read(Item, data, a=column)[0] == {"a": [b"ab", b"cd", None]}


def test_arrow_libraries_take_the_cells():
    items = [Item(number=number, octets=bytes(4)) for number in (5, -1, 10**38 - 1, 1 - 10**38)]
    data = derlib.encode([*items, Item(octets=b"abc")], SequenceOf[Item])
    paths = {name: PATHS[name] for name in ("number", "octets", "number256")}
    numbers = [*(Decimal(item.number or 0) for item in items), None]
    octets = [bytes(4)] * 4 + [None]
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.table(derlib.columns(SequenceOf[Item], data, paths))
    table.validate(full=True)
    assert table.to_pydict() == {"number": numbers, "octets": octets, "number256": numbers}
    assert list(table.schema.types) == [pyarrow.decimal128(38, 0), pyarrow.binary(4), pyarrow.decimal256(76, 0)]
    del paths["number256"]
    columns = derlib.columns(SequenceOf[Item], data, paths)
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert polars.DataFrame(columns).to_dict(as_series=False) == {"number": numbers, "octets": octets}
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert duckdb.sql("select * from columns").fetchall() == list(zip(numbers, octets, strict=True))

"""Dictionary columns: their cells are those of a text column, and each batch has every text once."""

from __future__ import annotations

import random
from typing import Annotated, Any

import pytest
from corpus.files import corpus
from hypothesis import given
from hypothesis import strategies as st
from support import arrow

import derlib
from derlib import Column, Explicit, ObjectIdentifier, Sequence, SequenceOf
from derlib.schemas.tables import CERTIFICATE_COLUMNS
from derlib.schemas.x509 import Certificate


class Colour(derlib.Enumerated):
    red = 0
    dark_blue = 300


class Item(Sequence):
    text: str | None = None
    oid: Annotated[ObjectIdentifier, Explicit(0)] | None = None
    colour: Annotated[Colour, Explicit(1)] = Colour.red
    number: Annotated[int, Explicit(2)] | None = None
    texts: Annotated[SequenceOf[str], Explicit(3)] | None = None


WORDS = st.sampled_from(["", "a", "b", "ab"]) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
ITEM = st.fixed_dictionaries(
    {"colour": st.sampled_from(Colour)},
    optional={
        "text": WORDS,
        "oid": st.sampled_from(["1.2.3", "2.5.29.17", "1.2.840.113549.1.1.11"]),
        "number": st.integers(-3, 3) | st.sampled_from([1 << 70, 1 << 9000, -(1 << 9000)]),
        "texts": st.lists(WORDS, max_size=4),
    },
)


def both(type: Any, data: Any, paths: dict[str, Any], **options: Any) -> tuple[derlib.Columns, derlib.Columns]:
    """Return the columns of these paths as text, and as dictionaries."""
    text, dictionary = (
        derlib.columns(type, data, {name: Column(path, kind) for name, path in paths.items()}, **options)
        for kind in ("text", "dictionary")
    )
    return text, dictionary


@given(st.lists(ITEM), st.integers(1, 40))
def test_cells_are_those_of_text(items, batch_rows):
    data = derlib.encode(items, SequenceOf[Item])
    fields = ("text", "oid", "colour", "number")
    rows = {name: f"[*].{name}" for name in fields} | {"texts": "[*].texts[]", "first": "[0].text"}
    columns = both(SequenceOf[Item], [data, None, data], rows, batch_rows=batch_rows)
    text, dictionary = map(arrow.table, columns)
    assert dictionary == text
    assert columns[0].lost == columns[1].lost
    lists = {name: f"[].{name}" for name in fields}
    text, dictionary = map(arrow.table, both(SequenceOf[Item], data, lists))
    assert dictionary == text


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_templates_read(threads):
    choose = random.Random(1).choice
    items = [Item(text=choose("abcd"), oid=choose(["1.2.3", None]), colour=choose([*Colour])) for _ in range(120_000)]
    data = derlib.encode(items, SequenceOf[Item])
    assert len(data) > 1 << 20
    paths = {name: f"[*].{name}" for name in ("text", "oid", "colour")}
    text, dictionary = map(arrow.table, both(SequenceOf[Item], data, paths, threads=threads))
    assert dictionary == text
    assert text["text"] == [item.text for item in items]


def test_values_without_text_are_null_and_not_in_the_dictionary():
    numbers = [1 << 9000, 5, -(1 << 9000), 5, 6]
    data = derlib.encode(numbers, SequenceOf[int])
    columns = derlib.columns(SequenceOf[int], data, {"number": Column("[*]", "dictionary")})
    assert arrow.table(columns) == {"number": [None, "5", None, "5", "6"]}
    assert columns.lost == {"number": 2}
    assert columns.schema == {"number": "dictionary<utf8>"}


def test_many_different_texts():
    numbers = [number % 40_000 for number in range(100_000)]
    data = derlib.encode(numbers, SequenceOf[int])
    columns = derlib.columns(SequenceOf[int], data, {"number": Column("[*]", "dictionary")})
    assert arrow.table(columns) == {"number": [str(number) for number in numbers]}


def test_words_of_object_identifiers():
    oids = ["1.2.3", "1.2.4", "1.2.3"]
    words = Column("[*]", "dictionary", {"1.2.3": "three"})
    assert arrow.table(derlib.columns(SequenceOf[ObjectIdentifier], derlib.encode(oids, SequenceOf[ObjectIdentifier]),
                                      {"oid": words})) == {"oid": ["three", "1.2.4", "three"]}  # fmt: skip
    with pytest.raises(ValueError, match="int64"):
        derlib.columns(SequenceOf[ObjectIdentifier], b"", {"oid": Column("[*]", "dictionary", {"1.2.3": 3})})
    with pytest.raises(ValueError, match="has the type"):
        derlib.columns(SequenceOf[bool], b"", {"flag": Column("[*]", "dictionary")})


def test_texts_and_numbers_are_not_mixed_in_a_column():
    for kinds in (("dictionary", "int64"), ("int64", "dictionary"), ("text", "dictionary")):
        paths = tuple(Column(f"[{place}]", kind) for place, kind in enumerate(kinds))
        with pytest.raises(ValueError, match="the values have the types"):
            derlib.columns(SequenceOf[int], b"", {"number": Column(paths)})


def test_certificates_of_the_corpora():
    paths: dict[str, Any] = {
        name: path if isinstance(path, str) else path.path
        for name, path in CERTIFICATE_COLUMNS.items()
        if name in ("issuer", "subject", "key_algorithm", "dns_names", "extended_key_usage", "extensions")
    }
    data = [item.der for item in corpus() if item.kind == "certificate"]
    text, dictionary = map(arrow.table, both(Certificate, data, paths, on_error="null", batch_rows=100))
    assert dictionary == text
    assert len(set(text["issuer"])) > 3


def test_arrow_libraries_take_dictionaries():
    items = [Item(text=word, texts=[word, "x"]) for word in "abacab"]
    data = derlib.encode(items, SequenceOf[Item])
    paths = {"text": Column("[*].text", "dictionary"), "texts": Column("[*].texts[]", "dictionary")}
    columns = derlib.columns(SequenceOf[Item], data, paths, batch_rows=4)
    expected = {"text": [*"abacab"], "texts": [[word, "x"] for word in "abacab"]}
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.table(columns)
    table.validate(full=True)
    assert table.schema.field("text").type == pyarrow.dictionary(pyarrow.int32(), pyarrow.utf8())
    assert table.to_pydict() == expected
    assert [chunk.dictionary.to_pylist() for chunk in table["text"].chunks] == [["a", "b", "c"], ["a", "b"]]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame(columns)
    assert frame.to_dict(as_series=False) == expected
    assert frame["text"].dtype == polars.Categorical
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert duckdb.sql("select text from columns").fetchall() == [(word,) for word in "abacab"]

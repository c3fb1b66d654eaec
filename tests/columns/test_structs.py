"""Columns of structs equal the values of Python objects, and nothing of their children leaks."""

from __future__ import annotations

import gc
from typing import Annotated, Any

import pytest
from corpus.files import corpus
from hypothesis import given
from hypothesis import strategies as st
from support import arrow
from support.memory_ends import COUNTS, in_use

import derlib
from columns.test_name_text import VALUES, attribute, name_of, tlv
from derlib import TLV, Column, Implicit, Sequence, SequenceOf
from derlib.oids import ATTRIBUTE_SHORT_NAMES
from derlib.schemas.attributes import Name
from derlib.schemas.general import GeneralNames
from derlib.schemas.x509 import Certificate

STRUCTS = "list<struct<rdn: int64, type: utf8, value: utf8>>"


class Names(Sequence):
    name: Name | None = None
    rows: Annotated[SequenceOf[Name], Implicit(0)] | None = None


def attributes(name: Name) -> list[dict[str, Any]]:
    """Return the cell of a name."""
    found = []
    for rdn, level in enumerate(name.rdn_sequence):
        for one in level:
            value: Any = one.value
            if isinstance(value, TLV):
                try:
                    value = value.value
                except derlib.UnrepresentableError:
                    value = None
            if not isinstance(value, str):
                start = one.span("value").offset - one.span().offset
                value = f"#{one.der[start : start + one.span('value').length].hex()}"
            dotted = one.type.dotted
            found.append({"rdn": rdn, "type": ATTRIBUTE_SHORT_NAMES.get(dotted, dotted), "value": value})
    return found


def read(type: Any, data: Any, **paths: Any) -> dict[str, list[Any]]:
    return arrow.table(derlib.columns(type, data, paths))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("oid", ["2.5.4.3", "1.2.840.113549.1.9.1", "2.25.340282366920938463463374607431768211455"])
def test_each_value_is_that_of_its_attribute(value, oid):
    name = Name.decode(name_of(value, value, oid=oid))
    data = Names(name=name).encode()
    assert read(Names, data, name=Column("name", "attributes")) == {"name": [attributes(name)]}


def test_attributes_in_one_rdn_have_its_number():
    first, second = sorted([attribute("2.5.4.3", tlv(12, b"a, b")), attribute("2.5.4.97", tlv(4, b"Hi"))])
    name = tlv(48, tlv(49, attribute("2.5.4.6", tlv(19, b"GB"))) + tlv(49, first + second))
    data = Names(name=Name.decode(name)).encode()
    columns = derlib.columns(Names, data, {"name": Column("name", "attributes")})
    assert columns.schema == {"name": STRUCTS}
    assert arrow.schema_of(columns) == {"name": "+l+srdn:l,type:u,value:u"}
    assert arrow.table(columns)["name"] == [[
        {"rdn": 0, "type": "C", "value": "GB"},
        {"rdn": 1, "type": "2.5.4.97", "value": "#04024869"},
        {"rdn": 1, "type": "CN", "value": "a, b"},
    ]]  # fmt: skip


def test_words_are_the_short_names():
    data = Names(name=Name.of({"C": "GB", "CN": "a"})).encode()
    column = Column("name", "attributes", {"2.5.4.3": "name"})
    assert [one["type"] for one in read(Names, data, name=column)["name"][0]] == ["2.5.4.6", "name"]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
LEVELS = st.dictionaries(st.sampled_from(["CN", "O", "OU", "DC"]), TEXT, min_size=1, max_size=3)
ATTRIBUTES = st.lists(LEVELS, max_size=4)


def name_value(levels: list[dict[str, str]]) -> Name:
    oids = {short: oid for oid, short in ATTRIBUTE_SHORT_NAMES.items()}
    level = [
        tlv(49, b"".join(sorted(attribute(oids[short], tlv(12, text.encode())) for short, text in level.items())))
        for level in levels
    ]
    return Name.decode(tlv(48, b"".join(level)))


NAME = ATTRIBUTES.map(name_value)


@given(st.lists(st.tuples(NAME | st.none(), st.lists(NAME, max_size=6))), st.sampled_from([1, 2, 65536]))
def test_names_of_generated_values(values, batch_rows):
    inputs = [Names(name=name, rows=rows).encode() for name, rows in values]
    column = Column("name", "attributes")
    expected = [None if name is None else attributes(name) for name, _ in values]
    assert arrow.table(derlib.columns(Names, inputs, {"name": column}, batch_rows=batch_rows)) == {"name": expected}
    # As a constant of rows, and as the rows and the items of lists.
    paths = {"name": column, "row": Column("rows[*]", "attributes"), "rows": Column("rows[]", "attributes")}
    found = arrow.table(derlib.columns(Names, inputs, paths, batch_rows=batch_rows))
    rows = [
        (None if name is None else attributes(name), attributes(row), [*map(attributes, names)])
        for name, names in values
        for row in names
    ]
    assert list(zip(*found.values(), strict=True)) == rows


def test_lists_of_names_are_lists_of_lists():
    names = [Name.of({"C": "GB", "CN": "a"}), Name.of({}), Name.of({"O": "b"})]
    data = GeneralNames([{"dns_name": "x"}, *({"directory_name": name} for name in names)]).encode()
    columns = derlib.columns(GeneralNames, data, {"names": Column("directory_name", "attributes")})
    assert columns.schema == {"names": f"list<{STRUCTS}>"}
    assert arrow.table(columns) == {"names": [[attributes(name) for name in names]]}


def test_invalid_and_missing_inputs_are_null():
    good = Names(name=Name.of({"CN": "a"})).encode()
    cell = [{"rdn": 0, "type": "CN", "value": "a"}]
    data = [None, good[:-1], good, b"", None, good, Names().encode()]
    for batch_rows in (1, 2, 65536):
        columns = derlib.columns(Names, data, {"name": Column("name", "attributes")}, on_error="null",
                                 batch_rows=batch_rows)  # fmt: skip
        assert arrow.table(columns)["name"] == [None, None, cell, None, None, cell, None]


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_threads_divide(threads):
    names = [Name.of({"C": "GB", "OU": "x" * (number % 5 + 1), "CN": f"{number}"}) for number in range(25_000)]
    rows = SequenceOf[Name](names)
    assert len(rows.encode()) > 1 << 20
    column = Column("[*]", "attributes")
    found = arrow.table(derlib.columns(SequenceOf[Name], rows.encode(), {"name": column}, threads=threads))
    assert found["name"] == [attributes(name) for name in names]


def test_names_of_the_corpora():
    data = [item.der for item in corpus() if item.kind == "certificate"]
    paths = {name: Column(f"tbs_certificate.{name}", "attributes") for name in ("issuer", "subject")}
    table = arrow.table(derlib.columns(Certificate, data, paths, on_error="null", batch_rows=100))
    for issuer, subject, error, one in zip(table["issuer"], table["subject"], table["error"], data, strict=True):
        if error:
            assert issuer is subject is None
            continue
        tbs = Certificate.decode(one).tbs_certificate
        assert (issuer, subject) == (attributes(tbs.issuer), attributes(tbs.subject))


def test_other_values_have_no_attributes():
    with pytest.raises(ValueError, match=r"a column of UTF8String has the type .*, not attributes"):
        derlib.columns(SequenceOf[str], b"", {"a": Column("[*]", "attributes")})
    with pytest.raises(ValueError, match=r"the values have the types utf8 and list<struct<"):
        derlib.columns(Names, b"", {"a": Column(("name", Column("rows[0]", "attributes")))})


@pytest.mark.skipif(not COUNTS, reason="the C library does not count its memory, or a sanitizer keeps it")
@pytest.mark.parametrize("how", ["early", "late", "unread", "child", "error"])
def test_children_are_freed(how):
    name = Name.of({"O": "x" * 3000, "CN": "y" * 3000})
    inputs: list[bytes] = [Names(name=name).encode()] * 20
    if how == "error":
        # The columns have cells when the stream ends.
        inputs = [*inputs[:15], b"\x30\x01"]

    def use() -> None:
        columns = derlib.columns(Names, inputs, {"name": Column("name", "attributes")}, batch_rows=10)
        capsule, stream = arrow.stream_of(columns)
        if how == "unread":
            return
        array = arrow.next_batch(stream)
        assert array is not None
        if how == "error":
            with pytest.raises(arrow.StreamError):
                arrow.next_batch(stream)
        if how == "early":
            # The batch outlives its stream.
            stream.release(stream)
        if how == "child":
            # A consumer moves a child out of its parent, and releases it after that.
            place = array.children[0].contents.children[0].contents
            moved = arrow.ArrowArray.from_buffer_copy(place)
            place.release = arrow.ReleaseArray()
            array.release(array)
            array = moved
            assert len(arrow.cells(array, "+srdn:l,type:u,value:u")) == 20
        array.release(array)
        del capsule

    use()
    gc.collect()
    before = in_use()
    for _ in range(100):
        use()
    gc.collect()
    # The streams have 6 MB of cells.
    assert in_use() - before < 1 << 20


def test_arrow_libraries_take_structs():
    names = [Name.of({"C": "GB", "CN": "a"}), Name.of({}), Name.of({"CN": "b"})]
    data = [*(Names(name=name).encode() for name in names), None]
    columns = derlib.columns(Names, data, {"name": Column("name", "attributes")})
    expected = [*map(attributes, names), None]
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pyarrow.table(columns)
    table.validate(full=True)
    assert table["name"].to_pylist() == expected
    assert str(table.schema.field("name").type).replace("string", "utf8").replace("item: ", "") == STRUCTS
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert polars.DataFrame(columns)["name"].to_list() == expected
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert duckdb.sql("select name from columns").fetchall() == [(cell,) for cell in expected]

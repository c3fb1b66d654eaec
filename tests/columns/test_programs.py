"""Column programs are kept: a later call with the same columns compiles nothing, and registrations still count."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from support import arrow

import derlib
from derlib import Column, DefinedBy, ObjectIdentifier, OpenTypes, Sequence, oids
from derlib._columns import programs
from derlib.schemas.tables import CERTIFICATE_COLUMNS
from derlib.schemas.x509 import Certificate, Name

VALUES = OpenTypes("VALUES")


class Item(Sequence):
    kind: ObjectIdentifier
    value: Annotated[Any, DefinedBy("kind", VALUES)]


def test_the_columns_of_a_reader_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from derlib.arrow import certificates_reader

    table = pa.table({"der": [b"0"]})
    reader = certificates_reader()
    first = reader.read_table(table)
    added: list[str] = []
    add = programs.add
    monkeypatch.setattr(programs, "add", lambda program, name, *rest: (added.append(name), add(program, name, *rest)))
    assert reader.read_table(table) == first
    assert certificates_reader().read_table(table) == first
    assert added == []
    derlib.columns(Certificate, [], {"other": CERTIFICATE_COLUMNS["key_size"]})
    assert added == ["other"]


def test_a_type_that_is_registered_later_counts() -> None:
    paths = {"value": '["2.999.1"].value'}
    assert derlib.columns(Item, [], paths).schema == {"value": "binary"}
    VALUES.register("2.999.1", int)
    assert derlib.columns(Item, [], paths).schema == {"value": "int64"}
    VALUES.register("2.999.1", bool)
    assert derlib.columns(Item, [], paths).schema == {"value": "bool"}


@pytest.mark.usefixtures("registered_names")
def test_a_name_that_is_registered_later_counts() -> None:
    data = Name.of({"2.999.2": derlib.parse(derlib.encode("a", str))}).encode()
    paths = {"name": Column("rdn_sequence", "display")}
    for name in ("2.999.2", "first", "second"):
        if name[0] != "2":
            oids.register("2.999.2", name)
        assert arrow.table(derlib.columns(Name, data, paths)) == {"name": [f"{name}=a"]}


def test_words_that_change_count() -> None:
    data = Item(kind="2.999.3", value=derlib.encode(1, int)).encode()
    words = {"2.999.3": "a"}
    paths = {"kind": Column((Column("kind", words=words),))}
    assert arrow.table(derlib.columns(Item, data, paths)) == {"kind": ["a"]}
    words["2.999.3"] = "b"
    assert arrow.table(derlib.columns(Item, data, paths)) == {"kind": ["b"]}


def test_columns_that_are_not_valid_are_refused_again() -> None:
    derlib.columns(Item, [], {"kind": Column("kind", "binary", width=1)})
    for wrong in (Column("kind", "binary", width=True), Column("kind", "binary", width=0)):
        with pytest.raises(ValueError, match="width is an int from 1 to 1024"):
            derlib.columns(Item, [], {"kind": wrong})
    unhashable: Any = ["kind"]
    with pytest.raises(TypeError, match="expected a path, or a tuple of paths, got list"):
        derlib.columns(Item, [], {"kind": Column(unhashable)})


def test_only_the_last_programs_are_kept() -> None:
    for number in range(100):
        derlib.columns(Item, [], {f"column {number}": "kind"})
    assert len(programs._programs) <= programs._MAX_PROGRAMS

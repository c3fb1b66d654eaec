"""The defaults and the names that the compiler writes: of recursive types, and next to names that clash."""

import pytest
from asn1.modules import load

import derlib


@pytest.mark.parametrize("name", ["mro", "find"])
@pytest.mark.parametrize("kind", ["SEQUENCE", "SET", "CHOICE"])
def test_reserved_names_get_an_underscore(kind: str, name: str) -> None:
    made = load(f"A ::= {kind} {{ {name} INTEGER, b NULL }}")
    assert [field.name for field in derlib.fields(made.A)] == [f"{name}_", "b"]

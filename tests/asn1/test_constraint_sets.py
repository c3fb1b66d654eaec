"""Set operations of constraints and of object sets: no valid value is refused, and what is not checked is reported."""

import pytest
from asn1.modules import load

OBJECTS = """
C ::= CLASS { &id INTEGER UNIQUE, &T } WITH SYNTAX { &T ID &id }
a C ::= { BOOLEAN ID 1 }
b C ::= { NULL ID 2 }
All C ::= { a | b }
Only C ::= { a }
"""


@pytest.mark.parametrize(
    ("notation", "keys"),
    [
        ("(All EXCEPT a) | All", [1, 2]),
        ("(All ^ a) | All", [1, 2]),
        ("(All ^ Only) | (All EXCEPT Only)", [1, 2]),
        ("All | (All EXCEPT a)", [1, 2]),
        ("((All | Only) EXCEPT a) | Only", [1, 2]),
        ("(All ^ Only ^ a) | b", [1, 2]),
        ("(All EXCEPT a) ^ All", [2]),
        ("All EXCEPT a", [2]),
    ],
)
def test_an_operation_does_not_take_objects_from_other_operands(notation: str, keys: list[int]) -> None:
    made = load(f"{OBJECTS} Found C ::= {{ {notation} }}")
    assert [key for key in (1, 2) if key in made.Found] == keys


def test_sets_that_contain_each_other_in_operations() -> None:
    made = load(f"{OBJECTS} X C ::= {{ (Y EXCEPT a) | a }} Y C ::= {{ X | b }}")
    assert [key for key in (1, 2) if key in made.X] == [1, 2]
    assert [key for key in (1, 2) if key in made.Y] == [1, 2]

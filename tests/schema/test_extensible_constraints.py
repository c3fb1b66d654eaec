"""`Extensible`: a constraint with an extension marker (X.680 52)."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

import derlib
from derlib import (
    Alphabet,
    Constraint,
    Extensible,
    OctetString,
    OneOf,
    Range,
    SchemaError,
    Sequence,
    SequenceOf,
    Size,
    WithComponent,
    WithComponents,
    asn1,
)


class Point(Sequence):
    x: int


@pytest.mark.parametrize(
    ("base", "root", "value"),
    [
        (int, Range(0, 9), 10),
        (int, OneOf(1, 2), 3),
        (int, Range(0, 9) - OneOf(5), 5),
        (OctetString, Size(1, 2), b"abc"),
        (str, Alphabet("a-z"), "A"),
        (SequenceOf[int], Size(1), []),
        (SequenceOf[int], WithComponent(Range(0, 9)), [10]),
        (Point, WithComponents(x=Range(0, 9)), {"x": 10}),
    ],
)
def test_values_outside_of_the_root_are_valid(base: Any, root: Constraint, value: Any) -> None:
    with pytest.raises(derlib.ConstraintError):
        derlib.encode(value, Annotated[base, root])
    octets = derlib.encode(value, base)
    assert derlib.encode(value, Annotated[base, Extensible(root)]) == octets
    assert derlib.encode(derlib.decode(Annotated[base, Extensible(root)], octets), base) == octets


def test_another_constraint_of_the_type_still_applies() -> None:
    bounded = Annotated[int, Range(0, 99), Extensible(Range(0, 9))]
    assert derlib.encode(50, bounded) == b"\2\1\x32"
    with pytest.raises(derlib.ConstraintError, match=r"outside \(0..99\)"):
        derlib.encode(100, bounded)


@pytest.mark.parametrize(
    "combine",
    [
        lambda: Extensible(Range(0, 9)) | Range(20, 30),
        lambda: Range(20, 30) & Extensible(Range(0, 9)),
        lambda: Range(0, 30) - Extensible(Range(0, 9)),
        lambda: ~Extensible(Range(0, 9)),
        lambda: WithComponent(Extensible(Range(0, 9))),
        lambda: Extensible(Extensible(Range(0, 9))),
        lambda: derlib.encode({"x": 1}, Annotated[Point, WithComponents(x=Extensible(Range(0, 9)))]),
    ],
)
def test_it_is_around_the_whole_constraint(combine: Any) -> None:
    message = r"Extensible\(Range\(0, 9\)\) is part of another constraint; write Extensible"
    with pytest.raises(SchemaError, match=message):
        combine()


def test_a_root_that_does_not_apply_to_the_type() -> None:
    with pytest.raises(SchemaError, match="Range does not apply to UTF8String"):
        derlib.encode("a", Annotated[str, Extensible(Range(0, 9))])
    with pytest.raises(SchemaError, match="Extensible: expected a constraint, got int"):
        Extensible(5)  # type: ignore[arg-type]
    assert str(Extensible(Range(0, 9))) == "0..9, ..."


SHOWN = """
M DEFINITIONS ::= BEGIN
A ::= INTEGER (0..9, ...)
B ::= OCTET STRING (SIZE (1..4, ..., 6))
C ::= SEQUENCE { a INTEGER (1 | 2, ...), b IA5String (SIZE (1..4), ...) OPTIONAL, c A (0..5) }
D ::= SEQUENCE (SIZE (1..4, ...)) OF INTEGER (0..MAX)
E ::= ENUMERATED { a, b } (a, ...)
F ::= INTEGER (A | 20)
END
"""


def test_the_compiler_writes_it() -> None:
    code, _ = asn1.compile_sources([asn1.Source("m.asn", SHOWN)])
    lines = code.splitlines()
    for expected in (
        "A: TypeAlias = Annotated[int, Extensible(Range(0, 9))]",
        "B: TypeAlias = Annotated[OctetString, Extensible(Size(1, 4))]",
        "    a: Annotated[int, Extensible(OneOf(1, 2))]",
        "    b: Annotated[IA5String, Extensible(Size(1, 4))] | None = None",
        "    c: Annotated[A, Range(0, 5)]",
        "class D(SequenceOf[Annotated[int, Range(0, None)]]):",
        "class E(Enumerated):",
        # X.680 50.8: a union with an extensible set allows everything.
        "F: TypeAlias = int",
    ):
        assert expected in lines
    made = asn1.load(SHOWN)
    assert derlib.encode(99, made.A) == b"\2\1\x63"
    assert made.C(a=7, b="abcde", c=5).encode() == bytes.fromhex("300d 020107 16056162636465 020105")
    with pytest.raises(derlib.ConstraintError):
        made.C(a=7, c=6)

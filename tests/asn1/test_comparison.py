"""The comparison of types reports each kind of difference."""

import pytest
from asn1.comparison import Comparison
from asn1.modules import load

SEQUENCE = "SEQUENCE { a INTEGER }"
CLASS = "C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type } WITH SYNTAX { &id &Type }"
OPEN = f"SEQUENCE {{ id C.&id({{S}}), v C.&Type({{S}}{{@id}}) }} {CLASS} S C ::= "

DIFFERENCES = [
    # the expected type, the actual type, the lines
    ("INTEGER", "INTEGER", []),
    ("INTEGER", "BOOLEAN", ["A: tag INTEGER, not BOOLEAN", "A: INTEGER, not BOOLEAN"]),
    ("[1] IMPLICIT INTEGER", "[2] IMPLICIT INTEGER", ["A: tag [1], not [2]"]),
    ("[1] EXPLICIT INTEGER", "[1] IMPLICIT INTEGER", ["A: explicit tag, not INTEGER"]),
    ("[1] EXPLICIT INTEGER", "[2] EXPLICIT INTEGER", ["A: tag [1], not [2]"]),
    ("INTEGER (0..9)", "INTEGER (0..MAX)", ["A: range 0..9, not 0..MAX"]),
    ("OCTET STRING (SIZE (1))", "OCTET STRING", ["A: size 1..1, not any"]),
    ("INTEGER (1 | 5)", "INTEGER (1)", ["A: constraints (01 | 05), not (01)"]),
    ("INTEGER { a(1) }", "INTEGER { a(2), b(3) }", ["A: member a = 1, not 2", "A: member b = None, not 3"]),
    ("INTEGER { a(1) }", "INTEGER", ["A: INTEGER with named numbers, not INTEGER"]),
    ("BIT STRING { a(1) }", "BIT STRING { a(2) }", ["A: member a = 2, not 4"]),
    ("ENUMERATED { a }", "ENUMERATED { a, ... }", ["A: extensible False, not True"]),
    ("SEQUENCE OF NULL", "SEQUENCE SIZE (1) OF NULL", ["A: size any, not 1..1"]),
    ("SEQUENCE OF INTEGER (0..9)", "SEQUENCE OF INTEGER", ["A[]: range 0..9, not any"]),
    (SEQUENCE, "SEQUENCE { b INTEGER }", ["A.a: name a, not b"]),
    (SEQUENCE, "SEQUENCE { a INTEGER OPTIONAL }", ["A.a: optional False, not True"]),
    (SEQUENCE, "SEQUENCE { a INTEGER DEFAULT 5 }", ["A.a: default none, not 020105"]),
    (SEQUENCE, "SEQUENCE { a INTEGER, b INTEGER }", ["A: components 1, not 2"]),
    (SEQUENCE, "SEQUENCE { a INTEGER, ... }", ["A: additions before component None, not 1"]),
    (SEQUENCE, "SET { a INTEGER }", ["A: tag SEQUENCE, not SET", "A: SEQUENCE, not SET"]),
    ("CHOICE { a NULL, b INTEGER }", "CHOICE { b INTEGER, a NULL }", []),
    ("CHOICE { a NULL }", "CHOICE { b NULL, ... }", ["A: extensible False, not True", "A.a: name a, not b"]),
    ("CHOICE { a NULL }", "CHOICE { a INTEGER }", ["A.a: no alternative has this tag"]),
    ("OCTET STRING (CONTAINING [1] NULL)", "OCTET STRING (CONTAINING [2] NULL)", ["A.contents: tag [1], not [2]"]),
    (OPEN + "{ {{2 5} NULL} }", OPEN + "{ {{2 5} NULL} | {{2 6} NULL} }", []),
    (OPEN + "{ {{2 5} NULL} }", OPEN + "{ {{2 6} NULL} }", ["A.v[2.5]: NULL, not registered in S"]),
    (OPEN + "{ {{2 5} [1] NULL} }", OPEN + "{ {{2 5} [2] NULL} }", ["A.v[2.5]: tag [1], not [2]"]),
    ("SEQUENCE { a A OPTIONAL, b [0] NULL }", "SEQUENCE { a A OPTIONAL, b [1] NULL }", ["A.b: tag [0], not [1]"]),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "actual", "lines"), DIFFERENCES)
def test_differences(expected: str, actual: str, lines: list[str]) -> None:
    pair = [load(f"A ::= {notation}").A for notation in (expected, actual)]
    assert sorted(Comparison().compare(*pair, "A")) == sorted(lines)


def test_a_pair_is_reported_once() -> None:
    made = load("A ::= SEQUENCE { a B, b B } B ::= SEQUENCE { n INTEGER }")
    other = load("A ::= SEQUENCE { a B, b B } B ::= SEQUENCE { n NULL }")
    comparison = Comparison()
    assert comparison.compare(made.A, other.A, "A") == ["B.n: tag INTEGER, not NULL", "B.n: INTEGER, not NULL"]
    assert comparison.compare(made.B, other.B, "B") == []
    assert comparison.compared == {other.A, other.B}

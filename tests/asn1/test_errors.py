"""Errors: the place, what was expected, and that the compiler goes on."""

import pytest
from asn1.modules import errors, module

from derlib import asn1
from derlib.asn1.source import Source
from derlib.asn1.syntax.lexer import tokenize

# Assignments from line 2 on, and the errors.
ERRORS = [
    ("component without type", "A ::= SEQUENCE { a, b INTEGER }", ["2:19: expected a type, found ','"]),
    ("missing comma", "A ::= SEQUENCE { a INTEGER b INTEGER }", ["2:28: expected ',' or '}', found 'b'"]),
    ("comma at the end", "A ::= SEQUENCE { a INTEGER, }", ["2:29: expected a component, found '}'"]),
    ("component in capitals", "A ::= SEQUENCE { B INTEGER }", ["2:18: expected a component name, found 'B'"]),
    ("missing OF", "A ::= SEQUENCE SIZE (1) INTEGER", ["2:25: expected 'OF', found 'INTEGER'"]),
    ("missing parenthesis", "A ::= INTEGER (0..5\nB ::= NULL", ["3:1: expected ')', found 'B'"]),
    ("unknown type", "A ::= Missing", ["2:7: Missing is not defined in module Test, and not imported"]),
    ("unknown value", "A ::= INTEGER (0..max)", ["2:19: max is not defined in module Test, and not imported"]),
    ("value instead of type", "v INTEGER ::= 1\nA ::= SEQUENCE { a v }", ["3:20: expected a type, found 'v'"]),
    ("defined twice", "A ::= NULL\nA ::= INTEGER", ["3:1: A is defined twice; the first time in line 2"]),
    ("type of itself", "A ::= [1] B\nB ::= A", ["2:1: A refers to itself", "3:1: B refers to itself"]),
    ("value of itself", "v INTEGER ::= v", ["2:15: the definition refers to itself, or to a chain of 100 others"]),
    ("empty range", "A ::= INTEGER (5..1)", ["2:16: the range 5..1 is empty"]),
    ("wrong number of parameters", "A{T} ::= SET OF T\nB ::= A", ["3:7: A has 1 parameter, but 0 given here"]),
    ("expansion without end", "A{T} ::= SEQUENCE { a A{SET OF T} OPTIONAL }\nB ::= A{NULL}", None),
    ("unknown field", "C ::= CLASS { &id INTEGER }\nA ::= C.&name", ["3:7: the class C has no field &name"]),
    ("item without name", "A ::= ENUMERATED { a, 5 }", ["2:23: expected an identifier, found '5'"]),
    ("unknown named bit", "A ::= BIT STRING { a(0) }\nv A ::= {b}", ["3:10: b is not a named bit; expected one of a"]),
    ("component twice", "A ::= SEQUENCE { a NULL, ..., [[ b NULL, a NULL ]] }", ["2:42: a is defined twice"]),
    ("alternative twice", "A ::= CHOICE { a NULL, a INTEGER }", ["2:24: a is defined twice"]),
    ("item twice", "A ::= ENUMERATED { a, ..., a }", ["2:28: a is defined twice"]),
    (
        "components with one Python name",
        "A ::= SEQUENCE { ab-c NULL, abC NULL }",
        ["2:1: ab-c and abC are both ab_c in Python: rename one of them"],
    ),
    (
        "alternatives with one Python name",
        "A ::= [1] CHOICE { aB NULL, ab INTEGER }",
        ["2:1: aB and ab are both ab in Python: rename one of them"],
    ),
    (
        "items with one Python name",
        "A ::= SEQUENCE { a ENUMERATED { ab-c, abC } }",
        ["2:1: ab-c and abC are both ab_c in Python: rename one of them"],
    ),
    (
        "one tag in a CHOICE",
        "A ::= CHOICE { a INTEGER, b CHOICE { c NULL, d INTEGER } }",
        ["2:27: b has the tag of a, INTEGER (X.680 29.3)"],
    ),
    (
        "one tag in a SET",
        "A ::= SET { a [0] NULL, b NULL, c [0] NULL }",
        ["2:33: c has the tag of a, [0] (X.680 27.3)"],
    ),
    (
        "one tag after an optional component",
        "A ::= SEQUENCE { a INTEGER DEFAULT 5, b B, c INTEGER }\nB ::= INTEGER",
        ["2:39: b has the tag of a, INTEGER, and a can be absent (X.680 25.6)"],
    ),
    (
        "size of a number",
        "A ::= INTEGER (SIZE (1..5))",
        ["2:16: SIZE does not fit INTEGER: a value range such as (0..255) restricts the number (X.680 51.5)"],
    ),
    (
        "range of a string",
        "A ::= OCTET STRING (1..5)",
        ["2:21: a value range does not fit OCTET STRING: SIZE restricts the length (X.680 51.4)"],
    ),
    ("number twice", "A ::= INTEGER { a(1), b(2), c(1) }", ["2:29: c has the number of a, 1"]),
    ("bit twice", "A ::= BIT STRING { a(1), b(v) }\nv INTEGER ::= 1", ["2:26: b has the number of a, 1"]),
    # The first two are examples of X.680 20.
    ("number of the root", "A ::= ENUMERATED { a, b, ..., c(0) }", ["2:31: c has the number of a, 0"]),
    ("number of an addition", "A ::= ENUMERATED { a, b, ..., c, d(2) }", ["2:34: d has the number of c, 2"]),
    (
        "additions not in order",
        "A ::= ENUMERATED { a(5), ..., b(7), c(6) }",
        ["2:37: the number of c is less than that of the item before it, 7"],
    ),
    (
        "negative bit",
        "A ::= BIT STRING { a(-1) }",
        ["2:22: the position of a bit cannot be negative (X.680 22.3)"],
    ),
    ("value of a component twice", "a A ::= { a 5, a 6 }\nA ::= SET { a INTEGER }", ["2:16: a is given twice"]),
    (
        "impossible arcs",
        "a OBJECT IDENTIFIER ::= { 1 40 }",
        ["2:25: the first arcs are 0.0 to 0.39, 1.0 to 1.39 or 2.n (X.660 A)"],
    ),
    (
        "two errors",
        "A ::= SEQUENCE { a }\nB ::= CHOICE { }\nC ::= [x INTEGER\nD ::= NULL",
        ["2:20: expected a type, found '}'", "4:10: expected ']', found 'INTEGER'"],
    ),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_error(body: str, expected: list[str] | None) -> None:
    found = errors(module(body))
    assert found if expected is None else found == expected


def test_text_of_an_error_has_the_line_and_a_caret() -> None:
    with pytest.raises(asn1.CompileError) as found:
        asn1.compile_sources([Source("shop.asn", module("Item ::= SEQUENCE {\n\tcode INTEGER code }"))])
    assert str(found.value) == (
        "shop.asn:3:15: error: expected ',' or '}', found 'code'\n\tcode INTEGER code }\n\t             ^"
    )


@pytest.mark.parametrize("words", range(6))
def test_cut_modules(words: int) -> None:
    assert errors(" ".join(["A", "DEFINITIONS", "::=", "BEGIN", "B", "::="][:words]))


CIRCLES = {
    "aliases": "A ::= B\nB ::= A",
    "alias with a tag": "A ::= [1] A",
    "alias with an implicit tag": "A ::= B\nB ::= A\nC ::= [1] IMPLICIT A",
    "COMPONENTS OF": "A ::= SEQUENCE { COMPONENTS OF A }",
    "COMPONENTS OF an alias": "A ::= B\nB ::= A\nC ::= SEQUENCE { COMPONENTS OF A }",
    "values": "a INTEGER ::= b\nb INTEGER ::= a",
    "OBJECT IDENTIFIER": "a OBJECT IDENTIFIER ::= { a 1 }",
    "constraint": "A ::= INTEGER (A)",
    "value set": "A INTEGER ::= { A | 5 }\nB ::= INTEGER (A)",
    "parameters": "A{T} ::= B{T}\nB{T} ::= A{T}\nC ::= A{NULL}",
    "type of a field": "C ::= CLASS { &a C.&a }\nA ::= C.&a",
    "class": "A ::= B\nB ::= A\nC ::= A.&id",
    "object": "C ::= CLASS { &id OBJECT IDENTIFIER, &T }\no C ::= o\nA ::= o.&T",
    "object set": """
        C ::= CLASS { &id OBJECT IDENTIFIER, &T }
        S{INTEGER:n} C ::= { S{n} }
        A ::= SEQUENCE { id C.&id({S{1}}), t C.&T({S{1}}{@id}) }
    """,
    "deep types": "A ::= " + "SEQUENCE OF " * 5000 + "NULL",
    "deep constraints": "A ::= INTEGER " + "(" * 5000 + "1" + ")" * 5000,
    "deep values": "a A ::= " + "a : " * 5000 + "1",
}


@pytest.mark.parametrize("body", CIRCLES.values(), ids=CIRCLES)
def test_circles_and_deep_nesting_end(body: str) -> None:
    """There are errors in the module, or it compiles and can be imported; there is no other exception."""
    found = errors(module(body))
    assert all(int(message.split(":")[0]) > 1 for message in found)
    if not found:
        asn1.load(module(body))


BODY = """
Version ::= INTEGER { v1(0), v2(1) }
Item ::= SEQUENCE {
    version   [0] EXPLICIT Version DEFAULT v1,
    name      UTF8String (SIZE (1..64)),
    tags      SEQUENCE OF OBJECT IDENTIFIER OPTIONAL }
Kind ::= CHOICE { first NULL, second [1] Item }
limit INTEGER ::= 64
"""


TEXT = module(BODY)
TOKENS = tokenize(Source("test", TEXT))


@pytest.mark.parametrize("index", range(len(TOKENS) - 1), ids=lambda index: f"{index}-{TOKENS[index].text}")
def test_a_missing_token_is_reported_at_its_line(index: int) -> None:
    """Remove each token: the module stays valid, or the first error is there, or at the next token or its bracket."""
    token, following = TOKENS[index : index + 2]
    cut = TEXT[: token.offset] + " " * len(token.text) + TEXT[token.end :]
    lines = {TEXT.count("\n", 0, offset) + 1 for offset in (token.offset, following.offset)}
    found = [int(message.split(":")[0]) for message in errors(cut)]
    assert not found or found[0] in lines or token.text in "{}()", (token, found)

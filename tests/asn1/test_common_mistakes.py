"""Common mistakes: the error has the place and the working form, and the errors after it are still reported."""

import pytest
from asn1.modules import errors, module

REST = "Z ::= SEQUENCE { a, b NULL }"
REST_ERROR = "expected a type, found ','"
NOT_DEFINED = "is not defined in module Test, and not imported"

SYNTAX = [
    ("A ::= [APP 3] NULL", "2:8: expected a tag such as [3] or [APPLICATION 3], found 'APP'"),
    ("A ::= [application 3] NULL", "2:8: expected a tag such as [3] or [APPLICATION 3], found 'application'"),
    ("A ::= [PRIV n] NULL", "2:8: expected a tag such as [n] or [PRIVATE n], found 'PRIV'"),
    ("A ::= [CONTEXT 3] NULL", "2:8: expected a tag such as [3] or [APPLICATION 3], found 'CONTEXT'"),
    ("A ::= SEQUENCE { a BOOLEAN DEFAULT False }", "2:36: expected a value: write FALSE, found 'False'"),
    ("A ::= NULL // a comment, isn't it", "2:12: expected '--' before a comment, found '//'"),
    ("// a comment: {", "2:1: expected '--' before a comment, found '//'"),
    (
        "A ::= SEQUENCE { a UTF8String DEFAULT 'text' }",
        "2:39: expected a string in double quotes, found 'text': write \"text\"",
    ),
    (
        "A ::= OCTET STRING ('0G'H)",
        "2:21: expected a binary string such as '0101'B, or a hexadecimal string such as '0AFF'H",
    ),
    (
        "A ::= SEQUENCE { a UTF8String DEFAULT 'text }",
        "2:39: expected a binary string such as '0101'B, or a hexadecimal string such as '0AFF'H",
    ),
    ("A ::= OCTET STRING (SIZE 1..5)", "2:26: expected '(' after SIZE: write SIZE (1..5), found '1'"),
    ("A ::= OCTET STRING (SIZE 5 | 8)", "2:26: expected '(' after SIZE: write SIZE (5 | 8), found '5'"),
    ("A ::= SEQUENCE SIZE 1..MAX OF NULL", "2:21: expected '(' after SIZE: write SIZE (1..MAX), found '1'"),
    ('A ::= IA5String (FROM "a".."z")', "2:23: expected '(' after FROM: write FROM (\"a\"..\"z\"), found '\"a\"'"),
    (
        "A ::= OCTET STRING SIZE 1..5",
        "2:20: expected a constraint in parentheses: write (SIZE (1..5)), found 'SIZE'",
    ),
    (
        "A ::= SEQUENCE { a OCTET STRING SIZE 1..5, b NULL }",
        "2:33: expected a constraint in parentheses: write (SIZE (1..5)), found 'SIZE'",
    ),
    (
        "A ::= SEQUENCE { a OCTET STRING SIZE (1..5), b NULL }",
        "2:33: expected a constraint in parentheses: write (SIZE (1..5)), found 'SIZE'",
    ),
    ("A ::= BITSTRING { a(0) }", "2:7: expected a type, found 'BITSTRING': did you mean BIT STRING?"),
    ("A ::= SEQUENCE { x BITSTRING { a(0) } }", "2:20: expected a type, found 'BITSTRING': did you mean BIT STRING?"),
    ("A ::= CHOCE { a NULL }", "2:7: expected a type, found 'CHOCE': did you mean CHOICE?"),
    (
        "A ::= SEQUENCE { a INTEGER, b SEQUNCE { a NULL } }",
        "2:31: expected a type, found 'SEQUNCE': did you mean SEQUENCE?",
    ),
    ("Algorithm ::= CLASS { &id NULL }", "2:1: the name of a class is in capitals: expected 'ALGORITHM' (X.681 7.1)"),
]


@pytest.mark.parametrize(("body", "error"), SYNTAX, ids=[row[0] for row in SYNTAX])
def test_syntax(body: str, error: str) -> None:
    assert errors(module(f"{body}\n{REST}")) == [error, f"3:19: {REST_ERROR}"]


MEANING = [
    ("A ::= SEQUENCE { a BOOLEAN DEFAULT false }", "2:36: expected a value, found 'false': write FALSE"),
    ("a BOOLEAN ::= true", "2:15: expected a value, found 'true': write TRUE"),
    ("A ::= SEQUENCE { a NULL DEFAULT null }", "2:33: expected a value, found 'null': write NULL"),
    ("A ::= INTEGER (min..5)", "2:16: expected a value, found 'min': write MIN"),
    ("A ::= OCTETSTRING", f"2:7: OCTETSTRING {NOT_DEFINED}; did you mean OCTET STRING?"),
    ("A ::= OBJECTIDENTIFIER", f"2:7: OBJECTIDENTIFIER {NOT_DEFINED}; did you mean OBJECT IDENTIFIER?"),
    ("A ::= SEQUENCEOF INTEGER", "2:7: SEQUENCEOF is not defined; did you mean SEQUENCE OF?"),
    ("A ::= ENUMERTED { a, b }", f"2:7: ENUMERTED {NOT_DEFINED}; did you mean ENUMERATED?"),
    (
        "C ::= CLASS { &id INTEGER }\na C ::= {&id 1}\nb C ::= {&id 2}\nS C ::= {a, b}\nA ::= INTEGER (S.&id)",
        "5:11: expected '|' between objects, or ', ...' after them (X.681 12.3), found ','",
    ),
    (
        "C ::= CLASS { &id INTEGER }\na C ::= {&id 1}\nb C ::= {&id 2}\nS C ::= {..., a, b}\nA ::= INTEGER (S.&id)",
        "5:16: expected '|' between objects (X.681 12.3), found ','",
    ),
]


@pytest.mark.parametrize(("body", "error"), MEANING, ids=[row[0] for row in MEANING])
def test_meaning(body: str, error: str) -> None:
    assert errors(module(f"{body}\nZ ::= Missing")) == [error, f"{body.count(chr(10)) + 3}:7: Missing {NOT_DEFINED}"]


@pytest.mark.parametrize("following", ["C ::= INTEGER", "c INTEGER ::= 5", "C INTEGER ::= { 5 }"])
@pytest.mark.parametrize("imports", ["IMPORTS A FROM B", "IMPORTS A FROM B { 1 2 }", "IMPORTS A FROM B b"])
def test_a_missing_semicolon_after_imports(imports: str, following: str) -> None:
    found = errors(module(f"{imports}\n{following}\n{REST}"))
    assert found == [f"3:1: expected ';' after the imports, found {following[0]!r}", f"4:19: {REST_ERROR}"]


@pytest.mark.parametrize(
    ("header", "error"),
    [
        ("EXPORTS A B;\nIMPORTS X FROM Y;", "2:11: expected ',' or ';', found 'B'"),
        ("EXPORTS A, B\nIMPORTS X FROM Y;", "3:1: expected ',' or ';', found 'IMPORTS'"),
        ("EXPORTS A;\nIMPORTS X, FROM Y;", "3:12: expected a name, found 'FROM'"),
    ],
)
def test_mistakes_in_exports_and_imports(header: str, error: str) -> None:
    assert errors(module(f"{header}\n{REST}")) == [error, f"4:19: {REST_ERROR}"]

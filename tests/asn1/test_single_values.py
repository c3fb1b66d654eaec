"""Single values: parts that equal their DEFAULT, values outside of the parent type, and strings with contents."""

import types
from typing import Annotated, Any

import pytest
from asn1.modules import errors, load, module

import derlib
from derlib import OneOf, asn1
from derlib.asn1.source import Source


@pytest.mark.parametrize(
    ("notation", "valid", "invalid"),
    [
        ("A ({x 5} | {x 6})", ["3000", "3003020106"], ["3003020107"]),
        ("A ({x 5})", ["3000"], ["3003020106"]),
        ("SEQUENCE (WITH COMPONENT ({x 5})) OF A", ["30023000", "3000"], ["30053003020106"]),
        ("SEQUENCE { a A ({x 5} | {x 6}) DEFAULT {x 5} }", ["3000", "30053003020106"], ["30053003020107"]),
        ("B ({a {x 5}})", ["3000"], ["30053003020106"]),
    ],
)
def test_parts_of_single_values_that_equal_their_default(notation: str, valid: list[str], invalid: list[str]) -> None:
    # X.690 11.5: a component that equals its DEFAULT is not encoded.
    made = load(f"T ::= {notation}\nA ::= SEQUENCE {{ x INTEGER DEFAULT 5 }}\nB ::= SEQUENCE {{ a A DEFAULT {{x 5}} }}")
    for octets in map(bytes.fromhex, valid):
        assert derlib.encode(derlib.decode(made.T, octets), made.T) == octets
    for octets in map(bytes.fromhex, invalid):
        with pytest.raises(derlib.DecodeError):
            derlib.decode(made.T, octets)


def test_a_default_still_satisfies_its_constraint() -> None:
    field = derlib.Field("x", Annotated[str, OneOf("a", "b")], default="c")
    with pytest.raises(derlib.SchemaError, match=r"the default 'c' is not a value of UTF8String: .*not one of"):
        types.new_class("A", (derlib.Sequence,), {"fields": [field]})


def warnings(body: str) -> list[str]:
    """Return the warnings of assignments, each as "line:column: message"."""
    _, found = asn1.compile_sources([Source("test", module(body))])
    return [f"{one.place.line}:{one.place.column}: {one.message}" for one in found]


LEFT_OUT = "is left out: the parent type does not have it (X.680 51.2)"


@pytest.mark.parametrize(
    ("body", "warning", "valid", "invalid"),
    [
        ("A ::= INTEGER (0..5)\nB ::= A (3|7)", "3:12: 7", [3], [7, 5]),
        ("B ::= A (3|7)\nA ::= INTEGER (0..5)", "2:12: 7", [3], [7, 5]),
        ("A ::= INTEGER (0..5)\nB ::= A (1..2|7)", "3:15: 7", [1, 2], [7, 5]),
        ("A ::= INTEGER (0..5)\nB ::= A ((0..3|7) ^ (2..9))", "3:16: 7", [2, 3], [7, 1]),
        ("A ::= INTEGER (0..5)\nB ::= A ((2..9) ^ (0..3|7))", "3:25: 7", [2, 3], [7, 1]),
        ("A ::= INTEGER (0..5)\nB ::= A (3|7) (2..9)", "3:12: 7", [3], [7]),
        ("A ::= INTEGER (0..5)\nB ::= [1] C\nC ::= A (3|7)", "4:12: 7", [3], [7]),
        ("A ::= INTEGER (0..5)\nB ::= INTEGER (C)\nC ::= A (3|7)", "4:12: 7", [3], [7]),
        ("A ::= INTEGER (ALL EXCEPT 7)\nB ::= INTEGER (C)\nC ::= A (7 | 8..MAX)", "4:10: 7", [8], [6, 7]),
        ("A ::= INTEGER (0..5)\nB A ::= { 3 | 7 }", "3:15: 7", [3], [7]),
        ("A ::= INTEGER (0..5)\nB ::= A (ALL EXCEPT (3|7))", "3:24: 7", [2], [3, 7]),
        ("A ::= INTEGER (0..5)\nB ::= A (ALL EXCEPT 7)", "3:21: 7", [2], [7]),
        ("A ::= INTEGER (0..5)\nB ::= A (0..3 EXCEPT 7)", "3:22: 7", [2], [7]),
        ("A ::= INTEGER (0..5)\nB ::= A (3|7, ...)", "3:12: 7", [3, 5], [7]),
        ('A ::= IA5String (SIZE (1))\nB ::= A ("a"|"bc")', "3:14: 'bc'", ["a"], ["bc"]),
        ('A ::= IA5String (FROM ("a"))\nB ::= A ("a"|"b")', "3:14: 'b'", ["a"], ["b"]),
        ("A ::= ENUMERATED {a, b, c} (a|b)\nB ::= A (b|c)", "3:12: c", [1], [0, 2]),
        (
            "A ::= SEQUENCE OF INTEGER (0..5)\nB ::= A (WITH COMPONENT (3|7))",
            "3:28: 7",
            [[3]],
            [[7], [5]],
        ),
        (
            "A ::= SEQUENCE { a INTEGER (0..5) }\nB ::= A (WITH COMPONENTS { a (3|7) })",
            "3:33: 7",
            [{"a": 3}],
            [{"a": 7}, {"a": 5}],
        ),
    ],
)
def test_values_outside_of_the_parent_type(body: str, warning: str, valid: list[Any], invalid: list[Any]) -> None:
    assert warnings(body) == [f"{warning} {LEFT_OUT}"]
    made = load(body)
    for value in valid:
        derlib.encode(value, made.B)
    for value in invalid:
        with pytest.raises(derlib.ConstraintError):
            derlib.encode(value, made.B)


PAIR = "SEQUENCE { x INTEGER, y BOOLEAN OPTIONAL }"


@pytest.mark.parametrize(
    ("parent", "notation", "place", "valid", "invalid"),
    [
        ("WITH COMPONENTS { ..., x (0..5) }", "{x 3} | {x 7}", "3:18", {"x": 3}, {"x": 7}),
        ("WITH COMPONENTS { ..., y ABSENT }", "{x 3} | {x 3, y TRUE}", "3:18", {"x": 3}, {"x": 3, "y": True}),
        ("WITH COMPONENTS { ..., y PRESENT }", "{x 3} | {x 3, y TRUE}", "3:10", {"x": 3, "y": True}, {"x": 3}),
        ("{x 3} | {x 4}", "{x 4} | {x 5}", "3:18", {"x": 4}, {"x": 5}),
        ("{x 3, y TRUE}", "{x 3, y TRUE} | {x 3, y FALSE}", "3:26", {"x": 3, "y": True}, {"x": 3, "y": False}),
    ],
)
def test_values_with_components_outside_of_the_parent_type(
    parent: str, notation: str, place: str, valid: object, invalid: object
) -> None:
    body = f"A ::= {PAIR} ({parent})\nB ::= A ({notation})"
    assert warnings(body) == [f"{place}: the value {LEFT_OUT}"]
    made = load(body)
    derlib.encode(valid, made.B)
    with pytest.raises(derlib.ConstraintError):
        derlib.encode(invalid, made.B)


@pytest.mark.parametrize(
    ("notation", "default"),
    [
        (f"{PAIR} (WITH COMPONENTS {{ ..., x (0..5) }})", "{x 7}"),
        (f"{PAIR} (WITH COMPONENTS {{ ..., y PRESENT }})", "{x 5}"),
        ("SEQUENCE (WITH COMPONENT (0..5)) OF INTEGER", "{1, 7}"),
        ("CHOICE { a NULL, b INTEGER } (WITH COMPONENTS { b PRESENT })", "a : NULL"),
        ("CHOICE { a NULL, b INTEGER } (WITH COMPONENTS { ..., a ABSENT })", "a : NULL"),
        ("CHOICE { a NULL, b INTEGER } (b : 5 | b : 6)", "b : 7"),
    ],
)
def test_defaults_that_violate_inner_constraints(notation: str, default: str) -> None:
    [error] = errors(module(f"T ::= {notation}\nA ::= SEQUENCE {{ a T DEFAULT {default} }}"))
    assert "the default violates the constraint of its type" in error


NO_VALUE = "no value satisfies these constraints"
WITH_PARENT = f"{NO_VALUE}, together with those of its parent type (X.680 50)"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("A ::= INTEGER (0..5)\nB ::= A (7)", f"3:10: {WITH_PARENT}"),
        ("A ::= INTEGER (0..5)\nB ::= A (7|8)", f"3:10: {WITH_PARENT}"),
        ("A ::= INTEGER (0..5)\nB ::= A (7..9)", f"3:10: {WITH_PARENT}"),
        ("A ::= INTEGER (0..5) (7..9)", f"2:23: {WITH_PARENT}"),
        ("A ::= INTEGER (0..5)\nB ::= [1] A\nC ::= SEQUENCE { a B (6..MAX) }", f"4:23: {WITH_PARENT}"),
        ("A ::= INTEGER (0..5)\nB ::= INTEGER (A ^ 7..9)", f"3:16: {NO_VALUE} (X.680 50)"),
        ("A ::= INTEGER (1 ^ 2)", f"2:16: {NO_VALUE} (X.680 50)"),
        ('A ::= IA5String ("a" ^ "b")', f"2:18: {NO_VALUE} (X.680 50)"),
        ("A ::= INTEGER (1 EXCEPT 1)", f"2:16: {NO_VALUE} (X.680 50)"),
        ("A ::= INTEGER (0..5 EXCEPT (0..2|3..9))", f"2:16: {NO_VALUE} (X.680 50)"),
        ("A ::= INTEGER (MIN..5) (ALL EXCEPT (MIN..9))", f"2:25: {WITH_PARENT}"),
        ("A ::= OCTET STRING (SIZE (1..2))\nB ::= A (SIZE (3))", f"3:10: {WITH_PARENT}"),
        ("A ::= SEQUENCE SIZE (1..2) OF NULL\nB ::= A (SIZE (3))", f"3:10: {WITH_PARENT}"),
        ("A ::= SEQUENCE OF INTEGER (0..5)\nB ::= A (WITH COMPONENT (7))", f"3:10: {WITH_PARENT}"),
        ("A ::= SEQUENCE { a INTEGER (0..5) }\nB ::= A (WITH COMPONENTS { a (7) })", f"3:10: {WITH_PARENT}"),
        (
            "A ::= SEQUENCE { a INTEGER (0..5) }\nB ::= A ({a 5} | {a 7})",
            "3:18: the value violates the constraint of its type: 7 is not in 0..5 (X.680 51.2)",
        ),
    ],
)
def test_constraints_that_no_value_satisfies(body: str, error: str) -> None:
    assert errors(module(body)) == [error]


@pytest.mark.parametrize(
    ("body", "valid", "invalid"),
    [
        ("INTEGER (-5..-1 | 2..4)", [2, 4], [0, 5]),
        ("INTEGER (2..4 | MIN..-1)", [2, 4], [0, 5]),
        ("INTEGER (-5 | 3)", [3], [0, 5]),
        ("INTEGER (0..4 EXCEPT -1)", [0, 4], [5]),
        ("INTEGER (ALL EXCEPT -1)", [0, 5], []),
        ("INTEGER (ALL EXCEPT (MIN..1))", [2], [1]),
    ],
)
def test_negative_numbers_are_not_sizes(body: str, valid: list[int], invalid: list[int]) -> None:
    made = load(f"A ::= OCTET STRING (SIZE (O))\nO ::= {body}")
    for size in valid:
        derlib.encode(bytes(size), made.A)
    for size in invalid:
        with pytest.raises(derlib.ConstraintError):
            derlib.encode(bytes(size), made.A)


CONTENTS = [
    ("OCTET STRING (CONTAINING INTEGER)", "'020101'H", 1),
    ("OCTET STRING (CONTAINING INTEGER)", "'0000001000000001 00000001'B", 1),
    ("BIT STRING (CONTAINING INTEGER)", "'020101'H", 1),
    ("OCTET STRING (CONTAINING SEQUENCE { a INTEGER })", "'3003020101'H", {"a": 1}),
    ("OCTET STRING (CONTAINING SEQUENCE OF T)", "'3000'H", []),
    ("[1] OCTET STRING (CONTAINING OCTET STRING (CONTAINING BOOLEAN))", "'0403 0101FF'H", True),
    ("Alias", "octets", 5),
]


@pytest.mark.parametrize(("notation", "default", "value"), CONTENTS)
def test_defaults_of_strings_that_contain_an_encoding(notation: str, default: str, value: object) -> None:
    body = f"""
        T ::= SEQUENCE {{ a {notation} DEFAULT {default} }}
        Alias ::= OCTET STRING (CONTAINING INTEGER (0..9))
        octets Alias ::= '020105'H
    """
    made = load(body)
    assert made.T.decode(bytes.fromhex("3000")).to_native() == {"a": value}
    assert made.T(a=value).encode().hex() == "3000"
    text = asn1.to_asn1(made.T)
    again = asn1.load(text)
    assert again.T.decode(bytes.fromhex("3000")).to_native() == {"a": value}
    assert asn1.to_asn1(again.T) == text
    assert derlib.encode(made.octets, made.Alias).hex() == "0403020105"


OPEN = """
C ::= CLASS { &id INTEGER UNIQUE, &T } WITH SYNTAX { &T ID &id }
S C ::= { { BOOLEAN ID 1 }, ... }
A ::= SEQUENCE { id C.&id({S}), a $ STRING (CONTAINING C.&T({S}{@id})) DEFAULT '0101FF'H }
"""


@pytest.mark.parametrize("string", ["OCTET", "BIT"])
def test_defaults_of_strings_that_contain_an_open_type(string: str) -> None:
    made = load(OPEN.replace("$", string))
    default = b"\x01\x01\xff" if string == "OCTET" else derlib.BitString(b"\x01\x01\xff")
    assert made.A(id=1).a == made.A.decode(bytes.fromhex("3003020102")).a == default
    assert made.A(id=1, a=True).encode() == made.A(id=1).encode() == bytes.fromhex("3003020101")
    assert "DEFAULT '0101FF'H" in asn1.to_asn1(made.A)


def test_single_values_of_strings_that_contain_an_encoding() -> None:
    made = load("A ::= OCTET STRING (CONTAINING INTEGER)\nB ::= A ('020101'H | '020105'H)")
    assert derlib.encode(5, made.B).hex() == "0403020105"
    with pytest.raises(derlib.ConstraintError):
        derlib.encode(2, made.B)
    assert "OCTET STRING (CONTAINING INTEGER) ('020101'H | '020105'H)" in asn1.to_asn1(made.B)


@pytest.mark.parametrize(
    ("notation", "default", "message"),
    [
        ("OCTET STRING", "'02'H", "ends at offset 1"),
        ("OCTET STRING", "''H", "ends at offset 0"),
        ("BIT STRING", "'0'B", "they have 1 bit"),
        ("OCTET STRING", "'02010101'H", "bytes follow the end of the value: 01 (X.690 8.1.1.1)"),
    ],
)
def test_contents_that_are_not_an_encoding(notation: str, default: str, message: str) -> None:
    [error] = errors(module(f"A ::= SEQUENCE {{ a {notation} (CONTAINING INTEGER) DEFAULT {default} }}"))
    assert "the default violates the constraint of its type: the contents are not an encoding" in error
    assert message in error

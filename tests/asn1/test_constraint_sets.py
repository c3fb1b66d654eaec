"""Set operations of constraints and of object sets: no valid value is refused, and what is not checked is reported."""

from typing import Any

import pytest
from asn1.modules import errors, load, module

import derlib
from derlib import NULL, asn1
from derlib.asn1.source import Source


def check(body: str, warnings: list[str], valid: list[object], invalid: list[object]) -> None:
    """Compile assignments, and check their warnings and the values of the type Found."""
    _, found = asn1.compile_sources([Source("test", module(body))])
    assert [one.message for one in found] == warnings
    made = load(body).Found
    for value in valid:
        derlib.encode(value, made)
    for value in invalid:
        with pytest.raises(derlib.ConstraintError):
            derlib.encode(value, made)


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


SUBTYPES = """
A ::= INTEGER (1..5, ...)
P ::= INTEGER (0..10)
Some ::= INTEGER (1 | 3)
Even INTEGER ::= { 2 | 4 }
Letters ::= IA5String (FROM ("a".."z"))
Pattern ::= IA5String (PATTERN "x") (SIZE (1))
T1 ::= SEQUENCE OF INTEGER
Alias ::= Later
Later INTEGER ::= { 2 | 4 }
L2 ::= SEQUENCE OF L2
M2 ::= SEQUENCE OF M2
Both ::= IA5String (SIZE (1..2) ^ FROM ("a".."b"))
Mixed ::= IA5String ((FROM ("a") | SIZE (1)) ^ (FROM ("b") | SIZE (2)))
Signed ::= INTEGER (-5..5)
"""

SETS = [
    # type, values that are valid, values that are not
    ("INTEGER (INTEGER EXCEPT 5)", [4], [5]),
    ("INTEGER (P EXCEPT 5)", [4], [5, 11]),
    ("INTEGER (ALL EXCEPT (Some | Even))", [5, 0], [1, 2, 3, 4]),
    ("INTEGER { five(5) } (P)", [5], [11]),
    ("T1 (T1 (WITH COMPONENT (P)))", [[1]], [[11]]),
    ("INTEGER (Alias)", [2], [3]),
    ("INTEGER (ALL EXCEPT Alias)", [3], [2]),
    ("INTEGER (MIN<..5)", [-9, 5], [6]),
    ("P (MIN<..5)", [1, 5], [0, 6]),
    ("P (5..<MAX)", [5, 9], [4, 10]),
    ("Some (MIN<..MAX)", [3], [1, 2]),
    ("P (1..MAX) (MIN<..MAX)", [2, 10], [0, 1]),
    ("OCTET STRING (SIZE (Some))", [b"1", b"123"], [b"", b"12", b"1234"]),
    ("OCTET STRING (SIZE (Even))", [b"12", b"1234"], [b"1", b"123"]),
    ("OCTET STRING (SIZE (Some | Even))", [b"1", b"12", b"123", b"1234"], [b"", b"12345"]),
    ("OCTET STRING (SIZE (ALL EXCEPT Some))", [b"", b"12"], [b"1", b"123"]),
    ("OCTET STRING (SIZE (Signed))", [b"", b"12345"], [b"123456"]),
    ("OCTET STRING (SIZE (MIN<..2))", [b"1", b"12"], [b"", b"123"]),
    ("SEQUENCE SIZE (Some) OF BOOLEAN", [[True]], [[], [True, True]]),
    ("BIT STRING { a(0) } (SIZE (2 | 4))", [[], ["a"], 8], [16]),
    ("BIT STRING { a(0) } (ALL EXCEPT SIZE (0..2))", [4], [2]),
    ('IA5String (FROM ("-".."/" | "-"))', ["-./"], [",", "0"]),
    ('IA5String (FROM ("a" | "-".."/" | "-".."0"))', ["-a./0"], [",", "1", "b"]),
    ('IA5String (FROM ("+".."-" | "/"))', ["+,-/"], [".", "*"]),
    ('IA5String (FROM ("a" | "c" | "-"))', ["a-c"], ["b"]),
    ('IA5String (FROM ("a"<..<"z"))', ["by"], ["a", "z"]),
    ('IA5String (FROM ("a".."z" ^ "m".."~"))', ["mz"], ["l", "~"]),
    ('IA5String (FROM ("a".."z" EXCEPT "m"))', ["an"], ["m", "A"]),
    ('IA5String (FROM (ALL EXCEPT "a"))', ["b\0\x7f"], ["a"]),
    ('UTF8String (FROM (ALL EXCEPT "\u0439"))', ["b\0\U0010ffff"], ["\u0439"]),
    ('IA5String (FROM ("a"..MAX))', ["a\x7f"], ["A"]),
    ('IA5String (FROM (MIN.."a"))', ["A\0"], ["b"]),
    ('IA5String (FROM (MIN<.."a"))', ["Aa"], ["\0", "b"]),
    ("IA5String (FROM (PrintableString))", ["aZ0 '()+,-./:=?"], ["@", "*", "\n"]),
    ('IA5String (FROM (Letters | "-"))', ["a-z"], ["A"]),
    ("IA5String (FROM (ALL EXCEPT Letters))", ["A"], ["a"]),
    ("L2 (M2)", [[[]]], []),
    ("IA5String (FROM (Both))", ["ab"], ["c"]),
    ('IA5String (FROM (""))', [""], ["a"]),
    ('IA5String (FROM ("a" ^ "b"))', [""], ["a", "b"]),
    ('IA5String (ALL EXCEPT (FROM ("a".."z" EXCEPT "m") ^ SIZE (3)))', ["ABC", "abm", "ab"], ["abc"]),
]


@pytest.mark.parametrize(("notation", "valid", "invalid"), SETS)
def test_sets(notation: str, valid: list[object], invalid: list[object]) -> None:
    check(f"Found ::= {notation}\n{SUBTYPES}", [], valid, invalid)


CONTAINING = "CONTAINING is not checked inside another constraint"
EXCEPT = "EXCEPT is not checked: a part of the values after it is extensible, or not supported"
FROM = "the alphabet is not checked: FROM with this notation is not supported"
CONTAINERS = "T ::= OCTET STRING (CONTAINING INTEGER)\nU ::= T (SIZE (1..5))"

APPROXIMATE = [
    # assignments, warnings, values that are valid, values that are not
    ('Found ::= IA5String (ALL EXCEPT (PATTERN "x" ^ "abc"))', [EXCEPT], ["abc"], []),
    ('Found ::= IA5String (SIZE (3) EXCEPT PATTERN "x")', [EXCEPT], ["abc"], ["ab"]),
    ("Found ::= IA5String (ALL EXCEPT Pattern)", [EXCEPT], ["a"], []),
    ("Found ::= UTF8String (IA5String)", [], ["a"], []),
    ("Found ::= UTF8String (ALL EXCEPT Letters)", [EXCEPT], ["A"], []),
    ("Found ::= INTEGER (ALL EXCEPT (A ^ (3 | 7)))", [EXCEPT], [7], []),
    ("Found ::= INTEGER (ALL EXCEPT (ALL EXCEPT A))", [EXCEPT, EXCEPT], [7], []),
    ("Found ::= INTEGER (ALL EXCEPT (A EXCEPT 5))", [EXCEPT], [7], []),
    ("Found ::= INTEGER (0..9 EXCEPT (P EXCEPT A))", [EXCEPT, EXCEPT], [7], [10]),
    ("Found ::= BIT STRING { a(0), b(1), d(3) } (ALL EXCEPT SIZE (3..5))", [EXCEPT], [["d"], []], []),
    ('Found ::= IA5String (FROM (SIZE (3) | "a"))', [FROM], ["b"], []),
    ("Found ::= IA5String (FROM (ALL EXCEPT Pattern))", [FROM], ["b"], []),
    ("Found ::= IA5String (FROM (Mixed))", [FROM], ["c"], []),
    ("Found ::= Letters (FROM (MIN<..MAX))", [FROM], ["a"], ["A"]),
    ("Found ::= OCTET STRING (T | SIZE (5))", [CONTAINING], [b"123"], []),
    ("Found ::= OCTET STRING (T ^ SIZE (5))", [CONTAINING], [b"12345"], [b"123"]),
    ("Found ::= OCTET STRING (ALL EXCEPT T)", [CONTAINING, EXCEPT], [b"1"], []),
    ("Found ::= OCTET STRING (T, ...)", [CONTAINING], [b"1"], []),
    ("Found ::= OCTET STRING (U)", [CONTAINING], [b"12345"], [b""]),
    ("Found ::= OCTET STRING (CONTAINING INTEGER ^ SIZE (1..2))", [CONTAINING], [b"1"], [b"123"]),
    ("P2 ::= SEQUENCE { a OCTET STRING } Found ::= P2 (WITH COMPONENTS { a (T) })", [CONTAINING], [{"a": b"1"}], []),
]


@pytest.mark.parametrize(("body", "warnings", "valid", "invalid"), APPROXIMATE)
def test_what_is_not_checked_is_a_warning(
    body: str, warnings: list[str], valid: list[object], invalid: list[object]
) -> None:
    check(f"{SUBTYPES}{CONTAINERS}\n{body}", warnings, valid, invalid)


COMPONENTS = (
    "Q ::= SEQUENCE { a INTEGER OPTIONAL, b [1] NULL OPTIONAL, "
    "c [2] INTEGER DEFAULT 3, d [3] INTEGER, ..., e [4] INTEGER }"
)

INNER = [
    # constraint of Q, warnings, values that are valid, values that are not
    ("a (0..9) OPTIONAL, c, d", [], [{"d": 1}, {"a": 9, "d": 1, "c": 4}], [{"a": 10, "d": 1}, {"b": NULL, "d": 1}]),
    ("a OPTIONAL, b, c, d", [], [{"b": NULL, "d": 1}], [{"d": 1}, {"b": NULL, "d": 1, "e": 5}]),
    ("a OPTIONAL, b ABSENT, c, d, e PRESENT", [], [{"d": 1, "e": 2}], [{"d": 1}, {"b": NULL, "d": 1, "e": 5}]),
    ("a OPTIONAL, d", ["ABSENT is not checked for c, which has a DEFAULT"], [{"d": 1}], [{"b": NULL, "d": 1}]),
    ("a OPTIONAL, c", [], [{"d": 1}], [{"b": NULL, "d": 1}]),
    ("..., a OPTIONAL", [], [{"d": 1}, {"a": 9, "d": 1}], []),
    ("..., d PRESENT", [], [{"d": 1}], []),
    ("..., d (1) PRESENT", [], [{"d": 1}], [{"d": 2}]),
    ("..., c PRESENT", ["PRESENT is not checked for c, which has a DEFAULT"], [{"d": 1}], []),
    ("..., c ABSENT", ["ABSENT is not checked for c, which has a DEFAULT"], [{"d": 1}], []),
]


@pytest.mark.parametrize(("notation", "warnings", "valid", "invalid"), INNER)
def test_presence_of_components(notation: str, warnings: list[str], valid: list[object], invalid: list[object]) -> None:
    check(f"{COMPONENTS}\nFound ::= Q (WITH COMPONENTS {{ {notation} }})", warnings, valid, invalid)


ERRORS = [
    ('A ::= IA5String (FROM ("z".."a"))', "2:24: the range of characters is empty"),
    ('A ::= IA5String (FROM ("ab".."c"))', "2:24: expected one character at the end of a range, found 2 (X.680 51.4)"),
    ("A ::= IA5String (FROM (INTEGER))", "2:24: expected a character string type in FROM, found INTEGER (X.680 51.7)"),
    (
        "A ::= INTEGER (1..5, ...)\nB ::= A (MIN<..5)",
        "3:10: the value of MIN or MAX is not known, because the constraint of the type is extensible or not supported",
    ),
    (
        "A ::= INTEGER (-5..-1)\nB ::= OCTET STRING (SIZE (A))",
        "3:27: the type has no numbers that are sizes: expected 0 to 2^63 - 1",
    ),
    (
        "A ::= INTEGER (-5 | -1)\nB ::= OCTET STRING (SIZE (A))",
        "3:27: the type has no numbers that are sizes: expected 0 to 2^63 - 1",
    ),
    ("A ::= OCTET STRING (SIZE (SIZE (1)))", "2:27: expected numbers in SIZE (X.680 51.5)"),
    (
        "A ::= INTEGER (CONTAINING NULL)",
        "2:16: CONTAINING fits OCTET STRING and BIT STRING, not INTEGER (X.682 11.1)",
    ),
    (
        "A ::= SET (CONTAINING INTEGER) OF NULL",
        "2:12: CONTAINING fits OCTET STRING and BIT STRING, not SET OF (X.682 11.1)",
    ),
    (
        "A ::= B (CONTAINING INTEGER)\nB ::= BIT STRING { a(0) }",
        "2:10: CONTAINING is not supported for a BIT STRING with named bits",
    ),
    (
        "A ::= INTEGER (N)\nN ::= IA5String (SIZE (1..5))",
        "2:16: expected a subtype of INTEGER, found IA5String (X.680 51.3)",
    ),
    (
        "A ::= OCTET STRING (SIZE (N))\nN ::= IA5String (SIZE (1..5))",
        "2:27: expected a subtype of INTEGER, found IA5String (X.680 51.3)",
    ),
    (
        "A ::= SEQUENCE (SIZE (1)) OF INTEGER\nB ::= SEQUENCE OF NULL\nC ::= B (A)",
        "4:10: expected a subtype of the SEQUENCE OF, found another SEQUENCE OF (X.680 51.3)",
    ),
    (
        "A ::= SEQUENCE { a NULL }\nB ::= SEQUENCE { b NULL }\nC ::= A (B)",
        "4:10: expected a subtype of the SEQUENCE, found another SEQUENCE (X.680 51.3)",
    ),
    (
        f"{COMPONENTS}\nB ::= Q (WITH COMPONENTS {{ ..., a (5), a (6) }})",
        "3:40: a is given twice (X.680 51.8)",
    ),
    (
        f"{COMPONENTS}\nB ::= Q (WITH COMPONENTS {{ ..., d ABSENT }})",
        "3:33: d cannot be ABSENT: it is not OPTIONAL (X.680 51.8)",
    ),
    (
        "A ::= SEQUENCE { a NULL, ..., b INTEGER DEFAULT 5 }\nB ::= A (WITH COMPONENTS { ..., b PRESENT })",
        "3:33: PRESENT is not supported for b, which has a DEFAULT",
    ),
    (
        "A ::= SEQUENCE { a NULL OPTIONAL, ..., b INTEGER DEFAULT 5 }\nB ::= A (WITH COMPONENTS { a OPTIONAL })",
        "3:10: ABSENT is not supported for b, which has a DEFAULT",
    ),
]


@pytest.mark.parametrize(("body", "error"), ERRORS)
def test_error(body: str, error: str) -> None:
    assert errors(module(body)) == [error]


@pytest.mark.parametrize(
    ("last", "following"),
    [
        ("INTEGER (0..5)", "INTEGER (INCLUDES A{0})"),
        ("INTEGER (0..5)", "INTEGER (A{0} | {0})"),
        ("INTEGER (0..5)", "INTEGER ((0..9 | A{0}) ^ (ALL EXCEPT 7))"),
        ('IA5String (FROM ("a"))', 'IA5String (FROM (A{0} | "b"))'),
        ('IA5String (FROM ("a"))', 'IA5String (FROM (ALL EXCEPT (A{0} ^ "a".."c")))'),
        ("S (SIZE (1))", "S (WITH COMPONENT (A{0}))"),
        ("S", "S (WITH COMPONENTS {{ ..., a (A{0}) PRESENT }})"),
    ],
)
def test_types_that_include_each_other_in_descending_order(last: str, following: str) -> None:
    """A long chain is an error, and not a RecursionError."""
    same = "S ::= SEQUENCE OF S" if "COMPONENT (" in following else "S ::= SEQUENCE { a S OPTIONAL }"
    lines = [f"A{number} ::= {following.format(number - 1)}" for number in range(299, 0, -1)]
    found = errors(module("\n".join([*lines, f"A0 ::= {last}", same])))
    assert "the definition refers to itself, or to a chain of 100 others" in found[0]
    assert not errors(module("\n".join([*lines[-20:], f"A0 ::= {last}", same])))


@pytest.mark.parametrize("operation", ["(A{0} | {1}..{2}) ^ (0..999999)", "A{0} | {1}..{2}", "ALL EXCEPT (A{0} | {1})"])
def test_types_that_include_each_other_in_ascending_order(operation: str) -> None:
    """Deeply nested constraints are an error: each level is indented, and Python does not read many brackets."""
    lines = [f"A{n} ::= INTEGER ({operation.format(n - 1, 10 * n, 10 * n + 3)})" for n in range(1, 300)]
    found = errors(module("\n".join(["A0 ::= INTEGER (0..5)", *lines])))
    assert found[0].endswith("the types include each other's constraints more than 60 levels deep")
    load("\n".join(["A0 ::= INTEGER (0..5)", *lines[:25]]))


@pytest.mark.parametrize(
    ("notation", "valid", "invalid"),
    [
        ("INTEGER ((0..5) ^ (3|7))", [3], [5, 7]),
        ("INTEGER ((0..5) EXCEPT (3|7))", [5], [3, 7]),
        ("INTEGER ((1|2) ^ (2|3))", [2], [1, 3]),
        ("ENUMERATED { a, b, c } ((a|b) ^ (b|c))", [1], [0, 2]),
        ('IA5String (SIZE (2) ^ ("ab"|"bcd"))', ["ab"], ["bcd", "cd"]),
        ('IA5String (FROM ("a"|"b") ^ ("ab"|"bc"))', ["ab"], ["bc", "a"]),
    ],
)
def test_single_values_that_another_constraint_excludes(notation: str, valid: list[Any], invalid: list[Any]) -> None:
    made = load(f"A ::= {notation}")
    for value in valid:
        assert derlib.decode(made.A, derlib.encode(value, made.A)) == value
    for value in invalid:
        with pytest.raises(derlib.ConstraintError):
            derlib.encode(value, made.A)


def test_single_values_stay_inexact_when_others_are_left_out() -> None:
    # The pattern is not checked, so it is not known whether EXCEPT excludes "a".
    made = load('A ::= IA5String (ALL EXCEPT (("a"|"bc") ^ PATTERN "x" ^ SIZE (1)))')
    assert derlib.encode("a", made.A).hex() == "160161"

"""Errors: the place, what was expected, and that the compiler goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest
from asn1.modules import errors, module

from derlib import asn1
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax.lexer import tokenize

VIOLATES = "violates the constraint of its type:"
CLASS = "C ::= CLASS { &id INTEGER (0..5) UNIQUE, &Type } WITH SYNTAX { &id &Type }\n"
# Assignments from line 2 on, and the errors.
ERRORS = [
    ("component without type", "A ::= SEQUENCE { a, b INTEGER }", ["2:19: expected a type, found ','"]),
    ("missing comma", "A ::= SEQUENCE { a INTEGER b INTEGER }", ["2:28: expected ',' or '}', found 'b'"]),
    ("comma at the end", "A ::= SEQUENCE { a INTEGER, }", ["2:29: expected a component, found '}'"]),
    (
        "component in capitals",
        "A ::= SEQUENCE { B INTEGER }",
        ["2:18: expected a component name, which begins with a small letter, found 'B'"],
    ),
    ("reserved word", "SEQUENCE ::= NULL", ["2:1: SEQUENCE is a reserved word and cannot be a name (X.680 12.38)"]),
    ("item without comma", "A ::= ENUMERATED { a b }", ["2:22: expected ',' or '}', found 'b'"]),
    ("field without comma", "C ::= CLASS { &a NULL &b NULL }", ["2:23: expected ',' or '}', found '&b'"]),
    ("set without braces", "C ::= CLASS { &a NULL }\nS C ::= a | b", ["3:9: expected '{', found 'a'"]),
    (
        "component twice by COMPONENTS OF",
        "A ::= SEQUENCE { COMPONENTS OF B, a NULL }\nB ::= SEQUENCE { a [1] NULL }",
        ["2:35: a is defined twice: COMPONENTS OF also defines it"],
    ),
    (
        "COMPONENTS OF a SET in a SEQUENCE",
        "A ::= SEQUENCE { COMPONENTS OF B }\nB ::= SET { b NULL }",
        ["2:18: COMPONENTS OF in a SEQUENCE needs a SEQUENCE, found a SET"],
    ),
    (
        "COMPONENTS OF a CHOICE",
        "A ::= SEQUENCE { COMPONENTS OF B }\nB ::= CHOICE { b NULL }",
        ["2:18: COMPONENTS OF needs a SEQUENCE or SET"],
    ),
    (
        "COMPONENTS OF in a CHOICE",
        "A ::= CHOICE { COMPONENTS OF A }",
        ["2:16: expected an alternative, found 'COMPONENTS'"],
    ),
    (
        "selection from a SEQUENCE",
        "A ::= b < B\nB ::= SEQUENCE { b NULL }",
        ["2:7: a selection type needs a CHOICE (X.680 30)"],
    ),
    ("CHOICE without alternatives", "A ::= CHOICE { }", ["2:16: expected an alternative, found '}'"]),
    ("enumeration without items", "A ::= ENUMERATED { ... }", ["2:20: expected an identifier, found '...'"]),
    (
        "optional alternative",
        "A ::= CHOICE { a NULL OPTIONAL }",
        ["2:23: an alternative is neither OPTIONAL nor has a DEFAULT (X.680 29.1)"],
    ),
    ("misspelt word", "A ::= SEQUNCE OF INTEGER", ["2:7: SEQUNCE is not defined; did you mean SEQUENCE?"]),
    (
        "constant of a CHOICE",
        "C ::= CHOICE { n INTEGER (0..9) }\nc C ::= n : 50",
        [f"3:9: the value {VIOLATES} 50 is not in 0..9 (X.680 16.2)"],
    ),
    (
        "value of a type with fewer components",
        "A ::= SEQUENCE { x NULL }\nB ::= SEQUENCE { x NULL, y NULL }\na A ::= {x NULL}\nb B ::= a",
        ["5:9: the value has no y, which is not OPTIONAL (X.680 25)"],
    ),
    (
        "default that is not a date",
        'A ::= SEQUENCE { a TIME-OF-DAY DEFAULT "25:00:00" }',
        None,
    ),
    ("parameter twice", "A{T, T} ::= SET OF T", ["2:6: the parameter T is defined twice"]),
    (
        "no object set",
        f"{CLASS}A ::= SEQUENCE {{ a C.&id ({{None}}) }}",
        ["3:28: None is not defined in module Test, and not imported"],
    ),
    (
        "type as object set",
        f"{CLASS}T ::= NULL\nA ::= SEQUENCE {{ a C.&id ({{T}}) }}",
        ["4:27: T is not an object set"],
    ),
    (
        "key outside of its constraint",
        f"{CLASS}S C ::= {{ {{9 NULL}} }}\nA ::= SEQUENCE {{ i C.&id ({{S}}), t [1] C.&Type ({{S}}{{@i}}) }}",
        ["3:12: the value violates the constraint of the field &id: 9 is not in 0..5"],
    ),
    (
        "default of other characters",
        'A ::= SEQUENCE { a PrintableString DEFAULT "@" }',
        [f"2:44: the default {VIOLATES} PrintableString 40 has a character outside its alphabet (X.680 41.4)"],
    ),
    (
        "constant of other characters",
        'a IA5String ::= "\xe9"',
        [f"2:17: the value {VIOLATES} the character at 0 is outside the alphabet of IA5String (X.680 16.2)"],
    ),
    (
        "default that is not a time",
        'A ::= SEQUENCE { a UTCTime DEFAULT "261301000000Z" }',
        [f"2:36: the default {VIOLATES} UTCTime '261301000000Z' is not a valid date and time (X.680 47.3)"],
    ),
    (
        "value without a component",
        "A ::= SEQUENCE { b B DEFAULT {} }\nB ::= SEQUENCE { c NULL }",
        ["2:30: the value has no c, which is not OPTIONAL (X.680 25)"],
    ),
    (
        "unknown item",
        "A ::= SEQUENCE { a ENUMERATED { b, c } DEFAULT d }",
        ["2:48: d is not an item; expected one of b, c"],
    ),
    (
        "base of REAL",
        "a REAL ::= {mantissa 1, base 3, exponent 0}",
        ["2:12: the base of a REAL is 2 or 10 (X.680 21.5)"],
    ),
    (
        "value of another SEQUENCE",
        "A ::= SEQUENCE { a NULL }\nB ::= SEQUENCE { b NULL }\na A ::= {a NULL}\nb B ::= a",
        ["5:9: a is a value of another type: it has a; expected one of b"],
    ),
    ("negative arc", "a INTEGER ::= -1\nb OBJECT IDENTIFIER ::= {1 2 a}", ["3:30: the arc -1 is negative"]),
    (
        "OBJECT IDENTIFIER in the middle",
        "a OBJECT IDENTIFIER ::= {1 2 3}\nb OBJECT IDENTIFIER ::= {1 2 a}",
        ["3:30: an OBJECT IDENTIFIER can only come first (X.680 32.3)"],
    ),
    (
        "class that is a field of itself",
        "C ::= CLASS { &a C.&a }\nA ::= [0] IMPLICIT C.&a",
        ["2:18: the definition refers to itself, or to a chain of 100 others"],
    ),
    ("missing OF", "A ::= SEQUENCE SIZE (1) INTEGER", ["2:25: expected 'OF', found 'INTEGER'"]),
    ("missing parenthesis", "A ::= INTEGER (0..5\nB ::= NULL", ["3:1: expected ')', found 'B'"]),
    ("unknown type", "A ::= Missing", ["2:7: Missing is not defined in module Test, and not imported"]),
    ("unknown value", "A ::= INTEGER (0..most)", ["2:19: most is not defined in module Test, and not imported"]),
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
    (
        "path to no component",
        "C ::= CLASS { &id INTEGER UNIQUE, &T }\nA ::= SEQUENCE { id C.&id({S}), v C.&T({S}{@ident}) }\n"
        "S C ::= { ... }",
        ["3:40: @ident does not lead to a component: ident is missing"],
    ),
    (
        "path without a SEQUENCE",
        "C ::= CLASS { &id INTEGER UNIQUE, &T }\nS C ::= { ... }\nA ::= CHOICE { v C.&T({S}{@id}) }",
        ["4:23: @id does not lead to a component: id is missing"],
    ),
    (
        "path to no component of a component",
        "C ::= CLASS { &id INTEGER UNIQUE, &T }\nS C ::= { ... }\n"
        "A ::= SEQUENCE { a SEQUENCE { id C.&id({S}) }, v C.&T({S}{@a.number}) }",
        ["4:55: @a.number does not lead to a component: number is missing"],
    ),
    (
        "name of a type in small letters",
        "a-b ::= SEQUENCE { c NULL }\nB ::= C",
        ["2:1: the name of a type begins with a capital letter: expected 'A-b'"],
    ),
    (
        "name of a value in capitals",
        "Max INTEGER ::= 5",
        ["2:1: the name of a value begins with a small letter: expected 'max'"],
    ),
    ("value without a type", "max ::= 5", ["2:5: expected a type, found '::='"]),
    (
        "characters that begin no token",
        "A := NULL\nB = C\nB ::= INTEGER (0..5 % 2)\nC ::= SEQUENCE { x y }",
        [
            "2:3: expected '::=', found ':='",
            "3:3: expected '::=', found '='",
            "4:21: the character '%' cannot begin a token",
            "5:20: expected a type, found 'y'",
        ],
    ),
    (
        "many such characters",
        "%" * 1000,
        [f"2:{column}: the character '%' cannot begin a token" for column in range(1, 22)],
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
    (
        "types of the objects of a set",
        "C ::= CLASS { &id INTEGER, &T OPTIONAL }\nS C ::= { {&id 1, &T NULL} }\nA ::= S.&T",
        ["4:7: the field &T of S is not a type"],
    ),
    (
        "values of no object",
        "C ::= CLASS { &id INTEGER, &n INTEGER OPTIONAL }\nS C ::= { {&id 1} }\nA ::= INTEGER (S.&n)",
        ["4:16: no object of S has the field &n"],
    ),
    (
        "impossible arcs of a key",
        "C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &T }\nS C ::= { { &id {3 1}, &T NULL } }",
        ["3:17: expected the first arcs 0.0 to 0.39, 1.0 to 1.39 or 2.n, found 3.1 (X.660 A)"],
    ),
    (
        "empty group of a syntax",
        "C ::= CLASS { &id INTEGER } WITH SYNTAX { [] &id }",
        ["2:43: expected a word in capitals or a field reference in the syntax of a class"],
    ),
    (
        "one key of two objects",
        "C ::= CLASS { &id INTEGER UNIQUE, &T OPTIONAL }\nS C ::= { {&id 1, &T NULL} | {&id 1, &T INTEGER} }",
        ["3:35: two objects of the set have the &id 1, which is UNIQUE; the first one in line 3 (X.681 9)"],
    ),
    (
        "one key of two objects, of which one has no type",
        "C ::= CLASS { &id INTEGER UNIQUE, &T OPTIONAL }\na C ::= {&id 1, &T NULL}\nS C ::= { a | a | b }\n"
        "b C ::= {&id 1}",
        ["5:14: two objects of the set have the &id 1, which is UNIQUE; the first one in line 3 (X.681 9)"],
    ),
    (
        "path to a component without an object set",
        "C ::= CLASS { &id INTEGER UNIQUE, &T }\nS C ::= { ... }\n"
        "A ::= SEQUENCE { id C.&id, v C.&T({S}{@id}) }\nB ::= SEQUENCE { id INTEGER, v C.&T({S}{@id}) }",
        [
            f"{place}: @id leads to id, which no object set constrains: expected C.&...({{S}}) (X.682 10)"
            for place in ("4:35", "5:37")
        ],
    ),
    (
        "second path to no component, and path of a value",
        "C ::= CLASS { &id INTEGER UNIQUE, &n INTEGER, &T }\nS C ::= { ... }\n"
        "A ::= SEQUENCE { id C.&id({S}), v C.&T({S}{@id, @a}) }\nB ::= SEQUENCE { id C.&id({S}), v C.&n({S}{@b}) }",
        [
            "4:40: @a does not lead to a component: a is missing",
            "5:40: @b does not lead to a component: b is missing",
        ],
    ),
    (
        "third marker",
        "A ::= SEQUENCE { a NULL, ..., ..., b NULL, ... }\nB ::= SET { a NULL, ..., ... }",
        ["2:44: expected at most two '...', found a third one (X.680 25.1)"],
    ),
    (
        "alternative after the second marker",
        "A ::= CHOICE { a NULL, ..., ..., b INTEGER }\nB ::= CHOICE { a NULL, ..., ..., ... }\n"
        "C ::= CHOICE { a NULL, ..., ... }",
        [
            "2:32: expected '}' after the second '...' of a CHOICE (X.680 29.1), found ','",
            "3:32: expected '}' after the second '...' of a CHOICE (X.680 29.1), found ','",
        ],
    ),
    (
        "range of characters",
        'A ::= UTF8String (1..4)\nB ::= IA5String ("a".."z")\nC ::= ObjectDescriptor ("a".."z")',
        [
            f"{place}: a value range does not fit {name}: SIZE restricts the length, FROM the characters (X.680 51.4)"
            for place, name in [("2:19", "UTF8String"), ("3:18", "IA5String"), ("4:25", "ObjectDescriptor")]
        ],
    ),
    (
        "characters of a number",
        'A ::= INTEGER (FROM ("a".."z"))\nB ::= OCTET STRING (FROM ("a"))',
        [
            "2:16: FROM does not fit INTEGER: a value range such as (0..255) restricts the number (X.680 51.7)",
            "3:21: FROM does not fit OCTET STRING (X.680 51.7)",
        ],
    ),
    (
        "defaults that violate a constraint",
        "A ::= INTEGER (0..3)\nB ::= SEQUENCE { a A DEFAULT 9, b [0] A DEFAULT 3 }\n"
        'C ::= SEQUENCE { a UTF8String (SIZE (1..2)) DEFAULT "abc", b IA5String (FROM ("a".."c")) DEFAULT "abx" }\n'
        "D ::= SEQUENCE { a SEQUENCE OF A DEFAULT {1, 4} }",
        [
            "3:30: the default violates the constraint of its type: 9 is not in 0..3 (X.680 25.12)",
            "4:53: the default violates the constraint of its type: the size 3 is not in 1..2 (X.680 25.12)",
            "4:98: the default violates the constraint of its type: the character 'x' is not permitted (X.680 25.12)",
            "5:42: the default violates the constraint of its type: 4 is not in 0..3 (X.680 25.12)",
        ],
    ),
    (
        "values that violate a constraint",
        "A ::= INTEGER (0..3 | 7)\na A ::= 5\nb A ::= 7\nc OCTET STRING (SIZE (2)) ::= '00'H\n"
        "d INTEGER (0..9 EXCEPT 4) ::= 4\ne INTEGER (0..3, ...) ::= 9\nf INTEGER (1 | 2) ::= 3\n"
        "g INTEGER (ALL EXCEPT 4) ::= 4\nH ::= SEQUENCE { a A }\nh H ::= { a 4 }",
        [
            f"{place}: the value violates the constraint of its type: {reason} (X.680 16.2)"
            for place, reason in [
                ("3:9", "5 is not permitted"),
                ("5:31", "the size 1 is not 2"),
                ("6:31", "4 is not permitted"),
                ("8:23", "3 is not permitted"),
                ("9:30", "4 is not permitted"),
                ("11:9", "4 is not permitted"),
            ]
        ],
    ),
    (
        "misspelt types",
        "A ::= Intger\nB ::= OCTETSTRING\nC ::= Boolean\nD ::= SEQUENCE { a Colr }\nColor ::= NULL",
        [
            f"{place} is not defined in module Test, and not imported; did you mean {near}?"
            for place, near in [
                ("2:7: Intger", "INTEGER"),
                ("3:7: OCTETSTRING", "OCTET STRING"),
                ("4:7: Boolean", "BOOLEAN"),
                ("5:20: Colr", "Color"),
            ]
        ],
    ),
    (
        "misspelt item",
        "A ::= SEQUENCE { a ENUMERATED { red, green } DEFAULT gren }",
        ["2:54: gren is not defined in module Test, and not imported; did you mean green?"],
    ),
    (
        "name with an underscore",
        "my_type ::= NULL\nA ::= SEQUENCE { a_b NULL }",
        [
            f"{place}: the character '_' cannot be in a name: names in ASN.1 have hyphens instead (X.680 12.2)"
            for place in ("2:3", "3:19")
        ],
    ),
    (
        "parameters of the wrong kind",
        "A{T} ::= SET OF T\nB ::= A{5}\nC{INTEGER:n} ::= SET (SIZE (1..n)) OF NULL\nD ::= C{NULL}",
        [
            "3:9: expected a type for the parameter T, found a value",
            "5:9: expected a value for the parameter n, found a type",
        ],
    ),
    ("value of a component twice", "a A ::= { a 5, a 6 }\nA ::= SET { a INTEGER }", ["2:16: a is given twice"]),
    (
        "impossible arcs",
        "a OBJECT IDENTIFIER ::= { 1 40 }",
        ["2:25: expected the first arcs 0.0 to 0.39, 1.0 to 1.39 or 2.n, found 1.40 (X.660 A)"],
    ),
    (
        "two errors",
        "A ::= SEQUENCE { a }\nB ::= SEQUENCE { }\nC ::= [x INTEGER\nD ::= NULL",
        ["2:20: expected a type, found '}'", "4:10: expected ']', found 'INTEGER'"],
    ),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_error(body: str, expected: list[str] | None) -> None:
    found = errors(module(body))
    assert found if expected is None else found == expected


def test_automatic_tags_allow_no_tagged_addition_after_a_root_without_tags() -> None:
    body = """
        A ::= SEQUENCE { a INTEGER, ..., b [0] NULL }
        B ::= CHOICE { a INTEGER, ..., [[ b [0] NULL ]] }
        C ::= SET { a [1] INTEGER, ..., b [2] NULL }
    """
    message = "an addition cannot have a tag: AUTOMATIC TAGS give the root its tags"
    found = [f"2:36: {message} (X.680 25.9)", f"3:37: {message} (X.680 29)"]
    assert errors(module(body, tags="AUTOMATIC TAGS")) == found
    assert not errors(module(body, tags="IMPLICIT TAGS"))


EXPORTING = "A DEFINITIONS ::= BEGIN EXPORTS X; X ::= NULL Y ::= NULL END\n"


def test_an_import_must_be_exported() -> None:
    importing = "B DEFINITIONS ::= BEGIN IMPORTS X,\n Y FROM A; Z ::= X END"
    assert errors(EXPORTING + importing) == ["3:2: Y is not in the EXPORTS of the module A (X.680 13)"]
    assert not errors(EXPORTING.replace("EXPORTS X;", "EXPORTS ALL;") + importing)
    assert not errors(EXPORTING.replace("EXPORTS X;", "") + importing)


def test_a_missing_module_is_one_error() -> None:
    text = "B DEFINITIONS ::= BEGIN IMPORTS X, Y\n FROM A; Z ::= X W ::= Y END"
    assert errors(text) == ["2:7: 2 names are imported from the module A, which is missing: add its file"]


def test_errors_have_the_order_of_the_text() -> None:
    body = "A ::= SEQUENCE { a Missing }\nB ::= INTEGER (5..1)\nC ::= CHOICE { a Unknown }\nv B ::= TRUE"
    lines = [int(message.split(":")[0]) for message in errors(module(body))]
    assert lines == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "S C ::= { {&id 1, &T NULL} | {&id 1, &T NULL} }",
            "two objects of the set have the &id 1, which is UNIQUE; the first one in line 3 (X.681 9)",
        ),
        (
            "S C ::= { ... }\nT C ::= { ... }\nA ::= SEQUENCE { id C.&id({T}), v C.&T({S}{@id}) }",
            "@id leads to id, which T constrains: expected C.&...({S}) (X.682 10)",
        ),
        ("a C ::= {&id 1, &T NULL}\nS C ::= { a | a | T }\nT C ::= { a, ... }", None),
        ("S C ::= { ... }\nA ::= SEQUENCE { id I, v C.&T({S}{@id}) }\nI ::= C.&id({S})", None),
    ],
    ids=["one key and one type", "path to another object set", "one object twice", "path to a reference"],
)
def test_warnings_of_object_sets(body: str, message: str | None) -> None:
    _, warnings = asn1.compile_sources([Source("test", module("C ::= CLASS { &id INTEGER UNIQUE, &T }\n" + body))])
    assert [warning.message for warning in warnings] == ([message] if message else [])


TEXT_EXPECTED = "expected the text of ASN.1 modules as str, got"


def test_the_comparisons_for_suggestions_are_bounded() -> None:
    """A module with many wrong names would take quadratic time; each of them is still reported."""
    lines = "\n".join(f"Name-{number} ::= Nane-{number}" for number in range(1000))
    with pytest.raises(asn1.CompileError) as caught:
        asn1.load(f"M DEFINITIONS ::= BEGIN\n{lines}\nEND")
    messages = [one.message for one in caught.value.diagnostics]
    assert len(messages) == 1000
    assert "did you mean Name-0?" in messages[0]
    assert sum("did you mean" in message for message in messages) == 20


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: asn1.load(Path("a.asn")), f"{TEXT_EXPECTED} PosixPath: call its read_text\\(\\)$"),  # type: ignore[arg-type]
        (lambda: asn1.load(b"A"), f"{TEXT_EXPECTED} bytes: call its decode\\(\\)$"),  # type: ignore[arg-type]
        (lambda: asn1.load(["A"]), f"{TEXT_EXPECTED} list$"),  # type: ignore[arg-type]
        (lambda: Source("a.asn", b"A"), f"{TEXT_EXPECTED} bytes$"),  # type: ignore[arg-type]
        (lambda: asn1.compile_sources("A"), "expected a list of Source, got str$"),  # type: ignore[arg-type]
        (lambda: asn1.compile_package(["A"]), "expected a Source, got str: write Source\\(name, text\\)$"),  # type: ignore[list-item]
    ],
    ids=["path", "bytes", "list", "bytes in a source", "text instead of sources", "text instead of a source"],
)
def test_arguments_of_other_types(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_an_object_that_does_not_fit_its_class_is_an_error_where_it_is_used() -> None:
    body = "C ::= CLASS { &id INTEGER } WITH SYNTAX { ID &id }\na C ::= { NUMBER 5 }\nb C ::= { ID 5 NAME }\n"
    _, warnings = asn1.compile_sources([Source("test", module(body))])
    assert [(warning.place.line, warning.message) for warning in warnings] == [
        (3, "a does not fit its class: expected 'ID', found 'NUMBER'"),
        (4, "b does not fit its class: expected '}', or a word of the syntax of the class, found 'NAME'"),
    ]
    assert errors(module(f"{body}S C ::= {{ a }}\nV ::= INTEGER (1..c)\nc INTEGER ::= a.&id")) == [
        "3:11: expected 'ID', found 'NUMBER'",
    ]


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
TOKENS = tokenize(Source("test", TEXT), Diagnostics())


@pytest.mark.parametrize("index", range(len(TOKENS) - 1), ids=lambda index: f"{index}-{TOKENS[index].text}")
def test_a_missing_token_is_reported_at_its_line(index: int) -> None:
    """Remove each token: the module stays valid, or the first error is there, or at the next token or its bracket."""
    token, following = TOKENS[index : index + 2]
    cut = TEXT[: token.offset] + " " * len(token.text) + TEXT[token.end :]
    lines = {TEXT.count("\n", 0, offset) + 1 for offset in (token.offset, following.offset)}
    found = [int(message.split(":")[0]) for message in errors(cut)]
    assert not found or found[0] in lines or token.text in "{}()", (token, found)

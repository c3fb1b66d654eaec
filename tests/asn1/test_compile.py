"""The Python that the compiler writes: encodings, names and values of small modules."""

import contextlib
import inspect
from itertools import pairwise
from typing import Any

import pytest
from asn1.comparison import Comparison
from asn1.modules import load, module

import derlib
from derlib import asn1

TAGS = [
    # notation, default tags of the module, value, encoding
    ("explicit by default", "A ::= [1] INTEGER", "", 5, "a103020105"),
    ("implicit by default", "A ::= [1] INTEGER", "IMPLICIT TAGS", 5, "810105"),
    ("explicit by notation", "A ::= [1] EXPLICIT INTEGER", "IMPLICIT TAGS", 5, "a103020105"),
    ("application", "A ::= [APPLICATION 3] IMPLICIT INTEGER", "", 5, "430105"),
    ("value as number", "n INTEGER ::= 4\nA ::= [n] IMPLICIT INTEGER", "", 5, "840105"),
    ("through a reference", "A ::= [2] B\nB ::= [1] INTEGER", "IMPLICIT TAGS", 5, "820105"),
    ("CHOICE is explicit", "A ::= [1] B\nB ::= CHOICE { b INTEGER }", "IMPLICIT TAGS", {"b": 5}, "a103020105"),
    (
        "CHOICE of a field is explicit",
        "C ::= CLASS { &b B }\nA ::= [1] C.&b\nB ::= CHOICE { b INTEGER }",
        "IMPLICIT TAGS",
        {"b": 5},
        "a103020105",
    ),
    ("parameter is explicit", "P{T} ::= [1] T\nA ::= P{INTEGER}", "IMPLICIT TAGS", 5, "a103020105"),
    ("named numbers", "A ::= [1] INTEGER { one(1) }", "IMPLICIT TAGS", 1, "810101"),
]


@pytest.mark.parametrize(("body", "tags", "value", "encoding"), [row[1:] for row in TAGS], ids=[row[0] for row in TAGS])
def test_tags(body: str, tags: str, value: object, encoding: str) -> None:
    assert derlib.encode(value, load(body, tags=tags).A).hex() == encoding


AUTOMATIC = [
    ("in order", "A ::= SEQUENCE { a INTEGER, b INTEGER }", "30 06 800101 810102"),
    ("none after a tag", "A ::= SEQUENCE { a [5] INTEGER, b INTEGER }", "30 06 850101 020102"),
    ("additions last", "A ::= SEQUENCE { x NULL OPTIONAL, ..., a INTEGER, ..., b INTEGER }", "30 06 820101 810102"),
    (
        "COMPONENTS OF",
        "A ::= SEQUENCE { COMPONENTS OF B }\nB ::= SEQUENCE { a INTEGER, b INTEGER }",
        "30 06 800101 810102",
    ),
]


@pytest.mark.parametrize(("body", "encoding"), [row[1:] for row in AUTOMATIC], ids=[row[0] for row in AUTOMATIC])
def test_automatic_tags(body: str, encoding: str) -> None:
    made = load(body, tags="AUTOMATIC TAGS")
    assert made.A(a=1, b=2).encode() == bytes.fromhex(encoding)


# The first three are examples of X.680 20. asn1tools assigns the same numbers, where it accepts the type.
ENUMERATIONS = [
    ("{ a, b(3), ..., c(1) }", {"a": 0, "b": 3, "c": 1}),
    ("{ a, z(25), ..., d }", {"a": 0, "z": 25, "d": 1}),
    ("{ a, b, ..., c(3) }", {"a": 0, "b": 1, "c": 3}),
    ("{ a, b(3), ..., c, d }", {"a": 0, "b": 3, "c": 1, "d": 2}),
    ("{ a, b(1), ..., c(5), d, e }", {"a": 0, "b": 1, "c": 5, "d": 6, "e": 7}),
    ("{ a(1), b, c(0), d }", {"a": 1, "b": 2, "c": 0, "d": 3}),
    ("{ a, ..., b(-5), c }", {"a": 0, "b": -5, "c": 1}),
]


@pytest.mark.parametrize(("body", "numbers"), ENUMERATIONS, ids=[row[0] for row in ENUMERATIONS])
def test_numbers_of_an_enumeration(body: str, numbers: dict[str, int]) -> None:
    made = load(f"A ::= ENUMERATED {body}")
    assert {member.name: member.value for member in made.A} == numbers


MANDATORY_ADDITIONS = "{ a INTEGER, ..., b INTEGER, [[ c INTEGER, d INTEGER ]], ..., e INTEGER }"


@pytest.mark.parametrize("kind", ["SEQUENCE", "SET"])
@pytest.mark.parametrize(
    ("encoding", "value"),
    [
        ("80 01 01 81 01 05", {"a": 1, "e": 5}),
        ("80 01 01 82 01 02 81 01 05", {"a": 1, "b": 2, "e": 5}),
        ("80 01 01 82 01 02 83 01 03 84 01 04 81 01 05", {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}),
    ],
    ids=["of the first version", "of the second version", "of the third version"],
)
def test_mandatory_additions_are_optional(kind: str, encoding: str, value: dict[str, int]) -> None:
    """A sender of an older version omits an addition, whether it is OPTIONAL or not (X.680 7)."""
    made = load(f"A ::= {kind} {MANDATORY_ADDITIONS}", tags="AUTOMATIC TAGS")
    elements = bytes.fromhex(encoding)
    if kind == "SET":  # in the order of the tags (X.690 10.3)
        elements = b"".join(sorted(elements[i : i + 3] for i in range(0, len(elements), 3)))
    octets = bytes([0x30 if kind == "SEQUENCE" else 0x31, len(elements)]) + elements
    assert made.A.decode(octets).to_native() == value
    assert made.A(**value).encode() == octets


def test_components_of_the_root_stay_mandatory() -> None:
    made = load(f"A ::= SEQUENCE {MANDATORY_ADDITIONS}", tags="AUTOMATIC TAGS")
    optional = [field.name for field in derlib.fields(made.A) if field.optional]
    assert optional == ["b", "c", "d"]
    assert [field.optional for field in derlib.fields(load("A ::= CHOICE { a NULL, ..., b [0] NULL }").A)] == [
        False
    ] * 2


def test_components_of_excludes_additions() -> None:
    made = load("A ::= SEQUENCE { COMPONENTS OF B, z NULL }\nB ::= SEQUENCE { a INTEGER, ..., b INTEGER }")
    assert [field.name for field in derlib.fields(made.A)] == ["a", "z"]


def test_components_of_shares_named_numbers() -> None:
    made = load("R ::= SEQUENCE { code ENUMERATED { ok, bad } }\nA ::= SEQUENCE { COMPONENTS OF R, n NULL }")
    assert made.__all__ == ["A", "R", "RCode"]
    assert made.A.decode(bytes.fromhex("30050a01010500")).code is made.RCode.bad


def test_names() -> None:
    made = load("""
        Cert-List ::= SEQUENCE { cRLNumber INTEGER, class INTEGER, encode INTEGER, dNSName IA5String }
        Use ::= BIT STRING { cRLSign(6), keyCertSign(5) }
        Sequence ::= NULL
        id-ce-keyUsage OBJECT IDENTIFIER ::= { joint-iso-itu-t ds(5) 29 15 }
        """)
    assert [field.name for field in derlib.fields(made.Cert_List)] == ["crl_number", "class_", "encode_", "dns_name"]
    assert [member.name for member in made.Use] == ["key_cert_sign", "crl_sign"] or made.Use.crl_sign == 1 << 6
    assert made.Sequence_ is derlib.Null
    assert str(made.id_ce_key_usage) == "2.5.29.15"


VALUES = [
    ("BOOLEAN", "v BOOLEAN ::= TRUE", True),
    ("negative INTEGER", "v INTEGER ::= -5", -5),
    ("reference", "w INTEGER ::= 5\nv INTEGER ::= w", 5),
    ("string", 'v UTF8String ::= "a""b"', 'a"b'),
    ("OCTET STRING", "v OCTET STRING ::= '0AF'H", b"\x0a\xf0"),
    ("BIT STRING", "v BIT STRING ::= '101'B", derlib.BitString(b"\xa0", 5)),
    ("NULL", "v NULL ::= NULL", derlib.NULL),
    ("names of arcs", "v OBJECT IDENTIFIER ::= { iso member-body 840 }", derlib.ObjectIdentifier("1.2.840")),
    ("arc by reference", "n INTEGER ::= 7\nv OBJECT IDENTIFIER ::= { 2 n }", derlib.ObjectIdentifier("2.7")),
    ("longer arc", "w OBJECT IDENTIFIER ::= {2 5}\nv OBJECT IDENTIFIER ::= {w 4}", derlib.ObjectIdentifier("2.5.4")),
    ("item", "E ::= ENUMERATED { a, b }\nv E ::= b", 1),
    ("list", "L ::= SEQUENCE OF INTEGER\nv L ::= { 1, 2 }", None),
    ("real", "v REAL ::= 1.5", derlib.ExactReal(15, 10, -1)),
    ("real of base 10", "v REAL ::= { mantissa -15, base 10, exponent -1 }", derlib.ExactReal(-15, 10, -1)),
    ("real of base 2", "v REAL ::= { mantissa -3, base 2, exponent -1 }", -1.5),
    (
        "long real of base 2",
        "v REAL ::= { mantissa 9007199254740993, base 2, exponent 0 }",
        derlib.ExactReal(9007199254740993, 2, 0),
    ),
    ("small real", "v REAL ::= 1E-999", derlib.ExactReal(1, 10, -999)),
    # Python's own contexts for Decimal end at 1E999999.
    ("large real", "v REAL ::= 1200E1000000", derlib.ExactReal(12, 10, 1000002)),
    ("largest real", "v REAL ::= 2E99999999999999999", derlib.ExactReal(2, 10, 10**17 - 1)),
    ("smallest real", "v REAL ::= 2E-99999999999999999", derlib.ExactReal(2, 10, 1 - 10**17)),
    ("small real of base 2", "v REAL ::= { mantissa 1, base 2, exponent -99999 }", derlib.ExactReal(1, 2, -99999)),
    ("real zero of base 2", "v REAL ::= { mantissa 0, base 2, exponent 5 }", 0.0),
]


@pytest.mark.parametrize(("body", "value"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_values(body: str, value: object) -> None:
    found = load(body).v
    assert list(found) == [1, 2] if value is None else found == value


def test_enumerated_numbers() -> None:
    made = load("E ::= ENUMERATED { a, b(0), c, ..., d, e(9) }").E
    assert {name: int(member) for name, member in made.__members__.items()} == {"a": 1, "b": 0, "c": 2, "d": 3, "e": 9}


DEFAULTS = [
    ("INTEGER", "INTEGER DEFAULT 5", 5),
    ("BOOLEAN", "BOOLEAN DEFAULT FALSE", False),
    ("named number", "INTEGER { two(2) } DEFAULT two", 2),
    ("item", "ENUMERATED { x, y } DEFAULT y", 1),
    ("named bits", "BIT STRING { x(0), y(3) } DEFAULT { y }", 1 << 3),
    ("empty list", "SEQUENCE OF INTEGER DEFAULT {}", ()),
    ("value of a SEQUENCE", "B DEFAULT { n 1 }", {"n": 1}),
]


@pytest.mark.parametrize(("notation", "value"), [row[1:] for row in DEFAULTS], ids=[row[0] for row in DEFAULTS])
def test_defaults(notation: str, value: object) -> None:
    made = load(f"A ::= SEQUENCE {{ a {notation} }}\nB ::= SEQUENCE {{ n INTEGER }}")
    read = made.A.decode(bytes.fromhex("3000")).a
    if isinstance(value, tuple):
        assert tuple(read) == value
    else:
        assert (read.to_native() if isinstance(value, dict) else read) == value


CONSTRAINTS = [
    # type, values that are valid, values that are not
    ("range", "INTEGER (0..9)", [0, 9], [-1, 10]),
    ("named numbers as bounds", "INTEGER { low(2), high(4) } (low..high)", [2, 4], [1, 5]),
    ("open range", "INTEGER (0<..<9)", [1, 8], [0, 9]),
    ("half range", "INTEGER (1..MAX)", [1, 10**30], [0]),
    ("union", "INTEGER (1 | 5..7)", [1, 6], [2, 8]),
    ("exclusion", "INTEGER (0..9 EXCEPT 5)", [4, 6], [5]),
    ("all except", "INTEGER (ALL EXCEPT 5)", [4, 6], [5]),
    ("extensible", "INTEGER (0..9, ...)", [5, 10], []),
    ("of a reference", "INTEGER (Small)", [5], [10]),
    ("value set", "INTEGER (Even)", [2, 4], [3]),
    ("size", "OCTET STRING (SIZE (2))", [b"12"], [b"1", b"123"]),
    ("size of named bits", "BIT STRING { a(0), b(1) } (SIZE (2))", [["a"], ["b"], []], [4]),
    ("size of a list", "SEQUENCE SIZE (1..2) OF INTEGER", [[1], [1, 2]], [[], [1, 2, 3]]),
    ("size by reference", "IA5String (SIZE (1..ub))", ["abc"], ["", "abcd"]),
    ("alphabet", 'IA5String (FROM ("a".."c" | "-"))', ["a-c"], ["d", "b+"]),
    ("alphabet and size", 'IA5String (FROM ("ab")) (SIZE (2))', ["ab"], ["ac", "aba"]),
    ("single string", 'UTF8String ("a" | "b")', ["a"], ["c"]),
    ("elements", "SEQUENCE (WITH COMPONENT (0..9)) OF INTEGER", [[1]], [[10]]),
    ("components", "Pair (WITH COMPONENTS { ..., b ABSENT })", [{"a": 1}], [{"a": 1, "b": 2}]),
    ("only components", "Pair (WITH COMPONENTS { a (0..9), b })", [{"a": 1, "b": 2}], [{"a": 1}, {"a": 10, "b": 2}]),
    ("text for people", "OCTET STRING (CONSTRAINED BY { -- anything -- })", [b"1"], []),
]
CONSTRAINED = """
Small ::= INTEGER (0..9)
Even INTEGER ::= { 2 | 4 }
Pair ::= SEQUENCE { a INTEGER, b INTEGER OPTIONAL }
ub INTEGER ::= 3
"""


@pytest.mark.parametrize(
    ("notation", "valid", "invalid"), [row[1:] for row in CONSTRAINTS], ids=[row[0] for row in CONSTRAINTS]
)
def test_constraints(notation: str, valid: list[object], invalid: list[object]) -> None:
    made = load(f"A ::= {notation}\n{CONSTRAINED}").A
    for value in valid:
        derlib.encode(value, made)
    for value in invalid:
        with pytest.raises(derlib.ConstraintError):
            derlib.encode(value, made)


def test_recursive_types() -> None:
    made = load(
        """
        Filter ::= CHOICE { and [0] SET OF Filter, not [1] EXPLICIT Filter, item [2] NULL }
        Tree ::= SEQUENCE { child Tree OPTIONAL, list List OPTIONAL }
        List ::= SET OF Alias
        Alias ::= Tree
        """,
        tags="IMPLICIT TAGS",
    )
    assert made.Filter(not_=made.Filter(and_=[{"item": derlib.NULL}])).encode().hex() == "a104a0028200"
    assert made.Tree(list=[made.Tree()]).encode().hex() == "300431023000"


def test_nested_types_have_names() -> None:
    made = load("A ::= SEQUENCE { part SEQUENCE { kind ENUMERATED { x, y } }, parts SET OF SEQUENCE { n INTEGER } }")
    value = made.A(part={"kind": made.APartKind.y}, parts=[made.AParts(n=1)])
    assert value.part.kind is made.APartKind.y


OPEN_TYPES = """
KIND ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type, &Extra OPTIONAL }
    WITH SYNTAX { [KIND] &id IS &Type [WITH &Extra] }
number KIND ::= { KIND {2 999 1} IS INTEGER }
text KIND ::= { {2 999 2} IS Text WITH NULL }
Kinds KIND ::= { number | More, ... }
More KIND ::= { text | { {2 999 3} IS SEQUENCE { n INTEGER } } }
Text ::= UTF8String
Message{KIND:Set} ::= SEQUENCE {
    id       KIND.&id({Set}),
    content  KIND.&Type({Set}{@id}),
    octets   OCTET STRING (CONTAINING KIND.&Type({Set}{@id})) OPTIONAL,
    extra    [1] KIND.&Extra({Set}{@id}) OPTIONAL }
Letter ::= Message{{Kinds}}
Post ::= SEQUENCE OF Message{{Kinds}}
"""


def test_open_types() -> None:
    made = load(OPEN_TYPES)
    letter = made.Letter(id="2.999.1", content=5, octets=6)
    assert letter.encode().hex() == "300d06038837010201050403020106"
    assert made.Letter.decode(letter.encode()).octets == 6
    assert made.Letter(id="2.999.2", content="a", extra=derlib.NULL).extra == derlib.NULL
    assert made.Letter(id="2.999.3", content={"n": 1}).content.n == 1
    assert made.Post([letter])[0] == letter
    with pytest.raises(derlib.DecodeError):
        made.Letter.decode(bytes.fromhex("3008 0603883701 0c0141"))


def test_every_public_name_is_kept() -> None:
    made = load("""
        KIND ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type OPTIONAL } WITH SYNTAX { [IS &Type] BY &id }
        ALIAS ::= KIND
        number KIND ::= { IS INTEGER BY {2 999 1} }
        plain KIND ::= { BY {2 999 2} }
        Unused KIND ::= { number | plain, ... }
        Plain KIND ::= { plain }
        Even INTEGER ::= { 2 | 4 }
        List{Type} ::= SEQUENCE OF Type
        list{INTEGER:n} List{INTEGER} ::= { n }
        OLD MACRO ::= BEGIN END
        five OLD NAME "five" ::= { 2 999 5 }
        """)
    assert made.__all__ == ["Even", "Unused", "five"]
    assert derlib.decode(made.Even, b"\x02\x01\x04") == 4
    assert made.Unused.get("2.999.1") is int
    assert str(made.five) == "2.999.5"
    assert inspect.getdoc(made).splitlines()[6:] == [
        "Names that have no Python of their own:",
        "",
        "- Macros: OLD (line 11)",
        "- Object classes: KIND (line 2), ALIAS (line 3)",
        "- Object sets that select no type: Plain (line 7)",
        "- Objects: number (line 4), plain (line 5)",
        "- Parametrised types: List (line 9)",
        "- Parametrised values and objects: list (line 10)",
    ]


EXPANSIONS = [
    # use, name of the class
    ("Letter ::= Message{{Kinds}}", "Letter"),
    ("Post ::= SEQUENCE OF Message{{Kinds}}", "Message_Kinds"),
    ("Post ::= SEQUENCE { last Message{{number | text, ...}} }", "PostLast"),
    ("Post ::= SEQUENCE OF Message{{number | text}}", "PostElement"),
    ("Post ::= SEQUENCE { first Pair{KIND, {Kinds}}, second Pair{KIND, {More}} }", "Pair_Kinds"),
    ("Post ::= SEQUENCE OF Twice{INTEGER, UTF8String}", "Twice_Integer_UTF8String"),
]


@pytest.mark.parametrize(("use", "name"), EXPANSIONS)
def test_names_of_expansions(use: str, name: str) -> None:
    more = "Pair{KIND, KIND:Set} ::= SEQUENCE { id KIND.&id({Set}) }\nTwice{A, B} ::= SEQUENCE { a A, b B }"
    assert isinstance(getattr(load(f"{OPEN_TYPES[: OPEN_TYPES.index('Letter')]}\n{more}\n{use}"), name), type)


def test_imports_between_texts() -> None:
    made = asn1.load(
        "A DEFINITIONS ::= BEGIN IMPORTS Y, y FROM B {2 999}; X ::= SEQUENCE { y Y DEFAULT y, x X OPTIONAL } END",
        "B DEFINITIONS ::= BEGIN IMPORTS X FROM A; Y ::= INTEGER y Y ::= 3 Z ::= SET OF X END",
    )
    assert made.a.X.decode(bytes.fromhex("3000")).y == 3
    assert len(made.b.Z([made.a.X(y=4)])) == 1


def test_old_notation() -> None:
    made = load("""
        AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY DEFINED BY algorithm OPTIONAL }
        ERROR MACRO ::= BEGIN TYPE NOTATION ::= "PARAMETER" type VALUE NOTATION ::= value(VALUE INTEGER) END
        wrong ERROR PARAMETER NULL ::= 5
        Last ::= NULL
        """)
    assert made.AlgorithmIdentifier.decode(bytes.fromhex("3007 0603883701 0500")).parameters.encode().hex() == "0500"
    assert made.Last is derlib.Null
    # The table of ANY DEFINED BY is empty, and the program can fill it.
    made.AlgorithmIdentifierParameters.register("2.999.1", made.Last)
    assert made.AlgorithmIdentifier.decode(bytes.fromhex("3007 0603883701 0500")).parameters == derlib.NULL


def test_docstring_has_the_text_and_the_place() -> None:
    made = load("A ::= SEQUENCE {\n    a  INTEGER }")
    assert inspect.getdoc(made.A) == "A.\n\nFrom text, line 2::\n\n    A ::= SEQUENCE {\n        a  INTEGER }"


def test_equal_texts_give_the_same_module() -> None:
    text = module("A ::= NULL")
    assert asn1.load(text) is asn1.load(text)


def test_modules_of_an_rfc() -> None:
    page_break = "Ann  Standards Track  [Page 7]\n\f\nRFC 7   Shops   May 2008\n"
    text = f"Intro\n\nShop DEFINITIONS ::= BEGIN\nA ::=\n{page_break} NULL\nEND\nEnd."
    stripped = asn1.modules_of_rfc(text)
    assert stripped.count("\n") == text.count("\n")
    assert stripped.split() == ["Shop", "DEFINITIONS", "::=", "BEGIN", "A", "::=", "NULL", "END"]


def test_long_chains_of_types() -> None:
    names = [f"A{number}" for number in range(1500)]
    chain = "\n".join(f"{name} ::= SEQUENCE {{ a {following} }}" for name, following in pairwise(names))
    made = load(f"{chain}\n{names[-1]} ::= INTEGER")
    assert made.A1498(a=5).encode().hex() == "3003020105"


def test_a_selector_that_is_not_supported_is_a_comment() -> None:
    code, _ = asn1.compile_sources(
        [
            asn1.Source(
                "test",
                module("""
        KIND ::= CLASS { &mark UTF8String UNIQUE, &Type }
        Kinds KIND ::= { ... }
        A ::= SEQUENCE { mark KIND.&mark({Kinds}), value KIND.&Type({Kinds}{@mark}) }
        """),
            )
        ]
    )
    assert "    # @mark selects the type, but is neither an OBJECT IDENTIFIER nor an INTEGER\n    value: Any\n" in code


SELECTORS = """
    KIND ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
    Kinds KIND ::= { { BOOLEAN BY 1 } | { UTF8String BY 2 }, ... }
"""


@pytest.mark.parametrize(
    ("body", "value", "encoding"),
    [
        # As in SIGNED{} of RFC 5912: the path starts outside, and leads back to the innermost SEQUENCE.
        (
            "inner SEQUENCE { id KIND.&id({Kinds}), value KIND.&Type({Kinds}{@inner.id}) }",
            {"inner": {"id": 2, "value": "a"}},
            "3008 3006 020102 0c0161",
        ),
        (
            "a SEQUENCE { b SEQUENCE { id KIND.&id({Kinds}), value KIND.&Type({Kinds}{@..b.id}) } }",
            {"a": {"b": {"id": 1, "value": True}}},
            "300a 3008 3006 020101 0101ff",
        ),
        (
            "a SEQUENCE { id KIND.&id({Kinds}), value KIND.&Type({Kinds}{@.id}) }",
            {"a": {"id": 1, "value": True}},
            "3008 3006 020101 0101ff",
        ),
        (
            "value [0] KIND.&Type({Kinds}{@a.id}), a SEQUENCE { id KIND.&id({Kinds}) }",
            {"value": "a", "a": {"id": 2}},
            "300a a0030c0161 3003 020102",
        ),
    ],
)
def test_paths_to_selectors(body: str, value: Any, encoding: str) -> None:
    made = load(f"{SELECTORS} A ::= SEQUENCE {{ {body} }}")
    assert made.A.decode(bytes.fromhex(encoding)).to_native() == value
    assert made.A.from_native(value).encode() == bytes.fromhex(encoding)


@pytest.mark.parametrize("path", ["@id", "@..id", "@...id", "@list.id", "@list"])
def test_a_selector_around_the_sequence_of_the_open_type_is_a_comment(path: str) -> None:
    body = f"id KIND.&id({{Kinds}}), list SEQUENCE OF SEQUENCE {{ value KIND.&Type({{Kinds}}{{{path}}}) }}"
    code, _ = asn1.compile_sources([asn1.Source("test", module(f"{SELECTORS} A ::= SEQUENCE {{ {body} }}"))])
    assert f"    # {path} selects the type, but is not in the same SEQUENCE\n    value: Any\n" in code


def test_a_type_that_an_outer_component_selects_can_be_looked_up() -> None:
    parts = "list SEQUENCE OF SEQUENCE { value KIND.&Type({Kinds}{@id}) }"
    made = load(f"{SELECTORS} A ::= SEQUENCE {{ id KIND.&id({{Kinds}}), best KIND.&Type({{Kinds}}{{@id}}), {parts} }}")
    outer = made.A.decode(bytes.fromhex("300d 020101 0101ff 3005 3003 0101ff"))
    [part] = outer.list
    assert part.value.decode(made.Kinds.get(outer.id)) is outer.best is True


def test_numbers_and_choices_select_types() -> None:
    """As operation codes do in ROSE (X.880), and attributes in Kerberos."""
    made = load(
        """
        KIND ::= CLASS { &number INTEGER UNIQUE, &Type } WITH SYNTAX { &Type BY &number }
        seven INTEGER ::= 7
        Kinds KIND ::= { { BOOLEAN BY 1 } | { UTF8String BY seven }, ... }
        A ::= SEQUENCE { number KIND.&number({Kinds}), value KIND.&Type({Kinds}{@number}) }

        Code ::= CHOICE { local INTEGER, global OBJECT IDENTIFIER }
        OPERATION ::= CLASS { &code Code UNIQUE, &Argument } WITH SYNTAX { ARGUMENT &Argument CODE &code }
        Operations OPERATION ::= {
            { ARGUMENT BOOLEAN CODE local : 1 } | { ARGUMENT NULL CODE global : { 2 999 4 } } }
        Invoke ::= SEQUENCE {
            code OPERATION.&code({Operations}), argument OPERATION.&Argument({Operations}{@code}) }

        Colour ::= ENUMERATED { red(0), blue(5) }
        PAINT ::= CLASS { &colour Colour UNIQUE, &Type } WITH SYNTAX { &Type BY &colour }
        Paints PAINT ::= { { NULL BY red } | { INTEGER BY blue } }
        Painted ::= SEQUENCE { colour PAINT.&colour({Paints}), value [9] PAINT.&Type({Paints}{@colour}) }
        """
    )
    assert made.A.decode(bytes.fromhex("3007 020107 0c026869")).value == "hi"
    assert made.A(number=1, value=True).encode().hex() == "30060201010101ff"
    assert made.Invoke(code={"global_": "2.999.4"}, argument=derlib.NULL).encode().hex() == "300706038837040500"
    assert made.Invoke.decode(bytes.fromhex("3006 020101 0101ff")).argument is True
    assert made.Painted(colour="blue", value=5).encode().hex() == "30080a0105a903020105"
    for cls in (made.A, made.Invoke, made.Painted):
        again = asn1.load(asn1.to_asn1(cls))
        assert Comparison().compare(getattr(again, cls.__name__), cls, cls.__name__) == []


@pytest.mark.parametrize("comment", ['""" + boom() + """', '\\""" \\', "\0", "\x0c-- boom()", "\x85boom()\u2028boom()"])
@pytest.mark.parametrize("name", ["shop.asn", 'x""" + boom() + """.asn', "x\nboom()", "x\\"])
def test_text_of_the_input_is_never_code(comment, name):
    text = module(f"A ::= SEQUENCE {{ -- {comment}\n a INTEGER }}\nb A ::= {{ -- {comment}\n a 5 }}")
    code, _ = asn1.compile_sources([asn1.Source(name, text)])
    names: dict[str, object] = {"__name__": "compiled"}
    exec(code, names)
    assert names["A"].decode(bytes.fromhex("3003020105")).a == 5


ERRORS_OF_OPERATIONS = """
ERROR ::= CLASS { &code INTEGER UNIQUE, &Type } WITH SYNTAX { &Type CODE &code }
OPERATION ::= CLASS { &Errors ERROR OPTIONAL } WITH SYNTAX { [ERRORS &Errors] }
a ERROR ::= { BOOLEAN CODE 1 }
b ERROR ::= { NULL CODE 2 }
c ERROR ::= { INTEGER CODE 3 }
read OPERATION ::= { ERRORS { a | b } }
list OPERATION ::= { ERRORS { b | c } }
Operations OPERATION ::= { read | list | { } }
Of{OPERATION:operation} ERROR ::= { operation.&Errors }
All{OPERATION:Set} ERROR ::= { Set.&Errors }
"""


@pytest.mark.parametrize(
    ("notation", "keys"),
    [
        ("read.&Errors", {1, 2}),
        ("Operations.&Errors", {1, 2, 3}),
        ("Of{read}", {1, 2}),
        ("All{Operations}", {1, 2, 3}),
        ("read.&Errors EXCEPT a | c", {2, 3}),
        ("read.&Errors ^ list.&Errors", {2}),
        ("(a | b | c) EXCEPT (b | c), ...", {1}),
    ],
)
def test_object_sets(notation: str, keys: set[int]) -> None:
    made = load(f"{ERRORS_OF_OPERATIONS} Errors ERROR ::= {{ {notation} }}")
    assert {key for key in (1, 2, 3) if key in made.Errors} == keys


@pytest.mark.parametrize(
    ("body", "accepted"),
    [
        ("A ::= INTEGER (Codes.&code)", {1, 3}),
        ("A ::= Codes.&code", {1, 3}),
        ("A ::= Codes.&code (2..MAX)", {3}),
        ("A INTEGER ::= { Codes.&code | 5 }", {1, 3, 5}),
        ("A ::= INTEGER (Operations.&Errors.&code)", {1, 2, 3}),
        ("Of-Set{ERROR:Set} ::= INTEGER (Set.&code)\nA ::= Of-Set{{b}}", {2}),
        # Later versions of the set can have any other object.
        ("A ::= INTEGER (Extensible.&code)", {1, 2, 3, 4, 5}),
        ("A ::= Extensible.&code", {1, 2, 3, 4, 5}),
    ],
)
def test_values_of_a_field_in_the_objects_of_a_set(body: str, accepted: set[int]) -> None:
    sets = "Codes ERROR ::= { a | c }\nExtensible ERROR ::= { a, ... }"
    made = load(f"{ERRORS_OF_OPERATIONS} {sets}\n{body}")
    found = set()
    for code in range(1, 6):
        with contextlib.suppress(derlib.ConstraintError):
            assert derlib.encode(code, made.A) == bytes([2, 1, code])
            found.add(code)
    assert found == accepted


def test_all_objects_except_some_are_not_known() -> None:
    made = load(f"{ERRORS_OF_OPERATIONS} Others ERROR ::= {{ ALL EXCEPT (a | c), ..., b }}")
    assert [key for key in (1, 2, 3) if key in made.Others] == [2]


def test_a_selector_in_a_set_and_one_around_a_choice() -> None:
    made = load(
        f"""{SELECTORS}
        A ::= SET {{ id [5] KIND.&id({{Kinds}}), value [1] KIND.&Type({{Kinds}}{{@id}}) }}
        B ::= SEQUENCE {{ id KIND.&id({{Kinds}}), c CHOICE {{ x [0] KIND.&Type({{Kinds}}{{@id}}), y NULL }} }}
        """
    )
    value = made.A(id=1, value=True)
    assert value.encode().hex() == "310aa1030101ffa503020101"
    assert made.A.decode(value.encode()).value is True
    assert made.B.decode(bytes.fromhex("3008 020101 a0030101ff")).c.value.encode().hex() == "0101ff"


def test_components_of_the_type_of_a_field() -> None:
    made = load("C ::= CLASS { &id S }\nS ::= SEQUENCE { a INTEGER }\nA ::= SEQUENCE { COMPONENTS OF C.&id, b NULL }")
    assert made.A.decode(bytes.fromhex("3005 020105 0500")).a == 5


def test_types_in_objects_have_the_names_of_their_objects() -> None:
    made = load("""
        KIND ::= CLASS { &id INTEGER UNIQUE, &Type }
        Kinds KIND ::= { lamp | { &id 2, &Type SEQUENCE { b NULL } } }
        lamp KIND ::= { &id 1, &Type SEQUENCE { a NULL } }
    """)
    assert {"Kinds_lamp", "Kinds_2"} <= set(vars(made))

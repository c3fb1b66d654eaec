"""Notation that occurs in modules of ITU-T, ISO and the IETF: what is read, and what is skipped with a warning."""

import pytest
from asn1.modules import assignments, load, module

import derlib
from derlib import asn1
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.modules import parse_modules


def warnings(text: str) -> list[str]:
    """Return the warnings of a module that is valid, each as "line: message"."""
    diagnostics = Diagnostics()
    parse_modules(Source("test", text), diagnostics)
    diagnostics.raise_errors()
    return [f"{entry.place.line}: {entry.message}" for entry in diagnostics.entries]


# Macros of X.208, as X.219 (ROSE) and RFC 1212, 2578 and 2579 (SNMP) invoke them.
MACROS = """
Suspend ::= OPERATION
Resume ::= OPERATION
    ARGUMENT SEQUENCE {
        reference   Reference,
        details     DETAILS OPTIONAL }
    RESULT      kept BOOLEAN
    ERRORS { denied, Failed }

Erase ::= OPERATION ARGUMENT reference Reference
    RESULT
    ERRORS { Failed }
Failed ::= ERROR
denied ERROR ::= localValue 5
resume Resume ::= globalValue { oid 2 }
suspend Suspend ::= globalValue { oid suspend(1) }
oid OBJECT IDENTIFIER ::= { iso standard 1 }
row OBJECT-TYPE
    SYNTAX      SEQUENCE OF Row
    MAX-ACCESS  read-only
    STATUS      current
    DESCRIPTION "A row."
    INDEX       { first, second }
    ::= { oid 1 }
Name ::= TEXTUAL-CONVENTION
    DISPLAY-HINT "255a"
    STATUS       current
    DESCRIPTION  "A name ::= words."
    SYNTAX       OCTET STRING (SIZE (0..255))
Reference ::= INTEGER
"""


def test_macro_invocations_are_skipped() -> None:
    found = assignments(MACROS)
    assert list(found) == (
        "Suspend Resume Erase Failed denied resume suspend oid row Name Reference".split()  # noqa: SIM905
    )
    assert isinstance(found["Reference"], tree.TypeAssignment)
    skipped = [name for name, parsed in found.items() if "Macro" in repr(getattr(parsed, "type", ""))]
    assert skipped == ["Resume", "Erase", "Name"]


def test_a_choice_without_colon() -> None:
    """X.208 has no colon in a value of a CHOICE."""
    found = assignments('a C ::= local 5\nb C ::= global {id 1}\nc C ::= text "x"\nd C ::= par{a, b}\ne C ::= par{a}')
    kinds = [type(found[name].value).__name__ for name in "abcde"]
    assert kinds == ["ChoiceValue"] * 3 + ["ValueReference"] * 2


def test_a_module_can_have_the_name_of_the_definitions_of_x501() -> None:
    texts = [
        "UsefulDefinitions DEFINITIONS ::= BEGIN id OBJECT IDENTIFIER ::= {2 5} END",
        module("IMPORTS id FROM UsefulDefinitions;\na OBJECT IDENTIFIER ::= {id 4}\nA ::= TYPE-IDENTIFIER.&id"),
    ]
    code, _ = asn1.compile_sources([Source("test", text) for text in texts])
    assert 'a = ObjectIdentifier("2.5.4")' in code


SKIPPED = [
    ("XML value", "a A ::= 5\nb ::= <A>'</A>\nA ::= INTEGER", "3: the value b is skipped: XML notation"),
    ("encoding control", "A ::= NULL\nENCODING-CONTROL XER\n NAME A AS b\n", "3: the encoding control section"),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in SKIPPED], ids=[row[0] for row in SKIPPED])
def test_skipped_with_a_warning(body: str, expected: str) -> None:
    [found] = warnings(module(body))
    assert found.startswith(expected)
    assert load(body).A


def test_contents_with_encoding_rules_are_bytes_with_a_warning() -> None:
    body = "A ::= OCTET STRING (CONTAINING INTEGER ENCODED BY {2 1 2 1})"
    _, found = asn1.compile_sources([Source("test", module(body))])
    assert [each.message for each in found] == ["the contents are bytes: ENCODED BY selects their encoding"]
    assert load(body).A


def test_a_macro_with_impossible_arcs_has_no_constant() -> None:
    made = load("a MACRO-NAME OF ::= { 1 (1) }\nb MACRO-NAME OF ::= { 1 2 }\nc MACRO-NAME OF ::= { 1 }")
    assert (hasattr(made, "a"), str(made.b), hasattr(made, "c")) == (False, "1.2", False)


ACCEPTED = [
    ("encoding instruction", "A ::= [XER:BASE64] OCTET STRING"),
    ("pattern", 'A ::= VisibleString (PATTERN "[0-9]{4}")'),
    ("settings", 'A ::= TIME (SETTINGS "Basic=Date Date=YMD")'),
    ("user-defined constraint", "A ::= OCTET STRING (CONSTRAINED BY { INTEGER : 5 })"),
    ("encoding rules", "A ::= OCTET STRING (ENCODED BY {2 1 1})"),
    ("exception", 'A ::= INTEGER (0..5, ... ! PrintableString : "x")'),
    ("instance of a class", "A ::= INSTANCE OF C ({S})\nC ::= TYPE-IDENTIFIER\nS C ::= { ... }"),
    ("value field with a table", "A ::= SEQUENCE { a C.&id ({S}) }\nC ::= TYPE-IDENTIFIER\nS C ::= { ... }"),
]


@pytest.mark.parametrize("body", [row[1] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_accepted_without_effect(body: str) -> None:
    assert not warnings(module(body))
    assert load(body).A


def test_an_implicit_tag_of_an_untagged_choice_that_is_selected_is_explicit() -> None:
    body = "A ::= SEQUENCE { a [0] c < B }\nB ::= CHOICE { c CHOICE { d INTEGER, e NULL }, f BOOLEAN }"
    # X.680 31.2.7: the selected type is a CHOICE without a tag.
    assert load(body, tags="IMPLICIT TAGS").A(a={"d": 1}).encode().hex() == "3005a003020101"


def test_implied_extensibility_is_that_of_enumerations_too() -> None:
    # X.680 13.4: an extension marker is at the end of each type that can have one.
    text = "M DEFINITIONS EXTENSIBILITY IMPLIED ::= BEGIN A ::= ENUMERATED { a } END"
    assert derlib.decode(asn1.load(text).A, bytes.fromhex("0a0105")) == 5


def test_a_selector_inside_a_choice_leaves_an_element() -> None:
    body = """
        C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
        S C ::= { {1 NULL} }
        A ::= SEQUENCE { k CHOICE { q C.&id({S}), z NULL }, v [1] C.&Type({S}{@k.q}) OPTIONAL }
    """
    value = load(body).A(k={"z": derlib.NULL}, v=derlib.parse(b"\5\0"))
    assert value.encode().hex() == "30060500a1020500"
    assert isinstance(value.v, derlib.TLV)


def test_a_value_parameter_has_the_type_of_its_governor() -> None:
    found = load("E ::= ENUMERATED { a, b }\nT{E:x} ::= SEQUENCE { y E DEFAULT x }\nA ::= T{b}")
    assert found.A().y is found.E.b
    # X.683 8.3: the value is one of E, where x is the item.
    found = load("x INTEGER ::= 9\nE ::= INTEGER { x(1) }\nT{E:v} ::= SEQUENCE { y INTEGER DEFAULT v }\nA ::= T{x}")
    assert found.A().y == 1


VALUES = [
    ("REAL of base 10", "REAL", "0.75", "09070337352e452d32"),
    ("REAL zero", "REAL", "0", "090000"[:4]),
    ("REAL of base 2", "REAL", "{mantissa 3, base 2, exponent -2}", "090380fe03"),
    ("REAL infinity", "REAL", "MINUS-INFINITY", "090141"),
    ("RELATIVE-OID", "RELATIVE-OID", "{ 3 a(4) rel }", "0d0403040506"),
    ("BIT STRING by names", "BIT STRING { one(0), two(5) }", "{ one, two }", "030202 84"),
    ("named BIT STRING by bits", "BIT STRING { one(0), two(5) }", "'1000010'B", "03020284"),
    ("BIT STRING", "BIT STRING", "'A'H", "030204a0"),
    ("OCTET STRING in lines", "OCTET STRING", "'0A F\n  F'H", "04020aff"),
    ("string with quotes", "IA5String", '"a""b"', "1603612262"),
    ("string in lines", "IA5String", '"a  \n  b"', "16026162"),
    ("characters by numbers", "BMPString", "{0, 0, 3, 163}", "1e0203a3"),
    ("characters of ASCII", "IA5String", "{4, 1}", "160141"),
    ("list of characters", "IA5String", '{"a", nl, {4, 1}}', "1603610a41"),
    ("UTCTime", "UTCTime", '"700106231540Z"', "170d3730303130363233313534305a"),
    ("DATE", "DATE", '"1985-11-06"', "1f1f083139383531313036"),
    ("SET", "SET { b [1] INTEGER, a [0] INTEGER }", "{ b 1, a 2 }", "310aa003020102a103020101"),
    ("SET OF", "SET OF INTEGER", "{ 3, 1 }", "3106020101020103"),
    ("CHOICE", "CHOICE { x INTEGER, y NULL }", "y : NULL", "0500"),
    ("list of CHOICE", "SEQUENCE OF CHOICE { x INTEGER, y NULL }", "{ x : 1, y : NULL }", "30050201010500"),
    ("ENUMERATED", "ENUMERATED { x, y }", "y", "0a0101"),
]


@pytest.mark.parametrize(("notation", "value", "encoding"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_values_and_defaults(notation: str, value: str, encoding: str) -> None:
    """A value with a name has the encoding, and a component with it as its default is absent."""
    made = load(f"""
        T ::= {notation}
        v T ::= {value}
        S ::= SEQUENCE {{ t [9] T DEFAULT {value} }}
        rel RELATIVE-OID ::= {{ 5 6 }}
        nl IA5String ::= {{0, 10}}
        """)
    assert derlib.encode(made.v, made.T) == bytes.fromhex(encoding)
    assert made.S.decode(b"0\0").encode() == b"0\0"
    assert made.S(t=made.v).encode() == b"0\0"


WRONG_VALUES = [
    ("string", "INTEGER", '"x"', "expected a value of INTEGER"),
    ("number", "BOOLEAN", "1", "expected a value of BOOLEAN"),
    ("number of an item", "ENUMERATED { x }", "0", "expected a value of ENUMERATED"),
    ("word", "UTF8String", "TRUE", "expected a value of UTF8String"),
    ("reference", "UTF8String", "n", "expected a value of UTF8String"),
    ("bits", "SEQUENCE OF NULL", "'1'B", "expected a value of SEQUENCE OF"),
    ("table position", "IA5String", "{8, 0}", "expected {group, plane, row, cell}, or {column, row} (X.680 41.8)"),
    ("surrogate", "BMPString", "{0, 0, 216, 0}", "Unicode has no such character"),
]


@pytest.mark.parametrize(
    ("notation", "value", "error"), [row[1:] for row in WRONG_VALUES], ids=[row[0] for row in WRONG_VALUES]
)
def test_wrong_values(notation: str, value: str, error: str) -> None:
    with pytest.raises(asn1.CompileError, match="error: ") as found:
        load(f"v {notation} ::= {value}\nn INTEGER ::= 1")
    assert error in str(found.value)

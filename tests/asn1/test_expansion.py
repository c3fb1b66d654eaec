"""Modules that expand to far more than their text, and numbers that no type can have: an error, in bounded time."""

import pytest
from asn1.modules import errors, load, module

from derlib import ConstraintError, asn1

DEPTH = 40


def doubling(first: str, following: str, last: str = "") -> str:
    """Return assignments, each of which uses the one before twice: {0} is its number, {1} that of the one before."""
    lines = [following.replace("{0}", str(number)).replace("{1}", str(number - 1)) for number in range(1, DEPTH)]
    return "\n".join([first, *lines, last])


DOUBLING = {
    "COMPONENTS OF": doubling(
        "A0 ::= SEQUENCE { a NULL }", "A{0} ::= SEQUENCE { COMPONENTS OF A{1}, COMPONENTS OF A{1} }"
    ),
    "parameters": doubling(
        "A0{T} ::= SEQUENCE { a T }",
        "A{0}{T} ::= SEQUENCE { a A{1}{SEQUENCE { x T }}, b A{1}{SET { x T }} }",
        f"B ::= A{DEPTH - 1}{{NULL}}",
    ),
    "arguments": doubling(
        "A0{T} ::= SEQUENCE { a T }",
        "A{0}{T} ::= A{1}{SEQUENCE { x T, y T }}",
        f"B ::= A{DEPTH - 1}{{NULL}}",
    ),
    "values": doubling(
        "A0 ::= SEQUENCE OF NULL\na0 A0 ::= { NULL }", "A{0} ::= SEQUENCE OF A{1}\na{0} A{0} ::= { a{1}, a{1} }"
    ),
    "characters": doubling('a0 IA5String ::= "a"', "a{0} IA5String ::= { a{1}, a{1} }"),
    "arcs": doubling("a0 RELATIVE-OID ::= { 1 }", "a{0} RELATIVE-OID ::= { a{1} a{1} }"),
    "value sets": doubling("A0 INTEGER ::= { 1 }", "A{0} INTEGER ::= { A{1} | A{1} }"),
    "unions": doubling("A0 ::= INTEGER (0..5)", "A{0} ::= INTEGER (A{1} | A{1})"),
    "intersections": doubling("A0 ::= INTEGER (0..5)", "A{0} ::= INTEGER ((A{1} | 6) ^ (A{1} | 7))"),
    "inner types": doubling(
        "S ::= SEQUENCE { a S OPTIONAL, b [1] S OPTIONAL }\nA0 ::= S (WITH COMPONENTS { a ABSENT })",
        "A{0} ::= S (WITH COMPONENTS { a (A{1}), b (A{1}) })",
    ),
}


@pytest.mark.parametrize("body", DOUBLING.values(), ids=DOUBLING)
def test_doubling_ends(body: str) -> None:
    found = [message.split(": ", 1)[1] for message in errors(module(body))]
    # COMPONENTS OF one type twice has another error, too.
    found = [message for message in found if message != "a is defined twice: COMPONENTS OF also defines it"]
    assert found == ["the definitions expand to too many parts"]


def test_tags_are_collected_once_for_each_type() -> None:
    """CHOICEs that contain one CHOICE twice have few tags, in many places."""
    body = doubling("A0 ::= CHOICE { a NULL }", "A{0} ::= CHOICE { a A{1}, b A{1} }")
    found = errors(module(body))
    assert len(found) == DEPTH - 1
    assert {message.split(": ", 1)[1] for message in found} == {"b has the tag of a, NULL (X.680 29.3)"}


NUMBERS = [
    ("A ::= [1152921504606846976] NULL", "2:8: the tag number 1152921504606846976 is not less than 2^60"),
    ("A ::= [1152921504606846975] NULL", ""),
    ("A ::= ENUMERATED { a(9223372036854775808) }", "2:20: the number of a does not have 64 bits"),
    ("A ::= ENUMERATED { a(-9223372036854775808) }", ""),
    ("A ::= BIT STRING { a(65536) }", "2:20: bit 65536 is too far: derlib has names for 0 to 65535"),
    ("A ::= BIT STRING { a(65535) }", ""),
    ("A ::= OCTET STRING (SIZE (-1..3))", "2:27: the size -1 is not possible: expected 0 to 2^63 - 1"),
    ("A ::= OCTET STRING (SIZE (-1))", "2:27: the size -1 is not possible: expected 0 to 2^63 - 1"),
    ("A ::= OCTET STRING (SIZE (0..9223372036854775808))", ""),
]


@pytest.mark.parametrize(("body", "error"), NUMBERS)
def test_numbers_at_the_limits(body: str, error: str) -> None:
    assert errors(module(body)) == [error] * bool(error)
    if not error:
        load(body)


def test_long_constraints_keep_their_meaning() -> None:
    """A line that is too long is broken in brackets, where a comma would make a tuple."""
    ranges = " | ".join(f"{7 * number}..{7 * number + 3}" for number in range(1, 30))
    made = load(f"A ::= SEQUENCE {{ a INTEGER (({ranges}) ^ ({ranges} | 8)) }}")
    assert made.A(a=7 * 29).encode().hex() == "3004020200cb"
    for number in (0, 11, 210):
        with pytest.raises(ConstraintError):
            made.A(a=number).encode()


def test_a_long_line_is_shown_in_part() -> None:
    with pytest.raises(asn1.CompileError) as found:
        load("A ::= SEQUENCE {" + " " * 5000 + "a INTEGER b" + " " * 5000 + "}")
    _, line, caret = str(found.value).split("\n")
    assert len(line) == 200
    assert line[len(caret) - 1] == "b"


def test_a_byte_order_mark_is_skipped() -> None:
    assert errors("\ufeff" + module("A ::= NULL")) == []

"""Tokens (X.680 12)."""

import pytest

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.source import Source
from derlib.asn1.syntax.lexer import Kind, tokenize
from derlib.asn1.syntax.values import string_text

TOKENS = [
    ("words", "Type-1 value-a &Field &field", ["Type-1", "value-a", "&Field", "&field"]),
    ("a hyphen at the end is not part of a word", "a -1", ["a", "-", "1"]),
    ("range of numbers", "0..15", ["0", "..", "15"]),
    ("real numbers", "1.5 2.5E-3 7e2 3.", ["1.5", "2.5E-3", "7e2", "3."]),
    ("range from a real number", "1...2", ["1.", "..", "2"]),
    ("ellipsis and range", "... ..", ["...", ".."]),
    ("comment to the end of the line", "a -- b\nc", ["a", "c"]),
    ("comment to another newline", "a -- b\rc -- d\fe -- f\vg ---- \rh", ["a", "c", "e", "g", "h"]),
    ("comment to the next hyphens", "a -- b -- c", ["a", "c"]),
    ("line of hyphens", "a\n-----\nb", ["a", "b"]),
    ("nested comments", "a /* b /* c */ d */ e", ["a", "e"]),
    ("comment beside a slash", "a / b", ["a", "/", "b"]),
    ("strings", "\"a\"\"b\" '01'B '0AF'H", ['"a""b"', "'01'B", "'0AF'H"]),
    ("hyphens in a string", '"--" a', ['"--"', "a"]),
    ("brackets are single", "[[2:", ["[", "[", "2", ":"]),
    ("assignment", "A::=B", ["A", "::=", "B"]),
    ("hyphens at the end of a comment", "a --- b ---\nc -- d -----\ne", ["a", "c", "e"]),
    ("minus after a comment", "a -- b ---5", ["a", "-", "5"]),
    ("hyphens before a word", "a -----b", ["a", "-", "b"]),
    ("more hyphens before a word", "a -- b ------c", ["a", "c"]),
    ("line of hyphens that ends with CR LF", "a\r\n----- \r\nb", ["a", "b"]),
    ("XML value", "a ::= <A><A>don't</A> <A/></A> b", ["a", "::=", "<A><A>don't</A> <A/></A>", "b"]),
    ("empty XML value", "a ::= <A /> b", ["a", "::=", "<A />", "b"]),
    ("selection", "a ::= b<C>", ["a", "::=", "b", "<", "C", ">"]),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in TOKENS], ids=[row[0] for row in TOKENS])
def test_tokens(text: str, expected: list[str]) -> None:
    tokens = tokenize(Source("test", text), Diagnostics())
    assert [token.text for token in tokens] == [*expected, ""]
    assert tokens[-1].kind is Kind.END
    assert all(text[token.offset : token.end] == token.text for token in tokens)


INVALID = [
    ("string", 'a "b', 2, "the string is not closed"),
    ("comment", "a /* b", 2, "the comment is not closed"),
    ("surrogate in a comment", "a -- \ud800", 5, "half of a surrogate pair is not a character"),
    ("element that is not closed", "a ::= <A><A></A>", 6, "the element is not closed: expected '</A>'"),
    ("element without a name", "a ::= <1>", 6, "expected a value in XML notation"),
]


@pytest.mark.parametrize(("text", "offset", "message"), [row[1:] for row in INVALID], ids=[row[0] for row in INVALID])
def test_invalid_text(text: str, offset: int, message: str) -> None:
    with pytest.raises(Problem, match=message) as found:
        tokenize(Source("test", text), Diagnostics())
    assert found.value.place.offset == offset


BINARY = "expected a binary string such as '0101'B, or a hexadecimal string such as '0AFF'H"


@pytest.mark.parametrize(
    ("unknown", "message"),
    [
        ("$", "the character '$' cannot begin a token"),
        ("'0G'H", BINARY),
        ("'", BINARY),
        ("'it'", "expected a string in double quotes, found 'it': write \"it\""),
    ],
)
def test_unknown_characters_are_a_token_and_an_error(unknown: str, message: str) -> None:
    diagnostics = Diagnostics()
    tokens = tokenize(Source("test", f"a {unknown} b"), diagnostics)
    assert [token.text for token in tokens] == ["a", unknown, "b", ""]
    assert [(error.place.offset, error.message) for error in diagnostics.errors] == [(2, message)]


def test_blanks_around_a_line_end_are_not_part_of_a_string() -> None:
    [token, _] = tokenize(Source("test", '"one  \n   two"'), Diagnostics())
    assert string_text(token) == "onetwo"

"""Damaged modules: the error is where the damage is, and there is no other exception."""

import contextlib
import random

import pytest
from asn1.modules import errors, module, rfc_groups
from hypothesis import given
from hypothesis import strategies as st

from derlib import asn1
from derlib.asn1.compiler import resolve_sources
from derlib.asn1.diagnostics import Diagnostics
from derlib.asn1.source import Source
from derlib.asn1.syntax.lexer import Token, tokenize
from derlib.errors import ConstraintError

MUTANTS = 160
# Small groups of modules with the notation of 1988 and of 2008.
GROUPS = {
    name: sources
    for name, sources in rfc_groups().items()
    if name in ("PKI_RFC3370", "PKI_RFC3447", "PKI_RFC4055", "PKI_RFC5480", "Kerberos_RFC4120", "LDAP_RFC4511")
}
REPLACEMENTS = [")", "}", ";", "5", "lower", "UPPER", "::=", "|", "{"]
BRACKETS = frozenset("(){}[]")


def mutated(chosen: random.Random, text: str) -> tuple[str, int, list[Token], bool]:
    """Return a text with one changed token, the index of the token, all tokens, and whether it is about brackets."""
    tokens = tokenize(Source("test", text), Diagnostics())
    index = chosen.randrange(len(tokens) - 2)
    token = tokens[index]
    replacement = chosen.choice(REPLACEMENTS)
    change = {"delete": "", "duplicate": f"{token.text} {token.text}", "replace": replacement}
    changed = change[chosen.choice(sorted(change))]
    brackets = token.text in BRACKETS or changed in BRACKETS
    return f"{text[: token.offset]} {changed} {text[token.end :]}", index, tokens, brackets


def lines_of(text: str, tokens: list[Token], index: int, brackets: bool) -> range:
    """Return the lines where an error can be: those of the token and of the next three.

    Only the end of the assignment shows that a bracket is missing; then the bracket around it is the place.
    """
    first = last = index
    if brackets:
        heads = [position for position, token in enumerate(tokens) if token.text == "::="]
        first = max((head for head in heads if head <= index), default=0)
        last = next((head for head in heads if head > index + 1), len(tokens) - 1)
    last = min(last + 3, len(tokens) - 1)
    return range(text.count("\n", 0, tokens[first].offset) + 1, text.count("\n", 0, tokens[last].offset) + 2)


@pytest.mark.skipif(not GROUPS, reason="the modules of RFCs are not here")
def test_damage_is_reported_at_its_line() -> None:
    chosen = random.Random(22)
    reported = exact = 0
    for number in range(MUTANTS):
        group = sorted(GROUPS)[number % len(GROUPS)]
        target = chosen.choice(GROUPS[group])
        text, index, tokens, brackets = mutated(chosen, target.text)
        diagnostics = Diagnostics()
        sources = [Source(source.name, text if source is target else source.text) for source in GROUPS[group]]
        resolve_sources(sources, diagnostics)
        if not diagnostics.errors:
            continue
        first = diagnostics.errors[0]
        reported += 1
        lines = lines_of(target.text, tokens, index, brackets)
        exact += first.place.line == target.text.count("\n", 0, tokens[index].offset) + 1
        if "expected" in first.message or "closed" in first.message:
            assert (first.place.source.name, first.place.line in lines) == (target.name, True), (first, tokens[index])
    # The other mutants are valid: a component is OPTIONAL or not, a comment has another place.
    assert reported >= 100
    assert exact >= reported * 9 // 10


WORDS = """
A B C a b c 1 0 -5 1.5 "x" '01'B '0F'H ::= { } ( ) [ ] , ; : | ^ .. ... . @ ! < &id &Type INTEGER BOOLEAN NULL REAL
ENUMERATED SEQUENCE SET OF CHOICE BIT STRING OCTET OBJECT IDENTIFIER UTF8String ANY DEFINED BY OPTIONAL DEFAULT SIZE
FROM WITH COMPONENT COMPONENTS PRESENT ABSENT INCLUDES ALL EXCEPT UNION INTERSECTION TRUE FALSE MIN MAX IMPLICIT
EXPLICIT TAGS APPLICATION CLASS SYNTAX UNIQUE CONTAINING ENCODED CONSTRAINED PATTERN TYPE-IDENTIFIER IDENTIFIED INSTANCE
MACRO BEGIN END EXTERNAL IMPORTS EXPORTS TIME DATE UTCTime <a> </a> /* */ --
""".split()  # noqa: SIM905 - one word a line would fill two pages
PIECES = [
    "A ::= SEQUENCE { a INTEGER, b B OPTIONAL }",
    "B ::= CHOICE { a A, b [1] NULL }",
    "C ::= INTEGER { a(1), b(2) } (0..5)",
    "a A ::= { a 5 }",
    "b OBJECT IDENTIFIER ::= { 2 5 a(1) }",
    "A{T} ::= SEQUENCE { a T DEFAULT b }",
    "C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }",
    "B C ::= { { A IDENTIFIED BY b } | a, ... }",
    "A ::= SEQUENCE { id C.&id ({B}), a C.&Type ({B}{@id}) }",
    "B ::= ENUMERATED { a, b(5), ... }",
    "a B ::= a : 5",
    "A ::= BIT STRING { a(0) } (SIZE (1..b))",
    "A ::= B{C, {a | b}} (WITH COMPONENTS { ..., a PRESENT })",
]
SOUP = st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(PIECES)), max_size=30).map(" ".join)


@given(st.lists(SOUP, max_size=6).map("\n".join))
def test_any_words_give_a_module_or_errors(body: str) -> None:
    try:
        code, _ = asn1.compile_sources([Source("test", module(body))])
    except asn1.CompileError:
        return
    compile(code, "test", "exec")


# Each assignment uses names of others in another way.
VALID = """
KIND ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &code INTEGER OPTIONAL, &Type, &inner KIND OPTIONAL }
    WITH SYNTAX { &Type BY &id [CODE &code] [INNER &inner] }
CODE ::= CLASS { &code INTEGER UNIQUE, &Type }
number KIND ::= { INTEGER BY {2 999 1} }
text KIND ::= { Text BY {base 2} CODE 7 INNER number }
seven CODE ::= { &code 7, &Type BOOLEAN }
Kinds KIND ::= { number | More, ... }
More KIND ::= { text | { SEQUENCE { n INTEGER } BY {base 3} } }
Codes CODE ::= { seven }
base OBJECT IDENTIFIER ::= { joint-iso-itu-t uuid(25) 1 }
word Text ::= "a"
bits Bits ::= { one }
skipped ::= <Count>5</Count>
pair Pair ::= { first 5, second { TRUE } }
Text ::= UTF8String (SIZE (1..max) ^ FROM ("a".."z"))
max INTEGER ::= 9
Count ::= INTEGER { none(0), most(9) } (none..most | 20)
Bits ::= BIT STRING { one(0), two(1) } (SIZE (1..5))
Item ::= ENUMERATED { one, two(5), ..., three }
Pair ::= SEQUENCE { first Count DEFAULT most, second SEQUENCE OF BOOLEAN, ..., [[ third Item OPTIONAL ]] }
Triple ::= SEQUENCE { COMPONENTS OF Pair, fourth [4] Bits DEFAULT { one } }
Message{KIND:Set, INTEGER:limit} ::= SEQUENCE {
    id       KIND.&id({Set}),
    content  [0] KIND.&Type({Set}{@id}),
    list     SET SIZE (1..limit) OF KIND.&Type({Set}{@id}),
    inner    SEQUENCE { code CODE.&code({Codes}), value CODE.&Type({Codes}{@.code}) OPTIONAL },
    octets   OCTET STRING (CONTAINING Pair) }
Letter ::= Message{Kinds, max}
Either ::= CHOICE { letter [1] Letter, pair Pair, part part < Other, ... }
Other ::= CHOICE { part [2] Text, rest INSTANCE OF TYPE-IDENTIFIER }
Known ::= Pair (WITH COMPONENTS { ..., first (0 | 9), third ABSENT })
Values INTEGER ::= { 1 | 3..5 | Codes.&code, ... }
Held ::= SEQUENCE OF Codes.&code
"""
TOKENS = tokenize(Source("test", VALID), Diagnostics())[:-1]
PLACES = st.integers(0, len(TOKENS) - 1)


@given(st.lists(st.tuples(PLACES, PLACES), min_size=1, max_size=4), st.sampled_from(["", "AUTOMATIC TAGS"]))
def test_names_in_other_places_give_a_module_or_errors(swaps: list[tuple[int, int]], tags: str) -> None:
    """Most of these texts are parsed: names replace names, and numbers replace numbers."""
    words = [token.text for token in TOKENS]
    for to, begin in swaps:
        same = [token.text for token in TOKENS[begin:] + TOKENS[:begin] if token.kind is TOKENS[to].kind]
        words[to] = same[0]
    # The values of constants and defaults are checked against the constraints of their types when they are made.
    with contextlib.suppress(asn1.CompileError, ConstraintError):
        asn1.load(module(" ".join(words), tags=tags))


def test_without_a_change_the_names_give_a_module() -> None:
    assert asn1.load(module(VALID)).Letter


@given(st.text(max_size=60))
def test_any_text_gives_errors(text: str) -> None:
    with pytest.raises(asn1.CompileError):
        asn1.compile_sources([Source("test", text)])


DEEP = {
    "braces": "a A ::= " + "{" * 5000,
    "balanced braces": "a A ::= " + "{" * 5000 + "}" * 5000 + "\nA ::= SET OF A",
    "arguments": "A ::= " + "A{" * 5000,
    "values": "a INTEGER ::= " + "b{" * 5000,
    "types of fields": "A ::= " + "C.&a." * 5000,
    "tags": "A ::= " + "[1] " * 5000 + "NULL",
    "syntax": "C ::= CLASS { &a INTEGER } WITH SYNTAX {" + "[A " * 5000,
    "selections": "A ::= " + "a < " * 5000 + "NULL",
    "comments": "/*" * 5000,
    "elements": "a ::= " + "<a>" * 5000,
    "heads": "A ::= 5\n" + "a B{C{D ({E\n" * 1000,
    "parameters": "A" + "{A" * 5000,
}


LONG = {
    "union": ("A ::= INTEGER (" + "1 | 3..5 | " * 3000 + "7)", ""),
    "list": ("a A ::= {" + "1, " * 3000 + "5}\nA ::= SEQUENCE OF INTEGER", ""),
    "hexadecimal string": ("a OCTET STRING ::= '" + "0F" * 20000 + "'H", ""),
    "number": ("a INTEGER ::= " + "9" * 5000, "the number has more than 4000 digits"),
    "arc": ("a OBJECT IDENTIFIER ::= {2 " + "9" * 5000 + "}", "the number has more than 4000 digits"),
    "exponent": (
        "A ::= SEQUENCE { a REAL DEFAULT {mantissa 1, base 2, exponent -" + "9" * 20 + "} }",
        "its mantissa or its exponent",
    ),
    "decimal exponent": (
        "A ::= SEQUENCE { a REAL DEFAULT 1E" + "9" * 18 + " }",
        "its mantissa or its exponent",
    ),
}


@pytest.mark.parametrize(("body", "error"), LONG.values(), ids=LONG)
def test_long_notation(body: str, error: str) -> None:
    found = errors(module(body))
    assert [error in message for message in found] == [True] * bool(error)


@pytest.mark.parametrize("body", DEEP.values(), ids=DEEP)
def test_deep_notation_is_an_error(body: str) -> None:
    with pytest.raises(asn1.CompileError):
        asn1.compile_sources([Source("test", module(body))])

"""The tokens of ASN.1 (X.680 12)."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.source import Source


class Kind(Enum):
    """The kinds of tokens. A reserved word is a REFERENCE: the parser knows where a word is reserved."""

    IDENTIFIER = "an identifier"
    REFERENCE = "a type reference"
    FIELD = "a field reference"
    NUMBER = "a number"
    REAL = "a real number"
    CSTRING = "a string"
    BSTRING = "a binary string"
    HSTRING = "a hexadecimal string"
    XML = "a value in XML notation"
    UNKNOWN = "a character that cannot begin a token"
    SYMBOL = "a symbol"
    END = "the end of the text"


class Token(NamedTuple):
    """A token and the offset of its first character."""

    kind: Kind
    text: str
    offset: int

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.offset + len(self.text)

    def __str__(self) -> str:
        return self.kind.value if self.kind is Kind.END else repr(self.text)


# A comment ends at the next pair of hyphens or at the end of the line (X.680 12.6.3), which is one of four characters
# (X.680 12.1.6). More hyphens at the end of the
# line are part of it, and a line of hyphens is a comment, although the standard would end and begin comments there.
# Only the first hyphen of a row looks for the end of the line: otherwise, long rows would take quadratic time.
_PATTERN = re.compile(
    r"""
      (?P<BLANK> [ \t\r\n\f\v\xa0\ufeff]+ | (?<!-)-{2,}[ \t]*(?=[\r\n\f\v]|\Z)
        | --(?:(?!--)[^\r\n\f\v])*(?:(?<!-)-{2,}[ \t]*(?=[\r\n\f\v]|\Z)|--)? )
    | (?P<REFERENCE> [A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)* )
    | (?P<IDENTIFIER> [a-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)* )
    | (?P<UNKNOWN> :?= )
    | (?P<SYMBOL> ::= | \.\.\.? | [{}()\[\],.;:|^@<>!*/-] (?<!/(?=[*/])) )
    | (?P<REAL> [0-9]+(?: \.(?!\.)[0-9]*(?:[eE]-?[0-9]+)? | \.(?=\.\.[0-9]) | [eE]-?[0-9]+ ) )
    | (?P<NUMBER> [0-9]+ )
    | (?P<FIELD> &[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)* )
    | (?P<CSTRING> "(?:[^"]|"")*" )
    | (?P<BSTRING> '[01\s]*'B )
    | (?P<HSTRING> '[0-9A-Fa-f\s]*'H )
    | (?P<QUOTED> '[^'\r\n]*'[BH]?(?![A-Za-z0-9]) )
    | (?P<COMMENT> /\* )
    | (?P<SLASHES> //[^\r\n\f\v]* )
    """,
    re.VERBOSE,
)
# After so many unknown characters, the text is probably not ASN.1.
_MOST_UNKNOWN = 20
# By default, Python converts at most 4,300 digits to an int.
_MOST_DIGITS = 4000
_COMMENT_MARK = re.compile(r"/\*|\*/")
_SURROGATE = re.compile("[\ud800-\udfff]")
_XML_TAG = re.compile(r"<([A-Za-z_][\w.-]*)\s*(/?)>")


def tokenize(source: Source, diagnostics: Diagnostics) -> list[Token]:
    """Return the tokens of a source; the last one is the end. Record characters that cannot begin a token as errors.

    Raises:
        Problem: a string or a comment is not closed, a number is too long, or many characters cannot begin a token.
    """
    tokens: list[Token] = []
    unknown = 0
    text = source.text
    kinds = Kind.__members__
    match_at = _PATTERN.match
    if surrogate := _SURROGATE.search(text):
        raise Problem("half of a surrogate pair is not a character", source.place(surrogate.start()))
    offset = 0
    while offset < len(text):
        match = match_at(text, offset)
        if match is None or match.lastgroup in ("UNKNOWN", "QUOTED"):
            tokens.append(Token(Kind.UNKNOWN, match[0] if match else text[offset], offset))
            problem = Problem(unknown_text(tokens[-1].text), source.place(offset))
            unknown += 1
            if text[offset] == '"' or unknown > _MOST_UNKNOWN:
                raise problem
            diagnostics.error(problem)
            offset = tokens[-1].end
            continue
        kind = match.lastgroup
        if kind == "SLASHES":
            diagnostics.error(Problem("expected '--' before a comment, found '//'", source.place(offset)))
            offset = match.end()
            continue
        if kind == "COMMENT":
            offset = _end_of_comment(source, offset)
            continue
        if match[0] == "<" and tokens and tokens[-1].text == "::=":
            tokens.append(_xml_value(source, offset))
            offset = tokens[-1].end
            continue
        if kind != "BLANK":
            assert kind is not None
            if kind == "NUMBER" and len(match[0]) > _MOST_DIGITS:
                raise Problem(f"the number has more than {_MOST_DIGITS} digits", source.place(offset))
            tokens.append(Token(kinds[kind], match[0], offset))
        offset = match.end()
    tokens.append(Token(Kind.END, "", len(text)))
    return tokens


def _end_of_comment(source: Source, start: int) -> int:
    """Return the offset after a comment that begins with ``/*``. Such comments nest."""
    depth = 0
    for match in _COMMENT_MARK.finditer(source.text, start):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    raise Problem("the comment is not closed: expected '*/'", source.place(start))


def _xml_value(source: Source, start: int) -> Token:
    """Return a value in XML notation, which follows ``::=`` (X.680 16.2): an element with everything in it."""
    tag = _XML_TAG.match(source.text, start)
    if tag is None:
        raise Problem("expected a value in XML notation: an element such as <Type>", source.place(start))
    if tag[2]:
        return Token(Kind.XML, tag[0], start)
    depth = 0
    # Elements of the same name can be inside.
    tags = re.compile(rf"<(/?){re.escape(tag[1])}\s*(/?)>")
    for match in tags.finditer(source.text, start):
        depth += -1 if match[1] else 0 if match[2] else 1
        if depth == 0:
            return Token(Kind.XML, source.text[start : match.end()], start)
    raise Problem(f"the element is not closed: expected '</{tag[1]}>'", source.place(start))


def unknown_text(character: str) -> str:
    """Return the error for a character that cannot begin a token, or for another spelling of ``::=``."""
    if character in ("=", ":="):
        return f"expected '::=', found {character!r}"
    if character == '"':
        return "the string is not closed: expected '\"'"
    if character.startswith("'") and character.endswith("'") and len(character) > 2:
        return f'expected a string in double quotes, found {character:.60}: write "{character[1:-1]:.60}"'
    if character.startswith("'"):
        return "expected a binary string such as '0101'B, or a hexadecimal string such as '0AFF'H"
    if character == "_":
        return "the character '_' cannot be in a name: names in ASN.1 have hyphens instead (X.680 12.2)"
    return f"the character {character!r} cannot begin a token"

"""A position in a list of tokens, which the parsers move."""

from __future__ import annotations

from typing import NoReturn

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.source import Place, Source
from derlib.asn1.syntax.lexer import Kind, Token, unknown_text

_PAIRS = {"{": "}", "(": ")", "[": "]"}
_CLOSING = frozenset(_PAIRS.values())
# The deepest nesting of types, values and constraints. Each level takes several calls of Python.
_DEEPEST = 50


class Cursor:
    """Reads tokens one by one. `token` is the next token, which `take` and `expect` move on from."""

    def __init__(self, source: Source, tokens: list[Token], diagnostics: Diagnostics) -> None:
        self.source = source
        self.tokens = tokens
        self.diagnostics = diagnostics
        self.index = 0
        self.token = tokens[0]
        self.depth = 0

    @property
    def at(self) -> Place:
        """The place of the next token."""
        return Place(self.source, self.token.offset)

    @property
    def kind(self) -> Kind:
        """The kind of the next token."""
        return self.token.kind

    @property
    def previous_end(self) -> int:
        """The offset after the token that was taken last."""
        return self.tokens[self.index - 1].end

    def move(self, index: int) -> None:
        """Continue at another token."""
        self.index = index
        self.token = self.tokens[index]

    def take(self) -> Token:
        """Return the next token and move on; the last token, END, remains."""
        token = self.token
        if self.index < len(self.tokens) - 1:
            self.index += 1
            self.token = self.tokens[self.index]
        return token

    def ahead(self, count: int = 1) -> Token:
        """Return a later token: `count` tokens after the next one."""
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def sees(self, *texts: str) -> bool:
        """Return whether the next tokens have these texts."""
        return all(self.ahead(count).text == text for count, text in enumerate(texts))

    def at_end(self) -> bool:
        """Return whether all tokens were taken."""
        return self.token.kind is Kind.END

    def skip(self, text: str) -> bool:
        """Move on if the next token is `text`, and return whether it was."""
        found = self.token.text == text
        if found:
            self.take()
        return found

    def expect(self, *texts: str) -> None:
        """Move on over these tokens.

        Raises:
            Problem: another token is next.
        """
        for text in texts:
            if self.token.text != text:
                self.fail(repr(text))
            self.take()

    def expect_kind(self, kind: Kind) -> str:
        """Return the text of the next token, which must have this kind, and move on."""
        if self.token.kind is not kind:
            self.fail(kind.value)
        return self.take().text

    def fail(self, expected: str) -> NoReturn:
        """Raise Problem: something else was expected here."""
        if self.kind is Kind.UNKNOWN:
            # The same error as that of the lexer, which is reported once.
            raise Problem(unknown_text(self.token.text), self.at)
        raise Problem(f"expected {expected}, found {self.token}", self.at)

    def enter(self) -> None:
        """Begin a nested notation; `leave` ends it.

        Raises:
            Problem: it is nested too deeply.
        """
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Problem(f"the notation is nested more than {_DEEPEST} levels deep", self.at)

    def leave(self) -> None:
        """End a nested notation."""
        self.depth -= 1

    def take_braced(self) -> list[Token]:
        """Return the tokens between the next brace and the one that closes it, and an END at the closing brace."""
        start = self.index + 1
        if self.token.text != "{":
            self.fail("'{'")
        self.skip_bracketed()
        closing = self.tokens[self.index - 1]
        return [*self.tokens[start : self.index - 1], Token(Kind.END, "", closing.offset)]

    def skip_bracketed(self) -> None:
        """Move on over the next bracket, everything in it, and the bracket that closes it."""
        openings: list[Token] = []
        while True:
            text = self.token.text
            if text in _PAIRS:
                openings.append(self.token)
            elif text in _CLOSING and text == _PAIRS[openings[-1].text]:
                openings.pop()
            elif text in _CLOSING or self.token.kind is Kind.END or text in ("::=", ";"):
                self._fail_in_bracket(openings)
            self.take()
            if not openings:
                return

    def _fail_in_bracket(self, openings: list[Token]) -> NoReturn:
        """Raise Problem: the next token cannot be in these brackets. Either it is wrong, or the last one is open."""
        text, previous = self.token.text, self.tokens[self.index - 1]
        if text in _CLOSING:
            wrong = all(_PAIRS[outer.text] != text for outer in openings)
        elif text == "::=":
            no_head = previous.kind in (Kind.IDENTIFIER, Kind.NUMBER) or previous.text in _PAIRS
            wrong = no_head or self.ahead().text == "("
        else:
            wrong = text == ";"
        opening = openings[-1]
        if wrong:
            self.fail(repr(_PAIRS[opening.text]))
        raise Problem(f"the bracket {opening.text!r} is not closed", self.source.place(opening.offset))

"""The parser of constraints (X.680 49 to 51, X.682)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from derlib.asn1.source import Place
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.tree import (
    AllExcept,
    Braced,
    ComponentConstraints,
    Constraint,
    ContainedSubtype,
    ContentsConstraint,
    ElementConstraint,
    ExtensibleConstraint,
    NamedConstraint,
    PermittedAlphabet,
    SetOperation,
    SingleValue,
    SizeConstraint,
    TableConstraint,
    TextConstraint,
    Value,
    ValueRange,
)
from derlib.asn1.syntax.values import ValueParser

_WORDS = frozenset(
    {"SIZE", "FROM", "WITH", "INCLUDES", "CONTAINING", "ENCODED", "CONSTRAINED", "PATTERN", "SETTINGS"}
)  # fmt: skip
# Tokens in ranges of numbers or characters.
_IN_RANGES = frozenset({Kind.NUMBER, Kind.IDENTIFIER, Kind.CSTRING})


class ConstraintParser(ValueParser):
    """Parses constraints, which are in parentheses."""

    def parse_constraint(self, *, of_field: bool = False) -> Constraint:
        """Parse a constraint in parentheses; `of_field` if it constrains the type of a field of an object class."""
        self.expect("(")
        table = self.sees("{") and (of_field or self._begins_table())
        constraint = self._parse_table() if table else self._parse_sets()
        self.skip_exception()
        self.expect(")")
        return constraint

    def parse_after(self, word: str) -> Constraint:
        """Parse the constraint in parentheses after SIZE or FROM."""
        if not self.sees("("):
            start = self.index
            remedy = f"{word} {self.parenthesized()}"
            self.move(start)
            self.fail(f"'(' after {word}: write {remedy}")
        return self.parse_constraint()

    def parenthesized(self) -> str:
        """Return the values and ranges that follow, in parentheses, and move on over them."""
        start = end = self.token.offset
        if self.sees("("):
            self.skip_bracketed()
            return self.source.text[start : self.previous_end]
        while self.kind in _IN_RANGES or self.token.text in ("..", "<", "-", "|", "MIN", "MAX"):
            end = self.take().end
        return f"({self.source.text[start:end]})" if start < end else "(...)"

    def skip_exception(self) -> None:
        """Skip an exception identifier (X.680 53), which has no effect on encodings."""
        if self.skip("!"):
            if not self.begins_value():
                self.parse_type()
                self.expect(":")
            self.parse_value()

    def _begins_table(self) -> bool:
        """Return whether two pairs of braces follow, of which the second begins with ``@``."""
        start = self.index
        self.skip_bracketed()
        found = self.sees("{", "@")
        self.move(start)
        return found

    def _parse_table(self) -> Constraint:
        at = self.at
        object_set = Braced(at, self.take_braced())
        paths: list[str] = []
        if self.skip("{"):
            paths.append(self._parse_at_path())
            while self.skip(","):
                paths.append(self._parse_at_path())
            self.expect("}")
        return TableConstraint(at, object_set, paths)

    def _parse_at_path(self) -> str:
        self.expect("@")
        path = ""
        # The lexer joins dots.
        while dots := next((dots for dots in ("...", "..", ".") if self.skip(dots)), ""):
            path += dots
        path += self.expect_kind(Kind.IDENTIFIER)
        while self.skip("."):
            path += "." + self.expect_kind(Kind.IDENTIFIER)
        return path

    def parse_value_set(self) -> Constraint:
        """Parse the contents of a value set, whose braces were removed (X.680 16.6)."""
        constraint = self._parse_sets()
        if self.kind is not Kind.END:
            self.fail("'|' or '}'")
        return constraint

    def _parse_sets(self) -> Constraint:
        """Parse element sets with an extension marker (X.680 50.1)."""
        self.enter()
        at = self.at
        constraint = self._parse_union()
        if self.sees(",", "..."):
            self.expect(",", "...")
            self.skip_exception()
            additions = self._parse_union() if self.skip(",") else None
            constraint = ExtensibleConstraint(at, constraint, additions)
        self.leave()
        return constraint

    def _parse_union(self) -> Constraint:
        return self._parse_operation("UNION", ("|", "UNION"), self._parse_intersection)

    def _parse_intersection(self) -> Constraint:
        return self._parse_operation("INTERSECTION", ("^", "INTERSECTION"), self._parse_exclusion)

    def _parse_operation(
        self,
        operator: Literal["UNION", "INTERSECTION"],
        spellings: tuple[str, str],
        parse_operand: Callable[[], Constraint],
    ) -> Constraint:
        operands = [parse_operand()]
        while self.token.text in spellings:
            self.take()
            operands.append(parse_operand())
        # Pairs of pairs: a chain of thousands of values would nest as deeply.
        while len(operands) > 1:
            rest = operands[len(operands) // 2 * 2 :]
            pairs = zip(operands[::2], operands[1::2], strict=False)
            operands = [SetOperation(left.at, operator, left, right) for left, right in pairs] + rest
        return operands[0]

    def _parse_exclusion(self) -> Constraint:
        at = self.at
        if self.skip("ALL"):
            self.expect("EXCEPT")
            return AllExcept(at, self._parse_element())
        constraint = self._parse_element()
        if self.skip("EXCEPT"):
            return SetOperation(at, "EXCEPT", constraint, self._parse_element())
        return constraint

    def _parse_element(self) -> Constraint:
        """Parse one set of values (X.680 51.1)."""
        word = self.token.text
        if word == "(":
            self.take()
            constraint = self._parse_sets()
            self.expect(")")
            return constraint
        if word in _WORDS and self.kind is Kind.REFERENCE:
            return self._parse_word_constraint(self.at, self.take().text)
        if self.begins_value():
            return self._parse_value_or_range()
        return ContainedSubtype(self.at, self.parse_type())

    def _parse_word_constraint(self, at: Place, word: str) -> Constraint:
        """Parse the rest of a constraint after its first word."""
        if word == "SIZE":
            return SizeConstraint(at, self.parse_after(word))
        if word == "FROM":
            return PermittedAlphabet(at, self.parse_after(word))
        if word == "WITH":
            return self._parse_with(at)
        if word == "INCLUDES":
            return ContainedSubtype(at, self.parse_type())
        if word == "CONTAINING":
            contents = self.parse_type()
            encoded_by = self._parse_encoding_rules() if self.skip("ENCODED") else None
            return ContentsConstraint(at, contents, encoded_by)
        if word == "ENCODED":
            return ContentsConstraint(at, None, self._parse_encoding_rules())
        if word == "CONSTRAINED":
            self.expect("BY")
            self.take_braced()
            return TextConstraint(at, "CONSTRAINED BY")
        self.parse_value()
        return TextConstraint(at, "PATTERN" if word == "PATTERN" else "SETTINGS")

    def _parse_encoding_rules(self) -> Value:
        self.expect("BY")
        return self.parse_value()

    def _parse_value_or_range(self) -> Constraint:
        at = self.at
        low = self.parse_value()
        low_open = self.sees("<", "..") and self.skip("<")
        if not self.skip(".."):
            return SingleValue(at, low)
        high_open = self.skip("<")
        return ValueRange(at, low, self.parse_value(), low_open, high_open)

    def _parse_with(self, at: Place) -> Constraint:
        """Parse ``WITH COMPONENT`` or ``WITH COMPONENTS``; WITH was taken."""
        if self.skip("COMPONENT"):
            return ElementConstraint(at, self.parse_constraint())
        self.expect("COMPONENTS", "{")
        partial = self.skip("...")
        if partial:
            self.expect(",")
        components = [self._parse_named_constraint()]
        while self.skip(","):
            components.append(self._parse_named_constraint())
        self.expect("}")
        return ComponentConstraints(at, partial, components)

    def _parse_named_constraint(self) -> NamedConstraint:
        at = self.at
        name = self.expect_kind(Kind.IDENTIFIER)
        constraint = self.parse_constraint() if self.sees("(") else None
        presence: Literal["PRESENT", "ABSENT", "OPTIONAL"] | None = None
        for word in ("PRESENT", "ABSENT", "OPTIONAL"):
            if self.skip(word):
                presence = word
        return NamedConstraint(at, name, constraint, presence)

"""The parser of value notations (X.680 17) and of actual parameters (X.683 9)."""

from __future__ import annotations

from typing import Literal

from derlib.asn1.syntax.cursor import Cursor
from derlib.asn1.syntax.lexer import Kind, Token
from derlib.asn1.syntax.tree import (
    Argument,
    BitsValue,
    Braced,
    ChoiceValue,
    FieldType,
    KeywordValue,
    NumberValue,
    RealValue,
    StringValue,
    Type,
    Value,
    ValueFromObject,
    ValueReference,
)

VALUE_WORDS = frozenset(
    {"TRUE", "FALSE", "NULL", "MIN", "MAX", "PLUS-INFINITY", "MINUS-INFINITY", "NOT-A-NUMBER"}
)  # fmt: skip


class ValueParser(Cursor):
    """Parses values. A value in braces remains a list of tokens until its type is known."""

    def parse_type(self) -> Type:
        """Parse a type; `derlib.asn1.syntax.types` implements this."""
        raise NotImplementedError

    def begins_value(self) -> bool:
        """Return whether the next token can only begin a value, not a type."""
        kind = self.kind
        if kind is Kind.SYMBOL:
            return self.token.text in ("{", "-")
        if kind is Kind.REFERENCE:
            word = self.token.text
            # NULL is a type as well; `NULL : NULL` is a value of an open type.
            return word in VALUE_WORDS or self._begins_external_value()
        return kind is not Kind.END and kind is not Kind.FIELD

    def _begins_external_value(self) -> bool:
        """Return whether ``Module.value`` is next; ``Module.value.&field`` is one, too."""
        return self.ahead().text == "." and self.ahead(2).kind is Kind.IDENTIFIER

    def parse_value(self) -> Value:
        """Parse a value notation."""
        self.enter()
        parsed = self._parse_any_value()
        self.leave()
        return parsed

    def _parse_any_value(self) -> Value:
        token = self.token
        kind = token.kind
        if kind is Kind.IDENTIFIER or self._begins_external_value():
            return self._parse_reference()
        if token.text == "{":
            return Braced(self.at, self.take_braced())
        if token.text == "-" or kind in (Kind.NUMBER, Kind.REAL):
            return self._parse_number()
        if kind is Kind.REFERENCE and (token.text not in VALUE_WORDS or self.sees("NULL", ":")):
            return self._parse_typed_value()
        if kind in (Kind.SYMBOL, Kind.FIELD, Kind.XML, Kind.UNKNOWN, Kind.END):
            self.fail("a value")
        return self._parse_literal()

    def _parse_literal(self) -> Value:
        at = self.at
        token = self.take()
        if token.kind is Kind.CSTRING:
            return StringValue(at, string_text(token))
        if token.kind is Kind.REFERENCE:
            return KeywordValue(at, token.text)
        base: Literal[2, 16] = 2 if token.kind is Kind.BSTRING else 16
        return BitsValue(at, "".join(token.text[1:-2].split()), base)

    def _parse_number(self) -> Value:
        at = self.at
        sign = "-" if self.skip("-") else ""
        if self.kind is Kind.REAL:
            return RealValue(at, sign + self.take().text)
        return NumberValue(at, int(sign + self.expect_kind(Kind.NUMBER)))

    def _parse_reference(self) -> Value:
        at = self.at
        module = None
        if self.kind is Kind.REFERENCE:
            module = self.take().text
            self.expect(".")
        name = self.expect_kind(Kind.IDENTIFIER)
        if module is None and self.sees(":"):
            self.take()
            return ChoiceValue(at, name, self.parse_value())
        reference = ValueReference(at, module, name)
        if self.sees("{"):
            reference.arguments = self.parse_arguments()
        if self.sees(".") and self.ahead().kind is Kind.FIELD:
            return ValueFromObject(at, reference, self.parse_path())
        return reference

    def _parse_typed_value(self) -> Value:
        """Parse ``Type : value``, or ``CLASS.&field`` of an object set with one object."""
        at = self.at
        word = self.token.text.upper()
        if word in VALUE_WORDS and self.ahead().text != ":":
            self.fail(f"a value: write {word}")
        governor = self.parse_type()
        if isinstance(governor, FieldType):
            return ValueFromObject(at, governor.reference, governor.path)
        self.expect(":")
        return ChoiceValue(at, governor, self.parse_value())

    def parse_path(self) -> list[str]:
        """Parse ``.&field.&field``, and return the names without their ampersands."""
        path: list[str] = []
        while self.sees(".") and self.ahead().kind is Kind.FIELD:
            self.take()
            path.append(self.take().text[1:])
        return path

    def parse_arguments(self) -> list[Argument]:
        """Parse an actual parameter list in braces."""
        self.expect("{")
        arguments = [self.parse_argument()]
        while self.skip(","):
            arguments.append(self.parse_argument())
        self.expect("}")
        return arguments

    def parse_argument(self) -> Argument:
        """Parse an actual parameter or a setting of a field: a value, or anything else as a type or in braces."""
        if self.sees("NULL") and self.ahead().text != ":":
            return self.parse_type()
        return self.parse_value() if self.begins_value() else self.parse_type()


def string_text(token: Token) -> str:
    """Return the characters of a string (X.680 12.14): blanks around the end of a line are not part of it."""
    lines = token.text[1:-1].replace('""', '"').split("\n")
    if len(lines) == 1:
        return lines[0]
    inner = [line.strip(" \t\r") for line in lines[1:-1]]
    return "".join([lines[0].rstrip(" \t\r"), *inner, lines[-1].lstrip(" \t\r")])

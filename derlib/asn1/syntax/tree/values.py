"""Nodes of values (X.680 17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from derlib.asn1.source import Place
from derlib.asn1.syntax.lexer import Token

if TYPE_CHECKING:
    from derlib.asn1.syntax.tree.types import Argument, Type, TypeReference


@dataclass(slots=True, eq=False)
class Node:
    """The base of all nodes: `at` is the place where the node begins, with `line` and `column`."""

    at: Place


@dataclass(slots=True, eq=False)
class Value(Node):
    """A value notation (X.680 17)."""


@dataclass(slots=True, eq=False)
class NumberValue(Value):
    """An integer, such as ``-5``."""

    number: int


@dataclass(slots=True, eq=False)
class RealValue(Value):
    """A real number in decimal notation, such as ``1.5E3``."""

    text: str


@dataclass(slots=True, eq=False)
class StringValue(Value):
    """A character string; the quotation marks are removed."""

    text: str


@dataclass(slots=True, eq=False)
class BitsValue(Value):
    """A binary or hexadecimal string, such as ``'0101'B`` or ``'0AFF'H``; `digits` is without blanks."""

    digits: str
    base: Literal[2, 16]


@dataclass(slots=True, eq=False)
class KeywordValue(Value):
    """A value that is a reserved word: TRUE, FALSE, NULL, MIN, MAX, PLUS-INFINITY, MINUS-INFINITY, NOT-A-NUMBER."""

    word: str


@dataclass(slots=True, eq=False)
class ValueReference(Value):
    """A reference to a value, an enumeration item or a named number (X.680 14.3)."""

    module: str | None
    name: str
    arguments: list[Argument] | None = None


@dataclass(slots=True, eq=False)
class ValueFromObject(Value):
    """A value that a field of an object has, such as ``object.&id`` (X.681 15)."""

    reference: ValueReference | TypeReference
    path: list[str]


@dataclass(slots=True, eq=False)
class ChoiceValue(Value):
    """A value of a CHOICE (X.680 29.11), or of an open type with ``Type : value``."""

    selector: str | Type
    value: Value


@dataclass(slots=True, eq=False)
class Braced(Value):
    """Anything in braces whose meaning depends on its governor; `tokens` are between the braces, and end with END."""

    tokens: list[Token]

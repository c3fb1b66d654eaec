"""The forms that values have: the notations of characters in braces, the types of resolved values, and Python names."""

from __future__ import annotations

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.model import (
    BitsValue,
    ChosenValue,
    ComponentValues,
    ItemValue,
    ListOf,
    NamedBitsValue,
    NullValue,
    Numbered,
    OIDValue,
    RealValue,
    ResolvedType,
    Simple,
    Structure,
    TypedValue,
)
from derlib.asn1.source import Place
from derlib.asn1.syntax.cursor import Cursor
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.types import SIMPLE_TYPES

# The Python types of the values of types without parts; the other ones have no notation that is supported.
_FORMS: dict[str, tuple[type, ...]] = {
    "BIT STRING": (BitsValue, NamedBitsValue),
    "BOOLEAN": (bool,),
    "ENUMERATED": (ItemValue,),
    "INTEGER": (int, ItemValue),
    "NULL": (NullValue,),
    "OBJECT IDENTIFIER": (OIDValue,),
    "OCTET STRING": (bytes,),
    "REAL": (RealValue,),
    "RELATIVE-OID": (OIDValue,),
}
# The Python types whose names differ from those of ASN.1; the others are names of derlib.
_PYTHON_NAMES = {
    "BIT STRING": "BitString",
    "BOOLEAN": "bool",
    "CHARACTER STRING": "CharacterString",
    "DATE": "Date",
    "DATE-TIME": "DateTime",
    "DURATION": "Duration",
    "EMBEDDED PDV": "EmbeddedPDV",
    "EXTERNAL": "External",
    "INTEGER": "int",
    "NULL": "Null",
    "OBJECT IDENTIFIER": "ObjectIdentifier",
    "OCTET STRING": "OctetString",
    "OID-IRI": "OIDIRI",
    "REAL": "Real",
    "RELATIVE-OID": "RelativeOID",
    "RELATIVE-OID-IRI": "RelativeOIDIRI",
    "TIME": "ISOTime",
    "TIME-OF-DAY": "TimeOfDay",
}
_TEXT_TYPES = SIMPLE_TYPES - _FORMS.keys() - {"EXTERNAL"}


def character(parser: Cursor) -> str:
    """Return the character of a group, plane, row and cell, or of a column and a row of the ASCII table.

    Raises:
        Problem: there is no such character.
    """
    at = parser.at
    numbers: list[int] = []
    while not parser.at_end():
        numbers.append(int(parser.expect_kind(Kind.NUMBER)))
        skip_comma(parser)
    limits = {4: (127, 255, 255, 255), 2: (7, 15)}.get(len(numbers))
    if limits is None or any(number > limit for number, limit in zip(numbers, limits, strict=True)):
        raise Problem("expected {group, plane, row, cell}, or {column, row} (X.680 41.8)", at)
    code = 0
    for number in numbers:
        code = code * (limits[-1] + 1) + number
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise Problem("Unicode has no such character", at)
    return chr(code)


def forms(base: ResolvedType) -> tuple[type, ...]:
    """Return the Python types that a resolved value of a type can have."""
    match base:
        case Simple(name=name):
            return (str,) if name in _TEXT_TYPES else _FORMS.get(name, ())
        case Numbered(kind=kind):
            return _FORMS[kind]
        case Structure(kind=kind):
            return (ChosenValue,) if kind == "CHOICE" else (ComponentValues,)
        case ListOf():
            return (list,)
        case _:
            return (TypedValue,)


def name_of(base: ResolvedType) -> str:
    """Return the name of a type in messages."""
    match base:
        case Simple(name=name):
            return name
        case Numbered(kind=kind) | Structure(kind=kind):
            return kind
        case ListOf(kind=kind):
            return f"{kind} OF"
        case _:
            return "an open type"


def python_name(name: str) -> str:
    """Return the Python name of a type without parts, by its ASN.1 name."""
    return _PYTHON_NAMES.get(name, name)


def is_relative(base: ResolvedType) -> bool:
    """Return whether a type is RELATIVE-OID."""
    return isinstance(base, Simple) and base.name == "RELATIVE-OID"


def check_first_arcs(arcs: tuple[int, ...], at: Place) -> None:
    """Raise Problem if an OBJECT IDENTIFIER cannot begin with these arcs (X.660 A)."""
    if len(arcs) < 2 or arcs[0] > 2 or (arcs[0] < 2 and arcs[1] > 39):
        found = ".".join(map(str, arcs[:2]))
        raise Problem(f"expected the first arcs 0.0 to 0.39, 1.0 to 1.39 or 2.n, found {found} (X.660 A)", at)


def skip_comma(parser: Cursor) -> None:
    """Move on over a comma, unless the braces end.

    Raises:
        Problem: something else is next.
    """
    if not parser.skip(",") and not parser.at_end():
        parser.fail("',' or '}'")

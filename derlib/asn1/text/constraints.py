"""Constraints in ASN.1 notation (X.680 50 and 51)."""

from __future__ import annotations

import derlib
from derlib import inspect
from derlib.asn1.text.names import component_identifier
from derlib.asn1.text.values import TypeText, character_text, quoted, value_text
from derlib.inspect import (
    AlphabetConstraint,
    ChoiceType,
    ComponentConstraint,
    ComponentsConstraint,
    ConstraintInfo,
    ContainingType,
    ElementsConstraint,
    ExceptConstraint,
    IntersectionConstraint,
    Kind,
    ListType,
    RangeConstraint,
    SizeConstraint,
    StructureType,
    TypeInfo,
    UnionConstraint,
    ValuesConstraint,
)

__all__ = ["constraint_text", "interval"]

_UNIVERSAL = {name: number for number, name in inspect.universal_types().items()}
#: The universal type with the same contents.
_CONTENTS = {
    Kind.NAMED_INTEGER: "INTEGER",
    Kind.NAMED_BITS: "BIT STRING",
    Kind.LATIN1_STRING: "GeneralString",
    Kind.OBJECT_IDENTIFIER: "OBJECT IDENTIFIER",
}


def interval(low: int | None, high: int | None, lowest: int | None = None) -> str:
    """Return a range; `lowest` is the value that MIN means."""
    if low == high and low is not None:
        return str(low)
    return f"{'MIN' if low is None or (low == lowest and low) else low}..{'MAX' if high is None else high}"


def constraint_text(constraint: ConstraintInfo, info: TypeInfo, type_text: TypeText) -> str:
    """Return a constraint on a type, without the parentheses around it.

    Raises:
        ValueError: the constraint has a value without a notation.
    """
    match constraint:
        case RangeConstraint():
            return interval(constraint.low, constraint.high)
        case SizeConstraint():
            return f"SIZE ({interval(constraint.low, constraint.high)})"
        case AlphabetConstraint():
            return f"FROM ({' | '.join(_characters(low, high, info.kind) for low, high in constraint.ranges)})"
        case ValuesConstraint():
            return " | ".join(_value(octets, info, type_text) for octets in constraint.encodings)
        case IntersectionConstraint():
            return " ^ ".join(_nested(part, info, type_text) for part in constraint.parts)
        case UnionConstraint():
            return " | ".join(_nested(part, info, type_text) for part in constraint.parts)
        case ExceptConstraint():
            return f"ALL EXCEPT ({constraint_text(constraint.part, info, type_text)})"
        case ElementsConstraint():
            assert isinstance(info, ListType)
            return f"WITH COMPONENT ({constraint_text(constraint.part, info.element, type_text)})"
        case ComponentsConstraint():
            assert isinstance(info, (StructureType, ChoiceType))
            parts = (_component(part, info, type_text) for part in constraint.parts)
            return f"WITH COMPONENTS {{ ..., {', '.join(parts)} }}"
    raise AssertionError(constraint)


def _nested(constraint: ConstraintInfo, info: TypeInfo, type_text: TypeText) -> str:
    return f"({constraint_text(constraint, info, type_text)})"


def _component(part: ComponentConstraint, info: StructureType | ChoiceType, type_text: TypeText) -> str:
    parts = info.components if isinstance(info, StructureType) else info.alternatives
    component = parts[part.number]
    words = [component_identifier(component.name, choice=isinstance(info, ChoiceType))]
    if part.part is not None:
        words.append(_nested(part.part, component.type, type_text))
    if part.presence is not None:
        words.append(part.presence.upper())
    return " ".join(words)


def _characters(low: int, high: int, kind: Kind) -> str:
    return _character(low, kind) if low == high else f"{_character(low, kind)}..{_character(high, kind)}"


def _character(code: int, kind: Kind) -> str:
    """Return a character as a cstring, or by its place in a table if it cannot be printed."""
    return quoted(chr(code)) if 32 <= code < 127 else character_text(code, kind)


def _value(octets: bytes, info: TypeInfo, type_text: TypeText) -> str:
    """Return a single value, given its contents octets, or for a CHOICE its encoding."""
    if info.kind is Kind.CHOICE:
        value = info.cls.decode(octets)
        return value_text(info, value, b"", type_text)
    if isinstance(info, ContainingType):
        return value_text(info, None, octets, type_text)
    number = _UNIVERSAL[_CONTENTS.get(info.kind, info.kind.value)]
    length = len(octets)
    identifier = bytes([number]) if number < 31 else bytes([31, number])
    header = bytes([length]) if length < 128 else bytes([0x82, length >> 8, length & 255])
    value = derlib.parse(identifier + header + octets, tolerate=~derlib.Deviation(0)).value
    if info.kind is Kind.NAMED_BITS:
        return f"'{''.join('01'[bit] for bit in value)}'B"
    return value_text(info, value, octets, type_text)

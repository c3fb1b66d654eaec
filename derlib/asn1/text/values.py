"""Values in ASN.1 notation (X.680 to X.683), for defaults and constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, time
from itertools import groupby
from math import frexp
from typing import Any

import derlib
from derlib import (
    TLV,
    BitString,
    ExactReal,
    IA5String,
    NamedBits,
    Null,
    ObjectIdentifier,
    OctetString,
    PrintableString,
    UnrepresentableError,
    UTF8String,
    inspect,
)
from derlib._brief import brief
from derlib._core import OPAQUE
from derlib._schema.open_types import key_of
from derlib.asn1.text.names import component_identifier, item_identifier
from derlib.errors import format_path
from derlib.inspect import (
    ChoiceType,
    ContainingType,
    ExplicitType,
    Kind,
    ListType,
    OpenType,
    StructureType,
    TypeInfo,
)

__all__ = ["NotationError", "character_text", "members_of", "quoted", "value_text"]

_NUMBERED = (Kind.NAMED_INTEGER, Kind.ENUMERATED)
_STRINGS = (
    Kind.UTF8_STRING,
    Kind.NUMERIC_STRING,
    Kind.PRINTABLE_STRING,
    Kind.IA5_STRING,
    Kind.VISIBLE_STRING,
    Kind.LATIN1_STRING,
    Kind.BMP_STRING,
    Kind.UNIVERSAL_STRING,
)
_TIMES = (Kind.UTC_TIME, Kind.GENERALIZED_TIME)
_ISO_TIMES = (
    Kind.TIME,
    Kind.DATE,
    Kind.TIME_OF_DAY,
    Kind.DATE_TIME,
    Kind.DURATION,
)

_SEQUENCE = 16
#: Types that elements of unknown types can have in values, by their tags.
_UNIVERSAL: dict[int, Any] = {
    1: bool,
    2: int,
    3: BitString,
    4: OctetString,
    5: Null,
    6: ObjectIdentifier,
    12: UTF8String,
    19: PrintableString,
    22: IA5String,
}

#: Returns the notation of a type, for a value of an open type.
TypeText = Callable[[TypeInfo], str]


class NotationError(ValueError):
    """A value has no notation. The message begins with the path to the value.

    Attributes:
        path: the name of the type, and component names and indexes down to the value, as in `DecodeError`.
        detail: the message without the path.
    """

    def __init__(self, detail: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(detail, path)
        self.detail = detail
        self.path = path

    def __str__(self) -> str:
        return f"{format_path(self.path)}: {self.detail}"

    @classmethod
    @contextmanager
    def at(cls, *steps: str | int) -> Iterator[None]:
        """Raise each ValueError as a `NotationError`, with these steps at the start of the path."""
        try:
            yield
        except cls as error:
            raise cls(error.detail, (*steps, *error.path)) from None
        except ValueError as error:
            raise cls(str(error), steps) from None


def value_text(info: TypeInfo, value: Any, raw: bytes, type_text: TypeText) -> str:
    """Return a value in ASN.1 notation.

    Args:
        info: its type.
        value: the value, as derlib returns it.
        raw: its contents octets.
        type_text: returns the notation of a type.

    Raises:
        ValueError: the value has no notation, such as an element of an unknown type.
    """
    if hasattr(value, "to_native"):
        _check_types(value.to_native())
    return _text(info, value, raw, type_text)


def _check_types(native: Any) -> None:
    """Raise ValueError if a part of a value, also inside a string, is opaque because it is not of its type.

    The object set and the component that selects the type require it (X.682 10).
    """
    if isinstance(native, dict):
        if native.keys() == {OPAQUE}:
            found = brief(native[OPAQUE])
            raise ValueError(f"derlib cannot write {found}, which is not of its type, in ASN.1 notation (X.682 10)")
        for name, part in native.items():
            with NotationError.at(name):
                _check_types(part)
    elif isinstance(native, list):
        for number, part in enumerate(native):
            with NotationError.at(number):
                _check_types(part)


def _text(info: TypeInfo, value: Any, raw: bytes, type_text: TypeText) -> str:
    """Return the notation of a value, or a part of one, whose parts are of their types."""
    if isinstance(info, ExplicitType):
        return _text(info.type, value, raw, type_text)
    if isinstance(info, StructureType):
        return _structure_text(info, value, type_text)
    if isinstance(info, ListType):
        return _braces(_elements(info, value, type_text))
    if isinstance(info, ChoiceType) and info.kind is Kind.CHOICE and value.alternative is not None:
        [chosen] = [part for part in info.alternatives if part.name == value.alternative]
        with NotationError.at(chosen.name):
            text = _text(chosen.type, value.value, _raw(value, value.alternative), type_text)
        return f"{component_identifier(chosen.name, choice=True)} : {text}"
    if isinstance(info, ContainingType) or info.kind in (Kind.OPEN_OCTETS, Kind.OPEN_BITS):
        return _octets_text(info, raw)
    return _leaf_text(info, value, raw)


def _elements(info: ListType, value: Any, type_text: TypeText) -> Iterator[str]:
    for number in range(len(value)):
        with NotationError.at(number):
            text = _text(info.element, _part(value, number), _raw(value, number), type_text)
        yield text


def _octets_text(info: TypeInfo, raw: bytes) -> str:
    """Return a string that contains an encoding. A BIT STRING begins with the number of unused bits, which is 0."""
    octets = raw if info.kind in (Kind.OCTET_STRING, Kind.OPEN_OCTETS) else raw[1:]
    if isinstance(info, OpenType):
        # An opaque value can have any octets or bits, but CONTAINING requires an encoding (X.682 11).
        _check_encoding(octets, unused_bits=0 if octets is raw else raw[0])
    return f"'{octets.hex().upper()}'H"


def _check_encoding(octets: bytes, unused_bits: int) -> None:
    """Raise ValueError if the contents of a string are not an encoding."""
    try:
        derlib.parse(octets)
    except derlib.ASN1Error as error:
        # Without the remedy, which is for decoding.
        reason = str(error).split("; ")[0]
    else:
        if not unused_bits:
            return
        reason = f"it has {len(octets) * 8 - unused_bits} bits"
    message = f"derlib cannot write {brief(octets)}, which is not an encoding, after CONTAINING (X.682 11): {reason}"
    raise ValueError(message)


def _leaf_text(info: TypeInfo, value: Any, raw: bytes) -> str:
    kind = info.kind
    if kind is Kind.BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind in _NUMBERED:
        names = {number: name for name, number in members_of(info.cls).items()}
        if kind is Kind.ENUMERATED and int(value) not in names:
            raise ValueError(f"derlib cannot write {int(value)}, an unknown item of {info.name}, in ASN.1 notation")
        return names.get(int(value), str(int(value)))
    if kind is Kind.INTEGER:
        return str(int(value))
    if kind is Kind.NAMED_BITS:
        known = members_of(info.cls).values()
        bits = [bool(value >> number & 1) for number in range(value.bit_length())]
        if any(bit and number not in known for number, bit in enumerate(bits)):
            return f"'{''.join('01'[bit] for bit in bits)}'B"
        return _braces(map(item_identifier, value.names))
    if kind is Kind.BIT_STRING:
        return f"'{bin(int.from_bytes(b'1' + value.bytes, 'big'))[2:][6:][: len(value)]}'B"
    if kind is Kind.OCTET_STRING:
        return f"'{bytes(value).hex().upper()}'H"
    if kind is Kind.NULL:
        return "NULL"
    if kind in (Kind.OBJECT_IDENTIFIER, Kind.RELATIVE_OID):
        return f"{{{value.dotted.replace('.', ' ')}}}"
    if kind in _STRINGS:
        return _string_text(str(value), kind)
    if kind in (Kind.OID_IRI, Kind.RELATIVE_OID_IRI):
        # Their notation has no braces (X.680 34.3).
        return quoted(str(value))
    if kind in _ISO_TIMES:
        return quoted(value.isoformat() if isinstance(value, (date, time)) else str(value))
    if kind in _TIMES:
        return quoted(raw.decode("ascii"))
    if kind is Kind.REAL:
        return _real_text(value)
    raise ValueError(f"derlib cannot write this value of {info.name} in ASN.1 notation")


def _structure_text(info: StructureType, value: Any, type_text: TypeText) -> str:
    """Return the components that are present and have no default value."""
    if value.unknown_additions:
        raise ValueError(f"derlib cannot write a value of {info.name} with unknown additions in ASN.1 notation")
    parts: list[str] = []
    for component in info.components:
        part = _part(value, component.name)
        if part is None or (component.default_encoding is not None and part == component.default):
            continue
        with NotationError.at(component.name):
            if isinstance(component.type, OpenType):
                text = _open_text(component.type, value, part, _raw(value, component.name), type_text)
            else:
                text = _text(component.type, part, _raw(value, component.name), type_text)
        parts.append(f"{component_identifier(component.name)} {text}")
    return _braces(parts)


def _open_text(info: OpenType, holder: Any, value: Any, raw: bytes, type_text: TypeText) -> str:
    """Return a value of an open type, which begins with its type."""
    selected = holder
    for name in info.selector:
        selected = getattr(selected, name)
    if info.kind is not Kind.OPEN:
        return _octets_text(info, raw)
    entry = info.entries().get(key_of(selected)) if info.selector and selected is not None else None
    if entry is None:
        return " : ".join(_unknown_text(value))
    type_ = type_text(entry.type)
    if type_.startswith("["):
        raise ValueError(f"derlib cannot write a value of the type {type_:.60} in ASN.1 notation")
    return f"{type_} : {_text(entry.type, value, raw, type_text)}"


def _unknown_text(value: Any) -> tuple[str, str]:
    """Return the notation of a type for an element of an unknown type, and of the value."""
    if isinstance(value, TLV) and value.tag.tag_class == "universal":
        if value.tag.number in _UNIVERSAL and not value.tag.constructed:
            info = inspect.type_info(_UNIVERSAL[value.tag.number])
            return info.kind.value, value_text(info, value.value, bytes(value.content), lambda _: "")
        if value.tag.number == _SEQUENCE:
            parts = [(f"part{number}", *_unknown_text(part)) for number, part in enumerate(value, 1)]
            fields = _braces(f"{name} {type_}" for name, type_, _ in parts)
            return f"SEQUENCE {fields}", _braces(f"{name} {text}" for name, _, text in parts)
    raise ValueError(f"derlib cannot write {value!r:.60} in ASN.1 notation, because its type is unknown")


def members_of(cls: Any) -> dict[str, int]:
    """Return the numbers of an enumeration, or of named bits, by identifier."""
    bits = issubclass(cls, NamedBits)
    return {
        item_identifier(name): int(member).bit_length() - 1 if bits else int(member)
        for name, member in cls.__members__.items()
    }


def _string_text(text: str, kind: Kind) -> str:
    """Return a cstring, or a list of cstrings and characters that cannot be printed (X.680 41.8).

    X.680 has no notation for control characters in strings of registered character sets, such as ObjectDescriptor. For
    them, quadruples mean octets, as the compiler of derlib reads them.
    """
    if text.isprintable():
        return quoted(text)
    runs = groupby(text, str.isprintable)
    parts = ([quoted("".join(run))] if printable else [character_text(ord(one), kind) for one in run]
             for printable, run in runs)  # fmt: skip
    return _braces(part for run in parts for part in run)


def character_text(code: int, kind: Kind) -> str:
    """Return a character by its place in the table of its type: a tuple for IA5String, otherwise a quadruple."""
    if kind is Kind.IA5_STRING:
        return f"{{{code >> 4}, {code & 15}}}"
    return f"{{{code >> 24}, {code >> 16 & 255}, {code >> 8 & 255}, {code & 255}}}"


def quoted(text: str) -> str:
    """Return text as a cstring (X.680 12.14)."""
    return '"' + text.replace('"', '""') + '"'


def _real_text(value: float) -> str:
    """Return a number of base 10 in decimal notation, and one of base 2 with its parts (X.680 21.6)."""
    if value != value:
        return "NOT-A-NUMBER"
    if isinstance(value, ExactReal):
        if value.base == 10:
            return str(value.decimal).replace("E+", "E")
        mantissa, exponent = value.mantissa, value.exponent
    elif not value:
        return repr(value)
    elif value in (float("inf"), float("-inf")):
        return "PLUS-INFINITY" if value > 0 else "MINUS-INFINITY"
    else:
        fraction, exponent = frexp(value)
        mantissa, denominator = fraction.as_integer_ratio()
        exponent -= denominator.bit_length() - 1
    return f"{{ mantissa {mantissa}, base 2, exponent {exponent} }}"


def _braces(parts: Any) -> str:
    inner = ", ".join(parts)
    return f"{{ {inner} }}" if inner else "{ }"


def _part(holder: Any, step: str | int) -> Any:
    """Return a part; None for a time that Python cannot represent, whose text is in its contents octets."""
    try:
        return holder[step] if isinstance(step, int) else getattr(holder, step)
    except UnrepresentableError:
        return ""


def _raw(holder: Any, step: str | int) -> bytes:
    found = holder.raw(step)
    return b"" if found is None else bytes(found)

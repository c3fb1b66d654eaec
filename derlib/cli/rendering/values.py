"""Values of the schema layer as text and as JSON.

`one_level` takes one level of a value apart; the writers of text and of JSON continue from there. It uses only the
public names of views, so a new schema needs no change here.
"""

from __future__ import annotations

import enum
import ipaddress
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeGuard

import derlib
from derlib import BitString, Choice, ObjectIdentifier
from derlib._brief import on_one_line
from derlib.cli.documents.paths import Path, read_field
from derlib.cli.output.escapes import clip, printable, visible
from derlib.cli.rendering.octets import bytes_text, characters, has_fixed_size, has_text
from derlib.errors import format_path
from derlib.oids import usual_name_of

if TYPE_CHECKING:
    from derlib.schemas import x509

__all__ = [
    "MAX_CHARACTERS",
    "MAX_DIGITS",
    "EscapedText",
    "hexadecimal",
    "inline",
    "is_name",
    "json_leaf",
    "lines",
    "named_value",
    "oid_text",
    "one_level",
    "path_text",
    "text_leaf",
    "time_text",
]

#: The longest text that is shown in full in text.
MAX_CHARACTERS = 400

#: The longest integer in hexadecimal that is shown in full in text, in characters.
MAX_DIGITS = 80

#: Named bits are a list in JSON up to this number of bits, else a number. RFC 5280 names at most nine.
_MAX_LISTED_BITS = 32

#: JSON readers agree on integers up to this absolute value (RFC 8259 section 6).
_MAX_EXACT = (1 << 53) - 1

#: At most this many steps at either end of a path are shown.
_MAX_STEPS = 24


class Address(bytes):
    """The bytes of an iPAddress. Text and JSON show the address."""


class EscapedText(str):
    """Text for people that is made of texts of leaves, so that it is escaped and shortened already."""


class SerialNumber(int):
    """A serial number. Text shows it in hexadecimal, as every other program does."""


def one_level(value: object) -> object:
    """Return a dict (fields, or the alternative of a CHOICE), an iterator (elements), or `value` if it is a leaf.

    Absent fields are omitted. Unknown additions are the last member, and the name of an unknown alternative is its tag.
    A Name is a leaf.
    """
    if isinstance(value, (str, int, bytes, dict, derlib.TLV)) or value is None:
        return value
    if isinstance(value, Choice):
        return value if is_name(value) else _alternative(value)
    if isinstance(value, (derlib.Sequence, derlib.Set)):
        return _fields(value)
    if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        return _elements(value)
    return value


def json_leaf(value: object) -> object:
    """Return a leaf in JSON's types: bytes are hexadecimal, IP addresses are text as for people, times ISO 8601, large
    integers "0x..."."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, derlib.TLV):
        return {"der": value.der.hex()}
    if isinstance(value, derlib.NamedBits):
        # A short BIT STRING must not become a long list.
        return list(value.names) if value.bit_length() <= _MAX_LISTED_BITS else f"{int(value):#x}"
    if isinstance(value, enum.Enum) and value.name in type(value).__members__:
        return value.name
    if isinstance(value, int):
        # Also the number of an enumeration that has no name.
        return int(value) if -_MAX_EXACT <= value <= _MAX_EXACT else hexadecimal(value)
    if isinstance(value, Address):
        return _address(value) or value.hex()
    if isinstance(value, (bytes, memoryview)):
        return value.hex()
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, ObjectIdentifier):
        return {"oid": value.dotted, "name": usual_name_of(value)}
    if isinstance(value, BitString):
        return {"hex": value.bytes.hex(), "unused_bits": value.unused_bits}
    if is_name(value):
        return str(value)
    if isinstance(value, derlib.Null):
        return None
    return str(value)


def text_leaf(value: object) -> str:
    """Return a leaf on one line; a long one is shortened."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, EscapedText):
        return value
    if isinstance(value, derlib.NamedBits):
        return str(value) or "none"
    if isinstance(value, enum.Enum):
        return str(value)
    if isinstance(value, SerialNumber):
        return clip(hexadecimal(value), MAX_DIGITS)
    if isinstance(value, int):
        return _integer_text(value)
    if isinstance(value, Address):
        return _address(value) or bytes_text(value)
    if isinstance(value, (bytes, memoryview)):
        return bytes_text(value)
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, ObjectIdentifier):
        return oid_text(value)
    if isinstance(value, BitString):
        return f"{len(value)} bits {bytes_text(value.bytes)}"
    if is_name(value):
        return clip(visible(value.display()), MAX_CHARACTERS) or "(empty)"
    if isinstance(value, derlib.Null):
        return "NULL"
    if isinstance(value, derlib.TLV):
        return f"(opaque) {bytes_text(value.der)}"
    return clip(printable(str(value)), MAX_CHARACTERS)


def lines(value: object, level: Callable[[object], object] = one_level, text: bool = False) -> Iterator[str]:
    """Yield `value` as indented lines: `field: leaf` for fields, `- leaf` for elements.

    An element that is not a leaf begins on the line of its hyphen. `level` takes one level of a value apart. With
    `text`, OCTET STRINGs can be text, as in `has_text`.
    """
    holder: Any = type(value)  # For mypy, a class is not hashable.
    value = level(value)
    if not isinstance(value, (dict, Iterator)):
        yield _octets_or_leaf(value, text)
        return
    # A list instead of nested generators: those would use the C stack, for each level and each line.
    levels = [(_labelled(value), holder, has_text(holder, text))]
    hyphens = 0  # of elements that begin on the next line
    while levels:
        parts, holder, text = levels[-1]
        label, part = next(parts, (None, None))
        if label is None:
            levels.pop()
            continue
        start = "  " * (len(levels) - 1 - hyphens) + "- " * hyphens
        cls: Any = type(part)
        part = level(part)
        inside = _labelled(part) if isinstance(part, (dict, Iterator)) else iter(())
        first = next(inside, None)
        if first is None:
            is_text = text and type(part) is bytes and not has_fixed_size(holder, label.removesuffix(":"))
            shown = "(empty)" if isinstance(part, (dict, Iterator)) else _octets_or_leaf(part, is_text)
            yield f"{start}{label} {shown}"
            hyphens = 0
            continue
        if label == "-":
            hyphens += 1
        else:
            yield start + label
            hyphens = 0
        levels.append((chain([first], inside), cls, has_text(cls, text)))


def _octets_or_leaf(value: object, text: bool) -> str:
    """Return a leaf on one line; with `text`, the characters of bytes that are text."""
    return (text and type(value) is bytes and characters(value)) or text_leaf(value)


def inline(value: object, longest: int = 160) -> str:
    """Return the lines of `value` on one line, cut after `longest` characters."""
    return on_one_line(lines(value), longest)


def named_value(step: str | int, value: Any) -> Any:
    """Return the value of a field; a serial number as a `SerialNumber`, an iPAddress as an `Address`."""
    if step == "ip_address" and isinstance(value, bytes):
        return Address(value)
    if isinstance(value, int) and isinstance(step, str) and ("serial" in step or step == "user_certificate"):
        return SerialNumber(value)
    return value


def path_text(path: Path) -> str:
    """Return `path` as text; the middle of a long path is omitted."""
    if len(path) > 2 * _MAX_STEPS:
        path = (*path[:_MAX_STEPS], "...", *path[-_MAX_STEPS:])
    return visible(format_path(path))


def time_text(value: datetime) -> str:
    """Return a time in ISO 8601, with Z for UTC."""
    return value.isoformat().replace("+00:00", "Z")


def hexadecimal(value: int) -> str:
    """Return an integer in hexadecimal with an even number of digits, such as 0x0a."""
    digits = f"{abs(value):x}"
    return f"{'-' if value < 0 else ''}0x{'0' * (len(digits) % 2)}{digits}"


def oid_text(value: ObjectIdentifier) -> str:
    """Return the name of an object identifier, or its numbers if it has no name."""
    return clip(printable(value.name), MAX_CHARACTERS)


def _labelled(value: dict[str, Any] | Iterator[Any]) -> Iterator[tuple[str, Any]]:
    """Return the parts of one level with their labels."""
    if isinstance(value, dict):
        return ((f"{name}:", part) for name, part in value.items())
    return (("-", part) for part in value)


def _fields(value: derlib.Sequence | derlib.Set) -> dict[str, object]:
    found: dict[str, object] = {}
    for field in derlib.fields(type(value)):
        part = read_field(value, field.name)
        if part is not None:
            found[field.name] = named_value(field.name, part)
    if value.unknown_additions:
        found["unknown_additions"] = iter(value.unknown_additions)
    return found


def _alternative(value: Choice) -> dict[str, object]:
    if value.alternative is None:
        return {str(value.value.tag): value.value}
    return {value.alternative: named_value(value.alternative, read_field(value, value.alternative))}


def _elements(value: derlib.SequenceOf[object] | derlib.SetOf[object]) -> Iterator[object]:
    return (read_field(value, index) for index in range(len(value)))


def is_name(value: object) -> TypeGuard[x509.Name]:
    """Return whether `value` is a Name. This does not import the schemas: `dump` would start slowly."""
    schemas = sys.modules.get("derlib.schemas.x509")
    return schemas is not None and isinstance(value, schemas.Name)


def _integer_text(value: int) -> str:
    """Return an integer in decimal up to 64 bits, else in hexadecimal; a long one is shortened."""
    if value.bit_length() <= 64:
        return f"{int(value)}"
    return clip(hexadecimal(value), MAX_DIGITS)


def _address(value: bytes) -> str:
    """Return an iPAddress: an address (RFC 5280 4.2.1.6), or an address and its mask (4.2.1.10); empty for others."""
    half = len(value) // 2
    if len(value) in (4, 16):
        return str(ipaddress.ip_address(value))
    if len(value) in (8, 32):
        return f"{ipaddress.ip_address(value[:half])}/{ipaddress.ip_address(value[half:])}"
    return ""

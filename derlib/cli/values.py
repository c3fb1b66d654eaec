"""How a decoded value is shown: taken apart for both forms, its leaves as text or as JSON.

`shape` opens one level of any value of the schema layer; the writers of text and of JSON walk on
from there. It knows views by their public names only, so that a new schema needs nothing here.
"""

from __future__ import annotations

import enum
import ipaddress
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeGuard

import derlib
from derlib import BitString, Choice, ObjectIdentifier, UnrepresentableError
from derlib.cli.output import clip, printable, visible

if TYPE_CHECKING:
    from derlib.schemas import x509

__all__ = [
    "MOST_CHARACTERS",
    "inline",
    "integer_text",
    "json_leaf",
    "lines",
    "member",
    "octets_text",
    "oid_text",
    "shape",
    "text_leaf",
    "time_text",
]

#: What is shown of a string of octets and of one of characters, in the text for people.
_MOST_OCTETS = 32
MOST_CHARACTERS = 400

#: Named bits are a list in JSON up to so many bits, else a number. RFC 5280 names nine at most.
_MOST_LISTED_BITS = 32

#: What is shown of an integer in hexadecimal.
_MOST_DIGITS = 80

#: JSON numbers are sound between these two in every reader (RFC 8259 section 6).
_EXACT = (1 << 53) - 1


class Address(bytes):
    """The octets of an iPAddress: text shows the address, JSON the octets."""


class Unread(str):
    """The contents octets of a value that Python's type cannot hold, as the text that they are."""


def shape(value: object) -> object:
    """One level of `value`: a dict (fields, the alternative of a CHOICE), an iterator, or a leaf.

    Absent fields are left out. A Name is a leaf.
    """
    if isinstance(value, (str, int, bytes, dict, derlib.TLV)) or value is None:
        return value
    if isinstance(value, Choice):
        return value if _is_name(value) else _arm(value)
    if isinstance(value, (derlib.Sequence, derlib.Set)):
        return _fields(value)
    if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        return _elements(value)
    return value


def json_leaf(value: object) -> object:
    """A leaf in JSON's types: octets are hexadecimal, times ISO 8601, large integers "0x..."."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, derlib.TLV):
        return {"der": value.der.hex()}
    if isinstance(value, derlib.NamedBits):
        # A short string must not stand for a long list.
        return list(value.names) if value.bit_length() <= _MOST_LISTED_BITS else f"{int(value):#x}"
    if isinstance(value, enum.Enum) and value.name in type(value).__members__:
        return value.name
    if isinstance(value, int):
        # Of an enumeration too, where the number has no name.
        return int(value) if -_EXACT <= value <= _EXACT else f"{value:#x}"
    if isinstance(value, (bytes, memoryview)):
        return value.hex()
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, ObjectIdentifier):
        return {"oid": value.dotted, "name": value.name}
    if isinstance(value, BitString):
        return {"hex": value.bytes.hex(), "unused_bits": value.unused_bits}
    if _is_name(value):
        return str(value)
    if isinstance(value, derlib.Null):
        return None
    return str(value)


def text_leaf(value: object) -> str:
    """A leaf on one line, for people; long ones are cut."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, derlib.NamedBits):
        return str(value) or "none"
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, int):
        return integer_text(value)
    if isinstance(value, Address):
        return _address_text(value)
    if isinstance(value, (bytes, memoryview)):
        return octets_text(value)
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, ObjectIdentifier):
        return oid_text(value)
    if isinstance(value, BitString):
        return f"{len(value)} bits {octets_text(value.bytes)}"
    if _is_name(value):
        return clip(visible(str(value)), MOST_CHARACTERS)
    if isinstance(value, derlib.Null):
        return "NULL"
    if isinstance(value, derlib.TLV):
        return f"(opaque) {octets_text(value.der)}"
    return clip(printable(str(value)), MOST_CHARACTERS)


def lines(value: object) -> Iterator[str]:
    """`value` as indented lines: `field: leaf` for fields, `- leaf` for elements."""
    value = shape(value)
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _labelled(f"{name}:", "  ", member)
    elif isinstance(value, Iterator):
        for element in value:
            yield from _labelled("-", "  ", element)
    else:
        yield text_leaf(value)


def inline(value: object, longest: int = 160) -> str:
    """The lines of `value` on one line, which is not much longer than `longest`."""
    found = ""
    for line in lines(value):
        found += ("; " if found else "") + line.strip()
        if len(found) > longest:
            return found[:longest] + "..."
    return found


def member(holder: Any, step: str | int) -> Any:
    """A field, an element or the alternative of `holder`; None for a field that is left out.

    Legal DER that Python's type cannot hold, such as a time in the year 0000, is the text that stands there.
    """
    try:
        if isinstance(step, int):
            return holder[step]
        return holder.value if isinstance(holder, Choice) else getattr(holder, step)
    except UnrepresentableError:
        octets = bytes(holder.raw(step))
        # A time begins with a digit. In a string, here that of an extension, its identifier octet is before it.
        if octets[:1] in (b"\x17", b"\x18"):
            octets = bytes(derlib.parse(octets, tolerate=~derlib.Deviation(0)).content)
        return Unread(octets.decode("latin-1"))


def time_text(value: datetime) -> str:
    """ISO 8601, with Z for UTC."""
    return value.isoformat().replace("+00:00", "Z")


def oid_text(value: ObjectIdentifier) -> str:
    """The name, or the numbers where there is no name."""
    return clip(printable(value.name), MOST_CHARACTERS)


def octets_text(value: bytes | memoryview) -> str:
    """Octets in hexadecimal; of many, the first ones and how many there are."""
    if not value:
        return "(empty)"
    if len(value) <= _MOST_OCTETS:
        return value.hex(":")
    return f"{value[:_MOST_OCTETS].hex(':')}... ({len(value)} octets)"


def _labelled(label: str, indent: str, value: object) -> Iterator[str]:
    """`value` under `label`: on its line when it is a leaf or an element, else below it."""
    opened = shape(value)
    body = lines(value)
    if label == "-" or not isinstance(opened, (dict, Iterator)):
        yield f"{label} {next(body, '(empty)')}"
    else:
        yield label
    yield from (indent + line for line in body)


def _fields(value: derlib.Sequence | derlib.Set) -> dict[str, object]:
    found: dict[str, object] = {}
    for field in derlib.fields(type(value)):
        part = member(value, field.name)
        if part is not None:
            found[field.name] = part
    return found


def _arm(value: Choice) -> dict[str, object]:
    part = member(value, value.alternative)
    return {value.alternative: Address(part) if value.alternative == "ip_address" else part}


def _elements(value: derlib.SequenceOf[object] | derlib.SetOf[object]) -> Iterator[object]:
    return (member(value, index) for index in range(len(value)))


def _is_name(value: object) -> TypeGuard[x509.Name]:
    """Whether it is a Name. No value is one before its module is imported, which takes a while and `dump` needs not."""
    schemas = sys.modules.get("derlib.schemas.x509")
    return schemas is not None and isinstance(value, schemas.Name)


def integer_text(value: int) -> str:
    """An integer on one line, for people: decimal up to 64 bits, then hexadecimal; a long one is cut."""
    if value.bit_length() <= 64:
        return f"{int(value)}"
    return clip(f"{value:#x}", _MOST_DIGITS)


def _address_text(octets: bytes) -> str:
    """RFC 5280 4.2.1.6: 4 or 16 octets of address; 4.2.1.10: as many again of mask."""
    half = len(octets) // 2
    if len(octets) in (4, 16):
        return str(ipaddress.ip_address(octets))
    if len(octets) in (8, 32):
        address, mask = ipaddress.ip_address(octets[:half]), ipaddress.ip_address(octets[half:])
        return f"{address}/{mask}"
    return octets_text(octets)

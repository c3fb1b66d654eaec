"""What certificates and CRLs show in the same way: versions, serial numbers, keys, extensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from derlib import BitString, Choice, ObjectIdentifier
from derlib.cli.output import Output, clip, visible
from derlib.cli.values import MOST_CHARACTERS, json_leaf, lines, member, oid_text, text_leaf, time_text

__all__ = [
    "extensions_json",
    "extensions_text",
    "key_text",
    "row",
    "serial_json",
    "serial_text",
    "time_line",
    "time_of",
    "version_json",
    "version_text",
]

if TYPE_CHECKING:
    from derlib.schemas.x509 import Version

#: What is shown of a number in hexadecimal.
_MOST_DIGITS = 80
#: So many lines are shown of the value of one extension.
_MOST_LINES = 1000

#: The column of the values of a summary.
_LABEL_WIDTH = 16


def row(out: Output, label: str, text: str) -> None:
    """One line of a summary."""
    out.line(f"  {out.style(f'{label}:'.ljust(_LABEL_WIDTH), 'label')}{text}".rstrip())


def version_text(version: Version | None) -> str:
    """v1, v2 or v3; the number where it means none of them."""
    return _known_version(version) or clip(version_json(version), _MOST_DIGITS)


def version_json(version: Version | None) -> str:
    """The same for programs: however long the number is, all of it."""
    return _known_version(version) or f"{json_leaf(version)} (unknown)"


def _known_version(version: Version | None) -> str | None:
    if version is None:
        return "v1"
    return version.name if version.name in type(version).__members__ else None


def serial_text(serial: int) -> str:
    """A serial number in hexadecimal, for people; one that is far longer than those of RFC 5280 4.1.2.2 is cut."""
    return clip(serial_json(serial), _MOST_DIGITS)


def serial_json(serial: int) -> str:
    """The same for programs: all of it."""
    return f"{serial:#x}"


def time_line(holder: Any, field: str) -> str:
    """The time in `field` for people: empty where there is none, cut where it is long."""
    return clip(visible(time_of(holder, field) or ""), MOST_CHARACTERS)


def time_of(holder: Any, field: str) -> str | None:
    """The time in `field`, in ISO 8601; as it is encoded where `datetime` cannot hold it."""
    value = member(holder, field)
    return time_text(value) if isinstance(value, datetime) else value


def key_text(info: Any) -> str:
    """A SubjectPublicKeyInfo in a few words: the algorithm, and the size or curve of the key."""
    words = [oid_text(info.algorithm.algorithm)]
    key, parameters = info.subject_public_key, info.algorithm.parameters
    if isinstance(parameters, Choice) and isinstance(parameters.value, ObjectIdentifier):
        words.append(oid_text(parameters.value))
    modulus = getattr(key, "modulus", None)
    prime = getattr(parameters, "p", None)
    if isinstance(modulus, int):
        words.append(f"{modulus.bit_length()} bits")
        words.append(f"exponent {text_leaf(key.public_exponent)}")
    elif isinstance(prime, int):
        words.append(f"{prime.bit_length()} bits")
    elif isinstance(key, BitString):
        words.append(f"a key of {len(key.bytes)} octets")
    return ", ".join(words)


def extensions_text(out: Output, extensions: Iterable[Any] | None, indent: str) -> None:
    """Each extension under its name: whether it is critical, and its decoded value."""
    for extension in extensions or ():
        name = out.style(oid_text(extension.extn_id), "name")
        critical = out.style(" (critical)", "critical") if extension.critical else ""
        out.line(f"{indent}{name}{critical}")
        rest = lines(member(extension, "extn_value"))
        for text in islice(rest, _MOST_LINES):
            out.line(f"{indent}  {text}")
        if next(rest, None) is not None:
            out.line(f"{indent}  and more (--json has all of it)")


def extensions_json(extensions: Iterable[Any] | None) -> Iterator[object]:
    """The same as objects."""
    for extension in extensions or ():
        yield {
            "oid": extension.extn_id.dotted,
            "name": extension.extn_id.name,
            "critical": extension.critical,
            "value": member(extension, "extn_value"),
        }

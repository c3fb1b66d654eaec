"""The parts that the summaries of certificates and CRLs share: versions, serial numbers, times, keys, extensions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from derlib import BitString, Choice, Null, ObjectIdentifier, parse
from derlib.cli.documents.notes import timestamp_note
from derlib.cli.documents.paths import read_field
from derlib.cli.output.escapes import clip, visible
from derlib.cli.rendering.values import (
    MAX_CHARACTERS,
    MAX_DIGITS,
    EscapedText,
    hexadecimal,
    inline,
    json_leaf,
    lines,
    oid_text,
    one_level,
    text_leaf,
    time_text,
)
from derlib.oids import usual_name_of

__all__ = [
    "extension_value",
    "extensions_json",
    "extensions_text",
    "key_text",
    "row",
    "serial_json",
    "serial_text",
    "signature_text",
    "time_line",
    "time_of",
    "version_json",
    "version_text",
]

if TYPE_CHECKING:
    from derlib.cli.output.standard_output import Output
    from derlib.schemas.x509 import Version

#: The most lines that are shown of the value of one extension.
_MAX_LINES = 1000

#: The width of the column of labels.
_LABEL_WIDTH = 16


def row(out: Output, label: str, text: str) -> None:
    """Write one line of a summary."""
    out.line(f"  {out.style(f'{label}:'.ljust(_LABEL_WIDTH), 'label')}{text}".rstrip())


def version_text(version: Version | None) -> str:
    """Return v1, v2 or v3, or the number of an unknown version, shortened."""
    return _known_version(version) or clip(version_json(version), MAX_DIGITS)


def version_json(version: Version | None) -> str:
    """Return v1, v2 or v3, or the number of an unknown version in full."""
    return _known_version(version) or f"{json_leaf(version)} (unknown)"


def _known_version(version: Version | None) -> str | None:
    if version is None:
        return "v1"
    return version.name if version.name in type(version).__members__ else None


def serial_text(serial: int) -> str:
    """Return a serial number in hexadecimal; one far longer than RFC 5280 4.1.2.2 allows is shortened."""
    return clip(serial_json(serial), MAX_DIGITS)


def serial_json(serial: int) -> str:
    """Return a serial number in hexadecimal, in full."""
    return hexadecimal(serial)


def time_line(holder: Any, field: str) -> str:
    """Return the time in `field` as text: empty if it is absent, shortened if it is long."""
    return clip(visible(time_of(holder, field) or ""), MAX_CHARACTERS)


def time_of(holder: Any, field: str) -> str | None:
    """Return the time in `field` in ISO 8601, or as it is encoded if `datetime` cannot represent it."""
    value = read_field(holder, field)
    return time_text(value) if isinstance(value, datetime) else value


def signature_text(algorithm: Any) -> str:
    """Return the name of a signature algorithm, and its parameters unless they are absent or NULL.

    For RSASSA-PSS, these are the hash functions and the length of the salt.
    """
    name, parameters = oid_text(algorithm.algorithm), algorithm.parameters
    # Of an unknown algorithm, they are a TLV.
    if parameters is None or isinstance(parameters, Null) or parameters == parse(b"\x05\x00"):
        return name
    if not hasattr(parameters, "mask_gen_algorithm"):
        return f"{name}, parameters {inline(parameters)}"
    hashed, mask = parameters.hash_algorithm, parameters.mask_gen_algorithm
    masked = getattr(mask.parameters, "algorithm", None)
    other = "" if masked == hashed.algorithm else f", mask by {oid_text(mask.algorithm)} {inline(mask.parameters)}"
    return f"{name}, {oid_text(hashed.algorithm)}{other}, salt of {text_leaf(parameters.salt_length)} bytes"


def key_text(info: Any) -> str:
    """Return the algorithm of a SubjectPublicKeyInfo, and the curve and the size of its key.

    The size is that of the field of a curve, or of a modulus or prime, in bits. Other keys, such as Ed25519 and those
    on unknown curves, have the size of their encoding in bytes.
    """
    words = [oid_text(info.algorithm.algorithm)]
    key, parameters, size = info.subject_public_key, info.algorithm.parameters, info.size
    if isinstance(parameters, Choice) and isinstance(parameters.value, ObjectIdentifier):
        words.append(oid_text(parameters.value))
    elif isinstance(parameters, Choice) and size is not None:
        words.append("explicit curve")
    if size is not None:
        words.append(f"{text_leaf(size)} bits")
    elif isinstance(key, BitString):
        words.append(f"{len(key.bytes)} bytes")
    if hasattr(key, "public_exponent"):
        words.append(f"exponent {text_leaf(key.public_exponent)}")
    return ", ".join(words)


def extensions_text(
    out: Output, extensions: Iterable[Any] | None, indent: str, level: Callable[[object], object] = one_level
) -> None:
    """Write the name of each extension, whether it is critical, and its decoded value, which `level` takes apart."""
    for extension in extensions or ():
        name = out.style(oid_text(extension.extn_id), "name")
        critical = out.style(" (critical)", "critical") if extension.critical else ""
        out.line(f"{indent}{name}{critical}")
        rest = lines(extension_value(extension), level)
        for text in islice(rest, _MAX_LINES):
            out.line(f"{indent}  {text}")
        if next(rest, None) is not None:
            out.line(f"{indent}  and more{out.remark('--json shows all')}")


def extension_value(extension: Any) -> Any:
    """Return the value of an extension to show: for a list of timestamps, which is not DER, a line for each."""
    note = timestamp_note(extension, "extn_value")
    return map(EscapedText, note.splitlines()) if note else read_field(extension, "extn_value")


def extensions_json(extensions: Iterable[Any] | None) -> Iterator[object]:
    """Yield each extension as a JSON object."""
    for extension in extensions or ():
        yield {
            "oid": extension.extn_id.dotted,
            "name": usual_name_of(extension.extn_id),
            "critical": extension.critical,
            "value": read_field(extension, "extn_value"),
        }

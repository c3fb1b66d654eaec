"""Values in error messages, as text of bounded length.

`repr` is not enough: for an integer of more than 4,300 digits, also inside a list, it raises ValueError
(`sys.set_int_max_str_digits`).
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["brief", "cut", "got", "integer_text", "on_one_line"]

# Integers of at most this many bits are shown in decimal; the digits of longer ones are slow to compute.
DECIMAL_BITS = 256
# The number of leading bits that are shown of longer integers, in hexadecimal.
SHOWN_BITS = 64


def integer_text(value: int) -> str:
    """Return an integer in decimal, or the first hexadecimal digits of a long one with its number of bits.

    >>> integer_text(-5), integer_text(1 << 3000)
    ('-5', '0x10000000000000000... (3001 bits)')
    """
    bits = int.bit_length(value)
    value = int.__index__(value)
    if bits <= DECIMAL_BITS:
        return int.__repr__(value)
    # Drop whole digits, so that the text is a prefix of hex(value).
    shown = abs(value) >> (bits - SHOWN_BITS) // 4 * 4
    return f"{'-' if value < 0 else ''}{shown:#x}... ({bits} bits)"


def brief(value: object, longest: int = 80) -> str:
    """Return the repr of a value, cut after `longest` characters; or its type, if repr fails."""
    if type(value) is int:
        return integer_text(value)
    try:
        text = repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return cut(text, longest)


def cut(text: str, longest: int) -> str:
    """Return a text, or its first `longest` characters and an ellipsis."""
    return text if len(text) <= longest else f"{text[:longest]}..."


def got(value: object) -> str:
    """Return the type of a value and its shortened repr."""
    return "None" if value is None else f"{type(value).__name__} {brief(value)}"


def on_one_line(lines: Iterable[str], longest: int | None = None) -> str:
    """Join lines, after a label with a space, otherwise with a semicolon, and cut after `longest` characters."""
    found = ""
    for line in lines:
        found += (" " if found.endswith(":") else "; " if found else "") + line.strip()
        if longest is not None and len(found) > longest:
            return found[:longest] + "..."
    return found

"""Values in messages: `brief` gives any value a text of bounded length.

Used where the schema language and the options refuse an argument. `repr` alone would not do: that of an integer of
more than 4,300 digits is a ValueError (`sys.set_int_max_str_digits`), and so is that of a list with one in it.
"""

from __future__ import annotations

__all__ = ["brief", "cut", "got", "integer_text"]

# Decimal up to so many bits; longer integers are not read as numbers, and their decimal digits take long to make.
DECIMAL_BITS = 256
# Of longer integers so many bits are shown, in hexadecimal.
SHOWN_BITS = 64


def integer_text(value: int) -> str:
    """An integer for people: decimal, or the first hexadecimal digits of a long one and how many bits it has.

    >>> integer_text(-5), integer_text(1 << 3000)
    ('-5', '0x10000000000000000... (3001 bits)')
    """
    bits = int.bit_length(value)
    value = int.__index__(value)
    if bits <= DECIMAL_BITS:
        return int.__repr__(value)
    # Whole digits are dropped, so that the text is the beginning of hex(value).
    shown = abs(value) >> (bits - SHOWN_BITS) // 4 * 4
    return f"{'-' if value < 0 else ''}{shown:#x}... ({bits} bits)"


def brief(value: object, longest: int = 80) -> str:
    """The repr of a value, not much longer than `longest`; its type where it has no repr."""
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
    """What was given, for a message: its type and its beginning."""
    return "None" if value is None else f"{type(value).__name__} {brief(value)}"

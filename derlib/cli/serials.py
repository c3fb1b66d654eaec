"""Serial numbers on the command line: decimal, hexadecimal with 0x, or octets with colons between them."""

from __future__ import annotations

import re

import click

__all__ = ["Serial", "serial"]

#: RFC 5280 4.1.2.2 knows 20 octets. A longer one may be asked for, but not without end: digits take time, and Python
#: lets users limit them to 640 (sys.set_int_max_str_digits).
_MOST_CHARACTERS = 640

_DECIMAL = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"-?0[xX][0-9A-Fa-f]+")
_OCTETS = re.compile(r"[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{2})+")


class Serial(int):
    """A serial number; `otherwise` is what the digits say as hexadecimal, where they were taken for decimal."""

    otherwise: int | None = None


def serial(value: str) -> Serial:
    """The integer, for an option of click. Colons make it hexadecimal and positive, as openssl writes it."""
    text = value.strip()
    if len(text) > _MOST_CHARACTERS:
        raise click.BadParameter(f"a serial number of {len(text)} characters")
    if _DECIMAL.fullmatch(text):
        found = Serial(text)
        found.otherwise = int(text, 16)
        return found
    if _HEXADECIMAL.fullmatch(text):
        return Serial(text, 16)
    if _OCTETS.fullmatch(text):
        return Serial(text.replace(":", ""), 16)
    raise click.BadParameter(f"{text!a:.80} is not a serial number: write 4097, 0x1001 or 10:01")

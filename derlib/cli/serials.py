"""Serial numbers on the command line: decimal, hexadecimal with 0x, or octets with colons between them."""

from __future__ import annotations

import re

import click

__all__ = ["serial"]

#: RFC 5280 4.1.2.2 knows 20 octets. A longer one may be asked for, but not without end: digits take time.
_MOST_CHARACTERS = 1000

_DECIMAL = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"-?0[xX][0-9A-Fa-f]+")
_OCTETS = re.compile(r"[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{2})+")


def serial(value: str) -> int:
    """The integer, for an option of click. Colons make it hexadecimal and positive, as openssl writes it."""
    text = value.strip()
    if len(text) > _MOST_CHARACTERS:
        raise click.BadParameter(f"a serial number of {len(text)} characters")
    if _DECIMAL.fullmatch(text):
        return int(text)
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if _OCTETS.fullmatch(text):
        return int(text.replace(":", ""), 16)
    raise click.BadParameter(f"{text!a:.80} is no serial number: write 4097, 0x1001 or 10:01")

"""The value of `derlib crl --find`: a serial number in decimal, in hexadecimal, or as bytes separated by colons."""

from __future__ import annotations

import re

import click

__all__ = ["Serial", "parse_serial"]

#: RFC 5280 4.1.2.2 allows 20 bytes. Longer numbers are accepted up to the number of digits that every Python converts
#: (sys.set_int_max_str_digits takes no smaller limit), because the conversion takes quadratic time.
_MAX_CHARACTERS = 640

_DECIMAL = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"-?0[xX][0-9A-Fa-f]+")
_BYTES = re.compile(r"[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{2})+")


class Serial(int):
    """A serial number; `as_hexadecimal` is the value of the same digits in hexadecimal if they were read as decimal."""

    as_hexadecimal: int | None = None


def parse_serial(value: str) -> Serial:
    """Return the serial number. With colons it is hexadecimal and not negative, as openssl writes it."""
    text = value.strip()
    if len(text) > _MAX_CHARACTERS:
        raise click.BadParameter(f"the serial number is {len(text)} characters; the limit is {_MAX_CHARACTERS}")
    if _DECIMAL.fullmatch(text):
        found = Serial(text)
        found.as_hexadecimal = int(text, 16)
        return found
    if _HEXADECIMAL.fullmatch(text):
        return Serial(text, 16)
    if _BYTES.fullmatch(text):
        return Serial(text.replace(":", ""), 16)
    raise click.BadParameter(f"{text!a:.80} is not a serial number: write 4097, 0x1001 or 10:01")

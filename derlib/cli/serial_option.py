"""The values of `derlib crl --find`: serial numbers in the forms in which programs print them."""

from __future__ import annotations

import re

import click

__all__ = ["Serial", "parse_serial"]

#: RFC 5280 4.1.2.2 allows 20 bytes. Longer numbers are accepted up to the number of digits that every Python converts
#: (sys.set_int_max_str_digits takes no smaller limit), because the conversion takes quadratic time.
_MAX_CHARACTERS = 640

_DECIMAL = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"-?(?:0[xX])?[0-9A-Fa-f]+")
#: Bytes with colons, spaces or hyphens between them.
_BYTES = re.compile(r"[0-9A-Fa-f]{1,2}(?:(?::[0-9A-Fa-f]{2})+|(?: [0-9A-Fa-f]{2})+|(?:-[0-9A-Fa-f]{2})+)")
#: What programs print before the number: serial=, Serial Number:, SerialNumber :, Serial Number (hex):
_LABEL = re.compile(r"serial(?: ?number)?(?: \(hex\))? ?[=:]\s*", re.IGNORECASE)
#: How openssl marks the bytes of a negative number.
_NEGATIVE = "(Negative)"
#: The certificate dialog of Windows puts this invisible character before the number.
_LEFT_TO_RIGHT_MARK = "\u200e"
#: A short serial number as `openssl x509 -text` prints it.
_BOTH = re.compile(r"(-?[0-9]+) \((-?0x[0-9A-Fa-f]+)\)")


class Serial(int):
    """A serial number.

    If it was written with decimal digits only, `digits` is this text, and `other` is the value that the digits have in
    the other notation, hexadecimal or decimal.
    """

    digits: str | None = None
    other: int | None = None


def parse_serial(value: str, decimal: bool = False) -> Serial:
    """Return the serial number. Digits alone are hexadecimal, as other programs print them; `decimal` changes this.

    Bytes with colons, spaces or hyphens are not negative, except after the mark of openssl.
    """
    text = value.strip().removeprefix(_LEFT_TO_RIGHT_MARK).strip()
    if len(text) > _MAX_CHARACTERS:
        raise _invalid(f"the serial number is {len(text)} characters; the limit is {_MAX_CHARACTERS}")
    # Web pages have no-break spaces, and programs break lines.
    text = " ".join(text.split())
    if label := _LABEL.match(text):
        text = text[label.end() :]
    if _DECIMAL.fullmatch(text):
        bases = (10, 16) if decimal else (16, 10)
        found = Serial(text, bases[0])
        found.digits, found.other = text, int(text, bases[1])
        return found
    if both := _BOTH.fullmatch(text):
        if int(both[1]) != int(both[2], 16):
            raise _invalid(f"{text!a:.80} has two different numbers")
        return Serial(both[1])
    unsigned = text.removeprefix(_NEGATIVE).strip()
    if _BYTES.fullmatch(unsigned):
        magnitude = int(re.sub("[: -]", "", unsigned), 16)
        return Serial(magnitude if unsigned == text else -magnitude)
    if _HEXADECIMAL.fullmatch(text):
        if decimal and "x" not in text.lower():
            raise _invalid(f"{text!a:.80} is not decimal; omit --decimal, or write 0x before hexadecimal digits")
        return Serial(text, 16)
    raise _invalid(f"{text!a:.80} is not a serial number: write 04602A82, 04:60:2a:82 or 0x04602a82")


def _invalid(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="'--find'")

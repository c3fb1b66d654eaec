"""What BER says about each rule of DER, by the kind of its fault: the column "in BER" of docs/rules.md.

Errors about DER suggest `rules="ber"` for the faults that are converted, and those of the command line `--ber`.
tests/core/test_ber_rules.py compares this table with the conversion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derlib.errors import DecodeError

__all__ = [
    "CONVERT_HINT",
    "HINT",
    "HINTS",
    "IN_BER",
    "KEPT_HINT",
    "PARSE_HINT",
    "rule_of_ber",
    "with_hint",
    "with_other_hint",
]

#: The hint of an error about DER if BER allows what was found; that for the outermost value if its class has
#: `ber="keep"`, because it is converted all the same; that of `parse`; and that of other calls without `rules`. `HINTS`
#: has each in the words of the command line.
HINT = 'decode BER with rules="ber"'
KEPT_HINT = 'rules="ber" reads BER, but changes the bytes that a signature covers'
PARSE_HINT = "derlib.parse_ber reads BER"
CONVERT_HINT = "derlib.ber.convert converts BER to DER"
HINTS = {
    HINT: "--ber reads BER",
    KEPT_HINT: "--ber reads BER, but can change signed bytes",
    PARSE_HINT: "--ber reads BER",
    CONVERT_HINT: "--ber reads BER",
}

#: The DER rules that BER does not have, or has in a weaker form. `rules="ber"` converts a value that violates one.
_CONVERTED = (
    "length-indefinite",
    "length-not-minimal",
    "string-constructed",
    "set-order",
    "set-of-order",
    "any-set-order",
    "default-encoded",
    "boolean-true",
    "bits-padding",
    "bits-named",
    "utc-form",
    "generalized-form",
    "generalized-fraction",
    "time-form",
    "duration-form",
    "real-binary",
    "real-exponent",
    "real-mantissa",
    "real-decimal",
)

#: "converted", or a phrase that names the values that are converted; "not applicable" if the conversion never reports
#: the fault. Every other kind is an error in BER, too.
IN_BER = {
    **dict.fromkeys(_CONVERTED, "converted"),
    # X.690 11.7.5: only DER has one form of midnight.
    "generalized-range": "hour 24 is converted",
    "buffer-changed": "not applicable",
}

#: The clause and the message for contents that are neither DER nor valid in BER.
_INVALID = {
    "utc-form": ("X.680 47.3", "UTCTime {text} is not a date and time YYMMDDhhmm[ss] with Z or an offset"),
    "generalized-form": (
        "X.680 46.2",
        "GeneralizedTime {text} is not a date and time YYYYMMDDhh[mm[ss]][.f] with Z or an offset",
    ),
    "generalized-fraction": ("X.680 46.2", "GeneralizedTime {text} has a fraction without digits"),
    "time-form": ("X.680 38", "TIME {text} is not an ISO 8601 time, duration or interval"),
    "duration-form": ("X.690 8.26.5", "DURATION {text} is not an ISO 8601 duration, without its P"),
    "real-decimal": (
        "X.690 8.5.2, 8.5.8",
        "the decimal REAL {octets} is not a numeral of the form NR1, NR2 or NR3 other than zero",
    ),
}


def rule_of_ber(kind: str, contents: bytes) -> tuple[str, str] | None:
    """Return the clause and message for invalid contents of BER, by the kind of the fault.

    Return None if those of DER are the same.
    """
    if kind not in ("real-binary", "real-exponent", "real-mantissa"):
        return _INVALID.get(kind)
    if contents[:1] and contents[0] & 0x30 == 0x30:
        return "X.690 8.5.7.2", "the base of the binary REAL {octets} is reserved"
    if _has_long_exponent(contents):
        return "X.690 8.5.7.4", "the exponent of REAL {octets} has no octets, or more than it needs"
    return "X.690 8.5.2, 8.5.3", "the mantissa of REAL {octets} is zero"


def _has_long_exponent(contents: bytes) -> bool:
    """Return whether the exponent of a binary REAL has a length of its own, which is invalid (X.690 8.5.7.4 d)."""
    if len(contents) < 2 or contents[0] & 3 < 3:
        return False
    exponent = contents[2 : 2 + contents[1]]
    return not exponent or (len(exponent) > 1 and int.from_bytes(exponent[:2], "big") >> 7 in (0, 0x1FF))


def with_hint(error: DecodeError, hint: str) -> DecodeError:
    """Return the error of a call without the argument `rules`: its hint about BER names another function."""
    return with_other_hint(error, hint) if error.hint == HINT else error


def with_other_hint(error: DecodeError, hint: str) -> DecodeError:
    """Return the error with this hint."""
    made: type[Any] = type(error)
    found: DecodeError = made(*error.args[:-1], hint)
    return found

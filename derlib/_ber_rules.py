"""What BER says about each rule of DER, by the kind of its fault: the column "in BER" of docs/rules.md.

Errors about DER suggest `rules="ber"` for the faults that are converted, and those of the command line `--ber`.
tests/core/test_ber_rules.py compares this table with the conversion.
"""

from __future__ import annotations

__all__ = ["HINT", "IN_BER"]

#: The hint of an error about DER if BER allows what was found.
HINT = 'decode BER with rules="ber"'

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
    "time-form",
    "duration-form",
)

#: "converted", or a phrase that names the values that are converted; "not applicable" if the conversion never reports
#: the fault. Every other kind is an error in BER, too.
IN_BER = {
    **dict.fromkeys(_CONVERTED, "converted"),
    # X.690 11.7.5: only DER has one form of midnight.
    "generalized-range": "hour 24 is converted",
    "buffer-changed": "not applicable",
}

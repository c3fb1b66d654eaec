"""Types whose DER looks like that of other types, and the numbers in it that identify them.

Two INTEGERs can be an RSA public key, DH parameters or a signature. `derlib.identify` finds such a type without its PEM
label only if the numbers fit one of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from derlib.errors import ASN1Error

__all__ = ["look_alike"]

#: The longest DER that is tried: RSA keys and DH parameters have numbers of at most 16,384 bits.
_MAX_LENGTH = 8192
#: The fewest bits of a modulus or a prime.
_MIN_BITS = 512
#: The bits of the order of the subgroup of DSA (FIPS 186-4 section 4.2), and of X9.42 parameters (RFC 5114).
_ORDER_BITS = (160, 224, 256)
#: The bits of a number in a signature, and the most by which two of them differ: one in 2^32 signatures has more.
_MIN_SIGNATURE_BITS, _MAX_SIGNATURE_BITS = 128, 576
_MAX_DIFFERENCE = 32


def look_alike(der: bytes) -> str:
    """Return the name of the `DocumentType` that the numbers in DER identify; empty if there is none."""
    if len(der) > _MAX_LENGTH:
        return ""
    for module, class_name, name_of in _FORMS:
        try:
            value = getattr(import_module(f"derlib.schemas.{module}"), class_name).decode(der)
        except ASN1Error:
            continue
        return name_of(value)
    return ""


def _two_numbers(value: Any) -> str:
    first, second = value.r, value.s
    lengths = sorted((first.bit_length(), second.bit_length()))
    if first <= 0 or second <= 0:
        return ""
    if lengths[0] >= _MIN_SIGNATURE_BITS and lengths[1] <= _MAX_SIGNATURE_BITS:
        return "signature" if lengths[1] - lengths[0] <= _MAX_DIFFERENCE else ""
    if first.bit_length() < _MIN_BITS or not first & 1:
        return ""
    # Exponents of RSA are odd. 3 and 5 are generators of DH, too.
    if second == 2:
        return "dh-parameters"
    return "rsa-public-key" if second & 1 and second > 5 and second.bit_length() <= 64 else ""


def _three_numbers(value: Any) -> str:
    # Whatever the names of DssParms say: X9.42 parameters are p, g, q, and DH parameters p, g and a length in bits.
    p, second, third = value.p, value.q, value.g
    if p.bit_length() < _MIN_BITS or not p & 1 or not (1 < second < p and 1 < third < p):
        return ""
    if second <= 5 and third <= p.bit_length():
        return "dh-parameters"
    if second.bit_length() in _ORDER_BITS:
        return "dsa-parameters"
    return "x942-parameters" if third.bit_length() in _ORDER_BITS or 2 * third + 1 == p else ""


def _curve(value: Any) -> str:
    if value.alternative == "named_curve":
        # The names of curves are registered with their sizes.
        return "ec-parameters" if import_module("derlib.schemas.key_kinds").curve_size(value) is not None else ""
    return "ec-parameters" if value.alternative == "specified_curve" else ""


#: The module and class of each form, and the function that returns the name of the type with these numbers.
_FORMS = (
    ("algorithms", "DssSigValue", _two_numbers),
    ("algorithms", "DssParms", _three_numbers),
    ("curves", "ECParameters", _curve),
)

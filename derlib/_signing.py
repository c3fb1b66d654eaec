"""The signature of a structure that contains what is signed.

Used by `Certificate.signed`, `CertificateList.signed` and the like. derlib has no keys: the caller passes a function
that signs bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from derlib import BitString, ConstraintError, Sequence

T = TypeVar("T", bound=Sequence)


def signature_of(
    value: T, value_type: type[T], sign: Callable[[bytes], Any], check: Callable[[T], None] = lambda value: None
) -> BitString:
    """Return what `sign` returns for the DER of a value, as a BIT STRING. `check` raises an error for an invalid value.

    Raises:
        TypeError: `value` does not have the type `value_type`, `sign` is not callable, or does not return bytes.

    >>> from derlib.schemas.algorithms import RSAPublicKey
    >>> signature_of(RSAPublicKey(modulus=7, public_exponent=3), RSAPublicKey, lambda der: der[:2])
    BitString(b'0\\x06')
    """
    if not isinstance(value, value_type):
        raise TypeError(f"expected {value_type.__name__}, got {type(value).__name__}")
    if not callable(sign):
        raise TypeError(f"sign: expected a function that signs bytes, got {type(sign).__name__}")
    check(value)
    signature = sign(value.encode())
    if not isinstance(signature, (bytes, bytearray, memoryview)):
        raise TypeError(f"sign: expected a function that returns bytes, got {type(signature).__name__}")
    return BitString(signature)


def version_error(found: object, required: object, rule: str) -> ConstraintError:
    """Return the error for extensions in a structure whose version does not have them.

    >>> from derlib.schemas.x509 import Version
    >>> print(version_error(Version.v1, Version.v3, "RFC 5280 4.1.2.1"))
    version: expected v3, because there are extensions (RFC 5280 4.1.2.1), got v1
    """
    error = ConstraintError(f"expected {required}, because there are extensions ({rule}), got {found}")
    error.path = ("version",)
    return error

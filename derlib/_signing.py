"""The signature of a structure that contains what is signed.

Used by `Certificate.signed`, `CertificateList.signed` and the like. derlib has no keys: the caller passes a function
that signs bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derlib import BitString


def signature_of(value: Any, value_type: type[Any], sign: Callable[[bytes], Any]) -> BitString:
    """Return what `sign` returns for the DER of a value, as a BIT STRING.

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
    signature = sign(value.encode())
    if not isinstance(signature, (bytes, bytearray, memoryview)):
        raise TypeError(f"sign: expected a function that returns bytes, got {type(signature).__name__}")
    return BitString(signature)

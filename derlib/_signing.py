"""The signature of a structure that contains what is signed.

Used by `Certificate.signed`, `CertificateList.signed` and the like. derlib has no keys: the caller passes a function
that signs bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derlib import BitString, ConstraintError


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


def require_version(version: Any, required: Any, extensions: object, rule: str) -> None:
    """Raise ConstraintError if there are extensions and the version is not the one that has them.

    >>> from derlib.schemas.x509 import BasicConstraints, Extension, Version
    >>> require_version(Version.v1, Version.v3, [Extension.of(BasicConstraints())], "RFC 5280 4.1.2.1")
    Traceback (most recent call last):
        ...
    derlib.errors.ConstraintError: version: expected v3, because there are extensions (RFC 5280 4.1.2.1), got v1
    """
    if extensions is not None and version != required:
        error = ConstraintError(f"expected {required}, because there are extensions ({rule}), got {version}")
        error.path = ("version",)
        raise error

"""The verdicts of other decoders on single elements: True for accepted, False for rejected, None if not supported.

Called by `test_peers.py`. Each peer reads the element completely, since some are lazy: an error on access counts as a
rejection. `available` omits a peer that is not installed.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import warnings
from collections.abc import Callable
from typing import Any

# The verdict of a peer does not depend on earlier elements; none gets more than one element of 100 kB.
Verdict = bool | None


def asn1crypto(der: bytes) -> Verdict:
    """asn1crypto without a schema, with strict=True; all values are read as native ones."""
    from asn1crypto import core

    # It does not support REAL and TIME, and does not read EXTERNAL, EMBEDDED PDV and CHARACTER STRING.
    if not der or der[0] >> 6 or der[0] & 0x1F in (8, 9, 11, 14, 29, 31):
        return None
    try:
        value = core.load(der, strict=True)
        if not hasattr(value, "native"):
            return None
        _ = value.native
    except (ValueError, TypeError, OverflowError, IndexError, AttributeError, RecursionError):
        return False
    return True


def pyasn1(der: bytes) -> Verdict:
    """The DER decoder of pyasn1 without a schema; nothing may follow."""
    from pyasn1.codec.der import decoder
    from pyasn1.error import PyAsn1Error

    # Without a schema it knows only universal tags.
    if der and der[0] >> 6:
        return None
    try:
        value, rest = decoder.decode(der)
        value.prettyPrint()
    except (PyAsn1Error, ValueError, IndexError, OverflowError, AttributeError, RecursionError):
        return False
    return not rest


def cryptography(der: bytes) -> Verdict:
    """cryptography's decoder with the type that the universal tag names."""
    from cryptography import x509
    from cryptography.hazmat import asn1

    types: dict[int, Any] = {
        0x01: bool,
        0x02: int,
        0x03: asn1.BitString,
        0x04: bytes,
        0x05: asn1.Null,
        0x06: x509.ObjectIdentifier,
        0x0C: str,
        0x13: asn1.PrintableString,
        0x16: asn1.IA5String,
        0x17: asn1.UTCTime,
        0x18: asn1.GeneralizedTime,
    }
    if not der or der[0] not in types:
        return None
    try:
        asn1.decode_der(types[der[0]], der)
    except (ValueError, OverflowError):
        return False
    return True


def openssl(der: bytes) -> Verdict:
    """`openssl asn1parse`, which reads BER and shows it."""
    done = subprocess.run(
        ["openssl", "asn1parse", "-inform", "DER"], input=der, capture_output=True, check=False, timeout=60
    )
    return done.returncode == 0 and not done.stderr and b"BAD " not in done.stdout and b":Error in" not in done.stdout


PEERS: dict[str, Callable[[bytes], Verdict]] = {
    "asn1crypto": asn1crypto,
    "pyasn1": pyasn1,
    "cryptography": cryptography,
    "openssl": openssl,
}


def available(peer: str) -> bool:
    """Return whether a peer is installed."""
    if peer == "openssl":
        return shutil.which("openssl") is not None
    if peer == "cryptography":
        return importlib.util.find_spec("cryptography.hazmat.asn1") is not None
    return importlib.util.find_spec(peer) is not None


def verdict(peer: str, der: bytes) -> Verdict:
    """Return the verdict of a peer on an element; its warnings are ignored."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PEERS[peer](der)

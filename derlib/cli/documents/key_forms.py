"""Forms of private keys in DER of an unknown type, which `derlib show` hides: unknown versions, and damaged keys.

A form that is too general hides other data, which `--secrets` shows.
"""

from __future__ import annotations

import re
from itertools import islice

from derlib import TLV

__all__ = ["has_key", "has_key_form", "holds_key", "looks_like_key"]

#: The first identifier octets of the components of a private key: RFC 5958, RFC 5915, and RFC 8017 or DSA. The last are
#: those of a session of OpenSSL.
_FORMS = (b"\x02\x30\x04", b"\x02\x04", b"\x02\x02\x02\x02", b"\x02\x02\x04\x04")
#: A long list of elements is not a key.
_MAX_COMPONENTS = 16
#: The numbers of a key whose version is damaged.
_NUMBERS = b"\x02" * 5
#: The octets and the parameters of an EC key whose version is damaged.
_EC_PARAMETERS = b"\x04\xa0"

#: The identifiers of algorithms of keys, in DER; for post-quantum algorithms, what they begin with.
_ALGORITHMS = (
    "06092a864886f70d010101",  # rsaEncryption
    "06092a864886f70d01010a",  # id-RSASSA-PSS
    "06092a864886f70d010301",  # dhKeyAgreement
    "06072a8648ce3d0201",  # id-ecPublicKey
    "06072a8648ce380401",  # id-dsa
    "06072a8648ce3e0201",  # dhpublicnumber
    "06032b656e",  # id-X25519
    "06032b656f",  # id-X448
    "06032b6570",  # id-Ed25519
    "06032b6571",  # id-Ed448
    "06096086480165030404",  # ML-KEM
    "06096086480165030403",  # ML-DSA, SLH-DSA
)
_ALGORITHM = b"|".join(re.escape(bytes.fromhex(octets)) for octets in _ALGORITHMS)

#: The version of a key and what follows: the algorithm, the octets of an EC key, or the modulus of an RSA key. Then a
#: key of RFC 8410 section 7, which is a string in a string. Then the parameters of an EC key: a curve of X9.62, SEC 2
#: or RFC 5639 in the tag [0]. Last, the identifier of a secret bag of PKCS #12.
_KEY = re.compile(
    rb"\x02\x01[\x00\x01](?:\x30(?:.|\x81.|\x82..)(?:" + _ALGORITHM + rb")|\x04[\x14-\x48]|\x02[\x40-\x7f\x81\x82])"
    rb"|\x04\x22\x04\x20|\x04\x3a\x04\x38|\x04\x3b\x04\x39"
    rb"|\xa0.\x06.(?:\x2a\x86\x48\xce\x3d\x03|\x2b\x81\x04\x00|\x2b\x24\x03\x03\x02\x08)"
    rb"|\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x0a\x01\x05",
    re.DOTALL,
)
_ANY_ALGORITHM = re.compile(_ALGORITHM)

#: The identifier octet of a string: a primitive element other than BOOLEAN, INTEGER, BIT STRING, NULL and OBJECT
#: IDENTIFIER. Certificates and requests of an unknown version have none.
_STRING = re.compile(rb"[\x00\x04\x07-\x1f\x40-\x5f\x80-\x9f\xc0-\xdf]")


def has_key(octets: bytes) -> bool:
    """Return whether the form of a private key occurs in bytes, which need not be DER."""
    return _KEY.search(octets) is not None


def holds_key(value: object) -> bool:
    """Return whether a value is bytes, or an element of an unknown type, with a private key inside."""
    octets = bytes(value.der) if isinstance(value, TLV) else value
    return isinstance(octets, bytes) and has_key(octets)


def has_key_form(tree: TLV) -> bool:
    """Return whether the components of an element are those of a private key."""
    components = _components(tree)
    return components.startswith(_FORMS) or _NUMBERS in components or _EC_PARAMETERS in components


def looks_like_key(tree: TLV) -> bool:
    """Return whether DER of an unknown type has the form of a private key, or can have one inside."""
    if has_key_form(tree):
        return True
    der = bytes(tree.der)
    if has_key(der):
        return True
    # The key itself is a string, beside or after its algorithm.
    components = _components(tree)
    return _STRING.search(components or der[:1]) is not None and _ANY_ALGORITHM.search(der) is not None


def _components(tree: TLV) -> bytes:
    """Return the first identifier octet of each component."""
    parts = islice(tree, _MAX_COMPONENTS) if tree.tag.constructed else ()
    return b"".join(bytes(part.der[:1]) for part in parts)

"""What an object looks like by its first elements, for the error of another type.

`derlib.identify` finds the type of an object for certain: it decodes it as each type. A failed `decode` cannot do so,
because many decodes fail. The outline of an object is the identifier octets of its first elements down to the second
level, in hexadecimal, with parentheses around the elements of a constructed one.
"""

from __future__ import annotations

import re

__all__ = ["looks_like", "outline"]

#: The outline has at most this many elements and parentheses, and this many levels below the outermost element. It is
#: made for each error near the top of a type of files, so it is not longer than necessary.
_MOST_PIECES = 12
_LEVELS = 2

#: The beginning of the outline of each type, by the name of the `DocumentType`. Types whose outline other structures
#: have, too, are missing.
_OUTLINES = {
    # A TBSCertificate has a version or not, then a serial number and five structures.
    "cert": r"30\(30\((a0)?02(30){5}",
    "crl": r"30\(30\((02)?3030(17|18)",
    # The attributes of a CertificationRequestInfo are required, but some programs leave them out.
    "csr": r"30\(30\(023030(a0)?\)30\(06",
    "cms": r"30\(06a0",
    "pkcs12": r"30\(0230\(06a0\)",
    "key": r"30\(0230\(06(..)?\)04",
    "encrypted-key": r"30\(30\(0630\)04",
    "public-key": r"30\(30\(06(..)?\)03",
    "rsa-key": r"30\((02){9}",
    "ec-key": r"30\(0204(a0|a1|\))",
    "dsa-key": r"30\((02){6}\)",
    "ocsp-request": r"30\(30\((a0)?(a1)?30a2\)",
    "ocsp-response": r"30\(0a(a0|\))",
    "time-stamp-request": r"30\(0230\(3004\)",
    "time-stamp-response": r"30\(30\(02(30)?(03)?\)30\(06a0\)",
    "cmp-message": r"30\(30\(02a4a4",
    "attribute-cert": r"30\(30\(0230a030023030",
    "ef-sod": r"77\(30\(06a0",
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _OUTLINES.items()}


def looks_like(octets: bytes) -> str:
    """Return the name of the `DocumentType` that the first bytes of an object look like; empty if there is none."""
    found = outline(octets)
    return next((name for name, pattern in _PATTERNS.items() if pattern.match(found)), "")


def outline(octets: bytes) -> str:
    """Return the outline of an object from its first bytes, up to an element that is not complete or not DER.

    >>> outline(bytes.fromhex("3007 3003 020105 0500"))
    '30(30(02)05)'
    """
    pieces: list[str] = []
    # The ends of the elements around the current one.
    ends: list[int] = []
    position = 0
    while len(pieces) < _MOST_PIECES and position + 2 <= len(octets):
        tag, length = octets[position], octets[position + 1]
        position += 2
        if tag & 0x1F == 0x1F or length == 0x80 or length > 0x84:
            break
        if length > 0x80:
            size = length - 0x80
            length = int.from_bytes(octets[position : position + size], "big")
            position += size
        pieces.append(f"{tag:02x}")
        if tag & 0x20 and len(ends) < _LEVELS and length:
            pieces.append("(")
            ends.append(position + length)
        else:
            position += length
        while ends and position == ends[-1]:
            pieces.append(")")
            ends.pop()
        if not ends or position > ends[-1]:
            break
    return "".join(pieces)

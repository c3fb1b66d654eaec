"""Write DER without derlib."""

COMMON_NAME = bytes.fromhex("0603550403")


def der(identifier: int, *contents: bytes) -> bytes:
    """Return one element: identifier octet, minimal definite length, contents (X.690 8.1, 10.1)."""
    body = b"".join(contents)
    if len(body) < 0x80:
        return bytes((identifier, len(body))) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes((identifier, 0x80 | len(length))) + length + body


def name(common_name: str) -> bytes:
    """Return a Name of one commonName (RFC 5280 4.1.2.4)."""
    return der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0C, common_name.encode()))))

"""Write DER without derlib."""

COMMON_NAME = bytes.fromhex("0603550403")


def length_octets(count: int) -> bytes:
    """Return the minimal definite length of `count` contents octets (X.690 10.1)."""
    if count < 0x80:
        return bytes([count])
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(digits)]) + digits


def der(identifier: int, *contents: bytes) -> bytes:
    """Return one element: identifier octet, length, contents (X.690 8.1)."""
    body = b"".join(contents)
    return bytes([identifier]) + length_octets(len(body)) + body


def name(common_name: str) -> bytes:
    """Return a Name of one commonName (RFC 5280 4.1.2.4)."""
    return der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0C, common_name.encode()))))

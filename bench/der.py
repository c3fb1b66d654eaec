"""Write DER, and BER from DER, without cryptography and without derlib.

Called by the families `crl` and `ber` for CRLs of any size, by tests, and by .ci/check-package in an empty environment.
"""

from collections.abc import Iterator
from random import Random

UNIFORM_SERIALS = (0x010000, 0x7FFFFF)
"""The bounds of serial numbers with exactly three contents octets."""


def tlv(identifier: int, *contents: bytes) -> bytes:
    """Return one element: identifier octet, minimal definite length, contents (X.690 8.1, 10.1)."""
    body = b"".join(contents)
    if len(body) < 0x80:
        return bytes((identifier, len(body))) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes((identifier, 0x80 | len(length))) + length + body


SHA256_WITH_RSA = tlv(0x30, tlv(0x06, bytes.fromhex("2a864886f70d01010b")), tlv(0x05))
COMMON_NAME = bytes.fromhex("550403")


def name(common_name: str) -> bytes:
    """Return a Name of one commonName (RFC 5280 4.1.2.4)."""
    attribute = tlv(0x30, tlv(0x06, COMMON_NAME), tlv(0x0C, common_name.encode()))
    return tlv(0x30, tlv(0x31, attribute))


def entry(serial: int, date: bytes) -> bytes:
    """Return one revoked certificate without extensions (RFC 5280 5.1.2.6)."""
    octets = serial.to_bytes(serial.bit_length() // 8 + 1, "big")
    return tlv(0x30, tlv(0x02, octets), tlv(0x17, date))


def uniform_crl(size: int) -> bytes:
    """Return a v2 CRL of about this many bytes, whose entries repeat a block of 4,096.

    The signature is 256 zero bytes; nothing here verifies it.
    """
    random = Random(size)
    block = []
    for second in range(4096):
        year, serial = random.randrange(50), random.randint(*UNIFORM_SERIALS)
        time = b"%02d%02d%02d" % (second // 3600, second // 60 % 60, second % 60)
        block.append(entry(serial, b"%02d0615" % year + time + b"Z"))
    count = size // len(block[0])
    repeated = b"".join(block) * (count // len(block)) + b"".join(block[: count % len(block)])
    to_be_signed = tlv(
        0x30,
        tlv(0x02, b"\x01"),
        SHA256_WITH_RSA,
        name("derlib benchmark"),
        tlv(0x17, b"261101000000Z"),
        tlv(0x30, repeated),
    )
    return tlv(0x30, to_be_signed, SHA256_WITH_RSA, tlv(0x03, bytes(257)))


def headers(der: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the elements of valid DER: the identifier octet, and where the header, contents and element end.

    Tag numbers are below 31.
    """
    while start < end:
        identifier, first, content = der[start], der[start + 1], start + 2
        if first >= 0x80:
            content += first & 0x7F
            first = int.from_bytes(der[start + 2 : content], "big")
        yield identifier, start, content, content + first
        start = content + first


def indefinite(der: bytes, least: int = 0, segment: int = 0) -> bytes:
    """Return BER with the indefinite length (X.690 8.1.3.6) for constructed elements of at least `least` bytes.

    With `segment`, an OCTET STRING of at least `least` bytes becomes segments of this many bytes, as in CMS that is
    written while its content is read.
    """
    made: list[bytes] = []
    append = made.append

    def add(start: int, end: int) -> None:
        for identifier, first, content, stop in headers(der, start, end):
            if stop - first < least or not (identifier & 0x20 or (segment and identifier == 0x04)):
                append(der[first:stop])
                continue
            append(bytes((identifier | 0x20, 0x80)))
            if identifier & 0x20:
                add(content, stop)
            else:
                made.extend(tlv(0x04, der[at : min(at + segment, stop)]) for at in range(content, stop, segment))
            append(b"\0\0")

    add(0, len(der))
    return b"".join(made)

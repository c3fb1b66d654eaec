"""DER as text that is not PEM: in hexadecimal or base64, as other programs print it and as people paste it.

`text_in` is about text in DER: in an OCTET STRING, or with an implicit tag.
"""

from __future__ import annotations

import binascii
import re

from derlib import _core, pem
from derlib._value_ranges import leading_values

__all__ = ["as_utf8", "decoded_text", "has_values", "text_in", "utf16_of"]

_BOM = b"\xef\xbb\xbf"
#: Programs of Windows write text in UTF-16, such as `>` in PowerShell 5: with a byte order mark, or ASCII at the start.
_UTF16 = {
    "utf-16-le": re.compile(rb"\xff\xfe|(?:[\t\n\r -~]\0){16}"),
    "utf-16-be": re.compile(rb"\xfe\xff|(?:\0[\t\n\r -~]){16}"),
}
_SPACE = b" \t\r\n\v\f"
#: The text before a SPKAC, as `openssl spkac` writes it.
_SPKAC = b"SPKAC="

#: The identifier octets of SEQUENCE and SET.
_STRUCTURES = (0x30, 0x31)

#: The least size of a text that is base64 of a structure even if the structure has a fault. Words are shorter.
_LONG = 40

#: An array of bytes in C and other languages, without the white space.
_ARRAY = re.compile(rb"(?:0[xX][0-9A-Fa-f]{2},?)+")
_ARRAY_MARKS = re.compile(rb"0[xX]|,")

#: An array in code of C, as `xxd -i` writes it.
_ARRAY_IN_CODE = re.compile(rb"\{([0-9A-Fa-fxX, \t\r\n]{4,})\}")
#: A line of `xxd`, `hexdump -C` or `od -t x1`: the offset, up to 16 bytes, and perhaps their characters.
_DUMP_LINE = re.compile(rb"([0-9A-Fa-f]{7,16}):?(?:[ \t]{1,4}((?:[0-9A-Fa-f]{2}[ \t]{0,2}){1,16})(?:[ \t|].{0,80})?)?")

#: The first characters. They decide quickly that a large DER file is not text.
_BEGINNING = re.compile(rb"[A-Za-z0-9+/_:\s-]{2}")
#: Groups of base64, each with its padding.
_GROUP = re.compile(rb"[A-Za-z0-9+/]+={0,2}")


#: The longest contents that can be text.
_LONGEST_TEXT = 320


def text_in(contents: bytes | memoryview) -> str:
    """Return contents octets as text if they are printable ASCII, else an empty text.

    Three bytes are too few: other data often look like text, too. Long contents are not text either.
    """
    if not 3 < len(contents) <= _LONGEST_TEXT:
        return ""
    text = bytes(contents).decode("latin-1")
    return text if text.isascii() and text.isprintable() else ""


def utf16_of(data: bytes) -> str:
    """Return the encoding that data begin with: "utf-16-le" or "utf-16-be"; empty if it is not UTF-16."""
    return next((encoding for encoding, beginning in _UTF16.items() if beginning.match(data)), "")


def as_utf8(data: bytes) -> bytes:
    """Return PEM, hexadecimal or base64 in UTF-16 as UTF-8, and all other data unchanged.

    DER can begin with the same bytes, so the rest has to be such a text.
    """
    encoding = utf16_of(data)
    if not encoding:
        return data
    try:
        text = data.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeError:
        return data
    return text if pem.is_pem(text) or decoded_text(text) is not None else data


def decoded_text(data: bytes) -> bytes | None:
    """Return the bytes that a text is in hexadecimal or base64; None if `data` is another text, or DER.

    Several values can follow each other, with white space between them or not.
    """
    text = data.removeprefix(_BOM).removeprefix(_SPKAC)
    if not _BEGINNING.match(text) or _core.announced_size(data) == len(data):
        return None
    text = text.translate(None, _SPACE)
    octets = _from_hexadecimal(text)
    if octets and has_values(octets):
        return octets
    # Digits can be base64, too, and a word can be either.
    others = _from_base64(text)
    if others and (has_values(others) or (len(text) >= _LONG and others[0] in _STRUCTURES)):
        return others
    # A dump can have hexadecimal digits only.
    return _from_dump(data) or octets or _from_array(data)


def has_values(octets: bytes) -> bool:
    """Return whether the bytes are values, one after the other."""
    values = list(leading_values(octets))
    return bool(values) and values[-1].stop == len(octets)


def _from_hexadecimal(text: bytes) -> bytes | None:
    """Return the bytes of hexadecimal digits, with 0x before them and colons between them, or of an array of C."""
    digits = _digits_of_array(text) or text.translate(None, b":")
    try:
        return binascii.unhexlify(digits[2:] if digits[:2] in (b"0x", b"0X") else digits)
    except binascii.Error:
        return None


def _from_array(data: bytes) -> bytes | None:
    """Return the bytes of the first array of bytes in code of C."""
    found = _ARRAY_IN_CODE.search(data)
    digits = _digits_of_array(found[1].translate(None, _SPACE)) if found else None
    return digits and binascii.unhexlify(digits)


def _digits_of_array(text: bytes) -> bytes | None:
    """Return the hexadecimal digits of an array of bytes, which has no white space; None if `text` is not one."""
    return _ARRAY_MARKS.sub(b"", text) if _ARRAY.fullmatch(text) else None


def _from_dump(data: bytes) -> bytes | None:
    """Return the bytes of a hexadecimal dump. Its offsets are hexadecimal or octal, and have no gaps."""
    pieces: list[bytes] = []
    size = 0
    for line in filter(None, map(bytes.strip, data.removeprefix(_BOM).split(b"\n"))):
        found = _DUMP_LINE.fullmatch(line)
        if not found or int(found[1], 16) not in (size, int(f"{size:o}", 16)):
            return None
        pieces.append(binascii.unhexlify((found[2] or b"").translate(None, _SPACE)))
        size += len(pieces[-1])
    return b"".join(pieces) or None


def _from_base64(text: bytes) -> bytes | None:
    """Return the bytes of groups of base64 or base64url, which can lack their padding."""
    text = text.translate(bytes.maketrans(b"-_", b"+/"))
    groups = _GROUP.findall(text)
    if sum(map(len, groups)) < len(text):
        return None
    try:
        return b"".join(binascii.a2b_base64(group + b"=" * (-len(group) % 4)) for group in groups)
    except binascii.Error:
        return None

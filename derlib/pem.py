"""PEM, the textual encodings of RFC 7468: DER in base64 between two labelled lines.

Users call `decode` and `encode`, `der_of` for files that may be DER as well, and `blocks` where labels and
lines matter; the command line calls them for every file.
Reading is strict inside a block and blind outside: explanatory text around blocks is permitted
(RFC 7468 section 2), but a block that has begun is either sound or a `PEMError` with its line.
Line ends may be CRLF, LF or CR, lines may have any length and trailing white space. One pass, and
the time is linear in the input: every search starts where the last one ended.

>>> from derlib import pem
>>> text = pem.encode(bytes.fromhex("0500"), "NOTHING")
>>> pem.decode(text)
[b'\\x05\\x00']
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from derlib._brief import brief
from derlib.errors import PEMError

__all__ = ["PEMBlock", "blocks", "decode", "der_of", "encode", "is_pem"]


class PEMBlock(NamedTuple):
    """One block of a PEM text: what `blocks` gives.

    Attributes:
        label: what stands behind BEGIN, such as ``"CERTIFICATE"``.
        der: the octets that the block carries.
        line: the number of its BEGIN line, from 1.

    >>> from derlib import pem
    >>> [block] = pem.blocks("a note\\n" + pem.encode(bytes.fromhex("0500"), "NOTHING"))
    >>> block.label, block.der.hex(), block.line
    ('NOTHING', '0500', 2)
    """

    label: str
    der: bytes
    line: int


# RFC 7468 section 3: label = [ labelchar *( ["-" / SP] labelchar ) ].
_LABEL = re.compile(rb"(?:[!-,.-~](?:[- ]?[!-,.-~])*)?")
_BEGIN = re.compile(rb"(?<![^\r\n])-----BEGIN ([^\r\n]*)")
_BOUNDARY = re.compile(rb"(?<![^\r\n])-----([^\r\n]*)")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/= \t\r\n]")
# White space that something follows on its line. One octet of each: `[ \t]+` would be quadratic.
_INNER_SPACE = re.compile(rb"[ \t][^ \t\r\n]")
# RFC 1421 4.6: a header field opens its line with a name and a colon. The name's length is bounded.
_HEADER = re.compile(rb"\s{0,64}([A-Za-z][A-Za-z0-9-]{0,63}):")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BOM = b"\xef\xbb\xbf"


def is_pem(data: bytes | bytearray | memoryview | str) -> bool:
    """Whether `data` is text with a BEGIN line, rather than DER.

    Only text may stand before that line: the control octets that open any DER structure rule PEM
    out, even when the structure carries a PEM text.

    >>> from derlib import pem
    >>> pem.is_pem("-----BEGIN CERTIFICATE-----"), pem.is_pem(b"0\\x03\\x02\\x01\\x05")
    (True, False)
    """
    text = _octets(data)
    control = _CONTROL.search(text)
    return _BEGIN.search(text, 0, control.start() if control else len(text)) is not None


def blocks(data: bytes | bytearray | memoryview | str, *labels: str) -> Iterator[PEMBlock]:
    """Every block of `data` in order, as `PEMBlock(label, der, line)`; with `labels`, only theirs.

    Blocks of other labels are passed over without reading their base64. What `der` holds is not
    looked at. Raises `PEMError` when the block at fault is reached: base64 that is not canonical
    (RFC 4648), an END that is missing or has another label, RFC 1421 headers (as old encrypted
    keys have them).

    >>> from derlib import pem
    >>> [(block.label, block.der) for block in pem.blocks(pem.encode(b"\\x05\\x00", "NOTHING"))]
    [('NOTHING', b'\\x05\\x00')]
    """
    text = _octets(data)
    wanted = {label.encode() for label in labels}
    position, line = 0, 1
    while begin := _BEGIN.search(text, position):
        line += _lines(text, position, begin.start())
        label = _label(begin[1], "BEGIN", line)
        end = _BOUNDARY.search(text, begin.end())
        if end is None or end[1].startswith(b"BEGIN "):
            raise PEMError(f"the block {_shown(label)} has no END line", line)
        end_line = line + _lines(text, begin.end(), end.start())
        if not end[1].startswith(b"END "):
            raise PEMError("a line of dashes inside a block is not its END line", end_line)
        found = _label(end[1][4:], "END", end_line)
        if found != label:
            message = f"END {_shown(found)} closes the block {_shown(label)} of line {line}"
            raise PEMError(message, end_line)
        if not wanted or label in wanted:
            body = text[begin.end() : end.start()]
            yield PEMBlock(label.decode("ascii"), _decode(body, line), line)
        position, line = end.end(), end_line


def decode(data: bytes | bytearray | memoryview | str, *labels: str) -> list[bytes]:
    """The DER of every block of `data` that has one of `labels` (of every block without labels), in their order.

    Raises `PEMError` as `blocks` does, and when there is no such block.

    >>> from derlib import pem
    >>> [der] = pem.decode(pem.encode(b"\\x05\\x00", "NOTHING"), "NOTHING")
    >>> der.hex()
    '0500'
    """
    found = [block.der for block in blocks(data, *labels)]
    if not found:
        raise nothing_found(data, labels)
    return found


def der_of(data: bytes | bytearray | memoryview | str, *labels: str) -> list[bytes]:
    """The DER in the contents of a file, be they PEM or DER: as `decode` for PEM, else `data` itself.

    Raises `PEMError` as `decode` does; a `str` that is no PEM has no DER in it.

    >>> from derlib import pem
    >>> der = bytes.fromhex("0500")
    >>> pem.der_of(der, "NOTHING") == pem.der_of(pem.encode(der, "NOTHING"), "NOTHING") == [der]
    True
    """
    if isinstance(data, str) or is_pem(data):
        return decode(data, *labels)
    return [bytes(data)]


def encode(der: bytes | bytearray | memoryview, label: str) -> str:
    """The block of RFC 7468 that carries `der`: lines of 64 characters, LF, with a final newline.

    Raises ValueError for a label that the RFC does not allow, and for no octets at all. Raises TypeError where `der` is
    not a buffer.

    >>> from derlib import pem
    >>> print(pem.encode(b"\\x30\\x00", "X509 CRL"), end="")
    -----BEGIN X509 CRL-----
    MAA=
    -----END X509 CRL-----
    """
    try:
        sound = label.isascii() and _LABEL.fullmatch(label.encode())
    except AttributeError:
        raise TypeError("the octets come first, then the label, a str: encode(der, label)") from None
    if not sound:
        raise ValueError(f"{brief(label)} is not a label of RFC 7468")
    try:
        octets = bytes(memoryview(der))     # bytes() alone would make so many zero octets of a number
    except TypeError:
        raise TypeError(f"expected bytes or another buffer, got {type(der).__name__}") from None
    if not octets:
        raise ValueError("there are no octets to encode")
    base64 = binascii.b2a_base64(octets, newline=False).decode("ascii")
    lines = [base64[start : start + 64] for start in range(0, len(base64), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def nothing_found(data: bytes | bytearray | memoryview | str, labels: tuple[str, ...]) -> PEMError:
    """The error for a text whose blocks are sound and have none of `labels`: it says what is there instead.

    The command line raises it, too.
    """
    text = _octets(data)
    message = f"no PEM block labelled {' or '.join(labels)}" if labels else "no PEM block"
    others = dict.fromkeys(_shown(begin[1].rstrip(b" \t")[:-5]) for begin in _BEGIN.finditer(text))
    if others:
        message += f"; there is {' and '.join(islice(others, 4))}{' and others' if len(others) > 4 else ''}"
    elif _CONTROL.search(text, 0, 64):
        message += "; what is DER already needs no PEM decoding"
    return PEMError(message, 0)


def _octets(data: bytes | bytearray | memoryview | str) -> bytes:
    """The text as octets, without the byte order mark that some editors write first."""
    if isinstance(data, bytes):
        octets = data
    elif isinstance(data, str):
        octets = data.encode("utf-8", "surrogatepass")
    else:
        # bytes() would take a path for its name, and a number for so many zeros.
        try:
            octets = bytes(memoryview(data))
        except TypeError:
            name = type(data).__name__
            raise TypeError(f"the text is str, bytes or another buffer, not {name}; read a file first") from None
    return octets[len(_BOM) :] if octets.startswith(_BOM) else octets


def _lines(text: bytes, start: int, end: int) -> int:
    """How many lines end in `text[start:end]`; CRLF counts once."""
    crlf = text.count(b"\r\n", start, end)
    return text.count(b"\n", start, end) + text.count(b"\r", start, end) - crlf


def _label(rest: bytes, keyword: str, line: int) -> bytes:
    """The label in what follows the keyword on a boundary line."""
    rest = rest.rstrip(b" \t")
    if not rest.endswith(b"-----") or not _LABEL.fullmatch(rest, 0, len(rest) - 5):
        raise PEMError(f"this {keyword} line is not that of a PEM block", line)
    return rest[:-5]


def _shown(label: bytes) -> str:
    """A label for a message: it is ASCII already, but may be of any length."""
    text = label.decode("ascii")
    return f'"{text}"' if len(text) <= 40 else f'"{text[:40]}..."'


def _decode(body: bytes, line: int) -> bytes:
    """The octets of a block's base64; `line` is that of BEGIN, and `body` starts at its end."""

    def error(message: str, position: int) -> PEMError:
        return PEMError(message, line + _lines(body, 0, position))

    if header := _HEADER.match(body):
        name = header[1].decode("ascii")
        raise error(
            f"the block has RFC 1421 headers ({name}), as old encrypted keys do; RFC 7468 has none",
            header.end(),
        )
    if wrong := _NOT_BASE64.search(body):
        octet = body[wrong.start()]
        raise error(f"octet {octet:02x} is not in the base64 alphabet", wrong.start())
    if wrong := _INNER_SPACE.search(body):
        raise error("white space may only end a line of base64", wrong.start())

    base64 = body.translate(None, b" \t\r\n")
    digits = base64.rstrip(b"=")
    last = len(body.rstrip(b" \t\r\n"))
    if not base64:
        raise error("the block is empty", 0)
    if b"=" in digits:
        raise error("base64 padding may only stand at the end", body.index(b"="))
    if len(base64) % 4 or len(base64) - len(digits) > 2:
        raise error("the base64 ends in the middle of a group of four, or is padded wrongly", last)
    octets = binascii.a2b_base64(base64)
    # RFC 4648 3.5: the bits of the last digit that carry nothing are zero.
    if binascii.b2a_base64(octets[-(len(octets) % 3 or 3) :], newline=False) != base64[-4:]:
        raise error("the last digit of the base64 has bits set that carry nothing", last)
    return octets

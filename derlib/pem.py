"""PEM, the textual encodings of RFC 7468: DER in base64 between two labelled lines.

To read a file with one object, PEM or DER, use `one`; with several, `der_of`. If the data must be PEM, use `decode`, or
`blocks` for the labels and line numbers. `encode` writes PEM.

Reading is strict inside a block. Text around blocks is ignored (RFC 7468 section 2), but an invalid block raises a
`PEMError` with its line, and so does an END line without a BEGIN line. Line ends can be CRLF, LF or CR. Lines can have
any length and trailing white space. This is the standard grammar of RFC 7468 section 3, and two things of the lax one:
a block whose BEGIN line is indented can have any white space before its lines, as in YAML, and empty lines can be
between the lines of a block, as after a conversion of line ends. OpenSSL refuses empty lines.

In both grammars, no line end is needed after an END line. So an END and a BEGIN line can be one line, as `cat` joins
files without a last line end. Both blocks are read; OpenSSL refuses them ("bad end line").

The time is linear in the size of the input.

A label selects the blocks with that label or with an older label of the same structure. `PEMBlock.label` is the label
as written. An older label selects only blocks with that label.

=================== ==================================== ============================================================
label               older labels                         source
=================== ==================================== ============================================================
CERTIFICATE         X509 CERTIFICATE, X.509 CERTIFICATE  RFC 7468 section 5.1, for backwards compatibility
CERTIFICATE REQUEST NEW CERTIFICATE REQUEST              RFC 7468 section 7
PKCS7               PKCS #7 SIGNED DATA                  OpenSSL
CMS                 PKCS7, PKCS #7 SIGNED DATA           OpenSSL; CMS is the successor of PKCS #7 (section 9)
=================== ==================================== ============================================================

The labels CRL (section 6) and CERTIFICATE CHAIN (section 8) are not in the table, because parsers should not read them
as X509 CRL and PKCS7. `encode` writes the label that it is given.

>>> from derlib import pem
>>> text = pem.encode(bytes.fromhex("0500"), "NOTHING")
>>> pem.decode(text)
[b'\\x05\\x00']
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from derlib._brief import brief
from derlib._pem_labels import labels_of
from derlib.errors import PEMError

__all__ = ["PEMBlock", "blocks", "decode", "der_of", "encode", "is_pem", "one"]

if not TYPE_CHECKING:

    def __getattr__(name):
        from derlib._suggestions import no_module_attribute

        raise AttributeError(no_module_attribute(__name__, name, __all__), name=name)



class PEMBlock(NamedTuple):
    """One block of a PEM text, as `blocks` yields it.

    Attributes:
        label: the label after BEGIN, such as ``"CERTIFICATE"``.
        der: the contents of the block.
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
# A boundary, also after white space or a text on its line.
_BEGIN = re.compile(rb"-----BEGIN ([^\r\n]*)")
_END = re.compile(rb"-----END ([^\r\n]*)")
# A line of dashes. The look-behind is after them, because `re` searches fast for a pattern that begins with characters.
_BOUNDARY = re.compile(rb"-----(?<=[\r\n]-----)([^\r\n]*)")
_INDENTED_BOUNDARY = re.compile(rb"[\r\n][ \t]*-----([^\r\n]*)")
_INDENTATION = re.compile(rb"([\r\n])[ \t]+")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/= \t\r\n]")
# White space before other characters of the same line. It matches one character only: `[ \t]+` would be quadratic.
_INNER_SPACE = re.compile(rb"[ \t][^ \t\r\n]")
# RFC 1421 4.6: a header field begins with a name and a colon. The length of the name is bounded.
_HEADER = re.compile(rb"\s{0,64}([A-Za-z][A-Za-z0-9-]{0,63}):")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BOM = b"\xef\xbb\xbf"
# Big-endian text has these octets, too, after a zero.
_UTF16_BEGIN = "-----BEGIN".encode("utf-16-le")
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def is_pem(data: bytes | bytearray | memoryview | str) -> bool:
    """Return whether `data` is a text with a BEGIN line, rather than DER.

    DER begins with control characters, so a DER structure that contains a PEM text is not PEM.

    >>> from derlib import pem
    >>> pem.is_pem("-----BEGIN CERTIFICATE-----"), pem.is_pem(b"0\\x03\\x02\\x01\\x05")
    (True, False)
    """
    text = _octets(data)
    # DER has control characters near its start, so that the rest of it is not searched.
    control = _CONTROL.search(text, 0, 64)
    begin = next(_begin_lines(text, 0, control.start() if control else len(text)), None)
    return begin is not None and not _CONTROL.search(text, 0, begin.start())


def _begin_lines(text: bytes, start: int, stop: int) -> Iterator[re.Match[bytes]]:
    """Yield the BEGIN lines from `start` to `stop`, but not those after other words, which are text."""
    for begin in _BEGIN.finditer(text, start, stop):
        indentation = indentation_of(text, begin.start())
        if indentation == 0 or (indentation and _label_of(begin[1]) is not None):
            yield begin


def blocks(
    data: bytes | bytearray | memoryview | str, *labels: str, on_error: Callable[[PEMError], object] | None = None
) -> Iterator[PEMBlock]:
    """Yield each block of `data` in order, as a `PEMBlock`.

    Args:
        data: a PEM text, as str or as a buffer.
        labels: the labels of the blocks to yield, which also select older labels of the same structure; none for all
            blocks. The base64 of other blocks is not read.
        on_error: a function that is called with the error of each invalid block, such as `print`. The next block is
            looked for after it, or after its BEGIN line if its end is not known. Without a function, the first error
            is raised.

    The contents of blocks are not validated as DER.

    Raises:
        PEMError: a block has base64 that is not canonical (RFC 4648), no BEGIN or END line, an END line with another
            label, or RFC 1421 headers, as old encrypted keys have. Blocks before it are yielded first. Or the data has
            no block at all, as DER; without a block with one of the labels, nothing is yielded.
        TypeError: `on_error` is not a function.

    >>> from derlib import pem
    >>> text = pem.encode(b"\\x05\\x00", "NOTHING")
    >>> [(block.label, block.der) for block in pem.blocks(text)]
    [('NOTHING', b'\\x05\\x00')]
    >>> found = list(pem.blocks(text.replace("A", "?") + text, on_error=print))
    line 2: byte 3f is not in the base64 alphabet
    >>> [block.line for block in found]
    [4]
    """
    if on_error is not None and not callable(on_error):
        raise TypeError(f"on_error: expected a function, got {type(on_error).__name__}; write on_error=print")
    report = _raise if on_error is None else on_error
    is_empty = True
    for block in each(data, *labels):
        is_empty = False
        if isinstance(block, PEMError):
            report(block)
        else:
            yield block
    if is_empty:
        text = _octets(data)
        if next(_begin_lines(text, 0, len(text)), None) is None:
            report(nothing_found(data, labels))


def _raise(error: PEMError) -> None:
    raise error


def each(data: bytes | bytearray | memoryview | str, *labels: str) -> Iterator[PEMBlock | PEMError]:
    """Yield each block of `data` as `blocks` does, or its error.

    The next block is looked for after the invalid one, or after its BEGIN line if its end is not known.
    """
    return (block for _, block in numbered(data, *labels))


def numbered(data: bytes | bytearray | memoryview | str, *labels: str) -> Iterator[tuple[int, PEMBlock | PEMError]]:
    """Yield the blocks that `each` yields, and their numbers among all blocks of `data`, from 1."""
    text = _octets(data)
    wanted = {label.encode() for label in labels_of(*labels)}
    position, line, number = 0, 1, 0
    # Whether a BEGIN line was reported, so that its END line is not reported, too.
    is_reported = False
    # Where a BEGIN line begins in the line of an END line, and whether that line is indented.
    joined, is_indented = -1, False
    while True:
        begin = _BEGIN.search(text, position)
        stop = begin.start() if begin else len(text)
        has_end = text.find(b"-----END ", position, stop) >= 0
        for stray, stray_label, is_stray_indented in _stray_ends(text, position, stop) if has_end else ():
            if not is_reported and (not wanted or stray_label in wanted):
                line += _lines(text, position, stray.start())
                position = stray.start()
                number += 1
                yield number, PEMError(f"the END line of {_shown(stray_label)} has no BEGIN line", line)
            is_reported = False
            if stray.end() == stop:
                joined, is_indented = stop, is_stray_indented
        if begin is None:
            if number and _ends_inside_begin(text, position):
                line += _lines(text, position, len(text))
                yield number + 1, PEMError("the data ends inside a BEGIN line", line)
            return
        line += _lines(text, position, begin.start())
        position = begin.end()
        if begin.start() != joined:
            indentation = indentation_of(text, begin.start())
            if indentation is None or (indentation and _label_of(begin[1]) is None):
                continue
            is_indented = indentation > 0
        number += 1
        is_reported = True
        try:
            label = _label(begin[1], "BEGIN", line)
            end, end_line = _end_of(text, begin.end(), label, line, is_indented)
            begin_line, position, line, is_reported = line, end.end(), end_line, False
            end_text = end[1]
            if (next_begin := end_text.find(b"-----BEGIN ")) > 0:
                end_text = end_text[:next_begin]
                position = joined = end.start(1) + next_begin
            if end_text != b"END %b-----" % label and (found := _label(end_text[4:], "END", end_line)) != label:
                message = f"END {_shown(found)} closes the block {_shown(label)} of line {begin_line}"
                raise PEMError(message, end_line)
            if not wanted or label in wanted:
                body = text[begin.end() : end.start()]
                if is_indented:
                    body = _INDENTATION.sub(rb"\1", body)
                yield number, PEMBlock(label.decode("ascii"), _decode(body, begin_line), begin_line)
        except PEMError as error:
            yield number, error


def _ends_inside_begin(text: bytes, position: int) -> bool:
    """Return whether the last line, after `position`, is a part of a BEGIN line, as in a file that was cut off."""
    last = text[max(position, len(text) - 64) :].rpartition(b"\n")[2].strip(b" \t")
    return len(last) > len(b"-----") and b"-----BEGIN ".startswith(last)


def _end_of(text: bytes, start: int, label: bytes, line: int, is_indented: bool) -> tuple[re.Match[bytes], int]:
    """Return the END line of a block whose contents begin at `start`, after its BEGIN line `line`, and its number.

    The first group of the match is what follows the dashes.
    """
    end = (_INDENTED_BOUNDARY if is_indented else _BOUNDARY).search(text, start)
    stop = end.start() if end else len(text)
    # So that no block is lost, the next BEGIN line is that of another block, also if only that one is indented.
    has_begin = text.find(b"-----BEGIN ", start, stop) >= 0 and any(_begin_lines(text, start, stop))
    if end is None or end[1].startswith(b"BEGIN ") or has_begin:
        indented = _INDENTED_BOUNDARY.search(text, start, stop)
        if indented and indented[1].startswith(b"END "):
            end_line = line + _lines(text, start, indented.start(1))
            raise PEMError("the END line is indented, but the BEGIN line is not", end_line)
        raise PEMError(f"the block {_shown(label)} has no END line", line)
    end_line = line + _lines(text, start, end.start(1))
    if not end[1].startswith(b"END "):
        raise PEMError("a line of dashes inside a block is not its END line", end_line)
    return end, end_line


def _stray_ends(text: bytes, start: int, stop: int) -> Iterator[tuple[re.Match[bytes], bytes, bool]]:
    """Yield the END lines between blocks, their labels, and whether they are indented."""
    for end in _END.finditer(text, start, stop):
        label = _label_of(end[1])
        indentation = indentation_of(text, end.start())
        if label is not None and indentation is not None:
            yield end, label, indentation > 0


def is_single(data: bytes) -> bool:
    """Return whether a PEM text has only one block, valid or not."""
    return data.count(b"-----BEGIN ") <= 1 and data.count(b"-----END ") <= 1


def decode(data: bytes | bytearray | memoryview | str, *labels: str) -> list[bytes]:
    """Return the contents of each block of `data` in order.

    Args:
        data: a PEM text, as str or as a buffer.
        labels: the labels of the blocks to return; none for all blocks.

    Raises:
        PEMError: as `blocks`, or such a block is missing.

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
    """Return the DER in the contents of a file: the blocks as `decode` for PEM, otherwise a list of `data` itself.

    DER is one item, also if several values follow each other: `derlib.iter_decode` reads them one by one.

    Raises:
        PEMError: as `decode`, or `data` is empty, a text without PEM, such as a mail, or PEM in UTF-16.

    >>> from derlib import pem
    >>> der = bytes.fromhex("0500")
    >>> pem.der_of(der, "NOTHING") == pem.der_of(pem.encode(der, "NOTHING"), "NOTHING") == [der]
    True
    """
    if isinstance(data, str) or is_pem(data):
        return decode(data, *labels)
    octets = bytes(data)
    if not octets.removeprefix(_BOM) or _is_utf16(octets) or _is_prose(octets):
        raise nothing_found(octets, labels)
    return [octets]


def one(data: bytes | bytearray | memoryview | str, *labels: str) -> bytes:
    """Return the DER in the contents of a file that has one block with one of the labels, or is DER itself.

    Raises:
        PEMError: as `der_of`, or there are several such blocks.

    >>> from derlib import pem
    >>> der = bytes.fromhex("0500")
    >>> pem.one(der) == pem.one(pem.encode(der, "NOTHING")) == der
    True
    """
    first, *others = der_of(data, *labels)
    if others:
        found = dict.fromkeys(_shown(block.label.encode()) for block in blocks(data, *labels))
        shown = f"{' and '.join(islice(found, 4))}{' and others' if len(found) > 4 else ''}"
        # One label can select several, which are the older labels of the same structure.
        is_choice = len(found) > 1 and len(labels) != 1
        remedy = "pass the label of one of them" if is_choice else "pem.der_of returns all of them"
        raise PEMError(f"{len(others) + 1} PEM blocks labelled {shown}, expected one; {remedy}", 0)
    return first


def encode(der: bytes | bytearray | memoryview, label: str) -> str:
    """Return `der` as a PEM block (RFC 7468) with lines of 64 characters and LF line ends.

    Raises:
        TypeError: `der` is not a buffer, or the label is not a str.
        ValueError: RFC 7468 does not allow the label, or `der` is empty.

    >>> from derlib import pem
    >>> print(pem.encode(b"\\x30\\x00", "X509 CRL"), end="")
    -----BEGIN X509 CRL-----
    MAA=
    -----END X509 CRL-----
    """
    try:
        valid = label.isascii() and _LABEL.fullmatch(label.encode())
    except AttributeError:
        raise TypeError(f"label: expected str, got {type(label).__name__}; write encode(der, label)") from None
    if not valid:
        raise ValueError(f"{brief(label)} is not a label of RFC 7468")
    try:
        octets = bytes(memoryview(der))  # bytes(n) would return n zero bytes
    except TypeError:
        given: object = der
        remedy = "; pass its .encode()" if hasattr(given, "encode") and not isinstance(given, str) else ""
        raise TypeError(f"expected bytes or another buffer, got {type(given).__name__}{remedy}") from None
    if not octets:
        raise ValueError("der is empty; there is nothing to encode")
    base64 = binascii.b2a_base64(octets, newline=False).decode("ascii")
    lines = [base64[start : start + 64] for start in range(0, len(base64), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def nothing_found(data: bytes | bytearray | memoryview | str, labels: tuple[str, ...]) -> PEMError:
    """Return the error for a valid text without a block with one of `labels`. The command line raises it, too."""
    text = _octets(data)
    # A label also selects its older labels.
    older = {each for label in labels for each in labels_of(label)[1:]}
    wanted = [label for label in labels if label not in older]
    message = f"no PEM block labelled {' or '.join(wanted)}" if labels else "no PEM block"
    others = dict.fromkeys(_shown(begin[1].rstrip(b" \t")[:-5]) for begin in _begin_lines(text, 0, len(text)))
    if others:
        message += f"; there is {' and '.join(islice(others, 4))}{' and others' if len(others) > 4 else ''}"
    elif not text:
        message += "; the data is empty"
    elif _is_utf16(text):
        message += "; the data is text in UTF-16: save it as UTF-8, or decode it to str"
    elif _CONTROL.search(text, 0, 64):
        message += "; the data looks like DER, which needs no PEM decoding"
    elif inside := _BEGIN.search(text):
        number = text.count(b"\n", 0, inside.start()) + 1
        message += f"; other characters are before BEGIN in line {number}, such as quotation marks"
    elif isinstance(data, str) and len(data.splitlines()) == 1:
        message += "; if this is the name of a file, Path(name).read_bytes() reads it"
    elif not isinstance(data, str) and _is_prose(text):
        message += "; the data is text, not DER"
    return PEMError(message, 0)


def _is_utf16(octets: bytes) -> bool:
    """Return whether bytes are a PEM text in UTF-16, with a byte order mark or a BEGIN line at the start."""
    if not octets.startswith(_UTF16_BOMS) and _UTF16_BEGIN not in octets[:64]:
        return False
    from derlib._core import announced_size

    return _UTF16_BEGIN in octets and announced_size(octets) != len(octets)


def _is_prose(octets: bytes) -> bool:
    """Return whether bytes are a text, but not DER in hexadecimal or base64, for which `decode` has a hint."""
    start = octets[:64]
    if len(start) < 16 or not start.isascii() or _CONTROL.search(start) or not _NOT_BASE64.search(start):
        return False
    from derlib._core import announced_size

    # Every byte of an element can be a printable character.
    return announced_size(octets) != len(octets)


def octets_of(data: bytes | bytearray | memoryview | str) -> bytes:
    """Return a text or a buffer as bytes."""
    if isinstance(data, bytes):
        return data
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    # bytes() would also accept an int.
    try:
        return bytes(memoryview(data))
    except TypeError:
        remedy = "; read a file first" if hasattr(data, "read") or hasattr(data, "read_bytes") else ""
        raise TypeError(f"expected str, bytes or another buffer, got {type(data).__name__}{remedy}") from None


def _octets(data: bytes | bytearray | memoryview | str) -> bytes:
    """Return the text as bytes, without a byte order mark."""
    octets = octets_of(data)
    return octets[len(_BOM) :] if octets.startswith(_BOM) else octets


def _lines(text: bytes, start: int, end: int) -> int:
    """Return the number of line ends in `text[start:end]`; CRLF counts once."""
    lines, returns = text.count(b"\n", start, end), text.count(b"\r", start, end)
    return lines + returns - text.count(b"\r\n", start, end) if returns else lines


def _label(rest: bytes, keyword: str, line: int) -> bytes:
    """Return the label from the rest of a boundary line after the keyword."""
    label = _label_of(rest)
    if label is None:
        raise PEMError(f"the {keyword} line is invalid (RFC 7468 section 3)", line)
    return label


def _label_of(rest: bytes) -> bytes | None:
    """Return the label from the rest of a boundary line after the keyword, or None if it is invalid."""
    rest = rest.rstrip(b" \t")
    return rest[:-5] if rest.endswith(b"-----") and _LABEL.fullmatch(rest, 0, len(rest) - 5) else None


def indentation_of(text: bytes, start: int) -> int | None:
    """Return the length of the white space before `start` in its line; None if other characters are there, too."""
    if not start or text[start - 1] in b"\r\n":
        return 0
    size = 80
    while True:
        first = max(0, start - size)
        line_start = max(first, text.rfind(b"\n", first, start) + 1, text.rfind(b"\r", first, start) + 1)
        if text[line_start:start].strip(b" \t"):
            return None
        if line_start > first or not first:
            return start - line_start
        # The time stays linear, because all of this is white space.
        size *= 2


def _shown(label: bytes) -> str:
    """Return a label for an error message, cut if it is long."""
    text = label.decode("ascii")
    return f'"{text}"' if len(text) <= 40 else f'"{text[:40]}..."'


def _decode(body: bytes, line: int) -> bytes:
    """Return the contents of a block. `line` is the number of its BEGIN line, and `body` begins after that line."""
    # If the contents encode to the same text, it is canonical. The checks below allow white space at the end of a line,
    # too, and find the fault of other text.
    try:
        octets = binascii.a2b_base64(body)
        if octets and binascii.b2a_base64(octets, newline=False) == body.translate(None, b"\r\n"):
            return octets
    except binascii.Error:
        pass

    def error(message: str, position: int) -> PEMError:
        return PEMError(message, line + _lines(body, 0, position))

    if header := _HEADER.match(body):
        name = header[1].decode("ascii")
        raise error(
            f"the block has RFC 1421 headers ({name}), as old encrypted keys do; RFC 7468 does not allow them",
            header.end(),
        )
    if wrong := _NOT_BASE64.search(body):
        octet = body[wrong.start()]
        raise error(f"byte {octet:02x} is not in the base64 alphabet", wrong.start())
    if wrong := _INNER_SPACE.search(body):
        raise error("white space is only allowed at the end of a line of base64", wrong.start())

    base64 = body.translate(None, b" \t\r\n")
    digits = base64.rstrip(b"=")
    last = len(body.rstrip(b" \t\r\n"))
    if not base64:
        raise error("the block is empty", 0)
    if b"=" in digits:
        raise error("base64 padding is only allowed at the end", body.index(b"="))
    if len(base64) % 4 or len(base64) - len(digits) > 2:
        raise error("the base64 ends in the middle of a group of four, or is padded wrongly", last)
    octets = binascii.a2b_base64(base64)
    # RFC 4648 3.5: the pad bits of the last digit are zero.
    if binascii.b2a_base64(octets[-(len(octets) % 3 or 3) :], newline=False) != base64[-4:]:
        raise error("the pad bits of the last base64 digit are not zero (RFC 4648 3.5)", last)
    return octets

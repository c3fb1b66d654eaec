"""Where the commands write: text to standard output in large pieces, and one-line errors.

Every string that comes from a file passes `printable` before it gets here, so that nothing in a
certificate can drive the terminal.
"""

from __future__ import annotations

import contextlib
import os
import sys

import click

from derlib.cli.pager import Pager

__all__ = ["Output", "clip", "printable", "report_error", "visible"]

#: Text is gathered to about so many characters before it is written.
_PIECE = 1 << 16

#: No error line is longer; a message may quote names and paths of any length.
_LONGEST_ERROR = 1000

_STYLES = {"heading": "1", "offset": "2", "tag": "36", "name": "32", "label": "1", "critical": "31", "changed": "33"}


def printable(text: str) -> str:
    """`text` with all that a terminal may act on written as an escape, and `\\` doubled.

    What is not printable to Unicode goes: C0 and C1 controls, DEL, line and paragraph separators,
    and the formatting characters, among them those that change the direction of the text.
    """
    return visible(text.replace("\\", r"\\"))


def visible(text: str) -> str:
    """As `printable`, but a backslash stays: for names and messages: they have own escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def clip(text: str, longest: int) -> str:
    """`text`, or its beginning and how long it is."""
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text)} characters)"


def report_error(place: str, message: str) -> None:
    """Write `derlib: place: message` on standard error: one line, whatever the two contain."""
    line = clip(visible(f"derlib: {place}: {message}"), _LONGEST_ERROR)
    # Nobody may be listening on standard error; that is no reason to stop.
    with contextlib.suppress(OSError):
        click.echo(_encodable(line, sys.stderr), err=True)


class Output:
    """Standard output: gathers what is written, and colours it only where that is wanted."""

    def __init__(self, color: bool | None = None, *, pager: bool = False) -> None:
        """`color` is the user's wish; None asks the terminal and NO_COLOR (no-color.org).

        With `pager`, a pager takes what is written, if standard output is a terminal.
        """
        self.color = _wants_color() if color is None else color
        self._page = pager and Pager.wanted()
        self._pager: Pager | None = None
        self._pieces: list[str] = []
        self._size = 0

    def style(self, text: str, name: str) -> str:
        """`text` as `name` is coloured, or as it is."""
        return f"\033[{_STYLES[name]}m{text}\033[0m" if self.color else text

    def write(self, text: str) -> None:
        """Write `text`, sooner or later. Raises OSError when standard output does not take it."""
        self._pieces.append(text)
        self._size += len(text)
        if self._size >= _PIECE:
            self.flush()

    def line(self, text: str = "") -> None:
        """Write `text` and end the line."""
        self.write(text + "\n")

    def flush(self) -> None:
        """Write what was gathered, now."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        if text and self._paged():
            assert self._pager is not None
            self._pager.write(text)
        elif text:
            click.echo(_encodable(text, sys.stdout), nl=False, color=self.color)

    def close(self) -> None:
        """Write what was gathered, and wait for the pager, if there is one."""
        self.flush()
        if self._pager is not None:
            self._pager.close()

    def _paged(self) -> bool:
        """Whether a pager takes the text. It starts with the first text: an error alone needs none."""
        if self._page and self._pager is None:
            self._page = False
            try:
                self._pager = Pager()
            except OSError as error:
                name = f"{error.filename}: " if error.filename else ""
                report_error("pager", name + (error.strerror or str(error)))
        return self._pager is not None

    def abandon(self) -> None:
        """Drop what was gathered, and let the rest of the process write to nowhere.

        After a broken pipe, Python's own flush at exit would otherwise complain.
        """
        self._pieces.clear()
        self._size = 0
        if self._pager is not None:
            self._pager.close()
            return
        # A stream that is no file of the operating system has no flush at exit to be afraid of.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def _wants_color() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def _escape(character: str) -> str:
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def _encodable(text: str, stream: object) -> str:
    """`text` with escapes for what the encoding of `stream` has no octets for."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower().replace("-", "") == "utf8":
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)

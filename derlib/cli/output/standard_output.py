"""Text on standard output, written in large pieces, and errors on standard error, each on one line."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys

import click

from derlib.cli.output import progress
from derlib.cli.output.escapes import clip, visible
from derlib.cli.output.pager import Pager

__all__ = ["Output", "closed", "report_error"]

#: Text is written when about this number of characters is buffered.
_BUFFER_SIZE = 1 << 16

#: The longest error line. A message can quote names and paths of any length.
_MAX_ERROR = 1000

#: A line break of JSON, with the indentation after it.
_BREAK = re.compile(r"(,?)\n *")

_STYLES = {"heading": "1", "offset": "2", "tag": "36", "name": "32", "label": "1", "critical": "31", "changed": "33"}


def report_error(subject: str, message: str) -> None:
    """Write the line `derlib: subject: message` on standard error, with escapes for line breaks."""
    progress.clear()
    line = clip(visible(f"derlib: {subject or repr(subject)}: {message}"), _MAX_ERROR)
    # If standard error is closed, the command continues.
    with contextlib.suppress(OSError):
        click.echo(_encodable(line, sys.stderr), err=True)


def closed() -> OSError:
    """Return the error of writing to standard output if it was closed before the program began."""
    return OSError(errno.EBADF, "it is closed")


class Output:
    """Buffered standard output, with colours and a pager if requested."""

    def __init__(self, color: bool | None = None, *, pager: bool = False, joins_lines: bool = False) -> None:
        """Prepare the output; nothing is written or started yet.

        Parameters:
            color: whether to write colours. None: NO_COLOR, FORCE_COLOR and the terminal decide.
            pager: whether to write to a pager, if standard output is a terminal.
            joins_lines: whether `write` removes line breaks, which JSON has between values only.
        """
        self.color = _wants_color() if color is None else color
        self._wants_pager = pager and sys.stdout is not None and sys.stdout.isatty()
        self._pager: Pager | None = None
        self._joins_lines = joins_lines
        self._pieces: list[str] = []
        self._size = 0

    def style(self, text: str, name: str) -> str:
        """Return `text` in the colour of `name`, or unchanged without colours."""
        return f"\033[{_STYLES[name]}m{text}\033[0m" if self.color else text

    def remark(self, option: str) -> str:
        """Return a remark on an option of the command, for the end of a line. `derlib.pretty` has no options."""
        return f" ({option})"

    def write(self, text: str) -> None:
        """Buffer `text`; write a full buffer. Raises OSError if standard output cannot be written."""
        if self._joins_lines and "\n" in text:
            text = _BREAK.sub(lambda found: ", " if found[1] else "", text)
        self._pieces.append(text)
        self._size += len(text)
        if self._size >= _BUFFER_SIZE:
            self.flush()

    def line(self, text: str = "") -> None:
        """Write `text` and a line break."""
        self.write(text + "\n")

    def end_document(self) -> None:
        """End the line of a document, if lines are joined; then write it, so that a reader of a stream gets it."""
        if self._joins_lines:
            self._pieces.append("\n")
            self.flush()

    def flush(self) -> None:
        """Write the buffered text."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        if not text:
            return
        pager = self._started_pager()
        if pager is not None:
            pager.write(text)
        elif sys.stdout is None:
            raise closed()
        else:
            click.echo(_encodable(text, sys.stdout), nl=False, color=self.color)

    def close(self) -> None:
        """Write the buffered text, and wait until the user closes the pager."""
        self.flush()
        if self._pager is not None:
            self._pager.close()

    def abandon(self) -> None:
        """Discard the buffered text, and redirect standard output to the null device.

        Without the redirection, the flush at exit of Python would fail again after a broken pipe.
        """
        self._pieces.clear()
        self._size = 0
        if self._pager is not None:
            self._pager.close()
            return
        # A stream without a file descriptor is not flushed at exit.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)

    def _started_pager(self) -> Pager | None:
        """Return the pager, or None without one. The first text starts it, so that an error alone does not."""
        if self._wants_pager and self._pager is None:
            self._wants_pager = False
            try:
                self._pager = Pager()
            except OSError as error:
                name = f"{error.filename}: " if error.filename else ""
                report_error("pager", name + (error.strerror or str(error)))
        return self._pager


def _wants_color() -> bool:
    """Return whether to write colours: NO_COLOR comes first, then FORCE_COLOR, then the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def _encodable(text: str, stream: object) -> str:
    """Return `text` with escapes for characters that the encoding of `stream` does not have."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower().replace("-", "") == "utf8":
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)

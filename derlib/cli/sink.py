"""Where the commands write that make one thing, octets or text: standard output, or the file of `-o`."""

from __future__ import annotations

import sys

from derlib.cli.output import report_error

__all__ = ["Sink"]


class Sink:
    """One place to write to. A file is made when there is something to write, so that an error leaves none behind."""

    def __init__(self, path: str | None, new: bool = False) -> None:
        """`path` is what `-o` says; with `new`, what stands there already is left alone."""
        self.path = None if path == "-" else path
        self._mode = "xb" if new else "wb"

    @property
    def terminal(self) -> bool:
        """Whether a terminal would get what is written."""
        return self.path is None and sys.stdout is not None and sys.stdout.isatty()

    def octets(self, octets: bytes) -> None:
        """Write `octets`, and nothing after them. Raises OSError, FileExistsError among them."""
        if self.path is not None:
            with open(self.path, self._mode) as stream:
                stream.write(octets)
        elif sys.stdout is not None:
            sys.stdout.flush()
            sys.stdout.buffer.write(octets)
            sys.stdout.buffer.flush()

    def text(self, text: str) -> None:
        """Write `text`, which is ASCII. Raises OSError."""
        self.octets(text.encode("ascii"))

    def fault(self, place: str, message: str, status: int) -> int:
        """Tell what is wrong; returns `status`."""
        report_error(place, message)
        return status

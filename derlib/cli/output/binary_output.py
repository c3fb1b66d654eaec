"""The output of commands that write one result, binary or text: standard output, or the file of `-o`."""

from __future__ import annotations

import os
import sys

from derlib.cli.output.standard_output import closed

__all__ = ["BinaryOutput"]


class BinaryOutput:
    """Standard output or a file. The file is created when something is written, so that an error leaves none."""

    def __init__(self, path: str | None, replaced: bytes | None = None) -> None:
        """Take the path of a file, or None or "-" for standard output.

        `replaced`: a file that exists is replaced only if it begins with these bytes. None: any file is.
        """
        self.path = None if path == "-" else path
        self._replaced = replaced

    @property
    def is_terminal(self) -> bool:
        """Whether the output goes to a terminal."""
        return self.path is None and sys.stdout is not None and sys.stdout.isatty()

    def write(self, data: bytes) -> None:
        """Write all of the output. Raises OSError; FileExistsError for a file that is not replaced."""
        if self.path is not None:
            with open(self.path, "wb" if self._may_replace(self.path) else "xb") as stream:
                stream.write(data)
        elif sys.stdout is None:
            raise closed()
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def _may_replace(self, path: str) -> bool:
        """Return whether a file at this path is replaced. Other things than files, such as a FIFO, are not opened."""
        if self._replaced is None:
            return True
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as stream:
            return stream.read(len(self._replaced)) == self._replaced

    def write_text(self, text: str) -> None:
        """Write all of the output, as ASCII text. Raises OSError."""
        self.write(text.encode("ascii"))

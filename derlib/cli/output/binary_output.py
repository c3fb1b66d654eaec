"""The output of commands that write one result, binary or text: standard output, or the file of `-o`."""

from __future__ import annotations

import sys

from derlib.cli.output.standard_output import closed

__all__ = ["BinaryOutput"]


class BinaryOutput:
    """Standard output or a file. The file is created when something is written, so that an error leaves none."""

    def __init__(self, path: str | None, create: bool = False) -> None:
        """Take the path of a file, or None or "-" for standard output. `create`: the file must not exist."""
        self.path = None if path == "-" else path
        self._mode = "xb" if create else "wb"

    @property
    def is_terminal(self) -> bool:
        """Whether the output goes to a terminal."""
        return self.path is None and sys.stdout is not None and sys.stdout.isatty()

    def write(self, data: bytes) -> None:
        """Write all of the output. Raises OSError; FileExistsError for a file that must not exist."""
        if self.path is not None:
            with open(self.path, self._mode) as stream:
                stream.write(data)
        elif sys.stdout is None:
            raise closed()
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def write_text(self, text: str) -> None:
        """Write all of the output, as ASCII text. Raises OSError."""
        self.write(text.encode("ascii"))

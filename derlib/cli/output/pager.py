"""The pager that `--pager` starts between the output and the terminal."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil

__all__ = ["Pager", "PagerClosed"]

#: The options of `less` if LESS is not set: exit if the text fits the screen, keep colours, do not clear the screen.
_LESS = "FRX"


class PagerClosed(BrokenPipeError):
    """The user closed the pager before the end of the output."""


class Pager:
    """A running pager."""

    def __init__(self) -> None:
        """Start the command in DERLIB_PAGER or PAGER, or less, or more. Raises OSError."""
        import subprocess  # Slow to import, and rarely needed.

        words = os.environ.get("DERLIB_PAGER") or os.environ.get("PAGER")
        words = words or ("less" if shutil.which("less") else "more")
        try:
            command = shlex.split(words)
        except ValueError as error:
            raise OSError(f"{words!r:.80} is not a command: {error}") from error
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, env={**os.environ, "LESS": os.environ.get("LESS", _LESS)}
        )

    def write(self, text: str) -> None:
        """Write `text` to the pager. Raises `PagerClosed`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode("utf-8", "backslashreplace"))
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise PagerClosed from None

    def close(self) -> None:
        """Close the input of the pager, and wait until the user closes it."""
        assert self._process.stdin is not None
        while True:
            try:
                with contextlib.suppress(BrokenPipeError):
                    self._process.stdin.close()
                self._process.wait()
                return
            except KeyboardInterrupt:
                continue  # The terminal sends an interrupt to the pager, too, which handles it.

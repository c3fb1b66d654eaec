"""A pager between the output and the terminal, where somebody asks for one: `--pager`."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys

__all__ = ["Pager", "PagerGone"]

#: What `less` is told where LESS says nothing: end at once when all fits on the screen, keep colours, leave it there.
_LESS = "FRX"


class PagerGone(BrokenPipeError):
    """The person has seen enough, and closed the pager."""


class Pager:
    """A pager that runs, and takes text until it is closed."""

    def __init__(self) -> None:
        """Start what DERLIB_PAGER or PAGER says, or less, or more. Raises OSError."""
        import subprocess  # It takes a while to import, and few ask for a pager.

        words = os.environ.get("DERLIB_PAGER") or os.environ.get("PAGER")
        words = words or ("less" if shutil.which("less") else "more")
        try:
            command = shlex.split(words)
        except ValueError as error:
            raise OSError(f"{words!r:.80} is no command: {error}") from error
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, env={**os.environ, "LESS": os.environ.get("LESS", _LESS)}
        )

    @staticmethod
    def wanted() -> bool:
        """Whether there is a terminal for one."""
        return sys.stdout is not None and sys.stdout.isatty()

    def write(self, text: str) -> None:
        """Give it `text`. Raises `PagerGone`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode("utf-8", "backslashreplace"))
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise PagerGone from None

    def close(self) -> None:
        """Tell it that this was all, and wait until the person has done with it."""
        assert self._process.stdin is not None
        while True:
            try:
                with contextlib.suppress(BrokenPipeError):
                    self._process.stdin.close()
                self._process.wait()
                return
            except KeyboardInterrupt:
                continue  # It is the pager's, which has it from the terminal too.

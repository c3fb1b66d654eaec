"""The progress of a long operation, on one line of standard error.

It is shown only if standard error is a terminal and the output goes elsewhere, because output on a terminal shows the
progress itself. The line appears after a delay and disappears at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TextIO, TypeVar

__all__ = ["LONG", "clear", "track", "track_files"]

T = TypeVar("T")

#: The least total of a long operation.
LONG = 20_000
#: The number of items between two looks at the clock.
_STRIDE = 1024

#: The seconds before the line appears, and between two updates.
_DELAY = 0.5
_INTERVAL = 0.1

#: Whether the line is on the terminal.
_is_drawn = False


def track(items: Iterable[T], total: int, unit: str, position: Callable[[T], int] | None = None) -> Iterator[T]:
    """Yield `items`, and show a line such as `entries: 120,000 of 415,756 (28 %)`.

    `position` returns how much of `total` is done at an item; by default this is the number of items.
    """
    if total < LONG or not _is_watched():
        return iter(items)
    return _tracked(items, _STRIDE, lambda count, item: _share(unit, position(item) if position else count, total))


def track_files(files: Iterable[str], total: int | None = None, *, has_output_file: bool = False) -> Iterator[str]:
    """Yield names of files, and show a line such as `files: 1,200 of 4,000 (30 %)`.

    Args:
        files: the names.
        total: how many there are; None if this is not known.
        has_output_file: whether the output goes to a file, and not to standard output.
    """
    if not (_is_terminal(sys.stderr) if has_output_file else _is_watched()):
        return iter(files)
    return _tracked(files, 1, lambda count, _: _share("files", count, total) if total else f"files: {count:,}")


def clear() -> None:
    """Remove the line, so that a message can take its place."""
    if _is_drawn:
        _draw("")


def _share(unit: str, done: int, total: int) -> str:
    return f"{unit}: {done:,} of {total:,} ({done * 100 // total} %)"


def _tracked(items: Iterable[T], stride: int, text: Callable[[int, T], str]) -> Iterator[T]:
    due = monotonic() + _DELAY
    shown = False
    try:
        for count, item in enumerate(items):
            if count % stride == 0 and monotonic() >= due:
                shown = True
                _draw(text(count, item))
                due = monotonic() + _INTERVAL
            yield item
    finally:
        if shown:
            _draw("")


def _is_watched() -> bool:
    """Return whether standard error is a terminal and standard output is not."""
    return _is_terminal(sys.stderr) and sys.stdout is not None and not sys.stdout.isatty()


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _draw(text: str) -> None:
    """Replace the line with `text`."""
    global _is_drawn
    _is_drawn = bool(text)
    try:
        # Move to the first column, and clear to the end of the line (ECMA-48 8.3.41).
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # The terminal was closed; the operation continues.

"""The progress of a long operation, on one line of standard error.

It is shown only if standard error is a terminal and standard output is not, because output on a terminal shows the
progress itself. The line appears after a delay and disappears at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeVar

__all__ = ["LONG", "track"]

T = TypeVar("T")

#: The least total of a long operation.
LONG = 20_000
#: The number of items between two looks at the clock.
_STRIDE = 1024

#: The seconds before the line appears, and between two updates.
_DELAY = 0.5
_INTERVAL = 0.1


def track(items: Iterable[T], total: int, unit: str, position: Callable[[T], int] | None = None) -> Iterator[T]:
    """Yield `items`, and show a line such as `entries: 120,000 of 415,756 (28 %)`.

    `position` returns how much of `total` is done at an item; by default this is the number of items.
    """
    if total < LONG or not _is_watched():
        return iter(items)
    return _tracked(items, total, unit, position)


def _tracked(items: Iterable[T], total: int, unit: str, position: Callable[[T], int] | None) -> Iterator[T]:
    due = monotonic() + _DELAY
    shown = False
    try:
        for count, item in enumerate(items):
            if count % _STRIDE == 0 and monotonic() >= due:
                shown = True
                done = position(item) if position else count
                _draw(f"{unit}: {done:,} of {total:,} ({done * 100 // total} %)")
                due = monotonic() + _INTERVAL
            yield item
    finally:
        if shown:
            _draw("")


def _is_watched() -> bool:
    """Return whether standard error is a terminal and standard output is not."""
    streams = sys.stderr, sys.stdout
    return all(stream is not None for stream in streams) and sys.stderr.isatty() and not sys.stdout.isatty()


def _draw(text: str) -> None:
    """Replace the line with `text`."""
    try:
        # Move to the first column, and clear to the end of the line (ECMA-48 8.3.41).
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # The terminal was closed; the operation continues.

"""How far a long work has come, on one line of standard error, for a person who watches a terminal.

Nothing is shown when standard error is no terminal, nor when the output goes to one: there the output is progress
enough. The line appears after a while and goes away at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeVar

__all__ = ["track"]

T = TypeVar("T")

#: So many items at least are long work, and after so many the clock is looked at.
_MANY = 20_000
_STRIDE = 1024

#: Seconds before the line appears, and between two changes of it.
_PATIENCE = 0.5
_PAUSE = 0.1


def track(items: Iterable[T], total: int, what: str, place: Callable[[T], int] | None = None) -> Iterator[T]:
    """`items`, and a line such as `entries: 120,000 of 415,756 (28 %)` as they are taken.

    `place` says how much of `total` is done when an item is reached; otherwise it is the number of items.
    """
    if total < _MANY or not _watched():
        return iter(items)
    return _tracked(items, total, what, place)


def _tracked(items: Iterable[T], total: int, what: str, place: Callable[[T], int] | None) -> Iterator[T]:
    due = monotonic() + _PATIENCE
    shown = False
    try:
        for taken, item in enumerate(items):
            if taken % _STRIDE == 0 and monotonic() >= due:
                shown = True
                done = place(item) if place else taken
                _draw(f"{what}: {done:,} of {total:,} ({done * 100 // total} %)")
                due = monotonic() + _PAUSE
            yield item
    finally:
        if shown:
            _draw("")


def _watched() -> bool:
    """Whether a person can see standard error, and sees nothing of the output."""
    streams = sys.stderr, sys.stdout
    return all(stream is not None for stream in streams) and sys.stderr.isatty() and not sys.stdout.isatty()


def _draw(text: str) -> None:
    """Put `text` in the place of the line that stands there."""
    try:
        # To the first column, and clear to the end of the line (ECMA-48 8.3.41).
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # Whoever watched has gone; the work goes on.

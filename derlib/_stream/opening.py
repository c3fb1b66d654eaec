"""`derlib.stream.open` and `derlib.stream.open_many`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar, overload

from derlib import _core
from derlib._brief import brief, got
from derlib._core import Plan
from derlib._options import Limits
from derlib._schema.compiler import plan_of
from derlib._stream.reader import Stream
from derlib._stream.window import Window, reader_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

T = TypeVar("T")

# The largest element that is read as a whole, in bytes.
BUFFER_SIZE = 1 << 20


@overload
def open(
    source: Buffer | IO[bytes],
    type: type[T],
    rules: Literal["der", "ber"] = ...,
    limits: Limits | None = ...,
    *,
    buffer_size: int = ...,
) -> Stream[T]: ...
@overload
def open(
    source: Buffer | IO[bytes],
    type: Any,
    rules: Literal["der", "ber"] = ...,
    limits: Limits | None = ...,
    *,
    buffer_size: int = ...,
) -> Stream[Any]: ...
def open(
    source: Any,
    type: Any,
    rules: Literal["der", "ber"] = "der",
    limits: Limits | None = None,
    *,
    buffer_size: int = BUFFER_SIZE,
) -> Stream[Any]:
    """Open an encoding to read it part by part, in the order of the encoding.

    Memory use depends on `buffer_size`, not on the size of the encoding. An element is opened if a part inside it was
    asked for, or if it is larger than the buffer; then its order, components and sizes are checked as they are read.
    Every other element is read and validated as a whole.

    Args:
        source: a file that is open for reading bytes, seekable or not, such as a pipe or socket; or bytes, an mmap or
            another buffer.
        type: a type expression.
        rules: "der", or "ber" to accept BER and CER.
        limits: the limits for the value, as for `decode`.
        buffer_size: the size in bytes of the largest element that is read as a whole.

    Returns:
        A `Stream`. Use it in a ``with`` statement: at its end, the rest of the encoding is validated.

    Raises:
        TypeError: `source` is neither a buffer nor a file of bytes.
        ValueError: `rules` or `buffer_size` is invalid.

    >>> import derlib
    >>> class Log(derlib.Sequence):
    ...     name: str
    ...     lines: derlib.SequenceOf[int]
    >>> octets = Log(name="a", lines=derlib.SequenceOf[int]([1, 2, 3])).encode()
    >>> with derlib.stream.open(octets, Log) as stream:
    ...     print(stream["name"])
    ...     for line in stream["lines"]:
    ...         print(line)
    a
    1
    2
    3
    """
    plan, window = _opened(source, type, rules, limits, buffer_size)
    return Stream(window, plan, rules, limits, buffer_size, False)


@overload
def open_many(
    source: Buffer | IO[bytes],
    type: type[T],
    rules: Literal["der", "ber"] = ...,
    limits: Limits | None = ...,
    *,
    buffer_size: int = ...,
) -> Iterator[Stream[T]]: ...
@overload
def open_many(
    source: Buffer | IO[bytes],
    type: Any,
    rules: Literal["der", "ber"] = ...,
    limits: Limits | None = ...,
    *,
    buffer_size: int = ...,
) -> Iterator[Stream[Any]]: ...
def open_many(
    source: Any,
    type: Any,
    rules: Literal["der", "ber"] = "der",
    limits: Limits | None = None,
    *,
    buffer_size: int = BUFFER_SIZE,
) -> Iterator[Stream[Any]]:
    """Yield a `Stream` for each of the encodings that follow each other in a file or buffer.

    The arguments are those of `open`. Before the next stream is yielded, the rest of the last one is validated. For
    values that fit into memory, `iter_decode` is simpler.

    Raises:
        The errors of `open`, and those of the streams.

    >>> import derlib
    >>> octets = bytes.fromhex("3003020101" "3006020102020103")
    >>> for stream in derlib.stream.open_many(octets, derlib.SequenceOf[int]):
    ...     print(sum(stream[()]))
    1
    5
    """
    plan, window = _opened(source, type, rules, limits, buffer_size)
    return _streams(window, lambda: Stream(window, plan, rules, limits, buffer_size, True))


def _opened(
    source: Any, type: Any, rules: Any, limits: Limits | None, buffer_size: int
) -> tuple[Plan, Window]:
    """Return the plan of a type and a window over a source, after checking the arguments of `open`."""
    plan = plan_of(type)
    plan.ready()
    _core.require_options(None, limits)
    require_rules(rules)
    if not isinstance(buffer_size, int) or buffer_size < 1:
        raise ValueError(f"buffer_size: expected a positive int, got {brief(buffer_size)}")
    return plan, Window(*reader_of(source))


def require_rules(rules: Any) -> None:
    """Raise TypeError or ValueError if `rules` is neither "der" nor "ber"."""
    if not isinstance(rules, str):
        raise TypeError(f"expected 'der' or 'ber' for rules, got {got(rules)}")
    if rules not in ("der", "ber"):
        raise ValueError(f"expected 'der' or 'ber' for rules, got {brief(rules)}; 'ber' also accepts CER")


def _streams(window: Window, opened: Callable[[], Stream[Any]]) -> Iterator[Stream[Any]]:
    while window.holds(1):
        stream = opened()
        yield stream
        stream.close()

"""Streams: encodings and lists that do not fit into memory.

`iter_decode` reads consecutive values: it reads a file in chunks, and holds one value and the bytes read after it. Each
byte is copied at most once from a buffer that can change, so the time is linear in the input.

`open` reads one value part by part, and `open_many` consecutive ones (derlib/_stream).

`encode_to` writes lists. The length octets of a list come before its contents. So it encodes the contents first, a few
thousand elements at a time, into a temporary file. Then everything is written in order. Memory use does not depend on
the length of the list.
"""

from __future__ import annotations

import errno
import mmap
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar, overload

from derlib import _core
from derlib._core import Kind, Plan
from derlib._options import Deviation, Limits
from derlib._schema.compiler import plan_of
from derlib._schema.open_types import selecting_components
from derlib._stream.opening import open, open_many, require_rules
from derlib._stream.reader import Stream
from derlib._stream.window import READ_SIZE, TEXT_FILE, file_or_buffer, reader_of, write_all
from derlib.errors import ConstraintError, EncodeError, LimitError

if TYPE_CHECKING:
    from typing_extensions import Buffer

T = TypeVar("T")

__all__ = ["Stream", "encode_to", "iter_decode", "open", "open_many"]

# The number of elements that `encode_to` encodes at a time, and of bytes that it copies at a time.
CHUNK = 4096
COPY_SIZE = 1 << 20
# The largest nesting depth of a value.
STEPS_LIMIT = 100


@overload
def iter_decode(
    source: Buffer | IO[bytes],
    type: type[T],
    *,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    rules: Literal["der", "ber"] = "der",
) -> Iterator[T]: ...
@overload
def iter_decode(
    source: Buffer | IO[bytes],
    type: Any = ...,
    *,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    rules: Literal["der", "ber"] = "der",
) -> Iterator[Any]: ...
def iter_decode(
    source: Any,
    type: Any = _core.TLV,
    *,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    rules: Literal["der", "ber"] = "der",
) -> Iterator[Any]:
    """Yield the values whose encodings follow each other in a buffer or a file.

    The time is linear in the input. A file is read in chunks, and only one value at a time is in memory. The offsets in
    a value count from its own first byte.

    Args:
        source: bytes, a memoryview, an mmap or another buffer; or a file that is open for reading bytes. A buffered
            file waits until a whole chunk of 64 KiB has arrived. To get each value of a socket or pipe as soon as it
            arrives, open the file without a buffer, for example with `socket.makefile("rb", buffering=0)`. If it does
            not block and has no bytes, the iterator raises BlockingIOError; `next` goes on when it has more. For bytes
            that your program receives itself, see `element_size`.
        type: a type expression; `TLV` without one.
        tolerate: the deviations to tolerate, as for `decode`.
        limits: the limits for each value, as for `decode`.
        rules: "der", or "ber" to accept BER and CER, as for `decode`; `origin` of each value has the changes.

    Raises:
        DecodeError: the bytes after the last value are not an encoding of the type. `offset` counts from the start of
            the source. The values before it were yielded.
        LimitError: a value exceeds a limit. For `Limits(size=...)`, the header of the value is enough.
        TypeError: `source` is neither a buffer nor a file of bytes.
        OSError: the file cannot be read. `next` tries it again; the bytes that were read before are kept.

    >>> import io
    >>> import derlib
    >>> stream = bytes.fromhex("020101" "020102" "020103")
    >>> list(derlib.iter_decode(stream, int)), list(derlib.iter_decode(io.BytesIO(stream), int))
    ([1, 2, 3], [1, 2, 3])
    """
    if isinstance(type, (bytes, bytearray, memoryview)) or hasattr(type, "readinto"):
        raise TypeError("the source comes first: iter_decode(source, type)")
    plan = plan_of(type)
    plan.ready()
    _core.require_options(tolerate, limits)
    require_rules(rules)
    found = file_or_buffer(source)
    if isinstance(found, memoryview) and rules == "der":
        return _values_in_buffer(plan, found, tolerate, limits)
    return _ValuesInFile(plan, reader_of(source)[0], tolerate, limits, rules)


def _values_in_buffer(
    plan: Plan, rest: memoryview, tolerate: Deviation | None, limits: Limits | None
) -> Iterator[Any]:
    offset = 0
    # Not `while rest`: the length of a memoryview is that of its first dimension.
    while rest.nbytes:
        value, after = _core.decode_plan_prefix(plan, rest, True, tolerate, limits, offset)
        offset += rest.nbytes - after.nbytes
        rest = after
        yield value


class _ValuesInFile(Iterator[Any]):
    """The values in a file. If `read` raises an exception, the bytes before it are kept, and the next call goes on."""

    def __init__(
        self,
        plan: Plan,
        read: Callable[[int], Any],
        tolerate: Deviation | None,
        limits: Limits | None,
        rules: Literal["der", "ber"],
    ) -> None:
        self._plan = plan
        self._read = read
        self._tolerate = tolerate
        self._limits = limits
        self._rules = rules
        self._pending = bytearray()  # read, but not decoded
        self._offset = 0
        self._place = (0, 0)  # in BER: where the search for the end of the element goes on, and its level there
        self._ended = False

    def __next__(self) -> Any:
        if self._ended:
            raise StopIteration
        size = self._read_ber_element() if self._rules == "ber" else self._read_element()
        # Nothing follows an invalid value.
        self._ended = True
        if not self._pending:
            raise StopIteration
        # The check of DER stops at the end of the value; the conversion of BER takes a value without what follows.
        octets = bytes(memoryview(self._pending)[:size]) if self._rules == "ber" else self._pending
        value, after = _core.decode_plan_prefix(
            self._plan, octets, True, self._tolerate, self._limits, self._offset, self._rules
        )
        length = len(octets) - len(after)
        # A bytearray cannot shrink while a memoryview uses it.
        after.release()
        del self._pending[:length]
        self._offset += length
        self._place = (0, 0)
        self._ended = False
        return value

    def _read_ber_element(self) -> int:
        """Read until an element is pending, something invalid, or the end; return the size of the element, or of all.

        The header of an indefinite length has no size, so the headers inside it are read, each once, up to its end.
        """
        while True:
            at, levels, needs_more = _core.find_ber_end(self._pending, *self._place)
            self._place = (at, levels)
            if not needs_more:
                return at if at and not levels else len(self._pending)
            self._require_within_limit(0 if at else _core.announced_size(self._pending))
            if not self._read_more():
                return len(self._pending)

    def _read_element(self) -> int:
        """Read until an element is pending, an invalid header, or the end; return the number of pending bytes."""
        while True:
            size = _core.announced_size(self._pending)
            if size is not None and size <= len(self._pending):
                return len(self._pending)
            self._require_within_limit(size)
            if not self._read_more():
                return len(self._pending)

    def _require_within_limit(self, size: int | None) -> None:
        """Raise LimitError if an element that is not pending as a whole exceeds the limit.

        `size` is that of its header, if it is known.
        """
        most = None if self._limits is None else self._limits.size
        pending = len(self._pending)
        if most is None or max(size or 0, pending) <= most:
            return
        self._ended = True
        text = f"input is {size or most + 1} bytes{'' if size else ' or more'}; the limit is {most}"
        raise LimitError(text, (), self._offset, "", "input-limit")

    def _read_more(self) -> bool:
        """Read a chunk; return False at the end of the file."""
        octets = self._read(READ_SIZE)
        if octets is None:
            raise BlockingIOError(errno.EAGAIN, "the file is not ready for reading; call next() again when it is")
        if isinstance(octets, str):
            raise TypeError(TEXT_FILE)
        self._pending += octets
        return bool(octets)


def encode_to(file: IO[bytes], value: Any, type: Any = None) -> int:
    """Write the DER encoding of a value to a file, streaming every SEQUENCE OF that is given as an iterator.

    Args:
        file: a file that is open for writing bytes. It need not be seekable.
        value: a value as for `derlib.encode`. In dicts of fields, at any depth, a list can be a generator or another
            iterator.
        type: a type expression. It can be omitted for a value of a schema class.

    Returns:
        The number of bytes written.

    Raises:
        ConstraintError: a value is not a value of its type. Nothing is written to `file`.
        EncodeError: a SET OF is given as an iterator, or the value is nested too deeply.
        OSError: the file, or a temporary one, cannot be written.

    >>> import io
    >>> import derlib
    >>> from derlib import SequenceOf
    >>> file = io.BytesIO()
    >>> derlib.encode_to(file, (n * n for n in range(4)), SequenceOf[int])
    14
    >>> file.getvalue().hex()
    '300c020100020101020104020109'
    """
    if not hasattr(file, "write"):
        raise TypeError(f"file: expected a file that is open for writing bytes, got {file.__class__.__name__}")
    if type is None:
        if not isinstance(value, (_core.View, _core.TLV)):
            raise TypeError("pass the type: encode_to(file, value, type)")
        return write_all(file, value.encode())
    plan = plan_of(type)
    plan.ready()
    with ExitStack() as files:
        pieces, is_valid = _core.encode_pieces(plan, _with_encoded_lists(plan, value, files, 0))
        if not is_valid:
            pieces = [_validated(plan, pieces, files)]
        return sum(_write_piece(file, piece) for piece in pieces)


def _write_piece(file: IO[bytes], piece: bytes | _core.EncodedListFile) -> int:
    if isinstance(piece, bytes):
        return write_all(file, piece)
    piece.file.seek(0)
    while octets := piece.file.read(COPY_SIZE):
        write_all(file, octets)
    return piece.length


def _validated(plan: Plan, pieces: list[bytes | _core.EncodedListFile], files: ExitStack) -> _core.EncodedListFile:
    """Return all pieces in one temporary file, after validating it as a whole."""
    file = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    length = sum(_write_piece(file, piece) for piece in pieces)
    file.flush()
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as octets:
        _core.check_written(plan, octets)
    return _core.EncodedListFile(file, length, 1, 0)


def _with_encoded_lists(plan: Plan, value: Any, files: ExitStack, steps: int) -> Any:
    """Return the value with each iterator for a SEQUENCE OF replaced by a file of its encoded elements."""
    if steps > STEPS_LIMIT:
        raise EncodeError("the value is nested too deeply, or contains itself")
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
    if plan.kind == Kind.KIND_SEQUENCE_OF and isinstance(value, Iterator) and not selecting_components(plan.element):
        return _encode_list(plan, value, files)
    # Not in a SET, whose members are sorted when all are encoded, nor in a component with a DEFAULT, whose whole
    # encoding is compared with the default.
    if plan.kind == Kind.KIND_SEQUENCE and isinstance(value, Mapping):
        made = dict(value)
        for name, field, default in zip(plan.names, plan.plans, plan.defaults, strict=True):
            if name in made and default is None:
                try:
                    made[name] = _with_encoded_lists(field, made[name], files, steps + 1)
                except ConstraintError as error:
                    error.path = (name, *error.path)
                    raise
        return made
    return value


def _encode_list(plan: Plan, elements: Iterator[Any], files: ExitStack) -> _core.EncodedListFile:
    file = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    length = count = max_depth = 0
    # Call iter() only once: for each islice, it could start again.
    elements = iter(elements)
    while chunk := list(islice(elements, CHUNK)):
        try:
            octets, levels = _core.encode_elements(plan, chunk)
        except ConstraintError as error:
            # The index in the path is relative to the chunk.
            first, *rest = error.path
            error.path = (count + int(first), *rest)
            raise
        file.write(octets)
        length += len(octets)
        count += len(chunk)
        max_depth = max(max_depth, levels)
    return _core.EncodedListFile(file, length, count, max_depth)


# Messages and help() show the public module.
for _public in (Stream, open, open_many):
    _public.__module__ = __name__

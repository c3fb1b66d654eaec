"""Encoding to a file what does not fit into memory: lists that a generator feeds.

The length of a list stands before its contents, so the contents are encoded first, a few thousand elements at a
time, into a temporary file; then everything is written in order. Memory stays flat, however long the list.
"""

from __future__ import annotations

import errno
import io
import mmap
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from typing import IO, Any

from derlib import _core
from derlib._core import Kind, Plan
from derlib._schema.compiler import plan_of
from derlib.errors import ConstraintError, EncodeError

__all__ = ["encode_to"]

CHUNK = 4096
COPY_SIZE = 1 << 20
# Each step is an element around the next one, and a value has 100 levels at most.
STEPS_LIMIT = 100


def encode_to(file: IO[bytes], value: Any, type: Any = None) -> int:
    """Write the DER encoding of a value to a file, streaming every SEQUENCE OF that is given as an iterator.

    Args:
        file: opened for writing octets; it need not be seekable.
        value: as `derlib.encode` takes it; in dicts of fields, at any depth, a list may be a generator or another
            iterator.
        type: a type expression; for a value of a schema class it may be left out.

    Returns:
        The number of octets written.

    Raises:
        ConstraintError: a value does not fit; nothing has been written to `file` then.
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
        raise TypeError(f"the file is one opened for writing octets, not {file.__class__.__name__}")
    if type is None:
        if not isinstance(value, (_core.View, _core.TLV)):
            raise TypeError("give the type: encode_to(file, value, type)")
        return _write_all(file, value.encode())
    plan = plan_of(type)
    plan.ready()
    with ExitStack() as files:
        pieces, proved = _core.encode_pieces(plan, _spooled(plan, value, files, 0))
        if not proved:
            pieces = [_proved(plan, pieces, files)]
        return sum(_write_piece(file, piece) for piece in pieces)


def _write_piece(file: IO[bytes], piece: bytes | _core.EncodedListFile) -> int:
    if isinstance(piece, bytes):
        return _write_all(file, piece)
    piece.file.seek(0)
    while octets := piece.file.read(COPY_SIZE):
        _write_all(file, octets)
    return piece.length


def _write_all(file: IO[bytes], octets: bytes) -> int:
    """Write all: a raw file may take a part at a time, and says how much."""
    rest: bytes | memoryview = octets
    while rest:
        taken: Any = file.write(rest)
        if taken is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "the file takes nothing now")
        if not isinstance(taken, int):
            break  # a writer of another kind, which takes all or raises
        if not 0 < taken <= len(rest):
            raise OSError(f"the file says that it took {taken} of {len(rest)} octets")
        rest = memoryview(rest)[taken:]
    return len(octets)


def _proved(plan: Plan, pieces: list[bytes | _core.EncodedListFile], files: ExitStack) -> _core.EncodedListFile:
    """All pieces in one file that was checked as a whole."""
    file = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    length = sum(_write_piece(file, piece) for piece in pieces)
    file.flush()
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as octets:
        _core.check_written(plan, octets)
    return _core.EncodedListFile(file, length, 1, 0)


def _spooled(plan: Plan, value: Any, files: ExitStack, steps: int) -> Any:
    """The value with each iterator for a SEQUENCE OF replaced by a file that holds its encoded elements."""
    if steps > STEPS_LIMIT:
        raise EncodeError("the value is nested too deeply, or in itself")
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
    if plan.kind == Kind.KIND_SEQUENCE_OF and isinstance(value, Iterator) and not _relative(plan.element):
        return _spool(plan, value, files)
    # Members of a SET are sorted when all are written, and what may equal a default is compared with it as a whole.
    if plan.kind == Kind.KIND_SEQUENCE and isinstance(value, Mapping):
        made = dict(value)
        for name, field, default in zip(plan.names, plan.plans, plan.defaults, strict=True):
            if name in made and default is None:
                try:
                    made[name] = _spooled(field, made[name], files, steps + 1)
                except ConstraintError as error:
                    error.path = (name, *error.path)
                    raise
        return made
    return value


def _relative(plan: Plan) -> bool:
    """Whether elements are of a type that a field around the list selects, which only the writer of all knows."""
    seen: set[int] = set()  # types may hold themselves
    waiting = [plan]
    while waiting:
        plan = waiting.pop()
        if id(plan) in seen:
            continue
        seen.add(id(plan))
        if plan.selector:
            return True
        if plan.kind in (Kind.KIND_EXPLICIT, Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF):
            waiting.append(plan.element)
        elif plan.kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
            waiting += plan.plans
    return False


def _spool(plan: Plan, elements: Iterator[Any], files: ExitStack) -> _core.EncodedListFile:
    file = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    length = count = max_depth = 0
    # Once: islice asks at each chunk, and a class may begin anew whenever it is asked.
    elements = iter(elements)
    while chunk := list(islice(elements, CHUNK)):
        try:
            octets, levels = _core.encode_elements(plan, chunk)
        except ConstraintError as error:
            # The core counts from the beginning of the chunk.
            first, *rest = error.path
            error.path = (count + int(first), *rest)
            raise
        file.write(octets)
        length += len(octets)
        count += len(chunk)
        max_depth = max(max_depth, levels)
    return _core.EncodedListFile(file, length, count, max_depth)

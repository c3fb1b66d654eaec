"""`Stream`, the result of `derlib.stream.open`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Generic, TypeVar

from derlib import _core
from derlib._core import Kind, Plan
from derlib._options import Limits
from derlib._paths import LISTS, Path, any_index, parse_path, plans_at
from derlib._stream.decoded import default_at
from derlib._stream.inner_types import TRANSPARENT
from derlib._stream.open_elements import OpenList, with_path
from derlib._stream.walker import Found, Walker
from derlib._stream.window import Window, writer_of
from derlib.errors import ASN1Error, LimitError, UnrepresentableError, format_path

T = TypeVar("T")


class Stream(Generic[T]):
    """A value that is read from a stream part by part, forward only. `derlib.stream.open` returns it.

    Use it in a ``with`` statement: at its end, the rest of the value is read and validated.

    >>> import derlib
    >>> with derlib.stream.open(bytes.fromhex("3006020101020102"), derlib.SequenceOf[int]) as stream:
    ...     print(stream[1], stream.offset)
    2 8
    """

    # Without it, iter() would call `__getitem__` with 0, 1, 2 ...
    __iter__ = None

    def __init__(
        self, window: Window, plan: Plan, rules: str, limits: Limits | None, buffer_size: int, prefix: bool
    ) -> None:
        self._window = window
        self._plan = plan
        self._walker = Walker(window, plan, rules == "ber", limits, buffer_size)
        self._prefix = prefix
        self._closed = False
        self._busy = False
        self._error: BaseException | None = None

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        self._closed = True

    @property
    def offset(self) -> int:
        """The offset in the source of the first byte that was not used yet."""
        return self._window.offset

    def __getitem__(self, path: Any) -> Any:
        """Return the value at a path; for a list, an iterator that reads and validates one element at a time.

        Args:
            path: names of fields and alternatives, and indexes: a tuple such as ``("entries", 3, "name")``, or a string
                such as ``"entries[3].name"``; ``()`` is the whole value.

        Returns:
            The value, as the attribute of a decoded view. For an absent component, its DEFAULT value or None; for an
            absent list, an empty iterator.

        Raises:
            DecodeError, LimitError: the bytes up to the end of the value are not a valid encoding, or exceed a limit.
            KeyError: the type has no such part. The type of an open type is the one that its selector chooses.
            ValueError: the part comes before one that was asked for, or the stream is closed.
            OSError: the file cannot be read.
        """
        path = parse_path(path, wildcards=False)
        plans = plans_at(self._plan, path)
        self._require_ahead(path)
        found = self._find(path, _may_be_list)
        if found is None:
            value = default_at(self._plan, path)
            return iter(value or ()) if all(map(_is_list, plans)) else value
        child = found.child
        if child is not None and child.plan.kind in LISTS and not child.plan.constraints:
            self._guarded(lambda: self._walker.open(child))
            return self._elements(self._walker.open_elements[-1])  # type: ignore[arg-type]
        value = self._value(found)
        return iter(value) if isinstance(value, _core.ListView) else value

    def parts(self, *paths: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
        """Yield the path and the value of each part that one of the paths names, in the order of the encoding.

        In a path, ``"*"`` is any index, as in ``"entries[*].name"`` or ``("entries", "*", "name")``. Absent parts are
        left out. Lists are yielded as a whole; a path that ends in ``"*"`` yields their elements one by one.

        Raises:
            The errors of ``stream[path]``; ValueError, too, if one path leads to or into the part of another.
        """
        wanted = [parse_path(path) for path in paths]
        for number, path in enumerate(wanted):
            plans_at(self._plan, path)
            self._require_ahead(path)
            for other in wanted[:number]:
                if all(a == b or any_index in (a, b) for a, b in zip(path, other, strict=False)):
                    raise ValueError(f"the paths {format_path(other)} and {format_path(path)} overlap")
        return self._parts(wanted)

    def _parts(self, wanted: list[Path]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
        while True:
            self._require_open()
            if self._walker.wanted is not wanted:
                # Nothing was asked for yet, or something else since the last part.
                self._walker.ask(wanted)
            everything = self._guarded(lambda: self._walker.advance(lambda plan: False))
            if not everything:
                return
            for found in everything:
                yield found.path, self._value(found)

    def copy_bytes(self, path: Any, *targets: Any) -> int | None:
        """Pass the contents of an OCTET STRING, which can be in segments, to each target in chunks.

        Args:
            path: the path of the OCTET STRING, as for ``stream[path]``.
            targets: files that are open for writing bytes, objects with a method `update` such as hashes, or callables
                that take bytes. If an error is raised, they may have received a part of the contents.

        Returns:
            The number of bytes, or None if the OCTET STRING is absent.

        Raises:
            TypeError: the part is not an OCTET STRING, or a target is none of these.
            The errors of ``stream[path]``, and those of the targets.
        """
        path = parse_path(path, wildcards=False)
        plans = plans_at(self._plan, path)
        writers = [writer_of(target) for target in targets]
        if all(plan.kind not in (*TRANSPARENT, *_STRINGS) for plan in plans):
            raise _not_octets(path, plans[0])
        self._require_ahead(path)
        found = self._find(path, lambda plan: True)
        if found is None:
            return None
        child = found.child
        if child is not None and self._walker.types.is_content(child):
            count: int = self._guarded(lambda: self._walker.copy(child, writers), recoverable=False)
            return count
        if child is not None and child.plan.kind not in _STRINGS:
            raise _not_octets(path, child.plan)
        octets = self._octets(found)
        for write in writers:
            write(octets)
        return len(octets)

    def close(self) -> None:
        """Read and validate the rest of the value.

        Raises:
            DecodeError: the rest is not valid, or other bytes follow the value.
        """
        if self._closed:
            return
        self._guarded(self._finish)
        self._closed = True

    def _finish(self) -> None:
        self._walker.ask([])
        self._walker.leave(1)
        while (child := self._walker.peek()) is not None:
            self._walker.skip(child)
            self._walker.leave(1)
        if not self._prefix and self._window.holds(1):
            window = self._window
            octets = bytes(window.data[window.start : window.start + 8])
            raise self._walker.parts.fault("trailing-data", self._plan, None, window.offset, octets)

    # The rest is private.

    def _elements(self, opened: OpenList) -> Iterator[Any]:
        walker, window = self._walker, self._window
        depends = bool(walker.selectors.fields_of(opened.element))
        is_fast = not (depends or opened.is_ordered or walker.counts_elements)
        element, value = opened.element, walker.parts.value
        end = -1 if opened.end is None else opened.end
        levels = len(walker.open_elements) - 1
        while True:
            self._require_open()
            if walker.open_elements[-1] is not opened:
                raise ValueError(f"{format_path(opened.path)}: the stream was read beyond this list")
            if is_fast and walker.pending is None:
                try:
                    found = value(element, window.data, window.start, window.first, end, levels)
                except UnrepresentableError:
                    found = None  # its value is read below, and raises the error again
                except ASN1Error as error:
                    if walker.parts.ber:
                        found = None  # convert it
                    else:
                        self._error = with_path(error, (*opened.path, opened.count))
                        raise
                if found is not None:
                    window.start += len(found[1])
                    opened.count += 1
                    yield found[0]
                    continue
            child = self._guarded(walker.peek)
            if child is None:
                return
            yield self._value(Found(child.path, child))

    def _find(self, path: Path, opens: Callable[[Plan], bool]) -> Found | None:
        """Move to the element at a path; return None if it is absent."""
        self._walker.ask([path])
        found = self._guarded(lambda: self._walker.advance(opens))
        return found[0] if found else None

    def _value(self, found: Found) -> Any:
        child = found.child
        return found.value if child is None else self._guarded(lambda: self._walker.take(child))

    def _octets(self, found: Found) -> bytes:
        """Return the contents of an OCTET STRING that had to be read as a whole."""
        child = found.child
        if child is None:
            if not isinstance(found.value, bytes):
                raise TypeError(f"{format_path(found.path)} is not an OCTET STRING")
            return found.value
        octets = self._guarded(lambda: self._walker.read(child, False))
        if octets is None:
            raise self._walker.too_large(child, "pass a larger `buffer_size`")
        return bytes(_core.parse(octets[1]).content)

    def _guarded(self, step: Callable[[], Any], recoverable: bool = True) -> Any:
        """Call a function. After an error about the source or a target, every later call raises the same error.

        After other errors, if they are `recoverable`, the stream can be used.
        """
        self._require_open()
        self._busy = True
        try:
            return step()
        except BaseException as error:
            # A missing part and an element that is too large were not read; an unrepresentable value was.
            is_too_large = isinstance(error, LimitError) and error.kind == "buffer-limit"
            if not (recoverable and (is_too_large or isinstance(error, (KeyError, UnrepresentableError)))):
                self._error = error
            raise
        finally:
            self._busy = False

    def _require_open(self) -> None:
        if self._closed:
            raise ValueError("the stream is closed")
        if self._busy:
            raise RuntimeError("the stream is in use: its source or a target called it, or another thread")
        if self._error is not None:
            raise self._error

    def _require_ahead(self, path: Path) -> None:
        """Raise ValueError if a part was read already, or is being read."""
        self._require_open()
        last = self._walker.last_value
        if last is not None and len(path) > len(last[0]) and path[: len(last[0])] == last[0]:
            return
        place = None
        for opened in self._walker.open_elements:
            if path[: len(opened.path)] == opened.path:
                place = opened
        assert place is not None
        rest = path[len(place.path) :]
        if place.is_past(rest[0] if rest else None):
            raise ValueError(
                f"{format_path(path) or 'the value'} was already read, or precedes a part that was read; ask for the "
                "parts of a stream in the order of the encoding"
            )


_STRINGS = (Kind.KIND_OCTET_STRING, Kind.KIND_OPEN_OCTETS, Kind.KIND_ANY)


def _not_octets(path: Path, plan: Plan) -> TypeError:
    return TypeError(f"{format_path(path) or 'the value'} is {plan.name}, not an OCTET STRING")


def _is_list(plan: Plan) -> bool:
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
    return plan.kind in LISTS


def _may_be_list(plan: Plan) -> bool:
    """Return whether the value of a type can be a list, so that explicit tags around it are opened."""
    return plan.kind in (Kind.KIND_UNION, Kind.KIND_OPEN) or _is_list(plan)

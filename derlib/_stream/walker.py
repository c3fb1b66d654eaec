"""The walk through an encoding: a stack of open elements, and the header of the next element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from derlib._core import ElementHeader, Kind, PartReader, Plan
from derlib._options import Limits
from derlib._paths import LISTS, Path, rest_after
from derlib._stream.contents import copy_contents
from derlib._stream.decoded import values_at
from derlib._stream.inner_types import InnerTypes
from derlib._stream.open_elements import (
    Child,
    OpenAny,
    OpenElement,
    OpenList,
    OpenString,
    Outermost,
    errors_at,
    with_path,
)
from derlib._stream.open_structures import OpenSequence, OpenSet
from derlib._stream.rules import BER, DER
from derlib._stream.selectors import Selectors
from derlib._stream.window import Window
from derlib.errors import LimitError, UnrepresentableError


class Found(NamedTuple):
    """A part that a caller asked for: an element that is not read yet, or else its value."""

    path: Path
    child: Child | None
    value: Any = None


class Walker:
    """Reads one value of a type from a window, forward only.

    Attributes:
        open_elements: the open elements, the outermost first.
        pending: the next child of the last open element, if its header was read.
        last_value: the last element that was read as a whole to find a part inside it, with its value; or None.
    """

    def __init__(self, window: Window, plan: Plan, is_ber: bool, limits: Limits | None, buffer_size: int) -> None:
        self.window = window
        self.parts = PartReader(limits, is_ber)
        self._der = DER(self.parts, limits, buffer_size)
        self._ber = BER(self.parts, limits, buffer_size)
        self._signed_level = 0
        self.buffer_size = buffer_size
        self.size_limit = None if limits is None or limits.size is None else window.offset + limits.size
        self.counts_elements = limits is not None and limits.elements is not None
        self.begin = window.offset
        self.pending: Child | None = None
        self.last_value: tuple[Path, Any] | None = None
        self.wanted: list[Path] = []
        self._found: list[Found] = []
        self.selectors = Selectors(self.parts)
        self.types = InnerTypes(self.parts, self.selectors)
        opened = Child(None, plan, None, (), [], None)  # type: ignore[arg-type]
        self.open_elements: list[OpenElement] = [Outermost(opened, self.parts, plan)]

    # Where the walk is.

    @property
    def rules(self) -> DER:
        """The rules for the next element."""
        return self._ber if self.parts.ber else self._der

    def peek(self) -> Child | None:
        """Return the next child of the last open element, whose header is read; None at the end of its contents."""
        around = self.open_elements[-1]
        if self.pending is not None or around.ended:
            return self.pending
        is_last = isinstance(around, Outermost) and around.count
        if is_last or (around.end is not None and self.window.offset >= around.end):
            self._finish(around)
            return None
        if around.end is not None:
            around.require_more(self.window.offset, self.window.next_bytes(around.end))
        plan, path = around.expected()
        with errors_at(path):
            header = self.read_header(plan, self.bound())
        if header.is_end_of_contents and around.end is None and not isinstance(around, Outermost):
            self.window.start += header.header_length
            self._finish(around)
            return None
        around.require_more(header.offset, b"")
        self.pending = around.child(header)
        return self.pending

    def bound(self) -> int | None:
        """Return where the innermost open element of definite length ends, None if there is none.

        Elements of indefinite length inside it end before, with their end-of-contents octets.
        """
        return next((each.end for each in reversed(self.open_elements) if each.end is not None), None)

    def _finish(self, around: OpenElement) -> None:
        end = self.window.offset
        around.ended = True
        around.finish(end)

    def read_header(self, plan: Plan | None, end: int | None) -> ElementHeader:
        """Read the header of the next element, in an element that ends at `end`."""
        window = self.window
        stop = -1 if end is None else end
        while True:
            header: ElementHeader | None = self.parts.read_header(
                plan, window.data, window.start, window.first, stop, window.complete
            )
            if header is not None:
                after = header.content_offset if header.end is None else header.end
                self.require_size(after)
                if window.size is not None and after > window.size:
                    raise self.parts.truncated(plan, header, window.size, False)
                return header
            window.fill()

    def require_size(self, end: int) -> None:
        """Raise LimitError if the encoding exceeds `Limits.size`."""
        if self.size_limit is not None and end > self.size_limit:
            limit = self.size_limit - self.begin
            text = f"input is {end - self.begin} bytes or more; the limit is {limit}"
            raise LimitError(text, (), self.begin, "", "input-limit")

    def count_segments(self, count: int, header: ElementHeader) -> None:
        """Count segments of a string as elements."""
        if self.counts_elements:
            for _ in range(count):
                if not self.parts.count_element():
                    raise self.parts.fault("element-limit", None, header)

    # One element.

    def read(self, child: Child, with_value: bool) -> tuple[Any, bytes] | None:
        """Read an element as a whole: its value and its DER; None if it is larger than the buffer.

        The value is None unless `with_value` is true.
        """
        around = self.selectors.around(child) if self.selectors.fields_of(child.plan) else None
        levels = len(self.open_elements) - 1
        unreadable = None
        with errors_at(child.path):
            size = self.rules.size_in_memory(self.window, child)
            if size is None:
                return None
            bound = self.bound()
            if bound is not None:
                # The end-of-contents octets may be missing; then those of an outer element were found.
                size = min(size, bound - self.window.offset)
            try:
                value, octets = self.rules.value(self.window, child, size, levels, around, with_value)
            except UnrepresentableError as error:
                # The element is valid. Read it without its value, so that the stream can continue after the error.
                unreadable = error
                value, octets = self.rules.value(self.window, child, size, levels, around, False)
        self.window.start += size
        self.pending = self.last_value = None
        self.open_elements[-1].record(child, octets)
        if unreadable is not None:
            raise unreadable
        return value, octets

    def take(self, child: Child) -> Any:
        """Return the value of an element."""
        found = self.read(child, True)
        if found is None:
            raise self.too_large(child, "ask for its parts, or pass a larger `buffer_size`")
        return found[0]

    def skip(self, child: Child) -> None:
        """Validate an element that nobody asked for."""
        if self.read(child, False) is None:
            child.wanted = []
            inside = self._inside(child, lambda plan: True)
            if inside is None:
                raise self.too_large(child, "pass a larger `buffer_size`")
            if self.types.is_content(inside):
                self.copy(inside, [])
            else:
                self.open(inside)

    def too_large(self, child: Child, hint: str) -> LimitError:
        """Return the error for an element that must be read as a whole, but is larger than the buffer."""
        reason = self.open_elements[-1].is_read_whole(child)
        reason = f" and {reason}" if reason else ""
        text = f"{child.plan.name} is larger than the buffer of {self.buffer_size} bytes{reason}"
        return LimitError(text, child.path, child.header.offset, "", "buffer-limit", hint=hint)

    def copy(self, child: Child, writers: list[Callable[[bytes], Any]]) -> int:
        """Pass the contents of an OCTET STRING to functions, and return their length."""
        around = self.open_elements[-1]
        self.pending = self.last_value = None
        with errors_at(child.path):
            count = copy_contents(self, child, writers)
        around.record(child, None)
        return count

    # Inside an element.

    def open(self, child: Child) -> None:
        """Open an element: its children are read next."""
        levels = len(self.open_elements)
        if levels > self.rules.depth:
            raise with_path(self.parts.fault("depth-limit", child.plan, child.header), child.path)
        if child.plan.ber and self.parts.ber and levels > 1:
            self._require_der(child)
        self.open_elements[-1].record(child, None)
        self.pending = self.last_value = None
        self.window.start += child.header.header_length
        self.open_elements.append(self._opened(child))

    def _require_der(self, child: Child) -> None:
        """Read an element by the rules of DER until it ends, because a signature covers its bytes (`ber="keep"`)."""
        self._signed_level = len(self.open_elements)
        self.parts.ber = False
        with errors_at(child.path):
            child.header = self.read_header(child.plan, self.bound())

    def _opened(self, child: Child) -> OpenElement:
        kind = child.plan.kind
        if kind == Kind.KIND_SEQUENCE:
            return OpenSequence(child, self.parts, self.selectors.fields_of)
        if kind == Kind.KIND_SET:
            return OpenSet(child, self.parts, self.selectors.fields_of)
        if kind in LISTS:
            return OpenList(child, self.parts)
        if kind == Kind.KIND_OPEN_OCTETS:
            target = child.plan.contained or self.selectors.selected(child)[0]  # type: ignore[index]
            child.selects = None
            return OpenString(child, self.parts, target)
        if kind == Kind.KIND_ANY:
            self._require_untyped(child)
            return OpenAny(child, self.parts)
        return OpenElement(child, self.parts)

    def _require_untyped(self, child: Child) -> None:
        """Check the limits for an element without a type."""
        kind = None if self.parts.allows_tag(child.header) else "tag-limit"
        if kind is None and not self.parts.count_element():
            kind = "element-limit"
        if kind:
            raise with_path(self.parts.fault(kind, None, child.header), child.path)

    def _inside(self, child: Child, opens: Callable[[Plan], bool]) -> Child | None:
        """Do what `InnerTypes.find` does, unless the element must be read as a whole."""
        return None if self.open_elements[-1].is_read_whole(child) else self.types.find(child, opens)

    # What a caller asks for.

    def ask(self, wanted: list[Path]) -> None:
        """Set the paths that the caller asks for."""
        self.wanted = wanted
        self._found = []
        if self.last_value is not None:
            path, value = self.last_value
            self._found = _found_in(value, path, _inside_path(wanted, path))
        for opened in self.open_elements:
            opened.wanted = _inside_path(wanted, opened.path)
        if self.pending is not None:
            self.pending.wanted = _inside_path(wanted, self.pending.path)

    def advance(self, opens: Callable[[Plan], bool]) -> list[Found]:
        """Move to the next wanted element, and return it; nothing if none can follow.

        If it is inside an element that cannot be opened, return all wanted parts of that element.
        """
        if self._found:
            found, self._found = self._found, []
            return found
        while True:
            around = self.open_elements[-1]
            if not around.may_reach(self.pending):
                if not any(outer.may_reach(None) for outer in self.open_elements[:-1]):
                    return []
                self.leave(len(self.open_elements) - 1)
                continue
            child = self.peek()
            if child is None:
                continue
            if not child.wanted:
                if around.may_reach(child):
                    self.skip(child)
                continue
            inside = self._inside(child, opens)
            if inside is None:
                if found := self._find_in_value(child):
                    return found
            elif () in inside.wanted and not (inside.plan.kind == Kind.KIND_EXPLICIT and opens(inside.plan)):
                self.pending = inside
                return [Found(inside.path, inside)]
            elif inside.wanted and inside.plan.kind != Kind.KIND_ANY and not self.types.is_content(inside):
                self.open(inside)
            else:
                self.skip(child)

    def _find_in_value(self, child: Child) -> list[Found]:
        """Read an element that cannot be opened, and return the parts of its value that the caller asks for."""
        value = self.take(child)
        self.last_value = child.path, value
        return _found_in(value, child.path, child.wanted)

    def leave(self, depth: int) -> None:
        """Validate the rest of all open elements but the first `depth`."""
        while len(self.open_elements) > depth:
            child = self.peek()
            if child is None:
                self.open_elements.pop()
                if len(self.open_elements) == self._signed_level:
                    self._signed_level = 0
                    self.parts.ber = True
            else:
                self.skip(child)


def _found_in(value: Any, path: Path, wanted: list[Path]) -> list[Found]:
    """Return the wanted parts of the value at a path."""
    return [Found((*path, *steps), None, found) for steps, found in values_at(value, wanted)]


def _inside_path(wanted: list[Path], path: Path) -> list[Path]:
    """Return the paths that lead to or into the part at a path, relative to it."""
    for step in path:
        wanted = rest_after(wanted, step)
    return wanted

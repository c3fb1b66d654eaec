"""Open elements. An `OpenElement` finds the type of each child, and checks the rules that concern several children.

The walker reads the children, and calls `child` with the header of each, `record` when it has read or opened it, and
`finish` at the end of the contents. open_structures.py has SEQUENCE and SET.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from derlib import _core
from derlib._core import ElementHeader, Kind, PartReader, Plan
from derlib._paths import Path, any_index, rest_after
from derlib.errors import ASN1Error, ConstraintViolation

if TYPE_CHECKING:
    from derlib._stream.open_structures import OpenSequence

# A step of a path: a name or an index.
Step = Any


def with_path(error: ASN1Error, path: Path) -> ASN1Error:
    """Return an error after adding the path of the element to which its own path is relative."""
    if path and hasattr(error, "path"):
        error.path = (*path, *error.path)
        if len(error.args) > 1:
            detail, _, *others = error.args
            error.args = (detail, error.path, *others)
    return error


class errors_at:
    """Add a path to each ASN1Error that is raised inside the block."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, ASN1Error):
            with_path(error, self._path)


class Child:
    """An element inside an open element, whose header was read.

    Attributes:
        index: the number of the component or element; None for an unknown addition, and if there is only one.
        plan, path: its type and its path.
        wanted: the paths that the caller asks for inside it, relative to it.
        selects: the SEQUENCE or SET whose components select the types of open types in this element, or None.
    """

    __slots__ = ("header", "index", "path", "plan", "selects", "wanted")

    def __init__(
        self,
        header: ElementHeader,
        plan: Plan,
        index: int | None,
        path: Path,
        wanted: list[Path],
        selects: OpenSequence | None,
    ) -> None:
        self.header = header
        self.plan = plan
        self.index = index
        self.path = path
        self.wanted = wanted
        self.selects = selects


class OpenElement:
    """An open element; this class itself is an explicit tag: an element with one child, which has the same path.

    Attributes:
        plan: its type; None for the outermost value, whose only child is `element`.
        end: the offset after it, None if its length is indefinite.
        ended: its contents were read completely.
    """

    extra = "explicit-extra"

    def __init__(self, opened: Child, parts: PartReader, element: Plan | None = None) -> None:
        self.opened = opened
        self.parts = parts
        self.plan = opened.plan
        self.element = element or self.plan.element
        self.path = opened.path
        self.wanted = opened.wanted
        self.selects = opened.selects
        self.end: int | None = opened.header.end if opened.header is not None else None
        self.ended = False
        self.count = 0

    def expected(self) -> tuple[Plan | None, Path]:
        """Return the type and the path of the next child, for messages."""
        return (None if self.count else self.element), self.path

    def require_more(self, offset: int, octets: bytes) -> None:
        """Raise DecodeError if nothing may follow; `octets` are the next bytes."""
        if self.count:
            raise with_path(self.parts.fault(self.extra, self.plan, None, offset, octets), self.path)

    def child(self, header: ElementHeader) -> Child:
        """Return the next child, whose header was read."""
        with errors_at(self.path):
            self.parts.require_tag(self.element, header)
        return Child(header, self.element, None, self.path, self.wanted, self.selects)

    def error(self, kind: str, header: ElementHeader | None, offset: int, plan: Plan | None, *steps: Step) -> ASN1Error:
        """Return the error for a fault at a header or at an offset."""
        return with_path(self.parts.fault(kind, plan, header, offset), (*self.path, *steps))

    def is_read_whole(self, child: Child) -> str | None:
        """Return why a child must be in memory as a whole; None if it can be opened."""
        return None

    def record(self, child: Child, octets: bytes | None) -> None:
        """Check a child that was read, or opened; then `octets` is None."""
        self.count += 1

    def finish(self, end: int) -> None:
        """Raise DecodeError if something is missing at the end of the contents."""
        if not self.count:
            raise self.error("explicit-empty", None, end, self.plan)

    def may_reach(self, pending: Child | None) -> bool:
        """Return whether a wanted part can follow; `pending` is the next child, if its header was read."""
        return not self.ended and bool(self.wanted) and self.count == 0

    def is_past(self, step: Step) -> bool:
        """Return whether the child with a step of a path was read. None is the element itself, which is open."""
        return self.count > 0


class Outermost(OpenElement):
    """What is around the outermost value; it is not an element itself."""

    def finish(self, end: int) -> None:
        """There is nothing to check: the source ends after the value, or another value follows."""


class OpenString(OpenElement):
    """An OCTET STRING that contains an encoding (X.682 11): always DER, because it is a value, not part of the BER."""

    extra = "contained-extra"

    def require_more(self, offset: int, octets: bytes) -> None:
        if self.count:
            raise with_path(self.parts.fault(self.extra, self.element, None, offset, octets), self.path)

    def finish(self, end: int) -> None:
        """There is nothing to check: reading the first child has reported that it is missing."""


class OpenList(OpenElement):
    """A SEQUENCE OF or SET OF."""

    def __init__(self, opened: Child, parts: PartReader) -> None:
        super().__init__(opened, parts)
        self.is_ordered = self.plan.kind == Kind.KIND_SET_OF and not parts.ber
        self.before = b""

    def require_more(self, offset: int, octets: bytes) -> None:
        """More elements may follow."""

    def expected(self) -> tuple[Plan | None, Path]:
        return self.element, (*self.path, self.count)

    def child(self, header: ElementHeader) -> Child:
        path = (*self.path, self.count)
        if not self.parts.count_element():
            raise self.error("element-limit", header, 0, self.element, self.count)
        with errors_at(path):
            self.parts.require_tag(self.element, header)
        return Child(header, self.element, self.count, path, rest_after(self.wanted, self.count), self.selects)

    def is_read_whole(self, child: Child) -> str | None:
        return "is an element of a SET OF, whose order must be checked" if self.is_ordered else None

    def record(self, child: Child, octets: bytes | None) -> None:
        if self.is_ordered:
            assert octets is not None
            # X.690 11.6. No encoding is a proper prefix of another, so this is the order with padding.
            if octets < self.before:
                raise self.error("set-of-order", child.header, 0, self.element, self.count)
            self.before = octets
        self.count += 1

    def finish(self, end: int) -> None:
        if self.plan.size is not None:
            check_size(self.plan, self.count, self.path, self.opened.header.offset)

    def may_reach(self, pending: Child | None) -> bool:
        return not self.ended and any(
            path[0] == any_index or (isinstance(path[0], int) and path[0] >= self.count) for path in self.wanted if path
        )

    def is_past(self, step: Step) -> bool:
        return step is None or (isinstance(step, int) and step < self.count)


class OpenAny(OpenElement):
    """A constructed element of type ANY."""

    def __init__(self, opened: Child, parts: PartReader) -> None:
        super().__init__(opened, parts, _core.ANY_PLAN)

    def require_more(self, offset: int, octets: bytes) -> None:
        """More elements may follow."""

    def child(self, header: ElementHeader) -> Child:
        return Child(header, self.element, None, self.path, [], None)

    def expected(self) -> tuple[Plan | None, Path]:
        return None, self.path

    def finish(self, end: int) -> None:
        """There is nothing to check."""

    def may_reach(self, pending: Child | None) -> bool:
        return False


def check_size(plan: Plan, size: int, path: Path, offset: int) -> None:
    """Check the SIZE constraint of a list or string that was not in memory as a whole (X.680 51.5)."""
    assert plan.size is not None
    low, high = plan.size
    if size < low or (high is not None and size > high):
        bounds = str(low) if low == high else f"{low}..{'MAX' if high is None else high}"
        text = f"{plan.name} has size {size}, outside SIZE ({bounds})"
        raise ConstraintViolation(text, path, offset, "X.680 51.5", "size", plan.name, f"size {size}")

"""Open SEQUENCEs and SETs: which components were read, and what selects the types of open types."""

from __future__ import annotations

from collections.abc import Callable

from derlib import _core
from derlib._core import ElementHeader, PartReader, Plan
from derlib._paths import Path, rest_after
from derlib._stream.open_elements import Child, OpenElement, Step, errors_at
from derlib.errors import LimitError

# The number of unknown additions of a SET in BER that can be compared with each other.
ADDITIONS_MOST = 1 << 16


class OpenSequence(OpenElement):
    """A SEQUENCE: its components in order."""

    def __init__(self, opened: Child, parts: PartReader, fields_of: Callable[[Plan], set[int]]) -> None:
        super().__init__(opened, parts, opened.plan)
        self.names = self.plan.names
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.selects = self
        self.has_leading = False
        # Selectors of open types are looked up in these contents; components that select nothing are empty here.
        self.selector_fields: set[int] = set().union(*map(fields_of, self.plan.plans))
        self.scope = bytearray()

    def require_more(self, offset: int, octets: bytes) -> None:
        """More components may follow."""

    def expected(self) -> tuple[Plan | None, Path]:
        if self.count < len(self.names):
            return self.plan.plans[self.count], (*self.path, self.names[self.count])
        return None, self.path

    def child(self, header: ElementHeader) -> Child:
        with errors_at(self.path):
            index = self.parts.component(self.plan, self.count, header)
        return self._child(header, index)

    def _child(self, header: ElementHeader, index: int | None) -> Child:
        if index is None:
            return Child(header, _core.ANY_PLAN, None, self.path, [], None)
        name = self.names[index]
        return Child(header, self.plan.plans[index], index, (*self.path, name), rest_after(self.wanted, name), self)

    def is_read_whole(self, child: Child) -> str | None:
        if child.index in self.selector_fields:
            return "selects the type of another component"
        defaults = self.plan.default_octets
        default = defaults[child.index] if defaults and child.index is not None else None
        if default and not self.parts.ber and child.header.end == child.header.offset + len(default):
            return "must be compared with its DEFAULT value"
        return None

    def record(self, child: Child, octets: bytes | None) -> None:
        if child.index is None:
            assert self.plan.insertion is not None
            self.count = self.plan.insertion
            return
        self.count = child.index + 1
        self._record_component(child, octets)

    def _record_component(self, child: Child, octets: bytes | None) -> None:
        index = child.index
        assert index is not None
        self.has_leading = self.has_leading or index < self.plan.one_of
        defaults = self.plan.default_octets
        if octets is not None and not self.parts.ber and defaults and defaults[index] == octets:
            raise self.error("default-encoded", child.header, 0, self.plan.plans[index], self.names[index])
        if index in self.selector_fields:
            assert octets is not None
            self.scope += octets
        elif self.selector_fields:
            self.scope += child.header.emptied(self.parts.in_segments(child.plan, child.header))

    def finish(self, end: int) -> None:
        for index in range(self.count, len(self.names)):
            if not self.plan.optional[index]:
                raise self.error("component-missing", None, end, self.plan.plans[index], self.names[index])
        if self.plan.one_of and not self.has_leading:
            raise self.error("reference-missing", self.opened.header, 0, self.plan)

    def may_reach(self, pending: Child | None) -> bool:
        following = self.count if pending is None or pending.index is None else pending.index
        return not self.ended and any(self.numbers.get(path[0], -1) >= following for path in self.wanted if path)

    def is_past(self, step: Step) -> bool:
        return step is None or self.numbers.get(step, len(self.names)) < self.count

    def is_known(self, number: int) -> bool:
        """Return whether a component was read, or is known to be absent."""
        return number < self.count


class OpenSet(OpenSequence):
    """A SET: its members in the order of their tags (X.690 10.3); in BER, in any order."""

    def __init__(self, opened: Child, parts: PartReader, fields_of: Callable[[Plan], set[int]]) -> None:
        super().__init__(opened, parts, fields_of)
        self.seen: set[int] = set()
        self.key: tuple[int, int] | None = None
        self.additions: set[int] = set()

    def expected(self) -> tuple[Plan | None, Path]:
        return None, self.path

    def child(self, header: ElementHeader) -> Child:
        with errors_at(self.path):
            index = self.parts.member(self.plan, header)
        plan = None if index is None else self.plan.plans[index]
        steps = () if index is None else (self.names[index],)
        # X.680 8.6: by class, then by number.
        key = (header.tag >> 1 & 3, header.tag >> 3)
        if not self.parts.ber and self.key is not None and key <= self.key:
            raise self.error("member-extra" if key == self.key else "set-order", header, 0, plan, *steps)
        self.key = key
        if index in self.seen:
            raise self.error("member-extra", header, 0, plan)
        if index is None:
            self._require_new(header)
        return self._child(header, index)

    def _require_new(self, header: ElementHeader) -> None:
        """Check that an unknown addition has a tag of its own (X.680 27.3); in DER, the order shows it."""
        if self.parts.ber:
            if len(self.additions) == ADDITIONS_MOST:
                text = f"{self.plan.name} has more than {ADDITIONS_MOST} unknown additions"
                raise LimitError(text, self.path, header.offset, "", "buffer-limit")
            if header.tag >> 1 in self.additions:
                raise self.error("member-extra", header, 0, None)
            self.additions.add(header.tag >> 1)

    def record(self, child: Child, octets: bytes | None) -> None:
        self.count += 1
        if child.index is not None:
            self.seen.add(child.index)
            self._record_component(child, octets)

    def finish(self, end: int) -> None:
        for index, name in enumerate(self.names):
            if not self.plan.optional[index] and index not in self.seen:
                raise self.error("member-missing", None, end, self.plan.plans[index], name)

    def may_reach(self, pending: Child | None) -> bool:
        return not self.ended and any(self.numbers.get(path[0], -1) not in self.seen for path in self.wanted if path)

    def is_past(self, step: Step) -> bool:
        return step is None or self.numbers.get(step, -1) in self.seen

    def is_known(self, number: int) -> bool:
        return number in self.seen

"""The type that an element has inside choices and open types, and whether the walk can open the element."""

from __future__ import annotations

from collections.abc import Callable

from derlib import _core
from derlib._core import Kind, PartReader, Plan
from derlib._paths import LISTS, STRUCTURES, plans_at, rest_after
from derlib._stream.open_elements import Child, errors_at
from derlib._stream.selectors import Selectors
from derlib.errors import format_path

CHOICES = (Kind.KIND_CHOICE, Kind.KIND_UNION)
# The types whose value is that of the type inside.
TRANSPARENT = (Kind.KIND_EXPLICIT, Kind.KIND_UNION, Kind.KIND_OPEN)
# The tags of SEQUENCE and OCTET STRING, as the core packs them.
SEQUENCE_TAG = 16 << 3 | 1
OCTET_STRING_TAG = 4 << 3


class InnerTypes:
    """Finds the types of elements for a `Walker`."""

    def __init__(self, parts: PartReader, selectors: Selectors) -> None:
        self.parts = parts
        self.selectors = selectors

    def is_content(self, child: Child) -> bool:
        """Return whether the contents of an element can be copied without reading it as a whole."""
        plan, tag = child.plan, child.header.tag
        tags = (OCTET_STRING_TAG, OCTET_STRING_TAG | 1) if self.parts.ber else (OCTET_STRING_TAG,)
        is_any = plan.kind == Kind.KIND_ANY and tag in tags
        may_be_opaque = plan.kind == Kind.KIND_OPEN_OCTETS and plan.contained is None
        is_opaque = may_be_opaque and self.selectors.selected(child) is None
        return not plan.constraints and (plan.kind == Kind.KIND_OCTET_STRING or is_any or is_opaque)

    def find(self, child: Child, opens: Callable[[Plan], bool]) -> Child | None:
        """Return an element with the type that it has inside choices and open types; None if it cannot be opened.

        Stop at a wanted part, except if `opens` is true for its type.
        """
        found = Child(child.header, child.plan, child.index, child.path, child.wanted, child.selects)
        while True:
            kind = found.plan.kind
            if () in found.wanted and not (kind in TRANSPARENT and opens(found.plan)):
                return found
            if found.plan.constraints or (kind in CHOICES and found.plan.ber and self.parts.ber):
                return None
            if kind in CHOICES:
                self._choose(found)
            elif kind == Kind.KIND_OPEN:
                selected = self._selected(found)
                if selected is not None and selected[1]:
                    return None
                self._become(found, selected[0] if selected else _core.ANY_PLAN)
            else:
                return found if self._can_open(found) else None

    def _choose(self, found: Child) -> None:
        """Replace a CHOICE by its alternative."""
        plan = found.plan
        with errors_at(found.path):
            index = self.parts.alternative(plan, found.header)
        if index is None:
            self._become(found, _core.ANY_PLAN)
            found.wanted = []
            return
        if plan.kind == Kind.KIND_CHOICE:
            found.path = (*found.path, plan.names[index])
            found.wanted = rest_after(found.wanted, plan.names[index])
        found.plan = plan.plans[index]

    def _become(self, found: Child, plan: Plan) -> None:
        """Replace an open type by the type that its selector chooses."""
        found.plan = plan
        found.selects = None
        if plan.kind != Kind.KIND_ANY:
            for path in found.wanted:
                plans_at(plan, path)
            with errors_at(found.path):
                self.parts.require_tag(plan, found.header)

    def _selected(self, child: Child) -> tuple[Plan, bool] | None:
        """Return the type of an open type, as `Selectors.selected`.

        Raises:
            KeyError: a part of the value is wanted, and its type is not known. The part is not absent.
        """
        selected = self.selectors.selected(child)
        for path in child.wanted:
            if selected is None and path:
                raise KeyError(f"{path[0]!r} is not a part of {format_path(child.path)}, whose type is not known")
        return selected

    def _can_open(self, child: Child) -> bool:
        plan, tag = child.plan, child.header.tag
        if plan.kind == Kind.KIND_ANY:
            return self.is_content(child) or bool(tag & 1 and (tag & 6 or tag == SEQUENCE_TAG))
        if plan.kind == Kind.KIND_OPEN_OCTETS:
            selected = (plan.contained, False) if plan.contained else self._selected(child)
            # In BER, the contents of a string are DER: they are a value, not a part of the encoding.
            if plan.size or self.parts.ber:
                return self.is_content(child)
            if selected is None or selected[1]:
                return selected is None
            for path in child.wanted:
                plans_at(selected[0], path)
            return True
        return plan.kind in (*STRUCTURES, *LISTS, Kind.KIND_EXPLICIT) or self.is_content(child)

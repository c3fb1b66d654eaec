"""Open types in a stream: the selector has been read before the value whose type it chooses."""

from __future__ import annotations

from derlib._core import PartReader, Plan
from derlib._schema.open_types import selecting_components
from derlib._stream.open_elements import Child
from derlib._stream.open_structures import OpenSequence
from derlib.errors import LimitError

# The largest size of the selectors in an element, in bytes: they are copied for each value whose type they choose.
SELECTORS_MOST = 1 << 16


class Selectors:
    """Finds the types that selectors choose."""

    def __init__(self, parts: PartReader) -> None:
        self._parts = parts
        self._fields: dict[int, set[int]] = {}

    def fields_of(self, plan: Plan) -> set[int]:
        """Return the numbers of the components with which the selectors of the open types in a type begin."""
        fields = self._fields.get(id(plan))
        if fields is None:
            fields = self._fields[id(plan)] = selecting_components(plan)
        return fields

    def around(self, child: Child) -> OpenSequence | None:
        """Return the SEQUENCE or SET whose components select the types in an element, after they were read."""
        around = child.selects
        if around is None:
            return None
        if not all(map(around.is_known, self.fields_of(child.plan))):
            text = f"{child.plan.name} comes before the component that selects its type"
        elif len(around.scope) > SELECTORS_MOST:
            text = f"{child.plan.name} comes after selectors with more than {SELECTORS_MOST} bytes"
        else:
            return around
        hint = "a stream cannot read it; decode the whole value"
        raise LimitError(text, child.path, child.header.offset, "", "buffer-limit", hint=hint)

    def selected(self, child: Child) -> tuple[Plan, bool] | None:
        """Return the type of an open type, and whether a mismatch is opaque; None if the type is not known."""
        around = self.around(child)
        if around is None:
            return self._parts.selected(child.plan, None, b"")
        return self._parts.selected(child.plan, around.plan, bytes(around.scope))

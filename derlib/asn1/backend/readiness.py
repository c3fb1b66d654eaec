"""Which values Python can create while it imports a file.

The constructor of a class compiles it, with all classes that its annotations name, those that these name, and so on.
All of these names must be defined. A default is created in the body of a class, when the classes after it do not exist;
a class of another file can lack names of files that this one must come before.
"""

from __future__ import annotations

from derlib.asn1.backend.order import named_in, named_in_created
from derlib.asn1.backend.references import FileNames
from derlib.asn1.semantics.model import (
    Definition,
    ResolvedType,
    ResolvedValue,
    TypedValue,
    parts_of,
)


class Readiness:
    """Knows which definitions are complete at the line that is written now."""

    def __init__(self, names: FileNames) -> None:
        self._names = names
        # A definition that is complete stays complete.
        self._complete: set[Definition] = set()

    def can_create(self, value: ResolvedValue, resolved: ResolvedType) -> bool:
        """Return whether the expression of a value can run."""
        items = list(named_in_created(value, resolved))
        return not any(map(self._names.is_later, items)) and all(
            self._is_complete(item) for item in items if isinstance(item, Definition)
        )

    def can_create_plain(self, value: ResolvedValue, resolved: ResolvedType) -> bool:
        """Return whether the expression of a value as plain data can run: it encodes the values of open types."""
        if isinstance(value, TypedValue):
            return self.can_create(value, resolved)
        return all(self.can_create_plain(inner, its_type) for inner, its_type in parts_of(value, resolved))

    def _is_complete(self, definition: Definition) -> bool:
        reached = {definition}
        waiting = [definition]
        while waiting:
            current = waiting.pop()
            for item in named_in(current.type):
                if not self._names.is_defined_for(current, item):
                    return False
                if isinstance(item, Definition) and item not in reached | self._complete:
                    reached.add(item)
                    waiting.append(item)
        self._complete |= reached
        return True

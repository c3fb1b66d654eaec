"""What one run of the schema compiler keeps: the classes that it filled, what waits, and where an expression stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from derlib._open import OpenTypes
from derlib.errors import SchemaError


@dataclass
class Session:
    """One run of the compiler: the classes that it filled, and what waits for them to be complete."""

    classes: list[Any] = field(default_factory=list)
    tables: list[OpenTypes] = field(default_factory=list)
    # The names and aliases whose types are being read now, each inside the one before.
    names: list[Any] = field(default_factory=list)
    # How to find the tags of each CHOICE that does not know them yet, by the identity of its plan.
    choices: dict[int, Callable[[], None]] = field(default_factory=dict)
    # Alternatives first, since ambiguity needs them; constraints before defaults, which must fit them.
    alternatives: list[Callable[[], None]] = field(default_factory=list)
    constraints: list[Callable[[], None]] = field(default_factory=list)
    later: list[Callable[[], None]] = field(default_factory=list)


@dataclass
class Place:
    """Where a type expression stands, for messages and for selectors."""

    session: Session
    owner: Any = None
    name: str = ""
    index: int = 0

    def error(self, problem: str) -> SchemaError:
        owner = getattr(self.owner, "__qualname__", "")
        where = ".".join(part for part in (owner, self.name) if part)
        return SchemaError(f"{where}: {problem}" if where else problem)

"""The state of one run of the schema compiler, and the location of a type expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derlib._core import Plan
from derlib._schema.open_types import OpenTypes
from derlib.errors import SchemaError


class Session:
    """One run of the compiler: what it has filled so far, and the steps that run when all plans are filled."""

    def __init__(self) -> None:
        self.classes: list[Any] = []
        # Classes that are filled later, because too many others are being filled around them.
        self.unfilled: list[Any] = []
        # Plans that are filled, of this session and of the sessions inside it. The outermost session seals them at its
        # end.
        self.unsealed: list[Plan] = []
        # The number of classes that are being filled inside one another.
        self.nested_classes = 0
        self.tables: list[OpenTypes] = []
        # The names and aliases that are being evaluated, the outermost first: a name inside itself is an error.
        self.names: list[Any] = []
        # The step that collects the alternatives of each CHOICE that does not have them yet, by the identity of its
        # plan.
        self.choices: dict[int, Callable[[], None]] = {}
        # Steps for the end of the session, run in this order: `alternatives` collects the tags of CHOICEs, and connects
        # open types to selectors; `defaults` encodes DEFAULT values; `constraints` compiles constraints, whose single
        # values are encoded without the parts that equal their DEFAULT (X.690 11.5); `checks` looks for ambiguous tags.
        # Last, `defaults` runs again, because DEFAULT values must satisfy the constraints.
        self.alternatives: list[Callable[[], None]] = []
        self.defaults: list[Callable[[], None]] = []
        self.constraints: list[Callable[[], None]] = []
        self.checks: list[Callable[[], None]] = []


class SchemaLocation:
    """The class and field that a type expression belongs to, for error messages and for selectors."""

    def __init__(self, session: Session, owner: Any = None, name: str = "", index: int = 0) -> None:
        self.session = session
        self.owner = owner
        self.name = name
        self.index = index

    def error(self, problem: str) -> SchemaError:
        """Return a SchemaError that names the class and the field."""
        owner = getattr(self.owner, "__qualname__", "")
        where = ".".join(part for part in (owner, self.name) if part)
        return SchemaError(f"{where}: {problem}" if where else problem)


# Compiles a type expression. The modules of parts of types get it as an argument, since `compile` imports them.
Compile = Callable[[Any, SchemaLocation], Plan]

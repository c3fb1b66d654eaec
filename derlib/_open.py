"""Tables of open types: which type an OBJECT IDENTIFIER selects (X.681 information object sets, ANY DEFINED BY)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from derlib._brief import brief, got
from derlib._core import ObjectIdentifier, OpenTable
from derlib.errors import EncodeError, SchemaError

__all__ = ["OpenTypes"]


class OpenTypes(OpenTable):
    """A table of open types for `DefinedBy`.

    Args:
        name: how messages call it.
        types: types by OBJECT IDENTIFIER, to begin with.
        soft: True leaves a value that does not fit its type opaque; False (hard) makes it an error.

    Raises:
        SchemaError: an argument is of another type, or a key of `types` is not an OBJECT IDENTIFIER.

    >>> from typing import Annotated, Any
    >>> from derlib import DefinedBy, ObjectIdentifier, OpenTypes, Sequence
    >>> CONTENTS = OpenTypes("CONTENTS", {"1.2.3": int})
    >>> class Message(Sequence):
    ...     kind: ObjectIdentifier
    ...     content: Annotated[Any, DefinedBy("kind", CONTENTS)]
    >>> Message.decode(bytes.fromhex("300706022a0302012a")).content
    42
    """

    def __init__(self, name: str, types: Mapping[Any, Any] | None = None, *, soft: bool = False) -> None:
        if not isinstance(name, str):
            raise SchemaError(f"a table of open types has a name first: OpenTypes('NAME', {{...}}), not {brief(name)}")
        if types is not None and not isinstance(types, Mapping):
            raise SchemaError(f"{name}: types: expected a mapping of OBJECT IDENTIFIERs to types, got {got(types)}")
        if soft is not True and soft is not False:
            raise SchemaError(f"{name}: soft: expected True or False, got {got(soft)}")
        self.name = name
        self._types: dict[ObjectIdentifier, tuple[Any, bool]] = {}
        self._compiled = False
        for oid, type in (types or {}).items():
            try:
                known = ObjectIdentifier(oid) if isinstance(oid, (str, ObjectIdentifier)) else None
            except EncodeError:
                known = None
            if known is None:
                raise SchemaError(
                    f"{name}: {brief(oid)} is not an OBJECT IDENTIFIER; nothing else selects an open type"
                )
            self.register(known, type)

    def register(self, oid: ObjectIdentifier | str, type: Any, *, soft: bool | None = None) -> None:
        """Say which type an OBJECT IDENTIFIER selects; a later call for the same one replaces the type.

        Types that use the table know it at once; values that were decoded before stay valid, and show the field opaque
        where it does not fit the new type. Threads that decode meanwhile see the old table or the new one.

        Args:
            oid: the OBJECT IDENTIFIER.
            type: any type expression.
            soft: whether a misfit stays opaque; None is as the table has it.

        Raises:
            EncodeError: `oid` is not an object identifier.
            SchemaError: `soft` is neither a bool nor None; or the table is in use and `type` is not a type, or a name
                in its annotations is not defined yet.

        >>> from derlib import OpenTypes
        >>> TABLE = OpenTypes("TABLE")
        >>> TABLE.register("2.999.1", int)
        >>> "2.999.1" in TABLE, TABLE.get("2.999.2"), TABLE.oids_of(int)
        (True, None, (ObjectIdentifier('2.999.1'),))
        """
        from derlib._compile import LOCK

        if soft is not None and soft is not True and soft is not False:
            raise SchemaError(f"{self.name}: soft: expected True, False or None, got {got(soft)}")
        oid = ObjectIdentifier(oid)
        soft = self.soft if soft is None else soft
        with LOCK:
            if self._compiled:
                self._set(oid, type, soft)
            self._types[oid] = (type, soft)

    def get(self, oid: ObjectIdentifier | str) -> Any:
        """The type that `oid` selects, or None.

        Raises:
            EncodeError: `oid` is not an object identifier.
        """
        return self._types.get(ObjectIdentifier(oid), (None, False))[0]

    def oids_of(self, type: Any) -> tuple[ObjectIdentifier, ...]:
        """The OBJECT IDENTIFIERs that select `type`."""
        return tuple(oid for oid, (known, _) in self._types.items() if known is type or known == type)

    def __iter__(self) -> Iterator[ObjectIdentifier]:
        return iter(tuple(self._types))

    def __len__(self) -> int:
        return len(self._types)

    def __contains__(self, oid: object) -> bool:
        if isinstance(oid, str):
            oid = ObjectIdentifier(oid)
        return oid in self._types

    def __repr__(self) -> str:
        return f"<OpenTypes {self.name}: {len(self)} types{', soft' if self.soft else ''}>"

    def _set(self, oid: ObjectIdentifier, type: Any, soft: bool) -> None:
        from derlib._compile import plan_of

        plan = plan_of(type)
        plan.ready()
        self.set_plan(oid.content, plan, soft)

"""Tables of open types: the type that a key selects (X.681 information object sets, ANY DEFINED BY)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeAlias

from derlib._brief import brief, got
from derlib._core import COMPILE_LOCK, Kind, ObjectIdentifier, OpenTable, Plan
from derlib._schema.tracebacks import ends_at_program
from derlib.errors import EncodeError, SchemaError

__all__ = ["OpenTypes"]

OnMismatch = Literal["opaque", "error"]
# What selects a type: an OBJECT IDENTIFIER, or the number of an INTEGER or ENUMERATED.
Key: TypeAlias = "ObjectIdentifier | int"
# The mark before the contents octets of a number in a key of `OpenTable`, and the most of these octets (KEY_MARK and
# KEY_OCTETS_LIMIT in core/decode/open_type.pxi).
KEY_MARK = b"\x80"
KEY_OCTETS_LIMIT = 32


def check_on_mismatch(name: str, value: object) -> None:
    """Raise SchemaError unless `value` is "opaque" or "error"."""
    if not (isinstance(value, str) and value in ("opaque", "error")):
        raise SchemaError(f"{name}: on_mismatch: expected 'opaque' or 'error', got {got(value)}")


def key_of(value: Any) -> Key:
    """Return the key of a value that selects a type.

    Raises:
        EncodeError: it is not an OBJECT IDENTIFIER, an int, or a Choice of one.
    """
    while is_choice(value):
        value = value.value
    if isinstance(value, int) and not isinstance(value, bool):
        # A member of an enumeration is a number here.
        return int.__int__(value)
    return ObjectIdentifier(value)


def is_choice(value: object) -> bool:
    """Return whether a value is one of a `Choice`."""
    return getattr(type(value), "__asn1__", None) == "Choice"


def key_octets(key: Key) -> bytes:
    """Return the key of `OpenTable` for a key."""
    return key.content if isinstance(key, ObjectIdentifier) else KEY_MARK + contents_of_number(key)


def key_of_octets(octets: bytes) -> Key:
    """Return the key whose key in `OpenTable` is given."""
    if octets.startswith(KEY_MARK):
        return int.from_bytes(octets[1:], "big", signed=True)
    return ObjectIdentifier.from_content(octets)


def selecting_components(plan: Plan) -> set[int]:
    """Return the numbers of the components around a type in which the selectors of its open types are."""
    found: set[int] = set()
    seen: set[int] = set()  # types can contain themselves
    waiting = [plan]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        found.update(part.selector[:1])
        if part.kind in (Kind.KIND_EXPLICIT, Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF):
            waiting.append(part.element)
        elif part.kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
            waiting += part.plans
    return found


def reading_order(selectors: Sequence[Collection[int]]) -> list[int]:
    """Return the numbers of the components of a SEQUENCE or SET, with selectors before the open types they select.

    Args:
        selectors: for each component, the result of `selecting_components`.

    >>> reading_order([{1}, (), {0}])
    [1, 0, 2]
    """
    # A component with both a selector and an open type comes after its own selectors. If two components select each
    # other, the first one is read first.
    order: list[int] = []
    entered: set[int] = set()
    waiting = [(number, False) for number in reversed(range(len(selectors)))]
    while waiting:
        number, is_ready = waiting.pop()
        if is_ready:
            order.append(number)
        elif number not in entered:
            entered.add(number)
            waiting.append((number, True))
            waiting += [(other, False) for other in sorted(selectors[number], reverse=True)]
    return order


def contents_of_number(number: int) -> bytes:
    """Return the contents octets of an INTEGER (X.690 8.3)."""
    return number.to_bytes((number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True)


def _is_constrained(known: Any, type: Any) -> bool:
    """Return whether `known` is the schema class `type` with a constraint or a tag."""
    return hasattr(known, "__metadata__") and known.__origin__ is type and hasattr(type, "__plan__")


class OpenTypes(OpenTable):
    """A table of open types for `DefinedBy`.

    Args:
        name: the name that error messages use.
        types: the first types, by the value that selects them: an OBJECT IDENTIFIER or its dotted form; an int or
            a member of an enumeration; or a `Choice` of one of these. `register` adds more.
        on_mismatch: for a value that does not match its type. "error": `decode` raises an error. "opaque": the value is
            validated as DER only, and reads as with an unknown key.

    Raises:
        SchemaError: an argument has a wrong type, or a key of `types` cannot select a type.

    >>> from typing import Annotated, Any
    >>> from derlib import DefinedBy, ObjectIdentifier, OpenTypes, Sequence
    >>> CONTENTS = OpenTypes("CONTENTS", {"1.2.3": int})
    >>> class Message(Sequence):
    ...     kind: ObjectIdentifier
    ...     content: Annotated[Any, DefinedBy("kind", CONTENTS)]
    >>> Message.decode(bytes.fromhex("300706022a0302012a")).content
    42
    """

    # CPython reads a slot in fewer steps than an attribute in a dict: `Extensions.get` reads it at each call.
    __slots__ = ("__dict__", "__weakref__", "_oids")

    @ends_at_program
    def __init__(self, name: str, types: Mapping[Any, Any] | None = None, *, on_mismatch: OnMismatch = "error") -> None:
        if not isinstance(name, str):
            raise SchemaError(f"OpenTypes: name: expected str, got {got(name)}; write OpenTypes('NAME', {{...}})")
        if types is not None and not isinstance(types, Mapping):
            raise SchemaError(f"{name}: types: expected a mapping of OBJECT IDENTIFIERs to types, got {got(types)}")
        check_on_mismatch(name, on_mismatch)
        self.name = name
        self._types: dict[Key, tuple[Any, bool]] = {}
        # What `oids_of` found. A registration replaces the dict, so that a search that runs meanwhile is not kept.
        self._oids: dict[Any, tuple[ObjectIdentifier, ...]] = {}
        # Compiles a type expression; None until a type that uses the table is compiled.
        self._plan_of: Callable[[Any], Plan] | None = None
        for key, type in (types or {}).items():
            try:
                known = key_of(key) if isinstance(key, (str, ObjectIdentifier, int)) or is_choice(key) else None
            except (EncodeError, TypeError):
                known = None
            if known is None:
                raise SchemaError(f"{name}: {brief(key)} is not an OBJECT IDENTIFIER or an int")
            self.register(known, type)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle the open types {self.name}, which a list of them needs: pickle the structure "
                        "around the list")

    @ends_at_program
    def register(self, key: Any, type: Any, *, on_mismatch: OnMismatch | None = None) -> None:
        """Set the type that a key selects, or replace it.

        The next `decode` of any type that uses the table sees the change. A concurrent one sees the old table or the
        new one. Values that were decoded earlier remain valid: a field that does not match the new type is opaque.

        Args:
            key: the value that selects: an OBJECT IDENTIFIER, an int, or a `Choice` of one.
            type: any type expression.
            on_mismatch: "opaque" or "error", as for the table; None uses the setting of the table.

        Raises:
            EncodeError: `key` is neither an OBJECT IDENTIFIER nor an int.
            SchemaError: `on_mismatch` has another value. If the table is in use: `type` is not a type, or a name in its
                annotations is not defined yet.

        >>> from derlib import OpenTypes
        >>> TABLE = OpenTypes("TABLE")
        >>> TABLE.register("2.999.7", int)
        >>> "2.999.7" in TABLE, TABLE.get("2.999.8"), TABLE.oids_of(int)
        (True, None, (ObjectIdentifier('2.999.7'),))
        """
        if on_mismatch is not None:
            check_on_mismatch(self.name, on_mismatch)
        key = key_of(key)
        octets = key_octets(key)
        if len(octets) > 1 + KEY_OCTETS_LIMIT and isinstance(key, int):
            raise SchemaError(f"{self.name}: {brief(key)} is too large; a key has at most {KEY_OCTETS_LIMIT} bytes")
        opaque = self.opaque_on_mismatch if on_mismatch is None else on_mismatch == "opaque"
        with COMPILE_LOCK:
            if self._plan_of is not None:
                plan = self._plan_of(type)
                plan.ready()
                self.set_plan(octets, plan, opaque)
            self._types[key] = (type, opaque)
            self._oids = {}

    def get(self, key: Any) -> Any:
        """Return the type that `key` selects, or None.

        Raises:
            EncodeError: `key` is neither an OBJECT IDENTIFIER nor an int.
        """
        return self._types.get(key_of(key), (None, False))[0]

    def oids_of(self, type: Any) -> tuple[ObjectIdentifier, ...]:
        """Return the OBJECT IDENTIFIERs that select `type`, or the class `type` with a constraint."""
        known_oids = self._oids
        try:
            return known_oids[type]
        except KeyError:
            hashable = True
        except TypeError:
            hashable = False
        oids = tuple(
            key
            for key, (known, _) in list(self._types.items())
            if isinstance(key, ObjectIdentifier) and (known is type or known == type or _is_constrained(known, type))
        )
        if oids and hashable:
            known_oids[type] = oids
        return oids

    def __iter__(self) -> Iterator[Key]:
        return iter(tuple(self._types))

    def __len__(self) -> int:
        return len(self._types)

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str) or is_choice(key):
            key = key_of(key)
        return not isinstance(key, bool) and key in self._types

    def __repr__(self) -> str:
        return f"<OpenTypes {self.name}: {len(self)} types{', opaque on mismatch' if self.opaque_on_mismatch else ''}>"

    @property
    def _is_compiled(self) -> bool:
        """Whether a type that uses the table was compiled. The compiler asks."""
        return self._plan_of is not None

    def _entries(self) -> list[tuple[Key, tuple[Any, bool]]]:
        """Return each key with its type and whether a mismatch is opaque. The compiler calls this."""
        return list(self._types.items())

    def _set_compiled(self, plan_of: Callable[[Any], Plan]) -> None:
        """Compile types with `plan_of` when they are registered from now on. The compiler calls this."""
        self._plan_of = plan_of

"""Open types: `DefinedBy` with its table and selector, and `Containing`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from derlib import _core
from derlib._brief import brief
from derlib._core import TLV, BitString, Kind, Plan
from derlib._schema.compiler.session import Compile, SchemaLocation, Session
from derlib._schema.open_types import OpenTypes, key_octets
from derlib._schema.types import BIT_STRING, OCTET_STRING, Containing, DefinedBy

# For each type that DefinedBy applies to: the kind of the open type, and the universal tag number of a string.
OPEN_TYPE_BASES = {
    OCTET_STRING: (Kind.KIND_OPEN_OCTETS, 4),
    bytes: (Kind.KIND_OPEN_OCTETS, 4),
    BIT_STRING: (Kind.KIND_OPEN_BITS, 3),
    BitString: (Kind.KIND_OPEN_BITS, 3),
    Any: (Kind.KIND_OPEN, None),
    TLV: (Kind.KIND_OPEN, None),
}
STRING_NAMES: dict[int | None, str] = {4: "OCTET STRING", 3: "BIT STRING"}


def containing_plan(base: Any, mark: Containing, location: SchemaLocation, compile: Compile) -> Plan:
    """Return the plan of a string with a contents constraint (X.682 11)."""
    kind, number = OPEN_TYPE_BASES.get(base, (None, None)) if isinstance(base, Hashable) else (None, None)
    if kind is None or number is None:
        raise location.error(f"Containing applies to OctetString and BitString, not to {_shown(base)}")
    plan = Plan(Kind.KIND_EMPTY, STRING_NAMES[number], _core.pack_tag(number, 0, False))
    plan.set_contained(kind, compile(mark.type, location))
    return plan


def open_plan(base: Any, mark: DefinedBy, location: SchemaLocation, compile: Compile) -> Plan:
    """Return the plan of an open type. Its selector is resolved when the Sequence that contains it is filled."""
    if not isinstance(base, Hashable) or base not in OPEN_TYPE_BASES:
        raise location.error(f"DefinedBy applies to Any, TLV, OctetString and BitString, not to {_shown(base)}")
    asn1 = getattr(location.owner, "__asn1__", None)
    if asn1 in (None, "Choice"):
        raise location.error("DefinedBy needs a Sequence that contains it and has the field that selects the type")
    kind, number = OPEN_TYPE_BASES[base]
    name = STRING_NAMES.get(number, "open type")
    plan = Plan(Kind.KIND_EMPTY, name, None if number is None else _core.pack_tag(number, 0, False))
    _compile_table(mark.table, location.session, compile)

    def connect() -> None:
        # A list class on its own has no Sequence around it, so it has no selector and its elements are opaque.
        selector = () if asn1 in ("SequenceOf", "SetOf") else _selector(mark.selector, location)
        plan.set_open(kind, mark.table, selector)

    # The plan is KIND_EMPTY until then. Connect it before the ambiguity checks, which look at kinds and tags.
    location.session.alternatives.append(connect)
    return plan


def _shown(base: Any) -> str:
    """Return a type as a schema writes it."""
    return base.__name__ if isinstance(base, type) else brief(base)


def _selector(path: str, location: SchemaLocation) -> tuple[int, ...]:
    """Return the numbers of the fields that the path of a selector names."""
    numbers: list[int] = []
    plan: Plan = location.owner.__body__
    for name in path.split("."):
        if plan.kind not in (Kind.KIND_SEQUENCE, Kind.KIND_SET) or name not in plan.names:
            raise location.error(
                f"the selector {path!r} of DefinedBy is not a field; give a field of {location.owner.__name__}, "
                "or a dotted path to one inside it"
            )
        numbers.append(plan.names.index(name))
        plan = without_tags(plan.plans[numbers[-1]])
    if numbers[0] == location.index:
        raise location.error(f"the selector {path!r} of DefinedBy is the open type itself; give another field")
    _check_selector(path, plan, location)
    return tuple(numbers)


def without_tags(plan: Plan) -> Plan:
    """Return the type inside explicit tags."""
    while plan.kind == Kind.KIND_EXPLICIT:
        plan = plan.element
    return plan


def _check_selector(path: str, plan: Plan, location: SchemaLocation) -> None:
    """Raise SchemaError if values of a type cannot select: it must be an identifier, a number or a CHOICE of them."""
    kinds = _kinds_of_selector(plan, set())
    if not kinds & {_IDENTIFIER, _NUMBER}:
        raise location.error(
            f"the selector {path!r} of DefinedBy: expected an ObjectIdentifier, an int, an enumeration or a Choice of "
            f"them, got {plan.name}"
        )
    if _AMBIGUOUS in kinds:
        raise location.error(
            f"the selector {path!r} of DefinedBy: two alternatives of {plan.name} are both numbers or both "
            "OBJECT IDENTIFIERs, which the keys of a table do not distinguish"
        )


_IDENTIFIER, _NUMBER, _AMBIGUOUS = "identifier", "number", "ambiguous"


def _kinds_of_selector(plan: Plan, seen: set[int]) -> set[str]:
    """Return what the values of a selector can be."""
    plan = without_tags(plan)
    if plan.kind == Kind.KIND_OBJECT_IDENTIFIER:
        return {_IDENTIFIER}
    if plan.kind in (Kind.KIND_INTEGER, Kind.KIND_NAMED_INTEGER, Kind.KIND_ENUMERATED):
        return {_NUMBER}
    if plan.kind not in (Kind.KIND_CHOICE, Kind.KIND_UNION) or id(plan) in seen:
        return set()
    seen.add(id(plan))
    found: set[str] = set()
    for alternative in plan.plans:
        kinds = _kinds_of_selector(alternative, seen)
        found |= kinds | ({_AMBIGUOUS} if found & kinds else set())
    return found


def _compile_table(table: OpenTypes, session: Session, compile: Compile) -> None:
    if table._is_compiled or table in session.tables:
        return
    session.tables.append(table)
    for key, (hint, opaque) in table._entries():
        table.set_plan(key_octets(key), compile(hint, SchemaLocation(session, None, f"{table.name}[{key}]")), opaque)

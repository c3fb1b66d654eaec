"""Open types to plans: DefinedBy, its tables, and where its selector leads. Called by `derlib._compile`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from derlib import _core
from derlib._brief import brief
from derlib._core import TLV, BitString, Kind, Plan
from derlib._open import OpenTypes
from derlib._session import Place, Session
from derlib._types import BIT_STRING, OCTET_STRING, Containing, DefinedBy

# How `derlib._compile` makes a plan of a type expression.
Compile = Callable[[Any, Place], Plan]

OPEN_KINDS = {
    OCTET_STRING: (Kind.KIND_OPEN_OCTETS, 4),
    bytes: (Kind.KIND_OPEN_OCTETS, 4),
    BIT_STRING: (Kind.KIND_OPEN_BITS, 3),
    BitString: (Kind.KIND_OPEN_BITS, 3),
    Any: (Kind.KIND_OPEN, None),
    TLV: (Kind.KIND_OPEN, None),
}
STRING_NAMES: dict[int | None, str] = {4: "OCTET STRING", 3: "BIT STRING"}


def _shown(base: Any) -> str:
    """A type, as a schema writes it."""
    return base.__name__ if isinstance(base, type) else brief(base)


def containing_plan(base: Any, mark: Containing, place: Place, compile: Compile) -> Plan:
    """The plan of a string with a contents constraint."""
    kind, number = OPEN_KINDS.get(base, (None, None)) if isinstance(base, Hashable) else (None, None)
    if kind is None or number is None:
        raise place.error(f"Containing applies to OctetString and BitString, not to {_shown(base)}")
    plan = Plan(Kind.KIND_EMPTY, STRING_NAMES[number], _core.tag_number(number, 0, False))
    plan.set_contained(kind, compile(mark.type, place))
    return plan


def open_plan(base: Any, mark: DefinedBy, place: Place, compile: Compile) -> Plan:
    """The plan of an open type: its table is filled now, its selector found when the Sequence around is complete."""
    if not isinstance(base, Hashable) or base not in OPEN_KINDS:
        raise place.error(f"DefinedBy applies to Any, TLV, OctetString and BitString, not to {_shown(base)}")
    asn1 = getattr(place.owner, "__asn1__", None)
    if asn1 in (None, "Choice"):
        raise place.error("DefinedBy needs a field of a Sequence around it that selects the type")
    kind, number = OPEN_KINDS[base]
    name = STRING_NAMES.get(number, "open type")
    plan = Plan(Kind.KIND_EMPTY, name, None if number is None else _core.tag_number(number, 0, False))
    _compile_table(mark.table, place.session, compile)

    def connect() -> None:
        # A list class on its own has no Sequence around it, hence no selector: its elements are opaque.
        selector = () if asn1 in ("SequenceOf", "SetOf") else _selector(mark.selector, place)
        plan.set_open(kind, mark.table, selector)

    # A KIND_EMPTY plan has no tag that ambiguity checks could mistake, so it is connected before those run.
    place.session.alternatives.append(connect)
    return plan


def _selector(path: str, place: Place) -> tuple[int, ...]:
    numbers: list[int] = []
    plan: Plan = place.owner.__body__
    for name in path.split("."):
        if plan.kind != Kind.KIND_SEQUENCE or name not in plan.names:
            raise place.error(
                f"the selector {path!r} of DefinedBy leads to no field; it names fields of {place.owner.__name__}"
            )
        numbers.append(plan.names.index(name))
        plan = plan.plans[numbers[-1]]
    if numbers[0] >= place.index:
        raise place.error(f"the selector {path!r} of DefinedBy must come before the open type in the class")
    if plan.kind != Kind.KIND_OBJECT_IDENTIFIER:
        raise place.error(f"the selector {path!r} of DefinedBy is not an ObjectIdentifier")
    return tuple(numbers)


def _compile_table(table: OpenTypes, session: Session, compile: Compile) -> None:
    if table._compiled or table in session.tables:
        return
    session.tables.append(table)
    for oid, (hint, opaque) in list(table._types.items()):
        table.set_plan(oid.content, compile(hint, Place(session, None, f"{table.name}[{oid}]")), opaque)

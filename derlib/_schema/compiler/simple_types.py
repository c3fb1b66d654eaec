"""Types without components: Python's own types, enumerations and named bits; and the tags of schema classes."""

from __future__ import annotations

import enum
from datetime import date, datetime, time
from typing import Any

from derlib import _core
from derlib._brief import brief
from derlib._core import BitString, Kind, Null, ObjectIdentifier, Plan, RelativeOID
from derlib._schema.compiler.session import SchemaLocation
from derlib._schema.enumerations import Enumerated, NamedBits, NamedInteger
from derlib._schema.types import (
    BIT_STRING,
    BOOLEAN,
    DATE,
    ENUMERATED,
    INTEGER,
    NULL_TYPE,
    OBJECT_IDENTIFIER,
    OCTET_STRING,
    REAL,
    RELATIVE_OID,
    TIME_OF_DAY,
    UTF8_STRING,
    Primitive,
)

# The kind of a schema class and its universal tag number (X.680 8.4).
CLASS_KINDS = {
    "Sequence": (Kind.KIND_SEQUENCE, 16),
    "Set": (Kind.KIND_SET, 17),
    "SequenceOf": (Kind.KIND_SEQUENCE_OF, 16),
    "SetOf": (Kind.KIND_SET_OF, 17),
    "Choice": (Kind.KIND_CHOICE, None),
}
PYTHON_TYPES: dict[Any, Primitive] = {
    bool: BOOLEAN,
    int: INTEGER,
    bytes: OCTET_STRING,
    str: UTF8_STRING,
    float: REAL,
    date: DATE,
    time: TIME_OF_DAY,
    RelativeOID: RELATIVE_OID,
    BitString: BIT_STRING,
    ObjectIdentifier: OBJECT_IDENTIFIER,
    Null: NULL_TYPE,
}


def class_tag(asn1: str) -> int | None:
    """Return the universal tag of a kind of schema class; a CHOICE has none."""
    number = CLASS_KINDS[asn1][1]
    return None if number is None else _core.pack_tag(number, 0, True)


def primitive_plan(primitive: Primitive) -> Plan:
    """Return the plan of a primitive universal type."""
    return Plan(primitive.kind, primitive.name, _core.pack_tag(primitive.number, 0, False))


def value_class_plan(cls: type[Any], location: SchemaLocation) -> Plan:
    """Return the plan of a class that is not a schema class: an enumeration or named bits."""
    if issubclass(cls, NamedBits):
        return _named_bits_plan(cls, location)
    if issubclass(cls, enum.Flag):
        raise location.error(f"{cls.__name__} is a Flag; derive named bits from derlib.NamedBits")
    if issubclass(cls, enum.Enum):
        return _enumeration_plan(cls, location)
    if issubclass(cls, datetime):
        raise location.error(
            "datetime may be UTCTime, GeneralizedTime or DateTime; write one of them, or 'UTCTime | GeneralizedTime'"
        )
    if cls is type(None):
        raise location.error("None is not a type; the NULL type is derlib.Null")
    if cls in (list, tuple, set, frozenset):
        raise location.error(f"{cls.__name__} is not an ASN.1 type; lists are SequenceOf[...] or SetOf[...]")
    raise location.error(
        f"{cls.__qualname__} is not an ASN.1 type; derive it from Sequence, Set, SequenceOf, SetOf or Choice"
    )


def _named_bits_plan(cls: type[NamedBits], location: SchemaLocation) -> Plan:
    members: dict[str, Any] = dict(cls.__members__)
    bits = sum(bit.value for bit in set(members.values()) if bit.value.bit_count() == 1)
    for name, bit in members.items():
        # A member of several bits is a name for bits that have names.
        if bit.value == 0 or bit.value & ~bits:
            raise location.error(
                f"{cls.__name__}.{name}: {brief(bit.value)} is not one bit; bit number n is written 1 << n"
            )
    return Plan(Kind.KIND_NAMED_BITS, cls.__name__, _core.pack_tag(BIT_STRING.number, 0, False), cls)


def _enumeration_plan(cls: Any, location: SchemaLocation) -> Plan:
    if not issubclass(cls, int):
        raise location.error(
            f"{cls.__name__} is an Enum without numbers; derive an ENUMERATED from derlib.Enumerated, "
            "an INTEGER with named numbers from derlib.NamedInteger"
        )
    members = {}
    for member in cls:
        if not isinstance(member.value, int) or isinstance(member.value, bool) or not -(2**63) <= member.value < 2**63:
            raise location.error(
                f"{cls.__name__}.{member.name}: expected an int from -2^63 to 2^63 - 1, got {brief(member.value)}"
            )
        members[int(member.value)] = member
    if not members:
        raise location.error(f"{cls.__name__} has no items; an enumeration needs at least one")
    named_integer = issubclass(cls, NamedInteger)
    primitive = INTEGER if named_integer else ENUMERATED
    kind = Kind.KIND_NAMED_INTEGER if named_integer else Kind.KIND_ENUMERATED
    plan = Plan(kind, cls.__name__, _core.pack_tag(primitive.number, 0, False), cls)
    plan.set_members(members, not named_integer)
    if issubclass(cls, Enumerated) and cls.__extensible__:
        plan.set_extensible(0)
    return plan

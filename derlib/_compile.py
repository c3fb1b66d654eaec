"""From annotations to plans: the only module that knows both.

`derlib._schema` calls `compile_class` when a schema class is made, and again at first use where a forward
reference could not be resolved before; `derlib.decode` calls `plan_of` for other type expressions. What the core is
given here has been checked here: a wrong schema is a `SchemaError` that names class, field and remedy.

Compilation is a session. Types refer to one another, so a plan is made empty, handed to whoever refers to it, and
filled as the session reaches it; what needs other plans to be complete (ambiguity, defaults, selectors) waits to the
session's end. When a name cannot be resolved yet, everything that the session filled is put back to be compiled later.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import threading
import types
import typing
from collections.abc import Hashable, Iterator
from datetime import date, datetime, time
from typing import Any, ForwardRef, TypeVar

from derlib import _core
from derlib._automatic import automatic_marks
from derlib._brief import brief
from derlib._constrain import constrain
from derlib._constraints import Constraint, intersected
from derlib._core import TLV, BitString, Kind, Null, ObjectIdentifier, Plan, RelativeOID
from derlib._extension import check_addition, insertion_point
from derlib._fields import UnknownName, class_fields, resolve, spelling, substitute, union_members
from derlib._open_plans import containing_plan, open_plan
from derlib._session import Place, Session
from derlib._tags import check_tags, schedule_alternatives
from derlib._types import (
    BIT_STRING,
    BOOLEAN,
    DATE,
    ENUMERATED,
    INTEGER,
    MISSING,
    NULL_TYPE,
    OBJECT_IDENTIFIER,
    OCTET_STRING,
    REAL,
    RELATIVE_OID,
    RFC5280_TIME,
    TIME_OF_DAY,
    UTF8_STRING,
    Addition,
    Containing,
    DefinedBy,
    Enumerated,
    Explicit,
    Implicit,
    NamedBits,
    NamedInteger,
    Primitive,
)
from derlib.errors import ASN1Error, SchemaError

# A session is seen by no other thread before it is finished: who comes to a class at the same time waits here.
LOCK = threading.RLock()
TAG_CLASSES = ("universal", "application", "context", "private")
CONSTRUCTED = 1
# The kind of a class and its universal tag number (X.680 8.4).
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
MARKS = (Addition, Constraint, Containing, Explicit, Implicit, DefinedBy)
SET_MEMBERS_LIMIT = 64


def plan_of(expression: Any) -> Plan:
    """The plan of any type expression: a schema class, or what an annotation may say."""
    plan = getattr(expression, "__plan__", None)
    # A list of what is not known yet, SequenceOf["Later"], has the attributes of SequenceOf itself.
    if isinstance(plan, Plan) and type(expression) is not types.GenericAlias:
        return plan
    try:
        return _cached_plan(expression, spelling(expression))
    except TypeError as error:
        # Unhashable metadata in an Annotated expression; a TypeError from elsewhere comes up again here.
        if "unhashable" not in str(error):
            raise
        return _expression_plan(expression)


_core.find_plans_with(plan_of)


# The sessions that run, the innermost last; LOCK guards them.
_running: list[Session] = []


@contextlib.contextmanager
def _session() -> Iterator[Session]:
    """Run a session; undo what it did where it fails."""
    session = Session()
    with LOCK:
        _running.append(session)
        try:
            yield session
        except BaseException:
            _undo(session)
            raise
        finally:
            _running.pop()


def _expression_plan(expression: Any, _: Hashable = None) -> Plan:
    try:
        with _session() as session:
            plan = _plan(expression, Place(session))
            _finish(session, plan)
    except UnknownName as error:
        raise SchemaError(str(error)) from error
    return plan


_cached_plan = functools.lru_cache(maxsize=1024)(_expression_plan)


def compile_class(cls: Any, *, final: bool) -> bool:
    """Compile a schema class and all it refers to; False where a name is not defined yet.

    `final` is set at first use: then a name that is still undefined is a SchemaError.
    """
    try:
        with _session() as session:
            _fill(cls, session)
            _finish(session)
    except UnknownName as error:
        if not final:
            return False
        raise SchemaError(str(error)) from error
    return True


def _finish(session: Session, *plans: Plan) -> None:
    for step in session.alternatives:
        step()
    for step in session.constraints:
        step()
    for step in session.later:
        step()
    # A class that is compiled while the annotations of another are evaluated may refer to the other, which has no
    # fields yet. Then it is sealed together with the other, or when it is used.
    if len(_running) == 1:
        for plan in (*plans, *(cls.__plan__ for cls in session.classes)):
            plan.seal()
    for cls in session.classes:
        cls.__state__ = "complete"
        # The local names were kept for its annotations; they may hold anything alive.
        cls.__namespace__ = None
        cls.__plan__.compiler = None
    for table in session.tables:
        table._compiled = True


def _undo(session: Session) -> None:
    for cls in session.classes:
        cls.__state__ = "new"
        if not cls.__body__.sealed:
            cls.__body__.reset()


def _fill(cls: Any, session: Session) -> None:
    """Fill the plan of one class."""
    if cls.__state__ != "new":
        return
    cls.__state__ = "filling"
    session.classes.append(cls)
    body: Plan = cls.__body__
    kind = CLASS_KINDS[cls.__asn1__][0]
    place = Place(session, cls)
    if kind in (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF):
        element = _plan(substitute(resolve(cls.__element__, cls), cls), place)
        body.set_element(kind, element)
    else:
        _fill_fields(cls, kind, body, place)
    if cls.__size__ is not None:
        constrain(body, cls.__size__, place)


def _fill_fields(cls: Any, kind: int, body: Plan, place: Place) -> None:
    fields = class_fields(cls)
    cls.__fields__ = fields
    if kind == Kind.KIND_SET and len(fields) > SET_MEMBERS_LIMIT:
        raise place.error(f"a Set has at most {SET_MEMBERS_LIMIT} fields; nest some in a Set of their own")
    if kind == Kind.KIND_CHOICE and not fields:
        raise place.error("a Choice needs at least one alternative")
    plans = []
    for index, item in enumerate(fields):
        here = Place(place.session, cls, item.name, index)
        if kind == Kind.KIND_CHOICE and (item.optional or item.default is not MISSING):
            raise here.error("an alternative of a Choice is neither optional nor has it a default; remove it")
        if item.addition:
            check_addition(item, kind, cls.__extensible__, here)
        plans.append(_plan(item.type, here))
    if cls.__automatic__:
        plans = [
            plan if mark is None else tagged(plan, mark, place)
            for plan, mark in zip(plans, automatic_marks(fields, plans, place), strict=True)
        ]
    optional = tuple(item.optional or item.default is not MISSING for item in fields)
    defaults = tuple(None if item.default is MISSING else item.default for item in fields)
    names = tuple(item.name for item in fields)
    body.set_fields(kind, names, tuple(plans), optional, defaults)
    if cls.__extensible__:
        body.set_extensible(insertion_point(fields, cls.__behind__))
    if cls.__one_of__:
        body.set_one_of(cls.__one_of__)
    if kind == Kind.KIND_CHOICE:
        schedule_alternatives(body, place)
    else:
        place.session.later.append(lambda: check_tags(kind, body, optional, place))
    for index, item in enumerate(fields):
        if item.default is not MISSING:
            here = Place(place.session, cls, item.name, index)
            place.session.later.append(functools.partial(_set_default, body, index, item.default, here))
    for index, item in enumerate(fields):
        reader = _core.AlternativeReader if kind == Kind.KIND_CHOICE else _core.FieldReader
        setattr(cls, item.name, reader(body, index, item.name, f"{item.name} of {cls.__name__}"))


# Type expressions.


def _plan(hint: Any, place: Place) -> Plan:
    """The plan of a type expression; classes that it names are filled in the same session."""
    if isinstance(hint, (str, ForwardRef)):
        if place.owner is None:
            raise place.error(f"{brief(hint)} is a name, not a type; give the type itself")
        name = hint if isinstance(hint, str) else hint.__forward_arg__
        return _named_plan(name, place.owner, resolve(hint, place.owner), place)
    if hasattr(hint, "__value__") and not isinstance(hint, type):  # a `type X = ...` alias
        return _named_plan(str(hint), hint, hint.__value__, place)
    if typing.get_origin(hint) is typing.Annotated:
        return _annotated_plan(hint, place)
    members = union_members(hint)
    if members is not None:
        return _union_plan(members, place)
    if isinstance(hint, types.GenericAlias) or (typing.get_origin(hint) is not None and typing.get_args(hint)):
        origin = typing.get_origin(hint)
        if hasattr(origin, "__asn1__"):
            made = origin[_known_arguments(typing.get_args(hint), place)]
            if isinstance(made, types.GenericAlias):  # a name that is still in it stands for itself
                raise place.error(f"{brief(hint)} refers to itself without a class between; derive a class from it")
            return _plan(made, place)
        raise place.error(f"{brief(hint)} is not an ASN.1 type; lists are SequenceOf[...] or SetOf[...]")
    if isinstance(hint, TypeVar):
        raise place.error(f"the type variable {hint} has no value; use the class with type arguments")
    if isinstance(hint, Primitive):
        return _primitive_plan(hint)
    if hint is TLV or hint is Any:
        return Plan(Kind.KIND_ANY, "ANY")
    if isinstance(hint, type):
        return _primitive_plan(PYTHON_TYPES[hint]) if hint in PYTHON_TYPES else _class_plan(hint, place)
    if isinstance(hint, (Implicit, Explicit, DefinedBy, Constraint)):
        raise place.error(f"{brief(hint)} is not a type; write Annotated[type, {type(hint).__name__}(...)]")
    raise place.error(f"{brief(hint)} is not a type")


def _named_plan(name: str, scope: Any, hint: Any, place: Place) -> Plan:
    """Return the plan of the type that a name stands for in the annotations of a class, or that an alias stands for.

    A class may refer to itself, since it has a plan before its fields are read. An alias would have no end.
    """
    names = place.session.names
    if any(name == other and scope is within for other, within in names):
        raise place.error(f"{name} refers to itself without a class between; make it a Choice or a Sequence")
    names.append((name, scope))
    try:
        return _plan(hint, place)
    finally:
        names.pop()


def _known_arguments(arguments: tuple[Any, ...], place: Place) -> tuple[Any, ...]:
    """Type arguments without names and type variables; Python 3.10 leaves names in them that later ones resolve."""
    owner = place.owner
    known = tuple(
        resolve(argument, owner) if isinstance(argument, (str, ForwardRef)) and owner is not None else argument
        for argument in arguments
    )
    for argument in known:
        if isinstance(argument, (str, ForwardRef, TypeVar)):
            raise place.error(f"the type argument {brief(argument)} has no value here; give a type")
    return known


def _primitive_plan(primitive: Primitive) -> Plan:
    return Plan(primitive.kind, primitive.name, _core.tag_number(primitive.number, 0, False))


def _class_plan(cls: Any, place: Place) -> Plan:
    if hasattr(cls, "__asn1__"):
        if cls.__state__ == "abstract":
            raise place.error(cls.__why_abstract__)
        if hasattr(cls, "__element__") and place.owner is not None and _mentions_selector(cls.__element__):
            return _contextual_list_plan(cls, place)
        _fill(cls, place.session)
        plan: Plan = cls.__plan__
        return plan
    if issubclass(cls, NamedBits):
        bits = sum(bit.value for bit in set(cls.__members__.values()) if bit.value.bit_count() == 1)
        for name, bit in cls.__members__.items():
            # A member may stand for several that have names.
            if bit.value == 0 or bit.value & ~bits:
                raise place.error(
                    f"{cls.__name__}.{name}: {brief(bit.value)} is not one bit; bit number n is written 1 << n"
                )
        return Plan(Kind.KIND_NAMED_BITS, cls.__name__, _core.tag_number(3, 0, False), cls)
    if issubclass(cls, enum.Flag):
        raise place.error(f"{cls.__name__} is a Flag; derive named bits from derlib.NamedBits")
    if issubclass(cls, enum.Enum):
        return _enumeration_plan(cls, place)
    if issubclass(cls, datetime):
        raise place.error(
            "datetime may be UTCTime, GeneralizedTime or DateTime; write one of them, or 'UTCTime | GeneralizedTime'"
        )
    if cls is type(None):
        raise place.error("None is not a type; the NULL type is derlib.Null")
    if cls in (list, tuple, set, frozenset):
        raise place.error(f"{cls.__name__} is not an ASN.1 type; lists are SequenceOf[...] or SetOf[...]")
    raise place.error(
        f"{cls.__qualname__} is not an ASN.1 type; derive it from Sequence, Set, SequenceOf, SetOf or Choice"
    )


def _mentions_selector(hint: Any) -> bool:
    """Whether an element type has an open type in it, as an alternative or in a list: what selects it stands around."""
    if typing.get_origin(hint) is typing.Annotated:
        return any(isinstance(item, DefinedBy) for item in hint.__metadata__) or _mentions_selector(hint.__origin__)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return any(map(_mentions_selector, typing.get_args(hint)))
    return hasattr(hint, "__element__") and _mentions_selector(hint.__element__)


def _contextual_list_plan(cls: Any, place: Place) -> Plan:
    """A list of open types has a plan of its own in each Sequence, since that is where its selector stands."""
    if place.owner.__asn1__ in ("SequenceOf", "SetOf"):
        _fill(cls, place.session)
        own: Plan = cls.__plan__
        return own
    plan = Plan(Kind.KIND_EMPTY, cls.__name__, cls.__body__.tag, cls)
    plan.set_element(CLASS_KINDS[cls.__asn1__][0], _plan(cls.__element__, place))
    if cls.__size__ is not None:
        constrain(plan, cls.__size__, place)
    return tagged(plan, cls.__tag_mark__, place) if isinstance(cls.__tag_mark__, Explicit) else plan


def _enumeration_plan(cls: Any, place: Place) -> Plan:
    members = {}
    for member in cls:
        if not isinstance(member.value, int) or isinstance(member.value, bool) or not -(2**63) <= member.value < 2**63:
            raise place.error(
                f"{cls.__name__}.{member.name}: the number of an item is an int from -2^63 to 2^63 - 1, "
                f"not {brief(member.value)}"
            )
        members[int(member.value)] = member
    if not members:
        raise place.error(f"{cls.__name__} has no items; give it one at least")
    named_integer = issubclass(cls, NamedInteger)
    primitive = INTEGER if named_integer else ENUMERATED
    kind = Kind.KIND_NAMED_INTEGER if named_integer else Kind.KIND_ENUMERATED
    plan = Plan(kind, cls.__name__, _core.tag_number(primitive.number, 0, False), cls)
    plan.set_members(members, not named_integer)
    if issubclass(cls, Enumerated) and cls.__extensible__:
        plan.set_extensible(0)
    return plan


def _union_plan(members: tuple[Any, ...], place: Place) -> Plan:
    if type(None) in members:
        raise place.error("'| None' marks an optional field and stands at the outside: 'x: T | None = None'")
    plans = tuple(_plan(member, place) for member in members)
    plan = Plan(Kind.KIND_EMPTY, " | ".join(plan.name for plan in plans))
    nothing = (None,) * len(plans)
    plan.set_fields(Kind.KIND_UNION, _alternative_names(plans), plans, (False,) * len(plans), nothing)
    schedule_alternatives(plan, place)
    return plan


def _alternative_names(plans: tuple[Plan, ...]) -> tuple[str, ...]:
    """What the alternatives of a transparent CHOICE are called: their types, with the tag or a number to tell them."""
    names = [plan.name for plan in plans]
    for index, plan in enumerate(plans):
        if [other.name for other in plans].count(plan.name) > 1 and plan.tag is not None:
            names[index] = f"{_core.tag_name(plan.tag)} {plan.name}"
    for index, name in enumerate(names):
        if name in names[:index]:
            names[index] = f"{name} #{index + 1}"
    return tuple(names)


def _annotated_plan(hint: Any, place: Place) -> Plan:
    """`Annotated`: a type, then what is said of it. Constraints belong to the type, tags go around it in order."""
    base = hint.__origin__
    said: list[Any] = []
    for item in hint.__metadata__:
        if typing.get_origin(item) is typing.Annotated:
            # Annotated[Any, OctetString, ...]: the ASN.1 type stands beside the Python type.
            base = item.__origin__
            said.extend(item.__metadata__)
        elif isinstance(item, type) and (item in PYTHON_TYPES or item is TLV or hasattr(item, "__asn1__")):
            base = item
        else:
            said.append(item)
    for item in said:
        if isinstance(item, Primitive):
            base = item
        elif isinstance(item, type) and issubclass(item, MARKS):
            raise place.error(f"{item.__name__} has no arguments; write {item.__name__}(...)")
    # Later ones win: they stand further out.
    defined_by = [item for item in said if isinstance(item, DefinedBy)]
    containing = [item for item in said if isinstance(item, Containing)]
    if containing and defined_by:
        raise place.error("DefinedBy and Containing say two things of one string; leave one out")
    if defined_by:
        plan = open_plan(base, defined_by[-1], place, _plan)
    elif containing:
        plan = containing_plan(base, containing[-1], place, _plan)
    else:
        plan = _plan(base, place)
    if any(item is RFC5280_TIME for item in said):
        plan.set_rfc5280_time()
    for item in said:
        if isinstance(item, Constraint):
            for constraint in intersected(item):
                plan = plan.derived(plan.tag)
                constrain(plan, constraint, place)
    for item in said:
        if isinstance(item, (Explicit, Implicit)):
            plan = tagged(plan, item, place)
    return plan


def tagged(plan: Plan, mark: Explicit | Implicit, place: Place) -> Plan:
    """A plan with one more tag around it, or with another tag."""
    tag_class = TAG_CLASSES.index(mark.tag_class)
    if isinstance(mark, Explicit):
        outer = Plan(Kind.KIND_EMPTY, plan.name, _core.tag_number(mark.number, tag_class, True))
        outer.set_element(Kind.KIND_EXPLICIT, plan)
        return outer
    if plan.tag is None:
        # X.680 31.2.7 c: a CHOICE or open type has no tag that another could replace.
        raise place.error(
            f"Implicit({mark.number}) cannot replace the tag of a CHOICE or open type, which has none; "
            f"write Explicit({mark.number})"
        )
    return plan.derived(_core.tag_number(mark.number, tag_class, bool(plan.tag & CONSTRUCTED)))


def _set_default(body: Plan, index: int, value: Any, place: Place) -> None:
    plan = body.plans[index]
    try:
        octets = _core.encode_plan(plan, value)
    except (ASN1Error, TypeError, ValueError, AttributeError) as error:
        why = f": {error}" if isinstance(error, ASN1Error) else ""
        raise place.error(f"the default {brief(value)} is not a value of {plan.name}{why}") from error
    body.set_default(index, octets, value)

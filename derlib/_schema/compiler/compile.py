"""Compiles type expressions and schema classes to plans.

`compile_class` runs when a schema class is made, and again at first use if a forward reference was not defined before.
`plan_of` compiles any other type expression. A wrong schema raises a `SchemaError` that names the class, the field and
the remedy, so that the core only gets valid plans.

A run of the compiler is a session. Types refer to one another, so a plan is created empty, and filled when the session
reaches its type. Steps that need filled plans (selectors, ambiguity checks, constraints, defaults) run at the end of
the session. If a name is not defined yet, the session resets every plan that it filled, and the class is compiled at
its first use.
"""

from __future__ import annotations

import contextlib
import functools
import types
import typing
from collections.abc import Hashable, Iterator
from typing import Any, ForwardRef, TypeVar

from derlib import _core
from derlib._brief import brief
from derlib._core import COMPILE_LOCK, TLV, Kind, Plan
from derlib._schema.annotations import UnknownName, element_of, is_annotated, resolve, spelling, union_members
from derlib._schema.compiler.ambiguity import schedule_alternatives
from derlib._schema.compiler.components import fill_components
from derlib._schema.compiler.constraints import constrain
from derlib._schema.compiler.metadata import base_and_marks
from derlib._schema.compiler.open_types import containing_plan, open_plan
from derlib._schema.compiler.session import SchemaLocation, Session
from derlib._schema.compiler.simple_types import CLASS_KINDS, PYTHON_TYPES, primitive_plan, value_class_plan
from derlib._schema.compiler.tagging import tagged
from derlib._schema.constraints import Constraint, intersected
from derlib._schema.tracebacks import at_program
from derlib._schema.types import RFC5280_TIME, Containing, DefinedBy, Explicit, Implicit, Primitive
from derlib.errors import SchemaError

# The largest number of classes that are filled inside one another: below the recursion limit of Python. Those that they
# refer to are filled afterwards.
NESTED_CLASSES_LIMIT = 100

# What to write instead of a generic type of Python.
_INSTEAD: dict[Any, str] = {
    **dict.fromkeys((list, set, frozenset), "; lists are SequenceOf[...] or SetOf[...]"),
    tuple: "; a class derived from Sequence has fields, and lists are SequenceOf[...] or SetOf[...]",
    dict: "; a class derived from Sequence has fields",
    typing.Literal: "; one value of a type is Annotated[..., OneOf(...)]",
}


def plan_of(expression: Any) -> Plan:
    """Return the plan of a type expression: a schema class, or anything that an annotation can be."""
    plan = getattr(expression, "__plan__", None)
    # SequenceOf["Later"] is a GenericAlias, which forwards attributes of SequenceOf.
    if isinstance(plan, Plan) and type(expression) is not types.GenericAlias:
        return plan
    try:
        return _cached_plan(expression, spelling(expression))
    except TypeError as error:
        # Metadata of Annotated that is not hashable cannot be cached. Any other TypeError is raised again.
        if "unhashable" not in str(error):
            raise
        return _expression_plan(expression)


_core.find_plans_with(plan_of)


# The running sessions, the innermost last; COMPILE_LOCK guards the list.
_running: list[Session] = []


@contextlib.contextmanager
def _session() -> Iterator[Session]:
    """Run a session; if it fails, reset the plans that it filled."""
    session = Session()
    with COMPILE_LOCK:
        _running.append(session)
        try:
            yield session
        except BaseException:
            _undo(session)
            raise
        finally:
            _running.pop()


def _expression_plan(expression: Any, _: Hashable = None) -> Plan:
    """Compile a type expression that is not a class. The second argument is only a part of the key of the cache."""
    try:
        with _session() as session:
            plan = _plan(expression, SchemaLocation(session))
            _finish(session, plan)
    except UnknownName as error:
        raise at_program(SchemaError(str(error))) from None
    except SchemaError as error:
        raise at_program(error) from error.__cause__
    return plan


_cached_plan = functools.lru_cache(maxsize=1024)(_expression_plan)


def compile_class(cls: Any) -> bool:
    """Compile a schema class and every type that it refers to; return False if a name is not defined yet."""
    try:
        _compile(cls)
    except UnknownName:
        return False
    return True


def compile_at_first_use(cls: Any, _: Plan) -> None:
    """Compile a schema class whose plan is used. A name that is not defined raises SchemaError."""
    try:
        _compile(cls)
    except UnknownName as error:
        raise at_program(SchemaError(str(error))) from None
    except SchemaError as error:
        raise at_program(error) from error.__cause__


def _compile(cls: Any) -> None:
    with _session() as session:
        _fill(cls, session)
        _finish(session)


def _finish(session: Session, *plans: Plan) -> None:
    while session.unfilled:
        _fill(session.unfilled.pop(), session)
    again = session.defaults if session.constraints else []
    for step in [*session.alternatives, *session.defaults, *session.constraints, *session.checks, *again]:
        step()
    session.unsealed += [*plans, *(cls.__plan__ for cls in session.classes)]
    # Evaluating the annotations of one class can define and compile another class that refers to the first, which has
    # no fields yet. So only the outermost session seals plans.
    if len(_running) == 1:
        for plan in session.unsealed:
            plan.seal()
    else:
        _running[-2].unsealed += session.unsealed
    for cls in session.classes:
        cls.__state__ = "complete"
        # The local names were needed for the annotations. Release the objects that they refer to.
        cls.__namespace__ = None
        cls.__plan__.compiler = None
    for table in session.tables:
        table._set_compiled(plan_of)


def _undo(session: Session) -> None:
    for cls in session.classes:
        cls.__state__ = "new"
        if not cls.__body__.sealed:
            cls.__body__.reset()


def _fill(cls: Any, session: Session) -> None:
    """Fill the plan of one class, and of the classes that it refers to."""
    if cls.__state__ != "new":
        return
    if session.nested_classes == NESTED_CLASSES_LIMIT:
        session.unfilled.append(cls)
        return
    cls.__state__ = "filling"
    session.classes.append(cls)
    session.nested_classes += 1
    _fill_body(cls, SchemaLocation(session, cls))
    session.nested_classes -= 1


def _fill_body(cls: Any, location: SchemaLocation) -> None:
    body: Plan = cls.__body__
    kind = CLASS_KINDS[cls.__asn1__][0]
    if kind in (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF):
        body.set_element(kind, _plan(element_of(cls), location))
    else:
        fill_components(cls, kind, body, location, _plan)
    if cls.__size__ is not None:
        constrain(body, cls.__size__, location)
    if cls.__ber__ is not None:
        body.set_ber(cls.__ber__)


# Type expressions.


def _plan(hint: Any, location: SchemaLocation) -> Plan:
    """Return the plan of a type expression. Classes that it names are filled in the same session."""
    if isinstance(hint, (str, ForwardRef)):
        if location.owner is None:
            raise location.error(f"{brief(hint)} is a str, not a type; pass the type itself")
        name = hint if isinstance(hint, str) else hint.__forward_arg__
        return _named_plan(name, location.owner, resolve(hint, location.owner), location)
    # The usual ones first: attributes of the aliases of `typing` are slow.
    if is_annotated(hint):
        return _annotated_plan(hint, location)
    if isinstance(hint, Primitive):
        return primitive_plan(hint)
    if hasattr(hint, "__value__") and not isinstance(hint, type):  # a `type X = ...` alias
        return _named_plan(str(hint), hint, hint.__value__, location)
    members = union_members(hint)
    if members is not None:
        return _union_plan(members, location)
    if isinstance(hint, types.GenericAlias) or (typing.get_origin(hint) is not None and typing.get_args(hint)):
        origin = typing.get_origin(hint)
        if hasattr(origin, "__asn1__"):
            made = origin[_known_arguments(typing.get_args(hint), location)]
            if isinstance(made, types.GenericAlias):  # a name is left in it, so it refers to itself
                raise location.error(f"{brief(hint)} refers to itself directly; derive a class from it")
            return _plan(made, location)
        raise location.error(f"{brief(hint)} is not an ASN.1 type{_INSTEAD.get(origin, '')}")
    if isinstance(hint, TypeVar):
        raise location.error(f"the type variable {hint} has no value; use the class with type arguments")
    if hint is TLV or hint is Any:
        return Plan(Kind.KIND_ANY, "ANY")
    if isinstance(hint, type):
        return primitive_plan(PYTHON_TYPES[hint]) if hint in PYTHON_TYPES else _class_plan(hint, location)
    if isinstance(hint, (Implicit, Explicit, DefinedBy, Constraint)):
        raise location.error(f"{brief(hint)} is not a type; write Annotated[type, {type(hint).__name__}(...)]")
    raise location.error(f"{brief(hint)} is not a type")


def _named_plan(name: str, scope: Any, hint: Any, location: SchemaLocation) -> Plan:
    """Return the plan of the type that a name in the annotations of a class, or an alias, refers to.

    A class may refer to itself, because its plan exists before its fields are read. An alias that refers to itself has
    no end.
    """
    names = location.session.names
    if any(name == other and scope is within for other, within in names):
        raise location.error(f"{name} refers to itself directly; make it a Choice or a Sequence")
    names.append((name, scope))
    try:
        return _plan(hint, location)
    finally:
        names.pop()


def _known_arguments(arguments: tuple[Any, ...], location: SchemaLocation) -> tuple[Any, ...]:
    """Return type arguments with their names resolved, which Python 3.10 leaves in them."""
    owner = location.owner
    known = tuple(
        resolve(argument, owner) if isinstance(argument, (str, ForwardRef)) and owner is not None else argument
        for argument in arguments
    )
    for argument in known:
        if isinstance(argument, (str, ForwardRef, TypeVar)):
            raise location.error(f"the type argument {brief(argument)} is not a type here; give a type")
    return known


def _class_plan(cls: Any, location: SchemaLocation) -> Plan:
    if not hasattr(cls, "__asn1__"):
        return value_class_plan(cls, location)
    if cls.__state__ == "abstract":
        raise location.error(cls.__why_abstract__)
    is_field = location.owner is not None and location.owner.__asn1__ not in ("SequenceOf", "SetOf")
    if is_field and _mentions_selector(cls.__element__):
        return _contextual_list_plan(cls, location)
    _fill(cls, location.session)
    plan: Plan = cls.__plan__
    return plan


def _mentions_selector(hint: Any) -> bool:
    """Return whether an element type contains an open type whose selector is in the Sequence around the list."""
    if is_annotated(hint):
        return any(isinstance(item, DefinedBy) for item in hint.__metadata__) or _mentions_selector(hint.__origin__)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return any(map(_mentions_selector, typing.get_args(hint)))
    return hasattr(hint, "__element__") and _mentions_selector(hint.__element__)


def _contextual_list_plan(cls: Any, location: SchemaLocation) -> Plan:
    """Return the plan of a list of open types as a field of one Sequence, which has their selector.

    The plan of the list class itself has no selector.
    """
    plan = Plan(Kind.KIND_EMPTY, cls.__name__, cls.__body__.tag, cls)
    plan.set_element(CLASS_KINDS[cls.__asn1__][0], _plan(cls.__element__, location))
    if cls.__size__ is not None:
        constrain(plan, cls.__size__, location)
    if cls.__ber__ is not None:
        plan.set_ber(cls.__ber__)
    return tagged(plan, cls.__tag_mark__, location) if isinstance(cls.__tag_mark__, Explicit) else plan


def _union_plan(members: tuple[Any, ...], location: SchemaLocation) -> Plan:
    if type(None) in members:
        raise location.error("'| None' marks an optional field; write it outside of the type: 'x: T | None = None'")
    plans = tuple(_plan(member, location) for member in members)
    plan = Plan(Kind.KIND_EMPTY, " | ".join(plan.name for plan in plans))
    nothing = (None,) * len(plans)
    plan.set_fields(Kind.KIND_UNION, _alternative_names(plans), plans, (False,) * len(plans), nothing)
    schedule_alternatives(plan, location)
    return plan


def _alternative_names(plans: tuple[Plan, ...]) -> tuple[str, ...]:
    """Return names for the alternatives of a union: their types, with a tag or a number where types are equal."""
    names = [plan.name for plan in plans]
    for index, plan in enumerate(plans):
        if [other.name for other in plans].count(plan.name) > 1 and plan.tag is not None:
            names[index] = f"{_core.tag_name(plan.tag)} {plan.name}"
    for index, name in enumerate(names):
        if name in names[:index]:
            names[index] = f"{name} #{index + 1}"
    return tuple(names)


def _annotated_plan(hint: Any, location: SchemaLocation) -> Plan:
    """Return the plan of `Annotated`: the type with its constraints, and its tags around it in their order."""
    base, marks = base_and_marks(hint, location)
    # If there are several, the last one wins: it is the outermost.
    defined_by = [item for item in marks if isinstance(item, DefinedBy)]
    containing = [item for item in marks if isinstance(item, Containing)]
    if containing and defined_by:
        raise location.error("DefinedBy and Containing exclude each other; remove one of them")
    if defined_by:
        plan = open_plan(base, defined_by[-1], location, _plan)
    elif containing:
        plan = containing_plan(base, containing[-1], location, _plan)
    else:
        plan = _plan(base, location)
    if any(item is RFC5280_TIME for item in marks):
        plan.set_rfc5280_time()
    for item in marks:
        if isinstance(item, Constraint):
            for constraint in intersected(item):
                plan = plan.derived(plan.tag)
                constrain(plan, constraint, location)
    tags = [item for item in marks if isinstance(item, (Explicit, Implicit))]
    for item, outer in zip(tags, [*tags[1:], None], strict=False):
        # An IMPLICIT tag replaces the one inside it. Without a plan for each, long chains of tags stay small.
        if not (isinstance(item, Implicit) and isinstance(outer, Implicit)):
            plan = tagged(plan, item, location)
    return plan

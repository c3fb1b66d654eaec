"""The components of SEQUENCE and SET, and the alternatives of CHOICE, of a schema class."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from derlib import _core
from derlib._brief import brief
from derlib._core import Kind, Plan
from derlib._schema.compiler.ambiguity import check_tags, schedule_alternatives
from derlib._schema.compiler.session import Compile, SchemaLocation
from derlib._schema.compiler.tagging import automatically_tagged
from derlib._schema.fields import class_fields
from derlib._schema.types import MISSING, Field
from derlib.errors import ASN1Error

SET_MEMBERS_LIMIT = 256


def fill_components(cls: Any, kind: int, body: Plan, location: SchemaLocation, compile: Compile) -> None:
    """Fill the plan of a Sequence, Set or Choice class from its fields, and give the class its attributes."""
    fields = class_fields(cls)
    cls.__fields__ = fields
    if kind == Kind.KIND_SET and len(fields) > SET_MEMBERS_LIMIT:
        raise location.error(f"a Set has at most {SET_MEMBERS_LIMIT} fields, got {len(fields)}")
    if kind == Kind.KIND_CHOICE and not fields:
        raise location.error("a Choice needs at least one alternative")
    plans = []
    for index, item in enumerate(fields):
        here = SchemaLocation(location.session, cls, item.name, index)
        if kind == Kind.KIND_CHOICE and (item.optional or item.default is not MISSING):
            raise here.error("an alternative of a Choice cannot be optional or have a default; remove it")
        if item.addition:
            _check_addition(item, kind, cls.__extensible__, here)
        plans.append(compile(item.type, here))
    if cls.__automatic__:
        plans = automatically_tagged(fields, plans, location)
    optional = tuple(item.optional or item.default is not MISSING for item in fields)
    defaults = tuple(None if item.default is MISSING else item.default for item in fields)
    names = tuple(item.name for item in fields)
    body.set_fields(kind, names, tuple(plans), optional, defaults)
    if cls.__after_marker__ is not None and cls.__after_marker__ not in names:
        raise location.error(f"extensible={cls.__after_marker__!r:.60} is not the name of a field")
    if cls.__extensible__:
        body.set_extensible(_insertion_point(fields, cls.__after_marker__))
    if cls.__one_of__:
        body.set_one_of(cls.__one_of__)
    if kind == Kind.KIND_CHOICE:
        schedule_alternatives(body, location)
    else:
        location.session.checks.append(lambda: check_tags(kind, body, optional, location))
    for index, item in enumerate(fields):
        if item.default is not MISSING:
            here = SchemaLocation(location.session, cls, item.name, index)
            location.session.defaults.append(functools.partial(_set_default, body, index, item.default, here))
    for index, item in enumerate(fields):
        reader = _core.AlternativeReader if kind == Kind.KIND_CHOICE else _core.FieldReader
        # Quoted, because `name_` would be a link in reStructuredText.
        presence = ", OPTIONAL" if item.optional else ", DEFAULT" if item.default is not MISSING else ""
        doc = f"`{item.name}` of {cls.__name__}: {plans[index].name}{presence}"
        setattr(cls, item.name, reader(body, index, item.name, doc))


def _check_addition(item: Field, kind: int, extensible: bool, location: SchemaLocation) -> None:
    """Raise SchemaError if an addition has no extension marker, or senders of an older version cannot omit it."""
    if not extensible:
        raise location.error(
            "it is an Addition, but the class has no extension marker; give the class extensible=True"
        )
    if kind != Kind.KIND_CHOICE and not item.optional and item.default is MISSING:
        raise location.error(
            "a sender of an older version omits an Addition; write '| None = None' or give it a default"
        )


def _insertion_point(fields: Sequence[Field], after_marker: str | None) -> int:
    """Return the number of the field before which unknown additions come (X.680 25, 27, 29).

    They come after the last known addition. Without one they come before `after_marker`, the field after the second
    extension marker.
    """
    additions = [index for index, item in enumerate(fields) if item.addition]
    if additions:
        return additions[-1] + 1
    return next((index for index, item in enumerate(fields) if item.name == after_marker), len(fields))


def _set_default(body: Plan, index: int, value: Any, location: SchemaLocation) -> None:
    plan = body.plans[index]
    try:
        encoding = _core.encode_plan(plan, value)
    except (ASN1Error, TypeError, ValueError, AttributeError) as error:
        why = f": {error}" if isinstance(error, ASN1Error) else ""
        raise location.error(f"the default {brief(value)} is not a value of {plan.name}{why}") from error
    body.set_default(index, encoding, value)

"""The signatures of schema classes, for `help` and editors. Imported when they are used, because `inspect` is large."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Sequence
from typing import Any

from derlib._core import Plan
from derlib._schema.types import MISSING, Field


class _NotPassed:
    """The default of an alternative, shown as `...`: `inspect` shows an Ellipsis as its name."""

    def __repr__(self) -> str:
        return "..."


_NOT_PASSED = _NotPassed()
_ELEMENTS = inspect.Signature([inspect.Parameter("elements", inspect.Parameter.POSITIONAL_ONLY, default=())])
_VALUES = inspect.Signature([inspect.Parameter("values", inspect.Parameter.VAR_KEYWORD)])


def signature_of(asn1: str, fields: Sequence[Field] | None, plans: Sequence[Plan]) -> inspect.Signature:
    """Return the signature of the constructor of a class. `fields` is None if they are not known."""
    if asn1 in ("SequenceOf", "SetOf"):
        return _ELEMENTS
    if fields is None:
        return _VALUES
    try:
        parameters = list(map(_parameter, fields, plans))
    except ValueError:  # a name that is not an identifier
        return _VALUES
    if asn1 == "Choice":
        parameters = [each.replace(default=_NOT_PASSED) for each in parameters]
    return inspect.Signature(parameters)


def _parameter(item: Field, plan: Plan) -> inspect.Parameter:
    """Return the parameter of a constructor for a field. A type that is not a class has its ASN.1 name."""
    if keyword.iskeyword(item.name):  # inspect.Parameter of CPython 3.10 accepts it
        raise ValueError(f"{item.name!r} is a keyword")
    annotation: Any = item.type if isinstance(item.type, type) else plan.name
    if item.optional:
        annotation = item.type | None if isinstance(item.type, type) else f"{plan.name} | None"
    default = None if item.optional else inspect.Parameter.empty if item.default is MISSING else item.default
    return inspect.Parameter(item.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

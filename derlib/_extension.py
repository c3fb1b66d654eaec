"""Extension markers in schema classes: which fields are additions, and where unknown ones stand (X.680 25, 27, 29).

Called by `derlib._compile`; the dynamic form is read by `derlib._fields.marked_fields`.
"""

from __future__ import annotations

from collections.abc import Sequence

from derlib._core import Kind
from derlib._session import Place
from derlib._types import MISSING, Field


def insertion_point(fields: Sequence[Field], behind: str | None) -> int:
    """The number of the field before which unknown additions stand: behind the last addition that is known.

    `behind` is the field behind the second marker, which tells where there are no additions yet.
    """
    additions = [index for index, item in enumerate(fields) if item.addition]
    if additions:
        return additions[-1] + 1
    return next((index for index, item in enumerate(fields) if item.name == behind), len(fields))


def check_addition(item: Field, kind: int, extensible: bool, place: Place) -> None:
    """Refuse an addition that an older sender could not leave out, or one of a class without a marker."""
    if not extensible:
        raise place.error("it is an Addition, but the class has no extension marker; give the class extensible=True")
    if kind != Kind.KIND_CHOICE and not item.optional and item.default is MISSING:
        raise place.error(
            "a sender of an older version leaves an Addition out; write '| None = None' or give it a default"
        )

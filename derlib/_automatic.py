"""AUTOMATIC TAGS: the tags that the components of a class get (X.680 25.3, 25.7, 29). Called by `derlib._compile`."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any

from derlib._core import Plan
from derlib._fields import union_members
from derlib._session import Place
from derlib._types import Explicit, Field, Implicit


def automatic_marks(
    fields: Sequence[Field], plans: Sequence[Plan], place: Place
) -> list[Explicit | Implicit | None]:
    """The tag of each field: [0], [1], ... in the order of the root, then of the additions; none where one is written.

    X.680 25.3: where a component has a tag of its own in the list, the writer has taken tagging over, and none is
    automatic.
    """
    written = [_has_tag(item.type) for item in fields]
    if any(tag for tag, item in zip(written, fields, strict=True) if not item.addition):
        return [None] * len(fields)
    for tag, item in zip(written, fields, strict=True):
        if tag:
            # X.680 25.5: the root is numbered, so the additions are.
            raise place.error(f"the addition {item.name!r} has a tag, but the fields before it have automatic ones")
    marks: dict[str, Explicit | Implicit] = {}
    for item, plan in sorted(zip(fields, plans, strict=True), key=lambda pair: pair[0].addition):
        # X.680 31.2.7: what has no tag that could be replaced gets one around it.
        marks[item.name] = (Explicit if plan.tag is None else Implicit)(len(marks))
    return [marks[item.name] for item in fields]


def _has_tag(hint: Any) -> bool:
    """Whether an annotation says a tag, which is what X.680 calls a TaggedType; the tag of a class does not count."""
    return typing.get_origin(hint) is typing.Annotated and union_members(hint) is None and any(
        isinstance(item, (Explicit, Implicit)) for item in hint.__metadata__
    )

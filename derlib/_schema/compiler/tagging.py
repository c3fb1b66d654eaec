"""Tags of types: explicit and implicit ones (X.680 31), and AUTOMATIC TAGS (X.680 25.3, 25.7, 29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from derlib import _core
from derlib._core import Kind, Plan
from derlib._schema.annotations import is_annotated, union_members
from derlib._schema.compiler.session import SchemaLocation
from derlib._schema.types import Explicit, Field, Implicit

TAG_CLASSES = ("universal", "application", "context", "private")
# The lowest bit of a tag in the core.
CONSTRUCTED = 1


def tagged(plan: Plan, mark: Explicit | Implicit, location: SchemaLocation) -> Plan:
    """Return a plan with an explicit tag around it, or with its tag replaced by an implicit one."""
    tag_class = TAG_CLASSES.index(mark.tag_class)
    if isinstance(mark, Explicit):
        outer = Plan(Kind.KIND_EMPTY, plan.name, _core.pack_tag(mark.number, tag_class, True))
        outer.set_element(Kind.KIND_EXPLICIT, plan)
        return outer
    if plan.tag is None:
        # X.680 31.2.7 c: a CHOICE or open type has no tag of its own.
        arguments = f"({mark.number})" if mark.tag_class == "context" else f"({mark.number}, {mark.tag_class!r})"
        opaque = ""
        if plan.kind not in (Kind.KIND_CHOICE, Kind.KIND_UNION):
            opaque = (
                f", or to keep the contents of an element with this tag without their type: "
                f"Annotated[SequenceOf[TLV], Implicit{arguments}] if it is constructed, "
                f"Annotated[OctetString, Implicit{arguments}] if it is primitive"
            )
        raise location.error(
            f"Implicit{arguments} cannot replace the tag of a CHOICE or open type, which has none (X.680 31.2.7); "
            f"write Explicit{arguments}{opaque}"
        )
    return plan.derived(_core.pack_tag(mark.number, tag_class, bool(plan.tag & CONSTRUCTED)))


def automatically_tagged(
    fields: Sequence[Field], plans: Sequence[Plan], location: SchemaLocation
) -> list[Plan]:
    """Return the plans with automatic tags: [0], [1], ... for the root, then for the additions.

    If a component of the root has a tag in its annotation, nothing is tagged (X.680 25.3).
    """
    written = [_has_tag(item.type) for item in fields]
    if any(tag for tag, item in zip(written, fields, strict=True) if not item.addition):
        return list(plans)
    for tag, item in zip(written, fields, strict=True):
        if tag:
            # X.680 25.5: the root has automatic tags, so the additions must have them, too.
            raise location.error(f"the addition {item.name!r} has a tag, but the fields before it have automatic ones")
    order = sorted(range(len(fields)), key=lambda index: fields[index].addition)
    made = list(plans)
    for number, index in enumerate(order):
        # X.680 31.2.7: a type without a tag of its own gets an explicit tag.
        mark = (Explicit if plans[index].tag is None else Implicit)(number)
        made[index] = tagged(plans[index], mark, location)
    return made


def _has_tag(hint: Any) -> bool:
    """Return whether an annotation has a tag: X.680 calls it a TaggedType. The tag of a class does not count."""
    return is_annotated(hint) and union_members(hint) is None and any(
        isinstance(item, (Explicit, Implicit)) for item in hint.__metadata__
    )

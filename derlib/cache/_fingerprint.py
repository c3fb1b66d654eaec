"""The fingerprint of a schema: a digest of all that decides which octets are a value of it, and what they read as.

`Cache` puts it into each key, so that an entry of another schema is never found. It is the same in each process, on
each version of Python, and whichever types were used before.

Plans form a graph with circles, and two processes may share its parts differently: a type that was registered late
has a plan of its own where another process has one for all. So the graph is coloured. A plan's first colour is a
digest of what it says itself; its next one is a digest of that and of the colours of the plans that it refers to, and
so on until no round tells more plans apart. Equal plans then have equal colours, however many of them there are.
"""

from __future__ import annotations

import enum
import functools
import hashlib
from collections.abc import Mapping
from typing import Any

from derlib import _core
from derlib._core import Kind, Plan
from derlib._schema.compiler import plan_of

__all__ = ["fingerprint"]

_SIZE = 16
_WITH_FIELDS = frozenset({Kind.KIND_SEQUENCE, Kind.KIND_SET, Kind.KIND_CHOICE, Kind.KIND_UNION})
_WITH_ELEMENT = frozenset({Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF, Kind.KIND_EXPLICIT})


def fingerprint(type: Any) -> str:
    """A digest of a type and of all types that it reaches, through open types too, in hexadecimal.

    It changes with any of: kinds, tags, names of fields and classes, optionality, defaults, constraints, markers,
    items of enumerations, and what is registered for open types. A class that is renamed or moved is another schema.

    Args:
        type: a schema class or any type expression.

    Raises:
        SchemaError: `type` is not a type.

    >>> from typing import Annotated
    >>> from derlib import SequenceOf, Size
    >>> from derlib.cache import fingerprint
    >>> fingerprint(SequenceOf[int]) == fingerprint(SequenceOf[int])
    True
    >>> fingerprint(SequenceOf[int]) == fingerprint(Annotated[SequenceOf[int], Size(1, None)])
    False
    """
    plan = plan_of(type)
    plan.ready()
    # Counted before the plans are walked: what is registered meanwhile makes the next call walk again.
    return _fingerprint_of(plan, _core.registration_count())


@functools.lru_cache(maxsize=256)
def _fingerprint_of(plan: Plan, _registrations: int) -> str:
    plans = _reachable(plan)
    numbers = {id(each): number for number, each in enumerate(plans)}
    own = [_own_facts(each) for each in plans]
    references = [[numbers[id(other)] for other in _references(each)] for each in plans]
    colours = [_digest(facts) for facts in own]
    told_apart = 0
    while told_apart < len(set(colours)):
        told_apart = len(set(colours))
        colours = [_digest(own[i], *(colours[other] for other in references[i])) for i in range(len(plans))]
    # All colours, not the root's alone: the rounds may end before the root has heard of what is far away.
    return _digest(colours[0], *sorted(set(colours)))


def _digest(*parts: str) -> str:
    # No part holds a line feed: `ascii` writes it as two characters.
    return hashlib.blake2b("\n".join(parts).encode("ascii"), digest_size=_SIZE).hexdigest()


def _reachable(root: Plan) -> list[Plan]:
    """Each plan that `root` leads to, itself first."""
    found = {id(root): root}
    waiting = [root]
    while waiting:
        for plan in _references(waiting.pop()):
            if id(plan) not in found:
                found[id(plan)] = plan
                waiting.append(plan)
    return list(found.values())


def _references(plan: Plan) -> list[Plan]:
    """The plans that a plan refers to, in an order that only its meaning decides."""
    if plan.kind in _WITH_FIELDS:
        return list(plan.plans)
    if plan.kind in _WITH_ELEMENT:
        return [plan.element]
    if plan.contained is not None:
        return [plan.contained]
    if plan.table is not None:
        return [other for _, (other, _) in sorted(plan.table.plans.items(), key=lambda item: item[0])]
    return []


def _own_facts(plan: Plan) -> str:
    """What a plan says itself, as text. `ascii` is the same on all versions of Python, `repr` is not."""
    table = None
    if plan.table is not None:
        types = sorted((contents, opaque) for contents, (_, opaque) in plan.table.plans.items())
        table = (plan.table.opaque_on_mismatch, types, plan.selector)
    items = None
    if isinstance(plan.type, enum.EnumMeta):
        members: Mapping[str, Any] = plan.type.__members__
        items = sorted((name, int(member.value)) for name, member in members.items())
    # What few types have is added where they have it, so that the fingerprints of all others stay as they were.
    further: list[Any] = [] if plan.insertion is None else [("extensible", plan.insertion)]
    further.extend(constraint.facts for constraint in plan.constraints)
    return ascii(
        (
            # The name of the kind: its number may move from version to version.
            Kind(plan.kind).name,
            plan.name,
            plan.tag,
            # Two parts: class B.C of module a is not class C of module a.B.
            None if plan.type is None else (plan.type.__module__, plan.type.__qualname__),
            plan.names,
            plan.optional,
            plan.default_octets,
            plan.alternatives,
            plan.size,
            plan.range,
            items,
            table,
            *further,
        )
    )
